//! Changes in a glTF file, applied to the model that it was written of. The files are changed as another program would: in their JSON and
//! their numbers, with and without custom properties.

use meshwright::{Applied, Model};
use serde_json::{Value, json};

/// A GLB in parts.
struct Glb {
    json: Value,
    binary: Vec<u8>,
}

impl Glb {
    fn of(model: &Model) -> Self {
        Self::parse(&model.to_glb().expect("it can be written"))
    }

    fn parse(bytes: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
        let length = word(12);
        let json = serde_json::from_slice(&bytes[20..20 + length]).expect("it is JSON");
        Self { json, binary: bytes[28 + length..].to_vec() }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut json = self.json.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut bytes = b"glTF\x02\0\0\0".to_vec();
        let total = 28 + json.len() + self.binary.len();
        bytes.extend_from_slice(&(total as u32).to_le_bytes());
        bytes.extend_from_slice(&(json.len() as u32).to_le_bytes());
        bytes.extend_from_slice(b"JSON");
        bytes.extend_from_slice(&json);
        bytes.extend_from_slice(&(self.binary.len() as u32).to_le_bytes());
        bytes.extend_from_slice(b"BIN\0");
        bytes.extend_from_slice(&self.binary);
        bytes
    }

    fn without_extras(mut self) -> Self {
        fn strip(value: &mut Value) {
            match value {
                Value::Object(fields) => {
                    fields.remove("extras");
                    fields.values_mut().for_each(strip);
                }
                Value::Array(items) => items.iter_mut().for_each(strip),
                _ => {}
            }
        }
        strip(&mut self.json);
        self
    }

    fn named(&mut self, list: &str, name: &str) -> &mut Value {
        let items = self.json[list].as_array_mut().expect("a list");
        items.iter_mut().find(|item| item["name"] == name).expect("something of this name")
    }

    /// The first number of an accessor.
    fn offset(&self, accessor: &Value) -> usize {
        let accessor = &self.json["accessors"][accessor.as_u64().expect("an accessor") as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().expect("a view") as usize];
        let start = |value: &Value| value["byteOffset"].as_u64().unwrap_or(0) as usize;
        start(accessor) + start(view)
    }

    fn change(&mut self, offset: usize, change: impl Fn(f32) -> f32) {
        let place: &mut [u8; 4] = (&mut self.binary[offset..offset + 4]).try_into().expect("four bytes");
        *place = change(f32::from_le_bytes(*place)).to_le_bytes();
    }

    fn attribute(&mut self, mesh: &str, name: &str) -> usize {
        let accessor = self.named("meshes", mesh)["primitives"][0]["attributes"][name].clone();
        self.offset(&accessor)
    }
}

fn crate_box() -> Model {
    Model::parse(w3d::sample::crate_box()).expect("it is W3D")
}

fn watchtower() -> Model {
    Model::parse(mdx::build::watchtower()).expect("it is MDX")
}

/// Applies a changed file, with and without custom properties; both must find the same.
fn applied(model: &Model, edit: impl Fn(&mut Glb)) -> Applied {
    let mut glb = Glb::of(model);
    edit(&mut glb);
    let with = model.apply(&glb.bytes()).expect("it can be applied");
    let without = model.apply(&glb.without_extras().bytes()).expect("it can be applied");
    assert_eq!(with.edits, without.edits);
    assert_eq!(with.model.to_bytes().ok(), without.model.to_bytes().ok());
    with
}

/// The parts that differ, each once, as far as the second level.
fn differences(before: &Model, after: &Model) -> Vec<String> {
    let changes = before.diff(after).expect("one family");
    let mut parts: Vec<String> =
        changes.iter().map(|change| change.path.split('/').take(2).collect::<Vec<_>>().join("/")).collect();
    parts.dedup();
    parts
}

