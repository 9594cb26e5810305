//! Behaviour on which sources disagree, or that only one source describes.

/// Behaviour on which sources disagree. The defaults are what most sources, or those nearest to the engine, have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// A factor of Warcraft III's emission rates: the game's "High" particle setting seems to be 2.
    pub emission_factor: f32,
    /// When Warcraft III's squirting emitters squirt.
    pub squirt: Squirt,
    /// The last cell of a range is shown; otherwise it is the first that is not.
    pub end_cell_inclusive: bool,
    /// World of Warcraft's emitters have their length along X and their width along Y, Warcraft III's the other way round.
    pub wow_length_along_x: bool,
    /// Line emitters spread their particles in the plane of Warcraft III's Y and Z axes instead of X and Z.
    pub line_along_y: bool,
    /// The sprites of Warcraft III grow with the node that they come from. Those of World of Warcraft have a flag for it.
    pub sprites_grow_with_node: bool,
    /// How a texture lies along a ribbon.
    pub ribbon_u: RibbonU,
    /// The stretches of a ribbon keep the colour and opacity that the ribbon had when they were born.
    pub ribbon_color_at_birth: bool,
    /// What needs other files to be drawn shows a glow where it is: the particles of some emitters, and events for a fifth of a second.
    pub markers: bool,
    /// Half the size of those glows, and of the sprites of Warcraft III's first emitters, in units.
    pub marker_size: f32,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            emission_factor: 1.0,
            squirt: Squirt::Keys,
            end_cell_inclusive: true,
            wow_length_along_x: true,
            line_along_y: false,
            sprites_grow_with_node: false,
            ribbon_u: RibbonU::Age,
            ribbon_color_at_birth: false,
            markers: false,
            marker_size: 4.0,
        }
    }
}

/// When squirting emitters squirt: as many particles as the emission rate says, all at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Squirt {
    /// At each key of the emission rate. Without keys, whenever the clip starts or starts again.
    #[default]
    Keys,
    /// Whenever the clip starts or starts again.
    Loops,
    /// When the clip starts, once.
    Start,
}

/// How a texture lies along a ribbon: from the left of its cell at the node to the right at the oldest stretch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RibbonU {
    /// By the age of a stretch as a share of its life.
    #[default]
    Age,
    /// By the number of the stretch, evenly.
    Index,
}
