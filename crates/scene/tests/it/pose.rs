//! Poses: the two engines' ways to put a node in its place, and what goes with it.

use glam::{Affine3A, Quat, Vec3};
use meshwright_scene::*;
use std::f32::consts::FRAC_PI_2;

fn node(parent: Option<u32>, translation: Vec3) -> Node {
    Node { parent: parent.map(NodeId), rest: Transform::from_translation(translation), ..Node::default() }
}

/// A clip of one key for each channel.
fn still(channels: impl IntoIterator<Item = (Target, Value)>) -> Clip {
    fn one<T>(value: T) -> Track<T> {
        Track::new(Interpolation::Linear, [(0.0, value)])
    }
    let channel = |(target, value)| Channel {
        target,
        curve: match value {
            Value::Flag(value) => Curve::Flag(one(value)),
            Value::Index(value) => Curve::Index(one(value)),
            Value::Scalar(value) => Curve::Scalar(one(value)),
            Value::Vector(value) => Curve::Vector(one(value)),
            Value::Rotation(value) => Curve::Rotation(one(value)),
        },
    };
    Clip { duration: 1.0, channels: channels.into_iter().map(channel).collect(), ..Clip::default() }
}

fn translation(node: u32, value: Vec3) -> (Target, Value) {
    (Target::Node(NodeId(node), NodeProperty::Translation), Value::Vector(value))
}

fn rotation(node: u32, value: Quat) -> (Target, Value) {
    (Target::Node(NodeId(node), NodeProperty::Rotation), Value::Rotation(value))
}

fn scale(node: u32, value: Vec3) -> (Target, Value) {
    (Target::Node(NodeId(node), NodeProperty::Scale), Value::Vector(value))
}

const FIRST: Moment = Moment { clip: Some(ClipId(0)), time: 0.0, clock: 0.0, view: None };

fn assert_near(a: Vec3, b: Vec3) {
    assert!(a.abs_diff_eq(b, 1e-5), "{a} is not {b}");
}

#[test]
fn w3d_deltas_become_local_transforms() {
    // Base: one along X, a quarter turn about Z. Delta: two along the bone's own X, then a quarter turn about its X.
    // The bone's X is the parent's Y, so it stands at (1, 0, 0) + (0, 2, 0); its Y goes to Z by the delta and stays there.
    let (base_t, base_q) = (Vec3::X, Quat::from_rotation_z(FRAC_PI_2));
    let (delta_t, delta_q) = (2.0 * Vec3::X, Quat::from_rotation_x(FRAC_PI_2));
    let mut scene = Scene { nodes: vec![node(None, Vec3::ZERO), node(Some(0), base_t)], ..Scene::default() };
    scene.nodes[1].rest.rotation = base_q;
    scene.clips.push(still([translation(1, base_t + base_q * delta_t), rotation(1, base_q * delta_q)]));
    let pose = Sampler::new(&scene).pose(&FIRST);
    assert_near(pose.worlds[1].transform_point3(Vec3::ZERO), Vec3::new(1.0, 2.0, 0.0));
    assert_near(pose.worlds[1].transform_point3(Vec3::Y), Vec3::new(1.0, 2.0, 1.0));
}

#[test]
fn w3d_deltas_may_be_baked_before_interpolating() {
    let (base_t, base_q) = (Vec3::new(1.0, -2.0, 0.5), Quat::from_euler(glam::EulerRot::XYZ, 0.3, -1.1, 2.0));
    let turns = [Quat::from_rotation_y(0.4), Quat::from_euler(glam::EulerRot::ZYX, 2.0, 0.7, -0.2)];
    let moves = [Vec3::new(0.0, 3.0, 1.0), Vec3::new(-4.0, 0.5, 2.0)];
    let keys = |i: usize| (i as f32, i);
    let baked_q = Track::new(Interpolation::Linear, [keys(0), keys(1)].map(|(t, i)| (t, base_q * turns[i])));
    let baked_t =
        Track::new(Interpolation::Linear, [keys(0), keys(1)].map(|(t, i)| (t, base_t + base_q * moves[i])));
    for step in 0..=16 {
        let t = step as f32 / 16.0;
        let base = Affine3A::from_rotation_translation(base_q, base_t);
        let engine = base
            * Affine3A::from_translation(Interpolate::linear(moves[0], moves[1], t))
            * Affine3A::from_quat(slerp(turns[0], turns[1], t));
        let ours = Transform {
            translation: baked_t.sample(t).unwrap(),
            rotation: baked_q.sample(t).unwrap(),
            scale: Vec3::ONE,
        };
        assert!(ours.matrix().abs_diff_eq(engine, 1e-5), "at {t}");
    }
}

