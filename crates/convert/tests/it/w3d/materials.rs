//! Passes, stages, shaders, colours.

use super::fixtures::*;
use glam::{Vec2, Vec3};
use meshwright_convert::w3d::{Engine, Library, NoteKind, Options, to_scene};
use record::{F32, Node, U16};
use scene::team_color::HouseColor;
use scene::{
    AlphaTest, BlendFactor, BlendMode, Combine, Gradient, Layer, LinearOffset, SlotKind, Transparency,
    UvMapper, Wrap,
};
use w3d::names::{
    self, DestBlend, DetailColorFunc, MeshFlags, PriGradient, SrcBlend, TextureFlags, Texturing,
};
use w3d::records::*;
use w3d::table::*;

fn shader(source: SrcBlend, destination: DestBlend) -> Shader {
    Shader {
        depth_compare: names::DepthCompare::PASS_LEQUAL,
        depth_mask: names::DepthMask::WRITE_ENABLE,
        pri_gradient: PriGradient::MODULATE,
        src_blend: source,
        dest_blend: destination,
        texturing: Texturing::ENABLE,
        ..Shader::default()
    }
}

fn texture(label: &str, flags: TextureFlags) -> Node<'static> {
    let info = TextureInfo { attributes: flags, ..TextureInfo::default() };
    branch(&TEXTURE, [text(&TEXTURE_NAME, label), record(&TEXTURE_INFO, &info)])
}

fn vertex_material(label: &str, info: VertexMaterialInfo, args: &str) -> Node<'static> {
    let mut children = vec![text(&VERTEX_MATERIAL_NAME, label), record(&VERTEX_MATERIAL_INFO, &info)];
    if !args.is_empty() {
        children.push(text(&VERTEX_MAPPER_ARGS0, args));
    }
    branch(&VERTEX_MATERIAL, children)
}

fn plain(opacity: f32) -> VertexMaterialInfo {
    let rgb = |r, g, b| Rgb { r, g, b, pad: 0 };
    VertexMaterialInfo {
        diffuse: rgb(255, 51, 0),
        opacity: F32::new(opacity),
        ..VertexMaterialInfo::default()
    }
}

/// A mesh of two triangles.
fn two_triangles(flags: MeshFlags, more: Vec<Node<'static>>) -> Node<'static> {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];
    let mut header = header("", "M", flags);
    header.sort_level.set(7);
    mesh(header, &corners, more)
}

fn stage(textures: &[u32], coordinates: &[[f32; 2]]) -> Node<'static> {
    branch(
        &TEXTURE_STAGE,
        [array(&TEXTURE_IDS, &ids(textures)), array(&STAGE_TEXCOORDS, &texcoords(coordinates))],
    )
}

