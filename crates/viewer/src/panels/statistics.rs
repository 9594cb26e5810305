//! Counts.

use crate::app::App;
use egui::{Grid, Ui};
use meshwright::check::output::thousands;

pub(super) fn show(app: &mut App, ui: &mut Ui) {
    let Some(opened) = app.opened() else { return };
    let scene = &opened.scene;
    let bounds = opened.bounds(opened.clip(&app.state.clip));
    let [x, y, z] = (bounds.max - bounds.min).to_array();
    let mut rows: Vec<(&str, String)> = vec![
        ("File", opened.path.display().to_string()),
        ("Size", format!("{} bytes", thousands(opened.size))),
        ("Game", opened.game.clone()),
    ];
    if let Some(summary) = opened.summary() {
        rows.push(("Version", summary.version.clone().unwrap_or_else(|| "not stated".to_owned())));
    }
    for (name, count) in [
        ("Meshes", scene.meshes.len()),
        ("Vertices", scene.meshes.iter().map(|mesh| mesh.positions.len()).sum()),
        ("Triangles", scene.meshes.iter().map(|mesh| mesh.indices.len() / 3).sum()),
        ("Materials", scene.materials.len()),
        ("Textures", scene.textures.len()),
        ("Nodes", scene.nodes.len()),
        ("Bones", scene.nodes.iter().filter(|node| node.is_bone).count()),
        ("Clips", scene.clips.len()),
        ("Levels of detail", scene.levels.len()),
        ("Emitters", scene.emitters.len()),
        ("Ribbons", scene.ribbons.len()),
        ("Lights", scene.lights.len()),
        ("Cameras", scene.cameras.len()),
        ("Attachment points", scene.attachments.len()),
        ("Events", scene.events.len()),
        ("Collision shapes", scene.collision_shapes.len()),
    ] {
        rows.push((name, thousands(count)));
    }
    rows.push(("Extent", format!("{x:.1} x {y:.1} x {z:.1}")));
    let by = if app.state.software { "the processor".to_owned() } else { app.graphics.description() };
    rows.push(("Drawn by", by));
    Grid::new("statistics").num_columns(2).striped(true).show(ui, |ui| {
        for (name, value) in rows {
            ui.label(name);
            ui.add(egui::Label::new(value).wrap());
            ui.end_row();
        }
    });
}
