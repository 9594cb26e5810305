//! Names of members: one spelling for display, one key for comparison.

use std::path::PathBuf;

/// The path of a member as people see it: `/` between folders, no `/` or `./` in front.
///
/// Bytes that are not UTF-8 are read as Latin-1, so that each name has exactly one spelling.
pub(crate) fn display(name: &[u8]) -> String {
    let text = match std::str::from_utf8(name) {
        Ok(text) => text.to_owned(),
        Err(_) => name.iter().map(|&byte| char::from(byte)).collect(),
    };
    clean(&text)
}

/// `\` becomes `/`; empty and `.` parts are dropped. `..` stays: the caller must not follow it.
pub(crate) fn clean(text: &str) -> String {
    let parts = text.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".");
    parts.fold(String::with_capacity(text.len()), |mut path, part| {
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(part);
        path
    })
}

/// The key of a path: equal for paths that the games treat as the same file. Lower case, `/` between folders.
///
/// ```
/// assert_eq!(meshwright_archive::key(r"Art\W3D\Tank.W3D"), "art/w3d/tank.w3d");
/// assert_eq!(meshwright_archive::key("./art//w3d/TANK.w3d"), "art/w3d/tank.w3d");
/// ```
pub fn key(path: &str) -> String {
    clean(path).to_lowercase()
}

/// The path below a folder to which a member may be extracted; `None` if following it could leave the folder or
/// reach something that is not a plain file.
///
/// ```
/// use meshwright_archive::safe_path;
/// assert_eq!(safe_path("art/w3d/tank.w3d"), Some("art/w3d/tank.w3d".into()));
/// for escape in ["../tank.w3d", "a/../../b", "C:/tank.w3d", "a/b:stream", "", "a\0b"] {
///     assert_eq!(safe_path(escape), None, "{escape:?}");
/// }
/// ```
pub fn safe_path(path: &str) -> Option<PathBuf> {
    let path = clean(path);
    let safe = |part: &str| {
        let is_refused = part == ".."
            || part.contains([':', '\0'])
            || part.chars().any(is_hidden)
            || cfg!(windows) && is_device(part);
        !is_refused
    };
    (!path.is_empty() && path.split('/').all(safe)).then(|| path.split('/').collect())
}

/// Characters that show nothing, or that make file managers show a name in another order: `exe.w3d` for a program.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Names that Windows takes for devices, whatever their extension; and parts that it shortens.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    // Superscripts count as digits.
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '¹' | '²' | '³');
    let numbered = |name: &str| {
        let mut rest = stem.strip_prefix(name).unwrap_or_default().chars();
        rest.next().is_some_and(is_digit) && rest.next().is_none()
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$")
        || numbered("COM")
        || numbered("LPT")
        || part.ends_with(['.', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_of_windows_are_known_by_all_their_names() {
        for name in
            ["con", "NUL.w3d", "COM1", "com\u{b9}.txt", "LPT\u{b3}", "CONIN$", "conout$.w3d", "a.", "a "]
        {
            assert!(is_device(name), "{name:?}");
        }
        for name in ["console", "COM", "COM10", "COMA", "LPT\u{2074}", "a.b", "$conin"] {
            assert!(!is_device(name), "{name:?}");
        }
    }

    #[test]
    fn names_that_look_like_others_are_refused() {
        for name in ["safe\u{202e}d3w.exe", "a\u{200b}.w3d", "a\u{2066}b", "\u{feff}a"] {
            assert_eq!(safe_path(name), None, "{name:?}");
        }
        assert!(safe_path("Übung/日本.w3d").is_some());
    }
}
