//! Warcraft III's second kind of emitter and World of Warcraft's.

use super::scenes::*;
use glam::*;
use meshwright_render::frame::{Gradient, PictureId};
use meshwright_render::particles::{Rules, Squirt};
use scene::*;

#[test]
fn sprites_rise_and_fall_in_closed_form() {
    let scene = sprite_scene(|sprites| sprites.gravity = 8.0);
    // Born at 4 and 5; 10 t - 4 t² at the ages 1.25 and 0.25.
    let cloud = at(&scene, 5.25, Rules::default()).unwrap();
    assert_places(&centers(&cloud), &[[0.0, 12.5 - 6.25, 0.0], [0.0, 2.5 - 0.25, 0.0]]);
    assert_eq!(cloud.blend, (BlendFactor::SourceAlpha, BlendFactor::One));
    assert!(!cloud.depth_write && cloud.two_sided && cloud.gradient == Gradient::Modulate);
    assert_eq!(cloud.picture, None);
}

#[test]
fn sprites_change_over_the_two_halves_of_their_life() {
    let scene = sprite_scene(|_| {});
    // At the age of 0.375, a quarter of its life: halfway through the first half.
    let young = at(&scene, 5.375, Rules::default()).unwrap();
    let vertex = young.vertices.last().unwrap();
    assert!(vertex.color.abs_diff_eq(Vec4::new(0.5, 0.5, 0.0, 0.75), 1e-4), "{}", vertex.color);
    // Half the size is 2, along the camera's right and up.
    assert_places(
        &corners(&young, 1),
        &[[-2.0, 5.75, 0.0], [-2.0, 1.75, 0.0], [2.0, 1.75, 0.0], [2.0, 5.75, 0.0]],
    );
    // At the age of 1.125, three quarters: halfway through the second half.
    let old = at(&scene, 5.125, Rules::default()).unwrap();
    let vertex = &old.vertices[0];
    assert!(vertex.color.abs_diff_eq(Vec4::new(0.0, 0.5, 0.5, 0.25), 1e-4), "{}", vertex.color);
    assert_places(&centers(&old), &[[0.0, 11.25, 0.0], [0.0, 1.25, 0.0]]);
}

#[test]
fn cells_include_the_last_or_not() {
    let scene = sprite_scene(|sprites| sprites.head_life = FrameRange { start: 0, end: 3, repeat: 1 });
    let left_top = |elapsed, rules| {
        let cloud = at(&scene, elapsed, rules).unwrap();
        // Of the youngest.
        cloud.vertices[cloud.vertices.len() - 4].uv[0]
    };
    let exclusive = Rules { end_cell_inclusive: false, ..Rules::default() };
    // The first half of the life is 0.75 s. At its share of 0.8 there are 3.2 of 4 cells, or 2.4 of 3.
    assert_eq!(left_top(5.6, Rules::default()), Vec2::new(0.5, 0.5));
    assert_eq!(left_top(5.6, exclusive), Vec2::new(0.0, 0.5));
    // At 0.3: 1.2 of 4, or 0.9 of 3.
    assert_eq!(left_top(5.225, Rules::default()), Vec2::new(0.5, 0.0));
    assert_eq!(left_top(5.225, exclusive), Vec2::new(0.0, 0.0));
}

#[test]
fn tails_reach_to_where_the_particle_was() {
    let scene = sprite_scene(|sprites| {
        (sprites.head, sprites.tail, sprites.tail_length, sprites.life_span) = (false, true, 0.5, 1.0);
    });
    // At the age of 0.25, at a height of 2.5: half a second of way is 5. Half the width is 1 + 2 · 0.5.
    let cloud = at(&scene, 5.25, Rules::default()).unwrap();
    let mut places = corners(&cloud, 0);
    assert_eq!(cloud.pieces.len(), 1);
    places.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x)));
    assert_places(&places, &[[-2.0, -2.5, 0.0], [2.0, -2.5, 0.0], [-2.0, 2.5, 0.0], [2.0, 2.5, 0.0]]);
    let both = sprite_scene(|sprites| (sprites.tail, sprites.life_span) = (true, 1.0));
    assert_eq!(at(&both, 5.25, Rules::default()).unwrap().pieces.len(), 2);
}

#[test]
fn flat_sprites_lie_on_the_ground_along_their_velocity() {
    let mut scene = sprite_scene(|sprites| (sprites.flat, sprites.life_span) = (true, 1.0));
    // The emitter looks along +X.
    scene.nodes[0].rest.rotation = Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2);
    let cloud = at(&scene, 5.5, Rules::default()).unwrap();
    let places = corners(&cloud, 0);
    assert!(places.iter().all(|place| place.y.abs() < 1e-3), "{places:?}");
    assert_places(&centers(&cloud), &[[5.0, 0.0, 0.0]]);
    // Its texture's upper edge is ahead.
    let (head, tail) = (cloud.vertices[0], cloud.vertices[1]);
    assert!(head.position.x > tail.position.x && head.uv[0].y < tail.uv[0].y);
}

