//! Materials: the layers of a scene's material become one surface ([`scene::surface`]); all of them go to extras.

use crate::channels::{Player, Subject, is_shift, is_tint};
use crate::context::{Context, linear};
use crate::document::{
    self, EmissiveStrength, MaterialExtensions, MetallicRoughness, TextureReference,
    TextureReferenceExtensions, Unlit,
};
use crate::extras::{Extras, MaterialExtras, WrittenLook};
use crate::geometry::{has_normals, parts};
use crate::mapper::Round;
use crate::names::Names;
use crate::options::Report;
use crate::placement::Placement;
use crate::texture_transform::Place;
use crate::textures::{Textures, Use};
use glam::{Affine2, Vec3, Vec4};
use scene::surface::{self, AlphaMode, Composite, Coordinates, Paint, Surface, Tint, VertexColors, surface};
use scene::{
    LayerProperty, Material, MaterialId, Mesh, MeshId, MeshProperty, SlotKind, Target, TextureId, UvMapper,
    Value,
};
use std::collections::BTreeMap;

/// The materials as glTF has them.
pub(crate) struct Materials<'a> {
    pub(crate) list: Vec<document::Material<'a>>,
    /// For each placement and each part of its mesh.
    used: Vec<Vec<Option<Used>>>,
    /// What each was made of, for animating it.
    pub(crate) instances: Vec<Instance>,
}

/// What a primitive has to know of its material.
#[derive(Clone, Copy)]
pub(crate) struct Used {
    pub(crate) place: u32,
    pub(crate) vertex_colors: Option<VertexColors>,
}

/// A glTF material and what it was made of.
pub(crate) struct Instance {
    pub(crate) place: u32,
    pub(crate) material: MaterialId,
    /// The mesh that has this material for itself, because it has a colour of its own.
    pub(crate) mesh: Option<MeshId>,
    /// The layer that the surface mainly shows.
    pub(crate) layer: u32,
    pub(crate) tint: Tint,
    /// What the mapper does to the coordinates of the base texture at first, if there is one.
    pub(crate) texture: Option<Affine2>,
    pub(crate) mapper: UvMapper,
    /// The emissive texture has the same coordinates.
    pub(crate) shines: bool,
    /// Shows nothing at rest.
    pub(crate) is_invisible: bool,
}

/// What tells glTF materials apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    material: MaterialId,
    /// The mesh, if it has a colour or an opacity of its own.
    mesh: Option<MeshId>,
    uv_sets: usize,
    color_sets: usize,
    /// Its normal map is omitted, because the mesh has no normals that it could change.
    is_flat: bool,
    is_invisible: bool,
}

impl Materials<'_> {
    pub(crate) fn used(&self, placement: usize, part: usize) -> Option<Used> {
        *self.used.get(placement)?.get(part)?
    }
}

pub(crate) fn build<'a>(
    context: &Context<'a>,
    placements: &[Placement<'_>],
    textures: &mut Textures<'_>,
    report: &mut Report,
) -> Materials<'a> {
    let mut known: BTreeMap<Key, Used> = BTreeMap::new();
    let mut names = Names::default();
    let mut materials = Materials { list: Vec::new(), used: Vec::new(), instances: Vec::new() };
    for placement in placements {
        let mesh = &context.scene.meshes[placement.mesh.index()];
        let parts = parts(mesh);
        let used = parts.iter().map(|part| {
            let id = part.material?;
            let material = context.scene.materials.get(id.index())?;
            // All layers are looked at for each part.
            context.budget.samples(16 * material.layers.len()).then_some(())?;
            let key = Key::new(context, id, material, mesh, placement);
            Some(*known.entry(key).or_insert_with(|| {
                let (material, instance, used) =
                    write(context, key, material, mesh, textures, &mut names, materials.list.len(), report);
                materials.list.push(material);
                materials.instances.push(instance);
                used
            }))
        });
        let used = used.collect();
        materials.used.push(used);
    }
    materials
}

