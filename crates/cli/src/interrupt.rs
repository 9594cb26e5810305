//! Ctrl-C and termination: cleans up, then exits with the code that shells expect.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// What is done before the program exits.
static ACTIONS: Mutex<Vec<fn()>> = Mutex::new(Vec::new());
static HANDLER: Once = Once::new();
/// Whether the verb ends by itself when it is asked to.
static IS_POLITE: AtomicBool = AtomicBool::new(false);
/// Whether it was asked.
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that was interrupted.
pub(crate) const CODE: u8 = 130;

/// From now on the first interrupt only [asks](is_asked) the program to end, and the second ends it.
pub(crate) fn ask_first() {
    IS_POLITE.store(true, Ordering::Relaxed);
    install();
}

/// Whether the program is asked to end.
pub(crate) fn is_asked() -> bool {
    IS_ASKED.load(Ordering::Relaxed)
}

/// Runs a function before an interrupt ends the program. It runs on another thread, once.
pub(crate) fn before_exit(action: fn()) {
    ACTIONS.lock().unwrap_or_else(PoisonError::into_inner).push(action);
    install();
}

fn install() {
    HANDLER.call_once(|| {
        // Without the handler an interrupt may leave a temporary file. That is harmless, so an error is ignored.
        let _ = ctrlc::set_handler(|| {
            if IS_POLITE.load(Ordering::Relaxed) && !IS_ASKED.swap(true, Ordering::Relaxed) {
                return;
            }
            let actions = std::mem::take(&mut *ACTIONS.lock().unwrap_or_else(PoisonError::into_inner));
            actions.iter().for_each(|action| action());
            std::process::exit(CODE.into());
        });
    });
}
