//! Scenes as models of games: MDX and MDL of Warcraft III, and W3D.

use std::collections::HashMap;
use std::path::Path;

use convert::NoteKind;
use convert::author::w3d::{Profile, Split};
use convert::author::{TextureFile, TextureFolder, mdx_textures, w3d_textures};
use gltf::{Picture, TextureSource};
use model::{Document, Family, Format, Game};
use record::Error;
use scene::{Property, Scene, SlotKind};

use crate::args::{ConvertArgs, Scale};
use crate::export::Written;
use crate::input::{Problem, Source};
use crate::losses::Loss;

use super::options::AuthorArgs;

/// The profile to write for models of a game.
fn profile_of(game: Game) -> Option<Profile> {
    match game {
        Game::Renegade | Game::EarthAndBeyond | Game::Tt4 => Some(Profile::Renegade),
        Game::Generals => Some(Profile::Generals),
        Game::ZeroHour => Some(Profile::ZeroHour),
        Game::Bfme1 => Some(Profile::Bfme1),
        Game::Bfme2 => Some(Profile::Bfme2),
        Game::Tt5 => Some(Profile::Tt5),
        Game::Wc3Classic | Game::Wc3Reforged | Game::WowAlpha => None,
    }
}

/// The game that a profile is for.
fn game_of(profile: Profile) -> Game {
    Game::named(profile.name()).unwrap_or(Game::ZeroHour)
}

/// Where a scene comes from.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    /// The family of the model that it was, if it was one.
    family: Option<Family>,
    /// The version of MDX.
    version: Option<u32>,
    game: Option<Game>,
    /// Whether it was read from glTF: people may have typed names and properties, and the scale is applied.
    is_gltf: bool,
}

impl Origin {
    pub(super) fn of_document(document: &Document<'_>, game: Game) -> Self {
        let version = match document {
            Document::W3d(_) => None,
            Document::Mdx(document) => Some(document.version),
        };
        Self { family: Some(document.family()), version, game: Some(game), is_gltf: false }
    }

    /// Of a glTF file: what our writer said of it.
    pub(super) fn of_gltf(source: Option<&gltf::Source>) -> Self {
        let is = |family: Family| source.is_some_and(|source| source.format == family.name());
        Self {
            family: [Family::W3d, Family::Mdx].into_iter().find(|family| is(*family)),
            version: source.and_then(|source| source.version.as_deref()?.parse().ok()),
            game: source.and_then(|source| Game::named(&source.game)),
            is_gltf: true,
        }
    }

    /// Factor of all lengths for a game.
    fn scale(&self, scale: Option<Scale>, to: Game) -> f32 {
        match scale.filter(|_| !self.is_gltf) {
            None => 1.0,
            Some(Scale::Factor(factor)) => factor,
            Some(Scale::Game) => self.game.map_or(1.0, |from| from.metres_per_unit() / to.metres_per_unit()),
        }
    }
}

/// A scene that becomes the model of a game.
pub(super) struct Job<'j> {
    pub(super) args: &'j ConvertArgs,
    /// The file that it is read from.
    pub(super) from: &'j Source,
    /// The file that is written; `None` for standard output.
    pub(super) to: Option<&'j Path>,
    pub(super) origin: Origin,
    pub(super) properties: &'j [Property],
}

/// Metres for each unit, for glTF that becomes the model of a game.
pub(super) fn metres_per_unit(scale: Scale, format: &Format, args: &AuthorArgs) -> f32 {
    match scale {
        Scale::Factor(factor) => factor,
        Scale::Game if format.name == "w3d" => game_of(args.profile.unwrap_or_default()).metres_per_unit(),
        Scale::Game => Game::Wc3Classic.metres_per_unit(),
    }
}

