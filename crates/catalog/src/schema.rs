//! The tables and their columns: the one declaration that rows, files and documentation follow.

/// Number of this schema. It grows when a column is removed, renamed or gets another meaning; new columns do not change it.
pub const SCHEMA_VERSION: i64 = 1;

/// A table of a catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each holds what its name says; `doc` explains it")]
pub enum Table {
    Files,
    Meshes,
    Materials,
    Textures,
    Bones,
    Clips,
    Needs,
    Findings,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// True or false.
    Bool,
    /// A signed integer of 64 bits.
    Int,
    /// A 32-bit float; never NaN or infinite.
    Float,
    /// A 64-bit float; never NaN or infinite.
    Double,
    /// A text in UTF-8.
    Text,
    /// A list of texts, which may be empty.
    Texts,
}

impl ColumnType {
    /// The name of the type in documents.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int => "int64",
            Self::Float => "float",
            Self::Double => "double",
            Self::Text => "string",
            Self::Texts => "list<string>",
        }
    }
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub ty: ColumnType,
    /// Whether a value can be missing.
    pub optional: bool,
    /// Its meaning.
    pub doc: &'static str,
}

const fn required(name: &'static str, ty: ColumnType, doc: &'static str) -> Column {
    Column { name, ty, optional: false, doc }
}

const fn optional(name: &'static str, ty: ColumnType, doc: &'static str) -> Column {
    Column { name, ty, optional: true, doc }
}

use ColumnType::{Bool, Double, Float, Int, Text, Texts};

/// The columns that every table starts with, in this order.
const FILE_ID: Column =
    required("file_id", Text, "Number of the file: 32 hexadecimal digits of the BLAKE3 hash of its `uri`.");
const SCANNED_AT: Column = required(
    "scanned_at",
    Int,
    "Start of the run that made the row, in milliseconds since 1970 (UTC). The rows of a file's latest scan have its largest value.",
);
const INDEX: Column = required("index", Int, "Position in the file, from 0.");
const NAME: Column = required("name", Text, "Name as written.");
const FOLDED: Column = required("name_folded", Text, "Name in lower case.");

const FILES: &[Column] = &[
    FILE_ID,
    SCANNED_AT,
    required(
        "uri",
        Text,
        "Path or address of the file, as it was given or found. The member of an archive is below the archive.",
    ),
    optional("archive", Text, "Path of the archive that contains it."),
    optional("member", Text, "Path in the archive."),
    required("name", Text, "Name of the file."),
    required("name_folded", Text, "Name in lower case without its extension."),
    required("ext", Text, "Extension in lower case, without the dot."),
    optional("size", Int, "Size in bytes."),
    optional(
        "mtime",
        Int,
        "Time of the last change in milliseconds since 1970 (UTC); of a member, that of its archive.",
    ),
    optional("etag", Text, "Version of the content that the list of inputs states."),
    optional("content_hash", Text, "BLAKE3 of the bytes, 64 hexadecimal digits, as `b3sum` prints it."),
    optional("format", Text, "Format: `w3d`, `mdx`, `mdl`, `glb`, `bigf`, `dds` ..."),
    optional("version", Text, "Version of the format, if the file states one."),
    optional("game", Text, "The game that the file is probably for, judged by the file and its path alone."),
    required("games", Texts, "All games that can load it."),
    required("models", Texts, "Names of the models that combine the parts."),
    optional("skeleton", Text, "Name of the first skeleton."),
    optional("skeleton_folded", Text, "The same in lower case."),
    optional("min_x", Float, "Bounds in the rest pose, in the axes of glTF (Y up)."),
    optional("min_y", Float, "As `min_x`."),
    optional("min_z", Float, "As `min_x`."),
    optional("max_x", Float, "As `min_x`."),
    optional("max_y", Float, "As `min_x`."),
    optional("max_z", Float, "As `min_x`."),
    required("meshes", Int, "Number of meshes, as `info` counts them."),
    required("vertices", Int, "Number of vertices of all meshes."),
    required("triangles", Int, "Number of triangles of all meshes."),
    required("bones", Int, "Number of bones of all skeletons."),
    required("materials", Int, "Number of materials."),
    required("clips", Int, "Number of animation clips."),
    required("textures", Int, "Number of different textures."),
    required(
        "missing",
        Int,
        "Number of textures and needed files that were not found and that the game does not supply.",
    ),
    required("errors", Int, "Number of findings that are errors."),
    required("warnings", Int, "Number of findings that are warnings."),
    optional("nameless_hash", Text, "Hash of the content without names and padding: finds renamed copies."),
    optional(
        "topology_hash",
        Text,
        "Hash of the connections of all triangles: finds copies whose vertices were moved, or that were exported again.",
    ),
    optional(
        "shape_hash",
        Text,
        "Hash of the proportions of all visible triangles: finds moved, turned, scaled and converted copies.",
    ),
    optional(
        "shape_hash_2",
        Text,
        "The same on another grid. Two models have the same shape if either hash is equal.",
    ),
    optional("skeleton_hash", Text, "Hash of the names and parents of all bones of the first skeleton."),
    required("status", Text, "`ok`, `damaged` (read, but part of it is damaged), `unreadable` or `gone`."),
    optional("error", Text, "Why it is unreadable."),
    required("tool_version", Text, "Version of Meshwright that made the row."),
    required("schema_version", Int, "Number of this schema."),
];

