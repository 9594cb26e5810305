//! Layers whose alpha changes. W3D cannot animate materials, but it can hide a mesh while none of its layers shows.

use std::collections::HashMap;

use scene::{Clip, Curve, LayerProperty, MaterialId, MeshId, Scene, Target, Value};

/// A layer, by its material and its place there.
type LayerId = (MaterialId, u32);

/// Alpha up to which nothing is seen.
pub(super) const FAINT: f32 = 1.0 / 255.0;

/// Times in the clip of standing at which the alpha of a layer is taken.
const SAMPLES: u8 = 16;

/// The alpha of a layer that a channel changes.
#[derive(Clone, Copy, Debug)]
struct Range {
    least: f32,
    most: f32,
    /// Its mean while the model stands.
    standing: f32,
}

/// Which layers and meshes fade.
#[derive(Debug, Default)]
pub(super) struct Fades {
    /// Layers whose alpha changes.
    layers: HashMap<LayerId, Range>,
    /// Meshes of which nothing is seen while all these layers are faint.
    meshes: HashMap<MeshId, Vec<LayerId>>,
}

impl Fades {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut fades = Self::default();
        for channel in scene.channels() {
            let (Some(id), Curve::Scalar(track)) = (layer_of(channel.target), &channel.curve) else {
                continue;
            };
            let start = Range { least: f32::INFINITY, most: 0.0, standing: 0.0 };
            let range = fades.layers.entry(id).or_insert(start);
            for alpha in &track.values {
                *range = Range { least: range.least.min(*alpha), most: range.most.max(*alpha), ..*range };
            }
        }
        if fades.layers.is_empty() {
            return fades;
        }
        let stand = scene::stand_clip(&scene.clips).and_then(|id| scene.clips.get(id.index()));
        for (id, range) in &mut fades.layers {
            let mean = stand.map(|clip| {
                let times = (0..SAMPLES).map(|at| clip.duration * f32::from(at) / f32::from(SAMPLES));
                degrees(scene, clip, *id, times).iter().sum::<f32>() / f32::from(SAMPLES)
            });
            range.standing = mean.unwrap_or_else(|| rest(scene, *id));
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
                let range = fades.layers.get(id);
                range.map_or(rest(scene, *id), |range| range.least) <= FAINT
            };
            let is_animated = layers.iter().any(|id| fades.layers.contains_key(id));
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
    pub(super) fn is_expressed(&self, target: Target) -> bool {
        layer_of(target).is_some_and(|id| self.meshes.values().any(|layers| layers.contains(&id)))
    }

    /// The alpha of the strongest layer of a mesh at these times of a clip.
    pub(super) fn degrees(
        &self,
        scene: &Scene,
        clip: &Clip,
        mesh: MeshId,
        times: impl Iterator<Item = f32> + Clone,
    ) -> Option<Vec<f32>> {
        let each = self.meshes.get(&mesh)?.iter().map(|id| degrees(scene, clip, *id, times.clone()));
        each.reduce(|mut strongest, other| {
            strongest.iter_mut().zip(other).for_each(|(strongest, other)| *strongest = strongest.max(other));
            strongest
        })
    }

    /// The alpha to write for a layer that fades: the most if the mesh is hidden meanwhile, else its mean while the model stands.
    pub(super) fn written_alpha(
        &self,
        mesh: MeshId,
        material: Option<MaterialId>,
        layer: u32,
    ) -> Option<f32> {
        let range = self.layers.get(&(material?, layer))?;
        let alpha = if self.hides(mesh) { range.most } else { range.standing };
        alpha.is_finite().then_some(alpha.clamp(0.0, 1.0))
    }
}

/// The layer whose alpha a channel changes.
fn layer_of(target: Target) -> Option<LayerId> {
    match target {
        Target::Layer(material, layer, LayerProperty::Alpha) => Some((material, layer)),
        _ => None,
    }
}

/// The alpha of a layer where no channel changes it.
fn rest(scene: &Scene, (material, layer): LayerId) -> f32 {
    let material = scene.materials.get(material.index());
    let layer = material.and_then(|material| material.layers.get(layer as usize));
    layer.map_or(1.0, |layer| layer.alpha)
}

/// The alpha of a layer at these times of a clip.
fn degrees(scene: &Scene, clip: &Clip, id: LayerId, times: impl Iterator<Item = f32>) -> Vec<f32> {
    let globals = scene.global_channels.iter().map(|global| &global.channel);
    let channel = clip.channels.iter().chain(globals).find(|channel| layer_of(channel.target) == Some(id));
    let curve: Option<&Curve> = channel.map(|channel| &channel.curve);
    let rest = rest(scene, id);
    let value = |time| match curve.and_then(|curve| curve.sample(time)) {
        Some(Value::Scalar(alpha)) => alpha,
        _ => rest,
    };
    times.map(value).collect()
}
