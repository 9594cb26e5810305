//! Deviations that the reader accepts, and its reports about others. The texts are written by hand from the grammar.

use meshwright_mdx::mdl::{self, Options};
use meshwright_mdx::records::*;
use meshwright_mdx::{Document, Severity, kinds};
use record::{U16, U32, Vec3};

/// A document from text that must be clean.
fn clean(text: &str) -> Document<'static> {
    let (document, found) = mdl::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?}");
    document.unwrap()
}

fn version(version: u32, rest: &str) -> String {
    format!("Version {{ FormatVersion {version}, }}\nModel \"m\" {{ BlendTime 150, }}\n{rest}")
}

/// Texts that mean the same, spelled differently.
fn same(version_number: u32, spellings: &[&str]) {
    let bytes = |text: &str| clean(&version(version_number, text)).to_bytes().unwrap();
    let first = bytes(spellings[0]);
    for spelling in spellings {
        assert!(bytes(spelling) == first, "{spelling}");
    }
}

/// 25 published texts have such names. MDX has room for 79 bytes and a NUL; the text keeps the whole name.
#[test]
fn names_that_are_too_long_for_mdx_are_read_and_kept_in_mdl() {
    let name = "Bone_".to_owned() + &"x".repeat(95);
    let text = format!(
        "Version {{\n\tFormatVersion 800,\n}}\nModel \"M\" {{\n\tNumBones 1,\n\tBlendTime 0,\n}}\nBone \"{name}\" {{\n\tObjectId 0,\n\tGeosetId Multiple,\n\tGeosetAnimId None,\n}}\n"
    );
    let (document, found) = mdl::parse(text.as_bytes());
    let document = document.unwrap();
    assert_eq!(
        found.iter().map(|found| (found.code.as_ref(), found.severity)).collect::<Vec<_>>(),
        [("MDL-VALUE-002", Severity::Warning)]
    );
    let written = mdl::write(&document, &mdl::Options::default()).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), text);
    let (newer, _) = meshwright_mdx::version::convert(&document, 1000).unwrap();
    let written = mdl::write(&newer, &mdl::Options { plain: true, ..Default::default() }).unwrap();
    assert!(String::from_utf8(written).unwrap().contains(&name));
    let bytes = document.to_bytes().unwrap();
    let cut = [&name.as_bytes()[..79], b"\0"].concat();
    assert!(bytes.windows(80).any(|window| window == cut), "cut, with a NUL at the end");
}

#[test]
fn case_commas_colons_and_comments_do_not_matter() {
    same(
        800,
        &[
            "Helper \"h\" {\n\tObjectId 0,\n\tBillboarded,\n\tTranslation 1 {\n\t\tLinear,\n\t\t0: { 1, 2, 3 },\n\t}\n}",
            "helper \"h\" { OBJECTID 0 billboarded translation 1 { linear 0 { 1 2 3 } } }",
            "HELPER \"h\"{ObjectId 0,Billboarded,Translation 1{Linear,0:{1,2,3},},},",
            "// a tool\nHelper \"h\" { // \"its name\"\n ObjectId 0, Billboarded, // }\n Translation 1 { Linear, 0: { 1, 2, 3, }, } }\r\n",
            "Helper \"h\" { ObjectId 0, Billboarded, Translation 77 { Linear, 0: { 1.0, 2e0, +3.000, }, } }",
            "Helper \"h\" { ObjectId 0, Billboarded, Translation 0 { Linear, 0: { 1, 2, 3 } } }",
        ],
    );
}

