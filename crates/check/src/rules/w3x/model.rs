//! Assets, containers, hierarchies and animations.

use std::collections::HashSet;

use record::Severity::{Error, Warning};
use w3x::kinds;
use w3x::view::ChannelType;

use super::{SCHEMA, hierarchies};
use crate::context::{Findings, W3xContext};
use crate::rule::Rule;
use crate::words::counted;

pub(crate) static RULES: &[Rule] = &[
    Rule::w3x(
        "W3X-ID-001",
        Error,
        missing_ids,
        SCHEMA,
        "an asset has no id",
        "The compiler of the game refuses an asset without an id, and nothing can refer to it. Add the attribute `id`.",
    ),
    Rule::w3x(
        "W3X-ID-002",
        Error,
        duplicate_ids,
        "the compiler takes the lower-cased id within a type as the name of the asset",
        "two assets of one type have the same id",
        "Case does not matter. The compiler of the game refuses the second one, or replaces the first. Rename one of them.",
    ),
    Rule::w3x(
        "W3X-MODEL-001",
        Error,
        bones,
        SCHEMA,
        "a sub-object is on a pivot that its hierarchy does not have",
        "The game reads another transform or crashes. Correct `BoneIndex`, or use the hierarchy that the container was made for.",
    ),
    Rule::w3x(
        "W3X-MODEL-002",
        Error,
        targets,
        SCHEMA,
        "a sub-object refers to nothing",
        "A sub-object needs a `RenderObject` with the id of a mesh or a collision box.",
    ),
    Rule::w3x(
        "W3X-HIER-001",
        Error,
        parents,
        SCHEMA,
        "a pivot has a parent that does not exist",
        "Only the first pivot has the parent -1. The game reads another transform or crashes.",
    ),
    Rule::w3x(
        "W3X-HIER-002",
        Error,
        cycles,
        SCHEMA,
        "a pivot is its own ancestor",
        "The game cannot compute where the pivot is. Correct the attribute `Parent` of one of the pivots.",
    ),
    Rule::w3x(
        "W3X-ANIM-001",
        Error,
        channels,
        SCHEMA,
        "a channel has no known type or pivot",
        "The types are XTranslation, YTranslation, ZTranslation, Orientation and Visibility. The pivot has to be one of the hierarchy.",
    ),
    Rule::w3x(
        "W3X-ANIM-002",
        Warning,
        frames,
        "3,400 of 3,408 channels of published models have as many frames as the animation",
        "a channel has frames after the end of its animation",
        "The compiler of the game drops them. Correct `NumFrames` of the animation, or remove the frames.",
    ),
    Rule::w3x(
        "W3X-ANIM-003",
        Error,
        rate,
        SCHEMA,
        "an animation has no frame rate or no frames",
        "It cannot be played. Published animations have 30 frames per second.",
    ),
];

fn missing_ids(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for asset in context.file.assets() {
        let is_asset = asset.node().kind.name.starts_with("W3D") || asset.is(&kinds::TEXTURE);
        if is_asset && asset.attribute(&kinds::ID).is_none_or(|id| id.trim().is_empty()) {
            findings.add(asset.node(), format!("the {} has no id", asset.name()));
        }
    }
}

fn duplicate_ids(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    let mut known = HashSet::new();
    for asset in context.file.assets() {
        let Some(id) = asset.attribute(&kinds::ID).filter(|id| !id.is_empty()) else { continue };
        if !known.insert((asset.name(), id.to_lowercase())) {
            findings.add(asset.node(), format!("another {} before it has the id {id:?}", asset.name()));
        }
    }
}

fn bones(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    let known = hierarchies(context);
    for container in context.file.containers() {
        let Some((_, count)) = known.get(&container.hierarchy().to_lowercase()) else { continue };
        for object in container.sub_objects() {
            if object.bone().is_none_or(|bone| bone >= *count) {
                let bone = object.0.attribute(&kinds::BONE_INDEX).unwrap_or_default();
                let message = format!(
                    "the sub-object {:?} is on pivot {bone:?}, but the hierarchy has {}",
                    object.name(),
                    counted(*count, "pivot")
                );
                findings.add(object.0.node(), message);
            }
        }
    }
}

