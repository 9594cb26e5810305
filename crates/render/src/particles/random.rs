//! Random numbers without a generator: each is a hash of its purpose.
//!
//! The hash is SplitMix64's output function, applied in turn to the seed, to the source (emitter or ribbon), to the
//! particle and to the draw, each combined with the previous result by exclusive or:
//!
//! ```text
//! mix(x): x += 0x9E3779B97F4A7C15
//!         x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9
//!         x = (x ^ x >> 27) * 0x94D049BB133111EB
//!         x ^ x >> 31
//! bits = mix(mix(mix(mix(seed) ^ source) ^ particle) ^ draw)
//! ```
//!
//! A number from 0 to 1 is made of the upper 24 bits. The draws of each kind of emitter are constants in its module.

use glam::Vec3;
use std::f32::consts::TAU;

/// SplitMix64's output function.
#[must_use]
pub const fn mix(value: u64) -> u64 {
    let x = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The random numbers of one particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice(u64);

impl Dice {
    /// The random numbers of a particle of a source.
    #[must_use]
    pub const fn new(seed: u64, source: u32, particle: i64) -> Self {
        Self(mix(mix(mix(seed) ^ source as u64) ^ particle.cast_unsigned()))
    }

    /// From 0, inclusive, to 1, exclusive.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "24 bits fit into a float")]
    pub const fn unit(self, draw: u32) -> f32 {
        (mix(self.0 ^ draw as u64) >> 40) as f32 / 16_777_216.0
    }

    /// From -1, inclusive, to 1, exclusive.
    #[must_use]
    pub const fn signed(self, draw: u32) -> f32 {
        2.0 * self.unit(draw) - 1.0
    }

    /// A direction, all equally likely. Uses two draws.
    #[must_use]
    pub fn direction(self, draw: u32) -> Vec3 {
        let (y, angle) = (self.signed(draw), TAU * self.unit(draw + 1));
        let across = (1.0 - y * y).max(0.0).sqrt();
        Vec3::new(across * angle.cos(), y, across * angle.sin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_splitmix64() {
        // The first outputs of SplitMix64 with seed 0: each step adds the constant once more.
        assert_eq!(mix(0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(mix(0x9E37_79B9_7F4A_7C15), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn numbers_stay_in_their_range_and_differ_by_everything_they_are_for() {
        let mut sum = 0.0;
        for particle in -500..500 {
            let dice = Dice::new(7, 3, particle);
            assert!((0.0..1.0).contains(&dice.unit(0)) && (-1.0..1.0).contains(&dice.signed(1)));
            assert!((dice.direction(2).length() - 1.0).abs() < 1e-5);
            sum += dice.unit(0);
        }
        assert!((sum / 1000.0 - 0.5).abs() < 0.05, "mean {}", sum / 1000.0);
        let number = Dice::new(1, 1, 1).unit(1);
        for other in [Dice::new(2, 1, 1).unit(1), Dice::new(1, 2, 1).unit(1), Dice::new(1, 1, 2).unit(1)] {
            assert_ne!(number, other);
        }
        assert_ne!(number, Dice::new(1, 1, 1).unit(2));
    }
}
