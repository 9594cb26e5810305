//! Search for the files that models refer to, with the options of the command line.

use std::path::{Path, PathBuf};

use meshwright::record::Error;
use meshwright::{Document, Projects, Workspace};

use crate::args::SearchArgs;
use crate::input::{self, Problem, Source};

/// In a quick look, folders with more entries are not listed: only names in their usual spellings are found there.
const QUICK: usize = 500;

impl SearchArgs {
    /// A search for these models, also in the folders of the command line.
    pub(crate) fn workspace(&self, sources: &[Source]) -> Result<Workspace, Problem> {
        let mut workspace = input::workspace();
        let mut last = None;
        for folder in sources.iter().filter_map(|source| source.folder.as_deref()) {
            // Sources of one folder are adjacent.
            if last != Some(folder) {
                workspace.search_mut().add_folder(folder);
                last = Some(folder);
            }
        }
        let projects = projects(sources)?;
        mount(&projects)?;
        let named = self.textures.iter().map(PathBuf::as_path);
        for folder in named.chain(projects.textures()) {
            let folder = input::resolve(folder);
            if !input::is_folder(&folder) {
                return Err(Problem::system(&folder, "cannot search for textures: no such folder", None));
            }
            input::files().folders().allow(&folder);
            workspace.search_mut().add_textures(&folder);
        }
        for path in &self.with {
            let resolved = input::resolve(path);
            if input::is_folder(&resolved) {
                input::files().folders().allow(&resolved);
                workspace.search_mut().add_companions(&resolved);
            } else {
                add_files(&mut workspace, path)?;
            }
        }
        if let Some(game) = input::files().game() {
            workspace.search_mut().add_folder(game.folder());
        }
        Ok(workspace)
    }

    /// The same for single models, in a time that does not depend on how many files are in their folder.
    pub(crate) fn quick_workspace(&self, sources: &[Source]) -> Result<Workspace, Problem> {
        let is_single = |source: &Source| {
            source.folder.is_none() && (input::is_standard(&source.path) || source.path.is_file())
        };
        let projects = projects(sources)?;
        let has_roots = !projects.textures().is_empty() || !projects.games().is_empty();
        let is_quick = sources.iter().all(is_single) && !has_roots && input::files().game().is_none();
        if !is_quick || !self.with.is_empty() || !self.textures.is_empty() {
            return self.workspace(sources);
        }
        Ok(input::quick_workspace(QUICK))
    }
}

fn projects(sources: &[Source]) -> Result<Projects, Problem> {
    Projects::find(sources.iter().map(|source| source.path.as_path())).map_err(|error| {
        let path = error.path.clone().unwrap_or_default();
        Problem::system(&path, error.message, None)
    })
}

/// Mounts the games of the projects, unless the command line mounts one.
fn mount(projects: &Projects) -> Result<(), Problem> {
    let games: Vec<PathBuf> = projects.games().into_iter().map(Path::to_owned).collect();
    match input::files().game() {
        None if !games.is_empty() => input::mount_games(&games),
        _ => Ok(()),
    }
}

/// Adds a file, or every file that a glob matches.
fn add_files(workspace: &mut Workspace, path: &PathBuf) -> Result<(), Problem> {
    let (sources, problems) = input::sources(std::slice::from_ref(path), None);
    if let Some(problem) = problems.into_iter().next() {
        return Err(problem);
    }
    for source in sources {
        let bytes = source.bytes()?;
        match source.parse(&bytes, None)?.document {
            Document::W3d(file) => {
                workspace.search_mut().add_document(&source.path, file.into_owned());
            }
            Document::W3x(file) => workspace.search_mut().add_w3x(&source.path, file.into_owned()),
            _ => {
                let error = Error::new(
                    "CONVERT-WITH",
                    0..0,
                    "--with takes W3D and W3X files only; this is an MDX model",
                );
                return Err(Problem::content(&source.path, error));
            }
        }
    }
    Ok(())
}
