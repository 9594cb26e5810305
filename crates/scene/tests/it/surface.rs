//! One surface for a stack of layers: each mapping with texels calculated by hand.

use glam::{Vec3, Vec4, vec3, vec4};
use meshwright_scene::surface::{
    AlphaMode, Composite, Context, Dropped, Fold, Loss, Op, Surface, VertexColors, surface,
};
use meshwright_scene::*;

const FIRST: TextureId = TextureId(0);
const SECOND: TextureId = TextureId(1);
const THIRD: TextureId = TextureId(2);
const TEAM: TextureId = TextureId(3);
const BLUE: [u8; 3] = [0, 0, 255];

fn textures() -> [Texture; 4] {
    let team = Texture { replaceable: Some(Replaceable::TEAM_COLOR), ..Texture::default() };
    [Texture::default(), Texture::default(), Texture::default(), team]
}

fn map(layers: Vec<Layer>) -> Surface {
    map_with(layers, &Context { team_color: Some(BLUE), ..Context::default() })
}

fn map_with(layers: Vec<Layer>, context: &Context<'_>) -> Surface {
    let material = Material { layers, ..Material::default() };
    surface(&material, &Context { textures: &textures(), ..*context })
}

fn slot(texture: TextureId) -> TextureSlot {
    TextureSlot { texture: Some(texture), ..TextureSlot::default() }
}

fn layer(blend: BlendMode, texture: TextureId) -> Layer {
    Layer { blend, slots: vec![slot(texture)], ..Layer::default() }
}

fn unlit(blend: BlendMode, texture: TextureId) -> Layer {
    Layer { unlit: true, ..layer(blend, texture) }
}

fn lit_by(diffuse: Vec3, emissive: Vec3) -> Option<Lighting> {
    Some(Lighting { diffuse, emissive, ..Lighting::default() })
}

/// The texel of a picture where the three textures have these.
fn texel(picture: &Option<Composite>, texels: [Vec4; 3]) -> Vec4 {
    picture.as_ref().expect("a picture").texel(&|id| texels[id.index()])
}

#[track_caller]
fn assert_near(a: Vec4, b: Vec4) {
    assert!(a.abs_diff_eq(b, 2.5e-3), "{a} is not {b}");
}

fn shown(picture: TextureId) -> Option<Composite> {
    Some(Composite::Texture(picture))
}

#[test]
fn one_layer_is_itself() {
    let surface = map(vec![Layer {
        color: vec3(0.5, 1.0, 1.0),
        lighting: lit_by(vec3(0.5, 0.5, 1.0), Vec3::ZERO),
        two_sided: true,
        ..layer(BlendMode::Opaque, FIRST)
    }]);
    assert_eq!((surface.base.picture, surface.base.factor), (shown(FIRST), vec4(0.25, 0.5, 1.0, 1.0)));
    assert_eq!(surface.emissive.factor, vec4(0.0, 0.0, 0.0, 1.0));
    assert_eq!((surface.alpha_mode, surface.unlit), (AlphaMode::Opaque, false));
    assert!(surface.two_sided && surface.visible && surface.dropped.is_empty());
    assert_eq!(surface.tint.layer, Some(0));
}

#[test]
fn no_layers_are_a_white_surface() {
    let surface = map(vec![]);
    assert_eq!((surface.base.picture, surface.base.factor), (None, Vec4::ONE));
    assert!(surface.visible);
}

#[test]
fn a_night_building_glows_where_its_unlit_first_pass_does() {
    let surface = map(vec![unlit(BlendMode::Opaque, FIRST), layer(BlendMode::Add, SECOND)]);
    assert_eq!(surface.base.picture, shown(SECOND));
    assert_eq!(surface.emissive.picture, shown(FIRST));
    assert_eq!(surface.emissive.factor, Vec4::ONE);
    assert_eq!((surface.unlit, surface.alpha_mode, surface.layer), (false, AlphaMode::Opaque, 1));
    assert!(surface.dropped.is_empty());
    // Other coordinates do not matter: the two pictures stay apart.
    let mut second = layer(BlendMode::Add, SECOND);
    second.slots[0].uv_set = 1;
    let apart = map(vec![unlit(BlendMode::Opaque, FIRST), second]);
    assert_eq!((apart.base.coordinates.uv_set, apart.emissive.coordinates.uv_set), (1, 0));
    assert!(apart.dropped.is_empty());
}

#[test]
fn a_reflection_below_a_picture_leaves_the_picture_opaque() {
    let mut below = layer(BlendMode::Opaque, FIRST);
    below.slots[0].mapper = UvMapper::Environment(Environment::default());
    let surface = map(vec![below.clone(), layer(BlendMode::Alpha, SECOND)]);
    assert_eq!((surface.base.picture, surface.alpha_mode), (shown(SECOND), AlphaMode::Opaque));
    assert_eq!(surface.dropped, [Dropped { layer: 0, loss: Loss::Reflection }]);
    assert_eq!(surface.layer, 1);
    // Above a picture, it is dropped.
    below.blend = BlendMode::Add;
    let surface = map(vec![layer(BlendMode::Opaque, SECOND), below]);
    assert_eq!(surface.base.picture, shown(SECOND));
    assert_eq!(surface.dropped, [Dropped { layer: 1, loss: Loss::Reflection }]);
}

