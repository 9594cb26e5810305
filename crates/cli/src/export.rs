//! Models as glTF, together with the files that they refer to.

use std::collections::HashMap;
use std::path::PathBuf;

use assets::{Family, Located, Lookup, Resolver};
use convert::NoteKind;
use gltf::{Picture, TextureSource};
use model::{Document, Game, WrittenFrom};
use record::Error;
use scene::Scene;

use crate::args::{GltfArgs, Scale};
use crate::guesses;
use crate::input::{self, Problem, Source};
use crate::losses::Loss;
use crate::scenes::Scenes;

/// Writes models as glTF, together with the files that they refer to.
pub(crate) struct Exporter {
    scenes: Scenes,
    options: gltf::Options,
    scale: Option<Scale>,
}

/// The exported files and the losses.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) bytes: Vec<u8>,
    /// The name of the main file, if the game looks for it under another name than the user gave.
    pub(crate) renamed: Option<String>,
    /// Further files in the same folder, by name.
    pub(crate) others: Vec<(String, Vec<u8>)>,
    /// The files that were read for it, besides the model.
    pub(crate) read: Vec<PathBuf>,
    pub(crate) losses: Vec<Loss>,
}

/// The scene of a document, with everything that is needed to write it.
pub(crate) struct Prepared<'e> {
    pub(crate) scene: Scene,
    pub(crate) game: Game,
    pub(crate) textures: Textures<'e>,
    pub(crate) losses: Vec<Loss>,
}

impl Exporter {
    pub(crate) fn new(args: &GltfArgs, resolver: Resolver) -> Self {
        Self { scenes: Scenes::new(resolver), options: args.options(), scale: args.scale }
    }

    /// Metres for each unit of a model of this game.
    pub(crate) fn scale(&self, game: Game) -> f32 {
        match self.scale {
            Some(Scale::Game) => game.metres_per_unit(),
            Some(Scale::Factor(factor)) => factor,
            None => 1.0,
        }
    }

    /// The other W3D files that the scene of a document is made of.
    pub(crate) fn companions(&self, source: &Source, document: &Document<'_>) -> Vec<PathBuf> {
        self.scenes.companions(source, document)
    }

    /// Makes the scene of a document, and finds the files that it refers to.
    pub(crate) fn prepare<'e>(
        &'e self,
        source: &'e Source,
        document: &Document<'_>,
    ) -> Result<Prepared<'e>, Problem> {
        let textures = Textures {
            scenes: &self.scenes,
            lookup: self.scenes.lookup(source),
            family: document.family(),
            located: HashMap::new(),
            elsewhere: Vec::new(),
        };
        let game = guesses::game_of(source, document);
        let (scene, report) = self.scenes.scene(source, document, game);
        if is_empty(&scene) {
            let message = "nothing to convert: the file has no meshes, bones, animations or other objects";
            return Err(Problem::content(&source.path, Error::new("CONVERT-EMPTY", 0..0, message)));
        }
        let mut losses: Vec<Loss> = report.notes.into_iter().map(Loss::from).collect();
        if report.suppressed > 0 {
            losses.push(Loss::counted(
                NoteKind::LeftOut,
                report.suppressed,
                "further note suppressed",
                "further notes suppressed",
            ));
        }
        Ok(Prepared { scene, game, textures, losses })
    }

    /// Exports a model as glTF; the names of further files start with `stem`.
    pub(crate) fn write(
        &self,
        source: &Source,
        document: &Document<'_>,
        written_from: WrittenFrom,
        stem: &str,
    ) -> Result<Written, Problem> {
        let Prepared { scene, game, mut textures, losses } = self.prepare(source, document)?;
        let from = gltf::Source {
            format: document.family().name().to_owned(),
            version: match document {
                Document::W3d(_) => None,
                Document::Mdx(document) => Some(document.version.to_string()),
            },
            game: game.name().to_owned(),
        };
        let mut written =
            self.write_scene(source, &scene, game, Some(from), &mut textures, (written_from, stem))?;
        written.losses.splice(0..0, losses);
        written.losses.append(&mut textures.elsewhere);
        written.read.extend(textures.files());
        Ok(written)
    }

    /// Writes a scene as glTF. `from` is what it was made of.
    pub(crate) fn write_scene(
        &self,
        source: &Source,
        scene: &Scene,
        game: Game,
        from: Option<gltf::Source>,
        textures: &mut dyn TextureSource,
        (written_from, stem): (WrittenFrom, &str),
    ) -> Result<Written, Problem> {
        let options = gltf::Options {
            scale: self.scale(game),
            source: from,
            limits: input::limits(),
            ..self.options.clone()
        };
        let too_large = |error: gltf::Error| {
            let problem = Error::new("CONVERT-SIZE", 0..0, error.to_string());
            let problem = match error {
                gltf::Error::Limit(exceeded) => {
                    problem.with_note(format!("use --limit {}=N to raise the limit", exceeded.name))
                }
                _ => problem,
            };
            Problem::content(&source.path, problem)
        };
        let (bytes, others, report) = match written_from {
            WrittenFrom::SceneInFiles => {
                let gltf = gltf::write_gltf(scene, &options, textures, stem).map_err(too_large)?;
                (gltf.json, gltf.files, gltf.report)
            }
            _ => {
                let glb = gltf::write_glb(scene, &options, textures).map_err(too_large)?;
                (glb.bytes, Vec::new(), glb.report)
            }
        };
        Ok(Written { bytes, others, losses: gltf_losses(report), ..Written::default() })
    }
}

