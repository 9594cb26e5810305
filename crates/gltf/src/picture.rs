//! Textures: looking them up, supplying those of the game, and writing them as PNG.

use crate::{Exporter, buffers::List, json::Json};
use scene::{BlendMode, Replaceable, TextureId, Wrap};
use std::collections::{HashMap, HashSet};
use texture::Image;

/// Where textures come from.
pub trait TextureSource {
    /// The picture that a model calls by this name, as its games find it.
    fn find(&mut self, name: &str) -> Option<Picture>;
}

/// A texture that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// A file: BLP, DDS, TGA, or PNG and JPEG, which are taken over as they are.
    File(Vec<u8>),
    /// Pixels.
    Image(Image),
}

impl<F: FnMut(&str) -> Option<Picture>> TextureSource for F {
    fn find(&mut self, name: &str) -> Option<Picture> {
        self(name)
    }
}

/// Finds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTextures;

impl TextureSource for NoTextures {
    fn find(&mut self, _: &str) -> Option<Picture> {
        None
    }
}

/// What is written of textures.
#[derive(Default)]
pub(crate) struct Pictures {
    textures: List,
    images: List,
    samplers: List,
    known_samplers: Vec<((Wrap, Wrap, bool), u32)>,
    known_textures: HashMap<(TextureId, UseAs), Option<u32>>,
    known_images: HashMap<(String, UseAs), Option<u32>>,
    names: HashSet<String>,
    files: Vec<(String, Vec<u8>)>,
}

impl Pictures {
    pub(crate) fn finish(mut self, json: &mut Json) -> Vec<(String, Vec<u8>)> {
        self.textures.finish("textures", json);
        self.images.finish("images", json);
        self.samplers.finish("samplers", json);
        self.files
    }
}

impl Exporter<'_> {
    /// The glTF texture for one of the scene's.
    pub(crate) fn texture(
        &mut self,
        id: TextureId,
        use_as: UseAs,
        source: &mut dyn TextureSource,
    ) -> Option<u32> {
        if !self.options.textures {
            return None;
        }
        if let Some(known) = self.pictures.known_textures.get(&(id, use_as)) {
            return *known;
        }
        let found = self.scene.textures.get(id.index()).and_then(|texture| {
            let image = self.image(texture, use_as, source)?;
            let sampler = self.sampler(texture);
            Some(self.pictures.textures.push(|json| {
                json.text("name", &texture.name);
                json.field("sampler", &sampler);
                json.field("source", &image);
            }))
        });
        self.pictures.known_textures.insert((id, use_as), found);
        found
    }

    fn sampler(&mut self, texture: &scene::Texture) -> u32 {
        let key = (texture.wrap_u, texture.wrap_v, texture.no_mipmaps);
        let known = &mut self.pictures.known_samplers;
        if let Some((_, place)) = known.iter().find(|(known, _)| *known == key) {
            return *place;
        }
        const LINEAR: u32 = 9729;
        const LINEAR_MIPMAP_LINEAR: u32 = 9987;
        let wrap = |wrap: Wrap| match wrap {
            Wrap::Repeat => 10497_u32,
            Wrap::Clamp => 33071,
            Wrap::Mirror => 33648,
        };
        let place = self.pictures.samplers.push(|json| {
            json.field("magFilter", &LINEAR);
            json.field("minFilter", &if texture.no_mipmaps { LINEAR } else { LINEAR_MIPMAP_LINEAR });
            json.field("wrapS", &wrap(texture.wrap_u));
            json.field("wrapT", &wrap(texture.wrap_v));
        });
        known.push((key, place));
        place
    }

    fn image(
        &mut self,
        texture: &scene::Texture,
        use_as: UseAs,
        source: &mut dyn TextureSource,
    ) -> Option<u32> {
        let name = match texture.replaceable {
            Some(replaceable) if texture.name.is_empty() => format!("replaceable {}", replaceable.0),
            _ => texture.name.clone(),
        };
        let key = (name.to_lowercase(), use_as);
        if let Some(known) = self.pictures.known_images.get(&key) {
            return *known;
        }
        let supplied = texture.replaceable.and_then(|which| supplied(which, self.options.team_color));
        let found = supplied
            .map(Picture::Image)
            .or_else(|| source.find(&texture.name).filter(|_| !texture.name.is_empty()));
        let mask = match use_as {
            UseAs::TeamBy(mask) => self.mask(mask, source),
            _ => None,
        };
        let team = self.options.team_color;
        let image = match found.map(|picture| encode(picture, use_as, mask.as_ref(), team)) {
            Some(Ok((bytes, kind))) => Some(self.push_image(&name, bytes, kind)),
            Some(Err(error)) => {
                self.report.unreadable_textures.push((name, error));
                None
            }
            None => {
                // It may have been looked for already, to be used otherwise.
                if !self.report.missing_textures.contains(&name) {
                    self.report.missing_textures.push(name);
                }
                None
            }
        };
        self.pictures.known_images.insert(key, image);
        image
    }

    /// The pixels of a texture whose alpha is wanted.
    fn mask(&self, id: TextureId, source: &mut dyn TextureSource) -> Option<Image> {
        let name = &self.scene.textures.get(id.index())?.name;
        match source.find(name).filter(|_| !name.is_empty())? {
            Picture::File(bytes) => texture::decode_top(&bytes).ok(),
            Picture::Image(image) => Some(image),
        }
    }

    fn push_image(&mut self, name: &str, bytes: Vec<u8>, kind: Kind) -> u32 {
        match self.stem {
            None => {
                let view = self.buffers.push_file(bytes);
                self.pictures.images.push(|json| {
                    json.text("name", name);
                    json.field("mimeType", kind.mime());
                    json.field("bufferView", &view);
                })
            }
            Some(stem) => {
                let file = self.pictures.free_name(stem, name, kind);
                let place = self.pictures.images.push(|json| {
                    json.text("name", name);
                    json.field("uri", &uri(&file));
                });
                self.pictures.files.push((file, bytes));
                place
            }
        }
    }
}

