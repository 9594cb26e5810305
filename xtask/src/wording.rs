//! Words and phrases that messages and help must not contain: archaic, poetic or indirect ones for which a standard term exists.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::root;

/// A phrase, and what to write instead.
struct Forbidden {
    phrase: &'static str,
    /// Allowed directly after this word.
    except_after: &'static str,
    /// Allowed directly before this word.
    except_before: &'static str,
    instead: &'static str,
}

const fn not(phrase: &'static str, instead: &'static str) -> Forbidden {
    Forbidden { phrase, except_after: "", except_before: "", instead }
}

/// Allowed in "there is no" and "is no longer".
const fn not_unless(except_after: &'static str, phrase: &'static str, instead: &'static str) -> Forbidden {
    Forbidden { phrase, except_after, except_before: "longer", instead }
}

/// The list. Phrases match whole words, in any case.
const FORBIDDEN: &[Forbidden] = &[
    not("heed", "honour"),
    not("heeds", "honours"),
    not("heeded", "honoured"),
    not("mend", "repair, normalise"),
    not("mends", "repairs, normalises"),
    not("mended", "repaired, normalised"),
    not("lent", "borrowed"),
    not(", for it", "because it"),
    not(", for they", "because they"),
    not(", for there", "because there"),
    not(", for no", "because no"),
    not(", for --strict", ": --strict"),
    not("nothing of", "say what is missing"),
    not_unless("there", "is none", "is NaN, is invalid"),
    not_unless("there", "are none", "are NaN, are invalid"),
    not("that is none", "NaN, invalid"),
    not("neither here nor", "not found in this file or nearby files"),
    not("made whole", "repaired"),
    not("told apart", "distinguished, split"),
    not("of another family", "name both formats"),
    not_unless("there", "is no", "is not a, is invalid"),
    not_unless("there", "are no", "are not, are invalid"),
    not("not sound", "invalid"),
    not("is sound", "is valid"),
    not("are sound", "are valid"),
    not("nobody", "unknown, unused"),
    not("taken out", "removed"),
    not("take out", "remove"),
    not("left over", "trailing"),
    not("worked out", "computed, generated"),
    not("not all is", "with losses"),
    not("as you like", "at your option"),
    not("if you like", "optionally, on request"),
    not("anew", "again"),
    not("lesser", "lower"),
    not("gravest", "most serious"),
    not("becomes of", "how to export"),
    not("goes without saying", "is the default"),
    not("hardly ever", "rarely"),
    not("speaks for", "indicates"),
    not("the game minds", "the game rejects"),
    not("tells it", "shows it"),
    not("tells of", "reports"),
    not("keeps its place", "preserves sub-directories"),
    not("wherever it is", "all references to it"),
    not("beside", "next to, with"),
    not("slip of the hand", "typing error"),
    not("thereof", "of it"),
    not("therein", "in it"),
    not("whence", "from where"),
    not("whosoever", "anyone who"),
    not("lest", "so that not"),
    not("naught", "zero, nothing"),
    not("nought", "zero, nothing"),
    not("betwixt", "between"),
    not("shall", "must, will"),
];

/// The forbidden phrases in a text.
fn found(text: &str) -> impl Iterator<Item = &'static Forbidden> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let text = words.join(" ");
    FORBIDDEN.iter().filter(move |forbidden| {
        let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        let starts_with_letter = is_letter(forbidden.phrase.chars().next());
        text.match_indices(forbidden.phrase).any(|(at, phrase)| {
            let (before, after) = (&text[..at], &text[at + phrase.len()..]);
            let continues_before = starts_with_letter && is_letter(before.chars().next_back());
            let is_whole = !continues_before && !is_letter(after.chars().next());
            let is_except = |word: Option<&str>, except: &str| {
                let word = word.map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
                !except.is_empty() && word == Some(except)
            };
            let is_allowed = is_except(before.trim_end().rsplit(' ').next(), forbidden.except_after)
                || is_except(after.trim_start().split(' ').next(), forbidden.except_before);
            is_whole && !is_allowed
        })
    })
}

