//! The content of members: sectors that are encrypted and compressed separately.

use std::io::Read;

use super::crypt;
use super::header::Header;
use super::tables::{Block, flag};
use super::{adpcm, explode, huffman, sparse};
use crate::{Error, Limits, Result, Source};

/// Undoes the compressions in the first byte, in reverse order. The result has at most `size` bytes.
pub(crate) fn decompress(bytes: &[u8], size: usize) -> Result<Vec<u8>> {
    let Some((&methods, packed)) = bytes.split_first() else {
        return Err(Error::format(0, "a compressed sector of an MPQ member is empty"));
    };
    if methods == 0x12 {
        return Err(Error::unsupported("LZMA compression in MPQ archives is not supported"));
    }
    let known = [0x10, 0x08, 0x02, 0x01, 0x80, 0x40, 0x20];
    let wanted = known.into_iter().filter(|method| methods & method != 0);
    let last = wanted.clone().next_back();
    if methods & 0x04 != 0 || last.is_none() {
        return Err(Error::unsupported(format!("MPQ compression method {methods:#04x} is not supported")));
    }
    let mut data = packed.to_vec();
    for method in wanted {
        // The size between two methods is not known; no valid sector grows much in between.
        let most = if Some(method) == last { size } else { size.saturating_mul(2).saturating_add(1024) };
        data = match method {
            0x10 => inflate(bzip2::read::BzDecoder::new(&data[..]), most)?,
            0x08 => explode::explode(&data, most)?,
            0x02 => inflate(flate2::read::ZlibDecoder::new(&data[..]), most)?,
            0x01 => huffman::unpack(&data, most)?,
            0x80 => adpcm::unpack(&data, 2, most)?,
            0x40 => adpcm::unpack(&data, 1, most)?,
            _ => sparse::unpack(&data, most)?,
        };
    }
    Ok(data)
}

/// The output of a decoder, up to `most` bytes. Data after that is ignored, as in the games.
fn inflate(decoder: impl Read, most: usize) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let read = decoder.take(most as u64).read_to_end(&mut out);
    match read {
        // Protectors cut the checksum at the end of a stream: complete data is used.
        Err(_) if out.len() == most => Ok(out),
        Err(error) => Err(Error::format(0, format!("a sector of an MPQ member cannot be unpacked: {error}"))),
        Ok(_) => Ok(out),
    }
}

/// Parameters for reading the members of an archive.
pub(crate) struct Reader<'a> {
    pub(crate) source: &'a Source,
    pub(crate) header: &'a Header,
    pub(crate) limits: &'a Limits,
}

