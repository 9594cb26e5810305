//! Transforming and stripping.

use crate::common::{Fixture, NONE, crate_box, mdx_sample, mdx_samples};
use meshwright_edit::{Axis, Transform, Unwanted};
use record::{Node, Vec3};
use w3d::records::{CollisionBox, MaterialInfo, MeshHeader3, Pivot, Triangle};
use w3d::{build, table};

fn value<'n, T: record::Pod>(root: &'n Node<'_>, path: &str) -> &'n T {
    root.find(path).and_then(Node::value).unwrap_or_else(|| panic!("no {path}"))
}

fn values<'n, T: record::Pod>(root: &'n Node<'_>, path: &str) -> &'n [T] {
    root.find(path).map(Node::values).unwrap_or_else(|| panic!("no {path}"))
}

#[test]
fn scaling_a_w3d_model_scales_every_length() {
    let mut file = crate_box();
    assert!(meshwright_edit::transform(&mut file.root, &Transform::Scale([2.0; 3])).unwrap() > 0);
    let root = &file.root;
    let old = crate_box();
    let header: &MeshHeader3 = value(root, "MESH/MESH_HEADER3");
    assert_eq!((header.min.get(), header.max.get()), ([-1.0, -1.0, -0.5], [1.0, 1.0, 0.5]));
    let radius = value::<MeshHeader3>(&old.root, "MESH/MESH_HEADER3").sph_radius.get();
    assert_eq!(header.sph_radius.get(), 2.0 * radius);
    let before: &[Vec3] = values(&old.root, "MESH[1]/VERTICES");
    for (new, old) in values::<Vec3>(root, "MESH[1]/VERTICES").iter().zip(before) {
        assert_eq!(new.get(), old.get().map(|part| 2.0 * part));
    }
    let triangle = values::<Triangle>(root, "MESH/TRIANGLES")[0];
    assert_eq!((triangle.normal.get(), triangle.dist.get()), ([1.0, 0.0, 0.0], 1.0));
    let pivots: &[Pivot] = values(root, "HIERARCHY/PIVOTS");
    assert_eq!(pivots[2].translation.get(), [0.0, 0.0, 0.6]);
    let hull: &CollisionBox = value(root, "BOX");
    assert_eq!((hull.center.get(), hull.extent.get()), ([0.0, 0.0, 0.5], [1.0, 1.0, 0.6]));
    assert_eq!(
        root.find("MESH/VERTEX_NORMALS").unwrap().bytes(),
        old.root.find("MESH/VERTEX_NORMALS").unwrap().bytes()
    );
    meshwright_edit::transform(&mut file.root, &Transform::Scale([0.5; 3])).unwrap();
    assert_eq!(file.changed(), NONE);
}

#[test]
fn moving_a_w3d_model_moves_the_first_bones_and_what_is_on_none() {
    let mut file = crate_box();
    meshwright_edit::transform(&mut file.root, &Transform::Translate([1.0, 0.0, 0.0])).unwrap();
    // By hand: the x of the bone below the root, of the box (which is on the root), and of the skeleton's centre.
    let expected = [
        file.start("BOX") + 44..file.start("BOX") + 48,
        file.start("HIERARCHY/HIERARCHY_HEADER") + 24..file.start("HIERARCHY/HIERARCHY_HEADER") + 28,
        file.start("HIERARCHY/PIVOTS") + 60 + 20..file.start("HIERARCHY/PIVOTS") + 60 + 24,
    ];
    // 0.0 -> 1.0 is 00000000 -> 3f800000: the upper two bytes.
    let expected: Vec<usize> = expected.into_iter().flat_map(|range| range.skip(2)).collect();
    assert_eq!(file.changed(), expected);
    meshwright_edit::transform(&mut file.root, &Transform::Translate([-1.0, 0.0, 0.0])).unwrap();
    assert_eq!(file.changed(), NONE);
}

