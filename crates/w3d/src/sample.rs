//! Small complete files, made here: for the demonstration, for tests, and as examples of building.

use record::zerocopy::IntoBytes;
use record::{Chars, Count, F32, Item, Node, Quaternion, U16, U32, Vec2, Vec3};

use crate::names::*;
use crate::records::*;
use crate::table::*;
use crate::{Chunk, Shape, W3d, build};

fn name<const N: usize>(text: &str) -> Chars<N> {
    // Names in here are short and ASCII.
    Chars::new(text).unwrap_or_default()
}

fn text(chunk: &'static Chunk, text: &str) -> Node<'static> {
    build::bytes(chunk, [text.as_bytes(), &[0]].concat())
}

fn file(chunks: impl IntoIterator<Item = Node<'static>>) -> Vec<u8> {
    let mut file = W3d::new();
    if let Some(children) = file.root.children_mut() {
        children.extend(chunks);
    }
    file.to_bytes().unwrap_or_default()
}

/// A wooden crate whose lid opens: two meshes on a skeleton of two bones, textured and blended, with a collision box and an
/// animation. The file would be called `mwcrate.w3d`.
pub fn crate_box() -> Vec<u8> {
    let body = cube("MWCRATE", "BODY", Vec3::new(0.5, 0.5, 0.25), MeshFlags::COLLISION_PHYSICAL);
    let lid = cube("MWCRATE", "LID", Vec3::new(0.5, 0.5, 0.05), MeshFlags::CAST_SHADOW);
    let obstacle = CollisionBox {
        version: Version::new(1, 0),
        attributes: BoxFlags::ORIENTED | BoxFlags::COLLISION_PHYSICAL,
        name: name("MWCRATE.BOUNDS"),
        color: Rgb { r: 255, g: 128, b: 0, pad: 0 },
        center: Vec3::new(0.0, 0.0, 0.25),
        extent: Vec3::new(0.5, 0.5, 0.3),
    };
    file([body, lid, build::record(&BOX, &obstacle), skeleton(), opening(), model()])
}

fn skeleton() -> Node<'static> {
    let header = HierarchyHeader {
        version: Version::new(4, 1),
        name: name("MWCRATE"),
        num_pivots: U32::new(3),
        center: Vec3::default(),
    };
    let pivot = |text: &str, parent: u32, translation: Vec3| Pivot {
        name: name(text),
        parent_idx: U32::new(parent),
        translation,
        euler_angles: Vec3::default(),
        rotation: Quaternion::new(0.0, 0.0, 0.0, 1.0),
    };
    let pivots = [
        pivot("ROOTTRANSFORM", u32::MAX, Vec3::default()),
        pivot("BODY", 0, Vec3::new(0.0, 0.0, 0.25)),
        pivot("LID", 1, Vec3::new(0.0, 0.0, 0.3)),
    ];
    build::branch(&HIERARCHY, [build::record(&HIERARCHY_HEADER, &header), build::array(&PIVOTS, &pivots)])
}

/// Eleven frames in which the lid turns by ninety degrees about Y, and is gone in the last two.
fn opening() -> Node<'static> {
    let header = AnimationHeader {
        version: Version::new(4, 1),
        name: name("OPEN"),
        hierarchy_name: name("MWCRATE"),
        num_frames: U32::new(11),
        frame_rate: U32::new(15),
    };
    let channel = AnimationChannel {
        first_frame: U16::new(0),
        last_frame: U16::new(10),
        vector_len: U16::new(4),
        flags: ChannelType::Q,
        pivot: U16::new(2),
        pad: U16::new(0),
    };
    let turns = (0..=10).flat_map(|frame| {
        let half = f32::to_radians(90.0) * frame as f32 / 10.0 / 2.0;
        [0.0, half.sin(), 0.0, half.cos()].map(F32::new)
    });
    let turns: Vec<F32> = turns.collect();
    let bits = BitChannel {
        first_frame: U16::new(0),
        last_frame: U16::new(10),
        flags: BitChannelType::VIS,
        pivot: U16::new(2),
        default_val: 1,
    };
    build::branch(
        &ANIMATION,
        [
            build::record(&ANIMATION_HEADER, &header),
            build::bytes(&ANIMATION_CHANNEL, [channel.as_bytes(), turns.as_bytes()].concat()),
            build::bytes(&BIT_CHANNEL, [bits.as_bytes(), &[0b1111_1111, 0b001]].concat()),
        ],
    )
}

