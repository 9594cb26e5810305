//! Textures, materials, layers.

use glam::Vec3;
use mdx::build::{self, Builder, LayerParts};
use mdx::records::*;
use mdx::{Dialect, kinds, tags};
use meshwright_convert::mdx::NoteKind;
use record::{F32, I32, Node, Quaternion, U32};
use scene::{
    AlphaTest, BlendMode, ClipId, Compare, Moment, Replaceable, Sampler, Scene, SlotKind, SortPrimitives,
    TextureId, UvMapper, Wrap,
};

use super::support::*;

fn texture(replaceable: u32, path: &str, flags: TextureFlags) -> Texture {
    Texture { replaceable_id: U32::new(replaceable), path: chars(path), flags }
}

fn textures() -> Node<'static> {
    let textures = [
        texture(0, "a.blp", TextureFlags::WRAP_WIDTH),
        texture(1, "", TextureFlags::default()),
        texture(2, "", TextureFlags::WRAP_HEIGHT),
        texture(31, "", TextureFlags::WRAP_WIDTH | TextureFlags::WRAP_HEIGHT),
        texture(0, "e.blp", TextureFlags::default()),
        texture(0, "f.blp", TextureFlags::default()),
    ];
    build::leaf(&kinds::TEXS, &textures)
}

fn layer(filter_mode: u32, flags: u32, texture: i32) -> LayerParts {
    let mut layer = LayerParts::default();
    layer.header.filter_mode = FilterMode::new(filter_mode);
    layer.header.flags = LayerFlags::new(flags);
    layer.header.texture_id = I32::new(texture);
    layer
}

