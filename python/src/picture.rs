//! Pictures of models.

use std::sync::Arc;

use meshwright::render::frame::{Viewpoint, representative_time};
use meshwright::render::soft::Image;
use meshwright::scene::NoteKind;
use meshwright::{Chosen, PictureStore, find_clip, to_png};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Value, json};

use crate::array::{Array, Element};
use crate::choices::{self, RenderChoices};
use crate::error::{Failure, Result};
use crate::model::{Model, note_json};
use crate::workspace::{Search, Workspace, search_of};

/// A picture: pixels, and what is on it.
#[pyclass(frozen, module = "meshwright._core")]
pub(crate) struct Picture {
    width: u32,
    height: u32,
    pixels: Arc<Vec<u8>>,
    facts: String,
}

impl Picture {
    pub(crate) fn new(width: u32, height: u32, pixels: Vec<u8>, facts: String) -> Self {
        Self { width, height, pixels: Arc::new(pixels), facts }
    }
}

#[pymethods]
impl Picture {
    #[getter]
    fn width(&self) -> u32 {
        self.width
    }

    #[getter]
    fn height(&self) -> u32 {
        self.height
    }

    /// Rows of pixels of red, green, blue and alpha.
    #[getter]
    fn pixels(&self) -> Array {
        Array::packed(self.pixels.clone(), Element::Byte, &[self.height as usize, self.width as usize, 4])
    }

    /// What is on it, as JSON.
    #[getter]
    fn facts(&self) -> &str {
        &self.facts
    }

    fn to_png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let png = py.detach(|| {
            let image = Image { width: self.width, height: self.height, pixels: self.pixels.to_vec() };
            to_png(image).map_err(Failure::from)
        })?;
        Ok(PyBytes::new(py, &png))
    }
}

/// Draws a model.
#[pyfunction]
#[pyo3(signature = (model, options, workspace))]
pub(crate) fn render(
    py: Python<'_>,
    model: &Bound<'_, Model>,
    options: &str,
    workspace: Option<&Bound<'_, Workspace>>,
) -> PyResult<Picture> {
    let (model, search) = (model.get().get(), search_of(workspace));
    let choices: RenderChoices = choices::read(options)?;
    Ok(py.detach(|| draw(&model, &search, &choices))?)
}

fn draw(model: &meshwright::Model, search: &Search, choices: &RenderChoices) -> Result<Picture> {
    let settings = choices.settings()?;
    let mut loaded = model.load(&search.workspace);
    let mut notes = std::mem::take(&mut loaded.report).into_notes();
    notes.retain(|note| note.kind == NoteKind::Missing);
    let drawing = loaded.drawing(&PictureStore::for_picture(&settings), choices.team_color()?);
    notes.extend(drawing.report.notes.iter().cloned());
    let scene = &drawing.scene;
    let mut options = drawing.options(&settings);
    if let Some(name) = choices.clip.as_deref() {
        options.clip = match name.eq_ignore_ascii_case("none") {
            true => None,
            false => Some(find_clip(scene, name)?),
        };
        let duration =
            options.clip.and_then(|clip| scene.clips.get(clip.index())).map_or(0.0, |it| it.duration);
        options.time = representative_time(duration);
    }
    choices.apply(&mut options)?;
    let framer = drawing.framer();
    if let Viewpoint::Model(name) = &options.viewpoint
        && !framer.has_camera(name)
    {
        let known = scene.cameras.iter().map(|camera| camera.name.clone()).collect();
        let error = meshwright::Error::NotInModel { what: "camera", name: name.clone(), known };
        let advice = "or give front, side, top, iso, or yaw and pitch such as \"30,20\"";
        return Err(Failure::from(error).with_advice(advice));
    }
    let chosen = Chosen { clip: choices.clip.is_some(), time: choices.time.is_some() };
    let (image, options) = drawing.still(options, &settings, chosen)?;
    let clip = options.clip.and_then(|clip| scene.clips.get(clip.index()));
    let facts = json!({
        "clip": clip.map(|clip| clip.name.as_str()),
        "time": options.time,
        "notes": notes.iter().map(note_json).collect::<Vec<Value>>(),
    });
    Ok(Picture::new(image.width, image.height, image.pixels, facts.to_string()))
}
