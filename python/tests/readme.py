"""Runs the examples of the README. It needs nothing but the package."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import meshwright as mw

README = Path(__file__).resolve().parents[1] / "README.md"


def main() -> None:
    examples = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(examples) >= 3, "the README has lost its examples"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        mw.samples("art")
        for example in examples:
            exec(compile(example, "README.md", "exec"), {"__name__": "example"})
        os.chdir(os.path.dirname(__file__))
    print(f"{len(examples)} examples run with meshwright {mw.__version__}")


main()
