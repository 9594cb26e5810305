//! Models of several kinds, and what lies in other files.

use super::fixtures::*;
use meshwright_convert::w3d::{Library, NoteKind, Options, to_scene};
use record::zerocopy::IntoBytes;
use record::{F32, U16, U32};
use scene::{AttachmentKind, LevelRange};
use w3d::names::Version;
use w3d::records::*;
use w3d::table::*;

#[test]
fn levels_come_most_detailed_first() {
    let scene = clean([
        simple_mesh("A", "HIGH"),
        simple_mesh("A", "LOW"),
        simple_mesh("A", "BOTH"),
        hlod(
            "A",
            "",
            vec![
                sub_objects(&HLOD_LOD_ARRAY, 0.25, &[(0, "A.LOW"), (0, "A.BOTH")]),
                sub_objects(&HLOD_LOD_ARRAY, f32::MAX, &[(0, "a.high"), (0, "A.BOTH")]),
            ],
        ),
    ]);
    let names = |level: usize| -> Vec<&str> {
        scene.levels[level].meshes.iter().map(|mesh| scene.meshes[mesh.index()].name.as_str()).collect()
    };
    assert_eq!((names(0), names(1)), (vec!["HIGH", "BOTH"], vec!["LOW", "BOTH"]));
    assert_eq!(scene.levels[0].range, LevelRange::MaxScreenSize(f32::MAX));
    assert_eq!(scene.levels[1].range, LevelRange::MaxScreenSize(0.25));
    assert_eq!(scene.meshes.len(), 3, "what two levels share is there once");
}

#[test]
fn a_missing_skeleton_is_reported_and_a_default_used() {
    let (scene, report) = convert([simple_mesh("A", "M"), model("A", "A_SKL", &[(3, "A.M")])]);
    assert_eq!(report.notes.len(), 1);
    assert_eq!(report.notes[0].kind, NoteKind::Missing);
    assert!(report.notes[0].message.contains("A_SKL"));
    assert_eq!((scene.nodes.len(), scene.meshes[0].node.map(|node| node.0)), (1, Some(0)));
}

#[test]
fn a_missing_object_is_reported() {
    let (scene, report) = convert([simple_mesh("A", "M"), model("A", "", &[(0, "A.M"), (0, "A.GONE")])]);
    assert_eq!(scene.meshes.len(), 1);
    assert_eq!(report.of(NoteKind::Missing).count(), 1);
    assert!(report.notes[0].message.contains("A.GONE"));
}

#[test]
fn skeleton_and_animations_come_from_other_files() {
    let main = document([simple_mesh("HERO", "M"), model("HERO", "hero_skl", &[(1, "HERO.M")])]);
    let skeleton = document([hierarchy("HERO_SKL", &[pivot("HAND", 0, [0.0, 0.0, 2.0], NO_TURN)])]);
    let run = document([animation(
        "HERO_RUN",
        "HERO_SKL",
        2,
        vec![raw(1, w3d::names::ChannelType::X, 0, 1, &[0.0, 1.0])],
    )]);
    let other = document([animation("TREE_SWAY", "TREE", 2, vec![])]);
    let twin = document([
        hierarchy("COPY_SKL", &[pivot("Hand", 0, [0.0, 0.0, 2.0], NO_TURN)]),
        animation("COPY_DIE", "COPY_SKL", 2, vec![raw(1, w3d::names::ChannelType::X, 0, 1, &[0.0, 1.0])]),
    ]);
    let library = Library::new(&main).with(&skeleton).with(&run).with(&other).with(&twin).with(&run);
    let (scene, report) = to_scene(&library, None, &Options::default());
    assert_eq!(scene.meshes[0].node.map(|node| node.0), Some(1));
    let clips = |scene: &scene::Scene| scene.clips.iter().map(|clip| clip.name.clone()).collect::<Vec<_>>();
    // Clips of other skeletons are no loss, and a clip that is there twice counts once.
    assert_eq!(clips(&scene), ["HERO_RUN"]);
    assert!(report.notes.is_empty(), "{:?}", report.notes);
    // On request, a skeleton with the same pivots lends its clips.
    let options = Options { clips_of_twins: true, ..Options::default() };
    let (scene, report) = to_scene(&library, None, &options);
    assert_eq!(clips(&scene), ["HERO_RUN", "COPY_DIE"]);
    assert_eq!(report.of(NoteKind::Assumed).count(), 1);
}

