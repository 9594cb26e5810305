//! For any bytes, checking and repairing end without a panic.

use assets::{Memory, Resolver};
use meshwright_check::{Document, FixLevel, Game, Options, check, fix};
use proptest::prelude::*;

use super::rich;

fn samples() -> Vec<Vec<u8>> {
    let w3d =
        [w3d::sample::crate_box(), w3d::sample::every_chunk(), rich::document().to_bytes().expect("a file")];
    w3d.into_iter().chain(mdx::build::samples().into_iter().map(|(_, bytes)| bytes)).collect()
}

fn survive(bytes: &[u8], profile: Option<Game>) {
    let Ok(mut document) = Document::parse(bytes) else { return };
    let companions = Resolver::new(Memory::default());
    let lookup = Some(companions.lookup("a.w3d".as_ref()));
    let options = Options { profile, file_name: Some("a.w3d"), lookup, ..Options::default() };
    for finding in check(&document, &options) {
        assert!(
            finding.span.start <= finding.span.end && finding.span.end <= bytes.len() as u64,
            "{finding}"
        );
    }
    fix(&mut document, &[], FixLevel::All);
    let once = document.to_bytes();
    fix(&mut document, &[], FixLevel::All);
    assert_eq!(document.to_bytes().ok(), once.ok(), "a second repair changes something");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn changed_bytes(sample in 0_usize..11, changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12), game in 0_usize..12) {
        let mut bytes = samples().swap_remove(sample);
        for (index, byte) in changes {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        survive(&bytes, Game::ALL.get(game).copied());
    }

    #[test]
    fn cut_off(sample in 0_usize..11, at in any::<prop::sample::Index>()) {
        let mut bytes = samples().swap_remove(sample);
        let at = at.index(bytes.len());
        bytes.truncate(at);
        survive(&bytes, None);
    }
}
