use serde_json::{Value, json};

use super::{FileReport, Mark, Summary, link};
use crate::rule;

/// The value of `schema`, the first key of the JSON.
pub const JSON_SCHEMA: &str = "meshwright-check-2";

/// All files as one JSON value; `docs/check.schema.json` describes it.
pub fn json(files: &[FileReport]) -> Value {
    let mut summary = Summary::default();
    files.iter().for_each(|file| summary.add(file));
    let files: Vec<Value> = files.iter().map(json_file).collect();
    json!({ "schema": JSON_SCHEMA, "files": files, "summary": json_summary(&summary) })
}

/// One file, as an element of `files`.
pub fn json_file(file: &FileReport) -> Value {
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

/// The counts of all files, those of findings that are not listed included.
pub fn json_summary(summary: &Summary) -> Value {
    let [errors, warnings, infos, hints] = summary.severities;
    json!({
        "files": summary.files,
        "unreadable": summary.unreadable,
        "errors": errors,
        "warnings": warnings,
        "infos": infos,
        "hints": hints,
        "known": summary.known,
        "applied": summary.applied,
    })
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
    if let Some(rule) = rule(&finding.code) {
        value["title"] = rule.summary.into();
        value["link"] = link(rule).into();
    }
    if let Some(mark) = mark {
        value["line"] = mark.line.into();
        value["column"] = mark.column.into();
    }
    value
}
