//! Checking a model.

use assets::{Folders, Resolver};
use check::{Options, Report};
use model::Game;
use record::Diagnostic;

use crate::Model;

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
        let resolver = Resolver::new(Folders::default());
        let lookup = self.path().map(|path| resolver.lookup(path));
        let options = Options { profile, file_name: name.as_deref(), lookup, ..Options::default() };
        check::report(self.document(), &options)
    }
}
