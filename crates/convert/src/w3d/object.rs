//! Simple objects: boxes, null objects, dazzles, sounds, lights.

use glam::{Quat, Vec3};
use record::{F32, I32, Node, decode};
use scene::{
    Attachment, AttachmentKind, CollisionMask, CollisionShape, Dazzle, Light, LightKind, NodeId, Pulse,
    Shape, Sound, Transform,
};
use w3d::names::{BoxFlags, LightFlags, SoundFlags};
use w3d::records::{
    self, CollisionBox, LightAttenuation, LightInfo, LightTransform, Rgb, SoundHeader, SpotLight5,
    SpotLightInfo,
};
use w3d::table::{self, sound};

use super::library::name_of;
use super::{Converter, NoteKind, Place, child_text, child_value, model, space};
use crate::object_kind::ObjectKind;

/// The objects whose chunks are noted down.
const TRACED: [ObjectKind; 4] =
    [ObjectKind::CollisionShape, ObjectKind::Emitter, ObjectKind::Primitive, ObjectKind::Dazzle];

/// A colour, 0 to 1.
pub(super) fn color(color: Rgb) -> Vec3 {
    Vec3::new(color.r.into(), color.g.into(), color.b.into()) / 255.0
}

/// Collision flags: the same bits in meshes and boxes, in the scene's order.
pub(super) fn collision(flags: u32) -> CollisionMask {
    CollisionMask(flags >> 4 & 0x7F)
}

