//! How vertices hang on bones.

use std::collections::HashMap;

use mdx::view::{Geoset, NodeKind};
use record::Severity::{Error, Info, Warning};

use crate::context::{Findings, MdxContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use model::Games;

pub(crate) static RULES: &[Rule] = &[
    Rule::mdx(
        "MDX-SKIN-001",
        Error,
        vertex_groups,
        "HiveWE: is_valid; Magos",
        "there are fewer vertex groups than vertices",
        "The game reads the group of each vertex from GNDX, and for those that have none from what follows. Magos' editor cannot load the model.",
    ),
    Rule::mdx(
        "MDX-SKIN-002",
        Error,
        empty_group,
        "HiveWE; errata 2.4: division by zero; evidence 2.4: no published file",
        "a matrix group has no bones",
        "The game divides by the number of bones of a group.",
    ),
    Rule::mdx(
        "MDX-SKIN-003",
        Error,
        too_few_matrices,
        "HiveWE: is_valid; evidence 2.4: no published file",
        "the matrix groups claim more bones than there are",
        "The game reads beyond MATS.",
    ),
    Rule::mdx(
        "MDX-SKIN-004",
        Warning,
        missing_group,
        "mdx-m3-viewer: severe; evidence 2.4: 5 geosets",
        "a vertex hangs on a group that is not there",
        "The vertex stays where it is, or flies to the origin.",
    ),
    Rule::mdx(
        "MDX-SKIN-005",
        Error,
        missing_bone,
        "mdx-m3-viewer: error; HiveWE",
        "a vertex hangs on an object that is not there",
        "The game uses memory beyond the list of objects. A model without any bone is drawn all the same: the game makes one.",
    ),
    Rule::mdx(
        "MDX-SKIN-006",
        Warning,
        not_a_bone,
        "mdx-m3-viewer: severe; Stan",
        "a vertex hangs on an object that is no bone",
        "Only bones move vertices; the vertex does not follow.",
    ),
    Rule::mdx(
        "MDX-SKIN-007",
        Warning,
        weights,
        "mdx-m3-viewer: severe; evidence 2.4: 985,170 of 985,170 sum to 255",
        "weights do not add up to 255",
        "The vertex is pulled towards the origin or away from it. The repair scales the weights and gives what rounding leaves to the heaviest bone; a vertex without any weight stays as it is.",
    )
    .repaired(Repair::mdx("makes weights add up to 255", fix::mdx_weights))
    .only(Games::WC3),
    Rule::mdx(
        "MDX-SKIN-008",
        Info,
        both,
        "mdx-m3-viewer; evidence 2.4: 712 of 1,113 HD geosets have one 0xFF per vertex",
        "a geoset has both skin weights and vertex groups",
        "Reforged uses the weights. The groups are left over from a conversion.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-SKIN-009",
        Warning,
        many_groups,
        "Stan; errata 2.4: GNDX is a byte",
        "a geoset has more than 255 matrix groups",
        "Vertices name their group in one byte, so the later groups cannot be used.",
    ),
    Rule::mdx(
        "MDX-SKIN-010",
        Info,
        idle_bone,
        "mdx-m3-viewer, Stan",
        "no vertex hangs on a bone",
        "It could be a helper. Some bones are only there to carry others.",
    ),
    Rule::mdx(
        "MDX-SKIN-011",
        Warning,
        skin_count,
        "evidence 2.4: 8 per vertex, always",
        "skin weights are not one set per vertex",
        "SKIN holds four bones and four weights for each vertex.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-SKIN-012",
        Warning,
        spare_groups,
        "HiveWE: is_valid; Magos",
        "there are more vertex groups than vertices",
        "Nothing reads those that are left over, but Magos' editor cannot load the model.",
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
            findings.add(geoset.node, format!("{found} vertex groups for {vertices} vertices"));
        }
    }
}

fn spare_groups(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| is_grouped(geoset)) {
        let (found, vertices) = (geoset.vertex_groups().len(), geoset.vertex_count());
        if found > vertices {
            findings.add(geoset.node, format!("{found} vertex groups for {vertices} vertices"));
        }
    }
}

fn empty_group(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in &context.geosets {
        if let Some(at) = geoset.matrix_groups().iter().position(|count| count.get() == 0) {
            findings.add(geoset.node, format!("matrix group {at} is empty"));
        }
    }
}

