//! Particles, ribbons, rings and spheres against numbers that were calculated by hand.

mod golden_picture;

use glam::{Quat, Vec2, Vec3, Vec4};
use meshwright_render::frame::{Framer, Gradient, Options, PictureId, Viewpoint};
use meshwright_render::particles::{
    Cloud, MAX_PARTICLES, RibbonU, Rules, Situation, Squirt, dazzle, emit, primitive, ribbon,
};
use meshwright_render::pictures::{PictureOptions, Pictures};
use meshwright_render::soft::{self, Background, Settings};
use scene::*;

/// A scene with one node, a looping clip of two seconds and this emitter.
fn scene(kind: EmitterKind) -> Scene {
    Scene {
        nodes: vec![Node::default()],
        clips: vec![Clip { duration: 2.0, looping: true, ..Clip::default() }],
        emitters: vec![Emitter { node: NodeId(0), name: String::new(), visible: true, kind }],
        ..Scene::default()
    }
}

/// One particle a second, up at 10 units a second, for one second and a half.
fn sprites() -> SpriteEmitter {
    SpriteEmitter {
        emission_rate: 1.0,
        life_span: 1.5,
        speed: 10.0,
        head: true,
        blend: BlendMode::Additive,
        middle: 0.5,
        colors: [Vec3::X, Vec3::Y, Vec3::Z],
        alphas: [1.0, 0.5, 0.0],
        scales: [1.0, 3.0, 5.0],
        rows: 2,
        columns: 2,
        ..SpriteEmitter::default()
    }
}

fn sprite_scene(change: impl FnOnce(&mut SpriteEmitter)) -> Scene {
    let mut emitter = sprites();
    change(&mut emitter);
    scene(EmitterKind::Sprite(Box::new(emitter)))
}

fn keyed() -> KeyedEmitter {
    KeyedEmitter {
        emission_rate: 2.0,
        life_time: 1.0,
        burst_size: 1,
        render: ParticleRender::Quad,
        velocity: Vec3::new(0.0, 4.0, 0.0),
        acceleration: Vec3::new(0.0, 0.0, 2.0),
        color: LifeKeys { keys: vec![(0.0, Vec4::ONE), (1.0, Vec4::ZERO)], random: Vec4::ZERO },
        opacity: LifeKeys { keys: vec![(0.0, 1.0)], random: 0.0 },
        size: LifeKeys { keys: vec![(0.0, 2.0), (1.0, 4.0)], random: 0.0 },
        layer: Layer { blend: BlendMode::Add, depth_write: false, ..Layer::default() },
        ..KeyedEmitter::default()
    }
}

fn keyed_scene(change: impl FnOnce(&mut KeyedEmitter)) -> Scene {
    let mut emitter = keyed();
    change(&mut emitter);
    scene(EmitterKind::Keyed(Box::new(emitter)))
}

fn at(scene: &Scene, elapsed: f32, rules: Rules) -> Option<Cloud> {
    let sampler = Sampler::new(scene);
    let clip = (!scene.clips.is_empty()).then_some(ClipId(0));
    let situation = Situation { clip, elapsed, clock: elapsed, rules, ..Situation::new(&sampler) };
    emit(&situation, EmitterId(0))
}

fn centers(cloud: &Cloud) -> Vec<Vec3> {
    cloud.pieces.iter().map(|piece| piece.center).collect()
}

fn corners(cloud: &Cloud, piece: usize) -> Vec<Vec3> {
    let range = cloud.pieces[piece].indices.clone();
    let mut indices = cloud.indices[range.start as usize..range.end as usize].to_vec();
    indices.sort_unstable();
    indices.dedup();
    indices.iter().map(|&index| cloud.vertices[index as usize].position).collect()
}

#[track_caller]
fn assert_places(found: &[Vec3], wanted: &[[f32; 3]]) {
    assert_eq!(found.len(), wanted.len(), "{found:?}");
    for (found, wanted) in found.iter().zip(wanted) {
        assert!(found.abs_diff_eq(Vec3::from(*wanted), 1e-3), "{found} is not {wanted:?}");
    }
}

