//! The table of rules: complete, documented, and each with its fixtures.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use meshwright_check::output::{FileReport, Summary, github, json, sarif, text};
use meshwright_check::{
    Document, Game, Level, Levels, Options, catalogue, check, report, report_mdl, rules_page,
};
use record::{Diagnostic, Node};

use super::{fixtures, rich};

type Outcome = Result<(), Diagnostic>;

/// Codes that reading or writing fails with, and an input for each that fails and one that does not.
fn failures() -> Vec<(&'static str, Outcome, Outcome)> {
    let read = |bytes: &[u8]| Document::parse(bytes).map(drop).map_err(Diagnostic::from);
    let text = |text: &str| w3d::W3d::from_json(text).map(drop).map_err(Diagnostic::from);
    let micro = |length: usize| {
        let mut file = w3d::W3d::parse(&w3d::sample::every_chunk()).expect("the sample").into_owned();
        let sound = file.root.find_mut("SOUNDROBJ/SOUNDROBJ_DEFINITION/VARIABLES").expect("a sound");
        let leaf: &mut Node<'_> = &mut sound.children_mut().expect("micro-chunks")[0];
        *leaf.bytes_mut().expect("a leaf") = vec![0; length];
        file.to_bytes().map(drop).map_err(Diagnostic::from)
    };
    // The finding of a code in a text, if it is there.
    let mdl = |code: &str, text: &[u8]| {
        let levels = Options { profile: Some(Game::Wc3Classic), ..Options::default() };
        let checked = report_mdl(text, &levels).map(|(report, _)| report.diagnostics).unwrap_or_default();
        let mut found = mdx::mdl::parse(text).1.into_iter().chain(checked);
        found.find(|finding| finding.code == code).map_or(Ok(()), Err)
    };
    let texts = [
        ("MDL-SYNTAX-001", "Version { FormatVersion ,}"),
        ("MDL-SYNTAX-002", "Version { FormatVersion 800,"),
        ("MDL-SYNTAX-003", "Model \"no end { BlendTime 150, }"),
        ("MDL-SYNTAX-004", "Version { FormatVersion 800, } }"),
        ("MDL-WORD-001", "Version { FormatVersion 800, Nonsense 3, }"),
        (
            "MDL-WORD-002",
            "Version { FormatVersion 800, } Materials 1 { Material { Layer { static EmissiveGain 2, } } }",
        ),
        ("MDL-WORD-003", "Version { FormatVersoin 800, }"),
        ("MDL-WORD-004", "Version { FormatVersion 800, } Version { FormatVersion 800, }"),
        ("MDL-VALUE-001", "Version { FormatVersion 99999999999, }"),
        (
            "MDL-VALUE-002",
            "Model \"a name that is longer than the seventy-nine characters that the field of the binary form has room for\" { }",
        ),
        ("MDL-VALUE-003", "Model \"a\" { MinimumExtent { 1, 2 }, }"),
        (
            "MDL-VALUE-004",
            "Version { FormatVersion 800, } Materials 1 { Material { Layer { FilterMode Sideways, } } }",
        ),
        ("MDL-TEXT-001", "Version { FormatVersion 800, } 1 + 1 = 2"),
        (
            "MDL-KEEP-001",
            "Version { FormatVersion 800, }\nModel \"a\" { }\n// meshwright 1: kept\n// meshwright MODL 0000000000000000 340-3+UERS\n",
        ),
        ("MDL-COUNT-001", "Version { FormatVersion 800, } GlobalSequences 2 { Duration 100, }"),
        (
            "MDL-COMMA-001",
            "Version { FormatVersion 800, }\nModel \"a\" {\n\tBlendTime 150\n}\nHelper \"b\" {\n\tObjectId 0\n\tParent 1,\n}",
        ),
        ("MDL-ITEM-001", "Version { FormatVersion 800, } Geoset { Vertices 1 { { 1, 2, 3 }, } }"),
        (
            "MDL-TEXT-002",
            "Version { FormatVersion 800, }\n<<<<<<< HEAD\nModel \"a\" { }\n=======\nModel \"b\" { }\n>>>>>>> b\n",
        ),
        ("MDL-TEXT-004", "V\0e\0r\0"),
    ];
    let latin = b"Version { FormatVersion 800, }\nModel \"Fl\xFCgel\" { BlendTime 150, }\n";
    let plain = b"Version { FormatVersion 800, }\nModel \"a\" { BlendTime 150, }\n";
    let many = format!("Version {{ FormatVersion 800, }}\n{}", "Geoset{}".repeat(160_000));
    let whole = w3d::sample::crate_box();
    let sound = w3d::W3d::parse(&whole).expect("the sample").to_json();
    vec![
        ("W3D-FILE-002", read(b"IFX\0more and more"), read(&whole)),
        ("W3D-FILE-003", read(b"BIGF and more"), read(&whole)),
        ("W3D-FILE-004", read(&[0, 0, 0]), read(&whole)),
        ("W3D-FILE-005", read(&[1, 0, 0, 0, 9, 9, 9, 9]), read(&whole)),
        ("W3D-FILE-006", read(&[0xEE; 16]), read(&whole)),
        (
            "MDX-MAGIC",
            mdx::Document::parse(b"nothing").map(drop).map_err(Diagnostic::from),
            read(&mdx::build::samples()[0].1),
        ),
        ("RECORD-SIZE", micro(300), micro(200)),
        ("JSON-SYNTAX", text("{"), text(&sound)),
        ("JSON-CONTENT", text("{}"), text(&sound)),
    ]
    .into_iter()
    .chain(texts.into_iter().map(|(code, text)| (code, mdl(code, text.as_bytes()), mdl(code, plain))))
    .chain([("MDL-TEXT-003", mdl("MDL-TEXT-003", latin), mdl("MDL-TEXT-003", plain))])
    .chain([("MDL-TEXT-005", mdl("MDL-TEXT-005", many.as_bytes()), mdl("MDL-TEXT-005", plain))])
    .collect()
}

