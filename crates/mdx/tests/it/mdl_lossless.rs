//! MDX comes back from MDL byte for byte, whatever it was; the text alone is a fixed point; nothing panics.

use meshwright_mdx::build::samples;
use meshwright_mdx::mdl::{self, MdlDialect, Options};
use meshwright_mdx::{Dialect, Document, Severity};
use proptest::prelude::*;

const DIALECTS: [MdlDialect; 3] = [MdlDialect::Game, MdlDialect::Hive, MdlDialect::War3Model];

fn warcraft_samples() -> Vec<(&'static str, Vec<u8>)> {
    samples().into_iter().filter(|(name, _)| name.starts_with("warcraft")).collect()
}

/// The first lines that differ, with the one before.
fn difference(one: &[u8], other: &[u8]) -> Option<String> {
    let lines = |text: &[u8]| {
        text.split(|byte| *byte == b'\n')
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect::<Vec<_>>()
    };
    let (one_lines, other_lines) = (lines(one), lines(other));
    let index = one_lines.iter().zip(&other_lines).take_while(|(a, b)| a == b).count();
    (one != other).then(|| {
        format!(
            "line {index}: {:?} but {:?}",
            one_lines.get(index.saturating_sub(1)..index + 2),
            other_lines.get(index.saturating_sub(1)..index + 2)
        )
    })
}

/// Through MDL and back: identical with the comments, a fixed point without.
fn check(bytes: &[u8]) {
    let document = Document::parse(bytes).unwrap();
    for dialect in DIALECTS {
        let Ok(text) = mdl::write(&document, &Options { dialect, plain: false }) else {
            assert_eq!(document.dialect, Dialect::Wow);
            continue;
        };
        let back = mdl::parse(&text).0.unwrap();
        assert!(back.to_bytes().unwrap() == bytes, "{dialect:?}");
        let options = Options { dialect, plain: true };
        let plain = mdl::write(&document, &options).unwrap();
        assert!(text.starts_with(&plain));
        let again = mdl::parse(&plain).0.unwrap();
        let again = mdl::write(&again, &options).unwrap();
        assert_eq!(difference(&plain, &again), None);
    }
}

#[test]
fn samples_can_be_said() {
    for (name, bytes) in warcraft_samples() {
        check(&bytes);
        let document = Document::parse(&bytes).unwrap();
        for dialect in DIALECTS {
            let text = mdl::write(&document, &Options { dialect, plain: false }).unwrap();
            let text = String::from_utf8(text).unwrap();
            // Only the order of the chunks is not the usual one; and from version 1100 on there is a texture that the
            // format itself ignores.
            let comments: Vec<_> =
                text.lines().filter(|line| line.starts_with("// meshwright ")).skip(1).collect();
            assert!(
                dialect != MdlDialect::Game
                    || comments
                        .iter()
                        .all(|line| (line.starts_with("// meshwright MDLX ") && !line.contains('+'))
                            || line.ends_with(" 100-1+AQ")),
                "{name}: {comments:?}"
            );
            let text = text.into_bytes();
            let (back, found) = mdl::parse(&text);
            assert!(found.is_empty(), "{name}: {found:?}");
            // The tree that the text makes is the tree that its bytes make.
            assert_eq!(back.unwrap().to_json(), document.to_json());
        }
    }
}

#[test]
fn the_wow_alpha_is_refused() {
    for (name, bytes) in samples().into_iter().filter(|(name, _)| name.starts_with("wow")) {
        let error = mdl::write(&Document::parse(&bytes).unwrap(), &Options::default()).unwrap_err();
        assert_eq!(error.diagnostic().code, "MDL-DIALECT", "{name}");
    }
}

