//! Scenes and glTF files as models of games.

use convert::Report;
use convert::author::{mdx, w3d};
use model::Document;
use scene::Scene;

use crate::Model;

impl Model {
    /// The MDX model that a scene describes, and what could not be written: from a W3D model, or from a scene that a program made.
    ///
    /// Fails if the version is unknown or the scene has more bones than the format can count; everything else is divided,
    /// shortened or dropped, and reported.
    ///
    /// ```
    /// use meshwright::{Model, convert::author::mdx::Options};
    /// let tank = Model::parse(w3d::sample::crate_box())?;
    /// let (model, losses) = Model::mdx_from_scene(&tank.to_scene(), &Options::default())?;
    /// assert!(model.to_bytes()?.starts_with(b"MDLX"));
    /// assert_eq!(model.clips().len(), 3, "its own, and Stand and Death, which the game needs");
    /// assert!(losses.notes.iter().any(|note| note.message.contains("Death")));
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn mdx_from_scene(scene: &Scene, options: &mdx::Options) -> crate::Result<(Self, Report)> {
        let (document, report) = mdx::to_mdx(scene, options)?;
        Ok((Self::from_document(Document::Mdx(document)), report))
    }

    /// The W3D files that a scene describes, the model first, and what could not be written: from an MDX model, or from a scene that a
    /// program made. Each file has the name that the game looks for.
    ///
    /// Fails if a skeleton or a clip is longer than the format can count; everything else is divided, shortened or dropped, and
    /// reported.
    ///
    /// ```
    /// use meshwright::convert::author::w3d::{Options, Profile};
    /// use meshwright::{Game, Model};
    /// let crate_box = Model::parse(w3d::sample::crate_box())?;
    /// let options = Options { profile: Profile::ZeroHour, ..Options::default() };
    /// let (files, losses) = Model::w3d_from_scene(&crate_box.to_scene(), &options)?;
    /// let (name, model) = &files[0];
    /// assert_eq!((name.as_str(), model.clips().len()), ("MWCRATE.w3d", 1));
    /// assert!(model.check_for(Game::ZeroHour).is_empty());
    /// assert!(losses.notes.is_empty());
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn w3d_from_scene(
        scene: &Scene,
        options: &w3d::Options,
    ) -> crate::Result<(Vec<(String, Self)>, Report)> {
        let (files, report) = w3d::to_w3d(scene, options)?;
        let models =
            files.into_iter().map(|file| (file.name, Self::from_document(Document::W3d(file.document))));
        Ok((models.collect(), report))
    }

    /// The MDX model in a GLB from Blender or any other program, and what could not be read or written. The names and custom properties
    /// of docs/authoring.md are applied.
    ///
    /// ```
    /// use meshwright::{Model, convert::author::mdx::Options};
    /// let glb = Model::parse(w3d::sample::crate_box())?.to_glb()?;
    /// let (model, _) = Model::mdx_from_glb(&glb, &Options::default())?;
    /// assert!(model.to_bytes()?.starts_with(b"MDLX"));
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    #[cfg(feature = "gltf")]
    pub fn mdx_from_glb(glb: &[u8], options: &mdx::Options) -> crate::Result<(Self, Report)> {
        let gltf::Import { mut scene, source, properties, notes, .. } = read(glb)?;
        convert::author::apply_names(&mut scene);
        let typed = convert::author::apply_properties(&mut scene, &properties);
        // A model of Warcraft III has what it needs.
        let is_mdx = source.is_some_and(|source| source.format == "mdx");
        let options = mdx::Options { complete: options.complete && !is_mdx, ..*options };
        let (model, written) = Self::mdx_from_scene(&scene, &options)?;
        Ok((model, together(&notes, [typed, written])))
    }

    /// The W3D files of a GLB from Blender or any other program, the model first, and what could not be read or written. The names and
    /// custom properties of docs/authoring.md are applied. The model is called `name`, unless the GLB was made of a W3D model: that
    /// keeps its name.
    ///
    /// ```
    /// use meshwright::{Model, convert::author::w3d::Options};
    /// let glb = Model::parse(mdx::build::watchtower())?.to_glb()?;
    /// let (files, _) = Model::w3d_from_glb("tower", &glb, &Options::default())?;
    /// let (name, model) = &files[0];
    /// assert_eq!(name, "tower.w3d");
    /// assert!(!model.to_bytes()?.is_empty() && !model.meshes().is_empty());
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    #[cfg(feature = "gltf")]
    pub fn w3d_from_glb(
        name: &str,
        glb: &[u8],
        options: &w3d::Options,
    ) -> crate::Result<(Vec<(String, Self)>, Report)> {
        let gltf::Import { mut scene, source, properties, notes, .. } = read(glb)?;
        let is_w3d = source.is_some_and(|source| source.format == "w3d");
        let typed = w3d::apply_conventions(&mut scene, &properties, is_w3d);
        if !is_w3d {
            scene.name = name.to_owned();
        }
        let options = w3d::Options { faithful: options.faithful || is_w3d, ..*options };
        let (files, written) = Self::w3d_from_scene(&scene, &options)?;
        Ok((files, together(&notes, [typed, written])))
    }
}

#[cfg(feature = "gltf")]
fn read(glb: &[u8]) -> crate::Result<gltf::Import> {
    Ok(gltf::read(glb, &gltf::no_files, &gltf::ReadOptions::default())?)
}

/// All notes of a conversion, those of the reader first.
#[cfg(feature = "gltf")]
fn together(read: &[gltf::ReadNote], others: [Report; 2]) -> Report {
    use convert::{Note, NoteKind};
    let kind = |kind: gltf::ReadNoteKind| match kind {
        gltf::ReadNoteKind::Missing => NoteKind::Missing,
        gltf::ReadNoteKind::LeftOut => NoteKind::LeftOut,
        gltf::ReadNoteKind::Damaged => NoteKind::Damaged,
        gltf::ReadNoteKind::Assumed => NoteKind::Assumed,
    };
    let notes = read.iter().map(|note| Note {
        kind: kind(note.kind),
        path: note.part.clone(),
        message: note.message.clone(),
    });
    let mut report = Report { notes: notes.collect(), suppressed: 0 };
    for other in others {
        report.notes.extend(other.notes);
        report.suppressed += other.suppressed;
    }
    report
}

#[cfg(feature = "texture")]
pub use convert::author::{TextureFile, TextureFolder, mdx_textures, w3d_textures};
