//! Undoes damage by programs that treated a file as text. Only applied if the result is a complete file.

use mdx::Document as Mdx;
use record::transfer::{Utf8Damage, before_text_mode, utf8_damage};
use w3d::W3d;

use super::{Changes, is_damaged};
use crate::Document;

/// Removes the carriage return before each line feed.
pub(crate) fn text_mode(file: &mut W3d<'_>, changes: &mut Changes) {
    if let Some(Document::W3d(whole)) =
        file.to_bytes().ok().and_then(|bytes| before(&bytes, changes, undo_text_mode))
    {
        *file = whole;
    }
}

/// The same for MDX.
pub(crate) fn mdx_text_mode(file: &mut Mdx<'_>, changes: &mut Changes) {
    if let Some(Document::Mdx(whole)) =
        file.to_bytes().ok().and_then(|bytes| before(&bytes, changes, undo_text_mode))
    {
        *file = whole;
    }
}

/// Turns characters back into bytes.
pub(crate) fn utf8(file: &mut W3d<'_>, changes: &mut Changes) {
    if let Some(Document::W3d(whole)) =
        file.to_bytes().ok().and_then(|bytes| before(&bytes, changes, undo_utf8))
    {
        *file = whole;
    }
}

/// The same for MDX.
pub(crate) fn mdx_utf8(file: &mut Mdx<'_>, changes: &mut Changes) {
    if let Some(Document::Mdx(whole)) =
        file.to_bytes().ok().and_then(|bytes| before(&bytes, changes, undo_utf8))
    {
        *file = whole;
    }
}

/// The original bytes, and a description of the repair.
type Undo = fn(&[u8]) -> Option<(Vec<u8>, String)>;

fn undo_text_mode(bytes: &[u8]) -> Option<(Vec<u8>, String)> {
    let before = before_text_mode(bytes)?;
    let removed = bytes.len() - before.len();
    Some((before, format!("{removed} carriage returns removed")))
}

fn undo_utf8(bytes: &[u8]) -> Option<(Vec<u8>, String)> {
    match utf8_damage(bytes)? {
        Utf8Damage::Encoded(before) => {
            let count = bytes.len() - before.len();
            Some((before, format!("UTF-8 undone: the file is {count} bytes shorter")))
        }
        Utf8Damage::Replaced(_) => None,
    }
}

/// The original document, if these bytes are damaged and it is complete.
fn before(bytes: &[u8], changes: &mut Changes, undo: Undo) -> Option<Document<'static>> {
    if !Document::parse(bytes).is_ok_and(|document| is_damaged(&document)) {
        return None;
    }
    let (before, done) = undo(bytes)?;
    let document = Document::parse(&before).ok().filter(|document| !is_damaged(document))?.into_owned();
    changes.add("", done);
    Some(document)
}
