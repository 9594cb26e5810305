//! Cameras: around a model, so that it fills the picture, or a camera of the model.

use super::{Camera, Rules};
use glam::{Affine3A, Mat4, Quat, Vec3, Vec4};
use scene::{Bounds, CameraId, CameraProperty, Moment, Pose, Scene, Target, Value, View};

/// Vertical field of view, in radians, of cameras that are not the model's own.
const FIELD_OF_VIEW: f32 = 30.0 * std::f32::consts::PI / 180.0;
/// The share of the picture that a framed model fills.
const FILL: f32 = 0.92;
/// Limits for the field of view of a model's camera.
const FIELDS_OF_VIEW: std::ops::RangeInclusive<f32> = 0.01..=3.0;

impl Camera {
    /// A camera at `eye` that looks at `target`. If both are equal, it looks along -X, at the model's front.
    #[must_use]
    pub fn look_at(eye: Vec3, target: Vec3, field_of_view: f32, aspect: f32, near: f32, far: f32) -> Self {
        let back = (eye - target).try_normalize().unwrap_or(Vec3::X);
        let axes = Axes::facing(back);
        Self::new(eye, axes, perspective((field_of_view * 0.5).tan(), aspect, near, far))
    }

    fn new(position: Vec3, axes: Axes, projection: Mat4) -> Self {
        let Axes { right, up, back } = axes;
        let world =
            Mat4::from_cols(right.extend(0.0), up.extend(0.0), back.extend(0.0), position.extend(1.0));
        Self { view: world.inverse(), projection, position }
    }

    /// The direction of view.
    #[must_use]
    pub fn forward(&self) -> Vec3 {
        -self.view.row(2).truncate()
    }

    /// To the right on the screen.
    #[must_use]
    pub fn right(&self) -> Vec3 {
        self.view.row(0).truncate()
    }

    /// Up on the screen.
    #[must_use]
    pub fn up(&self) -> Vec3 {
        self.view.row(1).truncate()
    }

    pub(super) fn view_of(&self) -> View {
        View { position: self.position, forward: self.forward(), anchors: true }
    }

    /// The distance of a place behind the camera; places in front have negative values.
    pub(super) fn depth(&self, place: Vec3) -> f32 {
        self.view.row(2).dot(place.extend(1.0))
    }
}

/// From view space to clip space, for the tangent of half the vertical field of view. Depth is 0 at the near plane and 1
/// at the far plane.
fn perspective(tangent: f32, aspect: f32, near: f32, far: f32) -> Mat4 {
    let depth = far / (near - far);
    Mat4::from_cols(
        Vec4::new(1.0 / (tangent * aspect), 0.0, 0.0, 0.0),
        Vec4::new(0.0, 1.0 / tangent, 0.0, 0.0),
        Vec4::new(0.0, 0.0, depth, -1.0),
        Vec4::new(0.0, 0.0, near * depth, 0.0),
    )
}

/// The axes of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axes {
    right: Vec3,
    up: Vec3,
    /// Against the direction of view.
    pub(super) back: Vec3,
}

impl Axes {
    /// Around the model: yaw 0 is in front of it, on the +X side, 90 degrees is on its left side; pitch 90 is above.
    pub(super) fn orbit(yaw: f32, pitch: f32) -> Self {
        let sound = |degrees: f32| if degrees.is_finite() { degrees.to_radians() } else { 0.0 };
        let (sin_yaw, cos_yaw) = sound(yaw).sin_cos();
        let (sin_pitch, cos_pitch) = sound(pitch).sin_cos();
        let back = Vec3::new(cos_pitch * cos_yaw, sin_pitch, -cos_pitch * sin_yaw);
        let right = Vec3::new(-sin_yaw, 0.0, -cos_yaw);
        Self { right, up: back.cross(right), back }
    }

    /// Upright axes with this back vector. For a vertical view, the model's front is at the bottom of the picture.
    fn facing(back: Vec3) -> Self {
        let right = Vec3::Y.cross(back).try_normalize().unwrap_or(Vec3::NEG_Z);
        Self { right, up: back.cross(right), back }
    }

    fn rolled(self, angle: f32) -> Self {
        let turn = Quat::from_axis_angle(self.back, angle);
        Self { right: turn * self.right, up: turn * self.up, back: self.back }
    }
}

