//! What a model of one family looks like in the other.

use glam::Vec3;
use meshwright_convert::author::{mdx, w3d};
use meshwright_convert::w3d::{Library, to_scene};
use scene::{
    BlendMode, Channel, Curve, Interpolation, Layer, LayerProperty, Lighting, Material, MaterialId, Part,
    Replaceable, Scene, SlotKind, Target, Texture, TextureId, TextureSlot, Track,
};

use super::arm;

/// A layer with a texture.
fn layer(texture: u32, blend: BlendMode) -> Layer {
    let texture = Some(TextureId(texture));
    Layer {
        blend,
        slots: vec![TextureSlot { kind: SlotKind::Diffuse, texture, ..TextureSlot::default() }],
        ..Layer::default()
    }
}

/// [`arm::scene`] with these layers, and a clip of four frames per second in which it stands.
fn arm(layers: Vec<Layer>) -> Scene {
    let mut scene = arm::scene();
    scene.meshes[0].parts = vec![Part { material: Some(MaterialId(0)), start: 0, count: 3 }];
    scene.materials = vec![Material { layers, ..Material::default() }];
    scene.textures = vec![Texture { name: "skin.blp".into(), ..Texture::default() }];
    scene.clips[0].name = "Stand".into();
    scene.clips[0].frame_rate = Some(4.0);
    scene
}

/// The alpha of a layer of the only material, from 0 to 1 in the second half of a second.
fn fade_in(layer: u32) -> Channel {
    let target = Target::Layer(MaterialId(0), layer, LayerProperty::Alpha);
    let track = Track::new(Interpolation::Linear, [(0.0, 0.0), (0.5, 0.0), (1.0, 1.0)]);
    Channel { target, curve: Curve::Scalar(track) }
}

fn to_w3d(scene: &Scene) -> (::w3d::W3d<'static>, Vec<String>) {
    let (mut files, report) = w3d::to_w3d(scene, &w3d::Options::default()).unwrap();
    (files.remove(0).document, report.notes.into_iter().map(|note| note.message).collect())
}

/// The opacities of the materials of the first mesh.
fn opacities(file: &::w3d::W3d<'_>) -> Vec<f32> {
    let mesh = file.meshes().next().unwrap();
    mesh.vertex_materials().map(|material| material.info().unwrap().opacity.get()).collect()
}

#[test]
fn opacity_without_effect_in_w3d_does_not_hide_a_layer_in_mdx() {
    // Westwood's muzzle flashes have an opacity of 0: their blending is (one, one), which ignores it.
    let mut flash = layer(0, BlendMode::Add);
    flash.lighting = Some(Lighting { emissive: Vec3::ONE, opacity: 0.0, ..Lighting::default() });
    // Where the opacity has an effect, the reader puts it into the alpha.
    let mut glass = layer(0, BlendMode::Alpha);
    glass.alpha = 0.5;
    glass.lighting = Some(Lighting { opacity: 0.5, ..Lighting::default() });
    let (document, _) = mdx::to_mdx(&arm(vec![flash, glass]), &mdx::Options::default()).unwrap();
    let alphas = document.materials().flat_map(|material| {
        material.layers().map(|layer| layer.parts.header.alpha.get()).collect::<Vec<_>>()
    });
    assert_eq!(alphas.collect::<Vec<_>>(), [1.0, 0.5]);
}

#[test]
fn a_mesh_whose_layers_all_fade_is_hidden_while_none_shows() {
    let mut scene = arm(vec![layer(0, BlendMode::Additive)]);
    scene.clips[0].channels.push(fade_in(0));
    let (file, notes) = to_w3d(&scene);
    let again = to_scene(&Library::new(&file), None, &Default::default()).0;
    let node = again.meshes[0].node.unwrap();
    let channels = &again.clips[0].channels;
    let shown = channels.iter().find(
        |channel| matches!(channel.target, Target::Node(at, scene::NodeProperty::Visibility) if at == node),
    );
    let shown = &shown.expect("the mesh is switched on and off").curve;
    let at = |time| shown.sample(time) == Some(scene::Value::Flag(true));
    assert_eq!([0.0, 0.25, 0.5, 0.75, 1.0].map(at), [false, false, false, true, true]);
    // Its opacity is the mean while it shows, from 0 to 1.
    let opacities = opacities(&file);
    assert!((opacities[0] - 0.5).abs() < 0.05, "{opacities:?}");
    assert!(!notes.iter().any(|note| note.contains("cannot animate")), "{notes:?}");
}

