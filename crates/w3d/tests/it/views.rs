//! Views read every kind of object, and their counterparts change nothing but what they say.

use meshwright_w3d::view::PropertyValue;
use meshwright_w3d::{Object, W3d, sample, table};
use proptest::prelude::*;

#[test]
fn every_top_level_chunk_has_a_view() {
    let bytes = sample::every_chunk();
    let file = W3d::parse(&bytes).unwrap();
    assert!(file.objects().count() >= 21);
    for object in file.objects() {
        assert!(!matches!(object, Object::Other(_)), "{} has no view", object.node().kind.name);
    }
    let kinds: std::collections::HashSet<_> =
        file.objects().map(|object| std::mem::discriminant(&object)).collect();
    assert_eq!(kinds.len(), 20);
}

#[test]
fn a_view_is_only_of_its_own_kind() {
    let bytes = sample::every_chunk();
    let file = W3d::parse(&bytes).unwrap();
    for object in file.objects() {
        let is_mesh = object.node().is(&table::MESH);
        assert_eq!(meshwright_w3d::Mesh::new(object.node()).is_some(), is_mesh);
    }
}

/// The example bodies are `(at * 7 % 251) + 1`, so that the first four bytes of any are 1, 8, 15, 22.
#[test]
fn views_of_meshes_find_every_part() {
    let bytes = sample::every_chunk();
    let file = W3d::parse(&bytes).unwrap();
    let mesh = file.meshes().next().unwrap();
    assert_eq!(mesh.header().unwrap().version.0.get(), 0x160F_0801);
    let first = f32::from_le_bytes([1, 8, 15, 22]);
    for vectors in [
        mesh.vertices(),
        mesh.normals(),
        mesh.secondary_vertices(),
        mesh.secondary_normals(),
        mesh.tangents(),
        mesh.bitangents(),
        mesh.get(table::POINTS),
    ] {
        assert_eq!((vectors.len(), vectors[0].x.get()), (2, first));
    }
    assert_eq!((mesh.triangles().len(), mesh.shade_indices().len()), (2, 2));
    assert_eq!((mesh.influences().len(), mesh.extended_influences().len()), (2, 2));
    assert_eq!(mesh.user_text().as_deref(), Some("MESH_USER_TEXT"));
    let tree = mesh.aab_tree().unwrap();
    assert_eq!((tree.nodes().len(), tree.polygon_indices().len()), (2, 2));
    assert_eq!(tree.header().unwrap().node_count.get(), 0x160F_0801);

    // Everything else stands in the best wrapper, which is the multi-texture one.
    assert!(mesh.material_node().is(&table::PRELIT_LIGHTMAP_MULTI_TEXTURE));
    assert_eq!((mesh.shaders().len(), mesh.material_info().is_some()), (2, true));
    let material = mesh.vertex_materials().next().unwrap();
    assert_eq!((material.name().as_str(), material.info().is_some()), ("VERTEX_MATERIAL_NAME", true));
    let texture = mesh.textures().next().unwrap();
    assert_eq!((texture.name().as_str(), texture.info().is_some()), ("TEXTURE_NAME", true));

    let pass = mesh.passes().next().unwrap();
    assert_eq!((pass.vertex_material_ids().len(), pass.shader_ids().len()), (2, 2));
    assert_eq!((pass.shader_material_ids().len(), pass.diffuse_colors().len()), (2, 2));
    assert_eq!((pass.diffuse_illumination().len(), pass.specular_colors().len()), (2, 2));
    let stage = pass.stages().next().unwrap();
    assert_eq!((stage.texture_ids().len(), stage.texcoords().len(), stage.texcoord_ids().len()), (2, 2, 2));
    assert_eq!(pass.texcoords(0), stage.texcoords());
}

