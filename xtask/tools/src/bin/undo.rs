//! Edits every model below a folder in memory and takes it back: `cargo run --bin undo -- FOLDER`.
//!
//! Nothing is written. Each edit may change as many parts as it says and no others, what it made must be read back identically,
//! and the opposite edit must give the original bytes. Otherwise the exit code is 1 and the last line counts it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use edit::{Assignment, Error, Named, Replacement, rename, retexture, set};
use record::Node;

fn main() -> ExitCode {
    let Some(folder) = env::args().nth(1) else {
        eprintln!("usage: undo FOLDER");
        return ExitCode::from(2);
    };
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    let (mut edits, mut faults) = (0, 0);
    for file in &files {
        let Ok(bytes) = fs::read(file) else { continue };
        let Some(root) = read(&bytes) else { continue };
        for edit in edits_of(&root) {
            match edit.fault(&root, &bytes) {
                Ok(()) => edits += 1,
                Err(fault) => {
                    println!("{}: {edit:?}: {fault}", file.strip_prefix(&folder).unwrap_or(file).display());
                    faults += 1;
                }
            }
        }
    }
    println!("{} files, {edits} edits taken back, {faults} faults", files.len());
    ExitCode::from(u8::from(faults > 0))
}

/// An edit that has an opposite.
#[derive(Debug)]
enum Edit {
    /// All textures get a prefix.
    Retexture,
    Rename(Named, String),
    /// Field, old and new value.
    Set(&'static str, String, &'static str),
}

impl Edit {
    fn apply(&self, root: &mut Node<'_>, back: bool) -> Result<usize, Error> {
        match self {
            Self::Retexture => {
                let (old, new) = if back { ("^mw_(.*)$", "$1") } else { ("^(.*)$", "mw_$1") };
                retexture(root, &Replacement::regex(old, new)?, false)
            }
            Self::Rename(what, old) => {
                // As long as the old one: a longer one takes the place of what stands behind the end of the old.
                let new = "~".repeat(old.len());
                if back { rename(root, *what, &new, old) } else { rename(root, *what, old, &new) }
            }
            Self::Set(path, old, new) => {
                let value = if back { old.clone() } else { (*new).to_owned() };
                set(root, &Assignment { path: (*path).to_owned(), value })
            }
        }
    }

    fn fault(&self, before: &Node<'_>, bytes: &[u8]) -> Result<(), String> {
        let say = |error: Error| error.to_string();
        let mut after = before.clone();
        let said = self.apply(&mut after, false).map_err(say)?;
        let changed = changed(before, &after).ok_or("parts were added or removed")?;
        if changed > said || (changed == 0) != (said == 0) {
            return Err(format!("{said} changes were said, and {changed} parts have changed"));
        }
        let written = after.to_bytes().map_err(|error| error.to_string())?;
        let again = read(&written).ok_or("the result is no model")?;
        if again.to_bytes().ok().as_deref() != Some(&written) {
            return Err("the result is not read back identically".to_owned());
        }
        self.apply(&mut after, true).map_err(say)?;
        if after.to_bytes().ok().as_deref() == Some(bytes) {
            Ok(())
        } else {
            Err("taken back it is not what it was".to_owned())
        }
    }
}

/// The edits that a model has something for.
fn edits_of(root: &Node<'_>) -> Vec<Edit> {
    let mut edits = vec![Edit::Retexture];
    let mut mesh = None;
    let mut bone = None;
    let mut walk = vec![root];
    while let Some(node) = walk.pop() {
        let label = || node.label().filter(|label| !label.is_empty());
        match node.kind.name {
            "MESH" => mesh = mesh.or_else(label),
            "Bone" => bone = bone.or_else(label),
            _ => {}
        }
        walk.extend(node.children().iter().rev());
    }
    if let Some((_, name)) =
        mesh.as_deref().and_then(|mesh| mesh.split_once('.')).filter(|(_, name)| !name.is_empty())
    {
        edits.push(Edit::Rename(Named::Mesh, name.to_owned()));
    }
    edits.extend(bone.map(|bone| Edit::Rename(Named::Bone, bone)));
    let header = root.child(&w3d::table::MESH).and_then(|mesh| mesh.child(&w3d::table::MESH_HEADER3));
    if let Some(header) = header.and_then(|header| header.value::<w3d::records::MeshHeader3>()) {
        let old = header.sort_level.get().to_string();
        edits.push(Edit::Set("MESH[0]/MESH_HEADER3/sort_level", old, "-77"));
    }
    if let Some(model) = root.child(&mdx::kinds::MODL).and_then(|model| model.value::<mdx::records::Model>())
    {
        edits.push(Edit::Set("MODL/blend_time", model.blend_time.get().to_string(), "77123"));
    }
    edits
}

/// How many leaves have other bytes, if they are the same otherwise.
fn changed(a: &Node<'_>, b: &Node<'_>) -> Option<usize> {
    let (inner, other) = (a.children(), b.children());
    if inner.len() != other.len() || a.id != b.id {
        return None;
    }
    let here = usize::from(a.bytes() != b.bytes());
    inner.iter().zip(other).try_fold(here, |sum, (a, b)| Some(sum + changed(a, b)?))
}

fn read(bytes: &[u8]) -> Option<Node<'_>> {
    if bytes.starts_with(b"MDLX") {
        return mdx::Document::parse(bytes).ok().map(|document| document.root);
    }
    w3d::W3d::parse(bytes).ok().map(|file| file.root)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
