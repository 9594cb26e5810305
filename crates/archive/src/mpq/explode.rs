//! PKWARE's Data Compression Library, called "implode": LZ77 with fixed Huffman codes.
//!
//! The first byte says whether literals are coded, the second how many low bits a distance has. All codes are stored with
//! inverted bits, lowest bit first.

use std::sync::LazyLock;

use crate::{Error, Result};

/// Code lengths as runs: the low half of each byte is a length, the high half the number of symbols less one.
const LITERALS: &[u8] = &[
    11, 124, 8, 7, 28, 7, 188, 13, 76, 4, 10, 8, 12, 10, 12, 10, 8, 23, 8, 9, 7, 6, 7, 8, 7, 6, 55, 8, 23,
    24, 12, 11, 7, 9, 11, 12, 6, 7, 22, 5, 7, 24, 6, 11, 9, 6, 7, 22, 7, 11, 38, 7, 9, 8, 25, 11, 8, 11, 9,
    12, 8, 12, 5, 38, 5, 38, 5, 11, 7, 5, 6, 21, 6, 10, 53, 8, 7, 24, 10, 27, 44, 253, 253, 253, 252, 252,
    252, 13, 12, 45, 12, 45, 12, 61, 12, 45, 44, 173,
];
const LENGTHS: &[u8] = &[2, 35, 36, 53, 38, 23];
const DISTANCES: &[u8] = &[2, 20, 53, 230, 247, 151, 248];
/// Base value and number of extra bits for each length symbol.
const LENGTH_BASE: [u16; 16] = [3, 2, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 40, 72, 136, 264];
const LENGTH_BITS: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
/// The length that marks the end.
const END: usize = 519;
const LONGEST_CODE: usize = 13;

/// A canonical Huffman code: how many codes have each length, and the symbols in the order of their codes.
struct Code {
    count: [u16; LONGEST_CODE + 1],
    symbols: Vec<u16>,
}

impl Code {
    fn new(runs: &[u8]) -> Self {
        let lengths: Vec<usize> = runs
            .iter()
            .flat_map(|run| std::iter::repeat_n(usize::from(run & 15), usize::from(run >> 4) + 1))
            .collect();
        let mut count = [0; LONGEST_CODE + 1];
        for &length in &lengths {
            count[length] += 1;
        }
        let mut symbols: Vec<u16> = (0..lengths.len() as u16).collect();
        symbols.sort_by_key(|&symbol| lengths[usize::from(symbol)]);
        Self { count, symbols }
    }

    fn decode(&self, bits: &mut Bits<'_>) -> Option<u16> {
        let (mut code, mut first, mut index) = (0_u16, 0_u16, 0_u16);
        for length in 1..=LONGEST_CODE {
            code |= bits.take(1)? ^ 1;
            let count = self.count[length];
            if code < first + count {
                return self.symbols.get(usize::from(index + (code - first))).copied();
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

static CODES: LazyLock<[Code; 3]> =
    LazyLock::new(|| [Code::new(LITERALS), Code::new(LENGTHS), Code::new(DISTANCES)]);

struct Bits<'a> {
    bytes: &'a [u8],
    held: u32,
    count: u8,
}

impl Bits<'_> {
    fn take(&mut self, wanted: u8) -> Option<u16> {
        while self.count < wanted {
            let (byte, rest) = self.bytes.split_first()?;
            self.held |= u32::from(*byte) << self.count;
            self.count += 8;
            self.bytes = rest;
        }
        let found = self.held & ((1 << wanted) - 1);
        self.held >>= wanted;
        self.count -= wanted;
        Some(found as u16)
    }
}

/// Unpacks at most `most` bytes; more in the data is an error.
pub(crate) fn explode(bytes: &[u8], most: usize) -> Result<Vec<u8>> {
    try_explode(bytes, most).ok_or_else(|| Error::format(0, "malformed PKWARE compressed data"))
}

fn try_explode(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    let [literals_coded @ 0..=1, distance_bits @ 4..=6, rest @ ..] = bytes else { return None };
    let [literals, lengths, distances] = &*CODES;
    let mut bits = Bits { bytes: rest, held: 0, count: 0 };
    let mut out = Vec::with_capacity(most.min(bytes.len().saturating_mul(4)));
    // Some writers omit the end mark, so enough output also ends it.
    while out.len() < most {
        if bits.take(1)? == 0 {
            let literal = if *literals_coded == 1 { literals.decode(&mut bits)? } else { bits.take(8)? };
            out.push(literal as u8);
            continue;
        }
        let symbol = usize::from(lengths.decode(&mut bits)?);
        let length = usize::from(LENGTH_BASE[symbol] + bits.take(LENGTH_BITS[symbol])?);
        if length == END {
            break;
        }
        let low = if length == 2 { 2 } else { *distance_bits };
        let distance = usize::from(distances.decode(&mut bits)?) << low;
        let distance = distance + usize::from(bits.take(low)?) + 1;
        let start = out.len().checked_sub(distance)?;
        if out.len() + length > most {
            return None;
        }
        for index in start..start + length {
            out.push(out[index]);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_format() {
        // From the description that came with Mark Adler's decoder: this is "AIAIAIAIAIAIA".
        let packed = [0x00, 0x04, 0x82, 0x24, 0x25, 0x8F, 0x80, 0x7F];
        assert_eq!(explode(&packed, 4096).unwrap(), b"AIAIAIAIAIAIA");
        assert!(explode(&packed[..5], 4096).is_err());
        assert!(explode(&[], 10).is_err());
        assert!(explode(&[2, 4, 0], 10).is_err());
    }
}
