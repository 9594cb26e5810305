//! Nodes: local transforms, inheritance, billboards, and the order of evaluation.

use crate::NodeId;
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

/// Translation, rotation and scale, applied to a point in the opposite order: scale, rotate, translate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Transform {
    /// Position of the origin in the space of the parent.
    pub translation: Vec3,
    /// Rotation. It is normalised when used; one that cannot be normalised is the identity.
    pub rotation: Quat,
    /// Scale along the axes of the node.
    pub scale: Vec3,
}

impl Transform {
    /// The identity.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// A translation.
    #[must_use]
    pub const fn from_translation(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// The rotation and scale.
    #[must_use]
    pub fn basis(&self) -> Mat3A {
        let rotation = unit(self.rotation);
        let axes = Mat3A::from_quat(rotation);
        Mat3A::from_cols(axes.x_axis * self.scale.x, axes.y_axis * self.scale.y, axes.z_axis * self.scale.z)
    }

    /// The transform as a matrix.
    #[must_use]
    pub fn matrix(&self) -> Affine3A {
        Affine3A { matrix3: self.basis(), translation: self.translation.into() }
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

pub(crate) fn unit(rotation: Quat) -> Quat {
    let normalised = rotation.normalize();
    if normalised.is_finite() { normalised } else { Quat::IDENTITY }
}

/// A node of the hierarchy: a bone, a helper, a pivot, or the position of a light, an emitter or a mesh.
///
/// In both families a node has a translation, a rotation and a scale relative to its parent:
///
/// * W3D moves a pivot by deltas on its base pose, `Base(T, q) · Translate(t) · Rotate(r)`. This is the local translation
///   `T + q·t` and rotation `q·r`. Multiplying all keys of a track by a constant rotation, or adding a constant to them,
///   commutes with linear and spherical interpolation, so the tracks contain the base pose.
/// * Warcraft III rotates nodes about pivots in model space, `M = M_parent · T(p + t) · R · S · T(-p)`. With the origin
///   of each node at its pivot, the local translation is `p - p_parent + t`, the rotation `R`, the scale `S`, and the
///   inverse bind matrix `T(-p)`. The constant is added to the keys, and for [`Bezier`](crate::Interpolation::Bezier)
///   also to the control points.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Name in the source file; need not be unique.
    pub name: String,
    /// The parent. A node whose parent is out of range or part of a cycle is a root.
    pub parent: Option<NodeId>,
    /// The local transform when nothing is animated.
    pub rest: Transform,
    /// The parts of the transform of the parent that it inherits.
    pub inherit: Inherit,
    /// How it faces the camera.
    pub billboard: Billboard,
    /// It is on the line from its parent to the camera, at its distance from the parent in the rest pose (Warcraft III
    /// "camera anchored"). Only one source describes this; see [`View::anchors`].
    pub camera_anchored: bool,
    /// Whether attached objects are visible when nothing is animated. Children are not affected.
    pub visible: bool,
    /// Whether it is a bone in the source file.
    pub is_bone: bool,
}

impl Default for Node {
    fn default() -> Self {
        Self {
            name: String::new(),
            parent: None,
            rest: Transform::IDENTITY,
            inherit: Inherit::ALL,
            billboard: Billboard::None,
            camera_anchored: false,
            visible: true,
            is_bone: false,
        }
    }
}

impl Node {
    /// The matrix from the space of this node to model space, for a local transform and the matrix of the parent, by [`Inherit`] and
    /// [`Billboard`]. `rest_origin` is the origin of the node in model space when nothing is animated.
    #[must_use]
    pub fn world(
        &self,
        local: &Transform,
        rest_origin: Vec3A,
        parent: &Affine3A,
        view: Option<&View>,
    ) -> Affine3A {
        let anchor = view.filter(|view| view.anchors && self.camera_anchored);
        let view = view.filter(|_| self.billboard != Billboard::None);
        if let Some(anchor) = anchor {
            let towards = Vec3A::from(anchor.position) - parent.translation;
            let reach = towards.normalize_or_zero() * self.rest.translation.length();
            let plain = Self { camera_anchored: false, ..self.clone() };
            let world = plain.world(local, rest_origin, parent, view);
            return Affine3A { translation: parent.translation + reach, ..world };
        }
        if self.inherit == Inherit::ALL && view.is_none() {
            return *parent * local.matrix();
        }
        let columns = [parent.matrix3.x_axis, parent.matrix3.y_axis, parent.matrix3.z_axis];
        let scaled = |axes: [Vec3A; 3]| {
            let column = |i: usize| if self.inherit.scale { axes[i] * columns[i].length() } else { axes[i] };
            Mat3A::from_cols(column(0), column(1), column(2))
        };
        let mut frame = match self.inherit {
            Inherit { rotation: true, scale: true, .. } => parent.matrix3,
            Inherit { rotation: true, .. } => {
                let direction = |i: usize| columns[i].try_normalize().unwrap_or(Vec3A::AXES[i]);
                scaled([direction(0), direction(1), direction(2)])
            }
            Inherit { rotation: false, .. } => scaled(Vec3A::AXES),
        };
        let rest = Vec3A::from(self.rest.translation);
        let carried =
            if self.inherit.translation { parent.transform_point3a(rest) } else { frame * rest_origin };
        let translation = carried + frame * (Vec3A::from(local.translation) - rest);

        let Some(view) = view else { return Affine3A { matrix3: frame * local.basis(), translation } };
        let ray = view.position - Vec3::from(translation);
        if let Some(axes) = self.billboard.axes(ray, view) {
            frame = scaled([axes.x_axis, axes.y_axis, axes.z_axis]);
        }
        let mut turned = frame * Mat3A::from_quat(unit(local.rotation));
        if let Some(spin) = self.billboard.spin(ray, &turned) {
            turned *= spin;
        }
        Affine3A { matrix3: turned * Mat3A::from_diagonal(local.scale), translation }
    }
}

/// Parts of the transform of its parent that a node inherits.
///
/// The parent moves the rest position of the node. The keys of the node apply in the remaining frame: the axes of the
/// parent without scale (no scale), the scale on the axes of the model (no rotation), or the frame of the model
/// (neither). Without the translation, the rest position in the model, in that frame, is used instead of the moved one.
/// This is the rule of World of Warcraft, as its viewers implement it; for Warcraft III, sources only name the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Inherit {
    /// Inherits the translation.
    pub translation: bool,
    /// Inherits the rotation.
    pub rotation: bool,
    /// Inherits the scale.
    pub scale: bool,
}

impl Inherit {
    /// Inherits everything, the usual case.
    pub const ALL: Self = Self { translation: true, rotation: true, scale: true };
}

impl Default for Inherit {
    fn default() -> Self {
        Self::ALL
    }
}

/// How a node faces the camera.
///
/// The face of a node is its +X side, which is forward in both families; its up axis is +Y. The first three modes replace
/// the rotation of the parent, and the rotation of the node is applied after them. The other three are applied after both
/// rotations. Scale is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Billboard {
    /// Not at all.
    #[default]
    None,
    /// The face looks at the camera's position (Warcraft III billboarded; W3D camera-oriented).
    Facing,
    /// The face looks against the camera's direction of view (W3D camera-aligned).
    Aligned,
    /// The face looks at the camera's position as far as possible while upright (W3D camera-Z-oriented).
    Upright,
    /// Rotates about its X axis to turn its -Z side to the camera, and mirrors its Y axis (Warcraft III lock X, whose
    /// basis is left-handed; docs/formats/rendering.md#mdx-billboards).
    SpinX,
    /// Rotates about its Y axis to turn its face to the camera (Warcraft III lock Z).
    SpinY,
    /// Rotates about its Z axis to turn its face to the camera (Warcraft III lock Y).
    SpinZ,
}

