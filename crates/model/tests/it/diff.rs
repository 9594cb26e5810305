//! Differences between two models.

use mdx::records::NodeHeader;
use meshwright_model::Document;
use record::diff::What;
use record::{Chars, Node, U32, Vec3};

/// Calls `see` with every node header of a tree.
fn each_header(node: &mut Node<'_>, see: &mut dyn FnMut(&mut NodeHeader)) {
    if let Some(children) = node.children_mut() {
        children.iter_mut().for_each(|child| each_header(child, see));
    } else if let Some(header) = node.value_mut::<NodeHeader>() {
        see(header);
    }
}

/// A bone before all others shifts every object id; by name the nodes, their pivots and the skin are the same.
#[test]
fn pivots_and_nodes_of_mdx_are_matched_by_name() {
    let samples = mdx::build::samples();
    let (_, bytes) = samples.iter().find(|(name, _)| *name == "warcraft-800").expect("the sample");
    let before = Document::parse(bytes).expect("the sample can be read");
    let mut after = before.clone();
    let root = after.root_mut();
    each_header(root, &mut |header| {
        header.object_id.set(header.object_id.get() + 1);
        if header.parent_id.get() >= 0 {
            header.parent_id.set(header.parent_id.get() + 1);
        }
    });
    let matrices = root.find_mut("GEOS/Geoset/MATS").expect("the sample has groups");
    matrices.values_mut::<U32>().iter_mut().for_each(|bone| bone.set(bone.get() + 1));
    let bones = root.find_mut("BONE").and_then(Node::children_mut).expect("the sample has bones");
    let mut bone = bones[0].clone();
    each_header(&mut bone, &mut |header| {
        header.name = Chars::new("First").expect("short");
        header.object_id.set(0);
    });
    bones.insert(0, bone);
    let pivots = root.find_mut("PIVT").expect("the sample has pivots");
    let mut values = vec![Vec3::new(1.0, 2.0, 3.0)];
    values.extend(pivots.values::<Vec3>());
    pivots.set_values(&values);

    let changes = before.diff(&after, 0.0).expect("both are MDX");
    let shown: Vec<String> = changes
        .iter()
        .map(|change| match &change.what {
            What::Added(_) => format!("+ {}", change.path),
            What::Array(array) => format!("{} {:?} {} changed", change.path, array.added, array.changed),
            other => format!("{} {other:?}", change.path),
        })
        .collect();
    assert_eq!(shown, ["+ BONE[0]/Bone[0] \"First\"", "PIVT[0] [\"First\"] 0 changed"]);

    // A pivot that moved is still found.
    let moved = after.root_mut().find_mut("PIVT").expect("the sample has pivots");
    moved.values_mut::<Vec3>()[2].x.set(77.0);
    let changes = before.diff(&after, 0.0).expect("both are MDX");
    let arrays = changes.iter().filter_map(|change| match &change.what {
        What::Array(array) => array.first.as_ref().map(|(at, ..)| (*at, array.changed)),
        _ => None,
    });
    assert_eq!(arrays.collect::<Vec<_>>(), [(1, 1)], "the second pivot of the first model moved");
}
