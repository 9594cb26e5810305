//! Archives that unpack to much, and the little of deflate that they need.

use super::bomb::Bomb;

/// All of them.
pub(super) fn bombs() -> Vec<Bomb> {
    let large = deflated_zeros(250 << 20);
    vec![
        Bomb::new("zip-large-members", "bomb.zip", {
            let members: Vec<Member<'_>> =
                (0..6).map(|at| (format!("m{at}.w3d"), &large[..], 250 << 20)).collect();
            zip(&members)
        }),
        Bomb::new("zip-overlapping", "bomb.zip", {
            // Every entry of the directory leads to the same bytes.
            let names: Vec<String> = (0..200).map(|at| format!("m{at}.w3d")).collect();
            overlapping_zip(&names, &deflated_zeros(8 << 20), 8 << 20)
        }),
        Bomb::new("zip-wrong-size", "bomb.zip", zip(&[("m.w3d".to_owned(), &large[..], 100)])),
        Bomb::new("zip-nested", "bomb.zip", {
            let mut inner = zip(&[("m.w3d".to_owned(), &deflated_zeros(1000)[..], 1000)]);
            for depth in 0..60 {
                inner = stored_zip(&format!("{depth}.zip"), &inner);
            }
            inner
        }),
        Bomb::new("zip-many-members", "bomb.zip", {
            let names: Vec<String> = (0..65_000).map(|at| format!("a/b/{at}/m.w3d")).collect();
            overlapping_zip(&names, &deflated_zeros(10), 10)
        }),
        Bomb::new("zip-control-characters", "bomb.zip", {
            let names = ["\x1b[2J\x1b]0;PWNED\x07.w3d", "a\n::error::b.w3d", "../../out.w3d", "/etc/out.w3d"];
            let model = stored_model();
            let names: Vec<String> = names.map(str::to_owned).into();
            overlapping_zip(&names, &stored_block(&model), model.len())
        }),
        Bomb::new("big-overlapping", "bomb.big", {
            let rows: Vec<(u32, u32, String)> =
                (0..60_000).map(|at| (0, 9 << 20, format!("art/{at}.w3d"))).collect();
            big(&rows, 6 << 20)
        }),
        Bomb::new("big-counts", "bomb.big", {
            let mut bytes = b"BIGF".to_vec();
            bytes.extend([u32::MAX; 3].into_iter().flat_map(u32::to_be_bytes));
            bytes.resize(1 << 20, b'a');
            bytes
        }),
        Bomb::new("big-refpack", "bomb.big", {
            // Compressed members that say they are 4 GB.
            let packed = [0x90, 0xFB, 0xFF, 0xFF, 0xFF, 0xFF, 0xE0, 1, 2, 3, 4, 0xFC];
            let mut bytes = big(&[(64, 12, "a.w3d".to_owned())], 0);
            bytes.resize(64, 0);
            bytes.extend(packed);
            bytes
        }),
        Bomb::new("mpq-tables", "bomb.mpq", {
            let mut bytes = b"MPQ\x1a".to_vec();
            let header = [32u32, 1 << 20, 3 << 16, 32, 32, 1 << 24, 1 << 24];
            bytes.extend(header.into_iter().flat_map(u32::to_le_bytes));
            bytes.resize(1 << 20, 0);
            bytes
        }),
        Bomb::new("mpq-full-table", "bomb.mpq", {
            // No row is free, so a search for a name does not end.
            let blocks = vec![(32, 16, 16, MPQ_MEMBER); 1 << 17];
            mpq(&[1; 16], &(0..1 << 17).map(|row| (row, row)).collect::<Vec<_>>(), &blocks)
        }),
        Bomb::new("mix-counts", "bomb.mix", {
            let mut bytes = b"MIX1".to_vec();
            bytes.extend([16u32, 32, 0].into_iter().flat_map(u32::to_le_bytes));
            bytes.extend(u32::MAX.to_le_bytes());
            bytes.resize(1 << 20, 1);
            bytes
        }),
    ]
}

/// The member exists.
const MPQ_MEMBER: u32 = 0x8000_0000;

