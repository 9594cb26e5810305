//! One file per verb.

pub(crate) mod archives;
pub(crate) mod catalog;
pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod demo;
mod diff;
pub(crate) mod edit;
mod help;
mod info;
pub(crate) mod render;
mod tree;
mod verify;
pub(crate) mod view;

use crate::args::{Common, Verb};
use crate::exit;

/// Does what was asked.
pub(crate) fn run(verb: Verb, common: Common) -> exit::Result {
    match verb {
        Verb::Info(args) => info::info(&args, common),
        Verb::Tree(args) => tree::tree(&args, common),
        Verb::Verify(args) => verify::verify(&args, common),
        Verb::Check(args) => check::check(&args, common),
        Verb::Convert(args) => convert::convert(&args, common),
        Verb::Render(args) => render::render(&args, common),
        Verb::View(args) => Ok(view::view(&args)),
        Verb::Gallery(args) => render::gallery::gallery(&args, common),
        Verb::Catalog(args) => catalog::catalog(&args, common),
        Verb::Diff(args) => diff::diff(&args, common),
        Verb::Edit(args) => edit::edit(&args, common),
        Verb::Ls(args) => archives::ls(&args, common),
        Verb::Extract(args) => archives::extract(&args, common),
        Verb::Pack(args) => archives::pack(&args, common),
        Verb::Find(args) => archives::find(&args, common),
        Verb::Demo(args) => demo::demo(&args, common),
        Verb::Completions(args) => help::completions(&args),
        Verb::Man(args) => help::man(&args),
        Verb::Help(args) => help::help(&args),
    }
}
