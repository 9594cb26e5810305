//! When particles are born: at the whole numbers of the integral of the emission rate, or in bursts.

use super::timeline::{Clock, Curves, TimedCurve, Timeline, Visibility};
use super::{MAX_PARTICLES, Squirt};
use scene::{Curve, Interpolation, Outside};

/// Maximum emission rate.
const MAX_RATE: f32 = 1e5;

/// Maximum number of windows. Emission by two independent clocks has no period, so it is computed in windows.
const MAX_WINDOWS: i64 = 100;

/// Maximum number of keys of a short global sequence, over its many rounds in a window.
const MAX_BREAKS: usize = 10_000;

/// The length of these windows if no looping clip determines it.
const WINDOW: f64 = 4.0;

/// Number of straight segments that approximate a curved one.
const STRAIGHT_PIECES: u32 = 8;

/// The number of a particle, for its random numbers, and its time of birth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Birth {
    pub(super) index: i64,
    pub(super) time: f64,
}

/// An interval of time in which the rate is linear.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Straight {
    start: f64,
    end: f64,
    /// The rate at the start and at the end.
    rates: [f64; 2],
    /// The integral up to the start.
    before: f64,
}

impl Straight {
    fn area(&self) -> f64 {
        (self.end - self.start) * (self.rates[0] + self.rates[1]) / 2.0
    }

    /// The integral from the start up to a time.
    fn partial(&self, time: f64) -> f64 {
        let length = self.end - self.start;
        let at = (time - self.start).clamp(0.0, length);
        let slope = (self.rates[1] - self.rates[0]) / length;
        self.rates[0] * at + slope * at * at / 2.0
    }

    /// The time at which the integral reaches `target`, which lies in this interval.
    fn reach(&self, target: f64) -> f64 {
        let (length, area) = (self.end - self.start, target - self.before);
        let [from, to] = self.rates;
        let slope = (to - from) / length;
        // The root of ½ slope t² + from t = area, in the form that does not divide by a slope of zero.
        let root = (from * from + 2.0 * slope * area).max(0.0).sqrt();
        let time = if from + root > 0.0 { 2.0 * area / (from + root) } else { length };
        self.start + time.clamp(0.0, length)
    }
}

/// Births within a window of time. Times are relative to its start.
#[derive(Clone, Debug, Default, PartialEq)]
struct Window {
    pieces: Vec<Straight>,
    /// The integral over the whole window.
    total: f64,
    /// Time, number of particles before it, and size of each burst.
    bursts: Vec<(f64, i64, i64)>,
    /// Number of particles in all bursts.
    burst_total: i64,
}

/// The emission of an emitter over time.
pub(super) struct Schedule<'s, 'a> {
    timeline: &'s Timeline<'a>,
    rate: &'s Curves<'a>,
    rest_rate: f32,
    factor: f32,
    visibility: &'s Visibility<'a>,
    squirt: Option<Squirt>,
    clocks: Vec<Clock>,
}

impl<'s, 'a> Schedule<'s, 'a> {
    /// The schedule for a rate and a visibility.
    pub(super) fn new(
        timeline: &'s Timeline<'a>,
        rate: &'s Curves<'a>,
        rest_rate: f32,
        visibility: &'s Visibility<'a>,
    ) -> Self {
        let mut schedule =
            Self { timeline, rate, rest_rate, factor: 1.0, visibility, squirt: None, clocks: Vec::new() };
        schedule.clocks = schedule.find_clocks();
        schedule
    }

    /// The same with all rates multiplied.
    pub(super) fn times(mut self, factor: f32) -> Self {
        self.factor = factor;
        self
    }

    /// The same in bursts.
    pub(super) fn squirting(mut self, squirt: Squirt) -> Self {
        self.squirt = Some(squirt);
        self.clocks = self.find_clocks();
        self
    }

