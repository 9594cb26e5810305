# SPDX-License-Identifier: GPL-3.0-or-later
"""The side panel: clips, parts, findings, and facts about the model."""

import re

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy.types import Operator, Panel

from . import clips, export_scene, holder as holders, materials, preferences, report, toolkit, visibility

# Findings and statistics of models, by the name of the holder. They are only shown, and found again after loading a file.
_checked = {}
_MOST = 40


class MESHWRIGHT_OT_play(Operator):
    bl_idname = "meshwright.play"
    bl_label = "Play Clip"
    bl_description = "Show this clip: motion, and parts that it shows and hides"
    bl_options = {"REGISTER", "UNDO"}

    clip: StringProperty()
    start: BoolProperty(default=True)

    def execute(self, context):
        holder = holders.active(context)
        if holder is None:
            self.report({"ERROR"}, "Select a part of an imported model.")
            return {"CANCELLED"}
        if self.clip not in clips.names(holder, holders.parts(holder)):
            self.report({"ERROR"}, f"The model has no clip {self.clip}.")
            return {"CANCELLED"}
        clips.play(context.scene, holder, holders.parts(holder), self.clip)
        context.scene.frame_set(0)
        screen = context.screen
        if self.start and screen is not None and not screen.is_animation_playing:
            bpy.ops.screen.animation_play()
        return {"FINISHED"}


class MESHWRIGHT_OT_select(Operator):
    bl_idname = "meshwright.select"
    bl_label = "Select Part"
    bl_description = "Select the part of the model"
    bl_options = {"REGISTER", "UNDO"}

    part: StringProperty()

    def execute(self, context):
        holder = holders.active(context)
        found, bone = find_part(holder, self.part) if holder is not None else (None, None)
        if found is None:
            self.report({"WARNING"}, "No object of the scene belongs to this finding.")
            return {"CANCELLED"}
        for object in context.selected_objects:
            object.select_set(False)
        if not found.visible_get():
            self.report({"INFO"}, f"{found.name} is hidden in this clip.")
        else:
            found.select_set(True)
            context.view_layer.objects.active = found
        if bone is not None:
            found.data.bones.active = found.data.bones[bone]
            self.report({"INFO"}, f"Bone {bone}")
        return {"FINISHED"}


_GEOSET = re.compile(r"Geoset\[(\d+)\]")
_QUOTED = re.compile(r'"([^"]*)"')


def find_part(holder, text):
    """The object that a part of the file is about, and a bone of it: by the number of a mesh, or by a name."""
    objects = [it for it in holders.parts(holder) if it is not holder]
    named = {it.name.lower(): it for it in objects}
    if text.lower() in named:
        return named[text.lower()], None
    geoset = _GEOSET.search(text)
    if geoset is not None:
        meshes = export_scene.by_mesh(objects)
        return meshes.get(int(geoset[1])), None
    bones = {it.name.lower(): it.name for it in holder.data.bones} if holder.type == "ARMATURE" else {}
    for quoted in reversed(_QUOTED.findall(text)):
        name = quoted.rsplit(".", 1)[-1].lower()
        if name in named:
            return named[name], None
        if name in bones:
            return holder, bones[name]
    return None, None


class MESHWRIGHT_OT_check(Operator):
    bl_idname = "meshwright.check"
    bl_label = "Check Original"
    bl_description = "Search the imported file for errors that its game would stumble over"

    def execute(self, context):
        holder = holders.active(context)
        facts, data = (holders.facts(holder), holders.original(holder)) if holder is not None else (None, None)
        if data is None:
            self.report({"ERROR"}, "Select a part of an imported model.")
            return {"CANCELLED"}
        try:
            places = preferences.places(context)
            found = toolkit.findings(data, facts["path"], places, facts.get("chosen_game"))
            info = toolkit.statistics(data, facts["path"], places)
        except toolkit.Error as error:
            self.report({"ERROR"}, report.message(error))
            return {"CANCELLED"}
        _checked[holder.name_full] = (found, info)
        self.report({"INFO"}, f"{len(found)} findings")
        return {"FINISHED"}


class MESHWRIGHT_OT_hideable(Operator):
    bl_idname = "meshwright.hideable"
    bl_label = "Let Clips Hide This Part"
    bl_description = "Add a property to the armature that shows and hides this part. Key it in a clip"
    bl_options = {"REGISTER", "UNDO"}

    part: StringProperty()

    def execute(self, context):
        holder = holders.active(context)
        found, _ = find_part(holder, self.part) if holder is not None else (None, None)
        if found is None or found.type != "MESH":
            self.report({"ERROR"}, "Select a part of an imported model.")
            return {"CANCELLED"}
        if visibility.property_of(found) is None:
            visibility.add(holder, found)
        self.report({"INFO"}, f"Key the property \"{holders.SHOW}{found.name}\" of {holder.name}.")
        return {"FINISHED"}


