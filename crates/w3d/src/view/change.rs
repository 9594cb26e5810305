//! Changing names and files through views. Every byte that is not part of the text stays unchanged.

use record::{Error, Node, decode, encode_name, until_nul};

use super::mesh::PRELIT;
use super::{
    AggregateMut, AnimationMut, CollectionMut, CollisionBoxMut, DazzleMut, EmitterMut, HModelMut,
    HierarchyMut, HlodMut, LodModelMut, MeshMut, MorphAnimationMut, MorphChannelMut, NullObjectMut,
    PropertyMut, RingMut, ShaderMaterialMut, ShaderMeshMut, SoundMut, SphereMut, TextureMut,
    VertexMaterialMut,
};
use crate::records;
use crate::table::{self, ring, sphere};
use crate::{Handle, W3d};

fn missing(node: &Node<'_>, part: &str) -> Error {
    Error::new("W3D-VIEW", 0..0, format!("{} has no {part}", node.kind.name))
}

/// Replaces the text of a string chunk.
fn set_text(node: &mut Node<'_>, handle: Handle<str>, text: &str) -> Result<(), Error> {
    encode_name(text)?;
    node.set(handle, text).ok_or_else(|| missing(node, handle.kind.name))
}

/// Methods that write a field of a record in a child.
macro_rules! fields {
    ($($view:ident { $($doc:literal $set:ident: $handle:expr, $field:ident;)* })*) => { $(
        impl $view<'_, '_> { $(
            #[doc = $doc]
            pub fn $set(&mut self, text: &str) -> Result<(), Error> {
                match self.node.get_mut($handle) {
                    Some(header) => header.$field.set(text),
                    None => Err(missing(self.node, $handle.kind.name)),
                }
            }
        )* }
    )* };
}

/// Methods that replace the text of a string chunk.
macro_rules! texts {
    ($($view:ident { $($doc:literal $set:ident: $handle:expr;)* })*) => { $(
        impl $view<'_, '_> { $(
            #[doc = $doc]
            pub fn $set(&mut self, text: &str) -> Result<(), Error> {
                set_text(self.node, $handle, text)
            }
        )* }
    )* };
}

/// Methods that write a field of the record in the chunk itself.
macro_rules! own_fields {
    ($($view:ident { $doc:literal $set:ident: $record:ident, $field:ident; })*) => { $(
        impl $view<'_, '_> {
            #[doc = $doc]
            pub fn $set(&mut self, text: &str) -> Result<(), Error> {
                match self.node.value_mut::<records::$record>() {
                    Some(record) => record.$field.set(text),
                    None => Err(missing(self.node, stringify!($record))),
                }
            }
        }
    )* };
}

fields! {
    MeshMut {
        "Sets the name within its container." set_name: table::MESH_HEADER3, mesh_name;
        "Sets the name of its container." set_container_name: table::MESH_HEADER3, container_name;
    }
    HierarchyMut {
        "Sets its name." set_name: table::HIERARCHY_HEADER, name;
    }
    MorphAnimationMut {
        "Sets its name." set_name: table::MORPHANIM_HEADER, name;
        "Sets the skeleton it is for." set_hierarchy_name: table::MORPHANIM_HEADER, hierarchy_name;
    }
    HModelMut {
        "Sets its name." set_name: table::HMODEL_HEADER, name;
        "Sets its skeleton." set_hierarchy_name: table::HMODEL_HEADER, hierarchy_name;
    }
    LodModelMut {
        "Sets its name." set_name: table::LODMODEL_HEADER, name;
    }
    CollectionMut {
        "Sets its name." set_name: table::COLLECTION_HEADER, name;
    }
    EmitterMut {
        "Sets its name." set_name: table::EMITTER_HEADER, name;
        "Sets the file of its texture." set_texture: table::EMITTER_INFO, texture_filename;
    }
    AggregateMut {
        "Sets its name." set_name: table::AGGREGATE_HEADER, name;
        "Sets the model it extends." set_base_model_name: table::AGGREGATE_INFO, base_model_name;
    }
    HlodMut {
        "Sets its name." set_name: table::HLOD_HEADER, name;
        "Sets its skeleton." set_hierarchy_name: table::HLOD_HEADER, hierarchy_name;
    }
    SphereMut {
        "Sets its name." set_name: sphere::SPHERE_DEF, name;
        "Sets the file of its texture." set_texture: sphere::SPHERE_DEF, texture_name;
    }
    RingMut {
        "Sets its name." set_name: ring::RING_DEF, name;
        "Sets the file of its texture." set_texture: ring::RING_DEF, texture_name;
    }
    SoundMut {
        "Sets its name." set_name: table::SOUNDROBJ_HEADER, name;
    }
    ShaderMaterialMut {
        "Sets the file of its shader." set_name: table::SHADER_MATERIAL_HEADER, shader_name;
    }
}

