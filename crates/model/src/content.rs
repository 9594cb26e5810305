//! Files that are often taken for models.

use std::fmt;

/// A file that is not a model, recognised by its first bytes.
///
/// ```
/// use meshwright_model::Content;
/// let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
/// assert_eq!(Content::of(pointer), Some(Content::GitLfs));
/// assert_eq!(Content::of(b"BLP1...").unwrap().to_string(), "a BLP texture");
/// assert_eq!(Content::of(b"MDLX"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// A Git LFS pointer: a placeholder for a large file that was not fetched.
    GitLfs,
    /// Blizzard's textures.
    Blp,
    /// DirectDraw Surface.
    Dds,
    /// Portable Network Graphics.
    Png,
    /// JPEG.
    Jpeg,
    /// EA's archives.
    Big,
    /// Westwood's archives.
    Mix,
    /// Blizzard's archives.
    Mpq,
    /// A map of Warcraft III, which is an MPQ archive with a header before it.
    Warcraft3Map,
    /// ZIP.
    Zip,
    /// glTF as text.
    Gltf,
    /// glTF in one binary file.
    Glb,
    /// Macromedia's Shockwave 3D, which has the extension `.w3d`, too.
    Shockwave,
    /// Models of World of Warcraft after its alpha.
    M2,
    /// Models of StarCraft II.
    M3,
    /// Extensible markup that is not a model.
    Xml,
    /// Models of Quake and of games that use its engine, which have the extension `.mdl`, too.
    Quake,
    /// Models of Half-Life and the Source engine, which have the extension `.mdl`, too.
    Valve,
}

/// First bytes and what has them.
const MAGICS: &[(&[u8], Content)] = &[
    (b"version https://git-lfs", Content::GitLfs),
    (b"BLP", Content::Blp),
    (b"DDS ", Content::Dds),
    (b"\x89PNG", Content::Png),
    (b"\xFF\xD8\xFF", Content::Jpeg),
    (b"BIGF", Content::Big),
    (b"BIG4", Content::Big),
    (b"MIX1", Content::Mix),
    (b"MPQ\x1A", Content::Mpq),
    (b"HM3W", Content::Warcraft3Map),
    (b"PK\x03\x04", Content::Zip),
    (b"glTF", Content::Glb),
    (b"IFX\0", Content::Shockwave),
    (b"MD20", Content::M2),
    (b"MD21", Content::M2),
    (b"33DM", Content::M3),
    (b"43DM", Content::M3),
    (b"<?xml", Content::Xml),
    (b"IDPO", Content::Quake),
    (b"IDST", Content::Valve),
    (b"IDSQ", Content::Valve),
];

impl Content {
    /// The content type of the bytes; `None` if they may be a model, or are unknown.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        // Text may start with a byte order mark.
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        #[cfg(feature = "w3d")]
        if w3x::W3x::is_like(bytes) {
            return None;
        }
        let known = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, content)| *content);
        known.or_else(|| is_gltf(bytes).then_some(Self::Gltf))
    }

    /// Whether a file in a folder of models is certainly not a model and can be skipped. A Git LFS pointer is a placeholder for one.
    pub const fn is_skipped(self) -> bool {
        !matches!(self, Self::GitLfs)
    }

    /// Advice for the user.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::GitLfs => "run `git lfs pull` to fetch the file",
            Self::Big | Self::Mix | Self::Mpq | Self::Warcraft3Map | Self::Zip => "extract the models first",
            Self::Blp | Self::Dds | Self::Png | Self::Jpeg => "give the model that uses it",
            Self::Glb | Self::Gltf => "use `meshwright convert` to make a model of it",
            Self::Shockwave => "it only shares the extension .w3d; it needs Adobe's tools",
            Self::M2 | Self::M3 | Self::Xml | Self::Quake | Self::Valve => {
                "`meshwright help formats` lists the formats that are read"
            }
        }
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GitLfs => "a Git LFS pointer",
            Self::Blp => "a BLP texture",
            Self::Dds => "a DDS texture",
            Self::Png => "a PNG image",
            Self::Jpeg => "a JPEG image",
            Self::Big => "a BIG archive",
            Self::Mix => "a MIX archive",
            Self::Mpq => "an MPQ archive",
            Self::Warcraft3Map => "a Warcraft III map",
            Self::Zip => "a ZIP archive",
            Self::Gltf | Self::Glb => "a glTF file",
            Self::Shockwave => "a Shockwave 3D file",
            Self::M2 => "an M2 model of World of Warcraft after its alpha",
            Self::M3 => "an M3 model of StarCraft II",
            Self::Xml => "an XML file",
            Self::Quake => "a Quake model",
            Self::Valve => "a model of Half-Life or the Source engine",
        })
    }
}

/// Number of bytes of a text in which the first keys are searched.
const KEYS: usize = 4096;

/// JSON that has glTF's required key `asset`, and not ours.
fn is_gltf(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(KEYS)];
    let has = |key: &[u8]| start.windows(key.len()).any(|window| window == key);
    start.trim_ascii_start().starts_with(b"{")
        && !has(b"\"format\"")
        && [&b"\"asset\""[..], b"\"scenes\"", b"\"accessors\""].into_iter().any(has)
}
