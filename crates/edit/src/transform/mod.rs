//! Scales, moves and rotates whole models.

mod billboards;
mod mapping;
mod mdx;
mod mirror;
mod quantities;
mod w3d;

use record::Node;

pub use mapping::{Axis, Transform};
pub use mirror::{Mirror, mirror};

use crate::{Error, Family, family_of};

/// The skeletons of a document, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skeletons {
    /// Skeletons in the document.
    pub here: Vec<String>,
    /// Skeletons of its models that are in other files. They must be transformed too, or the models no longer match them.
    pub elsewhere: Vec<String>,
}

/// The skeletons of a document. W3D often keeps them in separate files; MDX never does.
pub fn skeletons(root: &Node<'_>) -> Skeletons {
    match Family::of(root) {
        Some(Family::W3d) => w3d::skeletons(root),
        _ => Skeletons::default(),
    }
}

/// Transforms a whole document, as if its root had been transformed. Returns the number of changed parts. Results are rounded to the
/// nearest float; rotations by multiples of 90 degrees are exact.
///
/// # W3D
///
/// **Scale** changes everything that has a length: vertices, planes of triangles, bounds, collision trees, pivots, translation
/// channels of all storages, boxes, points, light ranges, sizes and speeds of emitters, radii of sounds. Files that belong
/// together (skeleton, skin, animations) are each scaled by themselves.
///
/// **Translate** and **rotate** change the pivots right below the root; engines replace the root itself by the object's transform. Their
/// children and animations follow. Objects without a bone, or on the root, are changed themselves: meshes and boxes, and
/// in skins the vertices of the root. Bounds and planes of skins are those of the undeformed mesh and follow the model. Files
/// without skeleton and without such parts stay as they are: they follow the file with the skeleton.
///
/// # MDX
///
/// Everything is in the model's space: vertices, normals, tangents, pivots, bounds, cameras, shapes, bind poses. Translation
/// tracks are scaled and turned, rotation tracks are turned about the new axes; packed rotations of the WoW alpha are rounded.
/// Billboards move with their pivots; their children keep their position relative to them, because the game rotates them.
/// Effects of popcorn emitters are in other files and do not change. Attachments move, but attached models do not rotate.
///
/// # Mirror
///
/// Everything is mirrored as [`mirror`] describes; names stay.
///
/// # What is refused
///
/// Different factors per axis for parts that are rotated (bones, rotation tracks) or round (lights, emitters, spheres); rotations that a part
/// cannot store (boxes and oblong emitters by other than multiples of 90 degrees, billboards that are locked to another axis, emitters about
/// other axes than Z); factors that are not greater than zero; meshes of versions 1 and 2. Rotated bounding boxes become the boxes around the
/// rotated ones; bounding radii grow by the largest factor.
pub fn transform(root: &mut Node<'_>, what: &Transform) -> Result<usize, Error> {
    let family = family_of(root)?;
    let numbers: &[f32] = match what {
        Transform::Scale(factors) => factors,
        Transform::Translate(by) => by,
        Transform::Rotate(_, degrees) => std::slice::from_ref(degrees),
        Transform::Mirror(axis) => return Ok(mirror(root, &Mirror { axis: *axis, names: false })?.changed),
    };
    if numbers.iter().any(|number| !number.is_finite()) {
        return Err(Error::new("numbers must be finite"));
    }
    if let Transform::Scale(factors) = what
        && factors.iter().any(|factor| *factor <= 0.0)
    {
        return Err(Error::new("a factor must be greater than zero").with_note(
            "a model that is scaled by a negative factor would be inside out; mirror it instead",
        ));
    }
    match family {
        Family::W3d => w3d::transform(root, what),
        Family::Mdx => mdx::transform(root, what),
        _ => Err(Error::new("this family of formats cannot be transformed")),
    }
}
