//! What users of the command line can do about a problem. The libraries name causes; the options are known here.

use meshwright::scene::{Cause, Exceeded, Note};
use meshwright::{archive, edit};

/// The option that helps against a loss.
pub(crate) const fn of_note(note: &Note) -> Option<&'static str> {
    match note.cause {
        Some(Cause::MissingCompanion) => Some("pass its file or folder with --with"),
        Some(Cause::MissingTexture) => {
            Some("--game DIR, --textures DIR or meshwright.toml tell where to search")
        }
        Some(Cause::SuppliedByGame) => Some("--game DIR or meshwright.toml tell where the game is"),
        Some(Cause::SuppliedTexture) => Some("--write-textures writes it"),
        Some(Cause::FixedVisibility) => Some("--material-animation animates it"),
        Some(Cause::OtherFile) => Some("--split auto also writes the other files"),
        Some(Cause::OneBitAlpha) => Some("--dds-format bc3 preserves smooth alpha"),
        _ => None,
    }
}

/// An edit that cannot be made, with the option that helps.
pub(crate) fn of_edit(error: edit::Error) -> edit::Error {
    match error.note.as_deref() {
        Some(edit::CONVERT_INSTEAD) => edit::Error {
            note: Some("`meshwright convert --to-version N` converts the model".to_owned()),
            ..error
        },
        _ => error,
    }
}

/// The option that helps against an error of this code that has no advice of its own.
pub(crate) fn of_code(code: &str) -> Option<&'static str> {
    match code {
        "FILE-FORMAT" => {
            Some("`meshwright help formats` lists the supported formats; --as FORMAT forces a format")
        }
        "MDL-TEXT" => Some("`meshwright convert --force` makes a model of what is understood"),
        "CONVERT-VERSION" => Some("leave out --to-version"),
        _ => None,
    }
}

/// The option that helps with an archive.
pub(crate) const fn of_archive(error: &archive::Error) -> Option<&'static str> {
    match error {
        archive::Error::Encrypted { .. } => Some("pass a list of names with --listfile"),
        _ => None,
    }
}

/// The option that raises a limit.
pub(crate) fn of_limit(exceeded: &Exceeded) -> String {
    format!("use --limit {}=N to raise the limit", exceeded.name)
}
