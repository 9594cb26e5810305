//! The tree of nodes and parts, with toggles.

use super::nothing;
use crate::app::App;
use crate::keys::Command;
use crate::pane::{Object, Pane};
use egui::{CollapsingHeader, Ui};
use meshwright::check::output::thousands;
use meshwright::render::frame::Source;
use meshwright::scene::{EmitterId, MeshId, NodeId, RibbonId};

/// Rows that are shown at most: damaged files could have millions of nodes.
const MOST: usize = 2000;

pub(super) fn show(app: &mut App, ui: &mut Ui) {
    let Some(pane) = app.panes.get_mut(app.active) else { return };
    ui.horizontal(|ui| {
        if ui.small_button("Show all").clicked() {
            pane.hidden.clear();
            pane.without.clear();
        }
        if ui.small_button("Hide all").clicked() {
            pane.hidden = (0..pane.opened.scene.meshes.len()).map(MeshId::from).collect();
            pane.without = effects(pane).into_iter().map(|(source, _)| source).collect();
        }
        if ui.small_button("Frame selected").clicked() {
            app.commands.push(Command::FrameSelected);
        }
    });
    let Some(pane) = app.panes.get_mut(app.active) else { return };
    CollapsingHeader::new(format!("Meshes ({})", pane.opened.scene.meshes.len())).default_open(true).show(
        ui,
        |ui| {
            meshes(pane, ui);
        },
    );
    let effects = effects(pane);
    if !effects.is_empty() {
        let title = format!("Effects ({})", effects.len());
        CollapsingHeader::new(title).default_open(true).show(ui, |ui| {
            for (source, name) in effects.into_iter().take(MOST) {
                let mut is_shown = !pane.without.contains(&source);
                if ui.checkbox(&mut is_shown, name).changed() {
                    pane.without.retain(|other| *other != source);
                    if !is_shown {
                        pane.without.push(source);
                    }
                }
            }
        });
    }
    CollapsingHeader::new(format!("Nodes ({})", pane.opened.scene.nodes.len())).default_open(true).show(
        ui,
        |ui| {
            nodes(pane, ui);
        },
    );
}

/// Everything that `Particles` in the settings turns on, with its name.
fn effects(pane: &Pane) -> Vec<(Source, String)> {
    let scene = &pane.opened.scene;
    let named = |name: &str, kind: &str, at: usize| {
        if name.is_empty() { format!("{kind} {at}") } else { format!("{name} ({})", kind.to_lowercase()) }
    };
    let mut all = Vec::new();
    for (at, emitter) in scene.emitters.iter().enumerate() {
        all.push((Source::Emitter(EmitterId::from(at)), named(&emitter.name, "Emitter", at)));
    }
    for (at, ribbon) in scene.ribbons.iter().enumerate() {
        all.push((Source::Ribbon(RibbonId::from(at)), named(&ribbon.name, "Ribbon", at)));
    }
    for (at, primitive) in scene.primitives.iter().enumerate() {
        all.push((Source::Primitive(at as u32), named(&primitive.name, "Ring or sphere", at)));
    }
    for (at, dazzle) in scene.dazzles.iter().enumerate() {
        all.push((Source::Dazzle(at as u32), named(&dazzle.name, "Dazzle", at)));
    }
    all
}

fn meshes(pane: &mut Pane, ui: &mut Ui) {
    if pane.opened.scene.meshes.is_empty() {
        nothing(ui, "This file has no meshes.");
    }
    let mut chosen = None;
    for (at, mesh) in pane.opened.scene.meshes.iter().enumerate().take(MOST) {
        let id = MeshId::from(at);
        ui.horizontal(|ui| {
            let mut is_shown = !pane.hidden.contains(&id);
            let name = if mesh.name.is_empty() { format!("Mesh {at}") } else { mesh.name.clone() };
            let toggle = ui.checkbox(&mut is_shown, "").on_hover_text(format!("Show {name}"));
            toggle.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::CheckBox, true, format!("Show {name}"))
            });
            if toggle.changed() {
                if is_shown {
                    pane.hidden.remove(&id);
                } else {
                    pane.hidden.insert(id);
                }
            }
            let is_selected = pane.selection.object == Some(Object::Mesh(id));
            if ui.selectable_label(is_selected, name).clicked() {
                chosen = Some(Object::Mesh(id));
            }
            ui.weak(format!("{} triangles", thousands(mesh.indices.len() / 3)));
        });
    }
    if let Some(object) = chosen {
        pane.select(object);
    }
}

fn nodes(pane: &mut Pane, ui: &mut Ui) {
    let nodes = &pane.opened.scene.nodes;
    if nodes.is_empty() {
        nothing(ui, "This file has no nodes.");
    }
    let mut chosen = None;
    for (at, node) in nodes.iter().enumerate().take(MOST) {
        // A chain of parents may be a circle.
        let mut depth = 0;
        let mut above = node.parent;
        while let Some(parent) = above.and_then(|parent| nodes.get(parent.index())) {
            depth += 1;
            above = parent.parent.filter(|_| depth < 24);
        }
        ui.horizontal(|ui| {
            ui.add_space(depth as f32 * 10.0);
            let id = NodeId::from(at);
            let name = if node.name.is_empty() { format!("Node {at}") } else { node.name.clone() };
            if ui.selectable_label(pane.selection.object == Some(Object::Node(id)), name).clicked() {
                chosen = Some(Object::Node(id));
            }
            if node.is_bone {
                ui.weak("bone");
            }
        });
    }
    if nodes.len() > MOST {
        nothing(ui, &format!("{} more nodes are not listed.", nodes.len() - MOST));
    }
    if let Some(object) = chosen {
        pane.select(object);
    }
}
