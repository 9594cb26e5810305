//! Attachment of vertices to bones.

use std::collections::HashMap;

use mdx::view::{Geoset, NodeKind};
use record::Severity::{Error, Info, Warning};

use crate::context::{Findings, MdxContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::words::{count, counted, thousands, verb};
use model::Games;

pub(crate) static RULES: &[Rule] = &[
    Rule::mdx(
        "MDX-SKIN-001",
        Error,
        vertex_groups,
        "HiveWE: is_valid; Magos",
        "vertices have no vertex group",
        "The game reads the group of each vertex from GNDX, and reads on beyond its end. Magos' editor cannot load the model.",
    ),
    Rule::mdx(
        "MDX-SKIN-002",
        Error,
        empty_group,
        "HiveWE; docs/formats/mdx/geosets.md#matrix-groups: division by zero; no published file",
        "a matrix group has no bones",
        "The game divides by the number of bones of a group.",
    ),
    Rule::mdx(
        "MDX-SKIN-003",
        Error,
        too_few_matrices,
        "HiveWE: is_valid; docs/formats/mdx/geosets.md#matrix-groups: no published file",
        "the matrix groups need more bones than MATS has",
        "The game reads beyond MATS.",
    ),
    Rule::mdx(
        "MDX-SKIN-004",
        Warning,
        missing_group,
        "mdx-m3-viewer: severe; docs/formats/mdx/geosets.md#matrix-groups: 5 geosets",
        "a vertex refers to a missing matrix group",
        "The vertex does not move, or moves to the origin.",
    ),
    Rule::mdx(
        "MDX-SKIN-005",
        Error,
        missing_bone,
        "mdx-m3-viewer: error; HiveWE",
        "a vertex is bound to a missing object",
        "The game uses memory beyond the list of objects. A model without any bone is drawn nevertheless: the game adds one.",
    ),
    Rule::mdx(
        "MDX-SKIN-006",
        Warning,
        not_a_bone,
        "mdx-m3-viewer: severe; Stan",
        "a vertex is bound to an object that is not a bone",
        "Only bones move vertices; the vertex does not follow.",
    ),
    Rule::mdx(
        "MDX-SKIN-007",
        Warning,
        weights,
        "mdx-m3-viewer: severe; docs/formats/mdx/geosets.md#skin-weights: 985,170 of 985,170 sum to 255",
        "skin weights do not add up to 255",
        "The vertex is pulled towards the origin or away from it. The repair scales the weights and adds the rounding error to the heaviest bone; a vertex without any weight is left alone.",
    )
    .repaired(Repair::mdx("makes weights add up to 255", fix::mdx_weights))
    .only(Games::WC3),
    Rule::mdx(
        "MDX-SKIN-008",
        Info,
        both,
        "mdx-m3-viewer; docs/formats/mdx/geosets.md#skin-weights: 712 of 1,113 HD geosets have one 0xFF per vertex",
        "a geoset has both skin weights and vertex groups",
        "Reforged uses the weights. The groups remain from a conversion.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-SKIN-009",
        Warning,
        many_groups,
        "Stan; docs/formats/mdx/geosets.md#matrix-groups: GNDX is a byte",
        "a geoset has more than 255 matrix groups",
        "Vertices name their group in one byte, so the later groups cannot be used.",
    ),
    Rule::mdx(
        "MDX-SKIN-010",
        Info,
        idle_bone,
        "mdx-m3-viewer, Stan",
        "a bone without vertices",
        "It could be a helper. Some bones only carry others.",
    ),
    Rule::mdx(
        "MDX-SKIN-011",
        Warning,
        skin_count,
        "docs/formats/mdx/geosets.md#skin-weights: 8 per vertex, always",
        "the number of skin weights differs from that of the vertices",
        "SKIN holds four bones and four weights for each vertex.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-SKIN-012",
        Warning,
        spare_groups,
        "HiveWE: is_valid; Magos",
        "there are more vertex groups than vertices",
        "Nothing reads the surplus, but Magos' editor cannot load the model.",
    ),
];

/// Whether vertices are moved by groups, not by weights.
fn is_grouped(geoset: &Geoset<'_>) -> bool {
    geoset.batch.is_none() && geoset.skin().is_empty() && geoset.wide_skin().is_empty()
}

fn vertex_groups(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| is_grouped(geoset)) {
        let (found, vertices) = (geoset.vertex_groups().len(), geoset.vertex_count());
        if found < vertices {
            let (groups, vertices) = (counted(found, "vertex group"), count(vertices, "vertex", "vertices"));
            findings.add(geoset.node, format!("the geoset has {groups} for {vertices}"));
        }
    }
}

