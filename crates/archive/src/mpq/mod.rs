//! MPQ: the archives of Blizzard's games, and every map and campaign of Warcraft III.
//!
//! Names are not stored but hashed; a member `(listfile)` lists them by convention, and protected maps omit it.

mod adpcm;
pub(crate) mod crypt;
mod explode;
pub(crate) mod header;
mod huffman;
pub(crate) mod sector;
mod sparse;
pub(crate) mod tables;
pub(crate) mod write;

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, OnceLock, PoisonError};

use crypt::Purpose;
use header::Header;
use sector::Reader;
use tables::{BLOCK_MASK, Block, Extended, FREE, Hash};

use crate::{Entry, Error, Limits, Result, Source, names, path};

/// An open archive.
#[derive(Debug)]
pub(crate) struct Mpq {
    pub(crate) header: Header,
    pub(crate) hashes: Vec<Hash>,
    pub(crate) blocks: Vec<Block>,
    extended: Option<Extended>,
    /// The user's names.
    extra: Vec<Vec<u8>>,
    far: OnceLock<Far>,
}

/// Rows of the hash table that are searched one by one. In tables with free rows a search ends sooner.
const NEAR: u32 = 64;

/// The row of several with the same name that is used.
#[derive(Default)]
struct Choice {
    /// The last one without a language.
    neutral: Option<usize>,
    first: Option<usize>,
}

impl Choice {
    fn add(&mut self, row: usize, hash: &Hash) {
        self.first = self.first.or(Some(row));
        if hash.locale == 0 {
            self.neutral = Some(row);
        }
    }

    fn row(&self) -> Option<usize> {
        self.neutral.or(self.first)
    }
}

/// Rows by place and identity; `None` where no row has the name.
type KnownRows = HashMap<(u32, (u32, u32)), Option<usize>>;

/// An index of the hash table.
#[derive(Debug)]
struct Far {
    by_identity: HashMap<(u32, u32), Vec<u32>>,
    /// Free rows, in ascending order.
    free: Vec<u32>,
    /// The rows of names that were searched, by place and identity.
    known: Mutex<KnownRows>,
}

impl Far {
    fn new(hashes: &[Hash]) -> Self {
        let (mut by_identity, mut free) = (HashMap::<_, Vec<u32>>::new(), Vec::new());
        for (row, hash) in (0..).zip(hashes) {
            match hash.block {
                FREE => free.push(row),
                _ => by_identity.entry((hash.name_a, hash.name_b)).or_default().push(row),
            }
        }
        Self { by_identity, free, known: Mutex::default() }
    }
}

/// Identifies a member: its number, and its name if known.
#[derive(Clone, Debug)]
struct Found {
    block: u32,
    locale: u16,
    name: Option<Vec<u8>>,
}

impl Mpq {
    pub(crate) fn read(source: &Source, extra: Vec<Vec<u8>>) -> Result<Self> {
        let header = header::find(source)?;
        let hashes = tables::hashes(source, &header)?;
        let blocks = tables::blocks(source, &header)?;
        // The classic tables are sufficient if they are complete.
        let extended = if hashes.is_empty() { Extended::read(source, &header)? } else { None };
        let blocks = extended.as_ref().map_or(blocks, |extended| extended.blocks.clone());
        Ok(Self { header, hashes, blocks, extended, extra, far: OnceLock::new() })
    }

    /// Whether this row of the hash table leads to a member.
    fn leads(&self, source: &Source, hash: &Hash) -> bool {
        hash.block != FREE
            && self
                .blocks
                .get((hash.block & BLOCK_MASK) as usize)
                .is_some_and(|block| self.is_there(source, block))
    }

    fn is_there(&self, source: &Source, block: &Block) -> bool {
        block.is_file() && block.size < 1 << 31 && self.header.position(block.offset) < source.len()
    }

    /// The member of a name: the one without a language, otherwise the first.
    pub(crate) fn find_name(&self, source: &Source, name: &[u8]) -> Option<(u32, u16)> {
        if let Some(extended) = &self.extended {
            let block = extended.find(name)?;
            let is_file = self.blocks.get(block as usize).is_some_and(|block| self.is_there(source, block));
            return is_file.then_some((block, 0));
        }
        let hash = &self.hashes[self.row_of(source, name)?];
        Some((hash.block & BLOCK_MASK, hash.locale))
    }

