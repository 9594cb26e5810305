//! Pictures of the textures that Warcraft III supplies, for games that do not supply them.

use scene::Replaceable;
use texture::Image;

/// The colour of the pictures where the game does not change it: that of the first player.
const RED: [u8; 3] = [255, 0, 0];

/// The largest alpha of a texel that Generals recolours. It looks opaque in programs that do not recolour.
const RECOLOURED_ALPHA: u8 = 254;

/// Alpha in the middle of the glow, as in the picture that `render` uses.
const GLOW_STRENGTH: f32 = 0.5;

/// The picture of a supplied texture. Nothing for textures that depend on the map. `recolours` says that the game gives textures the
/// colour of the player.
pub(super) fn picture(texture: Replaceable, recolours: bool) -> Option<Image> {
    match texture {
        Replaceable::TEAM_COLOR => {
            let [red, green, blue] = RED;
            let alpha = if recolours { RECOLOURED_ALPHA } else { 255 };
            Image::new(8, 8, [red, green, blue, alpha].repeat(64)).ok()
        }
        Replaceable::TEAM_GLOW => glow(recolours),
        _ => None,
    }
}

/// A round glow. Recolouring makes texels opaque, so the colour alone has to fade in a picture that is recoloured.
fn glow(recolours: bool) -> Option<Image> {
    const SIDE: u32 = 64;
    let middle = (SIDE - 1) as f32 / 2.0;
    let pixels = (0..SIDE * SIDE).flat_map(|index| {
        let (x, y) = ((index % SIDE) as f32 - middle, (index / SIDE) as f32 - middle);
        let near = (1.0 - x.hypot(y) / middle).max(0.0);
        let alpha = near * GLOW_STRENGTH;
        let fade = if recolours { near * alpha } else { near };
        let [red, green, blue] = RED.map(|part| (f32::from(part) * fade).round() as u8);
        [red, green, blue, if recolours { RECOLOURED_ALPHA } else { (alpha * 255.0).round() as u8 }]
    });
    Image::new(SIDE, SIDE, pixels.collect()).ok()
}

/// What a user has to know about such a picture.
pub(super) fn advice(recolours: bool) -> &'static str {
    if recolours {
        "stands for a texture of Warcraft III; the game gives it the colour of the player"
    } else {
        "stands for a texture of Warcraft III; it is always red, because the game does not recolour textures"
    }
}

#[cfg(test)]
mod tests {
    use scene::team_color::HouseColor;

    use super::*;

    const BLUE: [u8; 3] = [0, 64, 255];

    fn recoloured(texture: Replaceable) -> Image {
        let image = picture(texture, true).unwrap();
        let mut pixels: Vec<u8> = image.iter().flatten().collect();
        HouseColor::Hue.recolor(&mut pixels, image.width() as usize, BLUE);
        Image::new(image.width(), image.height(), pixels).unwrap()
    }

    #[test]
    fn the_game_gives_the_team_colour_to_the_picture() {
        assert!(recoloured(Replaceable::TEAM_COLOR).iter().all(|texel| texel == [0, 64, 255, 255]));
    }

    #[test]
    fn a_recoloured_glow_fades_to_black() {
        let glow = recoloured(Replaceable::TEAM_GLOW);
        assert_eq!(glow.pixel(0, 0), Some([0, 0, 0, 255]));
        let [red, green, blue, _] = glow.pixel(32, 32).unwrap();
        assert!(red == 0 && (25..35).contains(&green) && (110..130).contains(&blue), "{red} {green} {blue}");
    }

    #[test]
    fn a_glow_that_no_game_recolours_fades_in_alpha() {
        let glow = picture(Replaceable::TEAM_GLOW, false).unwrap();
        assert_eq!(glow.pixel(0, 0), Some([0, 0, 0, 0]));
        let [.., alpha] = glow.pixel(32, 32).unwrap();
        assert!((110..=128).contains(&alpha), "{alpha}");
    }
}
