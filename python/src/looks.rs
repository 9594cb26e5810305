//! Changes to places and looks: mirror, attach, blend, recolour.

use meshwright::edit::{
    Attachment, Axis, Blend, Blending, Colour, ColourChange, Mirror, Motion, Selector, skeletons,
};
use pyo3::prelude::*;

use crate::edits::one_of;
use crate::error::{Failure, Result};
use crate::model::Model;
use crate::parts::{Edited, changed};

fn selector(part: &str) -> Result<Selector> {
    part.parse().map_err(Failure::from)
}

/// Mirrors the model.
#[pyfunction]
pub(crate) fn mirror(
    model: &Bound<'_, Model>,
    axis: &str,
    names: Option<bool>,
    force: bool,
) -> PyResult<Edited> {
    let axis = one_of(axis, &[("x", Axis::X), ("y", Axis::Y), ("z", Axis::Z)])?;
    let elsewhere = skeletons(model.get().get().document().root()).elsewhere;
    if let Some(name) = elsewhere.first().filter(|_| !force) {
        let message = format!(
            "the skeleton {name} is in another file, and the model would no longer fit it; pass force=True to change only the model"
        );
        return Err(Failure::argument(message).into());
    }
    let what = Mirror { axis, names: names.unwrap_or(axis == Axis::Y) };
    changed(model, |model| model.mirror(&what))
}

/// Moves a part to another parent; without one, to the root.
#[pyfunction]
pub(crate) fn attach(
    model: &Bound<'_, Model>,
    part: &str,
    to: Option<&str>,
    motion: &str,
) -> PyResult<Edited> {
    let motion = one_of(motion, &[("own", Motion::Own), ("kept", Motion::Kept), ("rigid", Motion::Rigid)])?;
    let attachment = Attachment { part: selector(part)?, to: to.map(selector).transpose()?, motion };
    changed(model, |model| model.attach(&attachment))
}

/// Sets how parts are blended.
#[pyfunction]
pub(crate) fn blend(model: &Bound<'_, Model>, part: &str, how: &str, layer: usize) -> PyResult<Edited> {
    let blend: Blend = how.parse().map_err(Failure::from)?;
    let blending = Blending { parts: selector(part)?, blend, layer };
    changed(model, |model| model.blend(&blending))
}

/// Changes the colours of parts: exactly one of the three.
#[pyfunction]
pub(crate) fn recolour(
    model: &Bound<'_, Model>,
    part: &str,
    colour: Option<[f32; 3]>,
    tint: Option<[f32; 3]>,
    team_colour: Option<bool>,
) -> PyResult<Edited> {
    let change = match (colour, tint, team_colour) {
        (Some(colour), None, None) => ColourChange::Set(Colour(colour)),
        (None, Some(tint), None) => ColourChange::Tint(Colour(tint)),
        (None, None, Some(on)) => ColourChange::TeamColour(on),
        _ => return Err(Failure::argument("give one of colour, tint and team_colour".to_owned()).into()),
    };
    let part = selector(part)?;
    changed(model, |model| model.recolour(&part, &change))
}