#[test]
fn a_clip_comes_from_the_models_own_file_first() {
    let run =
        |values: &[f32]| animation("RUN", "S", 2, vec![raw(1, w3d::names::ChannelType::X, 0, 1, values)]);
    let main = document([hierarchy("S", &[pivot("B", 0, [0.0; 3], NO_TURN)]), run(&[1.0, 1.0])]);
    let copy = document([run(&[5.0, 5.0])]);
    let (scene, report) = to_scene(&Library::new(&main).with(&copy), None, &Options::default());
    assert!(report.notes.is_empty());
    let [clip] = &scene.clips[..] else { panic!("{} clips", scene.clips.len()) };
    assert_eq!(clip.channels[0].curve.sample(0.0), Some(scene::Value::Vector(glam::Vec3::X)));
}

#[test]
fn a_second_animation_of_the_same_name_is_dropped_and_reported() {
    let skeleton = hierarchy("S", &[pivot("B", 0, [0.0; 3], NO_TURN)]);
    let run =
        |name: &str| animation(name, "S", 2, vec![raw(1, w3d::names::ChannelType::X, 0, 1, &[1.0, 1.0])]);
    let file = document([skeleton, run("RUN"), run("run "), run("RUN2")]);
    let (scene, report) = to_scene(&Library::new(&file), None, &Options::default());
    let clips: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(clips, ["RUN", "RUN2"]);
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "damaged: ANIMATION \"S.run \": dropped: an animation of the same name and skeleton comes before it"
        ]
    );
}

#[test]
fn an_animation_of_the_models_own_file_may_use_a_copy_of_its_skeleton() {
    let copy = |label: &str| hierarchy(label, &[pivot("HAND", 0, [0.0; 3], NO_TURN)]);
    let main = document([
        simple_mesh("HERO", "M"),
        copy("HERO_SKL"),
        model("HERO", "HERO_SKL", &[(1, "HERO.M")]),
        animation("DIE", "COPY_SKL", 2, vec![raw(1, w3d::names::ChannelType::X, 0, 1, &[0.0, 1.0])]),
    ]);
    let other = document([copy("COPY_SKL")]);
    let (scene, report) = to_scene(&Library::new(&main).with(&other), None, &Options::default());
    assert_eq!((scene.clips.len(), scene.nodes.len()), (1, 2));
    assert_eq!(report.of(NoteKind::Assumed).count(), 1);
}

#[test]
fn names_keep_trailing_spaces_and_tabs() {
    let file = document([
        simple_mesh("S", "M \t"),
        hierarchy("S ", &[pivot("HAND ", 0, [0.0; 3], NO_TURN)]),
        model("S", "S", &[(1, "S.M")]),
        animation("A", "S", 2, vec![raw(1, w3d::names::ChannelType::X, 0, 1, &[0.0, 1.0])]),
    ]);
    let (scene, report) = to_scene(&Library::new(&file), None, &Options::default());
    assert!(report.notes.is_empty(), "{:?}", report.notes);
    assert_eq!((scene.nodes[1].name.as_str(), scene.meshes[0].name.as_str()), ("HAND ", "M \t"));
    assert_eq!(scene.clips[0].channels.len(), 1);
}

#[test]
fn a_root_can_be_chosen() {
    let file = document([
        simple_mesh("A", "M"),
        model("A", "", &[(0, "A.M")]),
        model("B", "", &[(0, "A.M"), (0, "A.M")]),
    ]);
    let library = Library::new(&file);
    let (all, _) = to_scene(&library, None, &Options::default());
    assert_eq!(all.meshes.len(), 2, "both models");
    let (one, report) = to_scene(&library, Some("b"), &Options::default());
    assert_eq!((one.name.as_str(), one.meshes.len(), report.notes.len()), ("B", 1, 0));
    let (none, report) = to_scene(&library, Some("C"), &Options::default());
    assert_eq!((none.meshes.len(), report.of(NoteKind::Missing).count()), (2, 1));
}

