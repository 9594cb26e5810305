//! The bar at the top: files, saving, help.

use crate::app::App;
use crate::capture::SaveAs;
use crate::keys::Command;
use crate::state::Tab;
use egui::Ui;

/// Width of the buttons on the right, which a long name must not cover.
const RIGHT_BUTTONS: f32 = 120.0;
/// Width that the name of a model needs at least.
const SHORT_NAME: f32 = 100.0;

pub(super) fn show(app: &mut App, ui: &mut Ui) {
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        ui.menu_button("Open", |ui| {
            for (label, key, command) in [
                ("Files...", "Ctrl+O", Command::OpenFiles),
                ("Folder...", "Ctrl+Shift+O", Command::OpenFolder),
                ("Next to this model...", "Ctrl+B", Command::OpenBeside),
                ("Reload", "F5", Command::Reload),
            ] {
                if ui.add(egui::Button::new(label).shortcut_text(key)).clicked() {
                    app.commands.push(command);
                    ui.close();
                }
            }
            if ui.button("Sample models").clicked() {
                app.open_sample();
                ui.close();
            }
        });
        ui.menu_button("Save", |ui| {
            for (label, key, command) in [
                ("Picture", "F12", Command::Screenshot(false)),
                ("Transparent picture", "Ctrl+F12", Command::Screenshot(true)),
                ("Animation (APNG)", "Shift+F12", Command::Record),
                ("Model as GLB...", "", Command::Save(SaveAs::Glb)),
                ("Model as JSON...", "", Command::Save(SaveAs::Json)),
                ("Model as MDL...", "", Command::Save(SaveAs::Mdl)),
            ] {
                if ui.add(egui::Button::new(label).shortcut_text(key)).clicked() {
                    app.commands.push(command);
                    ui.close();
                }
            }
        });
        if let Some(recording) = &app.recording {
            ui.add(egui::ProgressBar::new(recording.progress()).desired_width(90.0).text("Recording"));
        }
        if app.panes.len() > 1 && ui.button("Close second").clicked() {
            app.close_beside();
        }
        ui.separator();
        let place = app.pane().map(|pane| (pane.at, pane.library.models().len()));
        if let Some((at, count)) = place.filter(|(_, count)| *count > 1) {
            if ui.button("<").on_hover_text("Previous file (Left)").clicked() {
                app.commands.push(Command::StepFile(-1, false));
            }
            ui.label(format!("{} of {count}", at + 1));
            if ui.button(">").on_hover_text("Next file (Right)").clicked() {
                app.commands.push(Command::StepFile(1, false));
            }
        }
        if let Some(pane) = app.pane() {
            let path = pane.opened.path.display().to_string();
            let label = egui::Label::new(egui::RichText::new(pane.opened.name()).strong()).truncate();
            // On a phone, the name starts a new row.
            let rest = ui.available_size_before_wrap().x - RIGHT_BUTTONS;
            let room = if rest < SHORT_NAME { ui.available_width() - RIGHT_BUTTONS } else { rest };
            ui.allocate_ui(egui::vec2(room, ui.available_height()), |ui| ui.add(label).on_hover_text(path));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.selectable_label(app.help, "Help").on_hover_text("Keys and mouse (H)").clicked() {
                app.commands.push(Command::Help);
            }
            let is_open = app.state.tab != Tab::None;
            if ui.selectable_label(is_open, "Panel").on_hover_text("Side panel (S)").clicked() {
                app.commands.push(Command::Panel);
            }
        });
    });
    ui.add_space(2.0);
}