#[test]
fn passes_are_layers_and_stages_are_slots() {
    let base = [[0.25, 0.25]; 6];
    let detail = [[0.5, 1.0]; 6];
    let mut second = shader(SrcBlend::ONE, DestBlend::ONE);
    second.pri_gradient = PriGradient::DISABLE;
    let mut first = shader(SrcBlend::ONE, DestBlend::ZERO);
    first.detail_color_func = DetailColorFunc::SCALE;
    let scrolling =
        VertexMaterialInfo { attributes: names::VertexMaterialFlags::STAGE0_LINEAR_OFFSET, ..plain(0.5) };
    let scene = clean([two_triangles(
        MeshFlags::TWO_SIDED,
        vec![
            branch(
                &VERTEX_MATERIALS,
                [
                    vertex_material("Paint", plain(1.0), ""),
                    vertex_material("Glow", scrolling, "UPerSec=0.5\r\n;VPerSec=9\r\nVScale = 2\r\n"),
                ],
            ),
            array(&SHADERS, &[first, second]),
            branch(
                &TEXTURES,
                [
                    texture("paint.tga", TextureFlags::CLAMP_U),
                    texture("dirt.tga", TextureFlags::CLAMP_V),
                    texture("glow.tga", TextureFlags::NO_LOD),
                ],
            ),
            branch(
                &MATERIAL_PASS,
                [
                    array(&VERTEX_MATERIAL_IDS, &ids(&[0])),
                    array(&SHADER_IDS, &ids(&[0])),
                    stage(&[0], &base),
                    stage(&[1], &detail),
                ],
            ),
            branch(
                &MATERIAL_PASS,
                [array(&VERTEX_MATERIAL_IDS, &ids(&[1])), array(&SHADER_IDS, &ids(&[1])), stage(&[2], &base)],
            ),
        ],
    )]);
    let mesh = &scene.meshes[0];
    assert_eq!(mesh.parts.len(), 1);
    assert_eq!(mesh.uv_sets.len(), 2, "the second pass repeats the first coordinates");
    assert_eq!(mesh.uv_sets[0][0], Vec2::new(0.25, 0.75), "v is turned round");
    assert_eq!(mesh.uv_sets[1][0], Vec2::new(0.5, 0.0));
    let material = &scene.materials[0];
    assert_eq!((material.name.as_str(), material.sort_level, material.layers.len()), ("Paint", 7, 2));
    let [below, above] = &material.layers[..] else { panic!() };
    assert!(below.two_sided && above.two_sided && !below.unlit && above.unlit);
    assert_eq!((below.blend, above.blend), (BlendMode::Opaque, BlendMode::Add));
    // Opacity has no effect on one, one.
    assert_eq!((below.alpha, above.alpha), (1.0, 1.0));
    assert_eq!(above.lighting.as_ref().map(|lighting| lighting.opacity), Some(0.5));
    assert_eq!(below.lighting.as_ref().unwrap().diffuse, Vec3::new(1.0, 0.2, 0.0));
    let kinds: Vec<(SlotKind, u32, u32)> =
        below.slots.iter().map(|slot| (slot.kind, slot.texture.unwrap().0, slot.uv_set)).collect();
    assert_eq!(kinds, [(SlotKind::Diffuse, 0, 0), (SlotKind::Detail, 1, 1)]);
    assert_eq!(
        (below.slots[0].color_combine, below.slots[1].color_combine),
        (Combine::Disable, Combine::Scale)
    );
    let offset =
        LinearOffset { speed: Vec2::new(0.5, 0.0), scale: Vec2::new(1.0, 2.0), ..LinearOffset::default() };
    assert_eq!(above.slots[0].mapper, UvMapper::LinearOffset(offset));
    let wraps: Vec<_> =
        scene.textures.iter().map(|texture| (texture.wrap_u, texture.wrap_v, texture.no_mipmaps)).collect();
    let expected = [
        (Wrap::Clamp, Wrap::Repeat, false),
        (Wrap::Repeat, Wrap::Clamp, false),
        (Wrap::Repeat, Wrap::Repeat, true),
    ];
    assert_eq!(wraps, expected);
}

#[test]
fn every_blend_has_its_mode() {
    let test = |mut shader: Shader| {
        shader.alpha_test = names::AlphaTest::ENABLE;
        shader
    };
    let cases = [
        (shader(SrcBlend::ONE, DestBlend::ZERO), BlendMode::Opaque, None, Transparency::Opaque),
        (
            shader(SrcBlend::SRC_ALPHA, DestBlend::ONE_MINUS_SRC_ALPHA),
            BlendMode::Alpha,
            None,
            Transparency::Blend,
        ),
        (shader(SrcBlend::ONE, DestBlend::ONE), BlendMode::Add, None, Transparency::Blend),
        (shader(SrcBlend::ZERO, DestBlend::SRC_COLOR), BlendMode::Multiply, None, Transparency::Blend),
        (shader(SrcBlend::ONE, DestBlend::ONE_MINUS_SRC_COLOR), BlendMode::Screen, None, Transparency::Blend),
        (
            shader(SrcBlend::ONE, DestBlend::ONE_MINUS_SRC_ALPHA),
            BlendMode::Factors(BlendFactor::One, BlendFactor::OneMinusSourceAlpha),
            None,
            Transparency::Blend,
        ),
        (
            test(shader(SrcBlend::ONE, DestBlend::ZERO)),
            BlendMode::Opaque,
            Some(AlphaTest::W3D),
            Transparency::Mask,
        ),
        (
            test(shader(SrcBlend::SRC_ALPHA, DestBlend::ONE_MINUS_SRC_ALPHA)),
            BlendMode::Alpha,
            Some(AlphaTest::W3D),
            Transparency::Mask,
        ),
        (
            test(shader(SrcBlend::ONE_MINUS_SRC_ALPHA, DestBlend::ZERO)),
            BlendMode::Modulate,
            Some(AlphaTest::W3D),
            Transparency::Blend,
        ),
    ];
    for (shader, blend, alpha_test, transparency) in cases {
        let scene = clean([two_triangles(
            MeshFlags::default(),
            vec![array(&SHADERS, &[shader]), branch(&MATERIAL_PASS, [array(&SHADER_IDS, &ids(&[0]))])],
        )]);
        let layer = &scene.materials[0].layers[0];
        assert_eq!((layer.blend, layer.alpha_test, layer.transparency()), (blend, alpha_test, transparency));
    }
}

