//! The JSON form: values that people can read, counts that nobody has to keep, and errors for what would be a broken file.

use meshwright_mdx::records::{Interpolation, PackedQuaternion, Texture};
use meshwright_mdx::{Document, build, kinds, tags};
use record::{Node, Quaternion, U32};

fn sample(name: &str) -> Vec<u8> {
    build::samples().into_iter().find(|(each, _)| *each == name).expect("a sample").1
}

fn text(name: &str) -> String {
    Document::parse(&sample(name)).unwrap().to_json()
}

fn error(text: &str) -> String {
    Document::from_json(text).expect_err("a contradiction").to_string()
}

/// JavaScript rounds integers of 64 bits.
#[test]
fn packed_rotations_are_four_numbers() {
    let text = text("wow-1300");
    let at = text.find("\"packed_keys\": [").expect("packed keys");
    let key = text[at..].lines().find(|line| line.contains("\"time\"")).expect("a key");
    assert_eq!(key.matches(',').count(), 5, "a time and four numbers: {key}");
    let half_turn = PackedQuaternion::pack(Quaternion::new(0.0, 0.0, -0.5, 0.75_f32.sqrt()));
    let track = build::track(tags::KGRT, Interpolation::LINEAR, -1, &[(7, half_turn)]).unwrap();
    let mut document = Document::parse(&sample("wow-1300")).unwrap().into_owned();
    document.root.children_mut().unwrap().push(Node::branch(
        &kinds::TXAN,
        meshwright_mdx::tag("TXAN"),
        vec![track],
    ));
    let text = document.to_json();
    assert!(text.contains("{\"time\": 7, \"value\": [0.0, 0.0, -0.5, 0.8660254]}"), "{text}");
}

#[test]
fn values_have_the_names_of_their_game() {
    let warcraft = text("warcraft-800");
    assert!(warcraft.contains("EMITTER_USES_"), "a particle emitter's own flags: {warcraft}");
    let mut document = Document::parse(&sample("warcraft-800")).unwrap().into_owned();
    document.root.find_mut("TEXS").unwrap().values_mut::<Texture>()[0].replaceable_id.set(1);
    assert!(document.to_json().contains("\"replaceable_id\": \"TEAM_COLOR\""));
    let mut document = Document::parse(&sample("wow-1300")).unwrap().into_owned();
    assert!(document.root.find("TEXS").unwrap().is(&kinds::TEXS), "programs see the same kind");
    document.root.find_mut("TEXS").unwrap().values_mut::<Texture>()[0].replaceable_id.set(1);
    let text = document.to_json();
    assert!(text.contains("\"replaceable_id\": \"SKIN\""), "{text}");
    assert!(text.contains("\"attachment_id\": \""), "{text}");
    assert_eq!(Document::from_json(&text).unwrap().to_bytes().unwrap(), document.to_bytes().unwrap());
    // Body parts: hundreds are the part, the rest is the variant.
    let edited = text.replacen("\"selection_group\": \"", "\"selection_group\": \"ROBE 2\", \"_\": \"", 1);
    assert!(error(&edited).contains("unknown field"));
    let start = text.find("\"selection_group\": ").unwrap() + "\"selection_group\": ".len();
    let end = text[start..].find(['\n', ',']).unwrap() + start;
    let edited = format!("{}\"ROBE 2\"{}", &text[..start], &text[end..]);
    let document = Document::from_json(&edited).unwrap();
    assert_eq!(document.geosets().next().unwrap().selection_group(), Some(1302));
}

/// Two kinds of data that MdlVis keeps (docs/formats/mdx/framing.md#tool-chunks).
#[test]
fn the_chunk_of_mdlvis_has_types() {
    let word = |value: u32| value.to_le_bytes();
    let numbers = [0, 5, u32::MAX].map(word).concat();
    let mut groups = [1, 2, 1, 0, 3, 2, 0, 4, 1, 5, 1, 0, 6].map(word).concat();
    groups.extend([0.0_f32, 0.0, 1.0].iter().flat_map(|float| float.to_le_bytes()));
    for (body, parts) in [
        (numbers, "MdlVisKind MdlVisGeosets"),
        (groups, "MdlVisKind MdlVisGroupCount MdlVisGroup MdlVisGroup MdlVisNormals"),
        ([7, 1].map(word).concat(), "MdlVisKind LEFTOVER"),
        ([1, 2, 9].map(word).concat(), "MdlVisKind MdlVisGroupCount LEFTOVER"),
    ] {
        let mut file = sample("warcraft-800");
        file.extend(b"MDVI");
        file.extend(word(u32::try_from(body.len()).unwrap()));
        file.extend(&body);
        let document = Document::parse(&file).unwrap();
        let chunk = document.root.children().last().unwrap();
        let names: Vec<_> = chunk.children().iter().map(|part| part.kind.name).collect();
        assert_eq!(names.join(" "), parts);
        assert_eq!(document.to_bytes().unwrap(), file);
        assert_eq!(Document::from_json(&document.to_json()).unwrap().to_bytes().unwrap(), file);
    }
}

#[test]
fn counts_of_the_wow_alpha_are_computed() {
    let bytes = sample("wow-1300");
    let text = Document::parse(&bytes).unwrap().to_json();
    assert!(!text.contains("\"count\"") && !text.contains("\"layer_count\""), "{text}");
    assert_eq!(Document::from_json(&text).unwrap().to_bytes().unwrap(), bytes);
    let wrong = text.replacen("\"objects\": {}", "\"objects\": {\"count\": 99}", 1);
    assert_ne!(wrong, text);
    let error = error(&wrong);
    assert!(
        error.contains("objects.count: it says 99, but there") && error.contains("WowCount[0]"),
        "{error}"
    );
    let kept = wrong.replace("{\"count\": 99}", "{\"count\": {\"stored\": 99}}");
    let damaged = Document::from_json(&kept).unwrap().to_bytes().unwrap();
    assert_eq!(damaged.len(), bytes.len());
    assert_ne!(damaged, bytes);
}

/// A track whose interpolation has tangents, but whose keys have none, would be read as half as many keys.
#[test]
fn keys_that_do_not_match_their_interpolation_are_an_error() {
    let text = text("warcraft-800");
    let linear = "\"interpolation\": \"LINEAR\"";
    assert!(text.contains(linear));
    let error = error(&text.replacen(linear, "\"interpolation\": \"HERMITE\"", 1));
    assert!(error.contains("contradict") && error.contains('/'), "{error}");
}

#[test]
fn a_missing_field_is_named() {
    let text = text("warcraft-800");
    let at = text.find("\"blend_time\"").unwrap();
    let end = text[at..].find('\n').unwrap() + at;
    // The comma before it goes, too.
    let before = text[..at].rfind(',').unwrap();
    let error = error(&format!("{}{}", &text[..before], &text[end..]));
    assert!(error.contains("the field \"blend_time\" is missing") && error.contains("MODL[0]"), "{error}");
    let document = Document::from_json(&text).unwrap();
    assert_eq!(document.root.find("VERS").unwrap().value::<U32>().unwrap().get(), 800);
}
