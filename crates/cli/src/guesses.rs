//! Guesses the game of each folder once, from all input files in it.

use std::path::Path;

use meshwright::{Evidence, Format};

use crate::args::{Color, Common, Jobs};
use crate::input::Source;
use crate::work;

/// Evidence for the game of each folder.
pub(crate) struct Guesses(meshwright::Guesses);

impl Guesses {
    /// Reads the files for which `is_wanted` holds. Standard input has no folder.
    pub(crate) fn gather(
        sources: &[Source],
        forced: Option<&'static Format>,
        jobs: Jobs,
        is_wanted: impl Fn(&Source) -> bool,
    ) -> Self {
        let sources: Vec<(&Source, &Path)> = sources
            .iter()
            .filter(|source| is_wanted(source))
            .filter_map(|source| Some((source, source.file()?)))
            .collect();
        let quiet = Common { quiet: true, verbose: false, color: Color::Auto };
        // Files that cannot be read are reported by the verb.
        let look = |source: &Source, path: &Path| {
            let bytes = source.bytes().ok()?;
            meshwright::Guesses::look(&bytes, path, source.format(&bytes, forced).ok()?)
        };
        let mut guesses = meshwright::Guesses::default();
        let work = |(source, path): &(&Source, &Path)| work::JobOutput {
            out: Vec::new(),
            err: Vec::new(),
            result: look(source, path),
        };
        // Taking cannot fail.
        let _ = work::in_order(&sources, jobs, quiet, work, |(_, path), made| {
            guesses.add(path, made.result.as_ref());
            Ok(())
        });
        Self(guesses)
    }

    /// Evidence from the folder of a file.
    pub(crate) fn of(&self, source: &Source) -> Option<&Evidence> {
        self.0.of(source.file()?)
    }
}
