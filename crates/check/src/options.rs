//! Options of a check.

use assets::Lookup;
use record::Severity;

use crate::catalogue::catalogue;
use crate::rule::Rule;
use model::{Evidence, Game};

/// The treatment of a rule's findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Not searched for.
    Allow,
    /// Reported as warnings.
    Warn,
    /// Reported as errors.
    Deny,
}

/// Levels by rule: the last that matches counts. A pattern is a code, a beginning of one such as `W3D-MESH`, or `all`.
///
/// ```
/// use meshwright_check::{Level, Levels};
/// let mut levels = Levels::default();
/// levels.set("W3D-NAME", Level::Allow);
/// levels.set("w3d-name-006", Level::Deny);
/// assert_eq!(levels.of("W3D-NAME-002"), Some(Level::Allow));
/// assert_eq!(levels.of("W3D-NAME-006"), Some(Level::Deny));
/// assert_eq!(levels.of("W3D-MESH-001"), None);
/// levels.set("warnings", Level::Deny);
/// assert_eq!(levels.unknown().count(), 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    patterns: Vec<(String, Level)>,
    /// Whether rules that warn report errors, unless a pattern sets their level.
    deny_warnings: bool,
}

impl Levels {
    /// Sets the level of a code or of all codes with a prefix. Denying `warnings` makes errors of all warnings whose level is not set.
    pub fn set(&mut self, pattern: &str, level: Level) {
        if level == Level::Deny && pattern.eq_ignore_ascii_case("warnings") {
            self.deny_warnings = true;
            return;
        }
        self.patterns.push((pattern.trim_end_matches('*').trim_end_matches('-').to_ascii_uppercase(), level));
    }

    /// Adds the levels of another list, which take precedence.
    pub fn extend(&mut self, other: &Self) {
        self.patterns.extend(other.patterns.iter().cloned());
        self.deny_warnings |= other.deny_warnings;
    }

    /// The level that was set for a code.
    pub fn of(&self, code: &str) -> Option<Level> {
        let matches = |pattern: &str| {
            pattern == "ALL"
                || code.strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        self.patterns.iter().rev().find(|(pattern, _)| matches(pattern)).map(|(_, level)| *level)
    }

    /// Whether the findings of a code are searched for.
    pub(crate) fn is_on(&self, code: &str) -> bool {
        self.of(code) != Some(Level::Allow)
    }

    /// Patterns that match no rule, probably mistyped.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        self.patterns.iter().map(|(pattern, _)| pattern.as_str()).filter(|pattern| {
            *pattern != "ALL" && {
                let mut one = Self::default();
                one.set(pattern, Level::Warn);
                !catalogue().any(|rule| one.of(rule.code).is_some())
            }
        })
    }

    /// The severity of a rule's findings; `None` if it is off.
    pub(crate) fn severity(&self, rule: &Rule) -> Option<Severity> {
        self.apply(rule.code, rule.severity)
    }

    /// The severity of a finding whose severity differs from its rule's; `None` if the rule is off.
    pub(crate) fn apply(&self, code: &str, own: Severity) -> Option<Severity> {
        match self.of(code) {
            None if self.deny_warnings && own == Severity::Warning => Some(Severity::Error),
            None => Some(own),
            Some(Level::Allow) => None,
            Some(Level::Warn) => Some(Severity::Warning),
            Some(Level::Deny) => Some(Severity::Error),
        }
    }
}

/// How to check a file.
#[derive(Clone, Copy, Default)]
pub struct Options<'o> {
    /// The game; guessed if not given.
    pub profile: Option<Game>,
    /// Evidence of all files in the folder, for the guess. Without it, the game is guessed from the file alone.
    pub evidence: Option<&'o Evidence>,
    /// Levels of rules. Other rules have their default severity.
    pub levels: Option<&'o Levels>,
    /// The file's name without folder, to compare with the names in it.
    pub file_name: Option<&'o str>,
    /// Search for other files. Without it, nothing that may be in another file is reported as missing.
    pub lookup: Option<Lookup<'o>>,
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("profile", &self.profile)
            .field("evidence", &self.evidence)
            .field("levels", &self.levels)
            .field("file_name", &self.file_name)
            .field("lookup", &self.lookup.is_some())
            .finish()
    }
}
