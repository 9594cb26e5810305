//! Tracks: times, values, the sequences they run in.

use mdx::records::Interpolation;
use mdx::tags;
use mdx::view::{Track, TrackKey};
use mdx::{Layout, ValueType};
use record::Severity::{Error, Hint, Info, Warning};

use super::model::first_word;
use crate::context::{Findings, MdxContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::words::{counted, out_of_range, thousands, verb};
use model::Games;

pub(crate) static RULES: &[Rule] = &[
    Rule::mdx(
        "MDX-TRACK-001",
        Error,
        global_reference,
        "mdx-m3-viewer; docs/formats/mdx/framing.md#faults-in-published-files: no published file",
        "a track refers to a missing global sequence",
        "The game uses memory beyond the list of durations.",
    ),
    Rule::mdx(
        "MDX-TRACK-002",
        Warning,
        no_keys,
        "mdx-m3-viewer; docs/formats/mdx/animation.md#track-layout: one of 140,696",
        "a track has no keys",
        "The game uses the static value; some tools crash.",
    ),
    Rule::mdx(
        "MDX-TRACK-003",
        Warning,
        no_sequences,
        "mdx-m3-viewer; Stan: emitters but no sequences",
        "tracks need sequences, but there are none",
        "They never run. Add a sequence, or give them a global sequence. One finding per file.",
    ),
    Rule::mdx(
        "MDX-TRACK-004",
        Info,
        negative,
        "mdx-m3-viewer; docs/formats/mdx/animation.md#track-layout: 117 published tracks",
        "a key has a negative time",
        "No sequence reaches it unless it starts before zero as well.",
    ),
    Rule::mdx(
        "MDX-TRACK-005",
        Warning,
        same_time,
        "mdx-m3-viewer; Retera; docs/formats/mdx/animation.md#track-layout: 907 published tracks",
        "two keys have the same time",
        "The game divides by the time between keys. Where the value jumps from one to the other, the repair moves the first a millisecond earlier. \
         With `--fix=all` it removes all but the last.",
    )
    .repaired(Repair::mdx("moves a key at the time of another a millisecond earlier", fix::mdx_same_time)),
    Rule::mdx(
        "MDX-TRACK-006",
        Warning,
        ascending,
        "mdx-m3-viewer: severe; Retera; docs/formats/mdx/animation.md#track-layout: 463 published tracks",
        "keys are not in order of time",
        "The game searches keys in order and finds the wrong ones. The repair sorts them.",
    )
    .repaired(Repair::mdx("sorts keys by time", fix::mdx_sort_keys)),
    Rule::mdx(
        "MDX-TRACK-007",
        Info,
        opening,
        "docs/formats/mdx/animation.md#which-keys-count: a track wraps",
        "a sequence has no key at its start",
        "Before the first key of a sequence the track wraps: the value is interpolated from the last key to the first. A sequence that loops \
         continues smoothly. One that does not loop starts with a value that no key has. Reported only where both keys differ.",
    ),
    Rule::mdx(
        "MDX-TRACK-008",
        Info,
        magos,
        "mdx-m3-viewer: Magos cannot load them",
        "a track that Magos' editor cannot load",
        "The game reads tracks of an emitter's variation and gravity; Magos' editor does not load models with them.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-TRACK-009",
        Info,
        visibility,
        "mdx-m3-viewer, Stan; docs/formats/mdx/animation.md#interpolation: thousands of published tracks",
        "a visibility track is interpolated",
        "The game switches visibility at keys whatever the track says; editors show it fading.",
    ),
    Rule::mdx(
        "MDX-TRACK-010",
        Hint,
        outside,
        "mdx-m3-viewer: unused; HiveWE: past the global duration",
        "keys lie outside every sequence",
        "No sequence reaches them.",
    ),
    Rule::mdx(
        "MDX-TRACK-011",
        Hint,
        redundant,
        "mdx-m3-viewer: unused; Retera; Stan",
        "keys without effect",
        "A key without tangents between two keys of exactly the same value, in the same sequence, changes nothing. The repair removes it.",
    )
    .repaired(Repair::mdx("removes keys without effect", fix::mdx_redundant_keys).all()),
    Rule::mdx(
        "MDX-TRACK-012",
        Warning,
        interpolation,
        "Magos: unknown interpolation",
        "unknown interpolation",
        "The interpolations are 0 none, 1 linear, 2 Hermite and 3 Bezier.",
    ),
    Rule::mdx(
        "MDX-TRACK-013",
        Warning,
        rotation,
        "docs/formats/mdx/animation.md#track-layout: rotations are unit quaternions",
        "a rotation is not a unit quaternion",
        "The game uses it as it is: the node and its children are scaled during this key.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-TRACK-014",
        Hint,
        nearly_redundant,
        "mdx-m3-viewer: unused, within 0.001; Stan",
        "keys almost without effect",
        "A key between two keys of nearly the same value, or of the same value but with tangents, changes little. An optimiser can remove it; we do not, \
         since it may be visible.",
    ),
    Rule::mdx(
        "MDX-TRACK-015",
        Hint,
        constant,
        "Stan: constant tracks",
        "a track never changes",
        "All its keys have the same value: a static value is enough.",
    ),
    Rule::mdx(
        "MDX-TRACK-016",
        Hint,
        zero_scale,
        "Stan: zero scaling instead of visibility",
        "a node is hidden by scaling it to zero",
        "A visibility track is cheaper, and normals of length zero make some graphics cards flicker.",
    ),
    Rule::mdx(
        "MDX-TRACK-017",
        Hint,
        not_in_stand,
        "Stan: a track lacks a key in Stand",
        "a track has no key in Stand",
        "While the model stands, the static value is used. That may be intended.",
    )
    .only(Games::WC3),
];

fn global_reference(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let globals = context.model.global_sequences().len();
    for track in context.tracks() {
        if let Some(id) = track.global_sequence().filter(|id| *id >= globals) {
            findings.add(track.node, out_of_range("global sequence", id, "model", globals));
        }
    }
}

fn no_keys(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for track in
        context.tracks().iter().filter(|track| track.is_empty() && track.row.value != ValueType::Event)
    {
        findings.add(track.node, "the track has no keys");
    }
}

fn no_sequences(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if context.sequences.is_empty() {
        let mut tracks = context.tracks().iter().filter(|track| track.global_sequence().is_none());
        if let Some(first) = tracks.next() {
            let all = 1 + tracks.count();
            let (tracks, need) = (counted(all, "track"), verb(all, "needs", "need"));
            findings.add(first.node, format!("{tracks} {need} sequences, but the model has none"));
        }
    }
}

fn negative(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for track in context.tracks() {
        if let Some(key) = track.keys().find(|key| key.time < 0) {
            findings.add(track.node, format!("a key is at the negative time {}", key.time));
        }
    }
}

fn neighbours(
    context: &MdxContext<'_>,
    findings: &mut Findings<'_>,
    bad: fn(i32, i32) -> bool,
    message: fn(usize, [i32; 2]) -> String,
) {
    for track in context.tracks().iter().filter(|track| track.row.value != ValueType::Event) {
        let times: Vec<i32> = track.keys().map(|key| key.time).collect();
        let count = times.windows(2).filter(|pair| bad(pair[0], pair[1])).count();
        if let Some(index) = times.windows(2).position(|pair| bad(pair[0], pair[1])) {
            let more = match count - 1 {
                0 => String::new(),
                more => format!(" (and {} like it)", counted(more, "pair")),
            };
            findings.add(track.node, message(index, [times[index], times[index + 1]]) + &more);
        }
    }
}

fn same_time(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    neighbours(
        context,
        findings,
        |before, after| before == after,
        |at, [time, _]| format!("keys {at} and {} are both at {time}", at + 1),
    );
}

fn ascending(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    neighbours(
        context,
        findings,
        |before, after| before > after,
        |at, [before, after]| format!("key {} is at {after}, before key {at} at {before}", at + 1),
    );
}

/// The intervals that a track runs in.
fn intervals(context: &MdxContext<'_>, track: &Track<'_>) -> Vec<[i32; 2]> {
    match track.global_sequence() {
        None => context.sequences.iter().map(|sequence| sequence.interval).collect(),
        Some(id) => {
            let duration = context
                .model
                .global_sequences()
                .get(id)
                .map(|duration| i32::try_from(duration.get()).unwrap_or(i32::MAX));
            duration.map(|duration| [0, duration]).into_iter().collect()
        }
    }
}

fn opening(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for track in context
        .tracks()
        .iter()
        .filter(|track| track.interpolation() != Interpolation::NONE && track.len() > 1)
    {
        let keys: Vec<TrackKey> = track.keys().collect();
        let missing = |[start, end]: &[i32; 2]| {
            let mut inside = keys.iter().filter(|key| (*start..=*end).contains(&key.time));
            let first = inside.next()?;
            let last = inside.next_back()?;
            (first.time != *start && first.value != last.value).then_some(*start)
        };
        let missing: Vec<i32> = intervals(context, track).iter().filter_map(missing).collect();
        if let Some(first) = missing.first() {
            findings.add(
                track.node,
                match missing.len() {
                    1 => format!("the sequence that starts at {first} has no key at its start"),
                    many => {
                        format!("{many} sequences have no key at their start; the first starts at {first}")
                    }
                },
            );
        }
    }
}

fn magos(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for track in context.tracks().iter().filter(|track| matches!(track.row.tag, tags::KP2R | tags::KP2G)) {
        findings.add(track.node, format!("Magos' editor cannot load a track of {}", track.row.keyword));
    }
}

fn visibility(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for track in context.tracks().iter().filter(|track| track.row.keyword == "Visibility") {
        if track.interpolation() != Interpolation::NONE {
            findings.add(
                track.node,
                format!(
                    "the visibility is interpolated ({})",
                    track.interpolation().name().unwrap_or("unknown")
                ),
            );
        }
    }
}

fn outside(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for track in context.tracks().iter().filter(|track| track.len() > 1) {
        let intervals = intervals(context, track);
        let inside = |time: i32| intervals.iter().any(|[start, end]| (*start..=*end).contains(&time));
        // A key at 0 is the value before all sequences.
        let count = track.keys().filter(|key| key.time != 0 && !inside(key.time)).count();
        if count > 0 {
            let are = verb(count, "is", "are");
            findings.add(
                track.node,
                format!("{} of {} {are} in no sequence", thousands(count), counted(track.len(), "key")),
            );
        }
    }
}

/// Keys between two keys of the same value in the same interval, within `slack`. Of adjacent ones, all are listed.
fn between(keys: &[TrackKey], intervals: &[[i32; 2]], slack: f32) -> Vec<usize> {
    let mut found = Vec::new();
    for [start, end] in intervals {
        let inside: Vec<usize> =
            (0..keys.len()).filter(|index| (*start..=*end).contains(&keys[*index].time)).collect();
        for three in inside.windows(3) {
            let [a, b, c] = [keys[three[0]].value, keys[three[1]].value, keys[three[2]].value];
            if (0..4).all(|part| (a[part] - b[part]).abs() <= slack && (a[part] - c[part]).abs() <= slack) {
                found.push(three[1]);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The redundant keys of a track: exactly equal to their neighbours, without tangents, in one interval only.
pub(crate) fn removable(context: &MdxContext<'_>, track: &Track<'_>) -> Vec<usize> {
    let plain = matches!(track.layout, Layout::Plain | Layout::Packed | Layout::Simple)
        && track.row.value != ValueType::Event;
    let keys: Vec<TrackKey> = track.keys().collect();
    let times: Vec<i32> = keys.iter().map(|key| key.time).collect();
    if !plain || !times.is_sorted_by(|a, b| a < b) {
        return Vec::new();
    }
    let intervals = intervals(context, track);
    let within = |time: i32| intervals.iter().filter(|[start, end]| (*start..=*end).contains(&time)).count();
    let mut found = between(&keys, &intervals, 0.0);
    found.retain(|index| within(times[*index]) == 1);
    found
}

/// "3 of 7 keys are": the beginning of a message about some of a track's keys.
fn some_keys(track: &Track<'_>, count: usize, [singular, plural]: [&str; 2]) -> String {
    format!("{} of {} {}", thousands(count), counted(track.len(), "key"), verb(count, singular, plural))
}

fn redundant(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for track in context.tracks().iter().filter(|track| track.len() > 2) {
        let count = removable(context, track).len();
        if count > 0 {
            let message = some_keys(track, count, ["is", "are"]);
            findings.add(track.node, format!("{message} between keys of the same value"));
        }
    }
}

fn nearly_redundant(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for track in
        context.tracks().iter().filter(|track| track.row.value != ValueType::Event && track.len() > 2)
    {
        let keys: Vec<TrackKey> = track.keys().collect();
        let exactly = removable(context, track);
        let mut nearly = between(&keys, &intervals(context, track), 0.001);
        nearly.retain(|index| exactly.binary_search(index).is_err());
        if !nearly.is_empty() {
            findings.add(
                track.node,
                format!(
                    "{} of {} {} between keys of nearly the same value",
                    thousands(nearly.len()),
                    counted(keys.len(), "key"),
                    verb(nearly.len(), "is", "are")
                ),
            );
        }
    }
}

fn constant(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for track in
        context.tracks().iter().filter(|track| track.row.value != ValueType::Event && track.len() > 1)
    {
        let mut keys = track.keys();
        let first = keys.next().map(|key| key.value);
        if keys.all(|key| Some(key.value) == first && key.tangents.is_none()) {
            findings.add(track.node, format!("all {} keys have the same value", thousands(track.len())));
        }
    }
}

fn not_in_stand(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let stands: Vec<[i32; 2]> = context
        .sequences
        .iter()
        .filter(|sequence| first_word(sequence.name.text()) == "stand")
        .map(|sequence| sequence.interval)
        .collect();
    if stands.is_empty() {
        return;
    }
    for track in context.tracks().iter().filter(|track| {
        !track.is_empty() && track.row.value != ValueType::Event && track.global_sequence().is_none()
    }) {
        if !track.keys().any(|key| stands.iter().any(|[start, end]| (*start..=*end).contains(&key.time))) {
            findings.add(
                track.node,
                match track.len() {
                    1 => "the only key is in no Stand sequence".to_owned(),
                    many => format!("none of the {} keys is in a Stand sequence", thousands(many)),
                },
            );
        }
    }
}

fn zero_scale(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for track in context.tracks().iter().filter(|track| track.row.tag == tags::KGSC) {
        let count = track.keys().filter(|key| key.value[..3] == [0.0; 3]).count();
        if count > 0 {
            let message = some_keys(track, count, ["scales", "scale"]);
            findings.add(track.node, format!("{message} to zero"));
        }
    }
}

fn interpolation(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for track in context.tracks().iter().filter(|track| track.interpolation().get() > 3) {
        findings.add(
            track.node,
            format!("the interpolation is {}; the game knows 0 to 3", track.interpolation().get()),
        );
    }
}

fn rotation(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for track in context.tracks().iter().filter(|track| track.row.value == ValueType::Quaternion) {
        let norm = |value: [f32; 4]| value.iter().map(|part| part * part).sum::<f32>().sqrt();
        if let Some(key) = track.keys().find(|key| (norm(key.value) - 1.0).abs() > 0.05) {
            findings.add(
                track.node,
                format!("the rotation at time {} has length {:.3}, not 1", key.time, norm(key.value)),
            );
        }
    }
}
