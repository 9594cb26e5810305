//! Frames of small scenes.

mod damaged;
mod effects;
mod mdx;
mod view;
mod w3d;

use super::*;
use glam::{Vec2, Vec3};
use scene::{
    BlendMode, Indices, Layer, Lighting, Material, MaterialId, Mesh, MeshId, Part, Scene, Texture, TextureId,
    TextureSlot,
};

/// A triangle that faces the front, with these vertices' distance from the origin towards the front.
fn triangle(material: u32, x: f32) -> Mesh {
    Mesh {
        positions: vec![Vec3::new(x, 0.0, 0.0), Vec3::new(x, 0.0, -1.0), Vec3::new(x, 1.0, 0.0)],
        normals: vec![Vec3::X; 3],
        uv_sets: vec![vec![Vec2::ZERO, Vec2::X, Vec2::Y]],
        indices: Indices::from(vec![0, 1, 2]),
        parts: vec![Part { material: Some(MaterialId(material)), start: 0, count: 3 }],
        ..Mesh::default()
    }
}

/// Textures `0` to `9`.
fn textures() -> Vec<Texture> {
    (0..10).map(|index| Texture { name: index.to_string(), ..Texture::default() }).collect()
}

fn slot(texture: u32) -> TextureSlot {
    TextureSlot { texture: Some(TextureId(texture)), ..TextureSlot::default() }
}

fn layer(blend: BlendMode, texture: u32) -> Layer {
    Layer { blend, slots: vec![slot(texture)], ..Layer::default() }
}

/// A scene of one triangle for each material, at growing distance from the front.
fn scene(materials: Vec<Vec<Layer>>) -> Scene {
    Scene {
        meshes: (0..materials.len() as u32).map(|index| triangle(index, -(index as f32))).collect(),
        materials: materials.into_iter().map(|layers| Material { layers, ..Material::default() }).collect(),
        textures: textures(),
        ..Scene::default()
    }
}

fn options(family: Family) -> Options {
    Options { family: Some(family), viewpoint: Viewpoint::FRONT, ..Options::default() }
}

/// Light of 0.25 from everywhere and 0.5 from the front.
fn dim() -> LightRig {
    LightRig { ambient: Vec3::splat(0.25), directional: vec![(Vec3::X, Vec3::splat(0.5))] }
}

fn frame(scene: &Scene, options: &Options) -> Frame {
    Framer::new(scene).frame(options)
}

/// Mesh and layer of each draw call.
fn sources(frame: &Frame) -> Vec<(u32, u32)> {
    let pair = |draw: &Draw| match draw.source {
        Source::Mesh { mesh, layer } => Some((mesh.0, layer)),
        _ => None,
    };
    frame.draws.iter().filter_map(pair).collect()
}

fn draw_of(frame: &Frame, mesh: u32, layer: u32) -> &Draw {
    let source = Source::Mesh { mesh: MeshId(mesh), layer };
    frame.draws.iter().find(|draw| draw.source == source).unwrap()
}

/// The first vertex of a draw call.
fn corner<'f>(frame: &'f Frame, draw: &Draw) -> &'f Vertex {
    &frame.vertices[frame.indices[draw.indices.start as usize] as usize]
}

fn fixed(draw: &Draw) -> &Fixed {
    match &draw.program {
        Program::Fixed(fixed) => fixed,
        other => panic!("{other:?}"),
    }
}

fn picture(draw: &Draw) -> Option<PictureId> {
    fixed(draw).texture.map(|sampler| sampler.picture)
}

fn lit(lighting: Lighting, layer: Layer) -> Layer {
    Layer { lighting: Some(lighting), ..layer }
}
