//! Materials: passes and stages to layers and slots, and triangles to parts of equal material.

use std::collections::HashMap;

use glam::Vec2;
use record::zerocopy::IntoBytes;
use record::{Node, U32};
use scene::{
    FrameOrder, Frames, Layer, Lighting, Material, MaterialId, Part, SlotKind, Texture, TextureId,
    TextureSlot, UvMapper, Wrap,
};
use w3d::names::{MeshFlags, TextureAnimation, TextureFlags, Texturing};
use w3d::records::{MeshHeader3, Rgb, Rgba, Shader, TextureInfo, VertexMaterialInfo};
use w3d::table;

use super::mapper::{Arguments, mapper};
use super::mesh::Triangles;
use super::object::color;
use super::{Converter, Engine, NoteKind, child_values, shader, space};

/// The materials of a mesh.
#[derive(Default)]
pub(super) struct Looks {
    /// Stretches of the triangles in `order`.
    pub(super) parts: Vec<Part>,
    /// The triangles in the order of the parts; `None` if that is the order of the file.
    pub(super) order: Option<Vec<u32>>,
    pub(super) uv_sets: Vec<Vec<Vec2>>,
    pub(super) color_sets: Vec<Vec<[u8; 4]>>,
}

/// Engines know four passes; more are no use, and a damaged file could have thousands.
const MAX_PASSES: usize = 8;
/// Engines know two stages.
const MAX_STAGES: usize = 4;

/// One pass of drawing.
#[derive(Default)]
struct Pass<'n> {
    vertex_materials: &'n [U32],
    shaders: &'n [U32],
    shader_materials: &'n [U32],
    /// Textures and the place of their coordinates.
    stages: Vec<(&'n [U32], u32)>,
    color_set: Option<u32>,
}

/// The materials that a mesh has to choose from.
struct Palette<'n> {
    passes: Vec<Pass<'n>>,
    vertex_materials: Vec<(Lighting, [UvMapper; 2])>,
    shaders: &'n [Shader],
    textures: Vec<TextureId>,
    shader_materials: Vec<Material>,
    engine: Engine,
}

/// The id for a triangle or vertex: ids are one for all, or one each.
fn id_at(ids: &[U32], index: usize) -> Option<usize> {
    ids.get(index).or(ids.first()).map(|id| id.get() as usize)
}

