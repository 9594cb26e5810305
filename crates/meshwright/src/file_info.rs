//! What is known about one file: its summary, the files that it refers to, its bounds and its findings.

use std::path::{Path, PathBuf};

use assets::stock::StockKind;
use check::{Baseline, Levels, Options};
use gltf::Import;
use model::{
    Clip, Document, Evidence, Family, Format, Game, Games, Guess, Mesh, Need, Parsed, Skeleton, Summary,
};
use record::{Diagnostic, Severity};
use scene::Scene;
use serde_json::{Map, Value, json};

use crate::projects::absolute;
use crate::workspace::parse;
use crate::{Model, Result, Workspace, check_parsed, content_hash, is_gltf};

/// What is known about one file.
#[derive(Clone, Debug)]
pub struct FileInfo {
    /// The name of its format.
    pub format: &'static str,
    /// Its size in bytes.
    pub size: usize,
    /// SHA-256 of its bytes, in hexadecimal digits, if it is wanted.
    pub sha256: Option<String>,
    /// Its content.
    pub summary: Summary,
    /// For each texture of the summary where it is.
    pub textures: Vec<Place>,
    /// For each need of the summary where it is.
    pub needs: Vec<Place>,
    /// Bounding box of the meshes in the rest pose: minimum and maximum in the axes of glTF.
    pub bounds: Option<[[f32; 3]; 2]>,
    /// The findings of the rules.
    pub found: Vec<Diagnostic>,
}

/// Where a file that a model refers to is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// It was found.
    Found(PathBuf),
    /// It was not found, but the game ships a file of this name.
    Supplied,
    /// It was not found.
    Missing,
}

impl Place {
    fn new(found: Option<PathBuf>, is_supplied: impl FnOnce() -> bool) -> Self {
        match found {
            Some(path) => Self::Found(path),
            None if is_supplied() => Self::Supplied,
            None => Self::Missing,
        }
    }

    /// The file, if it was found.
    pub const fn file(&self) -> Option<&PathBuf> {
        match self {
            Self::Found(path) => Some(path),
            Self::Supplied | Self::Missing => None,
        }
    }

    fn shown(&self) -> Option<String> {
        self.file().map(|file| file.display().to_string())
    }
}

/// How a file is examined.
#[derive(Clone, Copy, Debug, Default)]
pub struct InfoOptions<'o> {
    /// The format to read; recognised without it.
    pub read_as: Option<&'static Format>,
    /// Whether to compute the hash.
    pub hash: bool,
    /// The game to check for; guessed without it.
    pub profile: Option<Game>,
    /// Evidence of all files in the folder, for the guess.
    pub evidence: Option<&'o Evidence>,
    /// Levels of rules.
    pub levels: Option<&'o Levels>,
    /// Findings that are known, and not listed.
    pub baseline: Option<&'o Baseline>,
}

impl Workspace {
    /// Examines a file and the files that it refers to: a model, or glTF. `path` is where it is, if it is anywhere.
    ///
    /// ```
    /// use meshwright::{InfoOptions, Workspace};
    /// let info = Workspace::default().examine(&w3d::sample::crate_box(), None, &InfoOptions::default())?;
    /// assert_eq!((info.format, info.summary.bones()), ("w3d", 3));
    /// assert_eq!(info.missing().collect::<Vec<_>>(), ["mwcrate.tga"]);
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn examine(&self, bytes: &[u8], path: Option<&Path>, options: &InfoOptions<'_>) -> Result<FileInfo> {
        if is_gltf(bytes, path, options.read_as) {
            return self.examine_gltf(bytes, path, options);
        }
        let parsed = parse(bytes, path, options.read_as)?;
        let scene = self.own_scene(&parsed.document, false);
        Ok(self.examine_parsed(&parsed, &scene, bytes, path, options))
    }

    /// The same for a model that was read before. The scene is the [own](Self::own_scene) one of the document; its bounds are taken.
    pub fn examine_parsed(
        &self,
        parsed: &Parsed<'_>,
        scene: &Scene,
        bytes: &[u8],
        path: Option<&Path>,
        options: &InfoOptions<'_>,
    ) -> FileInfo {
        let found = self.findings(bytes, path, parsed, options);
        self.examine_document(&parsed.document, parsed.format, scene, bytes, path, options, found)
    }

