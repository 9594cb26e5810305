//! Guesses the game of a file: first from data that a game's loader cannot use, then from data that is typical of a game.
//!
//! Westwood's loaders skip unknown chunks. A game is excluded only if skipping them changes shape, look or motion: a
//! game-specific kind of mesh, shader materials, a compression. Data that a loader skips without harm is only a hint.
//!
//! The version of a mesh says little. Exporters of every game wrote 5.0 and 4.2, so a guess from the version alone is
//! wrong for a quarter of all files. A single file often loads in every game; the files of a folder together rarely do.
//! Collect the [`Evidence`] of all files and of their paths.

use std::collections::BTreeMap;
use std::path::Path;

use crate::{Document, Family, Game, Games};

/// The game that files seem to be for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The most likely game.
    pub game: Game,
    /// Every game that can load all of the files.
    pub possible: Games,
    /// The reason, in one sentence without a full stop.
    pub reason: String,
}

/// Evidence for the game of a folder's files.
///
/// ```
/// use meshwright_model::{Document, Evidence, Family, Game};
/// let bytes = w3d::sample::crate_box();
/// let mut document = Document::parse(&bytes)?;
/// let mut folder = Evidence::of(&document);
/// assert_eq!(folder.guess(Family::W3d).game, Game::ZeroHour, "every game loads the crate");
///
/// let header = document.root_mut().find_mut("MESH/MESH_HEADER3").unwrap();
/// header.value_mut::<w3d::records::MeshHeader3>().unwrap().attributes = w3d::names::MeshFlags::COLLISION_USER1;
/// folder.add(&Evidence::of(&document));
/// let guess = folder.guess(Family::W3d);
/// assert_eq!(guess.game, Game::Tt4);
/// assert_eq!(guess.reason, "has mesh flags of Tiberian Technologies, known only to tt4 and tt5");
/// # Ok::<(), record::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Data that some games cannot load, with the games that can and the number of files.
    limits: BTreeMap<String, (Games, usize)>,
    /// Data that is typical of some games, with these games and the number of files.
    hints: BTreeMap<String, (Games, usize)>,
}

/// Guesses the game of one file. For several files of a folder, use [`Evidence`].
///
/// ```
/// use meshwright_model::{Document, Game, guess};
/// let bytes = w3d::sample::crate_box();
/// let guess = guess(&Document::parse(&bytes)?);
/// assert_eq!(guess.game, Game::ZeroHour);
/// assert!(guess.possible.has(Game::Renegade));
/// # Ok::<(), record::Error>(())
/// ```
pub fn guess(document: &Document<'_>) -> Guess {
    Evidence::of(document).guess(document.family())
}

/// If several games fit, the first of these is the guess: the others read what it reads and add to it.
const PREFERENCE: [Game; 14] = [
    Game::ZeroHour,
    Game::Generals,
    Game::Renegade,
    Game::Bfme1,
    Game::Bfme2,
    Game::Tt4,
    Game::Tt5,
    Game::EarthAndBeyond,
    Game::Wc3Classic,
    Game::Wc3Reforged,
    Game::WowAlpha,
    Game::TiberiumWars,
    Game::KanesWrath,
    Game::RedAlert3,
];

impl Evidence {
    /// Evidence from one file.
    pub fn of(document: &Document<'_>) -> Self {
        let mut evidence = Self::default();
        match document {
            #[cfg(feature = "w3d")]
            Document::W3d(file) => w3d_evidence(file, &mut evidence),
            #[cfg(feature = "w3d")]
            Document::W3x(file) => w3x_evidence(file, &mut evidence),
            #[cfg(feature = "mdx")]
            Document::Mdx(file) => mdx_evidence(file.dialect, file.version, &mut evidence),
        }
        evidence
    }

    /// Evidence from one file and its path.
    ///
    /// ```
    /// use std::path::Path;
    /// use meshwright_model::{Document, Evidence, Family, Game};
    /// let bytes = w3d::sample::crate_box();
    /// let document = Document::parse(&bytes)?;
    /// let evidence = Evidence::of_file(&document, Path::new("art/w3d/gu/gusoldier.w3d"));
    /// assert_eq!(evidence.guess(Family::W3d).game, Game::Bfme2);
    /// # Ok::<(), record::Error>(())
    /// ```
    pub fn of_file(document: &Document<'_>, path: &Path) -> Self {
        let mut evidence = Self::of(document);
        if document.family() == Family::W3d {
            w3d_path(path, &mut evidence);
        }
        evidence
    }

