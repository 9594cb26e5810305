//! Changing clips: what a model shows at each moment follows from what it showed before.

use crate::common::crate_box;
use mdx::records::*;
use mdx::view::Object;
use mdx::{Document, kinds, tags};
use meshwright_edit::{ClipChange, Selector, change_clip};
use record::{I32, Node, Vec3};
use w3d::W3d;

fn clip(name: &str) -> Selector {
    format!("clip:{name}").parse().expect("a selector")
}

fn tower() -> Node<'static> {
    let bytes = mdx::build::watchtower();
    Document::parse(&bytes).expect("a model").into_owned().root
}

fn change(root: &mut Node<'_>, name: &str, change: &ClipChange) -> usize {
    change_clip(root, &clip(name), change).expect("changed").changed
}

/// Names and intervals.
fn sequences(root: &Node<'_>) -> Vec<(String, i32, i32)> {
    root.get(kinds::SEQS)
        .iter()
        .map(|sequence| (sequence.name.to_string(), sequence.start.get(), sequence.end.get()))
        .collect()
}

/// A model with one bone, one sequence from 1000 to 2000, and a track of translations.
fn model(interpolation: Interpolation, keys: &[(i32, [f32; 3])]) -> Node<'static> {
    let mut root = tower();
    let keys: Vec<(i32, Vec3)> = keys.iter().map(|(time, value)| (*time, Vec3::from(*value))).collect();
    let sequence = Sequence {
        start: I32::new(1000),
        end: I32::new(2000),
        name: record::Chars::new("Move").expect("a name"),
        ..root.get(kinds::SEQS)[0]
    };
    root.find_mut("SEQS").expect("sequences").set_values(&[sequence]);
    let mut first = true;
    for chunk in root.children_mut().expect("chunks") {
        for object in chunk.children_mut().into_iter().flatten() {
            let is_bone = object.is(&kinds::BONE_OBJECT);
            let Some(node) = object.child_mut(&kinds::NODE) else { continue };
            node.children_mut().expect("parts").retain(|part| mdx::track_row(part.id).is_none());
            if is_bone && std::mem::take(&mut first) {
                let track = mdx::build::track(tags::KGTR, interpolation, -1, &keys).expect("a track");
                node.children_mut().expect("parts").push(track);
            }
        }
    }
    root
}

fn translations(root: &Node<'_>) -> Vec<(i32, f32)> {
    let objects = root.children().iter().flat_map(Node::children).filter_map(Object::new);
    let track = objects.filter_map(|object| object.track(tags::KGTR)).next().expect("a track");
    track.keys().map(|key| (key.time, key.value[0])).collect()
}

fn replace_translations(root: &mut Node<'static>, track: &Node<'static>) {
    for chunk in root.children_mut().expect("chunks") {
        for object in chunk.children_mut().into_iter().flatten() {
            let Some(node) = object.child_mut(&kinds::NODE) else { continue };
            for part in node.children_mut().expect("parts").iter_mut().filter(|part| part.id == tags::KGTR) {
                *part = track.clone();
            }
        }
    }
}

const RAMP: [(i32, [f32; 3]); 3] =
    [(1000, [0.0, 0.0, 0.0]), (1500, [10.0, 0.0, 0.0]), (2000, [0.0, 0.0, 0.0])];

#[test]
fn a_trimmed_clip_has_keys_with_the_value_of_the_curve_at_both_ends() {
    let mut root = model(Interpolation::LINEAR, &RAMP);
    assert_eq!(change(&mut root, "Move", &ClipChange::Trim { from: 250, to: 600 }), 1);
    assert_eq!(sequences(&root), [("Move".to_owned(), 1250, 1600)]);
    assert_eq!(translations(&root), [(1250, 5.0), (1500, 10.0), (1600, 8.0)]);
    let error = change_clip(&mut root, &clip("Move"), &ClipChange::Trim { from: 0, to: 900 });
    assert!(error.expect_err("too long").message.contains("350 milliseconds"));
}

