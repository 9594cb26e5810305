//! The chunks of Warcraft III, version 800 unless a later one brought them.

use meshwright_mdx::records::*;
use meshwright_mdx::view::{NodeKind, Shape};
use meshwright_mdx::{Dialect, Document, kinds, view};

use super::bytes::{Bytes, bytes, file, read};

const W: Dialect = Dialect::Warcraft;
const EXTENT: [f32; 7] = [9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];

#[test]
fn model_and_sequences() {
    let model = bytes().text("Footman", 80).text("anim.mdx", 260).floats(&EXTENT).u32(150);
    let sequence =
        bytes().text("Stand", 80).i32(-33).i32(1000).f32(270.0).u32(1).f32(2.5).u32(7).floats(&EXTENT);
    let bytes = bytes()
        .tag("MDLX")
        .add(&bytes().u32(800).chunk("VERS"))
        .add(&model.chunk("MODL"))
        .add(&sequence.clone().add(&sequence).chunk("SEQS"))
        .add(&bytes().words(&[0, 5000]).chunk("GLBS"))
        .0;
    let document = Document::parse(&bytes).unwrap();
    assert_eq!(document.diagnostics(), []);
    let model = document.view();
    let header = model.header().unwrap();
    assert_eq!(
        (view::text(header.name), view::text(header.animation_file)),
        ("Footman".into(), "anim.mdx".into())
    );
    assert_eq!((header.extent.radius.get(), header.extent.maximum.get()), (9.0, [4.0, 5.0, 6.0]));
    assert_eq!((header.blend_time, header.flags), (Some(150), None));
    let sequence = model.sequences().nth(1).unwrap();
    assert_eq!((view::text(sequence.name), sequence.interval), ("Stand".into(), [-33, 1000]));
    assert_eq!((sequence.move_speed, sequence.rarity, sequence.sync_point), (270.0, 2.5, Some(7)));
    assert!(sequence.flags.has(SequenceFlags::NON_LOOPING));
    assert_eq!(sequence.extent.minimum.get(), [1.0, 2.0, 3.0]);
    assert_eq!(model.global_sequences()[1].get(), 5000);
}

#[test]
fn textures_and_pivots() {
    let texture = bytes().u32(2).text("Textures\\a.blp", 260).u32(3);
    let pivots = bytes().floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).chunk("PIVT");
    read(W, 800, &texture.chunk("TEXS").add(&pivots), |document| {
        let model = document.view();
        let texture = &model.textures()[0];
        assert_eq!((texture.replaceable_id.get(), view::text(&texture.path)), (2, "Textures\\a.blp".into()));
        assert!(texture.flags.has(TextureFlags::WRAP_WIDTH) && texture.flags.has(TextureFlags::WRAP_HEIGHT));
        assert_eq!(model.pivots()[1].get(), [4.0, 5.0, 6.0]);
    });
}

#[test]
fn geoset_animations() {
    let animation = bytes().f32(0.5).u32(3).floats(&[1.0, 0.5, 0.25]).i32(2).sized();
    assert_eq!(animation.0.len(), 28);
    read(W, 800, &animation.chunk("GEOA"), |document| {
        let animation = document.view().geoset_animations().next().unwrap();
        assert_eq!((animation.alpha, animation.geoset_id), (0.5, 2));
        assert_eq!((animation.color, animation.drop_shadow), (Some([1.0, 0.5, 0.25]), true));
    });
}

#[test]
fn bones_helpers_and_attachments() {
    let bone = bytes().node("Bone_A", 0, &bytes()).i32(4).i32(-1);
    let bone = bone.node("Bone_B", 1, &bytes()).i32(-1).i32(5).chunk("BONE");
    let helper = bytes().node("Help", 2, &bytes()).chunk("HELP");
    let attachment = bytes().node("Origin Ref", 3, &bytes()).text("a.mdl", 260).i32(6).sized();
    assert_eq!(attachment.0.len(), 4 + 96 + 264);
    read(W, 800, &bone.add(&helper).add(&attachment.chunk("ATCH")), |document| {
        let nodes: Vec<_> = document.view().nodes().collect();
        let kinds: Vec<_> = nodes.iter().map(|node| (node.kind, node.id(), node.parent())).collect();
        let expected = [NodeKind::Bone, NodeKind::Bone, NodeKind::Helper, NodeKind::Attachment];
        assert_eq!(kinds, [0, 1, 2, 3].map(|index| (expected[index], index as i32, None)));
        assert!(nodes[0].flags().has(NodeFlags::BILLBOARDED));
        let links = nodes[1].part::<BoneLinks>().unwrap();
        assert_eq!((links.geoset_id.get(), links.geoset_animation_id.get()), (-1, 5));
        let attachment = nodes[3].attachment().unwrap();
        assert_eq!((attachment.id, view::text(attachment.path)), (6, "a.mdl".into()));
    });
}

