//! Meshes: vertices in bulk, one primitive for each part.

use crate::buffers::{Buffers, Element, View};
use crate::context::{Context, linear};
use crate::document::{self, Attributes, Primitive};
use crate::extras::{Extras, MeshExtras};
use crate::geometry::{direction, has_normals, parts};
use crate::materials::Materials;
use crate::names::Names;
use crate::nodes::{Node, Nodes};
use crate::options::{Levels, Report};
use crate::placement::{Hold, Placement, Switch};
use crate::skins::Skins;
use crate::switches::Switches;
use glam::{Vec2, Vec3, Vec4};
use scene::number::{Finite, all, are_triangles};
use scene::surface::{Fold, VertexColors};
use scene::{Bounds, Indices, Mesh, Part};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// The meshes as glTF has them.
pub(crate) struct Meshes<'a> {
    pub(crate) list: Vec<document::Mesh<'a>>,
    pub(crate) placed: Vec<Placed>,
    /// The length of the diagonal of the model.
    pub(crate) size: f32,
}

/// Where a mesh ended up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// The place of its [`Placement`].
    pub(crate) placement: usize,
    /// The node that shows it.
    pub(crate) node: u32,
}

/// The step's own state.
struct Writer<'w, 'a> {
    context: &'w Context<'a>,
    buffers: &'w mut Buffers<'a>,
    skins: &'w mut Skins,
    switches: &'w Switches,
    report: &'w mut Report,
    bounds: (Vec3, Vec3),
}

#[expect(clippy::too_many_arguments, reason = "the state of the steps before")]
pub(crate) fn build<'a>(
    context: &Context<'a>,
    placements: &'a [Placement<'a>],
    materials: &Materials<'_>,
    nodes: &mut Nodes<'a>,
    skins: &mut Skins,
    switches: &Switches,
    buffers: &mut Buffers<'a>,
    report: &mut Report,
) -> Meshes<'a> {
    let bounds = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut writer = Writer { context, buffers, skins, switches, report, bounds };
    let (mut list, mut placed) = (Vec::new(), Vec::new());
    let mut names = Names::default();
    for (index, placement) in placements.iter().enumerate() {
        if context.budget.is_spent() {
            break;
        }
        let mesh = &context.scene.meshes[placement.mesh.index()];
        let prepared = placement.prepared.as_ref();
        let without_tangents = prepared.and_then(|prepared| prepared.without_tangents);
        writer.report.made_tangents += usize::from(without_tangents.is_some());
        let whole = prepared.map_or(mesh, |prepared| &prepared.mesh);
        let written = writer.mesh(whole, index, placement, materials);
        let Some((primitives, skin)) = written else {
            writer.report.omitted_meshes += 1;
            continue;
        };
        let name = names.unique(&mesh.name, "Mesh").into_owned();
        let mut extras = MeshExtras::of(placement.mesh, mesh, &name);
        extras.source_vertices = without_tangents;
        extras.copies = prepared.map_or(&[], |prepared| &prepared.copies);
        list.push(document::Mesh { name, primitives, extras: Some(Extras { meshwright: extras }) });
        writer.report.written_meshes.push(placement.mesh);
        let node = place(context, nodes, placement, mesh, list.len() as u32 - 1, skin);
        placed.push(Placed { placement: index, node });
    }
    if context.options.levels == Levels::MsftLod {
        link_levels(context, placements, &placed, nodes);
    }
    let size = (writer.bounds.1 - writer.bounds.0).length();
    let size = if size.is_finite() && size > 0.0 { size } else { skeleton_size(context) };
    Meshes { list, placed, size }
}

/// The size of a model without triangles.
fn skeleton_size(context: &Context<'_>) -> f32 {
    let origins = context.scene.rest_worlds().into_iter().map(|world| Vec3::from(world.translation));
    let found = Bounds::around(origins.filter(|origin| origin.is_finite()).collect::<Vec<_>>());
    found.map(|bounds| (bounds.max - bounds.min).length()).filter(|size| *size > 0.0).unwrap_or(1.0)
}

