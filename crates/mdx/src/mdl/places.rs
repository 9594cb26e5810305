//! Positions of the parts of a model in its text.
//!
//! A finding about a model refers to a part by its path (`PRE2[0]/ParticleEmitter2[1] "Smoke"/KP2S[0]`). The text is
//! searched again for the block of that part, so that reading does not have to record positions.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use record::Diagnostic;

use super::grammar;
use super::lexer::{Lexer, Next};
use crate::tracks::{TrackRow, track_row};
use crate::{Document, tag};

/// A word with its block in braces, if it has one.
struct Entry<'t> {
    word: &'t [u8],
    /// The word and everything up to the brace.
    head: Range<usize>,
    /// The content of the braces.
    body: Option<Range<usize>>,
    /// Whether it is preceded by `static`.
    is_static: bool,
}

impl Entry<'_> {
    fn is(&self, word: &str) -> bool {
        self.word.eq_ignore_ascii_case(word.as_bytes())
    }
}

/// The blocks of a text, to find those of parts of its model.
///
/// ```
/// let text = b"Version { FormatVersion 800, }\nModel \"Box\" { }\nHelper \"a\" { ObjectId 0, }\nHelper \"b\" { ObjectId 7, }\n";
/// let (document, _) = meshwright_mdx::mdl::parse(text);
/// let finding = record::Diagnostic { path: "HELP[0]/Helper[1] \"b\"".into(), ..record::Error::new("X", 0..0, "an id").into() };
/// let place = meshwright_mdx::mdl::Places::new(text).find(&document.unwrap(), &finding);
/// assert_eq!(&text[place.unwrap()], b"Helper \"b\"");
/// ```
pub struct Places<'t> {
    text: &'t [u8],
    blocks: Vec<Entry<'t>>,
    /// By the word of a block in lower case: the positions of such blocks.
    by_word: HashMap<Vec<u8>, Vec<usize>>,
    /// By the start of a block's content: its items. Many findings are about parts of the same block.
    inside: RefCell<HashMap<usize, Rc<[Entry<'t>]>>>,
}

impl std::fmt::Debug for Places<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Places of {} blocks", self.blocks.len())
    }
}

/// Chunks that are one block, and the word of the elements in it.
const LISTS: &[(&str, &str, &str)] = &[
    ("VERS", "Version", "FormatVersion"),
    ("MODL", "Model", ""),
    ("SEQS", "Sequences", "Anim"),
    ("GLBS", "GlobalSequences", "Duration"),
    ("TEXS", "Textures", "Bitmap"),
    ("MTLS", "Materials", "Material"),
    ("TXAN", "TextureAnims", "TVertexAnim"),
    ("PIVT", "PivotPoints", ""),
    ("BPOS", "BindPose", "Matrix"),
    ("DILG", "Glider", "GeosetId"),
];

/// Parts of a geoset or material that have their own words.
const PARTS: &[(&str, &str)] = &[
    ("Layer", "Layer"),
    ("VRTX", "Vertices"),
    ("NRMS", "Normals"),
    ("UVBS", "TVertices"),
    ("PTYP", "Faces"),
    ("PCNT", "Faces"),
    ("PVTX", "Faces"),
    ("GNDX", "VertexGroup"),
    ("MTGC", "Groups"),
    ("MATS", "Groups"),
    ("TANG", "Tangents"),
    ("SKIN", "SkinWeights"),
    ("Extents", "Anim"),
    ("GeosetBounds", "MinimumExtent"),
];

impl<'t> Places<'t> {
    /// Indexes a text.
    pub fn new(text: &'t [u8]) -> Self {
        let blocks = entries(text, 0..text.len());
        let mut by_word: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
        for (index, entry) in blocks.iter().enumerate().filter(|(_, entry)| entry.body.is_some()) {
            by_word.entry(entry.word.to_ascii_lowercase()).or_default().push(index);
        }
        Self { text, blocks, by_word, inside: RefCell::default() }
    }

