//! Renaming and setting, case by case: what a name means where, and how values are typed.

use crate::common::{Fixture, crate_box, mdx_sample, mdx_samples};
use mdx::kinds;
use mdx::records::*;
use meshwright_edit::{Assignment, Named, Replacement, names, rename, retexture, set, textures};
use record::zerocopy::IntoBytes;
use record::{Chars, Node, U32};
use w3d::build;
use w3d::records as westwood;
use w3d::table;

fn short<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(text).expect("short")
}

fn mesh(container: &str, title: &str) -> Node<'static> {
    let header = westwood::MeshHeader3 {
        container_name: short(container),
        mesh_name: short(title),
        ..westwood::MeshHeader3::default()
    };
    build::branch(&table::MESH, [build::record(&table::MESH_HEADER3, &header)])
}

fn object(title: &str) -> Node<'static> {
    build::record(
        &table::HLOD_SUB_OBJECT,
        &westwood::HlodSubObject { bone_index: 0.into(), name: short(title) },
    )
}

fn hlod(title: &str, objects: &[&str]) -> Node<'static> {
    let header = westwood::HlodHeader { name: short(title), ..westwood::HlodHeader::default() };
    let level = build::branch(&table::HLOD_LOD_ARRAY, objects.iter().map(|title| object(title)));
    build::branch(&table::HLOD, [build::record(&table::HLOD_HEADER, &header), level])
}

fn w3d_of(chunks: Vec<Node<'static>>) -> Node<'static> {
    Node::branch(&table::FILE, 0, chunks)
}

/// Every name of a file, in order, with containers and models.
fn all_names(root: &Node<'_>) -> Vec<String> {
    let mut found = Vec::new();
    root.walk(&mut |place| {
        let node = place.node;
        if let Some(header) = node.value::<westwood::MeshHeader3>() {
            found.push(format!("{}/{}", header.container_name, header.mesh_name));
        } else if let Some(object) = node.value::<westwood::HlodSubObject>() {
            found.push(object.name.to_string());
        } else if let Some(header) = node.value::<westwood::HlodHeader>() {
            found.push(header.name.to_string());
        } else if let Some(node) = node.value::<westwood::HModelNode>() {
            found.push(node.render_obj_name.to_string());
        } else if let Some(header) = node.value::<westwood::HModelHeader>() {
            found.push(header.name.to_string());
        } else if node.is(&table::MORPHANIM_POSENAME) {
            found.push(String::from_utf8_lossy(node.text().unwrap_or_default()).into_owned());
        }
    });
    found
}

/// Renames in a file, and gives its names.
#[track_caller]
fn renamed(root: &Node<'static>, what: Named, old: &str, new: &str) -> Vec<String> {
    let mut root = root.clone();
    rename(&mut root, what, old, new).unwrap_or_else(|error| panic!("{old} to {new}: {error}"));
    all_names(&root)
}

/// Two meshes of one name in two containers, a mesh in none, and models that show them.
fn tank() -> Node<'static> {
    w3d_of(vec![
        mesh("TANK", "HULL"),
        mesh("WRECK", "HULL"),
        mesh("", "FLAG"),
        hlod("TANK", &["TANK.HULL", "WRECK.HULL", "FLAG"]),
    ])
}

#[test]
fn a_mesh_is_meant_with_or_without_its_container() {
    assert_eq!(
        renamed(&tank(), Named::Mesh, "hull", "BODY"),
        ["TANK/BODY", "WRECK/BODY", "/FLAG", "TANK", "TANK.BODY", "WRECK.BODY", "FLAG"]
    );
    assert_eq!(
        renamed(&tank(), Named::Mesh, "wreck.hull", "BODY"),
        ["TANK/HULL", "WRECK/BODY", "/FLAG", "TANK", "TANK.HULL", "WRECK.BODY", "FLAG"]
    );
    assert_eq!(
        renamed(&tank(), Named::Mesh, "FLAG", "SAIL"),
        ["TANK/HULL", "WRECK/HULL", "/SAIL", "TANK", "TANK.HULL", "WRECK.HULL", "SAIL"]
    );
    // A mesh in no container is not in this one.
    assert_eq!(renamed(&tank(), Named::Mesh, "TANK.FLAG", "SAIL"), all_names(&tank()));
}

