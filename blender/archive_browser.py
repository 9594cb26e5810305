# SPDX-License-Identifier: GPL-3.0-or-later
"""The models in an archive: a list with a search field and pictures.

Pictures are drawn one after the other while Blender is idle, those of the rows that are seen first.
"""

import os

import bpy
from bpy.props import BoolProperty, CollectionProperty, IntProperty, StringProperty
from bpy.types import Operator, PropertyGroup, UIList

from . import preferences, report, toolkit
from .import_operator import Choices, import_all

_SIZE = 96
_MAX_PICTURES = 500


class _Pictures:
    """Small pictures of models, by path."""

    def __init__(self):
        self.collection = None
        self.wanted = []
        self.failed = set()

    def icon(self, path):
        """The number of an icon; zero while there is none."""
        if self.collection is not None and path in self.collection:
            return self.collection[path].icon_id
        if path not in self.failed and path not in self.wanted:
            self.wanted.append(path)
            if not bpy.app.timers.is_registered(_draw_next):
                bpy.app.timers.register(_draw_next, first_interval=0.05)
        return 0

    def draw(self, path, places):
        """Draws the picture of one model. Returns whether there is one."""
        import bpy.utils.previews

        if self.collection is None:
            self.collection = bpy.utils.previews.new()
        if path in self.collection:
            return True
        if len(self.collection) >= _MAX_PICTURES:
            self.collection.clear()
        try:
            width, height, pixels = toolkit.picture(path, places, _SIZE)
        except (toolkit.Error, ValueError, OSError):
            self.failed.add(path)
            return False
        preview = self.collection.new(path)
        preview.image_size = (width, height)
        preview.image_pixels_float = pixels
        return True

    def forget(self):
        """Removes all pictures, and stops drawing."""
        import bpy.utils.previews

        if bpy.app.timers.is_registered(_draw_next):
            bpy.app.timers.unregister(_draw_next)
        if self.collection is not None:
            bpy.utils.previews.remove(self.collection)
            self.collection = None
        self.wanted.clear()
        self.failed.clear()


pictures = _Pictures()


def _draw_next():
    """Draws the picture that was asked for last, and comes again while there are others."""
    if pictures.wanted:
        pictures.draw(pictures.wanted.pop(), preferences.places(bpy.context))
        for window in bpy.context.window_manager.windows:
            for area in window.screen.areas:
                area.tag_redraw()
    return 0.02 if pictures.wanted else None


class MESHWRIGHT_member(PropertyGroup):
    path: StringProperty()
    full: StringProperty()
    size: IntProperty()
    chosen: BoolProperty(name="Import this model")


class MESHWRIGHT_UL_members(UIList):
    def draw_item(self, _context, layout, _data, item, _icon, _active_data, _property):
        row = layout.row()
        row.prop(item, "chosen", text="")
        icon = pictures.icon(item.full)
        row.label(text=item.path, **({"icon_value": icon} if icon else {"icon": "MESH_DATA"}))
        row.label(text=f"{item.size:,}")

    def filter_items(self, _context, data, name):
        wanted = self.filter_name.lower()
        flags = [self.bitflag_filter_item if wanted in it.path.lower() else 0 for it in getattr(data, name)]
        return flags, []


class MESHWRIGHT_OT_archive(Operator, Choices):
    bl_idname = "meshwright.archive"
    bl_label = "Models in the Archive"
    bl_description = "Choose models of an archive to import"
    bl_options = {"REGISTER", "UNDO"}

    archive: StringProperty(subtype="FILE_PATH")
    members: CollectionProperty(type=MESHWRIGHT_member, options={"SKIP_SAVE"})
    index: IntProperty(options={"SKIP_SAVE"})

    def invoke(self, context, _event):
        if not self.fill():
            return {"CANCELLED"}
        return context.window_manager.invoke_props_dialog(self, width=700)

    def fill(self):
        """Lists the models of the archive. Returns whether there are any."""
        try:
            found = toolkit.members(self.archive)
        except (toolkit.Error, OSError) as error:
            self.report({"ERROR"}, report.message(error))
            return False
        self.members.clear()
        for path, size in found:
            item = self.members.add()
            item.name = item.path = path
            item.full = os.path.join(self.archive, *path.split("/"))
            item.size = min(size, 2**31 - 1)
        if not found:
            self.report({"ERROR"}, f"{self.archive}: no models in this archive")
        return bool(found)

    def draw(self, _context):
        layout = self.layout
        layout.label(text=self.archive)
        row = layout.row()
        row.template_list("MESHWRIGHT_UL_members", "", self, "members", self, "index", rows=14)
        if self.index < len(self.members):
            icon = pictures.icon(self.members[self.index].full)
            if icon:
                row.template_icon(icon_value=icon, scale=8.0)
        self.draw_choices(layout.column())

    def execute(self, context):
        chosen = [it.full for it in self.members if it.chosen]
        if not chosen and self.index < len(self.members):
            chosen = [self.members[self.index].full]
        if not chosen:
            self.report({"ERROR"}, "No model was chosen.")
            return {"CANCELLED"}
        return import_all(self, context, chosen)


def forget():
    pictures.forget()


CLASSES = (MESHWRIGHT_member, MESHWRIGHT_UL_members, MESHWRIGHT_OT_archive)
