//! Names, strings and numbers of W3D.

use super::*;

#[test]
fn names_and_strings() {
    let header = |change: fn(&mut HlodHeader)| {
        move |file: &mut Document<'static>| set::<HlodHeader>(file, "HLOD/HLOD_HEADER", change)
    };
    // Version and number of levels, then two names of sixteen bytes.
    let full = header(|it| it.hierarchy_name.0 = *b"SIXTEENLETTERSXX");
    place("W3D-NAME-001", GAME, rich::document(), full, "HLOD/HLOD_HEADER", 24..40);
    rich_case("W3D-NAME-001", header(|it| it.name.0 = *b"FIFTEENLETTERSX\0"), 0);
    // In lists, the second element; in a record inside a record.
    let pivot = |file: &mut Document<'static>| {
        values::<Pivot>(file, "HIERARCHY/PIVOTS", |pivots| pivots[1].name.0 = *b"SIXTEENLETTERSXX");
    };
    place("W3D-NAME-001", GAME, rich::document(), pivot, "HIERARCHY/PIVOTS", 60..76);
    let replacer = |index: usize| {
        move |file: &mut Document<'static>| {
            let mut replacer = TextureReplacer::default();
            replacer.mesh_path[index].0.fill(b'x');
            let body = [&1_u32.to_le_bytes()[..], replacer.as_bytes()].concat();
            children(file, "AGGREGATE").push(bytes(&TEXTURE_REPLACER_INFO, body));
        }
    };
    let path = "AGGREGATE/TEXTURE_REPLACER_INFO";
    place("W3D-NAME-001", GAME, rich::document(), replacer(0), path, 4..36);
    place("W3D-NAME-001", GAME, rich::document(), replacer(2), path, 68..100);
    rich_case(
        "W3D-NAME-002",
        |file| {
            header(|it| (it.name.0[15], it.hierarchy_name.0[15]) = (1, 2))(file);
        },
        1,
    );
    for (byte, found) in [(b' ', false), (0x1F, true), (0x7E, false), (0x7F, true), (0x80, true)] {
        let change = |file: &mut Document<'static>| {
            set::<HlodHeader>(file, "HLOD/HLOD_HEADER", |it| it.name.0[2] = byte);
        };
        assert_eq!(is_found("W3D-NAME-003", change), found, "{byte:#x}");
    }
    assert!(is_found("W3D-NAME-004", header(|it| it.name = name(" TANK"))));
    assert!(is_found("W3D-NAME-004", header(|it| it.name = name("TANK "))));
    assert!(!is_found("W3D-NAME-004", header(|it| it.name = name("MY TANK"))));
    // Fifteen characters count, and case does not.
    let bones = |first: &'static str, second: &'static [u8; 16]| {
        changing_all::<Pivot>("HIERARCHY/PIVOTS", move |pivots| {
            pivots[1].name = name(first);
            pivots[2].name.0 = *second;
        })
    };
    rich_case("W3D-NAME-005", bones("FIFTEENLETTERSX", b"fifteenlettersxY"), 1);
    rich_case("W3D-NAME-005", bones("FOURTEENLETTER", b"FOURTEENLETTERX\0"), 0);
    let twice = bones("BONE", b"BONE\0\0\0\0\0\0\0\0\0\0\0\0");
    place("W3D-NAME-005", GAME, rich::document(), twice, "HIERARCHY/PIVOTS", 120..136);
}

#[test]
fn names_of_objects_are_unique_among_their_sort() {
    for path in [
        "MESH",
        "BOX",
        "SHDMESH",
        "EMITTER",
        "HLOD",
        "HMODEL",
        "LODMODEL",
        "AGGREGATE",
        "HIERARCHY",
        "ANIMATION",
        "COMPRESSED_ANIMATION",
        "MORPH_ANIMATION",
    ] {
        let twice = |file: &mut Document<'static>| {
            let twice = node(file, path).clone();
            children(file, "").push(twice);
        };
        assert!(is_found("W3D-NAME-006", twice), "{path}");
    }
    // A model, its skeleton and its animation share a name.
    for sort in ["HMODEL/HMODEL_HEADER", "LODMODEL/LODMODEL_HEADER"] {
        assert!(is_found("W3D-NAME-006", |file| {
            let header = node(file, sort);
            if let Some(header) = header.value_mut::<HModelHeader>() {
                header.name = name("MWCRATE");
            } else {
                header.value_mut::<LodModelHeader>().expect("a header").name = name("mwcrate");
            }
        }));
    }
    assert!(!is_found("W3D-NAME-006", |_| {}));
}

