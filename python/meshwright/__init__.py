"""Read, check, convert, render and change game models without losing a byte.

W3D (Renegade, Generals, Zero Hour, The Battle for Middle-earth) and MDX and MDL (Warcraft III, Reforged).

    import meshwright as mw

    tank = mw.open("tank.w3d")
    tank.retexture("tank.tga", "snow_tank.dds")
    tank.save("snow_tank.w3d")

Everything that the command line can do is here, in the same words. docs/python.md has ten jobs as examples.
"""

from __future__ import annotations

import json
import os
from typing import Unpack

from . import _core, archive, texture
from ._core import Array, Mesh, SceneMesh, __version__
from ._error import Error
from ._many import Results, check, convert_all, find, info, verify
from ._model import (
    Applied,
    ConvertOptions,
    Data,
    GltfOptions,
    Model,
    Picture,
    RenderOptions,
    Shown,
    Visibility,
)
from ._results import (
    Bone,
    Change,
    ClipInfo,
    Converted,
    ConvertedFile,
    Edited,
    Field,
    Finding,
    Found,
    Guess,
    Info,
    Material,
    MeshInfo,
    Need,
    Node,
    Note,
    Optimised,
    Part,
    Repair,
    Report,
    SceneTexture,
    Skeleton,
    SkeletonInfo,
    TextureUse,
    Use,
    Verdict,
)
from ._scene import Clip, Poses, Scene
from ._workspace import StrPath, Workspace, _core_of

__all__ = [
    "GAMES",
    "Applied",
    "Array",
    "Bone",
    "Change",
    "Clip",
    "ClipInfo",
    "ConvertOptions",
    "Converted",
    "ConvertedFile",
    "Edited",
    "Error",
    "Field",
    "Finding",
    "Found",
    "GltfOptions",
    "Guess",
    "Info",
    "Material",
    "Mesh",
    "MeshInfo",
    "Model",
    "Need",
    "Node",
    "Note",
    "Optimised",
    "Part",
    "Picture",
    "Poses",
    "RenderOptions",
    "Repair",
    "Report",
    "Results",
    "Scene",
    "SceneMesh",
    "SceneTexture",
    "Shown",
    "Skeleton",
    "SkeletonInfo",
    "TextureUse",
    "Use",
    "Verdict",
    "Visibility",
    "Workspace",
    "__version__",
    "archive",
    "check",
    "convert",
    "convert_all",
    "explain",
    "find",
    "info",
    "open",
    "open_gltf",
    "samples",
    "texture",
    "verify",
]

GAMES: tuple[str, ...] = tuple(_core.games())
"""The games, as `check` and `convert` name them."""


def open(
    source: StrPath | Data | archive.Member,
    *,
    format: str | None = None,
    name: str | None = None,
    workspace: Workspace | None = None,
) -> Model:
    """Opens a model: W3D, MDX, MDL, or the JSON text form, recognised by its content.

    Args:
        source: a path, which may lead into an archive (`W3DZH.big/art/w3d/tank.w3d`) or a mounted game; bytes; or a member of an archive.
        format: read it as this format.
        name: the path that bytes came from. The files that a model refers to are searched near it.
        workspace: where files are read from.
    """
    if isinstance(source, archive.Member):
        return source.open(workspace=workspace)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Model(_core.Model.parse(bytes(source), name, format))
    return Model(_core.Model.open(os.fspath(source), format, _core_of(workspace)))


def open_gltf(source: StrPath | Data, *, workspace: Workspace | None = None) -> Scene:
    """Opens a glTF file of any program as a scene: a path or the bytes of a GLB."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Scene(_core.Scene.from_gltf(bytes(source), None, _core_of(workspace)))
    path = os.fspath(source)
    return Scene(_core.Scene.from_gltf((workspace or Workspace()).read(path), path, _core_of(workspace)))


def convert(
    source: StrPath | Data,
    target: StrPath | None = None,
    *,
    format: str | None = None,
    onto: StrPath | None = None,
    file_name: str | None = None,
    workspace: Workspace | None = None,
    **options: Unpack[ConvertOptions],
) -> Converted:
    """Converts a file: a model or glTF to a model, glTF or plain geometry; a texture to a texture.

    Args:
        source: a path, or the bytes of a file.
        target: the file to write, with further files next to it; without it nothing is written.
        format: the format; that of the extension of `target` without it.
        onto: the model that a glTF file was written of: only what was changed since is different from it.
        file_name: the name that the file will have, if it is not written here. W3D models are named as their files.
        workspace: where to search for skeletons, animations and textures besides the folder of the source.
    """
    if file_name is None and target is not None:
        file_name = os.path.basename(os.fspath(target))
    choices = json.dumps({**options, "format": format, "file_name": file_name})
    core = _core_of(workspace)
    original = None if onto is None else os.fspath(onto)
    if isinstance(source, (bytes, bytearray, memoryview)):
        made = _core.convert(bytes(source), None, choices, original, core)
    else:
        made = _core.convert(None, os.fspath(source), choices, original, core)
    converted = Converted._of(made)
    if target is not None:
        converted.save(target)
    return converted


def explain(code: str) -> str:
    """The explanation of a rule of `check`."""
    text = _core.explain_rule(code)
    if text is None:
        raise KeyError(code)
    return text


def samples(folder: StrPath | None = None) -> dict[str, bytes]:
    """Sample models with their textures, by file name: for a try, and for tests. With a folder, they are also written there."""
    files = dict(_core.samples())
    if folder is not None:
        os.makedirs(folder, exist_ok=True)
        for name, data in files.items():
            _core.write_file(os.path.join(os.fspath(folder), name), data)
    return files
