//! References to other files.

use assets::{Family, Reference, w3x_references};
use record::Severity::{Info, Warning};

use crate::context::{Findings, W3xContext};
use crate::rule::Rule;

/// Files of published mods refer to assets of the game, which are compiled.
const SOURCE: &str = "the compiler resolves ids over all files of a mod and of the game";

pub(crate) static RULES: &[Rule] = &[
    Rule::w3x(
        "W3X-FILES-001",
        Warning,
        assets,
        SOURCE,
        "a hierarchy, mesh or box was not found",
        "No file near the model or below the given folders has the id. If the game itself does not have it, the compiler fails. Ids are compared within one type, in any case.",
    ),
    Rule::w3x(
        "W3X-FILES-002",
        Info,
        textures,
        SOURCE,
        "a texture was not found",
        "No declaration in an `.xml` file and no picture has the id. Many textures are the game's own.",
    ),
];

fn assets(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    let Some(lookup) = context.lookup else { return };
    for reference in w3x_references(context.file) {
        let (what, found) = match &reference {
            Reference::Skeleton(id) => ("hierarchy", lookup.w3x_asset(true, id)),
            Reference::Model(id) => ("mesh or box", lookup.w3x_asset(false, id)),
            Reference::Animations(_) | Reference::Texture(_) => continue,
        };
        if found.is_none() {
            findings.file(format!("no file has the {what} {:?}", reference.name()));
        }
    }
}

fn textures(context: &W3xContext<'_>, findings: &mut Findings<'_>) {
    let Some(lookup) = context.lookup else { return };
    for reference in w3x_references(context.file) {
        if let Reference::Texture(id) = &reference
            && lookup.texture(id, Family::W3x).is_none()
        {
            findings.file(format!("no file declares or has the texture {id:?}"));
        }
    }
}