#[test]
fn turning_a_w3d_model_turns_the_first_bones() {
    let mut file = crate_box();
    meshwright_edit::transform(&mut file.root, &Transform::Rotate(Axis::X, 90.0)).unwrap();
    let pivots: &[Pivot] = values(&file.root, "HIERARCHY/PIVOTS");
    // Up becomes minus Y.
    assert_eq!(pivots[1].translation.get(), [0.0, -0.25, 0.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    assert_eq!(pivots[1].rotation.get(), [half, 0.0, 0.0, half]);
    assert_eq!(pivots[2].rotation.get(), [0.0, 0.0, 0.0, 1.0], "what hangs on it follows");
    let hull: &CollisionBox = value(&file.root, "BOX");
    assert_eq!((hull.center.get(), hull.extent.get()), ([0.0, -0.25, 0.0], [0.5, 0.3, 0.5]));
    assert_eq!(
        file.root.find("MESH").unwrap().to_bytes().unwrap(),
        crate_box().root.find("MESH").unwrap().to_bytes().unwrap()
    );
    let refused =
        meshwright_edit::transform(&mut crate_box().root, &Transform::Rotate(Axis::Z, 45.0)).unwrap_err();
    assert!(refused.message.contains("MWCRATE.BOUNDS"), "{refused}");
}

/// A mesh alone is turned itself, with normals, planes and bounds.
#[test]
fn a_mesh_without_a_model_is_turned_itself() {
    let mut file = crate_box();
    file.root.children_mut().unwrap().truncate(1);
    meshwright_edit::transform(&mut file.root, &Transform::Rotate(Axis::Z, 90.0)).unwrap();
    meshwright_edit::transform(&mut file.root, &Transform::Translate([0.0, 10.0, 0.0])).unwrap();
    let triangles: &[Triangle] = values(&file.root, "MESH/TRIANGLES");
    let vertices: &[Vec3] = values(&file.root, "MESH/VERTICES");
    assert_eq!(triangles[0].normal.get(), [0.0, 1.0, 0.0]);
    let header: &MeshHeader3 = value(&file.root, "MESH/MESH_HEADER3");
    assert_eq!((header.min.get(), header.max.get()), ([-0.5, 9.5, -0.25], [0.5, 10.5, 0.25]));
    assert_eq!(header.sph_center.get(), [0.0, 10.0, 0.0]);
    for triangle in triangles {
        let corner = vertices[triangle.vindex[0].get() as usize].get();
        let distance: f32 = triangle.normal.get().iter().zip(corner).map(|(n, v)| n * v).sum();
        assert_eq!(triangle.dist.get(), distance);
    }
}

#[test]
fn uneven_factors_are_for_what_does_not_turn() {
    let uneven = Transform::Scale([1.0, 2.0, 4.0]);
    let refused = meshwright_edit::transform(&mut crate_box().root, &uneven).unwrap_err();
    assert!(refused.message.contains("rotates bones"), "{refused}");
    let mut file = crate_box();
    file.root.children_mut().unwrap().truncate(1);
    meshwright_edit::transform(&mut file.root, &uneven).unwrap();
    let vertices: &[Vec3] = values(&file.root, "MESH/VERTICES");
    assert_eq!(vertices[0].get(), [0.5, -1.0, -1.0]);
    // The top's plane: normal up, at four times the height.
    let top = values::<Triangle>(&file.root, "MESH/TRIANGLES")[8];
    assert_eq!((top.normal.get(), top.dist.get()), ([0.0, 0.0, 1.0], 1.0));
    for factor in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(meshwright_edit::transform(&mut crate_box().root, &Transform::Scale([factor; 3])).is_err());
    }
}

#[test]
fn mdx_models_are_transformed_and_back() {
    for (name, bytes) in mdx_samples() {
        for (there, back) in [
            (Transform::Scale([4.0; 3]), Transform::Scale([0.25; 3])),
            (Transform::Translate([8.0, 0.0, -2.0]), Transform::Translate([-8.0, 0.0, 2.0])),
            (Transform::Rotate(Axis::Z, 180.0), Transform::Rotate(Axis::Z, -180.0)),
        ] {
            let mut file = mdx_sample(&bytes);
            let changed = meshwright_edit::transform(&mut file.root, &there);
            if let (Err(error), Transform::Rotate(..)) = (&changed, there) {
                panic!("{name}: {error}");
            }
            assert!(changed.unwrap() > 3, "{name}: {there:?}");
            assert_ne!(file.bytes(), bytes);
            meshwright_edit::transform(&mut file.root, &back).unwrap();
            // Packed rotations are rounded, and a zero that was turned twice may have another sign.
            if !matches!(there, Transform::Rotate(..)) {
                assert_eq!(file.changed(), NONE, "{name}: {there:?}");
            }
        }
        let mut file = mdx_sample(&bytes);
        meshwright_edit::transform(&mut file.root, &Transform::Translate([1.0, 2.0, 3.0])).unwrap();
        assert_eq!(values::<Vec3>(&file.root, "PIVT")[0].get(), [1.0, 2.0, 7.0], "{name}");
        assert!(
            meshwright_edit::transform(&mut mdx_sample(&bytes).root, &Transform::Scale([1.0, 1.0, 2.0]))
                .is_err()
        );
        assert!(
            meshwright_edit::transform(&mut mdx_sample(&bytes).root, &Transform::Rotate(Axis::X, 90.0))
                .is_err()
        );
    }
}

/// Exporters write a box inside out for a geoset that shows nothing.
#[test]
fn an_empty_box_stays_empty() {
    let mut file = mdx_sample(&mdx_samples()[0].1);
    let model = file.root.find_mut("MODL").and_then(Node::value_mut::<mdx::records::Model>).unwrap();
    model.extent.minimum = Vec3::new(f32::MAX, f32::MAX, f32::MAX);
    model.extent.maximum = Vec3::new(f32::MIN, f32::MIN, f32::MIN);
    let before = *model;
    for what in
        [Transform::Scale([2.0; 3]), Transform::Translate([1.0; 3]), Transform::Rotate(Axis::Z, 180.0)]
    {
        meshwright_edit::transform(&mut file.root, &what).unwrap();
        let extent = value::<mdx::records::Model>(&file.root, "MODL").extent;
        assert_eq!((extent.minimum, extent.maximum), (before.extent.minimum, before.extent.maximum));
    }
}

/// A crate whose first mesh has two more textures and a material that nothing uses.
fn wasteful() -> Fixture {
    let mut file = crate_box();
    let mesh = file.root.find_mut("MESH").unwrap();
    let texture = |name| build::branch(&table::TEXTURE, [build::text(&table::TEXTURE_NAME, name).unwrap()]);
    let textures = mesh.child_mut(&table::TEXTURES).unwrap().children_mut().unwrap();
    textures.insert(0, texture("before.tga"));
    textures.push(texture("after.tga"));
    let materials = mesh.child_mut(&table::VERTEX_MATERIALS).unwrap().children_mut().unwrap();
    materials.push(build::branch(
        &table::VERTEX_MATERIAL,
        [build::text(&table::VERTEX_MATERIAL_NAME, "x").unwrap()],
    ));
    let info = mesh.child_mut(&table::MATERIAL_INFO).unwrap().value_mut::<MaterialInfo>().unwrap();
    info.texture_count.set(3);
    info.vertex_material_count.set(2);
    let stage = mesh.find_mut("MATERIAL_PASS/TEXTURE_STAGE/TEXTURE_IDS").unwrap();
    stage.values_mut::<record::U32>()[0].set(1);
    mesh.children_mut().unwrap().push(build::text(&table::MESH_USER_TEXT, "made by hand").unwrap());
    let stranger = Node::leaf(&table::UNKNOWN, 0xABCDEF, vec![1, 2, 3]);
    mesh.children_mut().unwrap().push(stranger);
    file
}

#[test]
fn what_is_stripped_is_what_was_added() {
    let mut file = wasteful();
    assert_ne!(file.bytes(), file.original);
    for (what, parts) in [
        (Unwanted::UnusedTextures, 2),
        (Unwanted::UnusedMaterials, 1),
        (Unwanted::UserText, 1),
        (Unwanted::Unknown, 1),
        (Unwanted::Unknown, 0),
        (Unwanted::UnusedTextures, 0),
    ] {
        assert_eq!(meshwright_edit::strip(&mut file.root, what).unwrap(), parts, "{what:?}");
    }
    assert_eq!(file.changed(), NONE);
    assert_eq!(meshwright_edit::strip(&mut file.root, Unwanted::UnusedNodes).unwrap(), 0);
}

#[test]
fn mdx_parts_are_stripped_and_the_rest_numbered_anew() {
    for (name, bytes) in mdx_samples() {
        for what in
            [Unwanted::UnusedMaterials, Unwanted::UnusedTextures, Unwanted::UnusedNodes, Unwanted::Unknown]
        {
            let mut file = mdx_sample(&bytes);
            let nodes = |root: &Node<'_>| {
                let bytes = root.to_bytes().unwrap();
                let document = mdx::Document::parse(&bytes).unwrap();
                assert_eq!(document.diagnostics(), [], "{name} {what:?}");
                let ids: Vec<i32> = document.view().nodes().map(|node| node.id()).collect();
                (ids, document.view().pivots().len())
            };
            let (before, pivots) = nodes(&file.root);
            let gone = meshwright_edit::strip(&mut file.root, what).unwrap();
            let (after, pivots_after) = nodes(&file.root);
            if what == Unwanted::UnusedNodes {
                assert_eq!((before.len() - after.len(), pivots - pivots_after), (gone, gone), "{name}");
                let mut sorted = after.clone();
                sorted.sort_unstable();
                assert!(
                    sorted.iter().enumerate().all(|(index, id)| *id == index as i32),
                    "{name}: {sorted:?}"
                );
            } else {
                assert_eq!((before, pivots), (after, pivots_after));
            }
            assert_eq!(
                meshwright_edit::strip(&mut file.root, what).unwrap(),
                0,
                "{name} {what:?}: nothing is left to take out"
            );
        }
    }
}

