//! The textures of a scene as files that Warcraft III loads.

use scene::{BlendMode, Scene, SlotKind};
use texture::{DdsFormat, Image, PaletteAlpha};

use super::supplied;
use crate::report::{Cause, Note, NoteKind, Report};

/// A texture file that goes with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureFile {
    /// The path that the model refers to, with backslashes.
    pub path: String,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Where textures go, and in which form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureFolder {
    /// The folder in the paths of the model, such as `war3mapImported`. May be empty.
    pub folder: String,
    /// The version of the model: up to 800 textures are BLP of at most 512 pixels a side, later DDS.
    pub version: u32,
}

/// The longest side of a texture that the classic game loads without complaints.
const LONGEST_CLASSIC: u32 = 512;

/// The longest side of a texture for Reforged.
const LONGEST: u32 = 4096;

/// Writes the textures of a scene as Warcraft III wants them, and makes the scene refer to them.
///
/// `read` gives the file of a texture by its name in the scene. Textures that it does not find, and those that the game itself
/// supplies, keep their names. Sides are brought to powers of two.
///
/// ```
/// use meshwright_convert::author::{TextureFolder, mdx_textures};
/// use scene::{Scene, Texture};
/// let red = texture::Image::new(3, 2, [255, 0, 0, 255].repeat(6))?;
/// let png = texture::encode_png(&red)?;
/// let mut scene = Scene {
///     textures: vec![Texture { name: "paint/red.png".into(), ..Texture::default() }],
///     ..Scene::default()
/// };
/// let folder = TextureFolder { folder: "Textures".into(), version: 800 };
/// let (files, report) = mdx_textures(&mut scene, &folder, |_| Some(png.clone()));
/// assert_eq!((files[0].path.as_str(), scene.textures[0].name.as_str()), ("Textures\\red.blp", "Textures\\red.blp"));
/// let blp = texture::decode_top(&files[0].bytes)?;
/// assert_eq!((blp.width(), blp.height(), blp.pixel(0, 0)), (2, 2, Some([255, 0, 0, 255])));
/// assert_eq!(report.notes.len(), 1, "it was resized");
/// # Ok::<(), texture::Error>(())
/// ```
pub fn mdx_textures(
    scene: &mut Scene,
    folder: &TextureFolder,
    mut read: impl FnMut(&str) -> Option<Vec<u8>>,
) -> (Vec<TextureFile>, Report) {
    let mut files: Vec<TextureFile> = Vec::new();
    let mut report = Report::default();
    let masks = masks(scene);
    let added = added(scene);
    for (index, texture) in scene.textures.iter_mut().enumerate() {
        if texture.name.is_empty() || supplied::stands_for_supplied(texture) {
            continue;
        }
        let is_classic = folder.version < 900;
        let longest = if is_classic { LONGEST_CLASSIC } else { LONGEST };
        let Some(image) = picture(&texture.name, &mut read, longest, &mut report) else { continue };
        let image = if added[index] { opaque(&image).unwrap_or(image) } else { image };
        let is_opaque = image.is_opaque();
        let mips = image.into_mips();
        let encoded = if is_classic {
            let alpha = if is_opaque { PaletteAlpha::None } else { PaletteAlpha::Eight };
            texture::encode_blp1_palette(&mips, alpha)
        } else {
            let smooth = !is_opaque || masks.get(index) == Some(&true);
            texture::encode_dds(&mips, if smooth { DdsFormat::Bc3 } else { DdsFormat::Bc1 })
        };
        match encoded {
            Ok(bytes) => {
                let path = path_in(&folder.folder, &texture.name, if is_classic { "blp" } else { "dds" });
                let path = free(path, &files, &bytes);
                if !files.iter().any(|file| file.path == path) {
                    files.push(TextureFile { path: path.clone(), bytes });
                }
                texture.name = path;
            }
            Err(error) => {
                report.note(NoteKind::Damaged, &texture.name, format!("cannot be encoded: {error}"));
            }
        }
    }
    (files, report)
}

