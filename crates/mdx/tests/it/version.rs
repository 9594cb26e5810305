//! Conversion between versions: what has a counterpart is carried over, what has none is said.

use meshwright_mdx::build::samples;
use meshwright_mdx::version::{VERSIONS, convert};
use meshwright_mdx::{Document, kinds, mdl};

/// A model from MDL, which says what it is more briefly than builders.
fn model(version: u32, rest: &str) -> Document<'static> {
    let text = format!("Version {{ FormatVersion {version}, }}\nModel \"m\" {{ }}\n{rest}");
    let (document, found) = mdl::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?}");
    document.unwrap()
}

fn text(document: &Document<'_>) -> String {
    String::from_utf8(mdl::write(document, &mdl::Options { plain: true, ..mdl::Options::default() }).unwrap())
        .unwrap()
}

fn lines(document: &Document<'_>, word: &str) -> Vec<String> {
    text(document).lines().map(|line| line.trim().to_owned()).filter(|line| line.contains(word)).collect()
}

/// Every version into every other: sound files of that version, and nothing is said where nothing is lost.
#[test]
fn every_version_becomes_every_other() {
    for (name, bytes) in samples() {
        let document = Document::parse(&bytes).unwrap();
        for to in VERSIONS {
            if !name.starts_with("warcraft") || !VERSIONS.contains(&document.version) {
                assert_eq!(convert(&document, to).unwrap_err().diagnostic().code, "MDX-VERSION");
                continue;
            }
            let (converted, notes) = convert(&document, to).unwrap();
            let bytes = converted.to_bytes().unwrap();
            let read = Document::parse(&bytes).unwrap();
            assert_eq!(read.version, to);
            assert!(read.diagnostics().is_empty(), "{name} to {to}: {:?}", read.diagnostics());
            assert_eq!(read.to_json(), converted.to_json(), "{name} to {to}");
            if to == document.version {
                assert_eq!((read.to_json(), notes), (document.to_json(), vec![]), "{name}");
            }
        }
        assert!(convert(&document, 700).is_err());
    }
}

const SIX: &str = "Materials 1 { Material { Shader \"Shader_HD_DefaultUnit\",
    Layer { FilterMode Transparent, TwoSided, static Alpha 0.5, static EmissiveGain 2, static TextureID 3, }
    Layer { FilterMode None, static TextureID 4, } Layer { FilterMode None, static TextureID 5, }
    Layer { FilterMode None, static TextureID 6, } Layer { FilterMode None, static TextureID 7, }
    Layer { FilterMode None, static TextureID 8, } } }";

#[test]
fn six_layers_become_slots_and_come_back() {
    let old = model(1000, SIX);
    let (new, notes) = convert(&old, 1100).unwrap();
    assert_eq!(notes, []);
    assert_eq!(lines(&new, "Shader"), ["Shader \"Shader_HD_DefaultUnit\","]);
    assert_eq!(
        lines(&new, "TextureID"),
        (0..6).map(|slot| format!("static TextureID {} <= {slot},", slot + 3)).collect::<Vec<_>>()
    );
    assert_eq!(lines(&new, "Alpha"), ["static Alpha 0.5,"]);
    let (back, notes) = convert(&new, 1000).unwrap();
    assert_eq!(notes, []);
    assert_eq!(
        lines(&back, "TextureID"),
        (3..9).map(|texture| format!("static TextureID {texture},")).collect::<Vec<_>>()
    );
    assert_eq!(lines(&back, "Shader"), ["Shader \"Shader_HD_DefaultUnit\","]);
    let (classic, notes) = convert(&old, 800).unwrap();
    assert_eq!(lines(&classic, "TextureID"), ["static TextureID 3,"]);
    let said: Vec<_> = notes.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "textures of the HD shader other than the diffuse one are dropped",
            "shader \"Shader_HD_DefaultUnit\" is dropped",
            "emissive gain is dropped",
        ]
    );
}

#[test]
fn classic_layers_get_a_slot_with_their_track() {
    let old = model(
        800,
        "Materials 1 { Material { Layer { FilterMode Blend, TextureID 1 { DontInterp, 0: 2, } } } }",
    );
    let (new, notes) = convert(&old, 1200).unwrap();
    assert_eq!(notes, []);
    let slot = new.root.find("MTLS/Material/LAYS/Layer/TextureSlot").unwrap();
    assert_eq!(
        slot.children().iter().map(|part| part.kind.name).collect::<Vec<_>>(),
        ["TextureReference", "KMTF"]
    );
    let (back, notes) = convert(&new, 800).unwrap();
    assert_eq!((back.to_json(), notes), (old.to_json(), vec![]));
}

#[test]
fn weights_become_matrix_groups() {
    let old = model(1000, "Geoset { Vertices 3 { {0,0,0}, {1,0,0}, {0,1,0}, } Tangents 1 { {1,0,0,1}, }
        SkinWeights 3 { 2, 0, 0, 0, 255, 0, 0, 0, 1, 2, 0, 0, 128, 127, 0, 0, 2, 1, 0, 0, 250, 5, 0, 0, } LevelOfDetail 1, Name \"x\", }");
    let (classic, notes) = convert(&old, 800).unwrap();
    let geoset = classic.root.find("GEOS/Geoset").unwrap();
    // Vertex 0 by bone 2; vertex 1 by 1 and 2; of vertex 2 bone 1 has too little.
    assert_eq!(geoset.child(&kinds::GNDX).unwrap().bytes(), [0, 1, 0]);
    assert_eq!(lines(&classic, "Matrices"), ["Matrices { 2 },", "Matrices { 1, 2 },"]);
    assert!(geoset.child(&kinds::SKIN).is_none() && geoset.child(&kinds::TANG).is_none());
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert!(notes.iter().all(|note| note.path == "GEOS/Geoset[0]"));
}

#[test]
fn what_came_later_is_dropped_or_added() {
    let new = model(1200, "Light \"l\" { ObjectId 0, Omnidirectional, ShadowIntensity 0.5, static Intensity 3, }
        Light \"m\" { ObjectId 1, Omnidirectional, }
        ParticleEmitterPopcorn \"p\" { ObjectId 2, Parent 0, Path \"e.pkfx\", } FaceFX \"Node\" { Path \"f\", }
        BindPose { Matrices 1 { { 1,0,0, 0,1,0, 0,0,1, 0,0,0 }, } }
        Materials 1 { Material { Layer { FilterMode None, static FresnelOpacity 0.5, EmissiveGain 1 { Linear, 0: 2, } static TextureID 0, } } }");
    let (classic, notes) = convert(&new, 800).unwrap();
    let said: Vec<_> = notes.iter().map(|note| (note.path.as_str(), note.message.as_str())).collect();
    assert_eq!(
        said,
        [
            ("MTLS/Material[0]/Layer[0]", "emissive gain is dropped"),
            ("MTLS/Material[0]/Layer[0]", "fresnel is dropped"),
            ("LITE/Light[0]", "shadow intensity 0.5 is dropped"),
            ("CORN/PopcornEmitter[0]", "the effect is dropped; its node becomes a helper"),
            ("FAFX", "facial animation is dropped"),
            ("BPOS", "rest matrices are dropped"),
        ]
    );
    assert_eq!(lines(&classic, "Helper \""), ["Helper \"p\" {"]);
    let (up, notes) = convert(&classic, 1200).unwrap();
    assert_eq!(notes, []);
    assert_eq!(lines(&up, "ShadowIntensity"), ["ShadowIntensity 0.4,", "ShadowIntensity 0.4,"]);
}
