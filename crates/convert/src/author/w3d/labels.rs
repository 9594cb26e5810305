//! Names as W3D has them: 15 characters, compared without regard to case.

use std::collections::HashSet;

use crate::author::names;

/// Characters of a name.
pub(super) const LENGTH: usize = 15;

/// Makes names fit, each unlike all others.
#[derive(Default)]
pub(super) struct Labels {
    used: HashSet<String>,
}

impl Labels {
    /// The name if it fits and is new; otherwise one like it with a number.
    pub(super) fn unique(&mut self, name: &str, default: &str) -> String {
        let name = if name.trim().is_empty() { default } else { name };
        let whole = names::fit(name, LENGTH);
        let mut label = whole.clone();
        let mut number = 2;
        while !self.used.insert(label.to_ascii_lowercase()) {
            let suffix = number.to_string();
            let room = LENGTH.saturating_sub(suffix.len());
            label = whole.chars().take(room).collect::<String>() + &suffix;
            number += 1;
        }
        label
    }
}

/// A name that fits, whatever other names there are.
pub(super) fn short(name: &str, default: &str) -> String {
    names::fit(if name.trim().is_empty() { default } else { name }, LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_without_regard_to_case() {
        let mut labels = Labels::default();
        let names = ["Turret", "TURRET", "a name of twenty letters", "a name of twenty numbers", ""];
        let found = names.map(|name| labels.unique(name, "MESH"));
        assert_eq!(found, ["Turret", "TURRET2", "a name of twent", "a name of twen2", "MESH"]);
    }
}
