//! Stripping: what is added to a sample without being used goes again, and the rest is numbered as it was, to the last byte.

use crate::common::{self, crate_box, mdx_sample, mdx_samples};
use mdx::build::Builder;
use mdx::records::*;
use mdx::{Dialect, kinds, tags};
use meshwright_edit::{Unwanted, strip};
use record::{Chars, I32, Node, U32, Vec3};
use w3d::build;
use w3d::records as westwood;
use w3d::table;

fn each(node: &mut Node<'_>, see: &mut dyn FnMut(&mut Node<'_>)) {
    see(node);
    if let Some(children) = node.children_mut() {
        children.iter_mut().for_each(|child| each(child, see));
    }
}

fn bytes(root: &Node<'_>) -> Vec<u8> {
    root.to_bytes().expect("it can be written")
}

fn raise(number: &mut I32) {
    if number.get() >= 0 {
        number.set(number.get() + 1);
    }
}

/// Every reference to a texture, one higher.
fn raise_textures(root: &mut Node<'_>) -> usize {
    let mut seen = 0;
    each(root, &mut |node| {
        if let Some(layer) = node.value_mut::<LayerHeader>() {
            raise(&mut layer.texture_id);
        } else if let Some(texture) = node.value_mut::<TextureReference>() {
            raise(&mut texture.texture_id);
        } else if let Some(emitter) = node.value_mut::<ParticleEmitter2Header>() {
            raise(&mut emitter.texture_id);
        } else if let Some(emitter) = node.value_mut::<WowParticleEmitter2Header>() {
            raise(&mut emitter.texture_id);
        } else if node.id == tags::KMTF {
            for key in node.values_mut::<Key<U32>>() {
                key.value.set(key.value.get() + 1);
            }
        } else {
            return;
        }
        seen += 1;
    });
    seen
}

#[test]
fn textures_that_are_added_go_again() {
    for (name, original) in mdx_samples() {
        let mut root = mdx_sample(&original).root;
        assert_eq!(strip(&mut root, Unwanted::UnusedTextures), Ok(0), "{name}: all are used");
        assert!(raise_textures(&mut root) > 3, "{name}");
        let list = root.find_mut("TEXS").expect("textures");
        let textures: Vec<Texture> = list.values().to_vec();
        let more = [&[textures[0]], &textures[..], &[textures[0], textures[0]]].concat();
        list.set_values(&more);
        assert_eq!(strip(&mut root, Unwanted::UnusedTextures), Ok(3), "{name}");
        assert_eq!(bytes(&root), original, "{name}");
    }
}

/// A track with tangents is one more place that refers to textures.
#[test]
fn textures_of_curved_tracks_are_used() {
    let mut root = mdx_sample(&mdx_samples()[0].1).root;
    let list = root.find_mut("TEXS").expect("textures");
    let textures: Vec<Texture> = list.values().to_vec();
    list.set_values(&[textures[0]; 7]);
    let key = |value: u32, in_tan: u32, out_tan: u32| TangentKey {
        time: I32::new(0),
        value: U32::new(value),
        in_tan: U32::new(in_tan),
        out_tan: U32::new(out_tan),
    };
    let track = mdx::build::tangent_track(tags::KMTF, Interpolation::HERMITE, -1, &[key(3, 5, 6)]);
    let layer = root.find_mut("MTLS/Material/LAYS/Layer[1]").expect("a layer");
    let parts = layer.children_mut().expect("parts");
    parts.retain(|part| part.id != tags::KMTF);
    parts.push(track.expect("a track"));
    // 0 and 1 are those of layers and emitters; 2 and 4 are nobody's.
    assert_eq!(strip(&mut root, Unwanted::UnusedTextures), Ok(2));
    let track = root.find("MTLS/Material/LAYS/Layer[1]/KMTF").expect("the track");
    let [found] = track.values::<TangentKey<U32>>() else { panic!("one key") };
    assert_eq!([found.value, found.in_tan, found.out_tan].map(U32::get), [2, 3, 4]);
    assert_eq!(root.find("TEXS").expect("textures").values::<Texture>().len(), 5);
}

