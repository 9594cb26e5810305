//! The file formats: one row each. A new format is a new row here.

use std::fmt;

use record::{Diagnostic, Error};

use crate::{Content, Document, Family};

/// A document with the notes of its reader.
type ReadResult<'a> = Result<(Document<'a>, Vec<Diagnostic>), Error>;

/// A file format.
pub struct Format {
    /// Short name, as in `--as` and `--to` on the command line.
    pub name: &'static str,
    /// One line that says what the format is.
    pub title: &'static str,
    /// File extensions in lower case, the one used for writing first.
    pub extensions: &'static [&'static str],
    /// Whether folders are searched for files of this format.
    pub in_folders: bool,
    /// What a round trip through this format preserves.
    pub keeps: Keeps,
    /// The source from which files of this format are written.
    pub written_from: WrittenFrom,
    /// Whether bytes look like this format. The first row that says so wins.
    sniff: fn(&[u8]) -> bool,
    read: fn(&[u8]) -> ReadResult<'_>,
}

/// What a round trip through a format preserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Every byte.
    Bytes,
    /// Every value; the layout of the text is the writer's.
    Values,
    /// Shape, look and motion.
    Looks,
}

/// The source from which files of a format are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WrittenFrom {
    /// A document, by [`Format::write`].
    Document,
    /// A scene, as one file.
    Scene,
    /// A scene, as one file and others beside it.
    SceneInFiles,
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Parsed<'a> {
    /// The format that it was read as.
    pub format: &'static Format,
    /// The model.
    pub document: Document<'a>,
    /// Notes of the reader about text that it corrected.
    pub notes: Vec<Diagnostic>,
}

impl Parsed<'_> {
    /// The notes of the reader, then everything that is damaged, unknown or unusual in the document.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.notes.iter().cloned().chain(self.document.diagnostics()).collect()
    }
}

/// Every format, in the order in which content is recognised.
pub static FORMATS: &[Format] = &[
    Format {
        name: "json",
        title: "Lossless text form of any W3D, W3X or MDX file",
        extensions: &["json"],
        in_folders: false,
        keeps: Keeps::Values,
        written_from: WrittenFrom::Document,
        sniff: |bytes| text_start(bytes).starts_with(b"{"),
        read: read_json,
    },
    #[cfg(feature = "mdx")]
    Format {
        name: "mdx",
        title: "Blizzard: Warcraft III from the first version to Reforged, World of Warcraft alpha",
        extensions: &["mdx"],
        in_folders: true,
        keeps: Keeps::Bytes,
        written_from: WrittenFrom::Document,
        sniff: |bytes| bytes.starts_with(&mdx::MAGIC),
        read: |bytes| Ok((mdx::Document::parse(bytes)?.into(), Vec::new())),
    },
    #[cfg(feature = "mdx")]
    Format {
        name: "mdl",
        title: "Text form of Warcraft III's models; comments keep what MDL cannot express",
        extensions: &["mdl"],
        in_folders: true,
        keeps: Keeps::Values,
        written_from: WrittenFrom::Document,
        sniff: starts_like_mdl,
        read: read_mdl,
    },
    #[cfg(feature = "w3d")]
    Format {
        name: "w3d",
        title: "Westwood and EA: Renegade, Earth & Beyond, Generals, Zero Hour, BFME I and II",
        extensions: &["w3d", "wlt", "wht", "wha", "wtm"],
        in_folders: true,
        keeps: Keeps::Bytes,
        written_from: WrittenFrom::Document,
        sniff: starts_like_w3d,
        read: |bytes| Ok((w3d::W3d::parse(bytes)?.into(), Vec::new())),
    },
    #[cfg(feature = "w3d")]
    Format {
        name: "w3x",
        title: "EA: Tiberium Wars, Kane's Wrath, Red Alert 3; XML",
        // Textures are declared in .xml files of the same format, which are recognised by their content.
        extensions: &["w3x"],
        in_folders: true,
        keeps: Keeps::Bytes,
        written_from: WrittenFrom::Document,
        sniff: w3x::W3x::is_like,
        read: |bytes| Ok((w3x::W3x::parse(bytes)?.into(), Vec::new())),
    },
    Format {
        name: "glb",
        title: "glTF 2.0 in one file, for Blender, engines and web pages",
        extensions: &["glb"],
        in_folders: false,
        keeps: Keeps::Looks,
        written_from: WrittenFrom::Scene,
        sniff: |bytes| bytes.starts_with(b"glTF"),
        read: |_| Err(gltf_is_not_read()),
    },
    Format {
        name: "gltf",
        title: "glTF 2.0 with separate .bin and image files",
        extensions: &["gltf"],
        in_folders: false,
        keeps: Keeps::Looks,
        written_from: WrittenFrom::SceneInFiles,
        // A .gltf file is JSON. The reader of JSON reports what is missing.
        sniff: |_| false,
        read: |_| Err(gltf_is_not_read()),
    },
];

