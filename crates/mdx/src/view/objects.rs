//! Views of the nodes of each kind.

use std::ops::Deref;

use record::{I32, Node};

use super::{AttachmentParts, Emitter2Parts, Model, NodeKind, Object, Shape};
use crate::build::LightParts;
use crate::kinds;
use crate::records::{BoneLinks, ParticleEmitterHeader, PopcornEmitterHeader, RibbonEmitterHeader};

/// Declares a view for each kind of node. Each is an [`Object`] with the properties of its kind.
macro_rules! node_views {
    ($($doc:literal $name:ident $all:ident: $($kind:ident)|+;)*) => {
        $(
            #[doc = $doc]
            #[derive(Clone, Copy, Debug)]
            pub struct $name<'d>(pub Object<'d>);

            impl<'d> $name<'d> {
                /// The view of an object; `None` if the node is of another kind.
                pub fn new(node: &'d Node<'d>) -> Option<Self> {
                    Object::new(node).filter(|object| matches!(object.kind, $(NodeKind::$kind)|+)).map(Self)
                }
            }

            impl<'d> Deref for $name<'d> {
                type Target = Object<'d>;

                fn deref(&self) -> &Object<'d> {
                    &self.0
                }
            }
        )*

        impl<'d> Model<'d> { $(
            #[doc = concat!("The nodes of this kind: ", $doc)]
            pub fn $all(&self) -> impl Iterator<Item = $name<'d>> + use<'d> {
                self.root.children().iter().flat_map(Node::children).filter_map($name::new)
            }
        )* }
    };
}

node_views! {
    "A bone." Bone bones: Bone;
    "A light." Light lights: Light;
    "A helper: only a node." Helper helpers: Helper;
    "An attachment." Attachment attachments: Attachment;
    "A particle emitter, whose particles are models." ParticleEmitter particle_emitters: ParticleEmitter;
    "A particle emitter 2, whose particles are pictures." ParticleEmitter2 particle_emitters_2: ParticleEmitter2;
    "A popcorn emitter of Reforged." PopcornEmitter popcorn_emitters: PopcornEmitter;
    "A ribbon emitter." RibbonEmitter ribbon_emitters: RibbonEmitter;
    "An event object." EventObject event_objects: EventObject;
    "A collision shape of Warcraft III or a hit test shape of the WoW alpha." CollisionShape collision_shapes: CollisionShape | HitTestShape;
}

fn index(index: I32) -> Option<usize> {
    usize::try_from(index.get()).ok()
}

impl<'d> Bone<'d> {
    /// The geoset and the geoset animation it belongs to.
    pub fn links(&self) -> Option<&'d BoneLinks> {
        self.get(kinds::BONE_LINKS)
    }

    /// The only geoset that it moves; `None` for several.
    pub fn geoset_id(&self) -> Option<usize> {
        index(self.links()?.geoset_id)
    }
}

impl Light<'_> {
    /// Its parts; those that its version lacks have default values.
    pub fn parts(&self) -> Option<LightParts> {
        self.light()
    }
}

impl<'d> Attachment<'d> {
    /// Its number and the model that is attached.
    pub fn parts(&self) -> Option<AttachmentParts<'d>> {
        self.attachment()
    }
}

impl<'d> ParticleEmitter<'d> {
    /// Its particles.
    pub fn header(&self) -> Option<&'d ParticleEmitterHeader> {
        self.get(kinds::PARTICLE_EMITTER_HEADER)
    }
}

impl<'d> ParticleEmitter2<'d> {
    /// Its particles, in either game.
    pub fn parts(&self) -> Option<Emitter2Parts<'d>> {
        self.emitter_2()
    }
}

impl<'d> PopcornEmitter<'d> {
    /// Its particles.
    pub fn header(&self) -> Option<&'d PopcornEmitterHeader> {
        self.get(kinds::POPCORN_EMITTER_HEADER)
    }
}

impl<'d> RibbonEmitter<'d> {
    /// Its ribbon.
    pub fn header(&self) -> Option<&'d RibbonEmitterHeader> {
        self.get(kinds::RIBBON_EMITTER_HEADER)
    }
}

impl<'d> EventObject<'d> {
    /// Its times, in milliseconds.
    pub fn times(&self) -> &'d [I32] {
        self.event_times()
    }
}

impl CollisionShape<'_> {
    /// Its shape, relative to its pivot.
    pub fn shape(&self) -> Option<Shape> {
        self.0.shape()
    }
}
