//! Draws models with the graphics adapter and with `render::soft`, and compares the pictures: `compare [--textures FOLDER] FOLDER...`.
//! Prints one line per folder, and fails if a picture differs in more than 0.5 % of its pixels, apart from edges.

// The shared module names the crate by its full name.
extern crate render as meshwright_render;

#[path = "../tests/it/agreement.rs"]
mod agreement;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agreement::{Agreement, LEAST};
use meshwright::{Model, PictureStore, Workspace};
use meshwright_gpu::{Error, Headless};
use render::frame::{Options, Overlays, Wireframe};
use render::soft::{self, Background, Settings};

/// Pixels per side of the pictures.
const SIDE: u32 = 256;

/// The exit code if there is no adapter.
const NO_ADAPTER: u8 = 3;

fn main() -> ExitCode {
    let mut workspace = Workspace::default();
    let mut folders = Vec::new();
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--textures" {
            arguments
                .next()
                .into_iter()
                .for_each(|folder| workspace.search_mut().add_textures(Path::new(&folder)));
        } else {
            folders.push(PathBuf::from(argument));
        }
    }
    let mut gpu = match Headless::new() {
        Ok(gpu) => gpu,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(if matches!(error, Error::NoAdapter(_)) { NO_ADAPTER } else { 1 });
        }
    };
    println!("drawn by {}", gpu.adapter());
    let mut is_good = true;
    for folder in &folders {
        is_good &= compare_folder(&mut gpu, &workspace, folder);
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Compares all models of a folder; `false` if one differs too much.
fn compare_folder(gpu: &mut Headless, workspace: &Workspace, folder: &Path) -> bool {
    let mut files = Vec::new();
    list(folder, &mut files);
    files.sort();
    let (mut models, mut pictures, mut failed, mut total) = (0, 0, 0, Agreement::default());
    let mut worst = (1.0, String::new());
    for path in &files {
        let Ok(model) = Model::open(path) else { continue };
        models += 1;
        for (name, agreement) in compare(gpu, workspace, &model) {
            pictures += 1;
            match agreement {
                Ok(agreement) => {
                    total.pixels += agreement.pixels;
                    total.different += agreement.different;
                    total.wrong += agreement.wrong;
                    if agreement.share() < worst.0 {
                        worst = (agreement.share(), name.clone());
                    }
                    if agreement.share() < LEAST {
                        failed += 1;
                        println!("{name}: {:.2} % of the pixels are equal", 100.0 * agreement.share());
                    }
                }
                Err(error) => {
                    failed += 1;
                    println!("{name}: {error}");
                }
            }
        }
    }
    println!(
        "{}: {models} models, {pictures} pictures, {:.3} % of the pixels equal, {:.3} % apart from edges, worst {:.3} % ({}), {failed} too different",
        folder.file_name().unwrap_or_default().to_string_lossy(),
        100.0 * total.strict_share(),
        100.0 * total.share(),
        100.0 * worst.0,
        worst.1,
    );
    failed == 0
}

/// The model from two sides, on a colour and transparent, and with lines.
fn compare(
    gpu: &mut Headless,
    workspace: &Workspace,
    model: &Model,
) -> Vec<(String, Result<Agreement, String>)> {
    let drawing = model.load(workspace).drawing(&PictureStore::default(), None);
    let (scene, pictures, framer) = (&drawing.scene, &drawing.pictures, drawing.framer());
    let lines = Overlays { wireframe: Wireframe::Over, grid: true, bones: true, ..Overlays::default() };
    let views = [
        ("plain", Background::Color([90, 94, 102]), Overlays::default()),
        ("transparent", Background::Transparent, Overlays::default()),
        ("lines", Background::Color([90, 94, 102]), lines),
    ];
    views
        .into_iter()
        .map(|(view, background, overlays)| {
            let frame = framer.frame(&Options { overlays, ..Options::for_scene(scene) });
            let settings = Settings { background, ..Settings::new(SIDE, SIDE) };
            let stem = model.path().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            let name = format!("{stem} ({view})");
            let drawn = gpu.draw(&frame, pictures, &settings).map_err(|error| error.to_string());
            let reference = soft::draw(&frame, pictures, &settings).map_err(|error| error.to_string());
            let agreement = match (drawn, reference) {
                (Ok(drawn), Ok(reference)) => {
                    keep(&stem, view, &drawn, &reference);
                    Ok(Agreement::new(&frame, &drawn, &reference))
                }
                (Err(error), _) | (_, Err(error)) => Err(error),
            };
            (name, agreement)
        })
        .collect()
}

/// Writes both pictures into the folder that `MESHWRIGHT_PICTURES` names, if any.
fn keep(stem: &str, view: &str, drawn: &soft::Image, reference: &soft::Image) {
    let Some(folder) = std::env::var_os("MESHWRIGHT_PICTURES") else { return };
    for (image, suffix) in [(drawn, "gpu"), (reference, "soft")] {
        let png = texture::Image::new(image.width, image.height, image.pixels.clone())
            .and_then(|image| texture::encode_png(&image));
        if let Ok(png) = png {
            let _ = std::fs::write(Path::new(&folder).join(format!("{stem}-{view}-{suffix}.png")), png);
        }
    }
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { list(&path, files) } else { files.push(path) }
    }
}
