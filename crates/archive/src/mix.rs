//! MIX: the archives of Command & Conquer Renegade, also called `.dat`, `.dbs` and `.pkg`.
//!
//! A header, the members, an index sorted by the CRC-32 of the upper-cased name, and a list of names. The game finds members
//! by the index alone; the list of names only serves to list them, and may be missing or incomplete.

use std::collections::HashMap;

use crate::rewrite::{Piece, Plan};
use crate::source::Cursor;
use crate::{Entry, Error, Result, Source, path};

/// Bytes of the header before the first member.
pub(crate) const HEADER: u64 = 16;
/// Members start at multiples of this.
pub(crate) const ALIGNMENT: u64 = 8;

/// Header, index and list of names.
#[derive(Debug)]
pub(crate) struct Table {
    index_offset: u32,
    names_offset: u32,
    reserved: u32,
    rows: Vec<Row>,
    /// Names as stored, with their NUL.
    names: Vec<Vec<u8>>,
    /// First byte after the list of names.
    names_end: u64,
    /// The path of each row, where the archive or the user names it.
    paths: Vec<Option<String>>,
    /// The rows by their numbers.
    by_crc: HashMap<u32, u32>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    crc: u32,
    offset: u32,
    size: u32,
}

pub(crate) fn is_mix(start: &[u8]) -> bool {
    start.starts_with(b"MIX1") || start.starts_with(b"MIX2")
}

/// The number by which the game finds a name.
pub(crate) fn crc(name: &[u8]) -> u32 {
    crc32fast::hash(&name.to_ascii_uppercase())
}

impl Table {
    pub(crate) fn read(source: &Source, extra: &[Vec<u8>]) -> Result<Self> {
        let mut cursor = Cursor::new(source, 0);
        if cursor.array::<4>()? != *b"MIX1" {
            return Err(Error::unsupported(
                "an encrypted MIX archive of W3D Hub (MIX2), which is not supported",
            ));
        }
        let (index_offset, names_offset, reserved) = (cursor.u32_le()?, cursor.u32_le()?, cursor.u32_le()?);
        let mut cursor = Cursor::new(source, index_offset.into());
        let count = cursor.u32_le()?;
        source.check(cursor.offset(), u64::from(count) * 12)?;
        let mut rows = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let at = cursor.offset();
            let row = Row { crc: cursor.u32_le()?, offset: cursor.u32_le()?, size: cursor.u32_le()? };
            if u64::from(row.offset) + u64::from(row.size) > source.len() {
                let message =
                    format!("member {:08X} lies outside the archive; the file may be cut off", row.crc);
                return Err(Error::format(at, message));
            }
            rows.push(row);
        }
        let (names, names_end) =
            if names_offset == 0 { (Vec::new(), 0) } else { names(source, names_offset)? };
        // The first match among the archive's own names and those of the user.
        let mut known = HashMap::new();
        for name in names.iter().chain(extra) {
            known.entry(crc(trim(name))).or_insert_with(|| path::display(trim(name)));
        }
        let paths = rows.iter().map(|row: &Row| known.remove(&row.crc)).collect();
        let by_crc = rows.iter().zip(0..).map(|(row, id)| (row.crc, id)).collect();
        Ok(Self { index_offset, names_offset, reserved, rows, names, names_end, paths, by_crc })
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        let entry = |(id, row): (usize, &Row)| Entry {
            path: self.path(id),
            size: row.size.into(),
            packed: row.size.into(),
            offset: row.offset.into(),
            id: id as u32,
            locale: 0,
            named: self.paths[id].is_some(),
        };
        self.rows.iter().enumerate().map(entry).collect()
    }

    fn path(&self, id: usize) -> String {
        self.paths[id].clone().unwrap_or_else(|| crate::names::unnamed(id, "xxx"))
    }

    /// The member of a name, whether or not the archive lists it.
    pub(crate) fn find(&self, path: &str) -> Option<u32> {
        self.by_crc.get(&crc(path.as_bytes())).copied()
    }

    pub(crate) fn range(&self, id: u32) -> Option<(u64, u64)> {
        self.rows.get(id as usize).map(|row| (row.offset.into(), row.size.into()))
    }

    /// A plan for rewriting the archive with members changed, removed or added.
    pub(crate) fn plan(&self, source: &Source, changes: &crate::Changes) -> Result<Plan> {
        let ids = (0..self.rows.len()).map(|id| (id as u32, self.path(id)));
        let edits = changes.by_id(ids);
        let index_length = |rows: usize| 4 + 12 * rows as u64;
        let names_length =
            |names: &[Vec<u8>]| 4 + names.iter().map(|name| 1 + name.len() as u64).sum::<u64>();
        let mut pieces = vec![
            Piece::Table { start: 0, len: HEADER, table: 0 },
            Piece::Table { start: self.index_offset.into(), len: index_length(self.rows.len()), table: 1 },
        ];
        if self.names_offset != 0 {
            let start = u64::from(self.names_offset);
            pieces.push(Piece::Table { start, len: self.names_end - start, table: 2 });
        }
        let members = self.rows.iter().zip(0..);
        pieces.extend(members.map(|(row, id)| Piece::Member {
            start: row.offset.into(),
            len: row.size.into(),
            id,
        }));
        let mut plan = Plan::new(source, pieces, &edits)?;
        let removed: Vec<u32> = edits.removed.iter().map(|&id| self.rows[id as usize].crc).collect();
        let mut names = self.names.clone();
        if !removed.is_empty() {
            names.retain(|name| !removed.contains(&crc(trim(name))));
        }
        for (name, _) in &edits.added {
            names.push(stored_name(name)?);
        }
        let rows = self.rows.len() - edits.removed.len() + edits.added.len();
        let shift = plan.place(&[HEADER, index_length(rows), names_length(&names)]);
        let word = |number: u64| u32::try_from(number).map_err(|_| too_large());
        let mut index = Vec::with_capacity(rows);
        for (row, id) in self.rows.iter().zip(0..).filter(|(_, id)| !edits.removed.contains(id)) {
            let (offset, size) = shift.member(id, row.offset.into(), row.size.into());
            index.push((row.crc, word(offset)?, word(size)?));
        }
        for (number, (name, _)) in edits.added.iter().enumerate() {
            let (offset, size) = shift.added(number);
            index.push((crc(name.as_bytes()), word(offset)?, word(size)?));
        }
        if !edits.added.is_empty() {
            index.sort_by_key(|(crc, ..)| *crc);
        }
        word(shift.total())?;
        let names_at = if self.names_offset == 0 { 0 } else { word(shift.table(2))? };
        let header = header(word(shift.table(1))?, names_at, self.reserved);
        plan.tables = vec![header, index_bytes(&index), name_bytes(&names)];
        Ok(plan)
    }
}