#[test]
fn model_space_moves_with_the_node() {
    for (model_space, x) in [(true, 1.5), (false, 1.0)] {
        let mut scene = sprite_scene(|sprites| {
            (sprites.model_space, sprites.life_span) = (model_space, 1.0);
        });
        moving(&mut scene);
        // Born at 1, where the node was at x = 1; now it is at 1.5.
        let cloud = at(&scene, 1.5, Rules::default()).unwrap();
        assert_places(&centers(&cloud), &[[x, 5.0, 0.0]]);
    }
}

#[test]
fn directions_stay_within_the_latitude_and_lines_in_a_plane() {
    let turned = Rules { line_along_y: true, ..Rules::default() };
    for (line, rules) in [(false, Rules::default()), (true, Rules::default()), (true, turned)] {
        let scene = sprite_scene(|sprites| {
            (sprites.latitude, sprites.line, sprites.emission_rate) = (30.0, line, 200.0);
        });
        let cloud = at(&scene, 5.0, rules).unwrap();
        assert_eq!(cloud.pieces.len(), 300);
        let mut sides = Vec2::ZERO;
        for center in centers(&cloud).into_iter().filter(|center| center.length() > 1e-3) {
            assert!(center.angle_between(Vec3::Y) < 30.1_f32.to_radians());
            sides = sides.max(Vec2::new(center.x.abs(), center.z.abs()));
        }
        let (x, z) = (sides.x > 1.0, sides.y > 1.0);
        assert_eq!((x, z), (!line || !rules.line_along_y, !line || rules.line_along_y), "{sides}");
    }
}

#[test]
fn the_area_has_its_width_along_x_and_wow_its_length() {
    let extent = |wow: bool, rules: Rules| {
        let scene = sprite_scene(|sprites| {
            (sprites.width, sprites.length, sprites.speed, sprites.emission_rate) = (20.0, 2.0, 0.0, 200.0);
            if wow {
                let shape = WowEmitterShape::Plane;
                sprites.wow = Some(Box::new(WowParticles { shape, ..WowParticles::default() }));
            }
        });
        let centers = centers(&at(&scene, 5.0, rules).unwrap());
        let most = centers.iter().fold(Vec3::ZERO, |most, center| most.max(center.abs()));
        [most.x > 5.0, most.z > 5.0]
    };
    assert_eq!(extent(false, Rules::default()), [true, false]);
    assert_eq!(extent(true, Rules::default()), [false, true]);
    assert_eq!(extent(true, Rules { wow_length_along_x: false, ..Rules::default() }), [true, false]);
}

#[test]
fn sprites_grow_with_their_node_if_the_rule_says_so() {
    let mut scene = sprite_scene(|sprites| (sprites.life_span, sprites.speed) = (1.0, 0.0));
    scene.nodes[0].rest.scale = Vec3::splat(3.0);
    let width = |rules| {
        let corners = corners(&at(&scene, 5.25, rules).unwrap(), 0);
        corners[2].x - corners[0].x
    };
    assert!((width(Rules::default()) - 4.0).abs() < 1e-3);
    assert!((width(Rules { sprites_grow_with_node: true, ..Rules::default() }) - 12.0).abs() < 1e-3);
}

#[test]
fn squirts_follow_their_rule() {
    let scene = sprite_scene(|sprites| (sprites.squirt, sprites.emission_rate) = (true, 7.0));
    let count = |elapsed, squirt| {
        at(&scene, elapsed, Rules { squirt, ..Rules::default() }).map_or(0, |cloud| cloud.pieces.len())
    };
    // The clip starts again every 2 s, the particles live for 1.5 s.
    assert_eq!([2.5, 3.6].map(|time| count(time, Squirt::Keys)), [7, 0]);
    assert_eq!([2.5, 3.6].map(|time| count(time, Squirt::Loops)), [7, 0]);
    assert_eq!([0.5, 2.5].map(|time| count(time, Squirt::Start)), [7, 0]);
}

#[test]
fn emission_can_be_doubled() {
    let scene = sprite_scene(|sprites| sprites.emission_rate = 10.0);
    let count = |emission_factor| {
        at(&scene, 5.0, Rules { emission_factor, ..Rules::default() }).unwrap().pieces.len()
    };
    assert_eq!((count(1.0), count(2.0)), (15, 30));
}

