//! What a model means: the scene it describes, together with the files that it refers to.

use std::collections::{HashSet, VecDeque};
use std::fs;
use std::path::Path;

use convert::w3d::{Engine, Library, Reference, find_beside, needs};
use convert::{NoteKind, Report};
use gltf::Picture;
use model::{Document, Game, WrittenFrom};
use record::Error;
use w3d::W3d;

use crate::args::{GltfArgs, Scale};
use crate::folders::Folders;
use crate::input::{Problem, Source};
use crate::losses::Loss;
use crate::textures::Textures;

/// What is the same for all files of a run.
#[derive(Default)]
pub(crate) struct Surroundings {
    /// Documents that the command line adds, to W3D models only.
    with: Vec<W3d<'static>>,
    textures: Textures,
    folders: Folders,
    options: gltf::Options,
    scale: Option<Scale>,
}

/// A model's files, and what is not in them as it was.
pub(crate) struct Written {
    pub(crate) bytes: Vec<u8>,
    /// Those that it refers to, by their names beside it.
    pub(crate) others: Vec<(String, Vec<u8>)>,
    pub(crate) losses: Vec<Loss>,
}

impl Surroundings {
    pub(crate) fn new(args: &GltfArgs) -> Result<Self, Problem> {
        let with = args.with.iter().map(|path| {
            let source = Source { path: path.clone(), folder: None };
            let bytes = source.bytes()?;
            match source.parse(&bytes, None)?.document {
                Document::W3d(file) => Ok(file.into_owned()),
                Document::Mdx(_) => {
                    let error = Error::new("CONVERT-WITH", 0..0, "only W3D models are made of several files");
                    Err(Problem::content(path, error))
                }
            }
        });
        if let Some(folder) = args.textures.iter().find(|folder| !folder.is_dir()) {
            return Err(Problem::system(folder, "there is no such folder to look for textures", None));
        }
        Ok(Self {
            with: with.collect::<Result<_, _>>()?,
            textures: Textures::below(&args.textures),
            folders: Folders::default(),
            options: args.options(),
            scale: Some(args.scale),
        })
    }

    /// Writes a model as glTF; the names of several files begin with the stem.
    pub(crate) fn write(
        &self,
        source: &Source,
        document: &Document<'_>,
        written_from: WrittenFrom,
        stem: &str,
    ) -> Result<Written, Problem> {
        let mut find = |name: &str| {
            let file = self.textures.find(name, source.file(), &self.folders)?;
            fs::read(file).ok().map(Picture::File)
        };
        let game = model::guess(document).game;
        let (scene, report) = match document {
            Document::W3d(file) => self.w3d_scene(source.file(), file, game),
            Document::Mdx(document) => convert::mdx::to_scene(document, &Default::default()),
        };
        let options = gltf::Options {
            scale: match self.scale {
                Some(Scale::Game) => game.metres_per_unit(),
                Some(Scale::Factor(factor)) => factor,
                None => 1.0,
            },
            source: Some(gltf::Source {
                format: document.family().name().to_owned(),
                version: match document {
                    Document::W3d(_) => None,
                    Document::Mdx(document) => Some(document.version.to_string()),
                },
                game: game.name().to_owned(),
            }),
            ..self.options.clone()
        };
        let too_large = |error: gltf::Error| {
            Problem::content(&source.path, Error::new("CONVERT-SIZE", 0..0, error.to_string()))
        };
        let (bytes, others, written) = match written_from {
            WrittenFrom::SceneInFiles => {
                let gltf = gltf::write_gltf(&scene, &options, &mut find, stem).map_err(too_large)?;
                (gltf.json, gltf.files, gltf.report)
            }
            _ => {
                let glb = gltf::write_glb(&scene, &options, &mut find).map_err(too_large)?;
                (glb.bytes, Vec::new(), glb.report)
            }
        };
        let mut losses: Vec<Loss> = report.notes.into_iter().map(Loss::from).collect();
        if report.suppressed > 0 {
            losses.push(Loss::many(NoteKind::LeftOut, report.suppressed, "things more than were kept"));
        }
        losses.extend(gltf_losses(written));
        Ok(Written { bytes, others, losses })
    }

