//! Numbers, plurals and lists for messages.

use std::fmt::Display;

/// A number with its thousands separated: `33,742`.
///
/// ```
/// assert_eq!(meshwright_check::output::thousands(33_742), "33,742");
/// ```
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 vertex`, `24 vertices`, `no vertices`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        0 => format!("no {many}"),
        1 => format!("1 {one}"),
        _ => format!("{} {many}", thousands(number)),
    }
}

/// The same for regular plurals.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    count(number, noun, &format!("{noun}s"))
}

/// `is` or `are`, `has` or `have`: the form of a verb that fits a count.
pub(crate) fn verb<'v>(number: usize, one: &'v str, many: &'v str) -> &'v str {
    if number == 1 { one } else { many }
}

/// The message for an index out of range: `bone 36 does not exist: the skeleton has 36 (0 to 35)`.
pub(crate) fn out_of_range(what: &str, index: impl Display, owner: &str, there: usize) -> String {
    let index = separated(index);
    let range = match there {
        0 => "none".to_owned(),
        1 => "only number 0".to_owned(),
        _ => format!("{} (0 to {})", thousands(there), thousands(there - 1)),
    };
    format!("{what} {index} does not exist: the {owner} has {range}")
}

/// The message for a wrong count in a header: `the header says 1 pivot, but there are 3`.
pub(crate) fn miscounted(
    header: &str,
    stated: impl Display,
    there: usize,
    [one, many]: [&'static str; 2],
) -> String {
    let stated = separated(stated);
    let noun = if stated == "1" { one } else { many };
    let there = match there {
        0 => "there are none".to_owned(),
        1 => "there is 1".to_owned(),
        _ => format!("there are {}", thousands(there)),
    };
    format!("{header} says {stated} {noun}, but {there}")
}

/// A whole number with its thousands separated; other numbers unchanged.
fn separated(number: impl Display) -> String {
    let text = number.to_string();
    text.parse().map_or(text, thousands)
}

/// A number of items out of a total: `3 of 24 normals are zero`, `all 24 normals are zero`, `the only normal is zero`.
pub(crate) fn share(some: usize, all: usize, noun: &str, state: &str) -> String {
    match (some, all) {
        (1, 1) => format!("the only {noun} is {state}"),
        _ if some == all => format!("all {} {noun}s are {state}", thousands(all)),
        _ => {
            format!("{} of {} {noun}s {} {state}", thousands(some), thousands(all), verb(some, "is", "are"))
        }
    }
}

/// A number without long rows of zeros: `1.4e-45`, for which `Display` writes 45 digits.
fn short(number: impl Display) -> String {
    const LONGEST: usize = 12;
    let text = number.to_string();
    match text.parse::<f32>() {
        Ok(number) if text.len() > LONGEST => format!("{number:e}"),
        _ => text,
    }
}

/// Numbers of a vector: `(31, 31, -4)`.
pub(crate) fn vector(numbers: impl IntoIterator<Item = impl Display>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(short).collect();
    format!("({})", numbers.join(", "))
}

/// Names in a row: `a, b and c`. A long list is shortened.
pub(crate) fn list(items: &[String]) -> String {
    /// Maximum number of names; the others are counted.
    const NAMED: usize = 5;
    match items {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        items if items.len() > NAMED => {
            format!("{} and {} more", items[..NAMED - 1].join(", "), thousands(items.len() - NAMED + 1))
        }
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!(
            [0, 999, 1000, 12_345, 1_234_567].map(thousands),
            ["0", "999", "1,000", "12,345", "1,234,567"]
        );
    }

    #[test]
    fn plurals_and_ranges() {
        assert_eq!(counted(1, "key"), "1 key");
        assert_eq!(counted(0, "key"), "no keys");
        assert_eq!(count(7432, "vertex", "vertices"), "7,432 vertices");
        assert_eq!(
            out_of_range("bone", 36, "skeleton", 36),
            "bone 36 does not exist: the skeleton has 36 (0 to 35)"
        );
        assert_eq!(
            out_of_range("texture", 1, "model", 1),
            "texture 1 does not exist: the model has only number 0"
        );
        assert_eq!(out_of_range("texture", 0, "model", 0), "texture 0 does not exist: the model has none");
        assert_eq!(
            miscounted("the header", 1, 3, ["pivot", "pivots"]),
            "the header says 1 pivot, but there are 3"
        );
        assert_eq!(
            miscounted("the header", 4096, 1, ["pivot", "pivots"]),
            "the header says 4,096 pivots, but there is 1"
        );
        assert_eq!(share(3, 24, "normal", "zero"), "3 of 24 normals are zero");
        assert_eq!(share(24, 24, "normal", "zero"), "all 24 normals are zero");
        assert_eq!(share(1, 1, "normal", "zero"), "the only normal is zero");
        assert_eq!(vector([1.0e-45_f32, 2.5, -31.0]), "(1e-45, 2.5, -31)");
        let names = |count: usize| (0..count).map(|index| index.to_string()).collect::<Vec<_>>();
        assert_eq!(list(&names(3)), "0, 1 and 2");
        assert_eq!(list(&names(9)), "0, 1, 2, 3 and 5 more");
    }
}
