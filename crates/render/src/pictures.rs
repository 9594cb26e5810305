//! Textures as pictures with mipmaps, for renderers of frames.

use crate::frame::PictureId;
use scene::{
    Curve, EmitterKind, LayerProperty, Replaceable, Scene, SlotKind, Target, Texture, TextureId, team_color,
};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// A picture with its mipmaps. Pixels are RGBA; rows go from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels per row of the first level.
    pub width: u32,
    /// Rows of the first level.
    pub height: u32,
    /// The levels. Each has half the size of the one before, rounded down but at least 1.
    pub levels: Vec<Vec<[u8; 4]>>,
}

impl Picture {
    /// A picture of one level. `None` if a side is zero or the number of pixels is wrong.
    #[must_use]
    pub fn new(width: u32, height: u32, pixels: Vec<[u8; 4]>) -> Option<Self> {
        let count = u64::from(width) * u64::from(height);
        (count > 0 && count == pixels.len() as u64).then(|| Self { width, height, levels: vec![pixels] })
    }

    /// A picture of one colour.
    #[must_use]
    pub fn solid(color: [u8; 4]) -> Self {
        Self { width: 1, height: 1, levels: vec![vec![color]] }
    }

    /// A picture from the levels of a file: width, height and pixels of each. Some files have levels that are not half the size of the one
    /// before; such a level and those after it are dropped. `None` if the first level is invalid.
    #[must_use]
    pub fn from_levels(levels: impl IntoIterator<Item = (u32, u32, Vec<[u8; 4]>)>) -> Option<Self> {
        let mut levels = levels.into_iter();
        let (width, height, pixels) = levels.next()?;
        let mut picture = Self::new(width, height, pixels)?;
        for (width, height, pixels) in levels {
            let (expected_width, expected_height) = picture.size(picture.levels.len());
            let (last_width, last_height) = picture.size(picture.levels.len() - 1);
            let fits = (width, height) == (expected_width, expected_height)
                && (last_width, last_height) != (1, 1)
                && pixels.len() as u64 == u64::from(width) * u64::from(height);
            if !fits {
                break;
            }
            picture.levels.push(pixels);
        }
        Some(picture)
    }

    /// Width and height of a level.
    #[must_use]
    pub fn size(&self, level: usize) -> (u32, u32) {
        let shift = u32::try_from(level).unwrap_or(31).min(31);
        ((self.width >> shift).max(1), (self.height >> shift).max(1))
    }

    /// Adds the missing levels, down to one pixel. Each pixel is the mean of four.
    pub fn complete(&mut self) {
        while let Some(last) = self.levels.last() {
            let (width, height) = self.size(self.levels.len() - 1);
            if (width, height) == (1, 1) {
                break;
            }
            let next = half(last, width as usize, height as usize);
            self.levels.push(next);
        }
    }

    /// Drops the largest levels until no side is longer than `side`. Missing levels are made first.
    pub fn shrink(&mut self, side: u32) {
        let side = side.max(1);
        while self.width.max(self.height) > side {
            if self.levels.len() < 2 {
                let next = half(&self.levels[0], self.width as usize, self.height as usize);
                self.levels.push(next);
            }
            (self.width, self.height) = self.size(1);
            self.levels.remove(0);
        }
    }
}

