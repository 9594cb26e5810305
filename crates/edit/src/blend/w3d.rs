//! W3D: shaders of passes, and properties of shader materials.

use std::collections::BTreeSet;

use record::{I32, Node, U32};
use w3d::names::{AlphaTest, DepthMask, DestBlend, SrcBlend};
use w3d::records::*;
use w3d::table;

use super::{Blend, Blending};
use crate::Error;
use crate::references::increase;
use crate::report::Report;
use crate::select::{Part, PartKind, node_at};

pub(super) fn blend(root: &mut Node<'_>, chosen: &[Part], blending: &Blending) -> Result<Report, Error> {
    let mut report = Report::default();
    for part in chosen {
        let material = match part.kind {
            PartKind::Material => Some(&part.trail[..]),
            PartKind::Mesh | PartKind::Emitter => None,
            kind => return Err(Error::new(format!("a {} is not blended", kind.word()))),
        };
        let title = part.title();
        let Some(chunk) = root.children_mut().and_then(|chunks| chunks.get_mut(part.trail[0])) else {
            continue;
        };
        refuse_passes(chunk, blending, &title)?;
        let before = chunk.to_bytes().ok();
        let mut found = false;
        if part.kind == PartKind::Emitter {
            if let Some(info) = chunk.get_mut(table::EMITTER_INFOV2) {
                found = true;
                set(&mut info.shader, blending.blend);
            }
        } else if let Some(trail) = material {
            let (holder, rest) = trail[1..].split_at(trail.len().saturating_sub(3));
            let holder =
                holder.iter().try_fold(&mut *chunk, |node, index| node.children_mut()?.get_mut(*index));
            if let Some(holder) = holder {
                found = in_holder(holder, Some(rest), blending, &title)?;
            }
        } else {
            found |= in_holder(chunk, None, blending, &title)?;
            for holder in chunk.children_mut().into_iter().flatten() {
                if holder.child(&table::SHADERS).is_some() {
                    found |= in_holder(holder, None, blending, &title)?;
                }
            }
            if let Some(shader) = primitive_shader(chunk) {
                found = true;
                set(shader, blending.blend);
            }
        }
        if !found {
            return Err(Error::new(format!("{title} has no shader")));
        }
        report.changed += usize::from(chunk.to_bytes().ok() != before);
    }
    Ok(report)
}

/// A mesh whose first pass blends is sorted triangle by triangle, so that its other passes blend with the wrong background.
fn refuse_passes(mesh: &Node<'_>, blending: &Blending, title: &str) -> Result<(), Error> {
    let blends = matches!(blending.blend, Blend::Alpha | Blend::Additive | Blend::Modulate);
    let is_sorted = mesh.get(table::MESH_HEADER3).is_some_and(|header| header.sort_level.get() == 0);
    if blends && is_sorted && blending.layer == 0 && mesh.all(&table::MATERIAL_PASS).count() > 1 {
        return Err(Error::new(format!(
            "{title} has several passes, which games draw wrongly if the first one blends"
        ))
        .with_note(
            "give the mesh a sort level first, such as edit set 'MESH[0]/MESH_HEADER3.sort_level=1'",
        ));
    }
    Ok(())
}

/// The shader of a sphere or ring.
fn primitive_shader<'n>(chunk: &'n mut Node<'_>) -> Option<&'n mut Shader> {
    use w3d::table::{ring, sphere};
    if chunk.is(&table::SPHERE) {
        return chunk
            .child_mut(&sphere::SPHERE_DEF)
            .and_then(Node::value_mut::<SphereDef>)
            .map(|def| &mut def.shader);
    }
    if chunk.is(&table::RING) {
        return chunk
            .child_mut(&ring::RING_DEF)
            .and_then(Node::value_mut::<RingDef>)
            .map(|def| &mut def.shader);
    }
    None
}

fn set(shader: &mut Shader, blend: Blend) {
    let (source, destination, writes, test) = match blend {
        Blend::Opaque => (SrcBlend::ONE, DestBlend::ZERO, true, false),
        Blend::Masked => (SrcBlend::ONE, DestBlend::ZERO, true, true),
        Blend::Alpha => (SrcBlend::SRC_ALPHA, DestBlend::ONE_MINUS_SRC_ALPHA, false, false),
        Blend::Additive => (SrcBlend::ONE, DestBlend::ONE, false, false),
        Blend::Modulate => (SrcBlend::ZERO, DestBlend::SRC_COLOR, false, false),
    };
    shader.src_blend = source;
    shader.dest_blend = destination;
    shader.depth_mask = if writes { DepthMask::WRITE_ENABLE } else { DepthMask::WRITE_DISABLE };
    shader.alpha_test = if test { AlphaTest::ENABLE } else { AlphaTest::DISABLE };
}

