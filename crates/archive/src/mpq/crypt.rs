//! The hashes and the cipher of MPQ archives.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// Purposes of the hash of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    /// First index in the hash table.
    Place = 0,
    /// First half of the name's identity.
    NameA = 1,
    /// Second half of the name's identity.
    NameB = 2,
    /// Key of the cipher.
    Key = 3,
}

/// Pseudo-random numbers for the hash and the cipher.
static TABLE: LazyLock<[u32; 0x500]> = LazyLock::new(|| {
    let mut table = [0; 0x500];
    let mut seed: u32 = 0x0010_0001;
    let mut next = || {
        seed = (seed * 125 + 3) % 0x2A_AAAB;
        seed & 0xFFFF
    };
    for column in 0..0x100 {
        for row in 0..5 {
            let high = next();
            table[row * 0x100 + column] = high << 16 | next();
        }
    }
    table
});

/// Hash of a name, ignoring case, with `/` as `\`.
pub(crate) fn hash(name: &[u8], purpose: Purpose) -> u32 {
    let table = &*TABLE;
    let mut seed1: u32 = 0x7FED_7FED;
    let mut seed2: u32 = 0xEEEE_EEEE;
    for &byte in name {
        let byte = if byte == b'/' { b'\\' } else { byte.to_ascii_uppercase() };
        seed1 = table[purpose as usize * 0x100 + usize::from(byte)] ^ seed1.wrapping_add(seed2);
        seed2 =
            u32::from(byte).wrapping_add(seed1).wrapping_add(seed2).wrapping_add(seed2 << 5).wrapping_add(3);
    }
    seed1
}

/// Deciphers whole words; up to three bytes at the end are never enciphered.
pub(crate) fn decrypt(bytes: &mut [u8], key: u32) {
    cipher(bytes, key, |_, plain| plain);
}

/// Enciphers whole words.
pub(crate) fn encrypt(bytes: &mut [u8], key: u32) {
    cipher(bytes, key, |read, _| read);
}

/// Decrypting and encrypting differ in which of the two words is plain: the word read, or the word written.
fn cipher(bytes: &mut [u8], mut key: u32, plain: impl Fn(u32, u32) -> u32) {
    let table = &*TABLE;
    let mut seed: u32 = 0xEEEE_EEEE;
    let (words, _) = bytes.as_chunks_mut::<4>();
    for word in words {
        seed = seed.wrapping_add(table[0x400 + (key & 0xFF) as usize]);
        let read = u32::from_le_bytes(*word);
        let written = read ^ key.wrapping_add(seed);
        *word = written.to_le_bytes();
        key = (!key << 21).wrapping_add(0x1111_1111) | key >> 11;
        seed = plain(read, written).wrapping_add(seed).wrapping_add(seed << 5).wrapping_add(3);
    }
}

/// The key of a member from the first two words of its sector table, whose plain text is nearly known.
///
/// The first word is the length of the table. The second word is the start of the second sector, so it exceeds the first
/// by at most the size of a sector.
pub(crate) fn key_from_table(first: u32, second: u32, length: u32, sector: u32) -> Option<u32> {
    let key = key_from_words(first, second, length, length..=length.saturating_add(sector))?;
    // The table is encrypted with the key of the first sector minus one.
    Some(key.wrapping_add(1))
}

/// The key that decrypts the first two words to the given ones.
///
/// The first word leaves one key for each of its 256 low bytes, and nearly all of them are contradictory. The second word
/// decides among the rest.
pub(crate) fn key_from_words(
    first: u32,
    second: u32,
    plain_first: u32,
    plain_second: RangeInclusive<u32>,
) -> Option<u32> {
    let table = &*TABLE;
    // first ^ (key + seed) = plain, and the seed depends on the low byte of the key only.
    let sum = (first ^ plain_first).wrapping_sub(0xEEEE_EEEE);
    (0..0x100).find_map(|low| {
        let key = sum.wrapping_sub(table[0x400 + low]);
        if (key & 0xFF) as usize != low {
            return None;
        }
        let mut words = [first.to_le_bytes(), second.to_le_bytes()].concat();
        decrypt(&mut words, key);
        let plain = words[4..].first_chunk().map(|word| u32::from_le_bytes(*word));
        plain.is_some_and(|plain| plain_second.contains(&plain)).then_some(key)
    })
}

/// The 64-bit hash of version 3 archives: Jenkins' `hashlittle2` of the lower-cased name.
pub(crate) fn jenkins(name: &[u8]) -> u64 {
    let name: Vec<u8> =
        name.iter().map(|&byte| if byte == b'/' { b'\\' } else { byte.to_ascii_lowercase() }).collect();
    let (high, low) = hashlittle2(&name, 1, 2);
    u64::from(high) << 32 | u64::from(low)
}

