"""Models."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict, Unpack

from . import _core
from ._core import Array, Mesh
from ._results import (
    Bone,
    Change,
    Converted,
    Edited,
    Optimised,
    Finding,
    Info,
    Material,
    Note,
    Part,
    Repair,
    Report,
    Skeleton,
    TextureUse,
    _notes,
)
from ._scene import Clip, Scene
from ._workspace import StrPath, Workspace, _core_of

Data = bytes | bytearray | memoryview
Derived = Literal["normals", "tangents", "extents", "planes", "tree", "winding", "bones", "all"]
Kind = Literal["mesh", "bone", "model", "container", "animation", "camera"]
Unwanted = Literal["unknown", "user-text", "unused-materials", "unused-textures", "unused-nodes"]
TeamColor = str | int | tuple[int, int, int]
"""RRGGBB, a name such as `blue` or `bfme:red`, a Warcraft III player number from 0 to 23, or three numbers."""


class GltfOptions(TypedDict, total=False):
    """How glTF is written."""

    textures: bool
    """Look up textures and write them (default)."""
    team_color: TeamColor
    levels: Literal["highest", "separate", "msft-lod"]
    """Which levels of detail are written."""
    visibility: Literal["scale", "extension", "off"]
    """How meshes are shown and hidden. Every program understands `scale`."""
    global_sequences: Literal["separate", "bake"]
    """How motion that runs whichever clip plays is written."""
    hidden: bool
    """Also write meshes that are never shown, such as collision meshes."""
    material_animation: bool
    """Animate materials with KHR_animation_pointer, which Blender cannot import."""
    curves: Literal["lines", "cubic"]
    scale: float | Literal["game"]
    """Metres for each unit, or `game` for the scale at which people in the model's game are 1.8 metres tall."""


class ConvertOptions(GltfOptions, total=False):
    """How a file is converted: the options of `meshwright convert`."""

    read_as: str
    """Read the input as this format instead of detecting it."""
    to_version: int
    """The version of MDX."""
    mdl_dialect: Literal["game", "hive", "war3-model"]
    plain: bool
    """Write MDL without the comments that preserve data MDL cannot express."""
    profile: str
    """Write W3D for this game."""
    split: bool
    """Write W3D as several files, as the game looks for them."""
    clip_fps: int
    compress: Literal["lossless", "raw", "time-coded", "adaptive-delta"]
    tolerance: tuple[float, float]
    """Largest error of compressed animations: units and degrees."""
    write_textures: str
    """Also write the textures as files of the game. An MDX model refers to them in this folder of the game."""
    clip: str
    """OBJ, PLY and STL: the model as it is in this clip."""
    time: float
    """Seconds into the clip."""
    ascii: bool
    """PLY and STL as text."""
    mips: Literal["keep", "generate", "none"]
    """Textures: mipmaps in DDS and BLP."""
    dds_format: Literal["auto", "bc1", "bc3", "rgba"]
    blp_format: Literal["jpeg", "palette"]
    quality: int
    """Textures: quality of JPEG inside BLP, from 1 to 100."""


class RenderOptions(TypedDict, total=False):
    """What a picture shows: the options of `meshwright render`."""

    background: str
    """RRGGBB, `black`, `white`, `grey` (default) or `transparent`."""
    clip: str
    """The clip by name or beginning; `none` is the rest pose (default: the Stand clip)."""
    time: float
    """Seconds into the clip."""
    camera: str
    """`front`, `side`, `top`, `iso`, yaw and pitch such as `30,20`, or the name of a camera of the model."""
    light: str
    """`w3dview`, `viewer`, `contrast` or `flat`."""
    team_color: TeamColor
    wireframe: Literal["off", "only", "over"]
    bones: bool
    extents: bool
    collision: bool
    grid: bool
    particles: bool
    """Draw particles and ribbons (default)."""
    markers: bool
    """Show a glow where events, emitted models and effects would need other files."""
    jobs: int
    """Number of threads (default: one for each core)."""


