# SPDX-License-Identifier: GPL-3.0-or-later
"""Attachment points, collision shapes, emitters and events as empties, with properties that people can read and change.

At the export, what was changed goes into the extras of the GLB, in the words that the library reads. What cannot be exported is a warning.
"""

import json

from . import glb, holder as holders

# The list in the extras of a node, a word for people, and the shape of the empty.
KINDS = (
    ("attachments", "Attachment", "PLAIN_AXES"),
    ("collision_shapes", "Collision", "CUBE"),
    ("emitters", "Emitter", "CONE"),
    ("ribbons", "Ribbon", "SINGLE_ARROW"),
    ("events", "Event", "CIRCLE"),
    ("sounds", "Sound", "SPHERE"),
    ("dazzles", "Flare", "CIRCLE"),
)
OBJECT = "meshwright_object"
FRAMES = "frames in "
# Texts that people may change; others are one of a few words.
_FREE_TEXTS = {"name", "path", "visibility_guide"}
_HIDDEN = {"id", "node", "layer", "look", "texture", "material", "replaceable", "global"}
_MAX_NUMBERS = 256
_MOVED = 1e-4


def build(armature, collection, document, extras, size, rate, objects):
    """Adds an empty for each object on a node. `objects` are the imported ones. Returns how many."""
    import bpy

    count = 0
    nodes = {it["meshwright"]["index"]: it for it in objects if "index" in (it.get("meshwright") or ())}
    events = _event_frames(extras, rate)
    for node in document.get("nodes", []):
        own = glb.extras(node)
        for list_name, word, shape in KINDS:
            for item in own.get(list_name) or ():
                empty = bpy.data.objects.new(f"{word} {node['name']}", None)
                empty[holders.HELPER] = word
                empty.empty_display_type = shape
                collection.objects.link(empty)
                placed = _place(empty, armature, node["name"], nodes.get(own.get("index")), item, size)
                for name, (_, value) in _readable(item, list_name).items():
                    empty[name] = value
                frames = events.get(item.get("id"), {}) if list_name == "events" else {}
                for clip, text in frames.items():
                    empty[FRAMES + clip] = text
                facts = {"node": own.get("index"), "list": list_name, "item": item, "frames": frames, "place": placed}
                empty[OBJECT] = json.dumps(facts)
                count += 1
    return count


def _event_frames(extras, rate):
    """For each event the frames at which it happens in each clip, as text."""
    found = {}
    for clip, facts in (extras.get("clips") or {}).items():
        for key in facts.get("events") or ():
            found.setdefault(key["event"], {}).setdefault(clip, []).append(key["time"] * rate)
    return {event: {clip: ", ".join(map(_number, times)) for clip, times in clips.items()} for event, clips in found.items()}


def _number(value):
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _place(empty, armature, node, object, item, size):
    """Puts an empty on its bone, and gives it the shape of what it stands for. Returns its place, to find out whether it was moved."""
    from mathutils import Matrix

    bone = armature.data.bones.get(node) if armature.type == "ARMATURE" else None
    # Nodes that are not bones are objects.
    empty.parent = armature if bone is not None or object is None else object
    tail = Matrix.Identity(4)
    if bone is not None:
        empty.parent_type = "BONE"
        empty.parent_bone = bone.name
        # Children of bones start at the tail.
        tail = Matrix.Translation((0.0, -bone.length, 0.0))
    center, half, shape = shape_of(item)
    if shape is not None:
        empty.empty_display_type = shape
        empty.empty_display_size = 1.0
        empty.matrix_basis = tail @ Matrix.Translation(_to_blender(empty, center)) @ Matrix.Diagonal((*_sizes(empty, half), 1.0))
    else:
        radius = _find(item, "radius")
        empty.empty_display_size = radius if isinstance(radius, (int, float)) and radius > 0 else size * 0.03
        empty.matrix_basis = tail
    return [number for row in empty.matrix_basis for number in row]


