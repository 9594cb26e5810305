//! Mirroring models.

use mdx::records::{CameraHeader, Key, RibbonEmitterHeader, TangentKey};
use mdx::{Document, kinds, mdl, tags};
use meshwright_edit::{Axis, Mirror, Transform, mirror, transform};
use record::{F32, Node, Quaternion, U16, Vec3};
use w3d::records::{Pivot, Triangle};

use crate::common::{Fixture, crate_box, mdx_sample, mdx_samples};

const LEFT_AND_RIGHT: Mirror = Mirror { axis: Axis::Y, names: true };

fn model(flags: &str) -> Document<'static> {
    let text = format!(
        "Version {{ FormatVersion 800, }} Model \"M\" {{ BlendTime 0, MinimumExtent {{ -1, -2, -3 }}, MaximumExtent {{ 4, 5, 6 }}, }}
        Geoset {{
            Vertices 3 {{ {{ 1, 0, 0 }}, {{ 10, 1, 2 }}, {{ 12, 0, 0 }}, }}
            Normals 3 {{ {{ 1, 0, 0 }}, {{ 1, 0, 0 }}, {{ 0, 1, 0 }}, }}
            TVertices 3 {{ {{ 0, 0 }}, {{ 0, 0 }}, {{ 0, 0 }}, }}
            VertexGroup {{ 0, 1, 2, }}
            Faces 1 3 {{ Triangles {{ {{ 0, 1, 2 }}, }} }}
            Groups 3 3 {{ Matrices {{ 0 }}, Matrices {{ 1 }}, Matrices {{ 2 }}, }}
            MaterialID 0, SelectionGroup 0,
        }}
        Bone \"Root\" {{ ObjectId 0, GeosetId 0, GeosetAnimId None,
            Translation 1 {{ Hermite, 0: {{ 1, 2, 3 }}, InTan {{ 4, 5, 6 }}, OutTan {{ 7, 8, 9 }}, }}
            Rotation 1 {{ Linear, 0: {{ 0.1, 0.2, 0.3, 0.9 }}, }} }}
        Bone \"Arm Left\" {{ ObjectId 1, Parent 0, {flags} GeosetId 0, GeosetAnimId None, Translation 1 {{ Linear, 0: {{ 2, 0, 0 }}, }} }}
        Bone \"Arm Right\" {{ ObjectId 2, Parent 1, GeosetId 0, GeosetAnimId None, Translation 1 {{ Linear, 0: {{ 3, 0, 0 }}, }} }}
        RibbonEmitter \"Trail\" {{ ObjectId 3, static HeightAbove 2, static HeightBelow 5, static Alpha 1, static Color {{ 1, 1, 1 }},
            static TextureSlot 0, EmissionRate 10, LifeSpan 1, Rows 1, Columns 1, MaterialID 0,
            Visibility 1 {{ DontInterp, 0: 1, }} }}
        Camera \"Portrait\" {{ FieldOfView 0.7, FarClip 1000, NearClip 8, Position {{ 100, 20, 30 }},
            Rotation 1 {{ Linear, 0: 0.5, }} Target {{ Position {{ 0, 4, 5 }}, }} }}
        PivotPoints 4 {{ {{ 0, 0, 0 }}, {{ 10, 1, 0 }}, {{ 11, 2, 0 }}, {{ 0, 3, 0 }}, }}"
    );
    let (document, found) = mdl::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?}");
    document.expect("a model")
}

fn vectors(root: &Node<'_>, path: &str) -> Vec<[f32; 3]> {
    root.find(path).expect(path).values::<Vec3>().iter().map(|vector| vector.get()).collect()
}

fn names(root: &Node<'_>) -> Vec<String> {
    let objects = root.children().iter().flat_map(Node::children).filter_map(mdx::view::Object::new);
    objects.map(|object| object.name().into_owned()).collect()
}

