//! The elements and attributes of the format: one row each.
//!
//! The rows are the union of the schemas of Tiberium Wars, Kane's Wrath and Red Alert 3, which differ in one attribute.

use record::{Finding, Framing, Kind, Node, Slot};

use crate::scan;

/// A word for the text form; elements have no header of a fixed length.
struct Markup(&'static str);

impl Framing for Markup {
    fn word(&self) -> &'static str {
        self.0
    }

    fn header_len(&self) -> usize {
        0
    }

    fn write_header(&self, _: &Node<'_>, _: usize, _: &mut [u8]) -> Option<()> {
        Some(())
    }

    fn explain_size_delta(&self, _: &Node<'_>) -> Option<Finding> {
        None
    }
}

static ELEMENT_FRAMING: Markup = Markup("element");
static ATTRIBUTE_FRAMING: Markup = Markup("attribute");
static TEXT_FRAMING: Markup = Markup("markup");

/// The word of elements, attributes and other text in the text form.
pub(crate) const WORDS: [&str; 3] = ["element", "attribute", "markup"];

/// How an element is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Its tag, its attributes and its children, one node each.
    Branch,
    /// A text between tags: one leaf.
    Value,
    /// An item of a list: one leaf for all items that follow one another.
    Items,
}

/// An element of the format.
#[derive(Debug)]
pub struct Row {
    /// Its kind.
    pub kind: &'static Kind,
    /// The attributes that the schemas allow.
    pub attributes: &'static [&'static Kind],
    /// The elements that the schemas allow in it.
    pub children: &'static [&'static Kind],
}

