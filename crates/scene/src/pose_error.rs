//! How far the poses of two scenes are apart, for edits that store the same motion with fewer keys.

use std::collections::HashMap;

use glam::{Affine3A, Vec3, Vec3A};

use crate::{Bounds, ClipId, Moment, NodeId, Pose, Sampler, Scene};

/// The largest differences between the poses of two scenes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoseError {
    /// Largest distance between the positions of a vertex or of something attached to a node, as a fraction of the size of the model.
    pub position: f32,
    /// Largest difference of an opacity or a colour factor; 1 if something is visible in one scene only.
    pub value: f32,
}

impl PoseError {
    /// The larger of both.
    #[must_use]
    pub const fn largest(&self) -> f32 {
        self.position.max(self.value)
    }
}

/// Which parts of the second scene stand for those of the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partners {
    /// For each node of the first scene; `None` if nothing depends on it any more.
    pub nodes: Vec<Option<NodeId>>,
    /// For each mesh of the first scene: several may be in one.
    pub meshes: Vec<Option<usize>>,
}

impl Partners {
    /// Nodes belong together by name, parent and place at rest, and meshes by index.
    #[must_use]
    pub fn by_name(before: &Scene, after: &Scene) -> Self {
        let origins = |scene: &Scene| -> Vec<[u32; 3]> {
            scene.rest_worlds().iter().map(|world| world.translation.to_array().map(f32::to_bits)).collect()
        };
        let parent = |scene: &Scene, index: usize| -> String {
            let parent = scene.nodes[index].parent.and_then(|parent| scene.nodes.get(parent.index()));
            parent.map(|parent| parent.name.clone()).unwrap_or_default()
        };
        let (mut exact, mut named): (HashMap<_, Vec<usize>>, HashMap<_, Vec<usize>>) = Default::default();
        for (index, origin) in origins(after).into_iter().enumerate().rev() {
            let name = after.nodes[index].name.clone();
            exact.entry((name.clone(), parent(after, index), origin)).or_default().push(index);
            named.entry(name).or_default().push(index);
        }
        let nodes = origins(before).into_iter().enumerate().map(|(index, origin)| {
            let name = &before.nodes[index].name;
            let same = exact.get_mut(&(name.clone(), parent(before, index), origin));
            let found = same.and_then(Vec::pop).or_else(|| named.get(name)?.last().copied());
            found.map(NodeId::from)
        });
        let nodes = nodes.collect();
        let meshes = (0..before.meshes.len()).map(|index| (index < after.meshes.len()).then_some(index));
        Self { nodes, meshes: meshes.collect() }
    }
}

/// The most nodes of poses that are compared, so that a file cannot demand hours.
const MAX_NODES: usize = 8_000_000;

/// Measures the largest differences of poses: at the keys of both scenes, between them, and at `random` moments of every clip.
///
/// Vertices are represented by the corners of the box around those that a node moves, which are the farthest from where they were; what
/// is attached to other nodes by points at a tenth of the size of the model.
///
/// ```
/// use meshwright_scene::{Partners, Scene, pose_error};
/// let scene = Scene::default();
/// let error = pose_error(&scene, &scene, &Partners::by_name(&scene, &scene), 50);
/// assert_eq!(error.largest(), 0.0);
/// ```
#[must_use]
pub fn pose_error(before: &Scene, after: &Scene, partners: &Partners, random: usize) -> PoseError {
    let size = before.rest_bounds().map_or(1.0, |bounds| bounds.radius).max(1e-3);
    let reaches = reaches(before, size);
    let mut error = PoseError::default();
    let (one, other) = (Sampler::new(before), Sampler::new(after));
    let (mut a, mut b) = (Pose::default(), Pose::default());
    let clips = before.clips.len().min(after.clips.len());
    let poses = MAX_NODES / before.nodes.len().max(1);
    let per_clip = (poses / (clips + 1)).max(3);
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    for clip in (0..clips).map(Some).chain([None]) {
        let mut times = moments(before, after, clip, per_clip);
        let duration = clip.map_or(0.0, |clip| before.clips[clip].duration);
        times.extend((0..random).map(|_| duration * next(&mut seed)));
        for time in times {
            let moment = Moment { clip: clip.map(ClipId::from), time, clock: time, view: None };
            one.sample(&moment, &mut a);
            other.sample(&moment, &mut b);
            compare(&a, &b, partners, &reaches, size, &mut error);
        }
    }
    error
}

