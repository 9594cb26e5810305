//! Recognises other formats with the same extension, and known kinds of damage.

use std::borrow::Cow;

use record::transfer::{Utf8Damage, before_text_mode, utf8_damage};
use record::zerocopy::FromBytes;
use record::{Diagnostic, Error, LEFTOVER, Severity, U32};

use crate::{W3d, table};

/// The error for bytes that are not a W3D file.
pub(crate) fn refuse_strangers(bytes: &[u8]) -> Result<(), Error> {
    let stranger = |code, message: &str, note: &str| {
        Err(Error::new(code, 0..bytes.len().min(8) as u64, message).with_note(note))
    };
    if bytes.is_empty() {
        return Ok(());
    }
    if bytes.starts_with(b"IFX") {
        return stranger(
            "W3D-FILE-002",
            "this is a Shockwave 3D file, which only shares the extension",
            "it needs Adobe's tools",
        );
    }
    // Text may start with a byte-order mark.
    let start = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    for (magic, what) in [
        (&b"MDLX"[..], "a Warcraft III or World of Warcraft alpha model (.mdx)"),
        (b"<?xml", "XML, perhaps a W3X model of a later game"),
        (b"BIGF", "a BIG archive; extract the models first"),
        (b"BIG4", "a BIG archive; extract the models first"),
        (b"MIX1", "a MIX archive; extract the models first"),
        (b"DDS ", "a DDS texture"),
        (b"glTF", "a binary glTF model"),
    ] {
        if start.starts_with(magic) {
            return stranger(
                "W3D-FILE-003",
                &format!("this is {what}, not a W3D file"),
                "check the file's extension",
            );
        }
    }
    let Ok((words, _)) = <[U32; 2]>::ref_from_prefix(bytes) else {
        return stranger(
            "W3D-FILE-004",
            "too short for a chunk header of 8 bytes",
            "the file is truncated or not a W3D file",
        );
    };
    let [id, _] = words.map(U32::get);
    let at_top = table::find(None, id).is_some_and(|row| row.parents.contains(&table::FILE.name));
    if at_top || whole_chunks(bytes) {
        return Ok(());
    }
    if (1..=3).contains(&id) {
        return stranger(
            "W3D-FILE-005",
            "this looks like Warcraft III doodad data (war3map.w3d), which only shares the extension",
            "a map editor reads it",
        );
    }
    stranger(
        "W3D-FILE-006",
        &format!("this is not a W3D file: no file starts with the chunk {id:#x}"),
        "check the file's origin",
    )
}

/// Whether the file consists of whole chunks, at least one of them known. Then an unusual first chunk is accepted.
fn whole_chunks(bytes: &[u8]) -> bool {
    let root = crate::parse::file(bytes);
    let children = root.children();
    children.iter().all(|child| !child.is(&LEFTOVER) && child.size_delta & 0x7FFF_FFFF == 0)
        && children.iter().any(|child| !child.is(&table::UNKNOWN) && child.body_len() > 0)
}

/// Findings about the file as a whole.
pub(crate) fn file_diagnostics(file: &W3d<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut report = |code: &'static str, severity: Severity, message: &str, note: &str| {
        found.push(Diagnostic {
            code: Cow::Borrowed(code),
            severity,
            span: 0..file.root.len() as u64,
            path: String::new(),
            message: message.to_owned(),
            note: Some(note.to_owned()),
        });
    };
    if file.root.children().is_empty() {
        report(
            "W3D-FILE-001",
            Severity::Warning,
            "the file is empty",
            "BFME II ships nine such files; engines load nothing from them",
        );
    }
    let damaged =
        file.root.children().iter().any(|child| child.is(&LEFTOVER) || child.size_delta & 0x7FFF_FFFF != 0);
    let Some(bytes) = file.to_bytes().ok().filter(|_| damaged) else { return found };
    if before_text_mode(&bytes).is_some() {
        report(
            "W3D-FILE-007",
            Severity::Error,
            "damaged by a transfer in text mode: every line feed has a carriage return before it",
            "get the file again in binary mode, or remove each 0x0D before a 0x0A",
        );
    }
    if let Some(damage) = utf8_damage(&bytes) {
        let (message, note) = match damage {
            Utf8Damage::Encoded(_) => (
                "damaged by a program that saved it as UTF-8: every byte from 0x80 on became a character"
                    .to_owned(),
                "get the file again, or encode it as Windows-1252",
            ),
            Utf8Damage::Replaced(count) => (
                format!("damaged by a program that saved it as UTF-8: {count} bytes are lost"),
                "get the file again; the lost bytes cannot be restored",
            ),
        };
        report("W3D-FILE-008", Severity::Error, &message, note);
    }
    found
}