impl Job<'_> {
    fn problem(&self, error: Error) -> Problem {
        Problem::content(&self.from.path, error)
    }

    /// Writes a scene as MDX or MDL.
    pub(super) fn mdx(
        &self,
        scene: &mut Scene,
        format: &Format,
        textures: &mut dyn TextureSource,
    ) -> Result<Written, Problem> {
        let mut written = Written::default();
        if self.origin.is_gltf {
            name_unnamed_clips(scene);
            convert::author::apply_names(scene);
            let report = convert::author::apply_properties(scene, self.properties);
            written.losses.extend(report.notes.into_iter().map(Loss::from));
        }
        // Blender's name for every scene says nothing.
        let is_unnamed = matches!(scene.name.as_str(), "" | "Scene");
        if let Some(stem) = self.to.and_then(Path::file_stem).filter(|_| self.origin.is_gltf && is_unnamed) {
            scene.name = stem.to_string_lossy().into_owned();
        }
        let is_mdx = self.origin.family == Some(Family::Mdx);
        let mut options = convert::author::mdx::Options::default();
        let known = self.origin.version.filter(|_| is_mdx);
        options.version = self.args.mdx.to_version.or(known).unwrap_or(options.version);
        options.scale = self.origin.scale(self.args.gltf.scale, Game::Wc3Classic);
        // A model of Warcraft III has what it needs.
        options.complete = !is_mdx;
        // Standard output has no place for further files.
        if let Some(folder) = self.args.author.write_textures.clone().filter(|_| self.to.is_some()) {
            let is_hd = options.version >= 900 && self.origin.is_gltf;
            let roles = if is_hd { take_roles(scene) } else { HashMap::new() };
            let folder = TextureFolder { folder, version: options.version };
            let read = |name: &str| {
                let bytes = picture(textures, name)?;
                Some(roles.get(name).and_then(|role| role.adapted(&bytes)).unwrap_or(bytes))
            };
            let (files, report) = mdx_textures(scene, &folder, read);
            written.losses.extend(report.notes.into_iter().map(Loss::from));
            written.others.extend(files.into_iter().map(beside));
        }
        let (document, report) =
            convert::author::mdx::to_mdx(scene, &options).map_err(|error| self.problem(error))?;
        let document = Document::Mdx(document);
        let bytes = super::write(&document, format, &self.args.mdx.mdl());
        written.bytes = bytes.map_err(|error| self.problem(error))?;
        written.losses.extend(losses_of(report));
        Ok(written)
    }

    /// Writes a scene as W3D: one file, or several as the game expects them.
    pub(super) fn w3d(
        &self,
        scene: &mut Scene,
        textures: &mut dyn TextureSource,
    ) -> Result<Written, Problem> {
        let mut written = Written::default();
        let args = &self.args.author;
        let is_w3d = self.origin.family == Some(Family::W3d);
        if self.origin.is_gltf {
            name_unnamed_clips(scene);
            let report = convert::author::w3d::apply_conventions(scene, self.properties, is_w3d);
            written.losses.extend(losses_of(report));
        }
        let profile = args.profile.or_else(|| profile_of(self.origin.game?)).unwrap_or_default();
        let is_split = args.has_several_files() && profile.limits().separate_files;
        self.name(scene, is_w3d, &mut written.losses);
        if is_split && !is_w3d {
            name_clips(scene);
        }
        if let Some(rate) = args.clip_fps {
            scene.clips.iter_mut().for_each(|clip| clip.frame_rate = Some(f32::from(rate)));
        }
        if let Some(folder) = args.write_textures.as_deref().filter(|_| self.to.is_some()) {
            if !folder.is_empty() {
                let message = "ignored, because W3D has texture names without folders";
                written.losses.push(Loss::one(NoteKind::Assumed, folder.to_owned(), message));
            }
            let (files, report) = w3d_textures(scene, profile, |name| picture(textures, name));
            written.losses.extend(losses_of(report));
            written.others.extend(files.into_iter().map(beside));
        }
        let options = convert::author::w3d::Options {
            profile,
            compress: args.compression(),
            split: if is_split { Split::Auto } else { Split::One },
            scale: self.origin.scale(self.args.gltf.scale, game_of(profile)),
            faithful: is_w3d,
            ..Default::default()
        };
        let (files, report) =
            convert::author::w3d::to_w3d(scene, &options).map_err(|error| self.problem(error))?;
        written.losses.extend(losses_of(report));
        for (place, file) in files.into_iter().enumerate() {
            let bytes = file.document.to_bytes().map_err(|error| self.problem(error))?;
            let name = safe_name(&file.name);
            match place {
                0 => {
                    written.bytes = bytes;
                    written.renamed = Some(name).filter(|name| is_split && !self.is_named(name));
                }
                _ => written.others.push((name, bytes)),
            }
        }
        Ok(written)
    }

    /// Whether the file to write has this name.
    fn is_named(&self, name: &str) -> bool {
        let own = self.to.and_then(Path::file_name).unwrap_or_default();
        own.to_string_lossy().eq_ignore_ascii_case(name)
    }

    /// Names the model after its file, because games look for the file by the name of the model. A model that was W3D keeps its name.
    fn name(&self, scene: &mut Scene, is_w3d: bool, losses: &mut Vec<Loss>) {
        let Some(stem) = self.to.and_then(Path::file_stem) else { return };
        let stem = stem.to_string_lossy().into_owned();
        let mut assume = |message: String| losses.push(Loss::one(NoteKind::Assumed, stem.clone(), message));
        if is_w3d {
            let name = scene.name.split('.').next().unwrap_or_default();
            if !name.is_empty() && !name.eq_ignore_ascii_case(&stem) {
                assume(format!("the model is called {name}, and the game looks for it in {name}.w3d"));
            }
            return;
        }
        let letters = stem.chars().map(|letter| if is_plain(letter) { letter } else { '_' });
        let name: String = letters.take(NAME).collect();
        if name != stem {
            assume(format!("the model is called {name}: the game looks for it in {name}.w3d"));
        }
        scene.name = name;
    }
}

