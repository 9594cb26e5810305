//! Finding an MPQ archive in a file, and reading its header.
//!
//! Storm, the reader of the games, searches the header at every multiple of 0x200 and ignores most of its fields.
//! Protected maps depend on that: they have false headers in front, and impossible sizes in the real one.

use crate::{Error, Result, Source};

const STEP: u64 = 0x200;
/// The range in which the header is searched. Installers have large programs in front of it.
const SEARCH: u64 = 128 << 20;
const HEADER_1: usize = 32;
const HEADER_4: usize = 208;

/// The header, with impossible values corrected.
#[derive(Clone, Debug, Default)]
pub(crate) struct Header {
    /// The offset of the archive in the file; all offsets are relative to it.
    pub(crate) start: u64,
    /// Format version minus one, as the games read it.
    pub(crate) version: u16,
    /// log2 of the sector size in units of 512 bytes.
    pub(crate) sector_shift: u16,
    pub(crate) hash_offset: u64,
    pub(crate) hash_count: u32,
    /// Bytes of the hash table in the file, less than it needs if it is compressed.
    pub(crate) hash_size: u64,
    pub(crate) block_offset: u64,
    pub(crate) block_count: u32,
    pub(crate) block_size: u64,
    /// Upper halves of the blocks' offsets, from version 2.
    pub(crate) high_offset: Option<u64>,
    /// The tables of version 3, with their sizes in the file.
    pub(crate) het: Option<(u64, u64)>,
    pub(crate) bet: Option<(u64, u64)>,
}

pub(crate) fn is_mpq(start: &[u8]) -> bool {
    start.starts_with(b"MPQ\x1A") || start.starts_with(b"MPQ\x1B") || start.starts_with(b"HM3W")
}

