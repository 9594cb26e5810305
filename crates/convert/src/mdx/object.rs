//! Objects of nodes other than particles: lights, attachments, events, shapes; and cameras, which have no node.

use glam::{Quat, Vec3};
use mdx::records::LightType;
use mdx::tags;
use mdx::view::{NodeKind, Object, Shape as Form, text};
use scene::{
    Attachment, AttachmentKind, Camera, CameraId, CameraProperty, CollisionMask, CollisionShape, Event,
    EventId, Falloff, GlobalSequenceId, Light, LightId, LightKind, LightProperty, Node, NodeId, NodeProperty,
    Shadow, Shape, Target, Transform,
};

use super::node::path;
use super::{Converter, NoteKind, space};

impl<'d> Converter<'d> {
    /// The objects of each node.
    pub(super) fn objects(&mut self) {
        for index in 0..self.objects.len() {
            let object = self.objects[index];
            let node = NodeId::from(index);
            let carried = match object.kind {
                NodeKind::Bone | NodeKind::Helper => {
                    for track in mdx::view::tracks(object.object) {
                        self.unplaced(&track, path(&object));
                    }
                    continue;
                }
                NodeKind::Light => self.light(&object, node),
                NodeKind::Attachment => self.attachment(&object, node),
                NodeKind::ParticleEmitter => self.model_emitter(&object, node),
                NodeKind::ParticleEmitter2 => self.sprite_emitter(&object, node),
                NodeKind::PopcornEmitter => self.effect_emitter(&object, node),
                NodeKind::RibbonEmitter => self.ribbon(&object, node),
                NodeKind::EventObject => self.event(&object, node),
                NodeKind::CollisionShape | NodeKind::HitTestShape => self.shape(&object, node),
            };
            if carried.is_none() {
                self.note(NoteKind::Damaged, path(&object), "truncated object; only its node was converted");
            }
        }
        for clip in &mut self.scene.clips {
            clip.events.sort_by(|a, b| a.time.total_cmp(&b.time));
        }
    }

