# SPDX-License-Identifier: GPL-3.0-or-later
"""Ten kinds of edit through the extension: `edits.py ZIP MODEL...`, with the Python of an environment that has bpy. Of a folder, ten W3D and ten MDX
models of different sizes are taken.

Each model is imported, edited in one way and exported onto the original, for each kind of edit of `judges/edits.py`. `diff` has to name what the
edit is about and nothing else, and `check` may find nothing that it does not find in the original.
"""

import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
JUDGES = FOLDER.parents[1] / "judges"
# The number of models of a folder and of each family, and their sizes in bytes.
MODELS, MIN_SIZE, MAX_SIZE = 10, 3_000, 600_000
# Our own edits, besides those of the judge: what the empties of the extension stand for.
OWN = ("emitter", "event", "visibility")
# What the documentation says that the original cannot take, besides what the judge knows.
REFUSED = {
    "new-action": r"the model has no skeleton",
    "delete-bone": r"the bone stays without motion",
    "edit-key": r"W3D has no motion of the root",
}


def judge_edits():
    """The module of the judge. It has the name of this file."""
    import importlib.util

    sys.path.insert(0, str(JUDGES))
    found = importlib.util.spec_from_file_location("judge_edits", JUDGES / "edits.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def run(path, kind, judge, support, bpy):
    """One edit. Returns what happened in a word, and problems."""
    bpy.ops.wm.read_homefile(use_empty=True)
    holder = support.load(path)
    if kind in OWN:
        needed, also = globals()[f"_{kind}"](holder, judge, support, bpy)
    else:
        needed, also = judge.KINDS[kind]()
    if kind == "move-attachment":
        # It may have moved the empty of a collision shape.
        needed = [r"^(PIVT|HIERARCHY|BOX|CLID)"]
    extension = Path(path).suffix.split("~")[0].lower()
    target = os.path.join(support.FILES, "edited", f"edited{extension}")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    for old in os.listdir(os.path.dirname(target)):
        os.remove(os.path.join(os.path.dirname(target), old))
    bpy.context.view_layer.objects.active = holder
    support.export(target, split=True)
    said = support.report()
    if any(kind in known and re.search(known[kind], said) for known in (judge.REFUSED, REFUSED)):
        return "refused", []
    return "passed", _problems(path, target, needed, also, said)


def _problems(path, target, needed, also, said):
    import meshwright

    paths = [it.path for it in meshwright.open(path).diff(meshwright.open(target))]
    for name in os.listdir(os.path.dirname(target)):
        beside = os.path.join(os.path.dirname(path), name)
        if name != os.path.basename(target) and os.path.exists(beside):
            changed = os.path.join(os.path.dirname(target), name)
            paths += [it.path for it in meshwright.open(beside).diff(meshwright.open(changed))]
    problems = [
        f"nothing like {pattern} is different" for pattern in needed if not _any([pattern], paths)
    ]
    odd = [it for it in paths if not _any_of(needed + also, it)]
    if odd:
        problems.append(f"{len(odd)} other differences: {', '.join(odd[:4])}")
    # Both in one folder, where both have the same companions.
    new = _findings(target, target) - _findings(path, target)
    if new:
        problems.append(f"check finds {dict(new)}")
    return [f"{it} | {said[:300]!r}" for it in problems]


def _any(patterns, paths):
    return any(_any_of(patterns, path) for path in paths)


def _any_of(patterns, path):
    return any(re.search(pattern, path, re.IGNORECASE) for pattern in patterns)


def _findings(path, name):
    """How often each rule finds something in a file, as if it were in another place."""
    import meshwright

    with open(path, "rb") as file:
        model = meshwright.open(file.read(), name=name)
    return Counter(it.code for it in model.check(allow=["W3D-FILES"]) if it.severity in ("error", "warning"))


def _emitter(holder, judge, support, _bpy):
    for empty in support.part("holder").members(holder):
        if empty.get("meshwright_helper") == "Emitter" and "emission rate" in empty:
            empty["emission rate"] = empty["emission rate"] * 2 + 1.0
            return [r"(EMITTER|PREM|PRE2|CORN)"], []
    raise judge.Skip


def _event(holder, judge, support, _bpy):
    for empty in support.part("holder").members(holder):
        frames = [name for name in empty.keys() if name.startswith("frames in ")]
        if frames:
            empty[frames[0]] = "1.5"
            return [r"^EVTS"], []
    raise judge.Skip


def _visibility(holder, judge, support, bpy):
    """A part is hidden in the second half of the first clip."""
    visibility, clips = support.part("visibility"), support.clips_of(holder)
    parts = [it for it in support.part("holder").parts(holder) if it.type == "MESH"]
    if not clips or not parts or holder.type != "ARMATURE":
        raise judge.Skip
    bones = Counter(it.parent_bone for it in parts)
    alone = [it for it in parts if visibility.property_of(it) is None and bones[it.parent_bone] == 1]
    if not alone:
        raise judge.Skip
    path = visibility.add(holder, alone[0])
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    visibility._key(holder, clips[0], path, [(0.0, True), (0.1, False)], rate)
    return [r"(GEOA|ANIMATION)"], []


def batch(path, names):
    """Prints a line for each edit of one model."""
    sys.path.insert(0, str(FOLDER))
    import bpy
    import support

    support.start("edits")
    judge = judge_edits()
    for kind in names or [*judge.KINDS, *OWN]:
        try:
            word, problems = run(path, kind, judge, support, bpy)
            print("RESULT", "failed" if problems else word, kind, "; ".join(problems), sep="\t", flush=True)
        except judge.Skip:
            print("RESULT", "skipped", kind, "", sep="\t", flush=True)
        except Exception as error:
            traceback.print_exc()
            print("RESULT", "failed", kind, str(error)[:300].replace("\n", " "), sep="\t", flush=True)
    os._exit(0)


def chosen(folder):
    """Ten models of each family, from small to large. The largest take too long."""
    found = []
    for extension in (".w3d", ".mdx"):
        files = [it for it in Path(folder).rglob("*") if it.suffix.lower() == extension and it.is_file()]
        sized = sorted((it.stat().st_size, str(it)) for it in files)
        sized = [path for size, path in sized if MIN_SIZE < size < MAX_SIZE]
        step = max(1.0, len(sized) / MODELS)
        found += [sized[int(step * (place + 0.5))] for place in range(MODELS) if int(step * (place + 0.5)) < len(sized)]
    return found


def main(zip_file, *paths):
    counts = Counter()
    paths = [model for path in paths for model in (chosen(path) if os.path.isdir(path) else [path])]
    with tempfile.TemporaryDirectory(prefix="meshwright-blender-") as user:
        environment = {
            **os.environ,
            "BLENDER_USER_RESOURCES": os.path.join(user, "user"),
            "MESHWRIGHT_ZIP": os.path.abspath(zip_file),
            "MESHWRIGHT_FILES": user,
        }
        subprocess.run([sys.executable, str(FOLDER / "case.py"), "install"], env=environment, stdout=subprocess.DEVNULL)
        for path in paths:
            command = [sys.executable, __file__, "--batch", os.path.abspath(path)]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
            rows = [line.split("\t")[1:] for line in done.stdout.splitlines() if line.startswith("RESULT")]
            if not rows:
                rows = [["failed", "all", f"Blender ended with {done.returncode}: {done.stderr[-300:]}"]]
            for word, kind, problem in rows:
                counts[word] += 1
                if word == "failed":
                    print(f"{os.path.basename(path)} {kind}: {problem}", flush=True)
    print(f"{len(paths)} models: " + ", ".join(f"{counts[word]} {word}" for word in ("passed", "refused", "skipped", "failed")))
    if counts["failed"] or not counts["passed"]:
        sys.exit(1)


if __name__ == "__main__":
    if sys.argv[1] == "--batch":
        batch(sys.argv[2], sys.argv[3:])
    main(*sys.argv[1:])
