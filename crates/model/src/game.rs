//! The games, as sets and one by one, and guessing which one a file is for.

use std::fmt;

use crate::{Document, Family};

/// A game whose engine a file is checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
pub enum Game {
    /// C&C Renegade.
    Renegade = 1 << 0,
    /// Earth & Beyond.
    EarthAndBeyond = 1 << 1,
    /// C&C Generals.
    Generals = 1 << 2,
    /// C&C Generals: Zero Hour.
    ZeroHour = 1 << 3,
    /// The Battle for Middle-earth.
    Bfme1 = 1 << 4,
    /// The Battle for Middle-earth II.
    Bfme2 = 1 << 5,
    /// Renegade with Tiberian Technologies' Scripts 4.x.
    Tt4 = 1 << 6,
    /// Renegade with Tiberian Technologies' Scripts 5.x.
    Tt5 = 1 << 7,
    /// Warcraft III before Reforged.
    Wc3Classic = 1 << 8,
    /// Warcraft III: Reforged.
    Wc3Reforged = 1 << 9,
    /// The World of Warcraft alpha.
    WowAlpha = 1 << 10,
}

impl Game {
    /// Every game.
    pub const ALL: [Self; 11] = [
        Self::Renegade,
        Self::EarthAndBeyond,
        Self::Generals,
        Self::ZeroHour,
        Self::Bfme1,
        Self::Bfme2,
        Self::Tt4,
        Self::Tt5,
        Self::Wc3Classic,
        Self::Wc3Reforged,
        Self::WowAlpha,
    ];