texts! {
    VertexMaterialMut {
        "Sets its name." set_name: table::VERTEX_MATERIAL_NAME;
    }
    TextureMut {
        "Sets its file." set_name: table::TEXTURE_NAME;
    }
    MorphChannelMut {
        "Sets the animation that holds the poses, `Hierarchy.Animation`." set_pose_name: table::MORPHANIM_POSENAME;
    }
    DazzleMut {
        "Sets its full name, `Container.Dazzle`." set_name: table::DAZZLE_NAME;
        "Sets its type in `dazzle.ini`." set_type_name: table::DAZZLE_TYPENAME;
    }
    ShaderMeshMut {
        "Sets its full name, `Container.Mesh`." set_name: table::SHDMESH_NAME;
    }
}

own_fields! {
    CollisionBoxMut { "Sets its full name, `Container.Box`." set_name: CollisionBox, name; }
    NullObjectMut { "Sets its full name, `Container.Object`." set_name: NullObject, name; }
}

impl AnimationMut<'_, '_> {
    /// Sets its name.
    pub fn set_name(&mut self, text: &str) -> Result<(), Error> {
        if let Some(header) = self.node.get_mut(table::COMPRESSED_ANIMATION_HEADER) {
            return header.name.set(text);
        }
        match self.node.get_mut(table::ANIMATION_HEADER) {
            Some(header) => header.name.set(text),
            None => Err(missing(self.node, "header")),
        }
    }

    /// Sets the skeleton it is for.
    pub fn set_hierarchy_name(&mut self, text: &str) -> Result<(), Error> {
        if let Some(header) = self.node.get_mut(table::COMPRESSED_ANIMATION_HEADER) {
            return header.hierarchy_name.set(text);
        }
        match self.node.get_mut(table::ANIMATION_HEADER) {
            Some(header) => header.hierarchy_name.set(text),
            None => Err(missing(self.node, "header")),
        }
    }
}

impl HierarchyMut<'_, '_> {
    /// Sets the name of a bone.
    pub fn set_pivot_name(&mut self, index: usize, text: &str) -> Result<(), Error> {
        match self.node.get_mut(table::PIVOTS).get_mut(index) {
            Some(pivot) => pivot.name.set(text),
            None => Err(missing(self.node, &format!("pivot {index}"))),
        }
    }
}

impl<'d> MeshMut<'_, 'd> {
    /// The node that holds the materials, as [`Mesh::material_node`](super::Mesh::material_node) finds it.
    fn material_node(&mut self) -> Option<&mut Node<'d>> {
        match PRELIT.into_iter().find(|wrapper| self.node.child(wrapper).is_some()) {
            Some(wrapper) => self.node.child_mut(&wrapper),
            None => Some(self.node),
        }
    }

    /// Its textures, to change them.
    pub fn textures_mut(&mut self) -> impl Iterator<Item = TextureMut<'_, 'd>> {
        let textures = self.material_node().and_then(|node| node.get_mut(table::TEXTURES));
        textures.and_then(Node::children_mut).into_iter().flatten().filter_map(TextureMut::new)
    }

    /// Its vertex materials, to change them.
    pub fn vertex_materials_mut(&mut self) -> impl Iterator<Item = VertexMaterialMut<'_, 'd>> {
        let materials = self.material_node().and_then(|node| node.get_mut(table::VERTEX_MATERIALS));
        materials.and_then(Node::children_mut).into_iter().flatten().filter_map(VertexMaterialMut::new)
    }

    /// Its FX shader materials, to change them.
    pub fn shader_materials_mut(&mut self) -> impl Iterator<Item = ShaderMaterialMut<'_, 'd>> {
        let materials = self.node.get_mut(table::SHADER_MATERIALS);
        materials.and_then(Node::children_mut).into_iter().flatten().filter_map(ShaderMaterialMut::new)
    }

    /// Sets the file of a texture, by its index.
    pub fn set_texture(&mut self, index: usize, file: &str) -> Result<(), Error> {
        if let Some(mut texture) = self.textures_mut().nth(index) {
            return texture.set_name(file);
        }
        let count = self.view().textures().count();
        Err(missing(self.node, &format!("texture {index}: it has {count}")))
    }

    /// Replaces a texture's file wherever the mesh names it: in textures of any wrapper, in shader materials and in
    /// obsolete maps. Case does not matter. Returns the number of replaced names.
    pub fn replace_texture(&mut self, old: &str, new: &str) -> Result<usize, Error> {
        replace_texture(self.node, old, new)
    }
}

