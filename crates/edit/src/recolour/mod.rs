//! Colours of parts.

mod mdx;
mod w3d;

use std::str::FromStr;

use record::{Node, printable};

use crate::report::Report;
use crate::select::{Selector, require};
use crate::{Error, Family, family_of};

/// A colour: red, green and blue from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour(pub [f32; 3]);

impl FromStr for Colour {
    type Err = Error;

    /// `#RRGGBB`, or three numbers from 0 to 1: `1,0.5,0`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || {
            Error::new(format!("{:?} is not a colour", printable(text)))
                .with_note("give it as #RRGGBB, or as three numbers from 0 to 1 such as 1,0.5,0")
        };
        if let Some(digits) = text.strip_prefix('#') {
            let number =
                u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6).ok_or_else(wrong)?;
            let part = |shift: u32| (number >> shift & 0xFF) as f32 / 255.0;
            return Ok(Self([part(16), part(8), part(0)]));
        }
        let parts: Vec<f32> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
        match parts[..] {
            [r, g, b]
                if parts.iter().all(|part| (0.0..=1.0).contains(part)) && text.split(',').count() == 3 =>
            {
                Ok(Self([r, g, b]))
            }
            _ => Err(wrong()),
        }
    }
}

/// What becomes of the colours of parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColourChange {
    /// All of them become this colour.
    Set(Colour),
    /// They are multiplied by this colour, so that differences stay.
    Tint(Colour),
    /// Whether the part shows the colour of the player.
    TeamColour(bool),
}

/// Changes the colours of parts.
///
/// | part | W3D | MDX |
/// |---|---|---|
/// | mesh | diffuse of its materials, with the ambient colour where that is the same; colours of its vertices | the colour of its geoset animation, which is added if there is none, and its keys |
/// | material | the same of one material | refused: materials of MDX have no colour |
/// | emitter | colours over the life of a particle | the three colours of a particle; tint of an effect |
/// | ribbon, light | light: diffuse | colour and its keys |
///
/// Team colour: in MDX the material of a mesh gets a first layer with the texture of the player, and shows it through the alpha of its own
/// texture; without team colour that layer is removed. In W3D the game colours meshes whose names start with `HOUSECOLOR`, so the mesh is
/// renamed; the report has the name.
///
/// ```
/// use meshwright_edit::{ColourChange, recolour};
/// let bytes = w3d::sample::crate_box();
/// let mut file = w3d::W3d::parse(&bytes)?;
/// let red = ColourChange::Set("#ff0000".parse().unwrap());
/// assert_eq!(recolour(&mut file.root, &"mesh:LID".parse().unwrap(), &red).unwrap().changed, 1);
/// # Ok::<(), record::Error>(())
/// ```
pub fn recolour(root: &mut Node<'_>, parts: &Selector, change: &ColourChange) -> Result<Report, Error> {
    let chosen = require(root, parts)?;
    let mut report = match family_of(root)? {
        Family::W3d => w3d::recolour(root, &chosen, change)?,
        Family::Mdx => mdx::recolour(root, &chosen, change)?,
        _ => return Err(Error::new("this family of formats has no colours")),
    };
    if report.changed > 0 {
        report.settle(root);
    }
    Ok(report)
}

impl ColourChange {
    /// The new colour for an old one.
    fn apply(&self, old: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Set(colour) => colour.0,
            Self::Tint(colour) => std::array::from_fn(|part| old[part] * colour.0[part]),
            Self::TeamColour(_) => old,
        }
    }
}
