//! The help overlay: all keys and the mouse.

use crate::app::App;
use crate::keys::{KEYS, MOUSE};
use egui::{Align2, Context, Grid, ScrollArea, Window};

pub(super) fn show(app: &mut App, context: &Context) {
    let screen = context.content_rect();
    Window::new("Keys and mouse")
        .open(&mut app.help)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .max_height(screen.height() - 60.0)
        .default_width((screen.width() - 40.0).min(900.0))
        .show(context, |ui| {
            ScrollArea::vertical().max_height(screen.height() - 110.0).show(ui, |ui| {
                ui.horizontal_wrapped(|ui| {
                    ui.vertical(|ui| {
                        group(ui, "Mouse", MOUSE.iter().map(|(key, help)| ((*key).to_owned(), *help)))
                    });
                    for (heading, bindings) in KEYS {
                        let rows = bindings.iter().filter(|binding| !binding.help.is_empty());
                        ui.vertical(|ui| {
                            group(ui, heading, rows.map(|binding| (binding.text(), binding.help)))
                        });
                    }
                });
            });
        });
}

fn group<'h>(ui: &mut egui::Ui, heading: &str, rows: impl Iterator<Item = (String, &'h str)>) {
    ui.strong(heading);
    Grid::new(heading).num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
        for (key, help) in rows {
            ui.monospace(key);
            ui.label(help);
            ui.end_row();
        }
    });
    ui.add_space(8.0);
}