/// The first header in the file whose tables are possible.
pub(crate) fn find(source: &Source) -> Result<Header> {
    let mut start = 0;
    let mut front = [0; 4];
    if source.len() >= 4 {
        source.read_exact(0, &mut front)?;
    }
    // Warcraft III ignores the version, and does not support user data.
    let is_map = &front == b"HM3W";
    let mut first_error = None;
    while start < source.len().min(SEARCH) {
        let block = source.read_up_to(start, 1 << 18)?;
        for at in (0..block.len()).step_by(STEP as usize) {
            let position = start + at as u64;
            let header = match block.get(at..at + 4) {
                Some(b"MPQ\x1A") => read(source, position, is_map),
                Some(b"MPQ\x1B") if !is_map => {
                    let place = block.get(at + 8..at + 12).map_or(0, |bytes| word(bytes, 0));
                    read(source, position + u64::from(place), is_map)
                }
                _ => continue,
            };
            match header {
                Ok(header) => return Ok(header),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        start += block.len() as u64;
    }
    Err(first_error.unwrap_or_else(|| Error::format(0, "no MPQ header at any multiple of 512 bytes")))
}

fn half(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u16::from_le_bytes(*bytes))
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn long(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn read(source: &Source, start: u64, is_map: bool) -> Result<Header> {
    let bytes = source.read_up_to(start, HEADER_4 as u64)?;
    let bad = |message: &str| Error::format(start, format!("MPQ header: {message}"));
    if bytes.len() < HEADER_1 || !bytes.starts_with(b"MPQ\x1A") {
        return Err(bad("it is cut off"));
    }
    // Storm refuses smaller ones, which protectors use as false headers.
    let header_size = word(&bytes, 4);
    if header_size < HEADER_1 as u32 {
        return Err(bad("its size is too small"));
    }
    // Version, and the header size that it needs. If it does not fit, the version is 1, as in Storm.
    let version = match (half(&bytes, 12), header_size) {
        _ if is_map => 0,
        (1, 44) => 1,
        (2, 44..=208) => 2,
        (3, 208) => 3,
        _ => 0,
    };
    let mut header = Header {
        start,
        version,
        // Storm takes the low byte only.
        sector_shift: half(&bytes, 14) & 0xFF,
        hash_offset: word(&bytes, 16).into(),
        block_offset: word(&bytes, 20).into(),
        hash_count: word(&bytes, 24),
        block_count: word(&bytes, 28),
        ..Header::default()
    };
    if version >= 1 {
        header.hash_offset |= u64::from(half(&bytes, 40)) << 32;
        header.block_offset |= u64::from(half(&bytes, 42)) << 32;
        header.high_offset = Some(long(&bytes, 32)).filter(|&offset| offset != 0);
    }
    if version >= 2 && header_size >= 68 {
        header.bet = Some((long(&bytes, 52), 0)).filter(|(offset, _)| *offset != 0);
        header.het = Some((long(&bytes, 60), 0)).filter(|(offset, _)| *offset != 0);
    }
    header.sizes(source, &bytes)?;
    if header.sector_shift > 16 {
        return Err(bad(&format!(
            "the sector size is impossible (2^{} times 512 bytes)",
            header.sector_shift
        )));
    }
    Ok(header)
}

impl Header {
    /// Size of a sector in bytes.
    pub(crate) fn sector(&self) -> u32 {
        512 << self.sector_shift
    }

    /// The file offset of an offset in the archive. In version 1 it wraps around at 4 GiB. Protectors use this to place
    /// tables and members before the header.
    pub(crate) fn position(&self, offset: u64) -> u64 {
        if self.version == 0 {
            u64::from((self.start as u32).wrapping_add(offset as u32))
        } else {
            self.start.saturating_add(offset)
        }
    }

    /// Computes the number of bytes of each table, and limits the counts to the file.
    fn sizes(&mut self, source: &Source, bytes: &[u8]) -> Result<()> {
        let hash_needs = u64::from(self.hash_count) * 16;
        let block_needs = u64::from(self.block_count) * 16;
        (self.hash_size, self.block_size) = (hash_needs, block_needs);
        let end = source.len() - self.start;
        if self.version == 3 {
            self.hash_size = long(bytes, 68);
            self.block_size = long(bytes, 76);
            self.het = self.het.map(|(offset, _)| (offset, long(bytes, 92)));
            self.bet = self.bet.map(|(offset, _)| (offset, long(bytes, 100)));
        } else if self.version >= 1 {
            // A compressed table ends at the start of the next one.
            let archive_end = match self.version {
                2 => Some(long(bytes, 44)).filter(|&size| size != 0 && size <= end).unwrap_or(end),
                _ => end,
            };
            let starts = [self.het, self.bet].map(|table| table.map(|(offset, _)| offset));
            let classic = [Some(self.hash_offset), Some(self.block_offset), self.high_offset];
            let starts: Vec<u64> = starts.into_iter().chain(classic).flatten().chain([archive_end]).collect();
            let room = |offset: u64| {
                let next = starts.iter().filter(|&&start| start > offset).min();
                next.map_or(0, |next| next.saturating_sub(offset))
            };
            self.hash_size = hash_needs.min(room(self.hash_offset));
            self.block_size = block_needs.min(room(self.block_offset));
            self.het = self.het.map(|(offset, _)| (offset, room(offset)));
            self.bet = self.bet.map(|(offset, _)| (offset, room(offset)));
        } else {
            // Protected maps declare more than the file has room for.
            let room = |offset: u64| source.len().saturating_sub(self.position(offset));
            let (hash_room, block_room) = (room(self.hash_offset), room(self.block_offset));
            self.hash_size = hash_needs.min(hash_room / 16 * 16);
            self.block_size = block_needs.min(block_room / 16 * 16);
            self.block_count = (self.block_size / 16) as u32;
        }
        let is_in = |offset: u64, size: u64| {
            let at = self.position(offset);
            at.checked_add(size).is_some_and(|end| end <= source.len())
        };
        let classic = is_in(self.hash_offset, self.hash_size) && is_in(self.block_offset, self.block_size);
        let classic = classic && (self.hash_count > 0 || self.block_count == 0);
        let extended =
            [self.het, self.bet].iter().all(|table| table.is_some_and(|(offset, size)| is_in(offset, size)));
        if !extended {
            (self.het, self.bet) = (None, None);
        }
        if !classic && !extended {
            return Err(Error::format(self.start, "MPQ header: its tables lie outside the file"));
        }
        if !classic {
            (self.hash_count, self.block_count, self.hash_size, self.block_size) = (0, 0, 0, 0);
        }
        Ok(())
    }
}
