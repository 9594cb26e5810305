//! Fixtures of rules about W3D files, names, meshes, materials and skins.

use meshwright_check::{Document, Game};
use record::{Node, U32};
use w3d::build::{array, branch, bytes, record, text};
use w3d::names::*;
use w3d::records::*;
use w3d::table::*;

use super::{Fixture, as_text_mode, as_utf8, children, node, rich, set, shorten, values};

macro_rules! fixtures {
    ($($code:literal $(for $profile:ident)?: $spoil:expr;)*) => {
        pub(crate) static FIXTURES: &[Fixture] = &[$(Fixture {
            code: $code,
            profile: fixtures!(@profile $($profile)?),
            good: rich::document,
            spoil: $spoil,
        },)*];
    };
    (@profile) => { Game::Bfme2 };
    (@profile $profile:ident) => { Game::$profile };
}
pub(crate) use fixtures;

const HEADER: &str = "MESH/MESH_HEADER3";

fixtures! {
    "W3D-FILE-001": |file| children(file, "").clear();
    "W3D-FILE-007": |file| {
        *file = Document::parse(&as_text_mode(&file.to_bytes().unwrap())).unwrap().into_owned();
    };
    "W3D-FILE-008": |file| {
        *file = Document::parse(&as_utf8(&file.to_bytes().unwrap())).unwrap().into_owned();
    };
    "W3D-FRAME-001": |file| node(file, "MESH").size_delta = 40;
    "W3D-FRAME-002": |file| node(file, "MESH").size_delta = 0x8000_0000;
    "W3D-FRAME-003": |file| node(file, "MESH/TEXTURES/TEXTURE/TEXTURE_NAME").size_delta = 0x8000_0000;
    "W3D-FRAME-004": |file| node(file, "MESH").size_delta = 4_u32.wrapping_neg();
    "W3D-FRAME-010": |file| children(file, "").push(Node::leaf(&record::LEFTOVER, 0, vec![1]));
    "W3D-PART-001": |file| children(file, "").push(Node::leaf(&UNKNOWN, 0x777, vec![1, 2]));
    "W3D-PART-002": |file| shorten(file, "HLOD/HLOD_HEADER", 4);
    "W3D-PART-003": |file| node(file, "MESH/VERTICES").bytes_mut().unwrap().push(0);
    "W3D-PART-005": |file| shorten(file, "ANIMATION/ANIMATION_CHANNEL", 4);
    "W3D-PART-004": |file| children(file, "MESH").push(bytes(&DEFORM, vec![0; 3]));
    "W3D-FRAME-011": |file| {
        let mut body = Vec::new();
        for _ in 0..300_u32 {
            let size = (body.len() as u32 | 0x8000_0000).to_le_bytes();
            body = [&0x7777_u32.to_le_bytes()[..], &size, &body].concat();
        }
        let whole = [file.to_bytes().unwrap(), body].concat();
        *file = Document::parse(&whole).unwrap().into_owned();
    };
    "W3D-FRAME-012": |file| {
        let twice = node(file, "MESH/VERTEX_NORMALS").clone();
        children(file, "MESH").push(twice);
    };
    "W3D-FRAME-013": |file| {
        let lost = node(file, "HIERARCHY/PIVOTS").clone();
        children(file, "").push(lost);
    };
    "W3D-NAME-001": |file| set::<HlodHeader>(file, "HLOD/HLOD_HEADER", |header| header.name.0 = *b"SIXTEENLETTERSXX");
    "W3D-NAME-002": |file| set::<HlodHeader>(file, "HLOD/HLOD_HEADER", |header| header.name.0[15] = 0xCD);
    "W3D-NAME-003": |file| set::<HlodHeader>(file, "HLOD/HLOD_HEADER", |header| header.name.0[0] = 0xE4);
    "W3D-NAME-004": |file| set::<HlodHeader>(file, "HLOD/HLOD_HEADER", |header| header.name.0[7] = b' ');
    "W3D-NAME-005": |file| values::<Pivot>(file, "HIERARCHY/PIVOTS", |pivots| pivots[2].name = record::Chars::new("body").unwrap());
    "W3D-NAME-006": |file| {
        let twice = node(file, "BOX").clone();
        children(file, "").push(twice);
    };
    "W3D-NAME-007": |file| children(file, "").retain(|child| child.id == 0xA00 || child.id == 0x500);
    "W3D-NAME-008": |file| set::<HlodSubObject>(file, "HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT", |object| object.bone_index.set(2));
    "W3D-NAME-009": |file| *node(file, "MESH/TEXTURES/TEXTURE/TEXTURE_NAME") = text(&TEXTURE_NAME, &format!("{}.tga", "x".repeat(300))).unwrap();
    "W3D-NAME-010": |file| shorten(file, "MESH/TEXTURES/TEXTURE/TEXTURE_NAME", 1);
    "W3D-NAME-013": |file| *node(file, "MESH/TEXTURES/TEXTURE/TEXTURE_NAME") = text(&TEXTURE_NAME, "art\\mwcrate.tga").unwrap();
    "W3D-MESH-013": |file| {
        set::<MeshHeader3>(file, HEADER, |header| header.vertex_channels = VertexChannels::new(0x3));
        children(file, "MESH").retain(|chunk| !chunk.is(&VERTEX_NORMALS));
    };
    "W3D-MESH-014": |file| values::<record::Vec3>(file, "MESH/VERTEX_NORMALS", |normals| normals[3] = record::Vec3::default());
    "W3D-MESH-015": |file| values::<Triangle>(file, "MESH/TRIANGLES", |triangles| {
        triangles.iter_mut().for_each(|triangle| triangle.vindex.swap(1, 2));
    });
    "W3D-SKIN-009": |file| set::<MeshHeader3>(file, "MESH[2]/MESH_HEADER3", |header| header.attributes = MeshFlags::new(0));
    "W3D-NAME-011": |file| values::<record::Vec3>(file, "MESH/VERTICES", |vertices| vertices[3].y.set(f32::NAN));
    "W3D-NAME-012": |file| values::<record::Vec3>(file, "MESH/VERTEX_NORMALS", |normals| normals[3].y.set(f32::NAN));
    "W3D-MESH-001": |file| {
        let header = children(file, "MESH").remove(0);
        children(file, "MESH").push(header);
    };
    "W3D-MESH-002": |file| set::<MeshHeader3>(file, HEADER, |header| header.num_tris.set(0));
    "W3D-MESH-003": |file| set::<MeshHeader3>(file, HEADER, |header| header.num_vertices.set(23));
    "W3D-MESH-004": |file| set::<MeshHeader3>(file, HEADER, |header| header.num_tris.set(13));
    "W3D-MESH-005": |file| values::<Triangle>(file, "MESH/TRIANGLES", |triangles| triangles[2].vindex[1].set(24));
    "W3D-MESH-006": |file| set::<MeshHeader3>(file, HEADER, |header| header.num_vertices.set(65536));
    "W3D-MESH-007": |file| values::<Triangle>(file, "MESH/TRIANGLES", |triangles| triangles[2].attributes = SurfaceType::new(256));
    "W3D-MESH-008": |file| children(file, "MESH").retain(|child| child.id != 0x22);
    "W3D-MESH-009": |file| values::<U32>(file, "MESH/VERTEX_SHADE_INDICES", |indices| indices[7].set(24));
    "W3D-MESH-010": |file| set::<DamageHeader>(file, "MESH[1]/DAMAGE/DAMAGE_HEADER", |header| header.num_damage_verts.set(4));
    "W3D-MESH-011": |file| children(file, "SHDMESH").swap(0, 1);
    "W3D-MESH-012": |file| children(file, "MESH").push(record(&MESH_HEADER, &MeshHeader::default()));
    "W3D-PLANE-001": |file| values::<Triangle>(file, "MESH/TRIANGLES", |triangles| triangles[2].vindex[1] = triangles[2].vindex[0]);
    "W3D-PLANE-002": |file| values::<Triangle>(file, "MESH/TRIANGLES", |triangles| triangles[2].dist.set(5.0));
    "W3D-PLANE-003": |file| set::<MeshHeader3>(file, HEADER, |header| header.max.x.set(0.25));
    "W3D-PLANE-004": |file| set::<MeshHeader3>(file, HEADER, |header| header.max.x.set(-9.0));
    "W3D-MAT-001": |file| set::<MaterialInfo>(file, "MESH/MATERIAL_INFO", |info| info.pass_count.set(2));
    "W3D-MAT-002": |file| {
        let pass = node(file, "MESH/MATERIAL_PASS").clone();
        children(file, "MESH").extend(std::iter::repeat_n(pass, 4));
    };
    "W3D-MAT-003": |file| {
        let stage = node(file, "MESH/MATERIAL_PASS/TEXTURE_STAGE").clone();
        children(file, "MESH/MATERIAL_PASS").extend([stage.clone(), stage]);
    };
    "W3D-MAT-004": |file| {
        let pass = node(file, "MESH/MATERIAL_PASS").clone();
        for grey in 0..3 {
            let mut pass = pass.clone();
            let color = Rgba { r: grey, g: 0, b: 0, a: 255 };
            pass.children_mut().unwrap().push(array(&DCG, &[color; 24]));
            children(file, "MESH").push(pass);
        }
    };
    "W3D-MAT-005": |file| set::<MaterialInfo>(file, "MESH/MATERIAL_INFO", |info| info.texture_count.set(3));
    "W3D-MAT-006": |file| *node(file, "MESH/MATERIAL_PASS/SHADER_IDS") = array(&SHADER_IDS, &[U32::new(0); 5]);
    "W3D-MAT-007": |file| values::<U32>(file, "MESH/MATERIAL_PASS/VERTEX_MATERIAL_IDS", |ids| ids[0].set(u32::MAX));
    "W3D-MAT-008": |file| {
        let material = node(file, "MESH/VERTEX_MATERIALS/VERTEX_MATERIAL").clone();
        children(file, "MESH/VERTEX_MATERIALS").extend(std::iter::repeat_n(material, 16));
    };
    "W3D-MAT-009": |file| {
        values::<Shader>(file, "MESH/SHADERS", |shaders| shaders[0].dest_blend = DestBlend::ONE);
        let pass = node(file, "MESH/MATERIAL_PASS").clone();
        children(file, "MESH").push(pass);
    };
    "W3D-MAT-010": |file| set::<MeshHeader3>(file, HEADER, |header| header.sort_level.set(33));
    "W3D-MAT-011": |file| set::<MeshHeader3>(file, HEADER, |header| header.attributes = MeshFlags::PRELIT_VERTEX);
    "W3D-MAT-012": |file| {
        let property = [&9_u32.to_le_bytes()[..], &2_u32.to_le_bytes(), b"a\0", &[0; 4]].concat();
        let material = branch(&SHADER_MATERIAL, [bytes(&SHADER_MATERIAL_PROPERTY, property)]);
        children(file, "MESH").push(branch(&SHADER_MATERIALS, [material]));
    };
    "W3D-MAT-013": |file| {
        let args = text(&VERTEX_MAPPER_ARGS0, "UPerSec=1\r\nLog1Width=2").unwrap();
        children(file, "MESH/VERTEX_MATERIALS/VERTEX_MATERIAL").push(args);
    };
    "W3D-MAT-014": |file| {
        let texture = node(file, "MESH/TEXTURES/TEXTURE").clone();
        children(file, "MESH/TEXTURES").push(texture);
        set::<MaterialInfo>(file, "MESH/MATERIAL_INFO", |info| info.texture_count.set(2));
    };
    "W3D-MAT-015": |file| children(file, "MESH").push(array(&PS2_SHADERS, &[Ps2Shader::default(); 2]));
    "W3D-SKIN-001": |file| set::<MeshHeader3>(file, HEADER, |header| header.attributes = MeshFlags::GEOMETRY_SKIN);
    "W3D-SKIN-002": |file| values::<VertexInfluence>(file, "MESH[2]/VERTEX_INFLUENCES", |all| all[3].bone_idx[1].set(3));
    "W3D-SKIN-003": |file| values::<VertexInfluence>(file, "MESH[2]/VERTEX_INFLUENCES", |all| all[3].weight[1].set(30));
    "W3D-SKIN-004": |file| children(file, "MESH[2]").retain(|child| child.id != 0xC00);
    "W3D-SKIN-005": |file| values::<record::Vec3>(file, "MESH[2]/SECONDARY_VERTICES", |all| all[3].x.set(7.0));
    "W3D-SKIN-006" for Tt5: |file| {
        let influence = VertexInfluenceExtended { weight: [40000, 20000, 20000].map(record::U16::new), ..VertexInfluenceExtended::default() };
        children(file, "MESH[2]").push(array(&VERTEX_INFLUENCES_EXTENDED, &[influence; 24]));
    };
    "W3D-SKIN-008" for Renegade: |file| {
        let one = node(file, "MESH[2]/VERTEX_INFLUENCES").values::<VertexInfluence>()[0];
        let mut many = vec![one; 100];
        (0_u16..).zip(&mut many).for_each(|(at, influence)| influence.bone_idx[0].set(at % 3));
        node(file, "MESH[2]/VERTEX_INFLUENCES").set_values(&many);
    };
    "W3D-SKIN-007": |file| set::<HlodSubObject>(file, "HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT[3]", |object| object.bone_index.set(1));
    "W3D-AABT-001": |file| set::<AabTreeHeader>(file, "MESH/AABTREE/AABTREE_HEADER", |header| header.poly_count.set(11));
    "W3D-AABT-002": |file| values::<U32>(file, "MESH/AABTREE/AABTREE_POLYINDICES", |indices| indices[3].set(4));
    "W3D-AABT-003": |file| values::<AabTreeNode>(file, "MESH/AABTREE/AABTREE_NODES", |nodes| nodes[0].front_or_poly0.set(0));
    "W3D-AABT-004": |file| values::<AabTreeNode>(file, "MESH/AABTREE/AABTREE_NODES", |nodes| nodes[0].max.z.set(0.0));
}
