//! Data of MDX models that follows from their geometry and animation.

use std::collections::BTreeMap;

use glam::Vec3 as Point;
use mdx::kinds;
use mdx::records::*;
use mdx::view::{Geoset, Object};
use record::{F32, Node, U16, Vec3, Vec4};
use scene::{ClipId, Deformed, Moment, Sampler};

use super::Recompute;
use super::surface::{self, V3, cross, dot, narrow, wide};
use crate::Error;
use crate::report::Report;

pub(super) fn recompute(root: &mut Node<'_>, what: &Recompute) -> Result<Report, Error> {
    let mut report = Report::default();
    if what.winding || what.normals.is_some() || what.tangents {
        let chunks = root.children_mut().into_iter().flatten().filter(|chunk| chunk.is(&kinds::GEOS));
        let geosets =
            chunks.filter_map(Node::children_mut).flatten().filter(|child| child.is(&kinds::GEOSET));
        report.changed += geosets.map(|geoset| shape(geoset, what)).sum::<usize>();
        if root.children().iter().flat_map(Node::children).any(|child| child.is(&kinds::WOW_GEOSET_SECTION)) {
            report.note("geosets of WoW version 1500 were not changed");
        }
    }
    if what.extents {
        report.changed += extents(root, None)?;
    }
    if what.bones {
        report.changed += bones(root, &|_| true);
    }
    Ok(report)
}

/// The triangles of a geoset; `None` if it has other primitives.
fn triangles(geoset: &Geoset<'_>) -> Option<Vec<[usize; 3]>> {
    if geoset.face_groups().any(|(kind, _)| kind != FaceType::TRIANGLES) {
        return None;
    }
    let faces = geoset.faces().as_chunks::<3>().0;
    Some(faces.iter().map(|corners| corners.map(|corner| usize::from(corner.get()))).collect())
}

fn shape(node: &mut Node<'_>, what: &Recompute) -> usize {
    let Some(geoset) = Geoset::new(node) else { return 0 };
    let positions: Vec<V3> = geoset.positions().iter().copied().map(wide).collect();
    let mut normals: Vec<V3> = geoset.normals().iter().copied().map(wide).collect();
    let coordinates = geoset.coordinate_sets().next().unwrap_or_default().to_vec();
    let Some(mut corners) = triangles(&geoset) else { return 0 };
    let mut changed = 0;
    if what.winding {
        let backwards = surface::backwards(&positions, &normals, &corners);
        if backwards.contains(&true) {
            let turn = |corners: &mut [U16; 3]| corners.swap(1, 2);
            let faces = node.get_mut(kinds::PVTX).as_chunks_mut::<3>().0.iter_mut().zip(&backwards);
            faces.filter(|(_, backwards)| **backwards).for_each(|(corners, _)| turn(corners));
            let faces = corners.iter_mut().zip(&backwards).filter(|(_, backwards)| **backwards);
            faces.for_each(|(corners, _)| corners.swap(1, 2));
            changed += 1;
        }
    }
    if let Some(smoothing) = what.normals {
        let new = surface::normals(&positions, &normals, &corners, smoothing);
        let before = node.get(kinds::NRMS).to_vec();
        let pick = |(vertex, old): (usize, &Vec3)| new.get(vertex).copied().flatten().map_or(*old, narrow);
        let after: Vec<Vec3> = before.iter().enumerate().map(pick).collect();
        if after != before {
            node.set(kinds::NRMS, &after);
            normals = after.iter().copied().map(wide).collect();
            changed += 1;
        }
    }
    if what.tangents {
        let new = surface::tangents(&positions, &normals, &coordinates, &corners);
        let before = node.get(kinds::TANG).to_vec();
        let pick = |(vertex, old): (usize, &Vec4)| {
            let Some([u, v]) = new.get(vertex).copied().flatten() else { return *old };
            // V points down, and the bitangent up.
            let side = if dot(cross(normals[vertex], u), v) > 0.0 { -1.0 } else { 1.0 };
            let [x, y, z] = narrow(u).get();
            Vec4::from([x, y, z, side])
        };
        let after: Vec<Vec4> = before.iter().enumerate().map(pick).collect();
        if after != before {
            node.set(kinds::TANG, &after);
            changed += 1;
        }
    }
    changed
}