#[test]
fn an_untouched_file_gives_the_same_bytes() {
    let w3d = [
        ("crate", w3d::sample::crate_box()),
        ("tank", w3d::sample::tank()),
        ("chunks", w3d::sample::every_chunk()),
    ];
    let samples = w3d.into_iter().chain(mdx::build::samples());
    let mut count = 0;
    for (name, bytes) in samples {
        let Ok(model) = Model::parse(&bytes) else { continue };
        let Ok(glb) = model.to_glb() else { continue };
        let applied = model.apply(&glb).expect("it can be applied");
        assert_eq!(applied.edits, [""; 0], "{name}");
        assert!(applied.model.to_bytes().expect("bytes") == bytes, "{name}");
        count += 1;
    }
    assert!(count > 10, "{count}");
    for model in [crate_box(), watchtower()] {
        let applied = applied(&model, |_| ());
        assert_eq!(applied.edits, [""; 0]);
        assert_eq!(applied.model.to_bytes().ok(), model.to_bytes().ok());
    }
}

#[test]
fn a_moved_vertex_changes_one_mesh() {
    let model = crate_box();
    let result = applied(&model, |glb| {
        let offset = glb.attribute("LID", "POSITION");
        glb.change(offset, |x| x + 0.125);
    });
    assert_eq!(result.edits, ["mesh \"LID\": positions changed"]);
    assert!(result.report.notes.is_empty());
    let parts = differences(&model, &result.model);
    assert!(parts.iter().all(|part| part.contains("MWCRATE.LID")), "{parts:?}");
    let before = model.to_scene();
    let after = result.model.to_scene();
    let lid = before.meshes.iter().position(|mesh| mesh.name == "LID").expect("a lid");
    let moved = before.meshes[lid].positions.iter().zip(&after.meshes[lid].positions).filter(|(a, b)| a != b);
    assert_eq!(moved.map(|(a, b)| b.x - a.x).collect::<Vec<_>>(), [0.125]);
    assert!(result.model.check().is_empty(), "{:?}", result.model.check());
}

#[test]
fn a_moved_vertex_changes_one_geoset() {
    let model = watchtower();
    let result = applied(&model, |glb| {
        let offset = glb.attribute("Geoset 1", "POSITION");
        glb.change(offset, |x| x + 4.0);
    });
    assert_eq!(result.edits, ["mesh \"Geoset 1\": positions changed"]);
    assert_eq!(differences(&model, &result.model), ["GEOS[0]/Geoset[1]"]);
    assert!(result.report.notes.is_empty());
}

#[test]
fn new_coordinates_change_only_coordinates() {
    let model = crate_box();
    let result = applied(&model, |glb| {
        let offset = glb.attribute("BODY", "TEXCOORD_0");
        glb.change(offset, |u| u + 0.25);
    });
    assert_eq!(result.edits, ["mesh \"BODY\": texture coordinates changed"]);
    let changes = model.diff(&result.model).expect("one family");
    assert!(changes.iter().all(|change| change.path.contains("STAGE_TEXCOORDS")), "{changes:?}");
    assert!(!changes.is_empty());
}

#[test]
fn a_renamed_bone_is_renamed() {
    let model = crate_box();
    let result = applied(&model, |glb| glb.named("nodes", "LID")["name"] = json!("COVER"));
    assert!(result.edits.contains(&"node \"LID\" renamed to \"COVER\"".to_owned()), "{:?}", result.edits);
    let names =
        |model: &Model| model.skeletons()[0].bones.iter().map(|bone| bone.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&result.model), ["ROOTTRANSFORM", "BODY", "COVER"]);
    let tower = watchtower();
    let result = applied(&tower, |glb| glb.named("nodes", "Crystal")["name"] = json!("Gem"));
    assert_eq!(result.edits, ["node \"Crystal\" renamed to \"Gem\""]);
    assert_eq!(tower.diff(&result.model).expect("one family").len(), 1);
}

