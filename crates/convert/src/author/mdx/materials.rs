//! Textures, materials and layers.

use std::collections::HashMap;

use glam::{Quat, Vec3};
use mdx::build::{LayerParts, branch};
use mdx::records::{
    FilterMode, LayerEmissive, LayerFlags, LayerFresnel, LayerHeader, MaterialFlags, MaterialHeader,
    MaterialShader, ShaderType, SlotType, Texture as TextureRecord, TextureFlags, TextureReference,
};
use mdx::{Gate, kinds, tags};
use record::{F32, I32, Node, U32};
use scene::{
    BlendMode, Combine, Compare, Layer, LayerProperty, Material, MaterialId, SlotKind, SortPrimitives,
    Target, Texture, TextureSlot, Transparency, UvMapper, Wrap,
};

use super::tracks::Unsaid;
use super::{Author, chars, signed, space};
use crate::author::supplied;
use crate::report::NoteKind;

/// The shaders of Reforged's physically based materials.
const HD_SHADERS: [(&str, ShaderType); 2] =
    [("Shader_HD_DefaultUnit", ShaderType::HD_DEFAULT_UNIT), ("Shader_HD_Crystal", ShaderType::HD_CRYSTAL)];

/// The shader of classic materials in HD models.
const SD_ON_HD: &str = "Shader_SD_FixedFunction";

/// The game's own default.
const WHITE: &str = "Textures\\white.blp";

/// The slots of an HD material, and what the game's own tools put where a material has nothing.
const HD_SLOTS: [(SlotKind, SlotType, &str); 6] = [
    (SlotKind::Diffuse, SlotType::DIFFUSE, WHITE),
    (SlotKind::Normal, SlotType::NORMAL, "Textures\\Normal.dds"),
    (SlotKind::OcclusionRoughnessMetal, SlotType::ORM, "Textures\\ORM.dds"),
    (SlotKind::Emissive, SlotType::EMISSIVE, "Textures\\Black32.dds"),
    (SlotKind::TeamColor, SlotType::TEAM_COLOR, ""),
    (SlotKind::Environment, SlotType::ENVIRONMENT, "ReplaceableTextures\\EnvironmentMap.dds"),
];

/// The player's colour.
const TEAM_COLOR: u32 = 1;

/// Extensions that the game loads.
const EXTENSIONS: [&str; 4] = ["blp", "tga", "tif", "dds"];

/// The chunks of all materials.
pub(super) struct Materials {
    pub(super) nodes: Vec<Node<'static>>,
    hd: Vec<bool>,
    /// The colours that the geosets of each material have to have.
    tints: Vec<Vec3>,
    /// The material of meshes that have none.
    default: u32,
}

impl Materials {
    pub(super) fn is_hd(&self, material: Option<MaterialId>) -> bool {
        material.and_then(|material| self.hd.get(material.index())).copied().unwrap_or(false)
    }

    pub(super) fn tint(&self, material: Option<MaterialId>) -> Vec3 {
        material.and_then(|material| self.tints.get(material.index())).copied().unwrap_or(Vec3::ONE)
    }

    pub(super) fn of_mesh(&self, material: Option<MaterialId>) -> u32 {
        material
            .map(|material| material.0)
            .filter(|material| *material < self.default_or_end())
            .unwrap_or(self.default)
    }

    fn default_or_end(&self) -> u32 {
        u32::try_from(self.hd.len()).unwrap_or(u32::MAX)
    }
}

