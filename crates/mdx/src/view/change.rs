//! Changing names and files through views. Every byte that is not part of the value stays unchanged.

use record::{Chars, Error, F32, I32, Node, U32};

use super::{CameraMut, GeosetMut, LayerMut, MaterialMut, NodeKind, Object, TextureAnimationMut};
use crate::Document;
use crate::kinds::{self, Part};
use crate::records::{
    AttachmentHeader, Extent, NodeHeader, ParticleEmitterHeader, PopcornEmitterHeader, Sequence,
    SequenceFlags, Texture, WowAttachmentHeader, WowNodeHeader, WowSequence,
};

fn missing(what: &str, part: &str) -> Error {
    Error::new("MDX-VIEW", 0..0, format!("{what} has no {part}"))
}

/// A sequence of either game, to change it.
#[derive(Debug)]
pub struct SequenceMut<'n> {
    /// Its name.
    pub name: &'n mut Chars<80>,
    /// First frame, in milliseconds.
    pub start: &'n mut I32,
    /// Last frame, in milliseconds.
    pub end: &'n mut I32,
    /// Distance per second of a moving unit.
    pub move_speed: &'n mut F32,
    /// Whether it loops.
    pub flags: &'n mut SequenceFlags,
    /// Bounds while it plays.
    pub extent: &'n mut Extent,
}

impl SequenceMut<'_> {
    /// Sets its name.
    pub fn set_name(&mut self, text: &str) -> Result<(), Error> {
        self.name.set(text)
    }
}

macro_rules! sequences {
    ($chunk:expr, $record:ident) => {
        $chunk.values_mut::<$record>().iter_mut().map(|sequence| SequenceMut {
            name: &mut sequence.name,
            start: &mut sequence.start,
            end: &mut sequence.end,
            move_speed: &mut sequence.move_speed,
            flags: &mut sequence.flags,
            extent: &mut sequence.extent,
        })
    };
}

/// An object that is a node, to change it.
#[derive(Debug)]
pub struct ObjectMut<'n, 'd> {
    /// Its type.
    pub kind: NodeKind,
    /// The whole object.
    pub object: &'n mut Node<'d>,
}

impl<'n, 'd> ObjectMut<'n, 'd> {
    /// The view of an object; `None` if it is not a node or its header is damaged.
    pub fn new(object: &'n mut Node<'d>) -> Option<Self> {
        let kind = Object::new(object)?.kind;
        Some(Self { kind, object })
    }

    /// The view, to read; `None` if the header has been damaged since.
    pub fn view(&self) -> Option<Object<'_>> {
        Object::new(self.object)
    }

    /// The name and the parent's id in the header of either game.
    fn header(&mut self) -> Option<(&mut Chars<80>, &mut I32)> {
        let header = self.object.get_mut(kinds::NODE)?.children_mut()?.first_mut()?;
        if header.is(&kinds::NODE_HEADER) {
            return header.value_mut::<NodeHeader>().map(|header| (&mut header.name, &mut header.parent_id));
        }
        header.value_mut::<WowNodeHeader>().map(|header| (&mut header.name, &mut header.parent_id))
    }

    /// Sets its name.
    pub fn set_name(&mut self, text: &str) -> Result<(), Error> {
        let (name, _) = self.header().ok_or_else(|| missing("the node", "header"))?;
        name.set(text)
    }

    /// Sets its parent, by object id; `None` for no parent.
    pub fn set_parent(&mut self, parent: Option<i32>) -> Result<(), Error> {
        let (_, id) = self.header().ok_or_else(|| missing("the node", "header"))?;
        id.set(parent.unwrap_or(-1));
        Ok(())
    }

    /// A fixed part of the object, to change it: `object.part_mut::<BoneLinks>()`.
    pub fn part_mut<T: Part>(&mut self) -> Option<&mut T> {
        self.object.child_mut(T::kind())?.value_mut()
    }

    /// Sets the file that an attachment, a particle emitter or a popcorn emitter refers to.
    pub fn set_path(&mut self, path: &str) -> Result<(), Error> {
        if let Some(header) = self.part_mut::<AttachmentHeader>() {
            return header.path.set(path);
        }
        if let Some(header) = self.part_mut::<WowAttachmentHeader>() {
            return header.path.set(path);
        }
        if let Some(header) = self.part_mut::<ParticleEmitterHeader>() {
            return header.path.set(path);
        }
        match self.part_mut::<PopcornEmitterHeader>() {
            Some(header) => header.path.set(path),
            None => Err(missing("the node", "path")),
        }
    }
}

impl CameraMut<'_, '_> {
    /// Sets its name.
    pub fn set_name(&mut self, text: &str) -> Result<(), Error> {
        let header = self.get_mut(kinds::CAMERA_HEADER).ok_or_else(|| missing("the camera", "header"))?;
        header.name.set(text)
    }
}

impl GeosetMut<'_, '_> {
    /// Sets its name, which versions from 900 on have.
    pub fn set_name(&mut self, text: &str) -> Result<(), Error> {
        let header = self.get_mut(kinds::GEOSET_LEVEL_OF_DETAIL);
        header.ok_or_else(|| missing("the geoset", "name in this version"))?.name.set(text)
    }