/// After an edit of a part only the entry of that part lapses.
#[test]
fn an_edit_lapses_one_entry() {
    let mut document = Document::parse(&samples()[0].1).unwrap().into_owned();
    let seqs = document.root.find("SEQS").unwrap().values::<meshwright_mdx::records::Sequence>().len();
    assert!(seqs >= 2);
    let chunk = document.root.child_mut(&meshwright_mdx::kinds::SEQS).unwrap();
    // Junk after the NUL of both names, and a mark in the model's unused field.
    for sequence in chunk.values_mut::<meshwright_mdx::records::Sequence>() {
        sequence.name.0[79] = 0xCD;
    }
    let model = model_record(&mut document);
    model.animation_file.0[252..255].copy_from_slice(b"PDR");
    let bytes = document.to_bytes().unwrap();
    check(&bytes);

    let text = String::from_utf8(mdl::write(&document, &Options::default()).unwrap()).unwrap();
    let entry = text.lines().find(|line| line.starts_with("// meshwright MODL ")).unwrap();
    assert!(entry.ends_with(" 340-3+UERS"), "the mark at byte 252 of the field, 8 + 80 before it: {entry}");
    let name = text.split("Anim \"").nth(1).unwrap().split('"').next().unwrap();
    let edited = text.replacen(&format!("Anim \"{name}\""), "Anim \"Edited\"", 1);
    let (back, found) = mdl::parse(edited.as_bytes());
    let lapsed: Vec<_> = found
        .iter()
        .map(|finding| (finding.code.as_ref(), finding.path.as_str(), finding.severity))
        .collect();
    assert_eq!(lapsed, [("MDL-KEEP-001", "SEQS/0", Severity::Info)]);
    let back = back.unwrap();
    let sequences = back.root.find("SEQS").unwrap().values::<meshwright_mdx::records::Sequence>();
    assert_eq!(sequences[0].name.0[..7], *b"Edited\0");
    assert_eq!((sequences[0].name.0[79], sequences[1].name.0[79]), (0, 0xCD));
    let model = back.root.find("MODL").unwrap().value::<meshwright_mdx::records::Model>().unwrap();
    assert_eq!(model.animation_file.0[252..255], *b"PDR");
}

/// Tracks may stand in any order, and keep it.
#[test]
fn the_order_of_tracks_is_kept() {
    fn turn_round(node: &mut record::Node<'static>) {
        let Some(children) = node.children_mut() else { return };
        children.iter_mut().for_each(turn_round);
        let is_track = |node: &record::Node<'_>| meshwright_mdx::track_row(node.id).is_some();
        let first = children.iter().position(is_track).unwrap_or(children.len());
        if children[first..].iter().all(is_track) {
            children[first..].reverse();
        }
    }
    for (_, bytes) in warcraft_samples() {
        let mut document = Document::parse(&bytes).unwrap().into_owned();
        turn_round(&mut document.root);
        let turned = document.to_bytes().unwrap();
        assert!(turned != bytes);
        check(&turned);
    }
}

/// A name can hold what looks like the block, even one that would fit.
#[test]
fn a_name_is_no_block() {
    let mut document = Document::parse(&samples()[0].1).unwrap().into_owned();
    let model = model_record(&mut document);
    let name = b"\n// meshwright 1:\n// meshwright MODL 0000000000000000 0-1+AA\n";
    model.name.0[..name.len()].copy_from_slice(name);
    check(&document.to_bytes().unwrap());
}

/// Every byte after the header of the file, set to something else.
#[test]
fn every_byte_of_the_small_sample_may_be_wrong() {
    let bytes = &samples()[0].1;
    for index in (4..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[index] = damaged[index].wrapping_add(0x81);
        check(&damaged);
    }
}

#[test]
fn truncated_models_come_back() {
    let bytes = &samples()[3].1;
    for length in (4..bytes.len()).step_by(11) {
        check(&bytes[..length]);
    }
}

