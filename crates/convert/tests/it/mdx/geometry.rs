//! Geosets: skins, faces, levels of detail, geoset animations.

use glam::{Vec2, Vec3, Vec4};
use mdx::records::Interpolation;
use mdx::records::*;
use mdx::{Dialect, build, kinds, tags};
use meshwright_convert::mdx::{EmptyColors, NoteKind, Options, to_scene};
use record::{F32, I32, Node, U16, U32};
use scene::*;

use super::support::*;

const TRIANGLE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 2.0]];

/// Bones that go 3, 6 and 9 along x within a second.
fn bones(builder: build::Builder) -> Vec<Node<'static>> {
    let bones = (0_u8..3).map(|id| {
        let keys = vector_keys(&[(0, [0.0; 3]), (1000, [3.0 * f32::from(id + 1), 0.0, 0.0])]);
        let track = build::track(tags::KGTR, Interpolation::LINEAR, -1, &keys).unwrap();
        bone(builder, id.into(), -1, 0, vec![track])
    });
    vec![
        sequences(&[[0, 1000]]),
        plain_material(builder),
        builder.chunk(&kinds::BONE, bones.collect()),
        pivots(&[[0.0; 3], [1.0, 1.0, 1.0], [5.0, 0.0, 0.0]]),
    ]
}

