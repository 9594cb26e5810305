//! What every number of both families is in space: which ones a change of the whole model changes, and how.
//!
//! Every float of the samples gets a value of its own. The lists are those of the formats: whatever is a place, a size or a speed is
//! scaled; whatever is a place in the model moves with it; whatever is a direction or a place turns with it.

mod common;

use std::collections::BTreeSet;

use common::{mdx_sample, mdx_samples};
use mdx::records::*;
use mdx::{kinds, tags};
use meshwright_edit::{Axis, Transform, transform};
use record::{F32, Item, Node, Quaternion, Type, Vec3};
use w3d::table;

/// The floats of a leaf: name, place in the body, and how many there are in a row.
fn floats(leaf: &Node<'_>) -> Vec<(String, usize, usize)> {
    fn inside(ty: Type, name: &str, at: usize, found: &mut Vec<(String, usize, usize)>) {
        match ty {
            Type::F32 => found.push((name.to_owned(), at, 1)),
            Type::Array(Type::F32, count) => found.push((name.to_owned(), at, count)),
            Type::Array(element, count) => {
                (0..count).for_each(|index| {
                    inside(*element, &format!("{name}[{index}]"), at + index * element.size(), found);
                });
            }
            Type::Record(schema) => schema.fields.iter().for_each(|field| {
                inside(field.ty, &format!("{name}.{}", field.name), at + field.offset, found);
            }),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for part in leaf.slots() {
        let Item::Value(ty) = part.slot.item else { continue };
        for index in 0..part.bytes.len() / ty.size().max(1) {
            let name = format!("{} {}", leaf.name(), part.slot.name);
            inside(ty, &name, part.start + index * ty.size(), &mut found);
        }
    }
    found
}

fn read(body: &[u8], at: usize, count: usize) -> Vec<f32> {
    let words = body[at..at + 4 * count].chunks_exact(4);
    words.map(|word| f32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

fn each_leaf(node: &mut Node<'_>, see: &mut dyn FnMut(&mut Node<'_>)) {
    match node.children_mut() {
        Some(children) => children.iter_mut().for_each(|child| each_leaf(child, see)),
        None => see(node),
    }
}

fn leaves<'n>(node: &'n Node<'n>, found: &mut Vec<&'n Node<'n>>) {
    match node.children() {
        [] => found.push(node),
        children => children.iter().for_each(|child| leaves(child, found)),
    }
}

/// Gives every float of a tree a value of its own, one more than the one before it.
fn number(root: &mut Node<'_>) {
    let mut next = 1.0_f32;
    each_leaf(root, &mut |leaf| {
        for (_, at, count) in floats(leaf) {
            for index in 0..count {
                let at = at + 4 * index;
                leaf.bytes_mut().expect("a leaf")[at..at + 4].copy_from_slice(&next.to_le_bytes());
                next += 1.0;
            }
        }
    });
}

/// The names of the floats that a change changes, each with what `tell` says of the old and the new values. Nothing else may change.
fn changes(
    root: &Node<'_>,
    what: &Transform,
    tell: &dyn Fn(&[f32], &[f32]) -> &'static str,
) -> BTreeSet<String> {
    let mut after = root.clone();
    let counted = transform(&mut after, what).unwrap_or_else(|error| panic!("{what:?}: {error}"));
    let (mut old, mut new) = (Vec::new(), Vec::new());
    leaves(root, &mut old);
    leaves(&after, &mut new);
    assert_eq!(old.len(), new.len());
    let mut found = BTreeSet::new();
    let mut parts = 0;
    for (old, new) in old.iter().zip(new) {
        let mut rest = new.bytes().to_vec();
        for (name, at, count) in floats(old) {
            let (before, now) = (read(old.bytes(), at, count), read(new.bytes(), at, count));
            if before != now {
                let told = tell(&before, &now);
                found.insert(if told.is_empty() { name } else { format!("{name} {told}") });
            }
            rest[at..at + 4 * count].copy_from_slice(&old.bytes()[at..at + 4 * count]);
        }
        assert!(rest == old.bytes() || old.id == tags::KGRT, "{} has other changes", old.name());
        parts += usize::from(old.bytes() != new.bytes());
    }
    assert_eq!(counted, parts, "parts that {what:?} changes");
    found
}

/// Compares names with a list, one to a line.
#[track_caller]
fn assert_names(found: &BTreeSet<String>, list: &str) {
    let wanted: BTreeSet<String> =
        list.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let missing: Vec<_> = wanted.difference(found).collect();
    let more: Vec<_> = found.difference(&wanted).collect();
    assert!(missing.is_empty() && more.is_empty(), "missing: {missing:#?}\nnot in the list: {more:#?}");
}

/// All values are twice what they were.
fn doubled(old: &[f32], new: &[f32]) -> &'static str {
    if old.iter().zip(new).all(|(old, new)| 2.0 * old == *new) {
        ""
    } else if old[..old.len() - 1] == new[..new.len() - 1] && 2.0 * old[old.len() - 1] == new[new.len() - 1] {
        "(the last)"
    } else {
        "(otherwise)"
    }
}

const BY: [f32; 3] = [1024.0, 2048.0, 4096.0];

fn moved(old: &[f32], new: &[f32]) -> &'static str {
    match (old, new) {
        ([x, y, z], [a, b, c]) if [*a, *b, *c] == [x + BY[0], y + BY[1], z + BY[2]] => "",
        _ => "(otherwise)",
    }
}