impl Key {
    fn new(
        context: &Context<'_>,
        id: MaterialId,
        material: &Material,
        mesh: &Mesh,
        placement: &Placement<'_>,
    ) -> Self {
        let has_own_color = rest_tint(context, placement.mesh, mesh) != (Vec3::ONE, 1.0);
        // An animated factor tints it, or makes it appear.
        let is_animated = || {
            let mut about = context.channels.about(Subject::Mesh(placement.mesh.0));
            placement.is_invisible() || about.any(|source| is_tint(source.channel.target))
        };
        let layers = &material.layers;
        let slots = || layers.iter().flat_map(|layer| &layer.slots);
        let needed = slots().map(|slot| (slot.uv_set as usize).saturating_add(1)).max().unwrap_or(0);
        let has_map = slots().any(|slot| slot.kind == SlotKind::Normal);
        let has_colors = layers.iter().any(|layer| layer.color_set.is_some());
        Self {
            material: id,
            mesh: Some(placement.mesh)
                .filter(|_| has_own_color || context.options.material_animation && is_animated()),
            uv_sets: mesh.uv_sets.len().min(needed),
            color_sets: if has_colors { mesh.color_sets.len() } else { 0 },
            is_flat: has_map && !has_normals(mesh),
            is_invisible: placement.is_invisible(),
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "the state of the step, which nothing else uses")]
fn write<'a>(
    context: &Context<'a>,
    key: Key,
    material: &'a Material,
    mesh: &Mesh,
    textures: &mut Textures<'_>,
    names: &mut Names,
    place: usize,
    report: &mut Report,
) -> (document::Material<'a>, Instance, Used) {
    let at_rest = rest_material(context, key.material, material);
    let shape = rest_mesh(context, key, mesh);
    let surface = surface(
        &at_rest,
        &surface::Context {
            textures: &context.scene.textures,
            mesh: Some(&shape),
            coverage: &|id| textures.coverage(id),
            team_color: context.options.team_color,
        },
    );
    // Physical emission is linear light already.
    let is_physical = at_rest.layers.iter().any(|layer| layer.slot(SlotKind::Emissive).is_some());
    let light = if is_physical { surface.emissive.clone() } else { surface.added_light() };
    let name = names.unique(&name(context, material, &surface), "Material").into_owned();
    report.dropped.extend(surface.dropped.iter().map(|dropped| (name.clone(), *dropped)));
    let is_invisible = key.is_invisible || !surface.visible;
    let instance = Instance {
        place: place as u32,
        material: key.material,
        mesh: key.mesh,
        layer: surface.layer as u32,
        tint: surface.tint,
        texture: surface
            .base
            .picture
            .is_some()
            .then(|| surface.base.coordinates.mapper.transform(0.0).unwrap_or(Affine2::IDENTITY)),
        mapper: surface.base.coordinates.mapper.clone(),
        shines: light.picture.is_some() && light.coordinates == surface.base.coordinates,
        is_invisible,
    };
    let moves = is_shifted(context, &instance);
    let mut paint = |paint: &Paint, moves: bool| {
        let texture = textures.texture(paint.picture.as_ref()?, Use::Color, report)?;
        Some(reference(texture, &paint.coordinates, moves))
    };
    let base = paint(&surface.base, moves);
    let emissive = paint(&light, moves && instance.shines);
    let layer = at_rest.layers.get(surface.layer);
    let mut slot = |kind: SlotKind, use_as: Use| {
        let slot = layer?.slot(kind).filter(|slot| (slot.uv_set as usize) < mesh.uv_sets.len())?;
        let texture = textures.texture(&Composite::Texture(slot.texture?), use_as, report)?;
        let coordinates =
            Coordinates { uv_set: slot.uv_set, mapper: slot.mapper.clone(), ..Coordinates::default() };
        Some(reference(texture, &coordinates, false))
    };
    let green_down = layer.and_then(|layer| layer.slot(SlotKind::Normal)).is_some_and(|slot| slot.green_down);
    let normal = if key.is_flat { None } else { slot(SlotKind::Normal, Use::Normals { green_down }) };
    let orm = slot(SlotKind::OcclusionRoughnessMetal, Use::Color);
    let base_image = base.as_ref().and_then(|base| textures.image_name(base.index));
    let (emissive_factor, strength) = emissive_factor(light.factor.truncate());
    let mut factor = base_factor(surface.base.factor);
    let (mut alpha_mode, mut alpha_cutoff) = alpha(surface.alpha_mode);
    if is_invisible {
        // What is blended can appear again, if the factor is animated.
        let may_blend = alpha_mode == Some("BLEND") && context.options.material_animation;
        factor.w = 0.0;
        if !may_blend {
            (alpha_mode, alpha_cutoff) = (Some("MASK"), alpha_cutoff.or(Some(INVISIBLE_CUTOFF)));
        }
    }
    let written = document::Material {
        name,
        pbr_metallic_roughness: MetallicRoughness {
            base_color_factor: Some(factor).filter(|factor| *factor != Vec4::ONE),
            base_color_texture: base,
            metallic_factor: orm.is_none().then_some(0.0),
            metallic_roughness_texture: orm.clone(),
        },
        normal_texture: normal,
        occlusion_texture: orm,
        emissive_texture: emissive.filter(|_| emissive_factor != Vec3::ZERO),
        emissive_factor,
        alpha_mode,
        alpha_cutoff,
        double_sided: surface.two_sided,
        extensions: MaterialExtensions {
            unlit: surface.unlit.then_some(Unlit {}),
            emissive_strength: strength.map(|emissive_strength| EmissiveStrength { emissive_strength }),
        },
        extras: None,
    };
    let look = WrittenLook {
        name: written.name.clone(),
        layer: surface.layer,
        base_color: factor,
        texture: base_image,
        alpha_mode: alpha_mode.unwrap_or("OPAQUE"),
        two_sided: surface.two_sided,
        unlit: surface.unlit,
    };
    let extras = MaterialExtras { id: key.material, written: look, material };
    let written = document::Material { extras: Some(Extras { meshwright: extras }), ..written };
    let used = Used { place: place as u32, vertex_colors: surface.vertex_colors };
    (written, instance, used)
}

