//! Files that the games ship: said to be supplied, not missing.

use crate::common::Bench;
use meshwright::w3d;

/// The crate with another texture.
fn with_texture(name: &str) -> Vec<u8> {
    let mut file = w3d::W3d::parse(&w3d::sample::crate_box()).expect("the sample").into_owned();
    for mesh in file.root.children_mut().expect("chunks") {
        if let Some(node) = mesh.find_mut("TEXTURES/TEXTURE/TEXTURE_NAME") {
            *node = w3d::build::text(&w3d::table::TEXTURE_NAME, name).expect("ASCII");
        }
    }
    file.to_bytes().expect("a file")
}

/// A texture of Zero Hour's own, by its table of names.
const STOCK: &str = "aametal.tga";

#[test]
fn a_texture_of_the_game_is_supplied_not_missing() {
    let bench = Bench::empty();
    bench.write("mwcrate.w3d", with_texture(STOCK));
    bench.write("meshwright.toml", "profile = \"zero-hour\"\n");
    let info = bench.run(&["info", "mwcrate.w3d"]).stdout;
    assert!(info.contains(&format!("supplied   {STOCK} (textures of the game)")), "{info}");
    assert!(!info.contains("missing"), "{info}");
    let json = bench.run(&["info", "--json", "mwcrate.w3d"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let texture = &json["files"][0]["textures"][0];
    assert_eq!((&texture["file"], &texture["supplied"]), (&serde_json::Value::Null, &true.into()));
    let check = bench.run(&["check", "mwcrate.w3d"]);
    assert!(!check.stdout.contains("W3D-FILES-002") && !check.stderr.contains("--game"), "{}", check.stdout);
    let found = bench.run(&["find", STOCK, "."]);
    assert!(found.stdout.contains("supplied by C&C Generals"), "{}", found.stdout);
    assert!(found.stdout.contains("used by"), "{}", found.stdout);
}

#[test]
fn conversions_and_pictures_say_that_the_game_has_it() {
    let bench = Bench::empty();
    bench.write("zero hour/art/w3d/mwcrate.w3d", with_texture(STOCK));
    let path = "zero hour/art/w3d/mwcrate.w3d";
    for words in [&["convert", path, "a.glb"][..], &["render", path, "-o", "a.png"]] {
        let said = bench.run(words).stderr;
        let expected = format!("{STOCK}: supplied by the game, whose files are not here");
        assert!(said.contains(&expected) && said.contains("--game DIR"), "{words:?}: {said}");
    }
}

/// A skeleton of the game's own is supplied, too.
#[test]
fn a_skeleton_of_the_game_is_supplied() {
    let bench = Bench::empty();
    bench.write("mwcrate.w3d", w3d::sample::crate_box());
    let assignment = "HLOD/HLOD_HEADER/hierarchy_name=AIRNGR_SKL";
    let edited = bench.run(&["edit", "set", assignment, "mwcrate.w3d", "--output", "zero hour/mwcrate.w3d"]);
    assert_eq!(edited.code, Some(0), "{}", edited.stderr);
    let said = bench.run(&["convert", "zero hour/mwcrate.w3d", "a.glb"]).stderr;
    let expected =
        "skeleton \"AIRNGR_SKL\" not found; it is supplied by the game, whose files are not here; --game DIR";
    assert!(said.contains(expected), "{said}");
}

/// One line for a texture that several models lack, and one hint about the game.
#[test]
fn missing_files_are_listed_once_with_the_number_of_models() {
    let bench = Bench::empty();
    for name in ["a", "b", "c"] {
        bench.write(&format!("{name}/mwcrate.w3d"), with_texture("gone.tga"));
    }
    bench.write("c/mwcrate.w3d", with_texture("lost.tga"));
    let run = bench.run(&["check", "."]);
    let lines: Vec<&str> = run.stdout.lines().filter(|line| line.contains("W3D-FILES-002")).collect();
    let first = "(2 models, the first is a/mwcrate.w3d)";
    assert_eq!(
        lines,
        [
            format!("warning[W3D-FILES-002] neither gone.dds nor gone.tga was found {first}"),
            "warning[W3D-FILES-002] neither lost.dds nor lost.tga was found (c/mwcrate.w3d)".to_owned(),
        ]
    );
    assert_eq!(run.stderr.matches("--game DIR").count(), 1, "{}", run.stderr);
    let all = bench.run(&["check", ".", "-v"]).stdout;
    assert_eq!(all.matches("warning[W3D-FILES-002] at byte").count(), 3, "{all}");
}

/// The games read .dds and .tga; a picture of another format beside the model is not what they look for.
#[test]
fn a_picture_that_the_game_does_not_read_is_no_texture() {
    let bench = Bench::empty();
    bench.write("mwcrate.w3d", with_texture("gone.tga"));
    bench.write("gone.jpg", b"");
    let run = bench.run(&["check", "mwcrate.w3d"]);
    assert!(run.stdout.contains("was found, only gone.jpg, which games do not read"), "{}", run.stdout);
    // One list of extensions: a model that names a .bmp uses the .tga of that name.
    bench.write("mwcrate.w3d", with_texture("gone.bmp"));
    bench.write("gone.tga", b"");
    let found = bench.run(&["find", "gone.tga", "."]).stdout;
    assert!(found.contains("used by ./mwcrate.w3d as gone.bmp"), "{found}");
}

/// An installed Battle for Middle-earth names its files in `asset.dat`.
#[test]
fn the_index_of_an_installed_game_is_read() {
    let bench = Bench::empty();
    bench.write("mod/mwcrate.w3d", with_texture("gunever.tga"));
    let name = b"gunever.dds";
    let index =
        [b"ALAE\x02\x01\0\0\x01\0\0\0\0\0\0\0".as_slice(), &[name.len() as u8], name, &[0; 8], &[0; 2]];
    let words = ["check", "mod/mwcrate.w3d", "--profile", "bfme2", "--game", "game"];
    bench.write("game/ini.big", b"");
    assert!(bench.run(&words).stdout.contains("gunever"));
    bench.write("game/asset.dat", index.concat());
    assert!(!bench.run(&words).stdout.contains("gunever"), "{}", bench.run(&words).stdout);
}
