//! Bones that grow and shrink, for a format without scale.
//!
//! A pivot only moves and turns. But a child of a bone that grows moves away from it: so vertices of such a bone are bound to children of
//! the bone that lie where the vertices lie. With four bones per vertex, four children are enough for any number of vertices: each vertex
//! is a weighted mean of the corners of a tetrahedron around all of them, and stays the same mean however the tetrahedron is deformed.
//!
//! A scale that never changes needs no children; it goes into the rest pose, which is written without scale anyway.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::{Affine3A, Mat3A, Vec3};
use scene::{
    Billboard, ClipId, Curve, Hierarchy, Influence, Inherit, Joint, Mesh, MeshProperty, Node, NodeId,
    NodeProperty, Scene, Skin, Target, Transform, Value,
};

use super::Options;
use super::worlds::{Channels, Worlds};

/// A scene whose vertices do not need scale.
pub(super) struct Grown {
    pub(super) scene: Scene,
    /// How many children were added to bones.
    pub(super) added: usize,
    /// Meshes that would need too many.
    pub(super) too_large: Vec<String>,
    /// Meshes whose normals are off, and by how many degrees: added children move, and do not turn.
    pub(super) normals: Vec<(String, f32)>,
}

/// How much an axis may grow and count as unchanged.
const TOLERANCE: f32 = 1e-3;

/// How many places of all children at all frames there may be: each takes 12 bytes of the file.
const MAX_PLACES: usize = 6_000_000;

/// How many children there may be; a skeleton has 65,535 pivots.
const MAX_CHILDREN: usize = 30_000;

/// Binds what grows to children of its bones; nothing if nothing grows.
pub(super) fn without_scale(scene: &Scene, options: &Options) -> Option<Grown> {
    if !scales(scene) && !turns_below_uneven_scale(scene) {
        return None;
    }
    let mut scene = scene.clone();
    bake_constant_scale(&mut scene);
    let (growing, frames) = growing_joints(&scene, options);
    let turned = |world: &Affine3A, rest: &Affine3A| {
        (super::plan::rigid(*world) * super::plan::rigid(*rest).inverse()).matrix3
    };
    let normals = crate::author::normals::errors(&scene, &growing, turned);
    let mut grown = Grown { scene, added: 0, too_large: Vec::new(), normals };
    let bones = options.profile.limits().bones;
    for (index, nodes) in growing.into_iter().enumerate().filter(|(_, nodes)| !nodes.is_empty()) {
        let mesh = &mut grown.scene.meshes[index];
        if mesh.skin.is_none() {
            mesh.skin = skin_of_rigid(mesh);
        }
        let Some(skin) = &mesh.skin else { continue };
        let binding = Binding::new(skin, &mesh.positions, &nodes, bones);
        let children = grown.added + binding.children.len();
        if children > MAX_CHILDREN || children.saturating_mul(frames) > MAX_PLACES {
            grown.too_large.push(mesh.name.clone());
            continue;
        }
        grown.bind(index, binding);
    }
    Some(grown)
}

/// Whether any node has a scale other than one.
fn scales(scene: &Scene) -> bool {
    scene.channels().any(|channel| match (channel.target, &channel.curve) {
        (Target::Node(_, NodeProperty::Scale), Curve::Vector(track)) => {
            track.values.iter().any(|value| !value.abs_diff_eq(Vec3::ONE, TOLERANCE))
        }
        _ => false,
    })
}

/// Whether a node turns below a scale that is not even: its vertices come nearer and move apart.
fn turns_below_uneven_scale(scene: &Scene) -> bool {
    let hierarchy = scene.hierarchy();
    let is_uneven = |node: &Node| {
        let scale = node.rest.scale;
        (scale.abs() - scale.x.abs()).abs().max_element() > TOLERANCE * scale.abs().max_element()
    };
    let mut below: Vec<bool> = scene.nodes.iter().map(is_uneven).collect();
    if !below.contains(&true) {
        return false;
    }
    hierarchy.mark_below(&mut below);
    scene.channels().any(|channel| match channel.target {
        Target::Node(node, NodeProperty::Rotation) => {
            let parent = hierarchy.parents.get(node.index()).copied().flatten();
            parent.is_some_and(|parent| below[parent.index()])
        }
        _ => false,
    })
}

