//! The interpolation formulas, worked by hand.

use glam::{Quat, Vec3};
use meshwright_scene::{Curve, GlobalSequence, Interpolation, Outside, Tangents, Track, Value, slerp, squad};

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-5
}

fn about_z(degrees: f32) -> Quat {
    Quat::from_rotation_z(degrees.to_radians())
}

/// The two are the same rotation, whatever their signs.
fn same_turn(a: Quat, b: Quat) -> bool {
    a.dot(b).abs() > 1.0 - 1e-6
}

fn cubic(interpolation: Interpolation) -> Track<f32> {
    // Values 0 and 8, control values 4 (leaving the first) and -2 (arriving at the second), over four seconds.
    Track::new(interpolation, [(0.0, 0.0), (4.0, 8.0)]).with_tangents(vec![
        Tangents { incoming: 100.0, outgoing: 4.0 },
        Tangents { incoming: -2.0, outgoing: 100.0 },
    ])
}

#[test]
fn linear_is_a_straight_line() {
    let track = Track::new(Interpolation::Linear, [(0.0, 0.0), (2.0, 10.0)]);
    assert_eq!(track.sample(0.5), Some(2.5));
    let track = Track::new(Interpolation::Linear, [(1.0, Vec3::ZERO), (2.0, Vec3::new(4.0, -8.0, 2.0))]);
    assert_eq!(track.sample(1.25), Some(Vec3::new(1.0, -2.0, 0.5)));
}

#[test]
fn step_holds() {
    let track = Track::new(Interpolation::Step, [(0.0, 1_u32), (2.0, 7)]);
    assert_eq!((track.sample(1.999), track.sample(2.0)), (Some(1), Some(7)));
    // Values without interpolation step, whatever the track's interpolation.
    let track = Track::new(Interpolation::Linear, [(0.0, false), (2.0, true)]);
    assert_eq!((track.sample(1.999), track.sample(2.0)), (Some(false), Some(true)));
}

#[test]
fn hermite_by_hand() {
    // t = 1/4, t² = 0.0625, t³ = 0.015625:
    //   first key   2t³ - 3t² + 1 =  0.84375  * 0  = 0
    //   outgoing    t³ - 2t² + t  =  0.140625 * 4  = 0.5625
    //   incoming    t³ - t²       = -0.046875 * -2 = 0.09375
    //   second key  3t² - 2t³     =  0.15625  * 8  = 1.25
    assert_eq!(cubic(Interpolation::Hermite).sample(1.0), Some(1.90625));
}

#[test]
fn bezier_by_hand() {
    // t = 1/4, s = 3/4:
    //   first key   s³   = 0.421875 * 0  = 0
    //   outgoing    3ts² = 0.421875 * 4  = 1.6875
    //   incoming    3t²s = 0.140625 * -2 = -0.28125
    //   second key  t³   = 0.015625 * 8  = 0.125
    assert_eq!(cubic(Interpolation::Bezier).sample(1.0), Some(1.53125));
}

#[test]
fn cubic_without_tangents_is_linear() {
    let track = Track::new(Interpolation::Hermite, [(0.0, 0.0), (4.0, 8.0)]);
    assert_eq!(track.sample(1.0), Some(2.0));
}

#[test]
fn a_constant_can_be_baked_into_keys() {
    // Hermite weights of the two keys add up to one; Bezier weights of all four do. So a constant goes on the values, and for Bezier on
    // the control points too.
    let mut hermite = cubic(Interpolation::Hermite);
    hermite.values.iter_mut().for_each(|value| *value += 10.0);
    assert_eq!(hermite.sample(1.0), Some(11.90625));
    let mut bezier = cubic(Interpolation::Bezier);
    bezier.values.iter_mut().for_each(|value| *value += 10.0);
    for tangents in &mut bezier.tangents {
        tangents.incoming += 10.0;
        tangents.outgoing += 10.0;
    }
    assert_eq!(bezier.sample(1.0), Some(11.53125));
}

