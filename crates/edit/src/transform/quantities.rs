//! Table of all spatial quantities of both families.

use mdx::kinds;
use record::zerocopy::{FromBytes, IntoBytes};
use record::{F32, Item, Kind, Node, Vec3};
use w3d::table;
use w3d::table::sound::variables as sound;
use w3d::table::{ring, sphere};

use super::mapping::Transform;

/// A kind of spatial quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    /// A position.
    Point,
    /// A difference of positions, or a velocity.
    Vector,
    /// A direction across a surface.
    Normal,
    /// A direction along a surface.
    Tangent,
    /// Three half sizes along the axes.
    Half,
    /// A length, or several.
    Length,
    /// Two corners of a box: this field and the one named.
    Bounds(&'static str),
    /// A plane's normal, and its distance in the field named.
    Plane(&'static str),
}
use Quantity::{Bounds, Half, Length, Normal, Plane, Point, Tangent, Vector};

struct Row {
    kind: &'static Kind,
    slot: &'static str,
    field: &'static str,
    quantity: Quantity,
}

macro_rules! rows {
    ($($kind:expr, $slot:literal { $($field:literal $quantity:expr;)* })*) => {
        &[$($(Row { kind: $kind.kind, slot: $slot, field: $field, quantity: $quantity },)*)*]
    };
}

static ROWS: &[Row] = rows! {
    table::VERTICES, "vertices" { "" Point; }
    table::VERTEX_NORMALS, "normals" { "" Normal; }
    table::SURRENDER_NORMALS, "normals" { "" Normal; }
    table::SECONDARY_VERTICES, "vertices" { "" Point; }
    table::SECONDARY_VERTEX_NORMALS, "normals" { "" Normal; }
    table::TANGENTS, "tangents" { "" Tangent; }
    table::BITANGENTS, "bitangents" { "" Tangent; }
    table::TRIANGLES, "triangles" { "normal" Plane("dist"); }
    table::MESH_HEADER3, "fields" { "min" Bounds("max"); "sph_center" Point; "sph_radius" Length; }
    table::AABTREE_NODES, "nodes" { "min" Bounds("max"); }
    table::DEFORM_DATA, "data" { "position" Point; }
    table::DAMAGE_VERTICES, "vertices" { "new_vertex" Point; }
    table::POINTS, "points" { "" Point; }
    table::SHDMESH_HEADER, "fields" { "box_min" Bounds("box_max"); "sph_center" Point; "sph_radius" Length; }
    table::SHDSUBMESH_HEADER, "fields" { "box_min" Bounds("box_max"); "sph_center" Point; "sph_radius" Length; }
    table::SHDSUBMESH_VERTICES, "vertices" { "" Point; }
    table::SHDSUBMESH_VERTEX_NORMALS, "normals" { "" Normal; }
    table::SHDSUBMESH_TANGENT_BASIS_S, "tangents" { "" Tangent; }
    table::SHDSUBMESH_TANGENT_BASIS_T, "tangents" { "" Tangent; }
    table::SHDSUBMESH_TANGENT_BASIS_SXT, "tangents" { "" Normal; }
    table::HIERARCHY_HEADER, "fields" { "center" Point; }
    table::PIVOTS, "pivots" { "translation" Vector; }
    table::PIVOT_FIXUPS, "fixups" { "tm[3]" Vector; }
    table::BOX, "fields" { "center" Point; "extent" Half; }
    sphere::SPHERE_DEF, "fields" { "center" Point; "extent" Half; }
    ring::RING_DEF, "fields" { "center" Point; "extent" Half; "inner_extent" Length; "outer_extent" Length; }
    table::LOD, "fields" { "lod_min" Length; "lod_max" Length; }
    table::PLACEHOLDER, "fields" {
        "transform[0]" Tangent; "transform[1]" Tangent; "transform[2]" Tangent; "transform[3]" Point;
    }
    table::TRANSFORM_NODE, "fields" {
        "transform[0]" Tangent; "transform[1]" Tangent; "transform[2]" Tangent; "transform[3]" Point;
    }
    table::SPOT_LIGHT_INFO, "fields" { "spot_direction" Tangent; }
    table::NEAR_ATTENUATION, "fields" { "start" Length; "end" Length; }
    table::FAR_ATTENUATION, "fields" { "start" Length; "end" Length; }
    table::EMITTER_INFO, "fields" {
        "start_size" Length; "end_size" Length; "velocity_random" Length; "position_random" Length; "gravity" Length;
        "velocity" Vector; "acceleration" Vector;
    }
    table::EMITTER_INFOV2, "fields" {
        "creation_volume.value1" Length; "creation_volume.value2" Length; "creation_volume.value3" Length;
        "vel_random.value1" Length; "vel_random.value2" Length; "vel_random.value3" Length; "outward_vel" Length;
    }
    table::EMITTER_PROPS, "fields" { "size_random" Length; }
    table::EMITTER_PROPS, "sizes" { "value" Length; }
    table::EMITTER_SIZE_KEYFRAME, "keys" { "value" Length; }
    table::EMITTER_LINE_PROPERTIES, "fields" { "noise_amplitude" Length; }
    sound::DROP_OFF_RADIUS, "value" { "" Length; }
    sound::MAX_VOL_RADIUS, "value" { "" Length; }
    sound::LOGICAL_DROP_OFF_RADIUS, "value" { "" Length; }

    kinds::VRTX, "positions" { "" Point; }
    kinds::NRMS, "normals" { "" Normal; }
    kinds::TANG, "tangents" { "" Tangent; }
    kinds::WOW_VERTICES, "vertices" { "position" Point; "normal" Normal; }
    kinds::WOW_GEOSET_SECTION, "geoset" { "center" Point; "radius" Length; }
    kinds::PIVT, "pivots" { "" Point; }
    kinds::BPOS, "matrices" { "translation" Point; }
    kinds::MODL, "model" { "extent.minimum" Bounds("extent.maximum"); "extent.radius" Length; }
    kinds::WOW_MODL, "wow_model" { "extent.minimum" Bounds("extent.maximum"); "extent.radius" Length; }
    kinds::SEQS, "sequences" {
        "extent.minimum" Bounds("extent.maximum"); "extent.radius" Length; "move_speed" Length;
    }
    kinds::WOW_SEQS, "wow_sequences" {
        "extent.minimum" Bounds("extent.maximum"); "extent.radius" Length; "move_speed" Length;
    }
    kinds::GEOSET_BOUNDS, "bounds" { "extent.minimum" Bounds("extent.maximum"); "extent.radius" Length; }
    kinds::EXTENTS, "extents" { "minimum" Bounds("maximum"); "radius" Length; }
    kinds::CAMERA_HEADER, "camera" { "position" Point; "far_clip" Length; "near_clip" Length; }
    kinds::CAMERA_DEPTH_OF_FIELD, "depth_of_field" { "focus_distance" Length; }
    kinds::CAMERA_TARGET, "target" { "position" Point; }
    kinds::LIGHT_COLOR, "color" { "attenuation_start" Length; "attenuation_end" Length; }
    kinds::LIGHT_SHADOW_RANGE, "shadow_range" { "start" Length; "end" Length; }
    // Shapes are relative to their pivots.
    kinds::SHAPE_SPHERE, "sphere" { "center" Vector; "radius" Length; }
    kinds::SHAPE_CYLINDER, "cylinder" { "base" Vector; "top" Vector; "radius" Length; }
    kinds::WOW_SHAPE_CYLINDER, "cylinder" { "base" Vector; "height" Length; "radius" Length; }
    kinds::SHAPE_PLANE, "plane" { "length" Length; "width" Length; }
    kinds::PARTICLE_EMITTER_HEADER, "emitter" { "gravity" Length; "speed" Length; }
    kinds::PARTICLE_EMITTER_2_HEADER, "emitter" {
        "speed" Length; "gravity" Length; "length" Length; "width" Length; "segment_scalings" Length;
    }
    kinds::WOW_PARTICLE_EMITTER_2_HEADER, "emitter" {
        "speed" Length; "gravity" Length; "z_source" Length; "length" Length; "width" Length; "segment_scalings" Length;
        "wind" Vector; "follow_speed_1" Length; "follow_speed_2" Length;
    }
    kinds::SPLINE, "points" { "" Vector; }
    kinds::RIBBON_EMITTER_HEADER, "emitter" { "height_above" Length; "height_below" Length; "gravity" Length; }
};

fn floats(bytes: Option<&mut [u8]>) -> &mut [F32] {
    bytes.and_then(|bytes| <[F32]>::mut_from_bytes(bytes).ok()).unwrap_or_default()
}

fn three(element: &mut [u8], at: usize) -> Option<&mut Vec3> {
    Vec3::mut_from_bytes(element.get_mut(at..at + 12)?).ok()
}

/// Transforms the numbers of a leaf. In an array, only the elements whose index `wanted` accepts. Returns whether any
/// changed.
pub(super) fn apply(leaf: &mut Node<'_>, what: &Transform, wanted: &dyn Fn(usize) -> bool) -> bool {
    let mut changed = false;
    let kind = leaf.kind;
    for row in ROWS.iter().filter(|row| std::ptr::eq(row.kind, kind)) {
        let Some(part) = leaf.slots().find(|part| part.slot.name == row.slot) else { continue };
        let Item::Value(ty) = part.slot.item else { continue };
        let range = part.start..part.start + part.bytes.len();
        let Some((field, _)) = ty.locate(row.field) else { continue };
        let other = |name: &str| ty.locate(name).map(|(range, _)| range.start);
        let Some(body) = leaf.bytes_mut().and_then(|bytes| bytes.get_mut(range)) else { continue };
        for (_, element) in body.chunks_exact_mut(ty.size()).enumerate().filter(|(index, _)| wanted(*index)) {
            let before = element.to_vec();
            apply_to(element, field.clone(), row.quantity, &other, what);
            changed |= element != before;
        }
    }
    changed
}

fn apply_to(
    element: &mut [u8],
    field: std::ops::Range<usize>,
    quantity: Quantity,
    other: &dyn Fn(&str) -> Option<usize>,
    what: &Transform,
) -> Option<()> {
    let at = field.start;
    match quantity {
        Length => {
            for number in floats(element.get_mut(field)) {
                number.set(what.length(number.get()));
            }
        }
        Bounds(corner) => {
            let corner = other(corner)?;
            let (low, high) = (three(element, at)?.get(), three(element, corner)?.get());
            let (low, high) = what.bounds(low, high);
            *three(element, at)? = low.into();
            *three(element, corner)? = high.into();
        }
        Plane(distance) => {
            let distance = other(distance)?;
            let normal = three(element, at)?.get();
            let old = floats(element.get_mut(distance..distance + 4)).first()?.get();
            let (normal, new) = what.plane(normal, old);
            *three(element, at)? = normal.into();
            element.get_mut(distance..distance + 4)?.copy_from_slice(F32::new(new).as_bytes());
        }
        Point | Vector | Normal | Tangent | Half => {
            let vector = three(element, at)?;
            let old = vector.get();
            let new = match quantity {
                Point => what.point(old),
                Vector => what.vector(old),
                Normal => what.normal(old),
                Tangent => what.tangent(old),
                _ => what.half(old),
            };
            *vector = new.into();
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use record::Type;

    use super::*;

    /// A misspelled row would silently have no effect.
    #[test]
    fn every_row_names_floats() {
        for row in ROWS {
            let slot = row.kind.slots.iter().find(|slot| slot.name == row.slot);
            let Some(Item::Value(ty)) = slot.map(|slot| slot.item) else {
                panic!("{} has no slot {}", row.kind.name, row.slot)
            };
            let at = format!("{}.{}.{}", row.kind.name, row.slot, row.field);
            let floats = |field: &str| match ty.locate(field) {
                Some((_, Type::F32)) => 1,
                Some((_, Type::Array(Type::F32, count))) => count,
                _ => panic!("{at} are no floats"),
            };
            match row.quantity {
                Length => assert!(floats(row.field) >= 1),
                Bounds(other) => assert_eq!((floats(row.field), floats(other)), (3, 3), "{at}"),
                Plane(other) => assert_eq!((floats(row.field), floats(other)), (3, 1), "{at}"),
                _ => assert!(floats(row.field) >= 3, "{at}"),
            }
        }
    }
}
