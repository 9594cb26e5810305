//! Changes to models: the verbs of `edit`.

use meshwright::check::FixLevel;
use meshwright::edit::{self, Assignment, Axis, Named, Replacement, Transform, Unwanted};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::choices;
use crate::error::{Failure, Result};
use crate::model::{CheckChoices, Model};

/// The value that a word stands for.
pub(crate) fn one_of<T: Copy>(word: &str, known: &[(&str, T)]) -> Result<T> {
    let found = known.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        Failure::argument(format!("unknown value {word:?}; available: {}", names.join(", ")))
    })
}

const NAMED: [(&str, Named); 6] = [
    ("mesh", Named::Mesh),
    ("bone", Named::Bone),
    ("model", Named::Model),
    ("container", Named::Container),
    ("animation", Named::Animation),
    ("camera", Named::Camera),
];

const UNWANTED: [(&str, Unwanted); 5] = [
    ("unknown", Unwanted::Unknown),
    ("user-text", Unwanted::UserText),
    ("unused-materials", Unwanted::UnusedMaterials),
    ("unused-textures", Unwanted::UnusedTextures),
    ("unused-nodes", Unwanted::UnusedNodes),
];

/// Transforms the model. A model whose skeleton is in another file would no longer fit it.
fn transform(
    model: &Bound<'_, Model>,
    py: Python<'_>,
    transform: &Transform,
    force: bool,
) -> PyResult<usize> {
    let model = model.get();
    Ok(py.detach(|| {
        model.change(|model| {
            let edit::Skeletons { here, elsewhere } = edit::skeletons(model.document().root());
            let is_here = |name: &String| here.iter().any(|here| here.eq_ignore_ascii_case(name));
            if let Some(name) = elsewhere.iter().find(|name| !force && !is_here(name)) {
                let name = meshwright::record::printable(name);
                let message =
                    format!("the skeleton {name} is in another file, and the model would no longer fit it");
                let advice = "transform that file too, and pass force=True for both";
                return Err(Failure::new("EDIT", message).with_advice(advice));
            }
            Ok(edit::transform(model.document_mut().root_mut(), transform)?)
        })
    })?)
}

/// Renames an object and all references to it.
#[pyfunction]
pub(crate) fn rename(
    model: &Bound<'_, Model>,
    py: Python<'_>,
    what: &str,
    old: &str,
    new: &str,
) -> PyResult<usize> {
    let what = one_of(what, &NAMED)?;
    let model = model.get();
    Ok(py.detach(|| {
        model.change(|model| Ok(edit::rename(model.document_mut().root_mut(), what, old, new)?))
    })?)
}

/// The names of the objects of a kind.
#[pyfunction]
pub(crate) fn names(model: &Bound<'_, Model>, py: Python<'_>, what: &str) -> PyResult<Vec<String>> {
    let what = one_of(what, &NAMED)?;
    // The function asks for a tree that it may change.
    let mut model = meshwright::Model::clone(&model.get().get());
    Ok(py.detach(|| edit::names(model.document_mut().root_mut(), what).map_err(Failure::from))?)
}

/// Replaces texture references.
#[pyfunction]
pub(crate) fn retexture(
    model: &Bound<'_, Model>,
    py: Python<'_>,
    old: &str,
    new: &str,
    how: &str,
    all_paths: bool,
) -> PyResult<usize> {
    let make = one_of::<fn(&str, &str) -> Result<Replacement, edit::Error>>(
        how,
        &[("exact", Replacement::exact), ("glob", Replacement::glob), ("regex", Replacement::regex)],
    )?;
    let replacement = make(old, new).map_err(Failure::from)?;
    let model = model.get();
    Ok(py.detach(|| {
        model.change(|model| Ok(edit::retexture(model.document_mut().root_mut(), &replacement, all_paths)?))
    })?)
}

/// Scales all lengths.
#[pyfunction]
pub(crate) fn scale(
    model: &Bound<'_, Model>,
    py: Python<'_>,
    factors: [f32; 3],
    force: bool,
) -> PyResult<usize> {
    transform(model, py, &Transform::Scale(factors), force)
}

/// Moves the model.
#[pyfunction]
pub(crate) fn translate(
    model: &Bound<'_, Model>,
    py: Python<'_>,
    by: [f32; 3],
    force: bool,
) -> PyResult<usize> {
    transform(model, py, &Transform::Translate(by), force)
}

/// Rotates the model.
#[pyfunction]
pub(crate) fn rotate(
    model: &Bound<'_, Model>,
    py: Python<'_>,
    axis: &str,
    degrees: f32,
    force: bool,
) -> PyResult<usize> {
    let axis = one_of(axis, &[("x", Axis::X), ("y", Axis::Y), ("z", Axis::Z)])?;
    transform(model, py, &Transform::Rotate(axis, degrees), force)
}

/// Removes unused or unknown data.
#[pyfunction]
pub(crate) fn strip(model: &Bound<'_, Model>, py: Python<'_>, what: &str) -> PyResult<usize> {
    let what = one_of(what, &UNWANTED)?;
    let model = model.get();
    Ok(py.detach(|| model.change(|model| Ok(edit::strip(model.document_mut().root_mut(), what)?)))?)
}

/// Repairs what the rules find. Returns what was done, as JSON.
#[pyfunction]
pub(crate) fn fix(py: Python<'_>, model: &Bound<'_, Model>, all: bool, options: &str) -> PyResult<String> {
    let choices: CheckChoices = choices::read(options)?;
    let (levels, profile) = (choices.levels()?, choices::game_named(choices.profile.as_deref())?);
    let level = if all { FixLevel::All } else { FixLevel::Safe };
    let model = model.get();
    let done = py.detach(|| {
        model.change(|model| {
            let profile = profile.unwrap_or_else(|| model.game());
            Ok(model.repair(profile, &levels, level)?)
        })
    })?;
    let done = done.iter().map(|it| json!({ "code": it.code, "path": it.path, "message": it.message }));
    Ok(Value::from(done.collect::<Vec<_>>()).to_string())
}

/// Sets fields by their paths.
#[pyfunction]
pub(crate) fn set(
    model: &Bound<'_, Model>,
    py: Python<'_>,
    assignments: Vec<(String, String)>,
) -> PyResult<usize> {
    let model = model.get();
    Ok(py.detach(|| {
        model.change(|model| {
            let root = model.document_mut().root_mut();
            let all = assignments.into_iter().map(|(path, value)| Assignment { path, value });
            all.map(|assignment| edit::set(root, &assignment).map_err(Failure::from)).sum()
        })
    })?)
}