/// A box that grows.
#[derive(Clone, Copy)]
struct Growing(Option<(Point, Point)>);

impl Growing {
    const EMPTY: Self = Self(None);

    fn add(&mut self, point: Point) {
        if point.is_finite() {
            self.0 = Some(self.0.map_or((point, point), |(low, high)| (low.min(point), high.max(point))));
        }
    }

    fn join(&mut self, other: Self) {
        if let Some((low, high)) = other.0 {
            self.add(low);
            self.add(high);
        }
    }

    /// In the axes of the file. The radius is that of the sphere around the box, as in files of the game's own tools.
    fn extent(self) -> Extent {
        let (low, high) = self.0.unwrap_or_default();
        // From Y up to Z up.
        let (minimum, maximum) = ([low.x, -high.z, low.y], [high.x, -low.z, high.y]);
        Extent {
            radius: F32::new(low.distance(high) / 2.0),
            minimum: Vec3::from(minimum.map(|part| part + 0.0)),
            maximum: Vec3::from(maximum.map(|part| part + 0.0)),
        }
    }
}

/// How many poses of a clip are looked at: one in 1/15 s, and no more than this.
const MAX_POSES: u16 = 40;

/// What each geoset encloses at rest and in each sequence, and what everything that is shown encloses in each sequence.
struct Measured {
    at_rest: Vec<Growing>,
    in_clips: Vec<Vec<Growing>>,
    shown: Vec<Growing>,
}

fn measure(scene: &scene::Scene) -> Measured {
    let sampler = Sampler::new(scene);
    let mut measured = Measured {
        at_rest: vec![Growing::EMPTY; scene.meshes.len()],
        in_clips: vec![vec![Growing::EMPTY; scene.clips.len()]; scene.meshes.len()],
        shown: vec![Growing::EMPTY; scene.clips.len()],
    };
    for (mesh, growing) in scene.meshes.iter().zip(&mut measured.at_rest) {
        mesh.positions.iter().for_each(|position| growing.add(*position));
    }
    let mut deformed = Deformed::default();
    for (index, clip) in scene.clips.iter().enumerate() {
        let poses = ((clip.duration * 15.0) as u16).clamp(2, MAX_POSES);
        for step in 0..=poses {
            let time = clip.duration * f32::from(step) / f32::from(poses);
            let pose = sampler.pose(&Moment { clip: Some(ClipId::from(index)), time, ..Moment::default() });
            for (at, mesh) in scene.meshes.iter().enumerate() {
                scene::skin(mesh, &pose, &mut deformed);
                let mut around = Growing::EMPTY;
                deformed.positions.iter().for_each(|position| around.add(*position));
                measured.in_clips[at][index].join(around);
                if pose.meshes.get(at).is_none_or(|state| state.visible && state.alpha > 0.0) {
                    measured.shown[index].join(around);
                }
            }
        }
    }
    measured
}

