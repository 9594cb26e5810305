//! Names as the source had them, where glTF, or Blender on the way, needed others.

/// Blender's longest name of a bone, in bytes.
const LONGEST_BONE: usize = 63;

/// A name without the number that makes it unique, such as `.001`.
pub(crate) fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, digits)) if digits.len() == 3 && digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            stem
        }
        _ => name,
    }
}

/// The name of something of ours: the source's, unless somebody gave it another. `source` is the one in extras, which is there if it
/// differs from what was written.
pub(crate) fn restored(current: &str, source: Option<&str>, otherwise: &str) -> String {
    match source {
        Some(source) => {
            let written = if source.is_empty() { otherwise } else { source };
            let mut stem = current;
            // Ours may have a number, and Blender adds one to it.
            for _ in 0..3 {
                if stem == written || stem.len() >= LONGEST_BONE - 4 && written.starts_with(stem) {
                    return source.to_owned();
                }
                stem = without_number(stem);
            }
            current.to_owned()
        }
        // What ends like a number of Blender's has its name in extras, so this one is Blender's.
        None => without_number(current).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_blender_go_and_names_of_people_stay() {
        assert_eq!(restored("Hull", None, "Node"), "Hull");
        assert_eq!(restored("Hull.001", None, "Node"), "Hull");
        assert_eq!(restored("Turret", Some("Hull"), "Node"), "Turret");
        assert_eq!(restored("Hull.001", Some("Hull"), "Node"), "Hull");
        assert_eq!(restored("Hull.001.002", Some("Hull.001"), "Node"), "Hull.001");
        assert_eq!(restored("Node.007", Some(""), "Node"), "");
        let long = "x".repeat(79);
        assert_eq!(restored(&long[..63], Some(&long), "Node"), long);
    }
}
