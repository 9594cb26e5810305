# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases about exporting: nothing changed, edits, new models."""

import os

import bpy
import support

SAMPLES = ("mwtank.w3d", "mwcrate.w3d", "mwtower.mdx", "warcraft.mdx")


def an_untouched_model_keeps_its_bytes():
    for name in SAMPLES:
        bpy.ops.wm.read_homefile(use_empty=True)
        path = support.sample(name)
        support.load(path)
        written = support.export(os.path.join(support.FILES, "same-" + name))
        assert written == support.read(path), (name, support.report())
        assert "nothing was changed" in support.report()


def a_failure_of_blender_gives_a_message():
    """Bones at 1e26 are more than Blender's importer or exporter can take, depending on the version."""
    path = os.path.join(support.FILES, "far.w3d")
    try:
        support.load(support.sample("every-chunk.w3d"))
        assert bpy.ops.meshwright.export_model(filepath=path) == {"CANCELLED"}
    except RuntimeError as error:
        assert "Traceback" not in str(error), error
        # Nothing is left of a failed import.
        objects = list(bpy.data.objects)
        assert not objects or any("meshwright_facts" in it for it in objects), objects
    assert "Blender's glTF add-on failed" in support.report(), support.report()
    assert not os.path.exists(path)


def the_original_survives_saving():
    support.load(support.sample("mwtank.w3d"))
    support.load(support.sample("mwtower.mdx"))
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(support.FILES, "saved.blend"))


def the_original_is_there_after_loading():
    bpy.ops.wm.open_mainfile(filepath=os.path.join(support.FILES, "saved.blend"))
    for name, holder in (("mwtank.w3d", "MWTANK"), ("mwtower.mdx", "Watchtower")):
        bpy.context.view_layer.objects.active = bpy.data.objects[holder]
        written = support.export(os.path.join(support.FILES, "loaded-" + name))
        assert written == support.read(support.sample(name)), (name, support.report())


def two_models_do_not_disturb_each_other():
    path = support.sample("mwtower.mdx")
    first, second = support.load(path), support.load(path)
    for holder in (first, second):
        bpy.context.view_layer.objects.active = holder
        assert support.export(os.path.join(support.FILES, "twin.mdx")) == support.read(path), support.report()
    next(it for it in second.children if it.type == "MESH").data.vertices[0].co.z += 10
    bpy.context.view_layer.objects.active = first
    assert support.export(os.path.join(support.FILES, "twin.mdx")) == support.read(path)
    bpy.context.view_layer.objects.active = second
    assert support.export(os.path.join(support.FILES, "twin.mdx")) != support.read(path)


def edits_change_only_what_they_should():
    """Each edit: what is done, and the beginnings of the paths that may differ."""
    for name, edit, allowed in (
        ("mwtank.w3d", _move_vertex("TURRET"), ("MESH",)),
        ("mwtank.w3d", _new_uvs("HULL"), ("MESH",)),
        ("mwtank.w3d", _delete("BARREL"), ("MESH", "HLOD", "HIERARCHY", "ANIMATION")),
        ("mwtank.w3d", _rename_clip("AIM", "SHOOT"), ("ANIMATION",)),
        ("mwtower.mdx", _move_vertex("Geoset 0"), ("GEOS", "MODL", "SEQS")),
        ("mwtower.mdx", _new_uvs("Geoset 1"), ("GEOS",)),
        ("mwtower.mdx", _rename_clip("Death", "Death - 1"), ("SEQS",)),
        ("mwtower.mdx", _new_clip("Walk"), ("SEQS", "BONE", "HELP", "GEOA", "GEOS", "MTLS", "TEXS", "PRE2", "PIVT", "ATCH", "EVTS", "LITE", "CLID", "RIBB", "MODL")),
    ):
        bpy.ops.wm.read_homefile(use_empty=True)
        path = support.sample(name)
        holder = support.load(path)
        edit(holder)
        target = os.path.join(support.FILES, "edited-" + name)
        written = support.export(target)
        assert written != support.read(path), (name, edit.__name__, support.report())
        changes = _diff(path, target)
        others = [it for it in changes if not it.path.split("/")[-1].startswith(allowed) and not it.path.startswith(allowed)]
        assert changes and not others, (name, edit.__name__, [str(it) for it in others][:6])


def _diff(before, after):
    import meshwright

    return meshwright.open(before).diff(meshwright.open(after))


def _named(edit, name):
    edit.__name__ = name
    return edit


def _move_vertex(part):
    def edit(_holder):
        bpy.data.objects[part].data.vertices[0].co.x += 0.125

    return _named(edit, f"move a vertex of {part}")


