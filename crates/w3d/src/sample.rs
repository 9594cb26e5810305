//! Small complete files that are built here: for `demo`, for tests, and as examples of the builders.

use record::zerocopy::IntoBytes;
use record::{Chars, Count, F32, Item, Node, U16, U32, Vec2, Vec3, build};

use crate::build::{self, MeshBuilder, ModelBuilder};
use crate::names::*;
use crate::records::*;
use crate::table::*;
use crate::{Chunk, Shape};

fn name<const N: usize>(text: &str) -> Chars<N> {
    // Names in here are short and ASCII.
    Chars::new(text).unwrap_or_default()
}

fn file(chunks: Vec<Node<'static>>) -> Vec<u8> {
    Node::branch(&FILE, 0, chunks).to_bytes().unwrap_or_default()
}

/// A wooden crate whose lid opens: two meshes on a skeleton of two bones, textured and blended, with a collision box and an
/// animation. The file would be called `mwcrate.w3d`.
pub fn crate_box() -> Vec<u8> {
    let body = cube("BODY", [0.5, 0.5, 0.25]).flags(MeshFlags::COLLISION_PHYSICAL).aab_tree(false);
    let lid = cube("LID", [0.5, 0.5, 0.05]).flags(MeshFlags::CAST_SHADOW);
    let obstacle = CollisionBox {
        version: Version::new(1, 0),
        attributes: BoxFlags::ORIENTED | BoxFlags::COLLISION_PHYSICAL,
        name: name("MWCRATE.BOUNDS"),
        color: Rgb { r: 255, g: 128, b: 0, pad: 0 },
        center: Vec3::new(0.0, 0.0, 0.25),
        extent: Vec3::new(0.5, 0.5, 0.3),
    };
    let model = ModelBuilder::new("MWCRATE")
        .bone("BODY", 0, [0.0, 0.0, 0.25])
        .bone("LID", 1, [0.0, 0.0, 0.3])
        .mesh_on(1, body)
        .mesh_on(2, lid)
        .object(0, "MWCRATE.BOUNDS")
        .chunk(build(BOX, &obstacle))
        .chunk(opening())
        .build();
    model.and_then(|file| file.to_bytes()).unwrap_or_default()
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
    build(
        ANIMATION,
        vec![
            build(ANIMATION_HEADER, &header),
            build(ANIMATION_CHANNEL, (&channel, turns.as_bytes())),
            build(BIT_CHANNEL, (&bits, &[0b1111_1111, 0b001])),
        ],
    )
}

/// A wooden box.
fn cube(mesh: &str, extent: [f32; 3]) -> MeshBuilder {
    solid(mesh, extent).surface(SurfaceType::WOOD).material_name("Wood").texture("mwcrate.tga")
}

/// A tank whose turret turns: textured and lit meshes on a skeleton, plates in the player's colour, and an exhaust that smokes. It needs
/// `mwtank.tga` and `mwsmoke.tga`. The file would be called `mwtank.w3d`.
pub fn tank() -> Vec<u8> {
    let part = |mesh: &str, extent: [f32; 3]| {
        solid(mesh, extent).surface(SurfaceType::HEAVY_METAL).material_name("Steel").texture("mwtank.tga")
    };
    let model = ModelBuilder::new("MWTANK")
        .bone("HULL", 0, [0.0, 0.0, 0.5])
        .bone("TRACKL", 1, [0.0, 0.75, -0.2])
        .bone("TRACKR", 1, [0.0, -0.75, -0.2])
        .bone("PLATE", 1, [0.75, 0.0, 0.27])
        .bone("TURRET", 1, [-0.2, 0.0, 0.47])
        .bone("BARREL", 5, [1.1, 0.0, 0.05])
        .bone("EXHAUST", 1, [-1.35, 0.35, 0.3])
        .mesh_on(1, part("HULL", [1.3, 0.65, 0.25]))
        .mesh_on(2, part("TRACKL", [1.4, 0.2, 0.3]))
        .mesh_on(3, part("TRACKR", [1.4, 0.2, 0.3]))
        .mesh_on(4, part("HOUSECOLOR01", [0.35, 0.5, 0.04]))
        .mesh_on(5, part("TURRET", [0.6, 0.45, 0.22]))
        .mesh_on(5, part("HOUSECOLOR02", [0.25, 0.46, 0.1]))
        .mesh_on(6, part("BARREL", [0.6, 0.07, 0.07]))
        .object(7, "MWSMOKE")
        .chunk(smoke())
        .chunk(aiming())
        .build();
    model.and_then(|file| file.to_bytes()).unwrap_or_default()
}

