//! Names, paths and fields: exactly the bytes that must change do, and changing back gives the original.

use std::collections::BTreeSet;

use crate::common::{Fixture, NONE, crate_box, differences, mdx_sample, mdx_samples};
use meshwright_edit::{Assignment, Named, Replacement};
use record::Node;

#[test]
fn a_mesh_is_renamed_in_its_header_and_in_the_model() {
    let mut file = crate_box();
    assert_eq!(meshwright_edit::rename(&mut file.root, Named::Mesh, "lid", "TOPPING").unwrap(), 2);
    let header = file.start("MESH[1]/MESH_HEADER3") + 8;
    let object = file.start("HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT[1]") + 4 + "MWCRATE.".len();
    // `LID` -> `TOPPING`: seven bytes in each place, all of which differ.
    let expected: Vec<usize> = (header..header + 7).chain(object..object + 7).collect();
    assert_eq!(file.changed(), expected);
    assert_eq!(meshwright_edit::rename(&mut file.root, Named::Mesh, "TOPPING", "LID").unwrap(), 2);
    assert_eq!(file.changed(), NONE);
}

#[test]
fn a_mesh_can_be_named_with_its_container() {
    let mut file = crate_box();
    assert_eq!(meshwright_edit::rename(&mut file.root, Named::Mesh, "OTHER.LID", "TOP").unwrap(), 0);
    assert_eq!(meshwright_edit::rename(&mut file.root, Named::Mesh, "MWCRATE.LID", "TOP").unwrap(), 2);
    // A box has a full name too: it, and the model that holds it.
    assert_eq!(meshwright_edit::rename(&mut file.root, Named::Mesh, "BOUNDS", "HULL").unwrap(), 2);
}

#[test]
fn a_model_is_renamed_with_all_that_belongs_to_it() {
    let mut file = crate_box();
    let changed = meshwright_edit::rename(&mut file.root, Named::Model, "MWCRATE", "OAKCASE").unwrap();
    // Two meshes' containers, the box, the skeleton, the animation's skeleton, the model and its skeleton, three sub-objects.
    assert_eq!(changed, 2 + 1 + 1 + 1 + 2 + 3);
    let text = String::from_utf8_lossy(&file.bytes()).into_owned();
    assert!(
        !text.contains("MWCRATE") && text.contains("mwcrate.tga"),
        "the texture's file is another matter"
    );
    meshwright_edit::rename(&mut file.root, Named::Model, "OAKCASE", "MWCRATE").unwrap();
    assert_eq!(file.changed(), NONE);
    assert_eq!(meshwright_edit::rename(&mut file.root, Named::Container, "MWCRATE", "BOX").unwrap(), 6);
}

#[test]
fn bones_and_animations_are_renamed() {
    let mut file = crate_box();
    assert_eq!(meshwright_edit::rename(&mut file.root, Named::Bone, "LID", "HINGE").unwrap(), 1);
    let pivot = file.start("HIERARCHY/PIVOTS") + 2 * 60;
    // `LID` -> `HINGE`: the I stays where a I was.
    assert_eq!(file.changed(), [pivot, pivot + 2, pivot + 3, pivot + 4]);
    assert_eq!(meshwright_edit::rename(&mut file.root, Named::Animation, "OPEN", "SHUT").unwrap(), 1);
    meshwright_edit::rename(&mut file.root, Named::Animation, "SHUT", "OPEN").unwrap();
    meshwright_edit::rename(&mut file.root, Named::Bone, "HINGE", "LID").unwrap();
    assert_eq!(file.changed(), NONE);
}

