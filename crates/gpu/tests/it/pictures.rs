//! Whole pictures: the frames of the golden pictures, every kind of emitter, and sample models of both families.

use meshwright_gpu::Headless;
use meshwright_render::frame::{Frame, Framer, Options, Overlays, Viewpoint, Wireframe};
use meshwright_render::pictures::{Picture, PictureOptions, Pictures};
use meshwright_render::soft::{self, Background, PictureSource, Settings};
use scene::{ClipId, Scene};
use std::path::Path;
use std::sync::Arc;

use crate::agreement::{Agreement, LEAST};
use crate::frames::{self, Sample, Textures};
use crate::{adapter, scenes};

/// Compares the picture of the adapter with that of the reference, and says whether it shows something. `MESHWRIGHT_PICTURES` names a folder to keep both in.
#[track_caller]
fn check(
    gpu: &mut Headless,
    name: &str,
    frame: &Frame,
    pictures: &dyn PictureSource,
    settings: &Settings,
) -> bool {
    let drawn = gpu.draw(frame, pictures, settings).unwrap();
    let reference = soft::draw(frame, pictures, settings).unwrap();
    if let Some(folder) = std::env::var_os("MESHWRIGHT_PICTURES") {
        for (image, suffix) in [(&drawn, "gpu"), (&reference, "soft")] {
            let image = texture::Image::new(image.width, image.height, image.pixels.clone()).unwrap();
            let path = Path::new(&folder).join(format!("{name}-{suffix}.png"));
            std::fs::write(path, texture::encode_png(&image).unwrap()).unwrap();
        }
    }
    let agreement = Agreement::new(frame, &drawn, &reference);
    println!(
        "{name}: {:.3} % equal, {:.3} % apart from edges, most {}",
        100.0 * agreement.strict_share(),
        100.0 * agreement.share(),
        agreement.most
    );
    assert!(agreement.share() >= LEAST, "{name}: {agreement:?}");
    reference.pixels.chunks(4).any(|pixel| pixel != &reference.pixels[..4])
}

#[test]
fn frames_of_every_operation_are_those_of_the_reference() {
    let Some(mut gpu) = adapter() else { return };
    println!("drawn by {}", gpu.adapter());
    let textures = Textures::new();
    let all = [
        frames::texture_stages(),
        frames::depth_comparisons(),
        frames::edges_and_lines(),
        frames::programs(),
    ];
    for Sample { name, frame, settings } in all.into_iter().chain(frames::blend_states()) {
        assert!(check(&mut gpu, name, &frame, &textures, &settings), "{name} is empty");
    }
}

const GREY: Background = Background::Color([90, 94, 102]);

#[test]
fn every_kind_of_emitter_is_that_of_the_reference() {
    let Some(mut gpu) = adapter() else { return };
    for (index, scene) in scenes::every_kind().iter().enumerate() {
        let pictures = Pictures::load(scene, &PictureOptions::default(), |_| None);
        let clip = (!scene.clips.is_empty()).then_some(ClipId(0));
        let mut options = Options { clip, time: 1.3, viewpoint: Viewpoint::ISO, ..Options::default() };
        options.rules.particles.markers = true;
        let frame = Framer::new(scene).frame(&options);
        let settings = Settings { background: GREY, ..Settings::new(128, 128) };
        let name = format!("emitter-{index}");
        assert!(check(&mut gpu, &name, &frame, &pictures, &settings), "{name} is empty");
    }
}

/// A picture with a pattern that depends on the name.
fn patterned(name: &str) -> Option<Arc<Picture>> {
    let seed = name.bytes().fold(7_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    let [r, g, b, _] = seed.to_le_bytes();
    let pixel = |index: u32| {
        let (x, y) = (index % 64, index / 64);
        let is_dark = (x / 8 + y / 8) % 2 == 0;
        let shade = |part: u8| if is_dark { part / 2 + (x * 2) as u8 / 2 } else { part / 2 + 127 };
        [shade(r), shade(g), shade(b), if (x / 16) % 2 == 0 { 255 } else { 160 }]
    };
    let mut picture = Picture::new(64, 64, (0..64 * 64).map(pixel).collect())?;
    picture.complete();
    Some(Arc::new(picture))
}

/// The samples of both families.
fn models() -> Vec<(String, Scene)> {
    let w3d = [
        ("crate", w3d::sample::crate_box()),
        ("tank", w3d::sample::tank()),
        ("every-chunk", w3d::sample::every_chunk()),
    ];
    let mdx = mdx::build::samples().into_iter().chain([("watchtower", mdx::build::watchtower())]);
    w3d.into_iter()
        .chain(mdx)
        .filter_map(|(name, bytes)| {
            let model = meshwright::Model::parse(bytes).ok()?;
            Some((name.to_owned(), model.to_scene()))
        })
        .collect()
}

#[test]
fn sample_models_are_those_of_the_reference() {
    let Some(mut gpu) = adapter() else { return };
    let models = models();
    let mut shown = 0;
    for (name, scene) in &models {
        let pictures = Pictures::load(scene, &PictureOptions::default(), patterned);
        let framer = Framer::new(scene).with_missing(pictures.missing());
        let views = [
            ("plain", GREY, Overlays::default()),
            ("clear", Background::Transparent, Overlays::default()),
            (
                "overlays",
                GREY,
                Overlays {
                    wireframe: Wireframe::Over,
                    grid: true,
                    bones: true,
                    extents: true,
                    collision: true,
                    ..Overlays::default()
                },
            ),
        ];
        for (view, background, overlays) in views {
            let frame = framer.frame(&Options { overlays, ..Options::for_scene(scene) });
            let settings = Settings { background, ..Settings::new(200, 200) };
            shown += u32::from(check(&mut gpu, &format!("{name}-{view}"), &frame, &pictures, &settings));
        }
    }
    assert!(shown > 15, "only {shown} pictures show something");
}
