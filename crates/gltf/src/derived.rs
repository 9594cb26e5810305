//! Names of pictures that are not textures of the model: layers composited, the player's colour put in, normals in glTF's form.
//!
//! Blender keeps names of images but for their extension, and drops their extras, so the mark is in the name. Without it, the way back
//! would take such a picture for the texture that it was computed from.

use scene::Replaceable;

/// The start of the name of a computed picture.
const MARK: &str = "(derived ";

/// The start of the name of a texture that the game supplies.
const SUPPLIED: &str = "replaceable ";

/// The name of a computed picture: its number among those, and the textures that it was computed from, without folders and extensions.
pub(crate) fn name(number: usize, textures: &[String]) -> String {
    let stem = |name: &String| {
        let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
        last.rsplit_once('.').map_or(last, |(stem, _)| stem).to_owned()
    };
    let stems: Vec<String> = textures.iter().map(stem).filter(|stem| !stem.is_empty()).collect();
    let of = if stems.is_empty() { "color".to_owned() } else { stems.join(" + ") };
    format!("{MARK}{number}) {of}")
}

/// Whether an image is a computed picture, by its name.
pub(crate) fn is_name(name: &str) -> bool {
    let number = name.strip_prefix(MARK).and_then(|rest| rest.split_once(')'));
    number.is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// The name of the picture of a texture that the game supplies and that has no file.
pub(crate) fn replaceable_name(which: Replaceable) -> String {
    format!("{SUPPLIED}{}", which.0)
}

/// The texture that the game supplies, by the name of its picture.
pub(crate) fn replaceable(name: &str) -> Option<Replaceable> {
    let number = name.strip_prefix(SUPPLIED)?;
    let number = number.split_once('.').map_or(number, |(number, _)| number);
    number.parse().ok().map(Replaceable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computed_picture_is_known_by_its_name() {
        let name = name(12, &[r"Textures\Footman.blp".into(), "shine.tga".into()]);
        assert_eq!(name, "(derived 12) Footman + shine");
        assert!(is_name(&name) && is_name("(derived 3) Footman.001"));
        assert!(!is_name("Footman") && !is_name("(derived ) x") && !is_name("derived 3 x"));
    }

    #[test]
    fn a_supplied_texture_is_known_by_its_name() {
        assert_eq!(replaceable(&replaceable_name(Replaceable::TEAM_COLOR)), Some(Replaceable::TEAM_COLOR));
        assert_eq!(replaceable("replaceable 2.png"), Some(Replaceable(2)));
        assert_eq!(replaceable("replaceable"), None);
    }
}
