//! Textures: looking them up, compositing the pictures of layers, and writing them as PNG.

use crate::budget::Budget;
use crate::buffers::Buffers;
use crate::extras::{ImageExtras, unless_empty};
use crate::options::{Options, Report};
use crate::{derived, document};
use glam::Vec4;
use scene::surface::{Composite, Mix};
use scene::team_color::HouseColor;
use scene::{Replaceable, Scene, TextureId, Wrap};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use texture::Image;

/// Where textures come from.
pub trait TextureSource {
    /// The picture that a model calls by this name, as its game finds it.
    fn find(&mut self, name: &str) -> Option<Picture>;

    /// What tells the file that [`find`](Self::find) reads from all others, such as its path. Names that lead to the same file are
    /// one picture, which is decoded and written once.
    fn key(&mut self, name: &str) -> String {
        name.to_lowercase()
    }
}

/// A texture that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// A file: BLP, DDS, TGA, or PNG and JPEG, which are copied as they are where possible.
    File(Vec<u8>),
    /// Pixels.
    Image(Image),
}

impl<F: FnMut(&str) -> Option<Picture>> TextureSource for F {
    fn find(&mut self, name: &str) -> Option<Picture> {
        self(name)
    }
}

/// Finds no textures.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTextures;

impl TextureSource for NoTextures {
    fn find(&mut self, _: &str) -> Option<Picture> {
        None
    }
}

/// What a picture is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Use {
    Color,
    /// Normals, of which the games' formats may hold only two axes. glTF's green points up.
    Normals {
        green_down: bool,
    },
}

/// Textures, images and samplers in the making.
pub(crate) struct Textures<'a> {
    scene: &'a Scene,
    options: &'a Options,
    source: RefCell<&'a mut dyn TextureSource>,
    budget: &'a Budget,
    /// For each texture that was looked up the first one with the same picture.
    canonical: RefCell<HashMap<TextureId, TextureId>>,
    /// The first texture of each picture.
    first: RefCell<HashMap<PictureKey, TextureId>>,
    loaded: RefCell<HashMap<TextureId, Loaded>>,
    coverage: RefCell<HashMap<TextureId, Option<f32>>>,
    known: HashMap<(Composite, Use), Option<u32>>,
    known_images: HashMap<(Composite, Use), Option<u32>>,
    pictures: Vec<NamedPicture>,
    /// How many of the pictures are computed.
    derived: usize,
    textures: Vec<document::Texture>,
    samplers: Vec<document::TextureSampler>,
}

/// What tells pictures apart: the file, what the game puts in its place, and how the player's colour is put into it.
type PictureKey = (String, Option<Replaceable>, Option<HouseColor>);

/// A picture as the source has it.
enum Loaded {
    Missing,
    Unreadable(texture::Error),
    Image(Image),
    /// PNG or JPEG, which glTF takes as it is.
    Encoded(EncodedPicture),
}

/// A picture of the file.
struct NamedPicture {
    name: String,
    /// The textures that it was computed from, if it is not a texture as the model has it.
    derived_from: Vec<String>,
    encoded: EncodedPicture,
}

#[derive(Clone)]
struct EncodedPicture {
    bytes: Vec<u8>,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Png,
    Jpeg,
}

/// What [`Textures`] become.
pub(crate) struct Finished {
    pub(crate) textures: Vec<document::Texture>,
    pub(crate) images: Vec<document::Image>,
    pub(crate) samplers: Vec<document::TextureSampler>,
    /// Files beside a `.gltf`.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

impl<'a> Textures<'a> {
    pub(crate) fn new(
        scene: &'a Scene,
        options: &'a Options,
        source: &'a mut dyn TextureSource,
        budget: &'a Budget,
    ) -> Self {
        Self {
            scene,
            options,
            source: RefCell::new(source),
            budget,
            canonical: RefCell::default(),
            first: RefCell::default(),
            loaded: RefCell::default(),
            coverage: RefCell::default(),
            known: HashMap::new(),
            known_images: HashMap::new(),
            pictures: Vec::new(),
            derived: 0,
            textures: Vec::new(),
            samplers: Vec::new(),
        }
    }

    /// The first texture with the same picture.
    fn canonical(&self, id: TextureId) -> TextureId {
        if let Some(known) = self.canonical.borrow().get(&id) {
            return *known;
        }
        let first = self.scene.textures.get(id.index()).map_or(id, |texture| {
            let file = match texture.name.is_empty() {
                true => String::new(),
                false => self.source.borrow_mut().key(&texture.name),
            };
            let key = (file, texture.replaceable, texture.house_color);
            *self.first.borrow_mut().entry(key).or_insert(id)
        });
        self.canonical.borrow_mut().insert(id, first);
        first
    }

