//! Bytes that are read by range: a file, a buffer, or a part of either.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use crate::{Error, Result};

/// Bytes that are read by range, from any thread: a file, a buffer, or a part of either.
///
/// A file stays on disk; only the ranges that are asked for are read.
#[derive(Clone)]
pub struct Source {
    bytes: Arc<Bytes>,
    start: u64,
    len: u64,
}

enum Bytes {
    File(PositionedFile, file::Stamp),
    Memory(Vec<u8>),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &*self.bytes {
            Bytes::File(..) => "file",
            Bytes::Memory(_) => "memory",
        };
        write!(f, "Source({kind}, {}..{})", self.start, self.start.saturating_add(self.len))
    }
}

impl Source {
    /// Opens a file for reading by range.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        // Checked before opening, because opening a pipe blocks until somebody writes into it.
        let metadata = std::fs::metadata(&path)?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let file = File::open(path)?;
        // Of the file that was opened, which may have been replaced meanwhile.
        let metadata = file.metadata()?;
        let (len, stamp) = (metadata.len(), file::Stamp::from_metadata(&metadata));
        Ok(Self { bytes: Arc::new(Bytes::File(PositionedFile::new(file), stamp)), start: 0, len })
    }

    /// Bytes in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        let len = bytes.len() as u64;
        Self { bytes: Arc::new(Bytes::Memory(bytes)), start: 0, len }
    }

    /// Whether a path still leads to the file that was opened, unchanged.
    pub(crate) fn is_still(&self, path: &Path) -> io::Result<bool> {
        match &*self.bytes {
            Bytes::File(_, stamp) => Ok(file::Stamp::of(path)? == *stamp),
            Bytes::Memory(_) => Ok(true),
        }
    }

    /// Number of bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Part of these bytes; nothing is copied.
    pub fn slice(&self, offset: u64, len: u64) -> Result<Self> {
        self.check(offset, len)?;
        Ok(Self { bytes: self.bytes.clone(), start: self.start + offset, len })
    }

    /// Fails unless the range lies inside the source. Call it before allocating on a size read from a file.
    pub(crate) fn check(&self, offset: u64, len: u64) -> Result<()> {
        match offset.checked_add(len) {
            Some(end) if end <= self.len => Ok(()),
            _ => Err(Error::format(
                offset,
                format!("{len} bytes are needed here, but the archive ends at {}", self.len),
            )),
        }
    }

    /// Fills a buffer from a range.
    pub(crate) fn read_exact(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.check(offset, buffer.len() as u64)?;
        let at = self.start + offset;
        match &*self.bytes {
            Bytes::File(file, _) => file.read_exact_at(buffer, at)?,
            Bytes::Memory(bytes) => {
                let from = usize::try_from(at).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
                (&mut &from[..]).read_exact(buffer)?;
            }
        }
        Ok(())
    }

    /// The bytes of a range, which is checked before memory is allocated.
    pub fn read(&self, offset: u64, len: u64) -> Result<Vec<u8>> {
        self.check(offset, len)?;
        let len = usize::try_from(len).map_err(|_| Error::limit("the member does not fit in memory"))?;
        let mut bytes = vec![0; len];
        self.read_exact(offset, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads up to `most` bytes.
    pub(crate) fn read_up_to(&self, offset: u64, most: u64) -> Result<Vec<u8>> {
        self.read(offset.min(self.len), most.min(self.len.saturating_sub(offset)))
    }

    /// Copies a range without holding it in memory.
    pub(crate) fn copy_to(&self, offset: u64, len: u64, out: &mut dyn Write) -> Result<()> {
        self.check(offset, len)?;
        let mut buffer = vec![0; len.min(1 << 18) as usize];
        let mut done = 0;
        while done < len {
            let part = &mut buffer[..(len - done).min(1 << 18) as usize];
            self.read_exact(offset + done, part)?;
            out.write_all(part)?;
            done += part.len() as u64;
        }
        Ok(())
    }
}

#[cfg(any(unix, windows))]
struct PositionedFile(File);

#[cfg(any(unix, windows))]
impl PositionedFile {
    fn new(file: File) -> Self {
        Self(file)
    }

    #[cfg(unix)]
    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, buffer, at)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(&self.0, buffer, at) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => {
                    buffer = &mut buffer[read..];
                    at += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Systems without positioned reads: one seek and read at a time.
#[cfg(not(any(unix, windows)))]
struct PositionedFile(std::sync::Mutex<File>);

#[cfg(not(any(unix, windows)))]
impl PositionedFile {
    fn new(file: File) -> Self {
        Self(std::sync::Mutex::new(file))
    }

    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        use std::io::Seek;
        let mut file = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(io::SeekFrom::Start(at))?;
        file.read_exact(buffer)
    }
}

/// Reads a table from front to back through a buffer, without trusting any size in it.
pub(crate) struct Cursor<'s> {
    source: &'s Source,
    buffer: Vec<u8>,
    /// The offset of the buffer in the source.
    start: u64,
    /// The next byte in the buffer.
    at: usize,
}

impl<'s> Cursor<'s> {
    const STEP: u64 = 1 << 16;

    pub(crate) fn new(source: &'s Source, offset: u64) -> Self {
        Self { source, buffer: Vec::new(), start: offset, at: 0 }
    }

    /// Position in the source.
    pub(crate) fn offset(&self) -> u64 {
        self.start + self.at as u64
    }

    /// Makes at least one more byte available; fails at the end.
    fn more(&mut self) -> Result<()> {
        let kept = self.buffer.split_off(self.at);
        self.start += self.at as u64;
        self.at = 0;
        self.buffer = kept;
        let from = self.start + self.buffer.len() as u64;
        let next = self.source.read_up_to(from, Self::STEP)?;
        if next.is_empty() {
            return Err(Error::format(from, "the archive ends inside its table of contents"));
        }
        self.buffer.extend(next);
        Ok(())
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        loop {
            if let Some(found) = self.buffer.get(self.at..).and_then(|rest| rest.first_chunk::<N>()) {
                let found = *found;
                self.at += N;
                return Ok(found);
            }
            self.more()?;
        }
    }

    pub(crate) fn u32_le(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Result<Vec<u8>> {
        while self.buffer.len() - self.at < len {
            self.more()?;
        }
        let found = self.buffer[self.at..self.at + len].to_vec();
        self.at += len;
        Ok(found)
    }

    /// The bytes up to a NUL, which is passed; at most `most` of them.
    pub(crate) fn until_nul(&mut self, most: usize) -> Result<Vec<u8>> {
        let mut from = 0;
        loop {
            let rest = &self.buffer[self.at..];
            if let Some(length) = rest[from..].iter().position(|&byte| byte == 0).map(|index| index + from) {
                if length > most {
                    return Err(Error::limit(format!(
                        "a name is {length} bytes long; at most {most} are read"
                    )));
                }
                let found = rest[..length].to_vec();
                self.at += length + 1;
                return Ok(found);
            }
            from = rest.len();
            if from > most {
                return Err(Error::format(self.offset(), format!("a name has no end within {most} bytes")));
            }
            self.more()?;
        }
    }
}
