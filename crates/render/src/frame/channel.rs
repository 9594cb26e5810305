//! Texture channels and vertex attributes instead of the shaded surface.

use super::{Detail, Draw, Fixed, Frame, Gradient, PictureId, Program, Sampler, Source, Topology, Vertex};
use glam::{Vec3, Vec4};
use scene::{BlendMode, Combine, Compare, Wrap};
use std::collections::HashMap;

/// The part of the meshes' look that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// The model as in the game.
    #[default]
    Shaded,
    /// The base texture without light.
    Texture,
    /// The red part of the base texture.
    Red,
    /// The green part of the base texture.
    Green,
    /// The blue part of the base texture.
    Blue,
    /// The alpha of the base texture as grey.
    Alpha,
    /// Light and vertex colours without textures.
    Light,
    /// Normals of vertices as colours.
    Normals,
    /// Texture coordinates, as a checker.
    Uv,
    /// The second texture of a pass.
    Detail,
    /// The normal map.
    NormalMap,
    /// Occlusion, roughness and metalness of an HD material, as red, green and blue.
    Orm,
    /// The mask of the team colour of an HD material.
    TeamMask,
    /// Emitted light of an HD material.
    Emissive,
}

impl Channel {
    /// All channels.
    pub const ALL: [Self; 14] = [
        Self::Shaded,
        Self::Texture,
        Self::Red,
        Self::Green,
        Self::Blue,
        Self::Alpha,
        Self::Light,
        Self::Normals,
        Self::Uv,
        Self::Detail,
        Self::NormalMap,
        Self::Orm,
        Self::TeamMask,
        Self::Emissive,
    ];

    /// A short name, such as `alpha`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shaded => "shaded",
            Self::Texture => "texture",
            Self::Red => "red",
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Alpha => "alpha",
            Self::Light => "light",
            Self::Normals => "normals",
            Self::Uv => "uv",
            Self::Detail => "detail",
            Self::NormalMap => "normal-map",
            Self::Orm => "orm",
            Self::TeamMask => "team-mask",
            Self::Emissive => "emissive",
        }
    }

    /// The channel of this name, in any case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.name().eq_ignore_ascii_case(name))
    }

    /// The texture of a program that the channel shows.
    fn sampler(self, program: &Program) -> Option<Sampler> {
        match (self, program) {
            (Self::Shaded | Self::Light | Self::Normals, _) => None,
            (Self::Detail, Program::Fixed(fixed)) => fixed.detail.as_ref().map(|detail| detail.texture),
            (Self::NormalMap, Program::NormalMapped(mapped)) => mapped.normal,
            (Self::NormalMap, Program::Hd(hd)) => hd.normal,
            (Self::Orm | Self::TeamMask, Program::Hd(hd)) => hd.orm,
            (Self::Emissive, Program::Hd(hd)) => hd.emissive,
            (Self::Detail | Self::NormalMap | Self::Orm | Self::TeamMask | Self::Emissive, _) => None,
            (_, Program::Fixed(fixed)) => fixed.texture,
            (_, Program::NormalMapped(mapped)) => mapped.diffuse,
            (_, Program::Hd(hd)) => hd.albedo,
        }
    }

    /// Whether the channel is in the texture's alpha.
    const fn is_alpha(self) -> bool {
        matches!(self, Self::Alpha | Self::TeamMask)
    }

    /// The colour by which the texture is multiplied.
    fn tint(self) -> Vec3 {
        match self {
            Self::Red => Vec3::X,
            Self::Green => Vec3::Y,
            Self::Blue => Vec3::Z,
            channel if channel.is_alpha() => Vec3::ZERO,
            _ => Vec3::ONE,
        }
    }

    /// The colour of a vertex.
    fn color(self, vertex: &Vertex, has_texture: bool) -> Vec4 {
        match self {
            Self::Light => vertex.color.truncate().extend(1.0),
            Self::Normals => (vertex.normal * 0.5 + 0.5).clamp(Vec3::ZERO, Vec3::ONE).extend(1.0),
            _ if has_texture => self.tint().extend(1.0),
            _ => NOTHING,
        }
    }

    /// The program that shows the channel.
    fn program(self, sampler: Option<Sampler>) -> Program {
        let Some(sampler) = sampler else { return Program::Fixed(Fixed::default()) };
        // The first stage has alpha but no colour; the second stage turns alpha into grey.
        let detail = self.is_alpha().then_some(Detail {
            texture: Sampler { picture: PictureId::White, wrap: [Wrap::Repeat; 2], mipmaps: false },
            color: Combine::DetailBlend,
            alpha: Combine::Disable,
            bump: [0.0; 4],
        });
        let picture = if self == Self::Uv { PictureId::Replaceable } else { sampler.picture };
        let texture = Some(Sampler { picture, ..sampler });
        Program::Fixed(Fixed { texture, gradient: Gradient::Modulate, detail, add_specular: false })
    }

    /// Replaces the meshes of a frame by this channel, one opaque draw call each, and removes effects.
    pub(super) fn apply(self, frame: &mut Frame) {
        if self == Self::Shaded {
            return;
        }
        // If there are several layers, the one with a texture of the model is shown: a layer below it may have the team
        // colour.
        let mut layers: HashMap<u32, (bool, u32)> = HashMap::new();
        for draw in &frame.draws {
            if let Source::Mesh { mesh, layer } = draw.source {
                let sampler = self.sampler(&draw.program);
                let is_own = sampler.is_some_and(|sampler| matches!(sampler.picture, PictureId::Texture(_)));
                let rank = (!is_own, layer);
                layers.entry(mesh.0).and_modify(|best| *best = (*best).min(rank)).or_insert(rank);
            }
        }
        frame.draws.retain(|draw| match draw.source {
            Source::Mesh { mesh, layer } => layers.get(&mesh.0).is_some_and(|(_, best)| *best == layer),
            source => source == Source::Overlay,
        });
        let Frame { vertices, indices, draws, .. } = frame;
        for draw in draws.iter_mut().filter(|draw| draw.source != Source::Overlay) {
            let sampler = self.sampler(&draw.program);
            let corners = indices.get(draw.indices.start as usize..draw.indices.end as usize);
            // Colours are computed from the vertex itself, so computing one twice gives the same result. Light is the
            // exception and stays.
            for index in corners.unwrap_or_default() {
                if let Some(vertex) = vertices.get_mut(*index as usize) {
                    vertex.color = self.color(vertex, sampler.is_some());
                    if self == Self::Detail {
                        vertex.uv[0] = vertex.uv[1];
                    }
                }
            }
            *draw = Draw {
                source: draw.source,
                topology: Topology::Triangles,
                indices: draw.indices.clone(),
                blend: BlendMode::Opaque.factors(),
                alpha_test: None,
                depth_test: Compare::LessEqual,
                depth_write: true,
                cull: draw.cull,
                program: self.program(sampler),
            };
        }
    }
}

