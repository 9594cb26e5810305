//! Builders compute what follows from positions and triangles. The expected numbers are worked out by hand.

use meshwright_mdx::build::{GeosetBuilder, ModelBuilder, extent, vertex_normals};
use meshwright_mdx::records::{FilterMode, LayerFlags, SequenceFlags};
use meshwright_mdx::view::text;
use meshwright_mdx::{Document, kinds};
use record::{U32, Vec3};

/// A quad of 30 by 40 at a height of 10.
const QUAD: [[f32; 3]; 4] = [[0.0, 0.0, 10.0], [30.0, 0.0, 10.0], [30.0, 40.0, 10.0], [0.0, 40.0, 10.0]];

fn quad() -> GeosetBuilder {
    GeosetBuilder::new()
        .positions(QUAD)
        .uvs([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
        .triangles([[0, 1, 2], [0, 2, 3]])
        .texture("Textures\\wood.blp")
}

fn words(words: &[U32]) -> Vec<u32> {
    words.iter().map(|word| word.get()).collect()
}

#[test]
fn extents_hold_a_sphere_around_the_origin() {
    let bounds = extent(&QUAD.map(Vec3::from));
    assert_eq!((bounds.minimum.get(), bounds.maximum.get()), ([0.0, 0.0, 10.0], [30.0, 40.0, 10.0]));
    // 30, 40, 10: the square root of 2600.
    assert_eq!(bounds.radius.get(), 2600.0_f32.sqrt());
    assert_eq!(extent(&[]).radius.get(), 0.0);
}

#[test]
fn normals_are_weighted_by_area() {
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -2.0], [9.0; 3]].map(Vec3::from);
    let normals = vertex_normals(&positions, &[[0, 1, 2], [0, 1, 3]]);
    assert_eq!((normals[2].get(), normals[3].get()), ([0.0, 0.0, 1.0], [0.0, 1.0, 0.0]));
    let [x, y, z] = normals[0].get();
    let five = 5.0_f32.sqrt().recip();
    assert!(x == 0.0 && (y - 2.0 * five).abs() < 1e-7 && (z - five).abs() < 1e-7);
    assert_eq!(normals[4].get(), [0.0, 0.0, 1.0]);
}

#[test]
fn a_model_of_one_geoset_has_what_the_game_wants() {
    for version in [800, 900, 1000, 1100, 1200] {
        let bytes =
            ModelBuilder::new("Sign").version(version).geoset(quad()).build().unwrap().to_bytes().unwrap();
        let document = Document::parse(&bytes).unwrap();
        assert_eq!(document.diagnostics(), [], "{version}");
        assert_eq!((document.version, document.name()), (version, "Sign".into()));
        let geoset = document.geosets().next().unwrap();
        assert_eq!(geoset.normals(), [Vec3::new(0.0, 0.0, 1.0); 4]);
        assert_eq!(words(geoset.get(kinds::PCNT)), [6]);
        assert_eq!((geoset.vertex_groups(), words(geoset.matrix_groups())), (&[0; 4][..], vec![1]));
        assert_eq!((words(geoset.matrices()), geoset.extents().len()), (vec![0], 2));
        assert_eq!(geoset.extent().unwrap().radius.get(), 2600.0_f32.sqrt());
        assert_eq!(document.header().unwrap().extent.maximum.get(), [30.0, 40.0, 10.0]);
        let sequence = document.sequences().next().unwrap();
        assert_eq!((text(sequence.name), sequence.interval), ("Stand".into(), [0, 1000]));
        assert_eq!(sequence.extent.radius.get(), 2600.0_f32.sqrt());
        let nodes: Vec<_> = document.nodes().map(|node| (node.id(), node.parent(), node.name())).collect();
        assert_eq!(nodes, [(0, None, "Root".into()), (1, Some(0), "Origin Ref ".into())]);
        assert_eq!(document.view().pivots().len(), 2);
        assert_eq!(document.bones().next().unwrap().geoset_id(), Some(0));
        let layer = document.materials().next().unwrap().layers().next().unwrap();
        assert_eq!(layer.textures().map(|texture| texture.texture_id).collect::<Vec<_>>(), [0], "{version}");
    }
}

