"""Each starter model goes through Blender and into its game.

    python starters.py MESHWRIGHT FOLDER

writes the starter of each game to FOLDER, imports it into Blender (no exception, no warning), exports it with the recommended settings, and runs
the command that `demo` shows for it on both files. What is written has to pass `check` for the game without warnings, and has to have the same meshes,
bones, clips, textures and objects with and without Blender. The last line is `N starters, N failed`.

Needs the package bpy (Blender as a Python module).
"""

import json
import subprocess
import sys
from pathlib import Path

from blender import Output, import_glb
from trip import export

GAMES = ["renegade", "generals", "zero-hour", "bfme1", "bfme2", "wc3-classic", "wc3-reforged"]


class Failed(Exception):
    """What went wrong with a starter."""


def run(program, folder, *words):
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout


def converted(program, folder, command, source, game, parts):
    """Runs the command of a starter on a file. Returns what `info` says about all files that were written, in an order of its own."""
    made = f"{parts}/{game}"
    target = f"{made}/{Path(command[2]).name}"
    run(program, folder, "convert", source, target, *command[3:])
    run(program, folder, "check", made, "--profile", game, "--deny", "warnings")
    known = {}
    for file in json.loads(run(program, folder, "info", "--json", made))["files"]:
        meshes = [(mesh["triangles"], mesh["skinned"]) for mesh in file["meshes"]]
        clips = [(clip["name"], clip["seconds"], clip["looping"], clip["speed"]) for clip in file["clips"]]
        known[Path(file["file"]).name] = {
            "meshes": sorted(meshes),
            "clips": sorted(clips, key=str),
            "textures": sorted(texture["name"] for texture in file["textures"]),
            # The armature of Blender is a node more.
            "objects": {what: count for what, count in file["objects"].items() if what != "helper"},
        }
    return known


def judge(program, folder, game):
    shown = run(program, folder, "demo", "--starter", game, "ours")
    command = next(line.split()[1:] for line in shown.splitlines() if line.strip().startswith("meshwright "))
    problem = import_glb(folder / "ours" / f"{game}.glb")
    if problem:
        raise Failed(f"import: {problem}")
    theirs = folder / "theirs" / f"{game}.glb"
    theirs.parent.mkdir(exist_ok=True)
    with Output() as output:
        export(theirs)
    # Blender warns of textures that fill two sockets, such as those of occlusion and roughness; that is as it should be.
    said = [line for line in output.text.splitlines() if "ERROR" in line]
    if said:
        raise Failed(f"export: {said[0]}")
    before = converted(program, folder, command, f"ours/{game}.glb", game, "before")
    after = converted(program, folder, command, f"theirs/{game}.glb", game, "after")
    if before != after:
        raise Failed(f"another model after Blender:\n  {before}\n  {after}")


def main(program, folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for game in GAMES:
        try:
            judge(program, folder, game)
        except Exception as error:  # noqa: BLE001 - one starter must not hide the others
            failed += 1
            print(f"{game}: {error}", flush=True)
    print(f"{len(GAMES)} starters, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
