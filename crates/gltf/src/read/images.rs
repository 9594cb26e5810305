//! Textures by name, and their pictures.

use super::accessors::Accessors;
use super::container::{self, Resolve};
use super::error::{NoteKind, Notes, Pointer, ReadError};
use super::extras::SceneExtras;
use super::json::Image;
use super::names::without_number;
use crate::derived;
use crate::textures::{Picture, TextureSource};
use scene::{Texture, TextureId, Wrap};
use std::collections::{HashMap, HashSet};

/// The pictures of a file, by the names of the scene's textures. It is a [`TextureSource`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pictures {
    files: Vec<(String, Vec<u8>)>,
    /// By the name in lower case, then by the name without extension, with folders, and then by the name alone.
    by_name: HashMap<String, usize>,
    by_path: HashMap<String, usize>,
    by_stem: HashMap<String, usize>,
}

impl Pictures {
    fn add(&mut self, name: &str, bytes: Vec<u8>) {
        self.by_name.entry(name.to_ascii_lowercase()).or_insert(self.files.len());
        self.by_path.entry(path(name)).or_insert(self.files.len());
        self.by_stem.entry(stem(name)).or_insert(self.files.len());
        self.files.push((name.to_owned(), bytes));
    }

    /// The file of a texture, PNG or JPEG as a rule: the one of this name, or of this name with another folder or extension. Pictures that
    /// our writer computed from textures have names of their own, so none of them is found for a texture.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        let exact = self.by_name.get(&name.to_ascii_lowercase()).copied();
        let found = exact.or_else(|| self.by_path.get(&path(name)).copied());
        let found = found.or_else(|| self.by_stem.get(&stem(name)).copied())?;
        Some(&self.files[found].1)
    }

    /// All pictures with their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

impl TextureSource for &Pictures {
    fn find(&mut self, name: &str) -> Option<Picture> {
        self.get(name).map(|bytes| Picture::File(bytes.to_vec()))
    }
}

/// A name without folders, extension and Blender's number, in lower case.
pub(crate) fn stem(name: &str) -> String {
    path(name).rsplit('/').next().unwrap_or_default().to_owned()
}

/// A name without extension and Blender's number, in lower case, with `/` between folders.
fn path(name: &str) -> String {
    let name = name.replace('\\', "/");
    let last = without_number(&name);
    let stem = match last.rsplit_once('.') {
        Some((stem, extension)) if EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)) => {
            stem
        }
        _ => last,
    };
    without_number(stem).to_lowercase()
}

/// Extensions of pictures.
const EXTENSIONS: [&str; 8] = ["blp", "dds", "tga", "png", "jpg", "jpeg", "webp", "tif"];

/// The textures of the scene in the making.
pub(crate) struct Textures {
    pub(crate) list: Vec<Texture>,
    pub(crate) pictures: Pictures,
    /// The name of each image.
    names: Vec<String>,
    known: HashMap<(u32, Wraps), TextureId>,
    /// The first texture with this path, and with this file name.
    by_path: HashMap<String, usize>,
    by_stem: HashMap<String, usize>,
}

type Wraps = (u8, u8);

