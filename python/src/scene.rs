//! Scenes: a model with everything that belongs to it in one space.

use std::path::PathBuf;
use std::sync::Arc;

use glam::{Affine3A, Vec2};
use meshwright::scene::{ClipId, Deformed, Indices, Moment, Pose, Sampler, skin};
use meshwright::{LoadedScene, find_clip, scene};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use serde_json::{Value, json};

use crate::array::{Array, Element};
use crate::error::{Failure, Result, shown};
use crate::meshes::weights;
use crate::model::report_json;
use crate::workspace::{Workspace, search_of};

/// A scene with its sampler.
#[pyclass(frozen, module = "meshwright._core")]
pub(crate) struct Scene {
    scene: Arc<scene::Scene>,
    sampler: Arc<Sampler<Arc<scene::Scene>>>,
    report: String,
}

/// The most bytes of one array of poses.
const MAX_BYTES: usize = 1 << 30;

/// Poses that are sampled before signals are handled.
const AT_ONCE: usize = 256;

impl Scene {
    pub(crate) fn new(loaded: LoadedScene<'_>) -> Self {
        let report = json!({
            "report": report_json(&loaded.report),
            "read": loaded.read.iter().map(|path| shown(path)).collect::<Vec<_>>(),
        });
        let scene = Arc::new(loaded.scene);
        let sampler = Arc::new(Sampler::new(scene.clone()));
        Self { scene, sampler, report: report.to_string() }
    }

    fn moment(&self, clip: Option<usize>, time: f32) -> Moment {
        Moment { clip: clip.map(ClipId::from), time, clock: time, view: None }
    }

    fn mesh(&self, index: usize) -> Result<&scene::Mesh> {
        self.scene.meshes.get(index).ok_or_else(|| Failure::argument("no such mesh"))
    }
}

#[pymethods]
impl Scene {
    /// Reads a glTF file.
    #[staticmethod]
    #[pyo3(signature = (data, path, workspace))]
    fn from_gltf(
        py: Python<'_>,
        data: PyBackedBytes,
        path: Option<PathBuf>,
        workspace: Option<&Bound<'_, Workspace>>,
    ) -> PyResult<Self> {
        let search = search_of(workspace);
        Ok(py.detach(|| {
            let import = search.workspace.read_gltf(&data, path.as_deref(), None)?;
            Ok::<_, Failure>(Self::new(search.workspace.load_gltf(import)))
        })?)
    }

    /// Everything but the arrays, as JSON.
    fn describe(&self, py: Python<'_>) -> String {
        let scene = &self.scene;
        py.detach(|| {
            let nodes = scene.nodes.iter().map(|node| {
                json!({ "name": node.name, "parent": node.parent.map(|id| id.index()), "is_bone": node.is_bone })
            });
            let clips = scene.clips.iter().map(|clip| {
                json!({
                    "name": clip.name, "seconds": clip.duration, "looping": clip.looping, "rate": clip.frame_rate,
                    "speed": clip.move_speed, "rarity": clip.rarity,
                })
            });
            let textures = scene.textures.iter().map(|texture| {
                json!({ "name": texture.name, "replaceable": texture.replaceable.map(|it| it.0) })
            });
            let materials = scene.materials.iter().map(|it| serde_json::to_value(it).unwrap_or_default());
            let bounds = scene.rest_bounds();
            json!({
                "name": scene.name,
                "nodes": nodes.collect::<Vec<Value>>(),
                "clips": clips.collect::<Vec<Value>>(),
                "textures": textures.collect::<Vec<Value>>(),
                "materials": materials.collect::<Vec<Value>>(),
                "bounds": bounds.map(|it| json!({ "min": it.min.to_array(), "max": it.max.to_array() })),
            })
            .to_string()
        })
    }

    /// What could not be converted or found, and the files that were read, as JSON.
    #[getter]
    fn report(&self) -> &str {
        &self.report
    }

    #[getter]
    fn meshes(&self) -> Vec<SceneMesh> {
        (0..self.scene.meshes.len()).map(|index| SceneMesh { scene: self.scene.clone(), index }).collect()
    }

    /// The number of the clip of this name, or whose name begins so.
    fn find_clip(&self, name: &str) -> PyResult<usize> {
        Ok(find_clip(&self.scene, name).map(|clip| clip.index()).map_err(Failure::from)?)
    }

    /// The matrices from the space of each node to model space at these times, in rows.
    #[pyo3(signature = (clip, times))]
    fn sample(&self, py: Python<'_>, clip: Option<usize>, times: Vec<f32>) -> PyResult<Array> {
        let nodes = self.scene.nodes.len();
        let size = times.len().checked_mul(nodes).and_then(|count| count.checked_mul(64));
        let size = size.filter(|size| *size <= MAX_BYTES);
        let size = size.ok_or_else(|| {
            Failure::new("POSE-SIZE", format!("{} poses of {nodes} nodes are too many", times.len()))
        })?;
        let mut bytes = Vec::with_capacity(size);
        let mut pose = Pose::default();
        for times in times.chunks(AT_ONCE) {
            py.detach(|| {
                for time in times {
                    self.sampler.sample(&self.moment(clip, *time), &mut pose);
                    for world in &pose.worlds {
                        let rows = scene_matrix(world);
                        bytes.extend(rows.iter().flat_map(|number| number.to_le_bytes()));
                    }
                }
            });
            py.check_signals()?;
        }
        Ok(Array::packed(Arc::new(bytes), Element::Float, &[times.len(), nodes, 4, 4]))
    }

