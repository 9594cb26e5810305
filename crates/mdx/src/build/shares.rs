//! Weights of bones as equal shares: a matrix group has no weights, but may have a bone more than once.

/// How many of the fewest equal shares, at most `most`, each weight has, and the largest error of a weight. The error is within
/// `tolerance`, or the least that is possible.
#[must_use]
pub fn equal_shares(weights: &[f32], most: usize, tolerance: f32) -> (Vec<usize>, f32) {
    let sum: f32 = weights.iter().map(|weight| weight.max(0.0)).sum();
    let mut best = (vec![0; weights.len()], if sum > 0.0 { f32::INFINITY } else { 0.0 });
    if sum <= 0.0 || !sum.is_finite() {
        return best;
    }
    for count in 1..=most.max(1) {
        let candidate = divide(weights, sum, count);
        if candidate.1 < best.1 {
            best = candidate;
        }
        if best.1 <= tolerance {
            break;
        }
    }
    best
}

/// Divides `count` shares by largest remainder.
#[expect(clippy::cast_precision_loss, reason = "shares are few")]
fn divide(weights: &[f32], sum: f32, count: usize) -> (Vec<usize>, f32) {
    let ideal: Vec<f32> = weights.iter().map(|weight| weight.max(0.0) / sum * count as f32).collect();
    let mut whole: Vec<usize> = ideal.iter().map(|share| (share + 1e-4).floor() as usize).collect();
    while whole.iter().sum::<usize>() < count {
        let remainder = |index: usize| ideal[index] - whole[index] as f32;
        let largest = (0..ideal.len()).reduce(|a, b| if remainder(b) > remainder(a) { b } else { a });
        let Some(largest) = largest else { break };
        whole[largest] += 1;
    }
    let error = ideal.iter().zip(&whole).map(|(ideal, whole)| (ideal - *whole as f32).abs() / count as f32);
    let error = error.fold(0.0, f32::max);
    (whole, error)
}
