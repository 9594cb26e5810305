"""Opening, writing, looking at and changing models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import meshwright as mw

MODELS = ["damaged.w3d", "every-chunk.w3d", "mwcrate.w3d", "mwtank.w3d", "mwtower.mdx", "warcraft.mdx"]


@pytest.mark.parametrize("name", MODELS)
def test_every_sample_keeps_its_bytes(art: Path, name: str) -> None:
    data = (art / name).read_bytes()
    assert mw.open(art / name).to_bytes() == data
    assert mw.open(data).to_bytes() == data
    assert mw.open(bytearray(data)).to_bytes() == data
    assert mw.open(memoryview(data)).to_bytes() == data
    again = mw.open(mw.open(data).to_json().encode(), name="model.json")
    assert again.format == "json"
    assert again.to_bytes() == data


def test_a_model_knows_where_it_is_from(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    assert tank.path == str(art / "mwtank.w3d")
    assert (tank.format, tank.family, tank.game) == ("w3d", "W3D", "zero-hour")
    assert mw.open(tank.to_bytes()).path is None


def test_damage_is_data(art: Path) -> None:
    model = mw.open(art / "damaged.w3d")
    codes = [found.code for found in model.diagnostics]
    assert any(code.startswith("W3D-FRAME") for code in codes), codes
    first = model.diagnostics[0]
    assert first.span[0] < first.span[1] <= len(model.to_bytes())
    report = model.check()
    assert report.readable
    assert report.errors


def test_an_error_has_code_position_and_advice(art: Path) -> None:
    with pytest.raises(mw.Error) as missing:
        mw.open(art / "nothing.w3d")
    assert missing.value.code == "FILE-ACCESS"
    assert missing.value.file == str(art / "nothing.w3d")
    assert "no such file" in str(missing.value)
    with pytest.raises(mw.Error) as unknown:
        mw.open(b"what is this?")
    assert unknown.value.code == "FILE-FORMAT"
    assert unknown.value.advice
    broken = b'{"format": "w3d", "chunks": [}'
    with pytest.raises(mw.Error) as text:
        mw.open(broken, format="json")
    assert text.value.span is not None


def test_info_has_what_the_file_contains(art: Path) -> None:
    info = mw.open(art / "mwcrate.w3d").info()
    assert (info.vertices, info.triangles, info.bones) == (48, 24, 3)
    assert [mesh.name for mesh in info.meshes] == ["MWCRATE.BODY", "MWCRATE.LID"]
    assert info.clips[0].name == "MWCRATE.OPEN"
    assert info.textures[0].name == "mwcrate.tga"
    assert info.textures[0].file == str(art / "mwcrate.tga")
    assert info.missing_textures == ()
    assert info.bounds is not None


def test_the_tree_has_chunks_and_fields(art: Path) -> None:
    crate = mw.open(art / "mwcrate.w3d")
    tree = crate.tree()
    assert tree.size == len(crate.to_bytes())
    assert [part.name for part in tree.children][:2] == ["MESH", "MESH"]
    assert sum(1 for part in tree.walk() if part.name == "VERTICES") == 2
    header = crate.tree("MESH[1]/MESH_HEADER3", fields=True)
    fields = {field.name: field.value for field in header.fields}
    assert fields["mesh_name"] == "LID"
    assert fields["num_vertices"] == 24
    with pytest.raises(mw.Error, match="available at top level: MESH"):
        crate.tree("NOTHING")


def test_a_check_is_for_a_game(art: Path) -> None:
    tower = mw.open(art / "mwtower.mdx")
    report = tower.check("wc3-reforged")
    assert (report.profile, report.guessed_because) == ("wc3-reforged", None)
    assert tower.check().guessed_because
    codes = {found.code for found in tower.check()}
    for code in codes:
        assert code in mw.explain(code)
    assert {found.code for found in tower.check(allow=["all"])} == set()
    with pytest.raises(mw.Error, match="no game named doom"):
        tower.check("doom")
    with pytest.raises(mw.Error, match="no rule matches"):
        tower.check(deny=["NO-SUCH-RULE"])


def test_findings_are_repaired(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    assert tank.fix() == []
    tank.set("MESH[0]/MESH_HEADER3.num_tris", 7)
    (finding,) = tank.check()
    assert tank.fix(allow=[finding.code]) == []
    (repair,) = tank.fix()
    assert (repair.code, repair.message) == (finding.code, "number of triangles 7 -> 12")
    assert tank.to_bytes() == (art / "mwtank.w3d").read_bytes()
    assert tank.path == str(art / "mwtank.w3d")
    with pytest.raises(ValueError, match="safe"):
        tank.fix("some")  # type: ignore[arg-type]


def test_missing_files_are_findings_only_with_surroundings(tmp_path: Path) -> None:
    (tmp_path / "mwcrate.w3d").write_bytes(mw.samples()["mwcrate.w3d"])
    crate = mw.open(tmp_path / "mwcrate.w3d")
    assert any(found.code.startswith("W3D-FILES") for found in crate.check())
    assert not any(found.code.startswith("W3D-FILES") for found in crate.check(surroundings=False))


def test_differences_name_the_part(art: Path) -> None:
    before = mw.open(art / "mwcrate.w3d")
    after = before.copy()
    assert before.diff(after) == []
    assert after.retexture("MWCRATE.TGA", "oak.dds") == 2
    changes = before.diff(after)
    assert len(changes) == 2
    assert changes[0].path.endswith("TEXTURE_NAME[0]")
    assert (changes[0].before, changes[0].after) == ("mwcrate.tga", "oak.dds")
    with pytest.raises(mw.Error) as families:
        before.diff(mw.open(art / "mwtower.mdx"))
    assert families.value.code == "DIFF-FAMILY"


def test_every_edit_changes_the_model(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    assert "TURRET" in tank.names("mesh")
    assert tank.rename("mesh", "TURRET", "TOWER") > 0
    assert "MWTANK.TOWER" in [mesh.name for mesh in tank.meshes]
    assert tank.retexture("mw*.tga", "snow_*.dds", glob=True) == 8
    assert tank.textures[0].name == "snow_tank.dds"
    assert tank.retexture(r"snow_(.*)\.dds", "$1.tga", regex=True) == 8
    before = tank.meshes[0].positions.tolist()
    assert tank.scale(2) > 0
    assert tank.meshes[0].positions.tolist() == [[2 * number for number in row] for row in before]
    assert tank.translate((0, 0, 1)) > 0
    assert tank.rotate("z", 90) > 0
    assert tank.set("MESH[*]/MESH_HEADER3.sort_level", 5) == 7
    assert tank.set_all({"MESH[0]/MESH_HEADER3.attributes": "HIDDEN|TWO_SIDED"}) == 1
    assert isinstance(tank.strip("unused-textures"), int)
    assert mw.open(tank.to_bytes()) == tank


def test_parts_are_removed_kept_and_added(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    whole = tank.copy()
    meshes = len(tank.meshes)
    assert tank.remove("mesh:TURRET").changed == 1
    assert tank.remove("mesh:TURRET").changed == 0
    assert len(tank.meshes) == meshes - 1
    assert tank.add(whole, "mesh:TURRET").changed >= 1
    assert sorted(mesh.name for mesh in tank.meshes) == sorted(mesh.name for mesh in whole.meshes)
    assert tank.keep("mesh:TURRET").changed == meshes - 1
    assert [mesh.name for mesh in tank.meshes] == ["MWTANK.TURRET"]
    with pytest.raises(mw.Error):
        tank.remove("nothing of this kind:x")


def test_models_are_mirrored_attached_blended_and_recoloured(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    whole = tank.to_bytes()
    assert tank.mirror().changed > 0
    assert tank.to_bytes() != whole
    tank.mirror()
    assert tank.to_bytes() == whole
    assert tank.attach("bone:EXHAUST", "bone:TURRET").changed == 1
    assert tank.blend("mesh:TURRET", "additive").changed == 1
    assert tank.recolour("mesh:TURRET", colour=(1.0, 0.5, 0.0)).changed == 1
    assert tank.recolour("mesh:TURRET", team_colour=True).notes
    assert any("HOUSECOLOR" in mesh.name for mesh in tank.meshes)
    with pytest.raises(mw.Error):
        tank.blend("mesh:#0", "shiny")  # type: ignore[arg-type]
    with pytest.raises(mw.Error):
        tank.recolour("mesh:#0")


def clip(model: mw.Model, name: str) -> mw.Clip:
    return next(found for found in model.clips if found.name == name)


def test_clips_change_in_one_way_at_a_time(art: Path) -> None:
    tower = mw.open(art / "mwtower.mdx")
    stand = clip(tower, "Stand")
    assert tower.change_clip("Stand", speed=2).changed == 1
    assert clip(tower, "Stand").seconds == pytest.approx(stand.seconds / 2, abs=0.002)
    assert tower.change_clip("Stand", rename="Stand First").changed == 1
    assert tower.change_clip("Death", trim=(0, 100)).changed == 1
    assert clip(tower, "Death").seconds == pytest.approx(0.1, abs=0.002)
    assert tower.add_clip(mw.open(art / "mwtower.mdx"), "Stand", name="Stand Second").changed >= 1
    assert {"Stand First", "Stand Second"} <= {found.name for found in tower.clips}
    for changes in ({}, {"speed": 2.0, "rarity": 1.0}):
        with pytest.raises(ValueError):
            tower.change_clip("Stand First", **changes)  # type: ignore[arg-type]


def test_derived_data_is_computed_again(art: Path) -> None:
    tower = mw.open(art / "mwtower.mdx")
    tower.set("MODL.extent", {"radius": 1, "minimum": [0, 0, 0], "maximum": [1, 1, 1]})
    assert tower.recompute("extents").changed > 0
    assert tower.recompute("extents").changed == 0


def test_a_failed_edit_leaves_the_model(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    before = tank.to_bytes()
    with pytest.raises(mw.Error) as error:
        tank.rename("mesh", "TURRET", "a name that is much too long for a field of sixteen bytes")
    assert error.value.code == "EDIT"
    with pytest.raises(mw.Error):
        tank.set_all({"MESH[0]/MESH_HEADER3.sort_level": 5, "MESH[0]/MESH_HEADER3.no_such_field": 1})
    with pytest.raises(mw.Error, match="available: mesh"):
        tank.rename("unicorn", "a", "b")  # type: ignore[arg-type]
    assert tank.to_bytes() == before


def test_files_are_written_in_the_format_of_their_name(art: Path, tmp_path: Path) -> None:
    tower = mw.open(art / "mwtower.mdx")
    for name in ["a.mdx", "a.mdl", "a.json"]:
        tower.save(tmp_path / name)
        assert tower.path == str(tmp_path / name)
        assert mw.open(tmp_path / name) == tower
    tower.save(tmp_path / "a.glb")
    assert (tmp_path / "a.glb").read_bytes().startswith(b"glTF")
    assert tower.path == str(tmp_path / "a.json")
    with pytest.raises(ValueError, match="give a path"):
        mw.open(tower.to_bytes()).save()


def test_mdl_keeps_the_text_of_what_was_not_changed(art: Path, tmp_path: Path) -> None:
    text = mw.open(art / "mwtower.mdx").to_mdl()
    typed = b"// written by hand\n" + text
    (tmp_path / "tower.mdl").write_bytes(typed)
    tower = mw.open(tmp_path / "tower.mdl")
    tower.save()
    assert (tmp_path / "tower.mdl").read_bytes() == typed
    assert tower.retexture("mwspark.tga", "spark.blp") == 1
    tower.save()
    changed = (tmp_path / "tower.mdl").read_bytes()
    assert changed.startswith(b"// written by hand\n")
    assert b"spark.blp" in changed


def test_json_is_the_text_form(art: Path) -> None:
    document = json.loads(mw.open(art / "mwcrate.w3d").to_json())
    assert isinstance(document, dict)


def test_skeletons_have_names_and_parents(art: Path) -> None:
    (skeleton,) = mw.open(art / "mwcrate.w3d").skeletons
    assert skeleton.name == "MWCRATE"
    assert [(bone.name, bone.parent) for bone in skeleton.bones] == [("ROOTTRANSFORM", None), ("BODY", 0), ("LID", 1)]


def test_limits_can_be_lowered(art: Path) -> None:
    tiny = mw.Workspace(limits={"file": 100})
    with pytest.raises(mw.Error) as error:
        mw.open(art / "mwtank.w3d", workspace=tiny)
    assert error.value.code == "FILE-ACCESS"
    with pytest.raises(mw.Error, match="no limit named unicorns"):
        mw.Workspace(limits={"unicorns": 1})
