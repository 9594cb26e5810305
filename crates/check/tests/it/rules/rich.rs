//! A W3D file with nearly everything that rules are about, and nothing wrong with it. It extends the crate of `w3d::sample`.

use meshwright_check::Document;
use record::zerocopy::IntoBytes;
use record::{Chars, F32, Node, Quaternion, U16, U32, Vec3};
use w3d::build::{array, branch, bytes, record, text};
use w3d::names::*;
use w3d::records::*;
use w3d::table::*;
use w3d::{Chunk, W3d};

fn name<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(text).expect("short")
}

fn string(chunk: &'static Chunk, content: &str) -> Node<'static> {
    text(chunk, content).expect("ASCII")
}

pub(crate) fn document() -> Document<'static> {
    let mut file = W3d::parse(&w3d::sample::crate_box()).expect("the sample").into_owned();
    let mut skin = file.root.find("MESH").expect("a mesh").clone();
    make_skin(&mut skin);
    let root = file.root.children_mut().expect("chunks");
    root[0].children_mut().expect("a mesh").push(tree());
    root[1].children_mut().expect("a mesh").push(damage());
    root.insert(2, skin);
    let hlod = root.last_mut().expect("the model");
    let level = hlod.child_mut(&HLOD_LOD_ARRAY).expect("a level");
    let sub_object = HlodSubObject { bone_index: U32::new(0), name: name("MWCRATE.SKIN") };
    level.children_mut().expect("objects").push(record(&HLOD_SUB_OBJECT, &sub_object));
    level
        .child_mut(&HLOD_SUB_OBJECT_ARRAY_HEADER)
        .unwrap()
        .value_mut::<HlodArrayHeader>()
        .unwrap()
        .model_count
        .set(4);
    root.extend([
        keyed(),
        delta(),
        motion(),
        morph(),
        emitter(),
        aggregate(),
        lod_model(),
        collection(),
        h_model(),
        light(),
        shader_mesh(),
    ]);
    Document::W3d(file)
}

/// A skin on two bones: the lid's bone lies 0.3 above the body's.
fn make_skin(mesh: &mut Node<'static>) {
    let vertices: Vec<Vec3> = mesh.child(&VERTICES).unwrap().values().to_vec();
    let normals: Vec<Vec3> = mesh.child(&VERTEX_NORMALS).unwrap().values().to_vec();
    let second: Vec<Vec3> = vertices
        .iter()
        .map(|vertex| Vec3::new(vertex.x.get(), vertex.y.get(), vertex.z.get() - 0.3))
        .collect();
    let influence = VertexInfluence { bone_idx: [1, 2].map(U16::new), weight: [60, 40].map(U16::new) };
    let header = mesh.child_mut(&MESH_HEADER3).unwrap().value_mut::<MeshHeader3>().unwrap();
    header.mesh_name = name("SKIN");
    header.attributes = MeshFlags::GEOMETRY_SKIN;
    mesh.children_mut().unwrap().extend([
        array(&VERTEX_INFLUENCES, &vec![influence; vertices.len()]),
        array(&SECONDARY_VERTICES, &second),
        array(&SECONDARY_VERTEX_NORMALS, &normals),
    ]);
}

/// A collision tree of one leaf.
fn tree() -> Node<'static> {
    let header = AabTreeHeader { node_count: 1.into(), poly_count: 12.into(), ..AabTreeHeader::default() };
    let leaf = AabTreeNode {
        min: Vec3::new(-0.5, -0.5, -0.25),
        max: Vec3::new(0.5, 0.5, 0.25),
        front_or_poly0: U32::new(0x8000_0000),
        back_or_poly_count: U32::new(12),
    };
    let indices: Vec<U32> = (0..12).map(U32::new).collect();
    branch(
        &AABTREE,
        [
            record(&AABTREE_HEADER, &header),
            array(&AABTREE_POLYINDICES, &indices),
            array(&AABTREE_NODES, &[leaf]),
        ],
    )
}

fn damage() -> Node<'static> {
    let header =
        DamageHeader { num_damage_verts: 1.into(), num_damage_colors: 1.into(), ..DamageHeader::default() };
    let (vertex, color) = (DamageVertex::default(), DamageColor::default());
    branch(
        &DAMAGE,
        [
            record(&DAMAGE_HEADER, &header),
            array(&DAMAGE_VERTICES, &[vertex]),
            array(&DAMAGE_COLORS, &[color]),
        ],
    )
}

