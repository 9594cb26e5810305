//! Building documents from values.

use meshwright_mdx::build::{self, Builder, LayerParts, LightParts};
use meshwright_mdx::records::{
    Interpolation, LayerFresnel, NodeHeader, PackedQuaternion, TangentKey, TextureReference,
};
use meshwright_mdx::{Dialect, Document, kinds, tags};
use record::{F32, Quaternion, U32, Vec3};

#[test]
fn a_track_takes_only_values_of_its_type() {
    let none = Interpolation::NONE;
    assert!(build::track(tags::KGTR, none, -1, &[(0, Vec3::default())]).is_some());
    assert!(build::track(tags::KGTR, none, -1, &[(0, F32::default())]).is_none());
    assert!(build::track(tags::KGRT, none, -1, &[(0, Quaternion::default())]).is_some());
    assert!(build::track(tags::KGRT, none, -1, &[(0, PackedQuaternion::default())]).is_some());
    assert!(build::track(tags::KGTR, none, -1, &[(0, PackedQuaternion::default())]).is_none());
    assert!(build::track(tags::KMTF, none, -1, &[(0, U32::default())]).is_some());
    assert!(build::track(tags::KMTF, none, -1, &[(0, F32::default())]).is_none(), "an index is no float");
    assert!(
        build::tangent_track(tags::KGAO, Interpolation::BEZIER, -1, &[TangentKey::<F32>::default()])
            .is_some()
    );
    assert!(
        build::tangent_track(tags::KGAO, Interpolation::BEZIER, -1, &[TangentKey::<Vec3>::default()])
            .is_none()
    );
    assert!(build::event_track(tags::KEVT, -1, &[0]).is_some());
    assert!(build::event_track(tags::KGAO, -1, &[0]).is_none());
    assert!(build::track(meshwright_mdx::tag("NONE"), none, -1, &[(0, F32::default())]).is_none());
}

/// Sizes as the documents add them up.
#[test]
fn objects_are_as_long_as_their_version_says() {
    let layers = [(800, 28), (900, 32), (1000, 52), (1100, 68), (1200, 68), (1800, 68)];
    for (version, size) in layers {
        let builder = Builder::new(Dialect::Warcraft, version);
        let textures = vec![(TextureReference::default(), None)];
        assert_eq!(builder.layer(&LayerParts::default(), textures, vec![]).len(), size, "version {version}");
    }
    let lights = [(800, 44), (1100, 44), (1200, 48), (1300, 60), (1600, 72), (1800, 72)];
    for (version, size) in lights {
        let builder = Builder::new(Dialect::Warcraft, version);
        let node = builder.node(&NodeHeader::default(), vec![]);
        assert_eq!(
            builder.light(node, &LightParts::default(), vec![]).len(),
            4 + 96 + size,
            "version {version}"
        );
    }
}

/// The sizes around an edited part follow its length.
#[test]
fn sizes_and_counts_follow_an_edit() {
    let bytes = build::samples().swap_remove(0).1;
    let mut document = Document::parse(&bytes).unwrap();
    let before = document.view().geosets().next().unwrap().vertex_count();
    let array = document.root.find_mut("GEOS/Geoset/VRTX").unwrap();
    array.set_values(&vec![Vec3::new(1.0, 2.0, 3.0); before + 2]).unwrap();
    let after = document.to_bytes().unwrap();
    assert_eq!(after.len(), bytes.len() + 2 * 12);
    let again = Document::parse(&after).unwrap();
    assert_eq!(again.diagnostics(), []);
    assert_eq!(again.view().geosets().next().unwrap().vertex_count(), before + 2);
}

/// Parts that a version lacks have their defaults, not zeros.
#[test]
fn missing_parts_have_their_defaults() {
    let bytes = build::samples().swap_remove(0).1;
    let document = Document::parse(&bytes).unwrap();
    let layer = document.view().materials().next().unwrap().layers().next().unwrap();
    assert!(layer.node.child(&kinds::LAYER_FRESNEL).is_none());
    let white = LayerFresnel { color: Vec3::new(1.0, 1.0, 1.0), ..LayerFresnel::default() };
    assert_eq!(layer.parts.fresnel, white);
}
