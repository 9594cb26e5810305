//! `edit --script`: the steps of a recipe, each of which is a change as on the command line.
//!
//! A step is parsed by the declaration of the changes, so every change can be a step. A change ends in a call of `run` with what it does to one
//! document. In a recipe that call prepares the next step instead, and the last one runs all of them on the files.

use std::ffi::OsString;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use clap::Parser;
use meshwright::edit::{self, Report};
use meshwright::record::Node;

use super::args::{Change, Files};
use super::script_args::ScriptArgs;
use super::{Apply, change, run_files};
use crate::args::Common;
use crate::exit::{self, Failure};

/// Options of every verb, and the recipe that a change is a step of.
#[derive(Clone, Copy)]
pub(crate) struct Context<'c> {
    pub(super) common: Common,
    pub(super) recipe: Option<Pending<'c>>,
}

impl Deref for Context<'_> {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.common
    }
}

impl Context<'_> {
    /// The path of a file that a change names: in a recipe from the folder of the recipe.
    pub(super) fn path(&self, path: &Path) -> PathBuf {
        match self.recipe {
            Some(pending) => pending.recipe.folder.join(path),
            None => path.to_owned(),
        }
    }
}

/// A recipe while its steps are prepared.
#[derive(Clone, Copy)]
pub(crate) struct Pending<'c> {
    recipe: &'c Recipe,
    files: &'c Files,
    /// The step that is prepared.
    step: usize,
    before: Option<&'c Stage<'c>>,
}

/// A prepared step, and those before it.
struct Stage<'c> {
    apply: &'c Apply<'c>,
    place: String,
    before: Option<&'c Stage<'c>>,
}

impl Stage<'_> {
    fn apply(&self, root: &mut Node<'_>) -> Result<Report, edit::Error> {
        let mut report = match self.before {
            Some(before) => before.apply(root)?,
            None => Report::default(),
        };
        let own = (self.apply)(root).map_err(|error| edit::Error {
            message: format!("{}: {}", self.place, error.message),
            note: error.note,
        })?;
        report.changed += own.changed;
        for note in own.notes.into_iter().map(|note| format!("{}: {note}", self.place)) {
            if !report.notes.contains(&note) {
                report.notes.push(note);
            }
        }
        Ok(report)
    }
}

/// The steps of a recipe.
struct Recipe {
    name: String,
    /// Where relative paths of steps start.
    folder: PathBuf,
    steps: Vec<Step>,
}

struct Step {
    line: usize,
    words: Vec<String>,
}

impl Recipe {
    /// The name of a step in messages.
    fn place(&self, step: usize) -> String {
        let line = self.steps.get(step).map_or(0, |step| step.line);
        format!("{}:{line}, step {}", self.name, step + 1)
    }

    fn fault(&self, step: usize, message: &str) -> Failure {
        Failure::Usage(format!("{}: {message}", self.place(step)))
    }
}

/// A recipe as it is written.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    steps: Vec<toml::Spanned<Words>>,
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Words {
    Line(String),
    List(Vec<String>),
}

/// The largest recipe that is read.
const MAX_BYTES: u64 = 1 << 20;

/// The most steps of a recipe.
const MAX_STEPS: usize = 1000;

fn read(path: &Path) -> Result<Recipe, Failure> {
    let name = path.display().to_string();
    let usage = |message: String| Failure::Usage(format!("{name}: {message}"));
    let size = std::fs::metadata(path).map_err(|error| usage(error.to_string()))?.len();
    if size > MAX_BYTES {
        return Err(usage("a recipe is a short text, but this file is large".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|error| usage(error.to_string()))?;
    let line_at = |offset: usize| 1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count();
    let written: Written = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_at(span.start));
        Failure::Usage(format!("{name}:{line}: {}", error.message().replace('\n', "; ")))
    })?;
    if written.steps.is_empty() || written.steps.len() > MAX_STEPS {
        return Err(usage(format!("a recipe has 1 to {MAX_STEPS} steps")));
    }
    let mut steps = Vec::with_capacity(written.steps.len());
    for (index, step) in written.steps.into_iter().enumerate() {
        let line = line_at(step.span().start);
        let words = match step.into_inner() {
            Words::Line(text) => words(&text),
            Words::List(words) => Ok(words),
        };
        let words = words
            .map_err(|message| Failure::Usage(format!("{name}:{line}, step {}: {message}", index + 1)))?;
        steps.push(Step { line, words });
    }
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    Ok(Recipe { name, folder, steps })
}

