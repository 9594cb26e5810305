//! Attaching, blending and recolouring parts.

use mdx::records::{FilterMode, GeosetAnimationFlags, GeosetAnimationHeader, Key, LayerHeader};
use mdx::{Document, kinds, mdl};
use meshwright_edit::{Attachment, Blend, Blending, ColourChange, Motion, Selector, attach, blend, recolour};
use record::{Node, Quaternion, Vec3};
use w3d::names::{AlphaTest, DepthMask, DestBlend, SrcBlend};
use w3d::records::{HlodSubObject, Pivot, VertexMaterialInfo};
use w3d::table;

use crate::common::{Fixture, crate_box};

fn selector(text: &str) -> Selector {
    text.parse().expect("a selector")
}

fn tank() -> Fixture {
    Fixture::w3d(&w3d::sample::tank())
}

fn pivots(root: &Node<'_>) -> Vec<Pivot> {
    root.find("HIERARCHY/PIVOTS").expect("pivots").values::<Pivot>().to_vec()
}

/// Where a pivot is at rest, by its names: rotations are unit quaternions.
fn place(pivots: &[Pivot], name: &str) -> [f64; 3] {
    let mut at = pivots.iter().position(|pivot| pivot.name.is(name)).expect("a pivot");
    let mut point = [0.0; 3];
    while let Some(parent) = pivots[at].parent() {
        let [x, y, z, w] = pivots[at].rotation.get().map(f64::from);
        let axis = [x, y, z];
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let first = cross(axis, point);
        let second = cross(axis, first);
        let offset = pivots[at].translation.get().map(f64::from);
        point = [0, 1, 2].map(|part| point[part] + 2.0 * (w * first[part] + second[part]) + offset[part]);
        at = parent as usize;
    }
    point
}

fn near(a: [f64; 3], b: [f64; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5)
}

#[test]
fn a_w3d_bone_keeps_its_place_and_its_number() {
    let mut fixture = tank();
    let before = pivots(&fixture.root);
    let index = |name: &str| before.iter().position(|pivot| pivot.name.is(name)).expect("a pivot");
    let attachment =
        Attachment { part: selector("bone:EXHAUST"), to: Some(selector("bone:TURRET")), motion: Motion::Own };
    assert_eq!(attach(&mut fixture.root, &attachment).expect("attached").changed, 1);
    let after = pivots(&fixture.root);
    let exhaust = after.iter().position(|pivot| pivot.name.is("EXHAUST")).expect("a pivot");
    let parent = after[exhaust].parent().expect("a parent") as usize;
    assert!(after[parent].name.is("TURRET"));
    assert!(parent < exhaust, "parents come first");
    assert!(near(place(&before, "EXHAUST"), place(&after, "EXHAUST")));
    if index("TURRET") < index("EXHAUST") {
        assert_eq!(exhaust, index("EXHAUST"));
    }
    assert_eq!(attach(&mut fixture.root, &attachment).expect("again").changed, 0);
}

#[test]
fn a_w3d_bone_goes_behind_a_later_parent_and_references_follow() {
    let mut fixture = tank();
    let before = pivots(&fixture.root);
    // The first bone below the root, below one that comes later and is not below it.
    let below = |mut at: usize, top: usize| {
        while at != top {
            match before[at].parent() {
                Some(parent) => at = parent as usize,
                None => return false,
            }
        }
        true
    };
    let pair = (1..before.len())
        .flat_map(|bone| (bone + 1..before.len()).map(move |to| (bone, to)))
        .find(|(bone, to)| !below(*to, *bone))
        .expect("a later bone elsewhere");
    let names = [pair.0, pair.1].map(|index| before[index].name.to_string());
    let bones_of_objects = |root: &Node<'_>| {
        let names = pivots(root);
        let mut found = Vec::new();
        root.walk(&mut |place| {
            if let Some(object) = place.node.value::<HlodSubObject>() {
                found.push((
                    object.name.to_string(),
                    names[object.bone_index.get() as usize].name.to_string(),
                ));
            }
        });
        found
    };
    let objects = bones_of_objects(&fixture.root);
    let attachment = Attachment {
        part: selector(&format!("bone:{}", names[0])),
        to: Some(selector(&format!("bone:{}", names[1]))),
        motion: Motion::Own,
    };
    let report = attach(&mut fixture.root, &attachment).expect("attached");
    assert!(report.notes.iter().any(|note| note.contains("new numbers")), "{:?}", report.notes);
    let after = pivots(&fixture.root);
    assert!(
        after
            .iter()
            .enumerate()
            .all(|(index, pivot)| pivot.parent().is_none_or(|parent| (parent as usize) < index))
    );
    assert_eq!(bones_of_objects(&fixture.root), objects);
    for pivot in &before[1..] {
        let name = pivot.name.to_string();
        assert!(near(place(&before, &name), place(&after, &name)), "{name}");
    }
}

