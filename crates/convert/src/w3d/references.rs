//! What a document refers to, and which files may hold it (w3d-errata 2.20).

use std::collections::HashSet;

use record::{Node, decode};
use w3d::records::{EmitterInfo, HModelHeader, HlodHeader, RingDef, SphereDef};
use w3d::table::{self, ring, sphere};
use w3d::{Mesh, W3d};

use super::child_value;
use super::library::{Library, is_model};
use w3d::references::placed_objects;

/// Something that a document refers to by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reference {
    /// A skeleton.
    Hierarchy(String),
    /// All animations of a skeleton.
    Animations(String),
    /// An object or model, by its full name.
    Object(String),
    /// A texture.
    Texture(String),
}

impl Reference {
    /// The name itself.
    pub fn name(&self) -> &str {
        match self {
            Self::Hierarchy(name) | Self::Animations(name) | Self::Object(name) | Self::Texture(name) => name,
        }
    }
}

/// What a document refers to and does not hold itself: skeletons and objects; always the animations of its skeletons, and its
/// textures. Each once, whatever its case.
///
/// ```
/// use meshwright_convert::w3d::{Reference, needs};
/// let bytes = w3d::sample::crate_box();
/// let file = w3d::W3d::parse(&bytes)?;
/// let wanted = [Reference::Texture("mwcrate.tga".into()), Reference::Animations("MWCRATE".into())];
/// assert_eq!(needs(&file), wanted);
/// # Ok::<(), record::Error>(())
/// ```
pub fn needs(document: &W3d<'_>) -> Vec<Reference> {
    let library = Library::new(document);
    let mut found = Vec::new();
    for node in document.root.children() {
        let skeleton = if node.is(&table::HLOD) {
            child_value::<HlodHeader>(node, &table::HLOD_HEADER)
                .map(|header| header.hierarchy_name.to_string())
        } else if node.is(&table::HMODEL) {
            child_value::<HModelHeader>(node, &table::HMODEL_HEADER)
                .map(|header| header.hierarchy_name.to_string())
        } else if node.is(&table::HIERARCHY) {
            node.label()
        } else if node.is(&table::ANIMATION) || node.is(&table::COMPRESSED_ANIMATION) {
            let name = w3d::Animation(node).hierarchy_name();
            if library.hierarchy(&name).is_none() {
                found.push(Reference::Hierarchy(name));
            }
            None
        } else {
            None
        };
        if let Some(name) = skeleton.filter(|name| !name.is_empty()) {
            if library.hierarchy(&name).is_none() {
                found.push(Reference::Hierarchy(name.clone()));
            }
            found.push(Reference::Animations(name));
        }
        if is_model(node) {
            let objects = placed_objects(node).into_iter().map(|name| decode(&name).into_owned());
            let missing = objects.filter(|name| !name.is_empty() && library.object(name).is_none());
            found.extend(missing.map(Reference::Object));
        }
        found.extend(textures(node).into_iter().map(Reference::Texture));
    }
    let mut known = HashSet::new();
    found.retain(|reference| {
        known.insert((std::mem::discriminant(reference), reference.name().to_ascii_lowercase()))
    });
    found
}

/// The textures of an object.
fn textures(node: &Node<'_>) -> Vec<String> {
    if node.is(&table::MESH) {
        let mut names = Mesh(node).texture_names();
        names.retain(|name| !name.is_empty());
        return names;
    }
    let mut names = Vec::new();
    if node.is(&table::EMITTER) {
        let info = child_value::<EmitterInfo>(node, &table::EMITTER_INFO);
        names.extend(info.map(|info| info.texture_filename.to_string()));
    } else if node.is(&table::SPHERE) {
        let def = child_value::<SphereDef>(node, &sphere::SPHERE_DEF);
        names.extend(def.map(|def| def.texture_name.to_string()));
    } else if node.is(&table::RING) {
        let def = child_value::<RingDef>(node, &ring::RING_DEF);
        names.extend(def.map(|def| def.texture_name.to_string()));
    } else if node.is(&table::SHDMESH) {
        node.walk(&mut |place| {
            let name = place.node.kind.name;
            if name == "TEXTURE" || name == "BUMPMAP" || name.starts_with("LEGACY_TEXTURE") {
                names.extend(place.node.text().map(|text| decode(text).into_owned()));
            }
        });
    }
    names.retain(|name| !name.is_empty());
    names
}

