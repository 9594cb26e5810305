//! The command line of Meshwright: glue between people and the libraries.

mod args;
mod exit;
mod export;
mod guesses;
mod input;
mod losses;
mod output;
mod projects;
mod report;
mod scenes;
mod search;
mod verbs;
mod work;

use std::process::ExitCode;

use clap::Parser;

/// A model is read and written in a few large buffers, and thousands of models one after the other: the system's allocator gives
/// the memory back in between and has it cleared again.
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
