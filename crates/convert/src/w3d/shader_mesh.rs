//! Meshes of the scaleable shader system: each sub-mesh becomes a mesh (docs/formats/w3d/shader-meshes.md#shader-mesh-chunks).

use glam::{Affine3A, Vec2, Vec3, Vec4};
use record::{Node, U16, decode};
use scene::{
    Bounds, Indices, Influence, Joint, Layer, Lighting, Material, Mesh, Part, Skin, SlotKind, TextureSlot,
};
use w3d::names::{MeshFlags, ShaderClass};
use w3d::records::{Shader, ShdMeshHeader, ShdSubMeshHeader};
use w3d::table;
use w3d::table::shader_def::{self, bumpdiff, bumpspec, simple, specular};

use super::material::lighting;
use super::mesh::side;
use super::object::collision;
use super::{Converter, NoteKind, Place, child_text, child_value, child_values, shader, space};

fn vectors(node: &Node<'_>, chunk: &'static w3d::Chunk, vertices: usize) -> Vec<Vec3> {
    let stored = node.child(chunk).map(Node::values::<record::Vec3>).unwrap_or_default();
    stored.get(..vertices).unwrap_or_default().iter().copied().map(space::vector).collect()
}

/// The parameters of a class of shaders that correspond to properties of a layer.
struct Variables {
    chunk: &'static w3d::Chunk,
    /// The picture, and the heights if there are any.
    textures: &'static [&'static w3d::Chunk],
    ambient: &'static w3d::Chunk,
    diffuse: &'static w3d::Chunk,
    specular: Option<&'static w3d::Chunk>,
}

static VARIABLES: [Variables; 5] = [
    Variables {
        chunk: shader_def::SIMPLE_VARIABLES.row,
        textures: &[simple::TEXTURE.row],
        ambient: simple::AMBIENT.row,
        diffuse: simple::DIFFUSE.row,
        specular: None,
    },
    Variables {
        chunk: shader_def::BUMPDIFF_VARIABLES.row,
        textures: &[bumpdiff::TEXTURE.row, bumpdiff::BUMPMAP.row],
        ambient: bumpdiff::AMBIENT.row,
        diffuse: bumpdiff::DIFFUSE.row,
        specular: None,
    },
    Variables {
        chunk: shader_def::BUMPSPEC_VARIABLES.row,
        textures: &[bumpspec::TEXTURE.row, bumpspec::BUMPMAP.row],
        ambient: bumpspec::AMBIENT.row,
        diffuse: bumpspec::DIFFUSE.row,
        specular: Some(bumpspec::SPECULAR.row),
    },
    Variables {
        chunk: shader_def::GLOSSMASK_VARIABLES.row,
        textures: &[specular::TEXTURE.row],
        ambient: specular::AMBIENT.row,
        diffuse: specular::DIFFUSE.row,
        specular: Some(specular::SPECULAR.row),
    },
    Variables {
        chunk: shader_def::CUBEMAP_VARIABLES.row,
        textures: &[specular::TEXTURE.row],
        ambient: specular::AMBIENT.row,
        diffuse: specular::DIFFUSE.row,
        specular: Some(specular::SPECULAR.row),
    },
];

/// A vector that is a colour.
fn plain(vector: Option<&record::Vec3>, default: Vec3) -> Vec3 {
    vector.map_or(default, |vector| Vec3::from(vector.get()))
}

