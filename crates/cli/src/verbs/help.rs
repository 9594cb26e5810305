//! `help`, `man` and `completions`: all generated from the declarations in `args`.

use std::io::{self, Write};
use std::path::Path;

use clap::{Command, CommandFactory};

use meshwright::{FORMATS, Keeps};

use crate::args::{Cli, CompletionsArgs, HelpArgs, ManArgs};
use crate::exit::{self, Failure, Outcome};
use crate::input::Problem;
use crate::output;
use crate::report::{self, Table};

pub(crate) fn help(args: &HelpArgs) -> exit::Result {
    if args.topic == ["formats"] {
        formats()?;
        return Ok(Outcome::Fine);
    }
    let mut command = Cli::command();
    command.build();
    find(&command, &args.topic)?.print_help()?;
    Ok(Outcome::Fine)
}

/// The command of these words: a verb, a change of `edit`, or without any the program itself.
fn find(command: &Command, words: &[String]) -> exit::Result<Command> {
    let mut found = command;
    for word in words {
        let Some(next) = found.find_subcommand(word) else {
            let known: Vec<&str> = found.get_subcommands().map(Command::get_name).collect();
            let place = if found.get_name() == "meshwright" { "formats, " } else { "" };
            let message = match known.is_empty() {
                true => format!("no help on `{}`", words.join(" ")),
                false => format!("no help on `{word}`; available: {place}{}", known.join(", ")),
            };
            return Err(Failure::Usage(message));
        };
        found = next;
    }
    Ok(found.clone())
}

fn formats() -> io::Result<()> {
    let mut table = Table::with_prose(&[
        ("name", false),
        ("extensions", false),
        ("preserves", false),
        ("description", false),
    ]);
    let mut out = report::stdout();
    for format in FORMATS {
        let extensions: Vec<_> = format.extensions.iter().map(|extension| format!(".{extension}")).collect();
        let keeps = match format.keeps {
            Keeps::Bytes => "every byte",
            Keeps::Values => "every value",
            Keeps::Looks => "its appearance",
        };
        let row = [format.name.to_owned(), extensions.join(" "), keeps.to_owned(), format.title.to_owned()];
        table.push(&mut out, row.to_vec())?;
    }
    table.finish(&mut out)?;
    writeln!(
        out,
        "\nAll of these are read and written; W3X is written only from W3X and its JSON. A file is recognised by its content, then by its extension; --as forces a format.\n\n\
        Geometry: `convert` writes .obj, .ply and .stl, of the rest pose or of a clip at a time.\n\
        Textures: `convert` reads and writes .blp, .dds, .tga and .png, and reads .jpg.\n\
        Pictures: `render` writes .png, .gif and .webp; animations, too.\n\
        Archives: .big, .mix, .mpq (also .w3x, .w3m, .w3n) and .zip are read as folders; `pack` writes .big, .mix and .mpq.\n\
        glTF: .glb and .gltf of other programs are read, too, and become models of the games (docs/authoring.md).\n\
        MDL: `convert --mdl-dialect game` is as the game reads it. war3-model and mdx-m3-viewer both read `hive`, with two exceptions: of models with \
        SkinWeights war3-model reads only the dialect `war3-model`, and of versions from 1100 on mdx-m3-viewer reads none with a shader."
    )?;
    out.flush()
}

pub(crate) fn man(args: &ManArgs) -> exit::Result {
    let mut command = Cli::command();
    command.build();
    if let Some(folder) = &args.out_dir {
        return Ok(write_pages(&command, folder));
    }
    let page = page(&find(&command, &args.topic)?)?;
    report::raw_stdout().write_all(&page)?;
    Ok(Outcome::Fine)
}

/// Writes the page of a command and those of all commands below it.
fn write_pages(command: &Command, folder: &Path) -> Outcome {
    let name = format!("{}.1", page_name(command));
    let path = folder.join(name);
    let written = page(command)
        .map_err(|error| Problem::system(&path, error.to_string(), None))
        .and_then(|page| output::write(&path, &page));
    let own = match written {
        Ok(()) => Outcome::Fine,
        Err(problem) => {
            report::problem(&problem);
            return Outcome::Unreadable;
        }
    };
    command.get_subcommands().map(|verb| write_pages(verb, folder)).fold(own, Outcome::max)
}

/// `meshwright-edit-rename` for `meshwright edit rename`.
fn page_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).title(page_name(command)).render(&mut page)?;
    Ok(page)
}

pub(crate) fn completions(args: &CompletionsArgs) -> exit::Result {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "meshwright", &mut script);
    report::raw_stdout().write_all(&script)?;
    Ok(Outcome::Fine)
}
