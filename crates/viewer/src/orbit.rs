//! The camera that the user moves: a turntable around the model, as in f3d and Blender.

use glam::{Mat4, Vec2, Vec3, Vec4};
use meshwright::render::frame::Camera;
use meshwright::scene::Bounds;

/// Field of view from top to bottom, in radians.
const FIELD_OF_VIEW: f32 = 30.0 * std::f32::consts::PI / 180.0;
/// Share of the picture that a framed model fills.
const FILL: f32 = 0.92;
/// Pitch stays below the poles, so that the camera is always upright.
const MAX_PITCH: f32 = 89.9;
/// Limits of the zoom factor.
const ZOOM: std::ops::RangeInclusive<f32> = 0.01..=200.0;

/// Position of the camera relative to the framed bounds of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// Degrees: 0 is in front of the model, 90 on its left side.
    pub yaw: f32,
    /// Degrees: 90 is above the model.
    pub pitch: f32,
    /// 1 frames the model, 2 is twice as near.
    pub zoom: f32,
    /// Offset of the point that the camera looks at, from the centre of the model, in model units.
    pub pan: Vec3,
    /// Parallel lines stay parallel.
    pub orthographic: bool,
}

impl Default for Orbit {
    fn default() -> Self {
        Self { yaw: 40.0, pitch: 25.0, zoom: 1.0, pan: Vec3::ZERO, orthographic: false }
    }
}

/// Views that a key selects: its name, yaw and pitch.
pub const PRESETS: [(&str, f32, f32); 7] = [
    ("front", 0.0, 0.0),
    ("back", 180.0, 0.0),
    ("left", 90.0, 0.0),
    ("right", -90.0, 0.0),
    ("top", 0.0, 90.0),
    ("bottom", 0.0, -90.0),
    ("iso", 40.0, 25.0),
];

impl Orbit {
    /// Turns the camera around the model by a movement of the mouse in points.
    pub fn turn(&mut self, by: Vec2) {
        if by.is_finite() {
            self.yaw = wrap_degrees(self.yaw - by.x * 0.4);
            self.pitch = (self.pitch + by.y * 0.4).clamp(-MAX_PITCH, MAX_PITCH);
        }
    }

    /// Moves the picture by a movement of the mouse in points, in a view of this height.
    pub fn shift(&mut self, by: Vec2, bounds: &Bounds, height: f32) {
        let (right, up, _) = self.axes();
        let units = 2.0 * self.distance(bounds, 1.0) * (FIELD_OF_VIEW * 0.5).tan() / height.max(1.0);
        let pan = self.pan + (up * by.y - right * by.x) * units;
        // Far away from the model there is nothing to see, and numbers lose their precision.
        let limit = radius(bounds) * 100.0;
        if pan.is_finite() {
            self.pan = pan.clamp_length_max(limit);
        }
    }

    /// Changes the zoom by a factor.
    pub fn zoom_by(&mut self, factor: f32) {
        if factor.is_finite() && factor > 0.0 {
            self.zoom = (self.zoom * factor).clamp(*ZOOM.start(), *ZOOM.end());
        }
    }

    /// Changes the zoom by a factor and keeps the point under the cursor in its place. `cursor` is relative to the centre of the
    /// view, in points, y down.
    pub fn zoom_at(&mut self, factor: f32, cursor: Vec2, bounds: &Bounds, height: f32) {
        self.shift(-cursor, bounds, height);
        self.zoom_by(factor);
        self.shift(cursor, bounds, height);
    }

    /// Looks at a point.
    pub fn center_on(&mut self, point: Vec3, bounds: &Bounds) {
        let pan = point - center(bounds);
        if pan.is_finite() {
            self.pan = pan;
        }
    }

    /// Frames the whole model from the same side.
    pub fn frame_all(&mut self) {
        (self.zoom, self.pan) = (1.0, Vec3::ZERO);
    }

    /// Looks from a side.
    pub fn look_from(&mut self, yaw: f32, pitch: f32) {
        (self.yaw, self.pitch) = (wrap_degrees(yaw), pitch.clamp(-MAX_PITCH, MAX_PITCH));
    }

    /// Right, up and back.
    fn axes(&self) -> (Vec3, Vec3, Vec3) {
        let finite = |degrees: f32| if degrees.is_finite() { degrees.to_radians() } else { 0.0 };
        let (sin_yaw, cos_yaw) = finite(self.yaw).sin_cos();
        let (sin_pitch, cos_pitch) = finite(self.pitch).sin_cos();
        let back = Vec3::new(cos_pitch * cos_yaw, sin_pitch, -cos_pitch * sin_yaw);
        let right = Vec3::new(-sin_yaw, 0.0, -cos_yaw);
        (right, back.cross(right), back)
    }

