# SPDX-License-Identifier: GPL-3.0-or-later
"""Rest poses of bones: which ones are as they were imported."""

_DISTANCE = 1e-5
_TURN = 1e-5


def rests(holder):
    """The rest matrix of each bone, in rows of numbers."""
    if holder.type != "ARMATURE":
        return {}
    return {bone.name: _numbers(bone) for bone in holder.data.bones}


def unchanged(holder, known):
    """The names of the bones that are where they were imported, and so are their parents."""
    if holder.type != "ARMATURE":
        return set()
    size = max((abs(number) for row in known.values() for number in row[9:]), default=1.0)
    same = {
        bone.name: bone.name in known and _is_same(_numbers(bone), known[bone.name], max(size, 1.0))
        for bone in holder.data.bones
    }
    kept = set()
    for bone in holder.data.bones:
        if same[bone.name] and (bone.parent is None or same[bone.parent.name]):
            kept.add(bone.name)
    return kept


def _numbers(bone):
    matrix = bone.matrix_local
    turn = [matrix[row][column] for row in range(3) for column in range(3)]
    return [*turn, *(matrix[row][3] for row in range(3))]


def _is_same(a, b, size):
    turns = all(abs(x - y) < _TURN for x, y in zip(a[:9], b[:9]))
    return turns and all(abs(x - y) < _DISTANCE * size * 0.1 for x, y in zip(a[9:], b[9:]))