/// A layer with its tracks, in the form of the version.
struct Draft {
    parts: LayerParts,
    textures: Vec<(TextureReference, Option<Node<'static>>)>,
    tracks: Vec<Node<'static>>,
}

impl Author<'_> {
    pub(super) fn materials(&mut self) -> Materials {
        let scene = self.scene;
        self.textures =
            scene.textures.iter().map(|texture| texture_record(texture, self.options.version)).collect();
        self.texture_notes();
        let mut numbers = HashMap::new();
        let mut made = Materials { nodes: Vec::new(), hd: Vec::new(), tints: Vec::new(), default: 0 };
        for (index, material) in scene.materials.iter().enumerate() {
            let is_hd = self.builder.gates.has(Gate::LayerEmissive) && is_hd(material);
            let node = self.material(MaterialId::from(index), material, is_hd, &mut numbers);
            made.nodes.push(node);
            made.hd.push(is_hd);
            made.tints.push(tint(material));
        }
        let has_none = |mesh: &scene::Mesh| {
            let none =
                |part: &scene::Part| part.material.is_none_or(|id| id.index() >= scene.materials.len());
            !mesh.hidden && (mesh.parts.is_empty() || mesh.parts.iter().any(none))
        };
        made.default = u32::try_from(made.nodes.len()).unwrap_or(u32::MAX);
        if scene.meshes.iter().any(has_none) {
            let texture = self.texture(WHITE, 0);
            let draft = Draft {
                parts: LayerParts::default(),
                textures: vec![(reference(texture, SlotType::DIFFUSE), None)],
                tracks: Vec::new(),
            };
            let layer = self.write_layer(draft);
            made.nodes.push(self.builder.material(
                &MaterialHeader::default(),
                &MaterialShader::default(),
                vec![layer],
            ));
        }
        made
    }

    /// The number of a texture that the scene does not have.
    fn texture(&mut self, path: &str, replaceable: u32) -> i32 {
        let record = TextureRecord {
            replaceable_id: U32::new(replaceable),
            path: chars(path),
            flags: TextureFlags::WRAP_WIDTH | TextureFlags::WRAP_HEIGHT,
        };
        let known = self.textures.iter().position(|each| *each == record);
        signed(known.unwrap_or_else(|| {
            self.textures.push(record);
            self.textures.len() - 1
        }))
    }

    fn texture_notes(&mut self) {
        for (index, texture) in self.scene.textures.iter().enumerate() {
            let path =
                if texture.name.is_empty() { format!("texture {index}") } else { texture.name.clone() };
            let written = self.textures[index].path.to_string();
            // The game supplies this texture; the file name is not used.
            if supplied::stands_for_supplied(texture) {
                continue;
            }
            if extension(&written) != extension(&texture.name) {
                let message = format!("the game does not load this format; the model refers to {written}");
                self.note(NoteKind::Assumed, &path, message);
            }
            if texture.frames.is_some() {
                self.lost(&path, "the texture is not animated in MDX; only its first picture shows");
            }
            if texture.wrap_u == Wrap::Mirror || texture.wrap_v == Wrap::Mirror {
                self.lost(&path, "mirrored texture coordinates repeat in MDX");
            }
            if texture.house_color.is_some() {
                self.lost(
                    &path,
                    "shows the player's colour where it has no alpha; give it an alpha channel that leaves these places out",
                );
            }
        }
    }

