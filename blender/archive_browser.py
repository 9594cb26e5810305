# SPDX-License-Identifier: GPL-3.0-or-later
"""The models in an archive: a list with a search field."""

import os

from bpy.props import BoolProperty, CollectionProperty, IntProperty, StringProperty
from bpy.types import Operator, PropertyGroup, UIList

from . import report, toolkit
from .import_operator import Choices, import_all


class MESHWRIGHT_member(PropertyGroup):
    path: StringProperty()
    size: IntProperty()
    chosen: BoolProperty(name="Import this model")


class MESHWRIGHT_UL_members(UIList):
    def draw_item(self, _context, layout, _data, item, _icon, _active_data, _property):
        row = layout.row()
        row.prop(item, "chosen", text="")
        row.label(text=item.path)
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
    members: CollectionProperty(type=MESHWRIGHT_member)
    index: IntProperty()

    def invoke(self, context, _event):
        try:
            found = toolkit.members(self.archive)
        except toolkit.Error as error:
            self.report({"ERROR"}, report.message(error))
            return {"CANCELLED"}
        self.members.clear()
        for path, size in found:
            item = self.members.add()
            item.path, item.size = path, min(size, 2**31 - 1)
        if not found:
            self.report({"ERROR"}, f"{self.archive}: no models in this archive")
            return {"CANCELLED"}
        return context.window_manager.invoke_props_dialog(self, width=600)

    def draw(self, _context):
        self.layout.label(text=self.archive)
        self.layout.template_list("MESHWRIGHT_UL_members", "", self, "members", self, "index", rows=14)
        row = self.layout.row()
        row.prop(self, "levels", text="")
        row.prop(self, "collision")
        row.prop(self, "use_team_color")

    def execute(self, context):
        chosen = [it.path for it in self.members if it.chosen]
        if not chosen and self.index < len(self.members):
            chosen = [self.members[self.index].path]
        if not chosen:
            self.report({"ERROR"}, "No model was chosen.")
            return {"CANCELLED"}
        return import_all(self, context, [os.path.join(self.archive, *path.split("/")) for path in chosen])


CLASSES = (MESHWRIGHT_member, MESHWRIGHT_UL_members, MESHWRIGHT_OT_archive)
