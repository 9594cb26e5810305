//! The files around the one that is checked.

use std::collections::{HashMap, HashSet};

use record::zerocopy::IntoBytes;
use w3d::records::Pivot;

use crate::Document;

/// Finds by name what a file refers to, as the engines do: without regard to case.
pub trait Surroundings: Sync {
    /// The pivots of a skeleton; `None` if there is none, or if there are several and nobody can say which is meant.
    fn skeleton(&self, name: &str) -> Option<&[Pivot]>;

    /// Whether there is a skeleton of this name, one or several.
    fn has_skeleton(&self, name: &str) -> bool;

    /// Whether there is an animation, `Hierarchy.Name`.
    fn has_animation(&self, name: &str) -> bool;

    /// Whether there is an object of this name to draw: a mesh `Container.Mesh`, a model, an aggregate, an emitter.
    fn has_object(&self, name: &str) -> bool;

    /// Whether there is a file at this path, relative to where the game looks for files of its sort.
    fn has_file(&self, path: &str) -> bool;

    /// The files that define an object, a skeleton (`skeleton NAME`) or an animation (`animation NAME`).
    fn definers(&self, name: &str) -> &[String];
}

/// Surroundings made from a list of files and the models among them.
///
/// ```
/// use meshwright_check::{Document, Folder, Surroundings};
/// let bytes = w3d::sample::crate_box();
/// let mut folder = Folder::default();
/// folder.add_file("art/textures/mwcrate.dds");
/// folder.add_document("art/w3d/mwcrate.w3d", &Document::parse(&bytes)?);
/// assert!(folder.has_object("mwcrate.lid") && folder.has_file("MWCRATE.DDS"));
/// assert_eq!(folder.skeleton("MwCrate").map(<[_]>::len), Some(3));
/// # Ok::<(), record::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Folder {
    /// By name; `None` if several that differ have it.
    skeletons: HashMap<String, Option<Vec<Pivot>>>,
    definers: HashMap<String, Vec<String>>,
    /// Whole paths and bare names, in lower case with `/`.
    files: HashSet<String>,
}

fn key(name: &str) -> String {
    name.trim().to_ascii_lowercase().replace('\\', "/")
}

/// What follows the last separator.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A file's name without its extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The extension in lower case, without the dot.
pub(crate) fn extension(path: &str) -> Option<String> {
    file_name(path).rsplit_once('.').map(|(_, extension)| extension.trim().to_ascii_lowercase())
}

impl Folder {
    /// Adds a file by its path.
    pub fn add_file(&mut self, path: &str) {
        let path = key(path);
        self.files.insert(file_name(&path).to_owned());
        self.files.insert(path);
    }

    /// Adds a model: its path and the names in it.
    pub fn add_document(&mut self, path: &str, document: &Document<'_>) {
        self.add_file(path);
        match document {
            Document::W3d(file) => self.add_w3d(path, file),
            // Models of Warcraft III know each other by path alone.
            Document::Mdx(_) => {}
        }
    }

    /// Adds what another one holds, after what is here.
    pub fn extend(&mut self, other: Self) {
        for (name, pivots) in other.skeletons {
            self.add_skeleton(name, pivots);
        }
        for (name, paths) in other.definers {
            self.definers.entry(name).or_default().extend(paths);
        }
        self.files.extend(other.files);
    }

    fn add_skeleton(&mut self, name: String, pivots: Option<Vec<Pivot>>) {
        let known = self.skeletons.entry(name).or_insert_with(|| pivots.clone());
        let bytes = |pivots: Option<&[Pivot]>| pivots.map(<[Pivot]>::as_bytes).map(<[u8]>::to_vec);
        if bytes(known.as_deref()) != bytes(pivots.as_deref()) {
            *known = None;
        }
    }

    fn define(&mut self, path: &str, name: &str) {
        let files = self.definers.entry(key(name)).or_default();
        if files.last().is_none_or(|last| last != path) {
            files.push(path.to_owned());
        }
    }

    fn add_w3d(&mut self, path: &str, file: &w3d::W3d<'_>) {
        for node in file.root.children() {
            let Some(label) = node.label() else { continue };
            match node.id {
                0x100 => {
                    self.define(path, &format!("skeleton {label}"));
                    self.add_skeleton(key(&label), Some(w3d::Hierarchy(node).pivots().to_vec()));
                }
                0x200 | 0x280 | 0x2C0 => self.define(path, &format!("animation {label}")),
                _ => self.define(path, &label),
            }
        }
    }
}

impl Surroundings for Folder {
    fn skeleton(&self, name: &str) -> Option<&[Pivot]> {
        self.skeletons.get(&key(name))?.as_deref()
    }

    fn has_skeleton(&self, name: &str) -> bool {
        self.skeletons.contains_key(&key(name))
    }

    fn has_animation(&self, name: &str) -> bool {
        self.definers.contains_key(&key(&format!("animation {name}")))
    }

    fn has_object(&self, name: &str) -> bool {
        self.definers.contains_key(&key(name))
    }

    fn has_file(&self, path: &str) -> bool {
        let path = key(path);
        self.files.contains(&path) || self.files.contains(file_name(&path))
    }

    fn definers(&self, name: &str) -> &[String] {
        self.definers.get(&key(name)).map(Vec::as_slice).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_skeletons_that_differ_none_is_meant() {
        let bytes = w3d::sample::crate_box();
        let mut other = Document::parse(&bytes).expect("the sample").into_owned();
        let mut folder = Folder::default();
        folder.add_document("one/mwcrate.w3d", &other);
        folder.add_document("two/mwcrate.w3d", &other);
        assert_eq!(folder.skeleton("mwcrate").map(<[_]>::len), Some(3), "the same twice is one");
        let pivots = other.root_mut().find_mut("HIERARCHY/PIVOTS").expect("pivots");
        let fewer = pivots.values::<Pivot>()[..2].to_vec();
        pivots.set_values(&fewer);
        folder.add_document("three/mwcrate.w3d", &other);
        assert_eq!(folder.skeleton("mwcrate").map(<[_]>::len), None);
        assert!(folder.has_skeleton("MWCRATE") && !folder.has_skeleton("other"));
    }
}