    /// Its name on the command line and in `meshwright.toml`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Renegade => "renegade",
            Self::EarthAndBeyond => "earth-and-beyond",
            Self::Generals => "generals",
            Self::ZeroHour => "zero-hour",
            Self::Bfme1 => "bfme1",
            Self::Bfme2 => "bfme2",
            Self::Tt4 => "tt4",
            Self::Tt5 => "tt5",
            Self::Wc3Classic => "wc3-classic",
            Self::Wc3Reforged => "wc3-reforged",
            Self::WowAlpha => "wow-alpha",
        }
    }

    /// The game's own name.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Renegade => "C&C Renegade",
            Self::EarthAndBeyond => "Earth & Beyond",
            Self::Generals => "C&C Generals",
            Self::ZeroHour => "C&C Generals: Zero Hour",
            Self::Bfme1 => "The Battle for Middle-earth",
            Self::Bfme2 => "The Battle for Middle-earth II",
            Self::Tt4 => "Renegade, Scripts 4.x",
            Self::Tt5 => "Renegade, Scripts 5.x",
            Self::Wc3Classic => "Warcraft III",
            Self::Wc3Reforged => "Warcraft III: Reforged",
            Self::WowAlpha => "World of Warcraft alpha",
        }
    }

    /// The game of a name.
    ///
    /// ```
    /// use meshwright_model::Game;
    /// assert_eq!(Game::named("zero-hour"), Some(Game::ZeroHour));
    /// assert!(Game::ALL.iter().all(|profile| Game::named(profile.name()) == Some(*profile)));
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name().eq_ignore_ascii_case(name))
    }

    /// The set that holds only this game.
    pub const fn only(self) -> Games {
        Games(self as u16)
    }

    /// The bit of the W3D chunk table that stands for this game.
    pub const fn w3d_games(self) -> w3d::Games {
        match self {
            Self::Renegade => w3d::Games::RENEGADE,
            Self::EarthAndBeyond => w3d::Games::EARTH_AND_BEYOND,
            Self::Generals => w3d::Games::GENERALS,
            Self::ZeroHour => w3d::Games::ZERO_HOUR,
            Self::Bfme1 => w3d::Games::BFME,
            Self::Bfme2 => w3d::Games::BFME2,
            Self::Tt4 => w3d::Games::TT4,
            Self::Tt5 => w3d::Games::TT5,
            Self::Wc3Classic | Self::Wc3Reforged | Self::WowAlpha => w3d::Games::new(0),
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Games(u16);

impl Games {
    /// The games that read W3D.
    pub const W3D: Self = Self(0xFF);
    /// Renegade, with and without extensions.
    pub const RENEGADE: Self = Self(Game::Renegade as u16 | Game::Tt4 as u16 | Game::Tt5 as u16);
    /// The Battle for Middle-earth games and Tiberian Technologies, which blend two bones.
    pub const SMOOTH: Self =
        Self(Game::Bfme1 as u16 | Game::Bfme2 as u16 | Game::Tt4 as u16 | Game::Tt5 as u16);
    /// Generals and what came after it.
    pub const SAGE: Self =
        Self(Game::Generals as u16 | Game::ZeroHour as u16 | Game::Bfme1 as u16 | Game::Bfme2 as u16);
    /// Both games that read MDX.
    pub const MDX: Self = Self(0x700);
    /// Warcraft III.
    pub const WC3: Self = Self(0x300);
    /// The WoW alpha.
    pub const WOW: Self = Self(Game::WowAlpha as u16);
    /// Every game.
    pub const EVERY: Self = Self(0x7FF);

    /// The games that read a family of formats.
    pub const fn of(family: Family) -> Self {
        match family {
            Family::W3d => Self::W3D,
            Family::Mdx => Self::MDX,
        }
    }

    /// Whether a game is in it.
    pub const fn has(self, profile: Game) -> bool {
        self.0 & profile as u16 != 0
    }

    /// The games in it.
    pub fn iter(self) -> impl Iterator<Item = Game> {
        Game::ALL.into_iter().filter(move |profile| self.has(*profile))
    }
}

/// The game that a file seems to be for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The game.
    pub game: Game,
    /// What speaks for it.
    pub reason: String,
}

impl Guess {
    fn new(game: Game, reason: impl Into<String>) -> Self {
        Self { game, reason: reason.into() }
    }
}

/// Guesses the game from what only some games have.
///
/// ```
/// let bytes = w3d::sample::crate_box();
/// let document = meshwright_model::Document::parse(&bytes)?;
/// assert_eq!(meshwright_model::guess(&document).game, meshwright_model::Game::ZeroHour);
/// # Ok::<(), record::Error>(())
/// ```
pub fn guess(document: &Document<'_>) -> Guess {
    match document {
        Document::W3d(file) => guess_w3d(file),
        Document::Mdx(file) => match (file.dialect, file.version) {
            (mdx::Dialect::Wow, version) => {
                Guess::new(Game::WowAlpha, format!("version {version} in the WoW alpha's layout"))
            }
            (_, version @ ..=800) => Guess::new(Game::Wc3Classic, format!("version {version}")),
            (_, version) => Guess::new(Game::Wc3Reforged, format!("version {version}")),
        },
    }
}

/// What of a W3D file speaks for a game, the strongest first.
fn guess_w3d(file: &w3d::W3d<'_>) -> Guess {
    let mut evidence: Option<(u8, Guess)> = None;
    let mut see = |rank: u8, profile, reason: String| {
        if evidence.as_ref().is_none_or(|(known, _)| rank < *known) {
            evidence = Some((rank, Guess::new(profile, reason)));
        }
    };
    file.root.walk(&mut |place| {
        let node = place.node;
        match node.id {
            _ if node.kind.framing.header_len() != 8 || place.depth() > 4 => {}
            0x465 | 0x466 | 0x707 | 0xC03 if place.depth() > 1 => {
                see(0, Game::Tt5, format!("only Scripts 5.x know the chunk {}", node.name()));
            }
            0x3F | 0x50..=0x53 | 0x60 | 0x61 | 0x284 => {
                see(1, Game::Bfme2, format!("the chunk {} came with BFME II", node.name()));
            }
            0xC00 | 0xC01 => see(2, Game::Bfme1, format!("the chunk {} came with BFME", node.name())),
            0x1F => {
                if let Some(header) = node.value::<w3d::records::MeshHeader3>() {
                    if header.attributes.get() & 0xC000_0600 != 0 || header.attributes.get() >> 16 & 0xFF == 7
                    {
                        see(3, Game::Tt4, "a mesh has flags of Tiberian Technologies".to_owned());
                    } else if header.version.major() >= 5 {
                        see(4, Game::Bfme1, format!("a mesh has version {}", header.version));
                    } else if header.version == w3d::names::Version::new(4, 1) || header.version.major() < 4 {
                        see(8, Game::Renegade, format!("a mesh has version {}", header.version));
                    }
                }
            }
            0xB00 | 0x50D => {
                see(5, Game::ZeroHour, format!("the chunk {} came with Zero Hour", node.name()));
            }
            0x23..=0x26
            | 0x58
            | 0x300
            | 0x400
            | 0x420
            | 0x460
            | 0x600
            | 0x741
            | 0x742
            | 0x750
            | 0x800
            | 0x900
            | 0xA00 => {
                see(7, Game::Renegade, format!("{} is of Renegade's time", node.name()));
            }
            _ => {}
        }
    });
    let default = || Guess::new(Game::ZeroHour, "nothing speaks for another game");
    evidence.map_or_else(default, |(_, guess)| guess)
}