    fn light(&mut self, object: &Object<'d>, mut node: NodeId) -> Option<()> {
        let parts = object.light()?;
        let path = path(object);
        // A few files have 512 and 513: the low byte is the kind (docs/formats/mdx/nodes.md#lights).
        let kind = match LightType::new(parts.kind.kind.get() & 0xFF) {
            LightType::OMNIDIRECTIONAL => LightKind::Point,
            LightType::DIRECTIONAL => LightKind::Directional,
            LightType::AMBIENT => LightKind::Ambient,
            other => {
                let message = format!("unknown light type {}; point light assumed", other.get());
                self.note(NoteKind::Damaged, &path, message);
                LightKind::Point
            }
        };
        if kind == LightKind::Directional {
            self.note(
                NoteKind::Assumed,
                &path,
                "the light is assumed to shine along its node's -Z axis in the game's axes",
            );
            // In the scene it is along -Z that a light shines.
            let rotation = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
            let rest = Transform { rotation, ..Transform::IDENTITY };
            let name = format!("{} direction", object.name());
            self.scene.nodes.push(Node { name, parent: Some(node), rest, ..Node::default() });
            node = NodeId::from(self.scene.nodes.len() - 1);
        }
        let (color, ambient) = (parts.color, parts.ambient);
        let start = self.number(&path, "start of attenuation", color.attenuation_start.get(), 0.0);
        let end = self.number(&path, "end of attenuation", color.attenuation_end.get(), 0.0);
        let light = Light {
            color: Vec3::from(color.color.get()),
            intensity: self.number(&path, "intensity", color.intensity.get(), 0.0),
            ambient_color: Vec3::from(ambient.color.get()),
            ambient_intensity: self.number(&path, "ambient intensity", ambient.intensity.get(), 0.0),
            attenuation: Some([start, end]),
            shadow: Shadow {
                casts: parts.shadow_casting.shadow_casting.get() != 0,
                intensity: parts.shadow_intensity.shadow_intensity.get(),
                start: parts.shadow_range.start.get(),
                end: parts.shadow_range.end.get(),
            },
            falloff: Falloff {
                quadratic: parts.falloff.quadratic.get(),
                linear: parts.falloff.linear.get(),
                damping: parts.falloff.damping.get(),
            },
            ..Light::new(node, kind)
        };
        let id = LightId::from(self.scene.lights.len());
        self.scene.lights.push(light);
        for track in mdx::view::tracks(object.object) {
            let target = |property| Target::Light(id, property);
            match track.row.tag {
                tags::KLAS => self.scalar(&track, target(LightProperty::AttenuationStart), 1.0),
                tags::KLAE => self.scalar(&track, target(LightProperty::AttenuationEnd), 1.0),
                tags::KLAC => self.color(&track, target(LightProperty::Color)),
                tags::KLAI => self.scalar(&track, target(LightProperty::Intensity), 1.0),
                tags::KLBC => self.color(&track, target(LightProperty::AmbientColor)),
                tags::KLBI => self.scalar(&track, target(LightProperty::AmbientIntensity), 1.0),
                tags::KLAV | tags::KVIS => self.flag(&track, target(LightProperty::Visibility)),
                tags::KLSS => self.scalar(&track, target(LightProperty::ShadowStart), 1.0),
                tags::KLSE => self.scalar(&track, target(LightProperty::ShadowEnd), 1.0),
                tags::KLQF => self.scalar(&track, target(LightProperty::QuadraticFalloff), 1.0),
                tags::KLLF => self.scalar(&track, target(LightProperty::LinearFalloff), 1.0),
                tags::KLDA => self.scalar(&track, target(LightProperty::Damping), 1.0),
                _ => self.unplaced(&track, &path),
            }
        }
        Some(())
    }

    fn attachment(&mut self, object: &Object<'d>, node: NodeId) -> Option<()> {
        let attachment = object.attachment()?;
        self.scene.attachments.push(Attachment {
            path: text(attachment.path).into_owned(),
            number: Some(attachment.id),
            ..Attachment::new(node, AttachmentKind::Point)
        });
        for track in mdx::view::tracks(object.object) {
            match track.row.tag {
                tags::KATV | tags::KVIS => self.flag(&track, Target::Node(node, NodeProperty::Visibility)),
                _ => self.unplaced(&track, path(object)),
            }
        }
        Some(())
    }

    fn event(&mut self, object: &Object<'d>, node: NodeId) -> Option<()> {
        let event = EventId::from(self.scene.events.len());
        let mut global = None;
        // In the WoW alpha the track may be missing (docs/formats/mdx/cameras-events.md#event-objects).
        for track in mdx::view::tracks(object.object) {
            if track.row.tag != tags::KEVT {
                self.unplaced(&track, path(object));
                continue;
            }
            let times: &[record::I32] = track.node.values();
            let Some(index) = track.global_sequence() else {
                self.event_times(times, event);
                continue;
            };
            if index < self.scene.global_sequences.len() {
                let seconds = times.iter().map(|time| space::seconds(time.get().into()));
                global = Some((GlobalSequenceId::from(index), seconds.collect()));
            } else if self.animations {
                let message = format!("global sequence {index} does not exist");
                self.note(NoteKind::Damaged, path(object), message);
            }
        }
        self.scene.events.push(Event { node, name: object.name().into_owned(), global });
        Some(())
    }

