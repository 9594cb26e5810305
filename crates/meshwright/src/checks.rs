//! Checking a model.

use check::{Applied, FixLevel, Level, Levels, Options, Report};
use model::{Document, Evidence, Format, Game, Parsed};
use record::Diagnostic;

use crate::{Model, Workspace};

/// Findings of the rules for a file that was read from these bytes. Those of MDL include the form of the text.
pub fn check_parsed(parsed: &Parsed<'_>, bytes: &[u8], options: &Options<'_>) -> Report {
    let text = (parsed.format.name == "mdl").then(|| check::report_mdl(bytes, options).ok()).flatten();
    text.map_or_else(|| check::report(&parsed.document, options), |(report, _)| report)
}

/// Repairing a damaged part may reveal findings inside it, which need another pass. Limits the passes for damaged files.
const MAX_READINGS: usize = 8;

/// Applies the repairs of all rules for a game, except disabled ones, to the bytes of a file. Returns the repaired file and what was done. In MDL,
/// blocks that are not repaired keep their text.
pub fn repair(
    format: &'static Format,
    bytes: &[u8],
    profile: Game,
    levels: &Levels,
    level: FixLevel,
) -> Result<(Vec<u8>, Vec<Applied>), record::Error> {
    let wanted = |rule: &&check::Rule| {
        rule.repair.is_some() && rule.profiles.has(profile) && levels.of(rule.code) != Some(Level::Allow)
    };
    let codes: Vec<&str> = check::catalogue().filter(wanted).map(|rule| rule.code).collect();
    let (mut bytes, mut applied) = (bytes.to_vec(), Vec::new());
    // No codes would mean all of them.
    if codes.is_empty() {
        return Ok((bytes, applied));
    }
    for _ in 0..MAX_READINGS {
        // Text with syntax errors cannot be repaired.
        let Ok(parsed) = format.read(&bytes) else { break };
        let mut document = parsed.document;
        // Unchanged blocks of the text are preserved.
        let before = if format.name == "mdl" { Some(document.clone()) } else { None };
        let done = check::fix(&mut document, &codes, level);
        if done.is_empty() {
            break;
        }
        applied.extend(done);
        let written = match (&before, &document) {
            (Some(Document::Mdx(before)), Document::Mdx(after)) => mdx::mdl::patch(&bytes, before, after)?,
            _ => format.write(&document)?,
        };
        bytes = written;
    }
    Ok((bytes, applied))
}

impl Model {
    /// Repairs what the rules for a game find, except those that `levels` allow. Returns what was done.
    ///
    /// ```
    /// use meshwright::check::{FixLevel, Levels};
    /// let mut model = meshwright::Model::parse(w3d::sample::crate_box())?;
    /// assert!(model.repair(model.game(), &Levels::default(), FixLevel::Safe)?.is_empty());
    /// assert_eq!(model.to_bytes()?, w3d::sample::crate_box());
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn repair(&mut self, profile: Game, levels: &Levels, level: FixLevel) -> crate::Result<Vec<Applied>> {
        let format = self.format();
        let before = self.write(format)?;
        let (repaired, applied) = repair(format, &before, profile, levels, level)?;
        if repaired != before {
            let model = Self::of_parsed(format.read(&repaired)?, &repaired);
            *self = match self.path() {
                Some(path) => model.at(path),
                None => model,
            };
        }
        Ok(applied)
    }

    /// Findings of the rules for the guessed game. If the model has a [path](Self::path), missing files that it refers to are
    /// findings too.
    ///
    /// ```
    /// let model = meshwright::Model::parse(w3d::sample::crate_box())?;
    /// assert!(model.check().is_empty());
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn check(&self) -> Vec<Diagnostic> {
        self.report(&Workspace::default(), &Options::default()).diagnostics
    }

    /// Findings of the rules for a game.
    pub fn check_for(&self, game: Game) -> Vec<Diagnostic> {
        let options = Options { profile: Some(game), ..Options::default() };
        self.report(&Workspace::default(), &options).diagnostics
    }

    /// Findings of the rules, and the game that the model was checked for. The workspace finds the files that it refers to. Findings in
    /// MDL text include its form. Unless the options say otherwise, the game is guessed from the model and its [path](Self::path).
    pub fn report(&self, workspace: &Workspace, options: &Options<'_>) -> Report {
        let name = self.path().and_then(|path| path.file_name()).map(|name| name.to_string_lossy());
        let evidence = self.evidence();
        let options = Options {
            evidence: options.evidence.or(evidence.as_ref()),
            file_name: options.file_name.or(name.as_deref()),
            lookup: options.lookup.or_else(|| self.path().map(|path| workspace.lookup(Some(path)))),
            ..*options
        };
        let text = self.text().and_then(|text| check::report_mdl(text, &options).ok());
        text.map_or_else(|| check::report(self.document(), &options), |(report, _)| report)
    }

    /// What the model and its path tell about its game.
    pub(crate) fn evidence(&self) -> Option<Evidence> {
        let path = std::path::absolute(self.path()?).ok()?;
        Some(Evidence::of_file(self.document(), &path))
    }
}
