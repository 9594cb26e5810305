//! What a W3D file holds.

use std::collections::HashMap;
use std::sync::LazyLock;

use record::{Kind, Node};
use w3d::names::MeshFlags;
use w3d::records::{
    AggregateInfo, AggregateSubobject, HModelHeader, HierarchyHeader, Lod, MeshHeader, MeshHeader3,
};
use w3d::{Games, W3d, table};

use super::{Clip, Guess, Mesh, Need, Skeleton, Summary};

/// Kinds that are counted under a name of their own.
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

pub(crate) fn summary(file: &W3d<'_>) -> Summary {
    let mut summary = Summary {
        version: version(file),
        models: models(file),
        meshes: file.meshes().map(mesh).collect(),
        skeletons: file
            .hierarchies()
            .map(|it| Skeleton { name: it.name(), bones: it.pivots().len() })
            .collect(),
        clips: file.animations().map(clip).collect(),
        objects: objects(file),
        game: guess(file),
        ..Summary::default()
    };
    for mesh in file.meshes() {
        summary.materials += mesh.vertex_materials().count();
        mesh.0.walk(&mut |place| summary.materials += usize::from(place.node.is(&table::SHADER_MATERIAL)));
        mesh.texture_names().into_iter().for_each(|name| summary.add_texture(name));
    }
    needs(file, &mut summary);
    summary
}

/// A file has no version; its parts have, and exporters gave meshes the one that people speak of.
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
    // Meshes before version 3 have their name in another header.
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

/// The engine runs a clip from frame 0 to the last one, which is one less than there are.
fn clip(animation: w3d::Animation<'_>) -> Clip {
    let frames = animation.num_frames();
    let rate = f64::from(animation.frame_rate());
    let seconds = if rate > 0.0 { f64::from(frames.saturating_sub(1)) / rate } else { 0.0 };
    Clip {
        name: format!("{}.{}", animation.hierarchy_name(), animation.name()),
        seconds,
        rate: Some(rate),
        frames: Some(frames),
    }
}

fn objects(file: &W3d<'_>) -> Vec<(&'static str, usize)> {
    let counts = OBJECTS.iter().map(|(what, kind)| (*what, file.root.all(kind).count()));
    counts.filter(|(_, count)| *count > 0).collect()
}

/// What the file refers to and does not hold, with the files that the engine would load: `A.B` and `A` are in `A.w3d`, the
/// skeleton `H` is in `H.w3d`; case does not matter.
fn needs(file: &W3d<'_>, summary: &mut Summary) {
    let inside: Vec<String> = file.root.children().iter().filter_map(Node::label).collect();
    let has = |name: &str| inside.iter().any(|known| known.eq_ignore_ascii_case(name));
    let skeletons: Vec<String> = file.hierarchies().map(|it| it.name()).collect();
    let mut need_skeleton = |name: String| {
        if !name.is_empty() && !skeletons.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            let file = format!("{}.w3d", name.to_lowercase());
            summary.add_need(Need { what: "skeleton", name: name.to_uppercase(), file });
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
            summary.add_need(Need { what: "model", name: name.to_uppercase(), file });
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

/// The games that know every chunk of the file; where that says little, the version of its meshes says more.
fn guess(file: &W3d<'_>) -> Guess {
    let every = Games::new(Games::NAMES.table.iter().fold(0, |all, game| all | game.value as u16));
    let mut games = every.get() & !Games::EARLY.get();
    let mut reason = None;
    let mut old = None;
    let mut conflict = false;
    file.root.walk(&mut |place| {
        let node = place.node;
        let Some(known_by) = games_of(node) else { return };
        if known_by == Games::EARLY {
            old.get_or_insert(node.kind.name);
        } else if games & known_by.get() != games {
            conflict |= games & known_by.get() == 0;
            games &= known_by.get();
            reason = Some(node.kind.name);
        }
    });
    if conflict {
        return Guess {
            games: Vec::new(),
            reason: "its chunks are of games that exclude one another".to_owned(),
        };
    }
    if let Some(chunk) = old {
        return guessed(Games::EARLY.get(), format!("{chunk} was given up before the first game"));
    }
    // What exporters wrote: see `w3d::names::Version`.
    let (by_version, version) = match mesh_version(file) {
        Some(version) if version.major() >= 5 => {
            (Games::BFME | Games::BFME2 | Games::TT4 | Games::TT5, version)
        }
        Some(version) if version.major() == 4 && version.minor() == 2 => {
            (Games::RENEGADE | Games::EARTH_AND_BEYOND | Games::GENERALS | Games::ZERO_HOUR, version)
        }
        version => (Games::new(games), version.unwrap_or_default()),
    };
    let both = games & by_version.get();
    match reason {
        Some(chunk) if both == 0 || both == games => guessed(games, format!("it has {chunk}")),
        Some(chunk) => guessed(both, format!("it has {chunk}, and its meshes are of version {version}")),
        None if both != games => guessed(both, format!("its meshes are of version {version}")),
        None => guessed(0, "it has only what every game knows".to_owned()),
    }
}

/// The games that know a chunk.
fn games_of(node: &Node<'_>) -> Option<Games> {
    // Chunks that stand in a scope of their own are rare, and looking through all scopes takes long: it is done once.
    static SCOPED: LazyLock<HashMap<usize, Games>> = LazyLock::new(|| {
        let kinds = table::every_row().flat_map(|row| row.kinds.iter().map(|kind| (*kind, row.games)));
        kinds.map(|(kind, games)| (address(kind), games)).collect()
    });
    match table::find(None, node.id) {
        Some(row) if std::ptr::eq(&row.kind, node.kind) => Some(row.games),
        _ => SCOPED.get(&address(node.kind)).copied(),
    }
}

/// Kinds are statics: their address is what they are.
fn address(kind: &'static Kind) -> usize {
    std::ptr::from_ref(kind).addr()
}

fn guessed(games: u16, reason: String) -> Guess {
    let names = Games::NAMES.table.iter().filter(|game| u32::from(games) & game.value != 0);
    Guess { games: names.map(|game| game.doc).collect(), reason }
}
