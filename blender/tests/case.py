# SPDX-License-Identifier: GPL-3.0-or-later
"""One case, in a process of its own: `case.py NAME`. The cases are functions of the modules `cases_*`."""

import os
import sys
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))


def main(name):
    import support

    support.start(name)
    import cases_edit
    import cases_import
    import cases_life
    import cases_objects

    for module in (cases_import, cases_edit, cases_objects, cases_life):
        if hasattr(module, name):
            getattr(module, name)()
            print(f"PASSED {name}", flush=True)
            return
    raise SystemExit(f"no case is named {name}")


if __name__ == "__main__":
    code = 1
    try:
        main(sys.argv[1])
        code = 0
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    # Some versions of Blender crash when Python ends.
    os._exit(code)
