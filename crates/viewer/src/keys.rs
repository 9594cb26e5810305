//! Keys and what they do. The help overlay shows this table.

use egui::{Key, Modifiers};

/// Something that a key or a button does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Play or stop.
    Play,
    /// Go some frames forward or back.
    StepFrames(i32),
    /// Play the next clip or the one before.
    StepClip(isize),
    /// Play faster or slower by a factor.
    Speed(f32),
    /// Show the next file or the one before; the flag keeps the camera.
    StepFile(isize, bool),
    /// Read the file again.
    Reload,
    /// Ask for files.
    OpenFiles,
    /// Ask for a folder.
    OpenFolder,
    /// Ask for a file to show beside this one.
    OpenBeside,
    /// Frame the whole model.
    FrameAll,
    /// Frame the selected part.
    FrameSelected,
    /// Look from a side: yaw and pitch.
    LookFrom(f32, f32),
    /// Turn the camera by degrees.
    Turn(f32, f32),
    /// Move the camera by points.
    Pan(f32, f32),
    /// Change the zoom by a factor.
    Zoom(f32),
    /// Switch between perspective and orthographic.
    Orthographic,
    /// Look through the next camera of the model.
    ModelCamera,
    /// Switch a setting by its name.
    Toggle(&'static str),
    /// Next way to show edges.
    Wireframe,
    /// Next texture channel.
    Channel,
    /// Next light.
    Light,
    /// Next team colour.
    TeamColor,
    /// Next level of detail.
    Level,
    /// Hide or show the selected part.
    HideSelected,
    /// Show all parts.
    ShowAll,
    /// Select the next part or the one before.
    SelectPart(isize),
    /// Save a picture; the flag makes it transparent.
    Screenshot(bool),
    /// Save an animation.
    Record,
    /// Save the model in a format.
    Save(crate::capture::SaveAs),
    /// Show or hide the side panel.
    Panel,
    /// Next tab of the side panel.
    Tab,
    /// Show or hide the help.
    Help,
    /// Close the help, messages and the second model; deselect.
    Escape,
}

/// A key, what it does, and the words for it. Rows without words belong to the row above.
pub struct Binding {
    /// Modifier keys.
    pub modifiers: Modifiers,
    /// The key.
    pub key: Key,
    /// What it does.
    pub command: Command,
    /// The words; empty if another row has them.
    pub help: &'static str,
}

const fn plain(key: Key, command: Command, help: &'static str) -> Binding {
    Binding { modifiers: Modifiers::NONE, key, command, help }
}

const fn with(modifiers: Modifiers, key: Key, command: Command, help: &'static str) -> Binding {
    Binding { modifiers, key, command, help }
}