impl<'n> Converter<'_, 'n> {
    /// Any object that is not made of others.
    pub(super) fn object(&mut self, object: &'n Node<'n>, place: Place) {
        let before = TRACED.map(|kind| kind.count(&self.scene));
        self.add_object(object, place);
        for (kind, before) in TRACED.into_iter().zip(before) {
            if kind.count(&self.scene) > before {
                self.tracer.objects.push((kind, before, object));
            }
        }
    }

    fn add_object(&mut self, object: &'n Node<'n>, place: Place) {
        if object.is(&table::MESH) {
            self.mesh(object, place);
        } else if object.is(&table::SHDMESH) {
            self.shader_mesh(object, place);
        } else if object.is(&table::BOX) {
            self.collision_box(object, place);
        } else if object.is(&table::NULL_OBJECT) {
            let name = decode(&name_of(object)).into_owned();
            let node = self.add_node(name.clone(), Some(place.node), Transform::IDENTITY);
            self.scene
                .attachments
                .push(Attachment { path: name, ..Attachment::new(node, AttachmentKind::Null) });
        } else if object.is(&table::DAZZLE) {
            let name = child_text(object, &table::DAZZLE_NAME);
            let kind = child_text(object, &table::DAZZLE_TYPENAME);
            self.scene.dazzles.push(Dazzle { node: place.node, name, kind });
        } else if object.is(&table::EMITTER) {
            self.emitter(object, place);
        } else if object.is(&table::SPHERE) {
            self.sphere(object, place);
        } else if object.is(&table::RING) {
            self.ring(object, place);
        } else if object.is(&table::SOUNDROBJ) {
            self.sound(object, place);
        }
    }

    fn collision_box(&mut self, node: &Node<'_>, place: Place) {
        let Some(record) = node.value::<CollisionBox>() else {
            self.note(NoteKind::Damaged, node, "truncated chunk");
            return;
        };
        let (center, extent) = (space::vector(record.center), space::extent(record.extent).abs());
        self.scene.collision_shapes.push(CollisionShape {
            name: record.name.to_string(),
            node: place.node,
            shape: Shape::Box {
                min: center - extent,
                max: center + extent,
                axis_aligned: record.attributes.has(BoxFlags::ALIGNED),
            },
            mask: collision(record.attributes.get()),
        });
    }

    fn sound(&mut self, node: &'n Node<'n>, place: Place) {
        let header = child_value::<SoundHeader>(node, &table::SOUNDROBJ_HEADER);
        let definition = node.child(&table::SOUNDROBJ_DEFINITION);
        let Some(variables) = definition.and_then(|definition| definition.child(&sound::VARIABLES)) else {
            self.note(NoteKind::Damaged, node, "missing SOUNDROBJ_DEFINITION chunk");
            return;
        };
        use sound::variables as of;
        let float =
            |chunk, default: f32| child_value::<F32>(variables, chunk).map_or(default, |value| value.get());
        let plain = Sound::new(place.node, child_text(variables, &of::FILENAME));
        let sound = Sound {
            name: header.map(|header| header.name.to_string()).unwrap_or_default(),
            volume: float(&of::VOLUME, plain.volume),
            volume_random: float(&of::VOLUME_RANDOMIZER, plain.volume_random),
            pitch: float(&of::PITCH_FACTOR, plain.pitch),
            pitch_random: float(&of::PITCH_FACTOR_RANDOMIZER, plain.pitch_random),
            pan: float(&of::PAN, plain.pan),
            loops: child_value::<I32>(variables, &of::LOOP_COUNT).map_or(plain.loops, |value| value.get()),
            priority: float(&of::PRIORITY, plain.priority),
            spatial: child_value::<u8>(variables, &of::IS_3D).map_or(plain.spatial, |value| *value != 0),
            full_volume_distance: float(&of::MAX_VOL_RADIUS, plain.full_volume_distance),
            drop_off_distance: float(&of::DROP_OFF_RADIUS, plain.drop_off_distance),
            start_offset: float(&of::START_OFFSET, plain.start_offset),
            stops_when_hidden: header.is_some_and(|header| header.flags.has(SoundFlags::STOP_WHEN_HIDDEN)),
            ..plain
        };
        self.scene.sounds.push(sound);
    }

    /// A light, on a node of its own that points it.
    pub(super) fn light(&mut self, node: &'n Node<'n>, parent: Option<NodeId>, name: String) {
        let Some(info) = child_value::<LightInfo>(node, &table::LIGHT_INFO) else {
            self.note(NoteKind::Damaged, node, "missing LIGHT_INFO chunk");
            return;
        };
        let spot = child_value::<SpotLightInfo>(node, &table::SPOT_LIGHT_INFO);
        let cones = child_value::<SpotLight5>(node, &table::SPOT_LIGHT_INFO_5_0);
        let kind = if info.attributes.has(LightFlags::SPOT) {
            let angle = spot.map_or(std::f32::consts::FRAC_PI_4, |spot| spot.spot_angle.get());
            LightKind::Spot {
                inner: cones.map_or(0.0, |cones| cones.spot_inner_angle.get()),
                outer: cones.map_or(angle, |cones| cones.spot_outer_angle.get()),
                exponent: spot.map_or(1.0, |spot| spot.spot_exponent.get()),
            }
        } else if info.attributes.has(LightFlags::DIRECTIONAL) {
            LightKind::Directional
        } else {
            LightKind::Point
        };
        // The engine's lights shine along their +Z unless they say otherwise; the scene's along -Z.
        let direction = spot.map(|spot| space::vector(spot.spot_direction)).and_then(Vec3::try_normalize);
        let rotation = match kind {
            LightKind::Point | LightKind::Ambient => Quat::IDENTITY,
            _ => Quat::from_rotation_arc(Vec3::NEG_Z, direction.unwrap_or(Vec3::Y)),
        };
        let name = if name.is_empty() { "Light".to_owned() } else { name };
        let holder = self.add_node(name, parent, Transform { rotation, ..Transform::IDENTITY });
        let range = |chunk| {
            child_value::<LightAttenuation>(node, chunk).map(|range| [range.start.get(), range.end.get()])
        };
        let mut light = Light::new(holder, kind);
        light.color = color(info.diffuse);
        light.intensity = info.intensity.get();
        light.ambient_color = color(info.ambient);
        light.ambient_intensity = info.intensity.get();
        light.specular_color = color(info.specular);
        light.near_attenuation = range(&table::NEAR_ATTENUATION);
        light.attenuation = range(&table::FAR_ATTENUATION);
        light.shadow.casts = info.attributes.has(LightFlags::CAST_SHADOWS);
        light.pulse = child_value::<records::Pulse>(node, &table::PULSE).map(|pulse| Pulse {
            min: pulse.min_intensity.get(),
            max: pulse.max_intensity.get(),
            time: pulse.intensity_time.get(),
            time_random: pulse.intensity_time_random.get(),
            adjust: pulse.intensity_adjust.get(),
            stops_at_max: pulse.intensity_stops_at_max != 0,
            stops_at_min: pulse.intensity_stops_at_min != 0,
        });
        self.scene.lights.push(light);
    }

    /// The lights of a Lightscape solution, each with its place.
    pub(super) fn lightscape(&mut self, node: &'n Node<'n>) {
        for (index, entry) in node.all(&table::LIGHTSCAPE_LIGHT).enumerate() {
            let rows = child_value::<LightTransform>(entry, &table::LIGHT_TRANSFORM);
            let rest = rows.map_or(Transform::IDENTITY, |record| {
                let rows = record.transform.map(|row| row.map(F32::get));
                let column = |index: usize| Vec3::new(rows[0][index], rows[1][index], rows[2][index]);
                model::transform(space::matrix([column(0), column(1), column(2)], column(3)))
            });
            let place = self.add_node(format!("Lightscape {index}"), None, rest);
            for light in entry.all(&table::LIGHT) {
                self.light(light, Some(place), String::new());
            }
        }
    }
}