#[test]
fn an_unlit_layer_added_to_a_lit_one_is_emissive() {
    let mut glow = unlit(BlendMode::Additive, SECOND);
    glow.alpha = 0.5;
    let surface = map(vec![layer(BlendMode::Opaque, FIRST), glow]);
    assert_eq!((surface.base.picture, surface.unlit), (shown(FIRST), false));
    // Colour times the texture's alpha times the layer's.
    assert_near(surface.emissive.factor, vec4(0.5, 0.5, 0.5, 1.0));
    let emissive = texel(&surface.emissive.picture, [Vec4::ONE, vec4(0.8, 0.4, 0.2, 0.5), Vec4::ONE]);
    assert_near(emissive, vec4(0.4, 0.2, 0.1, 1.0));
    assert!(surface.dropped.is_empty());
}

#[test]
fn a_lit_layer_added_with_other_coordinates_glows() {
    let mut glow = layer(BlendMode::Add, SECOND);
    glow.slots[0].uv_set = 1;
    let surface = map(vec![layer(BlendMode::Opaque, FIRST), glow]);
    assert_eq!((surface.base.picture, surface.emissive.picture), (shown(FIRST), shown(SECOND)));
    assert!(surface.dropped.is_empty());
}

#[test]
fn an_untextured_first_pass_shows_through_by_alpha() {
    let below = Layer { lighting: lit_by(vec3(1.0, 0.0, 0.0), Vec3::ZERO), ..Layer::default() };
    let surface = map(vec![below.clone(), layer(BlendMode::Alpha, FIRST)]);
    let base = texel(&surface.base.picture, [vec4(0.0, 0.8, 0.4, 0.75), Vec4::ONE, Vec4::ONE]);
    // 0.75 · texture + 0.25 · red.
    assert_near(base, vec4(0.25, 0.6, 0.3, 1.0));
    assert_eq!((surface.alpha_mode, surface.layer), (AlphaMode::Opaque, 1));
    // Fully covered, nothing of it is left.
    let surface = map(vec![below, layer(BlendMode::Opaque, FIRST)]);
    assert_eq!(surface.base.picture, shown(FIRST));
    assert!(surface.dropped.is_empty());
}

#[test]
fn the_players_colour_shows_below_every_kind_of_layer() {
    let texels = [vec4(0.4, 0.2, 0.0, 0.5), Vec4::ONE, Vec4::ONE];
    let over = |top: Layer| {
        let surface = map(vec![layer(BlendMode::Opaque, TEAM), top]);
        assert_eq!((surface.alpha_mode, surface.layer), (AlphaMode::Opaque, 1));
        assert!(surface.dropped.is_empty());
        texel(&surface.base.picture, texels)
    };
    assert_near(over(layer(BlendMode::Alpha, FIRST)), vec4(0.2, 0.1, 0.5, 1.0));
    // Transparent: 0.5 does not reach 192/255, so the player's colour shows.
    let cut = Layer { alpha_test: Some(AlphaTest::WARCRAFT), ..layer(BlendMode::Opaque, FIRST) };
    assert_near(over(cut), vec4(0.0, 0.0, 1.0, 1.0));
    // Colour · alpha is added.
    assert_near(over(layer(BlendMode::Additive, FIRST)), vec4(0.2, 0.1, 1.0, 1.0));
    assert_near(over(layer(BlendMode::AddAlpha, FIRST)), vec4(0.2, 0.1, 1.0, 1.0));
    // The other way round: the colour alone, without a picture.
    let alone = map(vec![layer(BlendMode::Opaque, TEAM)]);
    assert_eq!((alone.base.picture, alone.base.factor), (None, vec4(0.0, 0.0, 1.0, 1.0)));
}

#[test]
fn a_cut_out_above_another_picture_is_cut_at_its_reference() {
    let cut = Layer { alpha_test: Some(AlphaTest::WARCRAFT), ..layer(BlendMode::Opaque, SECOND) };
    let surface = map(vec![layer(BlendMode::Opaque, FIRST), cut]);
    let at = |alpha: f32| {
        let texels = [vec4(0.1, 0.2, 0.3, 1.0), vec4(0.9, 0.8, 0.7, alpha / 255.0), Vec4::ONE];
        texel(&surface.base.picture, texels)
    };
    assert_near(at(191.0), vec4(0.1, 0.2, 0.3, 1.0));
    assert_near(at(192.0), vec4(0.9, 0.8, 0.7, 1.0));
}

#[test]
fn modulate_2x_doubles_the_product() {
    let surface = map(vec![layer(BlendMode::Opaque, FIRST), layer(BlendMode::Modulate2x, SECOND)]);
    let base =
        texel(&surface.base.picture, [vec4(0.5, 0.25, 0.8, 1.0), vec4(0.5, 0.25, 0.9, 0.3), Vec4::ONE]);
    // 2 · 0.5 · 0.5, 2 · 0.25 · 0.25, 2 · 0.8 · 0.9 clamped.
    assert_near(base, vec4(0.5, 0.125, 1.0, 1.0));
    assert_eq!(surface.alpha_mode, AlphaMode::Opaque);
}

