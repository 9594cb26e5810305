//! Geometry.

use record::{Cursor, Node, Pod, U16, U32, Vec2, Vec3, Vec4, views};

use super::{Track, track, tracks};
use crate::kinds;
use crate::records::*;

/// A geoset. Those of WoW version 1500 have a section and a batch instead of arrays: see [`Geoset::batch_vertices`].
#[derive(Clone, Copy, Debug)]
pub struct Geoset<'d> {
    /// The object, or the section of version 1500.
    pub node: &'d Node<'d>,
    /// The batch of version 1500.
    pub batch: Option<&'d Node<'d>>,
}

/// The geosets of a chunk.
pub(super) fn geosets<'d>(chunk: &'d Node<'d>) -> impl Iterator<Item = Geoset<'d>> {
    let whole = chunk.all(&kinds::GEOSET).map(|node| Geoset { node, batch: None });
    let batches = chunk.all(&kinds::WOW_BATCH).map(Some).chain(std::iter::repeat(None));
    let sections = chunk.all(&kinds::WOW_GEOSET_SECTION).zip(batches);
    whole.chain(sections.map(|(node, batch)| Geoset { node, batch }))
}

views! { @read Geoset }
views! { @write Geoset, GeosetMut of kinds::GEOSET }
views! { @read GeosetAnimation }
views! { @write GeosetAnimation, GeosetAnimationMut of kinds::GEOSET_ANIMATION }

impl<'d> Geoset<'d> {
    /// The view of a node; `None` if the node is of another kind. The geosets of version 1500 are found by
    /// [`Model::geosets`](super::Model::geosets).
    pub fn new(node: &'d Node<'d>) -> Option<Self> {
        node.is(&kinds::GEOSET).then_some(Self { node, batch: None })
    }

    /// The node.
    pub const fn node(&self) -> &'d Node<'d> {
        self.node
    }

    fn section(&self) -> Option<&'d WowGeosetSection> {
        self.node.value()
    }

    /// The vertices of version 1500, which have position, bones, normal and coordinates together; otherwise empty.
    pub fn batch_vertices(&self) -> &'d [WowVertex] {
        self.batch.map(|batch| batch.get(kinds::WOW_VERTICES)).unwrap_or_default()
    }

    /// Positions; empty in version 1500.
    pub fn positions(&self) -> &'d [Vec3] {
        self.get(kinds::VRTX)
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.positions().len().max(self.batch_vertices().len())
    }

    /// Position of a vertex, in any version.
    pub fn position(&self, vertex: usize) -> Option<[f32; 3]> {
        let own = self.positions().get(vertex).copied();
        own.or_else(|| self.batch_vertices().get(vertex).map(|vertex| vertex.position)).map(Vec3::get)
    }

    /// Normals; empty in version 1500.
    pub fn normals(&self) -> &'d [Vec3] {
        self.get(kinds::NRMS)
    }

    /// Normal of a vertex, in any version.
    pub fn normal(&self, vertex: usize) -> Option<[f32; 3]> {
        let own = self.normals().get(vertex).copied();
        own.or_else(|| self.batch_vertices().get(vertex).map(|vertex| vertex.normal)).map(Vec3::get)
    }

    /// Sets of texture coordinates, one value per vertex; none in version 1500.
    pub fn coordinate_sets(&self) -> impl Iterator<Item = &'d [Vec2]> + use<'d> {
        self.node.child(&kinds::UVAS).into_iter().flat_map(Node::children).map(Node::values)
    }

    /// Texture coordinates of a vertex, in any version.
    pub fn coordinates(&self, set: usize, vertex: usize) -> Option<[f32; 2]> {
        let batch = self.batch_vertices().get(vertex).and_then(|vertex| vertex.texture_coordinates.get(set));
        let own = self.coordinate_sets().nth(set).and_then(|set| set.get(vertex));
        own.or(batch).map(|pair| pair.get())
    }

    /// Indices of vertices, in any version.
    pub fn faces(&self) -> &'d [U16] {
        match self.batch {
            Some(batch) => batch.get(kinds::WOW_INDICES),
            None => self.get(kinds::PVTX),
        }
    }

    /// Groups of indices: primitive type and number of indices. Version 1500 has one group of triangles.
    pub fn face_groups(&self) -> impl Iterator<Item = (FaceType, usize)> + use<'d> {
        let types = self.get(kinds::PTYP).iter().copied();
        let wow = self.get(kinds::WOW_PTYP).iter();
        let wow = wow.map(|face_type| FaceType::new(u32::from(face_type.get())));
        let counts = self.get(kinds::PCNT).iter();
        let counts = counts.map(|count| usize::try_from(count.get()).unwrap_or(usize::MAX));
        let batch = self.batch.map(|_| (FaceType::TRIANGLES, self.faces().len()));
        types.chain(wow).zip(counts).chain(batch)
    }

    /// Matrix group of each vertex.
    pub fn vertex_groups(&self) -> &'d [u8] {
        self.get(kinds::GNDX)
    }

    /// Number of matrices in each group.
    pub fn matrix_groups(&self) -> &'d [U32] {
        self.get(kinds::MTGC)
    }

    /// The groups' matrices: object ids of nodes, group after group.
    pub fn matrices(&self) -> &'d [U32] {
        self.get(kinds::MATS)
    }

    /// The matrices of each group, as far as they exist.
    pub fn groups(&self) -> impl Iterator<Item = &'d [U32]> + use<'d> {
        let mut rest = self.matrices();
        self.matrix_groups().iter().map(move |count| {
            let count = usize::try_from(count.get()).unwrap_or(usize::MAX).min(rest.len());
            let (group, after) = rest.split_at(count);
            rest = after;
            group
        })
    }

    /// Tangents; w is the handedness.
    pub fn tangents(&self) -> &'d [Vec4] {
        self.get(kinds::TANG)
    }

    /// Bones and weights of each vertex, of a `SKIN` of bytes.
    pub fn skin(&self) -> &'d [SkinVertex] {
        whole(self.get(kinds::SKIN))
    }

    /// Bones and weights of each vertex, of a `SKIN` of 16-bit numbers.
    pub fn wide_skin(&self) -> &'d [WideSkinVertex] {
        let bytes = self.node.child(&kinds::WIDE_SKIN).map(Node::bytes).unwrap_or_default();
        whole(bytes)
    }

    /// Four bones per vertex of the WoW alpha, in the order of matrix groups: skin by [`Geoset::groups`] instead.
    pub fn bone_indices(&self) -> &'d [[u8; 4]] {
        self.get(kinds::BIDX)
    }

    /// The weights for [`Geoset::bone_indices`]: byte 3 - k belongs to index byte k.
    pub fn bone_weights(&self) -> &'d [[u8; 4]] {
        self.get(kinds::BWGT)
    }

    fn header(&self) -> Option<&'d GeosetHeader> {
        self.get(kinds::GEOSET_HEADER)
    }

    /// Index of its material.
    pub fn material_id(&self) -> Option<u32> {
        self.header()
            .map(|header| header.material_id)
            .or(self.section().map(|section| section.material_id))
            .map(U32::get)
    }

    /// Group for selection; in WoW the number of the body part.
    pub fn selection_group(&self) -> Option<u32> {
        let section = self.section().map(|section| section.selection_group);
        self.header().map(|header| header.selection_group).or(section).map(U32::get)
    }

    /// Flags.
    pub fn selection_flags(&self) -> SelectionFlags {
        let section = self.section().map(|section| section.flags);
        self.header().map(|header| header.selection_flags).or(section).unwrap_or_default()
    }

    /// Level of detail and name, in versions that have them.
    pub fn level_of_detail(&self) -> Option<&'d GeosetLevelOfDetail> {
        self.get(kinds::GEOSET_LEVEL_OF_DETAIL)
    }

    /// Its bounds; of version 1500, only the sphere.
    pub fn extent(&self) -> Option<Extent> {
        let bounds = self.get(kinds::GEOSET_BOUNDS);
        let section = self.section().map(|section| Extent { radius: section.radius, ..Extent::default() });
        bounds.map(|bounds| bounds.extent).or(section)
    }

    /// Its bounds in each sequence.
    pub fn extents(&self) -> &'d [Extent] {
        self.get(kinds::EXTENTS)
    }
}

