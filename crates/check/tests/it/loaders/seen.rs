//! What the loaders of the games see in a file, read from the bytes without our readers.
//!
//! W3D: each chunk is as long as its own size says, as in the engines' `ChunkLoadClass`; arrays are read as far as the counts of the headers
//! say. MDX: chunks and objects are as long as their sizes say.

use std::collections::HashMap;

/// Parts that a loader sees: what it is, and its bytes; with the number of such parts.
pub(crate) type Seen = HashMap<(String, Vec<u8>), usize>;

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize)
}

fn name(bytes: &[u8], at: usize, length: usize) -> String {
    let bytes = bytes.get(at..).unwrap_or_default();
    let bytes = &bytes[..length.min(bytes.len())];
    bytes.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect()
}

/// What a loader sees.
pub(crate) fn seen(bytes: &[u8]) -> Seen {
    let mut seen = Seen::new();
    if bytes.starts_with(b"MDLX") {
        mdx(bytes, &mut seen);
    } else {
        w3d(bytes, &mut seen);
    }
    seen
}

fn add(seen: &mut Seen, what: String, bytes: &[u8]) {
    *seen.entry((what, bytes.to_vec())).or_default() += 1;
}

/// Whether everything of `parts` that was in the undamaged file is among `after`; the first that is not.
pub(crate) fn lost(parts: &Seen, original: &Seen, after: &Seen) -> Option<String> {
    parts.iter().find_map(|(part, count)| {
        let wanted = original.get(part).copied().unwrap_or_default().min(*count);
        (after.get(part).copied().unwrap_or_default() < wanted).then(|| part.0.clone())
    })
}

/// Calls `see` with id, start and size of each chunk from `start` on, as an engine finds them; only the exact end stops it.
fn chunks(bytes: &[u8], start: usize, size: usize, see: &mut dyn FnMut(usize, usize, usize)) {
    let mut at = start;
    while at != start + size
        && let (Some(id), Some(word)) = (word(bytes, at), word(bytes, at + 4))
    {
        let size = word & 0x7FFF_FFFF;
        see(id, at + 8, size);
        at += 8 + size;
    }
}

/// Chunks of a mesh that hold chunks.
const HOLDERS: &[usize] =
    &[0x2A, 0x2B, 0x30, 0x31, 0x38, 0x48, 0x50, 0x51, 0x58, 0x90, 0x23, 0x24, 0x25, 0x26];

fn w3d(bytes: &[u8], seen: &mut Seen) {
    let mut at = 0;
    while let (Some(id), Some(size)) = (word(bytes, at), word(bytes, at + 4)) {
        let (start, size) = (at + 8, size & 0x7FFF_FFFF);
        match id {
            0x0 => mesh(bytes, start, size, seen),
            0x100 => {
                let mut pivots = 0;
                chunks(bytes, start, size, &mut |id, body, size| match id {
                    0x101 => pivots = word(bytes, body + 20).unwrap_or_default(),
                    0x102 => elements(bytes, body, size, pivots, 60, "pivot", seen),
                    _ => leaf(bytes, body, size, format!("hierarchy {id:#x}"), seen),
                });
            }
            0x200 | 0x280 => {
                chunks(bytes, start, size, &mut |id, body, size| {
                    leaf(bytes, body, size, format!("animation {id:#x}"), seen);
                });
            }
            0x700 => hlod(bytes, start, size, seen),
            _ => leaf(bytes, start, size, format!("chunk {id:#x}"), seen),
        }
        at = start + size;
    }
}

fn leaf(bytes: &[u8], body: usize, size: usize, what: String, seen: &mut Seen) {
    if let Some(bytes) = bytes.get(body..body.saturating_add(size)) {
        add(seen, what, bytes);
    }
}

/// Elements of an array, as many as a header says.
fn elements(bytes: &[u8], body: usize, size: usize, count: usize, each: usize, what: &str, seen: &mut Seen) {
    for index in 0..count.min(size / each) {
        let start = body + index * each;
        let Some(element) = bytes.get(start..start + each) else { return };
        add(seen, format!("{what} {index}"), element);
    }
}

fn mesh(bytes: &[u8], start: usize, size: usize, seen: &mut Seen) {
    let (mut triangles, mut vertices, mut label) = (0, 0, String::new());
    chunks(bytes, start, size, &mut |id, body, size| {
        if id == 0x1F {
            label = format!("{}.{}", name(bytes, body + 24, 16), name(bytes, body + 8, 16));
            triangles = word(bytes, body + 40).unwrap_or_default();
            vertices = word(bytes, body + 44).unwrap_or_default();
        }
        let mut array = |what: &str, count, each| {
            elements(bytes, body, size, count, each, &format!("mesh {label} {what}"), seen);
        };
        match id {
            0x2 => array("position", vertices, 12),
            0x3 => array("normal", vertices, 12),
            0xE => array("influence", vertices, 8),
            0x20 => array("triangle", triangles, 32),
            // Bounds of a mesh are values, and its counts are not.
            0x1F => leaf(bytes, body + 48, size.saturating_sub(48), format!("mesh {label} header"), seen),
            // The counts of the materials.
            0x28 | 0x91 => {}
            _ => below(bytes, id, body, size, &format!("mesh {label}"), seen),
        }
    });
}

