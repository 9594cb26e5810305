//! Geosets: counts, faces, bounds.

use std::collections::{HashMap, HashSet};

use mdx::records::{Extent, FaceType, LayerFlags};
use mdx::tags;
use mdx::view::Geoset;
use record::Severity::{Error, Hint, Info, Warning};
use record::Vec3;

use super::is_in;
use super::model::{is_empty, is_zero};
use crate::context::{Findings, MdxContext};
use crate::fix::{self, Repair};
use crate::rule::Rule;
use crate::rules::is_inside_out;
use crate::words::{count, counted, list, miscounted, out_of_range, share, thousands, vector, verb};
use model::{Game, Games};

pub(crate) static RULES: &[Rule] = &[
    Rule::mdx(
        "MDX-GEO-001",
        Error,
        material,
        "mdx-m3-viewer, HiveWE, Stan",
        "a geoset refers to a missing material",
        "The game uses memory beyond the list of materials and crashes.",
    ),
    Rule::mdx(
        "MDX-GEO-002",
        Warning,
        many_vertices,
        "mdx-m3-viewer: severe; docs/formats/mdx/geosets.md#vertices-and-faces: 7394 good, 7433 corrupt",
        "a classic geoset has too many vertices",
        "The classic renderer draws at most 7,432 vertices of a geoset; with more it draws garbage. Split the geoset. HD geosets have no such limit.",
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
        Info,
        sequence_extents,
        "mdx-m3-viewer, Magos, Stan",
        "geosets do not have one extent per sequence",
        "A geoset of version 800 normally has one extent per sequence. A third of the published geosets have none, fewer or more, and the game shows \
         them; Magos' editor cannot load them. One finding per file.",
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
        "HiveWE; docs/formats/mdx/geosets.md#vertices-and-faces: no published file",
        "a face refers to a missing vertex",
        "The game draws from memory beyond the vertices, or crashes.",
    ),
    Rule::mdx(
        "MDX-GEO-007",
        Warning,
        face_groups,
        "HiveWE: faces % 3; docs/formats/mdx/geosets.md#vertices-and-faces: always type 4, sums agree",
        "the faces are not whole triangles",
        "The game knows triangles only. The counts in PCNT must be multiples of three and add up to the indices in PVTX.",
    ),
    Rule::mdx(
        "MDX-GEO-008",
        Warning,
        bounds,
        "Stan: recompute extents",
        "a geoset's extent does not enclose its vertices",
        "Selection and culling use the extent. Reported only for models in which no node moves: otherwise extents are of the geoset in motion, and the \
         file does not show which ones are right. The repair computes it from the vertices.",
    )
    .repaired(Repair::mdx("computes extents of geosets", fix::mdx_extents)),
    Rule::mdx(
        "MDX-GEO-009",
        Hint,
        degenerate,
        "Stan: zero-area triangles, unused vertices",
        "triangles without area, or unused vertices",
        "They cost memory and are never visible.",
    ),
    Rule::mdx(
        "MDX-GEO-010",
        Hint,
        overlapping,
        "Stan: overlapping or duplicate triangles",
        "duplicate triangles",
        "Two triangles of a geoset have the same three corners and face the same way: both are drawn, and one of them is never visible.",
    ),
    Rule::mdx(
        "MDX-GEO-011",
        Hint,
        isolated,
        "Stan: isolated triangles",
        "isolated triangles",
        "None of their corners is shared with another triangle of the geoset. Often they remain after editing.",
    ),
    Rule::mdx(
        "MDX-GEO-012",
        Warning,
        normals,
        "GL and D3D lighting need a normal per vertex",
        "normals are missing or zero",
        "Without normals the geoset is unlit: black, or of the colour of whatever follows in memory. Compute them in an editor.",
    ),
    Rule::mdx(
        "MDX-GEO-013",
        Warning,
        winding,
        "docs/formats/mdx/geosets.md#vertices-and-faces: front faces are counter-clockwise",
        "triangles are wound the wrong way",
        "Most triangles of the geoset are clockwise as seen from the side of their normals: the game shows their backs only, so the model looks \
         inside out. Flip the faces, or the normals. Geosets with two-sided layers are not reported.",
    ),
    Rule::mdx(
        "MDX-GEO-014",
        Warning,
        far_outside,
        "docs/formats/mdx/model.md#extents: the game culls by extents",
        "vertices lie far outside the model's extent",
        "A vertex is further from the model's extent than ten times its size: a stray vertex, or an extent of another model. The model disappears \
         although parts of it are on the screen.",
    )
    .only(Games::WC3),
    Rule::mdx(
        "MDX-GEO-015",
        Warning,
        no_coordinates,
        "docs/formats/mdx/geosets.md#vertices-and-faces: at least one set in every published geoset",
        "a geoset has no texture coordinates",
        "Every layer takes a set of coordinates. Without one the texture is smeared over the geoset, or the game reads other memory. Unwrap the mesh.",
    ),
    Rule::mdx(
        "MDX-GEO-016",
        Warning,
        coordinate_set,
        "docs/formats/mdx/materials.md#layers: coord_id is the set of the geoset",
        "a layer uses a set of texture coordinates that a geoset lacks",
        "The game reads the coordinates from beyond the geoset's sets. Give the layer the set 0, or the geoset another set.",
    ),
];