impl Format {
    /// The format of this name or extension, in any case.
    ///
    /// ```
    /// use meshwright_model::Format;
    /// assert_eq!(Format::named("WLT").unwrap().name, "w3d");
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        let is = |known: &&str| known.eq_ignore_ascii_case(name);
        FORMATS.iter().find(|format| is(&format.name) || format.extensions.iter().any(is))
    }

    /// The main format of a family: W3D, W3X or MDX.
    pub fn of_family(family: Family) -> &'static Self {
        let name = family.name();
        FORMATS.iter().find(|format| format.name.eq_ignore_ascii_case(name)).unwrap_or(&FORMATS[0])
    }

    /// The format of a file name, by its extension. Some collections of files with equal names append a suffix:
    /// `tank.W3D~fd8ca6a3`.
    pub fn of_file_name(name: &str) -> Option<&'static Self> {
        let (_, extension) = name.rsplit_once('.')?;
        let extension = extension.split('~').next().unwrap_or_default();
        FORMATS
            .iter()
            .find(|format| format.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)))
    }

    /// The format that bytes look like.
    pub fn of_content(bytes: &[u8]) -> Option<&'static Self> {
        FORMATS.iter().find(|format| (format.sniff)(bytes))
    }

    /// The format of a file: by content, or by name if the content looks like nothing known.
    ///
    /// ```
    /// use meshwright_model::Format;
    /// let bytes = w3d::sample::crate_box();
    /// assert_eq!(Format::detect(&bytes, Some("tank.txt"))?.name, "w3d");
    /// let error = Format::detect(b"BIGF....", None).unwrap_err();
    /// assert!(error.to_string().contains("a BIG archive, not a model"));
    /// # Ok::<(), record::Error>(())
    /// ```
    pub fn detect(bytes: &[u8], file_name: Option<&str>) -> Result<&'static Self, Error> {
        let error = |message: String| Error::new("FILE-FORMAT", 0..bytes.len().min(8) as u64, message);
        // Before everything else: a Git LFS pointer starts like MDL, and a glTF text like our JSON.
        if let Some(content) = Content::of(bytes).filter(|content| *content != Content::Glb) {
            return Err(error(format!("{content}, not a model")).with_note(content.advice()));
        }
        let by_name = || file_name.and_then(Self::of_file_name);
        Self::of_content(bytes).or_else(by_name).ok_or_else(|| {
            let start: Vec<_> = bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
            error(match start.as_slice() {
                [] => "the file is empty".to_owned(),
                start => {
                    format!("unknown format: no supported format starts with the bytes {}", start.join(" "))
                }
            })
        })
    }

    /// Reads a file of this format.
    pub fn read<'a>(&'static self, bytes: &'a [u8]) -> Result<Parsed<'a>, Error> {
        let (document, notes) = (self.read)(bytes)?;
        Ok(Parsed { format: self, document, notes })
    }

    /// Reads a text even if parts of it are wrong: what the reader does not understand is skipped, and the notes say so. Other formats are read as
    /// by [`Self::read`].
    pub fn read_anyway<'a>(&'static self, bytes: &'a [u8]) -> Result<Parsed<'a>, Error> {
        #[cfg(feature = "mdx")]
        if self.name == "mdl" {
            let (document, found) = mdx::mdl::parse(bytes);
            let (document, notes) = checked_mdl(bytes, document, found)?;
            return Ok(Parsed { format: self, document, notes });
        }
        self.read(bytes)
    }

    /// Writes a document in this format. Fails if the format cannot express documents of this family, and for formats
    /// that are written from a scene.
    pub fn write(&self, document: &Document<'_>) -> Result<Vec<u8>, Error> {
        match (self.name, document) {
            ("json", _) => Ok(document.to_json().into_bytes()),
            #[cfg(feature = "w3d")]
            ("w3d", Document::W3d(file)) => file.to_bytes(),
            #[cfg(feature = "w3d")]
            ("w3x", Document::W3x(file)) => file.to_bytes(),
            #[cfg(feature = "mdx")]
            ("mdx", Document::Mdx(file)) => file.to_bytes(),
            #[cfg(feature = "mdx")]
            ("mdl", Document::Mdx(file)) => mdx::mdl::write(file, &mdx::mdl::Options::default()),
            _ => Err(self.cannot_write(document)),
        }
    }

    /// The error for a document that this format cannot express.
    fn cannot_write(&self, document: &Document<'_>) -> Error {
        let message = match self.written_from {
            WrittenFrom::Document => {
                format!("{} models cannot be written as {}", document.family().name(), self.name)
            }
            _ => format!("{} is written from a scene, not from a document", self.name),
        };
        Error::new("CONVERT-FAMILY", 0..0, message).with_note("every model can be written as json")
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

/// A text without its byte order mark and leading white space.
fn text_start(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}

/// Whether the bytes start with a complete chunk that is allowed at the top of a file.
#[cfg(feature = "w3d")]
fn starts_like_w3d(bytes: &[u8]) -> bool {
    let Some(([id, size], rest)) = bytes.split_first_chunk::<8>().map(|(header, rest)| {
        let [a, b, c, d, e, f, g, h] = *header;
        ([u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]) & 0x7FFF_FFFF], rest)
    }) else {
        return false;
    };
    let at_top = w3d::table::find(None, id).is_some_and(|row| row.parents.contains(&w3d::table::FILE.name));
    at_top && usize::try_from(size).is_ok_and(|size| size <= rest.len())
}