    #[expect(clippy::too_many_arguments, reason = "what is known before, and how it is examined")]
    fn examine_document(
        &self,
        document: &Document<'_>,
        format: &'static Format,
        scene: &Scene,
        bytes: &[u8],
        path: Option<&Path>,
        options: &InfoOptions<'_>,
        found: Vec<Diagnostic>,
    ) -> FileInfo {
        let mut summary = Summary::of(document);
        if let Some(evidence) = options.evidence {
            summary.game = evidence.guess_for(document);
        }
        let family = document.family();
        let lookup = self.lookup(path);
        let game = options.profile.unwrap_or(summary.game.game);
        let texture = |name: &String| {
            let found = lookup.texture(name, family).map(|found| found.path);
            Place::new(found, || lookup.is_supplied(game, StockKind::Texture, name))
        };
        let need = |need: &Need| {
            let found = self.needed_file(path, family, need);
            Place::new(found, || lookup.is_supplied(game, StockKind::Model, &need.file))
        };
        FileInfo {
            format: format.name,
            size: bytes.len(),
            sha256: options.hash.then(|| content_hash(bytes)),
            bounds: scene.rest_bounds().map(|bounds| [bounds.min.to_array(), bounds.max.to_array()]),
            textures: summary.textures.iter().map(texture).collect(),
            needs: summary.needs.iter().map(need).collect(),
            found,
            summary,
        }
    }

    /// Examines a glTF file. No rules are checked: it is not a file of a game.
    fn examine_gltf(&self, bytes: &[u8], path: Option<&Path>, options: &InfoOptions<'_>) -> Result<FileInfo> {
        let import = self.read_gltf(bytes, path, None)?;
        let summary = summary_of_gltf(&import);
        let inside = |name: &String| {
            let picture = import.pictures.get(name);
            Place::new(picture.map(|_| path.unwrap_or(Path::new("")).to_owned()), || false)
        };
        let bounds = import.scene.rest_bounds();
        Ok(FileInfo {
            format: if bytes.starts_with(b"glTF") { "glb" } else { "gltf" },
            size: bytes.len(),
            sha256: options.hash.then(|| content_hash(bytes)),
            bounds: bounds.map(|bounds| [bounds.min.to_array(), bounds.max.to_array()]),
            textures: summary.textures.iter().map(inside).collect(),
            needs: Vec::new(),
            found: Vec::new(),
            summary,
        })
    }

    /// The findings of the rules, for the same game and with the same settings as a check.
    fn findings(
        &self,
        bytes: &[u8],
        path: Option<&Path>,
        parsed: &Parsed<'_>,
        options: &InfoOptions<'_>,
    ) -> Vec<Diagnostic> {
        let file_name = path.and_then(Path::file_name).map(|name| name.to_string_lossy());
        let check = Options {
            profile: options.profile,
            evidence: options.evidence,
            levels: options.levels,
            file_name: file_name.as_deref(),
            lookup: path.map(|path| self.lookup(Some(path))),
        };
        let mut found = check_parsed(parsed, bytes, &check).diagnostics;
        if let Some((baseline, path)) = options.baseline.zip(path) {
            let path = absolute(path);
            found.retain(|finding| !baseline.knows(&path, finding));
        }
        found
    }
}

impl Model {
    /// What is known about the model and the files that it refers to. Size and hash are those of the binary form.
    pub fn examine(&self, workspace: &Workspace, options: &InfoOptions<'_>) -> Result<FileInfo> {
        let bytes = self.to_bytes()?;
        let evidence = self.evidence();
        let options = InfoOptions { evidence: options.evidence.or(evidence.as_ref()), ..*options };
        let check = check::Options { profile: options.profile, levels: options.levels, ..Options::default() };
        let found = self.report(workspace, &check).diagnostics;
        let scene = workspace.own_scene(self.document(), false);
        let (document, format) = (self.document(), self.format());
        Ok(workspace.examine_document(document, format, &scene, &bytes, self.path(), &options, found))
    }
}

impl FileInfo {
    /// Number of findings by severity, the worst first.
    pub fn counts(&self) -> [(Severity, usize); 4] {
        [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint]
            .map(|severity| (severity, self.found.iter().filter(|found| found.severity == severity).count()))
    }

    /// Names of the textures that were not found.
    pub fn missing(&self) -> impl Iterator<Item = &String> {
        let textures = self.summary.textures.iter().zip(&self.textures);
        textures.filter(|(_, place)| **place == Place::Missing).map(|(name, _)| name)
    }

