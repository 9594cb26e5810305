//! Ctrl-C and termination: cleans up, then exits with the code that shells expect.

use std::sync::{Mutex, Once, PoisonError};

/// What is done before the program exits.
static ACTIONS: Mutex<Vec<fn()>> = Mutex::new(Vec::new());
static HANDLER: Once = Once::new();

/// Runs a function before an interrupt ends the program. It runs on another thread, once.
pub(crate) fn before_exit(action: fn()) {
    ACTIONS.lock().unwrap_or_else(PoisonError::into_inner).push(action);
    HANDLER.call_once(|| {
        // Without the handler an interrupt may leave a temporary file. That is harmless, so an error is ignored.
        let _ = ctrlc::set_handler(|| {
            let actions = std::mem::take(&mut *ACTIONS.lock().unwrap_or_else(PoisonError::into_inner));
            actions.iter().for_each(|action| action());
            std::process::exit(130);
        });
    });
}