    /// Evidence from the version of an MDX or MDL file. There is no other evidence in these formats.
    #[cfg(feature = "mdx")]
    pub fn of_mdx(dialect: mdx::Dialect, version: u32) -> Self {
        let mut evidence = Self::default();
        mdx_evidence(dialect, version, &mut evidence);
        evidence
    }

    /// Adds the evidence of other files.
    pub fn add(&mut self, other: &Self) {
        let pairs = [(&mut self.limits, &other.limits), (&mut self.hints, &other.hints)];
        for (here, there) in pairs {
            for (what, (games, files)) in there {
                here.entry(what.clone()).or_insert((*games, 0)).1 += files;
            }
        }
    }

    /// Only some games can load this.
    fn limit(&mut self, games: Games, what: impl FnOnce() -> String) {
        self.limits.entry(what()).or_insert((games, 1));
    }

    /// Every game can load this, but it is typical of some.
    fn hint(&mut self, games: Games, what: impl FnOnce() -> String) {
        self.hints.entry(what()).or_insert((games, 1));
    }

    /// The most likely game of a file in the folder: that of the folder, unless the file does not fit it and is therefore
    /// in the wrong folder.
    pub fn guess_for(&self, document: &Document<'_>) -> Guess {
        let (folder, own) = (self.guess(document.family()), guess(document));
        let fits = own.possible.has(folder.game) || own.possible.is_empty();
        // In a folder with files of several games, the folder's reason does not apply to one file.
        let is_mixed = folder.possible.is_empty() && folder.game == own.game;
        if fits && !is_mixed { folder } else { own }
    }

    /// The game that the files of one family are most likely for.
    pub fn guess(&self, family: Family) -> Guess {
        let every = Games::of(family);
        let about = |facts: &BTreeMap<String, (Games, usize)>| -> Vec<(String, Games, usize)> {
            let of_family = facts.iter().filter(|(_, (games, _))| !games.and(every).is_empty());
            of_family.map(|(what, (games, files))| (what.clone(), games.and(every), *files)).collect()
        };
        let (limits, hints) = (about(&self.limits), about(&self.hints));
        // Games that refuse the fewest files. In a folder of a single game, some games refuse none.
        let refused = |game: Game| -> usize {
            limits.iter().filter(|(_, games, _)| !games.has(game)).map(|(_, _, files)| files).sum()
        };
        let least = every.iter().map(refused).min().unwrap_or_default();
        let fitting = every.iter().filter(|game| refused(*game) == least);
        let mut likely = fitting.fold(Games::default(), |games, game| games.or(game.only()));
        let possible = if least == 0 { likely } else { Games::default() };
        // Among these, the games for which the most files have typical data.
        let typical = |game: Game| -> usize {
            hints.iter().filter(|(_, games, _)| games.has(game)).map(|(_, _, files)| files).sum()
        };
        let most = likely.iter().map(typical).max().unwrap_or_default();
        likely = likely
            .iter()
            .filter(|game| typical(*game) == most)
            .fold(Games::default(), |games, game| games.or(game.only()));
        let game = PREFERENCE.into_iter().find(|game| likely.has(*game)).unwrap_or(Game::ZeroHour);
        // The limit that excludes the most other games is the best reason.
        let limit = limits.iter().filter(|(_, games, _)| games.has(game));
        let limit = limit.min_by_key(|(_, games, files)| (games.iter().count(), usize::MAX - files));
        let hint = hints.iter().filter(|(_, games, _)| games.has(game)).max_by_key(|(_, _, files)| *files);
        let reason = match (limit, hint) {
            _ if least > 0 => format!("no game supports all of it; {game} supports the most"),
            (Some((what, ..)), _) | (None, Some((what, ..))) => what.clone(),
            (None, None) => "default, no game-specific chunks found".to_owned(),
        };
        Guess { game, possible, reason }
    }
}

