//! Checking a model.

use assets::{Folders, Resolver};
use check::{Options, Report};
use model::Game;
use record::Diagnostic;

use crate::Model;

impl Model {
    /// Everything that is wrong with the model for the game it seems to be for. If the model has a [path](Self::path), files
    /// that it refers to and that cannot be found near it are findings, too.
    ///
    /// ```
    /// let model = meshwright::Model::parse(w3d::sample::crate_box())?;
    /// assert!(model.check().is_empty());
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn check(&self) -> Vec<Diagnostic> {
        self.check_with(None).diagnostics
    }

    /// Everything that is wrong with the model for a game.
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