/// Alone, a name in a model is that of another model, unless a mesh without container has it.
#[test]
fn a_name_alone_may_be_that_of_a_model() {
    let nested = w3d_of(vec![mesh("TANK", "GUN"), hlod("GUN", &[]), hlod("TANK", &["TANK.GUN", "GUN"])]);
    assert_eq!(
        renamed(&nested, Named::Mesh, "GUN", "BARREL"),
        ["TANK/BARREL", "GUN", "TANK", "TANK.BARREL", "GUN"]
    );
    assert_eq!(
        renamed(&nested, Named::Model, "gun", "BARREL"),
        ["TANK/GUN", "BARREL", "TANK", "TANK.GUN", "BARREL"]
    );
    let bare = w3d_of(vec![mesh("", "GUN"), hlod("GUN", &[]), hlod("TANK", &["GUN"])]);
    assert_eq!(renamed(&bare, Named::Mesh, "GUN", "BARREL"), ["/BARREL", "GUN", "TANK", "BARREL"]);
    assert_eq!(renamed(&bare, Named::Model, "GUN", "BARREL"), ["/GUN", "BARREL", "TANK", "GUN"]);
    // Where no model has the name, it is the mesh's.
    let lone = w3d_of(vec![mesh("TANK", "GUN"), hlod("TANK", &["GUN"])]);
    assert_eq!(renamed(&lone, Named::Mesh, "GUN", "BARREL"), ["TANK/BARREL", "TANK", "BARREL"]);
    // The name in an object's own header is not a reference.
    let hull = westwood::CollisionBox { name: short("GUN"), ..westwood::CollisionBox::default() };
    let mut own = w3d_of(vec![build::record(&table::BOX, &hull), hlod("GUN", &[])]);
    assert_eq!(rename(&mut own, Named::Mesh, "GUN", "BARREL"), Ok(1));
    assert_eq!(
        own.find("BOX").and_then(Node::value::<westwood::CollisionBox>).expect("a box").name.to_string(),
        "BARREL"
    );
    assert_eq!(rename(&mut own, Named::Model, "BARREL", "GUN2"), Ok(0));
}

#[test]
fn a_model_and_a_container() {
    assert_eq!(
        renamed(&tank(), Named::Model, "TANK", "JEEP"),
        ["JEEP/HULL", "WRECK/HULL", "/FLAG", "JEEP", "JEEP.HULL", "WRECK.HULL", "FLAG"]
    );
    assert_eq!(
        renamed(&tank(), Named::Container, "TANK", "JEEP"),
        ["JEEP/HULL", "WRECK/HULL", "/FLAG", "TANK", "JEEP.HULL", "WRECK.HULL", "FLAG"]
    );
    // The name of a mesh is not a container, and an empty name matches nothing.
    assert_eq!(renamed(&tank(), Named::Container, "HULL", "JEEP"), all_names(&tank()));
    assert_eq!(renamed(&tank(), Named::Model, "", "JEEP"), all_names(&tank()));
    assert_eq!(renamed(&tank(), Named::Container, "", "JEEP"), all_names(&tank()));
}

/// The parts of a hierarchy model are in the model's own container.
#[test]
fn parts_of_hierarchy_models() {
    let header = westwood::HModelHeader { name: short("TANK"), ..westwood::HModelHeader::default() };
    let part = westwood::HModelNode { render_obj_name: short("HULL"), pivot_idx: 1.into() };
    let model = build::branch(
        &table::HMODEL,
        [build::record(&table::HMODEL_HEADER, &header), build::record(&table::NODE, &part)],
    );
    let root = w3d_of(vec![mesh("TANK", "HULL"), model]);
    assert_eq!(renamed(&root, Named::Mesh, "HULL", "BODY"), ["TANK/BODY", "TANK", "BODY"]);
    assert_eq!(renamed(&root, Named::Mesh, "TANK.HULL", "BODY"), ["TANK/BODY", "TANK", "BODY"]);
    assert_eq!(renamed(&root, Named::Mesh, "JEEP.HULL", "BODY"), ["TANK/HULL", "TANK", "HULL"]);
    assert_eq!(renamed(&root, Named::Model, "TANK", "JEEP"), ["JEEP/HULL", "JEEP", "HULL"]);
}

