//! Versions, extents, names and numbers of MDX.

use super::*;

#[test]
fn versions() {
    for (name, game, version, known) in [
        ("warcraft-800", CLASSIC, 799, false),
        ("warcraft-800", CLASSIC, 800, true),
        ("warcraft-800", HD, 900, false),
        ("warcraft-800", CLASSIC, 1000, true),
        ("warcraft-800", CLASSIC, 1100, true),
        ("warcraft-800", CLASSIC, 1200, true),
        ("warcraft-800", HD, 1300, false),
        ("warcraft-800", CLASSIC, 1800, true),
        ("wow-1300", WOW, 800, false),
        ("wow-1300", WOW, 1300, true),
        ("wow-1300", WOW, 1400, true),
        ("wow-1300", WOW, 1500, true),
        ("wow-1300", WOW, 1200, false),
    ] {
        let mut file = sample(name);
        if let Document::Mdx(document) = &mut file {
            document.version = version;
        }
        let expected = if known { 0 } else { 1 };
        assert_eq!(count(&file, game, "MDX-MODEL-001"), expected, "{name}: {version}");
    }
}

/// The mark for nothing has the greatest floats; anything else that is inside out is wrong.
#[test]
fn extents_inside_out_and_empty() {
    let model = |low: [f32; 3], high: [f32; 3]| {
        let mut file = classic();
        set::<Model>(&mut file, "MODL", |model| {
            (model.extent.minimum, model.extent.maximum) = (low.into(), high.into());
        });
        ["MDX-MODEL-005", "MDX-MODEL-011"].map(|code| count(&file, CLASSIC, code))
    };
    assert_eq!(model([0.0; 3], [0.0; 3]), [0, 0], "a point is a valid box");
    for axis in 0..3 {
        let mut low = [0.0; 3];
        low[axis] = 0.1;
        assert_eq!(model(low, [0.0; 3]), [1, 0], "axis {axis}");
        let mut low = [f32::MAX; 3];
        low[axis] = 1.0;
        assert_eq!(model(low, [f32::MIN; 3]), [1, 0], "not all of the lower corner");
        let mut high = [f32::MIN; 3];
        high[axis] = 1.0;
        assert_eq!(model([f32::MAX; 3], high), [1, 0], "not all of the upper corner");
    }
    assert_eq!(model([1.0001e9; 3], [-1.0001e9; 3]), [0, 1]);
    assert_eq!(model([1e9; 3], [-1.0001e9; 3]), [1, 0]);
    assert_eq!(model([1.0001e9; 3], [-1e9; 3]), [1, 0]);
    // Of sequences and geosets they are counted.
    let wrong = |extent: &mut Extent| extent.minimum.x.set(99.0);
    classic_case(
        "MDX-MODEL-005",
        |file| {
            values::<Sequence>(file, "SEQS", |sequences| {
                sequences.iter_mut().for_each(|sequence| wrong(&mut sequence.extent));
            });
            values::<Extent>(file, "GEOS/Geoset/Extents", |extents| extents.iter_mut().for_each(wrong));
            set::<GeosetBounds>(file, "GEOS/Geoset/GeosetBounds", |bounds| wrong(&mut bounds.extent));
        },
        2,
    );
    classic_case(
        "MDX-MODEL-005",
        |file| values::<Sequence>(file, "SEQS", |sequences| wrong(&mut sequences[1].extent)),
        1,
    );
    classic_case(
        "MDX-MODEL-005",
        |file| set::<GeosetBounds>(file, "GEOS/Geoset/GeosetBounds", |bounds| wrong(&mut bounds.extent)),
        1,
    );
    classic_case(
        "MDX-MODEL-005",
        |file| values::<Extent>(file, "GEOS/Geoset/Extents", |extents| wrong(&mut extents[1])),
        1,
    );
}

#[test]
fn names_that_fill_their_fields() {
    let full = |file: &mut Document<'static>| {
        values::<Sequence>(file, "SEQS", |sequences| sequences[1].name.0 = [b'x'; 80]);
    };
    // A record of 132 bytes, of which the first 80 are the name.
    place("MDX-MODEL-006", CLASSIC, classic(), full, "SEQS", 132..212);
    classic_case(
        "MDX-MODEL-006",
        |file| {
            values::<Sequence>(file, "SEQS", |sequences| {
                sequences[1].name.0 = [b'x'; 80];
                sequences[1].name.0[79] = 0;
            });
        },
        0,
    );
    // The path of a texture is after its id: 268 bytes each.
    let path = |file: &mut Document<'static>| {
        values::<Texture>(file, "TEXS", |textures| textures[1].path.0.fill(b'x'));
    };
    place("MDX-MODEL-006", CLASSIC, classic(), path, "TEXS", 272..532);
}

