//! Textures, materials and their layers (docs/formats/mdx/materials.md#layers).

use std::fmt::Display;

use glam::Vec3;
use mdx::records::{FilterMode, LayerFlags, MaterialFlags, ShaderType, SlotType, TextureFlags};
use mdx::view::{Layer as Source, LayerTexture, text, tracks};
use mdx::{kinds, tags};
use record::Node;
use scene::{
    AlphaTest, BlendMode, Compare, Environment, EnvironmentSource, Fresnel, Layer, LayerProperty, Material,
    MaterialId, Shader, SlotKind, SortPrimitives, Target, Texture, TextureId, TextureSlot, UvMapper, Wrap,
};

use super::emitter::replaceable;
use super::{Converter, NoteKind};

/// The shaders whose six layers are the six textures of one.
const HD_SHADERS: [&str; 2] = ["Shader_HD_DefaultUnit", "Shader_HD_Crystal"];

/// Warcraft III's normal maps have green downwards: the shader negates it (1S), and bitangents point up the picture (measured on 40
/// geosets).
const GREEN_IS_DOWN: bool = true;

/// More textures in a layer than this are no model.
const MAX_SLOTS: usize = 32;

impl<'d> Converter<'d> {
    pub(super) fn materials(&mut self) {
        let wrap = |repeats| if repeats { Wrap::Repeat } else { Wrap::Clamp };
        self.scene.textures.extend(self.model.textures().iter().map(|texture| Texture {
            name: text(&texture.path).into_owned(),
            replaceable: replaceable(texture.replaceable_id.get()),
            wrap_u: wrap(texture.flags.has(TextureFlags::WRAP_WIDTH)),
            wrap_v: wrap(texture.flags.has(TextureFlags::WRAP_HEIGHT)),
            ..Texture::default()
        }));
        if self.is_wow() {
            for index in 0..self.scene.textures.len() {
                if let Some(id) = self.scene.textures[index].replaceable {
                    let message = format!("the game supplies this texture (World of Warcraft's id {})", id.0);
                    self.note(NoteKind::Assumed, format_args!("Texture[{index}]"), message);
                }
            }
        }
        let animations: Vec<_> = self.model.texture_animations().map(|animation| animation.node()).collect();
        for (index, material) in self.model.materials().enumerate() {
            let id = MaterialId::from(index);
            let path = format_args!("Material[{index}]");
            let flags = material.flags();
            let sources: Vec<Source<'d>> = material.layers().collect();
            let name = match material.shader() {
                Some(name) => text(name).into_owned(),
                None => sources.first().map(shader_name).unwrap_or_default(),
            };
            let is_hd = material.shader().is_some() && HD_SHADERS.contains(&name.as_str());
            let mut layers = Vec::with_capacity(sources.len());
            if let [first, rest @ ..] = &sources[..]
                && is_hd
                && sources.len() == 6
            {
                layers.push(self.hd_layer(first, rest, id, &animations));
            } else {
                if is_hd {
                    let message = format!(
                        "an HD shader with {} layers instead of 6; converted as classic layers",
                        sources.len()
                    );
                    self.note(NoteKind::Assumed, path, message);
                }
                for (layer_index, source) in sources.iter().enumerate() {
                    let layer_index = u32::try_from(layer_index).unwrap_or(u32::MAX);
                    layers.push(self.layer(source, source.textures(), id, layer_index, &animations));
                }
            }
            if flags.has(MaterialFlags::TWO_SIDED) {
                for layer in &mut layers {
                    layer.two_sided = true;
                }
            }
            if layers.is_empty() {
                self.note(NoteKind::Damaged, path, "a material without layers");
            }
            let sort_primitives = if flags.has(MaterialFlags::SORT_PRIMS_FAR_Z) {
                SortPrimitives::Far
            } else if flags.has(MaterialFlags::SORT_PRIMS_NEAR_Z) {
                SortPrimitives::Near
            } else {
                SortPrimitives::None
            };
            self.scene.materials.push(Material {
                layers,
                shader: (!name.is_empty()).then(|| Shader { name, ..Shader::default() }),
                priority_plane: material.priority_plane(),
                sort_primitives,
                constant_color: flags.has(MaterialFlags::CONSTANT_COLOR),
                full_resolution: flags.has(MaterialFlags::FULL_RESOLUTION),
                ..Material::default()
            });
        }
    }

