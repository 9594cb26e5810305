//! Renames objects and all references to them.

use record::{Node, decode};

use crate::places::{Role, change_texts, given};
use crate::text::encoded;
use crate::{Error, Family, family_of};

/// The kind of object to rename.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A mesh, or another object with a full name (box, null object, dazzle); in MDX a geoset from version 900 on.
    Mesh,
    /// A bone; in MDX any node.
    Bone,
    /// A model, its skeleton and everything named after it.
    Model,
    /// Only the container of objects: the part of a full name before the dot.
    Container,
    /// An animation; in MDX a sequence.
    Animation,
    /// A camera of MDX.
    Camera,
}

impl Named {
    /// Its name in messages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mesh => "mesh",
            Self::Bone => "bone",
            Self::Model => "model",
            Self::Container => "container",
            Self::Animation => "animation",
            Self::Camera => "camera",
        }
    }

    fn concerns(self, role: Role) -> bool {
        match self {
            Self::Mesh => {
                matches!(role, Role::Mesh | Role::Object | Role::ObjectReference | Role::PartOfModel)
            }
            Self::Bone => role == Role::Bone,
            Self::Model => {
                let names = matches!(role, Role::Container | Role::Object | Role::ObjectReference);
                // An animation may have the same name as its model.
                names || matches!(role, Role::Model | Role::Pose | Role::Animation)
            }
            Self::Container => matches!(role, Role::Container | Role::Object | Role::ObjectReference),
            Self::Animation => matches!(role, Role::Animation | Role::Pose | Role::SequenceSwitches),
            Self::Camera => role == Role::Camera,
        }
    }
}

/// Renames every object of this name and all references to it. As in the engines, case does not matter. A mesh can be given with its
/// container, `TANK.BARREL`, to rename only that one; the new name is then that of the mesh without its container.
///
/// | | W3D | MDX |
/// |---|---|---|
/// | mesh | mesh headers, boxes, null objects, dazzles, shader meshes, spheres, rings; sub-objects of HLODs, hierarchy models, levels, collections, aggregates | geosets' names from version 900 on |
/// | bone | pivots; bones that aggregates name | nodes; targets of facial animation |
/// | model | skeletons, HLODs, hierarchy and LOD models, collections, aggregates, emitters, sounds; skeletons that models and animations name; animations of the same name; containers, as below | the model's name |
/// | container | containers of meshes, and what stands before the dot of full names | - |
/// | animation | animations of all sorts; poses of morph animations | sequences, and the switches of popcorn emitters |
/// | camera | - | cameras |
///
/// A name that does not fit its field, or that something else of the same sort already has, is an error: renaming back could
/// not tell the two apart.
pub fn rename(root: &mut Node<'_>, what: Named, old: &str, new: &str) -> Result<usize, Error> {
    let family = family_of(root)?;
    let missing = match (family, what) {
        (Family::Mdx, Named::Container) => Some("MDX models have no containers"),
        (Family::W3d, Named::Camera) => Some("W3D models have no cameras"),
        _ => None,
    };
    if let Some(message) = missing {
        return Err(Error::new(message));
    }
    if new.is_empty() {
        return Err(Error::new("a name cannot be empty"));
    }
    let dotted = matches!(what, Named::Mesh | Named::Model | Named::Container | Named::Animation);
    if family == Family::W3d && dotted && new.contains('.') {
        return Err(Error::new(format!("{new:?} contains '.', the container separator"))
            .with_note("rename the container and the object one after the other"));
    }
    let (old, new) = (encoded(old)?, encoded(new)?);
    let names = Names::of(root, what)?;
    let renaming = Renaming { family, what, meshes: &names, old: &old, new: &new };
    let mut clash = false;
    let mut found = false;
    let backwards = Renaming { old: &new, new: &old, ..renaming };
    let mut seen = 0;
    change_texts(root, &|role| what.concerns(role), &mut |role, text| {
        clash |= backwards.apply(role, text, &mut seen.clone()).is_some();
        found |= renaming.apply(role, text, &mut seen).is_some();
        Ok(None)
    })?;
    if found && clash && !old.eq_ignore_ascii_case(&new) {
        return Err(Error::new(format!("there is already a {} {:?}", what.word(), decode(&new))));
    }
    let mut seen = 0;
    change_texts(root, &|role| what.concerns(role), &mut |role, text| {
        Ok(renaming.apply(role, text, &mut seen))
    })
}

/// The distinct names of this kind that a document defines, in file order.
pub fn names(root: &mut Node<'_>, what: Named) -> Result<Vec<String>, Error> {
    let gives = |role| match what {
        Named::Mesh => matches!(role, Role::Mesh | Role::Object),
        Named::Bone => role == Role::Bone,
        Named::Model => role == Role::Model,
        Named::Container => role == Role::Container,
        Named::Animation => role == Role::Animation,
        Named::Camera => role == Role::Camera,
    };
    given(root, &gives)
}

/// The objects that full names without a dot refer to in this document.
struct Names {
    /// Meshes without a container.
    bare_meshes: Vec<Vec<u8>>,
    /// Models.
    models: Vec<Vec<u8>>,
    /// The container of each mesh, in the order of their names.
    containers: Vec<Vec<u8>>,
}

