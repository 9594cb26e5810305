//! The block of comments that says what MDL cannot: see [the module](super#what-mdl-cannot-say).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use record::{Diagnostic, Node, Severity};

use super::read;
use super::write::{Said, Written};
use crate::{Document, Error, kinds, tag};

/// The start of every line of the block.
const MARK: &[u8] = b"// meshwright ";
/// The first line of the block.
const FIRST: &str = "// meshwright 1: data that MDL cannot express, to restore the MDX byte for byte; entries whose part has changed are ignored";
const FIRST_START: &[u8] = b"// meshwright 1:";
/// The path of the file itself.
const FILE: &str = "MDLX";
/// Differences that are closer than this are merged.
const GAP: usize = 8;

/// Appends the block to the text of a document, if it is needed.
pub(super) fn append(document: &Document<'_>, written: &mut Written) -> Result<(), Error> {
    let mut entries = String::new();
    let mut said: Vec<_> = written.said.iter().collect();
    said.sort_by_key(|said| read::order(said.tag));
    for said in &said {
        let Some(chunk) = said.chunk.and_then(|index| document.root.children().get(index)) else { continue };
        chunk_entries(document.version, chunk, said, &written.text, &mut entries)?;
    }
    file_entry(&document.root, &said, &mut entries)?;
    // A name may contain text that looks like a block. Readers use the last block, so there must be one then.
    if !entries.is_empty() || memchr::memmem::find(&written.text, MARK).is_some() {
        written.text.extend_from_slice(FIRST.as_bytes());
        written.text.push(b'\n');
        written.text.extend_from_slice(entries.as_bytes());
        // war3-model reads beyond the end of a text whose last line is a comment.
        written.text.push(b'\n');
    }
    Ok(())
}

/// The name of a chunk in a path: its tag.
fn tag_name(id: u32) -> String {
    record::decode(&id.to_le_bytes()).into_owned()
}

fn entry(entries: &mut String, path: &str, hash: u64, what: &str) {
    let _ = writeln!(entries, "// meshwright {path} {hash:016x} {what}");
}

/// The differences between the text and the file for a chunk.
fn chunk_entries(
    version: u32,
    chunk: &Node<'_>,
    said: &Said,
    text: &[u8],
    entries: &mut String,
) -> Result<(), Error> {
    let name = tag_name(said.tag);
    let listed = said.tag == tag("MTLS") || said.tag == tag("TXAN");
    if chunk.kind.branch {
        for (object, span) in &said.suspects {
            let (Some(object), Some(text)) = (object, text.get(span.clone())) else { continue };
            let plain = if listed {
                read::listed_object(text, version, said.tag)
            } else {
                read::chunk(text, version, said.tag).and_then(|mut chunk| chunk.children_mut()?.pop())
            };
            let original = said.objects.get(*object).and_then(|index| chunk.children().get(*index));
            if let (Some(plain), Some(original)) = (plain, original) {
                part_entry(&format!("{name}/{object}"), &plain, original, entries)?;
            }
        }
        let children = chunk.children();
        let whole = said.objects.len() == children.len();
        if !whole || chunk.size_delta != 0 {
            let literal = |index: usize| children[index].to_bytes();
            let order = list(
                children.len(),
                |index| said.objects.binary_search(&index).ok(),
                literal,
                |index| index.to_string(),
            )?;
            entry(entries, &name, hash_count(said.objects.len()), &with_size(&order, chunk.size_delta));
        }
        return Ok(());
    }
    let Some((_, span)) = said.suspects.first() else { return Ok(()) };
    let plain = text.get(span.clone()).and_then(|text| read::chunk(text, version, said.tag));
    let Some(plain) = plain else { return Ok(()) };
    match element_size(chunk) {
        None => part_entry(&name, &plain, chunk, entries),
        Some(size) => {
            let whole = chunk.bytes().len() / size * size;
            let (elements, left) = chunk.bytes().split_at(whole);
            for (index, (plain, original)) in
                plain.bytes().chunks(size).zip(elements.chunks(size)).enumerate()
            {
                if plain != original {
                    let edits = bytes_difference(plain, original, 0);
                    entry(entries, &format!("{name}/{index}"), hash(plain), &spell(&edits));
                }
            }
            if !left.is_empty() || chunk.size_delta != 0 {
                let count = whole / size;
                let literal = |_| Ok(left.to_vec());
                let plain = |index: usize| (index < count).then_some(index);
                let order =
                    list(count + usize::from(!left.is_empty()), plain, literal, |index| index.to_string())?;
                entry(entries, &name, hash_count(count), &with_size(&order, chunk.size_delta));
            }
            Ok(())
        }
    }
}

