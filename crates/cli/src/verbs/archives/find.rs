//! `find`: the locations of a file, the archive that provides it, and the models that use it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use meshwright::archive::key;
use meshwright::assets::stock::{StockKind, games_with};
use meshwright::{Game, Wanted, is_model_name};
use serde_json::json;

use super::args::FindArgs;
use super::{Item, items};
use crate::args::Common;
use crate::exit::{self, Failure, Outcome};
use crate::input::{self, path_text};
use crate::report::{self, DIM, NAME};
use crate::work;

/// The value of `schema` in the JSON.
const SCHEMA: &str = "meshwright-find-1";

/// The locations of a file in the search order of the game; the first one is used.
struct Place {
    path: String,
    /// The archives that contain it; `None` is a loose file.
    archives: Vec<Option<PathBuf>>,
}

/// A model that refers to what is searched.
struct Use {
    model: PathBuf,
    /// As the model spells it.
    name: String,
}

pub(crate) fn find(args: &FindArgs, common: Common) -> exit::Result {
    if args.overrides {
        return overrides(args, common);
    }
    let name = args.name.as_deref().unwrap_or_default();
    let wanted = Wanted::new(name).map_err(Failure::Usage)?;
    let (items, problems) = items(&args.paths);
    let places = places(items.iter().filter(|item| wanted.is_file(&item.inner)), args.paths.is_empty());
    let models: Vec<&Item> = items.iter().filter(|item| is_model(item)).collect();
    let found = work::each(&models, args.jobs, common, |item| uses(item, &wanted));
    let uses: Vec<Use> = found.into_iter().flatten().collect();
    let games = suppliers(name);
    let is_found = !places.is_empty() || !uses.is_empty() || !games.is_empty();
    if args.json {
        let value = json!({
            "schema": SCHEMA,
            "files": places.iter().map(Place::to_json).collect::<Vec<_>>(),
            "used_by": uses
                .iter()
                .map(|found| json!({ "model": found.model.to_string_lossy(), "name": found.name }))
                .collect::<Vec<_>>(),
            "supplied_by": games.iter().map(|game| game.name()).collect::<Vec<_>>(),
        });
        report::print_json(&value)?;
    } else {
        let mut out = report::stdout();
        for place in &places {
            place.print(&mut out)?;
        }
        if !games.is_empty() {
            let titles: Vec<&str> = games.iter().map(|game| game.title()).collect();
            writeln!(out, "supplied by {}", titles.join(", "))?;
        }
        for found in &uses {
            writeln!(out, "used by {} {DIM}as {}{DIM:#}", path_text(&found.model), path_text(&found.name))?;
        }
        if !common.quiet {
            let (files, models) =
                (report::counted(places.len(), "file", "files"), report::counted(uses.len(), "use", "uses"));
            writeln!(
                out,
                "{files}, {models} in {}",
                report::counted(models_searched(&items), "model", "models")
            )?;
        }
        out.flush()?;
    }
    problems.iter().for_each(report::problem);
    Ok(match (problems.is_empty(), is_found) {
        (false, _) => Outcome::Unreadable,
        (true, false) => Outcome::Findings,
        (true, true) => Outcome::Fine,
    })
}

/// The games that ship a file of this name, as far as their names are known. Warcraft III has paths.
fn suppliers(name: &str) -> Vec<Game> {
    let mut games = games_with(StockKind::Texture, name);
    games.extend(games_with(StockKind::Model, name));
    games.sort_unstable();
    games.dedup();
    games
}

fn models_searched(items: &[Item]) -> usize {
    items.iter().filter(|item| is_model(item)).count()
}

fn is_model(item: &Item) -> bool {
    is_model_name(item.inner.rsplit('/').next().unwrap_or_default())
}

/// The references of a model to what is searched.
fn uses(item: &Item, wanted: &Wanted) -> Vec<Use> {
    let Ok(bytes) = item.read() else { return Vec::new() };
    let names = wanted.uses(&bytes, item.inner.rsplit('/').next());
    names.into_iter().map(|name| Use { model: item.path.clone(), name }).collect()
}

/// Locations of files. In a game, all archives that contain a file are listed, not only the one that is used.
fn places<'i>(items: impl Iterator<Item = &'i Item>, in_game: bool) -> Vec<Place> {
    let game = input::files().game().filter(|_| in_game);
    items
        .map(|item| {
            let mut archives = vec![item.archive.clone()];
            if let Some(game) = &game {
                let all = game.all(&item.inner).map(|found| Some(found.file));
                archives.extend(all.skip(usize::from(item.archive.is_some())));
            }
            Place { path: item.path.display().to_string(), archives }
        })
        .collect()
}

/// Every file that more than one archive has, or an archive and a folder.
fn overrides(args: &FindArgs, common: Common) -> exit::Result {
    let Some(game) = input::files().game() else {
        return Err(Failure::Usage("--overrides requires --game DIR".to_owned()));
    };
    let mut by_key: BTreeMap<String, Place> = BTreeMap::new();
    for layer in game.layers() {
        for entry in layer.archive.entries() {
            let path = layer.path(entry);
            let place = by_key.entry(key(&path)).or_insert_with(|| {
                let is_loose = game.folder().join(&path).is_file();
                Place { path: path.clone(), archives: if is_loose { vec![None] } else { Vec::new() } }
            });
            if place.archives.last() != Some(&Some(layer.file.clone())) {
                place.archives.push(Some(layer.file.clone()));
            }
        }
    }
    // Internal files of MPQ archives are not overrides.
    let several =
        by_key.into_values().filter(|place| place.archives.len() > 1 && !place.path.starts_with('('));
    let several: Vec<Place> = several.collect();
    if args.json {
        let files = several.iter().map(Place::to_json).collect::<Vec<_>>();
        report::print_json(&json!({ "schema": SCHEMA, "files": files }))?;
    } else {
        let mut out = report::stdout();
        for place in &several {
            place.print(&mut out)?;
        }
        if !common.quiet {
            writeln!(
                out,
                "{} in more than one archive or folder",
                report::counted(several.len(), "file", "files")
            )?;
        }
        out.flush()?;
    }
    Ok(Outcome::Fine)
}

fn shown(archive: &Option<PathBuf>) -> String {
    match archive {
        Some(archive) => path_text(archive),
        None => "loose file".to_owned(),
    }
}

impl Place {
    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(out, "{NAME}{}{NAME:#}", path_text(&self.path))?;
        let is_alone = self.archives.len() == 1;
        for (at, archive) in self.archives.iter().enumerate() {
            let what = match (is_alone, at) {
                (true, _) => "in",
                (false, 0) => "used:",
                (false, _) => "overridden:",
            };
            writeln!(out, "  {what} {}", shown(archive))?;
        }
        Ok(())
    }

    fn to_json(&self) -> serde_json::Value {
        let archives: Vec<_> = self
            .archives
            .iter()
            .map(|archive| archive.as_ref().map(|archive| archive.to_string_lossy()))
            .collect();
        json!({ "path": self.path, "archives": archives })
    }
}
