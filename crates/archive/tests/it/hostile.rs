//! Archives that lie: nothing is allocated on their word, and nothing leaves the folder.

use std::io::{Cursor, Write};
use std::sync::Arc;

use meshwright_archive::{
    Archive, Changes, Content, Error, Kind, Limits, Located, NewMember, Options, Source, create, safe_path,
    save,
};
use proptest::prelude::*;

fn pack(kind: Kind, members: &[(&str, &[u8])]) -> Vec<u8> {
    let member = |(path, bytes): &(&str, &[u8])| NewMember {
        path: (*path).into(),
        content: Content::Bytes(bytes.to_vec()),
    };
    let mut out = Cursor::new(Vec::new());
    create(kind, &members.iter().map(member).collect::<Vec<_>>(), &mut out).unwrap();
    out.into_inner()
}

fn open(bytes: Vec<u8>) -> meshwright_archive::Result<Archive> {
    Archive::open(Source::from_bytes(bytes))
}

/// A ZIP archive with one deflated member.
fn zip(name: &str, content: &[u8]) -> Vec<u8> {
    let mut deflated = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    deflated.write_all(content).unwrap();
    let deflated = deflated.finish().unwrap();
    let sizes = [crc32fast::hash(content), deflated.len() as u32, content.len() as u32]
        .map(u32::to_le_bytes)
        .concat();
    let common =
        [&[20, 0, 0, 0, 8, 0, 0, 0, 0, 0][..], &sizes, &(name.len() as u16).to_le_bytes(), &[0, 0]].concat();
    let local = [b"PK\x03\x04", &common[..], name.as_bytes(), &deflated].concat();
    let central =
        [b"PK\x01\x02", &[20, 0][..], &common, &[0; 2 + 2 + 2 + 4][..], &[0; 4], name.as_bytes()].concat();
    let mut end = b"PK\x05\x06\0\0\0\0\x01\0\x01\0".to_vec();
    end.extend((central.len() as u32).to_le_bytes());
    end.extend((local.len() as u32).to_le_bytes());
    end.extend([0, 0]);
    [local, central, end].concat()
}

#[test]
fn a_count_or_size_that_cannot_be_true_is_an_error() {
    let mut bytes = pack(Kind::Bigf, &[("a", b"content")]);
    bytes[8..12].copy_from_slice(&u32::MAX.to_be_bytes());
    assert!(matches!(open(bytes), Err(Error::Format { .. })));
    let mut bytes = pack(Kind::Bigf, &[("a", b"content")]);
    bytes[20..24].copy_from_slice(&u32::MAX.to_be_bytes());
    assert!(matches!(open(bytes), Err(Error::Format { .. })));
    let mut bytes = pack(Kind::Mix, &[("a", b"content")]);
    let index = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize;
    bytes[index..index + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(matches!(open(bytes), Err(Error::Format { .. })));
    let mut bytes = pack(Kind::Mpq, &[("a", b"content")]);
    bytes[24..28].copy_from_slice(&u32::MAX.to_le_bytes());
    bytes[28..32].copy_from_slice(&u32::MAX.to_le_bytes());
    // Protected maps do this: what is there is read.
    assert!(open(bytes).unwrap().entries().len() <= 2);
    let mut bytes = zip("a", b"content");
    let at = bytes.len() - 12;
    bytes[at..at + 2].fill(0xFF);
    assert!(matches!(open(bytes), Err(Error::Format { .. })));
}

#[test]
fn a_decompression_bomb_is_an_error() {
    let zeros = vec![0; 64 << 20];
    let bomb = zip("bomb", &zeros);
    assert!(bomb.len() < 1 << 17);
    // Deflate's own limit is below ours; a lower one stops it.
    let options = Options { limits: Limits { ratio: 500, ..Limits::default() }, ..Options::default() };
    let archive = Archive::open_with(Source::from_bytes(bomb.clone()), &options).unwrap();
    assert!(matches!(archive.read(&archive.entries()[0]), Err(Error::Limit(_))));
    let options = Options { limits: Limits { member: 1 << 20, ..Limits::default() }, ..Options::default() };
    let archive = Archive::open_with(Source::from_bytes(bomb.clone()), &options).unwrap();
    assert!(matches!(archive.read(&archive.entries()[0]), Err(Error::Limit(_))));
    // A size that is too small does not let the rest through.
    let mut lying = bomb;
    let central = lying.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    lying[central + 24..central + 28].copy_from_slice(&100_u32.to_le_bytes());
    let archive = open(lying).unwrap();
    assert!(archive.read(&archive.entries()[0]).is_err());
}

#[test]
fn an_mpq_member_that_declares_a_gigabyte_is_an_error() {
    let mut bytes = pack(Kind::Mpq, &[("a", &[7; 10_000])]);
    let archive = open(bytes.clone()).unwrap();
    let entry = archive.find("a").unwrap();
    // Its row in the block table is encrypted; the member itself is easier to damage: its sector table.
    let at = entry.offset as usize;
    bytes[at + 4..at + 8].copy_from_slice(&0x7FFF_FFFF_u32.to_le_bytes());
    let archive = open(bytes).unwrap();
    assert!(archive.read(&entry).is_err());
}

#[test]
fn paths_that_leave_the_folder_are_not_safe() {
    let names =
        ["../up.w3d", r"..\..\up.w3d", "/etc/passwd", r"C:\up.w3d", "art/../../up.w3d", "ok/tank.w3d"];
    let members: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &b"x"[..])).collect();
    let archive = open(pack(Kind::Bigf, &members)).unwrap();
    let safe: Vec<Option<String>> = archive
        .entries()
        .iter()
        .map(|entry| safe_path(&entry.path).map(|path| path.display().to_string().replace('\\', "/")))
        .collect();
    // An absolute path is one below the folder; all others that are not plain are refused.
    let expected = [None, None, Some("etc/passwd"), None, None, Some("ok/tank.w3d")];
    assert_eq!(safe, expected.map(|path| path.map(str::to_owned)));
}

