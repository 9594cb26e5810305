//! Tasks of the project, so that people and CI run exactly the same commands: `cargo xtask help`.

mod archives;
mod bench;
mod blender;
mod bombs;
mod ci;
#[cfg(test)]
mod citations;
mod corpus;
mod docs;
mod fuzz;
mod gpu;
mod help;
mod judges;
mod lookup;
#[cfg(test)]
mod modules;
mod packages;
mod pictures;
mod programs;
mod python;
mod release;
mod report;
mod scaling;
mod shell;
mod site;
mod test;
#[cfg(test)]
mod tracked;
mod web;
mod wheel;
mod window;
#[cfg(test)]
mod wording;
#[cfg(test)]
mod workflows;

use std::path::Path;
use std::process::ExitCode;

use help::help;
use report::Report;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let report = match words[..] {
        ["test"] => test::test(Report::new("test")),
        ["judges"] => ci::judges(Report::new("judges")),
        ["ci", ref steps @ ..] => ci::ci(Report::new("ci"), steps),
        ["corpus", dir] => corpus::corpus(Report::new("corpus"), Path::new(dir)),
        ["bless"] => test::bless(Report::new("bless")),
        ["fuzz"] => fuzz::fuzz(Report::new("fuzz"), 60),
        ["fuzz", seconds] => match seconds.parse() {
            Ok(seconds) => fuzz::fuzz(Report::new("fuzz"), seconds),
            Err(_) => return usage(&format!("expected a number of seconds, not `{seconds}`")),
        },
        ["bombs"] => bombs::bombs(Report::new("bombs"), None, None),
        ["bombs", program] => bombs::bombs(Report::new("bombs"), Some(Path::new(program)), None),
        ["bombs", program, only] => bombs::bombs(Report::new("bombs"), Some(Path::new(program)), Some(only)),
        ["bench"] => bench::bench(Report::new("bench"), ""),
        ["bench", only] => bench::bench(Report::new("bench"), only),
        ["blender"] => blender::blender(Report::new("blender")),
        ["python"] => wheel::wheel(Report::new("python"), "wheel"),
        ["python", profile] => wheel::wheel(Report::new("python"), profile),
        ["site"] => site::command(Report::new("site")),
        ["release"] => release::release(Report::new("release"), None, None),
        ["release", target] => release::release(Report::new("release"), Some(target), None),
        ["release", target, profile] => release::release(Report::new("release"), Some(target), Some(profile)),
        ["manifests", dir] => release::manifests::manifests(Report::new("manifests"), Path::new(dir)),
        ["viewer"] => ci::viewer(Report::new("viewer")),
        ["web"] => web::command(Report::new("web")),
        ["docs"] => docs::docs(Report::new("docs")),
        ["help" | "--help" | "-h"] => {
            print!("{}", help());
            return ExitCode::SUCCESS;
        }
        [] => return usage("expected a command"),
        _ => return usage(&format!("unknown command `{}`", words.join(" "))),
    };
    report.finish()
}

/// Exit code 2, as the command line of the product has it.
fn usage(problem: &str) -> ExitCode {
    eprint!("error: {problem}\n\n{}", help());
    ExitCode::from(2)
}
