//! MDL: Warcraft III's models as text.
//!
//! [`write()`] and [`parse`] turn a [`Document`] into text and back. With the comments that [`write()`] adds where they are
//! needed, MDX comes back from MDL byte for byte, whatever it was; without them ([`Options::plain`]) no value that the
//! text has a word for is lost in the game's dialect, and writing what was read gives the same text.
//!
//! ```
//! use meshwright_mdx::{Document, mdl};
//! let file = meshwright_mdx::build::samples().swap_remove(0).1;
//! let text = mdl::write(&Document::parse(&file)?, &mdl::Options::default())?;
//! assert!(text.starts_with(b"Version {\n\tFormatVersion 800,\n}\nModel \"Sample\" {\n"));
//! let (document, findings) = mdl::parse(&text);
//! assert!(findings.is_empty());
//! assert_eq!(document.unwrap().to_bytes()?, file);
//! # Ok::<(), meshwright_mdx::Error>(())
//! ```
//!
//! The WoW alpha has no text form; its models are refused.
//!
//! # Grammar
//!
//! ```text
//! file    := block*                               comment := '//' … end of line
//! block   := WORD (STRING | NUMBER)* '{' item* '}'
//! item    := WORD ','                             a flag
//!          | ['static'] WORD value ','            a value
//!          | WORD NUMBER ['<=' NUMBER] '{' … '}'   a track
//!          | block
//! value   := NUMBER | STRING | WORD | '{' NUMBER (',' NUMBER)* '}'
//! track   := interpolation ',' ['GlobalSeqId' NUMBER ','] key*
//! key     := NUMBER ':' value ',' ['InTan' value ',' 'OutTan' value ',']
//! interpolation := 'DontInterp' | 'Linear' | 'Hermite' | 'Bezier'
//! ```
//!
//! * Commas and colons are separators; the reader does not require them. Words are read without regard to case.
//! * Strings have no escapes: a backslash is a backslash, newlines are part of the string, bytes are kept as they are. A
//!   quote cannot be expressed: it is written as an apostrophe and preserved in the comments.
//! * Numbers are written in the shortest form that reads back to the same float; besides `nan`, `-nan`, `inf` and `-inf` the
//!   spellings of C libraries (`1.#QNAN`, `-1.#IND`, `nan(ind)`) and exponents of any length are read.
//! * Counts are written. The reader uses them only to reserve memory.
//! * The version may come anywhere; the default is 800.
//!
//! # Blocks
//!
//! In the order in which they are written. Words in brackets are omitted when they have the default value (zero, empty,
//! no flag). Words after `~` can be tracks and are preceded by `static` when they are not. Tracks come after the values, in the
//! order of the file. A static value beside a track is written only if it differs from the reader's default.
//!
//! | block | chunk | items |
//! |---|---|---|
//! | `Version` | `VERS` | `FormatVersion` |
//! | `Model "name"` | `MODL` | `[Num…] BlendTime [AnimationFile MinimumExtent MaximumExtent BoundsRadius]` |
//! | `Sequences n { Anim "name" … }` | `SEQS` | `Interval [NonLooping MoveSpeed Rarity SyncPoint MinimumExtent MaximumExtent BoundsRadius]` |
//! | `GlobalSequences n` | `GLBS` | `Duration` for each |
//! | `Textures n { Bitmap … }` | `TEXS` | `Image [ReplaceableId WrapWidth WrapHeight]` |
//! | `Materials n { Material … }` | `MTLS` | `[ConstantColor TwoSided SortPrimsNearZ SortPrimsFarZ FullResolution PriorityPlane Shader] Layer {…}` |
//! | `Layer` | `LAYS` | `[Shader or ShaderTypeId] FilterMode [Unshaded SphereEnvMap WrapWidth WrapHeight TwoSided Unfogged NoDepthTest NoDepthSet Unlit BackFacesForShadows AmbientOcclusion TVertexAnimId CoordId] ~Alpha ~EmissiveGain ~FresnelColor ~FresnelOpacity ~FresnelTeamColor ~TextureID` |
//! | `TextureAnims n { TVertexAnim … }` | `TXAN` | tracks `Translation Rotation Scaling` |
//! | `Geoset` | `GEOS` | `Vertices n {…} Normals n {…} TVertices n {…}` for each set, `VertexGroup {…} [Tangents n {…} SkinWeights n {…}] Faces groups indices { Triangles {…} } Groups groups matrices { Matrices {…} … } [Anim { extent } …] [extent] MaterialID SelectionGroup [Unselectable] LevelOfDetail [Name]` |
//! | `GeosetAnim` | `GEOA` | `[DropShadow] ~Alpha [~Color] GeosetId`; the colour is there if it is used |
//! | `Bone "name"` | `BONE` | node, `GeosetId` or `Multiple`, `GeosetAnimId` or `None` |
//! | `Light "name"` | `LITE` | node, `Omnidirectional`, `Directional` or `Ambient`, `ShadowCasting ~AttenuationStart ~AttenuationEnd ~Intensity ~Color ~AmbIntensity ~AmbColor ShadowIntensity ~ShadowCastingStart ~ShadowCastingEnd ~QuadraticFalloff ~LinearFalloff ~Damping`, track `Visibility` |
//! | `Helper "name"` | `HELP` | node |
//! | `Attachment "name"` | `ATCH` | node, `AttachmentID [Path]`, track `Visibility` |
//! | `PivotPoints n` | `PIVT` | vectors |
//! | `ParticleEmitter "name"` | `PREM` | node, `[EmitterUsesMDL EmitterUsesTGA] ~EmissionRate ~Gravity ~Longitude ~Latitude Particle { ~LifeSpan ~InitVelocity Path }`, track `Visibility` |
//! | `ParticleEmitter2 "name"` | `PRE2` | node, `[SortPrimsFarZ Unshaded LineEmitter Unfogged ModelSpace XYQuad] ~Speed ~Variation ~Latitude ~Gravity [Squirt] LifeSpan ~EmissionRate ~Width ~Length`, `Blend`, `Additive`, `Modulate`, `Modulate2x` or `AlphaKey`, `Rows Columns`, `Head`, `Tail` or `Both`, `TailLength Time SegmentColor { Color ×3 } Alpha ParticleScaling LifeSpanUVAnim DecayUVAnim TailUVAnim TailDecayUVAnim TextureID [ReplaceableId PriorityPlane]`, tracks `Longitude Visibility` |
//! | `ParticleEmitterPopcorn "name"` | `CORN` | node, `[SortPrimsFarZ Unshaded Unfogged PopcornScaling] ~LifeSpan ~EmissionRate ~Speed ~Color ~Alpha [ReplaceableId] Path [AnimVisibilityGuide]`, track `Visibility` |
//! | `RibbonEmitter "name"` | `RIBB` | node, `~HeightAbove ~HeightBelow ~Alpha ~Color ~TextureSlot EmissionRate LifeSpan [Gravity] Rows Columns MaterialID`, track `Visibility` |
//! | `Camera "name"` | `CAMS` | `Position FieldOfView FarClip NearClip [DOFDistance FocalLength FStop] Target { Position }`, tracks `Translation Rotation Visibility FocusDistanceKeys FocalLengthKeys FStopKeys`, in the target `Translation` |
//! | `EventObject "name"` | `EVTS` | node, `EventTrack n { [GlobalSeqId] times }` |
//! | `CollisionShape "name"` | `CLID` | node, `Box`, `Plane`, `Sphere` or `Cylinder`, `Vertices n {…} BoundsRadius`; a plane of `Length` and `Width` and a cylinder of `Height` are ours, for shapes that the grammar lacks |
//! | `FaceFX "name"` | `FAFX` | `Path` |
//! | `BindPose { Matrices n … }` | `BPOS` | matrices of twelve floats |
//! | `Glider` | `DILG` | `GeosetId` for each |
//!
//! A node is `ObjectId [Parent DontInherit { Translation, Scaling, Rotation } Billboarded BillboardedLockX BillboardedLockY
//! BillboardedLockZ CameraAnchored]` and the tracks `Translation Rotation Scaling`. The words of all tracks are in
//! [`TRACKS`](crate::TRACKS).
//!
//! **Colours**: static ones are red, green, blue in MDX and blue, green, red in MDL; those of tracks are blue, green, red
//! in both. Popcorn and fresnel colours are not reversed. [`COLORS`](crate::COLORS) is the table.
//!
//! **Defaults** of omitted items: `Alpha`, `EmissiveGain` and the popcorn factors 1, `FresnelColor` and `Color` white,
//! `ShadowIntensity` 0.4, `QuadraticFalloff` 0.0005, `Damping` 0.00001, indices of nothing -1, all else 0.
//!
//! # Dialects
//!
//! | | [game](MdlDialect::Game) | [Hive](MdlDialect::Hive) |
//! |---|---|---|
//! | textures from version 1100 on | `static TextureID 3 <= 1` | `static NormalTextureID 3` (`ORM…`, `Emissive…`, `TeamColor…`, `Reflections…`) |
//! | shader from version 1100 on | `Shader "Shader_HD_DefaultUnit"` | `ShaderTypeId 1` |
//! | `Material { TwoSided }` | as it is | `TwoSided` in each of its layers |
//! | triangles in several groups, or in an empty one | a vector for each group | one vector; no vector if there are no triangles |
//! | a NaN beside a track, which says "see the track" | `static X nan` | only in the comments |
//! | several words in `DontInherit` | in one pair of braces | one `DontInherit` for each |
//! | NaN, infinity | `nan`, `inf` | 0, the largest number |
//! | a string that ends with a backslash | as it is | with a slash |
//! | `SyncPoint`, `SortPrimsNearZ`, `PopcornScaling`, the layer flags from `WrapWidth` on that Reforged added, lights' shadows and falloff, depth of field of cameras, planes and cylinders, `Glider`, the track `Longitude` of a `ParticleEmitter2` | as they are | only in the comments |
//!
//! The Hive's dialect is what both war3-model and mdx-m3-viewer read. Data that it cannot express for both is in the comments, so MDX is still restored
//! byte for byte. There are exceptions, which no spelling avoids:
//!
//! | model with | stops | because |
//! |---|---|---|
//! | `SkinWeights` | war3-model | it reads only rows in braces, mdx-m3-viewer and the game only rows without. [`War3Model`](MdlDialect::War3Model) is this dialect with the braces |
//! | texture slots other than the first, or a shader number (1100 and later) | mdx-m3-viewer | it has no words for them |
//! | a `ParticleEmitter` before other nodes, or numbers of nodes that are not in use | war3-model | it looks for every pivot's node, and does not count these emitters among the nodes |
//! | `DontInherit` in anything but a bone, helper, attachment or `ParticleEmitter2` | war3-model | it expects it nowhere else |
//! | an `EventTrack` of a global sequence, an animated `Color` of a ribbon | war3-model | it reads numbers only |
//! | indices that are not a multiple of 3 | war3-model | it checks them |
//!
//! All dialects are read, and also: `DontInheritRotation` alone, `BillboardLockZ`, `EmitterUsesMdl`, `FresnelAlpha`, `SortPrimitives`,
//! `LevelOfDetailName`, a flat `ParticleEmitter`, `BindPose n { Matrix {…} }`, one vector per triangle, arrays that are missing,
//! attachments without numbers, nodes without ids, `static Visibility`, text after the last block.
//!
//! # Data that MDL cannot express
//!
//! Unknown chunks, chunks that are there but empty, an unusual order of chunks, bytes after a NUL, flags without a word,
//! sizes that lie, NaNs with a payload: all that stands in comments after the last block. The first line starts with
//! `// meshwright 1:`, each other line is an entry:
//!
//! ```text
//! // meshwright MODL 72376f332c4acfd7 340-3+UERS
//! // meshwright BONE/2 5ea65951486aef6c 93-1+AA
//! // meshwright MDLX 5683f89fb9cd11b5 VERS..PIVT +UFJFTQAAAAA PRE2..EVTS
//! // meshwright LITE 237b8197512dc625 0 size-72
//! ```
//!
//! * The path: a chunk that is one record, or an object or record in a chunk by its number (`BONE/2`), or the list of objects
//!   in a chunk (`LITE`), or the list of chunks in the file (`MDLX`).
//! * The hash of what the text alone makes of it: of the part's bytes with its header; for a list of objects of their
//!   number, for the list of chunks of their tags. If it is another, the part has been edited, and the entry is ignored, with
//!   the finding `MDL-KEEP-001`: an entry never misleads.
//! * What to do. For a part: edits `at-removed+inserted`, offsets and lengths in bytes of the part, what is inserted in
//!   base64 (RFC 4648 with `-` and `_`, no padding). For a list: what it is made of, in order, `a..b` for parts of the text and `+…` for
//!   bytes, and `size±n` if the size word is wrong by so much.
//!
//! # Findings
//!
//! | code | meaning |
//! |---|---|
//! | `MDL-SYNTAX-001` | unexpected token |
//! | `MDL-SYNTAX-002` | a block does not end |
//! | `MDL-SYNTAX-003` | a string does not end |
//! | `MDL-SYNTAX-004` | a closing brace too many |
//! | `MDL-WORD-001` | unknown block or item |
//! | `MDL-WORD-002` | item that the version does not have |
//! | `MDL-VALUE-001` | a number does not fit |
//! | `MDL-VALUE-002` | a string is too long |
//! | `MDL-VALUE-003` | a vector has the wrong length |
//! | `MDL-VALUE-004` | invalid value of an enumeration |
//! | `MDL-TEXT-001` | text outside of blocks |
//! | `MDL-TEXT-002` | markers of a merge conflict |
//! | `MDL-TEXT-004` | the text is UTF-16 |
//! | `MDL-TEXT-005` | the text has too many parts |
//! | `MDL-KEEP-001` | an entry of the comments belongs to a part that has changed |
//! | `MDL-DIALECT` | the WoW alpha has no MDL |

