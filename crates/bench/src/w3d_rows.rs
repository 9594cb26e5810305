//! W3D: one mesh of a hundred megabytes, and real files, where the cost per chunk counts.

use convert::w3d::Library;
use gltf::NoTextures;
use record::F32;
use w3d::{Vec3, W3d, codec, sample, table};

use crate::{row, row_over_again, table, total};

/// A hundred megabytes in a handful of arrays: memory speed is the limit.
pub(crate) fn large_mesh() {
    let files = vec![sample::large_mesh(1_640_000)];
    let mut results = table(&files);
    results.push(row("parse, borrowing", &files, |bytes| {
        W3d::parse(bytes).map(|file| file.root.children().len())
    }));
    results.push(row("parse, owning", &files, |bytes| W3d::parse(bytes).map(W3d::into_owned)));
    let parsed: Vec<_> = files.iter().filter_map(|bytes| W3d::parse(bytes).ok()).collect();
    results.push(row("write", &files, |_| parsed.iter().map(W3d::to_bytes).collect::<Vec<_>>()));
    println!("W3D, one mesh of {} MB\n{results}", total(&files) / 1_000_000);
}

pub(crate) fn real(files: &[Vec<u8>]) {
    let mut results = table(files);
    let mut chunks = 0;
    for bytes in files {
        if let Ok(file) = W3d::parse(bytes) {
            file.root.walk(&mut |_| chunks += 1);
        }
    }
    results.push(row("parse", files, |bytes| W3d::parse(bytes).map_or(0, |file| file.root.children().len())));
    results.push(row("parse and look at every value", files, |bytes| {
        W3d::parse(bytes).map_or(0, |file| every_value(&file))
    }));
    results.push(row("parse, write", files, |bytes| W3d::parse(bytes).and_then(|file| file.to_bytes())));
    results.push(row("parse, diagnose", files, |bytes| {
        W3d::parse(bytes).map_or(0, |file| file.diagnostics().len())
    }));
    results.push(row("parse, decode animations", files, |bytes| {
        W3d::parse(bytes).map_or(0, |file| channels(&file))
    }));
    results.push(row("parse, text form", files, |bytes| {
        W3d::parse(bytes).map_or(0, |file| file.to_json().len())
    }));
    results.push(row("parse, to scene", files, to_scene));
    results.push(row("parse, to GLB", files, to_glb));
    results.push(row_over_again("parse, to GLB, each over again", files, to_glb));
    println!("W3D, {} real files, {chunks} chunks, {} kB\n{results}", files.len(), total(files) / 1000);
}

/// Converts the model to a scene and drops it. Returns the number of nodes.
fn to_scene(bytes: &[u8]) -> Option<usize> {
    let file = W3d::parse(bytes).ok()?;
    Some(convert::w3d::to_scene(&Library::new(&file), None, &Default::default()).0.nodes.len())
}

/// Converts the model to GLB without textures and drops it. Returns the size.
pub(crate) fn to_glb(bytes: &[u8]) -> Option<usize> {
    let options = gltf::Options { textures: false, ..gltf::Options::default() };
    let file = W3d::parse(bytes).ok()?;
    let (scene, _) = convert::w3d::to_scene(&Library::new(&file), None, &Default::default());
    gltf::write_glb(&scene, &options, &mut NoTextures).ok().map(|glb| glb.bytes.len())
}

/// Visits each slot of each chunk with its type. The sum over the large arrays keeps the compiler from removing the work.
fn every_value(file: &W3d<'_>) -> usize {
    let mut seen = 0;
    file.root.walk(&mut |place| {
        seen += place.node.slots().map(|part| part.bytes.len()).sum::<usize>();
        if place.node.is(&table::VERTICES) {
            seen += place.node.values::<Vec3>().iter().filter(|vertex| vertex.x > F32::ZERO).count();
        }
    });
    seen
}

fn channels(file: &W3d<'_>) -> usize {
    file.animations().flat_map(|animation| animation.0.children()).filter_map(codec::decode).count()
}