#[test]
fn tables_that_overlap_are_copied_and_not_changed() {
    // The index and the list of names of a MIX archive are the same four bytes: no members, no names.
    let words = [16_u32, 16, 0, 0];
    let bytes = [b"MIX1".to_vec(), words.iter().flat_map(|word| word.to_le_bytes()).collect()].concat();
    let archive = open(bytes.clone()).unwrap();
    let mut out = Cursor::new(Vec::new());
    archive.rewrite(&Changes::default(), &mut out).unwrap();
    assert_eq!(out.into_inner(), bytes);
    let mut changes = Changes::default();
    changes.put("tank.w3d", vec![1, 2, 3]);
    let error = archive.rewrite(&changes, &mut Cursor::new(Vec::new())).unwrap_err();
    assert!(error.to_string().contains("overlap"), "{error}");
}

#[test]
fn members_that_overlap_are_reported() {
    let mut bytes = pack(Kind::Bigf, &[("a", b"12345678"), ("b", b"abcdefgh")]);
    assert!(open(bytes.clone()).unwrap().overlap().is_none());
    // The second starts in the middle of the first.
    let first = u32::from_be_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]);
    bytes[26..30].copy_from_slice(&(first + 4).to_be_bytes());
    let archive = open(bytes.clone()).unwrap();
    let (a, b) = archive.overlap().unwrap();
    assert_eq!((a.path.as_str(), b.path.as_str()), ("a", "b"));
    assert_eq!(archive.read(b).unwrap(), b"5678abcd");
    // The same bytes under two names are not an overlap.
    bytes[26..30].copy_from_slice(&first.to_be_bytes());
    assert!(open(bytes).unwrap().overlap().is_none());
}

#[test]
fn archives_in_archives_end() {
    let mut bytes = pack(Kind::Bigf, &[("deepest.txt", b"found")]);
    for _ in 0..10 {
        bytes = pack(Kind::Bigf, &[("inner.big", &bytes)]);
    }
    let archive = Arc::new(open(bytes).unwrap());
    let path = |depth: usize| format!("{}deepest.txt", "inner.big/".repeat(depth));
    assert!(matches!(archive.locate(&path(10)), Err(Error::Limit(_))));

    let mut bytes = pack(Kind::Mpq, &[("deepest.txt", b"found")]);
    for kind in [Kind::Mix, Kind::Bigf] {
        bytes = pack(kind, &[("inner.big", &bytes)]);
    }
    let archive = Arc::new(open(bytes).unwrap());
    match archive.locate(&path(2)).unwrap() {
        Some(Located::Member(inner, entry)) => assert_eq!(inner.read(&entry).unwrap(), b"found"),
        other => panic!("{other:?}"),
    }
    assert!(
        matches!(archive.locate("INNER.big").unwrap(), Some(Located::Folder(_, path)) if path.is_empty())
    );
    assert!(archive.locate("nothing.big/x").unwrap().is_none());
}

