//! Vertices and triangles of W3D meshes.

use record::{Node, U32};
use w3d::records::{MeshHeader3, Triangle};
use w3d::{Rule, table};

use super::{Selection, picked};
use crate::references::each;

/// What a list has an element for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Per {
    Vertex,
    Triangle,
}

/// What a list has elements for, and how large one is; `None` if it has none, or one for all.
fn per(node: &Node<'_>, vertices: usize, triangles: usize) -> Option<(Per, usize)> {
    let row = table::find(None, node.id).filter(|row| std::ptr::eq(&raw const row.kind, node.kind))?;
    let size = node.kind.slots.first().map(|slot| slot.item.size()).filter(|size| *size > 0)?;
    let count = node.bytes().len() / size;
    match row.rule {
        Rule::PerVertex => Some((Per::Vertex, size)),
        Rule::PerTriangle => Some((Per::Triangle, size)),
        Rule::OneOrPerVertex if count != 1 || vertices == 1 => Some((Per::Vertex, size)),
        Rule::OneOrPerTriangle if count != 1 || triangles == 1 => Some((Per::Triangle, size)),
        _ => None,
    }
}

/// The number of vertices and triangles of a mesh whose lists fit together; `None` for meshes of old versions, damaged ones, and those
/// with data that refers to vertices in other ways.
pub(crate) fn counts(mesh: &Node<'_>) -> Option<(usize, usize)> {
    mesh.child(&table::MESH_HEADER3)?.value::<MeshHeader3>()?;
    let (vertices, triangles) = (mesh.get(table::VERTICES).len(), mesh.get(table::TRIANGLES).len());
    let mut is_whole = mesh.is(&table::MESH) && vertices > 0;
    mesh.walk(&mut |place| {
        let node = place.node;
        let other = [table::DEFORM.kind, table::PER_FACE_TEXCOORD_IDS.kind, table::DAMAGE.kind];
        is_whole &=
            node.size_delta == 0 && !node.is(&table::UNKNOWN) && !other.iter().any(|kind| node.is(kind));
        let count = match per(node, vertices, triangles) {
            Some((Per::Vertex, size)) => Some((size, vertices)),
            Some((Per::Triangle, size)) => Some((size, triangles)),
            None => None,
        };
        is_whole &= count.is_none_or(|(size, count)| node.bytes().len() == size * count);
    });
    is_whole &= corners(mesh).iter().flatten().all(|corner| *corner < vertices);
    is_whole &= shades(mesh).iter().all(|shade| shade.get() < u32::try_from(vertices).unwrap_or(u32::MAX));
    is_whole.then_some((vertices, triangles))
}

/// The corners of each triangle.
pub(crate) fn corners(mesh: &Node<'_>) -> Vec<[usize; 3]> {
    let corners = |triangle: &Triangle| {
        triangle.vindex.map(|corner| usize::try_from(corner.get()).unwrap_or(usize::MAX))
    };
    mesh.get(table::TRIANGLES).iter().map(corners).collect()
}

/// The vertex that each vertex shares its normal with.
fn shades<'n>(mesh: &'n Node<'_>) -> &'n [U32] {
    mesh.get(table::VERTEX_SHADE_INDICES)
}

/// The vertices that triangles use, each bitwise different one once. Vertices that others share their normals with count as used.
pub(crate) fn welded(mesh: &Node<'_>) -> Option<Selection> {
    let (vertices, triangles) = counts(mesh)?;
    let mut lists: Vec<(usize, &[u8])> = Vec::new();
    fn collect<'n>(
        node: &'n Node<'_>,
        vertices: usize,
        triangles: usize,
        lists: &mut Vec<(usize, &'n [u8])>,
    ) {
        if let Some((Per::Vertex, size)) = per(node, vertices, triangles)
            && !node.is(&table::VERTEX_SHADE_INDICES)
        {
            lists.push((size, node.bytes()));
        }
        node.children().iter().for_each(|child| collect(child, vertices, triangles, lists));
    }
    collect(mesh, vertices, triangles, &mut lists);
    let mut used = vec![false; vertices];
    corners(mesh).iter().flatten().for_each(|corner| used[*corner] = true);
    for (vertex, shade) in shades(mesh).iter().enumerate() {
        if let Ok(shade) = usize::try_from(shade.get())
            && used[vertex]
        {
            used[shade] = true;
        }
    }
    let key = |vertex: usize| {
        let mut key = Vec::with_capacity(64);
        for (size, bytes) in &lists {
            key.extend_from_slice(&bytes[vertex * size..(vertex + 1) * size]);
        }
        key
    };
    Some(Selection::new(&used, key))
}

