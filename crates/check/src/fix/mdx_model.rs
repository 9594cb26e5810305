//! Repairs of MDX files: counts, pivots, extents, weights, unused textures.

use mdx::records::{
    Extent, GeosetBounds, LayerShader, Model, Sequence, SkinVertex, WowAttachmentCount, WowCount,
    WowMaterialCount, WowMaterialHeader, WowModel,
};
use mdx::{Document, kinds};
use record::zerocopy::{FromBytes, IntoBytes};
use record::{F32, LEFTOVER, Node, U32, Vec3};

use super::{Changes, FixLevel, each_child, each_node};
use crate::rules::mdx::geoset::{is_stale, moves};
use crate::rules::mdx::model::is_zero;

/// Sets counts that are in separate parts.
pub(crate) fn mdx_counts(file: &mut Document<'_>, changes: &mut Changes) {
    each_node(&mut file.root, &mut |path, node| {
        if node.is(&kinds::BPOS) || node.is(&kinds::WOW_SEQS) {
            let each = node.kind.slots.last().map_or(1, |slot| slot.item.size()).max(1);
            let found = word(node.bytes().len().saturating_sub(4) / each);
            if node.value::<U32>().is_some_and(|count| count.get() != found)
                && let Some(count) = node.value_mut::<U32>()
            {
                set(count, found, path, changes);
            }
            return;
        }
        if node.is(&kinds::LAYER) {
            let found = word(node.all(&kinds::TEXTURE_SLOT).count());
            if let Some(header) =
                part::<LayerShader>(node, &kinds::LAYER_SHADER, |header| header.texture_count.get() != found)
            {
                set(&mut header.texture_count, found, path, changes);
            }
            return;
        }
        let counted = |child: &&Node<'_>| !child.is(&LEFTOVER) && !child.is(&kinds::WOW_BATCH);
        let found = word(node.children().iter().skip(1).filter(counted).count());
        let Some(first) = node.children_mut().and_then(|children| children.first_mut()) else { return };
        if first.value::<WowCount>().is_some_and(|count| count.count.get() != found) {
            first
                .value_mut::<WowCount>()
                .into_iter()
                .for_each(|count| set(&mut count.count, found, path, changes));
        } else if first.value::<WowMaterialCount>().is_some_and(|count| count.count.get() != found) {
            first
                .value_mut::<WowMaterialCount>()
                .into_iter()
                .for_each(|count| set(&mut count.count, found, path, changes));
        } else if first.value::<WowAttachmentCount>().is_some_and(|count| count.count.get() != found) {
            first
                .value_mut::<WowAttachmentCount>()
                .into_iter()
                .for_each(|count| set(&mut count.count, found, path, changes));
        } else if first.value::<WowMaterialHeader>().is_some_and(|count| count.layer_count.get() != found) {
            first
                .value_mut::<WowMaterialHeader>()
                .into_iter()
                .for_each(|count| set(&mut count.layer_count, found, path, changes));
        }
    });
}

fn word(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn set(count: &mut U32, to: u32, path: &str, changes: &mut Changes) {
    if changes.allows(count.get(), to) {
        changes.add(path, format!("count {count} -> {to}"));
        count.set(to);
    }
}

/// The record of a child, mutable, if it differs.
fn part<'n, T: record::Pod>(
    node: &'n mut Node<'_>,
    kind: &'static record::Kind,
    differs: impl Fn(&T) -> bool,
) -> Option<&'n mut T> {
    let child = node.child_mut(kind)?;
    child.value::<T>().filter(|record| differs(record))?;
    child.value_mut::<T>()
}