    /// The mean alpha of a texture, or nothing if it was not found. One for each if no textures are wanted.
    pub(crate) fn coverage(&self, id: TextureId) -> Option<f32> {
        if !self.options.textures {
            return Some(1.0);
        }
        let id = self.canonical(id);
        if let Some(known) = self.coverage.borrow().get(&id) {
            return *known;
        }
        let coverage = self.with_loaded(id, |loaded| match loaded {
            Loaded::Missing | Loaded::Unreadable(_) => None,
            Loaded::Encoded(_) => Some(1.0),
            Loaded::Image(image) => {
                let sum: u64 = image.iter().map(|[.., alpha]| u64::from(alpha)).sum();
                Some(sum as f32 / (255.0 * image.iter().len().max(1) as f32))
            }
        });
        self.coverage.borrow_mut().insert(id, coverage);
        coverage
    }

    fn with_loaded<R>(&self, id: TextureId, look: impl FnOnce(&Loaded) -> R) -> R {
        let id = self.canonical(id);
        if let Some(loaded) = self.loaded.borrow().get(&id) {
            return look(loaded);
        }
        let loaded = self.load(id);
        let result = look(&loaded);
        self.loaded.borrow_mut().insert(id, loaded);
        result
    }

    fn load(&self, id: TextureId) -> Loaded {
        let Some(texture) = self.scene.textures.get(id.index()) else { return Loaded::Missing };
        if let Some(image) = texture.replaceable.and_then(|which| supplied(which, self.options.team_color)) {
            return Loaded::Image(image);
        }
        let found = match texture.name.is_empty() {
            true => None,
            false => self.source.borrow_mut().find(&texture.name),
        };
        let image = match found {
            None => return Loaded::Missing,
            Some(Picture::Image(image)) => image,
            Some(Picture::File(bytes)) => {
                let kind = Kind::of(&bytes).filter(|_| texture.house_color.is_none());
                if let Some(kind) = kind {
                    return Loaded::Encoded(EncodedPicture { bytes, kind });
                }
                match self.decode(&bytes) {
                    Ok(image) => image,
                    Err(error) => return Loaded::Unreadable(error),
                }
            }
        };
        match (texture.house_color, self.options.team_color) {
            (Some(house), Some(color)) => {
                let (width, height) = (image.width(), image.height());
                let mut pixels = image.into_pixels();
                house.recolor(&mut pixels, width as usize, color);
                Image::new(width, height, pixels).map_or_else(Loaded::Unreadable, Loaded::Image)
            }
            _ => Loaded::Image(image),
        }
    }

    /// Decodes a file, unless the pictures of the model are too large together.
    fn decode(&self, bytes: &[u8]) -> Result<Image, texture::Error> {
        let own = texture::Limits::default();
        let max_pixels = own.max_pixels.min(self.budget.pixels_left() as u64);
        let limits = texture::Limits { max_pixels, ..own };
        let decoded = texture::Decoder { limits, ..Default::default() }.decode_top(bytes);
        match &decoded {
            Ok(image) => drop(self.budget.pixels(image.iter().len())),
            // It would be readable alone.
            Err(texture::Error::Size { width, height })
                if u64::from(*width) * u64::from(*height) <= own.max_pixels =>
            {
                self.budget.no_pixels();
            }
            Err(_) => {}
        }
        decoded
    }

    /// The glTF texture for a picture, unless a file is missing.
    pub(crate) fn texture(&mut self, picture: &Composite, use_as: Use, report: &mut Report) -> Option<u32> {
        if !self.options.textures {
            return None;
        }
        let key = (picture.clone(), use_as);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let ids = picture.textures();
        let texture = ids.last().and_then(|id| self.scene.textures.get(id.index()));
        let image = self.image(picture, use_as, report);
        let found = image.map(|source| {
            let sampler = self.sampler(texture);
            let name = texture.map(|texture| texture.name.clone()).unwrap_or_default();
            self.textures.push(document::Texture { name, sampler, source });
            self.textures.len() as u32 - 1
        });
        self.known.insert(key, found);
        found
    }