impl<'n> Converter<'_, 'n> {
    pub(super) fn looks(
        &mut self,
        node: &'n Node<'n>,
        header: &MeshHeader3,
        triangles: &Triangles<'n>,
        vertices: usize,
    ) -> Looks {
        let mut looks = Looks::default();
        let palette = self.palette(node, vertices, &mut looks);
        if palette.passes.is_empty() {
            self.obsolete_looks(node, header, triangles, vertices, &mut looks);
            return looks;
        }
        let mut split = Split::new(triangles);
        for pass in &palette.passes {
            split.by(pass.shaders, |index| index);
            split.by(pass.shader_materials, |index| index);
            for (textures, _) in &pass.stages {
                split.by(textures, |index| index);
            }
            // A triangle is drawn with the vertex material of its first corner, as in the engine.
            split.by(pass.vertex_materials, |index| triangles.stored[index].vindex[0].get() as usize);
        }
        let weight = [
            node.child(&table::SHADER_MATERIALS),
            w3d::Mesh(node).material_node().child(&table::VERTEX_MATERIALS),
        ];
        let weight = weight.into_iter().flatten().map(Node::len).sum();
        let mut lost = false;
        split.finish(&mut looks, |index| {
            // Each material has names and parameters of its own; a damaged file could repeat them for every triangle.
            if !self.spend(weight) {
                lost = true;
                return None;
            }
            let corner = triangles.stored.get(index).map_or(0, |triangle| triangle.vindex[0].get() as usize);
            let (mut material, complete) = palette.material(index, corner);
            lost |= !complete;
            finish_material(&mut material, header);
            material.prelit = w3d::Mesh(node).material_node().is(&table::PRELIT_VERTEX);
            Some(self.material(material))
        });
        if lost {
            self.note(
                NoteKind::Damaged,
                node,
                "references to missing materials, shaders or textures, or too many of them",
            );
        }
        looks
    }

    /// All that a mesh may be drawn with.
    fn palette(&mut self, node: &'n Node<'n>, vertices: usize, looks: &mut Looks) -> Palette<'n> {
        let view = w3d::Mesh(node);
        let mut sources: Vec<&'n [record::Vec2]> = Vec::new();
        let passes: Vec<&Node<'n>> = view.passes().map(|pass| pass.node()).take(MAX_PASSES + 1).collect();
        if passes.len() > MAX_PASSES {
            self.note(NoteKind::Skipped, node, format!("only the first {MAX_PASSES} passes are supported"));
        }
        let passes: Vec<Pass<'n>> = passes
            .into_iter()
            .take(MAX_PASSES)
            .map(|pass| self.pass(node, pass, vertices, looks, &mut sources))
            .collect();
        let vertex_materials = view.vertex_materials().map(|material| {
            self.vertex_material(node, material.name(), material.info(), |stage| material.mapper_args(stage))
        });
        let vertex_materials = vertex_materials.collect();
        let textures =
            view.textures().map(|source| self.texture(texture(source.name(), source.info()))).collect();
        let shader_materials = node.child(&table::SHADER_MATERIALS);
        let shader_materials = shader_materials
            .into_iter()
            .flat_map(|materials| materials.all(&table::SHADER_MATERIAL))
            .map(|material| self.shader_material(material, looks))
            .collect();
        Palette {
            passes,
            vertex_materials,
            shaders: view.shaders(),
            textures,
            shader_materials,
            engine: self.options.engine,
        }
    }

    fn pass(
        &mut self,
        mesh: &Node<'_>,
        pass: &'n Node<'n>,
        vertices: usize,
        looks: &mut Looks,
        sources: &mut Vec<&'n [record::Vec2]>,
    ) -> Pass<'n> {
        let mut uv_set = |looks: &mut Looks, coordinates: &'n [record::Vec2]| -> Option<u32> {
            if coordinates.is_empty() {
                return None;
            }
            // Passes often repeat the coordinates of the one before.
            let known = sources.iter().position(|known| known.as_bytes() == coordinates.as_bytes());
            Some(known.unwrap_or_else(|| {
                let mut set: Vec<Vec2> =
                    coordinates.iter().take(vertices).copied().map(space::texcoord).collect();
                if set.len() < vertices {
                    self.note(
                        NoteKind::Damaged,
                        mesh,
                        "fewer texture coordinates than vertices; the rest are zero",
                    );
                    set.resize(vertices, Vec2::ZERO);
                }
                sources.push(coordinates);
                looks.uv_sets.push(set);
                sources.len() - 1
            }) as u32)
        };
        let mut stages = Vec::new();
        for (index, stage) in pass.all(&table::TEXTURE_STAGE).take(MAX_STAGES).enumerate() {
            let set = uv_set(looks, w3d::Pass(pass).texcoords(index));
            // A stage without coordinates of its own has those of the first.
            let first = stages.first().map_or(0, |(_, set)| *set);
            stages.push((child_values(stage, &table::TEXTURE_IDS), set.unwrap_or(first)));
        }
        // With shader materials they are in the pass itself (docs/formats/w3d/materials.md#ids-of-a-pass).
        for coordinates in pass.all(&table::STAGE_TEXCOORDS).take(MAX_STAGES) {
            uv_set(looks, coordinates.values());
        }
        let color_set = vertex_colors(pass, vertices, &mut looks.color_sets);
        Pass {
            vertex_materials: child_values(pass, &table::VERTEX_MATERIAL_IDS),
            shaders: child_values(pass, &table::SHADER_IDS),
            shader_materials: child_values(pass, &table::SHADER_MATERIAL_ID),
            stages,
            color_set,
        }
    }

    fn vertex_material(
        &mut self,
        mesh: &Node<'_>,
        name: String,
        info: Option<&VertexMaterialInfo>,
        arguments: impl Fn(usize) -> Vec<(String, String)>,
    ) -> (Lighting, [UvMapper; 2]) {
        let Some(info) = info else { return (Lighting { name, ..Lighting::default() }, Default::default()) };
        let lighting = lighting(name, info);
        let flags = info.attributes.get();
        let mappers = [(flags >> 16) as u8, (flags >> 8) as u8];
        let mappers = std::array::from_fn(|stage| {
            let number = mappers[stage];
            if number == 0 {
                return UvMapper::Uv;
            }
            let mut args = Arguments(arguments(stage));
            let mapped = mapper(number, &mut args);
            let mut complain = |message| self.note(NoteKind::Skipped, mesh, message);
            if mapped.is_none() {
                complain(format!("unknown mapper {number:#x} in the vertex material {:?}", lighting.name));
            }
            for (key, value) in args.0 {
                complain(format!(
                    "unknown mapper argument {key}={value} in the vertex material {:?}",
                    lighting.name
                ));
            }
            mapped.unwrap_or_default()
        });
        (lighting, mappers)
    }

    /// The id of a material, which is added unless one of the last few is the same.
    pub(super) fn material(&mut self, material: Material) -> MaterialId {
        let materials = &mut self.scene.materials;
        let recent = materials.len().saturating_sub(64);
        let known = materials[recent..].iter().position(|known| *known == material);
        MaterialId::from(known.map_or_else(
            || {
                materials.push(material);
                materials.len() - 1
            },
            |index| recent + index,
        ))
    }
}