fn replace_texture(node: &mut Node<'_>, old: &str, new: &str) -> Result<usize, Error> {
    let same = |bytes: &[u8]| decode(bytes).eq_ignore_ascii_case(old);
    if node.is(&table::TEXTURE_NAME) || node.is(&table::MAP3_FILENAME) {
        if !node.text().is_some_and(same) {
            return Ok(0);
        }
        let text = encode_name(new)?;
        return Ok(node.set_text(&text).map_or(0, |()| 1));
    }
    if let Some(mut property) = PropertyMut::new(node) {
        if !property.view().0.slots().any(|part| part.slot.name == "texture" && same(until_nul(part.bytes))) {
            return Ok(0);
        }
        return property.set_texture(new).map(|()| 1);
    }
    let mut count = 0;
    for child in node.children_mut().into_iter().flatten() {
        count += replace_texture(child, old, new)?;
    }
    Ok(count)
}

impl<'d> ShaderMaterialMut<'_, 'd> {
    /// Its properties, to change them.
    pub fn properties_mut(&mut self) -> impl Iterator<Item = PropertyMut<'_, 'd>> {
        self.node.children_mut().into_iter().flatten().filter_map(PropertyMut::new)
    }
}

impl PropertyMut<'_, '_> {
    /// Sets the file of a texture property, and the length field before it.
    pub fn set_texture(&mut self, file: &str) -> Result<(), Error> {
        let text = encode_name(file)?;
        let mut slots = self.node.slots();
        let Some(length) = slots.find(|part| part.slot.name == "texture_length") else {
            return Err(missing(self.node, "texture"));
        };
        let start = length.start + length.bytes.len();
        let old = slots.find(|part| part.slot.name == "texture").map_or(&[][..], |part| part.bytes);
        let (kept, terminated) = (until_nul(old).len(), old.contains(&0));
        let stated = length.start..start;
        let new_length = old.len() - kept + text.len() + usize::from(!terminated);
        let word = u32::try_from(new_length).unwrap_or(u32::MAX).to_le_bytes();
        let terminator: &[u8] = if terminated { &[] } else { &[0] };
        let Some(bytes) = self.node.bytes_mut() else { return Ok(()) };
        bytes.splice(start..start + kept, text.iter().chain(terminator).copied());
        bytes.splice(stated, word);
        Ok(())
    }
}

impl W3d<'_> {
    /// Replaces a texture's file wherever a mesh, emitter, sphere or ring names it. Case does not matter. Returns the
    /// number of replaced names.
    pub fn replace_texture(&mut self, old: &str, new: &str) -> Result<usize, Error> {
        let mut count = 0;
        for mut mesh in self.meshes_mut() {
            count += mesh.replace_texture(old, new)?;
        }
        macro_rules! effects {
            ($($all:ident),*) => { $(
                for mut effect in self.$all() {
                    if effect.view().texture_name().eq_ignore_ascii_case(old) {
                        effect.set_texture(new)?;
                        count += 1;
                    }
                }
            )* };
        }
        effects!(emitters_mut, spheres_mut, rings_mut);
        Ok(count)
    }
}