#[test]
fn references_that_lead_nowhere_stay() {
    let mut root = mdx_sample(&mdx_samples()[0].1).root;
    let emitter = root.find_mut("PRE2/ParticleEmitter2/ParticleEmitter2Header").expect("an emitter");
    emitter.value_mut::<ParticleEmitter2Header>().expect("a header").texture_id.set(99);
    let layer = root.find_mut("MTLS/Material/LAYS/Layer/LayerHeader").expect("a layer");
    layer.value_mut::<LayerHeader>().expect("a header").texture_id.set(-1);
    let flip = root.find_mut("MTLS/Material/LAYS/Layer[1]/KMTF").expect("a track");
    flip.values_mut::<Key<U32>>().iter_mut().for_each(|key| key.value.set(1));
    assert_eq!(strip(&mut root, Unwanted::UnusedTextures), Ok(1), "the first texture is unused");
    let id = |path: &str| root.find(path).expect("it is there");
    assert_eq!(
        id("PRE2/ParticleEmitter2/ParticleEmitter2Header")
            .value::<ParticleEmitter2Header>()
            .expect("a header")
            .texture_id
            .get(),
        99
    );
    let layers = ["MTLS/Material/LAYS/Layer/LayerHeader", "MTLS/Material/LAYS/Layer[1]/LayerHeader"];
    let ids = layers.map(|path| id(path).value::<LayerHeader>().expect("a header").texture_id.get());
    assert_eq!(ids, [-1, 0]);
}

/// A model without a list has nothing to take out, and one of three is one.
#[test]
fn one_part_goes_alone() {
    let mut root = mdx_sample(&mdx_samples()[0].1).root;
    root.children_mut().expect("chunks").retain(|chunk| chunk.is(&kinds::VERS));
    assert_eq!(strip(&mut root, Unwanted::UnusedMaterials), Ok(0));
    assert_eq!(strip(&mut root, Unwanted::UnusedTextures), Ok(0));
    let mut root = mdx_sample(&mdx_samples()[0].1).root;
    let list = root.find_mut("TEXS").expect("textures");
    let textures: Vec<Texture> = list.values().to_vec();
    list.set_values(&[&textures[..], &textures[..1]].concat());
    assert_eq!(strip(&mut root, Unwanted::UnusedTextures), Ok(1));
    let materials = root.find_mut("MTLS").expect("materials").children_mut().expect("materials");
    materials.push(materials[0].clone());
    assert_eq!(strip(&mut root, Unwanted::UnusedMaterials), Ok(1));
    assert_eq!(bytes(&root), mdx_samples()[0].1);
}

#[test]
fn materials_that_are_added_go_again() {
    for (name, original) in mdx_samples() {
        let mut root = mdx_sample(&original).root;
        assert_eq!(strip(&mut root, Unwanted::UnusedMaterials), Ok(0), "{name}: all are used");
        let mut seen = 0;
        each(&mut root, &mut |node| {
            if let Some(geoset) = node.value_mut::<GeosetHeader>() {
                geoset.material_id.set(geoset.material_id.get() + 1);
            } else if let Some(section) = node.value_mut::<WowGeosetSection>() {
                section.material_id.set(section.material_id.get() + 1);
            } else if let Some(ribbon) = node.value_mut::<RibbonEmitterHeader>() {
                raise(&mut ribbon.material_id);
            } else {
                return;
            }
            seen += 1;
        });
        assert!(seen >= 2, "{name}");
        let list = root.find_mut("MTLS").expect("materials");
        let materials = list.children_mut().expect("materials");
        let first = materials.iter().position(|part| part.is(&kinds::MATERIAL)).expect("a material");
        let another = materials[first].clone();
        materials.insert(first, another.clone());
        materials.push(another);
        // The material has one layer with tracks.
        if let Some(count) = list.child_mut(&kinds::WOW_MATERIAL_COUNT) {
            let count = count.value_mut::<WowMaterialCount>().expect("a count");
            count.count.set(count.count.get() + 2);
            count.animated_layers.set(count.animated_layers.get() + 2);
        }
        assert_eq!(strip(&mut root, Unwanted::UnusedMaterials), Ok(2), "{name}");
        assert_eq!(bytes(&root), original, "{name}");
    }
}

/// A node of MDX without tracks.
fn node(builder: &Builder, name: &str, id: i32, parent: i32) -> Node<'static> {
    let header = NodeHeader {
        name: Chars::new(name).expect("short"),
        object_id: I32::new(id),
        parent_id: I32::new(parent),
        flags: NodeFlags::default(),
    };
    builder.node(&header, vec![])
}

fn builder(root: &Node<'_>) -> Builder {
    let bytes = bytes(root);
    let document = mdx::Document::parse(&bytes).expect("a model");
    Builder::new(document.dialect, document.version)
}