/// The next smaller level. The last row and column of an odd size belong to the last box.
fn half(pixels: &[[u8; 4]], width: usize, height: usize) -> Vec<[u8; 4]> {
    let (half_width, half_height) = ((width / 2).max(1), (height / 2).max(1));
    let span = |index: usize, count: usize, length: usize| {
        let start = (index * 2).min(length - 1);
        start..if index + 1 == count { length } else { start + 2 }
    };
    let mut out = Vec::with_capacity(half_width * half_height);
    for y in 0..half_height {
        let rows = span(y, half_height, height);
        if width.is_multiple_of(2) && rows.len() == 2 {
            let above = &pixels[rows.start * width..(rows.start + 1) * width];
            let below = &pixels[(rows.start + 1) * width..(rows.start + 2) * width];
            let pairs = above.as_chunks::<2>().0.iter().zip(below.as_chunks::<2>().0);
            out.extend(pairs.map(|(a, b)| {
                std::array::from_fn(|i| {
                    let sum =
                        u16::from(a[0][i]) + u16::from(a[1][i]) + u16::from(b[0][i]) + u16::from(b[1][i]);
                    ((sum + 2) / 4) as u8
                })
            }));
            continue;
        }
        for x in 0..half_width {
            let columns = span(x, half_width, width);
            let count = (rows.len() * columns.len()) as u32;
            let mut sum = [0_u32; 4];
            for row in rows.clone() {
                for pixel in &pixels[row * width + columns.start..row * width + columns.end] {
                    for (sum, part) in sum.iter_mut().zip(pixel) {
                        *sum += u32::from(*part);
                    }
                }
            }
            out.push(sum.map(|sum| ((sum + count / 2) / count) as u8));
        }
    }
    out
}

/// Options of [`Pictures::load`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureOptions {
    /// The player colour. Without one, Warcraft III's models have that of its first player, and W3D's textures are unchanged.
    pub team_color: Option<[u8; 3]>,
    /// Maximum side of a picture, for thumbnails. Loaders may decode a smaller level instead of the first.
    pub max_side: Option<u32>,
}

/// The pictures of a scene.
#[derive(Clone, Debug)]
pub struct Pictures {
    /// The picture of each texture of the scene. `None` if it is not used, not found, or supplied by the game.
    textures: Vec<Option<Arc<Picture>>>,
    missing: Vec<TextureId>,
    team_color: Arc<Picture>,
    team_glow: Arc<Picture>,
}

impl Pictures {
    /// Loads the textures that the scene draws.
    ///
    /// The loader gets the name of a texture in the source file and returns its picture, with or without mipmaps. A loader can
    /// share its pictures between models.
    ///
    /// ```
    /// use meshwright_render::{frame::PictureId, pictures::*};
    /// use scene::*;
    /// use std::sync::Arc;
    ///
    /// let texture = |name: &str| Texture { name: name.into(), ..Texture::default() };
    /// let slot = |id| TextureSlot { texture: Some(TextureId(id)), ..TextureSlot::default() };
    /// let layer = |id| Layer { slots: vec![slot(id)], ..Layer::default() };
    /// let scene = Scene {
    ///     textures: vec![texture("oak.tga"), texture("gone.tga")],
    ///     materials: vec![Material { layers: vec![layer(0), layer(1)], ..Material::default() }],
    ///     ..Scene::default()
    /// };
    /// let brown = Arc::new(Picture::solid([120, 80, 40, 255]));
    /// let pictures = Pictures::load(&scene, &PictureOptions::default(), |name| {
    ///     (name == "oak.tga").then(|| brown.clone())
    /// });
    /// assert_eq!(pictures.get(PictureId::Texture(TextureId(0))), &*brown);
    /// assert_eq!(pictures.missing(), [TextureId(1)]);
    /// ```
    pub fn load(
        scene: &Scene,
        options: &PictureOptions,
        mut loader: impl FnMut(&str) -> Option<Arc<Picture>>,
    ) -> Self {
        let mut textures: Vec<Option<Arc<Picture>>> = vec![None; scene.textures.len()];
        let mut missing = Vec::new();
        // Textures that differ only in how they are read share a picture.
        let mut known: HashMap<(&str, Option<team_color::HouseColor>), Option<Arc<Picture>>> = HashMap::new();
        for id in used_textures(scene) {
            let Some(texture) = scene.textures.get(id.index()) else { continue };
            if is_supplied(texture) {
                continue;
            }
            let house_color = texture.house_color.filter(|_| options.team_color.is_some());
            let picture = known
                .entry((texture.name.as_str(), house_color))
                .or_insert_with(|| prepare(loader(&texture.name)?, texture, options));
            match picture {
                Some(picture) => textures[id.index()] = Some(Arc::clone(picture)),
                None => missing.push(id),
            }
        }
        let team = options.team_color.unwrap_or(team_color::WARCRAFT[0].color);
        let [red, green, blue] = team;
        Self {
            textures,
            missing,
            team_color: Arc::new(Picture::solid([red, green, blue, 255])),
            team_glow: Arc::new(glow(team, TEAM_GLOW_STRENGTH)),
        }
    }