#[test]
fn names_that_do_not_fit_or_exist_are_refused() {
    let refused = |what, old: &str, new: &str| {
        meshwright_edit::rename(&mut crate_box().root, what, old, new)
            .map_err(|error| error.message)
            .unwrap_err()
    };
    let long = refused(Named::Mesh, "LID", "SIXTEENLETTERSXY");
    assert!(long.contains("16 characters") && long.contains("limit is 15"), "{long}");
    assert!(refused(Named::Mesh, "LID", "BODY").contains("already"));
    assert!(refused(Named::Bone, "LID", "body").contains("already"));
    assert!(refused(Named::Mesh, "LID", "A.B").contains("separator"));
    assert!(refused(Named::Mesh, "LID", "").contains("empty"));
    assert!(refused(Named::Mesh, "LID", "\u{4e2d}").contains("1252"));
    assert!(refused(Named::Camera, "LID", "X").contains("no cameras"));
    // In other case it is the same name.
    assert_eq!(meshwright_edit::rename(&mut crate_box().root, Named::Mesh, "LID", "Lid").unwrap(), 2);
}

#[test]
fn mdx_names_are_changed_and_changed_back() {
    for (name, bytes) in mdx_samples() {
        for (what, old, new, places) in [
            (Named::Bone, "Root", "Trunk", 1),
            (Named::Bone, "Origin Ref", "O", 1),
            (Named::Model, "Sample", "Other Model", 1),
            (Named::Animation, "Stand", "Idle - First", 1),
            (Named::Bone, "Nobody", "Somebody", 0),
        ] {
            let mut file = mdx_sample(&bytes);
            let changed = meshwright_edit::rename(&mut file.root, what, old, new).unwrap();
            assert!(changed >= places && (places > 0 || changed == 0), "{name}: {old}");
            assert!(file.changed().len() <= new.len().max(old.len()) * changed, "{name}: {old}");
            meshwright_edit::rename(&mut file.root, what, new, old).unwrap();
            assert_eq!(file.changed(), NONE, "{name}: {old}");
        }
        let refused =
            meshwright_edit::rename(&mut mdx_sample(&bytes).root, Named::Bone, "Root", &"x".repeat(80))
                .unwrap_err();
        assert!(refused.message.contains("limit is 79"), "{refused}");
        assert!(meshwright_edit::rename(&mut mdx_sample(&bytes).root, Named::Container, "a", "b").is_err());
    }
}

#[test]
fn textures_grow_and_every_size_above_them_follows() {
    let mut file = crate_box();
    let replacement = Replacement::exact("MWCRATE.TGA", "a_longer_name.tga").unwrap();
    assert_eq!(meshwright_edit::retexture(&mut file.root, &replacement, false).unwrap(), 2);
    let new = file.bytes();
    assert_eq!(new.len(), file.original.len() + 2 * 6);
    // By hand: the name, and the size words of name, texture, textures and mesh.
    let mut expected = file.original.clone();
    for mesh in ["MESH[1]", "MESH[0]"] {
        let name = file.start(&format!("{mesh}/TEXTURES/TEXTURE/TEXTURE_NAME"));
        for part in ["", "/TEXTURES", "/TEXTURES/TEXTURE", "/TEXTURES/TEXTURE/TEXTURE_NAME"] {
            let word = file.start(&format!("{mesh}{part}")) - 4;
            expected[word] = expected[word].checked_add(6).unwrap_or_else(|| {
                expected[word + 1] += 1;
                expected[word].wrapping_add(6)
            });
        }
        expected.splice(name..name + 11, *b"a_longer_name.tga");
    }
    assert_eq!(new, expected);
    let back = Replacement::exact("a_longer_name.tga", "mwcrate.tga").unwrap();
    meshwright_edit::retexture(&mut file.root, &back, false).unwrap();
    assert_eq!(file.changed(), NONE);
}

#[test]
fn patterns_change_what_they_match() {
    let glob = Replacement::glob("mw*.tg?", "x_*_$.?").unwrap();
    assert_eq!(glob.apply("MWcrate.tga").as_deref(), Some("x_crate_$.a"));
    assert_eq!(glob.apply("xmwcrate.tga"), None);
    assert!(Replacement::glob("a*", "*b*").is_err());
    assert!(Replacement::regex("(", "").is_err());
    let mut file = crate_box();
    let regex = Replacement::regex(r"^(\w+)\.tga$", "art/$1.dds").unwrap();
    assert_eq!(meshwright_edit::retexture(&mut file.root, &regex, false).unwrap(), 2);
    assert_eq!(
        w3d::W3d::parse(&file.bytes()).unwrap().meshes().next().unwrap().texture_names(),
        ["art/mwcrate.dds"]
    );
}

