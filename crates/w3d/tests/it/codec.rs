//! Animation channels: values worked out by hand, and encoders that keep their word.

use crate::common::{self, chunk, compressed, innermost, read_sound, wrap};
use meshwright_w3d::codec::{
    self, Channel, Key, Outside, Values, Width, decode_deltas, distance, encode_deltas, encode_keys, filter,
};
use meshwright_w3d::names::ChannelType;
use proptest::prelude::*;

fn decode(bytes: &[u8]) -> Channel {
    codec::decode(innermost(&read_sound(bytes))).expect("a channel")
}

fn at(values: &Values, frame: f32) -> Vec<f32> {
    let mut out = vec![9.0; 9];
    values.sample(frame, &mut out);
    out
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn bits_are_counted_from_the_lowest() {
    // Frames 2 to 10. 0x35 = 0b0011_0101: from the lowest, 1 0 1 0 1 1 0 0; then 0x01: 1. The other bits of that byte mean nothing.
    let payload = [words(&[2, 10, 0, 7]), vec![1], vec![0x35, 0xFF]].concat();
    let channel = decode(&wrap(&[0x200], chunk(0x203, &payload)));
    assert_eq!((channel.pivot, channel.target), (7, ChannelType::VIS));
    let expected = [true, false, true, false, true, true, false, false, true];
    assert_eq!(channel.values, Values::Bits { first: 2, bits: expected.to_vec(), default: true });
    for (frame, bit) in (2_u8..).zip(expected) {
        assert_eq!(at(&channel.values, frame.into()), [f32::from(u8::from(bit))], "frame {frame}");
        // Whole frames count.
        assert_eq!(at(&channel.values, f32::from(frame) + 0.9), [f32::from(u8::from(bit))]);
    }
    // Outside, the default.
    for (default, value) in [(0, 0.0), (1, 1.0)] {
        let payload = [words(&[2, 10, 0, 7]), vec![default], vec![0x35, 0x01]].concat();
        let channel = decode(&wrap(&[0x200], chunk(0x203, &payload)));
        for frame in [0.0, 1.0, 11.0, 1000.0] {
            assert_eq!(at(&channel.values, frame), [value], "frame {frame}");
        }
    }
}

#[test]
fn raw_channels_are_the_identity_outside() {
    // A translation of frames 3 to 5.
    let payload = [words(&[3, 5, 1, 2, 4, 0]), floats(&[2.0, 4.0, 8.0])].concat();
    let channel = decode(&wrap(&[0x200], chunk(0x202, &payload)));
    assert_eq!((channel.pivot, channel.target), (4, ChannelType::Z));
    for (frame, value) in [
        (0.0, 0.0),
        (2.0, 0.0),
        (3.0, 2.0),
        (3.5, 3.0),
        (4.0, 4.0),
        (4.75, 7.0),
        (5.0, 8.0),
        (6.0, 0.0),
        (99.0, 0.0),
    ] {
        assert_eq!(at(&channel.values, frame), [value], "frame {frame}");
    }
    // Between an outer frame and an inner one the engine blends too: half of 0 and 2; a quarter from 8 to 0.
    assert_eq!(at(&channel.values, 2.5), [1.0]);
    assert_eq!(at(&channel.values, 5.25), [6.0]);
    // A rotation's identity is 0, 0, 0, 1.
    let payload = [words(&[1, 1, 4, 6, 4, 0]), floats(&[1.0, 0.0, 0.0, 0.0])].concat();
    let channel = decode(&wrap(&[0x200], chunk(0x202, &payload)));
    assert_eq!(at(&channel.values, 0.0), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(at(&channel.values, 1.0), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(at(&channel.values, 2.0), [0.0, 0.0, 0.0, 1.0]);
    // Half way between no turn and half a turn about X is a quarter turn: sin and cos of 45 degrees.
    let half = at(&channel.values, 0.5);
    for (got, wanted) in half.iter().zip([0.5_f32.sqrt(), 0.0, 0.0, 0.5_f32.sqrt()]) {
        assert!((got - wanted).abs() < 1e-6, "{half:?}");
    }
}

#[test]
fn raw_float_visibility_is_visible_outside_and_counts_whole_frames() {
    // Type 15 of frames 3 to 5: hidden, half, hidden.
    let payload = [words(&[3, 5, 1, 15, 4, 0]), floats(&[0.0, 0.5, 0.0])].concat();
    let channel = decode(&wrap(&[0x200], chunk(0x202, &payload)));
    assert_eq!((channel.pivot, channel.target), (4, ChannelType::VIS));
    for (frame, value) in
        [(0.0, 1.0), (2.9, 1.0), (3.0, 0.0), (3.9, 0.0), (4.5, 0.5), (5.9, 0.0), (6.0, 1.0), (99.0, 1.0)]
    {
        assert_eq!(at(&channel.values, frame), [value], "frame {frame}");
    }
    // Without any frame, visible.
    let empty = Values::Frames { first: 0, components: 1, values: vec![], outside: Outside::Visible };
    assert_eq!(at(&empty, 0.0), [1.0]);
}

/// A time-coded channel of one float.
fn time_coded(keys: &[(u32, f32)]) -> Values {
    let keys: Vec<u8> =
        keys.iter().flat_map(|(time, value)| [time.to_le_bytes(), value.to_le_bytes()].concat()).collect();
    let payload = [&((keys.len() / 8) as u32).to_le_bytes()[..], &[9, 0, 1, 1], &keys].concat();
    let channel = decode(&compressed(0, 0x282, &payload));
    assert_eq!((channel.pivot, channel.target), (9, ChannelType::Y));
    channel.values
}

#[test]
fn a_key_with_the_flag_holds_the_one_before_it() {
    let values = time_coded(&[(0, 1.0), (4, 3.0), (8 | 0x8000_0000, 7.0), (10, 9.0)]);
    // 0 to 4: from 1 to 3, so 1.5 at 1. 4 to 8: the key at 8 has the flag, so 3 stays. 8 to 10: from 7 to 9 again.
    for (frame, value) in [
        (0.0, 1.0),
        (1.0, 1.5),
        (3.0, 2.5),
        (4.0, 3.0),
        (6.0, 3.0),
        (7.99, 3.0),
        (8.0, 7.0),
        (9.0, 8.0),
        (10.0, 9.0),
        (50.0, 9.0),
    ] {
        assert_eq!(at(&values, frame), [value], "frame {frame}");
    }
    // The flag of a key says nothing of what comes after it, and that of the first nothing at all.
    let values = time_coded(&[(0x8000_0000, 1.0), (2, 3.0)]);
    assert_eq!(at(&values, 1.0), [2.0]);
}

#[test]
fn time_coded_rotations_take_the_shorter_arc() {
    let key = |time: u32, value: [f32; 4]| [&time.to_le_bytes()[..], &floats(&value)].concat();
    // The second is the negative of a quarter turn about Z, which is the same rotation.
    let half = 0.5_f32.sqrt();
    let payload =
        [vec![2, 0, 0, 0, 1, 0, 4, 6], key(0, [0.0, 0.0, 0.0, 1.0]), key(2, [0.0, 0.0, -half, -half])]
            .concat();
    let channel = decode(&compressed(0, 0x282, &payload));
    let got = at(&channel.values, 1.0);
    // An eighth of a turn: sin and cos of 22.5 degrees.
    for (got, wanted) in got.iter().zip([0.0, 0.0, 0.382_683_43, 0.923_879_5]) {
        assert!((got - wanted).abs() < 1e-6, "{got}");
    }
}

#[test]
fn compressed_bits_switch_at_their_times() {
    // On from 3, off from 5, on from 9. Before 3 the first value holds; the default, 0, is not used.
    let switches: Vec<u8> =
        [0x8000_0003_u32, 5, 0x8000_0009].iter().flat_map(|word| word.to_le_bytes()).collect();
    let channel = decode(&compressed(0, 0x283, &[&[3, 0, 0, 0, 2, 0, 0, 0][..], &switches].concat()));
    assert_eq!((channel.pivot, channel.target), (2, ChannelType::VIS));
    assert_eq!(channel.values, Values::Switches(vec![(3, true), (5, false), (9, true)]));
    for (frame, value) in
        [(0.0, 1.0), (3.0, 1.0), (4.9, 1.0), (5.0, 0.0), (8.5, 0.0), (9.0, 1.0), (100.0, 1.0)]
    {
        assert_eq!(at(&channel.values, frame), [value], "frame {frame}");
    }
}

#[test]
fn filter_table() {
    // 10^(i - 8) for the first sixteen.
    for (index, power) in [(0, 1e-8), (1, 1e-7), (7, 0.1), (8, 1.0), (9, 10.0), (15, 1e7)] {
        assert_eq!(filter(index), power, "{index}");
    }
    // 1 - sin(90 degrees * i / 240) for the others.
    for (i, expected) in [
        (0, 1.0),
        (80, 0.5),                                    // 30 degrees: 1 - 1/2
        (120, 1.0 - std::f64::consts::FRAC_1_SQRT_2), // 45 degrees
        (160, 1.0 - 0.75_f64.sqrt()),                 // 60 degrees
        (239, 1.0 - 89.625_f64.to_radians().sin()),   // 90 * 239 / 240
    ] {
        let got = f64::from(filter(16 + i));
        assert!((got - expected).abs() < 2e-7, "{i}: {got} {expected}");
    }
    assert!((17..=255).all(|at| filter(at) < filter(at - 1)), "it falls from 1 to nearly 0");
}

#[test]
fn adaptive_delta_of_four_bits() {
    // Eighteen frames of two components: two groups of two packets. Scale 0.5; filter 8 is 1, filter 9 is 10.
    let packet = |filter: u8, bytes: &[u8]| [&[filter], bytes, &[0; 8][bytes.len()..]].concat();
    let payload = [
        &[18, 0, 0, 0, 6, 0, 2, 6][..],
        &floats(&[0.5, 100.0, -20.0]),
        &packet(8, &[0xF1, 0x87]), // first group, first component: +1, -1, +7, -8
        &packet(9, &[0x02, 0, 0, 0, 0, 0, 0, 0xC0]), // first group, second component: +2, then -4 at the sixteenth
        &packet(8, &[0x03]),                         // second group, first component: +3
        &packet(9, &[0x0F]),                         // second group, second component: -1
        &[1, 2, 3],
    ]
    .concat();
    let channel = decode(&compressed(1, 0x282, &payload));
    let Values::Frames { first: 0, components: 2, values, outside: Outside::Hold } = &channel.values else {
        panic!("{channel:?}")
    };
    let component = |which: usize| values.iter().skip(which).step_by(2).copied().collect::<Vec<_>>();
    // A unit of the first component is 0.5 * 1. Frame 1: 100 + 0.5; 2: - 0.5; 3: + 3.5; 4: - 4; ... 17: + 1.5.
    let mut expected = vec![100.0, 100.5, 100.0, 103.5];
    expected.extend([99.5; 13]);
    expected.push(101.0);
    assert_eq!(component(0), expected);
    // A unit of the second is 0.5 * 10. Frame 1: -20 + 10; 16: - 20; 17: - 5.
    let mut expected = vec![-20.0];
    expected.extend([-10.0; 15]);
    expected.extend([-30.0, -35.0]);
    assert_eq!(component(1), expected);
    assert_eq!(values.len(), 2 * 18, "not one frame more than the header says");
    // Beyond the last frame its value stays; between frames it moves evenly.
    assert_eq!(at(&channel.values, 99.0), [101.0, -35.0]);
    assert_eq!(at(&channel.values, 0.5), [100.25, -15.0]);
}

#[test]
fn every_nibble_is_a_signed_number() {
    // 0x10, 0x32, ...: nibbles 0 to 15 in order, which are 0 to 7 and then -8 to -1.
    let deltas = [0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE];
    let values = decode_deltas(Width::Four, 1.0, &[0.0], 17, [(8, &deltas[..])].into_iter());
    // Sums: 0 1 3 6 10 15 21 28, then - 8, - 7, ... - 1.
    assert_eq!(values, [0., 0., 1., 3., 6., 10., 15., 21., 28., 20., 13., 7., 2., -2., -5., -7., -8.]);
}

#[test]
fn adaptive_delta_of_eight_bits() {
    // (byte - 128) / 16: 144 is 1, 112 is -1, 255 is 7.9375, 0 is -8, 136 is 0.5, 128 is 0.
    let mut deltas = [128; 16];
    deltas[..5].copy_from_slice(&[144, 112, 255, 0, 136]);
    let payload = [&[0, 2, 1, 0, 7, 0, 3, 0][..], &floats(&[2.0, 10.0]), &[8], &deltas].concat();
    let channel = decode(&compressed(0, 0x284, &payload));
    assert_eq!((channel.pivot, channel.target), (3, ChannelType::X));
    // Scale 2, filter 1: 10, + 2, - 2, + 15.875, - 16, + 1, + 0.
    let expected = vec![10.0, 12.0, 10.0, 25.875, 9.875, 10.875, 10.875];
    assert_eq!(
        channel.values,
        Values::Frames { first: 0, components: 1, values: expected, outside: Outside::Hold }
    );
}

#[test]
fn motion_keys_have_their_flag_in_bit_15() {
    // Three keys, so two bytes of padding, which are not part of anything.
    let payload =
        [&[0, 0, 1, 15, 3, 0, 5, 0][..], &words(&[0, 0x8004, 6, 0xBEEF]), &floats(&[1.0, 0.0, 0.5])].concat();
    let channel = decode(&compressed(0, 0x284, &payload));
    assert_eq!((channel.pivot, channel.target), (5, ChannelType::VIS));
    let key = |frame, step| Key { frame, step };
    assert_eq!(
        channel.values,
        Values::Keys {
            components: 1,
            keys: vec![key(0, false), key(4, true), key(6, false)],
            values: vec![1.0, 0.0, 0.5]
        }
    );
    for (frame, value) in [(0.0, 1.0), (3.9, 1.0), (4.0, 0.0), (5.0, 0.25), (6.0, 0.5), (7.0, 0.5)] {
        assert_eq!(at(&channel.values, frame), [value], "frame {frame}");
    }
    // Two keys of two floats: no padding, values per key.
    let payload = [&[0, 0, 2, 0, 2, 0, 5, 0][..], &words(&[0, 2]), &floats(&[1.0, 2.0, 3.0, 6.0])].concat();
    assert_eq!(at(&decode(&compressed(0, 0x284, &payload)).values, 1.0), [2.0, 4.0]);
}

#[test]
fn damaged_channels_give_what_is_there() {
    // A thousand frames are promised, one packet is there: seventeen frames.
    let payload = [&[0xE8, 3, 0, 0, 6, 0, 1, 0][..], &floats(&[1.0, 0.0]), &[8], &[0x11; 8]].concat();
    let file = compressed(1, 0x282, &payload);
    let file = common::read(&file);
    let Some(Channel { values: Values::Frames { values, .. }, .. }) = codec::decode(innermost(&file)) else {
        panic!()
    };
    assert_eq!(values, (0..17_u8).map(f32::from).collect::<Vec<_>>());
    for length in 0..payload.len() {
        for (flavor, id) in [(0, 0x282), (1, 0x282), (0, 0x283), (0, 0x284)] {
            let bytes = compressed(flavor, id, &payload[..length]);
            let file = common::read(&bytes);
            if let Some(channel) = codec::decode(innermost(&file)) {
                at(&channel.values, 0.5);
            }
        }
    }
}

#[test]
fn frames_that_nobody_means() {
    let bits = Values::Bits { first: 1, bits: vec![true], default: false };
    let frames = Values::Frames { first: 1, components: 1, values: vec![5.0], outside: Outside::Identity };
    let held = Values::Frames { first: 0, components: 1, values: vec![5.0, 6.0], outside: Outside::Hold };
    for frame in [f32::MIN, f32::MAX, f32::NEG_INFINITY, f32::INFINITY] {
        assert_eq!(at(&bits, frame), [0.0]);
        assert_eq!(at(&frames, frame), [0.0]);
        assert_eq!(at(&held, frame), [if frame > 0.0 { 6.0 } else { 5.0 }]);
    }
}

/// An adaptive-delta channel of the bytes that the encoder made.
fn channel_of(width: Width, components: usize, values: &[f32], deltas_scale: f32, packets: &[u8]) -> Vec<u8> {
    let frames = (values.len() / components) as u16;
    let start = floats(&[&[deltas_scale], &values[..components]].concat());
    match width {
        Width::Four => {
            let head = [&u32::from(frames).to_le_bytes()[..], &[0, 0, components as u8, 0]].concat();
            compressed(1, 0x282, &[&head, &start[..], packets, &[0; 3]].concat())
        }
        Width::Eight => {
            let head = [&[0, 2, components as u8, 0][..], &frames.to_le_bytes(), &[0, 0]].concat();
            compressed(0, 0x284, &[&head, &start[..], packets].concat())
        }
    }
}

fn largest_miss(wanted: &[f32], got: &[f32]) -> f32 {
    assert_eq!(wanted.len(), got.len());
    wanted.iter().zip(got).map(|(wanted, got)| (wanted - got).abs()).fold(0.0, f32::max)
}

fn decoded(width: Width, components: usize, values: &[f32]) -> (Vec<f32>, f32) {
    let deltas = encode_deltas(width, components, values, f32::INFINITY).expect("any error is within this");
    let channel = decode(&channel_of(width, components, values, deltas.scale, &deltas.packets));
    let Values::Frames { values, .. } = channel.values else { panic!("frames") };
    (values, deltas.error)
}

#[test]
fn differences_that_would_be_off_by_more_than_the_tolerance_are_refused() {
    let values: Vec<f32> = (0..40).map(|index| ((index * index) as f32 * 0.37).sin()).collect();
    for width in [Width::Four, Width::Eight] {
        let deltas = encode_deltas(width, 1, &values, f32::INFINITY).expect("any error is within this");
        assert!(deltas.error > 0.0);
        assert_eq!(deltas.packets.len(), width.packed(1, values.len()));
        assert_eq!(encode_deltas(width, 1, &values, deltas.error), Some(deltas.clone()));
        assert_eq!(encode_deltas(width, 1, &values, deltas.error * 0.99), None);
    }
}

#[test]
fn a_constant_channel_is_exact() {
    for width in [Width::Four, Width::Eight] {
        for frames in [1, 2, 16, 17, 40] {
            let values: Vec<f32> = (0..frames).flat_map(|_| [0.1, -7.3]).collect();
            assert_eq!(decoded(width, 2, &values), (values, 0.0));
        }
    }
}

#[test]
fn a_ramp_is_nearly_exact() {
    // Every step is the largest, 7 units of the scale, which filters 8 and 16 do not change.
    for width in [Width::Four, Width::Eight] {
        let values: Vec<f32> = (0..50_u8).map(|frame| f32::from(frame) * 0.25).collect();
        let (_, error) = decoded(width, 1, &values);
        assert!(error < 1e-5, "{error}");
    }
}

#[test]
fn a_swing_is_close() {
    // One and a half waves in sixty frames; the largest step is 3 * pi / 60 = 0.157, so half a unit of four bits is 0.011.
    let values: Vec<f32> =
        (0..60_u8).map(|frame| (f32::from(frame) / 60.0 * 3.0 * std::f32::consts::PI).sin()).collect();
    let (_, four) = decoded(Width::Four, 1, &values);
    assert!(four < 0.012, "{four}");
    let (_, eight) = decoded(Width::Eight, 1, &values);
    assert!(eight < 0.001, "{eight}");
}

#[test]
fn keys_of_straight_lines_are_exact() {
    // Up from 0 to 8 by ones, level for five frames, down to 4 by halves: four lines' ends.
    let mut values: Vec<f32> = (0..=8_u8).map(f32::from).collect();
    values.extend([8.0; 5]);
    values.extend((1..=8_u8).map(|step| 8.0 - f32::from(step) / 2.0));
    let (keys, kept, error) = encode_keys(1, &values, 0.0);
    assert_eq!(keys.iter().map(|key| key.frame).collect::<Vec<_>>(), [0, 8, 13, 21]);
    assert_eq!((kept, error), (vec![0.0, 8.0, 8.0, 4.0], 0.0));
    assert!(keys.iter().all(|key| !key.step));
    // One frame, no frame.
    assert_eq!(encode_keys(1, &[5.0], 0.0), (vec![Key { frame: 0, step: false }], vec![5.0], 0.0));
    assert_eq!(encode_keys(1, &[], 0.0), (Vec::new(), Vec::new(), 0.0));
    assert_eq!(encode_keys(0, &[1.0], 0.0), (Vec::new(), Vec::new(), 0.0));
}

fn frames(components: usize) -> impl Strategy<Value = Vec<f32>> {
    proptest::collection::vec(-50.0_f32..50.0, components..components * 40)
        .prop_map(move |values| values[..values.len() / components * components].to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn deltas_report_their_error(components in 1_usize..=4, seed in frames(4), eight in any::<bool>()) {
        let values = &seed[..seed.len() / components * components];
        let width = if eight { Width::Eight } else { Width::Four };
        let (got, error) = decoded(width, components, values);
        // Four numbers are a rotation, whose error is that of the whole.
        let rotations = values.chunks_exact(4).zip(got.chunks_exact(4)).map(|(a, b)| distance(a, b));
        let worst = if components == 4 { rotations.fold(0.0, f32::max) } else { largest_miss(values, &got) };
        prop_assert_eq!(worst, error);
    }

    #[test]
    fn keys_report_their_error(values in frames(3), tolerance in 0.0_f32..20.0) {
        let (keys, kept, error) = encode_keys(3, &values, tolerance);
        prop_assert!(error <= tolerance);
        prop_assert_eq!(keys[0].frame, 0);
        let channel = Values::Keys { components: 3, keys, values: kept };
        let mut worst = 0.0_f32;
        for (frame, wanted) in values.chunks_exact(3).enumerate() {
            worst = worst.max(largest_miss(wanted, &at(&channel, frame as f32)));
        }
        prop_assert_eq!(worst, error);
    }

    #[test]
    fn encoders_take_any_number(bits in proptest::collection::vec(any::<u32>(), 0..40), components in 0_usize..6) {
        let values: Vec<f32> = bits.into_iter().map(f32::from_bits).collect();
        let deltas = encode_deltas(Width::Four, components, &values, f32::INFINITY).expect("any error is within this");
        let frames = values.len().checked_div(components).unwrap_or_default();
        prop_assert_eq!(deltas.packets.len(), frames.div_ceil(16) * components * 9);
        let (keys, kept, _) = encode_keys(components, &values, 0.5);
        prop_assert_eq!(keys.len() * components, kept.len());
    }

    #[test]
    fn any_channel_can_be_sampled(payload in proptest::collection::vec(any::<u8>(), 0..120), frame in any::<f32>()) {
        for (flavor, id) in [(0, 0x282), (1, 0x282), (0, 0x283), (0, 0x284), (0, 0x202), (0, 0x203)] {
            let bytes = compressed(flavor, id, &payload);
            let file = meshwright_w3d::W3d::parse(&bytes).expect("an animation");
            if let Some(channel) = codec::decode(innermost(&file)) {
                at(&channel.values, frame);
            }
        }
    }
}
