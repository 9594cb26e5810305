//! Nodes: bones, lights, emitters and everything else that has a place in the hierarchy.

use std::borrow::Cow;

use record::{Branch, Chars, Content, Handle, Kind, Node, Vec3};

use super::{Track, track, tracks};
use crate::build::LightParts;
use crate::kinds::{self, Part};
use crate::records::*;
use crate::tracks::tags;

/// Type of a node. Its chunk decides, because the type bits of the flags are often wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// A bone.
    Bone,
    /// A light.
    Light,
    /// A helper.
    Helper,
    /// An attachment.
    Attachment,
    /// A particle emitter.
    ParticleEmitter,
    /// A particle emitter 2.
    ParticleEmitter2,
    /// A popcorn emitter.
    PopcornEmitter,
    /// A ribbon emitter.
    RibbonEmitter,
    /// An event object.
    EventObject,
    /// A collision shape of Warcraft III.
    CollisionShape,
    /// A hit test shape of the WoW alpha.
    HitTestShape,
}

/// The chunks with nodes, and the kinds of their objects.
const KINDS: [(Handle<Branch>, NodeKind); 12] = [
    (kinds::BONE_OBJECT, NodeKind::Bone),
    (kinds::LIGHT, NodeKind::Light),
    (kinds::HELPER, NodeKind::Helper),
    (kinds::ATTACHMENT, NodeKind::Attachment),
    (kinds::PARTICLE_EMITTER, NodeKind::ParticleEmitter),
    (kinds::PARTICLE_EMITTER_2, NodeKind::ParticleEmitter2),
    (kinds::POPCORN_EMITTER, NodeKind::PopcornEmitter),
    (kinds::RIBBON_EMITTER, NodeKind::RibbonEmitter),
    (kinds::EVENT_OBJECT, NodeKind::EventObject),
    (kinds::WOW_EVENT_OBJECT, NodeKind::EventObject),
    (kinds::COLLISION_SHAPE, NodeKind::CollisionShape),
    (kinds::HIT_TEST_SHAPE, NodeKind::HitTestShape),
];

impl NodeKind {
    /// Node type of an object; `None` if it is not a node.
    pub fn of(kind: &Kind) -> Option<Self> {
        KINDS.into_iter().find(|(each, _)| std::ptr::eq(each.kind, kind)).map(|(_, sort)| sort)
    }
}

/// An object that is a node.
#[derive(Clone, Copy, Debug)]
pub struct Object<'d> {
    /// Its type.
    pub kind: NodeKind,
    /// The whole object.
    pub object: &'d Node<'d>,
    /// The node in it.
    pub node: &'d Node<'d>,
    name: &'d Chars<80>,
    id: i32,
    parent: i32,
    flags: u32,
    wow: bool,
}

/// Properties of an attachment.
#[derive(Clone, Copy, Debug)]
pub struct AttachmentParts<'d> {
    /// Its number; in WoW, its place on the body.
    pub id: i32,
    /// Model that is attached.
    pub path: &'d Chars<260>,
}

/// A collision or hit test shape, relative to its pivot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Two corners.
    Box([f32; 3], [f32; 3]),
    /// Centre and radius.
    Sphere([f32; 3], f32),
    /// Two ends of the axis and the radius.
    Cylinder([f32; 3], [f32; 3], f32),
    /// Length and width.
    Plane(f32, f32),
}

/// Properties of particle emitters 2 that both games have.
#[derive(Clone, Copy, Debug)]
pub struct Emitter2Parts<'d> {
    /// Starting speed.
    pub speed: f32,
    /// Fraction by which the speed varies.
    pub variation: f32,
    /// Spread from the axis: degrees in Warcraft III, radians in the WoW alpha.
    pub latitude: f32,
    /// Downward acceleration.
    pub gravity: f32,
    /// Seconds that a particle lives.
    pub life_span: f32,
    /// Particles per second.
    pub emission_rate: f32,
    /// Size of the source in y.
    pub length: f32,
    /// Size of the source in x.
    pub width: f32,
    /// Blending.
    pub filter_mode: ParticleFilterMode,
    /// Rows and columns of cells in the texture.
    pub cells: [u32; 2],
    /// Head, tail or both.
    pub particle_type: ParticleType,
    /// Length of the tail, in seconds of flight.
    pub tail_length: f32,
    /// Start of the second phase of a life, from 0 to 1.
    pub time: f32,
    /// Colour at the start, middle and end, as red, green, blue.
    pub colors: &'d [Vec3; 3],
    /// Opacity at the start, middle and end.
    pub alphas: [u8; 3],
    /// Size at the start, middle and end.
    pub scalings: [f32; 3],
    /// Cells of head and tail, each in life and in decay.
    pub animations: [CellAnimation; 4],
    /// Texture.
    pub texture_id: i32,
    /// Whether particles come in bursts.
    pub squirt: bool,
    /// Drawing order, lowest first.
    pub priority_plane: i32,
    /// Texture of the game that replaces the texture, or 0.
    pub replaceable_id: u32,
    /// Properties that only the WoW alpha has.
    pub wow: Option<&'d WowParticleEmitter2Header>,
}