/// A clip channel that carries node 0 along X at one unit a second, back to zero when the clip starts again.
fn moving(scene: &mut Scene) {
    let track = Track::new(Interpolation::Linear, [(0.0, Vec3::ZERO), (2.0, Vec3::X * 2.0)]);
    scene.clips[0].channels.push(Channel {
        target: Target::Node(NodeId(0), NodeProperty::Translation),
        curve: Curve::Vector(track),
    });
}

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
    // What is added fades to black.
    assert_eq!(cloud.vertices[7].color.truncate(), Vec3::ZERO);
    let cloud = at(&group(ParticleRender::LineGroupPrism), 5.25, Rules::default()).unwrap();
    assert_eq!((corners(&cloud, 1).len(), cloud.pieces[1].indices.len()), (6, 24));
}

#[test]
fn model_and_effect_emitters_show_markers_or_nothing() {
    let models = ModelEmitter {
        path: "Spark.mdl".into(),
        emission_rate: 1.0,
        life_span: 1.5,
        speed: 10.0,
        gravity: 8.0,
        ..ModelEmitter::default()
    };
    let markers = Rules { markers: true, ..Rules::default() };
    let scene = scene(EmitterKind::Model(models.clone()));
    assert_eq!(at(&scene, 5.25, Rules::default()), None);
    let cloud = at(&scene, 5.25, markers).unwrap();
    assert_places(&centers(&cloud), &[[0.0, 12.5 - 6.25, 0.0], [0.0, 2.5 - 0.25, 0.0]]);
    assert_eq!(cloud.picture, Some(PictureId::Glow));

    let mut pictures = self::scene(EmitterKind::Model(ModelEmitter {
        path: "textures/spark.tga".into(),
        is_picture: true,
        ..models
    }));
    pictures.textures.push(Texture { name: "Textures\\Spark.tga".into(), ..Texture::default() });
    let cloud = at(&pictures, 5.25, Rules::default()).unwrap();
    assert_eq!(cloud.picture, Some(PictureId::Texture(TextureId(0))));

    let effect = self::scene(EmitterKind::Effect(EffectEmitter::default()));
    assert_eq!(at(&effect, 5.25, Rules::default()), None);
    assert_places(&centers(&at(&effect, 5.25, markers).unwrap()), &[[0.0; 3]]);
}

fn ribbon_scene() -> Scene {
    let mut scene = Scene {
        nodes: vec![Node::default()],
        clips: vec![Clip { duration: 2.0, looping: true, ..Clip::default() }],
        ..Scene::default()
    };
    moving(&mut scene);
    scene.ribbons.push(Ribbon {
        height_above: 3.0,
        height_below: 1.0,
        emission_rate: 4.0,
        life_span: 0.6,
        rows: 1,
        columns: 2,
        texture_slot: 1,
        ..Ribbon::new(NodeId(0))
    });
    scene
}

fn ribbon_at(scene: &Scene, elapsed: f32, rules: Rules) -> Cloud {
    let sampler = Sampler::new(scene);
    let situation = Situation { clip: Some(ClipId(0)), elapsed, rules, ..Situation::new(&sampler) };
    ribbon(&situation, RibbonId(0)).unwrap()
}

