//! The program stands on the library: the same jobs give the same bytes and the same losses, and the program has no way of its own.

use std::fs;
use std::path::Path;

use crate::common::Bench;
use meshwright::archive::{self, Content, Kind, NewMember};
use meshwright::render::soft::Settings;
use meshwright::scene::{Cause, Note};
use meshwright::{ConvertOptions, MdxOptions, Model, Target, W3dOptions, Workspace, mdx, texture, w3d};

/// A tank, a crate and a tower with their textures, each also as GLB, MDL and in an archive.
fn bench() -> Bench {
    let bench = Bench::empty();
    let crate_box = w3d::sample::crate_box();
    bench.write("mwtank.w3d", w3d::sample::tank());
    bench.write("mwcrate.w3d", &crate_box);
    bench.write("mwtower.mdx", mdx::build::watchtower());
    for (name, image) in texture::sample::textures() {
        bench.write(name, texture::encode_tga(&image).expect("a texture"));
    }
    let members = [NewMember { path: r"Art\W3D\MWCrate.w3d".into(), content: Content::Bytes(crate_box) }];
    archive::save(&bench.path("game.big"), |out| archive::create(Kind::Bigf, &members, out)).expect("packed");
    for name in ["mwtank", "mwcrate", "mwtower"] {
        let model = if name == "mwtower" { "mwtower.mdx".to_owned() } else { format!("{name}.w3d") };
        convert(&bench, &model, &format!("{name}.glb"));
    }
    convert(&bench, "mwtower.mdx", "mwtower.mdl");
    bench
}

/// Runs the program. The result is its list of losses, one per line.
fn convert(bench: &Bench, from: &str, to: &str) -> Vec<String> {
    let run = bench.run(&["convert", from, to, "--verbose", "--force"]);
    assert_eq!(run.code, Some(0), "{from} to {to}: {}", run.stderr);
    let start = format!("{from}: ");
    let lines = run.stderr.lines().filter_map(|line| line.strip_prefix(&start));
    // The hint at the original is not a loss.
    lines.filter(|line| !line.contains("--onto")).map(str::to_owned).collect()
}

/// The losses of the library as the program prints them, without the advice about options.
fn printed(notes: &[Note]) -> Vec<String> {
    notes.iter().filter(|note| note.cause != Some(Cause::Original)).map(Note::to_string).collect()
}

#[track_caller]
fn assert_same_losses(job: &str, library: Vec<String>, program: &[String]) {
    assert_eq!(library.len(), program.len(), "{job}: {library:?} and {program:?}");
    for (library, program) in library.iter().zip(program) {
        assert!(program.starts_with(library), "{job}: {library} is not {program}");
    }
}

#[test]
fn conversions_of_the_library_and_the_program_are_equal() {
    let bench = bench();
    let workspace = Workspace::default();
    let jobs = [
        ("mwtank.w3d", "out/mwtank.glb"),
        ("mwtower.mdx", "out/mwtower.glb"),
        ("mwtower.mdx", "out/mwtower.gltf"),
        ("mwtank.glb", "out/mwtank.w3d"),
        ("mwtower.glb", "out/mwtower.w3d"),
        ("mwtower.glb", "out/mwtower.mdx"),
        ("mwtank.glb", "out/mwtank.mdx"),
        ("mwtower.mdl", "out/again.mdx"),
        ("mwtank.w3d", "out/tank.mdx"),
        ("mwtower.mdx", "out/tower.w3d"),
        ("mwtower.mdx", "out/mwtower.mdl"),
        ("mwcrate.w3d", "out/mwcrate.obj"),
        ("mwcrate.w3d", "out/mwcrate.ply"),
        ("mwcrate.glb", "out/mwcrate.stl"),
        ("mwcrate.w3d", "out/mwcrate.json"),
        ("game.big/art/w3d/mwcrate.w3d", "out/packed.glb"),
    ];
    for (from, to) in jobs {
        let job = format!("{from} to {to}");
        let losses = convert(&bench, from, to);
        let name = Path::new(to).file_name().expect("a name").to_string_lossy().into_owned();
        let target = Target::of_file_name(&name).expect("a format");
        let options = ConvertOptions { file_name: Some(name), ..ConvertOptions::new(target) };
        let path = bench.path(from);
        let bytes = workspace.read(&path).expect(from);
        let written = workspace.convert(&bytes, Some(&path), &options).expect(&job);
        assert!(written.bytes == bench.read(to), "{job}: the files differ");
        for (name, bytes) in &written.others {
            assert!(*bytes == bench.read(&format!("out/{name}")), "{job}: {name} differs");
        }
        assert_same_losses(&job, printed(&written.report.into_notes()), &losses);
    }
}

