//! Meshes at a moment as vertices and indices of the frame.

use super::light::Illumination;
use super::mapper::{Coordinates, Corner};
use super::material::passes;
use super::order::{Kind, Place, Queue, sort_triangles};
use super::surface::{Context, Pass, Tangents};
use super::vertex_color::{Shaded, VertexColors};
use super::{Family, Frame, Source, Vertex};
use glam::{Vec3, Vec4};
use scene::{BlendFactor, Deformed, Material, MaterialId, Mesh, MeshId, MeshState, SortPrimitives};
use std::ops::Range;

/// Maximum number of vertices of a frame; it can have three times as many indices. Further meshes are left out. A damaged
/// file could otherwise repeat a mesh thousands of times.
pub(super) const MAX_VERTICES: usize = 1 << 22;

/// A range of triangles with one material, whose corners exist and are finite.
struct Stretch<'a> {
    id: Option<MaterialId>,
    material: &'a Material,
    indices: Vec<u32>,
}

/// The triangles of a mesh that can be drawn.
fn stretches<'a>(
    context: &Context<'a>,
    mesh: &Mesh,
    deformed: &Deformed,
    plain: &'a Material,
) -> Vec<Stretch<'a>> {
    let sound: Vec<bool> = deformed.positions.iter().map(|position| position.is_finite()).collect();
    let indices: Vec<u32> = mesh.indices.iter().collect();
    let mut left = MAX_VERTICES * 3;
    let mut all = Vec::with_capacity(mesh.parts.len());
    for part in &mesh.parts {
        let start = (part.start as usize).min(indices.len());
        let end = start.saturating_add(part.count as usize).min(indices.len());
        let triangles = indices[start..end].as_chunks::<3>().0;
        let is_sound = |triangle: &&[u32; 3]| {
            triangle.iter().all(|corner| sound.get(*corner as usize).copied().unwrap_or(false))
        };
        let mut indices: Vec<u32> = triangles.iter().filter(is_sound).flatten().copied().take(left).collect();
        if deformed.mirrored {
            indices.as_chunks_mut::<3>().0.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        left -= indices.len();
        if !indices.is_empty() {
            let material = part.material.and_then(|id| context.scene.materials.get(id.index()));
            all.push(Stretch { id: part.material, material: material.unwrap_or(plain), indices });
        }
    }
    all
}

/// Adds the draw calls of a mesh.
pub(super) fn mesh(
    frame: &mut Frame,
    queue: &mut Queue,
    context: &Context<'_>,
    id: MeshId,
    state: &MeshState,
    deformed: &Deformed,
) {
    let Some(mesh) = context.scene.meshes.get(id.index()) else { return };
    let plain = Material::default();
    let stretches = stretches(context, mesh, deformed, &plain);
    let is_w3d = context.family == Family::W3d;
    let colors = if is_w3d {
        let parts: Vec<(&Material, &[u32])> =
            stretches.iter().map(|stretch| (stretch.material, &stretch.indices[..])).collect();
        VertexColors::new(mesh, &parts, context.house_color())
    } else {
        VertexColors::default()
    };
    let place = is_w3d.then(|| w3d_place(stretches.iter().map(|stretch| stretch.material)));
    let mut writer = Writer { context, mesh, deformed, colors: &colors, numbers: Vec::new() };
    let whole = stretches.len() == 1;
    for stretch in &stretches {
        let passes = passes(context, stretch.id, state, &colors);
        let mut last: Option<(&Pass<'_>, Range<u32>)> = None;
        for pass in &passes {
            let indices = match &last {
                Some((before, indices)) if pass.same_vertices(before) => indices.clone(),
                _ => match writer.write(frame, &stretch.indices, pass, whole) {
                    Some(indices) => {
                        sort(frame, &indices, stretch.material.sort_primitives);
                        indices
                    }
                    None => return,
                },
            };
            last = Some((pass, indices.clone()));
            let place = place.unwrap_or(if pass.is_opaque() {
                Place::Opaque
            } else {
                Place::Plane(stretch.material.priority_plane, Kind::Mesh)
            });
            queue.push(place, pass.draw(Source::Mesh { mesh: id, layer: pass.layer }, indices));
        }
    }
}

/// The place of a whole W3D mesh in the drawing order. A sort level has priority; otherwise the mesh is in the pool if
/// the first pass of a part blends without an alpha test.
fn w3d_place<'a>(materials: impl Iterator<Item = &'a Material> + Clone) -> Place {
    if let Some(level) = materials.clone().map(|material| material.sort_level).find(|level| *level > 0) {
        return Place::Static(level);
    }
    let is_pooled = |material: &Material| {
        material
            .layers
            .first()
            .is_some_and(|first| first.blend.factors().1 != BlendFactor::Zero && first.alpha_test.is_none())
    };
    if materials.clone().any(is_pooled) { Place::Pool } else { Place::Opaque }
}

