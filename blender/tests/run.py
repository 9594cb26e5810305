# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the tests of the extension: `run.py ZIP [CASE...]`, with the Python of an environment that has bpy.

The zip is installed into an empty user folder. Each case is a process of its own: Blender keeps state that no command removes, and some
versions crash at exit.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SECONDS = 600
# In this order: the first installs the extension for the others, the last one removes it.
CASES = (
    "install",
    "w3d_is_imported_as_in_the_game",
    "mdx_is_imported_as_in_the_game",
    "an_untouched_model_keeps_its_bytes",
    "a_failure_of_blender_gives_a_message",
    "the_original_survives_saving",
    "the_original_is_there_after_loading",
    "two_models_do_not_disturb_each_other",
    "edits_change_only_what_they_should",
    "broken_files_give_a_message",
    "folders_and_archives_are_imported",
    "materials_can_be_switched",
    "the_team_colour_can_be_changed",
    "undo_removes_an_import",
    "starters_become_models",
    "a_scene_is_prepared",
    "warnings_come_before_writing",
    "a_clip_without_motion_is_reported",
    "collections_export_themselves",
    "objects_can_be_edited",
    "what_cannot_be_exported_is_a_warning",
    "parts_can_be_shown_and_hidden",
    "clips_can_be_left_out",
    "layers_are_shown",
    "archives_have_pictures",
    "findings_select_parts",
    "ten_kinds_of_edits_arrive",
    "disabled_and_enabled_again",
    "upgraded_and_uninstalled",
)
SMOKE = ("install", "w3d_is_imported_as_in_the_game", "an_untouched_model_keeps_its_bytes")


def main(zip_file, *names):
    names = SMOKE if names == ("smoke",) else names or CASES
    failed = []
    with tempfile.TemporaryDirectory(prefix="meshwright-blender-") as user:
        environment = {
            **os.environ,
            "BLENDER_USER_RESOURCES": os.path.join(user, "user"),
            "MESHWRIGHT_ZIP": os.path.abspath(zip_file),
            "MESHWRIGHT_FILES": os.path.join(user, "files"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        environment.pop("PYTHONPATH", None)
        os.makedirs(environment["MESHWRIGHT_FILES"])
        for name in names:
            command = [sys.executable, str(FOLDER / "case.py"), name]
            try:
                done = subprocess.run(
                    command, env=environment, timeout=SECONDS, capture_output=True, text=True, errors="replace"
                )
                output = done.stdout + done.stderr
            except subprocess.TimeoutExpired:
                output = f"no end after {SECONDS} s"
            if f"PASSED {name}" in output:
                print(f"passed {name}", flush=True)
            else:
                failed.append(name)
                print(output[-6000:])
                print(f"FAILED {name}", flush=True)
    if failed:
        sys.exit(f"{len(failed)} of {len(names)} cases failed: {', '.join(failed)}")
    print(f"{len(names)} cases passed")


if __name__ == "__main__":
    main(*sys.argv[1:])
