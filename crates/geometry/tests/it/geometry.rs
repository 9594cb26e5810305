//! The written files, read by the rules of the formats.

use glam::{Vec2, Vec3};
use meshwright_geometry::{Options, Snapshot, obj, ply, stl};
use scene::*;

/// A triangle on a node that a clip moves up by two within a second, and one that is never shown.
fn scene() -> Scene {
    let mesh = |name: &str, hidden| Mesh {
        name: name.into(),
        node: Some(NodeId(0)),
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z; 3],
        uv_sets: vec![vec![Vec2::ZERO, Vec2::X, Vec2::Y]],
        color_sets: vec![vec![[1, 2, 3, 4]; 3]],
        indices: vec![0, 1, 2].into(),
        parts: vec![Part { material: Some(MaterialId(0)), start: 0, count: 3 }],
        hidden,
        ..Mesh::default()
    };
    let slot = TextureSlot { texture: Some(TextureId(0)), ..TextureSlot::default() };
    let track = Track::new(Interpolation::Linear, [(0.0, Vec3::ZERO), (1.0, Vec3::new(0.0, 2.0, 0.0))]);
    let target = Target::Node(NodeId(0), NodeProperty::Translation);
    Scene {
        nodes: vec![Node::default()],
        meshes: vec![mesh("Red flag", false), mesh("Red flag", false), mesh("Body", true)],
        materials: vec![Material {
            name: "Cloth 1".into(),
            layers: vec![Layer { slots: vec![slot], ..Layer::default() }],
            ..Material::default()
        }],
        textures: vec![Texture { name: "cloth.tga".into(), ..Texture::default() }],
        clips: vec![Clip {
            name: "Rise".into(),
            duration: 1.0,
            channels: vec![Channel { target, curve: Curve::Vector(track) }],
            ..Clip::default()
        }],
        ..Scene::default()
    }
}

fn halfway() -> Options {
    Options {
        moment: Moment { clip: Some(ClipId(0)), time: 0.5, ..Moment::default() },
        scale: 2.0,
        ..Options::default()
    }
}

#[test]
fn obj_has_posed_meshes_with_names_and_materials() {
    let scene = scene();
    let snapshot = Snapshot::new(&scene, &halfway());
    assert_eq!(snapshot.omitted, 1);
    let mut asked = Vec::new();
    let made = obj(&snapshot, "flag", &mut |texture| {
        asked.push(texture.name.clone());
        Some("flag.cloth.png".to_owned())
    });
    let text = String::from_utf8(made.obj).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["mtllib flag.mtl", "o Red flag"]);
    // One up, then twice as large; X is forward, which is Z.
    assert_eq!(lines[2..5], ["v 0 2 0", "v 0 2 2", "v 0 4 0"]);
    assert_eq!(lines[5..8], ["vt 0 1", "vt 1 1", "vt 0 0"]);
    assert!(lines.contains(&"usemtl Cloth_1_0") && lines.contains(&"f 1/1/1 2/2/2 3/3/3"));
    assert!(lines.contains(&"o Red flag.001") && lines.contains(&"f 4/4/4 5/5/5 6/6/6"));
    let mtl = String::from_utf8(made.mtl).unwrap();
    assert!(
        mtl.starts_with("newmtl Cloth_1_0\nKd 1 1 1\n") && mtl.contains("map_Kd flag.cloth.png\n"),
        "{mtl}"
    );
    assert_eq!(asked, ["cloth.tga"]);
}

#[test]
fn ply_has_all_that_its_vertices_have() {
    let scene = scene();
    let snapshot = Snapshot::new(&scene, &Options { hidden: true, ..Options::default() });
    let text = String::from_utf8(ply(&snapshot, true)).unwrap();
    let (header, body) = text.split_once("end_header\n").unwrap();
    assert!(header.starts_with("ply\nformat ascii 1.0\n") && header.contains("element vertex 9\n"));
    assert!(header.contains("property uchar alpha\n") && header.contains("element face 3\n"));
    let lines: Vec<&str> = body.lines().collect();
    // X is forward, which is -Y; Z of the scene is its right, which is -X.
    assert_eq!(lines[1], "0 -1 0 -1 0 0 1 1 1 2 3 4");
    assert_eq!(lines[2].split(' ').take(3).collect::<Vec<_>>(), ["0", "0", "1"]);
    assert_eq!(lines[9..], ["3 0 1 2", "3 3 4 5", "3 6 7 8"]);
    let binary = ply(&snapshot, false);
    let end = binary.windows(11).position(|window| window == b"end_header\n").unwrap() + 11;
    assert_eq!(binary.len() - end, 9 * (8 * 4 + 4) + 3 * 13);
}

