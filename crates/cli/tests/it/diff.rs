//! `diff`: a summary that people read, the differences, pictures, JSON, and Git.

use crate::common::Bench;
use meshwright::record::{Chars, Vec3};
use meshwright::w3d::records::MeshHeader3;
use meshwright::{mdx, w3d};
use serde_json::Value;

fn changed(change: impl FnOnce(&mut w3d::W3d<'static>)) -> Vec<u8> {
    let mut file = w3d::W3d::parse(&w3d::sample::crate_box()).expect("the sample").into_owned();
    change(&mut file);
    file.to_bytes().expect("a file")
}

fn lines(bench: &Bench, words: &[&str]) -> Vec<String> {
    let run = bench.run(&[&["diff"], words].concat());
    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    run.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn the_summary_comes_first_and_speaks_of_objects() {
    let bench = Bench::with_fixtures();
    let moved = changed(|file| {
        let vertices = file.root.find_mut("MESH[0]/VERTICES").expect("vertices").values_mut::<Vec3>();
        vertices[..5].iter_mut().for_each(|vertex| vertex.x.set(vertex.x.get() + 0.3));
        *file.root.find_mut("MESH[0]/TEXTURES/TEXTURE/TEXTURE_NAME").expect("a texture") =
            w3d::build::text(&w3d::table::TEXTURE_NAME, "oak.tga").expect("ASCII");
    });
    bench.write("moved.w3d", moved);
    let lines = lines(&bench, &["mwcrate.w3d", "moved.w3d"]);
    let line = "mesh BODY: 5 of 24 vertices moved, up to 0.3; texture mwcrate.tga to oak.tga";
    assert!(lines[..2].iter().any(|found| found == line), "{lines:#?}");
}

/// A renamed model is compared with itself, and so is a mesh whose name changed.
#[test]
fn renamed_objects_are_paired_by_short_name_and_by_content() {
    let bench = Bench::with_fixtures();
    let rename = |container: &'static str, mesh: Option<&'static str>| {
        changed(move |file| {
            for number in 0..2 {
                let header = file.root.find_mut(&format!("MESH[{number}]/MESH_HEADER3")).expect("a header");
                let header = header.value_mut::<MeshHeader3>().expect("a header");
                header.container_name = Chars::new(container).expect("short");
                if let Some(name) = mesh.filter(|_| number == 0) {
                    header.mesh_name = Chars::new(name).expect("short");
                }
            }
        })
    };
    bench.write("box.w3d", rename("BOX", None));
    let of_meshes = |file: &str| -> Vec<String> {
        lines(&bench, &["mwcrate.w3d", file, "--stat"])
            .into_iter()
            .filter(|line| line.contains("mesh"))
            .collect()
    };
    assert_eq!(of_meshes("box.w3d"), ["2 meshes (BODY, LID): container name MWCRATE to BOX"]);
    bench.write("chest.w3d", rename("MWCRATE", Some("CHEST")));
    assert_eq!(of_meshes("chest.w3d"), ["mesh BODY: mesh name BODY to CHEST"]);
}

/// A model whose name changed is one object, not one removed and one added.
#[test]
fn the_only_object_of_a_kind_is_compared_with_the_other() {
    let bench = Bench::with_fixtures();
    bench.run(&["edit", "rename", "model", "MWCRATE", "CHEST", "mwcrate.w3d", "--output", "chest.w3d"]);
    let lines = lines(&bench, &["mwcrate.w3d", "chest.w3d", "--stat"]);
    assert!(lines.iter().all(|line| !line.contains("removed") && !line.contains("added")), "{lines:#?}");
}

/// Vertices in another order are the same vertices.
#[test]
fn vertices_are_compared_as_a_set() {
    let bench = Bench::with_fixtures();
    let turned = changed(|file| {
        let vertices = file.root.find_mut("MESH[0]/VERTICES").expect("vertices").values_mut::<Vec3>();
        vertices.reverse();
    });
    bench.write("turned.w3d", turned);
    let turned = lines(&bench, &["mwcrate.w3d", "turned.w3d"]);
    assert!(turned.contains(&"mesh BODY: vertices reordered".to_owned()), "{turned:#?}");
}

#[test]
fn json_is_an_object_with_its_schema() {
    let bench = Bench::with_fixtures();
    let run = bench.run(&["diff", "--json", "mwcrate.w3d", "changed.w3d"]);
    let json: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(json["schema"], "meshwright-diff-1");
    let file = &json["files"][0];
    assert_eq!((&file["same"], &file["count"]), (&false.into(), &6.into()));
    let body = &file["objects"].as_array().expect("objects")[1];
    assert_eq!((&body["kind"], &body["names"][0]), (&"mesh".into(), &"BODY".into()), "{file:#}");
}

#[test]
fn pictures_show_before_after_and_difference() {
    let bench = Bench::with_fixtures();
    let run = bench.run(&["diff", "mwcrate.w3d", "changed.w3d", "--stat", "--pictures", "out.png"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let image = meshwright::texture::decode_top(&bench.read("out.png")).expect("a PNG");
    assert!(image.width() > 3 * 384 && image.height() > 384, "{} x {}", image.width(), image.height());
    let is_red = |pixel: &[u8]| pixel[0] == 230 && pixel[1] == 30 && pixel[2] == 60;
    let red =
        |image: &meshwright::texture::Image| image.pixels().chunks_exact(4).filter(|it| is_red(it)).count();
    assert!(red(&image) > 100, "the vertex moved");
    bench.run(&["diff", "mwcrate.w3d", "mwcrate.w3d", "--pictures", "same.png"]);
    assert_eq!(red(&meshwright::texture::decode_top(&bench.read("same.png")).expect("a PNG")), 0);
    assert_eq!(bench.run(&["diff", ".", ".", "--pictures", "out.png"]).code, Some(2));
}

/// The settings of docs/git.md, tried with Git itself.
#[test]
#[cfg(unix)]
fn git_shows_differences_of_models() {
    let bench = Bench::empty();
    let git = |words: &[&str]| {
        let mut command = std::process::Command::new("git");
        command
            .args(words)
            .current_dir(bench.path(""))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("HOME", bench.path(""));
        let output = command.output().expect("Git runs");
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    if !git(&["--version"]).starts_with("git version") {
        return;
    }
    let program = env!("CARGO_BIN_EXE_meshwright");
    git(&["init", "-q"]);
    for (key, value) in [
        ("user.name", "a"),
        ("user.email", "a@example.com"),
        ("difftool.prompt", "false"),
        ("diff.meshwright.textconv", &format!("{program} info -v")),
        ("difftool.meshwright.cmd", &format!("{program} diff \"$LOCAL\" \"$REMOTE\"; true")),
    ] {
        git(&["config", key, value]);
    }
    bench.write(".gitattributes", "*.w3d diff=meshwright\n*.mdx diff=meshwright\n");
    bench.write("tank.w3d", w3d::sample::crate_box());
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "a"]);
    bench.write("tank.w3d", crate::common::changed());
    let text = git(&["diff"]);
    assert!(text.contains("+  textures") || text.contains("other.tga"), "{text}");
    let tool = git(&["difftool", "-t", "meshwright"]);
    assert!(tool.contains("mesh BODY: "), "{tool}");
}

/// MDX: objects of lists, textures of the table.
#[test]
fn objects_of_mdx_have_their_names() {
    let bench = Bench::with_mdx();
    let (_, bytes) =
        mdx::build::samples().into_iter().find(|(name, _)| *name == "warcraft-800").expect("a sample");
    let mut file = mdx::Document::parse(&bytes).expect("the sample").into_owned();
    let path =
        &mut file.root.find_mut("TEXS").expect("textures").values_mut::<mdx::records::Texture>()[0].path;
    *path = Chars::new("Textures\\oak.blp").expect("short");
    bench.write("after.mdx", file.to_bytes().expect("a file"));
    let lines = lines(&bench, &["warcraft-800.mdx", "after.mdx", "--stat"]);
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("textures: texture Textures\\white.blp to Textures\\oak.blp")),
        "{lines:#?}"
    );
}
