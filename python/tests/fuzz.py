"""Random calls on damaged files: `fuzz.py [SECONDS] [SEED] [FOLDER]`.

No input may crash the interpreter, cause a panic, or raise anything but the exceptions that the documents name. Each case has a number, which is
printed if it fails; `fuzz.py 0 NUMBER` repeats it alone. Models of FOLDER are used besides the samples.
"""

from __future__ import annotations

import faulthandler
import pickle
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import meshwright as mw

EXPECTED = (mw.Error, ValueError, TypeError, KeyError, IndexError, OverflowError)

SLOW = 60.0
"""Seconds that one call may take, also with debug assertions on a busy machine."""


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The bytes with some damage."""
    made = bytearray(data)
    for _ in range(rng.choice([0, 1, 1, 2, 5, 20])):
        if not made:
            break
        at = rng.randrange(len(made))
        kind = rng.randrange(6)
        if kind == 0:
            made[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            made[at : at + 4] = rng.choice([b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\xc0\x7f", b"\xff\xff\xff\x7f"])
        elif kind == 2:
            del made[at:]
        elif kind == 3:
            del made[at : at + rng.randrange(1, 64)]
        elif kind == 4:
            made[at:at] = rng.randbytes(rng.randrange(1, 64))
        else:
            start = rng.randrange(len(made))
            made[at:at] = made[start : start + rng.randrange(1, 256)]
    return bytes(made)


def text(rng: random.Random) -> str:
    """Some text that people might type, or not."""
    words = ["", "MESH", "MESH[0]", "MESH[*]/MESH_HEADER3.sort_level", "GEOS", "mwtank.tga", "*.tga", "TURRET", "Stand", "AIM", "..", "/", "\0", "ä", "𝕏", "a" * 300]
    return rng.choice([*words, "".join(chr(rng.randrange(1, 0x250)) for _ in range(rng.randrange(12)))])


def number(rng: random.Random) -> Any:
    """A number, or something like it."""
    return rng.choice([0, 1, -1, 2, 64, 1e30, -0.5, 1e-30, float("nan"), float("inf"), 2**40, None, "x"])


def arrays(mesh: Any) -> int:
    """Reads every number of a mesh."""
    count = 0
    for array in [mesh.positions, mesh.normals, mesh.triangles, *mesh.uv_sets, *([mesh.colors] if mesh.colors else []), *(mesh.skin or ())]:
        count += len(bytes(memoryview(array))) if 0 not in array.shape else 0
        count += len(array.tobytes())
        if len(array) and len(array) < 5000:
            count += len(array.tolist())
            count += len(array[-1])
    return count


def calls(model: mw.Model, others: list[mw.Model], folder: Path, rng: random.Random) -> list[Callable[[], Any]]:
    """What can be done with a model."""
    kinds: Any = ["mesh", "bone", "model", "container", "animation", "camera", text(rng)]
    size = rng.choice([1, 8, 32, 33])
    return [
        lambda: model.info(),
        lambda: model.tree(rng.choice(["", text(rng)]), fields=rng.random() < 0.5, hex=rng.random() < 0.3),
        lambda: model.check(rng.choice([None, None, *mw.GAMES, text(rng)]), surroundings=rng.random() < 0.5),
        lambda: model.diagnostics,
        lambda: model.diff(rng.choice(others), epsilon=rng.choice([0.0, 0.1, number(rng)])),
        lambda: model.to_bytes(),
        lambda: model.to_json(),
        lambda: model.to_mdl(),
        lambda: model.to_glb(textures=rng.random() < 0.5, team_color=rng.choice([text(rng), "blue"])),
        lambda: model.convert(rng.choice(["gltf", "obj", "ply", "stl", "json", "w3d", "mdx", "mdl", text(rng)])),
        lambda: model.apply(damaged(model.to_glb(), rng)),
        lambda: model.apply(model.to_glb()),
        lambda: [arrays(mesh) for mesh in model.meshes[:20]],
        lambda: [arrays(mesh) for mesh in model.scene().meshes[:20]],
        lambda: model.skeletons,
        lambda: model.textures,
        lambda: [clip.sample([number(rng), 0.1]) for clip in model.clips[:3]],
        lambda: [clip.sample(fps=number(rng)) for clip in model.clips[:1] if clip.seconds < 100],
        lambda: model.scene().positions(rng.choice([0, 1, 99]), rng.choice([None, text(rng)]), 0.2),
        lambda: model.render(size, rng.choice([None, 9]), clip=rng.choice(["none", text(rng)])),
        lambda: model.render(number(rng), camera=text(rng)),
        lambda: model.rename(rng.choice(kinds), text(rng), text(rng)),
        lambda: model.retexture(text(rng), text(rng), glob=rng.random() < 0.3, regex=rng.random() < 0.3),
        lambda: model.scale(number(rng), force=True),
        lambda: model.translate((number(rng), 0.0, 1.0), force=True),
        lambda: model.rotate(rng.choice(["x", "y", "z"]), number(rng), force=rng.random() < 0.5),
        lambda: model.remove(rng.choice(["mesh:#0", "clip:*", "bone:#1", "texture", "path:MESH[0]"]), unused=rng.random() < 0.3),
        lambda: model.keep(rng.choice(["mesh:#0", "clip:#1", "bone:*"])),
        lambda: model.recompute(rng.choice(["normals", "extents", "winding", "all"])),
        lambda: model.change_clip(rng.choice(["*", "#0"]), speed=rng.choice([0.5, 2.0, 0.0, 1e30])),
        lambda: model.change_clip(rng.choice(["*", "#0"]), trim=(0, rng.randrange(5000))),
        lambda: model.change_clip("#0", reverse=True),
        lambda: model.add(model, rng.choice(["mesh:#0", "bone:#1", "light:#0"])),
        lambda: model.add_clip(model, "#0", name="again"),
        lambda: model.mirror(rng.choice(["x", "y", "z"]), force=True),
        lambda: model.attach(rng.choice(["bone:#1", "mesh:#0", "node:#2"]), rng.choice([None, "bone:#0", "bone:#2"]), motion=rng.choice(["own", "kept", "rigid"])),
        lambda: model.blend(rng.choice(["mesh:#0", "material", "emitter"]), rng.choice(["alpha", "opaque"])),
        lambda: model.recolour(rng.choice(["mesh:#0", "emitter", "light"]), colour=(number(rng), 0.5, 1.0)),
        lambda: model.strip(rng.choice(["unknown", "user-text", "unused-materials", "unused-textures", "unused-nodes"])),
        lambda: model.fix(rng.choice(["safe", "all"])),
        lambda: model.set(text(rng), number(rng)),
        lambda: model.set("MESH[*]/MESH_HEADER3.sort_level", number(rng)),
        lambda: pickle.loads(pickle.dumps(model)),
        lambda: model.save(folder / rng.choice(["a.w3d", "a.mdx", "a.mdl", "a.json", "a.glb", "a.xyz"])),
        lambda: repr(model),
        lambda: model._repr_png_(),
    ]


def free_calls(data: bytes, folder: Path, rng: random.Random) -> list[Callable[[], Any]]:
    """What can be done with bytes."""
    path = folder / rng.choice(["file.w3d", "file.mdx", "file.tga", "file.big", "file.glb"])
    path.write_bytes(data)
    return [
        lambda: mw.texture.read(data, name=rng.choice([None, "a.tga"])),
        lambda: mw.open_gltf(data),
        lambda: mw.convert(data, format=rng.choice(["glb", "w3d", "mdx", "png", "blp", "json"])),
        lambda: [member.read() for member in mw.archive.open(data).members()[:20]],
        lambda: list(mw.info([folder, path], jobs=2)),
        lambda: list(mw.check([folder], jobs=1)),
        lambda: list(mw.verify([path], text=True)),
        lambda: mw.find(text(rng), folder),
        lambda: mw.open(path, format=rng.choice(["w3d", "mdx", "mdl", "json", text(rng)])),
        lambda: mw.Workspace(textures=[folder / text(rng)], limits={rng.choice(["keys", "file", "x"]): 5}),
    ]


def case(seed: int, sources: list[bytes]) -> None:
    """One case."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        models = []
        for _ in range(2):
            data = damaged(rng.choice(sources), rng)
            try:
                models.append(mw.open(data, name=rng.choice([None, str(folder / "model.w3d")])))
            except mw.Error:
                continue
        for _ in range(6):
            if models and rng.random() < 0.85:
                call = rng.choice(calls(rng.choice(models), models, folder, rng))
            else:
                call = rng.choice(free_calls(damaged(rng.choice(sources), rng), folder, rng))
            start = time.monotonic()
            try:
                call()
            except EXPECTED:
                pass
            took = time.monotonic() - start
            assert took < SLOW, f"a call took {took:.0f} s"


