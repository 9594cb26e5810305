//! JSON written straight into bytes: no tree is built first.

use glam::{Quat, Vec2, Vec3, Vec4};

/// JSON in the making. Commas are put where they belong by looking at the last byte.
#[derive(Debug, Default)]
pub(crate) struct Json {
    out: Vec<u8>,
}

/// What can be written as JSON.
pub(crate) trait ToJson {
    fn write(&self, json: &mut Json);
}

impl Json {
    /// JSON that starts like this.
    pub(crate) fn after(opening: Vec<u8>) -> Self {
        Self { out: opening }
    }

    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self::after(Vec::with_capacity(capacity))
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.out
    }

    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    pub(crate) fn capacity(&self) -> usize {
        self.out.capacity()
    }

    /// Takes the last bytes back.
    pub(crate) fn drop_last(&mut self, bytes: usize) {
        self.out.truncate(self.out.len() - bytes);
    }

    pub(crate) fn clear(&mut self) {
        self.out.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    fn separate(&mut self) {
        /// Room to start with, so that what stays small does not grow by steps.
        const ROOM: usize = 256;
        match self.out.last() {
            None => self.out.reserve(ROOM),
            Some(b'{' | b'[' | b':' | b',') => {}
            Some(_) => self.out.push(b','),
        }
    }

    /// The next value of an array, or that of the key just written.
    pub(crate) fn value(&mut self, value: &(impl ToJson + ?Sized)) {
        self.separate();
        value.write(self);
    }

    /// JSON that is already written.
    pub(crate) fn raw(&mut self, json: &[u8]) {
        self.separate();
        self.out.extend_from_slice(json);
    }

    /// A piece of our own, commas and all, for what is written by the thousand.
    #[inline(always)]
    pub(crate) fn literal(&mut self, json: &str) {
        self.out.extend_from_slice(json.as_bytes());
    }

    /// A number after such a piece.
    #[inline(always)]
    pub(crate) fn number(&mut self, value: usize) {
        self.integer(value as u64);
    }

    /// A key of our own, which needs no escaping.
    // In line it would be in hundreds of places, more than the processor keeps at hand.
    #[inline(never)]
    pub(crate) fn key(&mut self, key: &str) {
        self.separate();
        self.out.reserve(key.len() + 3);
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    /// A key like `TEXCOORD_1`.
    pub(crate) fn numbered_key(&mut self, key: &str, number: Option<u32>) {
        self.separate();
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        if let Some(number) = number {
            self.out.push(b'_');
            self.integer(number.into());
        }
        self.out.extend_from_slice(b"\":");
    }

    #[inline]
    pub(crate) fn field(&mut self, key: &str, value: &(impl ToJson + ?Sized)) {
        self.key(key);
        value.write(self);
    }

    /// The field unless it is nothing.
    pub(crate) fn optional(&mut self, key: &str, value: Option<impl ToJson>) {
        if let Some(value) = value {
            self.field(key, &value);
        }
    }

    /// A text field unless it is empty.
    pub(crate) fn text(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.field(key, value);
        }
    }

    /// `true`, or nothing at all.
    pub(crate) fn flag(&mut self, key: &str, value: bool) {
        if value {
            self.field(key, &true);
        }
    }

    /// An array field unless it is empty.
    pub(crate) fn list<T: ToJson>(&mut self, key: &str, values: &[T]) {
        if !values.is_empty() {
            self.field(key, values);
        }
    }

    /// The next value as an object.
    pub(crate) fn object(&mut self, fill: impl FnOnce(&mut Self)) {
        self.open(b'{');
        fill(self);
        self.close(b'}');
    }

    #[inline(never)]
    fn open(&mut self, bracket: u8) {
        self.separate();
        self.out.push(bracket);
    }

    #[inline(never)]
    fn close(&mut self, bracket: u8) {
        self.out.push(bracket);
    }

    /// The next value as an array.
    pub(crate) fn array(&mut self, fill: impl FnOnce(&mut Self)) {
        self.open(b'[');
        fill(self);
        self.close(b']');
    }

    pub(crate) fn object_field(&mut self, key: &str, fill: impl FnOnce(&mut Self)) {
        self.key(key);
        self.object(fill);
    }

    /// An object of this name in one of that name, unless it has no fields.
    pub(crate) fn nested_unless_empty(&mut self, [outer, inner]: [&str; 2], fill: impl FnOnce(&mut Self)) {
        let before = self.out.len();
        self.key(outer);
        self.open(b'{');
        self.key(inner);
        self.open(b'{');
        let start = self.out.len();
        fill(self);
        match self.out.len() > start {
            true => self.literal("}}"),
            false => self.out.truncate(before),
        }
    }

    pub(crate) fn array_field(&mut self, key: &str, fill: impl FnOnce(&mut Self)) {
        self.key(key);
        self.array(fill);
    }

    #[inline(always)]
    fn integer(&mut self, value: u64) {
        match value {
            0..10 => self.out.push(b'0' + value as u8),
            10..100 => self.out.extend_from_slice(&TWO_DIGITS[value as usize % 100]),
            100..10_000 => {
                let [a, b] = TWO_DIGITS[value as usize / 100];
                let [c, d] = TWO_DIGITS[value as usize % 100];
                match value {
                    0..1000 => self.out.extend_from_slice(&[b, c, d]),
                    _ => self.out.extend_from_slice(&[a, b, c, d]),
                }
            }
            _ => self.large_integer(value),
        }
    }

    /// So many, which are less than a million and no whole number.
    fn thousandths(&mut self, value: i32) {
        if value < 0 {
            self.out.push(b'-');
        }
        let value = value.unsigned_abs();
        self.integer((value / 1000).into());
        let [tenth, hundredth] = TWO_DIGITS[value as usize / 10 % 100];
        match (hundredth, value % 10) {
            (b'0', 0) => self.out.extend_from_slice(&[b'.', tenth]),
            (_, 0) => self.out.extend_from_slice(&[b'.', tenth, hundredth]),
            (_, last) => self.out.extend_from_slice(&[b'.', tenth, hundredth, b'0' + last as u8]),
        }
    }

    fn large_integer(&mut self, value: u64) {
        const EIGHT: u64 = 100_000_000;
        if value >= EIGHT {
            self.integer(value / EIGHT);
            self.out.extend_from_slice(&(digits(value % EIGHT) | ZEROS).to_le_bytes());
            return;
        }
        // All eight, of which the leading zeros are dropped, are quicker than as many as there are.
        let digits = digits(value);
        let leading = digits.trailing_zeros() & !7;
        let end = self.out.len() + 8 - leading as usize / 8;
        self.out.extend_from_slice(&(digits >> leading | ZEROS).to_le_bytes());
        self.out.truncate(end);
    }
}

