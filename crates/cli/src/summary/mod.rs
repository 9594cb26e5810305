//! What a model holds, in words that every format can use.

pub(crate) mod mdx;
pub(crate) mod w3d;

use serde_json::{Value, json};

/// What a model holds.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    /// Version of the format, as far as the file says.
    pub(crate) version: Option<String>,
    /// Names of the models that are made of the parts below.
    pub(crate) models: Vec<String>,
    pub(crate) meshes: Vec<Mesh>,
    /// Number of materials.
    pub(crate) materials: usize,
    pub(crate) skeletons: Vec<Skeleton>,
    pub(crate) clips: Vec<Clip>,
    /// Names of texture files, each once, as first written.
    pub(crate) textures: Vec<String>,
    /// Everything else that can be counted: `emitter`, `light`, `collision box` ...
    pub(crate) objects: Vec<(&'static str, usize)>,
    /// What is referred to but not inside.
    pub(crate) needs: Vec<Need>,
    /// Which game it is probably for.
    pub(crate) game: Guess,
}

#[derive(Debug)]
pub(crate) struct Mesh {
    pub(crate) name: String,
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
    /// Whether bones deform it.
    pub(crate) skinned: bool,
}

#[derive(Debug)]
pub(crate) struct Skeleton {
    pub(crate) name: String,
    pub(crate) bones: usize,
}

#[derive(Debug)]
pub(crate) struct Clip {
    pub(crate) name: String,
    pub(crate) seconds: f64,
    /// Frames per second, in formats that count frames.
    pub(crate) rate: Option<f64>,
    /// Number of frames, in formats that count them.
    pub(crate) frames: Option<u32>,
}

/// Something in another file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Need {
    /// `skeleton`, `model` ...
    pub(crate) what: &'static str,
    pub(crate) name: String,
    /// The file that the engine looks for.
    pub(crate) file: String,
}

#[derive(Debug, Default)]
pub(crate) struct Guess {
    /// Names of the games that fit; none if nothing tells them apart.
    pub(crate) games: Vec<&'static str>,
    /// Why.
    pub(crate) reason: String,
}

impl Summary {
    pub(crate) fn vertices(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.vertices).sum()
    }

    pub(crate) fn triangles(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.triangles).sum()
    }

    pub(crate) fn bones(&self) -> usize {
        self.skeletons.iter().map(|skeleton| skeleton.bones).sum()
    }

    /// Adds a texture unless it is there already; engines ignore the case of file names.
    pub(crate) fn add_texture(&mut self, name: String) {
        if !name.is_empty() && !self.textures.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            self.textures.push(name);
        }
    }

    /// Adds a need unless it is there already.
    pub(crate) fn add_need(&mut self, need: Need) {
        if !self.needs.contains(&need) {
            self.needs.push(need);
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        let meshes = self.meshes.iter().map(|mesh| {
            json!({
                "name": mesh.name, "vertices": mesh.vertices, "triangles": mesh.triangles,
                "skinned": mesh.skinned,
            })
        });
        let skeletons = self.skeletons.iter().map(|it| json!({ "name": it.name, "bones": it.bones }));
        let clips = self.clips.iter().map(|clip| {
            json!({ "name": clip.name, "seconds": clip.seconds, "rate": clip.rate, "frames": clip.frames })
        });
        let objects: serde_json::Map<_, _> =
            self.objects.iter().map(|(what, count)| ((*what).to_owned(), (*count).into())).collect();
        let needs =
            self.needs.iter().map(|need| json!({ "what": need.what, "name": need.name, "file": need.file }));
        json!({
            "version": self.version,
            "models": self.models,
            "vertices": self.vertices(),
            "triangles": self.triangles(),
            "bones": self.bones(),
            "materials": self.materials,
            "meshes": meshes.collect::<Vec<_>>(),
            "skeletons": skeletons.collect::<Vec<_>>(),
            "clips": clips.collect::<Vec<_>>(),
            "objects": objects,
            "needs": needs.collect::<Vec<_>>(),
            "game": { "candidates": self.game.games, "reason": self.game.reason },
        })
    }
}
