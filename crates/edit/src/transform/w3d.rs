//! W3D: bones move their objects; objects without a bone are transformed directly.

use std::collections::BTreeMap;

use record::{F32, Node, decode};
use w3d::records::*;
use w3d::table;

use super::Skeletons;
use super::mapping::{Transform, quaternion, turned};
use super::quantities::apply;
use crate::{Error, each_leaf};

/// The names of the skeletons in this file, and of skeletons of its models in other files.
pub(super) fn skeletons(root: &Node<'_>) -> Skeletons {
    let (mut here, mut used) = (Vec::new(), Vec::new());
    root.walk(&mut |place| {
        if let Some(header) = place.node.value::<HierarchyHeader>() {
            here.push(header.name.to_string());
        } else if let Some(header) = place.node.value::<HlodHeader>() {
            used.push(header.hierarchy_name.to_string());
        } else if let Some(header) = place.node.value::<HModelHeader>() {
            used.push(header.hierarchy_name.to_string());
        }
    });
    let is_here = |name: &String| here.iter().any(|known| known.eq_ignore_ascii_case(name));
    used.retain(|name| !name.is_empty() && !is_here(name));
    used.dedup();
    Skeletons { here, elsewhere: used }
}

pub(super) fn transform(root: &mut Node<'_>, what: &Transform) -> Result<usize, Error> {
    let mut old_mesh = false;
    root.walk(&mut |place| old_mesh |= place.node.is(&table::MESH_HEADER));
    if old_mesh {
        return Err(Error::new(
            "unsupported: a mesh of version 1 or 2, whose position and inertia are not documented",
        ));
    }
    match what {
        Transform::Scale(factors) => scale(root, what, *factors),
        _ => place(root, what),
    }
}

fn scale(root: &mut Node<'_>, what: &Transform, factors: [f32; 3]) -> Result<usize, Error> {
    if what.uniform().is_none() {
        refuse_uneven(root)?;
    }
    let mut changed = 0;
    each_leaf(root, &mut |leaf| {
        let here = apply(leaf, what, &|_| true) | scale_channel(leaf, factors) | scale_light(leaf, what);
        changed += usize::from(here);
        Ok(())
    })?;
    Ok(changed)
}

/// Different factors per axis cannot be applied through a rotation, nor to round objects.
fn refuse_uneven(root: &Node<'_>) -> Result<(), Error> {
    let mut reason: Option<String> = None;
    let mut skeletons = Vec::new();
    let mut wanted = Vec::new();
    let round = [&table::EMITTER, &table::LIGHT, &table::SPHERE, &table::RING, &table::SOUNDROBJ];
    root.walk(&mut |place| {
        let node = place.node;
        if let Some(chunk) = round.iter().find(|chunk| node.is(chunk)) {
            reason = Some(format!("a {}", chunk.kind.name));
        } else if node.is(&table::PLACEHOLDER)
            || node.is(&table::TRANSFORM_NODE)
            || node.is(&table::LIGHT_TRANSFORM)
        {
            reason = Some(format!("a {}, which has a rotation", node.name()));
        } else if let Some(header) = node.value::<HierarchyHeader>() {
            skeletons.push(header.name);
        } else if let Some(header) = node.value::<HlodHeader>() {
            wanted.push(header.hierarchy_name);
        } else if let Some(header) = node.value::<HModelHeader>() {
            wanted.push(header.hierarchy_name);
        }
        for pivot in node.values::<Pivot>() {
            let [x, y, z, _] = pivot.rotation.get();
            if [x, y, z] != [0.0; 3] {
                reason = Some(format!("the bone {}, which is rotated", pivot.name));
            }
        }
        if channel(node).is_some_and(|kind| !matches!(kind, Moves::Axis(_))) {
            reason = Some("an animation that rotates bones".to_owned());
        }
    });
    for name in wanted.iter().filter(|name| !name.text().is_empty()) {
        if !skeletons.iter().any(|known| known.same_name(name)) {
            reason =
                Some(format!("the skeleton {name}, which is in another file and may have rotated bones"));
        }
    }
    match reason {
        Some(reason) => Err(Error::new(format!("different factors per axis do not work for {reason}"))
            .with_note("scale by one factor")),
        None => Ok(()),
    }
}

