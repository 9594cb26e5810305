//! What programs report about many files: the walk over folders, settings of projects, guesses, summaries, repairs.

use std::fs;
use std::path::{Path, PathBuf};

use meshwright::assets::{Archives, Folders};
use meshwright::check::{FixLevel, Level, Levels, Options};
use meshwright::{
    Format, Game, Given, Guesses, InfoOptions, Model, Settings, Tree, TreeOptions, Walked, Wanted, Workspace,
    check_parsed, is_model_name, mdx, other_content, verify, w3d, walk,
};

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("units")).expect("a folder in it");
    fs::write(folder.path().join("units/crate.w3d"), w3d::sample::crate_box()).expect("a model");
    fs::write(folder.path().join("tower.mdx"), mdx::build::watchtower()).expect("a model");
    fs::write(folder.path().join("readme.txt"), "no model").expect("a text");
    fs::write(folder.path().join("war3map.w3d"), [0; 16]).expect("data of a map");
    folder
}

#[test]
fn a_walk_finds_models_in_order_and_says_what_it_skips() {
    let folder = folder();
    let files = Archives::new(Folders::default());
    let (mut found, mut skipped) = (Vec::new(), Vec::new());
    let skip = |path: &Path| other_content(&files, path);
    walk(&files, folder.path(), &is_model_name, &skip, &mut |walked| match walked {
        Walked::File(path) => found.push(path),
        Walked::Skipped(path, what) => skipped.push((path, what)),
        Walked::Failed(path, error) => panic!("{}: {error}", path.display()),
    });
    let names = |paths: &[PathBuf]| -> Vec<String> {
        paths.iter().map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string()).collect()
    };
    assert_eq!(names(&found), ["tower.mdx", "units/crate.w3d"]);
    assert_eq!(skipped.len(), 1);
    assert!(skipped[0].1.contains("map data"), "{}", skipped[0].1);
    let mut failed = 0;
    walk(&files, &folder.path().join("nowhere"), &is_model_name, &skip, &mut |walked| {
        failed += usize::from(matches!(walked, Walked::Failed(..)));
    });
    assert_eq!(failed, 1);
}

#[test]
fn settings_of_a_run_come_before_those_of_a_project() {
    let folder = folder();
    let toml = "[check]\nprofile = 'generals'\nallow = ['W3D-NAME']\ntextures = ['art']\n";
    fs::write(folder.path().join("meshwright.toml"), toml).expect("the settings");
    let model = folder.path().join("units/crate.w3d");
    let find = |given| Settings::find(given, [model.as_path()]).expect("they are valid");
    let settings = find(Given::default());
    assert_eq!(settings.profile(&model), Some(Game::Generals));
    assert_eq!(settings.levels(&model).of("W3D-NAME-002"), Some(Level::Allow));
    assert_eq!(settings.projects().textures(), [folder.path().join("art")]);
    let given = Given { profile: Some(Game::Bfme1), ..Given::default() };
    assert_eq!(find(given).profile(&model), Some(Game::Bfme1));
    fs::write(folder.path().join("meshwright.toml"), "[check]\nprofile = 'doom'\n").expect("the settings");
    let error = Settings::find(Given::default(), [model.as_path()]).expect_err("there is no such game");
    assert!(error.to_string().contains("unknown profile"), "{error}");
}

#[test]
fn the_files_of_a_folder_tell_its_game_together() {
    let crate_box = w3d::sample::crate_box();
    let format = Format::detect(&crate_box, None).expect("it is W3D");
    let look = |path: &str| Guesses::look(&crate_box, Path::new(path), format);
    let mut guesses = Guesses::default();
    // The folder of the first says more than the file.
    guesses.add(Path::new("art/w3d/gu/gusoldier.w3d"), look("art/w3d/gu/gusoldier.w3d").as_ref());
    guesses.add(Path::new("art/w3d/gu/other.w3d"), look("other.w3d").as_ref());
    let document = meshwright::Document::parse(&crate_box).expect("it is valid");
    let guess = |path: &str| guesses.of(Path::new(path)).map(|evidence| evidence.guess_for(&document).game);
    assert_eq!(guess("art/w3d/gu/third.w3d"), Some(Game::Bfme2));
    assert_eq!(guess("elsewhere/third.w3d"), None);
    assert!(Guesses::look(b"no model", Path::new("x.mdx"), Format::named("mdx").unwrap()).is_none());
}

#[test]
fn a_model_and_its_file_have_the_same_summary_and_findings() {
    let folder = folder();
    let workspace = Workspace::default();
    for name in ["units/crate.w3d", "tower.mdx"] {
        let path = folder.path().join(name);
        let bytes = fs::read(&path).expect("it is there");
        let model = workspace.open(&path).expect("it is valid");
        let options = InfoOptions { hash: true, ..InfoOptions::default() };
        let mut guesses = Guesses::default();
        guesses.add(&path, Guesses::look(&bytes, &path, model.format()).as_ref());
        let of_file = InfoOptions { evidence: guesses.of(&path), ..options };
        let file = workspace.examine(&bytes, Some(&path), &of_file).expect("it is valid");
        let own = model.examine(&workspace, &options).expect("it is valid");
        assert_eq!(own.to_json("x"), file.to_json("x"), "{name}");
        assert!(!file.found.is_empty() || file.missing().count() == 0, "missing textures are findings");
    }
}

