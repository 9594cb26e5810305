//! The text form: any tree as JSON and back, without loss and without code per type.
//!
//! ```json
//! {"chunk": "MESH", "children": [
//!  {"chunk": "VERTEX_MATERIAL_NAME", "name": "Steel"},
//!  {"chunk": "VERTICES", "vertices": [
//!   [0.0, 1.0, 0.5],
//!   [0.25, 1.0, 0.5]
//!  ]},
//!  {"chunk": "0x00000999", "hex": "c0ffee"}
//! ]}
//! ```
//!
//! * A node is an object whose first key says how it is framed (`chunk`, `micro`, `part` ...) and whose value names it,
//!   by kind or by id. Then follow its `children`, or its slots by name.
//! * Numbers are the shortest that read back exactly. What JSON cannot say is a string: `"inf"`, `"-inf"`, `"nan:7fc00000"`
//!   (the bits).
//! * Enums are names where there is one, else numbers. Flags are lists of names; bits without a name are one hexadecimal
//!   string at the end.
//! * A string is a string if what follows it in its field is the ordinary NUL padding, else `{"text": …, "tail": hex}`.
//!   Characters are those of Windows-1252, so every byte has one.
//! * Counts and lengths that follow from what they count are not written, and computed where they are absent. A count that a file has wrong is
//!   `{"stored": 12}`; a plain number that contradicts what it counts is an error.
//! * `hex` holds bytes that no slot claims; `size_delta` is what has to be added to the size word to get the stored one.
//!   Text forms of older versions call it `size_quirk`, which is still read.

mod counts;
mod fault;
mod json;
mod read;
mod read_value;
mod value;
mod write;

pub use counts::{CountSource, LeafCount, SiblingCount};
pub use read::Format;
pub use read_value::parse_items;
pub use value::{fmt_record, show};