    /// Distance from the point that the camera looks at.
    fn distance(&self, bounds: &Bounds, aspect: f32) -> f32 {
        let tangent = (FIELD_OF_VIEW * 0.5).tan() * aspect.min(1.0);
        let sine = tangent / (1.0 + tangent * tangent).sqrt();
        radius(bounds) / (sine * FILL * self.zoom.clamp(*ZOOM.start(), *ZOOM.end()))
    }

    /// The camera for a view of this aspect.
    #[must_use]
    pub fn camera(&self, bounds: &Bounds, aspect: f32) -> Camera {
        let aspect = if aspect.is_finite() { aspect.clamp(0.05, 20.0) } else { 1.0 };
        let (right, up, back) = self.axes();
        let radius = radius(bounds);
        let distance = self.distance(bounds, aspect);
        let target = center(bounds) + self.pan;
        let reach = distance + self.pan.length() + radius * 40.0;
        let (eye, projection) = if self.orthographic {
            let half = distance * (FIELD_OF_VIEW * 0.5).tan();
            let eye = target + back * reach;
            (eye, orthographic(half * aspect, half, reach * 2.0))
        } else {
            let near = (distance - self.pan.length() - radius * 2.0).max(distance * 0.01).max(radius * 1e-4);
            (target + back * distance, perspective(aspect, near, reach))
        };
        let world = Mat4::from_cols(right.extend(0.0), up.extend(0.0), back.extend(0.0), eye.extend(1.0));
        Camera { view: world.inverse(), projection, position: eye }
    }

    /// Writes yaw, pitch, zoom and pan as text: `40,25`, `40,25,2` or `40,25,2,0,10,0`.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self { yaw, pitch, zoom, pan, .. } = *self;
        let mut numbers = vec![yaw, pitch];
        if zoom != 1.0 || pan != Vec3::ZERO {
            numbers.push(zoom);
        }
        if pan != Vec3::ZERO {
            numbers.extend(pan.to_array());
        }
        let numbers: Vec<String> = numbers.iter().map(|number| crate::state::number_text(*number)).collect();
        numbers.join(",")
    }

    /// Reads what [`Self::to_text`] writes, or the name of a preset.
    ///
    /// # Errors
    /// If it is neither.
    pub fn read(&mut self, text: &str) -> Result<(), String> {
        if let Some((_, yaw, pitch)) = PRESETS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(text)) {
            self.look_from(*yaw, *pitch);
            return Ok(());
        }
        let numbers: Option<Vec<f32>> = text
            .split(',')
            .map(|part| part.trim().parse::<f32>().ok().filter(|number| number.is_finite()))
            .collect();
        let wrong = || {
            let names: Vec<&str> = PRESETS.iter().map(|(name, ..)| *name).collect();
            format!("expected {}, or yaw and pitch such as 30,20", names.join(", "))
        };
        let numbers = numbers.ok_or_else(wrong)?;
        match numbers.as_slice() {
            [yaw, pitch] => self.look_from(*yaw, *pitch),
            [yaw, pitch, zoom] => {
                self.look_from(*yaw, *pitch);
                self.zoom = zoom.clamp(*ZOOM.start(), *ZOOM.end());
            }
            [yaw, pitch, zoom, x, y, z] => {
                self.look_from(*yaw, *pitch);
                self.zoom = zoom.clamp(*ZOOM.start(), *ZOOM.end());
                self.pan = Vec3::new(*x, *y, *z);
            }
            _ => return Err(wrong()),
        }
        Ok(())
    }
}

/// From view space to clip space; depth is 0 at the near plane and 1 at the far plane.
fn perspective(aspect: f32, near: f32, far: f32) -> Mat4 {
    let tangent = (FIELD_OF_VIEW * 0.5).tan();
    let depth = far / (near - far);
    Mat4::from_cols(
        Vec4::new(1.0 / (tangent * aspect), 0.0, 0.0, 0.0),
        Vec4::new(0.0, 1.0 / tangent, 0.0, 0.0),
        Vec4::new(0.0, 0.0, depth, -1.0),
        Vec4::new(0.0, 0.0, near * depth, 0.0),
    )
}

/// The same without perspective, for half the width and height of what is seen.
fn orthographic(width: f32, height: f32, far: f32) -> Mat4 {
    let scale = Vec3::new(1.0 / width, 1.0 / height, -1.0 / far);
    Mat4::from_scale(scale)
}

