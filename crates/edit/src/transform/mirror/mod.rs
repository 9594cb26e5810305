//! Mirrors whole models.

mod mdx;
mod names;
mod w3d;

use record::Node;

use super::Axis;
use crate::report::{Report, counted};
use crate::{Error, Family, family_of};

/// A mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// The axis whose sign changes. Models look along X, so [`Axis::Y`] exchanges left and right.
    pub axis: Axis,
    /// Whether names exchange left and right, so that the left hand is still the one on the left.
    pub names: bool,
}

/// Mirrors a whole document: vertices, normals, tangents, winding, planes, bounds, collision, bones, keys with their tangents, cameras,
/// lights and emitters. Mirroring twice restores the model; all bytes, except where the list below says otherwise.
///
/// # Names
///
/// With [`names`](Mirror::names), bones, nodes and meshes exchange these words, and all references follow. Clips, models, textures
/// and events keep their names.
///
/// | word | where |
/// |---|---|
/// | `Left`, `Right`, also in upper or lower case | alone between other characters than letters; at the start or end of a name; in `HandLeft` and `LeftHand` |
/// | `L`, `R`, also in lower case | alone between other characters than letters: `Bip01 L Hand`, `Arm_R`, `Wheel.L01` |
///
/// A name that would not fit its field stays, and a note says so.
///
/// # What is different
///
/// - Parts that face the camera are mirrored within their plane, because the game turns them. A vertex that such a part and another one
///   move together is refused.
/// - W3D channels of differences become channels of keys, because a difference cannot be stored with the other sign.
/// - Ribbons exchange their heights above and below when mirrored along Y; their textures keep their direction.
/// - MDX emitters and directional lights cannot be mirrored along Z: they point up or down their node. Triangle strips with an even number of
///   vertices are refused.
/// - Effects and models in other files are not mirrored; W3D skeletons in other files must be mirrored too.
pub fn mirror(root: &mut Node<'_>, what: &Mirror) -> Result<Report, Error> {
    let changed = match family_of(root)? {
        Family::W3d => w3d::mirror(root, what.axis)?,
        Family::Mdx => mdx::mirror(root, what.axis)?,
        _ => return Err(Error::new("this family of formats cannot be mirrored")),
    };
    let mut report = Report::of(changed);
    if what.names {
        let (changed, too_long) = names::exchange(root)?;
        report.changed += changed;
        if !too_long.is_empty() {
            report.note(format!(
                "{} not changed, because the other one is too long: {}",
                counted(too_long.len(), "name"),
                too_long.join(", ")
            ));
        }
    }
    Ok(report)
}
