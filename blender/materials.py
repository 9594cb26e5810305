# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials as the game shows them, beside the ones that are exported.

The importer's nodes stay as they are, on the active output, which the exporter reads. The display nodes have outputs of their own for EEVEE and
Cycles, which both engines prefer. Removing them is enough to see the plain material.
"""

import bpy

_MARK = "meshwright display"
TEAM = "Meshwright team colour"
_BLENDED = {"Alpha", "Additive", "AdditiveAlpha", "Multiply", "Multiply2x", "Screen", "MultiplyAdd"}
_ADDED = {"Additive", "AdditiveAlpha", "Screen"}
_MULTIPLIED = {"Multiply", "Multiply2x", "MultiplyAdd"}


def build(material, loaded, as_game):
    """Adds the display nodes to a material of a model, if its layers need them."""
    if not as_game or not material.use_nodes:
        return
    extras = material.get("meshwright")
    if extras is None or "layers" not in extras:
        return
    layers = [dict(layer) for layer in _plain(extras["layers"]) or ()]
    first = layers[0] if layers else {}
    team = _team_layer(layers, loaded)
    if first.get("blend") in _BLENDED or first.get("unlit") or team:
        show(material, first, team)


def _plain(value):
    if hasattr(value, "to_list"):
        return value.to_list()
    if isinstance(value, list):
        return [item.to_dict() if hasattr(item, "to_dict") else item for item in value]
    return None


def _team_layer(layers, loaded):
    """Whether the lowest layer is the colour of the player."""
    textures = loaded.extras.get("textures") or []
    if not layers:
        return False
    for slot in layers[0].get("slots") or ():
        index = slot.get("texture")
        if isinstance(index, int) and index < len(textures) and textures[index].get("replaceable") == 1:
            return True
    return False


def is_shown(material):
    return material.use_nodes and any(node.label == _MARK for node in material.node_tree.nodes)


def hide(material):
    """Back to the plain material."""
    if not material.use_nodes:
        return
    nodes = material.node_tree.nodes
    for node in [node for node in nodes if node.label == _MARK]:
        nodes.remove(node)


def show(material, layer, team):
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
