//! glTF: models as glTF files, and glTF files as scenes.

use std::io;
use std::path::{Component, Path};

use gltf::{Import, ReadOptions};
use model::{Content, Format, WrittenFrom};
use scene::Scene;

use crate::loaded::{From, Textures};
use crate::{ConvertOptions, LoadedScene, Model, Origin, Result, Target, Workspace, Written};

/// Whether bytes are to be read as glTF: by the format that is given, by content, or by name.
pub fn is_gltf(bytes: &[u8], path: Option<&Path>, format: Option<&Format>) -> bool {
    match format {
        Some(format) => format.written_from != WrittenFrom::Document,
        None => {
            let extension = path.and_then(Path::extension);
            let has_name = extension.is_some_and(|extension| extension.eq_ignore_ascii_case("gltf"));
            matches!(Content::of(bytes), Some(Content::Glb | Content::Gltf))
                || has_name && gltf::is_gltf(bytes)
        }
    }
}

impl Workspace {
    /// Reads a GLB or `.gltf`. Buffers and images beside it are read only from the folder of its path and below it: a path that leads
    /// elsewhere, a link out of the folder and a device are errors. `scale` is metres for each unit.
    pub fn read_gltf(&self, bytes: &[u8], path: Option<&Path>, scale: Option<f32>) -> Result<Import> {
        let options = ReadOptions { scale, limits: self.limits(), ..ReadOptions::default() };
        self.read_gltf_with(bytes, path, &options)
    }

    /// The same with a choice of options.
    pub(crate) fn read_gltf_with(
        &self,
        bytes: &[u8],
        path: Option<&Path>,
        options: &ReadOptions,
    ) -> Result<Import> {
        let folder = path.map(|path| path.parent().unwrap_or(Path::new("")));
        let resolve = |relative: &str| {
            let folder = folder.ok_or(io::ErrorKind::NotFound)?;
            self.read_below(folder, relative)
        };
        Ok(gltf::read(bytes, &resolve, options)?)
    }

    /// A file that a stranger's file in a folder refers to.
    fn read_below(&self, folder: &Path, relative: &str) -> io::Result<Vec<u8>> {
        let path = Path::new(relative);
        let is_below = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if relative.contains(':') || !is_below {
            return Err(io::Error::other("only files in the folder of the model and below it are read"));
        }
        let missing = || io::Error::new(io::ErrorKind::NotFound, "no such file, or a link that leads out");
        let parts = path.components().filter(|part| *part != Component::CurDir);
        let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        let (name, folders) = parts.split_last().ok_or_else(missing)?;
        // What is found is a regular file or a folder, and no link that leads out.
        let files = self.files();
        let folder = folders.iter().try_fold(folder.to_owned(), |folder, part| files.folder(&folder, part));
        let found =
            files.find(&folder.ok_or_else(missing)?, std::slice::from_ref(name)).ok_or_else(missing)?;
        files.read(&found).map_err(|error| io::Error::other(error.kind.to_string()))
    }

    /// The scene of a glTF file that was [read](Self::read_gltf).
    pub fn load_gltf<'w>(&self, import: Import) -> LoadedScene<'w> {
        let Import { scene, pictures, source, properties, report, .. } = import;
        let origin = Origin::of_gltf(source.as_ref());
        let textures = Textures::from(From::Pictures(pictures));
        LoadedScene { scene, origin, source, properties, report, textures, read: Vec::new(), chunks: None }
    }
}

impl LoadedScene<'_> {
    /// Writes the scene as GLB, or with further files whose names begin with `stem`. The limits are those of the workspace.
    pub(crate) fn write_gltf(
        mut self,
        workspace: &Workspace,
        options: &gltf::Options,
        stem: Option<&str>,
    ) -> Result<Written> {
        let options = gltf::Options {
            source: options.source.clone().or(self.source),
            limits: workspace.limits(),
            ..options.clone()
        };
        let (bytes, others, report) = match stem {
            Some(stem) => {
                let written = gltf::write_gltf(&self.scene, &options, &mut self.textures, stem)?;
                (written.json, written.files, written.report)
            }
            None => {
                let written = gltf::write_glb(&self.scene, &options, &mut self.textures)?;
                (written.bytes, Vec::new(), written.report)
            }
        };
        let mut all = self.report;
        all.append(report.losses());
        Ok(Written { bytes, others, report: all, read: self.read, ..Written::default() }.after(self.textures))
    }
}

impl Model {
    /// The model as GLB, with its companions and textures, found as [`Self::to_scene`] finds them.
    ///
    /// ```
    /// let glb = meshwright::Model::parse(w3d::sample::crate_box())?.to_glb()?;
    /// assert!(glb.starts_with(b"glTF"));
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn to_glb(&self) -> Result<Vec<u8>> {
        Ok(self.to_glb_with(&Workspace::default(), &gltf::Options::default())?.bytes)
    }

    /// The model as GLB, with a choice of options and of the files to search, and a report of the losses.
    ///
    /// ```
    /// use meshwright::{Model, Workspace, gltf_io::Options};
    /// let tank = Model::parse(w3d::sample::crate_box())?;
    /// let written = tank.to_glb_with(&Workspace::default(), &Options::default())?;
    /// assert_eq!(written.report.notes[0].to_string(), "missing: mwcrate.tga: texture not found");
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn to_glb_with(&self, workspace: &Workspace, options: &gltf::Options) -> Result<Written> {
        let options = ConvertOptions { gltf: options.clone(), ..ConvertOptions::new(Target::named("glb")?) };
        self.convert(workspace, &options)
    }

    /// The model as a `.gltf` file and further files, whose names begin with `stem`.
    pub fn to_gltf(&self, stem: &str) -> Result<Written> {
        let target = Target::named("gltf")?;
        let options =
            ConvertOptions { file_name: Some(format!("{stem}.gltf")), ..ConvertOptions::new(target) };
        self.convert(&Workspace::default(), &options)
    }
}

/// The scene of a GLB: one that Meshwright wrote, also if Blender saved it again, or one of any other program.
///
/// What glTF cannot say is restored from `extras.meshwright`. [`Workspace::read_gltf`] also returns the pictures and what could not be read.
///
/// ```
/// use meshwright::{Model, scene_from_glb};
/// let tank = Model::parse(w3d::sample::crate_box())?;
/// let scene = scene_from_glb(&tank.to_glb()?)?;
/// assert_eq!(scene.materials, tank.to_scene().materials);
/// # Ok::<(), meshwright::Error>(())
/// ```
pub fn scene_from_glb(bytes: &[u8]) -> Result<Scene> {
    Ok(Workspace::default().read_gltf(bytes, None, None)?.scene)
}

/// Reads a `.glb` or `.gltf` with the files in its folder and below it.
pub fn scene_from_gltf_file(path: impl AsRef<Path>) -> Result<Import> {
    let path = path.as_ref();
    let workspace = Workspace::default();
    let bytes = workspace.read(path)?;
    workspace.read_gltf(&bytes, Some(path), None)
}