#[test]
fn warcraft_pivots_become_origins() {
    // M = M_parent · T(p + t) · R · S · T(-p), against nodes whose origins are the pivots and binds that are T(-p).
    let pivots = [Vec3::new(0.0, 1.0, 0.0), Vec3::new(1.0, 3.0, -2.0)];
    let moves = [Vec3::new(0.5, 0.0, 0.0), Vec3::new(0.0, 0.0, 2.0)];
    let turns = [Quat::from_rotation_z(0.7), Quat::from_euler(glam::EulerRot::XYZ, 0.2, 0.9, -0.4)];
    let scales = [Vec3::new(1.0, 2.0, 0.5), Vec3::splat(3.0)];
    let engine = |i: usize| {
        Affine3A::from_translation(pivots[i] + moves[i])
            * Affine3A::from_quat(turns[i])
            * Affine3A::from_scale(scales[i])
            * Affine3A::from_translation(-pivots[i])
    };
    let expected = [engine(0), engine(0) * engine(1)];

    let offsets = [pivots[0], pivots[1] - pivots[0]];
    let mut scene =
        Scene { nodes: vec![node(None, offsets[0]), node(Some(0), offsets[1])], ..Scene::default() };
    scene.clips.push(still((0..2).flat_map(|i| {
        let id = i as u32;
        [translation(id, offsets[i] + moves[i]), rotation(id, turns[i]), scale(id, scales[i])]
    })));
    let binds = scene.rest_worlds();
    let pose = Sampler::new(&scene).pose(&FIRST);
    for i in 0..2 {
        assert_eq!(binds[i], Affine3A::from_translation(pivots[i]));
        assert!((pose.worlds[i] * binds[i].inverse()).abs_diff_eq(expected[i], 1e-5));
    }
}

/// A parent that is moved by five along X, turned a quarter about Z and twice as large, and a child one along X from it
/// that has moved one along Y of its own.
fn child_of_a_moved_parent(inherit: Inherit) -> Affine3A {
    let mut scene = Scene { nodes: vec![node(None, Vec3::ZERO), node(Some(0), Vec3::X)], ..Scene::default() };
    scene.nodes[1].inherit = inherit;
    scene.clips.push(still([
        translation(0, 5.0 * Vec3::X),
        rotation(0, Quat::from_rotation_z(FRAC_PI_2)),
        scale(0, Vec3::splat(2.0)),
        translation(1, Vec3::X + Vec3::Y),
    ]));
    Sampler::new(&scene).pose(&FIRST).worlds[1]
}

#[test]
fn children_follow_only_what_they_inherit() {
    // The parent carries (1, 0, 0) to (5, 2, 0). Then the child's own move, and one along its X.
    let cases = [
        // Everything: Y is -2X in the model, X is 2Y.
        (Inherit::ALL, Vec3::new(3.0, 2.0, 0.0), 2.0 * Vec3::Y),
        // No rotation: Y is 2Y, X is 2X.
        (Inherit { rotation: false, ..Inherit::ALL }, Vec3::new(5.0, 4.0, 0.0), 2.0 * Vec3::X),
        // No scale: Y is -X, X is Y.
        (Inherit { scale: false, ..Inherit::ALL }, Vec3::new(4.0, 2.0, 0.0), Vec3::Y),
        // Neither: the model's own.
        (Inherit { rotation: false, scale: false, ..Inherit::ALL }, Vec3::new(5.0, 3.0, 0.0), Vec3::X),
        // No translation: the rest position (1, 0, 0) in the parent's frame is (0, 2, 0); Y is -2X, X is 2Y.
        (Inherit { translation: false, ..Inherit::ALL }, Vec3::new(-2.0, 2.0, 0.0), 2.0 * Vec3::Y),
        // Nothing: as if there were no parent.
        (Inherit { translation: false, rotation: false, scale: false }, Vec3::new(1.0, 1.0, 0.0), Vec3::X),
    ];
    for (inherit, origin, x_axis) in cases {
        let world = child_of_a_moved_parent(inherit);
        assert_near(world.translation.into(), origin);
        assert_near(world.matrix3.x_axis.into(), x_axis);
    }
}

