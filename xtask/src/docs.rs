//! `docs`: the parts of the documentation that are generated from the code.
//!
//! Such a part stands in a page between `<!-- generated: NAME -->` and `<!-- end: NAME -->`; people write the rest.

use std::fs;

use crate::report::{Outcome, PASSED, Report, StepResult};
use crate::shell::root;

/// A generated part: the page, the name in its markers, and what makes the text.
struct Part {
    page: &'static str,
    name: &'static str,
    make: fn() -> Result<String, String>,
}

const PARTS: &[Part] = &[Part {
    page: "CONTRIBUTING.md",
    name: "cargo xtask help",
    make: || Ok(format!("```text\n{}```\n", crate::help::help())),
}];

/// Rewrites every generated part.
pub(crate) fn docs(mut report: Report) -> Report {
    for part in PARTS {
        report.step(part.page, || {
            let (old, new) = part.old_and_new()?;
            if old == new {
                return Ok(Outcome::Passed(format!("{}: unchanged", part.name)));
            }
            fs::write(root().join(part.page), new).map_err(|error| format!("{}: {error}", part.page))?;
            Ok(Outcome::Passed(format!("{}: rewritten", part.name)))
        });
    }
    report
}

/// Fails if a generated part is out of date.
pub(crate) fn check() -> StepResult {
    for part in PARTS {
        let (old, new) = part.old_and_new()?;
        if old != new {
            return Err(format!("\"{}\" in {} is out of date: run `cargo xtask docs`", part.name, part.page));
        }
    }
    PASSED
}

impl Part {
    /// The page as it is, and as it should be.
    fn old_and_new(&self) -> Result<(String, String), String> {
        let old =
            fs::read_to_string(root().join(self.page)).map_err(|error| format!("{}: {error}", self.page))?;
        let new = replace_part(&old, self.name, &(self.make)()?)
            .ok_or_else(|| format!("{} has no markers for \"{}\"", self.page, self.name))?;
        Ok((old, new))
    }
}

/// The page with the text between the markers replaced, or `None` if they are not both there.
fn replace_part(page: &str, name: &str, text: &str) -> Option<String> {
    let start = format!("<!-- generated: {name} -->\n");
    let end = format!("<!-- end: {name} -->");
    let (before, rest) = page.split_once(&start)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{start}{text}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_between_the_markers_is_replaced() {
        let page = "before\n<!-- generated: x -->\nold\n<!-- end: x -->\nafter\n";
        let new = replace_part(page, "x", "new\n");
        assert_eq!(new.as_deref(), Some("before\n<!-- generated: x -->\nnew\n<!-- end: x -->\nafter\n"));
    }

    #[test]
    fn missing_markers_are_noticed() {
        assert_eq!(replace_part("<!-- generated: x -->\nold\n", "x", "new\n"), None);
        assert_eq!(replace_part("old\n<!-- end: x -->\n", "x", "new\n"), None);
    }
}
