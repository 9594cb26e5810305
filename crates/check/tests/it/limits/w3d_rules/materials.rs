//! Shaders, materials and textures of W3D.

use super::*;

#[test]
fn values_of_shaders() {
    type Change = fn(&mut Shader, u8);
    let fields: [(Change, u8, u8); 10] = [
        (|shader, value| shader.depth_compare = DepthCompare::new(value), 7, 7),
        (|shader, value| shader.depth_mask = DepthMask::new(value), 1, 1),
        (|shader, value| shader.dest_blend = DestBlend::new(value), 6, 6),
        (|shader, value| shader.src_blend = SrcBlend::new(value), 3, 3),
        (|shader, value| shader.pri_gradient = PriGradient::new(value), 3, 5),
        (|shader, value| shader.sec_gradient = SecGradient::new(value), 1, 1),
        (|shader, value| shader.texturing = Texturing::new(value), 1, 1),
        (|shader, value| shader.detail_color_func = DetailColorFunc::new(value), 8, 12),
        (|shader, value| shader.detail_alpha_func = DetailAlphaFunc::new(value), 3, 3),
        (|shader, value| shader.alpha_test = AlphaTest::new(value), 1, 1),
    ];
    for (change, old, new) in fields {
        for (game, last) in
            [(Game::Renegade, old), (Game::Generals, old), (Game::ZeroHour, new), (Game::Bfme2, new)]
        {
            for (value, expected) in [(last, 0), (last + 1, 1)] {
                let mut file = rich::document();
                values::<Shader>(&mut file, "MESH/SHADERS", |shaders| change(&mut shaders[0], value));
                assert_eq!(count(&file, game, "W3D-GAME-003"), expected, "{game:?}");
            }
        }
    }
    let second = |file: &mut Document<'static>| {
        let one = node(file, "MESH/SHADERS").values::<Shader>()[0];
        let strange = Shader { alpha_test: AlphaTest::new(2), ..one };
        node(file, "MESH/SHADERS").set_values(&[one, strange]);
    };
    place("W3D-GAME-003", GAME, rich::document(), second, "MESH/SHADERS", 16..32);
    let surface = |file: &mut Document<'static>| {
        values::<Triangle>(file, "MESH/TRIANGLES", |all| all[1].attributes = SurfaceType::new(200));
    };
    rich_case("W3D-GAME-005", surface, 1);
    place("W3D-GAME-005", GAME, rich::document(), surface, "MESH/TRIANGLES", 32..64);
    let byte = |value: u32| {
        changing_all::<Triangle>("MESH/TRIANGLES", move |all| all[1].attributes = SurfaceType::new(value))
    };
    rich_case("W3D-MESH-007", byte(255), 0);
    rich_case("W3D-MESH-007", byte(256), 1);
    place("W3D-MESH-007", GAME, rich::document(), byte(256), "MESH/TRIANGLES", 32..64);
}

const INFO: &str = "MESH/MATERIAL_INFO";

