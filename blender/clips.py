# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips: one track of the NLA for each, with the name of the game. The names of tracks are the same in all versions of Blender."""

import math

GLOBAL = "global "


def names(holder, objects):
    """The names of the clips, in the order of the tracks."""
    found = {}
    for object in [holder, *objects]:
        data = object.animation_data
        for track in data.nla_tracks if data else ():
            if track.strips and not track.name.startswith(GLOBAL):
                found[track.name] = None
    return list(found)


def strip(object, clip):
    """The strip of a clip on an object."""
    data = object.animation_data
    for track in data.nla_tracks if data else ():
        if track.name == clip and track.strips:
            return track.strips[0]
    return None


def assign(object, strip):
    """Makes the action of a strip the active one."""
    data = object.animation_data
    data.action = strip.action
    if hasattr(data, "action_slot"):
        data.action_slot = strip.action_slot


def play(scene, holder, objects, clip):
    """Shows a clip: the actions of all objects, and the range of the scene."""
    end = 0.0
    for object in objects:
        found = strip(object, clip)
        if found is not None:
            assign(object, found)
            end = max(end, found.action.frame_range[1])
        elif object.animation_data is not None:
            object.animation_data.action = None
    scene.frame_start = 0
    scene.frame_end = max(1, math.ceil(end - 1e-3))


def ensure(object, clip):
    """The action of a clip on an object, and its slot. Both are created if the importer found nothing to animate there."""
    import bpy

    found = strip(object, clip)
    if found is not None:
        return found.action, getattr(found, "action_slot", None)
    data = object.animation_data or object.animation_data_create()
    action = bpy.data.actions.new(clip)
    slot = None
    if hasattr(action, "slots"):
        slot = action.slots.new(object.id_type, object.name)
    else:
        action.id_root = "OBJECT"
    track = data.nla_tracks.new()
    track.name = clip
    added = track.strips.new(clip, 0, action)
    if slot is not None:
        added.action_slot = slot
    track.mute = True
    return action, slot


def curve(action, slot, path, index=0):
    """A new curve of an action; an existing one is replaced."""
    curves = curves_of(action, slot)
    old = curves.find(path, index=index)
    if old is not None:
        curves.remove(old)
    return curves.new(path, index=index)


def curves_of(action, slot):
    """The curves of an action for one object."""
    if slot is None:
        # An action of Blender 4.2, or one without anything in it.
        return getattr(action, "fcurves", ())
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves


def keep_running(object):
    """Plays what runs in the game whichever clip plays, such as the sails of a mill."""
    data = object.animation_data
    for track in data.nla_tracks if data else ():
        if track.name.startswith(GLOBAL) and track.strips:
            length = max(1e-3, track.strips[0].action_frame_end - track.strips[0].action_frame_start)
            track.strips[0].repeat = min(1000.0, max(1.0, 10_000.0 / length))
            track.strips[0].extrapolation = "NOTHING"
            track.mute = False
