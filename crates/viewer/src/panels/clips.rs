//! The clips of the model.

use super::nothing;
use crate::app::App;
use egui::Ui;

pub(super) fn show(app: &mut App, ui: &mut Ui) {
    let App { state, panes, active, .. } = app;
    let Some(pane) = panes.get(*active) else { return };
    let clips = &pane.opened.scene.clips;
    let now = pane.opened.clip(&state.clip);
    let mut chosen = None;
    if ui.selectable_label(now.is_none(), "Rest pose").clicked() {
        chosen = Some("none".to_owned());
    }
    if clips.is_empty() {
        nothing(ui, "This model has no clips.");
    }
    for (at, clip) in clips.iter().enumerate() {
        let name = if clip.name.is_empty() { "(no name)" } else { clip.name.as_str() };
        let response = ui.horizontal(|ui| {
            let response = ui.selectable_label(now.is_some_and(|now| now.index() == at), name);
            let repeats = if clip.looping { ", loops" } else { "" };
            ui.weak(format!("{:.2} s{repeats}", clip.duration));
            response
        });
        let details = |ui: &mut Ui| {
            let start = clip
                .source_start
                .map(|start| format!("Starts at {start:.3} s in the file\n"))
                .unwrap_or_default();
            let rate = clip.frame_rate.map(|rate| format!("{rate} frames per second\n")).unwrap_or_default();
            let counts = format!("{} animated values, {} events", clip.channels.len(), clip.events.len());
            ui.label(format!("{start}{rate}Moves {} units per second\n{counts}", clip.move_speed));
        };
        if response.inner.on_hover_ui(details).clicked() {
            chosen = Some(clip.name.clone());
        }
    }
    if let Some(name) = chosen {
        state.clip = name;
        state.time = 0.0;
        state.playing = true;
    }
}