fn wrap_degrees(degrees: f32) -> f32 {
    if degrees.is_finite() { (degrees + 180.0).rem_euclid(360.0) - 180.0 } else { 0.0 }
}

fn radius(bounds: &Bounds) -> f32 {
    if bounds.radius.is_finite() { bounds.radius.clamp(1e-4, 1e9) } else { 1.0 }
}

fn center(bounds: &Bounds) -> Vec3 {
    if bounds.center.is_finite() { bounds.center } else { Vec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds =
        Bounds { min: Vec3::splat(-1.0), max: Vec3::splat(3.0), center: Vec3::splat(1.0), radius: 4.0 };

    fn on_screen(orbit: &Orbit, point: Vec3) -> Vec3 {
        let camera = orbit.camera(&BOUNDS, 1.5);
        (camera.projection * camera.view).project_point3(point)
    }

    #[test]
    fn the_model_is_in_the_middle_and_fills_the_view() {
        for orthographic in [false, true] {
            let orbit = Orbit { orthographic, ..Orbit::default() };
            assert!(on_screen(&orbit, BOUNDS.center).truncate().length() < 1e-4);
            let edge = on_screen(&orbit, BOUNDS.center + Vec3::Y * BOUNDS.radius);
            assert!((0.7..1.0).contains(&edge.y), "{edge}");
            assert!((0.0..1.0).contains(&edge.z), "{edge}");
        }
    }

    #[test]
    fn dragging_to_the_right_turns_the_front_to_the_right() {
        let mut orbit = Orbit { yaw: 0.0, pitch: 0.0, ..Orbit::default() };
        let front = BOUNDS.center + Vec3::X;
        assert!(on_screen(&orbit, front).x.abs() < 1e-4);
        orbit.turn(Vec2::new(50.0, 0.0));
        assert!(on_screen(&orbit, front).x > 0.01);
        orbit.turn(Vec2::new(0.0, 100.0));
        assert!((orbit.pitch - 40.0).abs() < 1e-3, "dragging down shows the model from above");
    }

    #[test]
    fn panning_moves_the_model_with_the_mouse() {
        let mut orbit = Orbit::default();
        orbit.shift(Vec2::new(60.0, 0.0), &BOUNDS, 400.0);
        let moved = on_screen(&orbit, BOUNDS.center);
        // 60 points of a view that is 600 points wide: a fifth of half the width.
        assert!((moved.x - 0.2).abs() < 0.02 && moved.y.abs() < 1e-3, "{moved}");
    }

    #[test]
    fn zooming_at_the_cursor_keeps_the_point_under_it() {
        let mut orbit = Orbit { yaw: 0.0, pitch: 0.0, ..Orbit::default() };
        let point = BOUNDS.center + Vec3::new(0.0, 1.0, -1.0);
        let before = on_screen(&orbit, point);
        let cursor = Vec2::new(before.x * 300.0, -before.y * 200.0);
        orbit.zoom_at(2.0, cursor, &BOUNDS, 400.0);
        assert_eq!(orbit.zoom, 2.0);
        assert!(on_screen(&orbit, point).truncate().distance(before.truncate()) < 0.02);
    }

    #[test]
    fn text_brings_a_camera_back() {
        let orbit =
            Orbit { yaw: -30.5, pitch: 12.0, zoom: 2.0, pan: Vec3::new(1.0, 2.5, -3.0), ..Orbit::default() };
        let mut read = Orbit::default();
        read.read(&orbit.to_text()).expect("its own text");
        assert_eq!(read, orbit);
        read.read("TOP").expect("a preset");
        assert_eq!((read.yaw, read.pitch), (0.0, MAX_PITCH));
        for wrong in ["", "1", "a,b", "1,2,3,4", "nan,0", "1,2,3,4,5,6,7"] {
            assert!(read.read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn hostile_numbers_make_no_hostile_camera() {
        let bounds = Bounds { center: Vec3::NAN, radius: f32::INFINITY, ..BOUNDS };
        let mut orbit = Orbit { yaw: f32::NAN, ..Orbit::default() };
        orbit.turn(Vec2::NAN);
        orbit.zoom_by(f32::NAN);
        orbit.zoom_by(-1.0);
        orbit.shift(Vec2::INFINITY, &bounds, 0.0);
        let camera = orbit.camera(&bounds, f32::NAN);
        assert!(camera.view.is_finite() && camera.projection.is_finite());
    }
}
