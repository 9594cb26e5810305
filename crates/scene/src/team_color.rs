//! Player colours: their names, and how Generals applies them to textures.

/// A named player colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamColor {
    /// Lower case, without spaces.
    pub name: &'static str,
    /// Red, green, blue.
    pub color: [u8; 3],
}

const fn team(name: &'static str, rgb: u32) -> TeamColor {
    let [_, red, green, blue] = rgb.to_be_bytes();
    TeamColor { name, color: [red, green, blue] }
}

/// Colours of Warcraft III's players, in their order.
pub const WARCRAFT: [TeamColor; 25] = [
    team("red", 0xFF0303),
    team("blue", 0x0042FF),
    team("teal", 0x1BE7BA),
    team("purple", 0x550081),
    team("yellow", 0xFEFC00),
    team("orange", 0xFE890D),
    team("green", 0x21BF00),
    team("pink", 0xE45CAF),
    team("gray", 0x939596),
    team("lightblue", 0x7EBFF1),
    team("darkgreen", 0x106247),
    team("brown", 0x4F2B05),
    team("maroon", 0x9C0000),
    team("navy", 0x0000C3),
    team("turquoise", 0x00EBFF),
    team("violet", 0xBD00FF),
    team("wheat", 0xECCE87),
    team("peach", 0xF7A58B),
    team("mint", 0xBFFF81),
    team("lavender", 0xDBB8EB),
    team("coal", 0x4F5055),
    team("snow", 0xECF0FF),
    team("emerald", 0x00781E),
    team("peanut", 0xA56F34),
    team("black", 0x2E2D2E),
];

/// Colours of Generals' and Zero Hour's players. Gold is from a game file, the others are unverified.
pub const GENERALS: [TeamColor; 8] = [
    team("gold", 0xDDE20D),
    team("red", 0xFF130D),
    team("blue", 0x2B74E2),
    team("green", 0x3ED12E),
    team("orange", 0xFFA019),
    team("skyblue", 0x32D7E6),
    team("purple", 0x9528BD),
    team("pink", 0xFF9AEB),
];

/// Colours of the players of The Battle for Middle-earth II, The Rise of the Witch-king; one source, unverified.
pub const MIDDLE_EARTH: [TeamColor; 10] = [
    team("blue", 0x465B9C),
    team("red", 0x9E382A),
    team("yellow", 0xAFBD4C),
    team("green", 0x3E9864),
    team("orange", 0xCE8745),
    team("lightblue", 0x7AA8CC),
    team("purple", 0x9474B7),
    team("pink", 0xCC9FBC),
    team("gray", 0x646464),
    team("white", 0xFFFFFF),
];

/// The tables of colours by the name of their game.
pub const GAMES: [(&str, &[TeamColor]); 3] =
    [("warcraft", &WARCRAFT), ("generals", &GENERALS), ("bfme", &MIDDLE_EARTH)];

/// Reads a colour: `RRGGBB`, `#RRGGBB`, a name such as `light blue`, or a game and a name such as `bfme:red`.
///
/// Case, spaces, `-` and `_` do not matter in names, and `grey` is `gray`. A name alone is looked up in Warcraft III's colours
/// first, then in Generals', then in those of The Battle for Middle-earth.
///
/// ```
/// use meshwright_scene::team_color::parse;
/// assert_eq!(parse("#ff8000"), Some([255, 128, 0]));
/// assert_eq!(parse("Light Blue"), Some([0x7E, 0xBF, 0xF1]));
/// assert_eq!(parse("bfme:red"), Some([0x9E, 0x38, 0x2A]));
/// assert_eq!(parse("loud"), None);
/// ```
#[must_use]
pub fn parse(text: &str) -> Option<[u8; 3]> {
    let hex = text.strip_prefix('#').unwrap_or(text);
    if hex.len() == 6 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let [_, red, green, blue] = u32::from_str_radix(hex, 16).ok()?.to_be_bytes();
        return Some([red, green, blue]);
    }
    let (game, name) = match text.split_once(':') {
        Some((game, name)) => (Some(plain(game)), plain(name)),
        None => (None, plain(text)),
    };
    GAMES
        .iter()
        .filter(|(known, _)| game.as_ref().is_none_or(|game| game == known))
        .flat_map(|(_, colors)| *colors)
        .find(|color| color.name == name)
        .map(|color| color.color)
}

fn plain(name: &str) -> String {
    let name: String =
        name.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).map(|c| c.to_ascii_lowercase()).collect();
    name.replace("grey", "gray")
}