/// Makes scales that are the same in all clips the scale at rest.
fn bake_constant_scale(scene: &mut Scene) {
    let global: HashSet<Target> = scene.global_channels.iter().map(|global| global.channel.target).collect();
    let mut constants: HashMap<NodeId, (Vec3, usize)> = HashMap::new();
    for channel in scene.clips.iter().flat_map(|clip| &clip.channels) {
        let (Target::Node(node, NodeProperty::Scale), Curve::Vector(track)) =
            (channel.target, &channel.curve)
        else {
            continue;
        };
        let Some(first) = track.values.first().copied() else { continue };
        let (value, count) = constants.entry(node).or_insert((first, 0));
        let is_same = track.values.iter().all(|each| each.abs_diff_eq(*value, 1e-5));
        *count += usize::from(is_same && !global.contains(&channel.target));
    }
    let clips = scene.clips.len();
    let is_seen = |scale: &Vec3| scale.is_finite() && scale.abs().min_element() > super::plan::NOTHING;
    constants.retain(|node, (value, count)| {
        *count == clips && is_seen(value) && scene.nodes.get(node.index()).is_some()
    });
    for clip in &mut scene.clips {
        clip.channels.retain(|channel| {
            !matches!(channel.target, Target::Node(node, NodeProperty::Scale) if constants.contains_key(&node))
        });
    }
    for (node, (scale, _)) in constants {
        scene.nodes[node.index()].rest.scale = scale;
    }
}

/// For each mesh the nodes of it that grow while it is seen; and the number of frames of all clips.
fn growing_joints(scene: &Scene, options: &Options) -> (Vec<HashSet<NodeId>>, usize) {
    let hierarchy = scene.hierarchy();
    let rest = scene.rest_worlds();
    let mut growing = vec![HashSet::new(); scene.meshes.len()];
    let mut frames = 0;
    for (index, clip) in scene.clips.iter().enumerate() {
        let rate = clip.frame_rate.filter(|rate| *rate >= 1.0).unwrap_or(options.frame_rate as f32);
        // Longer clips are refused later.
        let count = (clip.duration.max(0.0) * rate).round().min(65_535.0) as usize + 1;
        frames += count;
        let may_grow = may_grow(scene, ClipId::from(index), &hierarchy);
        if !may_grow.contains(&true) {
            continue;
        }
        let mut watched: Vec<Watched> = Vec::new();
        for (mesh, growing) in growing.iter().enumerate() {
            let mut nodes = joints(scene, &scene.meshes[mesh]);
            nodes.retain(|node| may_grow.get(node.index()) == Some(&true) && !growing.contains(node));
            nodes.sort_unstable();
            nodes.dedup();
            if !nodes.is_empty() {
                watched.push(Watched { mesh, nodes });
            }
        }
        let nodes = watched.iter().flat_map(|watched| watched.nodes.iter().copied());
        let mut worlds = Worlds::new(scene, &hierarchy, &rest, nodes);
        let moving = worlds.channels(ClipId::from(index));
        let shown = Shown::new(scene, ClipId::from(index));
        for frame in 0..count {
            if watched.is_empty() {
                break;
            }
            let time = frame as f32 / rate;
            let worlds = worlds.sample(&moving, time);
            let shown = shown.sample(time);
            for Watched { mesh, nodes } in watched.iter_mut().filter(|watched| shown[watched.mesh]) {
                nodes.retain(|node| {
                    let grows = grows(&worlds[node.index()], &rest[node.index()]);
                    if grows {
                        growing[*mesh].insert(*node);
                    }
                    !grows
                });
            }
            watched.retain(|watched| !watched.nodes.is_empty());
        }
    }
    (growing, frames)
}

/// A mesh, and the nodes of it that have not grown yet.
struct Watched {
    mesh: usize,
    nodes: Vec<NodeId>,
}

/// The nodes that vertices of a mesh follow.
fn joints(scene: &Scene, mesh: &Mesh) -> Vec<NodeId> {
    match &mesh.skin {
        Some(skin) => skin.joints.iter().map(|joint| joint.node).collect(),
        // Billboards are not skinned.
        None => {
            let turns = |node: &NodeId| {
                scene.nodes.get(node.index()).is_none_or(|node| node.billboard != Billboard::None)
            };
            mesh.node.into_iter().filter(|node| !turns(node)).collect()
        }
    }
}