/// Smoke that rises from the exhaust, grows and fades.
fn smoke() -> Node<'static> {
    let header = EmitterHeader { version: Version::new(2, 0), name: name("MWSMOKE") };
    let gray = |shade: u8, a: u8| Rgba { r: shade, g: shade, b: shade, a };
    let info = EmitterInfo {
        texture_filename: name("mwsmoke.tga"),
        start_size: F32::new(0.25),
        end_size: F32::new(1.1),
        lifetime: F32::new(1.6),
        emission_rate: F32::new(14.0),
        velocity: Vec3::new(-0.5, 0.0, 0.8),
        acceleration: Vec3::new(0.0, 0.0, 0.2),
        start_color: gray(120, 200),
        end_color: gray(40, 0),
        ..EmitterInfo::default()
    };
    let spread = |extent: f32| VolumeRandomizer {
        class_id: VolumeClass::SOLID_SPHERE,
        value1: F32::new(extent),
        ..VolumeRandomizer::default()
    };
    let more = EmitterInfo2 {
        burst_size: U32::new(1),
        creation_volume: spread(0.05),
        vel_random: spread(0.2),
        shader: Shader {
            depth_compare: DepthCompare::PASS_LEQUAL,
            depth_mask: DepthMask::WRITE_DISABLE,
            src_blend: SrcBlend::SRC_ALPHA,
            dest_blend: DestBlend::ONE_MINUS_SRC_ALPHA,
            pri_gradient: PriGradient::MODULATE,
            texturing: Texturing::ENABLE,
            ..Shader::default()
        },
        render_mode: RenderMode::QUAD_PARTICLES,
        ..EmitterInfo2::default()
    };
    // Loaders require all five, in this order. The keys after the first repeat the start and the end above.
    let two = U32::new(2);
    let properties = EmitterProperties {
        color_keyframes: two,
        opacity_keyframes: two,
        size_keyframes: two,
        ..EmitterProperties::default()
    };
    let ends = |start: f32, end: f32| {
        [(F32::new(0.0), start), (info.lifetime, end)]
            .map(|(time, value)| EmitterKey { time, value: F32::new(value) })
    };
    let colors = [(F32::new(0.0), gray(120, 255)), (info.lifetime, gray(40, 255))]
        .map(|(time, color)| EmitterColorKey { time, color });
    let keys = [colors.as_bytes(), ends(0.8, 0.0).as_bytes(), ends(0.25, 1.1).as_bytes()].concat();
    build(
        EMITTER,
        vec![
            build(EMITTER_HEADER, &header),
            build(EMITTER_USER_DATA, (&EmitterUserData::default(), &[][..])),
            build(EMITTER_INFO, &info),
            build(EMITTER_INFOV2, &more),
            build(EMITTER_PROPS, (&properties, &keys[..])),
        ],
    )
}

/// Three seconds in which the turret looks left and right.
fn aiming() -> Node<'static> {
    const FRAMES: u16 = 46;
    let header = AnimationHeader {
        version: Version::new(4, 1),
        name: name("AIM"),
        hierarchy_name: name("MWTANK"),
        num_frames: U32::new(FRAMES.into()),
        frame_rate: U32::new(15),
    };
    let channel = AnimationChannel {
        first_frame: U16::new(0),
        last_frame: U16::new(FRAMES - 1),
        vector_len: U16::new(4),
        flags: ChannelType::Q,
        pivot: U16::new(5),
        pad: U16::new(0),
    };
    let turns = (0..FRAMES).flat_map(|frame| {
        let share = f32::from(frame) / f32::from(FRAMES - 1);
        let half = f32::to_radians(40.0) * (std::f32::consts::TAU * share).sin() / 2.0;
        [0.0, 0.0, half.sin(), half.cos()].map(F32::new)
    });
    let turns: Vec<F32> = turns.collect();
    build(
        ANIMATION,
        vec![build(ANIMATION_HEADER, &header), build(ANIMATION_CHANNEL, (&channel, turns.as_bytes()))],
    )
}

