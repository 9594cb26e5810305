//! Framing, billboards, visibility, levels and overlays.

use super::*;
use scene::{
    Billboard, Bounds, Channel, Clip, ClipId, CollisionMask, CollisionShape, Curve, Interpolation, Level,
    LevelRange, MeshProperty, Node, NodeId, NodeProperty, Shape, Target, Track, Transform,
};

fn on_screen(camera: &Camera, point: Vec3) -> Vec2 {
    (camera.projection * camera.view).project_point3(point).truncate()
}

/// A triangle on a node that moves 10 units up within a second.
fn rising() -> Scene {
    let mut scene = scene(vec![vec![layer(BlendMode::Opaque, 0)]]);
    scene.nodes.push(Node::default());
    scene.meshes[0].node = Some(NodeId(0));
    let track = Track::new(Interpolation::Linear, [(0.0, Vec3::ZERO), (1.0, Vec3::Y * 10.0)]);
    let target = Target::Node(NodeId(0), NodeProperty::Translation);
    let channels = vec![Channel { target, curve: Curve::Vector(track) }];
    scene.clips.push(Clip { name: "Rise".into(), duration: 1.0, channels, ..Clip::default() });
    scene
}

#[test]
fn the_camera_frames_the_whole_clip() {
    let scene = rising();
    let at = |time| Options { clip: Some(ClipId(0)), time, ..options(Family::Mdx) };
    let camera = Framer::new(&scene).camera(&at(0.0));
    for height in [0.0, 5.0, 9.5] {
        let place = on_screen(&camera, Vec3::new(0.0, height, -0.5));
        assert!(place.abs().max_element() < 1.0, "{height}: {place}");
    }
    // Without the clip the triangle is large in the picture.
    let still = Framer::new(&scene).camera(&options(Family::Mdx));
    assert!(on_screen(&still, Vec3::new(0.0, 5.0, 0.0)).y > 1.0);
    let bounds = Framer::new(&scene).bounds(&at(0.0)).unwrap();
    assert!(bounds.min == Vec3::new(0.0, 0.0, -1.0) && bounds.max.y > 9.0, "{bounds:?}");
}

#[test]
fn given_bounds_keep_the_camera_at_one_distance() {
    let scene = rising();
    let framed = Some(Bounds { min: Vec3::NEG_ONE, max: Vec3::ONE, center: Vec3::ZERO, radius: 2.0 });
    let distance = |yaw| {
        let viewpoint = Viewpoint::Orbit { yaw, pitch: 10.0 };
        Framer::new(&scene).camera(&Options { viewpoint, framed, ..options(Family::Mdx) }).position.length()
    };
    assert!((distance(0.0) - distance(123.0)).abs() < 1e-3);
}

#[test]
fn a_clip_moves_what_is_drawn_and_particles_need_no_restart() {
    let scene = rising();
    let height = |time| {
        let frame = frame(&scene, &Options { clip: Some(ClipId(0)), time, ..options(Family::Mdx) });
        corner(&frame, draw_of(&frame, 0, 0)).position.y
    };
    assert_eq!((height(0.0), height(0.5), height(9.0)), (0.0, 5.0, 10.0));
}

#[test]
fn hidden_meshes_are_not_drawn() {
    let mut scene = scene(vec![vec![layer(BlendMode::Opaque, 0)]; 3]);
    scene.nodes.push(Node { visible: false, ..Node::default() });
    scene.meshes[0].hidden = true;
    scene.meshes[1].node = Some(NodeId(0));
    let track = Track::new(Interpolation::Step, [(0.0, 1.0), (0.5, 0.0)]);
    let target = Target::Mesh(MeshId(2), MeshProperty::Alpha);
    let channels = vec![Channel { target, curve: Curve::Scalar(track) }];
    scene.clips.push(Clip { duration: 1.0, channels, ..Clip::default() });
    let at = |time| sources(&frame(&scene, &Options { clip: Some(ClipId(0)), time, ..options(Family::Mdx) }));
    assert_eq!(at(0.0), [(2, 0)]);
    assert_eq!(at(0.75), []);
}