#[test]
fn every_rule_has_a_fixture_that_it_finds_and_one_that_it_does_not() {
    let failures = failures();
    let mut wrong = Vec::new();
    for rule in catalogue() {
        if let Some((code, bad, good)) = failures.iter().find(|(code, ..)| *code == rule.code) {
            assert_eq!(bad.as_ref().err().map(|finding| &*finding.code), Some(*code));
            assert_eq!(good.as_ref().err(), None, "{code}");
            continue;
        }
        let fixture = fixtures().find(|fixture| fixture.code == rule.code);
        let fixture = fixture.unwrap_or_else(|| panic!("{} has no fixture", rule.code));
        assert!(rule.profiles.has(fixture.profile), "{}: the fixture is for another game", rule.code);
        if fixture.codes(&(fixture.good)()).contains(rule.code) {
            wrong.push(format!("{} is found in its good fixture", rule.code));
        }
        let bad = fixture.codes(&fixture.bad());
        if !bad.contains(rule.code) {
            wrong.push(format!("{} is not found in its bad fixture, only {bad:?}", rule.code));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Each fixture is a kind of damage with the rule that finds it.
    let of = |family: &str| fixtures().filter(|fixture| fixture.code.starts_with(family)).count();
    assert!(of("W3D") >= 138 && of("MDX") >= 144, "{} and {}", of("W3D"), of("MDX"));
    let known: BTreeSet<_> = catalogue().map(|rule| rule.code).collect();
    assert_eq!(known.len(), catalogue().count(), "a code is used twice");
    assert!(fixtures().all(|fixture| known.contains(fixture.code)), "a fixture without a rule");
}

#[test]
fn readers_find_what_the_catalogue_says_as_badly() {
    for rule in catalogue().filter(|rule| rule.is_from_reader()) {
        let Some(fixture) = fixtures().find(|fixture| fixture.code == rule.code) else { continue };
        let found = check(&fixture.bad(), &Options { profile: Some(fixture.profile), ..Options::default() });
        let finding = found.iter().find(|finding| finding.code == rule.code).expect("found");
        assert_eq!(finding.severity, rule.severity, "{}", rule.code);
    }
}

#[test]
fn the_rich_file_has_nothing_wrong() {
    let companions = super::companions();
    let options = Options {
        evidence: None,
        profile: Some(Game::Bfme2),
        levels: None,
        file_name: Some("mwcrate.w3d"),
        lookup: Some(companions.lookup("mwcrate.w3d".as_ref())),
    };
    let found = check(&rich::document(), &options);
    assert!(found.is_empty(), "{found:#?}");
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// String literals that look like codes: capitals, digits and dashes, ending in three digits or known words.
fn codes_in(source: &str) -> BTreeSet<String> {
    let literals = source.split('"').skip(1).step_by(2);
    let looks_like = |text: &&str| {
        text.rsplit_once('-').is_some_and(|(front, back)| {
            let front = front
                .chars()
                .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '-');
            front && back.len() == 3 && back.chars().all(|digit| digit.is_ascii_digit())
        })
    };
    literals.filter(looks_like).map(str::to_owned).collect()
}

#[test]
fn the_catalogue_has_every_code_that_the_readers_report() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let known: BTreeSet<_> = catalogue().map(|rule| rule.code.to_owned()).collect();
    for (name, prefixes) in
        [("record", &["W3D-", "MDX-"][..]), ("w3d", &["W3D-"]), ("mdx", &["MDX-"]), ("w3x", &["W3X-"])]
    {
        let mut files = Vec::new();
        sources(&crates.join(name).join("src"), &mut files);
        let codes: BTreeSet<_> =
            files.iter().flat_map(|file| codes_in(&std::fs::read_to_string(file).expect("source"))).collect();
        assert!(!codes.is_empty(), "{name} reports nothing?");
        for code in codes {
            let full = prefixes.iter().any(|prefix| known.contains(&format!("{prefix}{code}")));
            assert!(known.contains(&code) || full, "{name} reports {code}, which has no explanation");
        }
    }
}

#[test]
fn golden_rules_page() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    if std::env::var_os("MESHWRIGHT_BLESS").is_some_and(|value| !value.is_empty()) {
        std::fs::write(&path, rules_page()).expect("the page can be written");
    }
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        page == rules_page(),
        "docs/rules.md is out of date: set MESHWRIGHT_BLESS and run this test again"
    );
}