fn with_geosets(builder: build::Builder, geosets: Vec<Node<'static>>) -> Vec<Node<'static>> {
    let mut chunks = bones(builder);
    chunks.push(builder.chunk(&kinds::GEOS, geosets));
    chunks
}

#[test]
fn matrix_groups_share_equally() {
    let builder = warcraft();
    let geoset = Surface {
        positions: &TRIANGLE,
        faces: &[0, 1, 2],
        groups: &[0, 1, 2],
        matrices: &[&[1], &[0, 1], &[0, 1, 2]],
        ..Surface::default()
    };
    let scene = convert_clean(builder, with_geosets(builder, vec![geoset.build(builder)]));
    let skin = scene.meshes[0].skin.as_ref().unwrap();
    assert_eq!(skin.max_influences(), 3);
    assert_eq!(skin.of(1).iter().map(|influence| influence.weight).collect::<Vec<_>>(), [0.5, 0.5]);
    assert_eq!(skin.joints.len(), 3);
    // After a second the bones are 3, 6 and 9 along: 6, the mean of 3 and 6, the mean of all.
    let moved = skinned(&scene, 0, 0, 1.0);
    assert_near(moved[0], Vec3::new(6.0, 0.0, 0.0), 1e-5);
    assert_near(moved[1], Vec3::new(5.5, 0.0, 0.0), 1e-5);
    assert_near(moved[2], Vec3::new(6.0, 2.0, -1.0), 1e-5);
}

#[test]
fn matrices_that_repeat_or_do_not_exist() {
    let builder = warcraft();
    let geoset = Surface {
        positions: &TRIANGLE,
        faces: &[0, 1, 2],
        groups: &[0, 1, 7],
        matrices: &[&[0, 0, 1], &[2, 99]],
        ..Surface::default()
    };
    let (scene, report) = convert(builder, with_geosets(builder, vec![geoset.build(builder)]));
    let skin = scene.meshes[0].skin.as_ref().unwrap();
    let weights = |vertex| skin.of(vertex).iter().map(|influence| influence.weight).collect::<Vec<_>>();
    assert_eq!((weights(0), weights(1), weights(2)), (vec![2.0 / 3.0, 1.0 / 3.0], vec![1.0], vec![]));
    assert_eq!(report.of(NoteKind::Missing).count(), 1);
    assert_eq!(report.of(NoteKind::Damaged).count(), 1);
    assert_near(skinned(&scene, 0, 0, 1.0)[2], Vec3::new(0.0, 2.0, -1.0), 1e-5);
}

#[test]
fn skin_weights_of_bytes_and_of_words() {
    for (version, wide) in [(900, false), (1000, false), (1800, true)] {
        let builder = build::Builder::new(Dialect::Warcraft, version);
        let bytes = [
            [2, 0, 0, 0, 255, 0, 0, 0],
            [0, 1, 0, 0, 51, 204, 0, 0],
            // The same bone twice.
            [1, 1, 2, 0, 100, 2, 153, 0],
        ];
        let skin = if wide {
            build::leaf(
                &kinds::WIDE_SKIN,
                &bytes.concat().iter().map(|b| U16::new(u16::from(*b))).collect::<Vec<_>>(),
            )
        } else {
            build::leaf::<u8>(&kinds::SKIN, &bytes.concat())
        };
        let tangents = build::leaf(&kinds::TANG, &[record::Vec4::new(0.0, 1.0, 0.0, -1.0); 3]);
        let geoset = Surface {
            positions: &TRIANGLE,
            faces: &[0, 1, 2],
            groups: &[255, 255, 255],
            matrices: &[&[0, 1, 2]],
            tail: vec![tangents, skin],
            ..Surface::default()
        };
        let scene = convert_clean(builder, with_geosets(builder, vec![geoset.build(builder)]));
        let mesh = &scene.meshes[0];
        assert_eq!(mesh.tangents[0], Vec4::new(0.0, 0.0, -1.0, -1.0));
        assert_eq!(mesh.skin.as_ref().unwrap().of(2).len(), 2);
        let moved = skinned(&scene, 0, 0, 1.0);
        assert_near(moved[0], Vec3::new(9.0, 0.0, 0.0), 1e-5);
        // 0.2 of 3 and 0.8 of 6; 0.4 of 6 and 0.6 of 9.
        assert_near(moved[1], Vec3::new(1.0 + 5.4, 0.0, 0.0), 1e-5);
        assert_near(moved[2], Vec3::new(7.8, 2.0, -1.0), 1e-5);
    }
}

#[test]
fn every_type_of_face() {
    let faces = |face_type, indices: &[u16]| {
        let builder = warcraft();
        let positions = [[0.0; 3]; 6];
        let geoset = Surface { positions: &positions, faces: indices, ..Surface::default() };
        let mut geoset = geoset.build_as(builder, face_type);
        // Without groups all vertices would be reported: this is about faces.
        let children = geoset.children_mut().unwrap();
        children.retain(|child| !child.is(&kinds::NRMS));
        let chunks = vec![plain_material(builder), builder.chunk(&kinds::GEOS, vec![geoset])];
        let (scene, report) = convert(builder, chunks);
        let left_out = report.of(NoteKind::Skipped).count();
        (scene.meshes[0].indices.iter().collect::<Vec<_>>(), left_out)
    };
    assert_eq!(faces(FaceType::TRIANGLES, &[0, 1, 2, 3, 4, 5]), (vec![0, 1, 2, 3, 4, 5], 0));
    assert_eq!(faces(FaceType::TRIANGLE_STRIP, &[0, 1, 2, 3]), (vec![0, 1, 2, 2, 1, 3], 0));
    assert_eq!(faces(FaceType::TRIANGLE_FAN, &[0, 1, 2, 3]), (vec![0, 1, 2, 0, 2, 3], 0));
    assert_eq!(faces(FaceType::QUADS, &[0, 1, 2, 3]), (vec![0, 1, 2, 0, 2, 3], 0));
    // The quads of a strip are 0 1 3 2 and 2 3 5 4.
    assert_eq!(
        faces(FaceType::QUAD_STRIP, &[0, 1, 2, 3, 4, 5]),
        (vec![0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4], 0)
    );
    assert_eq!(faces(FaceType::POLYGON, &[0, 1, 2, 3, 4]), (vec![0, 1, 2, 0, 2, 3, 0, 3, 4], 0));
    assert_eq!(faces(FaceType::LINES, &[0, 1]), (vec![], 1));
    // The second triangle has a vertex that does not exist.
    assert_eq!(faces(FaceType::TRIANGLES, &[0, 1, 2, 3, 4, 6]), (vec![0, 1, 2], 0));
}

#[test]
fn levels_of_detail() {
    let builder = build::Builder::new(Dialect::Warcraft, 1000);
    let geoset = |level, name| {
        let level = GeosetLevelOfDetail { level: I32::new(level), name: chars(name) };
        Surface { level, ..Surface::default() }.build(builder)
    };
    let geosets = vec![geoset(1, "far"), geoset(0, "near"), geoset(-1, ""), geoset(0, "near too")];
    let scene = convert_clean(builder, with_geosets(builder, geosets));
    assert_eq!(
        scene.levels,
        [
            Level { range: LevelRange::Number(0), meshes: vec![MeshId(1), MeshId(3)] },
            Level { range: LevelRange::Number(1), meshes: vec![MeshId(0)] },
        ]
    );
    let names: Vec<_> = scene.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["far", "near", "Geoset 2", "near too"]);
}

