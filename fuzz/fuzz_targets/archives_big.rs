//! Opening anything as BIG never panics and takes bounded memory; what opens is read, and rewritten byte for byte.
#![no_main]

use archive::{Archive, Changes, Limits, Options, Source};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    let Some(start) = bytes.get_mut(..4) else { return };
    // Real files keep their start, so that those with something in front of the archive are tried too.
    if archive::Kind::of_start(start).is_none() {
        start.copy_from_slice(b"BIGF");
    }
    let limits = Limits { member: 1 << 22, search: 1 << 22, ..Limits::default() };
    let Ok(archive) =
        Archive::open_with(Source::from_bytes(bytes.clone()), &Options { limits, ..Options::default() })
    else {
        return;
    };
    for entry in archive.entries().iter().take(64) {
        std::hint::black_box(archive.read(entry).map(|content| content.len()).ok());
        std::hint::black_box(archive.find(&entry.path));
    }
    std::hint::black_box((archive.overlap(), archive.folder("a")));
    let mut out = std::io::Cursor::new(Vec::new());
    if matches!(archive.kind(), archive::Kind::Bigf | archive::Kind::Big4 | archive::Kind::Mix) {
        archive.rewrite(&Changes::default(), &mut out).expect("what opens is rewritten");
        assert_eq!(out.into_inner(), bytes);
    }
});
