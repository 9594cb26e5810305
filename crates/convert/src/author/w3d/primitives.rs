//! Spheres, rings and sounds.

use glam::{Vec2, Vec3};
use record::{F32, I32, Node, Quaternion, build};
use scene::{LifeKeys, PrimitiveForm};
use w3d::names::{RingFlags, SoundFlags, SphereFlags, Texturing, Version};
use w3d::records::{
    AlphaVector, AlphaVectorKey, FloatKey, RingDef, SoundHeader, SphereDef, Vec2Key, Vec3Key,
};
use w3d::table::{self, channel, ring, sound, sphere};

use super::{Author, chars, shaders, space};
use crate::author::names;

/// Whether keys say more than one value for ever.
fn has_keys<T>(keys: &[(f32, T)]) -> bool {
    keys.len() > 1 || keys.first().is_some_and(|key| key.0 != 0.0)
}

/// The bits that are on.
fn flags<const N: usize>(bits: [(bool, u32); N]) -> u32 {
    bits.into_iter().filter(|(on, _)| *on).fold(0, |flags, (_, bit)| flags | bit)
}

fn first<T: Copy + Default>(life: &LifeKeys<T>) -> T {
    life.keys.first().map(|key| key.1).unwrap_or_default()
}

fn color(color: Vec3) -> record::Vec3 {
    record::Vec3::from(color.to_array())
}

fn pair(pair: Vec2) -> record::Vec2 {
    record::Vec2::new(pair.x, pair.y)
}

fn floats(life: &LifeKeys<f32>) -> Vec<Node<'static>> {
    let key = |key: &(f32, f32)| {
        let record = FloatKey { value: F32::new(key.1), time: F32::new(key.0) };
        build(channel::float::keys::KEY, &record)
    };
    vec![build(channel::float::VARIABLES, life.keys.iter().map(key).collect())]
}

fn pairs(life: &LifeKeys<Vec2>) -> Vec<Node<'static>> {
    let key = |key: &(f32, Vec2)| {
        build(channel::vec2::keys::KEY, &Vec2Key { value: pair(key.1), time: F32::new(key.0) })
    };
    vec![build(channel::vec2::VARIABLES, life.keys.iter().map(key).collect())]
}

fn vectors(life: &LifeKeys<Vec3>, stored: fn(Vec3) -> record::Vec3) -> Vec<Node<'static>> {
    let key = |key: &(f32, Vec3)| {
        build(channel::vec3::keys::KEY, &Vec3Key { value: stored(key.1), time: F32::new(key.0) })
    };
    vec![build(channel::vec3::VARIABLES, life.keys.iter().map(key).collect())]
}

