"""A second reader of W3D, written from the format's documents alone.

    w3d_reader.py FOLDER

Reads every .w3d file of a folder, puts the vertices of its meshes where the model has them at rest, and compares the sums with those in the
.positions file of the same name: a line for each mesh with its name, number of vertices, sums of x, y and z, and sums of their squares.
Prints differences and a line of counts; the exit code is 1 if there are any.
"""

import math
import os
import struct
import sys

# Ids of chunks (docs/formats/w3d/framing.md).
MESH, VERTICES, INFLUENCES, HEADER3, TRIANGLES = 0x00, 0x02, 0x0E, 0x1F, 0x20
HIERARCHY, HIERARCHY_HEADER, PIVOTS = 0x100, 0x101, 0x102
HLOD, HLOD_HEADER, LOD_ARRAY, SUB_OBJECT = 0x700, 0x701, 0x702, 0x704
FOUR_BONES = 0xC03


def chunks(data, start=0, end=None):
    """The chunks of a stretch of bytes: id, start and end of the body. Each has its own size; the top bit is no part of it."""
    end = len(data) if end is None else end
    while start < end:
        if start + 8 > end:
            raise ValueError(f"{end - start} bytes left at {start}, fewer than a chunk header")
        number, size = struct.unpack_from("<II", data, start)
        body, after = start + 8, start + 8 + (size & 0x7FFFFFFF)
        if after > end:
            raise ValueError(f"chunk {number:#x} at {start} ends at {after}, behind its parent's end {end}")
        yield number, body, after
        start = after


def child(data, start, end, wanted):
    return next(((a, b) for number, a, b in chunks(data, start, end) if number == wanted), None)


def name(raw):
    return raw.split(b"\0")[0].decode("cp1252", "replace")


def rows(data, span, form):
    return list(struct.iter_unpack(form, data[span[0]:span[1]])) if span else []


def multiply(a, b):
    """Two transforms of three rows and four columns."""
    return [
        [sum(a[r][k] * b[k][c] for k in range(3)) + (a[r][3] if c == 3 else 0.0) for c in range(4)]
        for r in range(3)
    ]


def apply(matrix, point):
    return [sum(matrix[r][c] * point[c] for c in range(3)) + matrix[r][3] for r in range(3)]


def transform(translation, quaternion):
    x, y, z, w = quaternion
    length = math.sqrt(x * x + y * y + z * z + w * w)
    x, y, z, w = (part / length for part in (x, y, z, w)) if length > 1e-6 else (0.0, 0.0, 0.0, 1.0)
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), translation[0]],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), translation[1]],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), translation[2]],
    ]


IDENTITY = transform((0, 0, 0), (0, 0, 0, 1))


def skeleton(data, start, end):
    header = child(data, start, end, HIERARCHY_HEADER)
    worlds = []
    # Name of 16 bytes, parent, translation, angles that nobody reads, rotation.
    for row in rows(data, child(data, start, end, PIVOTS), "<16sI3f3f4f"):
        parent, local = row[1], transform(row[2:5], row[8:12])
        if not worlds:
            # The object's own transform takes the place of pivot 0.
            worlds.append(IDENTITY)
        else:
            worlds.append(multiply(worlds[parent], local))
    return name(data[header[0] + 4:header[0] + 20]).lower(), worlds


def mesh(data, start, end):
    header = child(data, start, end, HEADER3)
    fields = struct.unpack_from("<II16s16sII", data, header[0])
    own, container = name(fields[2]), name(fields[3])
    points = rows(data, child(data, start, end, VERTICES), "<3f")
    corners = rows(data, child(data, start, end, TRIANGLES), "<3II3ff")
    bones = [row[0] for row in rows(data, child(data, start, end, INFLUENCES), "<4H")]
    four = rows(data, child(data, start, end, FOUR_BONES), "<4H3H")
    if four:
        bones = [row[0] for row in four]
    if len(points) != fields[5] or len(corners) != fields[4]:
        raise ValueError(f"{own}: {len(points)} vertices and {len(corners)} triangles; the header says {fields[5]} and {fields[4]}")
    if any(index >= len(points) for row in corners for index in row[:3]):
        raise ValueError(f"{own}: a triangle has a vertex that does not exist")
    full = f"{container}.{own}" if container else own
    return full.lower(), {"name": own, "points": points, "bones": bones}


