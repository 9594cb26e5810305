//! Particles, ribbons, rings, spheres, dazzles and the markers of events as draw calls.
//!
//! Particles with a missing texture are drawn as round glows in their colours, if their blending allows it. Mods use
//! textures of the game for their effects, so textures are usually missing outside the game's folder. A model that
//! consists of effects would otherwise be an empty picture.

use super::fixed;
use super::missing::Missing;
use super::order::{Kind, Piece, Place, Queue};
use super::surface::{Context, LayerView, Pass};
use super::vertex_color::clamp;
use super::{Draw, Family, Fixed, Frame, PictureId, Program, Sampler, Source, Topology, Vertex};
use crate::particles::{self, Cloud, Situation};
use glam::{Affine2, Vec2, Vec3, Vec4};
use scene::{BlendFactor, EmitterId, EventId, MeshState, RibbonId, Scene};

/// All clouds of a moment, with their sources.
pub(super) fn clouds<'a>(
    scene: &'a Scene,
    situation: &'a Situation<'a>,
) -> impl Iterator<Item = (Source, Cloud)> + 'a {
    let emitters = (0..scene.emitters.len())
        .map(EmitterId::from)
        .filter_map(|id| Some((Source::Emitter(id), particles::emit(situation, id)?)));
    let ribbons = (0..scene.ribbons.len())
        .map(RibbonId::from)
        .filter_map(|id| Some((Source::Ribbon(id), particles::ribbon(situation, id)?)));
    let primitives = (0..scene.primitives.len())
        .filter_map(|index| Some((Source::Primitive(index as u32), particles::primitive(situation, index)?)));
    let dazzles = (0..scene.dazzles.len())
        .filter_map(|index| Some((Source::Dazzle(index as u32), particles::dazzle(situation, index)?)));
    let events = (0..scene.events.len())
        .map(EventId::from)
        .filter_map(|id| Some((Source::Event(id), particles::event(situation, id)?)));
    emitters.chain(ribbons).chain(primitives).chain(dazzles).chain(events)
}

/// Adds a cloud to the frame.
pub(super) fn add(
    frame: &mut Frame,
    queue: &mut Queue,
    context: &Context<'_>,
    source: Source,
    cloud: &Cloud,
) {
    let Some(material) = cloud.material.and_then(|id| context.scene.materials.get(id.index())) else {
        add_plain(frame, queue, context, source, cloud);
        return;
    };
    // A ribbon looks as its material says.
    let states =
        cloud.material.and_then(|id| context.pose.materials.get(id.index())).map_or(&[][..], Vec::as_slice);
    let count = if context.options.rules.ribbon_all_layers { material.layers.len() } else { 1 };
    for (index, layer) in material.layers.iter().enumerate().take(count) {
        let view = LayerView { material, index, layer, state: states.get(index) };
        let whole = MeshState { visible: true, alpha: 1.0, color: Vec3::ONE };
        let Some(pass) = fixed::mdx(context, &view, &whole) else { continue };
        add_layer(frame, queue, context, source, cloud, &pass, layer.unlit);
    }
}

fn add_layer(
    frame: &mut Frame,
    queue: &mut Queue,
    context: &Context<'_>,
    source: Source,
    cloud: &Cloud,
    pass: &Pass<'_>,
    unlit: bool,
) {
    let tint = pass.color.factor();
    let pieces = append(frame, context, cloud, unlit, tint, &pass.uv[0].animation);
    let Some((indices, pieces)) = pieces else { return };
    let draw = Draw { cull: !cloud.two_sided && pass.cull, ..pass.draw(source, indices) };
    let place = place(context.family, source, cloud, draw.blend, pass.alpha_test.is_some());
    queue.push_pieces(place, draw, pieces);
}

fn add_plain(frame: &mut Frame, queue: &mut Queue, context: &Context<'_>, source: Source, cloud: &Cloud) {
    let Ok(texture) = texture(context.scene, context.missing, cloud) else { return };
    let appended = append(frame, context, cloud, cloud.unlit, Vec4::ONE, &Affine2::IDENTITY);
    let Some((indices, pieces)) = appended else { return };
    let is_substitute = matches!(cloud.picture, Some(PictureId::Texture(_) | PictureId::Missing));
    if is_substitute && texture.is_some_and(|sampler| sampler.picture == PictureId::Glow) {
        spread(&mut frame.vertices, &frame.indices, &pieces);
    }
    let draw = Draw {
        source,
        topology: Topology::Triangles,
        indices,
        blend: cloud.blend,
        alpha_test: cloud.alpha_test,
        depth_test: cloud.depth_test,
        depth_write: cloud.depth_write,
        cull: !cloud.two_sided,
        program: Program::Fixed(Fixed { texture, gradient: cloud.gradient, ..Fixed::default() }),
    };
    let place = place(context.family, source, cloud, cloud.blend, cloud.alpha_test.is_some());
    queue.push_pieces(place, draw, pieces);
}