/// Meshes whose names start with it have the player's colour (docs/formats/rendering.md#w3d-house-colour).
const HOUSE_COLOR: &[u8] = b"HOUSECOLOR";

/// The fields of the mesh's header that concern its materials.
pub(super) fn finish_material(material: &mut Material, header: &MeshHeader3) {
    // Engines read the sort level as a byte; 32 is the highest (docs/formats/w3d/meshes.md#mesh-header).
    material.sort_level = u32::try_from(header.sort_level.get()).unwrap_or(0).min(32);
    let name = header.mesh_name.text();
    material.house_color =
        name.get(..HOUSE_COLOR.len()).is_some_and(|start| start.eq_ignore_ascii_case(HOUSE_COLOR));
    if header.attributes.has(MeshFlags::TWO_SIDED) {
        for layer in &mut material.layers {
            layer.two_sided = true;
        }
    }
}

impl Palette<'_> {
    /// The material of a triangle, and whether all of its parts exist.
    fn material(&self, triangle: usize, corner: usize) -> (Material, bool) {
        let mut complete = true;
        let mut material = Material::default();
        for pass in &self.passes {
            let is_fixed = pass.shader_materials.is_empty() && !pass.shaders.is_empty();
            if !self.shader_materials.is_empty() && !is_fixed {
                let id = id_at(pass.shader_materials, triangle).unwrap_or(0);
                complete &= id < self.shader_materials.len();
                if let Some(shader_material) = self.shader_materials.get(id) {
                    let color_set = pass.color_set;
                    let layers = shader_material.layers.iter().cloned();
                    material.layers.extend(layers.map(|layer| Layer { color_set, ..layer }));
                    material.name.clone_from(&shader_material.name);
                    material.shader.clone_from(&shader_material.shader);
                }
                continue;
            }
            let (layer, whole) = self.layer(pass, triangle, corner);
            complete &= whole;
            if material.name.is_empty()
                && let Some(lighting) = &layer.lighting
            {
                material.name.clone_from(&lighting.name);
            }
            material.layers.push(layer);
        }
        (material, complete)
    }

    fn layer(&self, pass: &Pass<'_>, triangle: usize, corner: usize) -> (Layer, bool) {
        let mut complete = true;
        let mut find = |ids: &[U32], index: usize, count: usize| -> Option<usize> {
            let id = id_at(ids, index)?;
            complete &= id < count;
            Some(id).filter(|id| *id < count)
        };
        let shader = find(pass.shaders, triangle, self.shaders.len()).map(|id| &self.shaders[id]);
        let material = find(pass.vertex_materials, corner, self.vertex_materials.len())
            .map(|id| &self.vertex_materials[id]);
        let mut layer = shader.map(|shader| shader::layer(shader, self.engine)).unwrap_or_default();
        layer.lighting = material.map(|(lighting, _)| lighting.clone());
        shader::finish(&mut layer, pass.color_set);
        if shader.is_none_or(|shader| shader.texturing != Texturing::DISABLE) {
            for (stage, (ids, uv_set)) in pass.stages.iter().enumerate() {
                if id_at(ids, triangle) == Some(u32::MAX as usize) {
                    continue;
                }
                let Some(id) = find(ids, triangle, self.textures.len()) else { continue };
                let (color_combine, alpha_combine) = shader::combine(shader, stage);
                layer.slots.push(TextureSlot {
                    kind: match stage {
                        0 => SlotKind::Diffuse,
                        1 => SlotKind::Detail,
                        _ => SlotKind::Other(stage as u32),
                    },
                    texture: Some(self.textures[id]),
                    uv_set: *uv_set,
                    mapper: material.and_then(|(_, mappers)| mappers.get(stage)).cloned().unwrap_or_default(),
                    color_combine,
                    alpha_combine,
                    ..TextureSlot::default()
                });
            }
        }
        (layer, complete)
    }
}

