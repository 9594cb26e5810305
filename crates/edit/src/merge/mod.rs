//! Joins meshes, and models.

mod mdx;
mod w3d;

use record::Node;

use crate::report::{Report, counted};
use crate::select::{PartKind, Selector, require, select};
use crate::{Addition, Error, Family, add, family_of};

/// Makes several meshes one. Returns the number of meshes that are gone.
///
/// Meshes that are drawn differently are not merged: those of one material and geoset animation, of one bone, or of one level of detail become
/// one each. The report says which stay because vertices or matrix groups would be too many.
pub fn merge_meshes(root: &mut Node<'_>, meshes: &Selector) -> Result<Report, Error> {
    let chosen = require(root, meshes)?;
    if let Some(part) = chosen.iter().find(|part| part.kind != PartKind::Mesh) {
        return Err(Error::new(format!("{} is not a mesh", part.title())));
    }
    let mut report = match family_of(root)? {
        Family::Mdx => mdx::merge(root, &chosen)?,
        Family::W3d => w3d::merge(root, &chosen)?,
        _ => Report::default(),
    };
    if report.changed > 0 {
        report.settle(root);
    }
    Ok(report)
}

/// Adds all meshes, emitters, ribbons, lights, attachments and collision shapes of another model of the same format that this one does not have,
/// each as [`add`] does it. Returns the number of added parts.
pub fn merge_model(root: &mut Node<'_>, from: &Node<'_>, like: Option<&str>) -> Result<Report, Error> {
    let mut report = Report::default();
    let kinds = [
        PartKind::Mesh,
        PartKind::Light,
        PartKind::Attachment,
        PartKind::Emitter,
        PartKind::Ribbon,
        PartKind::Collision,
    ];
    let mut skipped = 0;
    for kind in kinds {
        let own: std::collections::HashSet<String> = select(root, &Selector::All(kind))?
            .into_iter()
            .map(|part| part.name.to_ascii_lowercase())
            .filter(|name| !name.is_empty())
            .collect();
        let theirs = select(from, &Selector::All(kind))?;
        if kind == PartKind::Light && family_of(root)? == Family::W3d {
            continue;
        }
        for part in theirs {
            if own.contains(&part.name.to_ascii_lowercase()) {
                skipped += 1;
                continue;
            }
            let addition = Addition {
                part: Selector::Index(kind, part.index),
                to: None,
                like: like.map(str::to_owned),
                keep_position: false,
            };
            let added = add(root, from, &addition).map_err(|error| Error {
                message: format!("{}: {}", part.title(), error.message),
                note: error.note,
            })?;
            report.add(added);
        }
    }
    if skipped > 0 {
        report.note(format!("{} not added: the model has parts of these names", counted(skipped, "part")));
    }
    Ok(report)
}
