//! Materials, layers and textures of MDX.

use super::*;

const LAYER: &str = "MTLS/Material/LAYS/Layer/LayerHeader";

#[test]
fn layers() {
    let layer = |change: fn(&mut LayerHeader)| {
        move |file: &mut Document<'static>| set::<LayerHeader>(file, LAYER, change)
    };
    classic_case("MDX-MAT-003", layer(|layer| layer.filter_mode = FilterMode::new(6)), 0);
    classic_case("MDX-MAT-003", layer(|layer| layer.filter_mode = FilterMode::new(7)), 1);
    // Two textures; before version 1100 the id -1 is invalid.
    classic_case("MDX-MAT-004", layer(|layer| layer.texture_id.set(1)), 0);
    classic_case("MDX-MAT-004", layer(|layer| layer.texture_id.set(2)), 1);
    classic_case("MDX-MAT-004", layer(|layer| layer.texture_id.set(-1)), 1);
    // One texture animation.
    for (id, expected) in [(-1, 0), (0, 0), (1, 1), (-2, 1)] {
        classic_case(
            "MDX-MAT-005",
            |file| set::<LayerHeader>(file, LAYER, |layer| layer.texture_animation_id.set(id)),
            expected,
        );
    }
    // The second layer has a track of textures, which replaces its static texture.
    classic_case(
        "MDX-MAT-004",
        |file| {
            set::<LayerHeader>(file, "MTLS/Material/LAYS/Layer[1]/LayerHeader", |layer| {
                layer.texture_id.set(9);
            });
        },
        0,
    );
    classic_case(
        "MDX-MAT-004",
        |file| {
            values::<Key<U32>>(file, "MTLS/Material/LAYS/Layer[1]/KMTF", |keys| keys[1].value.set(2));
        },
        1,
    );
}

#[test]
fn texture_slots() {
    let reference = "MTLS/Material/LAYS/Layer/TextureSlot/TextureReference";
    let slot = |texture: i32, slot: u32| {
        changing::<TextureReference>(reference, move |reference| {
            reference.texture_id.set(texture);
            reference.slot = SlotType::new(slot);
        })
    };
    let hd = || sample("warcraft-1100");
    // Six textures; -1 means "no texture".
    for (texture, expected) in [(5, 0), (6, 1), (-1, 0), (-2, 1)] {
        case("MDX-MAT-004", HD, hd(), slot(texture, 0), expected);
    }
    case("MDX-MAT-006", HD, hd(), slot(0, 5), 0);
    case("MDX-MAT-006", HD, hd(), slot(0, 6), 1);
}

#[test]
fn textures() {
    let texture = |id: u32, path: &'static str| {
        changing_all::<Texture>("TEXS", move |textures| {
            textures[1].replaceable_id.set(id);
            textures[1].path = chars(path);
        })
    };
    for (id, known) in [
        (1, true),
        (2, true),
        (3, false),
        (10, false),
        (11, true),
        (12, false),
        (21, true),
        (30, false),
        (31, true),
        (37, true),
        (38, false),
    ] {
        let expected = if known { 0 } else { 1 };
        let mut file = classic();
        texture(id, "")(&mut file);
        assert_eq!(count(&file, CLASSIC, "MDX-TEX-003"), expected);
    }
    place("MDX-TEX-003", CLASSIC, classic(), texture(99, ""), "TEXS", 268..536);
    for (path, known) in [
        ("a.blp", true),
        ("a.TGA", true),
        ("a.tif", true),
        ("a.dds", true),
        ("", true),
        ("a", false),
        ("a.png", false),
    ] {
        let mut file = classic();
        texture(0, path)(&mut file);
        assert_eq!(count(&file, CLASSIC, "MDX-TEX-002") == 0, known, "{path}");
    }
    classic_case("MDX-TEX-004", texture(1, "a.blp"), 1);
    classic_case("MDX-TEX-004", texture(0, "a.blp"), 0);
    classic_case("MDX-TEX-005", texture(0, ""), 1);
    classic_case("MDX-TEX-005", texture(1, ""), 0);
    // Textures that the game replaces are not searched for.
    let around: [(&str, &[u8]); 2] = [("Textures/white.blp", b""), ("Other/there.blp", b"")];
    let missing = |id: u32, path: &'static str, code: &str| {
        let mut file = classic();
        texture(id, path)(&mut file);
        messages_with(&file, CLASSIC, code, &around)
    };
    assert_eq!(missing(0, "gone.blp", "MDX-FILES-001").len(), 1);
    assert_eq!(missing(1, "gone.blp", "MDX-FILES-001").len(), 0);
    assert_eq!(missing(0, "", "MDX-FILES-001").len(), 0);
    assert_eq!(missing(0, "Textures\\White.blp", "MDX-FILES-001").len(), 0);
    let elsewhere = missing(0, "Textures\\there.blp", "MDX-FILES-003");
    assert!(
        matches!(&elsewhere[..], [one] if one.contains("Textures\\\\there.blp") && one.contains("there.blp")),
        "{elsewhere:?}"
    );
    assert_eq!(missing(0, "Textures\\white.blp", "MDX-FILES-003").len(), 0);
}
