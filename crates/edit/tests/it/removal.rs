//! Removing parts: what is left is numbered anew, and every reference leads where it led before.

use crate::common::{crate_box, mdx_sample, mdx_samples};
use mdx::records::*;
use mdx::view::Object;
use mdx::{Document, kinds, tags};
use meshwright_edit::{Children, PartKind, Removal, Selector, keep, parts, remove};
use record::{Node, U32, Vec3};
use w3d::W3d;
use w3d::records::{HierarchyHeader, HlodArrayHeader};
use w3d::table;

fn removal(parts: &[&str]) -> Removal {
    let parts = parts.iter().map(|part| part.parse().expect("a selector")).collect();
    Removal { parts, ..Removal::default() }
}

fn selector(text: &str) -> Selector {
    text.parse().expect("a selector")
}

fn sample(name: &str) -> Node<'static> {
    let samples = mdx_samples();
    let (_, bytes) = samples.iter().find(|(own, _)| *own == name).expect("the sample");
    mdx_sample(bytes).root
}

fn tower() -> Node<'static> {
    let bytes = mdx::build::watchtower();
    Document::parse(&bytes).expect("a model").into_owned().root
}

fn count(root: &Node<'_>, kind: PartKind) -> usize {
    parts(root).expect("parts").iter().filter(|part| part.kind == kind).count()
}

fn objects<'n>(root: &'n Node<'n>) -> impl Iterator<Item = Object<'n>> {
    root.children().iter().flat_map(Node::children).filter_map(Object::new)
}

/// Each geoset's material, by number.
fn materials(root: &Node<'_>) -> Vec<u32> {
    let list = root.find("GEOS").expect("geosets");
    list.children()
        .iter()
        .filter_map(|geoset| Some(geoset.get(kinds::GEOSET_HEADER)?.material_id.get()))
        .collect()
}

#[test]
fn a_w3d_mesh_goes_with_its_reference_and_leaves_its_bone() {
    let mut root = crate_box().root;
    let bones = count(&root, PartKind::Bone);
    assert_eq!(remove(&mut root, &removal(&["mesh:lid"])).expect("removed").changed, 1);
    assert_eq!(count(&root, PartKind::Mesh), 1);
    assert_eq!(count(&root, PartKind::Bone), bones, "games find bones by name");
    let level = root.find("HLOD/HLOD_LOD_ARRAY").expect("a level");
    let header = level.child(&table::HLOD_SUB_OBJECT_ARRAY_HEADER).expect("a header");
    let listed = level.all(&table::HLOD_SUB_OBJECT).count();
    assert_eq!(header.value::<HlodArrayHeader>().expect("a count").model_count.get() as usize, listed);
    assert!(
        !level
            .all(&table::HLOD_SUB_OBJECT)
            .any(|object| object.label().is_some_and(|name| name.ends_with("LID")))
    );
}

#[test]
fn a_mesh_is_chosen_by_full_name_index_and_path() {
    for text in ["mesh:MWCRATE.LID", "mesh:#1", "path:MESH[1]", "mesh:L*"] {
        let mut root = crate_box().root;
        remove(&mut root, &removal(&[text])).expect("removed");
        let left: Vec<String> = parts(&root)
            .expect("parts")
            .into_iter()
            .filter(|part| part.kind == PartKind::Mesh)
            .map(|part| part.name)
            .collect();
        assert_eq!(left.len(), 1, "{text}");
        assert_ne!(left[0], "LID", "{text}");
    }
}

#[test]
fn nothing_changes_where_a_part_is_missing() {
    let fixture = crate_box();
    let mut root = fixture.root.clone();
    assert_eq!(remove(&mut root, &removal(&["mesh:NOTHING", "camera"])).expect("nothing").changed, 0);
    assert_eq!(root.to_bytes().expect("bytes"), fixture.original);
}

#[test]
fn a_bone_with_an_object_on_it_is_refused() {
    let mut root = crate_box().root;
    let error = remove(&mut root, &removal(&["bone:LID"])).expect_err("an object is on it");
    assert!(error.message.contains("is on a bone"), "{error}");
    assert!(remove(&mut root, &removal(&["bone:#0"])).is_err(), "the root");
}

