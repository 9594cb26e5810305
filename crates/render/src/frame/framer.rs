//! Frames of a scene.

use super::camera::{self, Axes, Fit};
use super::light::Illumination;
use super::missing::Missing;
use super::order::{Place, Queue};
use super::overlay::Lines;
use super::surface::Context;
use super::{
    Camera, Family, Frame, LevelChoice, LightRig, Options, Selected, Viewpoint, Wireframe, effects, geometry,
    hd, level,
};
use crate::particles::Situation;
use glam::Vec3;
use scene::{
    Bounds, CameraId, Compare, Deformed, MeshId, Moment, NodeId, Pose, Sampler, Scene, TextureId, View, skin,
};

/// Makes frames of a scene, and keeps what all frames share.
#[derive(Clone, Debug)]
pub struct Framer<'s> {
    pub(super) sampler: Sampler<&'s Scene>,
    missing: Missing,
}

/// Number of moments of a clip that the camera takes into account.
const FRAMED_MOMENTS: usize = 8;
/// Maximum number of vertices in all these moments: large models get fewer moments.
const FRAMED_VERTICES: usize = 400_000;
/// Margin around the meshes in which the camera frames particles, as a fraction of the longest side of their bounding box.
const FRAMED_PARTICLES: f32 = 0.2;
/// Number of cameras of a model that are shown.
const MAX_CAMERAS: usize = 256;
/// Bounds of an empty scene.
const UNIT: Bounds = Bounds { min: Vec3::NEG_ONE, max: Vec3::ONE, center: Vec3::ZERO, radius: 1.0 };

impl<'s> Framer<'s> {
    /// A framer of this scene, all of whose textures exist.
    #[must_use]
    pub fn new(scene: &'s Scene) -> Self {
        Self { sampler: Sampler::new(scene), missing: Missing::default() }
    }

    /// Marks textures as missing, see [`Pictures::missing`](crate::pictures::Pictures::missing).
    #[must_use]
    pub fn with_missing(mut self, missing: &[TextureId]) -> Self {
        self.missing = Missing::new(self.scene(), missing);
        self
    }

    pub(super) fn scene(&self) -> &Scene {
        self.sampler.scene()
    }

    /// The draw calls of a moment.
    #[must_use]
    pub fn frame(&self, options: &Options) -> Frame {
        let scene = self.scene();
        let family = options.family.unwrap_or_else(|| Family::guess(scene));
        let camera = self.camera(options);
        let moment = Moment { view: Some(self.view(&camera, family, options)), ..self.moment(options) };
        let pose = self.sampler.pose(&moment);
        let bounds = (options.level == LevelChoice::Auto).then(|| self.extents(options));
        let shown = level::shown(scene, options.level, bounds.as_ref().map(|bounds| (&camera, bounds)));

        let rig = options.light.clone().unwrap_or_else(|| self.rig(family));
        let mut light = Illumination::new(rig.lights());
        if family == Family::Mdx && options.rules.model_lights {
            light.add_model(scene, &pose, &moment, &options.rules);
        }
        let mut frame = Frame { camera, lights: light.lights.clone(), ..Frame::default() };
        let context = Context {
            scene,
            options,
            family,
            pose: &pose,
            camera,
            light,
            missing: &self.missing,
            seconds: moment.clock,
        };
        let mut queue = Queue::default();
        let mut edges = Lines::new(Compare::LessEqual);
        let mut normals = Lines::new(Compare::LessEqual);
        let mut selected = Lines::new(Compare::Always);
        let normal_length = if options.overlays.normals { self.extents(options).radius * 0.04 } else { 0.0 };
        let mut deformed = Deformed::default();
        for (index, mesh) in scene.meshes.iter().enumerate() {
            let state = &pose.meshes[index];
            let id = MeshId::from(index);
            let is_selected = options.selected == Some(Selected::Mesh(id));
            let is_drawn = state.visible && shown[index] && !options.hidden.contains(&id);
            if !(is_drawn || is_selected) || mesh.indices.is_empty() {
                continue;
            }
            skin(mesh, &pose, &mut deformed);
            if is_selected {
                selected.selected(&deformed.positions, mesh.indices.iter(), camera.position);
            }
            if !is_drawn {
                continue;
            }
            if options.overlays.normals {
                normals.normals(&deformed, normal_length);
            }
            if options.overlays.wireframe != Wireframe::Only {
                geometry::mesh(&mut frame, &mut queue, &context, id, state, &deformed);
            }
            if options.overlays.wireframe != Wireframe::Off {
                edges.edges(
                    &deformed.positions,
                    mesh.indices.iter(),
                    camera.position,
                    options.overlays.wireframe,
                );
            }
        }
        if options.particles && options.overlays.wireframe != Wireframe::Only {
            let situation = self.situation(options, &moment, &camera);
            for (source, cloud) in effects::clouds(scene, &situation) {
                effects::add(&mut frame, &mut queue, &context, source, &cloud);
            }
        }
        self.overlays(&mut frame, &mut queue, &context, [edges, normals], selected);
        queue.finish(&mut frame);
        options.channel.apply(&mut frame);
        frame
    }

