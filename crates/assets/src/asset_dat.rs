//! `asset.dat`: the index of the Battle for Middle-earth games. It names every file that the game loads, and the objects in its W3D files.
//!
//! The file begins with `ALAE`, the number 0x102, and two counts: of files, and of records about the references of objects, which are not read
//! here. A file has its name (a byte with the length, then the characters), a time of 8 bytes, and a count of 2 bytes of what is in it: each a
//! name of the same form, its kind, its place and its size of 4 bytes each. Numbers are little-endian. \[documented by modders\]

use std::collections::HashMap;

use crate::TEXTURE_EXTENSIONS;
use crate::stock::StockKind;

const MAGIC: [u8; 8] = *b"ALAE\x02\x01\0\0";

/// The name of the file, at the top of the game's tree.
pub(crate) const FILE_NAME: &str = "asset.dat";

/// The names in an `asset.dat`, in lower case; those of files without extension.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct AssetIndex {
    names: HashMap<Box<str>, u8>,
}

const TEXTURE: u8 = 1;
const MODEL: u8 = 2;

impl AssetIndex {
    /// Adds the names of a file. What follows a damaged part is not read.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let _ = self.read(bytes);
    }

    fn read(&mut self, bytes: &[u8]) -> Option<()> {
        let mut rest = bytes.strip_prefix(&MAGIC)?;
        let files = number(&mut rest, 4)?;
        number(&mut rest, 4)?;
        for _ in 0..files {
            let name = text(&mut rest)?;
            number(&mut rest, 8)?;
            if let Some((stem, extension)) = name.rsplit_once('.') {
                let kind = match extension {
                    "w3d" => MODEL,
                    _ if TEXTURE_EXTENSIONS.contains(&extension) => TEXTURE,
                    _ => 0,
                };
                self.insert(stem, kind);
            }
            for _ in 0..number(&mut rest, 2)? {
                let object = text(&mut rest)?;
                number(&mut rest, 12)?;
                self.insert(&object, MODEL);
            }
        }
        Some(())
    }

    fn insert(&mut self, name: &str, kind: u8) {
        if kind != 0 && !name.is_empty() {
            *self.names.entry(name.into()).or_default() |= kind;
        }
    }

    /// Whether the game has a file or object of this name. Folders and the extension do not matter.
    pub(crate) fn has(&self, kind: StockKind, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let bit = if kind == StockKind::Texture { TEXTURE } else { MODEL };
        self.names.get(stem).is_some_and(|kinds| kinds & bit != 0)
    }
}

/// The next bytes as a number; of long ones the first eight bytes.
fn number(rest: &mut &[u8], len: usize) -> Option<u64> {
    let (bytes, after) = rest.split_at_checked(len)?;
    *rest = after;
    Some(bytes.iter().take(8).rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// A name, in lower case.
fn text(rest: &mut &[u8]) -> Option<String> {
    let len = number(rest, 1)?;
    let (name, after) = rest.split_at_checked(usize::try_from(len).ok()?)?;
    *rest = after;
    Some(record::decode(name).to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, objects: &[&str]) -> Vec<u8> {
        let text = |name: &str| [&[name.len() as u8], name.as_bytes()].concat();
        let mut bytes = [text(name), vec![7; 8], (objects.len() as u16).to_le_bytes().to_vec()].concat();
        for object in objects {
            bytes.extend([text(object), vec![9; 12]].concat());
        }
        bytes
    }

    fn sample() -> Vec<u8> {
        let counts = [2u32.to_le_bytes(), 0u32.to_le_bytes()].concat();
        let files = [entry("GUHero.W3D", &["GUHERO.BODY", "GUHERO_SKL"]), entry("guhero.tga", &[])];
        [MAGIC.to_vec(), counts, files.concat()].concat()
    }

    #[test]
    fn names_of_files_and_objects_are_known() {
        let mut index = AssetIndex::default();
        index.add(&sample());
        assert!(index.has(StockKind::Texture, "GUHERO.dds"), "games exchange extensions");
        assert!(index.has(StockKind::Model, "guhero.w3d") && index.has(StockKind::Model, "GUHERO_SKL.w3d"));
        assert!(!index.has(StockKind::Texture, "guhero_skl.tga"), "an object, not a texture");
        assert!(!index.has(StockKind::Model, ""));
    }

    #[test]
    fn a_cut_index_gives_what_it_has() {
        let bytes = sample();
        for len in 0..bytes.len() {
            let mut index = AssetIndex::default();
            index.add(&bytes[..len]);
            assert!(!index.has(StockKind::Texture, "guhero.tga") || len >= bytes.len() - 2, "{len}");
        }
        let mut huge = MAGIC.to_vec();
        huge.extend([0xff; 8]);
        let mut index = AssetIndex::default();
        index.add(&huge);
        assert_eq!(index, AssetIndex::default());
    }
}