/// The tank's bones after the removed one have lower numbers, everywhere.
#[test]
fn pivots_after_a_removed_one_are_renumbered() {
    let bytes = w3d::sample::tank();
    let before = W3d::parse(&bytes).expect("a model");
    let named = |file: &W3d<'_>| -> Vec<(String, String)> {
        let hierarchy = file.hierarchies().next().expect("a skeleton");
        let hlod = file.hlods().next().expect("a model");
        let level = hlod.levels().next().expect("a level");
        level
            .sub_objects()
            .map(|object| {
                let bone = hierarchy.pivots()[object.bone_index.get() as usize].name.to_string();
                (object.name.to_string(), bone)
            })
            .collect()
    };
    let used: Vec<String> = named(&before).into_iter().map(|(_, bone)| bone).collect();
    let pivots = before.hierarchies().next().expect("a skeleton").pivots();
    let free = (1..pivots.len()).find(|index| {
        let is_parent = pivots.iter().any(|pivot| pivot.parent() == u32::try_from(*index).ok());
        !used.contains(&pivots[*index].name.to_string()) && !is_parent
    });
    let Some(free) = free else { return };
    let mut after = W3d::parse(&bytes).expect("a model");
    let selector = Selector::Index(PartKind::Bone, free);
    remove(&mut after.root, &Removal { parts: vec![selector], ..Removal::default() }).expect("removed");
    assert_eq!(named(&after), named(&before), "every object is on the bone of the same name");
    let header = after.root.find("HIERARCHY/HIERARCHY_HEADER").expect("a header");
    let count = header.value::<HierarchyHeader>().expect("a header").num_pivots.get() as usize;
    assert_eq!(count, pivots.len() - 1);
}

#[test]
fn a_geoset_goes_with_its_animation_and_bones_follow() {
    let mut root = tower();
    let (before, geosets) = (materials(&root), count(&root, PartKind::Mesh));
    assert!(geosets > 1);
    remove(&mut root, &removal(&["geoset:#0"])).expect("removed");
    assert_eq!(materials(&root), before[1..]);
    for animation in root.find("GEOA").into_iter().flat_map(|list| list.all(&kinds::GEOSET_ANIMATION)) {
        let header = animation.get(kinds::GEOSET_ANIMATION_HEADER).expect("a header");
        assert!((0..geosets as i32 - 1).contains(&header.geoset_id.get()));
    }
    for links in objects(&root).filter_map(|object| object.part::<BoneLinks>()) {
        assert!((-1..geosets as i32 - 1).contains(&links.geoset_id.get()));
    }
}

/// Keys of the removed sequence go; keys of the other stay as they are.
#[test]
fn a_sequence_goes_with_its_keys() {
    let mut root = sample("warcraft-800");
    let sequences: Vec<Sequence> = root.get(kinds::SEQS).to_vec();
    let [first, second] = sequences[..] else { panic!("two sequences") };
    let times = |root: &Node<'_>| -> Vec<i32> {
        let bone = objects(root).find(|object| object.track(tags::KGRT).is_some()).expect("a bone");
        bone.track(tags::KGRT).expect("a track").keys().map(|key| key.time).collect()
    };
    let before = times(&root);
    remove(&mut root, &removal(&[&format!("clip:{}", second.name)])).expect("removed");
    let inside = |time: &i32, of: &Sequence| (of.start.get()..=of.end.get()).contains(time);
    let expected: Vec<i32> =
        before.into_iter().filter(|time| !inside(time, &second) || inside(time, &first)).collect();
    assert_eq!(times(&root), expected);
    for geoset in root.find("GEOS").expect("geosets").children() {
        assert_eq!(geoset.get(kinds::EXTENTS).len(), 1, "one for each sequence");
    }
}

#[test]
fn children_move_up_or_go() {
    for (children, lost) in [(Children::MoveUp, false), (Children::Remove, true)] {
        let mut root = tower();
        let all: Vec<(i32, String, Option<i32>)> =
            objects(&root).map(|object| (object.id(), object.name().into_owned(), object.parent())).collect();
        let is_parent = |id: i32| all.iter().any(|(_, _, parent)| *parent == Some(id));
        let found = objects(&root)
            .find(|object| object.kind == mdx::view::NodeKind::Helper && is_parent(object.id()));
        let Some(found) = found.map(|object| object.name().into_owned()) else { return };
        let before = objects(&root).count();
        let pivots = root.get(kinds::PIVT).len();
        let wanted = Removal { parts: vec![selector(&format!("bone:{found}"))], unused: false, children };
        let report = remove(&mut root, &wanted).expect("removed");
        assert_eq!(objects(&root).count(), before - report.changed);
        assert_eq!(root.get(kinds::PIVT).len(), pivots - report.changed);
        assert_eq!(report.changed > 1, lost, "{found}");
        let ids: Vec<i32> = objects(&root).map(|object| object.id()).collect();
        for object in objects(&root) {
            assert!(object.parent().is_none_or(|parent| ids.contains(&parent)), "{}", object.name());
        }
    }
}

