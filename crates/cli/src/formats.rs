//! The formats: one row each, and the only place that has to change when one is added.

use mdx::{Document, Severity, mdl};
use record::{Diagnostic, Error};
use w3d::W3d;

use crate::model::Model;

/// One file format.
pub(crate) struct Format {
    /// What people call it, also in `--as` and `--to`.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) title: &'static str,
    /// Extensions, in lower case, the first one for writing.
    pub(crate) extensions: &'static [&'static str],
    /// Whether folders are searched for it.
    pub(crate) in_folders: bool,
    /// What is the same after reading and writing.
    pub(crate) keeps: Keeps,
    /// Whether the bytes look like it. The first row that says so is taken.
    sniff: fn(&[u8]) -> bool,
    read: fn(&[u8]) -> Result<Model<'_>, Error>,
    pub(crate) write: Write,
    /// All that is wrong with a text, as its reader finds it.
    find: Option<Find>,
}

/// Finds what is wrong with a text.
type Find = fn(&[u8]) -> Vec<Diagnostic>;

/// What a file of a format is made from.
pub(crate) enum Write {
    /// From the document.
    Document(fn(&Model<'_>, &mdl::Options) -> Result<Vec<u8>, Error>),
    /// From the scene that the document describes.
    Scene(Packing),
}

/// How many files a scene becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    One,
    /// One, and others beside it that it refers to.
    Several,
}

/// What is the same after reading and writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeps {
    /// Every byte.
    Bytes,
    /// Every value; the layout of the text is the writer's.
    Values,
    /// What it looks like and how it moves. Such formats are only written.
    Looks,
}

pub(crate) static FORMATS: &[Format] = &[
    Format {
        name: "json",
        title: "The lossless text form of any of the others",
        extensions: &["json"],
        in_folders: false,
        keeps: Keeps::Values,
        sniff: |bytes| text_start(bytes).starts_with(b"{"),
        read: read_json,
        write: Write::Document(|model, _| Ok(model.to_json().into_bytes())),
        find: None,
    },
    Format {
        name: "mdx",
        title: "Blizzard: Warcraft III from the first version to Reforged, World of Warcraft alpha",
        extensions: &["mdx"],
        in_folders: true,
        keeps: Keeps::Bytes,
        sniff: |bytes| bytes.starts_with(&mdx::MAGIC),
        read: |bytes| Document::parse(bytes).map(Model::mdx),
        write: Write::Document(|model, _| match model {
            Model::Mdx(document, _) => document.to_bytes(),
            other => Err(no_way(other, "mdx")),
        }),
        find: None,
    },
    Format {
        name: "mdl",
        title: "The text of Warcraft III's models; what it cannot say is kept in comments",
        extensions: &["mdl"],
        in_folders: true,
        keeps: Keeps::Values,
        sniff: starts_like_mdl,
        read: read_mdl,
        write: Write::Document(|model, options| match model {
            Model::Mdx(document, _) => mdl::write(document, options),
            other => Err(no_way(other, "mdl")),
        }),
        find: Some(|bytes| mdl::parse(bytes).1),
    },
    Format {
        name: "w3d",
        title: "Westwood and EA: Renegade, Earth & Beyond, Generals, Zero Hour, BFME I and II",
        extensions: &["w3d", "wlt", "wht", "wha", "wtm"],
        in_folders: true,
        keeps: Keeps::Bytes,
        sniff: starts_like_w3d,
        read: |bytes| W3d::parse(bytes).map(Model::W3d),
        write: Write::Document(|model, _| match model {
            Model::W3d(file) => file.to_bytes(),
            other => Err(no_way(other, "w3d")),
        }),
        find: None,
    },
    Format {
        name: "glb",
        title: "glTF 2.0 in one file, for Blender, engines and web pages",
        extensions: &["glb"],
        in_folders: false,
        keeps: Keeps::Looks,
        sniff: |bytes| bytes.starts_with(b"glTF"),
        read: |_| Err(only_written()),
        write: Write::Scene(Packing::One),
        find: None,
    },
    Format {
        name: "gltf",
        title: "glTF 2.0 with its .bin and its pictures beside it",
        extensions: &["gltf"],
        in_folders: false,
        keeps: Keeps::Looks,
        // It is JSON; what it lacks to be ours is said by that reader.
        sniff: |_| false,
        read: |_| Err(only_written()),
        write: Write::Scene(Packing::Several),
        find: None,
    },
];

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Format {
    /// Reads a file of this format.
    pub(crate) fn read<'a>(&self, bytes: &'a [u8]) -> Result<Model<'a>, Error> {
        (self.read)(bytes)
    }

    /// Writes a model in this format, with nothing left out.
    pub(crate) fn write(&self, model: &Model<'_>) -> Result<Vec<u8>, Error> {
        match self.write {
            Write::Document(write) => write(model, &mdl::Options::default()),
            Write::Scene(_) => Err(only_written()),
        }
    }

    /// What is wrong with a text that could not be read, with the lines it is about. `None` for formats that are no text.
    pub(crate) fn explain(&self, text: &[u8], name: &str) -> Option<String> {
        /// More than this nobody mends in one go.
        const SHOWN: usize = 20;
        let mut found = self.find?(text);
        found.retain(|found| found.severity == Severity::Error);
        let more = found.len().saturating_sub(SHOWN);
        found.truncate(SHOWN);
        let shown = mdl::render(&found, text, name, crate::report::colours_on_stderr());
        let shown = shown.trim_end();
        Some(if more > 0 { format!("{shown}\nand {more} more") } else { shown.to_owned() })
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The format of this name, or of this extension.
pub(crate) fn by_name(name: &str) -> Option<&'static Format> {
    let is = |known: &&str| known.eq_ignore_ascii_case(name);
    FORMATS.iter().find(|format| is(&format.name) || format.extensions.iter().any(is))
}