/// Whether each node may grow in a clip: something scales it or a node above it, by other amounts along its axes or at other times.
fn may_grow(scene: &Scene, clip: ClipId, hierarchy: &Hierarchy) -> Vec<bool> {
    let is_even = |scale: Vec3| scale.x == scale.y && scale.y == scale.z;
    let is_stiff = |node: &Node| is_even(node.rest.scale) && node.inherit == Inherit::ALL;
    let mut may_grow: Vec<bool> = scene.nodes.iter().map(|node| !is_stiff(node)).collect();
    let clip = scene.clips.get(clip.index()).map_or(&[][..], |clip| &clip.channels);
    for channel in clip.iter().chain(scene.global_channels.iter().map(|global| &global.channel)) {
        if let Target::Node(node, NodeProperty::Scale) = channel.target
            && let Some(may_grow) = may_grow.get_mut(node.index())
        {
            *may_grow = true;
        }
    }
    hierarchy.mark_below(&mut may_grow);
    may_grow
}

/// Whether a matrix has another size than at rest, along any direction.
fn grows(world: &Affine3A, rest: &Affine3A) -> bool {
    let metric = |world: &Affine3A| world.matrix3.transpose() * world.matrix3;
    let rest: Mat3A = metric(rest);
    let room = 2.0 * TOLERANCE * rest.x_axis.x.max(rest.y_axis.y).max(rest.z_axis.z).max(1e-6);
    !metric(world).abs_diff_eq(rest, room)
}

/// Which meshes are seen.
struct Shown<'s> {
    scene: &'s Scene,
    channels: Channels<'s>,
}

impl<'s> Shown<'s> {
    fn new(scene: &'s Scene, clip: ClipId) -> Self {
        let channels = Channels::new(scene, clip, |target| {
            matches!(
                target,
                Target::Node(_, NodeProperty::Visibility)
                    | Target::Mesh(_, MeshProperty::Alpha | MeshProperty::Visibility)
            )
        });
        Self { scene, channels }
    }

    /// Whether each mesh is seen at a time.
    fn sample(&self, time: f32) -> Vec<bool> {
        let mut nodes: Vec<f32> = self.scene.nodes.iter().map(|node| f32::from(node.visible)).collect();
        let mut meshes: Vec<(bool, f32)> =
            self.scene.meshes.iter().map(|mesh| (!mesh.hidden, mesh.alpha)).collect();
        for (target, value) in self.channels.values(time) {
            match (target, value) {
                (Target::Node(node, _), value) => {
                    let Some(shown) = nodes.get_mut(node.index()) else { continue };
                    match value {
                        Value::Flag(value) => *shown = f32::from(value),
                        Value::Scalar(value) => *shown = value,
                        _ => {}
                    }
                }
                (Target::Mesh(mesh, MeshProperty::Alpha), Value::Scalar(value)) => {
                    meshes.get_mut(mesh.index()).into_iter().for_each(|(_, alpha)| *alpha = value);
                }
                (Target::Mesh(mesh, MeshProperty::Visibility), Value::Flag(value)) => {
                    meshes.get_mut(mesh.index()).into_iter().for_each(|(shown, _)| *shown &= value);
                }
                _ => {}
            }
        }
        let shown = self.scene.meshes.iter().zip(meshes).map(|(mesh, (shown, alpha))| {
            let node = mesh.node.and_then(|node| nodes.get(node.index())).copied().unwrap_or(1.0);
            shown && alpha * node > 0.0
        });
        shown.collect()
    }
}

/// A mesh on a node as a skin with that joint alone.
fn skin_of_rigid(mesh: &Mesh) -> Option<Skin> {
    let joint = Joint { node: mesh.node?, inverse_bind: Affine3A::IDENTITY };
    let mut skin = Skin { joints: vec![joint], ..Skin::default() };
    let set = skin.push_set([Influence { joint: 0, weight: 1.0 }]);
    skin.sets = vec![set; mesh.positions.len()];
    Some(skin)
}

/// What replaces the skin of a mesh.
#[derive(Default)]
struct Binding {
    /// The joint of each child, and where it is in the joint's space.
    children: Vec<(u32, Vec3)>,
    /// For each vertex its influences; the joints of children come after the old ones.
    vertices: Vec<Vec<Influence>>,
}

