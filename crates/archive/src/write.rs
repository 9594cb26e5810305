//! Writing new archives, and atomic writing of files.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use crate::{Error, Kind, Result, big, mix, mpq, path};

/// A member of a new archive.
#[derive(Clone, Debug)]
pub struct NewMember {
    /// Its path in the archive.
    pub path: String,
    /// The source of its content.
    pub content: Content,
}

/// The source of a new member's content.
#[derive(Clone, Debug)]
pub enum Content {
    /// Bytes in memory.
    Bytes(Vec<u8>),
    /// A file, read when it is written.
    File(PathBuf),
}

impl Content {
    fn size(&self) -> Result<u64> {
        Ok(match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(path) => fs::metadata(path)?.len(),
        })
    }

    fn read(&self) -> Result<Vec<u8>> {
        Ok(match self {
            Self::Bytes(bytes) => bytes.clone(),
            Self::File(path) => fs::read(path)?,
        })
    }

    fn copy(&self, size: u64, out: &mut dyn Write) -> Result<()> {
        let copied = match self {
            Self::Bytes(bytes) => out.write_all(bytes).map(|()| bytes.len() as u64)?,
            Self::File(path) => io::copy(&mut File::open(path)?, out)?,
        };
        if copied != size {
            return Err(io::Error::other("a file changed while it was being packed").into());
        }
        Ok(())
    }
}

/// Writes a new archive.
///
/// ```
/// use meshwright_archive::{Archive, Content, Kind, NewMember, Source, create};
///
/// let members =
///     [NewMember { path: "art/w3d/tank.w3d".into(), content: Content::Bytes(vec![1, 2, 3]) }];
/// for kind in [Kind::Bigf, Kind::Big4, Kind::Mpq] {
///     let mut out = std::io::Cursor::new(Vec::new());
///     create(kind, &members, &mut out)?;
///     let archive = Archive::open(Source::from_bytes(out.into_inner()))?;
///     let entry = archive.find(r"Art\W3D\Tank.w3d").expect("it was packed");
///     assert_eq!(archive.read(&entry)?, [1, 2, 3]);
/// }
/// # Ok::<(), meshwright_archive::Error>(())
/// ```
pub fn create(kind: Kind, members: &[NewMember], out: &mut (impl Write + Seek)) -> Result<()> {
    let mut keys: Vec<String> = members.iter().map(|member| path::key(&member.path)).collect();
    keys.sort_unstable();
    if let Some(pair) = keys.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Error::unsupported(format!("{} would be in the archive twice", pair[0])));
    }
    let sizes = || {
        let sized = |member: &NewMember| Ok((path::clean(&member.path), member.content.size()?));
        members.iter().map(sized).collect::<Result<Vec<_>>>()
    };
    match kind {
        Kind::Bigf | Kind::Big4 => {
            let sizes = sizes()?;
            out.write_all(&big::table(if kind == Kind::Bigf { *b"BIGF" } else { *b"BIG4" }, &sizes)?)?;
            for (member, (_, size)) in members.iter().zip(sizes) {
                member.content.copy(size, out)?;
            }
        }
        Kind::Mix => {
            let sizes = sizes()?;
            let (header, after) = mix::tables(&sizes)?;
            out.write_all(&header)?;
            for (member, (_, size)) in members.iter().zip(sizes) {
                member.content.copy(size, out)?;
                let padding = size.next_multiple_of(mix::ALIGNMENT) - size;
                out.write_all(&[0; mix::ALIGNMENT as usize][..padding as usize])?;
            }
            out.write_all(&after)?;
        }
        Kind::Mpq => {
            let names: Vec<String> = members.iter().map(|member| path::clean(&member.path)).collect();
            mpq::write::create(out, &names, |index| members[index].content.read())?;
        }
        Kind::Zip => {
            return Err(Error::unsupported("writing ZIP archives is not supported; pack a BIG, MIX or MPQ"));
        }
    }
    Ok(())
}

/// Writes a file under a temporary name in the same folder, then renames it. On an error, no file is left behind, and an
/// existing file stays unchanged.
pub fn save(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
    file::write_with(path, write)
}
