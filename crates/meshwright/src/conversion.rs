//! Conversion of any model to any format: the one way through the library.

use std::path::Path;

use convert::{Note, NoteKind, Report};
use model::{Document, WrittenFrom};
use record::{Diagnostic, Severity};

use crate::workspace::{parse, parse_anyway};
use crate::{ConvertOptions, LoadedScene, Model, Result, Target, Workspace, Written, gltf_files};

impl Workspace {
    /// Converts a file: a model or glTF to a model, glTF or plain geometry. `path` is where the file is, if it is anywhere.
    ///
    /// ```
    /// use meshwright::{ConvertOptions, Target, Workspace};
    /// let options = ConvertOptions::new(Target::named("obj")?);
    /// let written = Workspace::default().convert(&w3d::sample::crate_box(), None, &options)?;
    /// assert!(written.bytes.starts_with(b"mtllib "));
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn convert(&self, bytes: &[u8], path: Option<&Path>, options: &ConvertOptions) -> Result<Written> {
        if gltf_files::is_gltf(bytes, path, options.read_as) {
            if let Some(onto) = &options.onto {
                return self.convert_onto(bytes, path, onto, options);
            }
            let import = self.read_gltf(bytes, path, options.read_scale())?;
            let offer = self.offer_onto(import.source.as_ref(), path, options);
            let mut written = self.load_gltf(import).write(self, options)?;
            written.report.notes.extend(offer);
            return Ok(written);
        }
        if options.onto.is_some() {
            let message = "only the changes of a glTF file can be applied to a model";
            return Err(record::Error::new("CONVERT-ONTO", 0..0, message).into());
        }
        let parsed = match options.force {
            true => parse_anyway(bytes, path, options.read_as)?,
            false => parse(bytes, path, options.read_as)?,
        };
        let mut written = self.convert_document(&parsed.document, path, options)?;
        written.report.notes.splice(0..0, parsed.notes.iter().filter_map(of_text));
        Ok(written)
    }

    /// Converts a document.
    pub fn convert_document(
        &self,
        document: &Document<'_>,
        path: Option<&Path>,
        options: &ConvertOptions,
    ) -> Result<Written> {
        let format = match options.target {
            Target::Model(format) if !options.is_authored(document.family()) => format,
            _ => return self.loaded_to_write(document, path)?.write(self, options),
        };
        let (changed, report) = match options.mdx.version {
            Some(version) => in_version(document, version).map(|(document, lost)| (Some(document), lost))?,
            None => (None, Report::default()),
        };
        let document = changed.as_ref().unwrap_or(document);
        if format.written_from != WrittenFrom::Document {
            let mut written = self.loaded_to_write(document, path)?.write(self, options)?;
            written.report.notes.splice(0..0, report.notes);
            return Ok(written);
        }
        let bytes = match document {
            Document::Mdx(document) if format.name == "mdl" => mdx::mdl::write(document, &options.mdx.text)?,
            _ => format.write(document)?,
        };
        Ok(Written { bytes, report, ..Written::default() })
    }

    fn loaded_to_write<'w>(
        &'w self,
        document: &Document<'_>,
        path: Option<&'w Path>,
    ) -> Result<LoadedScene<'w>> {
        let mut loaded = self.load(document, path);
        if let Some(source) = &mut loaded.source {
            source.file = path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
            source.sha256 = Some(crate::content_hash(&document.to_bytes()?));
        }
        if loaded.is_empty() {
            let message = "nothing to convert: the file has no meshes, bones, animations or other objects";
            return Err(record::Error::new("CONVERT-EMPTY", 0..0, message).into());
        }
        Ok(loaded)
    }
}

impl LoadedScene<'_> {
    /// Writes the scene in any format.
    pub fn write(self, workspace: &Workspace, options: &ConvertOptions) -> Result<Written> {
        match options.target {
            _ if options.target.is_mdx() => self.write_mdx(options),
            _ if options.target.is_w3d() => self.write_w3d(options),
            Target::Geometry(format) => self.write_geometry(format, options),
            Target::Model(format) if format.written_from != WrittenFrom::Document => {
                let scale = options.scale.map(|scale| scale.metres_per_unit(self.game()));
                let gltf =
                    gltf::Options { scale: scale.unwrap_or(options.gltf.scale), ..options.gltf.clone() };
                let in_files = format.written_from == WrittenFrom::SceneInFiles;
                let stem = options.stem().unwrap_or("model");
                self.write_gltf(workspace, &gltf, in_files.then_some(stem))
            }
            Target::Model(format) => {
                let message = format!("cannot convert glTF to {}", format.name);
                let note = "supported: glb, gltf, mdx, mdl, w3d, obj, ply, stl";
                Err(record::Error::new("CONVERT-FAMILY", 0..0, message).with_note(note).into())
            }
            Target::Texture(_) => {
                let message =
                    if self.origin.is_gltf { "a glTF file, not a texture" } else { "not a texture" };
                Err(record::Error::new("CONVERT-FAMILY", 0..0, message).into())
            }
        }
    }
}

/// A mistake in a text as a note.
fn of_text(found: &Diagnostic) -> Option<Note> {
    let part = if found.path.is_empty() { "the text" } else { &found.path };
    (found.severity >= Severity::Warning).then(|| Note::new(NoteKind::Damaged, part, found.message.clone()))
}

/// The model in another version of its format.
fn in_version(document: &Document<'_>, version: u32) -> Result<(Document<'static>, Report), record::Error> {
    let Document::Mdx(document) = document else {
        let family = document.family().name();
        let message = format!("only MDX can be written in another version; this is a {family} model");
        return Err(record::Error::new("CONVERT-VERSION", 0..0, message));
    };
    let (document, notes) = mdx::version::convert(document, version)?;
    let notes = notes.into_iter().map(|note| Note::new(NoteKind::Skipped, note.path, note.message));
    Ok((document.into(), notes.collect()))
}

impl Model {
    /// The model in any format, with the files that belong to it. The [path](Self::path) of the model tells where to search.
    pub fn convert(&self, workspace: &Workspace, options: &ConvertOptions) -> Result<Written> {
        workspace.convert_document(self.document(), self.path(), options)
    }
}