/// The numbers below a hundred.
const TWO_DIGITS: [[u8; 2]; 100] = {
    let mut all = [[b'0'; 2]; 100];
    let mut number = 0;
    while number < 100 {
        all[number] = [b'0' + number as u8 / 10, b'0' + number as u8 % 10];
        number += 1;
    }
    all
};

/// The digit zero, eight times.
const ZEROS: u64 = u64::from_ne_bytes([b'0'; 8]);

/// The eight digits of a number below 10^8, the first in the lowest byte. All of a size are worked out at once: pairs of four, then
/// fours of two, then single ones; the factors divide exactly in the range that they are used in.
const fn digits(value: u64) -> u64 {
    let fours = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x7f_0000_007f;
    let twos = hundreds | (fours - hundreds * 100) << 16;
    let tens = ((twos * 103) >> 10) & 0x0f_000f_000f_000f;
    tens | (twos - tens * 10) << 8
}

impl ToJson for f32 {
    /// The shortest digits that read back as the same number. JSON has none for what is not finite.
    fn write(&self, json: &mut Json) {
        let value = *self;
        let whole = value as i32;
        let thousandths = (value * 1000.0 + 0.5_f32.copysign(value)) as i32;
        if whole as f32 == value && value.abs() < 1e7 {
            whole.write(json);
        } else if thousandths as f32 / 1000.0 == value && thousandths.unsigned_abs() < 1_000_000 {
            // Most times are whole milliseconds. No two numbers of six digits are the same float, so these are the shortest.
            json.thousandths(thousandths);
        } else if value.is_finite() {
            json.out.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes());
        } else {
            json.out.extend_from_slice(b"null");
        }
    }
}

impl ToJson for bool {
    fn write(&self, json: &mut Json) {
        json.out.extend_from_slice(if *self { b"true" } else { b"false" });
    }
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl ToJson for $type {
            fn write(&self, json: &mut Json) {
                #[allow(unused_comparisons, reason = "the unsigned ones never are")]
                if *self < 0 {
                    json.out.push(b'-');
                }
                json.integer((*self as i64).unsigned_abs());
            }
        }
    )*};
}
integers!(u8, u16, u32, i32, usize);

