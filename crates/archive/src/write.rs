//! Writing new archives, and files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

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
    /// A file, read when its turn comes.
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
            mpq::write::create(out, &names, |at| members[at].content.read())?;
        }
        Kind::Zip => {
            return Err(Error::unsupported("writing ZIP archives is not supported; pack a BIG, MIX or MPQ"));
        }
    }
    Ok(())
}

/// Writes a file under a temporary name in the same folder, then renames it. On an error nothing is left, and a file that was
/// there before stays as it was.
pub fn save(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    // A link stays a link: what it leads to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name =
        target.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?.to_string_lossy();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let temporary = target.with_file_name(format!(".{name}.{}-{number}.part", std::process::id()));
    let written = write_new(&temporary, &target, write);
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Gives a new file the owner and the mode of the file that it replaces, as far as this is allowed.
///
/// The new content is not what somebody once trusted to run as its owner, so the bits for that (set-user-ID and set-group-ID) are dropped.
pub fn keep_access(file: &File, before: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (before.uid(), before.gid()) {
            // Only a privileged process may give files away. The group can be kept by its members.
            let _ = fchown(file, Some(before.uid()), Some(before.gid()))
                .or_else(|_| fchown(file, None, Some(before.gid())));
        }
        let mode = before.mode() & 0o777;
        if own.mode() & 0o7777 != mode {
            file.set_permissions(fs::Permissions::from_mode(mode))?;
        }
        Ok(())
    }
    #[cfg(not(unix))]
    {
        file.set_permissions(before.permissions())
    }
}

fn write_new(
    temporary: &Path,
    target: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
) -> Result<()> {
    let mut out = BufWriter::with_capacity(1 << 18, File::create_new(temporary)?);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Ok(before) = fs::metadata(target) {
        keep_access(&file, &before)?;
    }
    drop(file);
    Ok(fs::rename(temporary, target)?)
}
