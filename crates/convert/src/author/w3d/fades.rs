//! Meshes and layers whose alpha changes. W3D cannot animate opacity, but it can hide a mesh while nothing of it shows.

use std::collections::HashMap;

use scene::{Clip, Curve, LayerProperty, MaterialId, MeshId, MeshProperty, Scene, Target, Value};

/// A layer, by its material and its place there.
type LayerId = (MaterialId, u32);

/// Alpha up to which nothing is seen.
pub(super) const FAINT: f32 = 1.0 / 255.0;

/// Times in the clip of standing at which the alpha of a layer is taken.
const SAMPLES: u8 = 16;

/// An alpha that a channel changes.
#[derive(Clone, Copy, Debug)]
struct Range {
    least: f32,
    most: f32,
    /// Its mean while the model stands.
    mean: f32,
    /// Its mean while the model stands, of the times when something is seen; zero if there are none.
    seen: f32,
}

impl Range {
    /// The alpha of something that is hidden while it is faint.
    fn visible(self) -> f32 {
        limited(if self.seen > FAINT { self.seen } else { self.most })
    }
}

/// Which layers and meshes fade.
#[derive(Debug, Default)]
pub(super) struct Fades {
    ranges: HashMap<Target, Range>,
    /// Meshes of which nothing is seen while all these layers are faint.
    meshes: HashMap<MeshId, Vec<LayerId>>,
}

impl Fades {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut fades = Self::default();
        for channel in scene.channels() {
            let (Some(_), Curve::Scalar(track)) = (rest(scene, channel.target), &channel.curve) else {
                continue;
            };
            let start = Range { least: f32::INFINITY, most: 0.0, mean: 0.0, seen: 0.0 };
            let range = fades.ranges.entry(channel.target).or_insert(start);
            for alpha in &track.values {
                *range = Range { least: range.least.min(*alpha), most: range.most.max(*alpha), ..*range };
            }
        }
        if fades.ranges.is_empty() {
            return fades;
        }
        let stand = scene::stand_clip(&scene.clips).and_then(|id| scene.clips.get(id.index()));
        for (target, range) in &mut fades.ranges {
            let alphas = match stand {
                Some(clip) => {
                    let times = (0..SAMPLES).map(|at| clip.duration * f32::from(at) / f32::from(SAMPLES));
                    degrees(scene, clip, *target, times)
                }
                None => rest(scene, *target).into_iter().collect(),
            };
            range.mean = mean(alphas.iter().copied());
            range.seen = mean(alphas.into_iter().filter(|alpha| *alpha > FAINT));
        }
        for (at, mesh) in scene.meshes.iter().enumerate() {
            let mut layers = Vec::new();
            let parts = mesh.parts.iter().map(|part| {
                let id = part.material?;
                let count = scene.materials.get(id.index())?.layers.len();
                layers.extend((0_u32..).take(count).map(|layer| (id, layer)));
                (count > 0).then_some(())
            });
            let is_known = parts.collect::<Option<Vec<()>>>().is_some();
            let vanishes = |id: &LayerId| {
                let least = fades.ranges.get(&target(*id)).map(|range| range.least);
                least.or_else(|| rest(scene, target(*id))).is_some_and(|alpha| alpha <= FAINT)
            };
            let is_animated = layers.iter().any(|id| fades.ranges.contains_key(&target(*id)));
            if is_known && is_animated && layers.iter().all(vanishes) {
                fades.meshes.insert(MeshId::from(at), layers);
            }
        }
        fades
    }

    /// Whether a mesh is hidden while its layers are faint.
    pub(super) fn hides(&self, mesh: MeshId) -> bool {
        self.meshes.contains_key(&mesh)
    }

    /// Whether a channel says when meshes are hidden.
    pub(super) fn is_expressed(&self, channel: Target) -> bool {
        self.meshes.values().flatten().any(|id| target(*id) == channel)
    }

    /// The alpha of the strongest layer of a mesh at these times of a clip.
    pub(super) fn degrees(
        &self,
        scene: &Scene,
        clip: &Clip,
        mesh: MeshId,
        times: impl Iterator<Item = f32> + Clone,
    ) -> Option<Vec<f32>> {
        let each = self.meshes.get(&mesh)?.iter().map(|id| degrees(scene, clip, target(*id), times.clone()));
        each.reduce(|mut strongest, other| {
            strongest.iter_mut().zip(other).for_each(|(strongest, other)| *strongest = strongest.max(other));
            strongest
        })
    }

    /// The alpha to write for a mesh that fades.
    pub(super) fn mesh_alpha(&self, mesh: MeshId) -> Option<f32> {
        self.ranges.get(&Target::Mesh(mesh, MeshProperty::Alpha)).map(|range| range.visible())
    }

    /// The alpha to write for a layer that fades. If its mesh is not hidden meanwhile, it is the mean, faint times included.
    pub(super) fn layer_alpha(&self, mesh: MeshId, material: Option<MaterialId>, layer: u32) -> Option<f32> {
        let range = self.ranges.get(&target((material?, layer)))?;
        Some(if self.hides(mesh) { range.visible() } else { limited(range.mean) })
    }
}

/// The target of channels that change the alpha of a layer.
fn target((material, layer): LayerId) -> Target {
    Target::Layer(material, layer, LayerProperty::Alpha)
}

/// The alpha of a mesh or a layer where no channel changes it. Nothing for other targets.
fn rest(scene: &Scene, target: Target) -> Option<f32> {
    match target {
        Target::Mesh(mesh, MeshProperty::Alpha) => scene.meshes.get(mesh.index()).map(|mesh| mesh.alpha),
        Target::Layer(material, layer, LayerProperty::Alpha) => {
            let layers = &scene.materials.get(material.index())?.layers;
            layers.get(layer as usize).map(|layer| layer.alpha)
        }
        _ => None,
    }
}

/// An alpha at these times of a clip.
fn degrees(scene: &Scene, clip: &Clip, target: Target, times: impl Iterator<Item = f32>) -> Vec<f32> {
    let globals = scene.global_channels.iter().map(|global| &global.channel);
    let channel = clip.channels.iter().chain(globals).find(|channel| channel.target == target);
    let curve: Option<&Curve> = channel.map(|channel| &channel.curve);
    let rest = rest(scene, target).unwrap_or(1.0);
    let value = |time| match curve.and_then(|curve| curve.sample(time)) {
        Some(Value::Scalar(alpha)) => alpha,
        _ => rest,
    };
    times.map(value).collect()
}

/// The mean; zero of nothing.
fn mean(values: impl Iterator<Item = f32>) -> f32 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// A number that is an alpha: opaque if it is none.
fn limited(alpha: f32) -> f32 {
    if alpha.is_nan() { 1.0 } else { alpha.clamp(0.0, 1.0) }
}