const fn text(name: &'static [u8]) -> &'static str {
    match std::str::from_utf8(name) {
        Ok(name) => name,
        Err(_) => "",
    }
}

/// Slots of an attribute, and of an element that holds a text.
const VALUE: &[Slot] = &[
    Slot::plain_by("before", scan::value_start),
    Slot::plain_by("value", scan::value_length),
    Slot::plain("after"),
];

const fn branch(name: &'static [u8], doc: &'static str, label: Label) -> Kind {
    Kind { doc, branch: true, label, ..Kind::new(text(name), &ELEMENT_FRAMING) }
}

const fn value(name: &'static [u8], doc: &'static str) -> Kind {
    Kind { doc, slots: VALUE, ..Kind::new(text(name), &ELEMENT_FRAMING) }
}

const fn items(name: &'static [u8], doc: &'static str) -> Kind {
    const ITEMS: &[Slot] = &[Slot::pieces("items", scan::piece)];
    Kind { doc, slots: ITEMS, ..Kind::new(text(name), &ELEMENT_FRAMING) }
}

const fn plain(name: &'static str, doc: &'static str) -> Kind {
    const TEXT: &[Slot] = &[Slot::plain("text")];
    Kind { doc, slots: TEXT, ..Kind::new(name, &TEXT_FRAMING) }
}

type Label = Option<fn(&Node<'_>) -> Option<String>>;

/// The value of the first attribute of a kind.
fn attribute_of(node: &Node<'_>, kind: &Kind) -> Option<String> {
    let bytes = node.child(kind)?.bytes();
    let start = scan::value_start(bytes);
    let value = bytes.get(start..start + scan::value_length(bytes))?;
    Some(crate::value::unescape(value).into_owned())
}

const ID_LABEL: Label = Some(|node| attribute_of(node, &ID));
const NAME_LABEL: Label = Some(|node| attribute_of(node, &NAME));
const NO_LABEL: Label = None;
const SUB_OBJECT_LABEL: Label = Some(|node| attribute_of(node, &SUB_OBJECT_ID));
const SOURCE_LABEL: Label = Some(|node| attribute_of(node, &SOURCE));
const CHANNEL_LABEL: Label =
    Some(|node| Some(format!("{} {}", attribute_of(node, &PIVOT_INDEX)?, attribute_of(node, &TYPE)?)));

macro_rules! attributes {
    ($($constant:ident $name:literal $doc:literal;)*) => {
        $(
            #[doc = $doc]
            pub static $constant: Kind =
                Kind { doc: $doc, slots: VALUE, ..Kind::new(text($name), &ATTRIBUTE_FRAMING) };
        )*

        /// All attributes.
        pub static ATTRIBUTES: &[&Kind] = &[$(&$constant),*];

        /// The kind of an attribute of this name.
        #[inline]
        pub(crate) fn attribute(name: &[u8]) -> &'static Kind {
            match name {
                $($name => &$constant,)*
                _ => &FOREIGN_ATTRIBUTE,
            }
        }
    };
}

macro_rules! elements {
    ($($constant:ident $name:literal $shape:ident $(($label:expr))? [$($attribute:ident)*] [$($child:ident)*] $doc:literal;)*) => {
        $(
            #[doc = $doc]
            pub static $constant: Kind = elements!(@kind $shape $name $doc $(, $label)?);
        )*

        /// All elements.
        pub static ELEMENTS: &[Row] = &[$(Row {
            kind: &$constant,
            attributes: &[$(&$attribute),*],
            children: &[$(&$child),*],
        }),*];

        /// The kind of an element of this local name, and how it is held.
        #[inline]
        pub(crate) fn element(name: &[u8]) -> (&'static Kind, Shape) {
            match name {
                $($name => (&$constant, elements!(@shape $shape)),)*
                _ => (&FOREIGN_ELEMENT, Shape::Branch),
            }
        }
    };
    (@kind Branch $name:literal $doc:literal, $label:expr) => { branch($name, $doc, $label) };
    (@kind Branch $name:literal $doc:literal) => { branch($name, $doc, NO_LABEL) };
    (@kind Value $name:literal $doc:literal) => { value($name, $doc) };
    (@kind Items $name:literal $doc:literal) => { items($name, $doc) };
    (@shape Branch) => { Shape::Branch };
    (@shape Value) => { Shape::Value };
    (@shape Items) => { Shape::Items };
}

attributes! {
    XMLNS b"xmlns" "Namespace, `uri:ea.com:eala:asset`.";
    ID b"id" "The id of an asset, which others refer to within its type, in any case.";
    TYPE_HASH_CODE b"typeHashCode" "For the compiler of the game.";
    BUILD_RULE b"buildRule" "For the compiler of the game.";
    TAG_NAME b"name" "Name of a tag or a definition.";
    TAG b"tag" "Value of a tag.";
    INCLUDE_TYPE b"type" "How a file is included: `reference`, `instance` or `all`.";
    SOURCE b"source" "The path of an included file: `ART:x.w3x`, or relative to the folder of this file.";
    HIERARCHY b"Hierarchy" "The id of the hierarchy of a container or an animation.";
    BONE_INDEX b"BoneIndex" "Index of the pivot that a sub-object is on.";
    SUB_OBJECT_ID b"SubObjectID" "Name of a sub-object.";
    NAME b"Name" "Name of a pivot or of a constant of a shader.";
    PARENT b"Parent" "Index of the parent pivot; -1 for the root.";
    X b"X" "First component.";
    Y b"Y" "Second component.";
    Z b"Z" "Third component.";
    W b"W" "Fourth component.";
    M00 b"M00" "Row 0, column 0.";
    M01 b"M01" "Row 0, column 1.";
    M02 b"M02" "Row 0, column 2.";
    M03 b"M03" "Row 0, column 3.";
    M10 b"M10" "Row 1, column 0.";
    M11 b"M11" "Row 1, column 1.";
    M12 b"M12" "Row 1, column 2.";
    M13 b"M13" "Row 1, column 3.";
    M20 b"M20" "Row 2, column 0.";
    M21 b"M21" "Row 2, column 1.";
    M22 b"M22" "Row 2, column 2.";
    M23 b"M23" "Row 2, column 3.";
    M30 b"M30" "Row 3, column 0.";
    M31 b"M31" "Row 3, column 1.";
    M32 b"M32" "Row 3, column 2.";
    M33 b"M33" "Row 3, column 3.";
    JOYPAD_PICKING_ONLY b"JoypadPickingOnly" "Whether the box is only for selection with a joypad.";
    HIDDEN b"Hidden" "Whether the mesh is hidden.";
    CAST_SHADOW b"CastShadow" "Whether the mesh casts a shadow.";
    GEOMETRY_TYPE b"GeometryType" "`Normal`, `Skin`, `CameraAligned` or `CameraOriented`.";
    SORT_LEVEL b"SortLevel" "Order of drawing, 0 to 32.";
    GEOMETRY_PICKABLE b"GeometryPickable" "Whether the mouse selects the mesh by its triangles. Kane's Wrath only.";
    RADIUS b"Radius" "Radius of a sphere.";
    SHADER_NAME b"ShaderName" "File name of the shader.";
    TECHNIQUE_NAME b"TechniqueName" "Name of the technique of the shader; if it is empty, the index counts.";
    TECHNIQUE_INDEX b"TechniqueIndex" "Index of the technique of the shader.";
    NUM_FRAMES b"NumFrames" "Number of frames.";
    FRAME_RATE b"FrameRate" "Frames per second.";
    PIVOT_INDEX b"Pivot" "Index of the pivot that a channel moves.";
    TYPE b"Type" "The value that a channel moves; the type of a texture.";
    FIRST_FRAME b"FirstFrame" "The frame of the first value of a channel.";
    FILE_NAME b"File" "File name of a texture.";
    GENERATE_MIP_MAPS b"GenerateMipMaps" "Whether mip levels of a texture are generated.";
    OUTPUT_FORMAT b"OutputFormat" "Pixel format of the compiled texture.";
    ALLOW_AUTOMATIC_RESIZE b"AllowAutomaticResize" "Whether a texture may be reduced for a lower quality setting.";
    ALLOW_TIME_CODED b"AllowTimeCoded" "Whether channels may be time-coded.";
    ALLOW_ADAPTIVE_DELTA b"AllowAdaptiveDelta" "Whether channels may be compressed with adaptive deltas.";
    MAX_TRANSLATION_ERROR b"MaxTranslationError" "Maximum error of translations.";
    MAX_ROTATION_ERROR b"MaxRotationError" "Maximum error of rotations.";
    MAX_VISIBILITY_ERROR b"MaxVisibilityError" "Maximum error of visibility.";
    MAX_ADAPTIVE_DELTA_ERROR b"MaxAdaptiveDeltaError" "Maximum error of adaptive deltas.";
    FORCE_REDUCTION_RATE b"ForceReductionRate" "How many frames are dropped.";
}

elements! {
    ASSET_DECLARATION b"AssetDeclaration" Branch [XMLNS] [TAGS INCLUDES DEFINES W3D_CONTAINER W3D_HIERARCHY W3D_MESH W3D_COLLISION_BOX W3D_ANIMATION TEXTURE]
        "The root: included files, then any number of assets.";
    TAGS b"Tags" Branch [] [TAG_ELEMENT] "Tags of the file.";
    TAG_ELEMENT b"Tag" Branch [TAG_NAME TAG] [] "A tag.";
    INCLUDES b"Includes" Branch [] [INCLUDE] "Files that this one refers to.";
    INCLUDE b"Include" Branch (SOURCE_LABEL) [INCLUDE_TYPE SOURCE] [] "A file that this one refers to.";
    DEFINES b"Defines" Branch [] [DEFINE] "Named values.";
    DEFINE b"Define" Branch [TAG_NAME] [] "A named value.";
    W3D_CONTAINER b"W3DContainer" Branch (ID_LABEL) [ID HIERARCHY TYPE_HASH_CODE BUILD_RULE] [SUB_OBJECT] "A model: meshes and boxes on the pivots of a hierarchy.";
    SUB_OBJECT b"SubObject" Branch (SUB_OBJECT_LABEL) [BONE_INDEX SUB_OBJECT_ID] [RENDER_OBJECT] "A mesh or a box on a pivot.";
    RENDER_OBJECT b"RenderObject" Branch [] [MESH_REFERENCE BOX_REFERENCE] "Which mesh or box it is.";
    MESH_REFERENCE b"Mesh" Value [] [] "The id of a mesh.";
    BOX_REFERENCE b"CollisionBox" Value [] [] "The id of a collision box.";
    W3D_HIERARCHY b"W3DHierarchy" Branch (ID_LABEL) [ID TYPE_HASH_CODE BUILD_RULE] [PIVOT] "A skeleton.";
    PIVOT b"Pivot" Branch (NAME_LABEL) [NAME PARENT] [TRANSLATION ROTATION FIXUP_MATRIX] "A bone.";
    TRANSLATION b"Translation" Branch [X Y Z] [] "Position relative to the parent.";
    ROTATION b"Rotation" Branch [X Y Z W] [] "Rotation relative to the parent, a quaternion.";
    FIXUP_MATRIX b"FixupMatrix" Branch [M00 M01 M02 M03 M10 M11 M12 M13 M20 M21 M22 M23 M30 M31 M32 M33] [] "What the exporter took off the transform of the pivot.";
    W3D_COLLISION_BOX b"W3DCollisionBox" Branch (ID_LABEL) [ID JOYPAD_PICKING_ONLY TYPE_HASH_CODE BUILD_RULE] [CENTER EXTENT] "A box that can be hit or selected.";
    CENTER b"Center" Branch [X Y Z] [] "Centre of a box or a sphere.";
    EXTENT b"Extent" Branch [X Y Z] [] "Half sizes of a box.";
    W3D_MESH b"W3DMesh" Branch (ID_LABEL) [ID HIDDEN CAST_SHADOW GEOMETRY_TYPE SORT_LEVEL GEOMETRY_PICKABLE TYPE_HASH_CODE BUILD_RULE]
        [BOUNDING_BOX BOUNDING_SPHERE VERTICES NORMALS TANGENTS BINORMALS VERTEX_COLORS TEX_COORDS BONE_INFLUENCES SHADE_INDICES TRIANGLES FX_SHADER AAB_TREE]
        "Triangles with one shader.";
    BOUNDING_BOX b"BoundingBox" Branch [] [MIN MAX] "Box around the vertices.";
    MIN b"Min" Branch [X Y Z] [] "Lowest corner.";
    MAX b"Max" Branch [X Y Z] [] "Highest corner.";
    BOUNDING_SPHERE b"BoundingSphere" Branch [RADIUS] [CENTER] "Sphere around the vertices.";
    VERTICES b"Vertices" Branch [] [V] "Positions. A second list has the positions in the space of the second bone.";
    V b"V" Items [] [] "Positions; the vertices of a triangle.";
    NORMALS b"Normals" Branch [] [N] "Normals. A second list belongs to the second list of positions.";
    N b"N" Items [] [] "Normals.";
    TANGENTS b"Tangents" Branch [] [T] "Tangents.";
    BINORMALS b"Binormals" Branch [] [B] "Binormals.";
    B b"B" Items [] [] "Binormals.";
    VERTEX_COLORS b"VertexColors" Branch [] [C] "Colours of vertices.";
    C b"C" Items [] [] "Colours.";
    TEX_COORDS b"TexCoords" Branch [] [T] "Texture coordinates. V goes upwards.";
    T b"T" Items [] [] "Texture coordinates, tangents or triangles.";
    BONE_INFLUENCES b"BoneInfluences" Branch [] [I] "The bone of each vertex, and its weight. A second list belongs to the second list of positions.";
    SHADE_INDICES b"ShadeIndices" Branch [] [I] "Index of the smoothing normal of each vertex.";
    I b"I" Items [] [] "Influences or indices.";
    TRIANGLES b"Triangles" Branch [] [T] "Triangles.";
    FX_SHADER b"FXShader" Branch [SHADER_NAME TECHNIQUE_NAME TECHNIQUE_INDEX] [CONSTANTS] "The shader.";
    CONSTANTS b"Constants" Branch [] [TEXTURE FLOAT INT BOOL] "Constants of the shader.";
    TEXTURE b"Texture" Branch (Some(|node| attribute_of(node, &ID).or_else(|| attribute_of(node, &NAME))))
        [ID FILE_NAME TYPE GENERATE_MIP_MAPS OUTPUT_FORMAT ALLOW_AUTOMATIC_RESIZE TYPE_HASH_CODE BUILD_RULE NAME] [VALUE_ELEMENT]
        "A texture: the declaration of one, or a constant that refers to one by id.";
    FLOAT b"Float" Branch (NAME_LABEL) [NAME] [VALUE_ELEMENT] "A constant of one to four numbers.";
    INT b"Int" Branch (NAME_LABEL) [NAME] [VALUE_ELEMENT] "A constant that is a whole number.";
    BOOL b"Bool" Branch (NAME_LABEL) [NAME] [VALUE_ELEMENT] "A constant that is true or false.";
    VALUE_ELEMENT b"Value" Value [] [] "A value of a constant.";
    AAB_TREE b"AABTree" Branch [] [POLY_INDICES NODE] "Tree of boxes for collisions.";
    POLY_INDICES b"PolyIndices" Branch [] [P] "Triangles in the order of the leaves of the tree.";
    P b"P" Items [] [] "Indices of triangles.";
    NODE b"Node" Items [] [] "Nodes of the tree.";
    W3D_ANIMATION b"W3DAnimation" Branch (ID_LABEL) [ID HIERARCHY NUM_FRAMES FRAME_RATE TYPE_HASH_CODE BUILD_RULE] [COMPRESSION_SETTINGS CHANNELS] "A motion of a hierarchy.";
    COMPRESSION_SETTINGS b"CompressionSettings" Branch [ALLOW_TIME_CODED ALLOW_ADAPTIVE_DELTA MAX_TRANSLATION_ERROR MAX_ROTATION_ERROR MAX_VISIBILITY_ERROR MAX_ADAPTIVE_DELTA_ERROR FORCE_REDUCTION_RATE] []
        "How the compiler of the game may reduce the animation.";
    CHANNELS b"Channels" Branch [] [CHANNEL_SCALAR CHANNEL_QUATERNION] "The motions of pivots.";
    CHANNEL_SCALAR b"ChannelScalar" Branch (CHANNEL_LABEL) [PIVOT_INDEX TYPE FIRST_FRAME] [FRAME] "Numbers of one component: a translation or the visibility.";
    CHANNEL_QUATERNION b"ChannelQuaternion" Branch (CHANNEL_LABEL) [PIVOT_INDEX TYPE FIRST_FRAME] [FRAME] "Rotations.";
    FRAME b"Frame" Items [] [] "One value for each frame.";
}

/// The whole file.
pub static FILE: Kind = Kind { doc: "The whole file.", branch: true, ..Kind::new("W3X", &ELEMENT_FRAMING) };
/// An element that the schemas do not know. Its label is its name.
pub static FOREIGN_ELEMENT: Kind = branch(b"element", "An element of another kind.", Some(tag_name));
/// An attribute that the schemas do not know. Its label is its name.
pub static FOREIGN_ATTRIBUTE: Kind = Kind {
    doc: "An attribute of another kind.",
    slots: VALUE,
    label: Some(attribute_name),
    ..Kind::new("attribute", &ATTRIBUTE_FRAMING)
};
/// White space and the beginning of a start tag: `<Pivot`.
pub static TAG_START: Kind = plain("tag", "White space before an element, and the beginning of its tag.");
/// The end of a start tag: `>`.
pub static TAG_END: Kind = plain("tag_end", "The end of the start tag.");
/// The end tag, `</Pivot>`, or `/>`.
pub static END: Kind = plain("end", "The end of the element.");
/// Text between elements.
pub static TEXT: Kind = plain("text", "Text between elements.");
/// `<!-- ... -->`.
pub static COMMENT: Kind = plain("comment", "A comment.");
/// `<![CDATA[ ... ]]>`.
pub static CDATA: Kind = plain("cdata", "Literal text.");
/// `<? ... ?>`.
pub static INSTRUCTION: Kind = plain("instruction", "The XML declaration or a processing instruction.");
/// `<!DOCTYPE ...>`.
pub static DOCTYPE: Kind = plain("doctype", "The document type.");
/// Text that is not XML.
pub static MALFORMED: Kind = plain("malformed", "Text that is not XML.");
/// Text after the limit of the number of parts.
pub static UNREAD: Kind = plain("unread", "Text after the limit of the number of parts.");

/// The parts of a text that are not elements or attributes.
pub(crate) static TEXTS: &[&Kind] =
    &[&TAG_START, &TAG_END, &END, &TEXT, &COMMENT, &CDATA, &INSTRUCTION, &DOCTYPE, &MALFORMED, &UNREAD];

/// The row of an element's kind.
pub fn row(kind: &Kind) -> Option<&'static Row> {
    ELEMENTS.iter().find(|row| std::ptr::eq(row.kind, kind))
}

/// The name in the start tag of an element.
pub(crate) fn tag_name(node: &Node<'_>) -> Option<String> {
    let tag = node.child(&TAG_START).map_or(node.bytes(), Node::bytes);
    let start = scan::space(tag, 0) + 1;
    let name = tag.get(start..scan::name(tag, start))?;
    Some(crate::value::unescape(name).into_owned())
}

fn attribute_name(node: &Node<'_>) -> Option<String> {
    let start = scan::space(node.bytes(), 0);
    let name = node.bytes().get(start..scan::name(node.bytes(), start))?;
    Some(crate::value::unescape(name).into_owned())
}