#[test]
fn a_deleted_part_leaves_with_its_references() {
    let model = watchtower();
    let result = applied(&model, |glb| {
        let nodes = glb.json["nodes"].as_array_mut().expect("nodes");
        let is_deleted = |node: &Value| node["name"].as_str().is_some_and(|name| name.contains("Geoset 1"));
        let deleted: Vec<usize> = (0..nodes.len()).filter(|index| is_deleted(&nodes[*index])).collect();
        let keep = |list: &mut Value| {
            let list = list.as_array_mut().expect("a list of nodes");
            list.retain(|index| !deleted.contains(&(index.as_u64().expect("an index") as usize)));
        };
        nodes.iter_mut().filter_map(|node| node.get_mut("children")).for_each(keep);
        keep(&mut glb.json["scenes"][0]["nodes"]);
    });
    assert_eq!(result.edits, ["mesh \"Geoset 1\" removed"]);
    assert_eq!(result.model.meshes().len(), model.meshes().len() - 1);
}

#[test]
fn a_moved_bone_moves_its_pivot() {
    let model = crate_box();
    let result = applied(&model, |glb| {
        let node = glb.named("nodes", "BODY");
        let height = node["translation"][1].as_f64().expect("a height");
        node["translation"][1] = json!(height + 0.5);
    });
    assert_eq!(result.edits, ["node \"BODY\" moved"]);
    assert_eq!(differences(&model, &result.model), ["HIERARCHY[0] \"MWCRATE\"/PIVOTS[0]"]);
}

#[test]
fn a_changed_key_changes_one_channel() {
    let model = watchtower();
    let result = applied(&model, |glb| {
        let animation = glb.named("animations", "Stand").clone();
        let channel = &animation["channels"].as_array().expect("channels")[0];
        let sampler = &animation["samplers"][channel["sampler"].as_u64().expect("a sampler") as usize];
        let offset = glb.offset(&sampler["output"]);
        glb.change(offset, |value| value + 0.3);
    });
    assert_eq!(result.edits.len(), 1, "{:?}", result.edits);
    assert!(result.edits[0].starts_with("clip \"Stand\": "), "{:?}", result.edits);
}

#[test]
fn a_new_clip_is_added_behind_the_others() {
    let model = watchtower();
    let result = applied(&model, |glb| {
        let mut animation = glb.named("animations", "Death").clone();
        animation["name"] = json!("Cheer");
        glb.json["animations"].as_array_mut().expect("animations").push(animation);
    });
    assert_eq!(result.edits, ["clip \"Cheer\" added"]);
    let names: Vec<String> = result.model.clips().into_iter().map(|clip| clip.name).collect();
    assert_eq!(names, ["Stand", "Death", "Cheer"]);
}

#[test]
fn another_texture_is_another_name() {
    const PIXEL: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let model = crate_box();
    let mut glb = Glb::of(&model);
    glb.json["images"] = json!([{ "name": "oak.tga", "uri": PIXEL }]);
    glb.json["textures"] = json!([{ "source": 0 }]);
    for material in glb.json["materials"].as_array_mut().expect("materials") {
        material["pbrMetallicRoughness"]["baseColorTexture"] = json!({ "index": 0 });
    }
    let result = model.apply(&glb.bytes()).expect("it can be applied");
    assert!(result.edits.iter().all(|edit| edit.contains("texture")), "{:?}", result.edits);
    assert_eq!(result.model.textures(), ["oak.tga"]);
}

/// Adds a copy of a mesh on a node of its own.
fn add_part(glb: &mut Glb, mesh: &str, name: &str) {
    let mut copy = glb.named("meshes", mesh).clone();
    copy["name"] = json!(name);
    copy.as_object_mut().expect("a mesh").remove("extras");
    for primitive in copy["primitives"].as_array_mut().expect("primitives") {
        let attributes = primitive["attributes"].as_object_mut().expect("attributes");
        attributes.retain(|name, _| !name.starts_with("JOINTS") && !name.starts_with("WEIGHTS"));
    }
    let meshes = glb.json["meshes"].as_array_mut().expect("meshes");
    meshes.push(copy);
    let mesh = meshes.len() - 1;
    let nodes = glb.json["nodes"].as_array_mut().expect("nodes");
    nodes.push(json!({ "name": name, "mesh": mesh, "translation": [0.0, 2.0, 0.0] }));
    let node = nodes.len() - 1;
    glb.json["scenes"][0]["nodes"].as_array_mut().expect("a scene").push(json!(node));
}

