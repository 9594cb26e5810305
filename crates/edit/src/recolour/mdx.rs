//! MDX: geoset animations, emitters, lights, and layers of the player's colour.

use mdx::records::*;
use mdx::{ColorOrder, kinds};
use record::{Chars, F32, I32, Node, U32, Vec3};

use super::ColourChange;
use crate::Error;
use crate::add::mdx::chunk;
use crate::materials::{layers, own};
use crate::references::{each, mdx::geoset_of};
use crate::report::Report;
use crate::select::{Part, PartKind};

/// The number of the texture that has the colour of the player.
const TEAM_COLOUR: u32 = 1;

pub(super) fn recolour(root: &mut Node<'_>, chosen: &[Part], change: &ColourChange) -> Result<Report, Error> {
    if let ColourChange::TeamColour(on) = change {
        return team_colour(root, chosen, *on);
    }
    let mut report = Report::default();
    for part in chosen {
        report.changed += match part.kind {
            PartKind::Mesh => geoset(root, part.index, change)?,
            PartKind::Emitter | PartKind::Ribbon | PartKind::Light => object(root, part, change)?,
            PartKind::Material => {
                return Err(Error::new("materials of MDX have no colour").with_note("choose the geoset"));
            }
            kind => return Err(Error::new(format!("a {} has no colour", kind.word()))),
        };
    }
    Ok(report)
}

fn set(colour: &mut Vec3, change: &ColourChange) {
    *colour = change.apply(colour.get()).into();
}

/// The order in which a track of colours stores red, green and blue; `None` for other nodes.
fn order_of(node: &Node<'_>) -> Option<ColorOrder> {
    mdx::track_row(node.id).filter(|row| row.layout(node.kind).is_some())?.color
}

/// Changes the keys of colours below a node. One colour for all moments needs no keys. Returns whether there were any.
fn tracks(node: &mut Node<'_>, change: &ColourChange) -> bool {
    let mut found = false;
    each(node, &mut |owner| {
        let Some(children) = owner.children_mut() else { return };
        found |= children.iter().any(|child| order_of(child).is_some());
        if matches!(change, ColourChange::Set(_)) {
            children.retain(|child| order_of(child).is_none());
        }
        for (track, order) in
            children.iter_mut().filter_map(|child| order_of(child).map(|order| (child, order)))
        {
            let turned = |[a, b, c]: [f32; 3]| match order {
                ColorOrder::Bgr => [c, b, a],
                ColorOrder::Rgb => [a, b, c],
            };
            let new = |old: Vec3| Vec3::from(turned(change.apply(turned(old.get()))));
            for key in track.values_mut::<Key<Vec3>>() {
                key.value = new(key.value);
            }
            for key in track.values_mut::<TangentKey<Vec3>>() {
                (key.value, key.in_tan, key.out_tan) = (new(key.value), new(key.in_tan), new(key.out_tan));
            }
        }
    });
    found
}

fn object(root: &mut Node<'_>, part: &Part, change: &ColourChange) -> Result<usize, Error> {
    let Some(node) = part.trail.iter().try_fold(root, |node, index| node.children_mut()?.get_mut(*index))
    else {
        return Ok(0);
    };
    let before = node.to_bytes().ok();
    let mut found = tracks(node, change);
    each(node, &mut |node| {
        let colour = if node.is(&kinds::RIBBON_EMITTER_HEADER) {
            node.value_mut::<RibbonEmitterHeader>().map(|header| &mut header.color)
        } else if node.is(&kinds::LIGHT_COLOR) {
            node.value_mut::<LightColor>().map(|light| &mut light.color)
        } else if node.is(&kinds::POPCORN_EMITTER_HEADER) {
            node.value_mut::<PopcornEmitterHeader>().map(|header| &mut header.color)
        } else {
            None
        };
        if let Some(colour) = colour {
            found = true;
            set(colour, change);
        }
        let segments = if node.is(&kinds::PARTICLE_EMITTER_2_HEADER) {
            node.value_mut::<ParticleEmitter2Header>().map(|header| &mut header.segment_colors)
        } else if node.is(&kinds::WOW_PARTICLE_EMITTER_2_HEADER) {
            node.value_mut::<WowParticleEmitter2Header>().map(|header| &mut header.segment_colors)
        } else {
            None
        };
        for colour in segments.into_iter().flatten() {
            found = true;
            set(colour, change);
        }
    });
    if !found {
        return Err(Error::new(format!("{} emits models, which have their own colours", part.title())));
    }
    Ok(usize::from(node.to_bytes().ok() != before))
}