/// The words of a line: separated by spaces, together in single or double quotes. A backslash is a letter, as in paths, except before a double
/// quote inside of double quotes.
fn words(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some(next) if next == letter => break,
                        Some('\\') if letter == '"' && letters.peek() == Some(&'"') => {
                            word.extend(letters.next());
                        }
                        Some(next) => word.push(next),
                        None => return Err("a quote is not closed"),
                    }
                }
            }
            letter if letter.is_whitespace() => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    Ok(words)
}

/// A step, as its words are parsed.
#[derive(Debug, Parser)]
#[command(name = "step", no_binary_name = true, disable_help_subcommand = true, color = clap::ColorChoice::Never)]
struct Line {
    #[command(subcommand)]
    change: Change,
}

pub(super) fn script(args: &ScriptArgs, context: Context<'_>) -> exit::Result {
    if let Some(pending) = context.recipe {
        return Err(pending.recipe.fault(pending.step, "a recipe cannot run another one"));
    }
    let recipe = read(&args.recipe)?;
    let pending = Pending { recipe: &recipe, files: &args.files, step: 0, before: None };
    pending.prepare(context.common)
}

impl Pending<'_> {
    /// Prepares a step, which calls [`Self::next`] with what it does.
    fn prepare(self, common: Common) -> exit::Result {
        let Some(step) = self.recipe.steps.get(self.step) else { return Ok(exit::Outcome::Fine) };
        let files = self.files;
        let mut line: Vec<OsString> = step.words.iter().map(OsString::from).collect();
        line.push(if files.target.dry_run { "--dry-run" } else { "--in-place" }.into());
        line.extend(files.force.then(|| "--force".into()));
        if let Some(format) = files.inputs.forced {
            line.extend(["--as".into(), format.name.into()]);
        }
        line.push("--".into());
        line.extend(files.inputs.paths.iter().map(OsString::from));
        let parsed = Line::try_parse_from(line).map_err(|error| {
            let text = error.render().to_string();
            let message: Vec<&str> = text
                .lines()
                .map(str::trim)
                .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
                .filter(|line| !line.is_empty())
                .collect();
            let message = message.join("; ");
            self.recipe.fault(self.step, message.strip_prefix("error: ").unwrap_or(&message))
        })?;
        let context = Context { common, recipe: Some(self) };
        change(&parsed.change, context).map_err(|failure| match failure {
            Failure::Usage(message) if !message.starts_with(&self.recipe.name) => {
                self.recipe.fault(self.step, &message)
            }
            failure => failure,
        })
    }

    /// Goes on with the next step; after the last one runs all of them.
    pub(super) fn next(
        self,
        files: &Files,
        with: &[PathBuf],
        common: Common,
        apply: &Apply<'_>,
    ) -> exit::Result {
        if !with.is_empty() {
            return Err(self
                .recipe
                .fault(self.step, "--with is not for recipes: give these files as inputs"));
        }
        if files.inputs.paths != self.files.inputs.paths {
            let message = "the words do not fit: one is missing, or a file is named; the files are those of the command line";
            return Err(self.recipe.fault(self.step, message));
        }
        let stage = Stage { apply, place: self.recipe.place(self.step), before: self.before };
        if self.step + 1 < self.recipe.steps.len() {
            return Pending { step: self.step + 1, before: Some(&stage), ..self }.prepare(common);
        }
        run_files(self.files, &[], common, &|root| stage.apply(root), None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_command_line() {
        let all = words(r#"retexture --glob 'a *.tga' "b \"c\".tga" art\d.tga ''"#).unwrap();
        assert_eq!(all, ["retexture", "--glob", "a *.tga", r#"b "c".tga"#, r"art\d.tga", ""]);
        assert!(words("remove 'mesh").is_err());
        assert_eq!(words("  ").unwrap(), [""; 0]);
    }
}
