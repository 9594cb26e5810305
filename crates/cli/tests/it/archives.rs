//! Archives as folders, in every verb; `ls`, `extract`, `pack`, `find`; installed games.

use meshwright::{archive, texture, w3d};
use std::fs;

use crate::common::{self, Bench, Run};
use meshwright::archive::{Archive, Content, Kind, NewMember};
use serde_json::Value;

fn run(bench: &Bench, words: &[&str], code: i32) -> Run {
    let run = bench.run(words);
    assert_eq!(run.code, Some(code), "{words:?}: {}{}", run.stdout, run.stderr);
    run
}

fn pack(bench: &Bench, name: &str, kind: Kind, members: &[(&str, &[u8])]) {
    let path = bench.path(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let member = |(path, bytes): &(&str, &[u8])| NewMember {
        path: (*path).into(),
        content: Content::Bytes(bytes.to_vec()),
    };
    let members: Vec<NewMember> = members.iter().map(member).collect();
    archive::save(&path, |out| archive::create(kind, &members, out)).unwrap();
}

fn texture() -> Vec<u8> {
    let picture = texture::Image::new(2, 2, [200, 120, 40, 255].repeat(4)).unwrap();
    texture::encode_tga(&picture).unwrap()
}

/// Several archives that override each other, and loose files.
fn installation() -> Bench {
    let bench = Bench::empty();
    let model = w3d::sample::crate_box();
    pack(
        &bench,
        "zh/W3DZH.big",
        Kind::Bigf,
        &[
            ("Art\\W3D\\MWCrate.w3d", &model),
            ("Art\\W3D\\Broken.w3d", b"overridden"),
            ("Data\\a.ini", b"ini"),
        ],
    );
    pack(&bench, "zh/!mod.big", Kind::Bigf, &[("art\\w3d\\broken.w3d", &model)]);
    pack(&bench, "zh/Textures.big", Kind::Bigf, &[("Art\\Textures\\mwcrate.tga", &texture())]);
    bench.write("zh/Art/W3D/loose.w3d", &model);
    bench
}

#[test]
fn every_verb_takes_a_path_into_an_archive() {
    let bench = installation();
    let inside = "zh/W3DZH.big/art/w3d/mwcrate.w3d";
    assert!(run(&bench, &["info", inside], 0).stdout.contains("mesh"));
    assert!(run(&bench, &["tree", inside], 0).stdout.contains("MESH"));
    assert!(run(&bench, &["verify", inside], 0).stdout.contains("1 file, 1 identical"));
    run(&bench, &["check", inside, "--allow", "all"], 0);
    run(&bench, &["diff", inside, "zh/Art/W3D/loose.w3d"], 0);
    run(&bench, &["convert", inside, "out.json"], 0);
    run(&bench, &["convert", "zh/!mod.big", "--out-dir", "out", "--to", "json"], 0);
    assert!(bench.path("out/art/w3d/broken.json").is_file());
    // Globs, backslashes, whole archives.
    assert!(run(&bench, &["verify", "zh/*.big/**.w3d"], 3).stdout.contains("3 files, 2 identical"));
    assert!(run(&bench, &["verify", r"zh\W3DZH.big\ART\W3D\MWCRATE.W3D"], 0).stdout.contains("1 file,"));
    let all = run(&bench, &["verify", "zh/!mod.big"], 0).stdout;
    assert!(all.contains("1 archive with 1 member, 1 identical"), "{all}");
    let missing = run(&bench, &["info", "zh/W3DZH.big/art/w3d/mwcrat.w3d"], 3).stderr;
    assert!(missing.contains("no such file in the archive") && missing.contains("did you mean"), "{missing}");
}

#[test]
fn a_mounted_game_is_one_tree() {
    let bench = installation();
    let game = ["--game", "zh"];
    let with = |words: &[&'static str]| [words, &game].concat();
    // The mod's member decides; the one below it cannot even be read as a model.
    assert!(run(&bench, &with(&["verify", "art/w3d/broken.w3d"]), 0).stdout.contains("1 identical"));
    assert!(run(&bench, &with(&["verify", r"ART\w3d\LOOSE.w3d"]), 0).stdout.contains("1 identical"));
    let info = run(&bench, &with(&["info", "--json", "art/w3d/mwcrate.w3d"]), 0).stdout;
    let info: Value = serde_json::from_str(&info).unwrap();
    let found = info.to_string();
    assert!(found.contains("mwcrate.tga") && !found.contains("\"missing\":1"), "{found}");
    run(
        &bench,
        &with(&["check", "art/w3d/mwcrate.w3d", "--deny", "W3D-FILES", "--allow", "W3D-FILES-004"]),
        0,
    );
    run(&bench, &with(&["convert", "art/w3d/mwcrate.w3d", "crate.glb", "--strict"]), 0);
    let glb = fs::read(bench.path("crate.glb")).unwrap();
    assert!(glb.windows(4).any(|window| window == b"\x89PNG"), "the texture of the other archive is in it");
    // The picture has the texture of the other archive, too: brown, and not the checker of a missing texture.
    run(&bench, &with(&["render", "art/w3d/mwcrate.w3d", "crate.png", "--size", "64"]), 0);
    let picture = texture::decode_top(&fs::read(bench.path("crate.png")).unwrap()).unwrap();
    let middle = picture.iter().nth(32 * 64 + 32).unwrap();
    assert!(middle[0] > middle[1] && middle[1] > middle[2], "{middle:?}");
    assert!(run(&bench, &with(&["verify", "art/w3d/*.w3d"]), 0).stdout.contains("3 files, 3 identical"));
    assert!(run(&bench, &with(&["info", "art/w3d/nothing.w3d"]), 3).stderr.contains("no such file"));
    assert!(
        run(&bench, &["info", "x.w3d", "--game", "nowhere"], 3)
            .stderr
            .contains("cannot mount the game: no such folder")
    );
}

#[test]
fn ls_lists_sizes_trees_and_json() {
    let bench = installation();
    let list = run(&bench, &["ls", "zh/W3DZH.big"], 0).stdout;
    assert!(list.contains("zh/W3DZH.big/Art/W3D/MWCrate.w3d") && list.contains("3 files"), "{list}");
    let tree = run(&bench, &["ls", "--tree", "zh/W3DZH.big"], 0).stdout;
    assert!(tree.starts_with("Art/ ") && tree.contains("\n    MWCrate.w3d "), "{tree}");
    let json = run(&bench, &["ls", "--json", "zh/W3DZH.big/data"], 0).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["files"][0]["inner"], "Data/a.ini");
    assert_eq!(json["files"][0]["size"], 3);
    assert_eq!(json["summary"]["files"], 1);
    let game = run(&bench, &["ls", "--game", "zh"], 0).stdout;
    let deciding = game.lines().find(|line| line.to_lowercase().contains("broken.w3d")).unwrap();
    assert!(deciding.ends_with("!mod.big"), "{game}");
    run(&bench, &["ls"], 3);
    run(&bench, &["ls", "missing.big"], 3);
}

#[test]
fn extract_keeps_folders_and_leaves_the_target_to_nobody() {
    let bench = installation();
    run(&bench, &["extract", "zh/W3DZH.big"], 0);
    assert_eq!(fs::read(bench.path("W3DZH/Art/W3D/MWCrate.w3d")).unwrap(), w3d::sample::crate_box());
    // Nothing is overwritten unless asked for.
    assert!(run(&bench, &["extract", "zh/W3DZH.big"], 3).stderr.contains("not extracted: "));
    run(&bench, &["extract", "zh/W3DZH.big", "--force"], 0);
    run(&bench, &["extract", "zh/W3DZH.big/data", "-o", "only"], 0);
    assert_eq!(fs::read_dir(bench.path("only")).unwrap().count(), 1);
    run(&bench, &["extract", "art/w3d/broken.w3d", "--game", "zh", "-o", "game"], 0);
    assert_eq!(fs::read(bench.path("game/Art/W3D/broken.w3d")).unwrap(), w3d::sample::crate_box());

    pack(
        &bench,
        "evil.big",
        Kind::Bigf,
        &[("..\\escaped.txt", b"x"), ("C:\\absolute.txt", b"x"), ("fine.txt", b"x")],
    );
    let evil = run(&bench, &["extract", "evil.big", "-o", "target"], 3);
    assert!(evil.stderr.contains("could leave the target folder"), "{}", evil.stderr);
    assert!(bench.path("target/fine.txt").is_file() && !bench.path("escaped.txt").exists());
}

#[cfg(unix)]
#[test]
fn extract_follows_no_link() {
    let bench = installation();
    fs::create_dir_all(bench.path("target")).unwrap();
    fs::create_dir_all(bench.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(bench.path("elsewhere"), bench.path("target/Art")).unwrap();
    let refused = run(&bench, &["extract", "zh/W3DZH.big", "-o", "target", "--force"], 3);
    assert!(refused.stderr.contains("is a symbolic link"), "{}", refused.stderr);
    assert_eq!(fs::read_dir(bench.path("elsewhere")).unwrap().count(), 0);
    assert!(bench.path("target/Data/a.ini").is_file());
}

#[test]
fn overlapping_members_are_not_extracted_by_accident() {
    let bench = Bench::empty();
    let names: Vec<String> = (0..20).map(|at| format!("{at:02}")).collect();
    let members: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    pack(&bench, "bomb.big", Kind::Bigf, &members);
    // Every member is the whole archive, or nearly.
    let mut bytes = fs::read(bench.path("bomb.big")).unwrap();
    let size = bytes.len() as u32;
    for at in 0..20_u32 {
        let row = 16 + at as usize * 11;
        bytes[row..row + 4].copy_from_slice(&at.to_be_bytes());
        bytes[row + 4..row + 8].copy_from_slice(&(size - at).to_be_bytes());
    }
    bench.write("bomb.big", &bytes);
    assert!(run(&bench, &["extract", "bomb.big"], 3).stderr.contains("overlap"));
    assert!(!bench.path("bomb").exists());
    assert!(run(&bench, &["verify", "bomb.big"], 3).stdout.contains("overlap"));
}

#[test]
fn pack_chooses_the_kind_by_the_extension() {
    let bench = Bench::empty();
    bench.write("mod/Art/W3D/tank.w3d", w3d::sample::crate_box());
    bench.write("mod/readme.txt", b"text");
    bench.write("flat/tank.w3d", w3d::sample::crate_box());
    for (out, kind, options) in [
        ("a.big", Kind::Bigf, &[][..]),
        ("b.big", Kind::Big4, &["--to", "big4"]),
        ("c.w3x", Kind::Mpq, &[]),
        ("d.data", Kind::Mpq, &["--to", "mpq"]),
    ] {
        run(&bench, &[&["pack", "mod", out], options].concat(), 0);
        let archive = Archive::open_path(bench.path(out)).unwrap();
        assert_eq!(archive.kind(), kind);
        let tank = archive.find("art/w3d/tank.w3d").unwrap();
        assert_eq!(archive.read(&tank).unwrap(), w3d::sample::crate_box());
    }
    run(&bench, &["pack", "flat", "e.mix"], 0);
    assert!(run(&bench, &["pack", "mod", "f.mix"], 3).stderr.contains("no folders"));
    assert!(!bench.path("f.mix").exists());
    assert!(run(&bench, &["pack", "mod", "a.big"], 3).stderr.contains("the file exists"));
    run(&bench, &["pack", "mod", "a.big", "--force"], 0);
    run(&bench, &["pack", "mod", "what.txt"], 2);
    run(&bench, &["pack", "nowhere", "x.big"], 3);
}

#[test]
fn an_archive_is_changed_only_in_place() {
    let bench = installation();
    let before = fs::read(bench.path("zh/W3DZH.big")).unwrap();
    let inside = "zh/W3DZH.big/art/w3d/mwcrate.w3d";
    run(&bench, &["edit", "scale", "2", inside, "--output", "scaled.w3d"], 0);
    assert_eq!(fs::read(bench.path("zh/W3DZH.big")).unwrap(), before);
    run(&bench, &["edit", "scale", "2", inside, "--in-place"], 0);
    let archive = Archive::open_path(bench.path("zh/W3DZH.big")).unwrap();
    let scaled = archive.read(&archive.find("art/w3d/mwcrate.w3d").unwrap()).unwrap();
    assert_eq!(scaled, fs::read(bench.path("scaled.w3d")).unwrap());
    // The rest stays.
    assert_eq!(archive.read(&archive.find("data/a.ini").unwrap()).unwrap(), b"ini");
    // In a game it is the archive that decides.
    run(&bench, &["edit", "scale", "2", "art/w3d/broken.w3d", "--in-place", "--game", "zh"], 0);
    let archive = Archive::open_path(bench.path("zh/!mod.big")).unwrap();
    assert_eq!(archive.read(&archive.entries()[0]).unwrap(), fs::read(bench.path("scaled.w3d")).unwrap());
    assert!(!bench.path("zh/art/w3d/broken.w3d").exists());
}

#[test]
fn fix_changes_an_archive_only_in_place() {
    let bench = Bench::empty();
    pack(&bench, "a.big", Kind::Bigf, &[("mwcrate.w3d", &common::miscounted())]);
    let before = fs::read(bench.path("a.big")).unwrap();
    let refused = run(&bench, &["check", "a.big", "--fix", "--allow", "W3D-FILES"], 3);
    assert!(
        refused.stderr.contains("--in-place") || refused.stdout.contains("--in-place"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::read(bench.path("a.big")).unwrap(), before);
    bench.run(&["check", "a.big", "--fix", "--in-place"]);
    assert_ne!(fs::read(bench.path("a.big")).unwrap(), before);
}

#[test]
fn find_shows_which_archive_is_used_and_which_models_use_a_texture() {
    let bench = installation();
    let found = run(&bench, &["find", "broken.w3d", "--game", "zh"], 0).stdout;
    assert!(found.contains("used: zh/!mod.big") && found.contains("overridden: zh/W3DZH.big"), "{found}");
    // The model says .tga; the search may say .dds.
    let found = run(&bench, &["find", "mwcrate.dds", "--game", "zh"], 0).stdout;
    assert!(found.contains("in zh/Textures.big") && found.contains("used by"), "{found}");
    assert_eq!(found.matches("used by").count(), 3, "{found}");
    let json = run(&bench, &["find", "mwcrate.tga", "zh/W3DZH.big", "--json"], 0).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["used_by"][0]["model"], "zh/W3DZH.big/Art/W3D/MWCrate.w3d");
    run(&bench, &["find", "nothing.tga", "--game", "zh"], 1);
    let overrides = run(&bench, &["find", "--overrides", "--game", "zh"], 0).stdout;
    assert!(overrides.contains("1 file in more than one archive or folder"), "{overrides}");
    run(&bench, &["find", "--overrides"], 2);
}

#[test]
fn a_damaged_archive_is_named_as_such_and_a_model_may_have_any_name() {
    let bench = Bench::empty();
    bench.write("damaged.big", b"BIGF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
    for verb in ["info", "verify", "ls", "extract"] {
        let run = run(&bench, &[verb, "damaged.big"], 3);
        let said = run.stdout + &run.stderr;
        assert!(said.contains("cannot open the archive"), "{verb}: {said}");
    }
    bench.write("tank.dat", w3d::sample::crate_box());
    run(&bench, &["verify", "tank.dat", "--as", "w3d"], 0);
}

#[test]
fn list_files_name_members() {
    let bench = Bench::empty();
    pack(&bench, "a.mix", Kind::Mix, &[("secret.w3d", &w3d::sample::crate_box())]);
    let mut bytes = fs::read(bench.path("a.mix")).unwrap();
    bytes[8..12].fill(0);
    bench.write("a.mix", &bytes);
    assert!(run(&bench, &["ls", "a.mix"], 0).stdout.contains("File00000000.xxx"));
    bench.write("names.txt", b"Secret.w3d\r\nother.w3d\r\n");
    assert!(run(&bench, &["ls", "a.mix", "--listfile", "names.txt"], 0).stdout.contains("a.mix/Secret.w3d"));
    // Whoever knows the name needs no list.
    run(&bench, &["verify", "a.mix/secret.w3d"], 0);
}

#[test]
fn members_that_differ_in_case_are_reported() {
    let bench = Bench::empty();
    pack(&bench, "case.big", Kind::Bigf, &[("art/Tank.w3d", b"one"), ("art/zank.w3d", b"two")]);
    // Our writer refuses such names.
    let mut bytes = fs::read(bench.path("case.big")).unwrap();
    let place = bytes.windows(4).position(|name| name == b"zank").unwrap();
    bytes[place] = b't';
    bench.write("case.big", &bytes);
    let run = run(&bench, &["extract", "case.big", "-o", "out"], 3);
    let expected = "art/Tank.w3d: not extracted: its path differs from \"art/tank.w3d\" only in case";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    assert_eq!(fs::read(bench.path("out/art/tank.w3d")).unwrap(), b"two");
}

#[test]
fn a_backup_is_kept_of_files_and_archives() {
    let bench = Bench::empty();
    let model = w3d::sample::crate_box();
    bench.write("crate.w3d", &model);
    pack(&bench, "art.big", Kind::Bigf, &[("crate.w3d", &model)]);
    let archive = fs::read(bench.path("art.big")).unwrap();
    for path in ["crate.w3d", "crate.w3d", "art.big/crate.w3d"] {
        run(&bench, &["edit", "scale", "2", path, "--in-place", "--backup", "--force"], 0);
    }
    assert_eq!(fs::read(bench.path("crate.w3d.bak")).unwrap(), model);
    let second = fs::read(bench.path("crate.w3d.2.bak")).unwrap();
    assert!(second != model && second != fs::read(bench.path("crate.w3d")).unwrap());
    assert_eq!(fs::read(bench.path("art.big.bak")).unwrap(), archive);
    run(&bench, &["edit", "scale", "2", "crate.w3d", "--output", "a.w3d", "--backup"], 2);
}

/// Edits of one archive at the same time: each change is there, or its command failed.
#[test]
fn edits_at_the_same_time_are_not_lost_silently() {
    let bench = Bench::empty();
    let model = w3d::sample::crate_box();
    let names = ["a.w3d", "b.w3d", "c.w3d", "d.w3d"];
    pack(&bench, "art.big", Kind::Bigf, &names.map(|name| (name, &model[..])));
    let codes: Vec<Option<i32>> = std::thread::scope(|scope| {
        let edits = names.map(|name| {
            let bench = &bench;
            scope.spawn(move || bench.run(&["edit", "scale", "2", &format!("art.big/{name}"), "-i"]).code)
        });
        edits.map(|edit| edit.join().unwrap()).to_vec()
    });
    let archive = Archive::open_path(bench.path("art.big")).unwrap();
    for (name, code) in names.iter().zip(codes) {
        let is_changed = archive.read(&archive.find(name).unwrap()).unwrap() != model;
        assert_eq!(is_changed, code == Some(0), "{name}: {code:?}");
    }
}