def shape_of(item):
    """Centre, half the size and the shape of the empty for a box or a sphere; nothing for others."""
    shape = item.get("shape") if isinstance(item, dict) else None
    if isinstance(shape, dict) and "Box" in shape:
        low, high = shape["Box"]["min"], shape["Box"]["max"]
        return [(a + b) / 2 for a, b in zip(low, high)], [(b - a) / 2 for a, b in zip(low, high)], "CUBE"
    if isinstance(shape, dict) and "Sphere" in shape:
        return shape["Sphere"]["center"], [shape["Sphere"]["radius"]] * 3, "SPHERE"
    return None, None, None


def _is_on_bone(empty):
    return empty.parent is not None and empty.parent_type == "BONE"


def _to_blender(empty, vector):
    """A place in the space of a node. Bones have the axes of the file; other objects have those of Blender."""
    x, y, z = vector
    return (x, y, z) if _is_on_bone(empty) else (x, -z, y)


def _sizes(empty, half):
    return [max(abs(it), 1e-6) for it in _to_blender(empty, half)]


def _from_blender(empty, vector):
    x, y, z = vector
    return [x, y, z] if _is_on_bone(empty) else [x, z, -y]


def _find(item, key):
    if isinstance(item, dict):
        if key in item:
            return item[key]
        for value in item.values():
            found = _find(value, key)
            if found is not None:
                return found
    return None


def _readable(item, list_name):
    """For each property its place in the item and its value. A name that several have begins with the name above it."""
    # Most names are those of bones, which are renamed there.
    leaves = [(path, value) for path, value in _leaves(item, ()) if path != ("name",) or list_name == "events"]
    counts = {}
    for path, _ in leaves:
        counts[path[-1]] = counts.get(path[-1], 0) + 1
    found = {}
    for path, value in leaves:
        words = path[-1:] if counts[path[-1]] == 1 else path[-2:]
        found[" ".join(words).replace("_", " ")[:60]] = (path, value)
    return found


def _leaves(item, path):
    for key, value in item.items():
        if key in _HIDDEN or value is None:
            continue
        if isinstance(value, bool) or isinstance(value, (float, str)):
            yield (*path, key), value
        elif isinstance(value, int):
            yield (*path, key), value if abs(value) < 2**31 else str(value)
        elif isinstance(value, dict):
            yield from _leaves(value, (*path, key))
        elif isinstance(value, list):
            numbers = _flat(value)
            if numbers and len(numbers) <= _MAX_NUMBERS:
                yield (*path, key), numbers