impl<'a> Writer<'_, 'a> {
    /// The primitives of a mesh and its skin, unless it has no valid triangle.
    fn mesh(
        &mut self,
        mesh: &'a Mesh,
        index: usize,
        placement: &Placement<'_>,
        materials: &Materials<'_>,
    ) -> Option<(Vec<Primitive>, Option<u32>)> {
        let parts = parts(mesh);
        let stretches: Vec<(u32, usize)> = parts
            .iter()
            .enumerate()
            .filter_map(|(part, Part { start, count, .. })| {
                let start = (*start as usize).min(mesh.indices.len());
                let end = start.saturating_add(*count as usize).min(mesh.indices.len());
                Some((self.indices(mesh, start..end)?, part))
            })
            .collect();
        if stretches.is_empty() {
            return None;
        }
        let mut attributes = self.vertices(mesh);
        let skin = match (&mesh.skin, placement.hold) {
            (Some(skin), Hold::Skin) => {
                let switch = self.switches.of(index);
                let (skin, influences) =
                    self.skins.add(self.context, mesh, skin, switch, self.buffers, self.report);
                attributes.0.extend(influences.0);
                Some(skin)
            }
            _ => None,
        };
        let mut colors: Vec<(VertexColors, u32)> = Vec::new();
        let mut primitives = Vec::with_capacity(stretches.len());
        for (indices, part) in stretches {
            let used = materials.used(index, part);
            let mut attributes = attributes.clone();
            // The colours that the material uses are glTF's first, and only they tint it. Without a material all are kept.
            let tinting = match used {
                Some(used) => used.vertex_colors,
                None => Some(VertexColors { set: 0, fold: Fold::None }),
            };
            for set in 0..mesh.color_sets.len() as u32 {
                let tinting = tinting.filter(|tinting| tinting.set == set);
                let wanted = tinting.unwrap_or(VertexColors { set, fold: Fold::None });
                let known = colors.iter().find(|(known, _)| *known == wanted).map(|(_, accessor)| *accessor);
                let accessor = known.unwrap_or_else(|| {
                    let accessor = self.colors(mesh, wanted);
                    colors.push((wanted, accessor));
                    accessor
                });
                let name = if tinting.is_some() { "COLOR_0".into() } else { format!("_COLOR_{set}").into() };
                attributes.0.push((name, accessor));
            }
            primitives.push(Primitive { attributes, indices, material: used.map(|used| used.place) });
        }
        Some((primitives, skin))
    }

    /// The attributes that all primitives share.
    fn vertices(&mut self, mesh: &'a Mesh) -> Attributes {
        let mut attributes = Attributes::default();
        attributes.0.push(("POSITION".into(), self.positions(&mesh.positions)));
        self.normals(mesh, &mut attributes);
        for (set, coordinates) in mesh.uv_sets.iter().enumerate() {
            let coordinates =
                valid_coordinates(coordinates, mesh.positions.len(), &mut self.report.repaired_numbers);
            let accessor = self.buffers.push(View::Stride8, Element::F32x2, coordinates);
            attributes.0.push((format!("TEXCOORD_{set}").into(), accessor));
        }
        attributes
    }

    /// Writes a stretch of indices, if there are valid triangles in it.
    fn indices(&mut self, mesh: &'a Mesh, stretch: Range<usize>) -> Option<u32> {
        let vertices = mesh.positions.len();
        // The largest number of either width is reserved (glTF 2.0, 3.7.2.1).
        let fits = vertices <= usize::from(u16::MAX);
        let indices: Vec<u32> = match &mesh.indices {
            Indices::Short(all) => {
                let indices = &all[stretch];
                if fits && !indices.is_empty() && are_triangles(indices, vertices) {
                    return Some(self.buffers.push(View::Indices, Element::U16, indices));
                }
                indices.iter().map(|&index| index.into()).collect()
            }
            Indices::Long(all) => all[stretch].to_vec(),
        };
        let (triangles, rest) = indices.as_chunks::<3>();
        let exists = |index: &u32| (*index as usize) < vertices;
        let whole: Vec<[u32; 3]> =
            triangles.iter().copied().filter(|triangle| triangle.iter().all(exists)).collect();
        self.report.broken_triangles += triangles.len() - whole.len() + usize::from(!rest.is_empty());
        let valid: Vec<[u32; 3]> =
            whole.iter().copied().filter(|&[a, b, c]| a != b && b != c && a != c).collect();
        self.report.degenerate_triangles += whole.len() - valid.len();
        let indices = valid.into_flattened();
        (!indices.is_empty()).then(|| match fits {
            true => {
                let short: Vec<u16> = indices.iter().map(|&index| index as u16).collect();
                self.buffers.push(View::Indices, Element::U16, short)
            }
            false => self.buffers.push(View::Indices, Element::U32, indices),
        })
    }

    fn positions(&mut self, positions: &'a [Vec3]) -> u32 {
        let positions = repaired(positions, &mut self.report.repaired_numbers);
        let (min, max) = positions
            .iter()
            .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), at| (min.min(*at), max.max(*at)));
        self.bounds = (self.bounds.0.min(min), self.bounds.1.max(max));
        self.buffers.push_positions(positions, min, max)
    }

    /// Normals at unit length, and tangents if there are normals: glTF has none without.
    fn normals(&mut self, mesh: &'a Mesh, attributes: &mut Attributes) {
        let count = mesh.positions.len();
        let is_unit = |normal: &Vec3| (normal.length_squared() - 1.0).abs() <= 1e-3;
        if !has_normals(mesh) {
            self.report.repaired_normals += mesh.normals.len();
            return;
        }
        let normals = if all(&mesh.normals, is_unit) {
            Cow::Borrowed(&mesh.normals[..])
        } else {
            self.report.repaired_normals += mesh.normals.iter().filter(|normal| !is_unit(normal)).count();
            let repair = |normal: &Vec3| {
                if is_unit(normal) { *normal } else { direction(*normal).unwrap_or(Vec3::Y) }
            };
            Cow::Owned(mesh.normals.iter().map(repair).collect())
        };
        let is_valid = |tangent: &Vec4| is_unit(&tangent.truncate()) && tangent.w.abs() == 1.0;
        let tangents = match &mesh.tangents[..] {
            tangents if tangents.len() != count => None,
            tangents if all(tangents, is_valid) => Some(Cow::Borrowed(tangents)),
            tangents => {
                self.report.repaired_normals += tangents.iter().filter(|tangent| !is_valid(tangent)).count();
                let repair = |(tangent, normal): (&Vec4, &Vec3)| {
                    let along = tangent.truncate();
                    let along = match is_unit(&along) {
                        true => along,
                        // Any direction across the normal is as good.
                        false => direction(along).unwrap_or_else(|| normal.any_orthonormal_vector()),
                    };
                    along.extend(if tangent.w < 0.0 { -1.0 } else { 1.0 })
                };
                Some(tangents.iter().zip(&*normals).map(repair).collect())
            }
        };
        let accessor = self.buffers.push(View::Stride12, Element::F32x3, normals);
        attributes.0.push(("NORMAL".into(), accessor));
        if let Some(tangents) = tangents {
            let accessor = self.buffers.push(View::Stride16, Element::F32x4, tangents);
            attributes.0.push(("TANGENT".into(), accessor));
        }
    }

    /// Colours as sixteen bits: glTF's are linear, for which eight bits are too coarse in the dark.
    fn colors(&mut self, mesh: &Mesh, wanted: VertexColors) -> u32 {
        static LINEAR: LazyLock<[u16; 256]> = LazyLock::new(|| {
            std::array::from_fn(|byte| (linear(Vec3::splat(byte as f32 / 255.0)).x * 65535.0).round() as u16)
        });
        let table = &*LINEAR;
        let count = mesh.positions.len();
        let given = &mesh.color_sets[wanted.set as usize];
        let mut colors: Vec<[u16; 4]> = given
            .iter()
            .take(count)
            .map(|&color| {
                let [r, g, b, a] = wanted.fold.apply_bytes(color).map(usize::from);
                [table[r], table[g], table[b], a as u16 * 257]
            })
            .collect();
        colors.resize(count, [u16::MAX; 4]);
        self.buffers.push(View::Stride8, Element::U16x4Normalised, colors)
    }
}

