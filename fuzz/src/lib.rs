//! What several fuzz targets share.

pub mod author;
pub mod mdl;

use archive::{Archive, Changes, Kind, Limits, Options, Source};

/// Opens bytes as an archive, reads what is in it, and rewrites it.
///
/// Bytes that do not start like an archive get the start `magic`; others keep theirs, so that archives behind something
/// else are tried too.
pub fn open_archive(bytes: &[u8], magic: [u8; 4]) {
    let mut bytes = bytes.to_vec();
    let Some(start) = bytes.get_mut(..4) else { return };
    if Kind::of_start(start).is_none() {
        start.copy_from_slice(&magic);
    }
    let limits = Limits { member: 1 << 22, search: 1 << 22, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let Ok(archive) = Archive::open_with(Source::from_bytes(bytes.clone()), &options) else { return };
    for entry in archive.entries().iter().take(64) {
        std::hint::black_box(archive.read(entry).map(|content| content.len()).ok());
        std::hint::black_box(archive.find(&entry.path));
    }
    std::hint::black_box((archive.overlap(), archive.folder("a")));
    if matches!(archive.kind(), Kind::Bigf | Kind::Big4 | Kind::Mix) {
        let mut out = std::io::Cursor::new(Vec::new());
        archive.rewrite(&Changes::default(), &mut out).expect("what opens is rewritten");
        assert_eq!(out.into_inner(), bytes);
    }
}
