//! Particle emitters.

use record::Node;
use record::Severity::{Error, Warning};
use w3d::records::{
    EmitterBlurTimeHeader, EmitterColorKey, EmitterFrameHeader, EmitterHeader, EmitterInfo2, EmitterKey,
    EmitterProperties, EmitterRotationHeader,
};
use w3d::table::*;

use super::{child_value, len};
use crate::context::{Findings, W3dContext};
use crate::rule::Rule;
use crate::words::{counted, vector};
use model::Game;

pub(crate) static RULES: &[Rule] = &[
    Rule::w3d(
        "W3D-EMIT-001",
        Error,
        order,
        "docs/formats/w3d/emitters.md#order-of-the-chunks: HEADER, USER_DATA, INFO, then INFOV2 and PROPS",
        "the chunks of the emitter are in the wrong order",
        "The loader reads the header, the user data, the information and, above version 1.0, the second information and the properties, in exactly this order, \
         and rejects the emitter otherwise.",
    ),
    Rule::w3d(
        "W3D-EMIT-002",
        Error,
        property_counts,
        "docs/formats/w3d/emitters.md#properties: counts include the start key",
        "the counts of keys in the properties are wrong",
        "The loader reads as many colour, opacity and size keys as the counts say, and at least the start key of each. Earth & Beyond treats 0 as 1.",
    ),
    Rule::w3d(
        "W3D-EMIT-003",
        Warning,
        key_counts,
        "docs/formats/w3d/emitters.md#properties: KeyframeCount + 1 keys",
        "the counts of rotation, frame or blur time keys are wrong",
        "One key more than the count follows, the start key first. Earth & Beyond may omit all of them.",
    ),
    Rule::w3d(
        "W3D-EMIT-004",
        Warning,
        ascending,
        "docs/formats/w3d/emitters.md#properties: times ascending",
        "keys are not in order of time",
        "Particles use the keys in stored order: a key at an earlier time is skipped or makes the value jump.",
    ),
    Rule::w3d(
        "W3D-EMIT-005",
        Warning,
        volume,
        "docs/formats/w3d/emitters.md#info: ClassID 0 to 3",
        "a random volume has an unknown shape",
        "Engines know the solid box, the solid and the hollow sphere and the cylinder; anything else gives no volume at all.",
    ),
    Rule::w3d(
        "W3D-EMIT-006",
        Warning,
        version,
        "docs/formats/w3d/emitters.md#order-of-the-chunks: 1.0 or 2.0",
        "the emitter has an unknown version",
        "Version 2.0 is current; 1.0 has only the first information record. Loaders use the version to decide what to read.",
    ),
    Rule::w3d(
        "W3D-EMIT-007",
        Error,
        line_properties,
        "docs/formats/w3d/emitters.md#lines: Renegade compares with the wrong id",
        "Renegade cannot load an emitter with line properties",
        "Renegade's loader compares with the wrong id and rejects the whole emitter. Remove EMITTER_LINE_PROPERTIES for Renegade; Zero Hour and Scripts 4.x read it.",
    )
    .only(Game::Renegade.only()),
    Rule::w3d(
        "W3D-EMIT-008",
        Warning,
        modes,
        "docs/formats/w3d/emitters.md#info: RenderMode 0 to 4, FrameMode 0 to 4",
        "the emitter has an unknown render or frame mode",
        "Engines draw nothing, or use another mode.",
    ),
];

fn order(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for node in context.file.root.all(&EMITTER) {
        let modern = child_value::<EmitterHeader>(node, &EMITTER_HEADER)
            .is_none_or(|header| header.version.0.get() > 0x1_0000);
        let wanted: &[u32] =
            if modern { &[0x501, 0x502, 0x503, 0x504, 0x505] } else { &[0x501, 0x502, 0x503] };
        let found: Vec<u32> = node.children().iter().map(|child| child.id).take(wanted.len()).collect();
        if found != wanted {
            let names: Vec<_> = node.children().iter().take(wanted.len()).map(Node::name).collect();
            findings.add(node, format!("the emitter starts with {}", names.join(", ")));
        }
    }
}

