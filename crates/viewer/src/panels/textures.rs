//! The textures of the model, with alpha and texture coordinates.

use super::nothing;
use crate::app::App;
use crate::document::TextureState;
use crate::interface::Part;
use crate::pane::Object;
use egui::{Color32, Pos2, Rect, Sense, Stroke, Ui, Vec2};
use meshwright::render::frame::PictureId;
use meshwright::render::pictures::Picture;
use meshwright::scene::{Scene, TextureId};

/// Triangles of texture coordinates that are drawn.
const MAX_TRIANGLES: usize = 5000;

pub(super) fn show(app: &mut App, ui: &mut Ui) {
    let Some(pane) = app.panes.get_mut(app.active) else { return };
    if pane.opened.scene.textures.is_empty() {
        nothing(ui, "This model has no textures.");
        return;
    }
    let mut chosen = match pane.selection.object {
        Some(Object::Texture(id)) => Some(id),
        _ => None,
    };
    for (at, texture) in pane.opened.scene.textures.iter().enumerate() {
        let id = TextureId::from(at);
        let name = if texture.name.is_empty() { "(supplied by the game)" } else { texture.name.as_str() };
        ui.horizontal_wrapped(|ui| {
            let response = ui.selectable_label(chosen == Some(id), name);
            match &pane.opened.textures[at] {
                TextureState::Found(path) => {
                    if response.on_hover_text(path.display().to_string()).clicked() {
                        chosen = Some(id);
                    }
                }
                TextureState::NotLoaded => {
                    ui.weak("not loaded");
                }
                TextureState::Failed(reason) => {
                    ui.colored_label(Color32::from_rgb(255, 110, 110), reason);
                }
            }
        });
    }
    let found = |id: &TextureId| matches!(pane.opened.textures.get(id.index()), Some(TextureState::Found(_)));
    let first = || (0..pane.opened.textures.len()).map(TextureId::from).find(found);
    let Some(id) = chosen.filter(found).or_else(first) else { return };
    if chosen == Some(id) && pane.selection.object != Some(Object::Texture(id)) {
        pane.select(Object::Texture(id));
    }
    ui.separator();
    let shown = &mut app.interface.pictures;
    ui.horizontal_wrapped(|ui| {
        ui.selectable_value(&mut shown.part, Part::Blended, "With alpha");
        ui.selectable_value(&mut shown.part, Part::Color, "Colour only");
        ui.selectable_value(&mut shown.part, Part::Alpha, "Alpha only");
        ui.checkbox(&mut shown.coordinates, "Texture coordinates");
    });
    let pictures = pane.opened.pictures(app.state.team_color);
    let picture = pictures.get(PictureId::Texture(id));
    let key = Some((pane.opened.path.clone(), id, shown.part));
    if shown.key != key {
        let image = image(picture, shown.part);
        shown.texture = Some(ui.ctx().load_texture("texture", image, egui::TextureOptions::NEAREST));
        shown.key = key;
    }
    let (width, height) = picture.size(0);
    ui.weak(format!("{width} x {height}"));
    let side = ui.available_width().clamp(64.0, 512.0);
    let size = Vec2::new(side, side * height as f32 / width.max(1) as f32);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    if let Some(texture) = &shown.texture {
        let uv = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
        ui.painter().image(texture.id(), rect, uv, Color32::WHITE);
    }
    if shown.coordinates {
        let painter = ui.painter_at(rect);
        for [a, b, c] in triangles(&pane.opened.scene, id) {
            let place = |uv: glam::Vec2| rect.min + Vec2::new(uv.x * rect.width(), uv.y * rect.height());
            let stroke = Stroke::new(1.0, Color32::from_rgb(255, 160, 0));
            painter.line_segment([place(a), place(b)], stroke);
            painter.line_segment([place(b), place(c)], stroke);
            painter.line_segment([place(c), place(a)], stroke);
        }
    }
}

/// The pixels of the largest level that egui takes.
fn image(picture: &Picture, part: Part) -> egui::ColorImage {
    let level = (0..picture.levels.len()).find(|level| {
        let (width, height) = picture.size(*level);
        width <= 2048 && height <= 2048
    });
    let level = level.unwrap_or(0);
    let (width, height) = picture.size(level);
    let pixels = picture.levels.get(level).map_or(&[][..], |level| level.as_slice());
    let color = |(at, [red, green, blue, alpha]): (usize, &[u8; 4])| match part {
        Part::Color => Color32::from_rgb(*red, *green, *blue),
        Part::Alpha => Color32::from_gray(*alpha),
        Part::Blended => {
            let (x, y) = (at % width.max(1) as usize, at / width.max(1) as usize);
            let square = if (x / 8 + y / 8).is_multiple_of(2) { 90_u32 } else { 140 };
            let mix = |value: u8| {
                ((u32::from(value) * u32::from(*alpha) + square * (255 - u32::from(*alpha))) / 255) as u8
            };
            Color32::from_rgb(mix(*red), mix(*green), mix(*blue))
        }
    };
    egui::ColorImage::new([width as usize, height as usize], pixels.iter().enumerate().map(color).collect())
}

/// The texture coordinates of all triangles that a texture is on, within one repetition.
fn triangles(scene: &Scene, id: TextureId) -> Vec<[glam::Vec2; 3]> {
    let mut all = Vec::new();
    for mesh in &scene.meshes {
        let indices: Vec<u32> = mesh.indices.iter().collect();
        for part in &mesh.parts {
            let material = part.material.and_then(|material| scene.materials.get(material.index()));
            let slots =
                material.into_iter().flat_map(|material| &material.layers).flat_map(|layer| &layer.slots);
            let Some(slot) = slots.into_iter().find(|slot| slot.texture == Some(id)) else { continue };
            let Some(uvs) = mesh.uv_sets.get(slot.uv_set as usize).or(mesh.uv_sets.first()) else { continue };
            let end = (part.start as usize).saturating_add(part.count as usize).min(indices.len());
            let own = indices.get(part.start as usize..end).unwrap_or_default();
            for corners in own.as_chunks::<3>().0 {
                let uv = |at: usize| uvs.get(corners[at] as usize).copied().filter(|uv| uv.is_finite());
                if let (Some(a), Some(b), Some(c)) = (uv(0), uv(1), uv(2)) {
                    let base = a.min(b).min(c).floor();
                    all.push([a - base, b - base, c - base]);
                }
                if all.len() >= MAX_TRIANGLES {
                    return all;
                }
            }
        }
    }
    all
}
