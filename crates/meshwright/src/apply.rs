//! Changes that were made elsewhere, applied to a model: only what was changed is different.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use convert::apply::{self, Described, Edit, Side, compare};
use convert::{Cause, Note, NoteKind, Report};
use gltf::{Import, NoTextures, Plays, ReadOptions};
use model::{Document, Format};
use scene::{Channel, ClipId, Curve, Interpolation, MaterialId, MeshId, NodeId, Scene, Track, Value};

use crate::loaded::Textures;
use crate::{ConvertOptions, Model, Result, Target, Workspace, Written};

/// A model with the changes of a glTF file.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The model. Without a change it has the same bytes as before.
    pub model: Model,
    /// What was changed, in words.
    pub edits: Vec<String>,
    /// What could not be applied, and why.
    pub report: Report,
    /// The glTF file says that it was written of another file than this one.
    pub is_other_source: bool,
    /// Files that the model refers to and that changed with it: skeletons and animations of W3D.
    pub companions: Vec<(PathBuf, Model)>,
}

/// What came back from another program.
#[derive(Clone, Copy, Debug)]
pub struct Edited<'a> {
    /// The glTF file.
    pub glb: &'a [u8],
    /// Its path, if it has files beside it.
    pub path: Option<&'a Path>,
    /// The options that it was written with, which are used if the file does not say.
    pub options: &'a gltf::Options,
    /// When meshes show in clips, where that was changed: glTF without extensions cannot say it.
    pub shown: &'a [Shown],
    /// Clips that were not given to the other program. They stay, although the file does not have them.
    pub absent: &'a [ClipId],
    /// Whether skeletons and animations in other files may change. Otherwise such changes are refused.
    pub companions: bool,
}

/// When a mesh shows in a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The clip's name.
    pub name: String,
    /// The clip's place in the model; `None` if it is new.
    pub clip: Option<ClipId>,
    /// The mesh's place in the model.
    pub mesh: MeshId,
    /// Times in seconds, and whether the mesh shows from then on.
    pub keys: Vec<(f32, bool)>,
}

impl Model {
    /// Applies the changes that somebody made to this model in another program. `edited` is the glTF file that came back: one that was written of
    /// this model, by [`Self::to_glb`] or the command line. Everything that nobody changed keeps its bytes.
    ///
    /// ```
    /// let model = meshwright::Model::parse(w3d::sample::crate_box())?;
    /// let applied = model.apply(&model.to_glb()?)?;
    /// assert!(applied.edits.is_empty());
    /// assert_eq!(applied.model.to_bytes()?, w3d::sample::crate_box());
    /// # Ok::<(), meshwright::Error>(())
    /// ```
    pub fn apply(&self, edited: &[u8]) -> Result<Applied> {
        self.apply_with(&Workspace::default(), edited, None, &gltf::Options::default())
    }

    /// The same for a glTF file at a path, which may have files beside it. The workspace finds companions and textures, as when the file was
    /// written; `options` are those that it was written with, which are used if the file does not say. What belongs into companions is
    /// changed there.
    pub fn apply_with(
        &self,
        workspace: &Workspace,
        edited: &[u8],
        path: Option<&Path>,
        options: &gltf::Options,
    ) -> Result<Applied> {
        self.apply_edited(
            workspace,
            &Edited { glb: edited, path, options, shown: &[], absent: &[], companions: true },
        )
    }

