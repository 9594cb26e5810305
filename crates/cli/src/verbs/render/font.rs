//! A small font for labels: five by eight pixels, drawn in `font.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// From one character to the next, and from one line to the next.
pub(super) const ADVANCE: u32 = 6;
pub(super) const HEIGHT: u32 = 8;

/// Rows of five bits, the leftmost pixel in the highest of them.
type Glyph = [u8; HEIGHT as usize];

/// A glyph takes six columns of a line, of which the last is empty.
fn glyphs() -> HashMap<char, Glyph> {
    let lines: Vec<&str> = include_str!("font.txt").lines().collect();
    let mut glyphs = HashMap::new();
    for block in lines.chunks_exact(1 + HEIGHT as usize) {
        let Some((names, rows)) = block.split_first() else { continue };
        for (at, name) in names.chars().enumerate().filter(|(_, name)| *name != ' ') {
            let row = |row: usize| {
                let pixels = rows[row].bytes().skip(at).take(5);
                pixels.fold(0, |bits, pixel| bits << 1 | u8::from(pixel == b'#'))
            };
            glyphs.insert(name, std::array::from_fn(row));
        }
    }
    glyphs
}

/// The pixels of a text, from its left upper corner. Characters without a glyph are shown as a question mark.
pub(super) fn pixels(text: &str) -> impl Iterator<Item = (u32, u32)> + '_ {
    static GLYPHS: LazyLock<HashMap<char, Glyph>> = LazyLock::new(glyphs);
    let glyph = |name: char| match name {
        ' ' => [0; HEIGHT as usize],
        _ => GLYPHS.get(&name).or_else(|| GLYPHS.get(&'?')).copied().unwrap_or_default(),
    };
    text.chars().zip(0..).flat_map(move |(name, place)| {
        glyph(name).into_iter().zip(0..).flat_map(move |(row, y)| {
            let set = (0..5).filter(move |x| row & 16 >> x != 0);
            set.map(move |x| (place * ADVANCE + x, y))
        })
    })
}

/// The text, shortened in the middle to this many pixels.
pub(super) fn fitted(text: &str, width: u32) -> String {
    let room = (width / ADVANCE) as usize;
    let count = text.chars().count();
    if count <= room {
        return text.to_owned();
    }
    let kept = room.saturating_sub(2);
    let (start, end) = (kept - kept / 2, kept / 2);
    text.chars().take(start).chain("..".chars()).chain(text.chars().skip(count - end)).take(room).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_is_there_and_fits() {
        let lines: Vec<&str> = include_str!("font.txt").lines().collect();
        assert!(lines.len().is_multiple_of(9));
        let glyphs = glyphs();
        let names = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain("_-.,()[]!#&'+=~@?:".chars());
        for name in names {
            assert!(glyphs.get(&name).is_some_and(|glyph| glyph.iter().any(|row| *row != 0)), "{name}");
        }
        let mut known: Vec<&Glyph> = glyphs.values().collect();
        known.sort();
        known.dedup();
        assert_eq!(known.len(), glyphs.len(), "two characters look the same");
    }

    #[test]
    fn text_is_drawn_from_left_to_right() {
        let of_dots: Vec<_> = pixels(". .").collect();
        assert_eq!(of_dots, [(1, 5), (2, 5), (1, 6), (2, 6), (13, 5), (14, 5), (13, 6), (14, 6)]);
        assert_eq!(pixels("ö").count(), pixels("?").count());
    }

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(fitted("tank.w3d", 100), "tank.w3d");
        assert_eq!(fitted("avbattletank_d.w3d", 60), "avba...w3d");
        assert_eq!(fitted("abc", 7), ".");
    }
}