/// Triangles sorted by material. All start in one group, and each list of ids splits the groups further.
pub(super) struct Split<'t, 'n> {
    triangles: &'t Triangles<'n>,
    /// For each triangle the number of its kind; none while all are alike.
    kinds: Vec<u32>,
}

impl<'t, 'n> Split<'t, 'n> {
    pub(super) fn new(triangles: &'t Triangles<'n>) -> Self {
        Self { triangles, kinds: Vec::new() }
    }

    /// Splits by ids; `place` is the index of a stored triangle's id.
    fn by(&mut self, ids: &[U32], place: impl Fn(usize) -> usize) {
        if ids.len() > 1 {
            self.by_key(|index| id_at(ids, place(index)).unwrap_or(0) as u32);
        }
    }

    /// Splits by a number of each stored triangle.
    pub(super) fn by_key(&mut self, key: impl Fn(usize) -> u32) {
        self.kinds.resize(self.triangles.len(), 0);
        let mut known: HashMap<(u32, u32), u32> = HashMap::new();
        // Neighbours are mostly alike.
        let mut last = ((u32::MAX, u32::MAX), u32::MAX);
        for (index, kind) in self.kinds.iter_mut().enumerate() {
            let pair = (*kind, key(self.triangles.stored_index(index)));
            if last.1 == u32::MAX || last.0 != pair {
                let next = known.len() as u32;
                last = (pair, *known.entry(pair).or_insert(next));
            }
            *kind = last.1;
        }
    }

