//! The settings of the projects that models belong to, and of a run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use check::{Baseline, Config, ConfigError, Levels};
use model::Game;

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A path with all its folders.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The `meshwright.toml` of each folder that has models.
#[derive(Clone, Debug, Default)]
pub struct Projects {
    of_folders: HashMap<PathBuf, Option<Arc<Config>>>,
}

impl Projects {
    /// Finds the settings of these models. Each `meshwright.toml` is read once.
    pub fn find<'p>(models: impl IntoIterator<Item = &'p Path>) -> Result<Self, ConfigError> {
        let mut of_folders: HashMap<PathBuf, Option<Arc<Config>>> = HashMap::new();
        let mut known: HashMap<PathBuf, Arc<Config>> = HashMap::new();
        for model in models {
            let folder = folder_of(model);
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
    pub fn of(&self, model: &Path) -> Option<&Config> {
        self.of_folders.get(folder_of(model))?.as_deref()
    }

    /// Folders of textures that the projects name, each once.
    pub fn textures(&self) -> Vec<&Path> {
        self.paths(|config| &config.textures)
    }

    /// Installed games that the projects name, each once.
    pub fn games(&self) -> Vec<&Path> {
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

/// Settings of a run, which come before those of projects.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The game.
    pub profile: Option<Game>,
    /// Levels of rules.
    pub levels: Levels,
    /// The list of known findings.
    pub baseline: Option<PathBuf>,
    /// Read no list of known findings, because a new one is written.
    pub ignore_baselines: bool,
}

/// The settings of checks: those of a run, and those of the projects.
#[derive(Debug)]
pub struct Settings {
    given: Given,
    projects: Projects,
    of_folders: HashMap<PathBuf, OfFolder>,
}

#[derive(Debug)]
struct OfFolder {
    levels: Levels,
    baseline: Option<Arc<Baseline>>,
}

impl Settings {
    /// The settings for these models.
    pub fn find<'p>(
        given: Given,
        models: impl IntoIterator<Item = &'p Path> + Clone,
    ) -> Result<Self, ConfigError> {
        let projects = Projects::find(models.clone())?;
        let mut settings = Self { given, projects, of_folders: HashMap::new() };
        let mut baselines = HashMap::new();
        for model in models {
            let folder = folder_of(model);
            if settings.of_folders.contains_key(folder) {
                continue;
            }
            let config = settings.projects.of(model);
            let mut levels = config.map(|config| config.levels.clone()).unwrap_or_default();
            levels.extend(&settings.given.levels);
            let baseline = match settings.baseline_path(model).filter(|_| !settings.given.ignore_baselines) {
                Some(path) => Some(load(path, &mut baselines)?),
                None => None,
            };
            settings.of_folders.insert(folder.to_owned(), OfFolder { levels, baseline });
        }
        Ok(settings)
    }

    /// The projects.
    pub const fn projects(&self) -> &Projects {
        &self.projects
    }

    /// The game of a model, if it is set.
    pub fn profile(&self, model: &Path) -> Option<Game> {
        self.given.profile.or_else(|| self.projects.of(model)?.profile)
    }

    /// The levels of rules for a model.
    pub fn levels(&self, model: &Path) -> &Levels {
        self.of_folders.get(folder_of(model)).map_or(&self.given.levels, |folder| &folder.levels)
    }

    /// The findings that the project of a model knows.
    pub fn baseline(&self, model: &Path) -> Option<&Baseline> {
        self.of_folders.get(folder_of(model))?.baseline.as_deref()
    }

    /// The list of known findings for a model: as given, as its project says, or the nearest above it.
    pub fn baseline_path(&self, model: &Path) -> Option<PathBuf> {
        let given = self.given.baseline.as_ref().map(|path| absolute(path));
        let config = || self.projects.of(model).and_then(|config| config.baseline.clone());
        let found = || config().or_else(|| Baseline::find(&absolute(folder_of(model))));
        // A link that was found, not named, could lead anywhere.
        given.or_else(|| found().filter(|path| !path.is_symlink()))
    }
}

fn load(path: PathBuf, known: &mut HashMap<PathBuf, Arc<Baseline>>) -> Result<Arc<Baseline>, ConfigError> {
    if let Some(list) = known.get(&path) {
        return Ok(list.clone());
    }
    let list = Baseline::load(&path).map_err(|error| ConfigError {
        path: None,
        message: format!("cannot read the baseline {}: {error}", path.display()),
    })?;
    Ok(known.entry(path).or_insert_with(|| Arc::new(list)).clone())
}
