"""Blender imports what we write, and plays it as our own sampler does.

    python blender.py FOLDER...

imports every .glb below the folders: no exception, no warning. A .glb with a .json of positions beside it is also played: after each switch
from one clip to another, in any order, vertices must be where the JSON has them. The last line is
`N files, N failed, at most S of their size`; the exit code is 1 if any failed.

Needs the package bpy (Blender as a Python module).
"""

import json
import os
import re
import struct
import sys
import tempfile
from pathlib import Path

import bpy
import numpy

# Of the size of the model.
TOLERANCE = 1e-3
# Clips of a model that are played, and moments of each.
CLIPS = 5
MOMENTS = 3
FPS = 30


class Output:
    """Everything that is printed meanwhile, by Blender's C code too."""

    def __enter__(self):
        self.file = tempfile.TemporaryFile()
        sys.stdout.flush()
        self.saved = [os.dup(1), os.dup(2)]
        os.dup2(self.file.fileno(), 1)
        os.dup2(self.file.fileno(), 2)
        return self

    def __exit__(self, *_):
        sys.stdout.flush()
        for number, saved in zip((1, 2), self.saved):
            os.dup2(saved, number)
            os.close(saved)
        self.file.seek(0)
        self.text = self.file.read().decode(errors="replace")
        self.file.close()


def import_glb(path):
    """Imports a file into an empty scene. Returns what is wrong, if anything is."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    with Output() as output:
        try:
            bpy.ops.import_scene.gltf(filepath=str(path))
            problem = None
        except Exception as error:  # noqa: BLE001 - whatever the importer throws is its verdict
            problem = str(error).strip().splitlines()[-1]
    said = [line for line in output.text.splitlines() if re.search(r"WARN|ERROR|Traceback|Error:", line)]
    return problem or next(iter(said), None)


COMPONENTS = {5121: numpy.uint8, 5123: numpy.uint16, 5125: numpy.uint32}


def vertex_orders(path):
    """For each mesh by its name the vertices of the model in Blender's order: those that triangles use, ascending, for each primitive.

    The last vertices of a mesh in the file may be copies of others (docs/gltf.md, `copies`).
    """
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    gltf = json.loads(data[20 : 20 + length])
    binary = data[28 + length :]

    def indices(accessor):
        accessor = gltf["accessors"][accessor]
        view = gltf["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        return numpy.frombuffer(binary, COMPONENTS[accessor["componentType"]], accessor["count"], start)

    orders = []
    for mesh in gltf.get("meshes", []):
        parts = [numpy.unique(indices(primitive["indices"])) for primitive in mesh["primitives"]]
        runs = mesh.get("extras", {}).get("meshwright", {}).get("copies", [])
        copies = [vertex for first, length in runs for vertex in range(first, first + length)]
        count = gltf["accessors"][mesh["primitives"][0]["attributes"]["POSITION"]]["count"]
        sources = numpy.array([*range(count - len(copies)), *copies])
        orders.append((mesh["name"], sources[numpy.concatenate(parts)]))
    return orders


def switch_to(clip):
    """Gives every object the action of this clip and nothing else, as a user does."""
    for holder in [*bpy.data.objects, *bpy.data.cameras, *bpy.data.lights]:
        animation = holder.animation_data
        if animation is None:
            continue
        animation.action = None
        for track in animation.nla_tracks:
            track.mute = True
            strip = next(iter(track.strips), None)
            if track.name == clip and strip is not None:
                animation.action = strip.action
                if strip.action_slot is not None:
                    animation.action_slot = strip.action_slot


def positions(mesh, objects, order, every):
    """World positions of every so many vertices of the model, with their numbers in it."""
    graph = bpy.context.evaluated_depsgraph_get()
    found = objects[mesh].evaluated_get(graph)
    data = found.to_mesh()
    flat = numpy.empty(len(data.vertices) * 3, numpy.float32)
    data.vertices.foreach_get("co", flat)
    matrix = numpy.array(found.matrix_world)
    found.to_mesh_clear()
    places = flat.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    if len(places) != len(order):
        raise ValueError(f"{mesh}: {len(places)} vertices, not {len(order)}")
    # Blender's z is up: glTF's (x, y, z) is its (x, -z, y).
    places = numpy.stack([places[:, 0], places[:, 2], -places[:, 1]], axis=1)
    return [(int(vertex), place) for vertex, place in zip(order, places) if vertex % every == 0]


def spread(items, count):
    """At most so many of the items, from the first to the last."""
    if len(items) <= count:
        return items
    return [items[round(at * (len(items) - 1) / (count - 1))] for at in range(count)]


def play(path, expected):
    """The largest distance from the expected positions, as a share of the size, and where that was."""
    size = expected["size"] or 1
    clips = {}
    for pose in expected["poses"]:
        # Blender plays one clip at a time.
        if pose["clip"] is not None and len(pose["playing"]) == 1:
            clips.setdefault(pose["playing"][0]["animation"], []).append(pose)
    chosen = spread(sorted(clips), CLIPS)
    names = [animation["name"] for animation in read_json(path).get("animations", [])]
    orders = vertex_orders(path)
    objects = {found.data.name: found for found in bpy.data.objects if found.type == "MESH"}
    worst = (0.0, "")
    # There and back again: each clip follows another one each time.
    for clip in chosen + chosen[-2::-1]:
        switch_to(names[clip])
        for pose in spread(clips[clip], MOMENTS):
            frame = pose["playing"][0]["time"] * FPS
            bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
            for mesh in pose["meshes"]:
                name, order = orders[mesh["mesh"]]
                found = positions(name, objects, order, mesh["every"])
                for vertex, place in found:
                    wanted = mesh["positions"][vertex // mesh["every"]]
                    share = float(numpy.linalg.norm(place - wanted)) / size
                    if not share <= worst[0]:
                        worst = (share, f'clip {names[clip]} at {pose["playing"][0]["time"]:.3f}: {name}[{vertex}]')
    return worst


def read_json(path):
    data = path.read_bytes()
    return json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])


def main(folders):
    files = [path for folder in folders for path in sorted(Path(folder).rglob("*.glb"))]
    failed, most = 0, 0.0
    for path in files:
        problem = import_glb(path)
        expected = path.with_suffix(".json")
        if problem is None and expected.exists():
            try:
                share, where = play(path, json.loads(expected.read_text()))
                most = max(most, share)
                if not share <= TOLERANCE:
                    problem = f"{share:.1e} of its size off: {where}"
            except Exception as error:  # noqa: BLE001 - one file must not hide the others
                problem = f"{type(error).__name__}: {error}"
        if problem:
            failed += 1
            print(f"{path.name}: {problem}", flush=True)
    print(f"{len(files)} files, {failed} failed, at most {most:.1e} of their size")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
