//! Safe repairs do no harm, whatever the damage: a reader that knows nothing of ours reaches afterwards all that it reached before, doing it
//! again changes nothing, and damage that remains is still found.
//!
//! The reader of W3D trusts each chunk's own size, as the engines' `ChunkLoadClass` does. The reader of MDX goes from chunk to chunk and
//! takes what stands in them in order, as the JavaScript readers do.

use meshwright_check::{Document, FixLevel, Severity, fix};
use proptest::prelude::*;
use w3d::records::VertexInfluence;

use super::{as_text_mode, as_utf8, node, rich};

/// The data that a reader reaches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reached {
    objects: usize,
    meshes: usize,
    triangles: usize,
    keys: usize,
}

impl Reached {
    /// Whether nothing is missing of what there was before.
    fn holds(&self, before: &Self) -> bool {
        self.objects >= before.objects
            && self.meshes >= before.meshes
            && self.triangles >= before.triangles
            && self.keys >= before.keys
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// What the engine of Generals reaches in a W3D file: a chunk is as long as its own size says, whatever the chunk above it says, and a
/// container ends where its size is reached exactly or the file ends.
fn reached_in_w3d(bytes: &[u8]) -> Reached {
    let mut reached = Reached::default();
    let mut at = 0;
    while let (Some(id), Some(size)) = (word(bytes, at), word(bytes, at + 4)) {
        let (start, size) = (at + 8, (size & 0x7FFF_FFFF) as usize);
        let mut end = start + size;
        match id {
            0x0 => {
                end = children(bytes, start, size, &mut |id, body, size| {
                    // Zeros look like empty meshes; a mesh has a header.
                    reached.meshes += usize::from(id == 0x1F && size == 116 && body + size <= bytes.len());
                    if id == 0x20 {
                        reached.triangles += bytes.len().saturating_sub(body).min(size) / 32;
                    }
                    body + size
                });
            }
            0x700 => {
                end = children(bytes, start, size, &mut |id, body, size| match id {
                    0x702 | 0x705 | 0x706 => children(bytes, body, size, &mut |id, body, size| {
                        reached.objects += usize::from(id == 0x704 && body + size <= bytes.len());
                        body + size
                    }),
                    _ => body + size,
                });
            }
            0x200 | 0x280 => {
                end = children(bytes, start, size, &mut |id, body, size| {
                    let there = bytes.len().saturating_sub(body).min(size);
                    reached.keys += if matches!(id, 0x202 | 0x282 | 0x284) { there } else { 0 };
                    body + size
                });
            }
            _ => {}
        }
        // Closing a chunk seeks to its end, but never back.
        at = end.max(start + size);
    }
    reached
}

/// Calls `see` with id, start and size of each child; returns where the last ends.
fn children(
    bytes: &[u8],
    start: usize,
    size: usize,
    see: &mut dyn FnMut(u32, usize, usize) -> usize,
) -> usize {
    let mut at = start;
    // The position counts children by their declared sizes, and only the exact end stops it.
    while at != start + size
        && let (Some(id), Some(word)) = (word(bytes, at), word(bytes, at + 4))
    {
        let size = (word & 0x7FFF_FFFF) as usize;
        at = see(id, at + 8, size).max(at + 8 + size);
    }
    at
}

/// What a reader reaches in an MDX file of version 800 that goes by the sizes of chunks and by the counts of arrays, and takes a size of
/// a geoset only to know where the last one ends.
fn reached_in_mdx(bytes: &[u8]) -> Reached {
    let mut reached = Reached::default();
    let mut at = 4;
    while let (Some(tag), Some(size)) = (bytes.get(at..at + 4), word(bytes, at + 4)) {
        let end = (at + 8).saturating_add(size as usize).min(bytes.len());
        let body = &bytes[(at + 8).min(end)..end];
        match tag {
            b"GEOS" => geosets(body, &mut reached),
            b"BONE" | b"HELP" => nodes(body, if tag == b"BONE" { 8 } else { 0 }, &mut reached),
            _ => {}
        }
        at = end;
    }
    reached
}

fn geosets(body: &[u8], reached: &mut Reached) {
    let mut at = 0;
    // The size is skipped: what stands in a geoset says how long it is.
    while at + 4 < body.len() {
        let Some((length, indices)) = geoset(&body[at + 4..]) else { return };
        reached.meshes += 1;
        reached.triangles += indices / 3;
        at += 4 + length;
    }
}

/// The length of a geoset and the number of its indices.
fn geoset(body: &[u8]) -> Option<(usize, usize)> {
    let (mut at, mut indices) = (0, 0);
    let array = |at: usize, tag: &[u8], size: usize| {
        (body.get(at..at + 4)? == tag).then_some(())?;
        let count = word(body, at + 4)? as usize;
        let end = (at + 8).checked_add(count.checked_mul(size)?).filter(|end| *end <= body.len())?;
        Some((end, count))
    };
    for (tag, size) in [
        (b"VRTX", 12),
        (b"NRMS", 12),
        (b"PTYP", 4),
        (b"PCNT", 4),
        (b"PVTX", 2),
        (b"GNDX", 1),
        (b"MTGC", 4),
        (b"MATS", 4),
    ] {
        let (end, count) = array(at, tag, size)?;
        indices = if tag == b"PVTX" { count } else { indices };
        at = end;
    }
    at += 12 + 28;
    let extents = word(body, at)? as usize;
    at = (at + 4).checked_add(extents.checked_mul(28)?)?;
    let (end, sets) = array(at, b"UVAS", 0)?;
    at = end;
    for _ in 0..sets {
        at = array(at, b"UVBS", 8)?.0;
    }
    Some((at, indices))
}

/// Nodes of `BONE` and `HELP`: a size, 92 bytes, tracks, and so many bytes more.
fn nodes(body: &[u8], more: usize, reached: &mut Reached) {
    let mut index = 0;
    while let Some(size) = word(body, index).map(|size| size as usize).filter(|size| *size >= 96) {
        let Some(node) = index.checked_add(size).and_then(|end| body.get(index + 96..end)) else { return };
        reached.objects += 1;
        let mut track = 0;
        while let (Some(tag), Some(count), Some(interpolation)) =
            (node.get(track..track + 4), word(node, track + 4), word(node, track + 8))
        {
            let value = if tag == b"KGRT" { 16 } else { 12 };
            let key = 4 + value * if interpolation > 1 { 3 } else { 1 };
            let Some(end) = (count as usize).checked_mul(key).and_then(|keys| keys.checked_add(track + 16))
            else {
                return;
            };
            if end > node.len() {
                break;
            }
            reached.keys += count as usize;
            track = end;
        }
        index += size + more;
    }
}

fn reached(bytes: &[u8]) -> Reached {
    if bytes.starts_with(b"MDLX") { reached_in_mdx(bytes) } else { reached_in_w3d(bytes) }
}

/// The loop of `--fix` on the command line: repairs until nothing changes.
fn repaired(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..8 {
        let Ok(mut document) = Document::parse(&bytes) else { break };
        if fix(&mut document, &[], FixLevel::Safe).is_empty() {
            break;
        }
        bytes = document.to_bytes().expect("repairs fit their sizes");
    }
    bytes
}

fn errors(bytes: &[u8]) -> usize {
    let found = match Document::parse(bytes) {
        Ok(document) => document.diagnostics(),
        Err(_) => return 1,
    };
    found.iter().filter(|finding| finding.severity == Severity::Error).count()
}

/// Checks that repairing these bytes does no harm. Whether the repair gave back the original is for the caller.
fn is_harmless(bytes: &[u8]) -> Vec<u8> {
    let after = repaired(bytes);
    let (before_reached, after_reached) = (reached(bytes), reached(&after));
    assert!(after_reached.holds(&before_reached), "{before_reached:?} became {after_reached:?}");
    assert_eq!(repaired(&after), after, "a second repair changes something");
    after
}

fn samples() -> Vec<Vec<u8>> {
    let mdx =
        mdx::build::samples().into_iter().filter(|(name, _)| *name == "warcraft-800").map(|(_, bytes)| bytes);
    [w3d::sample::crate_box(), rich::document().to_bytes().expect("a file")].into_iter().chain(mdx).collect()
}

#[test]
fn the_readers_reach_what_the_samples_hold() {
    let all: Vec<_> = samples().iter().map(|bytes| reached(bytes)).collect();
    assert!(
        all.iter().all(|reached| reached.meshes > 0 && reached.triangles > 0 && reached.objects > 0),
        "{all:?}"
    );
    assert!(all.iter().all(|reached| reached.keys > 0), "{all:?}");
    for (bytes, reached) in samples().iter().zip(&all) {
        let document = Document::parse(bytes).expect("a sample");
        let triangles = match &document {
            Document::W3d(file) => file.meshes().map(|mesh| mesh.triangles().len()).sum::<usize>(),
            Document::Mdx(file) => file.view().geosets().map(|geoset| geoset.faces().len() / 3).sum(),
            _ => panic!("a sample of another family"),
        };
        assert_eq!(reached.triangles, triangles);
    }
}

/// A parent whose size is too small is enlarged, and the file is as it was.
#[test]
fn a_size_that_is_too_small_is_restored() {
    for bytes in samples().into_iter().filter(|bytes| !bytes.starts_with(b"MDLX")) {
        let mut at = 0;
        while let (Some(id), Some(size)) = (word(&bytes, at), word(&bytes, at + 4)) {
            if id == 0x700 {
                let mut damaged = bytes.clone();
                damaged[at + 4..at + 8].copy_from_slice(&(size - 44).to_le_bytes());
                assert_eq!(is_harmless(&damaged), bytes);
            }
            at += 8 + (size & 0x7FFF_FFFF) as usize;
        }
    }
}

#[test]
fn a_file_that_was_cut_off_keeps_its_findings() {
    for bytes in samples() {
        for percent in 5..100 {
            let cut = &bytes[..bytes.len() * percent / 100];
            let after = is_harmless(cut);
            assert_eq!(errors(&after) > 0, errors(cut) > 0, "{percent} %");
        }
    }
}

/// A tag that was damaged is skipped by loaders, which see the chunks after it: the chunk before must not swallow them. The tail of the file is out of
/// step, so that the chunks up to there would not fit.
#[test]
fn a_chunk_does_not_swallow_what_follows_a_damaged_tag() {
    let mut bytes = samples().pop().expect("an MDX sample");
    let find = |bytes: &[u8], tag: &[u8]| bytes.windows(4).position(|word| word == tag).expect("a chunk");
    let geoset_animations = find(&bytes, b"GEOA");
    bytes.insert(geoset_animations, 0);
    for tag in [b"MTLS", b"RIBB"] {
        let at = find(&bytes, tag);
        bytes[at] = 0;
    }
    is_harmless(&bytes);
}

/// A chunk of weights whose size covers the chunks after it has more weights than the mesh has vertices. The others are no weights.
#[test]
fn weights_that_are_no_weights_are_not_scaled() {
    let mut document = rich::document();
    let path = "MESH[2]/VERTEX_INFLUENCES";
    let mut weights = node(&mut document, path).values::<VertexInfluence>().to_vec();
    weights.push(VertexInfluence { weight: [30, 30].map(record::U16::new), ..weights[0] });
    node(&mut document, path).set_values(&weights);
    let bytes = document.to_bytes().expect("a file");
    let mut after = Document::parse(&repaired(&bytes)).expect("a model").into_owned();
    assert_eq!(node(&mut after, path).values::<VertexInfluence>().last(), weights.last());
}

#[test]
fn files_taken_for_text_do_not_get_worse() {
    for bytes in samples() {
        is_harmless(&as_text_mode(&bytes));
        is_harmless(&as_utf8(&bytes));
        is_harmless(String::from_utf8_lossy(&bytes).as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn random_damage_does_not_get_worse(
        sample in 0_usize..3,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..4), 1..6),
    ) {
        let mut bytes = samples().swap_remove(sample);
        for (index, byte, kind) in changes {
            let index = index.index(bytes.len());
            match kind {
                0 => bytes[index] = byte,
                // Sizes and counts are words, and most are small.
                1 => {
                    let index = index / 4 * 4;
                    if let Some(word) = bytes.get_mut(index..).and_then(|rest| rest.first_chunk_mut()) {
                        *word = u32::from_le_bytes(*word).wrapping_add(u32::from(byte)).wrapping_sub(128).to_le_bytes();
                    }
                }
                2 => bytes.insert(index, byte),
                _ => drop(bytes.remove(index)),
            }
        }
        is_harmless(&bytes);
    }
}
