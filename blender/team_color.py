# SPDX-License-Identifier: GPL-3.0-or-later
"""The colour of the player: one colour of a model, which can be changed after the import.

The library paints it into pictures and colours. Changing it means to convert the original again and to replace what became different.
"""

from bpy.props import FloatVectorProperty
from bpy.types import Operator

from . import glb, holder as holders, materials, preferences, report, toolkit

_TOLERANCE = 1e-4


def change(holder, color, places, used):
    """Paints a model in another colour. `used` are its materials."""
    facts, original = holders.facts(holder), holders.original(holder)
    workspace, _ = places.workspace()
    options = {**facts["options"], "team_color": color}
    before = toolkit.load_bytes(original, facts["path"], workspace, facts["options"])
    after = toolkit.load_bytes(original, facts["path"], workspace, options)
    pictures = {}
    for old, new in zip(_pictures(before), _pictures(after)):
        if old != new:
            pictures[old] = new
    factors = _factors(before, after)
    for material in used:
        extras = material.get("meshwright")
        materials.repaint(material, color)
        _repaint(material, pictures, factors.get(extras["id"], ()) if extras is not None and "id" in extras else ())
    holders.write_facts(holder, {**facts, "options": options})


def _pictures(loaded):
    """The bytes of all pictures."""
    found = []
    for image in loaded.document.get("images", ()):
        view = loaded.document["bufferViews"][image["bufferView"]]
        start = view.get("byteOffset", 0)
        found.append(bytes(loaded.binary[start : start + view["byteLength"]]))
    return found


def _factors(before, after):
    """For each material the colours that became different."""
    found = {}
    for old, new in zip(before.document.get("materials", ()), after.document.get("materials", ())):
        pairs = [
            (old.get("emissiveFactor"), new.get("emissiveFactor")),
            (_base(old), _base(new)),
        ]
        found[glb.extras(old).get("id")] = [(a, b) for a, b in pairs if a and b and a != b]
    return found


def _base(material):
    return material.get("pbrMetallicRoughness", {}).get("baseColorFactor")


def _repaint(material, pictures, factors):
    if material.node_tree is None:
        return
    for node in material.node_tree.nodes:
        image = getattr(node, "image", None)
        if image is not None and image.packed_file is not None:
            new = pictures.get(bytes(image.packed_file.data))
            if new is not None:
                image.pack(data=new, data_len=len(new))
                image.reload()
        for socket in (*node.inputs, *(node.outputs if node.type == "RGB" else ())):
            value = getattr(socket, "default_value", None)
            if socket.type != "RGBA" or value is None:
                continue
            for old, new in factors:
                if all(abs(a - b) < _TOLERANCE for a, b in zip(value[:3], old[:3])):
                    socket.default_value = (*new[:3], value[3])
                    break


class MESHWRIGHT_OT_team_color(Operator):
    bl_idname = "meshwright.team_color"
    bl_label = "Team Colour"
    bl_description = "Show the model in the colour of another player. Export is not affected"
    bl_options = {"REGISTER", "UNDO"}

    color: FloatVectorProperty(name="Colour", subtype="COLOR", size=3, min=0, max=1, default=(0.0, 0.05, 1.0))

    def invoke(self, context, _event):
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context):
        holder = holders.active(context)
        if holder is None or holders.original(holder) is None:
            self.report({"ERROR"}, "Select a part of an imported model.")
            return {"CANCELLED"}
        try:
            used = materials.of(holders.parts(holder))
            change(holder, materials.as_bytes(self.color), preferences.places(context), used)
        except toolkit.Error as error:
            self.report({"ERROR"}, report.message(error))
            return {"CANCELLED"}
        return {"FINISHED"}


CLASSES = (MESHWRIGHT_OT_team_color,)
