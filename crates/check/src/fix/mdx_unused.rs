//! Removes unused parts of MDX files.

use mdx::records::{
    GeosetHeader, Key, LayerHeader, ParticleEmitter2Header, RibbonEmitterHeader, SimpleTrackHeader,
    TangentKey, Texture, TextureReference, TrackHeader,
};
use mdx::view::Track;
use mdx::{Dialect, Document, kinds, tags};
use record::{I32, Node, U32};

use super::{Changes, each_node};
use crate::context::MdxContext;
use crate::rules::mdx::material::{Usage, usage};

/// The new number of each element of a list; `None` for removed elements.
struct Numbers(Vec<Option<u32>>);

impl Numbers {
    fn new(used: &[bool]) -> Self {
        let mut next = 0;
        let number = |used: &bool| {
            let own = used.then_some(next);
            next += u32::from(*used);
            own
        };
        Self(used.iter().map(number).collect())
    }

    fn of(&self, id: u32) -> u32 {
        usize::try_from(id).ok().and_then(|id| self.0.get(id).copied().flatten()).unwrap_or(id)
    }

    fn word(&self, id: &mut U32) {
        id.set(self.of(id.get()));
    }

    /// The same for ids where a negative one means none.
    fn signed(&self, id: &mut I32) {
        if let Some(new) = u32::try_from(id.get()).ok().and_then(|id| i32::try_from(self.of(id)).ok()) {
            id.set(new);
        }
    }
}

fn kept<T: Copy>(values: &[T], used: &[bool]) -> Vec<T> {
    values.iter().zip(used).filter(|(_, used)| **used).map(|(value, _)| *value).collect()
}

/// Removes textures, materials, texture animations and global sequences that nothing uses, and renumbers the others.
pub(crate) fn mdx_unused(file: &mut Document<'_>, changes: &mut Changes) {
    // Lists of the WoW alpha have separate counts and are not shrunk. Where nothing is drawn, what would use them may have been lost.
    if file.dialect != Dialect::Warcraft || file.view().geosets().next().is_none() {
        return;
    }
    let Usage { textures, materials, texture_animations, global_sequences } =
        usage(&MdxContext::new(file, model::Game::Wc3Classic, None));
    let lists = [
        ("TEXS", "textures", &textures),
        ("MTLS", "materials", &materials),
        ("TXAN", "texture animations", &texture_animations),
        ("GLBS", "global sequences", &global_sequences),
    ];
    for (chunk, what, used) in lists {
        let removed = used.iter().filter(|used| !**used).count();
        if removed > 0 {
            changes.add(format!("{chunk}[0]"), format!("{removed} unused {what} removed"));
        }
    }
    if lists.iter().all(|(_, _, used)| used.iter().all(|used| *used)) {
        return;
    }
    let numbers = lists.map(|(_, _, used)| Numbers::new(used));
    each_node(&mut file.root, &mut |_, node| renumber(node, &numbers));
    if let Some(chunk) = file.root.child_mut(&kinds::TEXS) {
        let textures = kept(chunk.values::<Texture>(), &textures);
        chunk.set_values(&textures);
    }
    if let Some(chunk) = file.root.child_mut(&kinds::GLBS) {
        let durations = kept(chunk.values::<U32>(), &global_sequences);
        chunk.set_values(&durations);
    }
    for (chunk, object, used) in [
        (&kinds::MTLS, &kinds::MATERIAL, materials),
        (&kinds::TXAN, &kinds::TEXTURE_ANIMATION, texture_animations),
    ] {
        let mut used = used.into_iter();
        if let Some(children) = file.root.child_mut(chunk).and_then(Node::children_mut) {
            children.retain(|child| !child.is(object) || used.next().unwrap_or(true));
        }
    }
}

fn renumber(node: &mut Node<'_>, [textures, materials, animations, globals]: &[Numbers; 4]) {
    if let Some(layer) = node.value_mut::<LayerHeader>() {
        textures.signed(&mut layer.texture_id);
        animations.signed(&mut layer.texture_animation_id);
    } else if let Some(texture) = node.value_mut::<TextureReference>() {
        textures.signed(&mut texture.texture_id);
    } else if let Some(emitter) = node.value_mut::<ParticleEmitter2Header>() {
        textures.signed(&mut emitter.texture_id);
    } else if let Some(geoset) = node.value_mut::<GeosetHeader>() {
        materials.word(&mut geoset.material_id);
    } else if let Some(ribbon) = node.value_mut::<RibbonEmitterHeader>() {
        materials.signed(&mut ribbon.material_id);
    } else if Track::new(node).is_some() {
        if node.id == tags::KMTF {
            node.values_mut::<Key<U32>>().iter_mut().for_each(|key| textures.word(&mut key.value));
            node.values_mut::<TangentKey<U32>>().iter_mut().for_each(|key| textures.word(&mut key.value));
        }
        if let Some(header) = node.value_mut::<TrackHeader>() {
            globals.signed(&mut header.global_sequence);
        } else if let Some(header) = node.value_mut::<SimpleTrackHeader>() {
            globals.signed(&mut header.global_sequence);
        }
    }
}
