//! What other programs do to a model without an edit, and parts that they add.

use glam::{Quat, Vec3};
use meshwright_convert::author::{mdx, w3d};
use meshwright_convert::{mdx as from_mdx, w3d as from_w3d};
use scene::{
    Channel, Clip, ClipId, Curve, Interpolation, Layer, Material, MaterialId, Mesh, MeshId, MeshProperty,
    Moment, NodeId, NodeProperty, Part, Sampler, Scene, Target, Track, Transform,
};

use super::arm::{self, node};

fn faithful() -> w3d::Options {
    w3d::Options { faithful: true, ..w3d::Options::default() }
}

fn pivots(scene: &Scene, options: &w3d::Options) -> Vec<String> {
    let (files, _) = w3d::to_w3d(scene, options).unwrap();
    let hierarchy = files[0].document.hierarchies().next().unwrap();
    hierarchy.pivots().iter().map(|pivot| pivot.name.to_string()).collect()
}

#[test]
fn a_root_that_was_rounded_stays_the_only_root() {
    let mut scene = arm::scene();
    scene
        .nodes
        .iter_mut()
        .for_each(|node| node.parent = Some(NodeId(node.parent.map_or(2, |parent| parent.0))));
    // What Blender makes of an identity, within 2e-6 of the size, 0.002 degrees and 1e-5 of the scale.
    let rounded = Transform {
        translation: Vec3::new(1e-7, -2e-6, 0.0),
        rotation: Quat::from_rotation_x(0.001_f32.to_radians()),
        scale: Vec3::new(1.000_001, 0.999_999, 1.0),
    };
    scene.nodes.push(node("ROOTTRANSFORM", None, rounded));
    let keys = [(0.0, rounded.translation), (1.0, rounded.translation * 2.0)];
    scene.clips[0].channels.push(Channel {
        target: Target::Node(NodeId(2), NodeProperty::Translation),
        curve: Curve::Vector(Track::new(Interpolation::Linear, keys)),
    });
    assert_eq!(pivots(&scene, &faithful()), ["ROOTTRANSFORM", "Base", "Arm"]);
    // An edit is none of that.
    scene.nodes[2].rest.translation = Vec3::new(0.0, 0.001, 0.0);
    assert_eq!(pivots(&scene, &faithful()), ["ROOTTRANSFORM", "ROOTTRANSFORM", "Base", "Arm"]);
}

/// A file of one mesh, as Generals has them for props, and a cube that somebody added.
fn barrel() -> Scene {
    let mesh = |name: &str, node: u32, material: u32| Mesh {
        name: name.into(),
        node: Some(NodeId(node)),
        parts: vec![Part { material: Some(MaterialId(material)), start: 0, count: 3 }],
        ..arm::scene().meshes.remove(0)
    };
    let red = Layer { color: Vec3::new(0.8, 0.2, 0.0), ..Layer::default() };
    Scene {
        name: "PMBARREL".into(),
        nodes: vec![
            node("PMBARREL", None, Transform::IDENTITY),
            node("Cube", None, Transform::from_translation(Vec3::X)),
        ],
        meshes: vec![mesh("PMBARREL", 0, 0), mesh("Cube", 1, 1)],
        materials: vec![
            Material { layers: vec![Layer::default()], ..Material::default() },
            Material { name: "Red".into(), layers: vec![red], ..Material::default() },
        ],
        ..Scene::default()
    }
}

#[test]
fn a_part_that_was_added_to_a_single_mesh_is_one_model_with_it() {
    let (files, _) = w3d::to_w3d(&barrel(), &faithful()).unwrap();
    let hlod = files[0].document.hlods().next().unwrap();
    let level = hlod.levels().next().unwrap();
    let names: Vec<String> = level.sub_objects().map(|object| object.name.to_string()).collect();
    assert_eq!(names, ["PMBARREL.PMBARREL", "PMBARREL.Cube"]);
    assert_eq!(
        hlod.header().unwrap().name.to_string(),
        "PMBARREL",
        "the game looks for the name of the file"
    );
    // Without the cube the file is the mesh alone.
    let mut alone = barrel();
    alone.nodes.truncate(1);
    alone.meshes.truncate(1);
    let (files, _) = w3d::to_w3d(&alone, &faithful()).unwrap();
    assert_eq!(files[0].document.hlods().count(), 0);
    assert_eq!(files[0].document.meshes().next().unwrap().full_name(), "PMBARREL");
}