/// Characters of a name in W3D.
const NAME: usize = 15;

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '+' | '~')
}

/// A file name without anything that leads out of a folder.
fn safe_name(name: &str) -> String {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "w3d"));
    let stem: String =
        stem.chars().map(|letter| if is_plain(letter) || letter == ' ' { letter } else { '_' }).collect();
    format!("{stem}.{extension}")
}

/// Names clips that have no name, which glTF allows, and games do not.
fn name_unnamed_clips(scene: &mut Scene) {
    for (at, clip) in scene.clips.iter_mut().enumerate().filter(|(_, clip)| clip.name.trim().is_empty()) {
        clip.name = format!("Clip {}", at + 1);
    }
}

/// Clips get files of their own: names as the games have them, which begin with the model's, so that those of other models differ.
fn name_clips(scene: &mut Scene) {
    let model: String = scene.name.trim_end_matches("_SKN").trim_end_matches("_skn").to_owned();
    for clip in &mut scene.clips {
        let name: String = clip.name.chars().filter(|letter| is_plain(*letter)).collect();
        let is_named = name.len() > model.len() && name.to_lowercase().starts_with(&model.to_lowercase());
        let room = NAME.saturating_sub(name.chars().count() + 1).max(NAME / 2);
        let start: String = model.chars().take(room).collect();
        clip.name = if is_named { name } else { format!("{start}_{name}") };
    }
}

/// The bytes of a texture.
fn picture(textures: &mut dyn TextureSource, name: &str) -> Option<Vec<u8>> {
    match textures.find(name)? {
        Picture::File(bytes) => Some(bytes),
        Picture::Image(image) => texture::encode_png(&image).ok(),
    }
}

/// Textures in which glTF and Reforged differ.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// A normal map: green is up in glTF, and down in the game.
    Normal,
    /// Occlusion, roughness and metal. The game has the player's colour in alpha, which glTF does not use.
    Packed,
}

