//! Rules of MDX at their limits.

mod geoset_animations;
mod geosets;
mod materials;
mod model;
mod nodes;
mod objects;
mod sequences;
mod skins;
mod tracks;
mod wow;

use mdx::records::*;
use mdx::{kinds, tags};
use meshwright_check::{Document, Game};
use record::{Chars, F32, I32, Node, Quaternion, U16, U32, Vec3};

use super::common::{case, changing, changing_all, count, findings, messages_with, place};
use crate::documents::{children, node, set, values};

const CLASSIC: Game = Game::Wc3Classic;
const HD: Game = Game::Wc3Reforged;
const WOW: Game = Game::WowAlpha;

fn sample(name: &str) -> Document<'static> {
    let (_, bytes) = mdx::build::samples().into_iter().find(|(each, _)| *each == name).expect("a sample");
    Document::parse(&bytes).expect("a sample").into_owned()
}

fn classic() -> Document<'static> {
    sample("warcraft-800")
}

fn chars<const N: usize>(text: &str) -> Chars<N> {
    Chars::new(text).expect("short")
}

/// Compares what a rule finds in the classic sample after a change.
#[track_caller]
fn classic_case(code: &str, change: impl FnOnce(&mut Document<'static>), expected: usize) {
    case(code, CLASSIC, classic(), change, expected);
}

const GEOSET: &str = "GEOS/Geoset";

fn sequences(list: &'static [(&'static str, i32, i32)]) -> impl FnOnce(&mut Document<'static>) {
    move |file| {
        let like = node(file, "SEQS").values::<Sequence>()[0];
        let all: Vec<Sequence> = list
            .iter()
            .map(|(name, start, end)| Sequence {
                name: chars(name),
                start: I32::new(*start),
                end: I32::new(*end),
                ..like
            })
            .collect();
        node(file, "SEQS").set_values(&all);
    }
}

fn float_track(tag: u32, keys: &[(i32, f32)], interpolation: Interpolation, global: i32) -> Node<'static> {
    let keys: Vec<(i32, F32)> = keys.iter().map(|(time, value)| (*time, F32::new(*value))).collect();
    mdx::build::track(tag, interpolation, global, &keys).expect("a track of floats")
}
