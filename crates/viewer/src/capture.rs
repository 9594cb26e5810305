//! Pictures, animations and models to save.

use crate::draw;
use crate::pane::Pane;
use crate::playback;
use crate::state::State;
use meshwright::gltf_io;
use meshwright::render::frame::Options;
use meshwright::render::soft::{Background, Image};
use meshwright::texture;

/// Pictures per second of an animation.
const FRAME_RATE: f32 = 25.0;
/// Pictures of an animation at most.
const MAX_FRAMES: u32 = 600;
/// Longest side of an animation in pixels.
const LONGEST_SIDE: u32 = 640;

/// Formats in which a model can be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveAs {
    /// Binary glTF, with textures.
    Glb,
    /// The lossless text form.
    Json,
    /// The text form of Warcraft III.
    Mdl,
}

impl SaveAs {
    /// The extension of the file.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Json => "json",
            Self::Mdl => "mdl",
        }
    }
}

/// The view as a PNG, drawn on the processor, so that it is the same on every machine.
///
/// # Errors
/// Why there is no picture.
pub fn screenshot(pane: &Pane, state: &State, size: [u32; 2], transparent: bool) -> Result<Vec<u8>, String> {
    let background = if transparent { Background::Transparent } else { Background::Color(state.background) };
    let mut options = pane.options(state, aspect(size));
    options.selected = None;
    let Image { width, height, pixels } =
        draw::picture(&pane.opened, &options, &pane.without, size, background)?;
    let image = texture::Image::new(width, height, pixels).map_err(|error| error.to_string())?;
    texture::encode_png(&image).map_err(|error| error.to_string())
}

fn aspect([width, height]: [u32; 2]) -> f32 {
    width as f32 / height.max(1) as f32
}

/// The model in another format.
///
/// # Errors
/// Why it cannot be written so.
pub fn model(pane: &Pane, kind: SaveAs) -> Result<Vec<u8>, String> {
    let model = pane.opened.model.as_ref().ok_or("a glTF file cannot be saved in another format here")?;
    match kind {
        SaveAs::Glb => {
            let glb = model.to_glb_with(pane.library.workspace(), &gltf_io::Options::default());
            glb.map(|glb| glb.bytes).map_err(|error| error.to_string())
        }
        SaveAs::Json => Ok(model.to_json().into_bytes()),
        SaveAs::Mdl => model.to_mdl().map_err(|error| error.to_string()),
    }
}

/// An animation of the clip that is drawn picture by picture.
pub struct Recording {
    options: Options,
    background: [u8; 3],
    size: [u32; 2],
    count: u32,
    images: Vec<Image>,
}

impl Recording {
    /// Starts to record the clip that plays, from its beginning to its end.
    ///
    /// # Errors
    /// If no clip plays.
    pub fn new(pane: &Pane, state: &State, size: [u32; 2]) -> Result<Self, String> {
        let clip =
            playback::clip(state, &pane.opened).ok_or("no clip plays: choose a clip to save an animation")?;
        let count = (clip.duration * FRAME_RATE).round();
        if count > MAX_FRAMES as f32 {
            return Err(format!(
                "the clip is too long: {:.0} s; the limit is {MAX_FRAMES} frames",
                clip.duration
            ));
        }
        let scale = (LONGEST_SIDE as f32 / size[0].max(size[1]).max(1) as f32).min(1.0);
        let size = size.map(|side| ((side as f32 * scale) as u32).max(1));
        let mut options = pane.options(state, aspect(size));
        options.selected = None;
        Ok(Self {
            options,
            background: state.background,
            size,
            count: (count as u32).max(1),
            images: Vec::new(),
        })
    }

    /// The share that is done.
    #[must_use]
    pub fn progress(&self) -> f32 {
        self.images.len() as f32 / self.count as f32
    }

    /// Draws the next picture. Returns whether it was the last.
    ///
    /// # Errors
    /// Why there is no picture.
    pub fn step(&mut self, pane: &Pane) -> Result<bool, String> {
        self.options.time = self.images.len() as f32 / FRAME_RATE;
        let background = Background::Color(self.background);
        self.images.push(draw::picture(&pane.opened, &self.options, &pane.without, self.size, background)?);
        Ok(self.images.len() as u32 >= self.count)
    }

    /// The animation as an APNG.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn finish(self) -> Result<Vec<u8>, String> {
        let failed = |error: png::EncodingError| error.to_string();
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.size[0], self.size[1]);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let count = u32::try_from(self.images.len()).unwrap_or(1);
        encoder.set_animated(count.max(1), 0).map_err(failed)?;
        encoder.set_frame_delay(1, FRAME_RATE as u16).map_err(failed)?;
        let mut writer = encoder.write_header().map_err(failed)?;
        for image in &self.images {
            writer.write_image_data(&image.pixels).map_err(failed)?;
        }
        writer.finish().map_err(failed)?;
        Ok(out)
    }
}
