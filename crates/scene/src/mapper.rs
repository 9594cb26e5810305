//! W3D's mappers, which transform or generate texture coordinates (docs/formats/w3d/materials.md#mappers).
//!
//! Coordinates are as in glTF, v downwards. Arguments keep the meaning and the sign of the source.

use glam::{Affine2, Mat2, Vec2};
use std::f32::consts::{PI, TAU};

/// Source and animation of texture coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum UvMapper {
    /// Coordinates of the mesh.
    #[default]
    Uv,
    /// Environment map: coordinates from normals or reflections.
    Environment(Environment),
    /// Coordinates from the position on the screen.
    Screen(LinearOffset),
    /// Scrolls.
    LinearOffset(LinearOffset),
    /// Obsolete; no engine draws it.
    Silhouette,
    /// Scales.
    Scale(Vec2),
    /// Shows the cells of a square grid one after the other.
    Grid(Grid),
    /// Rotates.
    Rotate(Rotate),
    /// Oscillates.
    SineLinearOffset(SineLinearOffset),
    /// Moves in steps.
    StepLinearOffset(StepLinearOffset),
    /// Scrolls forwards and backwards.
    ZigZagLinearOffset(ZigZagLinearOffset),
    /// Random rotation and offset at each frame.
    Random(Random),
    /// u from the angle between the surface and the camera.
    Edge(Edge),
    /// Scrolls, and distorts another texture.
    BumpEnvironment(BumpEnvironment),
}

/// Environment mapping: coordinates are half of a direction plus a half.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Environment {
    /// The direction.
    pub source: EnvironmentSource,
    /// With an axis, the direction is in world space, and this axis is ignored. Without one, it is in view space.
    pub world_axis: Option<Axis>,
    /// The map shows the cells of a grid one after the other.
    pub grid: Option<Grid>,
}

/// Direction for an [`Environment`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EnvironmentSource {
    /// The normal ("classic", "cheap"; Warcraft III's sphere map).
    Normal,
    /// The reflected direction of view.
    #[default]
    Reflection,
}

/// An axis of W3D, where Z points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Axis {
    X,
    Y,
    #[default]
    Z,
}

/// Scrolling. A positive speed moves the picture; the coordinates move the other way.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LinearOffset {
    /// UPerSec, VPerSec.
    pub speed: Vec2,
    /// UOffset, VOffset.
    pub start: Vec2,
    /// UScale, VScale.
    pub scale: Vec2,
    /// ClampFix: the offset stops at the scale instead of wrapping.
    pub clamp: bool,
}

impl Default for LinearOffset {
    fn default() -> Self {
        Self { speed: Vec2::ZERO, start: Vec2::ZERO, scale: Vec2::ONE, clamp: false }
    }
}

/// A square grid of cells, row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Grid {
    /// FPS; backwards if negative.
    pub frames_per_second: f32,
    /// Log2Width: the grid has 2 to this power cells along each side.
    pub log2_width: u32,
    /// Last: number of used cells; zero is all.
    pub last: u32,
    /// Offset: first cell.
    pub offset: u32,
}

impl Default for Grid {
    fn default() -> Self {
        Self { frames_per_second: 1.0, log2_width: 1, last: 0, offset: 0 }
    }
}

/// Rotation about a centre.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rotate {
    /// Speed, in turns per second.
    pub speed: f32,
    /// UCenter, VCenter.
    pub center: Vec2,
    /// UScale, VScale, after the rotation.
    pub scale: Vec2,
}

impl Default for Rotate {
    fn default() -> Self {
        Self { speed: 0.1, center: Vec2::ZERO, scale: Vec2::ONE }
    }
}

/// Oscillation along a Lissajous figure.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SineLinearOffset {
    /// UAmp, VAmp.
    pub amplitude: Vec2,
    /// UFreq, VFreq, per second.
    pub frequency: Vec2,
    /// UPhase, VPhase, in half turns.
    pub phase: Vec2,
    /// UScale, VScale.
    pub scale: Vec2,
}

impl Default for SineLinearOffset {
    fn default() -> Self {
        Self { amplitude: Vec2::ONE, frequency: Vec2::ONE, phase: Vec2::ZERO, scale: Vec2::ONE }
    }
}

/// Motion in steps.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StepLinearOffset {
    /// UStep, VStep.
    pub step: Vec2,
    /// SPS.
    pub steps_per_second: f32,
    /// UScale, VScale.
    pub scale: Vec2,
    /// ClampFix: the offset stops at the scale instead of wrapping.
    pub clamp: bool,
}

impl Default for StepLinearOffset {
    fn default() -> Self {
        Self { step: Vec2::ZERO, steps_per_second: 0.0, scale: Vec2::ONE, clamp: false }
    }
}

/// Scrolling forwards and backwards.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ZigZagLinearOffset {
    /// UPerSec, VPerSec.
    pub speed: Vec2,
    /// Period: seconds for both directions together.
    pub period: f32,
    /// UScale, VScale.
    pub scale: Vec2,
}

impl Default for ZigZagLinearOffset {
    fn default() -> Self {
        Self { speed: Vec2::ZERO, period: 0.0, scale: Vec2::ONE }
    }
}