def gathered(arguments: list[str]) -> list[bytes]:
    """The files to damage."""
    sources = list(mw.samples().values())
    for model in ("mwtank.w3d", "mwtower.mdx", "warcraft.mdx"):
        opened = mw.open(mw.samples()[model])
        sources += [opened.to_glb(), opened.to_json().encode()]
    sources.append(mw.open(mw.samples()["mwtower.mdx"]).to_mdl())
    with tempfile.TemporaryDirectory() as name:
        for kind in ("big", "mpq"):
            mw.archive.create(Path(name) / f"a.{kind}", {"art/a.w3d": mw.samples()["mwcrate.w3d"]})
            sources.append((Path(name) / f"a.{kind}").read_bytes())
    for folder in arguments[2:3]:
        files = [path for path in sorted(Path(folder).rglob("*")) if path.is_file() and path.stat().st_size < 300_000]
        sources += [path.read_bytes() for path in files]
    return sources


def main() -> int:
    arguments = sys.argv[1:]
    seconds = float(arguments[0]) if arguments else 60.0
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    faulthandler.enable()
    sources = gathered(arguments)
    end = time.monotonic() + seconds
    count = 0
    with tempfile.NamedTemporaryFile("w", prefix="meshwright-fuzz-", suffix=".txt", delete=False) as log:
        # If the interpreter dies, the last number in this file is that of the case.
        while count == 0 or time.monotonic() < end:
            log.seek(0)
            log.write(f"{seed + count}\n")
            log.flush()
            try:
                case(seed + count, sources)
            except BaseException as error:
                print(f"case {seed + count}: {type(error).__name__}: {error}")
                if isinstance(error, KeyboardInterrupt):
                    return 130
                raise
            count += 1
    Path(log.name).unlink()
    print(f"{count} cases from {seed} on, {len(sources)} sources: nothing unexpected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