/// Position and direction of the camera in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Position of the camera.
    pub position: Vec3,
    /// The direction of view.
    pub forward: Vec3,
    /// [Camera-anchored](Node::camera_anchored) nodes move towards it; otherwise they stay where their parents carry them.
    pub anchors: bool,
}

impl Billboard {
    /// The axes that replace those of the parent, for a camera in the direction of `ray`.
    fn axes(self, ray: Vec3, view: &View) -> Option<Mat3A> {
        match self {
            Self::Facing => Some(facing(ray)),
            Self::Aligned => Some(facing(-view.forward)),
            Self::Upright => Some(facing(ray.with_y(0.0))),
            Self::None | Self::SpinX | Self::SpinY | Self::SpinZ => None,
        }
    }

    /// The rotation about an axis of `frame`. Each angle brings the named side into the half plane of the camera.
    fn spin(self, ray: Vec3, frame: &Mat3A) -> Option<Mat3A> {
        let along = |axis: Vec3A| axis.dot(ray.into()) / axis.length();
        let (x, y, z) = (along(frame.x_axis), along(frame.y_axis), along(frame.z_axis));
        let spin = match self {
            Self::SpinX => {
                Mat3A::from_rotation_x(y.atan2(-z)) * Mat3A::from_diagonal(Vec3::new(1.0, -1.0, 1.0))
            }
            Self::SpinY => Mat3A::from_rotation_y((-z).atan2(x)),
            Self::SpinZ => Mat3A::from_rotation_z(y.atan2(x)),
            Self::None | Self::Facing | Self::Aligned | Self::Upright => return None,
        };
        Some(spin).filter(Mat3A::is_finite)
    }
}