#[test]
fn a_mesh_that_fades_has_one_opacity_while_it_shows() {
    let fading = |track: &[(f32, f32)], blend| {
        let mut scene = arm(vec![layer(0, blend)]);
        let target = Target::Mesh(scene::MeshId(0), scene::MeshProperty::Alpha);
        let curve = Curve::Scalar(Track::new(Interpolation::Linear, track.iter().copied()));
        scene.clips[0].channels.push(Channel { target, curve });
        let (file, _) = to_w3d(&scene);
        opacities(&file)[0]
    };
    // Its mean while the model stands.
    let pulse = [(0.0, 0.25), (0.5, 0.75), (1.0, 0.25)];
    assert!((fading(&pulse, BlendMode::Additive) - 0.5).abs() < 0.01);
    // The most if it is only seen in other clips; here not at all.
    assert_eq!(fading(&[(0.0, 0.0)], BlendMode::Additive), 0.0);
    // Opaque surfaces stay opaque.
    assert_eq!(fading(&pulse, BlendMode::Opaque), 1.0);
}

#[test]
fn a_constant_track_is_the_opacity_of_its_layer() {
    let constant = |at: u32, alpha: f32| {
        let target = Target::Layer(MaterialId(0), at, LayerProperty::Alpha);
        Channel { target, curve: Curve::Scalar(Track::new(Interpolation::Linear, [(0.0, alpha)])) }
    };
    let mut scene = arm(vec![layer(0, BlendMode::Alpha), layer(0, BlendMode::Additive)]);
    scene.clips[0].channels.extend([constant(0, 0.875), constant(1, 0.5)]);
    let (file, _) = to_w3d(&scene);
    let opacities = opacities(&file);
    assert_eq!(opacities, [0.875, 0.5]);
    let pivots = file.hierarchies().next().unwrap().pivots().len();
    assert_eq!(pivots, 3, "the mesh never vanishes, so it needs no bone that hides it");
}

#[test]
fn a_layer_that_fades_on_another_has_its_mean_opacity_while_the_model_stands() {
    let mut scene = arm(vec![layer(0, BlendMode::Opaque), layer(0, BlendMode::Additive)]);
    scene.clips[0].channels.push(fade_in(1));
    let (file, notes) = to_w3d(&scene);
    let opacities = opacities(&file);
    // Half of the time nothing, then 0 to 1: a quarter, a little less because the last of 16 samples is before the end.
    assert_eq!(opacities[0], 1.0);
    assert!((0.2..=0.25).contains(&opacities[1]), "{opacities:?}");
    assert!(notes.iter().any(|note| note.contains("1 channel of")), "{notes:?}");
}

#[test]
fn team_colours_of_warcraft_survive_in_generals() {
    let mut scene = arm(vec![layer(0, BlendMode::Opaque)]);
    scene.textures = vec![Texture { replaceable: Some(Replaceable::TEAM_COLOR), ..Texture::default() }];
    let (file, notes) = to_w3d(&scene);
    assert_eq!(file.meshes().next().unwrap().texture_names(), ["ZHCA_TeamColor.tga"]);
    assert!(notes.iter().any(|note| note.contains("Warcraft III supplies texture 1")), "{notes:?}");
    let again = to_scene(&Library::new(&file), None, &Default::default()).0;
    let (back, _) = mdx::to_mdx(&again, &mdx::Options::default()).unwrap();
    let textures: Vec<(u32, String)> = back
        .textures()
        .iter()
        .map(|texture| (texture.replaceable_id.get(), texture.path.to_string()))
        .collect();
    assert_eq!(textures, [(1, String::new())]);
    assert_eq!(back.materials().next().unwrap().layers().count(), 1);
}