#[test]
fn left_becomes_right_in_all_numbers_of_mdx() {
    let mut document = model("");
    mirror(&mut document.root, &LEFT_AND_RIGHT).expect("it can be mirrored");
    let root = &document.root;
    assert_eq!(vectors(root, "GEOS/Geoset/VRTX"), [[1.0, 0.0, 0.0], [10.0, -1.0, 2.0], [12.0, 0.0, 0.0]]);
    assert_eq!(vectors(root, "GEOS/Geoset/NRMS"), [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]);
    let faces = root.find("GEOS/Geoset/PVTX").expect("faces").values::<U16>();
    assert_eq!(faces.iter().map(|corner| corner.get()).collect::<Vec<_>>(), [0, 2, 1]);
    assert_eq!(vectors(root, "PIVT"), [[0.0; 3], [10.0, -1.0, 0.0], [11.0, -2.0, 0.0], [0.0, -3.0, 0.0]]);
    let extent = root.get(kinds::MODL).expect("a model").extent;
    assert_eq!((extent.minimum.get(), extent.maximum.get()), ([-1.0, -5.0, -3.0], [4.0, 2.0, 6.0]));
    let key = root.find("BONE/Bone[0]/Node/KGTR").expect("a track").values::<TangentKey<Vec3>>()[0];
    assert_eq!(
        [key.value, key.in_tan, key.out_tan].map(|value| value.get()),
        [[1.0, -2.0, 3.0], [4.0, -5.0, 6.0], [7.0, -8.0, 9.0]]
    );
    // The axis of a rotation is mirrored, and it turns the other way: only y keeps its sign.
    let key = root.find("BONE/Bone[0]/Node/KGRT").expect("a track").values::<Key<Quaternion>>()[0];
    assert_eq!(key.value.get(), [-0.1, 0.2, -0.3, 0.9]);
    let camera = root.find("CAMS/Camera").expect("a camera");
    let position = camera.children()[0].value::<CameraHeader>().expect("a header").position;
    assert_eq!(position.get(), [100.0, -20.0, 30.0]);
    let roll = camera.children().iter().find(|track| track.id == tags::KCRL).expect("a track");
    assert_eq!(roll.values::<Key<F32>>()[0].value.get(), -0.5);
    // A ribbon reaches up and down along Y.
    let mut heights = None;
    root.walk(&mut |place| {
        if let Some(ribbon) = place.node.value::<RibbonEmitterHeader>() {
            heights = Some([ribbon.height_above.get(), ribbon.height_below.get()]);
        }
    });
    assert_eq!(heights, Some([5.0, 2.0]));
    assert_eq!(names(root), ["Root", "Arm Right", "Arm Left", "Trail"]);
}

#[test]
fn what_faces_the_camera_is_mirrored_within_its_plane() {
    let mut document = model("Billboarded,");
    let before = document.root.to_bytes().expect("bytes");
    let along_x = Transform::Mirror(Axis::X);
    transform(&mut document.root, &along_x).expect("it can be mirrored");
    let root = &document.root;
    // The pivot of the billboard goes to the other side. Its X axis points to the camera, so what it carries is mirrored in Y.
    assert_eq!(vectors(root, "PIVT")[1..3], [[-10.0, 1.0, 0.0], [-9.0, 0.0, 0.0]]);
    assert_eq!(vectors(root, "GEOS/Geoset/VRTX"), [[-1.0, 0.0, 0.0], [-10.0, 1.0, 2.0], [-8.0, 2.0, 0.0]]);
    assert_eq!(vectors(root, "GEOS/Geoset/NRMS"), [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]);
    let translation = |bone: usize| {
        let track = root.find(&format!("BONE/Bone[{bone}]/Node/KGTR")).expect("a track");
        track.values::<Key<Vec3>>()[0].value.get()
    };
    // The billboard itself moves in the space of its parent.
    assert_eq!([translation(1), translation(2)], [[-2.0, 0.0, 0.0], [3.0, 0.0, 0.0]]);
    transform(&mut document.root, &along_x).expect("and back");
    assert_eq!(document.root.to_bytes().expect("bytes"), before);
}

