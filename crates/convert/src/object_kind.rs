//! The lists of a scene with objects on nodes other than meshes.

use scene::{NodeId, Scene};

macro_rules! kinds {
    ($($kind:ident $list:ident $word:literal)*) => {
        /// The lists of objects on nodes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ObjectKind {
            $(#[doc = concat!("`", stringify!($list), "`.")] $kind,)*
        }

        impl ObjectKind {
            pub(crate) const ALL: &[Self] = &[$(Self::$kind),*];

            /// What it is called.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$kind => $word,)* }
            }

            pub(crate) const fn count(self, scene: &Scene) -> usize {
                match self { $(Self::$kind => scene.$list.len(),)* }
            }

            pub(crate) fn node(self, scene: &Scene, index: usize) -> Option<NodeId> {
                match self { $(Self::$kind => scene.$list.get(index).map(|item| item.node),)* }
            }

            /// Whether two objects are equal, apart from their nodes.
            pub(crate) fn is_same(self, a: &Scene, index: usize, b: &Scene, other: usize) -> bool {
                match self {
                    $(Self::$kind => match (a.$list.get(index), b.$list.get(other)) {
                        (Some(a), Some(b)) => {
                            let mut b = b.clone();
                            b.node = a.node;
                            *a == b
                        }
                        _ => false,
                    },)*
                }
            }

            /// Adds an object of one scene to another, on a node of that.
            pub(crate) fn copy(self, from: &Scene, index: usize, to: &mut Scene, node: NodeId) {
                match self {
                    $(Self::$kind => if let Some(item) = from.$list.get(index) {
                        let mut item = item.clone();
                        item.node = node;
                        to.$list.push(item);
                    },)*
                }
            }
        }
    };
}

kinds! {
    Light lights "light"
    Attachment attachments "attachment"
    Event events "event"
    CollisionShape collision_shapes "collision shape"
    Emitter emitters "particle emitter"
    Ribbon ribbons "ribbon"
    Primitive primitives "primitive"
    Dazzle dazzles "dazzle"
    Sound sounds "sound"
}