#[test]
fn strings_of_chunks() {
    let texture = "MESH/TEXTURES/TEXTURE/TEXTURE_NAME";
    let long = |length: usize| {
        move |file: &mut Document<'static>| {
            *node(file, texture) = text(&TEXTURE_NAME, &"x".repeat(length)).expect("ASCII");
        }
    };
    rich_case("W3D-NAME-009", long(255), 0);
    rich_case("W3D-NAME-009", long(256), 1);
    place("W3D-NAME-009", GAME, rich::document(), long(256), texture, 0..257);
    // Comments and arguments may be longer.
    for (parent, chunk) in [
        ("MESH", MESH_USER_TEXT.row),
        ("MESH/VERTEX_MATERIALS/VERTEX_MATERIAL", VERTEX_MAPPER_ARGS0.row),
        ("MESH/VERTEX_MATERIALS/VERTEX_MATERIAL", VERTEX_MAPPER_ARGS1.row),
        ("SHDMESH", SHDMESH_USER_TEXT.row),
    ] {
        rich_case(
            "W3D-NAME-009",
            |file| children(file, parent).push(text(chunk, &"x".repeat(999)).expect("ASCII")),
            0,
        );
    }
    let without = |file: &mut Document<'static>| *node(file, texture) = bytes(&TEXTURE_NAME, *b"a.tga");
    place("W3D-NAME-010", GAME, rich::document(), without, texture, 0..5);
    rich_case("W3D-NAME-010", |file| *node(file, texture) = bytes(&TEXTURE_NAME, *b"a.tga\0"), 0);
    // Placeholders count their characters.
    for chunk in [PLACEHOLDER.row, TRANSFORM_NODE.row] {
        rich_case("W3D-NAME-010", |file| children(file, "COLLECTION").push(w3d::sample::example(chunk)), 0);
    }
}

#[test]
fn numbers_that_are_not_finite() {
    let nan = f32::NAN;
    let vertex = |file: &mut Document<'static>| {
        values::<Vec3>(file, "MESH/VERTICES", |all| {
            all[1].z.set(nan);
            all[3].x.set(f32::INFINITY);
        });
    };
    rich_case("W3D-NAME-011", vertex, 1);
    place("W3D-NAME-011", GAME, rich::document(), vertex, "MESH/VERTICES", 20..24);
    rich_case("W3D-NAME-012", vertex, 0);
    let pivot = |file: &mut Document<'static>| {
        values::<Pivot>(file, "HIERARCHY/PIVOTS", |all| all[1].rotation.w.set(nan));
    };
    rich_case("W3D-NAME-011", pivot, 1);
    // The record of a bone has 60 bytes; the last number of its rotation is at 56.
    place("W3D-NAME-011", GAME, rich::document(), pivot, "HIERARCHY/PIVOTS", 116..120);
    // Angles are stored but never read.
    rich_case(
        "W3D-NAME-011",
        |file| values::<Pivot>(file, "HIERARCHY/PIVOTS", |all| all[1].euler_angles.x.set(nan)),
        0,
    );
    // After a header; and not in what nobody reads.
    let channel = |file: &mut Document<'static>| {
        let body = node(file, OPENING).bytes_mut().expect("a leaf");
        body[12 + 4..12 + 8].copy_from_slice(&nan.to_le_bytes());
    };
    place("W3D-NAME-012", GAME, rich::document(), channel, OPENING, 16..20);
    rich_case(
        "W3D-NAME-012",
        |file| node(file, OPENING).bytes_mut().expect("a leaf").extend(nan.to_le_bytes()),
        0,
    );
    // In an array of a record: the matrix of a fixup.
    let fixup = |file: &mut Document<'static>| {
        let mut fixups = vec![0; 48 * 3];
        fixups[48 + 40..48 + 44].copy_from_slice(&nan.to_le_bytes());
        children(file, "HIERARCHY").push(bytes(&PIVOT_FIXUPS, fixups));
    };
    place("W3D-NAME-012", GAME, rich::document(), fixup, "HIERARCHY/PIVOT_FIXUPS", 88..92);
}
