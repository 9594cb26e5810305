# SPDX-License-Identifier: GPL-3.0-or-later
"""The state in which a model is exported: at rest, with all parts shown, whichever clip and frame the user looks at.

Blender does not update the places of hidden objects, and the exporter writes objects below posed bones as they are at that moment.
"""

from contextlib import contextmanager

from . import holder as holders

_PARTS = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")


@contextmanager
def state(context, objects):
    scene = context.scene
    frame, subframe = scene.frame_current, scene.frame_subframe
    restore = []
    for object in objects:
        restore.append(_stop(object))
        if object.type == "ARMATURE":
            restore.append(_rest(object))
        restore.append(_show(object))
    scene.frame_set(0)
    context.view_layer.update()
    try:
        yield
    finally:
        for undo in reversed(restore):
            undo()
        scene.frame_set(frame, subframe=subframe)


def _stop(object):
    """No action plays."""
    data = object.animation_data
    if data is None:
        return lambda: None
    action, slot = data.action, getattr(data, "action_slot", None)
    playing = [track for track in data.nla_tracks if not track.mute]
    data.action = None
    for track in playing:
        track.mute = True

    def undo():
        for track in playing:
            track.mute = False
        if action is not None:
            data.action = action
            if slot is not None:
                data.action_slot = slot

    return undo


def _rest(armature):
    """The rest pose."""
    kept = {bone.name: [tuple(getattr(bone, name)) for name in _PARTS] for bone in armature.pose.bones}
    position = armature.data.pose_position
    armature.data.pose_position = "REST"
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()

    def undo():
        armature.data.pose_position = position
        for bone in armature.pose.bones:
            for name, value in zip(_PARTS, kept.get(bone.name, ())):
                setattr(bone, name, value)

    return undo


def _show(object):
    """All parts are shown."""
    kept = {name: object[name] for name in object.keys() if name.startswith(holders.SHOW)}
    for name in kept:
        object[name] = True
    if kept:
        object.update_tag()

    def undo():
        for name, value in kept.items():
            object[name] = value
        if kept:
            object.update_tag()

    return undo
