"""A second reader of W3X, written from the format's documents alone.

    w3x_positions.py MESHWRIGHT FOLDER...

Reads every .w3x file below the folders that has a container, puts the vertices of its meshes where the model has them at rest and at four
moments of each clip, and compares them with those in the OBJ files that the program MESHWRIGHT writes. They may be 1e-4 of the size of the model apart.
Prints differences and a line of counts; the exit code is 1 if there are any. Needs numpy.
"""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import numpy

TOLERANCE = 1e-4
# Not the end itself: a clip that repeats starts again there.
MOMENTS = (0.0, 0.29, 0.63, 0.97)
AXES = {"XTranslation": 0, "YTranslation": 1, "ZTranslation": 2}


def local(element):
    return element.tag.rsplit("}", 1)[-1]


def children(element, name):
    return [child for child in element if local(child) == name]


def first(element, name):
    return next(iter(children(element, name)), None)


def numbers(element, names):
    return [float(element.get(name, "0").replace(",", ".")) for name in names]


def rotation(quaternion):
    """The matrix of a quaternion x, y, z, w."""
    x, y, z, w = numpy.array(quaternion) / numpy.linalg.norm(quaternion)
    return numpy.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def transform(translation, quaternion):
    matrix = numpy.identity(4)
    matrix[:3, :3] = rotation(quaternion)
    matrix[:3, 3] = translation
    return matrix


def slerp(a, b, share):
    a, b = (numpy.array(q) / numpy.linalg.norm(q) for q in (a, b))
    if a @ b < 0:
        b = -b
    angle = numpy.arccos(min(1.0, a @ b))
    if angle < 1e-6:
        return a * (1 - share) + b * share
    return (a * numpy.sin((1 - share) * angle) + b * numpy.sin(share * angle)) / numpy.sin(angle)


class Channel:
    """The values of one channel, frame by frame; frames that it does not cover have the value of rest."""

    def __init__(self, element):
        self.is_rotation = local(element) == "ChannelQuaternion"
        self.start = int(element.get("FirstFrame", "0"))
        frames = children(element, "Frame")
        self.jumps = [frame.get("BinaryMove") in ("true", "1") for frame in frames]
        if self.is_rotation:
            self.values = [numpy.array(numbers(frame, "XYZW")) for frame in frames]
            self.rest = numpy.array([0.0, 0.0, 0.0, 1.0])
        else:
            self.values = [float(frame.text.replace(",", ".")) for frame in frames]
            self.rest = 0.0

    def frame(self, index):
        index -= self.start
        if 0 <= index < len(self.values):
            return self.values[index], self.jumps[index]
        return self.rest, False

    def at(self, frame):
        """The value between two frames: on a line or an arc, or held if the second one is a jump."""
        index = int(numpy.floor(frame + 1e-4))
        share = max(0.0, frame - index)
        value, _ = self.frame(index)
        after, jumps = self.frame(index + 1)
        if share < 1e-4 or jumps:
            return value
        if self.is_rotation:
            return slerp(value, after, share)
        return value * (1 - share) + after * share


class Folder:
    """The assets of a folder by type and id, without case."""

    def __init__(self, folder):
        self.assets, self.animations = {}, []
        for name in sorted(os.listdir(folder)):
            if re.search(r"\.(w3x|xml)(~\w+)?$", name, re.IGNORECASE):
                for asset in ElementTree.parse(os.path.join(folder, name)).getroot():
                    self.add(asset)

    def add(self, asset):
        if asset.get("id") is not None:
            self.assets.setdefault((local(asset), asset.get("id").lower()), asset)
            if local(asset) == "W3DAnimation":
                self.animations.append(asset)

    def get(self, kind, name):
        return self.assets.get((kind, (name or "").lower()))


def worlds(hierarchy, animation=None, frame=0.0):
    """The matrices of all pivots, at rest or in an animation."""
    pivots = children(hierarchy, "Pivot")
    motions = {}
    channels = first(animation, "Channels") if animation is not None else None
    for channel in channels if channels is not None else []:
        motions[int(channel.get("Pivot")), channel.get("Type")] = Channel(channel)
    matrices = {}

    def world(index):
        if index not in matrices:
            pivot = pivots[index]
            if index == 0:
                # Pivot 0 is the transform of the object itself, as in W3D.
                matrices[index] = numpy.identity(4)
            else:
                rest = transform(numbers(first(pivot, "Translation"), "XYZ"), numbers(first(pivot, "Rotation"), "XYZW"))
                moved = [0.0, 0.0, 0.0]
                for name, axis in AXES.items():
                    if (index, name) in motions:
                        moved[axis] = motions[index, name].at(frame)
                turned = motions[index, "Orientation"].at(frame) if (index, "Orientation") in motions else [0, 0, 0, 1]
                parent = int(pivot.get("Parent"))
                matrices[index] = world(parent if parent >= 0 else 0) @ rest @ transform(moved, turned)
        return matrices[index]

    return [world(index) for index in range(len(pivots))]


