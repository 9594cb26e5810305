//! [`Model`]: reading, writing and comparing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::{Clip, Document, Family, Format, Parsed, Summary};
use record::Diagnostic;
use record::diff::Change;

use crate::{Error, Result};

/// A model in any supported format. It owns its data.
///
/// ```
/// use meshwright::Model;
/// let model = Model::parse(w3d::sample::crate_box())?;
/// assert_eq!(model.textures(), ["mwcrate.tga"]);
/// assert_eq!(model.to_bytes()?, w3d::sample::crate_box());
/// # Ok::<(), meshwright::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    document: Document<'static>,
    format: &'static Format,
    notes: Vec<Diagnostic>,
    path: Option<PathBuf>,
    /// The MDL text that it was read from.
    text: Option<Arc<[u8]>>,
    /// Whether the document may have been changed since it was read.
    is_changed: bool,
}

impl Model {
    /// Reads the bytes of a file: W3D, MDX, MDL, or the JSON text form.
    pub fn parse(bytes: impl AsRef<[u8]>) -> Result<Self> {
        Ok(Self::read(bytes.as_ref(), None)?)
    }

    /// Reads the bytes of a file whose name is known. The name decides between formats that look alike.
    pub fn parse_named(bytes: impl AsRef<[u8]>, file_name: &str) -> Result<Self> {
        Ok(Self::read(bytes.as_ref(), Some(file_name))?)
    }

    pub(crate) fn read(bytes: &[u8], file_name: Option<&str>) -> Result<Self, record::Error> {
        Ok(Self::of_parsed(Format::detect(bytes, file_name)?.read(bytes)?, bytes))
    }

    /// A model that was read from these bytes.
    pub fn of_parsed(parsed: Parsed<'_>, bytes: &[u8]) -> Self {
        let Parsed { format, document, notes } = parsed;
        let text = (format.name == "mdl").then(|| bytes.into());
        Self { document: document.into_owned(), format, notes, path: None, text, is_changed: false }
    }

    /// The same model, as if it had been read from this path.
    #[must_use]
    pub fn at(self, path: impl Into<PathBuf>) -> Self {
        Self { path: Some(path.into()), ..self }
    }

    /// Says that it was written to a file.
    pub(crate) fn saved(&mut self, path: &Path, format: &'static Format) {
        (self.path, self.format) = (Some(path.to_owned()), format);
    }

    /// The path of the file that it was read from or last [saved](Self::save) to.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The format that it was read as.
    pub const fn format(&self) -> &'static Format {
        self.format
    }

    /// The family of formats that it belongs to.
    pub const fn family(&self) -> Family {
        self.document.family()
    }

    /// The document, for everything without a method here.
    pub const fn document(&self) -> &Document<'static> {
        &self.document
    }

    /// The document, to change it.
    pub const fn document_mut(&mut self) -> &mut Document<'static> {
        self.is_changed = true;
        &mut self.document
    }

    /// The MDL text that the model was read from, if it was not changed since.
    #[cfg(feature = "check")]
    pub(crate) fn text(&self) -> Option<&[u8]> {
        self.text.as_deref().filter(|_| !self.is_changed)
    }

    /// The file in a format that holds whole documents. In MDL, blocks that were not changed keep the text that they were read from.
    pub(crate) fn write(&self, format: &'static Format) -> Result<Vec<u8>, record::Error> {
        match (&self.text, format.name) {
            (Some(text), "mdl") if !self.is_changed => Ok(text.to_vec()),
            #[cfg(feature = "mdx")]
            (Some(text), "mdl") => match (&format.read(text)?.document, &self.document) {
                (Document::Mdx(before), Document::Mdx(after)) => mdx::mdl::patch(text, before, after),
                _ => format.write(&self.document),
            },
            _ => format.write(&self.document),
        }
    }

    /// The bytes of the binary form, W3D or MDX. An unchanged model that was read from such bytes gives exactly the same bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(self.document.to_bytes()?)
    }

    /// The lossless text form, as JSON.
    pub fn to_json(&self) -> String {
        self.document.to_json()
    }

    /// The MDL text of a Warcraft III model. MDL has no declared encoding, therefore bytes.
    #[cfg(feature = "mdx")]
    pub fn to_mdl(&self) -> Result<Vec<u8>> {
        let mdl = Format::named("mdl").ok_or_else(|| record::Error::new("FILE-FORMAT", 0..0, "no MDL"))?;
        Ok(mdl.write(&self.document)?)
    }

    /// Damaged, unknown or unusual parts of the file's structure. The linter (feature `check`) finds more.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.notes.iter().cloned().chain(self.document.diagnostics()).collect()
    }

    /// Summary of the model: counts, names, lengths, references, and the guessed game.
    pub fn info(&self) -> Summary {
        Summary::of(&self.document)
    }

    /// The animation clips in this file.
    pub fn clips(&self) -> Vec<Clip> {
        self.info().clips
    }

    /// The names of the texture files that it uses, each once, as first spelled.
    pub fn textures(&self) -> Vec<String> {
        self.info().textures
    }

    /// Every difference from this model to another of the same family.
    ///
    /// ```
    /// use meshwright::Model;
    /// let before = Model::parse(w3d::sample::crate_box())?;
    /// let mut after = before.clone();
    /// after.set_texture("mwcrate.tga", "oak.dds")?;
    /// let changes = before.diff(&after)?;
    /// assert_eq!(changes.len(), 2);
    /// assert!(changes[0].path.ends_with("TEXTURE_NAME[0]"), "{}", changes[0].path);
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn diff(&self, after: &Self) -> Result<Vec<Change>> {
        let families = Error::Families(self.family().name(), after.family().name());
        self.document.diff(&after.document, 0.0).ok_or(families)
    }
}

/// Turns a document that a program built or changed into a model.
impl From<Document<'static>> for Model {
    fn from(document: Document<'static>) -> Self {
        let format = Format::of_family(document.family());
        Self { document, format, notes: Vec::new(), path: None, text: None, is_changed: false }
    }
}

#[cfg(feature = "w3d")]
impl From<w3d::W3d<'static>> for Model {
    fn from(file: w3d::W3d<'static>) -> Self {
        Document::from(file).into()
    }
}

#[cfg(feature = "mdx")]
impl From<mdx::Document<'static>> for Model {
    fn from(file: mdx::Document<'static>) -> Self {
        Document::from(file).into()
    }
}
