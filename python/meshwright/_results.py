"""Plain results: dataclasses that can be compared, copied and pickled."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ._error import Error


def _error_of(data: Mapping[str, Any] | None) -> Error | None:
    if data is None:
        return None
    span = data.get("span")
    return Error(
        data["message"],
        code=data["code"],
        file=data.get("file"),
        span=None if span is None else (span[0], span[1]),
        part=data.get("part"),
        advice=data.get("advice"),
    )


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a rule, or a diagnostic about damage."""

    code: str
    """The rule: `meshwright.explain(code)` explains it."""
    severity: str
    """`error`, `warning`, `info` or `hint`."""
    message: str
    span: tuple[int, int]
    """First byte and end in the file."""
    path: str
    """The part of the model, as `Model.tree` names it."""
    note: str | None = None
    """What to do about it."""
    title: str | None = None
    link: str | None = None
    line: int | None = None
    """The line, in a file of text."""
    column: int | None = None

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Finding:
        span = data["span"] if "span" in data else (data["start"], data["end"])
        return cls(
            code=data["code"],
            severity=data["severity"],
            message=data["message"],
            span=(span[0], span[1]),
            path=data["path"],
            note=data.get("note"),
            title=data.get("title"),
            link=data.get("link"),
            line=data.get("line"),
            column=data.get("column"),
        )

    def __str__(self) -> str:
        part = f"{self.path}: " if self.path else ""
        return f"{self.severity}[{self.code}] {part}{self.message}"


@dataclass(frozen=True, slots=True)
class Report:
    """The findings in one file."""

    path: str
    """The file; empty for a model without one."""
    readable: bool
    """Whether it could be read. Otherwise its only finding says why."""
    profile: str | None
    """The game that it was checked for."""
    guessed_because: str | None
    """Why that game, if it was guessed."""
    findings: tuple[Finding, ...]

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Report:
        return cls(
            path=data["path"],
            readable=data["readable"],
            profile=data.get("profile"),
            guessed_because=data.get("guessedBecause"),
            findings=tuple(Finding._of(found) for found in data["findings"]),
        )

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that are errors."""
        return tuple(found for found in self.findings if found.severity == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that are warnings."""
        return tuple(found for found in self.findings if found.severity == "warning")

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Repair:
    """A repair that was made."""

    code: str
    """The rule whose finding it repairs."""
    path: str
    """The part that was changed; empty for the whole file."""
    message: str


@dataclass(frozen=True, slots=True)
class Edited:
    """What a change of parts did."""

    changed: int
    """Number of changed parts; 0 if the model has none of them."""
    notes: list[str]
    """What was lost or assumed, or needs attention."""


@dataclass(frozen=True, slots=True)
class Optimised:
    """What became of a model that was made smaller."""

    changed: int
    """Number of removed and merged parts, keys and vertices."""
    notes: list[str]
    """What was done, and what needs attention."""
    bytes_before: int
    """Its size before, in its binary form."""
    bytes_after: int
    """Its size now."""
    error: float
    """The largest error of a pose: of positions as a fraction of the size of the model."""


@dataclass(frozen=True, slots=True)
class MeshInfo:
    """A mesh of an `Info`."""

    name: str
    vertices: int
    triangles: int
    skinned: bool
    """Whether bones deform it."""


@dataclass(frozen=True, slots=True)
class SkeletonInfo:
    """A skeleton of an `Info`."""

    name: str
    bones: int


@dataclass(frozen=True, slots=True)
class ClipInfo:
    """A clip of an `Info`, as the file has it."""

    name: str
    seconds: float | None
    rate: float | None
    """Frames per second, in formats that count frames."""
    frames: int | None
    interval: tuple[int, int] | None
    """First and last time in milliseconds, in formats that put all clips on one timeline."""
    looping: bool | None
    speed: float | None
    rarity: float | None


@dataclass(frozen=True, slots=True)
class Need:
    """Something that a model refers to in another file."""

    what: str
    """`skeleton`, `model` or `animation`."""
    name: str
    file: str
    """The file that the game loads it from."""
    path: str | None
    """Where it was found."""
    supplied: bool = False
    """Whether it was not found, but the game ships a file of this name."""


@dataclass(frozen=True, slots=True)
class TextureUse:
    """A texture that a model names."""

    name: str
    """As the model spells it."""
    file: str | None
    """The file that its game would use, if one was found."""
    supplied: bool = False
    """Whether it was not found, but the game ships a file of this name."""


