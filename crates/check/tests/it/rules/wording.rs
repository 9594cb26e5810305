//! Messages are complete sentences that need no title.

use meshwright_check::{Options, catalogue, check};

use super::{companions, fixtures};

/// Every finding of every bad fixture, in its fixture's game.
fn messages() -> Vec<(String, String)> {
    let companions = companions();
    let mut all = Vec::new();
    for fixture in fixtures() {
        let lookup = Some(companions.lookup("mwcrate.w3d".as_ref()));
        let file_name = Some("mwcrate.w3d");
        let options = Options { profile: Some(fixture.profile), file_name, lookup, ..Options::default() };
        let found = check(&fixture.bad(), &options);
        all.extend(found.into_iter().map(|finding| (finding.code.to_string(), finding.message)));
    }
    all.sort();
    all.dedup();
    all
}

#[test]
fn messages_are_sentences_without_debug_output() {
    let messages = messages();
    assert!(messages.len() > catalogue().count() / 2);
    let signs = ["Some(", "None", "Ok(", "Err(", "[[", "])", " { ", "\\u{", "F32", "Vec3"];
    let is_odd = |(_, message): &&(String, String)| {
        let words = message.split_whitespace().count();
        words < 4 || message.ends_with('.') || signs.iter().any(|sign| message.contains(sign))
    };
    let odd: Vec<_> = messages.iter().filter(is_odd).collect();
    assert!(odd.is_empty(), "{odd:#?}");
}

#[test]
fn plurals_follow_their_numbers() {
    // Words that end like plurals, but are singular.
    let singular = ["is", "has", "does", "was", "this", "its", "less", "pass", "class", "axis", "radius"];
    let is_wrong = |(_, message): &(String, String)| {
        let words: Vec<&str> = message.split([' ', ',', ':', ';', '(', ')']).collect();
        let mut ones = words.windows(2).filter(|pair| pair[0] == "1");
        ones.any(|pair| pair[1].ends_with('s') && !singular.contains(&pair[1]))
    };
    let wrong: Vec<_> = messages().into_iter().filter(is_wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn titles_say_what_is_wrong() {
    let mut wrong = Vec::new();
    for rule in catalogue() {
        let title = rule.summary;
        assert!(title.split_whitespace().count() >= 2, "{}: {title}", rule.code);
        let texts = [title, rule.explanation];
        let is_odd = |odd: &str| texts.iter().any(|text| text.replace("there is no", "").contains(odd));
        let odd = ["that is not there", " is no ", "left over", "hangs on"];
        wrong.extend(odd.into_iter().filter(|odd| is_odd(odd)).map(|odd| format!("{}: {odd}", rule.code)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