    fn overlays(
        &self,
        frame: &mut Frame,
        queue: &mut Queue,
        context: &Context<'_>,
        meshes: [Lines; 2],
        selected: Lines,
    ) {
        let overlays = &context.options.overlays;
        let is_bare = queue.is_empty() && overlays.wireframe == Wireframe::Off && !overlays.collision;
        let selected_node = match context.options.selected {
            Some(Selected::Node(node)) => Some(node),
            _ => None,
        };
        let needs_bounds = overlays.grid
            || overlays.extents
            || overlays.bones
            || overlays.attachments
            || overlays.cameras
            || selected_node.is_some()
            || is_bare;
        let bounds = if needs_bounds { self.extents(context.options) } else { UNIT };
        let mut solid = Lines::new(Compare::LessEqual);
        if overlays.grid {
            solid.grid(&bounds);
        }
        if overlays.extents {
            solid.extents(&self.stored_bounds(context.options).unwrap_or(bounds));
        }
        if overlays.collision {
            solid.collision(context.scene, context.pose);
        }
        let mut above = Lines::new(Compare::Always);
        if overlays.bones || is_bare {
            above.bones(context.scene, self.sampler.hierarchy(), context.pose, bounds.radius);
        }
        let world = |node: NodeId| context.pose.worlds.get(node.index());
        if overlays.attachments {
            let places = context.scene.attachments.iter().filter_map(|attachment| world(attachment.node));
            places.for_each(|world| above.axes(world, bounds.radius * 0.08));
        }
        if overlays.cameras {
            for camera in self.cameras(context.options, context.pose) {
                solid.camera(&camera, bounds.radius * 0.4);
            }
        }
        if let Some(world) = selected_node.and_then(world) {
            above.axes(world, bounds.radius * 0.15);
        }
        let [edges, normals] = meshes;
        for lines in [edges, normals, solid, above, selected] {
            if let Some(draw) = lines.draw(frame) {
                queue.push(Place::Overlay, draw);
            }
        }
    }

    /// The bounds that the file has for the clip, or for the whole model.
    fn stored_bounds(&self, options: &Options) -> Option<Bounds> {
        let clip = options.clip.and_then(|clip| self.scene().clips.get(clip.index()));
        clip.and_then(|clip| clip.bounds).or(self.scene().bounds)
    }

    /// The usual light for this scene.
    fn rig(&self, family: Family) -> LightRig {
        let is_hd = family == Family::Mdx
            && self.scene().materials.iter().flat_map(|material| &material.layers).any(hd::is_hd);
        if is_hd { LightRig::hd() } else { LightRig::of(family) }
    }