#[test]
fn properties_of_shader_materials_have_values_of_their_type() {
    let bytes = sample::every_chunk();
    let file = W3d::parse(&bytes).unwrap();
    let material = file.meshes().next().unwrap().shader_materials().next().unwrap();
    assert!(!material.name().is_empty() && material.header().is_some());
    let values: Vec<_> = material.properties().map(|property| property.value().unwrap()).collect();
    assert_eq!(values[0], PropertyValue::Texture("a.dd".into()));
    let floats = |value: &PropertyValue| match value {
        PropertyValue::Floats(floats) => floats.len(),
        _ => 0,
    };
    assert_eq!(values.iter().map(floats).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 0, 0]);
    assert_eq!(values[5], PropertyValue::Int(0x160F_0801));
    assert_eq!(values[6], PropertyValue::Bool(true));
    assert_eq!(material.property("name").unwrap().name(), "Name");
}

#[test]
fn views_of_skeletons_animations_and_models_find_every_part() {
    let bytes = sample::every_chunk();
    let file = W3d::parse(&bytes).unwrap();
    let skeleton = file.hierarchies().next().unwrap();
    assert_eq!((skeleton.pivots().len(), skeleton.fixups().len(), skeleton.name().is_empty()), (2, 2, false));
    assert_eq!(file.animations().count(), 2);
    for animation in file.animations() {
        assert!(!animation.hierarchy_name().is_empty() || animation.node().is(&table::COMPRESSED_ANIMATION));
        assert!(animation.channels().count() > 1);
    }
    let morph = file.morph_animations().next().unwrap();
    assert!(!morph.name().is_empty() && !morph.hierarchy_name().is_empty() && morph.header().is_some());
    let channel = morph.channels().next().unwrap();
    assert_eq!((channel.pose_name().as_str(), channel.keys().len()), ("MORPHANIM_POSENAME", 2));
    assert_eq!(morph.pivot_channels().len(), 2);

    let model = file.hmodels().next().unwrap();
    assert!(!model.name().is_empty() && !model.hierarchy_name().is_empty());
    let counts = [
        model.nodes().count(),
        model.collision_nodes().count(),
        model.skins().count(),
        model.shadow_nodes().count(),
        model.points().len(),
    ];
    assert_eq!((counts, model.aux_data().is_some()), ([1, 1, 1, 1, 2], true));
    let levels = file.lod_models().next().unwrap();
    assert_eq!((levels.levels().count(), levels.points().len(), levels.name().is_empty()), (1, 2, false));
    let collection = file.collections().next().unwrap();
    assert_eq!(collection.object_names().collect::<Vec<_>>(), ["COLLECTION_OBJ_NAME"]);
    let names = |name: Option<meshwright_w3d::view::Placeholder<'_>>| name.unwrap().name();
    assert_eq!(names(collection.placeholders().next()), "proxy");
    assert_eq!(names(collection.transform_nodes().next()), "proxy");
    assert!(collection.placeholders().next().unwrap().header().is_some());
    assert_eq!((collection.points().len(), collection.name().is_empty()), (2, false));
    let aggregate = file.aggregates().next().unwrap();
    assert_eq!((aggregate.subobjects().len(), aggregate.texture_replacers().len()), (1, 1));
    assert!(aggregate.info().is_some() && aggregate.class_info().is_some() && !aggregate.name().is_empty());
    let hlod = file.hlods().next().unwrap();
    let arrays =
        [hlod.levels().count(), hlod.aggregates().count(), hlod.proxies().count(), hlod.lights().count()];
    assert_eq!(arrays, [1; 4]);
    assert!(!hlod.name().is_empty() && !hlod.hierarchy_name().is_empty());
    let level = hlod.levels().next().unwrap();
    assert_eq!((level.sub_objects().count(), level.header().is_some()), (1, true));
}