#[test]
fn emitters() {
    let prem = bytes()
        .node("P", 0, &bytes())
        .floats(&[1.0, 2.0, 3.0, 4.0])
        .text("p.mdl", 260)
        .floats(&[5.0, 6.0])
        .sized();
    let pre2 =
        bytes().node("Q", 1, &bytes()).floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).words(&[4, 2, 3, 2]);
    let pre2 = pre2
        .floats(&[0.5, 0.25])
        .floats(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
        .u8(255)
        .u8(128)
        .u8(1);
    let pre2 = pre2.floats(&[10.0, 20.0, 30.0]).words(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    let pre2 = pre2.i32(3).u32(1).i32(-2).u32(2).sized();
    assert_eq!(pre2.0.len(), 4 + 96 + 171);
    let ribbon =
        bytes().node("R", 2, &bytes()).floats(&[1.0, 2.0, 0.5, 0.1, 0.2, 0.3, 4.0]).words(&[5, 6, 7, 8]);
    let ribbon = ribbon.i32(9).f32(10.0).sized();
    assert_eq!(ribbon.0.len(), 4 + 96 + 52);
    let corn = bytes().node("C", 3, &bytes()).floats(&[1.0, 2.0, 3.0, 0.1, 0.2, 0.3, 0.4]).u32(5);
    let corn = corn.text("c.pkfx", 260).text("Always=on", 260).sized();
    assert_eq!(corn.0.len(), 4 + 96 + 552);
    let chunks =
        prem.chunk("PREM").add(&pre2.chunk("PRE2")).add(&ribbon.chunk("RIBB")).add(&corn.chunk("CORN"));
    read(W, 1000, &chunks, |document| {
        let nodes: Vec<_> = document.view().nodes().collect();
        let prem = nodes[0].part::<ParticleEmitterHeader>().unwrap();
        assert_eq!((prem.latitude.get(), prem.life_span.get(), prem.speed.get()), (4.0, 5.0, 6.0));
        let pre2 = nodes[1].emitter_2().unwrap();
        assert_eq!((pre2.emission_rate, pre2.length, pre2.width), (6.0, 7.0, 8.0));
        assert_eq!((pre2.filter_mode, pre2.cells), (ParticleFilterMode::ALPHA_KEY, [2, 3]));
        assert_eq!((pre2.particle_type, pre2.tail_length, pre2.time), (ParticleType::BOTH, 0.5, 0.25));
        assert_eq!((pre2.colors[2].get(), pre2.alphas), ([0.7, 0.8, 0.9], [255, 128, 1]));
        assert_eq!((pre2.scalings, pre2.animations[3].repeat.get()), ([10.0, 20.0, 30.0], 12));
        assert_eq!(
            (pre2.texture_id, pre2.squirt, pre2.priority_plane, pre2.replaceable_id),
            (3, true, -2, 2)
        );
        let ribbon = nodes[2].part::<RibbonEmitterHeader>().unwrap();
        assert_eq!((ribbon.color.get(), ribbon.life_span.get()), ([0.1, 0.2, 0.3], 4.0));
        assert_eq!((ribbon.texture_slot.get(), ribbon.emission_rate.get()), (5, 6));
        assert_eq!((ribbon.material_id.get(), ribbon.gravity.get()), (9, 10.0));
        let corn = nodes[3].part::<PopcornEmitterHeader>().unwrap();
        assert_eq!((corn.alpha.get(), corn.replaceable_id.get()), (0.4, 5));
        assert_eq!(view::text(&corn.animation_visibility_guide), "Always=on");
    });
}

/// A shape of each kind, followed by another node or by the end: the rival sizes are told apart by that.
#[test]
fn collision_shapes() {
    let cases: [(u32, &[f32], Shape); 6] = [
        (0, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], Shape::Box([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])),
        (1, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], Shape::Box([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])),
        (1, &[1.0, 2.0, 3.0, 4.0, 5.0], Shape::Cylinder([1.0, 2.0, 3.0], [1.0, 2.0, 7.0], 5.0)),
        (2, &[1.0, 2.0, 3.0, 4.0], Shape::Sphere([1.0, 2.0, 3.0], 4.0)),
        (3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], Shape::Cylinder([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], 7.0)),
        (3, &[80.0, 100.0], Shape::Plane(80.0, 100.0)),
    ];
    let shape = |kind: u32, floats: &[f32]| bytes().node("Col", 0, &bytes()).u32(kind).floats(floats);
    for (kind, floats, expected) in cases {
        let one = shape(kind, floats);
        for chunk in [one.clone(), one.clone().add(&shape(0, cases[0].1)), one.clone().add(&one)] {
            read(W, 800, &chunk.chunk("CLID"), |document| {
                let found = document.view().nodes_of(NodeKind::CollisionShape).next().unwrap().shape();
                assert_eq!(found, Some(expected));
            });
        }
    }
}

