//! Refused transforms, one cause at a time; without the cause, the same transform succeeds.

use crate::common::{self, crate_box};
use mdx::records::*;
use mdx::{kinds, tags};
use meshwright_edit::{Axis, Error, Skeletons, Transform, skeletons, transform};
use record::zerocopy::IntoBytes;
use record::{Chars, F32, Kind, Node, Quaternion, U16, U32, Vec3};
use w3d::names::{ChannelType, ChannelType8, MotionFlavor, Version};
use w3d::records as westwood;
use w3d::table;

const UNEVEN: Transform = Transform::Scale([1.0, 1.0, 2.0]);
const EVEN: Transform = Transform::Scale([2.0; 3]);
const MOVE: Transform = Transform::Translate([1.0, 0.0, 0.0]);

fn about(axis: Axis, degrees: f32) -> Transform {
    Transform::Rotate(axis, degrees)
}

fn tried(root: &Node<'_>, what: &Transform) -> Result<usize, Error> {
    transform(&mut root.clone(), what)
}

#[track_caller]
fn refused(root: &Node<'_>, what: &Transform, word: &str) {
    match tried(root, what) {
        Ok(changed) => panic!("{what:?} changed {changed} parts, but has to be refused: {word}"),
        Err(error) => assert!(error.message.contains(word), "{what:?}: {error}"),
    }
}

#[track_caller]
fn done(root: &Node<'_>, what: &Transform) {
    if let Err(error) = tried(root, what) {
        panic!("{what:?}: {error}");
    }
}

