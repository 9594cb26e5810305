# SPDX-License-Identifier: GPL-3.0-or-later
"""Attachment points, collision shapes, emitters, lights and events as empties, with properties that people can read.

They show what the model has. They are not exported: the original file keeps these parts.
"""

from . import holder as holders

# The list in the extras of a node, a word for people, and the shape of the empty.
_KINDS = (
    ("attachments", "Attachment", "PLAIN_AXES"),
    ("collision_shapes", "Collision", "CUBE"),
    ("emitters", "Emitter", "CONE"),
    ("ribbons", "Ribbon", "SINGLE_ARROW"),
    ("events", "Event", "CIRCLE"),
    ("sounds", "Sound", "SPHERE"),
    ("dazzles", "Flare", "CIRCLE"),
)


def build(armature, collection, document, extras_of, size, rate):
    """Adds an empty for each object on a node. Returns how many."""
    import bpy

    count = 0
    for node in document.get("nodes", []):
        extras = extras_of(node)
        for list_name, word, shape in _KINDS:
            for item in extras.get(list_name) or ():
                empty = bpy.data.objects.new(f"{word} {node['name']}", None)
                empty[holders.HELPER] = word
                empty.empty_display_type = shape
                empty.empty_display_size = _extent(item, size)
                collection.objects.link(empty)
                _attach(empty, armature, node["name"])
                for name, value in _readable(item, rate):
                    empty[name] = value
                count += 1
    return count


def _attach(empty, armature, node):
    empty.parent = armature
    bone = armature.data.bones.get(node) if armature.type == "ARMATURE" else None
    if bone is not None:
        empty.parent_type = "BONE"
        empty.parent_bone = bone.name
        # Children of bones start at the tail.
        empty.location = (0.0, -bone.length, 0.0)


def _extent(item, size):
    radius = _find(item, "radius")
    return radius if isinstance(radius, (int, float)) and radius > 0 else size * 0.03


def _find(item, key):
    if isinstance(item, dict):
        if key in item:
            return item[key]
        for value in item.values():
            found = _find(value, key)
            if found is not None:
                return found
    return None


def _readable(item, rate, prefix=""):
    """Names and plain values; seconds of events also as frames."""
    for key, value in item.items():
        name = (prefix + key.replace("_", " ")).strip()
        if key in ("id", "node", "layer") or value is None:
            continue
        if isinstance(value, (bool, int, float, str)):
            yield name[:60], value if not isinstance(value, int) or abs(value) < 2**31 else str(value)
        elif isinstance(value, dict):
            yield from _readable(value, rate, prefix)
        elif isinstance(value, list) and value and all(isinstance(it, (int, float)) for it in value):
            if key == "times":
                yield "frames", [time * rate for time in value[:64]]
            elif len(value) <= 64:
                yield name[:60], [float(it) for it in value]