/// A box, drawn in one pass.
fn solid(mesh: &str, extent: [f32; 3]) -> MeshBuilder {
    // Each side: its normal, and two directions that span it with a counter-clockwise front.
    let sides: [[[f32; 3]; 3]; 6] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        [[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    ];
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let position = |[normal, right, up]: [[f32; 3]; 3], [u, v]: [f32; 2]| {
        [0, 1, 2].map(|axis| {
            (normal[axis] + right[axis] * (2.0 * u - 1.0) + up[axis] * (2.0 * v - 1.0)) * extent[axis]
        })
    };
    MeshBuilder::new(mesh)
        .positions(sides.into_iter().flat_map(|side| corners.map(|corner| position(side, corner))))
        .normals(sides.into_iter().flat_map(|[normal, ..]| [normal; 4]))
        .uvs([corners; 6].into_iter().flatten())
        .triangles(
            (0..6)
                .flat_map(|side| [[0, 1, 2], [0, 2, 3]].map(|each| each.map(|index: u32| 4 * side + index))),
        )
}

/// A mesh of many triangles, for measuring: about 76 bytes per vertex in a handful of large arrays.
pub fn large_mesh(vertices: usize) -> Vec<u8> {
    let points: Vec<Vec3> =
        (0..vertices).map(|index| Vec3::new(index as f32, (index % 1000) as f32, 0.5)).collect();
    let triangles: Vec<Triangle> = (0..vertices)
        .map(|index| Triangle {
            vindex: [0, 1, 2].map(|corner| U32::new(((index + corner) % vertices) as u32)),
            ..Triangle::default()
        })
        .collect();
    let texcoords: Vec<Vec2> = (0..vertices).map(|index| Vec2::new(index as f32, 0.25)).collect();
    let header = MeshHeader3 {
        version: Version::new(4, 2),
        mesh_name: name("LARGE"),
        num_tris: U32::new(vertices as u32),
        num_vertices: U32::new(vertices as u32),
        ..MeshHeader3::default()
    };
    let stage = build(TEXTURE_STAGE, vec![build(STAGE_TEXCOORDS, &texcoords)]);
    file(vec![build(
        MESH,
        vec![
            build(MESH_HEADER3, &header),
            build(VERTICES, &points),
            build(VERTEX_NORMALS, &points),
            build(TRIANGLES, &triangles),
            build(MATERIAL_PASS, vec![stage]),
        ],
    )])
}

/// A file with every chunk of the table below each of its possible parents. It is not a meaningful model.
pub fn every_chunk() -> Vec<u8> {
    let top = CHUNKS.iter().filter(|chunk| chunk.parents.contains(&FILE.name));
    file(top.map(|chunk| example(chunk)).collect())
}

/// An example of a chunk: a branch has one of each of its children, a leaf has distinct values.
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

/// Usually one example; several if a field decides what follows. Parts that need another decision of a sibling are
/// omitted.
fn examples(chunk: &'static Chunk) -> Vec<Node<'static>> {
    match chunk.id {
        ids::SHADER_MATERIAL_PROPERTY => (1..=7).map(|ty| build::bytes(chunk, property(ty))).collect(),
        ids::COMPRESSED_ANIMATION_HEADER => {
            let header = CompressedAnimationHeader {
                flavor: Flavor::TIMECODED,
                ..CompressedAnimationHeader::default()
            };
            vec![build::record(chunk, &header)]
        }
        ids::COMPRESSED_ANIMATION_CHANNEL => {
            (1..=4).map(|components| build::bytes(chunk, time_coded(components))).collect()
        }
        ids::COMPRESSED_ANIMATION_MOTION_CHANNEL => {
            (0..=2).map(|flavor| build::bytes(chunk, motion(flavor))).collect()
        }
        ids::SHDSUBMESH_SHADER_CLASSID => vec![build::record(chunk, &ShaderClass::SIMPLE)],
        shader_def::ids::SIMPLE_VARIABLES if chunk.kind.name != "SIMPLE_VARIABLES" => Vec::new(),
        _ => vec![example(chunk)],
    }
}

/// Bytes with a long period, in which neighbours differ.
fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|index| (index * 7 % 251) as u8 + 1).collect()
}

fn example_body(chunk: &'static Chunk) -> Vec<u8> {
    match chunk.id {
        ids::ANIMATION_CHANNEL => {
            let header = AnimationChannel {
                first_frame: 2.into(),
                last_frame: 4.into(),
                vector_len: 1.into(),
                ..AnimationChannel::default()
            };
            // Three values, and a surplus one as some exporters write.
            [header.as_bytes(), &pattern(16)].concat()
        }
        ids::BIT_CHANNEL => {
            let header = BitChannel { first_frame: 1.into(), last_frame: 9.into(), ..BitChannel::default() };
            [header.as_bytes(), &[0xA5, 0x01]].concat()
        }
        ids::COMPRESSED_BIT_CHANNEL => [&[2, 0, 0, 0, 1, 0, 0, 1][..], &pattern(8)].concat(),
        ids::PLACEHOLDER | ids::TRANSFORM_NODE => [&pattern(52)[..], &[5, 0, 0, 0], b"proxy"].concat(),
        ids::PULSE => pattern(24),
        ids::EMITTER_USER_DATA => [&[7, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0][..], b"user\0"].concat(),
        ids::EMITTER_PROPS => {
            let header = EmitterProperties {
                color_keyframes: 1.into(),
                opacity_keyframes: 2.into(),
                size_keyframes: 1.into(),
                ..EmitterProperties::default()
            };
            [header.as_bytes(), &pattern(32)].concat()
        }
        ids::AGGREGATE_INFO => [&pattern(32)[..], &[1, 0, 0, 0], &pattern(64)].concat(),
        ids::TEXTURE_REPLACER_INFO => [&[1, 0, 0, 0][..], &pattern(1492)].concat(),
        _ if chunk.kind.slots.is_empty() => pattern(6),
        _ => chunk
            .kind
            .slots
            .iter()
            .flat_map(|slot| match (slot.item, slot.count) {
                (Item::Text | Item::Plain | Item::Pieces(_) | Item::Raw, _) => {
                    [chunk.kind.name.as_bytes(), &[0]].concat()
                }
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
