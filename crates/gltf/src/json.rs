//! Plain data as JSON.
//!
//! `serde_json` searches every key for characters to escape. Keys are most of the JSON of a model with many animations, and that search
//! was an eighth of the work of a conversion. Names of fields and variants need no escapes, so they are copied here. Strings and numbers
//! are left to `serde_json`.

use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Error;

/// Appends a value as JSON without white space.
///
/// # Errors
/// If a value refuses to be serialised, or the key of a map is not a string.
pub(crate) fn append(value: &impl Serialize, out: &mut Vec<u8>) -> Result<(), Error> {
    value.serialize(Writer(out))
}

/// Writes one value.
struct Writer<'o>(&'o mut Vec<u8>);

impl<'o> Writer<'o> {
    /// Starts an array or object.
    fn begin(self, brackets: Brackets) -> List<'o> {
        self.0.push(brackets.open);
        List { out: self.0, is_empty: true, close: brackets.close }
    }

    /// Starts the array or object of a variant: an object with the name of the variant as its only key.
    fn begin_variant(self, variant: &'static str, brackets: Brackets) -> Variant<'o> {
        let mut object = self.begin(OBJECT);
        object.name(variant);
        Variant(Writer(object.out).begin(brackets))
    }
}

struct Brackets {
    open: u8,
    close: u8,
}

const ARRAY: Brackets = Brackets { open: b'[', close: b']' };
const OBJECT: Brackets = Brackets { open: b'{', close: b'}' };

/// Scalars as `serde_json` writes them.
macro_rules! scalars {
    ($($method:ident($type:ty)),*) => {$(
        fn $method(self, value: $type) -> Result<(), Error> {
            serde_json::Serializer::new(self.0).$method(value)
        }
    )*};
}

impl<'o> Serializer for Writer<'o> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = List<'o>;
    type SerializeTuple = List<'o>;
    type SerializeTupleStruct = List<'o>;
    type SerializeTupleVariant = Variant<'o>;
    type SerializeMap = List<'o>;
    type SerializeStruct = List<'o>;
    type SerializeStructVariant = Variant<'o>;

    scalars!(
        serialize_bool(bool),
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_u64(u64),
        serialize_f32(f32),
        serialize_f64(f64),
        serialize_char(char),
        serialize_str(&str),
        serialize_bytes(&[u8])
    );

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.0.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.0.push(b'"');
        self.0.extend_from_slice(variant.as_bytes());
        self.0.push(b'"');
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut object = self.begin(OBJECT);
        SerializeStruct::serialize_field(&mut object, variant, value)?;
        SerializeStruct::end(object)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List<'o>, Error> {
        Ok(self.begin(ARRAY))
    }

    fn serialize_tuple(self, _: usize) -> Result<List<'o>, Error> {
        Ok(self.begin(ARRAY))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List<'o>, Error> {
        Ok(self.begin(ARRAY))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Variant<'o>, Error> {
        Ok(self.begin_variant(variant, ARRAY))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<List<'o>, Error> {
        Ok(self.begin(OBJECT))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<List<'o>, Error> {
        Ok(self.begin(OBJECT))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Variant<'o>, Error> {
        Ok(self.begin_variant(variant, OBJECT))
    }
}

/// An array or object in the making.
struct List<'o> {
    out: &'o mut Vec<u8>,
    is_empty: bool,
    close: u8,
}

impl List<'_> {
    /// Writes the comma before all items but the first.
    fn separate(&mut self) {
        if !std::mem::replace(&mut self.is_empty, false) {
            self.out.push(b',');
        }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.separate();
        value.serialize(Writer(self.out))
    }

    /// Writes the name of a field or variant, which needs no escapes.
    fn name(&mut self, name: &'static str) {
        match std::mem::replace(&mut self.is_empty, false) {
            true => self.out.push(b'"'),
            false => self.out.extend_from_slice(b",\""),
        }
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.name(name);
        value.serialize(Writer(self.out))
    }

    fn close(self) {
        self.out.push(self.close);
    }
}

/// The array or object inside the object of a variant.
struct Variant<'o>(List<'o>);

impl Variant<'_> {
    fn close(self) {
        self.0.out.extend_from_slice(&[self.0.close, OBJECT.close]);
    }
}

impl SerializeSeq for List<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeTuple for List<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeTupleStruct for List<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeTupleVariant for Variant<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.0.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeMap for List<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.separate();
        let start = self.out.len();
        key.serialize(Writer(self.out))?;
        match self.out.get(start) {
            Some(b'"') => Ok(()),
            _ => Err(serde::ser::Error::custom("the key of a map is not a string")),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.out.push(b':');
        value.serialize(Writer(self.out))
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeStruct for List<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.field(name, value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeStructVariant for Variant<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.0.field(name, value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    enum Choice {
        Unit,
        One(u8),
        Two(i64, f64),
        Named { path: &'static str, none: Option<u32> },
    }

    #[derive(Serialize)]
    struct Pair(f32, bool);

    #[derive(Serialize)]
    struct Wrapped(&'static str);

    #[derive(Serialize)]
    struct Empty {}

    #[derive(Serialize)]
    struct Inner {
        weight: f32,
        empty: Empty,
    }

    #[derive(Serialize)]
    struct Everything {
        choices: Vec<Choice>,
        pair: Pair,
        wrapped: Wrapped,
        nothing: (),
        letter: char,
        map: BTreeMap<String, [u16; 2]>,
        no_items: [u8; 0],
        numbers: Vec<f32>,
        #[serde(flatten)]
        inner: Inner,
    }

    #[test]
    fn the_text_is_that_of_serde_json() {
        let everything = Everything {
            choices: vec![
                Choice::Unit,
                Choice::One(255),
                Choice::Two(i64::MIN, 1e300),
                Choice::Named { path: "a \"quoted\" path\n", none: None },
            ],
            pair: Pair(0.1, true),
            wrapped: Wrapped("ü"),
            nothing: (),
            letter: '\\',
            map: [("é\t".to_owned(), [0, 1]), ("z".to_owned(), [2, 3])].into(),
            no_items: [],
            numbers: vec![0.0, -0.0, 1.0, 1e-7, 16_777_216.0, f32::MAX, f32::NAN, f32::INFINITY],
            inner: Inner { weight: 0.5, empty: Empty {} },
        };
        let mut text = b"before".to_vec();
        append(&everything, &mut text).unwrap();
        let expected = format!("before{}", serde_json::to_string(&everything).unwrap());
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn keys_of_maps_are_strings() {
        let error = append(&BTreeMap::from([(1, 2)]), &mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "the key of a map is not a string");
    }
}