/// Every place of the table, in a file that has them all: texts of stated length keep it right.
#[test]
fn every_texture_of_every_chunk_is_reached() {
    let original = w3d::sample::every_chunk();
    let mut file = Fixture::w3d(&original);
    // One byte for one, in each place: texts, fixed fields (full to the last byte in this file), shader properties.
    let to = Replacement::regex("^[^~]", "~").unwrap();
    let changed = meshwright_edit::retexture(&mut file.root, &to, false).unwrap();
    assert!(changed > 20, "{changed}");
    assert_eq!(file.changed().len(), changed);
    // The length word before a shader property's texture goes with it.
    let mut file = Fixture::w3d(&original);
    let longer = Replacement::exact("a.dd", "longer.dds").unwrap();
    let properties = meshwright_edit::retexture(&mut file.root, &longer, false).unwrap();
    assert!(properties > 0);
    assert_eq!(file.bytes().len(), original.len() + 6 * properties);
    let again = w3d::W3d::parse(&file.bytes()).map(|file| file.to_json()).unwrap();
    // The lengths fit, so the text form does not say them.
    assert_eq!(again.matches("\"texture\": \"longer.dds\"").count(), properties, "{again}");
    assert!(!again.contains("texture_length"), "{again}");
    let back = Replacement::exact("longer.dds", "a.dd").unwrap();
    meshwright_edit::retexture(&mut file.root, &back, false).unwrap();
    assert_eq!(differences(&file.original, &file.bytes()), NONE);
}

#[test]
fn mdx_textures_and_other_paths() {
    for (name, bytes) in mdx_samples() {
        let mut file = mdx_sample(&bytes);
        let to = Replacement::regex("^(.+)$", "x$1").unwrap();
        let few = meshwright_edit::retexture(&mut file.root, &to, false).unwrap();
        let mut other = mdx_sample(&bytes);
        let all = meshwright_edit::retexture(&mut other.root, &to, true).unwrap();
        assert!(few > 0 && all >= few, "{name}: {few} {all}");
        let back = Replacement::regex("^x(.+)$", "$1").unwrap();
        meshwright_edit::retexture(&mut file.root, &back, false).unwrap();
        meshwright_edit::retexture(&mut other.root, &back, true).unwrap();
        assert_eq!((file.changed(), other.changed()), (vec![], vec![]), "{name}");
    }
}

/// The names of the leaves of a file that are not as they were.
fn changed_parts(file: &Fixture, original: &Node<'_>) -> BTreeSet<String> {
    fn leaves(root: &Node<'_>) -> Vec<(String, Vec<u8>)> {
        let mut found = Vec::new();
        root.walk(&mut |place| {
            if place.node.children().is_empty() {
                found.push((place.node.name().to_string(), place.node.bytes().to_vec()));
            }
        });
        found
    }
    let (before, after) = (leaves(original), leaves(&file.root));
    assert_eq!(before.len(), after.len());
    let changed = before.into_iter().zip(after).filter(|(before, after)| before != after);
    changed.map(|((name, _), _)| name).collect()
}

