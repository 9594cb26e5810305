//! The tables of an MPQ archive: names and members.

use super::crypt::{self, Purpose};
use super::header::Header;
use super::sector;
use crate::{Error, Result, Source};

/// Flags of a member.
pub(crate) mod flag {
    pub(crate) const IMPLODE: u32 = 0x100;
    pub(crate) const COMPRESS: u32 = 0x200;
    pub(crate) const ENCRYPTED: u32 = 0x1_0000;
    /// The key depends on the offset of the member.
    pub(crate) const ADJUSTED_KEY: u32 = 0x2_0000;
    pub(crate) const PATCH: u32 = 0x10_0000;
    /// One piece instead of sectors.
    pub(crate) const SINGLE: u32 = 0x100_0000;
    pub(crate) const DELETED: u32 = 0x200_0000;
    /// Checksums follow the sectors.
    pub(crate) const CHECKSUMS: u32 = 0x400_0000;
    pub(crate) const EXISTS: u32 = 0x8000_0000;
}

/// A row of the hash table: the identity of a name, and its member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hash {
    pub(crate) name_a: u32,
    pub(crate) name_b: u32,
    pub(crate) locale: u16,
    pub(crate) platform: u16,
    pub(crate) block: u32,
}

/// The row was never used: a search ends here.
pub(crate) const FREE: u32 = 0xFFFF_FFFF;
/// Storm uses only the low bits of a block's number.
pub(crate) const BLOCK_MASK: u32 = 0x0FFF_FFFF;

/// A member: its offset and storage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) offset: u64,
    pub(crate) packed: u64,
    pub(crate) size: u64,
    pub(crate) flags: u32,
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// A table of the archive, decrypted and unpacked. `size` is the size in the file, `needs` the size of the rows.
fn table(
    source: &Source,
    header: &Header,
    offset: u64,
    size: u64,
    needs: u64,
    name: &[u8],
) -> Result<Vec<u8>> {
    let mut bytes = source.read(header.position(offset), size.min(needs))?;
    crypt::decrypt(&mut bytes, crypt::hash(name, Purpose::Key));
    if size < needs && header.version >= 1 {
        // Rows of 16 bytes hardly compress to less than a hundredth.
        if needs > size.saturating_mul(1000) {
            return Err(Error::limit("the MPQ archive's tables expand too much"));
        }
        bytes = sector::decompress(&bytes, needs as usize)?;
    }
    Ok(bytes)
}

pub(crate) fn hashes(source: &Source, header: &Header) -> Result<Vec<Hash>> {
    let needs = u64::from(header.hash_count) * 16;
    let bytes = table(source, header, header.hash_offset, header.hash_size, needs, b"(hash table)")?;
    let (rows, _) = bytes.as_chunks::<16>();
    Ok(rows.iter().map(Hash::read).collect())
}

pub(crate) fn blocks(source: &Source, header: &Header) -> Result<Vec<Block>> {
    let needs = u64::from(header.block_count) * 16;
    let bytes = table(source, header, header.block_offset, header.block_size, needs, b"(block table)")?;
    let (rows, _) = bytes.as_chunks::<16>();
    let mut blocks: Vec<Block> = rows.iter().map(Block::read).collect();
    if let Some(offset) = header.high_offset {
        let high = source.read(header.position(offset), u64::from(header.block_count) * 2)?;
        let (high, _) = high.as_chunks::<2>();
        for (block, high) in blocks.iter_mut().zip(high) {
            block.offset |= u64::from(u16::from_le_bytes(*high)) << 32;
        }
    }
    Ok(blocks)
}

impl Hash {
    fn read(row: &[u8; 16]) -> Self {
        Self {
            name_a: word(row, 0),
            name_b: word(row, 4),
            locale: word(row, 8) as u16,
            platform: (word(row, 8) >> 16) as u16,
            block: word(row, 12),
        }
    }

    pub(crate) fn write(&self) -> [u8; 16] {
        let language = u32::from(self.platform) << 16 | u32::from(self.locale);
        let mut row = [0; 16];
        for (index, number) in [self.name_a, self.name_b, language, self.block].into_iter().enumerate() {
            row[index * 4..index * 4 + 4].copy_from_slice(&number.to_le_bytes());
        }
        row
    }
}

impl Block {
    fn read(row: &[u8; 16]) -> Self {
        Self {
            offset: word(row, 0).into(),
            packed: word(row, 4).into(),
            size: word(row, 8).into(),
            flags: word(row, 12),
        }
    }

    /// The row of a version 1 archive.
    pub(crate) fn write(&self) -> [u8; 16] {
        let mut row = [0; 16];
        let numbers = [self.offset as u32, self.packed as u32, self.size as u32, self.flags];
        for (index, number) in numbers.into_iter().enumerate() {
            row[index * 4..index * 4 + 4].copy_from_slice(&number.to_le_bytes());
        }
        row
    }

    pub(crate) fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    /// Whether a member can be read from it.
    pub(crate) fn is_file(&self) -> bool {
        self.has(flag::EXISTS) && !self.has(flag::DELETED)
    }
}

/// The tables of version 3: names as 64-bit hashes, members as bit fields.
#[derive(Debug)]
pub(crate) struct Extended {
    pub(crate) blocks: Vec<Block>,
    /// Top eight bits of each name's hash by place; 0 is free.
    first: Vec<u8>,
    /// Number of the member by place.
    index: Vec<u32>,
    /// The rest of each name's hash by member.
    rest: Vec<u64>,
    hash_bits: u32,
    rest_bits: u32,
}