/// The cutoff of materials that show nothing: any alpha above zero shows again.
const INVISIBLE_CUTOFF: f32 = 0.001;

/// glTF's mode and cutoff, where they are not the default.
fn alpha(mode: AlphaMode) -> (Option<&'static str>, Option<f32>) {
    /// What readers assume without a cutoff (glTF 2.0, 3.9.4).
    const DEFAULT_CUTOFF: f32 = 0.5;
    match mode {
        AlphaMode::Opaque => (None, None),
        AlphaMode::Mask(cutoff) => (Some("MASK"), Some(cutoff).filter(|cutoff| *cutoff != DEFAULT_CUTOFF)),
        AlphaMode::Blend => (Some("BLEND"), None),
    }
}

/// glTF's base colour factor: linear, 0 to 1.
pub(crate) fn base_factor(factor: Vec4) -> Vec4 {
    let alpha = if factor.w.is_finite() { factor.w.clamp(0.0, 1.0) } else { 1.0 };
    linear(factor.truncate()).clamp(Vec3::ZERO, Vec3::ONE).extend(alpha)
}

/// glTF's emissive factor, at most one, and the strength of what is brighter.
fn emissive_factor(color: Vec3) -> (Vec3, Option<f32>) {
    let gain = color.max_element();
    match gain.is_finite() && gain > 1.0 {
        true => (linear(color / gain), Some(gain)),
        false => (linear(color).min(Vec3::ONE), None),
    }
}

/// A reference to a texture. The transform is complete where it is animated.
fn reference(index: u32, coordinates: &Coordinates, moves: bool) -> TextureReference {
    let place = coordinates.mapper.transform(0.0).and_then(|matrix| Place::of(&matrix)).unwrap_or_default();
    let is_placed = moves || place != Place::default();
    TextureReference {
        index,
        tex_coord: coordinates.uv_set,
        extensions: is_placed.then(|| TextureReferenceExtensions { transform: place.into() }),
    }
}

