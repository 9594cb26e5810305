//! No document is too damaged to convert.

use super::fixtures::*;
use meshwright_convert::w3d::{Library, Options, to_scene};
use proptest::prelude::*;
use scene::{Moment, Sampler};
use w3d::names::{ChannelType, ChannelType8, MeshFlags};
use w3d::table::*;

/// A skin, a rigid mesh, levels, an aggregate and both kinds of animation.
fn busy() -> Vec<u8> {
    let skin = mesh(
        header("A", "SKIN", MeshFlags::GEOMETRY_SKIN),
        &[[1.0, 0.0, 0.0]; 6],
        vec![
            influences(&[[1, 2, 50, 50]; 6]),
            array(&SECONDARY_VERTICES, &vectors(&[[1.0, 0.0, 0.0]; 6])),
            branch(
                &MATERIAL_PASS,
                [
                    array(&SHADER_IDS, &ids(&[0, 1])),
                    branch(&TEXTURE_STAGE, [array(&TEXTURE_IDS, &ids(&[0, u32::MAX]))]),
                ],
            ),
        ],
    );
    let document = document([
        skin,
        simple_mesh("A", "M"),
        hierarchy("A", &[pivot("B", 0, [1.0; 3], quarter_z()), pivot("C", 1, [2.0; 3], quarter_z())]),
        animation(
            "RAW",
            "A",
            4,
            vec![
                raw(1, ChannelType::X, 1, 1, &[1.0, 2.0]),
                raw(2, ChannelType::Q, 0, 4, &[0.0, 0.0, 0.0, 1.0]),
            ],
        ),
        compressed("KEYS", "A", 4, vec![keyed(1, ChannelType8::Y, &[(0, false, &[1.0]), (3, true, &[2.0])])]),
        hlod(
            "A",
            "A",
            vec![
                sub_objects(&HLOD_LOD_ARRAY, 0.5, &[(2, "A.M")]),
                sub_objects(&HLOD_LOD_ARRAY, f32::MAX, &[(0, "A.SKIN"), (1, "A.M")]),
                sub_objects(&HLOD_AGGREGATE_ARRAY, 0.0, &[(1, "A")]),
            ],
        ),
    ]);
    document.to_bytes().unwrap()
}

/// Converts, and samples the middle of each clip; whatever comes out, nothing may go wrong on the way.
fn survive(bytes: &[u8]) {
    let Ok(document) = w3d::W3d::parse(bytes) else { return };
    let (scene, report) = to_scene(&Library::new(&document), None, &Options::default());
    assert!(report.notes.len() <= 1000);
    for mesh in &scene.meshes {
        let covered: u32 = mesh.parts.iter().map(|part| part.count).sum();
        assert_eq!(covered as usize, mesh.indices.len());
        assert!(mesh.indices.iter().all(|index| (index as usize) < mesh.positions.len()));
        assert!(mesh.uv_sets.iter().all(|set| set.len() == mesh.positions.len()));
        assert!(mesh.color_sets.iter().all(|set| set.len() == mesh.positions.len()));
        assert!(mesh.normals.is_empty() || mesh.normals.len() == mesh.positions.len());
        assert!(mesh.skin.as_ref().is_none_or(|skin| skin.sets.len() == mesh.positions.len()));
    }
    let sampler = Sampler::new(&scene);
    for (at, clip) in scene.clips.iter().enumerate().take(4) {
        let moment =
            Moment { clip: Some(scene::ClipId::from(at)), time: clip.duration / 2.0, ..Moment::default() };
        assert_eq!(sampler.pose(&moment).worlds.len(), scene.nodes.len());
    }
}

#[test]
fn a_document_of_every_chunk_converts() {
    survive(&w3d::sample::every_chunk());
    survive(&busy());
}

#[test]
fn a_small_file_cannot_ask_for_a_huge_scene() {
    // Ten models, each with twenty of the next: 20^10 objects if nobody counted.
    let models = (0..10).map(|at| {
        let next = format!("M{}", at + 1);
        let objects: Vec<(u32, &str)> = std::iter::repeat_n((0, next.as_str()), 20).collect();
        hlod(&format!("M{at}"), "", vec![sub_objects(&HLOD_AGGREGATE_ARRAY, 0.0, &objects)])
    });
    let (scene, report) = convert(models.chain([simple_mesh("", "M10")]));
    assert!(scene.nodes.len() <= scene::Limits::default().nodes);
    let cut: Vec<&str> = report.notes.iter().map(|note| &*note.message).collect();
    assert!(cut.iter().any(|message| message.contains("more than 50000 nodes")), "{cut:?}");
}

fn mutated(base: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let length = base.len();
    let edits = prop::collection::vec((0..length, any::<u8>()), 0..12);
    let words = prop::collection::vec(
        (0..length / 4, prop_oneof![Just(u32::MAX), Just(0), any::<u32>(), 0..64_u32]),
        0..4,
    );
    (edits, words, 0..length * 2).prop_map(move |(edits, words, cut)| {
        let mut bytes = base.clone();
        for (at, value) in edits {
            bytes[at] = value;
        }
        for (at, value) in words {
            bytes[at * 4..at * 4 + 4].copy_from_slice(&value.to_le_bytes());
        }
        bytes.truncate(cut.max(8));
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn damaged_models_convert(bytes in mutated(busy())) {
        survive(&bytes);
    }

    #[test]
    fn damaged_crates_convert(bytes in mutated(w3d::sample::crate_box())) {
        survive(&bytes);
    }

    #[test]
    fn damaged_files_of_every_chunk_convert(bytes in mutated(w3d::sample::every_chunk())) {
        survive(&bytes);
    }
}
