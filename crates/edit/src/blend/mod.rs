//! How surfaces are drawn over what is behind them.

mod mdx;
mod w3d;

use std::str::FromStr;

use record::{Node, printable};

use crate::report::Report;
use crate::select::{Selector, require};
use crate::{Error, Family, family_of};

/// A way of blending, by its everyday name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blend {
    /// Nothing shines through.
    Opaque,
    /// Each pixel is drawn or not, by its alpha.
    Masked,
    /// Mixed with what is behind, by its alpha.
    Alpha,
    /// Added to what is behind: light.
    Additive,
    /// Multiplied with what is behind: stained glass, shadows.
    Modulate,
}

const WORDS: [(&str, Blend); 10] = [
    ("opaque", Blend::Opaque),
    ("none", Blend::Opaque),
    ("masked", Blend::Masked),
    ("transparent", Blend::Masked),
    ("alpha", Blend::Alpha),
    ("blend", Blend::Alpha),
    ("additive", Blend::Additive),
    ("add", Blend::Additive),
    ("modulate", Blend::Modulate),
    ("multiply", Blend::Modulate),
];

impl Blend {
    /// Its everyday name.
    pub fn word(self) -> &'static str {
        WORDS.iter().find(|(_, blend)| *blend == self).map_or("opaque", |(word, _)| word)
    }
}

impl FromStr for Blend {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
        found.map(|(_, blend)| *blend).ok_or_else(|| {
            let error = Error::new(format!("unknown way of blending {:?}", printable(text)));
            match record::nearest(WORDS.iter().map(|(word, _)| *word), text) {
                Some(word) => error.with_note(format!("did you mean {word}?")),
                None => error.with_note("opaque, masked, alpha, additive or modulate"),
            }
        })
    }
}

/// Which surfaces to blend, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blending {
    /// Materials, meshes, emitters or ribbons.
    pub parts: Selector,
    /// How they are blended.
    pub blend: Blend,
    /// The layer of an MDX material, or the pass of a W3D mesh; the first one lies on what is behind the model.
    pub layer: usize,
}

/// Sets how parts are blended with what is behind them.
///
/// | | W3D shader: source, destination, depth, alpha test | MDX layer | MDX particles |
/// |---|---|---|---|
/// | opaque | one, zero, written, off | None | - |
/// | masked | one, zero, written, on | Transparent | AlphaKey |
/// | alpha | alpha, one minus alpha, not written, off | Blend | Blend |
/// | additive | one, one, not written, off | Additive | Additive |
/// | modulate | zero, colour, not written, off | Modulate | Modulate |
///
/// By part, only that part changes: a material of MDX that others share is copied. Shader materials of BFME II have properties for it; those
/// whose shader lacks the property are refused.
///
/// ```
/// use meshwright_edit::{Blend, Blending, blend};
/// let bytes = w3d::sample::crate_box();
/// let mut file = w3d::W3d::parse(&bytes)?;
/// let glow = Blending { parts: "mesh:LID".parse().unwrap(), blend: Blend::Additive, layer: 0 };
/// assert_eq!(blend(&mut file.root, &glow).unwrap().changed, 1);
/// # Ok::<(), record::Error>(())
/// ```
pub fn blend(root: &mut Node<'_>, blending: &Blending) -> Result<Report, Error> {
    let chosen = require(root, &blending.parts)?;
    let mut report = match family_of(root)? {
        Family::W3d => w3d::blend(root, &chosen, blending)?,
        Family::Mdx => mdx::blend(root, &chosen, blending)?,
        _ => return Err(Error::new("this family of formats has no blending")),
    };
    if report.changed > 0 {
        report.settle(root);
    }
    Ok(report)
}