fn no_coordinates(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| geoset.batch.is_none()) {
        if geoset.vertex_count() > 0 && geoset.coordinate_sets().next().is_none() {
            findings.add(geoset.node, "the geoset has no texture coordinates");
        }
    }
}

fn coordinate_set(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| geoset.batch.is_none()) {
        let sets = geoset.coordinate_sets().count();
        let id = geoset.material_id().and_then(|id| usize::try_from(id).ok());
        let Some(material) = id.and_then(|id| context.materials.get(id)).filter(|_| sets > 0) else {
            continue;
        };
        for (index, layer) in material.layers().enumerate() {
            // Coordinates of reflections are computed.
            let is_computed = layer.parts.header.flags.has(LayerFlags::SPHERE_ENV_MAP);
            let set = layer.parts.header.coord_id.get();
            if !is_computed && !is_in(set, sets) {
                let range = out_of_range("set of coordinates", set, "geoset", sets);
                findings.add(geoset.node, format!("layer {index} of its material: {range}"));
            }
        }
    }
}

fn material(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in &context.geosets {
        let Some(id) = geoset.material_id() else { continue };
        if !is_in(id, context.materials.len()) {
            let message = out_of_range("material", id, "model", context.materials.len());
            findings.add(geoset.node, message);
        }
    }
}

fn many_vertices(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in
        context.geosets.iter().filter(|geoset| geoset.vertex_count() >= 7433 && !context.is_hd(geoset))
    {
        let vertices = thousands(geoset.vertex_count());
        findings.add(geoset.node, format!("{vertices} vertices; the classic game draws at most 7,432"));
    }
}

fn no_faces(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in
        context.geosets.iter().filter(|geoset| geoset.faces().is_empty() || geoset.vertex_count() == 0)
    {
        findings.add(
            geoset.node,
            format!(
                "the geoset has {} and {}",
                count(geoset.vertex_count(), "vertex", "vertices"),
                count(geoset.faces().len() / 3, "triangle", "triangles")
            ),
        );
    }
}

fn sequence_extents(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if context.document.version != 800 {
        return;
    }
    let wrong = |geoset: &&Geoset<'_>| geoset.extents().len() != context.sequences.len();
    let mut wrong = context.geosets.iter().filter(wrong);
    if let Some(first) = wrong.next() {
        let extents = counted(first.extents().len(), "extent");
        let sequences = counted(context.sequences.len(), "sequence");
        let more = match wrong.count() {
            0 => String::new(),
            more => format!(" (and {} like it)", count(more, "geoset", "geosets")),
        };
        findings.add(first.node, format!("the geoset has {extents} for {sequences}{more}"));
    }
}

fn counts(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| geoset.batch.is_none()) {
        let vertices = geoset.vertex_count();
        let mut tell = |what: &str, found: usize| {
            if found != vertices {
                let vertices = count(vertices, "vertex", "vertices");
                findings
                    .add(geoset.node, format!("the geoset has {} {what} for {vertices}", thousands(found)));
            }
        };
        // Another rule reports missing ones.
        if !geoset.normals().is_empty() {
            tell("normals", geoset.normals().len());
        }
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
            findings.add(geoset.node, out_of_range("vertex", index, "geoset", vertices));
        }
    }
}

fn face_groups(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| geoset.batch.is_none()) {
        let groups: Vec<(FaceType, usize)> = geoset.face_groups().collect();
        let sum = groups.iter().fold(0, |sum: usize, (_, count)| sum.saturating_add(*count));
        if let Some((other, _)) = groups.iter().find(|(face_type, _)| *face_type != FaceType::TRIANGLES) {
            findings.add(
                geoset.node,
                format!("the faces have type {}; the game knows only type 4, triangles", other.get()),
            );
        } else if sum != geoset.faces().len() {
            let message = miscounted("PCNT", sum, geoset.faces().len(), ["index", "indices"]);
            findings.add(geoset.node, message);
        } else if let Some((_, odd)) = groups.iter().find(|(_, count)| count % 3 != 0) {
            let indices = count(*odd, "index", "indices");
            let are = verb(*odd, "is", "are");
            findings.add(geoset.node, format!("{indices} {are} not a multiple of 3"));
        }
    }
}

