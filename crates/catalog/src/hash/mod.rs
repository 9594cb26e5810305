//! The hashes of a catalog, and what each is made of.
//!
//! All are BLAKE3 with the name of the hash mixed in, cut to 128 bits, in hexadecimal digits; `content_hash` alone is the plain hash of the
//! bytes in full. None of them is made against attackers but `content_hash`.

mod document;
mod geometry;

pub use self::document::{clip_of_node, nameless};
pub use self::geometry::{Geometry, ShapeHashes};

use meshwright::scene::{BlendMode, Channel, Clip, Curve, Material, Texture, Track};
use meshwright::{Skeleton, texture};

/// Collects what is hashed. Texts and lists are preceded by their length, so that no two sequences look the same.
#[derive(Debug)]
pub struct Hasher(blake3::Hasher);

impl Hasher {
    /// A hasher for one kind of hash.
    pub fn new(kind: &str) -> Self {
        let mut hasher = Self(blake3::Hasher::new());
        hasher.text(kind);
        hasher
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update(bytes);
        self
    }

    /// Adds a number.
    pub fn number(&mut self, number: u64) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.number(text.len() as u64).bytes(text.as_bytes())
    }

    /// Adds a float. Zero has one form.
    pub fn float(&mut self, number: f32) -> &mut Self {
        self.bytes(&(number + 0.0).to_le_bytes())
    }

    /// Adds floats.
    pub fn floats(&mut self, numbers: &[f32]) -> &mut Self {
        numbers.iter().for_each(|number| {
            self.float(*number);
        });
        self
    }

    /// The first 128 bits in hexadecimal digits.
    pub fn finish(&self) -> String {
        hex(&self.0.finalize().as_bytes()[..16])
    }
}

/// Bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half & 15)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

/// The number of a file: a hash of its address.
///
/// ```
/// assert_eq!(meshwright_catalog::hash::file_id("art/tank.w3d").len(), 32);
/// ```
pub fn file_id(uri: &str) -> String {
    hex(&id_of(uri))
}

/// [`file_id`] in binary.
pub(crate) fn id_of(uri: &str) -> [u8; 16] {
    let mut id = [0; 16];
    id.copy_from_slice(&blake3::hash(uri.as_bytes()).as_bytes()[..16]);
    id
}

/// BLAKE3 of bytes.
pub fn content(bytes: &[u8]) -> String {
    hex(blake3::hash(bytes).as_bytes())
}

/// The size and the pixels of a texture's largest level.
pub fn pixels(image: &texture::Image) -> String {
    let mut hasher = Hasher::new("pixels");
    hasher.number(image.width().into()).number(image.height().into()).bytes(image.pixels());
    hasher.finish()
}

/// A name without the difference between upper and lower case.
pub fn folded(name: &str) -> String {
    name.to_lowercase()
}

/// The name of a texture in lower case, with `/`, without its extension.
///
/// ```
/// use meshwright_catalog::hash::folded_path;
/// assert_eq!(folded_path(r"Textures\Wood.BLP"), "textures/wood");
/// assert_eq!(folded_path("a.b/wood"), "a.b/wood");
/// ```
pub fn folded_path(name: &str) -> String {
    let mut name = name.to_lowercase().replace('\\', "/");
    let file = name.rfind('/').map_or(0, |slash| slash + 1);
    if let Some(dot) = name[file..].rfind('.').filter(|dot| *dot > 0) {
        name.truncate(file + dot);
    }
    name
}

/// The names and parents of the bones, in any order.
pub fn skeleton(skeleton: &Skeleton) -> Option<String> {
    let name = |index: usize| skeleton.bones.get(index).map(|bone| folded(&bone.name)).unwrap_or_default();
    let mut bones: Vec<(String, String)> = skeleton
        .bones
        .iter()
        .map(|bone| (folded(&bone.name), bone.parent.map(name).unwrap_or_default()))
        .collect();
    if bones.is_empty() {
        return None;
    }
    bones.sort_unstable();
    let mut hasher = Hasher::new("skeleton");
    for (name, parent) in &bones {
        hasher.text(name).text(parent);
    }
    Some(hasher.finish())
}

/// What a material looks like, without its name.
pub fn material(material: &Material, textures: &[Texture]) -> String {
    let mut hasher = Hasher::new("material");
    hasher.text(material.shader.as_ref().map_or("", |shader| &shader.name));
    hasher.number(material.layers.len() as u64);
    for layer in &material.layers {
        hasher.text(&blend(layer.blend));
        let flags = [layer.two_sided, layer.unlit, layer.depth_write, layer.alpha_test.is_some()];
        hasher.bytes(&flags.map(u8::from)).float(layer.alpha);
        hasher.floats(&layer.color.to_array());
        hasher.float(layer.alpha_test.map_or(0.0, |test| test.reference));
        hasher.number(layer.slots.len() as u64);
        for slot in &layer.slots {
            let texture = slot.texture.and_then(|id| textures.get(id.index()));
            let name = texture.map(|texture| folded_path(&texture.name)).unwrap_or_default();
            hasher.text(&format!("{:?}", slot.kind)).text(&name);
            hasher.text(&format!("{:?}", texture.and_then(|texture| texture.replaceable)));
        }
    }
    hasher.finish()
}

/// The name of a blend mode in a catalog.
pub fn blend(mode: BlendMode) -> String {
    match mode {
        BlendMode::Factors(source, destination) => format!("{source:?} {destination:?}").to_lowercase(),
        named => format!("{named:?}").to_lowercase(),
    }
}

/// The keys of a clip, without its name. Channels count by what they animate, in any order.
pub fn clip(clip: &Clip) -> String {
    let mut channels: Vec<[u8; 32]> = clip.channels.iter().map(channel).collect();
    channels.sort_unstable();
    let mut hasher = Hasher::new("clip");
    hasher.float(clip.duration);
    hasher.bytes(channels.as_flattened());
    hasher.finish()
}

fn channel(channel: &Channel) -> [u8; 32] {
    let mut hasher = Hasher::new("channel");
    hasher.text(&format!("{:?}", channel.target));
    match &channel.curve {
        Curve::Flag(keys) => track(&mut hasher, keys, |value| [f32::from(u8::from(*value))]),
        Curve::Index(keys) => track(&mut hasher, keys, |value| [*value as f32]),
        Curve::Scalar(keys) => track(&mut hasher, keys, |value| [*value]),
        Curve::Vector(keys) => track(&mut hasher, keys, |value| value.to_array()),
        Curve::Rotation(keys) => track(&mut hasher, keys, |value| value.to_array()),
    }
    *hasher.0.finalize().as_bytes()
}

fn track<T, const N: usize>(hasher: &mut Hasher, track: &Track<T>, numbers: impl Fn(&T) -> [f32; N]) {
    hasher.text(&format!("{:?}", track.interpolation)).floats(&track.times);
    let tangents = track.tangents.iter().flat_map(|tangents| [&tangents.incoming, &tangents.outgoing]);
    for value in track.values.iter().chain(tangents) {
        hasher.floats(&numbers(value));
    }
}