/// The picture of a texture with sides that the game loads. The report says why there is none, and what was changed.
pub(super) fn picture(
    name: &str,
    read: &mut impl FnMut(&str) -> Option<Vec<u8>>,
    longest: u32,
    report: &mut Report,
) -> Option<Image> {
    let Some(bytes) = read(name) else {
        let note = Note::new(NoteKind::Missing, name, "texture not found; the model keeps its name");
        report.add(note.because(Cause::MissingTexture));
        return None;
    };
    let image = match texture::decode_top(&bytes) {
        Ok(image) => image,
        Err(error) => {
            let message = format!("cannot be decoded: {error}; the model keeps its name");
            report.note(NoteKind::Damaged, name, message);
            return None;
        }
    };
    let (width, height) = (image.width(), image.height());
    let image = fit(image, longest);
    if (image.width(), image.height()) != (width, height) {
        let message = format!("resized from {width} x {height} to {} x {}", image.width(), image.height());
        report.note(NoteKind::Assumed, name, message);
    }
    Some(image)
}

/// Which textures hold masks or directions, which a format with few colours per block would harm.
pub(super) fn masks(scene: &Scene) -> Vec<bool> {
    let mut masks = vec![false; scene.textures.len()];
    let layers = scene.materials.iter().flat_map(|material| &material.layers);
    for slot in layers.flat_map(|layer| &layer.slots) {
        let is_mask = matches!(slot.kind, SlotKind::Normal | SlotKind::OcclusionRoughnessMetal);
        if let Some(mask) = slot.texture.and_then(|texture| masks.get_mut(texture.index())) {
            *mask |= is_mask;
        }
    }
    masks
}

/// For each texture, whether only layers use it that W3D adds to the background without regard to alpha. MDX multiplies such a layer by the
/// alpha of its texture first.
fn added(scene: &Scene) -> Vec<bool> {
    let mut uses = vec![[false; 2]; scene.textures.len()];
    for layer in scene.materials.iter().flat_map(|material| &material.layers) {
        let is_added = layer.blend == BlendMode::Add && layer.alpha_test.is_none();
        for texture in layer.slots.iter().filter_map(|slot| slot.texture) {
            if let Some(uses) = uses.get_mut(texture.index()) {
                uses[usize::from(is_added)] = true;
            }
        }
    }
    uses.into_iter().map(|uses| uses == [false, true]).collect()
}

/// A picture without its alpha.
fn opaque(image: &Image) -> Option<Image> {
    let pixels = image.iter().flat_map(|[r, g, b, _]| [r, g, b, 255]).collect();
    Image::new(image.width(), image.height(), pixels).ok()
}

/// The path of a texture in the model's folder.
fn path_in(folder: &str, name: &str, extension: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let folder = folder.trim_matches(['/', '\\']).replace('/', "\\");
    if folder.is_empty() { format!("{stem}.{extension}") } else { format!("{folder}\\{stem}.{extension}") }
}

/// A path that no other texture has; equal files may share one.
pub(super) fn free(path: String, files: &[TextureFile], bytes: &[u8]) -> String {
    let is_free = |path: &str| {
        let same = files.iter().find(|file| file.path.eq_ignore_ascii_case(path));
        same.is_none_or(|file| file.bytes == bytes)
    };
    let (stem, extension) = path.rsplit_once('.').unwrap_or((&path, ""));
    let numbered = (2..).map(|number: u32| format!("{stem}_{number}.{extension}"));
    std::iter::once(path.clone()).chain(numbered).find(|path| is_free(path)).unwrap_or(path)
}

/// The picture with sides that are powers of two, the nearest below, and no longer than `longest`.
fn fit(mut image: Image, longest: u32) -> Image {
    while image.width() > longest || image.height() > longest {
        image = image.half();
    }
    let below = |side: u32| 1 << side.max(1).ilog2();
    let (width, height) = (below(image.width()), below(image.height()));
    if (width, height) == (image.width(), image.height()) {
        return image;
    }
    resampled(&image, width, height).unwrap_or(image)
}

