//! Damage to binary files by programs that treat them as text, and its repair.

/// Fewer line feeds than this may all follow a carriage return by accident: a random byte does so once in 256 times.
const LEAST_FEEDS: usize = 3;

/// Fewer characters beyond ASCII than this may be valid UTF-8 by accident.
const LEAST_CHARACTERS: usize = 8;

/// The characters of Windows-1252 from 0x80 to 0x9F, in the order of their bytes.
const WINDOWS_1252: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ";

/// A binary file damaged by conversion to UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Utf8Damage {
    /// Every byte beyond ASCII became a character: these are the bytes from before.
    Encoded(Vec<u8>),
    /// This many bytes became the replacement character; they are lost.
    Replaced(usize),
}

/// The bytes from before a transfer in text mode, which writes a carriage return before every line feed; `None` if these bytes
/// do not look like it.
///
/// ```
/// use meshwright_record::transfer::before_text_mode;
/// assert_eq!(before_text_mode(b"a\r\nb\r\nc\r\r\n").as_deref(), Some(&b"a\nb\nc\r\n"[..]));
/// assert_eq!(before_text_mode(b"a\r\nb\nc\r\n"), None);
/// ```
pub fn before_text_mode(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut before = Vec::with_capacity(bytes.len());
    let mut feeds = 0_usize;
    for byte in bytes {
        if *byte == b'\n' {
            if before.pop() != Some(b'\r') {
                return None;
            }
            feeds += 1;
        }
        before.push(*byte);
    }
    (feeds >= LEAST_FEEDS).then_some(before)
}

/// The kind of damage to a binary file that a program read as text of one byte per character, or as UTF-8, and wrote as
/// UTF-8. `None` if these bytes do not look like it. Binary files with numbers in them are hardly ever valid UTF-8.
///
/// ```
/// use meshwright_record::transfer::{Utf8Damage, utf8_damage};
/// let floats: Vec<u8> = [-1.5_f32, 0.1, -0.3].iter().flat_map(|value| value.to_le_bytes()).collect();
/// let text: String = floats.iter().map(|byte| char::from(*byte)).collect();
/// assert_eq!(utf8_damage(text.as_bytes()), Some(Utf8Damage::Encoded(floats.clone())));
/// assert_eq!(utf8_damage(&floats), None);
/// ```
pub fn utf8_damage(bytes: &[u8]) -> Option<Utf8Damage> {
    let text = std::str::from_utf8(bytes).ok()?;
    let beyond = text.chars().filter(|character| !character.is_ascii());
    if beyond.clone().take(LEAST_CHARACTERS).count() < LEAST_CHARACTERS {
        return None;
    }
    let replaced = beyond.filter(|character| *character == char::REPLACEMENT_CHARACTER).count();
    if replaced > 0 {
        return Some(Utf8Damage::Replaced(replaced));
    }
    let byte = |character: char| {
        u8::try_from(character).ok().or_else(|| {
            let index = WINDOWS_1252.chars().position(|known| known == character)?;
            u8::try_from(0x80 + index).ok()
        })
    };
    text.chars().map(byte).collect::<Option<_>>().map(Utf8Damage::Encoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back_from_both_encodings() {
        let bytes: Vec<u8> = (0..=255).collect();
        let latin: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        assert_eq!(utf8_damage(latin.as_bytes()), Some(Utf8Damage::Encoded(bytes.clone())));
        let windows = bytes.iter().map(|byte| match byte {
            0x80..=0x9F => WINDOWS_1252.chars().nth(usize::from(byte - 0x80)).expect("32 characters"),
            other => char::from(*other),
        });
        let windows: String = windows.collect();
        assert_eq!(utf8_damage(windows.as_bytes()), Some(Utf8Damage::Encoded(bytes)));
    }

    #[test]
    fn replaced_bytes_are_counted_and_not_guessed() {
        let text = String::from_utf8_lossy(&[0xFF; 12]).into_owned();
        assert_eq!(utf8_damage(text.as_bytes()), Some(Utf8Damage::Replaced(12)));
    }

    #[test]
    fn other_text_is_not_damage() {
        assert_eq!(utf8_damage("日本語の文章はここにあります".as_bytes()), None);
        assert_eq!(utf8_damage(b"plain"), None);
        assert_eq!(before_text_mode(b"\r\n\r\n"), None);
    }
}
