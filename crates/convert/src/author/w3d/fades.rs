//! Meshes and layers whose alpha changes. W3D cannot animate opacity, but it can hide a mesh while nothing of it shows.

use std::collections::{BTreeSet, HashMap, HashSet};

use scene::{
    Clip, Curve, LayerProperty, Material, MaterialId, Mesh, MeshId, MeshProperty, Scene, Target, Value,
};

/// Alpha up to which nothing is seen.
pub(super) const FAINT: f32 = 1.0 / 255.0;

/// Times in the clip of standing at which the alpha of a layer is taken.
const SAMPLES: u8 = 16;

/// An alpha that a channel changes.
#[derive(Clone, Copy, Debug)]
struct Range {
    least: f32,
    most: f32,
    /// Its mean in the standing clip.
    mean: f32,
    /// Its mean in the standing clip over the times when it is visible; zero if there are none.
    seen: f32,
}

impl Range {
    /// The alpha of something that is hidden while it is faint.
    fn visible(self) -> f32 {
        limited(if self.seen > FAINT { self.seen } else { self.most })
    }
}

/// The alpha of the strongest layer of materials at each of some times.
pub(super) type Alphas = HashMap<MaterialId, Vec<f32>>;

/// Which layers and meshes fade.
#[derive(Debug, Default)]
pub(super) struct Fades {
    ranges: HashMap<Target, Range>,
    /// Meshes that are invisible while all layers of these materials are faint.
    meshes: HashMap<MeshId, BTreeSet<MaterialId>>,
    /// The materials of all these meshes.
    materials: HashSet<MaterialId>,
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
        let curves = stand.map(|clip| curves(scene, clip)).unwrap_or_default();
        for (target, range) in &mut fades.ranges {
            let rest = rest(scene, *target).unwrap_or(1.0);
            let alphas: Vec<f32> = match (stand, curves.get(target)) {
                (Some(clip), Some(curve)) => {
                    let times = (0..SAMPLES).map(|step| clip.duration * f32::from(step) / f32::from(SAMPLES));
                    times.map(|time| alpha(curve, rest, time)).collect()
                }
                _ => vec![rest],
            };
            range.mean = mean(alphas.iter().copied());
            range.seen = mean(alphas.into_iter().filter(|alpha| *alpha > FAINT));
        }
        let vanishing: Vec<Option<bool>> = (0..)
            .zip(&scene.materials)
            .map(|(index, material)| fades.vanishes(MaterialId(index), material))
            .collect();
        for (index, mesh) in scene.meshes.iter().enumerate() {
            let vanishes = |part: &scene::Part| *vanishing.get(part.material?.index())?;
            let parts: Option<Vec<bool>> = mesh.parts.iter().map(vanishes).collect();
            if parts.is_some_and(|is_animated| is_animated.contains(&true)) {
                fades.materials.extend(materials(mesh));
                fades.meshes.insert(MeshId::from(index), materials(mesh).collect());
            }
        }
        fades
    }

    /// Whether channels make all layers of a material faint at some time. `None` if one layer never is.
    fn vanishes(&self, id: MaterialId, material: &Material) -> Option<bool> {
        let ranges =
            || (0..).zip(&material.layers).map(|(index, layer)| (layer, self.ranges.get(&target(id, index))));
        let is_faint = |(layer, range): (&scene::Layer, Option<&Range>)| {
            range.map_or(layer.alpha, |range| range.least) <= FAINT
        };
        let vanishes = !material.layers.is_empty() && ranges().all(is_faint);
        vanishes.then(|| ranges().any(|(_, range)| range.is_some()))
    }

    /// Whether a mesh is hidden while its layers are faint.
    pub(super) fn hides(&self, mesh: MeshId) -> bool {
        self.meshes.contains_key(&mesh)
    }

    /// Whether a channel hides meshes.
    pub(super) fn is_expressed(&self, channel: Target) -> bool {
        matches!(channel, Target::Layer(material, ..) if self.materials.contains(&material))
            && self.ranges.contains_key(&channel)
    }

    /// The alpha of the strongest layer at these times of a clip, for each material of a mesh that is hidden meanwhile.
    pub(super) fn alphas(
        &self,
        scene: &Scene,
        clip: &Clip,
        times: impl ExactSizeIterator<Item = f32> + Clone,
    ) -> Alphas {
        if self.materials.is_empty() {
            return Alphas::new();
        }
        let curves = curves(scene, clip);
        let strongest = |id: &MaterialId| {
            let mut strongest = vec![0.0_f32; times.len()];
            let layers = scene.materials.get(id.index()).map_or(&[][..], |material| &material.layers);
            for (index, layer) in (0..).zip(layers) {
                let curve = curves.get(&target(*id, index));
                let value = |time| curve.map_or(layer.alpha, |curve| alpha(curve, layer.alpha, time));
                strongest
                    .iter_mut()
                    .zip(times.clone())
                    .for_each(|(most, time)| *most = most.max(value(time)));
            }
            (*id, strongest)
        };
        self.materials.iter().map(strongest).collect()
    }

    /// The alpha of the strongest layer of a mesh at each time, if it is hidden meanwhile.
    pub(super) fn mesh_alphas(&self, mesh: MeshId, alphas: &Alphas) -> Option<Vec<f32>> {
        let mut of_materials = self.meshes.get(&mesh)?.iter().filter_map(|id| alphas.get(id));
        let mut strongest = of_materials.next()?.clone();
        for other in of_materials {
            strongest.iter_mut().zip(other).for_each(|(most, other)| *most = most.max(*other));
        }
        Some(strongest)
    }

    /// The alpha to write for a mesh that fades.
    pub(super) fn mesh_alpha(&self, mesh: MeshId) -> Option<f32> {
        self.ranges.get(&Target::Mesh(mesh, MeshProperty::Alpha)).map(|range| range.visible())
    }

    /// The alpha to write for a layer that fades. If its mesh is not hidden meanwhile, it is the mean, faint times included.
    pub(super) fn layer_alpha(&self, mesh: MeshId, material: Option<MaterialId>, layer: u32) -> Option<f32> {
        let range = self.ranges.get(&target(material?, layer))?;
        Some(if self.hides(mesh) { range.visible() } else { limited(range.mean) })
    }
}

/// The target of channels that change the alpha of a layer.
fn target(material: MaterialId, layer: u32) -> Target {
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

/// The curves of all alphas in a clip. Those of the clip come before those of global sequences.
fn curves<'s>(scene: &'s Scene, clip: &'s Clip) -> HashMap<Target, &'s Curve> {
    let globals = scene.global_channels.iter().map(|global| &global.channel);
    let mut curves = HashMap::new();
    for channel in clip.channels.iter().chain(globals) {
        if rest(scene, channel.target).is_some() {
            curves.entry(channel.target).or_insert(&channel.curve);
        }
    }
    curves
}

/// The materials of a mesh.
fn materials(mesh: &Mesh) -> impl Iterator<Item = MaterialId> {
    mesh.parts.iter().filter_map(|part| part.material)
}

/// An alpha at a time.
fn alpha(curve: &Curve, rest: f32, time: f32) -> f32 {
    match curve.sample(time) {
        Some(Value::Scalar(alpha)) => alpha,
        _ => rest,
    }
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
