//! The arguments of `edit clip`.

use clap::{Args, Subcommand};

use super::args::{Files, Switch};

const CLIP_EXAMPLES: &str = "Examples:
  meshwright edit clip rename 'Stand - 1' Stand unit.mdx --in-place
  meshwright edit clip speed Walk 1.5 unit.mdx --output fast.mdx
  meshwright edit clip trim Death 0..1200 unit.mdx --in-place
  meshwright edit clip split Attack 400 'Attack Second' unit.mdx -i
  meshwright edit clip loop 'Stand*' on art/ --in-place

A clip is a name, a pattern with * and ?, or #INDEX. Times are counted from the start of the clip: milliseconds in MDX, frames in W3D. In MDX, clips that are cut get keys at both ends, because a track without keys in a sequence has its default value there; changes of length move everything after the clip on the time line.";

#[derive(Debug, Args)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true, after_help = CLIP_EXAMPLES)]
pub(crate) struct ClipArgs {
    #[command(subcommand)]
    pub(super) change: ClipCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum ClipCommand {
    /// Rename a clip
    Rename {
        /// The clip
        clip: String,
        /// Its new name
        name: String,
        #[command(flatten)]
        files: Files,
    },
    /// Set whether a sequence loops (MDX)
    Loop {
        /// The clips
        clip: String,
        /// Whether they loop
        looping: Switch,
        #[command(flatten)]
        files: Files,
    },
    /// Change how fast a clip plays
    Speed {
        /// The clips
        clip: String,
        /// 2 is twice as fast
        factor: f32,
        #[command(flatten)]
        files: Files,
    },
    /// Keep a part of a clip
    Trim {
        /// The clips
        clip: String,
        /// First and last moment
        #[arg(value_name = "FROM..TO", value_parser = parse_range)]
        part: Span,
        #[command(flatten)]
        files: Files,
    },
    /// Play a clip backwards
    Reverse {
        /// The clips
        clip: String,
        #[command(flatten)]
        files: Files,
    },
    /// Divide a clip into two
    Split {
        /// The clip
        clip: String,
        /// Where the second one starts
        at: u32,
        /// The name of the second one
        name: String,
        #[command(flatten)]
        files: Files,
    },
    /// Append a clip to another
    Join {
        /// The clip
        clip: String,
        /// The clip that is appended and removed
        other: String,
        #[command(flatten)]
        files: Files,
    },
    /// Move a sequence on the time line (MDX)
    Move {
        /// The clip
        clip: String,
        /// Its new start, in milliseconds
        #[arg(allow_hyphen_values = true)]
        to: i32,
        #[command(flatten)]
        files: Files,
    },
    /// Move the events of a sequence (MDX)
    ShiftEvents {
        /// The clips
        clip: String,
        /// Milliseconds; negative for earlier
        #[arg(allow_hyphen_values = true)]
        by: i32,
        #[command(flatten)]
        files: Files,
    },
    /// Set the move speed of a sequence (MDX)
    MoveSpeed {
        /// The clips
        clip: String,
        /// Distance per second
        speed: f32,
        #[command(flatten)]
        files: Files,
    },
    /// Set the rarity of a sequence (MDX)
    Rarity {
        /// The clips
        clip: String,
        /// Higher is rarer
        rarity: f32,
        #[command(flatten)]
        files: Files,
    },
    /// Set the bounding box of a sequence (MDX)
    Bounds {
        /// The clips
        clip: String,
        /// Both corners
        #[arg(value_name = "X,Y,Z,X,Y,Z", value_parser = parse_corners, allow_hyphen_values = true)]
        corners: Corners,
        #[command(flatten)]
        files: Files,
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Span(pub(super) u32, pub(super) u32);

fn parse_range(text: &str) -> Result<Span, String> {
    let pair = text.split_once("..").map(|(from, to)| (from.trim().parse(), to.trim().parse()));
    match pair {
        Some((Ok(from), Ok(to))) => Ok(Span(from, to)),
        _ => Err("expected two numbers, such as 0..1200".to_owned()),
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Corners(pub(super) [f32; 3], pub(super) [f32; 3]);

fn parse_corners(text: &str) -> Result<Corners, String> {
    let numbers: Result<Vec<f32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[a, b, c, d, e, f]) => Ok(Corners([a, b, c], [d, e, f])),
        _ => Err("expected six numbers, such as -50,-50,0,50,50,120".to_owned()),
    }
}
