//! Poses: the state of a scene at a moment.

use crate::{
    ClipId, Fresnel, Hierarchy, LayerProperty, MeshProperty, NodeProperty, Scene, Target, TextureId,
    Transform, Value, View, node,
};
use glam::{Affine2, Affine3A, Mat2, Quat, Vec2, Vec3, Vec3A};
use std::borrow::Borrow;

/// A moment: the clip, the time, and the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// The clip that plays; `None` is the rest pose.
    pub clip: Option<ClipId>,
    /// Time in the clip, in seconds ([`Clip::local_time`](crate::Clip::local_time) computes it from the time since its start).
    pub time: f32,
    /// Time of the global sequences, in seconds.
    pub clock: f32,
    /// The camera that billboards face; without it they do not turn.
    pub view: Option<View>,
}

/// State of a scene at a [`Moment`]. The vectors are in the order of those of the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// Local transforms of the nodes.
    pub locals: Vec<Transform>,
    /// Matrices from the space of each node to model space.
    pub worlds: Vec<Affine3A>,
    /// Opacity of what is attached to each node, 0 to 1.
    pub visibility: Vec<f32>,
    /// The state of each mesh.
    pub meshes: Vec<MeshState>,
    /// The state of the layers of each material.
    pub materials: Vec<Vec<LayerState>>,
}

/// State of a mesh at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshState {
    /// Whether it is drawn: it is not hidden, its opacity is not zero, and its node is visible.
    pub visible: bool,
    /// Opacity, times that of its node. In Warcraft III it has no effect on opaque layers.
    pub alpha: f32,
    /// Factor of the colour.
    pub color: Vec3,
}

/// State of a layer at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerState {
    /// Opacity.
    pub alpha: f32,
    /// Factor of the colour.
    pub color: Vec3,
    /// The texture in each slot.
    pub textures: Vec<Option<TextureId>>,
    /// Transform of the texture coordinates. The [`UvMapper`](crate::UvMapper) of a slot is applied after it.
    pub uv: UvTransform,
    /// Factor of the emissive texture.
    pub emissive_gain: f32,
    /// Glow at grazing angles.
    pub fresnel: Fresnel,
}

/// Animated transform of texture coordinates: translation, then rotation and scaling about the centre of the texture.
///
/// The order is that of mdx-m3-viewer; how the game does it is not documented.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvTransform {
    /// Translation.
    pub translation: Vec2,
    /// Rotation.
    pub rotation: Quat,
    /// Scale.
    pub scale: Vec2,
}

impl Default for UvTransform {
    fn default() -> Self {
        Self { translation: Vec2::ZERO, rotation: Quat::IDENTITY, scale: Vec2::ONE }
    }
}

impl UvTransform {
    /// The transform as a matrix.
    #[must_use]
    pub fn matrix(&self) -> Affine2 {
        const MIDDLE: Vec2 = Vec2::splat(0.5);
        let rotation = node::unit(self.rotation);
        // The rotation is three-dimensional; its effect on x and y is used.
        let turn = Mat2::from_cols((rotation * Vec3::X).truncate(), (rotation * Vec3::Y).truncate());
        let linear = Mat2::from_diagonal(self.scale) * turn;
        Affine2::from_mat2_translation(linear, linear * (self.translation - MIDDLE) + MIDDLE)
    }
}

impl Scene {
    /// The animated value of a property at a moment. `None` if no key applies: the property then keeps its static value.
    ///
    /// This is for lights, cameras, emitters and ribbons; nodes, meshes and layers are in a [`Pose`].
    #[must_use]
    pub fn value(&self, target: Target, moment: &Moment) -> Option<Value> {
        self.values(moment).filter(|(at, _)| *at == target).last().map(|(_, value)| value)
    }

    /// All animated values at a moment: first those of global sequences, then those of the clip.
    pub fn values(&self, moment: &Moment) -> impl Iterator<Item = (Target, Value)> {
        let Moment { clip, time, clock, .. } = *moment;
        let global = self.global_channels.iter().filter_map(move |global| {
            let sequence = self.global_sequences.get(global.sequence.index())?;
            let value = global.channel.curve.sample_global(sequence.local_time(clock), sequence.duration)?;
            Some((global.channel.target, value))
        });
        let clip = clip.and_then(|clip| self.clips.get(clip.index()));
        let channels = clip.map_or(&[][..], |clip| &clip.channels);
        global.chain(
            channels.iter().filter_map(move |channel| Some((channel.target, channel.curve.sample(time)?))),
        )
    }
}

/// Samples poses of a scene. The order of the nodes is computed once.
///
/// It holds the scene by reference, by value, or shared: `Sampler<&Scene>`, `Sampler<Scene>`, `Sampler<Arc<Scene>>`.
#[derive(Clone, Debug)]
pub struct Sampler<S> {
    scene: S,
    hierarchy: Hierarchy,
    /// Origin of each node in the rest pose.
    rest: Vec<Vec3A>,
}

impl<S: Borrow<Scene>> Sampler<S> {
    /// A sampler of this scene.
    #[must_use]
    pub fn new(scene: S) -> Self {
        let hierarchy = scene.borrow().hierarchy();
        let worlds = hierarchy.worlds(scene.borrow().nodes.iter().map(|node| &node.rest));
        Self { scene, rest: worlds.iter().map(|world| world.translation).collect(), hierarchy }
    }

