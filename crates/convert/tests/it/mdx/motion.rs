//! Nodes, pivots, tracks, sequences.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{EulerRot, Mat4, Quat, Vec3};
use mdx::records::Interpolation;
use mdx::records::*;
use mdx::{Dialect, build, kinds, tags};
use proptest::prelude::*;
use record::{F32, I32, Quaternion, U32};
use scene::*;

use super::support::*;

fn about_z(degrees: f32) -> Quaternion {
    let half = degrees.to_radians() / 2.0;
    Quaternion::new(0.0, 0.0, half.sin(), half.cos())
}

/// A model of one bone at a pivot.
fn one_bone(pivot: [f32; 3], intervals: &[[i32; 2]], tracks: Vec<record::Node<'static>>) -> Scene {
    let builder = warcraft();
    convert_clean(
        builder,
        vec![
            sequences(intervals),
            builder.chunk(&kinds::BONE, vec![bone(builder, 0, -1, 0, tracks)]),
            pivots(&[pivot]),
        ],
    )
}

fn local(scene: &Scene, clip: usize, time: f32) -> Transform {
    let moment = Moment { clip: Some(ClipId::from(clip)), time, ..Moment::default() };
    Sampler::new(scene).pose(&moment).locals[0]
}

#[test]
fn a_child_turns_about_its_pivot_in_its_parent() {
    let builder = warcraft();
    let turn = |degrees| build::track(tags::KGRT, Interpolation::NONE, -1, &[(0, about_z(degrees))]).unwrap();
    let vertex = [3.0, 0.0, 1.0];
    let geoset = Surface { positions: &[vertex], groups: &[0], matrices: &[&[1]], ..Surface::default() };
    let scene = convert_clean(
        builder,
        vec![
            sequences(&[[0, 1000]]),
            plain_material(builder),
            builder.chunk(&kinds::GEOS, vec![geoset.build(builder)]),
            builder.chunk(
                &kinds::BONE,
                vec![bone(builder, 0, -1, 0, vec![turn(90.0)]), bone(builder, 1, 0, 0, vec![turn(90.0)])],
            ),
            pivots(&[[0.0; 3], [2.0, 0.0, 0.0]]),
        ],
    );
    // In MDX: about (2, 0, 0) a quarter turn takes (3, 0, 1) to (2, 1, 1); about the origin another, to (-1, 2, 1).
    // In the scene that is (-1, 1, -2).
    assert_near(skinned(&scene, 0, 0, 0.5)[0], Vec3::new(-1.0, 1.0, -2.0), 1e-5);
    assert_eq!(scene.nodes[1].rest.translation, Vec3::new(2.0, 0.0, 0.0));
    assert_eq!(scene.meshes[0].positions[0], Vec3::new(3.0, 1.0, 0.0));
}

#[test]
fn hermite_adds_the_pivot_to_values_only() {
    let key = |time, value, in_tan, out_tan| TangentKey {
        time: I32::new(time),
        value: vec3(value),
        in_tan: vec3(in_tan),
        out_tan: vec3(out_tan),
    };
    let keys =
        [key(0, [0.0; 3], [9.0; 3], [0.0, 4.0, 0.0]), key(1000, [0.0, 0.0, 8.0], [0.0, -4.0, 0.0], [9.0; 3])];
    let track = build::tangent_track(tags::KGTR, Interpolation::HERMITE, -1, &keys).unwrap();
    let scene = one_bone([10.0, 20.0, 30.0], &[[0, 1000]], vec![track]);
    // At a half: 1/2 v0 + 1/8 out0 - 1/8 in1 + 1/2 v1 = (0, 1/2 + 1/2, 4), on the pivot (10, 21, 34).
    assert_near(local(&scene, 0, 0.5).translation, Vec3::new(10.0, 34.0, -21.0), 1e-5);
}