const MESHES: &[Column] = &[
    FILE_ID,
    SCANNED_AT,
    INDEX,
    NAME,
    FOLDED,
    required("vertices", Int, "Number of vertices."),
    required("triangles", Int, "Number of triangles."),
    required("skinned", Bool, "Whether bones deform it."),
    required("influences", Int, "Largest number of bones for one vertex; 0 without a skin."),
    required("uv_sets", Int, "Number of sets of texture coordinates."),
    required("has_colors", Bool, "Whether vertices have colours."),
    required("has_tangents", Bool, "Whether vertices have tangents."),
    required("hidden", Bool, "Whether it is never drawn, such as a collision mesh."),
    optional("min_x", Float, "Bounds in the rest pose, in the axes of glTF (Y up)."),
    optional("min_y", Float, "As `min_x`."),
    optional("min_z", Float, "As `min_x`."),
    optional("max_x", Float, "As `min_x`."),
    optional("max_y", Float, "As `min_x`."),
    optional("max_z", Float, "As `min_x`."),
    optional("area", Double, "Area of all triangles in the rest pose."),
    optional("topology_hash", Text, "As in `files`, of this mesh."),
    optional("shape_hash", Text, "As in `files`, of this mesh."),
    optional("shape_hash_2", Text, "As in `files`, of this mesh."),
];

const MATERIALS: &[Column] = &[
    FILE_ID,
    SCANNED_AT,
    INDEX,
    NAME,
    FOLDED,
    optional("shader", Text, "Name of the shader, if the file names one."),
    optional("blend", Text, "Blend mode of the first layer: `opaque`, `alpha`, `add` ..."),
    required("layers", Int, "Number of layers."),
    required("two_sided", Bool, "Whether a layer is drawn from both sides."),
    required("alpha_test", Bool, "Whether a layer has an alpha test that cuts out pixels."),
    required("unlit", Bool, "Whether light has no effect on any layer."),
    required("textures", Texts, "Its textures, folded as in `textures`."),
    required(
        "material_hash",
        Text,
        "Hash of the layers and the folded names of textures, without the name of the material.",
    ),
];

const TEXTURES: &[Column] = &[
    FILE_ID,
    SCANNED_AT,
    INDEX,
    required("name", Text, "Name or path as written."),
    required("name_folded", Text, "The same in lower case, with `/`, without extension."),
    optional(
        "role",
        Text,
        "How a material uses it first: `diffuse`, `normal`, `team color` ...; `file` in the row of a texture file.",
    ),
    required(
        "status",
        Text,
        "`found`, `supplied` (by the game, whose files are not here), `missing` or `unreadable`.",
    ),
    optional("found_uri", Text, "Path of the file that was found."),
    optional("kind", Text, "Format of that file: `blp1`, `dds`, `tga` ..."),
    optional("width", Int, "Width in pixels."),
    optional("height", Int, "Height in pixels."),
    optional("content_hash", Text, "BLAKE3 of its bytes, 64 hexadecimal digits."),
    optional(
        "pixel_hash",
        Text,
        "Hash of the size and the pixels of the largest level, the same in every lossless format.",
    ),
];

const BONES: &[Column] = &[
    FILE_ID,
    SCANNED_AT,
    INDEX,
    required("skeleton", Text, "Name of its skeleton."),
    NAME,
    FOLDED,
    optional("parent", Int, "`index` of its parent."),
];

