"""Archives of the games: BIG, MIX, MPQ (also maps of Warcraft III) and ZIP."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from . import _core
from ._error import Error
from ._model import Data, Model
from ._workspace import StrPath, Workspace

__all__ = ["Archive", "Member", "create", "open"]


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive."""

    archive: Archive
    path: str
    """Its path: `/` between folders, in the archive's own case."""
    size: int
    """Size in bytes. Of a BIG member that is packed, only the packed size is known."""
    packed: int
    """Size in the archive."""
    offset: int
    named: bool
    """Whether its name is known."""

    @property
    def name(self) -> str:
        """Its name without folders."""
        return self.path.rsplit("/", 1)[-1]

    def read(self) -> bytes:
        """Its content."""
        return self.archive.read(self.path)

    def open(self, *, workspace: Workspace | None = None) -> Model:
        """Its content as a model. Files that it refers to are found in the archive."""
        if self.archive.path is None:
            return Model(_core.Model.parse(self.read(), self.path, None))
        path = os.path.join(self.archive.path, *self.path.split("/"))
        return Model(_core.Model.open(path, None, None if workspace is None else workspace._core))

    def __repr__(self) -> str:
        return f"<Member {self.path}: {self.size:,} bytes>"


class Archive(Mapping[str, Member]):
    """An archive: its members by path. Case and the kind of slash do not matter, as in the games."""

    def __init__(self, core: _core.Archive, path: str | None) -> None:
        self._core = core
        self.path = path
        """The file; `None` for one in memory."""

    @property
    def kind(self) -> str:
        """`BIGF`, `BIG4`, `MIX`, `MPQ` or `ZIP`."""
        return self._core.kind

    def read(self, path: str) -> bytes:
        """The content of a member."""
        data = self._core.read(path)
        if data is None:
            raise Error("no such file in the archive", code="ARCHIVE", file=self.path, part=path)
        return data

    def __getitem__(self, path: str) -> Member:
        row = self._core.find(path)
        if row is None:
            raise KeyError(path)
        return Member(self, *row)

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self._core.find(path) is not None

    def __iter__(self) -> Iterator[str]:
        return (row[0] for row in self._core.entries())

    def __len__(self) -> int:
        return len(self._core.entries())

    def members(self) -> list[Member]:
        """All members, in the order of the archive."""
        return [Member(self, *row) for row in self._core.entries()]

    def __repr__(self) -> str:
        return f"<Archive {self.path or 'in memory'}: {self.kind}, {len(self)} members>"

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def open(source: StrPath | Data, *, listfile: Iterable[str] = ()) -> Archive:
    """Opens an archive: a path or its bytes.

    Args:
        source: the archive.
        listfile: names of members that the archive does not name.
    """
    names = list(listfile)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Archive(_core.Archive.open(None, bytes(source), names), None)
    path = os.fspath(source)
    return Archive(_core.Archive.open(path, None, names), path)


def create(path: StrPath, members: Mapping[str, Data], *, kind: str | None = None) -> None:
    """Writes a new archive of these members.

    Args:
        path: the file.
        members: the content of each member, by path.
        kind: `BIGF`, `BIG4`, `MIX`, `MPQ`; by the extension of the file without it.
    """
    _core.create_archive(os.fspath(path), [(name, bytes(data)) for name, data in members.items()], kind)
