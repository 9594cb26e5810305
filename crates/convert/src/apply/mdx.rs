//! Edits in an MDX document: the parts that changed change, every other one keeps its bytes.

mod add;
mod binding;
mod extents;
mod geoset;
mod keys;
mod motion;
mod node;
mod objects;

use super::{Edit, Inputs, LookChange};
use crate::author::mdx::texture_path;
use crate::report::{NoteKind, Report};
use mdx::records::{FilterMode, LayerFlags};
use mdx::{Dialect, Document, kinds};
use scene::{ClipId, Material, MaterialId, MeshId, NodeId, Scene, SlotKind, Texture, Transparency};

/// Makes the edits in a document. The report lists those that could not be made.
pub fn apply(document: &mut Document<'_>, inputs: &Inputs<'_>) -> Report {
    let mut author = Author {
        inputs,
        document,
        report: Report::default(),
        removed: Vec::new(),
        gone: Vec::new(),
        first_added: 0,
        added: Vec::new(),
        clips: (0..inputs.original.clips.len()).map(|clip| Some(ClipId::from(clip))).collect(),
    };
    for edit in &inputs.comparison.edits {
        if let Err(reason) = author.edit(edit) {
            author.refuse(edit, &reason);
        }
    }
    author.finish_motion();
    author.widen_extents();
    // Removing parts changes the numbers of others, so it comes last.
    author.remove_nodes();
    author.remove_geosets();
    author.report
}

struct Author<'d, 'a, 'i> {
    inputs: &'i Inputs<'i>,
    document: &'d mut Document<'a>,
    report: Report,
    /// Geosets that go.
    removed: Vec<usize>,
    /// Nodes that go.
    gone: Vec<NodeId>,
    /// Where the first new bone is among the nodes.
    first_added: usize,
    /// The nodes of the edited scene that new bones are for, in the order of these.
    added: Vec<usize>,
    /// The clip of the original that each sequence is. New ones have none.
    clips: Vec<Option<ClipId>>,
}

const ELSEWHERE: &str = "cannot be applied to the original; convert without the original to get it";

