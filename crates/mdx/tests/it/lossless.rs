//! Any input is written back byte for byte: samples, damaged samples, anything that starts with the magic number.

use meshwright_mdx::build::samples;
use meshwright_mdx::{Dialect, Document};
use proptest::prelude::*;
use record::{Body, LEFTOVER, Node};

/// Bytes and text form come back, and reading the written bytes gives the same tree.
fn check(bytes: &[u8]) {
    let document = Document::parse(bytes).unwrap();
    assert!(document.to_bytes().unwrap() == bytes, "{bytes:02x?}");
    let text = document.to_json();
    let back = Document::from_json(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(back.to_bytes().unwrap() == bytes, "{text}");
    assert_eq!(back.to_json(), text);
    // Looking at it must not panic either.
    drop(document.diagnostics());
    look(&document);
}

/// Calls every view.
fn look(document: &Document<'_>) {
    let model = document.view();
    let mut seen = model.header().map_or(0, |header| header.name.text().len());
    seen += model.sequences().count() + model.global_sequences().len() + model.textures().len();
    for material in model.materials() {
        seen += usize::from(material.shader().is_some());
        for layer in material.layers() {
            seen +=
                layer.textures().count() + layer.tracks().map(|track| track.keys().count()).sum::<usize>();
        }
    }
    for geoset in model.geosets() {
        seen += geoset.groups().map(<[_]>::len).sum::<usize>() + geoset.face_groups().count();
        seen +=
            geoset.skin().len() + geoset.wide_skin().len() + geoset.extents().len() + geoset.tangents().len();
        for vertex in 0..geoset.vertex_count().min(8) {
            seen += usize::from(geoset.position(vertex).is_some())
                + usize::from(geoset.coordinates(0, vertex).is_some());
        }
    }
    for node in model.nodes() {
        seen += node.tracks().map(|track| track.keys().count() + track.integers().count()).sum::<usize>();
        seen += usize::from(node.light().is_some()) + usize::from(node.shape().is_some());
        seen += usize::from(node.emitter_2().is_some()) + usize::from(node.attachment().is_some());
        seen += node.event_times().len() + usize::from(model.pivot(&node).is_some());
    }
    seen +=
        model.cameras().count() + model.bind_poses().len() + usize::from(model.collision_mesh().is_some());
    std::hint::black_box(seen);
}

#[test]
fn samples_come_back() {
    let names: Vec<_> = samples().iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), 8, "{names:?}");
    for (name, bytes) in samples() {
        let document = Document::parse(&bytes).unwrap();
        let (game, version) = name.split_once('-').unwrap();
        assert_eq!(document.version.to_string(), version);
        assert_eq!(document.dialect, if game == "wow" { Dialect::Wow } else { Dialect::Warcraft });
        assert_eq!(document.diagnostics(), [], "{name}");
        check(&bytes);
    }
}

/// Every byte of a well-formed file belongs to a slot or to a header: nothing is kept merely as bytes.
#[test]
fn every_byte_of_a_sample_is_claimed() {
    fn claim(node: &Node<'_>, claimed: &mut usize) {
        *claimed += node.kind.framing.header_len();
        assert!(!node.is(&LEFTOVER) && !node.kind.name.is_empty());
        assert_eq!(node.size_delta, 0, "{}", node.kind.name);
        match &node.body {
            Body::Branch(children) => children.iter().for_each(|child| claim(child, claimed)),
            Body::Leaf(_) => {
                let mut slots = node.slots();
                *claimed += slots.by_ref().map(|part| part.bytes.len()).sum::<usize>();
                assert_eq!(slots.rest(), b"", "{}", node.kind.name);
            }
        }
    }
    for (name, bytes) in samples() {
        let document = Document::parse(&bytes).unwrap();
        let mut claimed = 0;
        claim(&document.root, &mut claimed);
        assert_eq!(claimed, bytes.len(), "{name}");
    }
}

#[test]
fn a_file_cut_anywhere_comes_back() {
    for (_, bytes) in samples() {
        for length in 4..bytes.len() {
            let document = Document::parse(&bytes[..length]).unwrap();
            assert!(document.to_bytes().unwrap() == bytes[..length], "cut at {length}");
        }
    }
}

/// Every word of a sample is replaced by counts that would exhaust the memory if they were believed.
#[test]
fn hostile_counts_cost_nothing() {
    for (_, bytes) in samples() {
        for at in (4..bytes.len() - 4).step_by(4) {
            for hostile in [0xFFFF_FFFF_u32, 0x2000_0000, 0x7FFF_FFFF, 0] {
                let mut bytes = bytes.clone();
                bytes[at..at + 4].copy_from_slice(&hostile.to_le_bytes());
                let document = Document::parse(&bytes).unwrap();
                assert!(document.to_bytes().unwrap() == bytes, "{hostile:#x} at {at}");
            }
        }
    }
}

#[test]
fn what_is_not_ours_is_refused_with_a_reason() {
    for (bytes, reason) in [
        (&b""[..], "empty"),
        (b"MD", "start with MDLX"),
        (b"MD20\x08\x01\0\0", "M2"),
        (b"MD21\x08\x01\0\0", "M2"),
        (b"33DM", "M3"),
        (b"// made by hand\nVersion {\n\tFormatVersion 800,\n}\n", "MDL text"),
        (b"MDXM\0\0\0\0", "start with MDLX"),
        (b"MPQ\x1a", "archive"),
    ] {
        let error = Document::parse(bytes).unwrap_err().to_string();
        assert!(error.contains(reason) && error.contains("MDX-MAGIC"), "{error}");
    }
}

fn magic_and(bytes: impl Strategy<Value = Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    bytes.prop_map(|bytes| [b"MDLX", bytes.as_slice()].concat())
}

/// Chunks with tags of ours and bodies of anything.
fn chunks() -> impl Strategy<Value = Vec<u8>> {
    let chunk = (
        0..meshwright_mdx::CHUNKS.len(),
        proptest::collection::vec(any::<u8>(), 0..80),
        prop::option::of(any::<u32>()),
    );
    magic_and(proptest::collection::vec(chunk, 0..6).prop_map(|chunks| {
        let mut bytes = Vec::new();
        for (row, body, size) in chunks {
            bytes.extend(meshwright_mdx::CHUNKS[row].tag.to_le_bytes());
            bytes.extend(size.unwrap_or(body.len() as u32).to_le_bytes());
            bytes.extend(body);
        }
        bytes
    }))
}

proptest! {
    #[test]
    fn anything_comes_back(bytes in magic_and(proptest::collection::vec(any::<u8>(), 0..400))) {
        check(&bytes);
    }

    #[test]
    fn chunks_of_anything_come_back(bytes in chunks()) {
        check(&bytes);
    }

    #[test]
    fn damaged_samples_come_back(
        sample in 0..8_usize,
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in prop::option::of((any::<prop::sample::Index>(), 0..9_usize)),
        words in proptest::collection::vec((any::<prop::sample::Index>(), 0..200_u32), 0..4),
    ) {
        let (_, mut bytes) = samples().swap_remove(sample);
        for (index, value) in damage {
            let index = 4 + index.index(bytes.len() - 4);
            bytes[index] = value;
        }
        for (index, value) in words {
            let index = 4 + index.index(bytes.len() - 8);
            bytes[index..index + 4].copy_from_slice(&value.to_le_bytes());
        }
        if let Some((index, count)) = cut {
            let index = 4 + index.index(bytes.len() - 4);
            bytes.drain(index..(index + count).min(bytes.len()));
        }
        check(&bytes);
    }
}