#[test]
fn what_a_geoset_says_about_itself() {
    let builder = warcraft();
    let header = GeosetHeader {
        material_id: U32::new(0),
        selection_group: U32::new(3),
        selection_flags: SelectionFlags::UNSELECTABLE,
    };
    let extent = |x| Extent {
        radius: F32::new(x),
        minimum: record::Vec3::new(-x, -1.0, 0.0),
        maximum: record::Vec3::new(x, 2.0, 1.0),
    };
    let set = |u| build::leaf(&kinds::UVBS, &[record::Vec2::new(u, 0.25)]);
    let arrays = vec![
        build::leaf(&kinds::VRTX, &[vec3([0.0; 3])]),
        build::leaf(&kinds::NRMS, &[vec3([0.0, 1.0, 0.0])]),
        build::leaf(&kinds::GNDX, &[0_u8]),
        build::leaf(&kinds::MTGC, &words(&[1])),
        build::leaf(&kinds::MATS, &words(&[0])),
    ];
    let tail = vec![build::branch(&kinds::UVAS, vec![set(0.5), set(0.75)])];
    let geoset =
        builder.geoset(arrays, &header, &GeosetLevelOfDetail::default(), &extent(7.0), &[extent(8.0)], tail);
    let scene = convert_clean(builder, with_geosets(builder, vec![geoset]));
    let mesh = &scene.meshes[0];
    assert_eq!((mesh.selection_group, mesh.unselectable), (3, true));
    assert_eq!(mesh.parts, [Part { material: Some(MaterialId(0)), start: 0, count: 0 }]);
    // Texture coordinates start at the top left in both.
    assert_eq!(mesh.uv_sets, [[Vec2::new(0.5, 0.25)], [Vec2::new(0.75, 0.25)]]);
    assert_eq!(mesh.normals, [Vec3::new(0.0, 0.0, -1.0)]);
    let bounds = mesh.bounds.unwrap();
    assert_eq!((bounds.min, bounds.max), (Vec3::new(-7.0, 0.0, -2.0), Vec3::new(7.0, 1.0, 1.0)));
    assert_eq!((mesh.clip_bounds.len(), mesh.clip_bounds[0].radius), (1, 8.0));
}

#[test]
fn alpha_hides_and_colours_are_red_green_blue() {
    let builder = warcraft();
    let alpha = scalar_keys(&[(0, 1.0), (500, 0.0), (800, 0.5)]);
    // On disk blue, green, red.
    let tint = vector_keys(&[(0, [0.1, 0.2, 0.3])]);
    let header = GeosetAnimationHeader {
        alpha: F32::new(0.75),
        flags: GeosetAnimationFlags::COLOR,
        color: record::Vec3::new(1.0, 0.5, 0.25),
        geoset_id: I32::new(0),
    };
    let animation = build::branch(
        &kinds::GEOSET_ANIMATION,
        vec![
            build::part(&header),
            build::track(tags::KGAO, Interpolation::NONE, -1, &alpha).unwrap(),
            build::track(tags::KGAC, Interpolation::LINEAR, -1, &tint).unwrap(),
        ],
    );
    let geoset =
        Surface { positions: &TRIANGLE, groups: &[0, 0, 0], matrices: &[&[0]], ..Surface::default() };
    let mut chunks = with_geosets(builder, vec![geoset.build(builder)]);
    chunks.push(builder.chunk(&kinds::GEOA, vec![animation]));
    let scene = convert_clean(builder, chunks);
    let mesh = &scene.meshes[0];
    assert_eq!((mesh.alpha, mesh.color, mesh.casts_shadow), (0.75, Vec3::new(1.0, 0.5, 0.25), false));
    let state = |time| {
        let moment = Moment { clip: Some(ClipId(0)), time, ..Moment::default() };
        Sampler::new(&scene).pose(&moment).meshes[0]
    };
    assert_eq!(state(0.25), MeshState { visible: true, alpha: 1.0, color: Vec3::new(0.3, 0.2, 0.1) });
    assert_eq!((state(0.6).visible, state(0.6).alpha), (false, 0.0));
    assert_eq!((state(0.9).visible, state(0.9).alpha), (true, 0.5));
}

