//! Vertices of geosets.

use std::collections::HashMap;

use mdx::kinds;
use mdx::records::{Extent, FaceType};
use mdx::view::Geoset;
use record::{F32, Kind, Node, U16, U32, Vec3};

use super::{Selection, picked};
use crate::Error;
use crate::references::each;

/// The most vertices of a geoset that the classic game draws.
pub(crate) const MAX_VERTICES: usize = 7432;

/// The most matrix groups that a vertex can refer to.
const MAX_GROUPS: usize = 256;

/// Bytes per vertex of a list; `None` if a node has nothing for each vertex.
fn stride(node: &Node<'_>) -> Option<usize> {
    let sizes: [(&Kind, usize); 9] = [
        (kinds::VRTX.kind, 12),
        (kinds::NRMS.kind, 12),
        (kinds::GNDX.kind, 1),
        (kinds::TANG.kind, 16),
        (kinds::SKIN.kind, 8),
        (kinds::WIDE_SKIN.kind, 16),
        (kinds::UVBS.kind, 8),
        (kinds::BIDX.kind, 4),
        (kinds::BWGT.kind, 4),
    ];
    sizes.iter().find(|(kind, _)| node.is(kind)).map(|(_, size)| *size)
}

/// Bytes per vertex, and the bytes of all.
type List<'n> = (usize, &'n [u8]);

/// The lists of a geoset that have something for each vertex: bytes per vertex, and the bytes. `None` if one of them has another length
/// than the list of positions, or if an index of a face does not exist, so that nobody knows what belongs to what.
fn lists<'n>(geoset: &'n Node<'_>) -> Option<(usize, Vec<List<'n>>)> {
    let count = geoset.get(kinds::VRTX).len();
    let mut lists = Vec::new();
    let mut is_whole = count > 0 && geoset.is(&kinds::GEOSET);
    geoset.walk(&mut |place| {
        is_whole &= place.node.size_delta == 0;
    });
    fn collect<'n>(node: &'n Node<'_>, lists: &mut Vec<List<'n>>) {
        if let Some(size) = stride(node) {
            lists.push((size, node.bytes()));
        }
        node.children().iter().for_each(|child| collect(child, lists));
    }
    collect(geoset, &mut lists);
    is_whole &= lists.iter().all(|(size, bytes)| bytes.len() == count * size);
    is_whole &= geoset.get(kinds::PVTX).iter().all(|index| usize::from(index.get()) < count);
    is_whole.then_some((count, lists))
}

/// The vertices that faces use, each bitwise different one once.
pub(crate) fn welded(geoset: &Node<'_>) -> Option<Selection> {
    let (count, lists) = lists(geoset)?;
    let mut used = vec![false; count];
    geoset.get(kinds::PVTX).iter().for_each(|index| used[usize::from(index.get())] = true);
    let key = |vertex: usize| {
        let mut key = Vec::with_capacity(64);
        for (size, bytes) in &lists {
            key.extend_from_slice(&bytes[vertex * size..(vertex + 1) * size]);
        }
        key
    };
    Some(Selection::new(&used, key))
}

/// Replaces the vertices of a geoset whose lists fit together. Faces are not changed.
fn replace_vertices(geoset: &mut Node<'_>, sources: &[usize]) {
    each(geoset, &mut |node| {
        if let Some(size) = stride(node)
            && let Some(bytes) = node.bytes_mut()
        {
            *bytes = picked(bytes, size, sources);
        }
    });
}

/// Keeps chosen vertices, and gives faces their new numbers. All vertices that faces use must be chosen.
pub(crate) fn keep_vertices(geoset: &mut Node<'_>, selection: &Selection) {
    replace_vertices(geoset, &selection.sources);
    for index in geoset.get_mut(kinds::PVTX) {
        let new = selection.number(usize::from(index.get())).and_then(|new| u16::try_from(new).ok());
        *index = U16::new(new.unwrap_or(index.get()));
    }
}

/// The triangles of a geoset whose lists fit together and that has only triangles.
pub(crate) fn triangles(geoset: &Node<'_>) -> Option<Vec<[usize; 3]>> {
    lists(geoset)?;
    let view = Geoset::new(geoset)?;
    if view.face_groups().any(|(kind, _)| kind != FaceType::TRIANGLES) {
        return None;
    }
    let faces = view.faces().as_chunks::<3>().0;
    Some(faces.iter().map(|corners| corners.map(|corner| usize::from(corner.get()))).collect())
}

