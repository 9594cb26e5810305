//! Items: words and their values.

use std::ops::Range;

use record::{Node, Severity};

use super::Reader;
use crate::kinds;
use crate::mdl::grammar::{ALIASES, Block, COUNTS, Form, INHERIT, Item};
use crate::mdl::lexer::Next;
use crate::mdl::write::by_word;
use crate::tracks::{Owner, TRACKS, tags};

/// Words inside blocks that are read by hand, to suggest them.
const INNER: &[&str] = &[
    "Vertices",
    "Normals",
    "TVertices",
    "Tangents",
    "VertexGroup",
    "SkinWeights",
    "Faces",
    "Groups",
    "Layer",
    "TextureID",
    "Shader",
];

/// The bytes of an object's fixed parts; `None` for those that the version lacks.
pub(super) type Parts = Vec<Option<Vec<u8>>>;

/// The tracks of an object: those of its node, and its own.
#[derive(Default)]
pub(super) struct Tracks {
    pub(super) node: Vec<Node<'static>>,
    pub(super) own: Vec<Node<'static>>,
}

impl<'t> Reader<'t> {
    /// The name before the braces.
    pub(super) fn name(&mut self, block: &Block, parts: &mut Parts) {
        let span = self.lexer.next_span();
        if let Some(text) = self.lexer.string()
            && let Some((at, size)) = block.name
            && let Some(Some(bytes)) = parts.first_mut()
        {
            let text = self.fit(text, size, span);
            bytes[at..at + text.len()].copy_from_slice(text);
        }
    }

    /// The items of a block up to its closing brace.
    pub(super) fn items(
        &mut self,
        opened: usize,
        block: &'static Block,
        group: &'static str,
        parts: &mut Parts,
        tracks: &mut Tracks,
    ) {
        self.each(opened, |reader, word, span| reader.any_item(word, span, block, group, parts, tracks));
    }

    /// An item of the table that is in no group.
    pub(super) fn node_item(
        &mut self,
        word: &'t [u8],
        span: Range<usize>,
        block: &'static Block,
        parts: &mut Parts,
        tracks: &mut Tracks,
    ) {
        self.any_item(word, span, block, "", parts, tracks);
    }

    fn any_item(
        &mut self,
        word: &'t [u8],
        span: Range<usize>,
        block: &'static Block,
        group: &'static str,
        parts: &mut Parts,
        tracks: &mut Tracks,
    ) {
        let is_static = word.eq_ignore_ascii_case(b"static");
        let (word, span) = if is_static {
            let span = self.lexer.next_span();
            (self.lexer.word().unwrap_or_default(), span)
        } else {
            (word, span)
        };
        let alias = ALIASES.iter().find(|(alias, _)| word.eq_ignore_ascii_case(alias.as_bytes()));
        let word = alias.map_or(word, |(_, word)| word.as_bytes());
        self.item(word, span, is_static, block, group, parts, tracks);
    }

    #[allow(clippy::too_many_arguments, reason = "one call, from the loop above")]
    fn item(
        &mut self,
        word: &'t [u8],
        span: Range<usize>,
        is_static: bool,
        block: &'static Block,
        group: &'static str,
        parts: &mut Parts,
        tracks: &mut Tracks,
    ) {
        if !is_static && self.lexer.is_counted_block() {
            let own = block.owner.and_then(|owner| by_word(owner, group, word));
            let node = || by_word(Owner::Node, "", word).filter(|_| block.node);
            if let Some(row) = own {
                if row.tag == tags::KGAC
                    && let Some(Some(header)) = parts.first_mut()
                {
                    header[4] |= 2;
                }
                let track = self.track(row);
                return tracks.own.push(track);
            }
            if let Some(row) = node() {
                let track = self.track(row);
                return tracks.node.push(track);
            }
        }
        if let Some((item, choice)) = find(block, group, word) {
            self.has_object_id |= item.word == "ObjectId";
            self.has_attachment_id |= item.word == "AttachmentID";
            return self.value(item, choice, &span, block, parts);
        }
        if group.is_empty()
            && let Some(inner) = block
                .items()
                .map(|item| item.group)
                .find(|group| !group.is_empty() && group.as_bytes().eq_ignore_ascii_case(word))
        {
            if let Some(opened) = self.enter() {
                self.items(opened, block, inner, parts, tracks);
            }
            return;
        }
        let bare = INHERIT.iter().find(|(what, _)| {
            let start = word.get(..11).is_some_and(|start| start.eq_ignore_ascii_case(b"DontInherit"));
            start && word[11..].eq_ignore_ascii_case(what.as_bytes())
        });
        if let (true, Some((_, bit)), Some(Some(header))) = (block.node, bare, parts.first_mut()) {
            header[88] |= u8::try_from(*bit).unwrap_or_default();
            return;
        }
        let counts = block.parts.first().is_some_and(|(kind, _)| std::ptr::eq(*kind, kinds::MODL.kind));
        let is_count = COUNTS
            .iter()
            .map(|(count, _)| *count)
            .chain(["NumSoundEmitters"])
            .any(|count| word.eq_ignore_ascii_case(count.as_bytes()));
        if counts && is_count {
            // The counted objects are in the text.
            return self.lexer.skip_item();
        }
        if is_static && word.eq_ignore_ascii_case(b"Visibility") {
            return self.static_visibility(span, block, tracks);
        }
        self.unknown_item(span, block, group);
    }