/// An MDX file with one object, of these parts.
fn mdx_of(parts: Vec<Node<'static>>) -> Node<'static> {
    let version = mdx::build::leaf(&kinds::VERS, &[U32::new(1000)]);
    let object = mdx::build::branch(&kinds::COLLISION_SHAPE, parts);
    mdx::build::file(vec![version, mdx::build::branch(&kinds::CLID, vec![object])])
}

fn empty(kind: &'static Kind) -> Node<'static> {
    mdx::build::branch(kind, vec![])
}

fn vectors(tag: u32, values: &[[f32; 3]]) -> Node<'static> {
    let keys: Vec<(i32, Vec3)> = (0..).zip(values).map(|(time, value)| (time, Vec3::from(*value))).collect();
    mdx::build::track(tag, Interpolation::LINEAR, -1, &keys).expect("a track")
}

#[test]
fn what_is_round_has_one_factor() {
    for kind in [
        kinds::LIGHT.row,
        kinds::PARTICLE_EMITTER.row,
        kinds::PARTICLE_EMITTER_2.row,
        kinds::RIBBON_EMITTER.row,
        kinds::SHAPE_SPHERE.row,
        kinds::SHAPE_CYLINDER.row,
        kinds::WOW_SHAPE_CYLINDER.row,
        kinds::SHAPE_PLANE.row,
    ] {
        let root = mdx_of(vec![empty(kind)]);
        refused(&root, &UNEVEN, "round");
        done(&root, &EVEN);
        done(&root, &MOVE);
    }
    done(&mdx_of(vec![empty(kinds::HELPER.row)]), &UNEVEN);
}

#[test]
fn what_turns_has_one_factor() {
    let turning = |count: usize| {
        let keys = vec![(0, Quaternion::new(0.0, 0.0, 0.0, 1.0)); count];
        mdx_of(vec![mdx::build::track(tags::KGRT, Interpolation::LINEAR, -1, &keys).expect("a track")])
    };
    refused(&turning(1), &UNEVEN, "it is rotated");
    done(&turning(1), &EVEN);
    let translations = mdx_of(vec![vectors(tags::KGTR, &[[1.0, 2.0, 3.0]])]);
    done(&translations, &UNEVEN);
    // A rest pose may be scaled along its axes, but not turned: none of the six other parts may be anything.
    for part in 0..9 {
        let mut axes = [2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0];
        axes[part] += 0.5;
        let row = |index: usize| Vec3::new(axes[index], axes[index + 1], axes[index + 2]);
        let pose = BindPose { x: row(0), y: row(3), z: row(6), translation: Vec3::default() };
        let root = mdx_of(vec![mdx::build::counted(&kinds::BPOS, &[pose])]);
        if part % 4 == 0 {
            done(&root, &UNEVEN);
        } else {
            refused(&root, &UNEVEN, "it is rotated");
        }
    }
}

/// The bits are the same in both dialects.
#[test]
fn what_faces_the_camera_turns_about_its_own_axis_and_has_one_factor() {
    for (flags, faces, turns) in [
        (NodeFlags::BILLBOARDED, true, true),
        (NodeFlags::BILLBOARDED_LOCK_X, true, false),
        (NodeFlags::BILLBOARDED_LOCK_Y, true, false),
        (NodeFlags::BILLBOARDED_LOCK_Z, true, true),
        (NodeFlags::CAMERA_ANCHORED, false, true),
        (NodeFlags::BONE, false, true),
        (NodeFlags::new(0), false, true),
    ] {
        let warcraft = mdx::build::part(&NodeHeader { flags, ..NodeHeader::default() });
        let wow = WowNodeHeader { flags: WowNodeFlags::new(flags.get()), ..WowNodeHeader::default() };
        for root in [mdx_of(vec![warcraft]), mdx_of(vec![mdx::build::part(&wow)])] {
            assert_eq!(tried(&root, &UNEVEN).is_err(), faces, "{flags:?}");
            assert_eq!(tried(&root, &about(Axis::Z, 180.0)).is_ok(), turns, "{flags:?}");
            done(&root, &EVEN);
            done(&root, &MOVE);
        }
    }
}

#[test]
fn what_has_no_orientation_turns_about_z() {
    for kind in [
        kinds::CAMERA.row,
        kinds::PARTICLE_EMITTER.row,
        kinds::PARTICLE_EMITTER_2.row,
        kinds::RIBBON_EMITTER.row,
        kinds::POPCORN_EMITTER.row,
    ] {
        let root = mdx_of(vec![empty(kind)]);
        refused(&root, &about(Axis::X, 90.0), "about Z");
        refused(&root, &about(Axis::Y, 180.0), "about Z");
        done(&root, &about(Axis::Z, 45.0));
    }
    for kind in [kinds::WOW_SHAPE_CYLINDER.row, kinds::SHAPE_PLANE.row] {
        let root = mdx_of(vec![empty(kind)]);
        refused(&root, &about(Axis::X, 180.0), "upright");
        done(&root, &about(Axis::Z, 45.0));
    }
    for kind in [kinds::LIGHT.row, kinds::SHAPE_CYLINDER.row, kinds::SHAPE_SPHERE.row] {
        done(&mdx_of(vec![empty(kind)]), &about(Axis::X, 45.0));
    }
}

#[test]
fn what_is_longer_than_wide_turns_by_right_angles() {
    let emitter = |length: f32, width: f32| {
        let (length, width) = (F32::new(length), F32::new(width));
        [
            mdx::build::part(&ParticleEmitter2Header { length, width, ..ParticleEmitter2Header::default() }),
            mdx::build::part(&WowParticleEmitter2Header {
                length,
                width,
                ..WowParticleEmitter2Header::default()
            }),
            mdx::build::part(&ShapePlane { length, width }),
        ]
    };
    for part in emitter(4.0, 2.0) {
        let root = mdx_of(vec![part]);
        refused(&root, &about(Axis::Z, 89.0), "90 degrees");
        refused(&root, &about(Axis::Z, 179.0), "90 degrees");
        done(&root, &about(Axis::Z, 90.0));
        done(&root, &about(Axis::Z, 180.0));
        done(&root, &about(Axis::Z, -360.0));
    }
    for part in emitter(2.0, 2.0) {
        done(&mdx_of(vec![part]), &about(Axis::Z, 30.0));
    }
    // A track may make it longer at any time.
    for tag in [tags::KP2N, tags::KP2W] {
        let track =
            mdx::build::track(tag, Interpolation::LINEAR, -1, &[(0, F32::new(1.0))]).expect("a track");
        let root = mdx_of(vec![track]);
        refused(&root, &about(Axis::Z, 45.0), "90 degrees");
        done(&root, &about(Axis::Z, 90.0));
    }
}

/// Published collision shapes have their corners in any order.
#[test]
fn a_box_with_swapped_corners_is_transformed() {
    let shape = ShapeBox { minimum: Vec3::new(1.0, 2.0, 3.0), maximum: Vec3::new(0.0, 4.0, 0.0) };
    let root = mdx_of(vec![mdx::build::part(&shape)]);
    let corners = |what: &Transform| {
        let mut after = root.clone();
        transform(&mut after, what).expect("a box");
        let found =
            after.find("CLID/CollisionShape/ShapeBox").and_then(Node::value::<ShapeBox>).expect("a box");
        (found.minimum.get(), found.maximum.get())
    };
    assert_eq!(corners(&EVEN), ([2.0, 4.0, 6.0], [0.0, 8.0, 0.0]));
    assert_eq!(corners(&about(Axis::Z, 90.0)), ([-4.0, 0.0, 0.0], [-2.0, 1.0, 3.0]));
}

/// Zeros mean that an extent was never computed; moved, they would be a point.
#[test]
fn an_extent_that_was_never_computed_stays_zero() {
    let bytes = mdx::build::samples().swap_remove(0).1;
    let mut file = mdx::Document::parse(&bytes).expect("a sample").into_owned();
    let model = file.root.find_mut("MODL").and_then(Node::value_mut::<Model>).expect("a model");
    model.extent = Extent::default();
    transform(&mut file.root, &MOVE).expect("a model");
    let model = file.root.find("MODL").and_then(Node::value::<Model>).expect("a model");
    assert_eq!((model.extent.minimum.get(), model.extent.maximum.get()), ([0.0; 3], [0.0; 3]));
}

#[test]
fn boxes_and_uneven_scalings_turn_by_right_angles() {
    let shape = ShapeBox { minimum: Vec3::new(0.0, 0.0, 0.0), maximum: Vec3::new(1.0, 2.0, 3.0) };
    let root = mdx_of(vec![mdx::build::part(&shape)]);
    refused(&root, &about(Axis::Z, 45.0), "90 degrees");
    let mut turned = root.clone();
    transform(&mut turned, &about(Axis::Z, 90.0)).expect("a right angle");
    let found = turned.find("CLID/CollisionShape/ShapeBox").and_then(Node::value::<ShapeBox>).expect("a box");
    assert_eq!((found.minimum.get(), found.maximum.get()), ([-2.0, 0.0, 0.0], [0.0, 1.0, 3.0]));
    // Each axis counts, in the second key too, and tangents as much as values.
    for (value, even) in [
        ([2.0, 2.0, 2.0], true),
        ([1.0, 2.0, 2.0], false),
        ([2.0, 2.0, 1.0], false),
        ([2.0, 1.0, 2.0], false),
    ] {
        let plain = mdx_of(vec![vectors(tags::KGSC, &[[1.0; 3], value])]);
        assert_eq!(tried(&plain, &about(Axis::Z, 45.0)).is_ok(), even, "{value:?}");
        done(&plain, &about(Axis::X, 90.0));
        for part in 0..3 {
            let mut values = [Vec3::from([1.0; 3]); 3];
            values[part] = value.into();
            let [value, in_tan, out_tan] = values;
            let key = TangentKey { time: 0.into(), value, in_tan, out_tan };
            let track = mdx::build::tangent_track(tags::KGSC, Interpolation::HERMITE, -1, &[key]);
            let curved = mdx_of(vec![track.expect("a track")]);
            assert_eq!(tried(&curved, &about(Axis::Z, 45.0)).is_ok(), even, "{values:?}");
        }
    }
    // A quarter turn about X exchanges Y and Z; about Y, X and Z.
    for (axis, expected) in
        [(Axis::X, [4.0, 6.0, 5.0]), (Axis::Y, [6.0, 5.0, 4.0]), (Axis::Z, [5.0, 4.0, 6.0])]
    {
        let mut root = mdx_of(vec![vectors(tags::KGSC, &[[4.0, 5.0, 6.0]])]);
        transform(&mut root, &about(axis, 90.0)).expect("a right angle");
        let track = root.find("CLID/CollisionShape/KGSC").expect("a track");
        assert_eq!(track.values::<Key<Vec3>>()[0].value.get(), expected, "{axis:?}");
    }
}

/// The message says where.
#[test]
fn a_refusal_names_the_part() {
    let root = mdx_of(vec![empty(kinds::LIGHT.row)]);
    let error = tried(&root, &UNEVEN).expect_err("it is round");
    assert!(error.message.starts_with("CLID[0]/CollisionShape[0]/Light[0]:"), "{error}");
}

fn w3d_of(chunks: Vec<Node<'static>>) -> Node<'static> {
    Node::branch(&w3d::table::FILE, 0, chunks)
}

fn name<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(text).expect("short")
}

#[test]
fn meshes_of_old_versions_are_refused() {
    let old = || w3d::build::record(&table::MESH_HEADER, &westwood::MeshHeader::default());
    let new = || w3d::build::record(&table::MESH_HEADER3, &westwood::MeshHeader3::default());
    let mesh = |header| w3d::build::branch(&table::MESH, [header]);
    for what in [EVEN, MOVE, about(Axis::Z, 90.0)] {
        // First, last, or alone.
        refused(&w3d_of(vec![mesh(old())]), &what, "version 1 or 2");
        refused(&w3d_of(vec![mesh(old()), mesh(new())]), &what, "version 1 or 2");
        refused(&w3d_of(vec![mesh(new()), mesh(old())]), &what, "version 1 or 2");
        done(&w3d_of(vec![mesh(new())]), &what);
    }
}

fn skeleton(title: &str, version: Version, pivots: &[westwood::Pivot]) -> Node<'static> {
    let header = westwood::HierarchyHeader { version, name: name(title), ..Default::default() };
    w3d::build::branch(
        &table::HIERARCHY,
        [w3d::build::record(&table::HIERARCHY_HEADER, &header), w3d::build::array(&table::PIVOTS, pivots)],
    )
}

