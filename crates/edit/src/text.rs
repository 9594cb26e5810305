//! Writing text over text.

use std::ops::Range;

use record::{Node, U32, encode, overwrite, until_nul};

use crate::Error;
use crate::places::LENGTHS;

/// The bytes of a name or path.
pub(crate) fn encoded(text: &str) -> Result<Vec<u8>, Error> {
    let bytes = encode(text)
        .ok_or_else(|| Error::new(format!("{text:?} contains characters outside Windows-1252")))?;
    if bytes.contains(&0) {
        return Err(Error::new(format!("{text:?} contains a NUL, which would end the text")));
    }
    Ok(bytes.into_owned())
}

/// Writes a text over that of a field of fixed length, as [`record::Chars::set`] does.
pub(crate) fn overwrite_field(field: &mut [u8], text: &[u8], place: &str) -> Result<(), Error> {
    overwrite(field, text).ok_or_else(|| {
        let room = field.len().saturating_sub(1);
        Error::new(format!(
            "{:?} is too long for {place}: it has {} characters; the limit is {room}",
            record::decode(text),
            text.len()
        ))
    })
}

/// Replaces the text of a string slot up to its NUL, and updates its length field if it has one.
pub(crate) fn replace(node: &mut Node<'_>, slot: &str, range: Range<usize>, text: &[u8]) -> Option<()> {
    let length = LENGTHS
        .iter()
        .find(|row| node.is(row.kind) && row.slot == slot)
        .map(|row| node.locate(row.length).map(|found| found.range));
    let bytes = node.bytes_mut()?;
    let old = until_nul(bytes.get(range.clone())?).len();
    if let Some(length) = length {
        let stated: &mut [u8] = bytes.get_mut(length?)?;
        let stated = record::zerocopy::FromBytes::mut_from_bytes(stated).ok();
        let stated: &mut U32 = stated?;
        let grown = u32::try_from(text.len()).ok()?.wrapping_sub(u32::try_from(old).ok()?);
        stated.set(stated.get().wrapping_add(grown));
    }
    bytes.splice(range.start..range.start + old, text.iter().copied());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(field: &[u8; 10], text: &[u8]) -> [u8; 10] {
        let mut field = *field;
        overwrite(&mut field, text).expect("the text fits");
        field
    }

    #[test]
    fn texts_are_written_over_texts() {
        assert_eq!(&over(b"BARREL\0xyz", b"BOX"), b"BOX\0\0\0\0xyz");
        assert_eq!(&over(b"BOX\0\0\0\0xyz", b"BARREL"), b"BARREL\0xyz", "and back");
        assert_eq!(&over(b"BARREL\0xyz", b"CANNON"), b"CANNON\0xyz");
        assert_eq!(
            &over(b"BOX\0junk\0\0", b"BARREL"),
            b"BARREL\0k\0\0",
            "junk is lost where the text needs the room"
        );
        assert_eq!(&over(b"BOX\0\0\0\0\0\0\0", b"NINECHARS"), b"NINECHARS\0");
        assert_eq!(&over(b"TENLETTERS", b"NINECHARS"), b"NINECHARS\0");
        assert_eq!(&over(b"BOX\0junk\0\0", b""), b"\0\0\0\0junk\0\0");
        assert_eq!(&over(b"TENLETTERS", b"ELEPHANTLY"), b"ELEPHANTLY", "a full field may stay full");
        assert_eq!(overwrite(&mut [0; 10], b"TENLETTERS"), None);
        assert_eq!(overwrite(&mut [1; 10], b"MORELETTERS"), None);
    }
}