    /// Reports an item that a block does not have.
    fn unknown_item(&mut self, span: Range<usize>, block: &'static Block, group: &str) {
        let owners = block.owner.into_iter().chain(block.node.then_some(Owner::Node));
        let tracks = owners.flat_map(|owner| TRACKS.iter().filter(move |row| row.owners.contains(&owner)));
        let choices = block.items().flat_map(|item| match item.form {
            Form::Choice(choices) if item.word.is_empty() => choices,
            _ => &[],
        });
        let words = block.items().flat_map(|item| [item.word, item.group]);
        let words = words.chain(choices.map(|(word, _)| *word)).chain(tracks.map(|row| row.keyword));
        let known: Vec<&str> =
            words.filter(|word| !word.is_empty() && *word != group).chain(INNER.iter().copied()).collect();
        self.unknown_word(span, block.word, &known);
    }

    /// Only tracks can hide something in MDX: one that holds its value from the start.
    fn static_visibility(&mut self, span: Range<usize>, block: &'static Block, tracks: &mut Tracks) {
        let row = block.owner.and_then(|owner| by_word(owner, "", b"Visibility"));
        match (row, self.lexer.float()) {
            (Some(row), Some(value)) => {
                if value.to_bits() != 1.0_f32.to_bits() {
                    let mut bytes = vec![0; 4];
                    bytes.extend_from_slice(&u32::MAX.to_le_bytes());
                    bytes.extend_from_slice(&0_i32.to_le_bytes());
                    bytes.extend_from_slice(&value.to_le_bytes());
                    tracks.own.push(Node::leaf(row.kind(crate::Layout::Plain), row.tag, bytes));
                }
            }
            (None, _) => self.unknown_item(span, block, ""),
            (_, None) => self.wrong_value("a number"),
        }
    }

    /// Reads the value of an item into its offset.
    fn value(
        &mut self,
        item: &'static Item,
        choice: Option<u32>,
        span: &Range<usize>,
        block: &Block,
        parts: &mut Parts,
    ) {
        let mut scratch;
        let place = match parts.get_mut(item.part) {
            Some(Some(part)) => &mut part[item.at..item.at + item.form.size()],
            Some(missing) if std::ptr::eq(block.parts[item.part].0, kinds::CAMERA_DEPTH_OF_FIELD.kind) => {
                // Not the version but the camera determines whether it has this.
                let part = missing.insert(block.template(item.part));
                &mut part[item.at..item.at + item.form.size()]
            }
            _ => {
                let message = format!("{} has no such item in version {}", block.word, self.version);
                self.lexer.report(
                    "MDL-WORD-002",
                    Severity::Warning,
                    span.clone(),
                    &message,
                    Some("it is ignored"),
                );
                scratch = vec![0; item.form.size()];
                &mut scratch
            }
        };
        let read = match item.form {
            Form::Int | Form::Uint => {
                self.lexer.integer().map(|value| place.copy_from_slice(&value.to_le_bytes()))
            }
            Form::IntOr(word) => {
                let value = if self.lexer.accept_word(word) { Some(u32::MAX) } else { self.lexer.integer() };
                value.map(|value| place.copy_from_slice(&value.to_le_bytes()))
            }
            Form::Float => self.lexer.float().map(|value| place.copy_from_slice(&value.to_le_bytes())),
            Form::Vector(_) => self.floats(place),
            Form::Color => self.color(place),
            Form::Tint => {
                place[0] |= 2;
                self.color(&mut place[4..])
            }
            Form::Colors => self.colors(place),
            Form::Uints(_) => self.braced(place.chunks_exact_mut(4), |reader, word| {
                reader.lexer.integer().map(|value| word.copy_from_slice(&value.to_le_bytes()))
            }),
            Form::Bytes(_) => self.braced(place.iter_mut(), |reader, byte| {
                reader.lexer.integer().map(|value| *byte = u8::try_from(value).unwrap_or(u8::MAX))
            }),
            Form::Text(size) => {
                let span = self.lexer.next_span();
                self.lexer.string().map(|text| {
                    let text = self.fit(text, size, span);
                    place.fill(0);
                    place[..text.len()].copy_from_slice(text);
                })
            }
            Form::Flag(bits) => {
                set_bits(place, bits);
                Some(())
            }
            Form::Choice(choices) => {
                let value = choice.or_else(|| {
                    let span = self.lexer.next_span();
                    let word = self.lexer.word().unwrap_or_default();
                    let value = choices.iter().find(|(name, _)| word.eq_ignore_ascii_case(name.as_bytes()));
                    if value.is_none() && !word.is_empty() {
                        let word = record::decode(word);
                        let near = record::nearest(choices.iter().map(|(name, _)| *name), &word);
                        let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                        let message = format!("invalid value of {}: {word}{near}", item.word);
                        self.lexer.error("MDL-VALUE-004", span, &message, None);
                    }
                    value.map(|(_, value)| *value).or_else(|| (!word.is_empty()).then_some(0))
                });
                value.map(|value| place.copy_from_slice(&value.to_le_bytes()))
            }
            Form::Inherit => self.inherit(place),
        };
        if read.is_none() {
            self.wrong_value(match item.form {
                Form::Text(_) => "a string",
                Form::Choice(_) | Form::Inherit => "a word",
                Form::Int | Form::Uint | Form::IntOr(_) | Form::Float => "a number",
                _ => "numbers in braces",
            });
        }
    }

