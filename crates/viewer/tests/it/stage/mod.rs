//! A window without a window.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use std::sync::{Arc, Mutex};
use viewer::host::{Host, Inbox, Pick};
use viewer::{App, State};

/// Files that a test has saved: their names and bytes.
pub(crate) type Saved = Arc<Mutex<Vec<(String, Vec<u8>)>>>;

/// Surroundings that keep what is saved.
struct Stage(Saved);

impl Host for Stage {
    fn pick(&mut self, _: Pick, _: &Inbox, _: bool, _: &egui::Context) {}

    fn save(&mut self, name: &str, bytes: Vec<u8>, _: bool) -> Result<Option<String>, String> {
        self.0.lock().expect("no test panics here").push((name.to_owned(), bytes));
        Ok(Some(format!("Saved {name}")))
    }

    fn dropped(&mut self, _: Vec<egui::DroppedFileHandle>, _: &Inbox, _: bool, _: &egui::Context) {}
}

/// The window with the sample models, and what it saves.
pub(crate) fn window(state: State) -> (Harness<'static, App>, Saved) {
    let saved = Saved::default();
    let app = App::new(state, Box::new(Stage(saved.clone())));
    let mut harness = Harness::builder()
        .with_size(egui::Vec2::new(1000.0, 640.0))
        .build_ui_state(|ui, app: &mut App| app.show(ui), app);
    harness.step();
    (harness, saved)
}

/// Presses a key and shows what it does.
pub(crate) fn press(harness: &mut Harness<'_, App>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.step();
    harness.step();
}
