//! The command line of Meshwright: arguments and output for the libraries.

mod advice;
mod args;
mod exit;
mod guesses;
mod input;
mod interrupt;
mod losses;
mod output;
mod report;
mod search;
mod verbs;
mod work;

use std::process::ExitCode;

use clap::Parser;

/// Each model needs a few large buffers. The allocator of the system returns them to the kernel after each model, and gets them
/// cleared again for the next.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    report::set_color(cli.common);
    report::set_verbose(cli.common);
    if let Err(problem) = input::mount(&cli.mounts, &cli.limits) {
        report::problem(&problem);
        return exit::Outcome::Unreadable.into();
    }
    let outcome = verbs::run(cli.verb, cli.common);
    // Members of archives are changed together, when all are known.
    let problems = output::write_archives();
    problems.iter().for_each(report::problem);
    exit::code(outcome.map(|outcome| if problems.is_empty() { outcome } else { exit::Outcome::Unreadable }))
}
