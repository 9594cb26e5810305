//! The names that a W3D file defines, read from the headers of its chunks.

use std::path::Path;

use record::Node;
use w3d::{Animation, Hierarchy, W3d, table};

use crate::Files;

/// Number of bytes that are read first. They contain the headers of most skeletons and animations.
const START: usize = 4096;

/// A chunk's name is within this many bytes of its start.
const HEADER: usize = 128;

/// The names that a W3D file defines.
///
/// ```
/// let bytes = w3d::sample::crate_box();
/// let contents = meshwright_assets::Contents::of(&w3d::W3d::parse(&bytes)?);
/// assert_eq!(contents.skeletons, ["MWCRATE"]);
/// assert_eq!(contents.animations, [("MWCRATE".to_owned(), "OPEN".to_owned())]);
/// assert_eq!(contents.objects, ["MWCRATE.BODY", "MWCRATE.LID", "MWCRATE.BOUNDS", "MWCRATE"]);
/// # Ok::<(), record::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Skeletons.
    pub skeletons: Vec<String>,
    /// Animations: the skeleton's name, and the animation's own.
    pub animations: Vec<(String, String)>,
    /// Morph animations, `Hierarchy.Name`.
    pub morphs: Vec<String>,
    /// Everything else that has a name: meshes as `Container.Mesh`, models, aggregates, emitters.
    pub objects: Vec<String>,
}

impl Contents {
    /// The names in a document.
    pub fn of(file: &W3d<'_>) -> Self {
        let mut contents = Self::default();
        file.root.children().iter().for_each(|node| contents.add(node));
        contents
    }

    fn add(&mut self, node: &Node<'_>) {
        if node.is(&table::HIERARCHY) {
            self.skeletons.push(Hierarchy(node).name());
        } else if node.is(&table::ANIMATION) || node.is(&table::COMPRESSED_ANIMATION) {
            let animation = Animation(node);
            self.animations.push((animation.hierarchy_name(), animation.name()));
        } else if node.is(&table::MORPH_ANIMATION) {
            self.morphs.extend(node.label());
        } else {
            self.objects.extend(node.label());
        }
    }

    /// The names in a file; `None` if it is not a W3D file. Reads no more of it than necessary.
    pub fn read(files: &dyn Files, path: &Path) -> Option<Self> {
        let start = files.read_start(path, START).ok()?;
        if has_all_headers(&start.bytes, start.total) {
            // A truncated chunk is divided as far as possible.
            return W3d::parse(&start.bytes).ok().map(|file| Self::of(&file));
        }
        let bytes = files.read(path).ok()?;
        W3d::parse(&bytes).ok().map(|file| Self::of(&file))
    }
}

/// Whether every chunk at the top of a file has its header within the first bytes.
fn has_all_headers(bytes: &[u8], total: u64) -> bool {
    if bytes.len() as u64 >= total {
        return true;
    }
    let mut at = 0;
    while let Some(size) = bytes.get(at..).and_then(|rest| rest.get(4..8)?.first_chunk()) {
        // The top bit says that the body is made of chunks.
        let size = u32::from_le_bytes(*size) & 0x7FFF_FFFF;
        let next = at as u64 + 8 + u64::from(size);
        if next >= total {
            return at + HEADER <= bytes.len();
        }
        at = usize::try_from(next).unwrap_or(usize::MAX);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, Memory, Start};

    /// Counts the bytes that are read.
    struct Counted(Memory, std::sync::atomic::AtomicUsize);

    impl Files for Counted {
        fn list(&self, folder: &Path) -> std::sync::Arc<crate::Listing> {
            self.0.list(folder)
        }

        fn read(&self, file: &Path) -> Result<Vec<u8>, Error> {
            let bytes = self.0.read(file)?;
            self.1.fetch_add(bytes.len(), std::sync::atomic::Ordering::Relaxed);
            Ok(bytes)
        }

        fn read_start(&self, file: &Path, len: usize) -> Result<Start, Error> {
            let start = self.0.read_start(file, len)?;
            self.1.fetch_add(start.bytes.len(), std::sync::atomic::Ordering::Relaxed);
            Ok(start)
        }
    }

    #[test]
    fn a_long_animation_is_known_by_its_header() {
        let bytes = w3d::sample::crate_box();
        let mut file = W3d::parse(&bytes).expect("the sample is sound");
        let children = file.root.children_mut().expect("a file has chunks");
        children.retain(|node| node.is(&table::HIERARCHY) || node.is(&table::ANIMATION));
        let animation = children.last_mut().and_then(Node::children_mut).expect("an animation");
        let channel = animation.last().expect("a channel").clone();
        animation.extend(std::iter::repeat_n(channel, 1000));
        let mut memory = Memory::default();
        memory.add("long.w3d", file.to_bytes().expect("it can be written"));
        memory.add("whole.w3d", bytes.clone());
        let files = Counted(memory, Default::default());
        let contents = Contents::read(&files, Path::new("long.w3d")).expect("a model");
        assert_eq!(contents.animations, [("MWCRATE".to_owned(), "OPEN".to_owned())]);
        assert_eq!(files.1.into_inner(), START);
        let contents = Contents::read(&files.0, Path::new("whole.w3d")).expect("a model");
        assert_eq!(contents, Contents::of(&W3d::parse(&bytes).expect("the sample is sound")));
    }

    #[test]
    fn what_stands_behind_a_long_chunk_is_found() {
        let bytes = w3d::sample::crate_box();
        let long = [w3d::sample::large_mesh(1000), bytes].concat();
        assert!(!has_all_headers(&long[..START], long.len() as u64));
        let mut memory = Memory::default();
        memory.add("x.w3d", long);
        let contents = Contents::read(&memory, Path::new("x.w3d")).expect("a model");
        assert_eq!(contents.skeletons, ["MWCRATE"]);
    }
}
