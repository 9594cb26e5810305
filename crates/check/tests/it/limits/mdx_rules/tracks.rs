//! Tracks and their keys.

use super::*;

/// Replaces the track of the emitter's speed.
fn speed(
    keys: &[(i32, f32)],
    interpolation: Interpolation,
    global: i32,
) -> impl FnOnce(&mut Document<'static>) + use<> {
    let track = float_track(tags::KP2S, keys, interpolation, global);
    move |file| *node(file, "PRE2/ParticleEmitter2/KP2S") = track
}

/// The findings about the speed's track alone.
fn about_speed(keys: &[(i32, f32)], interpolation: Interpolation, global: i32, code: &str) -> usize {
    let mut file = classic();
    // Without any other track.
    fn strip(node: &mut Node<'static>) {
        if let Some(children) = node.children_mut() {
            children.retain(|child| child.kind.framing.word() != "track" || child.id == tags::KP2S);
            children.iter_mut().for_each(strip);
        }
    }
    strip(file.root_mut());
    speed(keys, interpolation, global)(&mut file);
    count(&file, CLASSIC, code)
}

#[test]
fn times_of_keys() {
    let linear = |keys: &[(i32, f32)], code: &str| about_speed(keys, Interpolation::LINEAR, -1, code);
    assert_eq!(linear(&[(0, 1.0)], "MDX-TRACK-004"), 0);
    assert_eq!(linear(&[(-1, 1.0), (0, 1.0)], "MDX-TRACK-004"), 1);
    assert_eq!(linear(&[(0, 1.0), (1, 2.0)], "MDX-TRACK-005"), 0);
    assert_eq!(linear(&[(0, 1.0), (5, 2.0), (5, 3.0), (5, 4.0)], "MDX-TRACK-005"), 1);
    assert_eq!(linear(&[(0, 1.0), (5, 2.0), (5, 3.0)], "MDX-TRACK-006"), 0);
    assert_eq!(linear(&[(0, 1.0), (5, 2.0), (4, 3.0)], "MDX-TRACK-006"), 1);
    assert_eq!(linear(&[], "MDX-TRACK-002"), 1);
    assert_eq!(linear(&[(0, 1.0)], "MDX-TRACK-002"), 0);
    // One global sequence, of a second.
    let global =
        |global: i32, code: &str| about_speed(&[(0, 1.0), (1000, 2.0)], Interpolation::LINEAR, global, code);
    assert_eq!(global(0, "MDX-TRACK-001"), 0);
    assert_eq!(global(1, "MDX-TRACK-001"), 1);
    assert_eq!(global(0, "MDX-TRACK-010"), 0);
    let late = |end: i32| about_speed(&[(0, 1.0), (end, 2.0)], Interpolation::LINEAR, 0, "MDX-TRACK-010");
    assert_eq!((late(1000), late(1001)), (0, 1));
    // Stand is from 0 to 1000, Death from 1333 to 2333.
    assert_eq!(linear(&[(1000, 1.0), (1333, 2.0), (2333, 1.0)], "MDX-TRACK-010"), 0);
    assert_eq!(linear(&[(1001, 1.0), (1332, 2.0), (2334, 1.0)], "MDX-TRACK-010"), 1);
    // A key at 0 counts as the value before everything, and a single key too.
    assert_eq!(linear(&[(0, 1.0), (5000, 2.0)], "MDX-TRACK-010"), 1);
    assert_eq!(linear(&[(5000, 2.0)], "MDX-TRACK-010"), 0);
}

#[test]
fn the_start_of_sequences() {
    let opening = |keys: &[(i32, f32)]| about_speed(keys, Interpolation::LINEAR, -1, "MDX-TRACK-007");
    assert_eq!(opening(&[(0, 1.0), (1000, 2.0)]), 0);
    assert_eq!(opening(&[(100, 1.0), (1000, 2.0)]), 1);
    assert_eq!(opening(&[(100, 1.0), (1000, 1.0)]), 0, "both are the same");
    assert_eq!(opening(&[(100, 1.0)]), 0, "one key alone does not change");
    assert_eq!(opening(&[(100, 1.0), (1000, 2.0), (1400, 1.0), (2333, 2.0)]), 1);
    assert_eq!(opening(&[(1332, 1.0), (1400, 1.0), (2333, 2.0)]), 1);
    assert_eq!(about_speed(&[(100, 1.0), (1000, 2.0)], Interpolation::NONE, -1, "MDX-TRACK-007"), 0);
    let stand = |keys: &[(i32, f32)]| about_speed(keys, Interpolation::LINEAR, -1, "MDX-TRACK-017");
    assert_eq!(stand(&[(1000, 1.0), (2000, 1.0)]), 0);
    assert_eq!(stand(&[(1001, 1.0), (2000, 1.0)]), 1);
    assert_eq!(stand(&[]), 0);
    assert_eq!(about_speed(&[(1500, 1.0)], Interpolation::LINEAR, 0, "MDX-TRACK-017"), 0);
}

