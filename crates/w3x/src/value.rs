//! Values in attributes and texts: entities, numbers, booleans.

use std::borrow::Cow;

/// A text with its entities replaced. Unknown entities and bytes that are not UTF-8 stay visible.
///
/// ```
/// use meshwright_w3x::value::unescape;
/// assert_eq!(unescape(b"A &amp; B &#65;&#x42;"), "A & B AB");
/// assert_eq!(unescape(b"a &unknown; b"), "a &unknown; b");
/// ```
pub fn unescape(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if !text.contains('&') {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = rest.find('&') {
        let (before, entity) = rest.split_at(at);
        out.push_str(before);
        let known = entity.split_once(';').and_then(|(name, after)| Some((character(&name[1..])?, after)));
        match known {
            Some((character, after)) => {
                out.push(character);
                rest = after;
            }
            None => {
                out.push('&');
                rest = &entity[1..];
            }
        }
    }
    out.push_str(rest);
    out.into()
}

fn character(entity: &str) -> Option<char> {
    match entity {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = entity.strip_prefix('#')?;
            let number = match number.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?)
        }
    }
}

/// A text as it is written in an attribute or an element.
///
/// ```
/// use meshwright_w3x::value::escape;
/// assert_eq!(escape("\"A\" & <B>"), "&quot;A&quot; &amp; &lt;B&gt;");
/// ```
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'', '\n', '\r', '\t']) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            other => out.push(other),
        }
    }
    out.into()
}

/// A number. Some exporters write a decimal comma.
///
/// ```
/// use meshwright_w3x::value::float;
/// assert_eq!(float(b" -0.500000 "), Some(-0.5));
/// assert_eq!(float(b"0,25"), Some(0.25));
/// assert_eq!(float(b"x"), None);
/// ```
pub fn float(bytes: &[u8]) -> Option<f32> {
    let text = std::str::from_utf8(bytes.trim_ascii()).ok()?;
    text.parse().ok().or_else(|| {
        let (whole, fraction) = text.split_once(',')?;
        format!("{whole}.{fraction}").parse().ok()
    })
}

/// A whole number.
///
/// ```
/// use meshwright_w3x::value::integer;
/// assert_eq!(integer::<i32>(b"-1"), Some(-1));
/// assert_eq!(integer::<u16>(b"-1"), None);
/// ```
pub fn integer<T: std::str::FromStr>(bytes: &[u8]) -> Option<T> {
    std::str::from_utf8(bytes.trim_ascii()).ok()?.parse().ok()
}

/// A boolean: `true` or `1`, `false` or `0`.
///
/// ```
/// use meshwright_w3x::value::boolean;
/// assert_eq!(boolean(b"false"), Some(false));
/// assert_eq!(boolean(b"1"), Some(true));
/// assert_eq!(boolean(b"yes"), None);
/// ```
pub fn boolean(bytes: &[u8]) -> Option<bool> {
    let text = bytes.trim_ascii();
    if text == b"1" || text.eq_ignore_ascii_case(b"true") {
        Some(true)
    } else if text == b"0" || text.eq_ignore_ascii_case(b"false") {
        Some(false)
    } else {
        None
    }
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decimals {
    /// Six decimals, as EA's exporter writes.
    #[default]
    Six,
    /// The shortest text that gives the same number when it is read.
    Shortest,
}

impl Decimals {
    /// A number as text. NaN and infinity, which the format cannot express, are 0.
    ///
    /// ```
    /// use meshwright_w3x::value::Decimals;
    /// assert_eq!(Decimals::Six.text(0.1), "0.100000");
    /// assert_eq!(Decimals::Six.text(-0.0), "0.000000");
    /// assert_eq!(Decimals::Shortest.text(0.1), "0.1");
    /// ```
    pub fn text(self, number: f32) -> String {
        let number = if number.is_finite() { number } else { 0.0 };
        match self {
            Self::Six => {
                let text = format!("{number:.6}");
                if text == "-0.000000" { text[1..].to_owned() } else { text }
            }
            Self::Shortest => format!("{number}"),
        }
    }
}