    fn w3d_scene(&self, path: Option<&Path>, file: &W3d<'_>, game: Game) -> (scene::Scene, Report) {
        let beside = path.map(|path| self.beside(path, file)).unwrap_or_default();
        let mut library = Library::new(file);
        // What the command line names goes before what happens to lie there.
        self.with.iter().chain(&beside).for_each(|document| library.add(document));
        let options = convert::w3d::Options {
            engine: match game {
                Game::Renegade | Game::EarthAndBeyond | Game::Tt4 | Game::Tt5 => Engine::Renegade,
                _ => Engine::Generals,
            },
            // What the command line names is attached even to a copy of its skeleton.
            clips_of_twins: !self.with.is_empty(),
            ..Default::default()
        };
        convert::w3d::to_scene(&library, None, &options)
    }

    /// The documents beside a model that may hold what it refers to: its skeletons and their animations, the models in it, and
    /// what those refer to in turn.
    fn beside(&self, model: &Path, file: &W3d<'_>) -> Vec<W3d<'static>> {
        let (Some(folder), Some(name)) = (model.parent(), model.file_name()) else { return Vec::new() };
        let name = name.to_string_lossy();
        let listing = self.folders.list(folder);
        let mut loaded: HashSet<&str> = HashSet::new();
        let mut documents: Vec<W3d<'static>> = Vec::new();
        let mut wanted = VecDeque::from(needs(file));
        while let Some(reference) = wanted.pop_front() {
            if matches!(reference, Reference::Texture(_)) {
                continue;
            }
            for found in find_beside(&reference, &name, listing.names.iter().map(String::as_str)) {
                if !loaded.insert(found) {
                    continue;
                }
                // Whatever cannot be read is not what was looked for: the scene says what it misses.
                let Some(document) = read(&folder.join(found)) else { continue };
                if matches!(reference, Reference::Object(_)) {
                    let more = needs(&document).into_iter();
                    wanted.extend(more.filter(|it| !matches!(it, Reference::Animations(_))));
                }
                documents.push(document);
            }
        }
        documents
    }
}

fn read(path: &Path) -> Option<W3d<'static>> {
    let bytes = fs::read(path).ok()?;
    W3d::parse(&bytes).ok().map(W3d::into_owned)
}

/// What the writer of glTF counted, in words.
fn gltf_losses(report: gltf::Report) -> Vec<Loss> {
    use NoteKind::{Assumed, Damaged, LeftOut, Missing};
    let missing = report.missing_textures.into_iter();
    let unreadable = report.unreadable_textures.into_iter();
    let dropped = report.dropped.into_iter();
    let counts = [
        (Assumed, report.omitted_meshes, "meshes omitted: hidden, empty or of a lesser level of detail"),
        (Assumed, report.degenerate_triangles, "triangles with two equal corners omitted"),
        (Damaged, report.broken_triangles, "triangles with vertices that do not exist omitted"),
        (Damaged, report.repaired_normals, "normals and tangents were not of unit length, normalised"),
        (Assumed, report.made_tangents, "meshes have a normal map but no tangents; generated"),
        (Damaged, report.repaired_numbers, "numbers were NaN or infinite, replaced by zero"),
        (Damaged, report.repaired_weights, "vertices have weights that did not sum to 1, normalised"),
        (
            Assumed,
            report.fixed_visibility,
            "skinned meshes show or hide as in the Stand clip; --material-animation animates it",
        ),
        (
            Assumed,
            usize::from(report.baked_globals),
            "global sequences baked into the clips: a node does not follow its parent's rotation",
        ),
    ];
    missing
        .map(|name| Loss::one(Missing, name, "texture not found"))
        .chain(dropped.map(|(material, dropped)| Loss::one(LeftOut, material, dropped.to_string())))
        .chain(unreadable.map(|(name, error)| Loss::one(Damaged, name, error.to_string())))
        .chain(
            counts
                .into_iter()
                .filter(|(_, count, _)| *count > 0)
                .map(|(kind, count, what)| Loss::many(kind, count, what)),
        )
        .collect()
}
