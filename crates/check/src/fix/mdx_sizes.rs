//! Sizes and counts of MDX files.
//!
//! A size field is changed only where the file shows what it was: where the chunks after it fit together again, or where the part that it
//! frames is complete. Where chunks are out of step, a word that looks like a size may be a value, so nothing is changed.

use mdx::{Document, kinds};
use record::{LEFTOVER, Node, U32};

use super::{Changes, each_with_end, is_alike};

/// How many chunks of a file may get another size. Real damage concerns one or two.
const MAX_RESTORED: usize = 16;

/// Sets sizes and counts to the actual ones where those are certain; a camera's variant, in the top byte of its size, stays.
pub(crate) fn mdx_sizes(file: &mut Document<'_>, changes: &mut Changes) {
    if changes.code == "MDX-FRAME-001" {
        restore_chunk_sizes(file, changes);
    }
    if is_out_of_step(file) {
        return;
    }
    let complete: Vec<bool> = file.root.children().iter().map(is_complete).collect();
    let mut after = file.root.clone();
    let mut made = Vec::new();
    let mut chunk = None;
    each_with_end(&mut after, &mut |path, node, is_last| {
        if !path.contains('/') {
            chunk = Some(chunk.map_or(0, |index: usize| index + 1));
        }
        // What else is wrong in a chunk may be the reason that a value is read as a size.
        let is_sure = chunk.and_then(|index| complete.get(index)).is_some_and(|is_complete| *is_complete);
        if let Some(message) = repaired(node, is_last, changes).filter(|_| is_sure) {
            made.push((path.to_owned(), message));
        }
    });
    // The repaired file has to be read as it was understood.
    let is_read_alike = after
        .to_bytes()
        .ok()
        .is_some_and(|bytes| Document::parse(&bytes).is_ok_and(|again| is_alike(&again.root, &after)));
    if !made.is_empty() && is_read_alike {
        file.root = after;
        changes.made.extend(made);
    }
}

/// Repairs the size or count of a complete node if this rule reports it; says what was done.
fn repaired(node: &mut Node<'_>, is_last: bool, changes: &Changes) -> Option<String> {
    let (suffix, ..) = node.kind.framing.explain_size_delta(node).filter(|_| node.size_delta != 0)?;
    changes.code.ends_with(suffix).then_some(())?;
    let actual = size_word(node, 0)?;
    let stored = size_word(node, node.size_delta)?;
    let variant = if node.is(&kinds::CAMERA) { stored & 0xFF00_0000 } else { 0 };
    let stated = stored.wrapping_sub(variant);
    // At the end of the file the size is all that tells that more was there.
    if stated == actual || stated > actual && is_last || node.body_len() == 0 {
        return None;
    }
    let what = if suffix == "FRAME-001" { "size" } else { "count" };
    node.size_delta = variant;
    Some(format!("{what} {stated} -> {actual}"))
}

/// The size or count in a node's header, with a difference to the actual one.
fn size_word(node: &Node<'_>, size_delta: u32) -> Option<u32> {
    let mut copy = node.clone();
    copy.size_delta = size_delta;
    let mut header = vec![0; node.kind.framing.header_len()];
    node.kind.framing.write_header(&copy, node.body_len(), &mut header)?;
    Some(u32::from_le_bytes(*header.last_chunk()?))
}

/// Whether nothing is missing or left over inside; sizes and counts do not matter.
fn is_complete(node: &Node<'_>) -> bool {
    let is_size = |code: &str| matches!(code, "MDX-FRAME-001" | "MDX-FRAME-002");
    node.diagnose("MDX").iter().all(|finding| is_size(&finding.code))
}

/// Whether what is read as chunks cannot be chunks, so that sizes may be values.
fn is_out_of_step(file: &Document<'_>) -> bool {
    let is_lost = |node: &Node<'_>| node.is(&LEFTOVER) && node.bytes().iter().any(|byte| *byte != 0);
    file.root.children().iter().any(is_lost)
        || file.diagnostics().iter().any(|finding| finding.code == "MDX-FRAME-003")
}

