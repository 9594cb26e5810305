//! MDX: one model of a hundred megabytes of vertices and keys, and real files, also as MDL.

use gltf::NoTextures;
use mdx::build::{self, Builder};
use mdx::records::{Extent, GeosetHeader, GeosetLevelOfDetail, Interpolation, Model, NodeHeader};
use mdx::{Dialect, Document, kinds, mdl, tags};
use record::{Quaternion, Vec2, Vec3};

use crate::{row, row_over_again, table, total};

/// Two million vertices and a million keys: memory speed is the limit.
pub(crate) fn large_model() {
    let files = vec![large()];
    let mut results = table(&files);
    results.push(row("parse, borrowing", &files, |bytes| {
        Document::parse(bytes).map(|file| file.root.children().len())
    }));
    results.push(row("parse, owning", &files, |bytes| Document::parse(bytes).map(Document::into_owned)));
    let parsed: Vec<_> = files.iter().filter_map(|bytes| Document::parse(bytes).ok()).collect();
    results.push(row("write", &files, |_| parsed.iter().map(Document::to_bytes).collect::<Vec<_>>()));
    println!("MDX, one model of {} MB\n{results}", total(&files) / 1_000_000);
}

fn large() -> Vec<u8> {
    let builder = Builder::new(Dialect::Warcraft, 800);
    let points: Vec<Vec3> = (0..2_000_000).map(|index| Vec3::new(index as f32, 0.5, -1.0)).collect();
    let coordinates: Vec<Vec2> = points.iter().map(|point| Vec2::new(point.x.get(), 0.25)).collect();
    let keys: Vec<_> = (0..1_000_000).map(|index| (index, Quaternion::new(0.0, 0.0, 0.0, 1.0))).collect();
    let rotation = build::track(tags::KGRT, Interpolation::LINEAR, -1, &keys);
    let geoset = builder.geoset(
        vec![build::leaf(&kinds::VRTX, &points), build::leaf(&kinds::NRMS, &points)],
        &GeosetHeader::default(),
        &GeosetLevelOfDetail::default(),
        &Extent::default(),
        &[],
        vec![build::branch(&kinds::UVAS, vec![build::leaf(&kinds::UVBS, &coordinates)])],
    );
    let node = builder.node(&NodeHeader::default(), rotation.into_iter().collect());
    let helper = build::branch(&kinds::HELPER, vec![node]);
    let file = build::file(vec![
        builder.version(),
        build::leaf(&kinds::MODL, &[Model::default()]),
        builder.chunk(&kinds::GEOS, vec![geoset]),
        builder.chunk(&kinds::HELP, vec![helper]),
    ]);
    file.to_bytes().unwrap_or_default()
}

pub(crate) fn real(files: &[Vec<u8>]) {
    let mut results = table(files);
    let mut parts = 0;
    for bytes in files {
        if let Ok(file) = Document::parse(bytes) {
            file.root.walk(&mut |_| parts += 1);
        }
    }
    results.push(row("parse", files, |bytes| {
        Document::parse(bytes).map_or(0, |file| file.root.children().len())
    }));
    results.push(row("parse and look at every value", files, |bytes| {
        Document::parse(bytes).map_or(0, |file| {
            let mut seen = 0;
            file.root
                .walk(&mut |place| seen += place.node.slots().map(|part| part.bytes.len()).sum::<usize>());
            seen
        })
    }));
    let parsed: Vec<_> = files.iter().filter_map(|bytes| Document::parse(bytes).ok()).collect();
    results.push(crate::Row::measure("write", total(files), crate::RUNS, || {
        parsed.iter().map(Document::to_bytes).collect::<Vec<_>>()
    }));
    results.push(row("parse, diagnose", files, |bytes| {
        Document::parse(bytes).map_or(0, |file| file.diagnostics().len())
    }));
    results.push(row("parse, to scene", files, to_scene));
    results.push(row("parse, to GLB", files, to_glb));
    results.push(row_over_again("parse, to GLB, each over again", files, to_glb));
    println!("MDX, {} real files, {parts} parts, {} kB\n{results}", files.len(), total(files) / 1000);
}

/// Converts the model to a scene and drops it. Returns the number of nodes.
fn to_scene(bytes: &[u8]) -> Option<usize> {
    let document = Document::parse(bytes).ok()?;
    Some(convert::mdx::to_scene(&document, &Default::default()).0.nodes.len())
}

/// Converts the model to GLB without textures and drops it. Returns the size.
pub(crate) fn to_glb(bytes: &[u8]) -> Option<usize> {
    let options = gltf::Options { textures: false, ..gltf::Options::default() };
    let document = Document::parse(bytes).ok()?;
    let (scene, _) = convert::mdx::to_scene(&document, &Default::default());
    gltf::write_glb(&scene, &options, &mut NoTextures).ok().map(|glb| glb.bytes.len())
}

/// The same models as MDL. Rates count bytes of the text.
pub(crate) fn real_text(files: &[Vec<u8>]) {
    let documents = files.iter().filter_map(|bytes| Document::parse(bytes).ok());
    let documents: Vec<_> = documents.filter(|document| document.dialect == Dialect::Warcraft).collect();
    let plain = mdl::Options { plain: true, ..mdl::Options::default() };
    let texts: Vec<Vec<u8>> =
        documents.iter().filter_map(|document| mdl::write(document, &plain).ok()).collect();
    let mut results = table(&texts);
    results.push(row("read", &texts, |text| mdl::parse(text).0));
    results.push(crate::Row::measure("write", total(&texts), crate::RUNS, || {
        documents.iter().map(|document| mdl::write(document, &plain)).collect::<Vec<_>>()
    }));
    println!("MDL, {} real files, {} kB\n{results}", texts.len(), total(&texts) / 1000);
}
