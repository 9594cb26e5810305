//! Archives whose bytes depend on nothing but their files: tar, ZIP, and Debian packages.

use std::collections::BTreeSet;
use std::io::Write;

use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, GzBuilder};

/// A file of an archive.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Path with slashes.
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
    pub(super) executable: bool,
}

impl Entry {
    const fn mode(&self) -> u32 {
        if self.executable { 0o755 } else { 0o644 }
    }
}

/// A compressed tar archive.
pub(super) fn tar_gz(entries: &[Entry], time: u32) -> Result<Vec<u8>, String> {
    let mut gzip: GzEncoder<Vec<u8>> = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let written = gzip.write_all(&tar(entries, time)?);
    written.and_then(|()| gzip.finish()).map_err(|error| error.to_string())
}

/// A tar archive (POSIX ustar) with the folders of its files.
fn tar(entries: &[Entry], time: u32) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut folders = BTreeSet::new();
    for entry in entries {
        let ends = entry.path.match_indices('/').map(|(at, _)| &entry.path[..=at]);
        for folder in ends.filter(|folder| *folder != "./") {
            if folders.insert(folder) {
                out.extend(header(folder, 0o755, 0, b'5', time)?);
            }
        }
        out.extend(header(&entry.path, entry.mode(), entry.bytes.len(), b'0', time)?);
        out.extend(&entry.bytes);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    // The end is two empty blocks.
    out.resize(out.len() + 1024, 0);
    Ok(out)
}

fn header(path: &str, mode: u32, size: usize, kind: u8, time: u32) -> Result<[u8; 512], String> {
    let mut block = [0; 512];
    if path.len() > 100 {
        return Err(format!("{path}: longer than the 100 bytes of a tar header"));
    }
    block[..path.len()].copy_from_slice(path.as_bytes());
    let mut octal = |at: usize, length: usize, number: u64| {
        let text = format!("{number:0width$o}\0", width = length - 1);
        block[at..at + length].copy_from_slice(text.as_bytes());
    };
    octal(100, 8, mode.into());
    octal(108, 8, 0);
    octal(116, 8, 0);
    octal(124, 12, size as u64);
    octal(136, 12, time.into());
    block[148..156].fill(b' ');
    block[156] = kind;
    block[257..265].copy_from_slice(b"ustar\x0000");
    block[265..269].copy_from_slice(b"root");
    block[297..301].copy_from_slice(b"root");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(block)
}

