# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the zip files of the extension: `build.py OUT WHEEL_OR_MODULE`, with the Python of an environment that has bpy.

Without a wheel, one is packed of the compiled module and the Python files of the package, for tests.
"""

import base64
import hashlib
import importlib.util
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "blender"
PACKAGE = ROOT / "python" / "meshwright"
STARTERS = ROOT / "crates" / "cli" / "assets" / "starters"
# What the tags of wheels begin and end with, and Blender's names of platforms.
PLATFORMS = (
    ("manylinux", "x86_64", ("linux-x64",)),
    ("win", "amd64", ("windows-x64",)),
    ("macosx", "universal2", ("macos-arm64", "macos-x64")),
)


def version():
    return re.search(r'^version = "(.*)"', (EXTENSION / "blender_manifest.toml").read_text(), re.M)[1]


def packed(module, folder):
    """A wheel of a compiled module, for this machine."""
    name = f"meshwright-{version()}-cp311-abi3-manylinux_2_28_x86_64.whl"
    info = f"meshwright-{version()}.dist-info/"
    files = {f"meshwright/{it.name}": it.read_bytes() for it in sorted(PACKAGE.glob("*.py*")) if it.is_file()}
    files["meshwright/py.typed"] = b""
    files["meshwright/_core.abi3.so"] = Path(module).read_bytes()
    files[info + "METADATA"] = f"Metadata-Version: 2.1\nName: meshwright\nVersion: {version()}\n".encode()
    tag = "Tag: cp311-abi3-manylinux_2_28_x86_64\n"
    files[info + "WHEEL"] = f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\n{tag}".encode()
    rows = [f"{path},sha256={_digest(data)},{len(data)}" for path, data in files.items()]
    files[info + "RECORD"] = "\n".join([*rows, f"{info}RECORD,,", ""]).encode()
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as wheel:
        for path, data in files.items():
            wheel.writestr(path, data)
    return folder / name


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def platforms_of(wheel):
    tag = wheel.stem.rsplit("-", 1)[1]
    for system, machine, names in PLATFORMS:
        if tag.startswith(system) and tag.endswith(machine):
            return names
    raise SystemExit(f"{wheel.name}: no platform of Blender has this tag")


def stage(wheels, folder):
    """The files of the extension with its wheels and starter models."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(EXTENSION, folder, ignore=shutil.ignore_patterns("tests", "__pycache__"))
    shutil.copytree(STARTERS, folder / "starters")
    (folder / "wheels").mkdir()
    for wheel in wheels:
        shutil.copy(wheel, folder / "wheels" / wheel.name)
    manifest = folder / "blender_manifest.toml"
    text = manifest.read_text()
    listed = ", ".join(f'"./wheels/{wheel.name}"' for wheel in wheels)
    platforms = ", ".join(f'"{name}"' for wheel in wheels for name in platforms_of(wheel))
    text = re.sub(r"^wheels = .*$", f"wheels = [{listed}]", text, flags=re.M)
    manifest.write_text(re.sub(r"^platforms = .*$", f"platforms = [{platforms}]", text, flags=re.M))


def tool():
    """Blender's own program that validates and builds extensions. It runs without Blender."""
    folder = Path(importlib.util.find_spec("bpy").origin).parent
    return next(folder.glob("*/scripts/addons_core/bl_pkg/cli/blender_ext.py"))


def main(out, *sources):
    out = Path(out)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    wheels = [Path(it) if it.endswith(".whl") else packed(it, out) for it in sources]
    stage(wheels, out / "meshwright")
    subprocess.run([sys.executable, str(tool()), "validate", str(out / "meshwright")], check=True)
    build = ["build", "--source-dir", str(out / "meshwright"), "--output-dir", str(out), "--split-platforms"]
    subprocess.run([sys.executable, str(tool()), *build], check=True)
    for zip_file in out.glob("*.zip"):
        print(zip_file)


if __name__ == "__main__":
    main(*sys.argv[1:])
