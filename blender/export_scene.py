# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing a scene: through Blender's own exporter and our reader, onto the original file or as a new one."""

import os
import re
import tempfile

import bpy

from . import bones, export_checks, glb, helpers, holder as holders, neutral, toolkit, visibility

# With these settings keys, names and rest poses come back exactly, whatever the user's own settings are.
_SETTINGS = {
    "export_format": "GLB",
    "export_extras": True,
    "export_yup": True,
    "export_animation_mode": "ACTIONS",
    "export_animations": True,
    "export_force_sampling": False,
    "export_optimize_animation_size": False,
    "export_rest_position_armature": True,
    "export_anim_single_armature": False,
    "export_reset_pose_bones": True,
    "export_negative_frame": "SLIDE",
    "export_frame_range": False,
    "export_all_influences": True,
    "export_def_bones": False,
    "export_cameras": True,
    "export_lights": True,
    "export_skins": True,
    "export_materials": "EXPORT",
    "export_image_format": "AUTO",
    "export_draco_mesh_compression_enable": False,
    "export_texcoords": True,
    "export_normals": True,
    "export_tangents": False,
    "export_all_vertex_colors": True,
    "export_leaf_bone": False,
    "export_armature_object_remove": False,
    "export_hierarchy_flatten_bones": False,
    "export_hierarchy_flatten_objs": False,
    "export_hierarchy_full_collections": False,
    "export_bake_animation": False,
    "export_merge_animation": "ACTION",
    "export_gn_mesh": False,
    "export_gpu_instances": False,
    "export_try_sparse_sk": False,
    "export_import_convert_lighting_mode": "SPEC",
    "use_selection": False,
    "use_visible": False,
    "use_renderable": False,
    "use_active_collection": False,
    "use_active_scene": True,
    "at_collection_center": False,
    "will_save_settings": False,
    "check_existing": False,
}
_NUMBER = re.compile(r"\.\d{3}$")


def glb_of(context, objects):
    """The objects as GLB, read into JSON and binary."""
    stash_active(objects)
    give_slots(objects)
    scene = context.scene
    available = bpy.ops.export_scene.gltf.get_rna_type().properties.keys()
    settings = {name: value for name, value in _SETTINGS.items() if name in available}
    settings["export_apply"] = any(_has_modifiers(object) for object in objects)
    kept = dict(scene.items())
    with neutral.state(context, objects), tempfile.TemporaryDirectory(prefix="meshwright-") as folder:
        collection = bpy.data.collections.new("Meshwright export")
        scene.collection.children.link(collection)
        try:
            for object in objects:
                collection.objects.link(object)
            path = os.path.join(folder, "model.glb")
            bpy.ops.export_scene.gltf(filepath=path, collection=collection.name, **settings)
            with open(path, "rb") as file:
                return glb.read(file.read())
        finally:
            bpy.data.collections.remove(collection)
            for name in [name for name in scene.keys() if name not in kept]:
                del scene[name]


def _has_modifiers(object):
    return object.type == "MESH" and any(modifier.type != "ARMATURE" for modifier in object.modifiers)


def stash_active(objects):
    """Gives active actions that have no track one: the exporter ignores others."""
    for object in objects:
        data = object.animation_data
        if data is None or data.action is None:
            continue
        stashed = {strip.action for track in data.nla_tracks for strip in track.strips}
        if data.action in stashed:
            continue
        track = data.nla_tracks.new()
        track.name = data.action.name
        strip = track.strips.new(data.action.name, 0, data.action)
        if hasattr(strip, "action_slot") and data.action_slot is not None:
            strip.action_slot = data.action_slot
        track.mute = True


def give_slots(objects):
    """Blender's exporter fails on strips of actions that have nothing in them, not even a slot."""
    for object in objects:
        data = object.animation_data
        for track in data.nla_tracks if data else ():
            for strip in track.strips:
                action = strip.action
                if action is None or not hasattr(strip, "action_slot") or strip.action_slot is not None:
                    continue
                usable = [slot for slot in action.slots if slot.target_id_type in (object.id_type, "UNSPECIFIED")]
                strip.action_slot = usable[0] if usable else action.slots.new(object.id_type, object.name)


def clip_names(objects, facts):
    """For each name that the exporter gives an animation the name of the clip."""
    imported = facts["actions"] if facts else {}
    names = {}
    for object in objects:
        data = object.animation_data
        for track in data.nla_tracks if data else ():
            for strip in track.strips:
                action = strip.action
                if action is None:
                    continue
                name = track.name
                if action.name not in imported and track.name in imported.values() and bpy.app.version >= (4, 4, 0):
                    # The action was renamed, the track was not.
                    name = action.name
                names[action.name] = _NUMBER.sub("", name) if name not in imported.values() else name
    return names


def clean(document, names, extras):
    """Removes what only this extension needs, and restores what Blender cannot keep."""
    for animation in document.get("animations", ()):
        animation["name"] = names.get(animation["name"], animation["name"])
    for node in document.get("nodes", ()):
        own = node.get("extras") or {}
        for name in [name for name in own if name.startswith((holders.SHOW, "meshwright_"))]:
            del own[name]
    scene = document["scenes"][0]
    if extras:
        scene["extras"] = extras
    else:
        scene.pop("extras", None)


