//! References of a document by name.

use std::collections::HashSet;

use mdx::records::{ParticleEmitterHeader, PopcornEmitterHeader};
use mdx::view::Object;
use model::Document;
use record::decode;
use w3d::{Hierarchy, W3d, references as within};

use crate::{Contents, Key};

/// Something that a document refers to by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reference {
    /// A skeleton.
    Skeleton(String),
    /// All animations of a skeleton.
    Animations(String),
    /// An object or model: by its full name in W3D, by its path in MDX.
    Model(String),
    /// A texture.
    Texture(String),
}

impl Reference {
    /// The name or path.
    pub fn name(&self) -> &str {
        match self {
            Self::Skeleton(name) | Self::Animations(name) | Self::Model(name) | Self::Texture(name) => name,
        }
    }
}

/// The references of a document, each once, whatever its case: skeletons and objects that it does not hold itself, the animations
/// of its skeletons, and its textures.
///
/// The animations of a skeleton are wanted for a model and for a bare skeleton. A file that holds an animation and no object is
/// an animation: it does not refer to the others of its skeleton.
///
/// ```
/// use meshwright_assets::{Reference, references};
/// let bytes = w3d::sample::crate_box();
/// let document = model::Document::parse(&bytes)?;
/// let wanted = [Reference::Texture("mwcrate.tga".into()), Reference::Animations("MWCRATE".into())];
/// assert_eq!(references(&document), wanted);
/// # Ok::<(), record::Error>(())
/// ```
pub fn references(document: &Document<'_>) -> Vec<Reference> {
    match document {
        Document::W3d(file) => w3d_references(file),
        Document::Mdx(file) => mdx_references(file),
        Document::W3x(file) => crate::w3x_references(file),
        _ => Vec::new(),
    }
}

/// [`references`] of a W3D file.
pub fn w3d_references(file: &W3d<'_>) -> Vec<Reference> {
    let contents = Contents::of(file);
    let keys = |names: &[String]| names.iter().map(|name| Key::name(name)).collect::<HashSet<_>>();
    let (skeletons, objects) = (keys(&contents.skeletons), keys(&contents.objects));
    let is_animation = contents.objects.is_empty() && !contents.animations.is_empty();
    let mut found = Vec::new();
    for node in file.root.children() {
        if let Some(name) = within::skeleton_name(node).filter(|name| !name.trim_end().is_empty()) {
            if !skeletons.contains(&Key::name(&name)) {
                found.push(Reference::Skeleton(name.clone()));
            }
            if !is_animation && !within::is_animation(node) && can_move(file, &name) {
                found.push(Reference::Animations(name));
            }
        }
        let used = within::placed_objects(node).into_iter().map(|name| decode(&name).into_owned());
        let missing = used.filter(|name| !name.is_empty() && !objects.contains(&Key::name(name)));
        found.extend(missing.map(Reference::Model));
        found.extend(within::texture_names(node).into_iter().map(Reference::Texture));
    }
    unique(found)
}

/// Whether a skeleton can be animated: it is in another file, or has more than its root.
fn can_move(file: &W3d<'_>, name: &str) -> bool {
    let is_it = |skeleton: &Hierarchy<'_>| Key::name(&skeleton.name()) == Key::name(name);
    file.hierarchies().find(is_it).is_none_or(|skeleton| skeleton.pivots().len() > 1)
}

fn mdx_references(file: &mdx::Document<'_>) -> Vec<Reference> {
    let model = file.view();
    let textures = model.textures().iter().filter(|texture| texture.replaceable_id.get() == 0);
    let textures = textures.map(|texture| Reference::Texture(texture.path.to_string()));
    let models = model.nodes().filter_map(|node| model_path(&node)).map(Reference::Model);
    unique(textures.chain(models).filter(|reference| !reference.name().is_empty()).collect())
}

/// The model that an attachment or emitter shows.
fn model_path(node: &Object<'_>) -> Option<String> {
    let attachment = || Some(node.attachment()?.path.to_string());
    let emitter = || Some(node.part::<ParticleEmitterHeader>()?.path.to_string());
    let popcorn = || Some(node.part::<PopcornEmitterHeader>()?.path.to_string());
    // An attachment may have a plain name instead of a path.
    attachment().or_else(emitter).or_else(popcorn).filter(|path| Key::path(path).extension().is_some())
}

fn unique(mut found: Vec<Reference>) -> Vec<Reference> {
    let mut known = HashSet::new();
    found.retain(|reference| known.insert((std::mem::discriminant(reference), Key::name(reference.name()))));
    found
}