def _flat(value):
    """All numbers of nested lists; nothing if there is anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return [float(value)]
    if not isinstance(value, list):
        return None
    parts = [_flat(it) for it in value]
    return None if any(part is None for part in parts) else [number for part in parts for number in part]


def _shaped(like, numbers):
    """Numbers in the shape of nested lists."""
    if isinstance(like, list):
        return [_shaped(it, numbers) for it in like]
    value = next(numbers)
    return int(round(value)) if isinstance(like, int) else value


class Changes:
    """What people changed on the empties of a model."""

    def __init__(self):
        self.warnings = []
        self.lists = {}
        """For each node, by its index: the lists that changed."""
        self.frames = {}
        """For each event: the texts of the clips whose frames changed."""
        self.moves = {}
        """For each node: how far it was moved, in the space of the node."""

    def __bool__(self):
        return bool(self.lists or self.frames or self.moves)


def changes(objects, document, was_shown):
    """Compares the empties of a model with what was imported. `document` is the JSON of the import; `was_shown` says whether there were any."""
    found = Changes()
    known = {}
    for node in document.get("nodes", ()):
        own = glb.extras(node)
        for list_name, _, _ in KINDS:
            for item in own.get(list_name) or ():
                known[(list_name, item["id"])] = (own.get("index"), item)
    users = _users(document)
    now, seen = {}, set()
    for empty in objects:
        facts = json.loads(empty[OBJECT]) if isinstance(empty.get(OBJECT), str) else None
        if facts is None:
            found.warnings.append(f"{empty.name}: is not exported, because it was not imported with the model.")
            continue
        key = (facts["list"], facts["item"]["id"])
        if key in seen:
            found.warnings.append(f"{empty.name}: copies are not exported. Duplicate the bone in a new model, or use the original.")
            continue
        if key not in known:
            continue
        seen.add(key)
        node, item = known[key]
        edited = json.loads(json.dumps(item))
        is_changed = _changed_values(empty, edited, facts["list"], found.warnings)
        is_changed |= _moved(empty, facts, item, edited, node, users, found)
        if facts["list"] == "events":
            _changed_frames(empty, facts, key[1], found)
        if is_changed:
            now[key] = edited
    if seen:
        _gather(known, now, seen, found)
    elif known and was_shown:
        # Somebody cleaned up the view.
        found.warnings.append("All points of the model were deleted. They stay in the file; delete single ones to remove them.")
    return found


def _gather(known, now, seen, found):
    """The lists of nodes in which something changed or is gone."""
    touched = set()
    for key, (node, _) in known.items():
        if key in now or key not in seen:
            touched.add((node, key[0]))
    for node, list_name in touched:
        items = [
            now.get(key, item) for key, (own, item) in known.items() if own == node and key[0] == list_name and key in seen
        ]
        found.lists.setdefault(node, {})[list_name] = items


def _users(document):
    """For each node, by its index: why it cannot be moved alone."""
    nodes = document.get("nodes", [])
    found = {}
    weighted = {joint for skin in document.get("skins", ()) for joint in skin["joints"]} if _has_skins(document) else set()
    for place, node in enumerate(nodes):
        index = glb.extras(node).get("index")
        children = [nodes[child] for child in node.get("children", ())]
        if "mesh" in node or any("mesh" in child for child in children):
            found[index] = "a mesh is on it"
        elif children:
            found[index] = "other bones are below it"
        elif place in weighted and glb.extras(node).get("bone"):
            found[index] = "it moves vertices"
    return found


def _has_skins(document):
    return any("skin" in node for node in document.get("nodes", ()))


def _changed_values(empty, edited, list_name, warnings):
    """Writes changed properties into the item. Returns whether there are any."""
    is_changed = False
    for name, (path, value) in _readable(edited, list_name).items():
        if name not in empty:
            continue
        wanted = empty[name]
        wanted = list(wanted) if hasattr(wanted, "__len__") and not isinstance(wanted, str) else wanted
        if _is_same(value, wanted):
            continue
        if isinstance(value, str) and path[-1] not in _FREE_TEXTS and path != ("kind",):
            warnings.append(f"{empty.name}: \"{name}\" cannot be changed, and stays {value}.")
            continue
        place = edited
        for key in path[:-1]:
            place = place[key]
        old = place[path[-1]]
        try:
            place[path[-1]] = _as(old, wanted)
        except (TypeError, ValueError, StopIteration):
            warnings.append(f"{empty.name}: \"{name}\" has another type or length than before, and stays as it was.")
            continue
        is_changed = True
    return is_changed


def _as(old, wanted):
    """A value with the type of the old one."""
    if isinstance(old, list):
        numbers = [float(it) for it in wanted]
        if len(numbers) != len(_flat(old)):
            raise ValueError
        return _shaped(old, iter(numbers))
    if isinstance(old, bool):
        return bool(wanted)
    if isinstance(old, int):
        return int(wanted)
    return float(wanted) if isinstance(old, float) else str(wanted)


def _is_same(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_is_same(x, y) for x, y in zip(a, b))
    if isinstance(a, float) or isinstance(b, float):
        if isinstance(a, str) or isinstance(b, str):
            return False
        return abs(a - b) <= 1e-6 * max(1.0, abs(a))
    return a == b


def _changed_frames(empty, facts, event, found):
    before = facts["frames"]
    for name in empty.keys():
        if not name.startswith(FRAMES):
            continue
        clip, text = name[len(FRAMES) :], str(empty[name])
        if before.get(clip) == text:
            continue
        try:
            frames = [float(it) for it in text.replace(";", ",").split(",") if it.strip()]
        except ValueError:
            found.warnings.append(f"{empty.name}: \"{name}\" has to be frames with commas between them, such as 10, 25. It stays as it was.")
            continue
        found.frames.setdefault(event, {})[clip] = frames
    for clip in before:
        if FRAMES + clip not in empty:
            found.frames.setdefault(event, {})[clip] = []


def _moved(empty, facts, item, edited, node, users, found):
    """Finds out whether an empty was moved. A shape moves in its bone; everything else moves its bone. Returns whether the item changed."""
    from mathutils import Matrix

    place = facts["place"]
    before = Matrix((place[0:4], place[4:8], place[8:12], place[12:16]))
    now = empty.matrix_basis
    size = max(1.0, *(abs(number) for number in place))
    if all(abs(a - b) <= _MOVED * 0.01 * size for row, other in zip(before, now) for a, b in zip(row, other)):
        return False
    tail = Matrix.Translation((0.0, -_bone_length(empty), 0.0))
    if facts["list"] == "collision_shapes" and shape_of(item)[2] is not None:
        local = tail.inverted() @ now
        _reshape(edited["shape"], local.to_translation(), local.to_scale(), empty, found.warnings)
        return True
    if node in users:
        found.warnings.append(f"{empty.name}: was moved, but stays on its bone, because {users[node]}. Move the bone.")
        return False
    local = before.inverted() @ now
    if any(abs(a - b) > 1e-3 for row, other in zip(local.to_3x3(), Matrix.Identity(3)) for a, b in zip(row, other)):
        found.warnings.append(f"{empty.name}: was turned or scaled; only its place is exported.")
    shift = _from_blender(empty, now.to_translation() - before.to_translation())
    if max(map(abs, shift)) > _MOVED * 0.01 * size:
        found.moves[node] = shift
    return False


def _bone_length(empty):
    if not _is_on_bone(empty):
        return 0.0
    bone = empty.parent.data.bones.get(empty.parent_bone)
    return bone.length if bone is not None else 0.0


def _reshape(shape, center, scale, empty, warnings):
    center = _from_blender(empty, center)
    if "Sphere" in shape:
        if max(scale) - min(scale) > 1e-3 * max(scale):
            warnings.append(f"{empty.name}: spheres have one radius; the largest is used.")
        shape["Sphere"].update(center=center, radius=max(abs(it) for it in scale))
    else:
        half = [abs(it) for it in _from_blender(empty, scale)]
        shape["Box"].update(
            min=[a - b for a, b in zip(center, half)], max=[a + b for a, b in zip(center, half)]
        )


def write(document, binary, found, rate, scene_extras):
    """Puts the changes into an exported GLB. Returns the binary part."""
    clips = (scene_extras.get("meshwright") or {}).get("clips") or {} if scene_extras else {}
    for event, texts in found.frames.items():
        for clip, frames in texts.items():
            facts = clips.get(clip)
            if facts is None:
                found.warnings.append(f"The model has no clip {clip}: events in it are not exported.")
                continue
            others = [key for key in facts.get("events") or () if key["event"] != event]
            facts["events"] = others + [{"time": frame / rate, "event": event} for frame in frames]
    places = {}
    for place, node in enumerate(document.get("nodes", ())):
        index = glb.extras(node).get("index")
        if index is not None:
            places.setdefault(index, place)
    for index, lists in found.lists.items():
        if index in places:
            node = document["nodes"][places[index]]
            node["extras"] = {**(node.get("extras") or {}), "meshwright": {**glb.extras(node), **lists}}
    data = bytearray(binary)
    for index, shift in found.moves.items():
        if index in places:
            _move(document, data, places[index], shift)
    return bytes(data)


def _move(document, data, place, shift):
    """Moves a node of a GLB with its motion."""
    from mathutils import Quaternion, Vector

    node = document["nodes"][place]
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    scale = node.get("scale", (1.0, 1.0, 1.0))
    moved = Quaternion((w, x, y, z)) @ Vector([a * b for a, b in zip(shift, scale)])
    node["translation"] = [a + b for a, b in zip(node.get("translation", (0.0, 0.0, 0.0)), moved)]
    done = set()
    for animation in document.get("animations", ()):
        for channel in animation["channels"]:
            if channel["target"].get("node") != place or channel["target"]["path"] != "translation":
                continue
            sampler = animation["samplers"][channel["sampler"]]
            if sampler["output"] not in done:
                done.add(sampler["output"])
                is_cubic = sampler.get("interpolation") == "CUBICSPLINE"
                glb.shift(document, data, sampler["output"], moved, 3 if is_cubic else 1)
