//! Meshes: vertices in bulk, one primitive for each material.

use crate::{
    Exporter, Levels, Report, TextureSource, Visibility,
    buffers::{Element, NO_EXTENT, View},
    extras::Runs,
    linear,
    node::OutNode,
    skin::Attributes,
};
use glam::{Vec2, Vec3, Vec4};
use scene::number::{Finite, are_triangles};
use scene::{Indices, Mesh, MeshId};
use std::{borrow::Cow, ops::Range, sync::LazyLock};

/// Where a mesh ended up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) mesh: MeshId,
    /// The node that shows it.
    pub(crate) node: u32,
    /// Its own node, which may be scaled to nothing.
    pub(crate) is_alone: bool,
    pub(crate) is_skinned: bool,
}

impl<'a> Exporter<'a> {
    pub(crate) fn write_meshes(&mut self, textures: &mut dyn TextureSource) {
        let scene = self.scene;
        let mut levels = vec![None; scene.meshes.len()];
        for (number, level) in scene.levels.iter().enumerate().rev() {
            for mesh in &level.meshes {
                if let Some(level) = levels.get_mut(mesh.index()) {
                    *level = Some(number);
                }
            }
        }
        self.buffers.reserve(scene);
        let mut bounds = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for (index, mesh) in scene.meshes.iter().enumerate() {
            let level = levels[index].unwrap_or(0);
            let left_out = match self.options.levels {
                Levels::Highest => level > 0,
                Levels::Separate => false,
                Levels::MsftLod => level > 0 && mesh.skin.is_some(),
            };
            if left_out || mesh.hidden && !self.options.hidden_meshes {
                self.report.omitted_meshes += 1;
                continue;
            }
            let id = MeshId::from(index);
            match self.write_mesh(id, mesh, textures, &mut bounds) {
                Some((place, skin)) => self.place_mesh(id, mesh, place, skin, level),
                None => self.report.omitted_meshes += 1,
            }
        }
        if self.options.levels == Levels::MsftLod {
            self.link_levels(&levels);
        }
        let size = (bounds.1 - bounds.0).length();
        // Without a single triangle there is no size; skeletons are measured by themselves.
        self.size = if size.is_finite() && size > 0.0 { size } else { self.skeleton_size() };
    }

    fn skeleton_size(&self) -> f32 {
        let origins = self.scene.rest_worlds().into_iter().map(|world| Vec3::from(world.translation));
        let found = scene::Bounds::around(origins.filter(|origin| origin.is_finite()).collect::<Vec<_>>());
        found.map(|bounds| (bounds.max - bounds.min).length()).filter(|size| *size > 0.0).unwrap_or(1.0)
    }

    /// Writes one mesh, and returns its place and its skin, unless nothing is left of it.
    fn write_mesh(
        &mut self,
        id: MeshId,
        mesh: &'a Mesh,
        textures: &mut dyn TextureSource,
        bounds: &mut (Vec3, Vec3),
    ) -> Option<(u32, Option<u32>)> {
        let whole = [scene::Part { material: None, start: 0, count: mesh.indices.len() as u32 }];
        let parts = if mesh.parts.is_empty() { &whole[..] } else { &mesh.parts };
        let stretches: Vec<(u32, &scene::Part)> = parts
            .iter()
            .filter_map(|part| {
                let start = (part.start as usize).min(mesh.indices.len());
                let end = start.saturating_add(part.count as usize).min(mesh.indices.len());
                Some((self.write_indices(mesh, start..end)?, part))
            })
            .collect();
        if stretches.is_empty() {
            return None;
        }
        let mut shared = Attributes::new();
        shared.push(("POSITION", None, self.write_positions(&mesh.positions, bounds)));
        self.write_normals(mesh, &mut shared);
        for (set, coordinates) in mesh.uv_sets.iter().enumerate() {
            let coordinates = sound_coordinates(coordinates, mesh.positions.len(), &mut self.report);
            let accessor = self.buffers.push_lent(View::Stride8, Element::F32x2, coordinates, NO_EXTENT);
            shared.push(("TEXCOORD", Some(set as u32), accessor));
        }
        let colors: Vec<u32> =
            mesh.color_sets.iter().map(|set| self.write_colors(set, mesh.positions.len())).collect();
        let (skin, moved) = match &mesh.skin {
            Some(skin) => {
                let (skin, attributes) = self.write_skin(mesh, skin);
                (Some(skin), attributes)
            }
            None => (None, Attributes::new()),
        };
        let materials: Vec<_> = stretches
            .iter()
            .map(|(_, part)| part.material.and_then(|material| self.material(material, id, textures)))
            .collect();
        let place = self.meshes.push(|json| {
            json.text("name", &mesh.name);
            json.array_field("primitives", |json| {
                for ((indices, _), material) in stretches.iter().zip(&materials) {
                    json.object(|json| {
                        json.object_field("attributes", |json| {
                            for &(kind, number, accessor) in shared.iter().chain(&moved) {
                                json.numbered_key(kind, number);
                                json.number(accessor as usize);
                            }
                            // The colours that the material uses are glTF's first, and only they tint it.
                            let used = material.map_or(Some(0), |material| material.color_set);
                            for (set, accessor) in colors.iter().enumerate() {
                                if used == Some(set as u32) {
                                    json.field("COLOR_0", accessor);
                                } else {
                                    json.field(&format!("_COLOR_{set}"), accessor);
                                }
                            }
                        });
                        json.field("indices", indices);
                        json.optional("material", material.map(|material| material.place));
                    });
                }
            });
            crate::extras::mesh(json, mesh);
        });
        self.report.written_meshes.push(id);
        Some((place, skin))
    }

