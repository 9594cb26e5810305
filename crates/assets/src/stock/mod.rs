//! Names of the files that the games ship: a model that refers to one of them lacks nothing.
//!
//! The table has names only. `judges/stock_names.py` makes it from lists of the games' archives; docs/stock-names.md has the sources. Warcraft III
//! is complete up to 1.31 and partial for Reforged; Generals and Zero Hour have 99 % of the textures that their models use; both Battle for
//! Middle-earth games have the names of their own index of assets. There is no list for the other games.

use std::io::Read as _;
use std::sync::OnceLock;

use model::Game;

/// The table: see the script for its form. The page of the viewer is downloaded, so it does without.
#[cfg(not(target_arch = "wasm32"))]
static PACKED: &[u8] = include_bytes!("names.deflate");
#[cfg(target_arch = "wasm32")]
static PACKED: &[u8] = &[];

/// More text than this is not in the table.
const MAX_TEXT: u64 = 4 << 20;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StockKind {
    /// A texture, of any format: the games exchange extensions.
    Texture,
    /// A model, a skeleton or an animation.
    Model,
}

impl StockKind {
    /// The bits of the kind, in the older and the newer game of a section.
    const fn bits(self) -> u8 {
        match self {
            Self::Texture => 0b0101,
            Self::Model => 0b1010,
        }
    }
}

/// Names without extension and their bits, sorted.
type Section = Vec<(Box<str>, u8)>;

fn sections() -> &'static [Section; 3] {
    static SECTIONS: OnceLock<[Section; 3]> = OnceLock::new();
    SECTIONS.get_or_init(|| {
        let mut text = String::new();
        let decoder = flate2::read::DeflateDecoder::new(PACKED);
        // The table is part of the program; a test reads all of it.
        let _ = decoder.take(MAX_TEXT).read_to_string(&mut text);
        let mut sections = text.split("\n\n").map(section);
        std::array::from_fn(|_| sections.next().unwrap_or_default())
    })
}

fn section(text: &str) -> Section {
    let mut before = String::new();
    text.lines()
        .filter_map(|line| {
            let (name, bits) = line.split_once('\t')?;
            let mut characters = name.chars();
            let shared = usize::try_from(u32::from(characters.next()?).checked_sub(32)?).ok()?;
            before = format!("{}{}", before.get(..shared)?, characters.as_str());
            Some((before.as_str().into(), u8::from_str_radix(bits, 16).ok()?))
        })
        .collect()
}

/// The section of a game, and the bits of its games: an expansion has the files of its base game.
const fn section_of(game: Game) -> Option<(usize, u8)> {
    match game {
        Game::Wc3Classic => Some((0, 0b0011)),
        Game::Wc3Reforged => Some((0, 0b1111)),
        Game::Generals => Some((1, 0b0011)),
        Game::ZeroHour => Some((1, 0b1111)),
        Game::Bfme1 => Some((2, 0b0011)),
        Game::Bfme2 => Some((2, 0b1100)),
        _ => None,
    }
}

/// Whether a game ships a file that a model refers to by this name or path. Extensions and case do not matter. Warcraft III finds files by their
/// whole path, the other games by their name.
///
/// ```
/// use meshwright_assets::stock::{StockKind, is_stock};
/// use model::Game;
/// assert!(is_stock(Game::Wc3Classic, StockKind::Texture, "Textures\\Clouds8x8.blp"));
/// assert!(!is_stock(Game::Wc3Classic, StockKind::Texture, "war3mapImported\\Clouds8x8.blp"));
/// assert!(!is_stock(Game::Wc3Classic, StockKind::Model, "Textures\\Clouds8x8.blp"));
/// ```
pub fn is_stock(game: Game, kind: StockKind, name: &str) -> bool {
    let Some((index, bits)) = section_of(game) else { return false };
    let path = name.to_ascii_lowercase().replace('\\', "/");
    let file = path.rsplit('/').next().unwrap_or(&path);
    let extension = file.rsplit_once('.').map(|(_, extension)| extension);
    let wanted = if index == 0 { path.as_str() } else { file };
    let stem = extension.map_or(wanted, |extension| &wanted[..wanted.len() - extension.len() - 1]);
    let section = &sections()[index];
    // Textures of Reforged are .dds, but models name .tif, which only Reforged has.
    let is_reforged = game == Game::Wc3Reforged && extension == Some("tif");
    if is_reforged && path.split_once('/').is_some_and(|(top, _)| has_folder(section, top)) {
        return true;
    }
    let found = section.binary_search_by(|(name, _)| (**name).cmp(stem));
    found.is_ok_and(|found| section[found].1 & bits & kind.bits() != 0)
}

/// The games that ship a file of this name or path, as far as their names are known. An expansion has the files of its base game.
pub fn games_with(kind: StockKind, name: &str) -> Vec<Game> {
    Game::ALL.into_iter().filter(|game| is_stock(*game, kind, name)).collect()
}

/// Whether names of a section begin with a folder.
fn has_folder(section: &[(Box<str>, u8)], folder: &str) -> bool {
    let start = format!("{folder}/");
    let first = section.partition_point(|(name, _)| **name < *start);
    section.get(first).is_some_and(|(name, _)| name.starts_with(&start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole_and_sorted() {
        let counts = sections().each_ref().map(Vec::len);
        assert_eq!(counts, [11_395, 11_992, 17_501]);
        for section in sections() {
            assert!(section.windows(2).all(|pair| pair[0].0 < pair[1].0));
            assert!(section.iter().all(|(_, bits)| (1..16).contains(bits)));
        }
    }

    #[test]
    fn games_know_their_own_files() {
        use StockKind::{Model, Texture};
        assert!(is_stock(Game::Wc3Classic, Model, "Units/Human/Footman/Footman.mdl"));
        assert!(is_stock(Game::Wc3Reforged, Texture, "Units\\Human\\Footman\\Footman_Diffuse.tif"));
        assert!(!is_stock(Game::Wc3Classic, Texture, "Units\\Human\\Footman\\Footman_Diffuse.tif"));
        assert!(!is_stock(Game::Wc3Reforged, Texture, "Imported\\New.tif"));
        assert!(is_stock(Game::ZeroHour, Model, "abarfrccmd.w3d"), "of the base game");
        assert!(!is_stock(Game::Bfme1, Model, "abarfrccmd.w3d"));
        assert!(is_stock(Game::Bfme1, Texture, "201_WP_01.tga"));
        assert!(!is_stock(Game::Renegade, Texture, "201_WP_01.tga"), "there is no list");
        assert!(!is_stock(Game::Bfme1, Texture, ""));
        assert_eq!(games_with(Texture, "201_WP_01.tga"), [Game::Bfme1, Game::Bfme2]);
    }
}
