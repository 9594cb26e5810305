//! Tracks of another MDX model on the time line of this one.

use mdx::tags;
use record::Node;

use crate::keys::curve::{Curve, default_value};
use crate::keys::mdx::{RawKey, keys, set_keys};

/// Which moments of another model's clips are shown in the clips of this one.
pub(super) struct Moments {
    /// For each clip of this model: its interval, and the interval of the other model that it shows.
    pub(super) clips: Vec<([i32; 2], Shown)>,
}

/// What a clip shows of the other model.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shown {
    /// The clip of the same name.
    Clip([i32; 2]),
    /// The first moment of a clip, all the time.
    Still([i32; 2]),
    /// Nothing: the other model has no clips.
    Nothing,
}

impl Moments {
    /// Matches clips by name. Others show the first moment of `like`, of Stand, or of the first clip.
    pub(super) fn new(own: &[(String, [i32; 2])], theirs: &[(String, [i32; 2])], like: Option<&str>) -> Self {
        let named = |name: &str| theirs.iter().find(|(own, _)| own.trim().eq_ignore_ascii_case(name.trim()));
        let starting = |name: &str| {
            theirs.iter().find(|(own, _)| own.to_ascii_lowercase().starts_with(&name.to_ascii_lowercase()))
        };
        let still = like.and_then(named).or_else(|| starting("stand")).or_else(|| theirs.first());
        let shown = |name: &str| match (named(name), still) {
            (Some((_, interval)), _) => Shown::Clip(*interval),
            (None, Some((_, interval))) => Shown::Still(*interval),
            (None, None) => Shown::Nothing,
        };
        Self { clips: own.iter().map(|(name, interval)| (*interval, shown(name))).collect() }
    }

    /// Puts the keys of a track, which are on the other model's time line, on this one's. Tracks of global sequences stay as they are. `false`
    /// if no key is left, and the default of the track is what it shows.
    pub(super) fn apply(&self, track: &mut Node<'_>) -> bool {
        if !crate::keys::mdx::is_on_time_line(track) {
            return true;
        }
        let old = keys(track);
        let mut new: Vec<RawKey> = Vec::new();
        for ([start, end], shown) in &self.clips {
            match shown {
                Shown::Clip(source) if track.id == tags::KEVT => {
                    let inside = old.iter().filter(|key| (source[0]..=source[1]).contains(&key.time));
                    new.extend(inside.map(|key| RawKey {
                        time: fitted(key.time, *source, [*start, *end]),
                        ..key.clone()
                    }));
                }
                Shown::Clip(source) => {
                    let Some(curve) = Curve::of(track, *source) else { continue };
                    let mut last = None;
                    for key in curve.raw() {
                        let time = fitted(key.time, *source, [*start, *end]);
                        // Keys that fall together in a shorter clip: the later one counts.
                        if last == Some(time) {
                            new.pop();
                        }
                        last = Some(time);
                        new.push(RawKey { time, ..key });
                    }
                }
                Shown::Still(source) if track.id != tags::KEVT => {
                    let Some(mut curve) = Curve::of(track, *source).filter(|curve| !curve.keys.is_empty())
                    else {
                        continue;
                    };
                    curve.close();
                    let Some(value) = curve.first_value() else { continue };
                    if default_value(track.id) != Some(value) {
                        new.extend(curve.constant([*start, *end], value).raw());
                    }
                }
                _ => {}
            }
        }
        new.sort_by_key(|key| key.time);
        // Clips that touch share a moment; the first value counts.
        new.dedup_by_key(|key| key.time);
        if new.is_empty() {
            return false;
        }
        if new != old {
            set_keys(track, &new);
        }
        true
    }
}

/// A time of one interval in another one.
fn fitted(time: i32, from: [i32; 2], to: [i32; 2]) -> i32 {
    let (length, new) = (f64::from(from[1]) - f64::from(from[0]), f64::from(to[1]) - f64::from(to[0]));
    let share = if length > 0.0 { (f64::from(time) - f64::from(from[0])) / length } else { 0.0 };
    (f64::from(to[0]) + share * new).round() as i32
}
