//! Lists the members of archives with their sizes and checksums: `cargo run --example contents -- FILE...`

use meshwright_archive::{Archive, Result};

fn main() -> Result<()> {
    for path in std::env::args().skip(1) {
        let archive = Archive::open_path(&path)?;
        println!("{path}: {}, {} members", archive.kind().name(), archive.entries().len());
        for entry in archive.entries() {
            match archive.read(entry) {
                Ok(bytes) => println!("{:08x} {:>9} {}", crc32fast::hash(&bytes), bytes.len(), entry.path),
                Err(error) => println!("{error}"),
            }
        }
    }
    Ok(())
}
