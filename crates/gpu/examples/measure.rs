//! Measures what the viewer does for each frame and for each model: processor time of a frame of 10,000 triangles, 100 bones and 500
//! particles, and the time from a parsed model to its picture.

use std::time::{Duration, Instant};

use glam::{Affine3A, Quat, Vec2, Vec3};
use meshwright_gpu::{Headless, Textures};
use render::frame::{Camera, Frame, Framer, Options, Viewpoint};
use render::pictures::{Picture, PictureOptions, Pictures};
use scene::*;
use std::sync::Arc;

const TRIANGLES: usize = 10_000;
const BONES: usize = 100;
const PARTICLES: usize = 500;
const FRAMES: u32 = 300;
const MODELS: u32 = 40;
const SIDE: u32 = 512;

fn main() {
    let mut gpu = match Headless::new() {
        Ok(gpu) => gpu,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(3);
        }
    };
    println!("drawn by {}", gpu.adapter());
    frame_cost(&mut gpu);
    model_cost(&mut gpu);
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The median of some times.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn frame_cost(gpu: &mut Headless) {
    let scene = large_scene();
    let pictures = Pictures::load(&scene, &PictureOptions::default(), checker);
    let framer = Framer::new(&scene);
    let camera = Camera::look_at(Vec3::new(30.0, 20.0, 30.0), Vec3::new(0.0, 5.0, 0.0), 0.8, 1.0, 1.0, 500.0);
    let target = gpu.renderer().target(SIDE, SIDE).expect("a small target");
    let mut textures = Textures::new();
    let (mut making, mut preparing, mut last) = (Vec::new(), Vec::new(), Frame::default());
    for number in 0..FRAMES {
        let options = Options {
            clip: Some(ClipId(0)),
            time: 1.5 + number as f32 / 60.0,
            viewpoint: Viewpoint::Camera(camera),
            ..Options::default()
        };
        let started = Instant::now();
        let frame = framer.frame(&options);
        making.push(started.elapsed());
        let started = Instant::now();
        gpu.renderer().prepare(&frame, &pictures, &mut textures, &target).expect("a frame that fits");
        preparing.push(started.elapsed());
        // The adapter is not measured, but has to be done before the next frame is.
        gpu.renderer().draw(&frame, &pictures, &mut textures, &target, [60; 3]).expect("a picture");
        let _ = gpu.renderer().device().poll(meshwright_gpu::wgpu::PollType::wait_indefinitely());
        last = frame;
    }
    let (making, preparing) = (median(making), median(preparing));
    println!(
        "a frame of {} triangles, {BONES} bones, {} vertices in {} draw calls: {:.2} ms to make, {:.2} ms to upload (wanted: 1 ms together)",
        last.indices.len() / 3,
        last.vertices.len(),
        last.draws.len(),
        milliseconds(making),
        milliseconds(preparing)
    );
}

fn model_cost(gpu: &mut Headless) {
    let models = [w3d::sample::crate_box(), w3d::sample::tank(), mdx::build::watchtower()];
    let target = gpu.renderer().target(SIDE, SIDE).expect("a small target");
    let mut times = Vec::new();
    for number in 0..MODELS {
        let bytes = &models[number as usize % models.len()];
        let started = Instant::now();
        let scene = meshwright::Model::parse(bytes).expect("a sample").to_scene();
        let pictures = Pictures::load(&scene, &PictureOptions::default(), checker);
        let frame = Framer::new(&scene).frame(&Options::for_scene(&scene));
        let mut textures = Textures::new();
        gpu.renderer().draw(&frame, &pictures, &mut textures, &target, [60; 3]).expect("a picture");
        let _ = gpu.renderer().device().poll(meshwright_gpu::wgpu::PollType::wait_indefinitely());
        times.push(started.elapsed());
    }
    let first = times.iter().take(models.len()).max().copied().unwrap_or_default();
    let next = median(times.split_off(models.len()));
    println!(
        "next model: {:.1} ms, of a kind that was not drawn before {:.1} ms (wanted: 50 ms)",
        milliseconds(next),
        milliseconds(first)
    );
}

/// A picture of 256 pixels a side.
fn checker(_: &str) -> Option<Arc<Picture>> {
    let pixel = |index: u32| {
        if (index / 16 + index / 256 / 16).is_multiple_of(2) {
            [220, 200, 180, 255]
        } else {
            [90, 80, 70, 255]
        }
    };
    let mut picture = Picture::new(256, 256, (0..256 * 256).map(pixel).collect())?;
    picture.complete();
    Some(Arc::new(picture))
}

