//! MDX: filter modes of layers and particles.

use mdx::kinds;
use mdx::records::*;
use record::Node;

use super::{Blend, Blending};
use crate::Error;
use crate::materials::{layers, own};
use crate::report::Report;
use crate::select::{Part, PartKind};

pub(super) fn blend(root: &mut Node<'_>, chosen: &[Part], blending: &Blending) -> Result<Report, Error> {
    let mut report = Report::default();
    for part in chosen {
        match part.kind {
            PartKind::Mesh | PartKind::Ribbon | PartKind::Material => {}
            PartKind::Emitter => report.changed += emitter(root, part, blending.blend)?,
            kind => return Err(Error::new(format!("a {} is not blended", kind.word()))),
        }
    }
    let mode = match blending.blend {
        Blend::Opaque => FilterMode::NONE,
        Blend::Masked => FilterMode::TRANSPARENT,
        Blend::Alpha => FilterMode::BLEND,
        Blend::Additive => FilterMode::ADDITIVE,
        Blend::Modulate => FilterMode::MODULATE,
    };
    // Materials that are already so are not copied.
    let before = root.clone();
    let mut changed = 0;
    for material in own(root, chosen)? {
        let Some(list) = layers(root, material) else {
            return Err(Error::new(format!("the material {material} does not exist")));
        };
        let count = list.len();
        let header = list.get_mut(blending.layer).and_then(|layer| layer.child_mut(&kinds::LAYER_HEADER));
        let Some(header) = header.and_then(Node::value_mut::<LayerHeader>) else {
            return Err(Error::new(format!(
                "the material {material} has no layer {}: it has {count}",
                blending.layer
            )));
        };
        changed += usize::from(header.filter_mode != mode);
        header.filter_mode = mode;
    }
    if changed == 0 {
        *root = before;
    }
    report.changed += changed;
    Ok(report)
}

fn emitter(root: &mut Node<'_>, part: &Part, blend: Blend) -> Result<usize, Error> {
    let mode = match blend {
        Blend::Opaque => {
            return Err(Error::new("particles cannot be opaque").with_note("use masked"));
        }
        Blend::Masked => ParticleFilterMode::ALPHA_KEY,
        Blend::Alpha => ParticleFilterMode::BLEND,
        Blend::Additive => ParticleFilterMode::ADDITIVE,
        Blend::Modulate => ParticleFilterMode::MODULATE,
    };
    let object = part.trail.iter().try_fold(root, |node, index| node.children_mut()?.get_mut(*index));
    let mut changed = None;
    for child in object.and_then(Node::children_mut).into_iter().flatten() {
        let field = if child.is(&kinds::PARTICLE_EMITTER_2_HEADER) {
            child.value_mut::<ParticleEmitter2Header>().map(|header| &mut header.filter_mode)
        } else if child.is(&kinds::WOW_PARTICLE_EMITTER_2_HEADER) {
            child.value_mut::<WowParticleEmitter2Header>().map(|header| &mut header.filter_mode)
        } else {
            None
        };
        if let Some(field) = field {
            changed = Some(usize::from(*field != mode));
            *field = mode;
        }
    }
    changed.ok_or_else(|| {
        Error::new(format!("{} emits models or effects, which are not blended here", part.title()))
    })
}