fn below(bytes: &[u8], id: usize, body: usize, size: usize, path: &str, seen: &mut Seen) {
    let path = format!("{path}/{id:#x}");
    if HOLDERS.contains(&id) && path.len() < 200 {
        chunks(bytes, body, size, &mut |id, body, size| {
            if id != 0x91 {
                below(bytes, id, body, size, &path, seen);
            }
        });
    } else {
        leaf(bytes, body, size, path, seen);
    }
}

fn hlod(bytes: &[u8], start: usize, size: usize, seen: &mut Seen) {
    let mut levels = usize::MAX;
    let mut level = 0;
    chunks(bytes, start, size, &mut |id, body, size| match id {
        0x701 => levels = word(bytes, body + 4).unwrap_or_default(),
        0x702 | 0x705 | 0x706 => {
            level += usize::from(id == 0x702);
            if id == 0x702 && level > levels {
                return;
            }
            let (mut count, mut index) = (0, 0);
            chunks(bytes, body, size, &mut |child, body, size| match child {
                0x703 => count = word(bytes, body).unwrap_or_default(),
                0x704 if index < count => {
                    index += 1;
                    leaf(bytes, body, size, format!("HLOD {id:#x} object"), seen);
                }
                _ => {}
            });
        }
        _ => {}
    });
}

fn mdx(bytes: &[u8], seen: &mut Seen) {
    let mut at = 4;
    while let (Some(tag), Some(size)) = (bytes.get(at..at + 4), word(bytes, at + 4)) {
        let Some(body) = bytes.get(at + 8..(at + 8).saturating_add(size)) else { return };
        let tag = String::from_utf8_lossy(tag).into_owned();
        match &*tag {
            "SEQS" => records(body, 132, &tag, seen),
            "TEXS" => records(body, 268, &tag, seen),
            "GLBS" => records(body, 4, &tag, seen),
            "PIVT" => records(body, 12, &tag, seen),
            "BONE" | "HELP" | "EVTS" | "CLID" => nodes(body, &tag, seen),
            "MTLS" | "GEOS" | "GEOA" | "LITE" | "ATCH" | "PREM" | "PRE2" | "RIBB" | "CAMS" | "TXAN"
            | "CORN" => {
                objects(body, &tag, seen);
            }
            _ => add(seen, tag, body),
        }
        at += 8 + size;
    }
}

fn records(body: &[u8], each: usize, tag: &str, seen: &mut Seen) {
    for (index, record) in body.chunks_exact(each).enumerate() {
        add(seen, format!("{tag} {index}"), record);
    }
}

/// Objects that start with their size.
fn objects(body: &[u8], tag: &str, seen: &mut Seen) {
    let mut at = 0;
    while let Some(size) = word(body, at).map(|size| size & 0xFF_FFFF).filter(|size| *size >= 4) {
        let Some(object) = body.get(at + 4..at + size) else { return };
        add(seen, format!("{tag} object"), object);
        parts(object, tag, seen);
        at += size;
    }
}

/// Objects that are a node and something of another length after it; what follows is found by the next size that fits.
fn nodes(body: &[u8], tag: &str, seen: &mut Seen) {
    let mut at = 0;
    while let Some(size) = word(body, at).filter(|size| *size >= 96) {
        let Some(node) = body.get(at + 4..at.saturating_add(size)) else { return };
        add(seen, format!("{tag} node"), node);
        parts(node.get(92..).unwrap_or_default(), tag, seen);
        at += size + if tag == "BONE" { 8 } else { 0 };
        if tag == "EVTS" || tag == "CLID" {
            return;
        }
    }
}

/// Tagged arrays and tracks one after another: each key and element is a part.
fn parts(body: &[u8], path: &str, seen: &mut Seen) {
    let mut at = 0;
    while let (Some(tag), Some(count)) = (body.get(at..at + 4), word(body, at + 4)) {
        let is_track = tag[0] == b'K';
        let each = match tag {
            b"VRTX" | b"NRMS" => 12,
            b"PTYP" | b"PCNT" | b"MTGC" | b"MATS" => 4,
            b"PVTX" => 2,
            b"GNDX" => 1,
            b"UVBS" | b"SKIN" => 8,
            b"KGRT" => 20,
            b"KGTR" | b"KGSC" | b"KGAC" => 16,
            b"KGAO" | b"KMTA" | b"KMTF" | b"KATV" | b"KP2V" | b"KP2E" => 8,
            _ => return,
        };
        let tangents = is_track && word(body, at + 8).is_some_and(|interpolation| interpolation > 1);
        let each = if tangents { each + 2 * (each - 4) } else { each };
        let start = at + if is_track { 16 } else { 8 };
        let tag = String::from_utf8_lossy(tag).into_owned();
        let Some(end) = count.checked_mul(each).and_then(|length| start.checked_add(length)) else { return };
        let Some(elements) = body.get(start..end) else { return };
        for element in elements.chunks_exact(each) {
            add(seen, format!("{path} {tag}"), element);
        }
        at = end;
    }
}