/// The chunks in which the format has textures, as far as the sample has them; shader properties and micro-chunks among them.
#[test]
fn the_chunks_of_w3d_that_name_textures() {
    let original = w3d::sample::every_chunk();
    let mut file = Fixture::w3d(&original);
    let to = Replacement::regex("^[^~]", "~").unwrap();
    meshwright_edit::retexture(&mut file.root, &to, true).unwrap();
    let parts: Vec<String> =
        changed_parts(&file, &w3d::W3d::parse(&original).unwrap().root).into_iter().collect();
    assert_eq!(
        parts.join(" "),
        "EMITTER_INFO LEGACY_TEXTURE0 LEGACY_TEXTURE1 LEGACY_TEXTURE2 LEGACY_TEXTURE3 LEGACY_TEXTURE4 \
         LEGACY_TEXTURE5 LEGACY_TEXTURE6 LEGACY_TEXTURE7 MAP3_FILENAME MATERIALS MATERIALS2 RING_DEF \
         SHADER_MATERIAL_PROPERTY SPHERE_DEF TEXTURE TEXTURE_NAME TEXTURE_REPLACER_INFO"
    );
}

/// Textures, the models of emitters and effects, and what animates a face.
#[test]
fn the_chunks_of_mdx_that_name_files() {
    let mut parts = BTreeSet::new();
    for (_, bytes) in mdx_samples() {
        let mut file = mdx_sample(&bytes);
        let to = Replacement::regex("^[^~]", "~").unwrap();
        meshwright_edit::retexture(&mut file.root, &to, true).unwrap();
        parts.append(&mut changed_parts(&file, &mdx::Document::parse(&bytes).unwrap().root));
    }
    let parts: Vec<String> = parts.into_iter().collect();
    assert_eq!(parts.join(" "), "FAFX ParticleEmitterHeader PopcornEmitterHeader TEXS");
}

/// A face effect belongs to a bone, by name.
#[test]
fn a_bone_is_renamed_in_face_effects() {
    let with_effects = |(_, bytes): &(&str, Vec<u8>)| mdx_sample(bytes).root.find("FAFX").is_some();
    let (name, bytes) = mdx_samples().into_iter().find(with_effects).expect("a version has face effects");
    let mut file = mdx_sample(&bytes);
    assert_eq!(meshwright_edit::rename(&mut file.root, Named::Bone, "Node", "Head").unwrap(), 1, "{name}");
    let effects = file.root.find("FAFX").unwrap().values::<mdx::records::FaceEffect>();
    assert_eq!(effects[0].target.to_string(), "Head");
}

/// Renames everything of a kind in every sample, as far as it has names that can be changed, and tells which chunks that changes.
fn renamed_parts(what: Named) -> BTreeSet<String> {
    let w3d = std::iter::once(Fixture::w3d(&w3d::sample::every_chunk()));
    let mdx = mdx_samples().into_iter().map(|(_, bytes)| mdx_sample(&bytes));
    let mut parts = BTreeSet::new();
    for mut file in w3d.chain(mdx) {
        let original = file.root.clone();
        for name in meshwright_edit::names(&mut file.root, what).unwrap_or_default() {
            meshwright_edit::rename(&mut file.root, what, &name, &name.replacen(|_| true, "Q", 1)).ok();
        }
        parts.append(&mut changed_parts(&file, &original));
    }
    parts
}

#[test]
fn the_chunks_that_name_objects() {
    for (what, expected) in [
        (
            Named::Mesh,
            "BOX DAZZLE_NAME GeosetLevelOfDetail MESH_HEADER MESH_HEADER3 NULL_OBJECT RING_DEF SHDMESH_NAME SPHERE_DEF",
        ),
        (Named::Bone, "AGGREGATE_INFO FAFX NodeHeader PIVOTS TEXTURE_REPLACER_INFO WowNodeHeader"),
        (
            Named::Model,
            "AGGREGATE_HEADER ANIMATION_HEADER COLLECTION_HEADER EMITTER_HEADER HIERARCHY_HEADER HLOD_HEADER \
             HMODEL_HEADER LODMODEL_HEADER MESH_HEADER MESH_HEADER3 MODL MORPHANIM_HEADER SOUNDROBJ_HEADER",
        ),
        (Named::Animation, "ANIMATION_HEADER MORPHANIM_HEADER PopcornEmitterHeader SEQS"),
        (Named::Camera, "CameraHeader"),
        (Named::Container, "MESH_HEADER3"),
    ] {
        let parts: Vec<String> = renamed_parts(what).into_iter().collect();
        assert_eq!(parts.join(" "), expected, "{what:?}");
    }
}