/// Whether the mapper, or a channel anywhere, moves the base texture.
fn is_shifted(context: &Context<'_>, instance: &Instance) -> bool {
    let layer = Subject::Layer(instance.material.0, instance.layer);
    context.options.material_animation
        && instance.texture.is_some()
        && (Round::of(&instance.mapper).is_some()
            || context.channels.about(layer).any(|source| is_shift(source.channel.target)))
}

/// A material is best known by its picture.
fn name(context: &Context<'_>, material: &Material, surface: &Surface) -> String {
    let slot = |at: usize| material.layers.get(at)?.slot(SlotKind::Diffuse)?.texture;
    let picture = |paint: &Paint| paint.picture.as_ref().and_then(|picture| picture.textures().pop());
    let stem = |id: TextureId| {
        let name = context.scene.textures.get(id.index())?.name.as_str();
        let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
        Some(stem.to_owned()).filter(|stem| !stem.is_empty())
    };
    let candidates = [picture(&surface.base), slot(surface.layer), picture(&surface.emissive)];
    candidates.into_iter().flatten().find_map(stem).unwrap_or_else(|| material.name.clone())
}

/// The material as the Stand clip starts with it: colours, opacities and pictures.
fn rest_material<'m>(
    context: &Context<'_>,
    id: MaterialId,
    material: &'m Material,
) -> std::borrow::Cow<'m, Material> {
    use LayerProperty::{Alpha, Color, Texture};
    let mut at_rest = std::borrow::Cow::Borrowed(material);
    let Some(clip) = context.rest_clip else { return at_rest };
    for layer in 0..material.layers.len() {
        let wanted = |target: Target| matches!(target, Target::Layer(_, _, Alpha | Color | Texture(_)));
        for source in context.playing(Player::Clip(clip), &[Subject::Layer(id.0, layer as u32)], wanted) {
            let Target::Layer(_, _, property) = source.channel.target else { continue };
            let Some(value) = source.sample(0.0) else { continue };
            let layer = &mut at_rest.to_mut().layers[layer];
            match (property, value) {
                (Alpha, Value::Scalar(value)) => layer.alpha = value,
                (Color, Value::Vector(value)) => layer.color = value,
                (Texture(slot), Value::Index(value)) => {
                    let exists = (value as usize) < context.scene.textures.len();
                    if let Some(slot) = layer.slots.get_mut(slot as usize).filter(|_| exists) {
                        slot.texture = Some(TextureId(value));
                    }
                }
                _ => {}
            }
        }
    }
    at_rest
}

/// What a surface has to know of a mesh: its coordinates and colours, and its tint as the Stand clip starts with it.
fn rest_mesh(context: &Context<'_>, key: Key, mesh: &Mesh) -> Mesh {
    let (color, alpha) = key.mesh.map_or((Vec3::ONE, 1.0), |id| rest_tint(context, id, mesh));
    Mesh {
        uv_sets: vec![Vec::new(); key.uv_sets],
        color_sets: vec![Vec::new(); key.color_sets],
        color,
        alpha,
        ..Mesh::default()
    }
}

/// The colour and opacity of a mesh as the Stand clip starts with them.
fn rest_tint(context: &Context<'_>, id: MeshId, mesh: &Mesh) -> (Vec3, f32) {
    let mut tint = (mesh.color, mesh.alpha);
    let player = context.rest_clip.map(Player::Clip);
    let sources =
        player.map(|player| context.playing(player, &[Subject::Mesh(id.0)], is_tint)).unwrap_or_default();
    for source in sources {
        match (source.channel.target, source.sample(0.0)) {
            (Target::Mesh(_, MeshProperty::Color), Some(Value::Vector(value))) => tint.0 = value,
            (Target::Mesh(_, MeshProperty::Alpha), Some(Value::Scalar(value))) => tint.1 = value,
            _ => {}
        }
    }
    // What is hidden by its opacity is hidden by other means, so that it can appear.
    (tint.0, if tint.1 > 0.0 { tint.1 } else { 1.0 })
}