/// A geoset with some of the triangles of another one, which has only triangles, and with the vertices and matrix groups that they need.
pub(crate) fn part<'a>(geoset: &Node<'a>, triangles: &[[usize; 3]]) -> Node<'a> {
    let mut part = geoset.clone();
    let mut used = vec![false; geoset.get(kinds::VRTX).len()];
    triangles.iter().flatten().for_each(|corner| used[*corner] = true);
    let selection = Selection::new(&used, |vertex| vertex);
    replace_vertices(&mut part, &selection.sources);
    let number = |corner: &usize| U16::new(selection.number(*corner).unwrap_or_default() as u16);
    let faces: Vec<U16> = triangles.iter().flatten().map(number).collect();
    set_faces(&mut part, vec![(FaceType::TRIANGLES, faces.len())], &faces);
    drop_unused_groups(&mut part);
    part
}

fn set_faces(geoset: &mut Node<'_>, groups: Vec<(FaceType, usize)>, faces: &[U16]) {
    let kinds_of: Vec<FaceType> = groups.iter().map(|(kind, _)| *kind).collect();
    let counts: Vec<U32> =
        groups.iter().map(|(_, count)| U32::new(u32::try_from(*count).unwrap_or_default())).collect();
    for child in geoset.children_mut().into_iter().flatten() {
        if child.is(&kinds::PTYP) {
            child.set_values(&kinds_of);
        } else if child.is(&kinds::PCNT) {
            child.set_values(&counts);
        } else if child.is(&kinds::PVTX) {
            child.set_values(faces);
        }
    }
}

/// Removes matrix groups that no vertex uses. At least one stays.
fn drop_unused_groups(geoset: &mut Node<'_>) {
    let groups: Vec<Vec<U32>> = match Geoset::new(geoset) {
        Some(view) => view.groups().map(<[U32]>::to_vec).collect(),
        None => return,
    };
    let mut used = vec![false; groups.len()];
    for group in geoset.get(kinds::GNDX) {
        if let Some(used) = used.get_mut(usize::from(*group)) {
            *used = true;
        }
    }
    if !used.contains(&true) || !used.contains(&false) {
        return;
    }
    let numbers = crate::references::renumbering(&used);
    for group in geoset.get_mut(kinds::GNDX) {
        let new = numbers.get(usize::from(*group)).copied().flatten();
        *group = new.and_then(|new| u8::try_from(new).ok()).unwrap_or(*group);
    }
    let kept: Vec<Vec<U32>> =
        groups.into_iter().zip(&used).filter(|(_, used)| **used).map(|(group, _)| group).collect();
    set_groups(geoset, &kept);
}

fn set_groups(geoset: &mut Node<'_>, groups: &[Vec<U32>]) {
    let counts: Vec<U32> =
        groups.iter().map(|group| U32::new(u32::try_from(group.len()).unwrap_or_default())).collect();
    for child in geoset.children_mut().into_iter().flatten() {
        if child.is(&kinds::MTGC) {
            child.set_values(&counts);
        } else if child.is(&kinds::MATS) {
            child.set_values(&groups.concat());
        }
    }
}

