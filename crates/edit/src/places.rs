//! Table of all fields that hold names and paths, for both families.

use std::collections::HashSet;

use mdx::kinds;
use record::{Item, Kind, Node, Type, decode, until_nul};
use w3d::table;
use w3d::table::shader_def::{bumpdiff, bumpspec, simple, specular};
use w3d::table::{ring, shader_def, sphere};

use crate::Error;
use crate::text::{overwrite_field, replace};

/// The role of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A mesh's own name.
    Mesh,
    /// The container of a mesh.
    Container,
    /// The full name of an object, with or without a container, where it is defined.
    Object,
    /// A reference by full name.
    ObjectReference,
    /// A reference relative to the container of the surrounding model.
    PartOfModel,
    /// A skeleton or a model.
    Model,
    /// A bone or node.
    Bone,
    /// An animation or sequence.
    Animation,
    /// `Hierarchy.Animation`.
    Pose,
    /// A list of sequences with switches: `Always=on, Death=off`.
    SequenceSwitches,
    /// A camera.
    Camera,
    /// A texture's file.
    Texture,
    /// Another file.
    Path,
}

/// One field that holds a text.
pub(crate) struct Place {
    pub(crate) kind: &'static Kind,
    slot: &'static str,
    /// The field of the slot's record; empty where the slot itself is a string.
    field: &'static str,
    pub(crate) role: Role,
}

/// A string whose length is in another field.
pub(crate) struct Length {
    pub(crate) kind: &'static Kind,
    pub(crate) slot: &'static str,
    pub(crate) length: &'static str,
}

macro_rules! places {
    ($($role:ident { $($kind:expr, $slot:literal $(. $field:literal)?;)* })*) => {
        &[$($(Place { kind: $kind.kind, slot: $slot, field: concat!($($field)?), role: Role::$role },)*)*]
    };
}

