//! Bounds after an edit: those of the file, which hold what the edit changed too.

use super::super::{Edit, MeshChange};
use super::Author;
use crate::author::mdx::{Options, to_mdx};
use mdx::kinds;
use mdx::records::{Extent, Sequence};
use scene::Scene;

/// How much a box may grow by rounding, as a share of its size.
const SLACK: f32 = 1e-4;

/// The bounds of a model, as computed from poses.
struct Computed {
    /// Those at rest and of all sequences.
    model: Extent,
    sequences: Vec<Extent>,
    /// Those of each geoset in each sequence, if each mesh is one geoset.
    geosets: Vec<Vec<Extent>>,
}

impl Author<'_, '_, '_> {
    /// Makes the bounds of the model, of its sequences and of geosets in sequences hold what has grown by an edit. Bounds that an edit does not
    /// change stay as they are, whatever they are.
    pub(super) fn widen_extents(&mut self) {
        let is_shape = |edit: &Edit| match edit {
            Edit::MeshChanged(change) => {
                let changes =
                    [MeshChange::Positions, MeshChange::Triangles, MeshChange::Weights, MeshChange::Node];
                changes.into_iter().any(|known| change.has(known))
            }
            Edit::MeshAdded(_)
            | Edit::NodeMoved(..)
            | Edit::NodeReparented(..)
            | Edit::MotionChanged(..)
            | Edit::MotionAdded(..)
            | Edit::GlobalMotionChanged(..)
            | Edit::ClipAdded(_)
            | Edit::ClipLength(..) => true,
            _ => false,
        };
        if !self.inputs.comparison.edits.iter().any(is_shape) || self.is_classic().is_err() {
            return;
        }
        let (now, _) = crate::mdx::to_scene(self.document, &crate::mdx::Options::default());
        let version = self.document.version;
        let (Some(before), Some(now)) =
            (computed(self.inputs.original.clone(), version), computed(now, version))
        else {
            return;
        };
        if let Some(model) = self.document.root.get_mut(kinds::MODL)
            && let Some(wider) = widened(&model.extent, &before.model, &now.model)
        {
            model.extent = wider;
        }
        let clips = std::mem::take(&mut self.clips);
        let mut all: Vec<Sequence> = self.document.root.get(kinds::SEQS).to_vec();
        let mut is_changed = false;
        for ((sequence, clip), new) in all.iter_mut().zip(&clips).zip(&now.sequences) {
            let Some(old) = clip.and_then(|clip| before.sequences.get(clip.index())) else { continue };
            if let Some(wider) = widened(&sequence.extent, old, new) {
                sequence.extent = wider;
                is_changed = true;
            }
        }
        if is_changed && let Some(chunk) = self.document.root.child_mut(&kinds::SEQS) {
            // As many as before, so this cannot fail.
            let _ = chunk.set_values(&all);
        }
        for (index, geoset) in self.document.geosets_mut().enumerate() {
            let Some(new) = now.geosets.get(index) else { break };
            let Some(list) = geoset.node.child_mut(&kinds::EXTENTS) else { continue };
            let mut extents: Vec<Extent> = list.values::<Extent>().to_vec();
            if extents.len() != clips.len() || new.len() != clips.len() {
                continue;
            }
            let old = before.geosets.get(index);
            for ((extent, clip), new) in extents.iter_mut().zip(&clips).zip(new) {
                *extent = match (old, clip.and_then(|clip| old?.get(clip.index()))) {
                    (Some(_), Some(old)) => widened(extent, old, new).unwrap_or(*extent),
                    // What is new has the bounds that it has.
                    _ => *new,
                };
            }
            if list.values::<Extent>() != &extents[..] {
                // As many as before, so this cannot fail.
                let _ = list.set_values(&extents);
            }
        }
        self.clips = clips;
    }
}

