//! Textures from one format to another.

use crate::common::Bench;
use meshwright::texture;
use meshwright::texture::{
    Container, DdsFormat, Encoding, Image, PaletteAlpha, decode, encode_dds, encode_png, encode_tga, info,
};

/// A picture of 8 x 4 pixels with smooth alpha.
fn picture() -> Image {
    let pixel = |at: u8| [at * 8, 255 - at * 8, at, at * 8];
    Image::new(8, 4, (0..32).flat_map(pixel).collect()).expect("32 pixels")
}

fn opaque() -> Image {
    let pixels = picture().iter().flat_map(|[r, g, b, _]| [r, g, b, 255]).collect();
    Image::new(8, 4, pixels).expect("32 pixels")
}

fn bench() -> Bench {
    let bench = Bench::empty();
    bench.write("wood.png", encode_png(&picture()).expect("a small picture"));
    bench
}

#[test]
fn every_direction_keeps_the_pixels_where_the_formats_can() {
    let bench = bench();
    let formats = ["png", "tga", "dds", "blp"];
    for from in formats {
        for to in formats {
            let (input, output) = (format!("{from}.{from}"), format!("{from}-to-{to}.{to}"));
            let lossless = ["--dds-format", "rgba", "--blp-format", "palette"];
            let made = bench.run(&[&["convert", "wood.png", &input], &lossless[..]].concat());
            assert_eq!((made.code, made.stderr.as_str()), (Some(0), ""));
            let run = bench.run(&[&["convert", &input, &output], &lossless[..]].concat());
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
            let texture = decode(&bench.read(&output)).expect("it can be read");
            assert_eq!(texture.mips[0], picture(), "{from} to {to}");
        }
    }
    let container = |name| info(&bench.read(name)).expect("it can be read").container;
    assert_eq!(
        ["png-to-png.png", "png-to-tga.tga", "png-to-dds.dds", "png-to-blp.blp"].map(container),
        [Container::Png, Container::Tga, Container::Dds, Container::Blp1]
    );
}

#[test]
fn a_folder_keeps_its_shape() {
    let bench = bench();
    let tga = encode_tga(&opaque()).expect("a small picture");
    bench.write("art/Wood.TGA", &tga);
    bench.write("art/deep/stone.tga", &tga);
    bench.write("art/deep/stone.dds", encode_dds(&[picture()], DdsFormat::Bc3).expect("a small picture"));
    bench.write("art/readme.txt", "not a texture");
    bench.write("art/broken.blp", "BLP1");
    let run = bench.run(&["convert", "art", "--to", "png", "--out-dir", "out"]);
    assert_eq!(run.code, Some(3));
    assert!(
        run.stderr.contains("art/broken.blp: BLP header needs bytes 0..156 but the file has 4"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("4 files, 3 converted, 1 failed"), "{}", run.stderr);
    let made: Vec<_> = bench.files().into_iter().filter(|name| name.starts_with("out/")).collect();
    assert_eq!(made, ["out/Wood.png", "out/deep/stone.dds.png", "out/deep/stone.tga.png"]);
    assert_eq!(decode(&bench.read("out/Wood.png")).expect("it can be read").mips, [opaque()]);
}

#[test]
fn a_folder_without_textures_is_named() {
    let bench = Bench::with_fixtures();
    let run = bench.run(&["convert", ".", "--to", "png", "--out-dir", "out"]);
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains(".: no textures in this folder"), "{}", run.stderr);
    assert!(run.stderr.contains("searched for .blp .dds .tga .png .jpg .jpeg"), "{}", run.stderr);
}

