//! Reduction to 256 colours: median cut, then k-means.

use std::collections::{BTreeMap, HashMap};

use crate::Image;

const COLOURS: usize = 256;
/// Rounds of k-means; more hardly change the result.
const ROUNDS: usize = 6;

/// 256 colours, and pictures in those colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette {
    /// Red, green and blue. Unused entries are black.
    pub colours: [[u8; 3]; COLOURS],
    /// One index for each pixel, for each picture.
    pub indices: Vec<Vec<u8>>,
}

/// Chooses 256 colours for all pictures together, ignoring alpha. The first picture has priority: if it has at most 256
/// colours, it keeps them all, and the others share the remaining entries.
///
/// ```
/// let image = meshwright_texture::Image::new(2, 1, vec![255, 0, 0, 255, 0, 0, 255, 255])?;
/// let palette = meshwright_texture::quantise(&[image]);
/// let [first, second] = [0, 1].map(|pixel| palette.colours[usize::from(palette.indices[0][pixel])]);
/// assert_eq!((first, second), ([255, 0, 0], [0, 0, 255]));
/// # Ok::<(), meshwright_texture::Error>(())
/// ```
pub fn quantise(mips: &[Image]) -> Palette {
    let Some((top, smaller)) = mips.split_first() else {
        return Palette { colours: [[0; 3]; COLOURS], indices: Vec::new() };
    };
    let top = histogram([top]);
    let all = if smaller.is_empty() { top.clone() } else { histogram(mips) };
    let chosen: Vec<[u8; 3]> = if top.len() <= COLOURS {
        let mut rest = histogram(smaller);
        rest.retain(|colour, _| !top.contains_key(colour));
        let left = COLOURS - top.len();
        top.into_keys().chain(reduce(rest, left)).collect()
    } else {
        reduce(all.clone(), COLOURS)
    };
    let nearest = Nearest::new(chosen.iter().map(|colour| colour.map(f32::from)));
    let known: HashMap<[u8; 3], u8> =
        all.into_keys().map(|colour| (colour, nearest.of(colour.map(f32::from)) as u8)).collect();
    let indices = mips.iter().map(|image| indices(image, &known)).collect();
    let mut colours = [[0; 3]; COLOURS];
    colours[..chosen.len()].copy_from_slice(&chosen);
    Palette { colours, indices }
}

/// The index of each pixel's colour. Neighbours often have the same colour.
fn indices(image: &Image, known: &HashMap<[u8; 3], u8>) -> Vec<u8> {
    let mut last = None;
    let index_of = |[r, g, b, _]: [u8; 4]| match last {
        Some((colour, index)) if colour == [r, g, b] => index,
        _ => {
            let index = known[&[r, g, b]];
            last = Some(([r, g, b], index));
            index
        }
    };
    image.iter().map(index_of).collect()
}

/// The number of pixels of each colour, in sorted order, so that the result does not depend on hashing.
type Histogram = BTreeMap<[u8; 3], u64>;

fn histogram<'a>(images: impl IntoIterator<Item = &'a Image>) -> Histogram {
    let mut counts: HashMap<[u8; 3], u64> = HashMap::new();
    // Neighbours often have the same colour: they are counted together.
    let mut run = ([0; 3], 0);
    for [r, g, b, _] in images.into_iter().flat_map(Image::iter) {
        if run.0 == [r, g, b] {
            run.1 += 1;
            continue;
        }
        if run.1 > 0 {
            *counts.entry(run.0).or_default() += run.1;
        }
        run = ([r, g, b], 1);
    }
    if run.1 > 0 {
        *counts.entry(run.0).or_default() += run.1;
    }
    counts.into_iter().collect()
}

/// At most `limit` colours that represent the histogram.
fn reduce(histogram: Histogram, limit: usize) -> Vec<[u8; 3]> {
    if histogram.len() <= limit {
        histogram.into_keys().collect()
    } else if limit == 0 {
        Vec::new()
    } else {
        refine(median_cut(merge_similar(&histogram), limit))
    }
}

/// A colour, the mean of `count` pixels.
#[derive(Debug, Clone, Copy)]
struct Sample {
    colour: [f32; 3],
    count: f32,
}

/// Colours with the same upper 5, 6 and 5 bits become one sample with their mean, because a photograph has too many
/// colours to compare.
fn merge_similar(histogram: &Histogram) -> Vec<Sample> {
    let mut cells: BTreeMap<[u8; 3], ([u64; 3], u64)> = BTreeMap::new();
    for (&[r, g, b], &count) in histogram {
        let (sum, total) = cells.entry([r >> 3, g >> 2, b >> 3]).or_default();
        for (sum, value) in sum.iter_mut().zip([r, g, b]) {
            *sum += u64::from(value) * count;
        }
        *total += count;
    }
    let mean = |(sum, total): ([u64; 3], u64)| Sample {
        colour: sum.map(|sum| (sum as f64 / total as f64) as f32),
        count: total as f32,
    };
    cells.into_values().map(mean).collect()
}

struct Group {
    samples: Vec<Sample>,
    mean: [f32; 3],
    /// Squared distance from the mean, channel by channel, summed over pixels.
    spread: [f32; 3],
}

