use serde_json::{Value, json};

use super::{FileReport, Mark};

/// All files as one JSON value; `docs/check.schema.json` describes it.
pub fn json(files: &[FileReport]) -> Value {
    json!({ "version": 1, "files": files.iter().map(one).collect::<Vec<_>>() })
}

fn one(file: &FileReport) -> Value {
    let findings: Vec<Value> = file.marked().map(|(found, mark)| finding(found, mark)).collect();
    let applied: Vec<Value> = file
        .applied
        .iter()
        .map(|applied| json!({ "code": applied.code, "path": applied.path, "message": applied.message }))
        .collect();
    match &file.result {
        Ok(report) => json!({
            "path": file.path,
            "readable": true,
            "profile": report.profile.name(),
            "guessedBecause": report.guessed_because,
            "findings": findings,
            "applied": applied,
        }),
        Err(_) => json!({ "path": file.path, "readable": false, "findings": findings, "applied": applied }),
    }
}

fn finding(finding: &record::Diagnostic, mark: Option<&Mark>) -> Value {
    let mut value = json!({
        "code": finding.code,
        "severity": finding.severity.word(),
        "span": [finding.span.start, finding.span.end],
        "path": finding.path,
        "message": finding.message,
        "note": finding.note,
    });
    if let Some(mark) = mark {
        value["line"] = mark.line.into();
        value["column"] = mark.column.into();
    }
    value
}