/// A tube around a chain of bones that bends, and an emitter.
fn large_scene() -> Scene {
    // Two triangles for each square of the tube.
    let (around, along) = (50, TRIANGLES / 100);
    let bone_height = 0.1;
    let nodes: Vec<Node> = (0..BONES)
        .map(|bone| Node {
            parent: bone.checked_sub(1).map(|parent| NodeId(parent as u32)),
            rest: Transform::from_translation(Vec3::Y * if bone == 0 { 0.0 } else { bone_height }),
            ..Node::default()
        })
        .collect();
    let mut mesh =
        Mesh { parts: vec![Part { material: Some(MaterialId(0)), start: 0, count: 0 }], ..Mesh::default() };
    let mut indices = Vec::new();
    let mut uv = Vec::new();
    let joint = |bone: usize| Joint {
        node: NodeId(bone as u32),
        inverse_bind: Affine3A::from_translation(Vec3::NEG_Y * bone_height * bone as f32),
    };
    let mut skin = Skin { joints: (0..BONES).map(joint).collect(), ..Skin::default() };
    for y in 0..=along {
        for x in 0..around {
            let (sin, cos) = (x as f32 / around as f32 * std::f32::consts::TAU).sin_cos();
            let height = y as f32 / along as f32 * BONES as f32 * bone_height;
            mesh.positions.push(Vec3::new(cos * 2.0, height, sin * 2.0));
            mesh.normals.push(Vec3::new(cos, 0.0, sin));
            // Four bones for each vertex, as in Reforged.
            let bone = (y * BONES / (along + 1)).min(BONES - 4) as u32;
            let weights = [0.1, 0.4, 0.4, 0.1].into_iter().enumerate();
            skin.push_vertex(weights.map(|(at, weight)| Influence { joint: bone + at as u32, weight }));
            uv.push(Vec2::new(x as f32 / around as f32 * 4.0, y as f32 / 10.0));
            if y < along {
                let at = |x: usize, y: usize| (y * around + x % around) as u32;
                indices.extend([
                    at(x, y),
                    at(x, y + 1),
                    at(x + 1, y),
                    at(x + 1, y),
                    at(x, y + 1),
                    at(x + 1, y + 1),
                ]);
            }
        }
    }
    mesh.parts[0].count = indices.len() as u32;
    mesh.indices = indices.into();
    mesh.uv_sets = vec![uv];
    mesh.skin = Some(skin);
    let bend = |bone: usize| {
        let angle = |at: f32| Quat::from_rotation_z((bone as f32 + at).sin() * 0.02);
        let keys = [0.0, 0.5, 1.0, 1.5, 2.0].map(|at| (at, angle(at)));
        Channel {
            target: Target::Node(NodeId(bone as u32), NodeProperty::Rotation),
            curve: Curve::Rotation(Track::new(Interpolation::Linear, keys)),
        }
    };
    let clip =
        Clip { duration: 2.0, looping: true, channels: (0..BONES).map(bend).collect(), ..Clip::default() };
    let sparks = SpriteEmitter {
        emission_rate: PARTICLES as f32,
        life_span: 1.0,
        speed: 10.0,
        latitude: 40.0,
        head: true,
        blend: BlendMode::Additive,
        middle: 0.5,
        colors: [Vec3::ONE; 3],
        alphas: [1.0, 0.5, 0.0],
        scales: [0.2, 0.3, 0.1],
        rows: 1,
        columns: 1,
        texture: Some(TextureId(0)),
        ..SpriteEmitter::default()
    };
    let layer = Layer {
        slots: vec![TextureSlot { texture: Some(TextureId(0)), ..TextureSlot::default() }],
        ..Layer::default()
    };
    Scene {
        nodes,
        meshes: vec![mesh],
        clips: vec![clip],
        materials: vec![Material { layers: vec![layer], ..Material::default() }],
        textures: vec![Texture { name: "checker".into(), ..Texture::default() }],
        emitters: vec![Emitter {
            node: NodeId(0),
            name: String::new(),
            visible: true,
            kind: EmitterKind::Sprite(Box::new(sparks)),
        }],
        ..Scene::default()
    }
}
