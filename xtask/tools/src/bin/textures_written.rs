//! Writes one picture in all formats that we write, for other people's decoders: `textures_written FOLDER`.

use std::{env, error::Error, fs, path::PathBuf};

use texture::{
    DdsFormat, Image, PaletteAlpha, encode_blp1_jpeg, encode_blp1_palette, encode_dds, encode_png, encode_tga,
};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("usage: textures_written FOLDER")?);
    fs::create_dir_all(&folder)?;
    let (width, height) = (64, 32);
    let pixels = (0..width * height).flat_map(|at: u32| {
        let (x, y) = (at % width, at / width);
        [x * 4, y * 8, (x + y) * 2, if x < 16 { 255 } else { x * y / 8 }].map(|part| part as u8)
    });
    let image = Image::new(width, height, pixels.collect())?;
    let mips = image.clone().into_mips();
    let files = [
        ("ours.png", encode_png(&image)?),
        ("ours.tga", encode_tga(&image)?),
        ("ours rgba.dds", encode_dds(&mips, DdsFormat::Rgba)?),
        ("ours dxt1.dds", encode_dds(&mips, DdsFormat::Bc1)?),
        ("ours dxt5.dds", encode_dds(&mips, DdsFormat::Bc3)?),
        ("ours jpeg.blp", encode_blp1_jpeg(&mips, 90)?),
        ("ours palette 0.blp", encode_blp1_palette(&mips, PaletteAlpha::None)?),
        ("ours palette 1.blp", encode_blp1_palette(&mips, PaletteAlpha::One)?),
        ("ours palette 4.blp", encode_blp1_palette(&mips, PaletteAlpha::Four)?),
        ("ours palette 8.blp", encode_blp1_palette(&mips, PaletteAlpha::Eight)?),
    ];
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