class MESHWRIGHT_OT_materials(Operator):
    bl_idname = "meshwright.materials"
    bl_label = "Materials as in the Game"
    bl_description = "Switch between materials as in the game and plain ones, whose edits can be seen. Export is not affected"
    bl_options = {"REGISTER", "UNDO"}

    as_game: BoolProperty(name="As in the game", default=True)

    def execute(self, context):
        holder = holders.active(context)
        if holder is None:
            self.report({"ERROR"}, "Select a part of an imported model.")
            return {"CANCELLED"}
        materials.switch(materials.of(holders.parts(holder)), self.as_game)
        return {"FINISHED"}


class _Base:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Meshwright"

    @classmethod
    def poll(cls, context):
        return holders.active(context) is not None


class MESHWRIGHT_PT_model(_Base, Panel):
    bl_label = "Model"
    bl_idname = "MESHWRIGHT_PT_model"

    @classmethod
    def poll(cls, _context):
        return True

    def draw(self, context):
        layout = self.layout
        holder = holders.active(context)
        facts = holders.facts(holder)
        row = layout.row(align=True)
        row.operator("meshwright.import_model", text="Import", icon="IMPORT")
        row.operator("meshwright.export_model", text="Export", icon="EXPORT")
        if facts is None:
            layout.label(text="Select a part of an imported model.")
            return
        layout.label(text=facts["name"], icon="MESH_DATA")
        layout.label(text=f"Game: {facts.get('chosen_game') or facts['game']}")
        layout.label(text=facts["path"], icon="FILE")
        row = layout.row(align=True)
        row.operator("meshwright.materials", text="Game materials").as_game = True
        row.operator("meshwright.materials", text="Plain").as_game = False
        layout.operator("meshwright.team_color", text="Team Colour...", icon="COLOR")


class MESHWRIGHT_PT_clips(_Base, Panel):
    bl_label = "Clips"
    bl_idname = "MESHWRIGHT_PT_clips"

    def draw(self, context):
        holder = holders.active(context)
        objects = holders.parts(holder)
        playing = holder.animation_data.action if holder.animation_data else None
        column = self.layout.column(align=True)
        for name in reversed(clips.names(holder, objects)):
            strip = clips.strip(holder, name)
            is_playing = strip is not None and playing is not None and strip.action == playing
            icon = "PLAY" if not is_playing else "RADIOBUT_ON"
            column.operator("meshwright.play", text=name, icon=icon, depress=is_playing).clip = name


class MESHWRIGHT_PT_parts(_Base, Panel):
    bl_label = "Parts"
    bl_idname = "MESHWRIGHT_PT_parts"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        holder = holders.active(context)
        column = self.layout.column(align=True)
        for object in holders.parts(holder):
            if object.type != "MESH":
                continue
            icon = "HIDE_ON" if object.hide_viewport else "HIDE_OFF"
            row = column.row(align=True)
            row.operator("meshwright.select", text=object.name, icon=icon).part = object.name
            shown = visibility.property_of(object)
            if shown is not None and shown in holder:
                row.prop(holder, f'["{bpy.utils.escape_identifier(shown)}"]', text="", icon="KEYFRAME")
            else:
                row.operator("meshwright.hideable", text="", icon="KEYFRAME").part = object.name


class MESHWRIGHT_PT_findings(_Base, Panel):
    bl_label = "Check and Statistics"
    bl_idname = "MESHWRIGHT_PT_findings"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        layout = self.layout
        layout.operator("meshwright.check", icon="VIEWZOOM")
        holder = holders.active(context)
        found, info = _checked.get(holder.name_full, ((), None))
        if info is None:
            return
        layout.label(text=f"{info.vertices:,} vertices, {info.triangles:,} triangles, {info.bones} bones")
        layout.label(text=f"{len(info.clips)} clips, {info.size:,} bytes, {info.format} {info.version or ''}")
        column = layout.column(align=True)
        for severity, code, text, part in found[:_MOST]:
            icon = "ERROR" if severity == "error" else "INFO"
            column.operator("meshwright.select", text=f"{code}: {text}", icon=icon).part = part
        if len(found) > _MOST:
            column.label(text=f"{len(found) - _MOST} further findings")


def forget():
    _checked.clear()


CLASSES = (
    MESHWRIGHT_OT_play,
    MESHWRIGHT_OT_select,
    MESHWRIGHT_OT_check,
    MESHWRIGHT_OT_hideable,
    MESHWRIGHT_OT_materials,
    MESHWRIGHT_PT_model,
    MESHWRIGHT_PT_clips,
    MESHWRIGHT_PT_parts,
    MESHWRIGHT_PT_findings,
)
