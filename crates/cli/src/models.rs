//! Models of any format as scenes: documents of the games, and glTF.

use std::io;
use std::path::{Component, Path};

use assets::Files as _;
use convert::NoteKind;
use gltf::{Import, ReadError, ReadNoteKind, ReadOptions};
use model::{Content, Document, Format};
use record::Error;
use scene::{ClipId, Moment, Scene};

use crate::input::{self, Problem, Source};
use crate::losses::Loss;

/// A model that was read.
pub(crate) enum Opened<'a> {
    Document(Document<'a>),
    Gltf(Box<Import>),
}

/// Reads a model: W3D, MDX, MDL, JSON, or glTF. `scale` is for glTF: metres for each unit.
pub(crate) fn open<'a>(
    source: &Source,
    bytes: &'a [u8],
    forced: Option<&'static Format>,
    scale: Option<f32>,
) -> Result<Opened<'a>, Problem> {
    if is_gltf(source, bytes, forced) {
        let options = ReadOptions { scale, limits: input::limits(), ..ReadOptions::default() };
        return Ok(Opened::Gltf(Box::new(read_gltf(source, bytes, &options)?)));
    }
    Ok(Opened::Document(source.parse(bytes, forced)?.document))
}

/// Whether bytes are to be read as glTF.
pub(crate) fn is_gltf(source: &Source, bytes: &[u8], forced: Option<&'static Format>) -> bool {
    match forced {
        Some(format) => matches!(format.name, "glb" | "gltf"),
        None => {
            let has_name =
                source.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gltf"));
            matches!(Content::of(bytes), Some(Content::Glb | Content::Gltf))
                || has_name && gltf::is_gltf(bytes)
        }
    }
}

fn read_gltf(source: &Source, bytes: &[u8], options: &ReadOptions) -> Result<Import, Problem> {
    let folder = source.file().and_then(Path::parent);
    let resolve = |path: &str| -> io::Result<Vec<u8>> {
        let relative = Path::new(path);
        let is_below =
            relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let Some(folder) = folder.filter(|_| is_below && !path.contains(':')) else {
            return Err(io::Error::other("only files in the folder of the model and below it are read"));
        };
        input::files().read(&folder.join(relative)).map_err(|error| io::Error::other(error.kind.to_string()))
    };
    gltf::read(bytes, &resolve, options).map_err(|error| {
        let problem = Error::new("GLTF-READ", 0..0, error.to_string());
        let problem = match error {
            ReadError::Limit(exceeded) => {
                problem.with_note(format!("use --limit {}=N to raise the limit", exceeded.name))
            }
            _ => problem,
        };
        Problem::content(&source.path, problem)
    })
}

/// What of a glTF file is not in the scene.
pub(crate) fn import_losses(import: &Import) -> Vec<Loss> {
    let kind = |kind: ReadNoteKind| match kind {
        ReadNoteKind::Missing => NoteKind::Missing,
        ReadNoteKind::LeftOut => NoteKind::LeftOut,
        ReadNoteKind::Damaged => NoteKind::Damaged,
        ReadNoteKind::Assumed => NoteKind::Assumed,
    };
    let notes = import.notes.iter();
    let mut losses: Vec<Loss> =
        notes.map(|note| Loss::one(kind(note.kind), note.part.clone(), note.message.clone())).collect();
    if import.suppressed_notes > 0 {
        let (one, many) = ("further note suppressed", "further notes suppressed");
        losses.push(Loss::counted(NoteKind::LeftOut, import.suppressed_notes, one, many));
    }
    losses
}

/// The clip of this name, or the first whose name begins so.
pub(crate) fn clip(scene: &Scene, name: &str, source: &Source) -> Result<ClipId, Problem> {
    let clips = &scene.clips;
    let wanted = name.to_lowercase();
    // W3D names a clip SKELETON.CLIP, and `info` prints it so; a scene has the short name.
    let short = |clip: &str| clip.rsplit('.').next().unwrap_or_default().to_lowercase();
    let find = |test: &dyn Fn(&str) -> bool| clips.iter().position(|clip| test(&clip.name));
    let found = find(&|clip| clip.to_lowercase() == wanted)
        .or_else(|| find(&|clip| short(clip) == short(&wanted)))
        .or_else(|| find(&|clip| clip.to_lowercase().starts_with(&wanted)))
        .or_else(|| find(&|clip| short(clip).starts_with(&wanted)));
    found.map(ClipId::from).ok_or_else(|| {
        let known = names(clips.iter().map(|clip| clip.name.as_str()));
        Problem::system(&source.path, format!("no clip named {name}; {known}"), None)
    })
}

/// A moment of the clip of this name; the rest pose without one.
pub(crate) fn moment(
    scene: &Scene,
    name: Option<&str>,
    time: Option<f32>,
    source: &Source,
) -> Result<Moment, Problem> {
    let Some(name) = name else { return Ok(Moment::default()) };
    let clip = clip(scene, name, source)?;
    let elapsed = time.unwrap_or(0.0);
    let local = scene.clips.get(clip.index()).map_or(0.0, |clip| clip.local_time(elapsed));
    Ok(Moment { clip: Some(clip), time: local, clock: elapsed, view: None })
}

/// The available names, for a message.
pub(crate) fn names<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const SHOWN: usize = 20;
    let count = names.len();
    if count == 0 {
        return "the model has none".to_owned();
    }
    let shown: Vec<&str> = names.take(SHOWN).collect();
    let more = if count > SHOWN { format!(" and {} more", count - SHOWN) } else { String::new() };
    format!("available: {}{more}", shown.join(", "))
}
