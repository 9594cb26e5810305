"""Arrays, scenes, poses and pictures."""

from __future__ import annotations

import gc
import math
import os
import sys
from pathlib import Path

import pytest

import meshwright as mw

numpy = pytest.importorskip("numpy")


def test_arrays_lend_the_memory_of_the_model(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    mesh = tank.meshes[0]
    positions = numpy.asarray(mesh.positions)
    assert (positions.shape, positions.dtype.name) == ((24, 3), "float32")
    assert not positions.flags.owndata
    assert not positions.flags.writeable
    # The same memory, however often it is asked for.
    again = numpy.asarray(tank.meshes[0].positions)
    assert positions.__array_interface__["data"] == again.__array_interface__["data"]
    triangles = numpy.asarray(mesh.triangles)
    assert (triangles.shape, triangles.dtype.name, triangles.strides) == ((12, 3), "uint32", (32, 4))
    assert triangles.max() == 23
    assert numpy.asarray(mesh.normals).shape == (24, 3)
    assert numpy.asarray(mesh.uv_sets[0]).shape == (24, 2)
    lengths = numpy.linalg.norm(numpy.asarray(mesh.normals), axis=1)
    assert numpy.allclose(lengths, 1, atol=1e-3)


def test_arrays_are_those_of_the_chunks(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    for index, mesh in enumerate(tank.meshes):
        fields = tank.tree(f"MESH[{index}]/VERTICES", fields=True, all=True).fields
        assert numpy.allclose(mesh.positions.tolist(), [field.value for field in fields], rtol=1e-6)


def test_arrays_outlive_the_model_and_its_changes(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    before = numpy.asarray(tank.meshes[0].positions)
    copy = before.copy()
    tank.scale(3)
    assert (before == copy).all()
    assert numpy.allclose(numpy.asarray(tank.meshes[0].positions), 3 * copy)
    del tank
    assert (before == copy).all()


def test_arrays_work_without_numpy(art: Path) -> None:
    positions = mw.open(art / "mwtank.w3d").meshes[0].positions
    assert (len(positions), positions.shape, positions.format) == (24, (24, 3), "f")
    assert positions[0].tolist() == positions.tolist()[0]
    assert positions[-1].tolist() == positions.tolist()[23]
    assert positions[2][1] == positions.tolist()[2][1]
    assert len(positions.tobytes()) == 24 * 12
    assert bytes(memoryview(positions)) == positions.tobytes()
    with pytest.raises(IndexError):
        positions[24]
    with pytest.raises(TypeError):
        memoryview(positions)[0, 0] = 1
    assert repr(positions) == "<Array 24x3 float32>"


def test_strided_arrays_are_packed_on_request(art: Path) -> None:
    triangles = mw.open(art / "mwtank.w3d").meshes[0].triangles
    assert len(triangles.tobytes()) == 12 * 12
    assert numpy.frombuffer(triangles.tobytes(), "<u4").reshape(12, 3).tolist() == triangles.tolist()


def test_geosets_have_triangles_and_bones(art: Path) -> None:
    tower = mw.open(art / "mwtower.mdx")
    for mesh in tower.meshes:
        positions, triangles = numpy.asarray(mesh.positions), numpy.asarray(mesh.triangles)
        assert triangles.dtype.name == "uint16"
        assert triangles.max() < len(positions)
        assert mesh.skin is not None
        bones, weights = map(numpy.asarray, mesh.skin)
        assert bones.shape == weights.shape
        assert len(bones) == len(positions)
        assert numpy.allclose(weights.sum(axis=1), 1)
        assert mesh.material is not None


def test_a_scene_is_in_one_space(art: Path) -> None:
    crate = mw.open(art / "mwcrate.w3d")
    scene = crate.scene()
    assert scene.notes == ()
    assert [node.name for node in scene.nodes][-1] == "LID"
    assert scene.bounds is not None
    (low, high) = scene.bounds["min"], scene.bounds["max"]
    corners = numpy.concatenate([numpy.asarray(scene.positions(index)) for index in range(len(scene.meshes))])
    assert numpy.allclose(corners.min(axis=0), low)
    assert numpy.allclose(corners.max(axis=0), high)
    assert scene.materials[0].textures == ("mwcrate.tga",)
    assert scene.meshes[0].parts[0][0] == 0


def test_poses_move_the_vertices(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    (clip,) = tank.clips
    assert (clip.name, clip.seconds) == ("AIM", 3.0)
    poses = clip.sample(fps=10)
    assert poses.matrices.shape == (31, 8, 4, 4)
    matrices = numpy.asarray(poses.matrices)
    assert numpy.allclose(matrices[:, :, 3], [0, 0, 0, 1])
    turret = numpy.asarray(poses.of("TURRET"))
    assert turret.shape == (31, 4, 4)
    # A rotation keeps lengths, and the turret rotates.
    assert numpy.allclose(numpy.linalg.det(turret[:, :3, :3]), 1, atol=1e-4)
    assert not numpy.allclose(turret[0], turret[5])
    # The same as the library's own skinning.
    scene = tank.scene()
    names = [mesh.name for mesh in scene.meshes]
    index = names.index("TURRET") if "TURRET" in names else names.index("MWTANK.TURRET")
    mesh = scene.meshes[index]
    assert mesh.node is not None
    at = scene.clip("aim").sample([0.5])
    world = numpy.asarray(at.matrices)[0, mesh.node]
    rest = numpy.asarray(mesh.positions)
    moved = rest @ world[:3, :3].T + world[:3, 3]
    assert numpy.allclose(moved, numpy.asarray(scene.positions(index, "AIM", 0.5)), atol=1e-5)


def test_skinned_meshes_follow_their_bones(art: Path) -> None:
    scene = mw.open(art / "mwtower.mdx").scene()
    banner = next(index for index, mesh in enumerate(scene.meshes) if mesh.skin is not None)
    still = numpy.asarray(scene.positions(banner))
    assert numpy.isfinite(still).all()
    skin = scene.meshes[banner].skin
    assert skin is not None
    bones, weights = map(numpy.asarray, skin)
    assert bones.max() < len(scene.nodes)
    assert numpy.allclose(weights.sum(axis=1), 1)


def test_a_clip_of_years_is_refused(art: Path) -> None:
    clips = mw.open(art / "every-chunk.w3d").clips
    long = max(clips, key=lambda clip: clip.seconds)
    assert long.seconds > 1e6
    with pytest.raises(mw.Error) as error:
        long.sample()
    assert error.value.code == "POSE-SIZE"
    assert len(long.sample([0.0, 1.0]).times) == 2


def test_moments_may_be_anything(art: Path) -> None:
    clip = mw.open(art / "mwtank.w3d").clips[0]
    poses = clip.sample([math.nan, math.inf, -1.0, 1e30])
    assert poses.matrices.shape[0] == 4


def test_a_picture_has_pixels_and_png(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    picture = tank.render(64, 48, background="white", camera="front", team_color="blue")
    pixels = numpy.asarray(picture.pixels)
    assert pixels.shape == (48, 64, 4)
    assert (pixels[0, 0] == 255).all()
    assert (pixels[24, 32, :3] != 255).any()
    png = picture.to_png()
    assert png.startswith(b"\x89PNG")
    assert (numpy.asarray(mw.texture.read(png).pixels) == pixels).all()
    assert picture.notes == ()
    assert tank.render(16, clip="AIM", time=1.0).time == 1.0
    clear = numpy.asarray(tank.render(32, background="transparent").pixels)
    assert clear[0, 0, 3] == 0
    for wrong in [{"camera": "nowhere"}, {"clip": "Dance"}, {"background": "reddish"}, {"light": "moon"}]:
        with pytest.raises(mw.Error):
            tank.render(16, **wrong)  # type: ignore[arg-type]
    with pytest.raises(mw.Error):
        tank.render(0)
    with pytest.raises(mw.Error):
        tank.render(10**6)


def resident() -> int:
    """Bytes of memory that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured as Linux tells it")
def test_arrays_of_a_large_model_are_not_copied(art: Path) -> None:
    crate = mw.open(art / "mwcrate.w3d")
    rows = [[0.0, 1.0, 2.0]] * 450_000
    crate.set_all({"MESH[0]/VERTICES.vertices": rows, "MESH[0]/VERTEX_NORMALS.normals": rows})
    model = mw.open(crate.to_bytes())
    del crate, rows
    gc.collect()
    before = resident()
    mesh = model.meshes[0]
    arrays = [numpy.asarray(mesh.positions), numpy.asarray(mesh.normals)]
    size = sum(array.nbytes for array in arrays)
    assert size > 10_000_000
    assert [float(array.max()) for array in arrays] == [2.0, 2.0]
    grown = resident() - before
    assert grown < 1_000_000, f"{grown} bytes for arrays of {size}"