    /// Makes parts: `material` is asked with a stored triangle of each kind.
    pub(super) fn finish(self, looks: &mut Looks, mut material: impl FnMut(usize) -> Option<MaterialId>) {
        let count = self.triangles.len();
        let kinds = self.kinds.iter().max().map_or(1, |kind| *kind as usize + 1);
        if kinds == 1 {
            let first = if count == 0 { 0 } else { self.triangles.stored_index(0) };
            looks.parts = vec![Part { material: material(first), start: 0, count: (count * 3) as u32 }];
            return;
        }
        let mut counts = vec![0_u32; kinds];
        for kind in &self.kinds {
            counts[*kind as usize] += 1;
        }
        // Kinds are numbered as they appear, so parts come in the order of their first triangles.
        let mut starts = Vec::with_capacity(kinds);
        let mut start = 0;
        for count in &counts {
            starts.push(start);
            start += count;
        }
        let mut order = vec![0_u32; count];
        let mut next = starts.clone();
        for (index, kind) in self.kinds.iter().enumerate() {
            let to = &mut next[*kind as usize];
            order[*to as usize] = index as u32;
            *to += 1;
        }
        looks.parts = starts
            .iter()
            .zip(&counts)
            .map(|(start, count)| {
                let first = self.triangles.stored_index(order[*start as usize] as usize);
                Part { material: material(first), start: start * 3, count: count * 3 }
            })
            .collect();
        looks.order = Some(order);
    }
}

/// The vertex colours of a pass. All passes share one array: the first diffuse colours fill it, and illumination is
/// multiplied into it (docs/formats/rendering.md#w3d-vertex-colours).
fn vertex_colors(pass: &Node<'_>, vertices: usize, sets: &mut Vec<Vec<[u8; 4]>>) -> Option<u32> {
    let diffuse = child_values_of::<Rgba>(pass, &table::DCG);
    let light = child_values_of::<Rgb>(pass, &table::DIG);
    let is_first = sets.is_empty();
    if diffuse.is_empty() && (light.is_empty() || !is_first) {
        if let Some(colors) = sets.first_mut() {
            illuminate(colors, light);
        }
        return None;
    }
    if is_first {
        let mut colors: Vec<[u8; 4]> =
            diffuse.iter().take(vertices).map(|color| [color.r, color.g, color.b, color.a]).collect();
        colors.resize(vertices, [255; 4]);
        sets.push(colors);
    }
    illuminate(&mut sets[0], light);
    Some(0)
}

fn illuminate(colors: &mut [[u8; 4]], light: &[Rgb]) {
    let times = |a: u8, b: u8| ((u32::from(a) * u32::from(b) + 127) / 255) as u8;
    for (color, light) in colors.iter_mut().zip(light) {
        *color = [times(color[0], light.r), times(color[1], light.g), times(color[2], light.b), color[3]];
    }
}

fn child_values_of<'c, T: record::Pod>(node: &'c Node<'_>, chunk: &'static w3d::Chunk) -> &'c [T] {
    node.child(chunk).map(Node::values).unwrap_or_default()
}

/// The colours of a vertex material.
pub(super) fn lighting(name: String, info: &VertexMaterialInfo) -> Lighting {
    Lighting {
        name,
        ambient: color(info.ambient),
        diffuse: color(info.diffuse),
        specular: color(info.specular),
        emissive: color(info.emissive),
        shininess: info.shininess.get(),
        opacity: info.opacity.get(),
        translucency: info.translucency.get(),
    }
}

/// A texture with its TEXTURE_INFO.
pub(super) fn texture(name: String, info: Option<&TextureInfo>) -> Texture {
    let mut texture = Texture { name, ..Texture::default() };
    let Some(info) = info else { return texture };
    let wrap = |flag| if info.attributes.has(flag) { Wrap::Clamp } else { Wrap::Repeat };
    texture.wrap_u = wrap(TextureFlags::CLAMP_U);
    texture.wrap_v = wrap(TextureFlags::CLAMP_V);
    texture.no_mipmaps = info.attributes.has(TextureFlags::NO_LOD);
    texture.frames = (info.frame_count.get() > 1).then(|| Frames {
        count: info.frame_count.get(),
        rate: info.frame_rate.get(),
        order: if info.anim_type == TextureAnimation::PINGPONG {
            FrameOrder::PingPong
        } else if info.anim_type == TextureAnimation::ONCE {
            FrameOrder::Once
        } else if info.anim_type == TextureAnimation::MANUAL {
            FrameOrder::Manual
        } else {
            FrameOrder::Loop
        },
    });
    texture
}
