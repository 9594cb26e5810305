//! The games with a starter model.

use clap::ValueEnum;

/// A game with a starter model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Starter {
    /// A buggy with wheels, a turret, collision and two levels of detail
    Renegade,
    /// A tank with a turret, house colour, a muzzle flash and clips
    Generals,
    /// The same tank
    ZeroHour,
    /// A soldier with a skin, a weapon and clips
    Bfme1,
    /// The same soldier
    Bfme2,
    /// A footman with sequences, attachments, events and team colour
    Wc3Classic,
    /// A knight with physically based textures and levels of detail
    Wc3Reforged,
}

impl Starter {
    /// Its name on the command line, and of its file.
    pub(super) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}
