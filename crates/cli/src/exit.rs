//! How a run ends.

use std::io;
use std::process::ExitCode;

/// What a verb came to; the worst wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// All is well.
    #[default]
    Fine,
    /// Something was found, or differs.
    Findings,
    /// Something could not be read or written.
    Unreadable,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Fine => 0,
            Outcome::Findings => 1,
            Outcome::Unreadable => 3,
        })
    }
}

/// Why a verb stopped before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The command line asks for something that cannot be.
    Usage(String),
    /// Standard output is gone.
    Output(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

pub(crate) type Result<T = Outcome> = std::result::Result<T, Stop>;

/// The exit code of a run, after the last words.
pub(crate) fn code(result: Result) -> ExitCode {
    match result {
        Ok(outcome) => outcome.into(),
        // Whoever read our output has seen enough.
        Err(Stop::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Stop::Output(error)) => {
            crate::report::error(&format!("standard output: {error}"));
            Outcome::Unreadable.into()
        }
        Err(Stop::Usage(message)) => {
            crate::report::error(&record::printable(&message));
            ExitCode::from(2)
        }
    }
}