/// An MPQ archive of this content behind its header. The rows of the hash table are identities and blocks, the blocks are offset, packed
/// size, size and flags.
fn mpq(content: &[u8], rows: &[(u32, u32)], blocks: &[(u32, usize, u32, u32)]) -> Vec<u8> {
    let number = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
    let hash_table: Vec<u32> = rows.iter().flat_map(|(identity, block)| [*identity, 1, 0, *block]).collect();
    let block_table: Vec<u32> =
        blocks.iter().flat_map(|(at, packed, size, flags)| [*at, number(*packed), *size, *flags]).collect();
    let hashes_at = 32 + content.len();
    let blocks_at = hashes_at + hash_table.len() * 4;
    let end = blocks_at + block_table.len() * 4;
    let mut bytes = b"MPQ\x1a".to_vec();
    let words = [
        32,
        number(end),
        3 << 16,
        number(hashes_at),
        number(blocks_at),
        number(rows.len()),
        number(blocks.len()),
    ];
    bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
    bytes.extend(content);
    for (mut table, key) in [(hash_table, MPQ_HASH_KEY), (block_table, MPQ_BLOCK_KEY)] {
        mpq_encrypt(&mut table, key);
        bytes.extend(table.into_iter().flat_map(u32::to_le_bytes));
    }
    bytes
}

/// The keys of the tables: the hashes of `(hash table)` and `(block table)`.
const MPQ_HASH_KEY: u32 = 0xC3AF_3770;
const MPQ_BLOCK_KEY: u32 = 0xEC83_B3A3;

/// Encrypts a table as Blizzard's games do.
fn mpq_encrypt(words: &mut [u32], mut key: u32) {
    let mut table = [0u32; 0x500];
    let mut seed = 0x0010_0001_u32;
    for first in 0..0x100 {
        for row in 0..5 {
            let mut next = || {
                seed = (seed * 125 + 3) % 0x002A_AAAB;
                seed & 0xFFFF
            };
            table[first + row * 0x100] = next() << 16 | next();
        }
    }
    let mut second = 0xEEEE_EEEE_u32;
    for word in words {
        second = second.wrapping_add(table[0x400 + (key & 0xFF) as usize]);
        let plain = *word;
        *word = plain ^ key.wrapping_add(second);
        key = (!key << 0x15).wrapping_add(0x1111_1111) | key >> 0x0B;
        second = plain.wrapping_add(second).wrapping_add(second << 5).wrapping_add(3);
    }
}

/// A cube that any reader takes.
fn stored_model() -> Vec<u8> {
    // An empty comment of a mesh: a chunk in a chunk.
    let text = [0x0C, 0, 0, 0, 2, 0, 0, 0, b'x', 0];
    [&[0, 0, 0, 0, 10, 0, 0, 0x80][..], &text].concat()
}

/// Name, packed bytes and the length that the directory gives.
type Member<'a> = (String, &'a [u8], usize);

fn zip(members: &[Member<'_>]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, packed, length) in members {
        let offset = bytes.len();
        bytes.extend(local_header(name, packed.len(), *length, DEFLATED));
        bytes.extend_from_slice(packed);
        directory.extend(directory_entry(name, packed.len(), *length, offset, DEFLATED));
    }
    end_zip(bytes, &directory, members.len())
}

fn overlapping_zip(names: &[String], packed: &[u8], length: usize) -> Vec<u8> {
    let mut bytes = local_header("m.w3d", packed.len(), length, DEFLATED);
    bytes.extend_from_slice(packed);
    let entries = names.iter().map(|name| directory_entry(name, packed.len(), length, 0, DEFLATED));
    let directory = entries.collect::<Vec<_>>().concat();
    end_zip(bytes, &directory, names.len())
}

fn stored_zip(name: &str, content: &[u8]) -> Vec<u8> {
    let mut bytes = local_header(name, content.len(), content.len(), STORED);
    bytes.extend_from_slice(content);
    let directory = directory_entry(name, content.len(), content.len(), 0, STORED);
    end_zip(bytes, &directory, 1)
}

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// What both headers of a member have in common.
fn common(name: &str, packed: usize, length: usize, method: u16) -> Vec<u8> {
    let number = |of: usize| u32::try_from(of).unwrap_or(u32::MAX).to_le_bytes();
    let mut bytes = Vec::new();
    bytes.extend([20u16, 0, method, 0, 0].into_iter().flat_map(u16::to_le_bytes));
    bytes.extend([0; 4]);
    bytes.extend(number(packed));
    bytes.extend(number(length));
    bytes.extend(u16::try_from(name.len()).unwrap_or(0).to_le_bytes());
    bytes.extend([0; 2]);
    bytes
}

