# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts that clips show and hide.

Each such part has a property of the holder, `show NAME`, which the clips animate. Drivers of the part read it. So it is enough to switch the
action of the holder, and the parts follow. The expression of the drivers is simple, so that Blender evaluates it with scripts switched off.
"""

from . import clips, holder as holders


def build(scene, holder, meshes, loaded):
    """Adds properties, keys and drivers. `meshes` are the objects by the id of their mesh. Returns the keys, to find out what was changed."""
    rate = scene.render.fps / scene.render.fps_base
    clip_keys = {clip: keys for clip, keys in loaded.visibility.items() if not clip.startswith(clips.GLOBAL)}
    known = {}
    for mesh, object in meshes.items():
        of_clips = {clip: keys[mesh] for clip, keys in clip_keys.items() if mesh in keys}
        hidden = mesh in loaded.hidden
        changes = any(not shows for keys in of_clips.values() for _, shows in keys)
        if not hidden and not changes:
            continue
        path = add(holder, object, not hidden)
        for clip in clip_keys:
            keys = of_clips.get(clip) or [(0.0, not hidden)]
            known.setdefault(clip, {})[str(mesh)] = keys
            _key(holder, clip, path, keys, rate)
    return known


def add(holder, object, shows=True):
    """Gives a part the property that shows and hides it. Returns the path of the property."""
    name = holders.SHOW + object.name
    holder[name] = shows
    holder.id_properties_ui(name).update(description=f"Whether {object.name} shows")
    path = f'["{_escaped(name)}"]'
    for attribute in ("hide_viewport", "hide_render"):
        _drive(object, attribute, holder, path)
    return path


def property_of(object):
    """The name of the property that shows and hides an object; nothing if it always shows."""
    data = object.animation_data
    for driver in data.drivers if data else ():
        if driver.data_path == "hide_render" and driver.driver.variables:
            path = driver.driver.variables[0].targets[0].data_path
            if path.startswith('["' + holders.SHOW):
                return path[2:-2].replace('\\"', '"').replace("\\\\", "\\")
    return None


def changed(holder, meshes, known, rate):
    """The keys that people changed: clip, number of the mesh, times in seconds and whether it shows from then on."""
    found = []
    names = clips.names(holder, [])
    for mesh, object in meshes.items():
        name = property_of(object)
        if name is None or name not in holder:
            continue
        path = f'["{_escaped(name)}"]'
        for clip in names:
            before = known.get(clip, {}).get(str(mesh))
            keys = _keys(holder, clip, path, rate)
            if keys is None:
                # Without keys the property stays as it is.
                keys = before or [(0.0, True)]
            if not _is_same(_steps(before or [(0.0, True)]), _steps(keys), rate):
                found.append((clip, mesh, keys))
    return found


def _keys(holder, clip, path, rate):
    strip = clips.strip(holder, clip)
    if strip is None or strip.action is None:
        return None
    curves = clips.curves_of(strip.action, getattr(strip, "action_slot", None))
    curve = curves.find(path) if hasattr(curves, "find") else None
    if curve is None or not curve.keyframe_points:
        return None
    return [(max(0.0, point.co[0]) / rate, point.co[1] >= 0.5) for point in curve.keyframe_points]


def _steps(keys):
    """Keys without those that change nothing. The first one holds from the start."""
    found = []
    for time, shows in sorted((float(time), bool(shows)) for time, shows in keys):
        if not found:
            found.append((0.0, shows))
        elif found[-1][1] != shows:
            found.append((time, shows))
    return found


def _is_same(before, now, rate):
    near = 0.05 / rate
    return len(before) == len(now) and all(
        a[1] == b[1] and abs(a[0] - b[0]) <= near for a, b in zip(before, now)
    )


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
