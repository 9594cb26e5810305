//! The command line of Meshwright: glue between people and the libraries.

mod args;
mod compare;
mod exit;
mod folders;
mod formats;
mod input;
mod losses;
mod meaning;
mod model;
mod output;
mod report;
mod summary;
mod textures;
mod verbs;
mod work;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    report::set_color(cli.common);
    exit::code(verbs::run(cli.verb, cli.common))
}
