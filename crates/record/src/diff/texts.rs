//! Comparing texts that hold numbers.

use super::ArrayChange;
use crate::decode;

/// Whether two texts are equal, numbers in them within `epsilon`.
pub(super) fn same(before: &[u8], after: &[u8], epsilon: f64) -> bool {
    // An exact comparison is of bytes: `1.0` is not `1`.
    before == after || epsilon > 0.0 && distance(before, after).is_some_and(|distance| distance <= epsilon)
}

/// The differences between two lists of texts.
pub(super) fn array(name: &str, before: Vec<&[u8]>, after: Vec<&[u8]>, epsilon: f64) -> Option<ArrayChange> {
    let mut change = ArrayChange {
        name: name.to_owned(),
        before: before.len(),
        after: after.len(),
        changed: 0,
        first: None,
        largest: Some(0.0),
        reordered: false,
        removed: Vec::new(),
        added: Vec::new(),
    };
    for (index, (left, right)) in before.iter().zip(&after).enumerate() {
        if same(left, right, epsilon) {
            continue;
        }
        change.changed += 1;
        let show = |text: &[u8]| decode(text.trim_ascii()).into_owned();
        change.first.get_or_insert_with(|| (index, show(left), show(right)));
        change.largest = change.largest.and_then(|largest| Some(largest.max(distance(left, right)?)));
    }
    if change.changed > 0 {
        change.match_as_sets(&before, &after);
    }
    let differs = change.changed > 0 || change.before != change.after || change.reordered;
    change.largest = change.largest.filter(|_| change.changed > 0);
    differs.then_some(change)
}

/// The largest distance between two numbers at the same place of two texts. `None` if anything else differs.
fn distance(before: &[u8], after: &[u8]) -> Option<f64> {
    let value = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<f64>().ok();
    let mut largest: f64 = 0.0;
    let (mut left, mut right) = (before, after);
    while !left.is_empty() || !right.is_empty() {
        let (words, number);
        (words, number, left) = first_number(left);
        let (other_words, other_number);
        (other_words, other_number, right) = first_number(right);
        if words != other_words {
            return None;
        }
        if number != other_number {
            largest = largest.max((value(number)? - value(other_number)?).abs());
        }
    }
    Some(largest)
}

/// The characters before the first number of a text, the number, and what follows it.
fn first_number(text: &[u8]) -> (&[u8], &[u8], &[u8]) {
    let is_sign = |byte: &u8| matches!(byte, b'-' | b'+' | b'.');
    let digit = text.iter().position(u8::is_ascii_digit).unwrap_or(text.len());
    let signs = text[..digit].iter().rev().take_while(|byte| is_sign(byte)).count();
    let (words, rest) = text.split_at(if digit < text.len() { digit - signs } else { digit });
    // A digit within a word, such as that of `M00`, belongs to the word.
    let is_word = words.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let is_part =
        |byte: &u8| byte.is_ascii_digit() || is_sign(byte) || !is_word && matches!(byte, b'e' | b'E');
    let end = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
    if is_word {
        let (words, rest) = text.split_at(words.len() + end);
        return (words, &[], rest);
    }
    let (number, rest) = rest.split_at(end);
    (words, number, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_texts_are_compared_by_value() {
        let near = |left: &str, right: &str| distance(left.as_bytes(), right.as_bytes());
        assert_eq!(near("<V X=\"1.0\"/>", "<V X=\"1\"/>"), Some(0.0));
        assert_eq!(near("<V X=\"-0.5\" Y=\"2\"/>", "<V X=\"0.5\" Y=\"2\"/>"), Some(1.0));
        assert_eq!(near("1e2", "99"), Some(1.0));
        assert_eq!(near("<V X=\"1\"/>", "<V Y=\"1\"/>"), None, "another attribute");
        assert_eq!(near("M00=\"1\"", "M01=\"1\""), None, "a digit in a word is not a number");
        assert_eq!(near("1 2", "1"), None);
        assert_eq!(near("", ""), Some(0.0));
    }
}
