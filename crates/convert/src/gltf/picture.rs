//! Textures: looking them up, supplying those of the game, and writing them as PNG.

use super::{Exporter, buffers::List, json::Json};
use scene::{Replaceable, TextureId, Wrap};
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
pub(super) struct Pictures {
    textures: List,
    images: List,
    samplers: List,
    known_samplers: Vec<((Wrap, Wrap, bool), u32)>,
    known_textures: HashMap<(TextureId, bool), Option<u32>>,
    known_images: HashMap<(String, bool), Option<u32>>,
    names: HashSet<String>,
    files: Vec<(String, Vec<u8>)>,
}

impl Pictures {
    pub(super) fn finish(self, json: &mut Json) -> Vec<(String, Vec<u8>)> {
        self.textures.finish("textures", json);
        self.images.finish("images", json);
        self.samplers.finish("samplers", json);
        self.files
    }
}

impl Exporter<'_> {
    /// The glTF texture for one of the scene's, laid over the player's colour if so wished.
    pub(super) fn texture(
        &mut self,
        id: TextureId,
        on_team: bool,
        source: &mut dyn TextureSource,
    ) -> Option<u32> {
        if !self.options.textures {
            return None;
        }
        if let Some(known) = self.pictures.known_textures.get(&(id, on_team)) {
            return *known;
        }
        let found = self.scene.textures.get(id.index()).and_then(|texture| {
            let image = self.image(texture, on_team, source)?;
            let sampler = self.sampler(texture);
            Some(self.pictures.textures.push(|json| {
                json.text("name", &texture.name);
                json.field("sampler", &sampler);
                json.field("source", &image);
            }))
        });
        self.pictures.known_textures.insert((id, on_team), found);
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
        on_team: bool,
        source: &mut dyn TextureSource,
    ) -> Option<u32> {
        let name = match texture.replaceable {
            Some(replaceable) if texture.name.is_empty() => format!("replaceable {}", replaceable.0),
            _ => texture.name.clone(),
        };
        let key = (name.to_lowercase(), on_team);
        if let Some(known) = self.pictures.known_images.get(&key) {
            return *known;
        }
        let supplied = texture.replaceable.and_then(|which| supplied(which, self.options.team_color));
        let found = supplied
            .map(Picture::Image)
            .or_else(|| source.find(&texture.name).filter(|_| !texture.name.is_empty()));
        let image = match found.map(|picture| encode(picture, on_team.then_some(self.options.team_color))) {
            Some(Ok((bytes, kind))) => Some(self.push_image(&name, bytes, kind)),
            Some(Err(error)) => {
                self.report.unreadable_textures.push((name, error));
                None
            }
            None => {
                self.report.missing_textures.push(name);
                None
            }
        };
        self.pictures.known_images.insert(key, image);
        image
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
    /// A file name beside the `.gltf` that no other picture has, whatever the case.
    fn free_name(&mut self, stem: &str, texture: &str, kind: Kind) -> String {
        let last = texture.rsplit(['/', '\\']).next().unwrap_or(texture);
        let base = last.rsplit_once('.').map_or(last, |(base, _)| base);
        let plain: String =
            base.chars().map(|c| if c.is_alphanumeric() || "-_ ".contains(c) { c } else { '_' }).collect();
        (1..)
            .map(|attempt| match attempt {
                1 => format!("{stem}_{plain}.{}", kind.extension()),
                _ => format!("{stem}_{plain}_{attempt}.{}", kind.extension()),
            })
            .find(|name| self.names.insert(name.to_lowercase()))
            .unwrap_or_default()
    }
}

/// A file name as a relative address.
pub(super) fn uri(name: &str) -> String {
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

/// The picture as glTF takes it, laid over a colour if there is one.
fn encode(picture: Picture, over: Option<[u8; 3]>) -> Result<(Vec<u8>, Kind), texture::Error> {
    let image = match picture {
        Picture::File(bytes) if bytes.starts_with(b"\x89PNG\r\n\x1a\n") => return Ok((bytes, Kind::Png)),
        Picture::File(bytes) if bytes.starts_with(b"\xff\xd8\xff") => return Ok((bytes, Kind::Jpeg)),
        Picture::File(bytes) => texture::decode_top(&bytes)?,
        Picture::Image(image) => image,
    };
    let image = match over {
        Some(color) => laid_over(&image, color)?,
        None => image,
    };
    Ok((texture::encode_png(&image)?, Kind::Png))
}

/// What shows where a layer blends over one of plain colour.
fn laid_over(image: &Image, color: [u8; 3]) -> Result<Image, texture::Error> {
    let mix = |over: u8, under: u8, alpha: u8| {
        let (over, under, alpha) = (u32::from(over), u32::from(under), u32::from(alpha));
        ((over * alpha + under * (255 - alpha) + 127) / 255) as u8
    };
    let pixels = image
        .iter()
        .flat_map(|[r, g, b, a]| [mix(r, color[0], a), mix(g, color[1], a), mix(b, color[2], a), 255])
        .collect();
    Image::new(image.width(), image.height(), pixels)
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
