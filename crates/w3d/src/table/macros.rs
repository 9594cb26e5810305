//! The notation of the chunk table.

/// Rows of a table: name, id, parents, games, shape, then options in the order `head`, `label`, `rule`, `alias`, `or`.
///
/// | shape | body | content of the handle |
/// |---|---|---|
/// | `branch` | chunks | `Branch` |
/// | `scope S` | chunks that mean something only here | `Branch` |
/// | `micro S` | micro-chunks | `Branch` |
/// | `prefixed K` | a record, then chunks | `Branch` |
/// | `record T` | one record | `T` |
/// | `value T` | one number or vector | `T` |
/// | `array "name" T` | records to the end | `[T]` |
/// | `text "name"` | a string | `str` |
/// | `counted S, head T` | a count, then so many `T` | `Counted<T>` |
/// | `slots S, head T` | as the slots say, a `T` first | `Headed<T>` |
/// | `raw` | unknown | `Raw` |
macro_rules! chunks {
    (
        pub static $all:ident of $framing:ident;
        $(
            #[doc = $doc:literal]
            $name:ident $id:literal [$($parent:ident)*] $games:ident $shape:ident $($slot:literal)? $($of:path)?
            $(, head $head:path)? $(, label $label:path)? $(, rule $rule:ident $(($field:literal))?)? $(, alias $($alias:literal)+)? $(, or $other:ident)?;
        )*
    ) => {
        $(
            #[doc = concat!("`", stringify!($id), "`: ", $doc)]
            pub const $name: crate::Handle<chunks!(@content $shape $($of)? $(, $head)?)> = {
                static ROW: Chunk = Chunk {
                    kind: Kind {
                        name: stringify!($name),
                        doc: $doc,
                        id: $id,
                        framing: &$framing,
                        branch: chunks!(@branch $shape),
                        slots: chunks!(@slots $shape $($slot)? $($of)?),
                        label: chunks!(@label $($label)?),
                        base: None,
                    },
                    kinds: &[&ROW.kind $(, $other.kind)?],
                    parents: &[$(stringify!($parent)),*],
                    games: Games::$games,
                    aliases: &[$($($alias),+)?],
                    rule: chunks!(@rule $($rule $(($field))?)?),
                    shape: chunks!(@shape $shape $($of)?),
                };
                record::Handle::new(&ROW, &ROW.kind)
            };
        )*

        /// The ids of the rows, for patterns.
        pub mod ids {
            $(#[doc = $doc] pub const $name: u32 = $id;)*
        }

        /// The rows, in order.
        pub static $all: Scope = &[$($name.row),*];
    };

    (@branch branch) => { true };
    (@branch scope) => { true };
    (@branch micro) => { true };
    (@branch prefixed) => { true };
    (@branch $leaf:ident) => { false };

    (@slots record $ty:path) => { &[Slot::one::<$ty>("fields")] };
    (@slots value $ty:path) => { &[Slot::one::<$ty>("value")] };
    (@slots array $name:literal $ty:path) => { &[Slot::rest::<$ty>($name)] };
    (@slots text $name:literal) => { &[Slot::text($name)] };
    (@slots counted $slots:path) => { $slots };
    (@slots slots $slots:path) => { $slots };
    (@slots $shape:ident $($of:path)?) => { &[] };

    (@content branch) => { record::Branch };
    (@content scope $scope:path) => { record::Branch };
    (@content micro $scope:path) => { record::Branch };
    (@content prefixed $kind:path) => { record::Branch };
    (@content record $ty:path) => { $ty };
    (@content value $ty:path) => { $ty };
    (@content array $ty:path) => { [$ty] };
    (@content text) => { str };
    (@content counted $slots:path, $ty:path) => { record::Counted<$ty> };
    (@content slots $slots:path, $ty:path) => { record::Headed<$ty> };
    (@content raw) => { record::Raw };

    (@label) => { None };
    (@label $label:path) => { Some($label) };

    (@rule) => { Rule::Free };
    (@rule $rule:ident) => { Rule::$rule };
    (@rule $rule:ident ($field:literal)) => { Rule::$rule($field) };

    (@shape branch) => { Shape::Branch(None) };
    (@shape scope $scope:path) => { Shape::Branch(Some($scope)) };
    (@shape micro $scope:path) => { Shape::Micro($scope) };
    (@shape prefixed $kind:path) => { Shape::Prefixed($kind.kind) };
    (@shape $leaf:ident $($of:path)?) => { Shape::Leaf };
}

/// Records that stand directly in their chunk, before its children.
macro_rules! prefixes {
    ($(#[doc = $doc:literal] $name:ident: $ty:ident;)*) => { $(
        #[doc = $doc]
        pub const $name: record::Handle<$ty> = {
            static KIND: Kind = Kind {
                doc: $doc,
                slots: &[Slot::one::<$ty>("fields")],
                ..Kind::new(stringify!($name), &Inline)
            };
            record::Handle::new(&KIND, &KIND)
        };
    )* };
}

pub(crate) use {chunks, prefixes};
