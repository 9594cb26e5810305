//! Doing the same to many files: at once, with a progress bar if that takes long.

use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;

use crate::args::{Common, Jobs};

/// Work that is done sooner shows no bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// Does `work` for each item and gives the results in their order. One item is done here and now: threads cost more than
/// a small model does.
pub(crate) fn each<T: Sync, R: Send>(
    items: &[T],
    jobs: Jobs,
    common: Common,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let progress = Progress::new(items.len(), common);
    let work = |item: &T| {
        let result = work(item);
        progress.step();
        result
    };
    let threads = usize::from(jobs.jobs.unwrap_or(0));
    if items.len() < 2 || threads == 1 {
        return items.iter().map(work).collect();
    }
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(|| items.par_iter().with_max_len(1).map(work).collect()),
        // No threads to be had: slower, but the same.
        Err(_) => items.iter().map(work).collect(),
    }
}

struct Progress {
    total: usize,
    started: Instant,
    wanted: bool,
    bar: OnceLock<ProgressBar>,
    done: std::sync::atomic::AtomicU64,
}

impl Progress {
    fn new(total: usize, common: Common) -> Self {
        let wanted = total > 1 && !common.quiet && std::io::stderr().is_terminal();
        Self { total, started: Instant::now(), wanted, bar: OnceLock::new(), done: 0.into() }
    }

    fn step(&self) {
        if !self.wanted {
            return;
        }
        let done = 1 + self.done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if self.started.elapsed() > PATIENCE {
            self.bar.get_or_init(|| self.make_bar(done)).set_position(done);
        }
    }

    fn make_bar(&self, done: u64) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(self.total as u64), ProgressDrawTarget::stderr());
        let template = "{wide_bar} {pos}/{len} files, {per_sec}, {eta} left";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = bar.with_style(style).with_position(done);
        // What was done before there was a bar was not done in no time.
        bar.reset_eta();
        bar
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
