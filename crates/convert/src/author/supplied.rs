//! Textures that Warcraft III supplies, as files for games that do not supply them.

use scene::team_color::HouseColor;
use scene::{Replaceable, Texture};

/// Stem of the player's colour. In games that recolour textures, [`RECOLOURED`] is before it.
const TEAM_COLOR: &str = "TeamColor";

/// Stem of the player's glow.
const TEAM_GLOW: &str = "TeamGlow";

/// Generals and Zero Hour give the player's hue to the transparent texels of textures whose names begin so.
const RECOLOURED: &str = "ZHCA_";

/// The file that stands for a supplied texture. `recolours` says that the game gives textures the colour of the player.
pub(super) fn file_name(texture: Replaceable, recolours: bool) -> String {
    let start = if recolours { RECOLOURED } else { "" };
    match texture {
        Replaceable::TEAM_COLOR => format!("{start}{TEAM_COLOR}.tga"),
        Replaceable::TEAM_GLOW => format!("{start}{TEAM_GLOW}.tga"),
        Replaceable(number) => format!("Replaceable{number}.tga"),
    }
}

/// Whether a supplied texture is the same on every map. Trees and cliffs are not.
pub(super) fn is_known(texture: Replaceable) -> bool {
    matches!(texture, Replaceable::TEAM_COLOR | Replaceable::TEAM_GLOW)
}

/// The supplied texture that a recoloured file of a W3D model stands for.
pub(crate) fn of_file(name: &str, house_color: Option<HouseColor>) -> Option<Replaceable> {
    let file = name.rsplit(['/', '\\']).next()?;
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let (start, end) = stem.split_at_checked(RECOLOURED.len())?;
    if house_color != Some(HouseColor::Hue) || !start.eq_ignore_ascii_case(RECOLOURED) {
        return None;
    }
    let known = [(TEAM_COLOR, Replaceable::TEAM_COLOR), (TEAM_GLOW, Replaceable::TEAM_GLOW)];
    known.into_iter().find(|(stem, _)| stem.eq_ignore_ascii_case(end)).map(|(_, texture)| texture)
}

/// Whether a texture of a W3D model is a file that stands for a texture that Warcraft III supplies.
pub(super) fn stands_for_supplied(texture: &Texture) -> bool {
    texture.house_color.is_some() && texture.replaceable.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_recoloured_files_stand_for_supplied_textures() {
        let hue = Some(HouseColor::Hue);
        assert_eq!(of_file("ZHCA_TeamColor.tga", hue), Some(Replaceable::TEAM_COLOR));
        assert_eq!(of_file("art\\zhca_teamglow.dds", hue), Some(Replaceable::TEAM_GLOW));
        for (name, house_color) in
            [("ZHCA_Tank.tga", hue), ("TeamColor.tga", None), ("ZHCA\u{e9}.tga", hue), ("", hue)]
        {
            assert_eq!(of_file(name, house_color), None, "{name}");
        }
    }
}