#[test]
fn counts_of_materials() {
    let passes = |count: usize| {
        move |file: &mut Document<'static>| {
            let pass = node(file, "MESH/MATERIAL_PASS").clone();
            children(file, "MESH").extend(vec![pass; count - 1]);
            set::<MaterialInfo>(file, INFO, |info| info.pass_count.set(count as u32));
        }
    };
    rich_case("W3D-MAT-002", passes(4), 0);
    rich_case("W3D-MAT-002", passes(5), 1);
    rich_case("W3D-MAT-001", passes(2), 0);
    rich_case("W3D-MAT-001", |file| set::<MaterialInfo>(file, INFO, |info| info.pass_count.set(0)), 1);
    let stages = |count: usize| {
        move |file: &mut Document<'static>| {
            let stage = node(file, "MESH/MATERIAL_PASS/TEXTURE_STAGE").clone();
            children(file, "MESH/MATERIAL_PASS").extend(vec![stage; count - 1]);
        }
    };
    rich_case("W3D-MAT-003", stages(2), 0);
    rich_case("W3D-MAT-003", stages(3), 1);
    let colors = |greys: &'static [u8]| {
        move |file: &mut Document<'static>| {
            let pass = node(file, "MESH/MATERIAL_PASS").clone();
            for grey in greys {
                let mut pass = pass.clone();
                let color = Rgba { r: *grey, g: 0, b: 0, a: 255 };
                pass.children_mut().expect("parts").push(array(&DCG, &[color; 24]));
                children(file, "MESH").push(pass);
            }
        }
    };
    rich_case("W3D-MAT-004", colors(&[1, 2]), 0);
    rich_case("W3D-MAT-004", colors(&[1, 2, 1]), 0);
    rich_case("W3D-MAT-004", colors(&[1, 2, 3]), 1);
    let materials = |count: usize| {
        move |file: &mut Document<'static>| {
            let material = node(file, "MESH/VERTEX_MATERIALS/VERTEX_MATERIAL").clone();
            children(file, "MESH/VERTEX_MATERIALS").extend(vec![material; count - 1]);
        }
    };
    rich_case("W3D-MAT-008", materials(16), 0);
    rich_case("W3D-MAT-008", materials(17), 1);
    let stated = |change: fn(&mut MaterialInfo)| {
        move |file: &mut Document<'static>| set::<MaterialInfo>(file, INFO, change)
    };
    rich_case("W3D-MAT-005", stated(|info| info.vertex_material_count.set(2)), 1);
    rich_case("W3D-MAT-005", stated(|info| info.shader_count.set(0)), 1);
    rich_case("W3D-MAT-005", stated(|info| info.texture_count.set(9)), 1);
    // A missing list counts as empty.
    rich_case(
        "W3D-MAT-005",
        |file| {
            let lists = [&TEXTURES, &VERTEX_MATERIALS];
            children(file, "MESH").retain(|part| !lists.iter().any(|list| part.is(list)));
            set::<MaterialInfo>(file, INFO, |info| {
                info.texture_count.set(0);
                info.vertex_material_count.set(0);
            });
        },
        0,
    );
    // Each wrapper has separate materials.
    for wrapper in [
        PRELIT_UNLIT.row,
        PRELIT_VERTEX.row,
        PRELIT_LIGHTMAP_MULTI_PASS.row,
        PRELIT_LIGHTMAP_MULTI_TEXTURE.row,
    ] {
        let wrapped = |file: &mut Document<'static>| {
            let passes = vec![branch(&MATERIAL_PASS, []); 5];
            children(file, "MESH").push(branch(wrapper, passes));
        };
        rich_case("W3D-MAT-002", wrapped, 1);
    }
    let ps2 = |count: usize| {
        move |file: &mut Document<'static>| {
            children(file, "MESH").push(array(&PS2_SHADERS, &vec![Ps2Shader::default(); count]));
        }
    };
    rich_case("W3D-MAT-015", ps2(1), 0);
    rich_case("W3D-MAT-015", ps2(2), 1);
    for (level, found) in [(0, false), (32, false), (33, true), (-1, true)] {
        let change = |file: &mut Document<'static>| {
            set::<MeshHeader3>(file, HEADER, |header| header.sort_level.set(level));
        };
        assert_eq!(is_found("W3D-MAT-010", change), found, "{level}");
    }
}

