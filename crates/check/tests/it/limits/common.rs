//! The findings of a rule in a document, before and after a change.

use std::ops::Range;

use assets::{Memory, Resolver};
use meshwright_check::{Document, Game, Options, check};
use record::Pod;

use crate::documents::{set, values};

/// The findings of a rule: place and message.
pub(crate) fn findings(file: &Document<'_>, game: Game, code: &str) -> Vec<(Range<u64>, String)> {
    let options = Options { profile: Some(game), ..Options::default() };
    let found = check(file, &options);
    found
        .iter()
        .filter(|each| each.code == code)
        .map(|each| (each.span.clone(), each.message.clone()))
        .collect()
}

/// The number of findings of a rule.
pub(crate) fn count(file: &Document<'_>, game: Game, code: &str) -> usize {
    findings(file, game, code).len()
}

/// Changes a document, and compares how often a rule finds something then.
#[track_caller]
pub(crate) fn case(
    code: &str,
    game: Game,
    mut file: Document<'static>,
    change: impl FnOnce(&mut Document<'static>),
    expected: usize,
) {
    change(&mut file);
    assert_eq!(count(&file, game, code), expected, "{code}");
}

/// The messages of a rule with these files around the model, which is called `model.mdx` or `model.w3d`.
pub(crate) fn messages_with(
    file: &Document<'_>,
    game: Game,
    code: &str,
    files: &[(&str, &[u8])],
) -> Vec<String> {
    let mut memory = Memory::default();
    files.iter().for_each(|(name, bytes)| memory.add(name, bytes.to_vec()));
    let name = if matches!(file, Document::Mdx(_)) { "model.mdx" } else { "model.w3d" };
    memory.add(name, file.to_bytes().expect("a file"));
    let mut resolver = Resolver::new(memory);
    resolver.add_folder("".as_ref());
    let options = Options {
        profile: Some(game),
        file_name: Some(name),
        lookup: Some(resolver.lookup(name.as_ref())),
        ..Options::default()
    };
    let found = check(file, &options);
    found.iter().filter(|each| each.code == code).map(|each| each.message.clone()).collect()
}

/// Where the body of the part at a path starts.
pub(crate) fn body(file: &Document<'static>, path: &str) -> u64 {
    let root = file.root();
    let wanted = root.find(path).unwrap_or_else(|| panic!("nothing at {path}"));
    let mut start = None;
    root.walk(&mut |place| {
        if std::ptr::eq(place.node, wanted) {
            start = Some(place.body_start() as u64);
        }
    });
    start.expect("it is in the file")
}

/// Compares where a rule finds something: in which bytes of the body of which part.
#[track_caller]
pub(crate) fn place(
    code: &str,
    game: Game,
    mut file: Document<'static>,
    change: impl FnOnce(&mut Document<'static>),
    path: &str,
    bytes: Range<u64>,
) {
    change(&mut file);
    let start = body(&file, path);
    let found: Vec<Range<u64>> = findings(&file, game, code).into_iter().map(|(span, _)| span).collect();
    let expected = start + bytes.start..start + bytes.end;
    assert_eq!(found, std::slice::from_ref(&expected), "{code}");
}

/// A change to the record at a path.
pub(crate) fn changing<T: Pod>(
    path: &str,
    change: impl FnOnce(&mut T),
) -> impl FnOnce(&mut Document<'static>) {
    move |file| set(file, path, change)
}

/// A change to the values at a path.
pub(crate) fn changing_all<T: Pod>(
    path: &str,
    change: impl FnOnce(&mut [T]),
) -> impl FnOnce(&mut Document<'static>) {
    move |file| values(file, path, change)
}
