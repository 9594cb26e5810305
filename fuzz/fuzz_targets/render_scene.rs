//! Drawing anything never panics: damaged models, and frames that no model would make.
#![no_main]

use libfuzzer_sys::fuzz_target;
use model::Document;
use render::frame::{
    Camera, Draw, Fixed, Frame, Framer, Options, PictureId, Program, Sampler, Source, Topology, Vertex,
};
use render::pictures::{Picture, PictureOptions, Pictures};
use render::soft::{self, Settings};
use scene::{BlendFactor, Compare, Scene, Wrap};
use std::sync::Arc;

const SIDE: u32 = 64;

fuzz_target!(|bytes: &[u8]| {
    let scene = match model::Format::detect(bytes, None).and_then(|format| format.read(bytes)) {
        Ok(parsed) => match &parsed.document {
            Document::W3d(file) => {
                let library = convert::w3d::Library::new(file);
                convert::w3d::to_scene(&library, None, &Default::default()).0
            }
            Document::Mdx(file) => convert::mdx::to_scene(file, &Default::default()).0,
            _ => return,
        },
        Err(_) => return draw(&frame(bytes), &Pictures::load(&Scene::default(), &Default::default(), |_| None)),
    };
    // Every other texture is missing.
    let mut known = false;
    let pictures = Pictures::load(&scene, &PictureOptions::default(), |_| {
        known = !known;
        known.then(|| Arc::new(Picture::solid([200, 100, 50, 128])))
    });
    let options = Options::for_scene(&scene);
    draw(&Framer::new(&scene).with_missing(pictures.missing()).frame(&options), &pictures);
});

fn draw(frame: &Frame, pictures: &Pictures) {
    let image = soft::draw(frame, pictures, &Settings::new(SIDE, SIDE)).expect("the size is right");
    assert_eq!(image.pixels.len(), (SIDE * SIDE * 4) as usize);
}

/// A frame whose numbers are the bytes, whatever they mean as floats.
fn frame(bytes: &[u8]) -> Frame {
    let words: Vec<u32> = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let (head, rest) = words.split_at(words.len().min(16));
    let mut matrix = glam::Mat4::IDENTITY.to_cols_array();
    matrix.iter_mut().zip(head).for_each(|(cell, word)| *cell = f32::from_bits(*word));
    let vertices: Vec<Vertex> = rest
        .as_chunks::<12>()
        .0
        .iter()
        .map(|words| {
            let [x, y, z, r, g, b, a, u, v, ..] = words.map(f32::from_bits);
            Vertex {
                position: [x, y, z].into(),
                color: [r, g, b, a].into(),
                uv: [[u, v].into(); 2],
                ..Vertex::default()
            }
        })
        .collect();
    let texture = Sampler { picture: PictureId::Missing, wrap: [Wrap::Mirror; 2], mipmaps: true };
    let one = |topology| Draw {
        source: Source::Overlay,
        topology,
        indices: 0..rest.len() as u32,
        blend: (BlendFactor::SourceAlpha, BlendFactor::OneMinusSourceAlpha),
        alpha_test: None,
        depth_test: Compare::LessEqual,
        depth_write: true,
        cull: false,
        program: Program::Fixed(Fixed { texture: Some(texture), ..Fixed::default() }),
    };
    Frame {
        camera: Camera {
            view: glam::Mat4::IDENTITY,
            projection: glam::Mat4::from_cols_array(&matrix),
            position: glam::Vec3::ZERO,
        },
        // Small numbers are places of vertices, others are out of range.
        indices: rest.iter().map(|word| word % (vertices.len() as u32 + 3)).collect(),
        vertices,
        draws: vec![one(Topology::Triangles), one(Topology::Lines)],
        ..Frame::default()
    }
}