impl Role {
    /// The picture as the game wants it.
    fn adapted(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let image = texture::decode_top(bytes).ok()?;
        let is_opaque = image.is_opaque();
        let pixels = image.iter().flat_map(|[r, g, b, a]| match self {
            Self::Normal => [r, 255 - g, b, a],
            Self::Packed => [r, g, b, if is_opaque { 0 } else { a }],
        });
        let image = texture::Image::new(image.width(), image.height(), pixels.collect()).ok()?;
        texture::encode_png(&image).ok()
    }
}

/// The textures that are adapted, by name. The scene then says that they are.
fn take_roles(scene: &mut Scene) -> HashMap<String, Role> {
    let mut roles = HashMap::new();
    let layers = scene.materials.iter_mut().flat_map(|material| &mut material.layers);
    for slot in layers.flat_map(|layer| &mut layer.slots) {
        let role = match slot.kind {
            SlotKind::Normal => Role::Normal,
            SlotKind::OcclusionRoughnessMetal => Role::Packed,
            _ => continue,
        };
        let texture = slot.texture.and_then(|texture| scene.textures.get(texture.index()));
        if let Some(texture) = texture {
            roles.insert(texture.name.clone(), role);
            slot.green_down |= role == Role::Normal;
        }
    }
    roles
}

/// A texture as a file next to the model.
fn beside(file: TextureFile) -> (String, Vec<u8>) {
    let name = file.path.rsplit('\\').next().unwrap_or(&file.path);
    (safe_name(name), file.bytes)
}

/// The notes of the library.
fn losses_of(report: convert::Report) -> Vec<Loss> {
    let mut losses: Vec<Loss> = report.notes.into_iter().map(Loss::from).collect();
    if report.suppressed > 0 {
        let (one, many) = ("further note suppressed", "further notes suppressed");
        losses.push(Loss::counted(NoteKind::LeftOut, report.suppressed, one, many));
    }
    losses
}

#[cfg(test)]
mod tests {
    use scene::Clip;

    use super::*;

    #[test]
    fn clips_in_files_of_their_own_begin_with_the_model() {
        let clip = |name: &str| Clip { name: name.into(), ..Clip::default() };
        let mut scene = Scene {
            name: "grunt".into(),
            clips: vec![clip("Stand - 2"), clip("GRUNT_RUNA"), clip("Morph Alternate")],
            ..Scene::default()
        };
        name_clips(&mut scene);
        let names: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
        assert_eq!(names, ["grunt_Stand-2", "GRUNT_RUNA", "grunt_MorphAlternate"]);
    }

    #[test]
    fn clips_without_names_get_numbers() {
        let clip = |name: &str| Clip { name: name.into(), ..Clip::default() };
        let mut scene = Scene { clips: vec![clip("Walk"), clip(""), clip(" ")], ..Scene::default() };
        name_unnamed_clips(&mut scene);
        let names: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
        assert_eq!(names, ["Walk", "Clip 2", "Clip 3"]);
    }

    #[test]
    fn normals_turn_over_and_unused_alpha_is_no_team_colour() {
        let png = |pixel: [u8; 4]| {
            texture::encode_png(&texture::Image::new(1, 1, pixel.to_vec()).expect("a pixel")).expect("a PNG")
        };
        let adapted = |role: Role, pixel: [u8; 4]| {
            let bytes = role.adapted(&png(pixel)).expect("it is a picture");
            texture::decode_top(&bytes).expect("it is a PNG").pixel(0, 0)
        };
        assert_eq!(adapted(Role::Normal, [10, 200, 30, 255]), Some([10, 55, 30, 255]));
        assert_eq!(adapted(Role::Packed, [10, 200, 30, 255]), Some([10, 200, 30, 0]));
        assert_eq!(adapted(Role::Packed, [10, 200, 30, 128]), Some([10, 200, 30, 128]));
    }

    #[test]
    fn files_stay_in_their_folder() {
        assert_eq!(safe_name("../../etc/passwd.w3d"), "______etc_passwd.w3d");
        assert_eq!(safe_name("C:\\x.w3d"), "C__x.w3d");
        assert_eq!(safe_name("TANK_SKN.w3d"), "TANK_SKN.w3d");
    }
}
