# SPDX-License-Identifier: GPL-3.0-or-later
"""The object that stands for an imported model: its armature, or its root.

It keeps the original file in a packed image, so that the file survives saving, appending and purging, and facts about the import as JSON text.
Plain custom properties are used for both: they are the same in all versions of Blender.
"""

import hashlib
import json

import bpy

SOURCE = "meshwright_source"
FACTS = "meshwright_facts"
HELPER = "meshwright_helper"
SHOW = "show "


def keep(holder, data, facts):
    """Stores the original file and facts about it."""
    image = bpy.data.images.new(f"{facts['name']} (original file)", 1, 1)
    image.pack(data=data, data_len=len(data))
    holder[SOURCE] = image
    write_facts(holder, {**facts, "sha256": hashlib.sha256(data).hexdigest()})


def write_facts(holder, facts):
    holder[FACTS] = json.dumps(facts)


def facts(holder):
    """The facts of a model, or nothing if the object is not one that was imported."""
    text = holder.get(FACTS) if holder is not None else None
    return json.loads(text) if isinstance(text, str) else None


def original(holder):
    """The bytes of the original file, or nothing if they are gone or damaged."""
    image, known = holder.get(SOURCE), facts(holder)
    if image is None or known is None or image.packed_file is None:
        return None
    data = bytes(image.packed_file.data)
    return data if hashlib.sha256(data).hexdigest() == known["sha256"] else None


def of(object):
    """The holder of the model that an object belongs to."""
    while object is not None:
        if FACTS in object:
            return object
        object = object.parent
    return None


def active(context):
    """The holder of the active object; without one, the only model of the scene."""
    found = of(context.object) if context.object is not None else None
    if found is not None:
        return found
    models = [object for object in context.scene.objects if FACTS in object]
    return models[0] if len(models) == 1 else None


def members(holder):
    """The objects of a model: the holder's collection, and what hangs on the holder."""
    found = {}
    for collection in holder.users_collection:
        if collection.get(FACTS) == holder.name_full:
            found.update((object.name_full, object) for object in collection.all_objects)
    todo = [holder]
    while todo:
        object = todo.pop()
        found[object.name_full] = object
        todo.extend(object.children)
    return list(found.values())


def parts(holder):
    """The objects of a model that are exported."""
    return [object for object in members(holder) if HELPER not in object]