#[test]
fn animated_gravity_is_integrated() {
    let mut scene = sprite_scene(|sprites| (sprites.life_span, sprites.gravity) = (1.0, 99.0));
    // No gravity in the first second of the clip, 12 in the second: born at 1 (in step) or at 0 and 2.
    let track = Track::new(Interpolation::Step, [(0.0, 0.0), (1.0, 12.0)]);
    scene.clips[0].channels.push(Channel {
        target: Target::Emitter(EmitterId(0), EmitterProperty::Gravity),
        curve: Curve::Scalar(track),
    });
    assert_places(&centers(&at(&scene, 4.5, Rules::default()).unwrap()), &[[0.0, 5.0, 0.0]]);
    let fallen = centers(&at(&scene, 5.5, Rules::default()).unwrap());
    assert!((fallen[0].y - (5.0 - 6.0 * 0.25)).abs() < 0.02, "{fallen:?}");
}

#[test]
fn wow_sprites_are_slowed_blown_and_spun() {
    let with = |wow: WowParticles| {
        sprite_scene(|sprites| {
            sprites.life_span = 1.0;
            sprites.wow = Some(Box::new(wow));
        })
    };
    // Each sixtieth of a second takes a sixtieth of the speed: v = 10 (59/60)^(60 t).
    let slowed = with(WowParticles { drag: 1.0, ..WowParticles::default() });
    let height = centers(&at(&slowed, 5.5, Rules::default()).unwrap())[0].y;
    let decay = -60.0 * (59.0_f32 / 60.0).ln();
    assert!((height - 10.0 * (1.0 - (-decay * 0.5).exp()) / decay).abs() < 1e-3, "{height}");
    assert!(height < 4.0);
    let blown = with(WowParticles { wind: Vec3::X * 8.0, wind_time: 0.25, ..WowParticles::default() });
    assert_places(&centers(&at(&blown, 5.5, Rules::default()).unwrap()), &[[2.0, 5.0, 0.0]]);
    // A quarter turn: what was the upper left corner is the lower left one.
    let spin = std::f32::consts::PI;
    let spun = with(WowParticles { spin, ..WowParticles::default() });
    let cloud = at(&spun, 5.5, Rules::default()).unwrap();
    assert_places(&corners(&cloud, 0)[..1], &[[-3.0, 2.0, 0.0]]);
    let sphere = sprite_scene(|sprites| {
        let shape = WowEmitterShape::Sphere;
        sprites.wow = Some(Box::new(WowParticles { shape, ..WowParticles::default() }));
        (sprites.width, sprites.length, sprites.speed, sprites.emission_rate) = (4.0, 6.0, 0.0, 100.0);
    });
    for center in centers(&at(&sphere, 5.0, Rules::default()).unwrap()) {
        assert!((3.999..6.001).contains(&center.length()));
    }
    let mut followers =
        with(WowParticles { follows: true, follow: [(0.0, 0.5), (10.0, 0.5)], ..WowParticles::default() });
    moving(&mut followers);
    // Born at 1 at x = 1; the emitter has moved 0.5 since then, and half of that counts.
    let x = centers(&at(&followers, 1.5, Rules::default()).unwrap())[0].x;
    assert!((x - 1.25).abs() < 0.02, "{x}");
    let mut thrown =
        with(WowParticles { instant_velocity: true, velocity_scale: 2.0, ..WowParticles::default() });
    moving(&mut thrown);
    assert_places(&centers(&at(&thrown, 1.5, Rules::default()).unwrap()), &[[2.0, 5.0, 0.0]]);
}

#[test]
fn team_colors_and_edges_come_from_the_texture() {
    let mut scene = sprite_scene(|sprites| sprites.texture = Some(TextureId(0)));
    scene.textures.push(Texture { name: "a.blp".into(), wrap_v: Wrap::Mirror, ..Texture::default() });
    let cloud = at(&scene, 5.0, Rules::default()).unwrap();
    assert_eq!(cloud.picture, Some(PictureId::Texture(TextureId(0))));
    assert_eq!(cloud.wrap, [Wrap::Repeat, Wrap::Mirror]);
    let glow = sprite_scene(|sprites| sprites.replaceable = Some(Replaceable::TEAM_GLOW));
    assert_eq!(at(&glow, 5.0, Rules::default()).unwrap().picture, Some(PictureId::TeamGlow));
    let keyed = sprite_scene(|sprites| {
        (sprites.blend, sprites.alpha_reference) = (BlendMode::Opaque, AlphaTest::WARCRAFT.reference);
    });
    let cloud = at(&keyed, 5.0, Rules::default()).unwrap();
    assert_eq!((cloud.alpha_test, cloud.depth_write), (Some(AlphaTest::WARCRAFT), true));
}