/// The value that an animation channel changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Moves {
    /// A translation along an axis.
    Axis(usize),
    /// An angle about an axis.
    Angle(usize),
    /// A quaternion.
    Rotation,
}

pub(super) fn channel(node: &Node<'_>) -> Option<Moves> {
    let kind = if let Some(channel) = node.value::<AnimationChannel>() {
        channel.flags.get()
    } else if let Some(channel) = node.value::<TimeCodedChannel>() {
        channel.flags.get().into()
    } else if let Some(channel) = node.value::<AdaptiveDeltaChannel>() {
        channel.flags.get().into()
    } else {
        node.value::<MotionChannel>()?.flags.get().into()
    };
    Moves::of(kind)
}

impl Moves {
    /// Of a type of channel, in any storage.
    pub(super) fn of(kind: u16) -> Option<Self> {
        match kind {
            0 | 7 | 11 => Some(Self::Axis(0)),
            1 | 8 | 12 => Some(Self::Axis(1)),
            2 | 9 | 13 => Some(Self::Axis(2)),
            3 => Some(Self::Angle(0)),
            4 => Some(Self::Angle(1)),
            5 => Some(Self::Angle(2)),
            6 | 10 | 14 => Some(Self::Rotation),
            _ => None,
        }
    }
}

/// Translations in all encodings. Stored differences are proportional to their scale
/// (docs/formats/w3d/animation.md#adaptive-delta), which is a field of the header in adaptive delta channels and a
/// separate array in motion channels.
fn scale_channel(node: &mut Node<'_>, factors: [f32; 3]) -> bool {
    let Some(Moves::Axis(axis)) = channel(node) else { return false };
    let factor = factors[axis];
    let before = node.bytes().to_vec();
    for slot in ["values", "initial", "scale", "keys"] {
        let Some(found) = node.locate(slot) else { continue };
        let stride = match found.item {
            record::Item::Value(record::Type::F32) => 4,
            // Keys of one float: the time, then the value.
            _ => 8,
        };
        let Some(bytes) = node.bytes_mut().and_then(|bytes| bytes.get_mut(found.range)) else { continue };
        for item in bytes.chunks_exact_mut(stride) {
            scale_float(item.get_mut(stride - 4..), factor);
        }
    }
    node.bytes() != before
}

fn scale_float(bytes: Option<&mut [u8]>, factor: f32) {
    if let Some(number) =
        bytes.and_then(|bytes| <F32 as record::zerocopy::FromBytes>::mut_from_bytes(bytes).ok())
    {
        number.set(number.get() * factor);
    }
}

/// The position of a Lightscape light: the fourth column of its matrix.
fn scale_light(node: &mut Node<'_>, what: &Transform) -> bool {
    let Some(light) = node.is(&table::LIGHT_TRANSFORM).then(|| node.value_mut::<LightTransform>()).flatten()
    else {
        return false;
    };
    for row in &mut light.transform {
        row[3].set(what.length(row[3].get()));
    }
    true
}

/// The bones that objects are attached to, by full name in lower case.
struct Attached(BTreeMap<Vec<u8>, Vec<u32>>);

impl Attached {
    fn of(root: &Node<'_>) -> Result<Self, Error> {
        let mut bones: BTreeMap<Vec<u8>, Vec<u32>> = BTreeMap::new();
        let mut old = false;
        root.walk(&mut |place| {
            let node = place.node;
            if let Some(object) = node.value::<HlodSubObject>() {
                bones
                    .entry(object.name.text().to_ascii_lowercase())
                    .or_default()
                    .push(object.bone_index.get());
            } else if let Some(header) = node.value::<HierarchyHeader>() {
                old |= header.version.0.get() < w3d::names::Version::new(3, 0).0.get();
            } else if node.is(&table::HMODEL)
                && let Some(header) = node.child(&table::HMODEL_HEADER).and_then(Node::value::<HModelHeader>)
            {
                old |= header.version.0.get() < w3d::names::Version::new(3, 0).0.get();
                for object in node.children().iter().filter_map(Node::value::<HModelNode>) {
                    let name = [header.name.text(), b".", object.render_obj_name.text()].concat();
                    bones.entry(name.to_ascii_lowercase()).or_default().push(object.pivot_idx.get().into());
                }
            }
        });
        if old {
            return Err(Error::new(
                "unsupported: a skeleton or model older than version 3.0, whose bones are numbered differently",
            ));
        }
        Ok(Self(bones))
    }