/// The size of an element of a chunk whose elements are separate parts.
fn element_size(chunk: &Node<'_>) -> Option<usize> {
    let is = |kind| chunk.is(kind);
    (is(&kinds::SEQS) || is(&kinds::TEXS) || is(&kinds::FAFX))
        .then(|| chunk.kind.slots.first().map(|slot| slot.item.size()))
        .flatten()
}

fn with_size(order: &str, size_delta: u32) -> String {
    if size_delta == 0 { order.to_owned() } else { format!("{order} size{:+}", size_delta.cast_signed()) }
}

/// A list as runs of plain parts and literal bytes.
fn list(
    count: usize,
    plain: impl Fn(usize) -> Option<usize>,
    literal: impl Fn(usize) -> Result<Vec<u8>, Error>,
    name: impl Fn(usize) -> String,
) -> Result<String, Error> {
    let mut words: Vec<String> = Vec::new();
    let mut run: Option<Range<usize>> = None;
    let spell = |run: Range<usize>| match run.end - run.start {
        0 => name(run.start),
        _ => format!("{}..{}", name(run.start), name(run.end)),
    };
    for index in 0..count {
        match (plain(index), run.take()) {
            (Some(plain), Some(last)) if last.end + 1 == plain => run = Some(last.start..plain),
            (Some(plain), last) => {
                words.extend(last.map(spell));
                run = Some(plain..plain);
            }
            (None, last) => {
                words.extend(last.map(spell));
                words.push(format!("+{}", encode(&literal(index)?)));
            }
        }
    }
    words.extend(run.map(spell));
    Ok(words.join(" "))
}

/// The order of chunks, and those that are not in the text.
fn file_entry(root: &Node<'_>, said: &[&Said], entries: &mut String) -> Result<(), Error> {
    let chunks = root.children();
    let plain = |index: usize| said.iter().position(|said| said.chunk == Some(index));
    let same = chunks.len() == said.len() && (0..chunks.len()).all(|index| plain(index) == Some(index));
    if !same {
        let literal = |index: usize| chunks[index].to_bytes();
        let name = |index: usize| said.get(index).map(|said| tag_name(said.tag)).unwrap_or_default();
        let order = list(chunks.len(), plain, literal, name)?;
        entry(entries, FILE, hash_tags(said.iter().map(|said| said.tag)), &order);
    }
    Ok(())
}

/// An entry for a part whose bytes differ.
fn part_entry(path: &str, plain: &Node<'_>, original: &Node<'_>, entries: &mut String) -> Result<(), Error> {
    let plain_bytes = plain.to_bytes()?;
    let original_bytes = original.to_bytes()?;
    if plain_bytes != original_bytes {
        let mut edits = Vec::new();
        node_difference(plain, original, 0, &mut edits)?;
        // Unequal trees may have equal bytes: if their structure differs, they are compared as bytes.
        if apply(&plain_bytes, &edits).as_deref() != Some(&original_bytes) {
            edits = bytes_difference(&plain_bytes, &original_bytes, 0);
        }
        entry(entries, path, hash(&plain_bytes), &spell(&edits));
    }
    Ok(())
}

/// Replaces this many bytes at an offset by others.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edit {
    at: usize,
    removed: usize,
    inserted: Vec<u8>,
}

/// The edits that change one tree's bytes into the other's. Parts with the same structure are compared one by one.
fn node_difference(
    plain: &Node<'_>,
    original: &Node<'_>,
    base: usize,
    edits: &mut Vec<Edit>,
) -> Result<(), Error> {
    let header = plain.kind.framing.header_len();
    let same_shape = plain.is(original.kind)
        && plain.kind.branch
        && plain.children().len() == original.children().len()
        && plain.children().iter().zip(original.children()).all(|(a, b)| a.is(b.kind));
    let (plain_bytes, original_bytes) = (plain.to_bytes()?, original.to_bytes()?);
    if !same_shape {
        edits.extend(bytes_difference(&plain_bytes, &original_bytes, base));
        return Ok(());
    }
    edits.extend(bytes_difference(&plain_bytes[..header], &original_bytes[..header], base));
    let mut at = base + header;
    for (plain, original) in plain.children().iter().zip(original.children()) {
        node_difference(plain, original, at, edits)?;
        at += plain.len();
    }
    Ok(())
}