    /// Writes a stretch of the corners of a mesh, if there are sound triangles in it.
    fn write_indices(&mut self, mesh: &'a Mesh, stretch: Range<usize>) -> Option<u32> {
        let vertices = mesh.positions.len();
        // The largest number of either width means something else (glTF 2.0, 3.7.2.1).
        let fits = vertices <= usize::from(u16::MAX);
        let corners: Vec<u32> = match &mesh.indices {
            Indices::Short(all) => {
                let corners = &all[stretch];
                if fits && !corners.is_empty() && are_triangles(corners, vertices) {
                    let corners = Cow::Borrowed(corners);
                    return Some(self.buffers.push_lent(View::Indices, Element::U16, corners, NO_EXTENT));
                }
                corners.iter().map(|&corner| corner.into()).collect()
            }
            Indices::Long(all) => {
                let corners = &all[stretch];
                if !fits && !corners.is_empty() && are_triangles(corners, vertices) {
                    let corners = Cow::Borrowed(corners);
                    return Some(self.buffers.push_lent(View::Indices, Element::U32, corners, NO_EXTENT));
                }
                corners.to_vec()
            }
        };
        let (triangles, rest) = corners.as_chunks::<3>();
        let exists = |corner: &u32| (*corner as usize) < vertices;
        let whole: Vec<[u32; 3]> =
            triangles.iter().copied().filter(|triangle| triangle.iter().all(exists)).collect();
        self.report.broken_triangles += triangles.len() - whole.len() + usize::from(!rest.is_empty());
        let sound: Vec<[u32; 3]> =
            whole.iter().copied().filter(|&[a, b, c]| a != b && b != c && a != c).collect();
        self.report.degenerate_triangles += whole.len() - sound.len();
        let corners = sound.as_flattened();
        (!corners.is_empty()).then(|| match fits {
            true => {
                let short: Vec<u16> = corners.iter().map(|&corner| corner as u16).collect();
                self.buffers.push(View::Indices, Element::U16, &short)
            }
            false => self.buffers.push(View::Indices, Element::U32, corners),
        })
    }

    fn write_positions(&mut self, positions: &'a [Vec3], bounds: &mut (Vec3, Vec3)) -> u32 {
        let mut positions = Cow::Borrowed(positions);
        if !Vec3::all_finite(&positions) {
            for position in positions.to_mut() {
                for part in position.as_mut() {
                    if !part.is_finite() {
                        *part = 0.0;
                        self.report.repaired_numbers += 1;
                    }
                }
            }
        }
        let (min, max) = extent(&positions);
        *bounds = (bounds.0.min(min), bounds.1.max(max));
        self.buffers.push_lent(View::Stride12, Element::F32x3, positions, Some((min, max)))
    }

