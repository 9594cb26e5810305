//! Geosets: counts, faces, bounds.

use std::collections::{HashMap, HashSet};

use mdx::records::{Extent, FaceType};
use mdx::tags;
use mdx::view::Geoset;
use record::Severity::{Error, Hint, Warning};
use record::Vec3;

use super::is_in;
use super::model::is_empty;
use crate::context::{Findings, MdxContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use model::{Game, Games};

pub(crate) static RULES: &[Rule] = &[
    Rule::mdx(
        "MDX-GEO-001",
        Error,
        material,
        "mdx-m3-viewer, HiveWE, Stan",
        "a geoset refers to a material that is not there",
        "The game uses memory beyond the list of materials and crashes.",
    ),
    Rule::mdx(
        "MDX-GEO-002",
        Warning,
        many_vertices,
        "mdx-m3-viewer: severe; errata 2.4: 7394 good, 7433 corrupt",
        "a classic geoset has 7433 vertices or more",
        "The classic renderer draws it as garbage. Split the geoset. HD geosets have no such limit.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-GEO-003",
        Warning,
        no_faces,
        "mdx-m3-viewer, Magos, Stan",
        "a geoset has no faces or no vertices",
        "It draws nothing, and Magos' editor cannot load it.",
    ),
    Rule::mdx(
        "MDX-GEO-004",
        Warning,
        sequence_extents,
        "mdx-m3-viewer, Magos, Stan",
        "the number of extents differs from that of the sequences",
        "A geoset of version 800 has one extent per sequence; Magos' editor cannot load other numbers.",
    )
    .only(Game::Wc3Classic.only()),
    Rule::mdx(
        "MDX-GEO-005",
        Warning,
        counts,
        "HiveWE: counts mismatch",
        "normals, coordinates or tangents are not one per vertex",
        "The game reads one of each per vertex: missing ones are taken from what follows.",
    ),
    Rule::mdx(
        "MDX-GEO-006",
        Error,
        face_index,
        "HiveWE; evidence 2.4: no published file",
        "a face refers to a vertex that is not there",
        "The game draws from memory beyond the vertices, or crashes.",
    ),
    Rule::mdx(
        "MDX-GEO-007",
        Warning,
        face_groups,
        "HiveWE: faces % 3; evidence 2.4: always type 4, sums agree",
        "the groups of faces are not whole triangles",
        "The game knows triangles only; PCNT must add up to PVTX, each a multiple of three.",
    ),
    Rule::mdx(
        "MDX-GEO-008",
        Warning,
        bounds,
        "Stan: recompute extents",
        "a geoset's extent does not enclose its vertices",
        "Selection and culling go by the extent. Only of models in which no node moves: where one does, extents are of the geoset in motion, and nothing of \
         the file says which ones are right. The repair computes it from the vertices.",
    )
    .repaired(Repair::mdx("computes extents of geosets", fix::mdx_extents)),
    Rule::mdx(
        "MDX-GEO-009",
        Hint,
        degenerate,
        "Stan: zero-area triangles, unused vertices",
        "triangles without area, or vertices that no face uses",
        "They cost memory and are never seen.",
    ),
    Rule::mdx(
        "MDX-GEO-010",
        Hint,
        overlapping,
        "Stan: overlapping or duplicate triangles",
        "triangles lie on each other",
        "Two triangles of a geoset have the same three corners and face the same way: both are drawn, and nothing is seen of one of them.",
    ),
    Rule::mdx(
        "MDX-GEO-011",
        Hint,
        isolated,
        "Stan: isolated triangles",
        "triangles that touch no other",
        "None of their corners lies at one of another triangle of the geoset. Often they are left over from editing.",
    ),
];

fn material(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in &context.geosets {
        let Some(id) = geoset.material_id() else { continue };
        if !is_in(id, context.materials.len()) {
            findings.add(geoset.node, format!("material {id} of {}", context.materials.len()));
        }
    }
}

fn many_vertices(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in
        context.geosets.iter().filter(|geoset| geoset.vertex_count() >= 7433 && !context.is_hd(geoset))
    {
        findings.add(geoset.node, format!("{} vertices", geoset.vertex_count()));
    }
}

fn no_faces(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in
        context.geosets.iter().filter(|geoset| geoset.faces().is_empty() || geoset.vertex_count() == 0)
    {
        findings.add(
            geoset.node,
            format!("{} vertices, {} indices", geoset.vertex_count(), geoset.faces().len()),
        );
    }
}

fn sequence_extents(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if context.document.version != 800 {
        return;
    }
    for geoset in context.geosets.iter().filter(|geoset| geoset.extents().len() != context.sequences.len()) {
        findings.add(
            geoset.node,
            format!("{} extents for {} sequences", geoset.extents().len(), context.sequences.len()),
        );
    }
}

fn counts(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| geoset.batch.is_none()) {
        let vertices = geoset.vertex_count();
        let mut tell = |what: &str, found: usize| {
            if found != vertices {
                findings.add(geoset.node, format!("{found} {what} for {vertices} vertices"));
            }
        };
        tell("normals", geoset.normals().len());
        geoset.coordinate_sets().for_each(|set| tell("texture coordinates", set.len()));
        if !geoset.tangents().is_empty() {
            tell("tangents", geoset.tangents().len());
        }
    }
}