def without_motion(document, names, facts):
    """Blender's exporter writes no action that moves nothing, such as one that only shows and hides parts."""
    written = {animation["name"] for animation in document.get("animations", ())}
    known = set(facts["actions"].values())
    lost = sorted({name for name in names.values() if name not in written and name not in known})
    return [f"{name}: the clip moves no bone, and is not exported." for name in lost]


def restore_rests(document, original, kept):
    """Gives the bones in `kept` the exact transforms of the original: Blender's bones turn by up to a hundredth of a degree."""
    sources = {glb.extras(node).get("index"): node for node in original.get("nodes", ())}
    joints = {joint for skin in document.get("skins", ()) for joint in skin["joints"]}
    for index in joints:
        # A mesh or light on a bone is a node of the same name, but no joint.
        node = document["nodes"][index]
        source = sources.get(glb.extras(node).get("index"))
        if source is None or node["name"] not in kept:
            continue
        for name in ("translation", "rotation", "scale", "matrix"):
            node.pop(name, None)
            if name in source:
                node[name] = source[name]


class Prepared:
    """A model that is converted, but not written."""

    def __init__(self):
        self.files, self.edits, self.notes, self.warnings = [], [], [], []
        self.unchanged = False


def onto_original(context, holder, path, places, companions=False):
    """The original file of a model with the changes of the scene. With `companions`, files beside it that have its skeleton and clips change too."""
    facts, original = holders.facts(holder), holders.original(holder)
    prepared = Prepared()
    members = holders.members(holder)
    objects = [object for object in holders.parts(holder) if object.name in context.view_layer.objects]
    prepared.warnings = list(export_checks.warnings(objects, facts["game"], facts["family"]))
    source = toolkit.source_document(original, facts["path"], places, facts["options"])
    prepared.warnings += export_checks.left_out(context.scene, members, context.view_layer.objects)
    points = [object for object in members if holders.HELPER in object]
    changes = helpers.changes(points, source, facts.get("points", bool(points)))
    document, binary = glb_of(context, objects)
    names = clip_names(objects, facts)
    extras = source["scenes"][0].get("extras")
    restore_rests(document, source, bones.unchanged(holder, facts.get("bones") or {}))
    absent = facts.get("absent") or []
    leave_out(extras, absent)
    binary = helpers.write(document, binary, changes, facts["rate"], extras)
    clean(document, names, extras)
    prepared.warnings += changes.warnings
    shown = _shown(holder, objects, facts, extras)
    prepared.warnings += without_motion(document, names, facts)
    applied = toolkit.apply(
        original, facts["path"], glb.write(document, binary), places, facts["options"], shown, absent, companions
    )
    prepared.edits = list(applied.edits)
    prepared.notes = [str(note) for note in applied.notes]
    prepared.unchanged = not applied.edits
    same_format = path.lower().endswith("." + facts["format"])
    data = original if prepared.unchanged and same_format else toolkit.bytes_of(applied.model, path)
    folder = os.path.dirname(path)
    others = [
        (os.path.join(folder, os.path.basename(name)), model.to_bytes()) for name, model in applied.companions.items()
    ]
    prepared.files = [(path, data), *others]
    return prepared


def leave_out(extras, absent):
    """Removes clips that were not imported from the extras of the scene."""
    own = (extras or {}).get("meshwright") or {}
    clips = own.get("clips") or {}
    for name in [name for name, facts in clips.items() if facts["index"] in absent]:
        del clips[name]


def _shown(holder, objects, facts, extras):
    """The parts that are shown at other times than before: name and number of the clip, number of the mesh, keys."""
    clips_of_source = ((extras or {}).get("meshwright") or {}).get("clips") or {}
    found = visibility.changed(holder, by_mesh(objects), facts.get("shown") or {}, facts["rate"])
    rows = []
    for clip, mesh, keys in found:
        known = clips_of_source.get(clip) or {}
        rows.append((known.get("name", clip), known.get("index"), mesh, keys))
    return rows


def by_mesh(objects):
    """The objects by the number of their mesh in the original."""
    found = {}
    for object in objects:
        extras = object.data.get("meshwright") if object.type == "MESH" else None
        if extras is not None and "id" in extras:
            found.setdefault(extras["id"], object)
    return found


def as_new(context, objects, path, game, split, write_textures):
    """A new file made of objects."""
    prepared = Prepared()
    family = "W3D" if path.lower().endswith(".w3d") else "MDX"
    prepared.warnings = list(export_checks.warnings(objects, game, family))
    document, binary = glb_of(context, objects)
    clean(document, clip_names(objects, None), None)
    options = {}
    if family == "W3D":
        options.update(profile=game, split=split)
    else:
        options["to_version"] = toolkit.MDX_VERSIONS[game]
    if write_textures:
        options["write_textures"] = ""
    made = toolkit.author(glb.write(document, binary), path, options)
    folder = os.path.dirname(path)
    main = os.path.join(folder, made.renamed) if made.renamed else path
    prepared.files = [(main, made.data), *((os.path.join(folder, name), data) for name, data in made.files.items())]
    prepared.notes = [str(note) for note in made.notes]
    prepared.edits = ["new file"]
    return prepared
