//! Which game a file or a folder is for.

use std::path::Path;

use meshwright_model::{Document, Evidence, Family, Game, Games, guess};
use w3d::build;
use w3d::names::{MeshFlags, Version};
use w3d::records::{MeshHeader3, VertexInfluence};
use w3d::table;

/// The sample crate with another mesh header.
fn crate_with(change: impl FnOnce(&mut MeshHeader3)) -> Document<'static> {
    let mut document = Document::parse(&w3d::sample::crate_box()).expect("the sample").into_owned();
    let header = document.root_mut().find_mut("MESH/MESH_HEADER3").expect("a header");
    change(header.value_mut().expect("a header"));
    document
}

/// The top-level chunks of some kinds from the sample of every chunk.
fn only(kinds: &[&'static w3d::Chunk]) -> Document<'static> {
    let mut document = Document::parse(&w3d::sample::every_chunk()).expect("the sample").into_owned();
    let children = document.root_mut().children_mut().expect("a file");
    children.retain(|child| kinds.iter().any(|kind| child.is(kind)));
    assert!(!children.is_empty());
    document
}

#[test]
fn the_version_of_a_mesh_alone_decides_nothing() {
    let plain = guess(&crate_with(|_| {}));
    assert_eq!(plain.game, Game::ZeroHour);
    assert_eq!(plain.possible, Games::W3D);
    for version in [Version::new(3, 0), Version::new(4, 1), Version::new(4, 2), Version::new(5, 0)] {
        assert_eq!(guess(&crate_with(|header| header.version = version)), plain, "{version}");
    }
}

#[test]
fn what_a_loader_does_not_know_excludes_its_game() {
    let flags = guess(&crate_with(|header| header.attributes = MeshFlags::COLLISION_USER2));
    assert_eq!((flags.game, flags.possible), (Game::Tt4, Games::TT));
    let shader_mesh = guess(&only(&[&table::SHDMESH]));
    assert_eq!(shader_mesh.game, Game::ZeroHour);
    assert!(!shader_mesh.possible.has(Game::Generals) && !shader_mesh.possible.has(Game::Renegade));
    assert!(shader_mesh.reason.contains("SHDMESH"), "{}", shader_mesh.reason);
}

/// The sample crate with another chunk in its first mesh.
fn crate_and(chunk: w3d::Node<'static>) -> Document<'static> {
    let mut document = Document::parse(&w3d::sample::crate_box()).expect("the sample").into_owned();
    let mesh = document.root_mut().find_mut("MESH").expect("a mesh");
    mesh.children_mut().expect("chunks").push(chunk);
    document
}

#[test]
fn what_loaders_skip_without_harm_excludes_nothing() {
    let copies = [record::Vec3::default(); 4];
    let smooth = guess(&crate_and(build(table::SECONDARY_VERTICES, &copies[..])));
    assert_eq!((smooth.game, smooth.possible), (Game::Bfme1, Games::W3D));
    assert_eq!(smooth.reason, "has a skin with weights, which the games before BFME skip");
    let tangents = guess(&crate_and(build(table::TANGENTS, &copies[..])));
    assert_eq!((tangents.game, tangents.possible), (Game::Bfme2, Games::W3D));
}

#[test]
fn skins_for_bfme_have_weights() {
    let with = |weight: u16| {
        let influence = VertexInfluence { weight: [weight.into(), 0.into()], ..VertexInfluence::default() };
        guess(&crate_and(build(table::VERTEX_INFLUENCES, &[influence; 4][..])))
    };
    assert_eq!(with(100).game, Game::Bfme1);
    assert_eq!(with(100).possible, Games::W3D);
    assert_eq!(with(0).game, Game::ZeroHour, "Westwood's exporters leave them empty");
}

#[test]
fn paths_say_which_game_keeps_files_so() {
    let plain = crate_with(|_| {});
    let guess_at =
        |document: &Document<'_>, path: &str| Evidence::of_file(document, Path::new(path)).guess(Family::W3d);
    for (path, game) in [
        ("art/w3d/gu/gusoldier_skn.w3d", Game::Bfme2),
        ("/mods/ART/W3D/RU/ruaxeman.W3D", Game::Bfme2),
        ("art/w3d/gu/ruaxeman.w3d", Game::ZeroHour),
        ("art/w3d/soldier.w3d", Game::ZeroHour),
        ("soldier.w3d", Game::ZeroHour),
        ("", Game::ZeroHour),
    ] {
        assert_eq!(guess_at(&plain, path).game, game, "{path}");
        assert_eq!(guess_at(&plain, path).possible, Games::W3D, "a path excludes nothing");
    }
    // Zero Hour's mods have skins from the exporter for BFME.
    let skin = crate_and(build(table::SECONDARY_VERTICES, &[record::Vec3::default(); 4][..]));
    assert_eq!(guess_at(&skin, "W3D/NITHNT_SKN.W3D").game, Game::ZeroHour);
    assert_eq!(guess_at(&skin, "W3D/gusoldier_skn.w3d").game, Game::Bfme1);
    assert_eq!(guess_at(&skin, "w3d/gu/gusoldier_skn.w3d").game, Game::Bfme2);
}

#[test]
fn a_file_that_the_game_of_its_folder_cannot_load_has_its_own_guess() {
    let mut folder = Evidence::default();
    for _ in 0..3 {
        folder.add(&Evidence::of(&only(&[&table::DAZZLE])));
    }
    assert_eq!(folder.guess_for(&crate_with(|_| {})).game, Game::Renegade);
    assert_eq!(folder.guess_for(&only(&[&table::SHDMESH])).game, Game::ZeroHour);
}

#[test]
fn chunks_typical_of_renegade_make_it_the_guess_but_exclude_nothing() {
    let dazzle = guess(&only(&[&table::DAZZLE]));
    assert_eq!((dazzle.game, dazzle.possible), (Game::Renegade, Games::W3D));
    assert_eq!(dazzle.reason, "contains the Renegade-era chunk DAZZLE");
}

#[test]
fn a_file_that_mixes_games_fits_none() {
    let every = guess(&Document::parse(&w3d::sample::every_chunk()).expect("the sample"));
    assert!(every.possible.is_empty(), "{every:?}");
    assert!(every.reason.contains("no game supports all of it"), "{}", every.reason);
}

#[test]
fn the_files_of_a_folder_are_judged_together() {
    let mut folder = Evidence::default();
    assert_eq!(folder.guess(Family::W3d).possible, Games::W3D, "an empty folder excludes nothing");
    for _ in 0..3 {
        folder.add(&Evidence::of(&crate_with(|_| {})));
    }
    folder.add(&Evidence::of(&only(&[&table::DAZZLE])));
    assert_eq!(folder.guess(Family::W3d).game, Game::Renegade);
    folder.add(&Evidence::of(&crate_with(|header| header.attributes = MeshFlags::COLLISION_USER1)));
    assert_eq!(folder.guess(Family::W3d).game, Game::Tt4);
    // Models of the other family say nothing about these.
    let (_, warcraft) = mdx::build::samples().into_iter().next().expect("a sample");
    folder.add(&Evidence::of(&Document::parse(&warcraft).expect("a sample")));
    assert_eq!(folder.guess(Family::W3d).game, Game::Tt4);
    assert!(Games::MDX.has(folder.guess(Family::Mdx).game));
}

#[test]
fn mdx_is_told_apart_by_layout_and_by_the_only_version_that_the_classic_game_loads() {
    let mut folder = Evidence::default();
    for (name, bytes) in mdx::build::samples() {
        let document = Document::parse(&bytes).expect("a sample");
        let expected = match name {
            "warcraft-800" => Game::Wc3Classic,
            name if name.starts_with("wow") => Game::WowAlpha,
            _ => Game::Wc3Reforged,
        };
        assert_eq!(guess(&document).game, expected, "{name}");
        if !name.starts_with("wow") {
            folder.add(&Evidence::of(&document));
        }
    }
    let folder = folder.guess(Family::Mdx);
    assert_eq!((folder.game, folder.possible), (Game::Wc3Reforged, Game::Wc3Reforged.only()));
}