    /// Normals at unit length, and tangents if there are normals: glTF wants none without.
    fn write_normals(&mut self, mesh: &'a Mesh, attributes: &mut Attributes) {
        const OFF: f32 = 1e-3;
        let count = mesh.positions.len();
        let is_unit = |normal: &Vec3| (normal.length_squared() - 1.0).abs() <= OFF;
        if !has_normals(mesh) {
            self.report.repaired_normals += mesh.normals.len();
            return;
        }
        let normals = if mesh.normals.iter().all(is_unit) {
            Cow::Borrowed(&mesh.normals[..])
        } else {
            self.report.repaired_normals += mesh.normals.iter().filter(|normal| !is_unit(normal)).count();
            let mended = |normal: &Vec3| {
                if is_unit(normal) { *normal } else { direction(*normal).unwrap_or(Vec3::Y) }
            };
            Cow::Owned(mesh.normals.iter().map(mended).collect())
        };
        let sound = |tangent: &Vec4| is_unit(&tangent.truncate()) & (tangent.w.abs() == 1.0);
        let tangents = match &mesh.tangents[..] {
            tangents if tangents.len() != count => None,
            tangents if tangents.iter().all(sound) => Some(Cow::Borrowed(tangents)),
            tangents => {
                self.report.repaired_normals += tangents.iter().filter(|tangent| !sound(tangent)).count();
                let mended = |(tangent, normal): (&Vec4, &Vec3)| {
                    let along = tangent.truncate();
                    let along = match is_unit(&along) {
                        true => along,
                        // Any direction across the normal is as good.
                        false => direction(along).unwrap_or_else(|| normal.any_orthonormal_vector()),
                    };
                    along.extend(if tangent.w < 0.0 { -1.0 } else { 1.0 })
                };
                Some(tangents.iter().zip(&*normals).map(mended).collect())
            }
        };
        let accessor = self.buffers.push_lent(View::Stride12, Element::F32x3, normals, NO_EXTENT);
        attributes.push(("NORMAL", None, accessor));
        if let Some(tangents) = tangents {
            let accessor = self.buffers.push_lent(View::Stride16, Element::F32x4, tangents, NO_EXTENT);
            attributes.push(("TANGENT", None, accessor));
        }
    }

    /// Colours as sixteen bits: glTF's are linear, and eight bits of that are too few for the dark ones.
    fn write_colors(&mut self, colors: &[[u8; 4]], count: usize) -> u32 {
        static LINEAR: LazyLock<[u16; 256]> = LazyLock::new(|| {
            std::array::from_fn(|byte| (linear(Vec3::splat(byte as f32 / 255.0)).x * 65535.0).round() as u16)
        });
        let table = &*LINEAR;
        let mut colors: Vec<[u16; 4]> = colors
            .iter()
            .take(count)
            .map(|&[r, g, b, a]| {
                [table[usize::from(r)], table[usize::from(g)], table[usize::from(b)], u16::from(a) * 257]
            })
            .collect();
        colors.resize(count, [u16::MAX; 4]);
        self.buffers.push(View::Stride8, Element::U16x4Normalised, &colors)
    }

    /// Gives a mesh to its node, or to a node of its own where that is needed.
    fn place_mesh(&mut self, id: MeshId, mesh: &Mesh, place: u32, skin: Option<u32>, level: usize) {
        let host = mesh.node.filter(|node| node.index() < self.scene.nodes.len());
        let changes = self.options.visibility != Visibility::Off && self.changes_visibility(id, mesh);
        let replaced = self.options.levels == Levels::MsftLod && self.scene.levels.len() > 1;
        let direct = host.filter(|host| {
            skin.is_none()
                && !changes
                && !replaced
                && !mesh.hidden
                && self.nodes.all[host.index()].mesh.is_none()
        });
        let node = match direct {
            Some(host) => {
                self.nodes.all[host.index()].mesh = Some(place);
                host.0
            }
            None => self.nodes.push(OutNode {
                name: &self.scene.meshes[id.index()].name,
                // A skinned mesh follows its joints only, and glTF wants it at the root (3.7.3.3).
                parent: host.filter(|_| skin.is_none()).map(|host| host.0),
                mesh: Some(place),
                skin,
                ..OutNode::default()
            }),
        };
        let placed = Placed { mesh: id, node, is_alone: direct.is_none(), is_skinned: skin.is_some() };
        let out = &mut self.nodes.all[node as usize];
        if level > 0 {
            out.extras.field("level", &level);
        }
        if let Some(host) = mesh.node.filter(|_| skin.is_some()) {
            out.extras.field("shown_by", &host.0);
        }
        if mesh.hidden {
            out.extras.field("hidden", &true);
            out.visible = Some(false);
        } else if changes {
            self.show_at_rest(&placed, mesh);
        }
        self.nodes.placed.push(placed);
    }

