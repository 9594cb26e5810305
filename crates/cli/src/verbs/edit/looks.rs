//! Changes of `edit` to places and looks: mirror, attach, blend, recolour.

use meshwright::edit::{self, Attachment, Axis, Blending, ColourChange, Mirror, Motion};
use meshwright::record::Node;

use super::args::Switch;
use super::look_args::{AttachArgs, BlendArgs, MirrorArgs, NamesArg, RecolourArgs};
use super::parts::with_hint;
use super::script::Context;
use super::{run, whole};
use crate::exit;

pub(super) fn mirror(args: &MirrorArgs, common: Context<'_>) -> exit::Result {
    let axis = Axis::from(args.axis);
    let names = args.names.map_or(axis == Axis::Y, |names| names == NamesArg::Swap);
    let what = Mirror { axis, names };
    whole(&args.files, &args.with, common, &|root| edit::mirror(root, &what))
}

pub(super) fn attach(args: &AttachArgs, common: Context<'_>) -> exit::Result {
    let motion = match (args.keep_motion, args.rigid) {
        (true, _) => Motion::Kept,
        (_, true) => Motion::Rigid,
        _ => Motion::Own,
    };
    let attachment = Attachment { part: args.part.clone(), to: args.to.0.clone(), motion };
    let apply = |root: &mut Node<'_>| edit::attach(root, &attachment);
    with_hint(Some(&args.part), |sought| run(&args.files, &[], common, &apply, sought))
}

pub(super) fn blend(args: &BlendArgs, common: Context<'_>) -> exit::Result {
    let blending = Blending { parts: args.part.clone(), blend: args.blend, layer: args.layer };
    let apply = |root: &mut Node<'_>| edit::blend(root, &blending);
    with_hint(Some(&args.part), |sought| run(&args.files, &[], common, &apply, sought))
}

pub(super) fn recolour(args: &RecolourArgs, common: Context<'_>) -> exit::Result {
    let change = match (args.colour, args.tint, args.team_colour) {
        (Some(colour), ..) => ColourChange::Set(colour),
        (_, Some(tint), _) => ColourChange::Tint(tint),
        (.., team) => ColourChange::TeamColour(matches!(team, Some(Switch::On))),
    };
    let apply = |root: &mut Node<'_>| edit::recolour(root, &args.part, &change);
    with_hint(Some(&args.part), |sought| run(&args.files, &[], common, &apply, sought))
}
