# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that the extension asks of the Python package meshwright. No other module imports it."""

import os
from dataclasses import dataclass, field
from functools import cached_property

import meshwright
from meshwright import Error, archive, texture

from . import glb

MODELS = (".w3d", ".mdx", ".mdl")
ARCHIVES = (".big", ".mpq", ".mix", ".w3m", ".w3x", ".w3n", ".zip")
GAMES = meshwright.GAMES
W3D_GAMES = ("zero-hour", "generals", "renegade", "bfme1", "bfme2", "tt5")
MDX_GAMES = ("wc3-classic", "wc3-reforged")
# The version of MDX that a game reads.
MDX_VERSIONS = {"wc3-classic": 800, "wc3-reforged": 1100}


@dataclass
class Places:
    """Folders from the preferences."""

    games: list = field(default_factory=list)
    textures: list = field(default_factory=list)

    def workspace(self):
        """Where files are searched, and messages about folders that cannot be used."""
        problems = []
        kept = {"game": [], "textures": []}
        for kind, folders in (("game", self.games), ("textures", self.textures)):
            for folder in folders:
                try:
                    meshwright.Workspace(**{kind: [folder]})
                    kept[kind].append(folder)
                except Error as error:
                    problems.append(f"{folder}: {error.message}")
        return meshwright.Workspace(**kept), problems


@dataclass
class Loaded:
    """A model that is ready to be imported."""

    name: str
    path: str
    data: bytes
    """The bytes of the file, as they were."""
    format: str
    family: str
    game: str
    options: dict
    """The options of the conversion; the way back needs the same."""
    glb: bytes
    document: dict
    """The JSON of the GLB."""
    binary: bytes
    visibility: dict
    """For each clip, for each mesh id: times in seconds and whether the mesh shows from then on."""
    hidden: set
    """Ids of meshes that are hidden while nothing plays."""
    notes: list
    read: list
    pictures: object = None
    """Finds the picture of a texture: a function from its name to the bytes of a PNG file."""
    image_cache: dict = field(default_factory=dict)
    chosen_game: str = ""
    absent: list = field(default_factory=list)
    """Numbers of clips that are not imported."""

    @cached_property
    def extras(self):
        return glb.extras(self.document["scenes"][0])

    def keep_clips(self, is_wanted):
        """Leaves out clips. `absent` has the numbers of the others."""
        known = self.extras.get("clips") or {}
        dropped = {name for name in known if not is_wanted(name)}
        if not dropped:
            return
        self.absent = sorted(known[name]["index"] for name in dropped)
        kept = [it for it in self.document.get("animations", ()) if it["name"] not in dropped]
        self.document["animations"] = kept
        if not kept:
            del self.document["animations"]
        self.visibility = {name: keys for name, keys in self.visibility.items() if name not in dropped}
        self.extras["clips"] = {name: facts for name, facts in known.items() if name not in dropped}
        self.glb = glb.write(self.document, self.binary)

    def image(self, index):
        """The picture of a texture as an image of Blender; nothing if it is not found."""
        textures = self.extras.get("textures") or []
        if index not in self.image_cache:
            name = textures[index].get("name", "") if 0 <= index < len(textures) else ""
            data = self.pictures(name) if name and self.pictures is not None else None
            self.image_cache[index] = None if data is None else _packed(name, data)
        return self.image_cache[index]


def _packed(name, data):
    import bpy

    image = bpy.data.images.new(os.path.splitext(os.path.basename(name.replace("\\", "/")))[0], 1, 1)
    image.pack(data=data, data_len=len(data))
    image.source = "FILE"
    image.alpha_mode = "CHANNEL_PACKED"
    return image


def is_archive(path):
    return path.lower().endswith(ARCHIVES)


def is_model(path):
    return path.lower().endswith(MODELS)


def load(path, places, options, data=None):
    """Opens a model and converts it. The path may lead into an archive."""
    workspace, problems = places.workspace()
    data = workspace.read(path) if data is None else data
    return load_bytes(data, path, workspace, options, problems)


