//! Finds the files that belong to a model.
//!
//! A model is seldom one file: its skeleton, its animations, the models on its bones and its textures lie in others, which it
//! refers to by name. This crate finds them as the games do.
//!
//! * [`Files`] is a tree of folders and files: [`Folders`] on disk, [`Archives`] with archives as folders and a [`Game`] as one
//!   tree, [`Memory`] for tests and web pages.
//! * [`Key`] is the one spelling in which names and paths are compared.
//! * [`references`] lists what a document refers to; [`Contents`] what it defines.
//! * A [`Resolver`] finds the one in the other. Ask it for a [`Lookup`] on behalf of a model.
//!
//! ```
//! use meshwright_assets::{Memory, Resolver};
//! let bytes = w3d::sample::crate_box();
//! let mut files = Memory::default();
//! files.add("crate.w3d", bytes.clone());
//! let resolver = Resolver::new(files);
//! let companions = resolver.lookup("crate.w3d".as_ref()).companions(&w3d::W3d::parse(&bytes)?);
//! assert!(companions.documents.is_empty() && companions.missing.is_empty());
//! # Ok::<(), record::Error>(())
//! ```
//!
//! # The rules
//!
//! Names are compared without regard to case, and both slashes separate folders. A file that the user adds
//! ([`add_file`](Resolver::add_file)) comes first, then folders of companions ([`add_companions`](Resolver::add_companions)).
//!
//! **W3D skeletons** (docs/formats/w3d/names.md#references-between-files). The skeleton `H` is in `H.w3d`, `H_skl.w3d` or `H.wht`:
//!
//! 1. in the model's folder;
//! 2. for a model in a folder of two letters, as BFME II has them: in the sibling folder of the file's first two letters
//!    (`art/w3d/ru/x.w3d` finds `GUHERO_SKL` in `art/w3d/gu`);
//! 3. in the folder above;
//! 4. below the folders that the user works on, the nearest first;
//! 5. in any file of the model's folder that defines it.
//!
//! **W3D models.** `A.B` and `A` are in `A.w3d` or `A.wtm`, in the places 1 to 4.
//!
//! **W3D animations** are found by the skeleton that their header names, whatever the file is called, in the model's folder and in
//! the folder of the skeleton. Each name of an animation is taken once: from the model's own file, then from the file of the
//! animation's name, then from the skeleton's file, then from the first by name. An animation of another skeleton does not belong
//! to the model.
//!
//! **W3D textures** are found by their stem: `.dds`, then `.tga`, whatever extension the model gives.
//!
//! 1. At the path that the name has, below the model's folder or a folder that the user named;
//! 2. in the model's folder;
//! 3. for a model below `art/w3d`: in `art/textures`, and in `art/compiledtextures/xx`, where `xx` are the texture's first letters;
//! 4. in a folder `textures` in the model's folder or beside it;
//! 5. below the folders that the user named, the nearest first.
//!
//! **Warcraft III and World of Warcraft** need the exact path below the root of the map or mod. The root is what is above
//! `war3mapImported`, `units`, `textures` or another folder of the game's; without such a folder, the model's own folder. A folder up to three
//! levels above the model that has a `war3mapImported` is a root, too, and so are folders that the user named. A file of that name in another place is found and marked as such
//! ([`Located::expected`]), since the game does not find it. `.mdl` means `.mdx`; of a texture the named format is best, then
//! `.dds`, `.tga`, `.blp`.
//!
//! # What it costs
//!
//! A folder is listed at most once; names in their usual [`spellings`] are found without. What the files of a folder define is read
//! from the headers of their chunks, once, and only if something cannot be found by a file's name. Companions are parsed once
//! and shared, in at most 64 MB. The cost of a search does not grow with the number of files or models.

mod archives;
mod asset_dat;
mod contents;
mod documents;
mod error;
mod files;
mod folders;
mod game;
mod index;
mod key;
mod memory;
mod once;
mod references;
mod resolver;
pub mod stock;
mod textures;
mod tree;
mod w3x;

pub use archives::{Archives, Inside, is_archive};
pub use contents::Contents;
pub use documents::Shared;
pub use error::{Error, ErrorKind};
pub use files::{EntryKind, Files, Listing, Start, spellings};
pub use folders::{DEFAULT_LIMIT, Folders};
pub use game::{Game, InGame, Layer};
pub use index::{Clip, Named};
pub use key::Key;
pub use memory::Memory;
pub use model::Family;
pub use references::{Reference, references, w3d_references};
pub use resolver::{Companions, Found, Lookup, Pivots, Resolver};
pub use textures::{Located, TEXTURE_EXTENSIONS};
pub use w3x::{W3xCompanions, w3x_references};

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