#[test]
fn ribbons_follow_the_way_of_their_node() {
    let scene = ribbon_scene();
    // Edges at 1.0 and 1.25, and at the node at 1.5. Above is -Z, below is +Z.
    let cloud = ribbon_at(&scene, 1.5, Rules::default());
    assert_places(
        &corners(&cloud, 1),
        &[[1.5, 0.0, -3.0], [1.5, 0.0, 1.0], [1.25, 0.0, 1.0], [1.25, 0.0, -3.0]],
    );
    assert_eq!(cloud.pieces.len(), 2);
    // The second of two columns: from the node at its left to the end of life at its right.
    let ages = [0.0, 0.25, 0.5].map(|age| 0.5 + 0.5 * age / 0.6);
    let us = [cloud.vertices[4].uv[0].x, cloud.vertices[0].uv[0].x, cloud.vertices[2].uv[0].x];
    assert!(us.iter().zip(ages).all(|(u, age)| (u - age).abs() < 1e-4), "{us:?} is not {ages:?}");
    let by_index = ribbon_at(&scene, 1.5, Rules { ribbon_u: RibbonU::Index, ..Rules::default() });
    let us = [by_index.vertices[4].uv[0].x, by_index.vertices[0].uv[0].x, by_index.vertices[2].uv[0].x];
    assert_eq!(us, [0.5, 0.75, 1.0]);
}

#[test]
fn ribbons_fall_fade_and_tear() {
    let mut scene = ribbon_scene();
    scene.ribbons[0].gravity = 4.0;
    // At the age of a quarter second: 4 / 16.
    let cloud = ribbon_at(&scene, 1.5, Rules::default());
    assert!((cloud.vertices[6].position.y + 0.25).abs() < 1e-4);

    let alpha = Track::new(Interpolation::Linear, [(0.0, 0.0), (2.0, 1.0)]);
    scene.clips[0].channels.push(Channel {
        target: Target::Ribbon(RibbonId(0), RibbonProperty::Alpha),
        curve: Curve::Scalar(alpha),
    });
    let alphas = |rules| {
        let cloud = ribbon_at(&scene, 1.5, rules);
        [cloud.vertices[4].color.w, cloud.vertices[6].color.w]
    };
    assert_eq!(alphas(Rules::default()), [0.75, 0.75]);
    assert_eq!(alphas(Rules { ribbon_color_at_birth: true, ..Rules::default() }), [0.75, 0.625]);

    let shown = Track::new(Interpolation::Step, [(0.0, true), (1.1, false), (1.4, true)]);
    scene.clips[0].channels.push(Channel {
        target: Target::Ribbon(RibbonId(0), RibbonProperty::Visibility),
        curve: Curve::Flag(shown),
    });
    scene.ribbons[0].life_span = 1.0;
    // Edges at 0.75 and 1.0; between 1.0 and now it was hidden.
    assert_eq!(ribbon_at(&scene, 1.5, Rules::default()).pieces.len(), 1);
}

fn primitive_scene(form: PrimitiveForm) -> Scene {
    Scene {
        nodes: vec![Node { rest: Transform::from_translation(Vec3::Y), ..Node::default() }],
        primitives: vec![Primitive {
            name: String::new(),
            node: NodeId(0),
            center: Vec3::X,
            extent: Vec3::splat(2.0),
            duration: 4.0,
            looping: true,
            aligned: false,
            texture: None,
            layer: Layer { blend: BlendMode::Add, ..Layer::default() },
            color: LifeKeys { keys: vec![(0.0, Vec3::ONE)], random: Vec3::ZERO },
            alpha: LifeKeys { keys: vec![(0.0, 1.0), (1.0, 0.0)], random: 0.0 },
            form,
        }],
        ..Scene::default()
    }
}

fn primitive_at(scene: &Scene, elapsed: f32) -> Cloud {
    let sampler = Sampler::new(scene);
    primitive(&Situation { elapsed, ..Situation::new(&sampler) }, 0).unwrap()
}

