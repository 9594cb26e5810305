//! `gallery`: a web page about the models in a folder.

pub(crate) mod args;
mod page;
mod record;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Parser;
use serde_json::{Value, json};

use self::args::{GalleryArgs, Hover};
use self::record::Record;
use super::Studio;
use super::args::RenderArgs;
use super::movie::{self, PictureFormat};
use super::studio::Shot;
use crate::args::{Cli, Common, Verb};
use crate::exit::{self, Failure, Outcome};
use crate::input::{self, Problem, Source};
use crate::output;
use crate::report::{self, counted};
use crate::work;
use meshwright::render::soft::Image;

/// The manifest, from which the next run detects changes.
const MANIFEST: &str = "manifest.json";
/// Changes when pages or pictures made by earlier versions are no longer good.
const LAYOUT: u32 = 1;

/// The parts of the page that are the same for every folder.
const FILES: [(&str, &str); 2] =
    [("gallery.css", include_str!("gallery.css")), ("gallery.js", include_str!("gallery.js"))];

/// The result for a model.
enum Entry {
    /// As it was.
    Kept(Record),
    Drawn(Record),
    /// There is no picture, and this is why.
    Failed(Record, Problem),
}

impl Entry {
    const fn record(&self) -> &Record {
        match self {
            Self::Kept(record) | Self::Drawn(record) | Self::Failed(record, _) => record,
        }
    }
}

pub(crate) fn gallery(args: &GalleryArgs, common: Common) -> exit::Result {
    let paths = match &args.catalog {
        None => args.paths.clone(),
        Some(folder) => match catalog::find_files(folder, &args.conditions) {
            Ok(found) => {
                found.into_iter().map(PathBuf::from).filter(|path| !input::is_folder(path)).collect()
            }
            Err(error) => {
                report::problem(&Problem::system(folder, error.to_string(), None));
                return Ok(Outcome::Unreadable);
            }
        },
    };
    let (sources, problems) = input::sources(&paths, args.forced);
    problems.iter().for_each(report::problem);
    let before = match Manifest::read(&args.out_dir) {
        Ok(before) => before,
        Err(problem) => {
            report::problem(&problem);
            return Ok(Outcome::Unreadable);
        }
    };
    let workspace = match args.search.workspace(&sources) {
        Ok(workspace) => workspace,
        Err(problem) => {
            report::problem(&problem);
            return Ok(Outcome::Unreadable);
        }
    };
    let pictures = picture_args(args)?;
    // Several models are drawn at once, each by one thread.
    let studio = Studio::new(&pictures, workspace, 2);
    let entries = work::each(&sources, args.jobs, common, |source| make(source, args, &studio, &before));
    let mut failed = problems.len();
    for entry in &entries {
        if let Entry::Failed(_, problem) = entry {
            report::problem(problem);
            failed += 1;
        }
    }
    let records: Vec<&Record> = entries.iter().map(Entry::record).collect();
    if let Err(problem) = write_site(args, &records, &before) {
        report::problem(&problem);
        return Ok(Outcome::Unreadable);
    }
    let kept = entries.iter().filter(|entry| matches!(entry, Entry::Kept(_))).count();
    let drawn = entries.iter().filter(|entry| matches!(entry, Entry::Drawn(_))).count();
    let models = counted(sources.len(), "model", "models");
    report::note(common, &format!("{models}, {drawn} drawn, {kept} unchanged, {failed} failed"));
    report::note(common, &format!("open {}", args.out_dir.join("index.html").display()));
    Ok(if failed > 0 { Outcome::Unreadable } else { Outcome::Fine })
}

