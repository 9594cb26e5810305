//! Time-coded channels: removes frames that can be interpolated from their neighbours.

use super::{Key, blend};

/// Chooses keys so that sampling them gives each frame's values within `tolerance`. The keys, their values, and the largest
/// error that sampling them makes at a frame.
///
/// The first key is at frame 0, which the engine's search relies on. With a tolerance of 0 only exact repetitions and exact
/// straight lines are removed.
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
        // Doubling the span while it fits and then halving the step keeps this fast on long channels; every span that is
        // taken was measured.
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
    let mut blended = Vec::new();
    let mut worst = 0.0_f32;
    for frame in start + 1..end {
        blended.clear();
        blend(value(start), value(end), (frame - start) as f32 / (end - start) as f32, &mut blended);
        for (got, wanted) in blended.iter().zip(value(frame)) {
            let miss = (got - wanted).abs();
            if miss.is_nan() {
                return miss;
            }
            worst = worst.max(miss);
        }
    }
    worst
}
