# SPDX-License-Identifier: GPL-3.0-or-later
"""What the cases share: the extension, samples, and comparing Blender's scene with ours."""

import importlib
import os

import bpy

MODULE = "bl_ext.user_default.meshwright"
FILES = os.environ.get("MESHWRIGHT_FILES", "")
# Of the size of the model. The conversion to glTF approximates curves within 2/10,000 for each bone (docs/gltf.md).
TOLERANCE = float(os.environ.get("MESHWRIGHT_TOLERANCE", "5e-4"))
MOMENTS = (0.0, 0.23, 0.5, 0.77, 0.985)


def start(name):
    """An empty scene with the extension, which the first case installs."""
    if name != "install":
        import addon_utils

        addon_utils.enable(MODULE, default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True)


def part(name):
    return importlib.import_module(f"{MODULE}.{name}")


def sample(name):
    """The path of a sample model, with its textures beside it."""
    import meshwright

    if not os.path.exists(os.path.join(FILES, name)):
        meshwright.samples(FILES)
    return os.path.join(FILES, name)


def load(path, **options):
    """Imports a model through the operator. Returns its holder."""
    before = set(bpy.data.objects)
    result = bpy.ops.meshwright.import_model(filepath=path, **options)
    assert result == {"FINISHED"}, result
    holders = [it for it in bpy.data.objects if it not in before and "meshwright_facts" in it]
    assert len(holders) == 1, holders
    bpy.context.view_layer.objects.active = holders[0]
    return holders[0]


def export(path, **options):
    result = bpy.ops.meshwright.export_model(filepath=path, **options)
    assert result == {"FINISHED"}, (result, report())
    with open(path, "rb") as file:
        return file.read()


def report():
    text = bpy.data.texts.get("Meshwright report")
    return text.as_string() if text else ""


def read(path):
    with open(path, "rb") as file:
        return file.read()


def clips_of(holder):
    return part("clips").names(holder, part("holder").parts(holder))


def play(holder, clip, seconds):
    """Shows a moment of a clip. Only the action of the holder is switched: parts have to follow."""
    clips, scene = part("clips"), bpy.context.scene
    clips.play(scene, holder, part("holder").parts(holder), clip)
    frame = seconds * scene.render.fps / scene.render.fps_base
    scene.frame_set(int(frame), subframe=frame - int(frame))


def compare(path, holder, most_clips=1000):
    """Compares positions and visibility with our own scene at five moments of each clip. Returns faults and the number of states."""
    import meshwright
    from mathutils.kdtree import KDTree

    toolkit = part("toolkit")
    facts = part("holder").facts(holder)
    loaded = toolkit.load(path, toolkit.Places(), facts["options"])
    scene = meshwright.open(read(path), name=path).scene()
    objects = part("import_scene")._by_mesh(part("holder").parts(holder))
    size = part("import_scene")._size(loaded.document)
    faults, states = [], 0
    clips = [clip for clip in scene.clips if clip.name in loaded.visibility][:most_clips]
    for clip in clips or [None]:
        for moment in MOMENTS if clip else (0.0,):
            seconds = moment * clip.seconds if clip else 0.0
            if clip is not None:
                play(holder, clip.name, seconds)
            graph = bpy.context.evaluated_depsgraph_get()
            # Where it changes within a hundredth of a frame, either is right.
            now, before, after = scene.visible(clip, (seconds, max(0.0, seconds - 1e-3), seconds + 1e-3))
            for mesh, object in objects.items():
                states += 1
                shows = now[mesh] if clip else mesh not in loaded.hidden
                steady = before[mesh] == shows == after[mesh] if clip else True
                if steady and object.hide_render == shows:
                    faults.append(f"{clip and clip.name} {seconds:.3f} s: {object.name} shows: {not shows}")
                if object.hide_viewport:
                    continue
                place = scene.positions(mesh, clip, seconds).tolist()
                tree = KDTree(max(1, len(place)))
                for index, (x, y, z) in enumerate(place):
                    tree.insert((-z, -x, y), index)
                tree.balance()
                shape = object.evaluated_get(graph)
                matrix = shape.matrix_world
                points = [matrix @ vertex.co for vertex in shape.data.vertices]
                worst = max((tree.find(point)[2] for point in points), default=0.0)
                if worst > TOLERANCE * size:
                    faults.append(f"{clip and clip.name} {seconds:.3f} s: {object.name} is off by {worst / size:.2g}")
    return faults, states

