//! Models.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use meshwright::check::output::{FileReport, json_file};
use meshwright::check::{Level, Levels, Options};
use meshwright::scene::{Cause, ClipId, MeshId, Note, Report};
use meshwright::{Edited, Format, InfoOptions, Shown, Tree, TreeOptions, What, Written, gltf_io};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::choices::{self, ConvertChoices, game_named};
use crate::error::{Failure, Result, shown};
use crate::meshes::{self, Mesh};
use crate::scene::Scene;
use crate::workspace::{Workspace, format_named, search_of};

/// A model. It is shared with the arrays that were taken from it: a change makes a new one.
#[pyclass(frozen, module = "meshwright._core")]
pub(crate) struct Model {
    inner: RwLock<Arc<meshwright::Model>>,
}

/// The main file, the others by name, and the report.
type Converted = (Py<PyBytes>, Vec<(String, Py<PyBytes>)>, String);

impl Model {
    pub(crate) fn new(model: meshwright::Model) -> Self {
        Self { inner: RwLock::new(Arc::new(model)) }
    }

    /// The model as it is now.
    pub(crate) fn get(&self) -> Arc<meshwright::Model> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the model.
    fn put(&self, model: meshwright::Model) {
        *self.inner.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(model);
    }

    /// Changes the model. If that fails, it stays as it is.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut meshwright::Model) -> Result<T>) -> Result<T> {
        let mut copy = meshwright::Model::clone(&self.get());
        let result = change(&mut copy)?;
        self.put(copy);
        Ok(result)
    }
}

/// Reads a model from bytes.
pub(crate) fn parse(
    bytes: &[u8],
    path: Option<&Path>,
    format: Option<&'static Format>,
) -> Result<meshwright::Model> {
    let name = path.and_then(Path::file_name).map(|name| name.to_string_lossy());
    let format = match format {
        Some(format) => format,
        None => Format::detect(bytes, name.as_deref())?,
    };
    let model = meshwright::Model::of_parsed(format.read(bytes)?, bytes);
    Ok(match path {
        Some(path) => model.at(path),
        None => model,
    })
}

/// The options of `check`.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct CheckChoices {
    pub(crate) profile: Option<String>,
    allow: Vec<String>,
    warn: Vec<String>,
    deny: Vec<String>,
}

impl CheckChoices {
    /// Levels of rules. Of several that match a rule the longest code counts, then the strictest.
    pub(crate) fn levels(&self) -> Result<Levels> {
        let lists = [(&self.allow, Level::Allow), (&self.warn, Level::Warn), (&self.deny, Level::Deny)];
        let mut given: Vec<(&str, Level)> = lists
            .into_iter()
            .flat_map(|(codes, level)| codes.iter().map(move |code| (code.as_str(), level)))
            .collect();
        given.sort_by_key(|(code, _)| if code.eq_ignore_ascii_case("all") { 0 } else { code.len() });
        let mut levels = Levels::default();
        given.into_iter().for_each(|(code, level)| levels.set(code, level));
        if let Some(unknown) = levels.unknown().next() {
            return Err(Failure::argument(format!("no rule matches {unknown:?}")));
        }
        Ok(levels)
    }
}

/// A row of `visibility`.
type VisibilityRow = (usize, bool, Vec<(usize, Vec<(f32, bool)>)>);

/// A row of `shown`: the clip's name, its number, the number of a mesh, and keys.
type ShownRow = (String, Option<u32>, u32, Vec<(f32, bool)>);

/// The changed model, other files that changed with it, and the report as JSON.
type AppliedRow = (Model, Vec<(PathBuf, Model)>, String);

/// What glTF cannot say about changes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changes {
    shown: Vec<ShownRow>,
    absent: Vec<u32>,
    companions: bool,
}

