use std::ops::Range;

/// Why a texture could not be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes start like none of the known formats.
    #[error("not a BLP, DDS, TGA, PNG or JPEG texture")]
    Unrecognised,
    /// The file ends before something its header promises.
    #[error("{what} needs bytes {}..{} but the file has {len}", .span.start, .span.end)]
    Truncated {
        /// The missing data.
        what: &'static str,
        /// Its offset in the file (in the external file, for a BLP0 level).
        span: Range<u64>,
        /// The length of that file.
        len: u64,
    },
    /// The picture is empty or larger than the [`Limits`] allow.
    #[error("{width} x {height} pixels: empty or beyond the limits")]
    Size {
        /// Pixels per row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A header field has an invalid value.
    #[error("{0}")]
    Malformed(String),
    /// The file is in a variant of its format that is not read here.
    #[error("{0} is not supported")]
    Unsupported(String),
    /// The level has no entry in the mip table of a BLP, or no external file in the case of a BLP0.
    #[error("mip level {0} is missing")]
    MissingLevel(usize),
    /// A codec refused the data.
    #[error("{codec}: {message}")]
    Codec {
        /// The inner format: `JPEG` or `PNG`.
        codec: &'static str,
        /// The message of the codec.
        message: String,
    },
    /// The pictures given to an encoder do not form a mip chain: none at all, or a level that is not half its
    /// predecessor.
    #[error("mip level {level} does not continue the chain")]
    Chain {
        /// The first level that does not fit.
        level: usize,
    },
}

impl Error {
    pub(crate) fn codec(codec: &'static str, cause: impl ToString) -> Error {
        Error::Codec { codec, message: cause.to_string() }
    }
}

/// Limits of memory allocation, which are checked in advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest side of a level.
    pub max_side: u32,
    /// Pixels of all levels of one texture together; a pixel takes four bytes.
    pub max_pixels: u64,
}

impl Default for Limits {
    /// 16,384 pixels a side and 2<sup>27</sup> pixels (512 MiB) in all.
    fn default() -> Self {
        Limits { max_side: 16_384, max_pixels: 1 << 27 }
    }
}

/// The [`Limits`] of one decoding, counted down level by level.
#[derive(Debug)]
pub(crate) struct Budget {
    max_side: u32,
    pixels_left: u64,
}

impl Budget {
    pub(crate) fn new(limits: Limits) -> Budget {
        Budget { max_side: limits.max_side, pixels_left: limits.max_pixels }
    }

    /// Takes a level from the budget and returns its number of pixels; four times that fits in memory.
    pub(crate) fn take(&mut self, width: u32, height: u32) -> Result<usize, Error> {
        let pixels = u64::from(width) * u64::from(height);
        let addressable = pixels <= isize::MAX as u64 / 4;
        match self.pixels_left.checked_sub(pixels) {
            Some(left) if pixels > 0 && addressable && width.max(height) <= self.max_side => {
                self.pixels_left = left;
                Ok(pixels as usize)
            }
            _ => Err(Error::Size { width, height }),
        }
    }
}

/// The `len` bytes from `start` on, or an error that names the missing data.
pub(crate) fn slice<'a>(
    bytes: &'a [u8],
    start: u64,
    len: u64,
    what: &'static str,
) -> Result<&'a [u8], Error> {
    let end = start.saturating_add(len);
    let within = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    within.and_then(|(start, end)| bytes.get(start..end)).ok_or(Error::Truncated {
        what,
        span: start..end,
        len: bytes.len() as u64,
    })
}
