# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases about importing."""

import os

import bpy
import support


def w3d_is_imported_as_in_the_game():
    path = support.sample("mwtank.w3d")
    holder = support.load(path)
    assert holder.type == "ARMATURE", holder.type
    assert bpy.context.scene.render.fps == 15, bpy.context.scene.render.fps
    assert support.clips_of(holder) == ["AIM"], support.clips_of(holder)
    assert {"HULL", "TURRET", "BARREL"} <= {bone.name for bone in holder.data.bones}
    assert "Emitter EXHAUST" in bpy.data.objects
    assert bpy.data.objects["Emitter EXHAUST"].parent_bone == "EXHAUST"
    faults, states = support.compare(path, holder)
    assert states >= 30 and not faults, faults[:5]


def mdx_is_imported_as_in_the_game():
    for name in ("mwtower.mdx", "warcraft.mdx"):
        bpy.ops.wm.read_homefile(use_empty=True)
        path = support.sample(name)
        holder = support.load(path)
        assert bpy.context.scene.render.fps == 30
        faults, states = support.compare(path, holder)
        assert states > 0 and not faults, (name, faults[:5])
    bpy.ops.wm.read_homefile(use_empty=True)
    holder = support.load(support.sample("mwtower.mdx"))
    assert set(support.clips_of(holder)) == {"Stand", "Death"}
    assert bpy.ops.meshwright.play(clip="Death", start=False) == {"FINISHED"}
    assert support.part("clips").strip(holder, "Death").action == holder.animation_data.action
    assert bpy.context.scene.frame_start == 0 and bpy.context.scene.frame_end > 1


def broken_files_give_a_message():
    sample = support.read(support.sample("mwtower.mdx"))
    tank = support.read(support.sample("mwtank.w3d"))
    broken = {
        "empty.w3d": b"",
        "empty.mdx": b"",
        "text.mdx": b"This is not a model.\n" * 20,
        "picture.w3d": b"\x89PNG\r\n\x1a\n" + bytes(200),
        "zeros.w3d": bytes(4096),
        "no_words.mdl": b"\xff\xfe" * 300,
        "glb.mdx": b"glTF" + bytes(64),
        "big.w3d": b"BIGF" + bytes(64),
    }
    for name, data in broken.items():
        path = os.path.join(support.FILES, name)
        with open(path, "wb") as file:
            file.write(data)
        _fails(path, name)
    _fails(os.path.join(support.FILES, "missing.w3d"), "missing.w3d")
    _fails(os.path.join(support.FILES, "no", "such", "folder.mdx"), "folder.mdx")
    # Files that are cut are models too: what is left of them is imported, or a message says why not.
    for name, data in (("cut.mdx", sample[: len(sample) // 2]), ("cut.w3d", tank[: len(tank) // 2])):
        path = os.path.join(support.FILES, name)
        with open(path, "wb") as file:
            file.write(data)
        try:
            assert bpy.ops.meshwright.import_model(filepath=path) == {"FINISHED"}
        except RuntimeError as error:
            assert "Traceback" not in str(error), error


def _fails(path, name):
    """An operator that reports an error and is cancelled raises it, when a script called it."""
    objects = len(bpy.data.objects)
    try:
        result = bpy.ops.meshwright.import_model(filepath=path)
    except RuntimeError as error:
        assert name in str(error), (name, error)
        assert "Traceback" not in str(error), error
    else:
        assert result == {"CANCELLED"}, (name, result)
    assert name in support.report(), (name, support.report())
    assert len(bpy.data.objects) == objects, name


def folders_and_archives_are_imported():
    from meshwright import archive

    support.sample("mwtank.w3d")
    names = ["mwtank.w3d", "mwcrate.w3d", "mwtower.mdx"]
    folder = os.path.join(support.FILES, "units")
    os.makedirs(os.path.join(folder, "deeper"))
    for index, name in enumerate(names):
        place = folder if index else os.path.join(folder, "deeper")
        with open(os.path.join(place, name), "wb") as file:
            file.write(support.read(support.sample(name)))
    assert bpy.ops.meshwright.import_folder(directory=folder) == {"FINISHED"}
    holders = [it for it in bpy.data.objects if "meshwright_facts" in it]
    assert len(holders) == 3, holders

    bpy.ops.wm.read_homefile(use_empty=True)
    listed = [{"name": name} for name in names]
    assert bpy.ops.meshwright.import_model(directory=support.FILES, files=listed) == {"FINISHED"}
    assert len([it for it in bpy.data.objects if "meshwright_facts" in it]) == 3

    bpy.ops.wm.read_homefile(use_empty=True)
    packed = os.path.join(support.FILES, "models.big")
    members = {f"art/w3d/{name}": support.read(support.sample(name)) for name in ("mwtank.w3d", "mwtank.tga")}
    archive.create(packed, members)
    assert support.part("toolkit").members(packed)[0][0].lower() == "art/w3d/mwtank.w3d"
    holder = support.load(os.path.join(packed, "art", "w3d", "mwtank.w3d"))
    assert support.part("holder").original(holder) == members["art/w3d/mwtank.w3d"]


def materials_can_be_switched():
    path = support.sample("mwtower.mdx")
    support.load(path)
    materials = support.part("materials")
    shown = [it for it in bpy.data.materials if materials.is_shown(it)]
    assert bpy.ops.meshwright.materials(as_game=False) == {"FINISHED"}
    assert not any(materials.is_shown(it) for it in bpy.data.materials)
    assert support.export(os.path.join(support.FILES, "plain.mdx")) == support.read(path)
    assert bpy.ops.meshwright.materials(as_game=True) == {"FINISHED"}
    assert {it for it in bpy.data.materials if materials.is_shown(it)} >= set(shown)
    assert support.export(os.path.join(support.FILES, "shown.mdx")) == support.read(path)


def the_team_colour_can_be_changed():
    path = support.sample("mwtower.mdx")
    holder = support.load(path)
    red = _colors()
    assert bpy.ops.meshwright.team_color(color=(0.0, 0.0, 1.0)) == {"FINISHED"}
    blue = _colors()
    assert red != blue, "some material has the colour of the player"
    assert support.part("holder").facts(holder)["options"]["team_color"] == [0, 0, 255]
    assert support.export(os.path.join(support.FILES, "blue.mdx")) == support.read(path), support.report()


def _colors():
    """All colours and pictures of all materials."""
    found = []
    for material in bpy.data.materials:
        for node in material.node_tree.nodes:
            image = getattr(node, "image", None)
            if image is not None and image.packed_file is not None:
                found.append(hash(bytes(image.packed_file.data)))
            found += [tuple(it.default_value) for it in node.inputs if it.type == "RGBA"]
    return found


def undo_removes_an_import():
    bpy.ops.ed.undo_push(message="before")
    support.load(support.sample("mwtank.w3d"))
    bpy.ops.ed.undo_push(message="after")
    assert len(bpy.data.objects) > 0
    assert bpy.ops.ed.undo() == {"FINISHED"}
    assert len(bpy.data.objects) == 0, list(bpy.data.objects)
    assert bpy.ops.ed.redo() == {"FINISHED"}
    bpy.context.view_layer.objects.active = bpy.data.objects["MWTANK"]
    path = os.path.join(support.FILES, "redone.w3d")
    assert support.export(path) == support.read(support.sample("mwtank.w3d"))