#[test]
fn the_colour_of_an_added_part_is_written() {
    let (files, _) = w3d::to_w3d(&barrel(), &faithful()).unwrap();
    let cube = files[0].document.meshes().find(|mesh| mesh.name() == "Cube").unwrap();
    let diffuse: Vec<_> = cube.vertex_materials().map(|material| material.info().unwrap().diffuse).collect();
    // 0.8 and 0.2 of 255.
    assert_eq!(diffuse.iter().map(|color| [color.r, color.g, color.b]).collect::<Vec<_>>(), [[204, 51, 0]]);
}

#[test]
fn a_new_name_of_a_material_arrives() {
    let name = |given: &str| {
        let mut scene = barrel();
        let lighting = scene::Lighting { name: "Old".into(), ..scene::Lighting::default() };
        scene.materials[1].layers[0].lighting = Some(lighting);
        scene.materials[1].name = given.into();
        let (files, _) = w3d::to_w3d(&scene, &faithful()).unwrap();
        let cube = files[0].document.meshes().find(|mesh| mesh.name() == "Cube").unwrap();
        cube.vertex_materials().next().unwrap().name()
    };
    assert_eq!(name("Rusty"), "Rusty");
    assert_eq!(name("Old.001"), "Old", "Blender's numbers are no names");
    assert_eq!(name(""), "Old");
}

#[test]
fn a_model_whose_clip_is_called_otherwise_stands_as_in_that_clip() {
    let mut scene = arm::scene();
    scene.clips[0].name = "NIOFCR_S.NIOFCR_STN".into();
    let (document, report) = mdx::to_mdx(&scene, &mdx::Options::default()).unwrap();
    assert!(report.notes.iter().any(|note| note.message.contains("Stand as a copy of NIOFCR_S.NIOFCR_STN")));
    let again = from_mdx::to_scene(&document, &Default::default()).0;
    let stand = again.clips.iter().position(|clip| clip.name == "Stand").unwrap();
    assert!(again.clips[stand].looping);
    let pose = |clip: usize| {
        let moment = Moment { clip: Some(ClipId::from(clip)), time: 0.5, ..Moment::default() };
        Sampler::new(&again).pose(&moment).worlds
    };
    assert_ne!(pose(stand), again.rest_worlds());
    let pairs = pose(stand).into_iter().zip(pose(0));
    assert!(pairs.into_iter().all(|(a, b)| a.abs_diff_eq(b, 1e-5)));
}

#[test]
fn bind_poses_are_one_more_than_nodes() {
    let mut scene = arm::scene();
    scene.meshes[0].tangents = vec![glam::Vec4::new(1.0, 0.0, 0.0, 1.0); 3];
    let options = mdx::Options { version: 1000, ..mdx::Options::default() };
    for cameras in [0, 1, 2] {
        scene.cameras = vec![scene::Camera::default(); cameras];
        let (document, _) = mdx::to_mdx(&scene, &options).unwrap();
        assert_eq!(document.view().bind_poses().len(), document.nodes().count() + cameras.max(1));
    }
}

#[test]
fn meshes_of_one_name_that_are_switched_have_pivots_of_different_names() {
    let mut scene = arm::scene();
    scene.meshes.push(scene.meshes[0].clone());
    let shown = |mesh: u32| Channel {
        target: Target::Mesh(MeshId(mesh), MeshProperty::Visibility),
        curve: Curve::Flag(Track::new(Interpolation::Step, [(0.0, true), (0.5, false)])),
    };
    scene.clips.push(Clip {
        name: "Death".into(),
        duration: 1.0,
        channels: vec![shown(0), shown(1)],
        ..Clip::default()
    });
    let mut names = pivots(&scene, &w3d::Options::default());
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "{names:?}");
    let again = {
        let (files, _) = w3d::to_w3d(&scene, &w3d::Options::default()).unwrap();
        from_w3d::to_scene(&from_w3d::Library::new(&files[0].document), None, &Default::default()).0
    };
    assert_eq!(again.meshes.len(), 2);
}