/// Each pixel is the mean of those it covers, by the share of each that it covers.
fn resampled(image: &Image, width: u32, height: u32) -> Option<Image> {
    let cover = |index: u32, count: u32, length: u32| {
        let scale = f64::from(length) / f64::from(count);
        let (start, end) = (f64::from(index) * scale, f64::from(index + 1) * scale);
        let first = start.floor() as u32;
        let last = (end.ceil() as u32).min(length);
        (first..last).map(move |pixel| {
            let share = end.min(f64::from(pixel + 1)) - start.max(f64::from(pixel));
            (pixel, share.max(0.0))
        })
    };
    let mut pixels = Vec::with_capacity(width as usize * height as usize * 4);
    for y in 0..height {
        for x in 0..width {
            let (mut sum, mut whole) = ([0.0; 4], 0.0);
            for (row, tall) in cover(y, height, image.height()) {
                for (column, wide) in cover(x, width, image.width()) {
                    let pixel = image.pixel(column, row)?;
                    let share = tall * wide;
                    whole += share;
                    sum.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += share * f64::from(value));
                }
            }
            pixels.extend(sum.map(|sum| (sum / whole).round() as u8));
        }
    }
    Image::new(width, height, pixels).ok()
}

#[cfg(test)]
mod tests {
    use scene::{Layer, Material, Texture, TextureId, TextureSlot};

    use super::*;

    #[test]
    fn textures_that_w3d_adds_lose_their_alpha() {
        let clear = Image::new(1, 1, vec![200, 100, 50, 0]).unwrap();
        let png = texture::encode_png(&clear).unwrap();
        let alpha = |blends: &[BlendMode]| {
            let slot = TextureSlot { texture: Some(TextureId(0)), ..TextureSlot::default() };
            let layer =
                |blend: &BlendMode| Layer { blend: *blend, slots: vec![slot.clone()], ..Layer::default() };
            let layers = blends.iter().map(layer).collect();
            let mut scene = Scene {
                textures: vec![Texture { name: "glow.png".into(), ..Texture::default() }],
                materials: vec![Material { layers, ..Material::default() }],
                ..Scene::default()
            };
            let folder = TextureFolder { folder: String::new(), version: 1000 };
            let (files, _) = mdx_textures(&mut scene, &folder, |_| Some(png.clone()));
            texture::decode_top(&files[0].bytes).unwrap().pixel(0, 0).unwrap()[3]
        };
        assert_eq!(alpha(&[BlendMode::Add]), 255);
        // Warcraft III's own mode multiplies by alpha, and so does blending.
        assert_eq!(alpha(&[BlendMode::Additive]), 0);
        assert_eq!(alpha(&[BlendMode::Add, BlendMode::Alpha]), 0);
    }

    #[test]
    fn sides_become_powers_of_two() {
        let image = Image::new(3, 1, vec![0, 0, 0, 255, 90, 90, 90, 255, 180, 180, 180, 255]).unwrap();
        // Each half covers one pixel and a half: (0 + 45) / 1.5 = 30, (45 + 180) / 1.5 = 150.
        let halves = fit(image, 512);
        let pixels: Vec<[u8; 4]> = halves.iter().collect();
        assert_eq!(pixels, [[30, 30, 30, 255], [150, 150, 150, 255]]);
    }

    #[test]
    fn textures_of_one_name_and_other_content_get_numbers() {
        let file = TextureFile { path: "a.blp".into(), bytes: vec![1] };
        assert_eq!(free("A.blp".into(), std::slice::from_ref(&file), &[2]), "A_2.blp");
        assert_eq!(free("a.blp".into(), &[file], &[1]), "a.blp");
        assert_eq!(path_in("war3mapImported/", "skins/orc.png", "blp"), "war3mapImported\\orc.blp");
    }
}
