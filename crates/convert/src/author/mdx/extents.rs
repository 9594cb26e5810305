//! Extents of the model, of sequences and of geosets. Those of the scene are kept where they hold; the rest are computed from poses.

use std::cell::OnceCell;

use glam::Vec3;
use mdx::records::Extent;
use scene::{Bounds, ClipId, Mesh, Moment, Pose, Sampler};

use super::{Author, space};

/// How many moments of a clip its bounds are computed from.
const MOMENTS: u8 = 10;

/// What the whole model encloses.
pub(super) struct Extents {
    pub(super) model: Extent,
    pub(super) sequences: Vec<Extent>,
}

/// The extent of computed bounds. The radius is that of the box's own ball, as in files of the game's own tools.
pub(super) fn extent(bounds: &Bounds) -> Extent {
    space::extent(&Bounds { radius: bounds.min.distance(bounds.max) / 2.0, ..*bounds })
}

/// A box that grows.
#[derive(Clone, Copy)]
struct Growing {
    min: Vec3,
    max: Vec3,
}

impl Growing {
    const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    fn add(&mut self, point: Vec3) {
        if point.is_finite() {
            self.min = self.min.min(point);
            self.max = self.max.max(point);
        }
    }

    fn corners(self) -> impl Iterator<Item = Vec3> {
        let Self { min, max } = self;
        let is_empty = min.x > max.x;
        (0..if is_empty { 0 } else { 8_u8 }).map(move |corner| {
            let pick = |bit: u8, low: f32, high: f32| if corner & bit == 0 { low } else { high };
            Vec3::new(pick(1, min.x, max.x), pick(2, min.y, max.y), pick(4, min.z, max.z))
        })
    }

    fn bounds(self) -> Option<Bounds> {
        let Self { min, max } = self;
        let center = min.midpoint(max);
        (min.x <= max.x).then(|| Bounds { min, max, center, radius: min.distance(max) / 2.0 })
    }
}

/// What vertices of a mesh enclose in its own space.
struct Carried {
    /// Those that no joint moves.
    still: Growing,
    /// Those that each joint moves.
    by_joints: Vec<Growing>,
}

impl Carried {
    fn new(mesh: &Mesh, vertices: impl Iterator<Item = usize>) -> Self {
        let joints = mesh.skin.as_ref().map_or(0, |skin| skin.joints.len());
        let mut carried = Self { still: Growing::EMPTY, by_joints: vec![Growing::EMPTY; joints] };
        for vertex in vertices {
            let position = mesh.positions[vertex];
            let influences = mesh.skin.as_ref().map_or(&[][..], |skin| skin.of(vertex));
            if influences.is_empty() {
                carried.still.add(position);
            }
            for influence in influences {
                if let Some(growing) = carried.by_joints.get_mut(influence.joint as usize) {
                    growing.add(position);
                }
            }
        }
        carried
    }
}

impl Author<'_> {
    pub(super) fn extents(&mut self) -> Extents {
        let scene = self.scene;
        let is_model_space = |mesh: &Mesh| mesh.node.is_none() || mesh.skin.is_some();
        let computed = scene.rest_bounds().unwrap_or_default();
        let model = scene.bounds.filter(|_| scene.meshes.iter().all(is_model_space));
        let shown = scene.meshes.iter().filter(|mesh| !mesh.hidden);
        let meshes: Vec<(&Mesh, OnceCell<Carried>)> = shown.map(|mesh| (mesh, OnceCell::new())).collect();
        let sequences = self.windows.iter().map(|window| {
            let Some(clip) = window.clip else { return extent(&computed) };
            if let Some(bounds) = scene.clips[clip].bounds {
                return space::extent(&bounds);
            }
            let mut all = Growing::EMPTY;
            for (mesh, carried) in &meshes {
                let carried = carried.get_or_init(|| Carried::new(mesh, 0..mesh.positions.len()));
                self.moved(mesh, clip, carried).corners().for_each(|corner| all.add(corner));
            }
            extent(&all.bounds().unwrap_or(computed))
        });
        let sequences: Vec<Extent> = sequences.collect();
        Extents { model: model.map_or_else(|| extent(&computed), |bounds| space::extent(&bounds)), sequences }
    }

    /// The extents of a geoset in each sequence.
    pub(super) fn geoset_extents(
        &self,
        mesh: &Mesh,
        keeps: bool,
        vertices: &[usize],
        positions: &[Vec3],
    ) -> Vec<Extent> {
        let given = keeps && mesh.clip_bounds.len() == self.scene.clips.len();
        let in_rest = Bounds::around(vertices.iter().map(|vertex| positions[*vertex])).unwrap_or_default();
        let carried = OnceCell::new();
        let of_window = |window: &super::Window| match window.clip {
            Some(clip) if given => space::extent(&mesh.clip_bounds[clip]),
            Some(clip) => {
                let carried = carried.get_or_init(|| Carried::new(mesh, vertices.iter().copied()));
                extent(&self.moved(mesh, clip, carried).bounds().unwrap_or(in_rest))
            }
            None => extent(&in_rest),
        };
        self.windows.iter().map(of_window).collect()
    }

    /// What vertices of a mesh enclose during a clip: boxes around what each joint moves go with it, and a vertex is always between
    /// where its joints would have it.
    fn moved(&self, mesh: &Mesh, clip: usize, carried: &Carried) -> Growing {
        let poses = self.poses(clip);
        let Some(skin) = &mesh.skin else {
            let mut around = Growing::EMPTY;
            for pose in poses {
                let world = mesh.node.and_then(|node| pose.worlds.get(node.index()));
                for corner in carried.still.corners() {
                    around.add(world.map_or(corner, |world| world.transform_point3(corner)));
                }
            }
            return around;
        };
        let mut around = carried.still;
        for pose in poses {
            for (joint, growing) in skin.joints.iter().zip(&carried.by_joints) {
                let Some(world) = pose.worlds.get(joint.node.index()) else { continue };
                let matrix = *world * joint.inverse_bind;
                growing.corners().for_each(|corner| around.add(matrix.transform_point3(corner)));
            }
        }
        around
    }

    /// Poses at evenly spaced moments of a clip.
    fn poses(&self, clip: usize) -> &[Pose] {
        self.poses[clip].get_or_init(|| {
            let sampler = Sampler::new(self.scene);
            let duration = self.scene.clips[clip].duration;
            let moments = (0..=MOMENTS).map(|step| duration * f32::from(step) / f32::from(MOMENTS));
            let moment = |time| Moment { clip: Some(ClipId::from(clip)), time, ..Moment::default() };
            moments.map(|time| sampler.pose(&moment(time))).collect()
        })
    }
}
