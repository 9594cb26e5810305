//! BIG: the archives of Command & Conquer Generals, Zero Hour and The Battle for Middle-earth.
//!
//! A header, a table of contents, then the members. The numbers are big-endian, except for the archive's size, which is
//! little-endian in the games' own files. Some tools write every number in the same order, so both orders are read.

use crate::rewrite::{Piece, Plan};
use crate::source::Cursor;
use crate::{Entry, Error, Result, Source, path};

/// Length of the longest name that is read. The games' own buffers hold 260 bytes.
const LONGEST_NAME: usize = 1024;
/// Bytes of the header before the first entry.
pub(crate) const HEADER: u64 = 16;

/// Header and table of contents.
#[derive(Debug)]
pub(crate) struct Table {
    magic: [u8; 4],
    /// The archive's size as stored, in whatever byte order.
    size: [u8; 4],
    /// The offset at which the games expect the first member, as stored.
    first: u32,
    order: Order,
    rows: Vec<Row>,
    /// First byte after the last name.
    end: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Big,
    Little,
}

#[derive(Clone, Debug)]
struct Row {
    offset: u32,
    size: u32,
    name: Vec<u8>,
}

impl Order {
    fn read(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Big => u32::from_be_bytes(bytes),
            Self::Little => u32::from_le_bytes(bytes),
        }
    }

    fn write(self, number: u32) -> [u8; 4] {
        match self {
            Self::Big => number.to_be_bytes(),
            Self::Little => number.to_le_bytes(),
        }
    }
}

pub(crate) fn is_big(start: &[u8]) -> bool {
    start.starts_with(b"BIGF") || start.starts_with(b"BIG4")
}

impl Table {
    pub(crate) fn read(source: &Source) -> Result<Self> {
        Self::read_as(source, Order::Big).or_else(|error| {
            // The error of the usual byte order is the more helpful one.
            Self::read_as(source, Order::Little).map_err(|_| error)
        })
    }

    fn read_as(source: &Source, order: Order) -> Result<Self> {
        let mut cursor = Cursor::new(source, 0);
        let magic = cursor.array()?;
        let size = cursor.array()?;
        let count = order.read(cursor.array()?);
        let first = order.read(cursor.array()?);
        // Two numbers and the NUL of an empty name.
        let most = source.len().saturating_sub(HEADER) / 9;
        if u64::from(count) > most {
            return Err(Error::format(
                8,
                format!("{count} members are declared, but the archive has room for {most}"),
            ));
        }
        let mut rows = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let at = cursor.offset();
            let offset = order.read(cursor.array()?);
            let size = order.read(cursor.array()?);
            let name = cursor.until_nul(LONGEST_NAME)?;
            if u64::from(offset) + u64::from(size) > source.len() {
                let name = path::display(&name);
                return Err(Error::format(
                    at,
                    format!("{name} lies outside the archive; the file may be cut off"),
                ));
            }
            rows.push(Row { offset, size, name });
        }
        Ok(Self { magic, size, first, order, rows, end: cursor.offset() })
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        let entry = |(id, row): (usize, &Row)| Entry {
            path: path::display(&row.name),
            size: row.size.into(),
            packed: row.size.into(),
            offset: row.offset.into(),
            id: id as u32,
            locale: 0,
            named: true,
        };
        self.rows.iter().enumerate().map(entry).collect()
    }

    /// The ranges of all members, by entry id.
    pub(crate) fn range(&self, id: u32) -> Option<(u64, u64)> {
        self.rows.get(id as usize).map(|row| (row.offset.into(), row.size.into()))
    }

    /// A plan for rewriting the archive with members changed, removed or added.
    pub(crate) fn plan(&self, source: &Source, changes: &crate::Changes) -> Result<Plan> {
        let ids = (0..self.rows.len() as u32).map(|id| (id, path::display(&self.rows[id as usize].name)));
        let edits = changes.by_id(ids);
        let mut pieces = vec![Piece::Table { start: 0, len: self.end, table: 0 }];
        pieces.extend(self.rows.iter().zip(0..).map(|(row, id)| Piece::Member {
            start: row.offset.into(),
            len: row.size.into(),
            id,
        }));
        let mut plan = Plan::new(source, pieces, &edits)?;
        let kept = || self.rows.iter().zip(0..).filter(|(_, id)| !edits.removed.contains(id));
        let names: u64 = kept().map(|(row, _)| row.name.len() as u64 + 9).sum();
        let added: u64 = edits.added.iter().map(|(name, _)| stored_name(name).len() as u64 + 9).sum();
        let length = HEADER + names + added;
        let shift = plan.place(&[length]);
        let total = shift.total();
        let mut table = Vec::with_capacity(length as usize);
        table.extend(self.magic);
        table.extend(self.size_word(source.len(), total)?);
        table.extend(self.order.write((kept().count() + edits.added.len()) as u32));
        let first = i64::from(self.first) + (length as i64 - self.end as i64);
        table.extend(self.order.write(first.try_into().map_err(|_| too_large())?));
        for (row, id) in kept() {
            let (offset, size) = shift.member(id, row.offset.into(), row.size.into());
            self.row(&mut table, offset, size, &row.name)?;
        }
        for (index, (name, _)) in edits.added.iter().enumerate() {
            let (offset, size) = shift.added(index);
            self.row(&mut table, offset, size, &stored_name(name))?;
        }
        plan.tables.push(table);
        Ok(plan)
    }

    fn row(&self, table: &mut Vec<u8>, offset: u64, size: u64, name: &[u8]) -> Result<()> {
        table.extend(self.order.write(offset.try_into().map_err(|_| too_large())?));
        table.extend(self.order.write(size.try_into().map_err(|_| too_large())?));
        table.extend(name);
        table.push(0);
        Ok(())
    }

    /// The archive's size in the byte order of the file. A wrong size stays unchanged as long as the length does not
    /// change.
    fn size_word(&self, before: u64, after: u64) -> Result<[u8; 4]> {
        if before == after {
            return Ok(self.size);
        }
        let after = u32::try_from(after).map_err(|_| too_large())?;
        let is_big = u64::from(u32::from_be_bytes(self.size)) == before;
        Ok(if is_big { after.to_be_bytes() } else { after.to_le_bytes() })
    }
}

fn too_large() -> Error {
    Error::limit("a BIG archive holds at most 4 GiB")
}

/// Names in BIG archives have backslashes.
fn stored_name(path: &str) -> Vec<u8> {
    path.replace('/', "\\").into_bytes()
}

/// The header and table of contents of a new archive.
pub(crate) fn table(magic: [u8; 4], members: &[(String, u64)]) -> Result<Vec<u8>> {
    let names: u64 = members.iter().map(|(name, _)| stored_name(name).len() as u64 + 9).sum();
    let end = HEADER + names;
    let total = members.iter().fold(end, |total, (_, size)| total.saturating_add(*size));
    let word = |number: u64| u32::try_from(number).map_err(|_| too_large());
    let mut table = Vec::with_capacity(end as usize);
    table.extend(magic);
    table.extend(word(total)?.to_le_bytes());
    table.extend(word(members.len() as u64)?.to_be_bytes());
    table.extend(word(end)?.to_be_bytes());
    let mut offset = end;
    for (name, size) in members {
        let stored = stored_name(name);
        if stored.len() > LONGEST_NAME || stored.contains(&0) {
            return Err(Error::limit(format!("{name} cannot be a name in a BIG archive")));
        }
        table.extend(word(offset)?.to_be_bytes());
        table.extend(word(*size)?.to_be_bytes());
        table.extend(stored);
        table.push(0);
        offset += size;
    }
    Ok(table)
}
