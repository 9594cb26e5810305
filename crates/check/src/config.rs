//! A project's settings: `meshwright.toml`.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::{Game, Level, Levels};

/// The name of the file.
const FILE: &str = "meshwright.toml";

/// What a `meshwright.toml` says.
///
/// ```
/// let config = meshwright_check::Config::parse(r#"
///     [check]
///     profile = "zero-hour"
///     allow = ["W3D-NAME-002"]
///     deny = ["W3D-FILES"]
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
    /// Levels of rules. Of a rule named by several lists the strictest counts: deny, then warn, then allow.
    pub levels: Levels,
}

/// Why a `meshwright.toml` could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file, where one was read.
    pub path: Option<PathBuf>,
    /// What is wrong.
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
    /// Reads the text of a `meshwright.toml`. Tables other than `check` are for others and are left alone.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let file: Table = text.parse().map_err(|problem: toml::de::Error| error(problem.to_string()))?;
        let mut config = Self::default();
        let Some(check) = file.get("check") else { return Ok(config) };
        let check = check.as_table().ok_or_else(|| error("`check` has to be a table"))?;
        for key in check.keys() {
            if !matches!(key.as_str(), "profile" | "allow" | "warn" | "deny") {
                return Err(error(format!(
                    "`check.{key}` is not known; there are profile, allow, warn and deny"
                )));
            }
        }
        if let Some(profile) = check.get("profile") {
            let name = profile.as_str().ok_or_else(|| error("`check.profile` has to be a string"))?;
            let names = || Game::ALL.map(Game::name).join(", ");
            let profile = Game::named(name)
                .ok_or_else(|| error(format!("no profile {name:?}; there are {}", names())))?;
            config.profile = Some(profile);
        }
        for (key, level) in [("allow", Level::Allow), ("warn", Level::Warn), ("deny", Level::Deny)] {
            for code in list(check, key)? {
                config.levels.set(code, level);
            }
        }
        if let Some(unknown) = config.levels.unknown().next() {
            return Err(error(format!("no rule is called {unknown:?} or begins so")));
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
                Ok(config) => Ok(Some((path, config))),
                Err(problem) => Err(ConfigError { path: Some(path), ..problem }),
            };
        }
        Ok(None)
    }
}

/// Reads the settings, unless they are no regular file or lie outside the folder: they were found, not named. A link that leads
/// out of the folder could make an error message show any file.
fn read(folder: &Path, path: &Path) -> std::io::Result<Option<String>> {
    /// No settings are larger.
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
    let wrong = || error(format!("`check.{key}` has to be a list of codes"));
    match check.get(key) {
        None => Ok(Vec::new()),
        Some(Value::Array(codes)) => codes.iter().map(|code| code.as_str().ok_or_else(wrong)).collect(),
        Some(_) => Err(wrong()),
    }
}
