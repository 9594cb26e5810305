//! The linter: what is wrong with a model for its game, why, and how to repair it.
//!
//! * [`check`] looks at a [`Document`] and returns [`Diagnostic`]s; [`report`] also says which game it was checked for; [`report_mdl`]
//!   does so for a model in MDL and says where in the text each finding stands.
//! * [`catalogue`] is the table of [`Rule`]s: each with a stable code, a severity, an explanation, and the games it is about.
//!   [`rules_page`] makes the documentation from it.
//! * A [`Game`] is a game; [`guess`] finds it from a file, [`Evidence`] from the files of a folder.
//! * A [`Lookup`](assets::Lookup) finds the other files: skeletons, animations, textures that a file refers to by name.
//! * [`fix`] repairs what can be repaired without changing what the game shows.
//! * [`output`] turns findings into text, JSON, SARIF or GitHub annotations; [`Config`] is a project's `meshwright.toml`, [`Baseline`] a list of
//!   findings that are known.
//!
//! ```
//! use meshwright_check::{Document, Options, check};
//! let mut bytes = w3d::sample::crate_box();
//! let mut document = Document::parse(&bytes)?;
//! assert!(check(&document, &Options::default()).is_empty());
//!
//! // A triangle that points at a vertex that is not there.
//! let triangles = document.root_mut().find_mut("MESH/TRIANGLES").unwrap();
//! triangles.values_mut::<w3d::records::Triangle>()[4].vindex[0].set(999);
//! let found = check(&document, &Options::default());
//! assert!(found.iter().any(|finding| finding.code == "W3D-MESH-005"));
//! # Ok::<(), record::Error>(())
//! ```

mod baseline;
mod catalogue;
mod causes;
mod config;
mod context;
mod docs;
mod fix;
mod mdl;
mod options;
pub mod output;
mod paths;
mod repair;
mod rule;
mod rules;
mod words;

pub use baseline::Baseline;
pub use catalogue::{catalogue, rule, similar};
pub use config::{Config, ConfigError};
pub use docs::{explain, rules_page};
pub use fix::{Applied, FixLevel, Repair};
pub use mdl::report_mdl;
pub use model::{Document, Evidence, Game, Games, Guess, guess};
pub use options::{Level, Levels, Options};
pub use record::{Diagnostic, Severity};
pub use repair::fix;
pub use rule::Rule;

use context::{Findings, MdxContext, Places, W3dContext, W3xContext};
use rule::Check;

/// The findings about one file, and the game that it was checked for.
#[derive(Clone, Debug)]
pub struct Report {
    /// The game.
    pub profile: Game,
    /// Why that game, if it was guessed.
    pub guessed_because: Option<String>,
    /// What was found, sorted by position in the file.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a file.
pub fn check(document: &Document<'_>, options: &Options<'_>) -> Vec<Diagnostic> {
    report(document, options).diagnostics
}

/// Checks a file, and returns the game that it was checked for. The game is guessed if none is given, or if the given one
/// has no such files. Rules that are off or do not apply to the game cost nothing.
pub fn report(document: &Document<'_>, options: &Options<'_>) -> Report {
    let (profile, guessed_because) = game(document, options);
    let levels = options.levels.cloned().unwrap_or_default();
    let found = read_findings(document, profile, &levels);
    let places = Places::new(document.root());
    let on = catalogue().filter(|rule| rule.profiles.has(profile));
    let on = on.filter(|rule| options.lookup.is_some() || !rule.needs_lookup());
    let on = on.filter(|rule| !rule.is_from_reader());
    let on: Vec<_> = on.filter_map(|rule| Some((rule, levels.severity(rule)?))).collect();
    let mut findings = Findings { code: "", severity: Severity::Hint, places: &places, found };
    match document {
        // The index for rules is not built either.
        _ if on.is_empty() => {}
        Document::W3d(file) => {
            let context = W3dContext::new(file, profile, options.file_name, options.lookup);
            for (rule, severity) in on {
                if let Check::W3d(check) = rule.check {
                    (findings.code, findings.severity) = (rule.code, severity);
                    check(&context, &mut findings);
                }
            }
        }
        Document::W3x(file) => {
            let context = W3xContext { file, lookup: options.lookup };
            for (rule, severity) in on {
                if let Check::W3x(check) = rule.check {
                    (findings.code, findings.severity) = (rule.code, severity);
                    check(&context, &mut findings);
                }
            }
        }
        Document::Mdx(file) => {
            let context = MdxContext::new(file, profile, options.lookup);
            for (rule, severity) in on {
                if let Check::Mdx(check) = rule.check {
                    (findings.code, findings.severity) = (rule.code, severity);
                    check(&context, &mut findings);
                }
            }
        }
        _ => {}
    }
    let mut diagnostics = findings.found;
    causes::remove_consequences(&mut diagnostics, document.root());
    diagnostics.sort_by_key(|finding| finding.span.start);
    Report { profile, guessed_because, diagnostics }
}

/// The game to check for, and the reason if it was guessed.
fn game(document: &Document<'_>, options: &Options<'_>) -> (Game, Option<String>) {
    // A project's profile does not apply to models of the other family.
    if let Some(given) = options.profile.filter(|profile| Games::of(document.family()).has(*profile)) {
        return (given, None);
    }
    let folder = options.evidence.map(|evidence| evidence.guess_for(document));
    let guess = folder.unwrap_or_else(|| guess(document));
    (guess.game, Some(guess.reason))
}

/// The findings of the reader, at the levels that the user wants.
fn read_findings(document: &Document<'_>, profile: Game, levels: &Levels) -> Vec<Diagnostic> {
    if !catalogue().any(|rule| rule.is_from_reader() && rule.profiles.has(profile) && levels.is_on(rule.code))
    {
        return Vec::new();
    }
    wanted(document.diagnostics(), profile, levels)
}

/// Findings of a reader, at the levels that the user wants.
fn wanted(mut found: Vec<Diagnostic>, profile: Game, levels: &Levels) -> Vec<Diagnostic> {
    found.retain_mut(|finding| {
        let severity = levels.apply(&finding.code, finding.severity);
        finding.severity = severity.unwrap_or(finding.severity);
        severity.is_some() && rule(&finding.code).is_none_or(|rule| rule.profiles.has(profile))
    });
    found
}

/// The greatest severity among findings.
pub fn worst(diagnostics: &[Diagnostic]) -> Option<Severity> {
    diagnostics.iter().map(|finding| finding.severity).max()
}

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