#[test]
fn a_rule_that_is_off_finds_nothing_and_levels_change_severities() {
    let fixture = fixtures().find(|fixture| fixture.code == "W3D-MESH-005").expect("a fixture");
    let bad = fixture.bad();
    let mut levels = Levels::default();
    levels.set("W3D-MESH", Level::Allow);
    let options = Options { levels: Some(&levels), ..Options::default() };
    assert!(!check(&bad, &options).iter().any(|finding| finding.code.starts_with("W3D-MESH")));
    levels.set("W3D-MESH-005", Level::Warn);
    let options = Options { levels: Some(&levels), ..Options::default() };
    let found = check(&bad, &options);
    let severities: Vec<_> = found
        .iter()
        .filter(|finding| finding.code == "W3D-MESH-005")
        .map(|finding| finding.severity.word())
        .collect();
    assert_eq!(severities, ["warning"]);
    let mut nothing = Levels::default();
    nothing.set("all", Level::Allow);
    assert!(check(&bad, &Options { levels: Some(&nothing), ..Options::default() }).is_empty());
    assert_eq!(nothing.unknown().count(), 0);
    nothing.set("W3D-MASH", Level::Deny);
    assert_eq!(nothing.unknown().collect::<Vec<_>>(), ["W3D-MASH"]);
}

#[test]
fn findings_can_be_written_in_every_form() {
    let fixture = fixtures().find(|fixture| fixture.code == "W3D-MESH-005").expect("a fixture");
    let result = Ok(report(&fixture.bad(), &Options { profile: Some(Game::Bfme2), ..Options::default() }));
    let file = FileReport {
        path: "art/my crate.w3d".to_owned(),
        result,
        is_text: false,
        marks: Vec::new(),
        applied: Vec::new(),
    };
    let line = "MESH[0] \"MWCRATE.BODY\"/TRIANGLES[0]: triangle 2: vertex 24 does not exist: the mesh has 24 (0 to 23)";
    assert!(text(&file).iter().any(|found| found.contains(line)), "{:?}", text(&file));
    let annotation =
        github(&file).into_iter().find(|line| line.contains("W3D-MESH-005")).expect("an annotation");
    assert!(
        annotation.starts_with(
            "::error file=art/my crate.w3d,title=W3D-MESH-005%3A a triangle refers to a missing vertex::MESH[0]"
        ),
        "{annotation}"
    );

    let value = json(std::slice::from_ref(&file));
    assert_eq!(value["files"][0]["profile"], "bfme2");
    let finding = &value["files"][0]["findings"][0];
    assert_eq!(
        (finding["code"].as_str(), finding["severity"].as_str()),
        (Some("W3D-MESH-005"), Some("error"))
    );

    let log = sarif(std::slice::from_ref(&file));
    let run = &log["runs"][0];
    let result = &run["results"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let rule = rules.iter().find(|rule| rule["id"] == result["ruleId"]).expect("the rule");
    assert_eq!(rule["shortDescription"]["text"], "a triangle refers to a missing vertex");
    for link in [&rule["helpUri"], &finding["link"]] {
        assert_eq!(link, "https://github.com/meshwright/meshwright/blob/main/docs/rules.md#w3d-mesh-005");
    }
    assert!(
        annotation
            .ends_with("%0Ahttps://github.com/meshwright/meshwright/blob/main/docs/rules.md#w3d-mesh-005")
    );
    assert_eq!(finding["title"], "a triangle refers to a missing vertex");
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "art/my%20crate.w3d");

    let mut summary = Summary::default();
    summary.add(&file);
    assert!(summary.to_string().ends_with("1 file: 1 error, no warnings"), "{summary}");
}