#[test]
fn ids_of_materials() {
    let words = |chunk: &'static w3d::Chunk, path: &'static str, ids: &'static [u32]| {
        let ids: Vec<U32> = ids.iter().map(|id| U32::new(*id)).collect();
        move |file: &mut Document<'static>| *node(file, path) = array(chunk, &ids)
    };
    let shaders = "MESH/MATERIAL_PASS/SHADER_IDS";
    let materials = "MESH/MATERIAL_PASS/VERTEX_MATERIAL_IDS";
    let textures = "MESH/MATERIAL_PASS/TEXTURE_STAGE/TEXTURE_IDS";
    // One for all, or one for each of 12 triangles or 24 vertices.
    rich_case("W3D-MAT-006", words(&SHADER_IDS, shaders, &[0; 12]), 0);
    rich_case("W3D-MAT-006", words(&SHADER_IDS, shaders, &[0; 11]), 1);
    rich_case("W3D-MAT-006", words(&SHADER_IDS, shaders, &[0; 24]), 1);
    rich_case("W3D-MAT-006", words(&SHADER_IDS, shaders, &[]), 1);
    rich_case("W3D-MAT-006", words(&VERTEX_MATERIAL_IDS, materials, &[0; 24]), 0);
    rich_case("W3D-MAT-006", words(&VERTEX_MATERIAL_IDS, materials, &[0; 12]), 1);
    rich_case("W3D-MAT-006", words(&TEXTURE_IDS, textures, &[0; 12]), 0);
    rich_case("W3D-MAT-006", words(&TEXTURE_IDS, textures, &[0; 24]), 1);
    // There is one of each. Only for textures does -1 mean "no texture".
    for (chunk, path) in
        [(SHADER_IDS.row, shaders), (VERTEX_MATERIAL_IDS.row, materials), (TEXTURE_IDS.row, textures)]
    {
        rich_case("W3D-MAT-007", words(chunk, path, &[0]), 0);
        rich_case("W3D-MAT-007", words(chunk, path, &[1]), 1);
        let expected = usize::from(path != textures);
        rich_case("W3D-MAT-007", words(chunk, path, &[u32::MAX]), expected);
        place("W3D-MAT-007", GAME, rich::document(), words(chunk, path, &[0, 1]), path, 4..8);
    }
    let shader_materials = |count: usize, id: u32| {
        move |file: &mut Document<'static>| {
            let list = branch(&SHADER_MATERIALS, vec![branch(&SHADER_MATERIAL, []); count]);
            children(file, "MESH").push(list);
            children(file, "MESH/MATERIAL_PASS").push(array(&SHADER_MATERIAL_ID, &[U32::new(id)]));
        }
    };
    rich_case(
        "W3D-MAT-007",
        |file| children(file, "MESH/MATERIAL_PASS").push(array(&SHADER_MATERIAL_ID, &[U32::new(0)])),
        1,
    );
    rich_case("W3D-MAT-007", shader_materials(2, 1), 0);
    rich_case("W3D-MAT-007", shader_materials(2, 2), 1);
    // Unused materials.
    let unused = |file: &mut Document<'static>| {
        let texture = node(file, "MESH/TEXTURES/TEXTURE").clone();
        children(file, "MESH/TEXTURES").extend([texture.clone(), texture]);
    };
    rich_case("W3D-MAT-014", unused, 1);
    rich_case("W3D-MAT-014", words(&SHADER_IDS, shaders, &[7]), 1);
    rich_case("W3D-MAT-014", words(&VERTEX_MATERIAL_IDS, materials, &[7]), 1);
    rich_case(
        "W3D-MAT-014",
        |file| {
            unused(file);
            children(file, "MESH").retain(|part| !part.is(&MATERIAL_PASS));
        },
        0,
    );
}

