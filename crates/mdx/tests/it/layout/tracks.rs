//! Every track tag in every object that has it, in both games.

use meshwright_mdx::records::Interpolation;
use meshwright_mdx::{Dialect, TRACKS, tag, view};
use record::Node;

use super::bytes::{Bytes, bytes, read};

/// The tags of the documents: owner, tags, components of a value. `-` before a tag: only Warcraft III; `+`: only WoW.
const TAGS: &[(&str, usize, &str)] = &[
    ("LAYER", 0, "KMTF"),
    ("LAYER", 1, "KMTA -KMTE -KFCA -KFTC"),
    ("LAYER", 3, "-KFC3"),
    ("TXAN", 3, "KTAT KTAS"),
    ("TXAN", 4, "KTAR"),
    ("GEOA", 1, "KGAO"),
    ("GEOA", 3, "KGAC"),
    ("NODE", 3, "KGTR KGSC"),
    ("NODE", 4, "KGRT"),
    ("LITE", 1, "KLAS KLAE KLAI KLBI -KLAV -KLSS -KLSE -KLQF -KLLF -KLDA +KVIS"),
    ("LITE", 3, "KLAC KLBC"),
    ("ATCH", 1, "-KATV +KVIS"),
    ("PREM", 1, "KPEE KPEG KPLN KPLT KPEL KPES -KPEV +KVIS"),
    ("PRE2", 1, "KP2S KP2R KP2L KP2G KP2E KP2N KP2W -KP2V +KP2Z +KLIF +KPLN +KVIS"),
    ("CORN", 1, "-KPPA -KPPE -KPPL -KPPS -KPPV"),
    ("CORN", 3, "-KPPC"),
    ("RIBB", 1, "KRHA KRHB KRAL -KRVS +KVIS"),
    ("RIBB", 3, "KRCO"),
    ("RIBB", 0, "KRTX"),
    ("CAMS", 3, "KCTR KTTR"),
    ("CAMS", 1, "KCRL -KCVS -IDUF -ELAF -PTSF +KVIS"),
];

/// A chunk with one object of this sort that has these tracks. Fixed parts are as long as the documents say.
fn object(owner: &str, wow: bool, tracks: &Bytes) -> Bytes {
    let zeros = |count: usize| bytes().text("", count);
    let count = |count: usize| if wow { zeros(count).0 } else { Vec::new() };
    let start = |count_size: usize| {
        let mut bytes = Bytes(count(count_size));
        if wow {
            bytes.0[0] = 1;
        }
        bytes
    };
    let with_node = |fixed: usize| bytes().node("N", 0, &bytes()).add(&zeros(fixed)).add(tracks).sized();
    match owner {
        "LAYER" => {
            let layer = zeros(24).add(tracks).sized();
            let material = if wow { bytes().i32(0).u32(1) } else { bytes().i32(0).u32(0).tag("LAYS").u32(1) };
            start(8).add(&material.add(&layer).sized()).chunk("MTLS")
        }
        "TXAN" => start(4).add(&tracks.clone().sized()).chunk("TXAN"),
        "GEOA" => start(4).add(&zeros(24).add(tracks).sized()).chunk("GEOA"),
        "NODE" => start(4).add(&bytes().node("N", 0, tracks)).chunk("HELP"),
        "LITE" => start(4).add(&with_node(44)).chunk("LITE"),
        "ATCH" => start(8).add(&with_node(if wow { 265 } else { 264 })).chunk("ATCH"),
        "PREM" => start(4).add(&with_node(284)).chunk("PREM"),
        // In WoW: the fixed part, the number of points of the spline (0), and the squirt.
        "PRE2" => start(4).add(&with_node(if wow { 795 } else { 171 })).chunk("PRE2"),
        "CORN" => start(4).add(&with_node(552)).chunk("CORN"),
        "RIBB" => start(4).add(&with_node(if wow { 56 } else { 52 })).chunk("RIBB"),
        "CAMS" => start(4).add(&zeros(116).add(tracks).sized()).chunk("CAMS"),
        _ => panic!("{owner}"),
    }
}