/// A BIG archive whose member is the archive itself.
#[test]
fn an_archive_that_contains_itself_ends() {
    let mut bytes = pack(Kind::Bigf, &[("self.big", b"")]);
    let size = bytes.len() as u32;
    bytes[16..20].fill(0);
    bytes[20..24].copy_from_slice(&size.to_be_bytes());
    let archive = Arc::new(open(bytes).unwrap());
    assert!(matches!(archive.locate(&"self.big/".repeat(3)), Ok(Some(Located::Folder(..)))));
    assert!(matches!(archive.locate(&format!("{}x", "self.big/".repeat(100))), Err(Error::Limit(_))));
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.big");
    std::fs::write(&path, b"before").unwrap();
    let failed = save(&path, |out| {
        out.write_all(b"half")?;
        Err(Error::NotFound("x".into()))
    });
    assert!(failed.is_err());
    assert_eq!(std::fs::read(&path).unwrap(), b"before");
    save(&path, |out| Ok(out.write_all(b"after")?)).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"after");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

fn exercise(bytes: Vec<u8>) {
    let limits = Limits { member: 1 << 20, search: 1 << 20, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    if let Ok(archive) = Archive::open_with(Source::from_bytes(bytes), &options) {
        for entry in archive.entries().iter().take(200) {
            let _ = archive.read(entry);
        }
        let _ = archive.find("a");
        let _ = archive.overlap();
        let _ = archive.folder("a/b");
    }
}

proptest! {
    #[test]
    fn no_damage_makes_it_panic(
        kind in prop::sample::select(vec![Kind::Bigf, Kind::Mix, Kind::Mpq, Kind::Zip]),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in any::<prop::sample::Index>(),
    ) {
        let text = b"war3mapImported\\Tank.mdx and so on ".repeat(300);
        let mut bytes = match kind {
            Kind::Zip => zip("a", &text),
            kind => pack(kind, &[("a", &text), ("b.mdx", b"MDLXVERS"), ("c", b"")]),
        };
        for (index, value) in damage {
            let index = index.index(bytes.len());
            bytes[index] = value;
        }
        exercise(bytes.clone());
        bytes.truncate(cut.index(bytes.len()));
        exercise(bytes);
    }

    #[test]
    fn no_bytes_make_it_panic(
        start in prop::sample::select(vec![&b"BIGF"[..], b"MIX1", b"MPQ\x1A", b"PK\x03\x04", b"HM3W"]),
        bytes in prop::collection::vec(any::<u8>(), 0..600),
    ) {
        exercise([start, &bytes].concat());
    }
}

/// Two programs read an archive and change it: the second one is told, and the change of the first one stays.
#[test]
fn an_archive_that_changed_since_it_was_read_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("art.big");
    std::fs::write(&path, pack(Kind::Bigf, &[("a.w3d", b"one"), ("b.w3d", b"two")])).unwrap();
    let (first, second) = (Archive::open_path(&path).unwrap(), Archive::open_path(&path).unwrap());
    let change = |name: &str| {
        let mut changes = Changes::default();
        changes.put(name, b"changed".to_vec());
        changes
    };
    first.replace(&path, &change("a.w3d")).unwrap();
    assert!(matches!(second.replace(&path, &change("b.w3d")), Err(Error::Changed)));
    let now = Archive::open_path(&path).unwrap();
    let content = |name: &str| now.read(&now.find(name).unwrap()).unwrap();
    assert_eq!((content("a.w3d"), content("b.w3d")), (b"changed".to_vec(), b"two".to_vec()));
    now.replace(&path, &change("b.w3d")).unwrap();
    drop(now);
    let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    if cfg!(unix) {
        assert_eq!(names.collect::<Vec<_>>(), ["art.big"], "no lock file stays");
    }
}
