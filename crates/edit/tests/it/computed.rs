//! What follows from geometry and animation is computed anew: damaged data comes back, and right data stays.

use crate::common::crate_box;
use mdx::records::*;
use mdx::{Document, kinds};
use meshwright_edit::{Recompute, Smoothing, recompute};
use record::{F32, Node, Vec3};
use w3d::records::{MeshHeader3, Triangle};
use w3d::table;

const NOTHING: Recompute = Recompute {
    normals: None,
    tangents: false,
    extents: false,
    planes: false,
    tree: false,
    winding: false,
    bones: false,
};

fn tower() -> Node<'static> {
    let bytes = mdx::build::watchtower();
    Document::parse(&bytes).expect("a model").into_owned().root
}

#[test]
fn bounds_planes_and_trees_of_a_mesh_come_back() {
    let fixture = crate_box();
    let mut root = fixture.root.clone();
    let header = root.find_mut("MESH[0]/MESH_HEADER3").expect("a header");
    let header = header.value_mut::<MeshHeader3>().expect("a header");
    (header.min, header.sph_radius) = (Vec3::new(5.0, 5.0, 5.0), F32::new(1.0));
    let triangles = root.find_mut("MESH[0]/TRIANGLES").expect("triangles").values_mut::<Triangle>();
    triangles[0].normal = Vec3::new(1.0, 0.0, 0.0);
    triangles[0].dist = F32::new(99.0);
    let what = Recompute { extents: true, planes: true, tree: true, ..NOTHING };
    assert_eq!(recompute(&mut root, &what).expect("computed").changed, 2);
    assert_eq!(root.to_bytes().expect("bytes"), fixture.original);
}

#[test]
fn a_tree_that_does_not_hold_is_replaced() {
    let mut root = crate_box().root;
    let mesh = root.find_mut("MESH[0]").expect("a mesh");
    let (triangles, vertices) = (mesh.get(table::TRIANGLES).to_vec(), mesh.get(table::VERTICES).to_vec());
    let tree = w3d::build::AabTree::new(&triangles, &vertices).expect("a tree").chunk();
    mesh.children_mut().expect("parts").retain(|part| !part.is(&table::AABTREE));
    mesh.children_mut().expect("parts").push(tree);
    let what = Recompute { tree: true, ..NOTHING };
    assert_eq!(recompute(&mut root, &what).expect("computed").changed, 0);
    let moved: Vec<Vec3> =
        vertices.iter().map(|vertex| Vec3::from(vertex.get().map(|part| part + 50.0))).collect();
    root.find_mut("MESH[0]").expect("a mesh").set(table::VERTICES, &moved);
    assert_eq!(recompute(&mut root, &what).expect("computed").changed, 1);
    assert_eq!(recompute(&mut root, &what).expect("computed").changed, 0);
}

#[test]
fn triangles_against_their_normals_are_turned_around() {
    let fixture = crate_box();
    let mut root = fixture.root.clone();
    let triangles = root.find_mut("MESH[0]/TRIANGLES").expect("triangles").values_mut::<Triangle>();
    triangles[1].vindex.swap(1, 2);
    let before = fixture.root.find("MESH[0]/TRIANGLES").expect("triangles").values::<Triangle>().to_vec();
    recompute(&mut root, &Recompute { winding: true, ..NOTHING }).expect("computed");
    assert_eq!(root.find("MESH[0]/TRIANGLES").expect("triangles").values::<Triangle>(), before);
}

#[test]
fn normals_of_a_box_are_those_of_its_sides() {
    let mut root = crate_box().root;
    let before = root.find("MESH[0]").expect("a mesh").get(table::VERTEX_NORMALS).to_vec();
    let list = root.find_mut("MESH[0]").expect("a mesh");
    list.set(table::VERTEX_NORMALS, &vec![Vec3::new(0.0, 0.0, 1.0); before.len()]);
    let what = Recompute { normals: Some(Smoothing::Angle(30.0)), ..NOTHING };
    assert!(recompute(&mut root, &what).expect("computed").changed > 0);
    let after = root.find("MESH[0]").expect("a mesh").get(table::VERTEX_NORMALS).to_vec();
    for (after, before) in after.iter().zip(&before) {
        let dot: f32 = after.get().iter().zip(before.get()).map(|(a, b)| a * b).sum();
        assert!(dot > 0.999, "{:?} {:?}", after.get(), before.get());
    }
    assert!(recompute(&mut root, &Recompute { normals: Some(Smoothing::Angle(200.0)), ..NOTHING }).is_err());
}

/// A bone that moves during a clip makes the clip's box larger than that of the rest pose.
#[test]
fn extents_enclose_the_animation() {
    let mut root = tower();
    let garbage = Extent { radius: F32::new(-1.0), ..Extent::default() };
    root.find_mut("MODL").expect("a header").value_mut::<Model>().expect("a header").extent = garbage;
    for sequence in root.find_mut("SEQS").expect("sequences").values_mut::<Sequence>() {
        sequence.extent = garbage;
    }
    recompute(&mut root, &Recompute { extents: true, ..NOTHING }).expect("computed");
    let positions: Vec<[f32; 3]> = root
        .find("GEOS")
        .expect("geosets")
        .children()
        .iter()
        .flat_map(|geoset| geoset.get(kinds::VRTX))
        .map(|position| position.get())
        .collect();
    for geoset in root.find("GEOS").expect("geosets").children() {
        let bounds = geoset.get(kinds::GEOSET_BOUNDS).expect("bounds").extent;
        for position in geoset.get(kinds::VRTX) {
            for (axis, part) in position.get().into_iter().enumerate() {
                assert!(
                    part >= bounds.minimum.get()[axis] - 1e-3 && part <= bounds.maximum.get()[axis] + 1e-3
                );
            }
        }
        assert_eq!(geoset.get(kinds::EXTENTS).len(), root.get(kinds::SEQS).len());
    }
    let lowest = positions.iter().map(|position| position[2]).fold(f32::INFINITY, f32::min);
    for sequence in root.get(kinds::SEQS) {
        assert!(sequence.extent.radius.get() > 0.0);
        assert!(sequence.extent.minimum.get()[2] <= lowest + 1e-3 || sequence.name.to_string() != "Stand");
    }
    assert_eq!(recompute(&mut root, &Recompute { extents: true, ..NOTHING }).expect("computed").changed, 0);
}
