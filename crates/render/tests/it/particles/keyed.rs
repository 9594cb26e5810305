//! W3D's emitters.

use super::scenes::*;
use glam::*;
use meshwright_render::particles::Rules;
use scene::*;

#[test]
fn keyed_particles_are_born_in_bursts_and_move_in_world_space() {
    let scene = keyed_scene(|keyed| keyed.burst_size = 3);
    // Bursts of three every half second; at 5.25 those of 4.5 and 5 live.
    let cloud = at(&scene, 5.25, Rules::default()).unwrap();
    let old = [0.0, 3.0, 0.5625];
    let young = [0.0, 1.0, 0.0625];
    assert_places(&centers(&cloud), &[old, old, old, young, young, young]);
    assert_eq!(cloud.blend, (BlendFactor::One, BlendFactor::One));
    // A quarter of the way from 2 to 4 is 2.5, which is the whole size; the colour is 0.75.
    let places = corners(&cloud, 3);
    assert!((places[2].x - places[0].x - 2.5).abs() < 1e-3, "{places:?}");
    assert!(cloud.vertices[12].color.abs_diff_eq(Vec4::new(0.75, 0.75, 0.75, 1.0), 1e-4));
}

#[test]
fn keyed_particles_are_alive_from_after_their_birth_to_the_end_of_their_life() {
    let scene = keyed_scene(|_| {});
    // At 5: born at 4 (age 1, still there) and 4.5; the one born just now is not yet there.
    assert_places(
        &centers(&at(&scene, 5.0, Rules::default()).unwrap()),
        &[[0.0, 4.0, 1.0], [0.0, 2.0, 0.25]],
    );
    // A life of nothing is one second.
    let scene = keyed_scene(|keyed| keyed.life_time = 0.0);
    assert_eq!(at(&scene, 5.0, Rules::default()).unwrap().pieces.len(), 2);
    // The period is a whole number of milliseconds: 333 at a rate of 3.
    let scene = keyed_scene(|keyed| keyed.emission_rate = 3.0);
    let cloud = at(&scene, 0.5, Rules::default()).unwrap();
    assert!((centers(&cloud).last().unwrap().y - 4.0 * (0.5 - 0.333)).abs() < 1e-3);
}

#[test]
fn keyed_emitters_with_a_limit_start_with_the_clip() {
    let scene = keyed_scene(|keyed| (keyed.max_emissions, keyed.burst_size) = (3.0, 2));
    let count = |elapsed| at(&scene, elapsed, Rules::default()).map_or(0, |cloud| cloud.pieces.len());
    assert_eq!([0.25, 0.75, 1.25, 9.0].map(count), [2, 3, 1, 0]);
}

#[test]
fn keyed_particles_inherit_velocity_and_spread_outward() {
    let mut scene = keyed_scene(|keyed| {
        (keyed.velocity_inheritance, keyed.acceleration) = (2.0, Vec3::ZERO);
    });
    moving(&mut scene);
    // Born at 1 at x = 1 with twice the emitter's speed of 1; born at 0.5 likewise, half a second earlier.
    let cloud = at(&scene, 1.25, Rules::default()).unwrap();
    assert_places(&centers(&cloud), &[[2.0, 3.0, 0.0], [1.5, 1.0, 0.0]]);
    // Without any volume outward is +X.
    let scene = keyed_scene(|keyed| {
        (keyed.outward_velocity, keyed.velocity, keyed.acceleration) = (5.0, Vec3::ZERO, Vec3::ZERO);
    });
    assert_places(&centers(&at(&scene, 5.25, Rules::default()).unwrap())[1..], &[[1.25, 0.0, 0.0]]);
    let scene = keyed_scene(|keyed| {
        keyed.creation_volume = Volume::Sphere { radius: 2.0, hollow: true };
        (keyed.outward_velocity, keyed.velocity, keyed.acceleration) = (4.0, Vec3::ZERO, Vec3::ZERO);
    });
    let cloud = at(&scene, 5.25, Rules::default()).unwrap();
    assert!((centers(&cloud)[1].length() - 3.0).abs() < 1e-3);
}

#[test]
fn keyed_particles_turn_and_show_frames() {
    let scene = keyed_scene(|keyed| {
        keyed.rotation = LifeKeys { keys: vec![(0.0, 1.0)], random: 0.0 };
        keyed.frame = LifeKeys { keys: vec![(0.0, 6.0)], random: 0.0 };
        (keyed.frame_log2, keyed.acceleration, keyed.velocity) = (1, Vec3::ZERO, Vec3::ZERO);
    });
    // A quarter of a second is a quarter turn, anticlockwise; frame 6 of 4 is frame 2, in the second row.
    let cloud = at(&scene, 5.25, Rules::default()).unwrap();
    let vertex = &cloud.vertices[4];
    assert!(vertex.position.abs_diff_eq(Vec3::new(-1.25, -1.25, 0.0), 1e-3), "{}", vertex.position);
    assert_eq!(vertex.uv[0], Vec2::new(0.0, 0.5));
}

#[test]
fn keyed_triangles_lines_and_line_groups_have_their_shapes() {
    let triangles = keyed_scene(|keyed| keyed.render = ParticleRender::Triangle);
    let cloud = at(&triangles, 5.25, Rules::default()).unwrap();
    let [x, y, z] = [0.0, 1.0, 0.0625];
    assert_places(
        &corners(&cloud, 1),
        &[[x, y - 5.0, z], [x - 1.732 * 2.5, y + 2.5, z], [x + 1.732 * 2.5, y + 2.5, z]],
    );

    let line = keyed_scene(|keyed| {
        (keyed.render, keyed.acceleration) = (ParticleRender::Line, Vec3::ZERO);
        keyed.size.keys = vec![(0.0, 2.0)];
    });
    // From the oldest at 3 by the youngest at 1 to the emitter at 0, one unit to each side.
    let cloud = at(&line, 5.25, Rules::default()).unwrap();
    assert_places(&centers(&cloud), &[[0.0, 2.0, 0.0], [0.0, 0.5, 0.0]]);
    let mut places = corners(&cloud, 1);
    places.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x)));
    assert_places(&places, &[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
    let halved = keyed_scene(|keyed| {
        let line = LineProperties { subdivision_level: 2, noise_amplitude: 1.0, ..LineProperties::default() };
        (keyed.render, keyed.line) = (ParticleRender::Line, Some(line));
    });
    assert_eq!(at(&halved, 5.25, Rules::default()).unwrap().pieces.len(), 8);

    let group = |render| {
        keyed_scene(|keyed| {
            (keyed.render, keyed.acceleration) = (render, Vec3::ZERO);
            keyed.blur_time.keys = vec![(0.0, 0.5)];
        })
    };
    // The head at 1 with a radius of 2.5; the tip half a second before it, which is 2 units.
    let cloud = at(&group(ParticleRender::LineGroupTetrahedron), 5.25, Rules::default()).unwrap();
    let places = corners(&cloud, 1);
    assert_places(&places[..1], &[[0.0, 3.5, 0.0]]);
    assert_places(&places[3..], &[[0.0, -1.0, 0.0]]);
    assert_eq!(cloud.pieces[1].indices.len(), 12);
    // An additive line fades to black.
    assert_eq!(cloud.vertices[7].color.truncate(), Vec3::ZERO);
    let cloud = at(&group(ParticleRender::LineGroupPrism), 5.25, Rules::default()).unwrap();
    assert_eq!((corners(&cloud, 1).len(), cloud.pieces[1].indices.len()), (6, 24));
}
