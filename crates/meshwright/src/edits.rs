//! Changing a model.

use edit::{
    Addition, Attachment, Blending, Children, ClipAddition, ClipChange, ColourChange, Mirror, Optimise,
    Optimised, Recompute, Removal, Report, Selector, SplitBy,
};

use crate::{Model, Result};

impl Model {
    /// Replaces all references to a texture, ignoring case. Returns the number of references, 0 if the model does not use the
    /// texture. Patterns and other changes are in the crate [`edit`].
    ///
    /// ```
    /// let mut model = meshwright::Model::parse(w3d::sample::crate_box())?;
    /// assert_eq!(model.set_texture("MWCRATE.TGA", "oak.dds")?, 2);
    /// assert_eq!(model.textures(), ["oak.dds"]);
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn set_texture(&mut self, old: &str, new: &str) -> Result<usize> {
        let replacement = edit::Replacement::exact(old, new)?;
        Ok(edit::retexture(self.document_mut().root_mut(), &replacement, false)?)
    }

    /// Removes parts and all references to them; see [`edit::remove`]. If a change fails, the model may be partly changed.
    ///
    /// ```
    /// use meshwright::{Model, edit::Removal};
    /// let mut model = Model::parse(w3d::sample::crate_box())?;
    /// let removal = Removal { parts: vec!["mesh:LID".parse()?], ..Removal::default() };
    /// assert_eq!(model.remove(&removal)?.changed, 1);
    /// assert_eq!(model.meshes().len(), 1);
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn remove(&mut self, removal: &Removal) -> Result<Report> {
        Ok(edit::remove(self.document_mut().root_mut(), removal)?)
    }

    /// Removes all parts of the kinds that are named, except the chosen ones; see [`edit::keep`].
    pub fn keep(&mut self, kept: &[Selector], children: Children) -> Result<Report> {
        Ok(edit::keep(self.document_mut().root_mut(), kept, children)?)
    }

    /// Recomputes normals, tangents, extents, planes or collision trees; see [`edit::recompute`].
    pub fn recompute(&mut self, what: &Recompute) -> Result<Report> {
        Ok(edit::recompute(self.document_mut().root_mut(), what)?)
    }

    /// Changes clips; see [`edit::change_clip`].
    pub fn change_clip(&mut self, clips: &Selector, change: &ClipChange) -> Result<Report> {
        Ok(edit::change_clip(self.document_mut().root_mut(), clips, change)?)
    }

    /// Adds a part of another model; see [`edit::add`].
    pub fn add(&mut self, from: &Self, addition: &Addition) -> Result<Report> {
        Ok(edit::add(self.document_mut().root_mut(), from.document().root(), addition)?)
    }

    /// Adds a clip of another model; see [`edit::add_clip`].
    pub fn add_clip(&mut self, from: &Self, addition: &ClipAddition) -> Result<Report> {
        Ok(edit::add_clip(self.document_mut().root_mut(), from.document().root(), addition)?)
    }

    /// Makes the model smaller and measures the largest error of a pose; see [`edit::optimise`].
    ///
    /// ```
    /// use meshwright::{Model, edit::Optimise};
    /// let mut model = Model::parse(w3d::sample::crate_box())?;
    /// let done = model.optimise(&Optimise { tolerance: 1e-3, ..Optimise::default() })?;
    /// assert!(done.bytes_after <= done.bytes_before && done.error.largest() <= 1e-3);
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn optimise(&mut self, options: &Optimise) -> Result<Optimised> {
        Ok(edit::optimise(self.document_mut().root_mut(), options)?)
    }

    /// Mirrors the model; see [`edit::mirror`].
    ///
    /// ```
    /// use meshwright::{Model, edit::{Axis, Mirror}};
    /// let bytes = w3d::sample::tank();
    /// let mut model = Model::parse(bytes.clone())?;
    /// let left_and_right = Mirror { axis: Axis::Y, names: true };
    /// model.mirror(&left_and_right)?;
    /// model.mirror(&left_and_right)?;
    /// assert_eq!(model.to_bytes()?, bytes);
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn mirror(&mut self, what: &Mirror) -> Result<Report> {
        Ok(edit::mirror(self.document_mut().root_mut(), what)?)
    }

    /// Moves a part to another parent; see [`edit::attach`].
    pub fn attach(&mut self, attachment: &Attachment) -> Result<Report> {
        Ok(edit::attach(self.document_mut().root_mut(), attachment)?)
    }

    /// Sets how parts are blended with what is behind them; see [`edit::blend`].
    pub fn blend(&mut self, blending: &Blending) -> Result<Report> {
        Ok(edit::blend(self.document_mut().root_mut(), blending)?)
    }

    /// Changes the colours of parts; see [`edit::recolour`].
    pub fn recolour(&mut self, parts: &Selector, change: &ColourChange) -> Result<Report> {
        Ok(edit::recolour(self.document_mut().root_mut(), parts, change)?)
    }

    /// Divides meshes by material or connected part; see [`edit::split`].
    pub fn split(&mut self, meshes: &Selector, by: SplitBy) -> Result<Report> {
        Ok(edit::split(self.document_mut().root_mut(), meshes, by)?)
    }

    /// Joins meshes that are drawn alike; see [`edit::merge_meshes`].
    pub fn merge_meshes(&mut self, meshes: &Selector) -> Result<Report> {
        Ok(edit::merge_meshes(self.document_mut().root_mut(), meshes)?)
    }

    /// Adds all parts of another model; see [`edit::merge_model`].
    pub fn merge_model(&mut self, from: &Self, like: Option<&str>) -> Result<Report> {
        Ok(edit::merge_model(self.document_mut().root_mut(), from.document().root(), like)?)
    }
}
