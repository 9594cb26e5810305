//! What the viewer needs of its surroundings: dialogs, saved files, the address of the page.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Something to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Files, folders and archives on disk.
    Paths(Vec<PathBuf>),
    /// Files held in memory: their names or relative paths, and their bytes.
    Files(Vec<(String, Vec<u8>)>),
    /// A sentence about files that could not be read.
    Failed(String),
}

/// Requests from dialogs, from other threads and from the page, to be handled in the next frame.
#[derive(Clone, Default)]
pub struct Inbox(Arc<Mutex<Vec<(Request, bool)>>>);

impl Inbox {
    /// Adds a request. `beside` opens it beside the model that is shown.
    pub fn send(&self, request: Request, beside: bool) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((request, beside));
    }

    pub(crate) fn take(&self) -> Vec<(Request, bool)> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a dialog asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// One or several files.
    Files,
    /// A folder.
    Folder,
}

/// The surroundings of the viewer.
pub trait Host {
    /// Asks the user for something to open. The answer comes through the inbox, later.
    fn pick(&mut self, what: Pick, inbox: &Inbox, beside: bool, context: &egui::Context);

    /// Saves a file: asks where if `ask` is set, otherwise where such files usually go. Returns a sentence about what happened; `None`
    /// if the user cancelled.
    ///
    /// # Errors
    /// Why it could not be saved.
    fn save(&mut self, name: &str, bytes: Vec<u8>, ask: bool) -> Result<Option<String>, String>;

    /// Files that were dropped on the window.
    fn dropped(
        &mut self,
        files: Vec<egui::DroppedFileHandle>,
        inbox: &Inbox,
        beside: bool,
        context: &egui::Context,
    );

    /// The state has changed. A page puts it into its address.
    fn remember(&mut self, query: &str) {
        let _ = query;
    }
}

/// A desktop with a file system.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug, Default)]
pub struct Desktop;

#[cfg(not(target_arch = "wasm32"))]
mod desktop {
    use super::{Desktop, Host, Inbox, Pick, Request};
    use std::path::{Path, PathBuf};

    const MODELS: [&str; 10] = ["w3d", "mdx", "mdl", "glb", "gltf", "json", "big", "mix", "mpq", "zip"];

    impl Host for Desktop {
        fn pick(&mut self, what: Pick, inbox: &Inbox, beside: bool, context: &egui::Context) {
            let (inbox, context) = (inbox.clone(), context.clone());
            let ask = move || {
                let dialog = rfd::FileDialog::new();
                let picked = match what {
                    Pick::Files => dialog.add_filter("Models and archives", &MODELS).pick_files(),
                    Pick::Folder => dialog.pick_folder().map(|folder| vec![folder]),
                };
                if let Some(paths) = picked {
                    inbox.send(Request::Paths(paths), beside);
                    context.request_repaint();
                }
            };
            // macOS shows dialogs on the main thread only; elsewhere the window stays alive meanwhile.
            if cfg!(target_os = "macos") || std::thread::Builder::new().spawn(ask.clone()).is_err() {
                ask();
            }
        }

        fn save(&mut self, name: &str, bytes: Vec<u8>, ask: bool) -> Result<Option<String>, String> {
            let path = if ask {
                match rfd::FileDialog::new().set_file_name(name).save_file() {
                    Some(path) => path,
                    None => return Ok(None),
                }
            } else {
                free_name(&pictures_folder(), name)
            };
            std::fs::write(&path, bytes)
                .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
            Ok(Some(format!("Saved {}", path.display())))
        }

        fn dropped(
            &mut self,
            files: Vec<egui::DroppedFileHandle>,
            inbox: &Inbox,
            beside: bool,
            _: &egui::Context,
        ) {
            let paths: Vec<PathBuf> = files.iter().map(|file| file.path().to_owned()).collect();
            inbox.send(Request::Paths(paths), beside);
        }
    }

    /// The user's folder of pictures, or the working folder.
    fn pictures_folder() -> PathBuf {
        let home = std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
        let pictures = home.map(|home| PathBuf::from(home).join("Pictures"));
        pictures.filter(|folder| folder.is_dir()).unwrap_or_else(|| PathBuf::from("."))
    }

    /// A name in a folder that no file has yet.
    fn free_name(folder: &Path, name: &str) -> PathBuf {
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let numbered = |number: u32| folder.join(format!("{stem}-{number}.{extension}"));
        let mut names = std::iter::once(folder.join(name)).chain((2..10_000).map(numbered));
        names.find(|path| !path.exists()).unwrap_or_else(|| folder.join(name))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_picture_never_replaces_another() {
            let folder = tempfile::tempdir().expect("a temporary folder");
            assert_eq!(free_name(folder.path(), "tank.png"), folder.path().join("tank.png"));
            std::fs::write(folder.path().join("tank.png"), b"").expect("a temporary file");
            assert_eq!(free_name(folder.path(), "tank.png"), folder.path().join("tank-2.png"));
        }
    }
}
