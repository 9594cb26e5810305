//! Scenes to W3D: the inverse of [`crate::w3d`].
//!
//! ```
//! use meshwright_convert::author::w3d::{Options, to_w3d};
//! use meshwright_convert::w3d::{Library, to_scene};
//! let bytes = w3d::sample::crate_box();
//! let (scene, _) = to_scene(&Library::new(&w3d::W3d::parse(&bytes)?), None, &Default::default());
//! let (files, losses) = to_w3d(&scene, &Options::default())?;
//! assert_eq!(files[0].name, "MWCRATE.w3d");
//! let (again, _) = to_scene(&Library::new(&files[0].document), None, &Default::default());
//! assert_eq!(scene::compare::differences(&scene, &again, Default::default()), [""; 0]);
//! assert!(losses.notes.is_empty());
//! # Ok::<(), record::Error>(())
//! ```
//!
//! # What becomes what
//!
//! | scene | W3D |
//! |---|---|
//! | node | pivot; W3D has no scale, so that goes into vertices and translations |
//! | animated scale | vertices follow added children of the bone, which move away from it |
//! | mesh | mesh on its node's pivot; one for each set of passes that its materials need, and each 65,535 vertices |
//! | skin | vertices in the space of their first bone, with the strongest bones that the game takes |
//! | layer, slots | pass; the diffuse texture is stage 0, the detail texture stage 1 |
//! | material with an `.fx` shader | FX shader material, where the game has them |
//! | clip | animation; see [`Compress`] |
//! | visibility of a node, opacity of a mesh | bit channels |
//! | attachments | aggregates, proxies and null objects; points are pivots |
//! | levels | levels of the HLOD |
//!
//! The [`Report`] lists everything that W3D, or the game, cannot express.

mod animation;
mod channels;
mod context;
mod conventions;
mod emitters;
mod facing;
mod fades;
mod frames;
mod growth;
mod labels;
mod materials;
mod meshes;
mod motion;
mod objects;
mod options;
mod plan;
mod primitives;
mod profile;
mod scales;
mod shaders;
mod skins;
pub(crate) mod space;
mod worlds;

pub(crate) use materials::native_name;

use std::cell::OnceCell;
use std::collections::HashMap;

use record::{Error, F32, Node, U32, Vec3, build};
use scene::{MeshId, Sampler, Scene};
use w3d::names::Version;
use w3d::records::{HierarchyHeader, HlodArrayHeader, HlodHeader, HlodSubObject, Pivot};
use w3d::{W3d, table};

use context::{Author, chars, count, refuse};
pub use conventions::apply_conventions;
pub use options::{Compress, Options, Split};
pub use profile::{Limits, Profile};

use crate::author::names::Unique;
use crate::report::{Report, counted};
use meshes::ModelLevel;
use plan::{Place, Plan};

/// A file to write.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name, which the game looks for.
    pub name: String,
    /// Its content.
    pub document: W3d<'static>,
}

/// The files that a scene describes, the model first, and what could not be written.
///
/// Fails if a skeleton has more than 65,535 pivots, a clip more than 65,535 frames, or all clips more than 400 MB. Everything else is
/// divided, shortened or dropped, and reported.
pub fn to_w3d(scene: &Scene, options: &Options) -> Result<(Vec<File>, Report), Error> {
    if !(options.scale.is_finite() && options.scale > 0.0) {
        return Err(refuse(format!("cannot scale by {}; expected a number above zero", options.scale)));
    }
    if options.frame_rate == 0 {
        return Err(refuse("cannot write 0 frames per second; expected at least 1".to_owned()));
    }
    let scaled;
    let scene = if options.scale == 1.0 {
        scene
    } else {
        scaled = super::scale::scaled(scene, options.scale);
        &scaled
    };
    let settled = super::settle::settled(scene, false);
    let scene = settled.as_ref().unwrap_or(scene);
    let facing = facing::without_facing_skins(scene);
    let scene = facing.as_ref().unwrap_or(scene);
    let facing_skins = facing::facing_skins(scene);
    let grown = growth::without_scale(scene, options);
    let scene = grown.as_ref().map_or(scene, |grown| &grown.scene);
    let mut author = Author {
        scene,
        options: *options,
        limits: options.profile.limits(),
        plan: Plan::new(scene, options),
        facing_skins,
        worlds: scene.rest_worlds(),
        sampler: Sampler::new(scene),
        size: OnceCell::new(),
        report: Report::default(),
        objects: Vec::new(),
        written: HashMap::new(),
        same: HashMap::new(),
        numbers: 0,
        tried: 0,
        labels: HashMap::new(),
        full_names: Unique::default(),
        placed: HashMap::new(),
    };
    if let Some(grown) = &grown {
        author.report_growth(grown);
    }
    let files = author.files()?;
    Ok((files, author.report))
}