impl Names {
    fn of(root: &mut Node<'_>, what: Named) -> Result<Self, Error> {
        let mut names = Self { bare_meshes: Vec::new(), models: Vec::new(), containers: Vec::new() };
        if !matches!(what, Named::Mesh | Named::Model) {
            return Ok(names);
        }
        root.walk(&mut |place| {
            if let Some(header) = place.node.value::<w3d::records::MeshHeader3>() {
                names.containers.push(header.container_name.text().to_vec());
                if header.container_name.text().is_empty() {
                    names.bare_meshes.push(header.mesh_name.text().to_vec());
                }
            } else if let Some(header) = place.node.value::<w3d::records::MeshHeader>() {
                names.containers.push(Vec::new());
                names.bare_meshes.push(header.mesh_name.text().to_vec());
            }
        });
        change_texts(root, &|role| role == Role::Model, &mut |_, text| {
            names.models.push(text.to_vec());
            Ok(None)
        })?;
        Ok(names)
    }

    fn has(list: &[Vec<u8>], name: &[u8]) -> bool {
        list.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

#[derive(Clone, Copy)]
struct Renaming<'r> {
    family: Family,
    what: Named,
    meshes: &'r Names,
    old: &'r [u8],
    new: &'r [u8],
}

impl Renaming<'_> {
    /// The new text, if this one names the renamed object. Counts mesh headers to find their containers.
    fn apply(&self, role: Role, text: &[u8], meshes_seen: &mut usize) -> Option<Vec<u8>> {
        let is_old = |name: &[u8]| !name.is_empty() && name.eq_ignore_ascii_case(self.old);
        let whole = || is_old(text).then(|| self.new.to_vec());
        match (self.what, role) {
            (Named::Mesh, Role::Mesh) => {
                if self.family == Family::Mdx {
                    return whole();
                }
                let container = self.meshes.containers.get(*meshes_seen);
                *meshes_seen += 1;
                let (wanted, name) = self.old_parts();
                let fits = wanted.is_none_or(|wanted| {
                    container.is_some_and(|container| container.eq_ignore_ascii_case(wanted))
                });
                (fits && text.eq_ignore_ascii_case(name)).then(|| self.new_object().to_vec())
            }
            (Named::Mesh, Role::PartOfModel) => {
                // The container is a model around it.
                let (wanted, name) = self.old_parts();
                let fits = wanted.is_none_or(|wanted| Names::has(&self.meshes.models, wanted));
                (fits && text.eq_ignore_ascii_case(name)).then(|| self.new_object().to_vec())
            }
            (Named::Mesh, Role::Object | Role::ObjectReference) => {
                let (wanted, name) = self.old_parts();
                match split(text) {
                    (Some(container), object) => {
                        let fits = wanted.is_none_or(|wanted| container.eq_ignore_ascii_case(wanted));
                        let renamed = || [container, b".", self.new_object()].concat();
                        (fits && object.eq_ignore_ascii_case(name)).then(renamed)
                    }
                    (None, object) => {
                        // A name without a dot may be that of a model.
                        let model = Names::has(&self.meshes.models, object)
                            && !Names::has(&self.meshes.bare_meshes, object);
                        let referred = role == Role::Object || !model;
                        (wanted.is_none() && referred && object.eq_ignore_ascii_case(name))
                            .then(|| self.new_object().to_vec())
                    }
                }
            }
            (Named::Model | Named::Container, Role::Object | Role::ObjectReference) => match split(text) {
                (Some(container), object) => is_old(container).then(|| [self.new, b".", object].concat()),
                (None, object) => {
                    let model = self.what == Named::Model
                        && role == Role::ObjectReference
                        && !Names::has(&self.meshes.bare_meshes, object);
                    (model && is_old(object)).then(|| self.new.to_vec())
                }
            },
            (Named::Model, Role::Pose) => {
                let (hierarchy, animation) = split(text);
                let hierarchy = hierarchy?;
                is_old(hierarchy).then(|| [self.new, b".", animation].concat())
            }
            (Named::Animation, Role::Pose) => {
                let (hierarchy, animation) = split(text);
                let before = hierarchy.map(|hierarchy| [hierarchy, b"."].concat()).unwrap_or_default();
                is_old(animation).then(|| [&before, self.new].concat())
            }
            // Sequences of MDX are not named after the model.
            (Named::Model, Role::Animation) if self.family == Family::Mdx => None,
            (Named::Animation, Role::SequenceSwitches) => switches(text, self.old, self.new),
            _ => whole(),
        }
    }

    /// The container, if one was given, and the mesh.
    fn old_parts(&self) -> (Option<&[u8]>, &[u8]) {
        split(self.old)
    }

    fn new_object(&self) -> &[u8] {
        split(self.new).1
    }
}

/// Splits a name at its first dot. Without a dot, all of it is the object.
fn split(text: &[u8]) -> (Option<&[u8]>, &[u8]) {
    match text.iter().position(|byte| *byte == b'.') {
        Some(dot) => (Some(&text[..dot]), &text[dot + 1..]),
        None => (None, text),
    }
}

/// `Always=on, Death=off` with another name for a sequence.
fn switches(text: &[u8], old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let mut changed = false;
    let items: Vec<Vec<u8>> = text
        .split(|byte| *byte == b',')
        .map(|item| {
            let key = item.split(|byte| *byte == b'=').next().unwrap_or_default();
            let name = key.trim_ascii();
            if name.is_empty() || !name.eq_ignore_ascii_case(old) {
                return item.to_vec();
            }
            changed = true;
            let start = key.len() - key.trim_ascii_start().len();
            [&item[..start], new, &item[start + name.len()..]].concat()
        })
        .collect();
    changed.then(|| items.join(&b','))
}
