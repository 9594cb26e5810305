//! Files with the same extension in other formats, invalid files, and known kinds of damage.

use crate::common::{self, chunk, container};
use meshwright_w3d::{W3d, sample};
use record::Diagnostic;

/// Why the bytes are refused.
fn refused(bytes: &[u8]) -> Diagnostic {
    let error = W3d::parse(bytes).err().unwrap_or_else(|| panic!("{bytes:02x?} is no W3D file"));
    let finding = error.diagnostic().clone();
    assert!(finding.note.is_some(), "{finding}: what to do is said");
    assert!(finding.span.end <= bytes.len() as u64);
    finding
}

#[test]
fn shockwave() {
    let found = refused(b"IFX\0\x02\0\0\0\x10\0\0\0director");
    assert_eq!(found.code, "W3D-FILE-002");
    assert!(found.message.contains("Shockwave 3D"), "{found}");
}

/// Changed doodads of a Warcraft III map, as its editor writes them: version, a table of changed originals, a table of new ones.
/// An object is two ids and its changes; a change is a field's id, a type, two words, a value and an end mark.
fn warcraft_doodads(version: u32, originals: u32, customs: u32) -> Vec<u8> {
    let object = |original: &[u8; 4], custom: &[u8; 4]| {
        let mut bytes = [&original[..], custom, &1_u32.to_le_bytes()].concat();
        bytes.extend(b"dmod"); // the field
        bytes.extend(3_u32.to_le_bytes()); // its type: a string
        bytes.extend([0; 8]); // variation and pointer
        bytes.extend(b"Doodads\\Barrel.mdx\0");
        bytes.extend([0; 4]);
        bytes
    };
    let mut bytes = version.to_le_bytes().to_vec();
    bytes.extend(originals.to_le_bytes());
    (0..originals).for_each(|_| bytes.extend(object(b"LOsm", &[0; 4])));
    bytes.extend(customs.to_le_bytes());
    (0..customs).for_each(|_| bytes.extend(object(b"LOsm", b"D000")));
    bytes
}

#[test]
fn warcraft_map_doodads() {
    for version in 1..=3 {
        for (originals, customs) in [(0, 0), (1, 0), (0, 1), (2, 3), (0, 40), (60, 60)] {
            let found = refused(&warcraft_doodads(version, originals, customs));
            assert_eq!(found.code, "W3D-FILE-005", "version {version}, {originals} and {customs} objects");
            assert!(found.message.contains("war3map.w3d"), "{found}");
        }
    }
}

#[test]
fn other_formats() {
    for (bytes, word) in [
        (&b"MDLXVERS\x04\0\0\0\x20\x03\0\0"[..], "Warcraft III"),
        (b"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<AssetDeclaration>", "XML"),
        (b"\xEF\xBB\xBF<?xml version=\"1.0\"?>", "XML"),
        (b"BIGF\x10\0\0\0\0\0\0\x01\0\0\0\x40", "BIG archive"),
        (b"BIG4\x10\0\0\0\0\0\0\x01\0\0\0\x40", "BIG archive"),
        (b"MIX1\0\0\0\0\0\0\0\0", "MIX archive"),
        (b"DDS \x7C\0\0\0\0\0\0\0", "DDS texture"),
        (b"glTF\x02\0\0\0\0\0\0\0", "glTF"),
    ] {
        let found = refused(bytes);
        assert_eq!(found.code, "W3D-FILE-003");
        assert!(found.message.contains(word), "{found}");
    }
}

#[test]
fn too_short() {
    for length in 1..8 {
        let found = refused(&[0; 7][..length]);
        assert_eq!(found.code, "W3D-FILE-004");
        assert_eq!(found.span, 0..length as u64);
    }
}

#[test]
fn garbage() {
    // A linear congruential generator; the first word is never that of a top-level chunk.
    let mut state = 12345_u32;
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..64)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            })
            .collect();
        assert_eq!(refused(&bytes).code, "W3D-FILE-006", "{bytes:02x?}");
    }
    let found = refused(b"Lorem ipsum dolor sit amet");
    assert_eq!(found.code, "W3D-FILE-006");
    // Unknown chunks, or empty chunks that are never at the top of a file, are not a model.
    assert_eq!(refused(&chunk(0x1234_5678, &[1, 2, 3, 4])).code, "W3D-FILE-006");
    assert_eq!(refused(&chunk(0x1F, &[])).code, "W3D-FILE-006");
}

