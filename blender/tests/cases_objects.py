# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases about what the empties stand for, about showing and hiding, and about the side panel."""

import os

import bpy
import support


def _exported(name, edit):
    """The lines of `diff` after an edit."""
    import meshwright

    bpy.ops.wm.read_homefile(use_empty=True)
    path = support.sample(name)
    holder = support.load(path)
    edit(holder)
    folder = os.path.join(support.FILES, "objects")
    os.makedirs(folder, exist_ok=True)
    target = os.path.join(folder, name)
    support.export(target)
    return [str(it) for it in meshwright.open(path).diff(meshwright.open(target))]


def _helper(word):
    return next(it for it in bpy.data.objects if it.get("meshwright_helper") == word)


def objects_can_be_edited():
    """Each edit changes one field and nothing else."""

    def rate(_holder):
        _helper("Emitter")["emission rate"] = 33.0

    def move(word, distance):
        def edit(_holder):
            _helper(word).location.x += distance

        return edit

    def grow(_holder):
        _helper("Collision").scale *= 2.0

    def event(_holder):
        _helper("Event")["frames in Stand"] = "3, 9.5"

    def remove(_holder):
        bpy.data.objects.remove(_helper("Ribbon"))

    for name, edit, expected in (
        ("mwtank.w3d", rate, 'EMITTER[0] "MWSMOKE"/EMITTER_INFO[0]: emission_rate 14.0 -> 33.0'),
        ("mwtank.w3d", move("Emitter", 0.5), 'HIERARCHY[0] "MWTANK"/PIVOTS[0]: array pivots'),
        ("mwcrate.w3d", move("Collision", 0.5), 'BOX[0] "MWCRATE.BOUNDS": center [0.0, 0.0, 0.25] -> [0.5, 0.0, 0.25]'),
        ("mwtower.mdx", move("Attachment", 4.0), "PIVT[0]: array pivots"),
        ("warcraft.mdx", event, 'EVTS[0]/EventObject[0] "SNDxABCD"/KEVT[0]: array times'),
        ("warcraft.mdx", grow, 'CLID[0]/CollisionShape[1] "Ball"/ShapeSphere[0]: radius 16.0 -> 32.0'),
    ):
        assert _exported(name, edit) == [expected], (name, _exported(name, edit), support.report())
    assert any("RIBB" in line for line in _exported("mwtower.mdx", remove)), support.report()


def what_cannot_be_exported_is_a_warning():
    def blend(_holder):
        _helper("Emitter")["blend"] = "Glitter"

    def copy(_holder):
        twin = _helper("Attachment").copy()
        bpy.data.collections["mwtower points"].objects.link(twin)

    def no_points(_holder):
        for empty in [it for it in bpy.data.objects if "meshwright_helper" in it]:
            bpy.data.objects.remove(empty)

    def frames(_holder):
        _helper("Event")["frames in Stand"] = "soon"

    def stray(_holder):
        mesh = bpy.data.objects.new("Stray", bpy.data.meshes.new("Stray"))
        bpy.context.scene.collection.objects.link(mesh)

    for name, edit, warning in (
        ("mwtower.mdx", blend, "cannot be changed"),
        ("mwtower.mdx", copy, "copies are not exported"),
        ("mwtower.mdx", no_points, "All points of the model were deleted"),
        ("warcraft.mdx", frames, "has to be frames"),
        ("mwtank.w3d", stray, "Stray: is not exported"),
    ):
        assert _exported(name, edit) == [], name
        assert warning in support.report(), (name, support.report())


def parts_can_be_shown_and_hidden():
    def hide(holder):
        assert bpy.ops.meshwright.hideable(part="Geoset 0") == {"FINISHED"}
        clips, visibility = support.part("clips"), support.part("visibility")
        path = '["show Geoset 0"]'
        assert visibility.property_of(bpy.data.objects["Geoset 0"]) == "show Geoset 0"
        curve = clips.curve(*clips.ensure(holder, "Stand"), path)
        curve.keyframe_points.add(2)
        for point, frame, shows in zip(curve.keyframe_points, (0, 15), (1.0, 0.0)):
            point.co, point.interpolation = (frame, shows), "CONSTANT"
        support.play(holder, "Stand", 0.75)
        assert bpy.data.objects["Geoset 0"].hide_render

    lines = _exported("mwtower.mdx", hide)
    assert lines and all("GEOA" in line for line in lines), lines
    import meshwright

    scene = meshwright.open(os.path.join(support.FILES, "objects", "mwtower.mdx")).scene()
    states = [meshes[0] for meshes in scene.visible("Stand", (0.25, 0.75))]
    assert states == [True, False], states
    assert [meshes[0] for meshes in scene.visible("Death", (0.25, 0.75))] == [True, True]


