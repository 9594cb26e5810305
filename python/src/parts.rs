//! Changes to models: the verbs of `edit` that choose parts.

use meshwright::edit::{
    Addition, Children, ClipAddition, ClipChange, Derived, PartKind, Recompute, Removal, Report, Selector,
    Smoothing,
};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::choices;
use crate::edits::one_of;
use crate::error::{Failure, Result};
use crate::model::Model;

/// The number of changed parts, and what was lost or assumed.
pub(crate) type Edited = (usize, Vec<String>);

const CHILDREN: [(&str, Children); 2] = [("up", Children::MoveUp), ("remove", Children::Remove)];

fn selectors(parts: &[String]) -> Result<Vec<Selector>> {
    parts.iter().map(|part| part.parse().map_err(Failure::from)).collect()
}

/// A clip by its name, a pattern or `#INDEX`.
fn clip_selector(clip: &str) -> Result<Selector> {
    format!("{}:{clip}", PartKind::Clip.word()).parse().map_err(Failure::from)
}

/// Changes a copy of the model without Python's global lock, and keeps it if nothing failed.
pub(crate) fn changed(
    model: &Bound<'_, Model>,
    change: impl FnOnce(&mut meshwright::Model) -> meshwright::Result<Report> + Send,
) -> PyResult<Edited> {
    let (py, model) = (model.py(), model.get());
    let report = py.detach(|| model.change(|model| Ok(change(model)?)))?;
    Ok((report.changed, report.notes))
}

/// Removes parts and all references to them.
#[pyfunction]
pub(crate) fn remove(
    model: &Bound<'_, Model>,
    parts: Vec<String>,
    unused: bool,
    children: &str,
) -> PyResult<Edited> {
    let removal = Removal { parts: selectors(&parts)?, unused, children: one_of(children, &CHILDREN)? };
    changed(model, |model| model.remove(&removal))
}

/// Removes all parts of the kinds that are named, except these.
#[pyfunction]
pub(crate) fn keep(model: &Bound<'_, Model>, parts: Vec<String>, children: &str) -> PyResult<Edited> {
    let (parts, children) = (selectors(&parts)?, one_of(children, &CHILDREN)?);
    changed(model, |model| model.keep(&parts, children))
}

/// Recomputes derived data.
#[pyfunction]
pub(crate) fn recompute(model: &Bound<'_, Model>, what: Vec<String>, angle: Option<f32>) -> PyResult<Edited> {
    let derived =
        |word: &String| word.parse::<Derived>().map_err(|error| Failure::argument(error.to_string()));
    let what = what.iter().map(derived).collect::<Result<Vec<_>>>()?;
    let what = Recompute::of(what, angle.map_or(Smoothing::Kept, Smoothing::Angle));
    changed(model, |model| model.recompute(&what))
}

/// Makes a model smaller. Returns the number of changes, notes, the bytes before and after, and the largest error of a pose.
#[pyfunction]
pub(crate) fn optimise(
    model: &Bound<'_, Model>,
    tolerance: f32,
    linearise: bool,
    compress: bool,
) -> PyResult<(usize, Vec<String>, usize, usize, f32)> {
    let options = meshwright::edit::Optimise { tolerance, linearise, compress };
    let mut sizes = (0, 0, 0.0);
    let kept = &mut sizes;
    let (count, notes) = changed(model, move |model| {
        let done = model.optimise(&options)?;
        *kept = (done.bytes_before, done.bytes_after, done.error.largest());
        Ok(done.report)
    })?;
    Ok((count, notes, sizes.0, sizes.1, sizes.2))
}

/// Divides meshes by `material` or `part`.
#[pyfunction]
pub(crate) fn split(model: &Bound<'_, Model>, meshes: &str, by: &str) -> PyResult<Edited> {
    const WORDS: [(&str, meshwright::edit::SplitBy); 2] =
        [("material", meshwright::edit::SplitBy::Material), ("part", meshwright::edit::SplitBy::Part)];
    let (meshes, by) = (selectors(&[meshes.to_owned()])?.remove(0), one_of(by, &WORDS)?);
    changed(model, |model| model.split(&meshes, by))
}

/// Joins meshes that are drawn alike.
#[pyfunction]
pub(crate) fn merge(model: &Bound<'_, Model>, meshes: &str) -> PyResult<Edited> {
    let meshes = selectors(&[meshes.to_owned()])?.remove(0);
    changed(model, |model| model.merge_meshes(&meshes))
}

/// A change of clips, as JSON has it.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Change {
    Rename(String),
    Loop(bool),
    Speed(f32),
    Trim(u32, u32),
    Reverse(bool),
    Split(u32, String),
    Join(String),
    Move(i32),
    ShiftEvents(i32),
    MoveSpeed(f32),
    Rarity(f32),
    Bounds([f32; 3], [f32; 3]),
}

/// Changes the chosen clips.
#[pyfunction]
pub(crate) fn change_clip(model: &Bound<'_, Model>, clip: &str, change: &str) -> PyResult<Edited> {
    let change = match choices::read(change)? {
        Change::Rename(name) => ClipChange::Rename(name),
        Change::Loop(loops) => ClipChange::Loop(loops),
        Change::Speed(factor) => ClipChange::Speed(factor),
        Change::Trim(from, to) => ClipChange::Trim { from, to },
        Change::Reverse(true) => ClipChange::Reverse,
        Change::Reverse(false) => return Ok((0, Vec::new())),
        Change::Split(at, name) => ClipChange::Split { at, name },
        Change::Join(other) => ClipChange::Join(clip_selector(&other)?),
        Change::Move(to) => ClipChange::Move(to),
        Change::ShiftEvents(by) => ClipChange::ShiftEvents(by),
        Change::MoveSpeed(speed) => ClipChange::MoveSpeed(speed),
        Change::Rarity(rarity) => ClipChange::Rarity(rarity),
        Change::Bounds(low, high) => ClipChange::Bounds(low, high),
    };
    let clip = clip_selector(clip)?;
    changed(model, |model| model.change_clip(&clip, &change))
}

/// Adds a part of another model.
#[pyfunction]
pub(crate) fn add(
    model: &Bound<'_, Model>,
    source: &Bound<'_, Model>,
    part: &str,
    to: Option<&str>,
    like: Option<String>,
    keep_position: bool,
) -> PyResult<Edited> {
    let selector = |part: &str| part.parse::<Selector>().map_err(Failure::from);
    let addition = Addition { part: selector(part)?, to: to.map(selector).transpose()?, like, keep_position };
    let source = meshwright::Model::clone(&source.get().get());
    changed(model, |model| model.add(&source, &addition))
}

/// Adds a clip of another model.
#[pyfunction]
pub(crate) fn add_clip(
    model: &Bound<'_, Model>,
    source: &Bound<'_, Model>,
    clip: &str,
    name: Option<String>,
    map: Vec<(String, String)>,
    like: Option<String>,
) -> PyResult<Edited> {
    let addition = ClipAddition { clip: clip_selector(clip)?, name, map, like };
    let source = meshwright::Model::clone(&source.get().get());
    changed(model, |model| model.add_clip(&source, &addition))
}
