//! What the writer counted, as notes.

use crate::options::Report;
use scene::{Cause, Note, NoteKind};

impl Report {
    /// What is not in the file as it is in the scene.
    ///
    /// ```
    /// let report = meshwright_gltf::Report { repaired_weights: 3, ..Default::default() };
    /// let losses = report.losses();
    /// assert_eq!(losses.notes[0].count, 3);
    /// assert!(losses.has_losses());
    /// ```
    #[must_use]
    pub fn losses(&self) -> scene::Report {
        use NoteKind::{Assumed, Damaged, Missing, Skipped};
        let counts = [
            (
                Assumed,
                self.omitted_meshes,
                "mesh skipped (hidden, empty or lower level of detail)",
                "meshes skipped (hidden, empty or lower level of detail)",
            ),
            (
                Assumed,
                self.degenerate_triangles,
                "degenerate triangle (two equal corners), dropped",
                "degenerate triangles (two equal corners), dropped",
            ),
            (
                Damaged,
                self.broken_triangles,
                "triangle with an out-of-range index, dropped",
                "triangles with out-of-range indices, dropped",
            ),
            (
                Assumed,
                self.repaired_normals,
                "non-unit normal or tangent, normalised",
                "non-unit normals or tangents, normalised",
            ),
            (
                Assumed,
                self.made_tangents,
                "mesh with a normal map but no tangents; generated with MikkTSpace",
                "meshes with a normal map but no tangents; generated with MikkTSpace",
            ),
            (
                Damaged,
                self.repaired_numbers,
                "NaN or infinite value, set to zero",
                "NaN or infinite values, set to zero",
            ),
            (
                Damaged,
                self.repaired_weights,
                "vertex whose weights did not sum to 1, normalised",
                "vertices whose weights did not sum to 1, normalised",
            ),
            (
                Assumed,
                usize::from(self.baked_globals),
                "model with global sequences baked into its clips: a node ignores its parent's rotation",
                "models with global sequences baked into their clips: a node ignores its parent's rotation",
            ),
        ];
        let fixed = Note::counted(
            Assumed,
            self.fixed_visibility,
            "skinned mesh with the visibility of the Stand clip",
            "skinned meshes with the visibility of the Stand clip",
        )
        .because(Cause::FixedVisibility);
        let missing = self.missing_textures.iter();
        let unreadable = self.unreadable_textures.iter();
        let dropped = self.dropped.iter();
        missing
            .map(|name| Note::new(Missing, name, "texture not found").because(Cause::MissingTexture))
            .chain(dropped.map(|(material, dropped)| Note::new(Skipped, material, dropped.to_string())))
            .chain(unreadable.map(|(name, error)| Note::new(Damaged, name, error.to_string())))
            .chain(counts.map(|(kind, count, one, many)| Note::counted(kind, count, one, many)))
            .chain([fixed])
            .filter(|note| note.count > 0)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_normal_that_keeps_its_direction_is_no_loss() {
        assert!(!Report { repaired_normals: 3, ..Report::default() }.losses().has_losses());
    }

    #[test]
    fn only_fixed_visibility_has_a_remedy() {
        let report =
            Report { fixed_visibility: 2, omitted_meshes: 1, baked_globals: true, ..Report::default() };
        let causes: Vec<_> = report.losses().notes.iter().map(|note| (note.count, note.cause)).collect();
        assert_eq!(causes, [(1, None), (1, None), (2, Some(Cause::FixedVisibility))]);
    }
}
