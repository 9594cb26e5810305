//! `KHR_texture_transform`: texture coordinates scaled, turned, moved.

use crate::document::TextureTransform;
use glam::{Affine2, Vec2};

/// The parts of a change of texture coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) offset: Vec2,
    pub(crate) rotation: f32,
    pub(crate) scale: Vec2,
}

impl Default for Place {
    fn default() -> Self {
        Self { offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE }
    }
}

impl Place {
    /// The parts of a matrix; a skew is lost. Angles are anticlockwise to the eye although v points down, as glTF's readers take them.
    pub(crate) fn of(matrix: &Affine2) -> Option<Self> {
        let (u, v) = (matrix.matrix2.x_axis, matrix.matrix2.y_axis);
        let rotation = if u == Vec2::ZERO { 0.0 } else { (-u.y).atan2(u.x) };
        let (sine, cosine) = rotation.sin_cos();
        let scale = Vec2::new(u.length(), v.dot(Vec2::new(sine, cosine)));
        let place = Self { offset: matrix.translation, rotation, scale };
        // A mirror along u needs no rotation.
        let place = if u.y == 0.0 && u.x < 0.0 {
            Self { rotation: 0.0, scale: Vec2::new(u.x, v.y), ..place }
        } else {
            place
        };
        (place.offset.is_finite() && place.scale.is_finite() && place.rotation.is_finite()).then_some(place)
    }
}

impl From<Place> for TextureTransform {
    fn from(place: Place) -> Self {
        Self { offset: place.offset, rotation: place.rotation, scale: place.scale }
    }
}