    fn sampler(&mut self, texture: Option<&scene::Texture>) -> u32 {
        const LINEAR: u32 = 9729;
        const LINEAR_MIPMAP_LINEAR: u32 = 9987;
        let wrap = |wrap: Wrap| match wrap {
            Wrap::Repeat => 10497,
            Wrap::Clamp => 33071,
            Wrap::Mirror => 33648,
        };
        let sampler = document::TextureSampler {
            mag_filter: LINEAR,
            min_filter: match texture.is_some_and(|texture| texture.no_mipmaps) {
                true => LINEAR,
                false => LINEAR_MIPMAP_LINEAR,
            },
            wrap_s: wrap(texture.map_or(Wrap::Repeat, |texture| texture.wrap_u)),
            wrap_t: wrap(texture.map_or(Wrap::Repeat, |texture| texture.wrap_v)),
        };
        let known = self.samplers.iter().position(|known| *known == sampler);
        known.unwrap_or_else(|| {
            self.samplers.push(sampler);
            self.samplers.len() - 1
        }) as u32
    }

    fn image(&mut self, picture: &Composite, use_as: Use, report: &mut Report) -> Option<u32> {
        let picture = self.with_canonical_ids(picture);
        let key = (picture.clone(), use_as);
        if let Some(known) = self.known_images.get(&key) {
            return *known;
        }
        let encoded = self.encode(&picture, use_as, report);
        let image = encoded.map(|encoded| {
            let names: Vec<String> = picture.textures().into_iter().map(|id| self.name(id)).collect();
            let original = picture.as_texture().filter(|id| !self.is_computed(*id, use_as));
            self.pictures.push(match original {
                Some(id) => NamedPicture { name: self.name(id), derived_from: Vec::new(), encoded },
                None => {
                    // Blender makes one image of equal ones, so equal ones are one from the start.
                    let is_same = |known: &NamedPicture| {
                        !known.derived_from.is_empty() && known.encoded.bytes == encoded.bytes
                    };
                    if let Some(known) = self.pictures.iter().position(is_same) {
                        return known as u32;
                    }
                    self.derived += 1;
                    let name = derived::name(self.derived, &names);
                    NamedPicture { name, derived_from: names, encoded }
                }
            });
            self.pictures.len() as u32 - 1
        });
        self.known_images.insert(key, image);
        image
    }

    /// Whether the picture of one texture is not the texture's own: the player's colour is in it, or it is a normal map in glTF's form.
    fn is_computed(&self, id: TextureId, use_as: Use) -> bool {
        let Some(texture) = self.scene.textures.get(id.index()) else { return false };
        let has_own = !texture.name.is_empty();
        let is_supplied = has_own
            && texture.replaceable.is_some_and(|which| supplied(which, self.options.team_color).is_some());
        let is_recolored = texture.house_color.is_some() && self.options.team_color.is_some();
        is_supplied || is_recolored || use_as == Use::Normals { green_down: true }
    }

    fn name(&self, id: TextureId) -> String {
        let Some(texture) = self.scene.textures.get(id.index()) else { return String::new() };
        match texture.replaceable {
            Some(replaceable) if texture.name.is_empty() => derived::replaceable_name(replaceable),
            _ => texture.name.clone(),
        }
    }

    fn with_canonical_ids(&self, picture: &Composite) -> Composite {
        match picture {
            Composite::Texture(id) => Composite::Texture(self.canonical(*id)),
            Composite::Color(color) => Composite::Color(*color),
            Composite::Mix(mix) => Composite::Mix(Box::new(Mix {
                op: mix.op,
                under: self.with_canonical_ids(&mix.under),
                over: self.with_canonical_ids(&mix.over),
            })),
        }
    }

