//! Writing an archive again with some members changed.
//!
//! The old archive is divided into pieces: tables, members, and the gaps between them. A gap is copied, a member is copied or
//! replaced, a table is written anew. Everything keeps its order, so an archive without changes comes out byte for byte.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use crate::{Error, Result, Source, path};

/// Changes to the members of an archive.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// New content by key.
    put: BTreeMap<String, (String, Vec<u8>)>,
    /// Keys of members to remove.
    removed: BTreeSet<String>,
}

impl Changes {
    /// Sets the content of a member. A member that does not exist is added.
    pub fn put(&mut self, path: &str, content: Vec<u8>) {
        self.removed.remove(&path::key(path));
        self.put.insert(path::key(path), (path::clean(path), content));
    }

    /// Removes a member.
    pub fn remove(&mut self, path: &str) {
        self.put.remove(&path::key(path));
        self.removed.insert(path::key(path));
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.put.is_empty() && self.removed.is_empty()
    }

    pub(crate) fn contents(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.put.values().map(|(path, content)| (path.as_str(), content.as_slice()))
    }

    pub(crate) fn removals(&self) -> impl Iterator<Item = &str> {
        self.removed.iter().map(String::as_str)
    }

    /// The changes by member number. If several members have the same name, the last one is the one that is read, so it
    /// is the one that changes. Removing a name removes all of them.
    pub(crate) fn by_id(&self, members: impl Iterator<Item = (u32, String)>) -> Edits<'_> {
        let mut edits = Edits::default();
        if self.is_empty() {
            return edits;
        }
        let mut target = BTreeMap::new();
        for (id, path) in members {
            let key = path::key(&path);
            if self.removed.contains(&key) {
                edits.removed.insert(id);
            } else if self.put.contains_key(&key) {
                target.insert(key, id);
            }
        }
        for (key, (path, content)) in &self.put {
            match target.get(key) {
                Some(id) => {
                    edits.replaced.insert(*id, content);
                }
                None => edits.added.push((path, content)),
            }
        }
        edits
    }
}

#[derive(Debug, Default)]
pub(crate) struct Edits<'c> {
    pub(crate) replaced: BTreeMap<u32, &'c [u8]>,
    pub(crate) removed: BTreeSet<u32>,
    pub(crate) added: Vec<(&'c str, &'c [u8])>,
}

impl Edits<'_> {
    fn is_empty(&self) -> bool {
        self.replaced.is_empty() && self.removed.is_empty() && self.added.is_empty()
    }
}

/// A part of the old archive whose meaning is known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece {
    Table { start: u64, len: u64, table: usize },
    Member { start: u64, len: u64, id: u32 },
}

impl Piece {
    fn is_table(&self) -> bool {
        matches!(self, Self::Table { .. })
    }

    fn range(&self) -> (u64, u64) {
        match *self {
            Self::Table { start, len, .. } | Self::Member { start, len, .. } => {
                (start, start.saturating_add(len))
            }
        }
    }
}

/// A part of the new archive.
#[derive(Clone, Debug)]
enum Part {
    /// Copied from the old archive.
    Old { start: u64, len: u64 },
    /// Newly written.
    Table(usize),
    /// New content of an existing member.
    Changed { content: Vec<u8>, old_start: u64, old_len: u64 },
    /// A member at the end.
    Appended(Vec<u8>),
}

/// All parts of the new archive, in order.
#[derive(Debug)]
pub(crate) struct Plan {
    source: Source,
    parts: Vec<Part>,
    /// Index of the part that holds a changed member.
    changed: BTreeMap<u32, usize>,
    /// Index of the first part that is an added member.
    added: usize,
    /// Content of the tables, filled in after they are placed.
    pub(crate) tables: Vec<Vec<u8>>,
}

impl Plan {
    /// Divides the old archive.
    pub(crate) fn new(source: &Source, mut pieces: Vec<Piece>, edits: &Edits<'_>) -> Result<Self> {
        // An empty member has no bytes.
        pieces.retain(|piece| piece.range().0 < piece.range().1);
        pieces.sort_by_key(Piece::range);
        let mut parts = Vec::new();
        let mut changed = BTreeMap::new();
        let mut at = 0;
        let mut index = 0;
        while index < pieces.len() {
            // Overlapping members stay together.
            let (start, mut end) = pieces[index].range();
            let mut next = index + 1;
            while next < pieces.len() && pieces[next].range().0 < end {
                end = end.max(pieces[next].range().1);
                next += 1;
            }
            let group = &pieces[index..next];
            index = next;
            let end = end.min(source.len());
            if at < start {
                parts.push(Part::Old { start: at, len: start - at });
            }
            at = end;
            match group {
                [Piece::Table { table, .. }] => parts.push(Part::Table(*table)),
                [Piece::Member { id, .. }] if edits.removed.contains(id) => {}
                [Piece::Member { id, .. }] if edits.replaced.contains_key(id) => {
                    changed.insert(*id, parts.len());
                    let content = edits.replaced[id].to_vec();
                    parts.push(Part::Changed { content, old_start: start, old_len: end - start });
                }
                // The offset of such a table is unknown, so no other table could refer to it. Without changes the archive
                // is copied.
                group if group.iter().any(Piece::is_table) => {
                    if !edits.is_empty() {
                        return Err(Error::unsupported(
                            "the archive's tables overlap each other or a member; extract the members and pack them again",
                        ));
                    }
                    parts = vec![Part::Old { start: 0, len: source.len() }];
                    at = source.len();
                    break;
                }
                _ => parts.push(Part::Old { start, len: end - start }),
            }
        }
        if at < source.len() {
            parts.push(Part::Old { start: at, len: source.len() - at });
        }
        // Changed members that share their bytes with others, or had none.
        for (id, content) in &edits.replaced {
            if !changed.contains_key(id) {
                changed.insert(*id, parts.len());
                parts.push(Part::Appended(content.to_vec()));
            }
        }
        let added = parts.len();
        parts.extend(edits.added.iter().map(|(_, content)| Part::Appended(content.to_vec())));
        Ok(Self { source: source.clone(), parts, changed, added, tables: Vec::new() })
    }

