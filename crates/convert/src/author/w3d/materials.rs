//! Materials of a mesh: passes, stages, vertex materials, shaders, textures and FX shader materials.

use std::collections::{BTreeSet, HashMap};

use record::zerocopy::IntoBytes;
use record::{F32, I32, Node, U32, build};
use scene::{
    BlendMode, Cause, FrameOrder, Layer, Material, Mesh, MeshId, Note, NoteKind, ShaderParameter, Texture,
    TextureId, Transparency, Wrap,
};
use w3d::names::{PropertyType, TextureAnimation, TextureFlags};
use w3d::records::{MaterialInfo, Rgba, Shader, ShaderMaterialHeader, ShaderMaterialProperty, TextureInfo};
use w3d::table;

use super::meshes::Piece;
use super::shaders::{self, VertexMaterial};
use super::{Author, chars, count, space};
use crate::author::supplied;

/// The chunks of a mesh's materials, and the fields of its header that depend on them.
#[derive(Default)]
pub(super) struct Looks {
    pub(super) chunks: Vec<Node<'static>>,
    pub(super) two_sided: bool,
    pub(super) sort_level: i32,
}

/// No texture.
const NONE: u32 = u32::MAX;

/// What a part is drawn with in one pass, as places in the mesh's lists.
#[derive(Clone, Debug, Default, PartialEq)]
struct PassIds {
    vertex_material: u32,
    shader: u32,
    textures: [Option<u32>; 2],
}

/// The lists of a mesh.
#[derive(Default)]
struct Lists {
    vertex_materials: Vec<VertexMaterial>,
    shaders: Vec<Shader>,
    textures: Vec<TextureId>,
    programs: Vec<scene::Shader>,
}

fn place<T: PartialEq>(list: &mut Vec<T>, value: T) -> u32 {
    let index = list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    });
    index as u32
}