#[test]
fn views_of_effects_find_every_part() {
    let bytes = sample::every_chunk();
    let file = W3d::parse(&bytes).unwrap();
    assert_eq!(file.points().next().unwrap().points().len(), 2);
    let light = file.lights().next().unwrap();
    assert!(light.info().is_some() && light.spot().is_some() && light.spot_cones().is_some());
    assert!(
        light.near_attenuation().is_some() && light.far_attenuation().is_some() && light.pulse().is_some()
    );
    let emitter = file.emitters().next().unwrap();
    assert!(emitter.info().is_some() && emitter.info2().is_some() && emitter.properties().is_some());
    assert!(emitter.line_properties().is_some() && emitter.extra_info().is_some());
    assert!(!emitter.name().is_empty() && !emitter.texture_name().is_empty());
    assert_eq!((emitter.colors().len(), emitter.opacities().len(), emitter.sizes().len()), (1, 2, 1));
    assert!(
        emitter.rotations().0.is_some() && emitter.frames().0.is_some() && emitter.blur_times().0.is_some()
    );
    let keys = [emitter.rotations().1, emitter.frames().1, emitter.blur_times().1];
    assert_eq!(keys.map(<[_]>::len), [2; 3]);
    assert_eq!(emitter.user_text().as_deref(), Some("user"));
    let obstacle = file.boxes().next().unwrap();
    assert!(obstacle.header().is_some() && !obstacle.name().is_empty());
    let null = file.null_objects().next().unwrap();
    assert!(null.header().is_some() && !null.name().is_empty());
    let sphere = file.spheres().next().unwrap();
    let keys =
        [sphere.colors().count(), sphere.alphas().count(), sphere.scales().count(), sphere.vectors().count()];
    assert_eq!((keys, sphere.header().is_some()), ([1; 4], true));
    assert!(!sphere.name().is_empty() && !sphere.texture_name().is_empty());
    let ring = file.rings().next().unwrap();
    let keys = [
        ring.colors().count(),
        ring.alphas().count(),
        ring.inner_scales().count(),
        ring.outer_scales().count(),
    ];
    assert_eq!((keys, ring.header().is_some()), ([1; 4], true));
    assert!(!ring.name().is_empty() && !ring.texture_name().is_empty());
    let lit = file.lightscapes().next().unwrap().lights().next().unwrap();
    assert!(lit.transform().is_some() && lit.light().unwrap().info().is_some());
    let dazzle = file.dazzles().next().unwrap();
    assert_eq!((dazzle.name().as_str(), dazzle.type_name().as_str()), ("DAZZLE_NAME", "DAZZLE_TYPENAME"));
    let sound = file.sounds().next().unwrap();
    assert!(sound.header().is_some() && !sound.name().is_empty());
    assert_eq!(sound.file_name(), "FILENAME");
    assert!(sound.variable(table::sound::variables::VOLUME).is_some());
}

#[test]
fn views_of_shader_meshes_find_every_part() {
    let bytes = sample::every_chunk();
    let file = W3d::parse(&bytes).unwrap();
    let mesh = file.shader_meshes().next().unwrap();
    assert_eq!((mesh.name().as_str(), mesh.header().is_some()), ("SHDMESH_NAME", true));
    assert_eq!(mesh.user_text().as_deref(), Some("SHDMESH_USER_TEXT"));
    assert!(mesh.aab_tree().is_some());
    let part = mesh.sub_meshes().next().unwrap();
    assert!(part.header().is_some() && part.shader_definition().is_some());
    let counts =
        [part.vertices().len(), part.normals().len(), part.triangles().len(), part.shade_indices().len()];
    assert_eq!(counts, [2; 4]);
    assert_eq!((part.texcoords(0).len(), part.texcoords(1).len(), part.texcoords(2).len()), (2, 2, 0));
    assert_eq!(
        (part.influences().len(), part.shader_class()),
        (2, Some(meshwright_w3d::names::ShaderClass::SIMPLE))
    );
    // One of the simple shader, one each of gloss mask and cube map, eight of the older model.
    assert_eq!(part.texture_names().len(), 11);
}