#[test]
fn other_textures_that_warcraft_supplies_are_not_taken_for_a_glow() {
    let mut scene = arm(vec![layer(0, BlendMode::Opaque)]);
    scene.textures = vec![Texture { replaceable: Some(Replaceable::TREE), ..Texture::default() }];
    let (file, notes) = to_w3d(&scene);
    assert_eq!(file.meshes().next().unwrap().texture_names(), ["Replaceable31.tga"]);
    assert!(notes.iter().any(|note| note.contains("put a picture of that name")), "{notes:?}");
}

#[test]
fn what_only_blends_is_drawn_after_layers_that_blend_on_an_opaque_one() {
    let mut scene = arm(vec![layer(0, BlendMode::Add)]);
    let mut hull = Material { layers: vec![layer(1, BlendMode::Opaque)], ..Material::default() };
    scene.textures.push(Texture {
        name: "ZHCA_Tank.tga".into(),
        house_color: Some(scene::team_color::HouseColor::Hue),
        ..Texture::default()
    });
    scene.materials.push(hull.clone());
    hull.layers[0].blend = BlendMode::Alpha;
    hull.priority_plane = -3;
    scene.materials.push(hull);
    let planes = |complete| {
        let options = mdx::Options { complete, ..mdx::Options::default() };
        let (document, _) = mdx::to_mdx(&scene, &options).unwrap();
        document.materials().map(|material| material.priority_plane()).collect::<Vec<_>>()
    };
    // The texture of the hull is blended on the team colour.
    assert_eq!(planes(true), [1, 0, -3]);
    assert_eq!(planes(false), [0, 0, -3], "a model of Warcraft III keeps its order");
}

/// The colours of the geosets of a model of two triangles with these vertex colours, and whether the report has a loss of colours.
fn geoset_colors(colors: [[u8; 4]; 6], lighting: Lighting) -> (Vec<[f32; 3]>, bool) {
    let lit = Layer { color_set: Some(0), lighting: Some(lighting), ..layer(0, BlendMode::Opaque) };
    let mut scene = arm(vec![lit]);
    let mesh = &mut scene.meshes[0];
    mesh.positions = mesh.positions.repeat(2);
    mesh.normals = mesh.normals.repeat(2);
    mesh.uv_sets = vec![mesh.uv_sets[0].repeat(2)];
    mesh.indices = vec![0, 1, 2, 3, 4, 5].into();
    mesh.parts[0].count = 6;
    mesh.color_sets = vec![colors.to_vec()];
    let (document, report) = mdx::to_mdx(&scene, &mdx::Options::default()).unwrap();
    assert!(document.geosets().all(|geoset| geoset.positions().len() == 6 / document.geosets().count()));
    let colors = document.geoset_animations().map(|animation| animation.color.unwrap()).collect();
    (colors, report.notes.iter().any(|note| note.message.contains("vertex colours")))
}

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

#[test]
fn triangles_of_one_vertex_colour_each_keep_their_colours() {
    let two = vec![[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
    let found = geoset_colors([RED, RED, RED, BLUE, BLUE, BLUE], Lighting::default());
    assert_eq!(found, (two.clone(), false));
    // A triangle of two colours has that of most of its corners, which is a loss.
    assert_eq!(geoset_colors([RED, RED, RED, BLUE, RED, BLUE], Lighting::default()), (two, true));
}

#[test]
fn vertex_colours_next_to_emitted_light_do_not_darken_it() {
    let lighting = Lighting { emissive: Vec3::new(0.0, 0.5, 0.0), ..Lighting::default() };
    assert_eq!(geoset_colors([RED; 6], lighting), (vec![[1.0, 0.5, 0.0]], false));
}
