//! A card for programs: JSON, CSV and rows of tables.

use serde_json::{Value, json};

use super::card::Card;
use crate::input::Problem;
use crate::report::{Column, thousands};

/// Columns of the table for people.
pub(super) const COLUMNS: [Column; 11] = [
    ("format", false),
    ("size", true),
    ("meshes", true),
    ("triangles", true),
    ("bones", true),
    ("clips", true),
    ("textures", true),
    ("missing", true),
    ("needs", true),
    ("findings", true),
    ("file", false),
];

/// Columns of the CSV. Names in one cell are separated by `|`, which file names on Windows cannot contain.
pub(super) const CSV_COLUMNS: [Column; 30] = [
    ("file", false),
    ("format", false),
    ("version", false),
    ("game", false),
    ("size", true),
    ("sha256", false),
    ("models", false),
    ("meshes", true),
    ("mesh_names", false),
    ("vertices", true),
    ("triangles", true),
    ("materials", true),
    ("bones", true),
    ("clips", true),
    ("clip_names", false),
    ("textures", true),
    ("texture_names", false),
    ("missing_textures", false),
    ("needs", false),
    ("min_x", true),
    ("min_y", true),
    ("min_z", true),
    ("max_x", true),
    ("max_y", true),
    ("max_z", true),
    ("errors", true),
    ("warnings", true),
    ("infos", true),
    ("hints", true),
    ("unreadable", false),
];

impl Card {
    /// Its row in the table for people.
    pub(super) fn row(&self) -> Vec<String> {
        let numbers = [
            self.size,
            self.summary.meshes.len(),
            self.summary.triangles(),
            self.summary.bones(),
            self.summary.clips.len(),
            self.textures.len(),
            self.missing().count(),
            self.summary.needs.len(),
            self.found.len(),
        ];
        let numbers = numbers.into_iter().map(thousands);
        std::iter::once(self.format.to_owned()).chain(numbers).chain([self.file.clone()]).collect()
    }

    /// Its row in the CSV.
    pub(super) fn csv_row(&self) -> Vec<String> {
        let summary = &self.summary;
        let [(_, errors), (_, warnings), (_, infos), (_, hints)] = self.counts();
        let mut needs: Vec<&String> = summary.needs.iter().map(|need| &need.file).collect();
        needs.dedup();
        let mut row = vec![
            self.file.clone(),
            self.format.to_owned(),
            summary.version.clone().unwrap_or_default(),
            summary.game.game.name().to_owned(),
            self.size.to_string(),
            self.sha256.clone().unwrap_or_default(),
            joined(summary.models.iter()),
            summary.meshes.len().to_string(),
            joined(summary.meshes.iter().map(|mesh| &mesh.name)),
            summary.vertices().to_string(),
            summary.triangles().to_string(),
            summary.materials.to_string(),
            summary.bones().to_string(),
            summary.clips.len().to_string(),
            joined(summary.clips.iter().map(|clip| &clip.name)),
            summary.textures.len().to_string(),
            joined(summary.textures.iter()),
            joined(self.missing()),
            joined(needs.into_iter()),
        ];
        match self.bounds {
            Some([min, max]) => row.extend(min.into_iter().chain(max).map(|number| number.to_string())),
            None => row.extend([const { String::new() }; 6]),
        }
        row.extend([errors, warnings, infos, hints].map(|count| count.to_string()));
        row.push(String::new());
        row
    }

    pub(super) fn to_json(&self) -> Value {
        self.info.to_json(&self.file)
    }
}

/// The row of a file that cannot be read: its name and the reason.
pub(super) fn unreadable_row(problem: &Problem) -> Vec<String> {
    let reason = problem.to_json()["message"].as_str().unwrap_or_default().to_owned();
    let mut row = vec![String::new(); CSV_COLUMNS.len()];
    if let [first, .., last] = row.as_mut_slice() {
        (*first, *last) = (problem.file.clone(), reason);
    }
    row
}

/// The JSON of a file that cannot be read.
pub(super) fn unreadable_json(problem: &Problem) -> Value {
    json!({ "file": problem.file, "error": problem.to_json() })
}

fn joined<'n>(names: impl Iterator<Item = &'n String>) -> String {
    let names: Vec<&str> = names.map(String::as_str).collect();
    names.join("|")
}