#[test]
fn a_new_part_of_an_mdx_model_has_a_bone_among_the_bones() {
    let model = watchtower();
    let mesh = model.to_scene().meshes[0].name.clone();
    let mut glb = Glb::of(&model);
    add_part(&mut glb, &mesh, "Crate");
    let result = model.apply(&glb.bytes()).expect("it can be applied");
    assert_eq!(result.edits, ["node \"Crate\" added", "mesh \"Crate\" added"]);
    assert!(result.report.notes.is_empty(), "{:?}", result.report.notes);
    // The game expects that bones have the first numbers, so those of other objects change (MDX-NODE-002).
    let codes = |model: &Model| -> std::collections::BTreeSet<String> {
        model.check().into_iter().map(|finding| finding.code.to_string()).collect()
    };
    assert_eq!(codes(&result.model), codes(&model));
    let (before, after) = (model.to_scene(), result.model.to_scene());
    assert_eq!(after.meshes.len(), before.meshes.len() + 1);
    for attachment in &before.attachments {
        let name = |scene: &meshwright::scene::Scene, node: meshwright::scene::NodeId| {
            scene.nodes[node.index()].name.clone()
        };
        let wanted = name(&before, attachment.node);
        assert!(after.attachments.iter().any(|other| name(&after, other.node) == wanted), "{wanted}");
    }
    let clip = |scene: &meshwright::scene::Scene| scene.clips[0].channels.len();
    assert_eq!(clip(&after), clip(&before), "motion stays on its nodes");
}

#[test]
fn a_new_part_makes_a_model_of_a_single_mesh() {
    let mesh = w3d::build::MeshBuilder::new("SIGN")
        .positions([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        .triangles([[0, 1, 2]])
        .texture("wood.tga");
    let chunk = mesh.build().expect("a mesh");
    let file = w3d::W3d { root: record::Node::branch(&w3d::table::FILE, 0, vec![chunk]) };
    let model = Model::parse(file.to_bytes().expect("bytes")).expect("it is W3D");
    let own = model.to_scene().meshes[0].name.clone();
    let mut glb = Glb::of(&model);
    add_part(&mut glb, &own, "Post");
    let result = model.apply(&glb.bytes()).expect("it can be applied");
    assert!(result.report.notes.is_empty(), "{:?}", result.report.notes);
    let names: Vec<String> = result.model.to_scene().meshes.iter().map(|mesh| mesh.name.clone()).collect();
    assert_eq!(names, ["SIGN", "Post"]);
    let summary = result.model.diff(&model).expect("one family");
    assert!(summary.iter().any(|change| change.path.contains("HLOD")), "the game shows both parts");
}

#[test]
fn another_original_is_noticed() {
    let model = crate_box();
    let glb = model.to_glb().expect("it can be written");
    assert!(!model.apply(&glb).expect("it can be applied").is_other_source);
    let mut other = model.clone();
    other.set_texture("mwcrate.tga", "pine.tga").expect("it has the texture");
    assert!(other.apply(&glb).expect("it can be applied").is_other_source);
}

/// Findings by rule, each as often as it is found.
fn codes(model: &Model) -> std::collections::BTreeMap<String, usize> {
    let mut codes = std::collections::BTreeMap::new();
    for finding in model.check() {
        *codes.entry(finding.code.to_string()).or_default() += 1;
    }
    codes
}

/// A W3D model of one skinned mesh: four vertices, two on each of two bones.
fn arm() -> Model {
    let influence = |bone: u16| w3d::records::VertexInfluence {
        bone_idx: [record::U16::new(bone), record::U16::new(0)],
        ..w3d::records::VertexInfluence::default()
    };
    // Vertices are stored in the space of their bones: the second two are 1 above the root.
    let mesh = w3d::build::MeshBuilder::new("SKIN")
        .positions([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, -1.0]])
        .triangles([[0, 1, 2], [1, 3, 2]])
        .influences([influence(1), influence(1), influence(2), influence(2)])
        .texture("arm.tga");
    let model = w3d::build::ModelBuilder::new("ARM")
        .bone("UPPER", 0, [0.0, 0.0, 0.0])
        .bone("LOWER", 1, [0.0, 0.0, 2.0])
        .mesh(mesh)
        .build();
    Model::parse(model.expect("a model").to_bytes().expect("bytes")).expect("it is W3D")
}

/// The same as an MDX model.
fn mdx_arm() -> Model {
    let geoset = mdx::build::GeosetBuilder::new()
        .positions([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 0.0, 10.0], [10.0, 0.0, 10.0]])
        .triangles([[0, 1, 2], [1, 3, 2]])
        .bones([vec![0], vec![0], vec![1], vec![1]])
        .texture("arm.blp");
    let model = mdx::build::ModelBuilder::new("Arm")
        .bone("UPPER", None, [0.0, 0.0, 0.0])
        .bone("LOWER", Some(0), [0.0, 0.0, 20.0])
        .sequence("Stand", 0, 1000, true)
        .geoset(geoset)
        .build();
    Model::parse(model.expect("a model").to_bytes().expect("bytes")).expect("it is MDX")
}