    fn curves(&self) -> impl Iterator<Item = &TimedCurve<'a>> {
        self.rate.0.iter().chain(self.visibility.curves())
    }

    fn find_clocks(&self) -> Vec<Clock> {
        let mut clocks: Vec<Clock> = Vec::new();
        let starts = match self.squirt {
            Some(Squirt::Keys) => self.rate.0.is_empty(),
            Some(Squirt::Loops | Squirt::Start) => true,
            None => false,
        };
        let clip = starts.then(|| self.timeline.clip_clock());
        for clock in clip.into_iter().chain(self.curves().map(|timed| timed.clock)) {
            if clock != Clock::Still && !clocks.contains(&clock) {
                clocks.push(clock);
            }
        }
        clocks
    }

    /// All births after `from` and up to now, oldest first, but only the youngest [`MAX_PARTICLES`].
    pub(super) fn births(&self, from: f64) -> Vec<Birth> {
        let now = self.timeline.now;
        let mut births = Vec::new();
        let once = self.clocks.iter().any(|clock| matches!(clock, Clock::Once { .. }))
            || self.squirt == Some(Squirt::Start)
            || (self.squirt.is_some() && self.clocks.is_empty());
        // An emitter that a non-looping clip switches on was off before the clip.
        let from = if once { from.max(-f64::EPSILON) } else { from };
        if from.is_nan() || now.is_nan() || from >= now {
            return births;
        }
        let (length, offset, periodic) = match self.clocks[..] {
            [] => (1.0, 0.0, true),
            [Clock::Loop { duration, offset }] => (duration, offset, true),
            [Clock::Once { duration }] => (duration, 0.0, false),
            _ => match self.timeline.clip_clock() {
                Clock::Loop { duration, offset } => (duration, offset, false),
                _ => (WINDOW, 0.0, false),
            },
        };
        let periodic = periodic && !once;
        let of = |time: f64| ((time - offset) / length).floor() as i64;
        let (first, last) = (of(from), of(now));
        if periodic {
            let window = self.window(offset, offset + length, last);
            let mut number = last;
            while number >= first && !window.is_empty() {
                let start = offset + number as f64 * length;
                if !window.births(number, start, from, now, &mut births) {
                    break;
                }
                number = window.round_before(number);
            }
        } else if once && self.clocks.iter().all(|clock| matches!(clock, Clock::Once { .. })) {
            // The clip, and then its last moment until the end of the window.
            let end = self.clocks.first().map_or(0.0, |clock| clock.local(f64::MAX));
            let window = self.window(0.0, now.max(end) + 1.0, 0);
            window.births(0, 0.0, from, now, &mut births);
        } else {
            for number in (first.max(last - MAX_WINDOWS)..=last).rev() {
                let start = offset + number as f64 * length;
                let window = self.window(start, start + length, number);
                // Windows are counted independently: each needs its own range of numbers.
                let mut own = Vec::new();
                window.births(0, start, from, now, &mut own);
                let shift = number.wrapping_mul(1 << 32);
                births.extend(
                    own.iter().map(|birth| Birth { index: birth.index.wrapping_add(shift), ..*birth }),
                );
                if births.len() >= MAX_PARTICLES {
                    break;
                }
            }
        }
        births.truncate(MAX_PARTICLES);
        births.reverse();
        births
    }

    fn rate_at(&self, time: f64) -> f64 {
        let rate = self.rate.scalar(time, self.rest_rate) * self.factor;
        if rate > 0.0 { f64::from(rate.min(MAX_RATE)) } else { 0.0 }
    }

    /// Computes a window. Its times are relative to `start`.
    fn window(&self, start: f64, end: f64, number: i64) -> Window {
        let mut window = Window::default();
        if self.squirt.is_some() {
            self.add_bursts(start, end, number, &mut window);
        } else {
            self.add_pieces(start, end, &mut window);
        }
        window
    }

    fn add_bursts(&self, start: f64, end: f64, number: i64, window: &mut Window) {
        let mut moments: Vec<f64> = match self.squirt {
            Some(Squirt::Keys) if !self.rate.0.is_empty() => {
                self.rate.0.iter().flat_map(|timed| breaks(timed, start, end, false)).collect()
            }
            Some(Squirt::Start) if number != 0 => Vec::new(),
            _ => vec![start],
        };
        moments.sort_by(f64::total_cmp);
        moments.dedup();
        for moment in moments.into_iter().filter(|&moment| moment >= start && moment < end) {
            let count = if self.visibility.at(moment) { self.rate_at(moment) as i64 } else { 0 };
            if count > 0 {
                window.bursts.push((moment - start, window.burst_total, count));
                window.burst_total += count;
            }
        }
    }

    fn add_pieces(&self, start: f64, end: f64, window: &mut Window) {
        let mut moments = vec![start, end];
        moments.extend(self.curves().flat_map(|timed| breaks(timed, start, end, true)));
        moments.retain(|moment| (start..=end).contains(moment));
        moments.sort_by(f64::total_cmp);
        moments.dedup();
        let curved = self.rate.0.iter().any(|timed| match timed.curve {
            Curve::Scalar(track) => {
                matches!(track.interpolation, Interpolation::Hermite | Interpolation::Bezier)
            }
            _ => false,
        });
        let parts = if curved { STRAIGHT_PIECES } else { 1 };
        for pair in moments.windows(2) {
            let length = (pair[1] - pair[0]) / f64::from(parts);
            if !self.visibility.at(pair[0].midpoint(pair[1])) || length <= 0.0 {
                continue;
            }
            for part in 0..parts {
                let from = pair[0] + length * f64::from(part);
                // Sampled slightly inside, because the rate may jump at both ends.
                let (a, b) = (self.rate_at(from + length * 0.25), self.rate_at(from + length * 0.75));
                let rates = [(1.5 * a - 0.5 * b).max(0.0), (1.5 * b - 0.5 * a).max(0.0)];
                let piece =
                    Straight { start: from - start, end: from + length - start, rates, before: window.total };
                window.total += piece.area();
                window.pieces.push(piece);
            }
        }
    }
}