    /// The picture of an id. Textures that could not be found are the checker of [`PictureId::Missing`].
    #[must_use]
    pub fn get(&self, id: PictureId) -> &Picture {
        match id {
            PictureId::Texture(id) => match self.textures.get(id.index()) {
                Some(Some(picture)) => picture,
                _ => &MISSING,
            },
            PictureId::White => &WHITE,
            PictureId::Missing => &MISSING,
            PictureId::Replaceable => &REPLACEABLE,
            PictureId::TeamColor => &self.team_color,
            PictureId::TeamGlow => &self.team_glow,
            PictureId::Glow => &GLOW,
        }
    }

    /// The textures that are used but could not be found, in ascending order.
    #[must_use]
    pub fn missing(&self) -> &[TextureId] {
        &self.missing
    }
}

/// Whether the game supplies the picture.
fn is_supplied(texture: &Texture) -> bool {
    texture.replaceable.is_some() && texture.name.is_empty()
}

/// The built-in picture of a texture that the game supplies.
#[must_use]
pub(crate) fn supplied(texture: &Texture) -> Option<PictureId> {
    is_supplied(texture).then_some(match texture.replaceable {
        Some(Replaceable::TEAM_COLOR) => PictureId::TeamColor,
        Some(Replaceable::TEAM_GLOW) => PictureId::TeamGlow,
        _ => PictureId::Replaceable,
    })
}

fn prepare(picture: Arc<Picture>, texture: &Texture, options: &PictureOptions) -> Option<Arc<Picture>> {
    if picture.levels.is_empty() {
        return None;
    }
    let mut picture = picture;
    if let (Some(house), Some(color)) = (texture.house_color, options.team_color) {
        // Into the first level, before smaller ones are made of it (docs/formats/rendering.md#w3d-house-colour).
        let recolored = Arc::make_mut(&mut picture);
        recolored.levels.truncate(1);
        house.recolor(recolored.levels[0].as_flattened_mut(), recolored.width as usize, color);
    }
    if let Some(side) = options.max_side.filter(|side| picture.width.max(picture.height) > *side) {
        Arc::make_mut(&mut picture).shrink(side);
    }
    if picture.size(picture.levels.len() - 1) != (1, 1) {
        Arc::make_mut(&mut picture).complete();
    }
    Some(picture)
}

/// The textures that can be drawn, in ascending order, each once.
fn used_textures(scene: &Scene) -> Vec<TextureId> {
    let mut used = vec![false; scene.textures.len()];
    let mut mark = |id: Option<TextureId>| {
        if let Some(used) = id.and_then(|id| used.get_mut(id.index())) {
            *used = true;
        }
    };
    let drawn =
        |kind: SlotKind| !matches!(kind, SlotKind::Environment | SlotKind::Specular | SlotKind::Other(_));
    for slot in scene.materials.iter().flat_map(|material| &material.layers).flat_map(|layer| &layer.slots) {
        if drawn(slot.kind) {
            mark(slot.texture);
        }
    }
    for channel in scene.channels() {
        if let (Target::Layer(_, _, LayerProperty::Texture(_)), Curve::Index(track)) =
            (channel.target, &channel.curve)
        {
            track.values.iter().for_each(|id| mark(Some(TextureId(*id))));
        }
    }
    for emitter in &scene.emitters {
        match &emitter.kind {
            EmitterKind::Sprite(sprite) => mark(sprite.texture),
            EmitterKind::Keyed(keyed) => mark(keyed.texture),
            EmitterKind::Model(_) | EmitterKind::Effect(_) => {}
        }
    }
    scene.primitives.iter().for_each(|primitive| mark(primitive.texture));
    (0..used.len()).filter(|index| used[*index]).map(TextureId::from).collect()
}

