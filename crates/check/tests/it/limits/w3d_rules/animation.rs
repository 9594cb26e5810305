//! Animations and their channels.

use super::*;

const BITS: &str = "ANIMATION/BIT_CHANNEL";
const KEYED: &str = "COMPRESSED_ANIMATION/COMPRESSED_ANIMATION_CHANNEL";
const TURN: &str = "COMPRESSED_ANIMATION/COMPRESSED_ANIMATION_CHANNEL[1]";
const SWITCHES: &str = "COMPRESSED_ANIMATION/COMPRESSED_BIT_CHANNEL";
const DELTA: &str = "COMPRESSED_ANIMATION[1]/COMPRESSED_ANIMATION_CHANNEL";
const MOTION: &str = "COMPRESSED_ANIMATION[2]/COMPRESSED_ANIMATION_MOTION_CHANNEL";

/// Three bones; each form of channel says in its own header which one it moves.
#[test]
fn channels_move_bones_that_are_there() {
    for bone in [2, 3] {
        let expected = usize::from(bone > 2);
        let code = "W3D-CHAN-001";
        rich_case(code, changing::<AnimationChannel>(OPENING, |it| it.pivot.set(bone)), expected);
        rich_case(code, changing::<BitChannel>(BITS, |it| it.pivot.set(bone)), expected);
        rich_case(code, changing::<TimeCodedChannel>(KEYED, |it| it.pivot.set(bone)), expected);
        rich_case(code, changing::<CompressedBitChannel>(SWITCHES, |it| it.pivot.set(bone)), expected);
        rich_case(code, changing::<AdaptiveDeltaChannel>(DELTA, |it| it.pivot.set(bone)), expected);
        rich_case(code, changing::<MotionChannel>(MOTION, |it| it.pivot.set(bone)), expected);
    }
}

/// Eleven frames, 0 to 10.
#[test]
fn frames_of_channels() {
    let raw = |first: u16, last: u16| {
        changing::<AnimationChannel>(OPENING, move |it| {
            it.first_frame.set(first);
            it.last_frame.set(last);
        })
    };
    rich_case("W3D-CHAN-002", raw(0, 10), 0);
    rich_case("W3D-CHAN-002", raw(10, 10), 0);
    rich_case("W3D-CHAN-002", raw(0, 11), 1);
    rich_case("W3D-CHAN-002", raw(6, 5), 1);
    let bits = |last: u16| {
        move |file: &mut Document<'static>| set::<BitChannel>(file, BITS, |it| it.last_frame.set(last))
    };
    rich_case("W3D-CHAN-002", bits(10), 0);
    rich_case("W3D-CHAN-002", bits(11), 1);
    let key = |frame: u32| changing_all::<TimeCodedKey1>(KEYED, move |keys| keys[2].time_code.set(frame));
    rich_case("W3D-CHAN-002", key(10), 0);
    rich_case("W3D-CHAN-002", key(11), 1);
    // Times ascend, and the first is 0.
    rich_case("W3D-CHAN-007", key(6), 0);
    rich_case("W3D-CHAN-007", key(5), 1);
    rich_case("W3D-CHAN-007", key(4), 1);
    let first = |frame: u32| changing_all::<TimeCodedKey1>(KEYED, move |keys| keys[0].time_code.set(frame));
    rich_case("W3D-CHAN-008", first(0), 0);
    rich_case("W3D-CHAN-008", first(1), 1);
    let switch = |first: u32, second: u32| {
        changing_all::<U32>(SWITCHES, move |all| {
            all[0].set(0x8000_0000 | first);
            all[1].set(second);
        })
    };
    rich_case("W3D-CHAN-007", switch(5, 5), 1);
    rich_case("W3D-CHAN-002", switch(0, 11), 1);
    // Bits have a value before the first.
    rich_case("W3D-CHAN-008", switch(3, 5), 0);
}

