//! Texture mappers that move (docs/formats/w3d/materials.md#mappers) as animations. They run whatever plays, so they have animations of their own, which say one round and
//! are to be repeated.

use crate::texture_transform::Place;
use glam::Vec2;
use scene::fit::Mode;
use scene::{BumpEnvironment, LinearOffset, UvMapper};

/// One round of a mapper.
pub(crate) struct Round {
    pub(crate) duration: f32,
    pub(crate) mode: Mode,
    pub(crate) times: Vec<f32>,
    pub(crate) places: Vec<Place>,
}

/// Parts of a round that is neither straight nor in steps.
const BENDS: usize = 64;

/// Most parts of a round.
const MOST: usize = 1024;

impl Round {
    /// Nothing if the mapper stands still, or does what `KHR_texture_transform` has no words for.
    pub(crate) fn of(mapper: &UvMapper) -> Option<Self> {
        match mapper {
            UvMapper::LinearOffset(linear)
            | UvMapper::BumpEnvironment(BumpEnvironment { offset: linear, .. }) => Self::scroll(linear),
            UvMapper::ZigZagLinearOffset(zigzag) if zigzag.speed != Vec2::ZERO => {
                let period = zigzag.period.abs();
                Self::sampled(mapper, vec![0.0, period * 0.5, period])
            }
            UvMapper::Rotate(rotate) => {
                let period = 1.0 / rotate.speed.abs();
                Self::sampled(mapper, evenly(period, BENDS))
            }
            UvMapper::SineLinearOffset(sine) if sine.amplitude != Vec2::ZERO => {
                let [u, v] = sine.frequency.abs().to_array().map(f32::recip);
                let period = common(u, v);
                let rounds = (period / u.min(v)).round().max(1.0) as usize;
                Self::sampled(mapper, evenly(period, rounds.saturating_mul(BENDS).min(MOST)))
            }
            UvMapper::StepLinearOffset(step) if step.step != Vec2::ZERO => {
                let [u, v] = step.step.abs().to_array().map(f32::recip);
                let steps = common(u, v).ceil();
                Self::stepped(mapper, 1.0 / step.steps_per_second.abs(), steps)
            }
            UvMapper::Grid(grid) if grid.frames_per_second != 0.0 => {
                let width = f32::from(1_u16 << grid.log2_width.min(15));
                let cells = if grid.last == 0 { width * width } else { grid.last as f32 };
                let milliseconds = (1000.0 / grid.frames_per_second.abs()).trunc().max(1.0);
                Self::stepped(mapper, milliseconds / 1000.0, cells)
            }
            _ => None,
        }
    }

    /// A straight line until both coordinates have gone round whole textures, or until they stop.
    fn scroll(linear: &LinearOffset) -> Option<Self> {
        if linear.speed == Vec2::ZERO {
            return None;
        }
        if linear.clamp {
            // An axis that has a speed reaches the end of the scale that is against it.
            let until = |start: f32, speed: f32, scale: f32| {
                let end = scale.abs().copysign(-speed);
                if speed == 0.0 { 0.0 } else { ((start - end) / speed).max(0.0) }
            };
            let u = until(linear.start.x, linear.speed.x, linear.scale.x);
            let v = until(linear.start.y, linear.speed.y, linear.scale.y);
            return Self::sampled(&UvMapper::LinearOffset(*linear), vec![0.0, u.min(v), u.max(v)]);
        }
        let [u, v] = linear.speed.abs().to_array().map(f32::recip);
        let duration = common(u, v);
        let place = |time: f32| Place {
            offset: linear.start - linear.speed * time,
            scale: linear.scale,
            ..Place::default()
        };
        Self {
            duration,
            mode: Mode::Linear,
            times: vec![0.0, duration],
            places: vec![place(0.0), place(duration)],
        }
        .sound()
    }