#[test]
fn names_that_mdl_cannot_say() {
    let named = |text: &'static str| {
        changing_all::<Sequence>("SEQS", move |sequences| sequences[1].name = chars(text))
    };
    for (text, quotes, control) in [
        ("Stand - 1", 0, 0),
        ("A \"B", 1, 0),
        ("A\nB", 1, 0),
        ("A\rB", 1, 0),
        ("A\tB", 0, 1),
        ("A\u{1}B", 0, 1),
        ("A\nB\tC", 1, 1),
    ] {
        let mut file = classic();
        named(text)(&mut file);
        let found = ["MDX-MODEL-007", "MDX-MODEL-012"].map(|code| findings(&file, CLASSIC, code).len());
        assert_eq!(found, [quotes, control], "{text:?}");
    }
    place("MDX-MODEL-007", CLASSIC, classic(), named("A\nB"), "SEQS", 132..212);
    place("MDX-MODEL-012", CLASSIC, classic(), named("A\tB"), "SEQS", 132..212);
    // The guide of a popcorn emitter may have lines and tabs, but no quotation marks.
    for (text, quotes) in [("Always=on\r\n\tDeath=off", 0), ("A \"B", 1)] {
        let mut file = sample("warcraft-1000");
        set::<PopcornEmitterHeader>(&mut file, "CORN/PopcornEmitter/PopcornEmitterHeader", |header| {
            header.animation_visibility_guide = chars(text);
        });
        let found = ["MDX-MODEL-007", "MDX-MODEL-012"].map(|code| findings(&file, HD, code).len());
        assert_eq!(found, [quotes, 0], "{text:?}");
    }
}

#[test]
fn numbers_that_are_not_finite() {
    let sequence = |change: fn(&mut Sequence)| {
        move |file: &mut Document<'static>| values::<Sequence>(file, "SEQS", |all| change(&mut all[1]))
    };
    classic_case("MDX-MODEL-008", sequence(|it| it.extent.radius.set(f32::NAN)), 1);
    classic_case("MDX-MODEL-008", sequence(|it| it.extent.maximum = [f32::INFINITY; 3].into()), 1);
    // The game does not mind these.
    classic_case("MDX-MODEL-008", sequence(|it| it.move_speed.set(f32::NAN)), 0);
    classic_case("MDX-MODEL-008", sequence(|it| it.rarity.set(f32::NEG_INFINITY)), 0);
    // A text has no numbers.
    classic_case(
        "MDX-MODEL-008",
        |file| children(file, "").push(Node::leaf(kinds::INFO.kind, mdx::tag("INFO"), b"text".to_vec())),
        0,
    );
    // In the last element of an array of records, and in keys of tracks.
    classic_case(
        "MDX-MODEL-008",
        |file| {
            values::<Vec3>(file, "GEOS/Geoset/VRTX", |vertices| {
                vertices[0].x.set(f32::NAN);
                vertices[3].z.set(f32::INFINITY);
            });
        },
        1,
    );
    classic_case(
        "MDX-MODEL-008",
        |file| {
            let keys = [(0, F32::new(f32::NAN)), (1000, F32::new(1.0))];
            *node(file, "PRE2/ParticleEmitter2/KP2S") =
                mdx::build::track(tags::KP2S, Interpolation::LINEAR, -1, &keys).expect("a track");
        },
        1,
    );
}

#[test]
fn chunks_that_are_there_twice() {
    let push = |leaf: fn() -> Node<'static>| {
        move |file: &mut Document<'static>| children(file, "").extend([leaf(), leaf()])
    };
    classic_case("MDX-MODEL-010", push(|| mdx::build::leaf(&kinds::GLBS, &[U32::new(1)])), 2);
    // Trailing bytes are not a chunk.
    classic_case("MDX-MODEL-010", push(|| Node::leaf(&record::LEFTOVER, 0, vec![1])), 0);
}