fn local_header(name: &str, packed: usize, length: usize, method: u16) -> Vec<u8> {
    [b"PK\x03\x04", &common(name, packed, length, method)[..], name.as_bytes()].concat()
}

fn directory_entry(name: &str, packed: usize, length: usize, offset: usize, method: u16) -> Vec<u8> {
    let offset = u32::try_from(offset).unwrap_or(u32::MAX).to_le_bytes();
    let start = [&b"PK\x01\x02\x14\x00"[..], &common(name, packed, length, method), &[0; 10]].concat();
    [&start[..], &offset, name.as_bytes()].concat()
}

fn end_zip(mut bytes: Vec<u8>, directory: &[u8], count: usize) -> Vec<u8> {
    let number = |of: usize| u32::try_from(of).unwrap_or(u32::MAX).to_le_bytes();
    let count = u16::try_from(count).unwrap_or(u16::MAX).to_le_bytes();
    let offset = bytes.len();
    bytes.extend_from_slice(directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(count);
    bytes.extend(count);
    bytes.extend(number(directory.len()));
    bytes.extend(number(offset));
    bytes.extend([0; 2]);
    bytes
}

/// A BIG archive of these offsets, sizes and names.
fn big(rows: &[(u32, u32, String)], content: usize) -> Vec<u8> {
    let mut table = Vec::new();
    for (offset, size, name) in rows {
        table.extend(offset.to_be_bytes());
        table.extend(size.to_be_bytes());
        table.extend(name.as_bytes());
        table.push(0);
    }
    let first = u32::try_from(16 + table.len()).unwrap_or(0);
    let count = u32::try_from(rows.len()).unwrap_or(0);
    let mut bytes = b"BIGF".to_vec();
    bytes.extend(u32::try_from(16 + table.len() + content).unwrap_or(0).to_le_bytes());
    bytes.extend(count.to_be_bytes());
    bytes.extend(first.to_be_bytes());
    bytes.extend(table);
    bytes.resize(bytes.len() + content, 0);
    bytes
}

/// So many zeros as a deflate stream of runs, 158 to 1.
pub(super) fn deflated_zeros(length: usize) -> Vec<u8> {
    /// Bytes of the longest run.
    const RUN: usize = 258;
    let mut bits = Bits::default();
    bits.put(0b011, 3); // The last block, with fixed codes.
    let literals = if length == 0 { 0 } else { 1 + (length - 1) % RUN };
    for _ in 0..literals {
        bits.put_code(0b0011_0000, 8);
    }
    for _ in 0..length.saturating_sub(literals) / RUN {
        bits.put_code(0b1100_0101, 8);
        bits.put_code(0, 5);
    }
    bits.put_code(0, 7);
    bits.bytes
}

/// Bytes as deflate blocks that are not compressed.
fn stored_block(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).unwrap_or(0);
    [&[1][..], &length.to_le_bytes(), &(!length).to_le_bytes(), bytes].concat()
}

/// So many zeros as a zlib stream.
pub(super) fn zlib_of_zeros(length: usize) -> Vec<u8> {
    let checksum = (u32::try_from(length % 65_521).unwrap_or(0) << 16) | 1;
    [&[0x78, 0x01][..], &deflated_zeros(length), &checksum.to_be_bytes()].concat()
}

/// Bits in the order of deflate.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    /// The lowest bit first.
    fn put(&mut self, value: u32, count: u32) {
        for bit in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.len() - 1;
            self.bytes[last] |= (((value >> bit) & 1) as u8) << (self.used % 8);
            self.used += 1;
        }
    }

    /// A Huffman code: the highest bit first.
    fn put_code(&mut self, code: u32, count: u32) {
        (0..count).rev().for_each(|bit| self.put((code >> bit) & 1, 1));
    }
}

/// The checksum of PNG and ZIP.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let mut table = [0u32; 256];
    for (at, entry) in table.iter_mut().enumerate() {
        *entry = (0..8).fold(at as u32, |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()));
    }
    !bytes.iter().fold(!0, |crc: u32, byte| (crc >> 8) ^ table[((crc ^ u32::from(*byte)) & 0xFF) as usize])
}
