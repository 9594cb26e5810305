//! How materials differ, as far as glTF shows them.

use super::{Edit, Matches, Side};
use scene::{Layer, Material, MaterialId, Scene, SlotKind, Texture, TextureSlot, Transparency};
use std::collections::HashSet;

/// What of a material is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookChange {
    /// The name.
    Name,
    /// The colour or the opacity.
    Color,
    /// The first texture.
    Texture,
    /// Whether and how it is transparent.
    Transparency,
    /// Whether both sides are drawn.
    TwoSided,
    /// Whether light falls on it.
    Unlit,
    /// Something else.
    Other,
}

impl LookChange {
    /// A word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Color => "colour",
            Self::Texture => "texture",
            Self::Transparency => "transparency",
            Self::TwoSided => "sides",
            Self::Unlit => "lighting",
            Self::Other => "other properties",
        }
    }
}

pub(super) fn edits(
    original: &Scene,
    base: &Side<'_>,
    edited: &Side<'_>,
    matches: &Matches,
    edits: &mut Vec<Edit>,
) {
    let used: HashSet<MaterialId> =
        edited.scene.meshes.iter().flat_map(|mesh| &mesh.parts).filter_map(|part| part.material).collect();
    let mut seen: HashSet<(MaterialId, Vec<u8>)> = HashSet::new();
    for (index, now) in edited.scene.materials.iter().enumerate() {
        let Some(known) = matches.materials[index] else { continue };
        let Some(id) = base.materials[known].filter(|id| id.index() < original.materials.len()) else {
            continue;
        };
        if !used.contains(&MaterialId::from(index)) && !edited.has_objects {
            continue;
        }
        let before = &base.scene.materials[known];
        let changes = match base.has_objects && edited.has_objects {
            // The reader restores everything that nobody changed.
            true if before == now => continue,
            true => restored(base.scene, before, edited.scene, now),
            false => {
                let known = stems(original, &original.materials[id.index()]);
                plain(&known, base.scene, before, edited.scene, now)
            }
        };
        if !changes.is_empty() && seen.insert((id, changes.iter().map(|change| *change as u8).collect())) {
            edits.push(Edit::MaterialChanged(id, index, changes));
        }
    }
}

/// What is different in materials that have all layers.
fn restored(base: &Scene, before: &Material, edited: &Scene, now: &Material) -> Vec<LookChange> {
    let mut changes = Vec::new();
    if before.name != now.name {
        changes.push(LookChange::Name);
    }
    if before.layers.len() != now.layers.len() {
        changes.push(LookChange::Other);
        return changes;
    }
    for (a, b) in before.layers.iter().zip(&now.layers) {
        let rest = layer(base, a, edited, b, &mut changes);
        if rest {
            changes.push(LookChange::Other);
        }
    }
    changes.dedup();
    changes
}

/// Adds what is different in two layers. The result tells whether there is more.
fn layer(base: &Scene, a: &Layer, edited: &Scene, b: &Layer, changes: &mut Vec<LookChange>) -> bool {
    let mut add = |is_changed: bool, change: LookChange| {
        if is_changed && !changes.contains(&change) {
            changes.push(change);
        }
    };
    let lit = |layer: &Layer| layer.lighting.as_ref().map(|lighting| (lighting.diffuse, lighting.opacity));
    add(a.color != b.color || a.alpha != b.alpha || lit(a) != lit(b), LookChange::Color);
    let name = |scene: &Scene, slot: &TextureSlot| {
        slot.texture.and_then(|id| scene.textures.get(id.index())).cloned()
    };
    let slots = |scene: &Scene, layer: &Layer| -> Vec<_> {
        layer.slots.iter().map(|slot| name(scene, slot)).collect()
    };
    add(slots(base, a) != slots(edited, b), LookChange::Texture);
    add((a.blend, a.alpha_test) != (b.blend, b.alpha_test), LookChange::Transparency);
    add(a.two_sided != b.two_sided, LookChange::TwoSided);
    add(a.unlit != b.unlit, LookChange::Unlit);
    false
}