/// The layers of a mesh whose passes have these shaders and the vertex material `info`.
fn layers_of(options: &Options, info: VertexMaterialInfo, shaders: &[Shader]) -> Vec<Layer> {
    let pass = |at: u32| {
        let colors = [Rgba { r: 255, g: 255, b: 255, a: 255 }; 6];
        branch(
            &MATERIAL_PASS,
            [
                array(&VERTEX_MATERIAL_IDS, &ids(&[0])),
                array(&SHADER_IDS, &ids(&[at])),
                array(&DCG, &colors),
                stage(&[0], &[[0.0, 0.0]; 6]),
            ],
        )
    };
    let mut parts = vec![
        branch(&VERTEX_MATERIALS, [vertex_material("V", info, "")]),
        array(&SHADERS, shaders),
        branch(&TEXTURES, [texture("t.tga", TextureFlags::default())]),
    ];
    parts.extend((0..shaders.len() as u32).map(pass));
    let file = document([two_triangles(MeshFlags::default(), parts)]);
    let (scene, report) = to_scene(&Library::new(&file), None, options);
    assert!(report.notes.is_empty(), "{:?}", report.notes);
    scene.materials[0].layers.clone()
}

#[test]
fn renegade_has_its_own_source_blend_and_gradient() {
    let mut strange = shader(SrcBlend::ONE_MINUS_SRC_ALPHA, DestBlend::SRC_ALPHA);
    strange.alpha_test = names::AlphaTest::ENABLE;
    strange.pri_gradient = PriGradient::MODULATE2X;
    let renegade = Options { engine: Engine::Renegade, ..Options::default() };
    let [layer] = &layers_of(&renegade, plain(1.0), &[strange])[..] else { panic!() };
    assert_eq!(layer.blend, BlendMode::Factors(BlendFactor::OneMinusSourceAlpha, BlendFactor::SourceAlpha));
    assert_eq!((layer.alpha_test, layer.gradient), (Some(AlphaTest::W3D_INVERTED), Gradient::DotProduct));
    let [layer] = &layers_of(&Options::default(), plain(1.0), &[strange])[..] else { panic!() };
    assert_eq!(layer.blend, BlendMode::Factors(BlendFactor::DestinationColor, BlendFactor::SourceAlpha));
    assert_eq!((layer.alpha_test, layer.gradient), (Some(AlphaTest::W3D), Gradient::Modulate2x));
}

#[test]
fn without_texturing_the_lit_colour_is_drawn_alone() {
    let mut plain_color = shader(SrcBlend::ONE, DestBlend::ZERO);
    plain_color.texturing = names::Texturing::DISABLE;
    for gradient in [PriGradient::DISABLE, PriGradient::ADD, PriGradient::MODULATE2X] {
        plain_color.pri_gradient = gradient;
        let [layer] = &layers_of(&Options::default(), plain(1.0), &[plain_color])[..] else { panic!() };
        assert!(!layer.unlit && layer.slots.is_empty() && layer.color_set == Some(0));
        assert_eq!(layer.gradient, Gradient::Modulate);
    }
}

#[test]
fn without_a_gradient_opacity_and_vertex_colours_do_not_count() {
    let mut bare = shader(SrcBlend::SRC_ALPHA, DestBlend::ONE_MINUS_SRC_ALPHA);
    let lit = bare;
    bare.pri_gradient = PriGradient::DISABLE;
    let [bare, lit] = &layers_of(&Options::default(), plain(0.5), &[bare, lit])[..] else { panic!() };
    assert_eq!((bare.unlit, bare.alpha, bare.color_set), (true, 1.0, None));
    assert_eq!((lit.unlit, lit.alpha, lit.color_set), (false, 0.5, Some(0)));
}

#[test]
fn vertex_colours_replace_the_opacity_where_there_is_an_emissive_colour() {
    let blend = shader(SrcBlend::SRC_ALPHA, DestBlend::ONE_MINUS_SRC_ALPHA);
    let glowing = VertexMaterialInfo { emissive: Rgb { r: 9, g: 9, b: 9, pad: 0 }, ..plain(0.5) };
    let [layer] = &layers_of(&Options::default(), glowing, &[blend])[..] else { panic!() };
    assert_eq!(layer.alpha, 1.0);
}

