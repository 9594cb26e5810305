//! Skeletons, HLODs and other models.

use super::*;

#[test]
fn skeletons() {
    let pivots = |change: fn(&mut [Pivot])| {
        move |file: &mut Document<'static>| values::<Pivot>(file, "HIERARCHY/PIVOTS", change)
    };
    for (count, expected) in [(3, 0), (2, 1), (4, 1)] {
        let path = "HIERARCHY/HIERARCHY_HEADER";
        rich_case(
            "W3D-HIER-001",
            |file| set::<HierarchyHeader>(file, path, |header| header.num_pivots.set(count)),
            expected,
        );
    }
    rich_case("W3D-HIER-002", pivots(|it| it[0].parent_idx.set(1)), 1);
    rich_case("W3D-HIER-002", pivots(|it| it[2].parent_idx.set(u32::MAX)), 1);
    rich_case("W3D-HIER-003", pivots(|it| it[2].parent_idx.set(1)), 0);
    rich_case("W3D-HIER-003", pivots(|it| it[2].parent_idx.set(2)), 1);
    rich_case("W3D-HIER-003", pivots(|it| it[1].parent_idx.set(1)), 1);
    rich_case("W3D-HIER-003", pivots(|it| it[0].parent_idx.set(0)), 0);
    let path = "HIERARCHY/PIVOTS";
    place("W3D-HIER-002", GAME, rich::document(), pivots(|it| it[1].parent_idx.set(u32::MAX)), path, 60..120);
    place("W3D-HIER-003", GAME, rich::document(), pivots(|it| it[1].parent_idx.set(2)), path, 60..120);
    for (w, found) in [(1.009, false), (1.011, true), (-0.991, false), (0.989, true)] {
        let change = |file: &mut Document<'static>| {
            values::<Pivot>(file, path, |it| it[1].rotation = Quaternion::new(0.0, 0.0, 0.0, w));
        };
        assert_eq!(is_found("W3D-HIER-005", change), found, "{w}");
        if found {
            place("W3D-HIER-005", GAME, rich::document(), change, path, 60..120);
        }
    }
    // The root is the object's own place.
    assert!(!is_found("W3D-HIER-005", pivots(|it| it[0].rotation = Quaternion::new(0.0, 0.0, 0.0, 9.0))));
    for (count, expected) in [(3, 0), (2, 1), (4, 1)] {
        rich_case(
            "W3D-HIER-004",
            |file| children(file, "HIERARCHY").push(bytes(&PIVOT_FIXUPS, vec![0; 48 * count])),
            expected,
        );
    }
    for (version, old) in [(Version::new(2, 9), true), (Version::new(3, 0), false)] {
        let header = |file: &mut Document<'static>| {
            set::<HierarchyHeader>(file, "HIERARCHY/HIERARCHY_HEADER", |header| header.version = version);
        };
        assert_eq!(is_found("W3D-HIER-006", header), old, "{version:?}");
        // An old one has no root.
        assert_eq!(
            is_found("W3D-HIER-002", |file| {
                header(file);
                values::<Pivot>(file, path, |it| it[1].parent_idx.set(u32::MAX));
            }),
            !old
        );
    }
}

#[test]
fn models() {
    rich_case("W3D-HLOD-005", hlod(|object| object.bone_index.set(2)), 0);
    rich_case("W3D-HLOD-005", hlod(|object| object.bone_index.set(3)), 1);
    let header = "HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT_ARRAY_HEADER";
    for (count, expected) in [(4, 0), (3, 1), (5, 1)] {
        rich_case(
            "W3D-HLOD-003",
            |file| set::<HlodArrayHeader>(file, header, |header| header.model_count.set(count)),
            expected,
        );
    }
    // Levels and arrays after them.
    let arrays = |chunks: &'static [&'static w3d::Chunk], sizes: &'static [f32]| {
        move |file: &mut Document<'static>| {
            let level = node(file, "HLOD/HLOD_LOD_ARRAY").clone();
            let parts = children(file, "HLOD");
            parts.truncate(1);
            let mut sizes = sizes.iter();
            for chunk in chunks {
                let mut part = branch(chunk, level.children().iter().cloned());
                if chunk.id == ids::HLOD_LOD_ARRAY {
                    let header = part.child_mut(&HLOD_SUB_OBJECT_ARRAY_HEADER).expect("a header");
                    let size = *sizes.next().unwrap_or(&f32::MAX);
                    header.value_mut::<HlodArrayHeader>().expect("a header").max_screen_size.set(size);
                }
                parts.push(part);
            }
        }
    };
    const LEVEL: &w3d::Chunk = HLOD_LOD_ARRAY.row;
    let after = [HLOD_AGGREGATE_ARRAY.row, HLOD_PROXY_ARRAY.row, HLOD_LIGHT_ARRAY.row];
    rich_case("W3D-HLOD-001", arrays(&[LEVEL, HLOD_AGGREGATE_ARRAY.row], &[]), 0);
    for chunk in after {
        let early = |file: &mut Document<'static>| {
            arrays(&[LEVEL], &[])(file);
            let level = node(file, "HLOD/HLOD_LOD_ARRAY").clone();
            children(file, "HLOD").insert(1, branch(chunk, level.children().iter().cloned()));
        };
        rich_case("W3D-HLOD-001", early, 1);
        // Their objects are counted, have bones, and start with a header.
        for code in ["W3D-HLOD-003", "W3D-HLOD-005", "W3D-HLOD-007"] {
            let wrong = |file: &mut Document<'static>| {
                early(file);
                let array = &mut children(file, "HLOD")[1];
                if code == "W3D-HLOD-003" {
                    let header = array.child_mut(&HLOD_SUB_OBJECT_ARRAY_HEADER).expect("a header");
                    header.value_mut::<HlodArrayHeader>().expect("a header").model_count.set(9);
                } else if code == "W3D-HLOD-005" {
                    let object = array.child_mut(&HLOD_SUB_OBJECT).expect("an object");
                    object.value_mut::<HlodSubObject>().expect("an object").bone_index.set(7);
                } else {
                    array.children_mut().expect("parts").reverse();
                }
            };
            rich_case(code, wrong, 1);
        }
    }
    rich_case("W3D-HLOD-001", |file| children(file, "HLOD").reverse(), 1);
    let levels = |count: u32| {
        move |file: &mut Document<'static>| {
            arrays(&[LEVEL, LEVEL], &[1.0])(file);
            set::<HlodHeader>(file, "HLOD/HLOD_HEADER", |header| header.lod_count.set(count));
        }
    };
    rich_case("W3D-HLOD-002", levels(2), 0);
    rich_case("W3D-HLOD-002", levels(1), 1);
    rich_case("W3D-HLOD-002", levels(3), 1);
    // Screen sizes ascend up to the largest float.
    for (sizes, found) in [
        (&[f32::MAX][..], false),
        (&[5.0], false),
        (&[1.0, f32::MAX], false),
        (&[1.0, 1.0, f32::MAX], false),
        (&[2.0, 1.0, f32::MAX], true),
        (&[1.0, 2.0], true),
        (&[1.0, f32::MAX * 0.4], true),
        (&[1.0, f32::MAX * 0.49], true),
        (&[1.0, f32::MAX * 0.51], false),
        (&[1.0, f32::MAX / 2.0], false),
    ] {
        let chunks: &'static [&'static w3d::Chunk] = match sizes.len() {
            1 => &[LEVEL],
            2 => &[LEVEL, LEVEL],
            _ => &[LEVEL, LEVEL, LEVEL],
        };
        assert_eq!(is_found("W3D-HLOD-006", arrays(chunks, sizes)), found, "{sizes:?}");
    }
}