fn set(file: &mut Fixture, text: &str) -> Result<usize, meshwright_edit::Error> {
    meshwright_edit::set(&mut file.root, &text.parse::<Assignment>()?)
}

#[test]
fn any_field_can_be_set_by_its_path() {
    let header = |file: &Fixture| file.start("MESH[0]/MESH_HEADER3");
    for (text, expected) in [
        // HIDDEN is 0x1000, TWO_SIDED 0x2000; the crate had COLLISION_PHYSICAL, 0x10.
        ("MESH[0]/MESH_HEADER3.attributes=HIDDEN|TWO_SIDED", vec![(4, 0), (5, 0x30)]),
        ("MESH[0]/MESH_HEADER3.attributes=[\"HIDDEN\", \"0x8\"]", vec![(4, 8), (5, 0x10)]),
        ("MESH[0]/MESH_HEADER3/fields.num_tris=5", vec![(40, 5)]),
        (
            "MESH \"MWCRATE.BODY\"/MESH_HEADER3.fields.sort_level=-1",
            vec![(56, 255), (57, 255), (58, 255), (59, 255)],
        ),
        ("mesh[0]/mesh_header3.version=4.3", vec![(0, 3)]),
        ("MESH[0]/MESH_HEADER3.mesh_name=BODE", vec![(11, b'E')]),
        ("MESH[0]/MESH_HEADER3.mesh_name=\"BO\"", vec![(10, 0), (11, 0)]),
    ] {
        let mut file = crate_box();
        assert_eq!(set(&mut file, text).unwrap(), 1, "{text}");
        let start = header(&file);
        let new = file.bytes();
        let changed: Vec<(usize, u8)> =
            file.changed().into_iter().map(|index| (index - start, new[index])).collect();
        assert_eq!(changed, expected, "{text}");
    }
    let mut file = crate_box();
    assert_eq!(set(&mut file, "MESH[1]/VERTICES.vertices[3]=[0,1,2]").unwrap(), 1);
    let index = file.start("MESH[1]/VERTICES") + 3 * 12;
    assert!(file.changed().iter().all(|byte| (index..index + 12).contains(byte)));
    assert_eq!(&file.bytes()[index + 8..index + 12], 2_f32.to_le_bytes());
    assert_eq!(set(&mut file, "MESH[1]/VERTICES.vertices[3][0]=inf").unwrap(), 1);
    assert_eq!(
        set(&mut file, "MESH[0]/TEXTURES/TEXTURE/TEXTURE_NAME.name=long enough to grow.tga").unwrap(),
        1
    );
    assert_eq!(
        file.bytes().len(),
        file.original.len() + "long enough to grow.tga".len() - "mwcrate.tga".len()
    );
    assert_eq!(set(&mut file, "MESH[0]/TEXTURES/TEXTURE/TEXTURE_NAME.name=mwcrate.tga").unwrap(), 1);
    assert_eq!(set(&mut file, "MESH[0]/SHADER_IDS=1").unwrap_err().message, "there is no part SHADER_IDS");
}

#[test]
fn a_quoted_name_selects_the_part() {
    // Labels select, in any case; with a position both have to fit.
    for path in ["MESH \"MWCRATE.LID\"", "mesh \"mwcrate.lid\"", "MESH[1] \"MWCRATE.LID\"", "MESH[1]"] {
        let mut file = crate_box();
        assert_eq!(set(&mut file, &format!("{path}/MESH_HEADER3.sort_level=7")).unwrap(), 1, "{path}");
        assert_eq!(file.changed(), [file.start("MESH[1]/MESH_HEADER3") + 56], "{path}");
    }
    for path in ["MESH[0] \"MWCRATE.LID\"", "MESH \"NOBODY\""] {
        let error = set(&mut crate_box(), &format!("{path}/MESH_HEADER3.sort_level=7")).unwrap_err();
        assert!(error.message.contains("there is no part"), "{path}: {error}");
    }
    // A name may hold what parts a path.
    let mut file = crate_box();
    set(&mut file, "MESH[0]/MESH_HEADER3.mesh_name=a=b/c.d").unwrap();
    assert_eq!(set(&mut file, "MESH \"MWCRATE.a=b/c.d\"/MESH_HEADER3.sort_level=7").unwrap(), 1);
}