fn material(builder: Builder, layers: Vec<Node<'static>>) -> Node<'static> {
    let material = builder.material(&MaterialHeader::default(), &MaterialShader::default(), layers);
    builder.chunk(&kinds::MTLS, vec![material])
}

#[test]
fn filter_modes() {
    let builder = warcraft();
    let layers = (0..7).map(|mode| builder.layer(&layer(mode, 0, 0), vec![], vec![])).collect();
    let scene = convert_clean(builder, vec![material(builder, layers), textures()]);
    let layers = &scene.materials[0].layers;
    let invisible = Some(AlphaTest::INVISIBLE);
    // Blend, test, writes depth, is fogged (docs/formats/rendering.md#mdx-layers).
    let expected = [
        (BlendMode::Opaque, None, true, true),
        (BlendMode::Opaque, Some(AlphaTest::WARCRAFT), true, true),
        (BlendMode::Alpha, invisible, false, true),
        (BlendMode::Additive, invisible, false, false),
        (BlendMode::AddAlpha, invisible, false, false),
        (BlendMode::Modulate, invisible, false, false),
        (BlendMode::Modulate2x, invisible, false, false),
    ];
    let found: Vec<_> =
        layers.iter().map(|layer| (layer.blend, layer.alpha_test, layer.depth_write, layer.fog)).collect();
    assert_eq!(found, expected);

    let garbage = builder.layer(&layer(0x0012_ff40, 0, 0), vec![], vec![]);
    let (scene, report) = convert(builder, vec![material(builder, vec![garbage]), textures()]);
    assert_eq!(scene.materials[0].layers[0].blend, BlendMode::Opaque);
    assert_eq!(report.of(NoteKind::Damaged).count(), 1);
}

#[test]
fn shading_flags() {
    let builder = warcraft();
    let flags = [0x1, 0x2, 0x10, 0x20, 0x40, 0x80, 0x100];
    let layers = flags.map(|flags| builder.layer(&layer(0, flags, 0), vec![], vec![])).into();
    let scene = convert_clean(builder, vec![material(builder, layers), textures()]);
    let layers = &scene.materials[0].layers;
    assert_eq!(
        layers.iter().map(|layer| layer.unlit).collect::<Vec<_>>(),
        [true, false, false, false, false, false, true]
    );
    assert!(matches!(layers[1].slots[0].mapper, UvMapper::Environment(_)));
    assert!(matches!(layers[0].slots[0].mapper, UvMapper::Uv));
    assert!(layers[2].two_sided && !layers[1].two_sided);
    assert!(!layers[3].fog && layers[2].fog);
    assert!(layers[4].depth_test == Compare::Always && layers[3].depth_test == Compare::LessEqual);
    assert!(!layers[5].depth_write && layers[4].depth_write);
}

#[test]
fn textures_the_game_supplies_and_wrapping() {
    let scene = convert_clean(warcraft(), vec![textures()]);
    let replaceable: Vec<_> = scene.textures.iter().map(|texture| texture.replaceable).collect();
    assert_eq!(
        replaceable[..4],
        [None, Some(Replaceable::TEAM_COLOR), Some(Replaceable::TEAM_GLOW), Some(Replaceable::TREE),]
    );
    assert_eq!(scene.textures[0].name, "a.blp");
    let wraps: Vec<_> = scene.textures.iter().map(|texture| (texture.wrap_u, texture.wrap_v)).collect();
    assert_eq!(
        wraps[..4],
        [
            (Wrap::Repeat, Wrap::Clamp),
            (Wrap::Clamp, Wrap::Clamp),
            (Wrap::Clamp, Wrap::Repeat),
            (Wrap::Repeat, Wrap::Repeat),
        ]
    );
}

#[test]
fn material_flags() {
    let builder = warcraft();
    let header = |flags, plane| MaterialHeader { priority_plane: I32::new(plane), flags };
    let layers = || vec![builder.layer(&layer(0, 0, 0), vec![], vec![])];
    let shader = MaterialShader::default();
    let materials = vec![
        builder.material(&header(MaterialFlags::new(0x1 | 0x10), -3), &shader, layers()),
        builder.material(&header(MaterialFlags::new(0x2 | 0x8 | 0x20), 7), &shader, layers()),
    ];
    let scene = convert_clean(builder, vec![builder.chunk(&kinds::MTLS, materials), textures()]);
    let [first, second] = &scene.materials[..] else { panic!("two materials") };
    assert_eq!((first.priority_plane, first.constant_color, first.full_resolution), (-3, true, false));
    assert_eq!((first.sort_primitives, first.layers[0].two_sided), (SortPrimitives::Far, false));
    assert_eq!((second.priority_plane, second.constant_color, second.full_resolution), (7, false, true));
    assert_eq!((second.sort_primitives, second.layers[0].two_sided), (SortPrimitives::Near, true));
}

fn sample(scene: &Scene, time: f32) -> scene::LayerState {
    let moment = Moment { clip: Some(ClipId(0)), time, ..Moment::default() };
    Sampler::new(scene).pose(&moment).materials[0][0].clone()
}

#[test]
fn tracks_of_layers_and_texture_animations() {
    let builder = warcraft();
    let mut parts = layer(2, 0, 0);
    parts.header.texture_animation_id = I32::new(1);
    parts.header.coord_id = I32::new(1);
    parts.header.alpha = F32::new(0.5);
    let alpha = scalar_keys(&[(0, 0.0), (1000, 1.0)]);
    let flip = [(0, U32::new(4)), (500, U32::new(5))];
    let layers = vec![builder.layer(
        &parts,
        vec![],
        vec![
            build::track(tags::KMTA, Interpolation::LINEAR, -1, &alpha).unwrap(),
            build::track(tags::KMTF, Interpolation::LINEAR, -1, &flip).unwrap(),
        ],
    )];
    let slide = vector_keys(&[(0, [0.0; 3]), (1000, [0.5, 1.0, 0.0])]);
    let grow = vector_keys(&[(0, [2.0, 3.0, 1.0])]);
    let turn = [(0, Quaternion::new(0.0, 0.0, 0.6, 0.8))];
    let animation = build::branch(
        &kinds::TEXTURE_ANIMATION,
        vec![
            build::track(tags::KTAT, Interpolation::LINEAR, -1, &slide).unwrap(),
            build::track(tags::KTAR, Interpolation::LINEAR, -1, &turn).unwrap(),
            build::track(tags::KTAS, Interpolation::LINEAR, -1, &grow).unwrap(),
        ],
    );
    let none = build::branch(&kinds::TEXTURE_ANIMATION, vec![]);
    let scene = convert_clean(
        builder,
        vec![
            sequences(&[[0, 1000], [2000, 3000]]),
            material(builder, layers),
            textures(),
            builder.chunk(&kinds::TXAN, vec![none, animation]),
        ],
    );
    let layer = &scene.materials[0].layers[0];
    assert_eq!((layer.alpha, layer.slots[0].uv_set, layer.slots[0].texture), (0.5, 1, Some(TextureId(0))));
    assert_eq!(layer.uv_animation, Some(1));
    // The alpha track has no key in the second sequence: 1, not the number beside it.
    let second = Moment { clip: Some(ClipId(1)), time: 0.5, ..Moment::default() };
    assert_eq!(Sampler::new(&scene).pose(&second).materials[0][0].alpha, 1.0);
    let state = sample(&scene, 0.25);
    assert_eq!(state.alpha, 0.25);
    assert_eq!(state.textures, [Some(TextureId(4))]);
    assert_eq!(sample(&scene, 0.75).textures, [Some(TextureId(5))]);
    // Texture coordinates keep their axes.
    assert_eq!(state.uv.translation.to_array(), [0.125, 0.25]);
    assert_eq!(state.uv.scale.to_array(), [2.0, 3.0]);
    assert!(state.uv.rotation.abs_diff_eq(glam::Quat::from_xyzw(0.0, 0.0, 0.6, 0.8), 1e-6));
}

const SLOTS: [SlotKind; 6] = [
    SlotKind::Diffuse,
    SlotKind::Normal,
    SlotKind::OcclusionRoughnessMetal,
    SlotKind::Emissive,
    SlotKind::TeamColor,
    SlotKind::Environment,
];

fn assert_hd(scene: &Scene, textures: [u32; 6]) {
    let [layer] = &scene.materials[0].layers[..] else { panic!("one layer") };
    let slots: Vec<_> = layer.slots.iter().map(|slot| (slot.kind, slot.texture)).collect();
    let expected: Vec<_> = SLOTS.into_iter().zip(textures.map(|id| Some(TextureId(id)))).collect();
    assert_eq!(slots, expected);
    assert!(layer.slots.iter().all(|slot| slot.green_down == (slot.kind == SlotKind::Normal)));
    assert_eq!(scene.materials[0].shader.as_ref().unwrap().name, "Shader_HD_DefaultUnit");
}

#[test]
fn six_layers_of_an_hd_shader_are_one() {
    for version in [900, 1000] {
        let builder = Builder::new(Dialect::Warcraft, version);
        let gain = scalar_keys(&[(0, 1.0), (1000, 3.0)]);
        let mut first = layer(1, 0x10, 5);
        first.emissive.emissive_gain = F32::new(f32::NAN);
        let gain = build::track(tags::KMTE, Interpolation::LINEAR, -1, &gain).unwrap();
        let flip = build::track(tags::KMTF, Interpolation::NONE, -1, &[(0, U32::new(0))]).unwrap();
        let mut layers = vec![builder.layer(&first, vec![], vec![gain])];
        layers.extend([4, 3, 2].map(|id| builder.layer(&layer(0, 0, id), vec![], vec![])));
        layers.push(builder.layer(&layer(0, 0, 1), vec![], vec![flip]));
        layers.push(builder.layer(&layer(0, 0, 0), vec![], vec![]));
        let shader = MaterialShader { shader: chars("Shader_HD_DefaultUnit") };
        let hd = builder.material(&MaterialHeader::default(), &shader, layers);
        let scene = convert_clean(
            builder,
            vec![sequences(&[[0, 1000]]), builder.chunk(&kinds::MTLS, vec![hd]), textures()],
        );
        assert_hd(&scene, [5, 4, 3, 2, 1, 0]);
        let layer = &scene.materials[0].layers[0];
        assert_eq!((layer.alpha_test, layer.two_sided), (Some(AlphaTest::WARCRAFT), true));
        assert_eq!(layer.emissive_gain, 1.0);
        let state = sample(&scene, 0.5);
        assert_eq!(state.emissive_gain, 2.0);
        assert_eq!(state.textures[4], Some(TextureId(0)));
    }
}

#[test]
fn slots_of_a_layer() {
    let builder = Builder::new(Dialect::Warcraft, 1100);
    let mut parts = layer(0, 0, 0);
    parts.shader.shader = ShaderType::HD_DEFAULT_UNIT;
    parts.fresnel.color = record::Vec3::new(0.1, 0.2, 0.3);
    parts.fresnel.opacity = F32::new(0.4);
    parts.fresnel.team_color = F32::new(0.5);
    let reference = |id: i32, slot| TextureReference { texture_id: I32::new(id), slot: SlotType::new(slot) };
    // Where a track follows, the slot on disk is wrong and the position counts.
    let flip = build::track(tags::KMTF, Interpolation::NONE, -1, &[(0, U32::new(3))]).unwrap();
    let textures_of_layer = vec![
        (reference(0, 0), None),
        (reference(1, 1), None),
        (reference(2, 2), None),
        (reference(3, 3), None),
        (reference(4, 0), Some(flip)),
        (reference(5, 5), None),
    ];
    let layers = vec![builder.layer(&parts, textures_of_layer, vec![])];
    let scene = convert_clean(builder, vec![sequences(&[[0, 1000]]), material(builder, layers), textures()]);
    assert_hd(&scene, [0, 1, 2, 3, 4, 5]);
    let fresnel = scene.materials[0].layers[0].fresnel;
    assert_eq!((fresnel.color, fresnel.opacity, fresnel.team_color), (Vec3::new(0.1, 0.2, 0.3), 0.4, 0.5));
    assert_eq!(sample(&scene, 0.5).textures[4], Some(TextureId(3)));
}

#[test]
fn classic_layers_of_new_versions_have_no_shader() {
    let builder = Builder::new(Dialect::Warcraft, 1100);
    let reference = TextureReference { texture_id: I32::new(4), slot: SlotType::DIFFUSE };
    let layers = vec![builder.layer(&layer(0, 0, 0), vec![(reference, None)], vec![])];
    let scene = convert_clean(builder, vec![material(builder, layers), textures()]);
    assert_eq!(scene.materials[0].shader, None);
    assert_eq!(scene.materials[0].layers[0].slots[0].texture, Some(TextureId(4)));
}

#[test]
fn what_does_not_exist_is_reported() {
    let builder = warcraft();
    let mut parts = layer(0, 0, 77);
    parts.header.texture_animation_id = I32::new(5);
    let layers = vec![builder.layer(&parts, vec![], vec![])];
    let (scene, report) = convert(builder, vec![material(builder, layers), textures()]);
    assert_eq!(scene.materials[0].layers[0].slots[0].texture, None);
    let messages: Vec<_> = report.of(NoteKind::Missing).map(|note| note.to_string()).collect();
    assert_eq!(
        messages,
        [
            "missing: Material[0]/Layer[0]: texture 77 does not exist",
            "missing: Material[0]/Layer[0]: texture animation 5 does not exist",
        ]
    );
}
