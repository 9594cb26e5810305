"""`python3 textures.py TABLE FOLDER OUT`: Pillow's pixels of every texture in a table of ours, as `<number>.rgba` where it can read it.

Pillow's own reading of BLP2 is coarse (colours of five bits are shifted, not widened) and drops the alpha of palettes, so blocks are given
to it as DDS, and plain pixels are taken from the file.
"""
import io
import struct
import sys
from pathlib import Path

from PIL import Image

DXT = {0: b"DXT1", 1: b"DXT3", 7: b"DXT5"}


def blp2(data):
    compression, alpha_bits, alpha_type = data[8], data[9], data[10]
    width, height = struct.unpack_from("<2I", data, 12)
    offset, size = struct.unpack_from("<I", data, 20)[0], struct.unpack_from("<I", data, 84)[0]
    level = data[offset : offset + size]
    count = width * height
    if compression == 2:
        format = DXT[alpha_type if alpha_bits > 1 else 0]
        header = struct.pack("<4s7I44x2I4s20xI16x", b"DDS ", 124, 0x1007, height, width, 0, 0, 0, 32, 4, format, 0x1000)
        return Image.open(io.BytesIO(header + level)).convert("RGBA").tobytes()
    if compression == 3:
        blue, green, red, alpha = (level[channel : 4 * count : 4] for channel in range(4))
    else:
        palette = data[148 : 148 + 1024]
        blue, green, red = (bytes(palette[4 * index + channel] for index in level[:count]) for channel in range(3))
        alpha = level[count : 2 * count] if alpha_bits == 8 else None
    if alpha_bits == 0 or alpha is None:
        alpha = bytes([255]) * count
    return bytes(byte for pixel in zip(red, green, blue, alpha) for byte in pixel)


def dds(data):
    """Blocks of the DX10 header's sRGB kinds, which Pillow does not know, are those of the old ones."""
    old = {72: b"DXT1", 75: b"DXT3", 78: b"DXT5"}.get(struct.unpack_from("<I", data, 128)[0])
    if data[84:88] == b"DX10" and old:
        data = data[:84] + old + data[88:128] + data[148:]
    return Image.open(io.BytesIO(data)).convert("RGBA").tobytes()


READERS = {b"BLP2": blp2, b"DDS ": dds}

table, folder, out = map(Path, sys.argv[1:])
out.mkdir(parents=True, exist_ok=True)
for line in table.read_text().splitlines()[1:]:
    number, *_, file = line.split("\t")
    data = (folder / file).read_bytes()
    try:
        pixels = READERS.get(data[:4], lambda data: Image.open(io.BytesIO(data)).convert("RGBA").tobytes())(data)
    except Exception:  # Whatever it is, Pillow has no opinion.
        continue
    (out / f"{number}.rgba").write_bytes(pixels)