/// A picture of squares in two colours, eight to a side. Each is large enough to keep its edges when the picture is enlarged.
fn checker(colors: [[u8; 4]; 2]) -> Picture {
    const SIDE: usize = 128;
    let square = |index: usize| index * 8 / SIDE;
    let pixels =
        (0..SIDE * SIDE).map(|index| colors[(square(index % SIDE) + square(index / SIDE)) % 2]).collect();
    let mut picture = Picture { width: SIDE as u32, height: SIDE as u32, levels: vec![pixels] };
    picture.complete();
    picture
}

/// How opaque the middle of the player's glow is. The game's own picture is faint: heroes shine through it (by eye).
const TEAM_GLOW_STRENGTH: f32 = 0.5;

/// A round glow in one colour whose alpha falls from the middle, where it is `strength`, to the edge.
fn glow([red, green, blue]: [u8; 3], strength: f32) -> Picture {
    const SIDE: u32 = 64;
    let middle = (SIDE - 1) as f32 / 2.0;
    let pixels = (0..SIDE * SIDE).map(|index| {
        let (x, y) = ((index % SIDE) as f32 - middle, (index / SIDE) as f32 - middle);
        let near = (1.0 - (x * x + y * y).sqrt() / middle).max(0.0);
        // Colour fades too, so that blending with (one, one) glows as well.
        let fade = |part: u8| (f32::from(part) * near).round() as u8;
        [fade(red), fade(green), fade(blue), (near * strength * 255.0).round() as u8]
    });
    let mut picture = Picture { width: SIDE, height: SIDE, levels: vec![pixels.collect()] };
    picture.complete();
    picture
}

static WHITE: LazyLock<Picture> = LazyLock::new(|| Picture::solid([255; 4]));
static MISSING: LazyLock<Picture> = LazyLock::new(|| checker([[255, 0, 255, 255], [16, 16, 16, 255]]));
static REPLACEABLE: LazyLock<Picture> =
    LazyLock::new(|| checker([[136, 144, 136, 255], [104, 128, 104, 255]]));