#[test]
fn a_third_layer_goes_on_the_first_two() {
    let surface = map(vec![
        layer(BlendMode::Opaque, FIRST),
        layer(BlendMode::Alpha, SECOND),
        layer(BlendMode::Additive, THIRD),
    ]);
    let base = texel(
        &surface.base.picture,
        [vec4(0.2, 0.2, 0.2, 1.0), vec4(0.6, 0.4, 0.2, 0.5), vec4(0.5, 0.0, 0.0, 0.5)],
    );
    // (0.2 + 0.6) / 2 + 0.25, (0.2 + 0.4) / 2, 0.2.
    assert_near(base, vec4(0.65, 0.3, 0.2, 1.0));
    assert_eq!(surface.base.picture.expect("a picture").textures(), [FIRST, SECOND, THIRD]);
    assert!(surface.dropped.is_empty());
}

#[test]
fn lit_and_unlit_layers_share_a_surface_by_alpha() {
    let texels = [vec4(0.8, 0.8, 0.8, 1.0), vec4(0.4, 0.2, 0.0, 0.25), Vec4::ONE];
    let surface = map(vec![unlit(BlendMode::Opaque, FIRST), layer(BlendMode::Alpha, SECOND)]);
    assert_near(texel(&surface.base.picture, texels), vec4(0.1, 0.05, 0.0, 1.0));
    assert_near(texel(&surface.emissive.picture, texels), vec4(0.6, 0.6, 0.6, 1.0));
    let surface = map(vec![layer(BlendMode::Opaque, FIRST), unlit(BlendMode::Alpha, SECOND)]);
    assert_near(texel(&surface.base.picture, texels), vec4(0.6, 0.6, 0.6, 1.0));
    assert_near(texel(&surface.emissive.picture, texels), vec4(0.1, 0.05, 0.0, 1.0));
}

fn with_detail(color_combine: Combine, alpha_combine: Combine) -> Layer {
    let mut layer = unlit(BlendMode::Opaque, FIRST);
    let detail = TextureSlot { kind: SlotKind::Detail, color_combine, alpha_combine, ..slot(SECOND) };
    layer.slots.push(detail);
    layer
}

#[test]
fn detail_stages_follow_the_table() {
    let (c, t) = (vec4(0.5, 0.25, 0.0, 0.5), vec4(0.5, 0.5, 0.75, 0.25));
    let result = |combine| {
        let surface = map(vec![with_detail(combine, Combine::Scale)]);
        texel(&surface.base.picture, [c, t, Vec4::ONE])
    };
    let alpha = 0.125;
    for (combine, [r, g, b]) in [
        (Combine::Disable, [0.5, 0.25, 0.0]),
        (Combine::Detail, [0.5, 0.5, 0.75]),
        (Combine::Scale, [0.25, 0.125, 0.0]),
        (Combine::InverseScale, [0.75, 0.625, 0.75]),
        (Combine::Add, [1.0, 0.75, 0.75]),
        (Combine::Subtract, [0.0, 0.25, 0.75]),
        (Combine::SubtractReversed, [0.0, 0.0, 0.0]),
        // T·0.25 + C·0.75.
        (Combine::Blend, [0.5, 0.3125, 0.1875]),
        // T·0.5 + C·0.5.
        (Combine::DetailBlend, [0.5, 0.375, 0.375]),
        (Combine::AddSigned, [0.5, 0.25, 0.25]),
        (Combine::AddSigned2x, [1.0, 0.5, 0.5]),
        (Combine::Scale2x, [0.5, 0.25, 0.0]),
        // C + C.a·T.
        (Combine::ModulateAlphaAddColor, [0.75, 0.5, 0.375]),
    ] {
        assert_near(result(combine), vec4(r, g, b, alpha));
    }
    for (combine, alpha) in [
        (Combine::Disable, 0.5),
        (Combine::Detail, 0.25),
        (Combine::Scale, 0.125),
        (Combine::InverseScale, 0.625),
    ] {
        assert_near(Op::Stage(Combine::Disable, combine).apply(c, t), vec4(0.5, 0.25, 0.0, alpha));
    }
}

#[test]
fn a_detail_texture_added_to_a_lit_layer_is_not_lit() {
    let layer = Layer { unlit: false, ..with_detail(Combine::Add, Combine::Disable) };
    let surface = map(vec![layer]);
    assert_eq!((surface.base.picture, surface.emissive.picture), (shown(FIRST), shown(SECOND)));
}

#[test]
fn a_detail_texture_with_other_coordinates_is_dropped() {
    let mut layer = with_detail(Combine::Scale, Combine::Disable);
    layer.slots[1].uv_set = 1;
    let surface = map(vec![layer.clone()]);
    assert_eq!(surface.base.picture, shown(FIRST));
    assert_eq!(surface.dropped, [Dropped { layer: 0, loss: Loss::DetailCoordinates }]);
    layer.slots[1].mapper = UvMapper::Environment(Environment::default());
    assert_eq!(map(vec![layer.clone()]).dropped, [Dropped { layer: 0, loss: Loss::Reflection }]);
    // A missing one is not there, and a disabled one draws nothing.
    let found = |id: TextureId| (id == FIRST).then_some(1.0);
    let surface = map_with(vec![layer], &Context { coverage: &found, ..Context::default() });
    assert_eq!((surface.base.picture, surface.dropped), (shown(FIRST), vec![]));
}

