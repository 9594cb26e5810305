//! Small documents, built here.

use meshwright_convert::w3d::{Library, Options, Report, to_scene};
use record::zerocopy::IntoBytes;
use record::{Chars, F32, Node, Pod, Quaternion, U16, U32, Vec2, Vec3};
use scene::Scene;
use w3d::names::{ChannelType, ChannelType8, MeshFlags, Version};
use w3d::records::*;
use w3d::table::*;
use w3d::{W3d, build};

pub(crate) use w3d::build::{branch, record};

pub(crate) fn name<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(text).expect("a short name")
}

pub(crate) fn text(chunk: &'static w3d::Chunk, text: &str) -> Node<'static> {
    build::text(chunk, text).expect("ASCII")
}

pub(crate) fn document(chunks: impl IntoIterator<Item = Node<'static>>) -> W3d<'static> {
    let mut file = W3d::new();
    file.root.children_mut().expect("a branch").extend(chunks);
    // What is built here is what a file would give.
    let bytes = file.to_bytes().expect("small");
    W3d::parse(&bytes).expect("a W3D file").into_owned()
}

pub(crate) fn convert(chunks: impl IntoIterator<Item = Node<'static>>) -> (Scene, Report) {
    let document = document(chunks);
    to_scene(&Library::new(&document), None, &Options::default())
}

/// The scene of chunks about which there is nothing to say.
pub(crate) fn clean(chunks: impl IntoIterator<Item = Node<'static>>) -> Scene {
    let (scene, report) = convert(chunks);
    assert_eq!(report, Report::default());
    scene
}

pub(crate) fn ids(values: &[u32]) -> Vec<U32> {
    values.iter().map(|value| U32::new(*value)).collect()
}

pub(crate) fn vectors(values: &[[f32; 3]]) -> Vec<Vec3> {
    values.iter().map(|value| Vec3::from(*value)).collect()
}

/// A quarter turn about Z, as a file stores it.
pub(crate) fn quarter_z() -> [f32; 4] {
    let half = std::f32::consts::FRAC_PI_4;
    [0.0, 0.0, half.sin(), half.cos()]
}

pub(crate) const NO_TURN: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

pub(crate) fn pivot(label: &str, parent: u32, translation: [f32; 3], [x, y, z, w]: [f32; 4]) -> Pivot {
    Pivot {
        name: name(label),
        parent_idx: U32::new(parent),
        translation: Vec3::from(translation),
        euler_angles: Vec3::default(),
        rotation: Quaternion::new(x, y, z, w),
    }
}

/// A skeleton whose root is added.
pub(crate) fn hierarchy(label: &str, pivots: &[Pivot]) -> Node<'static> {
    let root = pivot("ROOTTRANSFORM", u32::MAX, [0.0; 3], NO_TURN);
    let pivots: Vec<Pivot> = std::iter::once(root).chain(pivots.iter().copied()).collect();
    let header = HierarchyHeader {
        version: Version::new(4, 1),
        name: name(label),
        num_pivots: U32::new(pivots.len() as u32),
        center: Vec3::default(),
    };
    branch(&HIERARCHY, [record(&HIERARCHY_HEADER, &header), build::array(&PIVOTS, &pivots)])
}

pub(crate) fn header(container: &str, mesh: &str, flags: MeshFlags) -> MeshHeader3 {
    MeshHeader3 {
        version: Version::new(4, 2),
        attributes: flags,
        mesh_name: name(mesh),
        container_name: name(container),
        ..MeshHeader3::default()
    }
}

pub(crate) fn triangle(corners: [u32; 3]) -> Triangle {
    Triangle { vindex: corners.map(U32::new), ..Triangle::default() }
}

/// A mesh of these vertices, three to a triangle, with normals along Z.
pub(crate) fn mesh(header: MeshHeader3, vertices: &[[f32; 3]], more: Vec<Node<'static>>) -> Node<'static> {
    let triangles: Vec<Triangle> =
        (0..vertices.len() as u32 / 3).map(|at| triangle([3 * at, 3 * at + 1, 3 * at + 2])).collect();
    let normals = vec![Vec3::new(0.0, 0.0, 1.0); vertices.len()];
    let mut children = vec![
        record(&MESH_HEADER3, &header),
        build::array(&VERTICES, &vectors(vertices)),
        build::array(&VERTEX_NORMALS, &normals),
        build::array(&TRIANGLES, &triangles),
    ];
    children.extend(more);
    branch(&MESH, children)
}

pub(crate) fn simple_mesh(container: &str, label: &str) -> Node<'static> {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    mesh(header(container, label, MeshFlags::default()), &corners, Vec::new())
}

pub(crate) fn sub_objects(kind: &'static w3d::Chunk, size: f32, objects: &[(u32, &str)]) -> Node<'static> {
    let header =
        HlodArrayHeader { model_count: U32::new(objects.len() as u32), max_screen_size: F32::new(size) };
    let objects = objects.iter().map(|(bone, label)| {
        record(&HLOD_SUB_OBJECT, &HlodSubObject { bone_index: U32::new(*bone), name: name(label) })
    });
    branch(kind, std::iter::once(record(&HLOD_SUB_OBJECT_ARRAY_HEADER, &header)).chain(objects))
}

pub(crate) fn hlod(label: &str, skeleton: &str, arrays: Vec<Node<'static>>) -> Node<'static> {
    let header = HlodHeader {
        version: Version::new(1, 0),
        lod_count: U32::new(arrays.len() as u32),
        name: name(label),
        hierarchy_name: name(skeleton),
    };
    branch(&HLOD, std::iter::once(record(&HLOD_HEADER, &header)).chain(arrays))
}

/// A model of one level.
pub(crate) fn model(label: &str, skeleton: &str, objects: &[(u32, &str)]) -> Node<'static> {
    hlod(label, skeleton, vec![sub_objects(&HLOD_LOD_ARRAY, f32::MAX, objects)])
}

pub(crate) fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

pub(crate) fn animation(
    label: &str,
    skeleton: &str,
    frames: u32,
    channels: Vec<Node<'static>>,
) -> Node<'static> {
    let header = AnimationHeader {
        version: Version::new(4, 1),
        name: name(label),
        hierarchy_name: name(skeleton),
        num_frames: U32::new(frames),
        frame_rate: U32::new(10),
    };
    branch(&ANIMATION, std::iter::once(record(&ANIMATION_HEADER, &header)).chain(channels))
}

pub(crate) fn compressed(
    label: &str,
    skeleton: &str,
    frames: u32,
    channels: Vec<Node<'static>>,
) -> Node<'static> {
    let header = CompressedAnimationHeader {
        version: Version::new(0, 1),
        name: name(label),
        hierarchy_name: name(skeleton),
        num_frames: U32::new(frames),
        frame_rate: U16::new(10),
        flavor: w3d::names::Flavor::TIMECODED,
    };
    branch(
        &COMPRESSED_ANIMATION,
        std::iter::once(record(&COMPRESSED_ANIMATION_HEADER, &header)).chain(channels),
    )
}