fn bone(parent: u32, rotation: [f32; 4]) -> westwood::Pivot {
    let [x, y, z, w] = rotation;
    westwood::Pivot {
        parent_idx: U32::new(parent),
        rotation: Quaternion::new(x, y, z, w),
        translation: Vec3::new(1.0, 2.0, 3.0),
        ..westwood::Pivot::default()
    }
}

const UPRIGHT: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// An HLOD of the model `TANK` with objects on bones.
fn hlod(hierarchy: &str, objects: &[(u32, &str)]) -> Node<'static> {
    let header = westwood::HlodHeader {
        name: name("TANK"),
        hierarchy_name: name(hierarchy),
        ..westwood::HlodHeader::default()
    };
    let objects = objects.iter().map(|(bone, title)| {
        let object = westwood::HlodSubObject { bone_index: U32::new(*bone), name: name(title) };
        w3d::build::record(&table::HLOD_SUB_OBJECT, &object)
    });
    let level = w3d::build::branch(&table::HLOD_LOD_ARRAY, objects);
    w3d::build::branch(&table::HLOD, [w3d::build::record(&table::HLOD_HEADER, &header), level])
}

fn h_model(hierarchy: &str, version: Version, objects: &[(u16, &str)]) -> Node<'static> {
    let header = westwood::HModelHeader {
        version,
        name: name("TANK"),
        hierarchy_name: name(hierarchy),
        ..westwood::HModelHeader::default()
    };
    let objects = objects.iter().map(|(bone, title)| {
        let object = westwood::HModelNode { render_obj_name: name(title), pivot_idx: U16::new(*bone) };
        w3d::build::record(&table::NODE, &object)
    });
    let header = w3d::build::record(&table::HMODEL_HEADER, &header);
    w3d::build::branch(&table::HMODEL, std::iter::once(header).chain(objects))
}

