//! `help`, `man` and `completions`: all made from the declarations in `args`.

use std::io::{self, Write};

use clap::CommandFactory;

use model::{FORMATS, Keeps};

use crate::args::{Cli, CompletionsArgs, HelpArgs};
use crate::exit::{self, Outcome, Stop};
use crate::report::{self, Table};

pub(crate) fn help(args: &HelpArgs) -> exit::Result {
    let mut command = Cli::command();
    command.build();
    match args.topic.as_deref() {
        None => command.print_help()?,
        Some("formats") => formats()?,
        Some(topic) => match command.find_subcommand_mut(topic) {
            Some(verb) => verb.print_help()?,
            None => {
                let verbs: Vec<_> =
                    command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
                return Err(Stop::Usage(format!(
                    "there is no help on `{topic}`; there is on: formats, {}",
                    verbs.join(", ")
                )));
            }
        },
    }
    Ok(Outcome::Fine)
}

fn formats() -> io::Result<()> {
    let mut table =
        Table::with_prose(&[("name", false), ("extensions", false), ("keeps", false), ("what", false)]);
    let mut out = report::stdout();
    for format in FORMATS {
        let extensions: Vec<_> = format.extensions.iter().map(|extension| format!(".{extension}")).collect();
        let keeps = match format.keeps {
            Keeps::Bytes => "every byte",
            Keeps::Values => "every value",
            Keeps::Looks => "what it looks like",
        };
        let row = [format.name.to_owned(), extensions.join(" "), keeps.to_owned(), format.title.to_owned()];
        table.push(&mut out, row.to_vec())?;
    }
    table.finish(&mut out)?;
    writeln!(
        out,
        "\nAll are read and written, but glTF, which is only written. A file is recognised by its content, then by its extension; --as forces it.\n\nTextures: `convert` reads and writes .blp, .dds, .tga and .png, and reads .jpg."
    )?;
    out.flush()
}

pub(crate) fn man() -> exit::Result {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for verb in command.get_subcommands() {
        clap_mangen::Man::new(verb.clone())
            .title(format!("meshwright {}", verb.get_name()))
            .render(&mut page)?;
    }
    report::raw_stdout().write_all(&page)?;
    Ok(Outcome::Fine)
}

pub(crate) fn completions(args: &CompletionsArgs) -> exit::Result {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "meshwright", &mut script);
    report::raw_stdout().write_all(&script)?;
    Ok(Outcome::Fine)
}
