//! From state and model to pixels.

use crate::document::Opened;
use crate::playback;
use crate::state::State;
use meshwright::render::frame::{Options, Overlays, Selected, Viewpoint};
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

/// Draws a picture on the processor.
///
/// # Errors
/// Why there is no picture.
pub fn picture(
    opened: &Opened,
    options: &Options,
    size: [u32; 2],
    background: Background,
) -> Result<Image, String> {
    let [width, height] = size;
    let settings = Settings { width, height, background, threads: threads() };
    let pictures = opened.pictures(options.team_color);
    let frame = opened.framer().frame(options);
    soft::draw(&frame, &*pictures, &settings).map_err(|error| error.to_string())
}

/// A page has one thread.
const fn threads() -> Option<NonZero<usize>> {
    if cfg!(target_arch = "wasm32") { Some(NonZero::<usize>::MIN) } else { None }
}

/// The picture of a pane on the screen. It is drawn anew only if something has changed.
#[derive(Default)]
pub struct Drawing {
    texture: Option<egui::TextureHandle>,
    shown: Option<Shown>,
    /// Share of the pixels along each side while something moves.
    scale: Option<f32>,
    changed_at: f64,
}

#[derive(PartialEq)]
struct Shown {
    options: Options,
    background: [u8; 3],
    size: [u32; 2],
    pixels: [u32; 2],
}

impl Drawing {
    /// Draws anew, whatever is shown now.
    pub fn forget(&mut self) {
        self.shown = None;
    }

    /// The texture that shows the model, with this size in pixels.
    ///
    /// # Errors
    /// Why there is no picture.
    pub fn update(
        &mut self,
        context: &egui::Context,
        opened: &Opened,
        options: Options,
        background: [u8; 3],
        size: [u32; 2],
    ) -> Result<egui::TextureId, String> {
        let now = context.input(|input| input.time);
        let known = self.shown.as_ref();
        let same = known.is_some_and(|known| {
            known.options == options && known.background == background && known.size == size
        });
        if !same {
            self.changed_at = now;
        }
        let rests = now - self.changed_at > REST;
        let scale = if rests { 1.0 } else { self.scale.unwrap_or(1.0) };
        let pixels = size.map(|side| ((side as f32 * scale).round() as u32).clamp(1, side.max(1)));
        if !same || known.is_some_and(|known| rests && known.pixels != size) {
            let image = {
                let start = web_time::Instant::now();
                let image = picture(opened, &options, pixels, Background::Color(background))?;
                let took = start.elapsed().as_secs_f64() * 1000.0;
                if !rests {
                    let full = took / f64::from(scale * scale).max(0.01);
                    self.scale = Some(((SMOOTH / full.max(1.0)).sqrt() as f32).clamp(0.25, 1.0));
                }
                image
            };
            let image = egui::ColorImage::from_rgba_premultiplied(
                [image.width as usize, image.height as usize],
                &image.pixels,
            );
            match &mut self.texture {
                Some(texture) => texture.set(image, egui::TextureOptions::LINEAR),
                None => {
                    self.texture = Some(context.load_texture("model", image, egui::TextureOptions::LINEAR));
                }
            }
            self.shown = Some(Shown { options, background, size, pixels });
        }
        if pixels != size && !rests {
            context.request_repaint_after_secs(REST as f32 + 0.01);
        }
        self.texture.as_ref().map(egui::TextureHandle::id).ok_or_else(|| "there is no picture yet".to_owned())
    }
}
