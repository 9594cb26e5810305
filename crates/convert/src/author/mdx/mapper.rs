//! W3D's mappers as texture animations that run on global sequences.
//!
//! MDX moves coordinates, turns and scales them about the middle of the texture: `S·R·(uv + t - ½) + ½`.

use glam::{Quat, Vec2, Vec3};
use mdx::build::branch;
use mdx::records::TangentKey;
use mdx::{kinds, tags};
use record::I32;
use scene::{Interpolation, Rotate, UvMapper};

use super::tracks::write;
use super::{Author, signed, space};

/// A round that is longer than this, in seconds, is cut off.
const LONGEST: f32 = 600.0;

/// Keys of a curved motion in one round.
const CURVE_KEYS: u16 = 32;

/// How a mapper moves in one round.
struct Round {
    seconds: f32,
    interpolation: Interpolation,
    /// Time, translation.
    moves: Vec<(f32, Vec2)>,
    /// Time, radians.
    turns: Vec<(f32, f32)>,
    scale: Vec2,
}

impl Author<'_> {
    /// The texture animation of a mapper. Nothing if coordinates stay, or move in a way that MDX has no word for, which is reported.
    pub(super) fn mapper_animation(&mut self, mapper: &UvMapper, path: &str) -> Option<i32> {
        let round = match round(mapper) {
            Ok(round) => round?,
            Err(what) => {
                self.lost(path, format!("texture coordinates {what}, which MDX cannot; they stay"));
                return None;
            }
        };
        let milliseconds = space::milliseconds(round.seconds.min(LONGEST)).max(1);
        let sequence = signed(self.global_sequence(milliseconds));
        let time = |seconds: f32| I32::new(space::milliseconds(seconds.min(LONGEST)));
        let plain = |value: Vec2| record::Vec3::new(value.x, value.y, 0.0);
        let mut tracks = Vec::new();
        let vector = |seconds: f32, value: record::Vec3| TangentKey {
            time: time(seconds),
            value,
            in_tan: value,
            out_tan: value,
        };
        let moves: Vec<_> =
            round.moves.iter().map(|(seconds, value)| vector(*seconds, plain(*value))).collect();
        if round.moves.iter().any(|(_, value)| *value != Vec2::ZERO) {
            tracks.extend(write(tags::KTAT, round.interpolation, sequence, &moves));
        }
        let turns: Vec<_> = round
            .turns
            .iter()
            .map(|(seconds, angle)| {
                let value = space::plain_rotation(Quat::from_rotation_z(*angle));
                TangentKey { time: time(*seconds), value, in_tan: value, out_tan: value }
            })
            .collect();
        if !turns.is_empty() {
            tracks.extend(write(tags::KTAR, round.interpolation, sequence, &turns));
        }
        if round.scale != Vec2::ONE {
            let scale = vector(0.0, space::plain(Vec3::new(round.scale.x, round.scale.y, 1.0)));
            tracks.extend(write(tags::KTAS, Interpolation::Step, sequence, &[scale]));
        }
        if tracks.is_empty() {
            return None;
        }
        self.texture_animations.push(branch(&kinds::TEXTURE_ANIMATION, tracks));
        Some(signed(self.texture_animations.len() - 1))
    }
}

/// The translation that has the effect of an offset after scaling.
fn before_scale(offset: Vec2, scale: Vec2) -> Vec2 {
    let axis = |offset: f32, scale: f32| if scale == 0.0 { 0.0 } else { (offset - 0.5) / scale + 0.5 };
    Vec2::new(axis(offset.x, scale.x), axis(offset.y, scale.y))
}

/// Seconds after which a scrolling texture looks as at the start.
fn scroll_round(speed: Vec2) -> f32 {
    let speed = speed.abs();
    let fastest = speed.max_element();
    // As many rounds of the faster axis as bring the other close to a whole number.
    let seconds = |rounds: u8| f32::from(rounds) / fastest;
    let off = |rounds: u8| {
        let other = seconds(rounds) * speed.min_element();
        (other - other.round()).abs()
    };
    let best = (1..=64_u8).find(|rounds| off(*rounds) < 1e-3);
    seconds(best.unwrap_or(64))
}

