//! Known findings of a project, which are not reported again.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use record::Diagnostic;

/// The default name of the file.
const FILE: &str = "meshwright-baseline.tsv";

const HEADER: &str = "\
# Known findings, which `meshwright check` does not report.
# Written by `meshwright check --write-baseline`. Delete a line to see its finding again.
# code, file (* is any file), part, message
";

/// Rules about files that are not found. A missing texture of the game is reported for every model that uses it, so these
/// findings are identified by name only.
const BY_NAME: [&str; 5] =
    ["W3D-FILES-001", "W3D-FILES-002", "W3D-FILES-003", "MDX-FILES-001", "MDX-FILES-002"];

/// A list of known findings.
///
/// ```
/// use meshwright_check::Baseline;
/// # let mut document = meshwright_check::Document::parse(&w3d::sample::crate_box())?.into_owned();
/// # document.root_mut().find_mut("MESH/TRIANGLES").unwrap().values_mut::<w3d::records::Triangle>()[4].vindex[0].set(999);
/// let findings = meshwright_check::check(&document, &Default::default());
/// let mut recorded = Baseline::new("project".as_ref());
/// recorded.add("project/art/crate.w3d".as_ref(), &findings[0]);
///
/// let baseline = Baseline::parse("project".as_ref(), &recorded.to_text());
/// assert!(baseline.knows("project/art/crate.w3d".as_ref(), &findings[0]));
/// assert!(!baseline.knows("project/art/other.w3d".as_ref(), &findings[0]));
/// # Ok::<(), record::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The folder that paths in the list are relative to.
    folder: PathBuf,
    /// The lines, without the header.
    known: BTreeSet<String>,
}

impl Baseline {
    /// An empty list. Paths in it are relative to a folder, usually the one that the list is in.
    pub fn new(folder: &Path) -> Self {
        Self { folder: normal(folder), known: BTreeSet::new() }
    }

    /// Reads a list.
    pub fn parse(folder: &Path, text: &str) -> Self {
        let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self { known: lines.map(str::to_owned).collect(), ..Self::new(folder) }
    }

    /// Reads the list in a file, which must be a regular file: a pipe or a device may be endless.
    pub fn load(path: &Path) -> std::io::Result<Self> {
        /// Maximum size of a list.
        const LARGEST: u64 = 64 << 20;
        let found = std::fs::metadata(path)?;
        if !found.is_file() {
            return Err(std::io::Error::other("not a regular file"));
        }
        if found.len() > LARGEST {
            return Err(std::io::Error::other(format!("larger than {LARGEST} bytes")));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(Self::parse(folder, &std::fs::read_to_string(path)?))
    }

    /// Whether a file that starts with these bytes is a list that was written before. Any other file must not be replaced by a list.
    pub fn is_list(start: &[u8]) -> bool {
        let first = HEADER.lines().next().unwrap_or_default().as_bytes();
        start.starts_with(first)
    }

    /// The number of bytes that [`is_list`](Self::is_list) needs.
    pub const START: usize = 64;

    /// The nearest `meshwright-baseline.tsv` in a folder or above it.
    pub fn find(start: &Path) -> Option<PathBuf> {
        start.ancestors().map(|folder| folder.join(FILE)).find(|path| path.is_file())
    }

    /// The default path of the list of a project.
    pub fn path_in(folder: &Path) -> PathBuf {
        folder.join(FILE)
    }

    /// Adds a finding about a file.
    pub fn add(&mut self, file: &Path, finding: &Diagnostic) {
        let line = self.line(file, finding);
        self.known.insert(line);
    }

    /// Whether a finding about a file is in the list.
    pub fn knows(&self, file: &Path, finding: &Diagnostic) -> bool {
        !self.known.is_empty() && self.known.contains(&self.line(file, finding))
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether the list has no entries.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The list as a file: a line for each entry, sorted.
    pub fn to_text(&self) -> String {
        let lines = self.known.iter().map(|line| format!("{line}\n"));
        HEADER.to_owned() + &lines.collect::<String>()
    }

    fn line(&self, file: &Path, finding: &Diagnostic) -> String {
        let by_name = BY_NAME.contains(&&*finding.code);
        let file = if by_name { "*".to_owned() } else { relative(&self.folder, file) };
        let part = if by_name { "" } else { &finding.path };
        let field = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        format!("{}\t{}\t{}\t{}", finding.code, field(&file), field(part), field(&finding.message))
    }
}

/// A path without `.` and `..`, resolved by its text alone.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(normal.components().next_back(), Some(Component::Normal(_))) => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

/// A path relative to a folder, with `/` between its parts. Unchanged if it is elsewhere.
fn relative(folder: &Path, file: &Path) -> String {
    let file = &normal(file);
    let file = file.strip_prefix(folder).unwrap_or(file);
    let parts = file.components().filter_map(|part| match part {
        Component::CurDir | Component::RootDir => None,
        part => Some(part.as_os_str().to_string_lossy()),
    });
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(code: &'static str, message: &str) -> Diagnostic {
        Diagnostic { path: "MESH[0]".to_owned(), ..record::Error::new(code, 0..9, message).into() }
    }

    #[test]
    fn a_missing_texture_is_known_for_every_model() {
        let mut list = Baseline::new("mod".as_ref());
        list.add("mod/a.w3d".as_ref(), &finding("W3D-FILES-002", "x"));
        list.add("mod/a.w3d".as_ref(), &finding("W3D-MESH-005", "y"));
        let list = Baseline::parse("mod".as_ref(), &list.to_text());
        assert_eq!(list.len(), 2);
        assert!(list.knows("mod/b/c.w3d".as_ref(), &finding("W3D-FILES-002", "x")));
        assert!(!list.knows("mod/a.w3d".as_ref(), &finding("W3D-FILES-002", "z")));
        assert!(!list.knows("mod/b.w3d".as_ref(), &finding("W3D-MESH-005", "y")));
        assert!(list.knows("mod/./x/../a.w3d".as_ref(), &finding("W3D-MESH-005", "y")));
        let elsewhere = Baseline::parse("mod/x/..".as_ref(), &list.to_text());
        assert!(elsewhere.knows("mod/a.w3d".as_ref(), &finding("W3D-MESH-005", "y")));
    }

    #[test]
    fn a_list_is_known_by_its_start() {
        let text = Baseline::new("".as_ref()).to_text();
        assert!(Baseline::is_list(&text.as_bytes()[..Baseline::START]));
        assert!(!Baseline::is_list(b"# .bashrc") && !Baseline::is_list(b""));
    }

    #[test]
    fn comments_and_odd_messages_are_no_problem() {
        let mut list = Baseline::new("".as_ref());
        list.add("a\tb.w3d".as_ref(), &finding("W3D-NAME-003", "a\nb\tc"));
        let again = Baseline::parse("".as_ref(), &format!("{}\r\n# more\r\n", list.to_text()));
        assert_eq!(again, list);
    }
}