    /// Sets its material.
    pub fn set_material(&mut self, index: u32) -> Result<(), Error> {
        let header = self.get_mut(kinds::GEOSET_HEADER).ok_or_else(|| missing("the geoset", "header"))?;
        header.material_id.set(index);
        Ok(())
    }
}

impl<'d> MaterialMut<'_, 'd> {
    /// Sets the name of its shader, which some versions have.
    pub fn set_shader(&mut self, text: &str) -> Result<(), Error> {
        let shader = self.get_mut(kinds::MATERIAL_SHADER);
        shader.ok_or_else(|| missing("the material", "shader in this version"))?.shader.set(text)
    }

    /// Its layers, to change them.
    pub fn layers_mut(&mut self) -> impl Iterator<Item = LayerMut<'_, 'd>> {
        let layers = if self.node.child(&kinds::LAYS).is_some() {
            self.node.get_mut(kinds::LAYS).and_then(Node::children_mut)
        } else {
            self.node.children_mut()
        };
        layers.into_iter().flatten().filter_map(LayerMut::new)
    }
}

impl LayerMut<'_, '_> {
    /// Sets the index of its texture: that of this slot from version 1100 on; in earlier versions that of the header,
    /// which is slot 0.
    pub fn set_texture(&mut self, slot: usize, texture: i32) -> Result<(), Error> {
        let slots =
            self.node.children_mut().into_iter().flatten().filter(|child| child.is(&kinds::TEXTURE_SLOT));
        if let Some(reference) = slots.skip(slot).find_map(|slot| slot.get_mut(kinds::TEXTURE_REFERENCE)) {
            reference.texture_id.set(texture);
            return Ok(());
        }
        let has_slots = self.node.child(&kinds::LAYER_SHADER).is_some();
        match self.get_mut(kinds::LAYER_HEADER) {
            Some(header) if slot == 0 && !has_slots => {
                header.texture_id.set(texture);
                Ok(())
            }
            _ => Err(missing("the layer", &format!("texture slot {slot}"))),
        }
    }
}

impl<'a> Document<'a> {
    /// The children of all chunks of a kind.
    fn objects_mut(&mut self) -> impl Iterator<Item = &mut Node<'a>> {
        let chunks = self.root.children_mut().into_iter().flatten();
        chunks.filter_map(Node::children_mut).flatten()
    }

    /// Sets the model's name.
    pub fn set_name(&mut self, text: &str) -> Result<(), Error> {
        if let Some(model) = self.root.get_mut(kinds::MODL) {
            return model.name.set(text);
        }
        match self.root.get_mut(kinds::WOW_MODL) {
            Some(model) => model.name.set(text),
            None => Err(missing("the model", "MODL")),
        }
    }

    /// The textures, to change them.
    pub fn textures_mut(&mut self) -> &mut [Texture] {
        self.root.get_mut(kinds::TEXS)
    }

    /// Sets the file of a texture, by its index.
    pub fn set_texture(&mut self, index: usize, file: &str) -> Result<(), Error> {
        let count = self.view().textures().len();
        match self.textures_mut().get_mut(index) {
            Some(texture) => texture.path.set(file),
            None => Err(missing("the model", &format!("texture {index}: it has {count}"))),
        }
    }

    /// Replaces a texture's file wherever it is listed. Case does not matter. Returns the number of replaced files.
    pub fn replace_texture(&mut self, old: &str, new: &str) -> Result<usize, Error> {
        let mut count = 0;
        for texture in self.textures_mut().iter_mut().filter(|texture| texture.path.is(old)) {
            texture.path.set(new)?;
            count += 1;
        }
        Ok(count)
    }

    /// The sequences, to change them.
    pub fn sequences_mut(&mut self) -> impl Iterator<Item = SequenceMut<'_>> {
        self.root.children_mut().into_iter().flatten().flat_map(|chunk| {
            let sequences: Vec<SequenceMut<'_>> = if chunk.is(&kinds::SEQS) {
                sequences!(chunk, Sequence).collect()
            } else if chunk.is(&kinds::WOW_SEQS) {
                sequences!(chunk, WowSequence).collect()
            } else {
                Vec::new()
            };
            sequences
        })
    }

    /// The durations of the global sequences, to change them.
    pub fn global_sequences_mut(&mut self) -> &mut [U32] {
        self.root.get_mut(kinds::GLBS)
    }

    /// Every object that is a node, to change it.
    pub fn nodes_mut(&mut self) -> impl Iterator<Item = ObjectMut<'_, 'a>> {
        self.objects_mut().filter_map(ObjectMut::new)
    }

    /// The materials, to change them.
    pub fn materials_mut(&mut self) -> impl Iterator<Item = MaterialMut<'_, 'a>> {
        self.objects_mut().filter_map(MaterialMut::new)
    }

    /// The texture animations, to change them.
    pub fn texture_animations_mut(&mut self) -> impl Iterator<Item = TextureAnimationMut<'_, 'a>> {
        self.objects_mut().filter_map(TextureAnimationMut::new)
    }

    /// The geosets, to change them; not those of version 1500.
    pub fn geosets_mut(&mut self) -> impl Iterator<Item = GeosetMut<'_, 'a>> {
        self.objects_mut().filter_map(GeosetMut::new)
    }

    /// The cameras, to change them.
    pub fn cameras_mut(&mut self) -> impl Iterator<Item = CameraMut<'_, 'a>> {
        self.objects_mut().filter_map(CameraMut::new)
    }
}