/// Turned by 90 degrees about Z, X becomes Y and Y becomes minus X: of places, of translations and of the axes of rotations.
#[test]
fn mdx_tracks_turn_with_the_model() {
    use mdx::records::{Interpolation, Key};
    let mut file = mdx_sample(&mdx_samples()[0].1);
    let chunks = file.root.children_mut().unwrap();
    chunks.retain(|chunk| ["VERS", "BONE", "PIVT"].contains(&&*chunk.name()));
    let node = file.root.find_mut("BONE/Bone/Node").unwrap();
    let moves = [(0, Vec3::new(1.0, 2.0, 3.0))];
    let turns = [(0, record::Quaternion::new(0.5, 0.25, 0.125, 0.75))];
    let grows = [(0, Vec3::new(4.0, 5.0, 6.0))];
    let parts = node.children_mut().unwrap();
    parts.truncate(1);
    parts.push(mdx::build::track(mdx::tags::KGTR, Interpolation::LINEAR, -1, &moves).unwrap());
    parts.push(mdx::build::track(mdx::tags::KGRT, Interpolation::LINEAR, -1, &turns).unwrap());
    parts.push(mdx::build::track(mdx::tags::KGSC, Interpolation::LINEAR, -1, &grows).unwrap());
    let mut slanted = file.root.clone();
    meshwright_edit::transform(&mut file.root, &Transform::Rotate(Axis::Z, 90.0)).unwrap();
    let node = file.root.find("BONE/Bone/Node").unwrap();
    let vector = |name| node.find(name).unwrap().values::<Key<Vec3>>()[0].value.get();
    assert_eq!(vector("KGTR"), [-2.0, 1.0, 3.0]);
    assert_eq!(vector("KGSC"), [5.0, 4.0, 6.0]);
    let turn = node.find("KGRT").unwrap().values::<Key<record::Quaternion>>()[0].value.get();
    assert_eq!(turn, [-0.25, 0.5, 0.125, 0.75]);
    let refused = meshwright_edit::transform(&mut slanted, &Transform::Rotate(Axis::Z, 45.0)).unwrap_err();
    assert!(refused.message.contains("KGSC"), "{refused}");
}

