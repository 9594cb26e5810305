//! Time: what plays, how fast, and what happens at the end of a clip.

use crate::document::Opened;
use crate::state::{LoopMode, State};
use meshwright::scene::Clip;

/// Frames per second of clips whose file does not say.
const FRAME_RATE: f32 = 30.0;
/// A clip that starts again never shows its very end: that would be its start.
const ALMOST_ALL: f32 = 1.0 - 1e-5;

/// The clip that plays.
#[must_use]
pub fn clip<'o>(state: &State, opened: &'o Opened) -> Option<&'o Clip> {
    opened.scene.clips.get(opened.clip(&state.clip)?.index())
}

fn duration(clip: &Clip) -> f32 {
    if clip.duration.is_finite() { clip.duration.max(0.0) } else { 0.0 }
}

fn wraps(mode: LoopMode, clip: &Clip) -> bool {
    match mode {
        LoopMode::AsStored => clip.looping,
        LoopMode::Loop => true,
        LoopMode::Once | LoopMode::PingPong | LoopMode::NextClip => false,
    }
}

/// The place in the clip, in seconds.
#[must_use]
pub fn position(state: &State, clip: &Clip) -> f32 {
    let length = duration(clip);
    let time = if state.time.is_finite() { state.time.max(0.0) } else { 0.0 };
    if length == 0.0 {
        0.0
    } else if state.looping == LoopMode::PingPong {
        let there_and_back = time.rem_euclid(length * 2.0);
        if there_and_back > length { length * 2.0 - there_and_back } else { there_and_back }
    } else if wraps(state.looping, clip) {
        time.rem_euclid(length)
    } else {
        time.min(length)
    }
}

/// The time that frames are made of: it goes on where a clip starts again, so that particles do, too.
#[must_use]
pub fn frame_time(state: &State, clip: Option<&Clip>) -> f32 {
    let Some(clip) = clip else { return state.time };
    match (clip.looping, wraps(state.looping, clip)) {
        (true, true) => state.time,
        (true, false) => position(state, clip).min(duration(clip) * ALMOST_ALL),
        (false, _) => position(state, clip),
    }
}

/// Lets time pass.
pub fn advance(state: &mut State, opened: &Opened, seconds: f32) {
    if !state.playing || !seconds.is_finite() {
        return;
    }
    // After a pause of the whole program, for example behind another window, it goes on where it was.
    state.time += seconds.clamp(0.0, 0.25) * state.speed;
    let Some(clip) = clip(state, opened) else { return };
    if state.time < duration(clip) {
        return;
    }
    match state.looping {
        LoopMode::Once => state.playing = false,
        LoopMode::NextClip => step_clip(state, opened, 1),
        _ => {}
    }
}

/// Plays, or stops. At the end of a clip that does not start again, it starts from the beginning.
pub fn toggle(state: &mut State, opened: &Opened) {
    state.playing = !state.playing;
    if let Some(clip) = clip(state, opened)
        && state.playing
        && state.looping != LoopMode::PingPong
        && !wraps(state.looping, clip)
        && state.time >= duration(clip)
    {
        state.time = 0.0;
    }
}

/// Seconds of a frame of the clip.
#[must_use]
pub fn frame_length(clip: Option<&Clip>) -> f32 {
    let rate = clip.and_then(|clip| clip.frame_rate).filter(|rate| rate.is_finite() && *rate > 0.0);
    1.0 / rate.unwrap_or(FRAME_RATE)
}

/// Stops, and goes some frames forward or back.
pub fn step_frames(state: &mut State, opened: &Opened, frames: i32) {
    state.playing = false;
    let clip = clip(state, opened);
    let length = frame_length(clip);
    let now = clip.map_or(state.time, |clip| position(state, clip));
    let next = ((now / length).round() + frames as f32) * length;
    state.time = match clip.map(duration) {
        // Stepping goes around at the ends.
        Some(whole) if next < 0.0 => (whole + next).max(0.0),
        Some(whole) if whole > 0.0 && next > whole + length * 0.5 => 0.0,
        _ => next.max(0.0),
    };
}

/// Plays the next clip, or the one before.
pub fn step_clip(state: &mut State, opened: &Opened, by: isize) {
    let count = opened.scene.clips.len();
    if count == 0 {
        return;
    }
    let now = opened.clip(&state.clip).map(|clip| clip.index());
    let next = match now {
        Some(now) => (now as isize + by).rem_euclid(count as isize) as usize,
        None if by < 0 => count - 1,
        None => 0,
    };
    state.clip = opened.scene.clips[next].name.clone();
    state.time = 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Library;

    fn tank() -> Opened {
        let files = vec![("tank.w3d".to_owned(), meshwright::w3d::sample::tank())];
        let found = Library::in_memory(files).expect("a model");
        Opened::open(&found.library, &found.library.models()[0]).expect("the sample is sound")
    }

    fn clip_of(looping: bool) -> Clip {
        Clip { name: "Walk".into(), duration: 2.0, looping, ..Clip::default() }
    }

    #[test]
    fn every_mode_has_its_end() {
        let at = |looping, time, clip: &Clip| position(&State { looping, time, ..State::default() }, clip);
        let (once, loops) = (clip_of(false), clip_of(true));
        assert_eq!((at(LoopMode::AsStored, 5.0, &once), at(LoopMode::AsStored, 5.0, &loops)), (2.0, 1.0));
        assert_eq!((at(LoopMode::Loop, 5.0, &once), at(LoopMode::Once, 5.0, &loops)), (1.0, 2.0));
        assert_eq!((at(LoopMode::PingPong, 3.0, &once), at(LoopMode::PingPong, 4.5, &once)), (1.0, 0.5));
        assert_eq!(at(LoopMode::Loop, f32::NAN, &once), 0.0);
        assert_eq!(at(LoopMode::Loop, 1.0, &Clip { duration: f32::INFINITY, ..once }), 0.0);
    }

    #[test]
    fn a_looping_clip_that_plays_once_stops_before_its_start() {
        let state = State { looping: LoopMode::Once, time: 7.0, ..State::default() };
        let clip = clip_of(true);
        assert!(clip.local_time(frame_time(&state, Some(&clip))) > 1.99);
        let state = State { time: 7.0, ..State::default() };
        assert_eq!(frame_time(&state, Some(&clip)), 7.0, "particles go on");
    }

    #[test]
    fn clips_and_frames_can_be_stepped() {
        let opened = tank();
        assert!(!opened.scene.clips.is_empty());
        let mut state = State::default();
        step_clip(&mut state, &opened, 1);
        let first = state.clip.clone();
        for _ in 0..opened.scene.clips.len() {
            step_clip(&mut state, &opened, 1);
        }
        assert_eq!(state.clip, first);
        step_frames(&mut state, &opened, 1);
        let clip = clip(&state, &opened).expect("a clip");
        assert!(!state.playing && (state.time - frame_length(Some(clip))).abs() < 1e-6);
        step_frames(&mut state, &opened, -2);
        assert!(state.time > clip.duration * 0.5, "before the first frame comes the last");
    }

    #[test]
    fn playing_once_stops_and_starts_again() {
        let opened = tank();
        let mut state =
            State { looping: LoopMode::Once, clip: opened.scene.clips[0].name.clone(), ..State::default() };
        for _ in 0..10_000 {
            advance(&mut state, &opened, 0.2);
        }
        assert!(!state.playing);
        toggle(&mut state, &opened);
        assert!(state.playing && state.time == 0.0);
    }
}
