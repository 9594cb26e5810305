//! Weights of bones in the forms that formats have.

use scene::Influence;

/// How often each bone is counted where bones have equal shares, and the largest error of a weight.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shares {
    /// Joints; one that has two shares is there twice.
    pub(super) joints: Vec<u32>,
    pub(super) error: f32,
}

/// The fewest equal shares, at most `most`, that give each weight within `tolerance`; if no number does, the best one.
pub(super) fn shares(influences: &[Influence], most: usize, tolerance: f32) -> Shares {
    let weights: Vec<f32> = influences.iter().map(|influence| influence.weight).collect();
    let (whole, error) = ::mdx::build::equal_shares(&weights, most, tolerance);
    let joints = influences.iter().zip(&whole);
    let joints = joints.flat_map(|(influence, times)| std::iter::repeat_n(influence.joint, *times)).collect();
    Shares { joints, error }
}

/// Up to four joints with weights that add up to 255, the strongest kept in their order, and the largest error of a weight.
pub(crate) fn bytes(influences: &[Influence]) -> ([u32; 4], [u8; 4], f32) {
    let mut kept: Vec<(usize, Influence)> =
        influences.iter().copied().enumerate().filter(|(_, influence)| influence.weight > 0.0).collect();
    let whole: f32 = kept.iter().map(|(_, influence)| influence.weight).sum();
    kept.sort_by(|(_, a), (_, b)| b.weight.total_cmp(&a.weight));
    kept.truncate(4);
    kept.sort_by_key(|(place, _)| *place);
    let sum: f32 = kept.iter().map(|(_, influence)| influence.weight).sum();
    let (mut joints, mut weights) = ([0; 4], [0_u8; 4]);
    if sum <= 0.0 || !sum.is_finite() {
        return (joints, weights, 0.0);
    }
    let mut rest = 255_u8;
    for (index, (_, influence)) in kept.iter().enumerate() {
        joints[index] = influence.joint;
        weights[index] = ((influence.weight / sum * 255.0).round() as u8).min(rest);
        rest -= weights[index];
    }
    // What rounding left over goes to the first, as in the game's own files.
    weights[0] += rest;
    let error = kept
        .iter()
        .zip(weights)
        .map(|((_, influence), byte)| (influence.weight / whole - f32::from(byte) / 255.0).abs());
    (joints, weights, error.fold(1.0 - sum / whole, f32::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn influences(weights: &[f32]) -> Vec<Influence> {
        (0..).zip(weights).map(|(joint, weight)| Influence { joint, weight: *weight }).collect()
    }

    #[test]
    fn equal_shares_need_no_repetition() {
        let third = 1.0 / 3.0;
        assert_eq!(shares(&influences(&[third; 3]), 8, 0.02).joints, [0, 1, 2]);
        assert_eq!(shares(&influences(&[1.0]), 8, 0.02).joints, [0]);
    }

    #[test]
    fn a_bone_is_repeated_until_its_share_is_close_enough() {
        // 3/4 and 1/4 are four shares; 0.7 and 0.3 are within 0.05 of them, and within 0.02 of 5/7.
        let three_quarters = shares(&influences(&[0.75, 0.25]), 8, 0.02);
        assert_eq!(three_quarters, Shares { joints: vec![0, 0, 0, 1], error: 0.0 });
        assert_eq!(shares(&influences(&[0.7, 0.3]), 8, 0.06).joints, [0, 0, 1]);
        let close = shares(&influences(&[0.7, 0.3]), 8, 0.02);
        assert_eq!(close.joints, [0, 0, 0, 0, 0, 1, 1]);
        assert!(close.error < 0.02, "{}", close.error);
    }

    #[test]
    fn bytes_add_up_and_keep_the_four_strongest() {
        let (joints, weights, error) = bytes(&influences(&[0.5, 0.5]));
        assert_eq!((joints, weights), ([0, 1, 0, 0], [128, 127, 0, 0]));
        assert!((error - 0.5 / 255.0).abs() < 1e-6, "{error}");
        let (joints, weights, error) = bytes(&influences(&[0.1, 0.3, 0.3, 0.2, 0.1]));
        assert_eq!(weights.iter().map(|weight| u32::from(*weight)).sum::<u32>(), 255);
        assert_eq!(joints, [0, 1, 2, 3]);
        assert!((0.09..0.11).contains(&error), "{error}");
    }
}
