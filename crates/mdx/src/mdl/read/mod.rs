//! Parses text into trees. After an error, reading continues at the next item or block.

mod bulk;
mod geoset;
mod items;
mod material;
mod objects;
mod track;

use record::{Diagnostic, Kind, Node, Severity};

use super::grammar::{self, Block};
use super::lexer::{Lexer, Next};
use crate::chunks::{CHUNKS, Content};
use crate::kinds;
use crate::{Dialect, Document, Gates, tag};

/// Maximum number of parts of a text. `Geoset{}` is 8 bytes of text, but 13 parts and 700 bytes in memory. Real models
/// have some thousand parts.
const MAX_PARTS: usize = 2_000_000;

/// The words of blocks that are not objects.
const BLOCKS: [&str; 12] = [
    "Version",
    "Model",
    "Sequences",
    "Textures",
    "FaceFX",
    "GlobalSequences",
    "Glider",
    "Materials",
    "TextureAnims",
    "PivotPoints",
    "BindPose",
    "Geoset",
];

/// The shortest word that is taken for a misspelt one: shorter ones resemble too many others.
const MIN_MISSPELT: usize = 5;
/// Longer words are compared with none: the longest word of the grammar is shorter.
const MAX_MISSPELT: usize = 40;

/// The word that somebody meant. Two letters may differ.
fn misspelt<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    // The length is tested first, because a text may have millions of unknown words.
    (MIN_MISSPELT..=MAX_MISSPELT)
        .contains(&word.len())
        .then(|| record::nearest(known.iter().copied(), word))
        .flatten()
}

/// The model and the findings. `None` if the text contains no model.
pub(super) fn document(text: &[u8]) -> (Option<Document<'static>>, Vec<Diagnostic>) {
    let version = version_of(text);
    let mut reader = Reader::new(text, version);
    let any = reader.blocks();
    let root = reader.root();
    let document = any.then_some(Document {
        root,
        version,
        dialect: Dialect::Warcraft,
        long_strings: std::mem::take(&mut reader.long_strings),
    });
    (document, reader.lexer.found)
}

/// The chunk of a range of text with one block, for a version.
pub(super) fn chunk(text: &[u8], version: u32, id: u32) -> Option<Node<'static>> {
    let mut reader = Reader::new(text, version);
    reader.blocks();
    reader.take(id)
}

/// The object of a range of text that is in a list.
pub(super) fn listed_object(text: &[u8], version: u32, id: u32) -> Option<Node<'static>> {
    let mut reader = Reader::new(text, version);
    reader.lexer.word()?;
    if id == tag("MTLS") { Some(reader.material()) } else { Some(reader.texture_animation()) }
}

/// Finds the version, which is needed first but may be anywhere in the text.
pub(super) fn version_of(text: &[u8]) -> u32 {
    const WORD: &[u8] = b"FormatVersion";
    let mut from = 0;
    while let Some(at) = memchr::memchr2_iter(b'F', b'f', &text[from..])
        .map(|at| from + at)
        .find(|at| text.get(*at..at + WORD.len()).is_some_and(|word| word.eq_ignore_ascii_case(WORD)))
    {
        from = at + WORD.len();
        let line = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let commented = text[line..at].windows(2).any(|pair| pair == b"//");
        if !commented && let Some(version) = Lexer::new(&text[from..]).integer() {
            return version;
        }
    }
    800
}

