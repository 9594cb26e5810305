//! A format-neutral scene: the content of models of both families, without any file format.
//!
//! Everything is plain data in a [`Scene`], in glTF's frame: right-handed, Y up, seconds. Other crates convert formats
//! into it and out of it. This crate samples poses ([`Sampler`]) and skins meshes ([`skin`]), by the formulas of the
//! engines.
//!
//! An arm of two bones with a bent elbow:
//!
//! ```
//! use glam::{Quat, Vec3};
//! use meshwright_scene::*;
//!
//! let upper = Node { name: "Upper".into(), ..Node::default() };
//! let lower = Node {
//!     name: "Lower".into(),
//!     parent: Some(NodeId(0)),
//!     rest: Transform::from_translation(Vec3::X),
//!     ..Node::default()
//! };
//! let mut scene = Scene { nodes: vec![upper, lower], ..Scene::default() };
//!
//! // Vertices in model space, as they lie in the bind pose: shoulder, elbow, hand.
//! let binds = scene.rest_worlds();
//! let joint = |i: usize| Joint { node: NodeId::from(i), inverse_bind: binds[i].inverse() };
//! let mut arm = Skin { joints: vec![joint(0), joint(1)], ..Skin::default() };
//! arm.push_equal(&[0]);
//! arm.push_equal(&[0, 1]);
//! arm.push_equal(&[1]);
//! scene.meshes.push(Mesh {
//!     positions: vec![Vec3::ZERO, Vec3::X, 2.0 * Vec3::X],
//!     skin: Some(arm),
//!     ..Mesh::default()
//! });
//!
//! // Within a second the elbow turns a quarter about Z.
//! let bend = Track::new(Interpolation::Linear, [
//!     (0.0, Quat::IDENTITY),
//!     (1.0, Quat::from_rotation_z(std::f32::consts::FRAC_PI_2)),
//! ]);
//! scene.clips.push(Clip {
//!     name: "Bend".into(),
//!     duration: 1.0,
//!     channels: vec![Channel {
//!         target: Target::Node(NodeId(1), NodeProperty::Rotation),
//!         curve: Curve::Rotation(bend),
//!     }],
//!     ..Clip::default()
//! });
//!
//! let sampler = Sampler::new(&scene);
//! let pose = sampler.pose(&Moment { clip: Some(ClipId(0)), time: 1.0, ..Moment::default() });
//! let mut deformed = Deformed::default();
//! skin(&scene.meshes[0], &pose, &mut deformed);
//! assert!(deformed.positions[2].abs_diff_eq(Vec3::new(1.0, 1.0, 0.0), 1e-6));
//! ```

mod bounds;
mod clip;
pub mod color;
pub mod compare;
mod emitter;
pub mod fit;
mod id;
mod limits;
mod mapper;
mod material;
mod mesh;
mod node;
pub mod number;
mod object;
mod pose;
mod pose_error;
mod property;
mod report;
mod scene;
mod skinning;
mod stand;
pub mod surface;
pub mod team_color;
mod texture;
mod track;
mod transform;

pub use bounds::*;
pub use clip::*;
pub use emitter::*;
pub use id::*;
pub use limits::*;
pub use mapper::*;
pub use material::*;
pub use mesh::*;
pub use node::*;
pub use object::*;
pub use pose::*;
pub use pose_error::*;
pub use property::*;
pub use report::*;
pub use scene::*;
pub use skinning::*;
pub use stand::*;
pub use texture::*;
pub use track::*;
pub use transform::*;

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