impl Reader<'_> {
    /// The key of a member whose name is known.
    pub(crate) fn key(&self, name: &[u8], block: &Block) -> u32 {
        let file = name.rsplit(|&byte| byte == b'\\' || byte == b'/').next().unwrap_or_default();
        let key = crypt::hash(file, crypt::Purpose::Key);
        if block.has(flag::ADJUSTED_KEY) {
            key.wrapping_add(block.offset as u32) ^ block.size as u32
        } else {
            key
        }
    }

    /// The content of a member, or its first `most` bytes. The key is guessed if the name is not known.
    pub(crate) fn read(&self, label: &str, block: &Block, name: Option<&[u8]>, most: u64) -> Result<Vec<u8>> {
        if block.has(flag::PATCH) {
            return Err(Error::unsupported(format!(
                "{label} is a patch to another archive, which is not supported"
            )));
        }
        self.limits.check(label, block.size, block.packed)?;
        if block.size == 0 {
            return Ok(Vec::new());
        }
        let key = match (block.has(flag::ENCRYPTED), name) {
            (false, _) => Key::None,
            (true, Some(name)) => Key::Known(self.key(name, block)),
            (true, None) => Key::Unknown,
        };
        let is_packed = block.has(flag::COMPRESS | flag::IMPLODE);
        let content = if block.has(flag::SINGLE) {
            self.single(label, block, key, is_packed)?
        } else if is_packed {
            self.sectors(label, block, key, most)?
        } else {
            self.plain(label, block, key, most)?
        };
        Ok(content)
    }

    fn damaged(&self, label: &str, block: &Block, why: &str) -> Error {
        Error::format(self.header.position(block.offset), format!("{label}: {why}"))
    }

    fn unnamed(&self, label: &str, block: &Block) -> Error {
        Error::Encrypted { offset: self.header.position(block.offset), member: label.to_owned() }
    }

    /// One piece, compressed as a whole if that made it smaller.
    fn single(&self, label: &str, block: &Block, key: Key, is_packed: bool) -> Result<Vec<u8>> {
        let mut bytes = self.source.read(self.header.position(block.offset), block.packed)?;
        match key {
            Key::None => {}
            Key::Known(key) => crypt::decrypt(&mut bytes, key),
            Key::Unknown => return Err(self.unnamed(label, block)),
        }
        let size = block.size as usize;
        if is_packed && block.packed < block.size {
            bytes = self.unpack(label, block, &bytes, size)?;
        }
        if bytes.len() < size {
            return Err(self.damaged(label, block, "there is less data than its size"));
        }
        bytes.truncate(size);
        Ok(bytes)
    }

    fn unpack(&self, label: &str, block: &Block, bytes: &[u8], size: usize) -> Result<Vec<u8>> {
        let unpacked =
            if block.has(flag::COMPRESS) { decompress(bytes, size) } else { explode::explode(bytes, size) };
        unpacked.map_err(|error| match error {
            Error::Format { message, .. } => self.damaged(label, block, &message),
            Error::Unsupported(message) => Error::unsupported(format!("{label}: {message}")),
            other => other,
        })
    }

    /// Uncompressed sectors, encrypted separately.
    fn plain(&self, label: &str, block: &Block, key: Key, most: u64) -> Result<Vec<u8>> {
        let sector = u64::from(self.header.sector());
        let size = block.size.min(most.div_ceil(sector).saturating_mul(sector));
        let mut bytes = self.source.read(self.header.position(block.offset), size)?;
        let key = match key {
            Key::None => return Ok(bytes),
            Key::Known(key) => key,
            Key::Unknown => key_from_content(&bytes, block.size).ok_or_else(|| self.unnamed(label, block))?,
        };
        for (sector, part) in bytes.chunks_mut(self.header.sector() as usize).enumerate() {
            crypt::decrypt(part, key.wrapping_add(sector as u32));
        }
        Ok(bytes)
    }

    /// Sectors with a table of their offsets.
    fn sectors(&self, label: &str, block: &Block, key: Key, most: u64) -> Result<Vec<u8>> {
        let sector = u64::from(self.header.sector());
        let count = block.size.div_ceil(sector);
        let mut table_size = (count + 1) * 4;
        if block.has(flag::CHECKSUMS) {
            table_size += 4;
        }
        let start = self.header.position(block.offset);
        let mut table = self.source.read(start, table_size)?;
        let key = match key {
            Key::None => None,
            Key::Known(key) => Some(key),
            Key::Unknown => {
                let word = |at: usize| table.get(at..at + 4).map_or(0, u32_le);
                let found = crypt::key_from_table(word(0), word(4), table_size as u32, sector as u32);
                Some(found.ok_or_else(|| self.unnamed(label, block))?)
            }
        };
        if let Some(key) = key {
            crypt::decrypt(&mut table, key.wrapping_sub(1));
        }
        let (offsets, _) = table.as_chunks::<4>();
        let offsets: Vec<u32> = offsets.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let mut out = Vec::with_capacity(block.size.min(most).min(block.packed.saturating_mul(4)) as usize);
        for (index, pair) in offsets.windows(2).take(count as usize).enumerate() {
            if out.len() as u64 >= most {
                break;
            }
            let wanted = (block.size - index as u64 * sector).min(sector) as usize;
            let length = pair[1].wrapping_sub(pair[0]);
            // A sector that does not shrink is stored uncompressed, so none is longer than that.
            if u64::from(length) > sector + 512 {
                return Err(self.damaged(label, block, "its table of sectors is malformed"));
            }
            // The offsets may be negative: protectors put the table behind the data.
            let at = if self.header.version == 0 {
                u64::from((start as u32).wrapping_add(pair[0]))
            } else {
                start.saturating_add(pair[0].into())
            };
            let mut bytes = self.source.read(at, length.into())?;
            if let Some(key) = key {
                crypt::decrypt(&mut bytes, key.wrapping_add(index as u32));
            }
            if bytes.len() < wanted {
                bytes = self.unpack(label, block, &bytes, wanted)?;
            }
            if bytes.len() < wanted {
                return Err(self.damaged(
                    label,
                    block,
                    &format!("sector {index} has less data than it should"),
                ));
            }
            out.extend_from_slice(&bytes[..wanted]);
        }
        Ok(out)
    }
}

#[derive(Clone, Copy)]
enum Key {
    None,
    Known(u32),
    Unknown,
}

fn u32_le(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// The key of an uncompressed member, if it starts like a file whose first eight bytes are known.
fn key_from_content(bytes: &[u8], size: u64) -> Option<u32> {
    let first = u32_le(bytes.get(..4)?);
    let second = u32_le(bytes.get(4..8)?);
    let starts: [(&[u8; 4], u32); 3] =
        [(b"MDLX", u32::from_le_bytes(*b"VERS")), (b"RIFF", (size as u32).wrapping_sub(8)), (b"BLP1", 0)];
    starts.into_iter().find_map(|(magic, next)| {
        // The second word of a BLP is its encoding, 0 or 1.
        let most = if magic == b"BLP1" { 1 } else { 0 };
        crypt::key_from_words(first, second, u32::from_le_bytes(*magic), next..=next.saturating_add(most))
    })
}
