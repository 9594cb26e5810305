//! No file of a game, and nothing made of one, is in the repository.

use crate::shell::{is_ci, program};

/// Extensions of models, textures and archives, and of what models become.
const ASSETS: [&str; 21] = [
    "w3d", "wlt", "wtm", "mdx", "mdl", "json", "glb", "gltf", "obj", "ply", "stl", "blp", "dds", "tga",
    "png", "jpg", "mpq", "w3x", "w3m", "big", "mix",
];

/// Where files of our own have such extensions: schemas, screenshots, manifests and expected outputs.
const OURS: [&str; 4] = ["docs/", "judges/", "packaging/", "tests/golden/"];

/// Files in the repository that look like assets.
fn strangers(list: &str) -> Vec<&str> {
    let is_asset = |path: &&str| {
        let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        extension.is_some_and(|extension| ASSETS.contains(&extension.as_str()))
    };
    let is_ours =
        |path: &&str| OURS.iter().any(|ours| path.starts_with(ours) || path.contains(&format!("/{ours}")));
    list.lines().filter(|path| is_asset(path) && !is_ours(path)).collect()
}

#[test]
fn no_model_texture_or_archive_is_in_the_repository() {
    let Some(listed) = program("git").args(["ls-files"]).output().ok().filter(|git| git.status.success())
    else {
        assert!(!is_ci(), "git cannot list the files");
        return;
    };
    let list = String::from_utf8_lossy(&listed.stdout);
    assert!(list.lines().any(|path| path == "Cargo.toml"), "{list}");
    assert_eq!(strangers(&list), Vec::<&str>::new());
}

#[test]
fn assets_outside_our_own_folders_are_found() {
    let list =
        "-/UNIT.json\ncrates/mdx/src/lib.rs\ndocs/tank.png\ncrates/cli/tests/golden/a.png\nTANK.W3D\nLICENSE";
    assert_eq!(strangers(list), ["-/UNIT.json", "TANK.W3D"]);
}