#[test]
fn w3d_parts_that_are_round_or_turned_have_one_factor() {
    for chunk in
        [table::EMITTER.row, table::LIGHT.row, table::SPHERE.row, table::RING.row, table::SOUNDROBJ.row]
    {
        let root = w3d_of(vec![w3d::build::branch(chunk, [])]);
        refused(&root, &UNEVEN, chunk.kind.name);
        done(&root, &EVEN);
    }
    for chunk in [table::PLACEHOLDER.row, table::TRANSFORM_NODE.row, table::LIGHT_TRANSFORM.row] {
        let root = w3d_of(vec![w3d::sample::example(chunk)]);
        refused(&root, &UNEVEN, "which has a rotation");
    }
    // Any of the three parts of a rotation turns; what is not turned has the opposite sign as well.
    for (rotation, turned) in [
        (UPRIGHT, false),
        ([0.0, 0.0, 0.0, -1.0], false),
        ([0.5, 0.0, 0.0, 0.5], true),
        ([0.0, 0.5, 0.0, 0.5], true),
        ([0.0, 0.0, 0.5, 0.5], true),
    ] {
        let root =
            w3d_of(vec![skeleton("TANK", Version::new(4, 1), &[bone(u32::MAX, UPRIGHT), bone(0, rotation)])]);
        assert_eq!(tried(&root, &UNEVEN).is_err(), turned, "{rotation:?}");
        done(&root, &EVEN);
    }
}

#[test]
fn a_skeleton_elsewhere_may_turn() {
    let version = Version::new(4, 1);
    let here = || skeleton("Tank_SKL", version, &[bone(u32::MAX, UPRIGHT)]);
    for model in [hlod("TANK_SKL", &[]), h_model("TANK_SKL", version, &[])] {
        refused(&w3d_of(vec![model.clone()]), &UNEVEN, "another file");
        // Case does not matter, nor which comes first.
        done(&w3d_of(vec![here(), model.clone()]), &UNEVEN);
        done(&w3d_of(vec![model, here()]), &UNEVEN);
    }
    let other = skeleton("OTHER", version, &[bone(u32::MAX, UPRIGHT)]);
    refused(&w3d_of(vec![other, hlod("TANK_SKL", &[])]), &UNEVEN, "TANK_SKL");
    for model in [hlod("", &[]), h_model("", version, &[])] {
        done(&w3d_of(vec![model]), &UNEVEN);
    }
}