/// What is different in materials that glTF alone describes. `known` are the textures of the original.
fn plain(
    known: &HashSet<String>,
    base: &Scene,
    before: &Material,
    edited: &Scene,
    now: &Material,
) -> Vec<LookChange> {
    let mut changes = Vec::new();
    if !super::matching::same_name(&before.name, &now.name) {
        changes.push(LookChange::Name);
    }
    let (Some(a), Some(b)) = (before.layers.first(), now.layers.first()) else { return changes };
    let picture = |scene: &Scene, layer: &Layer| {
        let texture = layer.slot(SlotKind::Diffuse).and_then(|slot| slot.texture);
        texture.and_then(|id| scene.textures.get(id.index())).map(picture_stem)
    };
    let (own, other) = (picture(base, a), picture(edited, b));
    // A picture that was made of the original's textures stands for them, also if their files are not found any more.
    let is_known = |name: &String| known.contains(name) || name.split(" + ").all(|part| known.contains(part));
    let same_picture = own == other || other.as_ref().is_some_and(is_known);
    if !same_picture {
        changes.push(LookChange::Texture);
    }
    let is_transparent = |layer: &Layer| layer.transparency() != Transparency::Opaque;
    let color = |layer: &Layer| layer.lighting.as_ref().map_or(layer.color, |lighting| lighting.diffuse);
    let alpha = |layer: &Layer| layer.lighting.as_ref().map_or(layer.alpha, |lighting| lighting.opacity);
    // Opaque materials have no opacity in Blender.
    let same_alpha = !is_transparent(b) || (alpha(a) - alpha(b)).abs() < 4e-3;
    // Without its texture, a material has the colour of that.
    let has_both = own.is_some() == other.is_some();
    if has_both && (!color(a).abs_diff_eq(color(b), 4e-3) || !same_alpha) {
        changes.push(LookChange::Color);
    }
    // Blender writes everything without a texture as opaque.
    if has_both && own.is_some() && a.transparency() != b.transparency() {
        changes.push(LookChange::Transparency);
    }
    if a.two_sided != b.two_sided {
        changes.push(LookChange::TwoSided);
    }
    if a.unlit != b.unlit {
        changes.push(LookChange::Unlit);
    }
    changes
}

/// The names of all textures of a material.
fn stems(scene: &Scene, material: &Material) -> HashSet<String> {
    let slots = material.layers.iter().flat_map(|layer| &layer.slots);
    let textures = slots.filter_map(|slot| scene.textures.get(slot.texture?.index()));
    textures.map(picture_stem).collect()
}

/// The name of the picture of a texture, as [`stem`] has it.
fn picture_stem(texture: &Texture) -> String {
    match texture.replaceable {
        // Pictures that stand for what the game supplies have this name.
        Some(supplied) if texture.name.is_empty() => format!("replaceable {}", supplied.0),
        _ => stem(&texture.name),
    }
}

/// A name of a picture without folders, extension and Blender's number, in lower case. Pictures that our writer derived from others are called
/// after these, behind a number that depends on their order.
fn stem(name: &str) -> String {
    const EXTENSIONS: [&str; 8] = ["blp", "dds", "tga", "png", "jpg", "jpeg", "webp", "tif"];
    const DERIVED: &str = "(derived ";
    let mut rest = name.rsplit(['/', '\\']).next().unwrap_or(name);
    if let Some((_, own)) = rest.strip_prefix(DERIVED).and_then(|rest| rest.split_once(") ")) {
        rest = own;
    }
    loop {
        let shorter = super::matching::without_number(rest);
        let shorter = match shorter.rsplit_once('.') {
            Some((stem, extension))
                if EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)) =>
            {
                stem
            }
            _ => shorter,
        };
        if shorter == rest {
            return rest.to_lowercase();
        }
        rest = shorter;
    }
}