impl<'d> Object<'d> {
    /// The node that a part of a chunk is, if its header is complete.
    pub fn new(object: &'d Node<'d>) -> Option<Self> {
        let kind = NodeKind::of(object.kind)?;
        let node = object.child(&kinds::NODE)?;
        let first = node.children().first()?;
        let (name, id, parent, flags, wow) = match first.value::<NodeHeader>() {
            Some(header) => (&header.name, header.object_id, header.parent_id, header.flags.get(), false),
            None => {
                let header = first.value::<WowNodeHeader>()?;
                (&header.name, header.object_id, header.parent_id, header.flags.get(), true)
            }
        };
        Some(Self { kind, object, node, name, id: id.get(), parent: parent.get(), flags, wow })
    }

    /// The content of the first child of the object; the node itself is among its children.
    pub fn get<T: Content + ?Sized, R>(&self, handle: Handle<T, R>) -> T::Ref<'d> {
        self.object.get(handle)
    }

    /// Its name.
    pub fn name(&self) -> Cow<'d, str> {
        super::text(self.name)
    }

    /// Its name as stored.
    pub const fn name_bytes(&self) -> &'d Chars<80> {
        self.name
    }

    /// Its object id.
    pub const fn id(&self) -> i32 {
        self.id
    }

    /// The parent's object id.
    pub fn parent(&self) -> Option<i32> {
        (self.parent >= 0).then_some(self.parent)
    }

    /// Its flags as stored: [`NodeFlags`] or [`WowNodeFlags`].
    pub const fn raw_flags(&self) -> u32 {
        self.flags
    }

    /// Its flags without the type bits, in the numbering of Warcraft III: inheritance, billboards, the camera anchor, and
    /// flags of emitters. Flags that only the WoW alpha has are in [`Object::raw_flags`].
    pub const fn flags(&self) -> NodeFlags {
        /// The bits of the type of node; the chunk decides it.
        const TYPES: u32 = NodeFlags::BONE.get()
            | NodeFlags::LIGHT.get()
            | NodeFlags::EVENT_OBJECT.get()
            | NodeFlags::ATTACHMENT.get()
            | NodeFlags::PARTICLE_EMITTER.get()
            | NodeFlags::COLLISION_SHAPE.get()
            | NodeFlags::RIBBON_EMITTER.get();
        /// The bits that mean the same in both games.
        const WOW_SAME: u32 = WowNodeFlags::DONT_INHERIT_TRANSLATION.get()
            | WowNodeFlags::DONT_INHERIT_SCALING.get()
            | WowNodeFlags::DONT_INHERIT_ROTATION.get()
            | WowNodeFlags::BILLBOARDED.get()
            | WowNodeFlags::BILLBOARDED_LOCK_X.get()
            | WowNodeFlags::BILLBOARDED_LOCK_Y.get()
            | WowNodeFlags::BILLBOARDED_LOCK_Z.get()
            | WowNodeFlags::UNSHADED.get()
            | WowNodeFlags::SORT_PRIMS_FAR_Z.get()
            | WowNodeFlags::LINE_EMITTER.get()
            | WowNodeFlags::UNFOGGED.get()
            | WowNodeFlags::MODEL_SPACE.get();
        if !self.wow {
            return NodeFlags::new(self.flags & !TYPES);
        }
        let flat = if self.flags & WowNodeFlags::XY_QUAD.get() != 0 { NodeFlags::XY_QUAD.get() } else { 0 };
        NodeFlags::new(self.flags & WOW_SAME | flat)
    }

    /// Any track of the node or of the object around it.
    pub fn track(&self, tag: u32) -> Option<Track<'d>> {
        track(self.node, tag).or_else(|| track(self.object, tag))
    }

    /// The tracks of the node, then those of the object around it.
    pub fn tracks(&self) -> impl Iterator<Item = Track<'d>> + use<'d> {
        tracks(self.node).chain(tracks(self.object))
    }

    /// The track of its visibility, under any tag.
    pub fn visibility(&self) -> Option<Track<'d>> {
        self.tracks().find(|track| track.row.keyword == "Visibility")
    }

    /// A fixed part of the object: `object.part::<BoneLinks>()`.
    pub fn part<T: Part>(&self) -> Option<&'d T> {
        self.object.child(T::kind())?.value()
    }

    /// The parts of a light; those that its version lacks have default values.
    pub fn light(&self) -> Option<LightParts> {
        let default = LightParts::default();
        Some(LightParts {
            kind: *self.part()?,
            color: *self.part()?,
            shadow_casting: self.part().copied().unwrap_or(default.shadow_casting),
            ambient: self.part().copied().unwrap_or(default.ambient),
            shadow_intensity: self.part().copied().unwrap_or(default.shadow_intensity),
            shadow_range: self.part().copied().unwrap_or(default.shadow_range),
            falloff: self.part().copied().unwrap_or(default.falloff),
        })
    }

    /// Properties of an attachment.
    pub fn attachment(&self) -> Option<AttachmentParts<'d>> {
        if let Some(header) = self.part::<AttachmentHeader>() {
            return Some(AttachmentParts { id: header.attachment_id.get(), path: &header.path });
        }
        let header = self.part::<WowAttachmentHeader>()?;
        Some(AttachmentParts { id: header.attachment_id.get(), path: &header.path })
    }

    /// Times of an event object, in milliseconds; empty if there is no track.
    pub fn event_times(&self) -> &'d [record::I32] {
        self.object.children().iter().find(|part| part.id == tags::KEVT).map(Node::values).unwrap_or_default()
    }

    /// The shape of a collision or hit test shape.
    pub fn shape(&self) -> Option<Shape> {
        if let Some(shape) = self.part::<ShapeBox>() {
            return Some(Shape::Box(shape.minimum.get(), shape.maximum.get()));
        }
        if let Some(shape) = self.part::<ShapeSphere>() {
            return Some(Shape::Sphere(shape.center.get(), shape.radius.get()));
        }
        if let Some(shape) = self.part::<ShapeCylinder>() {
            return Some(Shape::Cylinder(shape.base.get(), shape.top.get(), shape.radius.get()));
        }
        if let Some(shape) = self.part::<WowShapeCylinder>() {
            let base = shape.base.get();
            let top = [base[0], base[1], base[2] + shape.height.get()];
            return Some(Shape::Cylinder(base, top, shape.radius.get()));
        }
        self.part::<ShapePlane>().map(|shape| Shape::Plane(shape.length.get(), shape.width.get()))
    }

    /// Properties of a particle emitter 2, in either game.
    pub fn emitter_2(&self) -> Option<Emitter2Parts<'d>> {
        macro_rules! emitter {
            ($header:ident, $squirt:expr, $wow:expr) => {
                Emitter2Parts {
                    speed: $header.speed.get(),
                    variation: $header.variation.get(),
                    latitude: $header.latitude.get(),
                    gravity: $header.gravity.get(),
                    life_span: $header.life_span.get(),
                    emission_rate: $header.emission_rate.get(),
                    length: $header.length.get(),
                    width: $header.width.get(),
                    filter_mode: $header.filter_mode,
                    cells: [$header.rows.get(), $header.columns.get()],
                    particle_type: $header.particle_type,
                    tail_length: $header.tail_length.get(),
                    time: $header.time.get(),
                    colors: &$header.segment_colors,
                    alphas: $header.segment_alphas,
                    scalings: $header.segment_scalings.map(|scaling| scaling.get()),
                    animations: [
                        $header.head_life,
                        $header.head_decay,
                        $header.tail_life,
                        $header.tail_decay,
                    ],
                    texture_id: $header.texture_id.get(),
                    squirt: $squirt,
                    priority_plane: $header.priority_plane.get(),
                    replaceable_id: $header.replaceable_id.get(),
                    wow: $wow,
                }
            };
        }
        if let Some(header) = self.part::<ParticleEmitter2Header>() {
            return Some(emitter!(header, header.squirt.get() != 0, None));
        }
        let header = self.part::<WowParticleEmitter2Header>()?;
        let squirt = self.part::<WowSquirt>().is_some_and(|squirt| squirt.squirt.get() != 0);
        Some(emitter!(header, squirt, Some(header)))
    }
}