#[test]
fn of_layers_with_other_coordinates_the_one_that_covers_most_stays() {
    let mut top = layer(BlendMode::Alpha, SECOND);
    top.slots[0].uv_set = 1;
    let layers = vec![layer(BlendMode::Opaque, FIRST), top];
    let covers = |share: f32| {
        map_with(layers.clone(), &Context { coverage: &move |_| Some(share), ..Context::default() })
    };
    let thin = covers(0.3);
    assert_eq!((thin.base.picture, thin.layer), (shown(FIRST), 0));
    assert_eq!(thin.dropped, [Dropped { layer: 1, loss: Loss::OtherCoordinates }]);
    let thick = covers(0.7);
    assert_eq!((thick.base.picture, thick.layer, thick.alpha_mode), (shown(SECOND), 1, AlphaMode::Opaque));
    assert_eq!(thick.dropped, [Dropped { layer: 0, loss: Loss::OtherCoordinates }]);
    // Multiplied, the one below stays.
    let mut layers = layers.clone();
    layers[1].blend = BlendMode::Modulate;
    assert_eq!(map(layers).dropped, [Dropped { layer: 1, loss: Loss::OtherCoordinates }]);
}

#[test]
fn layers_that_move_differently_have_other_coordinates() {
    let moving = |animation| Layer { uv_animation: animation, ..layer(BlendMode::Modulate, SECOND) };
    let still = layer(BlendMode::Opaque, FIRST);
    assert_eq!(map(vec![still.clone(), moving(Some(0))]).dropped.len(), 1);
    assert_eq!(map(vec![still, moving(None)]).dropped.len(), 0);
}

#[test]
fn black_diffuse_and_an_emissive_colour_are_unlit() {
    let glow = Layer {
        lighting: lit_by(Vec3::ZERO, vec3(0.2, 0.4, 0.6)),
        color_set: Some(0),
        ..layer(BlendMode::Opaque, FIRST)
    };
    let surface = map(vec![glow]);
    assert!(surface.unlit);
    assert_eq!((surface.base.picture, surface.base.factor), (shown(FIRST), vec4(0.2, 0.4, 0.6, 1.0)));
    assert_eq!(surface.vertex_colors, Some(VertexColors { set: 0, fold: Fold::None }));
    assert_eq!(surface.emissive.factor, vec4(0.0, 0.0, 0.0, 1.0));
}

#[test]
fn diffuse_and_emissive_together_do_not_exceed_one() {
    let both = |diffuse, emissive| {
        map(vec![Layer { lighting: lit_by(diffuse, emissive), ..layer(BlendMode::Opaque, FIRST) }])
    };
    let surface = both(Vec3::ONE, vec3(0.25, 0.25, 0.25));
    assert_eq!(
        (surface.base.factor, surface.emissive.factor),
        (vec4(0.75, 0.75, 0.75, 1.0), vec4(0.25, 0.25, 0.25, 1.0))
    );
    assert_eq!(surface.emissive.picture, shown(FIRST));
    // Full emissive light leaves nothing for other light to do.
    let surface = both(Vec3::ONE, Vec3::ONE);
    assert!(surface.unlit);
    assert_eq!(surface.base.factor, Vec4::ONE);
}

#[test]
fn opacity_counts_once() {
    let half = Layer {
        alpha: 0.5,
        lighting: Some(Lighting { opacity: 0.5, ..Lighting::default() }),
        ..layer(BlendMode::Alpha, FIRST)
    };
    let surface = map(vec![half]);
    assert_eq!((surface.base.factor.w, surface.alpha_mode), (0.5, AlphaMode::Blend));
}

#[test]
fn opacity_does_not_count_where_the_blend_mode_ignores_it() {
    // A muzzle flash: one, one, with opacity 0.
    let flash = Layer { alpha: 0.0, ..unlit(BlendMode::Add, FIRST) };
    let surface = map(vec![flash]);
    assert!(surface.visible);
    assert_eq!(surface.base.factor, Vec4::ONE);
    // By alpha it is invisible.
    let surface = map(vec![Layer { alpha: 0.0, ..unlit(BlendMode::Additive, FIRST) }]);
    assert!(!surface.visible);
}

