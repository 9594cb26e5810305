//! Trees to text.
//!
//! Text that does not read back bit for bit clears [`Writer::exact`]. Parts that are not exact are recorded, and
//! [`super::preserved`] writes the remaining data in comments.

mod geoset;
mod items;
mod material;
mod objects;
mod track;

pub(super) use geoset::ARRAYS;
pub(super) use track::{INTERPOLATIONS, by_word};

use std::ops::Range;

use record::{Kind, Node, U32};

use super::grammar::{self, Block, COUNTS};
use super::{MdlDialect, number};
use crate::{Dialect, Document, Gates, kinds};

/// The text of a document, and the chunks in it.
pub(super) struct Written {
    pub(super) text: Vec<u8>,
    /// The chunks in the text, in text order.
    pub(super) said: Vec<Said>,
}

/// A chunk that is in the text.
pub(super) struct Said {
    /// Index of the chunk in the file; `None` if the file has no such chunk and the reader will create one.
    pub(super) chunk: Option<usize>,
    /// Its tag.
    pub(super) tag: u32,
    /// Indices of its children in the text, in order. Empty if it is one leaf.
    pub(super) objects: Vec<usize>,
    /// Places where the text may be incomplete: the object (in text order) or the whole chunk, and the range in the text.
    pub(super) suspects: Vec<(Option<usize>, Range<usize>)>,
}

pub(super) struct Writer {
    pub(super) out: Vec<u8>,
    gates: Gates,
    dialect: MdlDialect,
    /// Strings of which fields contain the start.
    long_strings: Vec<Vec<u8>>,
    /// Whether everything written since it was last set reads back bit for bit.
    exact: bool,
    said: Vec<Said>,
}

/// Writes everything that MDL can express.
pub(super) fn text(document: &Document<'_>, dialect: MdlDialect) -> Written {
    let mut writer = Writer {
        out: Vec::with_capacity(document.root.len().saturating_mul(3).min(1 << 28)),
        gates: Gates::of(Dialect::Warcraft, document.version),
        dialect,
        long_strings: document.long_strings.clone(),
        exact: true,
        said: Vec::new(),
    };
    writer.document(document);
    Written { text: writer.out, said: writer.said }
}

impl Writer {
    fn document(&mut self, document: &Document<'_>) {
        let chunks = document.root.children();
        let find = |kind| chunks.iter().position(|chunk| chunk.is(kind)).map(|index| (index, &chunks[index]));
        self.version(document.version, find(&kinds::VERS));
        self.model(chunks, find(&kinds::MODL));
        if let Some(chunk) = find(&kinds::SEQS) {
            self.records(chunk, "Sequences", &grammar::SEQUENCE);
        }
        if let Some(chunk) = find(&kinds::GLBS) {
            self.durations(chunk);
        }
        if let Some(chunk) = find(&kinds::TEXS) {
            self.records(chunk, "Textures", &grammar::TEXTURE);
        }
        if let Some(chunk) = find(&kinds::MTLS) {
            self.list(chunk, "Materials", &grammar::MATERIAL, Self::material);
        }
        if let Some(chunk) = find(&kinds::TXAN) {
            self.list(chunk, "TextureAnims", &grammar::TEXTURE_ANIMATION, Self::texture_animation);
        }
        if let Some(chunk) = find(&kinds::GEOS) {
            self.objects(chunk, &grammar::GEOSET, Self::geoset);
        }
        for block in grammar::OBJECTS {
            let Some((kind, _)) = block.object else { continue };
            if std::ptr::eq(kind, kinds::PREM.kind)
                && let Some(chunk) = find(&kinds::PIVT)
            {
                self.pivots(chunk);
            }
            if let Some(chunk) = find(kind) {
                self.objects(chunk, block, |writer, object| writer.object(block, object));
            }
        }
        if let Some(chunk) = find(&kinds::FAFX) {
            self.records(chunk, "", &grammar::FACE_EFFECT);
        }
        if let Some(chunk) = find(&kinds::BPOS) {
            self.bind_pose(chunk);
        }
        // mdx-m3-viewer does not know the block.
        if let Some(chunk) = find(&kinds::DILG).filter(|_| !self.dialect.is_hive()) {
            self.glider(chunk);
        }
    }