impl Group {
    fn new(samples: Vec<Sample>) -> Group {
        let mean = mean(&samples);
        let mut spread = [0.0; 3];
        for sample in &samples {
            for axis in 0..3 {
                spread[axis] += (sample.colour[axis] - mean[axis]).powi(2) * sample.count;
            }
        }
        Group { samples, mean, spread }
    }

    fn worst(&self) -> f32 {
        self.spread.into_iter().fold(0.0, f32::max)
    }
}

fn mean(samples: &[Sample]) -> [f32; 3] {
    let mut sum = [0.0f64; 3];
    let mut total = 0.0f64;
    for sample in samples {
        for (sum, value) in sum.iter_mut().zip(sample.colour) {
            *sum += f64::from(value) * f64::from(sample.count);
        }
        total += f64::from(sample.count);
    }
    sum.map(|sum| if total > 0.0 { (sum / total) as f32 } else { 0.0 })
}

/// Splits the group with the largest spread, at its mean on its widest axis, until there are `limit` groups.
fn median_cut(samples: Vec<Sample>, limit: usize) -> Vec<Group> {
    let mut groups = vec![Group::new(samples)];
    while groups.len() < limit {
        let widest = (0..groups.len()).max_by(|&a, &b| groups[a].worst().total_cmp(&groups[b].worst()));
        let Some(widest) = widest.filter(|&index| groups[index].worst() > 0.0) else { break };
        let Group { samples, mean, spread } = groups.swap_remove(widest);
        let axis = (0..3).max_by(|&a, &b| spread[a].total_cmp(&spread[b])).unwrap_or(0);
        let (low, high): (Vec<_>, Vec<_>) =
            samples.into_iter().partition(|sample| sample.colour[axis] <= mean[axis]);
        if low.is_empty() || high.is_empty() {
            // Rounding put the mean outside the samples: they are practically equal.
            groups.push(Group { spread: [0.0; 3], ..Group::new([low, high].concat()) });
        } else {
            groups.extend([Group::new(low), Group::new(high)]);
        }
    }
    groups
}

/// K-means, starting from the groups' means.
fn refine(groups: Vec<Group>) -> Vec<[u8; 3]> {
    let mut centres: Vec<[f32; 3]> = groups.iter().map(|group| group.mean).collect();
    let samples: Vec<Sample> = groups.into_iter().flat_map(|group| group.samples).collect();
    for _ in 0..ROUNDS {
        let mut members: Vec<Vec<Sample>> = vec![Vec::new(); centres.len()];
        let nearest = Nearest::new(centres.iter().copied());
        for &sample in &samples {
            members[nearest.of(sample.colour)].push(sample);
        }
        for (centre, members) in centres.iter_mut().zip(&members).filter(|(_, members)| !members.is_empty()) {
            *centre = mean(members);
        }
    }
    centres.iter().map(|centre| centre.map(|value| value.round() as u8)).collect()
}

/// Finds the nearest of some colours. They are sorted by green, so that a search ends where the difference in green alone
/// is too large.
struct Nearest {
    /// Colours and their indices in the list.
    sorted: Vec<([f32; 3], usize)>,
}

impl Nearest {
    fn new(colours: impl Iterator<Item = [f32; 3]>) -> Self {
        let mut sorted: Vec<_> = colours.enumerate().map(|(index, colour)| (colour, index)).collect();
        sorted.sort_by(|(a, _), (b, _)| a[1].total_cmp(&b[1]));
        Self { sorted }
    }

    /// The index of the nearest colour. Of equally near ones, the first.
    fn of(&self, colour: [f32; 3]) -> usize {
        let middle = self.sorted.partition_point(|(other, _)| other[1] < colour[1]);
        let (below, above) = self.sorted.split_at(middle);
        let mut best = (f32::INFINITY, 0);
        let mut is_worth_going_on = |(other, index): &([f32; 3], usize)| {
            if (other[1] - colour[1]).powi(2) > best.0 {
                return false;
            }
            let distance = other.iter().zip(colour).map(|(other, value)| (other - value).powi(2)).sum();
            if distance < best.0 || (distance == best.0 && *index < best.1) {
                best = (distance, *index);
            }
            true
        };
        // All candidates above, then all candidates below.
        above.iter().all(&mut is_worth_going_on);
        below.iter().rev().all(&mut is_worth_going_on);
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_colour_is_found_and_the_first_of_equals() {
        let mut seed = 3u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Few values, so that many colours are equally near.
            f32::from((seed >> 24) as u8 / 16)
        };
        let mut colour = || [random(), random(), random()];
        let colours: Vec<[f32; 3]> = (0..256).map(|_| colour()).collect();
        let nearest = Nearest::new(colours.iter().copied());
        for _ in 0..1000 {
            let wanted = colour();
            let distance = |index: usize| -> f32 {
                colours[index].iter().zip(wanted).map(|(other, value)| (other - value).powi(2)).sum()
            };
            let by_hand = (0..256).min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap();
            assert_eq!(nearest.of(wanted), by_hand);
        }
        assert_eq!(Nearest::new([].into_iter()).of([0.0; 3]), 0);
    }
}
