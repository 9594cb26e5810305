# SPDX-License-Identifier: GPL-3.0-or-later
"""Building a scene of a model: through GLB and Blender's own importer, so that it works in every version that has one."""

import os
import tempfile

import bpy

from . import bones, clips, glb, helpers, holder as holders, materials, visibility

DEFAULT_RATE = 30.0
_SETTINGS = {
    # The only heuristic whose bones come back with the same axes.
    "bone_heuristic": "BLENDER",
    "guess_original_bind_pose": False,
    "import_shading": "NORMALS",
    "disable_bone_shape": True,
    "import_pack_images": True,
    "merge_vertices": False,
    "import_scene_extras": True,
    "import_select_created_objects": True,
    "import_scene_as_collection": False,
    "import_merge_material_slots": False,
}
_DATA = ("objects", "collections", "actions", "materials", "images", "meshes")


def add(context, loaded, show_helpers=True, as_game=True):
    """Imports a model. Returns its holder and messages."""
    messages = []
    scene = context.scene
    extras = loaded.extras
    if not has_content(loaded.document):
        raise ValueError("the file has no meshes, bones or clips")
    if give_armature(loaded.document):
        loaded.glb = glb.write(loaded.document, loaded.binary)
    _set_rate(scene, extras, messages)
    before = {kind: set(getattr(bpy.data, kind)) for kind in _DATA}
    scene_properties = dict(scene.items())
    try:
        _import(loaded)
    except RuntimeError:
        for item in _new(before)["objects"]:
            bpy.data.objects.remove(item)
        raise
    new = _new(before)
    _restore_properties(scene, scene_properties)
    objects = new["objects"]
    if not objects:
        raise ValueError("the model has nothing that Blender can show")
    holder = _holder(objects)
    collection = _collect(context, loaded.name, objects, new["collections"])
    collection[holders.FACTS] = holder.name_full
    meshes = _by_mesh(objects)
    shown = visibility.build(scene, holder, meshes, loaded)
    size = _size(loaded.document)
    rate = scene.render.fps / scene.render.fps_base
    for item in new["materials"]:
        materials.build(item, loaded, as_game)
    if show_helpers:
        _add_helpers(collection, holder, loaded, size, rate, objects)
    for object in objects:
        clips.keep_running(object)
    facts = _facts(loaded, holder, objects, rate)
    holders.keep(holder, loaded.data, {**facts, "shown": shown, "points": show_helpers, "absent": loaded.absent})
    _start(scene, holder, objects, extras)
    return holder, messages


def _new(before):
    """What is in the file now, and was not before."""
    return {kind: [item for item in getattr(bpy.data, kind) if item not in before[kind]] for kind in _DATA}


def has_content(document):
    """Whether there is more than an empty root."""
    nodes = document.get("nodes", ())
    named = any(glb.extras(node).get("name", node["name"]) for node in nodes if glb.extras(node))
    return named or bool(document.get("meshes") or document.get("animations"))


def give_armature(document):
    """A skin of all nodes but the root makes Blender create an armature for models without one. Returns whether it was needed."""
    nodes = document.get("nodes", [])
    roots = set(document["scenes"][0].get("nodes", ()))
    inner = [index for index in range(len(nodes)) if index not in roots]
    joints = {joint for skin in document.get("skins", ()) for joint in skin["joints"]}
    named = [index for index in inner if "index" in glb.extras(nodes[index])]
    if not named or joints:
        return False
    document.setdefault("skins", []).append({"name": "All nodes", "joints": named})
    return True


def _import(loaded):
    available = bpy.ops.import_scene.gltf.get_rna_type().properties.keys()
    settings = {name: value for name, value in _SETTINGS.items() if name in available}
    with tempfile.TemporaryDirectory(prefix="meshwright-") as folder:
        path = os.path.join(folder, "model.glb")
        with open(path, "wb") as file:
            file.write(loaded.glb)
        bpy.ops.import_scene.gltf(filepath=path, **settings)