/// The vertices of a skin are in the space of their bones: only those of the root are moved.
#[test]
fn of_a_skin_only_the_vertices_of_the_root_move() {
    let mut file = crate_box();
    let mesh = file.root.find_mut("MESH").unwrap();
    let influence = |bone: u16| w3d::records::VertexInfluence {
        bone_idx: [bone.into(), 0.into()],
        ..w3d::records::VertexInfluence::default()
    };
    let influences: Vec<_> = (0..24).map(|vertex| influence(vertex % 2)).collect();
    mesh.children_mut().unwrap().push(build::array(&table::VERTEX_INFLUENCES, &influences));
    meshwright_edit::transform(&mut file.root, &Transform::Translate([0.0, 0.0, 8.0])).unwrap();
    let old = crate_box();
    let before = values::<Vec3>(&old.root, "MESH/VERTICES");
    for (index, (new, old)) in values::<Vec3>(&file.root, "MESH/VERTICES").iter().zip(before).enumerate() {
        let [x, y, z] = old.get();
        assert_eq!(new.get(), [x, y, if index % 2 == 0 { z + 8.0 } else { z }], "{index}");
    }
}

/// Translation channels are scaled in every storage, and rotations are not.
#[test]
fn channels_of_translations_are_scaled() {
    use record::zerocopy::IntoBytes;
    use w3d::names::ChannelType8;
    use w3d::records::{MotionChannel, TimeCodedChannel, TimeCodedKey1};
    let header = TimeCodedChannel {
        num_time_codes: 1.into(),
        vector_len: 1,
        flags: ChannelType8::Y,
        ..TimeCodedChannel::default()
    };
    let key = TimeCodedKey1 { time_code: 7.into(), value: [1.5.into()] };
    let timed = [header.as_bytes(), key.as_bytes()].concat();
    // Four-bit differences: the scale, the first value, one packet of sixteen.
    let motion = MotionChannel {
        flavor: w3d::names::MotionFlavor::new(1),
        vector_len: 1,
        flags: ChannelType8::Z,
        num_time_codes: 3.into(),
        ..MotionChannel::default()
    };
    let delta = [motion.as_bytes(), &0.25_f32.to_le_bytes(), &3.0_f32.to_le_bytes(), &[9; 9]].concat();
    let file = |timed: &[u8], delta: &[u8]| {
        let animation = build::branch(
            &table::COMPRESSED_ANIMATION,
            [
                build::record(
                    &table::COMPRESSED_ANIMATION_HEADER,
                    &w3d::records::CompressedAnimationHeader::default(),
                ),
                build::bytes(&table::COMPRESSED_ANIMATION_CHANNEL, timed),
                build::bytes(&table::COMPRESSED_ANIMATION_MOTION_CHANNEL, delta),
            ],
        );
        Fixture::w3d(&animation.to_bytes().unwrap())
    };
    let mut scaled = file(&timed, &delta);
    meshwright_edit::transform(&mut scaled.root, &Transform::Scale([1.0, 2.0, 4.0])).unwrap();
    let twice = [&timed[..12], &3.0_f32.to_le_bytes()].concat();
    let fourfold = [&delta[..8], &1.0_f32.to_le_bytes(), &12.0_f32.to_le_bytes(), &[9; 9]].concat();
    assert_eq!(scaled.bytes(), file(&twice, &fourfold).original);
}

