//! Each search rule on a small tree, and the cost of a search.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use meshwright_assets::{
    Contents, ErrorKind, Family, Files, Folders, Key, Memory, Named, Pivots, Reference, Resolver, references,
};
use record::{Chars, Node, U32, Vec3};
use w3d::names::Version;
use w3d::records::{AnimationHeader, HierarchyHeader, HlodArrayHeader, HlodHeader, HlodSubObject, Pivot};
use w3d::table::*;
use w3d::{W3d, build};

fn chars<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(text).expect("names in tests are short")
}

fn file(chunks: impl IntoIterator<Item = Node<'static>>) -> Vec<u8> {
    let mut file = W3d::new();
    file.root.children_mut().expect("a file has chunks").extend(chunks);
    file.to_bytes().expect("it can be written")
}

fn skeleton(name: &str, bones: u32) -> Node<'static> {
    let header = HierarchyHeader {
        version: Version::new(4, 1),
        name: chars(name),
        num_pivots: U32::new(bones),
        center: Vec3::default(),
    };
    let pivot = |index: u32| Pivot {
        name: chars(&format!("BONE{index}")),
        parent_idx: U32::new(index.wrapping_sub(1)),
        translation: Vec3::default(),
        euler_angles: Vec3::default(),
        rotation: Default::default(),
    };
    let pivots: Vec<Pivot> = (0..bones).map(pivot).collect();
    build::branch(&HIERARCHY, [build::record(&HIERARCHY_HEADER, &header), build::array(&PIVOTS, &pivots)])
}

fn animation(skeleton: &str, name: &str) -> Node<'static> {
    let header = AnimationHeader {
        version: Version::new(4, 1),
        name: chars(name),
        hierarchy_name: chars(skeleton),
        num_frames: U32::new(2),
        frame_rate: U32::new(30),
    };
    build::branch(&ANIMATION, [build::record(&ANIMATION_HEADER, &header)])
}

/// A model that puts objects on a skeleton.
fn hlod(name: &str, skeleton: &str, objects: &[&str]) -> Node<'static> {
    let header = HlodHeader {
        version: Version::new(1, 0),
        lod_count: U32::new(1),
        name: chars(name),
        hierarchy_name: chars(skeleton),
    };
    let array =
        HlodArrayHeader { model_count: U32::new(objects.len() as u32), max_screen_size: f32::MAX.into() };
    let objects = objects.iter().map(|name| {
        let object = HlodSubObject { bone_index: U32::new(0), name: chars(name) };
        build::record(&HLOD_SUB_OBJECT, &object)
    });
    let level = std::iter::once(build::record(&HLOD_SUB_OBJECT_ARRAY_HEADER, &array)).chain(objects);
    let level = build::branch(&HLOD_LOD_ARRAY, level);
    build::branch(&HLOD, [build::record(&HLOD_HEADER, &header), level])
}

