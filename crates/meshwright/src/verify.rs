//! Reads a file, writes it back, and compares the bytes.

use std::borrow::Cow;
use std::fmt;

use model::{Document, Format, Keeps};

use crate::Result;

/// The first difference between the bytes of a file that were read and those that were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What was written: `rewritten`, `reread`, `JSON`, `MDL`.
    pub way: &'static str,
    /// The offset.
    pub at: usize,
    /// The sizes before and after.
    pub sizes: (usize, usize),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = self.sizes;
        write!(f, "{} file differs at byte {} ({before} bytes before, {after} after)", self.way, self.at)
    }
}

/// The first difference between a file and its document written back; with `text`, also by way of its text forms. Formats that keep values, not
/// bytes, are compared by what is read again.
///
/// ```
/// use meshwright::{Format, verify};
/// let bytes = w3d::sample::crate_box();
/// let parsed = Format::detect(&bytes, None)?.read(&bytes)?;
/// assert_eq!(verify(parsed.format, &parsed.document, &bytes, true)?, None);
/// # Ok::<(), meshwright::Error>(())
/// ```
pub fn verify(
    format: &'static Format,
    document: &Document<'_>,
    bytes: &[u8],
    text: bool,
) -> Result<Option<Difference>> {
    let written = format.write(document)?;
    let difference = match format.keeps {
        Keeps::Bytes => first_difference("rewritten", bytes, &written),
        Keeps::Values | Keeps::Looks => {
            first_difference("reread", &document.to_bytes()?, &format.read(&written)?.document.to_bytes()?)
        }
    };
    drop(written);
    if difference.is_some() || !text {
        return Ok(difference);
    }
    let before = match format.keeps {
        Keeps::Bytes => Cow::Borrowed(bytes),
        Keeps::Values | Keeps::Looks => document.to_bytes()?.into(),
    };
    let ways = [("json", "JSON", true), ("mdl", "MDL", document.has_mdl())];
    for (name, way, possible) in ways {
        if let Some(text) = Format::named(name).filter(|_| possible) {
            let again = text.read(&text.write(document)?)?.document.to_bytes()?;
            if let Some(difference) = first_difference(way, &before, &again) {
                return Ok(Some(difference));
            }
        }
    }
    Ok(None)
}

fn first_difference(way: &'static str, before: &[u8], after: &[u8]) -> Option<Difference> {
    if before == after {
        return None;
    }
    let at = before.iter().zip(after).take_while(|(left, right)| left == right).count();
    Some(Difference { way, at, sizes: (before.len(), after.len()) })
}
