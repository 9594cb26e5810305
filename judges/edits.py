"""Edits in Blender arrive in the original model, and nothing else in it changes.

    python edits.py MESHWRIGHT FOLDER MODEL... [--textures DIR] [--kinds A,B] [--keep]

converts each model to GLB, imports that into Blender, makes one edit after the other (each in a fresh import), exports with the settings that
docs/gltf.md recommends, and applies the file to the model with `convert --onto`. Then:

- the untouched model has the same bytes, with these settings and with Blender's own,
- `diff` names the parts that the edit is about, and no other ones,
- `check` finds nothing that it does not find in the original,
- nothing is refused, except what the documentation says,
- a second reader of W3D finds the same meshes in the same places, but for the edited ones.

A kind of edit that a model has nothing for is skipped. The last line counts. Results stay in FOLDER, for other readers: `NAME.KIND.w3d`.

Needs the package bpy (Blender as a Python module).
"""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import bpy
from mathutils import Vector

import w3d_reader
from blender import Output
from trip import export, export_by_default, load


class Skip(Exception):
    """The model has nothing for this edit."""


# ----------------------------------------------------------------------------- what a scene has


def meshes():
    """The objects with triangles, those of the most vertices first. Shapes that are not drawn are not among them."""
    hidden = bpy.data.collections.get("glTF_not_exported")
    shapes = set(hidden.objects) if hidden else set()
    found = [item for item in bpy.data.objects if item.type == "MESH" and item.data.polygons and item not in shapes]
    found.sort(key=lambda item: (-len(item.data.vertices), item.name))
    if not found:
        raise Skip
    return found


def size(item):
    return max(max(item.dimensions), 1e-3)


def armature():
    """The armature of the model."""
    return next((item for item in bpy.data.objects if item.type == "ARMATURE"), None)


def weights(rig):
    """The bones that move vertices."""
    names = set()
    for item in bpy.data.objects:
        if item.type == "MESH" and any(modifier.type == "ARMATURE" for modifier in item.modifiers):
            used = {group.group for vertex in item.data.vertices for group in vertex.groups if group.weight > 0}
            names |= {group.name for group in item.vertex_groups if group.index in used}
    return names


def held(rig):
    """The bones that something hangs on."""
    return {item.parent_bone for item in bpy.data.objects if item.parent == rig and item.parent_type == "BONE"}


def leaves(rig):
    """The bones at the ends of chains, those that nothing hangs on first."""
    busy = held(rig)
    found = [bone.name for bone in rig.data.bones if not bone.children and bone.parent is not None]
    # Joints that our own writer added.
    found = [name for name in found if not name.startswith("Switch ") and not name.endswith(" direction")]
    # The names of events are codes of the game.
    found = [name for name in found if not re.match(r"(SND|SPL|FPT|SPN|UBR)", name)]
    return sorted(found, key=lambda name: (name in busy, name))


def curves(action):
    """The curves of an action, in any version of Blender."""
    if hasattr(action, "layers"):
        bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
        found = [curve for bag in bags for curve in bag.fcurves]
        if found or not hasattr(action, "fcurves"):
            return found
    return list(action.fcurves)


def actions(rig):
    """The actions of an object."""
    data = rig.animation_data
    found = [strip.action for track in data.nla_tracks for strip in track.strips] if data else []
    if data and data.action:
        found.append(data.action)
    return list(dict.fromkeys(action for action in found if action))


def edit_bones(rig):
    bpy.context.view_layer.objects.active = rig
    rig.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    return rig.data.edit_bones


def done():
    bpy.ops.object.mode_set(mode="OBJECT")


def short(name):
    """A name without the number that Blender adds."""
    return re.sub(r"\.\d{3}$", "", name)


# ----------------------------------------------------------------------------- the edits
# Each returns what `diff` has to name: patterns of which each has to match something, and patterns of what else may be named.

