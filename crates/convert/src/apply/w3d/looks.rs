//! Changed materials of meshes: textures, colours, sides and transparency.

use super::super::{LookChange, MeshEdit};
use super::Author;
use crate::author::w3d::native_name;
use crate::w3d::Chunk;
use record::Node;
use scene::{Layer, Material, MaterialId, Mesh, Scene, SlotKind, Transparency};
use w3d::names::{AlphaTest, DepthMask, DestBlend, MeshFlags, SrcBlend};
use w3d::records::{Rgb, Shader, VertexMaterialInfo};
use w3d::table;

impl Author<'_, '_, '_> {
    pub(super) fn change_material(
        &mut self,
        material: MaterialId,
        index: usize,
        changes: &[LookChange],
    ) -> Result<(), String> {
        let inputs = self.inputs;
        let before = inputs.original.materials.get(material.index()).ok_or("the material was not found")?;
        let now = inputs.edited.scene.materials.get(index).ok_or("the material was not found")?;
        let uses = |mesh: &Mesh| mesh.parts.iter().any(|part| part.material == Some(material));
        let users = inputs.original.meshes.iter().enumerate().filter(|(_, mesh)| uses(mesh));
        let mut places: Vec<Chunk> = Vec::new();
        for (user, _) in users {
            let place = self.origins.meshes.get(user).copied().flatten();
            places.extend(place.filter(|place| !places.contains(place)));
        }
        let mut refused: Vec<String> = Vec::new();
        for change in changes {
            if let Err(reason) = self.change_look(&places, before, now, *change) {
                refused.push(format!("{}: {reason}", change.word()));
            }
        }
        if refused.is_empty() { Ok(()) } else { Err(refused.join("; ")) }
    }

    /// Changes one thing of a material in the meshes that have it.
    fn change_look(
        &mut self,
        places: &[Chunk],
        before: &Material,
        now: &Material,
        change: LookChange,
    ) -> Result<(), String> {
        let inputs = self.inputs;
        match change {
            // W3D's materials are called as their vertex materials are, and glTF's names are our own.
            LookChange::Name => Ok(()),
            LookChange::Texture => {
                let (old, new) = textures(inputs.original, before, inputs.edited.scene, now)
                    .ok_or("textures can be replaced by others only")?;
                let mut count = 0;
                for place in places {
                    count += replace_texture(self.chunk(*place)?, &old, &new)?;
                }
                if count == 0 { Err("no mesh has this texture".to_owned()) } else { Ok(()) }
            }
            LookChange::Color => self.each(places, |chunk| set_color(chunk, before, now)),
            LookChange::TwoSided => {
                let is_on = now.layers.first().is_some_and(|layer| layer.two_sided);
                self.each(places, |chunk| set_sides(chunk, is_on))
            }
            LookChange::Transparency => {
                let wanted = now.layers.first().map_or(Transparency::Opaque, Layer::transparency);
                self.each(places, |chunk| set_transparency(chunk, wanted))
            }
            LookChange::Unlit | LookChange::Other => {
                Err("cannot be changed in place; convert without the original to get it".to_owned())
            }
        }
    }

    fn each(
        &mut self,
        places: &[Chunk],
        change: impl Fn(&mut Node<'_>) -> Result<(), String>,
    ) -> Result<(), String> {
        places.iter().try_for_each(|place| change(self.chunk(*place)?))
    }

    /// A mesh whose triangles have other materials. Where each material was replaced as a whole, it changes; triangles with a material
    /// that the mesh did not have become a mesh of their own. The result is the part of the edit that is left for the mesh.
    pub(super) fn change_looks_of(&mut self, edit: &MeshEdit, edited: &Mesh) -> Result<MeshEdit, String> {
        let inputs = self.inputs;
        let before = &inputs.original.meshes[edit.mesh.index()];
        let place = self.mesh_chunk(edit.mesh)?;
        let of_before = materials_of(before);
        let of_edited = materials_of(edited);
        let mut pairs: Vec<(MaterialId, MaterialId)> = Vec::new();
        for (index, origin) in edit.triangles.iter().enumerate() {
            let origin = origin.and_then(|origin| of_before.get(origin as usize).copied().flatten());
            if let (Some(a), Some(b)) = (origin, of_edited.get(index).copied().flatten())
                && !pairs.contains(&(a, b))
            {
                pairs.push((a, b));
            }
        }
        let known = |material: MaterialId| {
            let base = inputs.comparison.matches.materials.get(material.index()).copied().flatten()?;
            inputs.base.materials.get(base).copied().flatten()
        };
        let is_plain = pairs.iter().all(|(a, b)| pairs.iter().all(|(c, d)| a != c || b == d));
        if is_plain {
            for (a, b) in pairs.into_iter().filter(|(a, b)| known(*b) != Some(*a)) {
                let (a, b) =
                    (&inputs.original.materials[a.index()], &inputs.edited.scene.materials[b.index()]);
                self.replace_look(place, a, b)?;
            }
            return Ok(edit.clone());
        }
        let is_own = |material: Option<MaterialId>| {
            let own = material.and_then(known);
            own.is_some_and(|own| before.parts.iter().any(|part| part.material == Some(own)))
        };
        let mut foreign: Vec<Option<MaterialId>> = Vec::new();
        for part in edited.parts.iter().filter(|part| part.count > 0 && !is_own(part.material)) {
            if !foreign.contains(&part.material) {
                foreign.push(part.material);
            }
        }
        let left = edit.restricted(edited, is_own);
        let moved = pairs.iter().any(|(a, b)| is_own(Some(*b)) && known(*b) != Some(*a));
        if foreign.is_empty() || moved {
            return Err(
                "triangles have other materials of the same mesh; separate them into a mesh of their own in Blender"
                    .to_owned(),
            );
        }
        for material in foreign {
            let mut piece = edited.clone();
            piece.parts.retain(|part| part.material == material);
            self.add_part(&piece)?;
        }
        Ok(left)
    }

    /// Gives a mesh the look of another material in place of one that it has.
    fn replace_look(&mut self, place: Chunk, before: &Material, now: &Material) -> Result<(), String> {
        let inputs = self.inputs;
        if let Some((old, new)) = textures(inputs.original, before, inputs.edited.scene, now) {
            if !old.eq_ignore_ascii_case(&new) {
                replace_texture(self.chunk(place)?, &old, &new)?;
            }
        } else if picture(inputs.original, before).is_some() != picture(inputs.edited.scene, now).is_some() {
            return Err(
                "one of the two materials has no texture; separate the mesh in Blender, or convert without the original"
                    .to_owned(),
            );
        }
        let (Some(a), Some(b)) = (before.layers.first(), now.layers.first()) else { return Ok(()) };
        let is_other = !color(a).abs_diff_eq(color(b), 4e-3) || (alpha(a) - alpha(b)).abs() > 4e-3;
        if is_other {
            set_color(self.chunk(place)?, before, now)?;
        }
        if a.two_sided != b.two_sided {
            set_sides(self.chunk(place)?, b.two_sided)?;
        }
        if a.transparency() != b.transparency() {
            set_transparency(self.chunk(place)?, b.transparency())?;
        }
        Ok(())
    }
}

