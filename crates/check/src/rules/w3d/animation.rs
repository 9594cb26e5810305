//! Animations: headers and what they refer to.

use std::collections::{HashMap, HashSet};

use record::Severity::{Error, Warning};
use w3d::Animation;
use w3d::records::MorphAnimHeader;
use w3d::table::*;

use super::{child_value, len, lower};
use crate::context::{Findings, W3dContext};
use crate::rule::Rule;
use crate::words::miscounted;

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-ANIM-001",
        Warning,
        frame_rate,
        "docs/formats/w3d/animation.md#raw-channels: FrameRate != 0",
        "the animation has no frame rate",
        "Its duration is the number of frames divided by the rate: it never ends, or never starts.",
    ),
    Rule::w3d(
        "W3D-ANIM-002",
        Warning,
        no_frames,
        "docs/formats/w3d/animation.md#raw-channels",
        "the animation has no frames",
        "There is nothing to play; engines use the frame before the first. Findings about its channels are not reported.",
    ),
    Rule::w3d(
        "W3D-ANIM-003",
        Error,
        order,
        "docs/formats/w3d/names.md#references-between-files: the loader needs the tree first",
        "the animation comes before its skeleton",
        "The loader looks for the skeleton when it reads the animation, in memory and then in the file of the skeleton's name. A skeleton that follows in \
         the same file is not known yet, and the animation is dropped. Move the skeleton before it.",
    ),
    Rule::w3d(
        "W3D-ANIM-004",
        Error,
        morph_order,
        "docs/formats/w3d/animation.md#morph-animations: POSENAME, then KEYDATA",
        "a morph channel is not a name followed by keys",
        "The loader reads the pose's name and then the keys, in that order.",
    ),
    Rule::w3d(
        "W3D-ANIM-005",
        Warning,
        morph_count,
        "docs/formats/w3d/animation.md#morph-animations",
        "the number of morph channels differs from the header's",
        "Engines allocate by the header and read what is there.",
    ),
    Rule::w3d(
        "W3D-ANIM-006",
        Error,
        header_first,
        "hanim loaders read the header first",
        "the animation's first chunk is not its header",
        "Loaders read the header first and reject the animation if it is another chunk.",
    ),
];

pub(super) fn animations<'n>(context: &W3dContext<'n>) -> impl Iterator<Item = Animation<'n>> {
    let children = context.file.root.children().iter();
    children.filter(|node| node.is(&ANIMATION) || node.is(&COMPRESSED_ANIMATION)).map(Animation)
}

fn has_header(animation: &Animation<'_>) -> bool {
    animation.0.child(&ANIMATION_HEADER).is_some()
        || animation.0.child(&COMPRESSED_ANIMATION_HEADER).is_some()
}

fn frame_rate(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for animation in
        animations(context).filter(|animation| has_header(animation) && animation.frame_rate() == 0)
    {
        findings.add(animation.0, "the frame rate of the animation is 0");
    }
}

fn no_frames(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for animation in
        animations(context).filter(|animation| has_header(animation) && animation.num_frames() == 0)
    {
        findings.add(animation.0, "the animation has no frames");
    }
}

fn order(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    let mut waiting: HashMap<String, Vec<&record::Node<'_>>> = HashMap::new();
    let mut known = HashSet::new();
    for node in context.file.root.children() {
        if node.is(&HIERARCHY) {
            let name = lower(&w3d::Hierarchy(node).name());
            for animation in waiting.remove(&name).unwrap_or_default() {
                findings.add(animation, format!("the skeleton {name:?} comes later in the file"));
            }
            known.insert(name);
        } else if node.is(&ANIMATION) || node.is(&COMPRESSED_ANIMATION) {
            let name = lower(&Animation(node).hierarchy_name());
            if !known.contains(&name) {
                waiting.entry(name).or_default().push(node);
            }
        }
    }
}

fn morph_order(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.all(&MORPHANIM_CHANNEL) {
        let ids: Vec<_> = visit.node.children().iter().map(|child| child.id).collect();
        if !ids.starts_with(&[ids::MORPHANIM_POSENAME, ids::MORPHANIM_KEYDATA]) {
            findings
                .add(visit.node, "the channel does not start with MORPHANIM_POSENAME and MORPHANIM_KEYDATA");
        }
    }
}

fn morph_count(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for node in context.file.root.all(&MORPH_ANIMATION) {
        let Some(header) = child_value::<MorphAnimHeader>(node, &MORPHANIM_HEADER) else { continue };
        let found = node.all(&MORPHANIM_CHANNEL).count();
        if found != len(header.channel_count) {
            let message = miscounted("the header", header.channel_count, found, ["channel", "channels"]);
            findings.add(node, message);
        }
    }
}

fn header_first(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for animation in animations(context) {
        let first = animation.0.children().first();
        if !first.is_some_and(|first| first.is(&ANIMATION_HEADER) || first.is(&COMPRESSED_ANIMATION_HEADER)) {
            findings.add(animation.0, "the header is not the first chunk of the animation");
        }
    }
}
