"""The samples of the package, in a folder of their own for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

import meshwright as mw


@pytest.fixture
def art(tmp_path: Path) -> Path:
    """A folder with the sample models and their textures."""
    mw.samples(tmp_path / "art")
    return tmp_path / "art"
