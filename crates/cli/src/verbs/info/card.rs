//! What is known about one file.

use std::ops::Deref;

use meshwright::{Evidence, FileInfo, Format, InfoOptions, Workspace};

use crate::input::{Problem, Source};
use crate::verbs::check::settings::Settings;

/// What is known about one file, and its name.
pub(super) struct Card {
    pub(super) file: String,
    pub(super) info: FileInfo,
}

impl Deref for Card {
    type Target = FileInfo;

    fn deref(&self) -> &FileInfo {
        &self.info
    }
}

/// How files are examined.
pub(super) struct Examiner<'a> {
    pub(super) workspace: Workspace,
    pub(super) settings: &'a Settings,
    /// Whether to compute the hash of each file.
    pub(super) hash: bool,
}

impl Examiner<'_> {
    /// Reads a file and the files that it refers to.
    pub(super) fn examine(
        &self,
        source: &Source,
        forced: Option<&'static Format>,
        evidence: Option<&Evidence>,
    ) -> Result<Card, Problem> {
        let bytes = source.bytes()?;
        let options = InfoOptions {
            read_as: forced,
            hash: self.hash,
            profile: self.settings.profile(source),
            evidence,
            levels: Some(self.settings.levels(source)),
            baseline: self.settings.baseline(source),
        };
        let info = self.workspace.examine(&bytes, source.file(), &options);
        Ok(Card { file: source.name(), info: info.map_err(|error| source.problem(&bytes, error))? })
    }
}
