//! Where vertices are: axes, bones, skins.

use super::fixtures::*;
use glam::{Vec2, Vec3};
use meshwright_convert::w3d::NoteKind;
use record::U16;
use scene::{Billboard, Deformed, Moment, Sampler, Scene, skin};
use w3d::names::{MeshFlags, SurfaceType, Version};
use w3d::records::VertexInfluenceExtended;
use w3d::table::*;

/// The vertices of a mesh in the rest pose.
fn posed(scene: &Scene, mesh: usize) -> Vec<Vec3> {
    let pose = Sampler::new(scene).pose(&Moment::default());
    let mut out = Deformed::default();
    skin(&scene.meshes[mesh], &pose, &mut out);
    out.positions
}

/// Two bones: A at (1, 2, 3) turned a quarter about Z, B on it at (0, 0, 5).
fn bones() -> record::Node<'static> {
    hierarchy("TANK", &[pivot("A", 0, [1.0, 2.0, 3.0], quarter_z()), pivot("B", 1, [0.0, 0.0, 5.0], NO_TURN)])
}

#[test]
fn a_rigid_mesh_is_on_its_bone() {
    let scene = clean([
        mesh(header("TANK", "HULL", MeshFlags::CAST_SHADOW), &[[1.0, 0.0, 0.0]; 3], Vec::new()),
        bones(),
        model("TANK", "TANK", &[(2, "TANK.HULL")]),
    ]);
    assert_eq!(scene.name, "TANK");
    let hull = &scene.meshes[0];
    assert_eq!((hull.name.as_str(), hull.node.map(|node| node.0)), ("HULL", Some(2)));
    assert!(hull.casts_shadow && !hull.hidden && hull.skin.is_none());
    // In W3D: (1, 2, 3) + quarter turn of (0, 0, 5) + (1, 0, 0) = (1, 3, 8). The scene has Y up: (x, z, -y).
    near(posed(&scene, 0)[0], [1.0, 8.0, -3.0]);
    // Z was up, so Y is.
    assert_eq!(hull.normals[0], Vec3::Y);
}

#[test]
fn a_skin_of_one_bone_is_bound_where_the_bone_has_it() {
    let scene = clean([
        mesh(
            header("TANK", "SKIN", MeshFlags::GEOMETRY_SKIN),
            &[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [7.0, 8.0, 9.0]],
            // Westwood's form: a bone and zeros.
            vec![influences(&[[1, 0, 0, 0], [2, 0, 0, 0], [0, 0, 0, 0]])],
        ),
        bones(),
        model("TANK", "TANK", &[(0, "TANK.SKIN")]),
    ]);
    let mesh = &scene.meshes[0];
    near(mesh.positions[0], [1.0, 3.0, -3.0]);
    near(mesh.positions[1], [1.0, 8.0, -3.0]);
    // Bone 0 is the model itself.
    near(mesh.positions[2], [7.0, 9.0, -8.0]);
    let skin = mesh.skin.as_ref().unwrap();
    assert_eq!(skin.joints.iter().map(|joint| joint.node.0).collect::<Vec<_>>(), [1, 2, 0]);
    assert!(scene.nodes[1].is_bone);
    // In the rest pose the joints cancel out.
    for (posed, bound) in posed(&scene, 0).iter().zip(&mesh.positions) {
        assert!(posed.abs_diff_eq(*bound, 1e-5));
    }
    // The inverse bind takes the bound vertex back to what the file has, in the scene's axes.
    near(skin.joints[0].inverse_bind.transform_point3(mesh.positions[0]), [1.0, 0.0, 0.0]);
}

/// A skin of two bones with copies for the second; the last copy is off by `error`.
fn two_bones(error: f32) -> [record::Node<'static>; 3] {
    // (1, 0, 0) in A is (1, 3, 3) in the model, which in B is (1, 0, -5).
    let first = [[1.0, 0.0, 0.0]; 3];
    let second = [[1.0, 0.0, -5.0], [1.0, 0.0, -5.0], [1.0, 0.0, -5.0 + error]];
    [
        mesh(
            header("TANK", "SKIN", MeshFlags::GEOMETRY_SKIN),
            &first,
            vec![
                influences(&[[1, 2, 75, 25], [1, 0, 100, 0], [1, 2, 30, 30]]),
                array(&SECONDARY_VERTICES, &vectors(&second)),
            ],
        ),
        bones(),
        model("TANK", "TANK", &[(0, "TANK.SKIN")]),
    ]
}

