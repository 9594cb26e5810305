//! Settings for checks, from the command line and from the projects of the files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use meshwright::check::{Baseline, Game, Level, Levels};
use meshwright::file::read_start;

use super::instead;
use crate::args::CheckArgs;
use crate::exit::{self, Failure};
use crate::guesses::folder_of;
use crate::input::Source;
use crate::projects::{Projects, absolute};

/// The settings of each folder.
pub(crate) struct Settings {
    given: Given,
    projects: Projects,
    of_folders: HashMap<PathBuf, OfFolder>,
}

/// Settings of the command line, which come before those of projects. The default is for verbs without such options.
#[derive(Default)]
pub(crate) struct Given {
    profile: Option<Game>,
    levels: Levels,
    baseline: Option<PathBuf>,
    write_baseline: Option<PathBuf>,
}

impl Given {
    pub(super) fn of(args: &CheckArgs) -> exit::Result<Self> {
        Ok(Self {
            profile: args.profile,
            levels: levels(args)?,
            baseline: args.baseline.clone(),
            write_baseline: args.write_baseline.clone(),
        })
    }
}

struct OfFolder {
    levels: Levels,
    baseline: Option<Arc<Baseline>>,
}

impl Settings {
    pub(crate) fn find(given: Given, sources: &[Source]) -> exit::Result<Self> {
        let projects = Projects::find(sources).map_err(|problem| Failure::Usage(problem.to_string()))?;
        let mut settings = Self { given, projects, of_folders: HashMap::new() };
        let mut baselines = HashMap::new();
        for source in sources {
            let folder = folder_of(&source.path);
            if settings.of_folders.contains_key(folder) {
                continue;
            }
            let config = settings.projects.of(source);
            let mut levels = config.map(|config| config.levels.clone()).unwrap_or_default();
            levels.extend(&settings.given.levels);
            let baseline =
                match settings.baseline_path(source).filter(|_| settings.given.write_baseline.is_none()) {
                    Some(path) => Some(load(path, &mut baselines)?),
                    None => None,
                };
            settings.of_folders.insert(folder.to_owned(), OfFolder { levels, baseline });
        }
        Ok(settings)
    }

    pub(crate) fn profile(&self, source: &Source) -> Option<Game> {
        self.given.profile.or_else(|| self.projects.of(source)?.profile)
    }

    pub(crate) fn levels(&self, source: &Source) -> &Levels {
        self.of_folders.get(folder_of(&source.path)).map_or(&self.given.levels, |folder| &folder.levels)
    }

    /// The findings that a project knows.
    pub(crate) fn baseline(&self, source: &Source) -> Option<&Baseline> {
        source.file()?;
        self.of_folders.get(folder_of(&source.path))?.baseline.as_deref()
    }

    /// The list of known findings for a file: as given, as its project says, or the nearest above it.
    fn baseline_path(&self, source: &Source) -> Option<PathBuf> {
        let given = self.given.baseline.as_ref().map(|path| absolute(path));
        let config = || self.projects.of(source).and_then(|config| config.baseline.clone());
        let found = || config().or_else(|| Baseline::find(&absolute(folder_of(&source.path))));
        // A link that was found, not named, could lead anywhere.
        given.or_else(|| found().filter(|path| !path.is_symlink()))
    }

    /// The list to write and its file, if one is to be written.
    pub(super) fn new_baseline(&self, sources: &[Source]) -> exit::Result<Option<(PathBuf, Baseline)>> {
        let Some(given) = &self.given.write_baseline else { return Ok(None) };
        let path = match given.as_os_str().is_empty() {
            // A link that is named is followed; any other would be refused.
            false => given.canonicalize().unwrap_or_else(|_| absolute(given)),
            true => sources
                .iter()
                .find_map(|source| self.baseline_path(source))
                .unwrap_or_else(|| absolute(&Baseline::path_in(Path::new("")))),
        };
        let is_list = || read_start(&path, Baseline::START).is_ok_and(|start| Baseline::is_list(&start.bytes));
        if path.symlink_metadata().is_ok() && !is_list() {
            let problem = format!("{} is not a baseline, so it is not overwritten", path.display());
            return Err(Failure::Usage(problem));
        }
        let list = Baseline::new(path.parent().unwrap_or(Path::new("")));
        Ok(Some((path, list)))
    }
}

fn load(path: PathBuf, known: &mut HashMap<PathBuf, Arc<Baseline>>) -> exit::Result<Arc<Baseline>> {
    if let Some(list) = known.get(&path) {
        return Ok(list.clone());
    }
    let list = Baseline::load(&path)
        .map_err(|error| Failure::Usage(format!("cannot read the baseline {}: {error}", path.display())))?;
    Ok(known.entry(path).or_insert_with(|| Arc::new(list)).clone())
}

/// The levels of the command line. Of several that match a rule the longest code counts, then the strictest, so that
/// `--deny all --allow CODE` works in any order.
fn levels(args: &CheckArgs) -> exit::Result<Levels> {
    let lists = [(&args.allow, Level::Allow), (&args.warn, Level::Warn), (&args.deny, Level::Deny)];
    let mut given: Vec<(&str, Level)> = lists
        .into_iter()
        .flat_map(|(codes, level)| codes.iter().map(move |code| (code.as_str(), level)))
        .collect();
    given.sort_by_key(|(code, _)| if code.eq_ignore_ascii_case("all") { 0 } else { code.len() });
    let mut levels = Levels::default();
    given.into_iter().for_each(|(code, level)| levels.set(code, level));
    if let Some(unknown) = levels.unknown().next() {
        return Err(Failure::Usage(format!("no rule matches {unknown:?}{}", instead(unknown))));
    }
    Ok(levels)
}