/// Makes room for new nodes: ids from `first` on are higher by `count`, and there are pivots and poses for them.
fn make_room(root: &mut Node<'_>, first: i32, count: usize) {
    let by = i32::try_from(count).expect("few");
    let moved = |id: i32| if id >= first { id + by } else { id };
    each(root, &mut |node| {
        if let Some(header) = node.value_mut::<NodeHeader>() {
            header.object_id.set(moved(header.object_id.get()));
            header.parent_id.set(moved(header.parent_id.get()));
        } else if let Some(header) = node.value_mut::<WowNodeHeader>() {
            header.object_id.set(moved(header.object_id.get()));
            header.parent_id.set(moved(header.parent_id.get()));
        } else if let Some(model) = node.value_mut::<WowModel>() {
            model.object_count.set(model.object_count.get() + u32::try_from(count).expect("few"));
        } else if node.is(&kinds::MATS) {
            for id in node.values_mut::<U32>() {
                id.set(u32::try_from(moved(i32::try_from(id.get()).expect("small"))).expect("small"));
            }
        } else if node.is(&kinds::PIVT) {
            let mut pivots: Vec<Vec3> = node.values().to_vec();
            let at = usize::try_from(first).expect("small");
            pivots.splice(at..at, vec![Vec3::new(9.0, 9.0, 9.0); count]);
            node.set_values(&pivots);
        } else if node.is(&kinds::BPOS) {
            let mut poses: Vec<BindPose> = node.values().to_vec();
            let at = usize::try_from(first).expect("small");
            poses.splice(at..at, vec![BindPose::default(); count]);
            *node = mdx::build::counted(&kinds::BPOS, &poses);
        }
    });
}

/// Samples whose helpers are gone, as they are not used.
fn without_helpers() -> Vec<(&'static str, Node<'static>)> {
    let samples = mdx_samples().into_iter().map(|(name, original)| {
        let mut root = mdx_sample(&original).root;
        assert_eq!(strip(&mut root, Unwanted::UnusedNodes), Ok(1), "{name}: the helper");
        assert!(root.find("HELP").is_none(), "{name}: the empty list is removed");
        assert_eq!(strip(&mut root, Unwanted::UnusedNodes), Ok(0), "{name}");
        (name, root)
    });
    samples.collect()
}

#[test]
fn helpers_that_are_added_go_again_with_those_below_them() {
    for (name, original) in without_helpers() {
        // Two bones have the first two numbers; the lamp has the third.
        let mut root = original.clone();
        make_room(&mut root, 3, 2);
        let builder = builder(&original);
        let helper =
            |name, id, parent| mdx::build::branch(&kinds::HELPER, vec![node(&builder, name, id, parent)]);
        // The second hangs on the first, which can only go after it.
        let helpers = builder.chunk(&kinds::HELP, vec![helper("A", 3, 0), helper("B", 4, 3)]);
        root.children_mut().expect("chunks").push(helpers);
        assert_eq!(strip(&mut root, Unwanted::UnusedNodes), Ok(2), "{name}");
        assert_eq!(bytes(&root), bytes(&original), "{name}");
    }
}

#[test]
fn a_helper_that_carries_something_stays() {
    for (name, original) in without_helpers() {
        let mut root = original.clone();
        make_room(&mut root, 3, 1);
        let builder = builder(&original);
        let helper = mdx::build::branch(&kinds::HELPER, vec![node(&builder, "A", 3, 0)]);
        root.children_mut().expect("chunks").push(builder.chunk(&kinds::HELP, vec![helper]));
        // The attachment hangs on it.
        let hook = root.find_mut("ATCH/Attachment/Node").expect("an attachment");
        let header = &mut hook.children_mut().expect("parts")[0];
        if let Some(header) = header.value_mut::<NodeHeader>() {
            header.parent_id.set(3);
        } else {
            header.value_mut::<WowNodeHeader>().expect("a header").parent_id.set(3);
        }
        assert_eq!(strip(&mut root, Unwanted::UnusedNodes), Ok(0), "{name}");
    }
}

#[test]
fn a_helper_that_a_face_moves_stays() {
    for (name, original) in without_helpers() {
        if original.find("FAFX").is_none() {
            continue;
        }
        let builder = builder(&original);
        for (title, gone) in [("Node", 0), ("NODE", 0), ("Nod", 1)] {
            let mut root = original.clone();
            make_room(&mut root, 3, 1);
            let helper = mdx::build::branch(&kinds::HELPER, vec![node(&builder, title, 3, 0)]);
            root.children_mut().expect("chunks").push(builder.chunk(&kinds::HELP, vec![helper]));
            assert_eq!(strip(&mut root, Unwanted::UnusedNodes), Ok(gone), "{name}: {title}");
        }
    }
}

