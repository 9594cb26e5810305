//! Files that a conversion writes beside the one that the user named: clips, skeletons, textures, buffers.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use meshwright::Written;

use crate::input::{self, Problem};
use crate::output::{self, Identity};

use super::Task;

/// Makes sure that these files replace no input, and no file of another conversion of the same run.
pub(super) struct Beside<'t> {
    tasks: &'t [Task],
    force: bool,
    /// The inputs of all tasks. Most runs do not need them.
    inputs: OnceLock<HashSet<Identity>>,
    /// By path without case, because some file systems ignore it.
    claims: Mutex<HashMap<Vec<u8>, Claim>>,
}

/// A file of this run.
struct Claim {
    /// The name of its source.
    source: String,
    /// The hash of its content; `None` if it is the file that the user named.
    content: Option<u64>,
}

impl<'t> Beside<'t> {
    pub(super) fn new(tasks: &'t [Task], force: bool) -> Self {
        let main = |task: &Task| {
            let claim = Claim { source: task.from.name(), content: None };
            Some((input::folded(task.file()?), claim))
        };
        let claims = Mutex::new(tasks.iter().filter_map(main).collect());
        Self { tasks, force, inputs: OnceLock::new(), claims }
    }

    /// Claims the files of a conversion before any of them is written. The error says which must not be.
    pub(super) fn claim(&self, task: &Task, written: &Written) -> Result<(), Problem> {
        let others = written.others.iter().map(|(name, bytes)| (name, bytes));
        let renamed = written.renamed.iter().map(|name| (name, &written.bytes));
        for (name, bytes) in others.chain(renamed) {
            let to = task.to.with_file_name(name);
            self.spare_input(&to, &written.read)?;
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            let claim = Claim { source: task.from.name(), content: Some(hasher.finish()) };
            self.claim_one(&to, claim, written.renamed.is_some())?;
        }
        Ok(())
    }

    fn spare_input(&self, to: &Path, read: &[PathBuf]) -> Result<(), Problem> {
        let Some(found) = output::identity(to).filter(|_| !self.force) else { return Ok(()) };
        let identities = || self.tasks.iter().filter_map(|task| output::identity(&task.from.path)).collect();
        let is_input = self.inputs.get_or_init(identities).contains(&found)
            || read.iter().any(|path| output::identity(path).as_ref() == Some(&found));
        match is_input {
            true => Err(Problem::system(
                to,
                "not written: it is an input file",
                Some("choose another folder, or give --force to overwrite it"),
            )),
            false => Ok(()),
        }
    }

    /// `is_renamed`: the file that the user named is written under another name, so its own name is free.
    fn claim_one(&self, to: &Path, claim: Claim, is_renamed: bool) -> Result<(), Problem> {
        let mut claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        let key = input::folded(to);
        if let Some(other) = claims.get(&key) {
            let is_own_name = is_renamed && other.content.is_none() && other.source == claim.source;
            let is_equal = other.content.is_some() && other.content == claim.content;
            if !is_own_name && !is_equal {
                let message = format!("not written: it could overwrite the output of {}", other.source);
                return Err(Problem::system(to, message, Some("convert the files into different folders")));
            }
        }
        claims.insert(key, claim);
        Ok(())
    }
}
