# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials as the game shows them, beside the ones that are exported.

The importer's nodes stay as they are, on the active output, which the exporter reads. The display nodes have outputs of their own for EEVEE and
Cycles, which both engines prefer. Removing these outputs is enough to see the plain material.
"""

_MARK = "meshwright display"
_SURFACE = "meshwright surface"
# The names of blend modes in the extras. Other pairs of factors have no name, and keep the plain material.
_ADDED = {"Add", "Additive", "AddAlpha", "Screen"}
# Of these, the ones whose light is as strong as alpha says.
_BY_ALPHA = {"Additive", "AddAlpha"}
_MULTIPLIED = {"Modulate", "Modulate2x", "Multiply"}
_BLENDED = {"Alpha", *_ADDED, *_MULTIPLIED}
_KNOWN = {"Opaque", *_BLENDED}
# How W3D combines a second texture with the first one, and Blender's mode.
_COMBINED = {"Detail": "MIX", "Scale": "MULTIPLY", "Scale2x": "MULTIPLY", "InverseScale": "SCREEN", "Add": "ADD", "Blend": "MIX"}
_BLACK = (0.0, 0.0, 0.0, 1.0)
_MAX_LAYERS = 8
_TEAM = "meshwright_team"


def build(material, loaded, as_game):
    """Adds the display nodes to a material of a model, if its layers need them."""
    if material.node_tree is None:
        return
    layers = layers_of(material)
    surface = None
    if not _is_plain(layers, loaded):
        surface = _stack(material, layers, loaded)
    if surface is not None:
        surface.node.label = _SURFACE
        surface.node["meshwright_socket"] = surface.name
        if as_game:
            show(material)


def _is_plain(layers, loaded):
    """Whether the importer's picture shows the layers already: one opaque layer, or a picture over the colour of the player."""
    if any(_slot(layer, "Detail") for layer in layers):
        return False
    if len(layers) > 1 and _is_team(layers[0], loaded) and _blend(layers[0]) == "Opaque":
        return all(_blend(layer) in ("Opaque", "Alpha") and not layer.get("unlit") for layer in layers[1:])
    return not layers or len(layers) == 1 and not _is_special(layers[0])


def layers_of(material):
    """The layers of an imported material, as the library describes them."""
    extras = material.get("meshwright")
    return _plain(extras["layers"]) if extras is not None and "layers" in extras else []


def _plain(value):
    if hasattr(value, "to_list"):
        value = value.to_list()
    if not isinstance(value, list):
        return []
    found = [item.to_dict() if hasattr(item, "to_dict") else item for item in value]
    return [item for item in found if isinstance(item, dict)]


def _is_special(layer):
    """Whether a layer looks different from a plain material."""
    blend = layer.get("blend")
    return isinstance(blend, str) and (blend in _BLENDED or bool(layer.get("unlit")))


def _blend(layer):
    """The name of a blend mode; nothing for a pair of factors without a name."""
    blend = layer.get("blend", "Opaque")
    return blend if isinstance(blend, str) else None


def _slot(layer, kind="Diffuse"):
    return next((slot for slot in layer.get("slots") or () if slot.get("kind", "Diffuse") == kind), None)


def _is_team(layer, loaded):
    """Whether a layer is the colour of the player, which the importer's picture has already."""
    textures = loaded.extras.get("textures") or []
    for slot in layer.get("slots") or ():
        index = slot.get("texture")
        if isinstance(index, int) and index < len(textures) and textures[index].get("replaceable") == 1:
            return True
    return False


def has_display(material):
    """Whether a material has nodes that show it as in the game."""
    return material.node_tree is not None and any(node.label == _SURFACE for node in material.node_tree.nodes)


def is_shown(material):
    """Whether the engines draw a material as in the game."""
    return material.node_tree is not None and any(
        node.label == _MARK and node.type == "OUTPUT_MATERIAL" for node in material.node_tree.nodes
    )


def hide(material):
    """Back to the plain material. The nodes stay, so that it can be shown again."""
    if material.node_tree is None:
        return
    nodes = material.node_tree.nodes
    for node in [node for node in nodes if node.label == _MARK and node.type == "OUTPUT_MATERIAL"]:
        nodes.remove(node)


def show(material):
    """Lets both engines draw the display nodes."""
    hide(material)
    nodes = material.node_tree.nodes
    surface = next((node for node in nodes if node.label == _SURFACE), None)
    if surface is None:
        return
    socket = surface.outputs[surface.get("meshwright_socket", 0)]
    for engine in ("EEVEE", "CYCLES"):
        output = nodes.new("ShaderNodeOutputMaterial")
        output.label = _MARK
        output.target = engine
        output.is_active_output = False
        material.node_tree.links.new(socket, output.inputs["Surface"])
    for node in nodes:
        if node.type == "OUTPUT_MATERIAL" and node.label != _MARK:
            node.is_active_output = True


