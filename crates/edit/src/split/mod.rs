//! Divides meshes.

mod mdx;
mod w3d;

use record::Node;

use crate::report::Report;
use crate::select::{PartKind, Selector, require};
use crate::{Error, Family, family_of};

/// How a mesh is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitBy {
    /// One mesh for each material: in W3D for each texture, shader and shader material of the first pass that differ between triangles.
    Material,
    /// One mesh for each connected part. Vertices at one position are connected.
    Part,
}

/// Divides meshes. Returns the number of added meshes.
///
/// **MDX**: the first part stays in its place, the others follow at the end, with copies of its geoset animation. A geoset has one material, so
/// it cannot be divided by materials.
///
/// **W3D**: the first part keeps its name, the others have it with a number. They are on the same bone and in the same levels of detail.
///
/// ```
/// use meshwright_edit::{SplitBy, split};
/// let bytes = w3d::sample::crate_box();
/// let mut file = w3d::W3d::parse(&bytes)?;
/// let report = split(&mut file.root, &"mesh:LID".parse().unwrap(), SplitBy::Part).unwrap();
/// assert_eq!(report.changed, 0, "it is one part");
/// # Ok::<(), record::Error>(())
/// ```
pub fn split(root: &mut Node<'_>, meshes: &Selector, by: SplitBy) -> Result<Report, Error> {
    let chosen = require(root, meshes)?;
    if let Some(part) = chosen.iter().find(|part| part.kind != PartKind::Mesh) {
        return Err(Error::new(format!("{} is not a mesh", part.title())));
    }
    let mut report = match family_of(root)? {
        Family::W3d => w3d::split(root, &chosen, by)?,
        Family::Mdx => mdx::split(root, &chosen, by)?,
        _ => Report::default(),
    };
    if report.changed > 0 {
        report.settle(root);
    }
    Ok(report)
}

/// The triangles of each connected part. Corners at one position are connected; `position` identifies positions.
fn parts_of(count: usize, triangles: &[[usize; 3]], position: impl Fn(usize) -> [u32; 3]) -> Vec<Vec<usize>> {
    let mut first: std::collections::HashMap<[u32; 3], usize> = std::collections::HashMap::new();
    let places: Vec<usize> =
        (0..count).map(|vertex| *first.entry(position(vertex)).or_insert(vertex)).collect();
    let joined: Vec<[usize; 3]> = triangles
        .iter()
        .map(|corners| corners.map(|corner| places.get(corner).copied().unwrap_or(corner)))
        .collect();
    let sets = crate::vertices::connected(count, &joined);
    grouped(&sets)
}

/// The indices of each set, in the order of their first ones.
fn grouped(sets: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, set) in sets.iter().enumerate() {
        if groups.len() <= *set {
            groups.resize(set + 1, Vec::new());
        }
        groups[*set].push(index);
    }
    groups.retain(|group| !group.is_empty());
    groups
}
