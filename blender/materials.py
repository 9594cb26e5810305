# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials as the game shows them, beside the ones that are exported.

The importer's nodes stay as they are, on the active output, which the exporter reads. The display nodes have outputs of their own for EEVEE and
Cycles, which both engines prefer. Removing them is enough to see the plain material.
"""

_MARK = "meshwright display"
# The names of blend modes in the extras. Other pairs of factors have no name, and keep the plain material.
_ADDED = {"Add", "Additive", "AddAlpha", "Screen"}
_MULTIPLIED = {"Modulate", "Modulate2x", "Multiply"}
_BLENDED = {"Alpha", *_ADDED, *_MULTIPLIED}


def build(material, loaded, as_game):
    """Adds the display nodes to a material of a model, if its layers need them."""
    first = first_layer(material) if as_game and material.node_tree is not None else None
    if first is not None and not _is_team(first, loaded):
        show(material, first)


def _plain(value):
    if hasattr(value, "to_list"):
        return value.to_list()
    if isinstance(value, list):
        return [item.to_dict() if hasattr(item, "to_dict") else item for item in value]
    return None


def _is_team(layer, loaded):
    """Whether a layer is the colour of the player, which the importer's picture has already."""
    textures = loaded.extras.get("textures") or []
    for slot in layer.get("slots") or ():
        index = slot.get("texture")
        if isinstance(index, int) and index < len(textures) and textures[index].get("replaceable") == 1:
            return True
    return False


def is_shown(material):
    return material.node_tree is not None and any(node.label == _MARK for node in material.node_tree.nodes)


def hide(material):
    """Back to the plain material."""
    if material.node_tree is None:
        return
    nodes = material.node_tree.nodes
    for node in [node for node in nodes if node.label == _MARK]:
        nodes.remove(node)


def show(material, layer):
    tree = material.node_tree
    nodes, links = tree.nodes, tree.links
    hide(material)
    image = next((node for node in nodes if node.type == "TEX_IMAGE" and node.image is not None), None)
    color, alpha = (image.outputs["Color"], image.outputs["Alpha"]) if image else (None, None)
    blend = layer.get("blend", "Opaque")

    def add(kind):
        node = nodes.new(kind)
        node.label = _MARK
        return node

    if color is None:
        value = add("ShaderNodeRGB")
        main = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
        value.outputs[0].default_value = main.inputs["Base Color"].default_value if main else (1, 1, 1, 1)
        color = value.outputs[0]
    if blend in _MULTIPLIED:
        shader = add("ShaderNodeBsdfTransparent")
        links.new(color, shader.inputs["Color"])
        surface = shader.outputs[0]
    elif blend in _ADDED:
        shader, clear = add("ShaderNodeAddShader"), add("ShaderNodeBsdfTransparent")
        links.new(clear.outputs[0], shader.inputs[0])
        # A colour that is plugged into a shader is light.
        links.new(color, shader.inputs[1])
        surface = shader.outputs[0]
    else:
        surface = color if layer.get("unlit") else _diffuse(add, links, color)
        if blend == "Alpha" and alpha is not None:
            mix, clear = add("ShaderNodeMixShader"), add("ShaderNodeBsdfTransparent")
            links.new(alpha, mix.inputs[0])
            links.new(clear.outputs[0], mix.inputs[1])
            links.new(surface, mix.inputs[2])
            surface = mix.outputs[0]
    if blend in _BLENDED and hasattr(material, "surface_render_method"):
        material.surface_render_method = "BLENDED"
    for engine in ("EEVEE", "CYCLES"):
        output = add("ShaderNodeOutputMaterial")
        output.target = engine
        output.is_active_output = False
        links.new(surface, output.inputs["Surface"])
    for node in nodes:
        if node.type == "OUTPUT_MATERIAL" and node.label != _MARK:
            node.is_active_output = True


def _diffuse(add, links, color):
    diffuse = add("ShaderNodeBsdfDiffuse")
    links.new(color, diffuse.inputs["Color"])
    return diffuse.outputs[0]


def of(objects):
    """The materials of objects."""
    found = {}
    for object in objects:
        for slot in object.material_slots:
            if slot.material is not None and slot.material.node_tree is not None:
                found[slot.material.name_full] = slot.material
    return list(found.values())


def switch(materials, as_game, layers_of):
    """Shows materials as in the game, or plain ones."""
    for material in materials:
        hide(material)
        first = layers_of(material)
        if as_game and first is not None:
            show(material, first)


def first_layer(material):
    """The lowest layer of an imported material, if it looks different in the game."""
    extras = material.get("meshwright")
    layers = _plain(extras["layers"]) if extras is not None and "layers" in extras else None
    first = dict(layers[0]) if layers else {}
    blend = first.get("blend")
    return first if isinstance(blend, str) and (blend in _BLENDED or first.get("unlit")) else None


def as_bytes(color):
    """A colour of Blender, which is linear, as the games store colours."""

    def stored(value):
        value = value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
        return max(0, min(255, round(value * 255)))

    return [stored(value) for value in color]
