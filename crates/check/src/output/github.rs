use record::{Severity, printable};

use super::{FileReport, Mark, link};
use crate::rule;

/// Escapes the characters that end a property or a message for GitHub.
fn escaped(text: &str, property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if property { text.replace(':', "%3A").replace(',', "%2C") } else { text }
}

/// One workflow command per finding: `::error file=...,title=CODE: title::message`, for MDL with line and column. The message ends with the
/// link to the rule.
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
        let rule = rule(&finding.code);
        let note = finding.note.as_ref().map(|note| format!("\n{}", printable(note))).unwrap_or_default();
        let link = rule.map(|rule| format!("\n{}", link(rule))).unwrap_or_default();
        let message = format!("{place}{}{byte}{note}{link}", printable(&finding.message));
        let title = rule.map(|rule| format!(": {}", rule.summary)).unwrap_or_default();
        let (path, title) =
            (escaped(&printable(&file.path), true), escaped(&format!("{}{title}", finding.code), true));
        let at = mark.map(|mark| format!("line={},col={},", mark.line, mark.column)).unwrap_or_default();
        format!("::{word} file={path},{at}title={title}::{}", escaped(&message, false))
    };
    file.marked().map(line).collect()
}