/// Gives a mesh to its node, or to a node of its own where that is needed.
fn place<'a>(
    context: &Context<'a>,
    nodes: &mut Nodes<'a>,
    placement: &Placement<'_>,
    mesh: &'a Mesh,
    place: u32,
    skin: Option<u32>,
) -> u32 {
    let replaced = context.options.levels == Levels::MsftLod && context.scene.levels.len() > 1;
    if let (Hold::Node(Some(host), _), Switch::None) = (placement.hold, placement.switch)
        && !replaced
        && nodes.all[host.index()].mesh.is_none()
    {
        nodes.all[host.index()].mesh = Some(place);
        return host.0;
    }
    let mut node = Node { mesh: Some(place), skin, ..Node::named(mesh.name.as_str()) };
    if let Hold::Node(parent, transform) = placement.hold {
        node.parent = parent.map(|parent| parent.0);
        node.transform = transform;
    }
    match placement.switch {
        Switch::None | Switch::Joints => {}
        Switch::Scale if placement.at_rest => {}
        Switch::Scale => node.transform.scale = Vec3::ZERO,
        Switch::Extension | Switch::Fixed => node.visible = Some(placement.at_rest),
    }
    node.extras.level = Some(placement.level).filter(|level| *level > 0);
    node.extras.shown_by = mesh.node.filter(|_| mesh.skin.is_some());
    node.extras.rigid_skin = mesh.skin.is_some() && matches!(placement.hold, Hold::Node(..));
    node.extras.hidden = mesh.hidden;
    node.extras.hidden_at_rest = placement.is_invisible();
    nodes.push(node)
}