#[test]
fn a_parent_below_the_part_is_refused() {
    let mut fixture = tank();
    let pivots = pivots(&fixture.root);
    let child = (1..pivots.len()).find(|index| pivots[*index].parent().is_some_and(|parent| parent > 0));
    let child = &pivots[child.expect("a bone below another")];
    let parent = &pivots[child.parent().expect("a parent") as usize];
    let attachment = Attachment {
        part: selector(&format!("bone:{}", parent.name)),
        to: Some(selector(&format!("bone:{}", child.name))),
        motion: Motion::Own,
    };
    let error = attach(&mut fixture.root, &attachment).expect_err("refused");
    assert!(error.message.contains("cannot be its parent"), "{error}");
}

/// A bone that turns about Z by 90 degrees in a second, one that stands still, and one on the first.
fn turning() -> Document<'static> {
    let text = "Version { FormatVersion 800, } Model \"M\" { BlendTime 0, }
        Sequences 1 { Anim \"Stand\" { Interval { 0, 1000 }, } }
        Bone \"Arm\" { ObjectId 0, GeosetId 0, GeosetAnimId None,
            Rotation 2 { Linear, 0: { 0, 0, 0, 1 }, 1000: { 0, 0, 0.70710678, 0.70710678 }, } }
        Bone \"Still\" { ObjectId 1, GeosetId 0, GeosetAnimId None, }
        Bone \"Hand\" { ObjectId 2, Parent 0, GeosetId 0, GeosetAnimId None, }
        PivotPoints 3 { { 0, 0, 0 }, { 5, 5, 0 }, { 10, 0, 0 }, }";
    let (document, found) = mdl::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?}");
    document.expect("a model")
}

fn hand(motion: Motion) -> Attachment {
    Attachment { part: selector("bone:Hand"), to: Some(selector("bone:Still")), motion }
}

#[test]
fn kept_motion_becomes_keys_of_the_part() {
    let mut document = turning();
    attach(&mut document.root, &hand(Motion::Kept)).expect("attached");
    let node = document.root.find("BONE/Bone[2]/Node").expect("a node");
    assert_eq!(
        mdx::view::Object::new(document.root.find("BONE/Bone[2]").expect("a bone")).expect("a node").parent(),
        Some(1)
    );
    let moves = node.children().iter().find(|track| track.id == mdx::tags::KGTR).expect("translations");
    let keys = moves.values::<Key<Vec3>>();
    let (first, last) = (keys.first().expect("a key"), keys.last().expect("a key"));
    assert_eq!((first.time.get(), last.time.get()), (0, 1000));
    // The hand goes from (10, 0) to (0, 10).
    let close = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3);
    assert!(close(first.value.get(), [0.0; 3]), "{first:?}");
    assert!(close(last.value.get(), [-10.0, 10.0, 0.0]), "{last:?}");
    let turns = node.children().iter().find(|track| track.id == mdx::tags::KGRT).expect("rotations");
    let last = turns.values::<Key<Quaternion>>().last().expect("a key").value.get();
    assert!((last[2].abs() - 0.5_f32.sqrt()).abs() < 1e-4, "{last:?}");
    // On its way it is on a circle, not on the straight line.
    let middle = keys.iter().min_by_key(|key| (key.time.get() - 500).abs()).expect("a key");
    let [x, y, _] = middle.value.get();
    assert!(((x + 10.0).hypot(y) - 10.0).abs() < 1e-2, "{middle:?}");
}

#[test]
fn rigid_parts_have_no_keys() {
    let mut document = turning();
    attach(&mut document.root, &Attachment { part: selector("bone:Arm"), to: None, motion: Motion::Rigid })
        .expect("attached");
    let node = document.root.find("BONE/Bone[0]/Node").expect("a node");
    assert!(node.children().iter().all(|track| track.id != mdx::tags::KGRT));
    attach(&mut document.root, &hand(Motion::Own)).expect("attached");
    let error = attach(
        &mut document.root,
        &Attachment { part: selector("bone:Still"), to: Some(selector("bone:Hand")), motion: Motion::Own },
    );
    assert!(error.expect_err("refused").message.contains("cannot be its parent"));
}

