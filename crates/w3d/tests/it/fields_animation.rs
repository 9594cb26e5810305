//! Skeletons, animations and their channels: every field where the documents put it.

use crate::common::{
    array, body, check, chunk, compressed, innermost, raw, read, read_sound, record, shown, slot, string,
    wrap,
};
use meshwright_w3d::records::{CompressedAnimationHeader, Pivot};
use meshwright_w3d::table;

#[test]
fn hierarchy() {
    // docs/formats/w3d/hierarchy.md#hierarchy-header: the centre is twelve bytes, not four.
    record(
        &[0x100],
        0x101,
        "HIERARCHY_HEADER",
        36,
        "0 u32 version; 4 char[16] name; 20 u32 num_pivots; 24 f32[3] center",
    );
    array(
        &[0x100],
        0x102,
        "PIVOTS",
        "pivots",
        60,
        "0 char[16] name; 16 u32 parent_idx; 20 f32[3] translation; 32 f32[3] euler_angles; 44 f32[4] rotation",
    );
    array(&[0x100], 0x103, "PIVOT_FIXUPS", "fixups", 48, "0 f32[3][4] tm");
    raw(&[0x100], 0x104, "PIVOT_UNKNOWN1");
}

#[test]
fn pivots_through_their_type() {
    let pivot = |name: &[u8], parent: u32| {
        let mut payload = vec![0; 60];
        payload[..name.len()].copy_from_slice(name);
        payload[16..20].copy_from_slice(&parent.to_le_bytes());
        payload[20..24].copy_from_slice(&1.5_f32.to_le_bytes());
        payload[44..48].copy_from_slice(&0.25_f32.to_le_bytes());
        payload[56..].copy_from_slice(&0.75_f32.to_le_bytes());
        payload
    };
    let bytes =
        wrap(&[0x100], chunk(0x102, &[pivot(b"ROOTTRANSFORM", u32::MAX), pivot(b"TURRET", 0)].concat()));
    let file = read_sound(&bytes);
    let pivots: &[Pivot] = file.hierarchies().next().expect("a skeleton").pivots();
    assert_eq!(pivots.iter().map(Pivot::parent).collect::<Vec<_>>(), [None, Some(0)]);
    assert_eq!(pivots[1].name.to_string(), "TURRET");
    assert_eq!(pivots[1].translation.get(), [1.5, 0.0, 0.0]);
    assert_eq!(pivots[1].rotation.get(), [0.25, 0.0, 0.0, 0.75], "x, y, z, w");
}

#[test]
fn animation_headers() {
    record(
        &[0x200],
        0x201,
        "ANIMATION_HEADER",
        44,
        "0 u32 version; 4 char[16] name; 20 char[16] hierarchy_name; 36 u32 num_frames; 40 u32 frame_rate",
    );
    record(
        &[0x280],
        0x281,
        "COMPRESSED_ANIMATION_HEADER",
        44,
        "0 u32 version; 4 char[16] name; 20 char[16] hierarchy_name; 36 u32 num_frames; 40 u16 frame_rate; 42 u16 flavor",
    );
}

const CHANNEL: &str =
    "0 u16 first_frame; 2 u16 last_frame; 4 u16 vector_len; 6 u16 flags; 8 u16 pivot; 10 u16 pad";