/// The value at 1250 is that of the cubic, and both halves of it follow it.
#[test]
fn a_curve_is_cut_exactly() {
    let key = |time: i32, value: f32, tangent: f32| TangentKey {
        time: I32::new(time),
        value: Vec3::new(value, 0.0, 0.0),
        in_tan: Vec3::new(tangent, 0.0, 0.0),
        out_tan: Vec3::new(tangent, 0.0, 0.0),
    };
    let hermite = |a: f32, out: f32, into: f32, b: f32, t: f32| {
        a * (2.0 * t.powi(3) - 3.0 * t * t + 1.0)
            + out * (t.powi(3) - 2.0 * t * t + t)
            + into * (t.powi(3) - t * t)
            + b * (3.0 * t * t - 2.0 * t.powi(3))
    };
    let mut root = model(Interpolation::LINEAR, &RAMP);
    let keys = [key(1000, 0.0, 6.0), key(2000, 8.0, -2.0)];
    let track = mdx::build::tangent_track(tags::KGTR, Interpolation::HERMITE, -1, &keys).expect("a track");
    replace_translations(&mut root, &track);
    change(&mut root, "Move", &ClipChange::Trim { from: 250, to: 750 });
    let objects = root.children().iter().flat_map(Node::children).filter_map(Object::new);
    let track = objects.filter_map(|object| object.track(tags::KGTR)).next().expect("a track");
    let found: Vec<_> = track.keys().collect();
    assert_eq!(found.iter().map(|key| key.time).collect::<Vec<_>>(), [1250, 1750]);
    let whole = |t: f32| hermite(0.0, 6.0, -2.0, 8.0, t);
    for share in [0.0, 0.25, 0.5, 1.0] {
        let (out, into) =
            (found[0].tangents.expect("curved")[1][0], found[1].tangents.expect("curved")[0][0]);
        let part = hermite(found[0].value[0], out, into, found[1].value[0], share);
        assert!((part - whole(0.25 + share / 2.0)).abs() < 1e-4, "{share}: {part}");
    }
}

#[test]
fn a_reversed_clip_is_mirrored_and_comes_back() {
    let keys = [(1000, [0.0; 3]), (1200, [4.0, 0.0, 0.0]), (2000, [1.0, 0.0, 0.0])];
    let mut root = model(Interpolation::LINEAR, &keys);
    let before = root.to_bytes().expect("bytes");
    change(&mut root, "Move", &ClipChange::Reverse);
    assert_eq!(translations(&root), [(1000, 1.0), (1800, 4.0), (2000, 0.0)]);
    change(&mut root, "Move", &ClipChange::Reverse);
    assert_eq!(root.to_bytes().expect("bytes"), before);
    // A value that is held until the next key starts, backwards, where it ended.
    let mut root = model(Interpolation::NONE, &keys);
    change(&mut root, "Move", &ClipChange::Reverse);
    assert_eq!(translations(&root), [(1000, 1.0), (1001, 4.0), (1801, 0.0)]);
    change(&mut root, "Move", &ClipChange::Reverse);
    assert_eq!(translations(&root), [(1000, 0.0), (1200, 4.0), (2000, 1.0)]);
}

#[test]
fn speed_moves_what_comes_later_and_comes_back() {
    let mut root = tower();
    let (before, bytes) = (sequences(&root), root.to_bytes().expect("bytes"));
    let first = before[0].clone();
    change(&mut root, "#0", &ClipChange::Speed(0.5));
    let longer = first.2 - first.1;
    let after = sequences(&root);
    assert_eq!(after[0], (first.0.clone(), first.1, first.2 + longer));
    for (before, after) in before.iter().zip(&after).skip(1).filter(|(before, _)| before.1 >= first.2) {
        assert_eq!((after.1, after.2), (before.1 + longer, before.2 + longer));
    }
    change(&mut root, "#0", &ClipChange::Speed(2.0));
    assert_eq!(root.to_bytes().expect("bytes"), bytes);
}