/// Keeps chosen vertices and triangles of a mesh whose lists fit together. A collision tree must be made again if triangles are gone.
pub(crate) fn keep(mesh: &mut Node<'_>, selection: &Selection, kept: Option<&[usize]>) {
    let Some((vertices, triangles)) = counts(mesh) else { return };
    each(mesh, &mut |node| {
        let (sources, size) = match per(node, vertices, triangles) {
            Some((Per::Vertex, size)) => (Some(&selection.sources[..]), size),
            Some((Per::Triangle, size)) => (kept, size),
            None => (None, 0),
        };
        if let Some(sources) = sources
            && let Some(bytes) = node.bytes_mut()
        {
            *bytes = picked(bytes, size, sources);
        }
    });
    let number = |old: U32| {
        let new = usize::try_from(old.get()).ok().and_then(|old| selection.number(old));
        U32::new(new.unwrap_or_default())
    };
    for triangle in mesh.get_mut(table::TRIANGLES) {
        triangle.vindex = triangle.vindex.map(number);
    }
    for shade in mesh.get_mut(table::VERTEX_SHADE_INDICES) {
        *shade = number(*shade);
    }
    let count = |count: usize| U32::new(u32::try_from(count).unwrap_or_default());
    if let Some(header) = mesh.get_mut(table::MESH_HEADER3) {
        header.num_vertices = count(selection.sources.len());
        header.num_tris = count(kept.map_or(triangles, <[usize]>::len));
    }
}

/// Whether a chunk has an element for each vertex or triangle.
pub(crate) fn is_list(node: &Node<'_>) -> bool {
    // The counts matter only for lists that may have one element for all.
    per(node, usize::MAX, usize::MAX).is_some()
}

/// Appends the vertices and triangles of a mesh to another one that has the same lists; `None` if they differ.
pub(crate) fn append(mesh: &mut Node<'_>, more: &Node<'_>) -> Option<()> {
    let ((vertices, triangles), (added, more_triangles)) = (counts(mesh)?, counts(more)?);
    fn lists(node: &Node<'_>, counts: (usize, usize), found: &mut Vec<(u32, Vec<u8>)>) {
        if per(node, counts.0, counts.1).is_some() {
            found.push((node.id, node.bytes().to_vec()));
        }
        node.children().iter().for_each(|child| lists(child, counts, found));
    }
    let (mut own, mut theirs) = (Vec::new(), Vec::new());
    lists(mesh, (vertices, triangles), &mut own);
    lists(more, (added, more_triangles), &mut theirs);
    let ids = |lists: &[(u32, Vec<u8>)]| lists.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    let offset = u32::try_from(vertices).ok()?;
    if ids(&own) != ids(&theirs) || u32::try_from(vertices + added).is_err() {
        return None;
    }
    let mut next = theirs.into_iter();
    each(mesh, &mut |node| {
        if per(node, vertices, triangles).is_some()
            && let Some((_, bytes)) = next.next()
        {
            node.bytes_mut().into_iter().for_each(|own| own.extend_from_slice(&bytes));
        }
    });
    let moved = |index: U32| U32::new(index.get().saturating_add(offset));
    for triangle in mesh.get_mut(table::TRIANGLES).iter_mut().skip(triangles) {
        triangle.vindex = triangle.vindex.map(moved);
    }
    for shade in mesh.get_mut(table::VERTEX_SHADE_INDICES).iter_mut().skip(vertices) {
        *shade = moved(*shade);
    }
    let count = |count: usize| U32::new(u32::try_from(count).unwrap_or_default());
    if let Some(header) = mesh.get_mut(table::MESH_HEADER3) {
        header.num_vertices = count(vertices + added);
        header.num_tris = count(triangles + more_triangles);
    }
    Some(())
}
