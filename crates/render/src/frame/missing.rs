//! Replacements for missing textures.
//!
//! An opaque surface shows a magenta checker, so that the missing texture is noticed. A surface that is added to the
//! picture or blended with it is left out, as in our glTF: a checker instead of smoke would hide the model. There is one
//! exception: a picture that is blended onto an opaque layer of the same material is the skin of a Warcraft III unit over
//! the player's colour, and becomes a checker.

use super::{PictureId, Sampler};
use crate::pictures;
use scene::{BlendMode, Layer, Material, Scene, SlotKind, TextureId, Transparency};

/// A texture of a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Found {
    /// The layer has no texture.
    None,
    /// It can be drawn.
    Sampler(Sampler),
    /// Its file was not found.
    Missing(Sampler),
}

impl Found {
    /// The texture, if it can be drawn.
    pub(super) fn sampler(self) -> Option<Sampler> {
        match self {
            Self::Sampler(sampler) => Some(sampler),
            Self::None | Self::Missing(_) => None,
        }
    }

    /// The texture, or the checker in its place.
    pub(super) fn or_checker(self) -> Option<Sampler> {
        match self {
            Self::None => None,
            Self::Sampler(sampler) | Self::Missing(sampler) => Some(sampler),
        }
    }
}

/// Looks up a texture; `missing` tells whether it was not found.
pub(super) fn find(scene: &Scene, missing: &[bool], id: Option<TextureId>) -> Found {
    let Some((id, texture)) = id.and_then(|id| Some((id, scene.textures.get(id.index())?))) else {
        return Found::None;
    };
    let is_missing = missing.get(id.index()).copied().unwrap_or(false);
    let picture = match pictures::supplied(texture) {
        Some(picture) => picture,
        None if is_missing => PictureId::Missing,
        None => PictureId::Texture(id),
    };
    let sampler = Sampler { picture, wrap: [texture.wrap_u, texture.wrap_v], mipmaps: !texture.no_mipmaps };
    if picture == PictureId::Missing { Found::Missing(sampler) } else { Found::Sampler(sampler) }
}

/// Whether a layer is drawn although its texture is missing.
pub(super) fn shows_checker(material: &Material, layer: &Layer) -> bool {
    let is_on_opaque =
        material.layers.first().is_some_and(|first| first.transparency() != Transparency::Blend);
    match layer.transparency() {
        Transparency::Opaque | Transparency::Mask => true,
        Transparency::Blend => layer.blend == BlendMode::Alpha && is_on_opaque,
    }
}

/// Whether a surface is part of the model's shape: a layer is drawn, and it is not the glow around a hero. A glow would
/// make the hero small in the picture.
pub(super) fn is_body(scene: &Scene, missing: &[bool], material: &Material) -> bool {
    material.layers.iter().any(|layer| {
        let texture =
            layer.slots.iter().find(|slot| slot.kind == SlotKind::Diffuse).and_then(|slot| slot.texture);
        match find(scene, missing, texture) {
            Found::None => true,
            Found::Missing(_) => shows_checker(material, layer),
            Found::Sampler(sampler) => sampler.picture != PictureId::TeamGlow,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{Replaceable, Texture};

    #[test]
    fn missing_and_supplied_textures_have_pictures_of_their_own() {
        let team = Texture { replaceable: Some(Replaceable::TEAM_COLOR), ..Texture::default() };
        let named = Texture { name: "a".into(), no_mipmaps: true, ..Texture::default() };
        let scene = Scene { textures: vec![named.clone(), named, team], ..Scene::default() };
        let find = |id| find(&scene, &[false, true, true], id);
        assert_eq!(find(None), Found::None);
        assert_eq!(find(Some(TextureId(7))), Found::None);
        let picture = |id| find(Some(TextureId(id))).or_checker().map(|sampler| sampler.picture);
        assert_eq!(picture(0), Some(PictureId::Texture(TextureId(0))));
        assert_eq!(picture(1), Some(PictureId::Missing));
        assert_eq!(picture(2), Some(PictureId::TeamColor));
        assert_eq!(find(Some(TextureId(1))).sampler(), None);
        assert!(!find(Some(TextureId(0))).sampler().unwrap().mipmaps);
    }

    #[test]
    fn checkers_show_on_surfaces_that_hide_what_is_behind() {
        let layer = |blend| Layer { blend, ..Layer::default() };
        let on = |layers: &[BlendMode]| {
            let layers: Vec<Layer> = layers.iter().map(|blend| layer(*blend)).collect();
            let last = layers.last().cloned().unwrap();
            shows_checker(&Material { layers, ..Material::default() }, &last)
        };
        assert!(on(&[BlendMode::Opaque]));
        assert!(!on(&[BlendMode::Alpha]));
        assert!(!on(&[BlendMode::Add]));
        assert!(on(&[BlendMode::Opaque, BlendMode::Alpha]));
        assert!(!on(&[BlendMode::Opaque, BlendMode::Additive]));
    }
}