/// Emitters of particles have a length along X and a width along Y, and no angle: turned by 90 degrees they would have to change
/// places, which their tracks may not allow.
#[test]
fn what_is_longer_than_wide_is_turned_by_right_angles_only() {
    use mdx::records::{ParticleEmitter2Header, WowParticleEmitter2Header};
    /// Gives the first emitter a shape, whatever its dialect.
    fn shape(node: &mut Node<'_>, length: f32, width: f32) -> bool {
        if let Some(emitter) = node.value_mut::<ParticleEmitter2Header>() {
            (emitter.length, emitter.width) = (length.into(), width.into());
            return true;
        }
        if let Some(emitter) = node.value_mut::<WowParticleEmitter2Header>() {
            (emitter.length, emitter.width) = (length.into(), width.into());
            return true;
        }
        node.children_mut().is_some_and(|parts| parts.iter_mut().any(|part| shape(part, length, width)))
    }
    let mut shaped = 0;
    for (name, bytes) in mdx_samples() {
        let mut file = mdx_sample(&bytes);
        // Only the emitters, without tracks that change their size.
        file.root.children_mut().unwrap().retain(|chunk| ["VERS", "PRE2"].contains(&&*chunk.name()));
        if !shape(&mut file.root, 4.0, 2.0) {
            continue;
        }
        shaped += 1;
        for degrees in [45.0, 91.0, -30.0] {
            let turn = Transform::Rotate(Axis::Z, degrees);
            let refused = meshwright_edit::transform(&mut file.root.clone(), &turn).unwrap_err();
            assert!(refused.message.contains("90 degrees"), "{name}, {degrees}: {refused}");
        }
        for degrees in [90.0, -90.0, 180.0, -180.0, 270.0, 360.0] {
            let turn = Transform::Rotate(Axis::Z, degrees);
            assert!(meshwright_edit::transform(&mut file.root.clone(), &turn).is_ok(), "{name}, {degrees}");
        }
    }
    assert!(shaped >= 2, "{shaped} samples have such an emitter");
}

