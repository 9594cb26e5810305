//! Texture mappers, worked by hand.

use glam::{Vec2, vec2};
use meshwright_scene::*;

fn at(mapper: &UvMapper, seconds: f32, uv: Vec2) -> Vec2 {
    mapper.transform(seconds).expect("uses the mesh's coordinates").transform_point2(uv)
}

fn assert_near(a: Vec2, b: Vec2) {
    assert!(a.abs_diff_eq(b, 1e-5), "{a} is not {b}");
}

#[test]
fn plain_and_scaled() {
    assert_eq!(at(&UvMapper::Uv, 3.0, vec2(0.25, 0.75)), vec2(0.25, 0.75));
    assert_eq!(at(&UvMapper::Scale(vec2(2.0, 4.0)), 3.0, vec2(0.25, 0.75)), vec2(0.5, 3.0));
}

#[test]
fn scrolling_goes_against_its_speed_and_round() {
    let linear = LinearOffset { speed: vec2(0.5, -0.25), scale: vec2(2.0, 1.0), ..LinearOffset::default() };
    // After three seconds -1.5 and 0.75; the fraction of -1.5 is 0.5.
    assert_near(at(&UvMapper::LinearOffset(linear), 3.0, vec2(0.25, 0.0)), vec2(1.0, 0.75));
    // Clamped it stops at the scale: -1.5 is within 2, 0.75 within 1, and after ten seconds neither is.
    let clamped = UvMapper::LinearOffset(LinearOffset { clamp: true, ..linear });
    assert_near(at(&clamped, 3.0, Vec2::ZERO), vec2(-1.5, 0.75));
    assert_near(at(&clamped, 10.0, Vec2::ZERO), vec2(-2.0, 1.0));
    let bump = UvMapper::BumpEnvironment(BumpEnvironment { offset: linear, ..BumpEnvironment::default() });
    assert_near(at(&bump, 3.0, Vec2::ZERO), vec2(0.5, 0.75));
}

#[test]
fn grids_read_like_a_page() {
    let grid = Grid { frames_per_second: 4.0, log2_width: 2, ..Grid::default() };
    // 250 milliseconds for each frame: at 1.3 seconds it is frame 5, the second of the second row.
    assert_eq!(grid.frame(1.3), 5);
    assert_near(at(&UvMapper::Grid(grid), 1.3, Vec2::ZERO), vec2(0.25, 0.25));
    // Sixteen frames, then from the start.
    assert_eq!(grid.frame(4.3), 1);
    // Backwards from the last of ten, and two earlier.
    let back = Grid { frames_per_second: -4.0, last: 10, offset: 2, ..grid };
    assert_eq!([0.0, 0.3, 2.0].map(|t| back.frame(t)), [7, 6, 9]);
    // 30 frames per second are 33 whole milliseconds each: after 0.999 seconds it is frame 30, not 29.
    assert_eq!(Grid { frames_per_second: 30.0, log2_width: 3, ..Grid::default() }.frame(0.999), 30);
    assert_eq!(Grid { frames_per_second: 0.0, offset: 3, ..Grid::default() }.frame(99.0), 3);
}

#[test]
fn a_grid_with_too_many_cells_starts_again_at_its_top() {
    // Six cells in a grid of two by two: the fifth is the first again.
    let grid = Grid { frames_per_second: 1.0, log2_width: 1, last: 6, offset: 0 };
    assert_eq!((grid.frame(4.0), grid.offset(4.0)), (4, Vec2::ZERO));
    assert_eq!(grid.offset(3.0), vec2(0.5, 0.5));
}

#[test]
fn turning_about_a_centre_then_scaling() {
    let rotate = Rotate { speed: 0.25, center: Vec2::splat(0.5), scale: vec2(1.0, 2.0) };
    // A quarter turn after one second: (1, 0.5) is (0.5, 0) from the centre, then (0, 0.5), so (0.5, 1), scaled (0.5, 2).
    assert_near(at(&UvMapper::Rotate(rotate), 1.0, vec2(1.0, 0.5)), vec2(0.5, 2.0));
    assert_near(at(&UvMapper::Rotate(rotate), 4.0, vec2(1.0, 0.5)), vec2(1.0, 1.0));
}

