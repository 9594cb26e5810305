//! How MDL is written.

/// How the text is spelled where the tools disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MdlDialect {
    /// As the game reads it.
    #[default]
    Game,
    /// As the tools of the Hive Workshop (Retera's studio, war3-model) write it.
    Hive,
}

/// How to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How the text is spelled where the tools disagree.
    pub dialect: MdlDialect,
    /// Leaves out the comments that say what MDL cannot.
    pub plain: bool,
}