/// A change of one text: what to call, and the texts it gives.
type Change = fn(&mut W3d<'_>, &str) -> Result<(), record::Error>;

/// Each setter with a way to call it on the file of every chunk.
const CHANGES: &[(&str, Change)] = &[
    ("mesh", |file, text| file.meshes_mut().next().unwrap().set_name(text)),
    ("container", |file, text| file.meshes_mut().next().unwrap().set_container_name(text)),
    ("texture", |file, text| file.meshes_mut().next().unwrap().set_texture(0, text)),
    ("vertex material", |file, text| {
        file.meshes_mut().next().unwrap().vertex_materials_mut().next().unwrap().set_name(text)
    }),
    ("shader", |file, text| {
        file.meshes_mut().next().unwrap().shader_materials_mut().next().unwrap().set_name(text)
    }),
    ("property", |file, text| {
        let mut mesh = file.meshes_mut().next().unwrap();
        let mut material = mesh.shader_materials_mut().next().unwrap();
        material.properties_mut().next().unwrap().set_texture(text)
    }),
    ("hierarchy", |file, text| file.hierarchies_mut().next().unwrap().set_name(text)),
    ("pivot", |file, text| file.hierarchies_mut().next().unwrap().set_pivot_name(1, text)),
    ("animation", |file, text| file.animations_mut().next().unwrap().set_name(text)),
    ("animation's hierarchy", |file, text| file.animations_mut().next().unwrap().set_hierarchy_name(text)),
    ("compressed animation", |file, text| file.animations_mut().nth(1).unwrap().set_name(text)),
    ("its hierarchy", |file, text| file.animations_mut().nth(1).unwrap().set_hierarchy_name(text)),
    ("morph", |file, text| file.morph_animations_mut().next().unwrap().set_name(text)),
    ("morph's hierarchy", |file, text| file.morph_animations_mut().next().unwrap().set_hierarchy_name(text)),
    ("hmodel", |file, text| file.hmodels_mut().next().unwrap().set_name(text)),
    ("hmodel's hierarchy", |file, text| file.hmodels_mut().next().unwrap().set_hierarchy_name(text)),
    ("lod model", |file, text| file.lod_models_mut().next().unwrap().set_name(text)),
    ("collection", |file, text| file.collections_mut().next().unwrap().set_name(text)),
    ("emitter", |file, text| file.emitters_mut().next().unwrap().set_name(text)),
    ("emitter's texture", |file, text| file.emitters_mut().next().unwrap().set_texture(text)),
    ("aggregate", |file, text| file.aggregates_mut().next().unwrap().set_name(text)),
    ("base model", |file, text| file.aggregates_mut().next().unwrap().set_base_model_name(text)),
    ("hlod", |file, text| file.hlods_mut().next().unwrap().set_name(text)),
    ("hlod's hierarchy", |file, text| file.hlods_mut().next().unwrap().set_hierarchy_name(text)),
    ("box", |file, text| file.boxes_mut().next().unwrap().set_name(text)),
    ("null object", |file, text| file.null_objects_mut().next().unwrap().set_name(text)),
    ("sphere", |file, text| file.spheres_mut().next().unwrap().set_name(text)),
    ("sphere's texture", |file, text| file.spheres_mut().next().unwrap().set_texture(text)),
    ("ring", |file, text| file.rings_mut().next().unwrap().set_name(text)),
    ("ring's texture", |file, text| file.rings_mut().next().unwrap().set_texture(text)),
    ("sound", |file, text| file.sounds_mut().next().unwrap().set_name(text)),
    ("dazzle", |file, text| file.dazzles_mut().next().unwrap().set_name(text)),
    ("dazzle's type", |file, text| file.dazzles_mut().next().unwrap().set_type_name(text)),
    ("shader mesh", |file, text| file.shader_meshes_mut().next().unwrap().set_name(text)),
];

/// Every leaf with the path to it.
fn leaves(file: &W3d<'_>) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    file.root.walk(&mut |place| {
        if place.node.children().is_empty() {
            found.push((place.path(), place.node.bytes().to_vec()));
        }
    });
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// One leaf changes, and only in one stretch that is the text, its terminator and the length before it.
    #[test]
    fn a_change_keeps_every_other_byte(index in 0..CHANGES.len(), text in "[a-zA-Z0-9_.]{1,15}") {
        let bytes = sample::every_chunk();
        let mut file = W3d::parse(&bytes).unwrap();
        let before = leaves(&file);
        let (name, change) = CHANGES[index];
        change(&mut file, &text).unwrap();
        let after = leaves(&file);
        prop_assert_eq!(before.len(), after.len());
        let changed: Vec<_> = before.iter().zip(&after).filter(|(old, new)| old.1 != new.1).collect();
        prop_assert_eq!(changed.len(), 1, "{}", name);
        let ((_, old), (_, new)) = changed[0];
        let written = new.windows(text.len()).any(|window| window == text.as_bytes());
        prop_assert!(written, "{}", name);
        // The bytes before and after the change are those of the old leaf.
        let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let shorter = old.len().min(new.len()) - start;
        let end = old.iter().rev().zip(new.iter().rev()).take(shorter).take_while(|(a, b)| a == b).count();
        // No string field is longer than 260 bytes; a length before a text takes four more.
        prop_assert!(new.len() - start - end <= 264, "{}: {} bytes", name, new.len() - start - end);
        // The file can be read again, and says the same.
        let written = file.to_bytes().unwrap();
        let again = W3d::parse(&written).unwrap();
        prop_assert_eq!(leaves(&again).into_iter().map(|leaf| leaf.1).collect::<Vec<_>>(), after.into_iter().map(|leaf| leaf.1).collect::<Vec<_>>());
    }
}

