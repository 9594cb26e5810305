//! Names as W3D has them: 15 characters, compared without regard to case and to spaces at the end.

use crate::author::names::{self, Unique};

/// Characters of a name.
pub(super) const LENGTH: usize = 15;

/// Makes names fit, each unlike all others.
#[derive(Default)]
pub(super) struct Labels(Unique);

impl Labels {
    /// The name if it fits and is new; otherwise one like it with a number.
    pub(super) fn unique(&mut self, name: &str, default: &str) -> String {
        self.0.take(&short(name, default), "", LENGTH)
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

    #[test]
    fn a_space_at_the_end_does_not_make_a_name_unlike_another() {
        let mut labels = Labels::default();
        let names = ["Walk Alternate", "Walk Alternate - 2", "Walk Alternate "];
        let found = names.map(|name| labels.unique(name, "MESH"));
        assert_eq!(found, ["Walk Alternate", "Walk Alternate2", "Walk Alternate3"]);
    }

    #[test]
    fn many_names_that_are_cut_to_the_same_are_numbered_on() {
        let mut labels = Labels::default();
        let names: Vec<String> =
            (0..50_000).map(|_| labels.unique("a name of twenty letters", "MESH")).collect();
        assert_eq!(names[1], "a name of twen2");
        assert_eq!(names[9], "a name of twe10");
        assert_eq!(names[49_999], "a name of 50000");
        assert_eq!(names.iter().collect::<std::collections::HashSet<_>>().len(), 50_000);
    }
}
