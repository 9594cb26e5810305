//! Rotating parts with an orientation: billboards and oblong emitters of MDX.

use mdx::records::ParticleEmitter2Header;
use mdx::{Document, kinds, mdl, tags};
use meshwright_edit::{Axis, Transform, transform};
use record::{Node, Vec3};

/// Two bones, the second of which has the given flags and a bone below it, and a geoset with a vertex on each.
fn model(flags: &str) -> Document<'static> {
    let text = format!(
        "Version {{ FormatVersion 800, }} Model \"M\" {{ BlendTime 0, }}
        Geoset {{
            Vertices 3 {{ {{ 1, 0, 0 }}, {{ 10, 1, 2 }}, {{ 12, 0, 0 }}, }}
            Normals 3 {{ {{ 1, 0, 0 }}, {{ 1, 0, 0 }}, {{ 0, 1, 0 }}, }}
            TVertices 3 {{ {{ 0, 0 }}, {{ 0, 0 }}, {{ 0, 0 }}, }}
            VertexGroup {{ 0, 1, 2, }}
            Faces 1 3 {{ Triangles {{ {{ 0, 1, 2 }}, }} }}
            Groups 3 3 {{ Matrices {{ 0 }}, Matrices {{ 1 }}, Matrices {{ 2 }}, }}
            MaterialID 0, SelectionGroup 0,
        }}
        Bone \"Root\" {{ ObjectId 0, GeosetId 0, GeosetAnimId None, Translation 1 {{ Linear, 0: {{ 1, 0, 0 }}, }} }}
        Bone \"Glow\" {{ ObjectId 1, Parent 0, {flags} GeosetId 0, GeosetAnimId None, Translation 1 {{ Linear, 0: {{ 2, 0, 0 }}, }} }}
        Bone \"Ray\" {{ ObjectId 2, Parent 1, GeosetId 0, GeosetAnimId None, Translation 1 {{ Linear, 0: {{ 3, 0, 0 }}, }} }}
        PivotPoints 3 {{ {{ 0, 0, 0 }}, {{ 10, 0, 0 }}, {{ 11, 0, 0 }}, }}"
    );
    let (document, found) = mdl::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?}");
    document.expect("a model")
}

fn vectors(root: &Node<'_>, path: &str) -> Vec<[f32; 3]> {
    root.find(path).expect(path).values::<Vec3>().iter().map(|vector| vector.get()).collect()
}

/// The first key of the translation of a bone.
fn translation(root: &Node<'_>, bone: usize) -> [f32; 3] {
    let track = root.find(&format!("BONE/Bone[{bone}]/Node/KGTR")).expect("a track");
    track.values::<mdx::records::Key<Vec3>>()[0].value.get()
}

#[test]
fn a_billboard_goes_with_its_pivot_and_is_not_turned() {
    let mut document = model("Billboarded,");
    transform(&mut document.root, &Transform::Rotate(Axis::Z, 90.0)).expect("a billboard can be turned");
    let root = &document.root;
    // X becomes Y. What hangs on the billboard keeps its distance from the billboard's pivot.
    assert_eq!(vectors(root, "PIVT"), [[0.0, 0.0, 0.0], [0.0, 10.0, 0.0], [1.0, 10.0, 0.0]]);
    assert_eq!(vectors(root, "GEOS/Geoset/VRTX"), [[0.0, 1.0, 0.0], [0.0, 11.0, 2.0], [2.0, 10.0, 0.0]]);
    assert_eq!(vectors(root, "GEOS/Geoset/NRMS"), [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    // The billboard itself moves in the space of its parent, the bone below it in that of the billboard.
    assert_eq!(
        [0, 1, 2].map(|bone| translation(root, bone)),
        [[0.0, 1.0, 0.0], [0.0, 2.0, 0.0], [3.0, 0.0, 0.0]]
    );
    // And back again.
    transform(&mut document.root, &Transform::Rotate(Axis::Z, -90.0)).expect("back");
    assert_eq!(document.root.to_bytes().unwrap(), model("Billboarded,").root.to_bytes().unwrap());
}

#[test]
fn a_billboard_that_is_locked_turns_about_its_axis_only() {
    let turn = |flags: &str, axis| transform(&mut model(flags).root, &Transform::Rotate(axis, 90.0));
    assert!(turn("BillboardedLockZ,", Axis::Z).is_ok());
    let error = turn("BillboardedLockZ,", Axis::X).unwrap_err().message;
    assert!(error.contains("locked to another axis"), "{error}");
    assert!(turn("Billboarded,", Axis::X).is_ok());
}

#[test]
fn vertices_of_a_billboard_and_another_bone_cannot_be_turned() {
    let mut document = model("Billboarded,");
    let groups = document.root.find_mut("GEOS/Geoset").expect("a geoset");
    groups.child_mut(&kinds::MTGC).unwrap().set_values(&[2_u32, 1].map(record::U32::new)).unwrap();
    let error = transform(&mut document.root, &Transform::Rotate(Axis::Z, 90.0)).unwrap_err().message;
    assert!(error.contains("by a billboard and by other nodes"), "{error}");
}

#[test]
fn an_oblong_emitter_is_turned_by_right_angles() {
    let text = "Version { FormatVersion 800, } Model \"M\" { BlendTime 0, }
        ParticleEmitter2 \"Dust\" { ObjectId 0, static Speed 1, static Width 4, static Length 9, Blend, Head, TextureID 0,
            Width 1 { Linear, 0: 4, } }
        PivotPoints 1 { { 1, 0, 0 }, }";
    let emitter = |degrees: f32| {
        let mut document = mdl::parse(text.as_bytes()).0.expect("a model");
        transform(&mut document.root, &Transform::Rotate(Axis::Z, degrees)).map(|_| document)
    };
    let sides = |document: &Document<'_>| {
        let object = document.root.find("PRE2/ParticleEmitter2").expect("an emitter");
        let header = object
            .child(&kinds::PARTICLE_EMITTER_2_HEADER)
            .unwrap()
            .value::<ParticleEmitter2Header>()
            .unwrap();
        let track = object
            .children()
            .iter()
            .find(|part| [tags::KP2N, tags::KP2W].contains(&part.id))
            .expect("a track");
        (header.width.get(), header.length.get(), track.kind.name)
    };
    // The source lies along the axes: a quarter turn exchanges its sides.
    let turned = emitter(90.0).expect("a quarter turn");
    assert_eq!(sides(&turned), (9.0, 4.0, "KP2N"));
    assert_eq!(Document::parse(&turned.to_bytes().unwrap()).unwrap().diagnostics(), []);
    assert_eq!(sides(&emitter(180.0).expect("a half turn")), (4.0, 9.0, "KP2W"));
    assert!(emitter(45.0).unwrap_err().message.contains("length and width differ"));
}