/// The textures of a model, each searched once.
pub(crate) struct Textures<'t> {
    scenes: &'t Scenes,
    lookup: Lookup<'t>,
    family: Family,
    located: HashMap<String, Option<Located>>,
    /// Textures that the game would not find.
    pub(crate) elsewhere: Vec<Loss>,
}

impl Textures<'_> {
    /// The files that were found.
    pub(crate) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.located.values().flatten().map(|located| located.path.clone())
    }

    fn locate(&mut self, name: &str) -> Option<&Located> {
        if !self.located.contains_key(name) {
            let found = self.lookup.texture(name, self.family);
            self.located.insert(name.to_owned(), found);
        }
        self.located.get(name)?.as_ref()
    }
}

impl TextureSource for Textures<'_> {
    fn find(&mut self, name: &str) -> Option<Picture> {
        let found = self.locate(name)?.clone();
        let picture = self.scenes.read(&found).map(Picture::File)?;
        if !found.expected {
            let found = found.path.display();
            let message = format!("found in a folder that the game does not search: {found}");
            self.elsewhere.push(Loss::one(NoteKind::Assumed, name.to_owned(), message));
        }
        Some(picture)
    }

    fn key(&mut self, name: &str) -> String {
        match self.locate(name) {
            // Different names may refer to one file through links.
            Some(found) => {
                let path = found.path.canonicalize().unwrap_or_else(|_| found.path.clone());
                path.to_string_lossy().into_owned()
            }
            None => name.to_lowercase(),
        }
    }
}

/// Whether a scene would be an empty glTF file. A model without any object still has a root node.
fn is_empty(scene: &Scene) -> bool {
    scene.nodes.len() <= 1
        && scene.meshes.is_empty()
        && scene.clips.is_empty()
        && scene.lights.is_empty()
        && scene.cameras.is_empty()
        && scene.emitters.is_empty()
        && scene.ribbons.is_empty()
        && scene.primitives.is_empty()
        && scene.attachments.is_empty()
        && scene.events.is_empty()
        && scene.collision_shapes.is_empty()
        && scene.dazzles.is_empty()
        && scene.sounds.is_empty()
}

/// What the glTF writer counted, as messages.
fn gltf_losses(report: gltf::Report) -> Vec<Loss> {
    use NoteKind::{Assumed, Damaged, LeftOut, Missing};
    let missing = report.missing_textures.into_iter();
    let unreadable = report.unreadable_textures.into_iter();
    let dropped = report.dropped.into_iter();
    let counts = [
        (
            Assumed,
            report.omitted_meshes,
            "mesh skipped (hidden, empty or lower level of detail)",
            "meshes skipped (hidden, empty or lower level of detail)",
        ),
        (
            Assumed,
            report.degenerate_triangles,
            "degenerate triangle (two equal corners), dropped",
            "degenerate triangles (two equal corners), dropped",
        ),
        (
            Damaged,
            report.broken_triangles,
            "triangle with an out-of-range index, dropped",
            "triangles with out-of-range indices, dropped",
        ),
        (
            Assumed,
            report.repaired_normals,
            "non-unit normal or tangent, normalised",
            "non-unit normals or tangents, normalised",
        ),
        (
            Assumed,
            report.made_tangents,
            "mesh with a normal map but no tangents; generated with MikkTSpace",
            "meshes with a normal map but no tangents; generated with MikkTSpace",
        ),
        (
            Damaged,
            report.repaired_numbers,
            "NaN or infinite value, set to zero",
            "NaN or infinite values, set to zero",
        ),
        (
            Damaged,
            report.repaired_weights,
            "vertex whose weights did not sum to 1, normalised",
            "vertices whose weights did not sum to 1, normalised",
        ),
        (
            Assumed,
            report.fixed_visibility,
            "skinned mesh with the visibility of the Stand clip; --material-animation animates it",
            "skinned meshes with the visibility of the Stand clip; --material-animation animates it",
        ),
        (
            Assumed,
            usize::from(report.baked_globals),
            "model with global sequences baked into its clips: a node ignores its parent's rotation",
            "models with global sequences baked into their clips: a node ignores its parent's rotation",
        ),
    ];
    missing
        .map(|name| Loss::one(Missing, name, "texture not found"))
        .chain(dropped.map(|(material, dropped)| Loss::one(LeftOut, material, dropped.to_string())))
        .chain(unreadable.map(|(name, error)| Loss::one(Damaged, name, error.to_string())))
        .chain(
            counts
                .into_iter()
                .filter(|(_, count, ..)| *count > 0)
                .map(|(kind, count, one, many)| Loss::counted(kind, count, one, many)),
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_normal_that_keeps_its_direction_is_no_loss() {
        let report = gltf::Report { repaired_normals: 3, ..gltf::Report::default() };
        assert!(gltf_losses(report).iter().all(|loss| !loss.is_loss()));
        let report = gltf::Report { repaired_weights: 3, ..gltf::Report::default() };
        assert!(gltf_losses(report).iter().any(Loss::is_loss));
    }
}
