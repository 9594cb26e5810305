//! The text of MDL files: counts, commas, items, encoding. The reader of MDL does not need these; the game and other tools do.

use std::borrow::Cow;
use std::ops::Range;

use record::Severity::{self, Error, Warning};
use record::{Diagnostic, decode};

use crate::rule::Rule;
use crate::words::{miscounted, thousands};

pub(crate) static RULES: &[Rule] = &[
    Rule::reader(
        "MDL-COUNT-001",
        Warning,
        "the grammar of MDL: counts before blocks",
        "a count differs from what follows it",
        "The number before a block says how many elements it has. The game and other tools allocate by it: with a smaller number they lose \
         elements or crash, with a larger one they read on. Correct the number, or convert the file to MDL again, which writes right counts.",
    ),
    Rule::reader(
        "MDL-COMMA-001",
        Warning,
        "the grammar of MDL: items end with a comma",
        "a comma is missing",
        "Values are separated by commas, and every item ends with one. We do not need them; the game and other tools refuse the model or take \
         the next word for a part of the value.",
    ),
    Rule::reader(
        "MDL-ITEM-001",
        Warning,
        "the grammar of MDL: Geoset",
        "a geoset has no MaterialID",
        "Without `MaterialID` the geoset gets material 0, or none in other tools. State which material it has.",
    ),
    Rule::reader(
        "MDL-TEXT-002",
        Error,
        "git: conflict markers",
        "an unresolved merge conflict",
        "A version control system left both versions of a part in the file, between lines of `<<<<<<<`, `=======` and `>>>>>>>`. Choose one \
         version and delete the markers.",
    ),
    Rule::reader(
        "MDL-TEXT-003",
        Warning,
        "Warcraft III 1.30 and later take text as UTF-8",
        "the text is not UTF-8",
        "A name or path has bytes that are not valid UTF-8: it was saved in a code page such as Latin-1. The game finds a file of that name \
         only on machines with the same code page. Save the file as UTF-8, or use ASCII names.",
    ),
    Rule::reader(
        "MDL-TEXT-004",
        Error,
        "byte order marks",
        "the text is UTF-16",
        "An editor saved the file as UTF-16, which neither the game nor any tool reads. Save it as UTF-8.",
    ),
    Rule::reader(
        "MDL-TEXT-005",
        Error,
        "our own limit",
        "the text has too many parts",
        "The text has more than two million parts, such as geosets and layers. It is not read, because it would take more memory than \
         any real model.",
    ),
];

/// Maximum number of findings of a kind: a text with more is damaged as a whole.
const MOST: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Word,
    Number,
    Text,
    Open,
    Close,
    Comma,
    Colon,
    Other,
}

/// The tokens of a text, with commas and colons, without comments.
struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = (Token, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let start = self.at;
            let ahead = self.text.get(start..)?;
            let length = |is: fn(&u8) -> bool| ahead.iter().position(|byte| !is(byte)).unwrap_or(ahead.len());
            let (token, length) = match ahead.first()? {
                byte if byte.is_ascii_whitespace() => {
                    self.at += length(u8::is_ascii_whitespace);
                    continue;
                }
                b'/' if ahead.starts_with(b"//") => {
                    self.at += memchr::memchr(b'\n', ahead).unwrap_or(ahead.len());
                    continue;
                }
                b'{' => (Token::Open, 1),
                b'}' => (Token::Close, 1),
                b',' => (Token::Comma, 1),
                b':' => (Token::Colon, 1),
                b'"' => (Token::Text, memchr::memchr(b'"', &ahead[1..]).map_or(ahead.len(), |end| end + 2)),
                b'0'..=b'9' | b'-' | b'+' | b'.' => (Token::Number, length(is_part_of_number)),
                byte if byte.is_ascii_alphabetic() || *byte == b'_' => (Token::Word, length(is_part_of_word)),
                _ => (Token::Other, 1),
            };
            self.at += length;
            return Some((token, start..start + length));
        }
    }
}

const fn is_part_of_number(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(*byte, b'-' | b'+' | b'.' | b'#' | b'_')
}

const fn is_part_of_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// A word and the values after it.
#[derive(Default)]
struct Item {
    word: Range<usize>,
    numbers: Vec<Range<usize>>,
    has_text: bool,
    /// The end of its last value.
    end: usize,
}