#[test]
fn presets_of_w3d_shaders() {
    let mut fixture = crate_box();
    let shader = |fixture: &Fixture| {
        fixture.root.find("MESH[0]/SHADERS").expect("shaders").values::<w3d::records::Shader>()[0]
    };
    let name = fixture
        .root
        .find("MESH[0]")
        .and_then(|mesh| mesh.get(table::MESH_HEADER3))
        .expect("a mesh")
        .mesh_name;
    // Source, destination, depth, test; from the exporter's presets.
    let presets = [
        (Blend::Additive, (SrcBlend::ONE, DestBlend::ONE, DepthMask::WRITE_DISABLE, AlphaTest::DISABLE)),
        (Blend::Masked, (SrcBlend::ONE, DestBlend::ZERO, DepthMask::WRITE_ENABLE, AlphaTest::ENABLE)),
        (
            Blend::Alpha,
            (
                SrcBlend::SRC_ALPHA,
                DestBlend::ONE_MINUS_SRC_ALPHA,
                DepthMask::WRITE_DISABLE,
                AlphaTest::DISABLE,
            ),
        ),
        (
            Blend::Modulate,
            (SrcBlend::ZERO, DestBlend::SRC_COLOR, DepthMask::WRITE_DISABLE, AlphaTest::DISABLE),
        ),
        (Blend::Opaque, (SrcBlend::ONE, DestBlend::ZERO, DepthMask::WRITE_ENABLE, AlphaTest::DISABLE)),
    ];
    for (wanted, expected) in presets {
        let blending = Blending { parts: selector(&format!("mesh:{name}")), blend: wanted, layer: 0 };
        blend(&mut fixture.root, &blending).expect("blended");
        let shader = shader(&fixture);
        assert_eq!(
            (shader.src_blend, shader.dest_blend, shader.depth_mask, shader.alpha_test),
            expected,
            "{wanted:?}"
        );
        assert_eq!(blend(&mut fixture.root, &blending).expect("again").changed, 0);
    }
}

/// Two geosets with one material of one layer.
fn sharing() -> Document<'static> {
    let geoset = "Geoset { Vertices 3 { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, } Normals 3 { { 1, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 }, }
        TVertices 3 { { 0, 0 }, { 0, 0 }, { 0, 0 }, } VertexGroup { 0, 0, 0, } Faces 1 3 { Triangles { { 0, 1, 2 }, } }
        Groups 1 1 { Matrices { 0 }, } MaterialID 0, SelectionGroup 0, }";
    let text = format!(
        "Version {{ FormatVersion 800, }} Model \"M\" {{ BlendTime 0, }}
        Textures 1 {{ Bitmap {{ Image \"a.blp\", }} }}
        Materials 1 {{ Material {{ Layer {{ FilterMode None, TwoSided, static TextureID 0, }} }} }}
        {geoset} {geoset}
        Bone \"Root\" {{ ObjectId 0, GeosetId 0, GeosetAnimId None, }}
        PivotPoints 1 {{ {{ 0, 0, 0 }}, }}"
    );
    let (document, found) = mdl::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?}");
    document.expect("a model")
}

fn modes(root: &Node<'_>) -> Vec<Vec<FilterMode>> {
    let list = root.child(&kinds::MTLS).expect("materials");
    let layers = |material: &Node<'_>| {
        let mut found = Vec::new();
        material.walk(&mut |place| {
            found.extend(place.node.value::<LayerHeader>().map(|layer| layer.filter_mode));
        });
        found
    };
    list.all(&kinds::MATERIAL).map(layers).collect()
}

#[test]
fn a_shared_material_is_copied_for_one_part() {
    let mut document = sharing();
    let additive = |parts: &str| Blending { parts: selector(parts), blend: Blend::Additive, layer: 0 };
    assert_eq!(blend(&mut document.root, &additive("geoset:#1")).expect("blended").changed, 1);
    assert_eq!(modes(&document.root), [vec![FilterMode::NONE], vec![FilterMode::ADDITIVE]]);
    let materials: Vec<u32> = document.geosets().filter_map(|geoset| geoset.material_id()).collect();
    assert_eq!(materials, [0, 1]);
    // By material, no copy is needed; and nothing changes the second time.
    assert_eq!(blend(&mut document.root, &additive("geoset:#1")).expect("again").changed, 0);
    assert_eq!(blend(&mut document.root, &additive("material:#0")).expect("blended").changed, 1);
    assert_eq!(modes(&document.root), [[FilterMode::ADDITIVE], [FilterMode::ADDITIVE]]);
    let error =
        blend(&mut document.root, &Blending { layer: 3, ..additive("material:#0") }).expect_err("refused");
    assert!(error.message.contains("has no layer 3"), "{error}");
}

#[test]
fn team_colour_is_a_layer_below_the_texture() {
    let mut document = sharing();
    let before = document.root.to_bytes().expect("bytes");
    let team = |on: bool| ColourChange::TeamColour(on);
    assert_eq!(recolour(&mut document.root, &selector("material:#0"), &team(true)).expect("on").changed, 1);
    assert_eq!(modes(&document.root), [[FilterMode::NONE, FilterMode::BLEND]]);
    let textures = document.root.get(kinds::TEXS);
    assert_eq!(textures.iter().map(|texture| texture.replaceable_id.get()).collect::<Vec<_>>(), [0, 1]);
    let layer = *document
        .root
        .find("MTLS/Material/LAYS/Layer[0]/LayerHeader")
        .expect("a layer")
        .value::<LayerHeader>()
        .expect("a header");
    assert_eq!(layer.texture_id.get(), 1);
    // Unshaded, and two-sided like the layer above it.
    assert_eq!(layer.flags.get(), 0x11);
    assert_eq!(
        recolour(&mut document.root, &selector("material:#0"), &team(true)).expect("again").changed,
        0
    );
    recolour(&mut document.root, &selector("material:#0"), &team(false)).expect("off");
    assert_eq!(modes(&document.root), [[FilterMode::NONE]]);
    assert_ne!(document.root.to_bytes().expect("bytes"), before, "the texture stays");
}

#[test]
fn a_geoset_gets_a_colour() {
    let mut document = sharing();
    let orange = "#ff8000".parse().expect("a colour");
    recolour(&mut document.root, &selector("geoset:#1"), &ColourChange::Set(orange)).expect("recoloured");
    let header = |root: &Node<'_>| {
        *root
            .find("GEOA/GeosetAnimation/GeosetAnimationHeader")
            .and_then(Node::value::<GeosetAnimationHeader>)
            .expect("a header")
    };
    let animation = header(&document.root);
    assert_eq!((animation.geoset_id.get(), animation.alpha.get()), (1, 1.0));
    assert!(animation.flags.has(GeosetAnimationFlags::COLOR));
    assert_eq!(animation.color.get(), [1.0, 128.0 / 255.0, 0.0]);
    let half = "0.5,0.5,0.5".parse().expect("a colour");
    recolour(&mut document.root, &selector("geoset:#1"), &ColourChange::Tint(half)).expect("tinted");
    assert_eq!(header(&document.root).color.get(), [0.5, 64.0 / 255.0, 0.0]);
}

