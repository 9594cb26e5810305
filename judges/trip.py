"""Blender imports what we write and exports it again, with the settings that the documentation recommends.

    python trip.py IN OUT

reads every .glb of the folder IN and writes it to the folder OUT under the same name. The last line is `N files, N failed`.

Needs the package bpy (Blender as a Python module).
"""

import sys
from pathlib import Path

import bpy


def export(target):
    """Exports the scene with the settings that docs/authoring.md recommends."""
    bpy.ops.export_scene.gltf(
        filepath=str(target),
        export_format="GLB",
        export_extras=True,
        export_force_sampling=False,
        export_cameras=True,
        export_lights=True,
    )


def trip(source, target):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 30
    bpy.ops.import_scene.gltf(filepath=str(source))
    export(target)


def main():
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    files = sorted(folder.glob("*.glb"))
    failed = 0
    for file in files:
        try:
            trip(file, out / file.name)
        except Exception as error:  # noqa: BLE001 - whatever Blender throws is its verdict
            failed += 1
            print(f"{file.name}: {error}")
    print(f"{len(files)} files, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