#[test]
fn unusual_starts_that_are_accepted() {
    // Every chunk that stands at the top.
    for id in [
        0x0_u32, 0x100, 0x200, 0x280, 0x2C0, 0x300, 0x400, 0x420, 0x440, 0x460, 0x500, 0x600, 0x700, 0x740,
        0x741, 0x742, 0x750, 0x800, 0x900, 0xA00, 0xB00,
    ] {
        assert!(W3d::parse(&chunk(id, &[])).is_ok(), "{id:#x}");
    }
    // An unknown one before a known one, if all of them are whole.
    let bytes = [chunk(0x9999, &[1, 2, 3]), container(0x0, &chunk(0xC, b"text\0"))].concat();
    let file = common::read(&bytes);
    assert_eq!(file.root.children().len(), 2);
}

#[test]
fn an_empty_file() {
    // BFME II ships nine: they are read, and it is said.
    let file = W3d::parse(&[]).expect("an empty file");
    assert!(file.to_bytes().expect("nothing").is_empty());
    let found = file.diagnostics();
    assert_eq!(found.iter().map(|found| found.code.as_ref()).collect::<Vec<_>>(), ["W3D-FILE-001"]);
    assert!(W3d::from_json(&file.to_json()).expect("an empty text").to_bytes().expect("nothing").is_empty());
}

#[test]
fn a_truncated_file() {
    let bytes = sample::crate_box();
    let cut = &bytes[..bytes.len() / 2];
    let file = W3d::parse(cut).expect("the start of a crate");
    let found = file.diagnostics();
    assert!(
        found.iter().any(|found| found.code == "W3D-FRAME-001" && found.message.contains("cut off")),
        "{found:?}"
    );
    assert!(found.iter().all(|found| found.code != "W3D-FILE-007"), "{found:?}");
}

/// The effect of a transfer in text mode.
fn through_text_mode(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|byte| if *byte == 0x0A { vec![0x0D, 0x0A] } else { vec![*byte] }).collect()
}

#[test]
fn text_mode_damage() {
    let bytes = sample::crate_box();
    // Index 10 stands in triangles, shade indices and frame ranges.
    let feeds = bytes.iter().filter(|byte| **byte == 0x0A).count();
    assert!(feeds > 3, "{feeds}");
    let damaged = through_text_mode(&bytes);
    assert_eq!(damaged.len(), bytes.len() + feeds);
    let file = W3d::parse(&damaged).expect("a damaged crate");
    assert_eq!(file.to_bytes().expect("nothing has grown"), damaged, "nothing is repaired");
    let found = file.diagnostics();
    let named: Vec<_> = found.iter().filter(|found| found.code == "W3D-FILE-007").collect();
    assert_eq!(named.len(), 1, "{found:?}");
    assert!(named[0].message.contains("text mode") && named[0].note.is_some(), "{}", named[0]);
    // A sound file is not accused, even if each of its line feeds has a carriage return.
    let sound = container(0x0, &chunk(0xC, b"one\r\ntwo\r\nthree\r\nfour\r\n\0"));
    assert_eq!(W3d::parse(&sound).expect("a mesh").diagnostics(), []);
    // Nor is a damaged one with a line feed that has none.
    let other = [&damaged[..], &[0x0A]].concat();
    let found = W3d::parse(&other).expect("a damaged crate").diagnostics();
    assert!(found.iter().all(|found| found.code != "W3D-FILE-007"), "{found:?}");
}

#[test]
fn text_mode_damage_in_large_files() {
    // Where the sizes still fit by chance it cannot be told, but one chunk of the file after another goes wrong.
    let bytes = sample::large_mesh(3000);
    let damaged = through_text_mode(&[&bytes[..], &bytes].concat());
    let found = W3d::parse(&damaged).expect("damaged meshes").diagnostics();
    assert!(found.iter().any(|found| found.code == "W3D-FILE-007"), "{found:?}");
}