    /// The same, with changes that glTF cannot express.
    pub fn apply_edited(&self, workspace: &Workspace, edited: &Edited<'_>) -> Result<Applied> {
        let Edited { glb: edited, path, options, shown, absent, companions } = *edited;
        // Vertices stay as they are in the file, so that they can be told apart.
        let read = ReadOptions { weld: false, limits: workspace.limits(), ..ReadOptions::default() };
        let mut import = workspace.read_gltf_with(edited, path, &read)?;
        if !import.origins.has_extras {
            // Without those of nodes, the others would only be half of the truth.
            let (settings, source) = (import.settings.take(), import.source.take());
            import =
                workspace.read_gltf_with(edited, path, &ReadOptions { extras: false, ..read.clone() })?;
            (import.settings, import.source) = (settings, source);
        }
        let mut loaded = self.load(workspace);
        let (original, origins) = (std::mem::take(&mut loaded.scene), loaded.chunks.take());
        let refused = show(&mut import, &original, shown, matches!(self.document(), Document::W3d(_)));
        let import = &import;
        let hash = import.source.as_ref().and_then(|source| source.sha256.clone());
        let is_other = hash.is_some_and(|hash| self.content_hash().is_ok_and(|own| own != hash));
        let base = base(&original, import, &read, &mut loaded.textures, options)?;
        let base_side = Side {
            scene: &base.import.scene,
            nodes: base.nodes,
            joints: base.import.origins.joints.clone(),
            meshes: base.meshes,
            materials: base.materials,
            clips: base.clips,
            has_objects: base.import.origins.has_extras,
        };
        let edited_side = edited_side(import);
        let mut comparison = compare(&original, &base_side, &edited_side);
        let absent: HashSet<ClipId> = absent.iter().copied().collect();
        comparison.edits.retain(|edit| !matches!(edit, Edit::ClipRemoved(clip) if absent.contains(clip)));
        let words = |edit| Described { edit, original: &original, edited: &import.scene }.to_string();
        let edits: Vec<String> = comparison.edits.iter().map(words).collect();
        let mut applied = Applied {
            model: self.clone(),
            edits,
            report: refused,
            is_other_source: is_other,
            companions: Vec::new(),
        };
        if applied.edits.is_empty() {
            return Ok(applied);
        }
        let inputs = apply::Inputs {
            original: &original,
            base: &base_side,
            edited: &edited_side,
            comparison: &comparison,
        };
        let report = match (applied.model.document_mut(), &origins) {
            (Document::W3d(document), Some(origins)) => {
                let mut others: Vec<(PathBuf, Model)> = Vec::new();
                for path in &loaded.read {
                    others.push((path.clone(), workspace.open(path)?));
                }
                let before: Vec<Vec<u8>> =
                    others.iter().map(|(_, model)| model.to_bytes()).collect::<Result<_>>()?;
                let rest = others.iter_mut().filter_map(|(_, model)| match model.document_mut() {
                    Document::W3d(document) => Some(document),
                    _ => None,
                });
                let all = std::iter::once(document).chain(rest).collect();
                let report = apply::w3d::apply(apply::w3d::Documents { all, companions }, &inputs, origins);
                let others = others.into_iter().zip(before);
                let changed = others
                    .filter(|((_, model), before)| model.to_bytes().is_ok_and(|bytes| bytes != *before));
                applied.companions = changed.map(|(other, _)| other).collect();
                report
            }
            (Document::Mdx(document), _) => apply::mdx::apply(document, &inputs),
            _ => Report::default(),
        };
        applied.report.append(report);
        Ok(applied)
    }

    /// SHA-256 of the binary form, in hexadecimal digits: what tells this model from all others.
    pub fn content_hash(&self) -> Result<String> {
        Ok(content_hash(&self.to_bytes()?))
    }
}

