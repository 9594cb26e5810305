//! Names of members that an archive does not list: well-known names, and names that other members mention.

/// The placeholder for an unknown name, as StormLib and its users spell it.
pub(crate) fn unnamed(number: usize, extension: &str) -> String {
    format!("File{number:08}.{extension}")
}

/// The number in a placeholder for an unknown name, with any extension.
pub(crate) fn unnamed_number(path: &str) -> Option<u32> {
    let (stem, _) = path.split_once('.')?;
    let digits =
        stem.get(..4).filter(|start| start.eq_ignore_ascii_case("file")).and_then(|_| stem.get(4..))?;
    (digits.len() == 8).then(|| digits.parse().ok())?
}

/// The usual extension of a file that starts with these bytes.
pub(crate) fn extension(start: &[u8]) -> &'static str {
    let known: &[(&[u8], &str)] = &[
        (b"MDLX", "mdx"),
        (b"BLP", "blp"),
        (b"DDS ", "dds"),
        (b"RIFF", "wav"),
        (b"ID3", "mp3"),
        (b"\xFF\xFB", "mp3"),
        (b"fLaC", "flac"),
        (b"OggS", "ogg"),
        (b"MPQ\x1A", "mpq"),
        (b"HM3W", "w3x"),
        (b"W3E!", "w3e"),
        (b"MP3W", "wpm"),
        (b"W3do", "doo"),
        (b"WTG!", "wtg"),
        (b"\x89PNG", "png"),
        (b"\xFF\xD8\xFF", "jpg"),
        (b"BM", "bmp"),
        (b"BIGF", "big"),
        (b"BIG4", "big"),
        (b"MIX1", "mix"),
        (b"PK\x03\x04", "zip"),
        (b"ID;P", "slk"),
        (b"globals", "j"),
    ];
    if let Some((_, extension)) = known.iter().find(|(magic, _)| start.starts_with(magic)) {
        return extension;
    }
    // MDL starts with a comment or with its version.
    let text = start.trim_ascii_start();
    if text.starts_with(b"Version {") || text.starts_with(b"//+--") {
        return "mdl";
    }
    let is_text =
        !start.is_empty() && start.iter().all(|&byte| byte >= 0x20 || matches!(byte, b'\t' | b'\r' | b'\n'));
    if is_text { "txt" } else { "xxx" }
}

/// Names of members that any map of Warcraft III, or any MPQ archive, may contain.
pub(crate) const WELL_KNOWN: &[&str] = &[
    "(attributes)",
    "(listfile)",
    "(signature)",
    "(user data)",
    "conversation.json",
    "scripts\\blizzard.j",
    "scripts\\common.j",
    "scripts\\war3map.j",
    "scripts\\war3map.lua",
    "war3campaign.imp",
    "war3campaign.w3a",
    "war3campaign.w3b",
    "war3campaign.w3d",
    "war3campaign.w3f",
    "war3campaign.w3h",
    "war3campaign.w3q",
    "war3campaign.w3t",
    "war3campaign.w3u",
    "war3campaign.wts",
    "war3campaignskin.w3u",
    "war3map.doo",
    "war3map.imp",
    "war3map.j",
    "war3map.lua",
    "war3map.mmp",
    "war3map.shd",
    "war3map.w3a",
    "war3map.w3b",
    "war3map.w3c",
    "war3map.w3d",
    "war3map.w3e",
    "war3map.w3h",
    "war3map.w3i",
    "war3map.w3l",
    "war3map.w3o",
    "war3map.w3q",
    "war3map.w3r",
    "war3map.w3s",
    "war3map.w3t",
    "war3map.w3u",
    "war3map.wai",
    "war3map.wct",
    "war3map.wpm",
    "war3map.wtg",
    "war3map.wts",
    "war3mapextra.txt",
    "war3mapmap.blp",
    "war3mapmap.b00",
    "war3mapmap.tga",
    "war3mapmisc.txt",
    "war3mappath.tga",
    "war3mappreview.blp",
    "war3mappreview.dds",
    "war3mappreview.tga",
    "war3mapskin.txt",
    "war3mapskin.w3a",
    "war3mapskin.w3b",
    "war3mapskin.w3d",
    "war3mapskin.w3h",
    "war3mapskin.w3q",
    "war3mapskin.w3t",
    "war3mapskin.w3u",
    "war3mapunits.doo",
];