fn sort(frame: &mut Frame, indices: &Range<u32>, order: SortPrimitives) {
    let far_first = match order {
        SortPrimitives::None => return,
        SortPrimitives::Far => true,
        SortPrimitives::Near => false,
    };
    let Frame { camera, vertices, indices: all, .. } = frame;
    let indices = &mut all[indices.start as usize..indices.end as usize];
    sort_triangles(indices, camera, |index| vertices[index as usize].position, far_first);
}

/// Writes the vertices of a mesh for its passes. All passes use the same skinned positions, so they are equal bit for
/// bit.
struct Writer<'a> {
    context: &'a Context<'a>,
    mesh: &'a Mesh,
    deformed: &'a Deformed,
    colors: &'a VertexColors,
    /// For each vertex of the mesh its number in the frame. Numbers below the start of this write are stale.
    numbers: Vec<u32>,
}

impl Writer<'_> {
    /// The indices of these triangles in the frame. `None` if the frame is full.
    fn write(
        &mut self,
        frame: &mut Frame,
        indices: &[u32],
        pass: &Pass<'_>,
        whole: bool,
    ) -> Option<Range<u32>> {
        let count = self.deformed.positions.len();
        let added = if whole { count } else { count.min(indices.len()) };
        if frame.vertices.len() + added > MAX_VERTICES
            || frame.indices.len() + indices.len() > MAX_VERTICES * 3
        {
            return None;
        }
        let vertices = Vertices::new(self, pass);
        let base = frame.vertices.len() as u32;
        let start = frame.indices.len() as u32;
        if whole {
            frame.vertices.extend((0..count).map(|vertex| vertices.at(vertex)));
            frame.indices.extend(indices.iter().map(|index| base + index));
        } else {
            let mut numbers = std::mem::take(&mut self.numbers);
            numbers.resize(count, 0);
            numbers.fill(u32::MAX);
            for index in indices {
                let number = &mut numbers[*index as usize];
                if *number == u32::MAX {
                    *number = frame.vertices.len() as u32;
                    frame.vertices.push(vertices.at(*index as usize));
                }
                frame.indices.push(*number);
            }
            self.numbers = numbers;
        }
        Some(start..frame.indices.len() as u32)
    }
}

/// The vertices of a mesh in a pass.
struct Vertices<'a> {
    deformed: &'a Deformed,
    colors: &'a VertexColors,
    light: &'a Illumination,
    eye: Vec3,
    pass: &'a Pass<'a>,
    uv: [Coordinates<'a>; 2],
    has_second: bool,
}

impl<'a> Vertices<'a> {
    fn new(writer: &Writer<'a>, pass: &'a Pass<'a>) -> Self {
        let context = writer.context;
        let uv =
            |stage: usize| Coordinates::new(&pass.uv[stage], writer.mesh, &context.camera, context.seconds);
        Self {
            deformed: writer.deformed,
            colors: writer.colors,
            light: &context.light,
            eye: context.camera.position,
            pass,
            uv: [uv(0), uv(1)],
            has_second: pass.uv[1] != super::mapper::UvSource::NONE,
        }
    }

    fn at(&self, vertex: usize) -> Vertex {
        let position = self.deformed.positions[vertex];
        let normal = self.deformed.normals.get(vertex).copied().filter(|normal| normal.is_finite());
        let normal = normal.unwrap_or_default();
        let corner = Corner { position, normal };
        let (color, specular) = self.pass.color.at(&Shaded {
            position,
            normal,
            color: self.colors.at(vertex),
            light: self.light,
            eye: self.eye,
        });
        let first = self.uv[0].at(vertex, &corner);
        let second = if self.has_second { self.uv[1].at(vertex, &corner) } else { first };
        let tangent = match self.pass.tangents {
            Tangents::None => Vec4::ZERO,
            kind => tangent(self.deformed.tangents.get(vertex).copied(), normal, kind),
        };
        Vertex { position, normal, tangent, color, specular, uv: [first, second] }
    }
}

/// A tangent in the convention of a program; any vector perpendicular to the normal if the mesh has no tangents.
fn tangent(stored: Option<Vec4>, normal: Vec3, kind: Tangents) -> Vec4 {
    let stored = stored.filter(|tangent| tangent.is_finite() && tangent.truncate() != Vec3::ZERO);
    let own = stored.unwrap_or_else(|| {
        if normal == Vec3::ZERO {
            Vec4::new(1.0, 0.0, 0.0, 1.0)
        } else {
            normal.normalize().any_orthonormal_vector().extend(1.0)
        }
    });
    match kind {
        Tangents::None => Vec4::ZERO,
        Tangents::Up => own,
        Tangents::Down => own.truncate().extend(-own.w),
        // cross(n, -t) · -w = cross(n, t) · w: the bitangent stays the same.
        Tangents::Reversed => -own,
    }
}