/// Writes the extents of the model, its sequences and geosets, or only those of some geosets. Returns the number of changes.
pub(crate) fn extents(root: &mut Node<'_>, only: Option<&[usize]>) -> Result<usize, Error> {
    let scene = crate::scenes::of_mdx(root)?;
    let measured = measure(&scene);
    let mut all = Growing::EMPTY;
    measured.shown.iter().for_each(|shown| all.join(*shown));
    if all.0.is_none() {
        measured.at_rest.iter().for_each(|own| all.join(*own));
    }
    let sequences: Vec<Extent> =
        measured.shown.iter().map(|shown| if shown.0.is_some() { *shown } else { all }.extent()).collect();
    let mut changed = 0;
    let whole = only.is_none();
    let mut write = |old: &mut Extent, new: Extent| {
        if *old != new {
            *old = new;
            changed += 1;
        }
    };
    let (mut geoset, mut lists) = (0, 0);
    for chunk in root.children_mut().into_iter().flatten() {
        let is = |chunk: &Node<'_>, kind| whole && chunk.is(kind);
        if let Some(model) = is(chunk, &kinds::MODL).then(|| chunk.value_mut::<Model>()).flatten() {
            write(&mut model.extent, all.extent());
        } else if let Some(model) =
            is(chunk, &kinds::WOW_MODL).then(|| chunk.value_mut::<WowModel>()).flatten()
        {
            write(&mut model.extent, all.extent());
        } else if is(chunk, &kinds::SEQS) {
            let list = chunk.values_mut::<Sequence>().iter_mut().zip(&sequences);
            list.for_each(|(sequence, new)| write(&mut sequence.extent, *new));
        } else if is(chunk, &kinds::WOW_SEQS) {
            let list = chunk.values_mut::<WowSequence>().iter_mut().zip(&sequences);
            list.for_each(|(sequence, new)| write(&mut sequence.extent, *new));
        } else if chunk.is(&kinds::GEOS) {
            let objects = chunk.children_mut().into_iter().flatten();
            for object in objects.filter(|object| object.is(&kinds::GEOSET)) {
                let Some(at_rest) = measured.at_rest.get(geoset) else { break };
                if only.is_some_and(|only| !only.contains(&geoset)) {
                    geoset += 1;
                    continue;
                }
                if let Some(bounds) = object.get_mut(kinds::GEOSET_BOUNDS) {
                    write(&mut bounds.extent, at_rest.extent());
                }
                let new: Vec<Extent> = measured.in_clips[geoset]
                    .iter()
                    .map(|own| if own.0.is_some() { own } else { at_rest }.extent())
                    .collect();
                if let Some(list) = object.child_mut(&kinds::EXTENTS)
                    && list.values::<Extent>() != new
                {
                    list.set_values(&new);
                    lists += 1;
                }
                geoset += 1;
            }
        }
    }
    Ok(changed + lists)
}

/// Writes the geoset that each wanted bone moves alone, and its animation. Returns the number of changes.
pub(crate) fn bones(root: &mut Node<'_>, wanted: &dyn Fn(&BoneLinks) -> bool) -> usize {
    let mut moved: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
    let mut by_number: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let chunks = root.all(&kinds::GEOS).flat_map(|chunk| chunk.all(&kinds::GEOSET));
    for (index, geoset) in chunks.enumerate() {
        let Some(geoset) = Geoset::new(geoset) else { continue };
        for matrix in geoset.matrices() {
            moved.entry(matrix.get().cast_signed()).or_default().push(index);
        }
        for vertex in geoset.skin() {
            for (bone, _) in vertex.bones.iter().zip(vertex.weights).filter(|(_, weight)| *weight > 0) {
                let list = by_number.entry(usize::from(*bone)).or_default();
                if list.last() != Some(&index) {
                    list.push(index);
                }
            }
        }
    }
    let animations: Vec<Option<usize>> = root
        .child(&kinds::GEOA)
        .into_iter()
        .flat_map(|list| list.all(&kinds::GEOSET_ANIMATION))
        .map(crate::references::mdx::geoset_of)
        .collect();
    let mut changed = 0;
    let mut ordinal = 0;
    for object in root.children_mut().into_iter().flatten().filter_map(Node::children_mut).flatten() {
        let Some(id) = Object::new(object).map(|object| object.id()) else { continue };
        let Some(links) = object.get_mut(kinds::BONE_LINKS) else { continue };
        let mut list = moved.get(&id).cloned().unwrap_or_default();
        list.extend(by_number.get(&ordinal).into_iter().flatten());
        ordinal += 1;
        list.sort_unstable();
        list.dedup();
        // A bone that moves nothing says so as one that moves several.
        let geoset = if let [only] = list[..] { i32::try_from(only).unwrap_or(-1) } else { -1 };
        let animation = animations
            .iter()
            .position(|own| own.is_some_and(|own| i32::try_from(own) == Ok(geoset)))
            .and_then(|at| i32::try_from(at).ok())
            .unwrap_or(-1);
        let before = *links;
        if !wanted(&before) {
            continue;
        }
        links.geoset_id.set(geoset);
        if geoset >= 0 {
            links.geoset_animation_id.set(animation);
        }
        changed += usize::from(*links != before);
    }
    changed
}