/// A block that is open.
#[derive(Default)]
struct Block {
    item: Option<Item>,
    /// Number of blocks directly in it without a word: vectors.
    vectors: usize,
    /// Words directly in it.
    words: usize,
    /// Numbers directly in it that belong to no word.
    numbers: usize,
    /// Numbers that belong to no word, at any depth.
    all_numbers: usize,
    /// Keys: numbers with a colon.
    keys: usize,
    is_track: bool,
    has_material: bool,
    has_vertices: bool,
}

struct Reader<'t> {
    text: &'t [u8],
    stack: Vec<Block>,
    item: Option<Item>,
    found: Vec<Diagnostic>,
    missing_commas: usize,
    first_comma: Option<Range<usize>>,
}

/// Findings about the text of an MDL file that its reader does not report.
pub(crate) fn findings(text: &[u8]) -> Vec<Diagnostic> {
    let mut reader = Reader {
        text,
        stack: vec![Block::default()],
        item: None,
        found: Vec::new(),
        missing_commas: 0,
        first_comma: None,
    };
    reader.read();
    if let Some(at) = reader.first_comma.clone() {
        let more = match reader.missing_commas - 1 {
            0 => String::new(),
            more => format!(" (and {} more)", thousands(more)),
        };
        let last = decode(&text[at.clone()]).into_owned();
        reader.report("MDL-COMMA-001", Warning, at, format!("a comma is missing after `{last}`{more}"));
    }
    reader.encoding();
    reader.found
}

