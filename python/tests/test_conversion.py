"""Conversion, the way back, archives and textures."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

import meshwright as mw


def _json_of(glb: bytes) -> dict[str, list[dict[str, object]]]:
    length = struct.unpack_from("<I", glb, 12)[0]
    document: dict[str, list[dict[str, object]]] = json.loads(glb[20 : 20 + length])
    return document


def test_glb_has_meshes_clips_and_textures(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    document = _json_of(tank.to_glb())
    assert len(document["meshes"]) == 7
    assert [clip["name"] for clip in document["animations"]] == ["AIM"]
    assert document["images"]
    bare = _json_of(tank.to_glb(textures=False))
    assert "images" not in bare
    assert tank.to_glb(team_color="ff0000") != tank.to_glb(team_color=(0, 0, 255))
    assert tank.to_glb(visibility="off")
    with pytest.raises(mw.Error, match="visibility"):
        tank.to_glb(visibility="maybe")  # type: ignore[arg-type]
    with pytest.raises(mw.Error, match="unknown field"):
        tank.to_glb(unicorns=True)  # type: ignore[call-arg]


def test_losses_and_missing_files_are_data(tmp_path: Path, art: Path) -> None:
    (tmp_path / "lonely.w3d").write_bytes((art / "mwtank.w3d").read_bytes())
    lonely = mw.open(tmp_path / "lonely.w3d")
    converted = lonely.convert("glb")
    assert [(note.part, note.kind) for note in converted.missing] == [("mwtank.tga", "missing")]
    assert converted.losses == converted.missing
    workspace = mw.Workspace(textures=art)
    assert lonely.convert("glb", workspace=workspace).notes == ()
    assert lonely.find_textures(workspace=workspace)[0].file == str(art / "mwtank.tga")
    with pytest.raises(mw.Error) as error:
        mw.Workspace(textures=tmp_path / "nowhere")
    assert error.value.file == str(tmp_path / "nowhere")


def test_every_format_is_written(art: Path, tmp_path: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    for name in ["tank.glb", "tank.gltf", "tank.obj", "tank.ply", "tank.stl", "tank.mdx", "tank.mdl", "tank.json"]:
        converted = tank.convert(file_name=name)
        target = converted.save(tmp_path / name)
        assert Path(target).stat().st_size > 0
        assert mw.convert(art / "mwtank.w3d", format=name.rsplit(".")[-1]).data
    assert set(tank.convert(file_name="tank.gltf").files) == {path.name for path in tmp_path.glob("tank*.bin")} | {
        name for name in tank.convert(file_name="tank.gltf").files if not name.endswith(".bin")
    }
    assert mw.open(tmp_path / "tank.mdx").family == "MDX"
    tower = mw.convert(art / "mwtower.mdx", tmp_path / "tower.w3d", profile="generals")
    assert mw.open(tmp_path / "tower.w3d").family == "W3D"
    assert isinstance(tower.notes, tuple)


def test_gltf_is_read(art: Path, tmp_path: Path) -> None:
    glb = mw.open(art / "mwtower.mdx").to_glb()
    scene = mw.open_gltf(glb)
    assert [clip.name for clip in scene.clips][:2] == ["Stand", "Death"]
    (tmp_path / "tower.glb").write_bytes(glb)
    assert len(mw.open_gltf(tmp_path / "tower.glb").meshes) == len(scene.meshes)
    model = mw.open(mw.convert(glb, format="mdx").data)
    assert model.family == "MDX"
    with pytest.raises(mw.Error) as error:
        mw.open_gltf(b"glTF????")
    assert error.value.code == "GLTF-READ"


def test_what_nobody_changed_keeps_its_bytes(art: Path, tmp_path: Path) -> None:
    for name in ["mwtank.w3d", "mwtower.mdx", "mwcrate.w3d"]:
        model = mw.open(art / name)
        applied = model.apply(model.to_glb())
        assert applied.edits == ()
        assert not applied.is_other_source
        assert applied.model == model
    crate, tank = mw.open(art / "mwcrate.w3d"), mw.open(art / "mwtank.w3d")
    assert tank.apply(crate.to_glb()).is_other_source


def test_changes_of_another_program_are_applied(art: Path, tmp_path: Path) -> None:
    crate = mw.open(art / "mwcrate.w3d")
    glb = bytearray(crate.to_glb())
    length = struct.unpack_from("<I", glb, 12)[0]
    document = json.loads(glb[20 : 20 + length])
    names = [node.get("name") for node in document["nodes"]]
    node = document["nodes"][names.index("LID")]
    node["translation"] = [value + 1 for value in node.get("translation", [0, 0, 0])]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    rest = bytes(glb[20 + length :])
    edited = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest
    (tmp_path / "edited.glb").write_bytes(edited)
    for source in (edited, tmp_path / "edited.glb"):
        applied = crate.apply(source)
        assert applied.edits
        assert applied.model != crate
        changed = {change.path.split("/")[0].split("[")[0] for change in crate.diff(applied.model)}
        assert "MESH" not in changed, changed
    onto = mw.convert(tmp_path / "edited.glb", tmp_path / "new.w3d", onto=art / "mwcrate.w3d")
    assert onto.data == applied.model.to_bytes()


def test_meshes_are_shown_and_hidden_at_other_times(art: Path) -> None:
    tower = mw.open(art / "mwtower.mdx")
    before = tower.scene()
    assert all(states[0] for states in before.visible("Stand", [0.25, 0.75]))
    hidden = mw.Shown("Stand", 0, ((0.0, True), (0.5, False)))
    applied = tower.apply(tower.to_glb(), shown=[hidden])
    assert len(applied.edits) == 1, applied.edits
    assert not applied.notes
    after = applied.model.scene()
    assert [states[0] for states in after.visible("Stand", [0.25, 0.75])] == [True, False]
    assert [states[0] for states in after.visible(None, [0.0])] == [True]
    [row] = [it for it in applied.model.visibility() if it.mesh == 0]
    index = [clip.name for clip in after.clips].index("Stand")
    assert [shows for _, shows in row.clips[index]] == [True, False]
    refused = tower.apply(tower.to_glb(), shown=[mw.Shown("Nothing", 0, ((0.0, False),))])
    assert not refused.edits
    assert "not found" in refused.notes[0].message


def test_clips_that_were_not_given_away_stay(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    glb = tank.to_glb()
    length = struct.unpack_from("<I", glb, 12)[0]
    document = json.loads(glb[20 : 20 + length])
    del document["animations"]
    del document["scenes"][0]["extras"]["meshwright"]["clips"]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    rest = glb[20 + length :]
    still = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest
    assert "removed" in tank.apply(still).edits[0]
    kept = tank.apply(still, absent=[0])
    assert kept.edits == ()
    assert kept.model == tank
    assert kept.companions == {}


def test_the_name_of_a_file_that_is_not_written(art: Path) -> None:
    glb = mw.open(art / "mwcrate.w3d").to_glb()
    made = mw.convert(glb, format="w3d", file_name="mwcrate.w3d")
    assert mw.open(made.data).info().models


def test_archives_are_mappings(art: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.big"
    data = {f"Art/W3D/{name}": (art / name).read_bytes() for name in ["mwtank.w3d", "mwcrate.w3d"]}
    data["Art/Textures/mwtank.tga"] = (art / "mwtank.tga").read_bytes()
    mw.archive.create(path, data)
    archive = mw.archive.open(path)
    assert (archive.kind, len(archive)) == ("BIGF", 3)
    assert sorted(archive) == sorted(data)
    assert archive.read("art\\w3d\\MWTANK.W3D") == data["Art/W3D/mwtank.w3d"]
    assert "art/w3d/mwtank.w3d" in archive
    assert "art/w3d/none.w3d" not in archive
    member = archive["Art/W3D/mwtank.w3d"]
    assert (member.name, member.size) == ("mwtank.w3d", len(member.read()))
    assert mw.open(member) == mw.open(art / "mwtank.w3d") == mw.open(path / "Art/W3D/mwtank.w3d")
    assert member.open().convert("glb").missing == ()
    in_memory = mw.archive.open(path.read_bytes())
    assert in_memory["art/w3d/mwcrate.w3d"].open() == mw.open(art / "mwcrate.w3d")
    with pytest.raises(KeyError):
        archive["nothing"]
    with pytest.raises(mw.Error):
        archive.read("nothing")
    with pytest.raises(mw.Error):
        mw.archive.open(b"no archive")
    with pytest.raises(mw.Error):
        mw.archive.open(tmp_path / "none.big")


def test_a_game_is_mounted(art: Path, tmp_path: Path) -> None:
    game = tmp_path / "game"
    game.mkdir()
    mw.archive.create(game / "W3D.big", {"Art/W3D/mwtank.w3d": (art / "mwtank.w3d").read_bytes()})
    mw.archive.create(game / "Textures.big", {"Art/Textures/mwtank.tga": (art / "mwtank.tga").read_bytes()})
    workspace = mw.Workspace(game=game)
    tank = mw.open("art/w3d/mwtank.w3d", workspace=workspace)
    assert tank.convert("glb", workspace=workspace).missing == ()
    assert workspace.read("art/textures/mwtank.tga") == (art / "mwtank.tga").read_bytes()
    assert workspace.resolve("art/textures/none.tga") is None


def test_textures_are_read_and_written(art: Path, tmp_path: Path) -> None:
    texture = mw.texture.read(art / "mwtank.tga")
    assert (texture.width, texture.height, texture.container) == (128, 128, "tga")
    assert texture.pixels.shape == (128, 128, 4)
    for name, lossless in [("a.png", True), ("a.tga", True), ("a.blp", False), ("a.dds", False)]:
        notes = mw.texture.write(tmp_path / name, texture.pixels)
        assert bool(notes) != lossless
        again = mw.texture.read(tmp_path / name)
        assert (again.width, again.height) == (128, 128)
        assert (again.pixels.tobytes() == texture.pixels.tobytes()) == lossless
        assert len(again.levels) == (1 if lossless else 8)
    assert mw.texture.encode(texture.pixels, "dds", dds_format="rgba")[1] == ()
    assert mw.convert(art / "mwtank.tga", tmp_path / "b.png").data.startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="height x width x 4"):
        mw.texture.encode(b"abc", "png")
    with pytest.raises(ValueError, match="cannot write"):
        mw.texture.write(tmp_path / "a.bmp", texture.pixels)
    with pytest.raises(mw.Error) as error:
        mw.texture.read(b"no picture")
    assert error.value.code == "TEXTURE"
