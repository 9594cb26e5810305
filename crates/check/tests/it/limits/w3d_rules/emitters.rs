//! Particle emitters of W3D.

use super::*;

#[test]
fn emitters() {
    let header = |version: Version, chunks: usize| {
        move |file: &mut Document<'static>| {
            set::<EmitterHeader>(file, "EMITTER/EMITTER_HEADER", |header| header.version = version);
            children(file, "EMITTER").truncate(chunks);
        }
    };
    let (old, new) = (Version::new(1, 0), Version::new(2, 0));
    assert!(!is_found("W3D-EMIT-001", header(old, 3)) && is_found("W3D-EMIT-001", header(old, 2)));
    assert!(!is_found("W3D-EMIT-001", header(new, 5)) && is_found("W3D-EMIT-001", header(new, 4)));
    assert!(is_found("W3D-EMIT-001", header(Version::new(1, 1), 4)));
    for (version, known) in
        [(old, true), (new, true), (Version::new(1, 1), false), (Version::new(3, 0), false)]
    {
        assert_eq!(!is_found("W3D-EMIT-006", header(version, 6)), known, "{version:?}");
    }
    // One colour, two opacities, one size: four keys.
    let properties = |counts: [u32; 3]| {
        changing::<EmitterProperties>("EMITTER/EMITTER_PROPS", move |it| {
            it.color_keyframes.set(counts[0]);
            it.opacity_keyframes.set(counts[1]);
            it.size_keyframes.set(counts[2]);
        })
    };
    for (counts, here, far) in [
        ([1, 2, 1], 0, 0),
        ([1, 1, 1], 0, 0),
        ([2, 2, 1], 1, 1),
        ([0, 2, 1], 1, 0),
        ([0, 3, 1], 1, 1),
        ([u32::MAX, 2, 1], 1, 1),
    ] {
        rich_case("W3D-EMIT-002", properties(counts), here);
        case("W3D-EMIT-002", Game::EarthAndBeyond, rich::document(), properties(counts), far);
    }
    // One key more than the count.
    let rotations = |count: u32, keys: usize| {
        move |file: &mut Document<'static>| {
            let header = EmitterRotationHeader { keyframe_count: U32::new(count), ..Default::default() };
            let keys = vec![EmitterKey::default(); keys];
            *node(file, "EMITTER/EMITTER_ROTATION_KEYFRAMES") =
                bytes(&EMITTER_ROTATION_KEYFRAMES, [header.as_bytes(), keys.as_bytes()].concat());
        }
    };
    rich_case("W3D-EMIT-003", rotations(1, 2), 0);
    rich_case("W3D-EMIT-003", rotations(1, 1), 1);
    rich_case("W3D-EMIT-003", rotations(2, 2), 1);
    rich_case("W3D-EMIT-003", rotations(0, 0), 1);
    case("W3D-EMIT-003", Game::EarthAndBeyond, rich::document(), rotations(5, 0), 0);
    case("W3D-EMIT-003", Game::EarthAndBeyond, rich::document(), rotations(1, 1), 1);
    // Times of every list.
    let times = |first: f32, second: f32| {
        let keys = [first, second].map(|time| EmitterKey { time: F32::new(time), value: F32::new(1.0) });
        let colors =
            [first, second].map(|time| EmitterColorKey { time: F32::new(time), ..Default::default() });
        let lists = |index: usize| {
            let steady = [0.0, 1.0].map(|time| EmitterKey { time: F32::new(time), value: F32::new(1.0) });
            let even = [0.0, 1.0].map(|time| EmitterColorKey { time: F32::new(time), ..Default::default() });
            let properties = EmitterProperties {
                color_keyframes: 2.into(),
                opacity_keyframes: 2.into(),
                size_keyframes: 2.into(),
                ..Default::default()
            };
            [
                properties.as_bytes(),
                if index == 0 { colors.as_bytes() } else { even.as_bytes() },
                if index == 1 { keys.as_bytes() } else { steady.as_bytes() },
                if index == 2 { keys.as_bytes() } else { steady.as_bytes() },
            ]
            .concat()
        };
        [0, 1, 2].map(|index| {
            is_found("W3D-EMIT-004", |file| {
                *node(file, "EMITTER/EMITTER_PROPS") = bytes(&EMITTER_PROPS, lists(index));
            })
        })
    };
    assert_eq!(times(0.0, 1.0), [false; 3]);
    assert_eq!(times(1.0, 1.0), [false; 3]);
    assert_eq!(times(1.0, 0.5), [true; 3]);
    let info = |change: fn(&mut EmitterInfo2)| {
        move |file: &mut Document<'static>| set::<EmitterInfo2>(file, "EMITTER/EMITTER_INFOV2", change)
    };
    rich_case("W3D-EMIT-005", info(|it| it.creation_volume.class_id = VolumeClass::new(3)), 0);
    rich_case("W3D-EMIT-005", info(|it| it.creation_volume.class_id = VolumeClass::new(4)), 1);
    rich_case("W3D-EMIT-005", info(|it| it.vel_random.class_id = VolumeClass::new(4)), 1);
    rich_case("W3D-EMIT-008", info(|it| it.render_mode = RenderMode::new(4)), 0);
    rich_case("W3D-EMIT-008", info(|it| it.render_mode = RenderMode::new(5)), 1);
    rich_case("W3D-EMIT-008", info(|it| it.frame_mode = FrameMode::new(4)), 0);
    rich_case("W3D-EMIT-008", info(|it| it.frame_mode = FrameMode::new(5)), 1);
}
