//! Writing a changed model over the text that it was read from. Comments, line endings and the spelling of everything
//! else are kept.
//!
//! The model is written twice, before and after the change. Where the two texts differ, the same item is searched in the
//! user's text: block by block, then item by item, and finally token by token. Only tokens with another meaning are
//! replaced.

use std::collections::HashMap;
use std::ops::Range;

use record::{Error, Severity};

use super::number;
use crate::Document;

/// Start of the comments that preserve data MDL cannot express.
const KEPT: &[u8] = b"// meshwright ";

/// Writes a changed model over the text that it was read from. `before` is the model that the text says. Only the values that differ are
/// replaced: comments, line endings, the order of items and the spelling of numbers stay as the user wrote them. Where that cannot be done,
/// the whole text is written anew, as [`write`](super::write()) does, with the line endings of the text.
///
/// ```
/// let text = b"Version { FormatVersion 800, } // old\r\nModel \"Box\" { BlendTime 1.5e2, } // mine\r\n";
/// let before = meshwright_mdx::mdl::parse(text).0.unwrap();
/// let mut after = before.clone();
/// after.root.find_mut("MODL").unwrap().value_mut::<meshwright_mdx::records::Model>().unwrap().blend_time.set(99);
/// let patched = meshwright_mdx::mdl::patch(text, &before, &after)?;
/// assert_eq!(patched, b"Version { FormatVersion 800, } // old\r\nModel \"Box\" { BlendTime 99, } // mine\r\n");
/// # Ok::<(), meshwright_mdx::Error>(())
/// ```
pub fn patch(text: &[u8], before: &Document<'_>, after: &Document<'_>) -> Result<Vec<u8>, Error> {
    let options = super::Options::default();
    let (old, new) = (super::write(before, &options)?, super::write(after, &options)?);
    let wanted = after.to_bytes()?;
    let says_it = |text: &Vec<u8>| {
        let (read, found) = super::parse(text);
        let sound = !found.iter().any(|finding| finding.severity == Severity::Error);
        sound && read.and_then(|read| read.to_bytes().ok()).is_some_and(|bytes| bytes == wanted)
    };
    let patcher = Patcher { own: text, old: &old, new: &new, ending: ending(text) };
    for depth in [Depth::Tokens, Depth::Blocks] {
        if let Some(patched) = patcher.patched(depth).filter(says_it) {
            return Ok(patched);
        }
    }
    Ok(with_ending(&new, patcher.ending))
}

/// The depth to which a difference is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// To single words and numbers.
    Tokens,
    /// To the blocks of the file.
    Blocks,
}

/// A word, number, string or brace. Commas, colons, blanks and comments separate tokens.
type Token = Range<usize>;

/// A replacement of a range of the user's text.
struct Edit {
    place: Range<usize>,
    with: Vec<u8>,
}

struct Patcher<'t> {
    /// The user's text.
    own: &'t [u8],
    /// The model before and after the change, in our spelling.
    old: &'t [u8],
    new: &'t [u8],
    /// The user's line ending.
    ending: &'static [u8],
}

/// The line ending that a text uses.
fn ending(text: &[u8]) -> &'static [u8] {
    match text.iter().position(|byte| *byte == b'\n') {
        Some(at) if at > 0 && text[at - 1] == b'\r' => b"\r\n",
        _ => b"\n",
    }
}

/// The text with other line endings.
fn with_ending(text: &[u8], ending: &[u8]) -> Vec<u8> {
    if ending == b"\n" {
        return text.to_vec();
    }
    let line = |byte: &u8| if *byte == b'\n' { ending.to_vec() } else { vec![*byte] };
    text.iter().flat_map(line).collect()
}

fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut index = 0;
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | 0x0B | 0x0C);
    let is_plain = |byte: u8| !is_blank(byte) && !matches!(byte, b'{' | b'}' | b'"');
    while let Some(byte) = text.get(index) {
        let start = index;
        index += match byte {
            byte if is_blank(*byte) => 1,
            b'/' if text.get(index + 1) == Some(&b'/') => {
                text[index..].iter().position(|byte| *byte == b'\n').unwrap_or(text.len() - index)
            }
            b'{' | b'}' => 1,
            b'"' => text[index + 1..]
                .iter()
                .position(|byte| *byte == b'"')
                .map_or(text.len() - index, |end| end + 2),
            _ => {
                let rest = &text[index..];
                let end = |index: &usize| !is_plain(rest[*index]) || rest[*index..].starts_with(b"//");
                (1..rest.len()).find(end).unwrap_or(rest.len())
            }
        };
        if !is_blank(*byte) && !text[start..].starts_with(b"//") {
            tokens.push(start..index);
        }
    }
    tokens
}

/// Whether two tokens have the same meaning: numbers by value, words ignoring case.
fn same_token(a: &[u8], b: &[u8]) -> bool {
    if a == b {
        return true;
    }
    let is_text = |token: &[u8]| token.starts_with(b"\"");
    if is_text(a) || is_text(b) {
        return false;
    }
    match (whole(a), whole(b), float(a), float(b)) {
        (Some(a), Some(b), ..) => a == b,
        (.., Some(a), Some(b)) => a.to_bits() == b.to_bits(),
        _ => a.eq_ignore_ascii_case(b),
    }
}

/// The value of a token that is a number.
fn float(token: &[u8]) -> Option<f32> {
    number::float(token).filter(|(_, length)| *length == token.len()).map(|(value, _)| value)
}

/// The integer value of a token; floats cannot represent all of them. Negative zero is not an integer.
fn whole(token: &[u8]) -> Option<i64> {
    std::str::from_utf8(token).ok()?.parse().ok().filter(|value| *value != 0 || token == b"0")
}

/// One item of a block, or one block of the file: its tokens.
#[derive(Clone, Debug)]
struct Item {
    tokens: Range<usize>,
}

/// Text with its tokens.
#[derive(Clone, Copy)]
struct Source<'s> {
    text: &'s [u8],
    tokens: &'s [Token],
}

impl<'s> Source<'s> {
    fn token(&self, index: usize) -> &'s [u8] {
        self.tokens.get(index).and_then(|token| self.text.get(token.clone())).unwrap_or_default()
    }

    /// The text from the first token of a range to the last.
    fn stretch(&self, range: &Range<usize>) -> Range<usize> {
        match (self.tokens.get(range.start), range.end.checked_sub(1).and_then(|last| self.tokens.get(last)))
        {
            (Some(first), Some(last)) if range.start < range.end => first.start..last.end,
            _ => 0..0,
        }
    }

    /// The items between two tokens. An item ends with a comma or a closing brace outside of its own braces.
    fn items(&self, range: Range<usize>) -> Vec<Item> {
        let mut items = Vec::new();
        let (mut start, mut depth) = (range.start, 0_usize);
        for index in range.clone() {
            match self.token(index) {
                b"{" => depth += 1,
                b"}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            let after = self.tokens.get(index).map_or(0, |token| token.end);
            let next = self.tokens.get(index + 1).map_or(self.text.len(), |token| token.start);
            let comma = without_comments(self.text.get(after..next).unwrap_or_default()).contains(&b',');
            if depth == 0 && (self.token(index) == b"}" || comma) || index + 1 == range.end {
                items.push(Item { tokens: start..index + 1 });
                start = index + 1;
            }
        }
        items
    }

    /// Key of an item: its first words, and the number of equal items before it.
    fn keyed(&self, items: &[Item]) -> Vec<((Vec<u8>, usize), Item)> {
        let mut seen: HashMap<Vec<u8>, usize> = HashMap::new();
        let key = |item: &Item| {
            let mut words = Vec::new();
            for at in item.tokens.clone() {
                let token = self.token(at).to_ascii_lowercase();
                // `static` belongs to the word that follows it.
                let is_static = token == b"static";
                let is_word = token.first().is_some_and(u8::is_ascii_alphabetic) && float(&token).is_none();
                if is_word {
                    words.extend(token);
                }
                if !is_static {
                    break;
                }
            }
            let ordinal = seen.entry(words.clone()).or_default();
            *ordinal += 1;
            ((words, *ordinal - 1), item.clone())
        };
        items.iter().map(key).collect()
    }

    /// The head of an item and the content of the braces at its end, if it has braces.
    fn braces(&self, item: &Item) -> Option<(Range<usize>, Range<usize>)> {
        let open = item.tokens.clone().find(|index| self.token(*index) == b"{")?;
        let last = item.tokens.end.checked_sub(1).filter(|last| *last > open && self.token(*last) == b"}")?;
        Some((item.tokens.start..open, open + 1..last))
    }
}

