//! `info`: what a model holds.

use std::io::{self, Write};
use std::path::PathBuf;

use assets::{Family, Resolver};
use model::{Document, Evidence, Need, NeedKind, Summary};
use record::{Diagnostic, Severity, printable};
use serde_json::{Value, json};

use crate::args::{Common, InfoArgs};
use crate::exit::{self, Outcome};
use crate::guesses::Guesses;
use crate::input;
use crate::input::{Problem, Source, path_text};
use crate::report::{
    self, BOLD, Column, DIM, JsonList, LABEL, Printer, Table, WARN, counted, style, thousands,
};
use crate::work::{self, Made};

/// Up to this many files are shown one by one; more become one line each.
const IN_DETAIL: usize = 3;

/// What is known of one file.
struct Card {
    file: String,
    format: &'static str,
    size: usize,
    summary: Summary,
    /// For each texture of the summary its file.
    textures: Vec<Option<PathBuf>>,
    /// For each need of the summary its file.
    needs: Vec<Option<PathBuf>>,
    /// The box around its meshes as they rest: least and greatest corner in the axes of glTF.
    bounds: Option<[[f32; 3]; 2]>,
    found: Vec<Diagnostic>,
}

/// How it is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Csv,
    Markdown,
    /// A line for each file.
    Table,
    /// A paragraph for each file.
    Detail,
}

impl Form {
    fn of(args: &InfoArgs, files: usize) -> Self {
        match args {
            InfoArgs { json: true, .. } => Self::Json,
            InfoArgs { csv: true, .. } => Self::Csv,
            InfoArgs { md: true, .. } => Self::Markdown,
            _ if files > IN_DETAIL => Self::Table,
            _ => Self::Detail,
        }
    }

    /// What one file looks like; a row of the table gets its final form when the widths are known.
    fn page(self, card: &Card, common: Common) -> Made<Seen> {
        let (out, row) = match self {
            Self::Json => (report::json_part(&card.to_json(), 2), Vec::new()),
            Self::Csv => (report::csv_line(&COLUMNS, &card.row()).into(), Vec::new()),
            Self::Markdown => (report::markdown_line(&card.row()).into(), Vec::new()),
            Self::Table => (Vec::new(), card.row()),
            Self::Detail => (report::rendered(|out| card.print(out, common)), Vec::new()),
        };
        Made { out, err: Vec::new(), result: Seen::Row(row) }
    }
}

/// What came of a file.
enum Seen {
    Row(Vec<String>),
    /// Why it could not be read, for JSON.
    Unreadable(Value),
}

fn unreadable(problem: &Problem, form: Form) -> Made<Seen> {
    let value = match form {
        Form::Json => json!({ "file": problem.file, "error": problem.to_json() }),
        _ => Value::Null,
    };
    Made { out: Vec::new(), err: report::rendered_problem(problem), result: Seen::Unreadable(value) }
}

pub(crate) fn info(args: &InfoArgs, common: Common) -> exit::Result {
    let (sources, problems) = args.inputs.sources();
    let form = Form::of(args, sources.len());
    let resolver = match args.search.quick_resolver(&sources) {
        Ok(resolver) => resolver,
        Err(problem) => {
            report::problem(&problem);
            return Ok(Outcome::Unreadable);
        }
    };
    let mut printer = match form {
        Form::Json | Form::Csv | Form::Markdown => Printer::data(),
        Form::Table | Form::Detail => Printer::text(),
    };
    let mut listing = Listing {
        form,
        cards: 0,
        list: JsonList::at(2),
        table: Table::new(&COLUMNS),
        unreadable: Vec::new(),
    };
    listing.begin(&mut printer)?;
    let guesses = Guesses::gather(&sources, args.inputs.forced, args.jobs, |_| true);
    let work = |source: &Source| match look(source, args, &resolver, guesses.of(source)) {
        Ok(card) => form.page(&card, common),
        Err(problem) => unreadable(&problem, form),
    };
    work::in_order(&sources, args.jobs, common, work, |_, made| listing.push(&mut printer, made))?;
    for problem in &problems {
        listing.push(&mut printer, unreadable(problem, form))?;
    }
    listing.end(&mut printer)?;
    printer.flush()?;
    let files = sources.len() + problems.len();
    if files > IN_DETAIL {
        let failed = thousands(listing.unreadable.len());
        report::note(common, &format!("{}, {failed} unreadable", counted(files, "file", "files")));
    }
    Ok(if listing.unreadable.is_empty() { Outcome::Fine } else { Outcome::Unreadable })
}