    /// Names of the textures that were not found, but that the game supplies.
    pub fn supplied(&self) -> impl Iterator<Item = &String> {
        let textures = self.summary.textures.iter().zip(&self.textures);
        textures.filter(|(_, place)| **place == Place::Supplied).map(|(name, _)| name)
    }

    /// As `docs/info.schema.json` describes it; `file` is the name to write.
    pub fn to_json(&self, file: &str) -> Value {
        let mut object = json!({ "file": file, "format": self.format, "size": self.size });
        let found: Map<_, _> = self
            .counts()
            .into_iter()
            .map(|(severity, count)| (severity.word().to_owned(), count.into()))
            .collect();
        let summary = serde_json::to_value(&self.summary).unwrap_or_default();
        if let (Some(object), Value::Object(summary)) = (object.as_object_mut(), summary) {
            object.insert("sha256".to_owned(), self.sha256.clone().into());
            object.extend(summary);
            let textures = self.summary.textures.iter().zip(&self.textures);
            let textures = textures.map(|(name, place)| {
                json!({ "name": name, "file": place.shown(), "supplied": *place == Place::Supplied })
            });
            let textures = textures.collect();
            object.insert("textures".to_owned(), textures);
            for (need, place) in
                object.get_mut("needs").and_then(Value::as_array_mut).into_iter().flatten().zip(&self.needs)
            {
                need["path"] = place.shown().into();
                need["supplied"] = (*place == Place::Supplied).into();
            }
            let bounds = self.bounds.map(|[min, max]| json!({ "min": min, "max": max }));
            object.insert("bounds".to_owned(), bounds.into());
            object.insert("findings".to_owned(), Value::Object(found));
        }
        object
    }
}

/// The summary of a glTF file.
fn summary_of_gltf(import: &Import) -> Summary {
    let scene = &import.scene;
    let meshes = scene.meshes.iter().map(|mesh| Mesh {
        name: mesh.name.clone(),
        vertices: mesh.positions.len(),
        triangles: mesh.indices.len() / 3,
        skinned: mesh.skin.is_some(),
    });
    let clips = scene.clips.iter().map(|clip| Clip {
        name: clip.name.clone(),
        seconds: f64::from(clip.duration),
        rate: clip.frame_rate.map(f64::from),
        frames: None,
        interval: None,
        looping: Some(clip.looping),
        speed: Some(clip.move_speed).filter(|speed| *speed != 0.0),
        rarity: Some(clip.rarity).filter(|rarity| *rarity != 0.0),
    });
    let mut textures: Vec<String> = Vec::new();
    for texture in scene.textures.iter().filter(|texture| !texture.name.is_empty()) {
        if !textures.contains(&texture.name) {
            textures.push(texture.name.clone());
        }
    }
    Summary {
        version: Some("version 2.0".to_owned()),
        models: Some(scene.name.clone()).filter(|name| !name.is_empty()).into_iter().collect(),
        meshes: meshes.collect(),
        materials: scene.materials.len(),
        skeletons: skeleton(scene).into_iter().collect(),
        clips: clips.collect(),
        textures,
        objects: objects(scene),
        needs: Vec::new(),
        game: game(import),
    }
}

fn skeleton(scene: &Scene) -> Option<Skeleton> {
    let name = if scene.name.is_empty() { "nodes" } else { &scene.name };
    (!scene.nodes.is_empty()).then(|| Skeleton { name: name.to_owned(), bones: scene.nodes.len() })
}

fn objects(scene: &Scene) -> Vec<(&'static str, usize)> {
    let all = [
        ("light", scene.lights.len()),
        ("camera", scene.cameras.len()),
        ("attachment", scene.attachments.len()),
        ("emitter", scene.emitters.len()),
        ("ribbon emitter", scene.ribbons.len()),
        ("event object", scene.events.len()),
        ("collision shape", scene.collision_shapes.len()),
        ("global sequence", scene.global_sequences.len()),
    ];
    all.into_iter().filter(|(_, count)| *count > 0).collect()
}

fn game(import: &Import) -> Guess {
    let known = import.source.as_ref().and_then(|source| Some((Game::named(&source.game)?, source)));
    match known {
        Some((game, source)) => {
            let family = Family::named(&source.format).unwrap_or(Family::Mdx);
            let reason = format!("Meshwright wrote the file from a {} model", source.format);
            Guess { game, possible: Games::of(family), reason }
        }
        None => Guess {
            game: Game::Wc3Classic,
            possible: Games::of(Family::Mdx),
            reason: "a glTF file is for no game in particular".to_owned(),
        },
    }
}