/// Finds the nearest camera with given axes that sees all points.
///
/// With `t` the tangent of half the field of view, a camera at (c, d) sees a point (x, z) if `|x - c| ≤ (d - z) t`. Both
/// sides together give `c + d t ≥ max(x + z t)` and `c - d t ≤ min(x - z t)`, so each direction needs only two extremes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    axes: Axes,
    aspect: f32,
    tangents: [f32; 2],
    most: [f32; 2],
    least: [f32; 2],
    nearest: f32,
    farthest: f32,
}

impl Fit {
    pub(super) fn new(axes: Axes, aspect: f32) -> Self {
        let aspect = if aspect.is_finite() { aspect.clamp(0.01, 100.0) } else { 1.0 };
        // On tall pictures the horizontal field of view is used.
        let tangent = (FIELD_OF_VIEW * 0.5).tan();
        let tangents = if aspect < 1.0 { [tangent, tangent / aspect] } else { [tangent * aspect, tangent] };
        Self {
            axes,
            aspect,
            tangents,
            most: [f32::NEG_INFINITY; 2],
            least: [f32::INFINITY; 2],
            nearest: f32::NEG_INFINITY,
            farthest: f32::INFINITY,
        }
    }

    pub(super) fn add(&mut self, point: Vec3) {
        if !point.is_finite() {
            return;
        }
        let Axes { right, up, back } = self.axes;
        let depth = point.dot(back);
        for (axis, along) in [point.dot(right), point.dot(up)].into_iter().enumerate() {
            let reach = depth * self.tangents[axis] * FILL;
            self.most[axis] = self.most[axis].max(along + reach);
            self.least[axis] = self.least[axis].min(along - reach);
        }
        self.nearest = self.nearest.max(depth);
        self.farthest = self.farthest.min(depth);
    }

    /// Adds a ball, by its outermost points along the camera's axes and the cone around it.
    pub(super) fn add_ball(&mut self, center: Vec3, radius: f32) {
        let Axes { right, up, back } = self.axes;
        let [across, along] = self.tangents.map(|tangent| {
            // The edge of the view touches the ball at the point whose normal is that of the edge.
            let tangent = tangent * FILL;
            let length = (1.0 + tangent * tangent).sqrt();
            (radius / length, radius * tangent / length)
        });
        for sign in [-1.0, 1.0] {
            self.add(center + right * (sign * across.0) + back * across.1);
            self.add(center + up * (sign * along.0) + back * along.1);
            self.add(center + back * (sign * radius));
        }
    }

    pub(super) fn camera(&self) -> Camera {
        if !(self.nearest.is_finite() && self.most[0].is_finite() && self.most[1].is_finite()) {
            return Self::empty(self.axes, self.aspect);
        }
        let Axes { right, up, back } = self.axes;
        let distance =
            |axis: usize| (self.most[axis] - self.least[axis]) / (2.0 * self.tangents[axis] * FILL);
        let middle = |axis: usize| (self.most[axis] + self.least[axis]) * 0.5;
        let depth = (self.nearest - self.farthest).max(1e-3);
        // The camera is never inside the model, and has a minimum distance.
        let away = distance(0).max(distance(1)).max(self.nearest + depth * 0.05);
        let position = right * middle(0) + up * middle(1) + back * away;
        let reach = (away - self.farthest).max(1e-3);
        let projection = perspective(self.tangents[1], self.aspect, reach * 0.005, reach * 50.0);
        let camera = Camera::new(position, self.axes, projection);
        if camera.view.is_finite() && camera.projection.is_finite() {
            camera
        } else {
            Self::empty(self.axes, self.aspect)
        }
    }

    /// The camera for an empty scene.
    fn empty(axes: Axes, aspect: f32) -> Camera {
        let mut fit = Self::new(axes, aspect);
        fit.add_ball(Vec3::ZERO, 1.0);
        fit.camera()
    }

    pub(super) fn add_bounds(&mut self, bounds: &Bounds) {
        self.add_ball(bounds.center, bounds.radius);
    }
}

/// The index of the camera with this name, ignoring case, or with this number.
pub(super) fn find(scene: &Scene, name: &str) -> Option<CameraId> {
    let by_name = scene.cameras.iter().position(|camera| camera.name.eq_ignore_ascii_case(name));
    by_name
        .or_else(|| name.parse::<usize>().ok().filter(|index| *index < scene.cameras.len()))
        .map(CameraId::from)
}