mod damage;
mod grammar;
#[cfg(test)]
mod grammar_tests;
mod lexer;
mod number;
mod options;
mod patch;
mod places;
mod preserved;
mod read;
mod write;

use record::{Diagnostic, Error};

use crate::{Dialect, Document};

pub use options::{MdlDialect, Options};
pub use patch::patch;
pub use places::Places;

/// Writes a model as text: bytes, because names may be in any encoding. Fails for models of the WoW alpha.
pub fn write(document: &Document<'_>, options: &Options) -> Result<Vec<u8>, Error> {
    if document.dialect == Dialect::Wow {
        return Err(Error::new("MDL-DIALECT", 0..0, "MDL cannot express models of the WoW alpha")
            .with_note("write it as JSON, which preserves everything"));
    }
    let mut written = write::text(document, options.dialect);
    if !options.plain {
        preserved::append(document, &mut written)?;
    }
    Ok(written.text)
}

/// The format version that a text states, 800 without one. The rest of the text is not read.
pub fn version(text: &[u8]) -> u32 {
    read::version_of(text)
}

/// Reads a model from text, and says what is wrong with it. After an error, reading continues with the next item or block, so
/// there is a model unless the text has no block of one; whether to trust it is for the caller to say.
pub fn parse(text: &[u8]) -> (Option<Document<'static>>, Vec<Diagnostic>) {
    if let Some(fault) = damage::utf16(text) {
        return (None, vec![fault]);
    }
    let (document, mut found) = read::document(text);
    found.extend(damage::merge_conflict(text));
    let document = document.map(|plain| match preserved::restore(text, &plain, &mut found) {
        Some(restored) => Document { long_strings: plain.long_strings, ..restored },
        None => plain,
    });
    (document, found)
}
