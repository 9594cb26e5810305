//! Scenes and glTF files as models of games.

use std::collections::HashMap;

use convert::author::w3d::{Profile, Split};
use convert::author::{TextureFile, TextureFolder, mdx, mdx_textures, w3d, w3d_textures};
use convert::{Note, NoteKind, Report};
use model::{Family, Game};
use scene::{Scene, SlotKind};

use crate::options::game_of;
use crate::{
    ConvertOptions, LoadedScene, MdxOptions, Model, Result, Scale, Target, W3dOptions, Workspace, Written,
};

/// The profile to write for models of a game.
fn profile_of(game: Game) -> Option<Profile> {
    match game {
        Game::Renegade | Game::EarthAndBeyond | Game::Tt4 => Some(Profile::Renegade),
        Game::Generals => Some(Profile::Generals),
        Game::ZeroHour => Some(Profile::ZeroHour),
        Game::Bfme1 => Some(Profile::Bfme1),
        Game::Bfme2 => Some(Profile::Bfme2),
        Game::Tt5 => Some(Profile::Tt5),
        _ => None,
    }
}

/// Files by their names.
type NamedFiles = Vec<(String, Vec<u8>)>;

impl LoadedScene<'_> {
    /// Factor of all lengths for a game. The scale of glTF is applied when it is read.
    fn scale_for(&self, scale: Option<Scale>, to: Game) -> f32 {
        match scale.filter(|_| !self.origin.is_gltf) {
            None => 1.0,
            Some(Scale::Factor(factor)) => factor,
            Some(Scale::Game) => {
                self.origin.game.map_or(1.0, |from| from.metres_per_unit() / to.metres_per_unit())
            }
        }
    }

    /// The MDX document of the scene, and its textures as files if they are wanted. Names and custom properties that people typed are
    /// applied (docs/authoring.md).
    pub(crate) fn author_mdx(
        &mut self,
        options: &ConvertOptions,
    ) -> Result<(::mdx::Document<'static>, NamedFiles)> {
        let scene = &mut self.scene;
        if self.origin.is_gltf {
            name_unnamed_clips(scene);
            convert::author::apply_names(scene);
            self.report.append(convert::author::apply_properties(scene, &self.properties));
        }
        // Blender's name for every scene says nothing.
        let is_unnamed = matches!(scene.name.as_str(), "" | "Scene");
        if let Some(stem) = options.stem().filter(|_| self.origin.is_gltf && is_unnamed) {
            scene.name = stem.to_owned();
        }
        let is_mdx = self.origin.family == Some(Family::Mdx);
        let usual = mdx::Options::default();
        let known = self.origin.version.filter(|_| is_mdx);
        let version = options.mdx.version.or(known).unwrap_or(usual.version);
        let mut others = Vec::new();
        if let Some(folder) = options.write_textures.clone() {
            let is_hd = version >= 900 && self.origin.is_gltf;
            let roles = if is_hd { take_roles(scene) } else { HashMap::new() };
            let folder = TextureFolder { folder, version };
            let read = |name: &str| {
                let bytes = self.textures.read(name)?;
                Some(roles.get(name).and_then(|role| role.adapted(&bytes)).unwrap_or(bytes))
            };
            let (files, report) = mdx_textures(scene, &folder, read);
            self.report.append(report);
            others.extend(files.into_iter().map(beside));
        }
        let scale = self.scale_for(options.scale, Game::Wc3Classic);
        // A model of Warcraft III has what it needs.
        let (document, report) =
            mdx::to_mdx(&self.scene, &mdx::Options { version, scale, complete: !is_mdx, ..usual })?;
        self.report.append(report);
        Ok((document, others))
    }

    /// Writes the scene as MDX or MDL.
    pub(crate) fn write_mdx(mut self, options: &ConvertOptions) -> Result<Written> {
        let (document, others) = self.author_mdx(options)?;
        let bytes = match options.target {
            Target::Model(format) if format.name == "mdl" => ::mdx::mdl::write(&document, &options.mdx.text)?,
            _ => document.to_bytes()?,
        };
        Ok(Written { bytes, others, read: self.read, report: self.report, ..Written::default() }
            .after(self.textures))
    }

    /// The W3D files of the scene, the model first, and its textures as files if they are wanted. Names and custom properties that people
    /// typed are applied (docs/authoring.md).
    pub(crate) fn author_w3d(&mut self, options: &ConvertOptions) -> Result<(Vec<w3d::File>, NamedFiles)> {
        let is_w3d = self.origin.family == Some(Family::W3d);
        if self.origin.is_gltf {
            name_unnamed_clips(&mut self.scene);
            let report = w3d::apply_conventions(&mut self.scene, &self.properties, is_w3d);
            self.report.append(report);
        }
        let profile = self.profile(options);
        let is_split = self.is_split(options);
        self.name(options.stem(), is_w3d);
        let scene = &mut self.scene;
        if is_split && !is_w3d {
            name_clips(scene);
        }
        if let Some(rate) = options.w3d.clip_fps {
            scene.clips.iter_mut().for_each(|clip| clip.frame_rate = Some(f32::from(rate)));
        }
        let mut others = Vec::new();
        if let Some(folder) = options.write_textures.as_deref() {
            if !folder.is_empty() {
                let message = "ignored, because W3D has texture names without folders";
                self.report.notes.push(Note::new(NoteKind::Assumed, folder, message));
            }
            let (files, report) = w3d_textures(scene, profile, |name| self.textures.read(name));
            self.report.append(report);
            others.extend(files.into_iter().map(beside));
        }
        let options = w3d::Options {
            profile,
            compress: options.w3d.compress,
            split: if is_split { Split::Auto } else { Split::One },
            scale: self.scale_for(options.scale, game_of(profile)),
            faithful: is_w3d,
            ..Default::default()
        };
        let (files, report) = w3d::to_w3d(&self.scene, &options)?;
        self.report.append(report);
        Ok((files, others))
    }

    fn profile(&self, options: &ConvertOptions) -> Profile {
        options.w3d.profile.or_else(|| profile_of(self.origin.game?)).unwrap_or_default()
    }

    fn is_split(&self, options: &ConvertOptions) -> bool {
        options.w3d.split && self.profile(options).limits().separate_files
    }

    /// Writes the scene as W3D: one file, or several as the game expects them.
    pub(crate) fn write_w3d(mut self, options: &ConvertOptions) -> Result<Written> {
        let is_split = self.is_split(options);
        let (files, others) = self.author_w3d(options)?;
        let mut written = Written { others, read: self.read, report: self.report, ..Written::default() };
        let own = options.file_name.as_deref().unwrap_or_default();
        for (index, file) in files.into_iter().enumerate() {
            let bytes = file.document.to_bytes()?;
            let name = safe_name(&file.name);
            match index {
                0 => {
                    written.bytes = bytes;
                    written.renamed = Some(name).filter(|name| is_split && !own.eq_ignore_ascii_case(name));
                }
                _ => written.others.push((name, bytes)),
            }
        }
        Ok(written.after(self.textures))
    }

    /// Names the model after its file, because games look for the file by the name of the model. A model that was W3D keeps its name.
    fn name(&mut self, stem: Option<&str>, is_w3d: bool) {
        let Some(stem) = stem else { return };
        let mut assume =
            |message: String| self.report.notes.push(Note::new(NoteKind::Assumed, stem, message));
        if is_w3d {
            let name = self.scene.name.split('.').next().unwrap_or_default();
            if !name.is_empty() && !name.eq_ignore_ascii_case(stem) {
                assume(format!("the model is called {name}, and the game looks for it in {name}.w3d"));
            }
            return;
        }
        let letters = stem.chars().map(|letter| if is_plain(letter) { letter } else { '_' });
        let name: String = letters.take(NAME).collect();
        if name != stem {
            assume(format!("the model is called {name}: the game looks for it in {name}.w3d"));
        }
        self.scene.name = name;
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
    for (index, clip) in scene.clips.iter_mut().enumerate() {
        if clip.name.trim().is_empty() {
            clip.name = format!("Clip {}", index + 1);
        }
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

impl Model {
    /// The MDX model in a GLB from Blender or any other program, and what could not be read or written. The names and custom properties
    /// of docs/authoring.md are applied. A model without a name is called `name`. [`Workspace::convert`] also writes its textures.
    ///
    /// ```
    /// use meshwright::{MdxOptions, Model};
    /// let glb = Model::parse(w3d::sample::crate_box())?.to_glb()?;
    /// let (model, _) = Model::mdx_from_glb("crate", &glb, &MdxOptions::default())?;
    /// assert!(model.to_bytes()?.starts_with(b"MDLX"));
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn mdx_from_glb(name: &str, glb: &[u8], options: &MdxOptions) -> Result<(Self, Report)> {
        let file_name = Some(format!("{name}.mdx"));
        let options =
            ConvertOptions { file_name, mdx: *options, ..ConvertOptions::new(Target::named("mdx")?) };
        let workspace = Workspace::default();
        let mut loaded = workspace.load_gltf(workspace.read_gltf(glb, None, None)?);
        let (document, _) = loaded.author_mdx(&options)?;
        Ok((Self::from(document), loaded.report))
    }

    /// The W3D files of a GLB from Blender or any other program, the model first, and what could not be read or written. The names and
    /// custom properties of docs/authoring.md are applied. The model is called `name`, unless the GLB was made of a W3D model: that
    /// keeps its name. [`Workspace::convert`] also writes its textures.
    ///
    /// ```
    /// use meshwright::{Model, W3dOptions};
    /// let glb = Model::parse(mdx::build::watchtower())?.to_glb()?;
    /// let (files, _) = Model::w3d_from_glb("tower", &glb, &W3dOptions::default())?;
    /// let (name, model) = &files[0];
    /// assert_eq!(name, "tower.w3d");
    /// assert!(!model.to_bytes()?.is_empty() && !model.meshes().is_empty());
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn w3d_from_glb(
        name: &str,
        glb: &[u8],
        options: &W3dOptions,
    ) -> Result<(Vec<(String, Self)>, Report)> {
        let file_name = Some(format!("{name}.w3d"));
        let options =
            ConvertOptions { file_name, w3d: *options, ..ConvertOptions::new(Target::named("w3d")?) };
        let workspace = Workspace::default();
        let mut loaded = workspace.load_gltf(workspace.read_gltf(glb, None, None)?);
        let (files, _) = loaded.author_w3d(&options)?;
        let models = files.into_iter().map(|file| (file.name, Self::from(file.document)));
        Ok((models.collect(), loaded.report))
    }
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