#[pymethods]
impl Model {
    #[staticmethod]
    #[pyo3(signature = (path, format, workspace))]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        workspace: Option<&Bound<'_, Workspace>>,
    ) -> PyResult<Self> {
        let search = search_of(workspace);
        let format = format_named(format)?;
        let model = py.detach(|| {
            let found = search.files.resolve(&path).unwrap_or_else(|| path.clone());
            let bytes = search.workspace.read(&found)?;
            parse(&bytes, Some(&found), format).map_err(|failure| failure.at(&path))
        })?;
        Ok(Self::new(model))
    }

    #[staticmethod]
    #[pyo3(signature = (data, path, format))]
    fn parse(
        py: Python<'_>,
        data: PyBackedBytes,
        path: Option<PathBuf>,
        format: Option<&str>,
    ) -> PyResult<Self> {
        let format = format_named(format)?;
        Ok(Self::new(py.detach(|| parse(&data, path.as_deref(), format))?))
    }

    fn copy(&self) -> Self {
        Self { inner: RwLock::new(self.get()) }
    }

    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.get().path().map(Path::to_owned)
    }

    #[getter]
    fn format(&self) -> &'static str {
        self.get().format().name
    }

    #[getter]
    fn family(&self) -> &'static str {
        self.get().family().name()
    }

    #[getter]
    fn game(&self, py: Python<'_>) -> &'static str {
        let model = self.get();
        py.detach(|| model.game().name())
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let model = self.get();
        let bytes = py.detach(|| model.to_bytes().map_err(Failure::from))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn to_mdl<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let model = self.get();
        let bytes = py.detach(|| model.to_mdl().map_err(Failure::from))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn to_json(&self, py: Python<'_>) -> String {
        let model = self.get();
        py.detach(|| model.to_json())
    }

    /// Writes the file, which becomes the model's.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        Ok(py.detach(|| self.change(|model| Ok(model.save(&path)?)))?)
    }

    /// Damaged, unknown or unusual parts, as JSON.
    fn diagnostics(&self, py: Python<'_>) -> String {
        let model = self.get();
        py.detach(|| {
            let found: Vec<Value> = model.diagnostics().iter().map(meshwright::diagnostic_json).collect();
            Value::from(found).to_string()
        })
    }

    #[pyo3(signature = (workspace, profile))]
    fn info(
        &self,
        py: Python<'_>,
        workspace: Option<&Bound<'_, Workspace>>,
        profile: Option<&str>,
    ) -> PyResult<String> {
        let (model, search) = (self.get(), search_of(workspace));
        let profile = game_named(profile)?;
        Ok(py.detach(|| {
            let options = InfoOptions { hash: true, profile, ..InfoOptions::default() };
            let info = model.examine(&search.workspace, &options)?;
            let file = model.path().map(shown).unwrap_or_default();
            Ok::<_, Failure>(info.to_json(&file).to_string())
        })?)
    }

    #[pyo3(signature = (path, fields, hex, all))]
    fn tree(&self, py: Python<'_>, path: &str, fields: bool, hex: bool, all: bool) -> PyResult<String> {
        let model = self.get();
        Ok(py.detach(|| {
            let tree = Tree::new(model.document(), model.diagnostics(), TreeOptions { fields, hex, all });
            let Some(part) = tree.part(path) else {
                return Err(Failure::argument(tree.no_such_part(path, |names| listed(&names))));
            };
            serde_json::to_string(&part).map_err(|error| Failure::new("TREE", error.to_string()))
        })?)
    }

    #[pyo3(signature = (options, workspace, surroundings))]
    fn check(
        &self,
        py: Python<'_>,
        options: &str,
        workspace: Option<&Bound<'_, Workspace>>,
        surroundings: bool,
    ) -> PyResult<String> {
        let (model, search) = (self.get(), search_of(workspace));
        let choices: CheckChoices = choices::read(options)?;
        let (levels, profile) = (choices.levels()?, game_named(choices.profile.as_deref())?);
        Ok(py.detach(|| {
            let options = Options { profile, levels: Some(&levels), ..Options::default() };
            let options = &options;
            let report = if surroundings {
                model.report(&search.workspace, options)
            } else {
                // A model without a path has no surroundings.
                let name = model.path().and_then(Path::file_name).map(|name| name.to_string_lossy());
                let options = Options { file_name: name.as_deref(), ..*options };
                meshwright::check::report(model.document(), &options)
            };
            let file = FileReport {
                path: model.path().map(shown).unwrap_or_default(),
                result: Ok(report),
                is_text: false,
                marks: Vec::new(),
                applied: Vec::new(),
            };
            json_file(&file).to_string()
        }))
    }

    fn diff(&self, py: Python<'_>, other: &Bound<'_, Self>, epsilon: f64) -> PyResult<String> {
        if !(epsilon >= 0.0 && epsilon.is_finite()) {
            return Err(Failure::argument("epsilon must be 0 or more").into());
        }
        let (before, after) = (self.get(), other.get().get());
        Ok(py.detach(|| {
            let families =
                || Failure::from(meshwright::Error::Families(before.family().name(), after.family().name()));
            let changes = before.document().diff(after.document(), epsilon).ok_or_else(families)?;
            Ok::<_, Failure>(Value::from(changes.iter().map(change_json).collect::<Vec<_>>()).to_string())
        })?)
    }

    #[pyo3(signature = (options, workspace))]
    fn convert(
        &self,
        py: Python<'_>,
        options: &str,
        workspace: Option<&Bound<'_, Workspace>>,
    ) -> PyResult<Converted> {
        let (model, search) = (self.get(), search_of(workspace));
        let options = choices::read::<ConvertChoices>(options)?.options()?;
        let written = py.detach(|| model.convert(&search.workspace, &options).map_err(Failure::from))?;
        Ok(converted(py, written))
    }

    /// The model with the changes of a glTF file, other files that changed with it, and the report as JSON. `changes` are [`Changes`] as JSON.
    #[pyo3(signature = (glb, path, options, changes, workspace))]
    fn apply(
        &self,
        py: Python<'_>,
        glb: PyBackedBytes,
        path: Option<PathBuf>,
        options: &str,
        changes: &str,
        workspace: Option<&Bound<'_, Workspace>>,
    ) -> PyResult<AppliedRow> {
        let (model, search) = (self.get(), search_of(workspace));
        let options = choices::read::<ConvertChoices>(options)?.gltf()?;
        let Changes { shown, absent, companions } = choices::read(changes)?;
        let row = |(name, clip, mesh, keys): ShownRow| Shown {
            name,
            clip: clip.map(ClipId),
            mesh: MeshId(mesh),
            keys,
        };
        let shown: Vec<Shown> = shown.into_iter().map(row).collect();
        let absent: Vec<ClipId> = absent.into_iter().map(ClipId).collect();
        let applied = py.detach(|| {
            let (path, options) = (path.as_deref(), &options);
            let edited = Edited { glb: &glb, path, options, shown: &shown, absent: &absent, companions };
            model.apply_edited(&search.workspace, &edited).map_err(Failure::from)
        })?;
        let report = json!({
            "edits": applied.edits,
            "report": report_json(&applied.report),
            "is_other_source": applied.is_other_source,
        });
        let companions = applied.companions.into_iter().map(|(path, model)| (path, Self::new(model)));
        Ok((Self::new(applied.model), companions.collect(), report.to_string()))
    }

    /// When meshes show that do not always show: the mesh, whether it shows at rest, and for each clip its keys.
    fn visibility(&self, py: Python<'_>, workspace: Option<&Bound<'_, Workspace>>) -> Vec<VisibilityRow> {
        let (model, search) = (self.get(), search_of(workspace));
        py.detach(|| {
            let found = gltf_io::mesh_visibility(&model.load(&search.workspace).scene);
            let row = |it: gltf_io::MeshVisibility| {
                let clips = it.clips.into_iter().map(|(clip, keys)| (clip.index(), keys));
                (it.mesh.index(), it.at_rest, clips.collect())
            };
            found.into_iter().map(row).collect()
        })
    }

    /// The meshes as they are in the file.
    #[getter]
    fn meshes(&self) -> Vec<Mesh> {
        meshes::of(&self.get())
    }

    /// The skeletons of the file: name, and name and parent of each bone.
    #[getter]
    fn skeletons(&self) -> String {
        let model = self.get();
        let skeletons = model.skeletons();
        let bones = |bones: &[meshwright::Bone]| -> Vec<Value> {
            bones.iter().map(|bone| json!({ "name": bone.name, "parent": bone.parent })).collect()
        };
        let skeletons: Vec<Value> = skeletons
            .iter()
            .map(|skeleton| json!({ "name": skeleton.name, "bones": bones(&skeleton.bones) }))
            .collect();
        Value::from(skeletons).to_string()
    }

    /// The names of the texture files, each with the file that the game would use.
    #[pyo3(signature = (workspace))]
    fn textures(
        &self,
        py: Python<'_>,
        workspace: Option<&Bound<'_, Workspace>>,
    ) -> Vec<(String, Option<PathBuf>)> {
        let (model, search) = (self.get(), search_of(workspace));
        py.detach(|| {
            let lookup = search.workspace.lookup(model.path());
            let file = |name: &str| lookup.texture(name, model.family()).map(|found| found.path);
            model.textures().into_iter().map(|name| (name.clone(), file(&name))).collect()
        })
    }

    #[pyo3(signature = (workspace))]
    fn scene(&self, py: Python<'_>, workspace: Option<&Bound<'_, Workspace>>) -> Scene {
        let (model, search) = (self.get(), search_of(workspace));
        py.detach(|| Scene::new(model.load(&search.workspace)))
    }
}