fn model() -> Node<'static> {
    let header = HlodHeader {
        version: Version::new(1, 0),
        lod_count: U32::new(1),
        name: name("MWCRATE"),
        hierarchy_name: name("MWCRATE"),
    };
    let array = HlodArrayHeader { model_count: U32::new(3), max_screen_size: F32::new(f32::MAX) };
    let object = |bone: u32, text: &str| {
        build::record(&HLOD_SUB_OBJECT, &HlodSubObject { bone_index: U32::new(bone), name: name(text) })
    };
    let level = [
        build::record(&HLOD_SUB_OBJECT_ARRAY_HEADER, &array),
        object(1, "MWCRATE.BODY"),
        object(2, "MWCRATE.LID"),
        object(0, "MWCRATE.BOUNDS"),
    ];
    build::branch(&HLOD, [build::record(&HLOD_HEADER, &header), build::branch(&HLOD_LOD_ARRAY, level)])
}

/// A box with one texture, drawn in one pass.
fn cube(container: &str, mesh: &str, extent: Vec3, flags: MeshFlags) -> Node<'static> {
    let [x, y, z] = extent.get();
    // Each side: its normal, and the two directions that span it so that the front is counter-clockwise.
    let sides: [([f32; 3], [f32; 3], [f32; 3]); 6] = [
        ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
        ([-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]),
        ([0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        ([0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ([0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
    ];
    let mut vertices = Vec::new();
    let mut normals = Vec::new();
    let mut texcoords = Vec::new();
    let mut triangles = Vec::new();
    for (normal, right, up) in sides {
        let first = vertices.len() as u32;
        for (u, v) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            let corner = |at: usize, half: f32| {
                (normal[at] + right[at] * (2.0 * u - 1.0) + up[at] * (2.0 * v - 1.0)) * half
            };
            vertices.push(Vec3::new(corner(0, x), corner(1, y), corner(2, z)));
            normals.push(Vec3::from(normal));
            texcoords.push(Vec2::new(u, v));
        }
        let dist = normal[0].abs() * x + normal[1].abs() * y + normal[2].abs() * z;
        triangles.extend([[0, 1, 2], [0, 2, 3]].map(|corners: [u32; 3]| Triangle {
            vindex: corners.map(|corner| U32::new(first + corner)),
            attributes: SurfaceType::WOOD,
            normal: Vec3::from(normal),
            dist: F32::new(dist),
        }));
    }
    let header = MeshHeader3 {
        version: Version::new(4, 2),
        attributes: flags,
        mesh_name: name(mesh),
        container_name: name(container),
        num_tris: U32::new(triangles.len() as u32),
        num_vertices: U32::new(vertices.len() as u32),
        vertex_channels: VertexChannels::LOCATION | VertexChannels::NORMAL,
        face_channels: FaceChannels::FACE,
        min: Vec3::new(-x, -y, -z),
        max: extent,
        sph_radius: F32::new((x * x + y * y + z * z).sqrt()),
        ..MeshHeader3::default()
    };
    let info = MaterialInfo {
        pass_count: 1.into(),
        vertex_material_count: 1.into(),
        shader_count: 1.into(),
        texture_count: 1.into(),
    };
    let grey = |level: u8| Rgb { r: level, g: level, b: level, pad: 0 };
    let material = VertexMaterialInfo {
        ambient: grey(255),
        diffuse: grey(255),
        shininess: F32::new(1.0),
        opacity: F32::new(1.0),
        ..VertexMaterialInfo::default()
    };
    let shader = Shader {
        depth_compare: DepthCompare::PASS_LEQUAL,
        depth_mask: DepthMask::WRITE_ENABLE,
        pri_gradient: PriGradient::MODULATE,
        src_blend: SrcBlend::ONE,
        texturing: Texturing::ENABLE,
        ..Shader::default()
    };
    let shade: Vec<U32> = (0..vertices.len() as u32).map(U32::new).collect();
    let one = [U32::new(0)];
    build::branch(
        &MESH,
        [
            build::record(&MESH_HEADER3, &header),
            build::array(&VERTICES, &vertices),
            build::array(&VERTEX_NORMALS, &normals),
            build::array(&TRIANGLES, &triangles),
            build::array(&VERTEX_SHADE_INDICES, &shade),
            build::record(&MATERIAL_INFO, &info),
            build::branch(
                &VERTEX_MATERIALS,
                [build::branch(
                    &VERTEX_MATERIAL,
                    [text(&VERTEX_MATERIAL_NAME, "Wood"), build::record(&VERTEX_MATERIAL_INFO, &material)],
                )],
            ),
            build::array(&SHADERS, &[shader]),
            build::branch(&TEXTURES, [build::branch(&TEXTURE, [text(&TEXTURE_NAME, "mwcrate.tga")])]),
            build::branch(
                &MATERIAL_PASS,
                [
                    build::array(&VERTEX_MATERIAL_IDS, &one),
                    build::array(&SHADER_IDS, &one),
                    build::branch(
                        &TEXTURE_STAGE,
                        [build::array(&TEXTURE_IDS, &one), build::array(&STAGE_TEXCOORDS, &texcoords)],
                    ),
                ],
            ),
        ],
    )
}

/// A mesh of many triangles, for measuring: about 76 bytes per vertex in a handful of large arrays.
pub fn large_mesh(vertices: usize) -> Vec<u8> {
    let points: Vec<Vec3> = (0..vertices).map(|at| Vec3::new(at as f32, (at % 1000) as f32, 0.5)).collect();
    let triangles: Vec<Triangle> = (0..vertices)
        .map(|at| Triangle {
            vindex: [0, 1, 2].map(|corner| U32::new(((at + corner) % vertices) as u32)),
            ..Triangle::default()
        })
        .collect();
    let texcoords: Vec<Vec2> = (0..vertices).map(|at| Vec2::new(at as f32, 0.25)).collect();
    let header = MeshHeader3 {
        version: Version::new(4, 2),
        mesh_name: name("LARGE"),
        num_tris: U32::new(vertices as u32),
        num_vertices: U32::new(vertices as u32),
        ..MeshHeader3::default()
    };
    file([build::branch(
        &MESH,
        [
            build::record(&MESH_HEADER3, &header),
            build::array(&VERTICES, &points),
            build::array(&VERTEX_NORMALS, &points),
            build::array(&TRIANGLES, &triangles),
            build::branch(
                &MATERIAL_PASS,
                [build::branch(&TEXTURE_STAGE, [build::array(&STAGE_TEXCOORDS, &texcoords)])],
            ),
        ],
    )])
}

/// A file with every chunk of the table in each place where it may stand. It makes no sense as a model.
pub fn every_chunk() -> Vec<u8> {
    file(CHUNKS.iter().filter(|chunk| chunk.parents.contains(&FILE.name)).map(|chunk| example(chunk)))
}

/// A chunk with something in it: for a branch one of each of its children, for a leaf values that are all different.
pub fn example(chunk: &'static Chunk) -> Node<'static> {
    match chunk.shape {
        Shape::Leaf => build::bytes(chunk, example_body(chunk)),
        Shape::Branch(Some(scope)) | Shape::Micro(scope) => {
            build::branch(chunk, scope.iter().flat_map(|child| examples(child)))
        }
        Shape::Branch(None) => build::branch(chunk, children_of(chunk)),
        Shape::Prefixed(prefix) => {
            let record =
                Node::leaf(prefix, 0, pattern(prefix.slots.iter().map(|slot| slot.item.size()).sum()));
            build::branch(chunk, std::iter::once(record).chain(children_of(chunk)))
        }
    }
}

fn children_of(chunk: &'static Chunk) -> impl Iterator<Item = Node<'static>> {
    CHUNKS.iter().filter(|child| child.parents.contains(&chunk.kind.name)).flat_map(|child| examples(child))
}

/// Usually one example; several where a field decides what follows. Parts whose meaning a sibling decides are left out where the
/// sibling decides otherwise.
fn examples(chunk: &'static Chunk) -> Vec<Node<'static>> {
    match chunk.id {
        0x53 => (1..=7).map(|ty| build::bytes(chunk, property(ty))).collect(),
        0x281 => {
            let header = CompressedAnimationHeader {
                flavor: Flavor::TIMECODED,
                ..CompressedAnimationHeader::default()
            };
            vec![build::record(chunk, &header)]
        }
        0x282 => (1..=4).map(|components| build::bytes(chunk, time_coded(components))).collect(),
        0x284 => (0..=2).map(|flavor| build::bytes(chunk, motion(flavor))).collect(),
        0xB41 => vec![build::record(chunk, &ShaderClass::SIMPLE)],
        0x1649_0450 if chunk.kind.name != "SIMPLE_VARIABLES" => Vec::new(),
        _ => vec![example(chunk)],
    }
}

/// Bytes that are all different for a while, and no two neighbours alike.
fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at * 7 % 251) as u8 + 1).collect()
}

fn example_body(chunk: &'static Chunk) -> Vec<u8> {
    match chunk.id {
        0x202 => {
            let header = AnimationChannel {
                first_frame: 2.into(),
                last_frame: 4.into(),
                vector_len: 1.into(),
                ..AnimationChannel::default()
            };
            // Three values and one that the exporter wrote too many.
            [header.as_bytes(), &pattern(16)].concat()
        }
        0x203 => {
            let header = BitChannel { first_frame: 1.into(), last_frame: 9.into(), ..BitChannel::default() };
            [header.as_bytes(), &[0xA5, 0x01]].concat()
        }
        0x283 => [&[2, 0, 0, 0, 1, 0, 0, 1][..], &pattern(8)].concat(),
        0x423 | 0x424 => [&pattern(52)[..], &[5, 0, 0, 0], b"proxy"].concat(),
        0x466 => pattern(24),
        0x502 => [&[7, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0][..], b"user\0"].concat(),
        0x505 => {
            let header = EmitterProperties {
                color_keyframes: 1.into(),
                opacity_keyframes: 2.into(),
                size_keyframes: 1.into(),
                ..EmitterProperties::default()
            };
            [header.as_bytes(), &pattern(32)].concat()
        }
        0x602 => [&pattern(32)[..], &[1, 0, 0, 0], &pattern(64)].concat(),
        0x603 => [&[1, 0, 0, 0][..], &pattern(1492)].concat(),
        _ if chunk.kind.slots.is_empty() => pattern(6),
        _ => chunk
            .kind
            .slots
            .iter()
            .flat_map(|slot| match (slot.item, slot.count) {
                (Item::Text | Item::Raw, _) => [chunk.kind.name.as_bytes(), &[0]].concat(),
                (item, Count::One) => pattern(item.size()),
                (item, _) => pattern(item.size() * 2),
            })
            .collect(),
    }
}

fn property(ty: u32) -> Vec<u8> {
    let value: &[u8] = match ty {
        1 => b"\x05\0\0\0a.dd\0",
        2 => &pattern(4),
        3 => &pattern(8),
        4 => &pattern(12),
        5 => &pattern(16),
        6 => &pattern(4),
        _ => &[1],
    };
    [&ty.to_le_bytes()[..], &[5, 0, 0, 0], b"Name\0", value].concat()
}

fn time_coded(components: u8) -> Vec<u8> {
    let header =
        TimeCodedChannel { num_time_codes: 2.into(), vector_len: components, ..TimeCodedChannel::default() };
    [header.as_bytes(), &pattern(2 * (4 + 4 * usize::from(components)))].concat()
}

fn motion(flavor: u8) -> Vec<u8> {
    let header = MotionChannel {
        flavor: MotionFlavor::new(flavor),
        vector_len: 1,
        num_time_codes: 3.into(),
        ..MotionChannel::default()
    };
    let rest = match flavor {
        // Three 16-bit times, padding, three floats.
        0 => pattern(6 + 2 + 12),
        // Scale, first value, one packet.
        1 => pattern(4 + 4 + 9),
        _ => pattern(4 + 4 + 17),
    };
    [header.as_bytes(), &rest].concat()
}
