//! Parsed companions, shared by all models of a run, in bounded memory.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use w3d::W3d;

use crate::Files;

/// A document that several models may use.
pub type Shared = Arc<W3d<'static>>;

/// Maximum size of the files that are kept parsed. A document takes about twice its file's size.
const LIMIT: usize = 64 << 20;

/// The memory that a document takes besides its bytes.
const OVERHEAD: usize = 1024;

/// The documents that were used last.
#[derive(Default)]
pub(crate) struct Documents(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    slots: HashMap<PathBuf, Slot>,
    /// When each was used, the oldest first.
    order: BTreeMap<u64, PathBuf>,
    clock: u64,
    bytes: usize,
}

#[derive(Default)]
struct Slot {
    document: Arc<OnceLock<Option<Shared>>>,
    used: u64,
    bytes: usize,
}

impl Documents {
    /// A file's document; `None` if it cannot be read. Threads that ask for the same file wait for the first.
    pub(crate) fn get(&self, files: &dyn Files, path: &Path) -> Option<Shared> {
        let slot = self.lock().touch(path);
        let mut loaded = None;
        let document = slot.get_or_init(|| {
            let bytes = files.read(path).ok();
            loaded = Some(bytes.as_ref().map_or(0, Vec::len));
            Some(Arc::new(W3d::parse(&bytes?).ok()?.into_owned()))
        });
        let document = document.clone();
        if let Some(bytes) = loaded {
            self.lock().weigh(path, bytes + OVERHEAD);
        }
        document
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn touch(&mut self, path: &Path) -> Arc<OnceLock<Option<Shared>>> {
        self.clock += 1;
        let slot = self.slots.entry(path.to_owned()).or_default();
        self.order.remove(&slot.used);
        slot.used = self.clock;
        self.order.insert(self.clock, path.to_owned());
        slot.document.clone()
    }

    fn weigh(&mut self, path: &Path, bytes: usize) {
        if let Some(slot) = self.slots.get_mut(path) {
            slot.bytes = bytes;
            self.bytes += bytes;
        }
        while self.bytes > LIMIT
            && let Some((_, oldest)) = self.order.pop_first()
        {
            self.bytes -= self.slots.remove(&oldest).map_or(0, |slot| slot.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;

    #[test]
    fn the_oldest_documents_go_when_there_are_too_many() {
        let mesh = w3d::sample::large_mesh(200_000);
        let mut files = Memory::default();
        (0..8).for_each(|index| files.add(format!("{index}.w3d"), mesh.clone()));
        let documents = Documents::default();
        let get = |index: usize| documents.get(&files, Path::new(&format!("{index}.w3d"))).expect("a model");
        let first = get(0);
        assert!(Arc::ptr_eq(&first, &get(0)), "it is parsed once");
        (1..8).for_each(|index| drop(get(index)));
        assert!(mesh.len() * 8 > LIMIT, "the test needs more than is kept");
        assert!(documents.lock().bytes <= LIMIT);
        assert!(!Arc::ptr_eq(&first, &get(0)), "it went away");
        assert!(documents.get(&files, Path::new("none.w3d")).is_none());
    }
}