#[test]
fn types_of_channels() {
    for (kind, length, euler, unknown) in [
        (0, Some(1), false, false),
        (1, Some(1), false, false),
        (2, Some(1), false, false),
        (3, Some(1), true, false),
        (4, Some(1), true, false),
        (5, Some(1), true, false),
        (6, Some(4), false, false),
        (7, None, false, true),
        (14, None, false, true),
        (15, Some(1), false, false),
        (16, None, false, true),
    ] {
        for components in [1, 3, 4] {
            let channel = |file: &mut Document<'static>| {
                set::<TimeCodedChannel>(file, KEYED, |it| {
                    it.flags = ChannelType8::new(kind);
                    it.vector_len = components;
                });
            };
            let wrong = length.is_some_and(|length: u8| length != components);
            assert_eq!(is_found("W3D-CHAN-003", channel), wrong, "{components} floats of type {kind}");
            assert_eq!(is_found("W3D-CHAN-012", channel), euler, "type {kind}");
            assert_eq!(is_found("W3D-CHAN-013", channel), unknown, "type {kind}");
        }
    }
    // Each form of channel has its length in its own header.
    let lengths: [fn(&mut Document<'static>); 3] = [
        |file| set::<AnimationChannel>(file, OPENING, |it| it.vector_len.set(3)),
        |file| set::<AdaptiveDeltaChannel>(file, DELTA, |it| it.vector_len = 3),
        |file| set::<MotionChannel>(file, MOTION, |it| it.vector_len = 3),
    ];
    for change in lengths {
        assert!(is_found("W3D-CHAN-003", change));
    }
}

/// The declared and the actual number of values of each form.
#[test]
fn lengths_of_channels() {
    let cut = |path: &'static str, bytes: usize| {
        move |file: &mut Document<'static>| {
            let body = node(file, path).bytes_mut().expect("a leaf");
            body.truncate(body.len() - bytes);
        }
    };
    // Eleven rotations of four floats.
    rich_case("W3D-CHAN-004", cut(OPENING, 0), 0);
    rich_case("W3D-CHAN-004", cut(OPENING, 4), 1);
    rich_case("W3D-CHAN-004", cut(OPENING, 176), 1);
    // Eleven bits are two bytes; sixteen are two as well, seventeen are three.
    rich_case("W3D-CHAN-004", cut(BITS, 1), 1);
    let bits = |last: u16| {
        move |file: &mut Document<'static>| set::<BitChannel>(file, BITS, |it| it.last_frame.set(last))
    };
    rich_case("W3D-CHAN-004", bits(15), 0);
    rich_case("W3D-CHAN-004", bits(16), 1);
    rich_case("W3D-CHAN-004", cut(KEYED, 4), 1);
    rich_case("W3D-CHAN-004", cut(TURN, 4), 1);
    rich_case("W3D-CHAN-004", cut(SWITCHES, 4), 1);
    // One packet of sixteen differences for eleven frames; three spare bytes stand behind it.
    rich_case("W3D-CHAN-004", cut(DELTA, 3), 0);
    rich_case("W3D-CHAN-004", cut(DELTA, 4), 1);
    let frames = |count: u32| changing::<AdaptiveDeltaChannel>(DELTA, move |it| it.num_frames.set(count));
    rich_case("W3D-CHAN-004", frames(16), 0);
    rich_case("W3D-CHAN-004", frames(17), 1);
    rich_case("W3D-CHAN-009", cut(DELTA, 0), 0);
    rich_case("W3D-CHAN-009", cut(DELTA, 1), 1);
    rich_case("W3D-CHAN-009", cut(DELTA, 3), 1);
    // Three times and three values.
    rich_case("W3D-CHAN-004", cut(MOTION, 4), 1);
    // Motion channels of differences: one packet of four or eight bits for up to sixteen keys.
    for (flavor, packet) in [(1, 9), (2, 17)] {
        for (keys, packets, expected) in [(16, 1, 0), (17, 1, 1), (17, 2, 0), (3, 0, 1)] {
            rich_case(
                "W3D-CHAN-004",
                |file| {
                    let header = MotionChannel {
                        flavor: MotionFlavor::new(flavor),
                        vector_len: 1,
                        flags: ChannelType8::Z,
                        num_time_codes: U16::new(keys),
                        pivot: 1.into(),
                        ..MotionChannel::default()
                    };
                    let body = [header.as_bytes(), &[0; 8], &vec![0; packets * packet]].concat();
                    *node(file, MOTION) = bytes(&COMPRESSED_ANIMATION_MOTION_CHANNEL, body);
                },
                expected,
            );
        }
    }
    rich_case("W3D-CHAN-005", |file| node(file, OPENING).bytes_mut().expect("a leaf").extend([0; 4]), 1);
}