#[test]
fn dim_light_becomes_transparent_instead_of_dark() {
    let mut glow = unlit(BlendMode::Additive, FIRST);
    (glow.color, glow.alpha, glow.color_set) = (vec3(0.5, 0.25, 0.0), 0.5, Some(0));
    let surface = map(vec![glow.clone()]);
    assert_eq!(surface.alpha_mode, AlphaMode::Blend);
    assert_near(surface.base.factor, vec4(1.0, 0.5, 0.0, 0.25));
    // The picture: (0.4, 0.2, 0.1) · 0.5 has a brightness of 0.2.
    let base = texel(&surface.base.picture, [vec4(0.4, 0.2, 0.1, 0.5), Vec4::ONE, Vec4::ONE]);
    assert_near(base, vec4(1.0, 0.5, 0.25, 0.2));
    assert_eq!(surface.vertex_colors, Some(VertexColors { set: 0, fold: Fold::Brightness }));
    assert_eq!(Fold::Brightness.apply_bytes([128, 64, 0, 128]), [255, 128, 0, 64]);
    // One, one: alpha never counted.
    glow.blend = BlendMode::Add;
    let surface = map(vec![glow]);
    assert_near(surface.base.factor, vec4(1.0, 0.5, 0.0, 0.5));
    let base = texel(&surface.base.picture, [vec4(0.4, 0.2, 0.1, 0.5), Vec4::ONE, Vec4::ONE]);
    assert_near(base, vec4(1.0, 0.5, 0.25, 0.4));
    assert_eq!(Fold::BrightnessOnly.apply_bytes([128, 64, 0, 7]), [255, 128, 0, 128]);
    assert_eq!(Fold::BrightnessOnly.apply_bytes([0, 0, 0, 255]), [255, 255, 255, 0]);
}

#[test]
fn what_multiplies_the_background_darkens_it_by_alpha() {
    let surface = map(vec![unlit(BlendMode::Modulate, FIRST)]);
    let at = |color: Vec3| texel(&surface.base.picture, [color.extend(1.0), Vec4::ONE, Vec4::ONE]);
    assert_near(at(Vec3::splat(0.25)), vec4(0.0, 0.0, 0.0, 0.75));
    // Over white, exactly the texture: alpha 0.75 of (1, 1/3, 0) and a quarter of white.
    assert_near(at(vec3(1.0, 0.5, 0.25)), vec4(1.0, 1.0 / 3.0, 0.0, 0.75));
    assert_near(at(Vec3::ONE), Vec4::ZERO);
    let doubled = map(vec![unlit(BlendMode::Modulate2x, FIRST)]);
    let at = |grey: f32| texel(&doubled.base.picture, [Vec4::splat(grey), Vec4::ONE, Vec4::ONE]);
    assert_near(at(0.25), vec4(0.0, 0.0, 0.0, 0.5));
    assert_near(at(0.5), Vec4::ZERO);
    // One and a half times as bright: a quarter of white.
    assert_near(at(0.75), vec4(1.0, 1.0, 1.0, 0.25));
    assert_eq!(surface.alpha_mode, AlphaMode::Blend);
}

#[test]
fn a_blended_layer_without_its_texture_is_invisible() {
    let missing = Context { coverage: &|_| None, ..Context::default() };
    for blend in [BlendMode::Add, BlendMode::Alpha, BlendMode::Additive, BlendMode::Modulate] {
        let surface = map_with(vec![layer(blend, FIRST)], &missing);
        assert!(!surface.visible, "{blend:?}");
        assert_eq!(surface.dropped, [Dropped { layer: 0, loss: Loss::MissingTexture }]);
    }
    // An opaque one is plain, and so is a blended one that never had a texture.
    let plain = map_with(vec![layer(BlendMode::Opaque, FIRST)], &missing);
    assert!(plain.visible && plain.base.picture.is_none() && plain.dropped.is_empty());
    let untextured = Layer { blend: BlendMode::Alpha, ..Layer::default() };
    assert!(map_with(vec![untextured], &missing).visible);
    // Among others, it alone is left out.
    let found = |id: TextureId| (id == FIRST).then_some(1.0);
    let context = Context { coverage: &found, ..Context::default() };
    let surface = map_with(vec![layer(BlendMode::Opaque, FIRST), layer(BlendMode::Add, SECOND)], &context);
    assert_eq!((surface.visible, surface.base.picture), (true, shown(FIRST)));
    assert_eq!(surface.dropped, [Dropped { layer: 1, loss: Loss::MissingTexture }]);
}

#[test]
fn cut_outs_keep_their_reference() {
    let cut = Layer { alpha_test: Some(AlphaTest::W3D), ..layer(BlendMode::Opaque, FIRST) };
    assert_eq!(map(vec![cut.clone()]).alpha_mode, AlphaMode::Mask(96.0 / 255.0));
    // W3D writes cut-outs with blending left on, too.
    let blended = Layer { blend: BlendMode::Alpha, ..cut.clone() };
    assert_eq!(map(vec![blended]).alpha_mode, AlphaMode::Mask(96.0 / 255.0));
    let inverted = Layer { alpha_test: Some(AlphaTest::W3D_INVERTED), ..cut };
    assert_eq!(map(vec![inverted]).dropped, [Dropped { layer: 0, loss: Loss::InvertedAlphaTest }]);
}

#[test]
fn gradients_of_w3d() {
    let gradient = |gradient, diffuse| {
        map(vec![Layer {
            gradient,
            lighting: lit_by(Vec3::splat(diffuse), Vec3::ZERO),
            ..layer(BlendMode::Opaque, FIRST)
        }])
    };
    // Twice a quarter is a half.
    assert_eq!(gradient(Gradient::Modulate2x, 0.25).base.factor, vec4(0.5, 0.5, 0.5, 1.0));
    // Twice 0.75 needs the picture: 2 · 0.75 · 0.5.
    let surface = gradient(Gradient::Modulate2x, 0.75);
    let base = texel(&surface.base.picture, [vec4(0.5, 0.2, 1.0, 1.0), Vec4::ONE, Vec4::ONE]);
    assert_near(base, vec4(0.75, 0.3, 1.0, 1.0));
    // The texture is added to the lit colour.
    let surface = gradient(Gradient::Add, 0.5);
    assert_eq!((surface.base.picture, surface.base.factor), (None, vec4(0.5, 0.5, 0.5, 1.0)));
    assert_eq!(surface.emissive.picture, shown(FIRST));
    let surface = gradient(Gradient::BumpEnvironment, 0.5);
    assert_eq!(surface.base.picture, None);
    assert_eq!(surface.dropped, [Dropped { layer: 0, loss: Loss::BumpMap }]);
}