/// A pose is an animation of a skeleton: `Skeleton.Animation`.
#[test]
fn poses_of_morph_animations() {
    let pose = |text: &str| {
        let name = build::text(&table::MORPHANIM_POSENAME, text).expect("ASCII");
        w3d_of(vec![build::branch(
            &table::MORPH_ANIMATION,
            [build::branch(&table::MORPHANIM_CHANNEL, [name])],
        )])
    };
    assert_eq!(renamed(&pose("TANK.WALK"), Named::Model, "tank", "JEEP"), ["JEEP.WALK"]);
    assert_eq!(renamed(&pose("TANK.WALK"), Named::Animation, "walk", "RUN"), ["TANK.RUN"]);
    assert_eq!(renamed(&pose("TANK.WALK"), Named::Animation, "TANK", "RUN"), ["TANK.WALK"]);
    assert_eq!(renamed(&pose("WALK"), Named::Animation, "WALK", "RUN"), ["RUN"]);
    assert_eq!(renamed(&pose("WALK"), Named::Model, "WALK", "RUN"), ["WALK"]);
}

/// An animation may be called like its model, and is then renamed with it; sequences of MDX have names of their own.
#[test]
fn an_animation_that_is_called_like_its_model() {
    let header = westwood::AnimationHeader {
        name: short("TANK"),
        hierarchy_name: short("TANK"),
        ..westwood::AnimationHeader::default()
    };
    let animation = build::branch(&table::ANIMATION, [build::record(&table::ANIMATION_HEADER, &header)]);
    let mut root = w3d_of(vec![animation]);
    assert_eq!(rename(&mut root, Named::Model, "TANK", "JEEP"), Ok(2));
    let header = root.find("ANIMATION/ANIMATION_HEADER").and_then(Node::value::<westwood::AnimationHeader>);
    let header = header.expect("a header");
    assert_eq!([header.name.to_string(), header.hierarchy_name.to_string()], ["JEEP", "JEEP"]);
    let mut file = mdx_sample(&mdx_samples()[0].1);
    let sequences = file.root.find_mut("SEQS").expect("sequences").values_mut::<Sequence>();
    sequences[0].name = short("Sample");
    assert_eq!(rename(&mut file.root, Named::Model, "Sample", "Other"), Ok(1));
    assert_eq!(file.root.find("SEQS").expect("them").values::<Sequence>()[0].name.to_string(), "Sample");
    assert_eq!(file.root.find("MODL").and_then(Node::value::<Model>).expect("it").name.to_string(), "Other");
}

/// A dot parts the names of W3D objects. Bones, and all names of MDX, may have one.
#[test]
fn where_dots_are_allowed() {
    for what in [Named::Mesh, Named::Model, Named::Container, Named::Animation] {
        let error = rename(&mut crate_box().root, what, "LID", "A.B").expect_err("a dot parts names");
        assert!(error.message.contains("separator"), "{what:?}: {error}");
    }
    assert_eq!(rename(&mut crate_box().root, Named::Bone, "LID", "A.B"), Ok(1));
    for (name, bytes) in mdx_samples() {
        for (what, old) in [(Named::Model, "Sample"), (Named::Animation, "Stand"), (Named::Bone, "Root")] {
            let mut file = mdx_sample(&bytes);
            assert_eq!(rename(&mut file.root, what, old, "A.B"), Ok(1), "{name} {what:?}");
        }
    }
}