    /// Straight lines from time to time.
    fn sampled(mapper: &UvMapper, mut times: Vec<f32>) -> Option<Self> {
        times.dedup();
        let duration = *times.last()?;
        let places = times.iter().map(|&time| Place::of(&mapper.transform(time)?)).collect::<Option<_>>()?;
        Self { duration, mode: Mode::Linear, times, places }.sound()
    }

    /// So many steps.
    fn stepped(mapper: &UvMapper, step: f32, steps: f32) -> Option<Self> {
        let count = (steps as usize).min(MOST);
        let times: Vec<f32> = (0..count).map(|at| at as f32 * step).collect();
        // Asked for in the middle of each step, where rounding does no harm.
        let places = times.iter().map(|time| Place::of(&mapper.transform(time + step * 0.5)?));
        let places = places.collect::<Option<_>>()?;
        Self { duration: count as f32 * step, mode: Mode::Step, times, places }.sound()
    }

    /// Unless it lasts for no time or for ever, or changes nothing.
    fn sound(self) -> Option<Self> {
        let lasts = self.duration > 1e-3 && self.duration < 1e5;
        let finite = self.places.iter().all(|place| place.offset.is_finite() && place.scale.is_finite());
        (lasts && finite && self.places.windows(2).any(|pair| pair[0] != pair[1])).then_some(self)
    }
}

fn evenly(duration: f32, parts: usize) -> Vec<f32> {
    (0..=parts).map(|part| duration * (part as f32 / parts as f32)).collect()
}