#[test]
fn words_that_tools_spell_differently() {
    same(
        800,
        &["Helper \"h\" { ObjectId 0, BillboardedLockZ, }", "Helper \"h\" { ObjectId 0, BillboardLockZ, }"],
    );
    same(
        800,
        &[
            "Helper \"h\" { ObjectId 0, DontInherit { Rotation, Translation }, }",
            "Helper \"h\" { ObjectId 0, DontInherit { Rotation }, DontInherit { Translation }, }",
            "Helper \"h\" { ObjectId 0, DontInheritRotation, DontInheritTranslation, }",
        ],
    );
    same(
        800,
        &[
            "ParticleEmitter \"p\" { ObjectId 0, EmitterUsesMDL, static EmissionRate 5, Particle { LifeSpan 1.5, InitVelocity 2, Path \"a.mdl\", } }",
            "ParticleEmitter \"p\" { ObjectId 0, EmitterUsesMdl, EmissionRate 5, Path \"a.mdl\", static LifeSpan 1.5, static InitVelocity 2, }",
        ],
    );
    let layer = |item: &str| {
        format!("Materials 1 {{ Material {{ Layer {{ FilterMode None, static TextureID 0, {item} }} }} }}")
    };
    same(
        1000,
        &[
            &layer("static FresnelOpacity 0.5,"),
            &layer("static FresnelAlpha 0.5,"),
            &layer("FresnelOpacity 0.5,"),
        ],
    );
    same(1000, &[&layer(""), &layer("").replace("TextureID 0", "TextureID 0 <= 0")]);
    same(
        800,
        &["RibbonEmitter \"r\" { ObjectId 0, }", "RibbonEmitter \"r\" { ObjectId 0, static Visibility 1, }"],
    );
    same(900, &["Geoset { Name \"n\", }", "Geoset { LevelOfDetailName \"n\", }"]);
    same(
        1100,
        &[
            "Materials 1 { Material { Layer { FilterMode None, Shader \"Shader_HD_DefaultUnit\", static TextureID 3 <= 0, static TextureID 4 <= 1, static Alpha 1, } } }",
            "Materials 1 { Material { Layer { FilterMode None, ShaderTypeId 1, static TextureID 3, static NormalTextureID 4, } } }",
        ],
    );
}

#[test]
fn geometry_that_tools_spell_differently() {
    same(
        800,
        &[
            "Geoset { Vertices 3 { {0,0,0}, {1,0,0}, {0,1,0}, } Faces 1 6 { Triangles { { 0, 1, 2, 2, 1, 0 }, } } }",
            "Geoset { Vertices 3 { {0,0,0}, {1,0,0}, {0,1,0}, } Faces 1 6 { Triangles { { 0, 1, 2 }, { 2, 1, 0 }, } } }",
            "Geoset { Vertices 9 { 0 0 0 1 0 0 0 1 0 } Faces 4 99 { Triangles { 0, 1, 2, 2, 1, 0 } } }",
        ],
    );
    same(
        900,
        &[
            "Geoset { SkinWeights 2 { 0, 1, 2, 3, 255, 0, 0, 0,\n 1, 0, 0, 0, 128, 127, 0, 0, } }",
            "Geoset { SkinWeights { 0 1 2 3 255 0 0 0 1 0 0 0 128 127 0 0 } }",
            "Geoset { SkinWeights 2 { { 0, 1, 2, 3, 255, 0, 0, 0 }, { 1, 0, 0, 0, 128, 127, 0, 0 }, } }",
        ],
    );
    same(
        900,
        &[
            "BindPose { Matrices 1 { { 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 6, 7 }, } }",
            "BindPose 1 { Matrix { 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 6, 7 }, }",
            "BindPose 1 { Matrix { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 5, 6, 7 }, } }",
        ],
    );
    same(800, &["Geoset { VertexGroup { 0, 1, 0 } }", "Geoset { VertexGroup 3 { 0, 1, 0, } }"]);
}