static GLOW: LazyLock<Picture> = LazyLock::new(|| glow([255; 3], 1.0));

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{Layer, Material, TextureSlot};

    fn scene(textures: Vec<Texture>) -> Scene {
        let slots =
            (0..textures.len()).map(|id| TextureSlot { texture: Some(id.into()), ..TextureSlot::default() });
        let layers = slots.map(|slot| Layer { slots: vec![slot], ..Layer::default() }).collect();
        Scene { textures, materials: vec![Material { layers, ..Material::default() }], ..Scene::default() }
    }

    #[test]
    fn levels_are_halved_down_to_one_pixel() {
        let mut picture = Picture::new(4, 2, (0..8).map(|index| [index * 10, 0, 0, 255]).collect()).unwrap();
        picture.complete();
        assert_eq!(picture.levels.len(), 3);
        // (0 + 10 + 40 + 50) / 4 and (20 + 30 + 60 + 70) / 4.
        assert_eq!(picture.levels[1], [[25, 0, 0, 255], [45, 0, 0, 255]]);
        assert_eq!(picture.levels[2], [[35, 0, 0, 255]]);
        assert_eq!(picture.size(1), (2, 1));
    }

    #[test]
    fn odd_sides_keep_their_last_column() {
        let mut picture = Picture::new(3, 1, vec![[0; 4], [30; 4], [60; 4]]).unwrap();
        picture.complete();
        assert_eq!(picture.levels[1], [[30; 4]]);
    }

    #[test]
    fn levels_that_are_not_half_the_size_end_the_chain() {
        let level = |width: u32, height: u32| (width, height, vec![[7; 4]; (width * height) as usize]);
        let picture = Picture::from_levels([level(4, 4), level(2, 2), level(2, 2)]).unwrap();
        assert_eq!(picture.levels.len(), 2);
        assert!(Picture::from_levels([(4, 4, vec![[0; 4]; 3])]).is_none());
        assert!(Picture::new(0, 0, Vec::new()).is_none());
    }

    #[test]
    fn thumbnails_get_smaller_pictures() {
        let big = Arc::new(Picture::new(64, 32, vec![[9; 4]; 64 * 32]).unwrap());
        let scene = scene(vec![Texture { name: "a".into(), ..Texture::default() }]);
        let options = PictureOptions { max_side: Some(16), ..PictureOptions::default() };
        let pictures = Pictures::load(&scene, &options, |_| Some(big.clone()));
        let picture = pictures.get(PictureId::Texture(TextureId(0)));
        assert_eq!((picture.width, picture.height, picture.levels.len()), (16, 8, 5));
        assert_eq!(big.width, 64, "the loader's picture stays as it is");
    }

    #[test]
    fn house_colours_go_into_the_first_level_only_if_there_is_a_player() {
        let texture = Texture {
            name: "zhca_a.tga".into(),
            house_color: Some(team_color::HouseColor::Hue),
            ..Texture::default()
        };
        let scene = scene(vec![texture]);
        let source = Arc::new(Picture::solid([100, 200, 100, 0]));
        let load = |team_color| {
            let options = PictureOptions { team_color, ..PictureOptions::default() };
            let pictures = Pictures::load(&scene, &options, |_| Some(source.clone()));
            pictures.get(PictureId::Texture(TextureId(0))).levels[0][0]
        };
        assert_eq!(load(None), [100, 200, 100, 0]);
        assert_eq!(load(Some([80; 3])), [200, 200, 200, 255]);
    }

    #[test]
    fn a_picture_is_loaded_once_for_textures_of_one_name() {
        let texture = |wrap_u| Texture { name: "a".into(), wrap_u, ..Texture::default() };
        let scene = scene(vec![texture(scene::Wrap::Repeat), texture(scene::Wrap::Clamp)]);
        let mut calls = 0;
        let pictures = Pictures::load(&scene, &PictureOptions::default(), |_| {
            calls += 1;
            None
        });
        assert_eq!(calls, 1);
        assert_eq!(pictures.missing(), [TextureId(0), TextureId(1)]);
        assert_eq!(pictures.get(PictureId::Texture(TextureId(0))), pictures.get(PictureId::Missing));
        assert_eq!(pictures.get(PictureId::Texture(TextureId(9))), pictures.get(PictureId::Missing));
    }

    #[test]
    fn the_game_supplies_team_colour_glow_and_the_rest() {
        let texture = |id| Texture { replaceable: Some(Replaceable(id)), ..Texture::default() };
        assert_eq!(supplied(&texture(1)), Some(PictureId::TeamColor));
        assert_eq!(supplied(&texture(2)), Some(PictureId::TeamGlow));
        assert_eq!(supplied(&texture(31)), Some(PictureId::Replaceable));
        assert_eq!(supplied(&Texture { name: "a.blp".into(), ..texture(31) }), None);
        let options = PictureOptions { team_color: Some([1, 2, 3]), ..PictureOptions::default() };
        let pictures = Pictures::load(&scene(vec![texture(1)]), &options, |_| panic!("nothing to load"));
        assert_eq!(pictures.get(PictureId::TeamColor).levels[0], [[1, 2, 3, 255]]);
        assert!(pictures.missing().is_empty());
    }

    #[test]
    fn glow_is_brightest_in_the_middle_and_nothing_at_the_edge() {
        let glow = glow([255, 128, 0], 1.0);
        let at = |x: usize, y: usize| glow.levels[0][y * 64 + x];
        assert_eq!(at(0, 32), [0, 0, 0, 0]);
        assert!(at(31, 31)[3] > 240 && at(31, 31)[0] > 240);
    }
}