/// A time in which two periods both go round, if that is soon; else a time after which a jump is rare. One that is not finite stands
/// still.
fn common(a: f32, b: f32) -> f32 {
    if !a.is_finite() || !b.is_finite() {
        return a.min(b);
    }
    let (short, long) = (a.min(b), a.max(b));
    let meets = |rounds: &f32| {
        let other = rounds * long / short;
        (other - other.round()).abs() < 1e-3
    };
    (1..=16_u8).map(f32::from).find(meets).unwrap_or(16.0) * long
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{Grid, Rotate, SineLinearOffset, StepLinearOffset, ZigZagLinearOffset};

    /// Where a round has the texture at a time, between its keys as glTF has it.
    fn at(round: &Round, time: f32) -> Vec2 {
        let next = round.times.partition_point(|&key| key <= time).min(round.times.len() - 1);
        let from = next.saturating_sub(usize::from(round.times[next] > time));
        let length = round.times[next] - round.times[from];
        let part = if length > 0.0 && round.mode == Mode::Linear {
            (time - round.times[from]) / length
        } else {
            0.0
        };
        round.places[from].offset.lerp(round.places[next].offset, part)
    }

    /// The round says what the mapper does, but for whole textures.
    fn agrees(mapper: &UvMapper, tolerance: f32) {
        let round = Round::of(mapper).expect("it moves");
        for part in 1..40_u8 {
            // Not at a key, where steps may be rounded either way.
            let time = round.duration * (f32::from(part) + 0.37) / 41.0;
            let exact = Place::of(&mapper.transform(time).expect("by the mesh's own")).expect("sound").offset;
            let off = at(&round, time) - exact;
            assert!((off - off.round()).length() < tolerance, "{mapper:?} at {time}: {off}");
        }
    }

    #[test]
    fn rounds_are_what_mappers_do() {
        let speed = Vec2::new(0.25, -0.5);
        agrees(
            &UvMapper::LinearOffset(LinearOffset { speed, start: Vec2::new(0.1, 0.0), ..Default::default() }),
            1e-4,
        );
        agrees(&UvMapper::LinearOffset(LinearOffset { speed, clamp: true, ..Default::default() }), 1e-4);
        agrees(
            &UvMapper::ZigZagLinearOffset(ZigZagLinearOffset { speed, period: 3.0, ..Default::default() }),
            1e-4,
        );
        agrees(
            &UvMapper::Rotate(Rotate { speed: 0.5, center: Vec2::splat(0.5), ..Default::default() }),
            2e-3,
        );
        agrees(
            &UvMapper::SineLinearOffset(SineLinearOffset {
                frequency: Vec2::new(1.0, 1.5),
                ..Default::default()
            }),
            3e-3,
        );
        let step =
            StepLinearOffset { step: Vec2::new(0.25, 0.0), steps_per_second: 4.0, ..Default::default() };
        agrees(&UvMapper::StepLinearOffset(step), 1e-4);
        agrees(&UvMapper::Grid(Grid { frames_per_second: 10.0, log2_width: 2, ..Default::default() }), 1e-4);
    }

    #[test]
    fn a_scroll_is_two_keys_that_meet() {
        let speed = Vec2::new(0.25, -0.5);
        let round = Round::of(&UvMapper::LinearOffset(LinearOffset { speed, ..Default::default() }))
            .expect("it moves");
        assert_eq!(round.times, [0.0, 4.0]);
        assert_eq!(round.places[1].offset, Vec2::new(-1.0, 2.0));
    }

    #[test]
    fn what_stands_still_or_has_no_end_has_no_round() {
        for speed in [Vec2::ZERO, Vec2::NAN, Vec2::INFINITY, Vec2::splat(1e-30)] {
            assert!(
                Round::of(&UvMapper::LinearOffset(LinearOffset { speed, ..Default::default() })).is_none()
            );
        }
        assert!(Round::of(&UvMapper::Uv).is_none());
        assert!(Round::of(&UvMapper::Rotate(Rotate { speed: 0.0, ..Default::default() })).is_none());
        assert!(
            Round::of(&UvMapper::Grid(Grid { frames_per_second: f32::NAN, ..Default::default() })).is_none()
        );
    }

    fn near(found: Vec2, wanted: Vec2) -> bool {
        found.abs_diff_eq(wanted, 1e-5)
    }

    #[test]
    fn a_turn_is_one_round_in_64_parts() {
        for speed in [0.25, -0.25] {
            let round =
                Round::of(&UvMapper::Rotate(Rotate { speed, ..Default::default() })).expect("it moves");
            assert_eq!((round.duration, round.times.len()), (4.0, 65));
            assert_eq!((round.times[16], round.times[64]), (1.0, 4.0));
            // A quarter of the round is a quarter turn; glTF counts angles the other way.
            let quarter = -std::f32::consts::FRAC_PI_2.copysign(speed);
            assert!((round.places[16].rotation - quarter).abs() < 1e-5, "{}", round.places[16].rotation);
        }
    }

    #[test]
    fn a_sine_goes_round_when_both_coordinates_have() {
        let sine = |u: f32, v: f32| {
            let frequency = Vec2::new(u, v);
            let mapper = UvMapper::SineLinearOffset(SineLinearOffset { frequency, ..Default::default() });
            Round::of(&mapper).expect("it moves")
        };
        // Once and three times in a second are both round after one; three waves of 64 parts.
        let round = sine(1.0, 3.0);
        assert_eq!((round.duration, round.times.len()), (1.0, 3 * 64 + 1));
        // The other way round it is the same.
        assert_eq!(sine(3.0, 1.0).times.len(), 3 * 64 + 1);
        // A coordinate without a frequency stands still.
        let round = sine(0.0, 2.0);
        assert_eq!((round.duration, round.times.len()), (0.5, 65));
        // A hundred waves are not given 64 parts each: 1,024 in all are the most.
        assert_eq!(sine(1.0, 100.0).times.len(), 1025);
        // Two and three waves per second meet after one second.
        assert!((sine(2.0, 3.0).duration - 1.0).abs() < 1e-5);
        let still = SineLinearOffset { amplitude: Vec2::ZERO, ..Default::default() };
        assert!(Round::of(&UvMapper::SineLinearOffset(still)).is_none());
    }

    /// Periods of one and of the root of two never meet: after sixteen of the longer ones a jump is rare enough.
    #[test]
    fn periods_that_never_meet_are_cut_after_sixteen() {
        assert_eq!(common(1.0, 2.0_f32.sqrt()), 16.0 * 2.0_f32.sqrt());
        assert_eq!((common(2.0, 3.0), common(3.0, 2.0)), (6.0, 6.0));
        assert_eq!((common(1.0, 1.0), common(0.5, 2.0)), (1.0, 2.0));
        // Fifteen rounds of one are sixteen of the other. Seventeen are not tried.
        assert_eq!(common(16.0, 15.0), 15.0 * 16.0);
        assert_eq!(common(18.0, 17.0), 16.0 * 18.0);
        assert_eq!((common(2.0, f32::INFINITY), common(f32::INFINITY, 3.0)), (2.0, 3.0));
    }

    #[test]
    fn steps_are_keys_that_hold() {
        let step =
            StepLinearOffset { step: Vec2::new(0.25, 0.0), steps_per_second: 2.0, ..Default::default() };
        let round = Round::of(&UvMapper::StepLinearOffset(step)).expect("it moves");
        assert_eq!((round.duration, round.mode), (2.0, Mode::Step));
        assert_eq!(round.times, [0.0, 0.5, 1.0, 1.5]);
        for (place, u) in round.places.iter().zip([0.0, 0.25, 0.5, 0.75]) {
            assert!(near(place.offset, Vec2::new(u, 0.0)), "{}", place.offset);
        }
        let still = StepLinearOffset { step: Vec2::ZERO, ..step };
        assert!(Round::of(&UvMapper::StepLinearOffset(still)).is_none());
    }

    #[test]
    fn a_grid_shows_each_cell_once() {
        let grid = Grid { frames_per_second: 10.0, log2_width: 1, last: 0, offset: 0 };
        let round = Round::of(&UvMapper::Grid(grid)).expect("it moves");
        assert_eq!((round.times.len(), round.mode), (4, Mode::Step));
        assert!((round.duration - 0.4).abs() < 1e-6 && (round.times[3] - 0.3).abs() < 1e-6);
        assert!(near(round.places[3].offset, Vec2::splat(0.5)));
        let three = Round::of(&UvMapper::Grid(Grid { last: 3, ..grid })).expect("it moves");
        assert_eq!(three.times.len(), 3);
        // The engine counts whole milliseconds: a third of a second is 333 of them.
        let thirds = Round::of(&UvMapper::Grid(Grid { frames_per_second: -3.0, ..grid })).expect("it moves");
        assert!((thirds.duration - 4.0 * 0.333).abs() < 1e-6, "{}", thirds.duration);
        // No frame is shorter than one.
        let fast = Round::of(&UvMapper::Grid(Grid { frames_per_second: 5000.0, ..grid })).expect("it moves");
        assert!((fast.duration - 0.004).abs() < 1e-6, "{}", fast.duration);
        // Of a large grid 1,024 cells are shown, however large it says that it is.
        for log2_width in [6, 15, 40] {
            let large = Round::of(&UvMapper::Grid(Grid { log2_width, ..grid })).expect("it moves");
            assert_eq!(large.times.len(), 1024);
        }
        let slow = Round::of(&UvMapper::Grid(Grid { frames_per_second: 1.0, ..grid })).expect("it moves");
        assert_eq!((slow.duration, &slow.times[..]), (4.0, &[0.0, 1.0, 2.0, 3.0][..]));
        assert!(Round::of(&UvMapper::Grid(Grid { frames_per_second: 0.0, ..grid })).is_none());
    }

    #[test]
    fn a_clamped_scroll_ends_where_both_coordinates_stop() {
        let scroll = |speed: [f32; 2], start: [f32; 2]| {
            let (speed, start, scale) = (speed.into(), start.into(), Vec2::new(1.0, 2.0));
            Round::of(&UvMapper::LinearOffset(LinearOffset { speed, start, scale, clamp: true }))
        };
        // u goes from 0.5 to -1 in three seconds, v from 0 to 2 in four.
        let round = scroll([0.5, -0.5], [0.5, 0.0]).expect("it moves");
        assert_eq!(round.times, [0.0, 3.0, 4.0]);
        let offsets: Vec<Vec2> = round.places.iter().map(|place| place.offset).collect();
        assert_eq!(offsets, [Vec2::new(0.5, 0.0), Vec2::new(-1.0, 1.5), Vec2::new(-1.0, 2.0)]);
        // One that has no speed does not count, nor one that is there already.
        assert_eq!(scroll([0.5, 0.0], [0.5, 0.0]).expect("it moves").times, [0.0, 3.0]);
        assert!(scroll([0.5, 0.0], [-2.0, 0.0]).is_none());
        assert_eq!(scroll([0.5, -0.5], [-2.0, 0.0]).expect("it moves").times, [0.0, 4.0]);
        assert_eq!(scroll([1.0, 0.0], [0.5, 0.0]).expect("it moves").times, [0.0, 1.5]);
    }

    #[test]
    fn a_zigzag_has_its_turn_in_the_middle() {
        let zigzag = ZigZagLinearOffset { speed: Vec2::new(2.0, 0.0), period: -3.0, ..Default::default() };
        let round = Round::of(&UvMapper::ZigZagLinearOffset(zigzag)).expect("it moves");
        assert_eq!(round.times, [0.0, 1.5, 3.0]);
        let offsets: Vec<f32> = round.places.iter().map(|place| place.offset.x).collect();
        assert_eq!(offsets, [0.0, 3.0, 0.0]);
        let still = ZigZagLinearOffset { speed: Vec2::ZERO, ..zigzag };
        assert!(Round::of(&UvMapper::ZigZagLinearOffset(still)).is_none());
    }

    /// Rounds last longer than a millisecond and shorter than a hundred thousand seconds.
    #[test]
    fn rounds_are_neither_too_short_nor_too_long() {
        let moves = |u: f32| {
            let speed = Vec2::new(u, 0.0);
            Round::of(&UvMapper::LinearOffset(LinearOffset { speed, ..Default::default() })).is_some()
        };
        assert!(moves(990.0) && !moves(1000.0) && !moves(1010.0));
        assert!(moves(1.1e-5) && !moves(1e-5) && !moves(0.9e-5));
    }

    #[test]
    fn a_scroll_has_finite_places() {
        let scroll = |start: f32, scale: f32| {
            let (start, scale) = (Vec2::new(start, 0.0), Vec2::new(1.0, scale));
            let linear = LinearOffset { speed: Vec2::ONE, start, scale, clamp: false };
            Round::of(&UvMapper::LinearOffset(linear)).is_some()
        };
        assert!(scroll(0.0, 1.0));
        assert!(!scroll(f32::NAN, 1.0) && !scroll(0.0, f32::INFINITY));
    }

    #[test]
    fn a_scroll_keeps_its_start_and_scale() {
        let linear = LinearOffset {
            speed: Vec2::new(0.5, 0.0),
            start: Vec2::new(0.25, 0.75),
            scale: Vec2::new(2.0, 3.0),
            clamp: false,
        };
        for mapper in [
            UvMapper::LinearOffset(linear),
            UvMapper::BumpEnvironment(BumpEnvironment { offset: linear, ..Default::default() }),
        ] {
            let round = Round::of(&mapper).expect("it moves");
            assert_eq!((round.duration, &round.times[..]), (2.0, &[0.0, 2.0][..]));
            assert_eq!(
                (round.places[0].offset, round.places[1].offset),
                (Vec2::new(0.25, 0.75), Vec2::new(-0.75, 0.75))
            );
            assert_eq!((round.places[0].scale, round.places[0].rotation), (Vec2::new(2.0, 3.0), 0.0));
        }
    }
}