impl Pictures {
    /// A file name beside the `.gltf` that no other picture has, whatever the case. The texture's part has no dot, so no two models of
    /// different names can have a picture of the same name.
    fn free_name(&mut self, stem: &str, texture: &str, kind: Kind) -> String {
        let last = texture.rsplit(['/', '\\']).next().unwrap_or(texture);
        let base = last.rsplit_once('.').map_or(last, |(base, _)| base);
        let plain: String =
            base.chars().map(|c| if c.is_alphanumeric() || "-_ ".contains(c) { c } else { '_' }).collect();
        (1..)
            .map(|attempt| match attempt {
                1 => format!("{stem}.{plain}.{}", kind.extension()),
                _ => format!("{stem}.{plain}_{attempt}.{}", kind.extension()),
            })
            .find(|name| self.names.insert(name.to_lowercase()))
            .unwrap_or_default()
    }
}

/// A file name as a relative address.
pub(crate) fn uri(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for &byte in name.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[derive(Clone, Copy)]
enum Kind {
    Png,
    Jpeg,
}

impl Kind {
    const fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }

    const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
        }
    }
}

/// The picture as glTF takes it. Files of its own formats are taken over as they are.
fn encode(
    picture: Picture,
    use_as: UseAs,
    mask: Option<&Image>,
    team: [u8; 3],
) -> Result<(Vec<u8>, Kind), texture::Error> {
    let image = match picture {
        Picture::File(bytes) if bytes.starts_with(b"\x89PNG\r\n\x1a\n") => return Ok((bytes, Kind::Png)),
        Picture::File(bytes) if bytes.starts_with(b"\xff\xd8\xff") => return Ok((bytes, Kind::Jpeg)),
        Picture::File(bytes) => texture::decode_top(&bytes)?,
        Picture::Image(image) => image,
    };
    let (width, height) = (image.width(), image.height());
    let image = match use_as {
        UseAs::Itself => image,
        UseAs::TeamBy(_) => {
            let Some(mask) = mask else { return Ok((texture::encode_png(&image)?, Kind::Png)) };
            // Both pictures cover the same surface, whatever their sizes.
            let scaled =
                |at: u32, size: u32, of: u32| (u64::from(at) * u64::from(of) / u64::from(size)) as u32;
            let strength = |at: u32| {
                let (x, y) =
                    (scaled(at % width, width, mask.width()), scaled(at / width, height, mask.height()));
                mask.pixel(x, y).map_or(0, |[.., alpha]| alpha)
            };
            let pixels = (0..).zip(image.iter()).flat_map(|(at, [r, g, b, alpha])| {
                let [r, g, b, _] = use_as.pixel([r, g, b, strength(at)], team);
                [r, g, b, alpha]
            });
            Image::new(width, height, pixels.collect())?
        }
        _ => {
            let pixels = image.iter().flat_map(|pixel| use_as.pixel(pixel, team)).collect();
            Image::new(width, height, pixels)?
        }
    };
    Ok((texture::encode_png(&image)?, Kind::Png))
}