@dataclass(frozen=True, slots=True)
class Guess:
    """The game that a model is probably for."""

    guess: str
    candidates: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Info:
    """What a file contains, as `meshwright info --json` prints it."""

    file: str
    format: str
    size: int
    sha256: str | None
    version: str | None
    models: tuple[str, ...]
    vertices: int
    triangles: int
    bones: int
    materials: int
    meshes: tuple[MeshInfo, ...]
    skeletons: tuple[SkeletonInfo, ...]
    clips: tuple[ClipInfo, ...]
    objects: dict[str, int]
    """Number of all other objects by kind."""
    needs: tuple[Need, ...]
    game: Guess
    textures: tuple[TextureUse, ...]
    bounds: tuple[tuple[float, float, float], tuple[float, float, float]] | None
    """Smallest and largest coordinates in the rest pose: Y is up."""
    findings: dict[str, int]
    """Number of findings by severity."""
    error: Error | None = None
    """Why the file cannot be read. Everything else is empty then."""

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Info:
        if data.get("error") is not None:
            return cls._unreadable(data["file"], _error_of(data["error"]))
        bounds = data["bounds"]
        game = data["game"]
        return cls(
            file=data["file"],
            format=data["format"],
            size=data["size"],
            sha256=data["sha256"],
            version=data["version"],
            models=tuple(data["models"]),
            vertices=data["vertices"],
            triangles=data["triangles"],
            bones=data["bones"],
            materials=data["materials"],
            meshes=tuple(MeshInfo(**mesh) for mesh in data["meshes"]),
            skeletons=tuple(SkeletonInfo(**skeleton) for skeleton in data["skeletons"]),
            clips=tuple(_clip_info(clip) for clip in data["clips"]),
            objects=data["objects"],
            needs=tuple(Need(**need) for need in data["needs"]),
            game=Guess(game["guess"], tuple(game["candidates"]), game["reason"]),
            textures=tuple(TextureUse(**texture) for texture in data["textures"]),
            bounds=None if bounds is None else (_point(bounds["min"]), _point(bounds["max"])),
            findings=data["findings"],
        )

    @classmethod
    def _unreadable(cls, file: str, error: Error | None) -> Info:
        return cls(
            file=file,
            format="",
            size=0,
            sha256=None,
            version=None,
            models=(),
            vertices=0,
            triangles=0,
            bones=0,
            materials=0,
            meshes=(),
            skeletons=(),
            clips=(),
            objects={},
            needs=(),
            game=Guess("", (), ""),
            textures=(),
            bounds=None,
            findings={},
            error=error,
        )

    @property
    def missing_textures(self) -> tuple[str, ...]:
        """The textures that were not found, and that the game does not supply."""
        return tuple(texture.name for texture in self.textures if texture.file is None and not texture.supplied)


def _point(numbers: list[float | None]) -> tuple[float, float, float]:
    x, y, z = (float("nan") if number is None else number for number in numbers)
    return x, y, z


def _clip_info(data: Mapping[str, Any]) -> ClipInfo:
    interval = data["interval"]
    values = {**data, "interval": None if interval is None else (interval[0], interval[1])}
    return ClipInfo(**values)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a file was written back byte for byte."""

    file: str
    format: str | None
    size: int
    result: str
    """`identical`, `differs` or `unreadable`."""
    difference: dict[str, Any] | None
    """The first difference: `way`, `at`, and the sizes `before` and `after`."""
    error: Error | None

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Verdict:
        return cls(
            file=data["file"],
            format=data["format"],
            size=data["size"],
            result=data["result"],
            difference=data["difference"],
            error=_error_of(data["error"]),
        )


@dataclass(frozen=True, slots=True)
class Use:
    """A model that refers to a file."""

    model: str
    name: str
    """As the model spells it."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result of `meshwright.find`."""

    files: tuple[str, ...]
    used_by: tuple[Use, ...]
    problems: tuple[Error, ...] = ()
    """Paths that could not be searched."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was lost, missing or assumed."""

    kind: str
    """`missing`, `skipped`, `damaged` or `assumed`."""
    part: str
    """What it is about; empty if only the number of parts is known."""
    message: str
    count: int = 1
    is_loss: bool = True
    """An assumption is not a loss."""
    cause: str | None = None
    """A stable word for causes that a program can help with, such as `missing-companion`."""
    advice: str | None = None

    def __str__(self) -> str:
        part = self.part if self.part else str(self.count)
        return f"{self.kind}: {part}{':' if self.part else ''} {self.message}"


def _notes(report: Mapping[str, Any]) -> tuple[Note, ...]:
    notes = [Note(**note) for note in report["notes"]]
    if report["suppressed"]:
        notes.append(Note("skipped", "", "further notes", report["suppressed"], False))
    return tuple(notes)


