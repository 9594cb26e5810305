# SPDX-License-Identifier: GPL-3.0-or-later
"""New models: starters with the names that a game expects, and an operator that prepares a scene for a game."""

import os

import bpy
from bpy.props import EnumProperty
from bpy.types import Menu, Operator

from . import export_checks, holder as holders, report, toolkit

# Game, file in the folder `starters`, and what it is.
_STARTERS = (
    ("zero-hour", "tank", "Tank for Zero Hour"),
    ("generals", "tank", "Tank for Generals"),
    ("renegade", "buggy", "Buggy for Renegade"),
    ("bfme1", "soldier", "Soldier for The Battle for Middle-earth"),
    ("bfme2", "soldier", "Soldier for The Battle for Middle-earth II"),
    ("wc3-classic", "footman", "Footman for Warcraft III"),
    ("wc3-reforged", "knight", "Knight for Reforged"),
)
_FOLDER = os.path.join(os.path.dirname(__file__), "starters")
_MAX_WEIGHTS = {"renegade": 1, "generals": 1, "zero-hour": 1, "tt5": 1, "bfme1": 2, "bfme2": 2}


class MESHWRIGHT_OT_starter(Operator):
    bl_idname = "meshwright.starter"
    bl_label = "Add Starter Model"
    bl_description = "Add a small model with the bones, attachments, collision and materials of a game, to be replaced by your own"
    bl_options = {"REGISTER", "UNDO"}

    game: EnumProperty(name="Game", items=[(game, text, "") for game, _, text in _STARTERS])

    def execute(self, context):
        file = next(file for game, file, _ in _STARTERS if game == self.game)
        path = os.path.join(_FOLDER, file + ".glb")
        if not os.path.isfile(path):
            self.report({"ERROR"}, "The extension was built without its starter models.")
            return {"CANCELLED"}
        context.scene.render.fps = 30
        available = bpy.ops.import_scene.gltf.get_rna_type().properties.keys()
        settings = {"bone_heuristic": "BLENDER", "disable_bone_shape": True, "guess_original_bind_pose": False}
        bpy.ops.import_scene.gltf(filepath=path, **{name: it for name, it in settings.items() if name in available})
        return {"FINISHED"}


class MESHWRIGHT_MT_add(Menu):
    bl_idname = "MESHWRIGHT_MT_add"
    bl_label = "Meshwright"

    def draw(self, _context):
        for game, _, text in _STARTERS:
            self.layout.operator("meshwright.starter", text=text).game = game


class MESHWRIGHT_OT_prepare(Operator):
    bl_idname = "meshwright.prepare"
    bl_label = "Prepare for a Game"
    bl_description = "Triangulate meshes, apply their scale, limit the bones of vertices, shorten names, and list what else the game does not take"
    bl_options = {"REGISTER", "UNDO"}

    game: EnumProperty(name="Game", items=[(it, it, "") for it in (*toolkit.W3D_GAMES, *toolkit.MDX_GAMES)])

    def invoke(self, context, _event):
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context):
        objects = [it for it in context.selected_objects or context.scene.objects if holders.HELPER not in it]
        meshes = [it for it in objects if it.type == "MESH"]
        if not meshes:
            self.report({"ERROR"}, "There are no meshes to prepare.")
            return {"CANCELLED"}
        done = [f"{it.name}: {word}" for it in meshes for word in self.prepare(it)]
        family = "W3D" if self.game in toolkit.W3D_GAMES else "MDX"
        if family == "W3D":
            done += shorten_names(objects)
        told = report.Report(f"{len(meshes)} meshes prepared for {self.game}")
        told.add("Changed", done)
        told.add("Left to do", list(export_checks.warnings(objects, self.game, family)))
        told.finish(self)
        return {"FINISHED"}

    def prepare(self, object):
        """Changes a mesh. Returns words about what was changed."""
        import bmesh

        if object.data.users > 1:
            object.data = object.data.copy()
        shape = bmesh.new()
        shape.from_mesh(object.data)
        many = [face for face in shape.faces if len(face.verts) > 3]
        if many:
            bmesh.ops.triangulate(shape, faces=many)
            shape.to_mesh(object.data)
            yield f"{len(many)} faces triangulated"
        shape.free()
        if object.parent is None and not object.children and any(abs(it - 1) > 1e-6 for it in object.scale):
            from mathutils import Matrix

            object.data.transform(Matrix.Diagonal((*object.scale, 1)))
            object.scale = (1, 1, 1)
            yield "scale applied"
        limited = _limit(object, _MAX_WEIGHTS.get(self.game, 4))
        if limited:
            yield f"weights of {limited} vertices limited"


def shorten_names(objects):
    """Names of meshes, empties and bones that are short enough for W3D. Returns messages about those that changed."""
    messages = []
    for object in objects:
        things = [object] if object.type in ("MESH", "EMPTY") else []
        things += object.data.bones if object.type == "ARMATURE" else []
        taken = {it.name.lower() for it in things} if object.type == "ARMATURE" else {it.name.lower() for it in bpy.data.objects}
        for thing in things:
            old = thing.name
            if len(old.encode()) <= export_checks.MAX_NAME:
                continue
            new = _short(old, taken)
            thing.name = new
            taken.add(new.lower())
            messages.append(f"{old}: is called {new} now, because names have at most {export_checks.MAX_NAME} characters")
    return messages


def _short(name, taken):
    most = export_checks.MAX_NAME
    for number in range(100):
        end = f"_{number}" if number else ""
        new = name.encode()[: most - len(end)].decode(errors="ignore") + end
        if new.lower() not in taken:
            return new
    return name


def _limit(object, most):
    """Keeps the largest weights of each vertex, and makes them sum to one."""
    count = 0
    for vertex in object.data.vertices:
        weights = sorted(((it.weight, it.group) for it in vertex.groups if it.weight > 0), reverse=True)
        if len(weights) <= most:
            continue
        total = sum(weight for weight, _ in weights[:most])
        for weight, group in weights[:most]:
            object.vertex_groups[group].add([vertex.index], weight / total, "REPLACE")
        for _, group in weights[most:]:
            object.vertex_groups[group].remove([vertex.index])
        count += 1
    return count


def add_menu(self, _context):
    self.layout.menu(MESHWRIGHT_MT_add.bl_idname, icon="MESH_DATA")


def object_menu(self, _context):
    self.layout.separator()
    self.layout.operator(MESHWRIGHT_OT_prepare.bl_idname)


CLASSES = (MESHWRIGHT_OT_starter, MESHWRIGHT_MT_add, MESHWRIGHT_OT_prepare)