/// Adds pivots at the origin until each node has one.
pub(crate) fn mdx_pivots(file: &mut Document<'_>, changes: &mut Changes) {
    let nodes = file.view().nodes().count();
    let (found, whole) = (file.view().pivots().len(), size_of_val(file.view().pivots()));
    if found >= nodes {
        return;
    }
    if file.root.child(&kinds::PIVT).is_none() {
        // The chunk may have been lost by truncation of the file.
        if changes.level == FixLevel::Safe {
            return;
        }
        let chunk = mdx::build::leaf::<Vec3>(&kinds::PIVT, &[]);
        if let Some(children) = file.root.children_mut() {
            children.push(chunk);
        }
    }
    let Some(chunk) = file.root.child_mut(&kinds::PIVT) else { return };
    let missing = vec![0; (nodes - found) * size_of::<Vec3>()];
    if let Some(bytes) = chunk.bytes_mut() {
        // After the last whole element; trailing bytes stay at the end.
        bytes.splice(whole..whole, missing);
        changes.add("PIVT[0]", format!("{} pivots added at the origin", nodes - found));
    }
}

/// Whether no node moves, so that vertices stay at their positions.
fn is_still(file: &mut Document<'_>) -> bool {
    let mut still = true;
    each_node(&mut file.root, &mut |_, node| still &= !moves(node.id));
    still
}

/// Computes extents that are all zero, of the model and its sequences, where no node moves.
pub(crate) fn mdx_zero_extents(file: &mut Document<'_>, changes: &mut Changes) {
    if !is_still(file) {
        return;
    }
    let vertices: Vec<Vec3> =
        file.view().geosets().flat_map(|geoset| geoset.positions().iter().copied()).collect();
    let whole = extent_of(&vertices);
    let is_usable = vertices.iter().all(|vertex| vertex.get().iter().all(|part| part.is_finite()));
    let is_reported = file.header().is_some_and(|header| is_zero(header.extent));
    if !is_reported || vertices.len() < 2 || !is_usable || !whole.radius.get().is_finite() || is_zero(&whole)
    {
        return;
    }
    each_child(&mut file.root, "", "MODL", &mut |path, chunk| {
        if chunk.value::<Model>().is_some_and(|model| is_zero(&model.extent))
            && let Some(model) = chunk.value_mut::<Model>()
        {
            model.extent = whole;
            changes.add(path, "extent of the model computed");
        }
    });
    each_child(&mut file.root, "", "SEQS", &mut |path, chunk| {
        let zero = chunk.values::<Sequence>().iter().filter(|sequence| is_zero(&sequence.extent)).count();
        if zero == 0 {
            return;
        }
        for sequence in chunk.values_mut::<Sequence>().iter_mut().filter(|it| is_zero(&it.extent)) {
            sequence.extent = whole;
        }
        changes.add(path, format!("{zero} extents of sequences computed"));
    });
}

/// Computes the extents of geosets that do not enclose their vertices, where no node moves.
pub(crate) fn mdx_extents(file: &mut Document<'_>, changes: &mut Changes) {
    if !is_still(file) {
        return;
    }
    let sequences = file.view().sequences().count();
    each_child(&mut file.root, "", "GEOS", &mut |path, chunk| {
        each_child(chunk, path, "Geoset", &mut |path, geoset| {
            // A geoset has an extent per sequence. If it has another number of them, it may have been read from the wrong place.
            let extents = geoset.child(&kinds::EXTENTS).map_or(0, |node| node.values::<Extent>().len());
            if extents != sequences {
                return;
            }
            let vertices: Vec<Vec3> =
                geoset.child(&kinds::VRTX).map(|node| node.values().to_vec()).unwrap_or_default();
            let finite = vertices.iter().all(|vertex| vertex.get().iter().all(|part| part.is_finite()));
            if vertices.is_empty() || !finite {
                return;
            }
            let wrong = |bounds: &GeosetBounds| is_stale(&bounds.extent, &vertices);
            let Some(bounds) = part::<GeosetBounds>(geoset, &kinds::GEOSET_BOUNDS, wrong) else { return };
            let extent = extent_of(&vertices);
            if extent.radius.get().is_finite() {
                bounds.extent = extent;
                changes.add(path, "extent computed");
            }
        });
    });
}

