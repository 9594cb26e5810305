//! The documentation of the rules, generated from their table.

use std::fmt::Write;

use crate::catalogue::catalogue;
use crate::fix::FixLevel;
use crate::rule::Rule;

/// The text of `check --explain CODE`.
pub fn explain(rule: &Rule) -> String {
    let mut text =
        format!("{} ({}): {}\n\n{}\n\n", rule.code, rule.severity.word(), rule.summary, rule.explanation);
    let games: Vec<_> = rule.profiles.iter().map(|profile| profile.title()).collect();
    text += &format!("Games: {}\nKnown from: {}\n", games.join(", "), rule.source);
    if let Some(repair) = rule.repair {
        let flag = if repair.level == FixLevel::All { "--fix=all" } else { "--fix" };
        text += &format!("Repair ({flag}): {}\n", repair.what);
    }
    text
}

/// The subject of a code: the part before its last dash.
fn subject(code: &str) -> &str {
    code.rsplit_once('-').map_or(code, |(subject, _)| subject)
}

/// A source whose citations of the reference are links, relative to `docs`.
fn linked(source: &str) -> String {
    let mut words = Vec::new();
    for word in source.split(' ') {
        let cited = word.trim_end_matches([',', ';', ':']);
        match cited.strip_prefix("docs/") {
            Some(path) => words.push(format!("[{path}]({path}){}", &word[cited.len()..])),
            None => words.push(word.to_owned()),
        }
    }
    words.join(" ")
}

/// The page `docs/rules.md`.
pub fn rules_page() -> String {
    let mut page = String::from(
        "# Rules\n\n\
         Every finding has a code, a severity and an explanation. This page is generated from the table of rules; a test keeps it current \
         (`MESHWRIGHT_BLESS=1 cargo test -p meshwright-check golden` rewrites it).\n\n\
         Severities: **error** - the file is damaged, or an engine will refuse or misread it; **warning** - probably not intended; \
         **info** - worth knowing; **hint** - a suggestion. Errors and warnings are shown, infos and hints are counted; `--severity hint` shows \
         all. `--allow`, `--warn` and `--deny` take codes and prefixes of codes; so does `meshwright.toml`. `--deny warnings` makes every \
         warning an error.\n\n\
         A finding that follows from another is not reported: an animation without frames is one finding, not one for each channel.\n\n\
         *Known from* names the source: the engines and their exporters, other tools, or real files. Links lead to the \
         [reference of the formats](formats/README.md).\n\n\
         Data that published models contain and games display is not an error, even if another tool reports one; *known from* then says so.\n\n\
         There is no rule for what a file does not contain. Westwood's exporter refuses a mesh whose materials differ in their number of passes or in their sort \
         level: on disk a mesh has one of each. Tiberian Technologies' tools warn of a low optimisation factor of skins without saying how they \
         compute it: `W3D-SKIN-008` takes it as vertices per run of one bone, which is what the engine's speed depends on.\n\n\
         | code | severity | what is wrong | repair |\n|---|---|---|---|\n",
    );
    for rule in catalogue() {
        let repair = match rule.repair {
            None => "",
            Some(repair) if repair.level == FixLevel::All => "`--fix=all`",
            Some(_) => "`--fix`",
        };
        let anchor = rule.code.to_ascii_lowercase();
        let _ = writeln!(
            page,
            "| [{}](#{anchor}) | {} | {} | {repair} |",
            rule.code,
            rule.severity.word(),
            rule.summary
        );
    }
    let mut last = "";
    for rule in catalogue() {
        if subject(rule.code) != last {
            last = subject(rule.code);
            let _ = write!(page, "\n## {last}\n");
        }
        let games: Vec<_> = rule.profiles.iter().map(|profile| format!("`{}`", profile.name())).collect();
        let _ = write!(
            page,
            "\n### {}\n\n**{}: {}**\n\n{}\n\n- Games: {}\n- Known from: {}\n",
            rule.code,
            rule.severity.word(),
            rule.summary,
            rule.explanation,
            games.join(" "),
            linked(rule.source)
        );
        if let Some(repair) = rule.repair {
            let _ = writeln!(page, "- Repair: {}", repair.what);
        }
    }
    page
}