#[test]
fn parts_of_a_clip_join_to_the_clip() {
    let mut root = model(Interpolation::LINEAR, &RAMP);
    let split = ClipChange::Split { at: 500, name: "Rest".to_owned() };
    change(&mut root, "Move", &split);
    assert_eq!(sequences(&root), [("Move".to_owned(), 1000, 1500), ("Rest".to_owned(), 1600, 2100)]);
    assert_eq!(translations(&root), [(1000, 0.0), (1500, 10.0), (1600, 10.0), (2100, 0.0)]);
    for geoset in root.find("GEOS").expect("geosets").children() {
        assert!([0, 2].contains(&geoset.get(kinds::EXTENTS).len()) || geoset.get(kinds::EXTENTS).len() != 1);
    }
    change(&mut root, "Move", &ClipChange::Join(clip("Rest")));
    assert_eq!(sequences(&root), [("Move".to_owned(), 1000, 2000)]);
    assert_eq!(translations(&root), [(1000, 0.0), (1500, 10.0), (2000, 0.0)]);
}

/// A track without keys in a clip has its default there: after joining, keys say so.
#[test]
fn a_joined_clip_has_the_default_where_a_track_had_no_keys() {
    let mut root = model(Interpolation::LINEAR, &RAMP);
    let still = Sequence {
        start: I32::new(5000),
        end: I32::new(5400),
        name: record::Chars::new("Still").expect("a name"),
        ..root.get(kinds::SEQS)[0]
    };
    let all = [root.get(kinds::SEQS)[0], still];
    root.find_mut("SEQS").expect("sequences").set_values(&all);
    change(&mut root, "Still", &ClipChange::Join(clip("Move")));
    let found = translations(&root);
    let (start, end) = (5000, 5400);
    assert!(found.contains(&(start, 0.0)) && found.contains(&(end, 0.0)), "{found:?}");
    assert!(found.contains(&(5900, 10.0)), "{found:?}");
}

#[test]
fn headers_of_sequences_are_set() {
    let mut root = tower();
    assert_eq!(change(&mut root, "#0", &ClipChange::MoveSpeed(270.0)), 1);
    assert_eq!(change(&mut root, "#0", &ClipChange::Rarity(4.0)), 1);
    assert_eq!(change(&mut root, "#0", &ClipChange::Bounds([-1.0; 3], [1.0; 3])), 1);
    change(&mut root, "#0", &ClipChange::Loop(false));
    let first = root.get(kinds::SEQS)[0];
    assert_eq!((first.move_speed.get(), first.rarity.get()), (270.0, 4.0));
    assert_eq!(first.flags, SequenceFlags::NON_LOOPING);
    assert_eq!(first.extent.maximum.get(), [1.0; 3]);
    assert!((first.extent.radius.get() - 3.0_f32.sqrt()).abs() < 1e-6);
    assert_eq!(change(&mut root, "#0", &ClipChange::Loop(false)), 0, "it is so already");
    assert_eq!(change(&mut root, "Nothing", &ClipChange::Rarity(1.0)), 0, "there is no such clip");
    assert!(change_clip(&mut root, &clip("#0"), &ClipChange::Speed(0.0)).is_err());
    assert!(change_clip(&mut root, &clip("#0"), &ClipChange::Rarity(f32::NAN)).is_err());
}

#[test]
fn sequences_that_share_frames_are_refused() {
    let mut root = tower();
    let list = root.find_mut("SEQS").expect("sequences").values_mut::<Sequence>();
    let (start, end) = (list[0].start, list[0].end);
    (list[1].start, list[1].end) = (start, end);
    let error = change_clip(&mut root, &clip("#0"), &ClipChange::Reverse).expect_err("both would change");
    assert!(error.message.contains("frames in common"), "{error}");
}

#[test]
fn a_moved_clip_takes_its_keys_along() {
    let mut root = model(Interpolation::LINEAR, &RAMP);
    change(&mut root, "Move", &ClipChange::Move(7000));
    assert_eq!(sequences(&root), [("Move".to_owned(), 7000, 8000)]);
    assert_eq!(translations(&root), [(7000, 0.0), (7500, 10.0), (8000, 0.0)]);
}

