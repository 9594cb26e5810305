//! Members of archives, and limits for reading them.

use crate::{Error, Result};

/// A member of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path: `/` between folders, in the archive's own case. A member without a name is called `File00000012.xxx`
    /// with its number, and an extension that matches its content if that is known.
    pub path: String,
    /// Size in bytes. For a BIG member that is packed with RefPack, only the packed size is known.
    pub size: u64,
    /// Size in the archive.
    pub packed: u64,
    /// Its offset in the archive.
    pub offset: u64,
    /// Language in an MPQ archive (a Windows language code); 0 for all.
    pub locale: u16,
    /// Whether its name is known.
    pub named: bool,
    pub(crate) id: u32,
}

/// Limits for reading.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest unpacked size of a member.
    pub member: u64,
    /// Largest proportion of the unpacked to the packed size. Deflate cannot exceed 1,032.
    pub ratio: u64,
    /// Most bytes of members to read in search of the names that an archive does not list.
    pub search: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { member: 1 << 30, ratio: 2000, search: 256 << 20 }
    }
}

impl Limits {
    pub(crate) fn check(&self, label: &str, size: u64, packed: u64) -> Result<()> {
        if size > self.member {
            return Err(Error::limit(format!(
                "{label} declares {size} bytes; members of more than {} are not read",
                self.member
            )));
        }
        // Small members may expand without limit.
        if size > 1 << 16 && size / self.ratio > packed {
            return Err(Error::limit(format!(
                "{label} declares {size} bytes in {packed} packed ones, which looks like a decompression bomb"
            )));
        }
        Ok(())
    }
}
