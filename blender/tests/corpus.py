# SPDX-License-Identifier: GPL-3.0-or-later
"""Every model of a folder through the extension: `corpus.py ZIP FOLDER [OUTPUT]`, with the Python of an environment that has bpy.

Each model is imported, compared with our own scene at five moments of each clip, saved, loaded and exported without a change. Models that
fail to import, or too many that do not keep their bytes, are a failure.
"""

import os
import re
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
MODELS = re.compile(r"\.(w3d|mdx|mdl)(~[0-9a-f]+)?$", re.I)
AT_ONCE = 8
# Of the models that have to keep their bytes.
SHARE = 0.95


def batch(paths):
    """Prints a line for each model."""
    sys.path.insert(0, str(FOLDER))
    import bpy
    import support

    support.start("corpus")
    for path in paths:
        bpy.ops.wm.read_homefile(use_empty=True)
        try:
            print("RESULT", *one(path, bpy, support), os.path.basename(path), sep="\t", flush=True)
        except Exception as error:
            traceback.print_exc()
            print("RESULT", "failed", str(error)[:200].replace("\n", " "), os.path.basename(path), sep="\t", flush=True)
    os._exit(0)


def one(path, bpy, support):
    holder = support.load(path)
    name = holder.name
    faults, states = support.compare(path, holder, most_clips=40)
    saved = os.path.join(support.FILES, "model.blend")
    bpy.ops.wm.save_as_mainfile(filepath=saved)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=saved)
    bpy.context.view_layer.objects.active = bpy.data.objects[name]
    extension = MODELS.search(path)[1].lower()
    written = support.export(os.path.join(support.FILES, f"again.{extension}"))
    same = "identical" if written == support.read(path) else "differs: " + _first_edit(support.report())
    return same, f"{states} states", "; ".join(faults[:3]) or "as in the game", f"{len(faults)} faults"


def _first_edit(text):
    lines = text.splitlines()
    return lines[lines.index("Changed") + 1].strip() if "Changed" in lines else "?"


def main(zip_file, folder, output=None):
    paths = [str(it) for it in sorted(Path(folder).rglob("*")) if it.is_file() and MODELS.search(it.name)]
    rows = []
    with tempfile.TemporaryDirectory(prefix="meshwright-blender-") as user:
        environment = {
            **os.environ,
            "BLENDER_USER_RESOURCES": os.path.join(user, "user"),
            "MESHWRIGHT_ZIP": os.path.abspath(zip_file),
            "MESHWRIGHT_FILES": user,
        }
        subprocess.run([sys.executable, str(FOLDER / "case.py"), "install"], env=environment, stdout=subprocess.DEVNULL)
        for start in range(0, len(paths), AT_ONCE):
            part = paths[start : start + AT_ONCE]
            command = [sys.executable, __file__, "--batch", *part]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
            found = [line.split("\t")[1:] for line in done.stdout.splitlines() if line.startswith("RESULT")]
            rows += found
            if len(found) != len(part):
                rows.append(["failed", f"Blender ended with {done.returncode}", os.path.basename(part[len(found)])])
            if output:
                Path(output).write_text("\n".join("\t".join(row) for row in rows) + "\n")
    failed = [row for row in rows if row[0] == "failed"]
    same = [row for row in rows if row[0] == "identical"]
    wrong = [row for row in rows if row[0] != "failed" and row[3] != "0 faults"]
    for row in rows:
        if row in failed or row not in same or row in wrong:
            print("  ".join(row))
    print(f"{len(paths)} models: {len(same)} identical, {len(failed)} failed, {len(wrong)} not as in the game")
    if failed or len(same) < SHARE * len(paths):
        sys.exit(1)


if __name__ == "__main__":
    if sys.argv[1] == "--batch":
        batch(sys.argv[2:])
    main(*sys.argv[1:])
