//! The parts of the window, a file each.

mod chunks;
mod clips;
mod display;
mod help;
mod parts;
mod problems;
mod statistics;
mod textures;
mod timeline;
mod toolbar;
mod viewport;

use crate::app::App;
use crate::state::Tab;
use egui::{CentralPanel, ComboBox, Frame, Panel, Role, ScrollArea, Ui, WidgetInfo};

/// Below this width the side panel is at the bottom.
const NARROW: f32 = 640.0;

/// Text that is easy to read on the dark panels.
pub(crate) fn style(ui: &mut Ui) {
    let visuals = ui.visuals_mut();
    if visuals.dark_mode {
        visuals.override_text_color = Some(egui::Color32::from_gray(220));
        visuals.weak_text_color = Some(egui::Color32::from_gray(160));
    }
}

/// The whole window.
pub(crate) fn show(app: &mut App, ui: &mut Ui) {
    let is_narrow = ui.available_width() < NARROW;
    Panel::top("toolbar").show(ui, |ui| toolbar::show(app, ui));
    Panel::bottom("timeline").show(ui, |ui| timeline::show(app, ui));
    if app.state.tab != Tab::None {
        if is_narrow {
            let height = ui.available_height() * 0.45;
            Panel::bottom("side_below").exact_size(height).show(ui, |ui| side(app, ui));
        } else {
            Panel::right("side").default_size(330.0).size_range(220.0..=720.0).show(ui, |ui| side(app, ui));
        }
    }
    CentralPanel::default().frame(Frame::NONE).show(ui, |ui| viewport::show(app, ui));
    if app.help {
        help::show(app, ui.ctx());
    }
}

fn side(app: &mut App, ui: &mut Ui) {
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        for (tab, _, label) in Tab::ALL {
            if tab != Tab::None {
                ui.selectable_value(&mut app.state.tab, tab, label);
            }
        }
    });
    ui.separator();
    match app.state.tab {
        Tab::None => {}
        Tab::Clips => scrolled(ui, |ui| clips::show(app, ui)),
        Tab::Display => scrolled(ui, |ui| display::show(app, ui)),
        Tab::Parts => scrolled(ui, |ui| parts::show(app, ui)),
        Tab::Chunks => chunks::show(app, ui),
        Tab::Textures => scrolled(ui, |ui| textures::show(app, ui)),
        Tab::Problems => scrolled(ui, |ui| problems::show(app, ui)),
        Tab::Statistics => scrolled(ui, |ui| statistics::show(app, ui)),
    }
}

fn scrolled(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical().auto_shrink(false).show(ui, content);
}

/// A list of choices that opens on a click. Screen readers say its name.
pub(crate) fn combo(ui: &mut Ui, name: &str, chosen: &str, width: f32, content: impl FnOnce(&mut Ui)) {
    let combo = ComboBox::from_id_salt(name).selected_text(chosen).width(width);
    let response = combo.show_ui(ui, content).response;
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, name));
}

/// A line for a list that is empty.
pub(crate) fn nothing(ui: &mut Ui, text: &str) {
    ui.add_space(8.0);
    ui.weak(text);
}
