//! `Model` in every format.

use meshwright::{Error, Family, Model};

fn mdx(name: &str) -> Vec<u8> {
    mdx::build::samples().into_iter().find(|(known, _)| *known == name).expect("a sample").1
}

#[test]
fn every_format_is_read_and_written_again() {
    let folder = tempfile::tempdir().expect("a folder");
    for (bytes, formats) in
        [(w3d::sample::crate_box(), &["w3d", "json"][..]), (mdx("warcraft-800"), &["mdx", "mdl", "json"])]
    {
        let mut model = Model::parse(&bytes).expect("a sample");
        assert_eq!(model.path(), None);
        for format in formats {
            let path = folder.path().join(format!("model.{format}"));
            model.save(&path).expect("written");
            assert_eq!((model.path(), model.format().name), (Some(path.as_path()), *format));
            let again = Model::open(&path).expect("it reads back");
            assert_eq!(again.path(), Some(path.as_path()));
            assert_eq!(again.format().name, *format);
            assert_eq!(again.to_bytes().expect("bytes"), bytes, "{format}");
            assert!(model.diff(&again).expect("the same family").is_empty());
        }
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").flatten().collect();
    assert_eq!(left.len(), 4, "nothing else was written: {left:?}");
}

#[test]
fn parts_have_the_same_methods_in_both_families() {
    let model = Model::parse(w3d::sample::crate_box()).expect("the crate");
    let [body, lid] = &model.meshes()[..] else { panic!("two meshes") };
    assert_eq!((body.name().as_str(), lid.name().as_str()), ("MWCRATE.BODY", "MWCRATE.LID"));
    for mesh in [body, lid] {
        let vertices = mesh.positions().len();
        assert_eq!((mesh.normals().len(), mesh.texture_coordinates().len()), (vertices, vertices));
        assert!(mesh.triangles().iter().flatten().all(|index| (*index as usize) < vertices));
    }
    let skeletons = model.skeletons();
    assert_eq!((skeletons[0].name.as_str(), skeletons[0].bones.len()), ("MWCRATE", 3));
    assert_eq!(skeletons[0].bones[0].parent, None);
    assert_eq!(model.clips()[0].name, "MWCRATE.OPEN");

    let model = Model::parse(mdx("warcraft-800")).expect("a sample");
    assert_eq!(model.family(), Family::Mdx);
    let meshes = model.meshes();
    let vertices = meshes[0].positions().len();
    assert_eq!((vertices, meshes[0].normals().len(), meshes[0].texture_coordinates().len()), (4, 4, 4));
    assert!(meshes[0].triangles().iter().flatten().all(|index| (*index as usize) < vertices));
    let bones = &model.skeletons()[0].bones;
    assert!(bones.iter().all(|bone| bone.parent.is_none_or(|parent| parent < bones.len())));
    assert!(!model.textures().is_empty() && !model.clips().is_empty());
}

#[test]
fn errors_name_the_file_and_what_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tank.w3d");
    assert!(matches!(Model::open(&path), Err(Error::Io { .. })));
    std::fs::write(&path, b"BLP1 and so on").expect("written");
    let error = Model::open(&path).expect_err("a texture").to_string();
    assert!(error.contains("tank.w3d") && error.contains("a BLP texture, not a model"), "{error}");
    let mut model = Model::parse(w3d::sample::crate_box()).expect("the crate");
    let error = model.save(folder.path().join("tank.fbx")).expect_err("no such format").to_string();
    assert!(error.contains("supported: json, mdx, mdl, w3d"), "{error}");
    assert!(model.save(folder.path().join("tank.mdx")).is_err(), "W3D is not MDX");
    let other = Model::parse(mdx("warcraft-800")).expect("a sample");
    assert_eq!(model.diff(&other).expect_err("families").to_string(), "cannot compare W3D with MDX");
    assert!(!folder.path().join("tank.mdx").exists());
    model.save(folder.path().join("tank.glb")).expect("written");
    assert_eq!(model.path(), None, "a GLB has not the whole document");
}

#[test]
fn a_model_in_an_archive_is_opened() {
    use meshwright::archive::{Content, Kind, NewMember, create, save};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("W3DZH.big");
    let content = Content::Bytes(w3d::sample::crate_box());
    let members = [NewMember { path: r"Art\W3D\Tank.W3D".into(), content }];
    save(&path, |out| create(Kind::Bigf, &members, out)).expect("packed");
    let model = Model::open(path.join("art/w3d/tank.w3d")).expect("a member");
    assert_eq!(model.to_bytes().expect("bytes"), w3d::sample::crate_box());
    assert!(matches!(Model::open(path.join("art/w3d/none.w3d")), Err(Error::Io { .. })));
    std::fs::write(&path, b"BIGF damaged").expect("written");
    assert!(matches!(Model::open(path.join("art/w3d/tank.w3d")), Err(Error::Archive { .. })));
}

#[test]
fn a_texture_is_found_beside_the_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mwcrate.w3d");
    let mut model = Model::parse(w3d::sample::crate_box()).expect("the crate");
    assert_eq!(model.texture_file("mwcrate.tga"), None, "it has no path");
    model.save(&path).expect("written");
    assert!(model.load_texture("mwcrate.tga").expect("no error").is_none());
    // An uncompressed TGA of 1 x 1 pixels: blue, green, red.
    let mut tga = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0];
    tga.extend([10, 20, 30]);
    std::fs::write(folder.path().join("MWCrate.tga"), tga).expect("written");
    let image = model.load_texture("mwcrate.tga").expect("no error").expect("it is there");
    assert_eq!((image.width(), image.height()), (1, 1));
    assert_eq!(image.pixels(), [30, 20, 10, 255]);
}
