//! Views: typed access to one kind of node, without copying.

/// Declares views of nodes, each with a counterpart that can change the node. All views of all formats have these methods:
///
/// | method | gives |
/// |---|---|
/// | `new(node)` | the view, if the node is of the right kind |
/// | `node()` | the node |
/// | `get(HANDLE)`, `get_all(HANDLE)` | what its children hold, see [`Node::get`](crate::Node::get) |
///
/// and their counterparts, besides `new` and `node`:
///
/// | method | gives or does |
/// |---|---|
/// | `view()` | the view, to read |
/// | `get_mut(HANDLE)` | what its first child of a kind holds, to change it in place |
/// | `set(HANDLE, value)` | replaces what it holds |
///
/// ```
/// use meshwright_record::{build, views, Branch, Chars, Handle, Inline, Kind, Slot};
///
/// const SHAPE: Handle<Branch> = {
///     static KIND: Kind = Kind { branch: true, ..Kind::new("SHAPE", &Inline) };
///     Handle::new(&KIND, &KIND)
/// };
/// const NAME: Handle<str> = {
///     static KIND: Kind = Kind { slots: &[Slot::text("name")], ..Kind::new("NAME", &Inline) };
///     Handle::new(&KIND, &KIND)
/// };
///
/// views! {
///     /// A shape.
///     Shape, ShapeMut of SHAPE;
/// }
///
/// let mut node = build(SHAPE, vec![build(NAME, "ball")]);
/// let mut shape = ShapeMut::new(&mut node).unwrap();
/// shape.set(NAME, "egg").unwrap();
/// assert_eq!(shape.view().get(NAME).unwrap(), "egg");
/// assert!(Shape::new(&node.children()[0]).is_none());
/// ```
#[macro_export]
macro_rules! views {
    ($($(#[$meta:meta])* $name:ident, $mutable:ident of $($handle:expr),+;)*) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'n>(pub &'n $crate::Node<'n>);

        impl<'n> $name<'n> {
            /// The view of a node; `None` if the node is of another kind.
            pub fn new(node: &'n $crate::Node<'n>) -> Option<Self> {
                ($(node.is($handle.kind))||+).then_some(Self(node))
            }

            /// The node.
            pub const fn node(&self) -> &'n $crate::Node<'n> {
                self.0
            }
        }

        $crate::views! { @read $name }
        $crate::views! { @write $name, $mutable of $($handle),+ }

        impl<'d> $mutable<'_, 'd> {
            /// The view, to read.
            pub fn view(&self) -> $name<'_> {
                $name(self.node)
            }
        }
    )* };

    (@read $name:ident) => {
        impl<'n> $name<'n> {
            /// The content of its first child of a handle's kind.
            pub fn get<T: $crate::Content + ?Sized, R>(&self, handle: $crate::Handle<T, R>) -> T::Ref<'n> {
                self.node().get(handle)
            }

            /// The contents of its children of a handle's kind.
            pub fn get_all<T: $crate::Content + ?Sized + 'n, R>(
                &self,
                handle: $crate::Handle<T, R>,
            ) -> impl Iterator<Item = T::Ref<'n>> + use<'n, T, R> {
                self.node().get_all(handle)
            }
        }
    };

    (@write $name:ident, $mutable:ident of $($handle:expr),+) => {
        #[doc = concat!("The counterpart of [`", stringify!($name), "`] that can change its node.")]
        #[derive(Debug)]
        pub struct $mutable<'n, 'd> {
            /// The node.
            pub node: &'n mut $crate::Node<'d>,
        }

        impl<'n, 'd> $mutable<'n, 'd> {
            /// The view of a node; `None` if the node is of another kind.
            pub fn new(node: &'n mut $crate::Node<'d>) -> Option<Self> {
                ($(node.is($handle.kind))||+).then_some(Self { node })
            }

            /// The content of its first child of a handle's kind, to change it in place.
            pub fn get_mut<T: $crate::Content + ?Sized, R>(
                &mut self,
                handle: $crate::Handle<T, R>,
            ) -> T::Mut<'_, 'd> {
                self.node.get_mut(handle)
            }

            /// Replaces the content of its first child of a handle's kind; see `Node::set`.
            pub fn set<T: $crate::Content + ?Sized, R>(
                &mut self,
                handle: $crate::Handle<T, R>,
                value: T::Value<'_, 'd>,
            ) -> Option<()> {
                self.node.set(handle, value)
            }
        }
    };
}