#[test]
fn rings_grow_and_fade() {
    let mut scene = primitive_scene(PrimitiveForm::Ring {
        inner_scale: LifeKeys { keys: vec![(0.0, Vec2::ONE)], random: Vec2::ZERO },
        outer_scale: LifeKeys { keys: vec![(0.0, Vec2::ONE), (1.0, Vec2::splat(3.0))], random: Vec2::ZERO },
        inner_extent: Vec2::splat(1.0),
        outer_extent: Vec2::new(2.0, 4.0),
        tiles: 5,
    });
    // A quarter of its life: the outer scale is 1.5, the colour three quarters. After 4 s it starts again.
    for elapsed in [1.0, 5.0] {
        let cloud = primitive_at(&scene, elapsed);
        assert_eq!(cloud.pieces.len(), 32);
        assert_places(&corners(&cloud, 0)[..2], &[[2.0, 1.0, 0.0], [4.0, 1.0, 0.0]]);
        // A quarter round is W3D's Y, which is -Z here.
        assert_places(&corners(&cloud, 8)[..2], &[[1.0, 1.0, -1.0], [1.0, 1.0, -6.0]]);
        assert_eq!(cloud.vertices[0].color, Vec4::new(0.75, 0.75, 0.75, 1.0));
        assert_eq!(cloud.vertices[8 * 4].uv[0], Vec2::new(1.25, 0.0));
    }
    scene.primitives[0].aligned = true;
    assert_places(&corners(&primitive_at(&scene, 1.0), 8)[..2], &[[1.0, 2.0, 0.0], [1.0, 7.0, 0.0]]);
}

#[test]
fn spheres_have_their_radius_and_alpha_vector() {
    let mut scene = primitive_scene(PrimitiveForm::Sphere {
        scale: LifeKeys { keys: vec![(0.0, Vec3::ONE), (1.0, Vec3::splat(2.0))], random: Vec3::ZERO },
        vector: vec![(0.0, Quat::IDENTITY, 1.0)],
    });
    let cloud = primitive_at(&scene, 2.0);
    let center = Vec3::new(1.0, 1.0, 0.0);
    for vertex in &cloud.vertices {
        assert!((vertex.position.distance(center) - 3.0).abs() < 1e-3);
        // Along the vector it is invisible, across it has the alpha of half its life.
        let across = 1.0 - vertex.normal.x.abs();
        assert!((vertex.color.x - 0.5 * across).abs() < 1e-3);
    }
    scene.primitives[0].layer.blend = BlendMode::Alpha;
    let cloud = primitive_at(&scene, 2.0);
    let pole = &cloud.vertices[0];
    assert_eq!(pole.color, Vec4::new(1.0, 1.0, 1.0, 0.5));
}