#[test]
fn slerp_goes_at_even_speed() {
    assert!(same_turn(slerp(about_z(0.0), about_z(90.0), 1.0 / 3.0), about_z(30.0)));
    assert!(same_turn(slerp(about_z(10.0), about_z(10.5), 0.5), about_z(10.25)));
}

#[test]
fn slerp_meets_the_formula_in_double_precision() {
    // sin((1 - t)w)/sin(w) and sin(t·w)/sin(w) with the key at angle 0 being (0, 0, 0, 1) and the other (0, 0, sin w, cos w).
    for step in 1..=900 {
        let angle = f64::from(step) * 0.1_f64.to_radians();
        let key = Quat::from_xyzw(0.0, 0.0, angle.sin() as f32, angle.cos() as f32);
        for part in 0..=16 {
            let t = f64::from(part) / 16.0;
            let found = slerp(Quat::IDENTITY, key, t as f32);
            let (z, w) = ((t * angle).sin(), (t * angle).cos());
            assert!(
                (f64::from(found.z) - z).abs() < 4e-7 && (f64::from(found.w) - w).abs() < 4e-7,
                "{angle} {t}"
            );
        }
    }
}

#[test]
fn slerp_takes_the_short_way() {
    // The same key with all signs turned is the same rotation: the way is 90 degrees, not 270.
    assert!(same_turn(slerp(about_z(0.0), -about_z(90.0), 0.5), about_z(45.0)));
    // From 10 to 350 degrees through 0.
    assert!(same_turn(slerp(about_z(10.0), about_z(350.0), 0.5), about_z(0.0)));
}

#[test]
fn squad_by_hand() {
    // All about one axis, so angles interpolate: keys 0 and 90, tangents 30 and 60, t = 1/4.
    //   keys      0 + 90/4  = 22.5
    //   tangents 30 + 30/4  = 37.5
    //   share    2t(1 - t)  = 0.375
    //   result   22.5 + 0.375 * 15 = 28.125
    let expected = about_z(28.125);
    assert!(same_turn(squad(about_z(0.0), about_z(30.0), about_z(60.0), about_z(90.0), 0.25), expected));
    for interpolation in [Interpolation::Hermite, Interpolation::Bezier] {
        let track =
            Track::new(interpolation, [(0.0, about_z(0.0)), (1.0, about_z(90.0))]).with_tangents(vec![
                Tangents { incoming: about_z(77.0), outgoing: about_z(30.0) },
                Tangents { incoming: about_z(60.0), outgoing: about_z(77.0) },
            ]);
        assert!(same_turn(track.sample(0.25).unwrap(), expected), "{interpolation:?}");
    }
}

#[test]
fn clamped_outside() {
    let track = Track::new(Interpolation::Linear, [(1.0, 5.0), (2.0, 7.0)]);
    assert_eq!((track.sample(0.0), track.sample(1.0), track.sample(9.0)), (Some(5.0), Some(5.0), Some(7.0)));
}

#[test]
fn rest_outside() {
    let track = Track::new(Interpolation::Linear, [(1.0, 5.0), (2.0, 7.0)]).with_outside(Outside::Rest);
    assert_eq!(
        [0.9, 1.0, 1.5, 2.0, 2.1].map(|t| track.sample(t)),
        [None, Some(5.0), Some(6.0), Some(7.0), None]
    );
}

#[test]
fn wraps_from_the_last_key_to_the_first() {
    // Window 100..110, keys at 102 and 108: the way back takes 102 - 108 + 110 - 100 = 4.
    //   109: 1 after the last key           1/4 of the way from 6 to 0 = 4.5
    //   100: 0 + 110 - 108 = 2 after it     2/4 of the way             = 3
    //   101: 3 after it                     3/4 of the way             = 1.5
    let window = Outside::Wrap { start: 100.0, end: 110.0 };
    let inside = [(102.0, 0.0), (108.0, 6.0)];
    let track = Track::new(Interpolation::Linear, inside).with_outside(window);
    // Keys of other sequences on the same time line do not count.
    let crowded = Track::new(Interpolation::Linear, [(99.0, 50.0), inside[0], inside[1], (111.0, 50.0)]);
    for track in [track, crowded.with_outside(window)] {
        assert_eq!(track.sample(105.0), Some(3.0));
        assert_eq!(track.sample(108.0), Some(6.0));
        assert_eq!([109.0, 110.0, 100.0, 101.0].map(|t| track.sample(t)), [4.5, 3.0, 3.0, 1.5].map(Some));
    }
}