/// A raw channel.
pub(crate) fn raw(
    pivot: u16,
    target: ChannelType,
    first: u16,
    components: u16,
    values: &[f32],
) -> Node<'static> {
    let header = AnimationChannel {
        first_frame: U16::new(first),
        last_frame: U16::new(first + (values.len() / usize::from(components)) as u16 - 1),
        vector_len: U16::new(components),
        flags: target,
        pivot: U16::new(pivot),
        pad: U16::new(0),
    };
    build::bytes(&ANIMATION_CHANNEL, [header.as_bytes(), &floats(values)].concat())
}

/// A time-coded channel: frame, held until there, values.
pub(crate) fn keyed(pivot: u16, target: ChannelType8, keys: &[(u32, bool, &[f32])]) -> Node<'static> {
    let header = TimeCodedChannel {
        num_time_codes: U32::new(keys.len() as u32),
        pivot: U16::new(pivot),
        vector_len: keys[0].2.len() as u8,
        flags: target,
    };
    let keys = keys.iter().flat_map(|(frame, step, values)| {
        let code = frame | if *step { 0x8000_0000 } else { 0 };
        [code.to_le_bytes().to_vec(), floats(values)].concat()
    });
    let body: Vec<u8> = header.as_bytes().iter().copied().chain(keys).collect();
    build::bytes(&COMPRESSED_ANIMATION_CHANNEL, body)
}

pub(crate) fn influences(bones: &[[u16; 4]]) -> Node<'static> {
    let influences: Vec<VertexInfluence> = bones
        .iter()
        .map(|[a, b, first, second]| VertexInfluence {
            bone_idx: [U16::new(*a), U16::new(*b)],
            weight: [U16::new(*first), U16::new(*second)],
        })
        .collect();
    build::array(&VERTEX_INFLUENCES, &influences)
}

pub(crate) fn array<T: Pod>(chunk: &'static w3d::Chunk, values: &[T]) -> Node<'static> {
    build::array(chunk, values)
}

pub(crate) fn texcoords(values: &[[f32; 2]]) -> Vec<Vec2> {
    values.iter().map(|value| Vec2::from(*value)).collect()
}

/// Whether two points are the same but for rounding.
#[track_caller]
pub(crate) fn near(a: glam::Vec3, b: [f32; 3]) {
    assert!(a.abs_diff_eq(glam::Vec3::from(b), 1e-5), "{a} is not {b:?}");
}