/// The options of `render` that draw the pictures.
fn picture_args(args: &GalleryArgs) -> exit::Result<RenderArgs> {
    let mut words =
        vec!["meshwright".to_owned(), "render".into(), "-".into(), "--size".into(), args.size.to_string()];
    words.extend(["--background".to_owned(), "transparent".into()]);
    if let Some([r, g, b]) = args.team_color {
        words.extend(["--team-color".to_owned(), format!("{r:02x}{g:02x}{b:02x}")]);
    }
    match Cli::try_parse_from(words).map(|cli| cli.verb) {
        Ok(Verb::Render(mut pictures)) => {
            pictures.forced = args.forced;
            Ok(pictures)
        }
        Ok(_) => Err(Failure::Usage("invalid options for `render`".to_owned())),
        Err(error) => Err(Failure::Usage(error.to_string())),
    }
}

/// Examines a model, and renders it if it changed.
fn make(source: &Source, args: &GalleryArgs, studio: &Studio<'_>, before: &Manifest) -> Entry {
    let settings = format!(
        "{LAYOUT} {} {} {} {} {:?}",
        env!("CARGO_PKG_VERSION"),
        args.size,
        args.frames,
        args.hover.word(),
        args.team_color
    );
    let mut record = match Record::of(source, args.forced, studio, &settings) {
        Ok(record) => record,
        Err(problem) => return Entry::Failed(Record::unreadable(source, &problem), problem),
    };
    if let Some(known) = before.records.get(&record.path)
        && !args.force
        && known.fingerprint == record.fingerprint
        && known.files().all(|file| args.out_dir.join(file).is_file())
    {
        return Entry::Kept(known.clone());
    }
    let drawn = draw(source, args, studio, &mut record).and_then(|picture| {
        output::write_below(&args.out_dir, &args.out_dir.join(record.picture()), &picture)?;
        record.has_picture = true;
        Ok(())
    });
    match drawn {
        Ok(()) => Entry::Drawn(record),
        Err(problem) => {
            record.error = Some(problem.to_string());
            // Another try next time.
            record.fingerprint.clear();
            Entry::Failed(record, problem)
        }
    }
}

/// Draws the pictures of a model side by side.
fn draw(
    source: &Source,
    args: &GalleryArgs,
    studio: &Studio<'_>,
    record: &mut Record,
) -> Result<Vec<u8>, Problem> {
    let failed = |error: String| Problem::system(&source.path, error, None);
    let subject = studio.subject(source)?;
    let mut shot = subject.shot(studio)?;
    // Chooses a moment that shows something.
    shot.still(studio).map_err(failed)?;
    let plays = args.hover == Hover::Play && shot.duration() > 0.0;
    if !plays {
        shot.orbit();
    }
    shot.keep_distance();
    record.motion = if plays { Hover::Play } else { Hover::Turn }.word().to_owned();
    record.frames = args.frames;
    let mut strip = Strip::new(args.size, args.frames);
    for number in 0..args.frames {
        strip.add(&frame(&shot, studio, plays, number, args.frames).map_err(failed)?);
    }
    movie::still(PictureFormat::Webp, strip.image).map_err(failed)
}

/// A picture of the clip, or of the model as it turns.
fn frame(
    shot: &Shot<'_>,
    studio: &Studio<'_>,
    plays: bool,
    number: u32,
    count: u32,
) -> Result<Image, String> {
    #[expect(clippy::cast_precision_loss, reason = "there are few pictures")]
    let share = number as f32 / count as f32;
    if plays {
        shot.draw_moved(studio, shot.duration() * share, 0.0)
    } else {
        shot.draw_moved(studio, 0.0, 360.0 * share)
    }
}

/// Pictures side by side.
struct Strip {
    image: Image,
    side: u32,
    count: u32,
}

impl Strip {
    fn new(side: u32, count: u32) -> Self {
        let pixels = vec![0; side as usize * side as usize * count as usize * 4];
        Self { image: Image { width: side * count, height: side, pixels }, side, count: 0 }
    }

    fn add(&mut self, picture: &Image) {
        let row = self.side as usize * 4;
        let (left, width) = (self.count as usize * row, self.image.width as usize * 4);
        let targets = self.image.pixels.chunks_exact_mut(width);
        for (target, pixels) in targets.zip(picture.pixels.chunks_exact(row)) {
            target[left..left + row].copy_from_slice(pixels);
        }
        self.count += 1;
    }
}