    /// The scene.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        self.scene.borrow()
    }

    /// The hierarchy of the nodes.
    #[must_use]
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// The pose at a moment.
    #[must_use]
    pub fn pose(&self, moment: &Moment) -> Pose {
        let mut pose = Pose::default();
        self.sample(moment, &mut pose);
        pose
    }

    /// Writes the pose at a moment into `pose`. Its buffers are reused: later calls do not allocate.
    pub fn sample(&self, moment: &Moment, pose: &mut Pose) {
        let scene = self.scene();
        pose.reset(scene);
        for (target, value) in scene.values(moment) {
            pose.set(target, value, scene);
        }
        pose.worlds.clear();
        pose.worlds.resize(pose.locals.len(), Affine3A::IDENTITY);
        for id in &self.hierarchy.order {
            let index = id.index();
            let parent = self.hierarchy.parents[index];
            let parent = parent.map_or(Affine3A::IDENTITY, |parent| pose.worlds[parent.index()]);
            let (node, local, rest) = (&scene.nodes[index], &pose.locals[index], self.rest[index]);
            pose.worlds[index] = node.world(local, rest, &parent, moment.view.as_ref());
        }
        for (mesh, state) in scene.meshes.iter().zip(&mut pose.meshes) {
            let shown = mesh.node.and_then(|node| pose.visibility.get(node.index())).copied().unwrap_or(1.0);
            state.alpha *= shown;
            state.visible &= state.alpha > 0.0;
        }
    }
}

impl Pose {
    /// The rest pose, without world matrices.
    fn reset(&mut self, scene: &Scene) {
        self.locals.clear();
        self.locals.extend(scene.nodes.iter().map(|node| node.rest));
        self.visibility.clear();
        self.visibility.extend(scene.nodes.iter().map(|node| f32::from(node.visible)));
        self.meshes.clear();
        self.meshes.extend(scene.meshes.iter().map(|mesh| MeshState {
            visible: !mesh.hidden,
            alpha: mesh.alpha,
            color: mesh.color,
        }));
        self.materials.resize_with(scene.materials.len(), Vec::new);
        for (material, states) in scene.materials.iter().zip(&mut self.materials) {
            states.resize_with(material.layers.len(), LayerState::default);
            for (layer, state) in material.layers.iter().zip(states) {
                state.alpha = layer.alpha;
                state.color = layer.color;
                state.textures.clear();
                state.textures.extend(layer.slots.iter().map(|slot| slot.texture));
                state.uv = UvTransform::default();
                state.emissive_gain = layer.emissive_gain;
                state.fresnel = layer.fresnel;
            }
        }
    }

    /// Stores a sampled value, if it belongs to a pose and has the right type.
    fn set(&mut self, target: Target, value: Value, scene: &Scene) {
        match target {
            Target::Node(id, property) => {
                let Some(local) = self.locals.get_mut(id.index()) else { return };
                match (property, value) {
                    (NodeProperty::Translation, Value::Vector(value)) => local.translation = value,
                    (NodeProperty::Rotation, Value::Rotation(value)) => local.rotation = value,
                    (NodeProperty::Scale, Value::Vector(value)) => local.scale = value,
                    (NodeProperty::Visibility, Value::Flag(value)) => {
                        self.visibility[id.index()] = f32::from(value);
                    }
                    (NodeProperty::Visibility, Value::Scalar(value)) => self.visibility[id.index()] = value,
                    _ => {}
                }
            }
            Target::Mesh(id, property) => {
                let Some(state) = self.meshes.get_mut(id.index()) else { return };
                match (property, value) {
                    (MeshProperty::Alpha, Value::Scalar(value)) => state.alpha = value,
                    (MeshProperty::Color, Value::Vector(value)) => state.color = value,
                    (MeshProperty::Visibility, Value::Flag(value)) => state.visible &= value,
                    _ => {}
                }
            }
            Target::Layer(id, layer, property) => {
                let layers = self.materials.get_mut(id.index());
                let Some(state) = layers.and_then(|layers| layers.get_mut(layer as usize)) else { return };
                state.set(property, value, scene);
            }
            Target::Light(..) | Target::Camera(..) | Target::Emitter(..) | Target::Ribbon(..) => {}
        }
    }
}

impl LayerState {
    fn set(&mut self, property: LayerProperty, value: Value, scene: &Scene) {
        match (property, value) {
            (LayerProperty::Alpha, Value::Scalar(value)) => self.alpha = value,
            (LayerProperty::Color, Value::Vector(value)) => self.color = value,
            (LayerProperty::Texture(slot), Value::Index(value)) => {
                if let Some(texture) = self.textures.get_mut(slot as usize) {
                    *texture =
                        Some(TextureId(value)).filter(|texture| texture.index() < scene.textures.len());
                }
            }
            (LayerProperty::UvTranslation, Value::Vector(value)) => self.uv.translation = value.truncate(),
            (LayerProperty::UvRotation, Value::Rotation(value)) => self.uv.rotation = value,
            (LayerProperty::UvScale, Value::Vector(value)) => self.uv.scale = value.truncate(),
            (LayerProperty::EmissiveGain, Value::Scalar(value)) => self.emissive_gain = value,
            (LayerProperty::FresnelColor, Value::Vector(value)) => self.fresnel.color = value,
            (LayerProperty::FresnelOpacity, Value::Scalar(value)) => self.fresnel.opacity = value,
            (LayerProperty::FresnelTeamColor, Value::Scalar(value)) => self.fresnel.team_color = value,
            _ => {}
        }
    }
}
