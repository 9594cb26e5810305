//! Files that a W3D file refers to.

use super::*;

/// A model or skeleton is loaded from the file of its name or container, an animation from that of its own name.
#[test]
fn files_are_called_like_what_is_in_them() {
    let found =
        |chunk: Node<'static>| !messages_with(&alone(vec![chunk]), GAME, "W3D-NAME-007", &[]).is_empty();
    let animation = |hierarchy: &str, title: &str| {
        let header =
            AnimationHeader { name: name(title), hierarchy_name: name(hierarchy), ..Default::default() };
        branch(&ANIMATION, [record(&ANIMATION_HEADER, &header)])
    };
    assert!(!found(animation("TANK", "MODEL")) && found(animation("MODEL", "WALK")));
    let mesh = |container: &str, title: &str| {
        let header =
            MeshHeader3 { container_name: name(container), mesh_name: name(title), ..Default::default() };
        branch(&MESH, [record(&MESH_HEADER3, &header)])
    };
    assert!(!found(mesh("Model", "HULL")) && found(mesh("TANK", "MODEL")));
}

/// A file of these chunks, alone or among others.
fn alone(chunks: Vec<Node<'static>>) -> Document<'static> {
    let root = Node::branch(&FILE, 0, chunks);
    Document::parse(&root.to_bytes().expect("a file")).expect("a file").into_owned()
}

#[test]
fn textures_of_every_sort_are_looked_for() {
    let textured: [fn() -> Node<'static>; 5] = [
        || {
            let texture = branch(&TEXTURE, [text(&TEXTURE_NAME, "gone.tga").expect("ASCII")]);
            let header = record(&MESH_HEADER3, &MeshHeader3::default());
            branch(&MESH, [header, branch(&TEXTURES, [texture])])
        },
        || {
            let body =
                [&1_u32.to_le_bytes()[..], &5_u32.to_le_bytes(), b"Name\0", b"\x09\0\0\0gone.tga\0"].concat();
            let material = branch(&SHADER_MATERIAL, [bytes(&SHADER_MATERIAL_PROPERTY, body)]);
            let header = record(&MESH_HEADER3, &MeshHeader3::default());
            branch(&MESH, [header, branch(&SHADER_MATERIALS, [material])])
        },
        || {
            let info = EmitterInfo { texture_filename: name("gone.tga"), ..EmitterInfo::default() };
            branch(&EMITTER, [record(&EMITTER_INFO, &info)])
        },
        || {
            let sphere = SphereDef { texture_name: name("gone.tga"), ..SphereDef::default() };
            branch(&SPHERE, [record(&sphere::SPHERE_DEF, &sphere)])
        },
        || {
            let ring = RingDef { texture_name: name("gone.tga"), ..RingDef::default() };
            branch(&RING, [record(&ring::RING_DEF, &ring)])
        },
    ];
    for make in textured {
        let file = Document::W3d(w3d::W3d { root: Node::branch(&FILE, 0, vec![make()]) });
        assert_eq!(messages_with(&file, GAME, "W3D-FILES-002", &[]).len(), 1, "{}", make().name());
        for found in ["gone.tga", "GONE.DDS"] {
            assert_eq!(messages_with(&file, GAME, "W3D-FILES-002", &[(found, b"")]), [""; 0]);
        }
    }
    // Told once, and not at all of a name without extension.
    let mut file = rich::document();
    let rename = |file: &mut Document<'static>, mesh: &str, to: &str| {
        *node(file, &format!("{mesh}/TEXTURES/TEXTURE/TEXTURE_NAME")) =
            text(&TEXTURE_NAME, to).expect("ASCII");
    };
    rename(&mut file, "MESH[0]", "gone.tga");
    rename(&mut file, "MESH[1]", "Gone.tga");
    rename(&mut file, "MESH[2]", "No Texture");
    assert_eq!(messages_with(&file, GAME, "W3D-FILES-002", &[("smoke.tga", b"")]).len(), 1);
}

