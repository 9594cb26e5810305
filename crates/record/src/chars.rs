//! Fixed-length strings that keep every byte, and the one text encoding that can show any byte.

use std::borrow::Cow;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::error::Error;
use crate::types::{Pod, Type};

/// A string field of `N` bytes: the text, a NUL, and whatever the exporter's memory held after it.
///
/// Real files carry uninitialised bytes after the NUL, and a few fill the field without one, so all `N` bytes are kept.
/// Text is shown as Windows-1252, which gives every byte a character; comparison ignores ASCII case, as the engines do.
///
/// ```
/// use meshwright_record::Chars;
/// let name = Chars::<16>::new("BARREL").unwrap();
/// assert_eq!(name.to_string(), "BARREL");
/// assert!(name.is("barrel"));
/// assert!(Chars::<4>::new("too long").is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(transparent)]
pub struct Chars<const N: usize>(pub [u8; N]);

impl<const N: usize> Chars<N> {
    /// The text followed by zeros, or `None` if it is longer than the field or has characters outside Windows-1252. A
    /// text may fill the field to the last byte, without a NUL.
    pub fn new(text: &str) -> Option<Self> {
        let bytes = encode(text)?;
        let mut chars = [0; N];
        chars.get_mut(..bytes.len())?.copy_from_slice(&bytes);
        Some(Self(chars))
    }

    /// Writes another text over this one. A shorter text is followed by zeros; the bytes after the old text stay unless the new
    /// text and its NUL reach them. Fails if the text is too long, contains a NUL, or has characters outside Windows-1252.
    ///
    /// ```
    /// use meshwright_record::Chars;
    /// let mut name = Chars(*b"BARREL\0xyz");
    /// name.set("BOX")?;
    /// assert_eq!(&name.0, b"BOX\0\0\0\0xyz");
    /// assert_eq!(
    ///     name.set("BARRELS FULL").unwrap_err().diagnostic().message,
    ///     "\"BARRELS FULL\" has 12 characters, and there is room for 9"
    /// );
    /// # Ok::<(), meshwright_record::Error>(())
    /// ```
    pub fn set(&mut self, text: &str) -> Result<(), Error> {
        let bytes = encode_name(text)?;
        overwrite(&mut self.0, &bytes).ok_or_else(|| {
            let room = N.saturating_sub(1);
            let length = bytes.len();
            Error::new(
                "RECORD-TEXT",
                0..0,
                format!("{text:?} has {length} characters, and there is room for {room}"),
            )
        })
    }

    /// The bytes before the first NUL.
    pub fn text(&self) -> &[u8] {
        until_nul(&self.0)
    }

    /// The bytes from the first NUL on.
    pub fn tail(&self) -> &[u8] {
        &self.0[self.text().len()..]
    }

    /// Whether the text is this one, ignoring ASCII case.
    pub fn is(&self, text: &str) -> bool {
        encode(text).is_some_and(|bytes| self.text().eq_ignore_ascii_case(&bytes))
    }

    /// Whether two names are the same to the engines: the bytes after the NUL and ASCII case do not count.
    pub fn same_name<const M: usize>(&self, other: &Chars<M>) -> bool {
        self.text().eq_ignore_ascii_case(other.text())
    }
}

impl<const N: usize> Default for Chars<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Pod for Chars<N> {
    const TYPE: Type = Type::Chars(N);
}

impl<const N: usize> std::fmt::Display for Chars<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&decode(self.text()))
    }
}

impl<const N: usize> std::fmt::Debug for Chars<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", decode(self.text()))
    }
}

/// The bytes of a text that a name or path can be: no NUL, nothing outside Windows-1252.
pub fn encode_name(text: &str) -> Result<Cow<'_, [u8]>, Error> {
    let error = |message: String| Error::new("RECORD-TEXT", 0..0, message);
    let bytes = encode(text).ok_or_else(|| error(format!("{text:?} has characters outside Windows-1252")))?;
    if bytes.contains(&0) {
        return Err(error(format!("{text:?} contains a NUL, which would end it")));
    }
    Ok(bytes)
}

/// Writes a text over that of a field of fixed length; see [`Chars::set`].
pub fn overwrite(field: &mut [u8], text: &[u8]) -> Option<()> {
    let old = until_nul(field).len();
    // Some files fill a field to its last byte, so a new text may do so too.
    if text.len() > field.len() || text.len() == field.len() && old != field.len() {
        return None;
    }
    field[..text.len()].copy_from_slice(text);
    let end = old.max(text.len() + 1).min(field.len());
    if old != text.len() {
        field[text.len()..end].fill(0);
    }
    Some(())
}

/// The bytes before the first NUL, or all of them.
pub fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.iter().position(|byte| *byte == 0).map_or(bytes, |end| &bytes[..end])
}

/// Windows-1252's characters for 0x80..=0x9F. The five unassigned bytes are shown as the control characters of the same
/// number, so that the encoding is one to one.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Bytes as Windows-1252 text. Never fails and never loses anything: [`encode`] is its inverse.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Cow::Borrowed(text),
        _ => bytes
            .iter()
            .map(|byte| match byte {
                0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
                _ => char::from(*byte),
            })
            .collect(),
    }
}

/// Text as Windows-1252 bytes, or `None` if it has characters that the encoding lacks.
pub fn encode(text: &str) -> Option<Cow<'_, [u8]>> {
    if text.is_ascii() {
        return Some(Cow::Borrowed(text.as_bytes()));
    }
    text.chars()
        .map(|character| match u32::from(character) {
            code @ (0..=0x7f | 0xa0..=0xff) => u8::try_from(code).ok(),
            _ => HIGH
                .iter()
                .position(|high| *high == character)
                .and_then(|index| u8::try_from(index + 0x80).ok()),
        })
        .collect::<Option<Vec<u8>>>()
        .map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_character_and_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        let text = decode(&all);
        assert_eq!(text.chars().count(), 256);
        assert_eq!(encode(&text).as_deref(), Some(all.as_slice()));
        // Two assignments from the published code page, and one unassigned byte.
        assert_eq!(decode(&[0x80, 0x9f, 0x81]), "€Ÿ\u{81}");
        assert_eq!(encode("\u{4e2d}"), None);
    }

    #[test]
    fn names_keep_what_follows_the_nul_but_do_not_compare_it() {
        let name = Chars(*b"Barrel\0\xcd\xcd\0\0\0\0\0\0x");
        assert_eq!(name.text(), b"Barrel");
        assert_eq!(name.tail(), b"\0\xcd\xcd\0\0\0\0\0\0x");
        assert!(name.same_name(&Chars::<32>::new("BARREL").unwrap()));
        let full = Chars(*b"abcd");
        assert_eq!((full.text(), full.tail()), (&b"abcd"[..], &b""[..]));
    }
}
