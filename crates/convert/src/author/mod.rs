//! Scenes to documents: the way back. One module for each family; what both need is here.
//!
//! | module | has |
//! |---|---|
//! | [`mdx`] | scenes to MDX of Warcraft III |
//! | [`w3d`] | scenes to W3D of Westwood's and EA's games |
//! | `conventions` | attachments, events and collision shapes from the names that people type |
//! | `keys` | tracks of a scene as keys that cover a clip, in one interpolation |
//! | `properties` | billboards, blending, team colours and events from custom properties that people type |
//! | `names` | names cut to the length and the characters of a format, still unique |
//! | `normals` | how far normals are off where a format has no uneven scale |
//! | `scale` | a scene in another unit of length |
//! | `settle` | a scene without the rounding and the pauses that modelling programs add |
//! | `split` | meshes cut into pieces of limited size |
//! | `supplied` | files for the textures that Warcraft III supplies; `supplied_pictures` has their pictures |
//! | `textures` | textures as files that Warcraft III loads, with the cargo feature `texture` |
//! | `w3d_textures` | the same for W3D |
//! | `weights` | weights of bones as equal shares, and as bytes |

mod conventions;
mod keys;
pub mod mdx;
mod names;
mod normals;
mod properties;
mod scale;
mod settle;
mod split;
pub(crate) mod supplied;
#[cfg(feature = "texture")]
mod supplied_pictures;
#[cfg(feature = "texture")]
mod textures;
pub mod w3d;
#[cfg(feature = "texture")]
mod w3d_textures;
mod weights;

pub(crate) use weights::bytes as byte_weights;

pub use conventions::apply_names;
pub use properties::apply_properties;
#[cfg(feature = "texture")]
pub use textures::{TextureFile, TextureFolder, mdx_textures};
#[cfg(feature = "texture")]
pub use w3d_textures::w3d_textures;
