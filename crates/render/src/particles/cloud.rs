//! Clouds: the triangles of particles, and their state.

use super::Situation;
use crate::frame::{Gradient, PictureId, Vertex};
use glam::{Vec2, Vec3, Vec4};
use scene::{
    AlphaTest, BlendFactor, BlendMode, Compare, Layer, MaterialId, Replaceable, Scene, TextureId, Wrap,
};
use std::ops::Range;

/// The triangles of one emitter, ribbon or primitive, and their state.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloud {
    /// Vertices in world space. Colours are those of the particles, before lighting. Normals point to the camera.
    pub vertices: Vec<Vertex>,
    /// Three vertex indices per triangle.
    pub indices: Vec<u32>,
    /// Particles or parts of a line, oldest first. Sorting keeps each piece together. Together they cover all indices.
    pub pieces: Vec<Piece>,
    /// Blend factors of the source and of the destination.
    pub blend: (BlendFactor, BlendFactor),
    /// Alpha test: pixels that fail it are not drawn.
    pub alpha_test: Option<AlphaTest>,
    /// Depth test: pixels that fail it are not drawn.
    pub depth_test: Compare,
    /// Whether it writes to the depth buffer.
    pub depth_write: bool,
    /// Whether both sides of a triangle are drawn.
    pub two_sided: bool,
    /// The texture; without one only the colours are drawn.
    pub picture: Option<PictureId>,
    /// Wrapping of the texture.
    pub wrap: [Wrap; 2],
    /// How the colours and the texture are combined.
    pub gradient: Gradient,
    /// Whether light has no effect on it.
    pub unlit: bool,
    /// Drawing order (Warcraft III): lower planes are drawn first.
    pub priority_plane: i32,
    /// W3D's static sort level; zero means unsorted.
    pub sort_level: u32,
    /// Whether the farthest pieces are drawn first (Warcraft III).
    pub sort_far: bool,
    /// Whether it is excluded from W3D's pool of sorted triangles, whatever its blending.
    pub unsorted: bool,
    /// The material of a ribbon. The fields above are those of its first layer.
    pub material: Option<MaterialId>,
}

/// A particle, or a part of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its indices in [`Cloud::indices`].
    pub indices: Range<u32>,
    /// Its centre in world space.
    pub center: Vec3,
}

impl Default for Cloud {
    fn default() -> Self {
        Self {
            vertices: Vec::new(),
            indices: Vec::new(),
            pieces: Vec::new(),
            blend: BlendMode::Opaque.factors(),
            alpha_test: None,
            depth_test: Compare::LessEqual,
            depth_write: false,
            two_sided: true,
            picture: None,
            wrap: [Wrap::Clamp; 2],
            gradient: Gradient::Modulate,
            unlit: true,
            priority_plane: 0,
            sort_level: 0,
            sort_far: false,
            unsorted: false,
            material: None,
        }
    }
}

impl Cloud {
    /// An empty cloud with the state of this layer.
    pub(super) fn like(layer: &Layer) -> Self {
        Self {
            blend: layer.blend.factors(),
            alpha_test: layer.alpha_test,
            depth_test: layer.depth_test,
            depth_write: layer.depth_write,
            gradient: gradient(layer),
            ..Self::default()
        }
    }

    /// Sets the picture and its edges.
    pub(super) fn with_texture(mut self, scene: &Scene, texture: Option<TextureId>) -> Self {
        let source = texture.and_then(|id| scene.textures.get(id.index()));
        self.picture = texture.zip(source).map(|(id, source)| match source.replaceable {
            Some(replaceable) if source.name.is_empty() => supplied(replaceable),
            _ => PictureId::Texture(id),
        });
        if let Some(source) = source {
            self.wrap = [source.wrap_u, source.wrap_v];
        }
        self
    }

    /// Adds a piece of triangles, unless a corner is NaN or infinite.
    pub(super) fn push(&mut self, corners: &[Vertex], triangles: &[[u32; 3]], center: Vec3) {
        let sound = center.is_finite()
            && corners.iter().all(|corner| corner.position.is_finite() && corner.uv[0].is_finite());
        let (Ok(base), Ok(start)) = (u32::try_from(self.vertices.len()), u32::try_from(self.indices.len()))
        else {
            return;
        };
        if !sound {
            return;
        }
        self.vertices.extend(corners.iter().map(|corner| Vertex { color: visible(corner.color), ..*corner }));
        self.indices.extend(triangles.as_flattened().iter().map(|index| base + index));
        let end = start + 3 * triangles.len() as u32;
        self.pieces.push(Piece { indices: start..end, center });
    }

    /// Adds four corners around a piece, in the order of the texture's corners: top left, bottom left, bottom right, top right.
    pub(super) fn quad(&mut self, corners: [Vec3; 4], cell: Cell, color: Vec4, normal: Vec3) {
        let uv = cell.corners();
        let corners =
            std::array::from_fn::<_, 4, _>(|index| corner(corners[index], uv[index], color, normal));
        let center = corners.iter().map(|corner| corner.position).sum::<Vec3>() / 4.0;
        self.push(&corners, &[[0, 1, 2], [0, 2, 3]], center);
    }

