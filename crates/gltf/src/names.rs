//! Unique names: Blender's importer and other readers look things up by name.

use foldhash::fast::RandomState;
use std::borrow::Cow;
use std::collections::HashMap;

/// The names of one kind of thing that are taken, each with the last number that was tried after it.
#[derive(Default)]
pub(crate) struct Names(HashMap<String, u32, RandomState>);

impl Names {
    /// The name, or the name with the first free number, such as `Hull.001`. Blender numbers duplicates the same way, and the exporters
    /// of the games drop such a number. An empty name becomes `otherwise`.
    pub(crate) fn unique<'a>(&mut self, name: &'a str, otherwise: &'a str) -> Cow<'a, str> {
        let name = if name.is_empty() { otherwise } else { name };
        let Some(tried) = self.0.get(name).copied() else {
            self.0.insert(name.to_owned(), 0);
            return Cow::Borrowed(name);
        };
        let numbered = |number: u32| format!("{name}.{number:03}");
        let number =
            (tried + 1..).find(|&number| !self.0.contains_key(&numbered(number))).unwrap_or(u32::MAX);
        self.0.insert(name.to_owned(), number);
        self.0.insert(numbered(number), 0);
        Cow::Owned(numbered(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_and_empty_names_are_numbered() {
        let mut names = Names::default();
        let given = ["Hull", "", "Hull", "Hull.001", "", "hull", " Hull\t"];
        let unique = given.map(|name| names.unique(name, "Node").into_owned());
        assert_eq!(unique, ["Hull", "Node", "Hull.001", "Hull.001.001", "Node.001", "hull", " Hull\t"]);
    }
}
