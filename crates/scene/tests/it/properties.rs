//! For any numbers, sampling ends without a panic, and finite values give finite results.

use glam::{Affine3A, Quat, Vec3};
use meshwright_scene::*;
use proptest::collection::vec;
use proptest::prelude::*;

/// Any bits at all, and often the troublesome ones.
fn any_float() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits),
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MAX,
            f32::MIN_POSITIVE
        ]),
        -10.0_f32..10.0,
    ]
}

fn tame_float() -> impl Strategy<Value = f32> {
    -1e3_f32..1e3
}

fn interpolation() -> impl Strategy<Value = Interpolation> {
    prop::sample::select(vec![
        Interpolation::Step,
        Interpolation::Linear,
        Interpolation::Hermite,
        Interpolation::Bezier,
    ])
}

fn outside() -> impl Strategy<Value = Outside> {
    prop_oneof![
        Just(Outside::Clamp),
        Just(Outside::Rest),
        (any_float(), any_float()).prop_map(|(start, end)| Outside::Wrap { start, end }),
    ]
}

/// Times of any kind in any order, and vectors that need not match them.
fn track<T: Clone + std::fmt::Debug>(
    value: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = Track<T>> {
    let tangents = (value.clone(), value.clone());
    let tangents = tangents.prop_map(|(incoming, outgoing)| Tangents { incoming, outgoing });
    (
        vec(any_float(), 0..8),
        vec(value, 0..8),
        vec(tangents, 0..8),
        vec(any::<bool>(), 0..8),
        interpolation(),
        outside(),
    )
        .prop_map(|(times, values, tangents, held_until, interpolation, outside)| Track {
            times,
            values,
            tangents,
            held_until,
            interpolation,
            outside,
        })
}

fn quat(float: impl Strategy<Value = f32> + Clone) -> impl Strategy<Value = Quat> + Clone {
    (float.clone(), float.clone(), float.clone(), float).prop_map(|(x, y, z, w)| Quat::from_xyzw(x, y, z, w))
}

fn vector(float: impl Strategy<Value = f32> + Clone) -> impl Strategy<Value = Vec3> + Clone {
    (float.clone(), float.clone(), float).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn shared<T: std::fmt::Debug>(strategy: impl Strategy<Value = T> + 'static) -> BoxedStrategy<T> {
    strategy.boxed()
}

proptest! {
    #[test]
    fn scalars_stay_finite(track in track(shared(tame_float())), time in any_float()) {
        let value = track.sample(time);
        prop_assert!(value.is_none_or(f32::is_finite));
        prop_assert!(!track.is_empty() || value.is_none());
        if track.outside == Outside::Clamp {
            prop_assert_eq!(value.is_some(), !track.is_empty());
        }
    }

    #[test]
    fn linear_stays_between_its_keys(mut track in track(shared(tame_float())), time in any_float()) {
        track.interpolation = Interpolation::Linear;
        if let Some(value) = track.sample(time) {
            let least = track.values.iter().copied().fold(f32::INFINITY, f32::min);
            let greatest = track.values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            prop_assert!(value >= least - 1e-3 && value <= greatest + 1e-3);
        }
    }

    #[test]
    fn keys_are_met(mut times in vec(-100.0_f32..100.0, 1..8), values in vec(tame_float(), 8), how in interpolation()) {
        times.sort_by(f32::total_cmp);
        times.dedup();
        let track = Track::new(how, times.iter().copied().zip(values.iter().copied()));
        let wrapped = track.clone().with_outside(Outside::Wrap { start: -100.0, end: 100.0 });
        for (&time, &value) in times.iter().zip(&values) {
            prop_assert_eq!(track.sample(time), Some(value));
            prop_assert_eq!(wrapped.sample(time), Some(value));
        }
    }

    #[test]
    fn a_wrapped_track_closes(keys in vec((0.0_f32..10.0, tame_float()), 1..8)) {
        let mut track = Track::new(Interpolation::Linear, keys).with_outside(Outside::Wrap { start: 0.0, end: 10.0 });
        track.sort();
        let (start, end) = (track.sample(0.0).unwrap(), track.sample(10.0).unwrap());
        prop_assume!(track.times[0] > 0.0);
        prop_assert!((start - end).abs() < 0.1, "{start} and {end}");
    }

    #[test]
    fn nothing_panics_on_any_bits(
        scalar in track(shared(any_float())),
        vector in track(shared(vector(shared(any_float())))),
        rotation in track(shared(quat(shared(any_float())))),
        time in any_float(),
    ) {
        for curve in [Curve::Scalar(scalar), Curve::Vector(vector), Curve::Rotation(rotation)] {
            let _ = curve.sample_global(time, time);
            let mut sorted = curve.clone();
            if let Curve::Scalar(track) = &mut sorted {
                let keys = track.len();
                track.sort();
                prop_assert_eq!(track.len(), keys);
                prop_assert!(track.times[..keys].is_sorted_by(|a, b| a.total_cmp(b).is_le()) || track.times.is_sorted());
            }
        }
    }

    #[test]
    fn slerp_keeps_unit_length(a in quat(shared(-1.0_f32..1.0)), b in quat(shared(-1.0_f32..1.0)), t in 0.0_f32..=1.0) {
        prop_assume!(a.length() > 0.1 && b.length() > 0.1);
        let (a, b) = (a.normalize(), b.normalize());
        prop_assert!((slerp(a, b, t).length() - 1.0).abs() < 1e-5);
        prop_assert!(slerp(a, b, 0.0).dot(a) > 1.0 - 1e-5);
        prop_assert!(slerp(a, b, 1.0).dot(b).abs() > 1.0 - 1e-5);
        // Multiplying both keys by a constant rotation commutes with slerp: what lets deltas be baked.
        let q = Quat::from_xyzw(0.5, -0.5, 0.5, 0.5);
        prop_assert!((q * slerp(a, b, t)).abs_diff_eq(slerp(q * a, q * b, t), 1e-4));
    }

    #[test]
    fn any_tree_has_an_order(parents in vec(prop::option::of(0_u32..12), 0..10)) {
        let nodes: Vec<Node> =
            parents.iter().map(|parent| Node { parent: parent.map(NodeId), ..Node::default() }).collect();
        let hierarchy = Hierarchy::new(&nodes);
        let mut seen = vec![false; nodes.len()];
        for id in &hierarchy.order {
            prop_assert!(hierarchy.parents[id.index()].is_none_or(|parent| seen[parent.index()]));
            prop_assert!(!std::mem::replace(&mut seen[id.index()], true));
        }
        prop_assert!(seen.into_iter().all(|seen| seen));
        // A parent is dropped only if it does not exist or leads back to the node.
        for (index, node) in nodes.iter().enumerate() {
            let Some(parent) = node.parent else { continue };
            let ancestors = std::iter::successors(Some(parent), |at| nodes.get(at.index())?.parent);
            let cut = parent.index() >= nodes.len() || ancestors.take(nodes.len()).any(|at| at.index() == index);
            prop_assert_eq!(hierarchy.parents[index], node.parent.filter(|_| !cut));
        }
    }

    #[test]
    fn any_scene_has_a_pose(
        rest in vec((vector(shared(any_float())), quat(shared(any_float())), vector(shared(any_float()))), 3),
        flags in vec(any::<bool>(), 3),
        turn in prop::sample::select(vec![Billboard::None, Billboard::Facing, Billboard::Upright, Billboard::SpinX]),
        rotation in track(shared(quat(shared(any_float())))),
        eye in vector(shared(any_float())),
        time in any_float(),
        ends in vec(any::<u32>(), 0..4),
    ) {
        let nodes = rest.into_iter().enumerate().map(|(i, (translation, rotation, scale))| Node {
            parent: i.checked_sub(1).map(NodeId::from),
            rest: Transform { translation, rotation, scale },
            inherit: Inherit { translation: flags[0], rotation: flags[1], scale: flags[2] },
            billboard: turn,
            ..Node::default()
        });
        let mut scene = Scene { nodes: nodes.collect(), ..Scene::default() };
        let target = Target::Node(NodeId(1), NodeProperty::Rotation);
        let channel = Channel { target, curve: Curve::Rotation(rotation) };
        scene.clips.push(Clip { channels: vec![channel.clone()], duration: time, looping: true, ..Clip::default() });
        scene.global_sequences.push(GlobalSequence { duration: time });
        scene.global_channels.push(GlobalChannel { sequence: GlobalSequenceId(0), channel });
        let joint = |node| Joint { node: NodeId(node), inverse_bind: Affine3A::IDENTITY };
        let mut skinned = Skin { joints: vec![joint(0), joint(7)], ..Skin::default() };
        skinned.push_equal(&[0, 1, 5]);
        skinned.sets.extend(0..ends.len() as u32 + 2);
        skinned.ends.extend(ends);
        scene.meshes.push(Mesh { positions: vec![eye; 4], normals: vec![eye; 2], skin: Some(skinned), ..Mesh::default() });

        let view = Some(View { position: eye, forward: eye, anchors: true });
        let local = scene.clips[0].local_time(time);
        let pose = Sampler::new(&scene).pose(&Moment { clip: Some(ClipId(0)), time: local, clock: time, view });
        prop_assert_eq!(pose.worlds.len(), 3);
        let mut out = Deformed::default();
        skin(&scene.meshes[0], &pose, &mut out);
        prop_assert_eq!((out.positions.len(), out.normals.len()), (4, 2));
    }

    #[test]
    fn mappers_take_any_numbers(a in any_float(), b in any_float(), n in any::<u32>(), seconds in any_float()) {
        let pair = glam::Vec2::new(a, b);
        let linear = LinearOffset { speed: pair, start: pair, scale: pair, clamp: n & 1 == 1 };
        let grid = Grid { frames_per_second: a, log2_width: n, last: n.rotate_left(7), offset: n };
        let width = 1_u64 << (n.min(15) * 2);
        prop_assert!(u64::from(grid.frame(seconds)) < width.max(u64::from(grid.last)));
        for mapper in [
            UvMapper::LinearOffset(linear),
            UvMapper::Grid(grid),
            UvMapper::Rotate(Rotate { speed: a, center: pair, scale: pair }),
            UvMapper::StepLinearOffset(StepLinearOffset { step: pair, steps_per_second: a, scale: pair, clamp: true }),
            UvMapper::ZigZagLinearOffset(ZigZagLinearOffset { speed: pair, period: b, scale: pair }),
        ] {
            prop_assert!(mapper.transform(seconds).is_some());
        }
    }
}
