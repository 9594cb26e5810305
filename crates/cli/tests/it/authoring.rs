//! Models of games from glTF and from the other family: what is written, what is said about losses, and what happens at the limits.

use crate::common::Bench;
use meshwright::texture;
use serde_json::{Value, json};

/// A GLB of nodes and clips, with one grid of vertices that all mesh nodes share.
fn glb(mut document: Value, grid: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::new();
    for at in 0..grid * grid {
        let place = [(at % grid) as f32, 0.0, (at / grid) as f32];
        bytes.extend(place.iter().flat_map(|part| part.to_le_bytes()));
    }
    let positions = bytes.len();
    let mut count = 0;
    for row in 1..grid {
        for column in 1..grid {
            let [a, b] = [row * grid + column, (row - 1) * grid + column];
            for corner in [a - 1, a, b, a - 1, b, b - 1] {
                bytes.extend((corner as u32).to_le_bytes());
                count += 1;
            }
        }
    }
    let indices = bytes.len();
    bytes.extend([0.0_f32, 4000.0].iter().flat_map(|time| time.to_le_bytes()));
    let far = (grid.max(2) - 1) as f32;
    document["asset"] = json!({ "version": "2.0" });
    document["buffers"] = json!([{ "byteLength": bytes.len() }]);
    document["bufferViews"] = json!([
        { "buffer": 0, "byteOffset": 0, "byteLength": positions },
        { "buffer": 0, "byteOffset": positions, "byteLength": indices - positions },
        { "buffer": 0, "byteOffset": indices, "byteLength": 8 },
    ]);
    document["accessors"] = json!([
        { "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": grid * grid, "min": [0, 0, 0], "max": [far, 0, far] },
        { "bufferView": 1, "componentType": 5125, "type": "SCALAR", "count": count },
        { "bufferView": 2, "componentType": 5126, "type": "SCALAR", "count": 2, "min": [0], "max": [4000] },
    ]);
    document["materials"] = json!([{ "name": "Plain" }]);
    let primitive = json!({ "attributes": { "POSITION": 0 }, "indices": 1, "material": 0 });
    document["meshes"] = json!([{ "name": "Grid", "primitives": [primitive] }]);
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let word = |number: usize| (number as u32).to_le_bytes();
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend(word(28 + text.len() + bytes.len()));
    file.extend(word(text.len()));
    file.extend(b"JSON");
    file.extend(text);
    file.extend(word(bytes.len()));
    file.extend(b"BIN\0");
    file.extend(bytes);
    file
}

/// A GLB with one object.
fn one_object(name: &str, grid: usize) -> Vec<u8> {
    glb(json!({ "scenes": [{ "nodes": [0] }], "nodes": [{ "name": name, "mesh": 0 }] }), grid)
}

fn is_clean(bench: &Bench, file: &str, profile: &str) {
    let run = bench.run(&["check", file, "--profile", profile, "--deny", "warnings", "--no-surroundings"]);
    assert_eq!(run.code, Some(0), "{file} for {profile}: {}{}", run.stdout, run.stderr);
}

