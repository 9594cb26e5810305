//! Detection of version and dialect.

use record::{Cursor, Error};

use crate::Dialect;
use crate::frame::{MAGIC, tag};

/// Parameters of the parser.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sniffed {
    pub(crate) version: u32,
    pub(crate) dialect: Dialect,
}

/// Version and dialect. The version numbers of the two games overlap and `VERS` need not be the first chunk. So the chunk
/// table is searched for differences: the size of `MODL`, the shape of `SEQS`, `LAYS` in `MTLS`, `HTST`.
pub(crate) fn sniff(bytes: &[u8]) -> Sniffed {
    let mut cursor = Cursor::new(bytes.get(MAGIC.len()..).unwrap_or_default());
    let mut version = None;
    let mut dialect = None;
    while let (Some(id), Some(size)) = (cursor.u32(), cursor.u32()) {
        let size = usize::try_from(size).unwrap_or(usize::MAX).min(cursor.rest().len());
        let Some(body) = cursor.take(size) else { break };
        if id == tag("VERS") && version.is_none() {
            version = Cursor::new(body).u32();
        }
        dialect = dialect.or_else(|| clue(id, body));
        if version.is_some() && dialect.is_some() {
            break;
        }
    }
    let version = version.unwrap_or(800);
    // Default: with these versions, there are files of the WoW alpha but no known file of Warcraft III.
    let guess = if matches!(version, 1300 | 1400 | 1500) { Dialect::Wow } else { Dialect::Warcraft };
    Sniffed { version, dialect: dialect.unwrap_or(guess) }
}

fn clue(id: u32, body: &[u8]) -> Option<Dialect> {
    const MODL: u32 = tag("MODL");
    const SEQS: u32 = tag("SEQS");
    const MTLS: u32 = tag("MTLS");
    const HTST: u32 = tag("HTST");
    match (id, body.len()) {
        (MODL, 372) => Some(Dialect::Warcraft),
        (MODL, 373) | (HTST, _) => Some(Dialect::Wow),
        (SEQS, size) if size > 0 => {
            let counted = Cursor::new(body).u32().and_then(|count| usize::try_from(count).ok());
            let wow = counted.and_then(|count| count.checked_mul(140)?.checked_add(4)) == Some(size);
            match (size % 132 == 0, wow) {
                (true, false) => Some(Dialect::Warcraft),
                (false, true) => Some(Dialect::Wow),
                _ => None,
            }
        }
        // Size, priority plane, flags, then the tag of the layers, with or without the name of a shader.
        (MTLS, _) => {
            let lays = |at: usize| body.get(at..).is_some_and(|rest| rest.starts_with(b"LAYS"));
            (lays(12) || lays(92)).then_some(Dialect::Warcraft)
        }
        _ => None,
    }
}

/// The error for bytes without the magic number, which names the format that they may have.
pub(crate) fn refuse(bytes: &[u8]) -> Error {
    let start = bytes.get(..4).unwrap_or(bytes);
    let end = u64::try_from(start.len()).unwrap_or_default();
    let error = |message: &str| Error::new("MDX-MAGIC", 0..end, message);
    let text = bytes.get(..64.min(bytes.len())).unwrap_or_default();
    match start {
        [] => error("the file is empty"),
        b"MD20" | b"MD21" => error("this is an M2 model of World of Warcraft, not MDX")
            .with_note("World of Warcraft replaced MDX by M2 during the alpha; use a tool for M2"),
        b"33DM" | b"43DM" => error("this is an M3 model of StarCraft II, not MDX"),
        b"IDPO" | b"IDP2" | b"IDST" => error("this is a model of a Quake engine, which shares the name MDL"),
        b"MPQ\x1a" | b"HM3W" => {
            error("this is an archive or a map, not a model").with_note("extract the model first")
        }
        b"MDLX" => error("the magic is there"),
        _ if text.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~'))
            && (text.starts_with(b"//") || text.starts_with(b"Version") || text.contains(&b'{')) =>
        {
            error("this looks like MDL text, not MDX").with_note("read it as MDL")
        }
        _ => error("not an MDX file: it does not start with MDLX")
            .with_note("it is another format, or damaged or encrypted"),
    }
}
