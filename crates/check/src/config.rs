//! A project's settings: `meshwright.toml`.

use std::path::{Component, Path, PathBuf};

use toml::{Table, Value};

use crate::{Game, Level, Levels};

/// The name of the file.
const FILE: &str = "meshwright.toml";

/// The settings in a `meshwright.toml`.
///
/// ```
/// let config = meshwright_check::Config::parse(r#"
///     [check]
///     profile = "zero-hour"
///     allow = ["W3D-NAME-002"]
///     deny = ["W3D-FILES", "warnings"]
///     textures = ["../textures"]
///     game = "C:/Games/Zero Hour"
/// "#)?;
/// assert_eq!(config.profile, Some(meshwright_check::Game::ZeroHour));
/// assert_eq!(config.levels.of("W3D-FILES-002"), Some(meshwright_check::Level::Deny));
/// assert!(meshwright_check::Config::parse("[check]\nprofile = 'zero'").is_err());
/// # Ok::<(), meshwright_check::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The game.
    pub profile: Option<Game>,
    /// Levels of rules. If several lists name a rule, the strictest applies: deny, then warn, then allow.
    pub levels: Levels,
    /// Folders to search for textures. [`find`](Self::find) makes them relative to the folder of the file.
    pub textures: Vec<PathBuf>,
    /// Installed games to mount, the first to search first. Relative as `textures`.
    pub game: Vec<PathBuf>,
    /// The list of known findings. Relative as `textures`.
    pub baseline: Option<PathBuf>,
}

/// The keys of the table `check`.
const KEYS: [&str; 7] = ["profile", "allow", "warn", "deny", "textures", "game", "baseline"];

/// Why a `meshwright.toml` could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file, if one was read.
    pub path: Option<PathBuf>,
    /// The error.
    pub message: String,
}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{}: {}", path.display(), self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ConfigError {}

fn error(message: impl Into<String>) -> ConfigError {
    ConfigError { path: None, message: message.into() }
}

impl Config {
    /// Reads the text of a `meshwright.toml`. Tables other than `check` are ignored.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let file: Table =
            text.parse().map_err(|problem: toml::de::Error| error(in_one_line(text, &problem)))?;
        let mut config = Self::default();
        let Some(check) = file.get("check") else { return Ok(config) };
        let check = check.as_table().ok_or_else(|| error("`check` must be a table"))?;
        if let Some(key) = check.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(error(format!("unknown key `check.{key}`; available: {}", KEYS.join(", "))));
        }
        if let Some(profile) = check.get("profile") {
            let name = profile.as_str().ok_or_else(|| error("`check.profile` must be a string"))?;
            let names = || Game::ALL.map(Game::name).join(", ");
            let profile = Game::named(name)
                .ok_or_else(|| error(format!("unknown profile {name:?}; available: {}", names())))?;
            config.profile = Some(profile);
        }
        for (key, level) in [("allow", Level::Allow), ("warn", Level::Warn), ("deny", Level::Deny)] {
            for code in list(check, key)? {
                config.levels.set(code, level);
            }
        }
        if let Some(unknown) = config.levels.unknown().next() {
            return Err(error(format!("no rule matches {unknown:?}")));
        }
        config.textures = paths(check, "textures")?;
        config.game = paths(check, "game")?;
        config.baseline = paths(check, "baseline")?.into_iter().next();
        // The list is also written. A project from a stranger must not choose another file, such as a start file of the shell.
        if !config.baseline.iter().all(|path| is_list_beside(path)) {
            return Err(error(
                "`check.baseline` must be the name of a .tsv file in the folder of meshwright.toml, without a folder",
            ));
        }
        Ok(config)
    }

    /// The settings for a file or folder: those of the nearest `meshwright.toml` in its folder or above, with the path of that
    /// file; `None` if there is none.
    pub fn find(start: &Path) -> Result<Option<(PathBuf, Self)>, ConfigError> {
        for folder in start.ancestors() {
            let path = folder.join(FILE);
            let text = match read(folder, &path) {
                Ok(Some(text)) => text,
                Ok(None) => continue,
                Err(problem) => return Err(ConfigError { path: Some(path), message: problem.to_string() }),
            };
            return match Self::parse(&text) {
                Ok(config) => Ok(Some((path, config.relative_to(folder)))),
                Err(problem) => Err(ConfigError { path: Some(path), ..problem }),
            };
        }
        Ok(None)
    }

    /// The same settings with paths relative to a folder.
    fn relative_to(mut self, folder: &Path) -> Self {
        for path in self.textures.iter_mut().chain(&mut self.game).chain(&mut self.baseline) {
            *path = folder.join(&*path);
        }
        self
    }
}

/// Whether a path is nothing but the name of a list.
fn is_list_beside(path: &Path) -> bool {
    let mut parts = path.components();
    let is_name = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    is_name && path.extension().is_some_and(|extension| extension == "tsv")
}

/// A path, or a list of paths.
fn paths(check: &Table, key: &str) -> Result<Vec<PathBuf>, ConfigError> {
    let wrong = || error(format!("`check.{key}` must be a path or a list of paths"));
    match check.get(key) {
        None => Ok(Vec::new()),
        Some(Value::String(path)) => Ok(vec![path.into()]),
        Some(Value::Array(paths)) => {
            paths.iter().map(|path| path.as_str().map(PathBuf::from).ok_or_else(wrong)).collect()
        }
        Some(_) => Err(wrong()),
    }
}

/// Reads the settings. Refuses files that are not regular or are outside the folder, because they were found, not named
/// by the user. A link that leads out of the folder could make an error message show any file.
fn read(folder: &Path, path: &Path) -> std::io::Result<Option<String>> {
    /// Maximum size of the settings.
    const LARGEST: u64 = 1 << 20;
    let Ok(own) = std::fs::symlink_metadata(path) else { return Ok(None) };
    if own.is_symlink() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let inside = path.canonicalize().and_then(|target| Ok(target.starts_with(folder.canonicalize()?)));
        if !inside.unwrap_or(false) {
            return Ok(None);
        }
    }
    let found = std::fs::metadata(path)?;
    if !found.is_file() {
        return Ok(None);
    }
    if found.len() > LARGEST {
        return Err(std::io::Error::other(format!("larger than {LARGEST} bytes")));
    }
    std::fs::read_to_string(path).map(Some)
}

fn list<'t>(check: &'t Table, key: &str) -> Result<Vec<&'t str>, ConfigError> {
    let wrong = || error(format!("`check.{key}` must be a list of codes"));
    match check.get(key) {
        None => Ok(Vec::new()),
        Some(Value::Array(codes)) => codes.iter().map(|code| code.as_str().ok_or_else(wrong)).collect(),
        Some(_) => Err(wrong()),
    }
}

/// An error of the syntax in one line, with its place.
fn in_one_line(text: &str, problem: &toml::de::Error) -> String {
    let message = problem.message().lines().collect::<Vec<_>>().join(", ");
    let Some(before) = problem.span().and_then(|span| text.get(..span.start)) else { return message };
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("line {line}, column {column}: {message}")
}
