"""The compiled half of the package. Use `meshwright` instead."""

import os
from collections.abc import Iterator
from typing import Any, final

__version__: str

__all__ = [
    "Archive",
    "Array",
    "Batch",
    "Mesh",
    "Model",
    "Picture",
    "Scene",
    "SceneMesh",
    "Workspace",
    "__version__",
    "add",
    "add_clip",
    "attach",
    "blend",
    "change_clip",
    "check",
    "convert",
    "convert_all",
    "create_archive",
    "explain_rule",
    "find",
    "fix",
    "games",
    "info",
    "keep",
    "merge",
    "mirror",
    "names",
    "optimise",
    "read_texture",
    "recolour",
    "recompute",
    "remove",
    "rename",
    "render",
    "retexture",
    "rotate",
    "samples",
    "scale",
    "set",
    "split",
    "strip",
    "translate",
    "verify",
    "write_file",
    "write_texture",
]

_Path = str | os.PathLike[str]
_Row = tuple[str, int, int, int, bool]
_Made = tuple[bytes, list[tuple[str, bytes]], str]

@final
class Array:
    """A read-only array of numbers. numpy takes it without a copy: `numpy.asarray(array)`."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of elements along each side."""
    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next along each side."""
    @property
    def format(self) -> str:
        """The type of an element, as in the module `struct`: `f`, `B`, `H` or `I`."""
    def tolist(self) -> list[Any]:
        """The numbers as nested lists."""
    def tobytes(self) -> bytes:
        """A copy of the numbers, packed."""
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Any: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class Mesh:
    """A mesh of W3D, or a geoset of MDX, as it is in the file: Z is up. Its arrays are the memory of the model."""

    @property
    def name(self) -> str:
        """Its name, in W3D with the container's: `TANK.BARREL`. Geosets without one are called `Geoset 0` and so on."""
    @property
    def positions(self) -> Array:
        """The position of each vertex. In a W3D skin each vertex is in the space of its bone."""
    @property
    def normals(self) -> Array:
        """The normal of each vertex."""
    @property
    def uv_sets(self) -> list[Array]:
        """Sets of texture coordinates. V is upwards in W3D and downwards in MDX."""
    @property
    def colors(self) -> Array | None:
        """Red, green, blue and alpha of each vertex, if the file has them."""
    @property
    def triangles(self) -> Array:
        """The vertices of each triangle. Damaged files have indices that are out of range: check before use."""
    @property
    def textures(self) -> list[str]:
        """The names of the textures of a W3D mesh."""
    @property
    def material(self) -> int | None:
        """The number of the material of an MDX geoset."""
    @property
    def skin(self) -> tuple[Array, Array] | None:
        """The bones of each vertex, as the file numbers them, and their weights; `None` if bones do not deform it."""

@final
class SceneMesh:
    """A mesh of a scene: Y is up. Without a skin its vertices are in the space of its node, otherwise in that of the model."""

    @property
    def name(self) -> str:
        """Its name."""
    @property
    def node(self) -> int | None:
        """The node that it is attached to."""
    @property
    def hidden(self) -> bool:
        """Whether it is never drawn."""
    @property
    def positions(self) -> Array:
        """The position of each vertex."""
    @property
    def normals(self) -> Array:
        """The normal of each vertex; empty if there are none."""
    @property
    def uv_sets(self) -> list[Array]:
        """Sets of texture coordinates; V is downwards."""
    @property
    def colors(self) -> Array | None:
        """Red, green, blue and alpha of each vertex."""
    @property
    def triangles(self) -> Array:
        """The vertices of each triangle."""
    @property
    def parts(self) -> list[tuple[int | None, int, int]]:
        """Material, first triangle and number of triangles of each part."""
    @property
    def skin(self) -> tuple[Array, Array] | None:
        """The nodes that move each vertex, and their weights."""

@final
class Scene:
    @staticmethod
    def from_gltf(data: bytes, path: _Path | None, workspace: Workspace | None) -> Scene: ...
    def describe(self) -> str: ...
    @property
    def report(self) -> str: ...
    @property
    def meshes(self) -> list[SceneMesh]: ...
    def find_clip(self, name: str) -> int: ...
    def sample(self, clip: int | None, times: list[float]) -> Array: ...
    def visible(self, clip: int | None, times: list[float]) -> list[list[bool]]: ...
    def deform(self, mesh: int, clip: int | None, time: float) -> Array: ...

@final
class Picture:
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def pixels(self) -> Array: ...
    @property
    def facts(self) -> str: ...
    def to_png(self) -> bytes: ...

@final
class Workspace:
    def __new__(
        cls,
        with_: list[str],
        textures: list[str],
        folders: list[str],
        game: list[str],
        listfile: list[str],
        limits: dict[str, int],
    ) -> Workspace: ...
    def read(self, path: _Path) -> bytes: ...
    def resolve(self, path: _Path) -> os.PathLike[str] | None: ...