/// Shows and hides meshes of an edited scene. W3D hides what is on a bone, MDX a mesh.
fn show(import: &mut Import, original: &Scene, shown: &[Shown], is_w3d: bool) -> Report {
    let mut report = Report::default();
    let clips: HashMap<u32, usize> = places(&import.origins.clips);
    let meshes: HashMap<u32, usize> = places(&import.origins.meshes);
    let names = import.scene.clips.iter().enumerate().map(|(place, clip)| (clip.name.clone(), place));
    let names: HashMap<String, usize> = names.collect();
    let nodes: HashMap<u32, usize> = places(&import.origins.nodes);
    // Another program may have put a mesh on a node of its own, below its bone.
    let bone_of = |mesh: MeshId| {
        let bone = original.meshes.get(mesh.index())?.node?;
        nodes.get(&bone.0).map(|place| NodeId::from(*place))
    };
    let mut on_bone: HashMap<NodeId, usize> = HashMap::new();
    for bone in (0..original.meshes.len()).filter_map(|mesh| bone_of(MeshId::from(mesh))) {
        *on_bone.entry(bone).or_default() += 1;
    }
    let mut wanted: HashMap<(usize, NodeId), usize> = HashMap::new();
    for one in shown {
        let clip = one.clip.map_or_else(|| names.get(&one.name), |clip| clips.get(&clip.0));
        if let Some(key) = clip.copied().zip(bone_of(one.mesh)) {
            *wanted.entry(key).or_default() += 1;
        }
    }
    let mut by_bone: HashMap<(usize, NodeId), Vec<(f32, bool)>> = HashMap::new();
    for Shown { name, clip, mesh, keys } in shown {
        let place = match clip {
            Some(clip) => clips.get(&clip.0),
            None => names.get(name),
        };
        let mut refuse = |message: &str| {
            report.notes.push(Note::new(NoteKind::Skipped, format!("clip {name:?}: visibility"), message));
        };
        let node = bone_of(*mesh);
        let (Some(&clip), Some(&mesh)) = (place, meshes.get(&mesh.0)) else {
            refuse("the clip or the mesh was not found");
            continue;
        };
        let target = match (is_w3d, node) {
            (false, _) => scene::Target::Mesh(MeshId::from(mesh), scene::MeshProperty::Alpha),
            (true, Some(node)) => {
                let known = by_bone.entry((clip, node)).or_insert_with(|| keys.clone());
                let is_shared = on_bone.get(&node).is_some_and(|count| *count > 1);
                if is_shared && wanted.get(&(clip, node)) != on_bone.get(&node) {
                    refuse(
                        "other meshes are on the same bone, and W3D shows and hides bones: change them alike",
                    );
                    continue;
                }
                if known != keys {
                    refuse("another mesh on the same bone shows at other times: W3D shows and hides bones");
                    continue;
                }
                scene::Target::Node(node, scene::NodeProperty::Visibility)
            }
            (true, None) => {
                refuse("the mesh is on no bone");
                continue;
            }
        };
        let channels = &mut import.scene.clips[clip].channels;
        let before = channels.iter().find(|channel| channel.target == target).map(|channel| &channel.curve);
        let curve = match target {
            scene::Target::Node(..) => Curve::Flag(Track::new(Interpolation::Step, keys.iter().copied())),
            _ => {
                // A mesh that fades keeps the opacity that it had.
                let opacity = |time: f32| match before.and_then(|curve| curve.sample(time)) {
                    Some(Value::Scalar(value)) if value > 0.0 => value,
                    _ => 1.0,
                };
                let values =
                    keys.iter().map(|(time, shows)| (*time, if *shows { opacity(*time) } else { 0.0 }));
                Curve::Scalar(Track::new(Interpolation::Step, values))
            }
        };
        channels.retain(|channel| channel.target != target);
        channels.push(Channel { target, curve });
    }
    report
}

/// For each part of the source its place in the edited scene.
fn places(origins: &[gltf::Origin]) -> HashMap<u32, usize> {
    let known = origins.iter().enumerate();
    known.filter_map(|(place, origin)| origin.source.map(|source| (source, place))).collect()
}

/// The scene as our own writer and reader return it, with the settings of the edited file.
fn base(
    original: &Scene,
    import: &Import,
    read: &ReadOptions,
    textures: &mut Textures<'_>,
    options: &gltf::Options,
) -> Result<Base> {
    let has_extras = import.origins.has_extras;
    let settings = import.settings.clone().unwrap_or_else(|| options.settings());
    let mut options = gltf::Options { source: None, placeholders: true, scale: 1.0, ..options.clone() }
        .with_settings(&settings);
    let written = if has_extras {
        // Materials are compared with what extras say, so pictures are not needed.
        options.textures = false;
        gltf::write_glb(original, &options, &mut NoTextures)?
    } else {
        gltf::write_glb(original, &options, textures)?
    };
    let read = ReadOptions { extras: has_extras, is_ours: Some(import.origins.is_ours), ..read.clone() };
    let base = gltf::read(&written.bytes, &gltf::no_files, &read)?;
    let report = &written.report;
    let origins = &base.origins;
    let node = |gltf: Option<u32>| gltf.map(NodeId).filter(|node| node.index() < original.nodes.len());
    let listed = |gltf: Option<u32>| gltf.map(|index| index as usize);
    let nodes = origins.nodes.iter().map(|origin| node(origin.gltf)).collect();
    let meshes = origins.meshes.iter().map(|origin| report.written_meshes.get(listed(origin.gltf)?).copied());
    let materials = origins.materials.iter().map(|origin| match has_extras {
        true => origin.source.map(MaterialId),
        false => report.written_materials.get(listed(origin.gltf)?).copied(),
    });
    let clips = origins.clips.iter().map(|origin| match has_extras {
        true => origin.source.map(ClipId),
        false => match report.written_animations.get(listed(origin.gltf)?)? {
            Plays::Clip(clip) => Some(*clip),
            Plays::Global(_) | Plays::Mappers => None,
        },
    });
    let (meshes, materials, clips) = (meshes.collect(), materials.collect(), clips.collect());
    Ok(Base { nodes, meshes, materials, clips, import: base })
}

