//! RefPack: EA's variant of LZ77, used for single members of BIG archives.
//!
//! A header of two bytes (flags, then `FB`), the unpacked size, then commands. Each command copies some bytes from the input
//! and then some from what was already unpacked. All numbers are big-endian.

use crate::{Error, Result};

/// Whether bytes start like a RefPack stream: flags `10`, `11`, `90` or `91`, then `FB`.
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    matches!(bytes, [0x10 | 0x11 | 0x90 | 0x91, 0xFB, ..])
}

/// The unpacked size that the header declares, and the length of the header.
pub(crate) fn header(bytes: &[u8]) -> Option<(u64, usize)> {
    let flags = *bytes.first().filter(|_| is_packed(bytes))?;
    let width = if flags & 0x80 != 0 { 4 } else { 3 };
    // With flag 1 the packed size precedes the unpacked size.
    let start = if flags & 1 != 0 { 2 + width } else { 2 };
    let size = bytes.get(start..start + width)?;
    Some((size.iter().fold(0, |size, &byte| size << 8 | u64::from(byte)), start + width))
}

/// Unpacks a stream. The result has exactly the declared size, which is checked before memory is allocated.
pub(crate) fn unpack(bytes: &[u8], most: u64) -> Result<Vec<u8>> {
    let bad = |at: usize, message: &str| Error::format(at as u64, format!("RefPack data: {message}"));
    let (size, mut at) = header(bytes).ok_or_else(|| bad(0, "the header is cut off"))?;
    // A command of four bytes yields at most 1028 + 3.
    if size > (bytes.len() as u64).saturating_mul(300) + 2048 {
        return Err(bad(2, "the declared size is impossible"));
    }
    if size > most {
        return Err(Error::limit(format!("a member declares {size} bytes; more than {most} are not read")));
    }
    let size = size as usize;
    let mut out = Vec::with_capacity(size.min(bytes.len().saturating_mul(4)));
    loop {
        let command = bytes.get(at..).unwrap_or_default();
        let (length, literal, distance, copied) = match *command {
            [a @ 0x00..=0x7F, b, ..] => {
                let (a, b) = (usize::from(a), usize::from(b));
                (2, a & 3, ((a & 0x60) << 3 | b) + 1, (a >> 2 & 7) + 3)
            }
            [a @ 0x80..=0xBF, b, c, ..] => {
                let (a, b, c) = (usize::from(a), usize::from(b), usize::from(c));
                (3, b >> 6, ((b & 0x3F) << 8 | c) + 1, (a & 0x3F) + 4)
            }
            [a @ 0xC0..=0xDF, b, c, d, ..] => {
                let (a, b, c, d) = (usize::from(a), usize::from(b), usize::from(c), usize::from(d));
                (4, a & 3, ((a & 0x10) << 12 | b << 8 | c) + 1, ((a & 0x0C) << 6 | d) + 5)
            }
            [a @ 0xE0..=0xFB, ..] => (1, (usize::from(a & 0x1F) + 1) * 4, 1, 0),
            [a @ 0xFC..=0xFF, ..] => (1, usize::from(a & 3), 1, 0),
            _ => return Err(bad(at, "it ends inside a command")),
        };
        let is_last = command[0] >= 0xFC;
        let from = at + length;
        let literals = bytes.get(from..from + literal).ok_or_else(|| bad(at, "it ends inside a command"))?;
        out.extend_from_slice(literals);
        at = from + literal;
        if copied > 0 {
            let start =
                out.len().checked_sub(distance).ok_or_else(|| bad(at, "a copy starts before the data"))?;
            // The source of a copy may reach into what it writes.
            for index in start..start + copied {
                out.push(out[index]);
            }
        }
        if out.len() > size {
            return Err(bad(at, "there is more than the declared size"));
        }
        if is_last {
            break;
        }
    }
    if out.len() != size {
        return Err(bad(at, "there is less than the declared size"));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_command_is_followed() {
        // 2 literals and a copy of 3 at distance 2; then 4 literals; then a copy of 5 at distance 9 (long form); then the end.
        let packed = [
            0x10,
            0xFB,
            0,
            0,
            16,
            0b0000_0010,
            1,
            b'a',
            b'b',
            0xE0,
            b'1',
            b'2',
            b'3',
            b'4',
            0x81,
            0,
            8,
            0xFE,
            b'y',
            b'z',
        ];
        assert_eq!(unpack(&packed, 100).unwrap(), b"ababa1234ababayz"[..].to_vec());
        // The widest command: distance 65537 is out of reach here, distance 1 repeats.
        let packed = [0x11, 0xFB, 0, 0, 9, 0, 0, 8, 0xC1, 0, 0, 2, b'x', 0xFC];
        assert_eq!(unpack(&packed, 100).unwrap(), b"xxxxxxxx"[..].to_vec());
    }

    #[test]
    fn a_wrong_size_or_a_copy_from_nowhere_is_an_error() {
        assert!(unpack(&[0x10, 0xFB, 0, 0, 1, 0x00, 0x05, 0xFC], 100).is_err());
        assert!(unpack(&[0x10, 0xFB, 0, 0, 3, 0xFD, b'a'], 100).is_err());
        assert!(unpack(&[0x10, 0xFB, 0, 0, 0, 0xFD, b'a'], 100).is_err());
        assert!(unpack(&[0x10, 0xFB, 0, 0], 100).is_err());
        assert!(unpack(&[0x90, 0xFB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFC], u64::MAX).is_err());
        assert!(matches!(unpack(&[0x10, 0xFB, 0, 4, 0, 0xFC], 1000), Err(Error::Limit(_))));
    }
}