/// The axes of a billboard two along X from a turned parent of twice the size, so at (0, 4, 0).
fn billboard(billboard: Billboard, view: Option<View>) -> [Vec3; 3] {
    let mut scene =
        Scene { nodes: vec![node(None, Vec3::ZERO), node(Some(0), 2.0 * Vec3::X)], ..Scene::default() };
    scene.nodes[0].rest.rotation = Quat::from_rotation_z(FRAC_PI_2);
    scene.nodes[0].rest.scale = Vec3::splat(2.0);
    scene.nodes[1].billboard = billboard;
    let world = Sampler::new(&scene).pose(&Moment { view, ..Moment::default() }).worlds[1];
    assert_near(world.translation.into(), 4.0 * Vec3::Y);
    [world.matrix3.x_axis, world.matrix3.y_axis, world.matrix3.z_axis].map(Vec3::from)
}

#[test]
fn billboards_turn_to_the_camera() {
    // The camera stands level with the node on the -Z side, and looks past it along +Z and a little down.
    let view = Some(View {
        position: Vec3::new(0.0, 4.0, -10.0),
        forward: Vec3::new(0.0, -0.6, 0.8),
        anchors: true,
    });
    let check = |got: [Vec3; 3], expected: [Vec3; 3]| {
        for (got, expected) in got.into_iter().zip(expected) {
            assert_near(got, 2.0 * expected);
        }
    };
    // The face (X) to the camera, up (Y) up; Z is X × Y.
    check(billboard(Billboard::Facing, view), [-Vec3::Z, Vec3::Y, Vec3::X]);
    // Against the view: (0, 0.6, -0.8), level Z, and Y between.
    let x = Vec3::new(0.0, 0.6, -0.8);
    check(billboard(Billboard::Aligned, view), [x, Vec3::new(0.0, 0.8, 0.6), Vec3::X]);
    // From higher up: the face leans back, or stays upright.
    let higher = Some(View { position: Vec3::new(0.0, 10.0, -8.0), forward: Vec3::Z, anchors: true });
    check(billboard(Billboard::Facing, higher), [x, Vec3::new(0.0, 0.8, 0.6), Vec3::X]);
    check(billboard(Billboard::Upright, higher), [-Vec3::Z, Vec3::Y, Vec3::X]);
    // Straight above there is no level direction to prefer; still a rotation.
    let zenith = Some(View { position: 9.0 * Vec3::Y, forward: -Vec3::Y, anchors: true });
    check(billboard(Billboard::Facing, zenith), [Vec3::Y, -Vec3::X, Vec3::Z]);
    check(billboard(Billboard::Upright, zenith), [Vec3::X, Vec3::Y, Vec3::Z]);
    // Without a camera it follows its parent.
    check(billboard(Billboard::Facing, None), [Vec3::Y, -Vec3::X, Vec3::Z]);
}

#[test]
fn billboards_spin_about_their_own_axes() {
    // By the parent's turn the node's axes are Y, -X and Z of the model.
    let check = |turn, position, axes: [Vec3; 3]| {
        let got = billboard(turn, Some(View { position, forward: Vec3::X, anchors: true }));
        for (got, expected) in got.into_iter().zip(axes) {
            assert_near(got, 2.0 * expected);
        }
    };
    let (behind, left) = (Vec3::new(0.0, 4.0, -10.0), Vec3::new(-10.0, 4.0, 0.0));
    // The -Z side is already to the camera; from the left it comes by a quarter turn. The Y axis is mirrored.
    check(Billboard::SpinX, behind, [Vec3::Y, Vec3::X, Vec3::Z]);
    check(Billboard::SpinX, left, [Vec3::Y, -Vec3::Z, Vec3::X]);
    check(Billboard::SpinY, behind, [-Vec3::Z, -Vec3::X, Vec3::Y]);
    check(Billboard::SpinZ, left, [-Vec3::X, -Vec3::Y, Vec3::Z]);
}

#[test]
fn a_billboard_keeps_its_own_rotation() {
    let mut scene = Scene { nodes: vec![node(None, Vec3::ZERO)], ..Scene::default() };
    scene.nodes[0].billboard = Billboard::Facing;
    scene.nodes[0].rest.rotation = Quat::from_rotation_x(FRAC_PI_2);
    let view = Some(View { position: 7.0 * Vec3::X, forward: -Vec3::X, anchors: true });
    let world = Sampler::new(&scene).pose(&Moment { view, ..Moment::default() }).worlds[0];
    assert_near(world.matrix3.x_axis.into(), Vec3::X);
    assert_near(world.matrix3.y_axis.into(), Vec3::Z);
}