#[test]
fn models_of_the_library_and_the_program_are_equal() {
    let bench = bench();
    for name in ["mwtank", "mwcrate", "mwtower"] {
        let glb = bench.read(&format!("{name}.glb"));
        let losses = convert(&bench, &format!("{name}.glb"), &format!("out/{name}.mdx"));
        let (model, report) = Model::mdx_from_glb(name, &glb, &MdxOptions::default()).expect(name);
        assert!(
            model.to_bytes().expect(name) == bench.read(&format!("out/{name}.mdx")),
            "{name}: MDX differs"
        );
        assert_same_losses(name, printed(&report.into_notes()), &losses);
        let losses = convert(&bench, &format!("{name}.glb"), &format!("out/{name}.w3d"));
        let (files, report) = Model::w3d_from_glb(name, &glb, &W3dOptions::default()).expect(name);
        let bytes = files[0].1.to_bytes().expect(name);
        assert!(bytes == bench.read(&format!("out/{name}.w3d")), "{name}: W3D differs");
        assert_same_losses(name, printed(&report.into_notes()), &losses);
    }
    let model = Model::open(bench.path("game.big/art/w3d/mwcrate.w3d")).expect("a member of an archive");
    assert_eq!(model.to_bytes().expect("bytes"), w3d::sample::crate_box());
}

/// A model of Warcraft III has the sequences and attachments that it needs: none are added.
#[test]
fn a_model_that_was_mdx_gets_no_sequences() {
    let tower = Model::parse(mdx::build::watchtower()).expect("the tower");
    let glb = tower.to_glb().expect("a GLB");
    let (again, _) = Model::mdx_from_glb("tower", &glb, &MdxOptions::default()).expect("an MDX");
    let names = |model: &Model| model.clips().into_iter().map(|clip| clip.name).collect::<Vec<_>>();
    assert_eq!(names(&again), names(&tower));
    assert_eq!(again.info().objects, tower.info().objects);
}

#[test]
fn findings_edits_and_pictures_of_the_library_and_the_program_are_equal() {
    let bench = bench();
    let path = bench.path("mwtank.w3d");
    let mut tank = Model::open(&path).expect("the tank");
    let run = bench.run(&["check", "mwtank.w3d", "--format", "json", "--severity", "hint"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let codes = report["files"][0]["findings"].as_array().expect("findings").iter();
    let codes: Vec<&str> = codes.filter_map(|finding| finding["code"].as_str()).collect();
    let found = tank.check();
    assert_eq!(found.iter().map(|finding| &*finding.code).collect::<Vec<_>>(), codes);

    let settings = Settings::new(48, 48);
    let image = tank.draw(&Workspace::default(), &settings, |_| ()).expect("a picture");
    let run = bench.run(&["render", "mwtank.w3d", "tank.png", "--size", "48", "--background", "transparent"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let drawn = texture::decode_top(&bench.read("tank.png")).expect("a PNG");
    assert!(image.pixels == drawn.pixels(), "the pictures differ");

    let texture = tank.textures()[0].clone();
    tank.set_texture(&texture, "snow.tga").expect("changed");
    tank.save(bench.path("saved.w3d")).expect("saved");
    assert_eq!(tank.path(), Some(bench.path("saved.w3d").as_path()));
    let run = bench.run(&["edit", "retexture", &texture, "snow.tga", "mwtank.w3d", "--in-place"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(bench.read("saved.w3d"), bench.read("mwtank.w3d"));
}

/// All source files of a crate, with their text.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push((path.display().to_string(), fs::read_to_string(&path).expect("a text")));
        }
    }
    found
}

/// What only the library does.
const OF_THE_LIBRARY: [&str; 12] = [
    "Resolver::",
    "to_scene(",
    "write_glb(",
    "write_gltf(",
    "gltf_io::read(",
    "to_mdx(",
    "to_w3d(",
    "geometry::",
    "Pictures::load(",
    "texture::Decoder",
    "fs::rename(",
    "create_new(",
];

#[test]
fn the_programs_name_no_converter_resolver_or_writer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (program, others) in [("cli", &["catalog"][..]), ("viewer", &["gpu"][..])] {
        for (file, text) in sources(&root.join(program).join("src")) {
            for name in OF_THE_LIBRARY {
                assert!(!text.contains(name), "{file} has {name}");
            }
        }
        let manifest = fs::read_to_string(root.join(program).join("Cargo.toml")).expect("a manifest");
        let dependencies = manifest.split("[dependencies]").nth(1).expect("dependencies");
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        let names = dependencies.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
        let is_ours = |name: &&str| root.join(name).join("Cargo.toml").is_file();
        let ours: Vec<&str> = names.filter(|name| !name.is_empty()).filter(is_ours).collect();
        assert_eq!(ours, [others, &["meshwright"]].concat(), "{program}");
    }
}

/// Libraries name causes; the options of the command line are advice that the program adds.
#[test]
fn messages_of_the_libraries_name_no_options() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in ["archive", "assets", "convert", "edit", "file", "geometry", "gltf", "mdx", "meshwright"]
        .into_iter()
        .chain(["model", "record", "render", "scene", "texture", "w3d"])
    {
        for (file, text) in sources(&root.join(name).join("src")) {
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in code {
                let option = line.split("--").nth(1).and_then(|rest| rest.chars().next());
                assert!(!option.is_some_and(|first| first.is_ascii_lowercase()), "{file}: {line}");
            }
        }
    }
}