#[test]
fn the_skeletons_of_a_file() {
    let version = Version::new(4, 1);
    let here = || skeleton("Tank_SKL", version, &[bone(u32::MAX, UPRIGHT)]);
    let found = |chunks| skeletons(&w3d_of(chunks));
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
    assert_eq!(found(vec![]), Skeletons::default());
    assert_eq!(
        found(vec![here(), hlod("TANK_SKL", &[])]),
        Skeletons { here: names(&["Tank_SKL"]), elsewhere: vec![] }
    );
    assert_eq!(
        found(vec![here(), hlod("OTHER", &[]), h_model("OTHER", version, &[]), h_model("", version, &[])]),
        Skeletons { here: names(&["Tank_SKL"]), elsewhere: names(&["OTHER"]) }
    );
    let (_, mdx) = &common::mdx_samples()[0];
    assert_eq!(skeletons(&common::mdx_sample(mdx).root), Skeletons::default());
}

/// Before version 3.0 the root is not in the file, and bones are numbered otherwise.
#[test]
fn skeletons_and_models_before_version_3_are_not_placed() {
    let pivots = [bone(u32::MAX, UPRIGHT)];
    for (version, old) in [
        (Version::new(2, 9), true),
        (Version::new(3, 0), false),
        (Version::new(3, 1), false),
        (Version::new(4, 1), false),
    ] {
        let current = || skeleton("OTHER", Version::new(4, 1), &pivots);
        let (one, two) = (skeleton("TANK", version, &pivots), h_model("TANK", version, &[]));
        for part in [one, two] {
            // Also if a newer one comes after or before it.
            for chunks in [vec![part.clone(), current()], vec![current(), part.clone()], vec![part]] {
                assert_eq!(tried(&w3d_of(chunks), &MOVE).is_err(), old, "{version:?}");
            }
        }
    }
}

/// Names of meshes and boxes with their containers, as models refer to them.
fn mesh(title: &str) -> Node<'static> {
    let header = westwood::MeshHeader3 {
        container_name: name("TANK"),
        mesh_name: name(title),
        sph_center: Vec3::new(1.0, 1.0, 1.0),
        ..westwood::MeshHeader3::default()
    };
    w3d::build::branch(&table::MESH, [w3d::build::record(&table::MESH_HEADER3, &header)])
}

#[test]
fn what_is_on_a_bone_follows_it() {
    let version = Version::new(4, 1);
    let changed = |model: Node<'static>| tried(&w3d_of(vec![mesh("HULL"), model]), &MOVE);
    assert_eq!(changed(hlod("TANK", &[(1, "TANK.HULL")])), Ok(0));
    assert_eq!(changed(hlod("TANK", &[(1, "tank.hull")])), Ok(0), "case does not matter");
    assert_eq!(changed(hlod("TANK", &[(0, "TANK.HULL")])), Ok(1));
    assert_eq!(changed(hlod("TANK", &[(0, "TANK.HULL"), (0, "TANK.HULL")])), Ok(1));
    assert_eq!(changed(hlod("TANK", &[(1, "TANK.TURRET")])), Ok(1));
    assert_eq!(changed(h_model("TANK", version, &[(2, "HULL")])), Ok(0));
    assert_eq!(changed(h_model("TANK", version, &[(0, "Hull")])), Ok(1));
    // On the root in one level and on a bone in another, it would have to be both.
    let error = changed(hlod("TANK", &[(0, "TANK.HULL"), (1, "TANK.HULL")])).expect_err("it is on both");
    assert!(error.message.contains("attached to the root and to another bone"), "{error}");
}

#[test]
fn effects_have_the_place_of_their_bone() {
    for chunk in [
        table::EMITTER.row,
        table::LIGHT.row,
        table::SPHERE.row,
        table::RING.row,
        table::DAZZLE.row,
        table::SOUNDROBJ.row,
        table::AGGREGATE.row,
    ] {
        let root = w3d_of(vec![w3d::build::branch(chunk, [])]);
        refused(&root, &MOVE, "stores no position");
        done(&root, &EVEN);
    }
    let header = westwood::EmitterHeader { version: Version::new(2, 0), name: name("SMOKE") };
    let emitter = w3d::build::branch(&table::EMITTER, [w3d::build::record(&table::EMITTER_HEADER, &header)]);
    done(&w3d_of(vec![emitter.clone(), hlod("TANK", &[(1, "SMOKE")])]), &MOVE);
    refused(&w3d_of(vec![emitter, hlod("TANK", &[(0, "SMOKE")])]), &MOVE, "SMOKE");
    // Chunks that are not objects are skipped.
    done(&w3d_of(vec![Node::leaf(&table::UNKNOWN, 0xABCD, vec![1])]), &MOVE);
}