#[test]
fn opacity_counts_for_the_alpha_test() {
    let mut cut = shader(SrcBlend::ONE, DestBlend::ZERO);
    let opaque = cut;
    cut.alpha_test = names::AlphaTest::ENABLE;
    let layers = layers_of(&Options::default(), plain(0.5), &[cut, opaque]);
    assert_eq!(layers.iter().map(|layer| layer.alpha).collect::<Vec<_>>(), [0.5, 1.0]);
}

#[test]
fn house_colours_are_found_by_name() {
    let colored = |mesh_name: &str, texture_name: &str| {
        let parts = vec![
            array(&SHADERS, &[shader(SrcBlend::ONE, DestBlend::ZERO)]),
            branch(&TEXTURES, [texture(texture_name, TextureFlags::default())]),
            branch(&MATERIAL_PASS, [array(&SHADER_IDS, &ids(&[0])), stage(&[0], &[[0.0, 0.0]; 3])]),
        ];
        let scene = clean([mesh(header("TANK", mesh_name, MeshFlags::default()), &[[0.0; 3]; 3], parts)]);
        (scene.materials[0].house_color, scene.textures[0].house_color)
    };
    assert_eq!(colored("HouseColor01", "zhcd_tank.tga"), (true, Some(HouseColor::Palette)));
    assert_eq!(colored("HOUSE", "ZHCA_tank.tga"), (false, Some(HouseColor::Hue)));
    assert_eq!(colored("TURRET", "ZHC.tga"), (false, None));
    assert_eq!(colored("MYHOUSECOLOR", "azhca.tga"), (false, None));
}

#[test]
fn triangles_with_their_own_ids_make_parts() {
    let scene = clean([two_triangles(
        MeshFlags::default(),
        vec![
            branch(
                &VERTEX_MATERIALS,
                [vertex_material("A", plain(1.0), ""), vertex_material("B", plain(1.0), "")],
            ),
            array(&SHADERS, &[shader(SrcBlend::ONE, DestBlend::ZERO)]),
            branch(&TEXTURES, [texture("a.tga", TextureFlags::default())]),
            branch(
                &MATERIAL_PASS,
                [
                    // The second triangle's first corner decides.
                    array(&VERTEX_MATERIAL_IDS, &ids(&[0, 0, 0, 1, 0, 0])),
                    array(&SHADER_IDS, &ids(&[0])),
                    // No texture on the first.
                    stage(&[u32::MAX, 0], &[[0.0; 2]; 6]),
                ],
            ),
        ],
    )]);
    let mesh = &scene.meshes[0];
    let parts: Vec<(&str, u32, u32, usize)> = mesh
        .parts
        .iter()
        .map(|part| {
            let material = &scene.materials[part.material.unwrap().index()];
            (material.name.as_str(), part.start, part.count, material.layers[0].slots.len())
        })
        .collect();
    assert_eq!(parts, [("A", 0, 3, 0), ("B", 3, 3, 1)]);
}

#[test]
fn parts_gather_their_triangles() {
    let corners = [[0.0; 3]; 9];
    let mut looks = mesh(
        header("", "M", MeshFlags::default()),
        &corners,
        vec![
            array(&SHADERS, &[shader(SrcBlend::ONE, DestBlend::ZERO), shader(SrcBlend::ONE, DestBlend::ONE)]),
            branch(&MATERIAL_PASS, [array(&SHADER_IDS, &ids(&[1, 0, 1]))]),
        ],
    );
    let triangles = looks.child_mut(&TRIANGLES).unwrap().values_mut::<Triangle>();
    for (triangle, kind) in triangles.iter_mut().zip([5, 6, 7]) {
        triangle.attributes = names::SurfaceType::new(kind);
    }
    let scene = clean([looks]);
    let mesh = &scene.meshes[0];
    assert!(mesh.indices.iter().eq([0, 1, 2, 6, 7, 8, 3, 4, 5]));
    assert_eq!(mesh.surface_types, [5, 7, 6]);
    assert_eq!((mesh.parts[0].count, mesh.parts[1].start), (6, 6));
    assert_eq!(scene.materials[mesh.parts[0].material.unwrap().index()].layers[0].blend, BlendMode::Add);
}