/// One value: components that count up from `first`; rotations of WoW are packed.
fn value(width: usize, wow: bool, first: u32) -> Bytes {
    match width {
        0 => bytes().u32(first),
        4 if wow => bytes().u32(first).u32(0),
        _ => (0..width as u32).fold(bytes(), |bytes, at| bytes.f32((first + at) as f32)),
    }
}

fn components(width: usize, wow: bool, first: u32) -> Vec<f32> {
    match width {
        0 => vec![first as f32],
        // Small bits are z in units of 2^-20, and w is as good as one.
        4 if wow => vec![0.0, 0.0, first as f32 / 1_048_576.0, 1.0],
        _ => (0..width as u32).map(|index| (first + index) as f32).collect(),
    }
}

/// A track of two keys, the first at a negative time.
fn track_bytes(name: &str, width: usize, wow: bool, interpolation: u32) -> Bytes {
    let mut track = bytes().tag(name).u32(2).u32(interpolation).i32(3);
    for (time, first) in [(-100, 1), (250, 11)] {
        track = track.i32(time).add(&value(width, wow, first));
        if interpolation > 1 {
            track = track.add(&value(width, wow, first + 20)).add(&value(width, wow, first + 40));
        }
    }
    track
}

fn find<'d>(node: &'d Node<'d>, tag: u32) -> Option<view::Track<'d>> {
    view::track(node, tag).or_else(|| node.children().iter().find_map(|child| find(child, tag)))
}

#[test]
fn every_track_in_every_owner() {
    let mut seen = std::collections::BTreeSet::new();
    for (owner, width, tags) in TAGS {
        for name in tags.split(' ') {
            let (games, name) = match name.split_at(1) {
                ("-", name) => (&[Dialect::Warcraft][..], name),
                ("+", name) => (&[Dialect::Wow][..], name),
                _ => (&[Dialect::Warcraft, Dialect::Wow][..], name),
            };
            seen.insert(name);
            for dialect in games {
                let wow = *dialect == Dialect::Wow;
                let version = if wow { 1300 } else { 800 };
                for interpolation in 0..4 {
                    // Indices of the WoW alpha have no tangents.
                    if wow && *width == 0 && interpolation > 1 {
                        continue;
                    }
                    let track = track_bytes(name, *width, wow, interpolation);
                    read(*dialect, version, &object(owner, wow, &track), |document| {
                        let track = find(&document.root, tag(name)).unwrap_or_else(|| panic!("{name}"));
                        assert_eq!(track.interpolation(), Interpolation::new(interpolation), "{name}");
                        assert_eq!((track.global_sequence(), track.len()), (Some(3), 2), "{name}");
                        let keys: Vec<_> = track.keys().collect();
                        for (key, (time, first)) in keys.iter().zip([(-100, 1), (250, 11)]) {
                            let expected = components(*width, wow, first);
                            assert_eq!(
                                (key.time, &key.value[..expected.len()]),
                                (time, &expected[..]),
                                "{name}"
                            );
                            let tangents =
                                key.tangents.map(|tangents| tangents.map(|tangent| tangent[0].to_bits()));
                            let tangent = |add| components(*width, wow, first + add)[0].to_bits();
                            let expected = (interpolation > 1).then(|| [tangent(20), tangent(40)]);
                            assert_eq!(tangents, expected, "{name}");
                        }
                    });
                }
            }
        }
    }
    let missing: Vec<_> = TRACKS.iter().map(|row| row.name).filter(|name| !seen.contains(name)).collect();
    // Event times have no interpolation; sound emitters are kept as bytes.
    assert_eq!(missing, ["KEVT", "KSEK"]);
}

