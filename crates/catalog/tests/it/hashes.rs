//! What each hash finds.

use meshwright::convert::author::{mdx as author_mdx, w3d as author_w3d};
use meshwright::{Model, edit, mdx, w3d};
use meshwright_catalog::Table;

use crate::support::{scan, value};

/// Two models, and which hashes of theirs are equal.
fn equal(name: &str, original: Vec<u8>, variant: Vec<u8>, extension: &str) -> Vec<&'static str> {
    let (left, right) = (format!("a/{name}"), format!("b/variant.{extension}"));
    let rows = scan(&[(left.as_str(), original), (right.as_str(), variant)]);
    let same = |column: &str| {
        let values = (value(&rows, &left, column), value(&rows, &right, column));
        values.0.is_some() && values.0 == values.1
    };
    let mut found: Vec<&'static str> = ["content_hash", "nameless_hash", "topology_hash", "skeleton_hash"]
        .into_iter()
        .filter(|it| same(it))
        .collect();
    if same("shape_hash") || same("shape_hash_2") {
        found.push("shape_hash");
    }
    found
}

fn samples() -> [(&'static str, Vec<u8>); 3] {
    [
        ("tank.w3d", w3d::sample::tank()),
        ("crate.w3d", w3d::sample::crate_box()),
        ("tower.mdx", mdx::build::watchtower()),
    ]
}

fn extension(name: &str) -> &str {
    name.rsplit_once('.').unwrap().1
}

#[test]
fn copies_and_other_models() {
    for (name, bytes) in samples() {
        let all = ["content_hash", "nameless_hash", "topology_hash", "skeleton_hash", "shape_hash"];
        assert_eq!(equal(name, bytes.clone(), bytes, extension(name)), all, "{name}");
    }
    let [(tank, tank_bytes), (_, crate_bytes), (_, tower_bytes)] = samples();
    assert!(equal(tank, tank_bytes.clone(), crate_bytes, "w3d").is_empty());
    assert!(equal(tank, tank_bytes, tower_bytes, "mdx").is_empty());
}

#[test]
fn renamed_copies_have_the_same_content() {
    let mut model = Model::parse(w3d::sample::crate_box()).unwrap();
    let names: Vec<String> = model.meshes().iter().map(meshwright::Mesh::name).collect();
    let name = names[0].split('.').next_back().unwrap();
    edit::rename(model.document_mut().root_mut(), edit::Named::Mesh, name, "TOP").unwrap();
    let found = equal("crate.w3d", w3d::sample::crate_box(), model.to_bytes().unwrap(), "w3d");
    assert_eq!(found, ["nameless_hash", "topology_hash", "skeleton_hash", "shape_hash"]);
}

#[test]
fn text_and_binary_have_the_same_content() {
    let bytes = mdx::build::watchtower();
    let text = Model::parse(bytes.clone()).unwrap().to_mdl().unwrap();
    let found = equal("tower.mdx", bytes, text, "mdl");
    assert!(found.contains(&"nameless_hash") && !found.contains(&"content_hash"), "{found:?}");
}

#[test]
fn moved_and_scaled_copies_have_the_same_shape() {
    for (name, bytes) in samples() {
        for (scale, offset) in
            [(2.0, [0.0; 3]), (0.37, [0.0; 3]), (1.0, [130.5, -7.25, 44.0]), (3.1, [12.0, 5.0, 0.1])]
        {
            let mut model = Model::parse(bytes.clone()).unwrap();
            let root = model.document_mut().root_mut();
            edit::transform(root, &edit::Transform::Scale([scale; 3])).unwrap();
            edit::transform(root, &edit::Transform::Translate(offset)).unwrap();
            let found = equal(name, bytes.clone(), model.to_bytes().unwrap(), extension(name));
            assert!(found.contains(&"shape_hash"), "{name}, {scale}, {offset:?}: {found:?}");
            assert!(!found.contains(&"content_hash"), "{name}");
        }
    }
}

#[test]
fn converted_copies_have_the_same_shape() {
    for (name, bytes) in samples() {
        let scene = Model::parse(bytes.clone()).unwrap().to_scene();
        let (model, _) = Model::mdx_from_scene(&scene, &author_mdx::Options::default()).unwrap();
        let found = equal(name, bytes.clone(), model.to_bytes().unwrap(), "mdx");
        assert!(found.contains(&"shape_hash"), "{name} to MDX: {found:?}");
        let (files, _) = Model::w3d_from_scene(&scene, &author_w3d::Options::default()).unwrap();
        let found = equal(name, bytes, files[0].1.to_bytes().unwrap(), "w3d");
        assert!(found.contains(&"shape_hash"), "{name} to W3D: {found:?}");
    }
}

#[test]
fn clips_are_found_under_another_name() {
    let mut model = Model::parse(w3d::sample::crate_box()).unwrap();
    edit::rename(model.document_mut().root_mut(), edit::Named::Animation, "OPEN", "SHUT").unwrap();
    let rows = scan(&[("a.w3d", w3d::sample::crate_box()), ("b.w3d", model.to_bytes().unwrap())]);
    let clip = |row, column| rows.value(Table::Clips, row, column).unwrap().text().unwrap().to_owned();
    assert_ne!(clip(0, "name"), clip(1, "name"));
    assert_eq!(clip(0, "clip_hash"), clip(1, "clip_hash"));
}