fn too_few_matrices(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in &context.geosets {
        let claimed: u64 = geoset.matrix_groups().iter().map(|count| u64::from(count.get())).sum();
        let there = geoset.matrices().len() as u64;
        if claimed > there {
            findings.add(geoset.node, format!("the groups claim {claimed} bones of {there}"));
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
        // No groups and all vertices in the first: published models have it, and nothing moves.
        let none = groups == 0 && geoset.vertex_groups().iter().all(|group| *group == 0);
        if count > 0 && !none {
            findings
                .add(geoset.node, format!("{count} vertices hang on groups beyond the {groups} there are"));
        } else if none && count > 0 {
            findings.add(geoset.node, "no vertex hangs on any bone: there are no matrix groups");
        }
    }
}

/// The objects that vertices of a geoset hang on, each once.
fn bones_of(geoset: &Geoset<'_>) -> Vec<u32> {
    let mut ids: Vec<u32> = Vec::new();
    if is_grouped(geoset) {
        let used: std::collections::HashSet<u8> = geoset.vertex_groups().iter().copied().collect();
        for (at, group) in geoset.groups().enumerate() {
            if u8::try_from(at).is_ok_and(|at| used.contains(&at)) {
                ids.extend(group.iter().map(|id| id.get()));
            }
        }
    }
    for vertex in geoset.skin() {
        ids.extend(
            vertex
                .bones
                .iter()
                .zip(vertex.weights)
                .filter(|(_, weight)| *weight > 0)
                .map(|(bone, _)| u32::from(*bone)),
        );
    }
    for vertex in geoset.wide_skin() {
        let weighted = vertex.bones.iter().zip(vertex.weights).filter(|(_, weight)| weight.get() > 0);
        ids.extend(weighted.map(|(bone, _)| u32::from(bone.get())));
    }
    for vertex in geoset.batch_vertices() {
        ids.extend(
            vertex
                .bones
                .iter()
                .zip(vertex.weights)
                .filter(|(_, weight)| *weight > 0)
                .map(|(bone, _)| u32::from(*bone)),
        );
    }
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn kinds(context: &MdxContext<'_>) -> HashMap<u32, NodeKind> {
    context.nodes.iter().filter_map(|node| Some((u32::try_from(node.id()).ok()?, node.kind))).collect()
}

fn missing_bone(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let kinds = kinds(context);
    // A model without bones moves nothing, whatever its groups say.
    if !kinds.values().any(|kind| *kind == NodeKind::Bone) {
        return;
    }
    for geoset in &context.geosets {
        if let Some(id) = bones_of(geoset).into_iter().find(|id| !kinds.contains_key(id)) {
            findings.add(geoset.node, format!("vertices hang on object {id}, which is not there"));
        }
    }
}

fn not_a_bone(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let kinds = kinds(context);
    for geoset in &context.geosets {
        for id in bones_of(geoset) {
            if let Some(kind) = kinds.get(&id).filter(|kind| **kind != NodeKind::Bone) {
                findings.add(geoset.node, format!("vertices hang on object {id}, which is a {kind:?}"));
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
                format!(
                    "the weights of {} vertices are wrong: those of vertex {first} add up to {sum}",
                    bad.len()
                ),
            );
        }
    }
}

fn both(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in
        context.geosets.iter().filter(|geoset| !is_grouped(geoset) && !geoset.vertex_groups().is_empty())
    {
        findings.add(geoset.node, format!("{} vertex groups beside the skin", geoset.vertex_groups().len()));
    }
}

fn many_groups(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| geoset.matrix_groups().len() > 255) {
        findings.add(geoset.node, format!("{} matrix groups", geoset.matrix_groups().len()));
    }
}

fn idle_bone(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    let used: std::collections::HashSet<u32> = context.geosets.iter().flat_map(bones_of).collect();
    for node in context.nodes.iter().filter(|node| node.kind == NodeKind::Bone) {
        if !u32::try_from(node.id()).is_ok_and(|id| used.contains(&id)) {
            findings.add(node.object, "no vertex hangs on this bone");
        }
    }
}

fn skin_count(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| !is_grouped(geoset) && geoset.batch.is_none()) {
        let found = geoset.skin().len().max(geoset.wide_skin().len());
        if found != geoset.vertex_count() {
            findings
                .add(geoset.node, format!("{found} sets of weights for {} vertices", geoset.vertex_count()));
        }
    }
}