#[test]
fn a_path_that_fits_several_parts_is_an_error_that_lists_them() {
    let error = set(&mut crate_box(), "MESH/MESH_HEADER3.sort_level=7").unwrap_err();
    assert_eq!(error.message, "MESH/MESH_HEADER3.sort_level matches 2 parts");
    let note = error.note.expect("a note");
    assert_eq!(note, "name one of MESH[0] \"MWCRATE.BODY\", MESH[1] \"MWCRATE.LID\", or all with MESH[*]");
    // The names in the note can be pasted.
    for part in ["MESH[0] \"MWCRATE.BODY\"", "MESH[1] \"MWCRATE.LID\"", "MESH[*]"] {
        assert!(set(&mut crate_box(), &format!("{part}/MESH_HEADER3.sort_level=7")).is_ok(), "{part}");
    }
}

#[test]
fn every_part_and_every_element_can_be_set_at_once() {
    let mut file = crate_box();
    assert_eq!(set(&mut file, "MESH[*]/MESH_HEADER3.sort_level=7").unwrap(), 2);
    let starts = [file.start("MESH[0]/MESH_HEADER3") + 56, file.start("MESH[1]/MESH_HEADER3") + 56];
    assert_eq!(file.changed(), starts);
    // The body has 24 vertices; none of them has this height.
    let mut file = crate_box();
    assert_eq!(set(&mut file, "MESH[0]/VERTICES.vertices[*][2]=9").unwrap(), 24);
    let (start, bytes) = (file.start("MESH[0]/VERTICES"), file.bytes());
    assert!((0..24).all(|index| bytes[start + index * 12 + 8..][..4] == 9_f32.to_le_bytes()));
    // Two wildcards, and a part that not all have.
    assert_eq!(set(&mut crate_box(), "MESH[*]/TEXTURES/TEXTURE[*]/TEXTURE_NAME.name=oak.tga").unwrap(), 2);
    for (text, word) in [
        ("MESH[*]/NOTHING.x=1", "no part NOTHING.x"),
        ("MESH[*]/MESH_HEADER3.nothing=1", "has no nothing"),
        ("NOTHING[*].x=1", "no part NOTHING"),
    ] {
        let error = set(&mut crate_box(), text).unwrap_err();
        assert!(error.message.contains(word), "{text}: {error}");
    }
}

#[test]
fn what_cannot_be_set_is_explained() {
    for (text, word) in [
        ("MESH", "expected PATH=VALUE"),
        ("NOTHING.x=1", "no part NOTHING"),
        ("MESH[0]=1", "contains parts"),
        ("MESH[0]/MESH_HEADER3=1", "not a field"),
        ("MESH[0]/MESH_HEADER3.nothing=1", "has no nothing"),
        ("MESH[0]/MESH_HEADER3.num_tris=-2", "does not fit"),
        ("MESH[0]/MESH_HEADER3.num_tris=many", "not JSON"),
        ("MESH[0]/MESH_HEADER3.attributes=HIDEN", "no value named"),
        ("MESH[0]/MESH_HEADER3.mesh_name=ABCDEFGHIJKLMNOP", "limit is 15"),
        ("MESH[0]/VERTICES.vertices[99]=[0,0,0]", "has no vertices[99]"),
        ("MESH[0]/VERTICES.vertices[0]=[0,0]", "2 items"),
    ] {
        let error = set(&mut crate_box(), text).unwrap_err();
        assert!(error.message.contains(word), "{text}: {error}");
    }
}
