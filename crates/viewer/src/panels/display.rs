//! Settings of the picture.

use super::combo;
use crate::app::App;
use crate::keys::Command;
use crate::state::{GREY, WIREFRAMES};
use egui::{Grid, Ui};
use meshwright::render::frame::{Channel, LIGHT_RIGS, LevelChoice};
use meshwright::scene::team_color;

pub(super) fn show(app: &mut App, ui: &mut Ui) {
    surface(app, ui);
    ui.separator();
    overlays(app, ui);
    ui.separator();
    camera(app, ui);
    ui.separator();
    let on_disk = app.pane().is_some_and(|pane| pane.library.is_on_disk());
    if on_disk {
        ui.checkbox(&mut app.state.watch, "Read the file again when it changes");
    }
    ui.checkbox(&mut app.state.software, "Draw without the graphics card");
}

fn surface(app: &mut App, ui: &mut Ui) {
    let App { state, panes, active, .. } = app;
    Grid::new("surface").num_columns(2).spacing([8.0, 6.0]).show(ui, |ui| {
        ui.label("Show");
        combo(ui, "Show", label(state.channel), 170.0, |ui| {
            for channel in Channel::ALL {
                ui.selectable_value(&mut state.channel, channel, label(channel));
            }
        });
        ui.end_row();
        ui.label("Light");
        let light = if state.light.is_empty() { "as in the game" } else { state.light.as_str() }.to_owned();
        combo(ui, "Light", &light, 170.0, |ui| {
            ui.selectable_value(&mut state.light, String::new(), "as in the game");
            for name in LIGHT_RIGS {
                ui.selectable_value(&mut state.light, name.to_owned(), name);
            }
        });
        ui.end_row();
        ui.label("Edges");
        let edges =
            WIREFRAMES.iter().find(|(kind, ..)| *kind == state.wireframe).map_or("", |(.., label)| *label);
        combo(ui, "Edges", edges, 170.0, |ui| {
            for (kind, _, label) in WIREFRAMES {
                ui.selectable_value(&mut state.wireframe, kind, label);
            }
        });
        ui.end_row();
        ui.label("Background");
        ui.horizontal(|ui| {
            ui.color_edit_button_srgb(&mut state.background);
            for (label, color) in [("Grey", GREY), ("Black", [0; 3]), ("White", [255; 3])] {
                if ui.small_button(label).clicked() {
                    state.background = color;
                }
            }
        });
        ui.end_row();
        ui.label("Team colour");
        ui.vertical(|ui| team_colors(&mut state.team_color, ui));
        ui.end_row();
        let levels = panes.get(*active).map_or(0, |pane| pane.opened.scene.levels.len());
        ui.label("Level of detail");
        let name = |level: LevelChoice| match level {
            LevelChoice::Highest => "highest".to_owned(),
            LevelChoice::Auto => "by size".to_owned(),
            LevelChoice::Number(at) => format!("level {at}"),
        };
        ui.add_enabled_ui(levels > 1, |ui| {
            combo(ui, "Level of detail", &name(state.level), 170.0, |ui| {
                let numbers = (0..levels.min(64)).map(LevelChoice::Number);
                for level in [LevelChoice::Highest, LevelChoice::Auto].into_iter().chain(numbers) {
                    ui.selectable_value(&mut state.level, level, name(level));
                }
            });
        });
        ui.end_row();
    });
}

fn team_colors(chosen: &mut Option<[u8; 3]>, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.set_max_width(190.0);
        ui.spacing_mut().item_spacing = egui::Vec2::splat(3.0);
        for team in &team_color::WARCRAFT[..12] {
            let [red, green, blue] = team.color;
            let size = egui::Vec2::splat(16.0);
            let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click());
            response.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Team colour {}", team.name))
            });
            ui.painter().rect_filled(rect, 3.0, egui::Color32::from_rgb(red, green, blue));
            if *chosen == Some(team.color) {
                let stroke = egui::Stroke::new(2.0, ui.visuals().strong_text_color());
                ui.painter().rect_stroke(rect, 3.0, stroke, egui::StrokeKind::Inside);
            }
            if response.on_hover_text(team.name).clicked() {
                *chosen = Some(team.color);
            }
        }
    });
    ui.horizontal(|ui| {
        let mut custom = chosen.unwrap_or(team_color::WARCRAFT[0].color);
        if ui.color_edit_button_srgb(&mut custom).changed() {
            *chosen = Some(custom);
        }
        if ui.small_button("Default").clicked() {
            *chosen = None;
        }
    });
}

fn overlays(app: &mut App, ui: &mut Ui) {
    let state = &mut app.state;
    Grid::new("overlays").num_columns(2).spacing([16.0, 4.0]).show(ui, |ui| {
        ui.checkbox(&mut state.grid, "Grid");
        ui.checkbox(&mut state.normals, "Normals");
        ui.end_row();
        ui.checkbox(&mut state.bones, "Bones");
        ui.checkbox(&mut state.names, "Names");
        ui.end_row();
        ui.checkbox(&mut state.attachments, "Attachment points");
        ui.checkbox(&mut state.collision, "Collision shapes");
        ui.end_row();
        ui.checkbox(&mut state.extents, "Extents");
        ui.checkbox(&mut state.cameras, "Cameras");
        ui.end_row();
        ui.checkbox(&mut state.particles, "Particles");
        ui.checkbox(&mut state.markers, "Effect markers");
        ui.end_row();
    });
}

fn camera(app: &mut App, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        for (label, yaw, pitch) in [
            ("Front", 0.0, 0.0),
            ("Right", -90.0, 0.0),
            ("Top", 0.0, 90.0),
            ("Back", 180.0, 0.0),
            ("Left", 90.0, 0.0),
        ] {
            if ui.small_button(label).clicked() {
                app.commands.push(Command::LookFrom(yaw, pitch));
            }
        }
        if ui.small_button("Frame").on_hover_text("Frame the model (F)").clicked() {
            app.commands.push(Command::FrameAll);
        }
    });
    let App { state, panes, active, .. } = app;
    ui.checkbox(&mut state.orbit.orthographic, "Orthographic");
    let cameras = panes.get(*active).map_or(&[][..], |pane| pane.opened.scene.cameras.as_slice());
    if !cameras.is_empty() {
        ui.horizontal(|ui| {
            ui.label("Model camera");
            let shown =
                if state.model_camera.is_empty() { "none" } else { state.model_camera.as_str() }.to_owned();
            combo(ui, "Model camera", &shown, 120.0, |ui| {
                ui.selectable_value(&mut state.model_camera, String::new(), "none");
                for (at, camera) in cameras.iter().enumerate().take(100) {
                    let name = if camera.name.is_empty() { at.to_string() } else { camera.name.clone() };
                    ui.selectable_value(&mut state.model_camera, name.clone(), name);
                }
            });
        });
    }
}

/// The words for a channel.
fn label(channel: Channel) -> &'static str {
    match channel {
        Channel::Shaded => "As in the game",
        Channel::Texture => "Texture",
        Channel::Red => "Texture: red",
        Channel::Green => "Texture: green",
        Channel::Blue => "Texture: blue",
        Channel::Alpha => "Texture: alpha",
        Channel::Light => "Light and vertex colours",
        Channel::Normals => "Normals",
        Channel::Uv => "Texture coordinates",
        Channel::Detail => "Second texture",
        Channel::NormalMap => "Normal map",
        Channel::Orm => "Occlusion, roughness, metal",
        Channel::TeamMask => "Team colour mask",
        Channel::Emissive => "Emissive map",
    }
}