    /// The row of the hash table that is used for a name: the last one without a language, otherwise the first.
    pub(crate) fn row_of(&self, source: &Source, name: &[u8]) -> Option<usize> {
        let count = self.header.hash_count.max(1);
        let first = crypt::hash(name, Purpose::Place) & (count - 1);
        let identity = (crypt::hash(name, Purpose::NameA), crypt::hash(name, Purpose::NameB));
        // Rows that a truncated table does not have are skipped. A protected map may declare four billion of them.
        let steps = count.min(u32::try_from(self.hashes.len().max(1) * 2).unwrap_or(u32::MAX));
        let mut choice = Choice::default();
        for step in 0..steps.min(NEAR) {
            let row = (first.wrapping_add(step) % count) as usize;
            let Some(hash) = self.hashes.get(row) else { continue };
            if hash.block == FREE {
                return choice.row();
            }
            if (hash.name_a, hash.name_b) == identity && self.leads(source, hash) {
                choice.add(row, hash);
            }
        }
        if steps <= NEAR {
            return choice.row();
        }
        // A table without free rows would be searched from one end to the other for each name.
        let far = self.far.get_or_init(|| Far::new(&self.hashes));
        let key = (first, identity);
        let mut known = far.known.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(key).or_insert_with(|| {
            let distance = |row: u32| {
                let ahead = u64::from(row) + u64::from(count) - u64::from(first);
                (ahead % u64::from(count)) as u32
            };
            let next_free = far.free.partition_point(|row| *row < first);
            let free =
                far.free.get(next_free).or(far.free.first()).map_or(steps, |row| distance(*row).min(steps));
            let same = far.by_identity.get(&identity).map(Vec::as_slice).unwrap_or_default();
            let mut rows: Vec<u32> = same.iter().copied().filter(|row| distance(*row) < free).collect();
            rows.sort_by_key(|row| distance(*row));
            let mut choice = Choice::default();
            for row in rows.into_iter().map(|row| row as usize) {
                if self.leads(source, &self.hashes[row]) {
                    choice.add(row, &self.hashes[row]);
                }
            }
            choice.row()
        })
    }

    /// The entry of a path, whether or not its name is listed.
    pub(crate) fn find(&self, source: &Source, path: &str) -> Option<Entry> {
        for name in spellings(path) {
            if let Some((block, locale)) = self.find_name(source, &name) {
                return Some(self.entry(&Found { block, locale, name: Some(name) }, path.to_owned()));
            }
        }
        let number = names::unnamed_number(path)?;
        let block = self.blocks.get(number as usize).filter(|block| self.is_there(source, block));
        block.map(|_| self.entry(&Found { block: number, locale: 0, name: None }, path.to_owned()))
    }

    fn entry(&self, found: &Found, path: String) -> Entry {
        let block = self.blocks.get(found.block as usize).copied().unwrap_or_default();
        Entry {
            path,
            size: block.size,
            packed: block.packed,
            offset: self.header.position(block.offset),
            id: found.block,
            locale: found.locale,
            named: found.name.is_some(),
        }
    }

    pub(crate) fn member(&self, source: &Source, entry: &Entry, limits: &Limits) -> Result<Vec<u8>> {
        let mut spellings = spellings(&entry.path).into_iter();
        let leads = |name: &Vec<u8>| self.find_name(source, name).is_some_and(|(block, _)| block == entry.id);
        let name = spellings.clone().find(leads).or_else(|| spellings.next()).filter(|_| entry.named);
        self.content(source, &entry.path, entry.id, name.as_deref(), limits, u64::MAX)
    }

    fn content(
        &self,
        source: &Source,
        label: &str,
        block: u32,
        name: Option<&[u8]>,
        limits: &Limits,
        most: u64,
    ) -> Result<Vec<u8>> {
        let block = self.blocks.get(block as usize).ok_or_else(|| Error::NotFound(label.to_owned()))?;
        Reader { source, header: &self.header, limits }.read(label, block, name, most)
    }

