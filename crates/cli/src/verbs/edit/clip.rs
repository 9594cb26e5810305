//! `edit clip`: changes of animations and sequences.

use meshwright::edit::{self, ClipChange, PartKind, Selector};
use meshwright::record::Node;

use super::args::Switch;
use super::clip_args::{ClipArgs, ClipCommand};
use super::parts::with_hint;
use super::run;
use super::script::Context;
use crate::exit::{self, Failure};

fn selector(clip: &str) -> Result<Selector, Failure> {
    format!("{}:{clip}", PartKind::Clip.word())
        .parse()
        .map_err(|error: edit::Error| Failure::Usage(error.to_string()))
}

pub(super) fn clip(args: &ClipArgs, common: Context<'_>) -> exit::Result {
    let (clip, change, files) = match &args.change {
        ClipCommand::Rename { clip, name, files } => (clip, ClipChange::Rename(name.clone()), files),
        ClipCommand::Loop { clip, looping, files } => {
            (clip, ClipChange::Loop(matches!(looping, Switch::On)), files)
        }
        ClipCommand::Speed { clip, factor, files } => (clip, ClipChange::Speed(*factor), files),
        ClipCommand::Trim { clip, part, files } => {
            (clip, ClipChange::Trim { from: part.0, to: part.1 }, files)
        }
        ClipCommand::Reverse { clip, files } => (clip, ClipChange::Reverse, files),
        ClipCommand::Split { clip, at, name, files } => {
            (clip, ClipChange::Split { at: *at, name: name.clone() }, files)
        }
        ClipCommand::Join { clip, other, files } => (clip, ClipChange::Join(selector(other)?), files),
        ClipCommand::Move { clip, to, files } => (clip, ClipChange::Move(*to), files),
        ClipCommand::ShiftEvents { clip, by, files } => (clip, ClipChange::ShiftEvents(*by), files),
        ClipCommand::MoveSpeed { clip, speed, files } => (clip, ClipChange::MoveSpeed(*speed), files),
        ClipCommand::Rarity { clip, rarity, files } => (clip, ClipChange::Rarity(*rarity), files),
        ClipCommand::Bounds { clip, corners, files } => {
            (clip, ClipChange::Bounds(corners.0, corners.1), files)
        }
    };
    let clip = selector(clip)?;
    let apply = |root: &mut Node<'_>| edit::change_clip(root, &clip, &change);
    with_hint(Some(&clip), |sought| run(files, &[], common, &apply, sought))
}