#[test]
fn event_times() {
    let times = bytes().tag("KEVT").u32(3).i32(-1).i32(-5).i32(0).i32(1000);
    let event = bytes().node("SNDxAAAA", 0, &bytes()).add(&times);
    // The second has no track at all, which real files of the WoW alpha show.
    let warcraft = event.clone().node("SNDxBBBB", 1, &bytes()).chunk("EVTS");
    let wow =
        bytes().u32(2).add(&event.sized()).add(&bytes().node("SNDxBBBB", 1, &bytes()).sized()).chunk("EVTS");
    for (dialect, version, chunk) in [(Dialect::Warcraft, 800, warcraft), (Dialect::Wow, 1300, wow)] {
        read(dialect, version, &chunk, |document| {
            let nodes: Vec<_> = document.view().nodes().collect();
            assert_eq!(nodes.iter().map(|node| node.name()).collect::<Vec<_>>(), ["SNDxAAAA", "SNDxBBBB"]);
            let times: Vec<_> = nodes[0].event_times().iter().map(|time| time.get()).collect();
            assert_eq!(times, [-5, 0, 1000]);
            assert!(nodes[1].event_times().is_empty());
            let track = nodes[0].track(meshwright_mdx::tags::KEVT).unwrap();
            assert_eq!((track.global_sequence(), track.keys().map(|key| key.time).max()), (None, Some(1000)));
        });
    }
}

#[test]
fn texture_tracks_of_wow_may_lack_the_interpolation() {
    let short = bytes().tag("KMTF").u32(2).i32(0).i32(0).u32(3).i32(100).u32(4);
    let alpha = bytes().tag("KMTA").u32(1).u32(0).i32(-1).i32(0).f32(0.5);
    for tracks in [short.clone(), short.clone().add(&alpha), alpha.add(&short)] {
        read(Dialect::Wow, 1300, &object("LAYER", true, &tracks), |document| {
            let track = find(&document.root, tag("KMTF")).unwrap();
            assert_eq!(track.integers().collect::<Vec<_>>(), [(0, 3), (100, 4)]);
            assert_eq!(track.global_sequence(), Some(0));
        });
    }
}

#[test]
fn any_interpolation_is_kept() {
    for (interpolation, tangents) in [(4, false), (4, true), (0xFFFF_FFFF, false)] {
        let mut track = bytes().tag("KGAO").u32(1).u32(interpolation).i32(-1).i32(0).f32(0.5);
        if tangents {
            track = track.f32(0.25).f32(0.75);
        }
        read(Dialect::Warcraft, 800, &object("GEOA", false, &track), |document| {
            let track = find(&document.root, tag("KGAO")).unwrap();
            assert_eq!(track.interpolation().get(), interpolation);
            assert_eq!(track.keys().next().unwrap().tangents.is_some(), tangents);
        });
    }
}

#[test]
fn colours_of_tracks_are_reversed() {
    let track = bytes().tag("KGAC").u32(1).u32(1).i32(-1).i32(0).floats(&[0.25, 0.5, 1.0]);
    read(Dialect::Warcraft, 800, &object("GEOA", false, &track), |document| {
        let track = find(&document.root, tag("KGAC")).unwrap();
        assert_eq!(track.rgb(track.keys().next().unwrap().value), [1.0, 0.5, 0.25]);
    });
}

#[test]
fn an_unknown_track_is_kept_among_known_ones() {
    let strange = bytes()
        .tag("KXYZ")
        .u32(2)
        .u32(1)
        .i32(-1)
        .i32(0)
        .floats(&[1.0, 2.0, 3.0])
        .i32(5)
        .floats(&[4.0, 5.0, 6.0]);
    let known = track_bytes("KGAO", 1, false, 1);
    let file = super::bytes::file(Dialect::Warcraft, 800, &object("GEOA", false, &strange.add(&known)));
    let document = meshwright_mdx::Document::parse(&file).unwrap();
    let codes: Vec<_> = document.diagnostics().into_iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["MDX-PART-001"]);
    assert!(find(&document.root, tag("KGAO")).is_some());
    assert_eq!(meshwright_mdx::Document::from_json(&document.to_json()).unwrap().to_bytes().unwrap(), file);
}