/// The texts of a source file that users may see, with their lines: string literals, and the help that clap takes from
/// documentation comments. Tests are left out.
fn texts(source: &str) -> Vec<(usize, String)> {
    let end = source.find("#[cfg(test)]\nmod ").unwrap_or(source.len());
    let is_help = source.contains("use clap::");
    let mut texts = Vec::new();
    let mut rest = &source[..end];
    let line = |rest: &str| source[..end].len() - rest.len();
    let number = |at: usize| 1 + source[..at].matches('\n').count();
    while let Some(first) = rest.chars().next() {
        let at = line(rest);
        let length = match first {
            '/' if rest.starts_with("//") => {
                let length = rest.find('\n').unwrap_or(rest.len());
                if is_help && rest.starts_with("///") {
                    texts.push((number(at), rest[3..length].trim().to_owned()));
                }
                length
            }
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            'r' if rest.starts_with("r\"") || rest.starts_with("r#") => match raw_string(rest) {
                Some((text, length)) => {
                    texts.push((number(at), text.to_owned()));
                    length
                }
                None => 1,
            },
            '"' => {
                let length = string_length(rest);
                texts.push((number(at), rest[1..length - 1].replace("\\n", " ").replace("\\\n", " ")));
                length
            }
            // A character, not a lifetime.
            '\'' if rest.starts_with("'\\") => 2 + rest[2..].find('\'').map_or(0, |end| end + 1).max(1),
            '\'' => match rest.char_indices().nth(2) {
                Some((quote, '\'')) => quote + 1,
                _ => 1,
            },
            other => other.len_utf8(),
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    texts
}

/// Length of the literal at the start of a text, with its quotes.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The content of the raw string at the start of a text, and the length of the literal.
fn raw_string(text: &str) -> Option<(&str, usize)> {
    let hashes = text[1..].bytes().take_while(|byte| *byte == b'#').count();
    let start = 1 + hashes + 1;
    if text.as_bytes().get(start - 1) != Some(&b'"') {
        return None;
    }
    let close = format!("\"{}", "#".repeat(hashes));
    let length = text[start..].find(&close)?;
    Some((&text[start..start + length], start + length + close.len()))
}

/// The Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn texts_for_users_are_plain_english() {
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join("crates")).expect("there are crates").flatten() {
        sources(&entry.path().join("src"), &mut files);
    }
    files.sort();
    assert!(files.len() > 100, "{} files", files.len());
    let mut problems = Vec::new();
    let mut seen = 0;
    for file in &files {
        let source = fs::read_to_string(file).expect("a source file is text");
        for (line, text) in texts(&source) {
            seen += 1;
            for Forbidden { phrase, instead, .. } in found(&text) {
                let file = file.strip_prefix(root()).unwrap_or(file).display();
                problems.push(format!("{file}:{line}: {phrase:?} (write: {instead}) in {text:?}"));
            }
        }
    }
    assert!(seen > 5000, "{seen} texts");
    assert!(problems.is_empty(), "{} texts:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn phrases_are_found_as_whole_words() {
    let phrases = |text: &str| found(text).map(|it| it.phrase).collect::<Vec<_>>();
    assert_eq!(phrases("Normals are not of unit length, MENDED"), ["mended"]);
    assert_eq!(phrases("not written, for --strict allows it"), [", for --strict"]);
    assert_eq!(phrases("the tree is no\n   tree"), ["is no"]);
    assert!(
        phrases(
            "there is no clip; is no longer; there are none; look for it here; recommended; besides; blent"
        )
        .is_empty()
    );
}

#[test]
fn texts_of_a_source_file_are_found() {
    let source = "use clap::Args;\n/// Help.\nfn f<'a>(x: &'a str) { // \"no\"\n    g('\"', \"one\\\"\", r#\"two\"#, b'\\''); }\n\
                  #[cfg(test)]\nmod tests { \"three\" }";
    let expected = [(2, "Help."), (4, "one\\\""), (4, "two")].map(|(line, text)| (line, text.to_owned()));
    assert_eq!(texts(source), expected);
}
