"""Scenes, clips and poses."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from . import _core
from ._core import Array, SceneMesh
from ._error import Error
from ._results import Material, Node, Note, SceneTexture, _notes

MAX_POSES = 1_000_000
"""The most poses that are sampled at once without a list of times. A damaged clip may say that it lasts for years."""


@dataclass(frozen=True, slots=True)
class Poses:
    """The poses of a scene at some moments."""

    times: tuple[float, ...]
    """Seconds since the start of the clip."""
    nodes: tuple[Node, ...] = field(repr=False)
    matrices: Array
    """From the space of each node to model space: moments, nodes, rows, columns. Y is up."""

    def of(self, name: str) -> list[list[list[float]]]:
        """The matrices of the node of this name, one for each moment."""
        names = [node.name.lower() for node in self.nodes]
        index = names.index(name.lower())
        return [self.matrices[moment][index].tolist() for moment in range(len(self.times))]


class Clip:
    """An animation of a scene."""

    __slots__ = ("_index", "_scene", "looping", "name", "rarity", "rate", "seconds", "speed")

    def __init__(self, scene: Scene, index: int, data: dict[str, Any]) -> None:
        self._scene = scene
        self._index = index
        self.name: str = data["name"]
        self.seconds: float = data["seconds"] or 0.0
        self.looping: bool = data["looping"]
        self.rate: float | None = data["rate"]
        """Frames per second, in formats that count frames."""
        self.speed: float = data["speed"] or 0.0
        """Units that the model moves in a second."""
        self.rarity: float = data["rarity"] or 0.0

    def sample(self, times: Iterable[float] | None = None, *, fps: float | None = None) -> Poses:
        """The poses at these times, or `fps` times a second (default: the rate of the clip, or 30) from start to end."""
        if times is None:
            rate = fps or self.rate or 30.0
            count = self.seconds * rate
            if not 0.0 <= count < MAX_POSES:
                raise Error(f"the clip has {count:.0f} poses, more than {MAX_POSES}: give times", code="POSE-SIZE")
            times = [frame / rate for frame in range(int(count + 1e-6) + 1)]
        moments = tuple(float(time) for time in times)
        matrices = self._scene._core.sample(self._index, list(moments))
        return Poses(moments, self._scene.nodes, matrices)

    def __repr__(self) -> str:
        return f"<Clip {self.name!r}: {self.seconds:.3f} s>"


class Scene:
    """A model with everything that belongs to it in one space: Y is up, times are in seconds."""

    def __init__(self, core: _core.Scene) -> None:
        self._core = core
        data = json.loads(core.describe())
        report = json.loads(core.report)
        self.name: str = data["name"]
        self.nodes: tuple[Node, ...] = tuple(Node(**node) for node in data["nodes"])
        self.clips: tuple[Clip, ...] = tuple(Clip(self, index, clip) for index, clip in enumerate(data["clips"]))
        self.textures: tuple[SceneTexture, ...] = tuple(SceneTexture(**texture) for texture in data["textures"])
        self.materials: tuple[Material, ...] = tuple(self._material(material) for material in data["materials"])
        self.bounds: dict[str, list[float]] | None = data["bounds"]
        """Smallest (`min`) and largest (`max`) coordinates in the rest pose."""
        self.notes: tuple[Note, ...] = _notes(report["report"])
        """What could not be converted or found."""
        self.read: tuple[str, ...] = tuple(report["read"])
        """The files that were read for it, besides the model."""

    def _material(self, data: dict[str, Any]) -> Material:
        rest = dict(data)
        layers = tuple(rest.pop("layers", ()))
        indices = [slot.get("texture") for layer in layers for slot in layer.get("slots", ())]
        names = [self.textures[index].name for index in indices if index is not None and index < len(self.textures)]
        return Material(rest.pop("name", ""), tuple(dict.fromkeys(name for name in names if name)), layers, rest)

    @property
    def meshes(self) -> list[SceneMesh]:
        """The meshes."""
        return self._core.meshes

    def clip(self, name: str) -> Clip:
        """The clip of this name, or the first whose name begins so."""
        return self.clips[self._core.find_clip(name)]

    def rest(self) -> Poses:
        """The rest pose."""
        return Poses((0.0,), self.nodes, self._core.sample(None, [0.0]))

    def positions(self, mesh: int, clip: Clip | str | None = None, time: float = 0.0) -> Array:
        """The positions of the vertices of a mesh at a moment, moved by its bones."""
        if isinstance(clip, str):
            clip = self.clip(clip)
        return self._core.deform(mesh, None if clip is None else clip._index, time)

    def visible(self, clip: Clip | str | None, times: Iterable[float]) -> list[list[bool]]:
        """Whether each mesh shows, at each of these times of a clip."""
        if isinstance(clip, str):
            clip = self.clip(clip)
        return self._core.visible(None if clip is None else clip._index, [float(time) for time in times])

    def __repr__(self) -> str:
        return f"<Scene {self.name!r}: {len(self.meshes)} meshes, {len(self.nodes)} nodes, {len(self.clips)} clips>"