/// Appends the vertices and faces of one geoset to another one. Fails if they do not fit together.
pub(crate) fn append(geoset: &mut Node<'_>, more: &Node<'_>) -> Result<(), Error> {
    let damaged = || Error::new("the lists of a geoset have different lengths").with_note("repair it first");
    let (count, own) = lists(geoset).ok_or_else(damaged)?;
    let (added, theirs) = lists(more).ok_or_else(damaged)?;
    let layout = |lists: &[(usize, &[u8])]| lists.iter().map(|(size, _)| *size).collect::<Vec<_>>();
    if layout(&own) != layout(&theirs) {
        return Err(Error::new("the geosets have different data for each vertex"));
    }
    // Geosets of high definition, which have bones and weights for each vertex, may have more.
    let is_classic = geoset.child(&kinds::SKIN).is_none() && geoset.child(kinds::WIDE_SKIN.row).is_none();
    let most = if is_classic { MAX_VERTICES } else { usize::from(u16::MAX) };
    if count + added > most {
        return Err(Error::new(format!("together they have {} vertices; at most {most} fit", count + added)));
    }
    let (Some(view), Some(other)) = (Geoset::new(geoset), Geoset::new(more)) else { return Err(damaged()) };
    let mut groups: Vec<Vec<U32>> = view.groups().map(<[U32]>::to_vec).collect();
    let mut known: HashMap<Vec<U32>, usize> =
        groups.iter().enumerate().rev().map(|(index, group)| (group.clone(), index)).collect();
    let mut numbers = Vec::new();
    for group in other.groups() {
        let number = *known.entry(group.to_vec()).or_insert_with(|| {
            groups.push(group.to_vec());
            groups.len() - 1
        });
        numbers.push(number);
    }
    if groups.len() > MAX_GROUPS {
        return Err(Error::new(format!(
            "together they have {} matrix groups; at most {MAX_GROUPS} fit",
            groups.len()
        )));
    }
    let mut faces = view.faces().to_vec();
    let offset = u16::try_from(count).map_err(|_| damaged())?;
    faces.extend(other.faces().iter().map(|index| U16::new(index.get().saturating_add(offset))));
    let mut kinds_of: Vec<(FaceType, usize)> = view.face_groups().collect();
    for (kind, count) in other.face_groups() {
        match kinds_of.last_mut() {
            Some(last) if last.0 == kind && kind == FaceType::TRIANGLES => last.1 += count,
            _ => kinds_of.push((kind, count)),
        }
    }
    let theirs: Vec<Vec<u8>> = theirs.into_iter().map(|(_, bytes)| bytes.to_vec()).collect();
    let has_groups = !groups.is_empty();
    let mut next = theirs.into_iter();
    each(geoset, &mut |node| {
        if stride(node).is_none() {
            return;
        }
        let Some(mut bytes) = next.next() else { return };
        if node.is(&kinds::GNDX) && has_groups {
            for group in &mut bytes {
                let new = numbers.get(usize::from(*group)).copied().unwrap_or(usize::from(*group));
                *group = u8::try_from(new).unwrap_or(*group);
            }
        }
        node.bytes_mut().into_iter().for_each(|own| own.extend_from_slice(&bytes));
    });
    set_faces(geoset, kinds_of, &faces);
    if has_groups {
        set_groups(geoset, &groups);
    }
    join_extents(geoset, more);
    Ok(())
}

fn join_extents(geoset: &mut Node<'_>, more: &Node<'_>) {
    if let Some(other) = more.get(kinds::GEOSET_BOUNDS).map(|bounds| bounds.extent)
        && let Some(bounds) = geoset.get_mut(kinds::GEOSET_BOUNDS)
    {
        bounds.extent = joined(bounds.extent, other);
    }
    let theirs = more.get(kinds::EXTENTS);
    for (own, other) in geoset.get_mut(kinds::EXTENTS).iter_mut().zip(theirs) {
        *own = joined(*own, *other);
    }
}

/// The extent of two things together.
fn joined(one: Extent, other: Extent) -> Extent {
    let corner = |a: Vec3, b: Vec3, pick: fn(f32, f32) -> f32| {
        let (a, b) = (a.get(), b.get());
        [0, 1, 2].map(|axis| pick(a[axis], b[axis]))
    };
    let (low, high) =
        (corner(one.minimum, other.minimum, f32::min), corner(one.maximum, other.maximum, f32::max));
    let across = [0, 1, 2].map(|axis| (high[axis] - low[axis]).powi(2)).iter().sum::<f32>().sqrt() / 2.0;
    let radius = across.max(one.radius.get()).max(other.radius.get());
    Extent { radius: F32::new(radius), minimum: Vec3::from(low), maximum: Vec3::from(high) }
}

/// What makes two geosets one as far as drawing is concerned: material, selection, flags, level of detail.
pub(crate) fn appearance(geoset: &Node<'_>) -> Option<Vec<u8>> {
    let mut key = Vec::new();
    for child in geoset.children() {
        if child.is(&kinds::GEOSET_HEADER) || child.is(&kinds::GEOSET_LEVEL_OF_DETAIL) {
            key.extend_from_slice(child.bytes());
        }
    }
    geoset.child(&kinds::GEOSET_HEADER).map(|_| key)
}