    fn material(
        &mut self,
        id: MaterialId,
        material: &Material,
        is_hd: bool,
        numbers: &mut HashMap<u32, i32>,
    ) -> Node<'static> {
        let path =
            if material.name.is_empty() { format!("material {}", id.0) } else { material.name.clone() };
        let named = material.shader.as_ref().map_or("", |shader| shader.name.as_str());
        let is_known = named == SD_ON_HD || HD_SHADERS.iter().any(|(name, _)| *name == named);
        let name = if is_known || named.starts_with("Shader") {
            named
        } else if is_hd {
            HD_SHADERS[0].0
        } else {
            ""
        };
        if !named.is_empty() && name != named {
            self.lost(&path, format!("the shader {named} is not one of the game's; its textures were kept"));
        }
        let mut drafts = Vec::new();
        for (index, layer) in (0..).zip(&material.layers) {
            drafts.extend(self.layer(id, index, layer, is_hd, numbers, &path));
        }
        if is_hd && material.layers.len() > 1 && !self.builder.gates.has(Gate::LayerSlots) {
            self.lost(&path, "an HD material has one layer; the others were dropped");
        }
        if material.house_color {
            // The player's colour takes the place of the surface's own, which the texture darkens.
            self.team_color(&mut drafts, FilterMode::MODULATE);
        }
        if drafts.is_empty() {
            let texture = self.texture(WHITE, 0);
            let textures = vec![(reference(texture, SlotType::DIFFUSE), None)];
            drafts.push(Draft { parts: LayerParts::default(), textures, tracks: Vec::new() });
        }
        // The upper layers of other materials blend after all opaque ones. What only blends, such as a flash, has to come after them.
        let is_blended = drafts.first().is_some_and(|first| {
            !matches!(first.parts.header.filter_mode, FilterMode::NONE | FilterMode::TRANSPARENT)
        });
        let is_later = self.options.complete && is_blended && material.priority_plane == 0;
        let priority_plane = if is_later { 1 } else { material.priority_plane };
        let shader = shader_type(name);
        for draft in &mut drafts {
            draft.parts.shader.shader = shader;
        }
        let is_two_sided = material.layers.iter().any(|layer| layer.two_sided);
        let layers: Vec<Node<'static>> = if is_hd && !self.builder.gates.has(Gate::LayerSlots) {
            drafts.truncate(1);
            drafts.into_iter().flat_map(|draft| self.six_layers(draft)).collect()
        } else {
            drafts.into_iter().map(|draft| self.write_layer(draft)).collect()
        };
        let flags = [
            (material.constant_color, MaterialFlags::CONSTANT_COLOR),
            (is_hd && is_two_sided, MaterialFlags::TWO_SIDED),
            (material.sort_primitives == SortPrimitives::Near, MaterialFlags::SORT_PRIMS_NEAR_Z),
            (material.sort_primitives == SortPrimitives::Far, MaterialFlags::SORT_PRIMS_FAR_Z),
            (material.full_resolution, MaterialFlags::FULL_RESOLUTION),
        ];
        let flags = flags
            .into_iter()
            .filter(|(is, _)| *is)
            .fold(MaterialFlags::default(), |all, (_, flag)| all | flag);
        let header = MaterialHeader { priority_plane: I32::new(priority_plane), flags };
        self.builder.material(&header, &MaterialShader { shader: chars(name) }, layers)
    }

    /// A layer, and those that a second texture needs.
    fn layer(
        &mut self,
        id: MaterialId,
        index: u32,
        layer: &Layer,
        is_hd: bool,
        numbers: &mut HashMap<u32, i32>,
        path: &str,
    ) -> Vec<Draft> {
        let (filter_mode, is_exact) = filter_mode(layer);
        if !is_exact {
            let message = format!(
                "blending {:?} is not one of MDX's; {} is used",
                layer.blend,
                filter_mode.name().unwrap_or("another")
            );
            self.lost(path, message);
        }
        let first = layer.slots.iter().find(|slot| slot.kind == SlotKind::Diffuse).or(layer.slots.first());
        let mapper = first.map_or(&UvMapper::Uv, |slot| &slot.mapper);
        let texture_animation = self.texture_animation(id, index, layer, mapper, numbers, path);
        let flags = layer_flags(layer, mapper, is_hd);
        // The opacity of the lighting is in it where it has an effect.
        let alpha = layer.alpha;
        let parts = LayerParts {
            header: LayerHeader {
                filter_mode,
                flags,
                texture_animation_id: I32::new(texture_animation),
                coord_id: I32::new(first.map_or(0, |slot| i32::try_from(slot.uv_set).unwrap_or(0))),
                alpha: F32::new(alpha),
                ..LayerHeader::default()
            },
            emissive: LayerEmissive { emissive_gain: F32::new(layer.emissive_gain) },
            fresnel: LayerFresnel {
                color: space::plain(layer.fresnel.color),
                opacity: F32::new(layer.fresnel.opacity),
                team_color: F32::new(layer.fresnel.team_color),
            },
            ..LayerParts::default()
        };
        let target = |property| Target::Layer(id, index, property);
        let mut tracks = Vec::new();
        tracks.extend(self.scalar(tags::KMTA, target(LayerProperty::Alpha), Unsaid::other(alpha, 1.0)));
        if self.builder.gates.has(Gate::LayerEmissive) {
            let gain = Unsaid::own(layer.emissive_gain);
            tracks.extend(self.scalar(tags::KMTE, target(LayerProperty::EmissiveGain), gain));
        }
        if self.builder.gates.has(Gate::LayerFresnel) {
            let fresnel = layer.fresnel;
            tracks.extend(self.color(
                tags::KFC3,
                target(LayerProperty::FresnelColor),
                Unsaid::own(fresnel.color),
            ));
            let opacity = Unsaid::own(fresnel.opacity);
            tracks.extend(self.scalar(tags::KFCA, target(LayerProperty::FresnelOpacity), opacity));
            let team = Unsaid::own(fresnel.team_color);
            tracks.extend(self.scalar(tags::KFTC, target(LayerProperty::FresnelTeamColor), team));
        }
        let textures = if is_hd {
            self.hd_textures(id, index, layer, path)
        } else {
            self.sd_textures(id, index, layer, path)
        };
        let mut drafts = vec![Draft { parts, textures, tracks }];
        if !is_hd {
            drafts.extend(self.detail(layer, &parts, path));
            let team = first.and_then(|slot| self.scene.textures.get(slot.texture?.index()));
            let is_mixed = |texture: &Texture| texture.house_color.is_some() && texture.replaceable.is_none();
            if team.is_some_and(is_mixed) && filter_mode == FilterMode::NONE {
                self.team_color(&mut drafts, FilterMode::BLEND);
            }
        }
        drafts
    }

    /// Adds a layer with the player's colour below the others. The first of them is then blended over it with a filter mode.
    fn team_color(&mut self, drafts: &mut Vec<Draft>, filter_mode: FilterMode) {
        let texture = self.texture("", TEAM_COLOR);
        let mut parts = LayerParts::default();
        if let Some(Draft { parts: first, .. }) = drafts.first_mut() {
            parts.header.flags = first.header.flags;
            if matches!(first.header.filter_mode, FilterMode::NONE | FilterMode::TRANSPARENT) {
                first.header.filter_mode = filter_mode;
            }
        }
        let textures = vec![(reference(texture, SlotType::DIFFUSE), None)];
        drafts.insert(0, Draft { parts, textures, tracks: Vec::new() });
    }

    /// The textures of a classic layer: one, or as many as the version has slots.
    fn sd_textures(
        &mut self,
        id: MaterialId,
        index: u32,
        layer: &Layer,
        path: &str,
    ) -> Vec<(TextureReference, Option<Node<'static>>)> {
        let has_slots = self.builder.gates.has(Gate::LayerSlots);
        let mut textures = Vec::new();
        let mut dropped = Vec::new();
        for (place, slot) in (0..).zip(&layer.slots) {
            let is_first = textures.is_empty();
            let kept = if slot.kind == SlotKind::Detail {
                false
            } else {
                is_first || has_slots && slot_type(slot.kind).is_some()
            };
            if kept {
                let kind =
                    if is_first { SlotType::DIFFUSE } else { slot_type(slot.kind).unwrap_or_default() };
                textures.push(self.slot(id, index, place, slot, kind, WHITE));
            } else if slot.kind != SlotKind::Detail {
                dropped.push(format!("{:?}", slot.kind));
            }
        }
        if !dropped.is_empty() {
            self.lost(
                path,
                format!("textures dropped: {}; classic materials have one per layer", dropped.join(", ")),
            );
        }
        if textures.is_empty() {
            let texture = self.texture(WHITE, 0);
            textures.push((reference(texture, SlotType::DIFFUSE), None));
        }
        textures
    }

    /// The six textures of an HD layer.
    fn hd_textures(
        &mut self,
        id: MaterialId,
        index: u32,
        layer: &Layer,
        path: &str,
    ) -> Vec<(TextureReference, Option<Node<'static>>)> {
        let is_green_up = layer.slots.iter().any(|slot| slot.kind == SlotKind::Normal && !slot.green_down);
        if is_green_up {
            self.lost(
                path,
                "the normal map has green upwards; the game wants it downwards, so invert its green channel",
            );
        }
        let other: Vec<String> = layer
            .slots
            .iter()
            .filter(|slot| !HD_SLOTS.iter().any(|(kind, ..)| *kind == slot.kind))
            .map(|slot| format!("{:?}", slot.kind))
            .collect();
        if !other.is_empty() {
            self.lost(
                path,
                format!("textures dropped: {}; HD materials have no slots for them", other.join(", ")),
            );
        }
        HD_SLOTS
            .into_iter()
            .map(|(kind, slot_type, filler)| {
                let found = (0..).zip(&layer.slots).find(|(_, slot)| slot.kind == kind);
                match found {
                    Some((place, slot)) => self.slot(id, index, place, slot, slot_type, filler),
                    None => {
                        let team = if kind == SlotKind::TeamColor { TEAM_COLOR } else { 0 };
                        (reference(self.texture(filler, team), slot_type), None)
                    }
                }
            })
            .collect()
    }

    fn slot(
        &mut self,
        id: MaterialId,
        index: u32,
        place: u32,
        slot: &TextureSlot,
        kind: SlotType,
        filler: &str,
    ) -> (TextureReference, Option<Node<'static>>) {
        let known = slot.texture.filter(|texture| texture.index() < self.scene.textures.len());
        let texture = known.map_or_else(|| self.texture(filler, 0), |texture| signed(texture.index()));
        let target = Target::Layer(id, index, LayerProperty::Texture(place));
        let track = self.indices(tags::KMTF, target, texture.unsigned_abs());
        (reference(texture, kind), track)
    }

    /// A layer for a second texture on the first.
    fn detail(&mut self, layer: &Layer, base: &LayerParts, path: &str) -> Option<Draft> {
        let slot = layer.slot(SlotKind::Detail)?;
        let filter_mode = match slot.color_combine {
            Combine::Disable => return None,
            Combine::Scale => FilterMode::MODULATE,
            Combine::Scale2x => FilterMode::MODULATE_2X,
            Combine::Add | Combine::ModulateAlphaAddColor => FilterMode::ADDITIVE,
            Combine::Blend | Combine::DetailBlend | Combine::Detail => FilterMode::BLEND,
            other => {
                self.lost(
                    path,
                    format!("the second texture is combined as {other:?}, which MDX cannot; it was dropped"),
                );
                return None;
            }
        };
        let darkens = matches!(filter_mode, FilterMode::MODULATE | FilterMode::MODULATE_2X);
        if darkens && base.header.filter_mode != FilterMode::NONE {
            self.lost(path, "the second texture was dropped: MDX would darken what is behind the surface");
            return None;
        }
        let texture = signed(slot.texture?.index());
        let mut parts = *base;
        parts.header.filter_mode = filter_mode;
        parts.header.coord_id = I32::new(i32::try_from(slot.uv_set).unwrap_or(0));
        parts.header.texture_animation_id = I32::new(self.mapper_animation(&slot.mapper, path).unwrap_or(-1));
        Some(Draft {
            parts,
            textures: vec![(reference(texture, SlotType::DIFFUSE), None)],
            tracks: Vec::new(),
        })
    }

    /// The texture animation of a layer, or -1.
    fn texture_animation(
        &mut self,
        id: MaterialId,
        index: u32,
        layer: &Layer,
        mapper: &UvMapper,
        numbers: &mut HashMap<u32, i32>,
        path: &str,
    ) -> i32 {
        if let Some(known) = layer.uv_animation.and_then(|number| numbers.get(&number)) {
            return *known;
        }
        let target = |property| Target::Layer(id, index, property);
        let moved = self.motion(target(LayerProperty::UvTranslation), Vec3::ZERO);
        let turned = self.motion(target(LayerProperty::UvRotation), Quat::IDENTITY);
        let grown = self.motion(target(LayerProperty::UvScale), Vec3::ONE);
        let vector = |value: Vec3, _| space::plain(value);
        let rotation = |value: Quat, _| space::plain_rotation(value);
        let tracks = [
            self.track(tags::KTAT, moved, Unsaid::own(Vec3::ZERO), space::plain, vector),
            self.track(tags::KTAR, turned, Unsaid::own(Quat::IDENTITY), space::plain_rotation, rotation),
            self.track(tags::KTAS, grown, Unsaid::own(Vec3::ONE), space::plain, vector),
        ];
        let tracks: Vec<Node<'static>> = tracks.into_iter().flatten().collect();
        if tracks.is_empty() {
            return self.mapper_animation(mapper, path).unwrap_or(-1);
        }
        self.texture_animations.push(branch(&kinds::TEXTURE_ANIMATION, tracks));
        let number = signed(self.texture_animations.len() - 1);
        if let Some(source) = layer.uv_animation {
            numbers.insert(source, number);
        }
        number
    }

    /// The six layers of an HD material before version 1100: the first has the filter mode and the flags.
    fn six_layers(&self, draft: Draft) -> Vec<Node<'static>> {
        let Draft { parts, textures, tracks } = draft;
        let mut tracks = Some(tracks);
        let mut layers = Vec::with_capacity(textures.len());
        for (reference, track) in textures {
            let mut own = if tracks.is_some() { parts } else { LayerParts::default() };
            own.header.texture_id = reference.texture_id;
            own.header.coord_id = parts.header.coord_id;
            let tracks = tracks.take().unwrap_or_default().into_iter().chain(track).collect();
            layers.push(self.builder.layer(&own, Vec::new(), tracks));
        }
        layers
    }

    fn write_layer(&self, draft: Draft) -> Node<'static> {
        let Draft { mut parts, textures, mut tracks } = draft;
        if self.builder.gates.has(Gate::LayerSlots) {
            return self.builder.layer(&parts, textures, tracks);
        }
        if let Some((reference, track)) = textures.into_iter().next() {
            parts.header.texture_id = reference.texture_id;
            tracks.extend(track);
        }
        self.builder.layer(&parts, Vec::new(), tracks)
    }
}

