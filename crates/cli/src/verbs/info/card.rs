//! What is known about one file.

use std::ops::Deref;

<<<<<<< HEAD
use meshwright::{Evidence, FileInfo, Format, InfoOptions, Workspace};
=======
use meshwright::assets::stock::StockKind;
use meshwright::check::Options;
use meshwright::{
    Diagnostic, Evidence, Format, Need, Parsed, Severity, Summary, Workspace, check_parsed, is_gltf,
};
use sha2::{Digest, Sha256};
>>>>>>> f9d3f90 (check, diff, info, convert: files the game supplies, more recall, a readable diff)

use crate::input::{Problem, Source};
use crate::verbs::check::settings::Settings;

/// What is known about one file, and its name.
pub(super) struct Card {
    pub(super) file: String,
<<<<<<< HEAD
    pub(super) info: FileInfo,
}

impl Deref for Card {
    type Target = FileInfo;

    fn deref(&self) -> &FileInfo {
        &self.info
    }
=======
    pub(super) format: &'static str,
    pub(super) size: usize,
    /// SHA-256 of the bytes, in hexadecimal, if it is wanted.
    pub(super) sha256: Option<String>,
    pub(super) summary: Summary,
    /// For each texture of the summary where it is.
    pub(super) textures: Vec<Place>,
    /// For each need of the summary where it is.
    pub(super) needs: Vec<Place>,
    /// Bounding box of the meshes in the rest pose: minimum and maximum in the axes of glTF.
    pub(super) bounds: Option<[[f32; 3]; 2]>,
    /// The findings of `check`.
    pub(super) found: Vec<Diagnostic>,
>>>>>>> f9d3f90 (check, diff, info, convert: files the game supplies, more recall, a readable diff)
}

/// Where a file that a model refers to is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Found(PathBuf),
    /// It was not found, but the game ships a file of this name.
    Supplied,
    Missing,
}

impl Place {
    fn new(found: Option<PathBuf>, is_supplied: impl FnOnce() -> bool) -> Self {
        match found {
            Some(path) => Self::Found(path),
            None if is_supplied() => Self::Supplied,
            None => Self::Missing,
        }
    }

    pub(super) const fn file(&self) -> Option<&PathBuf> {
        match self {
            Self::Found(path) => Some(path),
            Self::Supplied | Self::Missing => None,
        }
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
<<<<<<< HEAD
        let options = InfoOptions {
            read_as: forced,
            hash: self.hash,
=======
        if is_gltf(&bytes, source.file(), forced) {
            return self.gltf(source, &bytes);
        }
        let parsed = source.parse(&bytes, forced)?;
        let mut summary = Summary::of(&parsed.document);
        if let Some(evidence) = evidence {
            summary.game = evidence.guess_for(&parsed.document);
        }
        let family = parsed.document.family();
        let (workspace, path) = (&self.workspace, source.file());
        let lookup = workspace.lookup(path);
        let game = self.settings.profile(source).unwrap_or(summary.game.game);
        let texture = |name: &String| {
            let found = lookup.texture(name, family).map(|found| found.path);
            Place::new(found, || lookup.is_supplied(game, StockKind::Texture, name))
        };
        let need = |need: &Need| {
            let found = workspace.needed_file(path, family, need);
            Place::new(found, || lookup.is_supplied(game, StockKind::Model, &need.file))
        };
        Ok(Card {
            file: source.name(),
            format: parsed.format.name,
            size: bytes.len(),
            sha256: self.hash.then(|| sha256(&bytes)),
            bounds: workspace.bounds(&parsed.document),
            textures: summary.textures.iter().map(texture).collect(),
            needs: summary.needs.iter().map(need).collect(),
            found: self.findings(source, &bytes, &parsed, evidence),
            summary,
        })
    }

    /// Reads a glTF file. No rules are checked: it is not a file of a game.
    fn gltf(&self, source: &Source, bytes: &[u8]) -> Result<Card, Problem> {
        let import = self.workspace.read_gltf(bytes, source.file(), None);
        let import = import.map_err(|error| source.problem(bytes, error))?;
        let summary = super::gltf::summary(&import);
        let inside =
            |name: &String| Place::new(import.pictures.get(name).map(|_| source.path.clone()), || false);
        let bounds = import.scene.rest_bounds();
        Ok(Card {
            file: source.name(),
            format: if bytes.starts_with(b"glTF") { "glb" } else { "gltf" },
            size: bytes.len(),
            sha256: self.hash.then(|| sha256(bytes)),
            bounds: bounds.map(|bounds| [bounds.min.to_array(), bounds.max.to_array()]),
            textures: summary.textures.iter().map(inside).collect(),
            needs: Vec::new(),
            found: Vec::new(),
            summary,
        })
    }

    /// The findings that `check` reports, for the same game and with the same settings of the project.
    fn findings(
        &self,
        source: &Source,
        bytes: &[u8],
        parsed: &Parsed<'_>,
        evidence: Option<&Evidence>,
    ) -> Vec<Diagnostic> {
        let file_name = source.path.file_name().map(|name| name.to_string_lossy());
        let options = Options {
>>>>>>> f9d3f90 (check, diff, info, convert: files the game supplies, more recall, a readable diff)
            profile: self.settings.profile(source),
            evidence,
            levels: Some(self.settings.levels(source)),
            baseline: self.settings.baseline(source),
        };
<<<<<<< HEAD
        let info = self.workspace.examine(&bytes, source.file(), &options);
        Ok(Card { file: source.name(), info: info.map_err(|error| source.problem(&bytes, error))? })
=======
        let mut found = check_parsed(parsed, bytes, &options).diagnostics;
        if let Some(baseline) = self.settings.baseline(source) {
            let path = crate::projects::absolute(&source.path);
            found.retain(|finding| !baseline.knows(&path, finding));
        }
        found
    }
}

impl Card {
    /// Number of findings by severity, the worst first.
    pub(super) fn counts(&self) -> [(Severity, usize); 4] {
        [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint]
            .map(|severity| (severity, self.found.iter().filter(|found| found.severity == severity).count()))
    }

    /// Names of the textures that were not found.
    pub(super) fn missing(&self) -> impl Iterator<Item = &String> {
        let textures = self.summary.textures.iter().zip(&self.textures);
        textures.filter(|(_, place)| **place == Place::Missing).map(|(name, _)| name)
    }

    /// Names of the textures that the game supplies.
    pub(super) fn supplied(&self) -> impl Iterator<Item = &String> {
        let textures = self.summary.textures.iter().zip(&self.textures);
        textures.filter(|(_, place)| **place == Place::Supplied).map(|(name, _)| name)
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from FIPS 180-2, appendix B.
    #[test]
    fn hashes_are_those_of_the_standard() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
>>>>>>> f9d3f90 (check, diff, info, convert: files the game supplies, more recall, a readable diff)
    }
}
