"""Many files, threads, interrupts, pickles and notebooks."""

from __future__ import annotations

import copy
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import meshwright as mw

NAMES = ["damaged.w3d", "every-chunk.w3d", "mwcrate.w3d", "mwtank.w3d", "mwtower.mdx", "warcraft.mdx"]


def test_results_come_in_order_with_progress(art: Path) -> None:
    seen: list[tuple[int, int]] = []
    results = mw.info(art, progress=lambda done, total: seen.append((done, total)))
    assert len(results) == 6
    assert [Path(info.file).name for info in results] == NAMES
    assert seen == [(done, 6) for done in range(1, 7)]
    for jobs in (1, 2, 7):
        assert [Path(report.path).name for report in mw.check(art, jobs=jobs)] == NAMES
    assert [info.sha256 is None for info in mw.info(art / "mwtank.w3d", hash=False)] == [True]


def test_one_file_gives_the_same_as_its_model(art: Path) -> None:
    for name in NAMES:
        model = mw.open(art / name)
        (info,) = mw.info([art / name])
        assert info == model.info()
        (report,) = mw.check([art / name])
        assert report == model.check()


def test_unreadable_files_are_results(art: Path) -> None:
    (art / "empty.w3d").write_bytes(b"what is this?")
    paths = [art / "empty.w3d", art / "nowhere.mdx", art / "mwtank.w3d"]
    infos = list(mw.info(paths))
    assert [info.error is None for info in infos] == [False, False, True]
    assert infos[1].error is not None
    assert infos[1].error.code == "FILE-ACCESS"
    reports = list(mw.check(paths))
    assert [report.readable for report in reports] == [False, False, True]
    assert reports[1].findings[0].code == "FILE-ACCESS"
    assert [verdict.result for verdict in mw.verify(paths)] == ["unreadable", "unreadable", "identical"]


def test_everything_is_written_back(art: Path) -> None:
    assert {verdict.result for verdict in mw.verify(art, text=True)} == {"identical"}


def test_a_project_sets_the_rules(art: Path) -> None:
    before = {found.code for report in mw.check(art) for found in report}
    assert before
    (art / "meshwright.toml").write_text("[check]\nprofile = 'generals'\nallow = ['all']\n")
    reports = list(mw.check(art))
    assert [len(report) for report in reports] == [0] * 6
    assert reports[3].profile == "generals"
    (art / "meshwright.toml").write_text("[check]\nprofile = 'doom'\n")
    with pytest.raises(mw.Error, match="unknown profile") as error:
        mw.check(art)
    assert error.value.code == "PROJECT"


def test_files_and_their_users_are_found(art: Path) -> None:
    found = mw.find("mwcrate.tga", art)
    assert [Path(file).name for file in found.files] == ["mwcrate.tga"]
    assert [Path(use.model).name for use in found.used_by] == ["damaged.w3d", "mwcrate.w3d"]
    assert mw.find("*.dds", art).files  # Extensions of textures stand for each other.
    assert mw.find("nothing.tga", art) == mw.Found((), ())
    assert mw.find("x", art / "nowhere").problems
    mw.archive.create(art / "mod.big", {"art/mwcrate.w3d": (art / "mwcrate.w3d").read_bytes()})
    assert [use.model for use in mw.find("mwcrate.tga", art / "mod.big").used_by] == [
        str(art / "mod.big/art/mwcrate.w3d")
    ]