/// The original's scene after our own round trip.
struct Base {
    import: Import,
    nodes: Vec<Option<NodeId>>,
    meshes: Vec<Option<MeshId>>,
    materials: Vec<Option<MaterialId>>,
    clips: Vec<Option<ClipId>>,
}

fn edited_side(import: &Import) -> Side<'_> {
    let origins = &import.origins;
    let ids =
        |list: &[gltf::Origin]| -> Vec<Option<u32>> { list.iter().map(|origin| origin.source).collect() };
    Side {
        scene: &import.scene,
        nodes: ids(&origins.nodes).into_iter().map(|id| id.map(NodeId)).collect(),
        joints: origins.joints.clone(),
        meshes: ids(&origins.meshes).into_iter().map(|id| id.map(MeshId)).collect(),
        materials: ids(&origins.materials).into_iter().map(|id| id.map(MaterialId)).collect(),
        clips: ids(&origins.clips).into_iter().map(|id| id.map(ClipId)).collect(),
        has_objects: origins.has_extras,
    }
}

impl Workspace {
    /// Applies the changes of a glTF file to the model that it was written of, and writes that.
    pub(crate) fn convert_onto(
        &self,
        bytes: &[u8],
        path: Option<&Path>,
        onto: &Path,
        options: &ConvertOptions,
    ) -> Result<Written> {
        let text = self.read(onto)?;
        let original = self.open(onto)?;
        let edited = Edited {
            glb: bytes,
            path,
            options: &options.gltf,
            shown: &[],
            absent: &[],
            companions: options.w3d.split,
        };
        let applied = original.apply_edited(self, &edited)?;
        let Applied { model, edits, report, is_other_source, companions } = applied;
        let mut all = Report::default();
        let name = onto.file_name().unwrap_or_default().to_string_lossy();
        if is_other_source {
            let message = "the glTF file was written of another version of this file; differences of the two versions count as changes";
            all.notes.push(Note::new(NoteKind::Assumed, &*name, message));
        }
        let is_own = matches!(options.target, Target::Model(format) if format.name == original.format().name);
        let (before, after) = (original.document(), model.document());
        let bytes = match (before, after) {
            // The file as it is, which for MDL is the text of whoever wrote it.
            _ if is_own && edits.is_empty() => text,
            (Document::Mdx(before), Document::Mdx(after)) if is_own && original.format().name == "mdl" => {
                mdx::mdl::patch(&text, before, after)?
            }
            _ => {
                // Companions stay separate files, so nothing is divided.
                let mut options = options.clone();
                options.w3d.split = false;
                if options.write_textures.take().is_some() {
                    let message = "textures are not written when changes are applied to an original";
                    all.notes.push(Note::new(NoteKind::Assumed, &*name, message));
                }
                let mut written = self.convert_document(after, Some(onto), &options)?;
                all.append(std::mem::take(&mut written.report));
                written.bytes
            }
        };
        all.append(report);
        let mut others = Vec::new();
        for (path, model) in companions {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            others.push((name, model.to_bytes()?));
        }
        Ok(Written { bytes, others, report: all, edits, read: vec![onto.to_owned()], ..Written::default() })
    }

    /// Says that the model that a glTF file was written of lies beside it or where the result goes, so that its changes could be applied to it.
    pub(crate) fn offer_onto(
        &self,
        source: Option<&gltf::Source>,
        path: Option<&Path>,
        options: &ConvertOptions,
    ) -> Option<Note> {
        let source = source?;
        let name = source.file.as_deref().filter(|name| !name.contains(['/', '\\', ':']))?;
        let is_target = Format::of_file_name(name).map(Target::Model) == Some(options.target);
        let found = path?.parent()?.join(name);
        let model = self.open(&found).ok().filter(|_| is_target)?;
        let is_same = model.content_hash().ok() == source.sha256;
        let message = "the original of this file is in the same folder; applying the changes to it keeps everything else";
        is_same.then(|| Note::new(NoteKind::Assumed, name, message).because(Cause::Original))
    }
}

/// SHA-256 of bytes, in hexadecimal digits.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> String {
    use sha2::{Digest as _, Sha256};
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