fn spare_groups(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| is_grouped(geoset)) {
        let (found, vertices) = (geoset.vertex_groups().len(), geoset.vertex_count());
        if found > vertices {
            let (groups, vertices) = (counted(found, "vertex group"), count(vertices, "vertex", "vertices"));
            findings.add(geoset.node, format!("the geoset has {groups} for {vertices}"));
        }
    }
}

fn empty_group(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in &context.geosets {
        if let Some(at) = geoset.matrix_groups().iter().position(|count| count.get() == 0) {
            findings.add(geoset.node, format!("matrix group {at} has no bones"));
        }
    }
}

fn too_few_matrices(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in &context.geosets {
        let claimed: u64 = geoset.matrix_groups().iter().map(|count| u64::from(count.get())).sum();
        let there = geoset.matrices().len() as u64;
        if claimed > there {
            findings
                .add(geoset.node, format!("the matrix groups need {claimed} bones, but MATS has {there}"));
        }
    }
}

fn missing_group(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if !context.nodes.iter().any(|node| node.kind == NodeKind::Bone) {
        return;
    }
    for geoset in context.geosets.iter().filter(|geoset| is_grouped(geoset)) {
        let groups = geoset.matrix_groups().len();
        let count = geoset.vertex_groups().iter().filter(|group| usize::from(**group) >= groups).count();
        // Published models have no groups and all vertices in the first group: nothing moves.
        let none = groups == 0 && geoset.vertex_groups().iter().all(|group| *group == 0);
        if count > 0 && !none {
            let vertices = crate::words::count(count, "vertex", "vertices");
            let (refer, groups) = (verb(count, "refers", "refer"), counted(groups, "matrix group"));
            findings
                .add(geoset.node, format!("{vertices} {refer} to a group beyond the {groups} of the geoset"));
        } else if none && count > 0 {
            findings.add(geoset.node, "the geoset has no matrix groups: no vertex is bound to a bone");
        }
    }
}

/// The bones that have a weight.
fn weighted<T: Copy + Default + PartialOrd + Into<u32>>(
    bones: [T; 4],
    weights: [T; 4],
) -> impl Iterator<Item = u32> {
    let pairs = bones.into_iter().zip(weights);
    pairs.filter(|(_, weight)| *weight > T::default()).map(|(bone, _)| bone.into())
}

/// The objects that move vertices of a geoset, each once.
fn bones_of(geoset: &Geoset<'_>) -> Vec<u32> {
    let mut ids: Vec<u32> = Vec::new();
    if is_grouped(geoset) {
        let used: std::collections::HashSet<u8> = geoset.vertex_groups().iter().copied().collect();
        for (index, group) in geoset.groups().enumerate() {
            if u8::try_from(index).is_ok_and(|index| used.contains(&index)) {
                ids.extend(group.iter().map(|id| id.get()));
            }
        }
    }
    for vertex in geoset.skin() {
        ids.extend(weighted(vertex.bones, vertex.weights));
    }
    for vertex in geoset.wide_skin() {
        ids.extend(weighted(vertex.bones.map(|bone| bone.get()), vertex.weights.map(|weight| weight.get())));
    }
    for vertex in geoset.batch_vertices() {
        ids.extend(weighted(vertex.bones, vertex.weights));
    }
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn kinds(context: &MdxContext<'_>) -> HashMap<u32, NodeKind> {
    context.nodes.iter().filter_map(|node| Some((u32::try_from(node.id()).ok()?, node.kind))).collect()
}

/// The kind of an object, with its article.
const fn kind_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Bone => "a bone",
        NodeKind::Light => "a light",
        NodeKind::Helper => "a helper",
        NodeKind::Attachment => "an attachment",
        NodeKind::ParticleEmitter | NodeKind::ParticleEmitter2 => "a particle emitter",
        NodeKind::PopcornEmitter => "a popcorn emitter",
        NodeKind::RibbonEmitter => "a ribbon emitter",
        NodeKind::EventObject => "an event object",
        NodeKind::CollisionShape => "a collision shape",
        NodeKind::HitTestShape => "a hit test shape",
    }
}