#[test]
fn a_skin_of_two_bones_has_weights_in_percent() {
    let scene = clean(two_bones(0.0));
    let mesh = &scene.meshes[0];
    let skin = mesh.skin.as_ref().unwrap();
    let weights = |vertex| skin.of(vertex).iter().map(|one| (one.joint, one.weight)).collect::<Vec<_>>();
    assert_eq!(weights(0), [(0, 0.75), (1, 0.25)]);
    assert_eq!(weights(1), [(0, 1.0)]);
    // Normalised: both the same.
    assert_eq!(weights(2), [(0, 0.5), (1, 0.5)]);
    for position in &mesh.positions {
        near(*position, [1.0, 3.0, -3.0]);
    }
}

#[test]
fn copies_that_disagree_are_reported_and_blended() {
    let (scene, report) = convert(two_bones(0.5));
    assert_eq!(report.notes.len(), 1);
    assert_eq!(report.notes[0].kind, NoteKind::Damaged);
    assert!(report.notes[0].message.contains("differ by up to 0.5"), "{}", report.notes[0]);
    // Half of z = 3, half of z = 3.5.
    near(scene.meshes[0].positions[2], [1.0, 3.25, -3.0]);
}

#[test]
fn a_skin_of_four_bones_has_weights_of_sixteen_bits() {
    let influence = VertexInfluenceExtended {
        bone_idx: [1, 2, 0, 1].map(U16::new),
        weight: [13107, 26214, 13107].map(U16::new),
    };
    let scene = clean([
        mesh(
            header("TANK", "SKIN", MeshFlags::GEOMETRY_SKIN),
            &[[1.0, 0.0, 0.0]; 3],
            vec![array(&VERTEX_INFLUENCES_EXTENDED, &[influence; 3])],
        ),
        bones(),
        model("TANK", "TANK", &[(0, "TANK.SKIN")]),
    ]);
    let skin = scene.meshes[0].skin.as_ref().unwrap();
    let weights: Vec<(u32, f32)> = skin.of(0).iter().map(|one| (one.joint, one.weight)).collect();
    // Fifths: one, two, one, and the fourth is what is missing.
    assert_eq!(weights, [(0, 0.2), (1, 0.4), (2, 0.2), (0, 0.2)]);
    near(scene.meshes[0].positions[0], [1.0, 3.0, -3.0]);
}

#[test]
fn a_bone_that_does_not_exist_is_reported() {
    let (scene, report) = convert([
        mesh(
            header("TANK", "SKIN", MeshFlags::GEOMETRY_SKIN),
            &[[1.0; 3]; 3],
            vec![influences(&[[9, 0, 0, 0]; 3])],
        ),
        bones(),
        model("TANK", "TANK", &[(7, "TANK.SKIN")]),
    ]);
    let messages: Vec<&str> = report.notes.iter().map(|note| note.message.as_str()).collect();
    assert!(messages[0].contains("pivot 7"), "{messages:?}");
    assert!(messages[1].contains("3 influences"), "{messages:?}");
    near(scene.meshes[0].positions[0], [1.0, 1.0, -1.0]);
}

#[test]
fn before_version_3_bones_are_one_lower() {
    let mut old = header("TANK", "SKIN", MeshFlags::OBSOLETE_SKIN);
    old.version = Version::new(2, 0);
    let scene = clean([
        mesh(old, &[[1.0, 0.0, 0.0]; 3], vec![influences(&[[0, 0, 0, 0]; 3])]),
        bones(),
        model("TANK", "TANK", &[(0, "TANK.SKIN")]),
    ]);
    near(scene.meshes[0].positions[0], [1.0, 3.0, -3.0]);
}

#[test]
fn a_billboard_hangs_on_a_node_of_its_own() {
    for (flag, billboard) in [
        (MeshFlags::GEOMETRY_CAMERA_ALIGNED, Billboard::Aligned),
        (MeshFlags::GEOMETRY_CAMERA_ORIENTED, Billboard::Facing),
        (MeshFlags::GEOMETRY_CAMERA_Z_ORIENTED, Billboard::Upright),
    ] {
        let scene = clean([
            mesh(header("TANK", "GLOW", flag), &[[1.0, 0.0, 0.0]; 3], Vec::new()),
            bones(),
            model("TANK", "TANK", &[(1, "TANK.GLOW")]),
        ]);
        let node = &scene.nodes[scene.meshes[0].node.unwrap().index()];
        assert_eq!((node.billboard, node.parent.map(|parent| parent.0)), (billboard, Some(1)));
        assert_eq!(node.rest, scene::Transform::IDENTITY);
        near(posed(&scene, 0)[0], [1.0, 3.0, -3.0]);
    }
}