#[test]
fn two_channels_of_one_thing() {
    let another = |path: &'static str, change: fn(&mut Node<'static>)| {
        move |file: &mut Document<'static>| {
            let mut twice = node(file, path).clone();
            change(&mut twice);
            let parent = path.split('/').next().expect("an animation");
            children(file, parent).push(twice);
        }
    };
    rich_case("W3D-CHAN-006", another(OPENING, |_| {}), 1);
    rich_case("W3D-CHAN-006", another(BITS, |_| {}), 1);
    // Channels of another bone, property or animation are not duplicates; neither are bits and floats of visibility.
    rich_case(
        "W3D-CHAN-006",
        another(OPENING, |it| it.value_mut::<AnimationChannel>().expect("a header").pivot.set(1)),
        0,
    );
    rich_case(
        "W3D-CHAN-006",
        another(OPENING, |it| it.value_mut::<AnimationChannel>().expect("a header").flags = ChannelType::X),
        0,
    );
    rich_case(
        "W3D-CHAN-006",
        another(OPENING, |it| it.value_mut::<AnimationChannel>().expect("a header").flags = ChannelType::VIS),
        0,
    );
    rich_case(
        "W3D-CHAN-006",
        |file| {
            let twice = node(file, "ANIMATION").clone();
            children(file, "").push(twice);
        },
        0,
    );
}

/// Keys may be longer or shorter than one by a hundredth. Stored differences drift, and are allowed a twentieth.
#[test]
fn rotations_of_channels() {
    let keyed = |w: f32| {
        is_found("W3D-CHAN-011", |file| {
            values::<TimeCodedKey4>(file, TURN, |keys| keys[0].value[3].set(w));
        })
    };
    assert!(!keyed(1.009) && keyed(1.011) && !keyed(-0.991) && keyed(0.989));
    let raw = |w: f32| {
        is_found("W3D-CHAN-011", |file| {
            // The first frame does not turn: (0, 0, 0, 1).
            let body = node(file, OPENING).bytes_mut().expect("a leaf");
            body[12 + 12..12 + 16].copy_from_slice(&w.to_le_bytes());
        })
    };
    assert!(!raw(1.009) && raw(1.011));
    let delta = |w: f32| {
        is_found("W3D-CHAN-011", |file| {
            let header = AdaptiveDeltaChannel {
                num_frames: 1.into(),
                pivot: 1.into(),
                vector_len: 4,
                flags: ChannelType8::Q,
                scale: F32::new(0.0),
            };
            let start = [0.0, 0.0, 0.0, w].map(F32::new);
            let body = [header.as_bytes(), start.as_bytes(), &[0; 4 * 9], &[1, 2, 3]].concat();
            *node(file, DELTA) = Node::leaf(&ADAPTIVE_DELTA_CHANNEL, 0x282, body);
        })
    };
    assert!(!delta(1.04) && delta(1.06));
}