impl Author<'_> {
    pub(super) fn looks(&mut self, id: MeshId, piece: &mut Piece) -> Looks {
        let scene = self.scene;
        let mesh = &scene.meshes[id.index()];
        // Meshes that fade are hidden by channels. While they are visible, their alpha is constant.
        let faded = self.plan.fades.mesh_alpha(id);
        let found = |id: Option<scene::MaterialId>| id.and_then(|id| scene.materials.get(id.index()));
        if piece.parts.iter().all(|part| found(part.material).is_none())
            && (mesh.hidden || self.options.faithful)
        {
            return Looks::default();
        }
        let plain = Material { layers: vec![Layer::default()], ..Material::default() };
        let mut materials: Vec<Material> = Vec::new();
        for part in &piece.parts {
            let known = found(part.material).filter(|material| !material.layers.is_empty());
            if known.is_none() {
                self.assumed(&mesh.name, "no material; drawn in plain white");
            }
            let mut material = known.unwrap_or(&plain).clone();
            // Only layers have colours in W3D.
            for (place, layer) in (0..).zip(&mut material.layers) {
                if let Some(alpha) = self.plan.fades.layer_alpha(id, part.material, place) {
                    layer.alpha = alpha;
                }
                layer.color *= mesh.color;
                layer.alpha *= match faded {
                    None => mesh.alpha,
                    Some(alpha) if layer.transparency() == Transparency::Blend => alpha,
                    // An alpha test would cut more and more away.
                    Some(_) => 1.0,
                };
            }
            if material.layers.len() > self.limits.passes {
                let message = format!("only the first {} layers were written", self.limits.passes);
                self.lost(&mesh.name, message);
                material.layers.truncate(self.limits.passes);
            }
            materials.push(material);
        }
        let mut sort_level = materials.first().map_or(0, |material| material.sort_level.min(32) as i32);
        // Without a level, transparent meshes are sorted triangle by triangle, and further passes blend with the wrong background.
        let is_glass =
            |material: &Material| material.layers.len() > 1 && material.layers[0].blend != BlendMode::Opaque;
        if sort_level == 0 && !self.options.faithful && materials.iter().any(is_glass) {
            sort_level = 1;
        }
        let faced = self.facing_skins.contains(&id);
        if faced {
            self.lost(&mesh.name, "skins cannot turn to the camera in W3D; drawn from both sides");
        }
        let is_program = materials.iter().all(|material| shaders::program(material).is_some());
        if is_program && self.limits.shader_materials {
            let looks = self.programs(mesh, piece, &materials);
            return Looks { sort_level, two_sided: looks.two_sided || faced, ..looks };
        }
        let two_sided =
            faced || materials.iter().any(|material| material.layers.iter().any(|layer| layer.two_sided));
        Looks { chunks: self.passes(mesh, piece, &materials), two_sided, sort_level }
    }

    /// What each layer of a material is drawn with; it is added to the lists.
    fn pass_ids(&mut self, mesh: &Mesh, material: &Material, lists: &mut Lists) -> Vec<PassIds> {
        let mut ids: Vec<PassIds> = Vec::new();
        let renamed = renamed(material);
        for layer in &material.layers {
            let (shader, lost) = shaders::shader(layer, &self.limits);
            for what in lost {
                self.lost(&mesh.name, format!("cannot express {what}"));
            }
            let beyond = layer.slots.iter().filter(|slot| shaders::stage(slot.kind).is_none()).count();
            if beyond > 0 {
                let kinds: BTreeSet<String> = layer
                    .slots
                    .iter()
                    .filter(|slot| shaders::stage(slot.kind).is_none())
                    .map(|slot| format!("{:?}", slot.kind))
                    .collect();
                let kinds = kinds.into_iter().collect::<Vec<_>>().join(", ");
                self.lost(&mesh.name, format!("textures that the fixed passes have no stage for: {kinds}"));
            }
            let mut textures = [None; 2];
            for slot in &layer.slots {
                if let (Some(stage), Some(texture)) = (shaders::stage(slot.kind), slot.texture) {
                    textures[stage] =
                        lists.textures.iter().position(|id| *id == texture).map(|index| index as u32);
                }
            }
            let name = if material.name.is_empty() { &mesh.name } else { &material.name };
            let mut vertex_material = shaders::vertex_material(layer, name);
            if let Some((_, new)) = renamed.filter(|(old, _)| *old == vertex_material.name) {
                new.clone_into(&mut vertex_material.name);
            }
            ids.push(PassIds {
                vertex_material: place(&mut lists.vertex_materials, vertex_material),
                shader: place(&mut lists.shaders, shader),
                textures,
            });
        }
        ids
    }

    /// Fixed passes.
    fn passes(&mut self, mesh: &Mesh, piece: &mut Piece, materials: &[Material]) -> Vec<Node<'static>> {
        let mut lists = Lists::default();
        let used: BTreeSet<TextureId> = materials
            .iter()
            .flat_map(|material| &material.layers)
            .flat_map(|layer| &layer.slots)
            .filter(|slot| shaders::stage(slot.kind).is_some())
            .filter_map(|slot| slot.texture)
            .filter(|id| id.index() < self.scene.textures.len())
            .collect();
        lists.textures = used.into_iter().collect();
        let pass_count = materials.iter().map(|material| material.layers.len()).max().unwrap_or(0);
        let mut parts: Vec<Vec<PassIds>> = Vec::new();
        for material in materials {
            let mut ids = self.pass_ids(mesh, material, &mut lists);
            // Readers tell parts apart by ids: two parts that look alike need ids of their own.
            if parts.contains(&ids)
                && let Some(first) = ids.first_mut()
            {
                let copy = lists.shaders[first.shader as usize];
                lists.shaders.push(copy);
                first.shader = lists.shaders.len() as u32 - 1;
            }
            parts.push(ids);
        }
        // Old meshes have no vertex materials. A colour of its own shows that a material was made elsewhere.
        let needs_lighting = |layer: &Layer| {
            layer.lighting.is_some() || layer.color != glam::Vec3::ONE || layer.alpha != 1.0 || layer.unlit
        };
        let mut layers = materials.iter().flat_map(|material| &material.layers);
        let has_lighting = !self.options.faithful || layers.any(needs_lighting);
        if !has_lighting {
            lists.vertex_materials.clear();
        }
        let vertex_ids = vertex_ids(piece, &parts);
        let info = MaterialInfo {
            pass_count: count(pass_count),
            vertex_material_count: count(lists.vertex_materials.len()),
            shader_count: count(lists.shaders.len()),
            texture_count: count(lists.textures.len()),
        };
        let mut chunks = vec![build(table::MATERIAL_INFO, &info)];
        if has_lighting {
            let vertex_materials = lists.vertex_materials.iter().map(vertex_material_chunk).collect();
            chunks.push(build(table::VERTEX_MATERIALS, vertex_materials));
        }
        chunks.push(build(table::SHADERS, &lists.shaders));
        if !lists.textures.is_empty() {
            let textures = lists.textures.iter().map(|id| self.texture_chunk(*id)).collect();
            chunks.push(build(table::TEXTURES, textures));
        }
        let uv = UvPlan::new(mesh, materials, pass_count);
        let colors = ColorPlan::new(mesh, materials);
        for pass in 0..pass_count {
            let ids = vertex_ids.iter().map(|part| parts[*part as usize][pass].vertex_material);
            let of_triangles = |id: &dyn Fn(&PassIds) -> u32| -> Vec<U32> {
                let each = piece.parts.iter().zip(&parts).flat_map(|(part, ids)| {
                    std::iter::repeat_n(U32::new(id(&ids[pass])), part.triangles.len())
                });
                shortened(each.collect())
            };
            let mut children = Vec::new();
            if has_lighting {
                children.push(build(table::VERTEX_MATERIAL_IDS, &shortened(ids.map(U32::new).collect())));
            }
            children.push(build(table::SHADER_IDS, &of_triangles(&|ids| ids.shader)));
            children.extend(colors.chunk(mesh, piece, pass));
            let last = (0..2).rev().find(|stage| {
                uv.sets[pass][*stage].is_some()
                    || parts.iter().any(|ids| ids[pass].textures[*stage].is_some())
            });
            for stage in 0..last.map_or(0, |last| last + 1) {
                let mut parts_of_stage = Vec::new();
                if parts.iter().any(|ids| ids[pass].textures[stage].is_some()) {
                    let mut ids = of_triangles(&|ids| ids.textures[stage].unwrap_or(NONE));
                    if ids.len() == 1 && ids[0].get() == NONE {
                        ids.clear();
                    }
                    parts_of_stage.push(build(table::TEXTURE_IDS, &ids));
                }
                if let Some(set) = uv.sets[pass][stage] {
                    parts_of_stage.push(texcoords(mesh, piece, set));
                }
                children.push(build(table::TEXTURE_STAGE, parts_of_stage));
            }
            chunks.push(build(table::MATERIAL_PASS, children));
        }
        chunks
    }

    /// FX shader materials.
    fn programs(&mut self, mesh: &Mesh, piece: &mut Piece, materials: &[Material]) -> Looks {
        let mut lists = Lists::default();
        let mut ids: Vec<u32> = Vec::new();
        for material in materials {
            let Some(program) = shaders::program(material) else { continue };
            let mut id = place(&mut lists.programs, program.clone());
            if ids.contains(&id) {
                lists.programs.push(program.clone());
                id = lists.programs.len() as u32 - 1;
            }
            ids.push(id);
        }
        let pass_count = materials.iter().map(|material| material.layers.len()).max().unwrap_or(0);
        let info = MaterialInfo { pass_count: count(pass_count), ..MaterialInfo::default() };
        let programs = lists.programs.iter().map(|program| self.program_chunk(program)).collect();
        let mut chunks = vec![build(table::MATERIAL_INFO, &info), build(table::SHADER_MATERIALS, programs)];
        let colors = ColorPlan::new(mesh, materials);
        for pass in 0..pass_count {
            let each = piece.parts.iter().zip(&ids);
            let each = each.flat_map(|(part, id)| std::iter::repeat_n(U32::new(*id), part.triangles.len()));
            let mut children = vec![build(table::SHADER_MATERIAL_ID, &shortened(each.collect()))];
            children.extend(colors.chunk(mesh, piece, pass));
            if pass == 0 {
                children.extend((0..mesh.uv_sets.len().min(8)).map(|set| texcoords(mesh, piece, set)));
            }
            chunks.push(build(table::MATERIAL_PASS, children));
        }
        // A mesh that is two-sided makes all its materials so.
        let culls = |material: &Material| {
            let program = shaders::program(material);
            let mut parameters = program.into_iter().flat_map(|program| &program.parameters);
            !parameters.any(|(name, value)| {
                name.eq_ignore_ascii_case("CullingEnable") && *value == ShaderParameter::Bool(false)
            })
        };
        let sides = |material: &Material| material.layers.iter().any(|layer| layer.two_sided);
        let two_sided = materials.iter().all(sides) && materials.iter().any(culls);
        Looks { chunks, two_sided, sort_level: 0 }
    }

    fn program_chunk(&mut self, program: &scene::Shader) -> Node<'static> {
        let header = ShaderMaterialHeader {
            version: 1,
            shader_name: chars(&crate::author::names::fit(&program.name, 31)),
            technique: u8::try_from(program.technique).unwrap_or(0),
            ..ShaderMaterialHeader::default()
        };
        let mut chunks = vec![build(table::SHADER_MATERIAL_HEADER, &header)];
        for (name, value) in &program.parameters {
            let (kind, body): (PropertyType, Vec<u8>) = match value {
                ShaderParameter::Texture(texture) => {
                    let name = texture.map(|id| self.texture_name(id)).unwrap_or_default();
                    let text = c_string(&name);
                    (PropertyType::TEXTURE, [count(text.len()).as_bytes(), &text[..]].concat())
                }
                ShaderParameter::Float(x) => (PropertyType::FLOAT, F32::new(*x).as_bytes().to_vec()),
                ShaderParameter::Vec2(v) => {
                    (PropertyType::VECTOR2, space::floats(v.to_array()).as_bytes().to_vec())
                }
                ShaderParameter::Vec3(v) => {
                    (PropertyType::VECTOR3, space::floats(v.to_array()).as_bytes().to_vec())
                }
                ShaderParameter::Vec4(v) => {
                    (PropertyType::VECTOR4, space::floats(v.to_array()).as_bytes().to_vec())
                }
                ShaderParameter::Int(number) => (PropertyType::INT, I32::new(*number).as_bytes().to_vec()),
                ShaderParameter::Bool(on) => (PropertyType::BOOL, vec![u8::from(*on)]),
            };
            let text = c_string(name);
            let header = ShaderMaterialProperty { property_type: kind, name_length: count(text.len()) };
            chunks.push(build(
                table::SHADER_MATERIAL_PROPERTY,
                (&header, &[&text[..], &body[..]].concat()[..]),
            ));
        }
        build(table::SHADER_MATERIAL, chunks)
    }

    fn texture_chunk(&mut self, id: TextureId) -> Node<'static> {
        let name = self.texture_name(id);
        let mut chunks = vec![build(table::TEXTURE_NAME, name.as_str())];
        if let Some(texture) = self.scene.textures.get(id.index()) {
            chunks.extend(texture_info(texture).map(|info| build(table::TEXTURE_INFO, &info)));
        }
        build(table::TEXTURE, chunks)
    }

    /// The file of a texture: engines expect a name without a folder that ends with .tga, and load .dds instead if it exists.
    pub(super) fn texture_name(&mut self, id: TextureId) -> String {
        let Some(texture) = self.scene.textures.get(id.index()) else { return String::new() };
        let name = match (texture.replaceable, texture.name.as_str()) {
            (Some(number), "") => {
                let name = supplied::file_name(number, self.limits.recolours);
                let is_known = supplied::is_known(number);
                let advice = if is_known { "" } else { "; put a picture of that name next to it" };
                let message = format!(
                    "Warcraft III supplies texture {}, W3D games do not: the model refers to {name}{advice}",
                    number.0,
                );
                let note = Note::new(NoteKind::Skipped, "textures", message);
                self.report.add(if is_known { note.because(Cause::SuppliedTexture) } else { note });
                return name;
            }
            (_, name) => name,
        };
        let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let renamed = match native_name(file) {
            Some(native) => native,
            None if self.options.faithful => name.to_owned(),
            None => file.to_owned(),
        };
        let fit = crate::author::names::fit(&renamed, 255);
        if fit != name {
            self.assumed("textures", format!("{name:?} is written as {fit:?}"));
        }
        fit
    }
}

