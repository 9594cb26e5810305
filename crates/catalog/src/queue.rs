//! Works on many items in parallel, and takes the results in order and in bounded memory.

use std::collections::VecDeque;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Results that wait for an earlier one. A worker that is farther ahead waits.
const MAX_WAITING: usize = 256;
/// How often the taker looks whether it is to stop.
const PATIENCE: Duration = Duration::from_millis(50);

struct State<R> {
    next: usize,
    taken: usize,
    /// Results of the items after those that were taken; `None` for unfinished ones.
    waiting: VecDeque<Option<R>>,
    stopped: bool,
    workers: usize,
}

/// Calls `work` for each item on `jobs` threads, and `take` on this thread with each result in the order of the items. Ends early if `take`
/// fails or `is_stopped`; the result says whether all items were taken.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    is_stopped: &dyn Fn() -> bool,
    work: &(dyn Fn(&T) -> R + Sync),
    take: &mut dyn FnMut(&T, R) -> io::Result<()>,
) -> io::Result<bool> {
    let state = Mutex::new(State { next: 0, taken: 0, waiting: VecDeque::new(), stopped: false, workers: 0 });
    let changed = Condvar::new();
    let lock = || -> MutexGuard<'_, State<R>> { state.lock().unwrap_or_else(PoisonError::into_inner) };
    let run = || {
        let _left = Left(|| {
            lock().workers -= 1;
            changed.notify_all();
        });
        loop {
            let mut now = lock();
            while !now.stopped && now.next >= now.taken + MAX_WAITING {
                now = changed.wait(now).unwrap_or_else(PoisonError::into_inner);
            }
            let index = now.next;
            let Some(item) = items.get(index).filter(|_| !now.stopped) else { return };
            now.next += 1;
            drop(now);
            let result = work(item);
            let mut now = lock();
            let place = index - now.taken;
            if now.waiting.len() <= place {
                now.waiting.resize_with(place + 1, || None);
            }
            now.waiting[place] = Some(result);
            drop(now);
            changed.notify_all();
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            lock().workers += 1;
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                lock().workers -= 1;
            }
        }
        let mut end = Ok(true);
        let mut now = lock();
        while now.taken < items.len() && end.is_ok() {
            if is_stopped() {
                end = Ok(false);
                break;
            }
            if let Some(result) = now.waiting.front_mut().and_then(Option::take) {
                now.waiting.pop_front();
                let item = &items[now.taken];
                now.taken += 1;
                drop(now);
                changed.notify_all();
                end = take(item, result).map(|()| true);
                now = lock();
            } else if now.workers == 0 && now.waiting.front().is_none_or(Option::is_none) {
                end = Err(io::Error::other("no thread could be started, or one ended early"));
            } else {
                let wait = changed.wait_timeout(now, PATIENCE);
                now = wait.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        now.stopped = true;
        drop(now);
        changed.notify_all();
        end
    })
}

/// Calls a function when a worker ends, however it ends.
struct Left<F: Fn()>(F);

impl<F: Fn()> Drop for Left<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_with_any_number_of_workers() {
        let items: Vec<usize> = (0..2000).collect();
        for jobs in [1, 2, 7] {
            let mut taken = Vec::new();
            let end = in_order(&items, jobs, &|| false, &|item| item * 2, &mut |item, result| {
                taken.push((*item, result));
                Ok(())
            });
            assert!(end.unwrap());
            assert!(taken.iter().enumerate().all(|(index, pair)| *pair == (index, index * 2)));
            assert_eq!(taken.len(), 2000);
        }
    }

    #[test]
    fn a_failure_and_a_request_stop_it() {
        let items: Vec<usize> = (0..100_000).collect();
        let failed = in_order(&items, 2, &|| false, &|item| *item, &mut |item, _| {
            if *item == 5 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        let count = std::cell::Cell::new(0);
        let stopped = in_order(&items, 2, &|| count.get() >= 10, &|item| *item, &mut |_, _| {
            count.set(count.get() + 1);
            Ok(())
        });
        assert!(!stopped.unwrap());
        assert_eq!(count.get(), 10);
        assert!(in_order(&[0; 0], 4, &|| false, &|item| *item, &mut |_, _| Ok(())).unwrap());
    }
}
