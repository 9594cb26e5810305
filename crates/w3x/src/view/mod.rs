//! Typed access to the elements, without copying the text.
//!
//! Values that are missing or malformed are read as the schemas' defaults, or as 0. The diagnostics and the rules of `check` report them.

mod animation;
mod assets;
mod element;
mod mesh;

pub use animation::{Animation, Channel, ChannelType, RotationFrame, ScalarFrame};
pub use assets::{CollisionBox, Container, Hierarchy, Include, Pivot, SubObject, SubObjectKind, Texture};
pub use element::{Element, Item};
pub use mesh::{Constant, ConstantValue, GeometryType, Influence, Mesh, Shader, Triangle};

use record::Kind;

use crate::{W3x, kinds};

impl W3x<'_> {
    /// The root element.
    pub fn declaration(&self) -> Option<Element<'_>> {
        self.root.child(&kinds::ASSET_DECLARATION).map(Element::new)
    }

    /// The assets of the file: all elements of the root.
    pub fn assets(&self) -> impl Iterator<Item = Element<'_>> {
        self.declaration().into_iter().flat_map(|root| root.elements())
    }

    fn of(&self, kind: &'static Kind) -> impl Iterator<Item = Element<'_>> {
        self.declaration().into_iter().flat_map(move |root| root.all(kind))
    }

    /// The included files.
    pub fn includes(&self) -> impl Iterator<Item = Include<'_>> {
        self.of(&kinds::INCLUDES).flat_map(|list| list.all(&kinds::INCLUDE)).map(Include)
    }

    /// The models.
    pub fn containers(&self) -> impl Iterator<Item = Container<'_>> {
        self.of(&kinds::W3D_CONTAINER).map(Container)
    }

    /// The skeletons.
    pub fn hierarchies(&self) -> impl Iterator<Item = Hierarchy<'_>> {
        self.of(&kinds::W3D_HIERARCHY).map(Hierarchy)
    }

    /// The meshes.
    pub fn meshes(&self) -> impl Iterator<Item = Mesh<'_>> {
        self.of(&kinds::W3D_MESH).map(Mesh)
    }

    /// The collision boxes.
    pub fn boxes(&self) -> impl Iterator<Item = CollisionBox<'_>> {
        self.of(&kinds::W3D_COLLISION_BOX).map(CollisionBox)
    }

    /// The animations.
    pub fn animations(&self) -> impl Iterator<Item = Animation<'_>> {
        self.of(&kinds::W3D_ANIMATION).map(Animation)
    }

    /// The declared textures.
    pub fn textures(&self) -> impl Iterator<Item = Texture<'_>> {
        self.of(&kinds::TEXTURE).map(Texture)
    }
}