    /// Whether each mesh shows at these times.
    #[pyo3(signature = (clip, times))]
    fn visible(&self, py: Python<'_>, clip: Option<usize>, times: Vec<f32>) -> PyResult<Vec<Vec<bool>>> {
        let meshes = self.scene.meshes.len();
        if times.len().checked_mul(meshes).is_none_or(|count| count > MAX_BYTES) {
            let message = format!("{} moments of {meshes} meshes are too many", times.len());
            return Err(Failure::new("POSE-SIZE", message).into());
        }
        let mut states = Vec::with_capacity(times.len());
        let mut pose = Pose::default();
        for times in times.chunks(AT_ONCE) {
            py.detach(|| {
                for time in times {
                    self.sampler.sample(&self.moment(clip, *time), &mut pose);
                    states.push(pose.meshes.iter().map(|mesh| mesh.visible).collect());
                }
            });
            py.check_signals()?;
        }
        Ok(states)
    }

    /// The positions of a mesh at a moment, in model space.
    #[pyo3(signature = (mesh, clip, time))]
    fn deform(&self, py: Python<'_>, mesh: usize, clip: Option<usize>, time: f32) -> PyResult<Array> {
        let mesh = self.mesh(mesh)?;
        let bytes: Vec<u8> = py.detach(|| {
            let pose = self.sampler.pose(&self.moment(clip, time));
            let mut deformed = Deformed::default();
            skin(mesh, &pose, &mut deformed);
            floats(deformed.positions.iter().map(|position| position.to_array()))
        });
        Ok(Array::rows(Arc::new(bytes), Element::Float, 3))
    }
}

/// A matrix in rows.
fn scene_matrix(world: &Affine3A) -> [f32; 16] {
    let [x, y, z] =
        [world.matrix3.x_axis, world.matrix3.y_axis, world.matrix3.z_axis].map(|it| it.to_array());
    let t = world.translation.to_array();
    [x[0], y[0], z[0], t[0], x[1], y[1], z[1], t[1], x[2], y[2], z[2], t[2], 0.0, 0.0, 0.0, 1.0]
}

/// Rows of floats as bytes.
fn floats<const N: usize>(rows: impl Iterator<Item = [f32; N]>) -> Vec<u8> {
    rows.flatten().flat_map(f32::to_le_bytes).collect()
}

/// A mesh of a scene.
#[pyclass(frozen, module = "meshwright._core")]
pub(crate) struct SceneMesh {
    scene: Arc<scene::Scene>,
    index: usize,
}

impl SceneMesh {
    /// Meshes are created from the list of the scene.
    fn get(&self) -> &scene::Mesh {
        &self.scene.meshes[self.index]
    }
}

#[pymethods]
impl SceneMesh {
    #[getter]
    fn name(&self) -> &str {
        &self.get().name
    }

    #[getter]
    fn node(&self) -> Option<usize> {
        self.get().node.map(|node| node.index())
    }

    #[getter]
    fn hidden(&self) -> bool {
        self.get().hidden
    }

    #[getter]
    fn positions(&self) -> Array {
        let bytes = floats(self.get().positions.iter().map(|it| it.to_array()));
        Array::rows(Arc::new(bytes), Element::Float, 3)
    }

    #[getter]
    fn normals(&self) -> Array {
        let bytes = floats(self.get().normals.iter().map(|it| it.to_array()));
        Array::rows(Arc::new(bytes), Element::Float, 3)
    }

    #[getter]
    fn uv_sets(&self) -> Vec<Array> {
        let array = |set: &Vec<Vec2>| {
            let bytes = floats(set.iter().map(|it| it.to_array()));
            Array::rows(Arc::new(bytes), Element::Float, 2)
        };
        self.get().uv_sets.iter().map(array).collect()
    }

    #[getter]
    fn colors(&self) -> Option<Array> {
        let colors = self.get().color_sets.first()?;
        Some(Array::rows(Arc::new(colors.as_flattened().to_vec()), Element::Byte, 4))
    }

    #[getter]
    fn triangles(&self) -> Array {
        match &self.get().indices {
            Indices::Short(all) => {
                let bytes: Vec<u8> = all.iter().flat_map(|index| index.to_le_bytes()).collect();
                Array::rows(Arc::new(bytes), Element::Short, 3)
            }
            Indices::Long(all) => {
                let bytes: Vec<u8> = all.iter().flat_map(|index| index.to_le_bytes()).collect();
                Array::rows(Arc::new(bytes), Element::Word, 3)
            }
        }
    }

    /// Material, first triangle and number of triangles of each part.
    #[getter]
    fn parts(&self) -> Vec<(Option<usize>, u32, u32)> {
        let parts = self.get().parts.iter();
        parts.map(|part| (part.material.map(|it| it.index()), part.start / 3, part.count / 3)).collect()
    }

    /// The nodes that move each vertex and their weights; nothing for a mesh without a skin.
    #[getter]
    fn skin(&self, py: Python<'_>) -> PyResult<Option<(Array, Array)>> {
        let mesh = self.get();
        let Some(skin) = &mesh.skin else { return Ok(None) };
        Ok(py.detach(|| {
            let vertices = mesh.positions.len();
            let most = (0..vertices).map(|vertex| skin.of(vertex).len()).max().unwrap_or(0);
            weights(vertices, most, |vertex, index| {
                let influence = skin.of(vertex).get(index).copied().unwrap_or_default();
                let node = skin.joints.get(influence.joint as usize).map_or(0, |joint| joint.node.index());
                (u32::try_from(node).unwrap_or(u32::MAX), influence.weight)
            })
        })?)
    }

    fn __repr__(&self) -> String {
        let mesh = self.get();
        let (vertices, triangles) = (mesh.positions.len(), mesh.indices.len() / 3);
        format!("<SceneMesh {:?}: {vertices} vertices, {triangles} triangles>", mesh.name)
    }
}
