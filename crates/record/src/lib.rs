//! Plain-old-data records and lossless trees of them.
//!
//! This crate knows no file format. It gives format crates what they all need, from one declaration per record:
//!
//! * [`records!`] declares a record as a table of offsets, names, types and meanings; the struct's bytes *are* the bytes on
//!   disk. [`open_enum!`] and [`open_flags!`] declare integers with names, [`Chars`] strings that keep every byte.
//! * [`Node`] is a document: a tree of parts that writes back exactly what was read, whatever it was, and can be edited in
//!   place. [`Kind`], [`Slot`] and [`Framing`] describe a part, the layout of its bytes and its header.
//! * [`Handle`] is a row of a format's table with the type of what it holds: [`Node::get`] and [`build`] are checked by the
//!   compiler. [`views!`] declares views of nodes.
//! * The [text form](text) turns any tree into JSON and back; [`Node::walk`] visits it with offsets and paths;
//!   [`Node::diagnose`] lists what is not as it should be; [`diff`] compares two trees.
//!
//! ```
//! use meshwright_record::{records, Chars, F32, Record, U32};
//!
//! records! {
//!     /// A box that bullets hit.
//!     pub struct HitBox: 24 {
//!         0 version: U32, "Format version.";
//!         4 name: Chars<16>, "Its name.";
//!         20 size: F32, "Edge length.";
//!     }
//! }
//!
//! # fn main() {
//! let mut hit_box = HitBox { name: Chars::new("HEAD").unwrap(), ..HitBox::default() };
//! hit_box.size.set(0.5);
//! assert_eq!(HitBox::SCHEMA.fields[2].offset, 20);
//! assert_eq!(format!("{hit_box:?}"), r#"HitBox { version: 0, name: "HEAD", size: 0.5 }"#);
//! # }
//! ```

mod chars;
mod cursor;
mod diagnose;
pub mod diff;
mod error;
mod handle;
mod locate;
mod names;
mod node;
mod printable;
pub mod text;
pub mod transfer;
mod types;
mod vectors;
mod view;
mod walk;

pub use chars::{Chars, decode, encode, encode_name, overwrite, until_nul};
pub use cursor::Cursor;
pub use diagnose::MAX_DIAGNOSTICS;
pub use error::{Diagnostic, Error, Severity};
pub use handle::{Branch, Content, Counted, Handle, Headed, Raw, build};
pub use locate::Located;
pub use names::{edit_distance, nearest};
pub use node::{
    Body, Count, Finding, Framing, Inline, Item, Kind, LEFTOVER, Node, Part, Slot, Slots, pieces,
};
pub use printable::printable;
#[doc(hidden)]
pub use record_derive::{plain_data, records as records_in};
pub use text::{CountSource, Format, LeafCount, SiblingCount, fmt_record, parse_items, show};
pub use types::{
    Bytes, Conversion, F32, Field, I16, I32, Name, Names, Pod, Record, Schema, Spelling, Type, U16, U32, U64,
};
pub use vectors::{Quaternion, Vec2, Vec3, Vec4};
pub use walk::{PathStep, Place, Which};
pub use zerocopy;

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