/// The name of a texture in a format that the games read, if its own format is another one.
pub(crate) fn native_name(file: &str) -> Option<String> {
    const FOREIGN: [&str; 8] = ["blp", "png", "jpg", "jpeg", "tif", "tiff", "webp", "ktx2"];
    let (stem, ending) = file.rsplit_once('.')?;
    FOREIGN.iter().any(|known| known.eq_ignore_ascii_case(ending)).then(|| format!("{stem}.tga"))
}

/// The name that the material had in W3D, and the one that it was given since. Its name there is that of its first vertex material. Numbers that
/// Blender adds, and names that it cuts, are no new names.
fn renamed(material: &Material) -> Option<(&str, &str)> {
    fn without_number(name: &str) -> &str {
        match name.rsplit_once('.') {
            Some((stem, number)) if number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit()) => {
                stem
            }
            _ => name,
        }
    }
    let lighting = material.layers.iter().filter_map(|layer| layer.lighting.as_ref());
    let old = lighting.map(|lighting| lighting.name.as_str()).find(|name| !name.is_empty())?;
    let new = without_number(&material.name);
    (!new.is_empty() && !old.starts_with(new)).then_some((old, new))
}

/// A text with its NUL.
fn c_string(text: &str) -> Vec<u8> {
    let mut bytes = record::encode(text).map(std::borrow::Cow::into_owned).unwrap_or_default();
    bytes.push(0);
    bytes
}

