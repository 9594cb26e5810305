"""Every example of the README and of docs/python.md runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import meshwright as mw

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "python/README.md", ROOT / "docs/python.md"]


def examples(document: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", document.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_examples_run(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    pytest.importorskip("matplotlib")
    mw.samples(tmp_path / "mod")
    mw.samples(tmp_path / "art")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "snow").mkdir()
    found = examples(document)
    assert len(found) >= (10 if document.name == "python.md" else 3)
    for example in found:
        exec(compile(example, document.name, "exec"), {"__name__": "example"})
    if document.name == "python.md":
        written = ["snow/mwtank.w3d", "aim.png", "thumbnails.html", "crate_with_clips.glb", "catalogue.csv", "tank_edited.w3d"]
        assert [name for name in written if not (tmp_path / name).stat().st_size] == []
        assert mw.open("snow/mwtank.w3d").textures[0].name == "snow_mwtank.dds"
        assert len((tmp_path / "catalogue.csv").read_text().splitlines()) == 7
        assert mw.open("tank_edited.w3d") == mw.open("mod/mwtank.w3d")