/// The material of each triangle.
fn materials_of(mesh: &Mesh) -> Vec<Option<MaterialId>> {
    let mut all = vec![None; mesh.indices.len() / 3];
    for part in &mesh.parts {
        let (start, count) = ((part.start / 3) as usize, (part.count / 3) as usize);
        all.iter_mut().skip(start).take(count).for_each(|material| *material = part.material);
    }
    all
}

fn color(layer: &Layer) -> glam::Vec3 {
    layer.lighting.as_ref().map_or(layer.color, |lighting| lighting.diffuse)
}

fn alpha(layer: &Layer) -> f32 {
    layer.lighting.as_ref().map_or(layer.alpha, |lighting| lighting.opacity)
}

/// The first texture of a material.
fn picture(scene: &Scene, material: &Material) -> Option<String> {
    let slots = material.layers.iter().filter_map(|layer| layer.slot(SlotKind::Diffuse));
    let mut textures = slots.filter_map(|slot| scene.textures.get(slot.texture?.index()));
    textures.next().map(|texture| texture.name.clone())
}

/// The only vertex material of a mesh: with several, glTF does not say which one was changed.
fn vertex_material<'n>(chunk: &'n mut Node<'_>) -> Result<&'n mut VertexMaterialInfo, String> {
    let list = chunk.child_mut(table::VERTEX_MATERIALS.row).ok_or("the mesh has no vertex material")?;
    let materials = list.children_mut().ok_or("the mesh has no vertex material")?;
    let [only] = &mut materials[..] else {
        return Err(
            "the mesh has several vertex materials; convert without the original to get it".to_owned()
        );
    };
    only.get_mut(table::VERTEX_MATERIAL_INFO).ok_or_else(|| "the mesh has no vertex material".to_owned())
}

