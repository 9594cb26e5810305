//! Limits that differ from game to game: the last value that is allowed, and the first that is not.

use meshwright_check::{Document, Game, Options, check};
use record::Node;
use w3d::names::{PriGradient, SurfaceType};
use w3d::records::{MeshHeader3, Shader, Triangle, VertexMaterialInfo};

/// Whether a rule finds something in the sample after a change.
fn is_found(code: &str, profile: Game, change: impl Fn(&mut Node<'_>)) -> bool {
    let mut file = w3d::W3d::parse(&w3d::sample::crate_box()).expect("the sample is valid").into_owned();
    change(&mut file.root);
    let options = Options { profile: Some(profile), ..Options::default() };
    check(&Document::from(file), &options).iter().any(|finding| finding.code == code)
}

fn material(root: &mut Node<'_>, attributes: u32) {
    let part = root.find_mut("MESH/VERTEX_MATERIALS/VERTEX_MATERIAL/VERTEX_MATERIAL_INFO");
    let info = part.and_then(Node::value_mut::<VertexMaterialInfo>).expect("the sample has a material");
    info.attributes = w3d::names::VertexMaterialFlags::new(attributes);
}

/// docs/formats/w3d/materials.md#mappers: mappers 0x13 and 0x14 came with Zero Hour.
#[test]
fn the_last_mapper_of_each_game() {
    for (game, last) in [
        (Game::Renegade, 0x12),
        (Game::Generals, 0x12),
        (Game::ZeroHour, 0x14),
        (Game::Bfme1, 0x14),
        (Game::Bfme2, 0x14),
        (Game::Tt4, 0x14),
        (Game::Tt5, 0x14),
    ] {
        for stage in [16, 8] {
            let found = |mapper: u32| is_found("W3D-GAME-004", game, |root| material(root, mapper << stage));
            assert!(!found(last), "{game:?} knows mapper {last:#x}");
            assert!(found(last + 1), "{game:?} does not know mapper {:#x}", last + 1);
        }
    }
}

/// docs/formats/w3d/materials.md#shaders: Zero Hour has two more gradients.
#[test]
fn the_last_gradient_of_each_game() {
    for (game, last) in
        [(Game::Renegade, 3), (Game::Generals, 3), (Game::ZeroHour, 5), (Game::Bfme2, 5), (Game::Tt4, 5)]
    {
        let found = |value: u8| {
            is_found("W3D-GAME-003", game, |root| {
                let shaders = root.find_mut("MESH/SHADERS").expect("the sample has shaders");
                shaders.values_mut::<Shader>()[0].pri_gradient = PriGradient::new(value);
            })
        };
        assert!(!found(last), "{game:?} knows gradient {last}");
        assert!(found(last + 1), "{game:?} does not know gradient {}", last + 1);
    }
}

/// docs/formats/w3d/meshes.md#surface-types: Generals stops at 26, Renegade at 31, Tiberian Technologies at 47.
#[test]
fn the_last_surface_of_each_game() {
    for (game, last) in
        [(Game::Generals, 26), (Game::Renegade, 31), (Game::ZeroHour, 31), (Game::Tt4, 47), (Game::Tt5, 47)]
    {
        let found = |value: u32| {
            is_found("W3D-GAME-005", game, |root| {
                let triangles = root.find_mut("MESH/TRIANGLES").expect("the sample has triangles");
                triangles.values_mut::<Triangle>()[0].attributes = SurfaceType::new(value);
            })
        };
        assert!(!found(last), "{game:?} knows surface {last}");
        assert!(found(last + 1), "{game:?} does not know surface {}", last + 1);
        assert!(found(255), "{game:?} does not know surface 255");
        // Another rule reports numbers that do not fit a byte.
        assert!(!found(256));
    }
}

/// docs/formats/w3d/meshes.md#mesh-flags: the geometry types end at 6; 0x200, 0x400, 0x40000000 and 0x80000000 are Tiberian Technologies'.
#[test]
fn the_mesh_flags_of_each_game() {
    let found = |game, word: u32| {
        is_found("W3D-GAME-002", game, |root| {
            let header = root.find_mut("MESH/MESH_HEADER3").and_then(Node::value_mut::<MeshHeader3>);
            header.expect("the sample has a mesh").attributes = w3d::names::MeshFlags::new(word);
        })
    };
    for word in [0x200, 0x400, 0x4000_0000, 0x8000_0000, 7 << 16] {
        assert!(found(Game::Generals, word), "{word:#x}");
        assert!(found(Game::ZeroHour, word), "{word:#x}");
        assert!(!found(Game::Tt4, word) && !found(Game::Tt5, word), "{word:#x}");
    }
    assert!(!found(Game::Generals, 6 << 16));
}
