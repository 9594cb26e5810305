//! One fixture per rule that is wrong and one that is right, repairs, and the promise that nothing panics.

mod catalogue;
mod corrections;
mod harmless;
mod mdx_fixtures;
mod properties;
mod repairs;
pub(crate) mod rich;
mod w3d_fixtures;
mod w3d_object_fixtures;
mod w3x_fixtures;
mod wording;

use std::collections::BTreeSet;

use assets::{Memory, Resolver};
use meshwright_check::{Document, Game, Options, check};

pub(crate) use crate::documents::{children, node, set, values};

/// A rule's fixtures.
pub(crate) struct Fixture {
    pub(crate) code: &'static str,
    pub(crate) profile: Game,
    pub(crate) good: fn() -> Document<'static>,
    /// Makes a good document bad.
    pub(crate) spoil: fn(&mut Document<'static>),
}

impl Fixture {
    pub(crate) fn bad(&self) -> Document<'static> {
        let mut document = (self.good)();
        (self.spoil)(&mut document);
        document
    }

    /// The codes that are found in a document, with the fixture's profile and the usual companions.
    pub(crate) fn codes(&self, document: &Document<'_>) -> BTreeSet<String> {
        let companions = companions();
        let options = Options {
            evidence: None,
            profile: Some(self.profile),
            levels: None,
            file_name: Some("mwcrate.w3d"),
            lookup: Some(companions.lookup("mwcrate.w3d".as_ref())),
        };
        check(document, &options).iter().map(|finding| finding.code.to_string()).collect()
    }
}

/// Files beside the fixtures: everything that they refer to.
pub(crate) fn companions() -> Resolver {
    let mut memory = Memory::default();
    let files = [
        "mwcrate.dds",
        "smoke.tga",
        "Textures/white.blp",
        "Textures/sample_normal.dds",
        "Textures/sample_orm.dds",
        "Textures/sample_emissive.dds",
        "Textures/sample_environment.dds",
        "Particles/spark.mdx",
        "effects/sample.pkfx",
    ];
    files.iter().for_each(|file| memory.add(file, *b""));
    let bytes = |document: &Document<'_>| document.to_bytes().expect("it can be written");
    memory.add("mwcrate.w3d", bytes(&rich::document()));
    // A name that two files claim, for the rule about that.
    let mut twice = rich::document();
    children(&mut twice, "").retain(|child| child.id == 0x500);
    set::<w3d::records::EmitterHeader>(&mut twice, "EMITTER/EMITTER_HEADER", |header| {
        header.name = record::Chars::new("TWICE").expect("short");
    });
    memory.add("one.w3d", bytes(&twice));
    memory.add("two.w3d", bytes(&twice));
    let mut resolver = Resolver::new(memory);
    resolver.add_folder("".as_ref());
    resolver
}

/// Every fixture.
pub(crate) fn fixtures() -> impl Iterator<Item = &'static Fixture> {
    w3d_fixtures::FIXTURES
        .iter()
        .chain(w3d_object_fixtures::FIXTURES)
        .chain(mdx_fixtures::FIXTURES)
        .chain(w3x_fixtures::FIXTURES)
}

/// Each fixture goes through bytes. With MESHWRIGHT_FIXTURES they are written to that folder, for other people's linters to read.
#[test]
fn fixtures_are_files() {
    let folder = std::env::var_os("MESHWRIGHT_FIXTURES").map(std::path::PathBuf::from);
    for fixture in fixtures() {
        for (word, document) in [("good", (fixture.good)()), ("bad", fixture.bad())] {
            let bytes = document.to_bytes().expect("a file");
            let extension = if bytes.starts_with(&mdx::MAGIC) { "mdx" } else { "w3d" };
            if let Ok(read) = Document::parse(&bytes) {
                assert_eq!(read.to_bytes().expect("a file"), bytes, "{} {word}", fixture.code);
            }
            if let Some(folder) = &folder {
                let name = format!("{}.{word}.{extension}", fixture.code);
                std::fs::write(folder.join(name), &bytes).expect("the file can be written");
            }
        }
    }
}

/// A file after a transfer in text mode.
pub(crate) fn as_text_mode(bytes: &[u8]) -> Vec<u8> {
    let feed = |byte: &u8| if *byte == b'\n' { vec![b'\r', b'\n'] } else { vec![*byte] };
    bytes.iter().flat_map(feed).collect()
}

/// A file after a program read it as Latin-1 and wrote it as UTF-8.
pub(crate) fn as_utf8(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes()
}

/// Removes the last element of a leaf.
pub(crate) fn shorten(document: &mut Document<'static>, path: &str, bytes: usize) {
    let body = node(document, path).bytes_mut().expect("a leaf");
    body.truncate(body.len() - bytes);
}
