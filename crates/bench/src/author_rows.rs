//! GLB to W3D and to MDX. Rates count the bytes of the GLBs; the size of the result is printed beside them.

use convert::author::{mdx, w3d};
use gltf::{Import, ReadOptions};

use crate::{row, row_on_all_cores, table, total};

/// The GLBs of real files, without textures. Files that are not models are skipped.
pub(crate) fn glbs(files: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let glb = |bytes: &Vec<u8>| {
        let is_mdx = bytes.starts_with(b"MDLX");
        let format = if is_mdx { "mdx" } else { "w3d" }.to_owned();
        let source = Some(gltf::Source { format, ..gltf::Source::default() });
        let options = gltf::Options { textures: false, source, ..gltf::Options::default() };
        let scene = match is_mdx {
            true => convert::mdx::to_scene(&::mdx::Document::parse(bytes).ok()?, &Default::default()).0,
            false => {
                let file = ::w3d::W3d::parse(bytes).ok()?;
                convert::w3d::to_scene(&convert::w3d::Library::new(&file), None, &Default::default()).0
            }
        };
        gltf::write_glb(&scene, &options, &mut gltf::NoTextures).ok().map(|glb| glb.bytes)
    };
    files.iter().filter_map(glb).collect()
}

pub(crate) fn real(source: &str, glbs: &[Vec<u8>]) {
    let source = source.to_uppercase();
    let mut results = table(glbs);
    results.push(row("GLB to scene", glbs, |glb| read(glb).map(|import| import.scene)));
    results.push(row("GLB to W3D", glbs, to_w3d));
    results.push(row_on_all_cores("GLB to W3D", glbs, to_w3d));
    results.push(row("GLB to MDX", glbs, to_mdx));
    results.push(row_on_all_cores("GLB to MDX", glbs, to_mdx));
    println!("GLB, {} real files made of {source}, {} kB", glbs.len(), total(glbs) / 1000);
    println!("{results}");
    for row in results.rows().skip(1) {
        println!("{}: {:.0} MB of GLB per second", row.name, row.megabytes_per_second());
    }
    let written = |to: fn(&[u8]) -> Option<usize>| -> usize { glbs.iter().filter_map(|glb| to(glb)).sum() };
    println!("written: {} kB of W3D, {} kB of MDX\n", written(to_w3d) / 1000, written(to_mdx) / 1000);
}

fn read(glb: &[u8]) -> Option<Import> {
    gltf::read(glb, &gltf::no_files, &ReadOptions::default()).ok()
}

/// Reads a GLB and returns its number of nodes.
pub(crate) fn size_read(glb: &[u8]) -> Option<usize> {
    read(glb).map(|import| import.scene.nodes.len())
}

/// Whether a GLB was converted from a model of this family.
fn is_of(import: &Import, family: &str) -> bool {
    import.source.as_ref().is_some_and(|source| source.format == family)
}

/// The size of the W3D file.
pub(crate) fn to_w3d(glb: &[u8]) -> Option<usize> {
    let mut import = read(glb)?;
    let is_w3d = is_of(&import, "w3d");
    w3d::apply_conventions(&mut import.scene, &import.properties, is_w3d);
    let options = w3d::Options { faithful: is_w3d, ..w3d::Options::default() };
    let (files, _) = w3d::to_w3d(&import.scene, &options).ok()?;
    Some(files.iter().filter_map(|file| file.document.to_bytes().ok()).map(|bytes| bytes.len()).sum())
}

/// The size of the MDX file.
pub(crate) fn to_mdx(glb: &[u8]) -> Option<usize> {
    let mut import = read(glb)?;
    convert::author::apply_names(&mut import.scene);
    convert::author::apply_properties(&mut import.scene, &import.properties);
    let options = mdx::Options { complete: !is_of(&import, "mdx"), ..mdx::Options::default() };
    let (document, _) = mdx::to_mdx(&import.scene, &options).ok()?;
    document.to_bytes().ok().map(|bytes| bytes.len())
}