#[test]
fn the_colour_and_opacity_of_the_mesh_always_count() {
    let mesh = Mesh { color: vec3(1.0, 0.5, 0.0), alpha: 0.5, uv_sets: vec![vec![]], ..Mesh::default() };
    let material = Material {
        constant_color: true,
        layers: vec![layer(BlendMode::Opaque, FIRST)],
        ..Material::default()
    };
    let context = Context { mesh: Some(&mesh), ..Context::default() };
    let faded = surface(&material, &context);
    assert_eq!((faded.base.factor, faded.alpha_mode), (vec4(1.0, 0.5, 0.0, 0.5), AlphaMode::Blend));
    assert_eq!(faded.tint.factor((Vec3::ONE, 1.0), (Vec3::ONE, 0.25)), vec4(1.0, 1.0, 1.0, 0.25));
    let hidden = Mesh { alpha: 0.0, ..mesh.clone() };
    assert!(!surface(&material, &Context { mesh: Some(&hidden), ..context }).visible);
}

#[test]
fn a_mesh_without_coordinates_has_no_picture() {
    let mesh = Mesh::default();
    let surface = map_with(
        vec![Layer { color_set: Some(0), ..layer(BlendMode::Opaque, FIRST) }],
        &Context { mesh: Some(&mesh), ..Context::default() },
    );
    assert_eq!((surface.base.picture, surface.vertex_colors), (None, None));
}

#[test]
fn the_team_mask_of_hd_materials_tints() {
    let mut hd = layer(BlendMode::Opaque, FIRST);
    hd.slots.push(TextureSlot { kind: SlotKind::OcclusionRoughnessMetal, ..slot(SECOND) });
    hd.slots.push(TextureSlot { kind: SlotKind::TeamColor, ..slot(TEAM) });
    hd.slots.push(TextureSlot { kind: SlotKind::Emissive, ..slot(THIRD) });
    hd.emissive_gain = 2.5;
    let surface = map(vec![hd]);
    let base = texel(&surface.base.picture, [vec4(0.8, 0.6, 0.4, 1.0), vec4(1.0, 1.0, 1.0, 0.5), Vec4::ONE]);
    // Blue by half: (0.5, 0.5, 1) of the texture.
    assert_near(base, vec4(0.4, 0.3, 0.4, 1.0));
    assert_eq!(surface.emissive.picture, shown(THIRD));
    assert_eq!(surface.emissive.factor, vec4(2.5, 2.5, 2.5, 1.0));
}

#[test]
fn house_colour_meshes_take_the_players_colour() {
    let layers = vec![Layer { lighting: lit_by(Vec3::splat(0.5), Vec3::ZERO), ..Layer::default() }];
    let material = Material { house_color: true, layers, ..Material::default() };
    let context = Context { team_color: Some([255, 0, 51]), ..Context::default() };
    assert_near(surface(&material, &context).base.factor, vec4(1.0, 0.0, 0.2, 1.0));
    // Without a player, as in the file.
    assert_near(surface(&material, &Context::default()).base.factor, vec4(0.5, 0.5, 0.5, 1.0));
}

#[test]
fn vertex_colours_replace_the_diffuse_colour_where_there_is_an_emissive_one() {
    let lighting = lit_by(vec3(0.2, 0.2, 0.2), vec3(0.1, 0.1, 0.1));
    let layer = Layer { color_set: Some(0), lighting, ..layer(BlendMode::Opaque, FIRST) };
    let surface = map(vec![layer]);
    assert_near(surface.base.factor, vec4(0.9, 0.9, 0.9, 1.0));
}

#[test]
fn vertex_colours_of_a_second_layer_are_dropped() {
    let surface = map(vec![
        layer(BlendMode::Opaque, FIRST),
        Layer { color_set: Some(0), ..layer(BlendMode::Alpha, SECOND) },
    ]);
    assert_eq!(surface.vertex_colors, None);
    assert_eq!(surface.dropped, [Dropped { layer: 1, loss: Loss::VertexColors }]);
}

#[test]
fn ambient_light_stands_for_direct_light_where_that_has_no_colour() {
    let lighting = Lighting { ambient: vec3(0.5, 0.25, 0.0), diffuse: Vec3::ZERO, ..Lighting::default() };
    let surface = map(vec![Layer { lighting: Some(lighting), ..layer(BlendMode::Opaque, FIRST) }]);
    assert_eq!((surface.base.factor, surface.unlit), (vec4(0.5, 0.25, 0.0, 1.0), false));
}