fn face_index(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in &context.geosets {
        let vertices = geoset.vertex_count();
        if let Some(index) = geoset.faces().iter().find(|index| usize::from(index.get()) >= vertices) {
            findings.add(geoset.node, format!("index {index} of {vertices} vertices"));
        }
    }
}

fn face_groups(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| geoset.batch.is_none()) {
        let groups: Vec<(FaceType, usize)> = geoset.face_groups().collect();
        let sum = groups.iter().fold(0, |sum: usize, (_, count)| sum.saturating_add(*count));
        if let Some((other, _)) = groups.iter().find(|(face_type, _)| *face_type != FaceType::TRIANGLES) {
            findings.add(geoset.node, format!("faces of type {}", other.get()));
        } else if sum != geoset.faces().len() || groups.iter().any(|(_, count)| count % 3 != 0) {
            findings.add(
                geoset.node,
                format!("groups of {sum} indices in all, but there are {}", geoset.faces().len()),
            );
        }
    }
}

/// Whether an extent holds every vertex, as near as floats are.
fn encloses(extent: &Extent, vertices: &[Vec3]) -> bool {
    let (low, high) = (extent.minimum.get(), extent.maximum.get());
    let size = (0..3).map(|axis| low[axis].abs().max(high[axis].abs())).fold(1.0, f32::max);
    let slack = size * 1e-2;
    vertices.iter().all(|vertex| {
        let vertex = vertex.get();
        (0..3).all(|axis| vertex[axis] >= low[axis] - slack && vertex[axis] <= high[axis] + slack)
    })
}

/// Whether a node's track can move vertices away from where they lie.
pub(crate) fn moves(track: u32) -> bool {
    matches!(track, tags::KGTR | tags::KGRT | tags::KGSC)
}

/// Whether an extent is wrong where vertices stay where they lie.
pub(crate) fn is_stale(extent: &Extent, vertices: &[Vec3]) -> bool {
    !vertices.is_empty() && !is_empty(extent) && !encloses(extent, vertices)
}

fn bounds(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if context.tracks().iter().any(|track| moves(track.row.tag)) {
        return;
    }
    for geoset in &context.geosets {
        if geoset.extent().is_some_and(|extent| is_stale(&extent, geoset.positions())) {
            findings.add(geoset.node, "vertices lie outside the geoset's extent");
        }
    }
}

fn degenerate(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in &context.geosets {
        let flat = geoset.faces().chunks_exact(3).filter(|face| is_flat(geoset, face)).count();
        let mut used = vec![false; geoset.vertex_count()];
        for index in geoset.faces() {
            if let Some(used) = used.get_mut(usize::from(index.get())) {
                *used = true;
            }
        }
        let spare = used.iter().filter(|used| !**used).count();
        if flat + spare > 0 {
            findings.add(
                geoset.node,
                format!("{flat} triangles without area, {spare} vertices that no face uses"),
            );
        }
    }
}

fn is_flat(geoset: &Geoset<'_>, face: &[record::U16]) -> bool {
    let corner = |at: usize| geoset.position(face[at].get().into()).map(|corner| corner.map(f64::from));
    let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else { return false };
    let edge = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
    let (u, v) = (edge(b), edge(c));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    cross == [0.0; 3]
}

/// A place that can be looked up; both zeros are the same.
type Spot = [u32; 3];

/// Where the corners of each triangle lie; those that refer to no vertex are left out.
fn spots(geoset: &Geoset<'_>) -> Vec<[Spot; 3]> {
    let spot = |index: &record::U16| {
        geoset.position(index.get().into()).map(|place| place.map(|part| (part + 0.0).to_bits()))
    };
    let faces = geoset.faces().chunks_exact(3);
    faces.filter_map(|face| Some([spot(&face[0])?, spot(&face[1])?, spot(&face[2])?])).collect()
}

fn overlapping(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in &context.geosets {
        let mut seen = HashSet::new();
        // Begun at the least corner, the same way round is the same triangle; the other way round is its back.
        let begun = |[a, b, c]: [Spot; 3]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().min();
        let real = spots(geoset).into_iter().filter(|[a, b, c]| a != b && b != c && c != a);
        let count = real.filter(|corners| !seen.insert(begun(*corners))).count();
        if count > 0 {
            findings.add(geoset.node, format!("{count} triangles have the corners of another"));
        }
    }
}

fn isolated(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in &context.geosets {
        let triangles = spots(geoset);
        let mut used: HashMap<Spot, usize> = HashMap::new();
        for corners in &triangles {
            // A triangle without area has a corner twice, and still is one.
            corners
                .iter()
                .collect::<HashSet<_>>()
                .into_iter()
                .for_each(|spot| *used.entry(*spot).or_default() += 1);
        }
        let count = triangles.iter().filter(|corners| corners.iter().all(|spot| used[spot] == 1)).count();
        // One triangle alone is a shape, not a remainder.
        if count > 0 && triangles.len() > 1 {
            findings.add(geoset.node, format!("{count} of {} triangles touch no other", triangles.len()));
        }
    }
}
