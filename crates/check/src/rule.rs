//! Rules.

use record::Severity;

use crate::context::{Findings, MdxContext, W3dContext, W3xContext};
use crate::fix::Repair;
use model::Games;

/// One rule of the linter.
#[derive(Debug)]
pub struct Rule {
    /// Stable code, such as `W3D-MESH-003`.
    pub code: &'static str,
    /// The default severity of a finding.
    pub severity: Severity,
    /// The problem, in one line.
    pub summary: &'static str,
    /// The effect in the engine, and how to fix it.
    pub explanation: &'static str,
    /// The games that it applies to.
    pub profiles: Games,
    /// The source of this knowledge.
    pub source: &'static str,
    /// How it is repaired, if it can be.
    pub repair: Option<Repair>,
    pub(crate) check: Check,
}

/// The origin of a rule's findings.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// Reported by the reader of the file.
    Reader,
    W3d(fn(&W3dContext<'_>, &mut Findings<'_>)),
    Mdx(fn(&MdxContext<'_>, &mut Findings<'_>)),
    W3x(fn(&W3xContext<'_>, &mut Findings<'_>)),
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
            b'W' if code.as_bytes()[2] == b'X' => Games::W3X,
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

    /// A rule about W3X files.
    pub(crate) const fn w3x(
        code: &'static str,
        severity: Severity,
        check: fn(&W3xContext<'_>, &mut Findings<'_>),
        source: &'static str,
        summary: &'static str,
        explanation: &'static str,
    ) -> Self {
        Self::new(code, severity, Games::W3X, Check::W3x(check), source, summary, explanation)
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

    /// Whether the reader reports it, not a rule of this crate.
    pub const fn is_from_reader(&self) -> bool {
        matches!(self.check, Check::Reader)
    }
}
