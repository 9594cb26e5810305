"""Textures: BLP, DDS, TGA and PNG are read and written, JPEG is read."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Literal

from . import _core
from ._core import Array
from ._model import Data, Picture
from ._results import Note, _notes
from ._workspace import StrPath, Workspace, _core_of

__all__ = ["Texture", "encode", "read", "write"]

Format = Literal["blp", "dds", "tga", "png"]


@dataclass(frozen=True, slots=True)
class Texture:
    """A texture: its levels, the largest first."""

    levels: tuple[Picture, ...]
    container: str
    """The file format: `blp1`, `dds`, `tga`, `png`, `jpeg` and so on."""
    encoding: str
    """How pixels are stored."""
    has_alpha: bool
    mips: int
    """Levels that the file has."""
    broken: str | None = field(default=None)
    """Why smaller levels are missing."""

    @property
    def width(self) -> int:
        """Width in pixels."""
        return self.levels[0].width

    @property
    def height(self) -> int:
        """Height in pixels."""
        return self.levels[0].height

    @property
    def pixels(self) -> Array:
        """The largest level: an array of height x width x 4 bytes, red, green, blue and alpha."""
        return self.levels[0].pixels

    def _repr_png_(self) -> bytes:
        return self.levels[0].to_png()

    def __repr__(self) -> str:
        return f"<Texture {self.width}x{self.height} {self.container}, {len(self.levels)} levels>"


def read(source: StrPath | Data, *, name: str | None = None, workspace: Workspace | None = None) -> Texture:
    """Reads a texture.

    Args:
        source: a path, which may lead into an archive, or the bytes of a file.
        name: the name of the file of bytes. TGA has no mark, so its name decides.
        workspace: mounted games and limits.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        levels, text = _core.read_texture(bytes(source), name, _core_of(workspace))
    else:
        levels, text = _core.read_texture(None, os.fspath(source), _core_of(workspace))
    return Texture(tuple(Picture(level) for level in levels), **json.loads(text))


def encode(
    pixels: Any,
    format: Format,
    *,
    mips: Literal["generate", "none"] = "generate",
    dds_format: Literal["auto", "bc1", "bc3", "rgba"] = "auto",
    blp_format: Literal["jpeg", "palette"] = "jpeg",
    quality: int = 90,
) -> tuple[bytes, tuple[Note, ...]]:
    """A texture file made of pixels, and what was lost.

    Args:
        pixels: an array of height x width x 4 bytes: of `Texture.pixels`, or of numpy.
        format: `blp`, `dds`, `tga` or `png`.
        mips: whether smaller levels are made, in formats that have them.
        dds_format: pixels of DDS. `auto` is BC1 for opaque pictures, otherwise BC3.
        blp_format: pixels of BLP.
        quality: quality of JPEG inside BLP, from 1 to 100.
    """
    view = memoryview(pixels)
    if view.ndim != 3 or view.shape is None or view.shape[2] != 4 or view.itemsize != 1:
        raise ValueError("expected an array of height x width x 4 bytes")
    height, width, _ = view.shape
    choices = {"format": format, "mips": mips, "dds_format": dds_format, "blp_format": blp_format, "quality": quality}
    data, report = _core.write_texture(view.tobytes(), width, height, json.dumps(choices))
    return data, _notes(json.loads(report))


def write(
    path: StrPath,
    pixels: Any,
    *,
    mips: Literal["generate", "none"] = "generate",
    dds_format: Literal["auto", "bc1", "bc3", "rgba"] = "auto",
    blp_format: Literal["jpeg", "palette"] = "jpeg",
    quality: int = 90,
) -> tuple[Note, ...]:
    """Writes pixels as a texture file in the format of its extension. Returns what was lost. The options are those of `encode`."""
    target = os.fspath(path)
    extension = os.path.splitext(target)[1].lstrip(".").lower()
    if extension not in ("blp", "dds", "tga", "png"):
        raise ValueError(f"cannot write {extension or 'a file without an extension'}; available: blp, dds, tga, png")
    formats: dict[str, Format] = {"blp": "blp", "dds": "dds", "tga": "tga", "png": "png"}
    data, notes = encode(
        pixels,
        formats[extension],
        mips=mips,
        dds_format=dds_format,
        blp_format=blp_format,
        quality=quality,
    )
    _core.write_file(target, data)
    return notes