#[test]
fn camera_anchored_nodes_stand_between_parent_and_camera() {
    let mut scene =
        Scene { nodes: vec![node(None, Vec3::Y), node(Some(0), 3.0 * Vec3::Z)], ..Scene::default() };
    scene.nodes[1].camera_anchored = true;
    let place = |anchors| {
        let view = Some(View { position: Vec3::new(9.0, 1.0, 0.0), forward: Vec3::NEG_X, anchors });
        Vec3::from(Sampler::new(&scene).pose(&Moment { view, ..Moment::default() }).worlds[1].translation)
    };
    // Three units from the parent in the rest pose, and the camera is along X.
    assert_near(place(true), Vec3::new(3.0, 1.0, 0.0));
    assert_near(place(false), Vec3::new(0.0, 1.0, 3.0));
}

#[test]
fn circles_and_missing_parents_are_cut() {
    // 0 hangs on 1, which hangs on 2 and 2 on 1; 3 hangs on itself; 4 on nothing that exists; 5 on 4, stored before it in the tree.
    let parents = [Some(1), Some(2), Some(1), Some(3), Some(99), Some(4)];
    let nodes: Vec<Node> = parents.iter().map(|&parent| node(parent, Vec3::X)).collect();
    let hierarchy = Hierarchy::new(&nodes);
    assert_eq!(hierarchy.parents, [Some(NodeId(1)), None, None, None, None, Some(NodeId(4))]);
    let place = |id: u32| hierarchy.order.iter().position(|&node| node == NodeId(id)).unwrap();
    assert_eq!(hierarchy.order.len(), 6);
    assert!(place(1) < place(0) && place(4) < place(5));

    let scene = Scene { nodes, ..Scene::default() };
    let x = |i: usize| Sampler::new(&scene).pose(&Moment::default()).worlds[i].translation.x;
    assert_eq!([0, 1, 2, 3, 4, 5].map(x), [2.0, 1.0, 1.0, 1.0, 1.0, 2.0]);
}

#[test]
fn children_may_be_stored_before_parents() {
    let scene = Scene {
        nodes: vec![node(Some(1), Vec3::X), node(Some(2), Vec3::Y), node(None, Vec3::Z)],
        ..Scene::default()
    };
    assert_eq!(scene.rest_worlds()[0].translation, Vec3::ONE.into());
    assert_eq!(Sampler::new(&scene).pose(&Moment::default()).worlds, scene.rest_worlds());
}

#[test]
fn a_hidden_node_hides_only_what_is_attached_to_it() {
    let mut scene = Scene { nodes: vec![node(None, Vec3::ZERO), node(Some(0), Vec3::X)], ..Scene::default() };
    scene.meshes =
        [Some(0), Some(1), None].map(|node| Mesh { node: node.map(NodeId), ..Mesh::default() }).into();
    let hide = Target::Node(NodeId(0), NodeProperty::Visibility);
    scene.clips = vec![still([(hide, Value::Flag(false))]), still([(hide, Value::Scalar(0.25))])];
    let sampler = Sampler::new(&scene);
    let shown =
        |moment: &Moment| sampler.pose(moment).meshes.iter().map(|mesh| mesh.visible).collect::<Vec<_>>();
    assert_eq!(shown(&Moment::default()), [true, true, true]);
    assert_eq!(shown(&FIRST), [false, true, true], "the child of a hidden node shows");
    let faded = sampler.pose(&Moment { clip: Some(ClipId(1)), ..FIRST });
    assert_eq!(faded.meshes.iter().map(|mesh| mesh.alpha).collect::<Vec<_>>(), [0.25, 1.0, 1.0]);
}

#[test]
fn meshes_fade_and_change_colour() {
    let mesh = |alpha| Mesh { alpha, ..Mesh::default() };
    let mut scene = Scene { meshes: vec![mesh(1.0), mesh(0.5), mesh(0.0), mesh(1.0)], ..Scene::default() };
    scene.clips.push(still([
        (Target::Mesh(MeshId(0), MeshProperty::Alpha), Value::Scalar(0.0)),
        (Target::Mesh(MeshId(1), MeshProperty::Color), Value::Vector(Vec3::X)),
        (Target::Mesh(MeshId(3), MeshProperty::Visibility), Value::Flag(false)),
    ]));
    let meshes = Sampler::new(&scene).pose(&FIRST).meshes;
    assert_eq!(meshes.iter().map(|mesh| mesh.visible).collect::<Vec<_>>(), [false, true, false, false]);
    assert_eq!((meshes[1].alpha, meshes[1].color), (0.5, Vec3::X));
}

