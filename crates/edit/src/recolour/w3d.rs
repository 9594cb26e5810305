//! W3D: materials, vertex colours, emitters, lights, and names for house colours.

use record::{F32, Node};
use w3d::records::*;
use w3d::table;

use super::ColourChange;
use crate::Error;
use crate::references::each;
use crate::report::Report;
use crate::select::{Part, PartKind, node_at, object_name, short_name};
use crate::{Named, rename};

/// Meshes with this prefix get the colour of the player.
const PREFIX: &str = "HOUSECOLOR";
/// Replaces the prefix of meshes that no longer do.
const PLAIN: &str = "PLAIN";

pub(super) fn recolour(root: &mut Node<'_>, chosen: &[Part], change: &ColourChange) -> Result<Report, Error> {
    if let ColourChange::TeamColour(on) = change {
        return team_colour(root, chosen, *on);
    }
    let mut report = Report::default();
    for part in chosen {
        let is_coloured =
            matches!(part.kind, PartKind::Mesh | PartKind::Material | PartKind::Emitter | PartKind::Light);
        if !is_coloured {
            return Err(Error::new(format!("a {} has no colour", part.kind.word())));
        }
        let Some(node) =
            part.trail.iter().try_fold(&mut *root, |node, index| node.children_mut()?.get_mut(*index))
        else {
            continue;
        };
        let before = node.to_bytes().ok();
        let mut found = false;
        each(node, &mut |node| found |= colours(node, change));
        if !found {
            return Err(Error::new(format!("{} has no colour", part.title())));
        }
        report.changed += usize::from(node.to_bytes().ok() != before);
    }
    Ok(report)
}

fn changed(change: &ColourChange, old: [u8; 3]) -> [u8; 3] {
    change
        .apply(old.map(|part| f32::from(part) / 255.0))
        .map(|part| (part * 255.0).round().clamp(0.0, 255.0) as u8)
}

fn set_rgb(rgb: &mut Rgb, change: &ColourChange) {
    [rgb.r, rgb.g, rgb.b] = changed(change, [rgb.r, rgb.g, rgb.b]);
}

/// Transparency stays.
fn set_rgba(rgba: &mut Rgba, change: &ColourChange) {
    [rgba.r, rgba.g, rgba.b] = changed(change, [rgba.r, rgba.g, rgba.b]);
}

/// Changes the colours of one chunk, and returns whether it has any.
fn colours(node: &mut Node<'_>, change: &ColourChange) -> bool {
    if node.is(&table::VERTEX_MATERIAL_INFO)
        && let Some(material) = node.value_mut::<VertexMaterialInfo>()
    {
        // Exporters write one colour twice.
        let is_same = material.ambient == material.diffuse;
        set_rgb(&mut material.diffuse, change);
        if is_same {
            material.ambient = material.diffuse;
        }
        return true;
    }
    if node.is(&table::DCG) {
        node.values_mut::<Rgba>().iter_mut().for_each(|colour| set_rgba(colour, change));
        return true;
    }
    if node.is(&table::EMITTER_INFO)
        && let Some(emitter) = node.value_mut::<EmitterInfo>()
    {
        set_rgba(&mut emitter.start_color, change);
        set_rgba(&mut emitter.end_color, change);
        return true;
    }
    if node.is(&table::EMITTER_PROPS) || node.is(&table::EMITTER_COLOR_KEYFRAME) {
        node.values_mut::<EmitterColorKey>().iter_mut().for_each(|key| set_rgba(&mut key.color, change));
        return true;
    }
    if node.is(&table::LIGHT_INFO)
        && let Some(light) = node.value_mut::<LightInfo>()
    {
        set_rgb(&mut light.diffuse, change);
        return true;
    }
    if node.is(&table::SHADER_MATERIAL_PROPERTY) {
        let name = record::decode(node.text().unwrap_or_default()).to_ascii_lowercase();
        if !["diffusecolor", "colordiffuse"].contains(&name.as_str()) {
            return false;
        }
        let Some(range) = node.locate("floats").map(|found| found.range) else { return false };
        let bytes = node.bytes_mut().and_then(|bytes| bytes.get_mut(range));
        let floats =
            bytes.and_then(|bytes| <[F32] as record::zerocopy::FromBytes>::mut_from_bytes(bytes).ok());
        if let Some([r, g, b, ..]) = floats {
            let new = change.apply([r.get(), g.get(), b.get()]);
            r.set(new[0]);
            g.set(new[1]);
            b.set(new[2]);
            return true;
        }
    }
    false
}

fn team_colour(root: &mut Node<'_>, chosen: &[Part], on: bool) -> Result<Report, Error> {
    let mut report = Report::default();
    for part in chosen {
        if part.kind != PartKind::Mesh {
            return Err(Error::new(format!("the game colours meshes, not a {}", part.kind.word())));
        }
        let full = node_at(root, &part.trail).and_then(object_name).unwrap_or_default();
        let name = short_name(&full);
        let has_prefix = name.get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX));
        if has_prefix == on {
            continue;
        }
        let taken: Vec<String> = root
            .children()
            .iter()
            .filter_map(object_name)
            .map(|name| short_name(&name).to_ascii_lowercase())
            .collect();
        let prefix = if on { PREFIX } else { PLAIN };
        // What follows the prefix stays where it can.
        let rest = if on { None } else { name.get(PREFIX.len()..).filter(|rest| !rest.is_empty()) };
        let numbered = (1..=taken.len() + 1).map(|number| format!("{prefix}{number:02}"));
        let mut candidates = rest.map(|rest| format!("{prefix}{rest}")).into_iter().chain(numbered);
        let Some(new) = candidates.find(|candidate| !taken.contains(&candidate.to_ascii_lowercase())) else {
            return Err(Error::new("no name is left"));
        };
        rename(root, Named::Mesh, &full, &new)?;
        report.changed += 1;
        report.note(format!("{} is called {new:?} now; its bone keeps its name", part.title()));
    }
    Ok(report)
}
