//! How MDL is written.

/// Which readers the text is for, where they disagree. All of them are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MdlDialect {
    /// As the game reads it.
    #[default]
    Game,
    /// As both war3-model and mdx-m3-viewer read it. Words that one of them stops at are left to the comments.
    Hive,
    /// As [`Hive`](Self::Hive), but with the rows of `SkinWeights` in braces: war3-model reads no others, and no other tool reads these.
    War3Model,
}

impl MdlDialect {
    /// Whether the text is for the JavaScript readers rather than for the game.
    pub(super) const fn is_hive(self) -> bool {
        matches!(self, Self::Hive | Self::War3Model)
    }
}

/// How to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Which readers the text is for.
    pub dialect: MdlDialect,
    /// Leaves out the comments that say what MDL cannot.
    pub plain: bool,
}
