//! Adding parts of another model: what was removed comes back, and what is new has everything that it needs.

use crate::common::crate_box;
use mdx::view::{NodeKind, Object};
use mdx::{Document, kinds};
use meshwright_edit::{Addition, ClipAddition, PartKind, Removal, Selector, add, add_clip, parts, remove};
use record::Node;
use w3d::W3d;

fn selector(text: &str) -> Selector {
    text.parse().expect("a selector")
}

fn part(text: &str) -> Addition {
    Addition { part: selector(text), to: None, like: None, keep_position: false }
}

fn tower() -> Node<'static> {
    let bytes = mdx::build::watchtower();
    Document::parse(&bytes).expect("a model").into_owned().root
}

fn tank() -> Node<'static> {
    let bytes = w3d::sample::tank();
    W3d::parse(&bytes).expect("a model").into_owned().root
}

fn count(root: &Node<'_>, kind: PartKind) -> usize {
    parts(root).expect("parts").iter().filter(|part| part.kind == kind).count()
}

fn take(root: &mut Node<'_>, text: &str) {
    remove(root, &Removal { parts: vec![selector(text)], ..Removal::default() }).expect("removed");
}

#[test]
fn the_last_geoset_comes_back_as_it_was() {
    let original = tower();
    let mut root = original.clone();
    let last = format!("geoset:#{}", count(&root, PartKind::Mesh) - 1);
    take(&mut root, &last);
    assert_eq!(add(&mut root, &original, &part(&last)).expect("added").changed, 1);
    let geosets = |root: &Node<'_>| root.find("GEOS").expect("geosets").to_bytes().expect("bytes");
    assert_eq!(geosets(&root), geosets(&original));
    let textures = |root: &Node<'_>| root.get(kinds::TEXS).len();
    assert_eq!(textures(&root), textures(&original), "nothing is there twice");
}

#[test]
fn every_sort_of_object_comes_back() {
    let original = tower();
    for kind in ["attachment", "emitter", "ribbon", "light", "camera", "collision", "event"] {
        let kind: PartKind = kind.parse().expect("a kind");
        let Some(last) = count(&original, kind).checked_sub(1) else { continue };
        let mut root = original.clone();
        let text = format!("{}:#{last}", kind.word());
        take(&mut root, &text);
        add(&mut root, &original, &part(&text)).expect("added");
        assert_eq!(count(&root, kind), last + 1, "{text}");
        let pivots = root.get(kinds::PIVT).len();
        assert_eq!(pivots, original.get(kinds::PIVT).len(), "{text}");
    }
}

/// A part on another node is as far from it as it was from its own.
#[test]
fn a_geoset_goes_to_another_node() {
    let original = tower();
    let mut root = original.clone();
    let objects =
        |root: &Node<'_>| root.children().iter().flat_map(Node::children).filter_map(Object::new).count();
    let before = objects(&root);
    let attachment = parts(&root).expect("parts").into_iter().find(|part| part.kind == PartKind::Attachment);
    let attachment = attachment.expect("an attachment").name;
    let addition = Addition { to: Some(selector(&format!("node:{attachment}"))), ..part("geoset:#0") };
    let report = add(&mut root, &original, &addition).expect("added");
    assert!(report.changed > 1, "its bones came too");
    assert_eq!(objects(&root), before + report.changed - 1);
    let bones: Vec<i32> = root
        .children()
        .iter()
        .flat_map(Node::children)
        .filter_map(Object::new)
        .filter(|object| object.kind == NodeKind::Bone)
        .map(|object| object.id())
        .collect();
    let added = root.find("GEOS").expect("geosets").children().last().expect("a geoset");
    assert!(added.get(kinds::MATS).iter().all(|id| bones.contains(&id.get().cast_signed())));
    assert_eq!(added.get(kinds::EXTENTS).len(), root.get(kinds::SEQS).len());
}

#[test]
fn other_versions_and_formats_are_refused() {
    let samples = mdx::build::samples();
    let sample = |name: &str| {
        let bytes = &samples.iter().find(|(own, _)| *own == name).expect("the sample").1;
        Document::parse(bytes).expect("a model").into_owned().root
    };
    let mut root = sample("warcraft-800");
    let other =
        sample(samples.iter().map(|(name, _)| *name).find(|name| name.contains("1000")).expect("another"));
    assert!(
        add(&mut root, &other, &part("geoset:#0")).expect_err("another version").message.contains("version")
    );
    assert!(
        add(&mut root, &tank(), &part("mesh:#0")).expect_err("another format").message.contains("format")
    );
    let same = root.clone();
    let error = add(&mut root, &same, &part("geoset:#99")).expect_err("no such part");
    assert!(error.note.is_some(), "it says how many there are");
}

