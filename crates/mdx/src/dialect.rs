//! The two games whose formats have the same name.

/// The game that a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Warcraft III.
    Warcraft,
    /// The World of Warcraft alpha.
    Wow,
}

impl Dialect {
    /// The game's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warcraft => "Warcraft III",
            Self::Wow => "WoW alpha",
        }
    }
}