/// The names of the files that an engine would look for, the best first, in lower case.
///
/// An object `A.B` is in `a.w3d`, a skeleton `H` in `h.w3d`, a texture under its stem as `.dds`, then `.tga`. Animations are in
/// files by their own names, which a skeleton does not tell; its own file may hold some.
///
/// ```
/// use meshwright_convert::w3d::{Reference, file_names};
/// assert_eq!(file_names(&Reference::Object("TANK.TURRET".into()))[0], "tank.w3d");
/// assert_eq!(file_names(&Reference::Texture("Wood.tga".into())), ["wood.dds", "wood.tga"]);
/// ```
pub fn file_names(reference: &Reference) -> Vec<String> {
    let name = reference.name().trim_end().to_ascii_lowercase();
    let mut names = match reference {
        // The older extensions are of the same format.
        Reference::Hierarchy(_) => {
            vec![format!("{name}.w3d"), format!("{name}_skl.w3d"), format!("{name}.wht")]
        }
        Reference::Animations(_) => vec![format!("{name}.w3d"), format!("{name}.wha")],
        Reference::Object(_) => {
            let container = name.split('.').next().unwrap_or_default();
            vec![format!("{container}.w3d"), format!("{container}.wtm")]
        }
        Reference::Texture(_) => {
            // Paths are those of the artist's disk.
            let file = name.rsplit(['\\', '/']).next().unwrap_or_default();
            let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
            vec![format!("{stem}.dds"), format!("{stem}.tga"), file.to_owned()]
        }
    };
    let mut known = HashSet::new();
    names.retain(|name| known.insert(name.clone()));
    names
}

/// Which of the files beside a model may hold something, the best first. `model` is the model's own file name.
///
/// For animations these are only candidates, all that start as the skeleton or the model does: whether one [`animates`] the
/// skeleton says its header.
///
/// ```
/// use meshwright_convert::w3d::{Reference, find_beside};
/// let beside = ["AUHero.w3d", "auhero_SKL.w3d", "auhero_RUNA.w3d", "guhero_SKL.w3d", "tree.w3d"];
/// let skeleton = Reference::Hierarchy("GUHERO_SKL".into());
/// assert_eq!(find_beside(&skeleton, "auhero.w3d", beside), ["guhero_SKL.w3d"]);
/// let moves = Reference::Animations("GUHERO_SKL".into());
/// assert_eq!(find_beside(&moves, "auhero.w3d", beside), ["guhero_SKL.w3d", "auhero_SKL.w3d", "auhero_RUNA.w3d"]);
/// ```
pub fn find_beside<'f>(
    reference: &Reference,
    model: &str,
    files: impl IntoIterator<Item = &'f str>,
) -> Vec<&'f str> {
    let wanted = file_names(reference);
    let model = model.to_ascii_lowercase();
    let skeleton = reference.name().trim_end().to_ascii_lowercase();
    // `x_skl` and `x_skn` are the skeleton and the skin of x, whose animations are `x_...`.
    let families: Vec<&str> =
        [skeleton.as_str(), model.rsplit_once('.').map_or(model.as_str(), |(stem, _)| stem)]
            .map(|stem| stem.strip_suffix("_skl").or_else(|| stem.strip_suffix("_skn")).unwrap_or(stem))
            .into_iter()
            .filter(|family| !family.is_empty() && matches!(reference, Reference::Animations(_)))
            .collect();
    let mut found: Vec<(usize, &str)> = Vec::new();
    for file in files {
        let name = file.to_ascii_lowercase();
        let is_model_file = name.ends_with(".w3d") || name.ends_with(".wha");
        if name == model {
            continue;
        } else if let Some(rank) = wanted.iter().position(|wanted| *wanted == name) {
            found.push((rank, file));
        } else if is_model_file && families.iter().any(|family| name.starts_with(family)) {
            found.push((wanted.len(), file));
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, file)| file).collect()
}

/// Whether a document has an animation of this skeleton.
pub fn animates(document: &W3d<'_>, hierarchy: &str) -> bool {
    Library::new(document).animations_of(hierarchy).next().is_some()
}