fn geoset(root: &mut Node<'_>, index: usize, change: &ColourChange) -> Result<usize, Error> {
    let is_wow = root.child(&kinds::WOW_MODL).is_some();
    let animations = root.children_mut().into_iter().flatten().filter(|chunk| chunk.is(&kinds::GEOA));
    let mut own = animations
        .filter_map(Node::children_mut)
        .flatten()
        .filter(|child| child.is(&kinds::GEOSET_ANIMATION) && geoset_of(child) == Some(index));
    if let Some(animation) = own.next() {
        let before = animation.to_bytes().ok();
        let keyed = tracks(animation, change);
        // Without the flag the colour does not count: it is white.
        if let Some(header) = animation
            .child_mut(&kinds::GEOSET_ANIMATION_HEADER)
            .and_then(Node::value_mut::<GeosetAnimationHeader>)
        {
            if !header.flags.has(GeosetAnimationFlags::COLOR) && !keyed {
                header.color = Vec3::new(1.0, 1.0, 1.0);
            }
            set(&mut header.color, change);
            header.flags = header.flags | GeosetAnimationFlags::COLOR;
        } else if let Some(header) = animation
            .child_mut(&kinds::WOW_GEOSET_ANIMATION_HEADER)
            .and_then(Node::value_mut::<WowGeosetAnimationHeader>)
        {
            set(&mut header.color, change);
        }
        return Ok(usize::from(animation.to_bytes().ok() != before));
    }
    let white = change.apply([1.0; 3]);
    if white == [1.0; 3] {
        return Ok(0);
    }
    if is_wow {
        return Err(Error::new("a geoset of a WoW model without a geoset animation has no colour"));
    }
    let header = GeosetAnimationHeader {
        alpha: F32::new(1.0),
        flags: GeosetAnimationFlags::COLOR,
        color: white.into(),
        geoset_id: I32::new(i32::try_from(index).unwrap_or(-1)),
    };
    let animation = mdx::build::branch(
        &kinds::GEOSET_ANIMATION,
        vec![record::build(kinds::GEOSET_ANIMATION_HEADER, &header)],
    );
    if let Some(list) = chunk(root, kinds::GEOA.kind).and_then(Node::children_mut) {
        list.push(animation);
    }
    Ok(1)
}

/// The textures that are replaced by the colour of the player.
fn team_textures(root: &Node<'_>) -> Vec<usize> {
    let all = root.get(kinds::TEXS).iter().enumerate();
    all.filter(|(_, texture)| texture.replaceable_id.get() == TEAM_COLOUR).map(|(index, _)| index).collect()
}

/// The texture of a layer; `None` if it has several or none.
fn texture_of(layer: &Node<'_>) -> Option<usize> {
    let mut references = Vec::new();
    layer.walk(&mut |place| {
        references.extend(place.node.value::<TextureReference>().map(|reference| reference.texture_id.get()));
    });
    let id = match references[..] {
        [] => layer.get(kinds::LAYER_HEADER)?.texture_id.get(),
        [id] => id,
        _ => return None,
    };
    usize::try_from(id).ok()
}