fn property_counts(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.all(&EMITTER_PROPS) {
        let Some(properties) = visit.node.value::<EmitterProperties>() else { continue };
        let stated =
            [properties.color_keyframes, properties.opacity_keyframes, properties.size_keyframes].map(len);
        let held = visit.node.bytes().len().saturating_sub(40) / 8;
        let start_is_counted = context.profile != Game::EarthAndBeyond;
        let least = |count: &usize| if start_is_counted { *count } else { (*count).max(1) };
        if stated.iter().fold(0, |sum: usize, count| sum.saturating_add(least(count))) > held {
            findings.add(
                visit.node,
                format!(
                    "the properties have {}, but the counts are {}",
                    counted(held, "key"),
                    vector(stated)
                ),
            );
        } else if start_is_counted && stated.contains(&0) {
            findings.add(visit.node, format!("the counts {} do not include a start key", vector(stated)));
        }
    }
}

/// The stated count, the keys, and the name of a chunk of keys.
fn keyed<'n>(node: &'n Node<'n>) -> Option<(usize, &'n [EmitterKey])> {
    let count = node.value::<EmitterRotationHeader>().map(|header| header.keyframe_count);
    let count = count.or_else(|| node.value::<EmitterFrameHeader>().map(|header| header.keyframe_count));
    let count =
        count.or_else(|| node.value::<EmitterBlurTimeHeader>().map(|header| header.keyframe_count))?;
    Some((len(count), node.values()))
}

fn key_counts(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for node in context.file.root.all(&EMITTER).flat_map(Node::children) {
        let Some((stated, keys)) = keyed(node) else { continue };
        let none = keys.is_empty() && context.profile == Game::EarthAndBeyond;
        if keys.len() != stated.saturating_add(1) && !none {
            findings.add(
                node,
                format!(
                    "there are {}, but the count of {stated} needs {}",
                    counted(keys.len(), "key"),
                    stated.saturating_add(1)
                ),
            );
        }
    }
}

fn ascending(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for node in context.file.root.all(&EMITTER).flat_map(Node::children) {
        let mut lists: Vec<Vec<f32>> = keyed(node).map(|(_, keys)| times(keys)).into_iter().collect();
        if node.is(&EMITTER_PROPS) {
            lists.push(node.values::<EmitterColorKey>().iter().map(|key| key.time.get()).collect());
            // Opacities, then sizes: two slots of the same type.
            for part in node.slots().filter(|part| matches!(part.slot.name, "opacities" | "sizes")) {
                lists.push(
                    part.bytes
                        .chunks_exact(8)
                        .filter_map(|key| key.first_chunk())
                        .map(|time| f32::from_le_bytes(*time))
                        .collect(),
                );
            }
        }
        if let Some(times) = lists.iter().find(|times| times.windows(2).any(|pair| pair[0] > pair[1])) {
            findings.add(node, format!("the times {} are not in ascending order", vector(times)));
        }
    }
}

fn times(keys: &[EmitterKey]) -> Vec<f32> {
    keys.iter().map(|key| key.time.get()).collect()
}

fn volume(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.all(&EMITTER_INFOV2) {
        let Some(info) = visit.node.value::<EmitterInfo2>() else { continue };
        for (class, what) in
            [(info.creation_volume.class_id, "creation volume"), (info.vel_random.class_id, "velocity")]
        {
            if class.name().is_none() {
                findings.add(visit.node, format!("the {what} has the unknown shape {}", class.get()));
            }
        }
    }
}

fn version(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.all(&EMITTER_HEADER) {
        if let Some(header) = visit.node.value::<EmitterHeader>()
            && !matches!(header.version.0.get(), 0x1_0000 | 0x2_0000)
        {
            findings.add(visit.node, format!("the emitter has the unknown version {}", header.version));
        }
    }
}

fn line_properties(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.all(&EMITTER_LINE_PROPERTIES) {
        findings.add(visit.node, "Renegade rejects emitters with this chunk");
    }
}

fn modes(context: &W3dContext<'_>, findings: &mut Findings<'_>) {
    for visit in context.all(&EMITTER_INFOV2) {
        let Some(info) = visit.node.value::<EmitterInfo2>() else { continue };
        if info.render_mode.name().is_none() {
            findings.add(visit.node, format!("the render mode {} is unknown", info.render_mode.get()));
        }
        if info.frame_mode.name().is_none() {
            findings.add(visit.node, format!("the frame mode {} is unknown", info.frame_mode.get()));
        }
    }
}
