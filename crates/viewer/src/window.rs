//! One frame of the window: keys, panels, and the commands of both.

use crate::app::App;
use crate::{keys, panels};

impl App {
    /// One frame of the window.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        let context = ui.ctx().clone();
        panels::style(ui);
        self.start_frame(&context);
        self.receive(&context);
        self.pass_time(&context);
        let mut commands = keys::pressed(&context);
        panels::show(self, ui);
        commands.append(&mut self.commands);
        for command in commands {
            self.run(command, &context);
        }
        self.continue_recording(&context);
        self.remember(&context);
    }
}