#[test]
fn a_box_on_no_bone_turns_by_right_angles() {
    let hull = westwood::CollisionBox {
        name: name("TANK.HULL"),
        center: Vec3::new(1.0, 2.0, 3.0),
        extent: Vec3::new(4.0, 5.0, 6.0),
        ..westwood::CollisionBox::default()
    };
    let hull = || w3d::build::record(&table::BOX, &hull);
    refused(&w3d_of(vec![hull()]), &about(Axis::Z, 45.0), "TANK.HULL");
    done(&w3d_of(vec![hull(), hlod("TANK", &[(1, "TANK.HULL")])]), &about(Axis::Z, 45.0));
    let mut root = w3d_of(vec![hull()]);
    transform(&mut root, &about(Axis::Z, 90.0)).expect("a right angle");
    let found = root.find("BOX").and_then(Node::value::<westwood::CollisionBox>).expect("a box");
    // Half sizes have no sign.
    assert_eq!((found.center.get(), found.extent.get()), ([-2.0, 1.0, 3.0], [5.0, 4.0, 6.0]));
}

#[test]
fn only_bones_below_the_root_are_placed() {
    let pivots = [bone(u32::MAX, UPRIGHT), bone(0, UPRIGHT), bone(1, UPRIGHT), bone(0, UPRIGHT)];
    let mut root = w3d_of(vec![skeleton("TANK", Version::new(4, 1), &pivots)]);
    // The header's centre and two bones.
    assert_eq!(transform(&mut root, &Transform::Translate([10.0, 20.0, 30.0])), Ok(3));
    let moved = root.find("HIERARCHY/PIVOTS").expect("bones").values::<westwood::Pivot>();
    let places: Vec<[f32; 3]> = moved.iter().map(|pivot| pivot.translation.get()).collect();
    assert_eq!(places, [[1.0, 2.0, 3.0], [11.0, 22.0, 33.0], [1.0, 2.0, 3.0], [11.0, 22.0, 33.0]]);
    assert!(moved.iter().all(|pivot| pivot.rotation.get() == UPRIGHT), "nothing turns");
}

#[test]
fn a_light_of_lightscape_is_placed_by_its_matrix() {
    // Rows: the axes are the first three columns, the place is the fourth.
    let rows = [[1.0, 0.0, 0.0, 4.0], [0.0, 1.0, 0.0, 5.0], [0.0, 0.0, 1.0, 6.0]];
    let light = || {
        let matrix = westwood::LightTransform { transform: rows.map(|row| row.map(F32::new)) };
        let light = w3d::build::branch(
            &table::LIGHTSCAPE_LIGHT,
            [w3d::build::record(&table::LIGHT_TRANSFORM, &matrix)],
        );
        w3d_of(vec![w3d::build::branch(&table::LIGHTSCAPE, [light])])
    };
    let changed = |what: Transform| {
        let mut root = light();
        assert_eq!(transform(&mut root, &what), Ok(1), "{what:?}");
        let node = root.find("LIGHTSCAPE/LIGHTSCAPE_LIGHT/LIGHT_TRANSFORM");
        let matrix = node.and_then(Node::value::<westwood::LightTransform>).expect("a matrix");
        matrix.transform.map(|row| row.map(F32::get))
    };
    assert_eq!(
        changed(Transform::Translate([10.0, 20.0, 30.0])),
        [[1.0, 0.0, 0.0, 14.0], [0.0, 1.0, 0.0, 25.0], [0.0, 0.0, 1.0, 36.0]]
    );
    // X becomes Y, Y becomes minus X.
    assert_eq!(
        changed(about(Axis::Z, 90.0)),
        [[0.0, -1.0, 0.0, -5.0], [1.0, 0.0, 0.0, 4.0], [0.0, 0.0, 1.0, 6.0]]
    );
    assert_eq!(changed(EVEN), [[1.0, 0.0, 0.0, 8.0], [0.0, 1.0, 0.0, 10.0], [0.0, 0.0, 1.0, 12.0]]);
}

