//! Materials: those of the source where the file still says what we wrote, glTF's otherwise.

use super::accessors::Accessors;
use super::color::game_color;
use super::error::{NoteKind, Notes, ReadError};
use super::extras::{self, SceneExtras, WrittenLook};
use super::images::{Textures, stem};
use super::json::{self, TextureReference};
use super::names::without_number;
use glam::{Vec2, Vec3, Vec4};
use scene::{
    AlphaTest, BlendMode, Compare, Layer, Lighting, LinearOffset, Material, MaterialId, SlotKind,
    TextureSlot, UvMapper,
};
use std::collections::HashMap;

/// The materials of the scene, and for each of glTF's the scene's.
pub(crate) struct Materials {
    pub(crate) list: Vec<Material>,
    pub(crate) places: Vec<MaterialId>,
    /// For each material its place in the source, if it is as it was there or a changed form of that one.
    pub(crate) sources: Vec<Option<u32>>,
    /// For each glTF material the layer that it shows.
    pub(crate) layers: Vec<u32>,
}

/// Largest id of a material that is taken for one.
const MOST: usize = 1 << 16;

pub(crate) fn build(
    accessors: &Accessors<'_>,
    scene: &SceneExtras<'_>,
    use_extras: bool,
    textures: &mut Textures,
    notes: &mut Notes,
) -> Result<Materials, ReadError> {
    let document = accessors.document();
    let mut materials =
        Materials { list: Vec::new(), places: Vec::new(), sources: Vec::new(), layers: Vec::new() };
    let mut kept: HashMap<usize, Material> = HashMap::new();
    for (id, material) in scene.materials.iter().filter_map(|json| extras::item::<Material>(json.get())) {
        kept.insert(id, material);
    }
    // First those that are as they were, then changed ones in places that are free.
    let mut own: Vec<Option<(usize, Material, Option<WrittenLook>)>> = Vec::new();
    for json in document.materials.iter() {
        let text = if use_extras { extras::own(json.extras) } else { None };
        let is_own = text.is_some();
        let found = text.and_then(|text| {
            let (id, material) = extras::item::<Material>(&text)?;
            Some((id, material, WrittenLook::of_material(&text)))
        });
        if is_own && found.is_none() {
            let message = "extras cannot be read; what glTF says is used";
            notes.add(NoteKind::Damaged, &*json.name, message);
        }
        own.push(found.filter(|(id, ..)| *id < MOST));
    }
    let mut changed = vec![false; own.len()];
    for (at, (json, found)) in document.materials.iter().zip(&own).enumerate() {
        let Some((id, material, written)) = found else { continue };
        changed[at] =
            written.as_ref().is_some_and(|written| !changes(accessors, json, written, textures).is_empty());
        if !changed[at] {
            kept.entry(*id).or_insert_with(|| material.clone());
        }
    }
    let mut count = kept.keys().copied().filter(|id| *id < MOST).max().map_or(0, |most| most + 1);
    let highest = own.iter().flatten().map(|(id, ..)| id + 1).max().unwrap_or(0);
    count = count.max(highest);
    materials.list.resize_with(count, Material::default);
    let mut is_taken = vec![false; count];
    for (id, material) in kept {
        if let Some(place) = materials.list.get_mut(id) {
            *place = material;
            is_taken[id] = true;
        }
    }
    let mut known: HashMap<usize, usize> = HashMap::new();
    for (at, (json, found)) in document.materials.iter().zip(own).enumerate() {
        let (place, layer) = match found {
            Some((id, material, written)) => {
                let layer = written.as_ref().map_or(0, |written| written.layer);
                let place = match written.filter(|_| changed[at]) {
                    None => id,
                    Some(written) => {
                        let patched = patched(accessors, at, json, material, &written, textures, notes)?;
                        if is_taken[id] {
                            materials.list.push(patched);
                            materials.list.len() - 1
                        } else {
                            is_taken[id] = true;
                            materials.list[id] = patched;
                            id
                        }
                    }
                };
                (place, layer)
            }
            None => {
                // Equal materials of glTF stay separate.
                let material = plain(accessors, at, json, textures, notes)?;
                let place = *known.entry(at).or_insert(materials.list.len());
                materials.list.push(material);
                (place, 0)
            }
        };
        materials.places.push(MaterialId::from(place));
        materials.layers.push(layer as u32);
    }
    is_taken.resize(materials.list.len(), false);
    let sources = is_taken.iter().enumerate();
    materials.sources = sources.map(|(place, taken)| taken.then_some(place as u32)).collect();
    mark_vertex_colors(document, &mut materials, use_extras);
    Ok(materials)
}