impl Textures {
    /// Those of the source, and the pictures of the file.
    pub(crate) fn read(
        accessors: &Accessors<'_>,
        extras: &SceneExtras<'_>,
        resolve: &Resolve<'_>,
        notes: &mut Notes,
    ) -> Result<Self, ReadError> {
        let mut textures = Self {
            list: extras.textures.clone(),
            pictures: Pictures::default(),
            names: Vec::new(),
            known: HashMap::new(),
            by_path: HashMap::new(),
            by_stem: HashMap::new(),
        };
        (0..textures.list.len()).for_each(|index| textures.remember(index));
        let mut taken: HashSet<String> = HashSet::new();
        let mut left = accessors.limits.bytes;
        for (at, image) in accessors.document().images.iter().enumerate() {
            let bytes = match (&image.uri, image.buffer_view) {
                (Some(uri), _) => match container::file(uri, resolve, &format!("/images/{at}/uri")) {
                    Ok(bytes) => {
                        left = left
                            .checked_sub(bytes.len())
                            .ok_or(ReadError::limit("bytes", accessors.limits.bytes))?;
                        Some(bytes)
                    }
                    Err(error) => {
                        notes.add(NoteKind::Missing, image_name(at, image, None), error.to_string());
                        None
                    }
                },
                (None, Some(view)) => {
                    let bytes = accessors.container.view(view, format_args!("/images/{at}/bufferView"))?;
                    left = left
                        .checked_sub(bytes.len())
                        .ok_or(ReadError::limit("bytes", accessors.limits.bytes))?;
                    Some(bytes.to_vec())
                }
                (None, None) => None,
            };
            let mut name = image_name(at, image, bytes.as_deref());
            if !taken.insert(name.to_lowercase()) {
                let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, "png"));
                name = format!("{stem}-{at}.{extension}");
                taken.insert(name.to_lowercase());
            }
            if let Some(bytes) = bytes {
                textures.pictures.add(&name, bytes);
            }
            textures.names.push(name);
        }
        Ok(textures)
    }

    /// Makes a texture known by its name.
    fn remember(&mut self, index: usize) {
        let name = &self.list[index].name;
        if !name.is_empty() {
            self.by_path.entry(path(name)).or_insert(index);
            self.by_stem.entry(stem(name)).or_insert(index);
        }
    }

    /// The name of the image of a glTF texture, as the file has it.
    pub(crate) fn image_name<'n>(&'n self, accessors: &Accessors<'n>, texture: u32) -> Option<&'n str> {
        let image = source(accessors, texture)? as usize;
        let own = accessors.document().images.get(image).map(|image| &*image.name);
        own.filter(|name| !name.is_empty()).or_else(|| self.names.get(image).map(String::as_str))
    }

    /// The scene's texture for a glTF texture. One of the source with the same name is used again.
    pub(crate) fn texture(
        &mut self,
        accessors: &Accessors<'_>,
        index: u32,
        pointer: Pointer<'_>,
    ) -> Result<Option<TextureId>, ReadError> {
        let document = accessors.document();
        let texture = document.textures.get(index as usize);
        let texture = texture.ok_or_else(|| ReadError::missing(pointer, "texture", index))?;
        let Some(image) = source(accessors, index) else { return Ok(None) };
        let name = self.names.get(image as usize);
        let name = name
            .ok_or_else(|| ReadError::missing(format_args!("/textures/{index}/source"), "image", image))?
            .clone();
        let sampler = texture.sampler.and_then(|sampler| document.samplers.get(sampler as usize));
        let code = |wrap: Option<u32>| match wrap {
            Some(33071) => 1,
            Some(33648) => 2,
            _ => 0,
        };
        let wraps = sampler.map_or((0, 0), |sampler| (code(sampler.wrap_s), code(sampler.wrap_t)));
        if let Some(known) = self.known.get(&(image, wraps)) {
            return Ok(Some(*known));
        }
        let wrap = |code: u8| match code {
            1 => Wrap::Clamp,
            2 => Wrap::Mirror,
            _ => Wrap::Repeat,
        };
        let replaceable = derived::replaceable(&name);
        let known = match replaceable {
            Some(_) => self
                .list
                .iter()
                .position(|texture| texture.name.is_empty() && texture.replaceable == replaceable),
            None => self.by_path.get(&path(&name)).or_else(|| self.by_stem.get(&stem(&name))).copied(),
        };
        let id = TextureId::from(known.unwrap_or_else(|| {
            let (wrap_u, wrap_v) = (wrap(wraps.0), wrap(wraps.1));
            // The game supplies it, whatever picture stands for it.
            let name = if replaceable.is_some() { String::new() } else { name };
            self.list.push(Texture { name, wrap_u, wrap_v, replaceable, ..Texture::default() });
            self.remember(self.list.len() - 1);
            self.list.len() - 1
        }));
        self.known.insert((image, wraps), id);
        Ok(Some(id))
    }
}

/// The image of a texture, of several the one in the plainest format.
fn source(accessors: &Accessors<'_>, texture: u32) -> Option<u32> {
    let texture = accessors.document().textures.get(texture as usize)?;
    texture.source.or_else(|| texture.extensions.values().find_map(|extension| extension.source))
}

/// A file name for an image.
fn image_name(at: usize, image: &Image<'_>, bytes: Option<&[u8]>) -> String {
    let uri = image.uri.as_deref().filter(|uri| !uri.starts_with("data:"));
    let file = uri.map(|uri| String::from_utf8_lossy(&container::percent_decoded(uri)).into_owned());
    let file = file.map(|path| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned());
    let name = Some(image.name.to_string())
        .filter(|name| !name.is_empty())
        .or(file)
        .unwrap_or_else(|| format!("image {at}"));
    let has_extension = name
        .rsplit_once('.')
        .is_some_and(|(_, extension)| EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)));
    if has_extension {
        return name;
    }
    let is_jpeg = image.mime_type.as_deref() == Some("image/jpeg")
        || bytes.is_some_and(|bytes| bytes.starts_with(&[0xff, 0xd8]));
    let is_webp = image.mime_type.as_deref() == Some("image/webp");
    let extension = match (is_jpeg, is_webp) {
        (true, _) => "jpg",
        (_, true) => "webp",
        _ => "png",
    };
    format!("{name}.{extension}")
}