/// How a picture goes on what is behind it. glTF only knows to cover it by the picture's alpha, so the pictures of other blend modes are
/// changed to look alike when that is done with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum UseAs {
    /// It covers by its alpha, or wholly.
    Itself,
    /// It covers the player's colour.
    OverTeam,
    /// It is added: black is nothing.
    Light,
    /// It is added by its alpha.
    LightByAlpha,
    /// It is multiplied: white is nothing.
    Shade,
    /// It is multiplied and doubled: grey is nothing.
    DoubleShade,
    /// It takes the player's colour where the alpha of this texture says so (high-definition materials of Warcraft III).
    TeamBy(TextureId),
    /// It has normals, of which the formats of the games may hold only two axes.
    Normals,
}

impl UseAs {
    pub(crate) const fn of(blend: BlendMode) -> Self {
        match blend {
            BlendMode::Add | BlendMode::Screen => Self::Light,
            BlendMode::Additive | BlendMode::AddAlpha => Self::LightByAlpha,
            BlendMode::Modulate | BlendMode::Multiply => Self::Shade,
            BlendMode::Modulate2x => Self::DoubleShade,
            BlendMode::Opaque | BlendMode::Alpha | BlendMode::Factors(..) => Self::Itself,
        }
    }

    /// The pixel that does by alpha what this one does otherwise.
    fn pixel(self, [r, g, b, a]: [u8; 4], team: [u8; 3]) -> [u8; 4] {
        let [r, g, b, a] = [r, g, b, a].map(u32::from);
        let share = |part: u32, whole: u32| ((part * 255 + whole / 2) / whole.max(1)).min(255) as u8;
        match self {
            Self::Itself => [r, g, b, a].map(|part| part as u8),
            Self::OverTeam => {
                let mix =
                    |over: u32, under: u8| ((over * a + u32::from(under) * (255 - a) + 127) / 255) as u8;
                [mix(r, team[0]), mix(g, team[1]), mix(b, team[2]), 255]
            }
            // The brightest light covers most; light · alpha stays what was added.
            Self::Light | Self::LightByAlpha => {
                let strength = r.max(g).max(b);
                let alpha = if self == Self::Light { strength } else { (strength * a + 127) / 255 };
                [share(r, strength), share(g, strength), share(b, strength), alpha as u8]
            }
            // On white this is exactly the product, and for grey pictures on everything.
            Self::Shade => {
                let least = r.min(g).min(b);
                let alpha = 255 - least;
                [share(r - least, alpha), share(g - least, alpha), share(b - least, alpha), alpha as u8]
            }
            Self::TeamBy(_) => {
                // Here alpha is that of the other texture.
                let tint = |part: u32, team: u8| {
                    ((part * (255 * (255 - a) + u32::from(team) * a) + 32_512) / 65_025) as u8
                };
                [tint(r, team[0]), tint(g, team[1]), tint(b, team[2]), 255]
            }
            // No normal points into the surface.
            Self::Normals if b == 0 => {
                let [x, y] = [r, g].map(|part| part as f32 / 127.5 - 1.0);
                let z = (1.0 - x * x - y * y).max(0.0).sqrt();
                [r as u8, g as u8, (z * 127.5 + 127.5).round() as u8, 255]
            }
            Self::Normals => [r as u8, g as u8, b as u8, 255],
            Self::DoubleShade => {
                let doubled = 2 * (r + g + b) / 3;
                if doubled <= 255 {
                    [0, 0, 0, (255 - doubled) as u8]
                } else {
                    [255, 255, 255, ((doubled - 255) / 2) as u8]
                }
            }
        }
    }
}

