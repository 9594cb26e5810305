//! Lights, attachments, events, collision shapes and cameras.

use glam::Vec3;
use mdx::build::{LightParts, branch, event_track, part};
use mdx::records::{
    AttachmentHeader, CameraHeader, CameraTarget, CollisionKind, CollisionType, LightAmbient, LightColor,
    LightFalloff, LightKind, LightShadowCasting, LightShadowIntensity, LightShadowRange, LightType,
    NodeFlags, ShapeBox, ShapeCylinder, ShapeSphere,
};
use mdx::{Gate, kinds, tags};
use record::{F32, I32, Kind, Node, U32};
use scene::{
    AttachmentKind, CameraId, CameraProperty, EventId, LightId, LightKind as Shines, LightProperty, Shape,
    Target,
};

use super::geosets::Geosets;
use super::materials::Materials;
use super::nodes::{Layout, Role};
use super::tracks::Unsaid;
use super::{Author, chars, object, signed, space};

/// A light that fades nowhere has this reach, the most that the game's own tools give.
const DEFAULT_REACH: [f32; 2] = [80.0, 200.0];

impl Author<'_> {
    /// The objects that are nodes, chunk by chunk.
    pub(super) fn objects(
        &mut self,
        layout: &Layout,
        geosets: &Geosets,
        materials: &Materials,
    ) -> Vec<(&'static Kind, Vec<Node<'static>>)> {
        let [bones, helpers] = self.skeleton(layout, geosets);
        let mut lights = Vec::new();
        let mut attachments = Vec::new();
        let mut emitters: [Vec<Node<'static>>; 3] = Default::default();
        let (mut ribbons, mut events, mut shapes) = (Vec::new(), Vec::new(), Vec::new());
        for id in 0..layout.entries.len() {
            match layout.entries[id].role {
                Role::Bone | Role::Helper => {}
                Role::Light(index) => lights.push(self.light(layout, id, index)),
                Role::Attachment(index) => {
                    let number = attachments.len();
                    attachments.push(self.attachment(layout, id, index, number));
                }
                Role::ModelEmitter(index) => emitters[0].push(self.model_emitter(layout, id, index)),
                Role::SpriteEmitter(index) => emitters[1].push(self.sprite_emitter(layout, id, index)),
                Role::EffectEmitter(index) => emitters[2].push(self.effect_emitter(layout, id, index)),
                Role::Ribbon(index) => ribbons.push(self.ribbon(layout, id, index, materials)),
                Role::Event(index) => events.push(self.event(layout, id, index)),
                Role::Shape(index) => shapes.push(self.shape(layout, id, index)),
            }
        }
        let [models, sprites, effects] = emitters;
        vec![
            (&kinds::BONE, bones),
            (&kinds::LITE, lights),
            (&kinds::HELP, helpers),
            (&kinds::ATCH, attachments),
            (&kinds::PREM, models),
            (&kinds::PRE2, sprites),
            (&kinds::CORN, effects),
            (&kinds::RIBB, ribbons),
            (&kinds::EVTS, events),
            (&kinds::CLID, shapes),
        ]
    }

    fn light(&mut self, layout: &Layout, id: usize, index: usize) -> Node<'static> {
        let light = &self.scene.lights[index];
        let path = layout.entries[id].name.clone();
        let kind = match light.kind {
            Shines::Point => LightType::OMNIDIRECTIONAL,
            Shines::Directional => LightType::DIRECTIONAL,
            Shines::Ambient => LightType::AMBIENT,
            Shines::Spot { .. } => {
                self.lost(&path, "spot lights shine to all sides in MDX");
                LightType::OMNIDIRECTIONAL
            }
        };
        if light.near_attenuation.is_some() || light.pulse.is_some() {
            self.lost(&path, "MDX lights do not flicker and do not fade near them");
        }
        let [start, end] = light.attenuation.unwrap_or(DEFAULT_REACH);
        let parts = LightParts {
            kind: LightKind { kind },
            shadow_casting: LightShadowCasting { shadow_casting: U32::new(u32::from(light.shadow.casts)) },
            color: LightColor {
                attenuation_start: F32::new(start),
                attenuation_end: F32::new(end),
                color: space::plain(light.color),
                intensity: F32::new(light.intensity),
            },
            ambient: LightAmbient {
                color: space::plain(light.ambient_color),
                intensity: F32::new(light.ambient_intensity),
            },
            shadow_intensity: LightShadowIntensity { shadow_intensity: F32::new(light.shadow.intensity) },
            shadow_range: LightShadowRange {
                start: F32::new(light.shadow.start),
                end: F32::new(light.shadow.end),
            },
            falloff: LightFalloff {
                quadratic: F32::new(light.falloff.quadratic),
                linear: F32::new(light.falloff.linear),
                damping: F32::new(light.falloff.damping),
            },
        };
        let target = |property| Target::Light(LightId::from(index), property);
        let numbers = [
            (tags::KLAS, LightProperty::AttenuationStart, start, None),
            (tags::KLAE, LightProperty::AttenuationEnd, end, None),
            (tags::KLAI, LightProperty::Intensity, light.intensity, None),
            (tags::KLBI, LightProperty::AmbientIntensity, light.ambient_intensity, None),
            (tags::KLSS, LightProperty::ShadowStart, light.shadow.start, Some(Gate::LightShadowCasting)),
            (tags::KLSE, LightProperty::ShadowEnd, light.shadow.end, Some(Gate::LightShadowCasting)),
            (tags::KLQF, LightProperty::QuadraticFalloff, light.falloff.quadratic, Some(Gate::LightFalloff)),
            (tags::KLLF, LightProperty::LinearFalloff, light.falloff.linear, Some(Gate::LightFalloff)),
            (tags::KLDA, LightProperty::Damping, light.falloff.damping, Some(Gate::LightFalloff)),
        ];
        let mut tracks = Vec::new();
        for (tag, property, rest, gate) in numbers {
            if gate.is_none_or(|gate| self.builder.gates.has(gate)) {
                tracks.extend(self.scalar(tag, target(property), Unsaid::own(rest)));
            } else if self.channels.moves(target(property)) {
                self.lost(&path, format!("the motion of {property:?} needs a later version"));
            }
        }
        let black = |scene: Vec3| Unsaid { scene, game: Some(Vec3::ZERO), disputed: true };
        tracks.extend(self.color(tags::KLAC, target(LightProperty::Color), black(light.color)));
        tracks.extend(self.color(
            tags::KLBC,
            target(LightProperty::AmbientColor),
            black(light.ambient_color),
        ));
        let own = Some((target(LightProperty::Visibility), light.visible));
        tracks.extend(self.visibility(tags::KLAV, own, self.plain_node(light.node), &path));
        let node = self.node(layout, id, NodeFlags::LIGHT);
        self.builder.light(node, &parts, tracks)
    }

    fn attachment(
        &mut self,
        layout: &Layout,
        id: usize,
        index: Option<usize>,
        number: usize,
    ) -> Node<'static> {
        let attachment = index.map(|index| &self.scene.attachments[index]);
        let path = layout.entries[id].name.clone();
        let file = attachment.map_or("", |attachment| attachment.path.as_str());
        let is_model =
            file.to_ascii_lowercase().ends_with(".mdl") || file.to_ascii_lowercase().ends_with(".mdx");
        let is_point = attachment.is_none_or(|attachment| attachment.kind == AttachmentKind::Point);
        if !is_point && !file.is_empty() && !is_model {
            self.lost(&path, format!("the attached model {file} is not an MDX file; the point is empty"));
        }
        let file = if is_point || is_model { file } else { "" };
        let given = attachment.and_then(|attachment| attachment.number);
        let header = AttachmentHeader {
            path: chars(file),
            attachment_id: I32::new(given.unwrap_or_else(|| signed(number))),
        };
        let node = attachment.map(|attachment| attachment.node);
        let shown = attachment.is_none_or(|attachment| attachment.visible);
        let tracks = self.visibility_of(tags::KATV, (None, f32::from(u8::from(shown))), node, &path);
        let node = self.node(layout, id, NodeFlags::ATTACHMENT);
        object(&kinds::ATTACHMENT, node, std::iter::once(part(&header)).chain(tracks).collect())
    }

    fn event(&mut self, layout: &Layout, id: usize, index: usize) -> Node<'static> {
        let event = &self.scene.events[index];
        let (sequence, times) = match &event.global {
            Some((sequence, times)) if sequence.index() < self.scene.global_sequences.len() => {
                (signed(sequence.index()), times.iter().map(|time| space::milliseconds(*time)).collect())
            }
            _ => (-1, self.event_times(EventId::from(index))),
        };
        let track = event_track(tags::KEVT, sequence, &times);
        let node = self.node(layout, id, NodeFlags::EVENT_OBJECT);
        object(&kinds::EVENT_OBJECT, node, track.into_iter().collect())
    }

    /// When an event happens. The game refuses an event that never does: then it is after all sequences.
    fn event_times(&self, event: EventId) -> Vec<i32> {
        let mut times: Vec<i32> = Vec::new();
        for window in &self.windows {
            let Some(clip) = window.clip.map(|clip| &self.scene.clips[clip]) else { continue };
            let own = clip.events.iter().filter(|key| key.event == event);
            times.extend(own.map(|key| window.start.saturating_add(space::milliseconds(key.time))));
        }
        times.sort_unstable();
        if times.is_empty() {
            let last = self.windows.iter().map(|window| window.end).max().unwrap_or(0);
            times.push(last.saturating_add(1000));
        }
        times
    }

    fn shape(&mut self, layout: &Layout, id: usize, index: usize) -> Node<'static> {
        let shape = &self.scene.collision_shapes[index];
        let path = layout.entries[id].name.clone();
        let world = self.rest.0.get(shape.node.index()).map(|frame| frame.world.matrix3);
        // Shapes are in the node's space, which in MDX has the model's axes.
        let turn = |point: Vec3| world.map_or(point, |world| world * point);
        let around = |points: &mut dyn Iterator<Item = Vec3>| {
            let (min, max) =
                points.map(turn).fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), point| {
                    (min.min(point), max.max(point))
                });
            let [minimum, maximum] = space::corners(min, max);
            (CollisionType::BOX, part(&ShapeBox { minimum, maximum }))
        };
        let corners = |min: Vec3, max: Vec3| {
            (0..8_u8).map(move |corner| {
                let pick = |bit: u8, low: f32, high: f32| if corner & bit == 0 { low } else { high };
                Vec3::new(pick(1, min.x, max.x), pick(2, min.y, max.y), pick(4, min.z, max.z))
            })
        };
        let (kind, form) = match &shape.shape {
            Shape::Box { min, max, .. } | Shape::Plane { min, max } => around(&mut corners(*min, *max)),
            Shape::Sphere { center, radius } => {
                let center = space::vector(turn(*center));
                (CollisionType::SPHERE, part(&ShapeSphere { center, radius: F32::new(*radius) }))
            }
            Shape::Cylinder { start, end, radius } if !self.options.complete => {
                let (base, top) = (space::vector(turn(*start)), space::vector(turn(*end)));
                let radius = F32::new(*radius);
                (CollisionType::CYLINDER, part(&ShapeCylinder { base, top, radius }))
            }
            Shape::Cylinder { start, end, radius } => {
                let half = Vec3::splat(*radius);
                around(&mut corners(start.min(*end) - half, start.max(*end) + half))
            }
            Shape::Mesh { positions, .. } => {
                self.lost(&path, "a collision mesh became the box around it");
                if positions.is_empty() {
                    around(&mut std::iter::once(Vec3::ZERO))
                } else {
                    around(&mut positions.iter().copied())
                }
            }
        };
        if matches!(shape.shape, Shape::Plane { .. } | Shape::Cylinder { .. }) && kind == CollisionType::BOX {
            self.lost(&path, "planes and cylinders became boxes: the game knows boxes and spheres");
        }
        let node = self.node(layout, id, NodeFlags::COLLISION_SHAPE);
        object(&kinds::COLLISION_SHAPE, node, vec![part(&CollisionKind { kind }), form])
    }

    pub(super) fn cameras(&mut self) -> Vec<Node<'static>> {
        let mut cameras = Vec::new();
        for (index, camera) in self.scene.cameras.iter().enumerate() {
            let world = camera.node.and_then(|node| self.rest.0.get(node.index())).map(|frame| frame.world);
            let place = |point: Vec3| world.map_or(point, |world| world.transform_point3(point));
            if camera.node.is_some_and(|node| self.is_moved(node)) {
                self.lost(&camera.name, "MDX cameras hang on no node; it stands where the rest pose has it");
            }
            let header = CameraHeader {
                name: chars(&camera.name),
                position: space::vector(place(camera.position)),
                field_of_view: F32::new(camera.field_of_view),
                far_clip: F32::new(camera.far),
                near_clip: F32::new(camera.near),
            };
            let look = CameraTarget { position: space::vector(place(camera.target)) };
            let target = |property| Target::Camera(CameraId::from(index), property);
            let later = [
                CameraProperty::FocusDistance,
                CameraProperty::FocalLength,
                CameraProperty::FStop,
                CameraProperty::Visibility,
            ];
            if later.into_iter().any(|property| self.channels.moves(target(property))) {
                self.lost(&camera.name, "this version's cameras have no depth of field and no visibility");
            }
            let mut parts = vec![part(&header), part(&look)];
            parts.extend(self.offset(tags::KCTR, target(CameraProperty::Translation)));
            parts.extend(self.scalar(tags::KCRL, target(CameraProperty::Roll), Unsaid::own(0.0)));
            parts.extend(self.offset(tags::KTTR, target(CameraProperty::TargetTranslation)));
            cameras.push(branch(&kinds::CAMERA, parts));
        }
        cameras
    }

    /// Whether a node or one above it moves.
    fn is_moved(&self, node: scene::NodeId) -> bool {
        let parents = self.scene.hierarchy().parents;
        let mut current = Some(node);
        while let Some(node) = current {
            let moves =
                [scene::NodeProperty::Translation, scene::NodeProperty::Rotation, scene::NodeProperty::Scale];
            if moves.into_iter().any(|property| self.channels.moves(Target::Node(node, property))) {
                return true;
            }
            current = parents.get(node.index()).copied().flatten();
        }
        false
    }

    /// The node, whose visibility a thing shares.
    pub(super) fn plain_node(&self, node: scene::NodeId) -> Option<scene::NodeId> {
        (node.index() < self.scene.nodes.len()).then_some(node)
    }
}
