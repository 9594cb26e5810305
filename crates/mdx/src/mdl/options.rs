//! Options for writing MDL.

/// The readers that the text is for, if they disagree. All dialects are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MdlDialect {
    /// As the game reads it.
    #[default]
    Game,
    /// As both war3-model and mdx-m3-viewer read it. Words that make one of them fail are written in comments.
    Hive,
    /// As [`Hive`](Self::Hive), but with the rows of `SkinWeights` in braces, which only war3-model reads and requires.
    War3Model,
}

impl MdlDialect {
    /// Whether the text is for the JavaScript readers rather than for the game.
    pub(super) const fn is_hive(self) -> bool {
        matches!(self, Self::Hive | Self::War3Model)
    }
}

/// Options for writing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The readers that the text is for.
    pub dialect: MdlDialect,
    /// Omits the comments that preserve data MDL cannot express.
    pub plain: bool,
}