/// Geosets of MDX have names from version 900 on. A dot in them parts nothing.
#[test]
fn geosets_are_meshes() {
    let (_, bytes) = mdx_samples().into_iter().find(|(name, _)| *name == "warcraft-1000").expect("it");
    let mut file = mdx_sample(&bytes);
    assert_eq!(names(&mut file.root, Named::Mesh), Ok(vec!["Geoset".to_owned()]));
    assert_eq!(rename(&mut file.root, Named::Mesh, "geoset", "A.B"), Ok(2));
    assert_eq!(rename(&mut file.root, Named::Mesh, "B", "C"), Ok(0));
    assert_eq!(rename(&mut file.root, Named::Mesh, "A.B", "C"), Ok(2));
    assert_eq!(names(&mut file.root, Named::Mesh), Ok(vec!["C".to_owned()]));
}

#[test]
fn switches_of_sequences_keep_their_spaces() {
    let guide = |text: &str, old: &str, new: &str| {
        let (_, bytes) = mdx_samples().into_iter().find(|(name, _)| *name == "warcraft-1000").expect("it");
        let mut file = mdx_sample(&bytes);
        // No sequence is in the way.
        file.root.children_mut().expect("chunks").retain(|chunk| !chunk.is(&kinds::SEQS));
        let path = "CORN/PopcornEmitter/PopcornEmitterHeader";
        let header = file.root.find_mut(path).and_then(Node::value_mut::<PopcornEmitterHeader>);
        header.expect("an emitter").animation_visibility_guide = short(text);
        let changed = rename(&mut file.root, Named::Animation, old, new).expect("nothing is in the way");
        let header = file.root.find(path).and_then(Node::value::<PopcornEmitterHeader>).expect("it");
        (changed, header.animation_visibility_guide.to_string())
    };
    assert_eq!(guide("Always=on, Death=off", "death", "Decay"), (1, "Always=on, Decay=off".to_owned()));
    assert_eq!(
        guide("  Death = off ,Stand", "Death", "Decay Flesh"),
        (1, "  Decay Flesh = off ,Stand".to_owned())
    );
    assert_eq!(guide("Death=on,Death=off", "Death", "X"), (1, "X=on,X=off".to_owned()));
    assert_eq!(guide("Deaths=on, =Death", "Death", "X"), (0, "Deaths=on, =Death".to_owned()));
    assert_eq!(guide(" =on", "Stand", "X"), (0, " =on".to_owned()));
}

#[test]
fn a_name_that_is_taken_is_refused_only_if_something_changes() {
    let refused = rename(&mut tank(), Named::Mesh, "HULL", "flag").expect_err("there is a flag");
    assert!(refused.message.contains("already") && refused.message.contains("mesh"), "{refused}");
    assert_eq!(rename(&mut tank(), Named::Mesh, "NOBODY", "FLAG"), Ok(0));
    // Each mesh is known by its own container.
    let mut three = w3d_of(vec![mesh("TANK", "HULL"), mesh("WRECK", "A"), mesh("TANK", "BODY")]);
    let refused = rename(&mut three, Named::Mesh, "TANK.HULL", "BODY").expect_err("there is a body");
    assert!(refused.message.contains("already"), "{refused}");
    assert_eq!(rename(&mut three, Named::Mesh, "WRECK.HULL", "BODY"), Ok(0));
    // In another case it is the same name, and that is a change.
    assert_eq!(rename(&mut tank(), Named::Mesh, "FLAG", "Flag"), Ok(2));
    assert_eq!(rename(&mut tank(), Named::Mesh, "FLAG", "FLAG"), Ok(0));
    for (what, word) in [
        (Named::Mesh, "mesh"),
        (Named::Bone, "bone"),
        (Named::Model, "model"),
        (Named::Container, "container"),
        (Named::Animation, "animation"),
        (Named::Camera, "camera"),
    ] {
        assert_eq!(what.word(), word);
    }
}

