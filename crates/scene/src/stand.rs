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
    // W3D's end in a letter that counts variants: IDLA, IDLB.
    let is_word = |word: &&str| last.strip_prefix(*word).is_some_and(|rest| rest.len() <= 1);
    WORDS.iter().position(is_word).map(|place| (1 + place, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

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