/// glTF materials are tinted by the first colours of the mesh, if it has any.
fn mark_vertex_colors(document: &json::Document<'_>, materials: &mut Materials, use_extras: bool) {
    let primitives = document.meshes.iter().flat_map(|mesh| mesh.primitives.iter());
    for primitive in primitives.filter(|primitive| primitive.attributes.contains_key("COLOR_0")) {
        let Some(at) = primitive.material.map(|material| material as usize) else { continue };
        let is_own =
            use_extras && document.materials.get(at).is_some_and(|json| extras::has_own(json.extras));
        let Some(place) = materials.places.get(at).filter(|_| !is_own) else { continue };
        for layer in
            materials.list.get_mut(place.index()).into_iter().flat_map(|material| &mut material.layers)
        {
            layer.color_set = Some(0);
        }
    }
}

/// What of a glTF material a person may have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Name,
    BaseColor,
    Texture,
    AlphaMode,
    TwoSided,
    Unlit,
}

fn changes(
    accessors: &Accessors<'_>,
    json: &json::Material<'_>,
    written: &WrittenLook,
    textures: &Textures,
) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut note = |is_changed: bool, change: Change| changes.extend(is_changed.then_some(change));
    note(
        without_number(&json.name) != without_number(&written.name) && json.name != written.name,
        Change::Name,
    );
    // Blender keeps no alpha of opaque materials.
    let (now, before) = (base_color(json), written.base_color);
    let is_opaque = alpha_mode(json) == "OPAQUE";
    let is_same =
        now.truncate().abs_diff_eq(before.truncate(), 2e-3) && (is_opaque || (now.w - before.w).abs() < 2e-3);
    note(!is_same, Change::BaseColor);
    let image = base_texture(json).and_then(|reference| textures.image_name(accessors, reference.index));
    note(image.map(stem) != written.texture.as_deref().map(stem), Change::Texture);
    // Blender writes everything without a texture as opaque.
    let mode = alpha_mode(json);
    let is_known = mode == written.alpha_mode || mode == "OPAQUE" && image.is_none();
    note(!is_known, Change::AlphaMode);
    note(json.double_sided != written.two_sided, Change::TwoSided);
    note(json.extensions.unlit.is_some() != written.unlit, Change::Unlit);
    changes
}

fn alpha_mode<'j>(json: &'j json::Material<'_>) -> &'j str {
    json.alpha_mode.as_deref().unwrap_or("OPAQUE")
}

fn base_color(json: &json::Material<'_>) -> Vec4 {
    let old = json.extensions.specular_glossiness.as_ref().and_then(|old| old.diffuse_factor);
    json.pbr_metallic_roughness.base_color_factor.or(old).map_or(Vec4::ONE, Vec4::from)
}

fn base_texture<'j>(json: &'j json::Material<'_>) -> Option<&'j TextureReference> {
    let old = json.extensions.specular_glossiness.as_ref().and_then(|old| old.diffuse_texture.as_ref());
    json.pbr_metallic_roughness.base_color_texture.as_deref().or(old)
}

/// The material of the source with what was changed since.
fn patched(
    accessors: &Accessors<'_>,
    at: usize,
    json: &json::Material<'_>,
    mut material: Material,
    written: &WrittenLook,
    textures: &mut Textures,
    notes: &mut Notes,
) -> Result<Material, ReadError> {
    let changes = changes(accessors, json, written, textures);
    let new = plain(accessors, at, json, textures, notes)?;
    let Some(look) = new.layers.into_iter().next() else { return Ok(material) };
    if material.layers.is_empty() {
        material.layers.push(look);
        return Ok(material);
    }
    let main = written.layer.min(material.layers.len() - 1);
    for change in changes {
        match change {
            Change::Name => material.name.clone_from(&new.name),
            Change::BaseColor => {
                let layer = &mut material.layers[main];
                match &mut layer.lighting {
                    Some(lighting) => {
                        (lighting.diffuse, lighting.ambient, lighting.opacity) =
                            (look.color, look.color, look.alpha);
                    }
                    None => (layer.color, layer.alpha) = (look.color, look.alpha),
                }
            }
            Change::Texture => {
                let layer = &mut material.layers[main];
                let slot = look.slot(SlotKind::Diffuse);
                match (layer.slots.iter_mut().find(|slot| slot.kind == SlotKind::Diffuse), slot) {
                    (Some(own), slot) => own.texture = slot.and_then(|slot| slot.texture),
                    (None, Some(slot)) => layer.slots.insert(0, slot.clone()),
                    (None, None) => {}
                }
            }
            Change::AlphaMode => {
                let layer = &mut material.layers[main];
                (layer.blend, layer.alpha_test, layer.depth_write) =
                    (look.blend, look.alpha_test, look.depth_write);
            }
            Change::TwoSided => material.layers.iter_mut().for_each(|layer| layer.two_sided = look.two_sided),
            Change::Unlit => material.layers[main].unlit = look.unlit,
        }
    }
    Ok(material)
}