impl Glb {
    /// The number of a joint in the first skin, by the name of its node.
    fn joint(&self, name: &str) -> u8 {
        let joints = self.json["skins"][0]["joints"].as_array().expect("joints");
        let is_it =
            |joint: &Value| self.json["nodes"][joint.as_u64().expect("a node") as usize]["name"] == name;
        joints.iter().position(is_it).expect("a joint of this name") as u8
    }

    /// Gives a vertex to one joint.
    fn bind(&mut self, mesh: &str, vertex: usize, joint: u8) {
        let attributes = self.named("meshes", mesh)["primitives"][0]["attributes"].clone();
        let kind = |accessor: &Value| {
            let accessor = &self.json["accessors"][accessor.as_u64().expect("an accessor") as usize];
            accessor["componentType"].as_u64().expect("a type")
        };
        assert_eq!((kind(&attributes["JOINTS_0"]), kind(&attributes["WEIGHTS_0"])), (5121, 5121));
        let joints = self.offset(&attributes["JOINTS_0"]) + 4 * vertex;
        self.binary[joints..joints + 4].copy_from_slice(&[joint, 0, 0, 0]);
        let weights = self.offset(&attributes["WEIGHTS_0"]) + 4 * vertex;
        self.binary[weights..weights + 4].copy_from_slice(&[255, 0, 0, 0]);
    }
}

/// The names of the nodes that move a vertex.
fn movers(model: &Model, mesh: usize, vertex: usize) -> Vec<String> {
    let scene = model.to_scene();
    let skin = scene.meshes[mesh].skin.as_ref().expect("a skin");
    let name = |joint: u32| scene.nodes[skin.joints[joint as usize].node.index()].name.clone();
    skin.of(vertex).iter().map(|influence| name(influence.joint)).collect()
}

/// Whether all vertices of a mesh are where they were.
fn same_places(before: &Model, after: &Model, mesh: usize) -> bool {
    let (before, after) = (before.to_scene(), after.to_scene());
    let (a, b) = (&before.meshes[mesh].positions, &after.meshes[mesh].positions);
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.abs_diff_eq(*b, 1e-4))
}

#[test]
fn other_weights_of_a_skin_are_other_bones_in_the_same_place() {
    let model = arm();
    assert_eq!(movers(&model, 0, 0), ["UPPER"]);
    let result = applied(&model, |glb| {
        let joint = glb.joint("LOWER");
        glb.bind("SKIN", 0, joint);
    });
    assert_eq!(result.edits, ["mesh \"SKIN\": weights changed"]);
    assert!(result.report.notes.is_empty(), "{:?}", result.report.notes);
    assert_eq!(movers(&result.model, 0, 0), ["LOWER"]);
    assert_eq!(movers(&result.model, 0, 1), ["UPPER"]);
    assert!(same_places(&model, &result.model, 0), "vertices stay where they are at rest");
    let parts: std::collections::BTreeSet<String> = differences(&model, &result.model).into_iter().collect();
    assert!(parts.iter().all(|part| part.starts_with("MESH[0]")), "{parts:?}");
    assert_eq!(codes(&result.model), codes(&model));
}