#[test]
fn only_one_level_of_detail_is_drawn() {
    let mut scene = scene(vec![vec![layer(BlendMode::Opaque, 0)]; 3]);
    let level = |number, mesh| Level { range: LevelRange::Number(number), meshes: vec![MeshId(mesh)] };
    scene.levels = vec![level(0, 0), level(1, 1)];
    assert_eq!(sources(&frame(&scene, &options(Family::Mdx))), [(0, 0), (2, 0)]);
    let coarse = Options { level: LevelChoice::Number(1), ..options(Family::Mdx) };
    assert_eq!(sources(&frame(&scene, &coarse)), [(1, 0), (2, 0)]);
}

#[test]
fn billboards_turn_to_the_camera() {
    let mut scene = scene(vec![vec![layer(BlendMode::Opaque, 0)]]);
    let rest = Transform::from_translation(Vec3::new(0.0, 0.0, 5.0));
    scene.nodes.push(Node { billboard: Billboard::Facing, rest, ..Node::default() });
    scene.meshes[0].node = Some(NodeId(0));
    let eye = Vec3::new(3.0, 2.0, -4.0);
    let camera = Camera::look_at(eye, Vec3::ZERO, 1.0, 1.0, 0.1, 100.0);
    let normal = |rules| {
        let options = Options { viewpoint: Viewpoint::Camera(camera), rules, ..options(Family::Mdx) };
        let frame = frame(&scene, &options);
        corner(&frame, draw_of(&frame, 0, 0)).normal
    };
    let to_eye = (eye - rest.translation).normalize();
    assert!(normal(Rules::default()).abs_diff_eq(to_eye, 1e-5));
    let screen = Rules { billboards_face_position: false, ..Rules::default() };
    assert!(normal(screen).abs_diff_eq(-camera.forward(), 1e-3));
}

#[test]
fn a_scene_without_meshes_shows_its_skeleton() {
    let child = Node {
        parent: Some(NodeId(0)),
        rest: Transform::from_translation(Vec3::Y * 10.0),
        ..Node::default()
    };
    let scene = Scene { nodes: vec![Node::default(), child], ..Scene::default() };
    let frame = frame(&scene, &options(Family::W3d));
    assert_eq!(frame.draws.len(), 1);
    assert_eq!((frame.draws[0].source, frame.draws[0].topology), (Source::Overlay, Topology::Lines));
    let top = on_screen(&frame.camera, Vec3::Y * 10.0);
    assert!(top.abs().max_element() < 1.0 && top.y > 0.8, "{top}");
}

#[test]
fn overlays_are_lines_after_everything_else() {
    let mut scene = rising();
    scene.collision_shapes.push(CollisionShape {
        name: String::new(),
        node: NodeId(0),
        shape: Shape::Box { min: Vec3::ZERO, max: Vec3::ONE, axis_aligned: false },
        mask: CollisionMask::NONE,
    });
    let lines = |overlays| {
        let frame = frame(&scene, &Options { overlays, ..options(Family::Mdx) });
        let lines = frame.draws.iter().filter(|draw| draw.source == Source::Overlay);
        let count = lines.clone().map(|draw| draw.indices.len() / 2).sum::<usize>();
        assert!(frame.draws.iter().rev().take(lines.count()).all(|draw| draw.topology == Topology::Lines));
        count
    };
    assert_eq!(lines(Overlays::default()), 0);
    assert_eq!(lines(Overlays { collision: true, ..Overlays::default() }), 12);
    assert_eq!(lines(Overlays { wireframe: Wireframe::Over, ..Overlays::default() }), 3);
    // 12 edges and three circles of 48.
    assert_eq!(lines(Overlays { extents: true, ..Overlays::default() }), 12 + 3 * 48);
    assert!(lines(Overlays { grid: true, ..Overlays::default() }) > 10);
    let only = Options {
        overlays: Overlays { wireframe: Wireframe::Only, ..Overlays::default() },
        ..options(Family::Mdx)
    };
    assert!(sources(&frame(&scene, &only)).is_empty());
}

#[test]
fn extents_are_framed_if_they_are_drawn() {
    let mut scene = rising();
    let bounds = Bounds { min: Vec3::splat(-40.0), max: Vec3::splat(40.0), center: Vec3::ZERO, radius: 60.0 };
    scene.bounds = Some(bounds);
    let top = |extents| {
        let overlays = Overlays { extents, ..Overlays::default() };
        let camera = Framer::new(&scene).camera(&Options { overlays, ..options(Family::Mdx) });
        on_screen(&camera, Vec3::Y * 60.0).y
    };
    assert!(top(true) < 1.0 && top(false) > 1.0);
}