/// Groups of keys, with their headings.
pub const KEYS: &[(&str, &[Binding])] = &[
    (
        "Animation",
        &[
            plain(Key::Space, Command::Play, "Play or stop"),
            plain(Key::Comma, Command::StepFrames(-1), "Previous frame"),
            plain(Key::Period, Command::StepFrames(1), "Next frame"),
            plain(Key::PageUp, Command::StepClip(-1), "Previous clip"),
            plain(Key::PageDown, Command::StepClip(1), "Next clip"),
            plain(Key::OpenBracket, Command::Speed(0.5), "Half speed"),
            plain(Key::CloseBracket, Command::Speed(2.0), "Double speed"),
        ],
    ),
    (
        "Camera",
        &[
            plain(Key::F, Command::FrameAll, "Frame the model"),
            plain(Key::Home, Command::FrameAll, ""),
            with(Modifiers::SHIFT, Key::F, Command::FrameSelected, "Frame the selected part"),
            plain(Key::Num1, Command::LookFrom(0.0, 0.0), "Front"),
            with(Modifiers::CTRL, Key::Num1, Command::LookFrom(180.0, 0.0), "Back"),
            plain(Key::Num3, Command::LookFrom(-90.0, 0.0), "Right"),
            with(Modifiers::CTRL, Key::Num3, Command::LookFrom(90.0, 0.0), "Left"),
            plain(Key::Num7, Command::LookFrom(0.0, 90.0), "Top"),
            with(Modifiers::CTRL, Key::Num7, Command::LookFrom(0.0, -90.0), "Bottom"),
            plain(Key::Num9, Command::LookFrom(40.0, 25.0), "Three-quarter view"),
            plain(Key::Num5, Command::Orthographic, "Orthographic"),
            plain(Key::Num0, Command::ModelCamera, "Next camera of the model"),
            plain(Key::Num4, Command::Turn(-15.0, 0.0), "Turn left"),
            plain(Key::Num6, Command::Turn(15.0, 0.0), "Turn right"),
            plain(Key::Num8, Command::Turn(0.0, 15.0), "Turn up"),
            plain(Key::Num2, Command::Turn(0.0, -15.0), "Turn down"),
            plain(Key::Plus, Command::Zoom(1.25), "Zoom in"),
            plain(Key::Equals, Command::Zoom(1.25), ""),
            plain(Key::Minus, Command::Zoom(0.8), "Zoom out"),
            with(Modifiers::SHIFT, Key::ArrowLeft, Command::Pan(40.0, 0.0), "Move the camera"),
            with(Modifiers::SHIFT, Key::ArrowRight, Command::Pan(-40.0, 0.0), ""),
            with(Modifiers::SHIFT, Key::ArrowUp, Command::Pan(0.0, 40.0), ""),
            with(Modifiers::SHIFT, Key::ArrowDown, Command::Pan(0.0, -40.0), ""),
        ],
    ),
    (
        "Display",
        &[
            plain(Key::W, Command::Wireframe, "Wireframe"),
            plain(Key::G, Command::Toggle("grid"), "Grid"),
            plain(Key::N, Command::Toggle("normals"), "Normals"),
            plain(Key::B, Command::Toggle("bones"), "Bones"),
            plain(Key::X, Command::Toggle("names"), "Names"),
            plain(Key::A, Command::Toggle("attachments"), "Attachment points"),
            plain(Key::E, Command::Toggle("extents"), "Extents"),
            plain(Key::C, Command::Toggle("collision"), "Collision shapes"),
            plain(Key::V, Command::Toggle("cameras"), "Cameras of the model"),
            plain(Key::P, Command::Toggle("particles"), "Particles"),
            plain(Key::K, Command::Channel, "Next texture channel"),
            plain(Key::L, Command::Light, "Next light"),
            plain(Key::T, Command::TeamColor, "Next team colour"),
            plain(Key::D, Command::Level, "Next level of detail"),
        ],
    ),
    (
        "Parts",
        &[
            plain(Key::J, Command::SelectPart(1), "Select the next part"),
            plain(Key::U, Command::SelectPart(-1), "Select the previous part"),
            plain(Key::Delete, Command::HideSelected, "Hide or show the selected part"),
            with(Modifiers::ALT, Key::Delete, Command::ShowAll, "Show all parts"),
        ],
    ),
    (
        "Files",
        &[
            plain(Key::ArrowLeft, Command::StepFile(-1, false), "Previous file"),
            plain(Key::ArrowRight, Command::StepFile(1, false), "Next file"),
            with(Modifiers::CTRL, Key::ArrowLeft, Command::StepFile(-1, true), "Previous file, same camera"),
            with(Modifiers::CTRL, Key::ArrowRight, Command::StepFile(1, true), "Next file, same camera"),
            plain(Key::ArrowUp, Command::Reload, "Reload"),
            plain(Key::F5, Command::Reload, ""),
            with(Modifiers::CTRL, Key::O, Command::OpenFiles, "Open files"),
            with(Modifiers::CTRL.plus(Modifiers::SHIFT), Key::O, Command::OpenFolder, "Open a folder"),
            with(Modifiers::CTRL, Key::B, Command::OpenBeside, "Open side by side"),
            plain(Key::F12, Command::Screenshot(false), "Save a picture"),
            with(Modifiers::CTRL, Key::F12, Command::Screenshot(true), "Save a transparent picture"),
            with(Modifiers::SHIFT, Key::F12, Command::Record, "Save the animation"),
        ],
    ),
    (
        "Window",
        &[
            plain(Key::S, Command::Panel, "Side panel"),
            with(Modifiers::CTRL, Key::Tab, Command::Tab, "Next tab"),
            plain(Key::H, Command::Help, "This help"),
            plain(Key::F1, Command::Help, ""),
            plain(Key::Escape, Command::Escape, "Close, deselect"),
        ],
    ),
];

