//! Runs of zeros, in archives of later games.

use crate::{Error, Result};

/// Unpacks at most `most` bytes. The size comes first, big-endian.
pub(crate) fn unpack(bytes: &[u8], most: usize) -> Result<Vec<u8>> {
    let bad = || Error::format(0, "malformed sparse data");
    let (size, mut rest) = bytes.split_first_chunk::<4>().ok_or_else(bad)?;
    let size = u32::from_be_bytes(*size) as usize;
    if size > most {
        return Err(bad());
    }
    let mut out = Vec::with_capacity(size.min(bytes.len().saturating_mul(64)));
    while out.len() < size {
        let (&control, after) = rest.split_first().ok_or_else(bad)?;
        let left = size - out.len();
        let length = usize::from(control & 0x7F);
        if control & 0x80 != 0 {
            let length = (length + 1).min(left);
            out.extend_from_slice(after.get(..length).ok_or_else(bad)?);
            rest = &after[length..];
        } else {
            out.resize(out.len() + (length + 3).min(left), 0);
            rest = after;
        }
    }
    Ok(out)
}
