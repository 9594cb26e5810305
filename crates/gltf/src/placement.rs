//! Which meshes are written, what they hang on, and how they are shown and hidden.

use crate::channels::{Group, Player, Source, Subject, can_hide, decides_visibility, seeds};
use crate::context::{Context, valid_duration};
use crate::duplicates::{self, Separated};
use crate::options::{GlobalSequences, Levels, Options, Visibility};
use crate::tangents;
use glam::Vec3;
use scene::fit::{Keys, Mode};
use scene::{ClipId, Mesh, MeshId, MeshProperty, NodeId, Scene, Skin, Target, Transform, Value};

/// A mesh that is to be written.
pub(crate) struct Placement<'a> {
    pub(crate) mesh: MeshId,
    /// The mesh as it is written, if that is not as it is.
    pub(crate) prepared: Option<Prepared>,
    /// What decides whether it shows.
    pub(crate) deciding: Group<'a>,
    pub(crate) level: usize,
    pub(crate) hold: Hold,
    pub(crate) switch: Switch,
    /// Whether it shows when nothing plays.
    pub(crate) at_rest: bool,
}

/// A mesh with vertices that the source does not have, after all others: first those for tangents, then those of repeated triangles.
pub(crate) struct Prepared {
    pub(crate) mesh: Mesh,
    /// The number of vertices in the source, if tangents were generated.
    pub(crate) without_tangents: Option<usize>,
    /// The vertices that were copied for repeated triangles, as runs.
    pub(crate) copies: Vec<(u32, u32)>,
}

impl Prepared {
    fn of(context: &Context<'_>, mesh: &Mesh) -> Option<Self> {
        let with_tangents = tangents::generated(context, mesh);
        let without_tangents = with_tangents.as_ref().map(|_| mesh.positions.len());
        let separated = duplicates::separated(with_tangents.as_ref().unwrap_or(mesh));
        match (separated, with_tangents) {
            (Some(Separated { mesh, copies }), _) => Some(Self { mesh, without_tangents, copies }),
            (None, Some(mesh)) => Some(Self { mesh, without_tangents, copies: Vec::new() }),
            (None, None) => None,
        }
    }
}

/// What moves a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Hold {
    /// The joints of its skin.
    Skin,
    /// A node, against which it has this transform.
    Node(Option<NodeId>, Transform),
}

impl Hold {
    /// The scale at which the mesh shows.
    pub(crate) const fn scale(&self) -> Vec3 {
        match self {
            Self::Skin => Vec3::ONE,
            Self::Node(_, transform) => transform.scale,
        }
    }
}

/// How a mesh is shown and hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    /// Always shown.
    None,
    /// By the scale of a node of its own.
    Scale,
    /// By the scale of children of its joints.
    Joints,
    /// By `KHR_node_visibility`, which clips animate.
    Extension,
    /// As it is at rest: by an invisible material.
    Fixed,
}

impl Placement<'_> {
    /// Whether it needs a material that shows nothing.
    pub(crate) fn is_invisible(&self) -> bool {
        self.switch == Switch::Fixed && !self.at_rest
    }
}

/// Decides for every mesh. The second number is how many are omitted.
pub(crate) fn placements<'a>(context: &Context<'a>) -> (Vec<Placement<'a>>, usize) {
    let scene = context.scene;
    let mut levels = vec![0; scene.meshes.len()];
    for (number, level) in scene.levels.iter().enumerate().rev() {
        for mesh in &level.meshes {
            if let Some(level) = levels.get_mut(mesh.index()) {
                *level = number;
            }
        }
    }
    let placed: Vec<Placement<'a>> = scene
        .meshes
        .iter()
        .zip(levels)
        .enumerate()
        .filter(|(_, (mesh, level))| {
            let is_omitted = match context.options.levels {
                Levels::Highest => *level > 0,
                Levels::Separate => false,
                Levels::MsftLod => *level > 0 && mesh.skin.is_some(),
            };
            !is_omitted && (!mesh.hidden || context.options.hidden_meshes)
        })
        .take_while(|_| !context.budget.is_spent())
        .map(|(index, (mesh, level))| placement(context, MeshId::from(index), mesh, level))
        .collect();
    let omitted = scene.meshes.len() - placed.len();
    (placed, omitted)
}