fn reference(texture: i32, slot: SlotType) -> TextureReference {
    TextureReference { texture_id: I32::new(texture), slot }
}

fn slot_type(kind: SlotKind) -> Option<SlotType> {
    if let SlotKind::Other(number) = kind {
        return Some(SlotType::new(number));
    }
    HD_SLOTS.iter().find(|(slot, ..)| *slot == kind).map(|(_, slot_type, _)| *slot_type)
}

fn shader_type(name: &str) -> ShaderType {
    let number = || name.strip_prefix("Shader ")?.parse().ok().map(ShaderType::new);
    let known = HD_SHADERS.iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
    let on_hd = (name == SD_ON_HD).then_some(ShaderType::SD_ON_HD);
    known.or(on_hd).or_else(number).unwrap_or(ShaderType::SD_LEGACY)
}

/// Whether a material needs the textures of an HD one.
fn is_hd(material: &Material) -> bool {
    let named = material
        .shader
        .as_ref()
        .is_some_and(|shader| HD_SHADERS.iter().any(|(name, _)| *name == shader.name));
    let Some(first) = material.layers.first() else { return false };
    let needs =
        |slot: &TextureSlot| matches!(slot.kind, SlotKind::Normal | SlotKind::OcclusionRoughnessMetal);
    // What calls itself HD but has plain layers is drawn by these.
    let is_plain = material.layers.len() > 1;
    named && !is_plain || first.slots.iter().any(needs)
}