#[test]
fn swinging() {
    let sine = SineLinearOffset {
        amplitude: vec2(2.0, 3.0),
        frequency: vec2(1.0, 0.5),
        phase: vec2(0.0, 0.5),
        ..SineLinearOffset::default()
    };
    // After a quarter second u is at its first crest. v has gone an eighth of a turn from its own crest: 3 cos 45°.
    assert_near(at(&UvMapper::SineLinearOffset(sine), 0.25, Vec2::ZERO), vec2(2.0, 3.0 * 0.5_f32.sqrt()));
}

#[test]
fn stepping() {
    let step =
        StepLinearOffset { step: vec2(0.25, 0.5), steps_per_second: 2.0, ..StepLinearOffset::default() };
    // Three steps after 1.9 seconds: 0.75 and 1.5.
    assert_near(at(&UvMapper::StepLinearOffset(step), 1.9, Vec2::ZERO), vec2(0.75, 0.5));
}

#[test]
fn zigzag() {
    let zigzag = ZigZagLinearOffset { speed: vec2(1.0, -2.0), period: 2.0, ..ZigZagLinearOffset::default() };
    let mapper = UvMapper::ZigZagLinearOffset(zigzag);
    // Forth for one second, back for one: at 3.25 it is 0.75 from the start again.
    assert_near(at(&mapper, 0.5, Vec2::ZERO), vec2(0.5, -1.0));
    assert_near(at(&mapper, 3.25, Vec2::ZERO), vec2(0.75, -1.5));
    let still = UvMapper::ZigZagLinearOffset(ZigZagLinearOffset { period: 0.0, ..zigzag });
    assert_eq!(at(&still, 5.0, Vec2::ZERO), Vec2::ZERO);
}

#[test]
fn coordinates_are_scaled_before_they_are_moved() {
    let (uv, scale) = (vec2(0.5, 0.25), vec2(2.0, 4.0));
    // The scaled coordinates are (1, 1); the offsets are not scaled.
    let sine = SineLinearOffset { scale, amplitude: vec2(0.5, 0.0), ..SineLinearOffset::default() };
    assert_near(at(&UvMapper::SineLinearOffset(sine), 0.25, uv), vec2(1.5, 1.0));
    let step = StepLinearOffset {
        step: vec2(0.25, 0.0),
        steps_per_second: 1.0,
        scale,
        ..StepLinearOffset::default()
    };
    assert_near(at(&UvMapper::StepLinearOffset(step), 1.0, uv), vec2(1.25, 1.0));
    let zigzag = ZigZagLinearOffset { speed: vec2(0.0, 1.0), period: 2.0, scale };
    assert_near(at(&UvMapper::ZigZagLinearOffset(zigzag), 0.5, uv), vec2(1.0, 1.5));
    // A negative period is as good as a positive one.
    let negative = UvMapper::ZigZagLinearOffset(ZigZagLinearOffset { period: -2.0, ..zigzag });
    assert_near(at(&negative, 0.5, uv), vec2(1.0, 1.5));
}

#[test]
fn clamped_steps_stop_at_the_scale() {
    let step = StepLinearOffset {
        step: vec2(0.75, -0.75),
        steps_per_second: 1.0,
        scale: vec2(1.0, 2.0),
        clamp: true,
    };
    // After two steps 1.5 and -1.5, after three 2.25 and -2.25.
    assert_near(at(&UvMapper::StepLinearOffset(step), 2.0, Vec2::ZERO), vec2(1.0, -1.5));
    assert_near(at(&UvMapper::StepLinearOffset(step), 3.0, Vec2::ZERO), vec2(1.0, -2.0));
}

#[test]
fn others_do_not_use_the_meshs_coordinates() {
    for mapper in [
        UvMapper::Environment(Environment::default()),
        UvMapper::Screen(LinearOffset::default()),
        UvMapper::Random(Random::default()),
        UvMapper::Edge(Edge::default()),
    ] {
        assert_eq!(mapper.transform(1.0), None);
    }
}