/// The format of a file name. Collections of files that had one name append something: `tank.W3D~fd8ca6a3`.
pub(crate) fn by_file_name(name: &str) -> Option<&'static Format> {
    let (_, extension) = name.rsplit_once('.')?;
    let extension = extension.split('~').next().unwrap_or_default();
    FORMATS.iter().find(|format| format.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)))
}

/// The format that the bytes look like.
pub(crate) fn by_content(bytes: &[u8]) -> Option<&'static Format> {
    FORMATS.iter().find(|format| (format.sniff)(bytes))
}

/// The text without what may stand before it: a byte order mark and white space.
fn text_start(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}

/// A chunk that may stand at the top of a file, and is whole.
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

/// JSON says in its first key which format it is the text form of.
fn read_json(bytes: &[u8]) -> Result<Model<'_>, Error> {
    let text =
        std::str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).map_err(|error| {
            let at = error.valid_up_to() as u64;
            Error::new("JSON-ENCODING", at..at + 1, "the text is not UTF-8")
                .with_note("save it again as UTF-8, without changing anything else")
        })?;
    match text_form_of(text) {
        // Text without the key has the reader say what it misses.
        Some("w3d") | None => W3d::from_json(text).map(Model::W3d),
        Some("mdx") => Document::from_json(text).map(Model::mdx),
        Some(other) => Err(Error::new(
            "JSON-FORMAT",
            0..text.len() as u64,
            format!("the text form of {other:?}, which is not known here"),
        )
        .with_note("only text forms that `meshwright convert` wrote can be read")),
    }
}

/// Text that begins, after comments, with a block of a model. Tools write the version first; by hand anything can be.
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

/// Text with mistakes in it is no model: what was meant would be a guess. What was forgiven goes with the model.
fn read_mdl(bytes: &[u8]) -> Result<Model<'_>, Error> {
    let (document, found) = mdl::parse(bytes);
    if let Some(first) = found.iter().find(|found| found.severity == Severity::Error) {
        let error = Error::new("MDL-TEXT", first.span.clone(), first.message.clone());
        return Err(first.note.iter().fold(error, |error, note| error.with_note(note)));
    }
    let nothing = || Error::new("MDL-EMPTY", 0..bytes.len() as u64, "there is no model in this text");
    document.map(|document| Model::Mdx(document, found)).ok_or_else(nothing)
}

fn only_written() -> Error {
    Error::new("CONVERT-GLTF", 0..0, "glTF is written here, not read")
}

/// The error for a model that a format of another family cannot say.
fn no_way(model: &Model<'_>, to: &str) -> Error {
    let message = format!("{} models cannot be written as {to}", model.family());
    Error::new("CONVERT-FAMILY", 0..0, message).with_note("--to json works for every model")
}

/// The format that the text form begins with: `{"format": "w3d", ...`.
fn text_form_of(text: &str) -> Option<&str> {
    let mut rest = text;
    for token in ["{", "\"format\"", ":", "\""] {
        rest = rest.trim_start().strip_prefix(token)?;
    }
    rest.split_once('"').map(|(name, _)| name)
}