/// The colour that a geoset needs because materials have none.
fn tint(material: &Material) -> Vec3 {
    let Some(first) = material.layers.first().filter(|_| !material.house_color) else { return Vec3::ONE };
    let lighting = first.lighting.as_ref().filter(|_| !first.unlit);
    let color = first.color * lighting.map_or(Vec3::ONE, |lighting| lighting.diffuse + lighting.emissive);
    // Colours of other formats are rounded: what cannot be told from white is white.
    let is_white = (Vec3::ONE - color).abs().max_element() < 1.0 / 512.0;
    if is_white || !color.is_finite() { Vec3::ONE } else { color.clamp(Vec3::ZERO, Vec3::ONE) }
}

/// Whether a layer gives off more light than it reflects: the glow of W3D is black to light, and would be invisible if it were lit.
fn glows(layer: &Layer) -> bool {
    let is_brighter =
        |lighting: &scene::Lighting| lighting.emissive.element_sum() > lighting.diffuse.element_sum();
    layer.lighting.as_ref().is_some_and(is_brighter)
}

/// The nearest filter mode, and whether it is the same.
fn filter_mode(layer: &Layer) -> (FilterMode, bool) {
    if layer.transparency() == Transparency::Mask {
        return (FilterMode::TRANSPARENT, true);
    }
    match layer.blend {
        BlendMode::Opaque => (FilterMode::NONE, true),
        BlendMode::Alpha => (FilterMode::BLEND, true),
        BlendMode::Add | BlendMode::Additive => (FilterMode::ADDITIVE, true),
        BlendMode::AddAlpha => (FilterMode::ADD_ALPHA, true),
        BlendMode::Modulate | BlendMode::Multiply => (FilterMode::MODULATE, true),
        BlendMode::Modulate2x => (FilterMode::MODULATE_2X, true),
        BlendMode::Screen => (FilterMode::ADDITIVE, false),
        BlendMode::Factors(..) => (FilterMode::BLEND, false),
    }
}

