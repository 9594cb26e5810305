"""Compares the speed with that of the command line: `speed.py FOLDER PROGRAM [FILES]`.

Copies of the models in FOLDER, 10,000 unless given, go through `info` and `check` of both. The best of three runs counts.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import meshwright as mw


def best(work: Callable[[], object]) -> float:
    """The shortest of three times."""
    times = []
    for _ in range(3):
        start = time.monotonic()
        work()
        times.append(time.monotonic() - start)
    return min(times)


def main() -> None:
    folder, program = Path(sys.argv[1]), sys.argv[2]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    models = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in (".w3d", ".mdx") and path.is_file()]
    with tempfile.TemporaryDirectory() as name:
        copies = Path(name) / "copies"
        for index in range(count):
            source = models[index % len(models)]
            target = copies / str(index // 500) / f"{index}_{source.name}"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)

        def run(*words: str) -> None:
            subprocess.run([program, *words, str(copies)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)

        jobs: list[tuple[str, Callable[[], object], Callable[[], object]]] = [
            ("info", lambda: run("info", "--jsonl"), lambda: sum(1 for _ in mw.info(copies))),
            ("check", lambda: run("check", "--format", "json", "--severity", "hint"), lambda: sum(1 for _ in mw.check(copies))),
        ]
        for verb, theirs, ours in jobs:
            program_time, package_time = best(theirs), best(ours)
            share = program_time / package_time
            print(f"{verb}: {count / program_time:,.0f} files/s by the program, {count / package_time:,.0f} by the package: {share:.0%}")


if __name__ == "__main__":
    main()
