//! Rules about W3X files.

pub(crate) mod across;
pub(crate) mod mesh;
pub(crate) mod model;

use std::collections::HashMap;

use w3x::view::Hierarchy;

use crate::context::W3xContext;

/// The schemas that EA published.
const SCHEMA: &str = "AssetTypeW3D.xsd of the games";

/// The hierarchies of the file by id in lower case, with their number of pivots.
fn hierarchies<'n>(context: &'n W3xContext<'_>) -> HashMap<String, (Hierarchy<'n>, usize)> {
    let all = context.file.hierarchies();
    all.map(|hierarchy| (hierarchy.id().to_lowercase(), (hierarchy, hierarchy.pivots().count()))).collect()
}