impl Binding {
    fn new(skin: &Skin, positions: &[Vec3], growing: &HashSet<NodeId>, bones: usize) -> Self {
        let is_growing =
            |joint: u32| skin.joints.get(joint as usize).is_some_and(|joint| growing.contains(&joint.node));
        let local = |joint: u32, vertex: usize| {
            skin.joints[joint as usize].inverse_bind.transform_point3(positions[vertex])
        };
        let vertices: Vec<Vec<Influence>> =
            (0..positions.len()).map(|vertex| merged(skin.of(vertex))).collect();
        let mut binding = Self::default();
        let mut corners: BTreeMap<u32, Tetrahedron> = BTreeMap::new();
        if bones >= 4 {
            let mut alone: BTreeMap<u32, Vec<Vec3>> = BTreeMap::new();
            for (vertex, influences) in vertices.iter().enumerate() {
                if let [only] = influences[..]
                    && is_growing(only.joint)
                {
                    alone.entry(only.joint).or_default().push(local(only.joint, vertex));
                }
            }
            for (joint, points) in alone.into_iter().filter(|(_, points)| points.len() > 4) {
                let Some(tetrahedron) = Tetrahedron::around(&points) else { continue };
                let first = (skin.joints.len() + binding.children.len()) as u32;
                binding.children.extend(tetrahedron.corners().map(|corner| (joint, corner)));
                corners.insert(joint, Tetrahedron { first, ..tetrahedron });
            }
        }
        let mut known: HashMap<(u32, [u32; 3]), u32> = HashMap::new();
        for (vertex, influences) in vertices.into_iter().enumerate() {
            if let [only] = influences[..]
                && let Some(tetrahedron) = corners.get(&only.joint)
            {
                binding.vertices.push(tetrahedron.influences(local(only.joint, vertex)));
                continue;
            }
            // Weaker ones are dropped anyway.
            let bound = influences.into_iter().enumerate().map(|(place, influence)| {
                if place >= bones || !is_growing(influence.joint) {
                    return influence;
                }
                let position = local(influence.joint, vertex);
                let key = (influence.joint, position.to_array().map(|number| (number + 0.0).to_bits()));
                let joint = *known.entry(key).or_insert_with(|| {
                    binding.children.push((influence.joint, position));
                    (skin.joints.len() + binding.children.len() - 1) as u32
                });
                Influence { joint, ..influence }
            });
            binding.vertices.push(bound.collect());
        }
        binding
    }
}

/// The influences of a vertex, each joint once, the strongest first.
fn merged(influences: &[Influence]) -> Vec<Influence> {
    let mut merged: Vec<Influence> = Vec::new();
    for influence in influences.iter().filter(|influence| influence.weight > 0.0) {
        match merged.iter_mut().find(|known| known.joint == influence.joint) {
            Some(known) => known.weight += influence.weight,
            None => merged.push(*influence),
        }
    }
    merged.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    merged
}

/// One corner and three edges along the axes.
#[derive(Clone, Copy)]
struct Tetrahedron {
    origin: Vec3,
    edges: Vec3,
    /// The joint of its first corner.
    first: u32,
}

impl Tetrahedron {
    /// Around a box around points: edges of three times its size hold it, because no point is further than a third along each.
    fn around(points: &[Vec3]) -> Option<Self> {
        let bounds = scene::Bounds::around(points.iter().copied())?;
        let size = bounds.max - bounds.min;
        let least = (size.max_element() * 0.01).max(1e-3);
        let found = Self { origin: bounds.min, edges: size.max(Vec3::splat(least)) * 3.0, first: 0 };
        (found.origin.is_finite() && found.edges.is_finite()).then_some(found)
    }

    fn corners(&self) -> [Vec3; 4] {
        let Self { origin, edges, .. } = *self;
        [origin, origin + Vec3::X * edges, origin + Vec3::Y * edges, origin + Vec3::Z * edges]
    }

    /// The corners whose weighted mean is a point.
    fn influences(&self, point: Vec3) -> Vec<Influence> {
        let shares = ((point - self.origin) / self.edges).clamp(Vec3::ZERO, Vec3::splat(1.0 / 3.0));
        let weights = [1.0 - shares.element_sum(), shares.x, shares.y, shares.z];
        let corners = (self.first..).zip(weights).map(|(joint, weight)| Influence { joint, weight });
        corners.filter(|corner| corner.weight > 0.0).collect()
    }
}

