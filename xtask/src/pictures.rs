//! `bench`, the part about pictures: thumbnails of many models, one large picture, and the first picture of a run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::corpus::list_files;
use crate::programs::build;
use crate::report::{Outcome, StepResult};
use crate::scaling::{Folder, RUNS};
use crate::shell::{root, works};

/// What a thumbnail, a large picture and the first picture may take on two cores.
const THUMBNAILS_PER_SECOND: f64 = 100.0;
const LARGE: Duration = Duration::from_millis(100);
const FIRST: Duration = Duration::from_millis(60);

/// How many times faster than f3d a thumbnail should be.
const TIMES: u32 = 20;

/// Triangles of the model of the large picture.
const TRIANGLES: usize = 10_000;

pub(crate) fn measure() -> StepResult {
    let program = build("meshwright", "release")?;
    let folder = Folder::make()?;
    let mut lines = Vec::new();
    let corpus = root().join("../shared/corpus");
    if corpus.is_dir() {
        let before = children_cpu();
        let (drawn, rate) = thumbnails(&program, &corpus, &folder.0)?;
        let mut line = format!("{drawn} thumbnails, {rate:.0} a second (wanted: {THUMBNAILS_PER_SECOND})");
        if let (Some(before), Some(after)) = (before, children_cpu()) {
            // On a busy machine this says more than the time that passed.
            let each = (after - before).as_secs_f64() / drawn.max(1) as f64 * 1e3;
            line += &format!(", {each:.1} ms of processor time each");
        }
        lines.push(line);
        lines.push(match beside_f3d(&program, &corpus, &folder.0)? {
            Some((models, ours, theirs)) => {
                let times = theirs.as_secs_f64() / ours.as_secs_f64();
                let [ours, theirs] = [ours, theirs].map(|took| took.as_secs_f64() / models as f64 * 1e3);
                format!("{models} models, a process for each: {ours:.0} ms, f3d {theirs:.0} ms, {times:.0} times slower (wanted: {TIMES})")
            }
            None => "f3d or xvfb-run is not installed".to_owned(),
        });
    }
    let large = folder.0.join("ball.mdl");
    let written = fs::write(&large, ball()).and_then(|()| fs::write(folder.0.join("ball.tga"), texture()));
    written.map_err(|error| error.to_string())?;
    let out = folder.0.join("large.png");
    let took = best(|| picture(&program, &large, &out, &["--size", "1920x1080"]))?;
    lines.push(told(&format!("1920x1080 of {TRIANGLES} triangles"), took, LARGE));
    let demo = folder.0.join("demo");
    if !works(Command::new(&program).arg("demo").arg(&demo)) {
        return Err("`meshwright demo` failed".to_owned());
    }
    let small = demo.join("mwcrate.w3d");
    let took = best(|| picture(&program, &small, &out, &["--size", "256"]))?;
    lines.push(told("first picture", took, FIRST));
    lines.iter().for_each(|line| println!("{line}"));
    Ok(Outcome::Passed(lines.join(", ")))
}

/// Processor time of all child processes that have ended, if the system tells it (Linux).
fn children_cpu() -> Option<Duration> {
    /// The unit of `/proc`, on every Linux of today.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may have spaces; the state follows it. cutime and cstime are the 13th and 14th number after the state.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(13)?.parse::<f64>().ok()? + fields.get(14)?.parse::<f64>().ok()?;
    Some(Duration::from_secs_f64(ticks / TICKS_PER_SECOND))
}

fn told(what: &str, took: Duration, wanted: Duration) -> String {
    format!("{what} {:.0} ms (wanted: {} ms)", took.as_secs_f64() * 1e3, wanted.as_millis())
}

/// The time of a run that draws one model, from the start of the process to its end.
fn picture(program: &Path, model: &Path, out: &Path, options: &[&str]) -> Result<Duration, String> {
    let started = Instant::now();
    let mut command = Command::new(program);
    command.arg("render").arg(model).arg(out).arg("--quiet").args(options);
    if works(&mut command) {
        Ok(started.elapsed())
    } else {
        Err(format!("{} was not drawn", model.display()))
    }
}

fn best(mut run: impl FnMut() -> Result<Duration, String>) -> Result<Duration, String> {
    let mut best = run()?;
    for _ in 1..RUNS {
        best = best.min(run()?);
    }
    Ok(best)
}

/// Thumbnails of all real models, with their textures; damaged models are among them. How many, and how many in a second.
fn thumbnails(program: &Path, corpus: &Path, folder: &Path) -> Result<(usize, f64), String> {
    let out = folder.join("thumbnails");
    let mut command = Command::new(program);
    command.arg("render").args(["w3d", "mdx", "mdl"].map(|family| corpus.join(family)));
    command.args(["--size", "256", "--quiet", "--textures"]).arg(corpus.join("textures"));
    command.arg("--out-dir").arg(&out);
    let started = Instant::now();
    // Models that cannot be read give an exit code of their own.
    let _ = works(&mut command);
    let took = started.elapsed().as_secs_f64();
    let drawn = files(&out)?.len();
    Ok((drawn, drawn as f64 / took))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    list_files(folder, &mut files)?;
    Ok(files)
}

