//! Repair of findings.

use crate::catalogue::catalogue;
use crate::fix::{Applied, Apply, Changes, FixLevel, is_damaged};
use crate::options::{Level, Levels, Options};
use crate::{Severity, check};
use model::Document;

/// Repairs a document: findings of the rules with these codes or code prefixes (of all rules if there are none), up to a level.
/// Returns what was done. Bytes that no finding is about stay as they are, and doing it again changes nothing.
///
/// A damaged file gets only those repairs that restore what it had, until it is no longer damaged: in what is left of it, values
/// and references may be right although they disagree.
///
/// ```
/// use meshwright_check::{Document, FixLevel, Options, check, fix};
/// let bytes = w3d::sample::crate_box();
/// let mut document = Document::parse(&bytes)?;
/// assert!(fix(&mut document, &[], FixLevel::Safe).is_empty());
///
/// let header = document.root_mut().find_mut("HIERARCHY/HIERARCHY_HEADER").unwrap();
/// header.value_mut::<w3d::records::HierarchyHeader>().unwrap().num_pivots.set(1);
/// let applied = fix(&mut document, &["W3D-HIER-001"], FixLevel::Safe);
/// assert_eq!(applied[0].message, "number of pivots 1 -> 3");
/// assert_eq!(document.to_bytes()?, bytes);
/// # Ok::<(), record::Error>(())
/// ```
pub fn fix(document: &mut Document<'_>, codes: &[&str], level: FixLevel) -> Vec<Applied> {
    let mut applied = Vec::new();
    let mut chosen = Levels::default();
    codes.iter().for_each(|code| chosen.set(code, Level::Warn));
    let wanted = |code: &str| codes.is_empty() || chosen.of(code).is_some();
    // One repair may make another possible. Each repair only removes faults, so this ends; the bound is for damaged
    // files.
    for _ in 0..8 {
        let before = applied.len();
        let (mut damaged, mut faulty) = (None, None);
        for rule in catalogue().filter(|rule| wanted(rule.code)) {
            let Some(repair) = rule.repair.filter(|repair| repair.level <= level) else { continue };
            if !repair.restores && *damaged.get_or_insert_with(|| is_damaged(document)) {
                continue;
            }
            // Where references are wrong, what seems unused may be what they should refer to.
            if repair.level == FixLevel::All && *faulty.get_or_insert_with(|| has_errors(document)) {
                continue;
            }
            let mut changes = Changes { code: rule.code, level, made: Vec::new() };
            match (repair.apply, &mut *document) {
                (Apply::W3d(apply), Document::W3d(file)) => apply(file, &mut changes),
                (Apply::Mdx(apply), Document::Mdx(file)) => apply(file, &mut changes),
                _ => {}
            }
            if repair.restores && !changes.made.is_empty() {
                (damaged, faulty) = (None, None);
            }
            let changes = changes.made.into_iter();
            applied.extend(changes.map(|(path, message)| Applied { code: rule.code, path, message }));
        }
        if applied.len() == before {
            break;
        }
    }
    applied
}

fn has_errors(document: &Document<'_>) -> bool {
    check(document, &Options::default()).iter().any(|finding| finding.severity == Severity::Error)
}