#[test]
fn illumination_is_multiplied_into_the_colours() {
    let colors = [Rgba { r: 255, g: 128, b: 0, a: 40 }; 6];
    let light = [Rgb { r: 128, g: 128, b: 255, pad: 0 }; 6];
    let scene = clean([two_triangles(
        MeshFlags::default(),
        vec![
            branch(&MATERIAL_PASS, [array(&DCG, &colors), array(&DIG, &light)]),
            branch(&MATERIAL_PASS, [array(&DIG, &light)]),
        ],
    )]);
    // One array for all passes, so the second light comes on top: 128 · 128 / 255 = 64.25, 64 · 128 / 255 = 32.1.
    assert_eq!(scene.meshes[0].color_sets, [vec![[64, 32, 0, 40]; 6]]);
    let sets: Vec<Option<u32>> = scene.materials[0].layers.iter().map(|layer| layer.color_set).collect();
    assert_eq!(sets, [Some(0), None]);
}

#[test]
fn the_first_vertex_colours_serve_all_passes() {
    let colors = |r: u8| array(&DCG, &[Rgba { r, g: 0, b: 0, a: 255 }; 6]);
    let passes = [7, 9].map(|r| branch(&MATERIAL_PASS, [colors(r)]));
    let scene = clean([two_triangles(MeshFlags::default(), passes.into())]);
    assert_eq!(scene.meshes[0].color_sets, [vec![[7, 0, 0, 255]; 6]]);
    assert!(scene.materials[0].layers.iter().all(|layer| layer.color_set == Some(0)));
    // Illumination alone is an array with full alpha.
    let light = array(&DIG, &[Rgb { r: 3, g: 4, b: 5, pad: 0 }; 6]);
    let scene = clean([two_triangles(MeshFlags::default(), vec![branch(&MATERIAL_PASS, [light])])]);
    assert_eq!(scene.meshes[0].color_sets, [vec![[3, 4, 5, 255]; 6]]);
    assert_eq!(scene.materials[0].layers[0].color_set, Some(0));
}

#[test]
fn the_best_prelit_wrapper_is_used() {
    let wrapper = |chunk, blend| {
        branch(
            chunk,
            [
                array(&SHADERS, &[shader(SrcBlend::ONE, blend)]),
                branch(&MATERIAL_PASS, [array(&SHADER_IDS, &ids(&[0]))]),
            ],
        )
    };
    let scene = clean([two_triangles(
        MeshFlags::PRELIT_UNLIT | MeshFlags::PRELIT_LIGHTMAP_MULTI_PASS,
        vec![wrapper(&PRELIT_UNLIT, DestBlend::ZERO), wrapper(&PRELIT_LIGHTMAP_MULTI_PASS, DestBlend::ONE)],
    )]);
    assert_eq!(scene.materials.len(), 1);
    assert_eq!(scene.materials[0].layers[0].blend, BlendMode::Add);
}

fn property(kind: u32, label: &str, value: &[u8]) -> Node<'static> {
    let mut body = kind.to_le_bytes().to_vec();
    body.extend((label.len() as u32 + 1).to_le_bytes());
    body.extend(label.as_bytes());
    body.push(0);
    if kind == 1 {
        body.extend((value.len() as u32 + 1).to_le_bytes());
        body.extend(value);
        body.push(0);
    } else {
        body.extend(value);
    }
    w3d::build::bytes(&SHADER_MATERIAL_PROPERTY, body)
}

#[test]
fn a_shader_material_fills_slots_and_keeps_its_parameters() {
    let head = ShaderMaterialHeader {
        version: 1,
        shader_name: name("NormalMapped.fx"),
        technique: 2,
        ..Default::default()
    };
    let scene = clean([two_triangles(
        MeshFlags::default(),
        vec![
            branch(
                &SHADER_MATERIALS,
                [branch(
                    &SHADER_MATERIAL,
                    [
                        record(&SHADER_MATERIAL_HEADER, &head),
                        property(1, "NormalMap", b"wall_nrm.tga"),
                        property(1, "DiffuseTexture", b"wall.tga"),
                        property(2, "BumpScale", &floats(&[1.5])),
                        property(5, "DiffuseColor", &floats(&[1.0, 0.5, 0.25, 1.0])),
                        property(6, "BlendMode", &1_i32.to_le_bytes()),
                        property(7, "AlphaTestEnable", &[1]),
                    ],
                )],
            ),
            branch(
                &MATERIAL_PASS,
                [
                    array(&SHADER_MATERIAL_ID, &ids(&[0])),
                    array(&STAGE_TEXCOORDS, &texcoords(&[[0.0, 0.25]; 6])),
                ],
            ),
        ],
    )]);
    assert_eq!(scene.meshes[0].uv_sets, [vec![Vec2::new(0.0, 0.75); 6]]);
    let material = &scene.materials[0];
    let shader = material.shader.as_ref().unwrap();
    assert_eq!((shader.name.as_str(), shader.technique, shader.parameters.len()), ("NormalMapped.fx", 2, 6));
    assert_eq!(shader.parameters[2], ("BumpScale".to_owned(), scene::ShaderParameter::Float(1.5)));
    let layer = &material.layers[0];
    let slots: Vec<(SlotKind, &str)> = layer
        .slots
        .iter()
        .map(|slot| (slot.kind, scene.textures[slot.texture.unwrap().index()].name.as_str()))
        .collect();
    assert_eq!(slots, [(SlotKind::Diffuse, "wall.tga"), (SlotKind::Normal, "wall_nrm.tga")]);
    assert_eq!(layer.slots.iter().map(|slot| slot.green_down).collect::<Vec<_>>(), [false, true]);
    assert_eq!((layer.blend, layer.alpha_test), (BlendMode::Alpha, Some(AlphaTest::W3D)));
    assert_eq!(layer.lighting.as_ref().unwrap().diffuse, Vec3::new(1.0, 0.5, 0.25));
}