impl Author<'_> {
    fn report_growth(&mut self, grown: &growth::Grown) {
        if grown.added > 0 {
            let message = format!(
                "{} added, because W3D has no scale: vertices that grow and shrink follow them",
                counted(grown.added, "bone")
            );
            self.assumed("skeleton", message);
        }
        for (name, degrees) in &grown.normals {
            let message = format!(
                "normals are off by up to {degrees:.0} degrees while clips play: the scale differs along the axes, and bones of W3D only move and turn"
            );
            self.lost(name, message);
        }
        for name in &grown.too_large {
            self.lost(
                name,
                "growing and shrinking: W3D has no scale, and the mesh would need too many bones; its bones move and turn only",
            );
        }
    }

    fn files(&mut self) -> Result<Vec<File>, Error> {
        if let Some(model) = self.plan.models.iter().find(|model| model.pivots.len() > 65_535) {
            let message = format!(
                "the skeleton has {} pivots; the format counts to 65,535: remove bones",
                model.pivots.len()
            );
            return Err(refuse(message));
        }
        if self.plan.names_cut > 0 {
            let message = format!(
                "{} shortened to {} characters",
                counted(self.plan.names_cut, "bone name"),
                labels::LENGTH
            );
            self.assumed("skeleton", message);
        }
        let is_split =
            self.options.split == Split::Auto && self.limits.separate_files && !self.scene.clips.is_empty();
        let has_skin = self.scene.meshes.iter().any(|mesh| mesh.skin.is_some());
        if is_split && has_skin {
            self.plan.separate_skeletons();
        }
        let levels = self.levels();
        for index in 0..self.scene.meshes.len() {
            if matches!(self.plan.meshes[index], Place::Loose(_)) {
                self.mesh(MeshId::from(index));
            }
        }
        self.full_names = Unique::new(self.objects.iter().filter_map(Node::label));
        self.write_objects();
        self.write_primitives();
        self.write_sounds();
        let animations = self.animations()?;

        let objects = std::mem::take(&mut self.objects);
        let hierarchies: Vec<Node<'static>> = self.plan.models.iter().map(hierarchy).collect();
        let hlods: Vec<Node<'static>> =
            levels.into_iter().enumerate().filter_map(|(model, levels)| self.hlod(model, levels)).collect();
        let stem = self.plan.models.first().map(|model| model.name.clone());
        let stem = stem
            .unwrap_or_else(|| labels::short(self.scene.name.split('.').next().unwrap_or_default(), "MODEL"));
        let file = |name: &str, chunks: Vec<Node<'static>>| File {
            name: format!("{name}.w3d"),
            document: W3d { root: Node::branch(&table::FILE, 0, chunks) },
        };
        let mut chunks = Vec::new();
        if !is_split {
            // The scene is named after the first chunk if there is no model.
            let is_loose_first = self.scene.name.contains('.');
            let (first, last) = if is_loose_first { (objects, hierarchies) } else { (hierarchies, objects) };
            if is_loose_first {
                chunks.extend(first);
                chunks.extend(last);
                chunks.extend(animations.into_iter().map(|(_, node)| node));
            } else {
                chunks.extend(first);
                chunks.extend(animations.into_iter().map(|(_, node)| node));
                chunks.extend(last);
            }
            chunks.extend(hlods);
            return Ok(vec![file(&stem, chunks)]);
        }
        let mut files = Vec::new();
        if has_skin {
            chunks.extend(objects);
            chunks.extend(hlods);
            files.push(file(&stem, chunks));
            for (model, hierarchy) in self.plan.models.iter().zip(hierarchies) {
                files.push(file(&model.skeleton, vec![hierarchy]));
            }
        } else {
            chunks.extend(hierarchies);
            chunks.extend(objects);
            chunks.extend(hlods);
            files.push(file(&stem, chunks));
        }
        for (label, animation) in animations {
            match files.iter_mut().find(|file| file.name.eq_ignore_ascii_case(&format!("{label}.w3d"))) {
                Some(file) => {
                    file.document.root.children_mut().into_iter().for_each(|all| all.push(animation.clone()));
                }
                None => files.push(file(&label, vec![animation])),
            }
        }
        Ok(files)
    }

    /// The HLOD of a model, if there is anything on it.
    fn hlod(&mut self, model: usize, mut levels: Vec<ModelLevel>) -> Option<Node<'static>> {
        let placed = self.placed.remove(&model).unwrap_or_default();
        for (_, level) in &mut levels {
            level.extend(placed.objects.iter().cloned());
        }
        let extra = [
            (table::HLOD_AGGREGATE_ARRAY, placed.aggregates),
            (table::HLOD_PROXY_ARRAY, placed.proxies),
            (table::HLOD_LIGHT_ARRAY, placed.lights),
        ];
        if levels.iter().all(|(_, level)| level.is_empty()) && extra.iter().all(|(_, list)| list.is_empty()) {
            return None;
        }
        let name = &self.plan.models[model].name;
        let header = HlodHeader {
            version: Version::new(1, 0),
            lod_count: count(levels.len()),
            name: chars(name),
            hierarchy_name: chars(&self.plan.models[model].skeleton),
        };
        let array = |size: f32, objects: &[(String, usize)]| {
            let header =
                HlodArrayHeader { model_count: count(objects.len()), max_screen_size: F32::new(size) };
            let mut chunks = vec![build(table::HLOD_SUB_OBJECT_ARRAY_HEADER, &header)];
            chunks.extend(objects.iter().map(|(name, pivot)| {
                build(table::HLOD_SUB_OBJECT, &HlodSubObject { bone_index: count(*pivot), name: chars(name) })
            }));
            chunks
        };
        let mut chunks = vec![build(table::HLOD_HEADER, &header)];
        // Stored from the coarsest to the finest.
        for (size, level) in levels.iter().rev() {
            chunks.push(build(table::HLOD_LOD_ARRAY, array(*size, level)));
        }
        for (handle, list) in extra.into_iter().filter(|(_, list)| !list.is_empty()) {
            chunks.push(build(handle, array(0.0, &list)));
        }
        Some(build(table::HLOD, chunks))
    }
}

fn hierarchy(model: &plan::Model) -> Node<'static> {
    let header = HierarchyHeader {
        version: Version::new(4, 1),
        name: chars(&model.skeleton),
        num_pivots: count(model.pivots.len()),
        center: Vec3::default(),
    };
    let pivots: Vec<Pivot> = model
        .pivots
        .iter()
        .map(|pivot| Pivot {
            name: chars(&pivot.name),
            parent_idx: pivot.parent.map_or(U32::new(u32::MAX), count),
            translation: space::vector(pivot.rest.translation),
            euler_angles: Vec3::default(),
            rotation: space::rotation(pivot.rest.rotation),
        })
        .collect();
    build(table::HIERARCHY, vec![build(table::HIERARCHY_HEADER, &header), build(table::PIVOTS, &pivots)])
}
