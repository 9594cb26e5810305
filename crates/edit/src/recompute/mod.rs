//! Computes what follows from other data: normals, tangents, extents, planes, collision trees, winding.

pub(crate) mod mdx;
mod surface;
mod w3d;

use std::str::FromStr;

use record::Node;

use crate::report::Report;
use crate::{Error, Family, family_of};

/// Which vertices at one position share a normal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Smoothing {
    /// Those that had the same normal before.
    #[default]
    Kept,
    /// Those whose triangles meet at no more than this angle, in degrees.
    Angle(f32),
}

/// What to compute.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Recompute {
    /// Normals of vertices.
    pub normals: Option<Smoothing>,
    /// Tangents of meshes that have some.
    pub tangents: bool,
    /// Bounds: of W3D meshes, and of MDX models, geosets and sequences over the animation.
    pub extents: bool,
    /// Planes of W3D triangles.
    pub planes: bool,
    /// Collision trees of W3D meshes that have one.
    pub tree: bool,
    /// Turn triangles around whose corners run against the normals of their vertices.
    pub winding: bool,
    /// The geosets and geoset animations that bones of MDX name.
    pub bones: bool,
}

impl Recompute {
    /// Everything that is named; `smoothing` is for normals.
    ///
    /// ```
    /// use meshwright_edit::{Derived, Recompute, Smoothing};
    /// let what = Recompute::of(["extents".parse::<Derived>().unwrap()], Smoothing::Kept);
    /// assert!(what.extents && what.normals.is_none());
    /// ```
    pub fn of(what: impl IntoIterator<Item = Derived>, smoothing: Smoothing) -> Self {
        let mut wanted = Self::default();
        for derived in what {
            match derived {
                Derived::Normals => wanted.normals = Some(smoothing),
                Derived::Tangents => wanted.tangents = true,
                Derived::Extents => wanted.extents = true,
                Derived::Planes => wanted.planes = true,
                Derived::Tree => wanted.tree = true,
                Derived::Winding => wanted.winding = true,
                Derived::Bones => wanted.bones = true,
                Derived::All => {
                    let Self { normals, winding, .. } = wanted;
                    wanted = Self {
                        normals,
                        winding,
                        tangents: true,
                        extents: true,
                        planes: true,
                        tree: true,
                        bones: true,
                    };
                }
            }
        }
        wanted
    }
}

/// A kind of derived data by its name, as people type it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Derived {
    /// Normals of vertices.
    Normals,
    /// Tangents of meshes that have some.
    Tangents,
    /// Bounds of meshes, models, geosets and sequences.
    Extents,
    /// Planes of W3D triangles.
    Planes,
    /// Collision trees of W3D meshes that have one.
    Tree,
    /// Corners of triangles that run against the normals.
    Winding,
    /// The geosets that MDX bones name.
    Bones,
    /// Everything but normals and winding.
    All,
}

impl Derived {
    /// All of them, with their names and a description of each.
    pub const ALL: [(Self, &str, &str); 8] = [
        (Self::Normals, "normals", "Normals of vertices"),
        (Self::Tangents, "tangents", "Tangents of meshes that have some"),
        (Self::Extents, "extents", "Bounds of meshes, models, geosets and sequences"),
        (Self::Planes, "planes", "Planes of W3D triangles"),
        (Self::Tree, "tree", "Collision trees of W3D meshes that have one"),
        (Self::Winding, "winding", "Corners of triangles that run against the normals"),
        (Self::Bones, "bones", "The geosets that MDX bones name"),
        (Self::All, "all", "Everything but normals and winding"),
    ];
}

impl FromStr for Derived {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|(_, name, _)| name.eq_ignore_ascii_case(text));
        found.map(|(derived, ..)| derived).ok_or_else(|| {
            let names = Self::ALL.map(|(_, name, _)| name);
            Error::new(format!("cannot compute {text:?}; available: {}", names.join(", ")))
        })
    }
}

/// Computes data anew from the geometry and the animation. Returns the number of changed parts; a part that is already as computed is
/// not changed. In W3D skins, which store vertices in the space of their bones, this needs the skeleton in the same file; without it
/// they stay as they are, and the report says so.
///
/// ```
/// use meshwright_edit::{Recompute, recompute};
/// let bytes = w3d::sample::crate_box();
/// let mut file = w3d::W3d::parse(&bytes)?;
/// let everything = Recompute { extents: true, planes: true, tree: true, ..Recompute::default() };
/// assert_eq!(recompute(&mut file.root, &everything).unwrap().changed, 0, "it was right before");
/// # Ok::<(), record::Error>(())
/// ```
pub fn recompute(root: &mut Node<'_>, what: &Recompute) -> Result<Report, Error> {
    if let Some(Smoothing::Angle(angle)) = what.normals
        && !(0.0..=180.0).contains(&angle)
    {
        return Err(Error::new("the angle must be between 0 and 180 degrees"));
    }
    match family_of(root)? {
        Family::W3d => w3d::recompute(root, what),
        Family::Mdx => mdx::recompute(root, what),
        _ => Ok(Report::default()),
    }
}
