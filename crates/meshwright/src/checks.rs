//! Checking a model.

use check::{Options, Report};
use model::{Game, Parsed};
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
        self.check_with(None).diagnostics
    }

    /// Findings of the rules for a game.
    pub fn check_for(&self, game: Game) -> Vec<Diagnostic> {
        self.check_with(Some(game)).diagnostics
    }

    fn check_with(&self, profile: Option<Game>) -> Report {
        let name = self.path().and_then(|path| path.file_name()).map(|name| name.to_string_lossy());
        let workspace = Workspace::default();
        let lookup = self.path().map(|path| workspace.lookup(Some(path)));
        let options = Options { profile, file_name: name.as_deref(), lookup, ..Options::default() };
        check::report(self.document(), &options)
    }
}