    /// All members, with every name that can be found.
    pub(crate) fn entries(&self, source: &Source, limits: &Limits) -> Vec<Entry> {
        let mut search = Search::new(self, source);
        if let Ok(list) = self.named(source, b"(listfile)", limits) {
            for line in list.split(|&byte| matches!(byte, b'\r' | b'\n' | b';')) {
                search.try_name(line.trim_ascii());
            }
        }
        for name in &self.extra {
            search.try_name(name);
        }
        for name in names::WELL_KNOWN {
            search.try_name(name.as_bytes());
        }
        // One budget for all searches: members may overlap, so their sizes say nothing about that of the archive.
        let mut left = limits.search;
        if search.unnamed > 0 {
            search.read_members(limits, &mut left);
        }
        let mut plain_of: HashMap<&[u8], Option<(u32, u16)>> = HashMap::new();
        let mut entries: Vec<Entry> = search
            .found
            .iter()
            .map(|found| match &found.name {
                Some(name) if found.locale == 0 => self.entry(found, path::display(name)),
                Some(name) => {
                    // Only one of several languages can have the plain path.
                    let plain = plain_of.entry(name).or_insert_with(|| self.find_name(source, name));
                    let plain = *plain == Some((found.block, found.locale));
                    let path = path::display(name);
                    let path = if plain { path } else { format!("_locale_{:04x}/{path}", found.locale) };
                    self.entry(found, path)
                }
                None => {
                    let cost = self.cost(found.block);
                    let start = match left.checked_sub(cost) {
                        Some(rest) => {
                            left = rest;
                            self.content(source, "", found.block, None, limits, 512)
                        }
                        None => Err(Error::limit("the search for names is over")),
                    };
                    let extension =
                        start.map_or("xxx", |start| names::extension(&start[..start.len().min(512)]));
                    self.entry(found, names::unnamed(found.block as usize, extension))
                }
            })
            .collect();
        entries.sort_by(|a, b| (a.id, &a.path).cmp(&(b.id, &b.path)));
        entries
    }

    /// What reading a member costs at most, in bytes.
    fn cost(&self, block: u32) -> u64 {
        self.blocks.get(block as usize).map_or(0, |block| block.size.saturating_add(block.packed))
    }

    /// The content of a member by its name.
    fn named(&self, source: &Source, name: &[u8], limits: &Limits) -> Result<Vec<u8>> {
        let label = path::display(name);
        let (block, _) = self.find_name(source, name).ok_or_else(|| Error::NotFound(label.clone()))?;
        self.content(source, &label, block, Some(name), limits, u64::MAX)
    }
}

/// Possible stored spellings of a path: with backslashes, as UTF-8 or in the single bytes of old tools.
fn spellings(path: &str) -> Vec<Vec<u8>> {
    let path = path.replace('/', "\\");
    let bytes = path.chars().map(|char| u8::try_from(char).ok()).collect::<Option<Vec<u8>>>();
    let bytes = bytes.filter(|_| !path.is_ascii());
    [Some(path.into_bytes()), bytes].into_iter().flatten().collect()
}

/// The search for the names of all members.
struct Search<'m> {
    mpq: &'m Mpq,
    source: &'m Source,
    found: Vec<Found>,
    /// Members by the identity of their names.
    by_identity: HashMap<(u32, u32), Vec<usize>>,
    unnamed: usize,
}

impl<'m> Search<'m> {
    fn new(mpq: &'m Mpq, source: &'m Source) -> Self {
        let mut search = Self { mpq, source, found: Vec::new(), by_identity: HashMap::new(), unnamed: 0 };
        if mpq.extended.is_some() {
            let blocks = (0..).zip(&mpq.blocks).filter(|(_, block)| mpq.is_there(source, block));
            search.found = blocks.map(|(block, _)| Found { block, locale: 0, name: None }).collect();
        } else {
            let mut seen = HashSet::new();
            for hash in mpq.hashes.iter().filter(|hash| mpq.leads(source, hash)) {
                let block = hash.block & BLOCK_MASK;
                let identity = (hash.name_a, hash.name_b);
                // Protectors repeat rows.
                if !seen.insert((identity, block)) {
                    continue;
                }
                search.by_identity.entry(identity).or_default().push(search.found.len());
                search.found.push(Found { block, locale: hash.locale, name: None });
            }
        }
        search.unnamed = search.found.len();
        search
    }

