//! The bar at the bottom: clip, play, speed, and a wide scrubber with events.

use super::combo;
use crate::app::App;
use crate::keys::Command;
use crate::playback;
use crate::state::LoopMode;
use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Stroke, Ui, Vec2};
use meshwright::scene::{Clip, Scene};

/// Events that are drawn; damaged files could have millions.
const MAX_EVENTS: usize = 500;

pub(super) fn show(app: &mut App, ui: &mut Ui) {
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| controls(app, ui));
    scrubber(app, ui);
    ui.add_space(4.0);
}

fn controls(app: &mut App, ui: &mut Ui) {
    let play = if app.state.playing { "Pause" } else { "Play" };
    for (label, help, command) in [
        ("|<", "Previous frame (,)", Command::StepFrames(-1)),
        (play, "Play or stop (Space)", Command::Play),
        (">|", "Next frame (.)", Command::StepFrames(1)),
    ] {
        if ui.button(label).on_hover_text(help).clicked() {
            app.commands.push(command);
        }
    }
    let App { state, panes, active, .. } = app;
    let Some(pane) = panes.get(*active) else { return };
    let opened = &pane.opened;
    let now = opened.clip(&state.clip);
    let name = now
        .and_then(|now| opened.scene.clips.get(now.index()))
        .map_or("Rest pose", |clip| clip.name.as_str());
    let mut chosen = None;
    combo(ui, "Clip", name, 150.0, |ui| {
        if ui.selectable_label(now.is_none(), "Rest pose").clicked() {
            chosen = Some("none".to_owned());
        }
        for (at, clip) in opened.scene.clips.iter().enumerate() {
            if ui.selectable_label(now.is_some_and(|now| now.index() == at), &clip.name).clicked() {
                chosen = Some(clip.name.clone());
            }
        }
    });
    if let Some(name) = chosen {
        (state.clip, state.time) = (name, 0.0);
    }
    let mode =
        LoopMode::ALL.iter().find(|(mode, ..)| *mode == state.looping).map_or("", |(.., label)| *label);
    combo(ui, "At the end", mode, 90.0, |ui| {
        for (mode, _, label) in LoopMode::ALL {
            ui.selectable_value(&mut state.looping, mode, label);
        }
    });
    ui.label("Speed");
    ui.add(egui::DragValue::new(&mut state.speed).range(0.05..=8.0).speed(0.01).max_decimals(2).suffix("x"));
    if let Some(clip) = playback::clip(state, opened) {
        let position = playback::position(state, clip);
        let length = playback::frame_length(Some(clip));
        let frame = (position / length).round();
        let last = (clip.duration / length).round();
        ui.label(format!("{position:.2} of {:.2} s, frame {frame} of {last}", clip.duration));
    } else {
        ui.label(format!("{:.2} s", state.time));
    }
}

fn scrubber(app: &mut App, ui: &mut Ui) {
    let App { state, panes, active, .. } = app;
    let Some(pane) = panes.get(*active) else { return };
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, 30.0), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Time"));
    let painter = ui.painter_at(rect);
    let visuals = ui.visuals();
    let bar = Rect::from_min_max(
        Pos2::new(rect.left() + 6.0, rect.top() + 4.0),
        Pos2::new(rect.right() - 6.0, rect.top() + 16.0),
    );
    painter.rect_filled(bar, 3.0, visuals.extreme_bg_color);
    let Some(clip) =
        playback::clip(state, &pane.opened).filter(|clip| clip.duration > 0.0 && clip.duration.is_finite())
    else {
        let text = "Nothing to scrub: no clip plays";
        painter.text(
            bar.center(),
            Align2::CENTER_CENTER,
            text,
            FontId::proportional(10.0),
            visuals.weak_text_color(),
        );
        return;
    };
    if let Some(pointer) = response.interact_pointer_pos() {
        let share = ((pointer.x - bar.left()) / bar.width()).clamp(0.0, 1.0);
        state.time = share * clip.duration;
    }
    let share = (playback::position(state, clip) / clip.duration).clamp(0.0, 1.0);
    let x = bar.left() + bar.width() * share;
    painter.rect_filled(Rect::from_min_max(bar.min, Pos2::new(x, bar.max.y)), 3.0, visuals.selection.bg_fill);
    events(&painter, bar, clip, &pane.opened.scene, visuals.text_color());
    painter.line_segment(
        [Pos2::new(x, bar.top() - 3.0), Pos2::new(x, bar.bottom() + 3.0)],
        Stroke::new(2.0, visuals.strong_text_color()),
    );
    if let Some(pointer) = response.hover_pos() {
        let time = ((pointer.x - bar.left()) / bar.width()).clamp(0.0, 1.0) * clip.duration;
        let near = clip.duration * 6.0 / bar.width().max(1.0);
        let names: Vec<&str> = clip
            .events
            .iter()
            .filter(|key| (key.time - time).abs() <= near)
            .take(8)
            .filter_map(|key| Some(pane.opened.scene.events.get(key.event.index())?.name.as_str()))
            .collect();
        let text = if names.is_empty() {
            format!("{time:.2} s")
        } else {
            format!("{time:.2} s: {}", names.join(", "))
        };
        response.on_hover_text_at_pointer(text);
    }
}

/// Marks with the names of events, as far as names have room.
fn events(painter: &egui::Painter, bar: Rect, clip: &Clip, scene: &Scene, color: Color32) {
    let mut free = f32::NEG_INFINITY;
    for key in clip.events.iter().take(MAX_EVENTS) {
        if !key.time.is_finite() {
            continue;
        }
        let x = bar.left() + bar.width() * (key.time / clip.duration).clamp(0.0, 1.0);
        let mark = Color32::from_rgb(255, 190, 60);
        painter.line_segment(
            [Pos2::new(x, bar.top()), Pos2::new(x, bar.bottom() + 2.0)],
            Stroke::new(1.5, mark),
        );
        let name = scene.events.get(key.event.index()).map_or("", |event| event.name.as_str());
        if x >= free && !name.is_empty() {
            let align = if x + 60.0 > bar.right() { Align2::RIGHT_TOP } else { Align2::LEFT_TOP };
            let drawn =
                painter.text(Pos2::new(x, bar.bottom() + 1.0), align, name, FontId::proportional(9.0), color);
            free = drawn.right() + 6.0;
        }
    }
}