impl Reader<'_> {
    fn report(&mut self, code: &'static str, severity: Severity, span: Range<usize>, message: String) {
        if self.found.len() < MOST {
            self.found.push(Diagnostic {
                code: Cow::Borrowed(code),
                severity,
                span: span.start as u64..span.end as u64,
                path: String::new(),
                message,
                note: None,
            });
        }
    }

    fn is(&self, word: &Range<usize>, wanted: &str) -> bool {
        self.text[word.clone()].eq_ignore_ascii_case(wanted.as_bytes())
    }

    fn read(&mut self) {
        let text = self.text;
        let mut last: Option<(Token, Range<usize>)> = None;
        for (token, span) in (Tokens { text, at: 0 }) {
            let before = last.as_ref().map(|(token, _)| *token);
            match token {
                Token::Word => self.word(&span, last.as_ref()),
                Token::Number => match &mut self.item {
                    Some(item) => {
                        item.numbers.push(span.clone());
                        item.end = span.end;
                    }
                    None => {
                        if before == Some(Token::Number) {
                            self.missing_comma(last.as_ref());
                        }
                        let block = self.top();
                        block.numbers += 1;
                        block.all_numbers += 1;
                    }
                },
                Token::Text => {
                    if let Some(item) = &mut self.item {
                        item.has_text = true;
                        item.end = span.end;
                    }
                }
                Token::Open => {
                    if before == Some(Token::Close) && self.item.is_none() {
                        self.missing_comma(last.as_ref());
                    }
                    let item = self.item.take();
                    self.stack.push(Block { item, ..Block::default() });
                }
                Token::Close => {
                    self.item = None;
                    if self.stack.len() > 1
                        && let Some(block) = self.stack.pop()
                    {
                        self.close(&block);
                        // A vector that is the value of an item needs a comma, a block does not.
                        let is_value = block.item.as_ref().is_some_and(|item| {
                            let whole = &self.text[item.word.start..span.start];
                            item.numbers.is_empty() && !item.has_text && !whole.contains(&b'\n')
                        });
                        let is_vector = block.numbers > 0 && block.vectors + block.words == 0;
                        last = Some((if is_value && is_vector { Token::Text } else { Token::Close }, span));
                        continue;
                    }
                }
                Token::Comma => self.item = None,
                Token::Colon => self.top().keys += 1,
                Token::Other => {}
            }
            last = Some((token, span));
        }
    }

    fn top(&mut self) -> &mut Block {
        if self.stack.is_empty() {
            self.stack.push(Block::default());
        }
        let index = self.stack.len() - 1;
        &mut self.stack[index]
    }

    fn word(&mut self, span: &Range<usize>, last: Option<&(Token, Range<usize>)>) {
        let is_value = match (&self.item, last) {
            (Some(item), Some((Token::Word, before))) if item.end == before.end => {
                // `FilterMode Transparent`, but not a flag with the next item below it.
                let between = self.text.get(before.end..span.start).unwrap_or_default();
                let is_next_line = between.contains(&b'\n');
                if is_next_line {
                    self.missing_comma(last);
                }
                !is_next_line
            }
            (_, Some((Token::Number | Token::Text, _))) => {
                self.missing_comma(last);
                false
            }
            _ => false,
        };
        let word = self.text.get(span.clone()).unwrap_or_default();
        let is = |wanted: &str| word.eq_ignore_ascii_case(wanted.as_bytes());
        let (is_material, is_vertices) = (is("MaterialID"), is("Vertices"));
        let is_track = ["DontInterp", "Linear", "Hermite", "Bezier"].iter().any(|word| is(word));
        let is_static = self.item.as_ref().is_some_and(|item| self.is(&item.word, "static"));
        let block = self.top();
        block.has_material |= is_material;
        block.has_vertices |= is_vertices;
        block.is_track |= is_track;
        if is_value && !is_static {
            if let Some(item) = &mut self.item {
                item.end = span.end;
            }
        } else {
            block.words += usize::from(!is_static);
            self.item = Some(Item { word: span.clone(), end: span.end, ..Item::default() });
        }
    }

    /// Records a missing comma after a token. There are no commas between blocks.
    fn missing_comma(&mut self, last: Option<&(Token, Range<usize>)>) {
        if self.stack.len() > 1
            && let Some((_, span)) = last
        {
            self.missing_commas += 1;
            self.first_comma.get_or_insert(span.clone());
        }
    }

    fn close(&mut self, block: &Block) {
        let above = self.top();
        above.all_numbers += block.all_numbers;
        match &block.item {
            None => above.vectors += 1,
            Some(item) => {
                if self.is(&item.word, "Geoset") && block.has_vertices && !block.has_material {
                    let message = "the geoset has no MaterialID; material 0 is assumed".to_owned();
                    self.report("MDL-ITEM-001", Warning, item.word.clone(), message);
                }
                self.counts(item, block);
            }
        }
    }

    fn counts(&mut self, item: &Item, block: &Block) {
        let [first, rest @ ..] = item.numbers.as_slice() else { return };
        let word = String::from_utf8_lossy(&self.text[item.word.clone()]).to_ascii_lowercase();
        match &*word {
            "vertices" | "normals" | "tvertices" | "tangents" | "pivotpoints" | "matrices"
                if block.vectors > 0 || block.numbers == 0 =>
            {
                self.compare(item, first, block.vectors, ["vector", "vectors"]);
            }
            "skinweights" => {
                let rows = if block.vectors > 0 { block.vectors } else { block.numbers / 8 };
                self.compare(item, first, rows, ["row", "rows"]);
            }
            "sequences" | "textures" | "materials" | "textureanims" | "globalsequences" => {
                self.compare(item, first, block.words, ["element", "elements"]);
            }
            "faces" | "groups" => {
                if word == "groups" {
                    self.compare(item, first, block.words, ["group", "groups"]);
                }
                if let Some(second) = rest.first() {
                    let what = if word == "faces" { ["index", "indices"] } else { ["bone", "bones"] };
                    self.compare(item, second, block.all_numbers, what);
                }
            }
            "eventtrack" => self.compare(item, first, block.numbers, ["time", "times"]),
            _ if block.is_track => self.compare(item, first, block.keys, ["key", "keys"]),
            _ => {}
        }
    }

    fn compare(&mut self, item: &Item, stated: &Range<usize>, there: usize, noun: [&'static str; 2]) {
        let digits = String::from_utf8_lossy(&self.text[stated.clone()]).into_owned();
        if digits.parse() != Ok(there) {
            let word = String::from_utf8_lossy(&self.text[item.word.clone()]).into_owned();
            let message = miscounted(&word, digits, there, noun);
            self.report("MDL-COUNT-001", Warning, stated.clone(), message);
        }
    }

    /// Reports names and paths that are not UTF-8.
    fn encoding(&mut self) {
        let text = self.text;
        if std::str::from_utf8(text).is_ok() {
            return;
        }
        let texts = (Tokens { text, at: 0 }).filter(|(token, _)| *token == Token::Text);
        let mut bad = texts.filter(|(_, span)| std::str::from_utf8(&text[span.clone()]).is_err());
        if let Some((_, span)) = bad.next() {
            let more = match bad.count() {
                0 => String::new(),
                more => format!(" (and {} more)", thousands(more)),
            };
            let message = format!("{} is not UTF-8{more}", decode(&text[span.clone()]));
            self.report("MDL-TEXT-003", Warning, span, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        findings(text.as_bytes()).into_iter().map(|it| format!("{} {}", it.code, it.message)).collect()
    }

    #[test]
    fn what_we_write_is_correct() {
        for (name, bytes) in mdx::build::samples() {
            let document = mdx::Document::parse(&bytes).expect("the sample");
            for dialect in [mdx::mdl::MdlDialect::Game, mdx::mdl::MdlDialect::Hive] {
                let options = mdx::mdl::Options { dialect, ..mdx::mdl::Options::default() };
                let Ok(text) = mdx::mdl::write(&document, &options) else { continue };
                let found = findings(&text);
                assert!(found.is_empty(), "{name}: {found:#?}\n{}", String::from_utf8_lossy(&text));
            }
        }
    }

    #[test]
    fn counts_that_differ_are_found() {
        assert_eq!(
            found("Geoset {\n\tVertices 3 {\n\t\t{ 1, 2, 3 },\n\t}\n\tMaterialID 0,\n}\n"),
            ["MDL-COUNT-001 Vertices says 3 vectors, but there is 1"]
        );
        assert_eq!(
            found(
                "Bone \"a\" {\n\tTranslation 1 {\n\t\tLinear,\n\t\t0: { 1, 2, 3 },\n\t\t9: { 1, 2, 3 },\n\t}\n}\n"
            ),
            ["MDL-COUNT-001 Translation says 1 key, but there are 2"]
        );
        assert_eq!(
            found("Sequences 2 {\n\tAnim \"Stand\" {\n\t\tInterval { 0, 1 },\n\t}\n}\n"),
            ["MDL-COUNT-001 Sequences says 2 elements, but there is 1"]
        );
        let faces = "Geoset { MaterialID 0, Faces 1 6 { Triangles { { 0, 1, 2 }, } } Groups 1 1 { Matrices { 0 }, } }";
        assert_eq!(found(faces), ["MDL-COUNT-001 Faces says 6 indices, but there are 3"]);
    }

    #[test]
    fn missing_commas_and_items_are_found() {
        assert_eq!(
            found("Model \"a\" {\n\tBlendTime 150\n\tMinimumExtent { 1 2, 3 },\n}\n"),
            ["MDL-COMMA-001 a comma is missing after `150` (and 1 more)"]
        );
        assert_eq!(found("Geoset {\n\tVertices 1 {\n\t\t{ 1, 2, 3 },\n\t}\n}\n").len(), 1);
        // A list that is not a value needs no comma.
        let weights = "Geoset {\n\tSkinWeights {\n\t\t0, 0, 0, 0, 255, 0, 0, 0,\n\t}\n\tVertexGroup {\n\t\t0,\n\t}\n\tMaterialID 0,\n}\n";
        assert_eq!(found(weights), [""; 0]);
        assert_eq!(
            found("Textures 1 { Bitmap { Image \"a.blp\"\n WrapWidth, } }"),
            ["MDL-COMMA-001 a comma is missing after `\"a.blp\"`"]
        );
    }

    #[test]
    fn names_in_a_code_page_are_found() {
        let text = b"Bone \"Fl\xFCgel\" { ObjectId 0, }\n// \xFC\n";
        let found = findings(text);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, "\"Flügel\" is not UTF-8");
        assert!(findings("Bone \"Flügel\" { ObjectId 0, }\n".as_bytes()).is_empty());
    }

    #[test]
    fn no_text_is_too_strange() {
        for text in ["", "}}}", "{{{", "\"", "1 2 3", "Faces 1", "Faces 1 6 {", "Vertices x { }", ": , :"] {
            let _ = findings(text.as_bytes());
        }
    }
}