/// A glTF material as one layer.
fn plain(
    accessors: &Accessors<'_>,
    at: usize,
    json: &json::Material<'_>,
    textures: &mut Textures,
    notes: &mut Notes,
) -> Result<Material, ReadError> {
    let color = base_color(json);
    let mut layer = Layer {
        two_sided: json.double_sided,
        unlit: json.extensions.unlit.is_some(),
        color: game_color(color.truncate()),
        alpha: color.w,
        ..Layer::default()
    };
    match alpha_mode(json) {
        "MASK" => {
            let reference = json.alpha_cutoff.unwrap_or(0.5);
            layer.alpha_test = Some(AlphaTest { reference, compare: Compare::GreaterEqual });
        }
        "BLEND" => {
            layer.blend = BlendMode::Alpha;
            layer.depth_write = false;
        }
        _ => {}
    }
    let mut slot =
        |kind: SlotKind, reference: Option<&TextureReference>, name: &str| -> Result<(), ReadError> {
            let Some(reference) = reference else { return Ok(()) };
            let pointer = format!("/materials/{at}/{name}");
            let texture = textures.texture(accessors, reference.index, format_args!("{pointer}/index"))?;
            let transform = reference.extensions.transform.unwrap_or_default();
            layer.slots.push(TextureSlot {
                kind,
                texture,
                uv_set: transform.tex_coord.unwrap_or(reference.tex_coord),
                mapper: mapper(&transform, &pointer, notes),
                ..TextureSlot::default()
            });
            Ok(())
        };
    let pbr = &json.pbr_metallic_roughness;
    slot(SlotKind::Diffuse, base_texture(json), "pbrMetallicRoughness/baseColorTexture")?;
    slot(SlotKind::Normal, json.normal_texture.as_deref(), "normalTexture")?;
    let orm = pbr.metallic_roughness_texture.as_deref().or(json.occlusion_texture.as_deref());
    slot(SlotKind::OcclusionRoughnessMetal, orm, "pbrMetallicRoughness/metallicRoughnessTexture")?;
    let emissive = game_color(json.emissive_factor.map_or(Vec3::ZERO, Vec3::from));
    let gain = json.extensions.emissive_strength.map_or(1.0, |strength| strength.emissive_strength);
    if emissive != Vec3::ZERO {
        slot(SlotKind::Emissive, json.emissive_texture.as_deref(), "emissiveTexture")?;
        if json.emissive_texture.is_some() {
            layer.emissive_gain = gain * emissive.max_element();
        } else {
            // The layer's colour tints everything, so what shines is not in it.
            let lit = std::mem::replace(&mut layer.color, Vec3::ONE);
            layer.lighting = Some(Lighting {
                ambient: lit,
                diffuse: lit,
                emissive: emissive * gain,
                opacity: std::mem::replace(&mut layer.alpha, 1.0),
                ..Lighting::default()
            });
        }
    }
    Ok(Material { name: json.name.to_string(), layers: vec![layer], ..Material::default() })
}

/// What a texture transform does, as far as the games have it.
fn mapper(transform: &json::TextureTransform, pointer: &str, notes: &mut Notes) -> UvMapper {
    if transform.rotation != 0.0 {
        notes.add(NoteKind::Skipped, pointer, "rotation of texture coordinates dropped");
    }
    let (start, scale) = (Vec2::from(transform.offset), Vec2::from(transform.scale));
    match (start == Vec2::ZERO, scale == Vec2::ONE) {
        (true, true) => UvMapper::Uv,
        (true, false) => UvMapper::Scale(scale),
        _ => UvMapper::LinearOffset(LinearOffset { start, scale, ..LinearOffset::default() }),
    }
}
