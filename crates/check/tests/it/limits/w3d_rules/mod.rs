//! Rules of W3D at their limits.

mod animation;
mod collision;
mod emitters;
mod files;
mod frames;
mod materials;
mod meshes;
mod models;
mod names;
mod skins;

use meshwright_check::{Document, Game};
use record::zerocopy::IntoBytes;
use record::{Chars, F32, Node, Quaternion, U16, U32, Vec3};
use w3d::build::{array, branch, bytes, record, text};
use w3d::names::*;
use w3d::records::*;
use w3d::table::*;

use super::common::{case, changing, changing_all, count, findings, messages_with, place};
use crate::documents::{children, node, set, values};
use crate::rules::rich;

const GAME: Game = Game::Bfme2;
const HEADER: &str = "MESH/MESH_HEADER3";

/// Compares what a rule finds in the rich sample after a change.
#[track_caller]
fn rich_case(code: &str, change: impl FnOnce(&mut Document<'static>), expected: usize) {
    case(code, GAME, rich::document(), change, expected);
}

/// Whether a rule finds anything in the rich sample after a change.
fn is_found(code: &str, change: impl FnOnce(&mut Document<'static>)) -> bool {
    let mut file = rich::document();
    change(&mut file);
    !findings(&file, GAME, code).is_empty()
}

fn name<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(text).expect("short")
}

fn hlod(change: impl FnOnce(&mut HlodSubObject)) -> impl FnOnce(&mut Document<'static>) {
    move |file| set::<HlodSubObject>(file, "HLOD/HLOD_LOD_ARRAY/HLOD_SUB_OBJECT", change)
}

const OPENING: &str = "ANIMATION/ANIMATION_CHANNEL";