    fn shape(&mut self, object: &Object<'d>, node: NodeId) -> Option<()> {
        let shape = match object.shape()? {
            Form::Box(minimum, maximum) => {
                let (min, max) = space::corners(minimum, maximum);
                Shape::Box { min, max, axis_aligned: false }
            }
            Form::Sphere(center, radius) => Shape::Sphere { center: space::vector(center), radius },
            Form::Cylinder(start, end, radius) => {
                Shape::Cylinder { start: space::vector(start), end: space::vector(end), radius }
            }
            Form::Plane(length, width) => {
                // Around the pivot, level; which of the two is along x is not known.
                let half = Vec3::new(length, 0.0, width) / 2.0;
                Shape::Plane { min: -half, max: half }
            }
        };
        for track in mdx::view::tracks(object.object) {
            self.unplaced(&track, path(object));
        }
        let name = object.name().into_owned();
        // It is for clicking on; nothing collides with it.
        self.scene.collision_shapes.push(CollisionShape { name, node, shape, mask: CollisionMask::NONE });
        Some(())
    }

    pub(super) fn cameras(&mut self) {
        for (index, camera) in self.model.cameras().enumerate() {
            let id = CameraId::from(index);
            let name = text(&camera.header.name);
            let path = format_args!("Camera {name:?}");
            let target = camera.target.map(|target| space::vector(target.position.get()));
            if target.is_none() {
                self.note(NoteKind::Damaged, path, "missing target; the origin is used");
            }
            if camera.depth_of_field.is_some() {
                self.note(NoteKind::Skipped, path, "depth of field is not supported");
            }
            let finite = |place: Vec3| if place.is_finite() { place } else { Vec3::ZERO };
            let camera_of_scene = Camera {
                name: name.clone().into_owned(),
                node: None,
                position: finite(space::vector(camera.header.position.get())),
                target: finite(target.unwrap_or_default()),
                field_of_view: self.number(&path, "field of view", camera.header.field_of_view.get(), 0.785),
                near: self.number(&path, "near plane", camera.header.near_clip.get(), 1.0),
                far: self.number(&path, "far plane", camera.header.far_clip.get(), 10_000.0),
            };
            self.scene.cameras.push(camera_of_scene);
            for track in mdx::view::tracks(camera.node) {
                let target = |property| Target::Camera(id, property);
                match track.row.tag {
                    tags::KCTR => self.translation(&track, target(CameraProperty::Translation), Vec3::ZERO),
                    tags::KTTR => {
                        self.translation(&track, target(CameraProperty::TargetTranslation), Vec3::ZERO);
                    }
                    tags::KCRL => self.scalar(&track, target(CameraProperty::Roll), 1.0),
                    tags::KCVS | tags::KVIS => self.flag(&track, target(CameraProperty::Visibility)),
                    tags::IDUF => self.scalar(&track, target(CameraProperty::FocusDistance), 1.0),
                    tags::ELAF => self.scalar(&track, target(CameraProperty::FocalLength), 1.0),
                    tags::PTSF => self.scalar(&track, target(CameraProperty::FStop), 1.0),
                    _ => self.unplaced(&track, path),
                }
            }
        }
    }

    /// The WoW alpha's collision mesh: it does not move in model space, and has a node of its own.
    pub(super) fn collision_mesh(&mut self) {
        let Some(mesh) = self.model.collision_mesh() else { return };
        let positions: Vec<Vec3> = mesh.positions.iter().map(|place| space::vector(place.get())).collect();
        let known = |triangle: &&[record::U16]| {
            triangle.iter().all(|index| usize::from(index.get()) < positions.len())
        };
        let indices: Vec<u32> =
            mesh.faces.chunks_exact(3).filter(known).flatten().map(|index| index.get().into()).collect();
        if indices.len() != mesh.faces.len() {
            self.note(NoteKind::Damaged, "CLID", "triangles with out-of-range indices were dropped");
        }
        let name = "Collision".to_owned();
        let node = NodeId::from(self.scene.nodes.len());
        self.scene.nodes.push(Node { name: name.clone(), ..Node::default() });
        let shape = Shape::Mesh { positions, indices };
        self.scene.collision_shapes.push(CollisionShape { name, node, shape, mask: CollisionMask::PHYSICAL });
    }
}
