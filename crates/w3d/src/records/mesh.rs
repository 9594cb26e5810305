//! Meshes: headers, triangles, influences, deformation, the collision tree.

use record::{Bytes, Chars, F32, I32, U16, U32, Vec3, records};

use crate::names::{DeformSetFlags, FaceChannels, MeshFlags, SurfaceType, Version, VertexChannels};
use crate::records::Rgba;

records! {
    /// Header of a mesh: version, flags, names, counts and bounds (`W3dMeshHeader3Struct`). Engines require it as the first child.
    pub struct MeshHeader3: 116 {
        0 version: Version, "Format version.";
        4 attributes: MeshFlags, "Geometry type, collision groups, prelit wrappers.";
        8 mesh_name: Chars<16>, "Name of the mesh within its container.";
        24 container_name: Chars<16>, "Name of the container, usually that of the file. The full name is `container_name.mesh_name`.";
        40 num_tris: U32, "Number of triangles.";
        44 num_vertices: U32, "Number of vertices.";
        48 num_materials: U32, "Number of version 3 materials; 0 otherwise.";
        52 num_damage_stages: U32, "Number of damage stages (obsolete).";
        56 sort_level: I32, "Static sorting level, 0 (none) to 32.";
        60 prelit_version: U32, "Version of the light-mapping tool.";
        64 future_counts: U32, "Reserved.";
        68 vertex_channels: VertexChannels, "Data per vertex; engines ignore it.";
        72 face_channels: FaceChannels, "Data per triangle; engines ignore it.";
        76 min: Vec3, "Lower corner of the bounding box.";
        88 max: Vec3, "Upper corner of the bounding box.";
        100 sph_center: Vec3, "Centre of the bounding sphere.";
        112 sph_radius: F32, "Radius of the bounding sphere.";
    }

    /// Mesh header of versions 1 and 2 (`W3dMeshHeaderStruct`, obsolete).
    pub struct MeshHeader: 372 {
        0 version: Version, "Format version.";
        4 mesh_name: Chars<16>, "Name.";
        20 attributes: MeshFlags, "Flags.";
        24 num_tris: U32, "Number of triangles.";
        28 num_quads: U32, "Number of quads.";
        32 num_sr_tris: U32, "Number of Surrender triangles.";
        36 num_pov_tris: U32, "Number of POV triangles.";
        40 num_pov_quads: U32, "Number of POV quads.";
        44 num_vertices: U32, "Number of vertices.";
        48 num_normals: U32, "Number of normals.";
        52 num_sr_normals: U32, "Number of Surrender normals.";
        56 num_tex_coords: U32, "Number of texture coordinates.";
        60 num_materials: U32, "Number of materials.";
        64 num_vert_colors: U32, "Number of vertex colours.";
        68 num_vert_influences: U32, "Number of vertex influences.";
        72 num_damage_stages: U32, "Number of damage stages.";
        76 future_counts: [U32; 5], "Reserved.";
        96 lod_min: F32, "Lower end of the detail range.";
        100 lod_max: F32, "Upper end of the detail range.";
        104 min: Vec3, "Lower corner of the bounding box.";
        116 max: Vec3, "Upper corner of the bounding box.";
        128 sph_center: Vec3, "Centre of the bounding sphere.";
        140 sph_radius: F32, "Radius of the bounding sphere.";
        144 translation: Vec3, "Position.";
        156 rotation: [F32; 9], "Orientation, 3 by 3.";
        192 mass_center: Vec3, "Centre of mass.";
        204 inertia: [F32; 9], "Inertia tensor, 3 by 3.";
        240 volume: F32, "Volume.";
        244 hierarchy_tree_name: Chars<16>, "Hierarchy it belongs to.";
        260 hierarchy_model_name: Chars<16>, "Hierarchy model it belongs to.";
        276 future_use: [U32; 24], "Reserved.";
    }

    /// A triangle with its plane (`W3dTriStruct`). Front is counter-clockwise. In skins the plane is that of the undeformed mesh.
    pub struct Triangle: 32 {
        0 vindex: [U32; 3], "Indices of its vertices.";
        12 attributes: SurfaceType, "Surface type; engines keep its low byte.";
        16 normal: Vec3, "Unit normal.";
        28 dist: F32, "Distance of the plane from the origin: dot(normal, first vertex).";
    }

    /// The bones of a vertex (`W3dVertInfStruct`). Westwood's exporter wrote one bone and six zero bytes; from BFME on there are
    /// two bones with weights in percent. Both are these eight bytes.
    pub struct VertexInfluence: 8 {
        0 bone_idx: [U16; 2], "Indices of the pivots; the second counts only with a weight.";
        4 weight: [U16; 2], "Weights in percent; if both are zero, the first bone has all the weight.";
    }

    /// The four bones of a vertex (`W3dVertInf3WStruct`, Tiberian Technologies).
    pub struct VertexInfluenceExtended: 14 {
        0 bone_idx: [U16; 4], "Bones.";
        8 weight: [U16; 3], "Weights of the first three bones; the fourth is 65535 minus their sum, at least 0.";
    }

    /// Size of the collision tree (`W3dMeshAABTreeHeader`).
    pub struct AabTreeHeader: 32 {
        0 node_count: U32, "Number of nodes.";
        4 poly_count: U32, "Number of polygons, equal to the number of triangles.";
        8 padding: [U32; 6], "Unused.";
    }

    /// A box of the collision tree (`W3dMeshAABTreeNode`). With the top bit of `front_or_poly0` it is a leaf.
    pub struct AabTreeNode: 32 {
        0 min: Vec3, "Lower corner.";
        12 max: Vec3, "Upper corner.";
        24 front_or_poly0: U32, "Front child, or with the top bit set the first polygon index.";
        28 back_or_poly_count: U32, "Back child, or the number of polygon indices.";
    }

    /// Number of deform sets (`W3dMeshDeform`); `DEFORM_SET` chunks follow in the same chunk.
    pub struct Deform: 20 {
        0 set_count: U32, "Number of sets.";
        4 alpha_passes: U32, "Number of alpha passes.";
        8 reserved: [U32; 3], "Reserved.";
    }

    /// A deform set (`W3dDeformSetInfo`); `DEFORM_KEYFRAME` chunks follow in the same chunk.
    pub struct DeformSet: 12 {
        0 keyframe_count: U32, "Number of keyframes.";
        4 flags: DeformSetFlags, "Flags.";
        8 reserved: U32, "Reserved.";
    }

    /// A deform keyframe (`W3dDeformKeyframeInfo`); `DEFORM_DATA` chunks follow in the same chunk.
    pub struct DeformKeyframe: 16 {
        0 deform_percent: F32, "Share of the damage at this keyframe.";
        4 data_count: U32, "Number of data chunks.";
        8 reserved: [U32; 2], "Reserved.";
    }

    /// A moved and coloured vertex (`W3dDeformData`).
    pub struct DeformData: 28 {
        0 vertex_index: U32, "The vertex.";
        4 position: Vec3, "New position.";
        16 color: Rgba, "New colour.";
        20 reserved: [U32; 2], "Reserved.";
    }

    /// Shader of the PlayStation 2 (`W3dPS2ShaderStruct`), one per PC shader.
    pub struct Ps2Shader: 12 {
        0 depth_compare: crate::names::Ps2DepthCompare, "Depth test.";
        1 depth_mask: crate::names::DepthMask, "Depth writing.";
        2 pri_gradient: crate::names::Ps2PriGradient, "How the lit colour is combined with the texture.";
        3 texturing: crate::names::Texturing, "Texturing.";
        4 alpha_test: crate::names::AlphaTest, "Alpha test.";
        5 a_param: u8, "Blending parameter A: 0 source, 1 destination, 2 zero.";
        6 b_param: u8, "Blending parameter B.";
        7 c_param: u8, "Blending parameter C: 0 source alpha, 1 destination alpha, 2 one.";
        8 d_param: u8, "Blending parameter D.";
        9 pad: Bytes<3>, "Uninitialised.";
    }
}

