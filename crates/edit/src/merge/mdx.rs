//! Joins geosets.

use std::collections::{HashMap, HashSet};

use mdx::kinds;
use record::Node;

use crate::Error;
use crate::optimise::mdx::{animations, follow, set_geosets};
use crate::report::{Report, counted};
use crate::select::Part;
use crate::vertices::mdx as vertices;

pub(super) fn merge(root: &mut Node<'_>, chosen: &[Part]) -> Result<Report, Error> {
    if root.child(&kinds::WOW_MODL).is_some() {
        return Err(Error::new("geosets of WoW models cannot be merged"));
    }
    let mut report = Report::default();
    let wanted: HashSet<usize> = chosen.iter().map(|part| part.index).collect();
    let animations = animations(root);
    let geosets: Vec<Node<'_>> =
        root.child(&kinds::GEOS).into_iter().flat_map(|list| list.all(&kinds::GEOSET)).cloned().collect();
    let mut kept: Vec<(usize, Node<'_>)> = Vec::new();
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut alike: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut kinds_of_look: HashSet<Vec<u8>> = HashSet::new();
    for (index, geoset) in geosets.iter().enumerate() {
        let key = vertices::appearance(geoset).filter(|_| wanted.contains(&index)).map(|mut key| {
            key.extend(animations.get(&index).into_iter().flatten().flatten());
            key
        });
        kinds_of_look.extend(key.clone());
        if let Some(target) = key.as_ref().and_then(|key| alike.get(key).copied()) {
            let mut joined = kept[target].1.clone();
            let offset = joined.get(kinds::VRTX).len();
            match vertices::append(&mut joined, geoset) {
                Ok(()) => {
                    kept[target].1 = joined;
                    places.push((target, offset));
                    continue;
                }
                Err(error) => report.note(format!("geoset #{index} was not merged: {error}")),
            }
        }
        if let Some(key) = key {
            alike.insert(key, kept.len());
        }
        places.push((kept.len(), 0));
        kept.push((index, geoset.clone()));
    }
    report.changed = geosets.len() - kept.len();
    if wanted.len() > 1 && kinds_of_look.len() > 1 {
        report.note(format!(
            "{} with different materials, selection groups, levels of detail or geoset animations stay apart",
            counted(kinds_of_look.len(), "group")
        ));
    }
    if report.changed > 0 {
        let first: Vec<usize> = kept.iter().map(|(index, _)| *index).collect();
        set_geosets(root, kept.into_iter().map(|(_, geoset)| geoset).collect());
        follow(root, &places, &first);
    }
    Ok(report)
}