fn compressed(title: &str, version: Version, flavor: Flavor, channels: Vec<Node<'static>>) -> Node<'static> {
    let header = CompressedAnimationHeader {
        version,
        name: name(title),
        hierarchy_name: name("MWCRATE"),
        num_frames: U32::new(11),
        frame_rate: U16::new(15),
        flavor,
    };
    branch(
        &COMPRESSED_ANIMATION,
        std::iter::once(record(&COMPRESSED_ANIMATION_HEADER, &header)).chain(channels),
    )
}

fn keyed() -> Node<'static> {
    let header =
        TimeCodedChannel { num_time_codes: 3.into(), pivot: 1.into(), vector_len: 1, flags: ChannelType8::X };
    let keys = [(0, 0.0), (5, 1.0), (10, 3.0)]
        .map(|(time, value)| TimeCodedKey1 { time_code: U32::new(time), value: [F32::new(value)] });
    let turn =
        TimeCodedChannel { num_time_codes: 1.into(), pivot: 2.into(), vector_len: 4, flags: ChannelType8::Q };
    let rotation = TimeCodedKey4 { time_code: U32::new(0), value: [0.0, 0.0, 0.0, 1.0].map(F32::new) };
    let bits = CompressedBitChannel {
        num_time_codes: 2.into(),
        pivot: 2.into(),
        flags: BitChannelType8::VIS,
        default_val: 1,
    };
    let switches = [0x8000_0000, 5].map(U32::new);
    compressed(
        "MOVE",
        Version::new(0, 1),
        Flavor::TIMECODED,
        vec![
            bytes(&COMPRESSED_ANIMATION_CHANNEL, [header.as_bytes(), keys.as_bytes()].concat()),
            bytes(&COMPRESSED_ANIMATION_CHANNEL, [turn.as_bytes(), rotation.as_bytes()].concat()),
            bytes(&COMPRESSED_BIT_CHANNEL, [bits.as_bytes(), switches.as_bytes()].concat()),
        ],
    )
}

fn delta() -> Node<'static> {
    let header = AdaptiveDeltaChannel {
        num_frames: 11.into(),
        pivot: 1.into(),
        vector_len: 1,
        flags: ChannelType8::Y,
        scale: F32::new(0.1),
    };
    let body = [header.as_bytes(), &[0; 4], &[16, 0x11, 0x11, 0, 0, 0, 0, 0, 0], &[1, 2, 3]].concat();
    let channel = Node::leaf(&ADAPTIVE_DELTA_CHANNEL, 0x282, body);
    compressed("DELTA", Version::new(0, 1), Flavor::ADAPTIVE_DELTA, vec![channel])
}

fn motion() -> Node<'static> {
    let header = MotionChannel {
        zero: 0,
        flavor: MotionFlavor::TIMECODED,
        vector_len: 1,
        flags: ChannelType8::Z,
        num_time_codes: 3.into(),
        pivot: 1.into(),
    };
    let times = [0, 4, 9, 0].map(U16::new);
    let values = [0.0, 2.0, 1.0].map(F32::new);
    let body = [header.as_bytes(), times.as_bytes(), values.as_bytes()].concat();
    let channel = bytes(&COMPRESSED_ANIMATION_MOTION_CHANNEL, body);
    compressed("MOTION", Version::new(1, 0), Flavor::TIMECODED, vec![channel])
}

fn morph() -> Node<'static> {
    let header = MorphAnimHeader {
        name: name("FACE"),
        hierarchy_name: name("MWCRATE"),
        frame_count: 11.into(),
        frame_rate: F32::new(15.0),
        channel_count: 1.into(),
        ..MorphAnimHeader::default()
    };
    let keys = [MorphKey::default(), MorphKey { morph_frame: 10.into(), pose_frame: 5.into() }];
    branch(
        &MORPH_ANIMATION,
        [
            record(&MORPHANIM_HEADER, &header),
            branch(
                &MORPHANIM_CHANNEL,
                [string(&MORPHANIM_POSENAME, "MWCRATE.OPEN"), array(&MORPHANIM_KEYDATA, &keys)],
            ),
            array(&MORPHANIM_PIVOTCHANNELDATA, &[U32::new(0); 3]),
        ],
    )
}