/// The colour of meshes that do not have the channel.
const NOTHING: Vec4 = Vec4::new(0.12, 0.12, 0.14, 1.0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{Framer, Options};
    use crate::pictures::{Picture, PictureOptions, Pictures};
    use crate::soft::{self, Background, Settings};
    use glam::{Vec2, Vec3};
    use scene::{Layer, Material, MaterialId, Mesh, Part, Scene, Texture, TextureId, TextureSlot};
    use std::sync::Arc;

    /// A triangle in front of the camera, with a texture of one colour over the team colour.
    fn pixel(channel: Channel) -> [u8; 4] {
        let slot = |id| TextureSlot { texture: Some(TextureId(id)), ..TextureSlot::default() };
        let layer = |id, blend| Layer { slots: vec![slot(id)], blend, ..Layer::default() };
        let layers = vec![layer(0, BlendMode::Opaque), layer(1, BlendMode::Alpha)];
        let scene = Scene {
            meshes: vec![Mesh {
                positions: vec![
                    Vec3::new(0.0, -9.0, 9.0),
                    Vec3::new(0.0, -9.0, -9.0),
                    Vec3::new(0.0, 9.0, 0.0),
                ],
                normals: vec![Vec3::X; 3],
                uv_sets: vec![vec![Vec2::ZERO; 3]],
                indices: vec![0, 1, 2].into(),
                parts: vec![Part { material: Some(MaterialId(0)), start: 0, count: 3 }],
                ..Mesh::default()
            }],
            materials: vec![Material { layers, ..Material::default() }],
            textures: vec![
                Texture { replaceable: Some(scene::Replaceable::TEAM_COLOR), ..Texture::default() },
                Texture { name: "oak".into(), ..Texture::default() },
            ],
            ..Scene::default()
        };
        let pictures = Pictures::load(&scene, &PictureOptions::default(), |_| {
            Some(Arc::new(Picture::solid([200, 100, 50, 64])))
        });
        let options = Options { channel, viewpoint: crate::frame::Viewpoint::FRONT, ..Options::default() };
        let frame = Framer::new(&scene).frame(&options);
        let settings = Settings { background: Background::Color([0; 3]), ..Settings::new(16, 16) };
        let image = soft::draw(&frame, &pictures, &settings).expect("a small picture");
        image.pixels.as_chunks::<4>().0[8 * 16 + 8]
    }

    #[test]
    fn every_channel_shows_its_part_of_the_texture() {
        assert_eq!(pixel(Channel::Texture), [200, 100, 50, 255]);
        assert_eq!(pixel(Channel::Red), [200, 0, 0, 255]);
        assert_eq!(pixel(Channel::Green), [0, 100, 0, 255]);
        assert_eq!(pixel(Channel::Blue), [0, 0, 50, 255]);
        assert_eq!(pixel(Channel::Alpha), [64, 64, 64, 255]);
        assert_eq!(pixel(Channel::Normals), [255, 128, 128, 255]);
        // The model has no normal map.
        assert_eq!(pixel(Channel::NormalMap), [31, 31, 36, 255]);
        assert!(pixel(Channel::Light)[0] > 100);
    }

    #[test]
    fn names_lead_to_channels() {
        assert!(Channel::ALL.into_iter().all(|channel| Channel::named(channel.name()) == Some(channel)));
        assert_eq!(Channel::named("loud"), None);
    }
}
