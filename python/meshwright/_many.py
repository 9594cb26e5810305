"""Many files at once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar, Unpack

from . import _core
from ._model import ConvertOptions
from ._results import ConvertedFile, Found, Info, Report, Use, Verdict, _error_of
from ._workspace import Paths, StrPath, Workspace, _paths, _places_of

Result = TypeVar("Result", covariant=True)
Progress = Callable[[int, int], object]
"""Called with the number of finished files and the number of all."""


class Results(Generic[Result], Iterator[Result]):
    """The results of many files, in the order of the files. Work goes on in other threads while you use them.

    `len` is the number of files. Breaking out of a loop, Ctrl-C and `stop` end the work.
    """

    def __init__(
        self,
        batch: _core.Batch,
        make: Callable[[Mapping[str, Any]], Result],
        progress: Progress | None,
    ) -> None:
        self._batch = batch
        self._make = make
        self._progress = progress
        self._done = 0

    def __iter__(self) -> Results[Result]:
        return self

    def __next__(self) -> Result:
        result = self._make(json.loads(next(self._batch)))
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, len(self._batch))
        return result

    def __len__(self) -> int:
        return len(self._batch)

    def stop(self) -> None:
        """Starts no further file. Results that are there can still be taken."""
        self._batch.stop()

    def __repr__(self) -> str:
        return f"<Results: {self._done} of {len(self)} taken>"


def _request(paths: Paths, workspace: Workspace | None, jobs: int | None) -> dict[str, Any]:
    return {**_places_of(workspace), "paths": _paths(paths), "jobs": jobs}


def info(
    paths: Paths,
    *,
    hash: bool = True,
    jobs: int | None = None,
    progress: Progress | None = None,
    workspace: Workspace | None = None,
) -> Results[Info]:
    """What many files contain. Folders and archives are searched for models.

    Args:
        paths: files, folders and archives.
        hash: compute the SHA-256 of each file.
        jobs: number of threads (default: one for each core).
        progress: called after each file with the number of finished files and of all.
        workspace: where to search for files that models refer to.
    """
    return Results(_core.info(_request(paths, workspace, jobs), "{}", hash), Info._of, progress)


def check(
    paths: Paths,
    profile: str | None = None,
    *,
    allow: tuple[str, ...] | list[str] = (),
    warn: tuple[str, ...] | list[str] = (),
    deny: tuple[str, ...] | list[str] = (),
    surroundings: bool = True,
    jobs: int | None = None,
    progress: Progress | None = None,
    workspace: Workspace | None = None,
) -> Results[Report]:
    """The findings of the rules in many files, as `meshwright check` reports them.

    The settings of a `meshwright.toml` above the files are used, and the game is guessed from all files of a folder.

    Args:
        paths: files, folders and archives.
        profile: the game, `meshwright.GAMES`.
        allow: rules that are off: codes, beginnings of codes, or `all`.
        warn: rules whose findings are warnings.
        deny: rules whose findings are errors.
        surroundings: search other files for skeletons, animations and textures.
        jobs: number of threads (default: one for each core).
        progress: called after each file with the number of finished files and of all.
        workspace: where to search for files that models refer to.
    """
    choices = {"profile": profile, "allow": list(allow), "warn": list(warn), "deny": list(deny)}
    batch = _core.check(_request(paths, workspace, jobs), json.dumps(choices), surroundings)
    return Results(batch, Report._of, progress)


def verify(
    paths: Paths,
    *,
    text: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
    workspace: Workspace | None = None,
) -> Results[Verdict]:
    """Reads files, writes them back, and compares the bytes; with `text` also by way of JSON and MDL."""
    return Results(_core.verify(_request(paths, workspace, jobs), text), Verdict._of, progress)


def convert_all(
    paths: Paths,
    folder: StrPath,
    format: str,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    workspace: Workspace | None = None,
    **options: Unpack[ConvertOptions],
) -> Results[ConvertedFile]:
    """Converts many models, or textures, into a folder. Sub-folders are preserved.

    Args:
        paths: files, folders and archives.
        folder: where files are written.
        format: the format of all of them.
        jobs: number of threads (default: one for each core).
        progress: called after each file with the number of finished files and of all.
        workspace: where to search for files that models refer to.
    """
    choices = json.dumps({**options, "format": format})
    batch = _core.convert_all(_request(paths, workspace, jobs), os.fspath(folder), choices)
    return Results(batch, ConvertedFile._of, progress)


def find(
    name: str,
    paths: Paths,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    workspace: Workspace | None = None,
) -> Found:
    """The files of this name below some folders and archives, and the models that refer to it.

    Args:
        name: a name, a path, or a pattern of either. Extensions of textures stand for each other.
        paths: files, folders and archives.
        jobs: number of threads (default: one for each core).
        progress: called after each file with the number of finished files and of all.
        workspace: mounted games and limits.
    """
    rows = Results(_core.find(_request(paths, workspace, jobs), name), dict, progress)
    files: list[str] = []
    uses: list[Use] = []
    problems = []
    for row in rows:
        if row["is_it"]:
            files.append(row["file"])
        uses.extend(Use(row["file"], used) for used in row["uses"])
        error = _error_of(row["error"])
        if error is not None:
            problems.append(error)
    return Found(tuple(files), tuple(uses), tuple(problems))
