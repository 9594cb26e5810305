use record::{Diagnostic, printable};

use super::{FileReport, Mark};

/// One line per finding, with path, offset and code, and for MDL the line of the text with a mark; repairs on lines of their own.
///
/// ```
/// use meshwright_check::{Document, Options, output, report};
/// let bytes = w3d::sample::crate_box();
/// let mut document = Document::parse(&bytes)?;
/// document.root_mut().find_mut("MESH/MESH_HEADER3").unwrap().value_mut::<w3d::records::MeshHeader3>().unwrap().sort_level.set(99);
/// let file = output::FileReport {
///     path: "mwcrate.w3d".into(),
///     result: Ok(report(&document, &Options::default())),
///     is_text: false,
///     marks: Vec::new(),
///     applied: Vec::new(),
/// };
/// assert_eq!(
///     output::text(&file)[0],
///     "mwcrate.w3d: warning[W3D-MAT-010] at byte 0, MESH[0] \"MWCRATE.BODY\": the sort level is 99; engines know 0 to 32"
/// );
/// # Ok::<(), record::Error>(())
/// ```
pub fn text(file: &FileReport) -> Vec<String> {
    let mut lines = Vec::new();
    for (finding, mark) in file.marked() {
        lines.push(headline(file, finding, mark).concat());
        lines.extend(
            mark.into_iter().flat_map(|mark| mark.draw(false).lines().map(str::to_owned).collect::<Vec<_>>()),
        );
    }
    for applied in &file.applied {
        let path = if applied.path.is_empty() { "the file" } else { &applied.path };
        let (path, message) = (printable(path), printable(&applied.message));
        lines.push(format!("{}: fixed[{}] {path}: {message}", printable(&file.path), applied.code));
    }
    lines
}

/// A finding in one line, in three pieces: place, rule and message.
pub fn headline(file: &FileReport, finding: &Diagnostic, mark: Option<&Mark>) -> [String; 3] {
    let place = mark.map(|mark| format!(":{}:{}", mark.line, mark.column)).unwrap_or_default();
    let rule = format!("{}[{}]", finding.severity.word(), finding.code);
    let byte = if file.is_text() { String::new() } else { format!(" at byte {}", finding.span.start) };
    let part = match (finding.path.is_empty(), byte.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!(" {}", printable(&finding.path)),
        (false, false) => format!(", {}", printable(&finding.path)),
    };
    let note = finding.note.as_ref().map(|note| format!(" ({})", printable(note))).unwrap_or_default();
    let message = printable(&finding.message);
    [format!("{}{place}: ", printable(&file.path)), rule, format!("{byte}{part}: {message}{note}")]
}
