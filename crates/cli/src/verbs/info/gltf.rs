//! What is known about a glTF file: what is in the scene that it becomes.

use meshwright::gltf_io::Import;
use meshwright::scene::Scene;
use meshwright::{Clip, Family, Game, Games, Guess, MeshSummary, SkeletonSummary, Summary};

/// The summary of a glTF file.
pub(super) fn summary(import: &Import) -> Summary {
    let scene = &import.scene;
    let meshes = scene.meshes.iter().map(|mesh| MeshSummary {
        name: mesh.name.clone(),
        vertices: mesh.positions.len(),
        triangles: mesh.indices.len() / 3,
        skinned: mesh.skin.is_some(),
    });
    let clips = scene.clips.iter().map(|clip| Clip {
        name: clip.name.clone(),
        seconds: f64::from(clip.duration),
        rate: clip.frame_rate.map(f64::from),
        frames: None,
        interval: None,
        looping: Some(clip.looping),
        speed: Some(clip.move_speed).filter(|speed| *speed != 0.0),
        rarity: Some(clip.rarity).filter(|rarity| *rarity != 0.0),
    });
    let mut textures: Vec<String> = Vec::new();
    for texture in scene.textures.iter().filter(|texture| !texture.name.is_empty()) {
        if !textures.contains(&texture.name) {
            textures.push(texture.name.clone());
        }
    }
    Summary {
        version: Some("version 2.0".to_owned()),
        models: Some(scene.name.clone()).filter(|name| !name.is_empty()).into_iter().collect(),
        meshes: meshes.collect(),
        materials: scene.materials.len(),
        skeletons: skeleton(scene).into_iter().collect(),
        clips: clips.collect(),
        textures,
        objects: objects(scene),
        needs: Vec::new(),
        game: game(import),
    }
}

fn skeleton(scene: &Scene) -> Option<SkeletonSummary> {
    let name = if scene.name.is_empty() { "nodes" } else { &scene.name };
    (!scene.nodes.is_empty()).then(|| SkeletonSummary { name: name.to_owned(), bones: scene.nodes.len() })
}

fn objects(scene: &Scene) -> Vec<(&'static str, usize)> {
    let all = [
        ("light", scene.lights.len()),
        ("camera", scene.cameras.len()),
        ("attachment", scene.attachments.len()),
        ("emitter", scene.emitters.len()),
        ("ribbon emitter", scene.ribbons.len()),
        ("event object", scene.events.len()),
        ("collision shape", scene.collision_shapes.len()),
        ("global sequence", scene.global_sequences.len()),
    ];
    all.into_iter().filter(|(_, count)| *count > 0).collect()
}

fn game(import: &Import) -> Guess {
    let known = import.source.as_ref().and_then(|source| Some((Game::named(&source.game)?, source)));
    match known {
        Some((game, source)) => {
            let family = Family::named(&source.format).unwrap_or(Family::Mdx);
            let reason = format!("Meshwright wrote the file from a {} model", source.format);
            Guess { game, possible: Games::of(family), reason }
        }
        None => Guess {
            game: Game::Wc3Classic,
            possible: Games::of(Family::Mdx),
            reason: "a glTF file is for no game in particular".to_owned(),
        },
    }
}
