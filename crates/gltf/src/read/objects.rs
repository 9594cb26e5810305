//! Lights, cameras, and everything that only extras can say: attachments, events, collision shapes, emitters and so on.

use super::color::game_color;
use super::error::ReadError;
use super::extras::{self, NodeExtras};
use super::json::{self, Document};
use super::nodes::is_same;
use super::tree::{Place, Tree};
use crate::objects::{brightness, looking};
use glam::Vec3;
use scene::*;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// What hangs on nodes, and for each list the places of what the source had.
#[derive(Default)]
pub(crate) struct Objects {
    pub(crate) lights: Items<Light>,
    pub(crate) cameras: Items<Camera>,
    pub(crate) emitters: Items<Emitter>,
    pub(crate) ribbons: Items<Ribbon>,
    pub(crate) primitives: Items<Primitive>,
    pub(crate) attachments: Items<Attachment>,
    pub(crate) events: Items<Event>,
    pub(crate) collision_shapes: Items<CollisionShape>,
    pub(crate) dazzles: Items<Dazzle>,
    pub(crate) sounds: Items<Sound>,
    /// glTF nodes whose motion is in extras, as that of a camera of the source.
    pub(crate) restored_cameras: Vec<bool>,
    /// For each glTF light the scene's first.
    pub(crate) light_places: Vec<Option<LightId>>,
}

/// A list with the ids that its items had in the source; new ones have none.
pub(crate) struct Items<T>(Vec<(Option<usize>, T)>);

impl<T> Default for Items<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Items<T> {
    /// Puts the items in the order of the source, new ones last.
    fn sort(&mut self) {
        self.0.sort_by_key(|(id, _)| id.unwrap_or(usize::MAX));
    }

    /// For each item its place after sorting.
    fn ranks(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by_key(|place| self.0[*place].0.unwrap_or(usize::MAX));
        let mut ranks = vec![0; order.len()];
        order.into_iter().enumerate().for_each(|(rank, place)| ranks[place] = rank);
        ranks
    }

    /// The place of an item of the source.
    pub(crate) fn place(&self, id: usize) -> Option<usize> {
        self.0.binary_search_by_key(&id, |(id, _)| id.unwrap_or(usize::MAX)).ok()
    }

    pub(crate) fn into_list(self) -> Vec<T> {
        self.0.into_iter().map(|(_, item)| item).collect()
    }

    fn extend(&mut self, values: &[Box<RawValue>], mut place: impl FnMut(&mut T))
    where
        T: DeserializeOwned,
    {
        for (id, mut item) in values.iter().filter_map(|json| extras::item::<T>(json.get())) {
            place(&mut item);
            self.0.push((Some(id), item));
        }
    }
}

pub(crate) fn build(document: &Document<'_>, tree: &Tree) -> Result<Objects, ReadError> {
    let mut objects = Objects {
        restored_cameras: vec![false; document.nodes.len()],
        light_places: vec![None; document.extensions.lights.lights.len()],
        ..Objects::default()
    };
    let mut lights_of_gltf: Vec<(usize, u32)> = Vec::new();
    // First those of the source, so that a light of glTF finds its own wherever it is in the file.
    for (&at, id) in tree.order.iter().zip(0_usize..) {
        let extras = &tree.extras[at as usize];
        if extras.index.is_some() {
            attach(&mut objects, extras, NodeId::from(id));
        }
    }
    for (at, json) in document.nodes.iter().enumerate() {
        let place = tree.places[at];
        if matches!(place, Place::Absent | Place::Root) {
            continue;
        }
        let node = tree.node(at as u32);
        camera(document, tree, at, json, &mut objects)?;
        if let Some(reference) = json.extensions.as_ref().and_then(|extensions| extensions.light.as_ref()) {
            let pointer = format_args!("/nodes/{at}/extensions/KHR_lights_punctual/light");
            let light = document.extensions.lights.lights.get(reference.light as usize);
            let light = light.ok_or_else(|| ReadError::missing(pointer, "light", reference.light))?;
            light_of(tree, at, light, node, &mut objects, &mut lights_of_gltf, reference.light);
        }
    }
    let ranks = objects.lights.ranks();
    for (place, gltf) in lights_of_gltf {
        objects.light_places[gltf as usize].get_or_insert(LightId::from(ranks[place]));
    }
    objects.lights.sort();
    objects.cameras.sort();
    objects.emitters.sort();
    objects.ribbons.sort();
    objects.primitives.sort();
    objects.attachments.sort();
    objects.events.sort();
    objects.collision_shapes.sort();
    objects.dazzles.sort();
    objects.sounds.sort();
    Ok(objects)
}