/// Its texture, if it has one. An error if the texture is missing and the cloud is not drawn without it.
fn texture(scene: &Scene, missing: &Missing, cloud: &Cloud) -> Result<Option<Sampler>, ()> {
    let Some(mut picture) = cloud.picture else { return Ok(None) };
    let mut mipmaps = true;
    if let PictureId::Texture(id) = picture {
        if missing.contains(id) {
            picture = PictureId::Missing;
        }
        mipmaps = scene.textures.get(id.index()).is_none_or(|texture| !texture.no_mipmaps);
    }
    if picture == PictureId::Missing {
        use BlendFactor::{One, OneMinusSourceAlpha, OneMinusSourceColor, SourceAlpha, Zero};
        picture = match cloud.blend {
            (One, Zero) => PictureId::Missing,
            (One | SourceAlpha, One | OneMinusSourceAlpha | OneMinusSourceColor) => PictureId::Glow,
            _ => return Err(()),
        };
    }
    Ok(Some(Sampler { picture, wrap: cloud.wrap, mipmaps }))
}

/// Uses the whole picture for each piece, instead of a cell of the missing texture.
fn spread(vertices: &mut [Vertex], indices: &[u32], pieces: &[Piece]) {
    for piece in pieces {
        let corners =
            indices.get(piece.indices.start as usize..piece.indices.end as usize).unwrap_or_default();
        let uv = |index: &u32| vertices.get(*index as usize).map_or(Vec2::ZERO, |vertex| vertex.uv[0]);
        let (min, max) =
            corners.iter().map(uv).fold((Vec2::MAX, Vec2::MIN), |(min, max), uv| (min.min(uv), max.max(uv)));
        let size = (max - min).max(Vec2::splat(1e-6));
        // Corners share vertices: each vertex is changed once.
        let mut unique: Vec<u32> = corners.to_vec();
        unique.sort_unstable();
        unique.dedup();
        for index in unique {
            if let Some(vertex) = vertices.get_mut(index as usize) {
                vertex.uv = [(vertex.uv[0] - min) / size; 2];
            }
        }
    }
}

/// Whether a cloud is drawn if its texture is missing.
pub(super) fn is_seen(scene: &Scene, missing: &Missing, cloud: &Cloud) -> bool {
    texture(scene, missing, cloud).is_ok()
}

fn place(
    family: Family,
    source: Source,
    cloud: &Cloud,
    blend: (BlendFactor, BlendFactor),
    is_tested: bool,
) -> Place {
    let replaces = blend == (BlendFactor::One, BlendFactor::Zero);
    match family {
        Family::W3d if cloud.sort_level > 0 => Place::Static(cloud.sort_level),
        Family::W3d if blend.1 != BlendFactor::Zero && !is_tested && !cloud.unsorted => Place::Pool,
        Family::W3d => Place::Opaque,
        Family::Mdx if replaces => Place::Opaque,
        Family::Mdx => {
            let kind = if matches!(source, Source::Ribbon(_)) { Kind::Ribbon } else { Kind::Particles };
            Place::Plane(cloud.priority_plane, kind)
        }
    }
}

type Appended = (std::ops::Range<u32>, Vec<Piece>);

/// Adds the triangles of a cloud to the frame; `None` if there are none or the frame is full.
fn append(
    frame: &mut Frame,
    context: &Context<'_>,
    cloud: &Cloud,
    unlit: bool,
    tint: Vec4,
    uv: &Affine2,
) -> Option<Appended> {
    if frame.vertices.len() + cloud.vertices.len() > super::geometry::MAX_VERTICES {
        return None;
    }
    let base = u32::try_from(frame.vertices.len()).ok()?;
    let start = u32::try_from(frame.indices.len()).ok()?;
    frame.vertices.extend(cloud.vertices.iter().map(|vertex| {
        let mut color = vertex.color * tint;
        if !unlit {
            let (ambient, direct) = context.light.at(vertex.position, vertex.normal);
            color *= (ambient + direct).extend(1.0);
        }
        let moved =
            if *uv == Affine2::IDENTITY { vertex.uv } else { vertex.uv.map(|at| uv.transform_point2(at)) };
        Vertex { color: clamp(color), uv: moved, ..*vertex }
    }));
    let mut order: Vec<&particles::Piece> = cloud.pieces.iter().collect();
    if cloud.sort_far {
        order.sort_by(|a, b| context.camera.depth(a.center).total_cmp(&context.camera.depth(b.center)));
    }
    let mut pieces = Vec::with_capacity(order.len());
    for piece in order {
        let from = frame.indices.len() as u32;
        let indices = cloud.indices.get(piece.indices.start as usize..piece.indices.end as usize);
        frame.indices.extend(indices.unwrap_or_default().iter().map(|index| base + index));
        pieces.push(Piece { indices: from..frame.indices.len() as u32, center: piece.center });
    }
    let end = frame.indices.len() as u32;
    (end > start).then_some((start..end, pieces))
}