#[test]
fn an_emissive_texture_without_gain_does_not_shine() {
    let mut dark = layer(BlendMode::Opaque, FIRST);
    dark.slots.push(TextureSlot { kind: SlotKind::Emissive, ..slot(SECOND) });
    dark.emissive_gain = 0.0;
    assert_eq!(map(vec![dark.clone()]).emissive.picture, None);
    dark.emissive_gain = f32::NAN;
    assert_eq!(map(vec![dark]).emissive.factor, Vec4::ONE);
}

#[test]
fn a_detail_texture_scales_what_glows_too() {
    let mut glowing = Layer { unlit: false, ..with_detail(Combine::Scale, Combine::Disable) };
    glowing.lighting = lit_by(Vec3::splat(0.5), Vec3::splat(0.5));
    let surface = map(vec![glowing]);
    let texels = [vec4(0.8, 0.4, 0.2, 1.0), Vec4::splat(0.5), Vec4::ONE];
    // Texture, times a half for each of the two lights, times the detail.
    assert_near(texel(&surface.base.picture, texels), vec4(0.2, 0.1, 0.05, 1.0));
    assert_near(texel(&surface.emissive.picture, texels), vec4(0.2, 0.1, 0.05, 1.0));
}

#[test]
fn faint_layers_are_not_drawn_and_dim_ones_are() {
    let alpha = |alpha| map(vec![Layer { alpha, ..layer(BlendMode::Alpha, FIRST) }]).visible;
    assert!(!alpha(0.003) && alpha(0.005));
    let added = |alpha| {
        map(vec![layer(BlendMode::Opaque, FIRST), Layer { alpha, ..layer(BlendMode::Additive, SECOND) }])
    };
    assert_eq!(added(0.003).base.picture, shown(FIRST));
    assert_ne!(added(0.1).base.picture, shown(FIRST));
}

#[test]
fn opacity_is_part_of_how_much_a_layer_covers() {
    let mut top = Layer { alpha: 0.6, ..layer(BlendMode::Alpha, SECOND) };
    top.slots[0].uv_set = 1;
    let covers = |share: f32| {
        let layers = vec![layer(BlendMode::Opaque, FIRST), top.clone()];
        map_with(layers, &Context { coverage: &move |_| Some(share), ..Context::default() })
    };
    // 0.8 of 0.6 is less than a half.
    assert_eq!(covers(0.8).base.picture, shown(FIRST));
    // A layer that replaces opaque layers is opaque.
    let whole = covers(1.0);
    assert_eq!((whole.base.picture, whole.base.factor.w), (shown(SECOND), 1.0));
}

#[test]
fn colours_of_layer_and_mesh_tint_what_glows() {
    let (tint, mesh_tint) = (vec3(0.5, 1.0, 1.0), vec3(1.0, 0.5, 1.0));
    let mesh = Mesh { color: mesh_tint, uv_sets: vec![vec![]], ..Mesh::default() };
    let context = Context { mesh: Some(&mesh), ..Context::default() };
    let glowing = Layer {
        color: tint,
        lighting: lit_by(Vec3::splat(0.5), Vec3::splat(0.5)),
        ..layer(BlendMode::Opaque, FIRST)
    };
    assert_near(map_with(vec![glowing.clone()], &context).emissive.factor, vec4(0.25, 0.25, 0.5, 1.0));
    // The same if another layer follows.
    let surface = map_with(vec![glowing, layer(BlendMode::Modulate, SECOND)], &context);
    let emissive = texel(&surface.emissive.picture, [Vec4::ONE; 3]);
    assert_near(emissive * surface.emissive.factor, vec4(0.25, 0.25, 0.5, 1.0));
}

#[test]
fn what_multiplies_the_layers_below_multiplies_their_glow() {
    let glowing =
        Layer { lighting: lit_by(Vec3::splat(0.5), Vec3::splat(0.5)), ..layer(BlendMode::Opaque, FIRST) };
    let surface = map(vec![glowing, layer(BlendMode::Modulate, SECOND)]);
    let texels = [vec4(0.8, 0.8, 0.8, 1.0), vec4(0.5, 0.25, 1.0, 1.0), Vec4::ONE];
    assert_near(texel(&surface.base.picture, texels), vec4(0.2, 0.1, 0.4, 1.0));
    assert_near(texel(&surface.emissive.picture, texels), vec4(0.2, 0.1, 0.4, 1.0));
}

#[test]
fn sides_follow_the_layer_that_is_shown() {
    for two_sided in [false, true] {
        let mut reflection = layer(BlendMode::Opaque, FIRST);
        reflection.slots[0].mapper = UvMapper::Environment(Environment::default());
        reflection.two_sided = !two_sided;
        let picture = Layer { two_sided, ..layer(BlendMode::Alpha, SECOND) };
        assert_eq!(map(vec![reflection, picture]).two_sided, two_sided);
    }
}

#[test]
fn an_unlit_surface_cannot_also_glow() {
    let mut second = unlit(BlendMode::Add, SECOND);
    second.slots[0].uv_set = 1;
    let surface = map(vec![unlit(BlendMode::Opaque, FIRST), second]);
    assert!(surface.unlit && surface.emissive.picture.is_none());
    assert_eq!(surface.dropped, [Dropped { layer: 1, loss: Loss::OtherCoordinates }]);
}