    /// The picture as a file that glTF takes. Reports the textures that are missing or cannot be read.
    fn encode(&self, picture: &Composite, use_as: Use, report: &mut Report) -> Option<EncodedPicture> {
        if self.budget.is_spent() {
            return None;
        }
        let ids = picture.textures();
        let mut images: HashMap<TextureId, Image> = HashMap::new();
        let mut passed = None;
        let is_plain = picture.as_texture().is_some();
        let is_as_stored = use_as != Use::Normals { green_down: true };
        for id in ids {
            let name = self.name(id);
            self.with_loaded(id, |loaded| match loaded {
                Loaded::Missing => {
                    if !report.missing_textures.contains(&name) {
                        report.missing_textures.push(name);
                    }
                }
                Loaded::Unreadable(error) => {
                    let unreadable = (name, error.clone());
                    if !report.unreadable_textures.contains(&unreadable) {
                        report.unreadable_textures.push(unreadable);
                    }
                }
                Loaded::Image(image) => drop(images.insert(id, image.clone())),
                Loaded::Encoded(encoded) => {
                    let is_copied = is_plain && is_as_stored;
                    if let Some(image) = (!is_copied).then(|| self.decode(&encoded.bytes).ok()).flatten() {
                        images.insert(id, image);
                    }
                    passed = Some(encoded.clone());
                }
            });
        }
        if passed.is_some() && (is_plain && is_as_stored || images.is_empty()) {
            return passed;
        }
        let image = match picture.as_texture() {
            Some(id) => images.remove(&id)?,
            None => {
                let sides = || images.values().map(|image| (image.width() as usize, image.height() as usize));
                let (width, height) = sides().fold((1, 1), |most, at| (most.0.max(at.0), most.1.max(at.1)));
                // Every layer is computed for every pixel.
                let parts = picture.parts();
                self.budget.pixels(width * height * parts.div_ceil(4)).then_some(())?;
                rendered(picture, &images)?
            }
        };
        let image = match use_as {
            Use::Color => image,
            Use::Normals { green_down } => normal_map(&image, green_down)?,
        };
        // Encoding takes most of the time.
        let image = match self.options.placeholders {
            true => Image::new(1, 1, vec![0; 4]).ok()?,
            false => image,
        };
        let bytes = texture::encode_png(&image).ok()?;
        Some(EncodedPicture { bytes, kind: Kind::Png })
    }

    /// The name of the image of a glTF texture.
    pub(crate) fn image_name(&self, texture: u32) -> Option<String> {
        let source = self.textures.get(texture as usize)?.source;
        self.pictures.get(source as usize).map(|picture| picture.name.clone())
    }