#[test]
fn bezier_adds_the_pivot_to_control_points_too() {
    let key = |time, value, in_tan, out_tan| TangentKey {
        time: I32::new(time),
        value: vec3(value),
        in_tan: vec3(in_tan),
        out_tan: vec3(out_tan),
    };
    let keys =
        [key(0, [0.0; 3], [9.0; 3], [0.0, 2.0, 0.0]), key(1000, [0.0, 0.0, 8.0], [0.0, 2.0, 8.0], [9.0; 3])];
    let track = build::tangent_track(tags::KGTR, Interpolation::BEZIER, -1, &keys).unwrap();
    let scene = one_bone([10.0, 20.0, 30.0], &[[0, 1000]], vec![track]);
    // At a half: 3/8 (0, 2, 0) + 3/8 (0, 2, 8) + 1/8 (0, 0, 8) = (0, 1.5, 4), on the pivot (10, 21.5, 34).
    assert_near(local(&scene, 0, 0.5).translation, Vec3::new(10.0, 34.0, -21.5), 1e-5);
}

#[test]
fn rotations_with_tangents_are_squad() {
    let key = |time, value, in_tan, out_tan| TangentKey {
        time: I32::new(time),
        value: about_z(value),
        in_tan: about_z(in_tan),
        out_tan: about_z(out_tan),
    };
    let keys = [key(0, 0.0, 77.0, 0.0), key(1000, 90.0, 30.0, 77.0)];
    let track = build::tangent_track(tags::KGRT, Interpolation::HERMITE, -1, &keys).unwrap();
    let scene = one_bone([0.0; 3], &[[0, 1000]], vec![track]);
    // Half way the keys are at 45 degrees, the tangents at 15, and 2 t (1 - t) is a half: 30, about what is now Y.
    let expected = Quat::from_rotation_y(PI / 6.0);
    assert!(local(&scene, 0, 0.5).rotation.abs_diff_eq(expected, 1e-6));
}

#[test]
fn scales_change_axes_without_sign() {
    let keys = vector_keys(&[(0, [1.0, 2.0, 3.0])]);
    let track = build::track(tags::KGSC, Interpolation::LINEAR, -1, &keys).unwrap();
    let scene = one_bone([0.0; 3], &[[0, 1000]], vec![track]);
    assert_eq!(local(&scene, 0, 0.0).scale, Vec3::new(1.0, 3.0, 2.0));
}

#[test]
fn a_clip_has_the_keys_of_its_sequence_and_wraps() {
    let keys = vector_keys(&[
        (0, [100.0, 0.0, 0.0]),
        (1250, [10.0, 0.0, 0.0]),
        (1750, [20.0, 0.0, 0.0]),
        (2000, [50.0, 0.0, 0.0]),
        (2600, [7.0, 0.0, 0.0]),
    ]);
    let track = build::track(tags::KGTR, Interpolation::LINEAR, -1, &keys).unwrap();
    let scene = one_bone([0.0; 3], &[[1000, 1999], [2500, 3000], [4000, 5000]], vec![track]);
    assert_eq!(scene.clips.iter().map(|clip| clip.channels.len()).collect::<Vec<_>>(), [1, 1, 0]);
    assert_eq!((scene.clips[0].duration, scene.clips[0].source_start), (0.999, Some(1.0)));
    let x = |clip, time| local(&scene, clip, time).translation.x;
    assert_eq!(x(0, 0.5), 15.0);
    // From 1750 round to 1250 of the next time: 250 - 750 + 999 = 499 ms. At 1850, 100 of them have passed; at 1100, 349.
    assert!((x(0, 0.85) - (20.0 - 10.0 * 100.0 / 499.0)).abs() < 1e-4);
    assert!((x(0, 0.1) - (20.0 - 10.0 * 349.0 / 499.0)).abs() < 1e-4);
    // One key is a constant, none leaves the rest pose.
    assert_eq!((x(1, 0.0), x(1, 0.5), x(2, 0.5)), (7.0, 7.0, 0.0));
}