#[test]
fn a_glow_without_anything_lit_is_an_unlit_surface() {
    // The lit layer is a reflection, so only the unlit one is left.
    let mut reflection = layer(BlendMode::Add, SECOND);
    reflection.slots[0].mapper = UvMapper::Environment(Environment::default());
    let surface = map(vec![unlit(BlendMode::Opaque, FIRST), reflection]);
    assert!(surface.unlit);
    assert_eq!((surface.base.picture, surface.emissive.picture), (shown(FIRST), None));
}

#[test]
fn animated_colours_of_a_composite_are_the_meshs_only() {
    let faded = Layer { color: vec3(0.5, 0.5, 0.5), ..layer(BlendMode::Alpha, FIRST) };
    let surface = map(vec![layer(BlendMode::Opaque, TEAM), faded]);
    assert_eq!(surface.tint.layer, None);
    assert_eq!(surface.tint.factor((Vec3::ZERO, 0.0), (vec3(1.0, 0.5, 1.0), 0.5)), vec4(1.0, 0.5, 1.0, 0.5));
}

#[test]
fn factors_without_a_name_follow_their_formula() {
    use BlendFactor::*;
    let blend = |source, destination| {
        let mode = BlendMode::from_factors(source, destination);
        Op::Blend(mode).apply(vec4(0.5, 0.25, 1.0, 1.0), vec4(0.5, 0.5, 0.25, 0.25)).truncate()
    };
    // source · (1 - destination) + destination.
    assert_near(blend(OneMinusDestinationColor, One).extend(0.0), vec4(0.75, 0.625, 1.0, 0.0));
    // source · destination + destination · (1 - source alpha).
    assert_near(blend(DestinationColor, OneMinusSourceAlpha).extend(0.0), vec4(0.625, 0.3125, 1.0, 0.0));
    // source · (1 - alpha) + destination · alpha.
    assert_near(blend(OneMinusSourceAlpha, SourceAlpha).extend(0.0), vec4(0.5, 0.4375, 0.4375, 0.0));
    // source + destination · (1 - source): screen.
    assert_near(blend(One, OneMinusSourceColor).extend(0.0), vec4(0.75, 0.625, 1.0, 0.0));
    assert_near(blend(Zero, Zero).extend(0.0), Vec4::ZERO);
}

#[test]
fn a_reflection_with_a_damaged_coordinate_set_uses_the_first_set_of_the_mesh() {
    let mut reflection = layer(BlendMode::Opaque, FIRST);
    reflection.slots[0].mapper = UvMapper::Environment(Environment::default());
    // The bits of a NaN, as found in a damaged file.
    reflection.slots[0].uv_set = f32::NAN.to_bits();
    let set_of = |uv_sets: usize| {
        let mesh = Mesh { uv_sets: vec![Vec::new(); uv_sets], ..Mesh::default() };
        let surface =
            map_with(vec![reflection.clone()], &Context { mesh: Some(&mesh), ..Context::default() });
        surface.base.picture.map(|_| surface.base.coordinates.uv_set)
    };
    assert_eq!(set_of(2), Some(0));
    // Without coordinates there is nothing to show it with.
    assert_eq!(set_of(0), None);
}

/// Windows of 0.5 on walls of 0.5 are white in the game. As linear light they would be 0.69 (sRGB).
#[test]
fn added_light_is_as_bright_as_in_the_game() {
    let walls = layer(BlendMode::Opaque, FIRST);
    let surface = map(vec![walls.clone(), unlit(BlendMode::Add, SECOND)]);
    let light = surface.added_light();
    let texels = [Vec4::splat(0.5), vec4(0.5, 0.25, 0.0, 1.0), Vec4::ONE];
    let seen = |base: f32, light: f32| color::encoded(color::linear(base) + color::linear(light));
    let emitted = texel(&light.picture, texels) * light.factor;
    assert_near(
        vec4(seen(0.5, emitted.x), seen(0.5, emitted.y), seen(0.5, emitted.z), 1.0),
        vec4(1.0, 0.75, 0.5, 1.0),
    );
    // Where both have the same picture, a factor says it, and the picture stays.
    let glowing = Layer { lighting: lit_by(Vec3::splat(0.5), vec3(0.5, 0.2, 0.0)), ..walls.clone() };
    let surface = map(vec![glowing]);
    let light = surface.added_light();
    assert_eq!(light.picture, shown(FIRST));
    let share = 0.8_f32;
    let seen = |index: usize| {
        let base = color::linear(share) * color::linear(surface.base.factor[index]);
        color::encoded(base + color::linear(share) * color::linear(light.factor[index]))
    };
    // The dark end of sRGB is no power, so that the product of two shares is off a little.
    let (seen, wanted) = (vec4(seen(0), seen(1), seen(2), 1.0), vec4(0.8, 0.8 * 0.7, 0.4, 1.0));
    assert!(seen.abs_diff_eq(wanted, 0.02), "{seen} is not {wanted}");
    // Different coordinates cannot be composited.
    let mut apart = unlit(BlendMode::Add, SECOND);
    apart.slots[0].uv_set = 1;
    let surface = map(vec![walls, apart]);
    assert_eq!(surface.added_light(), surface.emissive);
}