fn bytes_difference(plain: &[u8], original: &[u8], base: usize) -> Vec<Edit> {
    let start = plain.iter().zip(original).take_while(|(a, b)| a == b).count();
    let most = plain.len().min(original.len()) - start;
    let end = plain.iter().rev().zip(original.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let (plain, original) = (&plain[start..plain.len() - end], &original[start..original.len() - end]);
    let base = base + start;
    if plain.len() != original.len() {
        return vec![Edit { at: base, removed: plain.len(), inserted: original.to_vec() }];
    }
    let mut edits: Vec<Edit> = Vec::new();
    for (at, (a, b)) in plain.iter().zip(original).enumerate() {
        if a == b {
            continue;
        }
        match edits.last_mut() {
            Some(last) if base + at < last.at + last.removed + GAP => {
                let from = last.at + last.removed - base;
                last.inserted.extend_from_slice(&original[from..=at]);
                last.removed = base + at + 1 - last.at;
            }
            _ => edits.push(Edit { at: base + at, removed: 1, inserted: vec![*b] }),
        }
    }
    edits
}

fn spell(edits: &[Edit]) -> String {
    let words: Vec<_> =
        edits.iter().map(|edit| format!("{}-{}+{}", edit.at, edit.removed, encode(&edit.inserted))).collect();
    words.join(" ")
}

fn read_edits(text: &str) -> Option<Vec<Edit>> {
    text.split_ascii_whitespace()
        .map(|word| {
            let (at, rest) = word.split_once('-')?;
            let (removed, inserted) = rest.split_once('+')?;
            Some(Edit { at: at.parse().ok()?, removed: removed.parse().ok()?, inserted: decode(inserted)? })
        })
        .collect()
}

/// The bytes after the edits; `None` if they do not apply to these bytes.
fn apply(plain: &[u8], edits: &[Edit]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(plain.len());
    let mut from = 0;
    for edit in edits {
        out.extend_from_slice(plain.get(from..edit.at)?);
        out.extend_from_slice(&edit.inserted);
        from = edit.at.checked_add(edit.removed)?;
    }
    out.extend_from_slice(plain.get(from..)?);
    Some(out)
}

/// An entry of the block as it was read.
struct Entry<'t> {
    hash: u64,
    what: &'t str,
    span: Range<usize>,
    used: bool,
}

/// Applies the block to the document; `None` if there is nothing to do.
pub(super) fn restore(
    text: &[u8],
    document: &Document<'static>,
    found: &mut Vec<Diagnostic>,
) -> Option<Document<'static>> {
    // Searching forwards is many times faster than backwards.
    let start = memchr::memmem::find_iter(text, FIRST_START).last()?;
    let mut entries = BTreeMap::new();
    let mut at = start;
    for line in text[start..].split(|byte| *byte == b'\n') {
        let span = at..at + line.len();
        at += line.len() + 1;
        let Some(rest) = line.strip_prefix(MARK).and_then(|rest| std::str::from_utf8(rest).ok()) else {
            continue;
        };
        let mut words = rest.trim_end().splitn(3, ' ');
        let (Some(path), Some(hash)) = (words.next(), words.next()) else { continue };
        let Ok(hash) = u64::from_str_radix(hash, 16) else { continue };
        entries.insert(path, Entry { hash, what: words.next().unwrap_or_default(), span, used: false });
    }
    if entries.is_empty() {
        return None;
    }
    let bytes = rebuild(&document.root, &mut entries);
    for (path, entry) in entries.iter().filter(|(_, entry)| !entry.used) {
        found.push(Diagnostic {
            code: "MDL-KEEP-001".into(),
            severity: Severity::Info,
            span: entry.span.start as u64..entry.span.end as u64,
            path: (*path).to_owned(),
            message: "stale entry: its part has changed".to_owned(),
            note: Some("the entry is ignored".to_owned()),
        });
    }
    Document::parse(&bytes?).ok().map(Document::into_owned)
}

/// The file with all matching entries applied.
fn rebuild(root: &Node<'_>, entries: &mut BTreeMap<&str, Entry<'_>>) -> Option<Vec<u8>> {
    let chunks: Vec<_> = root
        .children()
        .iter()
        .map(|chunk| Some((chunk.id, rebuild_chunk(chunk, entries)?)))
        .collect::<Option<_>>()?;
    let plain = || {
        crate::MAGIC
            .iter()
            .copied()
            .chain(chunks.iter().flat_map(|(_, bytes)| bytes.iter().copied()))
            .collect()
    };
    let Some(entry) =
        entries.get_mut(FILE).filter(|entry| entry.hash == hash_tags(chunks.iter().map(|(id, _)| *id)))
    else {
        return Some(plain());
    };
    let place = |name: &str| chunks.iter().position(|(id, _)| tag_name(*id) == name);
    let parts: Vec<_> = chunks.iter().map(|(_, bytes)| bytes.as_slice()).collect();
    let Some((body, _)) = read_list(entry.what, place, &parts) else { return Some(plain()) };
    entry.used = true;
    Some([&crate::MAGIC[..], &body].concat())
}

