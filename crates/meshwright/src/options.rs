//! What is written and how, and what comes out of it.

use std::path::{Path, PathBuf};

use convert::Report;
use convert::author::w3d::{Compress, Profile};
use model::{FORMATS, Family, Format, Game, WrittenFrom};

use crate::loaded::Textures;
use crate::{Error, Result};

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// A model, or glTF.
    Model(&'static Format),
    /// Plain triangles.
    Geometry(GeometryFormat),
    /// A texture.
    Texture(TextureFormat),
}

impl Target {
    /// The names of all formats that can be written.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let models = FORMATS.iter().map(|format| format.name);
        let geometry = GeometryFormat::ALL.map(GeometryFormat::name);
        models.chain(geometry).chain(TextureFormat::ALL.map(TextureFormat::name))
    }

    /// The format with this name or extension.
    pub fn named(name: &str) -> Result<Self> {
        let geometry = || GeometryFormat::named(name).map(Self::Geometry);
        let texture = || TextureFormat::named(name).map(Self::Texture);
        Format::named(name).map(Self::Model).or_else(geometry).or_else(texture).ok_or_else(unknown_format)
    }

    /// The format of a file name, by its extension.
    pub fn of_file_name(name: &str) -> Result<Self> {
        let by_extension = || Self::named(name.rsplit_once('.').map_or("", |(_, extension)| extension));
        Format::of_file_name(name).map(Self::Model).map_or_else(by_extension, Ok)
    }

    /// The extension of a file that is written.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Model(format) => format.extensions.first().copied().unwrap_or(format.name),
            Self::Geometry(format) => format.name(),
            Self::Texture(format) => format.name(),
        }
    }

    /// Whether it is MDX or MDL.
    pub fn is_mdx(self) -> bool {
        matches!(self, Self::Model(format) if matches!(format.name, "mdx" | "mdl"))
    }

    /// Whether it is W3D.
    pub fn is_w3d(self) -> bool {
        matches!(self, Self::Model(format) if format.name == "w3d")
    }
}

fn unknown_format() -> Error {
    let names: Vec<&str> = Target::names().collect();
    let message = format!("no format has this extension; supported: {}", names.join(", "));
    record::Error::new("FILE-FORMAT", 0..0, message).into()
}

/// How lengths of a model and of glTF, which has metres, are related.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Scale {
    /// By the unit of the game.
    Game,
    /// Metres for each unit.
    Factor(f32),
}

impl Scale {
    /// Metres for each unit of a model of this game.
    pub fn metres_per_unit(self, game: Game) -> f32 {
        match self {
            Self::Game => game.metres_per_unit(),
            Self::Factor(factor) => factor,
        }
    }
}

/// What is written, and how. [`ConvertOptions::new`] has what the command line does without options.
#[derive(Clone, Debug)]
pub struct ConvertOptions {
    /// The format to write.
    pub target: Target,
    /// The format to read; recognised without it.
    pub read_as: Option<&'static Format>,
    /// Make a model of a text that has mistakes: what is not understood is skipped, and reported.
    pub force: bool,
    /// The name of the file that is written. Games look for models by it, and names of further files begin with it.
    pub file_name: Option<String>,
    /// How lengths are related to metres; unchanged without it.
    pub scale: Option<Scale>,
    /// The model that a glTF file was written of: only what was changed since is different from it.
    pub onto: Option<PathBuf>,
    /// How glTF is written.
    pub gltf: gltf::Options,
    /// How MDX and MDL are written.
    pub mdx: MdxOptions,
    /// How W3D is written.
    pub w3d: W3dOptions,
    /// Write the textures as files of the game next to the model. An MDX model refers to them in this folder of the game.
    pub write_textures: Option<String>,
    /// The moment and form of OBJ, PLY and STL.
    pub geometry: GeometryOptions,
}

impl ConvertOptions {
    /// Writes this format.
    pub fn new(target: Target) -> Self {
        Self {
            target,
            read_as: None,
            force: false,
            file_name: None,
            scale: None,
            onto: None,
            gltf: gltf::Options::default(),
            mdx: MdxOptions::default(),
            w3d: W3dOptions::default(),
            write_textures: None,
            geometry: GeometryOptions::default(),
        }
    }

    /// The name of the file without its extension.
    pub(crate) fn stem(&self) -> Option<&str> {
        Path::new(self.file_name.as_deref()?).file_stem()?.to_str()
    }

    /// Whether a document of a family is written by way of its scene, although its own format is asked for or the other family's.
    pub fn is_authored(&self, family: Family) -> bool {
        match family {
            Family::W3d => self.target.is_mdx() || self.target.is_w3d() && self.changes_w3d(),
            Family::W3x => self.target.is_mdx() || self.target.is_w3d(),
            _ => self.target.is_w3d(),
        }
    }

