//! JSON with the position of every value. Duplicate keys, which other readers accept, are an error.

use std::borrow::Cow;
use std::collections::HashSet;

use super::fault::Fault;

/// The deepest nesting that is read; other readers have the same limit.
const MAX_DEPTH: usize = 128;

/// A value and the byte where it starts.
#[derive(Clone, Debug)]
pub(super) struct Json<'t> {
    pub(super) at: usize,
    pub(super) value: Value<'t>,
}

#[derive(Clone, Debug)]
pub(super) enum Value<'t> {
    Null,
    Bool(bool),
    /// The digits as written.
    Number(&'t str),
    Text(Cow<'t, str>),
    List(Vec<Json<'t>>),
    Object(Object<'t>),
}

/// The members of an object in their order: position of the key, key, value.
#[derive(Clone, Debug, Default)]
pub(super) struct Object<'t>(pub(super) Vec<(usize, Cow<'t, str>, Json<'t>)>);

impl<'t> Object<'t> {
    pub(super) fn get(&self, key: &str) -> Option<&Json<'t>> {
        self.0.iter().find(|(_, name, _)| name == key).map(|(.., value)| value)
    }
}

impl<'t> Json<'t> {
    /// Reads a text that is one value.
    pub(super) fn parse(text: &'t str) -> Result<Self, Fault> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        reader.blank();
        match reader.peek() {
            None => Ok(value),
            Some(_) => Err(reader.fault("expected the end of the text")),
        }
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn as_list(&self) -> Option<&[Self]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    pub(super) const fn as_object(&self) -> Option<&Object<'t>> {
        match &self.value {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// A description for messages.
    pub(super) fn describe(&self) -> Cow<'_, str> {
        match &self.value {
            Value::Null => "null".into(),
            Value::Bool(value) => value.to_string().into(),
            Value::Number(text) => (*text).into(),
            Value::Text(text) => format!("{text:?}").into(),
            Value::List(_) => "a list".into(),
            Value::Object(_) => "an object".into(),
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::syntax(self.at, message)
    }

    fn blank(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    fn accept(&mut self, byte: u8) -> bool {
        self.blank();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Result<Json<'t>, Fault> {
        self.blank();
        if depth >= MAX_DEPTH {
            return Err(self.fault(format!("nested more than {MAX_DEPTH} deep")));
        }
        let at = self.at;
        let value = match self.peek() {
            Some(b'{') => Value::Object(self.object(depth)?),
            Some(b'[') => Value::List(self.list(depth)?),
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(_) => self.word()?,
            None => return Err(self.fault("the text ends where a value is expected")),
        };
        Ok(Json { at, value })
    }

    fn object(&mut self, depth: usize) -> Result<Object<'t>, Fault> {
        self.at += 1;
        /// Objects with more keys are searched with a set, because a linear search would take quadratic time. No record
        /// has so many keys.
        const FEW: usize = 64;
        let mut object = Object::default();
        let mut keys: HashSet<Cow<'t, str>> = HashSet::new();
        if self.accept(b'}') {
            return Ok(object);
        }
        loop {
            self.blank();
            let at = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.fault("expected a key in quotes"));
            }
            let key = self.string()?;
            if object.0.len() == FEW {
                keys.extend(object.0.iter().map(|(_, key, _)| key.clone()));
            }
            let is_known = match object.0.len() {
                ..FEW => object.get(&key).is_some(),
                _ => !keys.insert(key.clone()),
            };
            if is_known {
                return Err(Fault::content(at, format!("duplicate key {key:?} in this object")));
            }
            if !self.accept(b':') {
                return Err(self.fault("expected a colon after the key"));
            }
            let value = self.value(depth + 1)?;
            object.0.push((at, key, value));
            if self.accept(b'}') {
                return Ok(object);
            }
            if !self.accept(b',') {
                return Err(self.fault("expected a comma or a closing brace"));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Json<'t>>, Fault> {
        self.at += 1;
        let mut items = Vec::new();
        if self.accept(b']') {
            return Ok(items);
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.accept(b']') {
                return Ok(items);
            }
            if !self.accept(b',') {
                return Err(self.fault("expected a comma or a closing bracket"));
            }
        }
    }

    fn word(&mut self) -> Result<Value<'t>, Fault> {
        let rest = &self.text[self.at..];
        for (word, value) in
            [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))]
        {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.fault("expected a value"))
    }

    fn number(&mut self) -> Result<&'t str, Fault> {
        let rest = &self.text[self.at..];
        let is_part = |byte: u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let end = rest.bytes().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        let number = &rest[..end];
        if !is_number(number) {
            return Err(self.fault(format!("{number} is not a number")));
        }
        self.at += end;
        Ok(number)
    }

    fn string(&mut self) -> Result<Cow<'t, str>, Fault> {
        let start = self.at + 1;
        let rest = &self.text[start..];
        let plain = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1F));
        match plain.map(|end| (end, rest.as_bytes()[end])) {
            Some((end, b'"')) => {
                self.at = start + end + 1;
                return Ok(Cow::Borrowed(&rest[..end]));
            }
            Some(_) => {}
            None => return Err(self.fault("the string does not end")),
        }
        let mut text = String::new();
        self.at = start;
        loop {
            let rest = &self.text[self.at..];
            let Some(character) = rest.chars().next() else {
                self.at = start - 1;
                return Err(self.fault("the string does not end"));
            };
            match character {
                '"' => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                '\\' => text.push(self.escape()?),
                '\0'..='\x1F' => {
                    return Err(self.fault("a line break or control character in a string; escape it"));
                }
                other => {
                    text.push(other);
                    self.at += other.len_utf8();
                }
            }
        }
    }

    /// The character of an escape.
    fn escape(&mut self) -> Result<char, Fault> {
        let letter = self.text.as_bytes().get(self.at + 1).copied();
        let plain = match letter {
            Some(letter @ (b'"' | b'\\' | b'/')) => Some(char::from(letter)),
            Some(b'b') => Some('\u{8}'),
            Some(b'f') => Some('\u{C}'),
            Some(b'n') => Some('\n'),
            Some(b'r') => Some('\r'),
            Some(b't') => Some('\t'),
            _ => None,
        };
        if let Some(character) = plain {
            self.at += 2;
            return Ok(character);
        }
        let unit = |reader: &Self, at: usize| {
            let digits = reader.text.get(at..at + 6)?.strip_prefix("\\u")?;
            digits
                .bytes()
                .all(|digit| digit.is_ascii_hexdigit())
                .then(|| u32::from_str_radix(digits, 16).ok())?
        };
        let fault = self.fault("not an escape of JSON");
        let first = unit(self, self.at).ok_or_else(|| fault.clone())?;
        self.at += 6;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first).ok_or(fault);
        }
        let second = unit(self, self.at)
            .filter(|second| (0xDC00..0xE000).contains(second))
            .ok_or_else(|| fault.clone())?;
        self.at += 6;
        char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00)).ok_or(fault)
    }
}

