//! Guesses of the game of each folder, from all files of a run that are in it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use model::{Evidence, Format};

use crate::projects::{absolute, folder_of};

/// Evidence for the game of each folder.
#[derive(Clone, Debug, Default)]
pub struct Guesses(HashMap<PathBuf, Evidence>);

impl Guesses {
    /// What a file tells about its game; nothing if it cannot be read.
    pub fn look(bytes: &[u8], path: &Path, format: &'static Format) -> Option<Evidence> {
        match format.name {
            // The version is enough: the model is not read twice.
            "mdx" => mdx::Document::sniff(bytes).map(|(dialect, version)| Evidence::of_mdx(dialect, version)),
            "mdl" => Some(Evidence::of_mdx(mdx::Dialect::Warcraft, mdx::mdl::version(bytes))),
            // An absolute path also contains the folders that nobody typed.
            _ => Some(Evidence::of_file(&format.read(bytes).ok()?.document, &absolute(path))),
        }
    }

    /// Adds what a file tells to its folder.
    pub fn add(&mut self, path: &Path, evidence: Option<&Evidence>) {
        let folder = self.0.entry(folder_of(path).to_owned()).or_default();
        evidence.into_iter().for_each(|evidence| folder.add(evidence));
    }

    /// Evidence from the folder of a file.
    pub fn of(&self, path: &Path) -> Option<&Evidence> {
        self.0.get(folder_of(path))
    }
}