def _new_uvs(part):
    def edit(_holder):
        for point in bpy.data.objects[part].data.uv_layers[0].data:
            point.uv = (point.uv[0] * 0.5, point.uv[1])

    return _named(edit, f"new coordinates of {part}")


def _delete(part):
    def edit(_holder):
        bpy.data.objects.remove(bpy.data.objects[part])

    return _named(edit, f"delete {part}")


def _rename_clip(old, new):
    def edit(holder):
        clips = support.part("clips")
        for object in support.part("holder").parts(holder):
            for track in object.animation_data.nla_tracks if object.animation_data else ():
                if track.name == old:
                    track.name = new
        assert new in clips.names(holder, [])

    return _named(edit, f"rename the clip {old}")


def _new_clip(name):
    def edit(holder):
        """A user duplicates the action and changes a key; the action is active and has no track."""
        action = support.part("clips").strip(holder, "Stand").action.copy()
        action.name = name
        holder.animation_data.action = action
        if hasattr(holder.animation_data, "action_slot"):
            holder.animation_data.action_slot = action.slots[0]

    return _named(edit, f"new clip {name}")


def starters_become_models():
    import meshwright

    for game, extension in (
        ("zero-hour", "w3d"),
        ("renegade", "w3d"),
        ("bfme2", "w3d"),
        ("wc3-classic", "mdx"),
        ("wc3-reforged", "mdx"),
    ):
        bpy.ops.wm.read_homefile(use_empty=True)
        assert bpy.ops.meshwright.starter(game=game) == {"FINISHED"}
        path = os.path.join(support.FILES, f"new.{extension}")
        key = "w3d_game" if extension == "w3d" else "mdx_game"
        support.export(path, onto=False, write_textures=True, **{key: game})
        model = meshwright.open(path)
        assert model.meshes, game
        errors = model.check(game).errors
        assert not errors, (game, [str(it) for it in errors])


def a_scene_is_prepared():
    bpy.ops.mesh.primitive_cube_add(scale=(2, 2, 2))
    cube = bpy.context.object
    assert bpy.ops.meshwright.prepare(game="zero-hour") == {"FINISHED"}
    assert len(cube.data.polygons) == 12
    assert all(abs(value - 1) < 1e-6 for value in cube.scale), cube.scale
    support.export(os.path.join(support.FILES, "cube.w3d"), onto=False)


def a_clip_without_motion_is_reported():
    holder = support.load(support.sample("mwtower.mdx"))
    action = bpy.data.actions.new("Nothing")
    track = holder.animation_data.nla_tracks.new()
    track.name = "Nothing"
    track.strips.new("Nothing", 0, action)
    support.export(os.path.join(support.FILES, "nothing.mdx"))
    assert "Nothing: the clip moves no bone" in support.report(), support.report()


def warnings_come_before_writing():
    holder = support.load(support.sample("mwtower.mdx"))
    animated = [it for it in holder.pose.bones if _is_turned(holder, it.name)]
    assert animated, "the sample has a bone that turns"
    animated[0].rotation_mode = "XYZ"
    path = os.path.join(support.FILES, "warned.mdx")
    try:
        result = bpy.ops.meshwright.export_model(filepath=path, strict=True)
    except RuntimeError as error:
        assert "would be lost" in str(error), error
    else:
        assert result == {"CANCELLED"}
    assert animated[0].name in support.report() and "Quaternion" in support.report(), support.report()
    assert not os.path.exists(path)


def _is_turned(holder, bone):
    strip = support.part("clips").strip(holder, "Stand")
    curves = support.part("clips").curves_of(strip.action, getattr(strip, "action_slot", None))
    return any(curve.data_path == f'pose.bones["{bone}"].rotation_quaternion' for curve in curves)


def collections_export_themselves():
    holder = support.load(support.sample("mwtank.w3d"))
    collection = holder.users_collection[0]
    path = os.path.join(support.FILES, "collection.w3d")
    assert bpy.ops.meshwright.export_model(filepath=path, collection=collection.name) == {"FINISHED"}
    assert support.read(path) == support.read(support.sample("mwtank.w3d"))
    # And by Blender's own button.
    os.remove(path)
    with bpy.context.temp_override(collection=collection):
        assert bpy.ops.collection.exporter_add(name="MESHWRIGHT_FH_models") == {"FINISHED"}
        collection.exporters[0].export_properties.filepath = path
        assert bpy.ops.collection.export_all() == {"FINISHED"}
    assert support.read(path) == support.read(support.sample("mwtank.w3d"))