/// Text without comments. It contains no strings.
fn without_comments(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        let end = line.windows(2).position(|pair| pair == b"//").unwrap_or(line.len());
        plain.extend_from_slice(&line[..end]);
    }
    plain
}

/// Whether two ranges have the same meaning.
fn same(a: Source<'_>, b: Source<'_>, [in_a, in_b]: [&Range<usize>; 2]) -> bool {
    in_a.len() == in_b.len()
        && in_a.clone().zip(in_b.clone()).all(|(at, bt)| same_token(a.token(at), b.token(bt)))
}

impl Patcher<'_> {
    fn patched(&self, depth: Depth) -> Option<Vec<u8>> {
        let (own, old, new) = (tokens(self.own), tokens(self.old), tokens(self.new));
        let search = Search {
            own: Source { text: self.own, tokens: &own },
            old: Source { text: self.old, tokens: &old },
            new: Source { text: self.new, tokens: &new },
            ending: self.ending,
            depth,
        };
        let mut edits = Vec::new();
        search.region([0..own.len(), 0..old.len(), 0..new.len()], self.own.len(), &mut edits)?;
        self.kept(&mut edits);
        edits.sort_by_key(|edit| (edit.place.start, edit.place.end));
        let (mut patched, mut from) = (Vec::with_capacity(self.own.len()), 0);
        for edit in edits {
            patched.extend_from_slice(self.own.get(from..edit.place.start)?);
            patched.extend(edit.with);
            from = edit.place.end;
        }
        patched.extend_from_slice(self.own.get(from..)?);
        Some(patched)
    }

    /// Replaces the comments that preserve data MDL cannot express, if they differ.
    fn kept(&self, edits: &mut Vec<Edit>) {
        let lines = |text: &[u8]| -> Vec<Range<usize>> {
            let mut at = 0;
            let lines = text.split_inclusive(|byte| *byte == b'\n').map(|line| {
                at += line.len();
                at - line.len()..at
            });
            lines.filter(|line| text[line.clone()].starts_with(KEPT)).collect()
        };
        let said = |text: &[u8]| -> Vec<u8> {
            lines(text).into_iter().flat_map(|line| text[line].to_vec()).collect()
        };
        let new = said(self.new);
        if said(self.old) == new {
            return;
        }
        let own = lines(self.own);
        let end = own.last().map_or(self.own.len(), |line| line.end);
        edits.extend(own.into_iter().map(|place| Edit { place, with: Vec::new() }));
        edits.push(Edit { place: end..end, with: with_ending(&new, self.ending) });
    }
}

struct Search<'s> {
    own: Source<'s>,
    old: Source<'s>,
    new: Source<'s>,
    ending: &'static [u8],
    depth: Depth,
}

/// The tokens of the same part in the three texts.
type Regions = [Range<usize>; 3];