#[test]
fn a_text_can_be_changed_back() {
    let bytes = sample::crate_box();
    let mut file = W3d::parse(&bytes).unwrap();
    let mut mesh = file.meshes_mut().next().unwrap();
    mesh.set_name("LONGER").unwrap();
    mesh.set_texture(0, "another_file.dds").unwrap();
    assert_ne!(file.to_bytes().unwrap(), bytes);
    let mut mesh = file.meshes_mut().next().unwrap();
    mesh.set_name("BODY").unwrap();
    mesh.set_texture(0, "mwcrate.tga").unwrap();
    assert_eq!(file.to_bytes().unwrap(), bytes);
}

#[test]
fn a_text_that_does_not_fit_is_refused_and_nothing_changes() {
    let bytes = sample::crate_box();
    let mut file = W3d::parse(&bytes).unwrap();
    let message = |error: record::Error| error.diagnostic().message.clone();
    let mut mesh = file.meshes_mut().next().unwrap();
    let error = mesh.set_name("SIXTEEN_LETTERS_").unwrap_err();
    assert_eq!(message(error), "\"SIXTEEN_LETTERS_\" has 16 characters, and there is room for 15");
    assert_eq!(
        message(mesh.set_texture(0, "\u{4e2d}.tga").unwrap_err()),
        "\"\u{4e2d}.tga\" has characters outside Windows-1252"
    );
    assert_eq!(message(mesh.set_texture(3, "a.tga").unwrap_err()), "MESH has no texture 3: it has 1");
    assert_eq!(file.to_bytes().unwrap(), bytes);
}

#[test]
fn a_texture_is_replaced_wherever_it_is_named() {
    let bytes = sample::every_chunk();
    let mut file = W3d::parse(&bytes).unwrap();
    // In the mesh itself and in each of four wrappers.
    assert_eq!(file.replace_texture("texture_name", "longer_name.tga").unwrap(), 5);
    assert_eq!(file.replace_texture("A.DD", "bump.dds").unwrap(), 1);
    let names = file.meshes().next().unwrap().texture_names();
    assert_eq!(names.iter().filter(|name| *name == "longer_name.tga").count(), 5);
    assert!(names.iter().any(|name| name == "bump.dds"));
    let written = file.to_bytes().unwrap();
    assert_eq!(W3d::parse(&written).unwrap().diagnostics(), W3d::parse(&bytes).unwrap().diagnostics());
}