def load_bytes(data, path, workspace, options, problems=()):
    model = meshwright.open(data, name=path)
    made = model.convert("glb", workspace=workspace, visibility="off", **options)
    document, binary = glb.read(made.data)
    visibility, hidden = _visibility(model, workspace, glb.extras(document["scenes"][0]))
    return Loaded(
        name=os.path.splitext(os.path.basename(path))[0],
        path=path,
        data=data,
        format=model.format,
        family=model.family,
        game=model.game,
        options=options,
        glb=made.data,
        document=document,
        binary=binary,
        visibility=visibility,
        hidden=hidden,
        notes=[*problems, *(str(note) for note in made.notes)],
        read=list(made.read),
        pictures=_picture_finder(model, workspace),
    )


def _picture_finder(model, workspace):
    """A function that finds the picture of a texture. The files are searched once, when the first one is wanted."""
    files = {}

    def find(name):
        if not files:
            files.update({it.name.lower(): it.file for it in model.find_textures(workspace=workspace)})
        file = files.get(name.lower())
        if file is None:
            return None
        try:
            return texture.read(workspace.read(file), name=file, workspace=workspace).levels[0].to_png()
        except Error:
            return None

    return find


def _visibility(model, workspace, extras):
    """When each mesh shows in each clip, by the rules of the game, and which meshes are hidden at rest."""
    names = {facts["index"]: name for name, facts in (extras.get("clips") or {}).items()}
    clips, hidden = {name: {} for name in names.values()}, set()
    for it in model.visibility(workspace=workspace):
        if not it.at_rest:
            hidden.add(it.mesh)
        for clip, keys in it.clips.items():
            if clip in names:
                clips[names[clip]][it.mesh] = list(keys)
    return clips, hidden


def apply(original, path, exported, places, options, shown=(), absent=(), companions=False):
    """The original file with the changes of an exported GLB.

    `shown` has rows of a clip, its number, a mesh, and keys; `absent` the numbers of clips that were not imported.
    """
    workspace, _ = places.workspace()
    model = meshwright.open(original, name=path)
    rows = [meshwright.Shown(clip, mesh, tuple(keys), index) for clip, index, mesh, keys in shown]
    return model.apply(
        exported, shown=rows, absent=absent, companions=companions, workspace=workspace, visibility="off", **options
    )


def source_document(original, path, places, options):
    """The JSON of the GLB that the original was imported from."""
    workspace, _ = places.workspace()
    model = meshwright.open(original, name=path)
    document, _ = glb.read(model.to_glb(workspace=workspace, visibility="off", **options))
    return document


def bytes_of(model, path):
    """The model in the format of a file name."""
    return model.to_mdl() if path.lower().endswith(".mdl") else model.to_bytes()


def author(exported, path, options):
    """A new file made of a GLB. The games look for a model in the file of its name, so the name is needed; nothing is written."""
    extension = os.path.splitext(path)[1][1:].lower()
    return meshwright.convert(exported, format=extension, file_name=os.path.basename(path), **options)


def findings(data, path, places, game=None):
    """The findings of `check`: severity, code, message and part of the model."""
    workspace, _ = places.workspace()
    report = meshwright.open(data, name=path).check(game, workspace=workspace)
    return [(it.severity, it.code, it.message, it.path or "") for it in report]


def statistics(data, path, places):
    workspace, _ = places.workspace()
    return meshwright.open(data, name=path).info(workspace=workspace)


def members(path):
    """The models in an archive."""
    return [(it.path, it.size) for it in archive.open(path).members() if is_model(it.path)]


def picture(path, places, size):
    """A small picture of a model: width, height, and numbers of red, green, blue and alpha from the bottom row up."""
    workspace, _ = places.workspace()
    model = meshwright.open(workspace.read(path), name=path)
    drawn = model.render(size, workspace=workspace, background="transparent", jobs=1)
    stride = drawn.width * 4
    data = drawn.pixels.tobytes()
    rows = [data[start : start + stride] for start in range(0, len(data), stride)]
    return drawn.width, drawn.height, [value / 255.0 for row in reversed(rows) for value in row]


def write_files(files):
    """Writes files, the first one last: once it exists, the others exist."""
    from meshwright._core import write_file

    for path, data in reversed(files):
        write_file(path, data)