fn placement<'a>(context: &Context<'a>, id: MeshId, mesh: &Mesh, level: usize) -> Placement<'a> {
    let deciding = deciding(context, id);
    let (at_rest, changes) = match context.options.visibility {
        Visibility::Off => (!mesh.hidden, false),
        _ => showing(context, mesh, &deciding),
    };
    let hold = match &mesh.skin {
        Some(_) => Hold::Skin,
        None => Hold::Node(mesh.node.and_then(|node| context.existing(node)), Transform::IDENTITY),
    };
    let is_shown = at_rest && !changes;
    let rigid = mesh.skin.as_ref().and_then(|skin| rigid_joint(context, mesh, skin));
    let (hold, switch) = match (hold, context.options.visibility) {
        _ if is_shown => (hold, Switch::None),
        _ if mesh.hidden => (hold, Switch::Fixed),
        (_, Visibility::Extension) => (hold, Switch::Extension),
        (Hold::Node(..), _) => (hold, Switch::Scale),
        (Hold::Skin, _) => match rigid {
            Some((joint, transform)) => (Hold::Node(Some(joint), transform), Switch::Scale),
            None => (hold, Switch::Joints),
        },
    };
    Placement { mesh: id, prepared: Prepared::of(context, mesh), deciding, level, hold, switch, at_rest }
}

/// The joint that all vertices of a mesh follow alone, if there is one, and the mesh's transform against it: such a mesh is not deformed,
/// so it can hang on the joint's node, whose scale readers heed.
fn rigid_joint(context: &Context<'_>, mesh: &Mesh, skin: &Skin) -> Option<(NodeId, Transform)> {
    let first = skin.of(0).first()?.joint;
    let is_alone =
        |vertex: usize| matches!(skin.of(vertex), [one] if one.joint == first && one.weight == 1.0);
    let joint = skin.joints.get(first as usize).filter(|_| (0..mesh.positions.len()).all(is_alone))?;
    let (scale, rotation, translation) = joint.inverse_bind.to_scale_rotation_translation();
    let transform = Transform { translation, rotation, scale };
    // Skip transforms with shear.
    let is_same = transform.matrix().abs_diff_eq(joint.inverse_bind, 1e-5 * translation.length().max(1.0));
    Some((context.existing(joint.node).filter(|_| is_same)?, transform))
}

/// What decides whether a mesh shows: channels of itself and of its node.
pub(crate) fn deciding<'a>(context: &Context<'a>, id: MeshId) -> Group<'a> {
    let node = context.scene.meshes[id.index()].node.map(|node| Subject::Node(node.0));
    let subjects: Vec<Subject> = node.into_iter().chain([Subject::Mesh(id.0)]).collect();
    context.group(&subjects, decides_visibility)
}

/// Whether a mesh shows when nothing plays, and whether any animation changes that.
///
/// At rest it shows if it does at any time of the Stand clip. Buildings start with their birth, so the first clip would hide them.
fn showing(context: &Context<'_>, mesh: &Mesh, deciding: &Group<'_>) -> (bool, bool) {
    let shows = shows_unanimated(context, mesh);
    let sources = deciding.sources();
    let can_change = !shows || sources.iter().any(|source| can_hide(source.channel));
    if mesh.hidden || sources.is_empty() || !can_change {
        return (shows, false);
    }
    let globals = sources.iter().filter(|source| source.is_global()).map(|source| source.player);
    let players = context.rest_clip.map(Player::Clip).into_iter().chain(globals);
    let mut at_rest = None;
    for player in players {
        if let Some(keys) = visibility_keys(context, mesh, deciding, player) {
            at_rest = Some(at_rest.unwrap_or(false) || keys.values.contains(&true));
        }
    }
    (at_rest.unwrap_or(shows), true)
}

/// When a mesh shows.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshVisibility {
    /// The mesh.
    pub mesh: MeshId,
    /// Whether it shows when nothing plays: if it does at any time of the Stand clip.
    pub at_rest: bool,
    /// For each clip that decides it: times in seconds, and whether the mesh shows from then on.
    pub clips: Vec<(ClipId, Vec<(f32, bool)>)>,
}

/// When meshes show that do not always show, by the rules of [`Visibility::Extension`] with global sequences in all clips.
///
/// ```
/// # use scene::{Mesh, Scene};
/// let always = Scene { meshes: vec![Mesh::default()], ..Scene::default() };
/// assert!(meshwright_gltf::mesh_visibility(&always).is_empty());
/// ```
#[must_use]
pub fn mesh_visibility(scene: &Scene) -> Vec<MeshVisibility> {
    let options = Options { global_sequences: GlobalSequences::Bake, ..Options::default() };
    let context = Context::new(scene, &options);
    let mut found = Vec::new();
    for (index, mesh) in scene.meshes.iter().enumerate().filter(|(_, mesh)| !mesh.hidden) {
        let deciding = deciding(&context, MeshId::from(index));
        let (at_rest, changes) = showing(&context, mesh, &deciding);
        if at_rest && !changes {
            continue;
        }
        let clips = (0..scene.clips.len()).filter_map(|clip| {
            let keys = visibility_keys(&context, mesh, &deciding, Player::Clip(clip))?;
            let pairs = keys.times.iter().copied().zip(keys.values.iter().copied());
            Some((ClipId::from(clip), pairs.collect()))
        });
        let clips = clips.take_while(|_| !context.budget.is_spent()).collect();
        found.push(MeshVisibility { mesh: MeshId::from(index), at_rest, clips });
    }
    found
}

