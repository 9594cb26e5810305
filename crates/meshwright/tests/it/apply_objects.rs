//! Changed emitters, collision shapes, events and visibility in a glTF file, applied to the model that it was written of.

use meshwright::gltf_io as gltf;
use meshwright::{Applied, Edited, Model, Shown, What, Workspace, scene};
use serde_json::{Value, json};

fn tank() -> Model {
    Model::parse(w3d::sample::tank()).expect("it is W3D")
}

fn watchtower() -> Model {
    Model::parse(mdx::build::watchtower()).expect("it is MDX")
}

fn every_object() -> Model {
    let bytes =
        mdx::build::samples().into_iter().find(|(name, _)| *name == "warcraft-800").expect("a sample").1;
    Model::parse(&bytes).expect("it is MDX")
}

/// The JSON of a GLB, changed.
fn changed(model: &Model, edit: impl FnOnce(&mut Value)) -> Vec<u8> {
    let bytes = model.to_glb().expect("it can be written");
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
    let length = word(12);
    let mut json: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("it is JSON");
    edit(&mut json);
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = b"glTF\x02\0\0\0".to_vec();
    let binary = &bytes[20 + length..];
    out.extend_from_slice(&((20 + text.len() + binary.len()) as u32).to_le_bytes());
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(b"JSON");
    out.extend_from_slice(&text);
    out.extend_from_slice(binary);
    out
}

/// The objects of a list, wherever they are.
fn objects<'j>(json: &'j mut Value, list: &str) -> Vec<&'j mut Value> {
    let nodes = json["nodes"].as_array_mut().expect("nodes").iter_mut();
    let lists = nodes.filter_map(|node| node.pointer_mut(&format!("/extras/meshwright/{list}")));
    lists.flat_map(|list| list.as_array_mut().expect("a list")).collect()
}

/// Applies a change of the first object of a list.
fn apply(model: &Model, list: &str, edit: impl FnOnce(&mut Value)) -> Applied {
    let glb = changed(model, |json| edit(objects(json, list).first_mut().expect("an object")));
    model.apply(&glb).expect("it can be applied")
}

/// The fields that differ.
fn differences(before: &Model, after: &Model) -> Vec<String> {
    let changes = before.diff(after).expect("one family");
    let name = |what: &What| match what {
        What::Field { name, .. } => name.clone(),
        other => format!("{other:?}"),
    };
    changes.iter().map(|change| format!("{}/{}", change.path, name(&change.what))).collect()
}

#[test]
fn the_rate_of_an_emitter_changes_alone_in_w3d() {
    let model = tank();
    let applied = apply(&model, "emitters", |emitter| {
        emitter["kind"]["Keyed"]["emission_rate"] = json!(77.0);
    });
    assert_eq!(applied.edits, ["particle emitter \"EXHAUST\" changed"]);
    assert!(applied.report.notes.is_empty(), "{:?}", applied.report.notes);
    let found = differences(&model, &applied.model);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("emission_rate"), "{found:?}");
}

#[test]
fn a_collision_box_moves_in_w3d() {
    let model = Model::parse(w3d::sample::crate_box()).expect("it is W3D");
    let applied = apply(&model, "collision_shapes", |shape| {
        for corner in ["min", "max"] {
            let x = shape["shape"]["Box"][corner][1].as_f64().expect("a number");
            shape["shape"]["Box"][corner][1] = json!(x + 2.0);
        }
    });
    assert!(applied.report.notes.is_empty(), "{:?}", applied.report.notes);
    let found = differences(&model, &applied.model);
    assert!(!found.is_empty() && found.iter().all(|path| path.contains("center")), "{found:?}");
}

#[test]
fn a_removed_emitter_goes_with_its_reference() {
    let model = tank();
    let glb = changed(&model, |json| {
        for node in json["nodes"].as_array_mut().expect("nodes") {
            if let Some(list) = node.pointer_mut("/extras/meshwright/emitters") {
                *list = json!([]);
            }
        }
    });
    let applied = model.apply(&glb).expect("it can be applied");
    assert_eq!(applied.edits, ["particle emitter \"EXHAUST\" removed"]);
    let bytes = applied.model.to_bytes().expect("bytes");
    let w3d = w3d::W3d::parse(&bytes).expect("it is W3D");
    assert!(!w3d.root.children().iter().any(|node| node.is(&w3d::table::EMITTER)));
    // Nothing refers to it any more.
    assert_eq!(errors(&applied.model), errors(&model));
}

fn errors(model: &Model) -> usize {
    model.check().iter().filter(|it| it.severity == meshwright::Severity::Error).count()
}

#[test]
fn objects_of_mdx_change_alone() {
    let model = every_object();
    type Change = fn(&mut Value);
    let cases: [(&str, Change, &str); 5] = [
        ("emitters", |it| change_number(it, "emission_rate"), "emission_rate"),
        ("lights", |it| change_number(it, "ambient_intensity"), "intensity"),
        ("ribbons", |it| change_number(it, "height_above"), "height_above"),
        ("attachments", |it| it["path"] = json!("units\\new.mdx"), "path"),
        ("collision_shapes", |it| grow(it), "m"),
    ];
    for (list, change, field) in cases {
        let applied = apply(&model, list, change);
        assert_eq!(applied.edits.len(), 1, "{list}: {:?}", applied.edits);
        assert!(applied.report.notes.is_empty(), "{list}: {:?}", applied.report.notes);
        let found = differences(&model, &applied.model);
        assert!(!found.is_empty(), "{list}");
        assert!(
            found.iter().all(|path| path.rsplit('/').next().is_some_and(|it| it.contains(field))),
            "{list}: {found:?}"
        );
    }
}