fn texture_info(texture: &Texture) -> Option<TextureInfo> {
    let mut flags = 0;
    let mut set = |on: bool, flag: TextureFlags| flags |= if on { flag.get() } else { 0 };
    set(texture.wrap_u == Wrap::Clamp, TextureFlags::CLAMP_U);
    set(texture.wrap_v == Wrap::Clamp, TextureFlags::CLAMP_V);
    set(texture.no_mipmaps, TextureFlags::NO_LOD);
    if flags == 0 && texture.frames.is_none() {
        return None;
    }
    let frames = texture.frames;
    Some(TextureInfo {
        attributes: TextureFlags::new(flags),
        anim_type: match frames.map(|frames| frames.order) {
            None | Some(FrameOrder::Loop) => TextureAnimation::LOOP,
            Some(FrameOrder::PingPong) => TextureAnimation::PINGPONG,
            Some(FrameOrder::Once) => TextureAnimation::ONCE,
            Some(FrameOrder::Manual) => TextureAnimation::MANUAL,
        },
        frame_count: U32::new(frames.map_or(1, |frames| frames.count)),
        frame_rate: F32::new(frames.map_or(0.0, |frames| frames.rate)),
    })
}

fn vertex_material_chunk(material: &VertexMaterial) -> Node<'static> {
    let name = crate::author::names::fit(&material.name, 255);
    let mut chunks = vec![
        build(table::VERTEX_MATERIAL_NAME, name.as_str()),
        build(table::VERTEX_MATERIAL_INFO, &material.info),
    ];
    let [first, second] = &material.arguments;
    if !first.is_empty() {
        chunks.push(build(table::VERTEX_MAPPER_ARGS0, first.as_str()));
    }
    if !second.is_empty() {
        chunks.push(build(table::VERTEX_MAPPER_ARGS1, second.as_str()));
    }
    build(table::VERTEX_MATERIAL, chunks)
}

