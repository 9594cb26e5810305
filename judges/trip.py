"""Blender imports what we write and exports it again.

    python trip.py IN OUT [--default]

reads every .glb of the folder IN and writes it to the folder OUT under the same name, with the settings that docs/authoring.md recommends, or
with those that Blender has without any choice. Files that are in OUT already are skipped, so a run that was stopped can be continued. The last
line is `N files, N failed`.

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


def export_by_default(target):
    """Exports the scene as somebody does who changes no setting."""
    bpy.ops.export_scene.gltf(filepath=str(target))


def load(source):
    """Imports a file into an empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 30
    bpy.ops.import_scene.gltf(filepath=str(source))


def main(arguments):
    write = export_by_default if "--default" in arguments else export
    folder, out = (Path(argument) for argument in arguments if not argument.startswith("--"))
    out.mkdir(parents=True, exist_ok=True)
    files = sorted(folder.glob("*.glb"), key=lambda file: (file.stat().st_size, file))
    failed = 0
    for file in files:
        if (out / file.name).exists():
            continue
        try:
            load(file)
            write(out / file.name)
        except Exception as error:  # noqa: BLE001 - whatever Blender throws is its verdict
            failed += 1
            print(f"{file.name}: {error}")
    print(f"{len(files)} files, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
