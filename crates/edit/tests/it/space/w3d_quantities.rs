//! Quantities of W3D.

use meshwright_edit::{Axis, Transform};
use record::Node;
use w3d::table;

use super::{BY, assert_names, changes, doubled, moved, number, turned};

/// Every chunk of W3D except animations and the mesh headers of refused versions.
fn every_chunk() -> Node<'static> {
    fn drop_old(node: &mut Node<'_>) {
        if let Some(children) = node.children_mut() {
            children.retain(|child| !child.is(&table::MESH_HEADER));
            children.iter_mut().for_each(drop_old);
        }
    }
    let bytes = w3d::sample::every_chunk();
    let mut root = w3d::W3d::parse(&bytes).expect("the sample can be read").into_owned().root;
    let animations = [&table::ANIMATION, &table::COMPRESSED_ANIMATION];
    root.children_mut().expect("chunks").retain(|chunk| !animations.iter().any(|kind| chunk.is(kind)));
    drop_old(&mut root);
    number(&mut root);
    root
}

#[test]
fn every_length_of_w3d_is_scaled() {
    assert_names(
        &changes(&every_chunk(), &Transform::Scale([2.0; 3]), &doubled),
        "AABTREE_NODES nodes.max
         AABTREE_NODES nodes.min
         BOX fields.center
         BOX fields.extent
         DAMAGE_VERTICES vertices.new_vertex
         DEFORM_DATA data.position
         DROP_OFF_RADIUS value
         EMITTER_INFO fields.acceleration
         EMITTER_INFO fields.end_size
         EMITTER_INFO fields.gravity
         EMITTER_INFO fields.position_random
         EMITTER_INFO fields.start_size
         EMITTER_INFO fields.velocity
         EMITTER_INFO fields.velocity_random
         EMITTER_INFOV2 fields.creation_volume.value1
         EMITTER_INFOV2 fields.creation_volume.value2
         EMITTER_INFOV2 fields.creation_volume.value3
         EMITTER_INFOV2 fields.outward_vel
         EMITTER_INFOV2 fields.vel_random.value1
         EMITTER_INFOV2 fields.vel_random.value2
         EMITTER_INFOV2 fields.vel_random.value3
         EMITTER_LINE_PROPERTIES fields.noise_amplitude
         EMITTER_PROPS fields.size_random
         EMITTER_PROPS sizes.value
         EMITTER_SIZE_KEYFRAME keys.value
         FAR_ATTENUATION fields.end
         FAR_ATTENUATION fields.start
         HIERARCHY_HEADER fields.center
         LIGHT_TRANSFORM fields.transform[0] (the last)
         LIGHT_TRANSFORM fields.transform[1] (the last)
         LIGHT_TRANSFORM fields.transform[2] (the last)
         LOD fields.lod_max
         LOD fields.lod_min
         LOGICAL_DROP_OFF_RADIUS value
         MAX_VOL_RADIUS value
         MESH_HEADER3 fields.max
         MESH_HEADER3 fields.min
         MESH_HEADER3 fields.sph_center
         MESH_HEADER3 fields.sph_radius
         NEAR_ATTENUATION fields.end
         NEAR_ATTENUATION fields.start
         PIVOTS pivots.translation
         PIVOT_FIXUPS fixups.tm[3]
         PLACEHOLDER fields.transform[3]
         POINTS points
         RING_DEF fields.center
         RING_DEF fields.extent
         RING_DEF fields.inner_extent
         RING_DEF fields.outer_extent
         SECONDARY_VERTICES vertices
         SHDMESH_HEADER fields.box_max
         SHDMESH_HEADER fields.box_min
         SHDMESH_HEADER fields.sph_center
         SHDMESH_HEADER fields.sph_radius
         SHDSUBMESH_HEADER fields.box_max
         SHDSUBMESH_HEADER fields.box_min
         SHDSUBMESH_HEADER fields.sph_center
         SHDSUBMESH_HEADER fields.sph_radius
         SHDSUBMESH_VERTICES vertices
         SPHERE_DEF fields.center
         SPHERE_DEF fields.extent
         TRANSFORM_NODE fields.transform[3]
         TRIANGLES triangles.dist
         VERTICES vertices",
    );
}

/// The same without chunks that have no position, and without influences, so that no mesh is a skin.
fn placed_chunks() -> Node<'static> {
    let mut root = every_chunk();
    const WITHOUT_POSITION: [&str; 8] =
        ["EMITTER", "LIGHT", "SPHERE", "RING", "DAZZLE", "SOUNDROBJ", "AGGREGATE", "HLOD"];
    root.children_mut().expect("chunks").retain(|chunk| !WITHOUT_POSITION.contains(&&*chunk.name()));
    fn settle(node: &mut Node<'_>) {
        let influences = [
            &table::VERTEX_INFLUENCES,
            table::VERTEX_INFLUENCES_EXTENDED.row,
            &table::SHDSUBMESH_VERTEX_INFLUENCES,
        ];
        if let Some(children) = node.children_mut() {
            children.retain(|child| !influences.iter().any(|kind| child.is(kind)));
            children.iter_mut().for_each(settle);
        } else if let Some(header) = node.value_mut::<w3d::records::HierarchyHeader>() {
            header.version = w3d::names::Version::new(4, 1);
        } else if let Some(header) = node.value_mut::<w3d::records::HModelHeader>() {
            header.version = w3d::names::Version::new(3, 0);
        }
        // The first bone hangs on the root, the second on the first.
        for (index, pivot) in (0..).zip(node.values_mut::<w3d::records::Pivot>()) {
            pivot.parent_idx.set(index);
        }
    }
    settle(&mut root);
    root
}