#[test]
fn what_a_document_names() {
    let listed = |root: &Node<'static>, what| names(&mut root.clone(), what).expect("a model");
    assert_eq!(listed(&tank(), Named::Mesh), ["HULL", "FLAG"]);
    assert_eq!(listed(&tank(), Named::Container), ["TANK", "WRECK"]);
    assert_eq!(listed(&tank(), Named::Model), ["TANK"]);
    let root = crate_box().root;
    assert_eq!(listed(&root, Named::Mesh), ["BODY", "LID", "MWCRATE.BOUNDS"]);
    assert_eq!(listed(&root, Named::Bone), ["ROOTTRANSFORM", "BODY", "LID"]);
    assert_eq!(listed(&root, Named::Animation), ["OPEN"]);
    assert_eq!(listed(&root, Named::Camera), Vec::<String>::new());
    assert_eq!(textures(&mut root.clone()), Ok(vec!["mwcrate.tga".to_owned()]));
    let root = mdx_sample(&mdx_samples()[0].1).root;
    assert_eq!(listed(&root, Named::Camera), ["Portrait"]);
    assert_eq!(listed(&root, Named::Animation), ["Stand", "Death"]);
    // A texture that the game replaces has no path.
    assert_eq!(textures(&mut root.clone()), Ok(vec!["Textures\\white.blp".to_owned()]));
}

#[test]
fn paths_are_the_same_whatever_their_case_and_slashes() {
    let exact = Replacement::exact("Textures/White.BLP", "new.blp").expect("a path");
    assert_eq!(exact.apply("textures\\white.blp").as_deref(), Some("new.blp"));
    assert_eq!(exact.apply("textures/white.blp").as_deref(), Some("new.blp"));
    assert_eq!(exact.apply("textures\\white.blp2"), None);
    assert_eq!(exact.apply("textures.white.blp"), None);
    let glob = Replacement::glob("a/?b\\*", "?-*").expect("a pattern");
    assert_eq!(glob.apply("A\\xB/c/d").as_deref(), Some("x-c/d"));
    // Wildcards are inserted in order.
    let two = Replacement::glob("*_?_*_?", "?1?2*3*").expect("a pattern");
    assert_eq!(two.apply("aa_b_cc_d").as_deref(), Some("b1d2aa3cc"));
    assert!(Replacement::glob("a?", "??").is_err());
    // A dollar sign means itself.
    let money = Replacement::glob("a*", "$0${star0}*").expect("a pattern");
    assert_eq!(money.apply("ab").as_deref(), Some("$0${star0}b"));
    for empty in [Replacement::exact("a", ""), Replacement::glob("a", "")] {
        assert!(empty.expect_err("empty").message.contains("empty"));
    }
    // A path that becomes empty is refused, one that is empty is not given a name.
    let mut root = crate_box().root;
    let nothing = Replacement::regex(".*", "").expect("a pattern");
    assert!(retexture(&mut root, &nothing, false).expect_err("empty").message.contains("empty"));
    let mut file = mdx_sample(&mdx_samples()[0].1);
    let all = Replacement::regex("^.*$", "new.blp").expect("a pattern");
    assert_eq!(retexture(&mut file.root, &all, false), Ok(1));
    let list = file.root.find("TEXS").expect("textures").values::<Texture>();
    assert_eq!([list[0].path.to_string(), list[1].path.to_string()], ["new.blp", ""]);
}

/// With all paths, also what is attached and emitted.
#[test]
fn other_paths_are_changed_if_asked_for() {
    let spark = Replacement::regex("spark", "flame").expect("a pattern");
    let mut file = mdx_sample(&mdx_samples()[0].1);
    assert_eq!(retexture(&mut file.root, &spark, false), Ok(0));
    assert_eq!(retexture(&mut file.root, &spark, true), Ok(1));
    let white = Replacement::regex("white", "black").expect("a pattern");
    assert_eq!(retexture(&mut file.root, &white, true), Ok(1));
}