#[test]
fn groups_of_faces_are_told_apart_by_their_number() {
    let faces = |text: &str| {
        let document = clean(&version(800, text));
        let geoset = document.root.find("GEOS/Geoset").unwrap();
        let counts = geoset
            .child(&kinds::PCNT)
            .unwrap()
            .values::<U32>()
            .iter()
            .map(|count| count.get())
            .collect::<Vec<_>>();
        let indices = geoset
            .child(&kinds::PVTX)
            .unwrap()
            .values::<U16>()
            .iter()
            .map(|index| index.get())
            .collect::<Vec<_>>();
        (counts, indices)
    };
    assert_eq!(
        faces("Geoset { Faces 2 9 { Triangles { { 0, 1, 2 }, { 2, 1, 0, 0, 2, 1 }, } } }"),
        (vec![3, 6], vec![0, 1, 2, 2, 1, 0, 0, 2, 1])
    );
    assert_eq!(faces("Geoset { Faces 1 9 { Triangles { { 0, 1, 2 }, { 2, 1, 0, 0, 2, 1 }, } } }").0, [9]);
    assert_eq!(faces("Geoset { Faces 0 0 { Triangles { } } }").0, [0_u32; 0]);
}

#[test]
fn numbers_that_are_none() {
    let document = clean(&version(
        800,
        "PivotPoints 3 { { nan, -nan, inf }, { -inf, 1.#QNAN0, -1.#IND }, { 8.434096e-024, -0, 1E+05 }, }",
    ));
    let bits: Vec<_> = document
        .root
        .find("PIVT")
        .unwrap()
        .values::<Vec3>()
        .iter()
        .flat_map(|pivot| pivot.get().map(f32::to_bits))
        .collect();
    let finite = |value: f32| value.to_bits();
    assert_eq!(
        bits,
        [
            0x7FC0_0000,
            0xFFC0_0000,
            0x7F80_0000,
            0xFF80_0000,
            0x7FC0_0000,
            0xFFC0_0000,
            finite(8.434_096e-24),
            0x8000_0000,
            finite(100_000.0)
        ]
    );
}

#[test]
fn strings_keep_their_bytes() {
    let text = [b"Model \"".as_slice(), b"\xB2\xE2\xCA\xD4\\n\nsecond line", b"\" { }"].concat();
    let (document, found) = mdl::parse(&text);
    assert!(found.is_empty());
    let document = document.unwrap();
    let model = document.root.find("MODL").unwrap().value::<Model>().unwrap();
    assert_eq!(model.name.text(), b"\xB2\xE2\xCA\xD4\\n\nsecond line");
    assert!(
        mdl::write(&document, &Options::default())
            .unwrap()
            .windows(6)
            .any(|bytes| bytes == b"\xB2\xE2\xCA\xD4\\n")
    );
}

#[test]
fn attachments_without_numbers() {
    let ids = |text: &str| {
        let document = clean(&version(800, text));
        let attachments = document.root.find("ATCH").unwrap().children();
        attachments
            .iter()
            .map(|attachment| {
                attachment
                    .child(&kinds::ATTACHMENT_HEADER)
                    .unwrap()
                    .value::<AttachmentHeader>()
                    .unwrap()
                    .attachment_id
                    .get()
            })
            .collect::<Vec<_>>()
    };
    // A tool that writes none means the position; one that writes some leaves out zero.
    assert_eq!(ids("Attachment \"a\" { ObjectId 0, } Attachment \"b\" { ObjectId 1, }"), [0, 1]);
    assert_eq!(
        ids("Attachment \"a\" { ObjectId 0, AttachmentID 1, } Attachment \"b\" { ObjectId 1, }"),
        [1, 0]
    );
}

#[test]
fn nodes_without_ids_are_numbered() {
    let document = clean(&version(800, "Bone \"a\" { GeosetId Multiple, } Helper \"b\" { }"));
    let id = |path: &str| document.root.find(path).unwrap().value::<NodeHeader>().unwrap().object_id.get();
    assert_eq!((id("BONE/Bone/Node/NodeHeader"), id("HELP/Helper/Node/NodeHeader")), (0, 1));
}

