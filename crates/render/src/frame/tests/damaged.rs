//! Scenes that no valid file produces.

use super::*;
use scene::{ClipId, Joint, Node, NodeId, Skin};

fn all_options() -> Vec<Options> {
    let mut all = Vec::new();
    for family in [Family::W3d, Family::Mdx] {
        for (time, aspect) in [(0.0, 1.0), (f32::NAN, f32::NAN), (f32::INFINITY, 0.0), (-1e30, -5.0)] {
            let overlays = Overlays {
                wireframe: Wireframe::Over,
                grid: true,
                bones: true,
                extents: true,
                collision: true,
                normals: true,
                attachments: true,
                cameras: true,
            };
            let clip = Some(ClipId(7));
            all.push(Options { clip, time, aspect, overlays, level: LevelChoice::Auto, ..options(family) });
        }
    }
    all
}

/// Draws a scene in all ways and checks that every index is valid and every number finite.
fn survives(scene: &Scene) {
    for options in all_options() {
        let frame = frame(scene, &options);
        assert!(frame.camera.view.is_finite() && frame.camera.projection.is_finite());
        assert!(frame.indices.iter().all(|index| (*index as usize) < frame.vertices.len()));
        for draw in frame.draws.iter().filter(|draw| draw.topology == Topology::Triangles) {
            assert!(draw.indices.end as usize <= frame.indices.len() && draw.indices.len().is_multiple_of(3));
            let corners = &frame.indices[draw.indices.start as usize..draw.indices.end as usize];
            assert!(corners.iter().all(|index| frame.vertices[*index as usize].position.is_finite()));
        }
        let sound = |vertex: &Vertex| vertex.color.is_finite() && vertex.uv.iter().all(|uv| uv.is_finite());
        assert!(frame.vertices.iter().all(sound));
    }
}

#[test]
fn an_empty_scene_is_an_empty_frame() {
    survives(&Scene::default());
    assert!(frame(&Scene::default(), &options(Family::Mdx)).draws.is_empty());
}

#[test]
fn ids_out_of_range_are_ignored() {
    let mut scene = scene(vec![vec![layer(BlendMode::Opaque, 99)], vec![layer(BlendMode::Alpha, 0)]]);
    scene.meshes[0].node = Some(NodeId(50));
    scene.meshes[1].parts[0].material = Some(MaterialId(70));
    scene.meshes[1].indices = vec![0, 1, 99, 0, 1, 2, 7].into();
    scene.meshes[1].parts.push(Part { material: Some(MaterialId(0)), start: 2, count: u32::MAX });
    scene.meshes[1].parts.push(Part { material: None, start: u32::MAX, count: 3 });
    scene.materials[1].layers[0].slots[0].uv_set = 40;
    scene.materials[1].layers[0].color_set = Some(9);
    survives(&scene);
}

#[test]
fn triangles_with_nan_are_dropped() {
    let mut scene = scene(vec![vec![layer(BlendMode::Opaque, 0)], vec![layer(BlendMode::Opaque, 0)]]);
    scene.meshes[0].positions[1].y = f32::NAN;
    scene.meshes[1].normals[1] = Vec3::NAN;
    scene.meshes[1].uv_sets[0][0] = Vec2::splat(f32::INFINITY);
    survives(&scene);
    assert_eq!(sources(&frame(&scene, &options(Family::Mdx))), [(1, 0)]);
}

#[test]
fn broken_skins_and_circles_of_nodes_survive() {
    let mut scene = scene(vec![vec![layer(BlendMode::Opaque, 0)]]);
    scene.nodes = vec![
        Node { parent: Some(NodeId(1)), ..Node::default() },
        Node { parent: Some(NodeId(0)), ..Node::default() },
    ];
    let mut skin = Skin {
        joints: vec![Joint { node: NodeId(90), inverse_bind: glam::Affine3A::IDENTITY }],
        ..Skin::default()
    };
    skin.push_equal(&[5, 0]);
    skin.push_equal(&[]);
    scene.meshes[0].skin = Some(skin);
    survives(&scene);
}

#[test]
fn numbers_that_are_no_colours_are_clamped() {
    let broken =
        Lighting { ambient: Vec3::NAN, diffuse: Vec3::INFINITY, opacity: f32::NAN, ..Lighting::default() };
    let mut scene = scene(vec![vec![lit(broken, Layer { specular: true, ..layer(BlendMode::Alpha, 0) })]]);
    scene.meshes[0].color = Vec3::NAN;
    scene.meshes[0].color_sets = vec![vec![[1, 2, 3, 4]]];
    scene.materials[0].layers[0].color_set = Some(0);
    survives(&scene);
}

#[test]
fn a_mesh_repeated_without_end_is_bounded() {
    let mut scene = scene(vec![vec![layer(BlendMode::Opaque, 0); 8]]);
    scene.meshes[0].indices = (0..30_000).map(|index| index % 3).collect();
    scene.meshes[0].parts = vec![Part { material: Some(MaterialId(0)), start: 0, count: 30_000 }; 3_000];
    let frame = frame(&scene, &options(Family::W3d));
    assert!(frame.indices.len() <= 3 << 22);
}