/// A ZIP archive.
pub(super) fn zip(entries: &[Entry], time: u32) -> Result<Vec<u8>, String> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    let size = |length: usize| u32::try_from(length).map_err(|_| "too large for a ZIP archive".to_owned());
    for entry in entries {
        let offset = size(out.len())?;
        let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
        let written = deflate.write_all(&entry.bytes);
        let packed = written.and_then(|()| deflate.finish()).map_err(|error| error.to_string())?;
        // Version 2.0, UTF-8 names, deflate, and the fields that both headers have in common.
        let mut common = vec![20, 0, 0, 8, 8, 0];
        common.extend(dos_time(time));
        common.extend(crc32fast::hash(&entry.bytes).to_le_bytes());
        common.extend(size(packed.len())?.to_le_bytes());
        common.extend(size(entry.bytes.len())?.to_le_bytes());
        common.extend((entry.path.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(entry.path.as_bytes());
        out.extend(packed);
        directory.extend(b"PK\x01\x02");
        // Made on Unix, so that the mode is used.
        directory.extend([20, 3]);
        directory.extend(&common);
        directory.extend([0; 6]);
        directory.extend((entry.mode() << 16 | 0o100_000 << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(entry.path.as_bytes());
    }
    let count = (entries.len() as u16).to_le_bytes();
    let (start, length) = (size(out.len())?.to_le_bytes(), size(directory.len())?.to_le_bytes());
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count, count].concat());
    out.extend([length, start].concat());
    out.extend([0, 0]);
    Ok(out)
}

/// Time and date as MS-DOS has them, in UTC; the civil date by the algorithm of Howard Hinnant.
fn dos_time(seconds: u32) -> [u8; 4] {
    let (days, rest) = (i64::from(seconds / 86_400), seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let time = (rest / 3600) << 11 | (rest / 60 % 60) << 5 | (rest % 60 / 2);
    let date = (year - 1980).clamp(0, 127) << 9 | month << 5 | day;
    let ([t0, t1], [d0, d1]) = ((time as u16).to_le_bytes(), (date as u16).to_le_bytes());
    [t0, t1, d0, d1]
}

/// A Debian package. The program is static, so it depends on nothing.
pub(super) fn debian(
    entries: &[Entry],
    version: &str,
    architecture: &str,
    time: u32,
) -> Result<Vec<u8>, String> {
    let placed = entries.iter().filter_map(|entry| {
        let place = match entry.path.as_str() {
            "meshwright" => "./usr/bin/meshwright".to_owned(),
            "LICENSE-MIT" | "LICENSE-APACHE" | "README.md" | "CHANGELOG.md" => {
                format!("./usr/share/doc/meshwright/{}", entry.path)
            }
            "completions/meshwright.bash" => "./usr/share/bash-completion/completions/meshwright".to_owned(),
            "completions/_meshwright" => "./usr/share/zsh/vendor-completions/_meshwright".to_owned(),
            "completions/meshwright.fish" => {
                "./usr/share/fish/vendor_completions.d/meshwright.fish".to_owned()
            }
            "packaging/linux/meshwright.xml" => "./usr/share/mime/packages/meshwright.xml".to_owned(),
            "packaging/linux/meshwright.thumbnailer" => {
                "./usr/share/thumbnailers/meshwright.thumbnailer".to_owned()
            }
            path => format!("./usr/share/{}", path.strip_prefix("man/").map(|page| format!("man/{page}"))?),
        };
        Some(Entry { path: place, ..entry.clone() })
    });
    let mut data: Vec<Entry> = placed.collect();
    data.sort_by(|left, right| left.path.cmp(&right.path));
    let kilobytes = data.iter().map(|entry| entry.bytes.len()).sum::<usize>().div_ceil(1024);
    let control = include_str!("../../../packaging/debian/control")
        .replace("@VERSION@", version)
        .replace("@ARCHITECTURE@", architecture)
        .replace("@SIZE@", &kilobytes.to_string());
    let control = Entry { path: "./control".to_owned(), bytes: control.into_bytes(), executable: false };
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", tar_gz(&[control], time)?),
        ("data.tar.gz", tar_gz(&data, time)?),
    ] {
        out.extend(format!("{name:<16}{time:<12}0     0     100644  {:<10}`\n", bytes.len()).as_bytes());
        out.extend(bytes);
        // Members start at even offsets.
        out.resize(out.len().next_multiple_of(2), b'\n');
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use super::*;
    use crate::shell::target;

    fn sample() -> Vec<Entry> {
        vec![
            Entry { path: "a/README.md".into(), bytes: b"text\n".repeat(300), executable: false },
            Entry { path: "a/meshwright".into(), bytes: b"program".to_vec(), executable: true },
        ]
    }

    /// What another program lists; `None` if it is not installed.
    fn listed(name: &str, bytes: &[u8], command: &[&str]) -> Option<String> {
        let folder = target().expect("a target folder").join("pack-tests");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(name), bytes).expect("written");
        let mut program = Command::new(command[0]);
        program.args(&command[1..]).arg(Path::new(name)).current_dir(folder).env("TZ", "UTC");
        let output = program.output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        Some(text)
    }

    #[test]
    fn the_time_of_a_zip_is_a_civil_date() {
        // 2024-02-29 12:34:56 UTC
        let [t0, t1, d0, d1] = dos_time(1_709_210_096);
        let (time, date) = (u16::from_le_bytes([t0, t1]), u16::from_le_bytes([d0, d1]));
        assert_eq!((date >> 9, date >> 5 & 15, date & 31), (2024 - 1980, 2, 29));
        assert_eq!((time >> 11, time >> 5 & 63, (time & 31) * 2), (12, 34, 56));
    }

    #[test]
    fn tar_reads_the_archive() {
        let archive = tar_gz(&sample(), 1_709_210_096).expect("an archive");
        assert_eq!(archive, tar_gz(&sample(), 1_709_210_096).expect("an archive"));
        if let Some(list) = listed("a.tar.gz", &archive, &["tar", "-tvzf"]) {
            assert_eq!(list.lines().count(), 3, "{list}");
            assert!(list.contains("-rwxr-xr-x") && list.contains("a/meshwright"), "{list}");
        }
    }

    #[test]
    fn other_programs_read_the_zip() {
        let archive = zip(&sample(), 1_709_210_096).expect("an archive");
        let script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; \
                      print(z.namelist(), z.infolist()[0].date_time, oct(z.infolist()[1].external_attr >> 16))";
        if let Some(list) = listed("a.zip", &archive, &["python3", "-c", script]) {
            assert!(
                list.contains("['a/README.md', 'a/meshwright'] (2024, 2, 29, 12, 34, 56) 0o100755"),
                "{list}"
            );
        }
    }

    #[test]
    fn dpkg_reads_the_package() {
        let entries = [
            Entry { path: "meshwright".into(), bytes: b"program".to_vec(), executable: true },
            Entry { path: "man/man1/meshwright.1".into(), bytes: b".TH".to_vec(), executable: false },
            Entry { path: "completions/_meshwright".into(), bytes: b"#".to_vec(), executable: false },
        ];
        let package = debian(&entries, "1.2.3", "amd64", 1_709_210_096).expect("a package");
        if let Some(list) = listed("a.deb", &package, &["dpkg-deb", "--contents"]) {
            for path in ["./usr/bin/meshwright", "./usr/share/man/man1/meshwright.1", "_meshwright"] {
                assert!(list.contains(path), "{list}");
            }
        }
        if let Some(control) = listed("a.deb", &package, &["dpkg-deb", "--field"]) {
            assert!(
                control.contains("Version: 1.2.3") && control.contains("Architecture: amd64"),
                "{control}"
            );
            assert!(!control.contains('@'), "{control}");
        }
    }
}