const CLIPS: &[Column] = &[
    FILE_ID,
    SCANNED_AT,
    INDEX,
    NAME,
    FOLDED,
    optional("skeleton", Text, "Name of the skeleton that it moves."),
    optional("skeleton_folded", Text, "The same in lower case."),
    optional("frames", Int, "Number of frames, in formats that count them."),
    optional("rate", Double, "Frames per second, in formats that count them."),
    required("duration", Double, "Length in seconds."),
    optional("channels", Int, "Number of animated values."),
    optional("loops", Bool, "Whether it repeats, if the file states it."),
    optional("clip_hash", Text, "Hash of its keys without names: finds the same motion under another name."),
];

const NEEDS: &[Column] = &[
    FILE_ID,
    SCANNED_AT,
    INDEX,
    required("kind", Text, "`skeleton`, `model` or `animation`."),
    NAME,
    FOLDED,
    required("file", Text, "The file that the game loads it from."),
    required("status", Text, "`found`, `supplied` or `missing`."),
    optional("found_uri", Text, "Path of the file that was found."),
    optional("found_file_id", Text, "`file_id` of that path."),
];

const FINDINGS: &[Column] = &[
    FILE_ID,
    SCANNED_AT,
    INDEX,
    required("code", Text, "The rule, such as `W3D-MESH-014`."),
    required("severity", Text, "`error`, `warning`, `info` or `hint`."),
    required("offset", Int, "Offset in the file."),
    required("path", Text, "The part of the file, such as `MESH[3]/TRIANGLES`."),
    required("message", Text, "What is wrong."),
];

impl Table {
    /// All tables. `files` is the last that a part is written for: where it is, the part is complete.
    pub const ALL: [Self; 8] = [
        Self::Files,
        Self::Meshes,
        Self::Materials,
        Self::Textures,
        Self::Bones,
        Self::Clips,
        Self::Needs,
        Self::Findings,
    ];

    /// Its name, which is that of its folder.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Meshes => "meshes",
            Self::Materials => "materials",
            Self::Textures => "textures",
            Self::Bones => "bones",
            Self::Clips => "clips",
            Self::Needs => "needs",
            Self::Findings => "findings",
        }
    }

    /// What a row is.
    pub const fn doc(self) -> &'static str {
        match self {
            Self::Files => "A row for every input, readable or not.",
            Self::Meshes => "A row for every mesh of a model.",
            Self::Materials => "A row for every material of a model.",
            Self::Textures => "A row for every texture that a model names.",
            Self::Bones => "A row for every bone of the skeletons in a file.",
            Self::Clips => "A row for every animation clip in a file.",
            Self::Needs => "A row for everything that a model needs from another file, except textures.",
            Self::Findings => "A row for every finding of the rules of `check`.",
        }
    }

    /// Its columns.
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Self::Files => FILES,
            Self::Meshes => MESHES,
            Self::Materials => MATERIALS,
            Self::Textures => TEXTURES,
            Self::Bones => BONES,
            Self::Clips => CLIPS,
            Self::Needs => NEEDS,
            Self::Findings => FINDINGS,
        }
    }

    /// Position of a column.
    pub fn column(self, name: &str) -> Option<usize> {
        self.columns().iter().position(|column| column.name == name)
    }
}

/// The tables and their columns as a Markdown text, as in `docs/catalog.md`.
///
/// ```
/// assert!(meshwright_catalog::schema_markdown().contains("| `content_hash` | string, optional |"));
/// ```
pub fn schema_markdown() -> String {
    let mut text = String::new();
    for table in Table::ALL {
        text += &format!(
            "### `{}`\n\n{}\n\n| column | type | meaning |\n|---|---|---|\n",
            table.name(),
            table.doc()
        );
        for column in table.columns() {
            let optional = if column.optional { ", optional" } else { "" };
            text += &format!("| `{}` | {}{optional} | {} |\n", column.name, column.ty.word(), column.doc);
        }
        text.push('\n');
    }
    text
}

/// The tables and their columns as JSON, as in the file `schema.json` of a catalog.
pub fn schema_json() -> serde_json::Value {
    let column = |column: &Column| {
        serde_json::json!({
            "name": column.name,
            "type": column.ty.word(),
            "optional": column.optional,
            "meaning": column.doc,
        })
    };
    let tables: serde_json::Map<String, serde_json::Value> = Table::ALL
        .into_iter()
        .map(|table| (table.name().to_owned(), table.columns().iter().map(column).collect()))
        .collect();
    serde_json::json!({
        "schema": "meshwright-catalog",
        "schema_version": SCHEMA_VERSION,
        "tool_version": env!("CARGO_PKG_VERSION"),
        "tables": tables,
    })
}