/// How Generals and Zero Hour apply the player colour to a texture (docs/formats/rendering.md#w3d-house-colour).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum HouseColor {
    /// The first 16 texels of the top row are shades of it (textures named `ZHCD...`).
    Palette,
    /// Transparent texels take its hue and become opaque (textures named `ZHCA...`).
    Hue,
}

/// The shades of [`HouseColor::Palette`], of 255.
const SHADES: [u16; 16] = [255, 239, 223, 211, 195, 174, 167, 151, 135, 123, 107, 91, 79, 63, 47, 35];

impl HouseColor {
    /// Applies the player colour to the rows of an RGBA picture. Call it before mipmaps are made and before scaling.
    pub fn recolor(self, pixels: &mut [u8], width: usize, color: [u8; 3]) {
        match self {
            Self::Palette => {
                let texels = pixels.chunks_exact_mut(4).take(width);
                for (texel, shade) in texels.zip(SHADES) {
                    for (part, color) in texel.iter_mut().zip(color) {
                        *part = (u16::from(color) * shade / 255) as u8;
                    }
                }
            }
            Self::Hue => {
                let [hue, strength, _] = hsv(color);
                for texel in pixels.chunks_exact_mut(4) {
                    if texel[3] < 255 {
                        let [_, saturation, value] = hsv([texel[0], texel[1], texel[2]]);
                        texel[..3].copy_from_slice(&rgb([hue, saturation * strength, value]));
                        texel[3] = 255;
                    }
                }
            }
        }
    }
}

/// Hue from 0 to 6, saturation and value from 0 to 1.
fn hsv(color: [u8; 3]) -> [f32; 3] {
    let [red, green, blue] = color.map(|part| f32::from(part) / 255.0);
    let value = red.max(green).max(blue);
    let range = value - red.min(green).min(blue);
    if range == 0.0 {
        return [0.0, 0.0, value];
    }
    let hue = if value == red {
        (green - blue) / range
    } else if value == green {
        2.0 + (blue - red) / range
    } else {
        4.0 + (red - green) / range
    };
    [hue.rem_euclid(6.0), range / value, value]
}

fn rgb([hue, saturation, value]: [f32; 3]) -> [u8; 3] {
    // Each channel falls from the value as the hue moves away from it by more than one sixth.
    [5.0, 3.0, 1.0].map(|shift: f32| {
        let away = (shift + hue).rem_euclid(6.0);
        let fall = away.min(4.0 - away).clamp(0.0, 1.0);
        ((value - value * saturation * fall) * 255.0).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_survive_hue_saturation_and_value() {
        for color in GAMES.iter().flat_map(|(_, colors)| *colors) {
            assert_eq!(rgb(hsv(color.color)), color.color, "{}", color.name);
        }
    }

    #[test]
    fn a_palette_is_replaced_by_shades_of_the_colour() {
        let mut pixels = [9; 4 * 40];
        HouseColor::Palette.recolor(&mut pixels, 20, [100, 255, 0]);
        assert_eq!(pixels[..4], [100, 255, 0, 9]);
        // 100 · 35 / 255 = 13.7, rounded down.
        assert_eq!(pixels[60..68], [13, 35, 0, 9, 9, 9, 9, 9]);
        assert_eq!(pixels[80..], [9; 80]);
    }

    #[test]
    fn a_palette_narrower_than_16_stays_in_the_top_row() {
        let mut pixels = [9; 4 * 4];
        HouseColor::Palette.recolor(&mut pixels, 2, [255; 3]);
        assert_eq!(pixels, [255, 255, 255, 9, 239, 239, 239, 9, 9, 9, 9, 9, 9, 9, 9, 9]);
    }

    #[test]
    fn transparent_texels_take_the_hue_and_keep_their_value() {
        // A half-saturated green of value 200, with a fully saturated blue: saturation 0.5, hue of blue.
        let mut pixels = [100, 200, 100, 254, 100, 200, 100, 255];
        HouseColor::Hue.recolor(&mut pixels, 2, [0, 0, 255]);
        assert_eq!(pixels, [100, 100, 200, 255, 100, 200, 100, 255]);
        // With grey, only the value is left.
        let mut pixels = [100, 200, 100, 0];
        HouseColor::Hue.recolor(&mut pixels, 1, [80; 3]);
        assert_eq!(pixels, [200, 200, 200, 255]);
    }
}