    /// Six layers with one texture each; the first has the filter mode and the flags (versions 900 and 1000).
    fn hd_layer(
        &mut self,
        first: &Source<'d>,
        rest: &[Source<'d>],
        id: MaterialId,
        animations: &[&'d Node<'d>],
    ) -> Layer {
        let textures: Vec<LayerTexture<'d>> = (0..)
            .zip(std::iter::once(first).chain(rest))
            .filter_map(|(slot, source)| {
                let texture = source.textures().next()?;
                Some(LayerTexture { slot: SlotType::new(slot), ..texture })
            })
            .collect();
        for (index, source) in (1..).zip(rest) {
            // Their texture tracks are in the slots; more has no effect on a texture.
            for track in source.tracks().filter(|track| track.row.tag != tags::KMTF) {
                self.unplaced(&track, format_args!("Material[{}]/Layer[{index}]", id.0));
            }
        }
        self.layer(first, textures.into_iter(), id, 0, animations)
    }

    fn layer(
        &mut self,
        source: &Source<'d>,
        textures: impl Iterator<Item = LayerTexture<'d>>,
        id: MaterialId,
        index: u32,
        animations: &[&'d Node<'d>],
    ) -> Layer {
        let path = format_args!("Material[{}]/Layer[{index}]", id.0);
        let (header, flags) = (source.parts.header, source.parts.header.flags);
        let (blend, alpha_test) = blending(header.filter_mode).unwrap_or_else(|| {
            let mode = header.filter_mode.get();
            let message = format!("unknown filter mode {mode:#x}; drawn opaque, as in the game");
            self.note(NoteKind::Damaged, path, message);
            (BlendMode::Opaque, None)
        });
        let wraps = LayerFlags::WRAP_WIDTH.get()
            | LayerFlags::WRAP_HEIGHT.get()
            | LayerFlags::BACK_FACES_FOR_SHADOWS.get()
            | LayerFlags::AMBIENT_OCCLUSION.get();
        if flags.get() & wraps != 0 {
            self.note(NoteKind::Skipped, path, format!("flags {:#x} are not supported", flags.get() & wraps));
        }
        let unlit = flags.has(LayerFlags::UNSHADED) || !self.is_wow() && flags.has(LayerFlags::UNLIT);
        let (emissive, fresnel) = (source.parts.emissive, source.parts.fresnel);
        let gain = emissive.emissive_gain.get();
        let mut layer = Layer {
            blend,
            alpha_test,
            depth_test: if flags.has(LayerFlags::NO_DEPTH_TEST) {
                Compare::Always
            } else {
                Compare::LessEqual
            },
            // Blended layers write no depth, and from Additive on are not fogged (docs/formats/rendering.md#mdx-layers).
            depth_write: !flags.has(LayerFlags::NO_DEPTH_SET) && matches!(blend, BlendMode::Opaque),
            two_sided: flags.has(LayerFlags::TWO_SIDED),
            unlit,
            fog: !flags.has(LayerFlags::UNFOGGED) && matches!(blend, BlendMode::Opaque | BlendMode::Alpha),
            alpha: self.number(&path, "alpha", header.alpha.get(), 1.0),
            // Not a number where a track says it (docs/formats/mdx/materials.md#layers).
            emissive_gain: if gain.is_finite() { gain } else { 1.0 },
            fresnel: Fresnel {
                color: Vec3::from(fresnel.color.get()),
                opacity: fresnel.opacity.get(),
                team_color: fresnel.team_color.get(),
            },
            source_flags: if self.is_wow() { 0 } else { flags.get() },
            ..Layer::default()
        };
        let mapper = if flags.has(LayerFlags::SPHERE_ENV_MAP) {
            UvMapper::Environment(Environment { source: EnvironmentSource::Normal, ..Environment::default() })
        } else {
            UvMapper::Uv
        };
        let uv_set = u32::try_from(header.coord_id.get()).unwrap_or(0);
        for (ordinal, texture) in (0..).zip(textures) {
            // Where a track follows, files have the wrong slot and the position counts (docs/formats/mdx/materials.md#texture-slots).
            let slot = if texture.track.is_some() { SlotType::new(ordinal) } else { texture.slot };
            let kind = slot_kind(slot);
            if layer.slots.len() == MAX_SLOTS {
                self.note(NoteKind::Damaged, path, "too many textures; the rest were dropped");
                break;
            }
            if layer.slot(kind).is_some() {
                let message = format!("duplicate {kind:?} texture; the first one is used");
                self.note(NoteKind::Damaged, path, message);
                continue;
            }
            let place = u32::try_from(layer.slots.len()).unwrap_or(u32::MAX);
            layer.slots.push(TextureSlot {
                kind,
                texture: self.texture(texture.texture_id, &path),
                uv_set,
                mapper: if kind == SlotKind::Diffuse { mapper.clone() } else { UvMapper::Uv },
                green_down: GREEN_IS_DOWN && kind == SlotKind::Normal,
                ..TextureSlot::default()
            });
            if let Some(track) = texture.track {
                self.index(&track, Target::Layer(id, index, LayerProperty::Texture(place)));
            }
        }
        let target = |property| Target::Layer(id, index, property);
        for track in source.tracks() {
            match track.row.tag {
                tags::KMTA => self.scalar(&track, target(LayerProperty::Alpha), 1.0),
                tags::KMTE => self.scalar(&track, target(LayerProperty::EmissiveGain), 1.0),
                tags::KFC3 => self.color(&track, target(LayerProperty::FresnelColor)),
                tags::KFCA => self.scalar(&track, target(LayerProperty::FresnelOpacity), 1.0),
                tags::KFTC => self.scalar(&track, target(LayerProperty::FresnelTeamColor), 1.0),
                // It went with its texture.
                tags::KMTF if source.node.child(&kinds::LAYER_SHADER).is_none() => {}
                _ => self.unplaced(&track, path),
            }
        }
        if let Ok(number) = u32::try_from(header.texture_animation_id.get()) {
            layer.uv_animation = Some(number);
            match animations.get(number as usize) {
                Some(animation) => self.texture_animation(animation, target, &path),
                None => {
                    self.note(NoteKind::Missing, path, format!("texture animation {number} does not exist"));
                }
            }
        }
        layer
    }

    fn texture_animation(
        &mut self,
        animation: &'d Node<'d>,
        target: impl Fn(LayerProperty) -> Target,
        path: &dyn Display,
    ) {
        for track in tracks(animation) {
            match track.row.tag {
                tags::KTAT => self.plane_vector(&track, target(LayerProperty::UvTranslation)),
                tags::KTAR => self.plane_rotation(&track, target(LayerProperty::UvRotation)),
                tags::KTAS => self.plane_vector(&track, target(LayerProperty::UvScale)),
                _ => self.unplaced(&track, path),
            }
        }
    }

    /// The texture of an index; a negative one is none.
    pub(super) fn texture(&mut self, index: i32, path: &dyn Display) -> Option<TextureId> {
        let id = TextureId(u32::try_from(index).ok()?);
        if id.index() >= self.scene.textures.len() {
            self.note(NoteKind::Missing, path, format!("texture {index} does not exist"));
            return None;
        }
        Some(id)
    }

    /// The material of an index.
    pub(super) fn material_id(&mut self, index: u32, path: &dyn Display) -> Option<MaterialId> {
        if index as usize >= self.scene.materials.len() {
            self.note(NoteKind::Missing, path, format!("material {index} does not exist"));
            return None;
        }
        Some(MaterialId(index))
    }
}

fn slot_kind(slot: SlotType) -> SlotKind {
    match slot {
        SlotType::DIFFUSE => SlotKind::Diffuse,
        SlotType::NORMAL => SlotKind::Normal,
        SlotType::ORM => SlotKind::OcclusionRoughnessMetal,
        SlotType::EMISSIVE => SlotKind::Emissive,
        SlotType::TEAM_COLOR => SlotKind::TeamColor,
        SlotType::ENVIRONMENT => SlotKind::Environment,
        other => SlotKind::Other(other.get()),
    }
}

/// The name of the shader that a layer has from version 1100 on; classic layers have none.
fn shader_name(layer: &Source<'_>) -> String {
    match layer.parts.shader.shader {
        ShaderType::SD_LEGACY => String::new(),
        ShaderType::HD_DEFAULT_UNIT => HD_SHADERS[0].to_owned(),
        ShaderType::HD_CRYSTAL => HD_SHADERS[1].to_owned(),
        ShaderType::SD_ON_HD => "Shader_SD_FixedFunction".to_owned(),
        other => format!("Shader {}", other.get()),
    }
}

/// The blending and the alpha test of a filter mode; none if the mode is unknown.
fn blending(mode: FilterMode) -> Option<(BlendMode, Option<AlphaTest>)> {
    Some(match mode {
        FilterMode::NONE => (BlendMode::Opaque, None),
        FilterMode::TRANSPARENT => (BlendMode::Opaque, Some(AlphaTest::WARCRAFT)),
        FilterMode::BLEND => (BlendMode::Alpha, Some(AlphaTest::INVISIBLE)),
        FilterMode::ADDITIVE => (BlendMode::Additive, Some(AlphaTest::INVISIBLE)),
        FilterMode::ADD_ALPHA => (BlendMode::AddAlpha, Some(AlphaTest::INVISIBLE)),
        FilterMode::MODULATE => (BlendMode::Modulate, Some(AlphaTest::INVISIBLE)),
        FilterMode::MODULATE_2X => (BlendMode::Modulate2x, Some(AlphaTest::INVISIBLE)),
        _ => return None,
    })
}
