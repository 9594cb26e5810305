//! MDL.
mod keep;
mod lexer;
mod number;
mod read;
mod render;
mod words;
mod write;

use record::{Diagnostic, Error};

use crate::{Dialect, Document};

pub use render::render;

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

/// Writes a model as text.
pub fn write(document: &Document<'_>, options: &Options) -> Result<Vec<u8>, Error> {
    if document.dialect == Dialect::Wow {
        return Err(Error::new("MDL-DIALECT", 0..0, "MDL is the text of Warcraft III; a model of the WoW alpha cannot be said in it")
            .with_note("write it as JSON, which says everything"));
    }
    let mut written = write::text(document, options.dialect);
    if !options.plain {
        keep::append(document, &mut written)?;
    }
    Ok(written.text)
}

/// Reads a model from text.
pub fn parse(text: &[u8]) -> (Option<Document<'static>>, Vec<Diagnostic>) {
    let (document, mut found) = read::document(text);
    let document = document.map(|plain| keep::restore(text, &plain, &mut found).unwrap_or(plain));
    (document, found)
}
