//! Checking a model.

use check::{Options, Report};
use model::{Evidence, Game, Parsed};
use record::Diagnostic;

use crate::{Model, Workspace};

/// Findings of the rules for a file that was read from these bytes. Those of MDL include the form of the text.
pub fn check_parsed(parsed: &Parsed<'_>, bytes: &[u8], options: &Options<'_>) -> Report {
    let text = (parsed.format.name == "mdl").then(|| check::report_mdl(bytes, options).ok()).flatten();
    text.map_or_else(|| check::report(&parsed.document, options), |(report, _)| report)
}

impl Model {
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
