//! Where the parts of a scene come from.

use super::clips::Clips;
use super::json::Document;
use super::materials::Materials;
use super::meshes::Meshes;
use super::tree::Tree;

/// Where the parts of a scene are in the file, and which parts of the source they were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// For each node of the scene its glTF node.
    pub nodes: Vec<Origin>,
    /// For each mesh its glTF mesh.
    pub meshes: Vec<Origin>,
    /// For each material the first glTF material that it was read from.
    pub materials: Vec<Origin>,
    /// For each clip its animation.
    pub clips: Vec<Origin>,
    /// For each node whether it is a joint of a skin.
    pub joints: Vec<bool>,
    /// Our writer wrote the file, and no other program changed it.
    pub is_ours: bool,
    /// Extras of ours say which node is which.
    pub has_extras: bool,
}

/// Where a part of a scene comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Its index in the list of the glTF file. Some parts are in extras only.
    pub gltf: Option<u32>,
    /// Its index in the list of the scene that our writer wrote, if extras say so.
    pub source: Option<u32>,
}

pub(super) fn collect(
    document: &Document<'_>,
    tree: &Tree,
    materials: &Materials,
    meshes: &Meshes,
    clips: &Clips,
    is_ours: bool,
) -> Origins {
    let node = |&at: &u32| Origin { gltf: Some(at), source: tree.extras[at as usize].index };
    let mesh = |(&node, &source): (&u32, &Option<u32>)| {
        let gltf = document.nodes.get(node as usize).and_then(|node| node.mesh);
        Origin { gltf, source }
    };
    let mut looks = vec![Origin::default(); materials.list.len()];
    for (at, place) in materials.places.iter().enumerate() {
        if let Some(look) = looks.get_mut(place.index()) {
            look.gltf.get_or_insert(at as u32);
        }
    }
    for (look, source) in looks.iter_mut().zip(&materials.sources) {
        look.source = *source;
    }
    let clip = |(&gltf, &source): (&Option<u32>, &Option<usize>)| Origin {
        gltf,
        source: source.and_then(|source| u32::try_from(source).ok()),
    };
    Origins {
        nodes: tree.order.iter().map(node).collect(),
        meshes: meshes.nodes.iter().zip(&meshes.ids).map(mesh).collect(),
        materials: looks,
        clips: clips.animations.iter().zip(&clips.sources).map(clip).collect(),
        joints: tree.order.iter().map(|at| tree.is_joint[*at as usize]).collect(),
        is_ours,
        has_extras: tree.is_ours,
    }
}
