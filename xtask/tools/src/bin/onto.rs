//! Whether a model that was written as GLB and not changed comes back with the same bytes.
//!
//! ```text
//! onto FILE...               applies each file's own GLB, with and without extras, and compares bytes
//! onto --write DIR FILE...   writes the GLB of each file to DIR, for Blender
//! onto --back DIR FILE...    applies the GLB of each file in DIR, which came back from Blender
//! onto --out DIR ...         also writes the results that differ to DIR
//! ```
//!
//! A line for each file that differs, with what was found different; the last line counts.

use meshwright::{Model, Workspace, gltf_io};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = |arguments: &mut Vec<String>, flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        let folder = arguments.get(at + 1).map(PathBuf::from);
        arguments.drain(at..(at + 2).min(arguments.len()));
        folder
    };
    let write = folder(&mut arguments, "--write");
    let back = folder(&mut arguments, "--back");
    let out = folder(&mut arguments, "--out");
    let workspace = Workspace::default();
    let (mut count, mut same, mut failed) = (0, 0, 0);
    for file in &arguments {
        let path = Path::new(file);
        let Ok(model) = Model::open(path) else {
            println!("{file}: unreadable");
            continue;
        };
        let name = format!("{}.glb", file.trim_start_matches('/').replace(['/', '~'], "__"));
        let glb =
            |model: &Model| model.to_glb_with(&workspace, &gltf_io::Options::default()).map(|glb| glb.bytes);
        if let Some(folder) = &write {
            match glb(&model) {
                Ok(bytes) => drop(std::fs::write(folder.join(&name), bytes)),
                Err(error) => println!("{file}: {error}"),
            }
            continue;
        }
        let cases: Vec<(&str, Vec<u8>)> = match &back {
            Some(folder) => match std::fs::read(folder.join(&name)) {
                Ok(bytes) => vec![("back", bytes)],
                Err(_) => continue,
            },
            None => match glb(&model) {
                Ok(bytes) => {
                    let bare = without_extras(&bytes);
                    vec![("extras", bytes), ("no extras", bare)]
                }
                Err(error) => {
                    println!("{file}: {error}");
                    continue;
                }
            },
        };
        for (case, bytes) in cases {
            count += 1;
            match model.apply(&bytes) {
                Ok(applied) => {
                    let is_same = applied.model.to_bytes().ok() == model.to_bytes().ok();
                    if is_same && applied.edits.is_empty() {
                        same += 1;
                    } else {
                        let shown: Vec<&str> = applied.edits.iter().take(6).map(String::as_str).collect();
                        println!("{file} ({case}): {} edits: {}", applied.edits.len(), shown.join("; "));
                        if let Ok(changes) = model.diff(&applied.model) {
                            let mut parts: Vec<String> =
                                changes.iter().map(|change| area(&change.path)).collect();
                            parts.dedup();
                            println!(
                                "    {} differences in {} bytes: {}",
                                changes.len(),
                                applied.model.to_bytes().map_or(0, |bytes| bytes.len()),
                                parts.join(", ")
                            );
                        }
                        if let (Some(folder), Ok(bytes)) = (&out, applied.model.to_bytes()) {
                            drop(std::fs::write(folder.join(name.replace(".glb", "")), bytes));
                        }
                        for note in applied.report.notes.iter().take(6) {
                            println!("    {note}");
                        }
                    }
                }
                Err(error) => {
                    failed += 1;
                    println!("{file} ({case}): {error}");
                }
            }
        }
    }
    println!("{count} trips, {same} identical, {} differ, {failed} failed", count - same - failed);
    if same == count { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The first two parts of a path.
fn area(path: &str) -> String {
    path.split('/').take(2).collect::<Vec<_>>().join("/")
}

/// The same GLB without any extras.
fn without_extras(glb: &[u8]) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes([glb[at], glb[at + 1], glb[at + 2], glb[at + 3]]) as usize;
    let length = word(12);
    let mut json: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap_or_default();
    strip(&mut json);
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let rest = &glb[20 + length..];
    let total = 20 + text.len() + rest.len();
    let mut bytes = Vec::with_capacity(total);
    bytes.extend_from_slice(&glb[..8]);
    bytes.extend_from_slice(&(total as u32).to_le_bytes());
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&glb[16..20]);
    bytes.extend_from_slice(&text);
    bytes.extend_from_slice(rest);
    bytes
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("extras");
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}
