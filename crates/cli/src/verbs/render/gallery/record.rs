//! The data of a model for its page.

use std::path::{Path, PathBuf};

use meshwright::{Format, Severity, Summary, check, check_parsed};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::Studio;
use crate::input::{Problem, Source, path_text};

/// Maximum number of findings on the page of a model.
const MAX_FINDINGS: usize = 200;

/// Data of a model, as stored in the manifest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Record {
    /// As it is shown.
    pub(super) path: String,
    /// The names of its files.
    pub(super) slug: String,
    /// Of all that its page and picture depend on; empty if they should be made again.
    pub(super) fingerprint: String,
    /// Why it has no picture.
    pub(super) error: Option<String>,
    pub(super) has_picture: bool,
    /// Pictures side by side.
    pub(super) frames: u32,
    /// What they show: `turn` or `play`.
    pub(super) motion: String,
    pub(super) format: String,
    pub(super) version: Option<String>,
    pub(super) game: String,
    pub(super) reason: String,
    pub(super) bytes: usize,
    pub(super) materials: usize,
    pub(super) bones: usize,
    pub(super) triangles: usize,
    pub(super) vertices: usize,
    pub(super) meshes: Vec<(String, usize)>,
    /// Names and seconds.
    pub(super) clips: Vec<(String, f64)>,
    /// Names, and whether they were found.
    pub(super) textures: Vec<(String, bool)>,
    /// Other files: what for, the name, and whether it was found.
    pub(super) needs: Vec<(String, String, bool)>,
    pub(super) objects: Vec<(String, usize)>,
    pub(super) findings: Vec<Finding>,
    /// All of them, also those that are not listed: errors, warnings, others.
    pub(super) counts: [usize; 3],
}

/// A finding of `check`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Finding {
    pub(super) severity: String,
    pub(super) code: String,
    pub(super) place: String,
    pub(super) message: String,
    pub(super) note: Option<String>,
}

impl Record {
    /// What a model is, without its picture.
    pub(super) fn of(
        source: &Source,
        forced: Option<&'static Format>,
        studio: &Studio<'_>,
        settings: &str,
    ) -> Result<Self, Problem> {
        let bytes = source.bytes()?;
        let parsed = source.parse(&bytes, forced)?;
        let summary = Summary::of(&parsed.document);
        let family = parsed.document.family();
        let (workspace, path) = (studio.workspace(), source.file());
        let lookup = workspace.lookup(path);
        let mut hash = Hash::default();
        hash.add(settings.as_bytes());
        hash.add(&bytes);
        let mut found = |file: Option<PathBuf>| {
            hash.add_file(file.as_deref());
            file.is_some()
        };
        let textures: Vec<(String, bool)> = summary
            .textures
            .iter()
            .map(|name| (name.clone(), found(lookup.texture(name, family).map(|found| found.path))))
            .collect();
        let needs = summary
            .needs
            .iter()
            .map(|each| {
                (
                    each.what.word().to_owned(),
                    each.name.clone(),
                    found(workspace.needed_file(path, family, each)),
                )
            })
            .collect();
        let file_name = source.path.file_name().map(|name| name.to_string_lossy());
        let options = check::Options {
            file_name: file_name.as_deref(),
            lookup: path.map(|path| workspace.lookup(Some(path))),
            ..check::Options::default()
        };
        let diagnostics = check_parsed(&parsed, &bytes, &options).diagnostics;
        let count = |severity| diagnostics.iter().filter(|found| found.severity == severity).count();
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        let listed = diagnostics.iter().take(MAX_FINDINGS).map(|found| Finding {
            severity: found.severity.word().to_owned(),
            code: found.code.to_string(),
            place: found.path.to_string(),
            message: found.message.clone(),
            note: found.note.clone(),
        });
        let path = shown(source);
        Ok(Self {
            slug: slug(source),
            fingerprint: hash.text(),
            format: parsed.format.name.to_owned(),
            version: summary.version.clone(),
            game: summary.game.game.title().to_owned(),
            reason: summary.game.reason.clone(),
            bytes: bytes.len(),
            materials: summary.materials,
            bones: summary.bones(),
            triangles: summary.triangles(),
            vertices: summary.vertices(),
            meshes: summary.meshes.iter().map(|mesh| (mesh.name.clone(), mesh.triangles)).collect(),
            clips: summary.clips.iter().map(|clip| (clip.name.clone(), clip.seconds)).collect(),
            objects: summary.objects.iter().map(|(what, count)| ((*what).to_owned(), *count)).collect(),
            findings: listed.collect(),
            counts: [errors, warnings, diagnostics.len() - errors - warnings],
            textures,
            needs,
            path,
            ..Self::default()
        })
    }

    /// A file that is not a model.
    pub(super) fn unreadable(source: &Source, problem: &Problem) -> Self {
        let path = shown(source);
        Self { slug: slug(source), path, error: Some(problem.to_string()), ..Self::default() }
    }

