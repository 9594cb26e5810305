//! Sphere and ring effects (docs/formats/w3d/objects.md#spheres-and-rings).

use glam::{Quat, Vec2, Vec3};
use record::{Node, Pod};
use scene::{LifeKeys, Primitive, PrimitiveForm};
use w3d::names::{RingFlags, SphereFlags};
use w3d::records::{AlphaVectorKey, FloatKey, RingDef, SphereDef, Vec2Key, Vec3Key};
use w3d::table::{ring, sphere};

use super::{Converter, NoteKind, Place, child_value, shader, space};

/// The keys of a channel: one micro-chunk each.
fn records<'n, T: Pod>(node: &'n Node<'n>, channel: &'static w3d::Chunk) -> impl Iterator<Item = &'n T> {
    let parts = node.child(channel).into_iter().flat_map(|channel| channel.children());
    parts.flat_map(|part| part.children()).filter_map(Node::value)
}

/// The keys of a channel, or the default for ever.
fn keys<T: Default>(keys: impl Iterator<Item = (f32, T)>, default: T) -> LifeKeys<T> {
    let mut keys: Vec<(f32, T)> = keys.collect();
    if keys.is_empty() {
        keys.push((0.0, default));
    }
    LifeKeys { keys, random: T::default() }
}

fn pair(pair: record::Vec2) -> Vec2 {
    Vec2::from(pair.get())
}

/// A colour: its components are no axes.
fn color(color: record::Vec3) -> Vec3 {
    Vec3::from(color.get())
}

fn floats<'n>(node: &'n Node<'n>, channel: &'static w3d::Chunk, default: f32) -> LifeKeys<f32> {
    keys(records::<FloatKey>(node, channel).map(|key| (key.time.get(), key.value.get())), default)
}

fn pairs<'n>(node: &'n Node<'n>, channel: &'static w3d::Chunk, default: record::Vec2) -> LifeKeys<Vec2> {
    keys(records::<Vec2Key>(node, channel).map(|key| (key.time.get(), pair(key.value))), pair(default))
}

fn vectors<'n>(
    node: &'n Node<'n>,
    channel: &'static w3d::Chunk,
    default: record::Vec3,
    convert: fn(record::Vec3) -> Vec3,
) -> LifeKeys<Vec3> {
    keys(records::<Vec3Key>(node, channel).map(|key| (key.time.get(), convert(key.value))), convert(default))
}

/// The common part of spheres and rings: fields of the same names in both definitions, and two channels.
macro_rules! primitive {
    ($converter:ident, $node:ident, $place:ident, $def:ident, $flags:ty, $channels:ident, $form:expr) => {
        Primitive {
            name: $def.name.to_string(),
            node: $place.node,
            center: space::vector($def.center),
            extent: space::extent($def.extent),
            duration: $def.anim_duration.get(),
            looping: $def.attributes.has(<$flags>::LOOPING),
            aligned: $def.attributes.has(<$flags>::CAMERA_ALIGNED),
            texture: $converter.texture_named($def.texture_name.text()),
            layer: shader::layer(&$def.shader, $converter.options.engine),
            color: vectors($node, &$channels::COLOR_CHANNEL, $def.default_color, color),
            alpha: floats($node, &$channels::ALPHA_CHANNEL, $def.default_alpha.get()),
            form: $form,
        }
    };
}

impl<'n> Converter<'_, 'n> {
    pub(super) fn sphere(&mut self, node: &'n Node<'n>, place: Place) {
        let Some(def) = child_value::<SphereDef>(node, &sphere::SPHERE_DEF) else {
            self.note(NoteKind::Damaged, node, "missing definition chunk");
            return;
        };
        let direction = |angle: record::Quaternion| space::rotation(angle.get()).unwrap_or(Quat::IDENTITY);
        let vector = if def.attributes.has(SphereFlags::ALPHA_VECTOR) {
            let keys = records::<AlphaVectorKey>(node, &sphere::VECTOR_CHANNEL);
            let mut vector: Vec<(f32, Quat, f32)> = keys
                .map(|key| (key.time.get(), direction(key.value.angle), key.value.intensity.get()))
                .collect();
            if vector.is_empty() {
                vector.push((0.0, direction(def.default_vector.angle), def.default_vector.intensity.get()));
            }
            vector
        } else {
            Vec::new()
        };
        if def.attributes.has(SphereFlags::INVERT_EFFECT) {
            self.note(NoteKind::Skipped, node, "the inverted alpha vector is not supported");
        }
        let form = PrimitiveForm::Sphere {
            scale: vectors(node, &sphere::SCALE_CHANNEL, def.default_scale, space::extent),
            vector,
        };
        let primitive = primitive!(self, node, place, def, SphereFlags, sphere, form);
        self.scene.primitives.push(primitive);
    }

    pub(super) fn ring(&mut self, node: &'n Node<'n>, place: Place) {
        let Some(def) = child_value::<RingDef>(node, &ring::RING_DEF) else {
            self.note(NoteKind::Damaged, node, "missing definition chunk");
            return;
        };
        let form = PrimitiveForm::Ring {
            inner_scale: pairs(node, &ring::INNER_SCALE_CHANNEL, def.default_inner_scale),
            outer_scale: pairs(node, &ring::OUTER_SCALE_CHANNEL, def.default_outer_scale),
            inner_extent: pair(def.inner_extent),
            outer_extent: pair(def.outer_extent),
            tiles: def.texture_tile_count.get(),
        };
        let primitive = primitive!(self, node, place, def, RingFlags, ring, form);
        self.scene.primitives.push(primitive);
    }
}
