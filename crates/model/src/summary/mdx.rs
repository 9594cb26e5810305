//! Summary of an MDX file.

use mdx::Document;
use mdx::records::{FaceType, SequenceFlags};
use mdx::view::{Geoset, NodeKind, Sequence, text};

use super::{Clip, Mesh, Need, NeedKind, Skeleton, Summary};

/// Kinds of nodes that are counted, with their names.
const OBJECTS: [(&str, NodeKind); 10] = [
    ("helper", NodeKind::Helper),
    ("light", NodeKind::Light),
    ("attachment", NodeKind::Attachment),
    ("particle emitter", NodeKind::ParticleEmitter),
    ("particle emitter 2", NodeKind::ParticleEmitter2),
    ("popcorn emitter", NodeKind::PopcornEmitter),
    ("ribbon emitter", NodeKind::RibbonEmitter),
    ("event object", NodeKind::EventObject),
    ("collision shape", NodeKind::CollisionShape),
    ("hit test shape", NodeKind::HitTestShape),
];

pub(super) fn summarise(document: &Document<'_>, summary: &mut Summary) {
    let model = document.view();
    let name = model.header().map(|header| text(header.name).into_owned()).unwrap_or_default();
    let bones = model.nodes_of(NodeKind::Bone).count();
    summary.version = Some(format!("version {}", document.version));
    summary.meshes = model.geosets().enumerate().map(|(index, geoset)| mesh(index, &geoset)).collect();
    summary.materials = model.materials().count();
    if bones > 0 {
        summary.skeletons.push(Skeleton { name: name.clone(), bones });
    }
    summary.clips = model.sequences().map(|sequence| clip(&sequence)).collect();
    summary.models.extend(Some(name).filter(|name| !name.is_empty()));
    for texture in model.textures() {
        summary.add_texture(text(&texture.path).into_owned());
    }
    let replaceable = model.textures().iter().filter(|texture| texture.replaceable_id.get() != 0).count();
    let counts = OBJECTS.iter().map(|(what, kind)| (*what, model.nodes_of(*kind).count()));
    let others = [
        ("camera", model.cameras().count()),
        ("global sequence", model.global_sequences().len()),
        ("replaceable texture", replaceable),
    ];
    summary.objects = counts.chain(others).filter(|(_, count)| *count > 0).collect();
    let animations = model.header().map(|header| text(header.animation_file).into_owned());
    let attached = model
        .nodes_of(NodeKind::Attachment)
        .filter_map(|node| Some((NeedKind::Model, text(node.attachment()?.path).into_owned())));
    for (what, file) in animations.map(|file| (NeedKind::Animation, file)).into_iter().chain(attached) {
        if !file.is_empty() {
            summary.add_need(Need { what, name: file.clone(), file });
        }
    }
}

fn mesh(index: usize, geoset: &Geoset<'_>) -> Mesh {
    let name = geoset.level_of_detail().map(|level| text(&level.name).into_owned());
    let indices = geoset.faces().len();
    Mesh {
        name: name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("Geoset {index}")),
        vertices: geoset.vertex_count(),
        // Groups may declare more indices than exist.
        triangles: geoset.face_groups().map(|(kind, count)| triangles(kind, count.min(indices))).sum(),
        skinned: !geoset.matrices().is_empty() || !geoset.skin().is_empty() || !geoset.wide_skin().is_empty(),
    }
}

/// Number of triangles that a group of indices draws.
fn triangles(kind: FaceType, indices: usize) -> usize {
    match kind {
        FaceType::TRIANGLES => indices / 3,
        FaceType::QUADS => indices / 4 * 2,
        FaceType::TRIANGLE_STRIP | FaceType::TRIANGLE_FAN | FaceType::QUAD_STRIP | FaceType::POLYGON => {
            indices.saturating_sub(2)
        }
        _ => 0,
    }
}

/// Times are in milliseconds; there are no frames.
fn clip(sequence: &Sequence<'_>) -> Clip {
    let [start, end] = sequence.interval;
    Clip {
        name: text(sequence.name).into_owned(),
        seconds: (f64::from(end) - f64::from(start)) / 1000.0,
        rate: None,
        frames: None,
        interval: Some(sequence.interval),
        looping: Some(!sequence.flags.has(SequenceFlags::NON_LOOPING)),
        speed: Some(sequence.move_speed),
        rarity: Some(sequence.rarity),
    }
}