#[test]
fn other_weights_of_a_geoset_are_another_matrix_group() {
    let model = mdx_arm();
    assert_eq!(movers(&model, 0, 0), ["UPPER"]);
    let result = applied(&model, |glb| {
        let joint = glb.joint("LOWER");
        glb.bind("Geoset 0", 0, joint);
    });
    assert_eq!(result.edits, ["mesh \"Geoset 0\": weights changed"]);
    assert!(result.report.notes.is_empty(), "{:?}", result.report.notes);
    assert_eq!(movers(&result.model, 0, 0), ["LOWER"]);
    assert_eq!(movers(&result.model, 0, 1), ["UPPER"]);
    assert!(same_places(&model, &result.model, 0));
    assert_eq!(codes(&result.model), codes(&model));
}

/// Adds a copy of a skinned mesh that the same joints deform.
fn add_skin(glb: &mut Glb, mesh: &str, name: &str) {
    let mut copy = glb.named("meshes", mesh).clone();
    copy["name"] = json!(name);
    copy.as_object_mut().expect("a mesh").remove("extras");
    let meshes = glb.json["meshes"].as_array_mut().expect("meshes");
    meshes.push(copy);
    let mesh = meshes.len() - 1;
    let nodes = glb.json["nodes"].as_array_mut().expect("nodes");
    nodes.push(json!({ "name": name, "mesh": mesh, "skin": 0 }));
    let node = nodes.len() - 1;
    glb.json["scenes"][0]["nodes"].as_array_mut().expect("a scene").push(json!(node));
}

#[test]
fn a_new_skinned_part_follows_the_bones_of_the_original() {
    for (model, mesh) in [(arm(), 0), (mdx_arm(), 0)] {
        let name = model.to_scene().meshes[mesh].name.clone();
        let mut glb = Glb::of(&model);
        add_skin(&mut glb, &name, "Copy");
        let result = model.apply(&glb.bytes()).expect("it can be applied");
        assert!(result.edits.contains(&"mesh \"Copy\" added".to_owned()), "{:?}", result.edits);
        assert!(result.report.notes.is_empty(), "{:?}", result.report.notes);
        let (before, after) = (model.to_scene(), result.model.to_scene());
        assert_eq!(after.meshes.len(), before.meshes.len() + 1);
        assert_eq!(after.nodes.len(), before.nodes.len(), "no bone of its own");
        let new = after.meshes.len() - 1;
        let (a, b) = (&before.meshes[mesh], &after.meshes[new]);
        assert_eq!(a.indices.len(), b.indices.len());
        for (corner, other) in a.indices.iter().zip(b.indices.iter()) {
            let (corner, other) = (corner as usize, other as usize);
            assert!(a.positions[corner].abs_diff_eq(b.positions[other], 1e-4));
            assert_eq!(movers(&model, mesh, corner), movers(&result.model, new, other));
        }
        assert_eq!(codes(&result.model), codes(&model));
    }
}