#[test]
fn keys_at_both_ends_of_a_sequence_are_in_it() {
    let keys = vector_keys(&[(333, [1.0, 0.0, 0.0]), (1333, [2.0, 0.0, 0.0])]);
    let track = build::track(tags::KGTR, Interpolation::LINEAR, -1, &keys).unwrap();
    let scene = one_bone([0.0; 3], &[[333, 1333]], vec![track]);
    assert_eq!((local(&scene, 0, 0.0).translation.x, local(&scene, 0, 1.0).translation.x), (1.0, 2.0));
    assert_eq!(local(&scene, 0, 0.5).translation.x, 1.5);
}

#[test]
fn global_sequences_run_by_the_clock() {
    let builder = warcraft();
    let slide = vector_keys(&[(0, [0.0; 3]), (400, [4.0, 0.0, 0.0]), (900, [99.0, 0.0, 0.0])]);
    let late = vector_keys(&[(5000, [3.0, 3.0, 3.0]), (6000, [9.0, 9.0, 9.0])]);
    let tracks = vec![
        build::track(tags::KGTR, Interpolation::LINEAR, 0, &slide).unwrap(),
        build::track(tags::KGSC, Interpolation::LINEAR, 1, &late).unwrap(),
    ];
    let scene = convert_clean(
        builder,
        vec![
            sequences(&[[0, 1000]]),
            build::leaf(&kinds::GLBS, &[U32::new(400), U32::new(1000)]),
            builder.chunk(&kinds::BONE, vec![bone(builder, 0, -1, 0, tracks)]),
            pivots(&[[0.0; 3]]),
        ],
    );
    assert_eq!(scene.global_sequences, [0.4, 1.0].map(|duration| GlobalSequence { duration }));
    assert_eq!((scene.global_channels.len(), scene.clips[0].channels.len()), (2, 0));
    let at = |clock| Sampler::new(&scene).pose(&Moment { clock, ..Moment::default() }).locals[0];
    assert_near(at(0.5).translation, Vec3::new(1.0, 0.0, 0.0), 1e-5);
    // A track that starts beyond the end stands still.
    assert_eq!(at(0.5).scale, Vec3::splat(3.0));
}

#[test]
fn the_wow_alpha_counts_a_global_sequence_from_its_first_key() {
    let builder = build::Builder::new(Dialect::Wow, 1300);
    let slide = vector_keys(&[(100, [0.0; 3]), (500, [4.0, 0.0, 0.0])]);
    let track = build::track(tags::KGTR, Interpolation::LINEAR, 0, &slide).unwrap();
    let scene = convert_clean(
        builder,
        vec![
            build::leaf(&kinds::GLBS, &[U32::new(400)]),
            builder.chunk(&kinds::BONE, vec![bone(builder, 0, -1, 0, vec![track])]),
            pivots(&[[0.0; 3]]),
        ],
    );
    let pose = Sampler::new(&scene).pose(&Moment { clock: 0.1, ..Moment::default() });
    assert_near(pose.locals[0].translation, Vec3::new(1.0, 0.0, 0.0), 1e-5);
}

#[test]
fn the_wow_alpha_packs_rotations() {
    let builder = build::Builder::new(Dialect::Wow, 1300);
    let half = FRAC_PI_2 / 2.0;
    let quarter = PackedQuaternion::pack(Quaternion::new(half.sin(), 0.0, 0.0, half.cos()));
    let track = build::track(tags::KGRT, Interpolation::LINEAR, -1, &[(0, quarter)]).unwrap();
    let stand = WowSequence {
        name: chars("Stand"),
        end: I32::new(1000),
        frequency: F32::new(1.0),
        ..WowSequence::default()
    };
    let scene = convert_clean(
        builder,
        vec![
            build::counted(&kinds::WOW_SEQS, &[stand]),
            builder.chunk(&kinds::BONE, vec![bone(builder, 0, -1, 0, vec![track])]),
            pivots(&[[0.0; 3]]),
        ],
    );
    assert!(local(&scene, 0, 0.0).rotation.abs_diff_eq(Quat::from_rotation_x(FRAC_PI_2), 1e-5));
}

