"""Compares the package with the command line on real files: `corpus.py FOLDER PROGRAM`.

Every model has the same bytes, the same summary, the same findings and the same GLB in both.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import meshwright as mw

FOLDERS = ["w3d", "mdx", "mdl"]


def run(program: str, *arguments: str) -> bytes:
    """What the program prints. It may find something, but must not fail otherwise."""
    result = subprocess.run([program, *arguments], capture_output=True, check=False)
    assert result.returncode in (0, 1, 2), result.stderr.decode()
    return result.stdout


def summary(info: mw.Info) -> dict[str, Any]:
    """The summary as the command line writes it."""
    data = dataclasses.asdict(info)
    data.pop("error")
    bounds = data["bounds"]
    data["bounds"] = None if bounds is None else {"min": bounds[0], "max": bounds[1]}
    plain: dict[str, Any] = json.loads(json.dumps(data))
    return plain


def compare(program: str, folder: Path, scratch: Path) -> list[str]:
    """The differences in one folder."""
    wrong: list[str] = []
    expected = json.loads(run(program, "info", "--json", str(folder)))
    infos = {info.file: info for info in mw.info(folder)}
    for file in expected["files"]:
        if summary(infos[file["file"]]) != file:
            wrong.append(f"info: {file['file']}")
    wrong += [f"info: {file['file']} is readable" for file in expected["unreadable"] if infos[file["file"]].error is None]
    checked = json.loads(run(program, "check", "--severity", "hint", "--format", "json", str(folder)))
    reports = {report.path: report for report in mw.check(folder)}
    for file in checked["files"]:
        report = reports[file["path"]]
        findings = [mw.Finding._of(found) for found in file["findings"]]
        if list(report.findings) != findings or report.profile != file.get("profile"):
            wrong.append(f"check: {file['path']}")
    models = [Path(file["file"]) for file in expected["files"]]
    wrong += [f"bytes: {verdict.file}" for verdict in mw.verify(folder) if verdict.result == "differs"]
    run(program, "convert", "--quiet", "--to", "glb", "--out-dir", str(scratch), str(folder))
    workspace = mw.Workspace(folders=folder)

    def convert(path: Path) -> str | None:
        model = mw.open(path)
        if path.suffix.lower() in (".w3d", ".mdx") and model.to_bytes() != path.read_bytes():
            return f"bytes: {path}"
        name = path.relative_to(folder)
        made = [scratch / name.with_suffix(".glb"), scratch / (str(name) + ".glb")]
        program_made = next((file for file in made if file.is_file()), None)
        try:
            glb = model.to_glb(workspace=workspace)
        except mw.Error:
            return None if program_made is None else f"glb: {path} cannot be converted"
        if program_made is None:
            return f"glb: the program made none of {path}"
        same = hashlib.sha256(glb).digest() == hashlib.sha256(program_made.read_bytes()).digest()
        return None if same else f"glb: {path}"

    with ThreadPoolExecutor() as pool:
        wrong += [problem for problem in pool.map(convert, models) if problem is not None]
    print(f"{folder.name}: {len(models)} models, {len(wrong)} differ")
    return wrong


def main() -> int:
    corpus, program = Path(sys.argv[1]), sys.argv[2]
    wrong = []
    for name in FOLDERS:
        if (corpus / name).is_dir():
            with tempfile.TemporaryDirectory() as scratch:
                wrong += compare(program, corpus / name, Path(scratch))
    for problem in wrong:
        print(problem)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