#[test]
fn poses_faces_and_tools() {
    let pose =
        bytes().u32(1).floats(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 7.0, 8.0, 9.0]).chunk("BPOS");
    let face = bytes().text("Node", 80).text("a.facefx", 260).chunk("FAFX");
    let others = bytes().words(&[0, 1]).chunk("DILG").add(&bytes().u32(0).i32(-1).chunk("MDVI"));
    let sounds = bytes().text("s", 272).chunk("SNDS").add(&bytes().u8(1).chunk("SNEM"));
    read(W, 1000, &pose.add(&face).add(&others).add(&sounds), |document| {
        let model = document.view();
        assert_eq!(model.bind_poses()[0].translation.get(), [7.0, 8.0, 9.0]);
        assert_eq!(view::text(&model.face_effects()[0].path), "a.facefx");
        assert_eq!(model.chunk(&kinds::DILG).unwrap().values::<record::U32>()[1].get(), 1);
    });
}

#[test]
fn empty_chunks_are_not_absent() {
    read(
        W,
        800,
        &bytes().chunk("PREM").add(&bytes().chunk("SEQS")).add(&bytes().chunk("TEXS")),
        |document| {
            let names: Vec<_> = document.root.children().iter().map(|chunk| chunk.kind.name).collect();
            assert_eq!(names, ["VERS", "MODL", "PREM", "SEQS", "TEXS"]);
        },
    );
}

fn codes(document: &Document<'_>) -> Vec<String> {
    document.diagnostics().into_iter().map(|finding| format!("{} {}", finding.code, finding.path)).collect()
}

/// Three real files leave a light's tracks out of the light's size and of the chunk's.
#[test]
fn tracks_that_a_light_forgot_are_its_own() {
    let fixed = bytes().u32(0).floats(&[80.0, 200.0, 1.0, 0.5, 0.25, 3.0, 0.1, 0.2, 0.3, 0.4]);
    let light = bytes().node("Lamp", 0, &bytes()).add(&fixed).sized().chunk("LITE");
    let track = |name| bytes().tag(name).u32(1).u32(0).i32(-1).i32(0).f32(2.0);
    let after = bytes().floats(&[1.0, 2.0, 3.0]).chunk("PIVT");
    let bytes = file(W, 800, &light.add(&track("KLAI")).add(&track("KLAV")).add(&after));
    let document = Document::parse(&bytes).unwrap();
    assert_eq!(codes(&document), ["MDX-FRAME-001 LITE[0]", "MDX-FRAME-001 LITE[0]/Light[0] \"Lamp\""]);
    let lamp = document.view().nodes().next().unwrap();
    assert_eq!(lamp.tracks().map(|track| track.row.name).collect::<Vec<_>>(), ["KLAI", "KLAV"]);
    assert_eq!(document.view().pivots().len(), 1);
    assert_eq!(document.to_bytes().unwrap(), bytes);
    assert_eq!(Document::from_json(&document.to_json()).unwrap().to_bytes().unwrap(), bytes);
}

/// Other readers do not look at a geoset's size, so it must not cut the geoset's last array.
#[test]
fn a_geoset_whose_size_is_too_small_is_read_whole() {
    let (_, whole) = meshwright_mdx::build::samples().into_iter().next().unwrap();
    let at = whole.windows(4).position(|window| window == b"GEOS").unwrap() + 8;
    for missing in [1, 4, 40] {
        let mut bytes = whole.clone();
        let size = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) - missing;
        bytes[at..at + 4].copy_from_slice(&size.to_le_bytes());
        let mut document = Document::parse(&bytes).unwrap();
        assert_eq!(codes(&document), ["MDX-FRAME-001 GEOS[0]/Geoset[0]"]);
        assert_eq!(document.to_bytes().unwrap(), bytes);
        document.root.find_mut("GEOS/Geoset").unwrap().size_delta = 0;
        assert_eq!(document.to_bytes().unwrap(), whole);
    }
}

