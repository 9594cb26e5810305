//! Containers, hierarchies, boxes, textures and included files.

use std::borrow::Cow;

use crate::kinds;
use crate::view::Element;

macro_rules! ids {
    ($($name:ident),*) => { $(
        impl<'n> $name<'n> {
            /// Its id.
            pub fn id(&self) -> Cow<'n, str> {
                self.0.attribute(&kinds::ID).unwrap_or_default()
            }
        }
    )* };
}
pub(super) use ids;

ids!(Container, Hierarchy, CollisionBox, Texture);

/// An included file.
#[derive(Clone, Copy, Debug)]
pub struct Include<'n>(pub Element<'n>);

impl<'n> Include<'n> {
    /// The path: `ART:x.w3x`, or relative to the folder of this file.
    pub fn source(&self) -> Cow<'n, str> {
        self.0.attribute(&kinds::SOURCE).unwrap_or_default()
    }
}

/// A model: meshes and boxes on the pivots of a hierarchy.
#[derive(Clone, Copy, Debug)]
pub struct Container<'n>(pub Element<'n>);

impl<'n> Container<'n> {
    /// The id of its hierarchy.
    pub fn hierarchy(&self) -> Cow<'n, str> {
        self.0.attribute(&kinds::HIERARCHY).unwrap_or_default()
    }

    /// Its meshes and boxes.
    pub fn sub_objects(&self) -> impl Iterator<Item = SubObject<'n>> + use<'n> {
        self.0.all(&kinds::SUB_OBJECT).map(SubObject)
    }
}

/// A mesh or a box on a pivot.
#[derive(Clone, Copy, Debug)]
pub struct SubObject<'n>(pub Element<'n>);

/// What a sub-object refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubObjectKind {
    /// A mesh.
    Mesh,
    /// A collision box.
    CollisionBox,
}

impl<'n> SubObject<'n> {
    /// Its name in the container.
    pub fn name(&self) -> Cow<'n, str> {
        self.0.attribute(&kinds::SUB_OBJECT_ID).unwrap_or_default()
    }

    /// The index of its pivot.
    pub fn bone(&self) -> Option<usize> {
        self.0.integer(&kinds::BONE_INDEX)
    }

    /// The mesh or box that it shows, by id.
    pub fn target(&self) -> Option<(SubObjectKind, Cow<'n, str>)> {
        let object = self.0.child(&kinds::RENDER_OBJECT)?;
        let mesh = object.child(&kinds::MESH_REFERENCE).map(|mesh| (SubObjectKind::Mesh, mesh.text()));
        mesh.or_else(|| Some((SubObjectKind::CollisionBox, object.child(&kinds::BOX_REFERENCE)?.text())))
    }
}

/// A skeleton.
#[derive(Clone, Copy, Debug)]
pub struct Hierarchy<'n>(pub Element<'n>);

impl<'n> Hierarchy<'n> {
    /// Its pivots. Parents need not precede their children.
    pub fn pivots(&self) -> impl Iterator<Item = Pivot<'n>> + use<'n> {
        self.0.all(&kinds::PIVOT).map(Pivot)
    }
}

/// A bone.
#[derive(Clone, Copy, Debug)]
pub struct Pivot<'n>(pub Element<'n>);

impl<'n> Pivot<'n> {
    /// Its name.
    pub fn name(&self) -> Cow<'n, str> {
        self.0.attribute(&kinds::NAME).unwrap_or_default()
    }

    /// The index of its parent; `None` for the root.
    pub fn parent(&self) -> Option<usize> {
        self.0.integer::<i64>(&kinds::PARENT).and_then(|parent| usize::try_from(parent).ok())
    }

    /// Its position relative to its parent.
    pub fn translation(&self) -> [f32; 3] {
        self.0.child_vector(&kinds::TRANSLATION).unwrap_or_default()
    }

    /// Its rotation relative to its parent: `[x, y, z, w]`.
    pub fn rotation(&self) -> [f32; 4] {
        let Some(rotation) = self.0.child(&kinds::ROTATION) else { return [0.0, 0.0, 0.0, 1.0] };
        [&kinds::X, &kinds::Y, &kinds::Z, &kinds::W].map(|kind| rotation.float(kind))
    }

    /// Its fix-up matrix in rows, by the names of the attributes and not by their order, which differs between exporters. Missing numbers are those
    /// of the identity; `None` if there is no matrix.
    pub fn fixup(&self) -> Option<[[f32; 4]; 4]> {
        let matrix = self.0.child(&kinds::FIXUP_MATRIX)?;
        let kinds = [
            [&kinds::M00, &kinds::M01, &kinds::M02, &kinds::M03],
            [&kinds::M10, &kinds::M11, &kinds::M12, &kinds::M13],
            [&kinds::M20, &kinds::M21, &kinds::M22, &kinds::M23],
            [&kinds::M30, &kinds::M31, &kinds::M32, &kinds::M33],
        ];
        let mut rows = [[0.0; 4]; 4];
        for (index, (row, kinds)) in rows.iter_mut().zip(kinds).enumerate() {
            for (column, (number, kind)) in row.iter_mut().zip(kinds).enumerate() {
                let missing = if index == column { 1.0 } else { 0.0 };
                *number = matrix.raw(kind).and_then(crate::value::float).unwrap_or(missing);
            }
        }
        Some(rows)
    }
}

/// A box that can be hit or selected.
#[derive(Clone, Copy, Debug)]
pub struct CollisionBox<'n>(pub Element<'n>);

impl CollisionBox<'_> {
    /// Its centre.
    pub fn center(&self) -> [f32; 3] {
        self.0.child_vector(&kinds::CENTER).unwrap_or_default()
    }

    /// Its half sizes.
    pub fn extent(&self) -> [f32; 3] {
        self.0.child_vector(&kinds::EXTENT).unwrap_or_default()
    }

    /// Whether it is only for selection with a joypad.
    pub fn is_joypad_picking_only(&self) -> bool {
        self.0.boolean(&kinds::JOYPAD_PICKING_ONLY)
    }
}

/// The declaration of a texture.
#[derive(Clone, Copy, Debug)]
pub struct Texture<'n>(pub Element<'n>);

impl<'n> Texture<'n> {
    /// The file name.
    pub fn file(&self) -> Option<Cow<'n, str>> {
        self.0.attribute(&kinds::FILE_NAME)
    }
}
