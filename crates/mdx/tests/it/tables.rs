//! The tables agree with themselves.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_mdx::{CHUNKS, ColorOrder, GATES, TRACKS, ValueType, chunk_row, kinds, tag, track_row};

#[test]
fn tags_are_unique_and_found() {
    let tags: BTreeSet<_> =
        TRACKS.iter().map(|row| row.tag).chain(CHUNKS.iter().map(|row| row.tag)).collect();
    assert_eq!(tags.len(), TRACKS.len() + CHUNKS.len());
    for row in TRACKS {
        assert!(std::ptr::eq(track_row(row.tag).unwrap(), row), "{}", row.name);
        assert_eq!(tag(row.name), row.tag);
        assert!(!row.owners.is_empty() && !row.keyword.is_empty());
        for layout in row.layouts() {
            assert_eq!(row.layout(row.kind(*layout)), Some(*layout));
            assert_eq!(row.kind(*layout).name, row.name);
        }
    }
    for row in CHUNKS {
        assert_eq!(chunk_row(row.tag).unwrap().name, row.name);
    }
    assert!(track_row(tag("KXXX")).is_none() && chunk_row(tag("XXXX")).is_none());
}

#[test]
fn an_owner_has_each_word_once_per_game() {
    // A camera's own translation and its target's have the same word; MDL tells them apart by the block.
    let mut words = BTreeMap::new();
    for row in TRACKS.iter().filter(|row| row.name != "KTTR") {
        for owner in row.owners {
            for game in ["Warcraft", "Wow"] {
                let games = format!("{:?}", row.games);
                if games == game || games == "Both" {
                    let other = words.insert((format!("{owner:?}"), game, row.keyword), row.name);
                    assert_eq!(other, None, "{}", row.name);
                }
            }
        }
    }
}

#[test]
fn colours_are_vectors_in_the_order_that_files_have() {
    for row in TRACKS.iter().filter(|row| row.color.is_some()) {
        assert_eq!(row.value, ValueType::Vector, "{}", row.name);
    }
    let reversed: Vec<_> =
        TRACKS.iter().filter(|row| row.color == Some(ColorOrder::Bgr)).map(|row| row.name).collect();
    assert_eq!(reversed, ["KGAC", "KLAC", "KLBC", "KRCO"]);
    assert_eq!(ColorOrder::Bgr.rgb([0.25, 0.5, 1.0]), [1.0, 0.5, 0.25]);
}

/// The text form tells kinds with the same word and name apart by their slots, and they must have the same header.
#[test]
fn kinds_of_one_name_differ_in_their_slots() {
    let mut by_name: BTreeMap<_, Vec<&'static record::Kind>> = BTreeMap::new();
    for kind in kinds::kinds() {
        by_name.entry((kind.framing.word(), kind.name)).or_default().push(kind);
        let mut slots = BTreeSet::new();
        for slot in kind.slots {
            assert!(slots.insert(slot.name), "{} has {} twice", kind.name, slot.name);
            let reserved =
                ["chunk", "object", "array", "track", "list", "part", "children", "hex", "size_delta"];
            assert!(!reserved.contains(&slot.name), "{}: {}", kind.name, slot.name);
        }
    }
    for ((word, name), kinds) in by_name {
        let branches = kinds.iter().filter(|kind| kind.branch).count();
        assert!(branches == 0 || kinds.len() == 1, "{word} {name}");
        let slots: BTreeSet<Vec<_>> =
            kinds.iter().map(|kind| kind.slots.iter().map(|slot| slot.name).collect()).collect();
        assert_eq!(slots.len(), kinds.len(), "{word} {name}");
    }
}

#[test]
fn gates_open_once_and_close_later() {
    let mut seen = BTreeSet::new();
    for row in GATES {
        assert!(row.from < row.until && !row.evidence.is_empty(), "{row:?}");
        assert!(seen.insert((row.dialect.name(), row.gate as u32)), "{row:?} stands twice");
        assert_eq!((row.gate as u32).count_ones(), 1);
    }
}

#[test]
fn static_colours_are_fields_that_exist() {
    for row in meshwright_mdx::COLORS {
        let kind = kinds::kinds().find(|kind| kind.name == row.record).unwrap();
        let record::Item::Value(record::Type::Record(schema)) = kind.slots[0].item else {
            panic!("{} is no record", row.record)
        };
        assert!(schema.fields.iter().any(|field| field.name == row.field), "{}.{}", row.record, row.field);
    }
}
