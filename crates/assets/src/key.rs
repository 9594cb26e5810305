//! Names and paths as the games compare them.

use std::borrow::Borrow;
use std::fmt;

/// A path or name in a normalised spelling for comparison: lower case, `/` between folders.
///
/// Empty parts, `.` and `..` are removed, so that a key never leaves its root folder.
///
/// ```
/// use meshwright_assets::Key;
/// let key = Key::path("Textures\\\\..\\Wood.TGA ");
/// assert_eq!(key.as_str(), "textures/wood.tga");
/// assert_eq!(key, Key::path("textures/wood.tga"));
/// assert_eq!((key.file_name(), key.stem(), key.extension()), ("wood.tga", "wood", Some("tga")));
/// assert_eq!(Key::name("GUHero_SKL  "), Key::name("guhero_skl"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(Box<str>);

impl Key {
    /// The key of a path, with either kind of slash.
    pub fn path(path: &str) -> Self {
        let lower = lower(path.trim());
        let mut key = String::with_capacity(lower.len());
        for part in lower.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | "..")) {
            if !key.is_empty() {
                key.push('/');
            }
            key.push_str(part);
        }
        Self(key.into())
    }

    /// The key of an object, skeleton or animation. Some names of BFME II end with spaces (docs/formats/w3d/names.md#fixed-names).
    pub fn name(name: &str) -> Self {
        Self(lower(name.trim_end()).into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part after the last slash.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The file name without its extension.
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// The extension: the text after the last dot of the file name.
    pub fn extension(&self) -> Option<&str> {
        self.file_name().rsplit_once('.').map(|(_, extension)| extension)
    }

    /// The folders above the file, the outermost first.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        let end = self.0.rfind('/').unwrap_or(0);
        self.0[..end].split('/').filter(|part| !part.is_empty())
    }
}

fn lower(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.to_lowercase() }
}

impl Borrow<str> for Key {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
