//! Materials of version 3, which engines still read (docs/formats/w3d/obsolete.md#materials-of-version-3).

use record::{Node, U16, decode};
use scene::{Layer, Lighting, Material, SlotKind, TextureSlot, UvMapper};
use w3d::names::{MappingType, Material3Flags};
use w3d::records::{Map3Info, Material3Info, MeshHeader3};
use w3d::table;

use super::material::{Looks, Split, finish_material};
use super::mesh::Triangles;
use super::object::color;
use super::{Converter, child_text, child_value, child_values, shader, space};

impl<'n> Converter<'_, 'n> {
    /// The materials of a mesh without passes.
    pub(super) fn obsolete_looks(
        &mut self,
        node: &'n Node<'n>,
        header: &MeshHeader3,
        triangles: &Triangles<'n>,
        vertices: usize,
        looks: &mut Looks,
    ) {
        let coordinates = child_values::<record::Vec2>(node, &table::TEXCOORDS);
        if !coordinates.is_empty() && coordinates.len() >= vertices {
            looks.uv_sets.push(coordinates[..vertices].iter().copied().map(space::texcoord).collect());
        }
        let materials =
            node.child(&table::MATERIALS3).into_iter().flat_map(|list| list.all(&table::MATERIAL3));
        let materials: Vec<&'n Node<'n>> = materials.collect();
        let ids = child_values::<U16>(node, &table::PER_TRI_MATERIALS);
        let id = |index: usize| ids.get(index).map_or(0, |id| id.get());
        let mut split = Split::new(triangles);
        if materials.len() > 1 && !ids.is_empty() {
            split.by_key(|index| id(index).into());
        }
        split.finish(looks, |index| {
            let source = materials.get(usize::from(id(index))).or(materials.first())?;
            let mut material = self.material3(source);
            finish_material(&mut material, header);
            Some(self.material(material))
        });
    }

    fn material3(&mut self, node: &'n Node<'n>) -> Material {
        let name = child_text(node, &table::MATERIAL3_NAME);
        let mut layer = Layer::default();
        if let Some(info) = child_value::<Material3Info>(node, &table::MATERIAL3_INFO) {
            layer.lighting = Some(Lighting {
                name: name.clone(),
                ambient: color(info.ambient_coefficients),
                diffuse: color(info.diffuse_color) * color(info.diffuse_coefficients),
                specular: color(info.specular_color) * color(info.specular_coefficients),
                emissive: color(info.emissive_coefficients),
                shininess: info.shininess.get(),
                opacity: info.opacity.get(),
                translucency: info.translucency.get(),
            });
            if info.attributes.has(Material3Flags::USE_ALPHA) {
                layer.blend = scene::BlendMode::Alpha;
                layer.depth_write = false;
            }
            shader::finish(&mut layer, None);
        }
        for (chunk, kind) in [
            (&table::MATERIAL3_DC_MAP, SlotKind::Diffuse),
            (&table::MATERIAL3_DI_MAP, SlotKind::Detail),
            (&table::MATERIAL3_SC_MAP, SlotKind::Specular),
            (&table::MATERIAL3_SI_MAP, SlotKind::Environment),
        ] {
            let Some(map) = node.child(chunk) else { continue };
            let info = child_value::<Map3Info>(map, &table::MAP3_INFO);
            let mut texture = scene::Texture {
                name: decode(map.child(&table::MAP3_FILENAME).and_then(Node::text).unwrap_or_default())
                    .into_owned(),
                ..scene::Texture::default()
            };
            texture.frames = info.filter(|info| info.frame_count.get() > 1).map(|info| scene::Frames {
                count: info.frame_count.get().into(),
                rate: info.frame_rate.get(),
                order: scene::FrameOrder::Loop,
            });
            if texture.name.is_empty() {
                continue;
            }
            let reflects = info.is_some_and(|info| info.mapping_type == MappingType::ENVIRONMENT);
            layer.slots.push(TextureSlot {
                kind,
                texture: Some(self.texture(texture)),
                mapper: if reflects {
                    UvMapper::Environment(scene::Environment::default())
                } else {
                    UvMapper::Uv
                },
                color_combine: if kind == SlotKind::Detail {
                    scene::Combine::Scale
                } else {
                    scene::Combine::Disable
                },
                ..TextureSlot::default()
            });
        }
        Material { name, layers: vec![layer], ..Material::default() }
    }
}
