//! Processes many files in parallel with ordered results, in bounded memory, with a progress bar for long runs.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::args::{Common, Jobs};
use crate::report::thousands;

/// Shorter runs show no progress bar.
const PATIENCE: Duration = Duration::from_millis(400);
/// Maximum number of results that wait for an earlier one. So many small files keep other workers busy during a large one.
const MAX_WAITING: usize = 4096;
/// Maximum size of the text that waits.
const MAX_BYTES: usize = 8 << 20;

/// The output for one item: the text to print in its final form, and a result for the verb.
#[derive(Default)]
pub(crate) struct JobOutput<R> {
    /// For standard output.
    pub(crate) out: Vec<u8>,
    /// For standard error.
    pub(crate) err: Vec<u8>,
    pub(crate) result: R,
}

impl<R> JobOutput<R> {
    fn bytes(&self) -> usize {
        self.out.capacity() + self.err.capacity()
    }
}

/// Calls `work` for each item in parallel, and `take` with each output in the order of the items. Expensive work belongs in `work`.
/// The outputs that wait for their turn are bounded: a worker that is too far ahead waits. If `take` fails, no further item is
/// started.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: Jobs,
    common: Common,
    work: impl Fn(&T) -> JobOutput<R> + Sync,
    take: impl FnMut(&T, JobOutput<R>) -> io::Result<()> + Send,
) -> io::Result<()> {
    let progress = Progress::new(items.len(), common);
    let queue = OrderedQueue {
        items,
        state: Mutex::new(State {
            take,
            next: 0,
            taken: 0,
            waiting: VecDeque::new(),
            bytes: 0,
            idle: 0,
            end: Ok(()),
            stopped: false,
        }),
        moved: Condvar::new(),
        progress: &progress,
    };
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    let workers = jobs.jobs.map_or_else(cores, usize::from).min(items.len());
    thread::scope(|scope| {
        for _ in 1..workers {
            // Spawning failed: continue with fewer workers.
            let _ = thread::Builder::new().spawn_scoped(scope, || queue.run(&work));
        }
        queue.run(&work);
    });
    queue.state.into_inner().unwrap_or_else(PoisonError::into_inner).end
}

/// Calls `work` for each item in parallel and returns the results.
pub(crate) fn each<T: Sync, R: Send>(
    items: &[T],
    jobs: Jobs,
    common: Common,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let mut results = Vec::new();
    let work = |item: &T| JobOutput { out: Vec::new(), err: Vec::new(), result: work(item) };
    // `take` cannot fail.
    let _ = in_order(items, jobs, common, work, |_, made| {
        results.push(made.result);
        Ok(())
    });
    results
}

/// The items, and the outputs that wait for their turn.
struct OrderedQueue<'l, T, R, F> {
    items: &'l [T],
    state: Mutex<State<R, F>>,
    /// Signals that outputs were taken.
    moved: Condvar,
    progress: &'l Progress,
}

struct State<R, F> {
    take: F,
    /// Index of the next item to start.
    next: usize,
    /// Number of outputs that were taken.
    taken: usize,
    /// Outputs of the following items; `None` for unfinished ones.
    waiting: VecDeque<Option<JobOutput<R>>>,
    /// Size of their text.
    bytes: usize,
    /// Number of waiting workers.
    idle: usize,
    end: io::Result<()>,
    stopped: bool,
}

