//! Single values whose results were computed by hand.

use mdx::records::*;
use mdx::{kinds, tags};
use meshwright_edit::{Axis, Transform, transform};
use record::{F32, Node, Quaternion, U32, Vec3};
use w3d::build::{array, branch, record};
use w3d::records::{Lod, MeshHeader3, Pivot, Triangle};
use w3d::table;

use crate::common::{crate_box, mdx_sample, mdx_samples};

fn w3d_file(chunk: Node<'static>) -> Node<'static> {
    Node::branch(&table::FILE, 0, vec![chunk])
}

/// A file with one mesh.
fn mesh(header: MeshHeader3, parts: Vec<Node<'static>>) -> Node<'static> {
    let header = record(&table::MESH_HEADER3, &header);
    w3d_file(branch(&table::MESH, [header].into_iter().chain(parts)))
}

/// Along Z everything is twice as long: normals lean away from it, tangents towards it, and both keep their lengths.
#[test]
fn uneven_factors_bend_directions() {
    let triangle = |normal: [f32; 3], tangent: [f32; 3]| {
        let corner = Triangle { normal: normal.into(), dist: F32::new(1.0), ..Triangle::default() };
        let mut root = mesh(
            MeshHeader3::default(),
            vec![
                array(&table::VERTEX_NORMALS, &[Vec3::from(normal), Vec3::default()]),
                array(&table::TANGENTS, &[Vec3::from(tangent), Vec3::default()]),
                array(&table::TRIANGLES, &[corner]),
            ],
        );
        transform(&mut root, &Transform::Scale([1.0, 1.0, 2.0])).expect("nothing turns");
        root
    };
    let root = triangle([0.6, 0.0, 0.8], [-0.8, 0.0, 0.6]);
    let values = |path: &str| root.find(path).expect("the chunk is there").values::<Vec3>().to_vec();
    // (0.6, 0, 0.8 / 2), made as long as it was: divided by the root of 0.36 + 0.16.
    let length = 0.52_f32.sqrt();
    let near = |found: Vec3, wanted: [f32; 3]| {
        assert!(found.get().iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {wanted:?}");
    };
    near(values("MESH/VERTEX_NORMALS")[0], [0.6 / length, 0.0, 0.4 / length]);
    // (-0.8, 0, 1.2), divided by the root of 0.64 + 1.44.
    let length = 2.08_f32.sqrt();
    near(values("MESH/TANGENTS")[0], [-0.8 / length, 0.0, 1.2 / length]);
    // One without a length stays.
    assert_eq!(values("MESH/VERTEX_NORMALS")[1].get(), [0.0; 3]);
    assert_eq!(values("MESH/TANGENTS")[1].get(), [0.0; 3]);
    // The plane 0.6 x + 0.8 z = 1 is 0.6 x + 0.4 z' = 1 afterwards.
    let plane = root.find("MESH/TRIANGLES").expect("the chunk is there").values::<Triangle>()[0];
    let length = 0.52_f32.sqrt();
    near(plane.normal, [0.6 / length, 0.0, 0.4 / length]);
    assert!((plane.dist.get() - 1.0 / length).abs() < 1e-6, "{}", plane.dist);
    // A plane without a direction stays.
    let none = triangle([0.0; 3], [0.0; 3]);
    let plane = none.find("MESH/TRIANGLES").expect("the chunk is there").values::<Triangle>()[0];
    assert_eq!((plane.normal.get(), plane.dist.get()), ([0.0; 3], 1.0));
}

/// Directions stay to the last bit where all axes have the same factor.
#[test]
fn even_factors_keep_directions() {
    let directions: Vec<Vec3> =
        (1..40_u8).map(|index| Vec3::new(0.1 * f32::from(index), 0.7 / f32::from(index), 0.3)).collect();
    let parts = vec![array(&table::VERTEX_NORMALS, &directions), array(&table::TANGENTS, &directions)];
    let mut root = mesh(MeshHeader3::default(), parts);
    assert_eq!(transform(&mut root, &Transform::Scale([3.3; 3])), Ok(0));
}

/// A plane that moves is farther by what the movement has along its normal.
#[test]
fn planes_move_along_their_normals() {
    let triangle = Triangle { normal: [0.6, 0.0, 0.8].into(), dist: F32::new(1.0), ..Triangle::default() };
    let mut root = mesh(MeshHeader3::default(), vec![array(&table::TRIANGLES, &[triangle])]);
    transform(&mut root, &Transform::Translate([10.0, 100.0, 5.0])).expect("the mesh is on no bone");
    let plane = root.find("MESH/TRIANGLES").expect("the chunk is there").values::<Triangle>()[0];
    // 1 + 0.6 · 10 + 0.8 · 5
    assert!((plane.dist.get() - 11.0).abs() < 1e-5, "{}", plane.dist);
    assert_eq!(plane.normal.get(), [0.6, 0.0, 0.8]);
}

/// The new rotation is applied after that of the bone; the products were computed by hand from
/// i·j = k, j·k = i, k·i = j.
#[test]
fn a_rotation_is_applied_after_that_of_the_bone() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // A quarter turn about each axis, after half a turn about each axis (i, j or k).
    for (axis, own, expected) in [
        // (1 + i) / √2 · j = (j + k) / √2
        (Axis::X, [0.0, 1.0, 0.0, 0.0], [0.0, half, half, 0.0]),
        // (1 + i) · k = k - j
        (Axis::X, [0.0, 0.0, 1.0, 0.0], [0.0, -half, half, 0.0]),
        // (1 + i) · i = i - 1
        (Axis::X, [1.0, 0.0, 0.0, 0.0], [half, 0.0, 0.0, -half]),
        // (1 + j) · i = i - k
        (Axis::Y, [1.0, 0.0, 0.0, 0.0], [half, 0.0, -half, 0.0]),
        // (1 + j) · k = k + i
        (Axis::Y, [0.0, 0.0, 1.0, 0.0], [half, 0.0, half, 0.0]),
        (Axis::Y, [0.0, 1.0, 0.0, 0.0], [0.0, half, 0.0, -half]),
        // (1 + k) · i = i + j
        (Axis::Z, [1.0, 0.0, 0.0, 0.0], [half, half, 0.0, 0.0]),
        // (1 + k) · j = j - i
        (Axis::Z, [0.0, 1.0, 0.0, 0.0], [-half, half, 0.0, 0.0]),
        (Axis::Z, [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, half, -half]),
    ] {
        let mut file = crate_box();
        file.root.children_mut().expect("chunks").retain(|chunk| !chunk.is(&table::BOX));
        let pivots = file.root.find_mut("HIERARCHY/PIVOTS").expect("bones");
        let [x, y, z, w] = own;
        pivots.values_mut::<Pivot>()[1].rotation = Quaternion::new(x, y, z, w);
        transform(&mut file.root, &Transform::Rotate(axis, 90.0)).expect("it can turn");
        let pivots = file.root.find("HIERARCHY/PIVOTS").expect("bones").values::<Pivot>();
        let turned = pivots[1].rotation.get();
        let near = turned.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(near, "{axis:?} {own:?}: {turned:?} is not {expected:?}");
    }
}

/// Multiples of a quarter turn give whole numbers, also beyond a full turn and backwards.
#[test]
fn right_angles_turn_exactly() {
    let (x, y, z) = (2.0, 3.0, 5.0);
    for (axis, quarters, expected) in [
        (Axis::X, 1, [x, -z, y]),
        (Axis::X, 2, [x, -y, -z]),
        (Axis::X, 3, [x, z, -y]),
        (Axis::Y, 1, [z, y, -x]),
        (Axis::Y, 2, [-x, y, -z]),
        (Axis::Y, 3, [-z, y, x]),
        (Axis::Z, 1, [-y, x, z]),
        (Axis::Z, 2, [-x, -y, z]),
        (Axis::Z, 3, [y, -x, z]),
        (Axis::Z, 4, [x, y, z]),
        (Axis::Z, 5, [-y, x, z]),
        (Axis::Z, -1, [y, -x, z]),
    ] {
        let points = array(&table::POINTS, &[Vec3::new(x, y, z)]);
        let mut root = w3d_file(points);
        let turn = Transform::Rotate(axis, 90.0 * quarters as f32);
        transform(&mut root, &turn).expect("points can turn");
        assert_eq!(root.find("POINTS").expect("points").values::<Vec3>()[0].get(), expected, "{turn:?}");
    }
}

/// The box around a box that turns by 45 degrees is wider by the root of two.
#[test]
fn a_box_that_turns_is_enclosed() {
    let header = MeshHeader3 {
        min: Vec3::new(-1.0, -1.0, -2.0),
        max: Vec3::new(1.0, 1.0, 3.0),
        ..MeshHeader3::default()
    };
    let mut root = mesh(header, vec![]);
    transform(&mut root, &Transform::Rotate(Axis::Z, 45.0)).expect("the mesh is on no bone");
    let header = *root.find("MESH/MESH_HEADER3").and_then(Node::value::<MeshHeader3>).expect("a header");
    let wide = 2.0_f32.sqrt();
    for (found, wanted) in [(header.min, [-wide, -wide, -2.0]), (header.max, [wide, wide, 3.0])] {
        assert!(found.get().iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
    }
}

/// A flat box is a box.
#[test]
fn a_flat_box_moves() {
    let header = MeshHeader3 {
        min: Vec3::new(0.0, -1.0, 5.0),
        max: Vec3::new(0.0, 1.0, 5.0),
        ..MeshHeader3::default()
    };
    let mut root = mesh(header, vec![]);
    transform(&mut root, &Transform::Translate([1.0, 2.0, 3.0])).expect("the mesh is on no bone");
    let header = *root.find("MESH/MESH_HEADER3").and_then(Node::value::<MeshHeader3>).expect("a header");
    assert_eq!((header.min.get(), header.max.get()), ([1.0, 1.0, 8.0], [1.0, 3.0, 8.0]));
}

/// Zeros are positive afterwards, whatever they were multiplied by.
#[test]
fn zeros_stay_without_a_sign() {
    let points = array(&table::POINTS, &[Vec3::new(-5.0, 0.0, 0.0)]);
    let mut root = w3d_file(points);
    transform(&mut root, &Transform::Rotate(Axis::X, 180.0)).expect("points can turn");
    let turned = root.find("POINTS").expect("points").values::<Vec3>()[0].get();
    assert_eq!(turned.map(f32::to_bits), [-5.0, 0.0, 0.0].map(f32::to_bits));
    let mut file = crate_box();
    let pivots = file.root.find_mut("HIERARCHY/PIVOTS").expect("bones");
    pivots.values_mut::<Pivot>()[1].rotation = Quaternion::new(-0.5, 0.0, -0.5, -0.75);
    transform(&mut file.root, &Transform::Rotate(Axis::Z, 180.0)).expect("it can turn");
    let pivots = file.root.find("HIERARCHY/PIVOTS").expect("bones").values::<Pivot>();
    // k · (-0.5 i - 0.5 k - 0.75) = -0.5 j + 0.5 - 0.75 k
    let wanted = [0.0, -0.5, -0.75, 0.5_f32];
    assert_eq!(pivots[1].rotation.get().map(f32::to_bits), wanted.map(f32::to_bits));
}

/// Matrices of the rest pose are turned from both sides: one that stands upright stays so.
#[test]
fn bind_poses_turn_about_the_new_axes() {
    let upright = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // A quarter turn about X as rows: what was about X is about Y afterwards, turned by 90 degrees about Z.
    let about_x = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]];
    let about_y = [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
    for (before, after) in [(upright, upright), (about_x, about_y)] {
        let [x, y, z] = before.map(Vec3::from);
        let pose = BindPose { x, y, z, translation: Vec3::new(1.0, 2.0, 3.0) };
        let version = mdx::build::leaf(&kinds::VERS, &[U32::new(1000)]);
        let mut root = mdx::build::file(vec![version, mdx::build::counted(&kinds::BPOS, &[pose])]);
        transform(&mut root, &Transform::Rotate(Axis::Z, 90.0)).expect("it can turn");
        let pose = root.find("BPOS").expect("poses").values::<BindPose>()[0];
        assert_eq!([pose.x.get(), pose.y.get(), pose.z.get()], after);
        assert_eq!(pose.translation.get(), [-2.0, 1.0, 3.0]);
    }
}

/// The largest floats mean that there is no limit. A length grows by the largest factor.
#[test]
fn the_mark_for_no_limit_is_not_scaled() {
    let scaled = |length: f32, factors: [f32; 3]| {
        let level = Lod { lod_max: F32::new(length), ..Lod::default() };
        let model = branch(&table::LODMODEL, [record(&table::LOD, &level)]);
        let mut root = w3d_file(model);
        transform(&mut root, &Transform::Scale(factors)).expect("nothing turns");
        root.find("LODMODEL/LOD").and_then(Node::value::<Lod>).expect("a level").lod_max.get()
    };
    assert_eq!(scaled(f32::MAX, [0.5; 3]), f32::MAX);
    assert_eq!(scaled(-f32::MAX, [0.5; 3]), -f32::MAX);
    assert_eq!(scaled(1.01e38, [0.5; 3]), 1.01e38);
    assert_eq!(scaled(0.9e38, [0.5; 3]), 0.45e38);
    assert_eq!(scaled(1e38, [0.5; 3]), 0.5e38);
    assert_eq!(scaled(10.0, [1.0, 3.0, 2.0]), 30.0);
    assert_eq!(scaled(10.0, [1.0, 2.0, 3.0]), 30.0);
    assert_eq!(scaled(10.0, [3.0, 2.0, 1.0]), 30.0);
}

/// Packed rotations of the WoW alpha turn about the new axis as others do.
#[test]
fn packed_rotations_turn_about_the_new_axes() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let keys = [(0, PackedQuaternion::pack(Quaternion::new(half, 0.0, 0.0, half)))];
    let mut root =
        mdx_sample(&mdx_samples().into_iter().find(|(name, _)| *name == "wow-1300").expect("it").1).root;
    root.children_mut().expect("chunks").retain(|chunk| ["VERS", "BONE"].contains(&&*chunk.name()));
    let node = root.find_mut("BONE/Bone/Node").expect("a node");
    let parts = node.children_mut().expect("parts");
    parts.truncate(1);
    parts.push(mdx::build::track(tags::KGRT, Interpolation::LINEAR, -1, &keys).expect("a track"));
    transform(&mut root, &Transform::Rotate(Axis::Z, 90.0)).expect("it can turn");
    let track = root.find("BONE/Bone/Node/KGRT").expect("a track");
    let turned = track.values::<Key<PackedQuaternion>>()[0].value.unpack().get();
    // About X becomes about Y.
    let near = turned.iter().zip([0.0, half, 0.0, half]).all(|(a, b)| (a - b).abs() < 1e-3);
    assert!(near, "{turned:?}");
}