fn set_texture(layer: &mut Node<'_>, texture: usize) {
    let id = i32::try_from(texture).unwrap_or_default();
    each(layer, &mut |node| {
        if node.is(&kinds::LAYER_HEADER) {
            if let Some(header) = node.value_mut::<LayerHeader>() {
                header.texture_id = I32::new(id);
            }
        } else if node.is(&kinds::TEXTURE_REFERENCE)
            && let Some(reference) = node.value_mut::<TextureReference>()
        {
            reference.texture_id = I32::new(id);
        }
    });
}

fn is_hd(material: &[Node<'_>]) -> bool {
    // Materials of Reforged have the share of the team colour in the alpha of a map.
    material.iter().any(|layer| texture_of(layer).is_none())
}

fn team_colour(root: &mut Node<'_>, chosen: &[Part], on: bool) -> Result<Report, Error> {
    for part in chosen {
        if !matches!(part.kind, PartKind::Mesh | PartKind::Material) {
            return Err(Error::new(format!("a {} cannot show the colour of the player", part.kind.word())));
        }
    }
    let original = root.clone();
    let mut report = Report::default();
    for material in own(root, chosen)? {
        let teams = team_textures(root);
        let list = layers(root, material)
            .ok_or_else(|| Error::new(format!("the material {material} does not exist")))?;
        let is_team = |layer: &Node<'_>| texture_of(layer).is_some_and(|texture| teams.contains(&texture));
        if list.iter().any(is_team) == on {
            continue;
        }
        if is_hd(list) {
            return Err(Error::new(format!(
                "material #{material} is of Reforged, where a map says what shows the colour of the player"
            )));
        }
        let first =
            list.first().cloned().ok_or_else(|| Error::new(format!("material #{material} has no layer")))?;
        if on {
            let texture = match teams.first() {
                Some(texture) => *texture,
                None => add_texture(root),
            };
            let Some(list) = layers(root, material) else { continue };
            list.insert(0, team_layer(first, texture));
            if let Some(header) = list.get_mut(1).and_then(|layer| layer.get_mut(kinds::LAYER_HEADER))
                && [FilterMode::NONE, FilterMode::TRANSPARENT].contains(&header.filter_mode)
            {
                // The player's colour shows through its alpha.
                header.filter_mode = FilterMode::BLEND;
            }
        } else {
            list.retain(|layer| !is_team(layer));
            let Some(first) = list.first_mut() else {
                return Err(Error::new(format!(
                    "material #{material} shows nothing but the colour of the player"
                ))
                .with_note("replace its texture instead"));
            };
            if let Some(header) = first.get_mut(kinds::LAYER_HEADER)
                && header.filter_mode == FilterMode::BLEND
            {
                header.filter_mode = FilterMode::NONE;
            }
        }
        report.changed += 1;
    }
    // Nothing to do: own copies of materials are not needed.
    if report.changed == 0 {
        *root = original;
    }
    Ok(report)
}

/// A layer like another one with the texture of the player, opaque and not animated.
fn team_layer<'a>(like: Node<'a>, texture: usize) -> Node<'a> {
    let mut layer = like;
    if let Some(children) = layer.children_mut() {
        children.retain(|child| mdx::view::Track::new(child).is_none());
    }
    set_texture(&mut layer, texture);
    if let Some(header) = layer.get_mut(kinds::LAYER_HEADER) {
        header.filter_mode = FilterMode::NONE;
        let is_two_sided = header.flags.has(LayerFlags::TWO_SIDED);
        header.flags = LayerFlags::UNSHADED;
        if is_two_sided {
            header.flags = header.flags | LayerFlags::TWO_SIDED;
        }
        header.texture_animation_id = I32::new(-1);
        header.alpha = F32::new(1.0);
    }
    layer
}

fn add_texture(root: &mut Node<'_>) -> usize {
    let mut all = root.get(kinds::TEXS).to_vec();
    all.push(Texture {
        replaceable_id: U32::new(TEAM_COLOUR),
        path: Chars::default(),
        flags: Default::default(),
    });
    chunk(root, kinds::TEXS.kind).and_then(|list| list.set_values(&all));
    all.len() - 1
}