#[test]
fn keys_that_change_nothing() {
    let redundant = |keys: &[(i32, f32)]| {
        let found = |code| about_speed(keys, Interpolation::LINEAR, -1, code);
        [found("MDX-TRACK-011"), found("MDX-TRACK-014"), found("MDX-TRACK-015")]
    };
    assert_eq!(redundant(&[(0, 1.0), (500, 1.0), (1000, 1.0)]), [1, 0, 1]);
    assert_eq!(redundant(&[(0, 1.0), (500, 2.0), (1000, 1.0)]), [0, 0, 0]);
    assert_eq!(redundant(&[(0, 1.0), (500, 1.0009), (1000, 1.0)]), [0, 1, 0]);
    assert_eq!(redundant(&[(0, 1.0), (500, 1.0011), (1000, 1.0)]), [0, 0, 0]);
    assert_eq!(redundant(&[(0, 1.0), (500, 1.0), (1000, 1.0009)]), [0, 1, 0]);
    assert_eq!(redundant(&[(0, 1.0), (500, 1.0), (1000, 1.1)]), [0, 0, 0]);
    assert_eq!(redundant(&[(0, 1.0), (250, 1.0), (500, 1.0), (1000, 1.0)]), [1, 0, 1]);
    // Three in three sequences are not between each other.
    assert_eq!(redundant(&[(500, 1.0), (1100, 1.0), (1500, 1.0)]), [0, 0, 1]);
    // Two keys are always the ends.
    assert_eq!(redundant(&[(0, 1.0), (1000, 1.0)]), [0, 0, 1]);
    assert_eq!(redundant(&[(0, 1.0)]), [0, 0, 0]);
    // Where sequences share a time, its key belongs to both.
    let mut file = classic();
    sequences(&[("Stand", 0, 500), ("Death", 500, 1000)])(&mut file);
    speed(&[(0, 1.0), (250, 1.0), (500, 1.0), (750, 1.0), (1000, 1.0)], Interpolation::LINEAR, -1)(&mut file);
    assert_eq!(count(&file, CLASSIC, "MDX-TRACK-011"), 1);
    // Keys with tangents stay.
    let key = |time: i32| TangentKey {
        time: I32::new(time),
        value: F32::new(1.0),
        in_tan: F32::new(0.0),
        out_tan: F32::new(0.0),
    };
    let curved =
        mdx::build::tangent_track(tags::KP2S, Interpolation::HERMITE, -1, &[key(0), key(500), key(1000)]);
    let mut file = classic();
    *node(&mut file, "PRE2/ParticleEmitter2/KP2S") = curved.expect("a track");
    assert_eq!(count(&file, CLASSIC, "MDX-TRACK-011"), 0);
    assert_eq!(count(&file, CLASSIC, "MDX-TRACK-014"), 1);
    assert_eq!(count(&file, CLASSIC, "MDX-TRACK-015"), 0);
}

#[test]
fn values_of_keys() {
    let turn = |w: f32| {
        move |file: &mut Document<'static>| {
            let keys = [(7, Quaternion::new(0.0, 0.0, 0.0, w))];
            *node(file, "BONE/Bone/Node/KGRT") =
                mdx::build::track(tags::KGRT, Interpolation::LINEAR, -1, &keys).expect("a track");
        }
    };
    classic_case("MDX-TRACK-013", turn(1.04), 0);
    classic_case("MDX-TRACK-013", turn(1.06), 1);
    classic_case("MDX-TRACK-013", turn(-0.96), 0);
    classic_case("MDX-TRACK-013", turn(0.94), 1);
    let scale = |values: &'static [[f32; 3]]| {
        move |file: &mut Document<'static>| {
            let keys: Vec<(i32, Vec3)> =
                (0..).zip(values).map(|(time, value)| (time, Vec3::from(*value))).collect();
            *node(file, "BONE/Bone/Node/KGSC") =
                mdx::build::track(tags::KGSC, Interpolation::LINEAR, -1, &keys).expect("a track");
        }
    };
    classic_case("MDX-TRACK-016", scale(&[[1.0; 3], [0.0; 3], [0.0; 3]]), 1);
    classic_case("MDX-TRACK-016", scale(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), 0);
    let interpolation = |word: u32| {
        changing::<TrackHeader>("PRE2/ParticleEmitter2/KP2S", move |header| {
            header.interpolation = Interpolation::new(word);
        })
    };
    classic_case("MDX-TRACK-012", interpolation(1), 0);
    classic_case("MDX-TRACK-012", interpolation(3), 0);
    classic_case("MDX-TRACK-012", interpolation(4), 1);
    let visibility = |interpolation: Interpolation| {
        move |file: &mut Document<'static>| {
            let keys = [(0, F32::new(1.0))];
            *node(file, "PRE2/ParticleEmitter2/KP2V") =
                mdx::build::track(tags::KP2V, interpolation, -1, &keys).expect("a track");
        }
    };
    classic_case("MDX-TRACK-009", visibility(Interpolation::NONE), 0);
    assert_eq!(
        {
            let mut file = classic();
            visibility(Interpolation::LINEAR)(&mut file);
            findings(&file, CLASSIC, "MDX-TRACK-009").len()
        },
        1
    );
    // Tracks need sequences, unless they use a global sequence.
    classic_case(
        "MDX-TRACK-003",
        |file| {
            fn strip(node: &mut Node<'static>) {
                if let Some(children) = node.children_mut() {
                    children.retain(|child| child.kind.framing.word() != "track");
                    children.iter_mut().for_each(strip);
                }
            }
            strip(file.root_mut());
            sequences(&[])(file);
            let keys = [(0, F32::new(1.0))];
            let parts = children(file, "PRE2/ParticleEmitter2");
            parts.push(mdx::build::track(tags::KP2S, Interpolation::LINEAR, 0, &keys).expect("a track"));
            parts.push(mdx::build::track(tags::KP2E, Interpolation::LINEAR, -1, &keys).expect("a track"));
        },
        1,
    );
}
