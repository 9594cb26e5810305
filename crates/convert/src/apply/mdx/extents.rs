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
    model: Extent,
    /// By the name of the sequence.
    sequences: Vec<(String, Extent)>,
}

impl Author<'_, '_, '_> {
    /// Makes the bounds of the model and of its sequences hold what has grown by an edit. Bounds that an edit does not change stay as they are,
    /// whatever they are.
    pub(super) fn widen_extents(&mut self) {
        let is_shape = |edit: &Edit| match edit {
            Edit::MeshChanged(change) => {
                change.has(MeshChange::Positions) || change.has(MeshChange::Triangles)
            }
            Edit::MeshAdded(_) | Edit::NodeMoved(..) | Edit::MotionChanged(..) | Edit::ClipAdded(_) => true,
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
        let mut all: Vec<Sequence> = self.document.root.get(kinds::SEQS).to_vec();
        let mut is_changed = false;
        for (index, sequence) in all.iter_mut().enumerate() {
            let name = mdx::view::text(&sequence.name);
            let old = before.sequences.iter().find(|(known, _)| *known == name);
            let (Some((_, old)), Some((_, new))) = (old, now.sequences.get(index)) else { continue };
            if let Some(wider) = widened(&sequence.extent, old, new) {
                sequence.extent = wider;
                is_changed = true;
            }
        }
        if is_changed && let Some(chunk) = self.document.root.child_mut(&kinds::SEQS) {
            // As many as before, so this cannot fail.
            let _ = chunk.set_values(&all);
        }
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
    let sequences = document.root.get(kinds::SEQS).iter();
    Some(Computed {
        model: document.root.get(kinds::MODL)?.extent,
        sequences: sequences.map(|found| (mdx::view::text(&found.name).into_owned(), found.extent)).collect(),
    })
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
    for axis in 0..3 {
        let slack = SLACK * (old_high[axis] - old_low[axis]).abs().max(1e-3);
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
}
