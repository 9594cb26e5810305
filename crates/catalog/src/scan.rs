//! The rows of one input.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use glam::{Affine3A, Vec3};
use meshwright::scene::{AlphaTest, Mesh, Scene, SlotKind};
use meshwright::{
    Content, Document, Evidence, FileInfo, Format, InfoOptions, Place, Severity, Skeleton, Workspace,
    archive, is_gltf, is_texture_name, texture,
};

use crate::hash::{self, Geometry, folded, folded_path};
use crate::input::{Input, is_archive, uri};
use crate::rows::{Rows, Value};
use crate::schema::{SCHEMA_VERSION, Table};

/// Version of the library that makes the rows.
pub const TOOL_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Textures whose facts are remembered, because many models use them. When there are more, all are forgotten.
const MAX_TEXTURES: usize = 20_000;

/// Makes rows. One serves all threads; what a row says depends on the input and the files near it, and on nothing that was scanned before.
#[derive(Debug)]
pub struct Scanner {
    workspace: Workspace,
    scanned_at: i64,
    textures: Mutex<HashMap<PathBuf, TextureFacts>>,
}

/// What is known about the file of a texture.
#[derive(Clone, Debug, Default)]
struct TextureFacts {
    is_readable: bool,
    kind: Option<String>,
    size: Option<(u32, u32)>,
    content: Option<String>,
    pixels: Option<String>,
}

impl TextureFacts {
    fn of(bytes: &[u8], name: &str) -> Self {
        let assume_tga = name.to_ascii_lowercase().ends_with(".tga");
        let decoder = texture::Decoder { assume_tga, ..texture::Decoder::default() };
        let info = decoder.info(bytes).ok();
        let image = info.and_then(|_| decoder.decode_top(bytes).ok());
        Self {
            is_readable: info.is_some(),
            kind: info.map(|info| format!("{:?}", info.container).to_lowercase()),
            size: info.map(|info| (info.width, info.height)),
            content: Some(hash::content(bytes)),
            pixels: image.as_ref().map(hash::pixels),
        }
    }
}

/// A row under construction: values in the order of the columns.
struct Row(Vec<Value>);

impl Row {
    fn add(&mut self, value: impl Into<Value>) -> &mut Self {
        self.0.push(value.into());
        self
    }

    fn bounds(&mut self, bounds: Option<[[f32; 3]; 2]>) -> &mut Self {
        match bounds {
            Some(bounds) => bounds.as_flattened().iter().for_each(|value| self.0.push((*value).into())),
            None => self.0.extend([const { Value::Null }; 6]),
        }
        self
    }

    fn finish(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.0)
    }
}

/// What `files` says about an input that was read.
#[derive(Default)]
struct Facts {
    size: Option<u64>,
    content: Option<String>,
    format: Option<String>,
    info: Option<FileInfo>,
    skeleton: Option<String>,
    skeleton_hash: Option<String>,
    nameless: Option<String>,
    topology: Option<String>,
    shape: Option<hash::ShapeHashes>,
    is_damaged: bool,
    error: Option<String>,
}

impl Scanner {
    /// Reads files through a workspace. `scanned_at` is the start of the run, in milliseconds since 1970.
    pub fn new(workspace: Workspace, scanned_at: i64) -> Self {
        Self { workspace, scanned_at, textures: Mutex::default() }
    }