impl Author<'_> {
    pub(super) fn write_primitives(&mut self) {
        let scene = self.scene;
        for primitive in &scene.primitives {
            let place = self.place_of(primitive.node);
            let name = self.object_name(&primitive.name, place, "SHAPE");
            let texture = primitive.texture.map(|id| self.texture_name(id)).unwrap_or_default();
            let texture = names::fit(&texture, 31);
            let (mut shader, lost) = shaders::shader(&primitive.layer, &self.limits);
            for what in lost {
                self.lost(&primitive.name, format!("cannot express {what}"));
            }
            if primitive.texture.is_some() {
                shader.texturing = Texturing::ENABLE;
            }
            let chunk = match &primitive.form {
                PrimitiveForm::Sphere { scale, vector } => {
                    let flags = flags([
                        (!vector.is_empty(), SphereFlags::ALPHA_VECTOR.get()),
                        (primitive.aligned, SphereFlags::CAMERA_ALIGNED.get()),
                        (primitive.looping, SphereFlags::LOOPING.get()),
                    ]);
                    let direction = |key: &(f32, glam::Quat, f32)| {
                        let [x, y, z, w] = space::turn(key.1);
                        AlphaVector { angle: Quaternion::new(x, y, z, w), intensity: F32::new(key.2) }
                    };
                    let def = SphereDef {
                        version: Version::new(1, 0),
                        attributes: SphereFlags::new(flags),
                        name: chars(&name),
                        center: space::vector(primitive.center),
                        extent: space::extent(primitive.extent),
                        anim_duration: F32::new(primitive.duration),
                        default_color: color(first(&primitive.color)),
                        default_alpha: F32::new(first(&primitive.alpha)),
                        default_scale: space::extent(first(scale)),
                        default_vector: vector.first().map(direction).unwrap_or_default(),
                        texture_name: chars(&texture),
                        shader,
                    };
                    let mut chunks = vec![build(sphere::SPHERE_DEF, &def)];
                    if has_keys(&primitive.color.keys) {
                        chunks.push(build(sphere::COLOR_CHANNEL, vectors(&primitive.color, color)));
                    }
                    if has_keys(&primitive.alpha.keys) {
                        chunks.push(build(sphere::ALPHA_CHANNEL, floats(&primitive.alpha)));
                    }
                    if has_keys(&scale.keys) {
                        chunks.push(build(sphere::SCALE_CHANNEL, vectors(scale, space::extent)));
                    }
                    if vector.len() > 1 {
                        let key = |key: &(f32, glam::Quat, f32)| {
                            let record = AlphaVectorKey { value: direction(key), time: F32::new(key.0) };
                            build(channel::alpha_vector::keys::KEY, &record)
                        };
                        let keys = build(channel::alpha_vector::VARIABLES, vector.iter().map(key).collect());
                        chunks.push(build(sphere::VECTOR_CHANNEL, vec![keys]));
                    }
                    build(table::SPHERE, chunks)
                }
                PrimitiveForm::Ring { inner_scale, outer_scale, inner_extent, outer_extent, tiles } => {
                    let flags = flags([
                        (primitive.aligned, RingFlags::CAMERA_ALIGNED.get()),
                        (primitive.looping, RingFlags::LOOPING.get()),
                    ]);
                    let def = RingDef {
                        version: Version::new(1, 0),
                        attributes: RingFlags::new(flags),
                        name: chars(&name),
                        center: space::vector(primitive.center),
                        extent: space::extent(primitive.extent),
                        anim_duration: F32::new(primitive.duration),
                        default_color: color(first(&primitive.color)),
                        default_alpha: F32::new(first(&primitive.alpha)),
                        default_inner_scale: pair(first(inner_scale)),
                        default_outer_scale: pair(first(outer_scale)),
                        inner_extent: pair(*inner_extent),
                        outer_extent: pair(*outer_extent),
                        texture_name: chars(&texture),
                        shader,
                        texture_tile_count: I32::new(*tiles),
                    };
                    let mut chunks = vec![build(ring::RING_DEF, &def)];
                    if has_keys(&primitive.color.keys) {
                        chunks.push(build(ring::COLOR_CHANNEL, vectors(&primitive.color, color)));
                    }
                    if has_keys(&primitive.alpha.keys) {
                        chunks.push(build(ring::ALPHA_CHANNEL, floats(&primitive.alpha)));
                    }
                    if has_keys(&inner_scale.keys) {
                        chunks.push(build(ring::INNER_SCALE_CHANNEL, pairs(inner_scale)));
                    }
                    if has_keys(&outer_scale.keys) {
                        chunks.push(build(ring::OUTER_SCALE_CHANNEL, pairs(outer_scale)));
                    }
                    build(table::RING, chunks)
                }
            };
            self.put_object(place, name, chunk);
        }
    }

    pub(super) fn write_sounds(&mut self) {
        use sound::variables as of;
        let scene = self.scene;
        for sound in &scene.sounds {
            let place = self.place_of(sound.node);
            let name = self.object_name(&sound.name, place, "EMITTER");
            let flags =
                if sound.stops_when_hidden { SoundFlags::STOP_WHEN_HIDDEN } else { SoundFlags::default() };
            let header = SoundHeader {
                version: Version::new(1, 0),
                name: chars(&name),
                flags,
                ..SoundHeader::default()
            };
            let path = names::fit(&sound.path, 254);
            let variables = vec![
                build(of::PRIORITY, &F32::new(sound.priority)),
                build(of::VOLUME, &F32::new(sound.volume)),
                build(of::PAN, &F32::new(sound.pan)),
                build(of::LOOP_COUNT, &I32::new(sound.loops)),
                build(of::DROP_OFF_RADIUS, &F32::new(sound.drop_off_distance)),
                build(of::MAX_VOL_RADIUS, &F32::new(sound.full_volume_distance)),
                build(of::IS_3D, &u8::from(sound.spatial)),
                build(of::FILENAME, path.as_str()),
                build(of::START_OFFSET, &F32::new(sound.start_offset)),
                build(of::PITCH_FACTOR, &F32::new(sound.pitch)),
                build(of::PITCH_FACTOR_RANDOMIZER, &F32::new(sound.pitch_random)),
                build(of::VOLUME_RANDOMIZER, &F32::new(sound.volume_random)),
            ];
            let definition = vec![build(table::sound::VARIABLES, variables)];
            let chunks =
                vec![build(table::SOUNDROBJ_HEADER, &header), build(table::SOUNDROBJ_DEFINITION, definition)];
            self.put_object(place, name, build(table::SOUNDROBJ, chunks));
        }
    }
}