#[test]
fn keys_that_change_nothing() {
    let keys = |keys: &'static [(u32, f32)]| {
        let keys: Vec<TimeCodedKey1> = keys
            .iter()
            .map(|(time, value)| TimeCodedKey1 { time_code: U32::new(*time), value: [F32::new(*value)] })
            .collect();
        move |file: &mut Document<'static>| {
            let header = TimeCodedChannel {
                num_time_codes: U32::new(keys.len() as u32),
                pivot: 1.into(),
                vector_len: 1,
                flags: ChannelType8::X,
            };
            let body = [header.as_bytes(), keys.as_bytes()].concat();
            *node(file, KEYED) = bytes(&COMPRESSED_ANIMATION_CHANNEL, body);
        }
    };
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (5, 1.0), (10, 1.0)]), 1);
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (3, 1.0), (5, 1.0), (10, 1.0)]), 1);
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (5, 1.0), (10, 2.0)]), 0);
    rich_case("W3D-CHAN-014", keys(&[(0, 2.0), (5, 1.0), (10, 1.0)]), 0);
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (5, 1.0)]), 0);
    rich_case("W3D-CHAN-014", keys(&[]), 0);
    // Keys without values are not keys of the same value.
    let bare = |file: &mut Document<'static>| {
        let header = TimeCodedChannel {
            num_time_codes: 3.into(),
            pivot: 1.into(),
            vector_len: 0,
            flags: ChannelType8::X,
        };
        let times = [0, 5, 10].map(U32::new);
        *node(file, KEYED) =
            bytes(&COMPRESSED_ANIMATION_CHANNEL, [header.as_bytes(), times.as_bytes()].concat());
    };
    rich_case("W3D-CHAN-014", bare, 0);
    // A step holds the value before it; times that do not ascend are another rule's.
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (0x8000_0005, 1.0), (10, 1.0)]), 0);
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (5, 1.0), (0x8000_000A, 1.0)]), 0);
    rich_case("W3D-CHAN-014", keys(&[(0, 1.0), (5, 1.0), (5, 1.0)]), 0);
    let switches = |switches: &'static [u32]| {
        let switches: Vec<U32> = switches.iter().map(|word| U32::new(*word)).collect();
        move |file: &mut Document<'static>| {
            let header = CompressedBitChannel {
                num_time_codes: U32::new(switches.len() as u32),
                pivot: 2.into(),
                flags: BitChannelType8::VIS,
                default_val: 1,
            };
            let body = [header.as_bytes(), switches.as_bytes()].concat();
            *node(file, SWITCHES) = bytes(&COMPRESSED_BIT_CHANNEL, body);
        }
    };
    const ON: u32 = 0x8000_0000;
    rich_case("W3D-CHAN-014", switches(&[ON, 5, ON | 7]), 0);
    rich_case("W3D-CHAN-014", switches(&[ON, ON | 5, 7]), 1);
    rich_case("W3D-CHAN-014", switches(&[ON, 5, 7]), 1);
    rich_case("W3D-CHAN-014", switches(&[ON, 5, 5]), 0);
    rich_case("W3D-CHAN-010", |file| set::<MotionChannel>(file, MOTION, |it| it.zero = 1), 1);
}

#[test]
fn animations() {
    let header = |frames: u32, rate: u32| {
        changing::<AnimationHeader>("ANIMATION/ANIMATION_HEADER", move |header| {
            header.num_frames.set(frames);
            header.frame_rate.set(rate);
        })
    };
    rich_case("W3D-ANIM-001", header(11, 1), 0);
    rich_case("W3D-ANIM-001", header(11, 0), 1);
    rich_case("W3D-ANIM-002", header(1, 15), 0);
    rich_case("W3D-ANIM-002", header(0, 15), 1);
    // Without a header there is no frame rate.
    for code in ["W3D-ANIM-001", "W3D-ANIM-002"] {
        rich_case(code, |file| drop(children(file, "ANIMATION").remove(0)), 0);
        let compressed = |file: &mut Document<'static>| {
            let path = "COMPRESSED_ANIMATION/COMPRESSED_ANIMATION_HEADER";
            set::<CompressedAnimationHeader>(file, path, |header| {
                header.num_frames.set(0);
                header.frame_rate.set(0);
            });
        };
        rich_case(code, compressed, 1);
    }
    let channels = |count: u32| {
        move |file: &mut Document<'static>| {
            let path = "MORPH_ANIMATION/MORPHANIM_HEADER";
            set::<MorphAnimHeader>(file, path, |header| header.channel_count.set(count));
        }
    };
    rich_case("W3D-ANIM-005", channels(1), 0);
    rich_case("W3D-ANIM-005", channels(0), 1);
    rich_case("W3D-ANIM-005", channels(2), 1);
    // Every animation that waits for the skeleton is told: four of them.
    assert_eq!(
        {
            let mut file = rich::document();
            let index = children(&mut file, "").iter().position(|child| child.is(&HIERARCHY)).expect("one");
            let skeleton = children(&mut file, "").remove(index);
            children(&mut file, "").push(skeleton);
            findings(&file, GAME, "W3D-ANIM-003").len()
        },
        4
    );
    // A skeleton that is nowhere in the file is not waited for.
    rich_case("W3D-ANIM-003", |file| children(file, "").retain(|child| !child.is(&HIERARCHY)), 0);
}