class Picture:
    """A picture: pixels, and what is on it."""

    __slots__ = ("_core", "clip", "notes", "time")

    def __init__(self, core: _core.Picture) -> None:
        self._core = core
        facts = json.loads(core.facts) if core.facts else {}
        self.clip: str | None = facts.get("clip")
        """The clip that it shows."""
        self.time: float | None = facts.get("time")
        """Seconds into the clip."""
        self.notes: tuple[Note, ...] = tuple(Note(**note) for note in facts.get("notes", ()))
        """What was missing, such as textures."""

    @property
    def width(self) -> int:
        """Width in pixels."""
        return self._core.width

    @property
    def height(self) -> int:
        """Height in pixels."""
        return self._core.height

    @property
    def pixels(self) -> Array:
        """Rows of pixels of red, green, blue and alpha, from the top: an array of height x width x 4 bytes."""
        return self._core.pixels

    def to_png(self) -> bytes:
        """The picture as a PNG file."""
        return self._core.to_png()

    def save(self, path: StrPath) -> None:
        """Writes the picture as a PNG file."""
        _core.write_file(os.fspath(path), self.to_png())

    def _repr_png_(self) -> bytes:
        return self.to_png()

    def __repr__(self) -> str:
        return f"<Picture {self.width}x{self.height}>"


@dataclass(frozen=True, slots=True)
class Visibility:
    """When a mesh shows that does not always show."""

    mesh: int
    """The number of the mesh in the scene."""
    at_rest: bool
    """Whether it shows when nothing plays."""
    clips: dict[int, tuple[tuple[float, bool], ...]]
    """By the number of a clip: times in seconds, and whether the mesh shows from then on."""


@dataclass(frozen=True, slots=True)
class Shown:
    """When a mesh shows in a clip."""

    clip: str
    """The name of the clip."""
    mesh: int
    """The number of the mesh in the scene."""
    keys: tuple[tuple[float, bool], ...]
    """Times in seconds, and whether the mesh shows from then on."""
    index: int | None = None
    """The number of the clip in the model; without it the clip is found by its name."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A model with the changes of a glTF file."""

    model: Model
    """The changed model. Without a change it has the same bytes as before."""
    edits: tuple[str, ...]
    """What was changed, in words."""
    notes: tuple[Note, ...]
    """What could not be applied, and why."""
    is_other_source: bool
    """The glTF file says that it was written of another file than this one."""
    companions: dict[str, Model] = field(default_factory=dict)
    """Skeletons and animations in other files that changed with it, by path."""