/// Extensions of files that games mention by name.
const EXTENSIONS: &[&str] = &[
    "ai", "anim", "blp", "dds", "fdf", "flac", "j", "lua", "mdl", "mdx", "mid", "mp3", "ogg", "pld", "slk",
    "tga", "toc", "ttf", "txt", "w3m", "w3x", "wav",
];

/// Calls `found` with every name that the content of a member may mention: paths of files, in binary data and in text.
///
/// The caller tests each of them by the archive's hashes, so a wrong guess does no harm.
pub(crate) fn mentioned(content: &[u8], mut found: impl FnMut(&[u8])) {
    let is_name =
        |byte: &u8| !matches!(byte, 0..0x20 | b'"' | b'<' | b'>' | b'|' | b'*' | b'?' | b',' | b';' | b'=');
    let mut name = Vec::new();
    for run in content.split(|byte| !is_name(byte)).filter(|run| (3..=260).contains(&run.len())) {
        name.clear();
        // Scripts double their backslashes.
        for &byte in run.trim_ascii() {
            if !(byte == b'\\' && name.last() == Some(&b'\\')) {
                name.push(byte);
            }
        }
        variants(&name, &mut found);
    }
}

fn variants(name: &[u8], found: &mut impl FnMut(&[u8])) {
    let dot = name.iter().rposition(|&byte| byte == b'.');
    let extension = dot.map(|dot| name[dot + 1..].to_ascii_lowercase());
    let known = extension.as_deref().filter(|ext| EXTENSIONS.iter().any(|known| known.as_bytes() == *ext));
    let Some((stem, extension)) = known.map(|ext| (&name[..name.len() - ext.len() - 1], ext)) else {
        // Tables of objects name models without an extension.
        if name.contains(&b'\\') {
            found(&[name, b".mdx"].concat());
            found(&[name, b".blp"].concat());
        }
        return;
    };
    found(name);
    let import = |name: &[u8]| [b"war3mapImported\\", name].concat();
    if !name.contains(&b'\\') {
        found(&import(name));
    }
    match extension {
        b"mdl" | b"mdx" => {
            for end in [&b".mdx"[..], b".mdl", b"_Portrait.mdx", b"_Portrait.mdl"] {
                found(&[stem, end].concat());
            }
        }
        b"blp" | b"tga" | b"dds" => {
            for end in [&b".blp"[..], b".tga", b".dds"] {
                found(&[stem, end].concat());
            }
            // Each icon has a disabled version.
            let file = name.rsplit(|&byte| byte == b'\\').next().unwrap_or_default();
            found(&[b"ReplaceableTextures\\CommandButtonsDisabled\\DIS", file].concat());
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(content: &[u8]) -> Vec<String> {
        let mut names = Vec::new();
        mentioned(content, |name| names.push(String::from_utf8_lossy(name).into_owned()));
        names
    }

    #[test]
    fn names_in_scripts_and_in_binary_data_are_found() {
        let script = br#"call AddSpecialEffect("war3mapImported\\Fire.mdl", 0., 0.)"#;
        assert!(all(script).contains(&r"war3mapImported\Fire.mdx".to_owned()));
        let model = b"TEXS\x0c\x01\0\0\0\0\0\0Textures\\Skin.blp\0\0\0";
        assert!(all(model).contains(&r"Textures\Skin.blp".to_owned()));
        let table = b"\x01war3mapImported\\Tank\0";
        assert!(all(table).contains(&r"war3mapImported\Tank.mdx".to_owned()));
        assert!(all(b"no names here").is_empty());
    }

    #[test]
    fn the_number_of_an_unnamed_member_is_read_with_any_extension() {
        assert_eq!(unnamed_number("File00000012.xxx"), Some(12));
        assert_eq!(unnamed_number("file00000012.mdx"), Some(12));
        assert_eq!(unnamed_number("File12.mdx"), None);
        assert_eq!(unnamed_number("Filé00000012.mdx"), None);
        assert_eq!(unnamed(12, "mdx"), "File00000012.mdx");
    }
}
