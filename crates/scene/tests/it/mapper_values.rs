//! Texture mappers at the edges of what their arguments can say, worked by hand, and what arguments are when nobody gives them.

use glam::{Vec2, vec2};
use meshwright_scene::*;

fn offset(mapper: &UvMapper, seconds: f32) -> Vec2 {
    mapper.transform(seconds).expect("uses the mesh's coordinates").translation
}

fn assert_near(a: Vec2, b: Vec2) {
    assert!(a.abs_diff_eq(b, 1e-5), "{a} is not {b}");
}

/// The defaults of `mapper.cpp` and `MAPPERS.TXT`: nothing moves, scales are one; a grid shows one picture per second of two by two;
/// a rotation makes a tenth of a turn per second; a sine swings once per second by a whole texture.
#[test]
fn arguments_that_are_not_given() {
    let (zero, one) = (Vec2::ZERO, Vec2::ONE);
    let linear = LinearOffset { speed: zero, start: zero, scale: one, clamp: false };
    assert_eq!(LinearOffset::default(), linear);
    assert_eq!(Grid::default(), Grid { frames_per_second: 1.0, log2_width: 1, last: 0, offset: 0 });
    assert_eq!(Rotate::default(), Rotate { speed: 0.1, center: zero, scale: one });
    assert_eq!(
        SineLinearOffset::default(),
        SineLinearOffset { amplitude: one, frequency: one, phase: zero, scale: one }
    );
    assert_eq!(
        StepLinearOffset::default(),
        StepLinearOffset { step: zero, steps_per_second: 0.0, scale: one, clamp: false }
    );
    assert_eq!(ZigZagLinearOffset::default(), ZigZagLinearOffset { speed: zero, period: 0.0, scale: one });
    assert_eq!(Random::default(), Random { frames_per_second: 0.0, speed: zero, scale: one });
    assert_eq!(Edge::default(), Edge { speed: 0.0, start: 0.0, reflection: false });
    assert_eq!(
        BumpEnvironment::default(),
        BumpEnvironment { rotation: 0.0, bump_scale: 1.0, offset: linear }
    );
    assert_eq!(
        Environment::default(),
        Environment { source: EnvironmentSource::Reflection, world_axis: None, grid: None }
    );
    assert_eq!((UvMapper::default(), Axis::default()), (UvMapper::Uv, Axis::Z));
}

/// A grid of four by four: the column is the remainder of the cell by the width, the row its quotient.
#[test]
fn every_cell_of_a_grid_is_in_its_place() {
    let grid = Grid { frames_per_second: 1.0, log2_width: 2, last: 0, offset: 0 };
    let mut cells = Vec::new();
    for cell in 0..16_u8 {
        let place = grid.offset(f32::from(cell) + 0.5);
        assert_eq!(place, vec2(f32::from(cell % 4) * 0.25, f32::from(cell / 4) * 0.25), "cell {cell}");
        cells.push(place.to_array());
    }
    cells.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    cells.dedup();
    assert_eq!(cells.len(), 16, "no cell is shown twice");
    assert_eq!(grid.offset(16.5), Vec2::ZERO, "then from the start");
}

#[test]
fn a_grid_counts_from_its_offset_either_way() {
    let grid = Grid { frames_per_second: 2.0, log2_width: 1, last: 3, offset: 1 };
    // Three cells: half a second each, from cell 1.
    assert_eq!([0.0, 0.6, 1.1, 1.6].map(|time| grid.frame(time)), [1, 2, 0, 1]);
    let back = Grid { frames_per_second: -2.0, ..grid };
    // From the last, one earlier: cell 1, then 0, then 2 again.
    assert_eq!([0.0, 0.6, 1.1, 1.6].map(|time| back.frame(time)), [1, 0, 2, 1]);
    // An offset that is more than the cells goes round.
    assert_eq!(Grid { offset: 7, ..grid }.frame(0.0), 1);
    // A thousand frames per second are one millisecond each; higher rates are not faster.
    for speed in [1000.0, 4000.0] {
        assert_eq!(Grid { frames_per_second: speed, last: 100, offset: 0, ..grid }.frame(0.0505), 50);
    }
    // A width that no texture can have is not computed: 15 is the most.
    let wide = Grid { frames_per_second: 1.0, log2_width: 40, last: 0, offset: 0 };
    assert_eq!(wide.frame(3.5), 3);
    assert_near(wide.offset(3.5), vec2(3.0 / 32768.0, 0.0));
    assert_eq!(wide.frame(2.0_f32.powi(30) + 1024.0), 1024);
    // Without a speed, or with NaN, no frame passes.
    for speed in [0.0, -0.0, f32::NAN] {
        assert_eq!(Grid { frames_per_second: speed, ..grid }.frame(9.0), 1);
    }
}

