"""Another reader finds in OBJ, PLY and STL what our own sampling says.

    python geometry.py PROGRAM FOLDER

converts every model of the folder with the program to OBJ, PLY (both forms) and STL (both forms), in the rest pose and in the middle of a
clip, and reads all with trimesh: the same number of triangles, and the same bounds in each. The last line is `N files, N failed`.

Needs the package trimesh.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
import trimesh

FORMS = [("obj", []), ("ply", []), ("ply", ["--ascii"]), ("stl", []), ("stl", ["--ascii"])]


def load(path):
    """All triangles of a file, Z up."""
    mesh = trimesh.load(path, force="mesh", process=False, skip_materials=True)
    corners = numpy.asarray(mesh.vertices)[numpy.asarray(mesh.faces)]
    if path.suffix == ".obj":
        corners = numpy.stack([corners[..., 0], -corners[..., 2], corners[..., 1]], axis=-1)
    return corners


def clips(program, model):
    said = subprocess.run([program, "info", "--json", model], capture_output=True, text=True).stdout
    files = json.loads(said).get("files", [])
    return [clip["name"] for file in files for clip in file.get("clips", [])]


def compare(program, model, folder, moment):
    first = None
    for number, (extension, words) in enumerate(FORMS):
        out = folder / f"{number}.{extension}"
        made = subprocess.run([program, "convert", model, out, "--no-textures", *words, *moment], capture_output=True, text=True)
        if made.returncode != 0:
            return f"{extension}: {made.stderr.strip().splitlines()[0]}"
        corners = load(out)
        bounds = numpy.array([corners.min(axis=(0, 1)), corners.max(axis=(0, 1))]) if len(corners) else numpy.zeros((2, 3))
        found = len(corners), bounds
        if first is None:
            first = found
        size = max(1e-6, float(numpy.abs(first[1]).max()))
        if found[0] != first[0] or numpy.abs(found[1] - first[1]).max() > 1e-5 * size:
            return f"{extension} {' '.join(words)}: {found} instead of {first}"
    return None


def main():
    program, top = sys.argv[1], Path(sys.argv[2])
    models = sorted(path for path in top.rglob("*") if path.suffix.lower() in {".w3d", ".mdx", ".mdl", ".glb"})
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            moments = [[]] + [["--clip", name, "--time", "0.3"] for name in clips(program, model)[:1]]
            for moment in moments:
                problem = compare(program, model, Path(folder), moment)
                # A file without meshes has nothing to write.
                if problem and "nothing to convert" not in problem:
                    failed += 1
                    print(f"{model} {' '.join(moment)}: {problem}")
    print(f"{len(models)} files, {failed} failed")
    sys.exit(failed > 0)


main()
