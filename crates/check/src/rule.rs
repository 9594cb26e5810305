//! What a rule is, and the catalogue of all of them.

use record::Severity;

use crate::context::{Findings, MdxContext, W3dContext};
use crate::fix::Repair;
use model::Games;

/// One rule of the linter.
#[derive(Debug)]
pub struct Rule {
    /// Stable code, such as `W3D-MESH-003`.
    pub code: &'static str,
    /// How much a finding matters, unless the user says otherwise.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub summary: &'static str,
    /// Why the engine minds, and how to fix it.
    pub explanation: &'static str,
    /// The games that it applies to.
    pub profiles: Games,
    /// Where it is known from.
    pub source: &'static str,
    /// How it is repaired, if it can be.
    pub repair: Option<Repair>,
    pub(crate) check: Check,
}

/// What finds a rule's faults.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// Reading the file finds them.
    Reader,
    W3d(fn(&W3dContext<'_>, &mut Findings<'_>)),
    Mdx(fn(&MdxContext<'_>, &mut Findings<'_>)),
}

impl Rule {
    const fn new(
        code: &'static str,
        severity: Severity,
        profiles: Games,
        check: Check,
        source: &'static str,
        summary: &'static str,
        explanation: &'static str,
    ) -> Self {
        Self { code, severity, summary, explanation, profiles, source, repair: None, check }
    }

    /// A rule whose findings come from reading a file.
    pub(crate) const fn reader(
        code: &'static str,
        severity: Severity,
        source: &'static str,
        summary: &'static str,
        explanation: &'static str,
    ) -> Self {
        let profiles = match code.as_bytes()[0] {
            b'W' => Games::W3D,
            b'M' => Games::MDX,
            _ => Games::EVERY,
        };
        Self::new(code, severity, profiles, Check::Reader, source, summary, explanation)
    }

    /// A rule about W3D files.
    pub(crate) const fn w3d(
        code: &'static str,
        severity: Severity,
        check: fn(&W3dContext<'_>, &mut Findings<'_>),
        source: &'static str,
        summary: &'static str,
        explanation: &'static str,
    ) -> Self {
        Self::new(code, severity, Games::W3D, Check::W3d(check), source, summary, explanation)
    }

    /// A rule about MDX files.
    pub(crate) const fn mdx(
        code: &'static str,
        severity: Severity,
        check: fn(&MdxContext<'_>, &mut Findings<'_>),
        source: &'static str,
        summary: &'static str,
        explanation: &'static str,
    ) -> Self {
        Self::new(code, severity, Games::MDX, Check::Mdx(check), source, summary, explanation)
    }

    /// The same, for some games only.
    pub(crate) const fn only(mut self, profiles: Games) -> Self {
        self.profiles = profiles;
        self
    }

    /// The same, with a repair.
    pub(crate) const fn repaired(mut self, repair: Repair) -> Self {
        self.repair = Some(repair);
        self
    }

    /// Whether a reader finds it, not a rule of this crate.
    pub const fn is_from_reader(&self) -> bool {
        matches!(self.check, Check::Reader)
    }

    /// Whether it needs to search other files.
    pub fn needs_lookup(&self) -> bool {
        crate::rules::ACROSS_FILES.contains(&self.code)
    }
}

/// Every rule, by family and subject.
///
/// ```
/// let rule = meshwright_check::catalogue().find(|rule| rule.code == "W3D-MESH-005").unwrap();
/// assert_eq!(rule.severity, record::Severity::Error);
/// ```
pub fn catalogue() -> impl Iterator<Item = &'static Rule> {
    crate::rules::ALL.iter().flat_map(|rules| rules.iter())
}

/// The rule of a code, ignoring case.
pub fn rule(code: &str) -> Option<&'static Rule> {
    catalogue().find(|rule| rule.code.eq_ignore_ascii_case(code))
}

/// Rules whose codes are nearest to one that nobody has, nearest first: those that a slip of the finger made it from.
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

/// How many letters have to be added, left out or changed to make one word of another.
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
