# SPDX-License-Identifier: GPL-3.0-or-later
"""GLB files: the JSON and the binary part."""

import ast
import json
import struct

_MAGIC = b"glTF"
_JSON = 0x4E4F534A
_BINARY = 0x004E4942
# Component types of accessors: the letter of `struct`.
_LETTERS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def read(data):
    """The JSON document and the binary part of a GLB file."""
    if data[:4] != _MAGIC:
        raise ValueError("not a GLB file")
    document, binary, at = None, b"", 12
    while at + 8 <= len(data):
        size, kind = struct.unpack_from("<II", data, at)
        body = data[at + 8 : at + 8 + size]
        if kind == _JSON:
            document = json.loads(body)
        elif kind == _BINARY:
            binary = body
        at += 8 + size
    if document is None:
        raise ValueError("the GLB file has no JSON part")
    return document, binary


def write(document, binary):
    """A GLB file of a JSON document and a binary part."""
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<II", len(text), _JSON) + text
    if binary:
        chunks += struct.pack("<II", len(binary), _BINARY) + binary
    return _MAGIC + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def rows(document, binary, accessor):
    """The elements of an accessor as tuples."""
    accessor = document["accessors"][accessor]
    view = document["bufferViews"][accessor["bufferView"]]
    layout = struct.Struct("<" + _LETTERS[accessor["componentType"]] * _WIDTHS[accessor["type"]])
    stride = view.get("byteStride", layout.size)
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return [layout.unpack_from(binary, start + index * stride) for index in range(accessor["count"])]


def shift(document, data, accessor, vector, step):
    """Adds a vector to values of an accessor: to all of them, or with a step of 3 to those between two tangents."""
    accessor = document["accessors"][accessor]
    view = document["bufferViews"][accessor["bufferView"]]
    layout = struct.Struct("<3f")
    stride = view.get("byteStride", layout.size)
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    for index in range(step // 2, accessor["count"], step):
        place = start + index * stride
        values = layout.unpack_from(data, place)
        layout.pack_into(data, place, *(a + b for a, b in zip(values, vector)))


def extras(item):
    """What Meshwright stored with a part of the document. Blender writes lists of mixed types as Python text."""
    stored = (item.get("extras") or {}).get("meshwright") or {}
    if isinstance(stored, str):
        try:
            stored = ast.literal_eval(stored)
        except (ValueError, SyntaxError):
            stored = {}
    return stored if isinstance(stored, dict) else {}
