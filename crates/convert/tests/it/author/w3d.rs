//! Scenes to W3D. Numbers are worked out by hand: W3D has Z up where the scene has Y, so (x, y, z) becomes (x, -z, y).

use std::f32::consts::FRAC_1_SQRT_2;

use glam::{Affine3A, Vec2, Vec3};
use meshwright_convert::Report;
use meshwright_convert::author::w3d::{Compress, Options, Profile, Split, to_w3d};
use meshwright_convert::w3d::{Library, to_scene};
use scene::compare::{Tolerance, differences};
use scene::{
    Attachment, AttachmentKind, BlendMode, Channel, Clip, CollisionMask, CollisionShape, Curve, Influence,
    Interpolation, Joint, Layer, Level, Material, MaterialId, Mesh, MeshId, NodeId, NodeProperty, Part,
    Scene, Shape, Skin, SlotKind, Target, Texture, TextureId, TextureSlot, Track, Transform,
};
use w3d::codec::Values;
use w3d::names::{ChannelType, MeshFlags};
use w3d::{W3d, table};

use super::arm::{self, node};

/// What is written must be sound to our own reader.
fn written(scene: &Scene, options: &Options) -> (W3d<'static>, Report) {
    let (files, report) = to_w3d(scene, options).unwrap();
    assert_eq!(files.len(), 1);
    let bytes = files[0].document.to_bytes().unwrap();
    let again = W3d::parse(&bytes).unwrap().into_owned();
    assert_eq!(again.diagnostics(), []);
    (again, report)
}

fn read(document: &W3d<'_>) -> Scene {
    to_scene(&Library::new(document), None, &Default::default()).0
}

fn profile(profile: Profile) -> Options {
    Options { profile, ..Options::default() }
}

/// [`arm::scene`] with a texture, and four frames per second.
fn arm() -> Scene {
    let mut scene = arm::scene();
    scene.meshes[0].parts = vec![Part { material: Some(MaterialId(0)), start: 0, count: 3 }];
    scene.materials = vec![textured(0)];
    scene.textures = vec![Texture { name: "Textures\\skin.blp".into(), ..Texture::default() }];
    scene.clips[0].frame_rate = Some(4.0);
    scene
}

fn textured(texture: u32) -> Material {
    let slot =
        TextureSlot { kind: SlotKind::Diffuse, texture: Some(TextureId(texture)), ..TextureSlot::default() };
    Material { layers: vec![Layer { slots: vec![slot], ..Layer::default() }], ..Material::default() }
}

