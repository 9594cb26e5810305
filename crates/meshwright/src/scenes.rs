//! A model as a scene, and as glTF.

use assets::{Folders, Lookup, Resolver};
use convert::Report;
use convert::w3d::Engine;
use model::{Document, Evidence, Game};
use scene::Scene;

use crate::Model;

impl Model {
    /// The scene that the model describes: Y is up, times are in seconds, and all positions are in one space.
    ///
    /// Skeletons, animations and models in other files are found near the model's [path](Self::path) by the games' rules.
    /// For many models, or to search other folders, use [`Self::to_scene_with`].
    ///
    /// ```
    /// let scene = meshwright::Model::parse(w3d::sample::crate_box())?.to_scene();
    /// assert_eq!((scene.meshes.len(), scene.clips.len()), (2, 1));
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn to_scene(&self) -> Scene {
        self.to_scene_with(&resolver()).0
    }

    /// The scene that the model describes, and a report of losses and missing files. The resolver determines where to search; many
    /// models can share it.
    pub fn to_scene_with(&self, resolver: &Resolver) -> (Scene, Report) {
        match self.document() {
            Document::W3d(file) => {
                let found = self.lookup(resolver).companions(file).documents;
                let mut library = convert::w3d::Library::new(file);
                let given = resolver.given().iter().map(|found| &found.document);
                given.chain(&found).for_each(|document| library.add(document));
                let options = convert::w3d::Options {
                    engine: match self.game() {
                        Game::Renegade | Game::EarthAndBeyond | Game::Tt4 | Game::Tt5 => Engine::Renegade,
                        _ => Engine::Generals,
                    },
                    // Animations given by the caller are also used for an equal skeleton of another name.
                    clips_of_twins: !resolver.given().is_empty(),
                    ..Default::default()
                };
                convert::w3d::to_scene(&library, None, &options)
            }
            Document::Mdx(file) => convert::mdx::to_scene(file, &Default::default()),
        }
    }

    /// The game that the model is probably for, guessed from its content and its [path](Self::path).
    pub fn game(&self) -> Game {
        let evidence = self
            .path()
            .map_or_else(|| Evidence::of(self.document()), |path| Evidence::of_file(self.document(), path));
        evidence.guess(self.family()).game
    }

    /// Search for the files that this model refers to.
    fn lookup<'r>(&'r self, resolver: &'r Resolver) -> Lookup<'r> {
        self.path().map_or_else(|| resolver.lookup_anywhere(), |path| resolver.lookup(path))
    }
}

/// Searches the folders near a model.
fn resolver() -> Resolver {
    Resolver::new(Folders::default())
}

#[cfg(any(feature = "gltf", feature = "render"))]
impl Model {
    /// The file of a texture.
    pub(crate) fn texture_bytes(&self, name: &str, resolver: &Resolver) -> Option<Vec<u8>> {
        let found = self.lookup(resolver).texture(name, self.family())?;
        resolver.files().read(&found.path).ok()
    }
}

#[cfg(feature = "gltf")]
impl Model {
    /// The model as GLB, with its companions and textures, found as [`Self::to_scene`] finds them.
    ///
    /// ```
    /// let glb = meshwright::Model::parse(w3d::sample::crate_box())?.to_glb()?;
    /// assert!(glb.starts_with(b"glTF"));
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn to_glb(&self) -> crate::Result<Vec<u8>> {
        Ok(self.to_glb_with(&resolver(), &gltf::Options::default())?.bytes)
    }

    /// The model as GLB, with a choice of options and of the files to search, and a report of the losses.
    pub fn to_glb_with(&self, resolver: &Resolver, options: &gltf::Options) -> crate::Result<gltf::Glb> {
        let (scene, _) = self.to_scene_with(resolver);
        Ok(gltf::write_glb(&scene, options, &mut Textures { model: self, resolver })?)
    }

    /// The model as a `.gltf` file and further files, whose names begin with `stem`.
    pub fn to_gltf(&self, stem: &str) -> crate::Result<gltf::Gltf> {
        let resolver = resolver();
        let scene = self.to_scene_with(&resolver).0;
        let mut textures = Textures { model: self, resolver: &resolver };
        Ok(gltf::write_gltf(&scene, &gltf::Options::default(), &mut textures, stem)?)
    }
}

/// The scene of a GLB: one that Meshwright wrote, also if Blender saved it again, or one of any other program.
///
/// What glTF cannot say is restored from `extras.meshwright`. [`gltf::read`] has options, and also returns the pictures and what could not
/// be read.
///
/// ```
/// use meshwright::{Model, scene_from_glb};
/// let tank = Model::parse(w3d::sample::crate_box())?;
/// let scene = scene_from_glb(&tank.to_glb()?)?;
/// assert_eq!(scene.materials, tank.to_scene().materials);
/// # Ok::<(), meshwright::Error>(())
/// ```
#[cfg(feature = "gltf")]
pub fn scene_from_glb(bytes: &[u8]) -> crate::Result<Scene> {
    Ok(gltf::read(bytes, &gltf::no_files, &gltf::ReadOptions::default())?.scene)
}

/// Reads a `.glb` or `.gltf` with the files beside it.
#[cfg(feature = "gltf")]
pub fn scene_from_gltf_file(path: impl AsRef<std::path::Path>) -> crate::Result<gltf::Import> {
    let path = path.as_ref();
    let bytes = crate::files::read(path)?;
    let folder = path.parent().unwrap_or(std::path::Path::new(""));
    let resolve = |relative: &str| std::fs::read(folder.join(relative));
    Ok(gltf::read(&bytes, &resolve, &gltf::ReadOptions::default())?)
}

/// The textures that a model names.
#[cfg(feature = "gltf")]
struct Textures<'m> {
    model: &'m Model,
    resolver: &'m Resolver,
}

#[cfg(feature = "gltf")]
impl gltf::TextureSource for Textures<'_> {
    fn find(&mut self, name: &str) -> Option<gltf::Picture> {
        self.model.texture_bytes(name, self.resolver).map(gltf::Picture::File)
    }

    fn key(&mut self, name: &str) -> String {
        let found = self.model.lookup(self.resolver).texture(name, self.model.family());
        found.map_or_else(|| name.to_lowercase(), |found| found.path.to_string_lossy().into_owned())
    }
}