#[test]
fn layers_change() {
    let slot = TextureSlot { texture: Some(TextureId(0)), ..TextureSlot::default() };
    let layer = Layer { slots: vec![slot], ..Layer::default() };
    let material = Material { layers: vec![Layer::default(), layer], ..Material::default() };
    let mut scene = Scene {
        materials: vec![material],
        textures: vec![Texture::default(), Texture::default()],
        ..Scene::default()
    };
    let target = |property| Target::Layer(MaterialId(0), 1, property);
    scene.clips.push(still([
        (target(LayerProperty::Alpha), Value::Scalar(0.5)),
        (target(LayerProperty::Texture(0)), Value::Index(1)),
        (target(LayerProperty::FresnelOpacity), Value::Scalar(0.75)),
        (target(LayerProperty::UvTranslation), Value::Vector(Vec3::new(0.25, 0.0, 0.0))),
        (target(LayerProperty::UvRotation), Value::Rotation(Quat::from_rotation_z(FRAC_PI_2))),
        (target(LayerProperty::UvScale), Value::Vector(Vec3::new(1.0, 2.0, 1.0))),
    ]));
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose(&FIRST);
    let state = &pose.materials[0][1];
    assert_eq!(
        (state.alpha, &state.textures[..], state.fresnel.opacity),
        (0.5, &[Some(TextureId(1))][..], 0.75)
    );
    // (0.5, 0.5) moves to (0.75, 0.5); turned about the middle (0.5, 0.75); scaled about it (0.5, 1).
    assert!(
        state.uv.matrix().transform_point2(glam::Vec2::splat(0.5)).abs_diff_eq(glam::vec2(0.5, 1.0), 1e-6)
    );
    assert_eq!(pose.materials[0][0].alpha, 1.0);

    // The same buffers show the rest pose again.
    sampler.sample(&Moment::default(), &mut pose);
    assert_eq!(pose, sampler.pose(&Moment::default()));
    assert_eq!(pose.materials[0][1].textures, [Some(TextureId(0))]);
}

#[test]
fn global_channels_run_under_every_clip() {
    let mut scene = Scene { nodes: vec![node(None, Vec3::ZERO)], ..Scene::default() };
    scene.global_sequences.push(GlobalSequence { duration: 2.0 });
    let keys = [(0.0, Vec3::ZERO), (2.0, 4.0 * Vec3::X)];
    let track = Track::new(Interpolation::Linear, keys).with_outside(Outside::Wrap { start: 0.0, end: 2.0 });
    let target = Target::Node(NodeId(0), NodeProperty::Translation);
    let channel = Channel { target, curve: Curve::Vector(track) };
    scene.global_channels.push(GlobalChannel { sequence: GlobalSequenceId(0), channel });
    scene.clips.push(still([rotation(0, Quat::from_rotation_x(1.0))]));
    for clip in [None, Some(ClipId(0)), Some(ClipId(7))] {
        // 5.5 on the clock is 1.5 of the sequence.
        let moment = Moment { clip, clock: 5.5, ..Moment::default() };
        assert_eq!(Sampler::new(&scene).pose(&moment).locals[0].translation, 3.0 * Vec3::X);
        assert_eq!(scene.value(target, &moment), Some(Value::Vector(3.0 * Vec3::X)));
    }
}

#[test]
fn other_things_have_values() {
    let mut scene = Scene { nodes: vec![node(None, Vec3::ZERO)], ..Scene::default() };
    scene.lights.push(Light::new(NodeId(0), LightKind::Point));
    let target = Target::Light(LightId(0), LightProperty::Intensity);
    scene.clips.push(still([(target, Value::Scalar(3.0))]));
    assert_eq!(scene.value(target, &FIRST), Some(Value::Scalar(3.0)));
    assert_eq!(scene.value(target, &Moment::default()), None);
    assert_eq!(scene.value(Target::Light(LightId(0), LightProperty::Color), &FIRST), None);
}

#[test]
fn a_curve_of_the_wrong_type_moves_nothing() {
    let mut scene = Scene { nodes: vec![node(None, Vec3::X)], ..Scene::default() };
    scene.clips.push(still([
        (Target::Node(NodeId(0), NodeProperty::Translation), Value::Scalar(3.0)),
        (Target::Node(NodeId(9), NodeProperty::Translation), Value::Vector(Vec3::Y)),
    ]));
    assert_eq!(Sampler::new(&scene).pose(&FIRST).locals, [Transform::from_translation(Vec3::X)]);
}

#[test]
fn clips_end_or_loop() {
    let clip = |looping| Clip { duration: 2.0, looping, ..Clip::default() };
    assert_eq!([-1.0, 0.5, 5.0].map(|t| clip(false).local_time(t)), [0.0, 0.5, 2.0]);
    assert_eq!([-0.5, 0.5, 5.0].map(|t| clip(true).local_time(t)), [1.5, 0.5, 1.0]);
    assert_eq!(Clip { looping: true, ..Clip::default() }.local_time(3.0), 0.0);
}
