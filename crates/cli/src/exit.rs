//! Exit codes.

use std::io;
use std::process::ExitCode;

/// The result of a verb, from best to worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Success.
    #[default]
    Fine,
    /// Findings or differences.
    Findings,
    /// A file could not be read or written.
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

/// Why a verb was aborted.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Invalid command line.
    Usage(String),
    /// Standard output failed.
    Output(io::Error),
    /// The user interrupted it, and it ended in order.
    Interrupted,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

pub(crate) type Result<T = Outcome> = std::result::Result<T, Failure>;

/// Prints the reason of a failure, and returns the exit code.
pub(crate) fn code(result: Result) -> ExitCode {
    match result {
        Ok(outcome) => outcome.into(),
        // The reader of our output, such as `head`, has ended.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Output(error)) => {
            crate::report::error(&format!("standard output: {error}"));
            Outcome::Unreadable.into()
        }
        Err(Failure::Interrupted) => ExitCode::from(crate::interrupt::CODE),
        Err(Failure::Usage(message)) => {
            crate::report::error(&meshwright::record::printable(&message));
            ExitCode::from(2)
        }
    }
}