    /// Span of the part that a finding is about: the head of its block, or of the enclosing one. `None` if the finding is
    /// about the whole file or about something that is not in the text.
    pub fn find(&self, document: &Document<'_>, finding: &Diagnostic) -> Option<Range<usize>> {
        let steps = steps(&finding.path);
        let ((chunk, ordinal), rest) = steps.split_first()?;
        let (mut place, rest) = match LISTS.iter().find(|(tag, ..)| tag == chunk) {
            Some((_, word, element)) => {
                let block = self.nth(word, *ordinal)?;
                let index = match rest.first() {
                    Some((_, index)) => Some(*index),
                    None => element_of(document, chunk, *ordinal, finding),
                };
                let inside = index.and_then(|index| self.inside(block.body.clone()?, element, index));
                (inside.unwrap_or_else(|| (block.head.clone(), block.body.clone())), rest.get(1..))
            }
            None => {
                let object = grammar::OBJECTS.iter().chain([&grammar::GEOSET]).find_map(|block| {
                    block.object.filter(|(kind, _)| kind.name == *chunk).map(|_| block.word)
                });
                let word = object.or_else(|| (*chunk == "FAFX").then_some("FaceFX"))?;
                let index = match rest.first() {
                    Some((_, index)) => *index,
                    None => element_of(document, chunk, *ordinal, finding).unwrap_or_default(),
                };
                let block = self.nth(word, index)?;
                ((block.head.clone(), block.body.clone()), rest.get(1..))
            }
        };
        for (name, ordinal) in rest.unwrap_or_default() {
            let Some(body) = place.1.clone() else { break };
            let part = PARTS.iter().find(|(part, _)| part == name).map(|(_, word)| *word);
            let row = Some(name).filter(|name| name.len() == 4).and_then(|name| track_row(tag(name)));
            let found = match (part, row) {
                // All of these parts are in one block.
                (Some(word @ ("Faces" | "Groups")), _) => self.inside(body, word, 0),
                (Some(word), _) => self.inside(body, word, *ordinal),
                (None, Some(row)) => self.track(body, row),
                (None, None) => None,
            };
            place = found.unwrap_or(place);
        }
        Some(place.0)
    }

    /// The block of a word, counted from 0.
    fn nth(&self, word: &str, index: usize) -> Option<&Entry<'t>> {
        let blocks = self.by_word.get(&word.as_bytes().to_ascii_lowercase())?;
        blocks.get(index).and_then(|index| self.blocks.get(*index))
    }

    /// The same within a block.
    fn inside(&self, body: Range<usize>, word: &str, index: usize) -> Option<Place> {
        let entries = self.entries(body);
        let entry = entries.iter().filter(|entry| entry.is(word)).nth(index)?;
        Some((entry.head.clone(), entry.body.clone()))
    }

    /// A track: an item with braces that is not static. Some tools omit the enclosing braces.
    fn track(&self, body: Range<usize>, row: &TrackRow) -> Option<Place> {
        let group = self.inside(body.clone(), grammar::group_of(row), 0).and_then(|(_, body)| body);
        let of = |body| {
            let entries = self.entries(body);
            let mut tracks = entries.iter().filter(|entry| entry.body.is_some() && !entry.is_static);
            tracks.find(|entry| entry.is(row.keyword)).map(|entry| (entry.head.clone(), entry.body.clone()))
        };
        group.and_then(of).or_else(|| of(body))
    }

    /// The content of a block.
    fn entries(&self, body: Range<usize>) -> Rc<[Entry<'t>]> {
        let mut known = self.inside.borrow_mut();
        known.entry(body.start).or_insert_with(|| entries(self.text, body).into()).clone()
    }
}

/// Span of an item, and of its content.
type Place = (Range<usize>, Option<Range<usize>>);

/// The element of a chunk's array that a finding is about, if it is about one.
fn element_of(document: &Document<'_>, chunk: &str, ordinal: usize, finding: &Diagnostic) -> Option<usize> {
    let root = &document.root;
    let mut start = root.kind.framing.header_len();
    let mut seen = 0;
    for node in root.children() {
        if node.kind.name == chunk {
            if seen == ordinal {
                let slot = node.slots().last()?;
                let first = start + node.kind.framing.header_len() + slot.start;
                let at = usize::try_from(finding.span.start).ok()?.checked_sub(first)?;
                let is_part = finding.span.end - finding.span.start < node.len() as u64;
                return is_part.then_some(at / slot.slot.item.size().max(1));
            }
            seen += 1;
        }
        start += node.len();
    }
    None
}

/// The steps of a path: names and positions, without labels.
fn steps(path: &str) -> Vec<(&str, usize)> {
    let mut steps = Vec::new();
    let mut rest = path;
    while let Some((name, after)) = rest.split_once('[') {
        let Some((ordinal, after)) = after.split_once(']') else { break };
        steps.push((name, ordinal.parse().unwrap_or_default()));
        rest = match after.strip_prefix(" \"") {
            Some(label) => after_label(label),
            None => after,
        };
        rest = rest.strip_prefix('/').unwrap_or_default();
    }
    steps
}

