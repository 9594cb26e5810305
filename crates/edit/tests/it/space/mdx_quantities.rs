//! Quantities of MDX.

use std::collections::BTreeSet;

use mdx::records::*;
use mdx::{TRACKS, ValueType, kinds};
use meshwright_edit::{Axis, Transform};
use record::{F32, Node};

use super::{BY, assert_names, changes, doubled, moved, number, turned};
use crate::common::{mdx_sample, mdx_samples};

/// Every sample of MDX, plus a shape of each type, a camera's depth of field, a light's shadow, and every track of floats.
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
                    let tracks = TRACKS.iter().filter(|track| track.value == ValueType::Float);
                    parts.extend(tracks.map(|track| {
                        let keys = [(0, F32::new(0.0)), (500, F32::new(0.0))];
                        mdx::build::track(track.tag, Interpolation::LINEAR, -1, &keys)
                            .expect("a track of floats")
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
