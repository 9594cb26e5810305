//! The meshes of a scene at one moment.

use glam::{Vec2, Vec3};
use scene::{Deformed, MaterialId, Mesh, Moment, Part, Sampler, Scene, skin};

/// Options of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The clip and the time in it; `None` for the rest pose.
    pub moment: Moment,
    /// Factor of all lengths.
    pub scale: f32,
    /// Whether meshes that are never shown, such as collision bodies, are written too.
    pub hidden: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { moment: Moment::default(), scale: 1.0, hidden: false }
    }
}

/// The meshes of a scene that are visible at one moment, in the axes of glTF: Y up, front +Z.
#[derive(Clone, Debug)]
pub struct Snapshot<'s> {
    /// The scene.
    pub scene: &'s Scene,
    /// In the order of the scene. Names are unique.
    pub meshes: Vec<Posed<'s>>,
    /// Number of omitted meshes: hidden at the moment, of a lower level of detail, or without triangles.
    pub omitted: usize,
}

/// A mesh at one moment.
#[derive(Clone, Debug)]
pub struct Posed<'s> {
    /// The mesh.
    pub mesh: &'s Mesh,
    /// Its name, made unique.
    pub name: String,
    /// Positions of the vertices.
    pub positions: Vec<Vec3>,
    /// One normal for each vertex, or an empty list.
    pub normals: Vec<Vec3>,
    /// The triangles of each part with its material.
    pub parts: Vec<(Option<MaterialId>, Vec<[u32; 3]>)>,
}

impl<'s> Snapshot<'s> {
    /// Samples the pose and skins every visible mesh.
    #[must_use]
    pub fn new(scene: &'s Scene, options: &Options) -> Self {
        let pose = Sampler::new(scene).pose(&options.moment);
        let scale = if options.scale.is_finite() && options.scale > 0.0 { options.scale } else { 1.0 };
        // From the scene's front, +X, to glTF's, +Z.
        let turn = |at: Vec3| Vec3::new(-at.z, at.y, at.x) + Vec3::ZERO;
        let mut is_lesser = vec![false; scene.meshes.len()];
        for mesh in scene.levels.iter().skip(1).flat_map(|level| &level.meshes) {
            let in_first = scene.levels.first().is_some_and(|first| first.meshes.contains(mesh));
            if let Some(lesser) = is_lesser.get_mut(mesh.index()) {
                *lesser = !in_first;
            }
        }
        let mut taken = std::collections::HashMap::new();
        let mut meshes = Vec::new();
        let mut deformed = Deformed::default();
        for ((mesh, state), lesser) in scene.meshes.iter().zip(&pose.meshes).zip(is_lesser) {
            let shows = state.visible || options.hidden && mesh.hidden;
            let mut parts = if shows && !lesser { parts(mesh) } else { Vec::new() };
            if parts.is_empty() {
                continue;
            }
            skin(mesh, &pose, &mut deformed);
            if deformed.mirrored {
                let triangles = parts.iter_mut().flat_map(|(_, triangles)| triangles);
                triangles.for_each(|triangle| triangle.swap(1, 2));
            }
            let place = |position: &Vec3| {
                let place = turn(*position) * scale;
                if place.is_finite() { place } else { Vec3::ZERO }
            };
            let name = if mesh.name.is_empty() { "Mesh" } else { &mesh.name };
            let count = taken.entry(name.to_lowercase()).or_insert(0_u32);
            let unique = if *count == 0 { name.to_owned() } else { format!("{name}.{count:03}") };
            *count += 1;
            meshes.push(Posed {
                mesh,
                name: unique,
                positions: deformed.positions.iter().map(place).collect(),
                normals: match deformed.normals.len() == deformed.positions.len() {
                    true => deformed.normals.iter().map(|normal| turn(*normal)).collect(),
                    false => Vec::new(),
                },
                parts,
            });
        }
        let omitted = scene.meshes.len() - meshes.len();
        Self { scene, meshes, omitted }
    }

    /// All triangles as positions.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> + Clone + '_ {
        self.meshes.iter().flat_map(|posed| {
            let triangles = posed.parts.iter().flat_map(|(_, triangles)| triangles);
            triangles.map(|triangle| triangle.map(|index| posed.positions[index as usize]))
        })
    }
}

impl Posed<'_> {
    /// The texture coordinates of the first set, v upwards as in these formats. Empty if the mesh has none.
    pub(crate) fn coordinates(&self) -> Vec<Vec2> {
        let set = self.mesh.uv_sets.first().filter(|set| set.len() == self.positions.len());
        let upwards = |uv: &Vec2| {
            let uv = Vec2::new(uv.x, turned_over(uv.y));
            if uv.is_finite() { uv } else { Vec2::ZERO }
        };
        set.map_or_else(Vec::new, |set| set.iter().map(upwards).collect())
    }
}

/// `1 - v`, with as few decimals as give `v` again. The coordinates of most files were turned over once before, and rounding would make
/// 0.100000024 of 0.1.
fn turned_over(v: f32) -> f32 {
    let exact = 1.0 - f64::from(v);
    let rounded = [1e4, 1e6, 1e7].map(|decimals| ((exact * decimals).round() / decimals) as f32);
    rounded.into_iter().find(|rounded| 1.0 - rounded == v).unwrap_or(exact as f32)
}

/// The parts of a mesh with triangles whose vertices exist.
fn parts(mesh: &Mesh) -> Vec<(Option<MaterialId>, Vec<[u32; 3]>)> {
    let indices: Vec<u32> = mesh.indices.iter().collect();
    let whole = [Part { material: None, start: 0, count: indices.len() as u32 }];
    let parts = if mesh.parts.is_empty() { &whole[..] } else { &mesh.parts };
    let mut found = Vec::new();
    for part in parts {
        let start = (part.start as usize).min(indices.len());
        let end = start.saturating_add(part.count as usize).min(indices.len());
        let (triangles, _) = indices[start..end].as_chunks::<3>();
        let exists =
            |triangle: &&[u32; 3]| triangle.iter().all(|index| (*index as usize) < mesh.positions.len());
        let triangles: Vec<[u32; 3]> = triangles.iter().filter(exists).copied().collect();
        if !triangles.is_empty() {
            found.push((part.material, triangles));
        }
    }
    found
}