/// The output as it grows.
struct Listing {
    form: Form,
    cards: usize,
    list: JsonList,
    table: Table,
    unreadable: Vec<Value>,
}

impl Listing {
    fn begin(&self, out: &mut impl Write) -> io::Result<()> {
        match self.form {
            Form::Json => write!(out, "{{\n  \"schema\": \"meshwright-info-1\",\n  \"files\": ["),
            Form::Csv => out.write_all(report::csv_headings(&COLUMNS).as_bytes()),
            Form::Markdown => out.write_all(report::markdown_headings(&COLUMNS).as_bytes()),
            Form::Table | Form::Detail => Ok(()),
        }
    }

    fn push(&mut self, printer: &mut Printer, made: Made<Seen>) -> io::Result<()> {
        let row = match made.result {
            Seen::Row(row) => row,
            Seen::Unreadable(value) => {
                self.unreadable.push(value);
                return printer.message(&made.err);
            }
        };
        self.cards += 1;
        match self.form {
            Form::Json => self.list.push(printer, &made.out),
            Form::Table => self.table.push(printer, row),
            Form::Detail if self.cards > 1 => writeln!(printer).and_then(|()| printer.write_all(&made.out)),
            Form::Csv | Form::Markdown | Form::Detail => printer.write_all(&made.out),
        }
    }

    fn end(&mut self, out: &mut impl Write) -> io::Result<()> {
        match self.form {
            Form::Json => {
                self.list.end(out)?;
                out.write_all(b",\n  \"unreadable\": ")?;
                out.write_all(&report::json_part(&Value::from(self.unreadable.as_slice()), 1))?;
                out.write_all(b"\n}\n")
            }
            Form::Table => self.table.finish(out),
            Form::Csv | Form::Markdown | Form::Detail => Ok(()),
        }
    }
}

fn look(
    source: &Source,
    args: &InfoArgs,
    resolver: &Resolver,
    evidence: Option<&Evidence>,
) -> Result<Card, Problem> {
    let bytes = source.bytes()?;
    let parsed = source.parse(&bytes, args.inputs.forced)?;
    let mut summary = Summary::of(&parsed.document);
    let family = parsed.document.family();
    if let Some(evidence) = evidence {
        summary.game = evidence.guess_for(&parsed.document);
    }
    let lookup = source.file().map_or_else(|| resolver.lookup_anywhere(), |path| resolver.lookup(path));
    let texture = |name: &String| lookup.texture(name, family).map(|found| found.path);
    let need = |need: &Need| match (family, need.what) {
        (Family::Mdx, _) => lookup.model_at(&need.file).map(|found| found.path),
        (Family::W3d, NeedKind::Skeleton) => lookup.skeleton(&need.name).map(|found| found.path),
        (Family::W3d, _) => lookup.model(&need.name).map(|found| found.path),
    };
    Ok(Card {
        file: source.name(),
        format: parsed.format.name,
        size: bytes.len(),
        textures: summary.textures.iter().map(texture).collect(),
        needs: summary.needs.iter().map(need).collect(),
        bounds: bounds(&parsed.document),
        summary,
        found: parsed.diagnostics(),
    })
}