#[test]
fn dazzles_have_a_halo_unless_hidden() {
    let mut scene = Scene {
        nodes: vec![Node { rest: Transform::from_translation(Vec3::Y * 5.0), ..Node::default() }],
        dazzles: vec![Dazzle { node: NodeId(0), ..Dazzle::default() }],
        ..Scene::default()
    };
    let halo = |scene: &Scene| dazzle(&Situation::new(&Sampler::new(scene)), 0);
    let cloud = halo(&scene).unwrap();
    assert_places(
        &corners(&cloud, 0),
        &[[-1.0, 6.0, 0.0], [-1.0, 4.0, 0.0], [1.0, 4.0, 0.0], [1.0, 6.0, 0.0]],
    );
    assert_eq!((cloud.picture, cloud.blend), (Some(PictureId::Glow), (BlendFactor::One, BlendFactor::One)));
    scene.nodes[0].visible = false;
    assert_eq!(halo(&scene), None);
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

/// A scene of each kind with all randomness on.
fn random_scenes() -> Vec<Scene> {
    let mut scenes = vec![
        sprite_scene(|sprites| {
            (sprites.latitude, sprites.variation, sprites.width, sprites.length) = (90.0, 0.5, 5.0, 6.0);
            (sprites.emission_rate, sprites.tail) = (20.0, true);
        }),
        keyed_scene(|keyed| {
            keyed.creation_volume = Volume::Cylinder { half_length: 1.0, radius: 2.0 };
            keyed.velocity_random = Volume::Box(Vec3::ONE);
            (keyed.size.random, keyed.orientation_random, keyed.rotation.random) = (0.5, 1.0, 1.0);
            keyed.emission_rate = 20.0;
        }),
        keyed_scene(|keyed| {
            let line =
                LineProperties { subdivision_level: 3, noise_amplitude: 1.0, ..LineProperties::default() };
            (keyed.render, keyed.line) = (ParticleRender::Line, Some(line));
        }),
    ];
    scenes.iter_mut().for_each(moving);
    scenes
}

#[test]
fn any_time_gives_the_same_forwards_and_backwards() {
    for scene in random_scenes() {
        let times: Vec<f32> = (0..50_u8).map(|step| f32::from(step) * 0.13).collect();
        let forwards: Vec<_> = times.iter().map(|&time| at(&scene, time, Rules::default())).collect();
        let mut backwards: Vec<_> =
            times.iter().rev().map(|&time| at(&scene, time, Rules::default())).collect();
        backwards.reverse();
        assert_eq!(forwards, backwards);
        assert!(forwards.iter().all(Option::is_some));
    }
}

#[test]
fn particles_go_on_when_the_clip_starts_again() {
    for scene in random_scenes().into_iter().take(2) {
        let (before, after) =
            (at(&scene, 3.999, Rules::default()).unwrap(), at(&scene, 4.001, Rules::default()).unwrap());
        // The youngest before the end is still there afterwards, two milliseconds of way farther.
        let last = before.pieces.last().unwrap().center;
        let nearest =
            after.pieces.iter().map(|piece| piece.center.distance(last)).fold(f32::INFINITY, f32::min);
        assert!(nearest < 0.05, "{nearest}");
        assert!(before.pieces.len().abs_diff(after.pieces.len()) <= 4);
    }
}

#[test]
fn another_seed_makes_other_particles() {
    let scene = &random_scenes()[0];
    let sampler = Sampler::new(scene);
    let with = |seed| {
        let situation = Situation { clip: Some(ClipId(0)), elapsed: 5.0, seed, ..Situation::new(&sampler) };
        emit(&situation, EmitterId(0)).unwrap()
    };
    assert_eq!(with(1), with(1));
    assert_ne!(with(1), with(2));
    assert_eq!(with(1).pieces.len(), with(2).pieces.len());
}

#[test]
fn hidden_emitters_emit_nothing_but_what_lives_goes_on() {
    let mut scene = sprite_scene(|sprites| sprites.emission_rate = 10.0);
    let shown = Track::new(Interpolation::Step, [(0.0, true), (1.0, false)]);
    scene.clips[0].channels.push(Channel {
        target: Target::Emitter(EmitterId(0), EmitterProperty::Visibility),
        curve: Curve::Flag(shown),
    });
    let count = |elapsed| at(&scene, elapsed, Rules::default()).map_or(0, |cloud| cloud.pieces.len());
    // Ten in the first second of each round, at 4.1 to 5.0; they live for a second and a half.
    assert_eq!(count(4.95), 9);
    assert_eq!(count(5.75), 8);
    assert_eq!(count(6.05), 5);
    scene.emitters[0].visible = false;
    scene.clips.clear();
    assert_eq!(at(&scene, 5.0, Rules::default()), None);
}

#[test]
fn nan_infinite_and_huge_numbers_are_harmless() {
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, f32::MAX, f32::MIN_POSITIVE, 1e9] {
        let vector = Vec3::splat(number);
        let mut scenes = vec![
            sprite_scene(|sprites| {
                *sprites = SpriteEmitter {
                    emission_rate: number,
                    speed: number,
                    variation: number,
                    latitude: number,
                    gravity: number,
                    width: number,
                    length: number,
                    tail: true,
                    tail_length: number,
                    middle: number,
                    colors: [vector; 3],
                    alphas: [number; 3],
                    scales: [number; 3],
                    ..sprites.clone()
                };
            }),
            sprite_scene(|sprites| (sprites.life_span, sprites.emission_rate) = (number, 1e30)),
            sprite_scene(|sprites| {
                sprites.rows = u32::MAX;
                sprites.columns = 0;
                sprites.head_life = FrameRange { start: u32::MAX, end: 0, repeat: u32::MAX };
                sprites.head_decay = FrameRange { start: 0, end: u32::MAX, repeat: u32::MAX };
                sprites.wow = Some(Box::new(WowParticles {
                    shape: WowEmitterShape::Spline(vec![vector]),
                    drag: number,
                    spin: number,
                    wind: vector,
                    wind_time: number,
                    twinkle_rate: number,
                    twinkle_share: 1.0,
                    tumble_max: vector,
                    tumbles: true,
                    follow: [(number, number); 2],
                    follows: true,
                    ..WowParticles::default()
                }));
            }),
            keyed_scene(|keyed| {
                (keyed.emission_rate, keyed.max_emissions, keyed.burst_size) = (number, number, u32::MAX);
                (keyed.velocity, keyed.outward_velocity, keyed.velocity_inheritance) =
                    (vector, number, number);
                keyed.creation_volume = Volume::Sphere { radius: number, hollow: false };
                keyed.rotation.keys = vec![(number, number); 3];
                keyed.frame.keys = vec![(0.0, number)];
                keyed.frame_log2 = u32::MAX;
            }),
            keyed_scene(|keyed| (keyed.life_time, keyed.emission_rate) = (number, 1e30)),
            keyed_scene(|keyed| {
                keyed.render = ParticleRender::Line;
                keyed.line = Some(LineProperties {
                    subdivision_level: u32::MAX,
                    noise_amplitude: number,
                    merge_intersections: true,
                    merge_abort_factor: number,
                    uv_per_second: Vec2::splat(number),
                    texture_tile_factor: number,
                    texture_mapping: LineMapping::Tiled,
                    ..LineProperties::default()
                });
            }),
        ];
        let mut turned = sprite_scene(|_| {});
        turned.nodes[0].rest = Transform {
            translation: vector,
            rotation: Quat::from_xyzw(number, number, number, number),
            scale: vector,
        };
        turned.clips[0].duration = number;
        scenes.push(turned);
        for scene in &scenes {
            for elapsed in [0.0, 5.0, number] {
                if let Some(cloud) = at(scene, elapsed, Rules { markers: true, ..Rules::default() }) {
                    assert!(cloud.pieces.len() <= 2 * MAX_PARTICLES);
                    assert!(cloud.vertices.iter().all(|vertex| vertex.position.is_finite()));
                    assert!(cloud.vertices.iter().all(|vertex| (0.0..=1.0).contains(&vertex.color.w)));
                }
            }
        }
        let mut ribbons = ribbon_scene();
        let source = &mut ribbons.ribbons[0];
        (source.emission_rate, source.life_span, source.height_above) = (number, number, number);
        (source.gravity, source.rows, source.texture_slot) = (number, 0, u32::MAX);
        let sampler = Sampler::new(&ribbons);
        let _ = ribbon(
            &Situation { clip: Some(ClipId(0)), elapsed: 9.0, ..Situation::new(&sampler) },
            RibbonId(0),
        );
    }
    let nothing = Scene::default();
    let sampler = Sampler::new(&nothing);
    let situation = Situation { clip: Some(ClipId(7)), ..Situation::new(&sampler) };
    assert_eq!(emit(&situation, EmitterId(3)), None);
    assert_eq!(ribbon(&situation, RibbonId(3)), None);
    assert_eq!((primitive(&situation, 3), dazzle(&situation, 3)), (None, None));
}