    /// Records that a chunk is in the text from `start` on.
    fn say(&mut self, chunk: (usize, &Node<'_>), start: usize) {
        let suspects = if self.exact { Vec::new() } else { vec![(None, start..self.out.len())] };
        self.said.push(Said { chunk: Some(chunk.0), tag: chunk.1.id, objects: Vec::new(), suspects });
    }

    fn version(&mut self, version: u32, chunk: Option<(usize, &Node<'_>)>) {
        let start = self.out.len();
        self.line(0, "Version {");
        self.word(1, "FormatVersion");
        number::write_unsigned(version, &mut self.out);
        self.put(",\n}\n");
        self.exact =
            chunk.is_some_and(|(_, chunk)| chunk.size_delta == 0 && chunk.bytes() == version.to_le_bytes());
        let suspects = if self.exact { Vec::new() } else { vec![(None, start..self.out.len())] };
        let tag = crate::tag("VERS");
        self.said.push(Said { chunk: chunk.map(|(at, _)| at), tag, objects: Vec::new(), suspects });
    }

    fn model(&mut self, chunks: &[Node<'_>], chunk: Option<(usize, &Node<'_>)>) {
        let start = self.out.len();
        let template = grammar::MODEL.template(0);
        let bytes = chunk.map_or(&[][..], |(_, chunk)| chunk.bytes());
        let record = bytes.get(..template.len()).unwrap_or(&template);
        self.exact = bytes.len() == record.len() && chunk.is_some_and(|(_, chunk)| chunk.size_delta == 0);
        self.open(0, &grammar::MODEL, Some(record));
        for (word, kind) in COUNTS {
            let blocks = grammar::OBJECTS.iter().chain([&grammar::GEOSET]);
            let block = blocks
                .into_iter()
                .find(|block| block.object.is_some_and(|(chunk, _)| std::ptr::eq(chunk, *kind)));
            let count = chunks.iter().find(|chunk| chunk.is(kind)).map_or(0, |chunk| match block {
                Some(block) => chunk.children().iter().filter(|object| can_say(block, object)).count(),
                None => chunk.bytes().len() / kind.slots.last().map_or(1, |slot| slot.item.size()),
            });
            if count > 0 {
                self.word(1, word);
                self.put(&format!("{count},\n"));
            }
        }
        self.items(1, &grammar::MODEL, &[Some(record)], &[]);
        self.put("}\n");
        let suspects = if self.exact { Vec::new() } else { vec![(None, start..self.out.len())] };
        let tag = crate::tag("MODL");
        self.said.push(Said { chunk: chunk.map(|(at, _)| at), tag, objects: Vec::new(), suspects });
    }

    /// A chunk of records: a block for each, inside one block if there is a word for it.
    fn records(&mut self, chunk: (usize, &Node<'_>), word: &str, block: &'static Block) {
        let size = block.template(0).len();
        let bytes = chunk.1.bytes();
        let depth = usize::from(!word.is_empty());
        let start = self.out.len();
        let count = bytes.len() / size;
        if depth > 0 {
            self.header(0, word, &[count]);
        } else if count == 0 {
            return;
        }
        self.exact = true;
        for record in bytes.chunks_exact(size) {
            self.open(depth, block, Some(record));
            self.items(depth + 1, block, &[Some(record)], &[]);
            self.line(depth, "}");
        }
        if depth > 0 {
            self.put("}\n");
        }
        self.exact &= bytes.len().is_multiple_of(size) && chunk.1.size_delta == 0;
        self.say(chunk, start);
    }

    fn durations(&mut self, chunk: (usize, &Node<'_>)) {
        let start = self.out.len();
        let durations = chunk.1.values::<U32>();
        self.header(0, "GlobalSequences", &[durations.len()]);
        for duration in durations {
            self.word(1, "Duration");
            number::write_unsigned(duration.get(), &mut self.out);
            self.put(",\n");
        }
        self.put("}\n");
        self.exact = chunk.1.size_delta == 0 && chunk.1.bytes().len().is_multiple_of(4);
        self.say(chunk, start);
    }

    fn pivots(&mut self, chunk: (usize, &Node<'_>)) {
        let start = self.out.len();
        let bytes = chunk.1.bytes();
        self.exact = chunk.1.size_delta == 0 && bytes.len().is_multiple_of(12);
        self.vectors(0, "PivotPoints", bytes, 12);
        self.say(chunk, start);
    }

    fn bind_pose(&mut self, chunk: (usize, &Node<'_>)) {
        let start = self.out.len();
        let (count, matrices) = chunk.1.bytes().split_at_checked(4).unwrap_or_default();
        self.exact = chunk.1.size_delta == 0
            && matrices.len() % 48 == 0
            && u32::try_from(matrices.len() / 48).is_ok_and(|matrices| count == matrices.to_le_bytes());
        self.line(0, "BindPose {");
        self.vectors(1, "Matrices", matrices, 48);
        self.put("}\n");
        self.say(chunk, start);
    }

    fn glider(&mut self, chunk: (usize, &Node<'_>)) {
        let start = self.out.len();
        self.line(0, "Glider {");
        for geoset in chunk.1.values::<U32>() {
            self.word(1, "GeosetId");
            number::write_unsigned(geoset.get(), &mut self.out);
            self.put(",\n");
        }
        self.put("}\n");
        self.exact = chunk.1.size_delta == 0 && chunk.1.bytes().len().is_multiple_of(4);
        self.say(chunk, start);
    }

    /// A chunk of objects in one block.
    fn list(
        &mut self,
        chunk: (usize, &Node<'_>),
        word: &str,
        block: &'static Block,
        write: impl Fn(&mut Self, &Node<'_>),
    ) {
        self.header(0, word, &[chunk.1.children().iter().filter(|object| can_say(block, object)).count()]);
        if !self.objects(chunk, block, write) {
            self.said.push(Said {
                chunk: Some(chunk.0),
                tag: chunk.1.id,
                objects: Vec::new(),
                suspects: Vec::new(),
            });
        }
        self.put("}\n");
    }

    /// A chunk of objects, each in a separate block. Returns whether any can be expressed.
    fn objects(
        &mut self,
        chunk: (usize, &Node<'_>),
        block: &'static Block,
        write: impl Fn(&mut Self, &Node<'_>),
    ) -> bool {
        let mut said =
            Said { chunk: Some(chunk.0), tag: chunk.1.id, objects: Vec::new(), suspects: Vec::new() };
        for (index, object) in chunk.1.children().iter().enumerate() {
            if !can_say(block, object) {
                continue;
            }
            let start = self.out.len();
            self.exact = object.size_delta == 0;
            write(self, object);
            if !self.exact {
                said.suspects.push((Some(said.objects.len()), start..self.out.len()));
            }
            said.objects.push(index);
        }
        let any = !said.objects.is_empty();
        if any {
            self.said.push(said);
        }
        any
    }

    #[inline(always)]
    pub(super) fn put(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    #[inline]
    fn indent(&mut self, depth: usize) {
        for _ in 0..depth {
            self.out.push(b'\t');
        }
    }

    /// A separate line.
    fn line(&mut self, depth: usize, text: &str) {
        self.indent(depth);
        self.put(text);
        self.out.push(b'\n');
    }

    /// A word followed by something.
    fn word(&mut self, depth: usize, word: &str) {
        self.indent(depth);
        self.put(word);
        self.out.push(b' ');
    }

    /// A block's word with numbers, and its brace.
    fn header(&mut self, depth: usize, word: &str, numbers: &[usize]) {
        self.word(depth, word);
        for number in numbers {
            self.put(&format!("{number} "));
        }
        self.put("{\n");
    }

    /// A block of vectors of floats; `size` is the bytes of one.
    fn vectors(&mut self, depth: usize, word: &str, bytes: &[u8], size: usize) {
        self.header(depth, word, &[bytes.len() / size]);
        for vector in bytes.chunks_exact(size) {
            self.indent(depth + 1);
            self.floats(vector);
            self.put(",\n");
        }
        self.line(depth, "}");
    }

    /// Floats in braces.
    #[inline]
    fn floats(&mut self, bytes: &[u8]) {
        self.put("{ ");
        for (index, float) in bytes.chunks_exact(4).enumerate() {
            if index > 0 {
                self.put(", ");
            }
            self.float(float);
        }
        self.put(" }");
    }

    /// One float. war3-model reads neither NaN nor infinity; they become zero and the largest number.
    #[inline]
    fn float(&mut self, bytes: &[u8]) {
        let mut value = float_of(bytes);
        if !value.is_finite() && self.dialect.is_hive() {
            self.exact = false;
            value = made_finite(value);
        }
        self.exact &= number::write_float(value, &mut self.out);
    }
}

/// Whether an object has the kind of its block and at least its first part; otherwise it is kept as bytes.
fn can_say(block: &Block, object: &Node<'_>) -> bool {
    let first = if block.node {
        object.children().first().filter(|node| node.is(&kinds::NODE))
    } else {
        Some(object)
    };
    let part = |(kind, _): &(&'static Kind, _)| match first {
        Some(first) if block.word == "Geoset" => first.child(kind).is_some(),
        Some(first) => first.children().first().is_some_and(|part| part.is(kind)),
        None => false,
    };
    block.object.is_some_and(|(_, kind)| object.is(kind)) && block.parts.first().is_none_or(part)
}

/// The finite float that replaces a NaN or infinity.
fn made_finite(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(f32::MIN, f32::MAX) }
}

/// The float of four bytes.
#[inline]
fn float_of(bytes: &[u8]) -> f32 {
    bytes.first_chunk().map_or(0.0, |bytes| f32::from_le_bytes(*bytes))
}

/// The word of four bytes.
#[inline]
fn word_of(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
