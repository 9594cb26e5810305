# SPDX-License-Identifier: GPL-3.0-or-later
"""Warnings about what an export would lose silently."""

from . import clips, holder as holders

_TOLERANCE = 1e-4
MAX_NAME = 15
_INFLUENCES = {"renegade": 1, "generals": 1, "zero-hour": 1, "tt5": 1, "bfme1": 2, "bfme2": 2}


def warnings(objects, game, family):
    """Messages about the objects of a model, before it is written."""
    found = []
    for object in objects:
        if object.type == "ARMATURE":
            found += _euler_bones(object)
            found += _unstashed(object)
            found += _scale(object)
        if object.type == "MESH":
            found += _scale(object)
            found += _influences(object, _INFLUENCES.get(game, 4))
        if family == "W3D" and object.type in ("MESH", "EMPTY") and holders.HELPER not in object:
            found += _name(object)
    return found


def left_out(scene, members, layer_objects):
    """Meshes that are in no model: people may have added them to the wrong collection. And parts that are switched off."""
    known = {object.name_full for object in members}
    for object in members:
        if object.name not in layer_objects and holders.HELPER not in object:
            yield f"{object.name}: its collection is switched off, so it is removed from the model."
    for object in scene.objects:
        if object.type == "MESH" and object.name_full not in known and holders.of(object) is None and not _is_in_model(object):
            yield f"{object.name}: is not exported. Move it into the collection of the model."


def _is_in_model(object):
    return any(holders.FACTS in collection for collection in object.users_collection)


def _euler_bones(armature):
    """The exporter drops the rotation of bones whose mode is not the one of their curves."""
    rotated = set()
    data = armature.animation_data
    for track in data.nla_tracks if data else ():
        for strip in track.strips:
            if strip.action is not None:
                rotated |= _quaternion_bones(strip.action, getattr(strip, "action_slot", None))
    for bone in armature.pose.bones:
        if bone.rotation_mode != "QUATERNION" and bone.name in rotated:
            yield f"{bone.name}: its rotation is lost. Set the rotation mode of the bone to Quaternion."


def _quaternion_bones(action, slot):
    curves = clips.curves_of(action, slot)
    paths = [curve.data_path for curve in curves if curve.data_path.endswith(".rotation_quaternion")]
    return {path.split('"')[1] for path in paths if path.count('"') >= 2}


def _unstashed(armature):
    """An action that is only the active one has no track, and the exporter would give it another name."""
    data = armature.animation_data
    if data is None or data.action is None:
        return
    stashed = {strip.action for track in data.nla_tracks for strip in track.strips}
    if data.action not in stashed:
        yield f"{data.action.name}: the action is exported as a new clip of that name."


def _scale(object):
    if any(value < 0 for value in object.scale):
        yield f"{object.name}: its scale is negative. Apply the scale (Ctrl+A)."
    elif object.parent is None and any(abs(value - 1.0) > _TOLERANCE for value in object.scale):
        yield f"{object.name}: its scale is not 1. Apply the scale (Ctrl+A)."


def _influences(object, most):
    worst = max((sum(1 for it in vertex.groups if it.weight > 0) for vertex in object.data.vertices), default=0)
    if worst > max(most, 4):
        yield f"{object.name}: a vertex has {worst} bones; 4 are exported. Limit the total of its weights."


def _name(object):
    name = object.name
    if len(name.encode()) > MAX_NAME:
        yield f"{name}: names have at most {MAX_NAME} characters in W3D."