def test_many_files_are_converted(art: Path, tmp_path: Path) -> None:
    (art / "units").mkdir()
    (art / "units/mwcrate.w3d").write_bytes((art / "mwcrate.w3d").read_bytes())
    (art / "mwtank.mdx").write_bytes((art / "warcraft.mdx").read_bytes())
    out = tmp_path / "out"
    results = list(mw.convert_all([art, art / "nowhere.w3d"], out, "glb", team_color="blue"))
    assert [result.error is None for result in results] == [True] * 8 + [False]
    made = sorted(str(path.relative_to(out)) for path in out.rglob("*.glb"))
    # Two models of one name keep their extensions.
    assert "mwtank.w3d.glb" in made
    assert "mwtank.mdx.glb" in made
    assert str(Path("units/mwcrate.glb")) in made
    assert len(made) == 8
    workspace = mw.Workspace(folders=art)
    tank = mw.open(art / "mwtank.w3d")
    assert (out / "mwtank.w3d.glb").read_bytes() == tank.to_glb(team_color="blue", workspace=workspace)
    pictures = list(mw.convert_all(art, tmp_path / "png", "png"))
    assert pictures
    assert all(Path(picture.written[0]).suffix == ".png" for picture in pictures)
    (same,) = mw.convert_all(art / "mwcrate.w3d", art, "w3d")
    assert same.error is not None
    assert "overwrite" in same.error.message


def test_stopping_early_ends_the_work(art: Path) -> None:
    results = mw.info([art / "mwtank.w3d"] * 5000)
    next(results)
    results.stop()
    assert sum(1 for _ in results) < 4999
    for _ in mw.check([art / "mwtank.w3d"] * 5000):
        break


def test_ctrl_c_interrupts(art: Path, tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("signals differ")
    script = textwrap.dedent(
        f"""
        import meshwright as mw, sys
        results = mw.check([{str(art / "every-chunk.w3d")!r}] * 50_000, jobs=1)
        print("ready", flush=True)
        try:
            for _ in results:
                pass
        except KeyboardInterrupt:
            sys.exit(42)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 42


def test_other_threads_run_while_work_is_done(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.monotonic()
    while time.monotonic() - start < 0.5:
        tank.render(512, jobs=1)
    done.set()
    thread.join()
    assert ticks > 50


def test_one_model_serves_many_threads(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    glb = tank.to_glb()

    def work(number: int) -> bool:
        if number % 3 == 0:
            tank.set("MESH[0]/MESH_HEADER3.sort_level", 0)
        return tank.to_glb() == glb and len(tank.meshes[0].positions) == 24

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(40)))


def test_plain_results_are_pickled(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    other = tank.copy()
    other.retexture("mwtank.tga", "b.tga")
    results = [
        tank.info(),
        tank.check(),
        tank.tree(),
        tank.diff(other),
        tank.convert("glb"),
        tank.skeletons,
        list(mw.verify(art)),
        mw.find("mwtank.tga", art),
        tank.materials,
    ]
    for result in results:
        assert pickle.loads(pickle.dumps(result)) == result
    assert pickle.loads(pickle.dumps(tank)) == tank
    assert pickle.loads(pickle.dumps(tank)).path == tank.path
    assert copy.copy(tank) == copy.deepcopy(tank) == tank
    workspace = pickle.loads(pickle.dumps(mw.Workspace(textures=art)))
    assert tank.convert("glb", workspace=workspace).missing == ()
    try:
        mw.open(art / "none.w3d")
    except mw.Error as error:
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.code, again.file) == (str(error), error.code, error.file)


def test_notebooks_show_models(art: Path) -> None:
    tank = mw.open(art / "mwtank.w3d")
    png = tank._repr_png_()
    assert png is not None
    assert png.startswith(b"\x89PNG")
    assert repr(tank) == f"<Model {art / 'mwtank.w3d'}: w3d, 7 meshes>"
    assert repr(tank.meshes[0]) == '<Mesh "MWTANK.HULL": 24 vertices, 12 triangles>'
    assert repr(tank.clips[0]) == "<Clip 'AIM': 3.000 s>"
    assert repr(tank.scene()) == "<Scene 'MWTANK': 7 meshes, 8 nodes, 1 clips>"
    assert tank.render(32)._repr_png_().startswith(b"\x89PNG")
    assert mw.texture.read(art / "mwtank.tga")._repr_png_().startswith(b"\x89PNG")
    assert "textures" in repr(mw.Workspace(textures=art))