pub(super) struct Reader<'t> {
    lexer: Lexer<'t>,
    gates: Gates,
    version: u32,
    chunks: Vec<Node<'static>>,
    /// How many more parts there may be.
    parts_left: usize,
    /// Number of nodes so far: the id of a node without one in the text.
    nodes: u32,
    /// Whether the current object has an `ObjectId`.
    has_object_id: bool,
    /// Whether it has an `AttachmentID`.
    has_attachment_id: bool,
    /// Strings that do not fit their fields.
    long_strings: Vec<Vec<u8>>,
    /// Whether the version was given.
    has_version: bool,
    /// Whether there was a block of the model.
    has_model: bool,
    /// Whether any attachment says its number.
    numbered_attachments: bool,
    /// The attachments without a number.
    unnumbered: Vec<usize>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8], version: u32) -> Self {
        Self {
            lexer: Lexer::new(text),
            gates: Gates::of(Dialect::Warcraft, version),
            version,
            chunks: Vec::new(),
            parts_left: MAX_PARTS,
            nodes: 0,
            has_object_id: false,
            has_attachment_id: false,
            long_strings: Vec::new(),
            has_version: false,
            has_model: false,
            numbered_attachments: false,
            unnumbered: Vec::new(),
        }
    }

    /// Reads all blocks. Returns whether there is one.
    fn blocks(&mut self) -> bool {
        let mut any = false;
        let mut strange = false;
        loop {
            let start = self.lexer.next_span();
            match self.lexer.peek() {
                Next::End => return any,
                Next::Word => {
                    let word = self.lexer.word().unwrap_or_default();
                    if self.block(word, start.clone()) {
                        any = true;
                        strange = false;
                        continue;
                    }
                    if self.unknown_block(start.clone(), &record::decode(word)) {
                        continue;
                    }
                }
                Next::Close => {
                    self.lexer.bump();
                    self.lexer.error("MDL-SYNTAX-004", start, "unmatched closing brace", None);
                    continue;
                }
                Next::Text | Next::Number | Next::Open | Next::Other => {}
            }
            // One report for all its lines.
            if !std::mem::replace(&mut strange, true) {
                let note = Some("it is ignored");
                self.lexer.report("MDL-TEXT-001", Severity::Warning, start, "text outside of blocks", note);
            }
            if self.lexer.is_block() {
                let opened = self.lexer.position();
                self.lexer.bump();
                self.lexer.skip_block(opened);
            } else {
                self.lexer.skip_line();
            }
        }
    }

    /// A block with a word that is known; `false` if it is not.
    fn block(&mut self, word: &[u8], span: std::ops::Range<usize>) -> bool {
        let is = |wanted: &str| word.eq_ignore_ascii_case(wanted.as_bytes());
        if is("Version") {
            self.version_block();
        } else if is("Model") {
            self.model(span);
        } else if is("Sequences") {
            self.record_list(&kinds::SEQS, &grammar::SEQUENCE);
        } else if is("Textures") {
            self.record_list(&kinds::TEXS, &grammar::TEXTURE);
        } else if is("FaceFX") {
            let record = self.record(&grammar::FACE_EFFECT);
            self.append(&kinds::FAFX, &record);
        } else if is("GlobalSequences") {
            self.words_list(&kinds::GLBS, "Duration");
        } else if is("Glider") {
            self.words_list(&kinds::DILG, "GeosetId");
        } else if is("Materials") {
            self.object_list(&kinds::MTLS, "Material", Self::material);
        } else if is("TextureAnims") {
            self.object_list(&kinds::TXAN, "TVertexAnim", Self::texture_animation);
        } else if is("PivotPoints") {
            let pivots = self.vector_block(12);
            self.append(&kinds::PIVT, &pivots);
        } else if is("BindPose") {
            self.bind_pose();
        } else if is("Geoset") {
            let geoset = self.geoset();
            self.push(&kinds::GEOS, geoset);
        } else if let Some((block, chunk)) = grammar::OBJECTS
            .iter()
            .filter(|block| is(block.word))
            .find_map(|block| block.object.map(|(chunk, _)| (block, chunk)))
        {
            let object = self.object(block);
            self.push(chunk, object);
        } else {
            return false;
        }
        true
    }

    /// Skips a block of another tool; `false` if it is not a block.
    fn unknown_block(&mut self, span: std::ops::Range<usize>, word: &str) -> bool {
        let known: Vec<&str> =
            BLOCKS.into_iter().chain(grammar::OBJECTS.iter().map(|block| block.word)).collect();
        loop {
            match self.lexer.peek() {
                Next::Text => {
                    self.lexer.string();
                }
                Next::Number if self.lexer.float().is_some() => {}
                Next::Open => {
                    let opened = self.lexer.position();
                    self.lexer.bump();
                    match misspelt(word, &known) {
                        Some(meant) => {
                            let message = format!("unknown block {word}: did you mean {meant}?");
                            self.lexer.error("MDL-WORD-003", span, &message, None);
                        }
                        None => {
                            let message = format!("unknown block {word}");
                            let note = Some("it is ignored");
                            self.lexer.report("MDL-WORD-001", Severity::Warning, span, &message, note);
                        }
                    }
                    self.lexer.skip_block(opened);
                    return true;
                }
                _ => return false,
            }
        }
    }

    /// Counts a part and its children, if they are not counted yet. A text with too many parts is not read further.
    fn counted(&mut self, part: Node<'static>) -> Node<'static> {
        match self.parts_left.checked_sub(1 + part.children().len()) {
            Some(left) => self.parts_left = left,
            None => {
                let message = format!("the text has more than {MAX_PARTS} parts");
                self.lexer.give_up(
                    "MDL-TEXT-005",
                    &message,
                    "no game reads such a model; remove parts of it",
                );
                self.parts_left = 0;
            }
        }
        part
    }

    /// Consumes everything from a block's word up to and including its brace. Returns the position of the brace, or
    /// `None`.
    fn enter(&mut self) -> Option<usize> {
        while let Next::Number | Next::Text = self.lexer.peek() {
            if self.lexer.string().is_none() && self.lexer.float().is_none() {
                self.lexer.bump();
            }
        }
        self.lexer.open().then(|| self.lexer.position() - 1)
    }

    /// Calls `item` for each word in a block.
    fn each(&mut self, opened: usize, mut item: impl FnMut(&mut Self, &'t [u8], std::ops::Range<usize>)) {
        loop {
            match self.lexer.peek() {
                Next::End => return self.lexer.unclosed(opened),
                Next::Close => return self.lexer.bump(),
                Next::Word => {
                    let span = self.lexer.next_span();
                    let word = self.lexer.word().unwrap_or_default();
                    item(self, word, span);
                }
                _ => {
                    self.lexer.unexpected("a word");
                    let before = self.lexer.position();
                    self.lexer.skip_item();
                    if self.lexer.position() == before {
                        self.lexer.bump();
                    }
                }
            }
        }
    }

    /// Reports an item that is not known, and skips it: an error if its word is almost one of `known`, because what it says would be lost.
    fn unknown_word(&mut self, span: std::ops::Range<usize>, block: &str, known: &[&str]) {
        let word = record::decode(self.lexer.slice(span.clone())).into_owned();
        match misspelt(&word, known) {
            Some(meant) => {
                let message = format!("unknown item {word} in {block}: did you mean {meant}?");
                self.lexer.error("MDL-WORD-003", span, &message, None);
            }
            None => {
                let message = format!("unknown item {word} in {block}");
                self.lexer.report("MDL-WORD-001", Severity::Warning, span, &message, Some("it is ignored"));
            }
        }
        self.lexer.skip_item();
    }

    /// Reports that something is there a second time.
    fn second(&mut self, span: std::ops::Range<usize>, what: &str) {
        let message = format!("a second {what}");
        self.lexer.error("MDL-WORD-004", span, &message, Some("a model has one; remove the wrong one"));
    }

    fn version_block(&mut self) {
        let Some(opened) = self.enter() else { return };
        self.each(opened, |reader, word, span| {
            if !word.eq_ignore_ascii_case(b"FormatVersion") {
                return reader.unknown_word(span, "Version", &["FormatVersion"]);
            }
            if std::mem::replace(&mut reader.has_version, true) {
                reader.second(span, "FormatVersion");
            }
            if reader.lexer.integer().is_none() {
                reader.lexer.unexpected("a number");
            }
        });
    }

    fn model(&mut self, span: std::ops::Range<usize>) {
        if std::mem::replace(&mut self.has_model, true) {
            self.second(span, "Model");
        }
        let record = self.record(&grammar::MODEL);
        let chunk = self.chunk_of(&kinds::MODL);
        if let Some(bytes) = chunk.bytes_mut() {
            *bytes = record;
        }
    }

    /// A block that is a record.
    fn record(&mut self, block: &'static Block) -> Vec<u8> {
        let mut parts = vec![Some(block.template(0))];
        let mut tracks = items::Tracks::default();
        self.name(block, &mut parts);
        if let Some(opened) = self.enter() {
            self.items(opened, block, "", &mut parts, &mut tracks);
        }
        parts.swap_remove(0).unwrap_or_default()
    }

    fn record_list(&mut self, kind: &'static Kind, block: &'static Block) {
        self.chunk_of(kind);
        let Some(opened) = self.enter() else { return };
        self.each(opened, |reader, word, span| {
            if word.eq_ignore_ascii_case(block.word.as_bytes()) {
                let record = reader.record(block);
                reader.append(kind, &record);
            } else {
                reader.unknown_word(span, kind.name, &[block.word]);
            }
        });
    }

    fn words_list(&mut self, kind: &'static Kind, wanted: &str) {
        self.chunk_of(kind);
        let Some(opened) = self.enter() else { return };
        self.each(opened, |reader, word, span| {
            if !word.eq_ignore_ascii_case(wanted.as_bytes()) {
                reader.unknown_word(span, kind.name, &[wanted]);
            } else if let Some(value) = reader.lexer.integer() {
                reader.append(kind, &value.to_le_bytes());
            } else {
                reader.lexer.unexpected("a number");
                reader.lexer.skip_item();
            }
        });
    }

    fn object_list(&mut self, kind: &'static Kind, wanted: &str, read: impl Fn(&mut Self) -> Node<'static>) {
        self.chunk_of(kind);
        let Some(opened) = self.enter() else { return };
        self.each(opened, |reader, word, span| {
            if word.eq_ignore_ascii_case(wanted.as_bytes()) {
                let object = read(reader);
                reader.push(kind, object);
            } else {
                reader.unknown_word(span, kind.name, &[wanted]);
            }
        });
    }

    /// `BindPose { Matrices n { {…} … } }`, or `BindPose n { Matrix {…} … }` of older tools.
    fn bind_pose(&mut self) {
        let Some(opened) = self.enter() else { return };
        let mut matrices = Vec::new();
        self.each(opened, |reader, word, span| {
            if word.eq_ignore_ascii_case(b"Matrices") || word.eq_ignore_ascii_case(b"Matrix") {
                matrices.extend(reader.matrix_block());
            } else {
                reader.unknown_word(span, "BindPose", &["Matrices"]);
            }
        });
        let count = u32::try_from(matrices.len() / 48).unwrap_or(u32::MAX);
        let chunk = self.chunk_of(&kinds::BPOS);
        if let Some(bytes) = chunk.bytes_mut() {
            *bytes = [&count.to_le_bytes(), matrices.as_slice()].concat();
        }
    }

    /// The chunk of a kind, created if it does not exist.
    fn chunk_of(&mut self, kind: &'static Kind) -> &mut Node<'static> {
        let index = self.chunks.iter().position(|chunk| chunk.is(kind)).unwrap_or_else(|| {
            let id = tag(kind.name);
            self.chunks.push(if kind.branch {
                Node::branch(kind, id, Vec::new())
            } else {
                Node::leaf(kind, id, Vec::new())
            });
            self.chunks.len() - 1
        });
        &mut self.chunks[index]
    }

    fn append(&mut self, kind: &'static Kind, bytes: &[u8]) {
        if let Some(body) = self.chunk_of(kind).bytes_mut() {
            body.extend_from_slice(bytes);
        }
    }

    fn push(&mut self, kind: &'static Kind, object: Node<'static>) {
        if let Some(objects) = self.chunk_of(kind).children_mut() {
            objects.push(object);
        }
    }

    /// The chunks that a file must have.
    fn complete(&mut self) {
        let version = self.version;
        if let Some(bytes) = self.chunk_of(&kinds::VERS).bytes_mut() {
            *bytes = version.to_le_bytes().to_vec();
        }
        if let Some(bytes) = self.chunk_of(&kinds::MODL).bytes_mut()
            && bytes.is_empty()
        {
            *bytes = grammar::MODEL.template(0);
        }
        self.number_attachments();
    }

    fn take(&mut self, id: u32) -> Option<Node<'static>> {
        self.complete();
        let index = self.chunks.iter().position(|chunk| chunk.id == id)?;
        Some(self.chunks.swap_remove(index))
    }

    /// The chunks in the order in which most tools write them.
    fn root(&mut self) -> Node<'static> {
        self.complete();
        let mut chunks = std::mem::take(&mut self.chunks);
        chunks.sort_by_key(|chunk| order(chunk.id));
        Node::branch(&kinds::MDLX, 0, chunks)
    }
}

/// Position of a chunk in a file that is made from text.
pub(super) fn order(id: u32) -> usize {
    CHUNKS
        .iter()
        .position(|row| row.tag == id && !matches!(row.warcraft, Content::Unknown))
        .unwrap_or(usize::MAX)
}