#[test]
fn a_static_visibility_becomes_a_track() {
    let document = clean(&version(800, "Attachment \"a\" { ObjectId 0, static Visibility 0, }"));
    let track = document.root.find("ATCH/Attachment/KATV").unwrap();
    assert_eq!(track.bytes(), [0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn blocks_of_other_tools_and_free_text_are_passed_over() {
    let text = version(
        800,
        "MDLVisInformation { Foo 1, Bar { 2 } }\nHelper \"h\" { ObjectId 0, }\nso much for this\n2 * 3 = 6 \"\n",
    );
    let (document, found) = mdl::parse(text.as_bytes());
    assert!(document.unwrap().root.find("HELP/Helper").is_some());
    let codes: Vec<_> =
        found.iter().map(|finding| (finding.code.as_ref(), finding.severity.word())).collect();
    assert_eq!(codes, [("MDL-WORD-001", "warning"), ("MDL-TEXT-001", "warning")]);
}

#[test]
fn the_version_need_not_stand_first() {
    let document = clean(
        "Materials 1 { Material { Layer { FilterMode None, static TextureID 0, static Alpha 1, } } }\n// FormatVersion 800\nVersion { FormatVersion 1000, }",
    );
    assert_eq!(document.version, 1000);
    assert!(document.root.find("MTLS/Material/LAYS/Layer/LayerFresnel").is_some());
    assert_eq!(clean("Model \"m\" { }").version, 800);
}

/// Many errors at once, each with its line, and everything around them is read.
#[test]
fn what_is_wrong_is_found_and_the_rest_is_read() {
    let text = "\
Version {
\tFormatVersion 800,
}
Model \"Bad\" {
\tBlendTime soon,
\tMinimumExtent { 1, 2 },
\tWingspan 3,
}
Helper \"h\" {
\tObjectId 99999999999,
\tTranslation 1 {
\t\tLinear,
\t\t0: { 1, 2, 3, 4 },
\t}
}
Light \"l\" {
\tObjectId 1,
\tstatic Color red,
\tstatic Intensity 2,
}
Camera \"c\" {
\tFarClip 5,
";
    let (document, found) = mdl::parse(text.as_bytes());
    let document = document.unwrap();
    assert_eq!(
        document.root.find("LITE/Light/LightColor").unwrap().value::<LightColor>().unwrap().intensity.get(),
        2.0
    );
    assert_eq!(
        document
            .root
            .find("CAMS/Camera/CameraHeader")
            .unwrap()
            .value::<CameraHeader>()
            .unwrap()
            .far_clip
            .get(),
        5.0
    );
    let codes: Vec<_> = found.iter().map(|found| &*found.code).collect();
    assert_eq!(
        codes,
        [
            "MDL-SYNTAX-001",
            "MDL-VALUE-003",
            "MDL-WORD-001",
            "MDL-VALUE-001",
            "MDL-VALUE-003",
            "MDL-SYNTAX-001",
            "MDL-SYNTAX-002"
        ]
    );
}

#[test]
fn an_error_after_many_warnings_is_still_an_error() {
    let warnings = "Nonsense 1,\n".repeat(1_000);
    let text = format!("Version {{ FormatVersion 800, }}\nGeoset {{\n{warnings}}}\n}}\n");
    let found = mdl::parse(text.as_bytes()).1;
    let errors: Vec<_> = found.iter().filter(|found| found.severity == Severity::Error).collect();
    assert_eq!(errors.len(), 1, "{found:?}");
    assert_eq!(errors[0].code, "MDL-SYNTAX-004");
}

#[test]
fn a_text_with_millions_of_parts_is_refused_at_once() {
    for (part, count) in [("Geoset{}", 160_000), ("Bone\"\"{}", 500_000)] {
        let text = format!("Version {{ FormatVersion 800, }}\n{}", part.repeat(count));
        let found = mdl::parse(text.as_bytes()).1;
        let errors: Vec<_> = found.iter().filter(|found| found.severity == Severity::Error).collect();
        assert_eq!(errors.len(), 1, "{found:?}");
        assert_eq!(errors[0].code, "MDL-TEXT-005");
        assert_eq!(errors[0].message, "the text has more than 2000000 parts");
    }
}
