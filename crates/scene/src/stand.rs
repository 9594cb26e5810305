//! The clip in which a model stands still.

use crate::{Clip, ClipId};

/// Words of clip names that mean standing, best first: Warcraft III's, then those of W3D animations (`AIRNGR_STN`, `AUELLADAN_IDLA`).
const WORDS: [&str; 5] = ["stand", "idle", "stn", "idl", "sta"];

/// The clip in which the model stands still, chosen by its name. Pictures and viewers start with it.
#[must_use]
pub fn stand_clip(clips: &[Clip]) -> Option<ClipId> {
    let ranks = clips.iter().enumerate().filter_map(|(index, clip)| Some((rank(&clip.name)?, index)));
    ranks.min().map(|(_, index)| ClipId::from(index))
}

/// First words of the names of clips that start again at their end where nothing else says whether they do (docs/authoring.md).
const LOOPING: [&str; 9] = ["stand", "idle", "walk", "run", "swim", "fly", "sleep", "portrait", "cinematic"];

/// Whether a clip of this name starts again at its end by default: the model stands or moves on in it. All other clips play once, such as `Attack` and
/// `Death`.
#[must_use]
pub fn loops(name: &str) -> bool {
    let lower = name.to_lowercase();
    let first = lower.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty());
    first.is_some_and(|first| LOOPING.contains(&first))
}

/// Rank of a clip name; lower is better.
fn rank(name: &str) -> Option<(usize, usize)> {
    let lower = name.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    // "Stand - 2" is as good as "Stand", "Stand Ready" is not.
    if words.first() == Some(&"stand") {
        return Some((0, words.len() - 1));
    }
    let last = words.last()?;
    // Names in W3D end in a letter that numbers variants: IDLA, IDLB.
    let is_word = |word: &&str| last.strip_prefix(*word).is_some_and(|rest| rest.len() <= 1);
    WORDS.iter().position(is_word).map(|place| (1 + place, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standing_and_walking_start_again() {
        let looping = ["Stand", "stand - 2", "Walk Fast", "Portrait Talk", "RUN", "Idle_01"];
        assert!(looping.into_iter().all(loops));
        let once = ["Attack - 1", "Death", "Standing", "Birth", "Spell Stand", ""];
        assert!(!once.into_iter().any(loops));
    }

    #[test]
    fn standing_is_found_by_name() {
        let stand = |names: &[&str]| {
            let clips: Vec<Clip> =
                names.iter().map(|name| Clip { name: (*name).into(), ..Clip::default() }).collect();
            stand_clip(&clips).map(ClipId::index)
        };
        assert_eq!(stand(&["Birth", "Stand Ready", "Stand - 1", "Stand - 2"]), Some(2));
        assert_eq!(stand(&["Stand Alternate", "Stand"]), Some(1));
        assert_eq!(stand(&["Birth", "Death"]), None);
        assert_eq!(stand(&["AUELLADAN_RUNA", "AUELLADAN_IDLB", "AUELLADAN_ATKA"]), Some(1));
        assert_eq!(stand(&["AIRNGR_S.AIRNGR_RUN", "AIRNGR_S.AIRNGR_STN"]), Some(1));
        assert_eq!(stand(&["STARTUP", "STATIC"]), None);
        assert_eq!(stand(&["Walk", "stand"]), Some(1));
    }
}