/// The whole values in these bytes.
fn whole<T: Pod>(bytes: &[u8]) -> &[T] {
    Cursor::new(bytes).read_many(bytes.len() / size_of::<T>()).unwrap_or_default()
}

/// The appearance of a geoset.
#[derive(Clone, Copy, Debug)]
pub struct GeosetAnimation<'d> {
    /// The object.
    pub node: &'d Node<'d>,
    /// The geoset.
    pub geoset_id: i32,
    /// Opacity if there is no `KGAO` track.
    pub alpha: f32,
    /// Tint, as red, green, blue, if it is used.
    pub color: Option<[f32; 3]>,
    /// Whether the geoset casts a shadow; Warcraft III.
    pub drop_shadow: bool,
}

impl<'d> GeosetAnimation<'d> {
    /// The view of a node; `None` if the node is of another kind, or has no header.
    pub fn new(node: &'d Node<'d>) -> Option<Self> {
        if !node.is(&kinds::GEOSET_ANIMATION) {
            return None;
        }
        let first = node.children().first()?;
        if let Some(header) = first.value::<GeosetAnimationHeader>() {
            return Some(Self {
                node,
                geoset_id: header.geoset_id.get(),
                alpha: header.alpha.get(),
                color: header.flags.has(GeosetAnimationFlags::COLOR).then(|| header.color.get()),
                drop_shadow: header.flags.has(GeosetAnimationFlags::DROP_SHADOW),
            });
        }
        let header = first.value::<WowGeosetAnimationHeader>()?;
        Some(Self {
            node,
            geoset_id: header.geoset_id.get(),
            alpha: header.alpha.get(),
            color: header.flags.has(WowGeosetAnimationFlags::COLOR).then(|| header.color.get()),
            drop_shadow: false,
        })
    }

    /// The node.
    pub const fn node(&self) -> &'d Node<'d> {
        self.node
    }

    /// One of its tracks.
    pub fn track(&self, tag: u32) -> Option<Track<'d>> {
        track(self.node, tag)
    }

    /// Its tracks.
    pub fn tracks(&self) -> impl Iterator<Item = Track<'d>> + use<'d> {
        tracks(self.node)
    }
}

/// The WoW alpha's collision mesh.
#[derive(Clone, Copy, Debug)]
pub struct CollisionMesh<'d> {
    /// Positions.
    pub positions: &'d [Vec3],
    /// Indices, three for each triangle.
    pub faces: &'d [U16],
    /// Normals, one for each triangle.
    pub normals: &'d [Vec3],
}

impl<'d> CollisionMesh<'d> {
    pub(super) fn new(chunk: &'d Node<'d>) -> Option<Self> {
        Some(Self {
            positions: chunk.child(&kinds::VRTX)?.values(),
            faces: chunk.child(&kinds::TRI)?.values(),
            normals: chunk.get(kinds::NRMS),
        })
    }
}
