//! Animation: differences from the base pose, steps, visibility, and all kinds of channels against the engine's formula.

use super::fixtures::*;
use glam::{Affine3A, Quat, Vec3};
use meshwright_convert::w3d::NoteKind;
use proptest::prelude::*;
use record::zerocopy::IntoBytes;
use record::{Node, U16, U32};
use scene::{ClipId, Moment, Sampler, Scene};
use w3d::codec::{self, Outside, Values};
use w3d::names::{ChannelType, ChannelType8, MeshFlags, MotionFlavor};
use w3d::records::{BitChannel, CompressedBitChannel, MotionChannel};
use w3d::table::*;

/// Ten frames a second.
const RATE: f32 = 10.0;

fn pose_at(scene: &Scene, frame: f32) -> scene::Pose {
    let moment = Moment { clip: Some(ClipId(0)), time: frame / RATE, ..Moment::default() };
    Sampler::new(scene).pose(&moment)
}

fn place_at(scene: &Scene, node: usize, frame: f32) -> Vec3 {
    pose_at(scene, frame).worlds[node].translation.into()
}

/// A bone at (1, 0, 0), turned a quarter about Z.
fn bone() -> Node<'static> {
    hierarchy("S", &[pivot("B", 0, [1.0, 0.0, 0.0], quarter_z())])
}

#[test]
fn translation_is_a_difference_in_the_bones_own_frame() {
    let scene = clean([bone(), animation("A", "S", 3, vec![raw(1, ChannelType::X, 0, 1, &[2.0, 4.0, 4.0])])]);
    let clip = &scene.clips[0];
    assert_eq!((clip.name.as_str(), clip.frame_rate, clip.duration), ("A", Some(RATE), 0.2));
    // The bone's X is the parent's Y: (1, 0, 0) + (0, 2, 0), which the scene has as (1, 0, -2).
    near(place_at(&scene, 1, 0.0), [1.0, 0.0, -2.0]);
    near(place_at(&scene, 1, 0.5), [1.0, 0.0, -3.0]);
    near(place_at(&scene, 1, 1.0), [1.0, 0.0, -4.0]);
}