    /// The layout of the new archive, from the lengths of the tables.
    pub(crate) fn place(&self, tables: &[u64]) -> Shift<'_> {
        let mut starts = Vec::with_capacity(self.parts.len());
        let mut at = 0;
        for part in &self.parts {
            starts.push(at);
            at += match part {
                Part::Old { len, .. } => *len,
                Part::Table(table) => tables[*table],
                Part::Changed { content, .. } | Part::Appended(content) => content.len() as u64,
            };
        }
        // Old offsets in ascending order, with their new values.
        let moved = self.parts.iter().zip(&starts).filter_map(|(part, &now)| match part {
            Part::Old { start, len } => Some((*start, *len, now)),
            Part::Changed { old_start, old_len, .. } => Some((*old_start, *old_len, now)),
            Part::Table(_) | Part::Appended(_) => None,
        });
        Shift { moved: moved.collect(), plan: self, starts, total: at }
    }

    /// The first offset at which the new archive differs from the old one. Parts copied to the same offset are not read.
    pub(crate) fn first_difference(&self) -> Result<Option<u64>> {
        let mut at = 0;
        for part in &self.parts {
            let new = match part {
                Part::Old { start, len } if *start == at => {
                    at += len;
                    continue;
                }
                Part::Old { start, len } => &self.source.read(*start, *len)?,
                Part::Table(table) => &self.tables[*table],
                Part::Changed { content, .. } | Part::Appended(content) => content,
            };
            let old = self.source.read_up_to(at, new.len() as u64)?;
            let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
            if same < new.len() {
                return Ok(Some(at + same as u64));
            }
            at += new.len() as u64;
        }
        Ok((at != self.source.len()).then_some(at))
    }

    /// Writes the new archive.
    pub(crate) fn write(&self, out: &mut dyn Write) -> Result<()> {
        for part in &self.parts {
            match part {
                Part::Old { start, len } => self.source.copy_to(*start, *len, out)?,
                Part::Table(table) => out.write_all(&self.tables[*table])?,
                Part::Changed { content, .. } | Part::Appended(content) => out.write_all(content)?,
            }
        }
        Ok(())
    }
}

/// The offsets of the old archive's parts in the new one.
pub(crate) struct Shift<'p> {
    plan: &'p Plan,
    /// Old start, length, new start.
    moved: Vec<(u64, u64, u64)>,
    starts: Vec<u64>,
    total: u64,
}

impl Shift<'_> {
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Offset and size of a member that was there before.
    pub(crate) fn member(&self, id: u32, offset: u64, size: u64) -> (u64, u64) {
        match self.plan.changed.get(&id) {
            Some(&part) => match &self.plan.parts[part] {
                Part::Changed { content, .. } | Part::Appended(content) => {
                    (self.starts[part], content.len() as u64)
                }
                _ => (offset, size),
            },
            None => (self.offset(offset), size),
        }
    }

    /// The new offset of an old one. An offset outside all parts, which only empty members have, stays unchanged.
    pub(crate) fn offset(&self, old: u64) -> u64 {
        let after = self.moved.partition_point(|(start, ..)| *start <= old);
        match after.checked_sub(1).map(|index| self.moved[index]) {
            Some((start, len, now)) if old - start <= len => now + (old - start),
            _ => old,
        }
    }

    /// Offset and size of an added member.
    pub(crate) fn added(&self, index: usize) -> (u64, u64) {
        let part = self.plan.added + index;
        match &self.plan.parts[part] {
            Part::Appended(content) => (self.starts[part], content.len() as u64),
            _ => (0, 0),
        }
    }

    /// The new offset of a table.
    pub(crate) fn table(&self, table: usize) -> u64 {
        let index =
            self.plan.parts.iter().position(|part| matches!(part, Part::Table(found) if *found == table));
        index.map_or(0, |index| self.starts[index])
    }
}