fn hashlittle2(key: &[u8], pb: u32, pc: u32) -> (u32, u32) {
    let start = 0xDEAD_BEEF_u32.wrapping_add(key.len() as u32).wrapping_add(pc);
    let (mut a, mut b, mut c) = (start, start, start.wrapping_add(pb));
    let word = |bytes: &[u8], at: usize| {
        (0..4)
            .fold(0, |word, byte| word | u32::from(bytes.get(at + byte).copied().unwrap_or(0)) << (8 * byte))
    };
    let mut rest = key;
    while rest.len() > 12 {
        a = a.wrapping_add(word(rest, 0));
        b = b.wrapping_add(word(rest, 4));
        c = c.wrapping_add(word(rest, 8));
        // mix
        a = a.wrapping_sub(c) ^ c.rotate_left(4);
        c = c.wrapping_add(b);
        b = b.wrapping_sub(a) ^ a.rotate_left(6);
        a = a.wrapping_add(c);
        c = c.wrapping_sub(b) ^ b.rotate_left(8);
        b = b.wrapping_add(a);
        a = a.wrapping_sub(c) ^ c.rotate_left(16);
        c = c.wrapping_add(b);
        b = b.wrapping_sub(a) ^ a.rotate_left(19);
        a = a.wrapping_add(c);
        c = c.wrapping_sub(b) ^ b.rotate_left(4);
        b = b.wrapping_add(a);
        rest = &rest[12..];
    }
    if !rest.is_empty() {
        a = a.wrapping_add(word(rest, 0));
        b = b.wrapping_add(word(rest, 4));
        c = c.wrapping_add(word(rest, 8));
        // final
        c = (c ^ b).wrapping_sub(b.rotate_left(14));
        a = (a ^ c).wrapping_sub(c.rotate_left(11));
        b = (b ^ a).wrapping_sub(a.rotate_left(25));
        c = (c ^ b).wrapping_sub(b.rotate_left(16));
        a = (a ^ c).wrapping_sub(c.rotate_left(4));
        b = (b ^ a).wrapping_sub(a.rotate_left(14));
        c = (c ^ b).wrapping_sub(b.rotate_left(24));
    }
    // `c` is the primary result, `b` the secondary one.
    (b, c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_hashes_and_keys() {
        // From the description of the format: keys of the two tables, and the identity of (listfile).
        assert_eq!(hash(b"(hash table)", Purpose::Key), 0xC3AF_3770);
        assert_eq!(hash(b"(block table)", Purpose::Key), 0xEC83_B3A3);
        assert_eq!(hash(b"(listfile)", Purpose::NameA), 0xFD65_7910);
        assert_eq!(hash(b"(listfile)", Purpose::NameB), 0x4E9B_98A7);
        assert_eq!(hash(b"Units/Foo.mdx", Purpose::NameA), hash(b"units\\FOO.MDX", Purpose::NameA));
        // From the comments of Jenkins' lookup3.c.
        assert_eq!(hashlittle2(b"", 0, 0), (0xDEAD_BEEF, 0xDEAD_BEEF));
        assert_eq!(hashlittle2(b"Four score and seven years ago", 0, 0), (0xCE72_26E6, 0x1777_0551));
        assert_eq!(hashlittle2(b"Four score and seven years ago", 1, 0), (0xBD37_1DE4, 0xE360_7CAE));
    }

    #[test]
    fn what_is_enciphered_can_be_deciphered() {
        let plain: Vec<u8> = (0..23).collect();
        let mut bytes = plain.clone();
        encrypt(&mut bytes, 0x1234_5678);
        assert_ne!(bytes, plain);
        assert_eq!(bytes[20..], plain[20..]);
        decrypt(&mut bytes, 0x1234_5678);
        assert_eq!(bytes, plain);
    }

    #[test]
    fn the_key_of_a_sector_table_is_found() {
        let key = hash(b"war3map.j", Purpose::Key);
        let mut table = [16_u32, 900, 1500, 1700].map(u32::to_le_bytes).concat();
        encrypt(&mut table, key.wrapping_sub(1));
        let word = |index: usize| {
            u32::from_le_bytes([table[index], table[index + 1], table[index + 2], table[index + 3]])
        };
        assert_eq!(key_from_table(word(0), word(4), 16, 4096), Some(key));
        assert_eq!(key_from_table(word(0), word(4) ^ 0xFFFF_0000, 16, 4096), None);
    }
}