#[test]
fn twice_restores_all_bytes() {
    let w3d_samples = [w3d::sample::crate_box(), w3d::sample::tank()];
    let all = w3d_samples.iter().map(|bytes| Fixture::w3d(bytes));
    let all = all.chain(mdx_samples().iter().map(|(_, bytes)| mdx_sample(bytes)).collect::<Vec<_>>());
    for mut fixture in all {
        for axis in [Axis::X, Axis::Y] {
            let what = Mirror { axis, names: true };
            assert!(mirror(&mut fixture.root, &what).expect("once").changed > 0);
            assert_ne!(fixture.bytes(), fixture.original);
            mirror(&mut fixture.root, &what).expect("twice");
            assert_eq!(fixture.bytes(), fixture.original);
        }
    }
}

#[test]
fn w3d_meshes_are_not_inside_out() {
    let mut fixture = crate_box();
    let before = fixture.root.find("MESH[0]/TRIANGLES").expect("triangles").values::<Triangle>().to_vec();
    mirror(&mut fixture.root, &LEFT_AND_RIGHT).expect("it can be mirrored");
    let after = fixture.root.find("MESH[0]/TRIANGLES").expect("triangles").values::<Triangle>();
    let vertices = fixture.root.find("MESH[0]/VERTICES").expect("vertices").values::<Vec3>();
    for (old, new) in before.iter().zip(after) {
        assert_eq!([old.vindex[0], old.vindex[2], old.vindex[1]], new.vindex);
        let [a, b, c] = new.vindex.map(|index| vertices[index.get() as usize].get());
        let sub = |a: [f32; 3], b: [f32; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let (u, v) = (sub(b, a), sub(c, a));
        let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let normal = new.normal.get();
        let along: f32 = (0..3).map(|axis| cross[axis] * normal[axis]).sum();
        assert!(along > 0.0, "{new:?}");
        let distance: f32 = (0..3).map(|axis| a[axis] * normal[axis]).sum();
        assert!((distance - new.dist.get()).abs() < 1e-5, "{new:?}");
    }
}

#[test]
fn names_of_w3d_follow_in_all_references() {
    let mut fixture = crate_box();
    meshwright_edit::rename(&mut fixture.root, meshwright_edit::Named::Mesh, "LID", "LID_L")
        .expect("renamed");
    mirror(&mut fixture.root, &LEFT_AND_RIGHT).expect("it can be mirrored");
    let mut mesh_names =
        meshwright_edit::names(&mut fixture.root, meshwright_edit::Named::Mesh).expect("names");
    mesh_names.sort();
    assert!(mesh_names.contains(&"LID_R".to_owned()), "{mesh_names:?}");
    let mut references = Vec::new();
    fixture.root.walk(&mut |place| {
        references
            .extend(place.node.value::<w3d::records::HlodSubObject>().map(|object| object.name.to_string()));
    });
    assert!(references.iter().any(|name| name.ends_with(".LID_R")), "{references:?}");
}

#[test]
fn a_name_that_does_not_fit_stays() {
    let mut fixture = crate_box();
    let name = "ABCDEFGHIJ_LEFT";
    let pivots = fixture.root.find("HIERARCHY/PIVOTS").expect("pivots").values::<Pivot>();
    let old = pivots[1].name.to_string();
    meshwright_edit::rename(&mut fixture.root, meshwright_edit::Named::Bone, &old, name).expect("renamed");
    let report = mirror(&mut fixture.root, &LEFT_AND_RIGHT).expect("it can be mirrored");
    assert_eq!(report.notes, [format!("1 name not changed, because the other one is too long: {name}")]);
    let pivots = fixture.root.find("HIERARCHY/PIVOTS").expect("pivots").values::<Pivot>();
    assert_eq!(pivots[1].name.to_string(), name);
}

#[test]
fn what_points_up_cannot_be_mirrored_along_z() {
    let text = "Version { FormatVersion 800, } Model \"M\" { BlendTime 0, }
        ParticleEmitter2 \"Smoke\" { ObjectId 0, }
        PivotPoints 1 { { 0, 0, 0 }, }";
    let mut document = mdl::parse(text.as_bytes()).0.expect("a model");
    let error = mirror(&mut document.root, &Mirror { axis: Axis::Z, names: false }).expect_err("refused");
    assert!(error.message.starts_with("\"Smoke\" points along the Z axis"), "{error}");
}