    /// Whether a W3D model has to be written again, because an option asks for another form.
    pub fn changes_w3d(&self) -> bool {
        self.w3d != W3dOptions::default() || self.write_textures.is_some()
    }

    /// Whether other files may be read for a model of this name: everything but changing between forms of a document needs the scene.
    pub fn needs_scene(&self, file_name: &str) -> bool {
        if self.onto.is_some() {
            return true;
        }
        match self.target {
            Target::Model(format) => {
                let from = Format::of_file_name(file_name).map(|format| format.name);
                format.written_from != WrittenFrom::Document
                    || self.target.is_mdx() && matches!(from, Some("w3d" | "w3x"))
                    || self.target.is_w3d()
                        && (matches!(from, Some("mdx" | "mdl" | "w3x")) || self.changes_w3d())
            }
            Target::Geometry(_) => true,
            Target::Texture(_) => false,
        }
    }

    /// Metres for each unit of a glTF file that is read. Files that are written as glTF again keep their units.
    pub(crate) fn read_scale(&self) -> Option<f32> {
        let game = match self.target {
            Target::Model(format) if format.written_from != WrittenFrom::Document => return None,
            _ if self.target.is_w3d() => self.w3d.game(),
            _ => Game::Wc3Classic,
        };
        Some(self.scale?.metres_per_unit(game))
    }
}

/// The files that a conversion made, and what it lost. Nothing is on the disk yet.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Written {
    /// The content of the main file.
    pub bytes: Vec<u8>,
    /// The name of the main file, if the game looks for it under another name than the caller gave.
    pub renamed: Option<String>,
    /// Further files in the same folder, by name.
    pub others: Vec<(String, Vec<u8>)>,
    /// The files that were read for it, besides the model.
    pub read: Vec<PathBuf>,
    /// What was lost or assumed.
    pub report: Report,
    /// The changes that were applied to an original, in words. Those that could not be are also in the report.
    pub edits: Vec<String>,
}

impl Written {
    /// Adds what became known while textures were read.
    pub(crate) fn after(mut self, textures: Textures<'_>) -> Self {
        self.read.extend(textures.files());
        textures.explain(&mut self.report);
        self.report.append(textures.report);
        self
    }
}

/// How MDX and MDL are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MdxOptions {
    /// The version; without it that of the model that the scene was, or else classic Warcraft III's.
    pub version: Option<u32>,
    /// The form of MDL.
    pub text: ::mdx::mdl::Options,
}

/// How W3D is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct W3dOptions {
    /// The game to write for; without it that of the model that the scene was, or else Zero Hour.
    pub profile: Option<Profile>,
    /// Write several files where the game looks for several.
    pub split: bool,
    /// Frames per second; without it the rate of each clip.
    pub clip_fps: Option<u16>,
    /// How animations are stored.
    pub compress: Compress,
}

impl W3dOptions {
    /// The game that is written for, if the source does not tell another.
    pub fn game(&self) -> Game {
        game_of(self.profile.unwrap_or_default())
    }
}

/// The game that a profile is for.
pub(crate) fn game_of(profile: Profile) -> Game {
    Game::named(profile.name()).unwrap_or(Game::ZeroHour)
}

/// A format of plain triangles, for a model at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GeometryFormat {
    /// Wavefront, with materials.
    Obj,
    /// Stanford's polygons, with vertex colours.
    Ply,
    /// Stereolithography.
    Stl,
}

impl GeometryFormat {
    pub(crate) const ALL: [Self; 3] = [Self::Obj, Self::Ply, Self::Stl];

    /// Its name, which is its extension too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Stl => "stl",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }
}

/// The moment and form of OBJ, PLY and STL.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GeometryOptions {
    /// The model as it is in this clip instead of the rest pose.
    pub clip: Option<String>,
    /// Seconds into the clip.
    pub time: Option<f32>,
    /// PLY and STL as text.
    pub ascii: bool,
}

/// An image format that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextureFormat {
    /// Blizzard's textures.
    Blp,
    /// DirectDraw Surface.
    Dds,
    /// Truevision's Targa.
    Tga,
    /// Portable Network Graphics.
    Png,
}

impl TextureFormat {
    pub(crate) const ALL: [Self; 4] = [Self::Blp, Self::Dds, Self::Tga, Self::Png];

    /// Its name, which is its extension too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blp => "blp",
            Self::Dds => "dds",
            Self::Tga => "tga",
            Self::Png => "png",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Whether files of this format have mipmaps.
    pub(crate) const fn has_mips(self) -> bool {
        matches!(self, Self::Blp | Self::Dds)
    }
}