fn layer_flags(layer: &Layer, mapper: &UvMapper, is_hd: bool) -> LayerFlags {
    let is_opaque = layer.blend == BlendMode::Opaque;
    let unlit = if is_hd { LayerFlags::UNSHADED | LayerFlags::UNLIT } else { LayerFlags::UNSHADED };
    let flags = [
        (layer.unlit || glows(layer), unlit),
        (matches!(mapper, UvMapper::Environment(_)), LayerFlags::SPHERE_ENV_MAP),
        (layer.two_sided, LayerFlags::TWO_SIDED),
        // Blending implies these, so no flag is needed.
        (!layer.fog && (is_opaque || layer.blend == BlendMode::Alpha), LayerFlags::UNFOGGED),
        (layer.depth_test == Compare::Always, LayerFlags::NO_DEPTH_TEST),
        (!layer.depth_write && is_opaque, LayerFlags::NO_DEPTH_SET),
    ];
    let flags =
        flags.into_iter().filter(|(is, _)| *is).fold(LayerFlags::default(), |all, (_, flag)| all | flag);
    // Flags of the file that still say the same, whether they are needed or not.
    let (mut bits, source) = (flags.get(), layer.source_flags);
    let known = |flag: LayerFlags, is_same: bool| if is_same { source & flag.get() } else { 0 };
    bits |= known(LayerFlags::NO_DEPTH_SET, !layer.depth_write) | known(LayerFlags::UNFOGGED, !layer.fog);
    let unlit = (LayerFlags::UNSHADED | LayerFlags::UNLIT).get();
    if bits & unlit != 0 && source & unlit != 0 {
        bits = bits & !unlit | source & unlit;
    }
    LayerFlags::new(bits)
}