# Bounds of the model, of its sequences, and of geosets in sequences.
BOUNDS = r"^(MODL|SEQS)\b|^GEOS.*/Extents"


def of_mesh(item):
    """The patterns of one mesh: its chunk in W3D, its geoset in MDX."""
    index = re.match(r"Geoset (\d+)", item.data.name)
    if index:
        return rf"^GEOS\[0\]/Geoset\[{index[1]}\]"
    # Geosets of newer versions have names, but `diff` counts them.
    return rf'^(MESH\[.*{re.escape(short(item.data.name))}"|GEOS\[0\]/Geoset)'


def move_vertex():
    item = meshes()[0]
    vertex = item.data.vertices[len(item.data.vertices) // 2]
    vertex.co += Vector((0.0, 0.0, 0.1 * size(item)))
    return [of_mesh(item)], [BOUNDS]


def delete_part():
    found = meshes()
    if len(found) < 2:
        raise Skip
    item = found[-1]
    pattern = of_mesh(item)
    name = short(item.data.name)
    bpy.data.objects.remove(item)
    return [pattern], [r"^HLOD", r"^GEOS", r"^GEOA", r"^BONE.*BoneLinks", BOUNDS, re.escape(name)]


def add_cube():
    bpy.ops.mesh.primitive_cube_add(size=0.2 * size(meshes()[0]), location=(0.0, 0.0, 0.0))
    cube = bpy.context.active_object
    cube.name = cube.data.name = "NewCube"
    material = bpy.data.materials.new("NewRed")
    material.use_nodes = True
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (0.8, 0.05, 0.05, 1.0)
    cube.data.materials.append(material)
    needed = [r"^(GEOS|MESH.*NEWCUBE)"]
    return needed, [r"^(GEOS|MTLS|TEXS|BONE|PIVT|GEOA|BPOS|HIERARCHY|HLOD|MESH.*NEWCUBE)", r"/NODE", BOUNDS, r"^MESH\[0\].*MESH_HEADER3"]


def new_uvs():
    item = next((item for item in meshes() if item.data.uv_layers), None)
    if item is None:
        raise Skip
    for corner in item.data.uv_layers[0].data:
        corner.uv = corner.uv * 0.5 + Vector((0.0625, 0.125))
    return [of_mesh(item)], []


def replace_texture():
    """Another picture in the first material of a mesh that has one."""
    for item in meshes():
        for material in filter(None, item.data.materials):
            nodes = material.node_tree.nodes if material.node_tree else []
            found = [node for node in nodes if node.type == "TEX_IMAGE" and node.image]
            shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
            linked = shader and [link.from_node for link in shader.inputs["Base Color"].links]
            # Not a picture that only glows.
            shown = next((node for node in found if linked and node in linked), None)
            if shown is None:
                continue
            old = shown.image
            image = bpy.data.images.new("NewSkin", 8, 8)
            image.pixels = [0.2, 0.6, 0.3, 1.0] * 64
            image.pack()
            for node in found:
                if node.image == old:
                    node.image = image
            return [r"(TEXS|TEXTURE)"], [r"^(TEXS|MTLS|MESH)"]
    raise Skip


def rename():
    rig = armature()
    if rig is not None and leaves(rig):
        rig.data.bones[leaves(rig)[0]].name = "RenamedBone"
        return [r"(NODE|PIVOTS|node|name)"], []
    # Something that is neither a skin nor the model itself.
    item = next((item for item in bpy.data.objects if item.type == "EMPTY" and item.parent), None)
    if item is None or rig is not None:
        raise Skip
    item.name = "RenamedBone"
    return [r"(NODE|PIVOTS|node|name)"], []


def edit_key():
    """A bone is turned, or moved, much further at one key."""
    rig = armature()
    for holder in [rig] if rig else [item for item in bpy.data.objects if item.type == "EMPTY"]:
        for action in actions(holder):
            for curve in curves(action):
                # Not the joints that our own writer added, nor the first number of a quaternion, which may only change its length.
                is_ours = '"Switch ' in curve.data_path or rig and "pose.bones" not in curve.data_path
                is_motion = curve.data_path.endswith(("rotation_quaternion", "location")) and curve.array_index == 1
                if is_motion and not is_ours and len(curve.keyframe_points) > 1:
                    points = curve.keyframe_points
                    # Not the last one: with constant interpolation it is the end of the clip.
                    point = points[(len(points) - 1) // 2]
                    change = 0.25 if curve.data_path.endswith("rotation_quaternion") else 0.1 * size(meshes()[0])
                    point.co.y += change
                    point.handle_left.y += change
                    point.handle_right.y += change
                    return [r"(KGRT|KGTR|CHANNEL|ANIMATION)"], [BOUNDS]
    raise Skip


def new_action():
    rig = armature()
    if rig is None or not rig.data.bones:
        raise Skip
    name = leaves(rig)[0] if leaves(rig) else rig.data.bones[-1].name
    bone = rig.pose.bones[name]
    data = rig.animation_data_create()
    action = bpy.data.actions.new("Wave")
    before = data.action
    data.action = action
    bone.rotation_mode = "QUATERNION"
    kept = bone.rotation_quaternion.copy()
    for frame, turn in ((0, 0.0), (10, 0.5), (20, 0.0)):
        bone.rotation_quaternion = (1.0, turn, 0.0, 0.0)
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    bone.rotation_quaternion = kept
    track = data.nla_tracks.new()
    track.name = "Wave"
    strip = track.strips.new("Wave", 0, action)
    strip.mute = False
    data.action = before
    return [r"(SEQS|ANIMATION)"], [r"^SEQS", r"(KGRT|KGTR|KGSC|track)", r"^ANIMATION", r"^COMPRESSED", r"^GEOS.*EXTENTS?", BOUNDS]


def move_attachment():
    """A node that only marks a place: a bone without vertices, or an empty."""
    rig = armature()
    if rig is not None:
        moving = weights(rig)
        busy = held(rig)
        free = [name for name in leaves(rig) if name not in moving and name not in busy]
        free.sort(key=lambda name: ("ref" not in name.lower(), name))
        if free:
            bones = edit_bones(rig)
            bone = bones[free[0]]
            # A connected bone moves with its parent's end.
            bone.use_connect = False
            bone.head += Vector((0.0, 0.0, 0.1 * size(meshes()[0])))
            bone.tail += Vector((0.0, 0.0, 0.1 * size(meshes()[0])))
            done()
            return [r"^(PIVT|HIERARCHY)"], [r"^(PIVT|HIERARCHY|BPOS)", BOUNDS]
    item = next(
        (item for item in bpy.data.objects if item.type == "EMPTY" and item.parent and not item.children), None
    )
    if item is None:
        raise Skip
    item.location.z += 0.1 * size(meshes()[0])
    return [r"^(PIVT|HIERARCHY)"], [r"^(PIVT|HIERARCHY|BPOS)", BOUNDS]


def delete_bone():
    """A bone at the end of a chain. Its vertices follow the bone above."""
    rig = armature()
    found = leaves(rig) if rig else []
    found = [name for name in found if name not in held(rig)] if rig else []
    if not found:
        raise Skip
    moving = weights(rig)
    name = next((name for name in found if name in moving), found[0])
    above = rig.data.bones[name].parent.name
    for item in bpy.data.objects:
        group = item.vertex_groups.get(name) if item.type == "MESH" else None
        if group is None:
            continue
        heir = item.vertex_groups.get(above) or item.vertex_groups.new(name=above)
        for vertex in item.data.vertices:
            share = sum(one.weight for one in vertex.groups if one.group == group.index)
            if share > 0:
                heir.add([vertex.index], share, "ADD")
        item.vertex_groups.remove(group)
    bones = edit_bones(rig)
    bones.remove(bones[name])
    done()
    # All numbers of nodes behind it change.
    return [r"."], [r"."]


def skinned():
    """A mesh that the armature deforms, and two bones that move its vertices."""
    rig = armature()
    for item in meshes() if rig else []:
        if not any(modifier.type == "ARMATURE" for modifier in item.modifiers):
            continue
        used = {group.group for vertex in item.data.vertices for group in vertex.groups if group.weight > 0}
        names = [group.name for group in item.vertex_groups if group.index in used and group.name in rig.data.bones]
        # Not the joints that our own writer added.
        names = [name for name in names if not name.startswith("Switch ")]
        if len(names) > 1:
            return rig, item, names
    raise Skip


def change_weights():
    """Every third vertex of a mesh follows another bone."""
    _, item, names = skinned()
    target = item.vertex_groups[names[-1]]
    for vertex in list(item.data.vertices)[::3]:
        for group in item.vertex_groups:
            group.remove([vertex.index])
        target.add([vertex.index], 1.0, "REPLACE")
    return [of_mesh(item)], [BOUNDS, r"^BONE.*BoneLinks", r"^GEOS.*(EXTENTS?|Extents?)"]


def add_skinned():
    """A new part that two bones deform, in equal shares."""
    rig, _, names = skinned()
    bpy.ops.mesh.primitive_cube_add(size=0.2 * size(meshes()[0]), location=(0.0, 0.0, 0.0))
    cube = bpy.context.active_object
    cube.name = cube.data.name = "NewCube"
    cube.data.materials.append(bpy.data.materials.new("NewRed"))
    for place, name in enumerate(names[:2]):
        group = cube.vertex_groups.new(name=name)
        group.add([vertex.index for vertex in cube.data.vertices if vertex.index % 2 == place], 1.0, "REPLACE")
    cube.parent = rig
    cube.modifiers.new("Armature", "ARMATURE").object = rig
    return [r"^(GEOS|MESH.*NEWCUBE)"], [r"^(GEOS|MTLS|TEXS|GEOA|HLOD|MESH.*NEWCUBE)", r"^BONE.*BoneLinks", BOUNDS]


def new_bone():
    """A bone that moves in a clip of the model."""
    rig = armature()
    if rig is None or not actions(rig):
        raise Skip
    above = next((name for name in leaves(rig) if name not in held(rig)), None) or rig.data.bones[0].name
    bones = edit_bones(rig)
    bone = bones.new("NewBone")
    bone.parent = bones[above]
    bone.head = bones[above].tail
    bone.tail = bone.head + Vector((0.0, 0.0, 0.1 * size(meshes()[0])))
    done()
    action = actions(rig)[0]
    data = rig.animation_data
    before = data.action
    data.action = action
    if hasattr(data, "action_slot") and action.slots:
        data.action_slot = action.slots[0]
    pose = rig.pose.bones["NewBone"]
    pose.rotation_mode = "QUATERNION"
    start = action.frame_range[0]
    for frame, turn in ((start, 0.0), (start + 2, 0.5)):
        pose.rotation_quaternion = (1.0, turn, 0.0, 0.0)
        pose.keyframe_insert("rotation_quaternion", frame=frame)
    data.action = before
    needed = [r"^(BONE|HIERARCHY)", r"(KGRT|CHANNEL|ANIMATION|NewBone)"]
    return needed, [r"^(BONE|PIVT|BPOS|HIERARCHY|ANIMATION|COMPRESSED)", r"/NODE", r"^GEOS.*MATS", r"(KGRT|KGTR|KGSC)", BOUNDS]


def new_material():
    """Half of the triangles of a mesh get a new material."""
    item = next((item for item in meshes() if len(item.data.polygons) > 3 and item.data.materials), None)
    if item is None:
        raise Skip
    item.data.materials.append(bpy.data.materials.new("NewRed"))
    last = len(item.data.materials) - 1
    for polygon in list(item.data.polygons)[: len(item.data.polygons) // 2]:
        polygon.material_index = last
    # New names have no spaces.
    name = re.escape(short(item.data.name)[:12]).replace("\\ ", " ?")
    return [of_mesh(item)], [r"^(GEOS|MTLS|TEXS|GEOA|HLOD|HIERARCHY)", rf"^MESH\[.*{name}", r"^MESH.*\[added", r"^BONE.*BoneLinks", BOUNDS]


KINDS = {
    "move-vertex": move_vertex,
    "delete-part": delete_part,
    "add-cube": add_cube,
    "new-uvs": new_uvs,
    "replace-texture": replace_texture,
    "rename": rename,
    "edit-key": edit_key,
    "new-action": new_action,
    "move-attachment": move_attachment,
    "delete-bone": delete_bone,
    "change-weights": change_weights,
    "add-skinned": add_skinned,
    "new-bone": new_bone,
    "new-material": new_material,
}

# What the documentation says that the original cannot take.
REFUSED = {
    "delete-bone": r"the pivot .* stays",
    "add-cube": r"no list of its parts",
    "edit-key": r"bytes that cannot be read",
    "new-action": r"were not written",
    "move-attachment": r"games ignore the place of the root pivot|no pivot of its own",
}

# Findings that a part of a mesh has as the whole mesh had them.
TWICE = {"new-material": ("W3D-PLANE-001",)}

# Edits that do not touch skeletons, and the number of meshes whose vertices they move.
STAY = {"move-vertex": 1, "delete-part": 0, "add-cube": 0, "new-uvs": 0, "replace-texture": 0, "rename": 0}


# ----------------------------------------------------------------------------- judging


class Judge:
    def __init__(self, program, folder, textures):
        self.program, self.folder = program, folder
        self.textures = ["--textures", str(textures)] if textures else []
        self.counts = Counter()

    def run(self, *words, codes=(0,)):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True)
        if done.returncode not in codes:
            raise ValueError(f"{' '.join(map(str, words))}: {done.stdout[-500:]}{done.stderr[-500:]}")
        return done

    def findings(self, model):
        """How often each rule finds something, by rule. Files beside the model are of other edits."""
        done = self.run(
            "check", model, "--format", "json", "--severity", "warning", "--allow", "W3D-FILES", codes=(0, 1)
        )
        report = json.loads(done.stdout)
        return Counter(finding["code"] for file in report["files"] for finding in file["findings"])

    def differences(self, before, after):
        done = self.run("diff", before, after, "--json", codes=(0, 1))
        return [change["path"] for change in json.loads(done.stdout)["files"][0]["changes"]]

    @staticmethod
    def split(model):
        """Changes of skeletons and clips in other files go there."""
        return ["--split", "auto"] if model.suffix.lower() == ".w3d" else []

    def applied(self, glb, model, target):
        """Applies a file to its model; what is printed."""
        done = self.run("convert", glb, target, "--onto", model, "--force", "-v", *self.split(model), *self.textures)
        return done.stdout + done.stderr

    def untouched(self, glb, model, name, write):
        target = self.folder / f"{model.stem}.{name}{model.suffix}"
        source = target.with_suffix(target.suffix + ".glb")
        with Output():
            load(glb)
            write(source)
        said = self.applied(source, model, target)
        if target.read_bytes() != model.read_bytes():
            raise ValueError(f"untouched: {said[:500]}")

    def edited(self, glb, model, kind):
        target = self.folder / f"{model.stem}.{kind}{model.suffix}"
        source = target.with_suffix(target.suffix + ".glb")
        with Output():
            load(glb)
            needed, also = KINDS[kind]()
            export(source)
        said = self.applied(source, model, target)
        paths = self.differences(model, target)
        # Files of the model that changed with it.
        for other in map(Path, re.findall(r" -> (.+)", said)):
            if other.name.lower() != target.name.lower():
                original = next(path for path in model.parent.iterdir() if path.name.lower() == other.name.lower())
                paths += self.differences(original, other)
                other.unlink()
        problems = []
        for pattern in needed:
            if not any(re.search(pattern, path, re.IGNORECASE) for path in paths):
                problems.append(f"nothing like {pattern} is different")
        odd = [path for path in paths if not any(re.search(p, path, re.IGNORECASE) for p in needed + also)]
        if odd:
            problems.append(f"{len(odd)} other differences: {', '.join(odd[:4])}")
        # In the same folder, where it has no other companions than the original.
        copy = self.folder / f"{model.stem}.original{model.suffix}"
        shutil.copyfile(model, copy)
        new = self.findings(target) - self.findings(copy)
        # A mesh that is divided has what it had in both parts.
        new = Counter({code: count for code, count in new.items() if code not in TWICE.get(kind, ())})
        if new:
            problems.append(f"check finds {dict(new)}")
        if kind in REFUSED and re.search(REFUSED[kind], said):
            return "refused as documented"
        if kind in STAY and model.suffix.lower() == ".w3d":
            problems += self.moved(model, target, kind)
        if problems:
            raise ValueError("; ".join([*problems, said[:600].replace("\n", " | ")]))
        return said

    @staticmethod
    def moved(model, target, kind):
        """What another reader finds in other places."""
        try:
            before = dict(w3d_reader.placed(model))
        except (IndexError, KeyError, ValueError):
            # The skeleton is in another file, which it does not read, or the file has wrong sizes.
            return []
        after = dict(w3d_reader.placed(target))
        moved = [name for name in before if name in after and not same_place(before[name], after[name])]
        lost = [name for name in before if name not in after]
        if len(moved) > STAY[kind] or len(lost) > (kind in ("delete-part", "rename")):
            return [f"another reader finds other vertices in {moved[:4]}, and not {lost[:4]}"]
        return []

    def judge(self, model, kinds):
        glb = self.folder / f"{model.stem}{model.suffix}.glb"
        self.run("convert", model, glb, "--force", *self.textures)
        steps = [(kind, lambda kind=kind: self.edited(glb, model, kind)) for kind in kinds if kind in KINDS]
        for name, write in (("untouched", export), ("default", export_by_default)):
            if name in kinds:
                steps.insert(0, (name, lambda name=name, write=write: self.untouched(glb, model, name, write)))
        for kind, step in steps:
            try:
                step()
                self.counts[kind, "ok"] += 1
            except Skip:
                self.counts[kind, "skipped"] += 1
            except Exception as error:  # noqa: BLE001 - one edit must not hide the others
                self.counts[kind, "failed"] += 1
                print(f"{model.name} {kind}: {type(error).__name__}: {error}"[:1500], flush=True)


def same_place(before, after):
    """Whether two lists of points are the same."""
    return len(before) == len(after) and all(
        abs(a - b) <= 1e-4 * max(1.0, abs(a)) for one, other in zip(before, after) for a, b in zip(one, other)
    )


def option(arguments, name):
    if name not in arguments:
        return None
    place = arguments.index(name)
    value = arguments[place + 1]
    del arguments[place : place + 2]
    return value


def main(arguments):
    textures = option(arguments, "--textures")
    kinds = option(arguments, "--kinds")
    kinds = kinds.split(",") if kinds else ["untouched", "default", *KINDS]
    program, folder, *models = arguments
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    judge = Judge(program, folder, textures)
    for model in models:
        # Companions are searched beside the model, so it stays where it is.
        judge.judge(Path(model), kinds)
    for kind in kinds:
        parts = [f"{judge.counts[kind, state]} {state}" for state in ("ok", "skipped", "failed")]
        print(f"{kind}: {', '.join(parts)}")
    failed = sum(count for (_, state), count in judge.counts.items() if state == "failed")
    passed = sum(count for (_, state), count in judge.counts.items() if state == "ok")
    print(f"{len(models)} models, {passed} edits arrived, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
