# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export: onto the original file, or as a new one. Also an exporter of collections."""

import os

from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy.types import Operator
from bpy_extras.io_utils import ExportHelper

from . import export_scene, holder as holders, preferences, report, toolkit

_SHOWN = 20


class MESHWRIGHT_OT_export(Operator, ExportHelper):
    bl_idname = "meshwright.export_model"
    bl_label = "Export Game Model"
    bl_description = "Export a W3D, MDX or MDL model. An imported model keeps everything that was not changed"
    bl_options = {"REGISTER", "PRESET"}

    filename_ext = ".w3d"
    check_extension = None
    filter_glob: StringProperty(default="*.w3d;*.mdx;*.mdl", options={"HIDDEN"})
    collection: StringProperty(name="Collection", options={"HIDDEN"})
    onto: BoolProperty(
        name="Onto the original",
        description="Change only what was edited; every other byte stays as it was in the imported file",
        default=True,
    )
    w3d_game: EnumProperty(name="Game", items=[(it, it, "") for it in toolkit.W3D_GAMES])
    mdx_game: EnumProperty(name="Game", items=[(it, it, "") for it in toolkit.MDX_GAMES])
    split: BoolProperty(
        name="One file per clip",
        description="Write several W3D files, as the game looks for them. Onto the original: also write changed skeletons and clips "
        "that are in files of their own, next to the model",
    )
    write_textures: BoolProperty(name="Write textures", description="Write the textures as files of the game")
    strict: BoolProperty(name="Stop at warnings", description="Write nothing if something would be lost")

    def invoke(self, context, event):
        holder = self.model(context)
        facts = holders.facts(holder)
        if facts:
            name = f"{facts['name']}.{facts['format']}"
            self.filepath = os.path.join(os.path.dirname(facts["path"]), name)
            if not os.path.isdir(os.path.dirname(facts["path"])):
                self.filepath = name
        else:
            self.onto = False
        return ExportHelper.invoke(self, context, event)

    def check(self, _context):
        return False

    def draw(self, context):
        layout = self.layout
        facts = holders.facts(self.model(context))
        is_w3d = self.filepath.lower().endswith(".w3d")
        if facts:
            layout.prop(self, "onto")
        if facts and self.onto:
            if is_w3d:
                layout.prop(self, "split", text="Also skeleton and clips in other files")
        else:
            layout.prop(self, "w3d_game" if is_w3d else "mdx_game")
            if is_w3d:
                layout.prop(self, "split")
            layout.prop(self, "write_textures")
        layout.prop(self, "strict")

    def model(self, context):
        """The holder of the model to export."""
        import bpy

        if self.collection:
            collection = bpy.data.collections.get(self.collection)
            models = [it for it in collection.all_objects if holders.FACTS in it] if collection else []
            return models[0] if len(models) == 1 else None
        return holders.active(context)

    def objects(self, context):
        """The objects of a new model: those of the collection, the selected ones, or all."""
        import bpy

        if self.collection and self.collection in bpy.data.collections:
            chosen = list(bpy.data.collections[self.collection].all_objects)
        else:
            chosen = list(context.selected_objects) or list(context.scene.objects)
            chosen = _whole(chosen)
        shown = context.view_layer.objects
        return [it for it in chosen if holders.HELPER not in it and it.name in shown]

    def execute(self, context):
        path = self.filepath
        if not toolkit.is_model(path):
            self.report({"ERROR"}, f"{os.path.basename(path)}: the name has to end in .w3d, .mdx or .mdl")
            return {"CANCELLED"}
        told = report.Report(f"{os.path.basename(path)} exported")
        places = preferences.places(context)
        if context.mode != "OBJECT" and context.object is not None:
            import bpy

            bpy.ops.object.mode_set(mode="OBJECT")
        try:
            prepared = self.prepare(context, path, places)
            told.add("Would be lost", prepared.warnings)
            if self.strict and (prepared.warnings or prepared.notes):
                told.add("Not written", prepared.notes)
                told.problem(f"{os.path.basename(path)}: not written, because something would be lost")
            else:
                toolkit.write_files(prepared.files)
                told.title = _summary(path, prepared)
                told.add("Changed", [] if prepared.unchanged else prepared.edits)
                told.add("Notes", prepared.notes)
                game = self.w3d_game if path.lower().endswith(".w3d") else self.mdx_game
                game = None if self.onto and self.model(context) is not None else game
                found = toolkit.findings(prepared.files[0][1], path, places, game)
                told.add("Findings", [f"{severity}[{code}] {text}" for severity, code, text, _ in found[:_SHOWN]])
        except (toolkit.Error, ValueError, OSError, RuntimeError) as error:
            told.problem(report.message(error))
        return {"FINISHED"} if told.finish(self) else {"CANCELLED"}

    def prepare(self, context, path, places):
        holder = self.model(context)
        facts = holders.facts(holder)
        if self.onto and facts is not None:
            family = "W3D" if path.lower().endswith(".w3d") else "MDX"
            if facts["family"] != family:
                raise ValueError(f"the original is {facts['family']}: switch off \"Onto the original\" to write {family}")
            if holders.original(holder) is None:
                raise ValueError("the original file is no longer in the scene: switch off \"Onto the original\"")
            return export_scene.onto_original(context, holder, path, places, self.split)
        objects = self.objects(context)
        if not objects:
            raise ValueError("there is nothing to export")
        game = self.w3d_game if path.lower().endswith(".w3d") else self.mdx_game
        return export_scene.as_new(context, objects, path, game, self.split, self.write_textures)


def _whole(objects):
    """The objects with everything above and below them."""
    found = {}
    for object in objects:
        while object.parent is not None:
            object = object.parent
        todo = [object]
        while todo:
            one = todo.pop()
            found[one.name_full] = one
            todo.extend(one.children)
    return list(found.values())


def _summary(path, prepared):
    name = os.path.basename(path)
    if prepared.unchanged:
        return f"{name} exported: nothing was changed"
    others = f" and {len(prepared.files) - 1} further files" if len(prepared.files) > 1 else ""
    return f"{name}{others} exported"


def menu(self, _context):
    self.layout.operator(MESHWRIGHT_OT_export.bl_idname, text="Game Model (.w3d, .mdx, .mdl)")


CLASSES = (MESHWRIGHT_OT_export,)