impl Search<'_> {
    /// The differences in a list of items that ends at `end` in the user's text; `None` if they are ambiguous.
    fn region(&self, regions: Regions, end: usize, edits: &mut Vec<Edit>) -> Option<()> {
        let [own, old, new] = &regions;
        if same(self.old, self.new, [old, new]) {
            return Some(());
        }
        if self.depth == Depth::Tokens && same(self.own, self.old, [own, old]) {
            if old.len() == new.len() {
                self.replace_tokens(own, new, edits);
                return Some(());
            }
            if self.list(&regions, end, edits)? {
                return Some(());
            }
        }
        let own = self.own.keyed(&self.own.items(own.clone()));
        let old: HashMap<_, _> = self.old.keyed(&self.old.items(old.clone())).into_iter().collect();
        let new = self.new.keyed(&self.new.items(new.clone()));
        let new_items: HashMap<_, _> = new.iter().cloned().collect();
        for (key, item) in &own {
            match (old.get(key), new_items.get(key)) {
                (Some(old), Some(new)) => self.item([item, old, new], edits)?,
                (None, Some(new)) => self.replace_item(item, new, edits),
                (Some(_), None) => edits.push(Edit { place: self.removable(item), with: Vec::new() }),
                (None, None) => {}
            }
        }
        // A new item is inserted after its predecessor.
        let own: HashMap<_, _> = own.into_iter().collect();
        let mut after = None;
        for (key, item) in &new {
            match (own.get(key), old.get(key)) {
                (Some(own), _) => after = Some(own.clone()),
                (None, Some(old)) if same(self.old, self.new, [&old.tokens, &item.tokens]) => {}
                (None, _) => self.insert(after.as_ref(), end, item, edits),
            }
        }
        Some(())
    }

    /// The differences in one item that all three texts have.
    fn item(&self, [own, old, new]: [&Item; 3], edits: &mut Vec<Edit>) -> Option<()> {
        if same(self.old, self.new, [&old.tokens, &new.tokens]) {
            return Some(());
        }
        if self.depth == Depth::Blocks {
            self.replace_item(own, new, edits);
            return Some(());
        }
        if old.tokens.len() == new.tokens.len() && same(self.own, self.old, [&own.tokens, &old.tokens]) {
            self.replace_tokens(&own.tokens, &new.tokens, edits);
            return Some(());
        }
        match (self.own.braces(own), self.old.braces(old), self.new.braces(new)) {
            (Some((own_head, own_body)), Some((old_head, old_body)), Some((new_head, new_body))) => {
                let heads = [own_head, old_head, new_head];
                if !same(self.old, self.new, [&heads[1], &heads[2]]) {
                    if heads[0].len() != heads[2].len() {
                        return None;
                    }
                    for (at, new) in heads[0].clone().zip(heads[2].clone()) {
                        self.replace_token(at, new, edits);
                    }
                }
                let end = self.own.tokens.get(own_body.end)?.start;
                self.region([own_body, old_body, new_body], end, edits)
            }
            _ => {
                self.replace_item(own, new, edits);
                Some(())
            }
        }
    }

    /// Replaces one token by another if they differ.
    fn replace_token(&self, own: usize, new: usize, edits: &mut Vec<Edit>) {
        if !same_token(self.own.token(own), self.new.token(new))
            && let Some(place) = self.own.tokens.get(own)
        {
            edits.push(Edit { place: place.clone(), with: self.new.token(new).to_vec() });
        }
    }

    /// Replaces the tokens that differ, if the user's text has the same meaning as our old one.
    fn replace_tokens(&self, own: &Range<usize>, new: &Range<usize>, edits: &mut Vec<Edit>) {
        own.clone().zip(new.clone()).for_each(|(own, new)| self.replace_token(own, new, edits));
    }

    /// The differences in a list whose items are the same in the user's text and in our old text. Equal items at both
    /// ends stay. Returns whether it was possible.
    fn list(&self, [own, old, new]: &Regions, end: usize, edits: &mut Vec<Edit>) -> Option<bool> {
        let own = self.own.items(own.clone());
        let (old, new) = (self.old.items(old.clone()), self.new.items(new.clone()));
        if own.len() != old.len() {
            return Some(false);
        }
        if old.len() == new.len() {
            for (own, (old, new)) in own.iter().zip(old.iter().zip(&new)) {
                self.item([own, old, new], edits)?;
            }
            return Some(true);
        }
        let equal = |(old, new): &(&Item, &Item)| same(self.old, self.new, [&old.tokens, &new.tokens]);
        let before = old.iter().zip(&new).take_while(equal).count();
        let room = old.len().min(new.len()) - before;
        let after = old.iter().rev().zip(new.iter().rev()).take_while(equal).take(room).count();
        for item in &own[before..own.len() - after] {
            edits.push(Edit { place: self.removable(item), with: Vec::new() });
        }
        let last = before.checked_sub(1).and_then(|index| own.get(index));
        // If there is no item before the new one, the next unchanged item gives the place.
        let end =
            own.first().filter(|_| last.is_none()).map_or(end, |first| self.own.stretch(&first.tokens).start);
        for item in &new[before..new.len() - after] {
            self.insert(last, end, item, edits);
        }
        Some(true)
    }

    /// Inserts an item on a separate line, after another or at `end`.
    fn insert(&self, after: Option<&Item>, end: usize, item: &Item, edits: &mut Vec<Edit>) {
        let start = || self.own.text[..end].trim_ascii_end().len();
        let at = after.map_or_else(start, |item| {
            let behind = self.behind(item);
            // A comment on the same line belongs to the item before it.
            let line = self.own.text[behind..]
                .split(|byte| *byte == b'\n')
                .next()
                .unwrap_or_default()
                .trim_ascii_end();
            if line.trim_ascii_start().starts_with(b"//") { behind + line.len() } else { behind }
        });
        edits.push(Edit { place: at..at, with: self.inserted(item) });
    }

    fn replace_item(&self, own: &Item, new: &Item, edits: &mut Vec<Edit>) {
        let with = with_ending(&self.new.text[self.new.stretch(&new.tokens)], self.ending);
        edits.push(Edit { place: self.own.stretch(&own.tokens), with });
    }

    /// The end of an item, including its comma.
    fn behind(&self, item: &Item) -> usize {
        let end = self.own.stretch(&item.tokens).end;
        let blanks = self.own.text[end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if self.own.text.get(end + blanks) == Some(&b',') { end + blanks + 1 } else { end }
    }

    /// An item with its comma, and its whole line if nothing else is on it.
    fn removable(&self, item: &Item) -> Range<usize> {
        let (start, end) = (self.own.stretch(&item.tokens).start, self.behind(item));
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let before = self.own.text[..start].iter().rev().take_while(is_blank).count();
        let after =
            self.own.text[end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        let starts_line = start == before || self.own.text[start - before - 1] == b'\n';
        if starts_line && self.own.text.get(end + after) == Some(&b'\n') {
            start - before..end + after + 1
        } else {
            start..end
        }
    }

    /// A new item on a separate line.
    fn inserted(&self, item: &Item) -> Vec<u8> {
        let place = self.new.stretch(&item.tokens);
        let line =
            self.new.text[..place.start].iter().rposition(|byte| *byte == b'\n').map_or(0, |index| index + 1);
        let indent = self.new.text[line..place.start].iter().take_while(|byte| **byte == b'\t').count();
        let comma = self.new.text.get(place.end) == Some(&b',');
        let mut text = b"\n".to_vec();
        text.extend(std::iter::repeat_n(b'\t', indent));
        text.extend_from_slice(&self.new.text[place]);
        text.extend(comma.then_some(b','));
        with_ending(&text, self.ending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Model;

    /// Patches a text after a change to its model.
    fn changed(text: &str, change: impl FnOnce(&mut Document<'_>)) -> String {
        let before = super::super::parse(text.as_bytes()).0.expect("a model");
        let mut after = before.clone();
        change(&mut after);
        let patched = patch(text.as_bytes(), &before, &after).expect("text");
        let (read, found) = super::super::parse(&patched);
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(read.expect("a model").to_bytes().ok(), after.to_bytes().ok());
        String::from_utf8(patched).expect("text")
    }

    fn blend(document: &mut Document<'_>, time: u32) {
        document
            .root
            .find_mut("MODL")
            .and_then(|node| node.value_mut::<Model>())
            .expect("a model")
            .blend_time
            .set(time);
    }

    const TEXT: &str = "// Saved by hand\r\nVersion { FormatVersion 800, }\r\nModel \"Box\" { // the box\r\n\tMinimumExtent { -1.50, -1e0, 0 }, BlendTime 150, // fast\r\n}\r\nTextures 2 {\r\n\tBitmap { Image \"a.blp\", } // first\r\n\tBitmap {\r\n\t\tImage \"b.blp\",\r\n\t\tWrapWidth,\r\n\t}\r\n}\r\nHelper \"h\" {\r\n\tObjectId 0,\r\n}\r\nPivotPoints 1 {\r\n\t{ 0.0, 1.00, -0 }, // of the helper\r\n}\r\n";

    #[test]
    fn one_number_changes_and_nothing_else() {
        assert_eq!(
            changed(TEXT, |document| blend(document, 151)),
            TEXT.replace("BlendTime 150", "BlendTime 151")
        );
    }

    #[test]
    fn a_string_in_a_list_changes_and_nothing_else() {
        let text = changed(TEXT, |document| {
            let textures =
                document.root.find_mut("TEXS").expect("textures").values_mut::<crate::records::Texture>();
            textures[1].path = record::Chars::new("war3mapImported\\c.blp").expect("short");
        });
        assert_eq!(text, TEXT.replace("b.blp", "war3mapImported\\c.blp"));
    }

    #[test]
    fn one_coordinate_changes_and_its_neighbours_keep_their_spelling() {
        let text = changed(TEXT, |document| {
            let pivots = document.root.find_mut("PIVT").expect("pivots").values_mut::<record::Vec3>();
            pivots[0] = record::Vec3::new(0.0, 2.5, -0.0);
        });
        assert_eq!(text, TEXT.replace("{ 0.0, 1.00, -0 }", "{ 0.0, 2.5, -0 }"));
    }

    #[test]
    fn an_element_more_keeps_the_comments_of_the_others() {
        let text = changed(TEXT, |document| {
            let node = document.root.find_mut("PIVT").expect("pivots");
            node.set_values(&[record::Vec3::new(0.0, 1.0, -0.0), record::Vec3::new(1.0, 2.0, 3.0)])
                .expect("an array");
        });
        assert!(text.contains("PivotPoints 2 {\r\n\t{ 0.0, 1.00, -0 }"), "{text}");
        assert!(text.contains("// of the helper") && text.starts_with("// Saved by hand\r\n"), "{text}");
        assert!(!text.replace("\r\n", "").contains('\n'), "{text}");
    }

    #[test]
    fn a_value_that_the_text_left_out_is_added_and_one_that_is_usual_again_goes() {
        let text = changed(TEXT, |document| {
            let model =
                document.root.find_mut("MODL").and_then(|node| node.value_mut::<Model>()).expect("a model");
            model.extent.radius.set(7.0);
            model.extent.minimum = record::Vec3::default();
        });
        assert!(text.contains("BoundsRadius 7,") && text.contains("BlendTime 150, // fast"), "{text}");
        assert!(text.contains("Bitmap { Image \"a.blp\", } // first"), "{text}");
        assert!(!text.replace("\r\n", "").contains('\n'), "{text}");
    }

    #[test]
    fn samples_keep_all_but_what_changes() {
        for (name, bytes) in crate::build::samples() {
            let document = Document::parse(&bytes).expect("a sample");
            let Ok(text) = crate::mdl::write(&document, &crate::mdl::Options::default()) else { continue };
            let text = with_ending(&text, b"\r\n");
            let before = crate::mdl::parse(&text).0.expect("a model");
            let mut after = before.clone();
            blend(&mut after, 4321);
            let patched = patch(&text, &before, &after).expect("text");
            let lines =
                |text: &[u8]| text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
            let (a, b) = (lines(&text), lines(&patched));
            let is_kept = |line: &Vec<u8>| line.starts_with(KEPT);
            let differ = a.iter().zip(&b).filter(|(a, b)| a != b && !is_kept(a)).count();
            assert_eq!((a.len(), differ), (b.len(), 1), "{name}");
        }
    }
}
