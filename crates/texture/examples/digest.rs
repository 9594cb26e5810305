//! scratch
use meshwright_texture::Decoder;
use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().map(|entry| entry.path()) {
        if entry.is_dir() { collect(&entry, files) } else { files.push(entry) }
    }
}
fn main() {
    let mut files = Vec::new();
    for folder in env::args_os().skip(1) {
        collect(Path::new(&folder), &mut files);
    }
    files.sort();
    for file in files {
        let bytes = fs::read(&file).unwrap();
        let tga = file.extension().is_some_and(|e| e.eq_ignore_ascii_case("tga"));
        let d = Decoder { assume_tga: tga, ..Decoder::default() };
        print!("{} {:?}", file.display(), d.info(&bytes));
        match d.decode_external(&bytes, |level| fs::read(file.with_extension(format!("b{level:02}"))).ok()) {
            Ok(t) => {
                print!(" broken={:?}", t.broken);
                for m in &t.mips {
                    let mut h = DefaultHasher::new();
                    m.pixels().hash(&mut h);
                    print!(" {}x{}:{:016x}", m.width(), m.height(), h.finish());
                }
                println!();
            }
            Err(e) => println!(" ERR {e:?}"),
        }
    }
}
