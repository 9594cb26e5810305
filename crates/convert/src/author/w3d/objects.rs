//! Everything on a pivot that is no mesh: boxes, null objects, dazzles, lights, points.

use glam::Vec3;
use record::{F32, Node, build};
use scene::{AttachmentKind, LightKind, NodeId};
use w3d::names::{BoxFlags, LightFlags, Version};
use w3d::records::{
    CollisionBox, LightAttenuation, LightInfo, NullObject, Pulse, Rgb, SpotLight5, SpotLightInfo,
};
use w3d::table;

use super::plan::Place;
use super::{Author, chars, shaders, space};
use crate::author::names;

impl Author<'_> {
    pub(super) fn place_of(&self, node: NodeId) -> Place {
        self.plan.nodes.get(node.index()).copied().unwrap_or(Place::Nowhere)
    }

    /// A full name that no other object has.
    pub(super) fn object_name(&mut self, name: &str, place: Place, default: &str) -> String {
        let name = if name.trim().is_empty() { default } else { name };
        let full = match place {
            Place::Pivot(model, _) if !name.contains('.') && default != "EMITTER" => {
                format!("{}.{}", self.plan.models[model].name, super::labels::short(name, default))
            }
            _ => name.to_owned(),
        };
        let limit = if default == "EMITTER" { 15 } else { 31 };
        self.full_names.take(&names::fit(&full, limit), "", limit)
    }

    /// Adds an object to what a model has, or to the file alone.
    pub(super) fn put_object(&mut self, place: Place, name: String, chunk: Node<'static>) {
        match place {
            Place::Pivot(model, pivot) => self.placed(model).objects.push((name, pivot)),
            Place::Loose(_) => {}
            Place::Nowhere => return,
        }
        self.objects.push(chunk);
    }

    pub(super) fn write_objects(&mut self) {
        let scene = self.scene;
        for shape in &scene.collision_shapes {
            let place = self.place_of(shape.node);
            if place == Place::Nowhere {
                continue;
            }
            let (min, max, is_aligned) = self.as_box(&shape.shape, &shape.name);
            let parts = [0, 1, 2].map(|axis| space::middle(min[axis], max[axis]));
            let name = self.object_name(&shape.name, place, "BOX");
            let form = if is_aligned { BoxFlags::ALIGNED } else { BoxFlags::ORIENTED };
            let record = CollisionBox {
                version: Version::new(1, 0),
                attributes: BoxFlags::new(form.get() | shape.mask.0 << 4 & 0x7F0),
                name: chars(&name),
                color: Rgb { r: 255, g: 255, b: 255, pad: 0 },
                center: space::vector(Vec3::from(parts.map(|part| part.0))),
                extent: space::extent(Vec3::from(parts.map(|part| part.1))),
            };
            self.put_object(place, name, build(table::BOX, &record));
        }
        for dazzle in &scene.dazzles {
            let place = self.place_of(dazzle.node);
            let name = self.object_name(&dazzle.name, place, "DAZZLE");
            let kind = if dazzle.kind.is_empty() { "DEFAULT" } else { &dazzle.kind };
            let chunks = vec![
                build(table::DAZZLE_NAME, name.as_str()),
                build(table::DAZZLE_TYPENAME, names::fit(kind, 255).as_str()),
            ];
            self.put_object(place, name, build(table::DAZZLE, chunks));
        }
        self.write_attachments();
        self.write_emitters();
        self.write_lights();
        let lost =
            [(scene.ribbons.len(), "ribbon"), (scene.cameras.len(), "camera"), (scene.events.len(), "event")];
        for (count, what) in lost.into_iter().filter(|(count, _)| *count > 0) {
            self.lost("model", format!("{} dropped: W3D has none", crate::report::counted(count, what)));
        }
    }

    fn write_attachments(&mut self) {
        let scene = self.scene;
        let mut points = Vec::new();
        for attachment in &scene.attachments {
            let place = self.place_of(attachment.node);
            let node = &scene.nodes.get(attachment.node.index());
            let name = names::fit(&attachment.path, 31);
            match (attachment.kind, place) {
                (AttachmentKind::Point, Place::Nowhere) if !self.plan.foreign.contains(&attachment.node) => {
                    points.extend(node.map(|node| space::vector(node.rest.translation)));
                }
                (_, Place::Nowhere) => {}
                (AttachmentKind::Null, _) => {
                    let name = self.object_name(&attachment.path, place, "NULL");
                    let record = NullObject {
                        version: Version::new(1, 0),
                        name: chars(&name),
                        ..NullObject::default()
                    };
                    self.put_object(place, name, build(table::NULL_OBJECT, &record));
                }
                (AttachmentKind::Aggregate, Place::Pivot(model, pivot)) if !name.is_empty() => {
                    self.placed(model).aggregates.push((name, pivot));
                }
                (AttachmentKind::Proxy, Place::Pivot(model, pivot)) if !name.is_empty() => {
                    self.placed(model).proxies.push((name, pivot));
                }
                (AttachmentKind::Point, Place::Pivot(model, pivot))
                    if !name.is_empty() && self.plan.carriers.contains(&attachment.node) =>
                {
                    self.placed(model).lights.push((name, pivot));
                }
                (AttachmentKind::Point, _) if !name.is_empty() => {
                    let message = format!("the model {name:?} that is attached there; the pivot was kept");
                    self.lost(node.map_or("", |node| node.name.as_str()), message);
                }
                // The pivot is the attachment.
                _ => {}
            }
        }
        if !points.is_empty() {
            self.objects.push(build(table::POINTS, &points));
        }
        if !self.plan.foreign.is_empty() {
            let message = format!(
                "{} of models that aggregates refer to: these stay in their own files",
                crate::report::counted(self.plan.foreign.len(), "node")
            );
            self.assumed("model", message);
        }
    }

    /// Lights of the file itself; on bones there are none.
    fn write_lights(&mut self) {
        let scene = self.scene;
        let mut lost = 0;
        for light in &scene.lights {
            if self.place_of(light.node) != Place::Nowhere || self.plan.foreign.contains(&light.node) {
                lost += 1;
                continue;
            }
            let Some(node) = scene.nodes.get(light.node.index()) else { continue };
            let mut attributes = match light.kind {
                LightKind::Spot { .. } => LightFlags::SPOT,
                LightKind::Directional => LightFlags::DIRECTIONAL,
                LightKind::Point | LightKind::Ambient => LightFlags::POINT,
            }
            .get();
            if light.shadow.casts {
                attributes |= LightFlags::CAST_SHADOWS.get();
            }
            let info = LightInfo {
                attributes: LightFlags::new(attributes),
                ambient: shaders::rgb(light.ambient_color),
                diffuse: shaders::rgb(light.color),
                specular: shaders::rgb(light.specular_color),
                intensity: F32::new(light.intensity),
                ..LightInfo::default()
            };
            let mut chunks = vec![build(table::LIGHT_INFO, &info)];
            if let LightKind::Spot { inner, outer, exponent } = light.kind {
                let direction = node.rest.rotation * Vec3::NEG_Z;
                chunks.push(build(
                    table::SPOT_LIGHT_INFO,
                    &SpotLightInfo {
                        spot_direction: space::vector(direction),
                        spot_angle: F32::new(outer),
                        spot_exponent: F32::new(exponent),
                    },
                ));
                if self.limits.light_arrays {
                    let cones =
                        SpotLight5 { spot_outer_angle: F32::new(outer), spot_inner_angle: F32::new(inner) };
                    chunks.push(build(table::SPOT_LIGHT_INFO_5_0, &cones));
                }
            }
            let range =
                |[start, end]: [f32; 2]| LightAttenuation { start: F32::new(start), end: F32::new(end) };
            chunks.extend(light.near_attenuation.map(|near| build(table::NEAR_ATTENUATION, &range(near))));
            chunks.extend(light.attenuation.map(|far| build(table::FAR_ATTENUATION, &range(far))));
            if let Some(pulse) = light.pulse.filter(|_| self.limits.light_arrays) {
                let record = Pulse {
                    min_intensity: F32::new(pulse.min),
                    max_intensity: F32::new(pulse.max),
                    intensity_time: F32::new(pulse.time),
                    intensity_time_random: F32::new(pulse.time_random),
                    intensity_adjust: F32::new(pulse.adjust),
                    intensity_stops_at_max: pulse.stops_at_max.into(),
                    intensity_stops_at_min: pulse.stops_at_min.into(),
                };
                chunks.push(build(table::PULSE, (&record, &[][..])));
            }
            self.objects.push(build(table::LIGHT, chunks));
        }
        if lost > 0 {
            let what = crate::report::counted(lost, "light");
            self.lost(
                "model",
                format!("{what} dropped: W3D models have none on bones; place them in the game's map"),
            );
        }
    }
}
