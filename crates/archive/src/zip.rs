//! ZIP, for reading, because mods are distributed in it. Stored and deflated members, also above 4 GiB; no encryption.

use std::io::Read;

use crate::{Entry, Error, Limits, Result, Source, path};

/// One member of the central directory.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    name: Vec<u8>,
    method: u16,
    flags: u16,
    crc: u32,
    packed: u64,
    size: u64,
    /// Offset of its local header.
    offset: u64,
}

#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

const END: &[u8; 4] = b"PK\x05\x06";
const END_64: &[u8; 4] = b"PK\x06\x06";
const LOCATOR_64: &[u8; 4] = b"PK\x06\x07";
const CENTRAL: &[u8; 4] = b"PK\x01\x02";
const LOCAL: &[u8; 4] = b"PK\x03\x04";

pub(crate) fn is_zip(start: &[u8]) -> bool {
    start.starts_with(LOCAL) || start.starts_with(END)
}

/// Little-endian numbers at fixed offsets of a record. Zero if the record is too short, which the callers exclude.
fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u16::from_le_bytes(*bytes))
}
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

impl Table {
    pub(crate) fn read(source: &Source) -> Result<Self> {
        // The end record is 22 bytes and a comment of up to 65,535.
        let tail_start = source.len().saturating_sub(22 + 0xFFFF);
        let tail = source.read_up_to(tail_start, 22 + 0xFFFF)?;
        let end = (0..tail.len().saturating_sub(21)).rev().find(|&at| tail[at..].starts_with(END));
        let end = end.ok_or_else(|| {
            Error::format(tail_start, "the ZIP archive has no central directory; the file may be cut off")
        })?;
        let record = &tail[end..];
        let mut count = u64::from(u16_at(record, 10));
        let mut length = u64::from(u32_at(record, 12));
        let mut start = u64::from(u32_at(record, 16));
        let locator = end.checked_sub(20).map(|at| &tail[at..]).filter(|bytes| bytes.starts_with(LOCATOR_64));
        if let Some(locator) = locator {
            let record = source.read(u64_at(locator, 8), 56)?;
            if record.starts_with(END_64) {
                (count, length, start) = (u64_at(&record, 32), u64_at(&record, 40), u64_at(&record, 48));
            }
        }
        source.check(start, length)?;
        if count > length / 46 {
            return Err(Error::format(
                start,
                format!("{count} members are declared in a directory of {length} bytes"),
            ));
        }
        let directory = source.read(start, length)?;
        let mut rows = Vec::with_capacity(count as usize);
        let mut rest = &directory[..];
        for _ in 0..count {
            let at = start + (directory.len() - rest.len()) as u64;
            let row = Row::read(&mut rest)
                .ok_or_else(|| Error::format(at, "a malformed entry in the ZIP directory"))?;
            rows.push(row);
        }
        rows.retain(|row| !row.name.ends_with(b"/"));
        Ok(Self { rows })
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        let entry = |(id, row): (usize, &Row)| Entry {
            path: path::display(&row.name),
            size: row.size,
            packed: row.packed,
            offset: row.offset,
            id: id as u32,
            locale: 0,
            named: true,
        };
        self.rows.iter().enumerate().map(entry).collect()
    }

    /// The range of a member that is stored uncompressed.
    pub(crate) fn stored(&self, source: &Source, id: u32) -> Result<Option<(u64, u64)>> {
        match self.rows.get(id as usize) {
            Some(row) if row.method == 0 && row.flags & 1 == 0 && row.packed == row.size => {
                Ok(Some((row.data(source)?, row.size)))
            }
            _ => Ok(None),
        }
    }

    pub(crate) fn member(&self, source: &Source, id: u32, limits: &Limits) -> Result<Vec<u8>> {
        let row = self.rows.get(id as usize).ok_or_else(|| Error::NotFound(id.to_string()))?;
        let name = path::display(&row.name);
        limits.check(&name, row.size, row.packed)?;
        if row.flags & 1 != 0 {
            return Err(Error::unsupported(format!("{name} is encrypted, which is not supported")));
        }
        let packed = source.read(row.data(source)?, row.packed)?;
        let bytes = match row.method {
            0 => packed,
            8 => {
                let mut bytes = Vec::with_capacity(row.size.min(row.packed.saturating_mul(4)) as usize);
                flate2::read::DeflateDecoder::new(&packed[..]).take(row.size + 1).read_to_end(&mut bytes)?;
                bytes
            }
            method => {
                return Err(Error::unsupported(format!(
                    "{name} uses ZIP compression method {method}; only store and deflate are supported"
                )));
            }
        };
        if bytes.len() as u64 != row.size || crc32fast::hash(&bytes) != row.crc {
            return Err(Error::format(
                row.offset,
                format!("{name} is damaged: its size or checksum differs"),
            ));
        }
        Ok(bytes)
    }
}

impl Row {
    fn read(rest: &mut &[u8]) -> Option<Self> {
        let bytes = *rest;
        if !bytes.starts_with(CENTRAL) || bytes.len() < 46 {
            return None;
        }
        let name_length = usize::from(u16_at(bytes, 28));
        let extra_length = usize::from(u16_at(bytes, 30));
        let comment_length = usize::from(u16_at(bytes, 32));
        let name = bytes.get(46..46 + name_length)?.to_vec();
        let mut extra = bytes.get(46 + name_length..46 + name_length + extra_length)?;
        *rest = bytes.get(46 + name_length + extra_length + comment_length..)?;
        let mut row = Self {
            name,
            flags: u16_at(bytes, 8),
            method: u16_at(bytes, 10),
            crc: u32_at(bytes, 16),
            packed: u32_at(bytes, 20).into(),
            size: u32_at(bytes, 24).into(),
            offset: u32_at(bytes, 42).into(),
        };
        while extra.len() >= 4 {
            let length = usize::from(u16_at(extra, 2));
            let field = extra.get(4..4 + length)?;
            if u16_at(extra, 0) == 1 {
                // Only the numbers that do not fit above are stored here, in this order.
                let mut field = field;
                for number in [&mut row.size, &mut row.packed, &mut row.offset] {
                    if *number == u64::from(u32::MAX) && field.len() >= 8 {
                        *number = u64_at(field, 0);
                        field = &field[8..];
                    }
                }
            }
            extra = &extra[4 + length..];
        }
        Some(row)
    }

    /// The offset of the packed bytes. The local header has its own name and extra field.
    fn data(&self, source: &Source) -> Result<u64> {
        let local = source.read(self.offset, 30)?;
        if !local.starts_with(LOCAL) {
            return Err(Error::format(self.offset, "a member has no local header"));
        }
        Ok(self.offset + 30 + u64::from(u16_at(&local, 26)) + u64::from(u16_at(&local, 28)))
    }
}