class Model:
    """A model: W3D, MDX, MDL, or the JSON text form of either. Open one with `meshwright.open`.

    Damaged files are models too: their damage is in `diagnostics`, and they are written back byte for byte. A model can be used by several
    threads. Changes are made in place; arrays that were taken before keep what they had.
    """

    __slots__ = ("__weakref__", "_core", "_scene")

    def __init__(self, core: _core.Model) -> None:
        self._core = core
        self._scene: Scene | None = None

    # Reading and writing

    @property
    def path(self) -> str | None:
        """The file that it was read from or last saved to."""
        path = self._core.path
        return None if path is None else os.fspath(path)

    @property
    def format(self) -> str:
        """The format that it was read as: `w3d`, `mdx`, `mdl` or `json`."""
        return self._core.format

    @property
    def family(self) -> str:
        """`W3D` or `MDX`."""
        return self._core.family

    @property
    def game(self) -> str:
        """The game that it is probably for, guessed from its content and its path."""
        return self._core.game

    @property
    def diagnostics(self) -> list[Finding]:
        """Damaged, unknown or unusual parts of the file's structure. `check` finds more."""
        return [Finding._of(found) for found in json.loads(self._core.diagnostics())]

    def to_bytes(self) -> bytes:
        """The binary form, W3D or MDX. An unchanged model gives the bytes that it was read from."""
        return self._core.to_bytes()

    def to_json(self) -> str:
        """The lossless text form."""
        return self._core.to_json()

    def to_mdl(self) -> bytes:
        """The MDL text of a Warcraft III model. MDL has no declared encoding, therefore bytes."""
        return self._core.to_mdl()

    def to_glb(self, *, workspace: Workspace | None = None, **options: Unpack[GltfOptions]) -> bytes:
        """The model as GLB, with its skeleton, animations and textures. `convert("glb")` also tells what was lost."""
        return self.convert("glb", workspace=workspace, **options).data

    def convert(
        self,
        format: str | None = None,
        *,
        file_name: str | None = None,
        workspace: Workspace | None = None,
        **options: Unpack[ConvertOptions],
    ) -> Converted:
        """The model in any format: `glb`, `gltf`, `obj`, `ply`, `stl`, `json`, `w3d`, `mdx`, `mdl`.

        Args:
            format: the format; that of the extension of `file_name` without it.
            file_name: the name that the file will have. Names of further files begin with it.
            workspace: where to search for skeletons, animations and textures besides the model's folder.
        """
        choices = json.dumps({**options, "format": format, "file_name": file_name})
        return Converted._of(self._core.convert(choices, _core_of(workspace)))

    def save(self, path: StrPath | None = None) -> None:
        """Writes the model to a file in the format of its extension; without a path to the file that it was read from.

        Files are written under a temporary name and then renamed.
        """
        target = self.path if path is None else os.fspath(path)
        if target is None:
            raise ValueError("the model was not read from a file: give a path")
        self._core.save(target)
        self._scene = None

    def apply(
        self,
        glb: Data | StrPath,
        *,
        shown: Iterable[Shown] = (),
        absent: Iterable[int] = (),
        companions: bool = False,
        workspace: Workspace | None = None,
        **options: Unpack[GltfOptions],
    ) -> Applied:
        """Applies the changes that somebody made to this model in another program, such as Blender.

        Everything that nobody changed keeps its bytes. This model stays as it is: the result has the changed one.

        Args:
            glb: the glTF file that came back, written of this model by `to_glb` or the command line: a path or its bytes.
            shown: when meshes show in clips, where that was changed. glTF cannot say it.
            absent: numbers of clips that were not given to the other program. They stay, although the file does not have them.
            companions: also change skeletons and animations in other files. Otherwise such changes are not made, and listed in `notes`.
            workspace: as given to `to_glb`.
            options: as given to `to_glb`, if the file does not say them.
        """
        if isinstance(glb, (bytes, bytearray, memoryview)):
            data, path = bytes(glb), None
        else:
            path = os.fspath(glb)
            data = (workspace or Workspace()).read(path)
        rows = [(it.clip, it.index, it.mesh, [(float(time), bool(on)) for time, on in it.keys]) for it in shown]
        changes = json.dumps({"shown": rows, "absent": list(absent), "companions": companions})
        core, others, text = self._core.apply(data, path, json.dumps(options), changes, _core_of(workspace))
        report = json.loads(text)
        files = {os.fspath(other): Model(changed) for other, changed in others}
        return Applied(
            Model(core), tuple(report["edits"]), _notes(report["report"]), report["is_other_source"], files
        )

    def visibility(self, *, workspace: Workspace | None = None) -> list[Visibility]:
        """When meshes show that do not always show, by the rules of the game."""
        rows = self._core.visibility(_core_of(workspace))
        return [
            Visibility(mesh, at_rest, {clip: tuple(keys) for clip, keys in clips}) for mesh, at_rest, clips in rows
        ]

    def copy(self) -> Model:
        """A copy that can be changed independently."""
        return Model(self._core.copy())

    # Looking

    def info(self, *, profile: str | None = None, workspace: Workspace | None = None) -> Info:
        """What the model contains. Size and hash are those of its binary form; `meshwright.info` has those of files."""
        return Info._of(json.loads(self._core.info(_core_of(workspace), profile)))

    def tree(self, path: str = "", *, fields: bool = False, hex: bool = False, all: bool = False) -> Part:
        """The chunks of the model, or those of the part at a path such as `MESH[0]/MESH_HEADER3`.

        Args:
            path: the part.
            fields: list every field with its value.
            hex: list the bytes.
            all: list all elements of arrays and all bytes, not only the first.
        """
        return Part._of(json.loads(self._core.tree(path, fields, hex, all)))

    def check(
        self,
        profile: str | None = None,
        *,
        allow: tuple[str, ...] | list[str] = (),
        warn: tuple[str, ...] | list[str] = (),
        deny: tuple[str, ...] | list[str] = (),
        surroundings: bool = True,
        workspace: Workspace | None = None,
    ) -> Report:
        """The findings of the rules for a game, `meshwright.GAMES`; the game is guessed without one.

        Args:
            profile: the game.
            allow: rules that are off: codes, beginnings of codes, or `all`.
            warn: rules whose findings are warnings.
            deny: rules whose findings are errors.
            surroundings: search other files for skeletons, animations and textures.
            workspace: where to search besides the model's folder.
        """
        choices = {"profile": profile, "allow": list(allow), "warn": list(warn), "deny": list(deny)}
        return Report._of(json.loads(self._core.check(json.dumps(choices), _core_of(workspace), surroundings)))

    def diff(self, other: Model, *, epsilon: float = 0.0) -> list[Change]:
        """Every difference from this model to another of the same family. Numbers that differ by at most `epsilon` are equal."""
        return [Change._of(change) for change in json.loads(self._core.diff(other._core, epsilon))]

    @property
    def meshes(self) -> list[Mesh]:
        """The meshes as they are in the file: Z is up, and in a W3D skin each vertex is in the space of its bone.

        `scene().meshes` has them in one space.
        """
        return self._core.meshes

    @property
    def skeletons(self) -> list[Skeleton]:
        """The skeletons in this file. A W3D skin usually has its skeleton in another file."""
        skeletons = json.loads(self._core.skeletons)
        return [Skeleton(it["name"], tuple(Bone(**bone) for bone in it["bones"])) for it in skeletons]

    @property
    def textures(self) -> list[TextureUse]:
        """The textures that the model names, each with the file that its game would use, if one is found."""
        return self.find_textures()

    def find_textures(self, *, workspace: Workspace | None = None) -> list[TextureUse]:
        """The same as `textures`, searched in a workspace."""
        found = self._core.textures(_core_of(workspace))
        return [TextureUse(name, None if file is None else os.fspath(file)) for name, file in found]

    @property
    def clips(self) -> tuple[Clip, ...]:
        """The clips of the model and of the files near it that animate it."""
        return self._near().clips

    @property
    def materials(self) -> tuple[Material, ...]:
        """The materials."""
        return self._near().materials

    def scene(self, *, workspace: Workspace | None = None) -> Scene:
        """The model with its skeleton, animations and materials in one space. Y is up."""
        return Scene(self._core.scene(_core_of(workspace)))

    def _near(self) -> Scene:
        if self._scene is None:
            self._scene = self.scene()
        return self._scene

    def render(
        self,
        width: int = 512,
        height: int | None = None,
        *,
        workspace: Workspace | None = None,
        **options: Unpack[RenderOptions],
    ) -> Picture:
        """A picture of the model: its Stand clip, seen from the front at an angle, unless the options say otherwise."""
        choices = {**options, "width": width, "height": width if height is None else height}
        return Picture(_core.render(self._core, json.dumps(choices), _core_of(workspace)))

    # Changing

    def rename(self, what: Kind, old: str, new: str) -> int:
        """Renames an object and all references to it. Returns the number of changed places, 0 if there is no such object."""
        return self._changed(_core.rename(self._core, what, old, new))

    def names(self, what: Kind) -> list[str]:
        """The names of the objects of a kind, as `rename` takes them."""
        return _core.names(self._core, what)

    def retexture(
        self,
        old: str,
        new: str,
        *,
        glob: bool = False,
        regex: bool = False,
        all_paths: bool = False,
    ) -> int:
        """Replaces texture references, ignoring case. Returns the number of references.

        Args:
            old: the texture; with `glob` a pattern of `*` and `?`, with `regex` a regular expression.
            new: the new one. Wildcards insert what those of `old` matched, `$1` what a group matched.
            glob: `old` and `new` are patterns.
            regex: `old` is a regular expression.
            all_paths: also change paths of other files, such as models.
        """
        if glob and regex:
            raise ValueError("a pattern is either a glob or a regular expression")
        how = "glob" if glob else "regex" if regex else "exact"
        return self._changed(_core.retexture(self._core, old, new, how, all_paths))

    def scale(self, factor: float | tuple[float, float, float], *, force: bool = False) -> int:
        """Scales everything that has a length: by one factor, or one for each axis. `force` does not mind a skeleton in another file."""
        factors = (factor, factor, factor) if isinstance(factor, (int, float)) else factor
        return self._changed(_core.scale(self._core, factors, force))

    def translate(self, by: tuple[float, float, float], *, force: bool = False) -> int:
        """Moves the model. `force` does not mind a skeleton in another file."""
        return self._changed(_core.translate(self._core, by, force))

    def rotate(self, axis: Literal["x", "y", "z"], degrees: float, *, force: bool = False) -> int:
        """Rotates the model about an axis. `force` does not mind a skeleton in another file."""
        return self._changed(_core.rotate(self._core, axis, degrees, force))

    def strip(self, what: Unwanted) -> int:
        """Removes unused or unknown data. Returns the number of removed parts."""
        return self._changed(_core.strip(self._core, what))

    def fix(
        self,
        level: Literal["safe", "all"] = "safe",
        *,
        profile: str | None = None,
        allow: tuple[str, ...] | list[str] = (),
    ) -> list[Repair]:
        """Repairs what `check` finds, as `meshwright check --fix` does. Returns what was done.

        Args:
            level: `safe` changes nothing that the game shows; `all` also removes unused data.
            profile: the game; guessed without one.
            allow: rules whose findings are not repaired.
        """
        if level not in ("safe", "all"):
            raise ValueError("a level is \"safe\" or \"all\"")
        choices = json.dumps({"profile": profile, "allow": list(allow)})
        done = json.loads(_core.fix(self._core, level == "all", choices))
        self._scene = None
        return [Repair(**repair) for repair in done]

    def set(self, path: str, value: Any) -> int:
        """Sets a field by its path, such as `MESH[0]/MESH_HEADER3.sort_level`. `[*]` selects all parts or elements.

        The value is what JSON has; names and flags (`HIDDEN|TWO_SIDED`) are strings. Returns the number of changed places.
        """
        return self.set_all({path: value})

    def set_all(self, values: dict[str, Any]) -> int:
        """Sets several fields, all or none."""
        texts = [(path, value if isinstance(value, str) else json.dumps(value)) for path, value in values.items()]
        return self._changed(_core.set(self._core, texts))

    def remove(self, *parts: str, unused: bool = False, children: Literal["up", "remove"] = "up") -> Edited:
        """Removes parts and all references to them, such as `mesh:BARREL`, `clip:Decay*`, `geoset:#2` or `path:MESH[3]`.

        Args:
            parts: what to remove; parts that the model does not have are ignored.
            unused: also remove everything that nothing refers to.
            children: children of removed bones move `up` to the next bone, or are removed too.
        """
        return self._edited(_core.remove(self._core, list(parts), unused, children))

    def keep(self, *parts: str, children: Literal["up", "remove"] = "up") -> Edited:
        """Removes all parts of the kinds that are named, except these. Parts of other kinds stay."""
        return self._edited(_core.keep(self._core, list(parts), children))

    def recompute(self, *what: Derived, angle: float | None = None) -> Edited:
        """Recomputes derived data; `all` is everything but normals and winding.

        Args:
            what: what to compute.
            angle: the largest angle in degrees between triangles that are shaded smoothly, for `normals`.
        """
        return self._edited(_core.recompute(self._core, list(what), angle))

    def optimise(self, tolerance: float = 0.0, *, linearise: bool = False, compress: bool = False) -> Optimised:
        """Makes the model smaller, and measures the largest error of a pose.

        Args:
            tolerance: the largest error of a pose, as a fraction of the size of the model; with 0 nothing changes but rounding.
            linearise: replace curves of MDX by straight lines within the tolerance, where that saves bytes.
            compress: store the frames of W3D clips as keys within the tolerance, where that saves bytes.
        """
        changed, notes, before, after, error = _core.optimise(self._core, tolerance, linearise, compress)
        return Optimised(self._changed(changed), notes, before, after, error)

    def split(self, meshes: str, by: Literal["material", "part"]) -> Edited:
        """Divides meshes, such as `mesh:HULL`, by material or connected part."""
        return self._edited(_core.split(self._core, meshes, by))

    def merge(self, meshes: str = "mesh") -> Edited:
        """Joins meshes that are drawn alike."""
        return self._edited(_core.merge(self._core, meshes))

    def change_clip(
        self,
        clip: str,
        *,
        rename: str | None = None,
        loop: bool | None = None,
        speed: float | None = None,
        trim: tuple[int, int] | None = None,
        reverse: bool | None = None,
        split: tuple[int, str] | None = None,
        join: str | None = None,
        move: int | None = None,
        shift_events: int | None = None,
        move_speed: float | None = None,
        rarity: float | None = None,
        bounds: tuple[tuple[float, float, float], tuple[float, float, float]] | None = None,
    ) -> Edited:
        """Changes the clips of a name, a pattern or `#INDEX` in one way, such as `change_clip("Walk", speed=1.5)`.

        Times are counted from the start of the clip: in milliseconds in MDX, in frames in W3D.

        Args:
            clip: the clips.
            rename: another name.
            loop: whether it loops (MDX).
            speed: 2 is twice as fast.
            trim: keep what is between two moments.
            reverse: play it backwards.
            split: where a second clip starts, and its name.
            join: a clip that is appended to it and removed.
            move: another start on the common time line, in milliseconds (MDX).
            shift_events: its events happen later by so many milliseconds (MDX).
            move_speed: the speed of the moving unit (MDX).
            rarity: how rarely it is chosen (MDX).
            bounds: the corners of its bounding box (MDX).
        """
        changes = {
            "rename": rename,
            "loop": loop,
            "speed": speed,
            "trim": trim,
            "reverse": reverse,
            "split": split,
            "join": join,
            "move": move,
            "shift_events": shift_events,
            "move_speed": move_speed,
            "rarity": rarity,
            "bounds": bounds,
        }
        given = {name: value for name, value in changes.items() if value is not None}
        if len(given) != 1:
            raise ValueError("name one change, such as speed=2")
        return self._edited(_core.change_clip(self._core, clip, json.dumps(given)))

    def add(
        self,
        source: Model,
        part: str,
        *,
        to: str | None = None,
        like: str | None = None,
        keep_position: bool = False,
    ) -> Edited:
        """Adds a part of another model of the same format, with its materials, textures, bones and keys.

        Args:
            source: the other model.
            part: its part, such as `mesh:RADAR`.
            to: the bone of this model that it is attached to; without it the bone of the same name.
            like: the clip of the other model whose visibility holds where it has no clip of the same name.
            keep_position: keep the position in the model instead of that relative to the bone.
        """
        return self._edited(_core.add(self._core, source._core, part, to, like, keep_position))

    def add_clip(
        self,
        source: Model,
        clip: str,
        *,
        name: str | None = None,
        map: dict[str, str] | None = None,
        like: str | None = None,
    ) -> Edited:
        """Adds a clip of another model of the same format. Bones fit by name; those without a partner are in the notes.

        Args:
            source: the other model.
            clip: its clip.
            name: the name of the added clip.
            map: bones of the other model, and the bones of this one that move like them.
            like: the clip of this model that says what is visible.
        """
        pairs = list((map or {}).items())
        return self._edited(_core.add_clip(self._core, source._core, clip, name, pairs, like))

    def mirror(self, axis: Literal["x", "y", "z"] = "y", *, names: bool | None = None, force: bool = False) -> Edited:
        """Mirrors the model. Models look along X, so `y` exchanges left and right.

        Args:
            axis: the axis whose sign changes.
            names: whether names exchange left and right; without it, only along `y`.
            force: do not mind a skeleton in another file.
        """
        return self._edited(_core.mirror(self._core, axis, names, force))

    def attach(self, part: str, to: str | None, *, motion: Literal["own", "kept", "rigid"] = "own") -> Edited:
        """Moves a part to another parent. In the rest pose it stays where it is.

        Args:
            part: a bone, node or mesh.
            to: its new parent; `None` is the root of the model.
            motion: keys stay as they are (`own`), are converted so that it moves in the model as before (`kept`), or are removed (`rigid`).
        """
        return self._edited(_core.attach(self._core, part, to, motion))

    def blend(self, part: str, how: Literal["opaque", "masked", "alpha", "additive", "modulate"], *, layer: int = 0) -> Edited:
        """Sets how meshes, materials, emitters or ribbons are blended with what is behind them.

        Args:
            part: the parts.
            how: the way of blending.
            layer: the layer of an MDX material, or the pass of a W3D mesh.
        """
        return self._edited(_core.blend(self._core, part, how, layer))

    def recolour(
        self,
        part: str,
        *,
        colour: tuple[float, float, float] | None = None,
        tint: tuple[float, float, float] | None = None,
        team_colour: bool | None = None,
    ) -> Edited:
        """Changes the colours of meshes, materials, emitters, ribbons or lights, in one of three ways.

        Args:
            part: the parts.
            colour: the new colour: red, green and blue from 0 to 1.
            tint: a colour that the colours are multiplied by.
            team_colour: whether the part shows the colour of the player.
        """
        return self._edited(_core.recolour(self._core, part, colour, tint, team_colour))

    def _edited(self, done: tuple[int, list[str]]) -> Edited:
        changed, notes = done
        return Edited(self._changed(changed), notes)

    def _changed(self, count: int) -> int:
        self._scene = None
        return count

    # Python

    def _repr_png_(self) -> bytes | None:
        if not self.meshes:
            return None
        return self.render(384, background="transparent").to_png()

    def __repr__(self) -> str:
        name = self.path or "in memory"
        meshes = len(self.meshes)
        return f"<Model {name}: {self.format}, {meshes} {'mesh' if meshes == 1 else 'meshes'}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return self.family == other.family and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Model:
        return self.copy()

    def __deepcopy__(self, _: object) -> Model:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.to_bytes(), self.path)


def _restore(data: bytes, path: str | None) -> Model:
    # The binary form has a mark of its own, whatever the name of the file is.
    return Model(_core.Model.parse(data, path, None))
