//! For any bytes: they are written back, errors have their place, and time and memory are bounded.

use std::time::{Duration, Instant};

use crate::common::{self, chunk, container, innermost, read};
use meshwright_w3d::{MAX_DEPTH, Shape, W3d, sample, table};
use proptest::prelude::*;
use record::{Body, Diagnostic, Item, LEFTOVER, Node, Severity, Type};

/// Parses, checks that the bytes come back directly and through the text form, and that every finding has its place.
fn survives(bytes: &[u8]) -> Vec<Diagnostic> {
    let Ok(file) = W3d::parse(bytes) else { return Vec::new() };
    assert_eq!(file.to_bytes().expect("nothing has grown"), bytes);
    let text = file.to_json();
    let again = W3d::from_json(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again.to_bytes().expect("nothing has grown"), bytes, "through the text form");
    let found = file.diagnostics();
    for finding in &found {
        assert!(
            finding.span.start <= finding.span.end && finding.span.end <= bytes.len() as u64,
            "{finding}"
        );
        if finding.path.is_empty() {
            assert!(finding.code.starts_with("W3D-FILE-"), "{finding}");
        } else {
            let place = file.root.find(&finding.path).unwrap_or_else(|| panic!("{finding}"));
            assert!(!place.is_empty(), "{finding}");
        }
    }
    found
}

fn quickly<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    result
}

fn codes(found: &[Diagnostic]) -> Vec<&str> {
    found.iter().map(|finding| finding.code.as_ref()).collect()
}

// Arbitrary and mutated files.

/// One change to a file.
#[derive(Clone, Debug)]
enum Change {
    Flip(usize, u8),
    Insert(usize, Vec<u8>),
    Delete(usize, usize),
    /// A size word somewhere replaced by another.
    Size(usize, u32),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let hostile = prop_oneof![
        Just(0),
        Just(1),
        Just(7),
        Just(0x7FFF_FFFF),
        Just(0x8000_0000),
        Just(0x8000_0001),
        Just(u32::MAX),
        any::<u32>(),
        0..200_u32,
        (0..200_u32).prop_map(|size| size | 0x8000_0000),
    ];
    let change = prop_oneof![
        (any::<usize>(), 1..=255_u8).prop_map(|(at, bits)| Change::Flip(at, bits)),
        (any::<usize>(), proptest::collection::vec(any::<u8>(), 1..20))
            .prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        (any::<usize>(), 1..40_usize).prop_map(|(at, count)| Change::Delete(at, count)),
        (any::<usize>(), hostile).prop_map(|(at, word)| Change::Size(at, word)),
    ];
    proptest::collection::vec(change, 1..6)
}

/// Where the headers of a file's chunks are.
fn headers(bytes: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let file = W3d::parse(bytes).expect("a sample");
    file.root.walk(&mut |place| {
        if place.node.kind.framing.header_len() == 8 {
            found.push(place.span.start);
        }
    });
    found
}

fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    let headers = headers(&bytes);
    // Size words first: the other changes move them.
    for change in changes {
        if let Change::Size(at, word) = change {
            let at = headers[at % headers.len()] + 4;
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
    }
    for change in changes {
        let length = bytes.len().max(1);
        match change {
            Change::Flip(at, bits) => bytes[at % length] ^= bits,
            Change::Insert(at, new) => {
                let at = at % length;
                bytes.splice(at..at, new.iter().copied());
            }
            Change::Delete(at, count) => {
                let at = at % length;
                let end = (at + count).min(bytes.len());
                bytes.drain(at..end);
            }
            Change::Size(..) => {}
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        survives(&bytes);
    }

    #[test]
    fn arbitrary_bytes_behind_a_chunk(
        row in any::<prop::sample::Index>(),
        size in 0..400_u32,
        bit in any::<bool>(),
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
    ) {
        let top: Vec<_> = table::CHUNKS.iter().filter(|row| row.parents.contains(&"FILE")).collect();
        let id = top[row.index(top.len())].id;
        let word = if bit { size | 0x8000_0000 } else { size };
        survives(&[&id.to_le_bytes()[..], &word.to_le_bytes(), &bytes].concat());
    }

    #[test]
    fn chunks_of_any_kind_in_any_place(ids in proptest::collection::vec((any::<prop::sample::Index>(), 0..40_u32, any::<u8>()), 1..30)) {
        // Bodies overlap as they like: each header promises some bytes, which the next headers are part of.
        let rows: Vec<_> = table::every_row().collect();
        let mut bytes = vec![0, 0, 0, 0, 0xFF, 0xFF, 0, 0x80];
        for (row, size, fill) in ids {
            bytes.extend(rows[row.index(rows.len())].id.to_le_bytes());
            bytes.extend(size.to_le_bytes());
            bytes.extend([fill; 5]);
        }
        survives(&bytes);
    }

    #[test]
    fn a_changed_crate(changes in changes()) {
        survives(&changed(sample::crate_box(), &changes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_file_of_every_chunk(changes in changes()) {
        survives(&changed(sample::every_chunk(), &changes));
    }
}

// Coverage.

/// Counts how often each byte is claimed by a header or by a field.
fn claim(ty: Type, start: usize, claims: &mut [u32]) {
    match ty {
        Type::Record(schema) => {
            schema.fields.iter().for_each(|field| claim(field.ty, start + field.offset, claims));
        }
        Type::Array(element, count) => {
            (0..count).for_each(|index| claim(*element, start + index * element.size(), claims));
        }
        scalar => claims[start..start + scalar.size()].iter_mut().for_each(|count| *count += 1),
    }
}

#[test]
fn every_byte_has_one_owner() {
    for bytes in [sample::every_chunk(), sample::crate_box()] {
        let file = W3d::parse(&bytes).expect("a sample");
        assert_eq!(file.diagnostics(), []);
        let mut claims = vec![0_u32; bytes.len()];
        file.root.walk(&mut |place| {
            let node = place.node;
            assert!(!node.is(&LEFTOVER) && !node.kind.name.is_empty(), "{}", place.path());
            claims[place.span.start..place.body_start()].iter_mut().for_each(|count| *count += 1);
            let Body::Leaf(body) = &node.body else { return };
            assert!(!node.kind.branch, "{}: kept as bytes", place.path());
            if node.kind.slots.is_empty() {
                claims[place.body_start()..place.span.end].iter_mut().for_each(|count| *count += 1);
                return;
            }
            let mut slots = node.slots();
            for part in slots.by_ref() {
                let size = part.slot.item.size();
                for index in (0..part.bytes.len()).step_by(size) {
                    let start = place.body_start() + part.start + index;
                    match part.slot.item {
                        Item::Value(ty) => claim(ty, start, &mut claims),
                        Item::Text | Item::Plain | Item::Pieces(_) | Item::Raw => claims[start] += 1,
                    }
                }
            }
            assert!(slots.rest().is_empty(), "{} of {} bytes", place.path(), body.len());
        });
        let wrong = claims.iter().position(|count| *count != 1);
        assert_eq!(wrong, None, "a byte with no owner, or with two");
    }
}

#[test]
fn the_file_of_every_chunk_has_every_chunk() {
    let bytes = sample::every_chunk();
    let file = W3d::parse(&bytes).expect("a sample");
    let mut seen = std::collections::HashSet::new();
    file.root.walk(&mut |place| {
        seen.insert(place.node.kind.name);
    });
    // Parts that a sibling's value excludes here have separate fixtures.
    let elsewhere = ["BUMPDIFF_VARIABLES", "BUMPSPEC_VARIABLES"];
    for row in table::every_row().filter(|row| !row.parents.iter().any(|parent| elsewhere.contains(parent))) {
        assert!(seen.contains(row.kind.name) || elsewhere.contains(&row.kind.name), "{}", row.kind.name);
    }
}

// Damage.

#[test]
fn cut_off_anywhere() {
    let bytes = sample::crate_box();
    for length in 0..bytes.len() {
        let cut = &bytes[..length];
        if (1..8).contains(&length) {
            let error = W3d::parse(cut).expect_err("no header fits");
            assert_eq!(error.diagnostic().code, "W3D-FILE-004");
            continue;
        }
        let found = survives(cut);
        let file = W3d::parse(cut).expect("the start of a crate");
        // Only where it ends between two chunks of the file nothing is missing.
        let whole = file.root.children().iter().all(|child| !child.is(&LEFTOVER) && child.size_delta == 0);
        assert_eq!(found.is_empty(), whole && length > 0, "{length}: {found:?}");
    }
    let bytes = sample::every_chunk();
    for length in (8..bytes.len()).step_by(37) {
        survives(&bytes[..length]);
    }
}

/// The same file with the top bit of some chunks' sizes changed.
fn with_bits(bytes: &[u8], choose: impl Fn(&Node<'_>) -> bool) -> (Vec<u8>, usize) {
    let mut changed = bytes.to_vec();
    let mut count = 0;
    let file = W3d::parse(bytes).expect("a sample");
    file.root.walk(&mut |place| {
        if place.node.kind.framing.header_len() == 8 && choose(place.node) {
            changed[place.span.start + 7] ^= 0x80;
            count += 1;
        }
    });
    (changed, count)
}

#[test]
fn containers_without_their_bit() {
    for bytes in [sample::crate_box(), sample::every_chunk()] {
        let holds_chunks = |node: &Node<'_>| {
            let row = table::row_of(node.kind);
            row.is_some_and(|row| !matches!(row.shape, Shape::Leaf | Shape::Micro(_)))
                && !node.children().is_empty()
        };
        let (old, count) = with_bits(&bytes, holds_chunks);
        assert!(count > 10);
        let found = survives(&old);
        assert_eq!(found.len(), count);
        for finding in &found {
            assert_eq!((finding.code.as_ref(), finding.severity), ("W3D-FRAME-002", Severity::Info));
        }
        // The table knows better: the tree is the same.
        let (before, after) = (W3d::parse(&bytes).expect("a sample"), W3d::parse(&old).expect("a sample"));
        let names = |file: &W3d<'_>| {
            let mut names = Vec::new();
            file.root.walk(&mut |place| names.push(place.path()));
            names
        };
        assert_eq!(names(&before), names(&after));
    }
}

#[test]
fn strings_with_the_bit_of_containers() {
    // BFME II (docs/formats/w3d/framing.md#the-container-bit). The texts divide into chunks by chance: "\0\0\0\0" and a size of zero.
    for id in [0x2C, 0x2E, 0x2F] {
        for text in [&b"Wood\0"[..], b"", &[0; 8]] {
            let bytes = common::wrap(&[0x0, 0x2A, 0x2B], container(id, text));
            let file = read(&bytes);
            let node =
                file.root.children()[0].children()[0].children()[0].children().first().expect("a string");
            assert_eq!(node.bytes(), text);
            let found = survives(&bytes);
            assert_eq!(codes(&found), ["W3D-FRAME-003"]);
            assert_eq!(found[0].severity, Severity::Info);
            // The header of the string: after three headers of eight bytes.
            assert_eq!(found[0].span, 24..32);
        }
    }
}

#[test]
fn unknown_ids_go_by_their_bit_if_they_divide() {
    let inner = chunk(0x7777, &[1, 2]);
    let bytes = container(0x0, &container(0x8888, &[inner.clone(), inner.clone()].concat()));
    let file = read(&bytes);
    let stranger = &file.root.children()[0].children()[0];
    assert_eq!((stranger.id, stranger.children().len()), (0x8888, 2));
    assert_eq!(codes(&survives(&bytes)), ["W3D-PART-001"; 3]);
    assert_eq!(survives(&bytes)[1].path, "MESH[0]/0x00008888[0]/0x00007777[0]");
    // One byte too many, and it is bytes.
    let bytes = container(0x0, &container(0x8888, &[&inner[..], &[0]].concat()));
    assert_eq!(read(&bytes).root.children()[0].children()[0].bytes().len(), 11);
    // Without the bit it is bytes, even if it would divide.
    let bytes = container(0x0, &chunk(0x8888, &inner));
    assert_eq!(read(&bytes).root.children()[0].children()[0].bytes(), inner);
}

#[test]
fn a_child_that_overruns_its_parent() {
    // The child says 100 bytes; its parent has 12 left, and the file goes on after it.
    let child = [&2_u32.to_le_bytes()[..], &100_u32.to_le_bytes(), &[7; 12]].concat();
    let bytes = [container(0x0, &child), container(0x100, &chunk(0x104, &[1]))].concat();
    let found = quickly(|| survives(&bytes));
    assert_eq!(codes(&found), ["W3D-FRAME-001"]);
    assert_eq!((found[0].path.as_str(), found[0].span.clone()), ("MESH[0]/VERTICES[0]", 8..16));
    assert!(
        found[0].message.contains("100 bytes") && found[0].message.contains("only 12 are there"),
        "{}",
        found[0]
    );
    assert_eq!(found[0].severity, Severity::Error);
    let file = read(&bytes);
    assert_eq!(file.root.children().len(), 2, "what follows the parent is read");
    // An unknown child that overruns is not a chunk: its bytes are left over.
    let child = [&0x7777_u32.to_le_bytes()[..], &100_u32.to_le_bytes(), &[7; 12]].concat();
    let found = survives(&container(0x0, &child));
    assert_eq!(codes(&found), ["W3D-FRAME-010"]);
    assert_eq!((found[0].path.as_str(), found[0].span.clone()), ("MESH[0]/LEFTOVER[0]", 8..28));
}

/// The bytes of an HLOD with two objects whose size field is `short` too small.
fn short_hlod(short: u32) -> Vec<u8> {
    let object = chunk(0x704, &[0; 36]);
    let header = chunk(0x703, &[2, 0, 0, 0, 0, 0, 0, 0]);
    let level = container(0x702, &[header, object.clone(), object].concat());
    let mut hlod = container(0x700, &[chunk(0x701, &[0; 40]), level].concat());
    let word = u32::from_le_bytes([hlod[4], hlod[5], hlod[6], hlod[7]]) - short;
    hlod[4..8].copy_from_slice(&word.to_le_bytes());
    hlod
}

#[test]
fn a_parent_that_is_too_short_for_its_last_child_is_read_whole() {
    // 44: the declared end is where an object starts, so that what follows it divides, but belongs to no file.
    for short in [1, 44, 45, 88] {
        for after in [Vec::new(), chunk(0x100, &[]), chunk(0x0, &[])] {
            let bytes = [chunk(0x0, &[]), short_hlod(short), after.clone()].concat();
            let found = quickly(|| survives(&bytes));
            assert_eq!(codes(&found), ["W3D-FRAME-004"], "{short}");
            assert_eq!((found[0].path.as_str(), found[0].severity), ("HLOD[0]", Severity::Warning));
            assert!(found[0].message.contains(&format!("{short} bytes too small")), "{}", found[0]);
            let file = read(&bytes);
            assert_eq!(file.root.children().len(), 2 + usize::from(!after.is_empty()));
            let level = file.root.find("HLOD/HLOD_LOD_ARRAY").expect("a level");
            assert_eq!((level.children().len(), level.size_delta), (3, 0));
        }
    }
    // Chunks that only an HLOD can hold are its own, even after the child that overran.
    let proxies = container(0x706, &chunk(0x703, &[0; 8]));
    let bytes = [short_hlod(44), proxies, chunk(0x100, &[])].concat();
    let file = read(&bytes);
    assert_eq!((file.root.children().len(), file.root.children()[0].children().len()), (2, 3));
    survives(&bytes);
}

#[test]
fn a_file_of_nothing_but_wrong_sizes_is_read_in_time() {
    let pair = [0_u32, 8 | 0x8000_0000, 0x1F, 100_000].map(u32::to_le_bytes).concat();
    let bytes = pair.repeat(100_000);
    let file = quickly(|| W3d::parse(&bytes).expect("meshes"));
    assert_eq!(file.to_bytes().expect("nothing has grown"), bytes);
    assert_eq!(file.root.children().len(), 100_000);
}

#[test]
fn junk_at_the_end() {
    for junk in [&[0][..], &[1, 2, 3], &[0xFF; 7], &[0xFF; 40]] {
        let clean = sample::crate_box();
        let bytes = [&clean[..], junk].concat();
        let found = survives(&bytes);
        assert_eq!(codes(&found), ["W3D-FRAME-010"]);
        assert_eq!(found[0].span, clean.len() as u64..bytes.len() as u64);
        assert_eq!(found[0].path, "LEFTOVER[0]");
    }
}

#[test]
fn nested_ten_thousand_deep() {
    // An unknown id, a known container in itself, and one with a record before its children.
    for (id, prefix) in [(0x9999_u32, 0), (0x0, 0), (0x58, 20)] {
        let step = 8 + prefix;
        let total = 10_000 * step;
        let level = |index: usize| {
            let size = (total - index * step - 8) as u32 | 0x8000_0000;
            [&id.to_le_bytes()[..], &size.to_le_bytes(), &vec![0; prefix]].concat()
        };
        let bytes = container(0x0, &(0..10_000).flat_map(level).collect::<Vec<_>>());
        let found = quickly(|| survives(&bytes));
        assert!(!found.is_empty() && found.len() < 2 * MAX_DEPTH + 10, "{}", found.len());
        let file = W3d::parse(&bytes).expect("a mesh");
        let mut deepest = 0;
        file.root.walk(&mut |place| deepest = deepest.max(place.depth()));
        assert!(deepest <= MAX_DEPTH + 2, "{deepest}");
    }
}

#[test]
fn sizes_that_cannot_be() {
    for (word, severity) in
        [(0x7FFF_FFFF_u32, Severity::Error), (u32::MAX, Severity::Error), (0xFFFF_FFF0, Severity::Error)]
    {
        for id in [0x0_u32, 0x740, 0x741, 0x100] {
            // Twenty bytes in all.
            let bytes = [&id.to_le_bytes()[..], &word.to_le_bytes(), &[0; 12]].concat();
            let found = quickly(|| survives(&bytes));
            let first = &found[0];
            assert_eq!(
                (first.code.as_ref(), first.severity),
                ("W3D-FRAME-001", severity),
                "{id:#x} {word:#x}"
            );
            assert_eq!(first.span, 0..8);
            assert!(first.path.ends_with("[0]"), "{first}");
        }
    }
    // Inside.
    let bytes = container(0x0, &[&0x20_u32.to_le_bytes()[..], &[0xFF; 4], &[0; 64]].concat());
    let found = quickly(|| survives(&bytes));
    assert_eq!((codes(&found), found[0].path.as_str()), (vec!["W3D-FRAME-001"], "MESH[0]/TRIANGLES[0]"));
}

#[test]
fn counts_that_cannot_be() {
    // Every count that a body states is as large as it can be; nothing is allocated for it, and nothing is claimed twice.
    for (parents, id, length) in [
        (&[0x0, 0x50, 0x51][..], 0x53, 30),
        (&[0x200], 0x202, 40),
        (&[0x200], 0x203, 20),
        (&[0x280], 0x282, 40),
        (&[0x280], 0x283, 40),
        (&[0x280], 0x284, 60),
        (&[0x420], 0x423, 70),
        (&[0x500], 0x502, 30),
        (&[0x500], 0x505, 90),
        (&[0x600], 0x602, 120),
        (&[0x600], 0x603, 1600),
    ] {
        for fill in [0xFF, 0x7F, 0x01] {
            let bytes = common::wrap(parents, chunk(id, &vec![fill; length]));
            quickly(|| survives(&bytes));
            let file = W3d::parse(&bytes).expect("a file");
            if let Some(channel) = meshwright_w3d::codec::decode(innermost(&file)) {
                let mut out = Vec::new();
                quickly(|| channel.values.sample(1.5, &mut out));
                assert!(out.len() <= 0xFFFF, "{}", out.len());
            }
        }
    }
}

#[test]
fn a_million_bytes_of_tiny_chunks() {
    // Unknown chunks, each with a finding: all equal, and all different.
    let same: Vec<u8> = chunk(0x7777, &[]).repeat(60_000);
    let different: Vec<u8> = (0..60_000_u32).flat_map(|index| chunk(0x10_0000 + index, &[])).collect();
    for tiny in [same, different] {
        let bytes = container(0x0, &tiny);
        let found = quickly(|| W3d::parse(&bytes).expect("a mesh").diagnostics());
        assert_eq!(found.len(), record::MAX_DIAGNOSTICS);
        assert_eq!(found[9_998].span.end, 8 + 8 * 9_999);
        assert!(found[9_999].message.ends_with("; 50000 more findings are not listed"), "{:?}", found[9_999]);
    }
}

#[test]
fn millions_of_micro_chunks_stay_bytes() {
    let file = |count: usize| container(0x741, &container(2, &chunk(0x0315_0809, &[1, 0].repeat(count))));
    for (count, parts) in [(1_000, 1_000), (2_000_000, 0)] {
        let bytes = file(count);
        let parsed = W3d::parse(&bytes).unwrap();
        let keys = parsed.root.find("SPHERE/COLOR_CHANNEL/VARIABLES").unwrap();
        assert_eq!(keys.children().len(), parts);
        assert_eq!(parsed.to_bytes().unwrap(), bytes);
        let again = W3d::from_json(&parsed.to_json()).unwrap();
        assert_eq!(again.to_bytes().unwrap(), bytes);
    }
}
