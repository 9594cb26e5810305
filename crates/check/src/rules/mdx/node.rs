//! Nodes: ids, parents, pivots.

use std::collections::{HashMap, HashSet};

use mdx::records::{BoneLinks, NodeFlags};
use mdx::view::NodeKind;
use record::Severity::{Error, Info, Warning};

use super::is_in;
use crate::context::{Findings, MdxContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use model::Games;

pub(crate) static RULES: &[Rule] = &[
    Rule::mdx(
        "MDX-NODE-001",
        Warning,
        ids,
        "HiveWE: error; evidence 2.2: 4,235 of 4,241 published files",
        "object ids are not 0 to n-1, each once",
        "Ids are indices of pivots and of bones. A gap or a duplicate gives nodes the pivot and the movement of others. Some published models have gaps, and \
         are shown: it is no error.",
    ),
    Rule::mdx(
        "MDX-NODE-002",
        Error,
        bones_first,
        "HiveWE, from the game's behaviour; evidence 2.2: 3,949 of 3,949 files",
        "bones do not own the first ids",
        "Vertices are drawn by the first bones only: those that hang on a bone behind other objects do not appear.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-NODE-003",
        Error,
        parents,
        "mdx-m3-viewer, HiveWE; evidence 2.2: none missing in 95,476",
        "a node's parent is not there, or is the node itself",
        "The game looks the parent up without asking; newer versions take the root instead.",
    ),
    Rule::mdx(
        "MDX-NODE-004",
        Error,
        cycles,
        "HiveWE: severe",
        "nodes are each other's parents",
        "Computing their places never ends: the game hangs.",
    ),
    Rule::mdx(
        "MDX-NODE-005",
        Warning,
        pivots,
        "mdx-m3-viewer, Retera; evidence 2.4: 4,213 of 4,241 files",
        "the number of pivots differs from that of the nodes",
        "Each node has a pivot by its id. A missing one is read from beyond the list; the repair adds pivots at the origin, as Retera's tool does.",
    )
    .repaired(Repair::mdx("adds missing pivots at the origin", fix::mdx_pivots)),
    Rule::mdx(
        "MDX-NODE-006",
        Warning,
        bone_links,
        "mdx-m3-viewer: error; errata 2.4: the game ignores the geoset animation",
        "a bone refers to a geoset or geoset animation that is not there",
        "Both only say to whom the bone belongs, and are left behind when a geoset is deleted. Tools that look them up without asking fail.",
    ),
    Rule::mdx(
        "MDX-NODE-007",
        Info,
        type_bits,
        "Retera: light not flagged as light; evidence 2.2: common in published files",
        "a node's type flag is not that of its chunk",
        "The game goes by the chunk. Some tools go by the flag and lose the node.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-NODE-008",
        Warning,
        bind_poses,
        "mdx-m3-viewer: nodes + 1; evidence 2.4: nodes + cameras in 61 of 61",
        "the number of bind poses differs from that of nodes and cameras",
        "Reforged has one matrix per node and one per camera.",
    )
    .only(Games::WC3),
];

fn ids(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let count = context.nodes.len();
    let mut seen = HashSet::new();
    for node in &context.nodes {
        let id = node.id();
        if !is_in(id, count) {
            findings.add(node.object, format!("id {id}, but there are {count} nodes"));
        } else if !seen.insert(id) {
            findings.add(node.object, format!("id {id} is there already"));
        }
    }
}

fn bones_first(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let bones = context.nodes.iter().filter(|node| node.kind == NodeKind::Bone).count();
    for node in context.nodes.iter().filter(|node| node.kind == NodeKind::Bone) {
        if !is_in(node.id(), bones) {
            return findings
                .add(node.object, format!("a bone has id {}, but there are {bones} bones", node.id()));
        }
    }
}

fn parents(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let there: HashSet<i32> = context.nodes.iter().map(|node| node.id()).collect();
    for node in &context.nodes {
        match node.parent() {
            Some(parent) if parent == node.id() => findings.add(node.object, "the node is its own parent"),
            Some(parent) if !there.contains(&parent) => {
                findings.add(node.object, format!("parent {parent} is not there"));
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
        let mut at = node.id();
        while !sound.contains(&at) && way.insert(at) {
            match parents.get(&at) {
                // Its own parent: another rule says so.
                Some(parent) if *parent != at => at = *parent,
                _ => break,
            }
        }
        let own = parents.get(&at).is_some_and(|parent| *parent != at);
        if own && way.contains(&at) && !sound.contains(&at) {
            findings.add(node.object, format!("following its parents leads back to node {at}"));
        }
        sound.extend(way);
    }
}

fn pivots(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let (found, nodes) = (context.model.pivots().len(), context.nodes.len());
    if found != nodes {
        findings.add(context.chunk("PIVT"), format!("{found} pivots for {nodes} nodes"));
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
                findings.add(node.object, format!("{what} {id} of {there}"));
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
        findings.file(format!(
            "{} nodes have another type flag than their chunk, {first} the first",
            wrong.len()
        ));
    }
}

fn bind_poses(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let (found, nodes) = (context.model.bind_poses().len(), context.nodes.len());
    let cameras = context.model.cameras().count();
    if found != 0 && ![nodes, nodes + 1, nodes + cameras].contains(&found) {
        findings.add(
            context.chunk("BPOS"),
            format!("{found} bind poses for {nodes} nodes and {cameras} cameras"),
        );
    }
}
