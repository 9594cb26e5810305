//! Models to glTF: what is taken from other files, and what is said about what is not.

use crate::common::{Bench, glb_json};
use meshwright::{mdx, record, w3d};
use serde_json::Value;

fn count(gltf: &Value, what: &str) -> usize {
    gltf[what].as_array().map_or(0, Vec::len)
}

#[test]
fn what_lies_beside_a_model_becomes_part_of_it() {
    let bench = Bench::with_parts();
    let run = bench.run(&["convert", "box.w3d", "box.glb", "--textures", "art"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{}", run.stdout);
    let gltf = glb_json(&bench.read("box.glb"));
    assert_eq!(["meshes", "animations", "images"].map(|what| count(&gltf, what)), [2, 1, 1]);
    let names: Vec<_> = gltf["nodes"].as_array().into_iter().flatten().map(|node| &node["name"]).collect();
    assert!(names.iter().any(|name| *name == "LID"), "{names:?}");
}

#[test]
fn what_lies_elsewhere_is_given() {
    let bench = Bench::with_parts();
    bench.write("far/away/box.w3d", bench.read("box.w3d"));
    let run = bench.run(&["convert", "far/away/box.w3d", "box.glb"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("missing: ") && run.stderr.contains("mwcrate.tga"), "{}", run.stderr);
    assert_eq!(count(&glb_json(&bench.read("box.glb")), "animations"), 0);
    let run = bench.run(&[
        "convert",
        "far/away/box.w3d",
        "box.glb",
        "--no-textures",
        "--with=MWCrate_SKL.W3D",
        "--with=mwcrate_open.w3d",
    ]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let gltf = glb_json(&bench.read("box.glb"));
    assert_eq!(["meshes", "animations", "images"].map(|what| count(&gltf, what)), [2, 1, 0]);
    for (words, problem) in [
        (["--with", "missing.w3d"], "no such file"),
        (["--with", "art/wood/MWCRATE.TGA"], "starts with the bytes"),
        (["--textures", "missing"], "no such folder"),
    ] {
        let run = bench.run(&[&["convert", "far/away/box.w3d", "other.glb"][..], &words].concat());
        assert_eq!(run.code, Some(3), "{words:?}");
        assert!(run.stderr.contains(problem), "{}", run.stderr);
    }
    assert!(!bench.path("other.glb").exists());
}

#[test]
fn several_files_are_named_after_the_first() {
    let bench = Bench::with_parts();
    let run = bench.run(&["convert", "box.w3d", "out/my box.gltf", "--textures", "art"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let made: Vec<_> = bench.files().into_iter().filter(|file| file.starts_with("out/")).collect();
    assert_eq!(made, ["out/my box.bin", "out/my box.gltf", "out/my box.mwcrate.png"]);
    let gltf: Value = serde_json::from_slice(&bench.read("out/my box.gltf")).expect("it is JSON");
    assert_eq!(gltf["buffers"][0]["uri"], "my%20box.bin");
    assert_eq!(gltf["images"][0]["uri"], "my%20box.mwcrate.png");
    let run = bench.run(&["convert", "box.w3d", "-", "--to", "gltf"]);
    assert_eq!(run.code, Some(2), "several files are no stream");
    let output = bench.run_with(&["convert", "-", "-", "--to", "glb", "-q"], &bench.read("box.w3d"));
    assert_eq!(count(&glb_json(&output.stdout), "animations"), 0, "nothing lies beside standard input");
}

#[test]
fn a_folder_becomes_glbs() {
    let bench = Bench::with_mdx();
    let models = bench.files().len();
    let run = bench.run(&["convert", ".", "--out-dir", "out", "--to", "glb", "-j", "2"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stderr.ends_with(&format!("{models} files, {models} converted, 0 failed\n")),
        "{}",
        run.stderr
    );
    assert_eq!(bench.files().iter().filter(|file| file.ends_with(".glb")).count(), models);
}

#[test]
fn strict_writes_nothing_that_lost_something() {
    let bench = Bench::with_parts();
    let run = bench.run(&["convert", "--strict", "box.w3d", "box.glb"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("mwcrate.tga: texture not found"), "{}", run.stderr);
    assert!(!bench.path("box.glb").exists());
    let run = bench.run(&["convert", "--strict", "box.w3d", "box.glb", "--textures", "art"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(bench.path("box.glb").exists());
}

#[test]
fn the_player_has_a_colour() {
    let bench = Bench::with_mdx();
    // The first layer is the one that shows: it gets the texture that the game supplies.
    let bytes = bench.read("warcraft-800.mdx");
    let mut document = mdx::Document::parse(&bytes).expect("the sample can be read");
    let textures = document.root.find_mut("TEXS").expect("the sample has textures");
    let texture = &mut textures.values_mut::<mdx::records::Texture>()[0];
    *texture = mdx::records::Texture { replaceable_id: record::U32::new(1), ..Default::default() };
    bench.write("player.mdx", document.to_bytes().expect("it can be written"));
    let picture = |color: &str, name: &str| {
        let run = bench.run(&["convert", "player.mdx", name, "--team-color", color]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        bench.read(name)
    };
    assert!(picture("1", "a.glb") == picture("0042ff", "b.glb"), "player 1 is blue");
    assert!(picture("1", "a.glb") != picture("0", "b.glb"), "player 0 is not");
    assert!(picture("1", "a.glb") == picture("blue", "b.glb"), "by its name too");
    for wrong in ["24", "loud", "12345", "+12345"] {
        let run = bench.run(&["convert", "warcraft-800.mdx", "a.glb", "--team-color", wrong]);
        assert_eq!(run.code, Some(2), "{wrong}");
    }
}

/// What was written comes back as the model of a game, as glTF again, and as a picture.
#[test]
fn gltf_is_read() {
    let bench = Bench::with_mdx();
    bench.run(&["convert", "warcraft-800.mdx", "a.glb"]);
    for out in ["b.mdx", "b.mdl", "b.glb", "b.gltf", "b.obj", "b.ply", "b.stl"] {
        let run = bench.run(&["convert", "a.glb", out]);
        assert_eq!(run.code, Some(0), "{out}: {}", run.stderr);
    }
    // The version of the source is kept.
    let run = bench.run(&["info", "b.mdx", "--json"]);
    assert!(run.stdout.contains("\"800\"") || run.stdout.contains("800"), "{}", run.stdout);
    let run = bench.run(&["convert", "b.gltf", "c.glb"]);
    assert_eq!(run.code, Some(0), "a .gltf finds its files: {}", run.stderr);
    let run = bench.run(&["info", "a.glb"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("Stand"), "{}", run.stdout);
    let run = bench.run(&["check", "a.glb"]);
    assert!(run.stderr.contains("a glTF file, not a model of a game"), "{}", run.stderr);
    let run = bench.run(&["render", "a.glb", "a.png", "--size", "32x32"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run = bench.run(&["convert", "a.glb", "a.json"]);
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("cannot convert glTF to json"), "{}", run.stderr);
}

/// A file may not lead out of its folder.
#[test]
fn a_gltf_reads_no_files_elsewhere() {
    let bench = Bench::with_parts();
    for uri in ["../secret.bin", "/etc/hostname", "file:///etc/hostname"] {
        let text = format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":4,"uri":"{uri}"}}],"nodes":[{{}}],"scenes":[{{"nodes":[0]}}]}}"#
        );
        bench.write("evil.gltf", text);
        let run = bench.run(&["convert", "evil.gltf", "evil.glb"]);
        assert_eq!(run.code, Some(3));
        assert!(run.stderr.contains("only files in the folder of the model"), "{}", run.stderr);
    }
}

#[test]
fn plain_geometry_is_that_of_a_clip() {
    let bench = Bench::with_mdx();
    let positions = |args: &[&str]| {
        let mut all = vec!["convert", "warcraft-800.mdx", "out.ply", "--ascii"];
        all.extend(args);
        let run = bench.run(&all);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        String::from_utf8(bench.read("out.ply")).expect("text")
    };
    let rest = positions(&[]);
    assert!(rest.starts_with("ply\nformat ascii 1.0\n"));
    let scaled = positions(&["--scale", "2"]);
    assert_ne!(rest, scaled);
    let run = bench.run(&["convert", "warcraft-800.mdx", "out.stl", "--clip", "Nonsense"]);
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("no clip named Nonsense; available:"), "{}", run.stderr);
    let run = bench.run(&["convert", "warcraft-800.mdx", "-", "--to", "obj"]);
    assert_eq!(run.code, Some(2));
    let bench = Bench::with_parts();
    let run = bench.run(&["convert", "box.w3d", "box.obj"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let mtl = String::from_utf8(bench.read("box.mtl")).expect("text");
    assert!(mtl.contains("newmtl "), "{mtl}");
}

#[test]
fn a_w3d_model_becomes_mdx() {
    let bench = Bench::with_parts();
    let run = bench.run(&["convert", "box.w3d", "box.mdx", "--to-version", "1100"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(bench.read("box.mdx").starts_with(b"MDLX"));
}

#[test]
fn a_copy_beside_the_model_adds_no_clip() {
    let bench = Bench::empty();
    bench.write("mwcrate.w3d", w3d::sample::crate_box());
    bench.write("mwcrate-again.w3d", w3d::sample::crate_box());
    for words in [
        &[][..],
        &["--with", "mwcrate-again.w3d"],
        &["--with", "./mwcrate.w3d"],
        &["--with", "*.w3d"],
        &["--with", "."],
    ] {
        let run = bench.run(&[&["convert", "mwcrate.w3d", "box.glb", "--no-textures"][..], words].concat());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{words:?}");
        assert_eq!(count(&glb_json(&bench.read("box.glb")), "animations"), 1, "{words:?}");
    }
}

#[test]
fn companions_come_from_folders_and_globs() {
    let bench = Bench::with_parts();
    bench.write("far/away/box.w3d", bench.read("box.w3d"));
    for with in [".", "*.w3d", "mwcrate_*"] {
        let run = bench.run(&["convert", "far/away/box.w3d", "box.glb", "--no-textures", "--with", with]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{with}");
        assert_eq!(count(&glb_json(&bench.read("box.glb")), "animations"), 1, "{with}");
    }
}

#[test]
fn a_folder_on_the_command_line_is_searched_for_textures_and_skeletons() {
    let bench = Bench::with_parts();
    bench.write("top/units/far/box.w3d", bench.read("box.w3d"));
    bench.write("top/skl/MWCrate_SKL.W3D", bench.read("MWCrate_SKL.W3D"));
    bench.write("top/skl/mwcrate_open.w3d", bench.read("mwcrate_open.w3d"));
    bench.write("top/pictures/mwcrate.tga", bench.read("art/wood/MWCRATE.TGA"));
    let run = bench.run(&["convert", "top", "--out-dir", "out", "--to", "glb", "--strict"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let gltf = glb_json(&bench.read("out/units/far/box.glb"));
    assert_eq!(["meshes", "animations", "images"].map(|what| count(&gltf, what)), [2, 1, 1]);
    let run = bench.run(&["check", "top", "--deny", "W3D-FILES-001", "--deny", "W3D-FILES-002"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
}

#[test]
fn a_model_has_the_scale_of_its_game_or_any_other() {
    let bench = Bench::with_mdx();
    let scale = |factor: &str| {
        let run = bench.run(&["convert", "warcraft-800.mdx", "a.glb", "--scale", factor]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let glb = bench.read("a.glb");
        let length = u32::from_le_bytes(glb[12..16].try_into().expect("four bytes")) as usize;
        let json: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).expect("JSON");
        let root = json["nodes"].as_array().and_then(|nodes| nodes.last()).expect("a root").clone();
        root.get("scale").map_or(1.0, |scale| scale[0].as_f64().expect("a number"))
    };
    assert_eq!((scale("1"), scale("0.25"), scale("game")), (1.0, 0.25, 0.0175));
    for wrong in ["0", "-1", "nan", "inf", "large"] {
        let run = bench.run(&["convert", "warcraft-800.mdx", "a.glb", &format!("--scale={wrong}")]);
        assert_eq!(run.code, Some(2), "{wrong}");
    }
}

#[test]
fn a_file_without_any_object_is_not_converted() {
    let bench = Bench::empty();
    bench.write("empty.w3d", b"");
    let run = bench.run(&["convert", "empty.w3d", "e.glb"]);
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("empty.w3d: nothing to convert: the file has no meshes"), "{}", run.stderr);
    assert_eq!(bench.files(), ["empty.w3d"]);
    // A skeleton alone is something.
    bench.write("MWCrate_SKL.W3D", Bench::with_parts().read("MWCrate_SKL.W3D"));
    assert_eq!(bench.run(&["convert", "MWCrate_SKL.W3D", "s.glb"]).code, Some(0));
}