/// Without a bone, meshes, boxes, points and Lightscape lights move themselves. Of a skeleton, the children of the root move.
#[test]
fn every_place_of_w3d_moves() {
    assert_names(
        &changes(&placed_chunks(), &Transform::Translate(BY), &|old, new| match (old, new) {
            ([_], [_]) => "(by its normal)",
            ([.., x], [.., y]) if old.len() == 4 && BY.contains(&(y - x)) => "(the last)",
            _ => moved(old, new),
        }),
        "AABTREE_NODES nodes.max
         AABTREE_NODES nodes.min
         BOX fields.center
         DAMAGE_VERTICES vertices.new_vertex
         DEFORM_DATA data.position
         HIERARCHY_HEADER fields.center
         LIGHT_TRANSFORM fields.transform[0] (the last)
         LIGHT_TRANSFORM fields.transform[1] (the last)
         LIGHT_TRANSFORM fields.transform[2] (the last)
         MESH_HEADER3 fields.max
         MESH_HEADER3 fields.min
         MESH_HEADER3 fields.sph_center
         PIVOTS pivots.translation
         PLACEHOLDER fields.transform[3]
         POINTS points
         SECONDARY_VERTICES vertices
         SHDMESH_HEADER fields.box_max
         SHDMESH_HEADER fields.box_min
         SHDMESH_HEADER fields.sph_center
         SHDSUBMESH_HEADER fields.box_max
         SHDSUBMESH_HEADER fields.box_min
         SHDSUBMESH_HEADER fields.sph_center
         SHDSUBMESH_VERTICES vertices
         TRANSFORM_NODE fields.transform[3]
         TRIANGLES triangles.dist (by its normal)
         VERTICES vertices",
    );
}

/// The same turn with their directions: normals, tangents, axes.
#[test]
fn every_direction_of_w3d_turns() {
    assert_names(
        &changes(&placed_chunks(), &Transform::Rotate(Axis::Z, 180.0), &|old, new| match (old, new) {
            // The rows of a matrix: of x and of y they change their sign, of z they stay.
            ([_, _, _, _], _) if old.iter().zip(new).all(|(old, new)| *old == -new) => "(opposite)",
            _ => turned(old, new),
        }),
        "AABTREE_NODES nodes.max (otherwise)
         AABTREE_NODES nodes.min (otherwise)
         BITANGENTS bitangents
         BOX fields.center
         DAMAGE_VERTICES vertices.new_vertex
         DEFORM_DATA data.position
         HIERARCHY_HEADER fields.center
         LIGHT_TRANSFORM fields.transform[0] (opposite)
         LIGHT_TRANSFORM fields.transform[1] (opposite)
         MESH_HEADER3 fields.max (otherwise)
         MESH_HEADER3 fields.min (otherwise)
         MESH_HEADER3 fields.sph_center
         PIVOTS pivots.rotation (otherwise)
         PIVOTS pivots.translation
         PLACEHOLDER fields.transform[0]
         PLACEHOLDER fields.transform[1]
         PLACEHOLDER fields.transform[2]
         PLACEHOLDER fields.transform[3]
         POINTS points
         SECONDARY_VERTEX_NORMALS normals
         SECONDARY_VERTICES vertices
         SHDMESH_HEADER fields.box_max (otherwise)
         SHDMESH_HEADER fields.box_min (otherwise)
         SHDMESH_HEADER fields.sph_center
         SHDSUBMESH_HEADER fields.box_max (otherwise)
         SHDSUBMESH_HEADER fields.box_min (otherwise)
         SHDSUBMESH_HEADER fields.sph_center
         SHDSUBMESH_TANGENT_BASIS_S tangents
         SHDSUBMESH_TANGENT_BASIS_SXT tangents
         SHDSUBMESH_TANGENT_BASIS_T tangents
         SHDSUBMESH_VERTEX_NORMALS normals
         SHDSUBMESH_VERTICES vertices
         SURRENDER_NORMALS normals
         TANGENTS tangents
         TRANSFORM_NODE fields.transform[0]
         TRANSFORM_NODE fields.transform[1]
         TRANSFORM_NODE fields.transform[2]
         TRANSFORM_NODE fields.transform[3]
         TRIANGLES triangles.normal
         VERTEX_NORMALS normals
         VERTICES vertices",
    );
}
