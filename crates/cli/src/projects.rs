//! The `meshwright.toml` of the projects that models belong to.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use meshwright::check::{Config, ConfigError};

use crate::guesses::folder_of;
use crate::input::Source;

/// The settings of each folder that has models.
pub(crate) struct Projects {
    of_folders: HashMap<PathBuf, Option<Arc<Config>>>,
}

/// A path with all its folders.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

impl Projects {
    /// Finds the settings of these models. Each `meshwright.toml` is read once.
    pub(crate) fn find(sources: &[Source]) -> Result<Self, ConfigError> {
        let mut of_folders: HashMap<PathBuf, Option<Arc<Config>>> = HashMap::new();
        let mut known: HashMap<PathBuf, Arc<Config>> = HashMap::new();
        for source in sources {
            let folder = folder_of(&source.path);
            if of_folders.contains_key(folder) {
                continue;
            }
            let found = Config::find(&absolute(folder))?;
            let config =
                found.map(|(path, config)| known.entry(path).or_insert_with(|| Arc::new(config)).clone());
            of_folders.insert(folder.to_owned(), config);
        }
        Ok(Self { of_folders })
    }

    /// The settings for a model.
    pub(crate) fn of(&self, source: &Source) -> Option<&Config> {
        self.of_folders.get(folder_of(&source.path))?.as_deref()
    }

    /// Folders of textures that the projects name, each once.
    pub(crate) fn textures(&self) -> Vec<&Path> {
        self.paths(|config| &config.textures)
    }

    /// Installed games that the projects name, each once.
    pub(crate) fn games(&self) -> Vec<&Path> {
        self.paths(|config| &config.game)
    }

    fn paths(&self, of: fn(&Config) -> &Vec<PathBuf>) -> Vec<&Path> {
        let mut paths: Vec<&Path> = Vec::new();
        for path in self.of_folders.values().flatten().flat_map(|config| of(config)) {
            if !paths.contains(&path.as_path()) {
                paths.push(path);
            }
        }
        paths
    }
}
