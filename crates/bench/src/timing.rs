//! Time measurements.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The median time of this many runs, after one run that is not counted (caches, lazy set-up).
///
/// All results are kept until the end. Otherwise the allocator would reuse the memory of one run in the next, and only the first
/// run would include the cost of new pages, which a real program has. Freeing is not measured.
pub fn median<T>(runs: usize, mut work: impl FnMut() -> T) -> Duration {
    let mut kept = Vec::with_capacity(runs + 1);
    kept.push(black_box(work()));
    let mut times = Vec::with_capacity(runs);
    for _ in 0..runs {
        let started = Instant::now();
        let result = black_box(work());
        times.push(started.elapsed());
        kept.push(result);
    }
    middle(times)
}

/// The baseline: the minimum work of any reader that owns its result.
pub fn copy_into_fresh_memory(bytes: &[u8]) -> Vec<u8> {
    black_box(bytes).to_vec()
}

/// The middle of the sorted times (the upper of the two if their number is even), or zero if there are none.
fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_ignores_outliers() {
        let times = [5, 1, 900, 2, 3].map(Duration::from_millis).to_vec();
        assert_eq!(middle(times), Duration::from_millis(3));
        assert_eq!(middle(Vec::new()), Duration::ZERO);
    }

    #[test]
    fn the_work_is_run_once_more_than_it_is_timed() {
        let mut runs = 0;
        median(4, || runs += 1);
        assert_eq!(runs, 5);
    }

    #[test]
    fn the_baseline_is_a_copy() {
        assert_eq!(copy_into_fresh_memory(b"MDLX"), b"MDLX");
    }
}