/// Half a turn about Z.
fn turned(old: &[f32], new: &[f32]) -> &'static str {
    match (old, new) {
        ([x, y, z], [a, b, c]) if [*a, *b, *c] == [-x, -y, *z] => "",
        ([x, y, z, w], [a, b, c, d]) if [*a, *b, *c, *d] == [-x, -y, *z, *w] => "",
        _ => "(otherwise)",
    }
}

/// Every chunk of W3D but animations, which are scaled by what they move, and meshes of versions that are refused.
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

/// The same without what has no place of its own, and without what makes the meshes skins.
fn placed_chunks() -> Node<'static> {
    let mut root = every_chunk();
    let effects = [
        &table::EMITTER,
        &table::LIGHT,
        &table::SPHERE,
        &table::RING,
        &table::DAZZLE,
        &table::SOUNDROBJ,
        &table::AGGREGATE,
        &table::HLOD,
    ];
    root.children_mut().expect("chunks").retain(|chunk| !effects.iter().any(|kind| chunk.is(kind)));
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
        for (at, pivot) in (0..).zip(node.values_mut::<w3d::records::Pivot>()) {
            pivot.parent_idx.set(at);
        }
    }
    settle(&mut root);
    root
}

/// Meshes, boxes, points and Lightscape's lights that hang on no bone move themselves; of a skeleton, the bones below the root.
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

/// Tracks of lengths, and of what are none.
const LENGTH_TRACKS: [u32; 14] = [
    tags::KLAS,
    tags::KLAE,
    tags::KLSS,
    tags::KLSE,
    tags::KPEG,
    tags::KPES,
    tags::KP2S,
    tags::KP2G,
    tags::KP2N,
    tags::KP2W,
    tags::KP2Z,
    tags::KRHA,
    tags::KRHB,
    tags::IDUF,
];
const OTHER_TRACKS: [u32; 8] =
    [tags::KLAI, tags::KPEE, tags::KPLN, tags::KPLT, tags::KP2E, tags::KP2L, tags::KP2R, tags::KRAL];