#[test]
fn stl_has_a_normal_for_each_triangle() {
    let scene = scene();
    let snapshot = Snapshot::new(&scene, &Options::default());
    let text = String::from_utf8(stl(&snapshot, true)).unwrap();
    assert!(
        text.starts_with("solid Red flag\nfacet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 -1 0\n"),
        "{text}"
    );
    let binary = stl(&snapshot, false);
    assert_eq!(binary.len(), 84 + 2 * 50);
    assert_eq!(u32::from_le_bytes(binary[80..84].try_into().unwrap()), 2);
}

/// A slope on a node that squeezes and mirrors it: its normal stays perpendicular, and its front in front.
#[test]
fn normals_and_winding_follow_any_matrix() {
    let mut scene = scene();
    scene.meshes.truncate(1);
    let corners = [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0), Vec3::Z];
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
    scene.meshes[0].positions = corners.to_vec();
    scene.meshes[0].normals = vec![normal; 3];
    for scale in [Vec3::new(1.0, 0.2, 1.0), Vec3::new(-1.0, 0.2, 1.0), Vec3::NEG_ONE] {
        scene.nodes[0].rest.scale = scale;
        let snapshot = Snapshot::new(&scene, &Options::default());
        let posed = &snapshot.meshes[0];
        let [a, b, c] = posed.parts[0].1[0].map(|index| posed.positions[index as usize]);
        let plane = (b - a).cross(c - a).normalize();
        assert!(posed.normals[0].dot(plane) > 0.9999, "{scale}: {} is not {plane}", posed.normals[0]);
        // The inverse transpose of a scale divides.
        let expected = (normal / scale).normalize();
        let turned = Vec3::new(-expected.z, expected.y, expected.x);
        assert!(posed.normals[0].abs_diff_eq(turned, 1e-5), "{scale}");
    }
}

/// A skin at rest is exactly where its file has it, although the matrices of its joints are rounded.
#[test]
fn numbers_of_the_file_stay_short() {
    let mut scene = scene();
    let pivot = Vec3::new(0.1, 77.7, -3.3);
    scene.nodes = vec![
        Node { rest: Transform::from_translation(pivot * 0.3), ..Node::default() },
        Node {
            parent: Some(NodeId(0)),
            rest: Transform::from_translation(pivot - pivot * 0.3),
            ..Node::default()
        },
    ];
    scene.meshes.truncate(1);
    let mesh = &mut scene.meshes[0];
    mesh.positions =
        vec![Vec3::new(1234.5, 0.7, 0.1), Vec3::new(1234.6, 1000.1, 3.3), Vec3::new(0.3, 0.0, 99.9)];
    // V of these files points up, so it was turned over when it was read.
    mesh.uv_sets = vec![[0.1_f32, 0.3, 0.123_456].map(|v| Vec2::new(v, 1.0 - v)).to_vec()];
    let joint = Joint { node: NodeId(1), inverse_bind: glam::Affine3A::from_translation(-pivot) };
    let mut skin = Skin { joints: vec![joint], ..Skin::default() };
    (0..3).for_each(|_| skin.push_vertex([Influence { joint: 0, weight: 1.0 }]));
    mesh.skin = Some(skin);
    let text =
        String::from_utf8(obj(&Snapshot::new(&scene, &Options::default()), "a", &mut |_| None).obj).unwrap();
    let lines: Vec<&str> =
        text.lines().filter(|line| line.starts_with('v') && !line.starts_with("vn")).collect();
    let expected = [
        "v -0.1 0.7 1234.5",
        "v -3.3 1000.1 1234.6",
        "v -99.9 0 0.3",
        "vt 0.1 0.1",
        "vt 0.3 0.3",
        "vt 0.123456 0.123456",
    ];
    assert_eq!(lines, expected);
}
