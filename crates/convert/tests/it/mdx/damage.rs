//! Damaged files convert as far as they go.

use glam::Vec3;
use mdx::records::*;
use mdx::{Document, build, kinds, tags};
use meshwright_convert::mdx::{NoteKind, Options, Report, to_scene};
use proptest::prelude::*;
use scene::{ClipId, Deformed, Moment, Sampler, Scene, skin};

use super::support::*;

fn messages(report: &Report, kind: NoteKind) -> Vec<String> {
    report.of(kind).map(|note| format!("{}: {}", note.part, note.message)).collect()
}

#[test]
fn parents_that_do_not_exist_or_are_a_circle() {
    let builder = warcraft();
    let bones = [(0, 9), (1, 2), (2, 1), (3, 2), (3, -1)];
    let bones = bones.map(|(id, parent)| bone(builder, id, parent, 0, vec![])).into();
    let (scene, report) =
        convert(builder, vec![builder.chunk(&kinds::BONE, bones), pivots(&[[1.0, 0.0, 0.0]; 3])]);
    let parents: Vec<_> = scene.nodes.iter().map(|node| node.parent.map(|parent| parent.0)).collect();
    assert_eq!(parents, [None, None, None, Some(2), None]);
    assert_eq!(
        messages(&report, NoteKind::Missing),
        [
            "Bone \"Bone 3\": missing pivot; the origin is used",
            "Bone \"Bone 3\": missing pivot; the origin is used",
            "Bone \"Bone 0\": parent 9 does not exist; made a root",
        ]
    );
    assert_eq!(
        messages(&report, NoteKind::Damaged),
        [
            "Bone \"Bone 3\": duplicate object id 3; nothing can refer to this object",
            "Bone \"Bone 1\": the object is its own ancestor; made a root",
            "Bone \"Bone 2\": the object is its own ancestor; made a root",
        ]
    );
    // What became a root is at its pivot.
    let at: Vec<_> = scene.rest_worlds().iter().map(|world| Vec3::from(world.translation)).collect();
    assert_eq!(at, [Vec3::X, Vec3::X, Vec3::X, Vec3::ZERO, Vec3::ZERO]);
}

#[test]
fn keys_out_of_order_or_not_finite() {
    let builder = warcraft();
    let moves = vector_keys(&[(1000, [2.0, 0.0, 0.0]), (0, [0.0; 3])]);
    let grows = vector_keys(&[(0, [1.0; 3]), (500, [f32::NAN, 1.0, 1.0]), (1000, [3.0; 3])]);
    let tracks = vec![
        build::track(tags::KGTR, Interpolation::LINEAR, -1, &moves).unwrap(),
        build::track(tags::KGSC, Interpolation::LINEAR, -1, &grows).unwrap(),
        build::track(tags::KGRT, Interpolation::LINEAR, 5, &[(0, record::Quaternion::default())]).unwrap(),
    ];
    let (scene, report) = convert(
        builder,
        vec![
            sequences(&[[0, 1000]]),
            builder.chunk(&kinds::BONE, vec![bone(builder, 0, -1, 0, tracks)]),
            pivots(&[[0.0; 3]]),
        ],
    );
    let moment = Moment { clip: Some(ClipId(0)), time: 0.5, ..Moment::default() };
    let local = Sampler::new(&scene).pose(&moment).locals[0];
    assert_eq!((local.translation, local.scale), (Vec3::X, Vec3::splat(2.0)));
    assert_eq!(
        messages(&report, NoteKind::Damaged),
        [
            "Bone 0/KGTR: keys are not sorted by time; sorted",
            "Bone 0/KGSC: dropped 1 key with NaN or infinite values",
            "Bone 0/KGRT: global sequence 5 does not exist",
        ]
    );
}

#[test]
fn tracks_that_nothing_plays() {
    let builder = warcraft();
    let track = build::track(tags::KGTR, Interpolation::LINEAR, -1, &vector_keys(&[(0, [1.0; 3])])).unwrap();
    let (_, report) = convert(
        builder,
        vec![builder.chunk(&kinds::BONE, vec![bone(builder, 0, -1, 0, vec![track])]), pivots(&[[0.0; 3]])],
    );
    assert_eq!(messages(&report, NoteKind::Skipped), ["SEQS: dropped 1 track: the model has no sequences"]);
}

#[test]
fn sequences_that_all_have_the_same_keys_do_not_fill_the_memory() {
    let builder = warcraft();
    let keys: Vec<_> = (0..2000).map(|time| (time, vec3([1.0; 3]))).collect();
    let track = build::track(tags::KGTR, Interpolation::LINEAR, -1, &keys).unwrap();
    let (scene, report) = convert(
        builder,
        vec![
            sequences(&[[0, 2000]; 4000]),
            builder.chunk(&kinds::BONE, vec![bone(builder, 0, -1, 0, vec![track])]),
            pivots(&[[0.0; 3]]),
        ],
    );
    let channels: usize = scene.clips.iter().map(|clip| clip.channels.len()).sum();
    assert!((1000..3000).contains(&channels), "{channels}");
    assert_eq!(
        messages(&report, NoteKind::Skipped),
        ["SEQS: keys were dropped: too many sequences share them"]
    );
}

/// A scene of any file can be posed and skinned.
fn exercise(scene: &Scene) {
    let sampler = Sampler::new(scene);
    let mut deformed = Deformed::default();
    for clip in 0..scene.clips.len().min(3) {
        let moment = Moment { clip: Some(ClipId::from(clip)), time: 0.3, clock: 0.7, view: None };
        let pose = sampler.pose(&moment);
        for mesh in &scene.meshes {
            skin(mesh, &pose, &mut deformed);
        }
    }
}

fn sound(scene: &Scene) {
    for mesh in &scene.meshes {
        let count = mesh.positions.len();
        assert!(mesh.indices.iter().all(|index| (index as usize) < count) && mesh.indices.len() % 3 == 0);
        assert!(mesh.normals.is_empty() || mesh.normals.len() == count);
        assert!(mesh.uv_sets.iter().all(|set| set.len() == count));
        assert!(mesh.positions.iter().all(|position| position.is_finite()));
        if let Some(skin) = &mesh.skin {
            assert_eq!(skin.sets.len(), count);
            for vertex in 0..count {
                let sum: f32 = skin.of(vertex).iter().map(|influence| influence.weight).sum();
                assert!(skin.of(vertex).is_empty() || (sum - 1.0).abs() < 1e-4);
            }
        }
    }
    assert!(
        scene.nodes.iter().all(|node| node.parent.is_none_or(|parent| parent.index() < scene.nodes.len()))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Any change of any sample converts, and what comes out is sound.
    #[test]
    fn mutated_samples_convert(
        sample in 0_usize..8,
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..24),
        end in proptest::option::of(any::<proptest::sample::Index>()),
    ) {
        let mut bytes = mdx::build::samples().swap_remove(sample).1;
        for (at, value) in changes {
            let at = at.index(bytes.len() - 4) + 4;
            bytes[at] = value;
        }
        if let Some(end) = end {
            bytes.truncate(end.index(bytes.len() - 4) + 4);
        }
        let document = Document::parse(&bytes).unwrap();
        let (scene, _) = to_scene(&document, &Options::default());
        sound(&scene);
        exercise(&scene);
    }
}
