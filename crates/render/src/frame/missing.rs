//! Replacements for missing textures.
//!
//! An opaque surface shows a magenta checker, so that the missing texture is noticed. A surface that is added to the
//! picture or blended with it is skipped, as in our glTF: a checker instead of smoke would hide the model. There are two
//! exceptions. A picture that is blended onto an opaque layer of the same material is the skin of a Warcraft III unit over
//! the player's colour, and becomes a checker. And if nothing of the model could be drawn otherwise, every surface shows
//! the checker: its shape says more than an empty picture.

use super::{PictureId, Sampler};
use crate::pictures;
use scene::{BlendMode, Layer, Material, Mesh, Part, Scene, SlotKind, TextureId, Transparency};

/// The textures of a scene that were not found.
#[derive(Clone, Debug, Default)]
pub(super) struct Missing {
    textures: Vec<bool>,
    /// Whether every surface with a missing texture shows the checker.
    shows_all: bool,
}

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

impl Missing {
    pub(super) fn new(scene: &Scene, ids: &[TextureId]) -> Self {
        let mut textures = vec![false; scene.textures.len()];
        for id in ids {
            if let Some(missing) = textures.get_mut(id.index()) {
                *missing = true;
            }
        }
        let mut missing = Self { textures, shows_all: false };
        let has_effects = !(scene.emitters.is_empty()
            && scene.ribbons.is_empty()
            && scene.primitives.is_empty()
            && scene.dazzles.is_empty());
        missing.shows_all = !has_effects && !scene.meshes.iter().any(|mesh| missing.is_body(scene, mesh));
        missing
    }

    /// Whether the texture was not found.
    pub(super) fn contains(&self, id: TextureId) -> bool {
        self.textures.get(id.index()).copied().unwrap_or(false)
    }

    /// Looks up a texture.
    pub(super) fn find(&self, scene: &Scene, id: Option<TextureId>) -> Found {
        let Some((id, texture)) = id.and_then(|id| Some((id, scene.textures.get(id.index())?))) else {
            return Found::None;
        };
        let picture = match pictures::supplied(texture) {
            Some(picture) => picture,
            None if self.contains(id) => PictureId::Missing,
            None => PictureId::Texture(id),
        };
        let sampler =
            Sampler { picture, wrap: [texture.wrap_u, texture.wrap_v], mipmaps: !texture.no_mipmaps };
        if picture == PictureId::Missing { Found::Missing(sampler) } else { Found::Sampler(sampler) }
    }

    /// Whether a layer is drawn although its texture is missing.
    pub(super) fn shows_checker(&self, material: &Material, layer: &Layer) -> bool {
        let is_on_opaque =
            material.layers.first().is_some_and(|first| first.transparency() != Transparency::Blend);
        // One checker is enough for all layers.
        let is_first = material.layers.first().is_some_and(|first| std::ptr::eq(first, layer));
        (self.shows_all && is_first)
            || match layer.transparency() {
                Transparency::Opaque | Transparency::Mask => true,
                Transparency::Blend => layer.blend == BlendMode::Alpha && is_on_opaque,
            }
    }

    /// Whether a mesh is part of the model's shape, judged by its materials.
    pub(super) fn is_body(&self, scene: &Scene, mesh: &Mesh) -> bool {
        let material = |part: &Part| part.material.and_then(|id| scene.materials.get(id.index()));
        let is_drawn = |part: &Part| material(part).is_none_or(|material| self.is_shape(scene, material));
        !mesh.indices.is_empty() && mesh.parts.iter().any(is_drawn)
    }

    /// Whether a layer is drawn that is not the glow around a hero. A glow would make the hero small in the picture.
    fn is_shape(&self, scene: &Scene, material: &Material) -> bool {
        material.layers.iter().any(|layer| {
            let texture =
                layer.slots.iter().find(|slot| slot.kind == SlotKind::Diffuse).and_then(|slot| slot.texture);
            match self.find(scene, texture) {
                Found::None => true,
                Found::Missing(_) => self.shows_checker(material, layer),
                Found::Sampler(sampler) => sampler.picture != PictureId::TeamGlow,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{Dazzle, MaterialId, NodeId, Replaceable, Texture, TextureSlot};

    #[test]
    fn missing_and_supplied_textures_have_pictures_of_their_own() {
        let team = Texture { replaceable: Some(Replaceable::TEAM_COLOR), ..Texture::default() };
        let named = Texture { name: "a".into(), no_mipmaps: true, ..Texture::default() };
        let scene = Scene { textures: vec![named.clone(), named, team], ..Scene::default() };
        let missing = Missing::new(&scene, &[TextureId(1), TextureId(2)]);
        let find = |id| missing.find(&scene, id);
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
            Missing::default().shows_checker(&Material { layers, ..Material::default() }, &last)
        };
        assert!(on(&[BlendMode::Opaque]));
        assert!(!on(&[BlendMode::Alpha]));
        assert!(!on(&[BlendMode::Add]));
        assert!(on(&[BlendMode::Opaque, BlendMode::Alpha]));
        assert!(!on(&[BlendMode::Opaque, BlendMode::Additive]));
    }

    #[test]
    fn a_model_of_missing_glows_shows_its_shape() {
        let slot = |id| TextureSlot {
            kind: SlotKind::Diffuse,
            texture: Some(TextureId(id)),
            ..TextureSlot::default()
        };
        let glow = |id| Layer { blend: BlendMode::Additive, slots: vec![slot(id)], ..Layer::default() };
        let material = |id| Material { layers: vec![glow(id)], ..Material::default() };
        let mesh = |id| Mesh {
            indices: vec![0, 1, 2].into(),
            parts: vec![Part { material: Some(MaterialId(id)), ..Part::default() }],
            ..Mesh::default()
        };
        let scene = Scene {
            textures: vec![Texture::default(), Texture::default()],
            materials: vec![material(0), material(1)],
            meshes: vec![mesh(0), mesh(1)],
            ..Scene::default()
        };
        let shows = |scene: &Scene, ids: &[u32]| {
            let ids: Vec<TextureId> = ids.iter().copied().map(TextureId).collect();
            Missing::new(scene, &ids).shows_checker(&scene.materials[0], &scene.materials[0].layers[0])
        };
        assert!(shows(&scene, &[0, 1]), "otherwise the picture would be empty");
        assert!(!shows(&scene, &[0]), "the other mesh is visible");
        let with_effect = Scene {
            dazzles: vec![Dazzle { node: NodeId(0), name: String::new(), kind: String::new() }],
            ..scene
        };
        assert!(!shows(&with_effect, &[0, 1]), "effects are drawn without their textures");
    }
}