/// A texture replacer has lists of names, of which any may be the one.
#[test]
fn names_in_lists_are_changed_in_their_places() {
    for index in [0, 1, 14] {
        let mut replacer = westwood::TextureReplacer::default();
        replacer.mesh_path[index] = short("TANK.HULL");
        replacer.bone_path[index] = short("TURRET");
        let bytes = [1_u32.to_le_bytes().as_slice(), replacer.as_bytes()].concat();
        let info = build::bytes(&table::TEXTURE_REPLACER_INFO, bytes);
        let mut root = w3d_of(vec![build::branch(&table::AGGREGATE, [info])]);
        assert_eq!(rename(&mut root, Named::Mesh, "HULL", "BODY"), Ok(1));
        assert_eq!(rename(&mut root, Named::Bone, "TURRET", "GUN"), Ok(1));
        let info = root.find("AGGREGATE/TEXTURE_REPLACER_INFO").expect("it is there");
        let found = info.values::<westwood::TextureReplacer>()[0];
        replacer.mesh_path[index] = short("TANK.BODY");
        replacer.bone_path[index] = short("GUN");
        assert_eq!(found.as_bytes(), replacer.as_bytes(), "{index}");
        // Each has 32 bytes, its NUL included.
        let refused = rename(&mut root, Named::Bone, "GUN", &"x".repeat(32)).expect_err("it is too long");
        assert!(refused.message.contains("limit is 31"), "{refused}");
    }
}

/// The length that is stated before a text grows and shrinks with it.
#[test]
fn stated_lengths_follow_their_texts() {
    for (path, chunk, slot) in
        [("PLACEHOLDER", &table::PLACEHOLDER, "name"), ("TRANSFORM_NODE", &table::TRANSFORM_NODE, "name")]
    {
        for (text, length) in [("a", 1), ("a longer name", 13)] {
            let mut root = w3d_of(vec![w3d::sample::example(chunk)]);
            let before = root.to_bytes().expect("a file").len();
            let assignment: Assignment = format!("{path}.{slot}={text}").parse().expect("a value");
            assert_eq!(set(&mut root, &assignment), Ok(1));
            let bytes = root.to_bytes().expect("a file");
            assert_eq!(bytes.len(), before - "proxy".len() + length, "{path}");
            let json = w3d::W3d::parse(&bytes).expect("a file").to_json();
            // It fits, so the text form does not say it.
            assert!(!json.contains("name_len"), "{path}: {json}");
            assert!(json.contains(&format!("\"text\": \"{text}\"")), "{path}: {json}");
        }
    }
}

fn assigned(file: &mut Fixture, text: &str) -> Result<usize, String> {
    let assignment: Assignment = text.parse().map_err(|error: meshwright_edit::Error| error.message)?;
    set(&mut file.root, &assignment)
        .map_err(|error| format!("{} ({})", error.message, error.note.unwrap_or_default()))
}

#[test]
fn values_are_typed_as_people_type_them() {
    let shader = |text: &str| {
        let mut file = crate_box();
        assert_eq!(
            assigned(&mut file, &format!("MESH[0]/SHADERS.shaders[0].dest_blend={text}")),
            Ok(1),
            "{text}"
        );
        let shaders = file.root.find("MESH/SHADERS").expect("shaders").values::<westwood::Shader>();
        shaders[0].dest_blend.get()
    };
    // Enumerations by name, quoted or not, and by number.
    assert_eq!([shader("SRC_ALPHA"), shader("\"SRC_ALPHA\""), shader("4"), shader("77")], [4, 4, 4, 77]);
    let flags = |text: &str| {
        let mut file = crate_box();
        assigned(&mut file, &format!("MESH[0]/MESH_HEADER3.attributes={text}")).expect("flags");
        let header = file.root.find("MESH/MESH_HEADER3").and_then(Node::value::<westwood::MeshHeader3>);
        header.expect("a header").attributes.get()
    };
    assert_eq!(flags("HIDDEN"), 0x1000);
    assert_eq!(flags(" HIDDEN | TWO_SIDED "), 0x3000);
    assert_eq!(flags("0"), 0);
    assert_eq!(flags("0|HIDDEN|"), 0x1000);
    assert_eq!(flags("[]"), 0);
    let radius = |text: &str| {
        let mut file = crate_box();
        assigned(&mut file, &format!("MESH[0]/MESH_HEADER3.sph_radius={text}")).expect("a number");
        let header = file.root.find("MESH/MESH_HEADER3").and_then(Node::value::<westwood::MeshHeader3>);
        header.expect("a header").sph_radius.get()
    };
    assert_eq!([radius("2.5"), radius("-inf"), radius("inf")], [2.5, f32::NEG_INFINITY, f32::INFINITY]);
    assert!(radius("\"nan:7fc00000\"").is_nan());
    for version in ["4.3", "\"4.3\""] {
        let mut file = crate_box();
        assert_eq!(assigned(&mut file, &format!("MESH[0]/MESH_HEADER3.version={version}")), Ok(1));
    }
}

