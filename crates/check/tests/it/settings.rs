//! Which game a file is for, and what a project's settings say.

use std::fs;

use meshwright_check::{Config, Document, Game, Level, Levels, Options, check, report};
use w3d::records::MeshHeader3;

fn crate_with(change: impl FnOnce(&mut MeshHeader3)) -> Document<'static> {
    let mut document = Document::parse(&w3d::sample::crate_box()).expect("the sample").into_owned();
    let header = document.root_mut().find_mut("MESH/MESH_HEADER3").expect("a header");
    change(header.value_mut().expect("a header"));
    document
}

#[test]
fn the_guess_is_told_and_a_profile_of_the_other_family_is_none() {
    let document = crate_with(|_| {});
    let told = |profile| report(&document, &Options { profile, ..Options::default() });
    assert!(told(None).guessed_because.is_some());
    assert_eq!(told(Some(Game::Generals)).guessed_because, None);
    let other = told(Some(Game::Wc3Classic));
    assert_eq!(other.profile, Game::ZeroHour);
    assert!(other.guessed_because.is_some());
}

#[test]
fn settings_are_found_upwards() {
    let folder = std::env::temp_dir().join(format!("meshwright-settings-{}", std::process::id()));
    let deep = folder.join("art/w3d");
    fs::create_dir_all(&deep).expect("a folder");
    fs::write(folder.join("meshwright.toml"), "[check]\nprofile = \"generals\"\nallow = [\"W3D-NAME\"]\n")
        .expect("a file");
    let found = Config::find(&deep).expect("settings");
    fs::write(folder.join("meshwright.toml"), "[check]\nprofil = \"generals\"\n").expect("a file");
    let wrong = Config::find(&deep);
    fs::remove_dir_all(&folder).expect("the folder can go");
    let (path, config) = found.expect("settings");
    assert_eq!(path, folder.join("meshwright.toml"));
    assert_eq!(
        (config.profile, config.levels.of("W3D-NAME-002")),
        (Some(Game::Generals), Some(Level::Allow))
    );
    let wrong = wrong.expect_err("a mistyped key");
    assert!(wrong.to_string().contains("unknown key `check.profil`"), "{wrong}");
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    for (text, expected) in [
        ("[check", "line 1, column 7: unclosed table, expected `]`"),
        ("check = 1", "must be a table"),
        ("[check]\nprofile = 3", "must be a string"),
        ("[check]\nprofile = \"quake\"", "unknown profile \"quake\""),
        ("[check]\ndeny = \"W3D-NAME\"", "must be a list"),
        ("[check]\ndeny = [\"W3D-NOSE\"]", "no rule matches"),
        ("[check]\ntextures = 3", "must be a path or a list of paths"),
    ] {
        let error = Config::parse(text).expect_err(text);
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
}

#[test]
fn rules_that_are_off_cost_nothing() {
    let (_, bytes) = mdx::build::samples().swap_remove(0);
    let mut document = Document::parse(&bytes).expect("the sample").into_owned();
    let faces = [0_u16, 1, 2].map(record::U16::new).repeat(100_000);
    document.root_mut().find_mut("GEOS/Geoset/PVTX").expect("faces").set_values(&faces);
    let time = |off: Option<&str>| {
        let mut levels = Levels::default();
        off.into_iter().for_each(|codes| levels.set(codes, Level::Allow));
        let options =
            Options { profile: Some(Game::Wc3Classic), levels: Some(&levels), ..Options::default() };
        // The best of a few: a busy machine makes a run longer, never shorter.
        let run = |_| {
            let start = std::time::Instant::now();
            check(&document, &options);
            start.elapsed()
        };
        (0..5).map(run).min().unwrap_or_default()
    };
    let (all, none) = (time(None), time(Some("all")));
    assert!(none * 20 < all, "{none:?} with every rule off, {all:?} with all of them");
}

#[test]
fn the_game_is_guessed_from_all_files_of_a_folder() {
    use meshwright_check::Evidence;
    let plain = crate_with(|_| {});
    let extended = crate_with(|header| header.attributes = w3d::names::MeshFlags::COLLISION_USER1);
    let mut folder = Evidence::of(&plain);
    folder.add(&Evidence::of(&extended));
    let profile = |document: &Document<'_>, evidence: Option<&Evidence>| {
        report(document, &Options { evidence, ..Options::default() }).profile
    };
    assert_eq!(profile(&plain, None), Game::ZeroHour);
    assert_eq!(profile(&plain, Some(&folder)), Game::Tt4);
    // A file that the folder's game does not support is judged alone.
    let other = Evidence::of(&plain);
    assert_eq!(profile(&extended, Some(&other)), Game::Tt4);
}