#[test]
fn a_w3d_clip_is_trimmed_reversed_and_slowed_down() {
    let fixture = crate_box();
    let sample = |root: &Node<'_>, frame: u32| -> Vec<Vec<f32>> {
        let clip = root.children().iter().find_map(w3d::Animation::new).expect("a clip");
        clip.channels()
            .map(|channel| {
                let mut out = Vec::new();
                channel.values.sample(frame as f32, &mut out);
                out
            })
            .collect()
    };
    let frames =
        |root: &Node<'_>| root.children().iter().find_map(w3d::Animation::new).expect("a clip").num_frames();
    let last = frames(&fixture.root) - 1;
    let mut root = fixture.root.clone();
    change(&mut root, "#0", &ClipChange::Reverse);
    for frame in 0..=last {
        assert_eq!(sample(&root, frame), sample(&fixture.root, last - frame), "{frame}");
    }
    change(&mut root, "#0", &ClipChange::Reverse);
    for frame in 0..=last {
        assert_eq!(sample(&root, frame), sample(&fixture.root, frame), "{frame}");
    }
    let mut root = fixture.root.clone();
    change(&mut root, "#0", &ClipChange::Trim { from: 1, to: last });
    assert_eq!(frames(&root), last);
    assert_eq!(sample(&root, 0), sample(&fixture.root, 1));
    let mut root = fixture.root.clone();
    change(&mut root, "#0", &ClipChange::Speed(2.0));
    change(&mut root, "#0", &ClipChange::Speed(0.5));
    assert_eq!(root.to_bytes().expect("bytes"), fixture.original);
    for wrong in [ClipChange::Loop(true), ClipChange::MoveSpeed(1.0), ClipChange::Move(1)] {
        assert!(change_clip(&mut root, &clip("#0"), &wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_w3d_clip_is_split_and_joined() {
    let bytes = w3d::sample::tank();
    let mut root = W3d::parse(&bytes).expect("a model").into_owned().root;
    let Some(index) = root.children().iter().position(|chunk| chunk.is(&w3d::table::ANIMATION)) else {
        return;
    };
    let clips = |root: &Node<'_>| root.children().iter().filter_map(w3d::Animation::new).count();
    let before = clips(&root);
    let name = w3d::Animation::new(&root.children()[index]).expect("a clip").name();
    let split = ClipChange::Split { at: 2, name: "SECOND".to_owned() };
    change(&mut root, &name, &split);
    assert_eq!(clips(&root), before + 1);
    change(&mut root, &name, &ClipChange::Join(clip("SECOND")));
    assert_eq!(clips(&root), before);
    let joined = w3d::Animation::new(&root.children()[index]).expect("a clip");
    let original = W3d::parse(&bytes).expect("a model");
    let original = w3d::Animation::new(&original.root.children()[index]).expect("a clip").num_frames();
    assert_eq!(joined.num_frames(), original);
}

/// Whatever its tangents are.
#[test]
fn a_single_key_stays_a_constant() {
    let key = TangentKey {
        time: I32::new(1400),
        value: Vec3::new(0.5, 0.0, 0.0),
        in_tan: Vec3::new(9.0, 0.0, 0.0),
        out_tan: Vec3::new(-9.0, 0.0, 0.0),
    };
    let mut root = model(Interpolation::LINEAR, &RAMP);
    let track = mdx::build::tangent_track(tags::KGTR, Interpolation::HERMITE, -1, &[key]).expect("a track");
    replace_translations(&mut root, &track);
    change(&mut root, "Move", &ClipChange::Trim { from: 100, to: 900 });
    let objects = root.children().iter().flat_map(Node::children).filter_map(Object::new);
    let track = objects.filter_map(|object| object.track(tags::KGTR)).next().expect("a track");
    for key in track.keys() {
        assert_eq!(
            (key.value[0], key.tangents.map(|pair| [pair[0][0], pair[1][0]])),
            (0.5, Some([0.0, 0.0]))
        );
    }
}