/// Whether an extent contains every vertex, within float precision.
fn encloses(extent: &Extent, vertices: &[Vec3]) -> bool {
    let (low, high) = (extent.minimum.get(), extent.maximum.get());
    let size = (0..3).map(|axis| low[axis].abs().max(high[axis].abs())).fold(1.0, f32::max);
    let slack = size * 1e-2;
    vertices.iter().all(|vertex| {
        let vertex = vertex.get();
        (0..3).all(|axis| vertex[axis] >= low[axis] - slack && vertex[axis] <= high[axis] + slack)
    })
}

/// Whether a node's track can move vertices from their positions.
pub(crate) fn moves(track: u32) -> bool {
    matches!(track, tags::KGTR | tags::KGRT | tags::KGSC)
}

/// Whether an extent is wrong although no vertex moves.
pub(crate) fn is_stale(extent: &Extent, vertices: &[Vec3]) -> bool {
    !vertices.is_empty() && !is_empty(extent) && !encloses(extent, vertices)
}

fn bounds(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    if context.tracks().iter().any(|track| moves(track.row.tag)) {
        return;
    }
    // Extents that were never computed are a separate finding.
    let is_zero_only = |geoset: &&Geoset<'_>| {
        geoset.extent().is_some_and(|extent| is_zero(&extent) && is_stale(&extent, geoset.positions()))
    };
    let mut zero = context.geosets.iter().filter(is_zero_only);
    if let Some(first) = zero.next() {
        let geosets = counted(1 + zero.count(), "geoset");
        findings.add(first.node, format!("the extents of {geosets} are all zero; they were never computed"));
    }
    for geoset in &context.geosets {
        let stale = |extent: &Extent| !is_zero(extent) && is_stale(extent, geoset.positions());
        if let Some(extent) = geoset.extent().filter(stale) {
            let (low, high) = (vector(extent.minimum.get()), vector(extent.maximum.get()));
            findings.add(geoset.node, format!("vertices lie outside the geoset's extent {low} to {high}"));
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
            let mut what = Vec::new();
            if flat > 0 {
                what.push(format!("{} without area", counted(flat, "triangle")));
            }
            if spare > 0 {
                what.push(count(spare, "unused vertex", "unused vertices"));
            }
            findings.add(geoset.node, format!("the geoset has {}", list(&what)));
        }
    }
}

fn is_flat(geoset: &Geoset<'_>, face: &[record::U16]) -> bool {
    let corner = |index: usize| geoset.position(face[index].get().into()).map(|corner| corner.map(f64::from));
    let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else { return false };
    let edge = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
    let (u, v) = (edge(b), edge(c));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    cross == [0.0; 3]
}

/// A position as a key for lookups; both zeros are equal.
type Spot = [u32; 3];

/// The corners of each triangle; triangles with out-of-range indices are skipped.
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
        // Starting at the smallest corner, equal order means the same triangle; the opposite order is its back.
        let begun = |[a, b, c]: [Spot; 3]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().min();
        let real = spots(geoset).into_iter().filter(|[a, b, c]| a != b && b != c && c != a);
        let twice = real.filter(|corners| !seen.insert(begun(*corners))).count();
        if twice > 0 {
            let (triangles, are) =
                (counted(twice, "triangle"), verb(twice, "is a duplicate", "are duplicates"));
            findings.add(geoset.node, format!("{triangles} {are} of another"));
        }
    }
}

fn isolated(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in &context.geosets {
        let triangles = spots(geoset);
        let mut used: HashMap<Spot, usize> = HashMap::new();
        for corners in &triangles {
            // A triangle without area has two equal corners, but is still a triangle.
            corners
                .iter()
                .collect::<HashSet<_>>()
                .into_iter()
                .for_each(|spot| *used.entry(*spot).or_default() += 1);
        }
        let alone = triangles.iter().filter(|corners| corners.iter().all(|spot| used[spot] == 1)).count();
        // A single triangle is a shape, not a remainder.
        if alone > 0 && triangles.len() > 1 {
            let (all, touch) = (thousands(triangles.len()), verb(alone, "touches", "touch"));
            findings.add(geoset.node, format!("{} of {all} triangles {touch} no other", thousands(alone)));
        }
    }
}