#[test]
fn only_a_skeleton_or_only_an_animation_is_a_scene_too() {
    let scene = clean([hierarchy("S", &[pivot("HEAD", 0, [0.0, 1.0, 0.0], NO_TURN)])]);
    assert_eq!(
        scene.nodes.iter().map(|node| node.name.as_str()).collect::<Vec<_>>(),
        ["ROOTTRANSFORM", "HEAD"]
    );
    near(scene.nodes[1].rest.translation, [0.0, 0.0, -1.0]);

    let (scene, report) =
        convert([animation("RUN", "GONE", 2, vec![raw(2, w3d::names::ChannelType::Z, 0, 1, &[1.0, 2.0])])]);
    assert_eq!((scene.nodes.len(), scene.clips[0].channels.len()), (3, 1));
    assert_eq!(report.of(NoteKind::Missing).count(), 1);
}

#[test]
fn aggregates_and_proxies_are_attached_and_filled() {
    let model = hlod(
        "A",
        "A",
        vec![
            sub_objects(&HLOD_LOD_ARRAY, f32::MAX, &[(1, "A.M")]),
            sub_objects(&HLOD_AGGREGATE_ARRAY, 0.0, &[(1, "GUN")]),
            sub_objects(&HLOD_PROXY_ARRAY, 0.0, &[(0, "SPAWNER")]),
        ],
    );
    let main = document([
        simple_mesh("A", "M"),
        hierarchy("A", &[pivot("HAND", 0, [0.0, 0.0, 2.0], NO_TURN)]),
        model,
    ]);
    let gun = document([
        simple_mesh("GUN", "BARREL"),
        hierarchy("GUN", &[pivot("TIP", 0, [1.0, 0.0, 0.0], NO_TURN)]),
        super::fixtures::model("GUN", "GUN", &[(1, "GUN.BARREL")]),
    ]);
    let (scene, report) = to_scene(&Library::new(&main).with(&gun), None, &Options::default());
    assert!(report.notes.is_empty(), "{report:?}");
    let kinds: Vec<(&str, AttachmentKind)> =
        scene.attachments.iter().map(|attachment| (attachment.path.as_str(), attachment.kind)).collect();
    assert_eq!(kinds, [("GUN", AttachmentKind::Aggregate), ("SPAWNER", AttachmentKind::Proxy)]);
    // The barrel: up by 2 to the hand, forward by 1 to the tip.
    let barrel = scene.meshes[1].node.unwrap();
    near(scene.rest_worlds()[barrel.index()].translation.into(), [1.0, 2.0, 0.0]);
    let (empty, report) =
        to_scene(&Library::new(&main), None, &Options { aggregates: false, ..Options::default() });
    assert_eq!((empty.meshes.len(), empty.attachments.len(), report.notes.len()), (1, 2, 0));
}

#[test]
fn an_aggregate_extends_a_model_by_bone_names() {
    let mut info =
        AggregateInfo { base_model_name: name("BASE"), subobject_count: U32::new(1) }.as_bytes().to_vec();
    info.extend(AggregateSubobject { subobject_name: name("BASE.M"), bone_name: name("hand") }.as_bytes());
    let header = AggregateHeader { version: Version::new(1, 3), name: name("ARMED") };
    let scene = clean([
        simple_mesh("BASE", "M"),
        hierarchy("BASE", &[pivot("HAND", 0, [0.0, 0.0, 2.0], NO_TURN)]),
        model("BASE", "BASE", &[(0, "BASE.M")]),
        branch(&AGGREGATE, [record(&AGGREGATE_HEADER, &header), w3d::build::bytes(&AGGREGATE_INFO, info)]),
    ]);
    assert_eq!((scene.name.as_str(), scene.meshes.len()), ("ARMED", 2));
    let attached = scene.meshes[1].node.unwrap();
    assert_eq!(scene.nodes[attached.index()].name, "BASE.M");
    near(scene.rest_worlds()[attached.index()].translation.into(), [0.0, 2.0, 0.0]);
}

#[test]
fn a_model_in_itself_ends() {
    let loops = hlod("A", "", vec![sub_objects(&HLOD_AGGREGATE_ARRAY, 0.0, &[(0, "B")])]);
    let back = hlod("B", "", vec![sub_objects(&HLOD_AGGREGATE_ARRAY, 0.0, &[(0, "A")])]);
    let (_, report) = convert([loops, back]);
    assert_eq!(report.of(NoteKind::Damaged).count(), 1);
}

