//! Fixtures of rules about W3X files: the sample with one text replaced.

use meshwright_check::{Document, Game};

use super::Fixture;

/// The sample, with a texture that is among the companions.
fn tank() -> Document<'static> {
    let mut file = Document::parse(&w3x::sample::tank()).expect("the sample").into_owned();
    replace(&mut file, "<Value>MWTank</Value>", "<Value>mwcrate</Value>");
    file
}

/// Replaces a text wherever it is.
fn replace(file: &mut Document<'static>, from: &str, to: &str) {
    let text = String::from_utf8(file.to_bytes().expect("bytes")).expect("UTF-8");
    assert!(text.contains(from), "the sample has no {from}");
    // With another root it would not be recognised.
    *file = w3x::W3x::parse(text.replace(from, to).as_bytes()).expect("it is read").into_owned().into();
}

pub(crate) static FIXTURES: &[Fixture] = &[
    Fixture {
        code: "W3X-XML-001",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "<W3DHierarchy id=\"MWTANK_SKL\">", "<W3DHierarchy id=MWTANK_SKL>"),
    },
    Fixture {
        code: "W3X-XML-002",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "</W3DHierarchy>", ""),
    },
    Fixture {
        code: "W3X-XML-003",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "<W3DHierarchy id", "<W3DHierarchy id=\"x\" id"),
    },
    Fixture {
        code: "W3X-XML-004",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "AssetDeclaration", "Assets"),
    },
    Fixture {
        code: "W3X-XML-005",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "</W3DHierarchy>", "</W3DHierarchy>word"),
    },
    Fixture {
        code: "W3X-PART-001",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "</W3DHierarchy>", "<Bone/></W3DHierarchy>"),
    },
    Fixture {
        code: "W3X-PART-002",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "<W3DHierarchy id", "<W3DHierarchy size=\"3\" id"),
    },
    Fixture {
        code: "W3X-PART-003",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| {
            replace(
                file,
                "</W3DHierarchy>",
                &format!("{}{}</W3DHierarchy>", "<a>".repeat(60), "</a>".repeat(60)),
            );
        },
    },
    Fixture {
        code: "W3X-ID-001",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "<W3DHierarchy id=\"MWTANK_SKL\">", "<W3DHierarchy>"),
    },
    Fixture {
        code: "W3X-ID-002",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "MWTANK_SKN.GUN\" GeometryType", "mwtank_skn.hull\" GeometryType"),
    },
    Fixture {
        code: "W3X-MODEL-001",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| {
            replace(file, "SubObjectID=\"GUN\" BoneIndex=\"0\"", "SubObjectID=\"GUN\" BoneIndex=\"3\"");
        },
    },
    Fixture {
        code: "W3X-MODEL-002",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "<Mesh>MWTANK_SKN.GUN</Mesh>", ""),
    },
    Fixture {
        code: "W3X-HIER-001",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "Name=\"BARREL\" Parent=\"1\"", "Name=\"BARREL\" Parent=\"7\""),
    },
    Fixture {
        code: "W3X-HIER-002",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "Name=\"TURRET\" Parent=\"0\"", "Name=\"TURRET\" Parent=\"2\""),
    },
    Fixture {
        code: "W3X-ANIM-001",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "Type=\"YTranslation\"", "Type=\"Orientation\""),
    },
    Fixture {
        code: "W3X-ANIM-002",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "NumFrames=\"3\"", "NumFrames=\"2\""),
    },
    Fixture {
        code: "W3X-ANIM-003",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "FrameRate=\"30\"", "FrameRate=\"0\""),
    },
    Fixture {
        code: "W3X-MESH-001",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "<N X=\"0.000000\" Y=\"0.000000\" Z=\"1.000000\"/>", ""),
    },
    Fixture {
        code: "W3X-MESH-002",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "<V>7</V>", "<V>8</V>"),
    },
    Fixture {
        code: "W3X-MESH-003",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "GeometryType=\"Skin\"", "GeometryType=\"Skinned\""),
    },
    Fixture {
        code: "W3X-MESH-004",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "GeometryType=\"Skin\"", "GeometryType=\"Skin\" SortLevel=\"33\""),
    },
    Fixture {
        code: "W3X-MESH-005",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| {
            replace(file, "GeometryType=\"Skin\"", "GeometryType=\"Skin\" GeometryPickable=\"true\"");
        },
    },
    Fixture {
        code: "W3X-SKIN-001",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "BoneInfluences", "BoneInfluence"),
    },
    Fixture {
        code: "W3X-SKIN-002",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "Weight=\"0.750000\"", "Weight=\"0.500000\""),
    },
    Fixture {
        code: "W3X-SKIN-003",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "<I Bone=\"2\"", "<I Bone=\"3\""),
    },
    Fixture {
        code: "W3X-AABT-001",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| {
            replace(
                file,
                "<FXShader",
                "<AABTree><PolyIndices><P>0</P></PolyIndices><Node><Children Front=\"1\" Back=\"2\"/></Node></AABTree><FXShader",
            );
        },
    },
    Fixture {
        code: "W3X-SHADER-001",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, " ShaderName=\"ObjectsGDI.fx\"", ""),
    },
    Fixture {
        code: "W3X-FILES-001",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "Hierarchy=\"MWTANK_SKL\"", "Hierarchy=\"OTHER_SKL\""),
    },
    Fixture {
        code: "W3X-FILES-002",
        profile: Game::TiberiumWars,
        good: tank,
        spoil: |file| replace(file, "<Value>mwcrate</Value>", "<Value>elsewhere</Value>"),
    },
];
