//! Smaller models look and move as before; meshes that are divided can be joined again.

use crate::common::{crate_box, mdx_samples};
use mdx::records::{FaceType, Interpolation, Key, TrackHeader};
use mdx::view::Geoset;
use mdx::{Document, Layout, kinds, tags, track_row};
use meshwright_edit::{
    Optimise, PartKind, Selector, SplitBy, merge_meshes, merge_model, optimise, parts, split,
};
use record::zerocopy::IntoBytes;
use record::{I32, Node, U16, U32, Vec3};

fn tower() -> Node<'static> {
    let bytes = mdx::build::watchtower();
    Document::parse(&bytes).expect("a model").into_owned().root
}

fn all_meshes() -> Selector {
    Selector::All(PartKind::Mesh)
}

fn count(root: &Node<'_>, kind: PartKind) -> usize {
    parts(root).expect("parts").iter().filter(|part| part.kind == kind).count()
}

fn geosets<'n>(root: &'n Node<'static>) -> Vec<Geoset<'n>> {
    let list = root.child(&kinds::GEOS).expect("geosets");
    list.all(&kinds::GEOSET).filter_map(Geoset::new).collect()
}

/// Gives every corner of a geoset a vertex of its own, and adds one that no face uses.
fn exploded(geoset: &mut Node<'static>) -> usize {
    let faces: Vec<usize> = geoset.get(kinds::PVTX).iter().map(|index| usize::from(index.get())).collect();
    let mut sources = faces.clone();
    sources.push(0);
    fn pick(node: &mut Node<'static>, sources: &[usize]) {
        let sizes = [("VRTX", 12), ("NRMS", 12), ("GNDX", 1), ("UVBS", 8)];
        let size = sizes.iter().find(|(name, _)| node.kind.name == *name).map(|(_, size)| *size);
        if let (Some(size), Some(bytes)) = (size, node.bytes_mut()) {
            *bytes = sources.iter().flat_map(|at| bytes[at * size..(at + 1) * size].to_vec()).collect();
        }
        node.children_mut().into_iter().flatten().for_each(|child| pick(child, sources));
    }
    pick(geoset, &sources);
    for (number, index) in geoset.get_mut(kinds::PVTX).iter_mut().enumerate() {
        *index = U16::new(number as u16);
    }
    faces.len() + 1
}

#[test]
fn equal_vertices_become_one_and_unused_ones_go() {
    let mut root = tower();
    let before = geosets(&root)[0].vertex_count();
    let list = root.child_mut(&kinds::GEOS).expect("geosets");
    let first = list.children_mut().expect("children").first_mut().expect("a geoset");
    let many = exploded(first);
    assert!(many > before);
    let done = optimise(&mut root, &Optimise::default()).expect("optimised");
    assert!(geosets(&root)[0].vertex_count() <= before);
    assert!(done.bytes_after < done.bytes_before);
    assert!(done.error.largest() < 1e-6, "{:?}", done.error);
    let faces = geosets(&root)[0].faces().iter().map(|index| usize::from(index.get())).max();
    assert!(faces.is_some_and(|last| last < geosets(&root)[0].vertex_count()));
}

#[test]
fn samples_stay_as_they_are_to_the_eye() {
    for (name, bytes) in mdx_samples() {
        let mut root = Document::parse(&bytes).expect("a model").into_owned().root;
        let (attachments, events) = (count(&root, PartKind::Attachment), count(&root, PartKind::Event));
        let done = optimise(&mut root, &Optimise::default()).expect("optimised");
        assert!(done.error.largest() < 1e-6, "{name}: {:?}", done.error);
        assert!(done.bytes_after <= done.bytes_before, "{name}");
        assert_eq!(count(&root, PartKind::Attachment), attachments, "{name}: games find them by name");
        assert_eq!(count(&root, PartKind::Event), events, "{name}");
        let again = optimise(&mut root, &Optimise::default()).expect("optimised");
        assert_eq!(again.report.changed, 0, "{name}: {:?}", again.report);
    }
    let mut root = crate_box().root;
    let bones = count(&root, PartKind::Bone);
    optimise(&mut root, &Optimise { compress: true, tolerance: 1e-4, ..Optimise::default() })
        .expect("optimised");
    assert_eq!(count(&root, PartKind::Bone), bones);
}