/// Whole arrays are JSON; a single value in the place of one is an error.
#[test]
fn whole_arrays_are_set_as_lists() {
    let mut file = crate_box();
    assert_eq!(assigned(&mut file, "MESH[0]/MATERIAL_PASS/SHADER_IDS=[1,2,3]").map_err(|_| ()), Err(()));
    assert_eq!(assigned(&mut file, "MESH[0]/MATERIAL_PASS/SHADER_IDS.ids=[1,2,3]"), Ok(1));
    let ids = file.root.find("MESH/MATERIAL_PASS/SHADER_IDS").expect("ids").values::<U32>();
    assert_eq!(ids.iter().map(|id| id.get()).collect::<Vec<_>>(), [1, 2, 3]);
    for value in ["7", "HIDDEN"] {
        let error = assigned(&mut file, &format!("MESH[0]/MATERIAL_PASS/SHADER_IDS.ids={value}"));
        assert!(error.is_err(), "{value}");
    }
    // The words of an enumeration in a list need quotes.
    let (_, bytes) = &mdx_samples()[0];
    let mut model = mdx_sample(bytes);
    assert_eq!(assigned(&mut model, "GEOS/Geoset/PTYP.face_types=[\"TRIANGLES\",\"TRIANGLES\"]"), Ok(1));
    assert_eq!(model.root.find("GEOS/Geoset/PTYP").expect("types").values::<FaceType>().len(), 2);
    assert!(assigned(&mut model, "GEOS/Geoset/PTYP.face_types=TRIANGLES").is_err());
    assert_eq!(assigned(&mut model, "GEOS/Geoset/PTYP.face_types[1]=POINTS"), Ok(1));
}

#[test]
fn texts_and_bytes_are_set() {
    let mut file = crate_box();
    // Quotes are removed; an unclosed quote is an error.
    assert_eq!(assigned(&mut file, "MESH[0]/TEXTURES/TEXTURE/TEXTURE_NAME.name=\"a \\\"b\\\".tga\""), Ok(1));
    assert_eq!(textures(&mut file.root).expect("a model")[0], "a \"b\".tga");
    assert!(assigned(&mut file, "MESH[0]/TEXTURES/TEXTURE/TEXTURE_NAME.name=\"open").is_err());
    // The same value changes nothing.
    assert_eq!(assigned(&mut file, "MESH[0]/MESH_HEADER3.mesh_name=BODY"), Ok(0));
    let version = mdx::build::leaf(&kinds::VERS, &[U32::new(800)]);
    let sounds = Node::leaf(kinds::SNDS.kind, mdx::tag("SNDS"), vec![1, 2, 3]);
    let mut root = mdx::build::file(vec![version, sounds]);
    let assignment: Assignment = "SNDS.data=0aff".parse().expect("a value");
    assert_eq!(set(&mut root, &assignment), Ok(1));
    assert_eq!(root.find("SNDS").expect("sounds").bytes(), [0x0A, 0xFF]);
}