/// Thumbnails of the same models by our program and by f3d, which gets them as GLB with their textures; both start a process for each
/// model. Returns how many models f3d drew, and both times. f3d needs a display, which is started once for all models.
fn beside_f3d(
    program: &Path,
    corpus: &Path,
    folder: &Path,
) -> Result<Option<(usize, Duration, Duration)>, String> {
    /// At least so many.
    const MODELS: usize = 20;
    if !works(Command::new("f3d").arg("--version")) || !works(Command::new("xvfb-run").arg("true")) {
        return Ok(None);
    }
    let textures = corpus.join("textures");
    let glb = folder.join("glb");
    fs::create_dir_all(&glb).map_err(|error| error.to_string())?;
    let mut sources = files(&corpus.join("mdx"))?;
    sources.sort();
    let step = (sources.len() / MODELS).max(1);
    let mut models = Vec::new();
    for (at, source) in sources.into_iter().step_by(step).enumerate() {
        let target = glb.join(format!("{at}.glb"));
        let mut convert = Command::new(program);
        convert.arg("convert").arg(&source).arg(&target).arg("--quiet").arg("--textures").arg(&textures);
        if works(&mut convert) && target.exists() {
            models.push((source, target));
        }
    }
    let started = Instant::now();
    for (at, (source, _)) in models.iter().enumerate() {
        let mut render = Command::new(program);
        render
            .arg("render")
            .arg(source)
            .arg(folder.join(format!("{at}.png")))
            .args(["--size", "256", "--quiet"]);
        if !works(render.arg("--textures").arg(&textures)) {
            return Err(format!("{} was not drawn", source.display()));
        }
    }
    let ours = started.elapsed();
    let script = "for model; do f3d \"$model\" --output \"$model.png\" --resolution 256,256; done";
    let mut all = Command::new("xvfb-run");
    all.args(["--auto-servernum", "sh", "-c", script, "sh"]).args(models.iter().map(|(_, target)| target));
    let started = Instant::now();
    let _ = works(&mut all);
    let theirs = started.elapsed();
    let drawn = files(&glb)?.iter().filter(|file| file.extension().is_some_and(|kind| kind == "png")).count();
    // Models that f3d cannot draw take it less time, and count for us only.
    Ok((drawn > 0).then_some((drawn, ours, theirs)))
}

/// A ball with a texture, as MDL: rows of rectangles around it, each of two triangles.
fn ball() -> String {
    const ROWS: usize = 50;
    const COLUMNS: usize = TRIANGLES / ROWS / 2;
    let mut points: [String; 3] = Default::default();
    let mut corners = Vec::new();
    for row in 0..=ROWS {
        for column in 0..=COLUMNS {
            let (v, u) = (row as f32 / ROWS as f32, column as f32 / COLUMNS as f32);
            let (latitude, longitude) = (v * std::f32::consts::PI, u * std::f32::consts::TAU);
            let [x, y, z] =
                [latitude.sin() * longitude.cos(), latitude.sin() * longitude.sin(), latitude.cos()];
            points[0] += &format!("{{ {}, {}, {} }},\n", x * 50.0, y * 50.0, z * 50.0);
            points[1] += &format!("{{ {x}, {y}, {z} }},\n");
            points[2] += &format!("{{ {u}, {v} }},\n");
            if row < ROWS && column < COLUMNS {
                let [a, b] = [0, 1].map(|down| (row + down) * (COLUMNS + 1) + column);
                corners.extend([a, b, b + 1, a, b + 1, a + 1].map(|corner| corner.to_string()));
            }
        }
    }
    let count = (ROWS + 1) * (COLUMNS + 1);
    let [positions, normals, uvs] = points;
    let groups = "0,\n".repeat(count);
    let (indices, number) = (corners.join(", "), corners.len());
    format!(
        "Version {{ FormatVersion 800, }}\n\
         Model \"Ball\" {{ BlendTime 150, }}\n\
         Sequences 1 {{ Anim \"Stand\" {{ Interval {{ 0, 1000 }}, }} }}\n\
         Textures 1 {{ Bitmap {{ Image \"ball.tga\", }} }}\n\
         Materials 1 {{ Material {{ Layer {{ FilterMode None, static TextureID 0, }} }} }}\n\
         Geoset {{\nVertices {count} {{ {positions} }}\nNormals {count} {{ {normals} }}\n\
         TVertices {count} {{ {uvs} }}\nVertexGroup {{ {groups} }}\n\
         Faces 1 {number} {{ Triangles {{ {{ {indices} }}, }} }}\n\
         Groups 1 1 {{ Matrices {{ 0 }}, }}\nMaterialID 0,\nSelectionGroup 0,\n}}\n\
         Bone \"Root\" {{ ObjectId 0, GeosetId 0, GeosetAnimId None, }}\n\
         PivotPoints 1 {{ {{ 0, 0, 0 }}, }}\n"
    )
}

/// An uncompressed TGA of 512 by 512 pixels.
fn texture() -> Vec<u8> {
    const SIDE: u16 = 512;
    let [low, high] = SIDE.to_le_bytes();
    let mut bytes = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, low, high, low, high, 24, 0];
    for y in 0..u32::from(SIDE) {
        bytes.extend((0..u32::from(SIDE)).flat_map(|x| [(x ^ y) as u8, (x / 2) as u8, (y / 2) as u8]));
    }
    bytes
}