impl Extended {
    pub(crate) fn read(source: &Source, header: &Header) -> Result<Option<Self>> {
        let (Some(het), Some(bet)) = (header.het, header.bet) else { return Ok(None) };
        let het = extended_table(source, header, het, b"HET\x1A", b"(hash table)")?;
        let bet = extended_table(source, header, bet, b"BET\x1A", b"(block table)")?;
        Ok(Self::parse(&het, &bet))
    }

    fn parse(het: &[u8], bet: &[u8]) -> Option<Self> {
        // Table size, entries, places, hash bits, bits of an index in all, spare, used, size of the index.
        let places = word(het, 8) as usize;
        let hash_bits = word(het, 12);
        let (index_total, index_used) = (word(het, 16), word(het, 24));
        let first = het.get(32..32_usize.checked_add(places)?)?.to_vec();
        let indices = &het[32 + places..];
        if !(8..=64).contains(&hash_bits) || index_used > index_total || index_total > 32 {
            return None;
        }
        let index =
            (0..places).map(|at| Some(bits(indices, at as u64 * u64::from(index_total), index_used)? as u32));
        let index: Vec<u32> = index.collect::<Option<_>>()?;

        // Table size, entries, unknown, bits of an entry; first bit and number of bits of five fields; the name hashes.
        let entries = word(bet, 4) as usize;
        let entry_bits = u64::from(word(bet, 12));
        let field = |at: usize| (u64::from(word(bet, 16 + at * 4)), word(bet, 36 + at * 4));
        let (rest_total, rest_bits) = (u64::from(word(bet, 56)), word(bet, 64));
        let flag_count = word(bet, 72) as usize;
        let flags = bet.get(76..76_usize.checked_add(flag_count.checked_mul(4)?)?)?;
        let table = &bet[76 + flags.len()..];
        let table_size = (entry_bits.checked_mul(entries as u64)?).div_ceil(8);
        let rest_table = table.get(usize::try_from(table_size).ok()?..)?;
        if entry_bits == 0 || entry_bits > 512 {
            return None;
        }
        let mut blocks = Vec::with_capacity(entries);
        let mut rest = Vec::with_capacity(entries);
        for entry in 0..entries as u64 {
            let value = |at: usize| {
                let (start, count) = field(at);
                bits(table, entry * entry_bits + start, count)
            };
            let flag_index = usize::try_from(value(3)?).ok()?;
            blocks.push(Block {
                offset: value(0)?,
                size: value(1)?,
                packed: value(2)?,
                flags: if flag_count == 0 { flag::EXISTS } else { word(flags, flag_index.checked_mul(4)?) },
            });
            rest.push(bits(rest_table, entry * rest_total, rest_bits)?);
        }
        Some(Self { blocks, first, index, rest, hash_bits, rest_bits })
    }

    /// The member of a name.
    pub(crate) fn find(&self, name: &[u8]) -> Option<u32> {
        if self.first.is_empty() {
            return None;
        }
        let mask = if self.hash_bits == 64 { u64::MAX } else { (1 << self.hash_bits) - 1 };
        let hash = crypt::jenkins(name) & mask | 1 << (self.hash_bits - 1);
        let first = (hash >> (self.hash_bits - 8)) as u8;
        let rest_mask = if self.rest_bits >= 64 { u64::MAX } else { (1 << self.rest_bits) - 1 };
        let start = (hash % self.first.len() as u64) as usize;
        for step in 0..self.first.len() {
            let place = (start + step) % self.first.len();
            if self.first[place] == 0 {
                return None;
            }
            let member = self.index[place];
            if self.first[place] == first && self.rest.get(member as usize) == Some(&(hash & rest_mask)) {
                return Some(member);
            }
        }
        None
    }
}

/// The content of a table of version 3, without the 12 bytes in front.
fn extended_table(
    source: &Source,
    header: &Header,
    (offset, size): (u64, u64),
    magic: &[u8; 4],
    name: &[u8],
) -> Result<Vec<u8>> {
    let mut bytes = source.read(header.position(offset), size)?;
    if !bytes.starts_with(magic) || bytes.len() < 12 {
        return Err(Error::format(
            header.position(offset),
            "an extended table of the MPQ archive is malformed",
        ));
    }
    let needs = word(&bytes, 8) as usize;
    let body = &mut bytes[12..];
    crypt::decrypt(body, crypt::hash(name, Purpose::Key));
    if needs > body.len() {
        if needs > body.len().saturating_mul(1000) {
            return Err(Error::limit("the MPQ archive's tables expand too much"));
        }
        return sector::decompress(body, needs);
    }
    Ok(body.to_vec())
}

/// A number of up to 64 bits at any bit of a table, lowest bit first.
fn bits(bytes: &[u8], at: u64, count: u32) -> Option<u64> {
    if count > 64 {
        return None;
    }
    let mut number = 0;
    let mut have = 0;
    let mut byte = usize::try_from(at / 8).ok()?;
    let mut skip = (at % 8) as u32;
    while have < count {
        let part = u64::from(*bytes.get(byte)? >> skip);
        number |= part << have;
        have += 8 - skip;
        skip = 0;
        byte += 1;
    }
    Some(if count == 64 { number } else { number & ((1 << count) - 1) })
}