/// One geoset whose animation has these tracks and flags, with sequences from 0 to 1 and from 2 to 3 seconds.
fn animated(options: &Options, flags: GeosetAnimationFlags, tracks: Vec<Node<'static>>) -> Scene {
    let builder = warcraft();
    let header = GeosetAnimationHeader {
        // Junk, as in many files.
        alpha: F32::new(0.25),
        flags,
        color: record::Vec3::new(0.5, 0.5, 0.5),
        geoset_id: I32::new(0),
    };
    let animation = build::branch(&kinds::GEOSET_ANIMATION, [vec![build::part(&header)], tracks].concat());
    let geoset =
        Surface { positions: &TRIANGLE, groups: &[0, 0, 0], matrices: &[&[0]], ..Surface::default() };
    let model = build::leaf(&kinds::MODL, &[Model { name: chars("Test"), ..Model::default() }]);
    let chunks = vec![
        builder.version(),
        model,
        sequences(&[[0, 1000], [2000, 3000]]),
        plain_material(builder),
        builder.chunk(&kinds::GEOS, vec![geoset.build(builder)]),
        builder.chunk(&kinds::GEOA, vec![animation]),
        builder.chunk(&kinds::BONE, vec![bone(builder, 0, -1, 0, vec![])]),
        pivots(&[[0.0; 3]]),
    ];
    let bytes = build::file(chunks).to_bytes().unwrap();
    to_scene(&mdx::Document::parse(&bytes).unwrap(), options).0
}

fn mesh_in(scene: &Scene, clip: u32) -> MeshState {
    let moment = Moment { clip: Some(ClipId(clip)), time: 0.5, ..Moment::default() };
    Sampler::new(scene).pose(&moment).meshes[0]
}

#[test]
fn an_alpha_track_without_a_key_in_a_sequence_is_opaque_there() {
    let hidden = scalar_keys(&[(2000, 0.0)]);
    let track = build::track(tags::KGAO, Interpolation::NONE, -1, &hidden).unwrap();
    let scene = animated(&Options::default(), GeosetAnimationFlags::default(), vec![track]);
    assert_eq!((mesh_in(&scene, 0).alpha, mesh_in(&scene, 0).visible), (1.0, true));
    assert_eq!((mesh_in(&scene, 1).alpha, mesh_in(&scene, 1).visible), (0.0, false));
    // Without a track, the number beside it counts.
    let scene = animated(&Options::default(), GeosetAnimationFlags::default(), vec![]);
    assert_eq!(mesh_in(&scene, 0).alpha, 0.25);
}

#[test]
fn a_colour_track_without_a_key_in_a_sequence_is_black_there() {
    // On disk blue, green, red.
    let red = || {
        let keys = vector_keys(&[(2000, [0.0, 0.0, 1.0])]);
        build::track(tags::KGAC, Interpolation::NONE, -1, &keys).unwrap()
    };
    let scene = animated(&Options::default(), GeosetAnimationFlags::COLOR, vec![red()]);
    assert_eq!([0, 1].map(|clip| mesh_in(&scene, clip).color), [Vec3::ZERO, Vec3::X]);
    let options = Options { empty_colors: EmptyColors::Static, ..Options::default() };
    let scene = animated(&options, GeosetAnimationFlags::COLOR, vec![red()]);
    assert_eq!([0, 1].map(|clip| mesh_in(&scene, clip).color), [Vec3::splat(0.5), Vec3::X]);
}

#[test]
fn geosets_cast_shadows_by_flag() {
    let shadow = |flags| animated(&Options::default(), flags, vec![]).meshes[0].casts_shadow;
    assert!(shadow(GeosetAnimationFlags::DROP_SHADOW) && !shadow(GeosetAnimationFlags::COLOR));
}