/// Every text that another part may refer to, or that refers to one.
pub(crate) static PLACES: &[Place] = places! {
    Mesh {
        table::MESH_HEADER3, "fields"."mesh_name";
        table::MESH_HEADER, "fields"."mesh_name";
        kinds::GEOSET_LEVEL_OF_DETAIL, "level_of_detail"."name";
    }
    Container {
        table::MESH_HEADER3, "fields"."container_name";
    }
    Object {
        table::BOX, "fields"."name";
        table::NULL_OBJECT, "fields"."name";
        table::DAZZLE_NAME, "name";
        table::SHDMESH_NAME, "name";
        sphere::SPHERE_DEF, "fields"."name";
        ring::RING_DEF, "fields"."name";
    }
    ObjectReference {
        table::HLOD_SUB_OBJECT, "fields"."name";
        table::LOD, "fields"."render_obj_name";
        table::COLLECTION_OBJ_NAME, "name";
        table::AGGREGATE_INFO, "fields"."base_model_name";
        table::AGGREGATE_INFO, "subobjects"."subobject_name";
        table::TEXTURE_REPLACER_INFO, "replacers"."mesh_path";
    }
    PartOfModel {
        table::NODE, "fields"."render_obj_name";
        table::COLLISION_NODE, "fields"."render_obj_name";
        table::SKIN_NODE, "fields"."render_obj_name";
        table::SHADOW_NODE, "fields"."render_obj_name";
    }
    Model {
        table::HIERARCHY_HEADER, "fields"."name";
        table::HLOD_HEADER, "fields"."name";
        table::HLOD_HEADER, "fields"."hierarchy_name";
        table::HMODEL_HEADER, "fields"."name";
        table::HMODEL_HEADER, "fields"."hierarchy_name";
        table::LODMODEL_HEADER, "fields"."name";
        table::COLLECTION_HEADER, "fields"."name";
        table::AGGREGATE_HEADER, "fields"."name";
        table::EMITTER_HEADER, "fields"."name";
        table::SOUNDROBJ_HEADER, "fields"."name";
        table::ANIMATION_HEADER, "fields"."hierarchy_name";
        table::COMPRESSED_ANIMATION_HEADER, "fields"."hierarchy_name";
        table::MORPHANIM_HEADER, "fields"."hierarchy_name";
        table::MESH_HEADER, "fields"."hierarchy_tree_name";
        table::MESH_HEADER, "fields"."hierarchy_model_name";
        kinds::MODL, "model"."name";
        kinds::WOW_MODL, "wow_model"."name";
    }
    Bone {
        table::PIVOTS, "pivots"."name";
        table::AGGREGATE_INFO, "subobjects"."bone_name";
        table::TEXTURE_REPLACER_INFO, "replacers"."bone_path";
        kinds::NODE_HEADER, "node"."name";
        kinds::WOW_NODE_HEADER, "node"."name";
        kinds::PREM_NODE_HEADER, "particle_emitter_node"."name";
        kinds::WOW_PREM_NODE_HEADER, "particle_emitter_node"."name";
        kinds::FAFX, "face_effects"."target";
    }
    Animation {
        table::ANIMATION_HEADER, "fields"."name";
        table::COMPRESSED_ANIMATION_HEADER, "fields"."name";
        table::MORPHANIM_HEADER, "fields"."name";
        kinds::SEQS, "sequences"."name";
        kinds::WOW_SEQS, "wow_sequences"."name";
    }
    Pose {
        table::MORPHANIM_POSENAME, "name";
    }
    SequenceSwitches {
        kinds::POPCORN_EMITTER_HEADER, "emitter"."animation_visibility_guide";
    }
    Camera {
        kinds::CAMERA_HEADER, "camera"."name";
    }
    Texture {
        table::TEXTURE_NAME, "name";
        table::SHADER_MATERIAL_PROPERTY, "texture";
        table::MAP3_FILENAME, "name";
        table::MATERIALS, "materials"."primary_name";
        table::MATERIALS, "materials"."secondary_name";
        table::MATERIALS2, "materials"."primary_name";
        table::MATERIALS2, "materials"."secondary_name";
        table::EMITTER_INFO, "fields"."texture_filename";
        sphere::SPHERE_DEF, "fields"."texture_name";
        ring::RING_DEF, "fields"."texture_name";
        table::TEXTURE_REPLACER_INFO, "replacers"."old_texture_name";
        table::TEXTURE_REPLACER_INFO, "replacers"."new_texture_name";
        simple::TEXTURE, "text";
        bumpdiff::TEXTURE, "text";
        bumpdiff::BUMPMAP, "text";
        bumpspec::TEXTURE, "text";
        bumpspec::BUMPMAP, "text";
        specular::TEXTURE, "text";
        shader_def::LEGACY_TEXTURE0, "name";
        shader_def::LEGACY_TEXTURE1, "name";
        shader_def::LEGACY_TEXTURE2, "name";
        shader_def::LEGACY_TEXTURE3, "name";
        shader_def::LEGACY_TEXTURE4, "name";
        shader_def::LEGACY_TEXTURE5, "name";
        shader_def::LEGACY_TEXTURE6, "name";
        shader_def::LEGACY_TEXTURE7, "name";
        kinds::TEXS, "textures"."path";
        kinds::WOW_TEXS, "wow_textures"."path";
    }
    Path {
        kinds::ATTACHMENT_HEADER, "attachment"."path";
        kinds::WOW_ATTACHMENT_HEADER, "attachment"."path";
        kinds::PARTICLE_EMITTER_HEADER, "emitter"."path";
        kinds::POPCORN_EMITTER_HEADER, "emitter"."path";
        kinds::WOW_PARTICLE_EMITTER_2_HEADER, "emitter"."geometry_model";
        kinds::WOW_PARTICLE_EMITTER_2_HEADER, "emitter"."recursion_model";
        kinds::FAFX, "face_effects"."path";
    }
};

/// All strings with a length field.
pub(crate) static LENGTHS: &[Length] = &[
    Length { kind: table::SHADER_MATERIAL_PROPERTY.kind, slot: "name", length: "fields.name_length" },
    Length { kind: table::SHADER_MATERIAL_PROPERTY.kind, slot: "texture", length: "texture_length" },
    Length { kind: table::PLACEHOLDER.kind, slot: "name", length: "fields.name_len" },
    Length { kind: table::TRANSFORM_NODE.kind, slot: "name", length: "fields.name_len" },
    Length { kind: table::EMITTER_USER_DATA.kind, slot: "text", length: "fields.string_size" },
];

/// Maps the role and bytes of a text to the new text; `None` keeps it.
type Changing<'c> = dyn FnMut(Role, &[u8]) -> Result<Option<Vec<u8>>, Error> + 'c;