/// Whether this is a number of JSON.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let text = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(text);
    if whole == 0 || whole > 1 && text.starts_with('0') {
        return false;
    }
    let mut rest = &text[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let length = digits(exponent);
        return length > 0 && length == exponent.len();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_readers_agree() {
        for text in [
            r#"{"a": [1, -2.5e3, 0, 1E+2], "b": "x\"\\\/\b\f\n\r\té😀", "c": {}, "d": [], "e": null, "f": true}"#,
            "[[[]]]",
            "  3 ",
            "\"\"",
            "01",
            "1.",
            ".5",
            "+1",
            "-",
            "1e",
            "{\"a\" 1}",
            "[1,]",
            "{\"a\":1,}",
            "tru",
            "\"a",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "\"\t\"",
            "[1] 2",
            "",
            "{1:2}",
            "nul",
            "-0",
            "\"\\u12\"",
        ] {
            let ours = Json::parse(text);
            let theirs: Result<serde_json::Value, _> = serde_json::from_str(text);
            assert_eq!(ours.is_ok(), theirs.is_ok(), "{text}");
        }
        let text = r#"{"b": "x\"\\\/é😀", "n": 12}"#;
        let json = Json::parse(text).expect("JSON");
        let object = json.as_object().expect("an object");
        assert_eq!(object.get("b").and_then(Json::as_text), Some("x\"\\/é😀"));
        assert_eq!(object.get("n").map(|value| value.at), Some(text.find("12").expect("there")));
    }

    #[test]
    fn a_duplicate_key_is_an_error() {
        assert!(Json::parse(r#"{"a": 1, "b": {"a": 1}}"#).is_ok());
        assert!(Json::parse(r#"{"a": 1, "a": 1}"#).is_err());
        let many = |last: &str| {
            let keys: Vec<String> = (0..300).map(|index| format!("\"k{index}\": 1")).collect();
            Json::parse(&format!("{{{}, \"{last}\": 1}}", keys.join(", "))).is_ok()
        };
        assert!(many("k300"));
        assert!(!many("k0") && !many("k63") && !many("k64") && !many("k299"));
    }

    #[test]
    fn deep_nesting_is_refused_without_harm() {
        assert!(Json::parse(&"[".repeat(100_000)).is_err());
    }
}
