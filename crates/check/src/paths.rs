//! Parts of paths as models write them, with either slash.

/// The part after the last separator.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A file's name without its extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The extension in lower case, without the dot.
pub(crate) fn extension(path: &str) -> Option<String> {
    file_name(path).rsplit_once('.').map(|(_, extension)| extension.trim().to_ascii_lowercase())
}