#[test]
fn triangles_without_corners_are_left_out_and_parts_follow() {
    let mut triangles = [[0, 1, 2], [0, 1, 9], [2, 1, 0]].map(triangle);
    triangles[2].attributes = SurfaceType::SAND;
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut node = mesh(header("", "M", MeshFlags::default()), &corners, Vec::new());
    *node.child_mut(&TRIANGLES).unwrap() = array(&TRIANGLES, &triangles);
    let (scene, report) = convert([node]);
    assert!(scene.meshes[0].indices.iter().eq([0, 1, 2, 2, 1, 0]));
    assert_eq!(scene.meshes[0].surface_types, [0, 3]);
    assert!(report.notes[0].message.starts_with("dropped 1 triangle "));
}

#[test]
fn tangents_know_their_side() {
    let scene = clean([mesh(
        header("", "M", MeshFlags::HIDDEN),
        &[[0.0; 3]; 3],
        vec![
            // Real files have U in the second chunk, and the opposite of V in the first.
            array(&BITANGENTS, &vectors(&[[1.0, 0.0, 0.0]; 3])),
            array(&TANGENTS, &vectors(&[[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]])),
        ],
    )]);
    let mesh = &scene.meshes[0];
    assert!(mesh.hidden);
    // Normal Z, U along X: if V goes up along Y, that is the side of their product; if it goes the other way, it is not.
    assert_eq!(mesh.tangents.iter().map(|tangent| tangent.w).collect::<Vec<_>>(), [1.0, -1.0, 1.0]);
    assert_eq!(mesh.tangents[0].truncate(), Vec3::X);
}

#[test]
fn shader_meshes_do_not_flip_v() {
    use w3d::table::shader_def::{SHADER_DEF_VARIABLES, SIMPLE_VARIABLES, base, simple};
    let shader = branch(
        &SHDSUBMESH_SHADER,
        [
            array(&SHDSUBMESH_SHADER_CLASSID, &[w3d::names::ShaderClass::SIMPLE]),
            branch(
                &SHDSUBMESH_SHADER_DEF,
                [
                    branch(&SHADER_DEF_VARIABLES, [text(&base::NAME, "Stone")]),
                    branch(
                        &SIMPLE_VARIABLES,
                        [
                            text(&simple::TEXTURE, "stone.tga"),
                            array(&simple::DIFFUSE, &vectors(&[[1.0, 0.5, 0.25]])),
                        ],
                    ),
                ],
            ),
        ],
    );
    let part = branch(
        &SHDSUBMESH,
        [
            shader,
            array(&SHDSUBMESH_VERTICES, &vectors(&[[1.0, 2.0, 3.0]; 3])),
            array(&SHDSUBMESH_VERTEX_NORMALS, &vectors(&[[0.0, 0.0, 1.0]; 3])),
            array(&SHDSUBMESH_TRIANGLES, &[[0, 1, 2].map(U16::new)]),
            array(&SHDSUBMESH_UV0, &texcoords(&[[0.25, 0.75]; 3])),
        ],
    );
    let scene = clean([branch(&SHDMESH, [text(&SHDMESH_NAME, "WALL.STONES"), part])]);
    let mesh = &scene.meshes[0];
    assert_eq!(mesh.name, "STONES");
    assert_eq!(mesh.uv_sets[0][0], Vec2::new(0.25, 0.75));
    assert_eq!(mesh.positions[0], Vec3::new(1.0, 3.0, -2.0));
    let material = &scene.materials[0];
    assert_eq!(
        (material.name.as_str(), material.shader.as_ref().unwrap().name.as_str()),
        ("Stone", "SIMPLE")
    );
    assert_eq!(scene.textures[0].name, "stone.tga");
    assert_eq!(material.layers[0].lighting.as_ref().unwrap().diffuse, Vec3::new(1.0, 0.5, 0.25));
}