/// The next number between 0 and 1 of a fixed sequence.
fn next(seed: &mut u64) -> f32 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 40) as f32 / (1_u32 << 24) as f32
}

/// The times of keys of a clip, or of the global sequences, and the times between them; at most `most`.
fn moments(before: &Scene, after: &Scene, clip: Option<usize>, most: usize) -> Vec<f32> {
    let mut times = vec![0.0];
    for scene in [before, after] {
        let curves: Vec<&crate::Curve> = match clip {
            Some(clip) => scene.clips[clip].channels.iter().map(|channel| &channel.curve).collect(),
            None => scene.global_channels.iter().map(|global| &global.channel.curve).collect(),
        };
        times.extend(curves.into_iter().flat_map(|curve| curve.times().iter().copied()).take(1 << 20));
    }
    let duration = clip.map_or(f32::MAX, |clip| before.clips[clip].duration);
    times.extend(clip.map(|_| duration));
    times.retain(|time| (0.0..=duration).contains(time));
    times.sort_by(f32::total_cmp);
    times.dedup();
    let between: Vec<f32> = times.windows(2).map(|pair| pair[0].midpoint(pair[1])).collect();
    times.extend(between);
    if times.len() > most {
        let step = times.len().div_ceil(most);
        times = times.into_iter().step_by(step).collect();
    }
    times
}

/// Points of each node that are the farthest from its origin.
fn reaches(scene: &Scene, size: f32) -> Vec<Vec<Vec3A>> {
    let mut boxes: Vec<Vec<(Affine3A, Bounds)>> = vec![Vec::new(); scene.nodes.len()];
    for mesh in &scene.meshes {
        let Some(skin) = &mesh.skin else {
            let node = mesh.node.and_then(|node| boxes.get_mut(node.index()));
            if let (Some(node), Some(bounds)) = (node, Bounds::around(mesh.positions.iter().copied())) {
                node.push((Affine3A::IDENTITY, bounds));
            }
            continue;
        };
        let mut moved: Vec<Option<Bounds>> = vec![None; skin.joints.len()];
        for (vertex, position) in mesh.positions.iter().enumerate() {
            for influence in skin.of(vertex).iter().filter(|influence| influence.weight > 0.0) {
                if let Some(bounds) = moved.get_mut(influence.joint as usize) {
                    let old =
                        bounds.get_or_insert(Bounds { min: *position, max: *position, ..Bounds::default() });
                    (old.min, old.max) = (old.min.min(*position), old.max.max(*position));
                }
            }
        }
        for (joint, bounds) in skin.joints.iter().zip(moved) {
            if let (Some(node), Some(bounds)) = (boxes.get_mut(joint.node.index()), bounds) {
                node.push((joint.inverse_bind, bounds));
            }
        }
    }
    let corners = |(bind, bounds): (Affine3A, Bounds)| {
        (0..8_u8).map(move |corner| {
            let part = |axis: u8, low: f32, high: f32| if corner & axis == 0 { low } else { high };
            let corner = Vec3::new(
                part(1, bounds.min.x, bounds.max.x),
                part(2, bounds.min.y, bounds.max.y),
                part(4, bounds.min.z, bounds.max.z),
            );
            bind.transform_point3a(corner.into())
        })
    };
    let near: Vec<Vec3A> = Vec3A::AXES.iter().map(|axis| *axis * size * 0.1).chain([Vec3A::ZERO]).collect();
    boxes
        .into_iter()
        .map(
            |boxes| {
                if boxes.is_empty() { near.clone() } else { boxes.into_iter().flat_map(corners).collect() }
            },
        )
        .collect()
}

