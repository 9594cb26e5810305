//! W3X: references by id, included files, textures through declarations.

use meshwright_assets::{Family, Files, Memory, Reference, Resolver};
use w3x::W3x;
use w3x::build::{
    AnimationBuilder, PivotBuilder, Style, container, document, hierarchy, include, includes, texture,
};
use w3x::view::SubObjectKind;

fn write(assets: &[w3x::build::Build]) -> Vec<u8> {
    document(&Style::default(), assets)
}

fn skeleton() -> Vec<u8> {
    write(&[hierarchy("Tank_SKL", &[PivotBuilder::new("ROOT", None, [0.0; 3])])])
}

fn clip(id: &str) -> Vec<u8> {
    let animation = AnimationBuilder {
        id: id.to_owned(),
        hierarchy: "TANK_SKL".to_owned(),
        frames: 1,
        frame_rate: 30.0,
        channels: Vec::new(),
    };
    write(&[animation.build()])
}

fn model() -> Vec<u8> {
    let objects = [("HULL", 0, SubObjectKind::Mesh, "TANK.HULL")];
    write(&[includes([include("art:Extra.w3x")]), container("TANK", "tank_skl", &objects)])
}

/// Folders of two letters, as `ART:` has them.
fn files() -> Memory {
    let mut files = Memory::default();
    files.add("art/ta/tank.w3x", model());
    files.add("art/ta/anything.w3x", skeleton());
    files.add("art/ta/run.w3x", clip("TANK_RUN"));
    files.add("art/ex/extra.w3x", write(&[texture("Other", "other.dds")]));
    files.add("art/gr/green.xml", write(&[texture("Green", "ART:GreenPaint.dds")]));
    files.add("art/gr/greenpaint.dds", *b"DDS ");
    files.add("art/ta/notes.xml", *b"<notes/>");
    files
}

#[test]
fn companions_are_found_by_id() {
    let resolver = Resolver::new(files());
    let bytes = model();
    let file = W3x::parse(&bytes).expect("the model");
    let found = resolver.lookup("art/ta/tank.w3x".as_ref()).w3x_companions(&file);
    let mut paths: Vec<_> = found.paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    paths.sort();
    assert_eq!(paths, ["art/ex/extra.w3x", "art/ta/anything.w3x", "art/ta/run.w3x"]);
    assert_eq!(found.missing, [Reference::Model("TANK.HULL".to_owned())]);
}

#[test]
fn textures_are_found_through_their_declarations() {
    let resolver = Resolver::new(files());
    let lookup = resolver.lookup("art/ta/tank.w3x".as_ref());
    let texture = lookup.texture("GREEN", Family::W3x).expect("the declared texture");
    assert_eq!(texture.path.to_str(), Some("art/gr/greenpaint.dds"));
    assert!(lookup.texture("Blue", Family::W3x).is_none());
    // Anywhere below a folder that was added.
    let mut resolver = Resolver::new(files());
    resolver.add_folder("art".as_ref());
    let texture = resolver.lookup_anywhere().texture("green", Family::W3x).expect("the declared texture");
    assert_eq!(texture.path.to_str(), Some("art/gr/greenpaint.dds"));
}

/// Counts how often each file is read.
struct Counted(Memory, std::sync::Mutex<Vec<std::path::PathBuf>>);

impl Files for Counted {
    fn list(&self, folder: &std::path::Path) -> std::sync::Arc<meshwright_assets::Listing> {
        self.0.list(folder)
    }

    fn read(&self, file: &std::path::Path) -> Result<Vec<u8>, meshwright_assets::Error> {
        self.1.lock().expect("no thread panicked").push(file.to_owned());
        self.0.read(file)
    }
}

#[test]
fn the_index_of_a_folder_is_built_once() {
    let files = std::sync::Arc::new(Counted(files(), Default::default()));
    let resolver = Resolver::shared(files.clone());
    let lookup = resolver.lookup("art/ta/tank.w3x".as_ref());
    for _ in 0..5 {
        assert!(lookup.w3x_asset(true, "TANK_SKL").is_some());
        assert!(lookup.w3x_asset(false, "NOTHING").is_none());
    }
    let read = files.1.lock().expect("no thread panicked");
    let notes = read.iter().filter(|path| path.ends_with("notes.xml")).count();
    assert_eq!(notes, 1, "{read:?}");
}
