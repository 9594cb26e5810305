//! When skinned meshes show: the scale of the children of their joints, and where these gather meanwhile (`switches`).

use crate::animations::{Channel, ChannelTarget, Inputs, Path, Values, express_flags};
use crate::channels::{Expressed, Player};
use crate::placement::visibility_keys;
use crate::relative::{AncestorChain, Motion};
use crate::switches::{SwitchGroup, gathered, gathering};
use glam::{Affine3A, Vec3};
use scene::Transform;
use scene::fit::{Keys, Mode, resample};

/// How much further than other motion the children may be from the point in which they gather: nobody sees them.
const COARSE: f32 = 4.0;

/// Adds the channels of all children.
pub(crate) fn channels<'a>(
    inputs: &Inputs<'_, 'a>,
    player: Player,
    duration: f32,
    motions: &[Motion<'a>],
    expressed: &mut Expressed,
    channels: &mut Vec<Channel<'a>>,
) {
    let context = inputs.context;
    let worlds = context.hierarchy.worlds(context.scene.nodes.iter().map(|node| &node.rest));
    for group in &inputs.switches.groups {
        let placement = &inputs.placements[group.placement];
        let mesh = &context.scene.meshes[placement.mesh.index()];
        let Some(keys) = visibility_keys(context, mesh, &placement.deciding, player) else { continue };
        for member in &group.members {
            express_flags(context, &inputs.placements[*member], player, expressed);
        }
        let scales: Vec<Vec3> =
            keys.values.iter().map(|&on| if on { Vec3::ONE } else { Vec3::ZERO }).collect();
        for child in &group.children {
            if !context.budget.channel(keys.times.len()) {
                return;
            }
            channels.push(Channel {
                target: ChannelTarget::Node(child.node, Path::Scale),
                values: Values::Vectors(Keys::new(Mode::Step, keys.times.clone(), scales.clone())),
            });
        }
        if let Some(place) = group.gathers_at {
            gather(inputs, group, place, &keys, duration, (motions, &worlds), channels);
        }
    }
}

/// Adds the way of each child to the point in which all gather while they are hidden.
fn gather<'a>(
    inputs: &Inputs<'_, 'a>,
    group: &SwitchGroup,
    place: Vec3,
    keys: &Keys<'_, bool>,
    duration: f32,
    (motions, worlds): (&[Motion<'a>], &[Affine3A]),
    channels: &mut Vec<Channel<'a>>,
) {
    let context = inputs.context;
    let tolerance = scene::fit::Tolerance {
        position: context.options.tolerance.position * COARSE,
        ..context.options.tolerance
    };
    let ends = keys.times.iter().skip(1).copied().chain([duration]);
    let stretches = keys.times.iter().copied().zip(ends).zip(keys.values.iter());
    let hidden: Vec<(f32, f32)> =
        stretches.filter(|((start, end), on)| !**on && end > start).map(|(stretch, _)| stretch).collect();
    for child in &group.children {
        let samples = hidden.iter().map(|&(start, end)| {
            let still = || {
                let transform = Transform::from_translation(place);
                (vec![start, end], vec![transform; 2])
            };
            let Some(joint) = child.joint.filter(|_| !motions.is_empty()) else { return still() };
            let chain = AncestorChain::new(context, worlds, motions, joint);
            if !context.budget.samples(chain.len() * chain.len()) {
                return still();
            }
            let mut seeds = chain.times();
            seeds.retain(|time| *time > start && *time < end);
            seeds.extend([start, end]);
            let mut at = |time: f32| Transform::from_translation(gathered(&chain.world(time), place));
            let steadiness = chain.steadiness();
            context.budget.sampling(chain.len(), |left| {
                resample(seeds, steadiness, &tolerance, inputs.meshes.size, left, &mut at)
            })
        });
        let samples: Vec<(Vec<f32>, Vec<Transform>)> = samples.collect();
        let (mut times, mut places) = gathering(samples, duration, tolerance.position * inputs.meshes.size);
        if times.is_empty() {
            // At rest the children may have gathered, so that a clip that shows the mesh has to say that they are at their joints.
            (times, places) = (vec![0.0], vec![Vec3::ZERO]);
        }
        if !context.budget.channel(times.len()) {
            return;
        }
        let mode = if times.len() == 1 { Mode::Step } else { Mode::Linear };
        channels.push(Channel {
            target: ChannelTarget::Node(child.node, Path::Translation),
            values: Values::Vectors(Keys::new(mode, times, places)),
        });
    }
}
