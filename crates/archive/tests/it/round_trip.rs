//! Packed members are read back unchanged, and an archive without changes is rewritten byte for byte.

use std::io::Cursor;

use meshwright_archive::{Archive, Changes, Content, Kind, NewMember, Source, create};
use proptest::prelude::*;

fn member(path: &str, bytes: &[u8]) -> NewMember {
    NewMember { path: path.into(), content: Content::Bytes(bytes.to_vec()) }
}

fn pack(kind: Kind, members: &[NewMember]) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    create(kind, members, &mut out).unwrap();
    out.into_inner()
}

fn open(bytes: &[u8]) -> Archive {
    Archive::open(Source::from_bytes(bytes.to_vec())).unwrap()
}

fn rewrite(bytes: &[u8], changes: &Changes) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    open(bytes).rewrite(changes, &mut out).unwrap();
    out.into_inner()
}

fn read(archive: &Archive, path: &str) -> Option<Vec<u8>> {
    archive.find(path).map(|entry| archive.read(&entry).unwrap())
}

/// A BIG archive as the games' own tools leave it: a mark behind the table, padding, trailing bytes.
fn original_big() -> Vec<u8> {
    let mut bytes = b"BIGF\0\0\0\0".to_vec();
    bytes.extend(2_u32.to_be_bytes());
    bytes.extend(0x4C_u32.to_be_bytes());
    for (offset, size, name) in [(0x50_u32, 5_u32, "Art\\W3D\\A.w3d"), (0x60, 3, "Data\\B.ini")] {
        bytes.extend(offset.to_be_bytes());
        bytes.extend(size.to_be_bytes());
        bytes.extend(name.as_bytes());
        bytes.push(0);
    }
    bytes.extend(b"L225");
    bytes.resize(0x50, 0);
    bytes.extend(b"first");
    bytes.resize(0x60, 0xCC);
    bytes.extend(b"two");
    bytes.extend(b"tail");
    let length = bytes.len() as u32;
    bytes[4..8].copy_from_slice(&length.to_le_bytes());
    bytes
}

#[test]
fn a_big_archive_with_gaps_is_rewritten_byte_for_byte() {
    let bytes = original_big();
    assert_eq!(rewrite(&bytes, &Changes::default()), bytes);
    let archive = open(&bytes);
    assert_eq!(archive.first_difference().unwrap(), None);
    assert_eq!(read(&archive, "art/w3d/a.W3D").unwrap(), b"first");
    assert_eq!(archive.entries()[1].path, "Data/B.ini");
}

#[test]
fn changing_a_big_archive_moves_the_rest_and_keeps_the_gaps() {
    let mut changes = Changes::default();
    changes.put("art/w3d/A.w3d", b"a longer model".to_vec());
    changes.put("art/w3d/new.w3d", b"new".to_vec());
    let changed = rewrite(&original_big(), &changes);
    let archive = open(&changed);
    assert_eq!(read(&archive, "Art/W3D/a.w3d").unwrap(), b"a longer model");
    assert_eq!(read(&archive, "data/b.ini").unwrap(), b"two");
    assert_eq!(read(&archive, "art/w3d/new.w3d").unwrap(), b"new");
    assert_eq!(changed[4..8], (changed.len() as u32).to_le_bytes());
    assert!(changed.windows(4).any(|window| window == b"L225"));
    assert!(changed.windows(7).any(|window| window == b"twotail"));
    let mut changes = Changes::default();
    changes.remove("data/b.ini");
    let removed = open(&rewrite(&original_big(), &changes));
    assert_eq!(removed.entries().len(), 1);
    assert_eq!(read(&removed, "art/w3d/a.w3d").unwrap(), b"first");
}