#[test]
fn a_new_bone_brings_its_motion() {
    let model = watchtower();
    let mut glb = Glb::of(&model);
    let nodes = glb.json["nodes"].as_array_mut().expect("nodes");
    nodes.push(json!({ "name": "Flag", "translation": [0.0, 3.0, 0.0] }));
    let node = nodes.len() - 1;
    glb.json["scenes"][0]["nodes"].as_array_mut().expect("a scene").push(json!(node));
    // It turns as something else does.
    let animation = glb.named("animations", "Stand");
    let channels = animation["channels"].as_array_mut().expect("channels");
    let mut copy =
        channels.iter().find(|channel| channel["target"]["path"] == "rotation").expect("a turn").clone();
    copy["target"]["node"] = json!(node);
    channels.push(copy);
    let result = model.apply(&glb.bytes()).expect("it can be applied");
    assert_eq!(result.edits, ["node \"Flag\" added", "clip \"Stand\": motion of \"Flag\" added"]);
    assert!(result.report.notes.is_empty(), "{:?}", result.report.notes);
    let scene = result.model.to_scene();
    let flag = scene.nodes.iter().position(|node| node.name == "Flag").expect("the bone");
    let is_its = |channel: &&meshwright::scene::Channel| matches!(channel.target, meshwright::scene::Target::Node(node, _) if node.index() == flag);
    assert_eq!(scene.clips[0].channels.iter().filter(is_its).count(), 1);
    // A bone that moves no vertices.
    let mut wanted = codes(&model);
    wanted.insert("MDX-SKIN-010".to_owned(), 1);
    assert_eq!(codes(&result.model), wanted);
}

#[test]
fn changes_of_skeletons_and_clips_go_to_their_own_files() {
    use meshwright::{ConvertOptions, Target, Workspace};
    let workspace = Workspace::default();
    let folder = tempfile::tempdir().expect("a folder");
    let mut options = ConvertOptions::new(Target::named("w3d").expect("a format"));
    options.w3d.split = true;
    options.file_name = Some("mwtank.w3d".to_owned());
    // One model in several files.
    let written = workspace.convert(&w3d::sample::tank(), None, &options).expect("it can be divided");
    let main = folder.path().join("mwtank.w3d");
    std::fs::write(&main, &written.bytes).expect("written");
    let mut names = Vec::new();
    for (name, bytes) in &written.others {
        std::fs::write(folder.path().join(name), bytes).expect("written");
        names.push(name.clone());
    }
    assert_eq!(names.len(), 1, "the clip has a file of its own: {names:?}");
    // Somebody changes a key of that clip, and a vertex.
    let model = workspace.open(&main).expect("it is W3D");
    let gltf = meshwright::gltf_io::Options::default();
    let bytes = model.to_glb_with(&workspace, &gltf).expect("it can be written").bytes;
    let mut glb = Glb::parse(&bytes);
    let vertex = glb.attribute("HULL", "POSITION");
    glb.change(vertex, |x| x + 0.125);
    let animation = glb.json["animations"][0].clone();
    let channel = &animation["channels"][0];
    let sampler = &animation["samplers"][channel["sampler"].as_u64().expect("a sampler") as usize];
    let key = glb.offset(&sampler["output"]);
    glb.change(key, |value| value + 0.3);
    options.onto = Some(main.clone());
    let applied = workspace.convert(&glb.bytes(), None, &options).expect("it can be applied");
    assert!(applied.report.notes.is_empty(), "{:?}", applied.report.notes);
    assert_eq!(applied.edits.len(), 2, "{:?}", applied.edits);
    let others: Vec<&String> = applied.others.iter().map(|(name, _)| name).collect();
    assert_eq!(others, names.iter().collect::<Vec<_>>());
    let before = Model::parse(&written.others[0].1).expect("it is W3D");
    let after = Model::parse(&applied.others[0].1).expect("it is W3D");
    let parts = differences(&before, &after);
    assert!(!parts.is_empty() && parts.iter().all(|part| part.contains("ANIMATION")), "{parts:?}");
    let parts = differences(&model, &Model::parse(&applied.bytes).expect("it is W3D"));
    assert!(!parts.is_empty() && parts.iter().all(|part| part.contains("HULL")), "{parts:?}");
    // Without the choice, other files stay as they are, and the report says so.
    options.w3d.split = false;
    let applied = workspace.convert(&glb.bytes(), None, &options).expect("it can be applied");
    assert!(applied.others.is_empty());
    assert_eq!(applied.report.notes.len(), 1, "{:?}", applied.report.notes);
}