#[test]
fn rotation_comes_after_the_base() {
    let q = quarter_z();
    let scene = clean([
        bone(),
        animation(
            "A",
            "S",
            2,
            vec![raw(1, ChannelType::Q, 0, 4, &[0.0, 0.0, 0.0, 1.0, q[0], q[1], q[2], q[3]])],
        ),
    ]);
    let turned = |frame| pose_at(&scene, frame).worlds[1].transform_vector3(Vec3::X);
    // In W3D the bone's X points along Y at first, along -X at frame 1, and halfway between the two between.
    near(turned(0.0), [0.0, 0.0, -1.0]);
    near(turned(1.0), [-1.0, 0.0, 0.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    near(turned(0.5), [-half, 0.0, -half]);
}

#[test]
fn a_raw_channel_is_nothing_outside_its_frames() {
    let scene = clean([bone(), animation("A", "S", 6, vec![raw(1, ChannelType::Z, 2, 1, &[4.0, 4.0])])]);
    // Frames 2 and 3 have a value; the engine goes there and away over one frame.
    for (frame, height) in
        [(0.0, 0.0), (1.0, 0.0), (1.5, 2.0), (2.0, 4.0), (3.0, 4.0), (3.25, 3.0), (4.0, 0.0), (5.0, 0.0)]
    {
        near(place_at(&scene, 1, frame), [1.0, height, 0.0]);
    }
}

#[test]
fn a_held_key_steps_on_its_axis_alone() {
    let scene = clean([
        bone(),
        compressed(
            "A",
            "S",
            5,
            vec![
                keyed(1, ChannelType8::Z, &[(0, false, &[0.0]), (2, true, &[8.0]), (4, false, &[8.0])]),
                keyed(1, ChannelType8::X, &[(0, false, &[0.0]), (4, false, &[4.0])]),
            ],
        ),
    ]);
    // X goes on evenly (which is -Z in the scene), Z stays until frame 2 and then jumps.
    for (frame, x, z) in
        [(0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.5, 1.5, 0.0), (2.0, 2.0, 8.0), (3.0, 3.0, 8.0), (4.0, 4.0, 8.0)]
    {
        near(place_at(&scene, 1, frame), [1.0, z, -x]);
    }
}

#[test]
fn a_held_rotation_steps() {
    let scene = clean([
        bone(),
        compressed(
            "A",
            "S",
            3,
            vec![keyed(1, ChannelType8::Q, &[(0, false, &NO_TURN), (2, true, &quarter_z())])],
        ),
    ]);
    let turned = |frame| pose_at(&scene, frame).worlds[1].transform_vector3(Vec3::X);
    near(turned(1.9), [0.0, 0.0, -1.0]);
    near(turned(2.0), [-1.0, 0.0, 0.0]);
}

#[test]
fn keys_beyond_the_end_are_cut_there() {
    let scene = clean([
        bone(),
        compressed(
            "A",
            "S",
            3,
            vec![
                keyed(1, ChannelType8::Z, &[(0, false, &[0.0]), (8, false, &[8.0])]),
                keyed(1, ChannelType8::Q, &[(0, false, &NO_TURN), (4, false, &quarter_z())]),
            ],
        ),
    ]);
    for channel in &scene.clips[0].channels {
        let times = match &channel.curve {
            scene::Curve::Vector(track) => &track.times,
            scene::Curve::Rotation(track) => &track.times,
            other => panic!("{other:?}"),
        };
        assert_eq!(*times, [0.0, 0.2]);
    }
    near(place_at(&scene, 1, 2.0), [1.0, 2.0, 0.0]);
    // Half of a quarter turn, on top of the base.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    near(pose_at(&scene, 2.0).worlds[1].transform_vector3(Vec3::X), [-half, 0.0, -half]);
}

/// A bit channel of one byte.
fn bits(pivot: u16, first: u16, last: u16, default: u8, bits: u8) -> Node<'static> {
    let header = BitChannel {
        first_frame: U16::new(first),
        last_frame: U16::new(last),
        pivot: U16::new(pivot),
        default_val: default,
        ..BitChannel::default()
    };
    w3d::build::bytes(&BIT_CHANNEL, [header.as_bytes(), &[bits]].concat())
}

fn shown(scene: &Scene, frame: f32) -> Vec<bool> {
    pose_at(scene, frame).meshes.iter().map(|mesh| mesh.visible).collect()
}

#[test]
fn visibility_hides_what_is_on_the_pivot_and_nothing_below() {
    let scene = clean([
        simple_mesh("S", "ON"),
        simple_mesh("S", "BELOW"),
        mesh(header("S", "GLOW", MeshFlags::GEOMETRY_CAMERA_ALIGNED), &[[0.0; 3]; 3], Vec::new()),
        hierarchy("S", &[pivot("A", 0, [0.0; 3], NO_TURN), pivot("B", 1, [0.0; 3], NO_TURN)]),
        model("S", "S", &[(1, "S.ON"), (2, "S.BELOW"), (1, "S.GLOW")]),
        // Frames 1 to 3 are shown, hidden, shown; the others hidden.
        animation("A", "S", 6, vec![bits(1, 1, 3, 0, 0b101)]),
    ]);
    for (frame, on) in [(0.0, false), (1.0, true), (1.9, true), (2.0, false), (3.5, true), (4.0, false)] {
        assert_eq!(shown(&scene, frame), [on, true, on], "frame {frame}");
    }
}

#[test]
fn switches_and_degrees_of_visibility() {
    let words = [0x8000_0001_u32, 3, 0x8000_0004].map(U32::new);
    let channel = CompressedBitChannel {
        num_time_codes: U32::new(3),
        pivot: U16::new(1),
        ..CompressedBitChannel::default()
    };
    let switches =
        w3d::build::bytes(&COMPRESSED_BIT_CHANNEL, [channel.as_bytes(), words.as_bytes()].concat());
    let objects = || {
        [
            simple_mesh("S", "M"),
            hierarchy("S", &[pivot("A", 0, [0.0; 3], NO_TURN)]),
            model("S", "S", &[(1, "S.M")]),
        ]
    };
    let scene = clean(objects().into_iter().chain([compressed("A", "S", 6, vec![switches])]));
    // Shown from the start, though the first switch is at frame 1; hidden at 3; shown at 4.
    for (frame, on) in [(0.0, true), (2.9, true), (3.0, false), (4.0, true)] {
        assert_eq!(shown(&scene, frame), [on], "frame {frame}");
    }
    let degrees = keyed(1, ChannelType8::VIS, &[(0, false, &[1.0]), (2, false, &[0.0])]);
    let scene = clean(objects().into_iter().chain([compressed("A", "S", 6, vec![degrees])]));
    assert!((pose_at(&scene, 0.5).meshes[0].alpha - 0.75).abs() < 1e-6);
    assert_eq!(shown(&scene, 2.0), [false]);
}

/// A mesh on pivot 1, with these channels.
fn blinking(channels: Vec<Node<'static>>) -> Scene {
    clean([
        simple_mesh("S", "M"),
        hierarchy("S", &[pivot("A", 0, [0.0; 3], NO_TURN)]),
        model("S", "S", &[(1, "S.M")]),
        animation("A", "S", 8, channels),
    ])
}

#[test]
fn raw_float_visibility_is_visible_outside_its_frames() {
    let scene = blinking(vec![raw(1, ChannelType::VIS, 2, 1, &[0.0, 1.0, 0.0])]);
    // On and off, so that targets without degrees can show it.
    assert!(scene.clips[0].channels.iter().all(|channel| matches!(channel.curve, scene::Curve::Flag(_))));
    for (frame, on) in
        [(0.0, true), (1.9, true), (2.0, false), (3.0, true), (4.9, false), (5.0, true), (7.0, true)]
    {
        assert_eq!(shown(&scene, frame), [on], "frame {frame}");
    }
    // Degrees keep their value for the whole frame.
    let scene = blinking(vec![raw(1, ChannelType::VIS, 2, 1, &[0.25, 0.0])]);
    let alpha = |frame| pose_at(&scene, frame).meshes[0].alpha;
    assert_eq!([0.0, 1.9, 2.0, 2.9, 3.0, 4.0].map(alpha), [1.0, 1.0, 0.25, 0.25, 0.0, 1.0]);
}

#[test]
fn bits_win_over_float_visibility() {
    let floats = || raw(1, ChannelType::VIS, 0, 1, &[0.0, 0.0, 0.0]);
    // Frame 1 hidden, all others shown.
    let bit = || bits(1, 1, 1, 1, 0);
    for channels in [vec![floats(), bit()], vec![bit(), floats()]] {
        let scene = blinking(channels);
        assert_eq!([0.0, 1.0, 2.0].map(|frame| shown(&scene, frame)[0]), [true, false, true]);
    }
}

#[test]
fn keys_that_jump_are_switches() {
    let objects = || {
        [
            simple_mesh("S", "M"),
            hierarchy("S", &[pivot("A", 0, [0.0; 3], NO_TURN)]),
            model("S", "S", &[(1, "S.M")]),
        ]
    };
    let keys = keyed(1, ChannelType8::VIS, &[(1, false, &[1.0]), (2, false, &[0.0]), (5, true, &[1.0])]);
    let scene = clean(objects().into_iter().chain([compressed("A", "S", 6, vec![keys])]));
    assert!(scene.clips[0].channels.iter().all(|channel| matches!(channel.curve, scene::Curve::Flag(_))));
    for (frame, on) in [(0.0, true), (1.0, true), (2.0, false), (4.9, false), (5.0, true)] {
        assert_eq!(shown(&scene, frame), [on], "frame {frame}");
    }
}

#[test]
fn what_cannot_be_played_is_reported() {
    let mut header = animation(
        "A",
        "S",
        0,
        vec![
            raw(1, ChannelType::XR, 0, 1, &[1.0]),
            raw(9, ChannelType::X, 0, 1, &[1.0, 2.0]),
            raw(1, ChannelType::Q, 0, 1, &[1.0]),
        ],
    );
    let record =
        header.child_mut(&ANIMATION_HEADER).unwrap().value_mut::<w3d::records::AnimationHeader>().unwrap();
    record.frame_rate = U32::new(0);
    let (scene, report) = convert([bone(), header]);
    let messages: Vec<&str> = report.notes.iter().map(|note| note.message.as_str()).collect();
    assert!(messages.iter().any(|message| message.contains("15 assumed")), "{messages:?}");
    assert!(messages.iter().any(|message| message.contains("angles")), "{messages:?}");
    assert!(messages.iter().any(|message| message.contains("1 channel could not be read")), "{messages:?}");
    assert!(messages.iter().any(|message| message.contains("1 pivot that")), "{messages:?}");
    assert_eq!(report.of(NoteKind::Assumed).count(), 2);
    assert_eq!(scene.clips[0].duration, 1.0 / 15.0);
}

/// The value of a channel at a frame as the engine has it: raw channels are looked up at whole frames and mixed.
fn engine_value(node: &Node<'_>, frame: f32) -> Vec<f32> {
    let channel = codec::decode(node).expect("a channel");
    let at = |frame: f32| {
        let mut out = Vec::new();
        channel.values.sample(frame, &mut out);
        out
    };
    if !matches!(channel.values, Values::Frames { outside: Outside::Identity, .. }) {
        return at(frame);
    }
    let (a, b, share) = (at(frame.floor()), at(frame.floor() + 1.0), frame.fract());
    if a.len() == 4 {
        let quat = |v: &[f32]| Quat::from_xyzw(v[0], v[1], v[2], v[3]);
        return scene::slerp(quat(&a), quat(&b), share).to_array().to_vec();
    }
    vec![a[0] * (1.0 - share) + b[0] * share]
}

/// `world = parent · Base(T, q) · Translate(t) · Rotate(r)` in W3D's own axes (docs/formats/w3d/animation.md#what-channels-mean).
fn engine_world(
    pivots: &[([f32; 3], Quat)],
    channels: &[(u16, ChannelType, Node<'static>)],
    frame: f32,
) -> Vec<Affine3A> {
    let mut worlds = vec![Affine3A::IDENTITY];
    for (at, (translation, rotation)) in pivots.iter().enumerate() {
        let of = |target: ChannelType| {
            channels
                .iter()
                .find(|(pivot, kind, _)| usize::from(*pivot) == at + 1 && *kind == target)
                .map(|(_, _, node)| engine_value(node, frame))
        };
        let axis = |target| of(target).map_or(0.0, |value| value[0]);
        let t = Vec3::new(axis(ChannelType::X), axis(ChannelType::Y), axis(ChannelType::Z));
        let r = of(ChannelType::Q)
            .map_or(Quat::IDENTITY, |q| Quat::from_xyzw(q[0], q[1], q[2], q[3]).normalize());
        let base = Affine3A::from_rotation_translation(*rotation, Vec3::from(*translation));
        // A chain: each pivot hangs on the one before.
        worlds.push(worlds[at] * base * Affine3A::from_translation(t) * Affine3A::from_quat(r));
    }
    worlds
}

fn unit() -> impl Strategy<Value = Quat> {
    (-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0, 0.1_f32..1.0)
        .prop_map(|(x, y, z, w)| Quat::from_xyzw(x, y, z, w).normalize())
}

/// A motion channel of BFME II.
fn motion(
    pivot: u16,
    target: ChannelType8,
    flavor: u8,
    components: u8,
    count: u16,
    rest: Vec<u8>,
) -> Node<'static> {
    let header = MotionChannel {
        zero: 0,
        flavor: MotionFlavor::new(flavor),
        vector_len: components,
        flags: target,
        num_time_codes: U16::new(count),
        pivot: U16::new(pivot),
    };
    w3d::build::bytes(&COMPRESSED_ANIMATION_MOTION_CHANNEL, [header.as_bytes(), &rest].concat())
}

/// One channel of any storage for a pivot.
fn any_channel(pivot: u16, target: ChannelType) -> impl Strategy<Value = Node<'static>> {
    let narrow = ChannelType8::new(target.get() as u8);
    let components = if target == ChannelType::Q { 4_usize } else { 1 };
    let value = (-3.0_f32..3.0, unit()).prop_map(move |(number, turn)| {
        if components == 4 { turn.to_array().to_vec() } else { vec![number] }
    });
    let values = prop::collection::vec(value, 2..9);
    (
        values,
        0..4_u8,
        0..4_u16,
        prop::collection::vec((1..4_u32, any::<bool>()), 9),
        prop::collection::vec(any::<u8>(), 4 * 17),
    )
        .prop_map(move |(values, kind, first, gaps, packets)| {
            let flat = values.concat();
            let mut frame = 0;
            let keys: Vec<(u32, bool, &[f32])> = values
                .iter()
                .zip(&gaps)
                .enumerate()
                .map(|(at, (value, (gap, step)))| {
                    frame += if at == 0 { 0 } else { *gap };
                    (frame, *step, value.as_slice())
                })
                .collect();
            match kind {
                0 => raw(pivot, target, first, components as u16, &flat),
                1 => keyed(pivot, narrow, &keys),
                2 => {
                    let codes = keys.iter().flat_map(|(frame, step, _)| {
                        (*frame as u16 | if *step { 0x8000 } else { 0 }).to_le_bytes()
                    });
                    let mut body: Vec<u8> = codes.collect();
                    if keys.len() % 2 == 1 {
                        body.extend([0, 0]);
                    }
                    body.extend(floats(&flat));
                    motion(pivot, narrow, 0, components as u8, keys.len() as u16, body)
                }
                _ => {
                    // Differences of eight bits: scale, first value, packets of mild filters. Rotations stay about as near
                    // to unit length as real ones do.
                    let mut body = floats(&[if components == 4 { 1e-4 } else { 0.02 }]);
                    body.extend(floats(&values[0]));
                    for packet in packets.chunks(17).take(components) {
                        body.push(16 + packet[0] % 200);
                        body.extend(&packet[1..]);
                    }
                    motion(pivot, narrow, 2, components as u8, 12, body)
                }
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn clips_move_as_the_engine_does(
        bases in prop::collection::vec(([-4.0_f32..4.0, -4.0..4.0, -4.0..4.0], unit()), 2),
        first in [any_channel(1, ChannelType::X), any_channel(1, ChannelType::Y), any_channel(1, ChannelType::Z)],
        turns in (any_channel(1, ChannelType::Q), any_channel(2, ChannelType::Q)),
        last in any_channel(2, ChannelType::Y),
        quarters in prop::collection::vec(0..40_u32, 8),
    ) {
        let pivots: Vec<_> = bases
            .iter()
            .enumerate()
            .map(|(at, (translation, rotation))| pivot("P", at as u32, *translation, rotation.to_array()))
            .collect();
        let [x, y, z] = first;
        let channels = vec![
            (1, ChannelType::X, x),
            (1, ChannelType::Y, y),
            (1, ChannelType::Z, z),
            (1, ChannelType::Q, turns.0),
            (2, ChannelType::Q, turns.1),
            (2, ChannelType::Y, last),
        ];
        let nodes = channels.iter().map(|(_, _, node)| node.clone()).collect();
        // Kinds of channels are mixed freely here; a branch of compressed ones holds raw ones too.
        let animation = compressed("A", "S", 11, nodes);
        let document = {
            let mut file = w3d::W3d::new();
            file.root.children_mut().unwrap().extend([hierarchy("S", &pivots), animation]);
            file
        };
        let (scene, _) = meshwright_convert::w3d::to_scene(&meshwright_convert::w3d::Library::new(&document), None, &Default::default());
        let bases: Vec<_> = bases.into_iter().collect();
        for quarter in quarters {
            let frame = quarter as f32 / 4.0;
            let pose = pose_at(&scene, frame);
            for (at, world) in engine_world(&bases, &channels, frame).iter().enumerate() {
                for point in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
                    let expected = world.transform_point3(point);
                    let swap = |v: Vec3| Vec3::new(v.x, v.z, -v.y);
                    let found = pose.worlds[at].transform_point3(swap(point));
                    prop_assert!(found.abs_diff_eq(swap(expected), 2e-4), "node {at}, frame {frame}: {found} is not {}", swap(expected));
                }
            }
        }
    }
}

#[test]
fn the_root_stays() {
    let (scene, report) =
        convert([bone(), animation("A", "S", 2, vec![raw(0, ChannelType::X, 0, 1, &[5.0, 5.0])])]);
    near(place_at(&scene, 0, 0.0), [0.0; 3]);
    assert_eq!(report.of(NoteKind::Skipped).count(), 1);
}
