# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that the extension asks of the Python package meshwright. No other module imports it."""

import os
import tempfile
from dataclasses import dataclass, field

import meshwright
from meshwright import Error, archive

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

    @property
    def extras(self):
        return glb.extras(self.document["scenes"][0])


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
    visibility, hidden = _visibility(model, workspace, options)
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
    )


def _visibility(model, workspace, options):
    """When each mesh shows in each clip, by the rules of the game.

    The library decides it: a second GLB, without textures, says it with KHR_node_visibility.
    """
    options = {**options, "textures": False, "global_sequences": "bake"}
    document, binary = glb.read(model.to_glb(workspace=workspace, visibility="extension", **options))
    nodes, meshes = document.get("nodes", []), document.get("meshes", [])

    def mesh_of(node):
        mesh = nodes[node].get("mesh")
        return None if mesh is None else glb.extras(meshes[mesh]).get("id")

    hidden = set()
    for index, node in enumerate(nodes):
        shown = node.get("extensions", {}).get("KHR_node_visibility", {}).get("visible", True)
        if not shown and mesh_of(index) is not None:
            hidden.add(mesh_of(index))
    clips = {}
    for animation in document.get("animations", []):
        keys = clips.setdefault(animation["name"], {})
        for channel in animation["channels"]:
            pointer = channel["target"].get("extensions", {}).get("KHR_animation_pointer", {}).get("pointer", "")
            if not pointer.endswith("/KHR_node_visibility/visible"):
                continue
            mesh = mesh_of(int(pointer.split("/")[2]))
            sampler = animation["samplers"][channel["sampler"]]
            times = [row[0] for row in glb.rows(document, binary, sampler["input"])]
            shows = [bool(row[0]) for row in glb.rows(document, binary, sampler["output"])]
            keys[mesh] = list(zip(times, shows))
    return clips, hidden


def apply(original, path, exported, places, options):
    """The original file with the changes of an exported GLB: bytes of W3D, MDX or MDL, edits, notes."""
    workspace, _ = places.workspace()
    model = meshwright.open(original, name=path)
    applied = model.apply(exported, workspace=workspace, visibility="off", **options)
    return model, applied


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
    """A new file made of a GLB. The games look for a model in the file of its name, so the name is needed; nothing is written at `path` yet."""
    with tempfile.TemporaryDirectory(prefix="meshwright-") as folder:
        return meshwright.convert(exported, os.path.join(folder, os.path.basename(path)), **options)


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


def picture(path, places, size=128):
    """A small picture of a model, as PNG."""
    workspace, _ = places.workspace()
    model = meshwright.open(workspace.read(path), name=path)
    return model.render(size, workspace=workspace, background="transparent").to_png()


def write_files(files):
    """Writes files, the first one last: once it exists, the others exist."""
    from meshwright._core import write_file

    for path, data in reversed(files):
        write_file(path, data)
