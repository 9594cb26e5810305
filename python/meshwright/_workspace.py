"""Where models and the files that they refer to are searched."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _core

StrPath = str | os.PathLike[str]
Paths = StrPath | Iterable[StrPath]


def _paths(paths: Paths) -> list[str]:
    if isinstance(paths, (str, os.PathLike)):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]


class Workspace:
    """Folders and archives to search, mounted games, and limits. One serves many models and all threads.

    What was found is remembered: use a new workspace after files were added.

    Args:
        with_: files and folders with skeletons, animations and models that models refer to.
        textures: folders that are searched for textures, with everything below them.
        folders: folders that you work on: textures, skeletons and models are searched in them and below them.
        game: installed games to mount, the first to search first. Models in them are opened by their path in the game.
        listfile: names of members that archives do not name.
        limits: limits for the size of one model: `nodes`, `vertices`, `keys`, `samples`, `pixels`, `bytes`, and `file` for the size of a file.
    """

    def __init__(
        self,
        *,
        with_: Paths = (),
        textures: Paths = (),
        folders: Paths = (),
        game: Paths = (),
        listfile: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
    ) -> None:
        self._places: dict[str, Any] = {
            "with_": _paths(with_),
            "textures": _paths(textures),
            "folders": _paths(folders),
            "game": _paths(game),
            "listfile": list(listfile),
            "limits": dict(limits or {}),
        }
        self._core = _core.Workspace(**self._places)

    def read(self, path: StrPath) -> bytes:
        """The bytes of a file, which may be in an archive or in a mounted game."""
        return self._core.read(os.fspath(path))

    def resolve(self, path: StrPath) -> str | None:
        """The path at which a file is found: unchanged, or below the mounted game; `None` if it is nowhere."""
        found = self._core.resolve(os.fspath(path))
        return None if found is None else os.fspath(found)

    def __repr__(self) -> str:
        places = ", ".join(f"{name}={value!r}" for name, value in self._places.items() if value)
        return f"Workspace({places})"

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self._places,)


def _restore(places: dict[str, Any]) -> Workspace:
    return Workspace(**places)


def _core_of(workspace: Workspace | None) -> _core.Workspace | None:
    return None if workspace is None else workspace._core


def _places_of(workspace: Workspace | None) -> dict[str, Any]:
    return (workspace or Workspace())._places