#[test]
fn a_hierarchy_model_before_version_3_counts_bones_from_the_root() {
    let header = HModelHeader {
        version: Version::new(2, 0),
        name: name("H"),
        hierarchy_name: name("H"),
        num_connections: U16::new(3),
        ..HModelHeader::default()
    };
    let node = |chunk, label: &str, pivot: u16| {
        record(chunk, &HModelNode { render_obj_name: name(label), pivot_idx: U16::new(pivot) })
    };
    let scene = clean([
        simple_mesh("H", "ROOT"),
        simple_mesh("H", "HAND"),
        simple_mesh("H", "BODY"),
        hierarchy("H", &[pivot("HAND", 0, [0.0; 3], NO_TURN)]),
        branch(
            &HMODEL,
            [
                record(&HMODEL_HEADER, &header),
                node(&NODE, "ROOT", u16::MAX),
                node(&NODE, "HAND", 0),
                node(&COLLISION_NODE, "BODY", 0),
            ],
        ),
    ]);
    let bones: Vec<u32> = scene.meshes.iter().filter_map(|mesh| mesh.node).map(|node| node.0).collect();
    assert_eq!(bones, [0, 1, 1]);
    assert!(scene.meshes[2].hidden && scene.meshes[2].collision == scene::CollisionMask::PHYSICAL);
}

#[test]
fn a_level_of_detail_model_switches_by_distance() {
    let header = LodModelHeader { name: name("L"), num_lods: U16::new(2), ..LodModelHeader::default() };
    let lod = |label: &str, min: f32, max: f32| {
        record(&LOD, &Lod { render_obj_name: name(label), lod_min: F32::new(min), lod_max: F32::new(max) })
    };
    let scene = clean([
        simple_mesh("L", "FAR"),
        simple_mesh("L", "NEAR"),
        branch(
            &LODMODEL,
            [record(&LODMODEL_HEADER, &header), lod("L.FAR", 50.0, 100.0), lod("L.NEAR", 0.0, 50.0)],
        ),
    ]);
    assert_eq!(scene.levels[0].range, LevelRange::Distance { min: 0.0, max: 50.0 });
    assert_eq!(scene.meshes[scene.levels[0].meshes[0].index()].name, "NEAR");
}

#[test]
fn a_collection_has_objects_places_and_points() {
    let header =
        CollectionHeader { name: name("C"), render_object_count: U32::new(1), ..CollectionHeader::default() };
    // Rows as 3ds Max has them: a quarter turn about Z takes X to Y and Y to -X; then the position.
    let rows = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [10.0, 20.0, 30.0]];
    let place = Placeholder {
        version: Version::new(1, 0),
        transform: rows.map(|row| row.map(F32::new)),
        name_len: U32::new(4),
    };
    let scene = clean([
        simple_mesh("C", "M"),
        branch(
            &COLLECTION,
            [
                record(&COLLECTION_HEADER, &header),
                text(&COLLECTION_OBJ_NAME, "C.M"),
                w3d::build::bytes(&PLACEHOLDER, [place.as_bytes(), b"LAMP"].concat()),
                array(&POINTS, &vectors(&[[1.0, 2.0, 3.0]])),
            ],
        ),
    ]);
    assert_eq!(scene.meshes.len(), 1);
    let lamp = scene.attachments[0].node.index();
    assert_eq!(
        (scene.attachments[0].path.as_str(), scene.attachments[0].kind),
        ("LAMP", AttachmentKind::Proxy)
    );
    let worlds = scene.rest_worlds();
    near(worlds[lamp].translation.into(), [10.0, 30.0, -20.0]);
    // W3D's forward, X, becomes W3D's Y, which is the scene's -Z.
    near(worlds[lamp].transform_vector3(glam::Vec3::X), [0.0, 0.0, -1.0]);
    near(worlds[scene.attachments[1].node.index()].translation.into(), [1.0, 3.0, -2.0]);
}

#[test]
fn a_model_may_have_an_object_of_its_own_name() {
    let scene = clean([simple_mesh("", "A"), model("A", "", &[(0, "A")])]);
    assert_eq!((scene.nodes.len(), scene.meshes.len()), (1, 1));
}
