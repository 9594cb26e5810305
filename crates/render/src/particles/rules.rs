//! Behaviour on which sources disagree, or that only one source describes.

/// Behaviour on which sources disagree. The defaults are those of most sources, or of those nearest to the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// A factor of Warcraft III's emission rates: the game's "High" particle setting seems to be 2.
    pub emission_factor: f32,
    /// When squirting emitters of Warcraft III emit.
    pub squirt: Squirt,
    /// Whether the last cell of a range is shown. Otherwise it is the first cell that is not shown.
    pub end_cell_inclusive: bool,
    /// Whether World of Warcraft's emitters have their length along X and their width along Y. Warcraft III's have them
    /// the other way round.
    pub wow_length_along_x: bool,
    /// Whether line emitters spread their particles in the plane of Warcraft III's Y and Z axes instead of X and Z.
    pub line_along_y: bool,
    /// Whether the sprites of Warcraft III scale with their node. Those of World of Warcraft have a flag for it.
    pub sprites_grow_with_node: bool,
    /// Texture mapping along a ribbon.
    pub ribbon_u: RibbonU,
    /// Whether the segments of a ribbon keep the colour and opacity that the ribbon had at their birth.
    pub ribbon_color_at_birth: bool,
    /// Whether objects that need other files are shown as glows: the particles of some emitters, and events for a fifth
    /// of a second.
    pub markers: bool,
    /// Half the size of these glows, and of the sprites of Warcraft III's ParticleEmitter, in units.
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

/// When squirting emitters emit. They emit as many particles as the emission rate says, all at once.
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

/// Texture mapping along a ribbon: from the left of its cell at the node to the right at the oldest segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RibbonU {
    /// By the age of a segment as a fraction of its life.
    #[default]
    Age,
    /// By the number of the segment, evenly.
    Index,
}
