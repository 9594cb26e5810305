//! W3X to scenes. Expected positions are computed by hand: the turret is at (0, 0, 2), the barrel at (3, 0, 0.5) of it, turned by 90 degrees
//! around Z. The scene has (x, z, -y).

use convert::w3x::{Library, Options, to_scene};
use glam::Vec3;
use meshwright_convert as convert;
use scene::{ClipId, Curve, Deformed, Moment, NodeProperty, Report, Sampler, Scene, Target, skin};
use w3x::W3x;

fn scene_of(text: &str) -> (Scene, Report) {
    let file = W3x::parse(text.as_bytes()).expect("it is read");
    to_scene(&Library::new(&file), &Options::default())
}

fn tank() -> (Scene, Report) {
    scene_of(std::str::from_utf8(&w3x::sample::tank()).expect("UTF-8"))
}

/// The vertices of a mesh at a time of the first clip, or at rest.
fn positions(scene: &Scene, mesh: usize, time: Option<f32>) -> Vec<Vec3> {
    let clip = time.map(|_| ClipId::from(0));
    let pose =
        Sampler::new(scene).pose(&Moment { clip, time: time.unwrap_or_default(), ..Moment::default() });
    let mut deformed = Deformed::default();
    skin(&scene.meshes[mesh], &pose, &mut deformed);
    deformed.positions
}

fn assert_near(found: Vec3, expected: [f32; 3]) {
    assert!(found.distance(Vec3::from(expected)) < 1e-5, "{found} is not {expected:?}");
}

#[test]
fn each_list_of_a_skin_is_moved_by_its_own_bone() {
    let (scene, report) = tank();
    assert!(report.notes.is_empty(), "{:?}", report.notes);
    let gun = positions(&scene, 1, None);
    // (0, -0.2, 0.5) of the turret is (0, -0.2, 2.5).
    assert_near(gun[0], [0.0, 2.5, 0.2]);
    // (3, -0.2, 0.5) of the turret, and (-0.2, 0, 0) of the barrel.
    assert_near(gun[2], [3.0, 2.5, 0.2]);
    let skin = scene.meshes[1].skin.as_ref().expect("a skin");
    assert_eq!(skin.of(0).len(), 1, "a weight of 0 is no influence");
    assert_eq!(skin.of(2).iter().map(|influence| influence.weight).collect::<Vec<_>>(), [0.25, 0.75]);
}

#[test]
fn clips_turn_jump_and_hide() {
    let (scene, _) = tank();
    let frame = 1.0 / 30.0;
    // At frame 1 the turret is turned by 90 degrees: (0, -0.2, 0.5) becomes (0.2, 0, 0.5).
    assert_near(positions(&scene, 1, Some(frame))[0], [0.2, 2.5, 0.0]);
    let barrel = |time: f32| {
        let moment = Moment { clip: Some(ClipId::from(0)), time, ..Moment::default() };
        Sampler::new(&scene).pose(&moment).locals[2].translation
    };
    // The channel starts at frame 1 with a jump: nothing moves before. Y of the barrel is against X of the turret, so -0.5 goes to +0.5.
    assert_near(barrel(0.5 * frame), [3.0, 0.5, 0.0]);
    assert_near(barrel(frame), [3.5, 0.5, 0.0]);
    assert_near(barrel(1.5 * frame), [3.25, 0.5, 0.0]);
    let is_visibility = |channel: &&scene::Channel| matches!(channel.target, Target::Node(node, NodeProperty::Visibility) if node.index() == 1);
    let channel = scene.clips[0].channels.iter().find(is_visibility).expect("a channel of visibility");
    let Curve::Scalar(track) = &channel.curve else { panic!("a degree, not {:?}", channel.curve) };
    assert_eq!(track.sample(frame), Some(0.5));
}

#[test]
fn shaders_become_materials() {
    let (scene, _) = tank();
    assert_eq!(scene.materials.len(), 1, "equal shaders are one material");
    let layer = &scene.materials[0].layers[0];
    assert!(layer.alpha_test.is_some());
    assert_eq!(scene.textures[0].name, "MWTank.dds", "the declaration names the file");
    // V goes upwards in the file, and downwards in the scene: the first corner has (0, 0).
    assert_eq!(scene.meshes[0].uv_sets[0][0].to_array(), [0.0, 1.0]);
}

#[test]
fn parents_may_come_later_and_cycles_are_broken() {
    let pivot = |name: &str, parent: i32| {
        format!(
            "<Pivot Name='{name}' Parent='{parent}'><Translation X='1' Y='0' Z='0'/><Rotation X='0' Y='0' Z='0' W='1'/></Pivot>"
        )
    };
    let hierarchy = |pivots: [String; 4]| {
        format!(
            "<AssetDeclaration><W3DHierarchy id='H'>{}</W3DHierarchy></AssetDeclaration>",
            pivots.concat()
        )
    };
    let (scene, report) =
        scene_of(&hierarchy([pivot("ROOT", -1), pivot("A", 3), pivot("B", 1), pivot("C", 0)]));
    assert!(report.notes.is_empty(), "{:?}", report.notes);
    let worlds = Sampler::new(&scene).pose(&Moment::default()).worlds;
    // ROOT is the identity; C is 1 along X, A 2, B 3.
    assert_eq!(worlds.iter().map(|world| world.translation.x).collect::<Vec<_>>(), [0.0, 2.0, 3.0, 1.0]);
    let (scene, report) =
        scene_of(&hierarchy([pivot("ROOT", -1), pivot("A", 2), pivot("B", 1), pivot("C", 9)]));
    assert_eq!(report.notes.len(), 2, "{:?}", report.notes);
    assert_eq!(scene.nodes.len(), 4);
}

#[test]
fn missing_parts_are_reported() {
    let text = "<AssetDeclaration><W3DContainer id='C' Hierarchy='GONE'><SubObject SubObjectID='M' BoneIndex='3'><RenderObject><Mesh>C.M</Mesh></RenderObject></SubObject></W3DContainer></AssetDeclaration>";
    let (scene, report) = scene_of(text);
    let messages: Vec<&str> = report.notes.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(messages, ["skeleton not found", "mesh \"C.M\" not found"]);
    assert_eq!(scene.name, "C");
}