    fn try_name(&mut self, name: &[u8]) {
        if name.is_empty() {
            return;
        }
        let mut members = Vec::new();
        if let Some(extended) = &self.mpq.extended {
            let block = extended.find(name);
            // They are in ascending order.
            let place = |block: u32| self.found.binary_search_by_key(&block, |found| found.block).ok();
            members.extend(block.and_then(place));
        } else {
            let identity = (crypt::hash(name, Purpose::NameA), crypt::hash(name, Purpose::NameB));
            // All of them get the name, so nobody asks for them again.
            members = self.by_identity.remove(&identity).unwrap_or_default();
        }
        for index in members {
            let found = &mut self.found[index];
            if found.name.is_none() {
                found.name = Some(name.to_vec());
                self.unnamed -= 1;
            }
        }
    }

    /// Searches names in the members themselves. A name may make another member readable, so this is repeated until
    /// nothing new is found.
    fn read_members(&mut self, limits: &Limits, left: &mut u64) {
        let mut is_read = vec![false; self.found.len()];
        loop {
            let before = self.unnamed;
            for (index, is_read) in is_read.iter_mut().enumerate() {
                let found = self.found[index].clone();
                let cost = self.mpq.cost(found.block);
                if *is_read || self.unnamed == 0 || cost > *left {
                    continue;
                }
                let content =
                    self.mpq.content(self.source, "", found.block, found.name.as_deref(), limits, u64::MAX);
                // Without its key nothing was decoded.
                if !matches!(content, Err(Error::Encrypted { .. })) {
                    *left -= cost;
                }
                // The name of a member may be found later, and with it the key.
                *is_read = content.is_ok() || found.name.is_some();
                names::mentioned(&content.unwrap_or_default(), |name| self.try_name(name));
            }
            if self.unnamed == before || self.unnamed == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Archive, Options};
    use tables::flag;

    /// Builds an archive row by row, with whatever flags a test needs.
    #[derive(Default)]
    struct Builder {
        data: Vec<u8>,
        rows: Vec<(Vec<u8>, u16, Block)>,
    }

    const HEADER: usize = 32;

    impl Builder {
        /// A member in one sector, encrypted as the flags say.
        fn add(&mut self, name: &str, locale: u16, content: &[u8], flags: u32) -> &mut Self {
            let mut stored = content.to_vec();
            let offset = (HEADER + self.data.len()) as u64;
            let packed = stored.len() as u64;
            let mut block = Block { offset, packed, size: content.len() as u64, flags: flags | flag::EXISTS };
            let header = Header { sector_shift: 3, ..Header::default() };
            let source = Source::from_bytes(Vec::new());
            let reader = Reader { source: &source, header: &header, limits: &Limits::default() };
            let key = reader.key(name.as_bytes(), &block);
            if flags & flag::COMPRESS != 0 {
                let mut encoder = flate2::write::ZlibEncoder::new(vec![2], flate2::Compression::best());
                std::io::Write::write_all(&mut encoder, content).unwrap();
                let mut sector = encoder.finish().unwrap();
                let mut table = [8_u32.to_le_bytes(), (8 + sector.len() as u32).to_le_bytes()].concat();
                if block.has(flag::ENCRYPTED) {
                    crypt::encrypt(&mut table, key.wrapping_sub(1));
                    crypt::encrypt(&mut sector, key);
                }
                stored = [table, sector].concat();
                block.packed = stored.len() as u64;
            } else if block.has(flag::ENCRYPTED) {
                crypt::encrypt(&mut stored, key);
            }
            self.data.extend(stored);
            self.rows.push((name.as_bytes().to_vec(), locale, block));
            self
        }

        fn finish(&self) -> Vec<u8> {
            let free = Hash { name_a: FREE, name_b: FREE, locale: 0xFFFF, platform: 0xFFFF, block: FREE };
            let mut hashes = vec![free; 16];
            for (number, (name, locale, _)) in self.rows.iter().enumerate() {
                let mut index = crypt::hash(name, Purpose::Place) as usize % 16;
                while hashes[index].block != FREE {
                    index = (index + 1) % 16;
                }
                hashes[index] = Hash {
                    name_a: crypt::hash(name, Purpose::NameA),
                    name_b: crypt::hash(name, Purpose::NameB),
                    locale: *locale,
                    platform: 0,
                    block: number as u32,
                };
            }
            let mut hash_bytes: Vec<u8> = hashes.iter().flat_map(Hash::write).collect();
            let mut block_bytes: Vec<u8> = self.rows.iter().flat_map(|(.., block)| block.write()).collect();
            crypt::encrypt(&mut hash_bytes, crypt::hash(b"(hash table)", Purpose::Key));
            crypt::encrypt(&mut block_bytes, crypt::hash(b"(block table)", Purpose::Key));
            let hash_offset = (HEADER + self.data.len()) as u32;
            let mut bytes = b"MPQ\x1A\x20\0\0\0\0\0\0\0\0\0\x03\0".to_vec();
            for number in [hash_offset, hash_offset + 256, 16, self.rows.len() as u32] {
                bytes.extend(number.to_le_bytes());
            }
            [bytes, self.data.clone(), hash_bytes, block_bytes].concat()
        }
    }

    fn open(bytes: Vec<u8>) -> Archive {
        Archive::open(Source::from_bytes(bytes)).unwrap()
    }

    fn paths(archive: &Archive) -> Vec<&str> {
        archive.entries().iter().map(|entry| entry.path.as_str()).collect()
    }

    const SCRIPT: &[u8] = br#"call AddSpecialEffect("war3mapImported\\Fire.mdl", 0., 0.)"#;

    #[test]
    fn members_without_a_list_are_named_by_what_mentions_them() {
        let mut model = b"MDLXTEXS\x0C\x01\0\0\0\0\0\0".to_vec();
        model.extend(b"Textures\\Secret.blp\0\0\0\0");
        let encrypted = flag::ENCRYPTED | flag::ADJUSTED_KEY;
        let bytes = Builder::default()
            .add("war3map.j", 0, &SCRIPT.repeat(9), flag::COMPRESS | encrypted)
            .add("war3mapImported\\Fire.mdx", 0, &model, encrypted)
            .add("Textures\\Secret.blp", 0, &[b'B'; 3000], flag::COMPRESS | encrypted)
            .add("nobody\\names.this", 0, &[b'?'; 3000], flag::COMPRESS | encrypted)
            .add("nobody\\names.that", 0, b"MDLXVERS and so on", encrypted)
            .finish();
        let archive = open(bytes);
        let expected = [
            "war3map.j",
            "war3mapImported/Fire.mdx",
            "Textures/Secret.blp",
            "File00000003.txt",
            "File00000004.mdx",
        ];
        assert_eq!(paths(&archive), expected);
        let read = |path: &str| archive.read(&archive.find(path).unwrap()).unwrap();
        assert_eq!(read("war3map.j"), SCRIPT.repeat(9));
        assert_eq!(read("textures/secret.BLP"), [b'B'; 3000]);
        // The key of the first is found from its sector table, that of the second from how it starts.
        assert_eq!(read("File00000003.xxx"), [b'?'; 3000]);
        assert_eq!(read("File00000004.mdx"), b"MDLXVERS and so on");
        // A caller who knows the name finds the member.
        assert_eq!(read("NOBODY/names.this"), [b'?'; 3000]);
        assert!(archive.find("nobody/else").is_none());
    }

    #[test]
    fn a_list_of_the_user_names_members() {
        let bytes = Builder::default().add("nobody\\names.this", 0, b"text", flag::ENCRYPTED).finish();
        let source = Source::from_bytes(bytes.clone());
        assert!(open(bytes).entries()[0].path.starts_with("File"));
        let options = Options { names: vec!["nobody\\Names.THIS".into()], ..Options::default() };
        let archive = Archive::open_with(source, &options).unwrap();
        assert_eq!(paths(&archive), ["nobody/Names.THIS"]);
        assert_eq!(archive.read(&archive.entries()[0]).unwrap(), b"text");
    }

    #[test]
    fn false_headers_and_impossible_sizes_of_protected_maps_are_passed_over() {
        let script = SCRIPT.repeat(9);
        let archive = Builder::default().add("war3map.j", 0, &script, flag::COMPRESS).finish();
        let mut real = archive.clone();
        // Header size, archive size, version, high byte of the sector size.
        real[4..8].copy_from_slice(&0x504F_7856_u32.to_le_bytes());
        real[8..12].fill(0xEE);
        real[12..14].fill(0x55);
        real[15] = 0x77;
        let mut too_small = archive.clone();
        too_small[4..8].copy_from_slice(&8_u32.to_le_bytes());
        too_small.resize(512, 0);
        let mut outside = b"MPQ\x1A\x20\0\0\0".to_vec();
        outside.extend([0xAA; 24]);
        outside.resize(512, 0);
        let mut map = b"HM3W".to_vec();
        map.resize(512, 0);
        let map = [map, too_small, outside, real].concat();
        assert_eq!(paths(&open(map.clone())), ["war3map.j"]);
        assert_eq!(open(map).read(&open(archive).entries()[0]).unwrap(), script);
    }

    #[test]
    fn the_member_without_a_language_has_the_plain_path() {
        let bytes = Builder::default()
            .add("a.txt", 0x407, b"deutsch", 0)
            .add("a.txt", 0, b"neutral", 0)
            .add("b.txt", 0x407, b"nur deutsch", 0)
            .add("(listfile)", 0, b"a.txt\r\nb.txt", 0)
            .finish();
        let archive = open(bytes);
        assert_eq!(paths(&archive), ["_locale_0407/a.txt", "a.txt", "b.txt", "(listfile)"]);
        let read = |path: &str| archive.read(&archive.find(path).unwrap()).unwrap();
        assert_eq!(read("a.txt"), b"neutral");
        assert_eq!(read("_locale_0407/a.txt"), b"deutsch");
        assert_eq!(read("b.txt"), b"nur deutsch");
    }

    /// A table without free rows gives the same rows as one with free rows.
    #[test]
    fn names_are_found_in_a_full_table() {
        let names: Vec<String> = (0..100).map(|number| format!("unit{number}.mdx")).collect();
        let member = |name: &String| crate::NewMember {
            path: name.clone(),
            content: crate::Content::Bytes(name.clone().into_bytes()),
        };
        let members: Vec<crate::NewMember> = names.iter().map(member).collect();
        let mut out = std::io::Cursor::new(Vec::new());
        crate::create(crate::Kind::Mpq, &members, &mut out).unwrap();
        let source = Source::from_bytes(out.into_inner());
        let mut mpq = Mpq::read(&source, Vec::new()).unwrap();
        let rows =
            |mpq: &Mpq| -> Vec<_> { names.iter().map(|name| mpq.row_of(&source, name.as_bytes())).collect() };
        let before = rows(&mpq);
        assert!(before.iter().all(Option::is_some) && mpq.hashes.len() > NEAR as usize);
        for hash in mpq.hashes.iter_mut().filter(|hash| hash.block == FREE) {
            // A member that was removed.
            hash.block = 0xFFFF_FFFE;
        }
        assert_eq!(rows(&mpq), before);
        assert_eq!(mpq.row_of(&source, b"nothing"), None);
        assert!(mpq.far.get().is_some());
        // The last one without a language is used.
        let first = before[0].unwrap();
        let removed = mpq.hashes.iter().position(|hash| hash.block == 0xFFFF_FFFE).unwrap();
        mpq.hashes[removed] = Hash { locale: 0x409, ..mpq.hashes[first] };
        mpq.far = OnceLock::new();
        assert_eq!(rows(&mpq), before);
    }
}