    pub(super) fn moment(&self, options: &Options) -> Moment {
        let elapsed = if options.time.is_finite() { options.time } else { 0.0 };
        let clip = options.clip.filter(|clip| clip.index() < self.scene().clips.len());
        let time = clip.map_or(elapsed, |clip| self.scene().clips[clip.index()].local_time(elapsed));
        Moment { clip, time, clock: elapsed, view: None }
    }

    fn situation(&self, options: &Options, moment: &Moment, camera: &Camera) -> Situation<'_> {
        Situation {
            clip: moment.clip,
            elapsed: moment.clock,
            clock: moment.clock,
            position: camera.position,
            right: camera.right(),
            up: camera.up(),
            forward: camera.forward(),
            seed: options.seed,
            rules: options.rules.particles,
            ..Situation::new(&self.sampler)
        }
    }

    /// The camera as billboards use it.
    fn view(&self, camera: &Camera, family: Family, options: &Options) -> View {
        let mut view = View { anchors: options.rules.anchors, ..camera.view_of() };
        if family == Family::Mdx && !options.rules.billboards_face_position {
            // From very far away, all directions to the camera are its back vector.
            view.position -= view.forward * (1e6 * (1.0 + view.position.length()));
        }
        view
    }

    /// The camera of a moment.
    #[must_use]
    pub fn camera(&self, options: &Options) -> Camera {
        let sound = |camera: &Camera| {
            camera.view.is_finite() && camera.projection.is_finite() && camera.position.is_finite()
        };
        let around = |yaw, pitch| {
            let mut fit = Fit::new(Axes::orbit(yaw, pitch), options.aspect);
            match &options.framed {
                Some(bounds) => fit.add_bounds(bounds),
                None => self.points(options, |point| fit.add(point)),
            }
            fit.camera()
        };
        let own = match &options.viewpoint {
            Viewpoint::Orbit { yaw, pitch } => return around(*yaw, *pitch),
            Viewpoint::Camera(camera) => Some(*camera),
            Viewpoint::Model(name) => camera::find(self.scene(), name).and_then(|id| {
                let moment = self.moment(options);
                let pose = self.sampler.pose(&moment);
                camera::own(self.scene(), id, &pose, &moment, options.aspect, &options.rules)
            }),
        };
        own.filter(sound).unwrap_or_else(|| match Viewpoint::ISO {
            Viewpoint::Orbit { yaw, pitch } => around(yaw, pitch),
            _ => around(0.0, 0.0),
        })
    }

    /// The cameras of the model at a moment, without those that have no direction.
    pub(super) fn cameras(&self, options: &Options, pose: &Pose) -> Vec<Camera> {
        let moment = self.moment(options);
        let cameras = 0..self.scene().cameras.len().min(MAX_CAMERAS);
        let camera =
            |index| camera::own(self.scene(), CameraId::from(index), pose, &moment, 1.5, &options.rules);
        cameras.filter_map(camera).collect()
    }

    /// Whether the model has the camera that the options name.
    #[must_use]
    pub fn has_camera(&self, name: &str) -> bool {
        camera::find(self.scene(), name).is_some()
    }

    /// Bounds of everything visible during the clip. Use them as [`Options::framed`] to keep the camera steady in an animation.
    #[must_use]
    pub fn bounds(&self, options: &Options) -> Option<Bounds> {
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        self.points(options, |point| {
            if point.is_finite() {
                (min, max) = (min.min(point), max.max(point));
            }
        });
        if min.x > max.x {
            return None;
        }
        let center = (min + max) * 0.5;
        let mut radius = 0.0_f32;
        self.points(options, |point| {
            if point.is_finite() {
                radius = radius.max(point.distance_squared(center));
            }
        });
        Some(Bounds { min, max, center, radius: radius.sqrt() }).filter(|bounds| bounds.radius.is_finite())
    }

    /// The framed bounds, or those of a unit cube.
    fn extents(&self, options: &Options) -> Bounds {
        options.framed.or_else(|| self.bounds(options)).unwrap_or(UNIT)
    }

    /// Visits all visible vertices at several moments of the clip. If there are none, visits the stored bounds and the
    /// skeleton.
    fn points(&self, options: &Options, mut visit: impl FnMut(Vec3)) {
        let scene = self.scene();
        // Levels of detail have similar sizes.
        let choice = if options.level == LevelChoice::Auto { LevelChoice::Highest } else { options.level };
        let shown = level::shown(scene, choice, None);
        let now = self.moment(options);
        let duration = now.clip.map_or(0.0, |clip| scene.clips[clip.index()].duration);
        let vertices: usize = scene.meshes.iter().map(|mesh| mesh.positions.len()).sum();
        let most = (FRAMED_VERTICES / vertices.max(1)).clamp(1, FRAMED_MOMENTS);
        let count = if duration > 0.0 && duration.is_finite() { most } else { 1 };
        let direction = match options.viewpoint {
            Viewpoint::Orbit { yaw, pitch } => Axes::orbit(yaw, pitch).back,
            _ => Vec3::X,
        };
        let view =
            Some(View { position: direction * 1e6, forward: -direction, anchors: options.rules.anchors });
        let moments: Vec<Moment> = (0..count)
            .map(|at| if at == 0 { now.time } else { duration * at as f32 / count as f32 })
            .map(|time| Moment { time, view, ..now })
            .collect();
        let body: Vec<bool> = scene.meshes.iter().map(|mesh| self.missing.is_body(scene, mesh)).collect();
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let mut deformed = Deformed::default();
        let mut pose = Pose::default();
        for moment in &moments {
            self.sampler.sample(moment, &mut pose);
            for (index, mesh) in scene.meshes.iter().enumerate() {
                let is_hidden = options.hidden.contains(&MeshId::from(index));
                if !pose.meshes[index].visible
                    || !shown[index]
                    || !body[index]
                    || is_hidden
                    || mesh.indices.is_empty()
                {
                    continue;
                }
                skin(mesh, &pose, &mut deformed);
                for position in deformed.positions.iter().copied().filter(|position| position.is_finite()) {
                    (min, max) = (min.min(position), max.max(position));
                    visit(position);
                }
            }
        }
        let mut any = min.x <= max.x;
        if options.overlays.extents
            && let Some(bounds) = self.stored_bounds(options)
        {
            visit(bounds.min);
            visit(bounds.max);
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                visit(bounds.center + axis * bounds.radius);
                visit(bounds.center - axis * bounds.radius);
            }
        }
        let mut found = false;
        if options.particles {
            let camera = Camera::look_at(direction * 1e4, Vec3::ZERO, 1.0, 1.0, 1.0, 1e5);
            let situation = self.situation(options, &now, &camera);
            let clouds = effects::clouds(scene, &situation);
            for (_, cloud) in clouds.filter(|(_, cloud)| effects::is_seen(scene, &self.missing, cloud)) {
                if any {
                    // Smoke may leave the picture, but only after a while.
                    let pad = Vec3::splat((max - min).max_element() * FRAMED_PARTICLES);
                    let inside = |place: Vec3| place.clamp(min - pad, max + pad);
                    cloud.pieces.iter().for_each(|piece| visit(inside(piece.center)));
                } else {
                    found |= !cloud.vertices.is_empty();
                    cloud.vertices.iter().for_each(|vertex| visit(vertex.position));
                }
            }
        }
        any |= found;
        if any {
            return;
        }
        if let Some(bounds) =
            scene.bounds.filter(|bounds| bounds.min.cmplt(bounds.max).all() && bounds.max.is_finite())
        {
            visit(bounds.min);
            visit(bounds.max);
        }
        for moment in &moments {
            self.sampler.sample(moment, &mut pose);
            pose.worlds.iter().for_each(|world| visit(world.translation.into()));
        }
    }
}
