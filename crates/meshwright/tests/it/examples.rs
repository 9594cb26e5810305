//! The programs in `examples`: each is short, and does what it says.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use meshwright::Model;
use tempfile::TempDir;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

/// The program of an example. Cargo builds the examples before it runs all tests; asked for one test, it does not.
fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    let folder = test.ancestors().nth(2).expect("the target folder").join("examples");
    let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        let arguments = ["build", "--quiet", "--package", "meshwright", "--example", name];
        let status = Command::new(env!("CARGO")).args(arguments).status().expect("cargo starts");
        assert!(status.success(), "{name} does not compile");
    }
    program
}

fn run(name: &str, folder: &Path, arguments: &[&str]) -> Output {
    let output = Command::new(program(name)).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// The sample crate of W3D with its texture, and a sample of MDX.
fn models() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("a file");
    write("mwcrate.w3d", &w3d::sample::crate_box());
    // Only that it is there matters.
    write("mwcrate.tga", &[0; 64]);
    let (_, mdx) = mdx::build::samples().into_iter().find(|(name, _)| *name == "warcraft-800").expect("one");
    write("unit.mdx", &mdx);
    folder
}

#[test]
fn every_example_has_at_most_twelve_lines() {
    let files: Vec<_> = std::fs::read_dir(FOLDER).expect("examples").flatten().collect();
    assert!(files.len() >= 5, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(file.path()).expect("a program");
        let lines = text.lines().count();
        assert!(lines <= 12, "{} has {lines} lines", file.path().display());
    }
}

#[test]
fn positions_are_printed_for_both_families() {
    let folder = models();
    let crate_box = stdout(&run("print_positions", folder.path(), &["mwcrate.w3d"]));
    assert!(crate_box.starts_with("MWCRATE.BODY\n  "), "{crate_box}");
    let model = Model::open(folder.path().join("mwcrate.w3d")).expect("the crate");
    let vertices = model.info().vertices();
    assert_eq!(crate_box.lines().filter(|line| line.starts_with("  ")).count(), vertices);
    let unit = stdout(&run("print_positions", folder.path(), &["unit.mdx"]));
    assert_eq!(unit.lines().filter(|line| line.starts_with("  ")).count(), 4, "{unit}");
}

#[test]
fn a_retextured_model_differs_in_the_texture_only() {
    let folder = models();
    let said = run("retexture", folder.path(), &["mwcrate.w3d", "mwcrate.tga", "oak.dds", "oak.w3d"]);
    assert_eq!(stdout(&said), "2 places changed\n");
    let open = |name: &str| Model::open(folder.path().join(name)).expect("a model");
    assert_eq!(open("oak.w3d").textures(), ["oak.dds"]);
    let changes = open("mwcrate.w3d").diff(&open("oak.w3d")).expect("the same family");
    assert!(!changes.is_empty() && changes.iter().all(|change| change.path.contains("TEXTURE_NAME")));
}

#[test]
fn a_model_becomes_glb_with_the_skeleton_beside_it() {
    let folder = models();
    // The skeleton and the animations go to a file of their own, under the name that the engine looks for.
    let open = |name: &str| Model::open(folder.path().join(name)).expect("a model");
    let (mut model, mut skeleton) = (open("mwcrate.w3d"), open("mwcrate.w3d"));
    let in_skeleton = |node: &record::Node<'_>| {
        node.is(&w3d::table::HIERARCHY)
            || node.is(&w3d::table::ANIMATION)
            || node.is(&w3d::table::COMPRESSED_ANIMATION)
    };
    let keep = |model: &mut Model, wanted: &dyn Fn(&record::Node<'_>) -> bool| {
        model.document_mut().root_mut().children_mut().expect("chunks").retain(|node| wanted(node));
    };
    keep(&mut model, &|node| !in_skeleton(node));
    keep(&mut skeleton, &in_skeleton);
    model.save(folder.path().join("box_skn.w3d")).expect("written");
    std::fs::remove_file(folder.path().join("mwcrate.w3d")).expect("removed");
    assert!(open("box_skn.w3d").skeletons().is_empty());
    run("to_glb", folder.path(), &["box_skn.w3d", "without.glb"]);
    skeleton.save(folder.path().join("mwcrate.w3d")).expect("written");
    run("to_glb", folder.path(), &["box_skn.w3d", "with.glb"]);
    let glb = |name: &str| std::fs::read(folder.path().join(name)).expect("a file");
    let has = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(glb("with.glb").starts_with(b"glTF") && has(&glb("with.glb"), "\"animations\""));
    assert!(!has(&glb("without.glb"), "\"animations\""));
    run("to_glb", folder.path(), &["unit.mdx", "unit.glb"]);
    assert!(glb("unit.glb").starts_with(b"glTF"));
}

#[test]
fn problems_of_a_model_are_listed() {
    let folder = models();
    let clean = stdout(&run("check", folder.path(), &["mwcrate.w3d"]));
    assert_eq!(clean, "checked for C&C Generals: Zero Hour\n");
    let path = folder.path().join("mwcrate.w3d");
    let mut model = Model::open(&path).expect("the crate");
    let triangles = model.document_mut().root_mut().find_mut("MESH/TRIANGLES").expect("triangles");
    triangles.values_mut::<w3d::records::Triangle>()[0].vindex[0].set(999);
    model.save(&path).expect("written");
    let broken = stdout(&run("check", folder.path(), &["mwcrate.w3d"]));
    assert!(broken.contains("error[W3D-MESH-005]"), "{broken}");
}

#[test]
fn a_textured_triangle_is_built_in_both_formats() {
    let folder = tempfile::tempdir().expect("a folder");
    run("triangle", folder.path(), &[]);
    for (name, texture) in [("triangle.w3d", "wood.tga"), ("triangle.mdx", "wood.blp")] {
        // A missing texture would be a finding.
        std::fs::write(folder.path().join(texture), [0; 64]).expect("written");
        let model = Model::open(folder.path().join(name)).expect("a model");
        let mesh = &model.meshes()[0];
        assert_eq!(mesh.positions(), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], "{name}");
        assert_eq!(mesh.triangles(), [[0, 1, 2]], "{name}");
        assert_eq!(model.textures(), [texture]);
        let worst = model.check().into_iter().map(|finding| finding.severity).max();
        assert!(worst < Some(meshwright::Severity::Warning), "{name}: {:?}", model.check());
    }
}