impl<'n> Converter<'_, 'n> {
    pub(super) fn shader_mesh(&mut self, node: &'n Node<'n>, place: Place) {
        let header = child_value::<ShdMeshHeader>(node, &table::SHDMESH_HEADER);
        let flags = header.map(|header| header.mesh_flags).unwrap_or_default();
        let full = child_text(node, &table::SHDMESH_NAME);
        let name = full.rsplit('.').next().unwrap_or_default();
        for (index, part) in node.all(&table::SHDSUBMESH).enumerate() {
            let name = if index == 0 { name.to_owned() } else { format!("{name} {index}") };
            self.sub_mesh(node, part, name, flags, place);
        }
    }

    fn sub_mesh(
        &mut self,
        node: &'n Node<'n>,
        part: &'n Node<'n>,
        name: String,
        flags: MeshFlags,
        place: Place,
    ) {
        let positions = child_values::<record::Vec3>(part, &table::SHDSUBMESH_VERTICES);
        let positions: Vec<Vec3> = positions.iter().copied().map(space::vector).collect();
        let count = positions.len();
        let stored = child_values::<[U16; 3]>(part, &table::SHDSUBMESH_TRIANGLES);
        let corners = stored.iter().map(|corners| corners.map(U16::get));
        let indices: Vec<u16> = corners
            .filter(|corners| corners.iter().all(|corner| usize::from(*corner) < count))
            .flatten()
            .collect();
        if indices.len() < stored.len() * 3 {
            self.note(NoteKind::Damaged, node, "triangles with out-of-range indices were dropped");
        }
        let uv_sets = [&table::SHDSUBMESH_UV0, &table::SHDSUBMESH_UV1].into_iter().filter_map(|chunk| {
            // Unlike those of a mesh these are not flipped (docs/formats/w3d/coordinates.md#texture-coordinates).
            let set = child_values::<record::Vec2>(part, chunk).get(..count)?;
            (count > 0).then(|| set.iter().map(|coordinate| Vec2::from(coordinate.get())).collect())
        });
        let mut mesh = Mesh {
            name,
            node: Some(place.node),
            uv_sets: uv_sets.collect(),
            parts: vec![Part { material: None, start: 0, count: indices.len() as u32 }],
            indices: Indices::Short(indices),
            hidden: flags.has(MeshFlags::HIDDEN),
            casts_shadow: flags.has(MeshFlags::CAST_SHADOW),
            collision: collision(flags.get()),
            normals: vectors(part, &table::SHDSUBMESH_VERTEX_NORMALS, count),
            positions,
            ..Mesh::default()
        };
        let along = vectors(part, &table::SHDSUBMESH_TANGENT_BASIS_S, count);
        let across = vectors(part, &table::SHDSUBMESH_TANGENT_BASIS_T, count);
        if mesh.normals.len() == along.len() {
            // V is not flipped, so it points down.
            let down = |index: usize| across.get(index).copied().unwrap_or_default();
            let all = along.iter().zip(&mesh.normals).enumerate();
            mesh.tangents = all.map(|(index, (s, normal))| side(*normal, *s, down(index))).collect();
        }
        if let Some(header) = child_value::<ShdSubMeshHeader>(part, &table::SHDSUBMESH_HEADER) {
            let (min, max) = space::corners(header.box_min, header.box_max);
            let (center, radius) = (space::vector(header.sph_center), header.sph_radius.get());
            mesh.bounds = Some(Bounds { min, max, center, radius });
        }
        self.bind(part, place, &mut mesh);
        if part.child(&table::SHDSUBMESH_VERTEX_COLOR).is_some() {
            self.note(NoteKind::Skipped, node, "vertex colours with an unknown layout are not supported");
        }
        let mut material = self.definition(node, part);
        for layer in &mut material.layers {
            layer.two_sided = flags.has(MeshFlags::TWO_SIDED);
        }
        mesh.parts[0].material = Some(self.material(material));
        self.vertices += mesh.positions.len();
        self.tracer.meshes.push(node);
        self.scene.meshes.push(mesh);
    }

    /// Bends the sub-mesh by its bones, one for each vertex.
    fn bind(&mut self, part: &Node<'_>, place: Place, mesh: &mut Mesh) {
        let bones =
            part.child(&table::SHDSUBMESH_VERTEX_INFLUENCES).map(Node::values::<u8>).unwrap_or_default();
        let Some(skeleton) =
            place.skeleton.map(|index| &self.skeletons[index]).filter(|one| one.nodes.len() > 1)
        else {
            return;
        };
        if bones.len() < mesh.positions.len() || bones.is_empty() {
            return;
        }
        let mut skin = Skin::default();
        let mut joint_of = [0_u32; 256];
        for (vertex, bone) in bones[..mesh.positions.len()].iter().enumerate() {
            let known = usize::from(*bone).min(skeleton.worlds.len() - 1);
            let world: Affine3A = skeleton.worlds[known];
            if joint_of[known] == 0 {
                skin.joints.push(Joint { node: skeleton.nodes[known], inverse_bind: world.inverse() });
                joint_of[known] = skin.joints.len() as u32;
            }
            skin.push_vertex([Influence { joint: joint_of[known] - 1, weight: 1.0 }]);
            mesh.positions[vertex] = world.transform_point3(mesh.positions[vertex]);
            if let Some(normal) = mesh.normals.get_mut(vertex) {
                *normal = world.transform_vector3(*normal);
            }
            if let Some(tangent) = mesh.tangents.get_mut(vertex) {
                let turned: Vec4 = world.transform_vector3(tangent.truncate()).extend(tangent.w);
                *tangent = turned;
            }
        }
        mesh.bounds = Bounds::around(mesh.positions.iter().copied());
        for joint in &skin.joints {
            self.scene.nodes[joint.node.index()].is_bone = true;
        }
        mesh.skin = Some(skin);
    }

    /// The shader of a sub-mesh as a material.
    fn definition(&mut self, node: &Node<'_>, part: &'n Node<'n>) -> Material {
        let Some(shader) = part.child(&table::SHDSUBMESH_SHADER) else { return Material::default() };
        let class = child_values::<ShaderClass>(shader, &table::SHDSUBMESH_SHADER_CLASSID).first().copied();
        let Some(def) = shader.child(&table::SHDSUBMESH_SHADER_DEF) else { return Material::default() };
        let base = def.child(&shader_def::SHADER_DEF_VARIABLES);
        let mut material = Material {
            name: base.map(|base| child_text(base, &shader_def::base::NAME)).unwrap_or_default(),
            shader: Some(scene::Shader {
                name: class.and_then(ShaderClass::name).unwrap_or("DUMMY").to_owned(),
                ..scene::Shader::default()
            }),
            ..Material::default()
        };
        if class == Some(ShaderClass::LEGACYW3D) {
            material.layers = self.legacy_layers(node, def);
            return material;
        }
        let mut layer = Layer::default();
        for &Variables { chunk, textures, ambient, diffuse, specular } in &VARIABLES {
            let Some(variables) = def.child(chunk) else { continue };
            for (chunk, kind) in textures.iter().zip([SlotKind::Diffuse, SlotKind::Bump]) {
                let name = variables.child(chunk).and_then(Node::text).unwrap_or_default();
                if let Some(texture) = self.texture_named(name) {
                    layer.slots.push(TextureSlot { kind, texture: Some(texture), ..TextureSlot::default() });
                }
            }
            let specular = specular.and_then(|chunk| child_value(variables, chunk));
            layer.specular = specular.is_some();
            layer.lighting = Some(Lighting {
                ambient: plain(child_value(variables, ambient), Vec3::ONE),
                diffuse: plain(child_value(variables, diffuse), Vec3::ONE),
                specular: plain(specular, Vec3::ZERO),
                ..Lighting::default()
            });
        }
        material.layers.push(layer);
        material
    }

    /// The passes of the older material model.
    fn legacy_layers(&mut self, node: &Node<'_>, def: &'n Node<'n>) -> Vec<Layer> {
        use shader_def::legacy;
        let Some(variables) = def.child(&shader_def::LEGACY_VARIABLES) else { return Vec::new() };
        let count = child_value::<record::U32>(variables, &legacy::PASS_COUNT).map_or(1, |count| count.get());
        let shaders = [&legacy::SHADER0, &legacy::SHADER1, &legacy::SHADER2, &legacy::SHADER3];
        let materials = [
            &legacy::VERTEX_MATERIAL0,
            &legacy::VERTEX_MATERIAL1,
            &legacy::VERTEX_MATERIAL2,
            &legacy::VERTEX_MATERIAL3,
        ];
        let textures = [
            &shader_def::LEGACY_TEXTURE0,
            &shader_def::LEGACY_TEXTURE1,
            &shader_def::LEGACY_TEXTURE2,
            &shader_def::LEGACY_TEXTURE3,
            &shader_def::LEGACY_TEXTURE4,
            &shader_def::LEGACY_TEXTURE5,
            &shader_def::LEGACY_TEXTURE6,
            &shader_def::LEGACY_TEXTURE7,
        ];
        let mut layers = Vec::new();
        for pass in 0..shaders.len().min(count as usize) {
            let shader = child_value::<Shader>(variables, shaders[pass]);
            let engine = self.options.engine;
            let mut layer = shader.map(|shader| shader::layer(shader, engine)).unwrap_or_default();
            let info = child_value::<w3d::records::VertexMaterialInfo>(variables, materials[pass]);
            layer.lighting = info.map(|info| lighting(String::new(), info));
            shader::finish(&mut layer, None);
            for (stage, kind) in [SlotKind::Diffuse, SlotKind::Detail].into_iter().enumerate() {
                let name = def.child(textures[pass * 2 + stage]).and_then(Node::text).unwrap_or_default();
                if let Some(texture) = self.texture_named(name) {
                    let (color_combine, alpha_combine) = shader::combine(shader, stage);
                    layer.slots.push(TextureSlot {
                        kind,
                        texture: Some(texture),
                        uv_set: stage as u32,
                        color_combine,
                        alpha_combine,
                        ..TextureSlot::default()
                    });
                }
            }
            layers.push(layer);
        }
        let has_mapper =
            def.children().iter().filter(|child| (0x1107_0961..=0x1107_0968).contains(&child.id));
        if let Some(args) = has_mapper.filter_map(Node::text).find(|text| !text.is_empty()) {
            self.note(
                NoteKind::Skipped,
                node,
                format!("mapper arguments are not supported: {:?}", decode(args)),
            );
        }
        layers
    }
}
