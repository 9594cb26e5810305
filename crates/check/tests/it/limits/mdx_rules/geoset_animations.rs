//! Geoset animations.

use super::*;

const GEOSET_ANIMATION: &str = "GEOA/GeosetAnimation/GeosetAnimationHeader";

#[test]
fn geoset_animations() {
    for (id, expected) in [(0, 0), (1, 1), (-1, 1)] {
        classic_case(
            "MDX-GEOA-001",
            |file| set::<GeosetAnimationHeader>(file, GEOSET_ANIMATION, |header| header.geoset_id.set(id)),
            expected,
        );
    }
    let alpha = |alpha: f32, track: bool| {
        move |file: &mut Document<'static>| {
            set::<GeosetAnimationHeader>(file, GEOSET_ANIMATION, |header| header.alpha.set(alpha));
            children(file, "GEOA/GeosetAnimation").retain(|part| track || part.id != tags::KGAO);
        }
    };
    classic_case("MDX-GEOA-002", alpha(0.099, false), 1);
    classic_case("MDX-GEOA-002", alpha(0.1, false), 0);
    classic_case("MDX-GEOA-002", alpha(0.5, false), 0);
    classic_case("MDX-GEOA-002", alpha(0.0, true), 0);
    let another = |file: &mut Document<'static>| {
        let geoset = node(file, GEOSET).clone();
        children(file, "GEOS").push(geoset);
    };
    classic_case("MDX-GEOA-005", another, 1);
    classic_case(
        "MDX-GEOA-005",
        |file| {
            another(file);
            children(file, "GEOA").clear();
        },
        0,
    );
}

/// Replaces the tracks of the geoset animation by one of its opacity.
fn opacity(
    keys: &[(i32, f32)],
    interpolation: Interpolation,
    global: i32,
) -> impl FnOnce(&mut Document<'static>) + use<> {
    let track = float_track(tags::KGAO, keys, interpolation, global);
    move |file| {
        let parts = children(file, "GEOA/GeosetAnimation");
        parts.truncate(1);
        parts.push(track);
    }
}

/// Stand is from 0 to 1000, Death from 1333 to 2333.
#[test]
fn keys_of_geoset_animations() {
    let steps = |keys: &[(i32, f32)]| opacity(keys, Interpolation::NONE, -1);
    classic_case("MDX-GEOA-006", steps(&[(1000, 1.0), (1333, 1.0)]), 0);
    classic_case("MDX-GEOA-006", steps(&[(0, 1.0), (2333, 1.0)]), 0);
    classic_case("MDX-GEOA-006", steps(&[(0, 1.0), (2334, 1.0)]), 1);
    classic_case("MDX-GEOA-006", steps(&[(1001, 1.0), (1332, 1.0)]), 1);
    classic_case("MDX-GEOA-006", steps(&[]), 0);
    classic_case("MDX-GEOA-006", opacity(&[(5000, 1.0)], Interpolation::NONE, 0), 0);
    // Before the first key inside, the value of the last is used: only where both differ, and nothing is interpolated.
    classic_case("MDX-GEOA-007", steps(&[(0, 1.0), (1333, 0.0), (2000, 1.0)]), 0);
    classic_case("MDX-GEOA-007", steps(&[(0, 1.0), (1400, 0.0), (2000, 1.0)]), 1);
    classic_case("MDX-GEOA-007", steps(&[(0, 1.0), (1400, 0.5), (2000, 0.5)]), 0);
    classic_case("MDX-GEOA-007", steps(&[(0, 1.0), (1400, 0.5)]), 0);
    classic_case(
        "MDX-GEOA-007",
        opacity(&[(0, 1.0), (1400, 0.0), (2000, 1.0)], Interpolation::LINEAR, -1),
        0,
    );
}