impl<T: Sync, R: Send, F: FnMut(&T, JobOutput<R>) -> io::Result<()> + Send> OrderedQueue<'_, T, R, F> {
    fn lock(&self) -> MutexGuard<'_, State<R, F>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, work: &(impl Fn(&T) -> JobOutput<R> + Sync)) {
        let _leaving = Leaving(|| {
            self.lock().stopped = true;
            self.moved.notify_all();
        });
        let mut state = self.lock();
        loop {
            // The worker on the first unfinished item never waits here, so the queue always advances.
            while !state.stopped && state.is_full() {
                state.idle += 1;
                state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.idle -= 1;
            }
            let at = state.next;
            let Some(item) = self.items.get(at).filter(|_| !state.stopped) else { return };
            state.next += 1;
            drop(state);
            let made = work(item);
            self.progress.step();
            state = self.lock();
            self.put(&mut state, at, made);
        }
    }

    /// Stores an output, and takes all outputs that are next in order.
    fn put(&self, state: &mut State<R, F>, at: usize, made: JobOutput<R>) {
        let place = at - state.taken;
        if state.waiting.len() <= place {
            state.waiting.resize_with(place + 1, || None);
        }
        state.bytes += made.bytes();
        state.waiting[place] = Some(made);
        while !state.stopped
            && let Some(made) = state.waiting.front_mut().and_then(Option::take)
        {
            let item = &self.items[state.taken];
            state.waiting.pop_front();
            state.bytes -= made.bytes();
            state.taken += 1;
            let prints = !(made.out.is_empty() && made.err.is_empty());
            let end = match self.progress.bar.get().filter(|_| prints) {
                Some(bar) => bar.suspend(|| (state.take)(item, made)),
                None => (state.take)(item, made),
            };
            if end.is_err() {
                state.end = end;
                state.stopped = true;
            }
        }
        if state.idle > 0 && (state.stopped || !state.is_full()) {
            self.moved.notify_all();
        }
    }
}

/// Called if a worker panics, so that the others do not wait for it forever.
struct Leaving<F: Fn()>(F);

impl<F: Fn()> Drop for Leaving<F> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)();
        }
    }
}

impl<R, F> State<R, F> {
    fn is_full(&self) -> bool {
        // The first unfinished item may always be started.
        self.next > self.taken && (self.waiting.len() >= MAX_WAITING || self.bytes >= MAX_BYTES)
    }
}

/// A progress bar for long work. One whose total is not known yet shows the number of files and the rate.
pub(crate) struct Progress {
    /// 0 if it is not known.
    total: AtomicU64,
    started: Instant,
    wanted: bool,
    bar: OnceLock<ProgressBar>,
    done: AtomicU64,
}

impl Progress {
    fn new(total: usize, common: Common) -> Self {
        let wanted = total > 1 && !common.quiet && !common.verbose && io::stderr().is_terminal();
        let total = AtomicU64::new(total as u64);
        Self { total, started: Instant::now(), wanted, bar: OnceLock::new(), done: 0.into() }
    }

    /// A bar whose total is not known yet.
    pub(crate) fn of_unknown(common: Common) -> Self {
        let progress = Self::new(2, common);
        progress.total.store(0, Ordering::Relaxed);
        progress
    }

    /// Whether it may be shown.
    pub(crate) const fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// The total is known now.
    pub(crate) fn set_total(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        if let Some(bar) = self.bar.get() {
            bar.set_length(total);
            bar.set_style(style(total));
        }
    }

    fn step(&self) {
        self.advance(1);
    }

    /// So many further files are done.
    pub(crate) fn advance(&self, files: u64) {
        if !self.wanted {
            return;
        }
        let done = files + self.done.fetch_add(files, Ordering::Relaxed);
        if self.started.elapsed() > PATIENCE {
            self.bar.get_or_init(|| self.make_bar(done)).set_position(done);
        }
    }

    /// Prints lines above the bar.
    pub(crate) fn suspend(&self, print: impl FnOnce()) {
        match self.bar.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn make_bar(&self, done: u64) -> ProgressBar {
        HANDLER.call_once(|| crate::interrupt::before_exit(remove_progress_bar));
        let total = self.total.load(Ordering::Relaxed);
        let bar = ProgressBar::with_draw_target(
            Some(total).filter(|total| *total > 0),
            ProgressDrawTarget::stderr(),
        );
        let bar = bar.with_style(style(total)).with_position(done);
        // The files that were done before the bar appeared took time, too.
        bar.reset_eta();
        *shown_bar() = Some(bar.clone());
        bar
    }
}

/// The form of a bar with this total; 0 if it is not known.
fn style(total: u64) -> ProgressStyle {
    // Not as wide as the terminal: its echo of Ctrl-C has to stay on the line, which is then cleared.
    let template = match total {
        0 => "{human_pos} files, {rate}",
        _ => "{bar:24} {human_pos}/{human_len} files, {rate}, {eta} left",
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
        let _ = out.write_str(&rate(state.per_sec()));
    })
}

