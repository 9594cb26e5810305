//! Nodes: ids, parents, pivots.

use std::collections::{HashMap, HashSet};

use mdx::records::{BoneLinks, NodeFlags};
use mdx::view::NodeKind;
use record::Severity::{Error, Info, Warning};

use super::is_in;
use crate::context::{Findings, MdxContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::words::{counted, list, out_of_range, verb};
use model::Games;

pub(crate) static RULES: &[Rule] = &[
    Rule::mdx(
        "MDX-NODE-001",
        Warning,
        ids,
        "HiveWE: error; docs/formats/mdx/nodes.md#object-ids: 4,235 of 4,241 published files",
        "object ids have gaps or duplicates",
        "Ids are indices of pivots and of bones, from 0 without gaps. A gap or a duplicate gives nodes the pivot and the movement of others. Some published \
         models have gaps and are shown, so it is not an error.",
    ),
    Rule::mdx(
        "MDX-NODE-002",
        Error,
        bones_first,
        "HiveWE, from the game's behaviour; docs/formats/mdx/nodes.md#object-ids: 3,949 of 3,949 files",
        "bones do not have the first ids",
        "The game draws vertices of the first bones only: those that are bound to a bone after other objects do not appear.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-NODE-003",
        Error,
        parents,
        "mdx-m3-viewer, HiveWE; docs/formats/mdx/nodes.md#object-ids: none missing in 95,476",
        "a node's parent is missing, or is the node itself",
        "The game does not check the parent and may crash; newer versions use the root instead.",
    ),
    Rule::mdx(
        "MDX-NODE-004",
        Error,
        cycles,
        "HiveWE: severe",
        "nodes are each other's parents",
        "Computing their positions never ends: the game hangs.",
    ),
    Rule::mdx(
        "MDX-NODE-005",
        Warning,
        pivots,
        "mdx-m3-viewer, Retera; docs/formats/mdx/nodes.md#pivots: 4,213 of 4,241 files",
        "the number of pivots differs from the number of nodes",
        "Each node has a pivot by its id. A missing one is read from beyond the list; the repair adds pivots at the origin, as Retera's tool does.",
    )
    .repaired(Repair::mdx("adds missing pivots at the origin", fix::mdx_pivots)),
    Rule::mdx(
        "MDX-NODE-006",
        Warning,
        bone_links,
        "mdx-m3-viewer: error; docs/formats/mdx/nodes.md#bones: the game ignores the geoset animation",
        "a bone refers to a missing geoset or geoset animation",
        "Both only say what the bone belongs to, and become stale when a geoset is deleted. Tools that do not check them fail.",
    ),
    Rule::mdx(
        "MDX-NODE-007",
        Info,
        type_bits,
        "Retera: light not flagged as light; docs/formats/mdx/nodes.md#node-flags: common in published files",
        "a node's type flag does not match its chunk",
        "The game uses the chunk. Some tools use the flag and lose the node.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-NODE-008",
        Warning,
        bind_poses,
        "mdx-m3-viewer: nodes + 1; docs/formats/mdx/nodes.md#bind-poses: nodes + cameras in 61 of 61",
        "the number of bind poses differs from the number of nodes and cameras",
        "Reforged has one matrix per node and one per camera.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-NODE-009",
        Info,
        duplicate_names,
        "Blender and other tools identify nodes by name",
        "nodes have the same name",
        "The game identifies nodes by id, except attachments, which it looks up by name and takes the first. Tools that connect nodes by name mix them \
         up. One finding per file.",
    ),
];

fn duplicate_names(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut twice: Vec<String> = Vec::new();
    let mut first = None;
    for node in &context.nodes {
        let name = node.name();
        // Event objects of the same kind share their name.
        if name.is_empty() || node.kind == NodeKind::EventObject {
            continue;
        }
        let count = seen.entry(name.to_lowercase()).or_default();
        *count += 1;
        if *count == 2 {
            twice.push(format!("{name:?}"));
            first.get_or_insert(node.object);
        }
    }
    if let Some(first) = first {
        let (names, are) = (counted(twice.len(), "node name"), verb(twice.len(), "is", "are"));
        findings.add(first, format!("{names} {are} used more than once: {}", list(&twice)));
    }
}

fn ids(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let count = context.nodes.len();
    let mut seen = HashSet::new();
    for node in &context.nodes {
        let id = node.id();
        if !is_in(id, count) {
            findings.add(
                node.object,
                format!(
                    "the node has id {id}, but there are only {} (0 to {})",
                    counted(count, "node"),
                    count.saturating_sub(1)
                ),
            );
        } else if !seen.insert(id) {
            findings.add(node.object, format!("another node has the same id {id}"));
        }
    }
}

fn bones_first(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let bones = context.nodes.iter().filter(|node| node.kind == NodeKind::Bone).count();
    for node in context.nodes.iter().filter(|node| node.kind == NodeKind::Bone) {
        if !is_in(node.id(), bones) {
            let message = format!(
                "the bone has id {}, but the {} should have the first ids",
                node.id(),
                counted(bones, "bone")
            );
            return findings.add(node.object, message);
        }
    }
}

fn parents(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let there: HashSet<i32> = context.nodes.iter().map(|node| node.id()).collect();
    for node in &context.nodes {
        match node.parent() {
            Some(parent) if parent == node.id() => findings.add(node.object, "the node is its own parent"),
            Some(parent) if !there.contains(&parent) => {
                findings.add(node.object, format!("the parent {parent} does not exist"));
            }
            _ => {}
        }
    }
}

fn cycles(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let parents: HashMap<i32, i32> =
        context.nodes.iter().filter_map(|node| Some((node.id(), node.parent()?))).collect();
    let mut sound = HashSet::new();
    for node in &context.nodes {
        let mut way = HashSet::new();
        let mut index = node.id();
        while !sound.contains(&index) && way.insert(index) {
            match parents.get(&index) {
                // Another rule reports a node that is its own parent.
                Some(parent) if *parent != index => index = *parent,
                _ => break,
            }
        }
        let own = parents.get(&index).is_some_and(|parent| *parent != index);
        if own && way.contains(&index) && !sound.contains(&index) {
            findings.add(
                node.object,
                format!("the node is its own ancestor: its parents lead back to node {index}"),
            );
        }
        sound.extend(way);
    }
}

fn pivots(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let (found, nodes) = (context.model.pivots().len(), context.nodes.len());
    if found != nodes {
        findings.add(
            context.chunk("PIVT"),
            format!("the model has {} for {}", counted(found, "pivot"), counted(nodes, "node")),
        );
    }
}

fn bone_links(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for node in &context.nodes {
        let Some(links) = node.part::<BoneLinks>() else { continue };
        for (id, there, what) in [
            (links.geoset_id.get(), context.geosets.len(), "geoset"),
            (links.geoset_animation_id.get(), context.animations.len(), "geoset animation"),
        ] {
            if id != -1 && !is_in(id, there) {
                findings.add(node.object, out_of_range(what, id, "model", there));
            }
        }
    }
}

fn type_bits(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let mut wrong: Vec<String> = Vec::new();
    for node in &context.nodes {
        let expected = match node.kind {
            NodeKind::Bone => NodeFlags::BONE,
            NodeKind::Light => NodeFlags::LIGHT,
            NodeKind::EventObject => NodeFlags::EVENT_OBJECT,
            NodeKind::Attachment => NodeFlags::ATTACHMENT,
            NodeKind::ParticleEmitter | NodeKind::ParticleEmitter2 | NodeKind::PopcornEmitter => {
                NodeFlags::PARTICLE_EMITTER
            }
            NodeKind::CollisionShape => NodeFlags::COLLISION_SHAPE,
            NodeKind::RibbonEmitter => NodeFlags::RIBBON_EMITTER,
            NodeKind::Helper | NodeKind::HitTestShape => NodeFlags::new(0),
        };
        if node.raw_flags() & 0x7F00 != expected.get() {
            wrong.push(format!("{:?}", node.name()));
        }
    }
    if let Some(first) = wrong.first() {
        findings.file(match wrong.len() {
            1 => format!("the type flag of the node {first} does not match its chunk"),
            many => format!("the type flags of {many} nodes do not match their chunks; the first is {first}"),
        });
    }
}

fn bind_poses(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let (found, nodes) = (context.model.bind_poses().len(), context.nodes.len());
    let cameras = context.model.cameras().count();
    if found != 0 && ![nodes, nodes + 1, nodes + cameras].contains(&found) {
        findings.add(
            context.chunk("BPOS"),
            format!(
                "the model has {} for {} and {}",
                counted(found, "bind pose"),
                counted(nodes, "node"),
                counted(cameras, "camera")
            ),
        );
    }
}
