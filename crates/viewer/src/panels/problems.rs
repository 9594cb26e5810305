//! Missing files and the findings of the linter.

use super::nothing;
use crate::app::App;
use crate::chunks;
use crate::document::Problem;
use crate::pane::Object;
use crate::state::Tab;
use egui::{Color32, RichText, Ui};
use meshwright::Severity;

/// Findings that are listed at most.
const MOST: usize = 500;

pub(super) fn show(app: &mut App, ui: &mut Ui) {
    let Some(pane) = app.panes.get_mut(app.active) else { return };
    let mut chosen = None;
    ui.strong("Missing files");
    list(&pane.opened.missing, "All files that the model needs were found.", ui, &mut chosen);
    ui.separator();
    ui.strong("Findings");
    let findings = pane.opened.findings(&pane.library);
    list(findings, "No findings.", ui, &mut chosen);
    let Some(problem) = chosen else { return };
    if let Some(texture) = problem.texture {
        pane.select(Object::Texture(texture));
        app.state.tab = Tab::Textures;
        return;
    }
    let model = pane.opened.model.as_ref();
    if let Some(way) = model.and_then(|model| chunks::way_of_path(model.document().root(), &problem.path)) {
        pane.select_chunk(way);
        app.state.tab = Tab::Chunks;
    }
}

fn list(problems: &[Problem], empty: &str, ui: &mut Ui, chosen: &mut Option<Problem>) {
    if problems.is_empty() {
        nothing(ui, empty);
    }
    for problem in problems.iter().take(MOST) {
        let (word, color) = match problem.severity {
            Severity::Error => ("Error", Color32::from_rgb(255, 110, 110)),
            Severity::Warning => ("Warning", Color32::from_rgb(255, 190, 80)),
            Severity::Info => ("Info", Color32::from_rgb(140, 190, 255)),
            Severity::Hint => ("Hint", Color32::GRAY),
        };
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(word).color(color).strong());
            if !problem.code.is_empty() {
                ui.weak(&problem.code);
            }
            if ui
                .link(&problem.message)
                .on_hover_text(format!("{}\n{}", problem.path, problem.note))
                .clicked()
            {
                *chosen = Some(problem.clone());
            }
        });
    }
    if problems.len() > MOST {
        nothing(ui, &format!("{} more are not listed.", problems.len() - MOST));
    }
}