#[test]
fn a_window_may_hold_one_key_or_none() {
    let keys = [(1.0, 10.0), (5.0, 20.0), (9.0, 30.0)];
    let sample = |start, end, t| {
        Track::new(Interpolation::Linear, keys).with_outside(Outside::Wrap { start, end }).sample(t)
    };
    assert_eq!([4.0, 5.0, 6.0].map(|t| sample(4.0, 6.0, t)), [Some(20.0); 3]);
    assert_eq!(sample(6.0, 8.0, 7.0), None);
    // Both ends of a window belong to it.
    assert_eq!(sample(1.0, 5.0, 3.0), Some(15.0));
}

#[test]
fn binary_movement_stands_on_the_key_that_ends_it() {
    let mut track = Track::new(Interpolation::Linear, [(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)]);
    track.held_until = vec![false, true, false];
    assert_eq!([0.0, 0.5, 0.999].map(|t| track.sample(t)), [Some(1.0); 3], "held until the flagged key");
    assert_eq!([1.0, 1.5, 2.0].map(|t| track.sample(t)), [2.0, 3.0, 4.0].map(Some), "and free after it");
}

#[test]
fn two_keys_at_one_time_jump() {
    let track = Track::new(Interpolation::Linear, [(0.0, 0.0), (1.0, 4.0), (1.0, 10.0), (2.0, 20.0)]);
    assert_eq!([0.5, 1.0, 1.5].map(|t| track.sample(t)), [2.0, 10.0, 15.0].map(Some));
}

#[test]
fn sorting_keeps_keys_together() {
    let mut track = Track::new(Interpolation::Linear, [(2.0, 20.0), (0.0, 0.0), (2.0, 30.0), (1.0, 10.0)]);
    track.held_until = vec![true, false, false, false];
    track.sort();
    assert_eq!(track.times, [0.0, 1.0, 2.0, 2.0]);
    assert_eq!(track.values, [0.0, 10.0, 20.0, 30.0]);
    assert_eq!(track.held_until, [false, false, true, false]);
}

#[test]
fn global_sequences_run_on_the_clock() {
    let sequence = GlobalSequence { duration: 2.0 };
    assert!(close(sequence.local_time(5.5), 1.5));
    assert_eq!(GlobalSequence { duration: 0.0 }.local_time(5.5), 0.0);

    let track = |keys: &[(f32, f32)], end| {
        let track = Track::new(Interpolation::Linear, keys.iter().copied());
        Curve::Scalar(track.with_outside(Outside::Wrap { start: 0.0, end }))
    };
    // Keys past the end are not reached; the way back from 1 to 0 takes 0 - 1 + 2 = 1.
    let curve = track(&[(0.0, 0.0), (1.0, 8.0), (3.0, 99.0)], 2.0);
    assert_eq!(curve.sample_global(1.5, 2.0), Some(Value::Scalar(4.0)));
    // A track that starts only past the end stands still at its first key.
    assert_eq!(track(&[(3.0, 9.0), (4.0, 1.0)], 2.0).sample_global(1.5, 2.0), Some(Value::Scalar(9.0)));
    // One whose keys all lie before the start says nothing.
    assert_eq!(track(&[(-3.0, 9.0)], 2.0).sample_global(1.5, 2.0), None);
    // A duration of nothing stands still at the key at zero.
    assert_eq!(track(&[(0.0, 7.0), (1.0, 8.0)], 0.0).sample_global(0.0, 0.0), Some(Value::Scalar(7.0)));
}
