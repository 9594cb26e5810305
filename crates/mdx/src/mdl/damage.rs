//! Texts that other programs have damaged as a whole.

use std::borrow::Cow;

use record::{Diagnostic, Severity};

fn fault(code: &'static str, at: usize, len: usize, message: &str, note: &str) -> Diagnostic {
    Diagnostic {
        code: Cow::Borrowed(code),
        severity: Severity::Error,
        span: at as u64..(at + len) as u64,
        path: String::new(),
        message: message.to_owned(),
        note: Some(note.to_owned()),
    }
}

/// Whether an editor saved the text as UTF-16: with a byte order mark, or with a zero after each of the first letters.
pub(super) fn utf16(text: &[u8]) -> Option<Diagnostic> {
    let is_marked = text.starts_with(b"\xFF\xFE") || text.starts_with(b"\xFE\xFF");
    let is_wide = |[first, second]: [u8; 2]| first.is_ascii_graphic() && second == 0;
    let starts_wide =
        text.first_chunk::<4>().is_some_and(|[a, b, c, d]| is_wide([*a, *b]) && is_wide([*c, *d]));
    (is_marked || starts_wide)
        .then(|| fault("MDL-TEXT-004", 0, text.len().min(2), "the text is UTF-16", "save it as UTF-8"))
}

/// The first conflict marker of a version control system.
pub(super) fn merge_conflict(text: &[u8]) -> Option<Diagnostic> {
    const MARKERS: [&[u8]; 2] = [b"<<<<<<< ", b">>>>>>> "];
    let mut candidates = memchr::memchr2_iter(b'<', b'>', text);
    let index = candidates.find(|index| {
        let is_line_start = *index == 0 || text[index - 1] == b'\n';
        is_line_start && MARKERS.iter().any(|marker| text[*index..].starts_with(marker))
    })?;
    let message = "an unresolved merge conflict";
    Some(fault("MDL-TEXT-002", index, 7, message, "choose one version and delete the markers"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_is_recognised_with_and_without_a_mark() {
        for text in [&b"\xFF\xFEV\0e\0"[..], b"\xFE\xFF\0V\0e", b"V\0e\0r\0"] {
            assert!(utf16(text).is_some(), "{text:?}");
            assert!(crate::mdl::parse(text).0.is_none());
        }
        assert!(utf16(b"Version {").is_none() && utf16(b"").is_none());
    }

    #[test]
    fn conflict_markers_are_recognised_at_the_start_of_a_line() {
        let conflict =
            b"Model \"a\" {\n<<<<<<< HEAD\n\tBlendTime 1,\n=======\n\tBlendTime 2,\n>>>>>>> other\n}\n";
        assert_eq!(merge_conflict(conflict).map(|found| found.span), Some(12..19));
        assert!(merge_conflict(b"// a <<<<<<< b\n\"<<<<<<< c\"").is_none());
        let (_, found) = crate::mdl::parse(conflict);
        assert!(found.iter().any(|found| found.code == "MDL-TEXT-002"));
    }
}
