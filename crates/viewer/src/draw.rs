//! From state and model to pixels: by the graphics adapter of the window, or by the processor.

use crate::document::Opened;
use crate::graphics::{CardPicture, Graphics};
use crate::playback;
use crate::state::State;
use meshwright::render::frame::{Frame, Options, Overlays, Selected, Source, Viewpoint};
use meshwright::render::soft::{self, Background, Image, Settings};
use meshwright::scene::MeshId;
use std::collections::BTreeSet;
use std::num::NonZero;

/// A picture should take no longer than this while something moves, in milliseconds; larger ones are drawn with fewer pixels.
const SMOOTH: f64 = 40.0;
/// Seconds without a change after which the picture is drawn with all its pixels.
const REST: f64 = 0.15;

/// Options of a frame of the model.
#[must_use]
pub fn options(
    opened: &Opened,
    state: &State,
    selected: Option<Selected>,
    hidden: &BTreeSet<MeshId>,
    aspect: f32,
) -> Options {
    let clip = opened.clip(&state.clip);
    let bounds = opened.bounds(clip);
    let viewpoint = if state.model_camera.is_empty() {
        Viewpoint::Camera(state.orbit.camera(&bounds, aspect))
    } else {
        Viewpoint::Model(state.model_camera.clone())
    };
    let mut options = opened.options();
    options.rules.particles.markers = state.markers;
    Options {
        clip,
        time: playback::frame_time(state, playback::clip(state, opened)),
        aspect,
        viewpoint,
        framed: Some(bounds),
        team_color: state.team_color,
        light: opened.light(&state.light),
        level: state.level,
        overlays: Overlays {
            wireframe: state.wireframe,
            grid: state.grid,
            bones: state.bones,
            extents: state.extents,
            collision: state.collision,
            normals: state.normals,
            attachments: state.attachments,
            cameras: state.cameras,
        },
        channel: state.channel,
        hidden: hidden.iter().copied().collect(),
        selected,
        particles: state.particles,
        ..options
    }
}

/// A frame of the model without some of its effects.
#[must_use]
pub fn frame(opened: &Opened, options: &Options, without: &[Source]) -> Frame {
    let mut frame = opened.framer().frame(options);
    frame.draws.retain(|draw| !without.contains(&draw.source));
    frame
}

/// Draws a picture on the processor, without some effects.
///
/// # Errors
/// Why there is no picture.
pub fn picture(
    opened: &Opened,
    options: &Options,
    without: &[Source],
    size: [u32; 2],
    background: Background,
) -> Result<Image, String> {
    let [width, height] = size;
    let settings = Settings { width, height, background, threads: threads() };
    let pictures = opened.pictures(options.team_color);
    let frame = frame(opened, options, without);
    soft::draw(&frame, &*pictures, &settings).map_err(|error| error.to_string())
}

/// A page has one thread.
const fn threads() -> Option<NonZero<usize>> {
    if cfg!(target_arch = "wasm32") { Some(NonZero::<usize>::MIN) } else { None }
}

/// The picture of a pane on the screen. It is drawn anew only if something has changed.
#[derive(Default)]
pub struct Drawing {
    /// The picture that the graphics adapter draws.
    card: Option<CardPicture>,
    /// The picture that the processor draws.
    texture: Option<egui::TextureHandle>,
    shown: Option<Shown>,
    /// Whether the graphics adapter has refused this model.
    is_refused: bool,
    /// Share of the pixels along each side while something moves.
    scale: Option<f32>,
    changed_at: f64,
}

struct Shown {
    id: egui::TextureId,
    view: View,
    pixels: [u32; 2],
    by_card: bool,
}

impl Drawing {
    /// Draws anew, whatever is shown now, because the model is another one.
    pub fn forget(&mut self) {
        self.shown = None;
        self.is_refused = false;
        if let Some(card) = &mut self.card {
            card.forget();
        }
    }

    /// The texture that shows the model, with this size in pixels. The processor draws if `software` is set, or if the graphics adapter
    /// cannot.
    ///
    /// # Errors
    /// Why there is no picture.
    pub fn update(
        &mut self,
        context: &egui::Context,
        graphics: &mut Graphics,
        opened: &Opened,
        view: View,
    ) -> Result<egui::TextureId, String> {
        let size = view.size;
        let by_card = graphics.draws() && !view.software && !self.is_refused;
        let now = context.input(|input| input.time);
        let known = self.shown.as_ref();
        let same = known.is_some_and(|known| known.view == view && known.by_card == by_card);
        if !same {
            self.changed_at = now;
        }
        let rests = now - self.changed_at > REST || (by_card && !graphics.is_software());
        let scale = if rests { 1.0 } else { self.scale.unwrap_or(1.0) };
        let pixels = size.map(|side| ((side as f32 * scale).round() as u32).clamp(1, side.max(1)));
        if let Some(known) = known
            && same
            && (!rests || known.pixels == size)
        {
            if !rests && known.pixels != size {
                context.request_repaint_after_secs(REST as f32 + 0.01);
            }
            return Ok(known.id);
        }
        let start = web_time::Instant::now();
        let on_card = if by_card { graphics.draw(&mut self.card, opened, &view, pixels) } else { None };
        let id = match on_card {
            Some(id) => {
                self.texture = None;
                id
            }
            None => {
                self.is_refused |= by_card;
                self.card = None;
                self.draw_on_processor(context, opened, &view, pixels)?
            }
        };
        if !rests {
            let took = start.elapsed().as_secs_f64() * 1000.0;
            self.scale = Some(smooth_scale(took / f64::from(scale * scale).max(0.01)));
            if pixels != size {
                context.request_repaint_after_secs(REST as f32 + 0.01);
            }
        }
        self.shown = Some(Shown { id, view, pixels, by_card: on_card.is_some() });
        Ok(id)
    }

    fn draw_on_processor(
        &mut self,
        context: &egui::Context,
        opened: &Opened,
        view: &View,
        pixels: [u32; 2],
    ) -> Result<egui::TextureId, String> {
        let background = Background::Color(view.background);
        let image = picture(opened, &view.options, &view.without, pixels, background)?;
        let image = egui::ColorImage::from_rgba_premultiplied(
            [image.width as usize, image.height as usize],
            &image.pixels,
        );
        let texture = match self.texture.take() {
            Some(mut texture) => {
                texture.set(image, egui::TextureOptions::LINEAR);
                texture
            }
            None => context.load_texture("model", image, egui::TextureOptions::LINEAR),
        };
        Ok(self.texture.insert(texture).id())
    }
}

/// What a pane shows.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The frame.
    pub options: Options,
    /// Effects that are not shown.
    pub without: Vec<Source>,
    /// The colour behind the model.
    pub background: [u8; 3],
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Draw on the processor.
    pub software: bool,
}

/// The share of the pixels along each side with which a picture is quick enough, if all of them take so many milliseconds. There are few
/// steps, since each needs new textures.
fn smooth_scale(full: f64) -> f32 {
    let wanted = (SMOOTH / full.max(1.0)).sqrt();
    [1.0, 0.75, 0.5, 0.35].into_iter().find(|step| f64::from(*step) <= wanted).unwrap_or(0.25)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_pictures_have_fewer_pixels() {
        assert_eq!([10.0, 40.0, 60.0, 160.0, 1e9].map(smooth_scale), [1.0, 1.0, 0.75, 0.5, 0.25]);
    }
}
