//! Triangles by the tiles that they touch.

use std::ops::RangeInclusive;

use super::project::{Geometry, Triangle};
use super::tile::{self, SIDE};

/// The triangles of each tile, in drawing order.
pub(super) struct Bins {
    columns: u32,
    rows: u32,
    /// For each tile the start of its triangles in the list, and the end of the last.
    starts: Vec<u32>,
    list: Vec<u32>,
}

/// Maximum number of entries in all bins. Beyond it, every tile tests all triangles.
const MAX_ENTRIES: u64 = 1 << 26;

impl Bins {
    pub(super) fn new(geometry: &Geometry<'_>, width: u32, height: u32) -> Self {
        let (columns, rows) = (width.div_ceil(SIDE), height.div_ceil(SIDE));
        let mut bins = Self { columns, rows, starts: Vec::new(), list: Vec::new() };
        let mut counts = vec![0u32; columns as usize * rows as usize + 1];
        let mut entries = 0;
        for triangle in &geometry.triangles {
            let (across, down) = bins.covered(geometry, triangle);
            entries += across.clone().count() as u64 * down.clone().count() as u64;
            if entries > MAX_ENTRIES {
                return bins;
            }
            bins.for_each_tile(across, down, |tile| counts[tile + 1] += 1);
        }
        let mut sum = 0;
        for count in &mut counts {
            sum += *count;
            *count = sum;
        }
        let mut ends = counts.clone();
        let mut list = vec![0; entries as usize];
        for (number, triangle) in geometry.triangles.iter().enumerate() {
            let (across, down) = bins.covered(geometry, triangle);
            bins.for_each_tile(across, down, |tile| {
                list[ends[tile] as usize] = number as u32;
                ends[tile] += 1;
            });
        }
        bins.starts = counts;
        bins.list = list;
        bins
    }

    /// The columns and rows of the tiles that a triangle may touch.
    #[expect(clippy::reversed_empty_ranges, reason = "it is meant to be empty")]
    fn covered(
        &self,
        geometry: &Geometry<'_>,
        triangle: &Triangle,
    ) -> (RangeInclusive<u32>, RangeInclusive<u32>) {
        let [left, top, right, bottom] =
            tile::bounds(triangle.corners.map(|index| geometry.points[index as usize]));
        let tiles = |from: i32, to: i32, count: u32| {
            // An empty range stays empty.
            if to < from || to < 0 || from >= (count * SIDE) as i32 {
                return 1..=0;
            }
            let (from, to) = (from.max(0) as u32 / SIDE, to as u32 / SIDE);
            from..=to.min(count - 1)
        };
        (tiles(left, right, self.columns), tiles(top, bottom, self.rows))
    }

    fn for_each_tile(
        &self,
        across: RangeInclusive<u32>,
        down: RangeInclusive<u32>,
        mut work: impl FnMut(usize),
    ) {
        for row in down {
            for column in across.clone() {
                work((row * self.columns + column) as usize);
            }
        }
    }

    /// The triangles that may touch a tile.
    pub(super) fn tile<'g>(
        &self,
        column: u32,
        row: u32,
        geometry: &'g Geometry<'_>,
    ) -> impl Iterator<Item = &'g Triangle> {
        let index = (row * self.columns + column) as usize;
        let listed = match (self.starts.get(index), self.starts.get(index + 1)) {
            (Some(&start), Some(&end)) => Some(&self.list[start as usize..end as usize]),
            _ => None,
        };
        let all = if listed.is_none() { geometry.triangles.as_slice() } else { &[] };
        let listed = listed.unwrap_or_default().iter().map(|&number| &geometry.triangles[number as usize]);
        listed.chain(all)
    }
}