/// A skin with the vertices (1, 1, 1) and (2, 2, 2), in the spaces of both bones of each.
fn skin(influences: Node<'static>) -> Node<'static> {
    let vertices = [Vec3::from([1.0; 3]), Vec3::from([2.0; 3])];
    let mut mesh = mesh("SKIN");
    mesh.children_mut().expect("parts").extend([
        w3d::build::array(&table::VERTICES, &vertices),
        w3d::build::array(&table::VERTEX_NORMALS, &vertices),
        w3d::build::array(&table::TANGENTS, &vertices),
        w3d::build::array(&table::BITANGENTS, &vertices),
        w3d::build::array(&table::SURRENDER_NORMALS, &vertices),
        w3d::build::array(&table::SECONDARY_VERTICES, &vertices),
        w3d::build::array(&table::SECONDARY_VERTEX_NORMALS, &vertices),
        influences,
    ]);
    mesh
}

/// The first position of a vertex is in the space of its first bone, the second in that of the second: what is in the root's
/// space turns.
#[test]
fn vertices_of_a_skin_turn_in_the_space_of_their_bones() {
    let influence = |first: u16, second: u16| westwood::VertexInfluence {
        bone_idx: [first, second].map(U16::new),
        ..westwood::VertexInfluence::default()
    };
    // The first vertex is on the root and then on a bone, the second the other way round.
    let influences = w3d::build::array(&table::VERTEX_INFLUENCES, &[influence(0, 1), influence(1, 0)]);
    let mut root = w3d_of(vec![skin(influences)]);
    // The header and seven arrays.
    assert_eq!(transform(&mut root, &about(Axis::Z, 180.0)), Ok(8));
    let (old, new) = ([[1.0; 3], [2.0; 3]], [[-1.0, -1.0, 1.0], [-2.0, -2.0, 2.0]]);
    for part in ["VERTICES", "VERTEX_NORMALS", "TANGENTS", "BITANGENTS", "SURRENDER_NORMALS"] {
        let found = root.find(&format!("MESH/{part}")).expect("it is there").values::<Vec3>();
        assert_eq!([found[0].get(), found[1].get()], [new[0], old[1]], "{part}");
    }
    for part in ["SECONDARY_VERTICES", "SECONDARY_VERTEX_NORMALS"] {
        let found = root.find(&format!("MESH/{part}")).expect("it is there").values::<Vec3>();
        assert_eq!([found[0].get(), found[1].get()], [old[0], new[1]], "{part}");
    }
    // The bounds are those of the whole.
    let header = root.find("MESH/MESH_HEADER3").and_then(Node::value::<westwood::MeshHeader3>);
    assert_eq!(header.expect("a header").sph_center.get(), [-1.0, -1.0, 1.0]);
    // A vertex that has no influence is in nobody's space, and stays.
    let one = w3d::build::array(&table::VERTEX_INFLUENCES, &[influence(0, 0)]);
    let mut root = w3d_of(vec![skin(one)]);
    transform(&mut root, &about(Axis::Z, 180.0)).expect("it can turn");
    let found = root.find("MESH/VERTICES").expect("vertices").values::<Vec3>();
    assert_eq!([found[0].get(), found[1].get()], [new[0], old[1]]);
}

#[test]
fn a_skin_of_several_bones_has_none_on_the_root() {
    let influences = |bones: [u16; 4], weights: [u16; 3]| {
        let one = westwood::VertexInfluenceExtended {
            bone_idx: bones.map(U16::new),
            weight: weights.map(U16::new),
        };
        let sound = westwood::VertexInfluenceExtended {
            bone_idx: [1; 4].map(U16::new),
            weight: [65535, 0, 0].map(U16::new),
        };
        w3d_of(vec![skin(w3d::build::array(&table::VERTEX_INFLUENCES_EXTENDED, &[sound, one, sound]))])
    };
    for (bones, weights, unclear) in [
        ([1, 2, 3, 4], [20000, 20000, 20000], false),
        ([0, 2, 3, 4], [20000, 20000, 20000], true),
        ([1, 2, 3, 0], [20000, 20000, 20000], true),
        // Without a share it moves nothing.
        ([1, 0, 0, 0], [65535, 0, 0], false),
        ([0, 1, 1, 1], [0, 65535, 0], false),
        ([0, 1, 1, 1], [1, 65534, 0], true),
    ] {
        assert_eq!(tried(&influences(bones, weights), &MOVE).is_err(), unclear, "{bones:?} {weights:?}");
    }
    let bytes =
        |bones: [u8; 4]| w3d_of(vec![skin(w3d::build::bytes(&table::SHDSUBMESH_VERTEX_INFLUENCES, bones))]);
    refused(&bytes([1, 0, 1, 1]), &MOVE, "several bones");
    done(&bytes([1, 2, 1, 1]), &MOVE);
}

/// Uneven factors are refused where a channel turns a bone, whatever its storage; all others are scaled by the factor of their axis.
#[test]
fn channels_of_all_storages() {
    let (first, second) = (F32::new(3.0), F32::new(5.0));
    let storages = |kind: u8| {
        let raw = westwood::AnimationChannel {
            last_frame: 1.into(),
            vector_len: 1.into(),
            flags: ChannelType::new(kind.into()),
            ..westwood::AnimationChannel::default()
        };
        let raw = w3d::build::bytes(
            &table::ANIMATION_CHANNEL,
            [raw.as_bytes(), first.as_bytes(), second.as_bytes()].concat(),
        );
        let timed = westwood::TimeCodedChannel {
            num_time_codes: 2.into(),
            vector_len: 1,
            flags: ChannelType8::new(kind),
            ..westwood::TimeCodedChannel::default()
        };
        let keys = [(0, first), (9, second)]
            .map(|(time, value)| westwood::TimeCodedKey1 { time_code: time.into(), value: [value] });
        let timed = w3d::build::bytes(
            &table::COMPRESSED_ANIMATION_CHANNEL,
            [timed.as_bytes(), keys.as_bytes()].concat(),
        );
        let delta = westwood::AdaptiveDeltaChannel {
            num_frames: 1.into(),
            vector_len: 1,
            flags: ChannelType8::new(kind),
            scale: second,
            ..westwood::AdaptiveDeltaChannel::default()
        };
        let delta = Node::leaf(
            &table::ADAPTIVE_DELTA_CHANNEL,
            0x282,
            [delta.as_bytes(), first.as_bytes(), &[0; 9]].concat(),
        );
        let motion = westwood::MotionChannel {
            flavor: MotionFlavor::TIMECODED,
            vector_len: 1,
            flags: ChannelType8::new(kind),
            num_time_codes: 2.into(),
            ..westwood::MotionChannel::default()
        };
        let times = [0, 9].map(U16::new);
        let motion = w3d::build::bytes(
            &table::COMPRESSED_ANIMATION_MOTION_CHANNEL,
            [motion.as_bytes(), times.as_bytes(), first.as_bytes(), second.as_bytes()].concat(),
        );
        [raw, timed, delta, motion]
    };
    let factors = [2.0, 4.0, 8.0];
    // Types 7 to 10 and 11 to 14 are the same again; 15 is visibility.
    for (kind, axis) in [
        (0, Some(0)),
        (1, Some(1)),
        (2, Some(2)),
        (7, Some(0)),
        (8, Some(1)),
        (9, Some(2)),
        (11, Some(0)),
        (12, Some(1)),
        (13, Some(2)),
        (15, None),
        (16, None),
    ] {
        for channel in storages(kind) {
            let mut root = w3d_of(vec![w3d::build::branch(&table::ANIMATION, [channel.clone()])]);
            let changed = transform(&mut root, &Transform::Scale(factors)).expect("nothing turns");
            assert_eq!(changed, usize::from(axis.is_some()), "type {kind} in {}", channel.name());
            let now = root.children()[0].children()[0].bytes().to_vec();
            let factor = axis.map_or(1.0, |axis: usize| factors[axis]);
            // Each of the two numbers stands once in the body.
            let mut expected = channel.bytes().to_vec();
            for number in [first, second] {
                let at = expected.windows(4).position(|word| word == number.as_bytes()).expect("it is there");
                expected[at..at + 4].copy_from_slice(F32::new(number.get() * factor).as_bytes());
            }
            assert_eq!(now, expected, "type {kind} in {}", channel.name());
        }
    }
    for kind in [3, 4, 5, 6, 10, 14] {
        for channel in storages(kind) {
            let what = channel.name().into_owned();
            let root = w3d_of(vec![w3d::build::branch(&table::ANIMATION, [channel])]);
            refused(&root, &UNEVEN, "rotates bones");
            assert_eq!(tried(&root, &EVEN), Ok(0), "type {kind} in {what}");
        }
    }
}

#[test]
fn numbers_are_finite_and_factors_positive() {
    let root = crate_box().root;
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        refused(&root, &Transform::Scale([1.0, bad, 1.0]), "finite");
        refused(&root, &Transform::Translate([0.0, 0.0, bad]), "finite");
        refused(&root, &about(Axis::X, bad), "finite");
    }
    for bad in [0.0, -0.0, -1.0] {
        refused(&root, &Transform::Scale([1.0, bad, 1.0]), "greater than zero");
    }
    done(&root, &Transform::Scale([1e-3; 3]));
    // A tree that is not a model has no family.
    let stray = w3d::build::record(&table::HLOD_HEADER, &westwood::HlodHeader::default());
    refused(&stray, &EVEN, "not the root");
}

#[test]
fn the_version_alone_is_not_changed() {
    let mut root = mdx_of(Vec::new());
    let to = |version: u32| format!("VERS.version={version}").parse().unwrap();
    let error = meshwright_edit::set(&mut root, &to(800)).unwrap_err();
    assert!(error.note.as_deref() == Some(meshwright_edit::CONVERT_INSTEAD));
    assert_eq!(meshwright_edit::set(&mut root, &to(1000)).unwrap(), 0, "the same version is no change");
}