/// Of many parts, twelve are listed.
#[test]
fn a_long_list_of_parts_is_cut() {
    let meshes = |count: usize| w3d_of((0..count).map(|index| mesh("A", &format!("M{index}"))).collect());
    let note = |count: usize| {
        let assignment: Assignment = "MESH/MESH_HEADER3.sort_level=1".parse().expect("a value");
        let error = set(&mut meshes(count), &assignment).expect_err("which one");
        assert_eq!(error.message, format!("MESH/MESH_HEADER3.sort_level matches {count} parts"));
        error.note.expect("a list")
    };
    let listed = |count: usize| {
        (0..count).map(|index| format!("MESH[{index}] \"A.M{index}\"")).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(note(12), format!("name one of {}, or all with MESH[*]", listed(12)));
    assert_eq!(note(13), format!("name one of {} and 1 more, or all with MESH[*]", listed(12)));
    assert_eq!(note(15), format!("name one of {} and 3 more, or all with MESH[*]", listed(12)));
}

#[test]
fn errors_say_what_is_there() {
    let mut file = crate_box();
    for (text, words) in [
        ("NOTHING.x=1", &["MESH", "HIERARCHY", "HLOD"][..]),
        ("MESH[0]/NOTHING.x=1", &["MESH_HEADER3", "VERTICES"]),
        ("MESH[0]=1", &["MESH_HEADER3"]),
        ("MESH[0]/MESH_HEADER3=1", &["fields.attributes", "fields.mesh_name"]),
        ("MESH[0]/MESH_HEADER3.x=1", &["fields.attributes"]),
        ("MESH[0]/MESH_HEADER3.attributes=X", &["HIDDEN", "TWO_SIDED"]),
        ("MESH[0]/SHADERS.shaders[0].dest_blend=X", &["SRC_ALPHA"]),
        ("MESH[0]/MESH_HEADER3.num_tris=x", &["it is a "]),
    ] {
        let error = assigned(&mut file, text).expect_err(text);
        assert!(words.iter().all(|word| error.contains(word)), "{text}: {error}");
    }
    // A name that repeats is given once.
    let error = assigned(&mut file, "NOTHING.x=1").expect_err("no such part");
    assert_eq!(error.matches("MESH").count(), 1, "{error}");
    assert!(assigned(&mut file, "=1").is_err() && assigned(&mut file, "/=1").is_err());
    assert_eq!(assigned(&mut file, "/MESH[0]/MESH_HEADER3.sort_level = 3 "), Ok(1));
    // An equals sign in a quoted name is part of the name, also after a quote that is escaped.
    let read =
        |text: &str| text.parse::<Assignment>().map(|it| (it.path, it.value)).map_err(|error| error.message);
    assert_eq!(read("A \"x=y\".b=c=d"), Ok(("A \"x=y\".b".to_owned(), "c=d".to_owned())));
    assert_eq!(read("A \"x\\\"=y\".b=c"), Ok(("A \"x\\\"=y\".b".to_owned(), "c".to_owned())));
    assert_eq!(read("\"x=y\".b=c"), Ok(("\"x=y\".b".to_owned(), "c".to_owned())));
    assert_eq!(read("A \"x\\\\\"=c"), Ok(("A \"x\\\\\"".to_owned(), "c".to_owned())));
}

/// Parts without the field are passed over; without any, the first reason is given.
#[test]
fn every_part_that_has_the_field() {
    let mut bare = mesh("A", "BARE");
    bare.children_mut().expect("parts").clear();
    let mut root = w3d_of(vec![bare.clone(), mesh("A", "FULL"), bare.clone()]);
    let assignment: Assignment = "MESH[*]/MESH_HEADER3.sort_level=1".parse().expect("a value");
    assert_eq!(set(&mut root, &assignment), Ok(1));
    assert_eq!(set(&mut root, &assignment), Ok(0), "it is so already");
    let error = set(&mut w3d_of(vec![bare]), &assignment).expect_err("none has it");
    assert!(error.message.contains("MESH_HEADER3"), "{error}");
}