#[test]
fn every_starter_converts_with_the_command_that_it_shows() {
    for game in ["renegade", "generals", "zero-hour", "bfme1", "bfme2", "wc3-classic", "wc3-reforged"] {
        let bench = Bench::empty();
        let run = bench.run(&["demo", "--starter", game, "art"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let command = run.stdout.lines().find_map(|line| line.trim().strip_prefix("meshwright "));
        let words: Vec<&str> = command.expect("it shows a command").split_whitespace().collect();
        let run = bench.run(&words);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{game}: {}", run.stderr);
        assert!(!run.stderr.contains("skipped") && !run.stderr.contains("damaged"), "{game}: {}", run.stderr);
        // The skeleton, clips and textures lie beside the model.
        let run = bench.run(&["check", "art", "--profile", game, "--deny", "warnings"]);
        assert_eq!(run.code, Some(0), "{game}: {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn starters_keep_what_they_show() {
    let bench = Bench::empty();
    let starters = ["--starter", "renegade", "--starter", "zero-hour", "--starter", "wc3-classic"];
    assert_eq!(bench.run(&[&["demo"][..], &starters, &["."]].concat()).code, Some(0));
    let info = |out: &str, words: &[&str]| {
        let glb = words[0];
        let run = bench.run(&[&["convert", glb, out][..], &words[1..]].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        bench.run(&["tree", out, "--fields", "--all"]).stdout
    };
    let buggy = info("buggy.w3d", &["renegade.glb", "--profile", "renegade"]);
    for part in ["buggy.WORLDBOX", "WHEELP04", "MUZZLEA0", "HEAVY_METAL"] {
        assert!(buggy.contains(part), "{part}");
    }
    assert_eq!(buggy.matches("HLOD_LOD_ARRAY").count(), 2, "two levels of detail");
    assert!(buggy.contains("max_screen_size = 0.3"), "{buggy}");
    // Front is -Y in Blender, +Z in glTF, and X in the game: so are the axes of bones.
    let turret = r#""TURRET", "parent_idx": 1, "translation": [-0.3, 0.0, 1.5]"#;
    assert!(buggy.contains(turret), "{buggy}");
    let tank = info("tank.w3d", &["zero-hour.glb"]);
    for part in ["tank.HOUSECOLOR01", "tank.BOUNDINGBOX", "MUZZLEFX01", "FIRE", "BIT_CHANNEL"] {
        assert!(tank.contains(part), "{part}");
    }
    assert!(!tank.contains("tank.BOUNDINGBOX2"), "the box replaces its mesh");
    let run = bench.run(&["convert", "wc3-classic.glb", "footman.mdx"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let text = bench.run(&["info", "footman.mdx"]).stdout;
    for part in
        ["Walk 0.80 s", "loops, speed 270", "8 attachments, 1 event object, 2 collision shapes, 1 camera"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_w3d_model_comes_back_from_gltf() {
    let bench = Bench::with_fixtures();
    let run = bench.run(&["convert", "mwcrate.w3d", "a.glb", "--no-textures"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run = bench.run(&["convert", "a.glb", "again/mwcrate.w3d", "--strict"]);
    let hint =
        "a.glb: made of mwcrate.w3d, which is in this folder; --onto mwcrate.w3d changes only what differs\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), hint));
    is_clean(&bench, "again/mwcrate.w3d", "zero-hour");
    let run = bench.run(&["convert", "again/mwcrate.w3d", "b.glb", "--no-textures"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    // Only the hash of the file that they were made of differs.
    let without_hash = |name: &str| {
        let text = bench.read(name).escape_ascii().to_string();
        let (before, after) = text.split_once(r#"\"sha256\":\""#).expect("a hash");
        [before, &after[64..]].concat()
    };
    assert_eq!(without_hash("a.glb"), without_hash("b.glb"), "the scenes are equal");
    // It keeps its name, by which the game looks for the file.
    let run = bench.run(&["convert", "a.glb", "other.w3d"]);
    assert!(run.stderr.contains("the model is called MWCRATE"), "{}", run.stderr);
}

#[test]
fn warcraft_models_become_w3d_for_every_game() {
    let bench = Bench::with_mdx();
    for profile in ["renegade", "generals", "zero-hour", "bfme1", "bfme2", "tt5"] {
        let words = ["convert", "warcraft-800.mdx", "a.w3d", "--profile", profile, "--scale", "game"];
        let run = bench.run(&words);
        assert_eq!(run.code, Some(0), "{profile}: {}", run.stderr);
        assert!(run.stderr.contains("converted with losses"), "events and ribbons: {}", run.stderr);
        let run = bench.run(&["check", "a.w3d", "--profile", profile, "--no-surroundings"]);
        assert_eq!(run.code, Some(0), "{profile}: {}", run.stdout);
    }
    let run = bench.run(&["convert", "warcraft-800.mdx", "b.w3d", "--strict"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(!bench.path("b.w3d").exists(), "--strict writes nothing with losses");
    let run = bench.run(&["convert", "warcraft-800.mdx", "b.w3d", "--profile", "doom"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("renegade, generals, zero-hour, bfme1, bfme2, tt5"), "{}", run.stderr);
    let run = bench.run(&["convert", "warcraft-800.mdx", "warcraft-1100.mdx", "-o", "out", "--to", "w3d"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(bench.path("out/warcraft-800.w3d").exists() && bench.path("out/warcraft-1100.w3d").exists());
}

#[test]
fn a_model_is_split_as_its_game_looks_for_it() {
    let bench = Bench::empty();
    assert_eq!(bench.run(&["demo", "--starter", "bfme2", "--starter", "zero-hour", "."]).code, Some(0));
    let run =
        bench.run(&["convert", "bfme2.glb", "out/hero.w3d", "--profile", "bfme2", "--split", "auto", "-v"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let made = ["hero_ATKA", "hero_DIEA", "hero_IDLA", "hero_RUNA", "hero_SKL", "hero_SKN"];
    let files: Vec<String> = bench.files().into_iter().filter(|file| file.starts_with("out/")).collect();
    assert_eq!(files, made.map(|name| format!("out/{name}.w3d")));
    for name in made {
        assert!(run.stderr.contains(&format!("{name}.w3d\n")), "--verbose lists {name}: {}", run.stderr);
    }
    let run =
        bench.run(&["check", "out", "--profile", "bfme2", "--deny", "warnings", "--allow", "W3D-FILES"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    // A rigid model has its skeleton in its own file, and a name that says what it is stays.
    let run = bench.run(&["convert", "zero-hour.glb", "rigid/tank.w3d", "--split", "auto"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let files: Vec<String> = bench.files().into_iter().filter(|file| file.starts_with("rigid/")).collect();
    assert_eq!(files, ["rigid/tank.w3d", "rigid/tank_FIRE.w3d", "rigid/tank_SCAN.w3d"]);
    // Renegade has everything in one file.
    let run =
        bench.run(&["convert", "bfme2.glb", "one/hero.w3d", "--profile", "renegade", "--split", "auto"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(bench.files().iter().filter(|file| file.starts_with("one/")).count(), 1);
    let run = bench.run(&["convert", "bfme2.glb", "-", "--to", "w3d", "--split", "auto"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("--split never"), "{}", run.stderr);
}

#[test]
fn animations_are_stored_as_asked() {
    let bench = Bench::empty();
    assert_eq!(bench.run(&["demo", "--starter", "zero-hour", "."]).code, Some(0));
    let size = |words: &[&str]| {
        let run = bench.run(&[&["convert", "zero-hour.glb", "a.w3d"][..], words].concat());
        assert_eq!(run.code, Some(0), "{words:?}: {}", run.stderr);
        is_clean(&bench, "a.w3d", "zero-hour");
        (bench.read("a.w3d").len(), bench.run(&["info", "a.w3d"]).stdout)
    };
    let (raw, info) = size(&["--compress", "raw"]);
    assert!(info.contains("121 frames at 30 per second"), "{info}");
    let (coded, _) = size(&["--compress", "time-coded"]);
    let (coarse, _) = size(&["--compress", "time-coded", "--tolerance", "1,5"]);
    let (deltas, _) = size(&["--compress", "adaptive-delta"]);
    assert!(coded < raw && coarse <= coded && deltas < raw, "{raw} {coded} {coarse} {deltas}");
    let (_, info) = size(&["--clip-fps", "15"]);
    assert!(info.contains("61 frames at 15 per second"), "{info}");
}

#[test]
fn textures_are_written_as_the_game_reads_them() {
    let bench = Bench::empty();
    assert_eq!(bench.run(&["demo", "--starter", "renegade", "--starter", "wc3-reforged", "."]).code, Some(0));
    let run =
        bench.run(&["convert", "renegade.glb", "a/buggy.w3d", "--profile", "renegade", "--write-textures"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let picture =
        texture::Decoder { assume_tga: true, ..Default::default() }.decode(&bench.read("a/mwsteel.tga"));
    assert_eq!(picture.expect("a TGA").mips[0].width(), 128);
    let run =
        bench.run(&["convert", "renegade.glb", "b/buggy.w3d", "--profile", "bfme2", "--write-textures=art"]);
    assert!(run.stderr.contains("W3D has texture names without folders"), "{}", run.stderr);
    assert!(bench.read("b/mwsteel.dds").starts_with(b"DDS "));
    let run = bench.run(&[
        "convert",
        "wc3-reforged.glb",
        "c/knight.mdx",
        "--to-version",
        "1100",
        "--write-textures",
    ]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    // Green is down in the game's normal maps: a flat one stays at the middle.
    let normal = texture::decode_top(&bench.read("c/mwknight_normal.dds")).expect("a DDS");
    let [_, green, ..] = normal.pixel(0, 0).expect("a pixel");
    assert!(green.abs_diff(127) < 4, "{green}");
}

#[test]
fn further_files_replace_no_input() {
    let bench = Bench::empty();
    assert_eq!(bench.run(&["demo", "--starter", "bfme2", "--starter", "renegade", "."]).code, Some(0));
    let split = ["--profile", "bfme2", "--split", "auto"];
    let run = bench.run(&[&["convert", "bfme2.glb", "art/hero.w3d"][..], &split].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    // The model keeps its name, so a copy in the same folder would replace the model, its skeleton and its clips.
    let before: Vec<Vec<u8>> = bench.files().iter().map(|file| bench.read(file)).collect();
    let copy = [&["convert", "art/hero_SKN.w3d", "art/copy.w3d", "--clip-fps", "10"][..], &split].concat();
    let run = bench.run(&copy);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(run.stderr.contains("not written: it is an input file"), "{}", run.stderr);
    assert!(run.stderr.contains("choose another folder, or give --force to overwrite it"), "{}", run.stderr);
    let after: Vec<Vec<u8>> = bench.files().iter().map(|file| bench.read(file)).collect();
    assert!(before == after, "nothing was written");
    let run = bench.run(&[&["convert", "art/hero_SKN.w3d", "other/copy.w3d"][..], &split].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run = bench.run(&[&copy[..], &["--force"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);

    let textures = ["--profile", "renegade", "--write-textures"];
    let run = bench.run(&[&["convert", "renegade.glb", "a/buggy.w3d"][..], &textures].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run = bench.run(&[&["convert", "a/buggy.w3d", "a/copy.w3d"][..], &textures].concat());
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(run.stderr.contains("mwsteel.tga: not written: it is an input file"), "{}", run.stderr);
    assert!(!bench.path("a/copy.w3d").exists());
}

#[test]
fn further_files_replace_no_output_of_another_model() {
    let bench = Bench::empty();
    assert_eq!(bench.run(&["demo", "--starter", "renegade", "."]).code, Some(0));
    let textures = ["--profile", "renegade", "--write-textures"];
    for to in ["a/buggy.w3d", "b/jeep.w3d"] {
        let run = bench.run(&[&["convert", "renegade.glb", to][..], &textures].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let both =
        [&["convert", "a/buggy.w3d", "b/jeep.w3d", "-o", "both", "--to", "w3d", "-j", "1"][..], &textures]
            .concat();
    // They share their textures.
    let run = bench.run(&both);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let red = texture::Image::new(4, 4, [255, 0, 0, 255].repeat(16)).expect("a small picture");
    bench.write("b/mwsteel.tga", texture::encode_tga(&red).expect("it can be written"));
    let run = bench.run(&both);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(
        run.stderr.contains("not written: it could overwrite the output of a/buggy.w3d"),
        "{}",
        run.stderr
    );
}

#[test]
fn mdx_is_named_after_its_file_if_the_scene_has_no_name() {
    let bench = Bench::empty();
    for name in ["", "Scene"] {
        let scene = json!({ "name": name, "nodes": [0] });
        let nodes = json!([{ "name": "Box", "mesh": 0 }]);
        bench.write("a.glb", glb(json!({ "scenes": [scene], "nodes": nodes }), 3));
        let run = bench.run(&["convert", "a.glb", "footman.mdx"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let info = bench.run(&["info", "footman.mdx"]).stdout;
        assert!(info.contains("models     footman"), "{info}");
    }
}

#[test]
fn mdx_refers_to_its_textures_in_the_given_folder() {
    let bench = Bench::empty();
    assert_eq!(bench.run(&["demo", "--starter", "wc3-classic", "."]).code, Some(0));
    let run =
        bench.run(&["convert", "wc3-classic.glb", "map/footman.mdx", "--write-textures=war3mapImported"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let textures = bench.run(&["tree", "map/footman.mdx", "--fields", "--all"]).stdout;
    let written: Vec<String> = bench.files().into_iter().filter(|file| file.ends_with(".blp")).collect();
    assert!(!written.is_empty(), "{:?}", bench.files());
    for file in &written {
        // The file is next to the model, to be imported; the path is the one in the map.
        let name = file.strip_prefix("map/").expect("it is next to the model");
        assert!(bench.read(file).starts_with(b"BLP1"), "{file}");
        let path = format!("war3mapImported\\{name}");
        assert!(
            textures.contains(&path) || textures.contains(&path.replace('\\', "\\\\")),
            "{path}: {textures}"
        );
    }
}

#[test]
fn large_meshes_are_divided() {
    let bench = Bench::empty();
    // 257 x 257 = 66,049 vertices, and the format counts to 65,535; 100 x 100 = 10,000, and the classic game draws 7,432.
    bench.write("large.glb", one_object("Field", 257));
    let run = bench.run(&["convert", "large.glb", "large.w3d"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("divided into 2 meshes of at most 65535 vertices"), "{}", run.stderr);
    is_clean(&bench, "large.w3d", "zero-hour");
    bench.write("field.glb", one_object("Field", 100));
    let run = bench.run(&["convert", "field.glb", "field.mdx", "--to-version", "800"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("divided into 2"), "{}", run.stderr);
    let run = bench.run(&["check", "field.mdx", "--profile", "wc3-classic", "--no-surroundings"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
}

#[test]
fn long_names_are_shortened_and_stay_unique() {
    let bench = Bench::empty();
    let names = ["A very long name of a left wheel", "A very long name of a right wheel"];
    let nodes: Vec<Value> = names.iter().map(|name| json!({ "name": name, "mesh": 0 })).collect();
    bench.write("names.glb", glb(json!({ "scenes": [{ "nodes": [0, 1] }], "nodes": nodes }), 3));
    let run = bench.run(&["convert", "names.glb", "a model with a long name.w3d"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("2 bone names shortened to 15 characters"), "{}", run.stderr);
    assert!(run.stderr.contains("the game looks for it in a_model_with_a_.w3d"), "{}", run.stderr);
    let run =
        bench.run(&["check", "a model with a long name.w3d", "--profile", "zero-hour", "--no-surroundings"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    let long = "x".repeat(90);
    let nodes = json!([{ "name": long, "mesh": 0 }, { "name": format!("{long}y"), "mesh": 0 }]);
    bench.write("names.glb", glb(json!({ "scenes": [{ "nodes": [0, 1] }], "nodes": nodes }), 3));
    let run = bench.run(&["convert", "names.glb", "names.mdx"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("shortened to 79 characters"), "{}", run.stderr);
    let run = bench.run(&["check", "names.mdx", "--profile", "wc3-classic", "--no-surroundings"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
}

#[test]
fn what_the_format_cannot_count_is_refused_with_a_remedy() {
    let bench = Bench::empty();
    let all: Vec<usize> = (0..65_536).collect();
    let nodes: Vec<Value> = all.iter().map(|at| json!({ "name": format!("B{at}") })).collect();
    bench.write("bones.glb", glb(json!({ "scenes": [{ "nodes": all }], "nodes": nodes }), 2));
    let run = bench.run(&["convert", "bones.glb", "bones.w3d", "--limit", "off"]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(run.stderr.contains("65,535: remove bones"), "{}", run.stderr);
    // 4,000 seconds of 30 frames are 120,001 frames.
    let still = json!({ "input": 2, "output": 0 });
    let channel = json!({ "sampler": 0, "target": { "node": 0, "path": "translation" } });
    let clip = json!({ "name": "Long", "samplers": [still], "channels": [channel] });
    let mut document = json!({ "scenes": [{ "nodes": [0] }], "nodes": [{ "name": "A", "mesh": 0 }] });
    document["animations"] = json!([clip]);
    let mut bytes = glb(document, 2);
    // Two keys need two places: the accessor of four vertices is cut.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    assert!(text.contains("\"count\":4"), "the grid has four vertices");
    let at = bytes.windows(9).position(|part| part == b"\"count\":4").expect("it is there");
    bytes[at + 8] = b'2';
    let at = bytes.windows(8).position(|part| part == b"\"mesh\":0").expect("it is there");
    bytes[at + 1..at + 5].copy_from_slice(b"Mesh");
    bench.write("long.glb", &bytes);
    let run = bench.run(&["convert", "long.glb", "long.w3d"]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(run.stderr.contains("divide it, or lower its frame rate"), "{}", run.stderr);
    let run = bench.run(&["convert", "long.glb", "long.w3d", "--clip-fps", "10"]);
    assert_eq!(run.code, Some(0), "the remedy works: {}", run.stderr);
    assert!(!bench.path("bones.w3d").exists());
}
