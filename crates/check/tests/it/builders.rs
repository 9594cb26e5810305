//! Output of the builders of the format crates has no findings in any game.

use mdx::build::GeosetBuilder;
use meshwright_check::{Document, Game, Options, check};
use w3d::build::MeshBuilder;
use w3d::names::MeshFlags;

fn findings(bytes: &[u8], profile: Option<Game>) -> Vec<String> {
    let document = Document::parse(bytes).expect("a model");
    let options = Options { profile, ..Options::default() };
    check(&document, &options)
        .iter()
        .map(|finding| format!("{}: {}", finding.code, finding.message))
        .collect()
}

#[test]
fn a_textured_w3d_triangle_has_no_findings() {
    let triangle = MeshBuilder::new("TRIANGLE")
        .positions([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
        .uvs([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        .triangles([[0, 1, 2]])
        .texture("wood.tga");
    let hit = triangle.clone().flags(MeshFlags::COLLISION_PHYSICAL | MeshFlags::COLLISION_PROJECTILE);
    for mesh in [triangle, hit] {
        let file = w3d::build::ModelBuilder::new("SIGN").mesh(mesh).build().expect("a file");
        let bytes = file.to_bytes().expect("a file");
        for game in Game::ALL {
            assert_eq!(findings(&bytes, Some(game)), [""; 0], "{game:?}");
        }
        assert_eq!(findings(&bytes, None), [""; 0]);
    }
}

#[test]
fn a_textured_mdx_triangle_has_no_findings() {
    let triangle = GeosetBuilder::new()
        .positions([[0.0, 0.0, 0.0], [30.0, 0.0, 0.0], [0.0, 40.0, 0.0]])
        .uvs([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
        .triangles([[0, 1, 2]])
        .texture("Textures\\wood.blp");
    // Version 900 is itself a finding: only betas wrote it.
    for version in [800, 1000, 1100, 1200] {
        let model = mdx::build::ModelBuilder::new("Sign").version(version).geoset(triangle.clone());
        let bytes = model.build().expect("a model").to_bytes().expect("a model");
        assert_eq!(findings(&bytes, None), [""; 0], "version {version}");
    }
}
