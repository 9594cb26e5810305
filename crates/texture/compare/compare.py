#!/usr/bin/env python3
"""Compares our decoding of real textures with that of other decoders.

    pip install numpy pillow imagecodecs
    python3 crates/texture/compare/compare.py FOLDER

DDS and TGA are judged by Pillow, BLP JPEG by libjpeg-turbo's raw components, BLP2 blocks by Pillow reading them
as a DDS, BLP palettes and BGRA by the few lines of numpy below. Pillow's own BLP reader is no judge: it multiplies
JPEG colour by alpha. The first level is compared; a row gives the largest and mean difference of R, G, B, A.
"""

import io
import struct
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import imagecodecs
import numpy as np
from PIL import Image

CARGO = ["cargo", "run", "--quiet", "-p", "texture", "--example", "survey", "--"]


def pillow(data):
    if data[84:88] == b"DX10" and data[128] == 78:
        # BC3_UNORM_SRGB, which Pillow does not know, has the bytes of BC3_UNORM.
        data = data[:128] + bytes([77]) + data[129:]
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))


def unpack_alpha(data, bits, count):
    if bits == 0:
        return np.full(count, 255, np.uint8)
    stream = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")[: count * bits]
    value = stream.reshape(count, bits) @ (1 << np.arange(bits))
    return (value * 255 // (2**bits - 1)).astype(np.uint8)


def blp(data):
    if data[:4] == b"BLP2":
        content, compression, bits, alpha_type = struct.unpack_from("<I3B", data, 4)
        width, height, offset = struct.unpack_from("<3I", data, 12)
        size, shared = struct.unpack_from("<I", data, 84)[0], 148
    else:
        content, bits, width, height = struct.unpack_from("<4I", data, 4)
        offset, size, shared = struct.unpack_from("<I60xI", data, 28) + (156,)
        compression, alpha_type = 1, None
    level, count = data[offset:], width * height
    if content == 0:
        length = struct.unpack_from("<I", data, shared)[0]
        stream = data[shared + 4 : shared + 4 + length] + level[:size]
        # The same colour space on both sides: libjpeg-turbo then hands out what is stored.
        raw = imagecodecs.jpeg8_decode(stream, colorspace="CMYK", outcolorspace="CMYK")
        if raw.shape[2] != 4:
            raise ValueError(f"{raw.shape[2]} components")
        rgba = raw[..., [2, 1, 0, 3]].copy()
    elif compression == 1:
        palette = np.frombuffer(data, np.uint8, 1024, shared).reshape(256, 4)[:, [2, 1, 0, 3]]
        rgba = palette[np.frombuffer(level, np.uint8, count)]
        rgba[:, 3] = unpack_alpha(level[count:][: (count * bits + 7) // 8], bits, count)
    elif compression == 2:
        code = b"DXT1" if bits < 2 else {0: b"DXT1", 1: b"DXT3", 7: b"DXT5"}[alpha_type]
        header = struct.pack("<4s4I56x2I4s40x", b"DDS ", 124, 0x1007, height, width, 32, 4, code)
        rgba = pillow(header + level).copy()
    else:
        rgba = np.frombuffer(level, np.uint8, count * 4).reshape(count, 4)[:, [2, 1, 0, 3]]
    rgba = rgba.reshape(height, width, 4)
    if bits == 0:
        rgba[..., 3] = 255
    return rgba


def main(folder):
    groups, skipped = defaultdict(list), []
    with tempfile.TemporaryDirectory() as out:
        survey = subprocess.run([*CARGO, folder, out], stdout=subprocess.PIPE, text=True).stdout
        for line in survey.splitlines()[1:]:
            number, container, encoding, _, size, _, _, name = line.split("\t")
            ours = Path(out, f"{number}.rgba")
            if not ours.exists():
                skipped.append((name, "not decoded by us"))
                continue
            width, height = map(int, size.split("x"))
            ours = np.fromfile(ours, np.uint8).reshape(height, width, 4)
            data = Path(folder, name).read_bytes()
            try:
                theirs = blp(data) if container.startswith("Blp") else pillow(data)
            except Exception as error:
                skipped.append((name, f"no reference: {error}"))
                continue
            difference = np.abs(ours.astype(int) - theirs).reshape(-1, 4)
            groups[container, encoding].append((difference.max(0), difference.mean(0), name))

    print(f"{'kind':16} files  exact  within 2  max R,G,B,A        mean R,G,B,A")
    for (container, encoding), rows in sorted(groups.items()):
        largest = np.array([row[0] for row in rows])
        mean = np.array([row[1] for row in rows]).mean(0)
        exact, close = (largest.max(1) == 0).sum(), (largest.max(1) <= 2).sum()
        numbers = ",".join(map(str, largest.max(0))), ",".join(f"{value:.3f}" for value in mean)
        print(f"{container + ' ' + encoding:16} {len(rows):5}  {exact:5}  {close:8}  {numbers[0]:17}  {numbers[1]}")
        for worst, _, name in rows:
            if worst.max() > 2:
                print(f"    {name}: max {','.join(map(str, worst))}")
    for name, reason in skipped:
        print(f"skipped: {name}: {reason}")


if __name__ == "__main__":
    main(sys.argv[1])