class _Tree:
    """Adds nodes for colours and shaders. A colour is a socket, or nothing for black."""

    def __init__(self, material):
        self.nodes, self.links = material.node_tree.nodes, material.node_tree.links
        self.column = 0

    def add(self, kind):
        node = self.nodes.new(kind)
        node.label = _MARK
        node.location = (400 + 180 * (self.column // 4), -420 - 200 * (self.column % 4))
        self.column += 1
        return node

    def color(self, value):
        node = self.add("ShaderNodeRGB")
        node.outputs[0].default_value = value
        return node.outputs[0]

    def mix(self, a, b, factor=1.0, blend="MIX"):
        """Two colours, mixed."""
        node = self.add("ShaderNodeMix")
        node.data_type, node.blend_type, node.clamp_factor = "RGBA", blend, True
        sockets = [socket for socket in node.inputs if socket.type == "RGBA"]
        number = next(socket for socket in node.inputs if socket.type == "VALUE")
        for socket, value in zip(sockets, (a, b)):
            if value is None:
                socket.default_value = _BLACK
            else:
                self.links.new(value, socket)
        if isinstance(factor, float):
            number.default_value = factor
        else:
            self.links.new(factor, number)
        return next(socket for socket in node.outputs if socket.type == "RGBA")

    def math(self, operation, a, b):
        node = self.add("ShaderNodeMath")
        node.operation, node.use_clamp = operation, True
        for socket, value in zip(node.inputs, (a, b)):
            if isinstance(value, float):
                socket.default_value = value
            else:
                self.links.new(value, socket)
        return node.outputs[0]

    def diffuse(self, color):
        node = self.add("ShaderNodeBsdfDiffuse")
        self.links.new(color, node.inputs["Color"])
        return node.outputs[0]

    def transparent(self, color=None):
        node = self.add("ShaderNodeBsdfTransparent")
        if color is not None:
            self.links.new(color, node.inputs["Color"])
        return node.outputs[0]

    def over(self, factor, below, above):
        node = self.add("ShaderNodeMixShader")
        self.links.new(factor, node.inputs[0])
        self.links.new(below, node.inputs[1])
        self.links.new(above, node.inputs[2])
        return node.outputs[0]

    def plus(self, a, b):
        # A colour that is plugged into a shader is light.
        node = self.add("ShaderNodeAddShader")
        self.links.new(a, node.inputs[0])
        self.links.new(b, node.inputs[1])
        return node.outputs[0]


def _stack(material, layers, loaded):
    """Several layers, one over the other, each with its own picture. Nothing if a picture is missing or unknown blending is used."""
    layers = layers[:_MAX_LAYERS]
    if any(_blend(layer) not in _KNOWN for layer in layers):
        return None
    team = loaded.options.get("team_color")
    pictures = [team if _is_team(layer, loaded) else _picture(layer, loaded) for layer in layers]
    if any(picture is None for picture in pictures):
        # Without its texture, a glow or a shadow would be a solid surface.
        return None
    tree = _Tree(material)
    # Colours of what light falls on, of what shines by itself, of light that is added, and of what lets the background through.
    lit = glow = added = seen = None
    cover = 0.0
    for layer, image in zip(layers, pictures):
        color, alpha = _team(tree, image) if image is team else _texture(tree, layer, image, loaded)
        blend = _blend(layer)
        if blend in _ADDED:
            light = tree.mix(None, color, alpha) if blend in _BY_ALPHA and alpha != 1.0 else color
            added = light if added is None else tree.mix(added, light, 1.0, "ADD")
        elif blend in _MULTIPLIED:
            if blend == "Modulate2x":
                color = tree.mix(color, color, 1.0, "ADD")
            lit, glow, added, seen = (
                None if it is None else tree.mix(it, color, 1.0, "MULTIPLY") for it in (lit, glow, added, seen)
            )
            if cover == 0.0 and seen is None:
                seen = color
        else:
            share = 1.0
            if blend == "Alpha":
                share = alpha
            elif layer.get("alpha_test") and alpha != 1.0:
                share = tree.math("GREATER_THAN", alpha, float(layer["alpha_test"].get("reference", 0.5)))
            is_unlit = bool(layer.get("unlit"))
            if share == 1.0:
                lit, glow, added = (None, color, None) if is_unlit else (color, None, None)
                cover = 1.0
                continue
            is_first = lit is None and glow is None
            if is_first:
                lit, glow = (None, color) if is_unlit else (color, None)
            else:
                lit = tree.mix(lit, None if is_unlit else color, share)
                glow = tree.mix(glow, color if is_unlit else None, share)
            added = None if added is None else tree.mix(added, None, share)
            cover = share if isinstance(cover, float) and cover == 0.0 else cover
            if not isinstance(cover, float) and not is_first:
                cover = tree.math("MAXIMUM", cover, share)
    surface = None if lit is None else tree.diffuse(lit)
    if glow is not None:
        surface = tree.mix(glow, glow) if surface is None else tree.plus(surface, glow)
    if surface is None:
        surface = tree.transparent(seen)
    elif not isinstance(cover, float):
        surface = tree.over(cover, tree.transparent(), surface)
    if added is not None:
        surface = tree.plus(surface, added)
    if not (isinstance(cover, float) and cover == 1.0) and hasattr(material, "surface_render_method"):
        material.surface_render_method = "BLENDED"
    return surface


def _picture(layer, loaded):
    """The picture of a layer, packed into the file; `False` for a layer that has none."""
    slot = _slot(layer)
    index = slot.get("texture") if slot else None
    return loaded.image(index) if isinstance(index, int) else False


def _lit_color(lighting):
    """The colour of a surface in full light: what it reflects, or what it emits."""
    if not isinstance(lighting, dict):
        return None
    diffuse, emissive = lighting.get("diffuse") or [1.0] * 3, lighting.get("emissive") or [0.0] * 3
    return [max(a, b) for a, b in zip(diffuse, emissive)]


def _team(tree, color):
    """The colour of the player: one node, which can be changed."""
    socket = tree.color((*as_linear(color), 1.0))
    socket.node[_TEAM] = True
    return socket, 1.0


def repaint(material, color):
    """Gives the nodes of the player's colour another one."""
    for node in material.node_tree.nodes if material.node_tree is not None else ():
        if node.get(_TEAM):
            node.outputs[0].default_value = (*as_linear(color), 1.0)


def _image_node(tree, slot, image):
    node = tree.add("ShaderNodeTexImage")
    node.image = image
    if slot.get("uv_set"):
        place = tree.add("ShaderNodeUVMap")
        place.uv_map = f"UVMap.{slot['uv_set']:03}"
        tree.links.new(place.outputs[0], node.inputs["Vector"])
    return node


def _texture(tree, layer, image, loaded):
    """Colour and alpha of a layer."""
    if image is False:
        color, alpha = tree.color((1.0, 1.0, 1.0, 1.0)), 1.0
    else:
        node = _image_node(tree, _slot(layer), image)
        color, alpha = node.outputs["Color"], node.outputs["Alpha"]
    detail = _slot(layer, "Detail")
    second = loaded.image(detail["texture"]) if detail and isinstance(detail.get("texture"), int) else None
    combine = detail.get("color_combine") if detail else None
    if second is not None and combine in _COMBINED:
        other = _image_node(tree, detail, second)
        factor = other.outputs["Alpha"] if combine == "Blend" else 1.0
        color = tree.mix(color, other.outputs["Color"], factor, _COMBINED[combine])
        if combine == "Scale2x":
            color = tree.mix(color, color, 1.0, "ADD")
    for tint in (layer.get("color"), _lit_color(layer.get("lighting"))):
        if isinstance(tint, list) and any(abs(it - 1.0) > 1e-3 for it in tint[:3]):
            color = tree.mix(color, tree.color((*as_linear([it * 255.0 for it in tint[:3]]), 1.0)), 1.0, "MULTIPLY")
    if isinstance(layer.get("color_set"), int):
        vertex = tree.add("ShaderNodeVertexColor")
        vertex.layer_name = f"Color.{layer['color_set']:03}" if layer["color_set"] else "Color"
        color = tree.mix(color, vertex.outputs["Color"], 1.0, "MULTIPLY")
    strength = layer.get("alpha")
    if isinstance(strength, (int, float)) and strength < 0.999:
        alpha = tree.math("MULTIPLY", alpha, float(strength))
    return color, alpha


def of(objects):
    """The materials of objects."""
    found = {}
    for object in objects:
        for slot in object.material_slots:
            if slot.material is not None and slot.material.node_tree is not None:
                found[slot.material.name_full] = slot.material
    return list(found.values())


def switch(materials, as_game):
    """Shows materials as in the game, or plain ones."""
    for material in materials:
        if as_game:
            show(material)
        else:
            hide(material)


def as_bytes(color):
    """A colour of Blender, which is linear, as the games store colours."""

    def stored(value):
        value = value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
        return max(0, min(255, round(value * 255)))

    return [stored(value) for value in color]


def as_linear(color):
    """A colour of a game, in bytes, as Blender stores it."""

    def linear(value):
        value /= 255.0
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return [linear(value) for value in color]