/// The extension of a path in lower case.
fn extension(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
}

/// The path of a texture in a model of this version: with an extension that the game reads.
pub(crate) fn texture_path(name: &str, version: u32) -> String {
    let mut path = name.to_owned();
    if version < 900 {
        path = path.replace('/', "\\");
    }
    if !path.is_empty() && !EXTENSIONS.contains(&extension(&path).as_str()) {
        let known =
            ["png", "jpg", "jpeg", "webp", "bmp", "gif", "ktx2", "psd"].contains(&extension(&path).as_str());
        let stem = if known { path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem) } else { &path };
        path = format!("{stem}.{}", if version < 900 { "blp" } else { "dds" });
    }
    path
}

fn texture_record(texture: &Texture, version: u32) -> TextureRecord {
    let is_supplied = supplied::stands_for_supplied(texture);
    let path = if is_supplied { String::new() } else { texture_path(&texture.name, version) };
    let wraps =
        |wrap: Wrap, flag: TextureFlags| if wrap == Wrap::Clamp { TextureFlags::default() } else { flag };
    TextureRecord {
        replaceable_id: U32::new(texture.replaceable.map_or(0, |replaceable| replaceable.0)),
        path: chars(&path),
        flags: wraps(texture.wrap_u, TextureFlags::WRAP_WIDTH)
            | wraps(texture.wrap_v, TextureFlags::WRAP_HEIGHT),
    }
}