#[test]
fn names_that_several_files_define() {
    let emitter = |title: &str| {
        let header = EmitterHeader { version: Version::new(2, 0), name: name(title) };
        branch(&EMITTER, [record(&EMITTER_HEADER, &header)])
    };
    let skeleton = |title: &str| {
        let header = HierarchyHeader { version: Version::new(4, 1), name: name(title), ..Default::default() };
        branch(&HIERARCHY, [record(&HIERARCHY_HEADER, &header)])
    };
    let animation = |title: &str| {
        let header =
            AnimationHeader { name: name(title), hierarchy_name: name("TANK"), ..Default::default() };
        branch(&ANIMATION, [record(&ANIMATION_HEADER, &header)])
    };
    let morph = |title: &str| {
        let header =
            MorphAnimHeader { name: name(title), hierarchy_name: name("TANK"), ..Default::default() };
        branch(&MORPH_ANIMATION, [record(&MORPHANIM_HEADER, &header)])
    };
    for (chunk, word) in [
        (emitter("SMOKE"), ""),
        (skeleton("TANK"), "skeleton"),
        (animation("WALK"), "animation"),
        (morph("FACE"), "animation"),
    ] {
        let file = alone(vec![chunk.clone()]);
        let bytes = file.to_bytes().expect("a file");
        let found = |others: &[&str]| {
            let others: Vec<(&str, &[u8])> = others.iter().map(|name| (*name, &bytes[..])).collect();
            messages_with(&file, GAME, "W3D-FILES-004", &others)
        };
        assert_eq!(found(&[]), [""; 0], "its own file is one");
        let two = found(&["a.w3d"]);
        assert!(matches!(&two[..], [one] if one.contains("a.w3d") && one.contains("model.w3d")), "{two:?}");
        assert!(two[0].contains(word) && (!word.is_empty() || !two[0].contains("skeleton")), "{two:?}");
        // Four are named, the others are counted.
        let four = found(&["a.w3d", "b.w3d", "c.w3d"]);
        assert!(!four[0].contains("more"), "{four:?}");
        let six = found(&["a.w3d", "b.w3d", "c.w3d", "d.w3d", "e.w3d"]);
        assert!(six[0].contains("2 more"), "{six:?}");
    }
}

#[test]
fn objects_skeletons_and_poses_are_looked_for() {
    let around = |file: &Document<'static>, code: &str| messages_with(file, GAME, code, &[]).len();
    assert_eq!(
        ["W3D-FILES-001", "W3D-FILES-003", "W3D-FILES-005", "W3D-FILES-006"]
            .map(|code| around(&rich::document(), code)),
        [0; 4]
    );
    let changed = |change: &dyn Fn(&mut Document<'static>), code: &str| {
        let mut file = rich::document();
        change(&mut file);
        around(&file, code)
    };
    let object = |file: &mut Document<'static>| hlod(|object| object.name = name("OTHER.GONE"))(file);
    assert_eq!(changed(&object, "W3D-FILES-003"), 1);
    let nobody = |file: &mut Document<'static>| hlod(|object| object.name = name(""))(file);
    assert_eq!(changed(&nobody, "W3D-FILES-003"), 0);
    let part = |file: &mut Document<'static>| {
        values::<AggregateSubobject>(file, "AGGREGATE/AGGREGATE_INFO", |all| {
            all[0].subobject_name = name("GONE");
        });
    };
    assert_eq!(changed(&part, "W3D-FILES-003"), 1);
    let bone = |file: &mut Document<'static>| {
        values::<AggregateSubobject>(file, "AGGREGATE/AGGREGATE_INFO", |all| all[0].bone_name = name("lid"));
    };
    assert_eq!(changed(&bone, "W3D-FILES-006"), 0);
    let other = |file: &mut Document<'static>| {
        set::<AnimationHeader>(file, "ANIMATION/ANIMATION_HEADER", |header| {
            header.hierarchy_name = name("OTHER");
        });
    };
    assert_eq!(changed(&other, "W3D-FILES-001"), 1);
    let none = |file: &mut Document<'static>| {
        set::<HlodHeader>(file, "HLOD/HLOD_HEADER", |header| header.hierarchy_name = name(""));
    };
    assert_eq!(changed(&none, "W3D-FILES-001"), 0);
    let pose = |to: &'static str| {
        move |file: &mut Document<'static>| {
            let path = "MORPH_ANIMATION/MORPHANIM_CHANNEL/MORPHANIM_POSENAME";
            *node(file, path) = text(&MORPHANIM_POSENAME, to).expect("ASCII");
        }
    };
    assert_eq!(changed(&pose("mwcrate.open"), "W3D-FILES-005"), 0);
    assert_eq!(changed(&pose("MWCRATE.GONE"), "W3D-FILES-005"), 1);
    // In another file it is as good.
    let mut other = alone(vec![node(&mut rich::document(), "MORPH_ANIMATION").clone()]);
    pose("TANK.WALK")(&mut other);
    let header = AnimationHeader { name: name("WALK"), hierarchy_name: name("TANK"), ..Default::default() };
    let walk = alone(vec![branch(&ANIMATION, [record(&ANIMATION_HEADER, &header)])]);
    let bytes = walk.to_bytes().expect("a file");
    assert_eq!(messages_with(&other, GAME, "W3D-FILES-005", &[("walk.w3d", &bytes)]), [""; 0]);
    assert_eq!(messages_with(&other, GAME, "W3D-FILES-005", &[]).len(), 1);
    // Of this container, but not in this file.
    let renamed = |file: &mut Document<'static>| hlod(|object| object.name = name("MWCRATE.GONE"))(file);
    assert_eq!(changed(&renamed, "W3D-HLOD-004"), 1);
    assert_eq!(changed(&object, "W3D-HLOD-004"), 0);
}