/// Turned about any axis by any angle, vertices are where the formula of the rotation puts them, and bones turn by its quaternion.
#[test]
fn turns_follow_the_right_hand_about_every_axis() {
    for degrees in [0.0, 30.0, 90.0, 180.0, 270.0, 360.0, -90.0, 540.0_f32] {
        let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
        let half = f64::from(degrees).to_radians() / 2.0;
        for (axis, index) in [(Axis::X, 0), (Axis::Y, 1), (Axis::Z, 2)] {
            let mut mesh = crate_box();
            mesh.root.children_mut().unwrap().truncate(1);
            let before = values::<Vec3>(&mesh.root, "MESH/VERTICES").to_vec();
            meshwright_edit::transform(&mut mesh.root, &Transform::Rotate(axis, degrees)).unwrap();
            let (next, last) = ((index + 1) % 3, (index + 2) % 3);
            for (new, old) in values::<Vec3>(&mesh.root, "MESH/VERTICES").iter().zip(&before) {
                let (new, old) = (new.get(), old.get().map(f64::from));
                let mut expected = old;
                expected[next] = old[next] * cos - old[last] * sin;
                expected[last] = old[next] * sin + old[last] * cos;
                for (new, expected) in new.iter().zip(expected) {
                    assert!((f64::from(*new) - expected).abs() < 1e-6, "{axis:?} {degrees}: {old:?}");
                }
            }
            // Without the box, which cannot be turned by all angles.
            let mut model = crate_box();
            model.root.children_mut().unwrap().retain(|chunk| !chunk.is(&table::BOX));
            meshwright_edit::transform(&mut model.root, &Transform::Rotate(axis, degrees)).unwrap();
            let turned = values::<Pivot>(&model.root, "HIERARCHY/PIVOTS")[1].rotation.get();
            let mut expected = [0.0, 0.0, 0.0, half.cos()];
            expected[index] = half.sin();
            // A quaternion and its opposite are one rotation.
            let dot: f64 = turned.iter().zip(expected).map(|(a, b)| f64::from(*a) * b).sum();
            assert!((dot.abs() - 1.0).abs() < 1e-6, "{axis:?} {degrees}: {turned:?}");
        }
    }
}

/// All kinds of translation channels, along every axis and in both ways to number them, are scaled; rotations are not.
#[test]
fn channels_are_scaled_by_what_they_move() {
    use w3d::records::AnimationChannel;
    for (kind, is_translation) in [
        (0, true),
        (1, true),
        (2, true),
        (3, false),
        (4, false),
        (5, false),
        (6, false),
        (7, true),
        (8, true),
        (9, true),
        (10, false),
    ] {
        let mut file = crate_box();
        let animation = file.root.find_mut("ANIMATION").unwrap();
        let channel =
            animation.children_mut().unwrap().iter_mut().find(|part| part.is(&table::ANIMATION_CHANNEL));
        let header = channel.unwrap().value_mut::<AnimationChannel>().unwrap();
        header.flags = w3d::names::ChannelType::new(kind);
        let before = file.root.find("ANIMATION").unwrap().to_bytes().unwrap();
        meshwright_edit::transform(&mut file.root, &Transform::Scale([2.0; 3])).unwrap();
        let after = file.root.find("ANIMATION").unwrap().to_bytes().unwrap();
        assert_eq!(before != after, is_translation, "channel type {kind}");
    }
}