/// A camera of the model at a moment.
pub(super) fn own(
    scene: &Scene,
    id: CameraId,
    pose: &Pose,
    moment: &Moment,
    aspect: f32,
    rules: &Rules,
) -> Option<Camera> {
    let camera = scene.cameras.get(id.index())?;
    let value = |property| scene.value(Target::Camera(id, property), moment);
    let vector = |property| match value(property) {
        Some(Value::Vector(value)) => value,
        _ => Vec3::ZERO,
    };
    let world = camera.node.and_then(|node| pose.worlds.get(node.index())).copied();
    let world = world.unwrap_or(Affine3A::IDENTITY);
    let eye = world.transform_point3(camera.position + vector(CameraProperty::Translation));
    let target = world.transform_point3(camera.target + vector(CameraProperty::TargetTranslation));
    let roll = match value(CameraProperty::Roll) {
        Some(Value::Scalar(value)) if value.is_finite() => value,
        _ => 0.0,
    };
    let aspect = if aspect.is_finite() { aspect.clamp(0.01, 100.0) } else { 1.0 };
    let field_of_view = field_of_view(camera.field_of_view, aspect, rules);
    let distance = eye.distance(target);
    let near = if camera.near > 0.0 && camera.near.is_finite() { camera.near } else { distance * 0.01 };
    let near = near.max(1e-3);
    let far = if camera.far.is_finite() { camera.far.max(near * 2.0) } else { near * 1e4 };
    let axes = Axes::facing((eye - target).try_normalize().unwrap_or(Vec3::X)).rolled(roll);
    let projection = perspective((field_of_view * 0.5).tan(), aspect, near, far);
    Some(Camera::new(eye, axes, projection))
        .filter(|camera| camera.view.is_finite() && projection.is_finite())
}