impl MeshHeader3 {
    /// The name that others refer to: `Container.Mesh`, or the mesh's alone if there is no container.
    pub fn full_name(&self) -> String {
        if self.container_name.text().is_empty() {
            self.mesh_name.to_string()
        } else {
            format!("{}.{}", self.container_name, self.mesh_name)
        }
    }

    /// Whether the vertices are in the space of bones.
    pub fn is_skin(&self) -> bool {
        self.attributes.has(MeshFlags::GEOMETRY_SKIN)
    }
}

impl VertexInfluence {
    /// Bones with weights that add up to one: one bone if neither has a weight, else both, normalised.
    pub fn bones(&self) -> [(u16, f32); 2] {
        let [first, second] = self.bone_idx.map(U16::get);
        let [a, b] = self.weight.map(|weight| f32::from(weight.get()));
        if b == 0.0 { [(first, 1.0), (second, 0.0)] } else { [(first, a / (a + b)), (second, b / (a + b))] }
    }
}

impl VertexInfluenceExtended {
    /// Bones with weights that add up to one, the fourth being what the others leave.
    pub fn bones(&self) -> [(u16, f32); 4] {
        let weights = self.weight.map(|weight| u32::from(weight.get()));
        let fourth = 65535_u32.saturating_sub(weights.iter().sum());
        let bones = self.bone_idx.map(U16::get);
        let share = |weight: u32| weight as f32 / 65535.0;
        [
            (bones[0], share(weights[0])),
            (bones[1], share(weights[1])),
            (bones[2], share(weights[2])),
            (bones[3], share(fourth)),
        ]
    }
}

impl AabTreeNode {
    /// For a leaf, its first polygon index and their number; for an inner node its children.
    pub fn contents(&self) -> AabTreeContents {
        let (front, back) = (self.front_or_poly0.get(), self.back_or_poly_count.get());
        if front & 0x8000_0000 != 0 {
            AabTreeContents::Leaf { first: front & 0x7FFF_FFFF, count: back }
        } else {
            AabTreeContents::Inner { front, back }
        }
    }
}

/// What a node of the collision tree holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AabTreeContents {
    /// Polygons: a range of the index list.
    Leaf {
        /// First entry.
        first: u32,
        /// Number of entries.
        count: u32,
    },
    /// Two nodes.
    Inner {
        /// The one in front.
        front: u32,
        /// The one behind.
        back: u32,
    },
}