/// Some names for a message.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 20;
    let more = names.len().saturating_sub(SHOWN);
    let shown = names[..names.len().min(SHOWN)].join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// What a conversion made, for Python.
pub(crate) fn converted(py: Python<'_>, written: Written) -> Converted {
    let report = json!({
        "report": report_json(&written.report),
        "renamed": written.renamed,
        "read": written.read.iter().map(|path| shown(path)).collect::<Vec<_>>(),
    });
    let others = written.others.into_iter();
    let others = others.map(|(name, bytes)| (name, PyBytes::new(py, &bytes).unbind())).collect();
    (PyBytes::new(py, &written.bytes).unbind(), others, report.to_string())
}

/// The notes of a conversion.
pub(crate) fn report_json(report: &Report) -> Value {
    let notes: Vec<Value> = report.notes.iter().map(note_json).collect();
    json!({ "notes": notes, "suppressed": report.suppressed })
}

/// A note with the advice of this package.
pub(crate) fn note_json(note: &Note) -> Value {
    let kind = note.kind.word();
    let (cause, advice) = match note.cause {
        Some(Cause::MissingCompanion) => {
            (Some("missing-companion"), Some("pass its file or folder: Workspace(with_=[...])"))
        }
        Some(Cause::SuppliedByGame) => {
            (Some("supplied-by-game"), Some("tell where the game is: Workspace(game=[...])"))
        }
        Some(Cause::SuppliedTexture) => {
            (Some("supplied-texture"), Some("write_textures=\"\" writes it as a file"))
        }
        Some(Cause::FixedVisibility) => {
            (Some("fixed-visibility"), Some("material_animation=True animates it"))
        }
        Some(Cause::OneBitAlpha) => {
            (Some("one-bit-alpha"), Some("dds_format=\"bc3\" preserves smooth alpha"))
        }
        Some(Cause::Original) => {
            (Some("original"), Some("Model.apply keeps everything that was not changed"))
        }
        _ => (None, None),
    };
    json!({
        "kind": kind, "part": note.part, "message": note.message_for(note.count), "count": note.count,
        "is_loss": note.kind.is_loss(), "cause": cause, "advice": advice,
    })
}

/// A change between two documents.
fn change_json(change: &meshwright::Change) -> Value {
    // Values come in the text form, which is JSON.
    let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    let path = &change.path;
    match &change.what {
        What::Added(size) => json!({ "path": path, "change": "added", "size": size }),
        What::Removed(size) => json!({ "path": path, "change": "removed", "size": size }),
        What::Reordered => json!({ "path": path, "change": "reordered" }),
        What::Field { name, before, after } => json!({
            "path": path, "change": "field", "name": name, "before": value(before), "after": value(after),
        }),
        What::Array(change) => json!({
            "path": path, "change": "array", "name": change.name, "before": change.before, "after": change.after,
            "changed": change.changed, "largest": change.largest, "removed": change.removed, "added": change.added,
            "first": change.first.as_ref().map(|(at, before, after)| {
                json!({ "index": at, "before": value(before), "after": value(after) })
            }),
        }),
        What::Bytes { name, before, after, at } => json!({
            "path": path, "change": "bytes", "name": name, "before": before, "after": after, "at": at,
        }),
    }
}
