"""Writes the names of the files that the games ship, for crates/assets/src/stock: stock_names.py FOLDER OUTPUT

FOLDER has lists of names, one file per line, columns separated by tabs, lines with # are comments:

    war3-files.txt      path, first version (tft, 1.31 or reforged)
    generals-files.txt  name, archive, game (generals or zerohour); .* is a texture of unknown extension
    bfme-files.txt      name, game (bfme1 or bfme2)

OUTPUT is text, compressed with DEFLATE: three sections separated by an empty line, for Warcraft III, Generals and The Battle for
Middle-earth. A line is the number of characters that it shares with the line before (32 is added, one character), the rest of the name
without extension, a tab, and a hexadecimal digit: 1 is a texture and 2 a model of the older game, 4 and 8 of the newer one.
"""

import sys
import zlib
from pathlib import Path

TEXTURES = {"blp", "dds", "tga", "tif", "bmp", "jpg", "png", "*"}
MODELS = {"mdx", "mdl", "w3d"}
MAX_SHARED = 94


def names(file, game_column, newer):
    """Names without extension, with the digit of each."""
    found = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        columns = line.split("\t")
        stem, _, extension = columns[0].lower().replace("\\", "/").rpartition(".")
        bit = 1 if extension in TEXTURES else 2 if extension in MODELS else 0
        if bit and stem:
            found[stem] = found.get(stem, 0) | bit << (2 if columns[game_column] == newer else 0)
    return found


def section(found):
    """The lines of a section."""
    lines, before = [], ""
    for name in sorted(found):
        shared = 0
        while shared < min(len(name), len(before), MAX_SHARED) and name[shared] == before[shared]:
            shared += 1
        lines.append(f"{chr(32 + shared)}{name[shared:]}\t{found[name]:x}")
        before = name
    return "\n".join(lines)


def main():
    folder, output = Path(sys.argv[1]), Path(sys.argv[2])
    text = "\n\n".join(
        section(names(folder / file, column, newer))
        for file, column, newer in [
            ("war3-files.txt", 1, "reforged"),
            ("generals-files.txt", 2, "zerohour"),
            ("bfme-files.txt", 1, "bfme2"),
        ]
    )
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    output.write_bytes(packer.compress(text.encode()) + packer.flush())


main()