/// The first key of the JSON text form names the format.
fn read_json(bytes: &[u8]) -> ReadResult<'_> {
    let text =
        std::str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).map_err(|error| {
            let at = error.valid_up_to() as u64;
            Error::new("JSON-ENCODING", at..at + 1, "the text is not UTF-8")
                .with_note("save it again as UTF-8, without changing anything else")
        })?;
    let document = match text_form_of(text) {
        #[cfg(feature = "mdx")]
        Some("mdx") => mdx::Document::from_json(text)?.into(),
        #[cfg(feature = "w3d")]
        Some("w3x") => w3x::W3x::from_json(text)?.into(),
        // A text without the key is passed to a reader, which reports what is missing.
        #[cfg(feature = "w3d")]
        Some("w3d") | None => w3d::W3d::from_json(text)?.into(),
        #[cfg(not(feature = "w3d"))]
        None => mdx::Document::from_json(text)?.into(),
        Some(other) => {
            let message = format!("the text form of {other:?}, which is not supported");
            return Err(Error::new("JSON-FORMAT", 0..text.len() as u64, message)
                .with_note("only text forms that `meshwright convert` wrote can be read"));
        }
    };
    let contradictions = crate::consistency::contradictions(&document);
    Ok((document, contradictions))
}

/// The format that the text form begins with: `{"format": "w3d", ...`.
fn text_form_of(text: &str) -> Option<&str> {
    let mut rest = text;
    for token in ["{", "\"format\"", ":", "\""] {
        rest = rest.trim_start().strip_prefix(token)?;
    }
    rest.split_once('"').map(|(name, _)| name)
}