/// The distinct texts of some roles, in file order.
pub(crate) fn given(root: &mut Node<'_>, wanted: &dyn Fn(Role) -> bool) -> Result<Vec<String>, Error> {
    let (mut names, mut seen) = (Vec::new(), HashSet::new());
    change_texts(root, wanted, &mut |_, text| {
        if !text.is_empty() && seen.insert(text.to_ascii_lowercase()) {
            names.push(decode(text).into_owned());
        }
        Ok(None)
    })?;
    Ok(names)
}

/// Calls `change` for every text of some roles and writes the result. Returns the number of changed texts.
pub(crate) fn change_texts(
    root: &mut Node<'_>,
    wanted: &dyn Fn(Role) -> bool,
    change: &mut Changing<'_>,
) -> Result<usize, Error> {
    let rows: Vec<&Place> = PLACES.iter().filter(|place| wanted(place.role)).collect();
    let mut changed = 0;
    crate::each_leaf(root, &mut |leaf| {
        let kind = leaf.kind;
        for place in rows.iter().filter(|place| std::ptr::eq(place.kind, kind)) {
            let mut news = Vec::new();
            let Some(part) = leaf.slots().find(|part| part.slot.name == place.slot) else { continue };
            let Item::Value(ty) = part.slot.item else {
                let range = part.start..part.start + part.bytes.len();
                let Some(new) = differing(change, place.role, part.bytes)? else { continue };
                changed += 1;
                replace(leaf, place.slot, range, &new).ok_or_else(|| {
                    Error::new(format!("{} is too long for its length field", place.kind.name))
                })?;
                continue;
            };
            let fields = fields_of(ty, place.field);
            for (index, element) in part.bytes.chunks_exact(ty.size()).enumerate() {
                for field in &fields {
                    let Some(bytes) = element.get(field.clone()) else { continue };
                    if let Some(new) = differing(change, place.role, bytes)? {
                        let start = part.start + index * ty.size();
                        news.push((start + field.start..start + field.end, new));
                    }
                }
            }
            if news.is_empty() {
                continue;
            }
            changed += news.len();
            let Some(body) = leaf.bytes_mut() else { continue };
            for (range, new) in news {
                let at = format!("{} of {}", place.field, place.kind.name);
                overwrite_field(body.get_mut(range).unwrap_or_default(), &new, &at)?;
            }
        }
        Ok(())
    })?;
    Ok(changed)
}

fn differing(change: &mut Changing<'_>, role: Role, bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
    let old = until_nul(bytes);
    Ok(change(role, old)?.filter(|new| new != old))
}

/// The strings of a field: one, or the elements of an array.
fn fields_of(ty: Type, field: &str) -> Vec<std::ops::Range<usize>> {
    match ty.locate(field) {
        Some((range, Type::Array(element, count))) => (0..count)
            .map(|index| range.start + index * element.size()..range.start + (index + 1) * element.size())
            .collect(),
        Some((range, _)) => vec![range],
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A misspelled row would silently have no effect.
    #[test]
    fn every_row_names_a_string() {
        for place in PLACES {
            let slot = place.kind.slots.iter().find(|slot| slot.name == place.slot);
            let slot = slot.unwrap_or_else(|| panic!("{} has no slot {}", place.kind.name, place.slot));
            let is_text = match slot.item {
                Item::Text => place.field.is_empty(),
                Item::Value(ty) => matches!(
                    ty.locate(place.field),
                    Some((_, Type::Chars(_) | Type::Array(Type::Chars(_), _)))
                ),
                Item::Plain | Item::Pieces(_) | Item::Raw => false,
            };
            assert!(is_text, "{}.{}.{}", place.kind.name, place.slot, place.field);
        }
    }

    #[test]
    fn lengths_name_words() {
        for row in LENGTHS {
            assert!(
                row.kind.slots.iter().any(|slot| slot.name == row.slot && matches!(slot.item, Item::Text))
            );
            let (slot, field) = row.length.split_once('.').unwrap_or((row.length, ""));
            let item = row.kind.slots.iter().find(|known| known.name == slot).map(|slot| slot.item);
            let Some(Item::Value(ty)) = item else { panic!("{} has no slot {slot}", row.kind.name) };
            assert!(matches!(ty.locate(field), Some((_, Type::U32))), "{} of {}", row.length, row.kind.name);
        }
    }
}
