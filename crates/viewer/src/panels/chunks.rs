//! The chunk tree with every field.

use super::nothing;
use crate::app::App;
use crate::chunks::{self, Row};
use egui::{ScrollArea, Ui};
use meshwright::check::output::thousands;

pub(super) fn show(app: &mut App, ui: &mut Ui) {
    let Some(pane) = app.panes.get_mut(app.active) else { return };
    let Some(model) = &pane.opened.model else {
        nothing(ui, "glTF files have no chunks.");
        return;
    };
    if let Some(way) = &pane.selection.chunk {
        // What is selected is visible: everything above it is open.
        pane.open_chunks.extend((1..way.len()).map(|end| way[..end].to_vec()));
    }
    let rows = chunks::rows(model.document().root(), &pane.open_chunks);
    let height = ui.text_style_height(&egui::TextStyle::Body).max(ui.spacing().interact_size.y);
    let mut chosen = None;
    let mut area = ScrollArea::both().auto_shrink(false);
    if app.interface.scrolled_to != pane.selection.chunk {
        app.interface.scrolled_to = pane.selection.chunk.clone();
        if let Some(at) = rows.iter().position(|row| row.is_chunk(pane.selection.chunk.as_deref())) {
            // The row is in the upper third, so that its fields are visible.
            let offset = at as f32 * (height + ui.spacing().item_spacing.y) - ui.available_height() / 3.0;
            area = area.vertical_scroll_offset(offset.max(0.0));
        }
    }
    area.show_rows(ui, height, rows.len(), |ui, range| {
        for row in rows.get(range).unwrap_or_default() {
            ui.horizontal(|ui| match row {
                Row::Chunk { way, name, size, opens } => {
                    ui.add_space((way.len() - 1) as f32 * 14.0);
                    let is_open = pane.open_chunks.contains(way);
                    let sign = if is_open { "-" } else { "+" };
                    if *opens && ui.small_button(sign).clicked() && !pane.open_chunks.remove(way) {
                        pane.open_chunks.insert(way.clone());
                    }
                    if ui.selectable_label(pane.selection.chunk.as_ref() == Some(way), name).clicked() {
                        chosen = Some(way.clone());
                    }
                    ui.weak(format!("{} bytes", thousands(*size)));
                }
                Row::Field { depth, text } => {
                    ui.add_space(*depth as f32 * 14.0);
                    ui.monospace(text);
                }
            });
        }
    });
    if let Some(way) = chosen {
        pane.open_chunks.insert(way.clone());
        // It is visible already.
        app.interface.scrolled_to = Some(way.clone());
        pane.select_chunk(way);
    }
}