    /// `MSFT_lod`: a mesh of the first level is replaced by those of lesser levels that hang on the same node.
    fn link_levels(&mut self, levels: &[Option<usize>]) {
        let placed = self.nodes.placed.clone();
        let of = |placed: &Placed| (levels[placed.mesh.index()], self.scene.meshes[placed.mesh.index()].node);
        for best in placed.iter().filter(|placed| of(placed).0 == Some(0) && !placed.is_skinned) {
            for lesser in placed.iter().filter(|lesser| of(lesser).0 > Some(0) && of(lesser).1 == of(best).1)
            {
                if !std::mem::replace(&mut self.nodes.all[lesser.node as usize].detached, true) {
                    self.nodes.all[best.node as usize].lesser.push(lesser.node);
                    self.extensions.insert("MSFT_lod");
                }
            }
        }
    }
}

/// The least and the greatest in each direction.
fn extent(positions: &[Vec3]) -> (Vec3, Vec3) {
    // Four at a time, whose parts are in lanes that never mix.
    let mut found = [(Vec4::INFINITY, Vec4::NEG_INFINITY); 3];
    let mut add = |parts: [Vec4; 3]| {
        for ((least, greatest), parts) in found.iter_mut().zip(parts) {
            (*least, *greatest) = (least.min(parts), greatest.max(parts));
        }
    };
    let (fours, rest) = positions.as_chunks::<4>();
    for &[a, b, c, d] in fours {
        add([a.extend(b.x), Vec4::new(b.y, b.z, c.x, c.y), Vec4::new(c.z, d.x, d.y, d.z)]);
    }
    for &a in rest {
        add([a.extend(a.x), Vec4::new(a.y, a.z, a.x, a.y), Vec4::new(a.z, a.x, a.y, a.z)]);
    }
    let [x, y, z] = found;
    let lanes = |[x, y, z]: [Vec4; 3], of: fn(Vec3, Vec3) -> Vec3| {
        let [a, b] = [x.truncate(), Vec3::new(x.w, y.x, y.y)];
        let [c, d] = [Vec3::new(y.z, y.w, z.x), Vec3::new(z.y, z.z, z.w)];
        of(of(a, b), of(c, d))
    };
    (lanes([x.0, y.0, z.0], Vec3::min), lanes([x.1, y.1, z.1], Vec3::max))
}

/// Whether a mesh has normals that tell something.
pub(crate) fn has_normals(mesh: &Mesh) -> bool {
    let is_usable = |normal: &Vec3| direction(*normal).is_some();
    mesh.normals.len() == mesh.positions.len() && mesh.normals.iter().any(is_usable)
}

/// A vector at unit length, if it has a length. Squares of the largest and the smallest are no numbers that could be divided by.
fn direction(vector: Vec3) -> Option<Vec3> {
    (vector / vector.abs().max_element()).try_normalize()
}

fn sound_coordinates<'a>(coordinates: &'a [Vec2], count: usize, report: &mut Report) -> Cow<'a, [Vec2]> {
    if coordinates.len() == count && Vec2::all_finite(coordinates) {
        return Cow::Borrowed(coordinates);
    }
    let mut sound = coordinates.to_vec();
    sound.resize(count, Vec2::ZERO);
    for coordinate in &mut sound {
        for part in coordinate.as_mut() {
            if !part.is_finite() {
                *part = 0.0;
                report.repaired_numbers += 1;
            }
        }
    }
    Cow::Owned(sound)
}

/// Of a mesh: what its triangles are made of.
pub(crate) fn surface_runs(mesh: &Mesh) -> Runs {
    mesh.surface_types.chunk_by(|a, b| a == b).map(|run| (u32::from(run[0]), run.len() as u32)).collect()
}