/// Where vertices name bones by number, bones keep their numbers, and so do helpers before them. Where groups name them, both can go.
#[test]
fn bones_go_unless_vertices_have_them_by_number() {
    for (name, original) in without_helpers() {
        let builder = builder(&original);
        let mut by_number = false;
        original.walk(&mut |place| {
            let node = place.node;
            by_number |= node.is(&kinds::SKIN) || node.is(&kinds::WIDE_SKIN) || node.is(&kinds::WOW_VERTICES);
        });
        let numbered = !matches!(name, "warcraft-800" | "wow-1300");
        assert_eq!(by_number, numbered, "{name}");
        // A third bone that nothing hangs on, before the lamp.
        let mut root = original.clone();
        make_room(&mut root, 2, 1);
        let links = BoneLinks { geoset_id: I32::new(-1), geoset_animation_id: I32::new(-1) };
        let bone = builder.object(&kinds::BONE_OBJECT, node(&builder, "Tail", 2, 0), &links, vec![]);
        let bones = root.find_mut("BONE").expect("bones").children_mut().expect("bones");
        bones.push(bone);
        if builder.dialect == Dialect::Wow {
            let count = bones[0].value_mut::<WowCount>().expect("a count");
            count.count.set(count.count.get() + 1);
        }
        let with_bone = bytes(&root);
        assert_eq!(strip(&mut root, Unwanted::UnusedNodes), Ok(usize::from(!numbered)), "{name}");
        assert_eq!(bytes(&root), if numbered { with_bone } else { bytes(&original) }, "{name}");
        // A helper before the last bone.
        let mut root = original.clone();
        make_room(&mut root, 1, 1);
        let helper = mdx::build::branch(&kinds::HELPER, vec![node(&builder, "A", 1, 0)]);
        root.children_mut().expect("chunks").push(builder.chunk(&kinds::HELP, vec![helper]));
        assert_eq!(strip(&mut root, Unwanted::UnusedNodes), Ok(usize::from(!numbered)), "{name}");
    }
}

#[test]
fn ids_that_are_not_unique_are_refused() {
    for (id, word) in [(0, "not unique"), (-1, "negative")] {
        let mut root = mdx_sample(&mdx_samples()[0].1).root;
        let header = root.find_mut("HELP/Helper/Node/NodeHeader").expect("a helper");
        header.value_mut::<NodeHeader>().expect("a header").object_id.set(id);
        let error = strip(&mut root, Unwanted::UnusedNodes).expect_err("an id is wrong");
        assert!(error.message.contains(&id.to_string()) && error.message.contains(word), "{error}");
    }
}

/// A W3D mesh with two unused shader materials around one that is used, and with materials in a wrapper.
#[test]
fn shader_materials_and_wrapped_materials() {
    let named = |title: &str| {
        let header = westwood::ShaderMaterialHeader::default();
        let mut name = build::record(&table::SHADER_MATERIAL_HEADER, &header);
        name.bytes_mut().expect("a leaf")[1..=title.len()].copy_from_slice(title.as_bytes());
        build::branch(&table::SHADER_MATERIAL, [name])
    };
    let ids =
        |chunk, ids: &[u32]| build::array(chunk, &ids.iter().map(|id| U32::new(*id)).collect::<Vec<_>>());
    let material = || build::branch(&table::VERTEX_MATERIAL, []);
    let pass = |id: u32| {
        build::branch(
            &table::MATERIAL_PASS,
            [ids(&table::SHADER_MATERIAL_ID, &[id]), ids(&table::VERTEX_MATERIAL_IDS, &[0, 1, u32::MAX])],
        )
    };
    let info = westwood::MaterialInfo { vertex_material_count: 3.into(), ..Default::default() };
    let holder = || {
        [
            build::record(&table::MATERIAL_INFO, &info),
            build::branch(&table::VERTEX_MATERIALS, [material(), material(), material()]),
            build::branch(&table::SHADER_MATERIALS, [named("before"), named("used"), named("after")]),
            pass(1),
        ]
    };
    let header = build::record(&table::MESH_HEADER3, &westwood::MeshHeader3::default());
    let wrapper = build::branch(&table::PRELIT_UNLIT, holder());
    let mesh = build::branch(&table::MESH, [header].into_iter().chain(holder()).chain([wrapper]));
    let mut root = Node::branch(&table::FILE, 0, vec![mesh]);
    // One vertex material and two shader materials, in the mesh and in the wrapper.
    assert_eq!(strip(&mut root, Unwanted::UnusedMaterials), Ok(6));
    for place in ["MESH", "MESH/PRELIT_UNLIT"] {
        let holder = root.find(place).expect("a holder");
        let count = |list: &str| holder.find(list).expect("a list").children().len();
        assert_eq!((count("VERTEX_MATERIALS"), count("SHADER_MATERIALS")), (2, 1), "{place}");
        let used = holder.find("SHADER_MATERIALS/SHADER_MATERIAL/SHADER_MATERIAL_HEADER").expect("one");
        assert_eq!(&used.bytes()[1..5], b"used", "{place}");
        let info = holder.find("MATERIAL_INFO").and_then(Node::value::<westwood::MaterialInfo>);
        assert_eq!(info.expect("counts").vertex_material_count.get(), 2, "{place}");
        let numbers = |path: &str| -> Vec<u32> {
            holder.find(path).expect("ids").values::<U32>().iter().map(|id| id.get()).collect()
        };
        assert_eq!(numbers("MATERIAL_PASS/SHADER_MATERIAL_ID"), [0], "{place}");
        assert_eq!(numbers("MATERIAL_PASS/VERTEX_MATERIAL_IDS"), [0, 1, u32::MAX], "{place}");
    }
    assert_eq!(strip(&mut root, Unwanted::UnusedMaterials), Ok(0));
}

