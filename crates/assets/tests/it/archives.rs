//! Archives as folders, and installed games as one tree.

use std::fs;
use std::path::{Path, PathBuf};

use archive::{Content, Kind, NewMember};
use meshwright_assets::{Archives, EntryKind, Family, Files, Resolver};

fn pack(path: &Path, kind: Kind, members: &[(&str, &[u8])]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let member = |(path, bytes): &(&str, &[u8])| NewMember {
        path: (*path).into(),
        content: Content::Bytes(bytes.to_vec()),
    };
    let members: Vec<NewMember> = members.iter().map(member).collect();
    archive::save(path, |out| archive::create(kind, &members, out)).unwrap();
}

fn write(path: PathBuf, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Two archives with one file in common, a third further below, and loose files.
fn installation(folder: &Path) {
    let model = w3d::sample::crate_box();
    pack(
        &folder.join("W3DZH.big"),
        Kind::Bigf,
        &[
            ("Art\\W3D\\MWCrate.w3d", &model),
            ("Art\\W3D\\Both.w3d", b"of W3DZH"),
            ("Art\\W3D\\Loose.w3d", b"packed"),
        ],
    );
    pack(&folder.join("!mod.big"), Kind::Bigf, &[("art\\w3d\\both.w3d", b"of the mod")]);
    pack(&folder.join("Sub/Textures.big"), Kind::Bigf, &[("Art\\Textures\\mwcrate.dds", b"DDS ")]);
    write(folder.join("art/w3d/loose.w3d"), b"loose");
    write(folder.join("notes.dat"), b"not an archive at all");
}

#[test]
fn a_path_may_lead_into_archives_in_archives() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("inner.w3x");
    pack(&map, Kind::Mpq, &[("war3mapImported\\Tank.mdx", b"MDLX")]);
    let map = fs::read(map).unwrap();
    let campaign = folder.path().join("Campaign.w3n");
    pack(&campaign, Kind::Mpq, &[("Maps\\One.w3x", &map), ("war3campaign.txt", b"text")]);
    let files = Archives::default();
    let tank = campaign.join("maps/one.w3x/WAR3MAPIMPORTED/tank.mdx");
    assert_eq!(files.read(&tank).unwrap(), b"MDLX");
    assert_eq!(files.kind(&tank), Some(EntryKind::File));
    assert_eq!(files.kind(&campaign), Some(EntryKind::Folder));
    assert_eq!(files.kind(&campaign.join("Maps/One.w3x")), Some(EntryKind::Folder));
    assert_eq!(files.kind(&campaign.join("nothing")), None);
    assert!(files.read(&campaign.join("nothing")).is_err());
    let found: Vec<String> = files
        .walk(&campaign)
        .iter()
        .map(|path| path.strip_prefix(&campaign).unwrap().display().to_string())
        .collect();
    assert!(found.contains(&"Maps/One.w3x/war3mapImported/Tank.mdx".to_owned()), "{found:?}");
    // Archives in folders on disk stay closed.
    assert_eq!(files.walk(folder.path()).len(), 2);
}

#[test]
fn the_first_archive_and_loose_files_decide() {
    let folder = tempfile::tempdir().unwrap();
    installation(folder.path());
    let files = Archives::default();
    let game = files.mount(&[folder.path().to_owned()]).unwrap();
    let read = |path: &str| {
        let path = files.resolve(path.as_ref()).unwrap_or_else(|| panic!("{path} is not found"));
        files.read(&path).unwrap()
    };
    assert_eq!(read("art/w3d/both.w3d"), b"of the mod");
    assert_eq!(read(r"ART\W3D\BOTH.W3D"), b"of the mod");
    assert_eq!(read("Art/W3D/Loose.w3d"), b"loose");
    assert_eq!(read("art/w3d/mwcrate.w3d"), w3d::sample::crate_box());
    assert_eq!(files.resolve("art/w3d/nothing.w3d".as_ref()), None);
    let who: Vec<String> = game
        .all("art/w3d/both.w3d")
        .map(|found| found.file.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(who, ["!mod.big", "W3DZH.big"]);
    let listing = files.list(&folder.path().join("art/w3d"));
    assert_eq!(listing.files().len(), 3);
}

#[test]
fn textures_are_found_across_archives() {
    let folder = tempfile::tempdir().unwrap();
    installation(folder.path());
    let files = Archives::default();
    files.mount(&[folder.path().to_owned()]).unwrap();
    let model = files.resolve("art/w3d/mwcrate.w3d".as_ref()).unwrap();
    let resolver = Resolver::new(files);
    let texture = resolver.lookup(&model).texture("mwcrate.tga", Family::W3d).unwrap();
    assert_eq!(resolver.files().read(&texture.path).unwrap(), b"DDS ");
}

#[test]
fn the_members_of_a_mix_archive_are_in_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("Data");
    pack(&data.join("Always.dat"), Kind::Mix, &[("tank.w3d", b"of Always.dat"), ("old.w3d", b"old")]);
    pack(&data.join("Always2.dat"), Kind::Mix, &[("Tank.w3d", b"of Always2.dat")]);
    pack(&data.join("C&C_Field.mix"), Kind::Mix, &[("tank.w3d", b"of the map"), ("field.w3d", b"field")]);
    write(data.join("loose.w3d"), b"loose");
    let files = Archives::default();
    files.mount(&[folder.path().to_owned()]).unwrap();
    let read = |path: &str| files.read(&files.resolve(path.as_ref()).unwrap()).unwrap();
    assert_eq!(read("tank.w3d"), b"of Always2.dat");
    assert_eq!(read("Data/tank.w3d"), b"of Always2.dat");
    assert_eq!(read("old.w3d"), b"old");
    assert_eq!(read("field.w3d"), b"field");
    assert_eq!(read("loose.w3d"), b"loose");
}

#[test]
fn an_expansion_comes_before_the_game() {
    let (game, expansion) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    pack(&game.path().join("W3D.big"), Kind::Bigf, &[("art/w3d/a.w3d", b"game"), ("art/w3d/b.w3d", b"game")]);
    pack(&expansion.path().join("W3DZH.big"), Kind::Bigf, &[("art/w3d/a.w3d", b"expansion")]);
    let files = Archives::default();
    files.mount(&[expansion.path().to_owned(), game.path().to_owned()]).unwrap();
    let read = |path: &str| files.read(&files.resolve(path.as_ref()).unwrap()).unwrap();
    assert_eq!(read("art/w3d/a.w3d"), b"expansion");
    assert_eq!(read("art/w3d/b.w3d"), b"game");
}