/// The bounds of a scene, without those that it has from a file.
fn computed(mut scene: Scene, version: u32) -> Option<Computed> {
    scene.bounds = None;
    scene.clips.iter_mut().for_each(|clip| clip.bounds = None);
    for mesh in &mut scene.meshes {
        mesh.bounds = None;
        mesh.clip_bounds.clear();
    }
    let options = Options { version, complete: false, ..Options::default() };
    let (document, _) = to_mdx(&scene, &options).ok()?;
    let sequences: Vec<Extent> =
        document.root.get(kinds::SEQS).iter().take(scene.clips.len()).map(|found| found.extent).collect();
    let at_rest = document.root.get(kinds::MODL)?.extent;
    let is_one_each = document.view().geosets().count() == scene.meshes.len();
    let geosets = document.view().geosets().filter(|_| is_one_each);
    Some(Computed {
        model: sequences.iter().fold(at_rest, |all, one| union(&all, one)),
        geosets: geosets.map(|geoset| geoset.extents().to_vec()).collect(),
        sequences,
    })
}

/// The box around two boxes. The radius is not computed.
fn union(a: &Extent, b: &Extent) -> Extent {
    let corner = |a: [f32; 3], b: [f32; 3], pick: fn(f32, f32) -> f32| -> [f32; 3] {
        std::array::from_fn(|axis| pick(a[axis], b[axis]))
    };
    let mut all = *a;
    all.minimum = corner(a.minimum.get(), b.minimum.get(), f32::min).into();
    all.maximum = corner(a.maximum.get(), b.maximum.get(), f32::max).into();
    all
}

/// The bounds of a file, on the sides on which an edit made the computed ones larger.
fn widened(stored: &Extent, before: &Extent, now: &Extent) -> Option<Extent> {
    let numbers = |extent: &Extent| (extent.minimum.get(), extent.maximum.get());
    let ((mut low, mut high), (old_low, old_high), (new_low, new_high)) =
        (numbers(stored), numbers(before), numbers(now));
    // A file without bounds stays one.
    if low == high {
        return None;
    }
    let mut is_wider = false;
    let slack = |axis: usize| SLACK * (old_high[axis] - old_low[axis]).abs().max(1e-3);
    // A sequence that shows nothing has a box whose lower corner is above the upper one. It holds what it shows from now on.
    if (0..3).any(|axis| low[axis] > high[axis]) {
        let is_same = |axis: usize| {
            (new_low[axis] - old_low[axis]).abs() <= slack(axis)
                && (new_high[axis] - old_high[axis]).abs() <= slack(axis)
        };
        let is_shown = (0..3).all(|axis| new_low[axis] <= new_high[axis]);
        return (is_shown && !(0..3).all(is_same)).then_some(*now);
    }
    for axis in 0..3 {
        let slack = slack(axis);
        if new_low[axis] < old_low[axis] - slack && new_low[axis] < low[axis] {
            (low[axis], is_wider) = (new_low[axis], true);
        }
        if new_high[axis] > old_high[axis] + slack && new_high[axis] > high[axis] {
            (high[axis], is_wider) = (new_high[axis], true);
        }
    }
    if !is_wider {
        return None;
    }
    let mut wider = *stored;
    (wider.minimum, wider.maximum) = (low.into(), high.into());
    let half = (0..3).map(|axis| (high[axis] - low[axis]).powi(2)).sum::<f32>().sqrt() / 2.0;
    wider.radius.set(stored.radius.get().max(half));
    Some(wider)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(low: f32, high: f32) -> Extent {
        let mut extent = Extent { minimum: [low; 3].into(), maximum: [high; 3].into(), ..Extent::default() };
        extent.radius.set(high - low);
        extent
    }

    #[test]
    fn bounds_grow_only_where_the_edit_does() {
        let (stored, before) = (extent(-2.0, 2.0), extent(-3.0, 1.0));
        assert_eq!(widened(&stored, &before, &before), None, "the file's own error stays");
        assert_eq!(widened(&stored, &before, &extent(-3.0, 1.5)), None, "they hold it already");
        let wider = widened(&stored, &before, &extent(-3.0, 5.0)).expect("the edit is outside");
        assert_eq!((wider.minimum.get(), wider.maximum.get()), ([-2.0; 3], [5.0; 3]));
        assert_eq!(widened(&extent(0.0, 0.0), &before, &extent(-3.0, 5.0)), None, "no bounds stay none");
    }

    #[test]
    fn a_box_of_nothing_becomes_that_of_what_is_shown_now() {
        let (nothing, before, now) = (extent(f32::MAX, f32::MIN), extent(-3.0, 1.0), extent(-3.0, 5.0));
        assert_eq!(widened(&nothing, &before, &now), Some(now), "numbers stay finite");
        assert_eq!(widened(&nothing, &before, &before), None, "nothing was added");
    }
}