/// Every sample of MDX, with a shape of each sort, a camera's depth of field, a light's shadow, and tracks of all floats.
fn mdx_files() -> Vec<Node<'static>> {
    let files = mdx_samples().into_iter().map(|(_, bytes)| {
        let mut root = mdx_sample(&bytes).root;
        let wow = root.find("HTST").is_some();
        let chunks = root.children_mut().expect("chunks");
        for chunk in chunks.iter_mut() {
            let objects = chunk.children_mut().into_iter().flatten();
            for object in objects {
                let Some(parts) = object.children_mut() else { continue };
                let Some(first) = parts.first() else { continue };
                if first.is(&kinds::CAMERA_HEADER) {
                    parts.push(part(&kinds::CAMERA_DEPTH_OF_FIELD));
                } else if parts.iter().any(|part| part.is(&kinds::LIGHT_COLOR)) {
                    parts.push(part(&kinds::LIGHT_SHADOW_RANGE));
                    let tracks = LENGTH_TRACKS.iter().chain(&OTHER_TRACKS);
                    parts.extend(tracks.map(|tag| {
                        let keys = [(0, F32::new(0.0)), (500, F32::new(0.0))];
                        mdx::build::track(*tag, Interpolation::LINEAR, -1, &keys).expect("a track of floats")
                    }));
                } else if parts.iter().any(|part| part.is(kinds::SHAPE_SPHERE.row)) {
                    parts.push(part(&kinds::SHAPE_PLANE));
                    parts.push(part(if wow { &kinds::WOW_SHAPE_CYLINDER } else { &kinds::SHAPE_CYLINDER }));
                }
            }
        }
        number(&mut root);
        root
    });
    files.collect()
}

