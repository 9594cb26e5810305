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
    /// More slips than this make another code.
    const SLIPS: usize = 3;
    // Dashes and the zeros of the number are what people leave out.
    let plain = |code: &str| -> Vec<u8> {
        let letters = code.bytes().filter(|byte| byte.is_ascii_alphanumeric() && *byte != b'0');
        letters.map(|byte| byte.to_ascii_uppercase()).collect()
    };
    let wanted = plain(code);
    let mut near: Vec<(usize, &'static Rule)> = catalogue()
        .map(|rule| (slips(&plain(rule.code), &wanted), rule))
        .filter(|(slips, _)| *slips <= SLIPS)
        .collect();
    let least = near.iter().map(|(slips, _)| *slips).min().unwrap_or_default();
    near.retain(|(slips, _)| *slips == least);
    near.into_iter().map(|(_, rule)| rule)
}

/// The edit distance between two words: letters added, removed or changed.
fn slips(from: &[u8], to: &[u8]) -> usize {
    let mut costs: Vec<usize> = (0..=to.len()).collect();
    for (at, a) in from.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut costs[0], at + 1);
        for (b, below) in to.iter().zip(1..) {
            let change = diagonal + usize::from(a != b);
            diagonal = costs[below];
            costs[below] = change.min(diagonal + 1).min(costs[below - 1] + 1);
        }
    }
    costs.last().copied().unwrap_or_default()
}
