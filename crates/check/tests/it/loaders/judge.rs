//! The judge of repairs: damages sizes and counts, repairs the copies, and compares what a game sees before and after.

use meshwright_check::{Document, FixLevel, fix};

use super::damage::{self, KINDS, Numbers, Words};
use super::seen::{lost, seen};

/// What became of damaged copies.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) copies: usize,
    /// Copies that a repair changed.
    pub(crate) repaired: usize,
    /// Copies that became what they were before the damage.
    pub(crate) restored: usize,
    /// What went wrong, with the kind of damage.
    pub(crate) faults: Vec<String>,
}

/// Repairs until nothing more is done, as the command line does.
fn repaired(bytes: &[u8], level: FixLevel) -> (Vec<u8>, String) {
    let mut bytes = bytes.to_vec();
    let mut done = String::new();
    for _ in 0..8 {
        let Ok(mut document) = Document::parse(&bytes) else { break };
        let applied = fix(&mut document, &[], level);
        if applied.is_empty() {
            break;
        }
        done.extend(applied.iter().map(|one| format!("; {} {}: {}", one.code, one.path, one.message)));
        bytes = document.to_bytes().expect("repairs fit their sizes");
    }
    (bytes, done)
}

/// Judges copies of a file with each kind of damage.
pub(crate) fn judge(bytes: &[u8], seed: u64, copies_of_kind: usize, verdict: &mut Verdict) {
    // Repairs of what was wrong before the damage are not what is judged.
    let (original, _) = repaired(bytes, FixLevel::All);
    let Ok(document) = Document::parse(&original) else { return };
    let words = Words::of(&document);
    let whole = seen(&original);
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for (kind, kind_name) in KINDS.iter().enumerate() {
        for _ in 0..copies_of_kind {
            let Some(damaged) = damage::damaged(&original, &words, kind, &mut numbers) else { continue };
            verdict.copies += 1;
            let before = seen(&damaged.bytes);
            for level in [FixLevel::Safe, FixLevel::All] {
                let (after, done) = repaired(&damaged.bytes, level);
                let mut fault = |what: String| {
                    let at = damaged.word.map_or_else(
                        || format!("cut to {}", damaged.bytes.len()),
                        |at| format!("word at {at:#x}"),
                    );
                    verdict.faults.push(format!("{kind_name}, {at}, {level:?}: {what}{done}"));
                };
                verdict.repaired += usize::from(after != damaged.bytes);
                verdict.restored += usize::from(after == original);
                if let Some(part) = lost(&before, &whole, &seen(&after)) {
                    fault(format!("{part} is no longer seen"));
                }
                // No byte changes but the damaged word, or, where the file was cut off, words that say how much there was.
                let is_covered = match damaged.word {
                    Some(at) => {
                        let only = Words { sizes: Vec::new(), counts: vec![at] };
                        after.len() == damaged.bytes.len() && only.cover(&damaged.bytes, &after)
                    }
                    None => after.len() >= damaged.bytes.len() && words.cover(&damaged.bytes, &after),
                };
                if !is_covered {
                    let first = damaged.bytes.iter().zip(&after).position(|(a, b)| a != b);
                    fault(format!(
                        "values changed, first at {first:?}, {} -> {} bytes",
                        damaged.bytes.len(),
                        after.len()
                    ));
                }
                if repaired(&after, level).0 != after {
                    fault("a second repair changes something".to_owned());
                }
            }
        }
    }
}
