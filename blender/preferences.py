# SPDX-License-Identifier: GPL-3.0-or-later
"""Preferences: where games and textures are, and what an import shows."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatVectorProperty, IntProperty, StringProperty
from bpy.types import AddonPreferences, Operator, PropertyGroup, UIList

from . import toolkit

PACKAGE = __package__


class MESHWRIGHT_folder(PropertyGroup):
    path: StringProperty(name="Folder", subtype="DIR_PATH")


class MESHWRIGHT_UL_folders(UIList):
    def draw_item(self, _context, layout, _data, item, _icon, _active_data, _property):
        layout.prop(item, "path", text="", emboss=False)


class MESHWRIGHT_OT_folder_add(Operator):
    bl_idname = "meshwright.folder_add"
    bl_label = "Add Folder"
    bl_description = "Add a folder to the list"
    bl_options = {"INTERNAL"}

    kind: StringProperty()

    def execute(self, context):
        getattr(of(context), self.kind).add()
        return {"FINISHED"}


class MESHWRIGHT_OT_folder_remove(Operator):
    bl_idname = "meshwright.folder_remove"
    bl_label = "Remove Folder"
    bl_description = "Remove the selected folder from the list"
    bl_options = {"INTERNAL"}

    kind: StringProperty()

    def execute(self, context):
        folders, index = getattr(of(context), self.kind), getattr(of(context), self.kind + "_index")
        if index < len(folders):
            folders.remove(index)
        return {"FINISHED"}


class MESHWRIGHT_preferences(AddonPreferences):
    bl_idname = PACKAGE

    games: CollectionProperty(type=MESHWRIGHT_folder)
    games_index: IntProperty()
    textures: CollectionProperty(type=MESHWRIGHT_folder)
    textures_index: IntProperty()
    as_game: BoolProperty(
        name="Materials as in the game",
        description="Show blending and unlit surfaces as the game does. Export is not affected",
        default=True,
    )
    show_points: BoolProperty(
        name="Attachments, emitters and events as empties",
        description="Add an empty for each object of the model that Blender has no counterpart for",
        default=True,
    )
    team_color: FloatVectorProperty(
        name="Team colour", subtype="COLOR", size=3, min=0, max=1, default=(1.0, 0.01, 0.01)
    )

    def draw(self, _context):
        layout = self.layout
        for kind, text in (("games", "Folders of installed games"), ("textures", "Folders with textures")):
            layout.label(text=text)
            row = layout.row()
            row.template_list("MESHWRIGHT_UL_folders", kind, self, kind, self, kind + "_index", rows=2)
            buttons = row.column(align=True)
            buttons.operator("meshwright.folder_add", icon="ADD", text="").kind = kind
            buttons.operator("meshwright.folder_remove", icon="REMOVE", text="").kind = kind
        layout.prop(self, "as_game")
        layout.prop(self, "show_points")
        layout.prop(self, "team_color")


def of(context):
    return context.preferences.addons[PACKAGE].preferences


def places(context):
    """The folders of the preferences."""
    preferences = of(context)

    def listed(folders):
        return [bpy.path.abspath(it.path) for it in folders if it.path]

    return toolkit.Places(listed(preferences.games), listed(preferences.textures))


CLASSES = (
    MESHWRIGHT_folder,
    MESHWRIGHT_UL_folders,
    MESHWRIGHT_OT_folder_add,
    MESHWRIGHT_OT_folder_remove,
    MESHWRIGHT_preferences,
)
