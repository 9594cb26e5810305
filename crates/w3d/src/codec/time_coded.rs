//! Time-coded channels: removes frames that can be interpolated from their neighbours.

use super::{Key, blend, distance};

/// Least cosine of half the angle between two rotations that are interpolated: 150 degrees. At half a turn both ways are equally long,
/// so rounding would decide which way a player turns.
const MIN_COSINE: f32 = 0.258_819;

/// Chooses keys so that sampling them gives each frame's values within `tolerance`. The keys, their values, and the largest
/// error that sampling them makes at a frame. Errors are measured with [`distance`]. Rotations of neighbouring keys are at most 150
/// degrees apart, unless neighbouring frames are further apart.
///
/// The first key is at frame 0, because the search of the engine requires it. With a tolerance of 0, only exact
/// repetitions and exact straight lines are removed.
pub fn encode_keys(components: usize, values: &[f32], tolerance: f32) -> (Vec<Key>, Vec<f32>, f32) {
    let frames = values.len().checked_div(components).unwrap_or_default();
    let value = |frame: usize| &values[frame * components..(frame + 1) * components];
    let mut keys = Vec::new();
    let mut kept = Vec::new();
    let mut worst = 0.0_f32;
    let mut keep = |frame: usize| {
        keys.push(Key { frame: u32::try_from(frame).unwrap_or(u32::MAX), step: false });
        kept.extend_from_slice(value(frame));
    };
    if frames == 0 {
        return (keys, kept, worst);
    }
    keep(0);
    let mut start = 0;
    while start + 1 < frames {
        // The span is doubled while it fits, then the step is halved: fast on long channels. Every accepted span was
        // measured.
        let mut fits = (start + 1, 0.0);
        let mut step = 1;
        while step > 0 {
            let end = (fits.0 + step).min(frames - 1);
            let error = span_error(start, end, &value);
            if end > fits.0 && error <= tolerance {
                fits = (end, error);
                step *= 2;
            } else {
                step /= 2;
            }
        }
        worst = worst.max(fits.1);
        keep(fits.0);
        start = fits.0;
    }
    (keys, kept, worst)
}

/// The largest error of the frames between two keys.
fn span_error<'v>(start: usize, end: usize, value: &impl Fn(usize) -> &'v [f32]) -> f32 {
    let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>().abs();
    if end > start + 1 && value(start).len() == 4 && cosine(value(start), value(end)) < MIN_COSINE {
        return f32::INFINITY;
    }
    let mut blended = Vec::new();
    let mut worst = 0.0_f32;
    for frame in start + 1..end {
        blended.clear();
        blend(value(start), value(end), (frame - start) as f32 / (end - start) as f32, &mut blended);
        let miss = distance(&blended, value(frame));
        if miss.is_nan() {
            return miss;
        }
        worst = worst.max(miss);
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::super::{distance, distance_of_degrees};
    use super::*;

    type Quaternion = [f64; 4];

    /// A rotation about an axis, in double precision.
    fn turn(axis: [f64; 3], degrees: f64) -> Quaternion {
        let length = axis.iter().map(|part| part * part).sum::<f64>().sqrt();
        let (sine, cosine) = (degrees.to_radians() / 2.0).sin_cos();
        [axis[0] / length * sine, axis[1] / length * sine, axis[2] / length * sine, cosine]
    }

    fn dot(a: Quaternion, b: Quaternion) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    /// The angle between two rotations in degrees.
    fn angle(a: Quaternion, b: Quaternion) -> f64 {
        let lengths = (dot(a, a) * dot(b, b)).sqrt();
        2.0 * (dot(a, b).abs() / lengths).min(1.0).acos().to_degrees()
    }

    /// The rotation of keys at a frame, written without the codec: the shorter arc between the two keys around it.
    fn evaluate(keys: &[Key], values: &[f32], frame: usize) -> Quaternion {
        let value =
            |index: usize| -> Quaternion { std::array::from_fn(|part| values[index * 4 + part].into()) };
        let after = keys.iter().position(|key| key.frame as usize > frame);
        let Some(after) = after else { return value(keys.len() - 1) };
        let (a, mut b) = (value(after - 1), value(after));
        if dot(a, b) < 0.0 {
            b = b.map(|part| -part);
        }
        let (start, end) = (f64::from(keys[after - 1].frame), f64::from(keys[after].frame));
        let share = (frame as f64 - start) / (end - start);
        let half = dot(a, b).min(1.0).acos();
        if half < 1e-9 {
            return a;
        }
        let (from, to) = (((1.0 - share) * half).sin() / half.sin(), (share * half).sin() / half.sin());
        std::array::from_fn(|part| a[part] * from + b[part] * to)
    }

    #[test]
    fn distances_of_rotations_follow_from_the_angle() {
        let (a, b) = (turn([0.0, 0.0, 1.0], 0.0), turn([1.0, 2.0, 3.0], 30.0));
        let [a, b] = [a, b].map(|each| each.map(|part| part as f32));
        // 2 sin(30° / 4) = 0.26105
        assert!((distance(&a, &b) - 0.261_052).abs() < 1e-5);
        assert!((distance_of_degrees(30.0) - 0.261_052).abs() < 1e-5);
        assert!(distance(&b, &b.map(|part| -2.0 * part)) < 1e-6, "the sign and the length do not matter");
        assert_eq!(distance(&[1.0, 5.0], &[1.5, 3.0]), 2.0);
    }

    #[test]
    fn rotations_stay_within_the_angle_of_the_tolerance() {
        let wanted: Vec<Quaternion> = (0..300)
            .map(|frame| {
                let time = f64::from(frame) / 30.0;
                let axis = [time.sin(), (1.7 * time).cos(), 0.5 + (0.9 * time).sin()];
                turn(axis, 40.0 * (1.3 * time).sin() + 25.0 * (4.1 * time).cos())
            })
            .collect();
        let values: Vec<f32> = wanted.iter().flatten().map(|part| *part as f32).collect();
        for degrees in [0.05, 0.5, 5.0] {
            let (keys, kept, _) = encode_keys(4, &values, distance_of_degrees(degrees));
            let worst = wanted
                .iter()
                .enumerate()
                .map(|(frame, wanted)| angle(*wanted, evaluate(&keys, &kept, frame)));
            let worst = worst.fold(0.0, f64::max);
            assert!(worst <= f64::from(degrees) * 1.001 + 1e-4, "{worst} instead of {degrees} degrees");
            assert!(worst >= f64::from(degrees) * 0.5, "the tolerance is used: {worst} of {degrees} degrees");
            assert!(keys.len() < 300);
        }
    }

    #[test]
    fn keys_stay_clearly_below_half_a_turn() {
        // Ten degrees per frame: any span is an exact arc, so only the limit ends it.
        let values: Vec<f32> = (0..200)
            .flat_map(|frame| turn([0.3, -1.0, 0.2], 10.0 * f64::from(frame)))
            .map(|part| part as f32)
            .collect();
        let (keys, kept, _) = encode_keys(4, &values, distance_of_degrees(0.5));
        for pair in kept.chunks_exact(4).collect::<Vec<_>>().windows(2) {
            let [a, b] = [pair[0], pair[1]]
                .map(|each| -> Quaternion { std::array::from_fn(|part| each[part].into()) });
            assert!(angle(a, b) <= 150.1, "{} degrees between two keys", angle(a, b));
        }
        assert!(keys.len() <= 20, "{} keys for spans of 15 frames", keys.len());
    }
}