    /// Adds a rectangle around a centre, by the vectors from the centre to its right and its upper edge.
    pub(super) fn sprite(&mut self, at: Vec3, right: Vec3, up: Vec3, cell: Cell, color: Vec4, normal: Vec3) {
        let corners = [at - right + up, at - right - up, at + right - up, at + right + up];
        self.quad(corners, cell, color, normal);
    }

    /// Adds a stripe between two positions, facing the camera. The left of the texture is at `head`.
    pub(super) fn stripe(
        &mut self,
        head: Vec3,
        tail: Vec3,
        half_width: f32,
        cell: Cell,
        color: Vec4,
        situation: &Situation<'_>,
    ) {
        let side =
            situation.forward.cross(head - tail).try_normalize().unwrap_or(situation.right) * half_width;
        let corners = [head - side, head + side, tail + side, tail - side];
        self.quad(corners, cell, color, -situation.forward);
    }
}

/// The built-in picture of a texture that the game supplies.
pub(super) fn supplied(replaceable: Replaceable) -> PictureId {
    match replaceable {
        Replaceable::TEAM_COLOR => PictureId::TeamColor,
        Replaceable::TEAM_GLOW => PictureId::TeamGlow,
        _ => PictureId::Missing,
    }
}

fn gradient(layer: &Layer) -> Gradient {
    if layer.unlit {
        return Gradient::Disable;
    }
    match layer.gradient {
        scene::Gradient::Modulate | scene::Gradient::DotProduct => Gradient::Modulate,
        scene::Gradient::Add => Gradient::Add,
        scene::Gradient::Modulate2x => Gradient::Modulate2x,
        scene::Gradient::BumpEnvironment | scene::Gradient::BumpEnvironmentLuminance => Gradient::Bump,
    }
}

/// A vertex of a particle.
pub(super) fn corner(position: Vec3, uv: Vec2, color: Vec4, normal: Vec3) -> Vertex {
    Vertex { position, normal, color, uv: [uv; 2], ..Vertex::default() }
}

/// A colour within 0 to 1; NaN is 0.
fn visible(color: Vec4) -> Vec4 {
    Vec4::from_array(color.to_array().map(|part| if part > 0.0 { part.min(1.0) } else { 0.0 }))
}

/// A rectangle of a texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    min: Vec2,
    max: Vec2,
}

impl Cell {
    /// The whole texture.
    pub(super) const WHOLE: Self = Self { min: Vec2::ZERO, max: Vec2::ONE };

    /// A cell by its number, row by row from the top left. Numbers after the last cell mean the last cell.
    #[expect(clippy::cast_precision_loss, reason = "a texture has few cells")]
    pub(super) fn of(number: u32, rows: u32, columns: u32) -> Self {
        let (rows, columns) = (rows.max(1), columns.max(1));
        let number = number.min(rows.saturating_mul(columns) - 1);
        let size = Vec2::new(columns as f32, rows as f32).recip();
        let min = Vec2::new((number % columns) as f32, (number / columns) as f32) * size;
        Self { min, max: min + size }
    }

    /// A position inside, by fractions of its width and height.
    pub(super) fn at(self, share: Vec2) -> Vec2 {
        self.min + (self.max - self.min) * share
    }

    /// Top left, bottom left, bottom right, top right.
    fn corners(self) -> [Vec2; 4] {
        [self.min, Vec2::new(self.min.x, self.max.y), self.max, Vec2::new(self.max.x, self.min.y)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_go_row_by_row_from_the_top_left() {
        let cell = Cell::of(5, 2, 4);
        assert_eq!((cell.min, cell.max), (Vec2::new(0.25, 0.5), Vec2::new(0.5, 1.0)));
        assert_eq!(Cell::of(99, 2, 4), Cell::of(7, 2, 4));
        assert_eq!(Cell::of(3, 0, 0), Cell::WHOLE);
    }

    #[test]
    fn pieces_with_nan_are_skipped_and_colors_are_clamped() {
        let mut cloud = Cloud::default();
        cloud.sprite(Vec3::NAN, Vec3::X, Vec3::Y, Cell::WHOLE, Vec4::ONE, Vec3::Z);
        cloud.sprite(Vec3::ZERO, Vec3::X, Vec3::Y, Cell::WHOLE, Vec4::new(2.0, -1.0, f32::NAN, 0.5), Vec3::Z);
        assert_eq!(cloud.pieces.len(), 1);
        assert_eq!(cloud.vertices[0].color, Vec4::new(1.0, 0.0, 0.0, 0.5));
        assert_eq!(cloud.indices, [0, 1, 2, 0, 2, 3]);
    }
}
