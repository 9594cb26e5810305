//! Names with left and right exchanged.

use std::collections::{BTreeSet, HashSet};

use record::{Node, decode};

use crate::places::{Role, change_texts, given};
use crate::text::encoded;
use crate::{Error, Family, family_of};

/// Words that end or begin in one of ours and mean something else.
const OTHERS: [&str; 6] = ["bright", "upright", "copyright", "fright", "cleft", "wright"];

/// Exchanges left and right in the names of bones, nodes and meshes. Returns the number of changed texts, and the names that would be too
/// long.
pub(super) fn exchange(root: &mut Node<'_>) -> Result<(usize, Vec<String>), Error> {
    // A field of 16 or 80 characters ends in a NUL.
    let limit = if family_of(root)? == Family::W3d { 15 } else { 79 };
    let own: HashSet<String> = given(root, &|role| matches!(role, Role::Mesh | Role::Object))?
        .into_iter()
        .map(|name| object(&name).1.to_ascii_lowercase())
        .collect();
    let wanted = |role| {
        matches!(role, Role::Bone | Role::Mesh | Role::Object | Role::ObjectReference | Role::PartOfModel)
    };
    let mut too_long = BTreeSet::new();
    let changed = change_texts(root, &wanted, &mut |role, text| {
        let text = decode(text);
        let (container, name) = match role {
            Role::Bone => ("", text.as_ref()),
            _ => object(&text),
        };
        // An object of another file keeps its name there.
        if role != Role::Bone && !own.contains(&name.to_ascii_lowercase()) {
            return Ok(None);
        }
        let Some(new) = exchanged(name) else { return Ok(None) };
        if new.chars().count() > limit {
            too_long.insert(name.to_owned());
            return Ok(None);
        }
        encoded(&format!("{container}{new}")).map(Some)
    })?;
    Ok((changed, too_long.into_iter().collect()))
}

/// The container with its dot, and the name of an object.
fn object(name: &str) -> (&str, &str) {
    name.split_at(name.find('.').map_or(0, |dot| dot + 1))
}

/// The name of the other side; `None` if the name has no side, or one that could not be exchanged back.
fn exchanged(name: &str) -> Option<String> {
    let once = replaced(name);
    (once != name && replaced(&once) == name).then_some(once)
}

fn replaced(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut new = String::with_capacity(name.len() + 1);
    let mut at = 0;
    while at < letters.len() {
        match side(&letters, at) {
            Some((length, other)) => {
                new.push_str(other);
                at += length;
            }
            None => {
                new.push(letters[at]);
                at += 1;
            }
        }
    }
    new
}

/// The length of the word at this letter, and the word of the other side.
fn side(letters: &[char], at: usize) -> Option<(usize, &'static str)> {
    const WORDS: [[&str; 2]; 5] =
        [["LEFT", "RIGHT"], ["Left", "Right"], ["left", "right"], ["L", "R"], ["l", "r"]];
    let pairs = WORDS.iter().flat_map(|[one, other]| [(*one, *other), (*other, *one)]);
    pairs.into_iter().find_map(|(word, other)| {
        let end = at + word.len();
        let here = letters.get(at..end)?;
        let fits = here.iter().copied().eq(word.chars()) && stands_alone(letters, at, end);
        fits.then_some((word.len(), other))
    })
}

/// Whether a word is one by itself and not a part of another one.
fn stands_alone(letters: &[char], at: usize, end: usize) -> bool {
    let before = at.checked_sub(1).map(|before| letters[before]);
    let after = letters.get(end).copied();
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphabetic);
    if end - at == 1 {
        return !is_letter(before) && !is_letter(after);
    }
    // In `HandLeft` and `LeftHand` a word starts with an upper-case letter.
    let (first, last) = (letters[at], letters[end - 1]);
    let starts = !is_letter(before) || first.is_uppercase() && before.is_some_and(char::is_lowercase);
    let ends = !is_letter(after) || last.is_lowercase() && after.is_some_and(char::is_uppercase);
    if starts && ends {
        return true;
    }
    // Names in capitals run words together; then only the start and the end of a run of letters count.
    let run_start =
        letters[..at].iter().rposition(|letter| !letter.is_alphabetic()).map_or(0, |stop| stop + 1);
    let run_end = letters[end..]
        .iter()
        .position(|letter| !letter.is_alphabetic())
        .map_or(letters.len(), |stop| end + stop);
    let run: String = letters[run_start..run_end].iter().collect::<String>().to_lowercase();
    let is_other = OTHERS.iter().any(|word| run.starts_with(word) || run.ends_with(word));
    (run_start == at || run_end == end) && !is_other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_exchanged_and_nothing_else() {
        let pairs = [
            ("Hand Left Ref", "Hand Right Ref"),
            ("HandLeft", "HandRight"),
            ("LeftHand", "RightHand"),
            ("leftHand", "rightHand"),
            ("Bip01 L Hand", "Bip01 R Hand"),
            ("arm_l", "arm_r"),
            ("WHEEL_L01", "WHEEL_R01"),
            ("LEFTTREAD", "RIGHTTREAD"),
            ("TREADLEFT02", "TREADRIGHT02"),
            ("L_Leg_Left", "R_Leg_Right"),
        ];
        for (left, right) in pairs {
            assert_eq!(exchanged(left).as_deref(), Some(right));
            assert_eq!(exchanged(right).as_deref(), Some(left));
        }
        for name in ["BRIGHT", "Upright", "Cleft", "Reel", "Light", "UPLEFT", "Bleftover", "", "Bone_Lr"] {
            assert_eq!(exchanged(name), None, "{name}");
        }
    }
}