/// Axes with X along `direction` and a level Z.
fn facing(direction: Vec3) -> Mat3A {
    let Some(x) = direction.try_normalize() else { return Mat3A::IDENTITY };
    // For a vertical direction every Z is level: use the model's own.
    let z = Vec3::new(-x.z, 0.0, x.x).try_normalize().unwrap_or(Vec3::Z);
    Mat3A::from_cols(x.into(), z.cross(x).into(), z.into())
}

/// The node tree without invalid parents and cycles, and an order in which parents come first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hierarchy {
    /// All nodes, parents before children, otherwise in stored order.
    pub order: Vec<NodeId>,
    /// The parent of each node; `None` if it is out of range or part of a cycle.
    pub parents: Vec<Option<NodeId>>,
}

impl Hierarchy {
    /// Builds the hierarchy of these nodes. Every node of a cycle becomes a root and keeps its children outside the
    /// cycle.
    #[must_use]
    pub fn new(nodes: &[Node]) -> Self {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            OnPath,
            Done,
        }
        let mut parents: Vec<Option<NodeId>> =
            nodes.iter().map(|node| node.parent.filter(|parent| parent.index() < nodes.len())).collect();
        let mut state = vec![State::New; nodes.len()];
        let mut order = Vec::with_capacity(nodes.len());
        let mut path = Vec::new();
        for start in 0..nodes.len() {
            let mut index = start;
            loop {
                match state[index] {
                    State::New => {
                        state[index] = State::OnPath;
                        path.push(index);
                        match parents[index] {
                            Some(parent) => index = parent.index(),
                            None => break,
                        }
                    }
                    State::OnPath => {
                        // The path has returned to a node: its tail from here on is the cycle.
                        let from = path.iter().position(|&on_path| on_path == index).unwrap_or(0);
                        for &member in &path[from..] {
                            parents[member] = None;
                        }
                        break;
                    }
                    State::Done => break,
                }
            }
            while let Some(done) = path.pop() {
                state[done] = State::Done;
                order.push(NodeId::from(done));
            }
        }
        Self { order, parents }
    }

    /// Marks all nodes below those that are marked. `marks` has a mark for each node.
    ///
    /// ```
    /// use meshwright_scene::{Hierarchy, Node, NodeId};
    ///
    /// let child = Node { parent: Some(NodeId(0)), ..Node::default() };
    /// let hierarchy = Hierarchy::new(&[Node::default(), child, Node::default()]);
    /// let mut marks = [true, false, false];
    /// hierarchy.mark_below(&mut marks);
    /// assert_eq!(marks, [true, true, false]);
    /// ```
    pub fn mark_below(&self, marks: &mut [bool]) {
        for node in &self.order {
            if let Some(parent) = self.parents[node.index()] {
                marks[node.index()] |= marks[parent.index()];
            }
        }
    }

    /// World matrices of local transforms with everything inherited: the bind pose for rest transforms.
    #[must_use]
    pub fn worlds<'a>(&self, locals: impl IntoIterator<Item = &'a Transform>) -> Vec<Affine3A> {
        let mut worlds: Vec<Affine3A> = locals.into_iter().map(Transform::matrix).collect();
        worlds.resize(self.parents.len(), Affine3A::IDENTITY);
        for node in &self.order {
            if let Some(parent) = self.parents[node.index()] {
                worlds[node.index()] = worlds[parent.index()] * worlds[node.index()];
            }
        }
        worlds
    }
}