/// Doubles a number, wherever it is in an object.
fn change_number(value: &mut Value, name: &str) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value.as_f64() {
                    Some(number) if key == name => *value = json!(number * 2.0 + 1.0),
                    _ => change_number(value, name),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| change_number(item, name)),
        _ => {}
    }
}

/// Makes a shape larger.
fn grow(value: &mut Value) {
    let shape = value["shape"].as_object_mut().expect("a shape").values_mut().next().expect("a shape");
    match shape.get_mut("max") {
        Some(corner) => corner[0] = json!(corner[0].as_f64().expect("a number") + 8.0),
        None => shape["radius"] = json!(99.0),
    }
}

#[test]
fn an_event_happens_at_another_time() {
    let model = every_object();
    let mut moved = None;
    let glb = changed(&model, |json| {
        let clips = json["scenes"][0]["extras"]["meshwright"]["clips"].as_object_mut().expect("clips");
        for (name, clip) in clips {
            if let Some(event) = clip["events"].as_array_mut().and_then(|events| events.first_mut()) {
                event["time"] = json!(0.125);
                moved = Some(name.clone());
                break;
            }
        }
    });
    let clip = moved.expect("the sample has an event");
    let applied = model.apply(&glb).expect("it can be applied");
    assert_eq!(applied.edits.len(), 1, "{:?}", applied.edits);
    assert!(applied.edits[0].contains("times of the event"), "{:?}", applied.edits);
    assert!(applied.report.notes.is_empty(), "{:?}", applied.report.notes);
    let found = differences(&model, &applied.model);
    assert!(!found.is_empty() && found.iter().all(|path| path.contains("KEVT")), "{found:?}");
    let scene = applied.model.to_scene();
    let clip = scene.clips.iter().find(|it| it.name == clip).expect("the clip");
    assert!(clip.events.iter().any(|event| (event.time - 0.125).abs() < 1e-6), "{:?}", clip.events);
}

/// Applies other times at which a mesh shows.
fn shown(model: &Model, mesh: u32, keys: &[(f32, bool)]) -> Applied {
    let options = gltf::Options::default();
    let glb = model.to_glb().expect("it can be written");
    let scene = model.to_scene();
    let shown = [Shown {
        name: scene.clips[0].name.clone(),
        clip: Some(scene::ClipId(0)),
        mesh: scene::MeshId(mesh),
        keys: keys.to_vec(),
    }];
    let edited =
        Edited { glb: &glb, path: None, options: &options, shown: &shown, absent: &[], companions: false };
    model.apply_edited(&Workspace::default(), &edited).expect("it can be applied")
}

/// Whether a mesh shows at a time of the first clip.
fn shows(model: &Model, mesh: usize, time: f32) -> bool {
    let scene = model.to_scene();
    let sampler = scene::Sampler::new(&scene);
    let moment = scene::Moment { clip: Some(scene::ClipId(0)), time, clock: time, view: None };
    sampler.pose(&moment).meshes[mesh].visible
}

#[test]
fn meshes_are_shown_and_hidden_at_other_times() {
    for (model, chunk) in [(watchtower(), "GEOA"), (tank(), "ANIMATION")] {
        assert!(shows(&model, 0, 0.1));
        let applied = shown(&model, 0, &[(0.0, true), (0.2, false)]);
        assert!(applied.report.notes.is_empty(), "{:?}", applied.report.notes);
        assert_eq!(applied.edits.len(), 1, "{:?}", applied.edits);
        assert!(shows(&applied.model, 0, 0.1));
        assert!(!shows(&applied.model, 0, 0.3));
        let found = differences(&model, &applied.model);
        assert!(!found.is_empty() && found.iter().all(|path| path.contains(chunk)), "{found:?}");
        // What was not asked for stays.
        assert!(shown(&model, 0, &[(0.0, true)]).edits.is_empty());
    }
}

#[test]
fn clips_that_were_not_given_away_stay() {
    let model = watchtower();
    let glb = changed(&model, |json| {
        let animations = json["animations"].as_array_mut().expect("animations");
        animations.retain(|animation| animation["name"] != "Death");
        let clips = json["scenes"][0]["extras"]["meshwright"]["clips"].as_object_mut().expect("clips");
        clips.remove("Death").expect("the sample has this clip");
    });
    let applied = model.apply(&glb).expect("it can be applied");
    assert_eq!(applied.edits, ["clip \"Death\" removed"]);
    let options = gltf::Options::default();
    let index = model.to_scene().clips.iter().position(|clip| clip.name == "Death");
    let absent = [scene::ClipId::from(index.expect("the clip"))];
    let edited =
        Edited { glb: &glb, path: None, options: &options, shown: &[], absent: &absent, companions: false };
    let applied = model.apply_edited(&Workspace::default(), &edited).expect("it can be applied");
    assert_eq!(applied.edits, [""; 0]);
    assert_eq!(applied.model.to_bytes().ok(), model.to_bytes().ok());
}
