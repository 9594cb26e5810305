//! The project's chores, so that a person and the CI run exactly the same things: `cargo xtask help`.

mod bench;
mod corpus;
mod docs;
mod fuzz;
mod judges;
mod python;
mod report;
mod scaling;
mod shell;
mod test;

use std::path::Path;
use std::process::ExitCode;

use report::Report;

/// One line of the help: the command, its arguments, and what it does.
struct Chore {
    name: &'static str,
    arguments: &'static str,
    about: &'static str,
}

const fn chore(name: &'static str, arguments: &'static str, about: &'static str) -> Chore {
    Chore { name, arguments, about }
}

const CHORES: &[Chore] = &[
    chore("test", "", "format, lints, docs, all tests and the judges; needs no file from outside"),
    chore("judges", "", "the judges alone: other readers and decoders over what we write"),
    chore("ci", "", "all that CI does: test, then corpus on ../shared/corpus if it is there"),
    chore("corpus", "DIR", "verify the real models in DIR/w3d, DIR/mdx and DIR/mdl, and judge them as glTF"),
    chore("bless", "", "rewrite the golden files from what the code does now, for review"),
    chore("fuzz", "[SECONDS]", "run every fuzz target for SECONDS (60) on nightly"),
    chore("bench", "", "measure speed against a plain copy of the same bytes, and two workers against one"),
    chore("docs", "", "rewrite the generated parts of the documentation"),
    chore("help", "", "this list"),
];

/// The help, also shown in CONTRIBUTING.md.
fn help() -> String {
    let mut text = String::from("cargo xtask COMMAND\n\n");
    for Chore { name, arguments, about } in CHORES {
        let call = format!("{name} {arguments}");
        text.push_str(&format!("  {call:<15} {about}\n"));
    }
    text.push_str(
        "\nWith CI=true in the environment a missing judge is a failure; otherwise it is skipped.\n",
    );
    text
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let report = match words[..] {
        ["test"] => test::test(Report::new("test")),
        ["judges"] => test::judges(Report::new("judges")),
        ["ci"] => test::ci(Report::new("ci")),
        ["corpus", dir] => corpus::corpus(Report::new("corpus"), Path::new(dir)),
        ["bless"] => test::bless(Report::new("bless")),
        ["fuzz"] => fuzz::fuzz(Report::new("fuzz"), 60),
        ["fuzz", seconds] => match seconds.parse() {
            Ok(seconds) => fuzz::fuzz(Report::new("fuzz"), seconds),
            Err(_) => return usage(&format!("`{seconds}` is not a number of seconds")),
        },
        ["bench"] => bench::bench(Report::new("bench")),
        ["docs"] => docs::docs(Report::new("docs")),
        ["help" | "--help" | "-h"] => {
            print!("{}", help());
            return ExitCode::SUCCESS;
        }
        [] => return usage("a command is needed"),
        _ => return usage(&format!("`{}` is not a command", words.join(" "))),
    };
    report.finish()
}

/// Exit code 2, as the command line of the product has it.
fn usage(problem: &str) -> ExitCode {
    eprint!("error: {problem}\n\n{}", help());
    ExitCode::from(2)
}
