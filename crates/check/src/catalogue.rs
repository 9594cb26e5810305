//! The catalogue of all rules.

use crate::rule::Rule;
use crate::rules::{ACROSS_FILES, ALL};

impl Rule {
    /// Whether it needs to search other files.
    pub fn needs_lookup(&self) -> bool {
        ACROSS_FILES.contains(&self.code)
    }
}

/// Every rule, by family and subject.
///
/// ```
/// let rule = meshwright_check::catalogue().find(|rule| rule.code == "W3D-MESH-005").unwrap();
/// assert_eq!(rule.severity, record::Severity::Error);
/// ```
pub fn catalogue() -> impl Iterator<Item = &'static Rule> {
    ALL.iter().flat_map(|rules| rules.iter())
}

/// The rule of a code, ignoring case.
pub fn rule(code: &str) -> Option<&'static Rule> {
    catalogue().find(|rule| rule.code.eq_ignore_ascii_case(code))
}

/// The rules whose codes are most similar to an unknown code, most similar first.
///
/// ```
/// assert_eq!(meshwright_check::similar("W3D-MEHS-005").next().map(|rule| rule.code), Some("W3D-MESH-005"));
/// assert_eq!(meshwright_check::similar("w3dmesh5").next().map(|rule| rule.code), Some("W3D-MESH-005"));
/// assert_eq!(meshwright_check::similar("nonsense").count(), 0);
/// ```
pub fn similar(code: &str) -> impl Iterator<Item = &'static Rule> {
    /// Maximum number of wrong letters.
    const SLIPS: usize = 3;
    // People often omit the dashes and the zeros of the number.
    let plain = |code: &str| -> String {
        let letters = code.chars().filter(|letter| letter.is_ascii_alphanumeric() && *letter != '0');
        letters.map(|letter| letter.to_ascii_uppercase()).collect()
    };
    let wanted = plain(code);
    let mut near: Vec<(usize, &'static Rule)> = catalogue()
        .map(|rule| (record::edit_distance(&plain(rule.code), &wanted), rule))
        .filter(|(slips, _)| *slips <= SLIPS)
        .collect();
    let least = near.iter().map(|(slips, _)| *slips).min().unwrap_or_default();
    near.retain(|(slips, _)| *slips == least);
    near.into_iter().map(|(_, rule)| rule)
}