def _set_rate(scene, extras, messages):
    """The frame rate of the model, unless the scene has animations already: they would play at another speed."""
    rates = [clip.get("frame_rate") for clip in (extras.get("clips") or {}).values()]
    rate = max((rate for rate in rates if rate), default=DEFAULT_RATE)
    now = scene.render.fps / scene.render.fps_base
    if abs(now - rate) > 1e-3:
        if any(holders.FACTS in object for object in scene.objects) or bpy.data.actions:
            messages.append(f"The scene keeps {now:g} frames per second; this model has {rate:g}.")
        else:
            scene.render.fps = max(1, round(rate))
            scene.render.fps_base = scene.render.fps / rate
    # Actions begin at frame 0, and the importer puts strips at the start of the scene.
    scene.frame_start = 0
    scene.frame_set(0)


def _restore_properties(scene, before):
    """The importer adds the extras of the model to the scene. The holder has what is needed of them."""
    for name in [name for name in scene.keys() if name not in before]:
        if name == "meshwright":
            del scene[name]


def _holder(objects):
    armatures = [object for object in objects if object.type == "ARMATURE"]
    if armatures:
        return armatures[0]
    roots = [object for object in objects if object.parent is None]
    return next((object for object in roots if object.type == "EMPTY"), roots[0])


def _collect(context, name, objects, imported):
    """Puts the objects into a collection of their own."""
    collection = bpy.data.collections.new(name)
    parent = context.collection if context.collection is not None else context.scene.collection
    if any(parent == it or parent in it.children_recursive for it in bpy.data.collections if holders.FACTS in it):
        # Not inside another model.
        parent = context.scene.collection
    parent.children.link(collection)
    for object in objects:
        for other in list(object.users_collection):
            other.objects.unlink(object)
        collection.objects.link(object)
    for other in imported:
        if not other.objects and not other.children:
            bpy.data.collections.remove(other)
    _make_active(context, collection)
    return collection


def _make_active(context, collection):
    """What people add next belongs to the model."""
    todo = [context.view_layer.layer_collection]
    while todo:
        layer = todo.pop()
        if layer.collection == collection:
            context.view_layer.active_layer_collection = layer
            return
        todo.extend(layer.children)


def _by_mesh(objects):
    found = {}
    for object in objects:
        extras = object.data.get("meshwright") if object.type == "MESH" else None
        if extras is not None and "id" in extras:
            found[extras["id"]] = object
    return found


def _add_helpers(collection, holder, loaded, size, rate, objects):
    inner = bpy.data.collections.new(f"{loaded.name} points")
    count = helpers.build(holder, inner, loaded.document, loaded.extras, size, rate, objects)
    if count:
        collection.children.link(inner)
    else:
        bpy.data.collections.remove(inner)


def _size(document):
    """The diagonal of all meshes, from the bounds of their positions."""
    low, high = [1e30] * 3, [-1e30] * 3
    for mesh in document.get("meshes", ()):
        for part in mesh["primitives"]:
            accessor = document["accessors"][part["attributes"]["POSITION"]]
            low = [min(a, b) for a, b in zip(low, accessor.get("min", low))]
            high = [max(a, b) for a, b in zip(high, accessor.get("max", high))]
    return max(1e-6, sum(max(0.0, b - a) ** 2 for a, b in zip(low, high)) ** 0.5)


def _facts(loaded, holder, objects, rate):
    actions = {}
    for object in objects:
        data = object.animation_data
        for track in data.nla_tracks if data else ():
            if track.strips and track.strips[0].action is not None:
                actions[track.strips[0].action.name] = track.name
    return {
        "name": loaded.name,
        "path": os.path.abspath(loaded.path),
        "format": loaded.format,
        "family": loaded.family,
        "game": loaded.game,
        "chosen_game": loaded.chosen_game or None,
        "options": loaded.options,
        "actions": actions,
        "rate": rate,
        "bones": bones.rests(holder),
    }


def _start(scene, holder, objects, extras):
    """Begins with the Stand clip, as the games do."""
    names = clips.names(holder, objects)
    if not names:
        return
    known = extras.get("clips") or {}
    names.sort(key=lambda name: (known.get(name) or {}).get("index", len(known)))
    is_stand = [lambda name: name.lower() == "stand", lambda name: name.lower().startswith("stand")]
    stand = next((name for test in is_stand for name in names if test(name)), names[0])
    clips.play(scene, holder, objects, stand)