/// The mouse, for the help.
pub const MOUSE: &[(&str, &str)] = &[
    ("Left drag", "Turn"),
    ("Middle drag, Shift+drag", "Move"),
    ("Wheel, right drag", "Zoom"),
    ("Ctrl+wheel", "Zoom at the cursor"),
    ("Click", "Select a part"),
    ("Double click", "Look at this point"),
];

impl Binding {
    /// The key in words, such as `Ctrl+O`.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (is_held, name) in [
            (self.modifiers.ctrl || self.modifiers.command, "Ctrl+"),
            (self.modifiers.alt, "Alt+"),
            (self.modifiers.shift, "Shift+"),
        ] {
            if is_held {
                text.push_str(name);
            }
        }
        text.push_str(match self.key {
            Key::ArrowLeft => "Left",
            Key::ArrowRight => "Right",
            Key::ArrowUp => "Up",
            Key::ArrowDown => "Down",
            Key::Comma => ",",
            Key::Period => ".",
            Key::OpenBracket => "[",
            Key::CloseBracket => "]",
            Key::Plus => "+",
            Key::Minus => "-",
            key => key.name(),
        });
        text
    }
}

/// The commands of the keys that were pressed.
pub fn pressed(context: &egui::Context) -> Vec<Command> {
    let is_typing = context.egui_wants_keyboard_input();
    let is_focused = context.memory(|memory| memory.focused().is_some());
    if is_typing {
        return Vec::new();
    }
    context.input_mut(|input| {
        let mut commands = Vec::new();
        let all = KEYS.iter().flat_map(|(_, bindings)| *bindings);
        for binding in all {
            // A button or slider with the focus has these keys for itself.
            let is_taken = is_focused
                && matches!(
                    binding.key,
                    Key::Space
                        | Key::ArrowLeft
                        | Key::ArrowRight
                        | Key::ArrowUp
                        | Key::ArrowDown
                        | Key::Escape
                );
            if is_taken && binding.modifiers == Modifiers::NONE {
                continue;
            }
            let mut count = 0;
            input.events.retain(|event| match event {
                egui::Event::Key { key, pressed: true, modifiers, .. }
                    if *key == binding.key && modifiers.matches_exact(binding.modifiers) =>
                {
                    count += 1;
                    false
                }
                _ => true,
            });
            commands.extend(std::iter::repeat_n(binding.command, count));
        }
        commands
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things() {
        let all: Vec<&Binding> = KEYS.iter().flat_map(|(_, bindings)| *bindings).collect();
        for (at, one) in all.iter().enumerate() {
            for other in &all[at + 1..] {
                assert!(one.key != other.key || one.modifiers != other.modifiers, "{}", one.text());
            }
        }
    }

    #[test]
    fn keys_are_named_as_people_name_them() {
        let texts: Vec<String> = KEYS.iter().flat_map(|(_, bindings)| *bindings).map(Binding::text).collect();
        assert!(texts.contains(&"Ctrl+Shift+O".to_owned()), "{texts:?}");
        assert!(texts.contains(&"Left".to_owned()) && texts.contains(&",".to_owned()));
    }

    #[test]
    fn every_switch_that_a_key_names_exists() {
        for (_, bindings) in KEYS {
            for binding in *bindings {
                if let Command::Toggle(name) = binding.command {
                    assert!(crate::State::default().get(name).is_some(), "{name}");
                }
            }
        }
    }
}
