//! Python literals as JSON. Blender turns a custom property that it cannot store into the text of a Python value, such as
//! `{'name': 'Hull', 'looping': True}`; ours is one as soon as an array in it has items of different types.

use serde_json::{Map, Number, Value};

/// Brackets within brackets that are followed.
const DEEPEST: usize = 100;

/// Reads a Python literal, or JSON, whose words for true, false and null differ.
pub(crate) fn parse(text: &str) -> Option<Value> {
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    reader.skip();
    reader.rest.is_empty().then_some(value)
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, token: &str) -> bool {
        self.skip();
        let after = self.rest.strip_prefix(token);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        for (word, value) in [
            ("True", Value::Bool(true)),
            ("true", Value::Bool(true)),
            ("False", Value::Bool(false)),
            ("false", Value::Bool(false)),
            ("None", Value::Null),
            ("null", Value::Null),
            ("nan", Value::Null),
            ("inf", Value::Null),
            ("-inf", Value::Null),
        ] {
            if self.take(word) {
                return Some(value);
            }
        }
        if self.take("{") {
            let mut fields = Map::new();
            while !self.take("}") {
                let key = self.string()?;
                self.take(":").then_some(())?;
                fields.insert(key, self.value(depth + 1)?);
                if !self.take(",") {
                    self.take("}").then_some(())?;
                    break;
                }
            }
            return Some(Value::Object(fields));
        }
        for (open, close) in [("[", "]"), ("(", ")")] {
            if !self.take(open) {
                continue;
            }
            let mut items = Vec::new();
            while !self.take(close) {
                items.push(self.value(depth + 1)?);
                if !self.take(",") {
                    self.take(close).then_some(())?;
                    break;
                }
            }
            return Some(Value::Array(items));
        }
        self.skip();
        if self.rest.starts_with(['\'', '"']) {
            return self.string().map(Value::String);
        }
        let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-')));
        let (number, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let number: Number = number.parse().ok()?;
        self.rest = rest;
        Some(Value::Number(number))
    }

    fn string(&mut self) -> Option<String> {
        self.skip();
        let quote = self.rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let mut text = String::new();
        let mut chars = self.rest[1..].char_indices();
        loop {
            let (at, c) = chars.next()?;
            match c {
                c if c == quote => {
                    self.rest = &self.rest[at + 2..];
                    return Some(text);
                }
                '\\' => {
                    let (_, escape) = chars.next()?;
                    let mut code = |digits: usize| {
                        let mut code = 0;
                        for _ in 0..digits {
                            code = code * 16 + chars.next()?.1.to_digit(16)?;
                        }
                        char::from_u32(code)
                    };
                    text.push(match escape {
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        'b' => '\u{8}',
                        'f' => '\u{c}',
                        'x' => code(2)?,
                        'u' => code(4)?,
                        'U' => code(8)?,
                        other => other,
                    });
                }
                other => text.push(other),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_python_dictionary_is_read() {
        let text = r#"{'name': "it's", 'on': True, 'off': False, 'none': None, 'list': [1, -2.5e-05, 'a\\b\'\x41'], 'empty': {}, 'pair': (1, 2)}"#;
        let value = json!({
            "name": "it's", "on": true, "off": false, "none": null, "list": [1, 0, "a\\b'A"], "empty": {}, "pair": [1, 2]
        });
        let mut found = parse(text).unwrap();
        assert_eq!(found["list"][1].as_f64(), Some(-2.5e-5));
        found["list"][1] = json!(0);
        assert_eq!(found, value);
    }

    #[test]
    fn broken_or_deep_texts_are_refused() {
        for text in ["", "{", "{'a'", "{'a': }", "[1, 2", "'open", "[1] x", "nothing", "'\\x4'"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse(&"[".repeat(100_000)), None);
    }
}