/// The layer of a mesh with a shader material of this name and these properties.
fn fx_layer(shader: &str, properties: Vec<Node<'static>>) -> Layer {
    let head = ShaderMaterialHeader { version: 1, shader_name: name(shader), ..Default::default() };
    let parts = std::iter::once(record(&SHADER_MATERIAL_HEADER, &head)).chain(properties);
    let material = branch(&SHADER_MATERIAL, parts.collect::<Vec<_>>());
    let scene = clean([two_triangles(
        MeshFlags::default(),
        vec![
            branch(&SHADER_MATERIALS, [material]),
            branch(&MATERIAL_PASS, [array(&SHADER_MATERIAL_ID, &ids(&[0]))]),
        ],
    )]);
    scene.materials[0].layers[0].clone()
}

#[test]
fn simple_fx_is_its_texture_times_its_emissive_colour() {
    let color = || property(5, "ColorEmissive", &floats(&[0.5, 2.0, 0.25, 1.0]));
    let layer = fx_layer("Simple.fx", vec![color(), property(7, "AlphaBlendingEnable", &[1])]);
    assert_eq!((layer.unlit, layer.color), (true, Vec3::new(0.5, 1.0, 0.25)));
    assert_eq!(layer.blend, BlendMode::Alpha);
    let layer = fx_layer("simple.FX", vec![property(7, "AlphaBlendingEnable", &[0])]);
    assert_eq!((layer.unlit, layer.color, layer.blend), (true, Vec3::ONE, BlendMode::Opaque));
    let layer = fx_layer("NormalMapped.fx", vec![color()]);
    assert_eq!((layer.unlit, layer.color), (false, Vec3::ONE));
}

#[test]
fn materials_of_version_3_are_read_per_triangle() {
    let material = |label: &str, file: &str| {
        let info = Material3Info { opacity: F32::new(1.0), ..Material3Info::default() };
        branch(
            &MATERIAL3,
            [
                text(&MATERIAL3_NAME, label),
                record(&MATERIAL3_INFO, &info),
                branch(&MATERIAL3_DC_MAP, [text(&MAP3_FILENAME, file)]),
            ],
        )
    };
    let scene = clean([two_triangles(
        MeshFlags::default(),
        vec![
            branch(&MATERIALS3, [material("A", "a.tga"), material("B", "b.tga")]),
            array(&PER_TRI_MATERIALS, &[U16::new(1), U16::new(0)]),
            array(&TEXCOORDS, &texcoords(&[[0.0, 0.25]; 6])),
        ],
    )]);
    let mesh = &scene.meshes[0];
    let names: Vec<&str> =
        mesh.parts.iter().map(|part| scene.materials[part.material.unwrap().index()].name.as_str()).collect();
    assert_eq!(names, ["B", "A"]);
    assert_eq!(mesh.uv_sets[0][0], Vec2::new(0.0, 0.75));
}

#[test]
fn what_does_not_exist_is_reported() {
    let (scene, report) = convert([two_triangles(
        MeshFlags::default(),
        vec![branch(&MATERIAL_PASS, [array(&SHADER_IDS, &ids(&[4])), stage(&[2], &[[0.0; 2]; 2])])],
    )]);
    assert_eq!(scene.materials[0].layers[0].slots.len(), 0);
    assert_eq!(scene.meshes[0].uv_sets[0].len(), 6);
    assert_eq!(report.of(NoteKind::Damaged).count(), 2);
}