impl Window {
    fn is_empty(&self) -> bool {
        self.total <= 0.0 && self.bursts.is_empty()
    }

    /// The latest earlier repetition in which a particle is born.
    fn round_before(&self, number: i64) -> i64 {
        if !self.bursts.is_empty() {
            return number - 1;
        }
        let born = (number as f64 * self.total).floor();
        number.min((born / self.total).ceil() as i64).saturating_sub(1)
    }

    /// Adds the births of the repetition `number` of this window, which starts at `start`, that are after `from` and up
    /// to `to`, youngest first. Returns whether older ones may be needed.
    fn births(&self, number: i64, start: f64, from: f64, to: f64, births: &mut Vec<Birth>) -> bool {
        for &(moment, before, count) in self.bursts.iter().rev() {
            let time = start + moment;
            if time <= from {
                return false;
            }
            let first = number.wrapping_mul(self.burst_total).wrapping_add(before);
            for at in (0..count).rev().filter(|_| time <= to) {
                if births.len() >= MAX_PARTICLES {
                    return false;
                }
                births.push(Birth { index: first.wrapping_add(at), time });
            }
        }
        let (low, high) = (number as f64 * self.total, (number + 1) as f64 * self.total);
        let (floor, mut index) = (low.floor() as i64, high.floor() as i64);
        // Births after `to` are skipped without enumerating them.
        let running = self.pieces.partition_point(|piece| start + piece.start <= to);
        if let Some(piece) = running.checked_sub(1).map(|at| &self.pieces[at]) {
            index = index.min((low + piece.before + piece.partial(to - start)).floor() as i64 + 1);
        } else {
            index = floor;
        }
        while index > floor {
            let target = index as f64 - low;
            let at = self.pieces.partition_point(|piece| piece.before < target);
            let Some(piece) = at.checked_sub(1).map(|at| &self.pieces[at]) else { break };
            let time = start + piece.reach(target);
            if time <= from || births.len() >= MAX_PARTICLES {
                return false;
            }
            if time <= to {
                births.push(Birth { index, time });
            }
            index -= 1;
        }
        births.len() < MAX_PARTICLES
    }
}