fn names(source: &Source, offset: u32) -> Result<(Vec<Vec<u8>>, u64)> {
    let mut cursor = Cursor::new(source, offset.into());
    let count = cursor.u32_le()?;
    // Each name takes at least the byte of its length.
    source.check(cursor.offset(), count.into())?;
    let mut names = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let [length] = cursor.array()?;
        names.push(cursor.bytes(length.into())?);
    }
    Ok((names, cursor.offset()))
}

/// A name without the NUL that ends it.
fn trim(name: &[u8]) -> &[u8] {
    name.split(|&byte| byte == 0).next().unwrap_or_default()
}

fn stored_name(name: &str) -> Result<Vec<u8>> {
    let mut stored = name.as_bytes().to_vec();
    stored.push(0);
    if stored.len() > 255 || name.contains(['/', '\\', '\0']) {
        return Err(Error::unsupported(format!(
            "{name} cannot be stored in a MIX archive: it has no folders, and names of at most 254 bytes"
        )));
    }
    Ok(stored)
}

fn too_large() -> Error {
    Error::limit("a MIX archive holds at most 4 GiB")
}

fn header(index: u32, names: u32, reserved: u32) -> Vec<u8> {
    [*b"MIX1", index.to_le_bytes(), names.to_le_bytes(), reserved.to_le_bytes()].concat()
}

fn index_bytes(rows: &[(u32, u32, u32)]) -> Vec<u8> {
    let mut bytes = (rows.len() as u32).to_le_bytes().to_vec();
    for (crc, offset, size) in rows {
        bytes.extend(crc.to_le_bytes().iter().chain(&offset.to_le_bytes()).chain(&size.to_le_bytes()));
    }
    bytes
}

fn name_bytes(names: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = (names.len() as u32).to_le_bytes().to_vec();
    for name in names {
        bytes.push(name.len() as u8);
        bytes.extend(name);
    }
    bytes
}

/// The bytes before and after the members of a new archive, from names and sizes in the order of the members.
pub(crate) fn tables(members: &[(String, u64)]) -> Result<(Vec<u8>, Vec<u8>)> {
    let word = |number: u64| u32::try_from(number).map_err(|_| too_large());
    let mut offset = HEADER;
    let mut rows = Vec::with_capacity(members.len());
    let mut names = Vec::with_capacity(members.len());
    for (name, size) in members {
        names.push(stored_name(name)?);
        rows.push((crc(name.as_bytes()), word(offset)?, word(*size)?));
        offset = offset.saturating_add(*size).next_multiple_of(ALIGNMENT);
    }
    rows.sort_by_key(|(crc, ..)| *crc);
    if let Some(pair) = rows.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(Error::unsupported(format!(
            "two members have the number {:08X} in a MIX archive: rename one of them",
            pair[0].0
        )));
    }
    let index = index_bytes(&rows);
    let names_at = offset + index.len() as u64;
    let mut after = index;
    after.extend(name_bytes(&names));
    word(offset + after.len() as u64)?;
    Ok((header(word(offset)?, word(names_at)?, 0), after))
}
