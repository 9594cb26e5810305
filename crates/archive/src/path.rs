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
        part != ".." && !part.contains([':', '\0']) && !part.chars().any(char::is_control) && !is_device(part)
    };
    (!path.is_empty() && path.split('/').all(safe)).then(|| path.split('/').collect())
}

/// Names that Windows takes for devices, whatever their extension; and parts that it shortens.
fn is_device(part: &str) -> bool {
    if !cfg!(windows) {
        return false;
    }
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let numbered = |name: &str| {
        stem.strip_prefix(name).is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || numbered("COM")
        || numbered("LPT")
        || part.ends_with(['.', ' '])
}
