"""`python3 textures.py TABLE FOLDER OUT`: Pillow's pixels of every texture in a table of ours, as `<number>.rgba` where it can read it."""
import sys
from pathlib import Path

from PIL import Image

table, folder, out = map(Path, sys.argv[1:])
out.mkdir(parents=True, exist_ok=True)
for line in table.read_text().splitlines()[1:]:
    number, *_, file = line.split("\t")
    try:
        pixels = Image.open(folder / file).convert("RGBA").tobytes()
    except Exception:  # Whatever it is, Pillow has no opinion.
        continue
    (out / f"{number}.rgba").write_bytes(pixels)