/// The text after the closing quote of a label, in which quotes and backslashes are escaped.
fn after_label(label: &str) -> &str {
    let mut escaped = false;
    for (at, letter) in label.char_indices() {
        match letter {
            '"' if !escaped => return &label[at + 1..],
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    ""
}

/// The words of a range of text, except those in nested braces.
fn entries(text: &[u8], within: Range<usize>) -> Vec<Entry<'_>> {
    let mut lexer = Lexer::new(text.get(..within.end).unwrap_or_default());
    lexer.back_to(within.start.min(within.end));
    let mut entries = Vec::new();
    loop {
        match lexer.peek() {
            Next::End => return entries,
            Next::Word => {
                let start = lexer.next_span().start;
                let mut word = lexer.word().unwrap_or_default();
                let is_static = word.eq_ignore_ascii_case(b"static");
                if is_static {
                    word = lexer.word().unwrap_or_default();
                }
                let mut end = lexer.position();
                while let Next::Text | Next::Number = lexer.peek() {
                    if lexer.string().is_none() && lexer.float().is_none() {
                        lexer.bump();
                    }
                    end = lexer.position();
                    lexer.arrow();
                }
                let body = lexer.is_block().then(|| {
                    let opened = lexer.position();
                    lexer.bump();
                    lexer.skip_block(opened);
                    // A block without a closing brace extends to the end.
                    opened + 1..lexer.position().saturating_sub(1).max(opened + 1)
                });
                entries.push(Entry { word, head: start..end, body, is_static });
            }
            Next::Open => {
                let opened = lexer.position();
                lexer.bump();
                lexer.skip_block(opened);
            }
            Next::Text => {
                lexer.string();
            }
            Next::Number if lexer.float().is_some() => {}
            Next::Number | Next::Close | Next::Other => lexer.bump(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find<'t>(text: &'t [u8], path: &str, bytes: Range<u64>) -> Option<&'t str> {
        let (document, _) = crate::mdl::parse(text);
        let error = record::Error::new("X", bytes, "");
        let finding = Diagnostic { path: path.to_owned(), ..error.into() };
        let place = Places::new(text).find(&document.expect("a model"), &finding)?;
        std::str::from_utf8(&text[place]).ok()
    }

    #[test]
    fn every_sort_of_part_is_found() {
        let file = crate::build::samples().swap_remove(0).1;
        let document = Document::parse(&file).expect("the sample");
        let text = crate::mdl::write(&document, &crate::mdl::Options::default()).expect("text");
        for (path, head) in [
            ("MODL[0]", "Model \"Sample\""),
            ("GLBS[0]", "GlobalSequences 1"),
            ("MTLS[0]/Material[0]/LAYS[0]/Layer[1]/KMTA[0]", "Alpha 2"),
            ("MTLS[0]/Material[0]/LAYS[0]/Layer[1]/LayerHeader[0]", "Layer"),
            ("TXAN[0]/TextureAnimation[0]/KTAR[0]", "Rotation 2"),
            ("GEOS[0]/Geoset[0]/PVTX[0]", "Faces 1 6"),
            ("GEOS[0]/Geoset[0]/UVAS[0]/UVBS[0]", "TVertices 4"),
            ("GEOS[0]/Geoset[0]/Extents[0]", "Anim"),
            ("GEOA[0]/GeosetAnimation[0]/KGAC[0]", "Color 2"),
            ("BONE[0]/Bone[1] \"Arm\"", "Bone \"Arm\""),
            ("BONE[0]/Bone[0] \"Root\"/Node[0]/KGRT[0]", "Rotation 3"),
            ("PRE2[0]/ParticleEmitter2[0] \"a \\\"/[3]\"/KP2S[0]", "Speed 2"),
            ("PIVT[0]", "PivotPoints 11"),
            ("CAMS[0]/Camera[0] \"Portrait\"/KTTR[0]", "Translation 2"),
            ("EVTS[0]/EventObject[0]/KEVT[0]", "EventTrack 2"),
        ] {
            assert_eq!(find(&text, path, 0..0), Some(head), "{path}");
        }
        assert_eq!(find(&text, "", 0..0), None);
        assert_eq!(find(&text, "SNEM[0]", 0..0), None);
        // The second sequence: its record, after the headers of the file, the version, the model and the chunk.
        let second = 4 + 12 + (8 + 372) + 8 + 132;
        assert_eq!(find(&text, "SEQS[0]", second..second + 132), Some("Anim \"Death\""));
    }

    #[test]
    fn whatever_the_text_looking_through_it_ends() {
        for text in
            [&b"{{{"[..], b"Geoset {", b"Geoset { Vertices 3 { { 1", b"} } Model \"", b"Bone \"a\" 3 <= {"]
        {
            let places = Places::new(text);
            let document = Document::parse(&crate::build::samples()[0].1).expect("the sample").into_owned();
            for path in ["GEOS[0]/Geoset[0]/VRTX[0]", "BONE[0]/Bone[9]", "MODL[0", "MODL[x]"] {
                let error = record::Error::new("X", 0..9, "");
                let place = places.find(&document, &Diagnostic { path: path.to_owned(), ..error.into() });
                assert!(place.is_none_or(|place| place.end <= text.len()));
            }
        }
    }
}
