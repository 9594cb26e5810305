//! Materials: one layer becomes glTF's material, all of them go to extras.

use crate::{
    Exporter, TextureSource, buffers::List, changes::Subject, extras, geometry::has_normals, json::Json,
    linear, mapper::Round, picture::UseAs, pointer::Tint,
};
use glam::{Affine2, Vec2, Vec3, Vec4};
use scene::{
    BlendMode, Layer, Material, MaterialId, MeshId, Replaceable, SlotKind, TextureId, TextureSlot,
    Transparency, UvMapper,
};
use std::collections::BTreeMap;

/// The materials written so far.
#[derive(Default)]
pub(crate) struct Materials {
    pub(crate) list: List,
    known: BTreeMap<Key, Used>,
    /// Those whose looks may change.
    pub(crate) instances: Vec<Instance>,
}

/// What tells glTF materials apart: the scene's, the mesh that has it for itself, how many sets of coordinates there are for it, and
/// whether its normal map is left out, which without normals has nothing to change.
type Key = (MaterialId, Option<MeshId>, u32, bool);

/// What a primitive has to know of its material.
#[derive(Clone, Copy)]
pub(crate) struct Used {
    pub(crate) place: u32,
    pub(crate) color_set: Option<u32>,
}

/// A glTF material and what it was made of.
#[derive(Clone)]
pub(crate) struct Instance {
    pub(crate) place: u32,
    material: MaterialId,
    /// The mesh that has this material for itself, because it has a colour of its own.
    pub(crate) mesh: Option<MeshId>,
    layer: u32,
    pub(crate) tint: Tint,
    /// What the mapper does to the coordinates of the base texture at first, if there is one.
    pub(crate) texture: Option<Affine2>,
    /// Of the base texture.
    pub(crate) mapper: UvMapper,
    /// The base texture shines too.
    pub(crate) shines: bool,
}

impl Instance {
    /// The layer that it is made of.
    pub(crate) fn layer(&self) -> Subject {
        Subject::Layer(self.material.0, self.layer)
    }
}

/// `KHR_texture_transform`: scaled, turned, moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) offset: Vec2,
    pub(crate) rotation: f32,
    pub(crate) scale: Vec2,
}

impl Default for Place {
    fn default() -> Self {
        Self { offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE }
    }
}

impl Place {
    /// The parts of a matrix; what is askew in it is lost. Angles are as glTF's readers take them, anticlockwise to the eye
    /// though v points down.
    pub(crate) fn of(matrix: &Affine2) -> Option<Self> {
        let (u, v) = (matrix.matrix2.x_axis, matrix.matrix2.y_axis);
        let rotation = if u == Vec2::ZERO { 0.0 } else { (-u.y).atan2(u.x) };
        let (sine, cosine) = rotation.sin_cos();
        let scale = Vec2::new(u.length(), v.dot(Vec2::new(sine, cosine)));
        let place = Self { offset: matrix.translation, rotation, scale };
        // No rotation needs to be written for a mirror along u.
        let place = if u.y == 0.0 && u.x < 0.0 {
            Self { rotation: 0.0, scale: Vec2::new(u.x, v.y), ..place }
        } else {
            place
        };
        (place.offset.is_finite() && place.scale.is_finite() && place.rotation.is_finite()).then_some(place)
    }
}

/// A texture as a material refers to it.
struct Reference {
    texture: u32,
    set: u32,
    place: Place,
    /// The transform is written in full, because it moves.
    moves: bool,
}

impl Reference {
    fn write(&self, json: &mut Json) {
        json.field("index", &self.texture);
        if self.set > 0 {
            json.field("texCoord", &self.set);
        }
        if self.is_placed() {
            json.object_field("extensions", |json| {
                json.object_field("KHR_texture_transform", |json| {
                    let usual = Place::default();
                    if self.moves || self.place.offset != usual.offset {
                        json.field("offset", &self.place.offset);
                    }
                    if self.moves || self.place.rotation != usual.rotation {
                        json.field("rotation", &self.place.rotation);
                    }
                    if self.moves || self.place.scale != usual.scale {
                        json.field("scale", &self.place.scale);
                    }
                });
            });
        }
    }

    fn is_placed(&self) -> bool {
        self.moves || self.place != Place::default()
    }
}