/// Restores the sizes of chunks after which the file does not go on.
fn restore_chunk_sizes(file: &mut Document<'_>, changes: &mut Changes) {
    for _ in 0..MAX_RESTORED {
        let Some(bytes) = file.to_bytes().ok() else { return };
        let Some(wrong) = wrong_chunk(&bytes) else { return };
        let mut restored = bytes.clone();
        if let Some(word) = restored.get_mut(wrong.start + 4..).and_then(|rest| rest.first_chunk_mut::<4>()) {
            *word = wrong.actual.to_le_bytes();
        }
        let Ok(after) = Document::parse(&restored) else { return };
        let span = wrong.start as u64..(wrong.start + 8) as u64 + u64::from(wrong.actual);
        let is_damage = |finding: &&record::Diagnostic| finding.code != "MDX-PART-001";
        let (before, now) = (file.diagnostics(), after.diagnostics());
        let is_whole = !now.iter().filter(is_damage).any(|finding| span.contains(&finding.span.start));
        if !is_whole || now.iter().filter(is_damage).count() >= before.iter().filter(is_damage).count() {
            return;
        }
        let long_strings = std::mem::take(&mut file.long_strings);
        *file = Document { long_strings, ..after.into_owned() };
        changes.add(wrong.path(&bytes), format!("size {} -> {}", wrong.stated, wrong.actual));
    }
}

/// A chunk whose size leads to a place where no chunk starts.
struct WrongChunk {
    start: usize,
    stated: u32,
    actual: u32,
}

impl WrongChunk {
    fn path(&self, bytes: &[u8]) -> String {
        let tag = &bytes[self.start..self.start + 4];
        let mut at = 4;
        let mut ordinal = 0;
        while let Some((found, size)) = header(bytes, at).filter(|_| at < self.start) {
            ordinal += usize::from(found.to_le_bytes() == *tag);
            at = at.saturating_add(8).saturating_add(size as usize);
        }
        format!("{}[{ordinal}]", String::from_utf8_lossy(tag))
    }
}

/// Tag and size of the chunk that starts at an offset.
fn header(bytes: &[u8], at: usize) -> Option<(u32, u32)> {
    let word = |at: usize| bytes.get(at..)?.first_chunk().map(|word| U32::from_bytes(*word).get());
    Some((word(at)?, word(at.checked_add(4)?)?))
}

/// Whether a chunk with a known tag starts at an offset.
fn starts_chunk(bytes: &[u8], at: usize) -> bool {
    header(bytes, at).is_some_and(|(tag, _)| mdx::chunk_row(tag).is_some())
}

/// Whether known chunks follow one another from an offset to the end of the file.
fn goes_on(bytes: &[u8], mut at: usize) -> bool {
    while at < bytes.len() && starts_chunk(bytes, at) {
        let size = header(bytes, at).map_or(0, |(_, size)| size as usize);
        at = at.saturating_add(8).saturating_add(size);
    }
    at == bytes.len()
}

/// The first known chunk that a loader sees from an offset on, where unknown chunks are skipped by their sizes.
fn next_known(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some((_, size)) = header(bytes, at) {
        if starts_chunk(bytes, at) {
            return Some(at);
        }
        at = at.saturating_add(8).saturating_add(size as usize);
    }
    None
}

/// The first chunk after which no chunk starts, and the size that it would need for the rest of the file to be chunks.
fn wrong_chunk(bytes: &[u8]) -> Option<WrongChunk> {
    let mut start = 4;
    loop {
        let (_, stated) = header(bytes, start).filter(|_| starts_chunk(bytes, start))?;
        let body = start + 8;
        let end = body.saturating_add(stated as usize);
        if end == bytes.len() {
            return None;
        }
        if starts_chunk(bytes, end) {
            start = end;
            continue;
        }
        let next = (body..bytes.len()).find(|at| starts_chunk(bytes, *at) && goes_on(bytes, *at))?;
        // A loader that skips what it does not know sees chunks after it: a larger size would hide them.
        if next_known(bytes, end).is_some_and(|seen| seen < next) {
            return None;
        }
        let actual = u32::try_from(next - body).ok()?;
        return Some(WrongChunk { start, stated, actual });
    }
}
