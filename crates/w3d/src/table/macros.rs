//! The notation of the chunk table.

/// Rows of a table: name, id, parents, games, shape, then options in the order `label`, `rule`, `alias`, `or`.
///
/// | shape | body |
/// |---|---|
/// | `branch` | chunks |
/// | `scope S` | chunks that mean something only here |
/// | `micro S` | micro-chunks |
/// | `prefixed K` | a record, then chunks |
/// | `record T` | one record |
/// | `value T` | one number or vector |
/// | `array "name" T` | records to the end |
/// | `text "name"` | a string |
/// | `slots S` | as the slots say |
/// | `raw` | unknown |
macro_rules! chunks {
    (
        pub static $all:ident of $framing:ident;
        $(
            #[doc = $doc:literal]
            $name:ident $id:literal [$($parent:ident)*] $games:ident $shape:ident $($slot:literal)? $($of:path)?
            $(, label $label:path)? $(, rule $rule:ident $(($field:literal))?)? $(, alias $alias:literal)? $(, or $other:ident)?;
        )*
    ) => {
        $(
            #[doc = concat!("`", stringify!($id), "`: ", $doc)]
            pub static $name: Chunk = Chunk {
                id: $id,
                kind: Kind {
                    name: stringify!($name),
                    doc: $doc,
                    framing: &$framing,
                    branch: chunks!(@branch $shape),
                    slots: chunks!(@slots $shape $($slot)? $($of)?),
                    label: chunks!(@label $($label)?),
                },
                kinds: &[&$name.kind $(, &$other)?],
                parents: &[$(stringify!($parent)),*],
                games: Games::$games,
                aliases: &[$($alias)?],
                rule: chunks!(@rule $($rule $(($field))?)?),
                shape: chunks!(@shape $shape $($of)?),
            };
        )*

        /// The rows, in order.
        pub static $all: Scope = &[$(&$name),*];
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
    (@slots slots $slots:path) => { $slots };
    (@slots $shape:ident $($of:path)?) => { &[] };

    (@label) => { None };
    (@label $label:path) => { Some($label) };

    (@rule) => { Rule::Free };
    (@rule $rule:ident) => { Rule::$rule };
    (@rule $rule:ident ($field:literal)) => { Rule::$rule($field) };

    (@shape branch) => { Shape::Branch(None) };
    (@shape scope $scope:path) => { Shape::Branch(Some($scope)) };
    (@shape micro $scope:path) => { Shape::Micro($scope) };
    (@shape prefixed $kind:path) => { Shape::Prefixed(&$kind) };
    (@shape $leaf:ident $($of:path)?) => { Shape::Leaf };
}

/// Records that stand directly in their chunk, before its children.
macro_rules! prefixes {
    ($(#[doc = $doc:literal] $name:ident: $ty:ident;)*) => { $(
        #[doc = $doc]
        pub static $name: Kind = Kind {
            name: stringify!($name),
            doc: $doc,
            framing: &Inline,
            branch: false,
            slots: &[Slot::one::<$ty>("fields")],
            label: None,
        };
    )* };
}

pub(crate) use {chunks, prefixes};
