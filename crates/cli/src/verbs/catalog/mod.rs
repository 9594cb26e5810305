//! `catalog`: tables over many models.

pub(crate) mod args;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use catalog::{
    CatalogOptions, Inputs, Observer, PartFormat, Place, RunSummary, Shard, Table, count_inputs, make_catalog,
};

use self::args::CatalogArgs;
use crate::args::Common;
use crate::exit::{self, Failure, Outcome};
use crate::input::{self, Problem};
use crate::interrupt;
use crate::report::{self, counted, thousands};
use crate::work::Progress;

pub(crate) fn catalog(args: &CatalogArgs, common: Common) -> exit::Result {
    let options = options(args)?;
    for folder in &args.textures {
        if !input::is_folder(&input::resolve(folder)) {
            report::problem(&Problem::system(folder, "cannot search for textures: no such folder", None));
            return Ok(Outcome::Unreadable);
        }
    }
    let mut paths = Vec::new();
    let mut lost = 0;
    for path in &args.paths {
        match input::expand(path) {
            Ok(found) => paths.extend(found),
            // It has a row in the catalog all the same.
            Err(problem) => {
                report::problem(&problem);
                paths.push(path.clone());
                lost += 1;
            }
        }
    }
    let list = match args.inputs.as_deref().map(open_list).transpose() {
        Ok(list) => list,
        Err(problem) => {
            report::problem(&problem);
            return Ok(Outcome::Unreadable);
        }
    };
    interrupt::ask_first();
    let watcher = Watcher { progress: Progress::of_unknown(common), lost: paths_lost(&paths, lost) };
    let made = run(Inputs { paths: paths.clone(), list }, args, &options, &paths, &watcher);
    let Watcher { progress, .. } = watcher;
    drop(progress);
    match made {
        Ok(summary) => {
            say(&summary, args, common);
            match summary {
                RunSummary { stopped: true, .. } => Err(Failure::Interrupted),
                RunSummary { unreadable: 0, .. } => Ok(Outcome::Fine),
                _ => Ok(Outcome::Unreadable),
            }
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(Failure::Usage(error.to_string())),
        Err(error) => {
            report::error(&error.to_string());
            Ok(Outcome::Unreadable)
        }
    }
}

/// Makes the catalog, while another thread counts the inputs for the progress bar.
fn run(
    inputs: Inputs,
    args: &CatalogArgs,
    options: &CatalogOptions,
    paths: &[PathBuf],
    watcher: &Watcher,
) -> io::Result<RunSummary> {
    let ended = AtomicBool::new(false);
    let new_place = || place(args);
    thread::scope(|scope| {
        // A list cannot be read twice.
        if watcher.progress.is_wanted() && inputs.list.is_none() {
            scope.spawn(|| {
                let is_stopped = || ended.load(Ordering::Relaxed) || interrupt::is_asked();
                let count = count_inputs(paths, options.shard, &|| place(args).files, &is_stopped);
                if !is_stopped() {
                    watcher.progress.set_total(count);
                }
            });
        }
        let made = make_catalog(inputs, options, &new_place, watcher);
        ended.store(true, Ordering::Relaxed);
        made
    })
}

fn options(args: &CatalogArgs) -> exit::Result<CatalogOptions> {
    let mut options = CatalogOptions::new(&args.out_dir);
    if let Some(format) = args.format {
        options.format = PartFormat::named(format.word()).ok_or_else(|| {
            let message =
                "this build cannot write Parquet; build it with `--features parquet`, or use a release";
            Failure::Usage(message.to_owned())
        })?;
    }
    options.shard = args.shard.unwrap_or_default();
    options.part_size = args.part_size;
    options.since.clone_from(&args.since);
    options.by_hash = args.by_hash;
    if let Some(jobs) = args.jobs.jobs {
        options.jobs = jobs.into();
    }
    // The usual variable for reproducible output, in seconds.
    if let Ok(epoch) = std::env::var("SOURCE_DATE_EPOCH") {
        let seconds: i64 = epoch
            .parse()
            .map_err(|_| Failure::Usage("SOURCE_DATE_EPOCH is not a whole number".to_owned()))?;
        options.scanned_at = seconds.saturating_mul(1000);
    }
    let game = input::files().game().map(|game| game.folder().to_owned());
    options.settings = format!("{:?} {game:?}", args.textures);
    Ok(options)
}

/// Where files are read for one part. Folders of textures and a mounted game are listed once; without them nothing is kept between parts.
fn place(args: &CatalogArgs) -> Place {
    if args.textures.is_empty() && input::files().game().is_none() {
        let files = Arc::new(input::new_files());
        return Place { workspace: input::workspace_of(files.clone()), files };
    }
    let files = input::files().clone();
    let mut workspace = input::workspace();
    for folder in &args.textures {
        let folder = input::resolve(folder);
        files.folders().allow(&folder);
        workspace.search_mut().add_textures(&folder);
    }
    if let Some(game) = files.game() {
        workspace.search_mut().add_folder(game.folder());
    }
    Place { workspace, files }
}

fn open_list(path: &Path) -> Result<Box<dyn BufRead + Send>, Problem> {
    if input::is_standard(path) {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    // May be a pipe, as shells create for <(command).
    let file = File::open(path).map_err(|error| Problem::system(path, error.to_string(), None))?;
    Ok(Box::new(BufReader::new(file)))
}

/// The addresses of paths whose problem was printed already.
fn paths_lost(paths: &[PathBuf], count: usize) -> Vec<String> {
    if count == 0 {
        return Vec::new();
    }
    paths
        .iter()
        .filter(|path| input::files().resolve(path).is_none())
        .map(|path| catalog::uri(path))
        .collect()
}

struct Watcher {
    progress: Progress,
    lost: Vec<String>,
}

impl Observer for Watcher {
    fn done(&self, inputs: u64) {
        self.progress.advance(inputs);
    }

    fn unreadable(&self, uri: &str, error: &str) {
        if !self.lost.iter().any(|lost| lost == uri) {
            let problem = Problem::system(Path::new(uri), error, None);
            self.progress.suspend(|| report::problem(&problem));
        }
    }

    fn is_stopped(&self) -> bool {
        interrupt::is_asked()
    }
}

/// The summary.
fn say(summary: &RunSummary, args: &CatalogArgs, common: Common) {
    let number = |count: u64| thousands(usize::try_from(count).unwrap_or(usize::MAX));
    let inputs = counted(usize::try_from(summary.inputs).unwrap_or(usize::MAX), "file", "files");
    let mut words = vec![inputs, format!("{} scanned", number(summary.scanned))];
    let more = [
        (summary.kept, "in parts that were there"),
        (summary.unchanged, "unchanged"),
        (summary.gone, "gone"),
        (summary.damaged, "damaged"),
        (summary.unreadable, "unreadable"),
    ];
    words.extend(
        more.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{} {what}", number(*count))),
    );
    report::note(common, &words.join(", "));
    let rows = Table::ALL.iter().zip(summary.rows).filter(|(_, rows)| *rows > 0);
    let rows: Vec<String> = rows.map(|(table, rows)| format!("{} {}", table.name(), number(rows))).collect();
    if !rows.is_empty() {
        report::note(common, &format!("rows: {}", rows.join(", ")));
    }
    if summary.stopped {
        report::note(common, "interrupted; run the same command again to go on after the last complete part");
    } else if args.shard.unwrap_or_default() != Shard::default() {
        report::note(common, "the catalog is complete when all shards are done");
    }
}