/// A list in which nothing is left is not written; of two lists nobody knows which one is meant.
#[test]
fn empty_lists_go_and_double_lists_stay() {
    let texture =
        || build::branch(&table::TEXTURE, [build::text(&table::TEXTURE_NAME, "a.tga").expect("ASCII")]);
    let textures = || build::branch(&table::TEXTURES, [texture(), texture()]);
    let mesh = |lists: Vec<Node<'static>>| {
        let header = build::record(&table::MESH_HEADER3, &westwood::MeshHeader3::default());
        let mesh = build::branch(&table::MESH, std::iter::once(header).chain(lists));
        Node::branch(&table::FILE, 0, vec![mesh])
    };
    let mut root = mesh(vec![textures()]);
    assert_eq!(strip(&mut root, Unwanted::UnusedTextures), Ok(2));
    assert!(root.find("MESH/TEXTURES").is_none());
    let mut root = mesh(vec![textures(), textures()]);
    assert_eq!(strip(&mut root, Unwanted::UnusedTextures), Ok(0));
    assert_eq!(bytes(&root), bytes(&mesh(vec![textures(), textures()])));
}

#[test]
fn texts_of_tools_and_unknown_parts_go_at_any_depth() {
    let parts: [(&'static record::Kind, Unwanted); 5] = [
        (table::MESH_USER_TEXT.kind, Unwanted::UserText),
        (table::SHDMESH_USER_TEXT.kind, Unwanted::UserText),
        (table::EMITTER_USER_DATA.kind, Unwanted::UserText),
        (&table::UNKNOWN, Unwanted::Unknown),
        (&table::UNKNOWN_MICRO, Unwanted::Unknown),
    ];
    for (chunk, what) in parts {
        let mut file = crate_box();
        let parts = file.root.find_mut("MESH/TEXTURES/TEXTURE").expect("a texture").children_mut();
        parts.expect("parts").push(Node::leaf(chunk, 1, vec![0; 20]));
        let mesh = file.root.find_mut("MESH").expect("a mesh").children_mut().expect("parts");
        mesh.push(Node::leaf(chunk, 1, vec![0; 20]));
        let other = if what == Unwanted::Unknown { Unwanted::UserText } else { Unwanted::Unknown };
        assert_eq!(strip(&mut file.root, other), Ok(0), "{}", chunk.name);
        assert_eq!(strip(&mut file.root, what), Ok(2), "{}", chunk.name);
        assert_eq!(file.changed(), common::NONE, "{}", chunk.name);
    }
    let (_, original) = &mdx_samples()[0];
    for (kind, what) in [
        (kinds::INFO.kind, Unwanted::UserText),
        (kinds::MDVI.kind, Unwanted::UserText),
        (kinds::UNKNOWN_CHUNK.kind, Unwanted::Unknown),
        (kinds::UNKNOWN_TRACK.kind, Unwanted::Unknown),
    ] {
        let mut file = mdx_sample(original);
        file.root.children_mut().expect("chunks").push(Node::leaf(kind, 1, vec![0; 20]));
        assert_eq!(strip(&mut file.root, what), Ok(1), "{}", kind.name);
        assert_eq!(bytes(&file.root), *original, "{}", kind.name);
    }
    // Bones of W3D are known by number in other files.
    assert_eq!(strip(&mut crate_box().root, Unwanted::UnusedNodes), Ok(0));
}