#[test]
fn numbers_in_either_byte_order_are_read() {
    let mut bytes = b"BIG4".to_vec();
    bytes.extend(33_u32.to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(30_u32.to_le_bytes());
    bytes.extend(30_u32.to_le_bytes());
    bytes.extend(3_u32.to_le_bytes());
    bytes.extend(b"a.ini\0abc");
    let archive = open(&bytes);
    assert_eq!((archive.kind(), read(&archive, "A.INI")), (Kind::Big4, Some(b"abc".to_vec())));
    assert_eq!(rewrite(&bytes, &Changes::default()), bytes);
}

#[test]
fn a_member_packed_with_refpack_is_unpacked() {
    let packed = [0x10, 0xFB, 0, 0, 8, 0xC1, 0, 0, 2, b'x', 0xFC];
    let archive =
        open(&pack(Kind::Big4, &[member("a.bin", &packed), member("b.bin", &[0x10, 0xFB, 1, 2, 3])]));
    assert_eq!(read(&archive, "a.bin").unwrap(), b"xxxxxxxx");
    // Bytes that only start like RefPack stay.
    assert_eq!(read(&archive, "b.bin").unwrap(), [0x10, 0xFB, 1, 2, 3]);
}

#[test]
fn members_that_share_bytes_stay_whole_when_one_changes() {
    let mut bytes = pack(Kind::Bigf, &[member("a", b"shared"), member("b", b"shared")]);
    // Both rows point at the first member.
    let second = 16 + 10;
    let first = bytes[16..20].to_vec();
    bytes[second..second + 4].copy_from_slice(&first);
    assert_eq!(rewrite(&bytes, &Changes::default()), bytes);
    let mut changes = Changes::default();
    changes.put("a", b"other".to_vec());
    let archive = open(&rewrite(&bytes, &changes));
    assert_eq!(read(&archive, "a").unwrap(), b"other");
    assert_eq!(read(&archive, "b").unwrap(), b"shared");
}

#[test]
fn a_mix_archive_is_found_by_number_and_rewritten_byte_for_byte() {
    let bytes = pack(Kind::Mix, &[member("Tank.w3d", b"model"), member("tank.dds", b"picture")]);
    assert_eq!(rewrite(&bytes, &Changes::default()), bytes);
    let archive = open(&bytes);
    assert_eq!(read(&archive, "TANK.W3D").unwrap(), b"model");
    let mut changes = Changes::default();
    changes.put("tank.w3d", b"a much longer model".to_vec());
    changes.put("added.txt", b"text".to_vec());
    changes.remove("tank.dds");
    let archive = open(&rewrite(&bytes, &changes));
    assert_eq!(archive.entries().len(), 2);
    assert_eq!(read(&archive, "tank.w3d").unwrap(), b"a much longer model");
    assert_eq!(read(&archive, "ADDED.TXT").unwrap(), b"text");
    assert!(archive.find("tank.dds").is_none());
}

#[test]
fn a_mix_archive_without_names_is_still_found_by_name() {
    let mut bytes = pack(Kind::Mix, &[member("tank.w3d", b"model")]);
    bytes[8..12].fill(0);
    let archive = open(&bytes);
    assert_eq!(archive.entries()[0].path, "File00000000.xxx");
    assert!(!archive.entries()[0].named);
    assert_eq!(read(&archive, "tank.w3d").unwrap(), b"model");
    assert_eq!(rewrite(&bytes, &Changes::default()), bytes);
    let options = meshwright_archive::Options { names: vec!["TANK.w3d".into()], ..Default::default() };
    let archive = Archive::open_with(Source::from_bytes(bytes), &options).unwrap();
    assert_eq!(archive.entries()[0].path, "TANK.w3d");
}

#[test]
fn folders_and_long_names_do_not_fit_in_a_mix_archive() {
    let mut out = Cursor::new(Vec::new());
    assert!(create(Kind::Mix, &[member("art/tank.w3d", b"")], &mut out).is_err());
    assert!(create(Kind::Mix, &[member(&"x".repeat(300), b"")], &mut out).is_err());
    assert!(create(Kind::Bigf, &[member("a", b""), member("A", b"")], &mut out).is_err());
    assert!(create(Kind::Zip, &[member("a", b"")], &mut out).is_err());
}

#[test]
fn an_mpq_archive_keeps_its_members_when_one_changes() {
    let long: Vec<u8> = (0..100_000_u32).flat_map(|number| (number / 7).to_le_bytes()).collect();
    let members =
        [member("war3map.j", &long), member("war3mapImported/Tank.mdx", b"model"), member("empty", b"")];
    let bytes = pack(Kind::Mpq, &members);
    assert!(bytes.len() < long.len());
    assert_eq!(rewrite(&bytes, &Changes::default()), bytes);
    let mut changes = Changes::default();
    changes.put("war3mapimported/tank.mdx", b"better model".to_vec());
    changes.put("war3mapImported/New.blp", b"picture".to_vec());
    changes.remove("empty");
    // In front of it the header of a map.
    let mut map = b"HM3W".to_vec();
    map.resize(512, 0);
    map.extend(&bytes);
    let archive = open(&rewrite(&map, &changes));
    assert_eq!(read(&archive, "war3map.j").unwrap(), long);
    assert_eq!(read(&archive, "war3mapImported\\Tank.mdx").unwrap(), b"better model");
    assert_eq!(read(&archive, "war3mapImported/New.blp").unwrap(), b"picture");
    assert!(archive.find("empty").is_none());
    let mut paths: Vec<&str> = archive.entries().iter().map(|entry| entry.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["(listfile)", "war3map.j", "war3mapImported/New.blp", "war3mapImported/Tank.mdx"]);
}

#[test]
fn folders_are_listed_without_regard_to_case() {
    let members =
        [member("Art/W3D/a.w3d", b""), member("art/w3d/b.w3d", b""), member("art/textures/t.dds", b"")];
    let archive = open(&pack(Kind::Bigf, &members));
    let top: Vec<&str> = archive.folder("").unwrap().folders().collect();
    assert_eq!(top, ["Art"]);
    let folders: Vec<&str> = archive.folder("ART").unwrap().folders().collect();
    assert_eq!(folders, ["textures", "W3D"]);
    let files: Vec<&str> = archive.folder(r"art\w3d").unwrap().files().map(|(name, _)| name).collect();
    assert_eq!(files, ["a.w3d", "b.w3d"]);
    assert!(archive.folder("art/nothing").is_none());
}

proptest! {
    #[test]
    fn what_is_packed_comes_back(
        contents in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..6000), 0..12),
    ) {
        for kind in [Kind::Bigf, Kind::Big4, Kind::Mix, Kind::Mpq] {
            let members: Vec<_> =
                contents.iter().enumerate().map(|(index, bytes)| member(&format!("Member{index}.bin"), bytes)).collect();
            let bytes = pack(kind, &members);
            let archive = open(&bytes);
            for (index, content) in contents.iter().enumerate() {
                prop_assert_eq!(read(&archive, &format!("MEMBER{index}.BIN")), Some(content.clone()));
            }
            prop_assert_eq!(&rewrite(&bytes, &Changes::default()), &bytes);
            let mut changes = Changes::default();
            changes.put("member0.bin", b"changed".to_vec());
            let changed = rewrite(&bytes, &changes);
            let archive = open(&changed);
            for (index, content) in contents.iter().enumerate() {
                let expected = if index == 0 { b"changed" } else { &content[..] };
                prop_assert_eq!(read(&archive, &format!("member{index}.bin")), Some(expected.to_vec()));
            }
        }
    }

    #[test]
    fn any_big_or_mix_archive_that_opens_is_rewritten_byte_for_byte(
        start in prop::sample::select(vec![*b"BIGF", *b"BIG4", *b"MIX1"]),
        mut bytes in prop::collection::vec(prop_oneof![Just(0_u8), 0..64_u8, any::<u8>()], 12..200),
    ) {
        bytes.splice(0..0, start);
        if let Ok(archive) = Archive::open(Source::from_bytes(bytes.clone())) {
            let mut out = Cursor::new(Vec::new());
            archive.rewrite(&Changes::default(), &mut out).unwrap();
            prop_assert_eq!(out.into_inner(), bytes);
        }
    }
}