def moved(matrix, points):
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def positions(mesh, bone, matrices):
    """The vertices of a mesh in the space of the model."""
    lists = [numpy.array([numbers(v, "XYZ") for v in part]) for part in children(mesh, "Vertices")]
    if mesh.get("GeometryType") != "Skin":
        return moved(matrices[bone], lists[0])
    total, weights = numpy.zeros_like(lists[0]), numpy.zeros(len(lists[0]))
    for points, influences in zip(lists, children(mesh, "BoneInfluences")):
        for index, (point, influence) in enumerate(zip(points, influences)):
            weight = float(influence.get("Weight"))
            if weight > 0:
                total[index] += weight * moved(matrices[int(influence.get("Bone"))], point)
                weights[index] += weight
    return total / weights[:, None]


def corners(mesh, points):
    """The corners of all triangles. Writers may order vertices in their own way, but not triangles."""
    triangles = first(mesh, "Triangles")
    return points[[int(corner.text) for triangle in triangles for corner in children(triangle, "V")]]


def objects(path):
    """The objects of an OBJ file: names and the corners of their triangles."""
    points, found = [], []
    for line in open(path, encoding="utf-8"):
        if line.startswith("o "):
            found.append((line[2:].strip(), []))
        elif line.startswith("v "):
            points.append([float(number) for number in line.split()[1:4]])
        elif line.startswith("f "):
            found[-1][1].extend(points[int(corner.split("/")[0]) - 1] for corner in line.split()[1:])
    return [(name, numpy.array(all)) for name, all in found]


def main():
    program, *tops = sys.argv[1:]
    counts = {"models": 0, "skins": 0, "moments": 0, "corners": 0}
    faults, worst = [], 0.0
    for top in tops:
        for folder, _, names in sorted(os.walk(top)):
            assets = None
            for name in sorted(names):
                if not re.search(r"\.w3x(~\w+)?$", name, re.IGNORECASE):
                    continue
                path = os.path.join(folder, name)
                containers = children(ElementTree.parse(path).getroot(), "W3DContainer")
                if len(containers) != 1:
                    continue
                assets = assets or Folder(folder)
                container = containers[0]
                hierarchy = assets.get("W3DHierarchy", container.get("Hierarchy"))
                if hierarchy is None:
                    continue
                meshes = []
                for part in children(container, "SubObject"):
                    reference = first(first(part, "RenderObject"), "Mesh")
                    mesh = assets.get("W3DMesh", reference.text.strip()) if reference is not None else None
                    if mesh is not None:
                        meshes.append((mesh, int(part.get("BoneIndex"))))
                if not meshes:
                    continue
                counts["models"] += 1
                counts["skins"] += sum(mesh.get("GeometryType") == "Skin" for mesh, _ in meshes)
                key = container.get("Hierarchy").lower()
                clips = [clip for clip in assets.animations if clip.get("Hierarchy").lower() == key]
                moments = [(None, 0.0)] + [(clip, share) for clip in clips for share in MOMENTS]
                for clip, share in moments:
                    arguments, frame = [], 0.0
                    if clip is not None:
                        frame = share * (int(clip.get("NumFrames")) - 1)
                        seconds = frame / float(clip.get("FrameRate"))
                        arguments = ["--clip", clip.get("id"), "--time", repr(seconds)]
                    with tempfile.TemporaryDirectory() as target:
                        out = os.path.join(target, "model.obj")
                        command = [program, "convert", path, out, "--hidden", "-q", *arguments]
                        result = subprocess.run(command, capture_output=True, text=True, check=False)
                        if result.returncode != 0:
                            faults.append(f"{path}: {result.stderr.strip()}")
                            continue
                        theirs = objects(out)
                    matrices = worlds(hierarchy, clip, frame)
                    ours = {}
                    for mesh, bone in meshes:
                        ours.setdefault(mesh.get("id").rsplit(".", 1)[-1], []).append(corners(mesh, positions(mesh, bone, matrices)))
                    size = max(numpy.ptp(numpy.concatenate(sum(ours.values(), [])), axis=0).max(), 1e-6)
                    if clip is None and len(theirs) != len(meshes):
                        faults.append(f"{path}: {len(theirs)} meshes, not {len(meshes)}")
                    for label, points in theirs:
                        expected = ours.get(label) or [None]
                        expected = expected.pop(0)
                        if expected is None or len(expected) != len(points):
                            faults.append(f"{path}: the mesh {label} has {len(points) // 3} triangles")
                            continue
                        # The files have Y up and their front towards Z; W3X has Z up and its front towards X.
                        apart = numpy.abs(expected[:, [1, 2, 0]] - points).max() / size
                        worst = max(worst, apart)
                        counts["corners"] += len(points)
                        if apart > TOLERANCE:
                            place = f"{clip.get('id')} at frame {frame:.2f}" if clip is not None else "rest"
                            faults.append(f"{path}: {label} in {place} is {apart:.2e} of the size apart")
                    counts["moments"] += 1
    for fault in faults:
        print(fault)
    print(", ".join(f"{count} {what}" for what, count in counts.items()), f"at most {worst:.1e} apart, {len(faults)} faults")
    return 1 if faults or not counts["models"] else 0


if __name__ == "__main__":
    sys.exit(main())
