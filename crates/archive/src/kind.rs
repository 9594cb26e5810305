//! The kinds of archives, by name and by content.

use crate::{big, mix, mpq, zip};

/// Kind of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// BIG with the magic `BIGF`: Generals and Zero Hour.
    Bigf,
    /// BIG with the magic `BIG4`: The Battle for Middle-earth.
    Big4,
    /// MIX of Renegade.
    Mix,
    /// MPQ of Blizzard's games.
    Mpq,
    /// ZIP.
    Zip,
}

impl Kind {
    /// Its usual name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bigf => "BIGF",
            Self::Big4 => "BIG4",
            Self::Mix => "MIX",
            Self::Mpq => "MPQ",
            Self::Zip => "ZIP",
        }
    }

    /// The kind that a file name suggests.
    ///
    /// ```
    /// use meshwright_archive::Kind;
    /// assert_eq!(Kind::of_name("INIZH.big"), Some(Kind::Bigf));
    /// assert_eq!(Kind::of_name("(4)LostTemple.w3m"), Some(Kind::Mpq));
    /// assert_eq!(Kind::of_name("Always.dat"), Some(Kind::Mix));
    /// assert_eq!(Kind::of_name("tank.w3d"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<Self> {
        // Copies in a collection may have a suffix: `test.big~5fad4782`.
        let name = name.split('~').next().unwrap_or_default();
        let (_, extension) = name.rsplit_once('.')?;
        Some(match extension.to_ascii_lowercase().as_str() {
            "big" => Self::Bigf,
            "mix" | "dat" | "dbs" | "pkg" => Self::Mix,
            "mpq" | "w3m" | "w3x" | "w3n" => Self::Mpq,
            "zip" => Self::Zip,
            _ => return None,
        })
    }

    /// The kind of an archive by the first bytes of a file. An MPQ archive after other data is not detected here.
    pub fn of_start(start: &[u8]) -> Option<Self> {
        if big::is_big(start) {
            Some(if start.starts_with(b"BIG4") { Self::Big4 } else { Self::Bigf })
        } else if mix::is_mix(start) {
            Some(Self::Mix)
        } else if zip::is_zip(start) {
            Some(Self::Zip)
        } else if mpq::header::is_mpq(start) {
            Some(Self::Mpq)
        } else {
            None
        }
    }
}