fn shows_unanimated(context: &Context<'_>, mesh: &Mesh) -> bool {
    let node = mesh.node.and_then(|node| context.scene.nodes.get(node.index()));
    !mesh.hidden && mesh.alpha > 0.0 && node.is_none_or(|node| node.visible)
}

/// When a mesh shows while something plays, or nothing if the player has no say in it.
pub(crate) fn visibility_keys(
    context: &Context<'_>,
    mesh: &Mesh,
    deciding: &Group<'_>,
    player: Player,
) -> Option<Keys<'static, bool>> {
    let scene = context.scene;
    let sources = deciding.playing(player);
    if sources.is_empty() {
        // A clip without keys shows the mesh as it is, if other clips do otherwise.
        let is_clip = matches!(player, Player::Clip(_));
        return (is_clip && deciding.has_clips())
            .then(|| Keys::constant(vec![shows_unanimated(context, mesh)]));
    }
    let duration = match player {
        Player::Clip(clip) => scene.clips[clip].duration,
        Player::Global(sequence) => scene.global_sequences[sequence].duration,
    };
    Some(on_and_off(context, mesh, &sources, valid_duration(duration)))
}

/// Seconds after a key at which it surely holds.
const AFTER_KEY: f32 = 1e-4;

/// On and off, by [`scene::Pose`]'s rule: all flags, and a product of opacities above zero.
fn on_and_off(
    context: &Context<'_>,
    mesh: &Mesh,
    sources: &[Source<'_>],
    duration: f32,
) -> Keys<'static, bool> {
    let node = mesh.node.and_then(|node| context.scene.nodes.get(node.index()));
    let shows = |time: f32| {
        let (mut alpha, mut shown, mut flag) =
            (mesh.alpha, node.map_or(1.0, |node| f32::from(node.visible)), true);
        for source in sources {
            match (source.channel.target, source.sample(time)) {
                (Target::Mesh(_, MeshProperty::Alpha), Some(Value::Scalar(value))) => alpha = value,
                (Target::Mesh(_, MeshProperty::Visibility), Some(Value::Flag(value))) => flag &= value,
                (Target::Node(..), Some(Value::Flag(value))) => shown = f32::from(value),
                (Target::Node(..), Some(Value::Scalar(value))) => shown = value,
                _ => {}
            }
        }
        flag && alpha * shown > 0.0
    };
    let mut times = seeds(sources, duration);
    if !context.budget.samples(2 * times.len() * sources.len()) {
        times.clear();
    }
    times.sort_by(f32::total_cmp);
    // On and off changes by steps, so the moments just before keys are not needed.
    times.dedup_by(|next, time| {
        let is_twin = time.next_up() >= *next;
        *time = if is_twin { *next } else { *time };
        is_twin
    });
    let (mut changes, mut values) = (Vec::new(), Vec::new());
    for (index, &time) in times.iter().enumerate() {
        // What fades in or out shows while it is not quite gone: the middle of the way decides.
        let next = times.get(index + 1).copied().unwrap_or(time);
        // Just after the key: in a later round of a global sequence, rounding may put the moment of the key before it.
        let after = time + ((next - time) * 0.25).min(AFTER_KEY);
        let on = shows(after) || shows(time + (next - time) * 0.5);
        if values.last() != Some(&on) {
            changes.push(time);
            values.push(on);
        }
    }
    Keys::new(Mode::Step, changes, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{
        Channel, Clip, Curve, GlobalChannel, GlobalSequence, GlobalSequenceId, Interpolation, Track,
    };

    #[test]
    fn later_rounds_of_a_global_sequence_end_as_the_first() {
        // A flash of 67 ms at the start of each round. In the second round, rounding puts its end before the key.
        let flash = Track::new(Interpolation::Step, [(0.0, 1.0), (0.067, 0.0)]);
        let channel =
            Channel { target: Target::Mesh(MeshId(0), MeshProperty::Alpha), curve: Curve::Scalar(flash) };
        let scene = Scene {
            meshes: vec![Mesh::default()],
            clips: vec![Clip { name: "Birth".into(), duration: 3.733, ..Clip::default() }],
            global_sequences: vec![GlobalSequence { duration: 2.533 }],
            global_channels: vec![GlobalChannel { sequence: GlobalSequenceId(0), channel }],
            ..Scene::default()
        };
        let found = mesh_visibility(&scene);
        assert_eq!(found.len(), 1);
        let (_, keys) = &found[0].clips[0];
        let states: Vec<bool> = keys.iter().map(|(_, shows)| *shows).collect();
        assert_eq!(states, [true, false, true, false]);
        assert!((keys[3].0 - 2.6).abs() < 1e-4, "{keys:?}");
    }
}