/// A part of zeros.
fn part(kind: &'static record::Kind) -> Node<'static> {
    let size = kind.slots.iter().map(|slot| slot.item.size()).sum();
    Node::leaf(kind, 0, vec![0; size])
}

fn mdx_changes(what: &Transform, tell: &dyn Fn(&[f32], &[f32]) -> &'static str) -> BTreeSet<String> {
    mdx_files().iter().flat_map(|root| changes(root, what, tell)).collect()
}

#[test]
fn every_length_of_mdx_is_scaled() {
    let found = mdx_changes(&Transform::Scale([2.0; 3]), &doubled);
    assert_names(
        &found,
        "BPOS matrices.translation
         CameraDepthOfField depth_of_field.focus_distance
         CameraHeader camera.far_clip
         CameraHeader camera.near_clip
         CameraHeader camera.position
         CameraTarget target.position
         Extents extents.maximum
         Extents extents.minimum
         Extents extents.radius
         GeosetBounds bounds.extent.maximum
         GeosetBounds bounds.extent.minimum
         GeosetBounds bounds.extent.radius
         IDUF keys.value
         KCTR keys.value
         KGTR tangent_keys.in_tan
         KGTR tangent_keys.out_tan
         KGTR tangent_keys.value
         KLAE keys.value
         KLAS keys.value
         KLSE keys.value
         KLSS keys.value
         KP2G keys.value
         KP2N keys.value
         KP2S keys.value
         KP2W keys.value
         KP2Z keys.value
         KPEG keys.value
         KPES keys.value
         KRHA keys.value
         KRHB keys.value
         KTTR keys.value
         LightColor color.attenuation_end
         LightColor color.attenuation_start
         LightShadowRange shadow_range.end
         LightShadowRange shadow_range.start
         MODL model.extent.maximum
         MODL model.extent.minimum
         MODL model.extent.radius
         MODL wow_model.extent.maximum
         MODL wow_model.extent.minimum
         MODL wow_model.extent.radius
         PIVT pivots
         ParticleEmitter2Header emitter.gravity
         ParticleEmitter2Header emitter.length
         ParticleEmitter2Header emitter.segment_scalings
         ParticleEmitter2Header emitter.speed
         ParticleEmitter2Header emitter.width
         ParticleEmitterHeader emitter.gravity
         ParticleEmitterHeader emitter.speed
         RibbonEmitterHeader emitter.gravity
         RibbonEmitterHeader emitter.height_above
         RibbonEmitterHeader emitter.height_below
         SEQS sequences.extent.maximum
         SEQS sequences.extent.minimum
         SEQS sequences.extent.radius
         SEQS sequences.move_speed
         SEQS wow_sequences.extent.maximum
         SEQS wow_sequences.extent.minimum
         SEQS wow_sequences.extent.radius
         SEQS wow_sequences.move_speed
         ShapeBox box.maximum
         ShapeBox box.minimum
         ShapeCylinder cylinder.base
         ShapeCylinder cylinder.radius
         ShapeCylinder cylinder.top
         ShapePlane plane.length
         ShapePlane plane.width
         ShapeSphere sphere.center
         ShapeSphere sphere.radius
         Spline points
         VRTX positions
         WowGeosetSection geoset.center
         WowGeosetSection geoset.radius
         WowParticleEmitter2Header emitter.follow_speed_1
         WowParticleEmitter2Header emitter.follow_speed_2
         WowParticleEmitter2Header emitter.gravity
         WowParticleEmitter2Header emitter.length
         WowParticleEmitter2Header emitter.segment_scalings
         WowParticleEmitter2Header emitter.speed
         WowParticleEmitter2Header emitter.width
         WowParticleEmitter2Header emitter.wind
         WowParticleEmitter2Header emitter.z_source
         WowShapeCylinder cylinder.base
         WowShapeCylinder cylinder.height
         WowShapeCylinder cylinder.radius
         Vertices vertices.position",
    );
}

#[test]
fn every_place_of_mdx_moves() {
    assert_names(
        &mdx_changes(&Transform::Translate(BY), &moved),
        "BPOS matrices.translation
         CameraHeader camera.position
         CameraTarget target.position
         Extents extents.maximum
         Extents extents.minimum
         GeosetBounds bounds.extent.maximum
         GeosetBounds bounds.extent.minimum
         MODL model.extent.maximum
         MODL model.extent.minimum
         MODL wow_model.extent.maximum
         MODL wow_model.extent.minimum
         PIVT pivots
         SEQS sequences.extent.maximum
         SEQS sequences.extent.minimum
         SEQS wow_sequences.extent.maximum
         SEQS wow_sequences.extent.minimum
         VRTX positions
         WowGeosetSection geoset.center
         Vertices vertices.position",
    );
}

#[test]
fn every_direction_of_mdx_turns() {
    assert_names(
        &mdx_changes(&Transform::Rotate(Axis::Z, 180.0), &|old, new| match (old, new) {
            // An axis in the plane of the turn goes round twice: only its part along Z changes its sign.
            ([x, y, z], [a, b, c]) if [*a, *b, *c] == [*x, *y, -z] => "(from both sides)",
            // Boxes change their corners: x and y of one are the opposite of the other's.
            ([_, _, z], [_, _, c]) if z == c && !turned(old, new).is_empty() => "(corner)",
            _ => turned(old, new),
        }),
        "BPOS matrices.translation
         BPOS matrices.x (from both sides)
         BPOS matrices.y (from both sides)
         BPOS matrices.z
         CameraHeader camera.position
         CameraTarget target.position
         Extents extents.maximum (corner)
         Extents extents.minimum (corner)
         GeosetBounds bounds.extent.maximum (corner)
         GeosetBounds bounds.extent.minimum (corner)
         KCTR keys.value
         KGRT keys.value
         KGTR tangent_keys.in_tan
         KGTR tangent_keys.out_tan
         KGTR tangent_keys.value
         KTTR keys.value
         MODL model.extent.maximum (corner)
         MODL model.extent.minimum (corner)
         MODL wow_model.extent.maximum (corner)
         MODL wow_model.extent.minimum (corner)
         NRMS normals
         PIVT pivots
         SEQS sequences.extent.maximum (corner)
         SEQS sequences.extent.minimum (corner)
         SEQS wow_sequences.extent.maximum (corner)
         SEQS wow_sequences.extent.minimum (corner)
         ShapeBox box.maximum (corner)
         ShapeBox box.minimum (corner)
         ShapeCylinder cylinder.base
         ShapeCylinder cylinder.top
         ShapeSphere sphere.center
         Spline points
         TANG tangents
         VRTX positions
         WowGeosetSection geoset.center
         WowParticleEmitter2Header emitter.wind
         WowShapeCylinder cylinder.base
         Vertices vertices.normal
         Vertices vertices.position",
    );
}

/// Along Z everything is twice as long: normals lean away from it, tangents towards it, and both keep their lengths.
#[test]
fn uneven_factors_bend_directions() {
    let triangle = |normal: [f32; 3], tangent: [f32; 3]| {
        let corner = w3d::records::Triangle {
            normal: normal.into(),
            dist: F32::new(1.0),
            ..w3d::records::Triangle::default()
        };
        let mesh = w3d::build::branch(
            &table::MESH,
            [
                w3d::build::record(&table::MESH_HEADER3, &w3d::records::MeshHeader3::default()),
                w3d::build::array(&table::VERTEX_NORMALS, &[Vec3::from(normal), Vec3::default()]),
                w3d::build::array(&table::TANGENTS, &[Vec3::from(tangent), Vec3::default()]),
                w3d::build::array(&table::TRIANGLES, &[corner]),
            ],
        );
        let mut root = Node::branch(&w3d::table::FILE, 0, vec![mesh]);
        transform(&mut root, &Transform::Scale([1.0, 1.0, 2.0])).expect("nothing turns");
        root
    };
    let root = triangle([0.6, 0.0, 0.8], [-0.8, 0.0, 0.6]);
    let values = |path: &str| root.find(path).expect("it is there").values::<Vec3>().to_vec();
    // (0.6, 0, 0.8 / 2), made as long as it was: divided by the root of 0.36 + 0.16.
    let length = 0.52_f32.sqrt();
    let near = |found: Vec3, wanted: [f32; 3]| {
        assert!(found.get().iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {wanted:?}");
    };
    near(values("MESH/VERTEX_NORMALS")[0], [0.6 / length, 0.0, 0.4 / length]);
    // (-0.8, 0, 1.2), divided by the root of 0.64 + 1.44.
    let length = 2.08_f32.sqrt();
    near(values("MESH/TANGENTS")[0], [-0.8 / length, 0.0, 1.2 / length]);
    // One without a length stays.
    assert_eq!(values("MESH/VERTEX_NORMALS")[1].get(), [0.0; 3]);
    assert_eq!(values("MESH/TANGENTS")[1].get(), [0.0; 3]);
    // The plane 0.6 x + 0.8 z = 1 is 0.6 x + 0.4 z' = 1 afterwards.
    let plane = root.find("MESH/TRIANGLES").expect("it is there").values::<w3d::records::Triangle>()[0];
    let length = 0.52_f32.sqrt();
    near(plane.normal, [0.6 / length, 0.0, 0.4 / length]);
    assert!((plane.dist.get() - 1.0 / length).abs() < 1e-6, "{}", plane.dist);
    // A plane without a direction stays.
    let none = triangle([0.0; 3], [0.0; 3]);
    let plane = none.find("MESH/TRIANGLES").expect("it is there").values::<w3d::records::Triangle>()[0];
    assert_eq!((plane.normal.get(), plane.dist.get()), ([0.0; 3], 1.0));
}

/// Directions stay to the last bit where all axes have the same factor.
#[test]
fn even_factors_keep_directions() {
    let directions: Vec<Vec3> =
        (1..40_u8).map(|at| Vec3::new(0.1 * f32::from(at), 0.7 / f32::from(at), 0.3)).collect();
    let header = w3d::records::MeshHeader3::default();
    let mesh = w3d::build::branch(
        &table::MESH,
        [
            w3d::build::record(&table::MESH_HEADER3, &header),
            w3d::build::array(&table::VERTEX_NORMALS, &directions),
            w3d::build::array(&table::TANGENTS, &directions),
        ],
    );
    let mut root = Node::branch(&w3d::table::FILE, 0, vec![mesh]);
    assert_eq!(transform(&mut root, &Transform::Scale([3.3; 3])), Ok(0));
}

/// A plane that moves is farther by what the movement has along its normal.
#[test]
fn planes_move_along_their_normals() {
    let triangle = w3d::records::Triangle {
        normal: [0.6, 0.0, 0.8].into(),
        dist: F32::new(1.0),
        ..w3d::records::Triangle::default()
    };
    let header = w3d::build::record(&table::MESH_HEADER3, &w3d::records::MeshHeader3::default());
    let mesh = w3d::build::branch(&table::MESH, [header, w3d::build::array(&table::TRIANGLES, &[triangle])]);
    let mut root = Node::branch(&w3d::table::FILE, 0, vec![mesh]);
    transform(&mut root, &Transform::Translate([10.0, 100.0, 5.0])).expect("it is on no bone");
    let plane = root.find("MESH/TRIANGLES").expect("it is there").values::<w3d::records::Triangle>()[0];
    // 1 + 0.6 · 10 + 0.8 · 5
    assert!((plane.dist.get() - 11.0).abs() < 1e-5, "{}", plane.dist);
    assert_eq!(plane.normal.get(), [0.6, 0.0, 0.8]);
}

/// A bone that is turned already turns about the new axis after its own: the products are worked by hand from
/// i·j = k, j·k = i, k·i = j.
#[test]
fn a_turn_comes_after_the_bones_own() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // A quarter turn about each axis, after half a turn about each axis (i, j or k).
    for (axis, own, expected) in [
        // (1 + i) / √2 · j = (j + k) / √2
        (Axis::X, [0.0, 1.0, 0.0, 0.0], [0.0, half, half, 0.0]),
        // (1 + i) · k = k - j
        (Axis::X, [0.0, 0.0, 1.0, 0.0], [0.0, -half, half, 0.0]),
        // (1 + i) · i = i - 1
        (Axis::X, [1.0, 0.0, 0.0, 0.0], [half, 0.0, 0.0, -half]),
        // (1 + j) · i = i - k
        (Axis::Y, [1.0, 0.0, 0.0, 0.0], [half, 0.0, -half, 0.0]),
        // (1 + j) · k = k + i
        (Axis::Y, [0.0, 0.0, 1.0, 0.0], [half, 0.0, half, 0.0]),
        (Axis::Y, [0.0, 1.0, 0.0, 0.0], [0.0, half, 0.0, -half]),
        // (1 + k) · i = i + j
        (Axis::Z, [1.0, 0.0, 0.0, 0.0], [half, half, 0.0, 0.0]),
        // (1 + k) · j = j - i
        (Axis::Z, [0.0, 1.0, 0.0, 0.0], [-half, half, 0.0, 0.0]),
        (Axis::Z, [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, half, -half]),
    ] {
        let mut file = common::crate_box();
        file.root.children_mut().expect("chunks").retain(|chunk| !chunk.is(&table::BOX));
        let pivots = file.root.find_mut("HIERARCHY/PIVOTS").expect("bones");
        let [x, y, z, w] = own;
        pivots.values_mut::<w3d::records::Pivot>()[1].rotation = Quaternion::new(x, y, z, w);
        transform(&mut file.root, &Transform::Rotate(axis, 90.0)).expect("it can turn");
        let pivots = file.root.find("HIERARCHY/PIVOTS").expect("bones").values::<w3d::records::Pivot>();
        let turned = pivots[1].rotation.get();
        let near = turned.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(near, "{axis:?} {own:?}: {turned:?} is not {expected:?}");
    }
}

/// Multiples of a quarter turn give whole numbers, also beyond a full turn and backwards.
#[test]
fn right_angles_turn_exactly() {
    let (x, y, z) = (2.0, 3.0, 5.0);
    for (axis, quarters, expected) in [
        (Axis::X, 1, [x, -z, y]),
        (Axis::X, 2, [x, -y, -z]),
        (Axis::X, 3, [x, z, -y]),
        (Axis::Y, 1, [z, y, -x]),
        (Axis::Y, 2, [-x, y, -z]),
        (Axis::Y, 3, [-z, y, x]),
        (Axis::Z, 1, [-y, x, z]),
        (Axis::Z, 2, [-x, -y, z]),
        (Axis::Z, 3, [y, -x, z]),
        (Axis::Z, 4, [x, y, z]),
        (Axis::Z, 5, [-y, x, z]),
        (Axis::Z, -1, [y, -x, z]),
    ] {
        let points = w3d::build::array(&table::POINTS, &[Vec3::new(x, y, z)]);
        let mut root = Node::branch(&w3d::table::FILE, 0, vec![points]);
        let turn = Transform::Rotate(axis, 90.0 * quarters as f32);
        transform(&mut root, &turn).expect("points can turn");
        assert_eq!(root.find("POINTS").expect("points").values::<Vec3>()[0].get(), expected, "{turn:?}");
    }
}

/// The box around a box that turns by 45 degrees is wider by the root of two.
#[test]
fn a_box_that_turns_is_enclosed() {
    let header = w3d::records::MeshHeader3 {
        min: Vec3::new(-1.0, -1.0, -2.0),
        max: Vec3::new(1.0, 1.0, 3.0),
        ..w3d::records::MeshHeader3::default()
    };
    let mesh = w3d::build::branch(&table::MESH, [w3d::build::record(&table::MESH_HEADER3, &header)]);
    let mut root = Node::branch(&w3d::table::FILE, 0, vec![mesh]);
    transform(&mut root, &Transform::Rotate(Axis::Z, 45.0)).expect("it is on no bone");
    let header = root.find("MESH/MESH_HEADER3").and_then(Node::value::<w3d::records::MeshHeader3>);
    let header = header.expect("a header");
    let wide = 2.0_f32.sqrt();
    for (found, wanted) in [(header.min, [-wide, -wide, -2.0]), (header.max, [wide, wide, 3.0])] {
        assert!(found.get().iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
    }
}

/// A flat box is a box.
#[test]
fn a_flat_box_moves() {
    let header = w3d::records::MeshHeader3 {
        min: Vec3::new(0.0, -1.0, 5.0),
        max: Vec3::new(0.0, 1.0, 5.0),
        ..w3d::records::MeshHeader3::default()
    };
    let mesh = w3d::build::branch(&table::MESH, [w3d::build::record(&table::MESH_HEADER3, &header)]);
    let mut root = Node::branch(&w3d::table::FILE, 0, vec![mesh]);
    transform(&mut root, &Transform::Translate([1.0, 2.0, 3.0])).expect("it is on no bone");
    let header = root.find("MESH/MESH_HEADER3").and_then(Node::value::<w3d::records::MeshHeader3>);
    let header = header.expect("a header");
    assert_eq!((header.min.get(), header.max.get()), ([1.0, 1.0, 8.0], [1.0, 3.0, 8.0]));
}

/// What is nothing has no sign afterwards, whatever it was multiplied by.
#[test]
fn zeros_stay_without_a_sign() {
    let points = w3d::build::array(&table::POINTS, &[Vec3::new(-5.0, 0.0, 0.0)]);
    let mut root = Node::branch(&w3d::table::FILE, 0, vec![points]);
    transform(&mut root, &Transform::Rotate(Axis::X, 180.0)).expect("points can turn");
    let turned = root.find("POINTS").expect("points").values::<Vec3>()[0].get();
    assert_eq!(turned.map(f32::to_bits), [-5.0, 0.0, 0.0].map(f32::to_bits));
    let mut file = common::crate_box();
    let pivots = file.root.find_mut("HIERARCHY/PIVOTS").expect("bones");
    pivots.values_mut::<w3d::records::Pivot>()[1].rotation = Quaternion::new(-0.5, 0.0, -0.5, -0.75);
    transform(&mut file.root, &Transform::Rotate(Axis::Z, 180.0)).expect("it can turn");
    let pivots = file.root.find("HIERARCHY/PIVOTS").expect("bones").values::<w3d::records::Pivot>();
    // k · (-0.5 i - 0.5 k - 0.75) = -0.5 j + 0.5 - 0.75 k
    let wanted = [0.0, -0.5, -0.75, 0.5_f32];
    assert_eq!(pivots[1].rotation.get().map(f32::to_bits), wanted.map(f32::to_bits));
}

/// Matrices of the rest pose are turned from both sides: one that stands upright stays so.
#[test]
fn bind_poses_turn_about_the_new_axes() {
    let upright = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // A quarter turn about X as rows: what was about X is about Y afterwards, turned by 90 degrees about Z.
    let about_x = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]];
    let about_y = [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
    for (before, after) in [(upright, upright), (about_x, about_y)] {
        let [x, y, z] = before.map(Vec3::from);
        let pose = BindPose { x, y, z, translation: Vec3::new(1.0, 2.0, 3.0) };
        let version = mdx::build::leaf(&kinds::VERS, &[record::U32::new(1000)]);
        let mut root = mdx::build::file(vec![version, mdx::build::counted(&kinds::BPOS, &[pose])]);
        transform(&mut root, &Transform::Rotate(Axis::Z, 90.0)).expect("it can turn");
        let pose = root.find("BPOS").expect("poses").values::<BindPose>()[0];
        assert_eq!([pose.x.get(), pose.y.get(), pose.z.get()], after);
        assert_eq!(pose.translation.get(), [-2.0, 1.0, 3.0]);
    }
}

/// The largest floats mean that there is no limit. A length grows by the largest factor.
#[test]
fn a_limit_that_is_none_stays() {
    let scaled = |length: f32, factors: [f32; 3]| {
        let level = w3d::records::Lod { lod_max: F32::new(length), ..w3d::records::Lod::default() };
        let model = w3d::build::branch(&table::LODMODEL, [w3d::build::record(&table::LOD, &level)]);
        let mut root = Node::branch(&w3d::table::FILE, 0, vec![model]);
        transform(&mut root, &Transform::Scale(factors)).expect("nothing turns");
        root.find("LODMODEL/LOD").and_then(Node::value::<w3d::records::Lod>).expect("a level").lod_max.get()
    };
    assert_eq!(scaled(f32::MAX, [0.5; 3]), f32::MAX);
    assert_eq!(scaled(-f32::MAX, [0.5; 3]), -f32::MAX);
    assert_eq!(scaled(1.01e38, [0.5; 3]), 1.01e38);
    assert_eq!(scaled(0.9e38, [0.5; 3]), 0.45e38);
    assert_eq!(scaled(1e38, [0.5; 3]), 0.5e38);
    assert_eq!(scaled(10.0, [1.0, 3.0, 2.0]), 30.0);
    assert_eq!(scaled(10.0, [1.0, 2.0, 3.0]), 30.0);
    assert_eq!(scaled(10.0, [3.0, 2.0, 1.0]), 30.0);
}

/// Packed rotations of the WoW alpha turn about the new axis as others do.
#[test]
fn packed_rotations_turn_about_the_new_axes() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let keys = [(0, PackedQuaternion::pack(Quaternion::new(half, 0.0, 0.0, half)))];
    let mut root =
        mdx_sample(&mdx_samples().into_iter().find(|(name, _)| *name == "wow-1300").expect("it").1).root;
    root.children_mut().expect("chunks").retain(|chunk| ["VERS", "BONE"].contains(&&*chunk.name()));
    let node = root.find_mut("BONE/Bone/Node").expect("a node");
    let parts = node.children_mut().expect("parts");
    parts.truncate(1);
    parts.push(mdx::build::track(tags::KGRT, Interpolation::LINEAR, -1, &keys).expect("a track"));
    transform(&mut root, &Transform::Rotate(Axis::Z, 90.0)).expect("it can turn");
    let track = root.find("BONE/Bone/Node/KGRT").expect("a track");
    let turned = track.values::<Key<PackedQuaternion>>()[0].value.unpack().get();
    // About X becomes about Y.
    let near = turned.iter().zip([0.0, half, 0.0, half]).all(|(a, b)| (a - b).abs() < 1e-3);
    assert!(near, "{turned:?}");
}