/// Evidence from the path and the name of a W3D file. BFME II keeps a file in a folder named after its first two letters;
/// earlier games keep all files in one folder. Generals starts the names of infantry and vehicles with a letter for the
/// side and `I` or `V`: `AIRNGR_SKN`, `NVHelix`. No file of BFME has such a name.
fn w3d_path(path: &Path, evidence: &mut Evidence) {
    /// America, China, the GLA (`U` and `E`), neutral, all sides, civilians.
    const SIDES: &[u8] = b"ACENPUZ";
    const GENERALS: Games = Game::Generals.only().or(Game::ZeroHour.only());
    let part =
        |path: Option<&Path>| -> Option<String> { Some(path?.file_name()?.to_str()?.to_ascii_lowercase()) };
    let Some(name) = part(Some(path)) else { return };
    let folder = part(path.parent()).unwrap_or_default();
    let above = part(path.parent().and_then(Path::parent)).unwrap_or_default();
    if folder.len() == 2 && folder.bytes().all(|byte| byte.is_ascii_alphabetic()) && name.starts_with(&folder)
    {
        evidence.hint(Game::Bfme2.only(), || {
            "is in the folder of its first two letters, as in BFME II".to_owned()
        });
    } else if folder == "w3d" && above == "art" {
        let games = GENERALS.or(Game::Bfme1.only());
        evidence.hint(games, || "is in the folder art/w3d, as in Generals".to_owned());
    }
    if let [side, b'i' | b'v', third, ..] = name.as_bytes()
        && SIDES.contains(&side.to_ascii_uppercase())
        && third.is_ascii_alphabetic()
    {
        evidence.hint(GENERALS, || "is called like the infantry and vehicles of Generals".to_owned());
    }
}

/// Describes data that only some games know: by these games or by the others, whichever list is shorter.
#[cfg(feature = "w3d")]
fn known_to(games: Games, what: &str) -> String {
    let others = Games::W3D.without(games);
    match games.iter().count() <= others.iter().count() {
        true => format!("{what}, known only to {}", list(games)),
        false => format!("{what}, unknown to {}", list(others)),
    }
}