#[test]
fn keys_outside_of_sequences_go_and_each_sequence_keeps_one() {
    let mut root = tower();
    let sequences = root.get(kinds::SEQS).to_vec();
    let after = sequences.iter().map(|sequence| sequence.end.get()).max().expect("sequences") + 50;
    let mut bytes = TrackHeader { interpolation: Interpolation::LINEAR, global_sequence: I32::new(-1) }
        .as_bytes()
        .to_vec();
    for sequence in &sequences {
        for time in [sequence.start.get(), sequence.end.get()] {
            bytes.extend_from_slice(Key { time: I32::new(time), value: Vec3::new(3.0, 0.0, 0.0) }.as_bytes());
        }
    }
    bytes.extend_from_slice(Key { time: I32::new(after), value: Vec3::default() }.as_bytes());
    let row = track_row(tags::KGTR).expect("a track");
    let track = Node::leaf(row.kind(Layout::Plain), tags::KGTR, bytes);
    let bone = root.child_mut(&kinds::BONE).expect("bones").children_mut().expect("children").first_mut();
    let node = bone.expect("a bone").child_mut(&kinds::NODE).expect("a node");
    node.children_mut().expect("children").retain(|child| child.id != tags::KGTR);
    node.children_mut().expect("children").push(track);
    let done = optimise(&mut root, &Optimise::default()).expect("optimised");
    assert!(done.error.largest() < 1e-6);
    let bone = root.child(&kinds::BONE).expect("bones").children().first().expect("a bone");
    let node = bone.child(&kinds::NODE).expect("a node");
    let track = node.children().iter().find(|child| child.id == tags::KGTR).expect("the track");
    assert_eq!(track.values::<Key<Vec3>>().len(), sequences.len(), "without a key the bone would move back");
}

#[test]
fn a_tolerance_out_of_range_is_refused() {
    let mut root = tower();
    assert!(optimise(&mut root, &Optimise { tolerance: -1.0, ..Optimise::default() }).is_err());
    assert!(optimise(&mut root, &Optimise { tolerance: f32::NAN, ..Optimise::default() }).is_err());
    assert!(optimise(&mut root, &Optimise { linearise: true, ..Optimise::default() }).is_err());
}

#[test]
fn geosets_are_divided_and_joined() {
    let mut root = tower();
    let before: Vec<usize> = geosets(&root).iter().map(|geoset| geoset.faces().len()).collect();
    let report = split(&mut root, &all_meshes(), SplitBy::Part).expect("divided");
    let after: Vec<usize> = geosets(&root).iter().map(|geoset| geoset.faces().len()).collect();
    assert_eq!(after.len(), before.len() + report.changed);
    assert_eq!(after.iter().sum::<usize>(), before.iter().sum::<usize>(), "every triangle is in one part");
    for geoset in geosets(&root) {
        let count = geoset.vertex_count();
        assert!(geoset.faces().iter().all(|index| usize::from(index.get()) < count));
        assert_eq!(geoset.vertex_groups().len(), count);
        let groups = geoset.groups().count();
        assert!(geoset.vertex_groups().iter().all(|group| usize::from(*group) < groups));
        assert!(geoset.face_groups().all(|(kind, _)| kind == FaceType::TRIANGLES));
        assert_eq!(geoset.extents().len(), root.get(kinds::SEQS).len());
    }
    let joined = merge_meshes(&mut root, &all_meshes()).expect("joined");
    assert!(joined.changed >= report.changed, "{joined:?}");
    let again: usize = geosets(&root).iter().map(|geoset| geoset.faces().len()).sum();
    assert_eq!(again, before.iter().sum::<usize>());
    assert!(split(&mut root, &all_meshes(), SplitBy::Material).is_err(), "a geoset has one material");
}

#[test]
fn a_w3d_mesh_is_divided_with_its_entries() {
    // Two triangles that share nothing.
    let mesh = w3d::build::MeshBuilder::new("HULL")
        .positions([
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [5.0, 0.0, 0.0],
            [6.0, 0.0, 0.0],
            [5.0, 1.0, 0.0],
        ])
        .triangles([[0, 1, 2], [3, 4, 5]])
        .texture("hull.tga");
    let file = w3d::build::ModelBuilder::new("TANK")
        .bone("ROOTTRANSFORM", 0, [0.0; 3])
        .mesh(mesh)
        .build()
        .expect("a file");
    let mut root = file.into_owned().root;
    assert_eq!(split(&mut root, &all_meshes(), SplitBy::Part).expect("divided").changed, 1);
    let file = w3d::W3d::parse(&root.to_bytes().expect("bytes")).expect("a file").into_owned();
    let names: Vec<String> = file.meshes().map(|mesh| mesh.full_name()).collect();
    assert_eq!(names, ["TANK.HULL", "TANK.HULL2"]);
    for mesh in file.meshes() {
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (3, 1));
    }
    let level = root.find("HLOD/HLOD_LOD_ARRAY").expect("a level");
    let header = level.get(w3d::table::HLOD_SUB_OBJECT_ARRAY_HEADER).expect("a header");
    assert_eq!(header.model_count, U32::new(2));
    assert_eq!(merge_meshes(&mut root, &all_meshes()).expect("joined").changed, 1);
    assert_eq!(count(&root, PartKind::Mesh), 1);
    let level = root.find("HLOD/HLOD_LOD_ARRAY").expect("a level");
    assert_eq!(
        level.get(w3d::table::HLOD_SUB_OBJECT_ARRAY_HEADER).expect("a header").model_count,
        U32::new(1)
    );
}

#[test]
fn parts_that_a_model_has_are_not_added_again() {
    let mut root = tower();
    let from = tower();
    let (meshes, lights) = (count(&root, PartKind::Mesh), count(&root, PartKind::Light));
    merge_model(&mut root, &from, Some("Stand")).expect("merged");
    assert_eq!(count(&root, PartKind::Mesh), 2 * meshes, "geosets have no names");
    assert_eq!(count(&root, PartKind::Light), lights);
}