#[test]
fn a_chunk_of_nothing_but_wrong_sizes_is_read_in_time() {
    let geosets: Vec<u8> = [8_u32.to_le_bytes(), *b"VRTX"].concat().repeat(200_000);
    let arrays: Vec<u8> = [*b"VRTX", 0_u32.to_le_bytes()].concat().repeat(200_000);
    for body in [geosets, arrays] {
        let size = u32::try_from(body.len()).unwrap().to_le_bytes();
        let bytes = [&b"MDLXGEOS"[..], &size, &body].concat();
        let start = std::time::Instant::now();
        assert_eq!(Document::parse(&bytes).unwrap().to_bytes().unwrap(), bytes);
        assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
    }
}

/// The same, where only the object's size is wrong.
#[test]
fn tracks_that_an_object_forgot_are_its_own() {
    let track = bytes().tag("KGAO").u32(1).u32(0).i32(-1).i32(0).f32(2.0);
    let animation = bytes().f32(0.5).u32(3).floats(&[1.0, 0.5, 0.25]).i32(2).sized();
    let bytes = file(W, 800, &animation.clone().add(&track).add(&animation).chunk("GEOA"));
    let document = Document::parse(&bytes).unwrap();
    assert_eq!(codes(&document), ["MDX-FRAME-001 GEOA[0]/GeosetAnimation[0]"]);
    let tracks: Vec<_> = document
        .view()
        .geoset_animations()
        .map(|animation| animation.track(meshwright_mdx::tags::KGAO).is_some())
        .collect();
    assert_eq!(tracks, [true, false]);
    assert_eq!(document.to_bytes().unwrap(), bytes);
}

#[test]
fn odd_values_are_taken_as_the_games_take_them() {
    let fixed = bytes().u32(513).floats(&[80.0, 200.0, 1.0, 0.5, 0.25, 3.0, 0.1, 0.2, 0.3, 0.4]);
    let light = bytes().node("Lamp", 0, &bytes()).add(&fixed).sized().chunk("LITE");
    let layer = bytes().u32(0x0A1B_2C3D).text("", 20).sized();
    let material = bytes().i32(0).u32(0).tag("LAYS").u32(1).add(&layer).sized().chunk("MTLS");
    read(W, 800, &light.add(&material), |document| {
        let lamp = document.view().nodes().next().unwrap().light().unwrap();
        assert_eq!((lamp.kind.kind.get(), lamp.light_type()), (513, LightType::DIRECTIONAL));
        let layer = document.view().materials().next().unwrap().layers().next().unwrap();
        assert_eq!(
            (layer.parts.header.filter_mode.get(), layer.filter_mode()),
            (0x0A1B_2C3D, FilterMode::NONE)
        );
    });
}

#[test]
fn what_is_wrong_is_kept_and_said() {
    let cases: [(Bytes, &[&str]); 8] = [
        (bytes().u32(0x2000_0000).chunk("BPOS"), &["MDX-COUNT-001 BPOS[0]"]),
        (bytes().u32(1).chunk("XYZW"), &["MDX-PART-001 0x575A5958[0]"]),
        (bytes().u8(1).u8(2), &["MDX-FRAME-010 LEFTOVER[0]"]),
        (bytes().tag("GLBS").u32(8).u32(5), &["MDX-FRAME-001 GLBS[0]"]),
        (bytes().text("", 133).chunk("SEQS"), &["MDX-PART-003 SEQS[0]"]),
        (bytes().node("B", 0, &bytes()).u32(0).chunk("BONE"), &["MDX-FRAME-010 BONE[0]/LEFTOVER[0]"]),
        (
            bytes().node("E", 0, &bytes()).tag("KEVT").u32(u32::MAX).i32(-1).text("", 100).chunk("EVTS"),
            &["MDX-FRAME-010 EVTS[0]/LEFTOVER[0]"],
        ),
        (
            bytes().node("H", 0, &bytes().tag("KGTR").u32(u32::MAX).u32(1).i32(-1)).chunk("HELP"),
            &["MDX-FRAME-010 HELP[0]/Helper[0] \"H\"/Node[0] \"H\"/LEFTOVER[0]"],
        ),
    ];
    for (chunks, expected) in cases {
        let bytes = file(W, 800, &chunks);
        let document = Document::parse(&bytes).unwrap();
        assert_eq!(codes(&document), expected);
        assert_eq!(document.to_bytes().unwrap(), bytes);
        assert_eq!(Document::from_json(&document.to_json()).unwrap().to_bytes().unwrap(), bytes);
    }
}