const COLUMNS: [Column; 11] = [
    ("format", false),
    ("size", true),
    ("meshes", true),
    ("triangles", true),
    ("bones", true),
    ("clips", true),
    ("textures", true),
    ("missing", true),
    ("needs", true),
    ("findings", true),
    ("file", false),
];

impl Card {
    /// Its line in a table.
    fn row(&self) -> Vec<String> {
        let Self { file, format, size, summary, textures, found, .. } = self;
        let numbers = [
            *size,
            summary.meshes.len(),
            summary.triangles(),
            summary.bones(),
            summary.clips.len(),
            textures.len(),
            textures.iter().filter(|file| file.is_none()).count(),
            summary.needs.len(),
            found.len(),
        ];
        let numbers = numbers.into_iter().map(thousands);
        std::iter::once((*format).to_owned()).chain(numbers).chain([file.clone()]).collect()
    }

    fn print(&self, out: &mut impl Write, common: Common) -> io::Result<()> {
        let Summary { version, models, meshes, materials, skeletons, clips, textures, objects, needs, game } =
            &self.summary;
        writeln!(out, "{BOLD}{}{BOLD:#}", self.file)?;
        let mut format = self.format.to_owned();
        if let Some(version) = version {
            format += &format!(", {version}");
        }
        line(out, "format", &format!("{format}, {}", counted(self.size, "byte", "bytes")))?;
        line(out, "game", game.game.title())?;
        line(out, "", &format!("{DIM}{}{DIM:#}", printable(&game.reason)))?;
        list(out, "models", models.iter().cloned())?;
        if !meshes.is_empty() {
            let counts = format!(
                "{}, {}, {}, {}",
                counted(meshes.len(), "mesh", "meshes"),
                counted(self.summary.triangles(), "triangle", "triangles"),
                counted(self.summary.vertices(), "vertex", "vertices"),
                counted(*materials, "material", "materials"),
            );
            line(out, "geometry", &counts)?;
            let meshes = meshes.iter().map(|mesh| {
                let skin = if mesh.skinned { ", skinned" } else { "" };
                let name = if mesh.name.is_empty() { "(unnamed)" } else { &mesh.name };
                format!("{name} ({}{skin})", counted(mesh.triangles, "triangle", "triangles"))
            });
            list(out, "", meshes)?;
        }
        if let Some([min, max]) = self.bounds {
            let size: Vec<String> =
                min.iter().zip(max).map(|(min, max)| format!("{:.2}", max - min)).collect();
            line(out, "size", &format!("{} {DIM}wide, high, deep{DIM:#}", size.join(" × ")))?;
        }
        let named =
            skeletons.iter().map(|it| format!("{} ({})", it.name, counted(it.bones, "bone", "bones")));
        list(out, "skeletons", named)?;
        for (at, clip) in clips.iter().enumerate() {
            let mut length = format!("{:.2} s", clip.seconds);
            if let (Some(frames), Some(rate)) = (clip.frames, clip.rate) {
                length += &format!(", {} at {rate} per second", counted(frames as usize, "frame", "frames"));
            }
            line(
                out,
                if at == 0 { "clips" } else { "" },
                &format!("{LABEL}{}{LABEL:#} {length}", printable(&clip.name)),
            )?;
        }
        let (found, missing): (Vec<_>, Vec<_>) =
            textures.iter().zip(&self.textures).partition(|(_, file)| file.is_some());
        list(out, "textures", found.into_iter().map(|(name, _)| name.clone()))?;
        let missing = report::row_of(missing.into_iter().map(|(name, _)| name.clone()), names_width());
        if !missing.is_empty() {
            line(out, "missing", &format!("{WARN}{missing}{WARN:#} {DIM}(textures){DIM:#}"))?;
        }
        let others =
            objects.iter().map(|(what, count)| format!("{} {what}{}", thousands(*count), plural(*count)));
        list(out, "others", others)?;
        for (at, (need, file)) in needs.iter().zip(&self.needs).enumerate() {
            let heading = if at == 0 { "needs" } else { "" };
            let (what, name) = (need.what.word(), printable(&need.name));
            let text = match file {
                Some(file) => format!("{} {DIM}for the {what} {name}{DIM:#}", path_text(file)),
                None => {
                    let wanted = printable(&need.file);
                    format!("{WARN}{wanted}{WARN:#} for the {what} {name} {DIM}(not found){DIM:#}")
                }
            };
            line(out, heading, &text)?;
        }
        let counts = self.counts().into_iter().filter(|(_, count)| *count > 0);
        let counts: Vec<String> = counts
            .map(|(severity, count)| {
                let style = style(severity);
                let plural = if severity == Severity::Info { "" } else { plural(count) };
                format!("{style}{count} {}{plural}{style:#}", severity.word())
            })
            .collect();
        line(out, "findings", &if counts.is_empty() { "none".to_owned() } else { counts.join(", ") })?;
        for found in self.found.iter().filter(|_| common.verbose) {
            let style = style(found.severity);
            line(out, "", &format!("{style}{found}{style:#}"))?;
        }
        Ok(())
    }

