//! The parts of MDX models.

use mdx::kinds;
use mdx::records::{Sequence, Texture, WowSequence};
use mdx::view::{Camera, Geoset, NodeKind, Object};
use record::Node;

use super::{Collector, Part, PartKind};

/// The kind of a node.
pub(crate) const fn kind_of(kind: NodeKind) -> PartKind {
    match kind {
        NodeKind::Bone | NodeKind::Helper => PartKind::Bone,
        NodeKind::Light => PartKind::Light,
        NodeKind::Attachment => PartKind::Attachment,
        NodeKind::ParticleEmitter | NodeKind::ParticleEmitter2 | NodeKind::PopcornEmitter => {
            PartKind::Emitter
        }
        NodeKind::RibbonEmitter => PartKind::Ribbon,
        NodeKind::EventObject => PartKind::Event,
        NodeKind::CollisionShape | NodeKind::HitTestShape => PartKind::Collision,
    }
}

pub(super) fn parts(root: &Node<'_>) -> Vec<Part> {
    let mut found = Collector::default();
    let mut levels: Vec<i32> = Vec::new();
    for (at, chunk) in root.children().iter().enumerate() {
        let mut element = |kind: PartKind, index: usize, name: String| {
            found.add(kind, name, String::new(), &[at], Some(index));
        };
        for (index, sequence) in chunk.values::<Sequence>().iter().enumerate() {
            element(PartKind::Clip, index, sequence.name.to_string());
        }
        for (index, sequence) in chunk.values::<WowSequence>().iter().enumerate() {
            element(PartKind::Clip, index, sequence.name.to_string());
        }
        if chunk.is(&kinds::TEXS) {
            for (index, texture) in chunk.values::<Texture>().iter().enumerate() {
                element(PartKind::Texture, index, texture.path.to_string());
            }
        }
        for (inner, object) in chunk.children().iter().enumerate() {
            let mut add = |kind: PartKind, name: String| {
                found.add(kind, name, String::new(), &[at, inner], None);
            };
            if let Some(node) = Object::new(object) {
                add(kind_of(node.kind), node.name().into_owned());
            } else if let Some(geoset) = Geoset::new(object) {
                let level = geoset.level_of_detail();
                levels.extend(level.map(|level| level.level.get()));
                add(PartKind::Mesh, level.map(|level| level.name.to_string()).unwrap_or_default());
            } else if object.is(&kinds::MATERIAL) {
                add(PartKind::Material, String::new());
            } else if let Some(camera) = Camera::new(object) {
                add(PartKind::Camera, camera.name().into_owned());
            }
        }
    }
    levels.retain(|level| *level >= 0);
    levels.sort_unstable();
    levels.dedup();
    for level in levels {
        found.add(PartKind::Lod, level.to_string(), String::new(), &[], Some(level as usize));
    }
    found.parts
}