/// Writes all that is not a picture, and removes what belongs to models that are gone.
fn write_site(args: &GalleryArgs, records: &[&Record], before: &Manifest) -> Result<(), Problem> {
    let out = args.out_dir.as_path();
    let title = args.title.clone().unwrap_or_else(|| default_title(args));
    for (name, text) in FILES {
        write_if_new(out, Path::new(name), text.as_bytes())?;
    }
    for record in records {
        write_if_new(out, &record.page(), page::model(record, &title).as_bytes())?;
    }
    let list: Vec<Value> = records.iter().map(|record| record.listed()).collect();
    let list = format!("window.MODELS = {};\n", Value::from(list));
    write_if_new(out, Path::new("models.js"), list.as_bytes())?;
    write_if_new(out, Path::new("index.html"), page::index(&title, records.len()).as_bytes())?;
    let mut unwanted: Vec<PathBuf> = before.records.values().flat_map(Record::files).collect();
    let wanted: Vec<PathBuf> = records.iter().flat_map(|record| record.files()).collect();
    unwanted.retain(|file| !wanted.contains(file));
    for file in unwanted {
        if output::link_in(out, &file).is_none() {
            // What is gone already need not be removed.
            let _ = std::fs::remove_file(out.join(file));
        }
    }
    let manifest = json!({ "meshwright_gallery": LAYOUT, "models": records });
    write_if_new(out, Path::new(MANIFEST), &report::json_part(&manifest, 0))
}

/// Does not touch an unchanged file, to preserve its modification time.
fn write_if_new(out: &Path, below: &Path, bytes: &[u8]) -> Result<(), Problem> {
    if is_same(out, below, bytes) { Ok(()) } else { output::write_below(out, &out.join(below), bytes) }
}

/// Whether a file below a folder has these bytes. Links and pipes are not read.
fn is_same(out: &Path, below: &Path, bytes: &[u8]) -> bool {
    let path = out.join(below);
    let is_as_long =
        std::fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() == bytes.len() as u64);
    is_as_long && output::link_in(out, below).is_none() && std::fs::read(path).is_ok_and(|old| old == bytes)
}

fn default_title(args: &GalleryArgs) -> String {
    let path = args.paths.first().or(args.catalog.as_ref()).and_then(|path| std::path::absolute(path).ok());
    let name = path.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "Models".to_owned())
}

/// The results of an earlier run.
#[derive(Default)]
struct Manifest {
    records: BTreeMap<String, Record>,
}

impl Manifest {
    /// Of the folder of a page; empty if there is none yet, or if it is damaged.
    fn read(folder: &Path) -> Result<Self, Problem> {
        let path = folder.join(MANIFEST);
        let is_file = std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
        let Some(bytes) = is_file.then(|| std::fs::read(path).ok()).flatten() else {
            if folder.join("index.html").exists() {
                let note = Some("choose another folder, or remove index.html");
                return Err(Problem::system(
                    folder,
                    "contains an index.html that was not written by `gallery`",
                    note,
                ));
            }
            return Ok(Self::default());
        };
        let value: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        if value["meshwright_gallery"] != LAYOUT {
            return Ok(Self::default());
        }
        let models = value["models"].as_array().cloned().unwrap_or_default();
        let records = models.into_iter().filter_map(Record::from_json);
        Ok(Self { records: records.map(|record| (record.path.clone(), record)).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_side_by_side() {
        let mut strip = Strip::new(2, 2);
        strip.add(&Image { width: 2, height: 2, pixels: vec![1; 16] });
        strip.add(&Image { width: 2, height: 2, pixels: vec![2; 16] });
        let row = [[1; 8], [2; 8]].concat();
        assert_eq!(strip.image.pixels, [row.clone(), row].concat());
        assert_eq!((strip.image.width, strip.image.height), (4, 2));
    }
}
