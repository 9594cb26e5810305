use record::{Severity, printable};

use super::{FileReport, Mark};

/// What GitHub takes for the end of a property or a message.
fn escaped(text: &str, property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if property { text.replace(':', "%3A").replace(',', "%2C") } else { text }
}

/// One workflow command per finding: `::error file=...,title=CODE::message`, for MDL with line and column.
pub fn github(file: &FileReport) -> Vec<String> {
    let line = |(finding, mark): (&record::Diagnostic, Option<&Mark>)| {
        let word = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info | Severity::Hint => "notice",
        };
        let place =
            if finding.path.is_empty() { String::new() } else { format!("{}: ", printable(&finding.path)) };
        let byte = if file.is_text() { String::new() } else { format!(" (byte {})", finding.span.start) };
        let message = format!("{place}{}{byte}", printable(&finding.message));
        let (path, code) = (escaped(&printable(&file.path), true), escaped(&finding.code, true));
        let at = mark.map(|mark| format!("line={},col={},", mark.line, mark.column)).unwrap_or_default();
        format!("::{word} file={path},{at}title={code}::{}", escaped(&message, false))
    };
    file.marked().map(line).collect()
}