/// Vertical field of view for a stored one (docs/formats/mdx/cameras-events.md#cameras).
fn field_of_view(stored: f32, aspect: f32, rules: &Rules) -> f32 {
    let angle = if rules.fov_is_diagonal { stored / (1.0 + aspect * aspect).sqrt() } else { stored };
    if angle.is_finite() {
        angle.clamp(*FIELDS_OF_VIEW.start(), *FIELDS_OF_VIEW.end())
    } else {
        FIELD_OF_VIEW
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;
    use scene::{Channel, Clip, ClipId, Curve, Interpolation, Sampler, Track};

    fn on_screen(camera: &Camera, point: Vec3) -> Vec2 {
        (camera.projection * camera.view).project_point3(point).truncate()
    }

    #[test]
    fn presets_look_from_where_they_say() {
        let axes = Axes::orbit(0.0, 0.0);
        assert!(axes.back.abs_diff_eq(Vec3::X, 1e-6) && axes.up.abs_diff_eq(Vec3::Y, 1e-6));
        // From the model's left, its front is at the left of the picture.
        let axes = Axes::orbit(90.0, 0.0);
        assert!(axes.back.abs_diff_eq(Vec3::NEG_Z, 1e-6) && axes.right.abs_diff_eq(Vec3::NEG_X, 1e-6));
        // From above, its front is at the bottom.
        let axes = Axes::orbit(0.0, 90.0);
        assert!(axes.back.abs_diff_eq(Vec3::Y, 1e-6) && axes.up.abs_diff_eq(Vec3::NEG_X, 1e-6));
        assert!(Axes::facing(Vec3::Y).up.abs_diff_eq(Vec3::NEG_X, 1e-6));
        assert_eq!(Axes::orbit(f32::NAN, f32::INFINITY), Axes::orbit(0.0, 0.0));
    }

    #[test]
    fn a_framed_box_touches_the_margin_and_is_in_the_middle() {
        for (yaw, pitch, aspect) in
            [(0.0, 0.0, 1.0), (40.0, 25.0, 2.0), (130.0, -60.0, 0.5), (0.0, 90.0, 1.0)]
        {
            let corners: Vec<Vec3> = (0..8)
                .map(|index| {
                    Vec3::new((index & 1) as f32 * 5.0, (index >> 1 & 1) as f32 * 2.0, (index >> 2) as f32)
                        + 100.0
                })
                .collect();
            let mut fit = Fit::new(Axes::orbit(yaw, pitch), aspect);
            corners.iter().for_each(|corner| fit.add(*corner));
            let camera = fit.camera();
            let points: Vec<Vec2> = corners.iter().map(|corner| on_screen(&camera, *corner)).collect();
            let (min, max) = points
                .iter()
                .fold((Vec2::MAX, Vec2::MIN), |(min, max), index| (min.min(*index), max.max(*index)));
            let reach = max.abs().max(min.abs());
            assert!((reach.max_element() - FILL).abs() < 0.01, "{yaw} {pitch} {aspect}: {min} {max}");
            let centered = if max.x - min.x > max.y - min.y { min.x + max.x } else { min.y + max.y };
            assert!(centered.abs() < 0.01, "{yaw} {pitch} {aspect}: {min} {max}");
        }
    }

    #[test]
    fn a_framed_ball_is_at_the_same_distance_from_all_sides() {
        let camera = |yaw| {
            let mut fit = Fit::new(Axes::orbit(yaw, 20.0), 1.0);
            fit.add_ball(Vec3::new(3.0, 1.0, 2.0), 2.0);
            fit.camera()
        };
        let distance = |yaw| camera(yaw).position.distance(Vec3::new(3.0, 1.0, 2.0));
        assert!((distance(0.0) - distance(77.0)).abs() < 1e-3);
        // sin of half the angle that the ball fills is radius / distance.
        let half = ((FIELD_OF_VIEW * 0.5).tan() * FILL).atan();
        assert!((distance(0.0) - 2.0 / half.sin()).abs() < 0.05, "{}", distance(0.0));
    }

    #[test]
    fn nothing_to_see_gives_a_sound_camera() {
        for points in [&[][..], &[Vec3::NAN], &[Vec3::ZERO], &[Vec3::splat(f32::MAX), Vec3::splat(f32::MIN)]]
        {
            let mut fit = Fit::new(Axes::orbit(10.0, 20.0), f32::NAN);
            points.iter().for_each(|point| fit.add(*point));
            let camera = fit.camera();
            assert!(camera.view.is_finite() && camera.projection.is_finite(), "{points:?}");
        }
    }

    #[test]
    fn a_stored_field_of_view_is_that_of_the_diagonal() {
        // At 4:3 the factor is 0.6.
        let rules = Rules::default();
        assert!((field_of_view(1.0, 4.0 / 3.0, &rules) - 0.6).abs() < 1e-6);
        let vertical = Rules { fov_is_diagonal: false, ..rules };
        assert_eq!(field_of_view(1.0, 4.0 / 3.0, &vertical), 1.0);
        assert_eq!(field_of_view(f32::NAN, 1.0, &rules), FIELD_OF_VIEW);
    }

    #[test]
    fn a_models_camera_moves_with_its_tracks() {
        let camera = scene::Camera {
            name: "Portrait".into(),
            position: Vec3::new(10.0, 0.0, 0.0),
            field_of_view: 0.7,
            near: 1.0,
            far: 100.0,
            ..scene::Camera::default()
        };
        let track = Track::new(Interpolation::Linear, [(0.0, Vec3::ZERO), (1.0, Vec3::Y)]);
        let channel = Channel {
            target: Target::Camera(CameraId(0), CameraProperty::Translation),
            curve: Curve::Vector(track),
        };
        let clip = Clip { duration: 1.0, channels: vec![channel], ..Clip::default() };
        let scene = Scene { cameras: vec![camera], clips: vec![clip], ..Scene::default() };
        let id = find(&scene, "portrait").unwrap();
        assert_eq!(find(&scene, "0"), Some(id));
        assert_eq!(find(&scene, "1"), None);
        let moment = Moment { clip: Some(ClipId(0)), time: 1.0, ..Moment::default() };
        let pose = Sampler::new(&scene).pose(&moment);
        let camera = own(&scene, id, &pose, &moment, 1.0, &Rules::default()).unwrap();
        assert_eq!(camera.position, Vec3::new(10.0, 1.0, 0.0));
        assert!(on_screen(&camera, Vec3::ZERO).abs_diff_eq(Vec2::ZERO, 1e-5));
        assert!((camera.depth(Vec3::ZERO) + 101.0_f32.sqrt()).abs() < 1e-4);
    }
}