#[test]
fn nodes_that_refuse_a_global_rotation_are_reported() {
    const DONT_INHERIT_ROTATION: u32 = 0x4;
    let builder = warcraft();
    let turn = build::track(tags::KGRT, Interpolation::LINEAR, 0, &[(0, about_z(0.0)), (500, about_z(90.0))]);
    let bones = vec![
        bone(builder, 0, -1, 0, vec![turn.unwrap()]),
        bone(builder, 1, 0, 0, vec![]),
        bone(builder, 2, 1, DONT_INHERIT_ROTATION, vec![]),
        bone(builder, 3, 2, DONT_INHERIT_ROTATION, vec![]),
        bone(builder, 4, -1, DONT_INHERIT_ROTATION, vec![]),
    ];
    let (_, report) = convert(
        builder,
        vec![
            build::leaf(&kinds::GLBS, &words(&[1000])),
            builder.chunk(&kinds::BONE, bones),
            pivots(&[[0.0; 3]; 5]),
        ],
    );
    let [note] = &report.notes[..] else { panic!("{:?}", report.notes) };
    assert!(note.part.contains("Bone 2") && note.message.contains("\"Bone 1\" above it"), "{note}");
}

#[test]
fn flags_of_nodes() {
    let builder = warcraft();
    let flags = [0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0x80, 0x48];
    let bones = (0..).zip(flags).map(|(id, flags)| bone(builder, id, -1, flags, vec![])).collect();
    let scene = convert_clean(builder, vec![builder.chunk(&kinds::BONE, bones), pivots(&[[0.0; 3]; 9])]);
    let inherit = |at: usize| {
        let Inherit { translation, rotation, scale } = scene.nodes[at].inherit;
        [translation, rotation, scale]
    };
    assert_eq!(
        [inherit(0), inherit(1), inherit(2)],
        [[false, true, true], [true, true, false], [true, false, true],]
    );
    let billboards: Vec<_> = scene.nodes.iter().map(|node| node.billboard).collect();
    use Billboard::*;
    assert_eq!(billboards, [None, None, None, Facing, SpinX, SpinZ, SpinY, None, Facing]);
    assert_eq!(scene.nodes.iter().position(|node| node.camera_anchored), Some(7));
    assert!(scene.nodes.iter().all(|node| node.is_bone));

    let builder = build::Builder::new(Dialect::Wow, 1300);
    let bones = builder.chunk(&kinds::BONE, vec![bone(builder, 0, -1, 0x80 | 0x4, vec![])]);
    let scene = convert_clean(builder, vec![bones, pivots(&[[0.0; 3]])]);
    assert!(!scene.nodes[0].camera_anchored && !scene.nodes[0].inherit.rotation);
}

#[test]
fn sequences_become_clips() {
    let sequence = Sequence {
        name: chars("Walk"),
        start: I32::new(-100),
        end: I32::new(900),
        move_speed: F32::new(270.0),
        flags: SequenceFlags::NON_LOOPING,
        rarity: F32::new(4.0),
        sync_point: U32::new(0),
        extent: Extent {
            radius: F32::new(5.0),
            minimum: record::Vec3::new(-1.0, -2.0, -3.0),
            maximum: record::Vec3::new(1.0, 4.0, 5.0),
        },
    };
    let scene = convert_clean(warcraft(), vec![build::leaf(&kinds::SEQS, &[sequence])]);
    let clip = &scene.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration, clip.looping), ("Walk", 1.0, false));
    assert_eq!((clip.move_speed, clip.rarity, clip.source_start), (270.0, 4.0, Some(-0.1)));
    let bounds = clip.bounds.unwrap();
    assert_eq!((bounds.min, bounds.max), (Vec3::new(-1.0, -3.0, -4.0), Vec3::new(1.0, 5.0, 2.0)));
    assert_eq!((bounds.center, bounds.radius), (Vec3::new(0.0, 1.0, -1.0), 5.0));
    // The model's own are all zero: nobody computed them.
    assert_eq!(scene.bounds, None);
}

