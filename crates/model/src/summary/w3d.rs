//! Summary of a W3D file.

use record::Node;
use w3d::names::MeshFlags;
use w3d::records::{
    AggregateInfo, AggregateSubobject, HModelHeader, HierarchyHeader, Lod, MeshHeader, MeshHeader3,
};
use w3d::{W3d, table};

use super::{Clip, Mesh, Need, NeedKind, Skeleton, Summary};

/// Kinds of chunks that are counted, with their names.
const OBJECTS: [(&str, &w3d::Chunk); 12] = [
    ("collision box", table::BOX.row),
    ("emitter", table::EMITTER.row),
    ("light", table::LIGHT.row),
    ("sphere", table::SPHERE.row),
    ("ring", table::RING.row),
    ("dazzle", table::DAZZLE.row),
    ("sound", table::SOUNDROBJ.row),
    ("null object", table::NULL_OBJECT.row),
    ("aggregate", table::AGGREGATE.row),
    ("collection", table::COLLECTION.row),
    ("morph animation", table::MORPH_ANIMATION.row),
    ("shader mesh", table::SHDMESH.row),
];

pub(super) fn summarise(file: &W3d<'_>, summary: &mut Summary) {
    summary.version = version(file);
    summary.models = models(file);
    summary.meshes = file.meshes().map(mesh).collect();
    summary.skeletons =
        file.hierarchies().map(|it| Skeleton { name: it.name(), bones: it.pivots().len() }).collect();
    summary.clips = file.animations().map(clip).collect();
    summary.objects = objects(file);
    for mesh in file.meshes() {
        summary.materials += mesh.vertex_materials().count();
        mesh.0.walk(&mut |place| summary.materials += usize::from(place.node.is(&table::SHADER_MATERIAL)));
        mesh.texture_names().into_iter().for_each(|name| summary.add_texture(name));
    }
    needs(file, summary);
}

/// A file has no version, but its parts have. The "W3D version" of a file is usually that of its meshes.
fn version(file: &W3d<'_>) -> Option<String> {
    let mesh = mesh_version(file).map(|version| format!("mesh {version}"));
    let skeleton = || {
        let headers = file.hierarchies().filter_map(|it| it.header());
        let versions = headers.map(|header: &HierarchyHeader| header.version);
        versions.max_by_key(|version| version.0.get()).map(|version| format!("hierarchy {version}"))
    };
    mesh.or_else(skeleton)
}

fn mesh_version(file: &W3d<'_>) -> Option<w3d::names::Version> {
    file.meshes().filter_map(|mesh| mesh.header()).map(|header| header.version).max_by_key(|it| it.0.get())
}

fn models(file: &W3d<'_>) -> Vec<String> {
    let is_model = |node: &&Node<'_>| {
        [&table::HLOD, &table::HMODEL, &table::LODMODEL, &table::AGGREGATE].iter().any(|kind| node.is(kind))
    };
    file.root.children().iter().filter(is_model).filter_map(Node::label).collect()
}

fn mesh(mesh: w3d::Mesh<'_>) -> Mesh {
    let is_skin = |header: &MeshHeader3| header.attributes.has(MeshFlags::GEOMETRY_SKIN);
    // Meshes before version 3 store their name in another header.
    let old_name = || {
        let header = mesh.0.child(&table::MESH_HEADER)?.value::<MeshHeader>()?;
        Some(header.mesh_name.to_string())
    };
    Mesh {
        name: mesh.header().map(MeshHeader3::full_name).or_else(old_name).unwrap_or_default(),
        vertices: mesh.vertices().len(),
        triangles: mesh.triangles().len(),
        skinned: mesh.header().is_some_and(is_skin) || !mesh.influences().is_empty(),
    }
}

/// The engine plays a clip from frame 0 to the last frame, so N frames last N - 1 intervals.
fn clip(animation: w3d::Animation<'_>) -> Clip {
    let frames = animation.num_frames();
    let rate = f64::from(animation.frame_rate());
    let seconds = if rate > 0.0 { f64::from(frames.saturating_sub(1)) / rate } else { 0.0 };
    Clip {
        name: format!("{}.{}", animation.hierarchy_name(), animation.name()),
        seconds,
        rate: Some(rate),
        frames: Some(frames),
        interval: None,
        looping: None,
        speed: None,
        rarity: None,
    }
}

fn objects(file: &W3d<'_>) -> Vec<(&'static str, usize)> {
    let counts = OBJECTS.iter().map(|(what, kind)| (*what, file.root.all(kind).count()));
    counts.filter(|(_, count)| *count > 0).collect()
}

/// References to objects that the file does not contain, with the file that the engine loads. `A.B` and `A` are in
/// `A.w3d`, the skeleton `H` is in `H.w3d`. Case does not matter.
fn needs(file: &W3d<'_>, summary: &mut Summary) {
    let inside: Vec<String> = file.root.children().iter().filter_map(Node::label).collect();
    let has = |name: &str| inside.iter().any(|known| known.eq_ignore_ascii_case(name));
    let skeletons: Vec<String> = file.hierarchies().map(|it| it.name()).collect();
    let mut need_skeleton = |name: String| {
        if !name.is_empty() && !skeletons.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            let file = format!("{}.w3d", name.to_lowercase());
            summary.add_need(Need { what: NeedKind::Skeleton, name: name.to_uppercase(), file });
        }
    };
    for hlod in file.hlods() {
        need_skeleton(hlod.header().map(|header| header.hierarchy_name.to_string()).unwrap_or_default());
    }
    for header in children(file, &table::HMODEL, &table::HMODEL_HEADER) {
        need_skeleton(
            header.value::<HModelHeader>().map(|it| it.hierarchy_name.to_string()).unwrap_or_default(),
        );
    }
    for animation in file.animations() {
        need_skeleton(animation.hierarchy_name());
    }
    let mut need_object = |name: String| {
        if !name.is_empty() && !has(&name) {
            let file = format!("{}.w3d", name.split('.').next().unwrap_or_default().to_lowercase());
            summary.add_need(Need { what: NeedKind::Model, name: name.to_uppercase(), file });
        }
    };
    for hlod in file.hlods() {
        for level in hlod.levels().chain(hlod.aggregates()) {
            level.sub_objects().for_each(|object| need_object(object.name.to_string()));
        }
    }
    for node in children(file, &table::AGGREGATE, &table::AGGREGATE_INFO) {
        need_object(
            node.value::<AggregateInfo>().map(|it| it.base_model_name.to_string()).unwrap_or_default(),
        );
        for object in node.values::<AggregateSubobject>() {
            need_object(object.subobject_name.to_string());
        }
    }
    for level in children(file, &table::LODMODEL, &table::LOD) {
        need_object(level.value::<Lod>().map(|it| it.render_obj_name.to_string()).unwrap_or_default());
    }
}

/// The children of one kind in all parts of another.
fn children<'n>(
    file: &'n W3d<'_>,
    parent: &'static w3d::Chunk,
    kind: &'static w3d::Chunk,
) -> impl Iterator<Item = &'n Node<'n>> {
    file.root.all(parent).flat_map(|node| node.all(kind))
}
