//! A track as keys: unchanged if the target has the same interpolation, as lines if it has no jumps, otherwise as pieces.

use super::lines::lines;
use super::pieces::{Piece, collect, compile, cut, repeat, straightened};
use super::{Curves, Fit, Keys, Mode, ascend};
use crate::number::Finite;
use crate::{Interpolation, Outside, Track};

/// The part of a track that is converted.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Seconds of the clip.
    pub duration: f32,
    /// The track repeats after this many seconds (a global sequence).
    pub period: Option<f32>,
    /// The replacement for curves.
    pub curves: Curves,
}

/// Converts a track to keys. `None` if no key applies during the span. `repaired` counts the numbers that were NaN or
/// infinite.
pub fn keys<'a, T: Fit>(
    track: &'a Track<T>,
    rest: T,
    span: Span,
    tolerance: f32,
    repaired: &mut usize,
) -> Option<Keys<'a, T>> {
    let length = span.period.unwrap_or(span.duration);
    if length == span.duration
        && let Some(keys) = unchanged(track, length)
    {
        return Some(keys);
    }
    if length == span.duration
        && span.curves == Curves::Lines
        && let Some(keys) = lines(track, length, tolerance)
    {
        return Some(keys.repaired(repaired));
    }
    let valid = in_order(track, repaired);
    let track = valid.as_ref().unwrap_or(track);
    let first = track.times.first().copied();
    let mut pieces = Vec::with_capacity(track.len() + 1);
    let mut resampled = false;
    collect(track, rest, length, tolerance, &mut pieces, &mut resampled);
    if span.curves == Curves::Lines && pieces.iter().any(Piece::is_cubic) {
        pieces = straightened(&pieces, tolerance);
        resampled = true;
    }
    let mut last = match track.sample(length) {
        Some(value) => value,
        None if matches!(track.outside, Outside::Rest) && !track.is_empty() => rest,
        // A track that starts after the end of its global sequence is constant (Curve::sample_global).
        None if span.period.is_some() && first.is_some_and(|first| first > length) => track.values[0],
        None => return None,
    };
    if let Some(period) = span.period.filter(|period| *period != span.duration) {
        if period < span.duration && period > 0.0 {
            repeat(&mut pieces, period, span.duration);
        }
        cut(&mut pieces, span.duration);
        last = pieces.last().map_or(last, |piece| piece.b);
    }
    Some(compile(&pieces, last, resampled).repaired(repaired))
}

/// The common case, whose keys are borrowed: valid and linear, nothing held, no jump or long turn, and keys for the whole
/// span.
fn unchanged<T: Fit>(track: &Track<T>, limit: f32) -> Option<Keys<'_, T>> {
    let times = &track.times[..track.len()];
    let values = &track.values[..track.len()];
    let (first, last) = (*times.first()?, *times.last()?);
    let (begins, ends) = (first <= 0.0, last >= limit);
    let applies = match track.outside {
        Outside::Clamp => true,
        Outside::Rest => begins && ends,
        Outside::Wrap { start, end } => start == 0.0 && end == limit && first >= 0.0 && last <= limit,
    };
    let is_valid = applies
        && (track.interpolation == Interpolation::Linear || times.len() == 1)
        && !track.held_until.contains(&true)
        && first.is_finite()
        && last.is_finite()
        && ascend(times)
        && T::are_normalised(values);
    if !is_valid {
        return None;
    }
    let (low, high) = if first >= 0.0 && last <= limit {
        (0, times.len())
    } else {
        (times.partition_point(|&time| time < 0.0), times.partition_point(|&time| time <= limit))
    };
    if low >= high {
        return None;
    }
    if low == 0 && high == times.len() && values.iter().all(|value| *value == values[0]) {
        return Some(Keys::constant(&values[..1]));
    }
    let wraps = matches!(track.outside, Outside::Wrap { .. });
    let is_long = |a: T, b: T| a.straight_pieces(b) > 1;
    if values.windows(2).any(|pair| is_long(pair[0], pair[1]))
        || wraps && is_long(values[0], values[values.len() - 1])
    {
        return None;
    }
    let mut keys = Keys::new(Mode::Linear, &times[low..high], &values[low..high]);
    if (low > 0 || wraps) && times[low] > 0.0 {
        keys.times.to_mut().insert(0, 0.0);
        keys.values.to_mut().insert(0, track.sample(0.0)?.normalised());
    }
    if (high < times.len() || wraps) && times[high - 1] < limit {
        keys.times.to_mut().push(limit);
        keys.values.to_mut().push(track.sample(limit)?.normalised());
    }
    Some(keys)
}

/// The track with ascending, finite times and finite values. Borrowed if nothing changes.
fn in_order<T: Fit>(track: &Track<T>, repaired: &mut usize) -> Option<Track<T>> {
    let finite = T::all_finite(&track.values) && Finite::all_finite(&track.tangents);
    if finite && track.times.is_sorted() && track.times.last().is_none_or(|last| last.is_finite()) {
        return None;
    }
    let mut track = track.clone();
    track.sort();
    let bad = track.times.iter().filter(|time| !time.is_finite()).count();
    if bad > 0 {
        let keep: Vec<usize> = (0..track.len()).filter(|&key| track.times[key].is_finite()).collect();
        fn pick<U: Copy>(keep: &[usize], items: &mut Vec<U>) {
            *items = keep.iter().filter_map(|&key| items.get(key).copied()).collect();
        }
        pick(&keep, &mut track.times);
        pick(&keep, &mut track.values);
        pick(&keep, &mut track.tangents);
        pick(&keep, &mut track.held_until);
    }
    *repaired += bad;
    let mut repair = |value: &mut T| {
        if !value.finite() {
            *value = value.repaired();
            *repaired += 1;
        }
    };
    track.values.iter_mut().for_each(&mut repair);
    for tangents in &mut track.tangents {
        repair(&mut tangents.incoming);
        repair(&mut tangents.outgoing);
    }
    Some(track)
}