    /// Whether an object is transformed directly: it has no bone, or is attached to the root.
    fn is_free(&self, name: &[u8]) -> Result<bool, Error> {
        let Some(bones) = self.0.get(&name.to_ascii_lowercase()) else { return Ok(true) };
        let on_root = bones.iter().filter(|bone| **bone == 0).count();
        if on_root != 0 && on_root != bones.len() {
            return Err(Error::new(format!("{} is attached to the root and to another bone", decode(name))));
        }
        Ok(on_root != 0)
    }
}

/// Moves or rotates the whole model.
fn place(root: &mut Node<'_>, what: &Transform) -> Result<usize, Error> {
    let attached = Attached::of(root)?;
    let mut changed = 0;
    for child in root.children_mut().into_iter().flatten() {
        let label = child.label().and_then(|label| record::encode(&label).map(|name| name.into_owned()));
        let name = label.unwrap_or_default();
        if child.is(&table::HIERARCHY) {
            changed += place_skeleton(child, what)?;
        } else if child.is(&table::MESH) || child.is(&table::SHDMESH) {
            // Skins are attached to the root, but their vertices are in the spaces of their bones.
            changed += if is_skin(child) {
                place_skin(child, what)?
            } else if attached.is_free(&name)? {
                place_all(child, what)?
            } else {
                0
            };
        } else if child.is(&table::BOX) {
            if attached.is_free(&name)? {
                if !what.is_right_angled() {
                    return Err(Error::new(format!(
                        "the box {} can only be rotated by multiples of 90 degrees",
                        decode(&name)
                    ))
                    .with_note("attach it to a bone"));
                }
                changed += place_all(child, what)?;
            }
        } else if child.is(&table::COLLECTION) || child.is(&table::POINTS) || child.is(&table::HMODEL) {
            changed += place_all(child, what)?;
        } else if child.is(&table::LODMODEL) {
            for points in child.children_mut().into_iter().flatten().filter(|part| part.is(&table::POINTS)) {
                changed += place_all(points, what)?;
            }
        } else if child.is(&table::LIGHTSCAPE) {
            changed += place_lights(child, what)?;
        } else {
            refuse_placeless(child, &name, &attached)?;
        }
    }
    Ok(changed)
}

fn place_all(node: &mut Node<'_>, what: &Transform) -> Result<usize, Error> {
    let mut changed = 0;
    each_leaf(node, &mut |leaf| {
        changed += usize::from(apply(leaf, what, &|_| true));
        Ok(())
    })?;
    Ok(changed)
}

/// Effects store no position; they are at their bone.
fn refuse_placeless(node: &Node<'_>, name: &[u8], attached: &Attached) -> Result<(), Error> {
    let effects = [
        &table::EMITTER,
        &table::LIGHT,
        &table::SPHERE,
        &table::RING,
        &table::DAZZLE,
        &table::SOUNDROBJ,
        &table::AGGREGATE,
    ];
    if effects.iter().any(|effect| node.is(effect)) && attached.is_free(name)? {
        return Err(Error::new(format!(
            "{} {} is not attached to a bone and stores no position",
            node.name(),
            decode(name)
        ))
        .with_note("attach it to a bone"));
    }
    Ok(())
}