#[test]
fn transparency_and_light_maps() {
    let passes = |count: usize, blend: DestBlend, test: AlphaTest, level: i32| {
        is_found("W3D-MAT-009", |file| {
            values::<Shader>(file, "MESH/SHADERS", |shaders| {
                (shaders[0].dest_blend, shaders[0].alpha_test) = (blend, test);
            });
            let pass = node(file, "MESH/MATERIAL_PASS").clone();
            children(file, "MESH").extend(vec![pass; count - 1]);
            set::<MeshHeader3>(file, HEADER, |header| header.sort_level.set(level));
        })
    };
    assert!(passes(2, DestBlend::ONE, AlphaTest::DISABLE, 0));
    assert!(!passes(1, DestBlend::ONE, AlphaTest::DISABLE, 0));
    assert!(!passes(2, DestBlend::ZERO, AlphaTest::DISABLE, 0));
    assert!(!passes(2, DestBlend::ONE, AlphaTest::ENABLE, 0));
    assert!(!passes(2, DestBlend::ONE, AlphaTest::DISABLE, 1));
    let prelit = |flags: MeshFlags, wrapper: Option<&'static w3d::Chunk>, info: bool| {
        is_found("W3D-MAT-011", |file| {
            set::<MeshHeader3>(file, HEADER, |header| header.attributes = flags);
            children(file, "MESH").retain(|part| info || !part.is(&MATERIAL_INFO));
            children(file, "MESH").extend(wrapper.map(|wrapper| branch(wrapper, [])));
        })
    };
    for (flag, wrapper) in [
        (MeshFlags::PRELIT_UNLIT, PRELIT_UNLIT.row),
        (MeshFlags::PRELIT_VERTEX, PRELIT_VERTEX.row),
        (MeshFlags::PRELIT_LIGHTMAP_MULTI_PASS, PRELIT_LIGHTMAP_MULTI_PASS.row),
        (MeshFlags::PRELIT_LIGHTMAP_MULTI_TEXTURE, PRELIT_LIGHTMAP_MULTI_TEXTURE.row),
    ] {
        assert!(prelit(flag, None, true));
        assert!(!prelit(flag, Some(wrapper), true));
        // Without materials of the mesh's own, the unlit ones are what is left.
        assert_eq!(prelit(MeshFlags::new(0), Some(wrapper), false), wrapper.id != ids::PRELIT_UNLIT);
    }
    assert!(!prelit(MeshFlags::new(0), None, false));
}

/// The type says how long the value is, and the name and the texture say so themselves.
#[test]
fn properties_of_shader_materials() {
    let property = |ty: u32, name_length: u32, value: &[u8]| {
        let body = [&ty.to_le_bytes()[..], &name_length.to_le_bytes(), b"Name\0", value].concat();
        is_found("W3D-MAT-012", |file| {
            let material = branch(&SHADER_MATERIAL, [bytes(&SHADER_MATERIAL_PROPERTY, body)]);
            children(file, "MESH").push(branch(&SHADER_MATERIALS, [material]));
        })
    };
    for (ty, length) in [(2, 4), (3, 8), (4, 12), (5, 16), (6, 4), (7, 1)] {
        assert!(!property(ty, 5, &vec![0; length]), "type {ty}");
        assert!(property(ty, 5, &vec![0; length - 1]), "type {ty} is too short");
        assert!(property(ty, 5, &vec![0; length + 1]), "type {ty} is too long");
    }
    assert!(!property(1, 5, b"\x06\0\0\0a.dds\0"));
    assert!(property(1, 5, b"\x07\0\0\0a.dds\0"), "the length is one too large");
    assert!(property(1, 5, b"\x05\0\0\0a.dds\0"), "the length is one too small");
    assert!(property(1, 5, b"\0\0\0\0"), "no texture at all");
    assert!(property(8, 5, &[0; 4]) && property(0, 5, &[0; 4]), "no such types");
    assert!(property(7, 99, &[0]), "a name that is longer than the chunk");
}

#[test]
fn arguments_of_mappers() {
    let args = |content: &str| {
        is_found("W3D-MAT-013", |file| {
            let args = text(&VERTEX_MAPPER_ARGS0, content).expect("ASCII");
            children(file, "MESH/VERTEX_MATERIALS/VERTEX_MATERIAL").push(args);
        })
    };
    assert!(!args("UPerSec=1\r\n vperSEC = 2 ; Nonsense=1\r\n; Comment=3\r\nno key") && args("X=1"));
    assert!(!args("ClampFix=1\r\nUOffset=2\r\nVOffset=3"));
    let second = |file: &mut Document<'static>| {
        let args = text(&VERTEX_MAPPER_ARGS1, "X=1").expect("ASCII");
        children(file, "MESH/VERTEX_MATERIALS/VERTEX_MATERIAL").push(args);
    };
    assert!(is_found("W3D-MAT-013", second));
}