/// Whether a text begins, after comments, with a block of a model. Tools write the version first; a file written by hand
/// may start with any block.
#[cfg(feature = "mdx")]
fn starts_like_mdl(bytes: &[u8]) -> bool {
    let mut rest = text_start(bytes);
    while rest.starts_with(b"//") {
        let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        rest = rest[line..].trim_ascii_start();
    }
    [&b"Version"[..], b"Model"].iter().any(|word| {
        rest.split_at_checked(word.len()).is_some_and(|(start, after)| {
            start.eq_ignore_ascii_case(word) && after.first().is_some_and(|next| b" \t\r\n{\"".contains(next))
        })
    })
}

/// A text with syntax errors is refused, because the model would be a guess. Notes are about text that the reader
/// corrected.
#[cfg(feature = "mdx")]
fn read_mdl(bytes: &[u8]) -> ReadResult<'_> {
    let (document, found) = mdx::mdl::parse(bytes);
    if let Some(first) = found.iter().find(|found| found.severity == record::Severity::Error) {
        let error = Error::new("MDL-TEXT", first.span.clone(), first.message.clone());
        return Err(first.note.iter().fold(error, |error, note| error.with_note(note)));
    }
    checked_mdl(bytes, document, found)
}

/// The document of a text with what is known about it.
#[cfg(feature = "mdx")]
fn checked_mdl<'a>(
    bytes: &[u8],
    document: Option<mdx::Document<'a>>,
    mut found: Vec<record::Diagnostic>,
) -> ReadResult<'a> {
    let empty = || Error::new("MDL-EMPTY", 0..bytes.len() as u64, "the text contains no model");
    let document = document.ok_or_else(empty)?.into();
    found.extend(crate::consistency::contradictions(&document));
    Ok((document, found))
}

fn gltf_is_not_read() -> Error {
    let note = "use `meshwright convert` to make a model of it";
    Error::new("CONVERT-GLTF", 0..0, "a glTF file, not a model of a game").with_note(note)
}

#[cfg(all(test, feature = "w3d", feature = "mdx"))]
mod tests {
    use super::*;

    #[test]
    fn extensions_in_any_case_and_with_suffixes_are_known() {
        for name in ["a.w3d", "A.W3D", "x.wlt", "tank.W3D~fd8ca6a3", "a.b.w3d"] {
            assert_eq!(Format::of_file_name(name).map(|format| format.name), Some("w3d"), "{name}");
        }
        assert_eq!(Format::of_file_name("w3d"), None);
        assert_eq!(Format::of_file_name("a.txt"), None);
    }

    #[test]
    fn content_comes_before_the_name() {
        let format = |bytes: &[u8]| Format::detect(bytes, Some("model.w3d")).map(|format| format.name).ok();
        assert_eq!(format(b" {\"format\": \"w3d\"}"), Some("json"));
        assert_eq!(format(&w3d::sample::crate_box()), Some("w3d"));
        assert_eq!(format(b"// a comment\nVersion {\n"), Some("mdl"));
        assert_eq!(format(b"whatever"), Some("w3d"));
        assert_eq!(format(b"BLP1...."), None, "a texture is not a model, whatever its name");
        assert!(Format::detect(b"whatever", None).is_err());
        assert!(Format::detect(b"", None).is_err());
    }

    #[test]
    fn a_document_is_written_only_as_what_can_express_it() {
        let bytes = w3d::sample::crate_box();
        let document = Document::parse(&bytes).expect("the sample");
        let write = |name: &str| Format::named(name).expect("a format").write(&document);
        assert_eq!(write("w3d").expect("W3D"), bytes);
        let json = write("json").expect("JSON");
        let again = Format::detect(&json, None).and_then(|format| format.read(&json)).expect("it reads back");
        assert_eq!(again.document.to_bytes().expect("bytes"), bytes);
        for name in ["mdx", "mdl", "glb", "gltf"] {
            assert!(write(name).is_err(), "{name}");
        }
    }
}