@dataclass(frozen=True, slots=True)
class Converted:
    """The files that a conversion made, and what it lost. Nothing is on the disk before `save`."""

    data: bytes = field(repr=False)
    """The main file."""
    files: dict[str, bytes] = field(repr=False)
    """Further files in the same folder, by name."""
    notes: tuple[Note, ...]
    """What was lost, missing or assumed."""
    read: tuple[str, ...]
    """The files that were read for it, besides the model."""
    renamed: str | None = None
    """The name of the main file, if the game looks for it under another name than the given one."""

    @classmethod
    def _of(cls, made: tuple[bytes, list[tuple[str, bytes]], str]) -> Converted:
        data, files, text = made
        report = json.loads(text)
        return cls(data, dict(files), _notes(report["report"]), tuple(report["read"]), report["renamed"])

    @property
    def losses(self) -> tuple[Note, ...]:
        """The notes about losses, without assumptions."""
        return tuple(note for note in self.notes if note.is_loss)

    @property
    def missing(self) -> tuple[Note, ...]:
        """The notes about files that were not found."""
        return tuple(note for note in self.notes if note.kind == "missing")

    def save(self, path: str | os.PathLike[str]) -> str:
        """Writes all files; the main one last, so that once it exists, the others exist. Returns its path."""
        from ._core import write_file

        folder, name = os.path.split(os.fspath(path))
        names = [*self.files, *([self.renamed] if self.renamed else [])]
        if any(os.path.basename(other) != other for other in names):
            raise ValueError("a file would be written outside the folder")
        target = os.path.join(folder, self.renamed or name)
        for other, data in self.files.items():
            write_file(os.path.join(folder, other), data)
        write_file(target, self.data)
        return target


@dataclass(frozen=True, slots=True)
class ConvertedFile:
    """What became of one of many files that were converted."""

    file: str
    """The file that was read."""
    written: tuple[str, ...]
    """The files that were written, the main one first."""
    notes: tuple[Note, ...]
    """What was lost, missing or assumed."""
    error: Error | None
    """Why nothing was written."""

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> ConvertedFile:
        return cls(data["file"], tuple(data["written"]), _notes(data["report"]), _error_of(data["error"]))


@dataclass(frozen=True, slots=True)
class Change:
    """A difference between two models."""

    path: str
    """The part of the model."""
    change: str
    """`added`, `removed`, `reordered`, `field`, `array` or `bytes`."""
    name: str | None = None
    """The field or array."""
    before: Any = None
    after: Any = None
    details: dict[str, Any] = field(default_factory=dict)
    """More about an array: `changed`, `largest`, `removed`, `added`, `first`; the `size` of a part; `at` of bytes."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Change:
        rest = dict(data)
        names = ("path", "change", "name", "before", "after")
        known = {name: rest.pop(name) for name in names if name in rest}
        return cls(**known, details=rest)

    def __str__(self) -> str:
        path = self.path or "the file"
        if self.change == "field":
            return f"{path}: {self.name} {self.before} -> {self.after}"
        return f"{path}: {self.change}" + (f" {self.name}" if self.name else "")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a part of a model."""

    name: str
    offset: int
    """Offset in the file."""
    size: int
    type: str
    value: Any = None
    number: int | None = None
    """The number behind a name or flags."""
    omitted: int | None = None
    """How many elements or bytes are not listed."""


@dataclass(frozen=True, slots=True)
class Part:
    """A chunk of a model, and the chunks in it."""

    name: str
    offset: int
    """Offset in the file."""
    size: int
    id: str | None = None
    label: str | None = None
    """The name that people gave it."""
    framing: str | None = None
    size_delta: str | None = None
    """By how much the stored size is wrong."""
    findings: tuple[Finding, ...] = ()
    fields: tuple[Field, ...] = ()
    hex: str | None = None
    children: tuple[Part, ...] = ()

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Part:
        return cls(
            name=data["name"],
            offset=data["offset"],
            size=data["size"],
            id=data.get("id"),
            label=data.get("label"),
            framing=data.get("framing"),
            size_delta=data.get("size_delta"),
            findings=tuple(Finding._of(found) for found in data.get("findings", ())),
            fields=tuple(Field(**field) for field in data.get("fields", ())),
            hex=data.get("hex"),
            children=tuple(cls._of(child) for child in data.get("children", ())),
        )

    def walk(self) -> Iterator[Part]:
        """This part and all below it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def __str__(self) -> str:
        return "\n".join(self._lines(0))

    def _lines(self, depth: int) -> Iterator[str]:
        label = f" {self.label!r}" if self.label else ""
        yield f"{'  ' * depth}{self.name}{label} ({self.size:,} bytes)"
        for child in self.children:
            yield from child._lines(depth + 1)


@dataclass(frozen=True, slots=True)
class Bone:
    """A bone of a `Skeleton`."""

    name: str
    parent: int | None
    """Index of its parent in the skeleton's bones."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A skeleton as the file has it."""

    name: str
    bones: tuple[Bone, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a scene: a bone, or the place of something else."""

    name: str
    parent: int | None
    """Index of its parent in the nodes of the scene."""
    is_bone: bool


@dataclass(frozen=True, slots=True)
class Material:
    """A material of a scene: layers, the lowest first."""

    name: str
    textures: tuple[str, ...]
    """The names of the textures of all layers."""
    layers: tuple[dict[str, Any], ...] = field(repr=False)
    """Everything about each layer, as in the extras of glTF (docs/gltf.md)."""
    details: dict[str, Any] = field(repr=False, default_factory=dict)
    """Everything else about the material."""


@dataclass(frozen=True, slots=True)
class SceneTexture:
    """A texture of a scene."""

    name: str
    """Empty if the game supplies it."""
    replaceable: int | None
    """The number of a texture that the game supplies."""
