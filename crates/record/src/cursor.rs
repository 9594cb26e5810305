//! A bounds-checked position in a byte slice.

use zerocopy::FromBytes;

use crate::types::{Pod, U32};

/// Reads records one after the other. Nothing is copied and nothing panics. If a record does not fit, the result is
/// `None` and the cursor does not move.
///
/// ```
/// use meshwright_record::{Cursor, U32};
/// let mut cursor = Cursor::new(&[1, 0, 0, 0, 9]);
/// assert_eq!(cursor.read::<U32>().map(|word| word.get()), Some(1));
/// assert_eq!(cursor.read::<U32>(), None);
/// assert_eq!((cursor.position(), cursor.rest()), (4, &[9][..]));
/// ```
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    length: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of the bytes.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, length: bytes.len() }
    }

    /// The offset of the next byte.
    pub const fn position(&self) -> usize {
        self.length - self.rest.len()
    }

    /// The bytes ahead.
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether nothing is ahead.
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    /// The next record, borrowed.
    pub fn read<T: Pod>(&mut self) -> Option<&'a T> {
        let (value, rest) = T::ref_from_prefix(self.rest).ok()?;
        self.rest = rest;
        Some(value)
    }

    /// The next `count` records, borrowed as one slice. The count is checked against the bytes ahead first.
    pub fn read_many<T: Pod>(&mut self, count: usize) -> Option<&'a [T]> {
        let bytes = count.checked_mul(size_of::<T>())?;
        let (taken, rest) = self.rest.split_at_checked(bytes)?;
        let values = <[T]>::ref_from_bytes(taken).ok()?;
        self.rest = rest;
        Some(values)
    }

    /// The next little-endian word.
    pub fn u32(&mut self) -> Option<u32> {
        self.read::<U32>().map(|word| word.get())
    }

    /// The next little-endian word, without moving.
    pub fn peek_u32(&self) -> Option<u32> {
        self.clone().u32()
    }
}
