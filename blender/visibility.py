# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts that clips show and hide.

Each such part has a property of the holder, `show NAME`, which the clips animate. Drivers of the part read it. So it is enough to switch the
action of the holder, and the parts follow. The expression of the drivers is simple, so that Blender evaluates it with scripts switched off.
"""

from . import clips, holder as holders


def build(scene, holder, meshes, loaded):
    """Adds properties, keys and drivers. `meshes` are the objects by the id of their mesh."""
    rate = scene.render.fps / scene.render.fps_base
    clip_keys = {clip: keys for clip, keys in loaded.visibility.items() if not clip.startswith(clips.GLOBAL)}
    for mesh, object in meshes.items():
        of_clips = {clip: keys[mesh] for clip, keys in clip_keys.items() if mesh in keys}
        hidden = mesh in loaded.hidden
        changes = any(not shows for keys in of_clips.values() for _, shows in keys)
        if not hidden and not changes:
            continue
        name = holders.SHOW + object.name
        holder[name] = not hidden
        holder.id_properties_ui(name).update(description=f"Whether {object.name} shows")
        path = f'["{_escaped(name)}"]'
        for clip in clip_keys:
            keys = of_clips.get(clip) or [(0.0, not hidden)]
            _key(holder, clip, path, keys, rate)
        for attribute in ("hide_viewport", "hide_render"):
            _drive(object, attribute, holder, path)


def _key(holder, clip, path, keys, rate):
    curve = clips.curve(*clips.ensure(holder, clip), path)
    curve.keyframe_points.add(len(keys))
    for point, (time, shows) in zip(curve.keyframe_points, keys):
        point.co = (time * rate, float(shows))
        point.interpolation = "CONSTANT"
    curve.update()


def _drive(object, attribute, holder, path):
    driver = object.driver_add(attribute).driver
    driver.type = "SCRIPTED"
    variable = driver.variables.new()
    variable.name = "v"
    variable.type = "SINGLE_PROP"
    variable.targets[0].id = holder
    variable.targets[0].data_path = path
    driver.expression = "v < 1"


def _escaped(name):
    return name.replace("\\", "\\\\").replace('"', '\\"')