/// One id for all where all are the same.
fn shortened(mut ids: Vec<U32>) -> Vec<U32> {
    if ids.windows(2).all(|pair| pair[0] == pair[1]) && ids.first().is_some_and(|id| id.get() != NONE) {
        ids.truncate(1);
    }
    ids
}

fn texcoords(mesh: &Mesh, piece: &Piece, set: usize) -> Node<'static> {
    let coordinates: Vec<record::Vec2> = piece
        .vertices
        .iter()
        .map(|index| {
            mesh.uv_sets.get(set).and_then(|set| set.get(*index as usize)).copied().unwrap_or_default()
        })
        .map(space::texcoord)
        .collect();
    build(table::STAGE_TEXCOORDS, &coordinates)
}

/// The part whose vertex materials each vertex has: that of the triangles of which it is the first corner, because engines take that
/// corner's. A vertex that is the first corner in two parts with different materials is doubled.
fn vertex_ids(piece: &mut Piece, parts: &[Vec<PassIds>]) -> Vec<u32> {
    let same = |a: u32, b: u32| {
        let materials = |part: u32| parts[part as usize].iter().map(|ids| ids.vertex_material);
        a == b || materials(a).eq(materials(b))
    };
    let mut of = vec![u32::MAX; piece.vertices.len()];
    let mut copies: HashMap<(u32, u32), u32> = HashMap::new();
    for (index, part) in (0_u32..).zip(&mut piece.parts) {
        for [first, ..] in &mut part.triangles {
            let known = of[*first as usize];
            if known == u32::MAX {
                of[*first as usize] = index;
            } else if !same(known, index) {
                let (source, next) = (piece.vertices[*first as usize], piece.vertices.len() as u32);
                let copy = *copies.entry((*first, index)).or_insert(next);
                if copy == next {
                    piece.vertices.push(source);
                    of.push(index);
                }
                *first = copy;
            }
        }
    }
    for (index, part) in (0_u32..).zip(&piece.parts) {
        for corner in part.triangles.iter().flatten() {
            let known = &mut of[*corner as usize];
            if *known == u32::MAX {
                *known = index;
            }
        }
    }
    of.iter_mut().filter(|part| **part == u32::MAX).for_each(|part| *part = 0);
    of
}