/// One turn of a rotating mapper.
fn turning_round(rotate: &Rotate) -> Round {
    let seconds = 1.0 / rotate.speed.abs();
    let moment = |step: u16| seconds * f32::from(step) / f32::from(CURVE_KEYS);
    let angle =
        |step: u16| std::f32::consts::TAU * rotate.speed.signum() * f32::from(step) / f32::from(CURVE_KEYS);
    // S·R·(t - ½) + ½ has to be S·(c - R·c).
    let shift = |step: u16| {
        let back = Vec2::from_angle(-angle(step));
        let middle = before_scale(Vec2::ZERO, rotate.scale) - 0.5;
        back.rotate(rotate.center + middle) - rotate.center + 0.5
    };
    let moves = (0..=CURVE_KEYS).map(|step| (moment(step), shift(step))).collect();
    let turns = (0..=CURVE_KEYS).map(|step| (moment(step), angle(step))).collect();
    Round { seconds, interpolation: Interpolation::Linear, moves, turns, scale: rotate.scale }
}

fn round(mapper: &UvMapper) -> Result<Option<Round>, &'static str> {
    let still = |scale: Vec2, offset: Vec2| {
        let moves = vec![(0.0, before_scale(offset, scale))];
        let round =
            Round { seconds: 1.0, interpolation: Interpolation::Step, moves, turns: Vec::new(), scale };
        let is_nothing = scale == Vec2::ONE && offset == Vec2::ZERO;
        Ok((!is_nothing).then_some(round))
    };
    // The offset of a mapper at evenly spaced moments.
    let sampled = |seconds: f32, count: u16, interpolation: Interpolation, scale: Vec2| {
        let moment = |step: u16| seconds * f32::from(step) / f32::from(count);
        // Just after the moment, where something starts.
        let late = |time: f32| {
            if interpolation == Interpolation::Step { time + seconds / f32::from(count) / 2.0 } else { time }
        };
        let key = |step: u16| {
            let offset = mapper.transform(late(moment(step))).map_or(Vec2::ZERO, |affine| affine.translation);
            (moment(step), before_scale(offset, scale))
        };
        let last = if interpolation == Interpolation::Step { count - 1 } else { count };
        let moves = (0..=last).map(key).collect();
        Ok(Some(Round { seconds, interpolation, moves, turns: Vec::new(), scale }))
    };
    match mapper {
        UvMapper::Uv | UvMapper::Silhouette | UvMapper::Environment(_) => Ok(None),
        UvMapper::Scale(scale) => still(*scale, Vec2::ZERO),
        UvMapper::BumpEnvironment(_) => Err("bump another texture"),
        UvMapper::LinearOffset(linear) => {
            if linear.speed == Vec2::ZERO || !linear.speed.is_finite() {
                return still(linear.scale, linear.offset(0.0));
            }
            let seconds = scroll_round(linear.speed);
            let start = linear.offset(0.0);
            let end = start - linear.speed * seconds;
            let moves =
                vec![(0.0, before_scale(start, linear.scale)), (seconds, before_scale(end, linear.scale))];
            let interpolation = Interpolation::Linear;
            Ok(Some(Round { seconds, interpolation, moves, turns: Vec::new(), scale: linear.scale }))
        }
        UvMapper::Rotate(rotate) => {
            if rotate.speed == 0.0 || !rotate.speed.is_finite() {
                return still(rotate.scale, Vec2::ZERO);
            }
            Ok(Some(turning_round(rotate)))
        }
        UvMapper::Grid(grid) => {
            let cells = if grid.last == 0 { 1_u32 << (grid.log2_width.min(5) * 2) } else { grid.last };
            let count = u16::try_from(cells.clamp(1, 1024)).unwrap_or(1024);
            if grid.frames_per_second == 0.0 || !grid.frames_per_second.is_finite() {
                return still(Vec2::ONE, grid.offset(0.0));
            }
            // The engine counts whole milliseconds for each cell.
            let cell = (1000.0 / grid.frames_per_second.abs()).trunc().max(1.0) / 1000.0;
            sampled(cell * f32::from(count), count, Interpolation::Step, Vec2::ONE)
        }
        UvMapper::SineLinearOffset(sine) => {
            let slowest =
                [sine.frequency.x, sine.frequency.y].map(f32::abs).into_iter().filter(|each| *each > 0.0);
            let slowest = slowest.fold(f32::INFINITY, f32::min);
            if !slowest.is_finite() {
                return still(
                    sine.scale,
                    mapper.transform(0.0).map_or(Vec2::ZERO, |affine| affine.translation),
                );
            }
            sampled(1.0 / slowest, CURVE_KEYS, Interpolation::Linear, sine.scale)
        }
        UvMapper::StepLinearOffset(step) => {
            let longest = step.step.abs().max_element();
            if step.steps_per_second <= 0.0 || longest <= 0.0 || !longest.is_finite() {
                return still(step.scale, Vec2::ZERO);
            }
            let count = (scroll_round(step.step).round() as u16).clamp(1, 1024);
            sampled(f32::from(count) / step.steps_per_second, count, Interpolation::Step, step.scale)
        }
        UvMapper::ZigZagLinearOffset(zigzag) => {
            let period = zigzag.period.abs();
            if period <= 0.0 || !period.is_finite() {
                return still(zigzag.scale, Vec2::ZERO);
            }
            sampled(period, 2, Interpolation::Linear, zigzag.scale)
        }
        UvMapper::Screen(_) => Err("come from the place on the screen"),
        UvMapper::Random(_) => Err("move at random"),
        UvMapper::Edge(_) => Err("come from the angle to the camera"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Affine2, Mat2};
    use scene::{LinearOffset, UvTransform};

    /// What MDX makes of a round at a moment.
    fn transform(round: &Round, time: f32) -> Affine2 {
        let value = |keys: &[(f32, Vec2)]| {
            let next = keys.partition_point(|(key_time, _)| *key_time <= time).min(keys.len() - 1);
            let (a, b) = (keys[next.saturating_sub(1)], keys[next]);
            let share = if b.0 > a.0 { ((time - a.0) / (b.0 - a.0)).clamp(0.0, 1.0) } else { 0.0 };
            a.1 + (b.1 - a.1) * share
        };
        let angles: Vec<(f32, Vec2)> =
            round.turns.iter().map(|(time, angle)| (*time, Vec2::splat(*angle))).collect();
        let angle = if angles.is_empty() { 0.0 } else { value(&angles).x };
        let uv = UvTransform {
            translation: value(&round.moves),
            rotation: Quat::from_rotation_z(angle),
            scale: round.scale,
        };
        uv.matrix()
    }

    /// The same coordinates up to whole numbers, which repeat.
    fn assert_same(mapper: &UvMapper, times: &[f32]) {
        let round = round(mapper).unwrap().unwrap();
        for time in times {
            let (ours, theirs) = (transform(&round, *time), mapper.transform(*time).unwrap());
            let point = Vec2::new(0.3, 0.7);
            let off = ours.transform_point2(point) - theirs.transform_point2(point);
            assert!((off - off.round()).length() < 1e-3, "{mapper:?} at {time}: {off}");
            assert!((ours.matrix2 - theirs.matrix2).abs_diff_eq(Mat2::ZERO, 1e-3));
        }
    }

    #[test]
    fn scrolling_repeats_without_a_seam() {
        let linear = |speed: Vec2, scale: Vec2| {
            UvMapper::LinearOffset(LinearOffset { speed, scale, ..LinearOffset::default() })
        };
        assert_same(&linear(Vec2::new(0.5, 0.0), Vec2::ONE), &[0.0, 0.3, 1.0, 1.9]);
        assert_same(&linear(Vec2::new(0.5, -0.75), Vec2::new(2.0, 3.0)), &[0.0, 0.3, 1.0, 1.9]);
        assert_eq!(scroll_round(Vec2::new(0.5, 0.75)), 4.0);
    }

    #[test]
    fn turning_about_any_centre() {
        let rotate = Rotate { speed: 0.25, center: Vec2::new(0.5, 0.5), scale: Vec2::ONE };
        // At keys, where the path of an eccentric centre is exact, too.
        assert_same(&UvMapper::Rotate(rotate), &[0.0, 0.3, 1.0, 3.9]);
        assert_same(
            &UvMapper::Rotate(Rotate { center: Vec2::new(0.0, 0.2), ..rotate }),
            &[0.0, 0.125, 1.0, 2.5],
        );
        let grown = Rotate { scale: Vec2::splat(2.0), ..rotate };
        assert_same(&UvMapper::Rotate(grown), &[0.0, 0.125, 1.0, 2.5]);
    }
}