    /// From the manifest, if its files are where this program puts them.
    pub(super) fn from_json(value: Value) -> Option<Self> {
        let record: Self = serde_json::from_value(value).ok()?;
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        (!record.slug.is_empty() && record.slug.chars().all(is_plain)).then_some(record)
    }

    /// Its page, below the folder of the site.
    pub(super) fn page(&self) -> PathBuf {
        Path::new("models").join(format!("{}.html", self.slug))
    }

    /// Its picture, below the folder of the site.
    pub(super) fn picture(&self) -> PathBuf {
        Path::new("pictures").join(format!("{}.webp", self.slug))
    }

    /// Its files, below the folder of the site.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> + use<> {
        let picture = self.has_picture.then(|| self.picture());
        std::iter::once(self.page()).chain(picture)
    }

    /// The name of its picture in a page.
    pub(super) fn picture_url(&self) -> Option<String> {
        self.has_picture.then(|| format!("pictures/{}.webp", self.slug))
    }

    pub(super) fn missing(&self) -> usize {
        self.textures.iter().filter(|(_, found)| !found).count()
    }

    /// Its entry in the list of all models.
    pub(super) fn listed(&self) -> Value {
        let names: Vec<&str> = (self.clips.iter().map(|(name, _)| name))
            .chain(self.textures.iter().map(|(name, _)| name))
            .map(String::as_str)
            .collect();
        json!({
            "path": self.path,
            "page": format!("models/{}.html", self.slug),
            "picture": self.picture_url(),
            "frames": self.frames,
            "motion": self.motion,
            "format": self.format,
            "game": self.game,
            "triangles": self.triangles,
            "clips": self.clips.len(),
            "bytes": self.bytes,
            "missing": self.missing(),
            "errors": self.counts[0] + usize::from(self.error.is_some()),
            "warnings": self.counts[1],
            "findings": self.counts.iter().sum::<usize>(),
            "error": self.error,
            "words": names.join(" ").to_lowercase(),
        })
    }
}

/// The path of a model below the folder that was given.
fn below(source: &Source) -> &Path {
    let below = source.folder.as_deref().and_then(|folder| source.path.strip_prefix(folder).ok());
    below.unwrap_or(&source.path)
}

/// A path as it is shown: below the folder that was given, with slashes. Bytes that are not UTF-8 are escaped.
fn shown(source: &Source) -> String {
    match below(source).to_str() {
        Some(path) => path.replace('\\', "/"),
        None => path_text(below(source)),
    }
}

/// A file name for a path: letters that every system and browser takes, and a number that makes it the only one.
fn slug(source: &Source) -> String {
    let path = shown(source);
    let mut hash = Hash::default();
    hash.add(path.as_bytes());
    let stem = path.rsplit_once('.').map_or(&*path, |(stem, _)| stem);
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    let mut slug: String = stem.chars().map(plain).collect();
    // The end of a path says more than its beginning.
    slug = slug.split_off(slug.len().saturating_sub(48));
    format!("{}-{}", slug.trim_matches('-'), &hash.text()[..8])
}

/// FNV-1a: detects changes, and is not cryptographic.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        // The length, so that the end of one part is not the beginning of the next.
        for byte in bytes.len().to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    /// Where a file is, how large, and when it changed.
    fn add_file(&mut self, file: Option<&Path>) {
        let Some(file) = file else { return self.add(b"missing") };
        self.add(file.as_os_str().as_encoded_bytes());
        let Ok(facts) = std::fs::metadata(file) else { return };
        self.add(&facts.len().to_le_bytes());
        let time = facts.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        self.add(&time.unwrap_or_default().as_nanos().to_le_bytes());
    }

    fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_plain_and_differ() {
        let top: std::sync::Arc<Path> = Path::new("").into();
        let slug = |path: &str| slug(&Source { path: path.into(), folder: Some(top.clone()) });
        let (a, b) = (slug("Units/Human/Footman.mdx"), slug("Units/Human/footman.mdl"));
        assert!(a.starts_with("units-human-footman-") && b.starts_with("units-human-footman-"));
        assert_ne!(a, b);
        let strange = slug("../ü/<script>.w3d");
        assert!(strange.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-'), "{strange}");
        assert!(slug(&"long/".repeat(100)).len() < 64);
    }

    #[test]
    fn a_manifest_cannot_name_files_elsewhere() {
        let record = |slug: &str| json!({ "path": "a", "slug": slug });
        assert!(Record::from_json(record("a-1")).is_some());
        for slug in ["", "../../home", "a/b", "a.b"] {
            assert_eq!(Record::from_json(record(slug)), None);
        }
    }

    #[test]
    fn the_parts_of_a_hash_count_for_themselves() {
        let hash = |parts: &[&str]| {
            let mut hash = Hash::default();
            parts.iter().for_each(|part| hash.add(part.as_bytes()));
            hash.text()
        };
        assert_ne!(hash(&["ab", "c"]), hash(&["a", "bc"]));
        assert_eq!(hash(&["ab", "c"]), hash(&["ab", "c"]));
    }
}