/// Changes the shaders of a mesh or of a prelit wrapper: those of one pass, or of the passes with a material, whose place in the holder is
/// given. Returns whether there were any.
fn in_holder(
    holder: &mut Node<'_>,
    material: Option<&[usize]>,
    blending: &Blending,
    title: &str,
) -> Result<bool, Error> {
    let index = |node: &Node<'_>, kind: &record::Kind, at: usize| {
        node.children().iter().take(at).filter(|child| child.is(kind)).count()
    };
    let mut vertex_material = None;
    if let Some([list, element]) = material {
        let Some(node) = node_at(holder, &[*list]) else { return Ok(false) };
        if node.is(&table::SHADER_MATERIALS) {
            let found = holder
                .children_mut()
                .and_then(|children| children.get_mut(*list))
                .and_then(Node::children_mut);
            return match found.and_then(|list| list.get_mut(*element)) {
                Some(material) => set_properties(material, blending.blend, title).map(|()| true),
                None => Ok(false),
            };
        }
        vertex_material = Some(index(node, &table::VERTEX_MATERIAL, *element));
    }
    if material.is_none()
        && let Some(list) = holder.child_mut(&table::SHADER_MATERIALS).and_then(Node::children_mut)
    {
        for material in list.iter_mut().filter(|child| child.is(&table::SHADER_MATERIAL)) {
            set_properties(material, blending.blend, title)?;
        }
        return Ok(true);
    }
    let passes: Vec<&Node<'_>> = holder.all(&table::MATERIAL_PASS).collect();
    let uses = |pass: &Node<'_>, wanted: usize| {
        pass.get(table::VERTEX_MATERIAL_IDS).iter().any(|id| usize::try_from(id.get()) == Ok(wanted))
    };
    let is_chosen: Vec<bool> = passes
        .iter()
        .enumerate()
        .map(|(at, pass)| vertex_material.map_or(at == blending.layer, |wanted| uses(pass, wanted)))
        .collect();
    if material.is_none() && !passes.is_empty() && blending.layer >= passes.len() {
        return Err(Error::new(format!("{title} has no pass {}: it has {}", blending.layer, passes.len())));
    }
    let ids = |chosen: bool| -> BTreeSet<u32> {
        let passes = passes.iter().zip(&is_chosen).filter(|(_, own)| **own == chosen);
        passes.flat_map(|(pass, _)| pass.get(table::SHADER_IDS)).map(|id| id.get()).collect()
    };
    let (wanted, others) = (ids(true), ids(false));
    let mut shaders = holder.get(table::SHADERS).to_vec();
    let before = shaders.len();
    let mut moved = std::collections::BTreeMap::new();
    for id in &wanted {
        let Some(shader) = usize::try_from(*id).ok().and_then(|at| shaders.get(at)).copied() else {
            continue;
        };
        let mut new = shader;
        set(&mut new, blending.blend);
        if new == shader {
            continue;
        }
        if others.contains(id) {
            moved.insert(*id, u32::try_from(shaders.len()).unwrap_or_default());
            shaders.push(new);
        } else if let Some(place) = usize::try_from(*id).ok().and_then(|at| shaders.get_mut(at)) {
            *place = new;
        }
    }
    let added = shaders.len() - before;
    let found = !wanted.is_empty() && before > 0;
    if let Some(list) = holder.child_mut(&table::SHADERS) {
        list.set_values(&shaders);
    }
    if let Some(info) = holder.get_mut(table::MATERIAL_INFO).filter(|_| added > 0) {
        increase(&mut info.shader_count, added);
    }
    let passes = holder.children_mut().into_iter().flatten().filter(|child| child.is(&table::MATERIAL_PASS));
    for (pass, _) in passes.zip(&is_chosen).filter(|(_, own)| **own) {
        for child in pass.children_mut().into_iter().flatten().filter(|child| child.is(&table::SHADER_IDS)) {
            for id in child.values_mut::<U32>() {
                if let Some(new) = moved.get(&id.get()) {
                    id.set(*new);
                }
            }
        }
    }
    Ok(found)
}

/// The properties of a shader material that blend.
fn set_properties(material: &mut Node<'_>, blend: Blend, title: &str) -> Result<(), Error> {
    let (mode, test) = match blend {
        Blend::Opaque => (0, false),
        Blend::Masked => (0, true),
        Blend::Alpha => (1, false),
        Blend::Additive => (2, false),
        Blend::Modulate => {
            return Err(Error::new(format!("the shader of {title} cannot modulate")));
        }
    };
    let names: Vec<String> = material
        .all(&table::SHADER_MATERIAL_PROPERTY)
        .filter_map(|property| property.text())
        .map(|name| record::decode(name).to_ascii_lowercase())
        .collect();
    let has = |name: &str| names.iter().any(|known| known == name);
    let missing = if mode == 2 && !has("blendmode") {
        Some("BlendMode")
    } else if mode == 1 && !has("blendmode") && !has("alphablendingenable") {
        Some("AlphaBlendingEnable")
    } else if test && !has("alphatestenable") {
        Some("AlphaTestEnable")
    } else {
        None
    };
    if let Some(missing) = missing {
        return Err(Error::new(format!(
            "the shader of {title} has no property {missing}, so it cannot be {}",
            blend.word()
        )));
    }
    let properties = material.children_mut().into_iter().flatten();
    for property in properties.filter(|child| child.is(&table::SHADER_MATERIAL_PROPERTY)) {
        let name = record::decode(property.text().unwrap_or_default()).to_ascii_lowercase();
        let (slot, value) = match name.as_str() {
            "blendmode" => ("int", mode),
            "alphablendingenable" => ("bool", i32::from(mode == 1)),
            "alphatestenable" => ("bool", i32::from(test)),
            _ => continue,
        };
        let Some(range) = property.locate(slot).map(|found| found.range) else { continue };
        let Some(bytes) = property.bytes_mut().and_then(|bytes| bytes.get_mut(range)) else { continue };
        match (bytes.len(), slot) {
            (4, "int") => bytes.copy_from_slice(&I32::new(value).to_bytes()),
            (1, "bool") => bytes[0] = u8::from(value != 0),
            _ => {}
        }
    }
    Ok(())
}
