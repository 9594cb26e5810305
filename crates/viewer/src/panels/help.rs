//! The help overlay: all keys and the mouse.

use crate::app::App;
use crate::keys::{KEYS, MOUSE};
use egui::{Align2, Context, Grid, ScrollArea, Window};

/// Width of a column.
const COLUMN: f32 = 255.0;

/// A heading and its rows.
type Group = (&'static str, Vec<(String, &'static str)>);

pub(super) fn show(app: &mut App, context: &Context) {
    let screen = context.content_rect();
    Window::new("Keys and mouse")
        .open(&mut app.help)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .resizable(false)
        .show(context, |ui| {
            ScrollArea::vertical().max_height(screen.height() - 110.0).show(ui, |ui| {
                // As many columns as fit, filled from the left.
                let count = ((screen.width() - 60.0) / COLUMN).floor().clamp(1.0, 4.0) as usize;
                ui.set_width(count as f32 * COLUMN);
                let mouse = MOUSE.iter().map(|(key, help)| ((*key).to_owned(), *help)).collect();
                let keys = KEYS.iter().map(|(heading, bindings)| {
                    let rows = bindings.iter().filter(|binding| !binding.help.is_empty());
                    (*heading, rows.map(|binding| (binding.text(), binding.help)).collect())
                });
                let groups: Vec<Group> = std::iter::once(("Mouse", mouse)).chain(keys).collect();
                let lines: usize = groups.iter().map(|(_, rows)| rows.len() + 2).sum();
                ui.columns(count, |columns| {
                    let mut done = 0;
                    for (heading, rows) in groups {
                        let column = (done * count / lines.max(1)).min(count - 1);
                        done += rows.len() + 2;
                        group(&mut columns[column], heading, rows.into_iter());
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