/// Files per second, as people write it.
fn rate(per_second: f64) -> String {
    match per_second {
        ..10.0 => format!("{per_second:.1} files/s"),
        _ => format!("{} files/s", thousands(per_second as usize)),
    }
}

static HANDLER: Once = Once::new();
/// The bar on the screen.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn shown_bar() -> MutexGuard<'static, Option<ProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the progress bar before an interrupt ends the program.
fn remove_progress_bar() {
    if let Some(bar) = shown_bar().take() {
        bar.finish_and_clear();
        // The terminal's echo of Ctrl-C.
        let _ = io::stderr().write_all(b"\r\x1b[K");
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
            *shown_bar() = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMON: Common = Common { quiet: true, verbose: false, color: crate::args::Color::Never };

    fn made(bytes: usize, result: usize) -> JobOutput<usize> {
        JobOutput { out: vec![0; bytes], err: Vec::new(), result }
    }

    #[test]
    fn rates_have_no_more_digits_than_people_read() {
        assert_eq!(rate(24_139.593), "24,139 files/s");
        assert_eq!(rate(0.8125), "0.8 files/s");
    }

    #[test]
    fn results_come_in_order_whoever_is_first() {
        let items: Vec<usize> = (0..500).collect();
        for jobs in [1, 2, 7] {
            let work = |at: &usize| {
                // Every tenth takes longer than its neighbours.
                if at.is_multiple_of(10) {
                    thread::sleep(Duration::from_millis(1));
                }
                made(0, *at)
            };
            let mut taken = Vec::new();
            let end = in_order(&items, Jobs { jobs: Some(jobs) }, COMMON, work, |item, made| {
                assert_eq!(*item, made.result);
                taken.push(made.result);
                Ok(())
            });
            assert!(end.is_ok());
            assert_eq!(taken, items);
        }
    }

    #[test]
    fn nobody_runs_far_ahead_of_a_slow_one() {
        let items: Vec<usize> = (0..200).collect();
        let ahead = AtomicU64::new(0);
        let work = |at: &usize| {
            if *at == 0 {
                thread::sleep(Duration::from_millis(100));
            }
            ahead.fetch_add(1, Ordering::Relaxed);
            made(1 << 20, *at)
        };
        let mut most = 0;
        let mut taken = 0;
        let end = in_order(&items, Jobs { jobs: Some(3) }, COMMON, work, |_, _| {
            most = most.max(ahead.load(Ordering::Relaxed) - taken);
            taken += 1;
            Ok(())
        });
        assert!(end.is_ok());
        assert_eq!(taken, 200);
        // What waits, and what three workers have just finished.
        assert!(most <= (MAX_BYTES >> 20) as u64 + 4, "{most} results were held");
    }

    #[test]
    fn a_failure_stops_the_rest() {
        let items: Vec<usize> = (0..10_000).collect();
        let begun = AtomicU64::new(0);
        let work = |at: &usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            made(0, *at)
        };
        let take = |item: &usize, _| if *item == 5 { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) };
        for jobs in [1, 2] {
            begun.store(0, Ordering::Relaxed);
            let end = in_order(&items, Jobs { jobs: Some(jobs) }, COMMON, work, take);
            assert_eq!(end.map_err(|error| error.kind()), Err(io::ErrorKind::BrokenPipe));
            assert!(begun.load(Ordering::Relaxed) < 10_000);
        }
        assert_eq!(each(&items, Jobs { jobs: Some(2) }, COMMON, |at| at + 1)[9_999], 10_000);
    }
}