#[test]
fn a_models_camera_is_used_by_name_and_falls_back() {
    let mut scene = rising();
    scene.cameras.push(scene::Camera {
        name: "Portrait".into(),
        position: Vec3::new(50.0, 0.0, 0.0),
        field_of_view: 0.8,
        near: 1.0,
        far: 1000.0,
        ..scene::Camera::default()
    });
    let at = |name: &str| {
        let viewpoint = Viewpoint::Model(name.into());
        Framer::new(&scene).camera(&Options { viewpoint, ..options(Family::Mdx) })
    };
    assert_eq!(at("PORTRAIT").position, Vec3::new(50.0, 0.0, 0.0));
    let iso = Framer::new(&scene).camera(&Options { viewpoint: Viewpoint::ISO, ..options(Family::Mdx) });
    assert_eq!(at("nothing"), iso);
    assert!(Framer::new(&scene).has_camera("portrait"));
}

#[test]
fn what_is_not_drawn_is_not_framed() {
    let mut scene = scene(vec![
        vec![layer(BlendMode::Opaque, 0)],
        vec![layer(BlendMode::Add, 1)],
        vec![layer(BlendMode::Additive, 2)],
    ]);
    for mesh in &mut scene.meshes[1..] {
        mesh.positions.iter_mut().for_each(|position| *position *= 100.0);
    }
    scene.textures[2] = Texture { replaceable: Some(scene::Replaceable::TEAM_GLOW), ..Texture::default() };
    let framer = Framer::new(&scene).with_missing(&[TextureId(1)]);
    // The second mesh has no texture, the third is a hero's glow.
    let bounds = framer.bounds(&options(Family::Mdx)).unwrap();
    assert_eq!(bounds.max, Vec3::Y);
    assert!(Framer::new(&scene).bounds(&options(Family::Mdx)).unwrap().max.y > 50.0);
}

#[test]
fn a_moving_skeleton_stays_in_the_picture() {
    let mut scene = rising();
    scene.meshes.clear();
    let camera = Framer::new(&scene).camera(&Options { clip: Some(ClipId(0)), ..options(Family::W3d) });
    let place = on_screen(&camera, Vec3::Y * 8.0);
    assert!(place.abs().max_element() < 1.0, "{place}");
}

#[test]
fn normals_attachments_and_cameras_are_lines() {
    let mut scene = scene(vec![vec![layer(BlendMode::Opaque, 0)]]);
    scene.nodes.push(Node { name: "hand".into(), ..Node::default() });
    scene.attachments.push(scene::Attachment::new(NodeId(0), scene::AttachmentKind::Point));
    scene.cameras.push(scene::Camera {
        name: "face".into(),
        position: Vec3::new(5.0, 1.0, 0.0),
        field_of_view: 0.7,
        near: 1.0,
        far: 100.0,
        ..scene::Camera::default()
    });
    let lines = |overlays| {
        let frame = frame(&scene, &Options { overlays, ..options(Family::Mdx) });
        let lines = frame.draws.iter().filter(|draw| draw.topology == Topology::Lines);
        lines.map(|draw| draw.indices.len() / 2).sum::<usize>()
    };
    assert_eq!(lines(Overlays { normals: true, ..Overlays::default() }), 3);
    assert_eq!(lines(Overlays { attachments: true, ..Overlays::default() }), 3);
    assert_eq!(lines(Overlays { cameras: true, ..Overlays::default() }), 4 + 4 + 2);
    let overlays = Overlays { attachments: true, cameras: true, ..Overlays::default() };
    let marks = Framer::new(&scene).marks(&Options { overlays, ..options(Family::Mdx) });
    let named: Vec<(&str, Vec3)> = marks.iter().map(|mark| (mark.name.as_str(), mark.position)).collect();
    assert_eq!(named, [("hand", Vec3::ZERO), ("face", Vec3::new(5.0, 1.0, 0.0))]);
}

#[test]
fn a_hidden_mesh_that_is_selected_shows_only_its_edges() {
    let scene = scene(vec![vec![layer(BlendMode::Opaque, 0)]; 2]);
    let hidden = vec![MeshId(1)];
    let selected = Some(Selected::Mesh(MeshId(1)));
    let frame = frame(&scene, &Options { hidden, selected, ..options(Family::Mdx) });
    assert_eq!(sources(&frame), [(0, 0)]);
    let lines: Vec<&Draw> = frame.draws.iter().filter(|draw| draw.topology == Topology::Lines).collect();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].indices.len(), 6);
}