/// The times between `start` and `end` at which a curve has keys, in all rounds of its clock, and with `ends` also those at which
/// a round starts or ends.
fn breaks(timed: &TimedCurve<'_>, start: f64, end: f64, ends: bool) -> Vec<f64> {
    let (times, outside) = match timed.curve {
        Curve::Flag(track) => (&track.times, track.outside),
        Curve::Index(track) => (&track.times, track.outside),
        Curve::Scalar(track) => (&track.times, track.outside),
        Curve::Vector(track) => (&track.times, track.outside),
        Curve::Rotation(track) => (&track.times, track.outside),
    };
    let inside = |time: &f64| match outside {
        Outside::Wrap { start, end } => (f64::from(start)..=f64::from(end)).contains(time),
        Outside::Clamp | Outside::Rest => true,
    };
    let keys = times.iter().map(|&time| f64::from(time)).filter(inside);
    match timed.clock {
        Clock::Still => Vec::new(),
        Clock::Once { duration } => {
            let keys = keys.filter(|time| (0.0..=duration).contains(time));
            keys.chain(ends.then_some(duration)).collect()
        }
        Clock::Loop { duration, offset } => {
            let mut keys: Vec<f64> = keys.filter(|time| (0.0..duration).contains(time)).collect();
            if ends {
                keys.push(0.0);
            }
            let (first, last) = ((start - offset) / duration, (end - offset) / duration);
            let rounds =
                (first.floor() as i64..=last.floor() as i64).map(|round| offset + round as f64 * duration);
            let limit = keys.len().max(MAX_BREAKS);
            rounds.flat_map(|base| keys.iter().map(move |key| base + key)).take(limit).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::Situation;
    use scene::{
        Channel, Clip, ClipId, EmitterId, EmitterProperty, GlobalChannel, GlobalSequence, GlobalSequenceId,
        Node, NodeId, Sampler, Scene, Target, Track,
    };

    const RATE: Target = Target::Emitter(EmitterId(0), EmitterProperty::EmissionRate);
    const SHOWN: Target = Target::Emitter(EmitterId(0), EmitterProperty::Visibility);

    fn scene(duration: f32, looping: bool, channels: Vec<Channel>) -> Scene {
        Scene {
            nodes: vec![Node::default()],
            clips: vec![Clip { duration, looping, channels, ..Clip::default() }],
            ..Scene::default()
        }
    }

    fn rate(interpolation: Interpolation, keys: &[(f32, f32)]) -> Channel {
        let track = Track::new(interpolation, keys.iter().copied());
        Channel { target: RATE, curve: Curve::Scalar(track) }
    }

    fn shown(keys: &[(f32, bool)]) -> Channel {
        let track = Track::new(Interpolation::Step, keys.iter().copied());
        Channel { target: SHOWN, curve: Curve::Flag(track) }
    }

    /// The births in the `life` seconds before `elapsed`.
    fn births(scene: &Scene, rest: f32, squirt: Option<Squirt>, elapsed: f32, life: f64) -> Vec<Birth> {
        let sampler = Sampler::new(scene);
        let clip = (!scene.clips.is_empty()).then_some(ClipId(0));
        let situation = Situation { clip, elapsed, clock: elapsed, ..Situation::new(&sampler) };
        let timeline = Timeline::new(&situation);
        let rate = timeline.curves(RATE);
        let visibility = Visibility::new(&timeline, Some(SHOWN), true, NodeId(0));
        let mut schedule = Schedule::new(&timeline, &rate, rest, &visibility);
        if let Some(squirt) = squirt {
            schedule = schedule.squirting(squirt);
        }
        schedule.births(timeline.now - life)
    }

    fn times(births: &[Birth]) -> Vec<f64> {
        births.iter().map(|birth| (birth.time * 1e5).round() / 1e5).collect()
    }

    #[test]
    fn a_constant_rate_has_no_beginning() {
        let scene = Scene { nodes: vec![Node::default()], ..Scene::default() };
        let born = births(&scene, 4.0, None, 0.1, 1.0);
        assert_eq!(times(&born), [-0.75, -0.5, -0.25, 0.0]);
        assert_eq!(born.iter().map(|birth| birth.index).collect::<Vec<_>>(), [-3, -2, -1, 0]);
    }

    #[test]
    fn a_rising_rate_is_integrated() {
        // 8 t over a second: the integral is 4 t², which is 1, 2, 3, 4 at the roots of a quarter of that.
        let scene = scene(1.0, true, vec![rate(Interpolation::Linear, &[(0.0, 0.0), (1.0, 8.0)])]);
        let born = births(&scene, 0.0, None, 1.0, 1.0);
        let roots = [0.25_f64, 0.5, 0.75, 1.0].map(|share| (share.sqrt() * 1e5).round() / 1e5);
        assert_eq!(times(&born), roots);
        // In the next round the numbers go on: 4 were born before.
        let next = births(&scene, 0.0, None, 1.75, 0.9);
        assert_eq!(times(&next), [0.86603, 1.0, 1.5, 1.70711]);
        assert_eq!(next.iter().map(|birth| birth.index).collect::<Vec<_>>(), [3, 4, 5, 6]);
    }

    #[test]
    fn fractions_carry_over_to_the_next_round_of_a_clip() {
        // 0.4 in a round of one second: 2 in 5 seconds, at 2.5 and 5.
        let scene = scene(1.0, true, vec![rate(Interpolation::Step, &[(0.0, 0.4)])]);
        assert_eq!(times(&births(&scene, 0.0, None, 5.0, 5.0)), [2.5, 5.0]);
        assert_eq!(times(&births(&scene, 0.0, None, 0.5, 5.0)), [-2.5, 0.0]);
    }

    #[test]
    fn nothing_is_born_while_hidden() {
        let shown = shown(&[(0.0, false), (0.5, true)]);
        let scene = scene(1.0, true, vec![shown]);
        // Two in each second half.
        assert_eq!(times(&births(&scene, 4.0, None, 2.0, 2.0)), [0.75, 1.0, 1.75, 2.0]);
    }

    #[test]
    fn what_a_clip_without_loop_switches_on_was_off_before() {
        let scene = scene(1.0, false, vec![rate(Interpolation::Step, &[(0.0, 4.0), (0.5, 2.0)])]);
        assert_eq!(times(&births(&scene, 0.0, None, 0.3, 10.0)), [0.25]);
        // After its end the last rate stays.
        assert_eq!(times(&births(&scene, 0.0, None, 2.0, 10.0)), [0.25, 0.5, 1.0, 1.5, 2.0]);
        assert_eq!(births(&scene, 0.0, None, -1.0, 10.0), []);
    }

    #[test]
    fn squirts_follow_the_rule() {
        let keys = [(0.0, 2.0), (0.5, 0.0), (0.75, 1.0)];
        let keyed = scene(1.0, true, vec![rate(Interpolation::Step, &keys)]);
        let at_keys = births(&keyed, 0.0, Some(Squirt::Keys), 1.9, 1.5);
        assert_eq!(times(&at_keys), [0.75, 1.0, 1.0, 1.75]);
        let mut numbers: Vec<i64> = at_keys.iter().map(|birth| birth.index).collect();
        numbers.dedup();
        assert_eq!(numbers, [2, 3, 4, 5]);
        assert_eq!(times(&births(&keyed, 0.0, Some(Squirt::Loops), 1.9, 1.5)), [1.0, 1.0]);
        assert_eq!(times(&births(&keyed, 0.0, Some(Squirt::Start), 0.9, 1.5)), [0.0, 0.0]);
        assert_eq!(births(&keyed, 0.0, Some(Squirt::Start), 1.9, 1.5), []);
        // Without keys it is the start of the clip.
        let plain = scene(1.0, true, Vec::new());
        assert_eq!(times(&births(&plain, 3.0, Some(Squirt::Keys), 1.9, 1.0)), [1.0; 3]);
        // Without a clip it is the start of time.
        let still = Scene { nodes: vec![Node::default()], ..Scene::default() };
        assert_eq!(times(&births(&still, 3.0, Some(Squirt::Keys), 0.5, 1.0)), [0.0; 3]);
    }

    #[test]
    fn two_clocks_at_once_are_worked_out_in_windows() {
        let mut scene = scene(1.0, true, vec![shown(&[(0.0, true), (0.5, false)])]);
        scene.global_sequences = vec![GlobalSequence { duration: 0.75 }];
        let track = Track::new(Interpolation::Step, [(0.0, 8.0), (0.25, 0.0)]);
        scene.global_channels = vec![GlobalChannel {
            sequence: GlobalSequenceId(0),
            channel: Channel { target: RATE, curve: Curve::Scalar(track) },
        }];
        // 8 a second from 0 to 0.25 and from 0.75 to 1 by the global sequence; the clip shows the first half of each second.
        assert_eq!(times(&births(&scene, 0.0, None, 0.9, 0.9)), [0.125, 0.25]);
        // In the second round: 1.5 to 1.75, all hidden.
        assert_eq!(times(&births(&scene, 0.0, None, 1.9, 0.9)), []);
        // In the fourth: 3.0 to 3.25.
        assert_eq!(times(&births(&scene, 0.0, None, 3.9, 0.9)), [3.125, 3.25]);
        assert_ne!(
            births(&scene, 0.0, None, 3.9, 0.9)[0].index,
            births(&scene, 0.0, None, 0.9, 0.9)[0].index
        );
    }

    #[test]
    fn curved_rates_are_integrated_nearly() {
        let mut track = Track::new(Interpolation::Hermite, [(0.0, 0.0), (1.0, 100.0)]);
        track.tangents = vec![scene::Tangents { incoming: 0.0, outgoing: 0.0 }; 2];
        let channel = Channel { target: RATE, curve: Curve::Scalar(track) };
        // The integral of 3 t² - 2 t³ over 0 to 1 is one half.
        let count = births(&scene(1.0, false, vec![channel]), 0.0, None, 1.0, 1.0).len();
        assert!((49..=50).contains(&count), "{count}");
    }

    #[test]
    fn hostile_numbers_make_no_unbounded_work() {
        let numbers = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, 1e-30, 1e-3, 1e30, f32::MAX];
        for duration in numbers {
            for value in numbers {
                for elapsed in [0.0, 1.0, 1e30, f32::NAN, f32::NEG_INFINITY] {
                    for looping in [false, true] {
                        let keys = [(0.0, value), (duration / 2.0, value), (f32::NAN, value)];
                        let scene = scene(duration, looping, vec![rate(Interpolation::Linear, &keys)]);
                        for squirt in [None, Some(Squirt::Keys), Some(Squirt::Loops), Some(Squirt::Start)] {
                            let count = births(&scene, value, squirt, elapsed, 3600.0).len();
                            assert!(count <= MAX_PARTICLES);
                        }
                    }
                }
            }
        }
    }
}