fn targets(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for object in context.file.containers().flat_map(|container| container.sub_objects()) {
        if object.target().is_none_or(|(_, id)| id.is_empty()) {
            findings
                .add(object.0.node(), format!("the sub-object {:?} refers to no mesh or box", object.name()));
        }
    }
}

fn parents(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.file.hierarchies() {
        let count = hierarchy.pivots().count();
        for (index, pivot) in hierarchy.pivots().enumerate() {
            let parent = pivot.0.integer::<i64>(&kinds::PARENT);
            let is_root = index == 0 && parent == Some(-1);
            let exists =
                parent.and_then(|parent| usize::try_from(parent).ok()).is_some_and(|parent| parent < count);
            if !is_root && !exists {
                let text = pivot.0.attribute(&kinds::PARENT).unwrap_or_default();
                let message = format!(
                    "pivot {index} {:?} has the parent {text:?}, but the hierarchy has {}",
                    pivot.name(),
                    counted(count, "pivot")
                );
                findings.add(pivot.0.node(), message);
            }
        }
    }
}

fn cycles(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for hierarchy in context.file.hierarchies() {
        let pivots: Vec<_> = hierarchy.pivots().collect();
        let parents: Vec<Option<usize>> =
            pivots.iter().map(|pivot| pivot.parent().filter(|parent| *parent < pivots.len())).collect();
        // The walk in which a pivot was seen, so that each is visited once.
        let mut seen = vec![0; pivots.len()];
        for start in 0..pivots.len() {
            let mut next = Some(start);
            while let Some(pivot) = next.filter(|pivot| seen[*pivot] == 0) {
                seen[pivot] = start + 1;
                next = parents[pivot];
            }
            if let Some(pivot) = next.filter(|pivot| seen[*pivot] == start + 1) {
                let message = format!("pivot {pivot} {:?} is its own ancestor", pivots[pivot].name());
                findings.add(pivots[pivot].0.node(), message);
            }
        }
    }
}

fn channels(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    let known = hierarchies(context);
    for animation in context.file.animations() {
        let count = known.get(&animation.hierarchy().to_lowercase()).map(|(_, count)| *count);
        for channel in animation.channels() {
            let is_rotation = channel.0.is(&kinds::CHANNEL_QUATERNION);
            let fits = |kind: ChannelType| (kind == ChannelType::Orientation) == is_rotation;
            if !channel.channel_type().is_some_and(fits) {
                let text = channel.0.attribute(&kinds::TYPE).unwrap_or_default();
                let message = format!("the type {text:?} is not one of a {}", channel.0.name());
                findings.add(channel.0.node(), message);
            }
            if channel.pivot().is_none_or(|pivot| count.is_some_and(|count| pivot >= count)) {
                let text = channel.0.attribute(&kinds::PIVOT_INDEX).unwrap_or_default();
                findings.add(channel.0.node(), format!("the hierarchy does not have the pivot {text:?}"));
            }
        }
    }
}

fn frames(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for animation in context.file.animations() {
        let frames = animation.frames() as usize;
        for channel in animation.channels().filter(|_| frames > 0) {
            let end = (channel.first_frame() as usize).saturating_add(channel.len());
            if end > frames {
                let message = format!(
                    "the channel ends after frame {}, but the animation has {}",
                    end - 1,
                    counted(frames, "frame")
                );
                findings.add(channel.0.node(), message);
            }
        }
    }
}

fn rate(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    for animation in context.file.animations() {
        let rate = animation.frame_rate();
        if !rate.is_finite() || rate <= 0.0 || animation.frames() == 0 {
            let message =
                format!("the animation has {} frames and {rate} frames per second", animation.frames());
            findings.add(animation.0.node(), message);
        }
    }
}