impl ToJson for str {
    fn write(&self, json: &mut Json) {
        let is_special = |byte: u8| (byte < b' ') | (byte == b'"') | (byte == b'\\');
        json.out.push(b'"');
        // Names rarely have any, which is seen at once for many bytes.
        if !self.bytes().fold(false, |found, byte| found | is_special(byte)) {
            json.out.extend_from_slice(self.as_bytes());
            json.out.push(b'"');
            return;
        }
        let mut plain = 0;
        for (at, &byte) in self.as_bytes().iter().enumerate() {
            if !is_special(byte) {
                continue;
            }
            json.out.extend_from_slice(&self.as_bytes()[plain..at]);
            plain = at + 1;
            match byte {
                b'"' | b'\\' => json.out.extend_from_slice(&[b'\\', byte]),
                _ => json.out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            }
        }
        json.out.extend_from_slice(&self.as_bytes()[plain..]);
        json.out.push(b'"');
    }
}

impl ToJson for String {
    fn write(&self, json: &mut Json) {
        self.as_str().write(json);
    }
}

impl<T: ToJson + ?Sized> ToJson for &T {
    fn write(&self, json: &mut Json) {
        (**self).write(json);
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn write(&self, json: &mut Json) {
        match self {
            Some(value) => value.write(json),
            None => json.out.extend_from_slice(b"null"),
        }
    }
}

impl<T: ToJson> ToJson for [T] {
    fn write(&self, json: &mut Json) {
        json.out.push(b'[');
        for (place, value) in self.iter().enumerate() {
            if place > 0 {
                json.out.push(b',');
            }
            value.write(json);
        }
        json.out.push(b']');
    }
}

impl<T: ToJson, const N: usize> ToJson for [T; N] {
    fn write(&self, json: &mut Json) {
        self.as_slice().write(json);
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn write(&self, json: &mut Json) {
        self.as_slice().write(json);
    }
}

macro_rules! arrays {
    ($($type:ty),*) => {$(
        impl ToJson for $type {
            fn write(&self, json: &mut Json) {
                self.to_array().write(json);
            }
        }
    )*};
}
arrays!(Vec2, Vec3, Vec4, Quat);

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: &(impl ToJson + ?Sized)) -> String {
        let mut json = Json::default();
        json.value(value);
        String::from_utf8(json.into_bytes()).expect("JSON is text")
    }

    #[test]
    fn numbers_read_back_as_they_were() {
        for value in
            [0.0, -0.0, 1.0, -17.0, 0.1, 1e-20, f32::MAX, f32::MIN_POSITIVE, 16_777_217.0, 9_999_999.5]
        {
            assert_eq!(written(&value).parse::<f32>(), Ok(value));
        }
        assert_eq!(written(&f32::NAN), "null");
        assert_eq!(written(&[u32::MAX, 0]), "[4294967295,0]");
        assert_eq!(written(&i32::MIN), "-2147483648");
    }

    #[test]
    fn integers_have_their_digits() {
        let ends =
            (0..20).flat_map(|power| [-1, 0, 1].map(|step| 10_u64.pow(power).saturating_add_signed(step)));
        for value in (0..1_000_000).chain(ends).chain([u64::MAX]).chain((0..100_000_000).step_by(997)) {
            let mut json = Json::default();
            json.integer(value);
            assert_eq!(json.into_bytes(), value.to_string().into_bytes());
        }
    }

    #[test]
    fn thousandths_are_as_short_as_can_be() {
        for thousandths in (-999_999..=999_999).filter(|thousandths| thousandths % 1000 != 0) {
            let value = thousandths as f32 / 1000.0;
            assert_eq!(written(&value), zmij::Buffer::new().format_finite(value));
            for near in [value.next_up(), value.next_down()] {
                assert_eq!(written(&near).parse::<f32>(), Ok(near));
            }
        }
    }

    #[test]
    fn text_is_escaped() {
        let text = "a\"b\\c\nd\u{1}é";
        let read: String = serde_json::from_str(&written(text)).expect("valid JSON");
        assert_eq!(read, text);
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        let mut json = Json::default();
        json.object(|json| {
            json.field("a", &1_u32);
            json.nested_unless_empty(["b", "c"], |_| {});
            json.nested_unless_empty(["d", "e"], |json| json.field("f", &2_u32));
        });
        assert_eq!(json.into_bytes(), br#"{"a":1,"d":{"e":{"f":2}}}"#);
    }

    #[test]
    fn commas_stand_between() {
        let mut json = Json::default();
        json.object(|json| {
            json.field("a", &1_u32);
            json.array_field("b", |json| {
                json.object(|_| {});
                json.value(&true);
            });
            json.text("c", "");
            json.flag("d", true);
        });
        assert_eq!(json.into_bytes(), br#"{"a":1,"b":[{},true],"d":true}"#);
    }
}