/// The cells are counted for a long time: a thousand seconds are a thousand cells of one second.
#[test]
fn a_grid_starts_again_after_its_last_cell() {
    for (log2_width, cells) in [(0, 1), (1, 4), (2, 16), (3, 64), (4, 256)] {
        let grid = Grid { frames_per_second: 1.0, log2_width, last: 0, offset: 0 };
        assert_eq!(grid.frame(1000.0), 1000 % cells, "{cells} cells");
        assert_eq!(grid.frame(cells as f32 + 2.5), 2 % cells, "{cells} cells");
    }
}

/// Half a second forth and half back: a period shorter than a second is a period too.
#[test]
fn a_short_zigzag_turns_within_its_period() {
    let zigzag = ZigZagLinearOffset { speed: vec2(4.0, 8.0), period: 0.5, scale: Vec2::ONE };
    let at = |seconds| offset(&UvMapper::ZigZagLinearOffset(zigzag), seconds);
    assert_near(at(0.0), Vec2::ZERO);
    assert_near(at(0.125), vec2(0.5, 1.0));
    // The turn, after half the period.
    assert_near(at(0.25), vec2(1.0, 2.0));
    assert_near(at(0.375), vec2(0.5, 1.0));
    assert_near(at(0.5), Vec2::ZERO);
    assert_near(at(0.625), vec2(0.5, 1.0));
}

/// Speed and phase have each a unit: turns per second, and half turns.
#[test]
fn a_sine_starts_at_its_phase() {
    let sine = |phase, frequency| {
        UvMapper::SineLinearOffset(SineLinearOffset {
            amplitude: vec2(2.0, 4.0),
            frequency,
            phase,
            scale: Vec2::ONE,
        })
    };
    // Half a half turn is a crest; one and a half are a trough.
    assert_near(offset(&sine(vec2(0.5, 1.5), Vec2::ZERO), 9.0), vec2(2.0, -4.0));
    // A sixth of a half turn is 30 degrees, the sine of which is a half.
    assert_near(offset(&sine(Vec2::splat(1.0 / 6.0), Vec2::ZERO), 0.0), vec2(1.0, 2.0));
    // Twice per second, after an eighth of a second: a quarter turn. With a phase of a half turn: its opposite.
    assert_near(offset(&sine(vec2(0.0, 1.0), Vec2::splat(2.0)), 0.125), vec2(2.0, -4.0));
}

#[test]
fn offsets_stop_at_the_scale_or_go_round() {
    let linear =
        LinearOffset { speed: vec2(-1.0, 1.0), start: vec2(0.25, 0.5), scale: vec2(3.0, 2.0), clamp: false };
    // After two seconds 2.25 and -1.5, of which the fractions remain.
    assert_near(linear.offset(2.0), vec2(0.25, 0.5));
    assert_near(linear.offset(0.0), vec2(0.25, 0.5));
    let clamped = LinearOffset { clamp: true, ..linear };
    assert_near(clamped.offset(2.0), vec2(2.25, -1.5));
    assert_near(clamped.offset(2.5), vec2(2.75, -2.0));
    assert_near(clamped.offset(9.0), vec2(3.0, -2.0));
    // Steps are counted in whole ones, towards zero.
    let step =
        StepLinearOffset { step: vec2(0.25, 0.0), steps_per_second: -1.0, scale: Vec2::ONE, clamp: true };
    assert_near(offset(&UvMapper::StepLinearOffset(step), 1.9), vec2(-0.25, 0.0));
}

#[test]
fn a_turn_keeps_its_centre() {
    for (speed, seconds) in [(0.25, 1.0), (0.1, 2.5), (-0.5, 0.75), (3.0, 0.4)] {
        let center = vec2(0.25, 0.75);
        let rotate = UvMapper::Rotate(Rotate { speed, center, scale: Vec2::ONE });
        let turned = rotate.transform(seconds).expect("uses the mesh's coordinates");
        assert_near(turned.transform_point2(center), center);
        // A point beside the centre goes round by the angle.
        let (sin, cos) = (speed * seconds * std::f32::consts::TAU).sin_cos();
        assert_near(turned.transform_point2(center + vec2(2.0, 0.0)), center + vec2(2.0 * cos, 2.0 * sin));
    }
}