/// `A, B and C`.
#[cfg(feature = "w3d")]
fn list(games: Games) -> String {
    let names: Vec<&str> = games.iter().map(Game::name).collect();
    match names.as_slice() {
        [] => "no game".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Chunks at the top of a file that Renegade's levels and effects use, and that no file of Generals or a later game has.
#[cfg(feature = "w3d")]
const RENEGADE_ERA: [&w3d::Chunk; 15] = {
    use w3d::table::*;
    [
        PRELIT_UNLIT.row,
        PRELIT_VERTEX.row,
        PRELIT_LIGHTMAP_MULTI_PASS.row,
        PRELIT_LIGHTMAP_MULTI_TEXTURE.row,
        DEFORM.row,
        HMODEL.row,
        LODMODEL.row,
        COLLECTION.row,
        LIGHT.row,
        AGGREGATE.row,
        SPHERE.row,
        RING.row,
        LIGHTSCAPE.row,
        DAZZLE.row,
        SOUNDROBJ.row,
    ]
};

/// Parts of a mesh that loaders skip without harm if they are unknown.
#[cfg(feature = "w3d")]
const SKIPPED: [&w3d::Chunk; 3] = {
    use w3d::table::*;
    [TANGENTS.row, BITANGENTS.row, LIGHTMAP_UV.row]
};

/// Data of BFME skins besides the first bone of each vertex. The loader of Generals reads that bone (`meshmdlio.cpp`) and
/// does not need the rest. Mods for Zero Hour also contain it.
#[cfg(feature = "w3d")]
const SMOOTH_SKIN: &str = "has a skin with weights, which the games before BFME skip";

#[cfg(feature = "w3d")]
fn w3d_evidence(file: &w3d::W3d<'_>, evidence: &mut Evidence) {
    use w3d::names::MeshFlags;
    use w3d::records::VertexInfluence;
    use w3d::table;

    file.root.walk(&mut |place| {
        let node = place.node;
        // Rows of scopes are known to the games that know their parent.
        let Some(row) = table::find(None, node.id).filter(|row| std::ptr::eq(&row.kind, node.kind)) else {
            return;
        };
        let games = Games::of_w3d(row.games);
        if node.is(&table::SECONDARY_VERTICES) || node.is(&table::SECONDARY_VERTEX_NORMALS) {
            evidence.hint(games, || SMOOTH_SKIN.to_owned());
        } else if SKIPPED.iter().any(|kind| node.is(kind)) {
            evidence.hint(games, || format!("contains the chunk {}, which other games skip", row.name));
        } else if !games.is_empty() && games != Games::W3D {
            evidence.limit(games, || known_to(games, &format!("contains the chunk {}", row.name)));
        }
        // Renegade compares with the wrong id and skips the whole emitter.
        if node.is(&table::EMITTER_LINE_PROPERTIES) {
            let games = Games::W3D.without(Game::Renegade.only());
            evidence.limit(games, || known_to(games, &format!("contains the chunk {}", row.name)));
        }
        if RENEGADE_ERA.iter().any(|kind| node.is(kind)) {
            evidence.hint(Games::RENEGADE, || format!("contains the Renegade-era chunk {}", row.name));
        }
    });
    for mesh in file.meshes() {
        let Some(header) = mesh.header() else { continue };
        let tt = header.attributes.get() & (MeshFlags::COLLISION_USER1 | MeshFlags::COLLISION_USER2).get();
        if tt != 0 || header.attributes.has(MeshFlags::GEOMETRY_CAMERA_Z_ORIENTED) {
            evidence.limit(Games::TT, || known_to(Games::TT, "has mesh flags of Tiberian Technologies"));
        }
        // Westwood's exporters write zeros here, and Westwood's loaders do not read it.
        let has_weights =
            |influence: &VertexInfluence| influence.weight.iter().any(|weight| weight.get() > 0);
        if mesh.influences().iter().any(has_weights) {
            evidence.hint(Games::SMOOTH, || SMOOTH_SKIN.to_owned());
        }
        // Westwood's tools of 1998 and 1999 have both signs. Other exporters have one of them, so one is not enough.
        if (header.version.major(), header.version.minor()) < (4, 2) && mesh.0.size_delta != 0 {
            evidence.hint(Games::RENEGADE, || "was written by Westwood's tools before Renegade".to_owned());
        }
    }
}

/// The schemas of the games differ in one attribute. Shaders are named after the sides of a game.
#[cfg(feature = "w3d")]
fn w3x_evidence(file: &w3x::W3x<'_>, evidence: &mut Evidence) {
    /// Parts of the names of shaders that only the sides of Red Alert 3 have.
    const RED_ALERT3: [&str; 4] = ["allied", "soviet", "japan", "frozen"];
    /// Parts of the names of shaders that only the sides of Tiberium Wars and Kane's Wrath have.
    const TIBERIUM: [&str; 4] = ["gdi", "nod", "alien", "tiberium"];
    const TIBERIUM_GAMES: Games = Game::TiberiumWars.only().or(Game::KanesWrath.only());
    for mesh in file.meshes() {
        if mesh.0.raw(&w3x::kinds::GEOMETRY_PICKABLE).is_some() {
            let games = Game::KanesWrath.only();
            evidence
                .limit(games, || "has the attribute GeometryPickable, known only to kanes-wrath".to_owned());
        }
        let Some(shader) = mesh.shader() else { continue };
        let name = shader.name().to_lowercase();
        for (parts, games) in [(RED_ALERT3, Game::RedAlert3.only()), (TIBERIUM, TIBERIUM_GAMES)] {
            if parts.iter().any(|part| name.contains(part)) {
                evidence.hint(games, || format!("uses the shader {}, as {}", shader.name(), list(games)));
            }
        }
    }
}

#[cfg(feature = "mdx")]
fn mdx_evidence(dialect: mdx::Dialect, version: u32, evidence: &mut Evidence) {
    let (games, what) = match dialect {
        mdx::Dialect::Wow => (Games::WOW, format!("version {version}, laid out as in the WoW alpha")),
        // Larger numbers mean damage: the newest known version is 1800.
        mdx::Dialect::Warcraft if version > 2000 => {
            (Games::WC3, format!("unknown version {version}, laid out as in Warcraft III"))
        }
        mdx::Dialect::Warcraft if version > 800 => {
            (Game::Wc3Reforged.only(), format!("version {version}, which only Reforged loads"))
        }
        mdx::Dialect::Warcraft => (Games::WC3, format!("version {version}, laid out as in Warcraft III")),
    };
    evidence.limit(games, || what);
}