/// One picture of each kind, side by side: sprites with heads, tails, both, and on the ground; WoW's; W3D's triangles, quads, lines and
/// both line groups; a model emitter; a ribbon, a ring, a sphere and a dazzle.
#[test]
fn golden_every_kind_of_emitter() {
    const SIDE: u32 = 64;
    const COLUMNS: usize = 5;
    let many = |change: fn(&mut SpriteEmitter)| {
        sprite_scene(|sprites| {
            (sprites.emission_rate, sprites.latitude, sprites.tail_length) = (12.0, 30.0, 0.3);
            change(sprites);
        })
    };
    let keyed = |render: ParticleRender| {
        keyed_scene(|keyed| {
            (keyed.emission_rate, keyed.render) = (6.0, render);
            (keyed.velocity_random, keyed.size.random) = (Volume::Box(Vec3::splat(2.0)), 0.5);
            keyed.blur_time = LifeKeys { keys: vec![(0.0, 0.3)], random: 0.0 };
            keyed.line = (render == ParticleRender::Line).then(LineProperties::default);
        })
    };
    let ring = PrimitiveForm::Ring {
        inner_scale: LifeKeys { keys: vec![(0.0, Vec2::ONE)], random: Vec2::ZERO },
        outer_scale: LifeKeys { keys: vec![(0.0, Vec2::ONE)], random: Vec2::ZERO },
        inner_extent: Vec2::ONE,
        outer_extent: Vec2::splat(2.0),
        tiles: 4,
    };
    let sphere = PrimitiveForm::Sphere {
        scale: LifeKeys { keys: vec![(0.0, Vec3::ONE)], random: Vec3::ZERO },
        vector: vec![(0.0, Quat::IDENTITY, 1.0)],
    };
    let halo = Scene {
        nodes: vec![Node::default()],
        dazzles: vec![Dazzle { node: NodeId(0), ..Dazzle::default() }],
        ..Scene::default()
    };
    let scenes = [
        many(|_| {}),
        many(|sprites| (sprites.head, sprites.tail) = (false, true)),
        many(|sprites| sprites.tail = true),
        many(|sprites| sprites.flat = true),
        many(|sprites| {
            sprites.wow = Some(Box::new(WowParticles { drag: 1.0, spin: 2.0, ..WowParticles::default() }));
        }),
        keyed(ParticleRender::Triangle),
        keyed(ParticleRender::Quad),
        keyed(ParticleRender::Line),
        keyed(ParticleRender::LineGroupTetrahedron),
        keyed(ParticleRender::LineGroupPrism),
        ribbon_scene(),
        primitive_scene(ring),
        primitive_scene(sphere),
        halo,
        scene(EmitterKind::Model(ModelEmitter {
            emission_rate: 4.0,
            life_span: 1.0,
            speed: 5.0,
            ..ModelEmitter::default()
        })),
    ];
    let (width, rows) = (COLUMNS as u32 * SIDE, scenes.len().div_ceil(COLUMNS) as u32);
    let mut sheet = vec![0; (width * rows * SIDE * 4) as usize];
    for (at, scene) in scenes.iter().enumerate() {
        let pictures = Pictures::load(scene, &PictureOptions::default(), |_| None);
        let clip = (!scene.clips.is_empty()).then_some(ClipId(0));
        let options = Options { clip, time: 1.3, viewpoint: Viewpoint::ISO, ..Options::default() };
        let frame = Framer::new(scene).frame(&options);
        let settings = Settings { background: Background::Color([90, 94, 102]), ..Settings::new(SIDE, SIDE) };
        let drawn = soft::draw(&frame, &pictures, &settings).unwrap();
        let varied = drawn.pixels.chunks(4).any(|pixel| pixel != [90, 94, 102, 255]);
        assert!(varied, "nothing was drawn in picture {at}");
        let row_bytes = SIDE as usize * 4;
        for (y, row) in drawn.pixels.chunks(row_bytes).enumerate() {
            let start = ((at / COLUMNS * SIDE as usize + y) * COLUMNS + at % COLUMNS) * row_bytes;
            sheet[start..start + row_bytes].copy_from_slice(row);
        }
    }
    golden_picture::compare("emitters", &texture::Image::new(width, rows * SIDE, sheet).unwrap());
}