/// The pivot of every node is the one it had, although its number is another.
#[test]
fn pivots_stay_with_their_nodes() {
    let places = |root: &Node<'_>| -> Vec<(String, [f32; 3])> {
        let pivots = root.get(kinds::PIVT);
        objects(root)
            .map(|object| {
                (object.name().into_owned(), pivots[usize::try_from(object.id()).expect("an id")].get())
            })
            .collect()
    };
    let mut root = tower();
    let before = places(&root);
    let emitters = count(&root, PartKind::Emitter);
    assert!(emitters > 0);
    remove(&mut root, &removal(&["emitter"])).expect("removed");
    let after = places(&root);
    assert_eq!(after.len(), before.len() - emitters);
    assert!(after.iter().all(|place| before.contains(place)));
}

#[test]
fn vertices_of_a_removed_bone_go_to_the_bone_above_or_it_is_refused() {
    let mut root = tower();
    let roots: Vec<String> = objects(&root)
        .filter(|object| object.kind == mdx::view::NodeKind::Bone && object.parent().is_none())
        .map(|object| object.name().into_owned())
        .collect();
    let used = |root: &Node<'_>| -> Vec<u32> {
        let geosets = root.find("GEOS").expect("geosets").children();
        geosets.iter().flat_map(|geoset| geoset.get(kinds::MATS)).map(|id| id.get()).collect()
    };
    let has_vertices = |name: &String| {
        let id = objects(&root).find(|object| object.name() == *name).expect("a bone").id();
        used(&root).contains(&id.cast_unsigned())
    };
    let Some(name) = roots.into_iter().find(has_vertices) else { panic!("a root bone with vertices") };
    let error = remove(&mut root, &removal(&[&format!("bone:{name}")])).expect_err("no bone is above it");
    assert!(error.message.contains("moves vertices"), "{error}");
}

#[test]
fn used_materials_and_textures_are_refused() {
    let mut root = tower();
    let error = remove(&mut root, &removal(&["material:#0"])).expect_err("it is used");
    assert!(error.message.contains("is used by"), "{error}");
    assert!(remove(&mut root, &removal(&["texture:#0"])).is_err());
    let mut root = crate_box().root;
    assert!(remove(&mut root, &removal(&["texture:mwcrate.tga"])).is_err());
    assert!(remove(&mut root, &removal(&["material"])).is_err());
}

#[test]
fn unused_global_sequences_go_and_tracks_follow() {
    let mut root = sample("warcraft-800");
    let before = root.to_bytes().expect("bytes");
    remove(&mut root, &Removal { unused: true, ..Removal::default() }).expect("removed");
    let durations: Vec<U32> = root.get(kinds::GLBS).to_vec();
    let Some(list) = root.find_mut("GLBS") else { return };
    list.set_values(&[&durations[..], &[U32::new(77)]].concat());
    let report = remove(&mut root, &Removal { unused: true, ..Removal::default() }).expect("removed");
    assert_eq!(report.changed, 1);
    assert_eq!(root.get(kinds::GLBS), durations);
    drop(before);
}

#[test]
fn keeping_needs_something_to_keep() {
    let mut root = tower();
    let clips = count(&root, PartKind::Clip);
    assert!(clips > 1);
    let error = keep(&mut root, &[selector("clip:Stnd")], Children::MoveUp).expect_err("nothing to keep");
    assert!(error.note.is_some_and(|note| note.contains("Stand")), "a suggestion");
    let report = keep(&mut root, &[selector("clip:Stand*")], Children::MoveUp).expect("kept");
    assert!(report.changed > 0);
    let left = parts(&root).expect("parts");
    assert!(
        left.iter().filter(|part| part.kind == PartKind::Clip).all(|part| part.name.starts_with("Stand"))
    );
}

/// What goes away at the root of a bone keeps vertices where they are.
#[test]
fn positions_never_change() {
    let positions = |root: &Node<'_>| -> Vec<Vec3> {
        root.find("GEOS")
            .expect("geosets")
            .children()
            .iter()
            .flat_map(|geoset| geoset.get(kinds::VRTX))
            .copied()
            .collect()
    };
    let mut root = tower();
    let before = positions(&root);
    for what in ["attachment", "light", "event", "collision", "camera", "ribbon", "emitter"] {
        remove(&mut root, &removal(&[what])).expect("removed");
    }
    assert_eq!(positions(&root), before);
}