/// The coordinate set of each stage.
struct UvPlan {
    sets: Vec<[Option<usize>; 2]>,
}

impl UvPlan {
    fn new(mesh: &Mesh, materials: &[Material], passes: usize) -> Self {
        let mut sets = vec![[None; 2]; passes];
        for material in materials {
            for (pass, layer) in material.layers.iter().enumerate() {
                for slot in &layer.slots {
                    if let Some(stage) = shaders::stage(slot.kind) {
                        sets[pass][stage] =
                            Some(slot.uv_set as usize).filter(|set| *set < mesh.uv_sets.len());
                    }
                }
            }
        }
        // Coordinates without a texture are stored in a stage without a texture.
        for set in 0..mesh.uv_sets.len() {
            let is_used = sets.iter().flatten().flatten().any(|used| *used == set);
            let free = sets.iter_mut().flatten().find(|stage| stage.is_none()).filter(|_| !is_used);
            if let Some(stage) = free {
                *stage = Some(set);
            }
        }
        Self { sets }
    }
}

/// Which passes have vertex colours.
struct ColorPlan {
    passes: Vec<usize>,
}

impl ColorPlan {
    fn new(mesh: &Mesh, materials: &[Material]) -> Self {
        let mut passes: Vec<usize> = Vec::new();
        for material in materials {
            let layers = material.layers.iter().enumerate();
            passes.extend(layers.filter(|(_, layer)| layer.color_set.is_some()).map(|(pass, _)| pass));
        }
        // Colours without effect, because the pass is unlit, are kept where they have none.
        if passes.is_empty() && !mesh.color_sets.is_empty() {
            let is_unlit = |pass: &usize| {
                materials.iter().all(|material| material.layers.get(*pass).is_some_and(|layer| layer.unlit))
            };
            let count = materials.first().map_or(0, |material| material.layers.len());
            passes.extend((0..count).find(is_unlit));
        }
        Self { passes }
    }

    fn chunk(&self, mesh: &Mesh, piece: &Piece, pass: usize) -> Option<Node<'static>> {
        let colors = mesh.color_sets.first().filter(|_| self.passes.contains(&pass))?;
        let each =
            piece.vertices.iter().map(|index| colors.get(*index as usize).copied().unwrap_or([255; 4]));
        let colors: Vec<Rgba> = each.map(|[r, g, b, a]| Rgba { r, g, b, a }).collect();
        Some(build(table::DCG, &colors))
    }
}
