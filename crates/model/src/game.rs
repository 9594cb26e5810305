//! The games, and sets of games.

use std::fmt;

use crate::Family;

/// A game, with its engine's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
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
    /// C&C 3: Tiberium Wars.
    TiberiumWars = 1 << 11,
    /// C&C 3: Kane's Wrath.
    KanesWrath = 1 << 12,
    /// C&C: Red Alert 3.
    RedAlert3 = 1 << 13,
}

impl Game {
    /// Every game.
    pub const ALL: [Self; 14] = [
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
        Self::TiberiumWars,
        Self::KanesWrath,
        Self::RedAlert3,
    ];

    /// Short name, as on the command line and in `meshwright.toml`.
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
            Self::TiberiumWars => "tiberium-wars",
            Self::KanesWrath => "kanes-wrath",
            Self::RedAlert3 => "red-alert3",
        }
    }

    /// Metres for each unit of the game's models, so that people are about 1.8 metres tall.
    ///
    /// Only Warcraft III is measured: its footman is 103 units tall. The factors of Generals, BFME and the games after it are estimates.
    /// Renegade's level editor uses metres, World of Warcraft uses yards. Reforged keeps the classic size.
    #[must_use]
    pub const fn metres_per_unit(self) -> f32 {
        match self {
            Self::Renegade | Self::Tt4 | Self::Tt5 | Self::EarthAndBeyond => 1.0,
            Self::Generals | Self::ZeroHour => 0.18,
            Self::Bfme1 | Self::Bfme2 => 0.1,
            Self::Wc3Classic | Self::Wc3Reforged => 0.0175,
            Self::WowAlpha => 0.9144,
            Self::TiberiumWars | Self::KanesWrath | Self::RedAlert3 => 0.07,
        }
    }

    /// Full title.
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
            Self::TiberiumWars => "C&C 3: Tiberium Wars",
            Self::KanesWrath => "C&C 3: Kane's Wrath",
            Self::RedAlert3 => "C&C: Red Alert 3",
        }
    }

    /// The game with this short name, in any case.
    ///
    /// ```
    /// use meshwright_model::Game;
    /// assert_eq!(Game::named("zero-hour"), Some(Game::ZeroHour));
    /// assert!(Game::ALL.iter().all(|game| Game::named(game.name()) == Some(*game)));
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.name().eq_ignore_ascii_case(name))
    }

    /// The set that holds only this game.
    pub const fn only(self) -> Games {
        Games(self as u16)
    }

    /// The flag of this game in the `games` column of the W3D chunk table.
    #[cfg(feature = "w3d")]
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
            Self::Wc3Classic
            | Self::Wc3Reforged
            | Self::WowAlpha
            | Self::TiberiumWars
            | Self::KanesWrath
            | Self::RedAlert3 => w3d::Games::new(0),
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Games(u16);

impl Games {
    /// The games that read W3D.
    pub const W3D: Self = Self(0xFF);
    /// Renegade, with and without extensions.
    pub const RENEGADE: Self = Self(Game::Renegade as u16 | Game::Tt4 as u16 | Game::Tt5 as u16);
    /// Renegade with the extensions of Tiberian Technologies.
    pub const TT: Self = Self(Game::Tt4 as u16 | Game::Tt5 as u16);
    /// The Battle for Middle-earth games and Tiberian Technologies, which blend two bones.
    pub const SMOOTH: Self =
        Self(Game::Bfme1 as u16 | Game::Bfme2 as u16 | Game::Tt4 as u16 | Game::Tt5 as u16);
    /// Generals and the games after it.
    pub const SAGE: Self =
        Self(Game::Generals as u16 | Game::ZeroHour as u16 | Game::Bfme1 as u16 | Game::Bfme2 as u16);
    /// The games that read MDX.
    pub const MDX: Self = Self(0x700);
    /// Warcraft III.
    pub const WC3: Self = Self(0x300);
    /// The WoW alpha.
    pub const WOW: Self = Self(Game::WowAlpha as u16);
    /// The games that read W3X.
    pub const W3X: Self = Self(Game::TiberiumWars as u16 | Game::KanesWrath as u16 | Game::RedAlert3 as u16);
    /// Every game.
    pub const EVERY: Self = Self(0x3FFF);

    /// The games that read a family of formats.
    pub const fn of(family: Family) -> Self {
        match family {
            Family::W3d => Self::W3D,
            Family::W3x => Self::W3X,
            Family::Mdx => Self::MDX,
        }
    }

    /// The games of the `games` column of the W3D chunk table.
    #[cfg(feature = "w3d")]
    pub fn of_w3d(games: w3d::Games) -> Self {
        let known = |game: &Game| games.get() & game.w3d_games().get() != 0;
        Self(Game::ALL.iter().filter(|game| known(game)).fold(0, |set, game| set | *game as u16))
    }

    /// The games in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The games in either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The games of this set that are not in another.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether no game is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a game is in it.
    pub const fn has(self, game: Game) -> bool {
        self.0 & game as u16 != 0
    }

    /// The games in it.
    pub fn iter(self) -> impl Iterator<Item = Game> {
        Game::ALL.into_iter().filter(move |game| self.has(*game))
    }
}