def placed(path):
    """The meshes in the order of the model's levels, the finest first, with the places of their vertices."""
    with open(path, "rb") as file:
        data = file.read()
    skeletons, meshes, models = {}, {}, []
    for number, start, end in chunks(data):
        if number == HIERARCHY:
            key, worlds = skeleton(data, start, end)
            skeletons[key] = worlds
        elif number == MESH:
            key, found = mesh(data, start, end)
            meshes[key] = found
        elif number == HLOD:
            models.append((start, end))
    used, result = set(), []

    def put(key, worlds, bone):
        one = meshes[key]
        used.add(key)
        if one["bones"]:
            points = [apply(worlds[b], p) for b, p in zip(one["bones"], one["points"])]
        else:
            points = one["points"]
            # The other side gives the places of rigid meshes in the model, too.
            points = [apply(worlds[bone], p) for p in points]
        result.append((one["name"], points))

    for start, end in models:
        header = child(data, start, end, HLOD_HEADER)
        worlds = skeletons.get(name(data[header[0] + 24:header[0] + 40]).lower(), [IDENTITY])
        levels = [(a, b) for number, a, b in chunks(data, start, end) if number == LOD_ARRAY]
        seen = set()
        for a, b in reversed(levels):
            for number, body, after in chunks(data, a, b):
                if number != SUB_OBJECT:
                    continue
                bone, = struct.unpack_from("<I", data, body)
                key = name(data[body + 4:body + 36]).lower()
                if key in meshes and (key, bone) not in seen:
                    seen.add((key, bone))
                    put(key, worlds, bone)
    for key in meshes:
        if key not in used:
            container = key.split(".")[0]
            only = next(iter(skeletons.values())) if len(skeletons) == 1 else [IDENTITY]
            put(key, skeletons.get(container, only), 0)
    return result


def sums(points):
    totals = [math.fsum(p[axis] for p in points) for axis in range(3)]
    return totals + [math.fsum(p[axis] * p[axis] for p in points) for axis in range(3)]


def differences(path):
    with open(os.path.splitext(path)[0] + ".positions", encoding="utf-8") as file:
        wanted = [line.rstrip("\n").split("\t") for line in file]
    found = placed(path)
    if len(found) != len(wanted):
        yield f"{len(found)} meshes; expected {len(wanted)}"
        return
    for (label, points), (other, count, numbers) in zip(found, wanted):
        numbers = [float(number) for number in numbers.split()]
        if label != other or len(points) != int(count):
            yield f"mesh {label} of {len(points)} vertices; expected {other} of {count}"
            continue
        size = max([1.0] + [abs(part) for point in points for part in point])
        for at, (a, b) in enumerate(zip(sums(points), numbers)):
            room = 1e-5 * len(points) * (size if at < 3 else size * size) + 1e-9
            if not abs(a - b) <= room:
                yield f"mesh {label}: sum {at} is {a}; expected {b}"


def main(folder):
    files = sorted(os.path.join(folder, file) for file in os.listdir(folder) if file.lower().endswith(".w3d"))
    wrong = meshes = 0
    for path in files:
        try:
            found = list(differences(path))
            meshes += len(placed(path))
        except (ValueError, KeyError, IndexError, TypeError, struct.error) as error:
            found = [f"cannot be read: {error!r}"]
        for line in found:
            print(f"{os.path.basename(path)}: {line}")
        wrong += bool(found)
    print(f"{len(files)} files, {meshes} meshes, {wrong} with differences")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