fn memory(files: impl IntoIterator<Item = (&'static str, Vec<u8>)>) -> Memory {
    let mut memory = Memory::default();
    files.into_iter().for_each(|(path, bytes)| memory.add(path, bytes));
    memory
}

fn textures(paths: &[&'static str]) -> Resolver {
    Resolver::new(memory(paths.iter().map(|path| (*path, Vec::new()))))
}

fn skeleton_of(resolver: &Resolver, model: &str, name: &str) -> Option<PathBuf> {
    resolver.lookup(model.as_ref()).skeleton(name).map(|found| found.path)
}

fn texture_of(resolver: &Resolver, model: &str, name: &str) -> Option<(String, bool)> {
    let found = resolver.lookup(model.as_ref()).texture(name, family(model))?;
    Some((found.path.to_string_lossy().replace('\\', "/"), found.expected))
}

fn family(model: &str) -> Family {
    if model.ends_with("w3d") { Family::W3d } else { Family::Mdx }
}

fn expected(path: &str) -> Option<(String, bool)> {
    Some((path.to_owned(), true))
}

fn elsewhere(path: &str) -> Option<(String, bool)> {
    Some((path.to_owned(), false))
}

#[test]
fn a_skeleton_is_found_by_its_file_name_in_any_case() {
    let bones = || file([skeleton("HERO", 3)]);
    for name in ["art/HERO.W3D", "art/hero_skl.w3d", "art/Hero.wht", "hero.w3d"] {
        let resolver = Resolver::new(memory([("art/skin.w3d", file([])), (name, bones())]));
        assert_eq!(skeleton_of(&resolver, "art/skin.w3d", "Hero"), Some(name.into()));
    }
}

#[test]
fn a_file_that_only_has_the_name_is_not_the_skeleton() {
    let files = [
        ("art/hero.w3d", file([hlod("HERO", "HERO", &[])])),
        ("art/hero_skl.w3d", file([skeleton("HERO", 2)])),
    ];
    let resolver = Resolver::new(memory(files));
    assert_eq!(skeleton_of(&resolver, "art/x.w3d", "HERO"), Some("art/hero_skl.w3d".into()));
}

#[test]
fn the_skeleton_of_a_bfme_model_is_in_the_folder_of_its_first_letters() {
    let files = [
        ("art/w3d/ru/ruhero_skn.w3d", file([hlod("RUHERO_SKN", "GUHERO_SKL", &[])])),
        ("art/w3d/GU/guhero_skl.w3d", file([skeleton("GUHERO_SKL", 3)])),
        ("art/w3d/GU/guhero_runa.w3d", file([animation("GUHERO_SKL", "GUHERO_RUNA")])),
        ("art/w3d/GU/other_runa.w3d", file([animation("OTHER_SKL", "OTHER_RUNA")])),
    ];
    let resolver = Resolver::new(memory(files));
    let model = Path::new("art/w3d/ru/ruhero_skn.w3d");
    let bytes = resolver.files().read(model).expect("it is there");
    let document = W3d::parse(&bytes).expect("it is a model");
    let found = resolver.lookup(model).companions(&document);
    let contents: Vec<Contents> = found.documents.iter().map(|document| Contents::of(document)).collect();
    assert_eq!(contents.len(), 2, "{contents:?}");
    assert_eq!(contents[0].skeletons, ["GUHERO_SKL"]);
    assert_eq!(contents[1].animations, [("GUHERO_SKL".to_owned(), "GUHERO_RUNA".to_owned())]);
    // A folder that is not named by two letters has no such siblings.
    assert_eq!(skeleton_of(&resolver, "art/w3d/units/x.w3d", "GUHERO_SKL"), None);
    assert_eq!(
        skeleton_of(&resolver, "art/w3d/x.w3d", "GUHERO_SKL"),
        Some("art/w3d/GU/guhero_skl.w3d".into())
    );
}

#[test]
fn a_skeleton_in_a_file_of_another_name_is_found_last() {
    let files =
        [("art/bones.w3d", file([skeleton("HERO", 2)])), ("other/hero.w3d", file([skeleton("HERO", 2)]))];
    let mut resolver = Resolver::new(memory(files));
    assert_eq!(skeleton_of(&resolver, "art/x.w3d", "HERO"), Some("art/bones.w3d".into()));
    resolver.add_folder(Path::new(""));
    assert_eq!(skeleton_of(&resolver, "art/x.w3d", "HERO"), Some("other/hero.w3d".into()));
}

#[test]
fn below_a_folder_the_nearest_file_of_a_name_is_meant() {
    let bones = || file([skeleton("HERO", 2)]);
    let files = [("a/skl/hero.w3d", bones()), ("b/skl/hero.w3d", bones()), ("b/units/far/x.w3d", Vec::new())];
    let mut resolver = Resolver::new(memory(files));
    resolver.add_folder(Path::new(""));
    for (model, found) in [
        ("a/units/far/x.w3d", "a/skl/hero.w3d"),
        ("b/units/far/x.w3d", "b/skl/hero.w3d"),
        ("c/x.w3d", "a/skl/hero.w3d"),
    ] {
        assert_eq!(skeleton_of(&resolver, model, "HERO"), Some(found.into()), "{model}");
    }
}

#[test]
fn a_file_that_lacks_what_is_wanted_does_not_hide_one_further_away() {
    let files = [
        ("a/hero.w3d", file([skeleton("HERO", 2)])),
        ("b/hero.w3d", file([hlod("HERO", "HERO", &[])])),
        ("b/deep/hero.w3d", file([])),
    ];
    let mut resolver = Resolver::new(memory(files));
    resolver.add_folder(Path::new(""));
    for model in ["b/hero.w3d", "b/deep/hero.w3d", "c/x.w3d"] {
        assert_eq!(skeleton_of(&resolver, model, "HERO"), Some("a/hero.w3d".into()), "{model}");
    }
}

#[test]
fn given_files_and_companions_come_before_the_models_own_folder() {
    let bones = |count| file([skeleton("HERO", count)]);
    let files = [("art/hero.w3d", bones(2)), ("with/deep/hero.w3d", bones(3)), ("given.w3d", bones(4))];
    let mut resolver = Resolver::new(memory(files));
    assert_eq!(skeleton_of(&resolver, "art/x.w3d", "hero"), Some("art/hero.w3d".into()));
    resolver.add_companions(Path::new("with"));
    assert_eq!(skeleton_of(&resolver, "art/x.w3d", "hero"), Some("with/deep/hero.w3d".into()));
    resolver.add_file(Path::new("given.w3d")).expect("it can be read");
    assert_eq!(skeleton_of(&resolver, "art/x.w3d", "hero"), Some("given.w3d".into()));
    // Without a path there is only what was added.
    assert_eq!(resolver.lookup_anywhere().skeleton("HERO").map(|it| it.path), Some("given.w3d".into()));
    assert!(resolver.add_file(Path::new("none.w3d")).is_err());
}

#[test]
fn animations_are_found_by_the_skeleton_that_they_name() {
    let files = [
        ("art/tank.w3d", file([skeleton("TANK", 2), animation("TANK", "IDLE"), hlod("TANK", "TANK", &[])])),
        ("art/ParaFallMSH.w3d", file([animation("Tank", "FALL")])),
        ("art/tank_other.w3d", file([animation("CAR", "DRIVE")])),
        ("art/zz.w3d", file([animation("TANK", "fall"), animation("TANK", "IDLE")])),
        ("art/fall.w3d", file([animation("TANK", "FALL")])),
    ];
    let resolver = Resolver::new(memory(files));
    let search = resolver.lookup("art/tank.w3d".as_ref());
    let clips = search.animations("TANK");
    let clips: Vec<_> =
        clips.iter().map(|clip| (clip.name.as_str(), clip.path.to_str().unwrap_or(""))).collect();
    // The file of the animation's name wins, then the skeleton's.
    assert_eq!(clips, [("fall", "art/fall.w3d"), ("idle", "art/tank.w3d")]);
    let bytes = resolver.files().read("art/tank.w3d".as_ref()).expect("it is there");
    let companions = search.companions(&W3d::parse(&bytes).expect("it is a model"));
    let names: Vec<_> =
        companions.documents.iter().flat_map(|document| Contents::of(document).animations).collect();
    assert_eq!(names, [("TANK".to_owned(), "FALL".to_owned())], "each once, and IDLE from its own file");
}

#[test]
fn an_animation_of_a_copy_beside_the_model_is_not_taken_again() {
    let bytes = w3d::sample::crate_box();
    let resolver =
        Resolver::new(memory([("mwcrate.w3d", bytes.clone()), ("mwcrate-again.w3d", bytes.clone())]));
    let search = resolver.lookup("mwcrate.w3d".as_ref());
    let companions = search.companions(&W3d::parse(&bytes).expect("the sample is sound"));
    assert!(companions.documents.is_empty() && companions.missing.is_empty());
}

#[test]
fn an_animation_file_does_not_collect_the_others() {
    let wanted = |chunks: Vec<Node<'static>>| {
        let bytes = file(chunks);
        references(&model::Document::parse(&bytes).expect("it is a model"))
    };
    let animations = Reference::Animations("HERO".to_owned());
    assert!(!wanted(vec![skeleton("HERO", 2), animation("HERO", "RUN")]).contains(&animations));
    assert!(wanted(vec![skeleton("HERO", 2)]).contains(&animations));
    assert!(wanted(vec![hlod("X", "HERO", &[])]).contains(&animations));
    assert!(
        !wanted(vec![skeleton("HERO", 1), hlod("X", "HERO", &[])]).contains(&animations),
        "nothing to move"
    );
    assert_eq!(wanted(vec![animation("HERO", "RUN")]), [Reference::Skeleton("HERO".to_owned())]);
}

#[test]
fn models_are_in_the_file_of_their_container_with_what_they_need() {
    let files = [
        ("tank.w3d", file([hlod("TANK", "", &["GUN.BARREL", "GONE"])])),
        ("GUN.w3d", file([hlod("GUN.BARREL", "GUNBONES", &["GUN.BARREL", "TANK"])])),
        ("gunbones.w3d", file([skeleton("GUNBONES", 2)])),
    ];
    let resolver = Resolver::new(memory(files));
    let search = resolver.lookup("tank.w3d".as_ref());
    assert_eq!(search.model("gun.barrel").map(|found| found.path), Some("GUN.w3d".into()));
    assert!(search.model("gun.lid").is_none(), "the file has no such object");
    let bytes = resolver.files().read("tank.w3d".as_ref()).expect("it is there");
    let companions = search.companions(&W3d::parse(&bytes).expect("it is a model"));
    assert_eq!(companions.documents.len(), 2);
    let missing: Vec<&str> = companions.missing.iter().map(Reference::name).collect();
    assert_eq!(missing, ["GONE", "TANK"], "the model itself is not its own part");
}

#[test]
fn names_of_a_folder_are_known_with_the_files_that_define_them() {
    let twice = || file([hlod("TWICE", "", &[])]);
    let files =
        [("art/one.w3d", twice()), ("art/two.w3d", twice()), ("art/bones.w3d", file([animation("H", "A")]))];
    let resolver = Resolver::new(memory(files));
    let search = resolver.lookup("art/x.w3d".as_ref());
    assert_eq!(search.definers(Named::Object, "twice", 1), (vec!["one.w3d".to_owned()], 2));
    assert!(search.has(Named::Animation, "h.a") && !search.has(Named::Animation, "h.b"));
    assert!(search.has(Named::Object, "Twice") && !search.has(Named::Skeleton, "twice"));
}

#[test]
fn of_several_skeletons_that_differ_the_one_in_the_file_of_its_name_is_meant() {
    let count = |files: Vec<(&'static str, Vec<u8>)>| match Resolver::new(memory(files))
        .lookup("x.w3d".as_ref())
        .pivots("HERO")
    {
        Pivots::One(pivots) => pivots.len(),
        Pivots::Ambiguous => 100,
        Pivots::Missing => 0,
    };
    let (two, three) = (file([skeleton("HERO", 2)]), file([skeleton("HERO", 3)]));
    assert_eq!(count(vec![("a.w3d", two.clone()), ("b.w3d", two.clone())]), 2);
    assert_eq!(count(vec![("a.w3d", two.clone()), ("b.w3d", three.clone())]), 100);
    assert_eq!(count(vec![("a.w3d", two), ("hero.w3d", three)]), 3);
    assert_eq!(count(vec![]), 0);
}

#[test]
fn files_of_one_name_in_several_folders_that_differ_are_ambiguous() {
    let bones = |count| file([skeleton("HERO", count)]);
    let files = [("a/hero.w3d", bones(2)), ("b/hero.w3d", bones(3)), ("c/x.w3d", file([]))];
    let mut resolver = Resolver::new(memory(files));
    resolver.add_folder(Path::new(""));
    assert!(matches!(resolver.lookup("c/x.w3d".as_ref()).pivots("HERO"), Pivots::Ambiguous));
    assert!(
        matches!(resolver.lookup("b/x.w3d".as_ref()).pivots("HERO"), Pivots::One(pivots) if pivots.len() == 3)
    );
}

#[test]
fn a_w3d_texture_is_the_dds_before_the_tga_of_its_stem() {
    let resolver = textures(&["art/w3d/Wood.TGA", "art/w3d/stone.tga", "art/w3d/Stone.dds"]);
    assert_eq!(texture_of(&resolver, "art/w3d/x.w3d", "wood.dds"), expected("art/w3d/Wood.TGA"));
    assert_eq!(texture_of(&resolver, "art/w3d/x.w3d", "C:\\art\\WOOD.bmp"), expected("art/w3d/Wood.TGA"));
    assert_eq!(texture_of(&resolver, "art/w3d/x.w3d", "stone.tga"), expected("art/w3d/stone.tga"));
    assert_eq!(texture_of(&resolver, "art/w3d/x.w3d", "Stone.tga"), expected("art/w3d/Stone.dds"));
    for nothing in ["gold.tga", "", "..\\", ".tga"] {
        assert_eq!(texture_of(&resolver, "art/w3d/x.w3d", nothing), None, "{nothing:?}");
    }
}

#[test]
fn w3d_textures_are_in_the_art_folders_of_the_game() {
    let resolver = textures(&[
        "Data/Art/Textures/tank.tga",
        "mod/art/compiledtextures/gu/guhero.dds",
        "mods/models/x.w3d",
        "mods/Textures/oak.tga",
        "mods/models/textures/elm.tga",
    ]);
    assert_eq!(
        texture_of(&resolver, "Data/Art/W3D/tank.w3d", "Tank.tga"),
        expected("Data/Art/Textures/tank.tga")
    );
    let hero = expected("mod/art/compiledtextures/gu/guhero.dds");
    assert_eq!(texture_of(&resolver, "mod/art/w3d/ru/ruhero.w3d", "GUHero.tga"), hero);
    assert_eq!(texture_of(&resolver, "mods/models/x.w3d", "oak.tga"), expected("mods/Textures/oak.tga"));
    assert_eq!(
        texture_of(&resolver, "mods/models/x.w3d", "elm.tga"),
        expected("mods/models/textures/elm.tga")
    );
}

#[test]
fn folders_that_the_user_names_are_searched_below_by_path_then_by_name() {
    let mut resolver = textures(&["x/a/Stone.dds", "x/Textures/Stone.blp", "y/stone.tga"]);
    assert_eq!(texture_of(&resolver, "models/m.w3d", "stone.tga"), None);
    resolver.add_textures(Path::new("x"));
    resolver.add_folder(Path::new("y"));
    // The W3D engines do not read .blp.
    let found = Some(("x/Textures/Stone.blp".to_owned(), false));
    assert_eq!(texture_of(&resolver, "models/m.w3d", "textures\\stone.tga"), found);
    assert_eq!(texture_of(&resolver, "models/m.w3d", "stone.tga"), expected("x/a/Stone.dds"));
    assert_eq!(
        texture_of(&resolver, "y/deep/m.w3d", "stone.tga"),
        expected("x/a/Stone.dds"),
        ".dds comes first"
    );
    let anywhere = resolver.lookup_anywhere().texture("stone.tga", Family::W3d).map(|found| found.path);
    assert_eq!(anywhere, Some("x/a/Stone.dds".into()));
}

#[test]
fn warcraft_needs_the_exact_path_below_the_root_of_the_map() {
    let resolver = textures(&[
        "map/war3mapImported/orc.blp",
        "map/orc.mdx",
        "mod/units/orc/Orc.blp",
        "mod/Textures/skin.dds",
        "flat/skin.blp",
    ]);
    let imported = "map/war3mapImported/orc.blp";
    // A path from the root of the map, for a model in the root and for one among the imported files.
    for model in ["map/orc.mdx", "map/war3mapImported/orc.mdx"] {
        assert_eq!(texture_of(&resolver, model, "war3mapImported\\Orc.blp"), expected(imported), "{model}");
    }
    // The file is beside the model, but the game looks for it in the root.
    assert_eq!(texture_of(&resolver, "map/war3mapImported/orc.mdx", "orc.blp"), elsewhere(imported));
    assert_eq!(texture_of(&resolver, "mod/units/orc/orc.mdx", "orc.blp"), elsewhere("mod/units/orc/Orc.blp"));
    assert_eq!(
        texture_of(&resolver, "mod/units/orc/orc.mdx", "Units\\Orc\\orc.blp"),
        expected("mod/units/orc/Orc.blp")
    );
    // Reforged has .dds where the model says .tif.
    let skin = expected("mod/Textures/skin.dds");
    assert_eq!(texture_of(&resolver, "mod/units/orc/orc.mdx", "textures/skin.tif"), skin);
    assert_eq!(texture_of(&resolver, "flat/x.mdx", "skin.blp"), expected("flat/skin.blp"));
    assert_eq!(texture_of(&resolver, "flat/x.mdx", "Textures\\skin.blp"), elsewhere("flat/skin.blp"));
    assert_eq!(texture_of(&resolver, "flat/x.mdx", "Textures\\gone.blp"), None);
}

#[test]
fn of_a_warcraft_texture_the_named_format_is_best() {
    let resolver = textures(&["skin.dds", "skin.blp"]);
    assert_eq!(texture_of(&resolver, "x.mdx", "skin.blp"), expected("skin.blp"));
    assert_eq!(texture_of(&resolver, "x.mdx", "skin.tif"), expected("skin.dds"));
}

#[test]
fn warcraft_takes_mdl_for_mdx() {
    let resolver = textures(&["map/war3mapImported/spark.mdx", "map/x.mdx"]);
    let search = resolver.lookup("map/x.mdx".as_ref());
    let found = search.model_at("war3mapImported\\Spark.mdl").expect("it is there");
    assert!(found.expected && found.path == Path::new("map/war3mapImported/spark.mdx"));
    assert!(search.model_at("spark.mdl").is_none_or(|found| !found.expected));
}

#[test]
fn what_an_mdx_model_refers_to_is_listed() {
    let samples = mdx::build::samples();
    let bytes = &samples.iter().find(|(name, _)| *name == "warcraft-800").expect("the sample").1;
    let found = references(&model::Document::parse(bytes).expect("it is a model"));
    assert!(
        found
            .iter()
            .any(|it| matches!(it, Reference::Texture(path) if Key::path(path).extension().is_some()))
    );
    assert!(found.iter().all(|it| !it.name().is_empty()));
}

/// A folder of copies of a model with skeleton and animation, and a texture.
fn copies(count: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for index in 0..count {
        fs::write(folder.path().join(format!("model{index:05}.w3d")), w3d::sample::crate_box())
            .expect("written");
    }
    fs::write(folder.path().join("MWCrate.TGA"), b"").expect("written");
    folder
}

/// The number of folders listed and of files read to find everything for all models of a folder.
fn cost(count: usize) -> (usize, usize, usize) {
    let folder = copies(count);
    let files = Arc::new(Folders::default());
    let resolver = Resolver::shared(files.clone());
    let bytes = w3d::sample::crate_box();
    let document = W3d::parse(&bytes).expect("the sample is sound");
    let mut documents = 0;
    for index in 0..count {
        let path = folder.path().join(format!("model{index:05}.w3d"));
        let search = resolver.lookup(&path);
        documents += search.companions(&document).documents.len();
        assert!(search.texture("mwcrate.tga", Family::W3d).is_some());
        assert!(search.texture("missing.tga", Family::W3d).is_none());
        assert!(search.skeleton("MISSING").is_none());
    }
    (files.folders_listed(), files.files_read(), documents)
}

#[test]
fn a_folder_is_listed_once_and_each_file_read_once_however_many_models_there_are() {
    let (listed, read, documents) = cost(20);
    let (listed_more, read_more, documents_more) = cost(160);
    assert_eq!(listed, listed_more, "folders listed");
    assert!(listed <= 3, "{listed} folders listed");
    // The headers of each file are read once.
    assert_eq!((read, read_more), (20, 160));
    assert_eq!((documents, documents_more), (0, 0), "each model has its animation itself");
}

#[test]
fn a_quick_look_at_one_model_of_a_long_folder_reads_nothing_else() {
    let folder = copies(50);
    let files = Arc::new(Folders::default().list_at_most(10));
    let resolver = Resolver::shared(files.clone());
    let path = folder.path().join("model00001.w3d");
    let search = resolver.lookup(&path);
    // `MWCrate.TGA` is not a usual spelling of this one, and the folder is long.
    assert!(search.texture("MWCRATE.tga", Family::W3d).is_none());
    assert!(search.texture("MWCrate.tga", Family::W3d).is_some());
    assert!(search.skeleton("MWCRATE").is_none());
    assert!(search.animations("MWCRATE").is_empty());
    assert_eq!(files.files_read(), 0);
}

#[test]
fn a_file_over_the_limit_is_refused_before_it_is_read() {
    let folder = copies(1);
    let path = folder.path().join("model00000.w3d");
    let length = fs::metadata(&path).expect("it is there").len();
    assert!(Folders::default().limit(length).read(&path).is_ok());
    let error = Folders::default().limit(length - 1).read(&path).expect_err("it is too large");
    assert!(matches!(error.kind, ErrorKind::TooLarge { size, .. } if size == length), "{error}");
    let error = Folders::default().read(folder.path()).expect_err("it is a folder");
    assert!(matches!(error.kind, ErrorKind::NotAFile("a folder")), "{error}");
    let error = Folders::default().read(&folder.path().join("none")).expect_err("there is none");
    assert!(matches!(error.kind, ErrorKind::NotFound), "{error}");
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn pipes_are_neither_listed_nor_opened() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let pipe = folder.path().join("pipe.tga");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
        assert!(made.success());
        let resolver = Resolver::new(Folders::default());
        let model = folder.path().join("x.w3d");
        assert_eq!(resolver.lookup(&model).texture("pipe.tga", Family::W3d), None);
        let error = Folders::default().read(&pipe).expect_err("nobody writes into it");
        assert!(matches!(error.kind, ErrorKind::NotAFile("a named pipe")), "{error}");
    }

    #[test]
    fn links_do_not_lead_out_of_the_folder_they_are_found_in() {
        let top = tempfile::tempdir().expect("a temporary folder can be made");
        let (inside, outside) = (top.path().join("inside"), top.path().join("outside"));
        fs::create_dir_all(inside.join("deep")).expect("made");
        fs::create_dir_all(&outside).expect("made");
        fs::write(outside.join("secret.tga"), b"").expect("written");
        fs::write(inside.join("deep/own.tga"), b"").expect("written");
        symlink(outside.join("secret.tga"), inside.join("secret.tga")).expect("linked");
        symlink("deep/own.tga", inside.join("own.tga")).expect("linked");
        symlink(&outside, inside.join("textures")).expect("linked");
        symlink("/dev/zero", inside.join("zero.tga")).expect("linked");
        let model = inside.join("x.w3d");
        let find = |files: Folders, name: &str| {
            Resolver::new(files).lookup(&model).texture(name, Family::W3d).is_some()
        };
        assert!(find(Folders::default(), "own.tga"));
        assert!(!find(Folders::default(), "secret.tga"));
        assert!(!find(Folders::default(), "zero.tga"));
        let both = Folders::default();
        both.allow(top.path());
        assert!(find(both, "secret.tga"), "both are in a folder that the user named");
        // A path that the user named may be a link.
        assert!(Folders::default().read(&inside.join("secret.tga")).is_ok());
    }

    #[test]
    fn a_walk_does_not_follow_links_to_folders() {
        let top = tempfile::tempdir().expect("a temporary folder can be made");
        fs::create_dir(top.path().join("a")).expect("made");
        symlink(top.path(), top.path().join("a/up")).expect("linked");
        let mut resolver = Resolver::new(Folders::default());
        resolver.add_folder(top.path());
        assert_eq!(resolver.lookup_anywhere().texture("none.tga", Family::W3d), None);
    }
}
