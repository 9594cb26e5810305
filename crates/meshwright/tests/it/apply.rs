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
        let bytes = model.to_glb().expect("it can be written");
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
