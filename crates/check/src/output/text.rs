use super::FileReport;

/// One line per finding, with path, offset and code; notes and repairs on lines of their own.
///
/// ```
/// use check::{Document, Options, output, report};
/// let bytes = w3d::sample::crate_box();
/// let mut document = Document::parse(&bytes)?;
/// document.root_mut().find_mut("MESH/MESH_HEADER3").unwrap().value_mut::<w3d::records::MeshHeader3>().unwrap().sort_level.set(99);
/// let file = output::FileReport {
///     path: "mwcrate.w3d".into(),
///     result: Ok(report(&document, &Options::default())),
///     applied: Vec::new(),
/// };
/// assert_eq!(
///     output::text(&file)[0],
///     "mwcrate.w3d: warning[W3D-MAT-010] at byte 0, MESH[0] \"MWCRATE.BODY\": sort level 99"
/// );
/// # Ok::<(), record::Error>(())
/// ```
pub fn text(file: &FileReport) -> Vec<String> {
    let mut lines = Vec::new();
    for finding in file.diagnostics() {
        lines.push(format!("{}: {finding}", file.path));
    }
    for applied in &file.applied {
        let path = if applied.path.is_empty() { "the file" } else { &applied.path };
        lines.push(format!("{}: fixed[{}] {path}: {}", file.path, applied.code, applied.message));
    }
    lines
}