impl Author<'_, '_, '_> {
    fn refuse(&mut self, edit: &Edit, reason: &str) {
        self.report.note(NoteKind::Skipped, &self.inputs.words(edit), reason);
    }

    fn edit(&mut self, edit: &Edit) -> Result<(), String> {
        match edit {
            Edit::MeshChanged(change) => self.change_geoset(change),
            Edit::MeshRemoved(MeshId(index)) => {
                if self.document.dialect != Dialect::Warcraft {
                    return Err(ELSEWHERE.to_owned());
                }
                self.removed.push(*index as usize);
                Ok(())
            }
            Edit::MeshRenamed(mesh, name) => match self.document.geosets_mut().nth(mesh.index()) {
                Some(mut geoset) => match geoset.set_name(name) {
                    Ok(()) => Ok(()),
                    Err(_) => Err("geosets have no names in this version".to_owned()),
                },
                None => Err("its geoset was not found".to_owned()),
            },
            Edit::NodeRenamed(node, name) => {
                let place = self.position(*node);
                match self.document.nodes_mut().nth(place) {
                    Some(mut object) => object.set_name(name).map_err(|error| error.to_string()),
                    None => Err("its object was not found".to_owned()),
                }
            }
            Edit::NodeMoved(node, _) => self.move_pivots(*node),
            Edit::NodeReparented(node, parent) => self.reparent(*node, *parent),
            Edit::NodeRemoved(node) => {
                self.gone.push(*node);
                Ok(())
            }
            Edit::NodeAdded(index) => {
                // The node of a new mesh comes with the mesh.
                match self.inputs.holds_mesh(*index) {
                    true => Ok(()),
                    false => self.add_bone(NodeId::from(*index)).map(|_| ()),
                }
            }
            Edit::MeshAdded(index) => self.add_geoset(*index),
            Edit::MaterialChanged(material, index, changes) => {
                self.change_material(*material, *index, changes)
            }
            Edit::ClipRenamed(clip, name) => {
                let place = self.sequence(*clip)?;
                match self.document.sequences_mut().nth(place) {
                    Some(mut sequence) => sequence.set_name(name).map_err(|error| error.to_string()),
                    None => Err("its sequence was not found".to_owned()),
                }
            }
            Edit::ClipRemoved(clip) => self.remove_sequence(*clip),
            // Clips are made together, later.
            Edit::ClipAdded(_)
            | Edit::MotionChanged(..)
            | Edit::MotionAdded(..)
            | Edit::GlobalMotionChanged(..) => Ok(()),
            Edit::ClipLength(clip, duration) => self.set_length(*clip, *duration),
            Edit::ObjectChanged(object) => self.change_object(object),
            Edit::EventsChanged(event, clip, times) => self.change_events(*event, *clip, times),
        }
    }

    fn change_material(
        &mut self,
        material: MaterialId,
        index: usize,
        changes: &[LookChange],
    ) -> Result<(), String> {
        let inputs = self.inputs;
        let before = inputs.original.materials.get(material.index()).ok_or("the material was not found")?;
        let now = inputs.edited.scene.materials.get(index).ok_or("the material was not found")?;
        let mut refused = Vec::new();
        for change in changes {
            match change {
                // Materials have no names in MDX.
                LookChange::Name => {}
                LookChange::Texture => self.change_texture(material, before, now)?,
                LookChange::TwoSided => {
                    let is_on = now.layers.first().is_some_and(|layer| layer.two_sided);
                    self.set_flag(material, None, LayerFlags::TWO_SIDED, is_on)?;
                }
                LookChange::Unlit => {
                    let layer = shown(before);
                    let is_on = now.layers.get(layer).or(now.layers.first()).is_some_and(|layer| layer.unlit);
                    self.set_flag(material, Some(layer), LayerFlags::UNSHADED, is_on)?;
                }
                LookChange::Transparency => {
                    let layer = shown(before);
                    let look =
                        now.layers.get(layer).or(now.layers.first()).ok_or("the material was not found")?;
                    let mode = match look.transparency() {
                        Transparency::Opaque => FilterMode::NONE,
                        Transparency::Mask => FilterMode::TRANSPARENT,
                        Transparency::Blend => FilterMode::BLEND,
                    };
                    self.layer(material, layer, |header| header.filter_mode = mode)?;
                }
                LookChange::Color => {
                    let layer = shown(before);
                    let look =
                        now.layers.get(layer).or(now.layers.first()).ok_or("the material was not found")?;
                    let alpha = look.lighting.as_ref().map_or(look.alpha, |lighting| lighting.opacity);
                    let is_same =
                        before.layers.get(layer).is_some_and(|before| (before.alpha - alpha).abs() < 4e-3);
                    if is_same {
                        refused.push("colour: MDX has none");
                    } else {
                        self.layer(material, layer, |header| header.alpha.set(alpha))?;
                    }
                }
                LookChange::Other => refused.push("other properties"),
            }
        }
        match refused.is_empty() {
            true => Ok(()),
            false => Err(format!("{} cannot be changed in place", refused.join(", "))),
        }
    }

    /// Changes the header of a layer.
    fn layer(
        &mut self,
        material: MaterialId,
        layer: usize,
        change: impl FnOnce(&mut mdx::records::LayerHeader),
    ) -> Result<(), String> {
        let mut material =
            self.document.materials_mut().nth(material.index()).ok_or("the material was not found")?;
        let layer = material.layers_mut().nth(layer);
        let mut layer = layer.ok_or("the layer was not found")?;
        change(layer.get_mut(kinds::LAYER_HEADER).ok_or("the layer was not found")?);
        Ok(())
    }

    fn set_flag(
        &mut self,
        material: MaterialId,
        layer: Option<usize>,
        flag: LayerFlags,
        is_on: bool,
    ) -> Result<(), String> {
        let count =
            self.document.view().materials().nth(material.index()).map_or(0, |found| found.layers().count());
        let layers = match layer {
            Some(layer) => layer..layer + 1,
            None => 0..count,
        };
        for layer in layers {
            self.layer(material, layer, |header| {
                let bits = header.flags.get();
                header.flags = LayerFlags::new(if is_on { bits | flag.get() } else { bits & !flag.get() });
            })?;
        }
        Ok(())
    }

    /// Another file for the texture that glTF shows. A texture that others use stays, and a new one is added.
    fn change_texture(
        &mut self,
        material: MaterialId,
        before: &Material,
        now: &Material,
    ) -> Result<(), String> {
        let inputs = self.inputs;
        let texture_of = |scene: &Scene, material: &Material, layer: usize| -> Option<Texture> {
            let slot = material.layers.get(layer)?.slot(SlotKind::Diffuse)?;
            scene.textures.get(slot.texture?.index()).cloned()
        };
        let own = |layer: usize| texture_of(inputs.original, before, layer);
        let has_layers = now.layers.len() == before.layers.len();
        let mut all = 0..before.layers.len();
        // With all layers it is the one that differs. Otherwise glTF shows the lowest one with a file.
        let layer = match has_layers {
            true => all.find(|layer| own(*layer) != texture_of(inputs.edited.scene, now, *layer)),
            false => all.find(|layer| own(*layer).is_some_and(|own| !own.name.is_empty())),
        };
        let layer = layer.unwrap_or_else(|| shown(before));
        let look = now.layers.get(layer).filter(|_| has_layers).or(now.layers.first());
        let slot = look.and_then(|look| look.slot(SlotKind::Diffuse)).and_then(|slot| slot.texture);
        let texture = slot.and_then(|id| self.inputs.edited.scene.textures.get(id.index()));
        let texture = texture.ok_or("textures can be replaced by others only")?;
        let name = texture_path(&texture.name, self.document.version);
        let known = self.document.view().textures().iter().position(|known| known.path.is(&name));
        let own = before
            .layers
            .get(layer)
            .and_then(|layer| layer.slot(SlotKind::Diffuse))
            .and_then(|slot| slot.texture);
        let users = self
            .inputs
            .original
            .materials
            .iter()
            .flat_map(|material| &material.layers)
            .flat_map(|layer| &layer.slots);
        let users = users.filter(|slot| slot.texture == own).count();
        let is_free = own.is_some_and(|own| {
            let is_particle = self.inputs.original.emitters.iter().any(|emitter| uses_texture(emitter, own));
            let is_supplied = self
                .inputs
                .original
                .textures
                .get(own.index())
                .is_some_and(|texture| texture.replaceable.is_some());
            users == 1 && !is_particle && !is_supplied
        });
        let index = match (known, own) {
            (Some(known), _) => known,
            (None, Some(own)) if is_free => {
                return self.document.set_texture(own.index(), &name).map_err(|error| error.to_string());
            }
            _ => {
                let mut record = mdx::records::Texture::default();
                if let Some(like) =
                    own.and_then(|own| self.document.view().textures().get(own.index()).copied())
                {
                    record = like;
                }
                record.replaceable_id = Default::default();
                record.path = Default::default();
                record.path.set(&name).map_err(|error| error.to_string())?;
                self.add_texture(&record)?
            }
        };
        let mut found =
            self.document.materials_mut().nth(material.index()).ok_or("the material was not found")?;
        let mut layer = found.layers_mut().nth(layer).ok_or("the layer was not found")?;
        layer.set_texture(0, i32::try_from(index).unwrap_or(0)).map_err(|error| error.to_string())
    }

    /// Adds a texture. The result is its number.
    fn add_texture(&mut self, record: &mdx::records::Texture) -> Result<usize, String> {
        let mut all = self.document.view().textures().to_vec();
        all.push(*record);
        let chunk =
            add::chunk_mut(&mut self.document.root, kinds::TEXS.kind).ok_or("the model has no textures")?;
        chunk.set_values(&all).ok_or("the textures cannot be written")?;
        Ok(all.len() - 1)
    }
}

/// The layer that glTF mainly shows: the last one that hides what is below it, or the first.
fn shown(material: &Material) -> usize {
    let has_picture =
        |layer: &scene::Layer| layer.slot(SlotKind::Diffuse).is_some_and(|slot| slot.texture.is_some());
    material.layers.iter().position(has_picture).unwrap_or(0)
}

/// Whether an emitter shows a texture.
fn uses_texture(emitter: &scene::Emitter, texture: scene::TextureId) -> bool {
    match &emitter.kind {
        scene::EmitterKind::Sprite(sprite) => sprite.texture == Some(texture),
        scene::EmitterKind::Keyed(keyed) => keyed.texture == Some(texture),
        scene::EmitterKind::Model(_) | scene::EmitterKind::Effect(_) => false,
    }
}