@final
class Model:
    @staticmethod
    def open(path: _Path, format: str | None, workspace: Workspace | None) -> Model: ...
    @staticmethod
    def parse(data: bytes, path: _Path | None, format: str | None) -> Model: ...
    def copy(self) -> Model: ...
    @property
    def path(self) -> os.PathLike[str] | None: ...
    @property
    def format(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def game(self) -> str: ...
    def to_bytes(self) -> bytes: ...
    def to_mdl(self) -> bytes: ...
    def to_json(self) -> str: ...
    def save(self, path: _Path) -> None: ...
    def diagnostics(self) -> str: ...
    def info(self, workspace: Workspace | None, profile: str | None) -> str: ...
    def tree(self, path: str, fields: bool, hex: bool, all: bool) -> str: ...
    def check(self, options: str, workspace: Workspace | None, surroundings: bool) -> str: ...
    def diff(self, other: Model, epsilon: float) -> str: ...
    def convert(self, options: str, workspace: Workspace | None) -> _Made: ...
    def apply(
        self,
        glb: bytes,
        path: _Path | None,
        options: str,
        changes: str,
        workspace: Workspace | None,
    ) -> tuple[Model, list[tuple[os.PathLike[str], Model]], str]: ...
    def visibility(
        self, workspace: Workspace | None
    ) -> list[tuple[int, bool, list[tuple[int, list[tuple[float, bool]]]]]]: ...
    @property
    def meshes(self) -> list[Mesh]: ...
    @property
    def skeletons(self) -> str: ...
    def textures(self, workspace: Workspace | None) -> list[tuple[str, os.PathLike[str] | None]]: ...
    def scene(self, workspace: Workspace | None) -> Scene: ...

@final
class Batch:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __next__(self) -> str: ...
    def stop(self) -> None: ...

@final
class Archive:
    @staticmethod
    def open(path: _Path | None, data: bytes | None, listfile: list[str]) -> Archive: ...
    @property
    def kind(self) -> str: ...
    def entries(self) -> list[_Row]: ...
    def find(self, path: str) -> _Row | None: ...
    def read(self, path: str) -> bytes | None: ...

def rename(model: Model, what: str, old: str, new: str) -> int: ...
def names(model: Model, what: str) -> list[str]: ...
def retexture(model: Model, old: str, new: str, how: str, all_paths: bool) -> int: ...
def scale(model: Model, factors: tuple[float, float, float], force: bool) -> int: ...
def translate(model: Model, by: tuple[float, float, float], force: bool) -> int: ...
def rotate(model: Model, axis: str, degrees: float, force: bool) -> int: ...
def strip(model: Model, what: str) -> int: ...
def fix(model: Model, all: bool, options: str) -> str: ...
def set(model: Model, assignments: list[tuple[str, str]]) -> int: ...
def remove(model: Model, parts: list[str], unused: bool, children: str) -> tuple[int, list[str]]: ...
def keep(model: Model, parts: list[str], children: str) -> tuple[int, list[str]]: ...
def recompute(model: Model, what: list[str], angle: float | None) -> tuple[int, list[str]]: ...
def optimise(
    model: Model, tolerance: float, linearise: bool, compress: bool
) -> tuple[int, list[str], int, int, float]: ...
def split(model: Model, meshes: str, by: str) -> tuple[int, list[str]]: ...
def merge(model: Model, meshes: str) -> tuple[int, list[str]]: ...
def change_clip(model: Model, clip: str, change: str) -> tuple[int, list[str]]: ...
def add(
    model: Model, source: Model, part: str, to: str | None, like: str | None, keep_position: bool
) -> tuple[int, list[str]]: ...
def add_clip(
    model: Model, source: Model, clip: str, name: str | None, map: list[tuple[str, str]], like: str | None
) -> tuple[int, list[str]]: ...
def mirror(model: Model, axis: str, names: bool | None, force: bool) -> tuple[int, list[str]]: ...
def attach(model: Model, part: str, to: str | None, motion: str) -> tuple[int, list[str]]: ...
def blend(model: Model, part: str, how: str, layer: int) -> tuple[int, list[str]]: ...
def recolour(
    model: Model,
    part: str,
    colour: tuple[float, float, float] | None,
    tint: tuple[float, float, float] | None,
    team_colour: bool | None,
) -> tuple[int, list[str]]: ...
def render(model: Model, options: str, workspace: Workspace | None) -> Picture: ...
def read_texture(
    data: bytes | None, path: _Path | None, workspace: Workspace | None
) -> tuple[list[Picture], str]: ...
def write_texture(pixels: bytes, width: int, height: int, options: str) -> tuple[bytes, str]: ...
def create_archive(path: _Path, members: list[tuple[str, bytes]], kind: str | None) -> None: ...
def convert(
    data: bytes | None,
    path: _Path | None,
    options: str,
    onto: _Path | None,
    workspace: Workspace | None,
) -> _Made: ...
def write_file(path: _Path, data: bytes) -> None: ...
def games() -> list[str]: ...
def explain_rule(code: str) -> str | None: ...
def samples() -> list[tuple[str, bytes]]: ...
def info(request: dict[str, Any], options: str, hash: bool) -> Batch: ...
def check(request: dict[str, Any], options: str, surroundings: bool) -> Batch: ...
def verify(request: dict[str, Any], text: bool) -> Batch: ...
def convert_all(request: dict[str, Any], folder: _Path, options: str) -> Batch: ...
def find(request: dict[str, Any], name: str) -> Batch: ...
