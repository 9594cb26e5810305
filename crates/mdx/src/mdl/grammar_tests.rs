//! Compares the tables of words with the text that is checked by hand and with the table of colours.

use record::{Item as SlotItem, Type};

use super::grammar::*;
use crate::tracks::{Games, Owner};
use crate::{COLORS, ColorOrder, TRACKS};

/// The text that the tests in `tests/it/mdl_blocks.rs` check by hand.
const EVERYTHING: &str = include_str!("../../tests/golden/mdl_1800.mdl");

fn blocks() -> impl Iterator<Item = &'static Block> {
    let others = [
        &MODEL,
        &SEQUENCE,
        &TEXTURE,
        &FACE_EFFECT,
        &GEOSET_EXTENT,
        &GEOSET,
        &MATERIAL,
        &LAYER,
        &TEXTURE_ANIMATION,
    ];
    others.into_iter().chain(OBJECTS)
}

#[test]
fn every_word_is_in_the_text_that_is_checked_by_hand() {
    let has = |word: &str| {
        let mut words = EVERYTHING.split(|character: char| !character.is_alphanumeric());
        words.any(|found| found == word)
    };
    for block in blocks() {
        assert!(has(block.word), "{}", block.word);
        for item in block.items() {
            // A material's own shader ends with version 1100; the text has that of a layer.
            assert!(item.word.is_empty() || has(item.word), "{} {}", block.word, item.word);
        }
    }
    for row in TRACKS.iter().filter(|row| row.games != Games::Wow && row.owners != [Owner::SoundEmitter]) {
        assert!(has(row.keyword), "{} {}", row.name, row.keyword);
    }
    for row in SHAPES {
        assert!(has(row.word) && row.scalars.iter().all(|scalar| has(scalar)), "{}", row.word);
    }
    for (word, _) in COUNTS {
        assert!(has(word), "{word}");
    }
}

/// The table of colours defines which colours are reversed; the forms here must agree with it.
#[test]
fn colours_are_turned_round_as_their_table_says() {
    let mut checked = 0;
    for block in blocks() {
        for item in block.items() {
            let Some((kind, _)) = block.parts.get(item.part) else { continue };
            let Some(SlotItem::Value(Type::Record(schema))) = kind.slots.first().map(|slot| slot.item) else {
                continue;
            };
            let at = if matches!(item.form, Form::Tint) { item.at + 4 } else { item.at };
            let Some(field) = schema.fields.iter().find(|field| field.offset == at) else { continue };
            let row = COLORS.iter().find(|row| row.record == schema.name && row.field == field.name);
            let turned = matches!(item.form, Form::Color | Form::Colors | Form::Tint);
            let expected = row.is_some_and(|row| row.disk != row.text);
            assert_eq!(turned, expected, "{} {}", block.word, item.word);
            assert!(row.is_none_or(|row| row.disk == ColorOrder::Rgb));
            checked += usize::from(row.is_some());
        }
    }
    let ours = COLORS.iter().filter(|row| !row.record.starts_with("Wow")).count();
    assert_eq!(checked, ours, "every colour has an item");
}