fn place_skeleton(hierarchy: &mut Node<'_>, what: &Transform) -> Result<usize, Error> {
    let mut changed = 0;
    for child in hierarchy.children_mut().into_iter().flatten() {
        if child.is(&table::HIERARCHY_HEADER) {
            changed += usize::from(apply(child, what, &|_| true));
        } else if child.is(&table::PIVOTS) {
            let first = |pivot: &Pivot| pivot.parent() == Some(0);
            for pivot in child.values_mut::<Pivot>().iter_mut().filter(|pivot| first(pivot)) {
                pivot.translation = what.point(pivot.translation.get()).into();
                if let Transform::Rotate(axis, degrees) = what {
                    let [x, y, z, w] = turned(quaternion(*axis, *degrees), pivot.rotation.get());
                    pivot.rotation = record::Quaternion::new(x, y, z, w);
                }
                changed += 1;
            }
        }
    }
    Ok(changed)
}

fn is_skin(mesh: &Node<'_>) -> bool {
    let mut skin = false;
    mesh.walk(&mut |place| {
        skin |= [
            &table::VERTEX_INFLUENCES,
            table::VERTEX_INFLUENCES_EXTENDED.row,
            &table::SHDSUBMESH_VERTEX_INFLUENCES,
        ]
        .iter()
        .any(|chunk| place.node.is(chunk));
    });
    skin
}

/// Vertices of the root are changed; planes and bounds are those of the undeformed mesh.
fn place_skin(mesh: &mut Node<'_>, what: &Transform) -> Result<usize, Error> {
    let (mut first, mut second, mut unclear) = (Vec::new(), Vec::new(), false);
    mesh.walk(&mut |place| {
        for influence in place.node.values::<VertexInfluence>() {
            first.push(influence.bone_idx[0].get() == 0);
            second.push(influence.bone_idx[1].get() == 0);
        }
        let extended = place.node.values::<VertexInfluenceExtended>();
        unclear |=
            extended.iter().any(|one| one.bones().iter().any(|(bone, share)| *bone == 0 && *share > 0.0));
        unclear |= place.node.is(&table::SHDSUBMESH_VERTEX_INFLUENCES) && place.node.bytes().contains(&0);
    });
    if unclear {
        return Err(Error::new("unsupported: a skin with several bones per vertex has vertices on the root"));
    }
    let in_first: &[&w3d::Chunk] = &[
        &table::VERTICES,
        &table::VERTEX_NORMALS,
        &table::SURRENDER_NORMALS,
        &table::TANGENTS,
        &table::BITANGENTS,
    ];
    let in_second: &[&w3d::Chunk] = &[&table::SECONDARY_VERTICES, &table::SECONDARY_VERTEX_NORMALS];
    let in_bones: &[&w3d::Chunk] = &[
        &table::SHDSUBMESH_VERTICES,
        &table::SHDSUBMESH_VERTEX_NORMALS,
        &table::SHDSUBMESH_TANGENT_BASIS_S,
        &table::SHDSUBMESH_TANGENT_BASIS_T,
        &table::SHDSUBMESH_TANGENT_BASIS_SXT,
    ];
    let mut changed = 0;
    each_leaf(mesh, &mut |leaf| {
        let is = |chunks: &[&'static w3d::Chunk]| chunks.iter().any(|chunk| leaf.is(chunk));
        let (one, two, none) = (is(in_first), is(in_second), is(in_bones));
        let on_root = |list: &[bool], index: usize| list.get(index).copied().unwrap_or(false);
        changed += usize::from(if one {
            apply(leaf, what, &|index| on_root(&first, index))
        } else if two {
            apply(leaf, what, &|index| on_root(&second, index))
        } else {
            !none && apply(leaf, what, &|_| true)
        });
        Ok(())
    })?;
    Ok(changed)
}

fn place_lights(lights: &mut Node<'_>, what: &Transform) -> Result<usize, Error> {
    let mut changed = 0;
    each_leaf(lights, &mut |leaf| {
        if !leaf.is(&table::LIGHT_TRANSFORM) {
            return Ok(());
        }
        let Some(light) = leaf.value_mut::<LightTransform>() else { return Ok(()) };
        for column in 0..4 {
            let old = std::array::from_fn(|row| light.transform[row][column].get());
            let new = if column == 3 { what.point(old) } else { what.vector(old) };
            for (row, value) in light.transform.iter_mut().zip(new) {
                row[column].set(value);
            }
        }
        changed += 1;
        Ok(())
    })?;
    Ok(changed)
}
