//! `demo`: sample models, and a tour of the verbs.

pub(crate) mod starter;

use meshwright::{mdx, texture, w3d};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;

use crate::args::{Cli, Common, DemoArgs};
use crate::exit::{self, Failure, Outcome};
use crate::output;
use crate::report::{self, BOLD, DIM, GOOD, LABEL};

/// File name, description and builder of a sample.
type Sample = (&'static str, &'static str, fn() -> Vec<u8>);

const SAMPLES: [Sample; 6] = [
    ("mwtank.w3d", "a tank with a rotating turret and exhaust smoke", w3d::sample::tank),
    ("mwtower.mdx", "a watchtower with a banner, sparks and a trail", mdx::build::watchtower),
    ("mwcrate.w3d", "a wooden crate whose lid opens", w3d::sample::crate_box),
    ("every-chunk.w3d", "every chunk of the format", w3d::sample::every_chunk),
    ("warcraft.mdx", "every kind of object in Warcraft III", warcraft),
    ("damaged.w3d", "the crate, truncated in its skeleton", damaged),
];

fn warcraft() -> Vec<u8> {
    let sample = mdx::build::samples().into_iter().find(|(name, _)| *name == "warcraft-800");
    sample.map(|(_, bytes)| bytes).unwrap_or_default()
}

/// The crate truncated in its skeleton, like an incomplete download.
fn damaged() -> Vec<u8> {
    let mut bytes = w3d::sample::crate_box();
    bytes.truncate(bytes.len() / 7 * 6);
    bytes
}

pub(crate) fn demo(args: &DemoArgs, common: Common) -> exit::Result {
    let folder = args.folder.as_path();
    if !args.starter.is_empty() {
        return starter::write(&args.starter, folder);
    }
    heading("Meshwright reads and writes game models without losing a byte.", "First, some sample models:")?;
    let mut out = report::stdout();
    for (name, what, make) in SAMPLES {
        let bytes = make();
        let path = folder.join(name);
        if let Err(problem) = output::write(&path, &bytes) {
            report::problem(&problem);
            return Ok(Outcome::Unreadable);
        }
        let size = report::thousands(bytes.len());
        writeln!(out, "  {LABEL}{}{LABEL:#} {DIM}{size} bytes,{DIM:#} {what}", path.display())?;
    }
    out.flush()?;
    drop(out);
    for (name, image) in texture::sample::textures() {
        let bytes = texture::encode_tga(&image).unwrap_or_default();
        if let Err(problem) = output::write(&folder.join(name), &bytes) {
            report::problem(&problem);
            return Ok(Outcome::Unreadable);
        }
    }

    let file = |name: &str| folder.join(name);
    let size = || PathBuf::from("--size=384");
    let [tank, tower] = [file("mwtank.png"), file("mwtower.png")];
    let color = PathBuf::from("--team-color=blue");
    step("Render images:", common, &["render".into(), size(), color, file("mwtank.w3d"), tank.clone()])?;
    step("", common, &["render".into(), size(), file("mwtower.mdx"), tower.clone()])?;
    let mut out = report::stdout();
    writeln!(out, "{GOOD}Open {} and {}.{GOOD:#}", tank.display(), tower.display())?;
    out.flush()?;
    drop(out);
    let model = file("mwcrate.w3d");
    let json = file("mwcrate.json");
    let back = file("mwcrate-again.w3d");
    let damaged = file("damaged.w3d");
    step("Summarise a W3D model:", common, &["info".into(), model.clone()])?;
    step("Summarise an MDX model:", common, &["info".into(), file("warcraft.mdx")])?;
    step("Show its chunks:", common, &["tree".into(), model.clone()])?;
    let part = PathBuf::from("--path=MESH[1]/MESH_HEADER3");
    step("Show every field of one chunk:", common, &["tree".into(), "--fields".into(), part, model.clone()])?;
    step("Convert to editable text, and back:", common, &["convert".into(), model.clone(), json.clone()])?;
    step("", common, &["convert".into(), json, back.clone()])?;
    step("Nothing was lost:", common, &["diff".into(), model, back])?;
    let warcraft = file("warcraft.mdx");
    let mdl = file("warcraft.mdl");
    step(
        "The same with MDL, the text format of Warcraft III:",
        common,
        &["convert".into(), warcraft.clone(), mdl.clone()],
    )?;
    step("", common, &["diff".into(), warcraft, mdl])?;
    let glb = file("mwcrate.glb");
    step(
        "Convert for Blender, game engines and web pages:",
        common,
        &["convert".into(), file("mwcrate.w3d"), glb],
    )?;
    let damage = PathBuf::from("--path=HIERARCHY");
    step("Damage is reported, never silently repaired:", common, &["tree".into(), damage, damaged])?;
    let all = step(
        "All files are written back byte for byte, even the damaged one:",
        common,
        &["verify".into(), "--text".into(), folder.to_owned()],
    )?;

    let mut out = report::stdout();
    writeln!(out, "\n{GOOD}End of the tour.{GOOD:#} The files are in {LABEL}{}{LABEL:#}.", folder.display())?;
    writeln!(out, "Try `meshwright info` on your own models; `meshwright help` lists all verbs.")?;
    out.flush()?;
    Ok(all)
}

fn heading(title: &str, text: &str) -> exit::Result<()> {
    let mut out = report::stdout();
    writeln!(out, "{BOLD}{title}{BOLD:#}\n\n{text}")?;
    out.flush()?;
    Ok(())
}

/// Shows a command and runs it, exactly as if it had been typed.
fn step(title: &str, common: Common, words: &[PathBuf]) -> exit::Result {
    let mut out = report::stdout();
    if !title.is_empty() {
        writeln!(out, "\n{BOLD}{title}{BOLD:#}")?;
    }
    let shown: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    writeln!(out, "{DIM}$ meshwright {}{DIM:#}", shown.join(" "))?;
    out.flush()?;
    drop(out);
    let words = std::iter::once(Path::new("meshwright")).chain(words.iter().map(PathBuf::as_path));
    let cli = Cli::try_parse_from(words).map_err(|error| Failure::Usage(error.to_string()))?;
    super::run(cli.verb, common)
}

fn quoted(word: &Path) -> String {
    let text = word.display().to_string();
    if text.contains(['[', ' ', '*']) { format!("'{text}'") } else { text }
}
