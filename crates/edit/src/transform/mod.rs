//! Scaling, moving and turning whole models.

mod billboards;
mod mapping;
mod mdx;
mod quantities;
mod w3d;

use record::Node;

pub use mapping::{Axis, Transform};

use crate::{Error, Family, family_of};

/// The skeletons of a document, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skeletons {
    /// Those that it holds.
    pub here: Vec<String>,
    /// Those that its models are on but that are in other files. Unless these are transformed, too, the models no longer fit them.
    pub elsewhere: Vec<String>,
}

/// The skeletons of a document: W3D keeps them in files of their own. MDX has none elsewhere.
pub fn skeletons(root: &Node<'_>) -> Skeletons {
    match Family::of(root) {
        Some(Family::W3d) => w3d::skeletons(root),
        _ => Skeletons::default(),
    }
}

/// Transforms everything that a document holds, so that the model looks as if its root had been transformed. Gives the number of
/// parts changed. Numbers are rounded to the nearest; multiples of 90 degrees turn exactly.
///
/// # W3D
///
/// **Scale** changes everything that has a length: vertices, planes of triangles, bounds, collision trees, pivots, translation
/// channels of all storages, boxes, points, light ranges, sizes and speeds of emitters, radii of sounds. Files that belong
/// together (skeleton, skin, animations) are each scaled by themselves.
///
/// **Translate** and **rotate** change the pivots right below the root, which the engines replace by the object's own place; what
/// hangs on them, animations included, follows. What is not on a bone, or on the root, is changed itself: meshes and boxes, and
/// in skins the vertices of the root. Bounds and planes of skins are those of the undeformed mesh and follow the model. Files
/// without skeleton and without such parts stay as they are: they follow the file with the skeleton.
///
/// # MDX
///
/// Everything is in the model's space: vertices, normals, tangents, pivots, bounds, cameras, shapes, bind poses. Translation
/// tracks are scaled and turned, rotation tracks are turned about the new axes; packed rotations of the WoW alpha are rounded.
/// Billboards go where their pivots go, and what hangs on them keeps its place relative to them; the game turns it.
/// What popcorn emitters show is in other files and not changed; attachments move, but what is attached does not turn.
///
/// # What is refused
///
/// Different factors per axis where something turns (rotated bones, rotation tracks) or is round (lights, emitters, spheres);
/// turning what cannot turn (boxes and oblong emitters by other than 90 degrees, billboards that are locked to another axis, emitters about other axes than Z); factors that are not
/// greater than zero; meshes of the versions 1 and 2. Bounding boxes that turn by other angles become boxes around the turned
/// ones; bounding radii grow by the greatest factor.
pub fn transform(root: &mut Node<'_>, what: &Transform) -> Result<usize, Error> {
    let family = family_of(root)?;
    let numbers: &[f32] = match what {
        Transform::Scale(factors) => factors,
        Transform::Translate(by) => by,
        Transform::Rotate(_, degrees) => std::slice::from_ref(degrees),
    };
    if numbers.iter().any(|number| !number.is_finite()) {
        return Err(Error::new("numbers have to be finite"));
    }
    if let Transform::Scale(factors) = what
        && factors.iter().any(|factor| *factor <= 0.0)
    {
        return Err(Error::new("a factor has to be greater than zero")
            .with_note("a model that is mirrored would be inside out"));
    }
    match family {
        Family::W3d => w3d::transform(root, what),
        Family::Mdx => mdx::transform(root, what),
    }
}