#[test]
fn a_w3d_mesh_gets_a_bone_at_the_end() {
    let mut root = crate_box().root;
    let other = tank();
    let mesh =
        parts(&other).expect("parts").into_iter().find(|part| part.kind == PartKind::Mesh).expect("a mesh");
    let bones = count(&root, PartKind::Bone);
    let before: Vec<String> = parts(&root)
        .expect("parts")
        .into_iter()
        .filter(|part| part.kind == PartKind::Bone)
        .map(|part| part.name)
        .collect();
    let addition = Addition { to: Some(selector("bone:#0")), ..part(&format!("mesh:{}", mesh.name)) };
    let report = add(&mut root, &other, &addition).expect("added");
    assert_eq!(report.changed, 1);
    let after: Vec<String> = parts(&root)
        .expect("parts")
        .into_iter()
        .filter(|part| part.kind == PartKind::Bone)
        .map(|part| part.name)
        .collect();
    assert_eq!(after[..bones], before, "the others keep their numbers");
    let file = W3d { root };
    let hlod = file.hlods().next().expect("a model");
    let level = hlod.levels().last().expect("a level");
    assert_eq!(level.header().expect("a header").model_count.get() as usize, level.sub_objects().count());
    let entry = level.sub_objects().last().expect("the part");
    assert_eq!(entry.bone_index.get() as usize, bones);
    assert_eq!(entry.name.to_string(), format!("{}.{}", hlod.name(), mesh.name));
    assert!(file.meshes().any(|mesh| mesh.full_name() == entry.name.to_string()));
}

#[test]
fn a_removed_w3d_object_comes_back_as_it_was() {
    let fixture = crate_box();
    // The collision box is the last object of the file.
    let last = "collision:BOUNDS".to_owned();
    let mut root = fixture.root.clone();
    take(&mut root, &last);
    add(&mut root, &fixture.root, &part(&last)).expect("added");
    assert!(root.to_bytes().expect("bytes") == fixture.original);
    let error = add(&mut root, &fixture.root, &part(&last)).expect_err("it is there");
    assert!(error.message.contains("already"), "{error}");
}

#[test]
fn a_clip_is_appended_to_the_time_line() {
    let original = tower();
    let mut root = original.clone();
    let addition = ClipAddition {
        clip: selector("clip:#0"),
        name: Some("Walk".to_owned()),
        map: Vec::new(),
        like: None,
    };
    add_clip(&mut root, &original, &addition).expect("added");
    let (before, after) = (original.get(kinds::SEQS), root.get(kinds::SEQS));
    assert_eq!(after.len(), before.len() + 1);
    let added = after.last().expect("a clip");
    assert!(before.iter().all(|sequence| sequence.end.get() < added.start.get()));
    let length = |sequence: &mdx::records::Sequence| sequence.end.get() - sequence.start.get();
    assert_eq!(length(added), length(&before[0]));
    for geoset in root.find("GEOS").expect("geosets").children() {
        assert_eq!(geoset.get(kinds::EXTENTS).len(), after.len());
    }
    assert!(
        add_clip(&mut root, &original, &addition).expect_err("the name is taken").message.contains("already")
    );
}

#[test]
fn bones_without_a_partner_are_reported() {
    let original = tower();
    let mut other = original.clone();
    let moving = other
        .children()
        .iter()
        .flat_map(Node::children)
        .filter_map(Object::new)
        .find(|object| mdx::view::tracks(object.node).any(|track| track.global_sequence().is_none()))
        .map(|object| object.name().into_owned());
    let Some(moving) = moving else { return };
    meshwright_edit::rename(&mut other, meshwright_edit::Named::Bone, &moving, "Stranger").expect("renamed");
    let addition = |map: &[(&str, &str)]| ClipAddition {
        clip: selector("clip:#0"),
        name: Some("Walk".to_owned()),
        map: map.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect(),
        like: None,
    };
    let report = add_clip(&mut original.clone(), &other, &addition(&[])).expect("added");
    assert!(report.notes.iter().any(|note| note.contains("Stranger")), "{:?}", report.notes);
    let report = add_clip(&mut original.clone(), &other, &addition(&[("Stranger", &moving)])).expect("added");
    assert!(report.notes.is_empty(), "{:?}", report.notes);
}

#[test]
fn a_w3d_clip_is_added_as_a_chunk() {
    let fixture = crate_box();
    let mut root = fixture.root.clone();
    let addition = ClipAddition {
        clip: selector("clip:#0"),
        name: Some("AGAIN".to_owned()),
        map: Vec::new(),
        like: None,
    };
    add_clip(&mut root, &fixture.root, &addition).expect("added");
    let clips: Vec<String> =
        root.children().iter().filter_map(w3d::Animation::new).map(|clip| clip.name()).collect();
    assert_eq!(clips.len(), 2);
    assert_eq!(clips[1], "AGAIN");
}