#[test]
fn raw_channel_with_surplus_floats() {
    let words = |words: &[u16]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let floats =
        |count: usize| (0..count).flat_map(|index| (index as f32 + 0.5).to_le_bytes()).collect::<Vec<_>>();
    // Frames 3 to 5 of two components: (5 - 3 + 1) * 2 = 6 floats; three more are surplus (docs/formats/w3d/animation.md#raw-channels).
    let payload = [words(&[3, 5, 2, 6, 17, 0]), floats(9)].concat();
    let bytes = wrap(&[0x200], chunk(0x202, &payload));
    let file = read_sound(&bytes);
    let node = innermost(&file);
    check(node, "fields", 0, 0, CHANNEL);
    assert_eq!(
        shown(node, "fields"),
        [r#"{"first_frame": 3, "last_frame": 5, "vector_len": 2, "flags": "Q", "pivot": 17, "pad": 0}"#]
    );
    assert_eq!(shown(node, "values"), ["0.5", "1.5", "2.5", "3.5", "4.5", "5.5"]);
    assert_eq!(shown(node, "surplus"), ["6.5", "7.5", "8.5"]);
    assert_eq!((slot(node, "values").start, slot(node, "surplus").start), (12, 36));
    // With the order reversed there are no values.
    let bytes = wrap(&[0x200], chunk(0x202, &[words(&[5, 3, 1, 0, 0, 0]), floats(2)].concat()));
    let file = read_sound(&bytes);
    assert_eq!(shown(innermost(&file), "surplus"), ["0.5", "1.5"]);
    let animation = file.animations().next().expect("an animation");
    let channel = animation.channels().next().expect("a channel");
    assert_eq!(
        channel.values,
        meshwright_w3d::codec::Values::Frames {
            first: 5,
            components: 1,
            values: Vec::new(),
            outside: meshwright_w3d::codec::Outside::Identity
        },
        "surplus floats are no values"
    );
}

#[test]
fn bit_channel_has_nine_bytes_before_its_bits() {
    let layout = "0 u16 first_frame; 2 u16 last_frame; 4 u16 flags; 6 u16 pivot; 8 u8 default_val";
    // Frames 2 to 10 are nine bits: two bytes, where the document's 9 / 8 would be one.
    let payload = [&[2, 0, 10, 0, 0, 0, 7, 0, 1][..], &[0b0101_0101, 0b1]].concat();
    let bytes = wrap(&[0x200], chunk(0x203, &payload));
    let file = read_sound(&bytes);
    let node = innermost(&file);
    check(node, "fields", 0, 0, layout);
    assert_eq!(slot(node, "bits").bytes, [0b0101_0101, 0b1]);
    for (last, bytes_needed) in [(2, 1), (9, 1), (10, 2), (17, 2), (18, 3)] {
        let payload = [&[2, 0, last, 0, 0, 0, 7, 0, 1][..], &[0xFF; 3][..bytes_needed]].concat();
        let bytes = wrap(&[0x200], chunk(0x203, &payload));
        assert_eq!(
            slot(innermost(&read_sound(&bytes)), "bits").bytes.len(),
            bytes_needed,
            "frames 2 to {last}"
        );
    }
}

const TIME_CODED: &str = "0 u32 num_time_codes; 4 u16 pivot; 6 u8 vector_len; 7 u8 flags";

#[test]
fn time_coded_channel_of_one_to_four_floats() {
    for components in 1..=4_u8 {
        let key = |time: u32, first: f32| {
            let values = (0..components).flat_map(|index| (first + f32::from(index)).to_le_bytes());
            time.to_le_bytes().into_iter().chain(values).collect::<Vec<_>>()
        };
        let payload =
            [vec![3, 0, 0, 0, 9, 0, components, 6], key(0, 1.5), key(4, 11.5), key(0x8000_0009, 21.5)]
                .concat();
        // 8 + n * (4 + 4 V), as docs/formats/w3d/animation.md#time-coded-channels has it.
        assert_eq!(payload.len(), 8 + 3 * (4 + 4 * usize::from(components)));
        let bytes = compressed(0, 0x282, &payload);
        let file = read_sound(&bytes);
        let node = innermost(&file);
        assert!(node.is(&table::COMPRESSED_ANIMATION_CHANNEL));
        check(node, "time_coded", 0, 0, TIME_CODED);
        let name = if components == 1 { "keys".to_owned() } else { format!("keys{components}") };
        let stride = 4 + 4 * usize::from(components);
        for element in 0..3 {
            let layout = format!("0 u32 time_code; 4 f32[{components}] value");
            check(node, &name, element, 8 + element * stride, &layout);
        }
        let list = |first: u32| {
            let items: Vec<_> =
                (0..u32::from(components)).map(|index| format!("{}.5", first + index)).collect();
            items.join(", ")
        };
        assert_eq!(
            shown(node, &name),
            [
                format!(r#"{{"time_code": 0, "value": [{}]}}"#, list(1)),
                format!(r#"{{"time_code": 4, "value": [{}]}}"#, list(11)),
                format!(r#"{{"time_code": "9 STEP", "value": [{}]}}"#, list(21)),
            ]
        );
    }
}

#[test]
fn adaptive_delta_channel_with_three_bytes_of_junk() {
    for (components, frames, groups) in [(1_u8, 16_u8, 1_usize), (4, 17, 2), (2, 33, 3)] {
        let count = usize::from(components);
        let initial: Vec<u8> =
            (0..components).flat_map(|index| (f32::from(index) + 0.5).to_le_bytes()).collect();
        let packets: Vec<u8> =
            (0..groups * count).flat_map(|index| [vec![index as u8], vec![0x21; 8]].concat()).collect();
        let payload = [
            &[frames, 0, 0, 0, 3, 0, components, 6][..],
            &0.125_f32.to_le_bytes(),
            &initial,
            &packets,
            &[0xCD; 3],
        ]
        .concat();
        // 12 + 4 V + 9 V ceil(N / 16) + 3, as docs/formats/w3d/animation.md#adaptive-delta has it.
        assert_eq!(payload.len(), 12 + 4 * count + 9 * count * groups + 3);
        let bytes = compressed(1, 0x282, &payload);
        let file = read_sound(&bytes);
        let node = innermost(&file);
        assert!(node.is(&table::ADAPTIVE_DELTA_CHANNEL));
        let layout = "0 u32 num_frames; 4 u16 pivot; 6 u8 vector_len; 7 u8 flags; 8 f32 scale";
        check(node, "adaptive_delta", 0, 0, layout);
        assert_eq!(shown(node, "initial").len(), count);
        for element in 0..groups * count {
            check(node, "packets", element, 12 + 4 * count + 9 * element, "0 u8 filter; 1 byte[8] deltas");
        }
        assert_eq!(slot(node, "packets").bytes, packets);
        assert_eq!(slot(node, "junk").bytes, [0xCD; 3]);
    }
}

#[test]
fn the_flavour_of_the_header_decides() {
    let payload = [0; 31];
    let (bytes, other) = (compressed(0, 0x282, &payload), compressed(1, 0x282, &payload));
    assert!(innermost(&read(&bytes)).is(&table::COMPRESSED_ANIMATION_CHANNEL));
    assert!(innermost(&read(&other)).is(&table::ADAPTIVE_DELTA_CHANNEL));
    // Each animation has its own.
    let both = [other, bytes].concat();
    let file = read(&both);
    assert!(file.root.children()[0].children()[1].is(&table::ADAPTIVE_DELTA_CHANNEL));
    assert!(file.root.children()[1].children()[1].is(&table::COMPRESSED_ANIMATION_CHANNEL));
    let header: &CompressedAnimationHeader = file.root.children()[0].children()[0].value().expect("a header");
    assert_eq!(header.flavor.name(), Some("ADAPTIVE_DELTA"));
}

#[test]
fn compressed_bit_channel() {
    // docs/formats/w3d/animation.md#time-coded-bits: the offsets in the public documents are wrong.
    let layout = "0 u32 num_time_codes; 4 u16 pivot; 6 u8 flags; 7 u8 default_val";
    let payload =
        [&[2, 0, 0, 0, 5, 0, 0, 1][..], &0x8000_0000_u32.to_le_bytes(), &9_u32.to_le_bytes()].concat();
    let bytes = compressed(0, 0x283, &payload);
    let file = read_sound(&bytes);
    let node = innermost(&file);
    check(node, "fields", 0, 0, layout);
    assert_eq!(slot(node, "switches").start, 8);
    assert_eq!(shown(node, "switches"), ["\"0 ON\"", "9"]);
}

const MOTION: &str = "0 u8 zero; 1 u8 flavor; 2 u8 vector_len; 3 u8 flags; 4 u16 num_time_codes; 6 u16 pivot";

#[test]
fn motion_channel_of_keys() {
    let floats =
        |count: u8| (0..count).flat_map(|index| (f32::from(index) + 0.5).to_le_bytes()).collect::<Vec<_>>();
    for (count, padding) in [(2_u8, &[][..]), (3, &[0xEE, 0xFF])] {
        let times: Vec<u8> =
            (0..u16::from(count)).flat_map(|index| ((index * 3) | 0x8000).to_le_bytes()).collect();
        let payload = [&[0, 0, 4, 6, count, 0, 8, 0][..], &times, padding, &floats(4 * count)].concat();
        let bytes = compressed(0, 0x284, &payload);
        let file = read_sound(&bytes);
        let node = innermost(&file);
        check(node, "fields", 0, 0, MOTION);
        assert_eq!(slot(node, "time_codes").bytes, times);
        assert_eq!(node.slots().any(|part| part.slot.name == "padding"), count % 2 == 1);
        assert_eq!(slot(node, "values").start, 8 + times.len() + padding.len());
        assert_eq!(slot(node, "values").bytes, floats(4 * count));
    }
}

#[test]
fn motion_channels_of_differences() {
    for (flavor, name, width) in [(1_u8, "packets", 9), (2, "packets8", 17)] {
        // Seventeen frames of two components: two groups of two packets, and nothing after them.
        let packets: Vec<u8> =
            (0..4).flat_map(|index| [vec![index], vec![0x80; width - 1]].concat()).collect();
        let floats = [0.5_f32, 1.5, 2.5].map(f32::to_le_bytes).concat();
        let payload = [&[0, flavor, 2, 15, 17, 0, 8, 0][..], &floats, &packets].concat();
        let bytes = compressed(0, 0x284, &payload);
        let file = read_sound(&bytes);
        let node = innermost(&file);
        check(node, "fields", 0, 0, MOTION);
        assert_eq!(shown(node, "scale"), ["0.5"]);
        assert_eq!((slot(node, "scale").start, slot(node, "initial").start), (8, 12));
        assert_eq!(shown(node, "initial"), ["1.5", "2.5"]);
        for element in 0..4 {
            let layout = format!("0 u8 filter; 1 byte[{}] deltas", width - 1);
            check(node, name, element, 20 + width * element, &layout);
        }
        assert_eq!(slot(node, name).bytes, packets);
    }
}

#[test]
fn morph_animation() {
    record(
        &[0x2C0],
        0x2C1,
        "MORPHANIM_HEADER",
        48,
        "0 u32 version; 4 char[16] name; 20 char[16] hierarchy_name; 36 u32 frame_count; 40 f32 frame_rate;
         44 u32 channel_count",
    );
    string(&[0x2C0, 0x2C2], 0x2C3, "MORPHANIM_POSENAME");
    array(&[0x2C0, 0x2C2], 0x2C4, "MORPHANIM_KEYDATA", "keys", 8, "0 u32 morph_frame; 4 u32 pose_frame");
    array(&[0x2C0], 0x2C5, "MORPHANIM_PIVOTCHANNELDATA", "channels", 4, "0 u32 .");
}

#[test]
fn layouts_are_really_compared() {
    // The helper itself: a layout that is wrong by one type, one offset or one name is noticed.
    let good = "0 u32 morph_frame; 4 u32 pose_frame";
    let bytes = wrap(&[0x2C0, 0x2C2], chunk(0x2C4, &body(good, 8, 1)));
    let file = read_sound(&bytes);
    check(innermost(&file), "keys", 0, 0, good);
    for wrong in [
        "0 f32 morph_frame; 4 u32 pose_frame",
        "0 u32 morph_frame; 5 u32 pose_frame",
        "0 u32 pose_frame",
        "0 u32 morph_frame",
    ] {
        let noticed = std::panic::catch_unwind(|| check(innermost(&read_sound(&bytes)), "keys", 0, 0, wrong));
        assert!(noticed.is_err(), "{wrong}");
    }
}