fn compare(
    a: &Pose,
    b: &Pose,
    partners: &Partners,
    reaches: &[Vec<Vec3A>],
    size: f32,
    error: &mut PoseError,
) {
    // Damaged models have NaN in both poses.
    let worse = |worst: &mut f32, miss: f32| *worst = if miss > *worst { miss } else { *worst };
    for (index, points) in reaches.iter().enumerate() {
        let Some(twin) = partners.nodes.get(index).copied().flatten() else { continue };
        let (Some(one), Some(other)) = (a.worlds.get(index), b.worlds.get(twin.index())) else { continue };
        if one != other {
            for point in points {
                let apart = one.transform_point3a(*point).distance(other.transform_point3a(*point));
                worse(&mut error.position, apart / size);
            }
        }
        worse(&mut error.value, (a.visibility[index] - b.visibility[twin.index()]).abs());
    }
    for (index, state) in a.meshes.iter().enumerate() {
        let twin = partners.meshes.get(index).copied().flatten().and_then(|twin| b.meshes.get(twin));
        let Some(twin) = twin else { continue };
        worse(&mut error.value, f32::from(u8::from(state.visible != twin.visible)));
        worse(&mut error.value, (state.alpha - twin.alpha).abs());
        if state.visible {
            worse(&mut error.value, (state.color - twin.color).abs().max_element());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Channel, Clip, Curve, Interpolation, Mesh, Node, NodeProperty, Target, Track};
    use glam::Quat;

    /// A node with a mesh that reaches two units, turned by a clip to this angle.
    fn turning(angle: f32) -> Scene {
        let turn = [(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(angle))];
        let curve = Curve::Rotation(Track::new(Interpolation::Linear, turn));
        let channel = Channel { target: Target::Node(NodeId(0), NodeProperty::Rotation), curve };
        let positions = vec![Vec3::ZERO, Vec3::X * 2.0];
        Scene {
            nodes: vec![Node { name: "Arm".into(), ..Node::default() }],
            meshes: vec![Mesh { node: Some(NodeId(0)), positions, ..Mesh::default() }],
            clips: vec![Clip { duration: 1.0, channels: vec![channel], ..Clip::default() }],
            ..Scene::default()
        }
    }

    #[test]
    fn a_turn_is_measured_at_the_farthest_vertex() {
        let (one, other) = (turning(0.0), turning(0.01));
        let partners = Partners::by_name(&one, &other);
        assert_eq!(pose_error(&one, &one, &partners, 50), PoseError::default());
        let error = pose_error(&one, &other, &partners, 50);
        let size = one.rest_bounds().map_or(1.0, |bounds| bounds.radius);
        assert!((error.position - 0.02 / size).abs() < 1e-4, "{error:?}");
        assert_eq!(error.value, 0.0);
    }

    #[test]
    fn nodes_of_one_name_are_told_apart_by_their_place() {
        let node = |x: f32| Node {
            name: "Bone".into(),
            rest: crate::Transform::from_translation(Vec3::X * x),
            ..Node::default()
        };
        let before = Scene { nodes: vec![node(1.0), node(2.0)], ..Scene::default() };
        let after = Scene { nodes: vec![node(2.0)], ..Scene::default() };
        assert_eq!(Partners::by_name(&before, &after).nodes[1], Some(NodeId(0)));
    }

    #[test]
    fn hidden_meshes_count_as_one() {
        let one = turning(0.0);
        let mut other = one.clone();
        other.meshes[0].hidden = true;
        let error = pose_error(&one, &other, &Partners::by_name(&one, &other), 0);
        assert_eq!(error, PoseError { position: 0.0, value: 1.0 });
    }
}