fn normals(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| geoset.batch.is_none() && geoset.vertex_count() > 0)
    {
        let normals = geoset.normals();
        if normals.is_empty() {
            findings.add(geoset.node, "the geoset has no normals");
            continue;
        }
        // A vertex of nothing but triangles without area is not seen.
        let mut is_seen = vec![false; normals.len()];
        for face in geoset.faces().chunks_exact(3) {
            let corners = [0, 1, 2].map(|index| usize::from(face[index].get()));
            if has_area(corners.map(|corner| geoset.position(corner).unwrap_or_default())) {
                for corner in corners {
                    if let Some(is_seen) = is_seen.get_mut(corner) {
                        *is_seen = true;
                    }
                }
            }
        }
        let zero =
            normals.iter().zip(is_seen).filter(|(normal, seen)| *seen && normal.get() == [0.0; 3]).count();
        if zero > 0 {
            findings.add(geoset.node, share(zero, normals.len(), "normal", "zero"));
        }
    }
}

/// Whether a triangle has an area.
fn has_area([a, b, c]: [[f32; 3]; 3]) -> bool {
    let edge = |to: [f32; 3]| [0, 1, 2].map(|axis| f64::from(to[axis]) - f64::from(a[axis]));
    let (u, v) = (edge(b), edge(c));
    let cross = [[1, 2], [2, 0], [0, 1]].map(|[next, last]| u[next] * v[last] - u[last] * v[next]);
    cross != [0.0; 3]
}

/// Whether every layer of a geoset's material shows both sides.
fn is_two_sided(context: &MdxContext<'_>, geoset: &Geoset<'_>) -> bool {
    let material = geoset.material_id().and_then(|id| context.materials.get(usize::try_from(id).ok()?));
    material.is_some_and(|material| {
        material.layers().any(|layer| layer.parts.header.flags.has(LayerFlags::TWO_SIDED))
    })
}

/// The number of triangles that face in the direction of their normals, and of those that face the other way.
fn facings(geoset: &Geoset<'_>) -> (usize, usize) {
    let (mut same, mut flipped) = (0, 0);
    for face in geoset.faces().chunks_exact(3) {
        let corners = [0, 1, 2].map(|index| usize::from(face[index].get()));
        let place = |index: usize| geoset.position(corners[index]).map(|it| it.map(f64::from));
        let normal = |index: usize| geoset.normal(corners[index]).map(|it| it.map(f64::from));
        let (Some(a), Some(b), Some(c)) = (place(0), place(1), place(2)) else { continue };
        let (Some(x), Some(y), Some(z)) = (normal(0), normal(1), normal(2)) else { continue };
        let edge = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
        let (u, v) = (edge(b), edge(c));
        let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let dot: f64 = (0..3).map(|axis| cross[axis] * (x[axis] + y[axis] + z[axis])).sum();
        same += usize::from(dot > 0.0);
        flipped += usize::from(dot < 0.0);
    }
    (same, flipped)
}

fn winding(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    for geoset in context.geosets.iter().filter(|geoset| !is_two_sided(context, geoset)) {
        let (same, flipped) = facings(geoset);
        if is_inside_out(same, flipped) {
            let (flipped, all) = (thousands(flipped), thousands(same + flipped));
            findings.add(geoset.node, format!("{flipped} of {all} triangles face away from their normals"));
        }
    }
}

fn far_outside(context: &MdxContext<'_>, findings: &mut Findings<'_>) {
    /// Maximum distance in sizes of the extent. Of 537 published geosets, the farthest vertex is 7.2 sizes away, the next
    /// 1.9.
    const FAR: f32 = 10.0;
    let Some(extent) = context.model.header().map(|header| header.extent) else { return };
    let (low, high) = (extent.minimum.get(), extent.maximum.get());
    let size = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f32::max);
    if is_empty(extent) || is_zero(extent) || !(size > 0.0 && size.is_finite()) {
        return;
    }
    for geoset in &context.geosets {
        let distance = |vertex: usize| {
            let place = geoset.position(vertex)?;
            let off = (0..3)
                .map(|axis| (low[axis] - place[axis]).max(place[axis] - high[axis]))
                .fold(0.0, f32::max);
            Some(off)
        };
        let mut far =
            (0..geoset.vertex_count()).filter(|vertex| distance(*vertex).is_some_and(|off| off > FAR * size));
        if let Some(first) = far.next() {
            let place = vector(geoset.position(first).unwrap_or_default());
            let more = match far.count() {
                0 => String::new(),
                more => format!(" (and {} more)", thousands(more)),
            };
            let (low, high) = (vector(low), vector(high));
            findings.add(
                geoset.node,
                format!(
                    "vertex {first} at {place} lies far outside the model's extent {low} to {high}{more}"
                ),
            );
        }
    }
}