fn emitter() -> Node<'static> {
    let header = EmitterHeader { version: Version::new(2, 0), name: name("MWSMOKE") };
    let info = EmitterInfo {
        texture_filename: name("smoke.tga"),
        lifetime: F32::new(1.0),
        ..EmitterInfo::default()
    };
    let properties = EmitterProperties {
        color_keyframes: 1.into(),
        opacity_keyframes: 2.into(),
        size_keyframes: 1.into(),
        ..EmitterProperties::default()
    };
    let later = EmitterKey { time: F32::new(0.5), value: F32::new(1.0) };
    let keys = [
        EmitterColorKey::default().as_bytes(),
        EmitterKey::default().as_bytes(),
        later.as_bytes(),
        later.as_bytes(),
    ]
    .concat();
    let rotation = EmitterRotationHeader { keyframe_count: 1.into(), ..EmitterRotationHeader::default() };
    let turns = [EmitterKey::default(), later];
    branch(
        &EMITTER,
        [
            record(&EMITTER_HEADER, &header),
            record(&EMITTER_USER_DATA, &EmitterUserData::default()),
            record(&EMITTER_INFO, &info),
            record(&EMITTER_INFOV2, &EmitterInfo2::default()),
            bytes(&EMITTER_PROPS, [properties.as_bytes(), &keys].concat()),
            bytes(&EMITTER_ROTATION_KEYFRAMES, [rotation.as_bytes(), turns.as_bytes()].concat()),
        ],
    )
}

fn aggregate() -> Node<'static> {
    let header = AggregateHeader { version: Version::new(1, 3), name: name("MWAGG") };
    let info = AggregateInfo { base_model_name: name("MWCRATE"), subobject_count: 1.into() };
    let object = AggregateSubobject { subobject_name: name("MWSMOKE"), bone_name: name("LID") };
    branch(
        &AGGREGATE,
        [
            record(&AGGREGATE_HEADER, &header),
            bytes(&AGGREGATE_INFO, [info.as_bytes(), object.as_bytes()].concat()),
        ],
    )
}

fn lod_model() -> Node<'static> {
    let header = LodModelHeader {
        version: Version::new(1, 0),
        name: name("MWLOD"),
        num_lods: 1.into(),
        ..LodModelHeader::default()
    };
    let level =
        Lod { render_obj_name: name("MWCRATE.BODY"), lod_min: F32::new(0.0), lod_max: F32::new(100.0) };
    branch(&LODMODEL, [record(&LODMODEL_HEADER, &header), record(&LOD, &level)])
}

fn collection() -> Node<'static> {
    let header = CollectionHeader {
        version: Version::new(1, 0),
        name: name("MWCOLL"),
        render_object_count: 1.into(),
        ..CollectionHeader::default()
    };
    branch(&COLLECTION, [record(&COLLECTION_HEADER, &header), string(&COLLECTION_OBJ_NAME, "MWCRATE.BODY")])
}

fn h_model() -> Node<'static> {
    let header = HModelHeader {
        version: Version::new(4, 1),
        name: name("MWHMODEL"),
        hierarchy_name: name("MWCRATE"),
        num_connections: 1.into(),
        ..HModelHeader::default()
    };
    let connection = HModelNode { render_obj_name: name("BODY"), pivot_idx: 1.into() };
    branch(&HMODEL, [record(&HMODEL_HEADER, &header), record(&NODE, &connection)])
}

fn light() -> Node<'static> {
    let near = LightAttenuation { start: F32::new(0.0), end: F32::new(5.0) };
    branch(&LIGHT, [record(&LIGHT_INFO, &LightInfo::default()), record(&NEAR_ATTENUATION, &near)])
}

fn shader_mesh() -> Node<'static> {
    let header = ShdMeshHeader {
        num_triangles: 1.into(),
        num_vertices: 3.into(),
        num_sub_meshes: 1.into(),
        ..ShdMeshHeader::default()
    };
    let sub =
        ShdSubMeshHeader { num_triangles: 1.into(), num_vertices: 3.into(), ..ShdSubMeshHeader::default() };
    let vertices = [Vec3::new(0.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
    branch(
        &SHDMESH,
        [
            string(&SHDMESH_NAME, "MWCRATE.SHD"),
            record(&SHDMESH_HEADER, &header),
            branch(
                &SHDSUBMESH,
                [
                    record(&SHDSUBMESH_HEADER, &sub),
                    array(&SHDSUBMESH_VERTICES, &vertices),
                    array(&SHDSUBMESH_TRIANGLES, &[[0, 1, 2].map(U16::new)]),
                ],
            ),
        ],
    )
}

/// A rotation that does nothing.
pub(crate) fn identity() -> Quaternion {
    Quaternion::new(0.0, 0.0, 0.0, 1.0)
}