/// Random rotation and offset at each frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Random {
    /// FPS; with zero nothing changes.
    pub frames_per_second: f32,
    /// UPerSec, VPerSec, between frames.
    pub speed: Vec2,
    /// UScale, VScale, before the rotation.
    pub scale: Vec2,
}

impl Default for Random {
    fn default() -> Self {
        Self { frames_per_second: 0.0, speed: Vec2::ZERO, scale: Vec2::ONE }
    }
}

/// u is half the depth of the normal or reflection plus a half; v scrolls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Edge {
    /// VPerSec.
    pub speed: f32,
    /// VStart.
    pub start: f32,
    /// UseReflect.
    pub reflection: bool,
}

/// A rotating bump matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BumpEnvironment {
    /// BumpRotation, in turns per second.
    pub rotation: f32,
    /// BumpScale.
    pub bump_scale: f32,
    /// Scrolling of the coordinates.
    pub offset: LinearOffset,
}

impl Default for BumpEnvironment {
    fn default() -> Self {
        Self { rotation: 0.0, bump_scale: 1.0, offset: LinearOffset::default() }
    }
}

impl UvMapper {
    /// Transform of the coordinates of the mesh after this many seconds. `None` if the mapper does not use them or is random
    /// ([`Environment`](Self::Environment), [`Screen`](Self::Screen), [`Edge`](Self::Edge), [`Random`](Self::Random)).
    #[must_use]
    pub fn transform(&self, seconds: f32) -> Option<Affine2> {
        let moved = |scale: Vec2, offset: Vec2| {
            Some(Affine2::from_mat2_translation(Mat2::from_diagonal(scale), offset))
        };
        match self {
            Self::Uv | Self::Silhouette => Some(Affine2::IDENTITY),
            Self::Scale(scale) => moved(*scale, Vec2::ZERO),
            Self::LinearOffset(linear) | Self::BumpEnvironment(BumpEnvironment { offset: linear, .. }) => {
                moved(linear.scale, linear.offset(seconds))
            }
            Self::Grid(grid) => moved(Vec2::ONE, grid.offset(seconds)),
            Self::Rotate(rotate) => {
                let turn = Mat2::from_angle((rotate.speed * seconds).fract() * TAU);
                let offset = rotate.center - turn * rotate.center;
                let scale = Mat2::from_diagonal(rotate.scale);
                Some(Affine2::from_mat2_translation(scale * turn, scale * offset))
            }
            Self::SineLinearOffset(sine) => {
                let angle = sine.frequency * (seconds * TAU) + sine.phase * PI;
                moved(sine.scale, sine.amplitude * Vec2::new(angle.x.sin(), angle.y.sin()))
            }
            Self::StepLinearOffset(step) => {
                let offset = step.step * (step.steps_per_second * seconds).trunc();
                moved(step.scale, confine(offset, step.scale, step.clamp))
            }
            Self::ZigZagLinearOffset(zigzag) => moved(zigzag.scale, zigzag.offset(seconds)),
            Self::Environment(_) | Self::Screen(_) | Self::Random(_) | Self::Edge(_) => None,
        }
    }
}

impl LinearOffset {
    /// The offset after this many seconds.
    #[must_use]
    pub fn offset(&self, seconds: f32) -> Vec2 {
        confine(self.start - self.speed * seconds, self.scale, self.clamp)
    }
}

impl Grid {
    /// The cell shown after this many seconds.
    #[must_use]
    pub fn frame(&self, seconds: f32) -> u32 {
        let all = 1_i64 << (self.log2_width.min(15) * 2);
        let count = if self.last == 0 { all } else { i64::from(self.last) };
        let offset = i64::from(self.offset) % count;
        // The engine counts whole milliseconds for each frame.
        let milliseconds = (1000.0 / self.frames_per_second.abs()).trunc().clamp(1.0, f32::INFINITY);
        // Without a speed, the first frame never ends.
        let passed = (seconds * 1000.0 / milliseconds) as i64;
        let frame = if self.frames_per_second < 0.0 {
            (count - 1 - offset).saturating_sub(passed)
        } else {
            offset.saturating_add(passed)
        };
        frame.rem_euclid(count) as u32
    }

    /// Offset of the cell that is shown after this many seconds.
    #[must_use]
    pub fn offset(&self, seconds: f32) -> Vec2 {
        let width = 1_u32 << self.log2_width.min(15);
        let frame = self.frame(seconds);
        Vec2::new((frame % width) as f32, (frame / width % width) as f32) / width as f32
    }
}

impl ZigZagLinearOffset {
    fn offset(&self, seconds: f32) -> Vec2 {
        let period = self.period.abs();
        if period > 0.0 {
            let into = seconds.rem_euclid(period);
            self.speed * into.min(period - into)
        } else {
            Vec2::ZERO
        }
    }
}

/// Keeps an offset small: within the scale, or its fraction.
fn confine(offset: Vec2, scale: Vec2, clamp: bool) -> Vec2 {
    if clamp { offset.max(-scale).min(scale) } else { offset - offset.floor() }
}