fn missing_bone(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let kinds = kinds(context);
    // Without bones nothing moves, so the groups do not matter.
    if !kinds.values().any(|kind| *kind == NodeKind::Bone) {
        return;
    }
    for geoset in &context.geosets {
        if let Some(id) = bones_of(geoset).into_iter().find(|id| !kinds.contains_key(id)) {
            findings.add(geoset.node, format!("vertices are bound to object {id}, which does not exist"));
        }
    }
}

fn not_a_bone(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let kinds = kinds(context);
    for geoset in &context.geosets {
        for id in bones_of(geoset) {
            if let Some(kind) = kinds.get(&id).filter(|kind| **kind != NodeKind::Bone) {
                findings.add(
                    geoset.node,
                    format!("vertices are bound to object {id}, which is {}, not a bone", kind_name(*kind)),
                );
            }
        }
    }
}

fn weights(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in &context.geosets {
        let sums = geoset
            .skin()
            .iter()
            .map(|vertex| vertex.weights.iter().map(|weight| u32::from(*weight)).sum::<u32>());
        let wide = geoset
            .wide_skin()
            .iter()
            .map(|vertex| vertex.weights.iter().map(|weight| u32::from(weight.get())).sum());
        let bad: Vec<(usize, u32)> = sums.chain(wide).enumerate().filter(|(_, sum)| *sum != 255).collect();
        if let Some((first, sum)) = bad.first() {
            findings.add(
                geoset.node,
                match bad.len() {
                    1 => format!("the weights of vertex {first} add up to {sum}, not 255"),
                    many => format!(
                        "the weights of {} vertices do not add up to 255: those of vertex {first} add up to {sum}",
                        thousands(many)
                    ),
                },
            );
        }
    }
}

fn both(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in
        context.geosets.iter().filter(|geoset| !is_grouped(geoset) && !geoset.vertex_groups().is_empty())
    {
        findings.add(
            geoset.node,
            format!(
                "the geoset has {} in addition to its skin weights",
                counted(geoset.vertex_groups().len(), "vertex group")
            ),
        );
    }
}

fn many_groups(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| geoset.matrix_groups().len() > 255) {
        findings.add(
            geoset.node,
            format!(
                "the geoset has {} matrix groups; vertices can refer to 255",
                geoset.matrix_groups().len()
            ),
        );
    }
}

fn idle_bone(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let used: std::collections::HashSet<u32> = context.geosets.iter().flat_map(bones_of).collect();
    for node in context.nodes.iter().filter(|node| node.kind == NodeKind::Bone) {
        if !u32::try_from(node.id()).is_ok_and(|id| used.contains(&id)) {
            findings.add(node.object, "no vertex is bound to this bone");
        }
    }
}

fn skin_count(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| !is_grouped(geoset) && geoset.batch.is_none()) {
        let found = geoset.skin().len().max(geoset.wide_skin().len());
        if found != geoset.vertex_count() {
            let vertices = count(geoset.vertex_count(), "vertex", "vertices");
            findings
                .add(geoset.node, format!("the geoset has {} skin weights for {vertices}", thousands(found)));
        }
    }
}