#[test]
fn w3d_materials_are_coloured_and_meshes_renamed() {
    let mut fixture = crate_box();
    let green = "#00ff00".parse().expect("a colour");
    recolour(&mut fixture.root, &selector("mesh:LID"), &ColourChange::Set(green)).expect("recoloured");
    let mut colours = Vec::new();
    let lid = fixture
        .root
        .children()
        .iter()
        .find(|chunk| chunk.get(table::MESH_HEADER3).is_some_and(|header| header.mesh_name.is("LID")));
    lid.expect("a lid").walk(&mut |place| {
        colours.extend(
            place
                .node
                .value::<VertexMaterialInfo>()
                .map(|info| [info.diffuse.r, info.diffuse.g, info.diffuse.b]),
        );
    });
    assert!(!colours.is_empty() && colours.iter().all(|colour| *colour == [0, 255, 0]), "{colours:?}");
    let report =
        recolour(&mut fixture.root, &selector("mesh:LID"), &ColourChange::TeamColour(true)).expect("named");
    assert_eq!(report.notes, ["mesh \"LID\" is called \"HOUSECOLOR01\" now; its bone keeps its name"]);
    let off = recolour(&mut fixture.root, &selector("mesh:HOUSECOLOR01"), &ColourChange::TeamColour(false));
    assert_eq!(
        off.expect("named").notes,
        ["mesh \"HOUSECOLOR01\" is called \"PLAIN01\" now; its bone keeps its name"]
    );
}

#[test]
fn wrong_words_are_explained() {
    assert!("shiny".parse::<Blend>().is_err());
    assert_eq!(
        "aditive".parse::<Blend>().expect_err("a typo").note.as_deref(),
        Some("did you mean additive?")
    );
    for text in ["", "#12", "#gggggg", "1,2", "1,0,2", "1,0,0,0", "1,,0"] {
        assert!(text.parse::<meshwright_edit::Colour>().is_err(), "{text}");
    }
}