#[test]
fn vertices_with_the_same_bones_share_a_group() {
    let geoset = quad().bones([vec![0], vec![0, 1], vec![1, 0], vec![0, 1]]);
    let model = ModelBuilder::new("Flag")
        .bone("Pole", None, [0.0, 0.0, 0.0])
        .bone("Cloth", Some(0), [0.0, 0.0, 10.0])
        .bone("Idle", Some(1), [1.0, 2.0, 3.0])
        .attachment("Overhead Ref", 1, [0.0, 0.0, 50.0])
        .sequence("Stand", 0, 500, true)
        .sequence("Death", 600, 900, false)
        .geoset(geoset)
        .geoset(quad().bone(1))
        .build()
        .unwrap();
    let geoset = model.geosets().next().unwrap();
    // The order of bones within a group is that of the first vertex which has it.
    assert_eq!(geoset.vertex_groups(), [0, 1, 2, 1]);
    assert_eq!(
        (words(geoset.matrix_groups()), words(geoset.matrices())),
        (vec![1, 2, 2], vec![0, 0, 1, 1, 0])
    );
    assert_eq!(geoset.extents().len(), 2);
    let geosets: Vec<_> = model.bones().map(|bone| bone.geoset_id()).collect();
    assert_eq!(geosets, [Some(0), None, None], "the pole moves one geoset, the cloth two, the last one none");
    let pivots: Vec<_> = model.view().pivots().iter().map(|pivot| pivot.get()).collect();
    assert_eq!(pivots, [[0.0; 3], [0.0, 0.0, 10.0], [1.0, 2.0, 3.0], [0.0, 0.0, 50.0]]);
    let flags: Vec<_> = model.sequences().map(|sequence| sequence.flags).collect();
    assert_eq!(flags, [SequenceFlags::default(), SequenceFlags::NON_LOOPING]);
}

#[test]
fn geosets_that_look_the_same_share_a_material() {
    let glow = quad().filter_mode(FilterMode::ADDITIVE).layer_flags(LayerFlags::UNSHADED);
    let model =
        ModelBuilder::new("Lamp").geoset(quad()).geoset(glow).geoset(quad()).geoset(GeosetBuilder::new());
    let model = model.build().unwrap();
    assert_eq!((model.textures().len(), model.materials().count()), (2, 3));
    let materials: Vec<_> = model.geosets().filter_map(|geoset| geoset.material_id()).collect();
    assert_eq!(materials, [0, 1, 0, 2]);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let message = |model: ModelBuilder| model.build().unwrap_err().diagnostic().message.clone();
    let model = || ModelBuilder::new("Sign");
    assert_eq!(
        message(model().geoset(quad().uvs([[0.0, 0.0]]))),
        "geoset 0: 1 texture coordinates for 4 positions"
    );
    assert_eq!(
        message(model().geoset(quad().triangles([[0, 1, 4]]))),
        "geoset 0: vertex 4 does not exist: it has 4"
    );
    assert_eq!(message(model().geoset(quad().bone(1))), "geoset 0: bone 1 does not exist: the model has 1");
    assert_eq!(
        message(model().geoset(quad().bones([vec![], vec![], vec![], vec![]]))),
        "geoset 0: a vertex has no bone"
    );
    assert_eq!(message(model().bone("A", Some(0), [0.0; 3])), "bone A: its parent must be added before it");
    assert_eq!(
        message(model().attachment("A", 2, [0.0; 3])),
        "attachment A: bone 2 does not exist: there are 1"
    );
    assert_eq!(
        message(model().geoset(quad().positions([[f32::INFINITY; 3]; 4]))),
        "geoset 0: a position is infinite or NaN"
    );
    let many = GeosetBuilder::new().positions((0..300_u16).map(|index| [f32::from(index), 0.0, 0.0]));
    let many = (0..300)
        .fold(model(), |model, index| model.bone(&format!("B{index}"), None, [0.0; 3]))
        .geoset(many.bones((0..300).map(|index| vec![index])));
    assert_eq!(message(many), "geoset 0: more than 256 different combinations of bones");
}