#[test]
fn nodes_become_pivots_below_a_root() {
    let (file, report) = written(&arm(), &Options::default());
    let hierarchy = file.hierarchies().next().unwrap();
    let pivots = hierarchy.pivots();
    let names: Vec<String> = pivots.iter().map(|pivot| pivot.name.to_string()).collect();
    assert_eq!(names, ["ROOTTRANSFORM", "Base", "Arm"]);
    assert_eq!([0, 1, 2].map(|at| pivots[at].parent()), [None, Some(0), Some(1)]);
    // (0, 10, 0) is 10 up, which is W3D's Z; a turn about the scene's Y is one about Z.
    assert_eq!(pivots[1].translation.get(), [0.0, 0.0, 10.0]);
    let [x, y, z, w] = pivots[1].rotation.get();
    assert_eq!([x, y], [0.0, 0.0]);
    assert!((z - FRAC_1_SQRT_2).abs() < 1e-6 && (w - FRAC_1_SQRT_2).abs() < 1e-6, "{z} {w}");
    assert_eq!(pivots[2].translation.get(), [5.0, 0.0, 0.0]);
    let mesh = file.meshes().next().unwrap();
    assert_eq!(mesh.full_name(), "Arm.Hand");
    let vertices: Vec<[f32; 3]> = mesh.vertices().iter().map(|vertex| vertex.get()).collect();
    assert_eq!(vertices, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_eq!(mesh.texture_names(), ["skin.tga"]);
    let said: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(said, [r#"assumed: textures: "Textures\\skin.blp" is written as "skin.tga""#]);
}

#[test]
fn channels_have_the_difference_from_the_base_pose() {
    let (file, _) = written(&arm(), &Options::default());
    let animation = file.animations().next().unwrap();
    assert_eq!((animation.name(), animation.num_frames(), animation.frame_rate()), ("Wave".into(), 5, 4));
    let channels: Vec<_> = animation.channels().collect();
    // 2 up is along Z, reached at frame 2 and held; frame 0 moves nothing and is left out.
    let lift = channels.iter().find(|channel| channel.target == ChannelType::Z).unwrap();
    assert_eq!(lift.pivot, 2);
    let Values::Frames { first, values, .. } = &lift.values else { panic!("{lift:?}") };
    assert_eq!((*first, &values[..]), (1, &[1.0, 2.0, 2.0, 2.0][..]));
    // A quarter turn about the scene's Z is one about W3D's -Y.
    let nod = channels.iter().find(|channel| channel.target == ChannelType::Q).unwrap();
    let Values::Frames { first: 1, values, .. } = &nod.values else { panic!("{nod:?}") };
    let [x, y, z, w] = values[12..] else { panic!("{values:?}") };
    assert!(
        x.abs() < 1e-6
            && (y + FRAC_1_SQRT_2).abs() < 1e-6
            && z.abs() < 1e-6
            && (w - FRAC_1_SQRT_2).abs() < 1e-6
    );
    assert_eq!(channels.len(), 2, "X and Y move nothing");
}

/// Two bones, 4 apart along X, and vertices on the first, on both by 3 to 1, and on three.
fn skinned() -> Scene {
    let nodes = vec![
        node("ROOTTRANSFORM", None, Transform::IDENTITY),
        node("A", Some(0), Transform::from_translation(Vec3::X)),
        node("B", Some(1), Transform::from_translation(Vec3::X * 4.0)),
    ];
    let worlds = [0.0, 1.0, 5.0].map(|x| Affine3A::from_translation(Vec3::X * x));
    let joint = |at: usize| Joint { node: NodeId::from(at), inverse_bind: worlds[at].inverse() };
    let mut skin = Skin { joints: vec![joint(0), joint(1), joint(2)], ..Skin::default() };
    let influence = |joint: u32, weight: f32| Influence { joint, weight };
    skin.push_vertex([influence(1, 1.0)]);
    skin.push_vertex([influence(1, 0.75), influence(2, 0.25)]);
    skin.push_vertex([influence(2, 0.5), influence(1, 0.25), influence(0, 0.25)]);
    Scene {
        name: "Skin".into(),
        nodes,
        meshes: vec![Mesh {
            name: "Body".into(),
            node: Some(NodeId(0)),
            positions: vec![Vec3::ZERO, Vec3::new(3.0, 2.0, 1.0), Vec3::X * 6.0],
            normals: vec![Vec3::Y; 3],
            indices: vec![0, 1, 2].into(),
            parts: vec![Part { material: Some(MaterialId(0)), start: 0, count: 3 }],
            skin: Some(skin),
            ..Mesh::default()
        }],
        materials: vec![Material { layers: vec![Layer::default()], ..Material::default() }],
        ..Scene::default()
    }
}

#[test]
fn games_get_as_many_bones_as_they_take() {
    let (one, report) = written(&skinned(), &profile(Profile::ZeroHour));
    let mesh = one.meshes().next().unwrap();
    let vertices: Vec<[f32; 3]> = mesh.vertices().iter().map(|vertex| vertex.get()).collect();
    // Less the place of their bones: A is at 1, B at 5.
    assert_eq!(vertices, [[-1.0, 0.0, 0.0], [2.0, -1.0, 2.0], [1.0, 0.0, 0.0]]);
    let bones: Vec<u16> = mesh.influences().iter().map(|influence| influence.bone_idx[0].get()).collect();
    assert_eq!(bones, [1, 1, 2]);
    assert!(mesh.secondary_vertices().is_empty());
    assert!(mesh.header().unwrap().attributes.has(MeshFlags::GEOMETRY_SKIN));
    assert!(report.notes.iter().any(|note| note.message.contains("up to 50 % of the weight")), "{report:?}");

    let (two, _) = written(&skinned(), &profile(Profile::Bfme2));
    let mesh = two.meshes().next().unwrap();
    let weights: Vec<[u16; 2]> =
        mesh.influences().iter().map(|each| each.weight.map(|weight| weight.get())).collect();
    assert_eq!(weights, [[0, 0], [75, 25], [67, 33]]);
    // The second vertex is at (3, -1, 2) in W3D's axes, and B at 5.
    assert_eq!(mesh.secondary_vertices()[1].get(), [-2.0, -1.0, 2.0]);

    let (four, report) = written(&skinned(), &profile(Profile::Tt5));
    let mesh = four.meshes().next().unwrap();
    let third = mesh.extended_influences()[2];
    assert_eq!(third.bone_idx.map(|bone| bone.get()), [2, 1, 0, 0]);
    assert_eq!(third.weight.map(|weight| weight.get()), [32768, 16384, 16383]);
    assert_eq!(report.notes, []);
}

#[test]
fn a_written_model_is_read_as_it_was() {
    for bytes in [w3d::sample::crate_box(), w3d::sample::tank()] {
        let scene = read(&W3d::parse(&bytes).unwrap());
        for game in Profile::ALL {
            let (file, report) = written(&scene, &profile(game));
            assert_eq!(differences(&scene, &read(&file), Tolerance::default()), [""; 0], "{game:?}");
            assert_eq!(report.notes, [], "{game:?}");
        }
    }
}

#[test]
fn compressed_animations_keep_to_their_tolerance() {
    let scene = read(&W3d::parse(&w3d::sample::tank()).unwrap());
    let raw = written(&scene, &Options { compress: Compress::Raw, ..Options::default() }).0;
    let coded = written(&scene, &Options { compress: Compress::TIME_CODED, ..Options::default() }).0;
    let degree = Compress::TimeCoded { distance: 0.001, degrees: 1.0 };
    let coarse = written(&scene, &Options { compress: degree, ..Options::default() }).0;
    let any = Compress::AdaptiveDelta { distance: f32::INFINITY, degrees: 180.0 };
    let deltas = written(&scene, &Options { compress: any, ..Options::default() }).0;
    // Half of 0.05 degrees is 4.4e-4 of a quaternion; deltas have four bits for steps of up to 2.5 degrees.
    let loose = |value| Tolerance { value, ..Tolerance::default() };
    assert_eq!(differences(&scene, &read(&coded), loose(6e-5)), [""; 0]);
    assert_eq!(differences(&scene, &read(&coarse), loose(1e-3)), [""; 0]);
    assert_eq!(differences(&scene, &read(&deltas), loose(2e-3)), [""; 0]);
    let size = |file: &W3d<'_>| file.root.len();
    assert!(
        size(&coarse) < size(&raw) && size(&deltas) < size(&coarse),
        "{} {} {}",
        size(&raw),
        size(&coarse),
        size(&deltas)
    );
}

#[test]
fn deltas_that_are_off_by_more_than_the_tolerance_are_not_written() {
    let scene = read(&W3d::parse(&w3d::sample::tank()).unwrap());
    let compress = Compress::AdaptiveDelta { distance: 0.001, degrees: 0.05 };
    for (profile, has_motion_channels) in [(Profile::ZeroHour, false), (Profile::Bfme2, true)] {
        let (file, _) = written(&scene, &Options { compress, profile, ..Options::default() });
        let found = differences(&scene, &read(&file), Tolerance { value: 6e-5, ..Tolerance::default() });
        assert_eq!(found, [""; 0], "{profile:?}");
        let chunks: Vec<_> = file.animations().flat_map(|animation| animation.0.children()).collect();
        let of = |row| chunks.iter().filter(|chunk| chunk.is(row)).count();
        let counts = [
            of(&w3d::table::COMPRESSED_ANIMATION_MOTION_CHANNEL),
            of(&w3d::table::COMPRESSED_ANIMATION_CHANNEL),
            of(&w3d::table::ADAPTIVE_DELTA_CHANNEL),
        ];
        assert_eq!(counts.map(|count| count > 0), [has_motion_channels, !has_motion_channels, false]);
    }
}

#[test]
fn what_jumps_is_written_with_time_codes() {
    let mut scene = arm();
    let track = Track::new(Interpolation::Step, [(0.0, Vec3::X * 5.0), (0.5, Vec3::X * 8.0)]);
    scene.clips[0].channels = vec![Channel {
        target: Target::Node(NodeId(1), NodeProperty::Translation),
        curve: Curve::Vector(track),
    }];
    let (file, _) = written(&scene, &Options::default());
    let channel = file.animations().next().unwrap().channels().next().unwrap();
    let Values::Keys { keys, values, .. } = channel.values else { panic!("{channel:?}") };
    let keys: Vec<(u32, bool)> = keys.iter().map(|key| (key.frame, key.step)).collect();
    assert_eq!((&keys[..], &values[..]), (&[(0, false), (2, true)][..], &[0.0, 3.0][..]));
}

#[test]
fn materials_that_need_other_passes_divide_a_mesh() {
    let mut scene = arm();
    scene.textures.push(Texture { name: "glow.tga".into(), ..Texture::default() });
    let mut glow = textured(1);
    glow.layers.push(Layer { blend: BlendMode::Add, ..glow.layers[0].clone() });
    scene.materials.push(glow);
    scene.materials.push(textured(1));
    let mesh = &mut scene.meshes[0];
    mesh.positions.push(Vec3::ONE);
    mesh.normals.push(Vec3::Z);
    mesh.uv_sets[0].push(Vec2::ONE);
    mesh.indices = vec![0, 1, 2, 2, 1, 3, 0, 2, 3].into();
    let part = |material, start| Part { material: Some(MaterialId(material)), start, count: 3 };
    mesh.parts = vec![part(0, 0), part(1, 3), part(2, 6)];
    let (file, report) = written(&scene, &Options::default());
    let found: Vec<(String, usize, usize)> =
        file.meshes().map(|mesh| (mesh.name(), mesh.passes().count(), mesh.triangles().len())).collect();
    // One pass with two textures, and two passes.
    assert_eq!(found, [("Hand".to_owned(), 1, 2), ("Hand2".to_owned(), 2, 1)]);
    assert!(report.notes.iter().any(|note| note.message.contains("divided into 2 meshes")), "{report:?}");
}

#[test]
fn names_of_bones_and_meshes_fit_and_differ() {
    let mut scene = arm();
    scene.name = "a model with a long name".into();
    scene.nodes[0].name = "bone of a long name 1".into();
    scene.nodes[1].name = "bone of a long name 2".into();
    let mut twin = scene.meshes[0].clone();
    twin.name = "HAND".into();
    scene.meshes.push(twin);
    let (file, _) = written(&scene, &Options::default());
    let pivots: Vec<String> =
        file.hierarchies().next().unwrap().pivots().iter().map(|pivot| pivot.name.to_string()).collect();
    assert_eq!(pivots, ["ROOTTRANSFORM", "bone of a long", "bone of a long2"]);
    let meshes: Vec<String> = file.meshes().map(|mesh| mesh.full_name()).collect();
    assert_eq!(meshes, ["a model with a.Hand", "a model with a.HAND2"]);
}

#[test]
fn the_files_are_those_that_the_game_looks_for() {
    let mut scene = skinned();
    scene.clips.push(Clip { name: "SKIN_RUN".into(), duration: 1.0, ..Clip::default() });
    let names = |options: Options| -> Vec<String> {
        to_w3d(&scene, &options).unwrap().0.into_iter().map(|file| file.name).collect()
    };
    let auto = |profile| Options { profile, split: Split::Auto, ..Options::default() };
    assert_eq!(names(auto(Profile::ZeroHour)), ["Skin_SKN.w3d", "Skin_SKL.w3d", "SKIN_RUN.w3d"]);
    assert_eq!(names(auto(Profile::Renegade)), ["Skin.w3d"]);
    let files = to_w3d(&scene, &auto(Profile::Bfme2)).unwrap().0;
    let hlod = files[0].document.root.find("HLOD/HLOD_HEADER").unwrap();
    let header = hlod.value::<w3d::records::HlodHeader>().unwrap();
    assert_eq!(
        (header.name.to_string(), header.hierarchy_name.to_string()),
        ("Skin_SKN".into(), "Skin_SKL".into())
    );
    assert_eq!(files[2].document.animations().next().unwrap().hierarchy_name(), "Skin_SKL");
}

#[test]
fn boxes_and_attachments_are_objects_of_the_model() {
    let mut scene = arm();
    scene.collision_shapes.push(CollisionShape {
        name: "Bounds".into(),
        node: NodeId(1),
        shape: Shape::Box {
            min: Vec3::new(-1.0, 0.0, -3.0),
            max: Vec3::new(3.0, 2.0, 1.0),
            axis_aligned: false,
        },
        mask: CollisionMask::PHYSICAL | CollisionMask::CAMERA,
    });
    scene
        .attachments
        .push(Attachment { path: "e_smoke".into(), ..Attachment::new(NodeId(1), AttachmentKind::Aggregate) });
    let (file, _) = written(&scene, &Options::default());
    let found = file.root.get(table::BOX).unwrap();
    assert_eq!((found.name.to_string(), found.attributes.get()), ("Arm.Bounds".into(), 0x91));
    // The middle (1, 1, -1) is (1, 1, 1) in W3D's axes; half sizes have no sign.
    assert_eq!((found.center.get(), found.extent.get()), ([1.0, 1.0, 1.0], [2.0, 2.0, 1.0]));
    let again = read(&file);
    assert_eq!(again.collision_shapes[0].shape, scene.collision_shapes[0].shape);
    assert_eq!(again.attachments[0].path, "e_smoke");
}

#[test]
fn colours_of_meshes_go_into_their_materials() {
    let mut scene = arm();
    scene.meshes[0].color = Vec3::new(1.0, 0.6, 0.2);
    let material = |scene: &Scene| {
        let (file, _) = written(scene, &Options::default());
        let mesh = file.meshes().next().unwrap();
        let material = mesh.vertex_materials().next().unwrap().info().unwrap();
        [material.diffuse, material.emissive].map(|color| [color.r, color.g, color.b])
    };
    assert_eq!(material(&scene), [[255, 153, 51], [0; 3]]);
    // What is not lit emits its colour.
    scene.materials[0].layers[0].unlit = true;
    assert_eq!(material(&scene), [[0; 3], [255, 153, 51]]);
}

#[test]
fn a_skin_on_one_bone_that_turns_to_the_camera_is_a_mesh_that_does() {
    let mut scene = arm();
    scene.nodes[1].billboard = scene::Billboard::Facing;
    // The arm stands at (0, 10, -5) of the model, turned a quarter about up.
    let inverse_bind = scene.rest_worlds()[1].inverse();
    let mut bones = Skin { joints: vec![Joint { node: NodeId(1), inverse_bind }], ..Skin::default() };
    (0..3).for_each(|_| bones.push_vertex([Influence { joint: 0, weight: 1.0 }]));
    let mesh = &mut scene.meshes[0];
    mesh.skin = Some(bones);
    mesh.node = None;
    mesh.positions =
        [Vec3::ZERO, Vec3::X, Vec3::Y].map(|at| inverse_bind.inverse().transform_point3(at)).to_vec();
    let (file, _) = written(&scene, &Options::default());
    let mesh = file.meshes().next().unwrap();
    let flags = mesh.header().unwrap().attributes;
    assert!(flags.has(MeshFlags::GEOMETRY_CAMERA_ORIENTED), "{flags:?}");
    // In the space of its bone: (x, y, z) is (x, -z, y).
    let positions: Vec<Vec3> = mesh.vertices().iter().map(|at| Vec3::from(at.get())).collect();
    for (found, expected) in positions.iter().zip([Vec3::ZERO, Vec3::X, Vec3::Z]) {
        assert!(found.abs_diff_eq(expected, 1e-5), "{positions:?}");
    }
    // What grows needs bones, and bones do not turn to the camera.
    let grow = Track::new(Interpolation::Linear, [(0.0, Vec3::ONE), (1.0, Vec3::splat(2.0))]);
    let target = Target::Node(NodeId(0), NodeProperty::Scale);
    scene.clips[0].channels.push(Channel { target, curve: Curve::Vector(grow) });
    let (file, _) = written(&scene, &Options::default());
    let flags = file.meshes().next().unwrap().header().unwrap().attributes;
    assert!(flags.has(MeshFlags::GEOMETRY_SKIN), "{flags:?}");
    // It is seen from behind, because it does not turn any more.
    assert!(flags.has(MeshFlags::TWO_SIDED), "{flags:?}");
}

#[test]
fn scale_goes_into_vertices() {
    let mut scene = arm();
    scene.clips.clear();
    scene.nodes[0].rest.scale = Vec3::splat(2.0);
    let before = scene.rest_bounds().unwrap();
    let (file, _) = written(&scene, &Options::default());
    let again = read(&file);
    assert!(again.nodes.iter().all(|node| node.rest.scale == Vec3::ONE));
    let after = again.rest_bounds().unwrap();
    assert!(
        before.min.abs_diff_eq(after.min, 1e-5) && before.max.abs_diff_eq(after.max, 1e-5),
        "{before:?} {after:?}"
    );
}

#[test]
fn what_cannot_be_counted_is_refused_with_a_remedy() {
    let mut scene = arm();
    scene.clips[0].duration = 1e6;
    let error = to_w3d(&scene, &Options::default()).unwrap_err().to_string();
    assert!(error.contains("65,535") && error.contains("divide it"), "{error}");
    // 60,001 frames of 500 channels with four numbers of four bytes each are 480 MB.
    scene.clips[0].duration = 15_000.0;
    let channel = scene.clips[0].channels[0].clone();
    scene.clips[0].channels.resize(500, channel);
    let error = to_w3d(&scene, &Options::default()).unwrap_err().to_string();
    assert!(error.contains("more than 400 MB") && error.contains("shorter clips"), "{error}");
    let error = to_w3d(&arm(), &Options { scale: f32::NAN, ..Options::default() }).unwrap_err().to_string();
    assert!(error.contains("cannot scale by NaN"), "{error}");
}

#[test]
fn clips_whose_names_are_cut_at_a_space_are_all_read_again() {
    let mut scene = arm();
    let mut other = scene.clips[0].clone();
    scene.clips[0].name = "Walk Alternate".into();
    other.name = "Walk Alternate - 2".into();
    other.duration *= 2.0;
    scene.clips.push(other);
    let (file, _) = written(&scene, &Options::default());
    let again = read(&file);
    let found: Vec<_> = again.clips.iter().map(|clip| (clip.name.as_str(), clip.duration)).collect();
    let [one, two] = [&scene.clips[0], &scene.clips[1]].map(|clip| clip.duration);
    assert_eq!(found, [("Walk Alternate", one), ("Walk Alternate2", two)]);
}

#[test]
fn levels_after_the_hundredth_are_dropped_and_reported() {
    let mut scene = arm();
    scene.levels = vec![Level { meshes: vec![MeshId(0)], ..Level::default() }; 101];
    let (file, report) = written(&scene, &Options::default());
    let levels = file.hlods().next().unwrap().header().unwrap().lod_count.get();
    assert_eq!(levels, 100);
    let said = report.notes.iter().filter(|note| note.message == "levels of detail after the first 100");
    assert_eq!(said.count(), 1);
}