#[test]
fn counts_of_other_models() {
    for (count, expected) in [(1, 0), (0, 1), (2, 1)] {
        rich_case(
            "W3D-AGGR-001",
            |file| {
                set::<AggregateInfo>(file, "AGGREGATE/AGGREGATE_INFO", |info| {
                    info.subobject_count.set(count);
                });
            },
            expected,
        );
        rich_case(
            "W3D-COLL-001",
            |file| {
                let path = "COLLECTION/COLLECTION_HEADER";
                set::<CollectionHeader>(file, path, |header| header.render_object_count.set(count));
            },
            expected,
        );
        let count = u16::try_from(count).expect("small");
        rich_case(
            "W3D-LODM-001",
            |file| {
                set::<LodModelHeader>(file, "LODMODEL/LODMODEL_HEADER", |header| header.num_lods.set(count));
            },
            expected,
        );
        rich_case(
            "W3D-HMOD-001",
            |file| {
                set::<HModelHeader>(file, "HMODEL/HMODEL_HEADER", |header| header.num_connections.set(count));
            },
            expected,
        );
    }
    // Nodes of all kinds are connections; points are not.
    for (chunk, counted) in [
        (NODE.row, true),
        (COLLISION_NODE.row, true),
        (SKIN_NODE.row, true),
        (SHADOW_NODE.row, true),
        (POINTS.row, false),
    ] {
        let expected: usize = if counted { 1 } else { 0 };
        let connection = HModelNode { render_obj_name: name("BODY"), pivot_idx: 1.into() };
        rich_case("W3D-HMOD-001", |file| children(file, "HMODEL").push(record(chunk, &connection)), expected);
    }
    let bone = |bone: u16, version: Version| {
        move |file: &mut Document<'static>| {
            set::<HModelNode>(file, "HMODEL/NODE", |connection| connection.pivot_idx.set(bone));
            set::<HModelHeader>(file, "HMODEL/HMODEL_HEADER", |header| header.version = version);
        }
    };
    rich_case("W3D-HMOD-002", bone(2, Version::new(4, 1)), 0);
    rich_case("W3D-HMOD-002", bone(3, Version::new(4, 1)), 1);
    // Before version 3.0 the file has no root, and 65535 refers to it.
    rich_case("W3D-HMOD-002", bone(65535, Version::new(2, 0)), 0);
    rich_case("W3D-HMOD-002", bone(65534, Version::new(2, 0)), 1);
    rich_case("W3D-HMOD-002", bone(65535, Version::new(3, 0)), 1);
}

#[test]
fn meshes_on_bones_of_their_name() {
    // BODY is bone 1, LID bone 2.
    rich_case("W3D-NAME-008", hlod(|object| object.bone_index.set(1)), 0);
    assert!(is_found("W3D-NAME-008", hlod(|object| object.bone_index.set(2))));
    // A skin may be called like a bone.
    let skin = |flags: MeshFlags| {
        is_found("W3D-NAME-008", |file| {
            hlod(|object| object.bone_index.set(0))(file);
            set::<MeshHeader3>(file, HEADER, |header| header.attributes = flags);
        })
    };
    assert!(skin(MeshFlags::new(0)) && !skin(MeshFlags::GEOMETRY_SKIN));
}