def clips_can_be_left_out():
    path = support.sample("mwtower.mdx")
    for choice, names in (({"clips": "none"}, set()), ({"clips": "some", "clip_name": "dea"}, {"Death"})):
        bpy.ops.wm.read_homefile(use_empty=True)
        holder = support.load(path, game="wc3-classic", **choice)
        assert set(support.clips_of(holder)) == names, support.clips_of(holder)
        assert support.export(os.path.join(support.FILES, "few.mdx")) == support.read(path), support.report()


def layers_are_shown():
    """The material of the sample with two layers has a picture for each, and is exported as it was."""
    path = support.sample("mwtower.mdx")
    support.load(path)
    materials = support.part("materials")
    layered = [it for it in bpy.data.materials if len(materials.layers_of(it)) > 1 and materials.is_shown(it)]
    assert layered, "the sample has several layers"
    engines = {it.target for it in layered[0].node_tree.nodes if it.type == "OUTPUT_MATERIAL"}
    assert {"EEVEE", "CYCLES"} <= engines, engines
    assert support.export(os.path.join(support.FILES, "layers.mdx")) == support.read(path), support.report()


def archives_have_pictures():
    from meshwright import archive

    packed = os.path.join(support.FILES, "pictures.big")
    tank = {name: support.read(support.sample(name)) for name in ("mwtank.w3d", "mwtank.tga")}
    archive.create(packed, {f"art/{name}": data for name, data in tank.items()})
    browser, toolkit = support.part("archive_browser"), support.part("toolkit")
    member = os.path.join(packed, "art", "mwtank.w3d")
    assert browser.pictures.draw(member, toolkit.Places())
    pixels = browser.pictures.collection[member].image_pixels_float
    assert len(set(round(it, 2) for it in pixels)) > 20, "something is drawn"
    assert not browser.pictures.draw(os.path.join(packed, "art", "nothing.w3d"), toolkit.Places())
    browser.forget()
    assert browser.pictures.collection is None
    chosen = [{"name": "art/mwtank.w3d", "path": "art/mwtank.w3d", "full": member, "size": 1, "chosen": True}]
    assert bpy.ops.meshwright.archive(archive=packed, members=chosen) == {"FINISHED"}
    assert "MWTANK" in bpy.data.objects


def findings_select_parts():
    holder = support.load(support.sample("mwtank.w3d"))
    assert bpy.ops.meshwright.check() == {"FINISHED"}
    panel = support.part("panel")
    assert panel.find_part(holder, 'MESH[0] "MWTANK.HULL"/VERTICES') == (bpy.data.objects["HULL"], None)
    assert panel.find_part(holder, 'HIERARCHY[0] "MWTANK"/PIVOTS[0] "EXHAUST"') == (holder, "EXHAUST")
    assert bpy.ops.meshwright.select(part='MESH[0] "MWTANK.TURRET"') == {"FINISHED"}
    assert bpy.context.object.name == "TURRET"
    holder = support.load(support.sample("mwtower.mdx"))
    assert panel.find_part(holder, "GEOS[0]/Geoset[2]/NRMS")[0].name == "Geoset 2"


def ten_kinds_of_edits_arrive():
    """The edits of the judge, on our own samples. `edits.py` makes them to real models."""
    import edits

    judge = edits.judge_edits()
    problems, passed = [], 0
    for name in ("mwtank.w3d", "mwtower.mdx"):
        for kind in (*judge.KINDS, *edits.OWN):
            try:
                word, found = edits.run(support.sample(name), kind, judge, support, bpy)
            except judge.Skip:
                continue
            passed += word == "passed" and not found
            problems += [f"{name} {kind}: {it}" for it in found]
    assert not problems, problems
    assert passed >= 18, passed
