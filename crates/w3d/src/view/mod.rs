//! Views of every kind of object, which borrow from the tree.
//!
//! A view borrows a node and finds what is in it. All views have `new`, `node`, `get` and `get_all`; common data has
//! methods of its own. The counterpart whose name ends in `Mut` changes the node and keeps every other byte of the file.
//!
//! ```
//! use meshwright_w3d::{W3d, sample, table};
//!
//! let bytes = sample::crate_box();
//! let mut file = W3d::parse(&bytes)?;
//! let mesh = file.meshes().next().unwrap();
//! assert_eq!(mesh.get(table::VERTICES).len(), 24);
//! assert_eq!(mesh.textures().next().unwrap().name(), "mwcrate.tga");
//!
//! file.meshes_mut().next().unwrap().set_texture(0, "steel.dds")?;
//! assert_eq!(file.meshes().next().unwrap().texture_names(), ["steel.dds"]);
//! # Ok::<(), record::Error>(())
//! ```

mod animation;
mod change;
mod effect;
mod material;
mod mesh;
mod model;
mod shader_mesh;

use record::zerocopy::FromBytes;
use record::{Node, Pod};

pub use animation::{
    Animation, AnimationMut, Hierarchy, HierarchyMut, MorphAnimation, MorphAnimationMut, MorphChannel,
    MorphChannelMut,
};
pub use effect::{
    CollisionBox, CollisionBoxMut, Dazzle, DazzleMut, Emitter, EmitterMut, Light, LightMut, Lightscape,
    LightscapeLight, LightscapeLightMut, LightscapeMut, NullObject, NullObjectMut, Points, PointsMut, Ring,
    RingMut, Sound, SoundMut, Sphere, SphereMut,
};
pub use material::{
    Pass, PassMut, Property, PropertyMut, PropertyValue, ShaderMaterial, ShaderMaterialMut, Stage, StageMut,
    Texture, TextureMut, VertexMaterial, VertexMaterialMut,
};
pub use mesh::{AabTree, AabTreeMut, Mesh, MeshMut};
pub use model::{
    Aggregate, AggregateMut, Collection, CollectionMut, HModel, HModelMut, Hlod, HlodLevel, HlodLevelMut,
    HlodMut, LodModel, LodModelMut, Placeholder, PlaceholderMut,
};
pub use shader_mesh::{ShaderMesh, ShaderMeshMut, SubMesh, SubMeshMut};

use crate::W3d;

/// The values of a slot, for chunks with several slots of one type.
fn slot_values<'n, T: Pod>(node: Option<&'n Node<'n>>, name: &str) -> &'n [T] {
    let part = node.and_then(|node| node.slots().find(|part| part.slot.name == name));
    part.and_then(|part| <[T]>::ref_from_bytes(part.bytes).ok()).unwrap_or_default()
}

/// The text of a slot, for chunks with several strings.
fn slot_text<'n>(node: &'n Node<'n>, name: &str) -> Option<String> {
    let part = node.slots().find(|part| part.slot.name == name)?;
    Some(record::decode(record::until_nul(part.bytes)).into_owned())
}

/// Declares [`Object`] and the iterators over the objects of a file, one row per view.
macro_rules! objects {
    ($($doc:literal $view:ident, $mutable:ident: $all:ident, $all_mut:ident;)*) => {
        /// An object at the top level of a file.
        #[derive(Clone, Copy, Debug)]
        pub enum Object<'n> {
            $(#[doc = $doc] $view($view<'n>),)*
            /// A chunk that is not an object, or has an unknown id.
            Other(&'n Node<'n>),
        }

        impl<'n> Object<'n> {
            /// The view of a node.
            pub fn new(node: &'n Node<'n>) -> Self {
                $(if let Some(view) = $view::new(node) {
                    return Self::$view(view);
                })*
                Self::Other(node)
            }

            /// The node.
            pub const fn node(&self) -> &'n Node<'n> {
                match self {
                    $(Self::$view(view) => view.node(),)*
                    Self::Other(node) => node,
                }
            }

            /// The name that other parts refer to; empty if it has none.
            pub fn name(&self) -> String {
                self.node().label().unwrap_or_default()
            }
        }

        impl<'a> W3d<'a> {
            /// Every object at the top level, in file order.
            pub fn objects(&self) -> impl Iterator<Item = Object<'_>> {
                self.root.children().iter().map(Object::new)
            }

            $(
                #[doc = concat!("The objects of this kind: ", $doc)]
                pub fn $all(&self) -> impl Iterator<Item = $view<'_>> {
                    self.root.children().iter().filter_map($view::new)
                }

                #[doc = concat!("The same as [`", stringify!($all), "`](Self::", stringify!($all), "), to change them.")]
                pub fn $all_mut(&mut self) -> impl Iterator<Item = $mutable<'_, 'a>> {
                    self.root.children_mut().into_iter().flatten().filter_map($mutable::new)
                }
            )*
        }
    };
}

objects! {
    "A mesh." Mesh, MeshMut: meshes, meshes_mut;
    "A skeleton." Hierarchy, HierarchyMut: hierarchies, hierarchies_mut;
    "An animation, raw or compressed." Animation, AnimationMut: animations, animations_mut;
    "A morph animation." MorphAnimation, MorphAnimationMut: morph_animations, morph_animations_mut;
    "A hierarchy model." HModel, HModelMut: hmodels, hmodels_mut;
    "A model of objects of falling detail." LodModel, LodModelMut: lod_models, lod_models_mut;
    "A collection of objects." Collection, CollectionMut: collections, collections_mut;
    "Snap points." Points, PointsMut: points, points_mut;
    "A light." Light, LightMut: lights, lights_mut;
    "A particle emitter." Emitter, EmitterMut: emitters, emitters_mut;
    "A model with objects attached." Aggregate, AggregateMut: aggregates, aggregates_mut;
    "A model made of levels of detail." Hlod, HlodMut: hlods, hlods_mut;
    "A collision box." CollisionBox, CollisionBoxMut: boxes, boxes_mut;
    "A sphere effect." Sphere, SphereMut: spheres, spheres_mut;
    "A ring effect." Ring, RingMut: rings, rings_mut;
    "An object that shows nothing." NullObject, NullObjectMut: null_objects, null_objects_mut;
    "The lights of a Lightscape solution." Lightscape, LightscapeMut: lightscapes, lightscapes_mut;
    "A glare." Dazzle, DazzleMut: dazzles, dazzles_mut;
    "A sound." Sound, SoundMut: sounds, sounds_mut;
    "A mesh of the scaleable shader system." ShaderMesh, ShaderMeshMut: shader_meshes, shader_meshes_mut;
}
