//! Bounding boxes and spheres.

use glam::Vec3;

/// Bounding box and bounding sphere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bounds {
    /// Minimum corner of the box.
    pub min: Vec3,
    /// Maximum corner of the box.
    pub max: Vec3,
    /// Centre of the sphere.
    pub center: Vec3,
    /// Radius of the sphere.
    pub radius: f32,
}

impl Bounds {
    /// The smallest box around points, and the smallest sphere around them whose centre is that of the box. `None` without points.
    #[must_use]
    pub fn around(points: impl IntoIterator<Item = Vec3, IntoIter: Clone>) -> Option<Self> {
        let points = points.into_iter();
        let (min, max) = points.clone().fold(None, |found: Option<(Vec3, Vec3)>, point| {
            Some(found.map_or((point, point), |(min, max)| (min.min(point), max.max(point))))
        })?;
        let center = (min + max) * 0.5;
        let radius = points.fold(0.0_f32, |radius, point| radius.max(point.distance(center)));
        Some(Self { min, max, center, radius })
    }
}