fn set_color(chunk: &mut Node<'_>, before: &Material, now: &Material) -> Result<(), String> {
    let (Some(a), Some(b)) = (before.layers.first(), now.layers.first()) else {
        return Err("the material was not found".to_owned());
    };
    let info = vertex_material(chunk)?;
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
    if !color(a).abs_diff_eq(color(b), 4e-3) {
        let [r, g, b] = color(b).to_array().map(byte);
        let is_ambient = info.ambient == info.diffuse;
        info.diffuse = Rgb { r, g, b, ..info.diffuse };
        // Exporters write one colour for both.
        if is_ambient {
            info.ambient = Rgb { r, g, b, ..info.ambient };
        }
    }
    if (alpha(a) - alpha(b)).abs() > 4e-3 {
        info.opacity.set(alpha(b).clamp(0.0, 1.0));
    }
    Ok(())
}

fn set_sides(chunk: &mut Node<'_>, is_on: bool) -> Result<(), String> {
    let header =
        chunk.get_mut(table::MESH_HEADER3).ok_or("meshes of this kind cannot be changed in place")?;
    let (bits, flag) = (header.attributes.get(), MeshFlags::TWO_SIDED.get());
    header.attributes = MeshFlags::new(if is_on { bits | flag } else { bits & !flag });
    Ok(())
}

fn set_transparency(chunk: &mut Node<'_>, wanted: Transparency) -> Result<(), String> {
    let list = chunk.child_mut(table::SHADERS.row).ok_or("the mesh has no shader")?;
    let [shader] = list.values_mut::<Shader>() else {
        return Err("the mesh has several shaders; convert without the original to get it".to_owned());
    };
    let is_blended = wanted == Transparency::Blend;
    shader.alpha_test = if wanted == Transparency::Mask { AlphaTest::ENABLE } else { AlphaTest::DISABLE };
    shader.src_blend = if is_blended { SrcBlend::SRC_ALPHA } else { SrcBlend::ONE };
    shader.dest_blend = if is_blended { DestBlend::ONE_MINUS_SRC_ALPHA } else { DestBlend::ZERO };
    shader.depth_mask = if is_blended { DepthMask::WRITE_DISABLE } else { DepthMask::WRITE_ENABLE };
    Ok(())
}

/// The old and the new file of the texture that glTF shows.
fn textures(original: &Scene, before: &Material, edited: &Scene, now: &Material) -> Option<(String, String)> {
    let name = |scene: &Scene, material: &Material, layer: usize| {
        let slot = material.layers.get(layer)?.slot(SlotKind::Diffuse)?;
        slot.texture.and_then(|id| scene.textures.get(id.index())).map(|texture| texture.name.clone())
    };
    // Without extras, the only layer shows the lowest one with a texture.
    let first = (0..before.layers.len()).find(|layer| name(original, before, *layer).is_some())?;
    let pairs =
        (0..before.layers.len()).map(|layer| (name(original, before, layer), name(edited, now, layer)));
    let changed = pairs.filter_map(|(a, b)| a.zip(b)).find(|(a, b)| a != b);
    changed
        .filter(|_| now.layers.len() == before.layers.len())
        .or_else(|| Some((name(original, before, first)?, name(edited, now, 0)?)))
}

fn replace_texture(chunk: &mut Node<'_>, old: &str, new: &str) -> Result<usize, String> {
    let mut view = w3d::view::MeshMut::new(chunk).ok_or("meshes of this kind cannot be changed in place")?;
    view.replace_texture(old, native_name(new).as_deref().unwrap_or(new)).map_err(|error| error.to_string())
}
