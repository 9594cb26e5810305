//! Numbers that refer to textures.

use record::{I32, Node, U32};

use crate::records::{
    Key, LayerHeader, ParticleEmitter2Header, TangentKey, Texture, TextureReference,
    WowParticleEmitter2Header,
};
use crate::{kinds, tags};

/// Calls `see` with every reference to a texture below a node, and stores what it returns. Negative numbers mean "none" and stay.
pub fn textures(node: &mut Node<'_>, see: &mut dyn FnMut(u32) -> u32) {
    fn change(field: Option<&mut I32>, see: &mut dyn FnMut(u32) -> u32) {
        if let Some(field) = field
            && let Ok(old) = u32::try_from(field.get())
            && let Ok(new) = i32::try_from(see(old))
        {
            field.set(new);
        }
    }
    if node.is(&kinds::LAYER_HEADER) {
        change(node.value_mut::<LayerHeader>().map(|header| &mut header.texture_id), see);
    } else if node.is(&kinds::TEXTURE_REFERENCE) {
        change(node.value_mut::<TextureReference>().map(|header| &mut header.texture_id), see);
    } else if node.is(&kinds::PARTICLE_EMITTER_2_HEADER) {
        change(node.value_mut::<ParticleEmitter2Header>().map(|header| &mut header.texture_id), see);
    } else if node.is(&kinds::WOW_PARTICLE_EMITTER_2_HEADER) {
        change(node.value_mut::<WowParticleEmitter2Header>().map(|header| &mut header.texture_id), see);
    } else if node.id == tags::KMTF {
        for key in node.values_mut::<Key<U32>>() {
            key.value.set(see(key.value.get()));
        }
        for key in node.values_mut::<TangentKey<U32>>() {
            for value in [&mut key.value, &mut key.in_tan, &mut key.out_tan] {
                value.set(see(value.get()));
            }
        }
    }
    for child in node.children_mut().into_iter().flatten() {
        textures(child, see);
    }
}

/// Keeps the textures of a file for which `stays` has `true`, and renumbers all references. Returns the number of removed ones.
pub fn retain_textures(root: &mut Node<'_>, stays: &[bool]) -> usize {
    let removed = stays.iter().filter(|stays| !**stays).count();
    if removed == 0 {
        return 0;
    }
    let mut next = 0;
    let numbers: Vec<u32> = stays
        .iter()
        .map(|stays| {
            let number = next;
            next += u32::from(*stays);
            number
        })
        .collect();
    if let Some(list) = root.child_mut(&kinds::TEXS) {
        let all = list.values::<Texture>().iter().zip(stays);
        let kept: Vec<Texture> = all.filter(|(_, stays)| **stays).map(|(texture, _)| *texture).collect();
        list.set_values(&kept);
    }
    let place = |number: u32| usize::try_from(number).ok().filter(|index| stays.get(*index) == Some(&true));
    textures(root, &mut |number| place(number).map_or(number, |index| numbers[index]));
    removed
}