/// A text that ends anywhere is read as far as it goes.
#[test]
fn truncated_texts_do_not_panic() {
    let document = Document::parse(&samples()[3].1).unwrap().into_owned();
    let text = mdl::write(&document, &Options::default()).unwrap();
    for length in 0..text.len() {
        let (document, found) = mdl::parse(&text[..length]);
        assert!(document.is_none() || found.len() <= 200);
        if let Some(document) = document {
            document.to_bytes().unwrap();
        }
    }
}

#[test]
fn hostile_counts_and_nesting_do_not_panic() {
    for text in [
        "Sequences 4294967295 { }",
        "Geoset { Vertices 4294967295 { { 1, 2, 3 } } Faces 4294967295 4294967295 { Triangles { { 0, 1, 2 } } } }",
        "Geoset { Vertices 99999999999999999999999999 { } }",
        "Geoset { Groups 4294967295 4294967295 { Matrices { 0 } } SkinWeights 4294967295 { 1 } }",
        "Helper \"x\" { Translation 4294967295 { Linear, 0: { 1, 2, 3 }, } }",
        "Materials 4294967295 { Material { Layer { static TextureID 0 <= 4294967295, } } }",
        "PivotPoints -1 { }",
        "BindPose { Matrices 4294967295 { } }",
    ] {
        let (document, _) = mdl::parse(text.as_bytes());
        document.unwrap().to_bytes().unwrap();
    }
    for nest in [
        "{",
        "Particle {",
        "ParticleEmitter \"\" { Particle {",
        "Model \"\" {",
        "Foo {",
        "Geoset { Vertices 1 {",
        "\"",
        "DontInherit {",
    ] {
        let text = nest.repeat(100_000);
        let (_, found) = mdl::parse(text.as_bytes());
        assert!(!found.is_empty() && found.len() <= 200);
    }
}

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let samples = warcraft_samples();
    let count = samples.len();
    (0..count, prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..12)).prop_map(
        move |(which, changes)| {
            let mut bytes = samples[which].1.clone();
            for (index, value, act) in changes {
                let index = 4 + index.index(bytes.len() - 4);
                match act {
                    0 => bytes[index] = value,
                    1 => bytes.insert(index, value),
                    2 if bytes.len() > 5 => {
                        bytes.remove(index);
                    }
                    _ => bytes[index] ^= 1 << (value & 7),
                }
            }
            bytes
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_models_come_back(bytes in damaged()) {
        check(&bytes);
    }

    #[test]
    fn any_bytes_after_the_magic_come_back(tail: Vec<u8>) {
        check(&[b"MDLX", tail.as_slice()].concat());
    }

    #[test]
    fn any_text_is_read(text: Vec<u8>) {
        drop(mdl::parse(&text));
    }

    /// Words, braces and numbers in any order.
    #[test]
    fn any_words_are_read(words in prop::collection::vec(prop::sample::select(vec![
        "Geoset", "{", "}", "Vertices", "3", "-1.5", ",", "\"x\"", "Model", "Materials", "Material", "Layer", "static",
        "TextureID", "<=", "Bone", "Rotation", "Linear", "0:", "InTan", "Particle", "Light", "Camera", "Target", "Position",
        "CollisionShape", "Sphere", "BoundsRadius", "EventObject", "EventTrack", "Faces", "Triangles", "nan", "//", "\n", "BindPose",
        "Matrices", "DontInherit", "SegmentColor", "Color", "ParticleEmitter2", "Alpha", "// meshwright 1:\n", "FormatVersion 1100",
    ]), 0..120)) {
        let text = words.join(" ");
        let (document, _) = mdl::parse(text.as_bytes());
        if let Some(document) = document {
            check(&document.to_bytes().unwrap());
        }
    }
}

/// The record of MODL.
fn model_record<'d>(document: &'d mut Document<'static>) -> &'d mut meshwright_mdx::records::Model {
    let chunk = document.root.child_mut(&meshwright_mdx::kinds::MODL).unwrap();
    chunk.value_mut().unwrap()
}