/// `MSFT_lod`: a mesh of the first level is replaced by those of lesser levels that hang on the same node.
fn link_levels(
    context: &Context<'_>,
    placements: &[Placement<'_>],
    placed: &[Placed],
    nodes: &mut Nodes<'_>,
) {
    let level = |placed: &Placed| placements[placed.placement].level;
    let mesh = |placed: &Placed| &context.scene.meshes[placements[placed.placement].mesh.index()];
    let is_best = |placed: &&Placed| level(placed) == 0 && mesh(placed).skin.is_none();
    for best in placed.iter().filter(is_best) {
        if !context.budget.samples(placed.len()) {
            return;
        }
        for lesser in placed.iter().filter(|lesser| level(lesser) > 0 && mesh(lesser).node == mesh(best).node)
        {
            if !std::mem::replace(&mut nodes.all[lesser.node as usize].detached, true) {
                nodes.all[best.node as usize].lesser.push(lesser.node);
            }
        }
    }
}

/// Positions with NaN and infinity replaced by zero.
fn repaired<'m>(positions: &'m [Vec3], count: &mut usize) -> Cow<'m, [Vec3]> {
    if Vec3::all_finite(positions) {
        return Cow::Borrowed(positions);
    }
    let mut positions = positions.to_vec();
    for part in positions.iter_mut().flat_map(|position| position.as_mut()).filter(|part| !part.is_finite()) {
        *part = 0.0;
        *count += 1;
    }
    Cow::Owned(positions)
}

/// Texture coordinates for every vertex, with NaN and infinity replaced by zero.
fn valid_coordinates<'m>(coordinates: &'m [Vec2], vertices: usize, count: &mut usize) -> Cow<'m, [Vec2]> {
    if coordinates.len() == vertices && Vec2::all_finite(coordinates) {
        return Cow::Borrowed(coordinates);
    }
    let mut coordinates = coordinates.to_vec();
    coordinates.resize(vertices, Vec2::ZERO);
    for part in coordinates.iter_mut().flat_map(|pair| pair.as_mut()).filter(|part| !part.is_finite()) {
        *part = 0.0;
        *count += 1;
    }
    Cow::Owned(coordinates)
}