fn rebuild_chunk(chunk: &Node<'_>, entries: &mut BTreeMap<&str, Entry<'_>>) -> Option<Vec<u8>> {
    let name = tag_name(chunk.id);
    let parts: Vec<Vec<u8>> = if chunk.kind.branch {
        chunk.children().iter().map(|object| object.to_bytes().ok()).collect::<Option<_>>()?
    } else if let Some(size) = element_size(chunk) {
        chunk.bytes().chunks(size).map(<[u8]>::to_vec).collect()
    } else {
        let bytes = chunk.to_bytes().ok()?;
        return Some(edited(&name, &bytes, entries).unwrap_or(bytes));
    };
    let count = parts.len();
    let parts: Vec<_> = parts
        .into_iter()
        .enumerate()
        .map(|(at, bytes)| edited(&format!("{name}/{at}"), &bytes, entries).unwrap_or(bytes))
        .collect();
    let mut body = (parts.concat(), 0);
    if let Some(entry) = entries.get_mut(name.as_str()).filter(|entry| entry.hash == hash_count(count)) {
        let slices: Vec<_> = parts.iter().map(Vec::as_slice).collect();
        if let Some(listed) = read_list(entry.what, |index| index.parse().ok(), &slices) {
            entry.used = true;
            body = listed;
        }
    }
    let size = u32::try_from(body.0.len()).ok()?.wrapping_add(body.1);
    Some([&chunk.id.to_le_bytes()[..], &size.to_le_bytes(), &body.0].concat())
}

/// The part with its entry applied, if there is a matching one.
fn edited(path: &str, bytes: &[u8], entries: &mut BTreeMap<&str, Entry<'_>>) -> Option<Vec<u8>> {
    let entry = entries.get_mut(path).filter(|entry| entry.hash == hash(bytes))?;
    let edited = apply(bytes, &read_edits(entry.what)?)?;
    entry.used = true;
    Some(edited)
}

/// The body that a list makes from plain parts, and the difference of its size word.
fn read_list(what: &str, place: impl Fn(&str) -> Option<usize>, parts: &[&[u8]]) -> Option<(Vec<u8>, u32)> {
    let mut body = Vec::new();
    let mut size_delta = 0;
    for word in what.split_ascii_whitespace() {
        if let Some(literal) = word.strip_prefix('+') {
            body.extend(decode(literal)?);
        } else if let Some(size) = word.strip_prefix("size") {
            size_delta = size.parse::<i32>().ok()?.cast_unsigned();
        } else {
            let (first, last) = word.split_once("..").unwrap_or((word, word));
            for part in parts.get(place(first)?..=place(last)?)? {
                body.extend_from_slice(part);
            }
        }
    }
    Some((body, size_delta))
}

/// 64-bit FNV-1a, eight bytes at a time where possible.
fn hash(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x100_0000_01B3;
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(PRIME).rotate_left(23);
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(0xCBF2_9CE4_8422_2325, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(mix(hash, bytes.len() as u64), |hash, byte| mix(hash, u64::from(*byte)))
}

fn hash_count(count: usize) -> u64 {
    hash(&(count as u64).to_le_bytes())
}

fn hash_tags(tags: impl Iterator<Item = u32>) -> u64 {
    let tags: Vec<u8> = tags.flat_map(u32::to_le_bytes).collect();
    hash(&tags)
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Bytes as base64 with `-` and `_`, without padding.
fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word =
            group.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for digit in 0..=group.len() {
            text.push(char::from(DIGITS[(word >> (18 - 6 * digit)) as usize & 63]));
        }
    }
    text
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.as_bytes().chunks(4) {
        let mut word = 0_u32;
        for digit in group {
            word = word << 6 | u32::try_from(DIGITS.iter().position(|known| known == digit)?).ok()?;
        }
        word <<= 6 * (4 - group.len());
        let count = match group.len() {
            1 => return None,
            digits => digits - 1,
        };
        bytes.extend_from_slice(&word.to_be_bytes()[1..=count]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        // RFC 4648, section 10, without padding, and the two digits of the URL alphabet.
        for (plain, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(plain.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(plain.as_bytes()));
        }
        assert_eq!(encode(&[0xFB, 0xFF]), "-_8");
        assert_eq!(decode("A"), None);
        assert_eq!(decode("?AAA"), None);
    }

    proptest! {
        #[test]
        fn edits_make_the_one_the_other(plain: Vec<u8>, original: Vec<u8>) {
            let edits = bytes_difference(&plain, &original, 0);
            prop_assert_eq!(apply(&plain, &edits), Some(original));
            prop_assert_eq!(read_edits(&spell(&edits)), Some(edits));
        }

        #[test]
        fn few_changes_are_few_edits(mut bytes in proptest::collection::vec(any::<u8>(), 200..300), index in 0..200_usize) {
            let plain = bytes.clone();
            bytes[index] ^= 1;
            bytes[index / 2] ^= 1;
            let edits = bytes_difference(&plain, &bytes, 0);
            prop_assert!(edits.iter().map(|edit| edit.inserted.len()).sum::<usize>() <= 2 + GAP);
            prop_assert_eq!(apply(&plain, &edits), Some(bytes));
        }
    }
}
