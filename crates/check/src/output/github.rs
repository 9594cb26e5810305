use record::Severity;

use super::FileReport;

/// What GitHub takes for the end of a property or a message.
fn escaped(text: &str, property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if property { text.replace(':', "%3A").replace(',', "%2C") } else { text }
}

/// One workflow command per finding: `::error file=...,title=CODE::message`.
pub fn github(file: &FileReport) -> Vec<String> {
    let line = |finding: &record::Diagnostic| {
        let word = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info | Severity::Hint => "notice",
        };
        let place = if finding.path.is_empty() { String::new() } else { format!("{}: ", finding.path) };
        let message = format!("{place}{} (byte {})", finding.message, finding.span.start);
        let (path, code) = (escaped(&file.path, true), escaped(&finding.code, true));
        format!("::{word} file={path},title={code}::{}", escaped(&message, false))
    };
    file.diagnostics().iter().map(line).collect()
}