#[test]
fn the_text_of_a_model_is_checked_and_kept() {
    let folder = folder();
    let text =
        Model::parse(mdx::build::watchtower()).and_then(|model| model.to_mdl()).expect("it has a text");
    let typed = [b"// typed by hand\n".as_slice(), &text].concat();
    let path = folder.path().join("tower.mdl");
    fs::write(&path, &typed).expect("a file");
    let mut model = Model::open(&path).expect("it is valid");
    let parsed = Format::named("mdl").unwrap().read(&typed).expect("it is valid");
    let workspace = Workspace::default();
    let options = Options {
        file_name: Some("tower.mdl"),
        lookup: Some(workspace.lookup(Some(&path))),
        ..Options::default()
    };
    assert_eq!(model.check(), check_parsed(&parsed, &typed, &options).diagnostics);
    model.save(&path).expect("it can be written");
    assert_eq!(fs::read(&path).expect("it is there"), typed, "nothing was changed");
    model.set_texture("mwspark.tga", "other.blp").expect("it fits");
    model.save(&path).expect("it can be written");
    let changed = fs::read(&path).expect("it is there");
    assert!(changed.starts_with(b"// typed by hand\n"), "the rest of the text is kept");
    assert_eq!(Model::open(&path).expect("it is valid").textures(), ["mwtower.tga", "other.blp"]);
}

#[test]
fn repairs_restore_the_bytes_and_keep_the_path() {
    let mut model = Model::parse(w3d::sample::crate_box()).expect("it is valid").at("art/mwcrate.w3d");
    let header = model.document_mut().root_mut().find_mut("MESH/MESH_HEADER3").expect("a mesh has a header");
    header.value_mut::<w3d::records::MeshHeader3>().expect("it is whole").num_tris.set(7);
    let mut allowed = Levels::default();
    allowed.set("W3D-MESH-004", Level::Allow);
    let mut repair = |levels: &Levels| {
        let done = model.repair(Game::ZeroHour, levels, FixLevel::Safe).expect("it can be written");
        done.iter().map(|done| done.code).collect::<Vec<_>>()
    };
    assert!(repair(&allowed).is_empty());
    assert_eq!(repair(&Levels::default()), ["W3D-MESH-004"]);
    assert!(repair(&Levels::default()).is_empty());
    assert_eq!(model.to_bytes().expect("bytes"), w3d::sample::crate_box());
    assert_eq!(model.path(), Some(Path::new("art/mwcrate.w3d")));
}

#[test]
fn a_difference_is_where_the_bytes_differ() {
    let bytes = w3d::sample::crate_box();
    let model = Model::parse(&bytes).expect("it is valid");
    let mut other = bytes.clone();
    other[40] ^= 1;
    let found = verify(model.format(), model.document(), &other, false).expect("it can be written");
    let found = found.expect("they differ");
    assert_eq!((found.at, found.sizes), (40, (bytes.len(), bytes.len())));
    assert!(found.to_string().starts_with("rewritten file differs at byte 40"), "{found}");
}

#[test]
fn a_part_that_is_missing_is_explained() {
    let model = Model::parse(w3d::sample::crate_box()).expect("it is valid");
    let tree = Tree::new(
        model.document(),
        model.diagnostics(),
        TreeOptions { fields: true, ..TreeOptions::default() },
    );
    assert!(tree.part("MESH[7]").is_none());
    let message = tree.no_such_part("MESH[0]/NOTHING", |names| names.join(" "));
    assert!(message.starts_with("no part MESH[0]/NOTHING; available in MESH[0]: MESH_HEADER3 "), "{message}");
    let json = serde_json::to_value(tree.part("MESH[1]/VERTICES").unwrap()).expect("it is JSON");
    // Four elements are listed, and the number of the others.
    assert_eq!(json["fields"].as_array().map(Vec::len), Some(5));
    assert_eq!(json["fields"][4]["omitted"], 20);
}

#[test]
fn names_with_any_extension_of_a_texture_are_found() {
    let wanted = Wanted::new("mwcrate.dds").expect("it is a name");
    assert!(wanted.is_file("Art/Textures/MWCRATE.TGA"));
    assert_eq!(wanted.uses(&w3d::sample::crate_box(), Some("mwcrate.w3d")), ["mwcrate.tga"]);
    assert!(wanted.uses(b"no model", None).is_empty());
    assert!(Wanted::new("[").is_err(), "a glob that is not closed");
}
