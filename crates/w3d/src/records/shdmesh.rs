//! Meshes of the scaleable shader system.

use record::{F32, U32, Vec3, records};

use crate::names::{MeshFlags, Version};

records! {
    /// Counts and bounds of a shader mesh (`W3dShdMeshHeaderStruct`).
    pub struct ShdMeshHeader: 80 {
        0 version: Version, "Format version.";
        4 mesh_flags: MeshFlags, "Flags.";
        8 num_triangles: U32, "Number of triangles of all sub-meshes.";
        12 num_vertices: U32, "Number of vertices of all sub-meshes.";
        16 num_sub_meshes: U32, "Number of sub-meshes.";
        20 future_counts: [U32; 5], "Reserved.";
        40 box_min: Vec3, "Lower corner of the bounding box.";
        52 box_max: Vec3, "Upper corner of the bounding box.";
        64 sph_center: Vec3, "Centre of the bounding sphere.";
        76 sph_radius: F32, "Radius of the bounding sphere.";
    }

    /// Counts and bounds of a sub-mesh (`W3dShdSubMeshHeaderStruct`).
    pub struct ShdSubMeshHeader: 56 {
        0 num_triangles: U32, "Number of triangles.";
        4 num_vertices: U32, "Number of vertices.";
        8 future_counts: [U32; 2], "Reserved.";
        16 box_min: Vec3, "Lower corner of the bounding box.";
        28 box_max: Vec3, "Upper corner of the bounding box.";
        40 sph_center: Vec3, "Centre of the bounding sphere.";
        52 sph_radius: F32, "Radius of the bounding sphere.";
    }
}
