//! Writing MPQ archives of version 1, which every game reads.

use std::collections::BTreeSet;
use std::io::{Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::Mpq;
use super::crypt::{self, Purpose};
use super::tables::{BLOCK_MASK, Block, FREE, Hash, flag};
use crate::{Changes, Error, Result, Source};

const HEADER: u64 = 32;
/// 4096 bytes, as in the archives of the games.
const SECTOR_SHIFT: u16 = 3;
/// A row that was in use: a search continues after it.
const DELETED: u32 = 0xFFFF_FFFE;

/// Input for the tables of a new archive.
struct Tables {
    hashes: Vec<Hash>,
    blocks: Vec<Block>,
}

impl Tables {
    fn new(members: usize) -> Self {
        let free = Hash { name_a: FREE, name_b: FREE, locale: 0xFFFF, platform: 0xFFFF, block: FREE };
        // A third of the rows stays free, so that searches are short.
        let rows = (members * 3 / 2).next_power_of_two().max(16);
        Self { hashes: vec![free; rows], blocks: Vec::with_capacity(members) }
    }

    fn add(&mut self, name: &[u8], block: Block) -> Result<()> {
        let number = self.blocks.len() as u32;
        self.blocks.push(block);
        let rows = self.hashes.len();
        let first = crypt::hash(name, Purpose::Place) as usize & (rows - 1);
        let row = (0..rows).map(|step| (first + step) & (rows - 1));
        let row = row.into_iter().find(|&row| matches!(self.hashes[row].block, FREE | DELETED));
        let row = row
            .ok_or_else(|| Error::limit("the MPQ archive's hash table is full; extract and pack it again"))?;
        self.hashes[row] = Hash {
            name_a: crypt::hash(name, Purpose::NameA),
            name_b: crypt::hash(name, Purpose::NameB),
            locale: 0,
            platform: 0,
            block: number,
        };
        Ok(())
    }

    fn bytes(&self) -> (Vec<u8>, Vec<u8>) {
        let mut hashes: Vec<u8> = self.hashes.iter().flat_map(Hash::write).collect();
        let mut blocks: Vec<u8> = self.blocks.iter().flat_map(Block::write).collect();
        crypt::encrypt(&mut hashes, crypt::hash(b"(hash table)", Purpose::Key));
        crypt::encrypt(&mut blocks, crypt::hash(b"(block table)", Purpose::Key));
        (hashes, blocks)
    }
}

fn too_large() -> Error {
    Error::limit("an MPQ archive of version 1 holds at most 4 GiB")
}

/// A name as the hash tables expect it.
fn stored_name(path: &str) -> Vec<u8> {
    path.replace('/', "\\").into_bytes()
}

/// Compresses a member by sectors, and writes it. Returns its row, with an offset from `start`.
fn member(out: &mut (impl Write + Seek), start: u64, content: &[u8], shift: u16) -> Result<Block> {
    let offset = out.stream_position()? - start;
    let sector = 512_usize << shift;
    let sectors = content.chunks(sector).map(|plain| {
        let mut encoder = ZlibEncoder::new(vec![0x02], Compression::default());
        encoder.write_all(plain)?;
        let packed = encoder.finish()?;
        Ok(if packed.len() < plain.len() { packed } else { plain.to_vec() })
    });
    let sectors: Vec<Vec<u8>> = sectors.collect::<Result<_>>()?;
    let table = (sectors.len() + 1) * 4;
    let packed = table + sectors.iter().map(Vec::len).sum::<usize>();
    let size = content.len() as u64;
    if offset + size.max(packed as u64) > u64::from(u32::MAX) {
        return Err(too_large());
    }
    if packed >= content.len() {
        out.write_all(content)?;
        return Ok(Block { offset, packed: size, size, flags: flag::EXISTS });
    }
    let mut at = table as u32;
    out.write_all(&at.to_le_bytes())?;
    for sector in &sectors {
        at += sector.len() as u32;
        out.write_all(&at.to_le_bytes())?;
    }
    for sector in &sectors {
        out.write_all(sector)?;
    }
    Ok(Block { offset, packed: packed as u64, size, flags: flag::EXISTS | flag::COMPRESS })
}

/// The tables and the header, when all members are written.
fn finish(out: &mut (impl Write + Seek), start: u64, shift: u16, tables: &Tables) -> Result<()> {
    let (hashes, blocks) = tables.bytes();
    let hash_offset = out.stream_position()? - start;
    let block_offset = hash_offset + hashes.len() as u64;
    let end = block_offset + blocks.len() as u64;
    let word = |number: u64| u32::try_from(number).map_err(|_| too_large());
    out.write_all(&hashes)?;
    out.write_all(&blocks)?;
    let mut header = b"MPQ\x1A".to_vec();
    header.extend((HEADER as u32).to_le_bytes());
    header.extend(word(end)?.to_le_bytes());
    header.extend(0_u16.to_le_bytes());
    header.extend(shift.to_le_bytes());
    header.extend(word(hash_offset)?.to_le_bytes());
    header.extend(word(block_offset)?.to_le_bytes());
    header.extend(word(tables.hashes.len() as u64)?.to_le_bytes());
    header.extend(word(tables.blocks.len() as u64)?.to_le_bytes());
    out.seek(SeekFrom::Start(start))?;
    out.write_all(&header)?;
    out.seek(SeekFrom::End(0))?;
    Ok(())
}

/// Writes a new archive with a list of its names. Members are asked for one at a time.
pub(crate) fn create(
    out: &mut (impl Write + Seek),
    names: &[String],
    mut content: impl FnMut(usize) -> Result<Vec<u8>>,
) -> Result<()> {
    let mut tables = Tables::new(names.len() + 1);
    out.write_all(&[0; HEADER as usize])?;
    let mut list = Vec::new();
    for (index, path) in names.iter().enumerate() {
        let name = stored_name(path);
        // The list and the checksums of the old archive are not copied.
        if matches!(name.as_slice(), b"(listfile)" | b"(attributes)" | b"(signature)") {
            continue;
        }
        let block = member(out, 0, &content(index)?, SECTOR_SHIFT)?;
        tables.add(&name, block)?;
        list.extend(name);
        list.extend(b"\r\n");
    }
    let block = member(out, 0, &list, SECTOR_SHIFT)?;
    tables.add(b"(listfile)", block)?;
    finish(out, 0, SECTOR_SHIFT, &tables)
}

impl Mpq {
    /// Writes the archive again with some members changed.
    ///
    /// Existing members keep their offsets, because the keys of encrypted members and the tricks of protected maps depend
    /// on them. New content and new tables are appended.
    pub(crate) fn rewrite(
        &self,
        source: &Source,
        changes: &Changes,
        out: &mut (impl Write + Seek),
    ) -> Result<()> {
        if changes.is_empty() {
            return source.copy_to(0, source.len(), out);
        }
        if self.header.version != 0 || self.hashes.is_empty() || !self.hashes.len().is_power_of_two() {
            return Err(Error::unsupported(
                "only MPQ archives of version 1 can be changed in place; extract the members and pack them again",
            ));
        }
        source.copy_to(0, source.len(), out)?;
        let (start, shift) = (self.header.start, self.header.sector_shift);
        let mut tables = Tables { hashes: self.hashes.clone(), blocks: self.blocks.clone() };
        let mut stale: BTreeSet<&[u8]> = [&b"(attributes)"[..], b"(signature)"].into();
        let mut added = Vec::new();
        for (path, content) in changes.contents() {
            let block = member(out, start, content, shift)?;
            match self.row_of_path(source, path) {
                Some(row) => {
                    let number = self.hashes[row].block & BLOCK_MASK;
                    tables.blocks[number as usize] = block;
                }
                None => {
                    let name = stored_name(path);
                    tables.add(&name, block)?;
                    added.extend(name);
                    added.extend(b"\r\n");
                }
            }
        }
        let removals: Vec<Vec<u8>> = changes.removals().map(stored_name).collect();
        stale.extend(removals.iter().map(Vec::as_slice));
        for name in stale {
            if let Some(row) = self.row_of(source, name) {
                tables.hashes[row] =
                    Hash { name_a: FREE, name_b: FREE, locale: 0xFFFF, platform: 0xFFFF, block: DELETED };
            }
        }
        self.update_list(source, &added, &removals, &mut tables, out)?;
        finish(out, start, shift, &tables)
    }

    /// The row of a path, which may be a placeholder for an unnamed member.
    fn row_of_path(&self, source: &Source, path: &str) -> Option<usize> {
        self.row_of(source, &stored_name(path)).or_else(|| {
            let number = crate::names::unnamed_number(path)?;
            self.hashes.iter().position(|hash| hash.block != FREE && hash.block & BLOCK_MASK == number)
        })
    }

    /// Updates the list of names, if there is one.
    fn update_list(
        &self,
        source: &Source,
        added: &[u8],
        removed: &[Vec<u8>],
        tables: &mut Tables,
        out: &mut (impl Write + Seek),
    ) -> Result<()> {
        let (Some(row), false) = (self.row_of(source, b"(listfile)"), added.is_empty() && removed.is_empty())
        else {
            return Ok(());
        };
        let list = self.named(source, b"(listfile)", &crate::Limits::default())?;
        let lines = list.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let kept = lines
            .filter(|line| !line.is_empty() && !removed.iter().any(|name| name.eq_ignore_ascii_case(line)));
        let mut list: Vec<u8> = kept.flat_map(|line| [line, b"\r\n"].concat()).collect();
        list.extend(added);
        let block = member(out, self.header.start, &list, self.header.sector_shift)?;
        tables.blocks[(self.hashes[row].block & BLOCK_MASK) as usize] = block;
        Ok(())
    }
}
