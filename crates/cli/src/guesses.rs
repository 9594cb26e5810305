//! Guesses the game of each folder once, from all input files in it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use meshwright::{Evidence, Format, mdx};

use crate::args::{Color, Common, Jobs};
use crate::input::Source;
use crate::work;

/// Evidence for the game of each folder.
pub(crate) struct Guesses(HashMap<PathBuf, Evidence>);

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
            let format = source.format(&bytes, forced).ok()?;
            match format.name {
                // The version is enough: the model is not read twice.
                "mdx" => {
                    mdx::Document::sniff(&bytes).map(|(dialect, version)| Evidence::of_mdx(dialect, version))
                }
                "mdl" => Some(Evidence::of_mdx(mdx::Dialect::Warcraft, mdx::mdl::version(&bytes))),
                _ => {
                    // An absolute path also contains the folders that the user did not type.
                    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
                    Some(Evidence::of_file(&format.read(&bytes).ok()?.document, &path))
                }
            }
        };
        let mut folders: HashMap<PathBuf, Evidence> = HashMap::new();
        let work = |(source, path): &(&Source, &Path)| work::JobOutput {
            out: Vec::new(),
            err: Vec::new(),
            result: look(source, path),
        };
        // Taking cannot fail.
        let _ = work::in_order(&sources, jobs, quiet, work, |(_, path), made| {
            let folder = folders.entry(folder_of(path).to_owned()).or_default();
            made.result.iter().for_each(|evidence| folder.add(evidence));
            Ok(())
        });
        Self(folders)
    }

    /// Evidence from the folder of a file.
    pub(crate) fn of(&self, source: &Source) -> Option<&Evidence> {
        self.0.get(folder_of(source.file()?))
    }
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
