//! Settings for checks, from the command line and from the projects of the files.

use std::path::{Path, PathBuf};

use meshwright::absolute;
use meshwright::check::{Baseline, Game, Level, Levels};
use meshwright::file::read_start;

use super::instead;
use crate::args::CheckArgs;
use crate::exit::{self, Failure};
use crate::input::Source;

/// The settings of each folder.
pub(crate) struct Settings {
    inner: meshwright::Settings,
    write_baseline: Option<PathBuf>,
}

/// Settings of the command line, which come before those of projects. The default is for verbs without such options.
#[derive(Default)]
pub(crate) struct Given {
    inner: meshwright::Given,
    write_baseline: Option<PathBuf>,
}

impl Given {
    pub(super) fn of(args: &CheckArgs) -> exit::Result<Self> {
        let inner = meshwright::Given {
            profile: args.profile,
            levels: levels(args)?,
            baseline: args.baseline.clone(),
            ignore_baselines: args.write_baseline.is_some(),
        };
        Ok(Self { inner, write_baseline: args.write_baseline.clone() })
    }
}

impl Settings {
    pub(crate) fn find(given: Given, sources: &[Source]) -> exit::Result<Self> {
        let Given { inner, write_baseline } = given;
        let inner = meshwright::Settings::find(inner, sources.iter().map(|source| source.path.as_path()))
            .map_err(|problem| Failure::Usage(problem.to_string()))?;
        Ok(Self { inner, write_baseline })
    }

    pub(crate) fn profile(&self, source: &Source) -> Option<Game> {
        self.inner.profile(&source.path)
    }

    pub(crate) fn levels(&self, source: &Source) -> &Levels {
        self.inner.levels(&source.path)
    }

    /// The findings that a project knows.
    pub(crate) fn baseline(&self, source: &Source) -> Option<&Baseline> {
        self.inner.baseline(source.file()?)
    }

    /// The list to write and its file, if one is to be written.
    pub(super) fn new_baseline(&self, sources: &[Source]) -> exit::Result<Option<(PathBuf, Baseline)>> {
        let Some(given) = &self.write_baseline else { return Ok(None) };
        let path = match given.as_os_str().is_empty() {
            // A link that is named is followed; any other would be refused.
            false => given.canonicalize().unwrap_or_else(|_| absolute(given)),
            true => sources
                .iter()
                .find_map(|source| self.inner.baseline_path(&source.path))
                .unwrap_or_else(|| absolute(&Baseline::path_in(Path::new("")))),
        };
        let is_list =
            || read_start(&path, Baseline::START).is_ok_and(|start| Baseline::is_list(&start.bytes));
        if path.symlink_metadata().is_ok() && !is_list() {
            let problem = format!("{} is not a baseline, so it is not overwritten", path.display());
            return Err(Failure::Usage(problem));
        }
        let list = Baseline::new(path.parent().unwrap_or(Path::new("")));
        Ok(Some((path, list)))
    }
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
