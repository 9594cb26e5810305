//! Models as scenes, together with the files that they refer to.

use std::path::PathBuf;

use assets::{Located, Lookup, Resolver};
use convert::Report;
use convert::w3d::{Engine, Library};
use model::{Document, Game};
use scene::Scene;
use w3d::W3d;

use crate::input::{self, Source};

/// Converts models to scenes, and finds their textures.
pub(crate) struct Scenes {
    resolver: Resolver,
}

impl Scenes {
    pub(crate) const fn new(resolver: Resolver) -> Self {
        Self { resolver }
    }

    /// The search for what a model refers to.
    pub(crate) fn lookup<'s>(&'s self, source: &'s Source) -> Lookup<'s> {
        source.file().map_or_else(|| self.resolver.lookup_anywhere(), |path| self.resolver.lookup(path))
    }

    /// The scene of a model, and what could not be converted or found.
    pub(crate) fn scene(&self, source: &Source, document: &Document<'_>, game: Game) -> (Scene, Report) {
        match document {
            Document::W3d(file) => self.w3d(self.lookup(source), file, game),
            Document::Mdx(document) => {
                let options = convert::mdx::Options { limits: input::limits(), ..Default::default() };
                convert::mdx::to_scene(document, &options)
            }
        }
    }

    /// The other W3D files that the scene of a model is made of.
    pub(crate) fn companions(&self, source: &Source, document: &Document<'_>) -> Vec<PathBuf> {
        let Document::W3d(file) = document else { return Vec::new() };
        let given = self.resolver.given().iter().map(|found| found.path.clone());
        given.chain(self.lookup(source).companions(file).paths).collect()
    }

    /// The file of a texture.
    pub(crate) fn read(&self, found: &Located) -> Option<Vec<u8>> {
        self.resolver.files().read(&found.path).ok()
    }

    fn w3d(&self, lookup: Lookup<'_>, file: &W3d<'_>, game: Game) -> (Scene, Report) {
        let companions = lookup.companions(file);
        let mut library = Library::new(file);
        // Files given by the user have priority over files that were found.
        let given = self.resolver.given().iter().map(|found| &found.document);
        given.chain(&companions.documents).for_each(|document| library.add(document));
        let options = convert::w3d::Options {
            engine: match game {
                Game::Renegade | Game::EarthAndBeyond | Game::Tt4 | Game::Tt5 => Engine::Renegade,
                _ => Engine::Generals,
            },
            // Animations for an equal skeleton of another name are used only from files given by the user.
            clips_of_twins: !self.resolver.given().is_empty(),
            limits: input::limits(),
            ..Default::default()
        };
        convert::w3d::to_scene(&library, None, &options)
    }
}