fn extent_of(vertices: &[Vec3]) -> Extent {
    let mut low = [f32::INFINITY; 3];
    let mut high = [f32::NEG_INFINITY; 3];
    let mut radius = 0.0_f64;
    for vertex in vertices.iter().map(|vertex| vertex.get()) {
        for axis in 0..3 {
            low[axis] = low[axis].min(vertex[axis]);
            high[axis] = high[axis].max(vertex[axis]);
        }
        radius = radius.max(vertex.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>().sqrt());
    }
    #[expect(clippy::cast_possible_truncation, reason = "rounding to the format's precision is meant")]
    let radius = radius as f32;
    Extent { radius: F32::new(radius), minimum: low.into(), maximum: high.into() }
}

/// Scales weights to a sum of 255; the remainder of rounding goes to the largest weight.
pub(crate) fn mdx_weights(file: &mut Document<'_>, changes: &mut Changes) {
    each_child(&mut file.root, "", "GEOS", &mut |path, chunk| {
        each_child(chunk, path, "Geoset", &mut |path, geoset| {
            let Some(node) = geoset.child_mut(&kinds::SKIN) else { return };
            let sum =
                |vertex: &SkinVertex| vertex.weights.iter().map(|weight| u32::from(*weight)).sum::<u32>();
            let count = node.bytes().len() / size_of::<SkinVertex>();
            let wrong = |vertex: &SkinVertex| !matches!(sum(vertex), 0 | 255);
            let whole = node.bytes().get(..count * size_of::<SkinVertex>()).unwrap_or_default();
            let vertices = <[SkinVertex]>::ref_from_bytes(whole).unwrap_or_default();
            let bad = vertices.iter().filter(|vertex| wrong(vertex)).count();
            if bad == 0 {
                return;
            }
            let mut repaired = vertices.to_vec();
            for vertex in repaired.iter_mut().filter(|vertex| wrong(vertex)) {
                let total = sum(vertex);
                let scaled = vertex.weights.map(|weight| u32::from(weight) * 255 / total);
                let rest = 255 - scaled.iter().sum::<u32>();
                let heaviest =
                    (0..4).max_by_key(|index| (vertex.weights[*index], 3 - *index)).unwrap_or_default();
                vertex.weights = scaled.map(|weight| u8::try_from(weight).unwrap_or(u8::MAX));
                vertex.weights[heaviest] = u8::try_from(scaled[heaviest] + rest).unwrap_or(u8::MAX);
            }
            if let Some(bytes) = node.bytes_mut() {
                let whole = repaired.as_bytes();
                bytes[..whole.len()].copy_from_slice(whole);
                changes.add(format!("{path}/SKIN[0]"), format!("weights of {bad} vertices made 255"));
            }
        });
    });
}

/// Sets the number of objects of `MODL`.
pub(crate) fn mdx_object_count(file: &mut Document<'_>, changes: &mut Changes) {
    let nodes = word(file.view().nodes().count());
    if let Some(model) =
        part::<WowModel>(&mut file.root, &kinds::WOW_MODL, |model| model.object_count.get() != nodes)
    {
        set(&mut model.object_count, nodes, "MODL[0]", changes);
    }
}

/// Sets the highest attachment id of `ATCH`.
pub(crate) fn mdx_highest_attachment(file: &mut Document<'_>, changes: &mut Changes) {
    let highest =
        file.view().nodes().filter_map(|node| node.attachment()).map(|attachment| attachment.id).max();
    let Some(highest) = highest.and_then(|highest| u32::try_from(highest).ok()) else { return };
    let Some(chunk) = file.root.child_mut(&kinds::ATCH) else { return };
    let differs = |count: &WowAttachmentCount| count.highest_id.get() != highest;
    if let Some(count) = part::<WowAttachmentCount>(chunk, &kinds::WOW_ATTACHMENT_COUNT, differs) {
        set(&mut count.highest_id, highest, "ATCH[0]", changes);
    }
}