impl Grown {
    /// Gives a mesh its new skin, and the skeleton its new nodes.
    fn bind(&mut self, mesh: usize, binding: Binding) {
        let Some(skin) = &self.scene.meshes[mesh].skin else { return };
        let mut new = Skin { joints: skin.joints.clone(), ..Skin::default() };
        for (joint, position) in binding.children {
            let Joint { node, inverse_bind } = new.joints[joint as usize];
            self.added += 1;
            let child = NodeId::from(self.scene.nodes.len());
            self.scene.nodes.push(Node {
                name: format!("GROW{}", self.added),
                parent: Some(node),
                rest: Transform::from_translation(position),
                is_bone: true,
                ..Node::default()
            });
            new.joints.push(Joint {
                node: child,
                inverse_bind: Affine3A::from_translation(-position) * inverse_bind,
            });
        }
        binding.vertices.into_iter().for_each(|influences| new.push_vertex(influences));
        self.scene.meshes[mesh].skin = Some(new);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Profile;
    use super::*;
    use scene::{Channel, Clip, Deformed, Indices, Interpolation, Moment, Sampler, Track, skin};

    /// A bone that grows to twice its size along X and one and a half along Y, with a sheet of vertices on it.
    fn growing() -> Scene {
        let scale = Track::new(Interpolation::Linear, [(0.0, Vec3::ONE), (1.0, Vec3::new(2.0, 1.5, 1.0))]);
        let target = Target::Node(NodeId(0), NodeProperty::Scale);
        let positions: Vec<Vec3> =
            (0..12_u8).map(|index| Vec3::new(f32::from(index % 4), f32::from(index / 4), 1.0)).collect();
        Scene {
            nodes: vec![Node {
                rest: Transform::from_translation(Vec3::new(1.0, 0.0, 0.0)),
                ..Node::default()
            }],
            meshes: vec![Mesh {
                node: Some(NodeId(0)),
                positions,
                indices: Indices::Short(vec![0, 1, 4, 5, 9, 10]),
                ..Mesh::default()
            }],
            clips: vec![Clip {
                duration: 1.0,
                channels: vec![Channel { target, curve: Curve::Vector(scale) }],
                ..Clip::default()
            }],
            ..Scene::default()
        }
    }

    /// The vertices at the end of the clip, where bones have moved and turned but not grown.
    fn places(scene: &Scene, is_rigid: bool) -> Vec<Vec3> {
        let moment = Moment { clip: Some(ClipId(0)), time: 1.0, ..Moment::default() };
        let mut pose = Sampler::new(scene).pose(&moment);
        if is_rigid {
            pose.worlds.iter_mut().for_each(|world| *world = super::super::plan::rigid(*world));
        }
        let mut deformed = Deformed::default();
        skin(&scene.meshes[0], &pose, &mut deformed);
        deformed.positions
    }

    #[test]
    fn vertices_of_growing_bones_follow_children_that_only_move() {
        let scene = growing();
        let wanted = places(&scene, false);
        for (profile, children) in [(Profile::Tt5, 4), (Profile::Bfme2, 12), (Profile::ZeroHour, 12)] {
            let options = Options { profile, ..Options::default() };
            let grown = without_scale(&scene, &options).unwrap();
            assert_eq!(grown.added, children, "{}", profile.name());
            assert!(grown.too_large.is_empty());
            for (wanted, found) in wanted.iter().zip(places(&grown.scene, true)) {
                assert!(wanted.abs_diff_eq(found, 1e-5), "{}: {wanted} became {found}", profile.name());
            }
        }
    }

    #[test]
    fn a_constant_scale_needs_no_children() {
        let mut scene = growing();
        let track = Track::new(Interpolation::Linear, [(0.0, Vec3::splat(3.0))]);
        scene.clips[0].channels[0].curve = Curve::Vector(track);
        let grown = without_scale(&scene, &Options::default()).unwrap();
        assert_eq!((grown.added, grown.scene.nodes[0].rest.scale), (0, Vec3::splat(3.0)));
        assert!(grown.scene.clips[0].channels.is_empty());
    }

    #[test]
    fn a_scene_without_scale_stays_as_it_is() {
        let mut scene = growing();
        scene.clips[0].channels.clear();
        assert!(without_scale(&scene, &Options::default()).is_none());
    }
}