    /// Everything, with the pictures in the buffers, or in files beside a `.gltf` of this stem.
    pub(crate) fn finish(
        self,
        stem: Option<&str>,
        buffers: &mut Buffers<'_>,
        report: &mut Report,
    ) -> Finished {
        // Surfaces look textures up without showing them, if they are missing.
        for (id, loaded) in self.loaded.borrow().iter() {
            let name = self.name(*id);
            match loaded {
                Loaded::Missing if !report.missing_textures.contains(&name) => {
                    report.missing_textures.push(name);
                }
                Loaded::Unreadable(error) => {
                    let unreadable = (name, error.clone());
                    if !report.unreadable_textures.contains(&unreadable) {
                        report.unreadable_textures.push(unreadable);
                    }
                }
                _ => {}
            }
        }
        report.missing_textures.sort();
        let (mut images, mut files, mut taken) = (Vec::new(), Vec::new(), HashSet::new());
        for NamedPicture { name, derived_from, encoded: EncodedPicture { bytes, kind } } in self.pictures {
            let extras = unless_empty(ImageExtras { derived_from });
            images.push(match stem {
                None => document::Image {
                    name,
                    mime_type: Some(kind.mime()),
                    buffer_view: Some(buffers.push_file(bytes)),
                    uri: None,
                    extras,
                },
                Some(stem) => {
                    let file = free_name(&mut taken, stem, &name, kind);
                    let uri = Some(uri(&file));
                    files.push((file, bytes));
                    document::Image { name, mime_type: None, buffer_view: None, uri, extras }
                }
            });
        }
        Finished { textures: self.textures, images, samplers: self.samplers, files }
    }
}

/// A composite as pixels, as large as the largest of its textures.
fn rendered(picture: &Composite, images: &HashMap<TextureId, Image>) -> Option<Image> {
    const SMALLEST: u32 = 4;
    let width = images.values().map(Image::width).max().unwrap_or(SMALLEST);
    let height = images.values().map(Image::height).max().unwrap_or(SMALLEST);
    let mut pixels = Vec::with_capacity(width as usize * height as usize * 4);
    for y in 0..height {
        for x in 0..width {
            let texel = |id: TextureId| {
                let Some(image) = images.get(&id) else { return Vec4::ONE };
                // All pictures cover the same surface, whatever their sizes.
                let scaled =
                    |at: u32, size: u32, of: u32| (u64::from(at) * u64::from(of) / u64::from(size)) as u32;
                let (x, y) = (scaled(x, width, image.width()), scaled(y, height, image.height()));
                image.pixel(x, y).map_or(Vec4::ONE, |pixel| Vec4::from(pixel.map(f32::from)) / 255.0)
            };
            let color = (picture.texel(&texel) * 255.0).round();
            pixels.extend(color.to_array().map(|part| part as u8));
        }
    }
    Image::new(width, height, pixels).ok()
}

/// Normals as glTF has them: green up, and with a third axis where it is missing. No normal points into the surface.
fn normal_map(image: &Image, green_down: bool) -> Option<Image> {
    let pixels = image.iter().flat_map(|[r, g, b, _]| {
        let third = || {
            let [x, y] = [r, g].map(|part| f32::from(part) / 127.5 - 1.0);
            ((1.0 - x * x - y * y).max(0.0).sqrt() * 127.5 + 127.5).round() as u8
        };
        [r, if green_down { 255 - g } else { g }, if b == 0 { third() } else { b }, 255]
    });
    Image::new(image.width(), image.height(), pixels.collect()).ok()
}

/// A file name beside the `.gltf` that no other picture has, whatever the case. The texture's part has no dot, so pictures of models with
/// different names never have the same name.
fn free_name(taken: &mut HashSet<String>, stem: &str, texture: &str, kind: Kind) -> String {
    let last = texture.rsplit(['/', '\\']).next().unwrap_or(texture);
    let base = last.rsplit_once('.').map_or(last, |(base, _)| base);
    let plain: String =
        base.chars().map(|c| if c.is_alphanumeric() || "-_ ".contains(c) { c } else { '_' }).collect();
    (1..)
        .map(|attempt| match attempt {
            1 => format!("{stem}.{plain}.{}", kind.extension()),
            _ => format!("{stem}.{plain}_{attempt}.{}", kind.extension()),
        })
        .find(|name| taken.insert(name.to_lowercase()))
        .unwrap_or_default()
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

impl Kind {
    /// The formats that glTF takes.
    fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            return Some(Self::Png);
        }
        bytes.starts_with(b"\xff\xd8\xff").then_some(Self::Jpeg)
    }

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

/// The textures that a game makes itself: the player's colour, and a ball of it that fades to the rim.
fn supplied(which: Replaceable, team: Option<[u8; 3]>) -> Option<Image> {
    const SIDE: u32 = 32;
    let [r, g, b] = team.unwrap_or(scene::team_color::WARCRAFT[0].color);
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
    use scene::surface::Op;

    #[test]
    fn a_composite_is_as_large_as_its_largest_texture() {
        let small = Image::new(1, 1, vec![255, 255, 255, 0]).expect("one pixel");
        let large = Image::new(2, 1, vec![10, 20, 30, 255, 100, 200, 50, 255]).expect("two pixels");
        let images = HashMap::from([(TextureId(0), small), (TextureId(1), large)]);
        let multiplied = Composite::Mix(Box::new(Mix {
            op: Op::Multiply,
            under: Composite::Texture(TextureId(1)),
            over: Composite::Texture(TextureId(0)),
        }));
        let image = rendered(&multiplied, &images).expect("small");
        assert_eq!((image.width(), image.height()), (2, 1));
        assert_eq!(image.pixels(), [10, 20, 30, 0, 100, 200, 50, 0]);
    }

    #[test]
    fn normals_have_three_axes_and_green_up() {
        let map = |pixel: [u8; 4], green_down: bool| {
            let image = Image::new(1, 1, pixel.to_vec()).expect("one pixel");
            normal_map(&image, green_down).expect("one pixel").into_pixels()
        };
        assert_eq!(map([100, 120, 230, 9], true), [100, 135, 230, 255]);
        let pixel = |pixel| map(pixel, false);
        assert_eq!(pixel([128, 128, 0, 255]), [128, 128, 255, 255]);
        assert_eq!(pixel([255, 128, 0, 0]), [255, 128, 128, 255]);
        assert_eq!(pixel([100, 120, 230, 9]), [100, 120, 230, 255]);
    }

    #[test]
    fn no_two_models_have_a_picture_of_one_name() {
        let name = |stem, texture| free_name(&mut HashSet::new(), stem, texture, Kind::Png);
        assert_eq!(name("tank", r"Art\Textures\hull.tga"), "tank.hull.png");
        assert_ne!(name("tank", "b_hull.tga"), name("tank_b", "hull.tga"));
        assert_ne!(name("tank", "b.hull.tga"), name("tank.b", "hull.tga"));
        let mut taken = HashSet::new();
        let names = ["a/hull.tga", "b/HULL.tga", "hull_2.tga"]
            .map(|texture| free_name(&mut taken, "tank", texture, Kind::Png));
        assert_eq!(names, ["tank.hull.png", "tank.HULL_2.png", "tank.hull_2_2.png"]);
    }
}