    /// Reads an input.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn read(&self, input: &Input) -> Result<Vec<u8>, String> {
        match &input.problem {
            Some(problem) => Err(problem.clone()),
            None => self.workspace.files().read(&input.path).map_err(|error| error.kind.to_string()),
        }
    }

    /// The rows of an input: one in `files`, whatever it is, and those of its content.
    pub fn scan(&self, input: &Input) -> Rows {
        // The content of an archive is in the rows of its members, and it may be larger than memory.
        if is_archive(&input.path) && input.problem.is_none() && input.path.is_file() {
            return self.archive(input);
        }
        match self.read(input) {
            Ok(bytes) => self.scan_bytes(input, Ok(&bytes)),
            Err(error) => self.scan_bytes(input, Err(error)),
        }
    }

    /// The rows of an input that was read before, or could not be read. The path of the input says where the files are that it refers to; an
    /// empty path, that there are none.
    pub fn scan_bytes(&self, input: &Input, bytes: Result<&[u8], String>) -> Rows {
        let mut rows = Rows::default();
        let facts = match bytes {
            Ok(bytes) => self.content(input, bytes, &mut rows),
            Err(error) => {
                Facts { size: input.stat.map(|stat| stat.size), error: Some(error), ..Facts::default() }
            }
        };
        self.file_row(input, facts, None, &mut rows);
        rows
    }

    /// The row of a file that is in an earlier catalog, but not there any more.
    pub(crate) fn gone(&self, input: &Input) -> Rows {
        let mut rows = Rows::default();
        self.file_row(input, Facts::default(), Some("gone"), &mut rows);
        rows
    }

    fn archive(&self, input: &Input) -> Rows {
        let mut rows = Rows::default();
        let mut facts = Facts { size: input.stat.map(|stat| stat.size), ..Facts::default() };
        match archive::Archive::open_path(&input.path) {
            Ok(archive) => facts.format = Some(archive.kind().name().to_lowercase()),
            Err(error) => facts.error = Some(error.to_string()),
        }
        self.file_row(input, facts, None, &mut rows);
        rows
    }

    fn start(&self, input: &Input, index: usize) -> Row {
        let mut row = Row(Vec::with_capacity(Table::Meshes.columns().len()));
        row.add(input.file_id()).add(self.scanned_at).add(index);
        row
    }

    fn file_row(&self, input: &Input, facts: Facts, status: Option<&str>, rows: &mut Rows) {
        let name = input.uri.rsplit('/').next().unwrap_or_default();
        let ext = name.rsplit_once('.').map_or(String::new(), |(_, ext)| ext.to_lowercase());
        let summary = facts.info.as_ref().map(|info| &info.summary);
        let count = |of: fn(&meshwright::Summary) -> usize| summary.map_or(0, of);
        let status = status.unwrap_or(match (&facts.error, facts.is_damaged) {
            (Some(_), _) => "unreadable",
            (None, true) => "damaged",
            (None, false) => "ok",
        });
        let missing = facts.info.as_ref().map_or(0, |info| {
            info.textures.iter().chain(&info.needs).filter(|place| **place == Place::Missing).count()
        });
        let found = |severity| {
            let found = facts.info.iter().flat_map(|info| &info.found);
            found.filter(|found| found.severity == severity).count()
        };
        let games: Vec<String> = summary.map_or_else(Vec::new, |summary| {
            summary.game.possible.iter().map(|game| game.name().to_owned()).collect()
        });
        let mut row = Row(Vec::with_capacity(Table::Files.columns().len()));
        row.add(input.file_id()).add(self.scanned_at).add(input.uri.as_str());
        let (archive, member) = input.member.clone().unzip();
        row.add(archive).add(member).add(name).add(folded_path(name)).add(ext);
        row.add(facts.size).add(input.stat.map(|stat| stat.mtime)).add(input.etag.clone());
        row.add(facts.content).add(facts.format).add(summary.and_then(|summary| summary.version.clone()));
        row.add(summary.map(|summary| summary.game.game.name())).add(games);
        row.add(summary.map_or_else(Vec::new, |summary| summary.models.clone()));
        row.add(facts.skeleton.as_deref()).add(facts.skeleton.as_deref().map(folded));
        row.bounds(facts.info.as_ref().and_then(|info| info.bounds));
        row.add(count(|it| it.meshes.len())).add(count(meshwright::Summary::vertices));
        row.add(count(meshwright::Summary::triangles)).add(count(meshwright::Summary::bones));
        row.add(count(|it| it.materials)).add(count(|it| it.clips.len())).add(count(|it| it.textures.len()));
        row.add(missing).add(found(Severity::Error)).add(found(Severity::Warning));
        let (first, second) = facts.shape.map(|shape| (shape.first, shape.second)).unzip();
        row.add(facts.nameless).add(facts.topology).add(first).add(second).add(facts.skeleton_hash);
        row.add(status).add(facts.error).add(TOOL_VERSION).add(SCHEMA_VERSION);
        rows.push(Table::Files, row.finish());
    }

    fn content(&self, input: &Input, bytes: &[u8], rows: &mut Rows) -> Facts {
        let path = Some(input.path.as_path()).filter(|path| !path.as_os_str().is_empty());
        let name = input.uri.rsplit('/').next().unwrap_or_default();
        let facts =
            Facts { size: Some(bytes.len() as u64), content: Some(hash::content(bytes)), ..Facts::default() };
        if Content::of(bytes) == Some(Content::GitLfs) {
            return Facts { error: Some("a Git LFS pointer, not a model or texture".to_owned()), ..facts };
        }
        // The name tells the format where the content does not; a path may be missing.
        let named = path.unwrap_or(Path::new(name));
        if is_gltf(bytes, Some(named), None) {
            return self.gltf(input, bytes, path, facts, rows);
        }
        let parsed = match Format::detect(bytes, Some(name)).and_then(|format| format.read(bytes)) {
            Ok(parsed) => parsed,
            Err(error) => return self.texture_file(input, bytes, name, error.to_string(), facts, rows),
        };
        let is_mdx = matches!(parsed.document, Document::Mdx(_));
        // Clips of W3D are hashed by their chunks, which needs no scene.
        let scene = self.workspace.own_scene(&parsed.document, is_mdx);
        let evidence = Evidence::of_file(&parsed.document, Path::new(&input.uri));
        let options = InfoOptions { evidence: Some(&evidence), ..InfoOptions::default() };
        let info = self.workspace.examine_parsed(&parsed, &scene, bytes, path, &options);
        let skeletons = Skeleton::all(&parsed.document);
        let is_damaged = parsed.diagnostics().iter().any(|found| found.severity == Severity::Error);
        let nameless = hash::nameless(&parsed.document, &info.summary.textures);
        self.clips(input, &parsed.document, &scene, &info, rows);
        let facts = Facts {
            format: Some(info.format.to_owned()),
            nameless: Some(nameless),
            is_damaged,
            ..self.parts(input, &scene, &info, &skeletons, facts, rows)
        };
        Facts { info: Some(info), ..facts }
    }

    fn gltf(&self, input: &Input, bytes: &[u8], path: Option<&Path>, facts: Facts, rows: &mut Rows) -> Facts {
        let options = InfoOptions::default();
        let read = self.workspace.read_gltf(bytes, path, None);
        let scene = match read {
            Ok(import) => import.scene,
            Err(error) => return Facts { error: Some(error.to_string()), ..facts },
        };
        let info = match self.workspace.examine(bytes, Some(path.unwrap_or(Path::new(&input.uri))), &options)
        {
            Ok(info) => info,
            Err(error) => return Facts { error: Some(error.to_string()), ..facts },
        };
        let bone = |node: &meshwright::scene::Node| meshwright::Bone {
            name: node.name.clone(),
            parent: node.parent.map(|parent| parent.index()),
        };
        let bones: Vec<_> = scene.nodes.iter().map(bone).collect();
        let skeletons =
            if bones.is_empty() { vec![] } else { vec![Skeleton { name: scene.name.clone(), bones }] };
        for (index, clip) in scene.clips.iter().enumerate() {
            let summary = info.summary.clips.get(index);
            let hash = (Some(clip.channels.len()), Some(hash::clip(clip)));
            self.clip_row(
                input,
                index,
                summary,
                &clip.name,
                skeletons.first().map(|it| it.name.as_str()),
                hash,
                rows,
            );
        }
        let facts = Facts {
            format: Some(info.format.to_owned()),
            ..self.parts(input, &scene, &info, &skeletons, facts, rows)
        };
        Facts { info: Some(info), ..facts }
    }

    /// A texture, or a file that nothing can be said about.
    fn texture_file(
        &self,
        input: &Input,
        bytes: &[u8],
        name: &str,
        error: String,
        facts: Facts,
        rows: &mut Rows,
    ) -> Facts {
        let texture = TextureFacts::of(bytes, name);
        if !texture.is_readable || !(is_texture_name(name) || Content::of(bytes).is_some()) {
            return Facts { error: Some(error), ..facts };
        }
        let format = texture.kind.clone();
        self.texture_row(input, 0, (name, Some("file")), "found", Some(input.uri.clone()), texture, rows);
        Facts { format, ..facts }
    }

    /// The rows of everything but clips, and the hashes of the file.
    fn parts(
        &self,
        input: &Input,
        scene: &Scene,
        info: &FileInfo,
        skeletons: &[Skeleton],
        facts: Facts,
        rows: &mut Rows,
    ) -> Facts {
        let whole = self.meshes(input, scene, rows);
        self.materials(input, scene, rows);
        self.textures(input, scene, info, rows);
        let mut index = 0;
        for skeleton in skeletons {
            let start = index;
            for bone in &skeleton.bones {
                let mut row = self.start(input, index);
                row.add(skeleton.name.as_str()).add(bone.name.as_str()).add(folded(&bone.name));
                rows.push(Table::Bones, row.add(bone.parent.map(|parent| start + parent)).finish());
                index += 1;
            }
        }
        for (index, (need, place)) in info.summary.needs.iter().zip(&info.needs).enumerate() {
            let found = place.file().map(|file| uri(file));
            let mut row = self.start(input, index);
            row.add(need.what.word()).add(need.name.as_str()).add(folded(&need.name)).add(need.file.as_str());
            row.add(status(place)).add(found.as_deref()).add(found.as_deref().map(hash::file_id));
            rows.push(Table::Needs, row.finish());
        }
        for (index, found) in info.found.iter().enumerate() {
            let mut row = self.start(input, index);
            row.add(&*found.code).add(found.severity.word()).add(found.span.start);
            rows.push(Table::Findings, row.add(found.path.as_str()).add(found.message.as_str()).finish());
        }
        let first = skeletons.first();
        Facts {
            skeleton: first.map(|skeleton| skeleton.name.clone()),
            skeleton_hash: first.and_then(hash::skeleton),
            topology: whole.topology(),
            shape: whole.shape().map(|(_, hashes)| hashes),
            ..facts
        }
    }

    /// The rows of the meshes, and the triangles of those that are seen.
    fn meshes(&self, input: &Input, scene: &Scene, rows: &mut Rows) -> Geometry {
        let worlds = scene.rest_worlds();
        let mut whole = Geometry::default();
        // Meshes of the lower levels of detail are the same shape again.
        let mut is_lower = vec![false; scene.meshes.len()];
        for mesh in scene.levels.iter().skip(1).flat_map(|level| &level.meshes) {
            if let Some(lower) = is_lower.get_mut(mesh.index()) {
                *lower = true;
            }
        }
        for mesh in scene.levels.iter().take(1).flat_map(|level| &level.meshes) {
            if let Some(lower) = is_lower.get_mut(mesh.index()) {
                *lower = false;
            }
        }
        for (index, mesh) in scene.meshes.iter().enumerate() {
            let place = place(mesh, &worlds);
            let mut own = Geometry::default();
            own.add(&mesh.positions, mesh.indices.iter(), &place);
            if !mesh.hidden && !is_lower[index] {
                whole.add(&mesh.positions, mesh.indices.iter(), &place);
            }
            let (area, shape) = own.shape().unzip();
            let (first, second) = shape.map(|shape| (shape.first, shape.second)).unzip();
            let mut row = self.start(input, index);
            row.add(mesh.name.as_str()).add(folded(&mesh.name));
            row.add(mesh.positions.len()).add(mesh.indices.len() / 3).add(mesh.skin.is_some());
            row.add(mesh.skin.as_ref().map_or(0, |skin| skin.max_influences()));
            row.add(mesh.uv_sets.len()).add(!mesh.color_sets.is_empty()).add(!mesh.tangents.is_empty());
            row.add(mesh.hidden).bounds(bounds(mesh, &place)).add(area);
            rows.push(Table::Meshes, row.add(own.topology()).add(first).add(second).finish());
        }
        whole
    }

    fn materials(&self, input: &Input, scene: &Scene, rows: &mut Rows) {
        for (index, material) in scene.materials.iter().enumerate() {
            let mut textures: Vec<String> = Vec::new();
            for slot in material.layers.iter().flat_map(|layer| &layer.slots) {
                let name = slot
                    .texture
                    .and_then(|id| scene.textures.get(id.index()))
                    .map(|it| folded_path(&it.name));
                if let Some(name) = name.filter(|name| !name.is_empty() && !textures.contains(name)) {
                    textures.push(name);
                }
            }
            let layers = &material.layers;
            let cuts = |test: AlphaTest| test != AlphaTest::INVISIBLE;
            let mut row = self.start(input, index);
            row.add(material.name.as_str()).add(folded(&material.name));
            row.add(material.shader.as_ref().map(|shader| shader.name.as_str()));
            row.add(layers.first().map(|layer| hash::blend(layer.blend))).add(layers.len());
            row.add(layers.iter().any(|layer| layer.two_sided));
            row.add(layers.iter().any(|layer| layer.alpha_test.is_some_and(cuts)));
            row.add(!layers.is_empty() && layers.iter().all(|layer| layer.unlit)).add(textures);
            rows.push(Table::Materials, row.add(hash::material(material, &scene.textures)).finish());
        }
    }

    fn textures(&self, input: &Input, scene: &Scene, info: &FileInfo, rows: &mut Rows) {
        if info.summary.textures.is_empty() {
            return;
        }
        let mut roles: HashMap<String, String> = HashMap::new();
        for slot in
            scene.materials.iter().flat_map(|material| &material.layers).flat_map(|layer| &layer.slots)
        {
            if let Some(texture) = slot.texture.and_then(|id| scene.textures.get(id.index())) {
                roles.entry(folded_path(&texture.name)).or_insert_with(|| role(slot.kind));
            }
        }
        for (index, (name, place)) in info.summary.textures.iter().zip(&info.textures).enumerate() {
            let role = roles.get(&folded_path(name)).map(String::as_str);
            // A picture inside a glTF file has no file of its own.
            let file = place.file().filter(|file| !file.as_os_str().is_empty() && **file != input.path);
            let facts = file.map(|file| self.texture_facts(file)).unwrap_or_default();
            let status = match file {
                Some(_) if !facts.is_readable => "unreadable",
                _ => status(place),
            };
            self.texture_row(input, index, (name, role), status, file.map(|file| uri(file)), facts, rows);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the columns of a row")]
    fn texture_row(
        &self,
        input: &Input,
        index: usize,
        (name, role): (&str, Option<&str>),
        status: &str,
        found: Option<String>,
        facts: TextureFacts,
        rows: &mut Rows,
    ) {
        let (width, height) = facts.size.unzip();
        let mut row = self.start(input, index);
        row.add(name).add(folded_path(name)).add(role).add(status).add(found).add(facts.kind);
        rows.push(Table::Textures, row.add(width).add(height).add(facts.content).add(facts.pixels).finish());
    }

    fn texture_facts(&self, path: &Path) -> TextureFacts {
        let known = || self.textures.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(facts) = known().get(path) {
            return facts.clone();
        }
        let read = self.workspace.read(path);
        let name = path.to_string_lossy();
        let facts = read.map(|bytes| TextureFacts::of(&bytes, &name)).unwrap_or_default();
        let mut known = known();
        if known.len() >= MAX_TEXTURES {
            known.clear();
        }
        known.insert(path.to_owned(), facts.clone());
        facts
    }

    fn clips(&self, input: &Input, document: &Document<'_>, scene: &Scene, info: &FileInfo, rows: &mut Rows) {
        let clips = &info.summary.clips;
        match document {
            Document::W3d(file) => {
                for (index, animation) in file.animations().enumerate() {
                    let node = animation.0;
                    let channels = node.children().len().saturating_sub(1);
                    let skeleton = animation.hierarchy_name();
                    let facts = (Some(channels), Some(hash::clip_of_node(node)));
                    let name = animation.name();
                    self.clip_row(input, index, clips.get(index), &name, Some(&skeleton), facts, rows);
                }
            }
            _ => {
                let skeleton = Skeleton::all(document).into_iter().next().map(|skeleton| skeleton.name);
                for (index, clip) in clips.iter().enumerate() {
                    let moving = scene.clips.get(index).filter(|_| scene.clips.len() == clips.len());
                    let facts = (moving.map(|it| it.channels.len()), moving.map(hash::clip));
                    self.clip_row(input, index, Some(clip), &clip.name, skeleton.as_deref(), facts, rows);
                }
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the columns of a row")]
    fn clip_row(
        &self,
        input: &Input,
        index: usize,
        clip: Option<&meshwright::Clip>,
        name: &str,
        skeleton: Option<&str>,
        (channels, hash): (Option<usize>, Option<String>),
        rows: &mut Rows,
    ) {
        let mut row = self.start(input, index);
        row.add(name).add(folded(name)).add(skeleton).add(skeleton.map(folded));
        row.add(clip.and_then(|clip| clip.frames)).add(clip.and_then(|clip| clip.rate));
        row.add(clip.map_or(0.0, |clip| clip.seconds)).add(channels);
        rows.push(Table::Clips, row.add(clip.and_then(|clip| clip.looping)).add(hash).finish());
    }
}

fn status(place: &Place) -> &'static str {
    match place {
        Place::Found(_) => "found",
        Place::Supplied => "supplied",
        Place::Missing => "missing",
    }
}

/// The name of a texture's purpose.
fn role(kind: SlotKind) -> String {
    match kind {
        SlotKind::OcclusionRoughnessMetal => "occlusion roughness metal".to_owned(),
        SlotKind::TeamColor => "team color".to_owned(),
        SlotKind::Other(number) => format!("other {number}"),
        kind => format!("{kind:?}").to_lowercase(),
    }
}

/// Puts the points of a mesh where they are at rest.
fn place(mesh: &Mesh, worlds: &[Affine3A]) -> impl Fn(Vec3) -> Vec3 + use<> {
    let node = mesh.node.filter(|_| mesh.skin.is_none());
    let world = node.and_then(|node| worlds.get(node.index())).copied();
    move |point| world.map_or(point, |world| world.transform_point3(point))
}

fn bounds(mesh: &Mesh, place: impl Fn(Vec3) -> Vec3) -> Option<[[f32; 3]; 2]> {
    let mut points = mesh.positions.iter().map(|point| place(*point)).filter(|point| point.is_finite());
    let first = points.next()?;
    let (min, max) = points.fold((first, first), |(min, max), point| (min.min(point), max.max(point)));
    Some([min.to_array(), max.to_array()])
}