/// Where a node is at the two keys of its tracks.
#[derive(Clone, Debug)]
struct Motion {
    pivot: Vec3,
    translation: [Vec3; 2],
    rotation: [Quat; 2],
    scale: [Vec3; 2],
}

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    [-size..size, -size..size, -size..size].prop_map(Vec3::from)
}

fn motion() -> impl Strategy<Value = Motion> {
    let rotation = || vector(PI).prop_map(|v| Quat::from_euler(EulerRot::XYZ, v.x, v.y, v.z));
    let scale = || [0.5..2.0_f32, 0.5..2.0, 0.5..2.0].prop_map(Vec3::from);
    (vector(10.0), [vector(10.0), vector(10.0)], [rotation(), rotation()], [scale(), scale()])
        .prop_map(|(pivot, translation, rotation, scale)| Motion { pivot, translation, rotation, scale })
}

impl Motion {
    fn bone(&self, id: i32) -> record::Node<'static> {
        let vectors = |[a, b]: [Vec3; 2]| vector_keys(&[(0, a.into()), (1000, b.into())]);
        let rotations = [0, 1].map(|at| (at * 1000, Quaternion::from(self.rotation[at as usize].to_array())));
        let linear = Interpolation::LINEAR;
        bone(
            warcraft(),
            id,
            id - 1,
            0,
            vec![
                build::track(tags::KGTR, linear, -1, &vectors(self.translation)).unwrap(),
                build::track(tags::KGRT, linear, -1, &rotations).unwrap(),
                build::track(tags::KGSC, linear, -1, &vectors(self.scale)).unwrap(),
            ],
        )
    }

    fn engine(&self, parent: Mat4, t: f32) -> Mat4 {
        let lerp = |[a, b]: [Vec3; 2]| a + (b - a) * t;
        let [a, b] = self.rotation.map(|rotation| rotation.as_dquat());
        let b = if a.dot(b) < 0.0 { -b } else { b };
        let (angle, t) = (a.dot(b).clamp(-1.0, 1.0).acos(), f64::from(t));
        let rotation = if angle < 1e-6 {
            a
        } else {
            (a * ((1.0 - t) * angle).sin() + b * (t * angle).sin()) * (1.0 / angle.sin())
        };
        let rotation = rotation.normalize().as_quat();
        engine_matrix(parent, self.pivot, lerp(self.translation), rotation, lerp(self.scale))
    }
}

proptest! {
    /// Chains of nodes move vertices as the engine's formula does, worked out in its own axes.
    #[test]
    fn chains_follow_the_formula_of_the_engine(
        chain in proptest::collection::vec(motion(), 1..4),
        vertex in vector(10.0),
        time in 0.0..1.0_f32,
    ) {
        let builder = warcraft();
        let last = u32::try_from(chain.len() - 1).unwrap();
        let position = [vertex.into()];
        let geoset = Surface { positions: &position, groups: &[0], matrices: &[&[last]], ..Surface::default() };
        let places: Vec<[f32; 3]> = chain.iter().map(|motion| motion.pivot.into()).collect();
        let scene = convert_clean(builder, vec![
            sequences(&[[0, 1000]]),
            plain_material(builder),
            builder.chunk(&kinds::GEOS, vec![geoset.build(builder)]),
            builder.chunk(&kinds::BONE, (0..).zip(&chain).map(|(id, motion)| motion.bone(id)).collect()),
            pivots(&places),
        ]);
        let matrix = chain.iter().fold(Mat4::IDENTITY, |parent, motion| motion.engine(parent, time));
        let expected = turned(matrix.transform_point3(vertex));
        let found = skinned(&scene, 0, 0, time)[0];
        prop_assert!(found.distance(expected) <= 2e-4 * (1.0 + expected.length()), "{found} is not {expected}");
    }
}
