//! Decodes every texture below a folder and prints a table: `cargo run --bin texture_survey -- FOLDER [OUT]`.
//!
//! With a second folder, the first level of each file is also written there as raw RGBA bytes in
//! `<number>.rgba`, numbered as in the table, for comparison with other decoders.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use texture::{Decoder, Texture};

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let Some(folder) = arguments.next() else {
        eprintln!("usage: texture_survey FOLDER [OUT]");
        return ExitCode::from(2);
    };
    let out = arguments.next();
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();

    println!("number\tcontainer\tencoding\talpha\tsize\tmips\tresult\tfile");
    let mut failures = 0;
    for (number, file) in files.iter().enumerate() {
        let line = survey(file, |texture| match &out {
            Some(out) => fs::write(out.join(format!("{number}.rgba")), texture.mips[0].pixels()),
            None => Ok(()),
        });
        failures += u32::from(line.is_err());
        let line = line.unwrap_or_else(|error| format!("-\t-\t-\t-\t-\t{error}"));
        println!("{number}\t{line}\t{}", file.strip_prefix(&folder).unwrap_or(file).display());
    }
    eprintln!("{} files, {failures} unreadable", files.len());
    ExitCode::from(u8::from(failures > 0))
}

fn survey(
    file: &Path,
    keep: impl FnOnce(&Texture) -> std::io::Result<()>,
) -> Result<String, Box<dyn std::error::Error>> {
    let bytes = fs::read(file)?;
    let decoder = Decoder { assume_tga: has_texture_extension(file), ..Decoder::default() };
    let header = decoder.info(&bytes)?;
    // A BLP0 keeps its levels beside it.
    let texture = decoder
        .decode_external(&bytes, |level| fs::read(file.with_extension(format!("b{level:02}"))).ok())?;
    keep(&texture)?;
    let info = texture.info;
    let result = match texture.broken {
        Some(error) => error.to_string(),
        None if info != header => format!("header says {} x {}", header.width, header.height),
        None => "ok".to_string(),
    };
    Ok(format!(
        "{:?}\t{:?}\t{}\t{}x{}\t{}\t{result}",
        info.container,
        info.encoding,
        if info.has_alpha { "yes" } else { "no" },
        info.width,
        info.height,
        texture.mips.len(),
    ))
}

fn has_texture_extension(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tga"))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().map(|entry| entry.path()) {
        if entry.is_dir() {
            collect(&entry, files);
        } else {
            files.push(entry);
        }
    }
}