    /// Number of findings, the gravest first.
    fn counts(&self) -> [(Severity, usize); 4] {
        [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint]
            .map(|severity| (severity, self.found.iter().filter(|found| found.severity == severity).count()))
    }

    fn to_json(&self) -> Value {
        let mut object = json!({ "file": self.file, "format": self.format, "size": self.size });
        let found: serde_json::Map<_, _> = self
            .counts()
            .into_iter()
            .map(|(severity, count)| (severity.word().to_owned(), count.into()))
            .collect();
        let summary = serde_json::to_value(&self.summary).unwrap_or_default();
        if let (Some(object), Value::Object(summary)) = (object.as_object_mut(), summary) {
            object.extend(summary);
            let files = self.textures.iter().map(|file| file.as_ref().map(|file| file.display().to_string()));
            let textures = self.summary.textures.iter().zip(files);
            let textures = textures.map(|(name, file)| json!({ "name": name, "file": file })).collect();
            object.insert("textures".to_owned(), textures);
            for (need, file) in
                object.get_mut("needs").and_then(Value::as_array_mut).into_iter().flatten().zip(&self.needs)
            {
                need["path"] = file.as_ref().map(|file| file.display().to_string()).into();
            }
            let bounds = self.bounds.map(|[min, max]| json!({ "min": min, "max": max }));
            object.insert("bounds".to_owned(), bounds.into());
            object.insert("findings".to_owned(), Value::Object(found));
        }
        object
    }
}

/// The box around the meshes in the rest pose: least and greatest corner, in the axes of glTF. Other files are not
/// read, so that a skin without its skeleton is where its vertices say.
fn bounds(document: &Document<'_>) -> Option<[[f32; 3]; 2]> {
    let (scene, _) = match document {
        Document::W3d(file) => {
            let options =
                convert::w3d::Options { animations: false, limits: input::limits(), ..Default::default() };
            convert::w3d::to_scene(&convert::w3d::Library::new(file), None, &options)
        }
        Document::Mdx(file) => {
            let options =
                convert::mdx::Options { animations: false, limits: input::limits(), ..Default::default() };
            convert::mdx::to_scene(file, &options)
        }
    };
    let bounds = scene.rest_bounds()?;
    Some([bounds.min.to_array(), bounds.max.to_array()])
}

fn plural(count: usize) -> &'static str {
    match count {
        1 => "",
        _ => "s",
    }
}

fn line(out: &mut impl Write, heading: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {DIM}{heading:<10}{DIM:#} {text}")
}

/// Columns for a line of names.
fn names_width() -> usize {
    report::width().saturating_sub(13)
}

/// A line of names, if there are any.
fn list(out: &mut impl Write, heading: &str, names: impl Iterator<Item = String>) -> io::Result<()> {
    let row = report::row_of(names, names_width());
    if row.is_empty() { Ok(()) } else { line(out, heading, &row) }
}
