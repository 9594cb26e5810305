use std::collections::BTreeSet;

use record::Severity;
use serde_json::{Value, json};

use super::{FileReport, Mark, link};
use crate::rule;

/// SARIF calls infos and hints notes.
const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "note",
    }
}

/// A path as the URI that SARIF wants: `/` between folders, everything unusual in percent.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into());
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

/// All files as one SARIF 2.1.0 log.
pub fn sarif(files: &[FileReport]) -> Value {
    let results: Vec<Value> = files.iter().flat_map(sarif_results).collect();
    let codes = files.iter().flat_map(FileReport::diagnostics).map(|finding| finding.code.to_string());
    json!({
        "$schema": SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [{ "results": results, "tool": sarif_tool(&codes.collect()) }],
    })
}

/// The schema that a SARIF log names.
pub const SARIF_SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The `tool` of a run, with the rules of these codes.
pub fn sarif_tool(codes: &BTreeSet<String>) -> Value {
    let rules: Vec<Value> = codes.iter().map(|code| described(code)).collect();
    json!({ "driver": {
        "name": "meshwright",
        "version": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": rules,
    } })
}

/// The findings about one file, as elements of `results`.
pub fn sarif_results(file: &FileReport) -> Vec<Value> {
    file.marked().map(|(finding, mark)| result(file, finding, mark)).collect()
}

fn described(code: &str) -> Value {
    match rule(code) {
        None => json!({ "id": code }),
        Some(rule) => json!({
            "id": rule.code,
            "shortDescription": { "text": rule.summary },
            "fullDescription": { "text": rule.explanation },
            "helpUri": link(rule),
            "defaultConfiguration": { "level": level(rule.severity) },
            "properties": { "games": rule.profiles.iter().map(|profile| profile.name()).collect::<Vec<_>>(), "source": rule.source },
        }),
    }
}

fn result(file: &FileReport, finding: &record::Diagnostic, mark: Option<&Mark>) -> Value {
    let message = match &finding.note {
        Some(note) => format!("{} ({note})", finding.message),
        None => finding.message.clone(),
    };
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&file.path) },
        },
    });
    let length = finding.span.end.saturating_sub(finding.span.start);
    let region = match mark {
        Some(mark) => {
            Some(json!({ "startLine": mark.line, "startColumn": mark.column, "endColumn": mark.end_column }))
        }
        None => (!file.is_text()).then(|| json!({ "byteOffset": finding.span.start, "byteLength": length })),
    };
    if let Some(region) = region {
        location["physicalLocation"]["region"] = region;
    }
    if !finding.path.is_empty() {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": finding.path }]);
    }
    json!({
        "ruleId": finding.code,
        "level": level(finding.severity),
        "message": { "text": message },
        "locations": [location],
    })
}
