//! Divides geosets.

use mdx::kinds;
use record::{I32, Node};

use super::{SplitBy, parts_of};
use crate::Error;
use crate::references::mdx as references;
use crate::report::Report;
use crate::select::{Part, node_at};
use crate::vertices::mdx as vertices;

/// The most parts that one geoset is divided into.
const MAX_PARTS: usize = 256;

pub(super) fn split(root: &mut Node<'_>, chosen: &[Part], by: SplitBy) -> Result<Report, Error> {
    if by == SplitBy::Material {
        return Err(Error::new("a geoset has one material, so there is nothing to divide by"));
    }
    if root.child(&kinds::WOW_MODL).is_some() {
        return Err(Error::new("geosets of WoW models cannot be divided"));
    }
    let mut report = Report::default();
    let mut touched = Vec::new();
    for part in chosen {
        let Some(geoset) = node_at(root, &part.trail).cloned() else { continue };
        let title = part.title();
        let triangles = vertices::triangles(&geoset)
            .ok_or_else(|| Error::new(format!("{title} has other faces than triangles, or is damaged")))?;
        let positions = geoset.get(kinds::VRTX);
        let groups =
            parts_of(positions.len(), &triangles, |vertex| positions[vertex].get().map(f32::to_bits));
        if groups.len() < 2 {
            continue;
        }
        if groups.len() > MAX_PARTS {
            return Err(Error::new(format!(
                "{title} has {} parts; at most {MAX_PARTS} are made",
                groups.len()
            )));
        }
        let pick = |group: &Vec<usize>| -> Node<'_> {
            let own: Vec<[usize; 3]> = group.iter().map(|triangle| triangles[*triangle]).collect();
            vertices::part(&geoset, &own)
        };
        let pieces: Vec<Node<'static>> = groups.iter().map(|group| pick(group).into_owned()).collect();
        report.changed += pieces.len() - 1;
        touched.push(part.index);
        touched.extend(append(root, part, pieces));
        let before = references::links_to(part.index);
        crate::recompute::mdx::bones(root, &before);
    }
    if !touched.is_empty() {
        crate::recompute::mdx::extents(root, Some(&touched))?;
    }
    Ok(report)
}

/// Puts the first piece in the place of a geoset and the others at the end, each with a copy of its animation. Returns the numbers of the new
/// ones.
fn append(root: &mut Node<'_>, part: &Part, pieces: Vec<Node<'static>>) -> Vec<usize> {
    let mut added = Vec::new();
    let mut pieces = pieces.into_iter();
    if let Some(list) = root.child_mut(&kinds::GEOS)
        && let Some(inner) = part.trail.last()
        && let Some(first) = pieces.next()
    {
        let mut count = list.all(&kinds::GEOSET).count();
        if let Some(children) = list.children_mut() {
            children[*inner] = first;
            for piece in pieces {
                children.push(piece);
                added.push(count);
                count += 1;
            }
        }
    }
    if let Some(list) = root.child_mut(&kinds::GEOA) {
        let own: Vec<Node<'_>> = list
            .all(&kinds::GEOSET_ANIMATION)
            .filter(|animation| references::geoset_of(animation) == Some(part.index))
            .cloned()
            .collect();
        for new in &added {
            for mut animation in own.iter().cloned() {
                if let Some(header) = animation.get_mut(kinds::GEOSET_ANIMATION_HEADER) {
                    header.geoset_id = I32::new(i32::try_from(*new).unwrap_or(-1));
                }
                list.children_mut().into_iter().for_each(|children| children.push(animation.clone()));
            }
        }
    }
    added
}