/// The textures that a game makes itself: the player's colour, and a ball of it that fades to the rim.
fn supplied(which: Replaceable, [r, g, b]: [u8; 3]) -> Option<Image> {
    const SIDE: u32 = 32;
    match which {
        Replaceable::TEAM_COLOR => Image::new(4, 4, [r, g, b, 255].repeat(16)).ok(),
        Replaceable::TEAM_GLOW => {
            let middle = (SIDE - 1) as f32 / 2.0;
            let pixels = (0..SIDE * SIDE).flat_map(|at| {
                let (x, y) = ((at % SIDE) as f32 - middle, (at / SIDE) as f32 - middle);
                let strength = (1.0 - x.hypot(y) / middle).max(0.0);
                let part = |channel: u8| (f32::from(channel) * strength) as u8;
                [part(r), part(g), part(b), (255.0 * strength) as u8]
            });
            Image::new(SIDE, SIDE, pixels.collect()).ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEAM: [u8; 3] = [255, 0, 0];

    /// What shows where glTF lays a pixel over another.
    fn over([r, g, b, a]: [u8; 4], under: [u8; 3]) -> [i32; 3] {
        let alpha = f32::from(a) / 255.0;
        let mix = |part: u8, under: u8| f32::from(part) * alpha + f32::from(under) * (1.0 - alpha);
        [mix(r, under[0]), mix(g, under[1]), mix(b, under[2])].map(|part| part.round() as i32)
    }

    fn is_near(a: [i32; 3], b: [i32; 3]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1)
    }

    #[test]
    fn light_is_what_it_adds_to_black_and_black_adds_nothing() {
        let glow = [200, 100, 0, 255];
        assert!(is_near(over(UseAs::Light.pixel(glow, TEAM), [0; 3]), [200, 100, 0]));
        let half = UseAs::LightByAlpha.pixel([200, 100, 0, 128], TEAM);
        assert!(is_near(over(half, [0; 3]), [100, 50, 0]));
        assert_eq!(UseAs::Light.pixel([0, 0, 0, 255], TEAM), [0; 4]);
    }

    #[test]
    fn a_shade_is_a_product_and_white_shades_nothing() {
        assert!(is_near(over(UseAs::Shade.pixel([200, 100, 50, 255], TEAM), [255; 3]), [200, 100, 50]));
        assert!(is_near(over(UseAs::Shade.pixel([128; 4], TEAM), [100, 50, 0]), [50, 25, 0]));
        assert_eq!(UseAs::Shade.pixel([255; 4], TEAM), [0; 4]);
        assert!(is_near(over(UseAs::DoubleShade.pixel([64, 64, 64, 255], TEAM), [200; 3]), [100; 3]));
        assert_eq!(UseAs::DoubleShade.pixel([127, 127, 128, 255], TEAM)[3], 1);
    }

    #[test]
    fn the_players_colour_shows_where_a_picture_does_not_cover() {
        assert_eq!(UseAs::OverTeam.pixel([10, 20, 30, 0], TEAM), [255, 0, 0, 255]);
        assert_eq!(UseAs::OverTeam.pixel([10, 20, 30, 255], TEAM), [10, 20, 30, 255]);
    }

    #[test]
    fn the_players_colour_tints_where_another_texture_says_so() {
        let tint = |alpha| UseAs::TeamBy(TextureId(0)).pixel([200, 100, 50, alpha], TEAM);
        assert_eq!(tint(0), [200, 100, 50, 255]);
        assert_eq!(tint(255), [200, 0, 0, 255]);
        let base = Image::new(2, 1, vec![200, 100, 50, 7, 200, 100, 50, 7]).expect("two pixels");
        let mask = Image::new(4, 2, [[0; 4], [0; 4], [255; 4], [255; 4]].repeat(2).concat()).expect("eight");
        let (png, _) =
            encode(Picture::Image(base), UseAs::TeamBy(TextureId(0)), Some(&mask), TEAM).expect("small");
        let wanted = Image::new(2, 1, vec![200, 100, 50, 7, 200, 0, 0, 7]).expect("two pixels");
        assert_eq!(png, texture::encode_png(&wanted).expect("small"));
    }

    #[test]
    fn normals_of_two_axes_get_their_third() {
        assert_eq!(UseAs::Normals.pixel([128, 128, 0, 255], TEAM), [128, 128, 255, 255]);
        assert_eq!(UseAs::Normals.pixel([255, 128, 0, 0], TEAM), [255, 128, 128, 255]);
        assert_eq!(UseAs::Normals.pixel([100, 120, 230, 9], TEAM), [100, 120, 230, 255]);
    }

    #[test]
    fn no_two_models_have_a_picture_of_one_name() {
        let name = |stem, texture| Pictures::default().free_name(stem, texture, Kind::Png);
        assert_eq!(name("tank", r"Art\Textures\hull.tga"), "tank.hull.png");
        assert_ne!(name("tank", "b_hull.tga"), name("tank_b", "hull.tga"));
        assert_ne!(name("tank", "b.hull.tga"), name("tank.b", "hull.tga"));
        let mut pictures = Pictures::default();
        let names = ["a/hull.tga", "b/HULL.tga", "hull_2.tga"]
            .map(|texture| pictures.free_name("tank", texture, Kind::Png));
        assert_eq!(names, ["tank.hull.png", "tank.HULL_2.png", "tank.hull_2_2.png"]);
    }
}