fn attach(objects: &mut Objects, extras: &NodeExtras, node: NodeId) {
    objects.lights.extend(&extras.lights, |item: &mut Light| item.node = node);
    objects.emitters.extend(&extras.emitters, |item: &mut Emitter| item.node = node);
    objects.ribbons.extend(&extras.ribbons, |item: &mut Ribbon| item.node = node);
    objects.primitives.extend(&extras.primitives, |item: &mut Primitive| item.node = node);
    objects.attachments.extend(&extras.attachments, |item: &mut Attachment| item.node = node);
    objects.events.extend(&extras.events, |item: &mut Event| item.node = node);
    objects.collision_shapes.extend(&extras.collision_shapes, |item: &mut CollisionShape| item.node = node);
    objects.dazzles.extend(&extras.dazzles, |item: &mut Dazzle| item.node = node);
    objects.sounds.extend(&extras.sounds, |item: &mut Sound| item.node = node);
}

/// A glTF light: one of the source, maybe changed, or a new one.
fn light_of(
    tree: &Tree,
    at: usize,
    json: &json::Light<'_>,
    node: Option<NodeId>,
    objects: &mut Objects,
    places: &mut Vec<(usize, u32)>,
    index: u32,
) {
    let Some(node) = node else { return };
    let kind = match &*json.kind {
        "directional" => LightKind::Directional,
        "spot" => {
            let spot = json.spot.unwrap_or_default();
            let outer = spot.outer_cone_angle.unwrap_or(std::f32::consts::FRAC_PI_4);
            LightKind::Spot { inner: spot.inner_cone_angle, outer, exponent: 1.0 }
        }
        _ => LightKind::Point,
    };
    let same_kind = |light: &Light| std::mem::discriminant(&light.kind) == std::mem::discriminant(&kind);
    let taken = |place: usize, places: &[(usize, u32)]| places.iter().any(|(known, _)| *known == place);
    let own = objects.lights.0.iter().enumerate().find(|(place, (id, light))| {
        id.is_some() && light.node == node && same_kind(light) && !taken(*place, places)
    });
    let color = json.color.map_or(Vec3::ONE, Vec3::from);
    let intensity = json.intensity.unwrap_or(1.0);
    if let Some(place) = own.map(|(place, _)| place) {
        let light = &mut objects.lights.0[place].1;
        let (written, strength) = brightness(light);
        let is_same =
            written.abs_diff_eq(color, 2e-3) && (strength - intensity).abs() <= 0.01 * strength.max(1e-3);
        if !is_same && light.visible {
            (light.color, light.intensity) = (game_color(color), intensity);
        }
        places.push((place, index));
        return;
    }
    let mut light = Light::new(node, kind);
    light.color = game_color(color);
    light.intensity = intensity;
    let unit = tree.frames[at].unit;
    light.attenuation = json.range.map(|range| [0.0, range * unit]);
    places.push((objects.lights.0.len(), index));
    objects.lights.0.push((None, light));
}

/// A camera: one of the source, maybe moved, or a new one.
fn camera(
    document: &Document<'_>,
    tree: &Tree,
    at: usize,
    json: &json::Node<'_>,
    objects: &mut Objects,
) -> Result<(), ReadError> {
    let Some(index) = json.camera else { return Ok(()) };
    let found = document.cameras.get(index as usize);
    let found =
        found.ok_or_else(|| ReadError::missing(format_args!("/nodes/{at}/camera"), "camera", index))?;
    let local = tree.frames[at].transform(&tree.locals[at]);
    let forward = local.rotation * Vec3::NEG_Z;
    if let Some((id, mut camera)) =
        tree.extras[at].camera.as_ref().and_then(|json| extras::item::<Camera>(json.get()))
    {
        camera.node = match tree.places[at] {
            Place::Part(host) => host,
            _ => tree.host(at as u32),
        };
        if !is_same(&looking(camera.position, camera.target, 0.0), &local) {
            let distance = camera.position.distance(camera.target);
            camera.position = local.translation;
            camera.target = local.translation + forward * distance;
        }
        objects.restored_cameras[at] = true;
        objects.cameras.0.push((Some(id), camera));
        return Ok(());
    }
    let perspective = found.perspective.unwrap_or_default();
    let unit = tree.frames[at].unit;
    let name = if json.name.is_empty() { found.name.to_string() } else { json.name.to_string() };
    let is_node = matches!(tree.places[at], Place::Node(_));
    let (position, target) = match is_node {
        true => (Vec3::ZERO, Vec3::NEG_Z),
        false => (local.translation, local.translation + forward),
    };
    let camera = Camera {
        name,
        node: tree.node(at as u32),
        position,
        target,
        field_of_view: if perspective.yfov > 0.0 { perspective.yfov } else { std::f32::consts::FRAC_PI_4 },
        near: perspective.znear * unit,
        far: perspective.zfar.unwrap_or(1e5) * unit,
    };
    objects.cameras.0.push((None, camera));
    Ok(())
}