    /// Reports an invalid value and continues with the next item.
    pub(super) fn wrong_value(&mut self, wanted: &str) {
        self.lexer.unexpected(wanted);
        self.lexer.skip_item();
    }

    fn inherit(&mut self, place: &mut [u8]) -> Option<()> {
        let braces = self.lexer.accept(b'{');
        while let Next::Word = self.lexer.peek() {
            let span = self.lexer.next_span();
            let word = self.lexer.word()?;
            match INHERIT.iter().find(|(what, _)| word.eq_ignore_ascii_case(what.as_bytes())) {
                Some((_, bit)) => set_bits(place, *bit),
                None => {
                    self.lexer.error(
                        "MDL-VALUE-004",
                        span,
                        "expected Translation, Rotation or Scaling",
                        None,
                    );
                }
            }
            if !braces {
                return Some(());
            }
        }
        (braces && self.lexer.accept(b'}')).then_some(())
    }

    /// Values in braces.
    fn braced<T>(
        &mut self,
        places: impl ExactSizeIterator<Item = T>,
        read: impl Fn(&mut Self, T) -> Option<()>,
    ) -> Option<()> {
        let wanted = places.len();
        self.lexer.accept(b'{').then_some(())?;
        let opened = self.lexer.position();
        for (index, place) in places.enumerate() {
            if self.lexer.peek() == Next::Close {
                let span = self.lexer.next_span();
                let message = format!("expected {wanted} numbers, found {index}");
                self.lexer.error(
                    "MDL-VALUE-003",
                    span,
                    &message,
                    Some("the missing numbers keep their default"),
                );
                break;
            }
            read(self, place)?;
        }
        if !self.lexer.accept(b'}') {
            self.lexer.unexpected("a closing brace");
            self.lexer.skip_block(opened.saturating_sub(1));
        }
        Some(())
    }

    fn floats(&mut self, place: &mut [u8]) -> Option<()> {
        self.braced(place.chunks_exact_mut(4), |reader, word| {
            reader.lexer.float().map(|value| word.copy_from_slice(&value.to_le_bytes()))
        })
    }

    /// Blue is first in the text, red in the file.
    fn color(&mut self, place: &mut [u8]) -> Option<()> {
        self.braced(place.chunks_exact_mut(4).rev(), |reader, word| {
            reader.lexer.float().map(|value| word.copy_from_slice(&value.to_le_bytes()))
        })
    }

    fn colors(&mut self, place: &mut [u8]) -> Option<()> {
        self.lexer.accept(b'{').then_some(())?;
        for color in place.chunks_exact_mut(12) {
            if self.lexer.peek() == Next::Close {
                break;
            }
            self.lexer.accept_word("Color");
            self.color(color)?;
        }
        self.lexer.accept(b'}').then_some(())
    }

    /// As much of a string as fits its field. A string that is too long is cut to leave room for a NUL. Published files
    /// have names without a NUL, so a string that fills its field exactly stays.
    fn fit(&mut self, text: &'t [u8], size: usize, span: Range<usize>) -> &'t [u8] {
        if text.len() > size {
            let size = size.saturating_sub(1);
            let message = format!("string too long: it has {} bytes, but MDX stores {size}", text.len());
            let span = span.start..span.start + text.len() + 2;
            let note = Some("MDL keeps it whole; MDX truncates it");
            self.lexer.report("MDL-VALUE-002", Severity::Warning, span, &message, note);
            self.long_strings.push(text.to_vec());
            return text.get(..size).unwrap_or(text);
        }
        text
    }
}

/// The item with this word, preferably one in this group, and its value if the word is a value.
fn find(block: &'static Block, group: &str, word: &[u8]) -> Option<(&'static Item, Option<u32>)> {
    let named = |item: &'static Item| match item.form {
        Form::Choice(choices) if item.word.is_empty() => choices
            .iter()
            .find(|(choice, _)| word.eq_ignore_ascii_case(choice.as_bytes()))
            .map(|(_, value)| (item, Some(*value))),
        _ => word.eq_ignore_ascii_case(item.word.as_bytes()).then_some((item, None)),
    };
    let inner = block.items().filter(|item| item.group == group).find_map(named);
    inner.or_else(|| block.items().find_map(named))
}

fn set_bits(place: &mut [u8], bits: u32) {
    let word = place.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes)) | bits;
    place.copy_from_slice(&word.to_le_bytes());
}