impl Exporter<'_> {
    /// The glTF material for one of the scene's on a mesh, if there is such.
    pub(crate) fn material(
        &mut self,
        id: MaterialId,
        mesh: MeshId,
        source: &mut dyn TextureSource,
    ) -> Option<Used> {
        let material = self.scene.materials.get(id.index())?;
        let shape = &self.scene.meshes[mesh.index()];
        let needed = material
            .layers
            .iter()
            .flat_map(|layer| &layer.slots)
            .map(|slot| slot.uv_set.saturating_add(1))
            .max();
        let sets = (shape.uv_sets.len() as u32).min(needed.unwrap_or(0));
        let own = !material.constant_color
            && (shape.color != Vec3::ONE || shape.alpha != 1.0 || self.is_tinted(mesh));
        let has_map = material.layers.iter().any(|layer| layer.slot(SlotKind::Normal).is_some());
        let key = (id, own.then_some(mesh), sets, has_map && !has_normals(shape));
        if let Some(used) = self.materials.known.get(&key) {
            return Some(*used);
        }
        let used = self.write_material(key, material, source);
        self.materials.known.insert(key, used);
        Some(used)
    }

    /// Whether a channel anywhere gives a mesh a colour or opacity of its own.
    fn is_tinted(&self, mesh: MeshId) -> bool {
        self.options.material_animation && self.changes.tints(Subject::Mesh(mesh.0))
    }

    /// Whether the mapper, or a channel anywhere, moves the coordinates of a layer.
    fn is_shifted(&self, instance: &Instance) -> bool {
        self.options.material_animation
            && (Round::of(&instance.mapper).is_some() || self.changes.shifts(instance.layer()))
    }

    fn write_material(
        &mut self,
        (id, mesh, sets, is_flat): Key,
        material: &Material,
        source: &mut dyn TextureSource,
    ) -> Used {
        let plain = Layer::default();
        let (number, on_team) = self.core_layer(material);
        let layer = material.layers.get(number).unwrap_or(&plain);
        let shape = mesh.and_then(|mesh| self.scene.meshes.get(mesh.index()));
        let lit = layer.lighting.as_ref().filter(|_| !layer.unlit);
        let tint = Tint {
            color: layer.color,
            alpha: layer.alpha,
            diffuse: lit.map_or(Vec3::ONE, |lighting| lighting.diffuse),
            opacity: lit.map_or(1.0, |lighting| lighting.opacity),
            mesh_color: shape.map_or(Vec3::ONE, |mesh| mesh.color),
            mesh_alpha: shape.map_or(1.0, |mesh| mesh.alpha),
        };
        let mut instance = Instance {
            place: self.materials.list.len(),
            material: id,
            mesh,
            layer: number as u32,
            tint,
            texture: None,
            mapper: layer.slot(SlotKind::Diffuse).map(|slot| slot.mapper.clone()).unwrap_or_default(),
            shines: false,
        };
        let moves = self.is_shifted(&instance);
        let team_mask = self.team_mask(layer);
        let mut slot = |kind: SlotKind| {
            let slot = layer.slot(kind)?;
            let is_base = kind == SlotKind::Diffuse;
            let use_as = match kind {
                SlotKind::Diffuse if on_team => UseAs::OverTeam,
                SlotKind::Diffuse => match team_mask {
                    Some(mask) => UseAs::TeamBy(mask),
                    None => UseAs::of(layer.blend),
                },
                SlotKind::Normal => UseAs::Normals,
                _ => UseAs::Itself,
            };
            self.reference(slot, sets, use_as, moves && is_base, source)
        };
        let base = slot(SlotKind::Diffuse);
        let normal = if is_flat { None } else { slot(SlotKind::Normal) };
        let orm = slot(SlotKind::OcclusionRoughnessMetal);
        let own_light = slot(SlotKind::Emissive);
        if base.is_some() {
            instance.texture = Some(instance.mapper.transform(0.0).unwrap_or(Affine2::IDENTITY));
        }
        // W3D's emissive colour lights the texture; so the texture shines by itself.
        let glow = lit.map_or(Vec3::ZERO, |lighting| linear(lighting.emissive));
        let shining = own_light.as_ref().or(base.as_ref().filter(|_| glow != Vec3::ZERO));
        instance.shines = own_light.is_none() && shining.is_some();
        let (emissive, strength) = match &own_light {
            Some(_) => {
                let gain = if layer.emissive_gain.is_finite() { layer.emissive_gain.max(0.0) } else { 1.0 };
                (Vec3::splat(gain.min(1.0)), gain.max(1.0))
            }
            None => (glow.min(Vec3::ONE), 1.0),
        };
        let under = if on_team { &material.layers[0] } else { layer };
        let transparency = under.transparency();
        if layer.unlit {
            self.uses("KHR_materials_unlit");
        }
        if strength > 1.0 {
            self.uses("KHR_materials_emissive_strength");
        }
        if [&base, &normal, &orm, &own_light].into_iter().flatten().any(Reference::is_placed) {
            self.uses("KHR_texture_transform");
        }
        let place = self.materials.list.push(|json| {
            json.text("name", &material.name);
            json.object_field("pbrMetallicRoughness", |json| {
                let factor = tint.factor();
                if factor != Vec4::ONE {
                    json.field("baseColorFactor", &factor);
                }
                if let Some(base) = &base {
                    json.object_field("baseColorTexture", |json| base.write(json));
                }
                match &orm {
                    Some(orm) => json.object_field("metallicRoughnessTexture", |json| orm.write(json)),
                    None => json.field("metallicFactor", &0_u32),
                }
            });
            if let Some(normal) = &normal {
                json.object_field("normalTexture", |json| normal.write(json));
            }
            if let Some(orm) = &orm {
                json.object_field("occlusionTexture", |json| orm.write(json));
            }
            if let Some(shining) = shining {
                json.object_field("emissiveTexture", |json| shining.write(json));
            }
            if emissive != Vec3::ZERO {
                json.field("emissiveFactor", &emissive);
            }
            match transparency {
                Transparency::Opaque => {}
                Transparency::Mask => {
                    json.field("alphaMode", "MASK");
                    let reference = under.alpha_test.map_or(0.5, |test| test.reference);
                    if reference != 0.5 && reference.is_finite() {
                        json.field("alphaCutoff", &reference.max(0.0));
                    }
                }
                Transparency::Blend => json.field("alphaMode", "BLEND"),
            }
            json.flag("doubleSided", layer.two_sided);
            if layer.unlit || strength > 1.0 {
                json.object_field("extensions", |json| {
                    if layer.unlit {
                        json.object_field("KHR_materials_unlit", |_| {});
                    }
                    if strength > 1.0 {
                        json.object_field("KHR_materials_emissive_strength", |json| {
                            json.field("emissiveStrength", &strength);
                        });
                    }
                });
            }
            extras::material(json, id, material);
        });
        self.materials.instances.push(instance);
        Used { place, color_set: layer.color_set }
    }

    /// The texture whose alpha says where the player's colour is: in high-definition materials that of occlusion, roughness and metal
    /// (mdx-errata 2.6).
    fn team_mask(&self, layer: &Layer) -> Option<TextureId> {
        let team = self.scene.textures.get(layer.slot(SlotKind::TeamColor)?.texture?.index())?;
        let mask = layer.slot(SlotKind::OcclusionRoughnessMetal)?.texture;
        mask.filter(|_| team.replaceable == Some(Replaceable::TEAM_COLOR))
    }

    /// The layer that stands for the whole: the first that shows, or what lies over a first one of the player's colour.
    fn core_layer(&self, material: &Material) -> (usize, bool) {
        let texture = |layer: &Layer| {
            let texture = layer.slot(SlotKind::Diffuse)?.texture?;
            self.scene.textures.get(texture.index())
        };
        if let [under, over, ..] = &material.layers[..]
            && texture(under).is_some_and(|texture| texture.replaceable == Some(Replaceable::TEAM_COLOR))
            && over.blend == BlendMode::Alpha
            && texture(over).is_some_and(|texture| texture.replaceable.is_none())
        {
            return (1, true);
        }
        (material.layers.iter().position(|layer| layer.alpha > 0.0).unwrap_or(0), false)
    }

    fn reference(
        &mut self,
        slot: &TextureSlot,
        sets: u32,
        use_as: UseAs,
        moves: bool,
        source: &mut dyn TextureSource,
    ) -> Option<Reference> {
        // A texture wants coordinates.
        if slot.uv_set >= sets {
            return None;
        }
        let texture = self.texture(slot.texture?, use_as, source)?;
        let place = slot.mapper.transform(0.0).and_then(|matrix| Place::of(&matrix)).unwrap_or_default();
        Some(Reference { texture, set: slot.uv_set, place, moves })
    }
}