#[test]
fn the_pixel_format_of_dds_follows_alpha_unless_it_is_given() {
    let bench = bench();
    bench.write("opaque.png", encode_png(&opaque()).expect("a small picture"));
    let encoding = |input: &str, more: &[&str]| {
        let run = bench.run(&[&["convert", input, "out.dds"], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        info(&bench.read("out.dds")).expect("it can be read").encoding
    };
    assert_eq!(encoding("opaque.png", &[]), Encoding::Bc1);
    assert_eq!(encoding("wood.png", &[]), Encoding::Bc3);
    assert_eq!(encoding("opaque.png", &["--dds-format", "bc3"]), Encoding::Bc3);
    assert_eq!(encoding("wood.png", &["--dds-format", "rgba"]), Encoding::Plain);
    let run = bench.run(&["convert", "wood.png", "out.dds", "--dds-format", "bc1"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("alpha: BC1 has one-bit alpha only"), "{}", run.stderr);
}

#[test]
fn blp_is_jpeg_of_a_quality_or_a_palette() {
    let bench = bench();
    let size = |more: &[&str]| {
        let run = bench.run(&[&["convert", "wood.png", "out.blp"], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let bytes = bench.read("out.blp");
        (info(&bytes).expect("it can be read").encoding, bytes.len())
    };
    let (encoding, fine) = size(&["--quality", "100"]);
    let (_, coarse) = size(&["--quality", "10"]);
    assert_eq!(encoding, Encoding::Jpeg);
    assert!(coarse < fine, "{coarse} and {fine} bytes");
    assert_eq!(size(&["--blp-format", "palette"]).0, Encoding::Palette);
    let run = bench.run(&["convert", "wood.png", "out.blp", "--quality", "0"]);
    assert_eq!(run.code, Some(2));
}

#[test]
fn mipmaps_are_kept_generated_or_left_out() {
    let bench = bench();
    let levels = |input: &str, more: &[&str]| {
        let run = bench.run(&[&["convert", input, "out.dds", "--dds-format", "rgba"], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        decode(&bench.read("out.dds")).expect("it can be read").mips
    };
    let generated = picture().into_mips();
    assert_eq!(levels("wood.png", &[]), generated);
    assert_eq!(levels("wood.png", &["--mips", "none"]), generated[..1]);

    // Levels of their own, which are not what a filter makes of the first.
    let own: Vec<Image> = generated
        .iter()
        .map(|mip| {
            Image::new(mip.width(), mip.height(), vec![mip.width() as u8; mip.pixels().len()])
                .expect("a level")
        })
        .collect();
    bench.write("own.dds", encode_dds(&own, DdsFormat::Rgba).expect("small pictures"));
    bench.write("single.dds", encode_dds(&own[..1], DdsFormat::Rgba).expect("a small picture"));
    assert_eq!(levels("own.dds", &[]), own);
    assert_eq!(levels("own.dds", &["--mips", "generate"]), own[0].clone().into_mips());
    assert_eq!(levels("single.dds", &[]), own[..1]);
    assert_eq!(levels("single.dds", &["--mips", "generate"]).len(), 4);
}

#[test]
fn levels_of_odd_sizes_are_generated_again() {
    let bench = Bench::empty();
    // The second level of a BLP shares the offset of the first: real JPEG files do so, and each level has the size that its own
    // stream says.
    let mut blp = texture::encode_blp1_jpeg(&picture().into_mips(), 100).expect("small pictures");
    let first: Vec<u8> = blp[28..32].to_vec();
    blp[32..36].copy_from_slice(&first);
    let first: Vec<u8> = blp[92..96].to_vec();
    blp[96..100].copy_from_slice(&first);
    bench.write("odd.blp", blp);
    let run = bench.run(&["convert", "odd.blp", "even.dds"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("mip levels: not half the size of the previous level"), "{}", run.stderr);
    assert_eq!(info(&bench.read("even.dds")).expect("it can be read").mips, 4);
}

#[test]
fn a_chain_that_breaks_off_is_told() {
    let bench = Bench::empty();
    let mut dds = encode_dds(&picture().into_mips(), DdsFormat::Rgba).expect("small pictures");
    dds.truncate(dds.len() - 1);
    bench.write("short.dds", dds);
    let run = bench.run(&["convert", "short.dds", "out.dds"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("damaged: mip level 3 and smaller: unreadable"), "{}", run.stderr);
    assert_eq!(info(&bench.read("out.dds")).expect("it can be read").mips, 3);
    let run = bench.run(&["convert", "short.dds", "strict.dds", "--strict", "--dds-format", "rgba"]);
    assert_eq!(run.code, Some(1));
    assert!(!bench.path("strict.dds").exists());
}

#[test]
fn strict_refuses_pixels_that_change() {
    let bench = bench();
    let run = bench.run(&["convert", "wood.png", "out.dds", "--strict"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("pixels: lossy compression, up to "), "{}", run.stderr);
    assert!(!bench.path("out.dds").exists());
    for out in ["out.tga", "out.png"] {
        assert_eq!(bench.run(&["convert", "wood.png", out, "--strict"]).code, Some(0));
    }
    assert_eq!(
        bench.run(&["convert", "wood.png", "out.dds", "--strict", "--dds-format", "rgba"]).code,
        Some(0)
    );
}

#[test]
fn what_is_not_a_texture_is_named() {
    let bench = Bench::with_fixtures();
    let run = bench.run(&["convert", "mwcrate.w3d", "mwcrate.png"]);
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("mwcrate.w3d: not a texture: it is a W3D file"), "{}", run.stderr);
    let run = bench.run(&["convert", "garbage.bin", "garbage.png"]);
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("garbage.bin: not a BLP, DDS, TGA, PNG or JPEG texture"), "{}", run.stderr);
    let run = bench.run(&["convert", "mwcrate.w3d", "mwcrate.bmp"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr
            .contains("supported: json, mdx, mdl, w3d, w3x, glb, gltf, obj, ply, stl, blp, dds, tga, png"),
        "{}",
        run.stderr
    );
}

#[test]
fn an_input_is_not_written_over() {
    let bench = bench();
    let before = bench.read("wood.png");
    let run = bench.run(&["convert", "wood.png", "wood.png"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("wood.png is an input"), "{}", run.stderr);
    assert_eq!(bench.read("wood.png"), before);
}

#[test]
fn levels_beside_a_blp0_are_found() {
    let bench = Bench::empty();
    let blp1 = texture::encode_blp1_palette(&[opaque()], PaletteAlpha::None).expect("a small picture");
    // A BLP0 has no table, and its levels are files: 28 bytes of header, then the palette.
    let header = [b"BLP0", &blp1[4..28]].concat();
    bench.write("map.blp", [&header, &blp1[156..156 + 1024]].concat());
    let run = bench.run(&["convert", "map.blp", "map.png"]);
    assert_eq!(run.code, Some(3));
    assert!(
        run.stderr.contains("the pixels of a BLP0 texture are in separate files: .b00"),
        "{}",
        run.stderr
    );
    bench.write("map.b00", &blp1[156 + 1024..]);
    let run = bench.run(&["convert", "map.blp", "map.png"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(decode(&bench.read("map.png")).expect("it can be read").mips, [opaque()]);
}
